/* One-to-all fields and the hill-climber against plain references. */
#include "support/agents/rig.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* Every cell of every field, and both kinds of move sets, against distances alone. */
static void fields_are_exact(void) {
    for (uint64_t number = 9000; number < 9400; number++) {
        test_rig b;
        wend_field *field = NULL;
        wend_field_options options = wend_default_field_options();
        CHECK(options.towards && !options.from);
        options.from = true;
        if (test_rig_open(&b, test_map_any(number)) && wend_map_open_cells(b.map) &&
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
        test_rig_close(&b);
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
            CHECK(wend_field_compute(field, wend_map_cells(map), &error) == WEND_STATUS_OUTSIDE &&
                  error.message[0]);
            CHECK(wend_field_compute(field, WEND_NO_CELL, &error) == WEND_STATUS_OUTSIDE);
            for (int i = 0; i < 5; i++) {
                CHECK(test_map_edit_any(map, &random));
                wend_cell root = test_below(&random, wend_map_cells(map));
                wend_status status = wend_field_compute(field, root, NULL);
                if (!wend_map_is_open_cell(map, root)) {
                    CHECK(status == WEND_STATUS_BLOCKED);
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
    CHECK(wend_field_create(map, &options, &field, NULL) == WEND_STATUS_BAD_ARGUMENT && !field);
    options = wend_default_field_options();
    CHECK(wend_field_create(NULL, &options, &field, NULL) == WEND_STATUS_BAD_ARGUMENT && !field);
    CHECK(wend_field_create(map, &options, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_map_destroy(map);
}

/* The climber, one move after another and as a whole, against the reference. It keeps the bounds that its
 * users build on: the distance left falls with every move, so no cell is seen twice, and the cap holds. */
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
            while (steps < 199 && (move = test_climb_move(&grid, cells[steps], to)) != WEND_NO_DIRECTION) {
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

static const test tests[] = {
    {"fields are exact", fields_are_exact},
    {"fields refuse and follow edits", fields_refuse_and_follow_edits},
    {"the climber climbs", the_climber_climbs},
    {"the climber is optimal without walls", the_climber_is_optimal_without_walls},
};

TEST_MAIN(tests)
