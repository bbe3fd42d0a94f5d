/* The searches against plain references, on hundreds of small maps of every shape and rule. */
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/reference.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* A map, its cells as the reference sees them, and the tools under test. */
typedef struct bench {
    wend_map *map;
    test_grid grid;
    wend_search *search;
    wend_jumps *jumps;
    wend_cost *distance; /* of the reference, from some cell */
    wend_direction *moves;
    wend_cell *path;
} bench;

static bool bench_open(bench *b, wend_map *map) {
    memset(b, 0, sizeof *b);
    if (!CHECK_THAT(map != NULL, "the map can't be made")) return false;
    b->map = map, b->grid = test_grid_of(map);
    wend_search_options options = wend_default_search_options();
    wend_error error = {0};
    bool good =
        CHECK_THAT(wend_search_create(map, &options, &b->search, &error) == WEND_OK, "%s", error.message) &&
        CHECK_THAT(wend_jumps_create(map, NULL, &b->jumps, &error) == WEND_OK, "%s", error.message);
    b->distance = calloc(b->grid.cells, sizeof *b->distance);
    b->moves = calloc((size_t)b->grid.cells + 1, sizeof *b->moves);
    b->path = calloc((size_t)b->grid.cells + 2, sizeof *b->path);
    return CHECK(b->distance && b->moves && b->path) && good;
}

static void bench_close(bench *b) {
    free(b->distance), free(b->moves), free(b->path);
    if (b->grid.open) test_grid_free(&b->grid);
    wend_jumps_destroy(b->jumps);
    wend_search_destroy(b->search);
    wend_map_destroy(b->map);
}

typedef enum method { ASTAR, JPS, METHODS } method;
static const char *const method_names[METHODS] = {"astar", "jps"};

static wend_status run(const bench *b, method how, wend_cell start, wend_cell goal, wend_result *result,
                       wend_error *error) {
    return how == ASTAR ? wend_search_astar(b->search, start, goal, result, error)
                        : wend_search_jps(b->search, b->jumps, start, goal, result, error);
}

static bool same_result(const wend_result *a, const wend_result *b) {
    return a->found == b->found && a->cost == b->cost && a->straight == b->straight &&
           a->diagonal == b->diagonal && a->expansions == b->expansions && a->operations == b->operations;
}

/* The path of the last search: legal by the reference's rules, of the stated cost, from start to goal, the
 * same as moves and as cells, and no more of it written than asked for. */
static void check_path(const bench *b, wend_cell start, wend_cell goal, const wend_result *result,
                       const char *who) {
    size_t count = wend_search_moves(b->search, NULL, 0);
    if (result->found != WEND_FOUND) {
        CHECK_THAT(count == 0 && wend_search_path(b->search, b->path, b->grid.cells) == 0,
                   "%s: a path where none was found", who);
        CHECK_THAT(result->cost == WEND_NO_COST && !result->straight && !result->diagonal,
                   "%s: a cost where none was found", who);
        return;
    }
    if (!CHECK_THAT(count == result->straight + result->diagonal && count < b->grid.cells,
                    "%s: %zu moves, counted as %llu + %llu", who, count, (unsigned long long)result->straight,
                    (unsigned long long)result->diagonal))
        return;
    CHECK(wend_search_moves(b->search, b->moves, count) == count);
    CHECK(wend_search_path(b->search, NULL, 0) == count + 1);
    CHECK(wend_search_path(b->search, b->path, count + 1) == count + 1);
    uint64_t straight = 0, diagonal = 0;
    wend_cell cell = start;
    for (size_t i = 0; i < count; i++) {
        CHECK_THAT(b->path[i] == cell, "%s: cell %zu of the path is not where its moves lead", who, i);
        if (!CHECK_THAT(b->moves[i] < 8, "%s: %u is no direction", who, b->moves[i])) return;
        cell = test_next(&b->grid, cell, b->moves[i]);
        if (!CHECK_THAT(cell != WEND_NO_CELL, "%s: move %zu is illegal", who, i)) return;
        if (b->moves[i] % 2)
            diagonal++;
        else
            straight++;
    }
    CHECK_THAT(cell == goal && b->path[count] == goal, "%s: ends at %u, not at the goal %u", who, cell, goal);
    CHECK_THAT(straight == result->straight && diagonal == result->diagonal, "%s: moves counted wrong", who);
    CHECK_THAT(straight * b->grid.straight + diagonal * b->grid.diagonal == result->cost,
               "%s: the cost is not that of the moves", who);

    size_t some = count / 2; /* the first ones, and nothing behind them */
    wend_direction first_moves[1700];
    wend_cell first_cells[1700];
    if (some >= sizeof first_moves) return;
    memset(first_moves, 0x5a, sizeof first_moves), memset(first_cells, 0x5a, sizeof first_cells);
    CHECK(wend_search_moves(b->search, first_moves, some) == count);
    CHECK(wend_search_path(b->search, first_cells, some) == count + 1);
    CHECK_THAT(memcmp(first_moves, b->moves, some) == 0 && first_moves[some] == 0x5a,
               "%s: the first moves are not those of the whole", who);
    CHECK_THAT(memcmp(first_cells, b->path, some * sizeof *first_cells) == 0 &&
                   first_cells[some] == 0x5a5a5a5a,
               "%s: the first cells are not those of the whole", who);
}

/* One pair by both searches against the reference's distances from `start`. */
static void check_pair(const bench *b, wend_cell start, wend_cell goal) {
    for (int how = 0; how < METHODS; how++) {
        wend_result result;
        wend_error error = {0};
        wend_status status = run(b, (method)how, start, goal, &result, &error);
        if (!CHECK_THAT(status == WEND_OK, "%s: %s", method_names[how], error.message)) continue;
        wend_cost expected = b->distance[goal];
        CHECK_THAT((result.found == WEND_FOUND) == (expected != WEND_NO_COST) &&
                       result.found != WEND_OUT_OF_MEMORY && result.cost == expected,
                   "%s: %ux%u connect %d corners %d diagonal %d, %u to %u: cost %lld, not %lld",
                   method_names[how], (unsigned)b->grid.width, (unsigned)b->grid.height,
                   b->grid.rules.connect, (int)b->grid.rules.corners, (int)b->grid.rules.diagonal, start,
                   goal, (long long)result.cost, (long long)expected);
        check_path(b, start, goal, &result, method_names[how]);
    }
}

static void costs_agree_with_dijkstra(void) {
    uint64_t count = test_full() ? 6000 : 1200;
    for (uint64_t number = 0; number < count; number++) {
        bench b;
        if (bench_open(&b, test_map_any(number))) {
            test_random random = {number};
            for (int i = 0; i < 3 && wend_map_open_cells(b.map); i++) {
                wend_cell start = test_open_cell(b.map, &random);
                test_dijkstra(&b.grid, start, b.distance);
                for (int j = 0; j < 6; j++) {
                    check_pair(&b, start, j ? test_open_cell(b.map, &random) : start);
                    test_case();
                }
            }
        }
        bench_close(&b);
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
            bench b;
            if (bench_open(&b, map))
                for (wend_cell start = 0; start < 9; start++) {
                    if (!(pattern >> start & 1)) continue;
                    test_dijkstra(&b.grid, start, b.distance);
                    for (wend_cell goal = 0; goal < 9; goal++)
                        if (pattern >> goal & 1) check_pair(&b, start, goal);
                }
            bench_close(&b);
            test_case();
        }
}

/* The total order of ties leaves no freedom: expansions and path are those of any A* that keeps it. */
static void astar_keeps_the_order_of_ties(void) {
    for (uint64_t number = 5000; number < 5600; number++) {
        bench b;
        if (bench_open(&b, test_map_any(number))) {
            test_random random = {number};
            for (int i = 0; i < 4 && wend_map_open_cells(b.map); i++) {
                wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
                test_astar_result expected = test_astar(&b.grid, start, goal);
                wend_result result;
                CHECK(wend_search_astar(b.search, start, goal, &result, NULL) == WEND_OK);
                CHECK_THAT((result.found == WEND_FOUND) == expected.found && result.cost == expected.cost,
                           "cost %lld, not %lld", (long long)result.cost, (long long)expected.cost);
                CHECK_THAT(result.expansions == expected.expansions, "%llu expansions, not %llu",
                           (unsigned long long)result.expansions, (unsigned long long)expected.expansions);
                size_t moves = wend_search_moves(b.search, b.moves, b.grid.cells);
                CHECK_THAT(moves == expected.moves &&
                               (!moves || memcmp(b.moves, expected.path, moves * sizeof *b.moves) == 0),
                           "another path of the same cost");
                free(expected.path);
                test_case();
            }
        }
        bench_close(&b);
    }
}

static void bad_ends_are_refused(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_random random = {rules};
        bench b;
        if (bench_open(&b, test_map_make(TEST_SHAPE_OPEN, 7, 5, test_rules(rules), &random, NULL)) &&
            CHECK(wend_map_edit(b.map, (wend_rect){3, 2, 1, 1}, false, NULL) == WEND_OK)) {
            wend_jumps_destroy(b.jumps);
            if (!CHECK(wend_jumps_create(b.map, NULL, &b.jumps, NULL) == WEND_OK)) b.jumps = NULL;
            wend_cell wall = wend_map_cell(b.map, 3, 2);
            static const wend_cell outside[] = {35, 36, 1u << 20, INT32_MAX, WEND_NO_CELL};
            for (int how = 0; how < METHODS && b.jumps; how++) {
                wend_result result;
                wend_error error = {0};
                CHECK(run(&b, (method)how, wall, 0, &result, &error) == WEND_BLOCKED);
                CHECK(error.status == WEND_BLOCKED && error.message[0]);
                CHECK(run(&b, (method)how, 0, wall, &result, NULL) == WEND_BLOCKED);
                CHECK(run(&b, (method)how, wall, wall, &result, NULL) == WEND_BLOCKED);
                for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
                    memset(&error, 0, sizeof error);
                    CHECK(run(&b, (method)how, outside[i], 0, &result, &error) == WEND_OUTSIDE);
                    CHECK(error.status == WEND_OUTSIDE && error.message[0]);
                    CHECK(run(&b, (method)how, 0, outside[i], &result, NULL) == WEND_OUTSIDE);
                }
                CHECK(run(&b, (method)how, 0, 34, NULL, NULL) == WEND_BAD_ARGUMENT);
                CHECK(run(&b, (method)how, 0, 34, &result, NULL) == WEND_OK && result.found == WEND_FOUND);
                test_case();
            }
        }
        bench_close(&b);
    }
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 4, 4, wend_default_rules(), NULL, NULL);
    if (!CHECK(map != NULL)) return;
    wend_search_options options;
    memset(&options, 0, sizeof options);
    wend_search *search = NULL;
    wend_error error = {0};
    CHECK(wend_search_create(map, &options, &search, &error) == WEND_BAD_ARGUMENT && !search);
    CHECK(strstr(error.message, "wend_default_search_options"));
    CHECK(wend_search_create(map, NULL, &search, NULL) == WEND_BAD_ARGUMENT && !search);
    options = wend_default_search_options();
    CHECK(wend_search_create(NULL, &options, &search, NULL) == WEND_BAD_ARGUMENT && !search);
    CHECK(wend_search_create(map, &options, NULL, NULL) == WEND_BAD_ARGUMENT);
    wend_jumps *jumps = NULL;
    CHECK(wend_jumps_create(NULL, NULL, &jumps, NULL) == WEND_BAD_ARGUMENT && !jumps);
    wend_search_destroy(NULL);
    wend_jumps_destroy(NULL);
    wend_field_destroy(NULL);
    if (CHECK(wend_search_create(map, &options, &search, NULL) == WEND_OK)) {
        wend_result result;
        CHECK(wend_search_moves(search, NULL, 0) == 0 && wend_search_path(search, NULL, 0) == 0);
        CHECK(wend_search_jps(search, NULL, 0, 1, &result, NULL) == WEND_BAD_ARGUMENT);
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
    bench b;
    if (bench_open(&b, large) && CHECK(small && wend_jumps_create(small, NULL, &jumps, NULL) == WEND_OK)) {
        wend_result result;
        wend_error error = {0};
        CHECK(wend_search_jps(b.search, jumps, 0, 899, &result, &error) == WEND_OTHER_MAP &&
              error.message[0]);
    }
    wend_jumps_destroy(jumps);
    wend_map_destroy(small);
    bench_close(&b);
}

/* Every cell of every field, and both kinds of move sets, against distances alone. */
static void fields_are_exact(void) {
    for (uint64_t number = 9000; number < 9400; number++) {
        bench b;
        wend_field *field = NULL;
        wend_field_options options = wend_default_field_options();
        CHECK(options.towards && !options.from);
        options.from = true;
        if (bench_open(&b, test_map_any(number)) && wend_map_open_cells(b.map) &&
            CHECK(wend_field_create(b.map, &options, &field, NULL) == WEND_OK)) {
            wend_cost *from_next[8] = {0};
            uint8_t *reached = calloc(b.grid.cells, 1);
            for (int d = 0; d < 8; d++) from_next[d] = calloc(b.grid.cells, sizeof **from_next);
            test_random random = {number};
            for (int i = 0; i < 3; i++) {
                wend_cell root = test_open_cell(b.map, &random);
                if (!CHECK(wend_field_compute(field, root, NULL) == WEND_OK)) break;
                test_dijkstra(&b.grid, root, b.distance);
                CHECK(wend_field_reached(field) == test_flood(&b.grid, root, reached));
                for (int d = 0; d < 8; d++) {
                    wend_cell next = test_next(&b.grid, root, d);
                    if (next != WEND_NO_CELL) test_dijkstra(&b.grid, next, from_next[d]);
                }
                for (wend_cell cell = 0; cell < b.grid.cells; cell++) {
                    wend_cost cost = b.distance[cell];
                    CHECK_THAT(wend_field_cost(field, cell) == cost &&
                                   reached[cell] == (cost != WEND_NO_COST),
                               "cell %u: cost %lld, not %lld", cell, (long long)wend_field_cost(field, cell),
                               (long long)cost);
                    unsigned towards = 0, from = 0;
                    for (int d = 0; d < 8 && cell != root && cost != WEND_NO_COST; d++) {
                        wend_cell next = test_next(&b.grid, cell, d);
                        if (next != WEND_NO_CELL && b.distance[next] + test_move_cost(&b.grid, d) == cost)
                            towards |= 1u << d;
                        next = test_next(&b.grid, root, d);
                        if (next != WEND_NO_CELL && from_next[d][cell] + test_move_cost(&b.grid, d) == cost)
                            from |= 1u << d;
                    }
                    CHECK_THAT(wend_field_towards(field, cell) == towards,
                               "cell %u, root %u: moves %02x start an optimal path to the root, not %02x",
                               cell, root, towards, wend_field_towards(field, cell));
                    CHECK_THAT(wend_field_from(field, cell) == from,
                               "cell %u, root %u: moves %02x of the root start an optimal path, not %02x",
                               cell, root, from, wend_field_from(field, cell));
                }
                test_case();
            }
            free(reached);
            for (int d = 0; d < 8; d++) free(from_next[d]);
        }
        wend_field_destroy(field);
        bench_close(&b);
    }
}

static void fields_refuse_and_follow_edits(void) {
    for (uint64_t number = 0; number < 120; number++) {
        test_random random = {number};
        wend_map *map =
            test_map_make(TEST_SHAPE_SCATTERED, 23, 19, test_rules((uint32_t)number), &random, NULL);
        if (!CHECK(map != NULL)) return;
        wend_field_options options = wend_default_field_options();
        wend_field *field = NULL;
        wend_error error = {0};
        if (CHECK(wend_field_create(map, &options, &field, NULL) == WEND_OK)) {
            CHECK(wend_field_compute(field, wend_map_cells(map), &error) == WEND_OUTSIDE && error.message[0]);
            CHECK(wend_field_compute(field, WEND_NO_CELL, &error) == WEND_OUTSIDE);
            for (int i = 0; i < 5; i++) {
                CHECK(test_map_edit_any(map, &random));
                wend_cell root = test_below(&random, wend_map_cells(map));
                wend_status status = wend_field_compute(field, root, NULL);
                if (!wend_map_is_open_cell(map, root)) {
                    CHECK(status == WEND_BLOCKED);
                } else if (CHECK(status == WEND_OK)) {
                    test_grid grid = test_grid_of(map);
                    wend_cost distance[23 * 19];
                    test_dijkstra(&grid, root, distance);
                    for (wend_cell cell = 0; cell < grid.cells; cell++)
                        CHECK(wend_field_cost(field, cell) == distance[cell]);
                    test_grid_free(&grid);
                }
                test_case();
            }
        }
        wend_field_destroy(field);
        wend_map_destroy(map);
    }
    wend_field *field = NULL;
    wend_field_options options;
    memset(&options, 0, sizeof options);
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 3, 3, wend_default_rules(), NULL, NULL);
    CHECK(wend_field_create(map, &options, &field, NULL) == WEND_BAD_ARGUMENT && !field);
    options = wend_default_field_options();
    CHECK(wend_field_create(NULL, &options, &field, NULL) == WEND_BAD_ARGUMENT && !field);
    CHECK(wend_field_create(map, &options, NULL, NULL) == WEND_BAD_ARGUMENT);
    wend_map_destroy(map);
}

/* The climber, one move after another and as a whole, against the reference; the bounds that its users
 * build on: the distance left falls with every move, so no cell is seen twice, and the cap holds. */
static void the_climber_climbs(void) {
    for (uint64_t number = 20000; number < 20600; number++) {
        wend_map *map = test_map_any(number);
        if (!CHECK(map != NULL)) return;
        test_grid grid = test_grid_of(map);
        wend_cost *distance = calloc(grid.cells, sizeof *distance);
        test_random random = {number};
        for (int i = 0; i < 8 && wend_map_open_cells(map); i++) {
            wend_cell from = test_open_cell(map, &random), to = test_below(&random, grid.cells);
            if (i == 0) to = from;
            wend_cell cells[200] = {from};
            uint32_t steps = 0, diagonal[200] = {0};
            wend_direction move;
            while ((move = test_climb_move(&grid, cells[steps], to)) != WEND_NO_DIRECTION && steps < 199) {
                wend_cell next = test_next(&grid, cells[steps], move);
                CHECK(wend_climb_move(map, cells[steps], to) == move);
                CHECK(test_distance(&grid, next, to) < test_distance(&grid, cells[steps], to));
                steps++;
                cells[steps] = next, diagonal[steps] = diagonal[steps - 1] + (move & 1);
            }
            CHECK(wend_climb_move(map, cells[steps], to) == WEND_NO_DIRECTION);
            uint64_t before = 0;
            for (uint32_t cap = 0; cap <= steps + 2; cap++) {
                wend_climb_result result = wend_climb(map, from, to, cap);
                uint32_t made = cap < steps ? cap : steps;
                CHECK_THAT(result.end == cells[made] && result.reached == (cells[made] == to),
                           "after %u moves at %u, not %u", cap, result.end, cells[made]);
                CHECK(result.diagonal == diagonal[made] && result.straight == made - diagonal[made]);
                CHECK_THAT(result.operations >= before && result.operations <= 9 * ((uint64_t)cap + 1),
                           "%llu operations for %u moves", (unsigned long long)result.operations, cap);
                before = result.operations;
            }
            test_dijkstra(&grid, from, distance);
            if (cells[steps] == to)
                CHECK((steps - diagonal[steps]) * grid.straight + diagonal[steps] * grid.diagonal >=
                      distance[to]);
            wend_climb_result uncapped = wend_climb(map, from, to, UINT32_MAX);
            CHECK(uncapped.end == cells[steps]);
            if (!wend_map_is_open_cell(map, to)) CHECK(!uncapped.reached);
            test_case();
        }
        for (wend_cell wall = 0; wall < grid.cells; wall++) { /* nothing starts, or arrives, inside a wall */
            if (grid.open[wall]) continue;
            wend_climb_result result = wend_climb(map, wall, wall, 10);
            CHECK(!result.reached && result.end == wall && !result.straight && !result.diagonal);
            CHECK(wend_climb_move(map, wall, 0) == WEND_NO_DIRECTION);
        }
        free(distance);
        test_grid_free(&grid);
        wend_map_destroy(map);
    }
}

/* Without walls the climber walks an optimal path to anywhere. */
static void the_climber_is_optimal_without_walls(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, 17, 11, test_rules(rules), NULL, NULL);
        if (!CHECK(map != NULL)) return;
        for (wend_cell from = 0; from < 17 * 11; from += 5)
            for (wend_cell to = 0; to < 17 * 11; to++) {
                wend_climb_result result = wend_climb(map, from, to, 100);
                CHECK(result.reached && result.end == to);
                CHECK(result.straight * wend_map_move_cost(map, 0) +
                          result.diagonal * wend_map_move_cost(map, 1) ==
                      wend_map_distance(map, from, to));
            }
        test_case();
        wend_map_destroy(map);
    }
}

static void searches_see_edits_and_tables_grow_stale(void) {
    for (uint64_t number = 0; number < 240; number++) {
        test_random random = {number};
        bench b;
        test_shape shape = (test_shape)(number % TEST_SHAPES);
        if (bench_open(&b, test_map_make(shape, 5 + (int32_t)(number % 31), 21, test_rules((uint32_t)number),
                                         &random, NULL)))
            for (int i = 0; i < 6; i++) {
                wend_result result;
                wend_error error = {0};
                CHECK(test_map_edit_any(b.map, &random));
                wend_cell start = test_open_cell(b.map, &random);
                if (start == WEND_NO_CELL) continue;
                CHECK(wend_search_jps(b.search, b.jumps, start, start, &result, &error) == WEND_STALE);
                CHECK(error.status == WEND_STALE && error.message[0]);
                wend_jumps_destroy(b.jumps);
                b.jumps = NULL;
                if (!CHECK(wend_jumps_create(b.map, NULL, &b.jumps, NULL) == WEND_OK)) break;
                test_grid_free(&b.grid);
                b.grid = test_grid_of(b.map);
                test_dijkstra(&b.grid, start, b.distance);
                for (int j = 0; j < 3; j++) check_pair(&b, start, test_open_cell(b.map, &random));
                test_case();
            }
        bench_close(&b);
    }
}

/* A workspace that has served thousands of searches answers as a fresh one does, to the last counter; so the
 * stamps that stand for clearing it are right. */
static void old_workspaces_answer_as_new_ones(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules += 5) {
        test_random random = {rules};
        bench b;
        if (bench_open(&b, test_map_make(TEST_SHAPE_ROOMS, 31, 27, test_rules(rules), &random, NULL)))
            for (int i = 0; i < 2500; i++) {
                method how = (method)(i % METHODS);
                wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
                wend_result old_result, new_result, again;
                CHECK(run(&b, how, start, goal, &old_result, NULL) == WEND_OK);
                if (i % 25) continue;
                size_t count = wend_search_moves(b.search, b.moves, b.grid.cells);
                bench fresh = b;
                wend_search_options options = wend_default_search_options();
                if (!CHECK(wend_search_create(b.map, &options, &fresh.search, NULL) == WEND_OK)) break;
                CHECK(run(&fresh, how, start, goal, &new_result, NULL) == WEND_OK);
                wend_direction moves[31 * 27];
                CHECK(wend_search_moves(fresh.search, moves, 31 * 27) == count &&
                      memcmp(moves, b.moves, count) == 0);
                CHECK(run(&fresh, how, start, goal, &again, NULL) == WEND_OK);
                CHECK(same_result(&old_result, &new_result) && same_result(&new_result, &again));
                wend_search_destroy(fresh.search);
                test_case();
            }
        bench_close(&b);
    }
}

/* For every cap: memory stays under it, and the answer is the right one or 'out of memory'. */
static void a_cap_on_memory_is_an_outcome(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++)
        for (int how = 0; how < METHODS; how++) {
            test_random random = {rules + 77};
            bench b;
            if (bench_open(&b, test_map_make(TEST_SHAPE_ROOMS, 40, 40, test_rules(rules), &random, NULL))) {
                wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
                wend_result whole;
                CHECK(run(&b, (method)how, start, goal, &whole, NULL) == WEND_OK);
                size_t needed = wend_search_bytes(b.search);
                CHECK(wend_search_peak_bytes(b.search) <= needed && wend_search_peak_bytes(b.search) > 0);
                bool refused = false, answered = false;
                for (int share = 0; share <= 20; share++) {
                    test_memory memory = {0};
                    wend_search_options options = wend_default_search_options();
                    options.max_bytes = needed * (size_t)share / 20 + 1;
                    options.allocator = test_allocator(&memory);
                    bench capped = b;
                    wend_result result = {0};
                    wend_status status = wend_search_create(b.map, &options, &capped.search, NULL);
                    if (status == WEND_OK) {
                        status = run(&capped, (method)how, start, goal, &result, NULL);
                        CHECK(status == WEND_OK);
                        CHECK_THAT(memory.peak_bytes <= options.max_bytes, "%llu bytes taken, cap %zu",
                                   (unsigned long long)memory.peak_bytes, options.max_bytes);
                        CHECK(wend_search_bytes(capped.search) == memory.live_bytes);
                        if (result.found == WEND_OUT_OF_MEMORY) {
                            refused = true;
                            CHECK(result.cost == WEND_NO_COST &&
                                  wend_search_moves(capped.search, NULL, 0) == 0);
                        } else {
                            answered = true;
                            CHECK(same_result(&result, &whole));
                        }
                        wend_search_destroy(capped.search);
                    } else {
                        CHECK(status == WEND_NO_MEMORY);
                        refused = true;
                    }
                    CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
                    test_case();
                }
                CHECK_THAT(refused && answered, "caps from 1 byte to all that is needed: both outcomes");
            }
            bench_close(&b);
        }
}

/* Each request refused in turn, until none is: a status or an outcome, nothing leaked, and the same workspace
 * still gives the right answer afterwards. */
static void every_allocation_may_fail(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_random random = {rules + 3};
        bench b;
        if (bench_open(&b, test_map_make(TEST_SHAPE_SCATTERED, 40, 37, test_rules(rules), &random, NULL))) {
            wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
            wend_result whole[METHODS];
            for (int how = 0; how < METHODS; how++) run(&b, (method)how, start, goal, &whole[how], NULL);
            bool clean = false;
            for (uint64_t refuse = 1; refuse < 200 && !clean; refuse++) {
                test_memory memory = {.refuse_at = refuse};
                wend_allocator allocator = test_allocator(&memory);
                wend_search_options search_options = wend_default_search_options();
                search_options.allocator = allocator;
                wend_field_options field_options = wend_default_field_options();
                field_options.from = true, field_options.allocator = allocator;
                wend_error error = {0};
                wend_field *field = NULL;
                bench poor = b;
                poor.search = NULL, poor.jumps = NULL;
                wend_status status = wend_search_create(b.map, &search_options, &poor.search, &error);
                bool failed = status != WEND_OK;
                CHECK(failed ? status == WEND_NO_MEMORY && !poor.search : poor.search != NULL);
                status = wend_jumps_create(b.map, &allocator, &poor.jumps, &error);
                CHECK(status == WEND_OK ? poor.jumps != NULL : status == WEND_NO_MEMORY && !poor.jumps);
                failed = failed || status != WEND_OK;
                for (int how = 0; how < METHODS && poor.search && poor.jumps; how++) {
                    wend_result result;
                    status = run(&poor, (method)how, start, goal, &result, &error);
                    if (status != WEND_OK || result.found == WEND_OUT_OF_MEMORY) {
                        CHECK(status == WEND_OK || status == WEND_NO_MEMORY);
                        failed = true;
                        CHECK(run(&poor, (method)how, start, goal, &result, &error) == WEND_OK);
                    }
                    CHECK(same_result(&result, &whole[how]));
                }
                status = wend_field_create(b.map, &field_options, &field, &error);
                CHECK(status == WEND_OK ? field != NULL : status == WEND_NO_MEMORY && !field);
                failed = failed || status != WEND_OK;
                if (field) {
                    status = wend_field_compute(field, start, &error);
                    if (status != WEND_OK) {
                        CHECK(status == WEND_NO_MEMORY);
                        failed = true;
                        CHECK(wend_field_compute(field, start, &error) == WEND_OK);
                    }
                    test_dijkstra(&b.grid, start, b.distance);
                    CHECK(wend_field_cost(field, goal) == b.distance[goal]);
                    wend_field_destroy(field);
                }
                CHECK_THAT(failed == (memory.requests >= refuse), "request %llu was refused without a word",
                           (unsigned long long)refuse);
                wend_search_destroy(poor.search);
                wend_jumps_destroy(poor.jumps);
                CHECK_THAT(memory.live_blocks == 0 && memory.wrong_sizes == 0,
                           "request %llu refused: %llu blocks leaked, %llu released with a wrong size",
                           (unsigned long long)refuse, (unsigned long long)memory.live_blocks,
                           (unsigned long long)memory.wrong_sizes);
                clean = !failed;
                test_case();
            }
            CHECK_THAT(clean, "200 requests for one search");
        }
        bench_close(&b);
    }
}

/* What an object says it holds is what it took. */
static void sizes_are_what_was_taken(void) {
    test_random random = {5};
    wend_map *map = test_map_make(TEST_SHAPE_SCATTERED, 40, 40, wend_default_rules(), &random, NULL);
    if (!CHECK(map != NULL)) return;
    test_memory of_search = {0}, of_jumps = {0}, of_field = {0};
    wend_search_options search_options = wend_default_search_options();
    search_options.allocator = test_allocator(&of_search);
    wend_field_options field_options = wend_default_field_options();
    field_options.allocator = test_allocator(&of_field);
    wend_allocator for_jumps = test_allocator(&of_jumps);
    wend_search *search = NULL;
    wend_jumps *jumps = NULL;
    wend_field *field = NULL;
    if (CHECK(wend_search_create(map, &search_options, &search, NULL) == WEND_OK &&
              wend_jumps_create(map, &for_jumps, &jumps, NULL) == WEND_OK &&
              wend_field_create(map, &field_options, &field, NULL) == WEND_OK)) {
        for (int i = 0; i < 200; i++) {
            wend_cell start = test_open_cell(map, &random), goal = test_open_cell(map, &random);
            wend_result result;
            CHECK(wend_search_astar(search, start, goal, &result, NULL) == WEND_OK);
            CHECK(wend_search_bytes(search) == of_search.live_bytes);
            CHECK(wend_search_jps(search, jumps, start, goal, &result, NULL) == WEND_OK);
            CHECK(wend_search_bytes(search) == of_search.live_bytes);
            CHECK(wend_field_compute(field, start, NULL) == WEND_OK);
            CHECK(wend_field_bytes(field) == of_field.live_bytes);
            CHECK(wend_jumps_bytes(jumps) == of_jumps.live_bytes);
            test_case();
        }
        uint64_t warm = of_search.requests + of_field.requests;
        for (int i = 0; i < 200; i++) { /* memory is taken when first needed, and kept */
            wend_result result;
            CHECK(wend_search_astar(search, test_open_cell(map, &random), test_open_cell(map, &random),
                                    &result, NULL) == WEND_OK);
            CHECK(wend_field_compute(field, test_open_cell(map, &random), NULL) == WEND_OK);
        }
        CHECK_THAT(of_search.requests + of_field.requests <= warm + 2,
                   "warm searches go on asking for memory");
    }
    wend_search_destroy(search);
    wend_jumps_destroy(jumps);
    wend_field_destroy(field);
    wend_map_destroy(map);
}

/* One corridor folded up on 1301 x 1301 cells: a path whose cost does not fit into 32 bits. */
static void costs_beyond_32_bits_are_exact(void) {
    enum { SIDE = 1301 };
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    if (!CHECK(wend_map_create(SIDE, SIDE, &options, &map, NULL) == WEND_OK)) return;
    for (int32_t y = 0; y < SIDE; y += 2) {
        wend_map_edit(map, (wend_rect){0, y, SIDE, 1}, true, NULL);
        if (y + 1 < SIDE) wend_map_edit(map, (wend_rect){y / 2 % 2 ? 0 : SIDE - 1, y + 1, 1, 1}, true, NULL);
    }
    uint64_t moves = (uint64_t)(SIDE / 2 + 1) * (SIDE - 1) + (SIDE / 2) * 2;
    wend_cell goal = wend_map_cell(map, SIDE - 1, SIDE - 1);
    CHECK(moves * 5741 > UINT32_MAX && SIDE / 2 % 2 == 0);
    bench b;
    if (bench_open(&b, map)) {
        for (int how = 0; how < METHODS; how++) {
            wend_result result;
            CHECK(run(&b, (method)how, 0, goal, &result, NULL) == WEND_OK);
            CHECK_THAT(result.cost == moves * 5741 && result.straight == moves && !result.diagonal,
                       "%s: cost %llu, not %llu", method_names[how], (unsigned long long)result.cost,
                       (unsigned long long)moves * 5741);
            check_path(&b, 0, goal, &result, method_names[how]);
            test_case();
        }
        wend_field_options field_options = wend_default_field_options();
        wend_field *field = NULL;
        if (CHECK(wend_field_create(map, &field_options, &field, NULL) == WEND_OK)) {
            CHECK(wend_field_compute(field, 0, NULL) == WEND_OK);
            CHECK(wend_field_cost(field, goal) == moves * 5741 &&
                  wend_field_reached(field) == wend_map_open_cells(map));
            test_case();
        }
        wend_field_destroy(field);
    }
    bench_close(&b);
}

static const test tests[] = {
    {"costs agree with Dijkstra", costs_agree_with_dijkstra},
    {"all pairs of all tiny maps", all_pairs_of_all_tiny_maps},
    {"A* keeps the order of ties", astar_keeps_the_order_of_ties},
    {"bad ends are refused", bad_ends_are_refused},
    {"jumps of another map are refused", jumps_of_another_map_are_refused},
    {"fields are exact", fields_are_exact},
    {"fields refuse and follow edits", fields_refuse_and_follow_edits},
    {"the climber climbs", the_climber_climbs},
    {"the climber is optimal without walls", the_climber_is_optimal_without_walls},
    {"searches see edits and tables grow stale", searches_see_edits_and_tables_grow_stale},
    {"old workspaces answer as new ones", old_workspaces_answer_as_new_ones},
    {"a cap on memory is an outcome", a_cap_on_memory_is_an_outcome},
    {"every allocation may fail", every_allocation_may_fail},
    {"sizes are what was taken", sizes_are_what_was_taken},
    {"costs beyond 32 bits are exact", costs_beyond_32_bits_are_exact},
};

TEST_MAIN(tests)
