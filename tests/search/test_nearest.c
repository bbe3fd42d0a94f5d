/* Paths to the nearest of several goals, and to areas: as near as Dijkstra says, legal, and where they end. */
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/reference.h"

#include <stdlib.h>
#include <wend/wend.h>

enum { MOST_GOALS = 12 };

static wend_xy any_place(const wend_map *map, test_random *random) {
    wend_xy at = {(int32_t)test_below(random, (uint32_t)wend_map_width(map) + 2) - 1,
                  (int32_t)test_below(random, (uint32_t)wend_map_height(map) + 2) - 1};
    wend_cell open = test_below(random, 3) ? test_open_cell(map, random) : WEND_NO_CELL;
    return open == WEND_NO_CELL ? at : wend_map_xy(map, open);
}

/* A path from the start, of the cost that it says; its last cell. */
static wend_xy walked(const test_grid *grid, const wend_map *map, wend_xy start, const wend_xy *path,
                      const wend_result *result) {
    wend_cost cost = 0;
    CHECK(result->path_cells == result->straight + result->diagonal + 1);
    CHECK(path[0].x == start.x && path[0].y == start.y);
    for (uint64_t i = 1; i < result->path_cells; i++) {
        wend_cell before = wend_map_cell(map, path[i - 1].x, path[i - 1].y), next = WEND_NO_CELL;
        int d = 0;
        while (d < 8 && (next = test_next(grid, before, d)) != wend_map_cell(map, path[i].x, path[i].y)) d++;
        if (!CHECK(d < 8)) break;
        cost += test_move_cost(grid, d);
    }
    CHECK(cost == result->cost);
    return path[result->path_cells - 1];
}

static void nearest_by_path(void) {
    uint32_t found = 0, none = 0;
    for (uint64_t number = 0; number < test_some(3000); number++) {
        wend_map *map = test_map_any(number);
        test_random random = {number};
        wend_search *search = NULL;
        if (!CHECK(map != NULL) || !CHECK(wend_search_create(map, NULL, &search, NULL) == WEND_OK)) break;
        test_grid grid = test_grid_of(map);
        wend_cost *far = malloc(grid.cells * sizeof *far);
        wend_xy *path = malloc(grid.cells * sizeof *path), goals[MOST_GOALS];
        for (int i = 0; i < 4; i++) {
            const wend_xy start = any_place(map, &random);
            const wend_cell from = wend_map_cell(map, start.x, start.y);
            const bool sound = from != WEND_NO_CELL && grid.open[from];
            if (sound) test_dijkstra(&grid, from, far);
            const bool by_area = i % 2;
            const size_t count = by_area ? 0 : 1 + test_below(&random, MOST_GOALS);
            const wend_xy corner = any_place(map, &random);
            const wend_rect area = {corner.x, corner.y, 1 + (int32_t)test_below(&random, 9),
                                    1 + (int32_t)test_below(&random, 9)};
            for (size_t j = 0; j < count; j++) goals[j] = any_place(map, &random);
            /* The judge looks at every cell. */
            wend_cost least = WEND_NO_COST;
            bool open = false;
            for (wend_cell cell = 0; cell < grid.cells; cell++) {
                wend_xy at = wend_map_xy(map, cell);
                bool is_goal = by_area && at.x >= area.x && at.y >= area.y && at.x < area.x + area.width &&
                               at.y < area.y + area.height;
                for (size_t j = 0; j < count; j++)
                    is_goal = is_goal || (goals[j].x == at.x && goals[j].y == at.y);
                if (!is_goal || !grid.open[cell]) continue;
                open = true;
                if (sound && far[cell] < least) least = far[cell];
            }
            wend_result result = {.cost = 0};
            wend_status status =
                by_area ? wend_search_find_area(search, start, area, path, grid.cells, &result, NULL)
                        : wend_search_find_any(search, start, goals, count, path, grid.cells, &result, NULL);
            if (!sound || !open) {
                CHECK(status != WEND_OK || (by_area && result.found == WEND_FOUND_UNREACHABLE));
                continue;
            }
            /* An area with open cells inside blocked borders has none that can be reached from outside. */
            if (by_area && status == WEND_STATUS_BLOCKED) {
                CHECK(least == WEND_NO_COST);
                continue;
            }
            if (!CHECK(status == WEND_OK)) continue;
            CHECK_THAT(result.cost == least, "map %u: %llu, not %llu", (unsigned)number,
                       (unsigned long long)result.cost, (unsigned long long)least);
            CHECK((result.found == WEND_FOUND_PATH) == (least != WEND_NO_COST));
            CHECK(wend_search_moves(search, NULL, 0) == 0);
            if (result.found != WEND_FOUND_PATH) {
                none++;
                continue;
            }
            found++;
            wend_xy end = walked(&grid, map, start, path, &result);
            bool meant = by_area && end.x >= area.x && end.y >= area.y && end.x < area.x + area.width &&
                         end.y < area.y + area.height;
            for (size_t j = 0; j < count; j++) meant = meant || (goals[j].x == end.x && goals[j].y == end.y);
            CHECK(meant);
            wend_xy few[2] = {{-1, -1}, {-1, -1}};
            CHECK(by_area ||
                  wend_search_find_any(search, start, goals, count, few, 1, &result, NULL) == WEND_OK);
            CHECK(few[1].x == -1);
        }
        free(path), free(far);
        test_grid_free(&grid);
        wend_search_destroy(search);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(found >= test_some(3000) && none >= test_some(100), "%u found, %u without a way", found, none);
    test_case();
}

/* More goals than the queue has room for at first; a cap; and what is refused. */
static void many_goals(void) {
    test_random random = {5};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 100, 100, wend_default_rules(), &random, NULL);
    wend_search *search = NULL;
    wend_result result = {.cost = 0};
    wend_xy *goals = malloc(9900 * sizeof *goals), path[4];
    for (int i = 0; i < 9900; i++) goals[i] = (wend_xy){i % 99, i / 99};
    CHECK(wend_search_create(map, NULL, &search, NULL) == WEND_OK);
    CHECK(wend_search_find_any(search, (wend_xy){99, 50}, goals, 9900, path, 4, &result, NULL) == WEND_OK);
    CHECK(result.path_cells == 2 && path[1].x == 98 && path[1].y == 50);
    CHECK(wend_search_find_any(search, (wend_xy){99, 50}, goals, 0, path, 4, &result, NULL) ==
          WEND_STATUS_BLOCKED);
    CHECK(wend_search_find_any(search, (wend_xy){100, 50}, goals, 9, path, 4, &result, NULL) ==
          WEND_STATUS_OUTSIDE);
    CHECK(wend_search_find_any(search, (wend_xy){0, 0}, NULL, 9, path, 4, &result, NULL) ==
          WEND_STATUS_BAD_ARGUMENT);
    const wend_rect beyond = {100, 0, INT32_MAX, 5}, most = {-5, -5, INT32_MAX, 15};
    CHECK(wend_search_find_area(search, (wend_xy){5, 50}, beyond, path, 4, &result, NULL) ==
          WEND_STATUS_OUTSIDE);
    CHECK(wend_search_find_area(search, (wend_xy){5, 50}, most, NULL, 0, &result, NULL) == WEND_OK);
    CHECK(result.path_cells == 42);
    CHECK(wend_search_find_area(search, (wend_xy){5, 5}, most, path, 4, &result, NULL) == WEND_OK);
    CHECK(result.path_cells == 1 && result.cost == 0);
    wend_search_destroy(search);
    wend_search_options options = wend_default_search_options();
    options.max_bytes = 150000; /* the records fit, a queue for all goals does not */
    CHECK(wend_search_create(map, &options, &search, NULL) == WEND_OK);
    CHECK(wend_search_find_any(search, (wend_xy){99, 50}, goals, 9900, path, 4, &result, NULL) == WEND_OK);
    CHECK(result.found == WEND_FOUND_OUT_OF_MEMORY);
    wend_search_destroy(search);
    free(goals);
    wend_map_destroy(map);
    test_case();
}

static const test tests[] = {
    {"nearest_by_path", nearest_by_path},
    {"many_goals", many_goals},
};
TEST_MAIN(tests)
