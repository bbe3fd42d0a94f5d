/* Repair of path databases: after any edits every answer begins a shortest path on the map as it is, by
 * Dijkstra's distances. Until then, every answer is right for the map of the last complete repair. */
#include "methods/cpd/layout.h"
#include "methods/cpd/repair/repair.h"
#include "support/agents/repairs.h"
#include "support/check.h"
#include "support/reference.h"

#include <stdlib.h>
#include <wend/wend.h>

static wend_cpd_repair *inner(wend_repair *repair) {
    return (wend_cpd_repair *)repair;
}

/* On maps as small as these all rows are nearly always the cheapest: others are to have their turn. */
static void take_margin(wend_repair *repair, uint64_t number) {
    static const uint32_t margins[] = {0, 3, 1, 2, 5, 8};
    inner(repair)->only = margins[number % (sizeof margins / sizeof *margins)];
}

static uint64_t over(const wend_repair *repair) {
    return 65536 + wend_map_cells(repair->map) / 4;
}

/* The answer of one pair: a move of a shortest path, of which `left` has the distances. */
static bool is_right(const test_grid *grid, const wend_cost *left, wend_cell from, wend_cell to,
                     uint32_t move) {
    if (!grid->open[from] || left[from] == WEND_NO_COST) return move == WEND_CPD_NO_WAY;
    if (from == to) return move == WEND_NO_DIRECTION;
    wend_cell next = move < 8 ? test_next(grid, from, (int)move) : WEND_NO_CELL;
    return next != WEND_NO_CELL && left[next] + test_move_cost(grid, (int)move) == left[from];
}

/* Every answer is a move of a shortest path on `map`. */
static bool all_right(const wend_repair *repair, const wend_map *map) {
    test_grid grid = test_grid_of(map);
    wend_cost *left = malloc((grid.cells + 1) * sizeof *left);
    bool good = CHECK(left);
    for (wend_cell to = 0; to < grid.cells && good; to++) {
        if (grid.open[to])
            test_dijkstra(&grid, to, left);
        else
            for (wend_cell i = 0; i < grid.cells; i++) left[i] = WEND_NO_COST;
        for (wend_cell from = 0; from < grid.cells && good; from++) {
            uint32_t move = wend_cpd_repair_move(repair, from, to);
            good = CHECK_THAT(is_right(&grid, left, from, to, move), "from %u to %u the answer is %u", from,
                              to, move);
        }
    }
    free(left);
    test_grid_free(&grid);
    return good;
}

static const char *const kinds[] = {"cpd"};
static const char *const unsupported[] = {"dlrta", "upd", "cpd:encoding=rectangles", NULL};
static const test_repairs cpd = {.kinds = kinds,
                                 .kind_count = 1,
                                 .planner = "cpd:db=x",
                                 .other = "atlas",
                                 .unsupported = unsupported,
                                 .side = 15,
                                 .right = all_right,
                                 .over = over,
                                 .tune = take_margin};

static bool finish(test_repaired *it, uint64_t slice) {
    return test_repair_finish(&cpd, it->repair, slice);
}

static void answers_are_optimal_after_repair(void) {
    test_repairs_follow_edits(&cpd, test_full() ? 1200 : (uint64_t)test_some(216));
}

static void limits_hold(void) {
    test_repairs_keep_limits(&cpd);
    CHECK(wend_cpd_repair_move(NULL, 0, 0) == WEND_CPD_NO_WAY);
}

/* Rooms around a ring of corridors, with doors of a cell: a change has a way around on one side or both. */
static wend_map *ring_map(int32_t width, int32_t height, wend_rules rules, test_random *random) {
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, width, height, rules, random, NULL);
    const wend_rect walls[] = {{5, 5, width - 10, height - 10},
                               {width / 2, 0, 1, height},
                               {0, height / 2, width, 1},
                               {width / 4, 0, 1, 5}};
    for (size_t i = 0; map && i < sizeof walls / sizeof *walls; i++)
        CHECK(wend_map_edit(map, walls[i], false, NULL) == WEND_OK);
    const wend_rect doors[] = {{width / 2, 2, 1, 1},
                               {width / 2, height - 2, 1, 2},
                               {1, height / 2, 3, 1},
                               {width - 3, height / 2, 1, 1},
                               {width / 4, 1, 1, 2}};
    for (size_t i = 0; map && i < sizeof doors / sizeof *doors; i++)
        CHECK(wend_map_edit(map, doors[i], true, NULL) == WEND_OK);
    return map;
}

static wend_map *map_of_kind(uint64_t number) {
    static const wend_map_kind shapes[] = {WEND_MAP_ROOMS, WEND_MAP_MAZE, WEND_MAP_CAVES, WEND_MAP_RANDOM,
                                           WEND_MAP_CITY};
    const int32_t width = 17 + (int32_t)(number % 9), height = 14 + (int32_t)(number % 7);
    test_random random = {number};
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = NULL;
    if (number % 6 == 5) return ring_map(width, height, test_rules((uint32_t)number / 6), &random);
    options.seed = number, options.map.rules = test_rules((uint32_t)number / 6);
    CHECK(wend_map_generate(shapes[number % 6], width, height, &options, &map, NULL) == WEND_OK);
    return map;
}

/* A cell in a narrow place, if one is found soon: few of those around it are open. */
static wend_cell narrow_cell(const wend_map *map, test_random *random) {
    wend_cell cell = 0;
    for (int tries = 0; tries < 60; tries++) {
        cell = test_below(random, wend_map_cells(map));
        wend_xy at = wend_map_xy(map, cell);
        int open = 0;
        for (int i = 0; i < 9; i++) open += wend_map_is_open(map, at.x - 1 + i % 3, at.y - 1 + i / 3);
        if (open >= 2 && open <= 5) break;
    }
    return cell;
}

/* Doors that are shut and opened, pillars, gaps in walls, one after another, on maps large enough for parts
 * beyond the area. Most of the answers come from the file or from columns that cells share. */
static void narrow_places_of_all_kinds_of_maps(void) {
    uint64_t rows = 0, columns = 0, cells = 0;
    for (uint64_t number = 0; number < (test_full() ? 1080 : (uint64_t)test_some(72)); number++) {
        test_repaired it;
        test_random random = {number};
        if (test_repaired_open(&it, &cpd, number / 6, map_of_kind(number))) {
            bool good = true;
            if (!inner(it.repair)->only) inner(it.repair)->only = number % 2 ? 4 : 16;
            for (uint32_t round = 0; round < 5 && good; round++) {
                for (uint32_t edits = round % 3 == 2 ? 3 : 1; edits > 0; edits--) {
                    wend_xy at = wend_map_xy(it.map, narrow_cell(it.map, &random));
                    CHECK(wend_map_edit(it.map, (wend_rect){at.x, at.y, 1, 1},
                                        !wend_map_is_open(it.map, at.x, at.y), NULL) == WEND_OK);
                }
                good = finish(&it, 1 + test_below(&random, 60000)) &&
                       test_repaired_right(&it, it.map, "narrow places");
                if (round) continue;
                rows += inner(it.repair)->tally.rows;
                columns += inner(it.repair)->tally.columns;
                cells += wend_map_open_cells(it.map);
            }
        }
        test_repaired_close(&it);
        test_case();
    }
    CHECK_THAT(rows && rows < cells * 2 / 3 && columns, "%llu rows and %llu columns of %llu",
               (unsigned long long)rows, (unsigned long long)columns, (unsigned long long)cells);
}

/* Two halls and a passage between them that becomes narrower: all distances from one to the other change, and
 * little is searched for all that. */
static void a_narrower_passage_costs_little(void) {
    if (test_skip_thinned()) return;
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_random random = {rules};
        test_repaired it;
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, 56, 26, test_rules(rules), &random, NULL);
        CHECK(map && wend_map_edit(map, (wend_rect){26, 0, 6, 26}, false, NULL) == WEND_OK &&
              wend_map_edit(map, (wend_rect){26, 12, 6, 3}, true, NULL) == WEND_OK);
        if (test_repaired_open(&it, &cpd, 0, map)) {
            const uint32_t open = wend_map_open_cells(it.map);
            inner(it.repair)->only = 4; /* on a map as small as this all rows would be cheaper */
            CHECK(wend_map_edit(it.map, (wend_rect){29, 13, 1, 1}, false, NULL) == WEND_OK);
            if (finish(&it, 50000)) {
                const uint32_t all = inner(it.repair)->tally.all;
                CHECK_THAT(all < open / 4, "%u of %u cells", all, open);
                (void)test_repaired_right(&it, it.map, "a narrower passage");
            }
        }
        test_repaired_close(&it);
        test_case();
    }
}

/* While it goes on, and while edits come, the answers are those of one map: that of the last generation. */
static void answers_are_those_of_one_map(void) {
    for (uint64_t number = 0; number < (test_full() ? 300 : (uint64_t)test_some(60)); number++) {
        test_repaired it;
        test_random random = {number + 1000};
        if (test_repaired_open(&it, &cpd, number, test_repaired_map(number + 17, 11))) {
            wend_map *right = NULL; /* what the answers must be right for */
            uint64_t generation = 0;
            bool good = CHECK(wend_map_copy(it.map, &right, NULL) == WEND_OK);
            for (uint32_t tick = 0; tick < 60 && good; tick++) {
                if (test_below(&random, 3) == 0) CHECK(test_map_edit_any(it.map, &random));
                bool done;
                good =
                    CHECK(wend_repair_step(it.repair, 1 + test_below(&random, 6000), &done, NULL) == WEND_OK);
                uint64_t now = wend_repair_about(it.repair).generation;
                if (now != generation) { /* it may be that of some earlier tick: it knows which */
                    bool settling = inner(it.repair)->stage >= WEND_CPD_SETTLE_CELLS;
                    wend_map_destroy(right);
                    good = CHECK(wend_map_copy(settling ? inner(it.repair)->new : inner(it.repair)->old,
                                               &right, NULL) == WEND_OK);
                    generation = now;
                }
                if (done) CHECK(wend_map_fingerprint(right) == wend_map_fingerprint(it.map));
                good = good && test_repaired_right(&it, right, "under way");
            }
            good = good && finish(&it, 100000) && test_repaired_right(&it, it.map, "at the end");
            wend_map_destroy(right);
        }
        test_repaired_close(&it);
        test_case();
    }
}

/* A few cells of a larger map cost a small part of searching from all of it. (All rows of an open map of this
 * size take 0.8 operations a pair.) */
static void little_is_done_for_little(void) {
    if (test_skip_thinned()) return;
    test_random random = {3};
    test_repaired it;
    if (test_repaired_open(&it, &cpd, 0,
                           test_map_make(TEST_SHAPE_ROOMS, 64, 64, test_rules(0), &random, NULL))) {
        uint32_t open = wend_map_open_cells(it.map);
        wend_cell cell = test_open_cell(it.map, &random);
        wend_xy at = wend_map_xy(it.map, cell);
        CHECK(wend_map_edit(it.map, (wend_rect){at.x, at.y, 1, 1}, false, NULL) == WEND_OK);
        if (finish(&it, 50000)) {
            wend_repair_info info = wend_repair_about(it.repair);
            wend_cpd_tally tally = inner(it.repair)->tally;
            CHECK(info.changed == 1 && info.generation == 1 && tally.searched == tally.all);
            CHECK(tally.all < open / 2);
            CHECK_THAT(info.operations < (uint64_t)open * open / 2, "%llu operations",
                       (unsigned long long)info.operations);
            (void)test_repaired_right(&it, it.map, "one cell");
        }
    }
    test_repaired_close(&it);
    test_case();
}

/* The same edits and slices give the same answers from the same memory; other slices the same answers. */
static void runs_repeat(void) {
    for (uint64_t number = 0; number < 20; number++) {
        wend_repair_info infos[3] = {{0}};
        wend_cpd_tally tallies[3] = {{0}};
        uint64_t hashes[3] = {0};
        for (int run = 0; run < 3; run++) {
            test_repaired it;
            test_random random = {number};
            if (test_repaired_open(&it, &cpd, number, test_repaired_map(number + 40, 14))) {
                for (int i = 0; i < 6; i++) {
                    CHECK(test_map_edit_any(it.map, &random));
                    (void)finish(&it, run == 2 ? 77 : 900);
                }
                uint32_t cells = (uint32_t)wend_map_width(it.map) * (uint32_t)wend_map_height(it.map);
                for (wend_cell from = 0; from < cells; from++)
                    for (wend_cell to = 0; to < cells; to++)
                        hashes[run] = hashes[run] * 31 + wend_cpd_repair_move(it.repair, from, to);
                infos[run] = wend_repair_about(it.repair), tallies[run] = inner(it.repair)->tally;
            }
            test_repaired_close(&it);
        }
        CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
        CHECK(infos[0].operations == infos[1].operations && infos[0].bytes == infos[1].bytes);
        CHECK(tallies[0].runs == tallies[2].runs && tallies[0].columns == tallies[2].columns);
        test_case();
    }
}

static const test tests[] = {
    {"answers are optimal after repair", answers_are_optimal_after_repair},
    {"narrow places of all kinds of maps", narrow_places_of_all_kinds_of_maps},
    {"a narrower passage costs little", a_narrower_passage_costs_little},
    {"answers are those of one map", answers_are_those_of_one_map},
    {"little is done for little", little_is_done_for_little},
    {"runs repeat", runs_repeat},
    {"limits hold", limits_hold},
};
TEST_MAIN(tests)
