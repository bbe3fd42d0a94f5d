/* The one-to-one searches against plain references, on hundreds of small maps of every shape and rule. */
#include "support/agents/rig.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static void costs_agree_with_dijkstra(void) {
    uint64_t count = test_full() ? 6000 : 1200;
    for (uint64_t number = 0; number < count; number++) {
        test_rig b;
        if (test_rig_open(&b, test_map_any(number))) {
            test_random random = {number};
            for (int i = 0; i < 3 && wend_map_open_cells(b.map); i++) {
                wend_cell start = test_open_cell(b.map, &random);
                test_dijkstra(&b.grid, start, b.distance);
                for (int j = 0; j < 6; j++) {
                    test_check_pair(&b, start, j ? test_open_cell(b.map, &random) : start);
                    test_case();
                }
            }
        }
        test_rig_close(&b);
    }
}

/* All pairs of every 3x3 map (a third of them in the short form) under every rule. */
static void all_pairs_of_all_tiny_maps(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++)
        for (uint32_t pattern = 1; pattern < 512; pattern += test_full() ? 1 : 3) {
            wend_map_options options = wend_default_map_options();
            options.rules = test_rules(rules);
            wend_map *map;
            if (!CHECK(wend_map_create(3, 3, &options, &map, NULL) == WEND_OK)) return;
            for (int32_t i = 0; i < 9; i++)
                if (pattern >> i & 1) wend_map_edit(map, (wend_rect){i % 3, i / 3, 1, 1}, true, NULL);
            test_rig b;
            if (test_rig_open(&b, map))
                for (wend_cell start = 0; start < 9; start++) {
                    if (!(pattern >> start & 1)) continue;
                    test_dijkstra(&b.grid, start, b.distance);
                    for (wend_cell goal = 0; goal < 9; goal++)
                        if (pattern >> goal & 1) test_check_pair(&b, start, goal);
                }
            test_rig_close(&b);
            test_case();
        }
}

/* The total order of ties leaves no freedom: expansions and path are those of any A* that keeps it. An
 * operation is a cell expanded, a legal move of it (tried or not), or a queue entry passed over. */
static void astar_keeps_the_order_of_ties(void) {
    for (uint64_t number = 5000; number < 5600; number++) {
        test_rig b;
        if (test_rig_open(&b, test_map_any(number))) {
            test_random random = {number};
            for (int i = 0; i < 4 && wend_map_open_cells(b.map); i++) {
                wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
                test_astar_result expected = test_astar(&b.grid, start, goal);
                wend_result result;
                CHECK(wend_search_astar(b.search, start, goal, &result, NULL) == WEND_OK);
                CHECK_THAT((result.found == WEND_FOUND_PATH) == expected.found &&
                               result.cost == expected.cost,
                           "cost %lld, not %lld", (long long)result.cost, (long long)expected.cost);
                CHECK_THAT(result.expansions == expected.expansions, "%llu expansions, not %llu",
                           (unsigned long long)result.expansions, (unsigned long long)expected.expansions);
                uint64_t operations = expected.expansions + expected.neighbours + expected.passed_over;
                CHECK_THAT(result.operations == operations, "%llu operations, not %llu",
                           (unsigned long long)result.operations, (unsigned long long)operations);
                size_t moves = wend_search_moves(b.search, b.moves, b.grid.cells);
                CHECK_THAT(moves == expected.moves &&
                               (!moves || memcmp(b.moves, expected.path, moves * sizeof *b.moves) == 0),
                           "another path of the same cost");
                free(expected.path);
                test_case();
            }
        }
        test_rig_close(&b);
    }
}

/* One call of wend_search_find with this capacity: status and cost are as expected, the cells are a legal path
 * of that cost, and nothing behind the capacity is written. */
static void check_find(test_rig *b, wend_xy from, wend_xy to, wend_xy *path, size_t capacity) {
    const wend_xy untouched = {-7, -9};
    wend_cell start = wend_map_cell(b->map, from.x, from.y), goal = wend_map_cell(b->map, to.x, to.y);
    wend_status expected = WEND_OK;
    if (goal == WEND_NO_CELL || !b->grid.open[goal])
        expected = goal == WEND_NO_CELL ? WEND_STATUS_OUTSIDE : WEND_STATUS_BLOCKED;
    if (start == WEND_NO_CELL || !b->grid.open[start])
        expected = start == WEND_NO_CELL ? WEND_STATUS_OUTSIDE : WEND_STATUS_BLOCKED;
    wend_result result;
    wend_error error = {.status = WEND_OK};
    for (size_t i = 0; i <= b->grid.cells; i++) path[i] = untouched;
    CHECK(wend_search_find(b->search, from, to, path, capacity, &result, &error) == expected);
    size_t written = 0;
    if (expected != WEND_OK) {
        CHECK(error.status == expected && error.message[0]);
    } else {
        test_dijkstra(&b->grid, start, b->distance);
        bool found = b->distance[goal] != WEND_NO_COST;
        CHECK((result.found == WEND_FOUND_PATH) == found && result.cost == b->distance[goal]);
        CHECK(found || (result.found == WEND_FOUND_UNREACHABLE && result.path_cells == 0));
        if (found) CHECK(result.path_cells == result.straight + result.diagonal + 1);
        written = result.path_cells < capacity ? (size_t)result.path_cells : capacity;
        wend_cost cost = 0;
        if (written) CHECK(path[0].x == from.x && path[0].y == from.y);
        for (size_t i = 1; i < written; i++) {
            wend_cell at = wend_map_cell(b->map, path[i - 1].x, path[i - 1].y), next = WEND_NO_CELL;
            int direction = -1;
            while (next != wend_map_cell(b->map, path[i].x, path[i].y) && ++direction < WEND_DIRECTIONS)
                next = test_next(&b->grid, at, direction);
            if (!CHECK(direction < WEND_DIRECTIONS)) break;
            cost += test_move_cost(&b->grid, direction);
        }
        if (found && written == result.path_cells)
            CHECK(cost == result.cost && path[written - 1].x == to.x && path[written - 1].y == to.y);
    }
    for (size_t i = written; i <= b->grid.cells; i++)
        CHECK(path[i].x == untouched.x && path[i].y == untouched.y);
}

/* Between any two places, also blocked ones and some outside; with room for all cells, some, and none. */
static void find_agrees_with_dijkstra(void) {
    for (uint64_t number = 7000; number < 7000 + test_some(1200); number++) {
        test_rig b;
        if (test_rig_open(&b, test_map_any(number))) {
            test_random random = {number};
            wend_xy *path = malloc((b.grid.cells + 1) * sizeof *path);
            const uint32_t width = (uint32_t)b.grid.width, height = (uint32_t)b.grid.height;
            for (int i = 0; i < 8 && path; i++) {
                wend_xy ends[2];
                for (int end = 0; end < 2; end++) {
                    wend_cell open = test_open_cell(b.map, &random);
                    ends[end] = (wend_xy){(int32_t)test_below(&random, width + 2) - 1,
                                          (int32_t)test_below(&random, height + 2) - 1};
                    if (open != WEND_NO_CELL && test_below(&random, 4)) ends[end] = wend_map_xy(b.map, open);
                }
                if (i == 0) ends[1] = ends[0];
                check_find(&b, ends[0], ends[1], path, b.grid.cells);
                check_find(&b, ends[0], ends[1], path, test_below(&random, 6));
                test_case();
            }
            wend_result result;
            wend_xy at = {0, 0};
            if (b.grid.open[0])
                CHECK(wend_search_find(b.search, at, at, NULL, 9, &result, NULL) == WEND_OK &&
                      result.path_cells == 1 && result.cost == 0);
            CHECK(wend_search_find(NULL, at, at, path, 1, &result, NULL) == WEND_STATUS_BAD_ARGUMENT);
            CHECK(wend_search_find(b.search, at, at, path, 1, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
            free(path);
        }
        test_rig_close(&b);
    }
}

static void bad_ends_are_refused(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_random random = {rules};
        test_rig b;
        if (test_rig_open(&b, test_map_make(TEST_SHAPE_OPEN, 7, 5, test_rules(rules), &random, NULL)) &&
            CHECK(wend_map_edit(b.map, (wend_rect){3, 2, 1, 1}, false, NULL) == WEND_OK)) {
            wend_jumps_destroy(b.jumps);
            if (!CHECK(wend_jumps_create(b.map, NULL, &b.jumps, NULL) == WEND_OK)) b.jumps = NULL;
            wend_cell wall = wend_map_cell(b.map, 3, 2);
            static const wend_cell outside[] = {35, 36, 1u << 20, INT32_MAX, WEND_NO_CELL};
            for (int how = 0; how < TEST_METHODS && b.jumps; how++) {
                wend_result result;
                wend_error error = {0};
                CHECK(test_rig_run(&b, (test_method)how, wall, 0, &result, &error) == WEND_STATUS_BLOCKED);
                CHECK(error.status == WEND_STATUS_BLOCKED && error.message[0]);
                CHECK(test_rig_run(&b, (test_method)how, 0, wall, &result, NULL) == WEND_STATUS_BLOCKED);
                CHECK(test_rig_run(&b, (test_method)how, wall, wall, &result, NULL) == WEND_STATUS_BLOCKED);
                for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
                    memset(&error, 0, sizeof error);
                    CHECK(test_rig_run(&b, (test_method)how, outside[i], 0, &result, &error) ==
                          WEND_STATUS_OUTSIDE);
                    CHECK(error.status == WEND_STATUS_OUTSIDE && error.message[0]);
                    CHECK(test_rig_run(&b, (test_method)how, 0, outside[i], &result, NULL) ==
                          WEND_STATUS_OUTSIDE);
                }
                CHECK(test_rig_run(&b, (test_method)how, 0, 34, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
                CHECK(test_rig_run(&b, (test_method)how, 0, 34, &result, NULL) == WEND_OK &&
                      result.found == WEND_FOUND_PATH);
                test_case();
            }
        }
        test_rig_close(&b);
    }
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 4, 4, wend_default_rules(), NULL, NULL);
    if (!CHECK(map != NULL)) return;
    wend_search_options options;
    memset(&options, 0, sizeof options);
    wend_search *search = NULL;
    wend_error error = {0};
    CHECK(wend_search_create(map, &options, &search, &error) == WEND_STATUS_BAD_ARGUMENT && !search);
    CHECK(strstr(error.message, "wend_default_search_options"));
    options = wend_default_search_options();
    CHECK(wend_search_create(NULL, &options, &search, NULL) == WEND_STATUS_BAD_ARGUMENT && !search);
    CHECK(wend_search_create(map, &options, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_jumps *jumps = NULL;
    CHECK(wend_jumps_create(NULL, NULL, &jumps, NULL) == WEND_STATUS_BAD_ARGUMENT && !jumps);
    wend_search_destroy(NULL);
    wend_jumps_destroy(NULL);
    wend_field_destroy(NULL);
    if (CHECK(wend_search_create(map, &options, &search, NULL) == WEND_OK)) {
        wend_result result;
        CHECK(wend_search_moves(search, NULL, 0) == 0 && wend_search_path(search, NULL, 0) == 0);
        CHECK(wend_search_jps(search, NULL, 0, 1, &result, NULL) == WEND_STATUS_BAD_ARGUMENT);
        wend_search_destroy(search);
    }
    wend_map_destroy(map);
}

/* Tables of another map would be read past their end. */
static void jumps_of_another_map_are_refused(void) {
    test_random random = {1};
    wend_map *large = test_map_make(TEST_SHAPE_OPEN, 30, 30, wend_default_rules(), &random, NULL);
    wend_map *small = test_map_make(TEST_SHAPE_OPEN, 5, 5, wend_default_rules(), &random, NULL);
    wend_jumps *jumps = NULL;
    test_rig b;
    if (test_rig_open(&b, large) && CHECK(small && wend_jumps_create(small, NULL, &jumps, NULL) == WEND_OK)) {
        wend_result result;
        wend_error error = {0};
        CHECK(wend_search_jps(b.search, jumps, 0, 899, &result, &error) == WEND_STATUS_OTHER_MAP &&
              error.message[0]);
    }
    wend_jumps_destroy(jumps);
    wend_map_destroy(small);
    test_rig_close(&b);
}

static void searches_see_edits_and_tables_follow(void) {
    for (uint64_t number = 0; number < 240; number++) {
        test_random random = {number};
        test_rig b;
        test_shape shape = (test_shape)(number % TEST_SHAPES);
        if (test_rig_open(&b, test_map_make(shape, 5 + (int32_t)(number % 31), 21,
                                            test_rules((uint32_t)number), &random, NULL)))
            for (int i = 0; i < 6; i++) {
                wend_result result;
                wend_error error = {0};
                CHECK(test_map_change_any(b.map, &random));
                wend_cell start = test_open_cell(b.map, &random);
                if (start == WEND_NO_CELL) continue;
                CHECK(wend_search_jps(b.search, b.jumps, start, start, &result, &error) == WEND_STATUS_STALE);
                CHECK(error.status == WEND_STATUS_STALE && error.message[0]);
                if (!CHECK(wend_jumps_update(b.jumps, NULL) == WEND_OK)) break;
                test_grid_free(&b.grid);
                b.grid = test_grid_of(b.map);
                test_dijkstra(&b.grid, start, b.distance);
                for (int j = 0; j < 3; j++) test_check_pair(&b, start, test_open_cell(b.map, &random));
                test_case();
            }
        test_rig_close(&b);
    }
}

/* A workspace that has served thousands of searches answers as a fresh one does, to the last counter; so the
 * stamps that stand for clearing it are right. */
static void old_workspaces_answer_as_new_ones(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules += 5) {
        test_random random = {rules};
        test_rig b;
        if (test_rig_open(&b, test_map_make(TEST_SHAPE_ROOMS, 31, 27, test_rules(rules), &random, NULL)))
            for (int i = 0; i < 2500; i++) {
                test_method how = (test_method)(i % TEST_METHODS);
                wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
                wend_result old_result, new_result, again;
                CHECK(test_rig_run(&b, how, start, goal, &old_result, NULL) == WEND_OK);
                if (i % 25) continue;
                size_t count = wend_search_moves(b.search, b.moves, b.grid.cells);
                test_rig fresh = b;
                wend_search_options options = wend_default_search_options();
                if (!CHECK(wend_search_create(b.map, &options, &fresh.search, NULL) == WEND_OK)) break;
                CHECK(test_rig_run(&fresh, how, start, goal, &new_result, NULL) == WEND_OK);
                wend_direction moves[31 * 27];
                CHECK(wend_search_moves(fresh.search, moves, 31 * 27) == count &&
                      memcmp(moves, b.moves, count) == 0);
                CHECK(test_rig_run(&fresh, how, start, goal, &again, NULL) == WEND_OK);
                CHECK(test_same_result(&old_result, &new_result) && test_same_result(&new_result, &again));
                wend_search_destroy(fresh.search);
                test_case();
            }
        test_rig_close(&b);
    }
}

/* A ring: a corridor of one cell folded up over the rows, which leads back along the west side. */
static wend_map *make_ring(int32_t side) {
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    if (wend_map_create(side, side, &options, &map, NULL) != WEND_OK) return NULL;
    wend_map_edit(map, (wend_rect){0, 0, 1, side}, true, NULL);
    for (int32_t y = 0; y < side; y += 2) {
        bool ends = y == 0 || y == side - 1; /* these rows join the west side */
        wend_map_edit(map, (wend_rect){ends ? 0 : 2, y, ends ? side : side - 2, 1}, true, NULL);
        if (y < side - 1) wend_map_edit(map, (wend_rect){y / 2 % 2 ? 2 : side - 1, y + 1, 1, 1}, true, NULL);
    }
    return map;
}

/* Both ways round a ring cost more than 32 bits hold; a sum that wraps round prefers the wrong one. */
static void costs_beyond_32_bits_are_exact(void) {
    enum { SIDE = 1999 };
    test_rig b;
    wend_field *field = NULL;
    wend_field_options field_options = wend_default_field_options();
    if (test_rig_open(&b, make_ring(SIDE)) &&
        CHECK(wend_field_create(b.map, &field_options, &field, NULL) == WEND_OK)) {
        wend_cell *ring = calloc(b.grid.cells, sizeof *ring), before = WEND_NO_CELL, cell = 0;
        uint32_t length = 0;
        do { /* once round, never back */
            ring[length++] = cell;
            for (int d = 0; d < 8; d++) {
                wend_cell next = test_next(&b.grid, cell, d);
                if (next == WEND_NO_CELL || next == before) continue;
                before = cell, cell = next;
                break;
            }
        } while (cell != 0 && length < b.grid.cells);
        CHECK_THAT(length == wend_map_open_cells(b.map), "a ring of %u cells, of %u that are open", length,
                   wend_map_open_cells(b.map));
        for (uint32_t i = 0; i < 4; i++) {
            wend_cell start = ring[length / 5 * i], goal = ring[(length / 5 * i + length / 20 * 9) % length];
            if (i % 2) { /* the shorter way round in the other direction */
                wend_cell other = start;
                start = goal, goal = other;
            }
            uint64_t moves = length / 20 * 9;
            CHECK(moves * 5741 > UINT32_MAX && moves < length / 2);
            for (int how = 0; how < TEST_METHODS; how++) {
                wend_result result;
                CHECK(test_rig_run(&b, (test_method)how, start, goal, &result, NULL) == WEND_OK);
                CHECK_THAT(result.cost == moves * 5741, "%s: cost %llu, not %llu", test_method_names[how],
                           (unsigned long long)result.cost, (unsigned long long)moves * 5741);
                test_check_path(&b, start, goal, &result, test_method_names[how]);
                test_case();
            }
            CHECK(wend_field_compute(field, start, NULL) == WEND_OK && wend_field_reached(field) == length);
            CHECK(wend_field_cost(field, goal) == moves * 5741);
            test_case();
        }
        free(ring);
    }
    wend_field_destroy(field);
    test_rig_close(&b);
}

static const test tests[] = {
    {"costs agree with Dijkstra", costs_agree_with_dijkstra},
    {"all pairs of all tiny maps", all_pairs_of_all_tiny_maps},
    {"A* keeps the order of ties", astar_keeps_the_order_of_ties},
    {"bad ends are refused", bad_ends_are_refused},
    {"find agrees with Dijkstra", find_agrees_with_dijkstra},
    {"jumps of another map are refused", jumps_of_another_map_are_refused},
    {"searches see edits and tables follow", searches_see_edits_and_tables_follow},
    {"old workspaces answer as new ones", old_workspaces_answer_as_new_ones},
    {"costs beyond 32 bits are exact", costs_beyond_32_bits_are_exact},
};

TEST_MAIN(tests)
