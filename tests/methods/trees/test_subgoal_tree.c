/* Subgoal trees of one goal against algorithm 2 written plainly, the example of figure 1, slices, edits. */
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/reference.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* Algorithm 2 over the reference's grid, with a queue that is searched through. */
typedef struct plain_tree {
    wend_cost *g, *g_sub;
    wend_cell *parent, *sub, *next; /* `next`: of nodes; WEND_NO_CELL */
    wend_cell *own;                 /* Sub of a cell before it became a subgoal itself */
    uint8_t *popped;
    uint32_t nodes;
} plain_tree;

static plain_tree plain_make(const test_grid *grid) {
    size_t n = grid->cells;
    return (plain_tree){.g = malloc(n * sizeof(wend_cost)),
                        .g_sub = malloc(n * sizeof(wend_cost)),
                        .parent = malloc(n * sizeof(wend_cell)),
                        .sub = malloc(n * sizeof(wend_cell)),
                        .next = malloc(n * sizeof(wend_cell)),
                        .own = malloc(n * sizeof(wend_cell)),
                        .popped = malloc(n)};
}

static void plain_free(plain_tree *t) {
    free(t->g), free(t->g_sub), free(t->parent), free(t->sub), free(t->next), free(t->own), free(t->popped);
}

static wend_cell pop(const test_grid *grid, plain_tree *t) {
    wend_cell best = WEND_NO_CELL;
    for (wend_cell cell = 0; cell < grid->cells; cell++)
        if (!t->popped[cell] && t->g[cell] != WEND_NO_COST &&
            (best == WEND_NO_CELL || t->g[cell] < t->g[best]))
            best = cell;
    if (best != WEND_NO_CELL) t->popped[best] = 1;
    return best;
}

/* Lines 18 to 20, of s. */
static void push_node(plain_tree *t, wend_cell s) {
    t->next[s] = t->sub[s];
    t->nodes++;
    t->g_sub[s] = 0, t->sub[s] = s;
}

/* One run of Dijkstra's algorithm. `parents`: the final ones are known; a cell is tested with those alone. */
static void plain_run(const test_grid *grid, wend_cell goal, bool pushed, bool parents, plain_tree *t) {
    for (wend_cell cell = 0; cell < grid->cells; cell++)
        t->g[cell] = WEND_NO_COST, t->next[cell] = t->own[cell] = WEND_NO_CELL, t->popped[cell] = 0;
    t->nodes = 0;
    t->g[goal] = t->g_sub[goal] = 0, t->sub[goal] = t->own[goal] = goal;
    for (wend_cell s; (s = pop(grid, t)) != WEND_NO_CELL;) {
        if (s != goal) {
            wend_cell p = t->parent[s];
            t->sub[s] = t->own[s] = t->sub[p];
            t->g_sub[s] = t->g_sub[p] + t->g[s] - t->g[p];
        }
        for (int d = 0; d < 8; d++) {
            wend_cell s2 = test_next(grid, s, d);
            wend_cost c = test_move_cost(grid, d);
            if (s2 == WEND_NO_CELL || t->g[s2] <= t->g[s] + c) continue;
            bool tested = pushed || (parents && t->parent[s2] == s);
            t->g[s2] = t->g[s] + c;
            if (!parents) t->parent[s2] = s;
            if (tested && t->g_sub[s] + c != test_distance(grid, s2, t->sub[s])) push_node(t, s);
        }
    }
}

static void plain_grow(const test_grid *grid, wend_cell goal, bool pushed, plain_tree *t) {
    plain_run(grid, goal, pushed, false, t);
    if (!pushed) plain_run(grid, goal, false, true, t);
}

static bool check_tree(const wend_tree *tree, const plain_tree *t, uint32_t cells, uint64_t number) {
    bool good = CHECK_THAT(wend_tree_nodes(tree) == t->nodes, "map %llu: %u nodes, not %u",
                           (unsigned long long)number, wend_tree_nodes(tree), t->nodes);
    for (wend_cell cell = 0; cell < cells && good; cell++) {
        good = CHECK(wend_tree_cost(tree, cell) == t->g[cell]);
        good &= CHECK_THAT(wend_tree_next(tree, cell) == t->next[cell], "map %llu: after %u comes %u, not %u",
                           (unsigned long long)number, cell, wend_tree_next(tree, cell), t->next[cell]);
        good &= CHECK_THAT(wend_tree_from(tree, cell) == t->own[cell], "map %llu: from %u to %u, not %u",
                           (unsigned long long)number, cell, wend_tree_from(tree, cell), t->own[cell]);
    }
    for (uint32_t i = 0; i < wend_tree_nodes(tree); i++)
        good &= CHECK(t->next[wend_tree_node(tree, i)] != WEND_NO_CELL);
    return good & CHECK(wend_tree_node(tree, wend_tree_nodes(tree)) == WEND_NO_CELL);
}

static wend_tree *make_tree(const wend_map *map, wend_tree_test when) {
    wend_tree_options options = wend_default_tree_options();
    wend_tree *tree = NULL;
    options.test = when;
    CHECK(wend_tree_create(map, &options, &tree, NULL) == WEND_OK);
    return tree;
}

/* Both variants are what the algorithm gives, cell by cell: each edge of the tree is where the test first
 * fails, and nothing else is in it. The two have the same distances, and `pushed` finds more nodes in all. */
static void trees_are_those_of_the_algorithm(void) {
    uint64_t nodes[2] = {0};
    for (uint64_t number = 0; number < 420; number++) {
        wend_map *map = test_map_any(number);
        if (!CHECK(map)) return;
        test_random random = {number};
        test_grid grid = test_grid_of(map);
        plain_tree t = plain_make(&grid);
        wend_cell goals[2] = {test_open_cell(map, &random), test_open_cell(map, &random)};
        for (int when = 0; when < 2 && wend_map_open_cells(map); when++) {
            wend_tree *tree = make_tree(map, (wend_tree_test)when);
            for (int i = 0; i < 2 && tree; i++) {
                wend_cell goal = goals[i];
                CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK && !wend_tree_is_whole(tree));
                CHECK(wend_tree_nodes(tree) == 0 && wend_tree_cost(tree, goal) == WEND_NO_COST);
                CHECK(wend_tree_grow(tree, UINT64_MAX) && wend_tree_goal(tree) == goal);
                plain_grow(&grid, goal, when == WEND_TREE_PUSHED, &t);
                if (!check_tree(tree, &t, grid.cells, number)) break;
                nodes[when] += t.nodes;
                test_case();
            }
            wend_tree_destroy(tree);
        }
        plain_free(&t);
        test_grid_free(&grid);
        wend_map_destroy(map);
    }
    CHECK_THAT(nodes[0] > 3000 && nodes[1] > nodes[0], "%llu nodes and %llu", (unsigned long long)nodes[0],
               (unsigned long long)nodes[1]);
}

/* The variants differ by nodes of `pushed` at which no test of a cell with its final parent fails: without
 * such nodes they are one tree, and the first of them, nearest to the goal, is none of `final`. */
static void variants_differ_by_early_tests_alone(void) {
    uint64_t same = 0, other = 0;
    for (uint64_t number = 0; number < 600; number++) {
        wend_map *map = test_map_any(3000 + number);
        test_random random = {number};
        wend_cell goal = map ? test_open_cell(map, &random) : WEND_NO_CELL;
        if (goal != WEND_NO_CELL) {
            wend_tree *final = make_tree(map, WEND_TREE_FINAL), *pushed = make_tree(map, WEND_TREE_PUSHED);
            test_grid grid = test_grid_of(map);
            bool differ = false;
            wend_cell first = WEND_NO_CELL;
            CHECK(wend_tree_begin(final, goal, NULL) == WEND_OK && wend_tree_grow(final, UINT64_MAX));
            CHECK(wend_tree_begin(pushed, goal, NULL) == WEND_OK && wend_tree_grow(pushed, UINT64_MAX));
            for (wend_cell cell = 0; cell < grid.cells; cell++) {
                wend_cell to = wend_tree_next(pushed, cell);
                bool needed = false;
                differ |= wend_tree_next(final, cell) != to;
                for (int d = 0; d < 8 && to != WEND_NO_CELL; d++) {
                    wend_cell next = test_next(&grid, cell, d);
                    needed |= next != WEND_NO_CELL && wend_tree_from(pushed, next) == cell &&
                              test_distance(&grid, next, to) + wend_tree_cost(pushed, to) !=
                                  wend_tree_cost(pushed, next);
                }
                if (to != WEND_NO_CELL && !needed &&
                    (first == WEND_NO_CELL || wend_tree_cost(pushed, cell) < wend_tree_cost(pushed, first)))
                    first = cell;
            }
            CHECK_THAT(differ == (first != WEND_NO_CELL), "map %llu", (unsigned long long)number);
            CHECK(first == WEND_NO_CELL || wend_tree_next(final, first) == WEND_NO_CELL);
            same += !differ, other += differ;
            test_grid_free(&grid);
            wend_tree_destroy(final);
            wend_tree_destroy(pushed);
            test_case();
        }
        wend_map_destroy(map);
    }
    CHECK_THAT(same > 300 && other > 10, "%llu alike, %llu not", (unsigned long long)same,
               (unsigned long long)other);
}

/* What docs and planners rely on, from the outside: a tree of shortest paths, each leg as long as without
 * walls, that ends at the goal. */
static void legs_are_as_long_as_without_walls(void) {
    for (uint64_t number = 0; number < 200; number++) {
        wend_map *map = test_map_any(5000 + number);
        test_random random = {number};
        wend_cell goal = map ? test_open_cell(map, &random) : WEND_NO_CELL;
        wend_tree *tree = goal != WEND_NO_CELL ? make_tree(map, (wend_tree_test)(number & 1)) : NULL;
        if (tree) {
            CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK && wend_tree_grow(tree, UINT64_MAX));
            for (wend_cell cell = 0; cell < wend_map_cells(map); cell++) {
                if (wend_tree_cost(tree, cell) == WEND_NO_COST) {
                    CHECK(wend_tree_from(tree, cell) == WEND_NO_CELL);
                    continue;
                }
                wend_cost sum = 0;
                wend_cell at = cell;
                for (uint32_t i = 0; i <= wend_tree_nodes(tree) && at != goal; i++) {
                    wend_cell to = wend_tree_from(tree, at);
                    CHECK(to == goal || wend_tree_next(tree, to) != WEND_NO_CELL);
                    sum += wend_map_distance(map, at, to);
                    at = to;
                }
                CHECK_THAT(at == goal && sum == wend_tree_cost(tree, cell), "map %llu, cell %u",
                           (unsigned long long)number, cell);
            }
            test_case();
        }
        wend_tree_destroy(tree);
        wend_map_destroy(map);
    }
}

/* Any slices give the same tree, within the operations of each; another goal in between is no matter. */
static void slices_make_the_same_tree(void) {
    for (uint64_t number = 0; number < 200; number++) {
        test_memory memory = {0};
        wend_map *map = test_map_any(7000 + number);
        test_random random = {number};
        wend_cell goal = map ? test_open_cell(map, &random) : WEND_NO_CELL;
        if (goal != WEND_NO_CELL) {
            wend_tree_options options = wend_default_tree_options();
            options.allocator = test_allocator(&memory);
            options.test = (wend_tree_test)(number & 1);
            wend_tree *tree = NULL;
            CHECK(wend_tree_create(map, &options, &tree, NULL) == WEND_OK);
            CHECK(wend_tree_bytes(tree) == memory.live_bytes);
            uint64_t requests = memory.requests, slice = 1 + test_below(&random, 200);
            test_grid grid = test_grid_of(map);
            plain_tree t = plain_make(&grid);
            CHECK(!wend_tree_grow(tree, UINT64_MAX)); /* there is no goal yet */
            for (int round = 0; round < 4; round++) {
                wend_cell passing = test_open_cell(map, &random);
                CHECK(wend_tree_begin(tree, passing, NULL) == WEND_OK);
                for (uint32_t i = test_below(&random, 30); i > 0; i--) (void)wend_tree_grow(tree, slice);
                CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK);
                uint64_t before = wend_tree_operations(tree), calls = 0;
                for (bool whole = false; !whole; calls++) {
                    uint64_t at = wend_tree_operations(tree);
                    whole = wend_tree_grow(tree, slice);
                    CHECK(wend_tree_operations(tree) - at <= slice + 100);
                    if (!CHECK(whole == wend_tree_is_whole(tree)) || calls > 1000000) break;
                }
                CHECK(wend_tree_operations(tree) - before <= (uint64_t)grid.cells * 100);
                plain_grow(&grid, goal, options.test == WEND_TREE_PUSHED, &t);
                if (!check_tree(tree, &t, grid.cells, number)) break;
                goal = passing;
            }
            CHECK(memory.requests == requests);
            plain_free(&t);
            test_grid_free(&grid);
            wend_tree_destroy(tree);
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            test_case();
        }
        wend_map_destroy(map);
    }
}

/* An edit makes it start over, whenever it comes. */
static void edits_make_it_start_over(void) {
    for (uint64_t number = 0; number < 120; number++) {
        test_random random = {number};
        wend_map *map =
            test_map_make(TEST_SHAPE_SCATTERED, 25, 21, test_rules((uint32_t)number), &random, NULL);
        if (!CHECK(map)) return;
        wend_tree *tree = make_tree(map, WEND_TREE_FINAL);
        wend_cell goal = test_open_cell(map, &random);
        if (goal != WEND_NO_CELL && tree && CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK)) {
            for (int i = 0; i < 6; i++) {
                (void)wend_tree_grow(tree, test_below(&random, 8000));
                CHECK(test_map_change_any(map, &random) && !wend_tree_is_whole(tree));
                if (!wend_map_is_open_cell(map, goal)) {
                    CHECK(!wend_tree_grow(tree, UINT64_MAX) && wend_tree_nodes(tree) == 0);
                    continue;
                }
                CHECK(wend_tree_grow(tree, UINT64_MAX));
                test_grid grid = test_grid_of(map);
                plain_tree t = plain_make(&grid);
                plain_grow(&grid, goal, false, &t);
                (void)check_tree(tree, &t, grid.cells, number);
                plain_free(&t);
                test_grid_free(&grid);
            }
        }
        wend_tree_destroy(tree);
        wend_map_destroy(map);
        test_case();
    }
}

/* Maps so large that costs need 64 bits: distances as a field has them, and exact legs. */
static void large_maps_have_wide_costs(void) {
    test_random random = {11};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 900, 850, wend_default_rules(), &random, NULL);
    wend_field_options options = wend_default_field_options();
    wend_field *field = NULL;
    wend_tree *tree = map ? make_tree(map, WEND_TREE_FINAL) : NULL;
    wend_cell goal = map ? test_open_cell(map, &random) : WEND_NO_CELL;
    if (CHECK(tree && goal != WEND_NO_CELL) &&
        CHECK(wend_field_create(map, &options, &field, NULL) == WEND_OK)) {
        CHECK(wend_tree_bytes(tree) > (size_t)wend_map_cells(map) * 29); /* the wide form */
        CHECK(wend_field_compute(field, goal, NULL) == WEND_OK);
        CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK && wend_tree_grow(tree, UINT64_MAX));
        for (wend_cell cell = 0; cell < wend_map_cells(map); cell++) {
            wend_cost cost = wend_tree_cost(tree, cell);
            wend_cell sub = wend_tree_from(tree, cell);
            if (!CHECK(cost == wend_field_cost(field, cell))) break;
            if (cost != WEND_NO_COST)
                CHECK(wend_map_distance(map, cell, sub) + wend_tree_cost(tree, sub) == cost);
        }
    }
    wend_field_destroy(field);
    wend_tree_destroy(tree);
    wend_map_destroy(map);
}

static void bad_arguments_are_refused(void) {
    test_random random = {5};
    wend_map *map = test_map_make(TEST_SHAPE_HALVES, 12, 9, wend_default_rules(), &random, NULL);
    wend_tree_options options = wend_default_tree_options(), none = {0};
    wend_tree *tree = NULL;
    wend_error error = {0};
    CHECK(wend_tree_create(NULL, &options, &tree, &error) == WEND_STATUS_BAD_ARGUMENT && error.message[0]);
    CHECK(wend_tree_create(map, &none, &tree, NULL) == WEND_STATUS_BAD_ARGUMENT && !tree);
    options.test = (wend_tree_test)2;
    CHECK(wend_tree_create(map, &options, &tree, NULL) == WEND_STATUS_BAD_ARGUMENT && !tree);
    options.test = WEND_TREE_FINAL;
    for (uint64_t at = 1; at <= 6; at++) {
        test_memory memory = {.refuse_at = at};
        options.allocator = test_allocator(&memory);
        CHECK(wend_tree_create(map, &options, &tree, &error) == WEND_STATUS_NO_MEMORY && !tree);
        CHECK(!memory.live_blocks);
        test_case();
    }
    options.allocator = (wend_allocator){0};
    CHECK(wend_tree_create(map, &options, &tree, NULL) == WEND_OK);
    CHECK(wend_tree_goal(tree) == WEND_NO_CELL && !wend_tree_is_whole(tree));
    CHECK(wend_tree_begin(tree, wend_map_cells(map), &error) == WEND_STATUS_OUTSIDE);
    for (wend_cell cell = 0; cell < wend_map_cells(map); cell++)
        CHECK(wend_tree_begin(tree, cell, NULL) ==
              (wend_map_is_open_cell(map, cell) ? WEND_OK : WEND_STATUS_BLOCKED));
    CHECK(wend_tree_begin(NULL, 0, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_tree_destroy(tree);
    wend_tree_destroy(NULL);
    wend_map_destroy(map);
}

/* Figure 1: rows A to G, columns 1 to 9, four directions. Its picture is not at hand; its text gives the goal
 * E6, the subgoals B3 and B8 whose parent is the goal, a third whose parent is one of the two, C8 as a child
 * of B8 that is 6 away but seems 4, and D2, from which the way leads over B3. The walls are drawn so that all
 * of that holds, in both variants. */
static void the_example_of_figure_1(void) {
    static const char *const rows[] = {
        ".........", /* A */
        ".........", /* B */
        "...@..@..", /* C */
        "...@..@..", /* D */
        "..@@..@..", /* E */
        "...@@@@..", /* F */
        ".........", /* G */
    };
    enum { WIDTH = 9, HEIGHT = sizeof rows / sizeof *rows };
#define AT(row, column) ((wend_cell)(((row) - 'A') * WIDTH + (column)-1))
    wend_map_options options = wend_default_map_options();
    options.rules.connect = 4;
    wend_map *map;
    if (!CHECK(wend_map_create(WIDTH, HEIGHT, &options, &map, NULL) == WEND_OK)) return;
    for (int32_t y = 0; y < HEIGHT; y++) CHECK(wend_map_set_row(map, y, rows[y], NULL) == WEND_OK);
    for (int when = 0; when < 2; when++) {
        wend_tree *tree = make_tree(map, (wend_tree_test)when);
        wend_cell goal = AT('E', 6);
        wend_cost move = wend_map_move_cost(map, 0);
        CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK && wend_tree_grow(tree, UINT64_MAX));
        CHECK_THAT(wend_tree_nodes(tree) == 3, "%u subgoals", wend_tree_nodes(tree));
        CHECK(wend_tree_next(tree, AT('F', 2)) == AT('B', 3));
        CHECK(wend_tree_next(tree, AT('B', 8)) == goal && wend_tree_next(tree, AT('B', 3)) == goal);
        CHECK(wend_tree_cost(tree, AT('C', 8)) == 6 * move && wend_tree_from(tree, AT('C', 8)) == AT('B', 8));
        CHECK(wend_map_distance(map, AT('C', 8), goal) == 4 * move);
        CHECK(wend_tree_from(tree, AT('D', 2)) == AT('B', 3));
        CHECK(wend_map_distance(map, AT('D', 2), AT('B', 3)) == 3 * move);
        CHECK(wend_tree_cost(tree, AT('D', 2)) == 9 * move);
        wend_tree_destroy(tree);
        test_case();
    }
    wend_map_destroy(map);
}

static const test tests[] = {
    {"trees are those of the algorithm", trees_are_those_of_the_algorithm},
    {"variants differ by early tests alone", variants_differ_by_early_tests_alone},
    {"legs are as long as without walls", legs_are_as_long_as_without_walls},
    {"slices make the same tree", slices_make_the_same_tree},
    {"edits make it start over", edits_make_it_start_over},
    {"large maps have wide costs", large_maps_have_wide_costs},
    {"bad arguments are refused", bad_arguments_are_refused},
    {"the example of figure 1", the_example_of_figure_1},
};
TEST_MAIN(tests)
