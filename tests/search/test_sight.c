/* Line of sight and smoothed paths, judged by geometry of their own: each blocked cell by itself against the
 * whole leg, with fractions in whole numbers. */
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <wend/search.h>

/* An open interval of t = number / size, size > 0. */
typedef struct interval {
    int64_t from, to, size;
} interval;

/* Where along the leg (t from 0 to 1) |start + t * by - at| < reach, in halves of a cell. False: nowhere. */
static bool near_along(int64_t start, int64_t by, int64_t at, int64_t reach, interval *where) {
    *where = (interval){-1, 2, 1}; /* all of it */
    if (by == 0) return llabs(start - at) < reach;
    int64_t a = at - reach - start, b = at + reach - start;
    *where = by > 0 ? (interval){a, b, by} : (interval){-b, -a, -by};
    return true;
}

/* Whether the leg passes over the inside of the square around a cell: `reach` is half its side, in halves. */
static bool leg_meets(wend_xy from, wend_xy to, wend_xy cell, int64_t reach) {
    interval x, y;
    if (!near_along(2 * from.x, 2 * (to.x - from.x), 2 * cell.x, reach, &x)) return false;
    if (!near_along(2 * from.y, 2 * (to.y - from.y), 2 * cell.y, reach, &y)) return false;
    bool apart = x.to * y.size <= y.from * x.size || y.to * x.size <= x.from * y.size;
    return !apart && x.to > 0 && y.to > 0 && x.from < x.size && y.from < y.size;
}

/* Whether the leg goes through the point south-east of (x, y), not along an axis. */
static bool passes_point(wend_xy from, wend_xy to, int32_t x, int32_t y) {
    int64_t px = 2 * x + 1 - 2 * from.x, py = 2 * y + 1 - 2 * from.y, dx = to.x - from.x, dy = to.y - from.y;
    if (dx == 0 || dy == 0 || px * dy != py * dx) return false;
    return px * dx > 0 && llabs(px) < 2 * llabs(dx);
}

static bool sees(const wend_map *map, wend_xy from, wend_xy to) {
    wend_rules rules = wend_map_rules(map);
    bool square = rules.connect == 4 || rules.corners == WEND_CORNERS_STRICT;
    for (int32_t y = 0; y < wend_map_height(map); y++)
        for (int32_t x = 0; x < wend_map_width(map); x++)
            if (!wend_map_is_open(map, x, y) && leg_meets(from, to, (wend_xy){x, y}, square ? 2 : 1))
                return false;
    if (square || rules.corners == WEND_CORNERS_ANY) return true;
    bool falling =
        (to.x > from.x) == (to.y > from.y); /* it passes between the two cells of the other diagonal */
    for (int32_t y = 0; y < wend_map_height(map); y++)
        for (int32_t x = 0; x < wend_map_width(map); x++)
            if (passes_point(from, to, x, y) && !wend_map_is_open(map, x + 1, falling ? y : y + 1) &&
                !wend_map_is_open(map, x, falling ? y + 1 : y))
                return false;
    return true;
}

static wend_xy any_open(const wend_map *map, test_random *random) {
    return wend_map_xy(map, test_open_cell(map, random));
}

static void sight_is_geometry(void) {
    const uint64_t maps = test_some(600);
    uint32_t seen = 0, hidden = 0;
    for (uint64_t number = 0; number < maps; number++) {
        wend_map *map = test_map_any(number);
        test_random random = {number};
        for (int i = 0; map && wend_map_open_cells(map) && i < 40; i++) {
            wend_xy from = any_open(map, &random), to = any_open(map, &random);
            bool expected = sees(map, from, to);
            CHECK_THAT(wend_map_sees(map, from, to) == expected, "map %llu: %d,%d to %d,%d: not %s",
                       (unsigned long long)number, from.x, from.y, to.x, to.y, expected ? "seen" : "hidden");
            CHECK(wend_map_sees(map, to, from) == expected);
            if (from.x != to.x && from.y != to.y) *(expected ? &seen : &hidden) += 1;
        }
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(seen > 3 * maps && hidden > 3 * maps, "%u seen, %u hidden", seen, hidden);
}

static void neighbours_are_seen_where_moves_are_legal(void) {
    for (uint64_t number = 0; number < 200; number++) {
        wend_map *map = test_map_any(number);
        if (!map) continue;
        for (wend_cell cell = 0; cell < wend_map_cells(map); cell++)
            for (wend_direction d = 0; d < WEND_DIRECTIONS; d++) {
                if (wend_map_rules(map).connect == 4 && d % 2) continue;
                wend_xy from = wend_map_xy(map, cell);
                wend_xy to = {from.x + wend_direction_dx(d), from.y + wend_direction_dy(d)};
                CHECK(wend_map_sees(map, from, to) == (wend_map_next(map, cell, d) != WEND_NO_CELL));
            }
        wend_map_destroy(map);
        test_case();
    }
}

/* The fewest legs from each cell of a path to its end, by the judge above. */
static size_t fewest_legs(const wend_map *map, const wend_xy *path, size_t cells, size_t *fewest) {
    fewest[cells - 1] = 0;
    for (size_t i = cells - 1; i-- > 0;) {
        fewest[i] = SIZE_MAX;
        for (size_t k = i + 1; k < cells; k++)
            if (fewest[k] + 1 < fewest[i] && sees(map, path[i], path[k])) fewest[i] = fewest[k] + 1;
    }
    return fewest[0];
}

/* Each turn is a cell of the path after the last, and sees the next. */
static void check_turns(const wend_map *map, const wend_xy *path, size_t cells, const wend_xy *turns,
                        size_t count) {
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        while (at < cells && (path[at].x != turns[i].x || path[at].y != turns[i].y)) at++;
        if (!CHECK_THAT(at < cells, "turn %zu is no cell of the path after the last", i)) return;
        CHECK(i == 0 || sees(map, turns[i - 1], turns[i]));
    }
    CHECK(turns[0].x == path[0].x && turns[0].y == path[0].y && at == cells - 1);
}

static void paths_have_the_fewest_legs(void) {
    static wend_xy path[1600], turns[1600];
    static size_t fewest[1600];
    size_t shorter = 0;
    for (uint64_t number = 0; number < test_some(600); number++) {
        wend_map *map = test_map_any(number);
        wend_search *search = NULL;
        wend_result result;
        test_random random = {number};
        if (!map || !wend_map_open_cells(map) || wend_search_create(map, NULL, &search, NULL)) {
            wend_map_destroy(map);
            continue;
        }
        for (int i = 0; i < 4; i++) {
            wend_xy from = any_open(map, &random), to = any_open(map, &random);
            CHECK(wend_search_find(search, from, to, path, 1600, &result, NULL) == WEND_OK);
            if (result.found != WEND_FOUND_PATH || result.path_cells > 120) continue;
            size_t cells = result.path_cells, count = cells;
            memcpy(turns, path, cells * sizeof *path);
            CHECK(wend_smooth(map, NULL, turns, &count, NULL) == WEND_OK);
            CHECK(count == (cells < 2 ? cells : fewest_legs(map, path, cells, fewest) + 1));
            check_turns(map, path, cells, turns, count);
            shorter += cells - count;
        }
        wend_search_destroy(search);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(shorter > 1000, "only %zu cells fewer", shorter);
}

static void bad_paths_are_refused(void) {
    wend_map *map = NULL;
    wend_error error;
    CHECK(wend_map_create(9, 3, NULL, &map, NULL) == WEND_OK);
    wend_map_set_row(map, 0, ".........", NULL);
    wend_map_set_row(map, 1, "....@....", NULL);
    wend_map_set_row(map, 2, ".........", NULL);
    wend_xy path[] = {{0, 1}, {3, 1}, {5, 1}, {8, 1}}, outside[] = {{0, 0}, {9, 0}};
    size_t cells = 4;
    CHECK(wend_smooth(map, NULL, path, &cells, &error) == WEND_STATUS_BAD_ARGUMENT &&
          strstr(error.message, "cell 2"));
    CHECK(cells == 4 && path[3].x == 8);
    cells = 2;
    CHECK(wend_smooth(map, NULL, outside, &cells, &error) == WEND_STATUS_BAD_ARGUMENT);
    cells = 0;
    CHECK(wend_smooth(map, NULL, path, &cells, NULL) == WEND_OK && cells == 0);
    cells = 28;
    CHECK(wend_smooth(map, NULL, path, &cells, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_xy row[] = {{0, 0}, {1, 0}, {2, 0}};
    cells = 3;
    test_memory memory = {.refuse_at = 1};
    wend_allocator none = test_allocator(&memory);
    CHECK(wend_smooth(map, &none, row, &cells, &error) == WEND_STATUS_NO_MEMORY && cells == 3);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"sight is geometry", sight_is_geometry},
    {"neighbours are seen where moves are legal", neighbours_are_seen_where_moves_are_legal},
    {"paths have the fewest legs", paths_have_the_fewest_legs},
    {"bad paths are refused", bad_paths_are_refused},
};

TEST_MAIN(tests)
