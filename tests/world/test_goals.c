/* What can be reached: held against a flood fill of the map, or of the map without an area. */
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/reference.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static wend_world *world_of(const wend_map *map, bool editable) {
    wend_world_options options = wend_default_world_options();
    options.editable = editable;
    options.touch_bytes = 0;
    wend_world *world = NULL;
    CHECK(wend_world_create(map, &options, &world, NULL) == WEND_OK);
    return world;
}

/* Any cell, now and then one outside. */
static wend_cell any_cell(const wend_map *map, test_random *random) {
    if (!test_below(random, 40)) return test_below(random, 2) ? WEND_NO_CELL : wend_map_cells(map);
    wend_cell open = test_below(random, 4) ? test_open_cell(map, random) : WEND_NO_CELL;
    return open != WEND_NO_CELL ? open : test_below(random, wend_map_cells(map));
}

/* Mostly small, now and then beyond the map. */
static wend_rect any_area(const wend_map *map, test_random *random) {
    bool large = !test_below(random, 6);
    uint32_t width = (uint32_t)wend_map_width(map), height = (uint32_t)wend_map_height(map);
    return (wend_rect){(int32_t)test_below(random, width + 2) - 1,
                       (int32_t)test_below(random, height + 2) - 1,
                       (int32_t)test_below(random, large ? width + 2 : 4),
                       (int32_t)test_below(random, large ? height + 2 : 4)};
}

static bool flood_joins(const test_grid *grid, uint8_t *reached, wend_cell a, wend_cell b) {
    if (a >= grid->cells || b >= grid->cells || !grid->open[a] || !grid->open[b]) return false;
    (void)test_flood(grid, a, reached);
    return reached[b];
}

static wend_answer judged(bool joined) {
    return joined ? WEND_ANSWER_YES : WEND_ANSWER_NO;
}

static void close_in(test_grid *grid, wend_rect area) {
    for (int64_t y = area.y; y < (int64_t)area.y + area.height; y++)
        for (int64_t x = area.x; x < (int64_t)area.x + area.width; x++)
            if (x >= 0 && y >= 0 && x < grid->width && y < grid->height) grid->open[y * grid->width + x] = 0;
}

/* Some questions about the map as it is; returns how many say that an area would cut something off. */
static uint32_t ask(wend_world *world, test_random *random) {
    const wend_map *map = wend_world_map(world);
    uint64_t revision = wend_map_revision(map), before = wend_map_fingerprint(map);
    uint32_t cuts = 0;
    uint8_t *reached = malloc(wend_map_cells(map));
    for (int i = 0; i < 6; i++) {
        test_grid grid = test_grid_of(map);
        wend_rect area = any_area(map, random);
        wend_cell a[3], b[3];
        bool joined[3];
        for (int j = 0; j < 3; j++) {
            a[j] = any_cell(map, random), b[j] = any_cell(map, random);
            joined[j] = flood_joins(&grid, reached, a[j], b[j]);
            wend_answer answer = wend_world_reaches(world, a[j], b[j]);
            CHECK(answer == judged(joined[j]) ||
                  (answer == WEND_ANSWER_UNKNOWN && !wend_world_settle(world, 0)));
        }
        close_in(&grid, area);
        for (int j = 0; j < 3; j++) {
            bool would = flood_joins(&grid, reached, a[j], b[j]);
            CHECK(wend_world_reaches_without(world, area, a[j], b[j]) == judged(would));
            cuts += joined[j] && !would;
        }
        test_grid_free(&grid);
    }
    CHECK(wend_map_revision(map) == revision && wend_map_fingerprint(map) == before);
    free(reached);
    return cuts;
}

static void reaches_what_a_flood_reaches(void) {
    uint32_t cuts = 0;
    for (uint64_t number = 0; number < test_some(4000); number++) {
        wend_map *map = test_map_any(number);
        test_random random = {number};
        wend_world *world = map ? world_of(map, false) : NULL;
        if (world) cuts += ask(world, &random);
        wend_world_destroy(world);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(cuts >= test_some(600), "%u areas cut something off", cuts);
    test_case();
}

/* With edits in between, some settled and some not, and so many at a time that they are not all kept. */
static void follows_edits(void) {
    uint32_t cuts = 0, unknown = 0;
    for (uint64_t number = 0; number < test_some(400); number++) {
        wend_map *map = test_map_any(number);
        test_random random = {number};
        wend_world *world = map ? world_of(map, true) : NULL;
        for (int i = 0; world && i < 8; i++) {
            const wend_rect all = {0, 0, wend_map_width(map), wend_map_height(map)};
            for (int j = i == 5 ? 8 : 0; j > 0; j--)
                CHECK(wend_world_edit(world, all, j % 2, NULL) == WEND_OK);
            for (int j = 0; j < 5; j++) {
                wend_rect area = any_area(map, &random);
                (void)wend_world_edit(world, area, test_below(&random, 2), NULL);
            }
            bool settled = wend_world_settle(world, test_below(&random, 2) ? UINT64_MAX : 3);
            wend_cell open = test_open_cell(wend_world_map(world), &random), found = 0;
            if (!settled && open != WEND_NO_CELL) {
                unknown++;
                CHECK(wend_world_nearest(world, open, 0, &found) == WEND_ANSWER_UNKNOWN &&
                      found == WEND_NO_CELL);
            }
            cuts += ask(world, &random);
        }
        wend_world_destroy(world);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(cuts >= test_some(100) && unknown >= test_some(100), "%u cut off, %u unknown", cuts, unknown);
    test_case();
}

/* By a look at every cell. */
static wend_cell judged_nearest(const test_grid *grid, uint8_t *reached, wend_cell from, wend_cell goal) {
    wend_cell best = WEND_NO_CELL;
    (void)test_flood(grid, from, reached);
    for (wend_cell cell = 0; cell < grid->cells; cell++)
        if (reached[cell] &&
            (best == WEND_NO_CELL || test_distance(grid, cell, goal) < test_distance(grid, best, goal)))
            best = cell;
    return best;
}

static void nearest_is_that_of_all_cells(void) {
    uint32_t others = 0;
    for (uint64_t number = 0; number < test_some(3000); number++) {
        wend_map *map = test_map_any(number);
        test_random random = {number};
        wend_world *world = map ? world_of(map, false) : NULL;
        test_grid grid = {0};
        if (world) grid = test_grid_of(map);
        uint8_t *reached = malloc(grid.cells + 1);
        for (int i = 0; world && i < 4; i++) {
            wend_cell from = any_cell(map, &random), goal = any_cell(map, &random), found = 0;
            if (goal < grid.cells && test_below(&random, 2)) goal = test_below(&random, grid.cells);
            wend_answer answer = wend_world_nearest(world, from, goal, &found);
            bool good = from < grid.cells && grid.open[from] && goal < grid.cells;
            CHECK(answer == judged(good));
            wend_cell best = good ? judged_nearest(&grid, reached, from, goal) : WEND_NO_CELL;
            CHECK_THAT(found == best, "map %u: from %u to %u: %u, not %u", (unsigned)number, from, goal,
                       found, best);
            others += good && found != goal;
        }
        free(reached);
        test_grid_free(&grid);
        wend_world_destroy(world);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(others >= test_some(1000), "%u goals out of reach", others);
    test_case();
}

/* Bodies: whether the map of the size, edited as the fleet's, joins the two. */
static void fleets_ask_by_body_size(void) {
    uint32_t cuts = 0;
    for (uint64_t number = 0; number < test_some(300); number++) {
        wend_map *map = test_map_any(number), *twin = NULL;
        test_random random = {number};
        wend_fleet_options options = wend_default_fleet_options();
        options.editable = true, options.max_body = 3, options.touch_bytes = 0, options.max_members = 1;
        wend_fleet *fleet = NULL;
        if (!map || !CHECK(wend_fleet_create(map, &options, &fleet, NULL) == WEND_OK) ||
            !CHECK(wend_map_copy(map, &twin, NULL) == WEND_OK))
            break;
        for (int i = 0; i < 10; i++) {
            wend_rect edit = any_area(map, &random), area = any_area(map, &random);
            bool open = test_below(&random, 2);
            CHECK(wend_fleet_edit(fleet, edit, open, NULL) == wend_map_edit(twin, edit, open, NULL));
            wend_map *without = NULL;
            CHECK(wend_map_copy(twin, &without, NULL) == WEND_OK);
            test_grid grid = test_grid_of(without);
            close_in(&grid, area);
            for (wend_cell cell = 0; cell < grid.cells; cell++) {
                wend_xy at = wend_map_xy(without, cell);
                if (!grid.open[cell])
                    CHECK(wend_map_edit(without, (wend_rect){at.x, at.y, 1, 1}, false, NULL) == WEND_OK);
            }
            test_grid_free(&grid);
            for (int32_t body = 1; body <= 3; body++) {
                wend_map *clear = NULL;
                CHECK(wend_map_for_body(without, body, &clear, NULL) == WEND_OK);
                grid = test_grid_of(clear);
                uint8_t *reached = malloc(grid.cells);
                wend_cell a = test_open_cell(wend_fleet_map(fleet, body), &random),
                          b = any_cell(clear, &random);
                bool would = flood_joins(&grid, reached, a, b);
                CHECK(wend_fleet_reaches_without(fleet, body, area, a, b) == judged(would));
                wend_answer now = wend_fleet_reaches(fleet, body, a, b);
                CHECK(!would || now != WEND_ANSWER_NO);
                cuts += !would && now == WEND_ANSWER_YES;
                free(reached);
                test_grid_free(&grid);
                wend_map_destroy(clear);
            }
            wend_map_destroy(without);
            (void)wend_world_settle(wend_fleet_world(fleet, 1 + i % 3), UINT64_MAX);
        }
        CHECK(wend_fleet_reaches(fleet, 4, 0, 0) == WEND_ANSWER_UNKNOWN);
        wend_fleet_destroy(fleet);
        wend_map_destroy(twin);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(cuts >= test_some(100), "%u areas cut something off", cuts);
    test_case();
}

/* The copy is made when it is needed, is counted, and goes with the world. */
static void memory_of_the_copy(void) {
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 64, 64, wend_default_rules(), &random, NULL);
    test_memory memory = {0};
    for (uint64_t refuse = 0; refuse < 40; refuse++) {
        wend_world_options options = wend_default_world_options();
        options.allocator = test_allocator(&memory);
        options.touch_bytes = 0;
        wend_world *world = NULL;
        memory = (test_memory){0};
        if (!CHECK(wend_world_create(map, &options, &world, NULL) == WEND_OK)) break;
        size_t bytes = wend_world_bytes(world);
        CHECK(wend_world_reaches_without(world, (wend_rect){10, 10, 4, 4}, 0, 4095) == WEND_ANSWER_YES);
        CHECK(wend_world_bytes(world) == bytes); /* the cells around the area showed it */
        memory.refuse_at = memory.requests + 1 + refuse;
        const wend_rect wall = {30, 0, 1, 64};
        wend_answer answer = wend_world_reaches_without(world, wall, 0, 4095);
        CHECK(answer == WEND_ANSWER_NO ||
              (answer == WEND_ANSWER_UNKNOWN && wend_world_bytes(world) == bytes));
        if (answer == WEND_ANSWER_NO)
            CHECK(wend_world_bytes(world) > bytes && memory.live_bytes == wend_world_bytes(world));
        CHECK(refuse < 39 || answer == WEND_ANSWER_NO);
        uint64_t requests = memory.requests;
        if (answer == WEND_ANSWER_NO)
            CHECK(wend_world_reaches_without(world, (wend_rect){30, 0, 1, 63}, 0, 4095) == WEND_ANSWER_YES &&
                  memory.requests == requests);
        wend_world_destroy(world);
        CHECK(memory.live_bytes == 0 && !memory.wrong_sizes);
        test_case();
    }
    wend_map_destroy(map);
}

static const test tests[] = {
    {"reaches_what_a_flood_reaches", reaches_what_a_flood_reaches},
    {"follows_edits", follows_edits},
    {"nearest_is_that_of_all_cells", nearest_is_that_of_all_cells},
    {"fleets_ask_by_body_size", fleets_ask_by_body_size},
    {"memory_of_the_copy", memory_of_the_copy},
};
TEST_MAIN(tests)
