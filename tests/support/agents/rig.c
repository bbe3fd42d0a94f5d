#include "support/agents/rig.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

bool test_rig_open(test_rig *rig, wend_map *map) {
    memset(rig, 0, sizeof *rig);
    if (!CHECK_THAT(map != NULL, "the map can't be made")) return false;
    rig->map = map, rig->grid = test_grid_of(map);
    wend_search_options options = wend_default_search_options();
    wend_error error = {0};
    bool good =
        CHECK_THAT(wend_search_create(map, &options, &rig->search, &error) == WEND_OK, "%s", error.message) &&
        CHECK_THAT(wend_jumps_create(map, NULL, &rig->jumps, &error) == WEND_OK, "%s", error.message);
    rig->distance = calloc(rig->grid.cells, sizeof *rig->distance);
    rig->moves = calloc((size_t)rig->grid.cells + 1, sizeof *rig->moves);
    rig->path = calloc((size_t)rig->grid.cells + 2, sizeof *rig->path);
    return CHECK(rig->distance && rig->moves && rig->path) && good;
}

void test_rig_close(test_rig *rig) {
    free(rig->distance), free(rig->moves), free(rig->path);
    if (rig->grid.open) test_grid_free(&rig->grid);
    wend_jumps_destroy(rig->jumps);
    wend_search_destroy(rig->search);
    wend_map_destroy(rig->map);
}

const char *const test_method_names[TEST_METHODS] = {"astar", "jps", "find"};

wend_status test_rig_run(const test_rig *rig, test_method how, wend_cell start, wend_cell goal,
                         wend_result *result, wend_error *error) {
    const uint32_t cells = wend_map_cells(rig->map);
    const wend_xy outside = {-1, -1};
    if (how == TEST_ASTAR) return wend_search_astar(rig->search, start, goal, result, error);
    if (how == TEST_JPS) return wend_search_jps(rig->search, rig->jumps, start, goal, result, error);
    return wend_search_find(rig->search, start < cells ? wend_map_xy(rig->map, start) : outside,
                            goal < cells ? wend_map_xy(rig->map, goal) : outside, NULL, 0, result, error);
}

bool test_same_result(const wend_result *a, const wend_result *b) {
    return a->found == b->found && a->cost == b->cost && a->straight == b->straight &&
           a->diagonal == b->diagonal && a->expansions == b->expansions && a->operations == b->operations;
}

void test_check_path(const test_rig *rig, wend_cell start, wend_cell goal, const wend_result *result,
                     const char *who) {
    size_t count = wend_search_moves(rig->search, NULL, 0);
    if (result->found != WEND_FOUND_PATH) {
        CHECK_THAT(count == 0 && wend_search_path(rig->search, rig->path, rig->grid.cells) == 0,
                   "%s: a path where none was found", who);
        CHECK_THAT(result->cost == WEND_NO_COST && !result->straight && !result->diagonal,
                   "%s: a cost where none was found", who);
        return;
    }
    if (!CHECK_THAT(count == result->straight + result->diagonal && count < rig->grid.cells,
                    "%s: %zu moves, counted as %llu + %llu", who, count, (unsigned long long)result->straight,
                    (unsigned long long)result->diagonal))
        return;
    CHECK(wend_search_moves(rig->search, rig->moves, count) == count);
    CHECK(wend_search_path(rig->search, NULL, 0) == count + 1);
    CHECK(wend_search_path(rig->search, rig->path, count + 1) == count + 1);
    uint64_t straight = 0, diagonal = 0;
    wend_cell cell = start;
    for (size_t i = 0; i < count; i++) {
        CHECK_THAT(rig->path[i] == cell, "%s: cell %zu of the path is not where its moves lead", who, i);
        if (!CHECK_THAT(rig->moves[i] < 8, "%s: %u is no direction", who, rig->moves[i])) return;
        cell = test_next(&rig->grid, cell, rig->moves[i]);
        if (!CHECK_THAT(cell != WEND_NO_CELL, "%s: move %zu is illegal", who, i)) return;
        if (rig->moves[i] % 2)
            diagonal++;
        else
            straight++;
    }
    CHECK_THAT(cell == goal && rig->path[count] == goal, "%s: ends at %u, not at the goal %u", who, cell,
               goal);
    CHECK_THAT(straight == result->straight && diagonal == result->diagonal, "%s: moves counted wrong", who);
    CHECK_THAT(straight * rig->grid.straight + diagonal * rig->grid.diagonal == result->cost,
               "%s: the cost is not that of the moves", who);

    size_t some = count / 2; /* the first ones, and nothing behind them */
    wend_direction first_moves[1700];
    wend_cell first_cells[1700];
    if (some >= sizeof first_moves) return;
    memset(first_moves, 0x5a, sizeof first_moves), memset(first_cells, 0x5a, sizeof first_cells);
    CHECK(wend_search_moves(rig->search, first_moves, some) == count);
    CHECK(wend_search_path(rig->search, first_cells, some) == count + 1);
    CHECK_THAT(memcmp(first_moves, rig->moves, some) == 0 && first_moves[some] == 0x5a,
               "%s: the first moves are not those of the whole", who);
    CHECK_THAT(memcmp(first_cells, rig->path, some * sizeof *first_cells) == 0 &&
                   first_cells[some] == 0x5a5a5a5a,
               "%s: the first cells are not those of the whole", who);
}

/* Whatever the order of ties, A* with a consistent heuristic expands every cell whose f is below the cost,
 * and none whose f is above. */
static void check_expansions(const test_rig *rig, wend_cell goal, const wend_result *result) {
    uint64_t below = 0, equal = 0;
    for (wend_cell cell = 0; cell < rig->grid.cells; cell++) {
        if (rig->distance[cell] == WEND_NO_COST) continue;
        wend_cost f = rig->distance[cell] + test_distance(&rig->grid, cell, goal);
        below += f < result->cost, equal += f == result->cost;
    }
    CHECK_THAT(result->expansions >= below && result->expansions <= below + equal,
               "%llu expansions; %llu cells have an f below the cost, %llu have the same",
               (unsigned long long)result->expansions, (unsigned long long)below, (unsigned long long)equal);
}

void test_check_pair(const test_rig *rig, wend_cell start, wend_cell goal) {
    for (int how = 0; how < TEST_METHODS; how++) {
        wend_result result;
        wend_error error = {0};
        wend_status status = test_rig_run(rig, (test_method)how, start, goal, &result, &error);
        if (!CHECK_THAT(status == WEND_OK, "%s: %s", test_method_names[how], error.message)) continue;
        wend_cost expected = rig->distance[goal];
        CHECK_THAT((result.found == WEND_FOUND_PATH) == (expected != WEND_NO_COST) &&
                       result.found != WEND_FOUND_OUT_OF_MEMORY && result.cost == expected,
                   "%s: %ux%u connect %d corners %d diagonal %d, %u to %u: cost %lld, not %lld",
                   test_method_names[how], (unsigned)rig->grid.width, (unsigned)rig->grid.height,
                   rig->grid.rules.connect, (int)rig->grid.rules.corners, (int)rig->grid.rules.diagonal,
                   start, goal, (long long)result.cost, (long long)expected);
        test_check_path(rig, start, goal, &result, test_method_names[how]);
        if (how == TEST_ASTAR) check_expansions(rig, goal, &result);
    }
}
