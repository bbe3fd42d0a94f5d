/* Assertions fire where they are compiled in, and are nothing where they are not. This program's own
 * wend_assert_failed takes the place of the library's. */
#include "base/assert.h"
#include "grid/components.h"
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/maps.h"
#include "world/fleet.h"

#include <setjmp.h>
#include <string.h>
#include <wend/wend.h>

#ifdef WEND_ASSERTING
enum { ASSERTING = 1 };
static jmp_buf failed;
static const char *said;

void wend_assert_failed(const char *condition, const char *file, int line) {
    CHECK(file[0] && line > 0);
    said = condition;
    longjmp(failed, 1);
}
#define FAILS(call) (said = NULL, setjmp(failed) ? said != NULL : ((call), false))
#else
enum { ASSERTING = 0 };
#define FAILS(call) ((call), false)
#endif
#ifdef WEND_VALIDATING
enum { VALIDATING = 1 };
#else
enum { VALIDATING = 0 };
#endif

static void conditions_are_evaluated_only_where_they_count(void) {
    static int looked; /* keeps its value over longjmp */
    looked = 0;
    WEND_ASSERT(++looked);
    CHECK(looked == ASSERTING);
    WEND_VALIDATE(++looked);
    CHECK(looked == ASSERTING + VALIDATING);
    CHECK(FAILS(WEND_ASSERT(looked < 0)) == ASSERTING);
    CHECK(FAILS(WEND_VALIDATE(looked < 0)) == VALIDATING);
#ifdef WEND_VALIDATING
    CHECK(said && !strcmp(said, "looked < 0"));
#endif
}

/* A bit behind the last cell of a row, and a wrong count of open cells. */
static void a_broken_map_is_seen(void) {
    test_random random = {0};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 13, 5, wend_default_rules(), &random, NULL);
    if (!CHECK(map)) return;
    CHECK(!FAILS((void)wend_map_fingerprint(map)));
    map->bits[2 * map->row_bytes + 14 / 8] ^= 1 << 14 % 8;
    CHECK(FAILS((void)wend_map_fingerprint(map)) == VALIDATING);
    map->bits[2 * map->row_bytes + 14 / 8] ^= 1 << 14 % 8;
    map->open_cells--;
    CHECK(FAILS((void)wend_map_fingerprint(map)) == VALIDATING);
    map->open_cells++;
    CHECK(!FAILS((void)wend_map_fingerprint(map)));
    CHECK(FAILS((void)wend_map_lost_since(map, map->revision + 1)) == ASSERTING); /* read before it was */
    wend_map_destroy(map);
}

static void broken_components_are_seen(void) {
    test_random random = {0};
    wend_map *map = test_map_make(TEST_SHAPE_HALVES, 40, 40, wend_default_rules(), &random, NULL);
    wend_components *components = NULL;
    if (!CHECK(map) || !CHECK(wend_components_create(map, NULL, &components, NULL) == WEND_OK)) return;
    for (int right = 1; right >= 0; right--) {
        wend_rect row = {0, 20, 40, 1};
        wend_components_note(components, row);
        components->count += right ? 0 : 1;
        CHECK(FAILS((void)wend_components_update(components, map, NULL)) == (VALIDATING && !right));
    }
    wend_components_destroy(components);
    wend_map_destroy(map);
}

static void a_broken_fleet_is_seen(void) {
    test_random random = {0};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 20, 20, wend_default_rules(), &random, NULL);
    wend_fleet_options options = wend_default_fleet_options();
    wend_squad_options squad_options = wend_default_squad_options();
    wend_fleet *fleet = test_fleet_make(map, &options);
    uint32_t squad = 0;
    wend_member member;
    CHECK(test_fleet_squad(fleet, "astar:k=9", &squad_options, &squad) == WEND_OK);
    CHECK(wend_fleet_add(fleet, squad, 0, &member, NULL) == WEND_OK);
    CHECK(wend_fleet_request(fleet, member, 399, NULL, NULL) == WEND_OK);
    CHECK(!FAILS((void)wend_fleet_tick(fleet)));
    fleet->lanes[fleet->seats[0].lane].waiting++;
    CHECK(FAILS((void)wend_fleet_tick(fleet)) == VALIDATING);
    fleet->lanes[fleet->seats[0].lane].waiting--;
    wend_search *search = fleet->seats[0].agent->workspace->search;
    search->stamp = WEND_LAST_STAMP + 1; /* one that no record has room for */
    CHECK(FAILS(wend_search_begin(search, 0, 399)) == ASSERTING);
    wend_fleet_destroy(fleet);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"conditions are evaluated only where they count", conditions_are_evaluated_only_where_they_count},
    {"a broken map is seen", a_broken_map_is_seen},
    {"broken components are seen", broken_components_are_seen},
    {"a broken fleet is seen", a_broken_fleet_is_seen},
};

TEST_MAIN(tests)
