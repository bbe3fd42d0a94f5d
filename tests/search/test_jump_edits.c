/* Jump tables that follow edits: byte for byte those that are made afresh. Looks inside. */
#include "search/jumps.h"
#include "support/check.h"
#include "support/maps.h"

#include <string.h>
#include <wend/wend.h>

/* Whether the tables are those of their map. */
static bool are_fresh(const wend_jumps *jumps) {
    wend_jumps *fresh;
    if (!CHECK(wend_jumps_create(jumps->map, NULL, &fresh, NULL) == WEND_OK)) return false;
    bool same = jumps->revision == fresh->revision &&
                memcmp(jumps->steps, fresh->steps, (size_t)jumps->cells * sizeof *jumps->steps) == 0;
    wend_jumps_destroy(fresh);
    return same;
}

/* One edit at a time, several at once, and many: on any map, under any rules. */
static void updated_tables_are_fresh_ones(void) {
    for (uint64_t number = 0; number < test_some(1200); number++) {
        test_random random = {number};
        wend_map *map = test_map_any(number);
        wend_jumps *jumps = NULL;
        if (!CHECK(map) || !CHECK(wend_jumps_create(map, NULL, &jumps, NULL) == WEND_OK)) return;
        for (int i = 0; i < 8; i++) {
            uint32_t edits = i < 5 ? 1 : i < 7 ? 2 + test_below(&random, 4) : 40;
            for (uint32_t j = 0; j < edits; j++) CHECK(test_map_edit_any(map, &random));
            CHECK(wend_jumps_update(jumps, NULL) == WEND_OK);
            CHECK_THAT(are_fresh(jumps), "map %llu, edit %d", (unsigned long long)number, i);
            test_case();
        }
        wend_jumps_destroy(jumps);
        wend_map_destroy(map);
    }
    CHECK(wend_jumps_update(NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
}

/* Closes a square and opens it again, at random places; how many entries that looks at, of all. */
static double share_examined(wend_map *map, int32_t side, int places) {
    test_random random = {7};
    wend_jumps *jumps = NULL;
    if (!CHECK(wend_jumps_create(map, NULL, &jumps, NULL) == WEND_OK)) return 1;
    uint64_t examined = 0;
    for (int i = 0; i < places; i++) {
        wend_xy at = wend_map_xy(map, test_open_cell(map, &random));
        if (at.x + side > wend_map_width(map) || at.y + side > wend_map_height(map)) continue;
        wend_map *before = NULL;
        CHECK(wend_map_scale(map, 1, &before, NULL) == WEND_OK);
        for (int open = 0; open < 2; open++) {
            CHECK(wend_map_edit(map, (wend_rect){at.x, at.y, side, side}, open, NULL) == WEND_OK);
            for (int32_t j = 0; open && j < side * side; j++) /* what was blocked stays so */
                if (!wend_map_is_open(before, at.x + j % side, at.y + j / side))
                    CHECK(wend_map_edit(map, (wend_rect){at.x + j % side, at.y + j / side, 1, 1}, false,
                                        NULL) == WEND_OK);
            CHECK(wend_jumps_update(jumps, NULL) == WEND_OK);
            examined += jumps->examined;
            if (i < 3) CHECK(are_fresh(jumps));
        }
        wend_map_destroy(before);
    }
    wend_jumps_destroy(jumps);
    return (double)examined / (2.0 * places) / (8.0 * wend_map_cells(map));
}

static void an_edit_costs_a_small_part(void) {
    static const struct {
        wend_map_kind kind;
        const char *name;
        double one, square;
    } maps[] = {{WEND_MAP_CITY, NULL, 30, 20},
                {WEND_MAP_CAVES, NULL, 1000, 500},
                {WEND_MAP_CITY, "dao/orz103d", 100, 100},
                {WEND_MAP_CITY, "sc1/WheelofWar", 100, 50}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const wend_rules rules = wend_default_rules();
        wend_map *map = maps[i].name ? test_map_shared(maps[i].name, NULL, NULL)
                                     : test_map_generated(maps[i].kind, 1024, rules, 1);
        if (!map) continue;
        double one = share_examined(map, 1, 30), square = share_examined(map, 10, 30);
        CHECK_THAT(one * maps[i].one <= 1 && square * maps[i].square <= 1,
                   "map %zu: 1 of %.0f, and 1 of %.0f", i, 1 / one, 1 / square);
        wend_map_destroy(map);
        test_case();
    }
}

static const test tests[] = {
    {"updated tables are fresh ones", updated_tables_are_fresh_ones},
    {"an edit costs a small part", an_edit_costs_a_small_part},
};
TEST_MAIN(tests)
