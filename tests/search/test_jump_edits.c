/* Jump tables that follow edits: byte for byte those that are made afresh. Looks inside. */
#include "search/kernels/corner_graph.h"
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"

#include <string.h>
#include <wend/wend.h>

/* The same corners, edges and runs, and the same parts of the map under other numbers. */
static bool same_corners(const wend_corner_graph *a, const wend_corner_graph *b, uint32_t primary) {
    if (a->count != b->count || a->edge_count != b->edge_count || a->words != b->words) return false;
    if (memcmp(a->bits, b->bits, a->words * sizeof *a->bits) != 0 ||
        memcmp(a->before, b->before, a->words * sizeof *a->before) != 0)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const wend_corner *left = &a->list[i], *right = &b->list[i];
        bool same = left->cell == right->cell && left->x == right->x && left->y == right->y &&
                    left->around == right->around &&
                    memcmp(left->edges, right->edges, sizeof left->edges) == 0 &&
                    memcmp(left->single, right->single, sizeof left->single) == 0;
        for (uint32_t d = 0; d < WEND_DIRECTIONS && same; d++)
            same = !(primary >> d & 1) || left->runs[d >> 1] == right->runs[d >> 1];
        for (uint32_t j = 0; j < i && same && a->count < 300; j++)
            same = (a->components[i] == a->components[j]) == (b->components[i] == b->components[j]);
        if (!same) return false;
    }
    return !a->edge_count || memcmp(a->edges, b->edges, a->edge_count * sizeof *a->edges) == 0;
}

/* Whether the tables are those of their map. */
static bool are_fresh(const wend_jumps *jumps) {
    wend_jumps *fresh;
    if (!CHECK(wend_jumps_create(jumps->map, NULL, &fresh, NULL) == WEND_OK)) return false;
    bool same = jumps->revision == fresh->revision &&
                memcmp(jumps->steps, fresh->steps, (size_t)jumps->cells * sizeof *jumps->steps) == 0 &&
                same_corners(jumps->corners, fresh->corners, jumps->onward.primary);
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

/* Each request of an update refused in turn, after few changes and after many: the tables stay stale, also if the
 * edit is undone, and the next update makes them right. */
static void an_update_without_memory_can_be_repeated(void) {
    for (uint64_t number = 0, refuse = 1; number < 60; refuse++) {
        test_random random = {number};
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 60, 50, test_rules((uint32_t)number), &random, NULL);
        test_memory memory = {0};
        wend_allocator allocator = test_allocator(&memory);
        wend_jumps *jumps = NULL;
        if (!CHECK(map) || !CHECK(wend_jumps_create(map, &allocator, &jumps, NULL) == WEND_OK)) return;
        const wend_rect one = {(int32_t)test_below(&random, 60), (int32_t)test_below(&random, 50), 1, 1};
        const bool open = wend_map_is_open(map, one.x, one.y);
        if (number % 3 == 0)
            for (int i = 0; i < 700; i++) CHECK(test_map_edit_any(map, &random));
        CHECK(wend_map_edit(map, one, !open, NULL) == WEND_OK);
        uint64_t before = memory.requests;
        memory.refuse_at = before + refuse;
        wend_status status = wend_jumps_update(jumps, NULL);
        const bool refused = memory.requests - before >= refuse;
        memory.refuse_at = 0;
        CHECK(status == (refused ? WEND_STATUS_NO_MEMORY : WEND_OK));
        CHECK((jumps->revision == map->revision) == (status == WEND_OK));
        if (number % 2) CHECK(wend_map_edit(map, one, open, NULL) == WEND_OK);
        CHECK(wend_jumps_update(jumps, NULL) == WEND_OK && are_fresh(jumps));
        CHECK(wend_jumps_bytes(jumps) == memory.live_bytes);
        wend_jumps_destroy(jumps);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
        wend_map_destroy(map);
        if (!refused) number++, refuse = 0;
        test_case();
    }
}

static const test tests[] = {
    {"updated tables are fresh ones", updated_tables_are_fresh_ones},
    {"an update without memory can be repeated", an_update_without_memory_can_be_repeated},
    {"an edit costs a small part", an_edit_costs_a_small_part},
};
TEST_MAIN(tests)
