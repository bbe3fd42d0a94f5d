/* Straight legs at any angle between cells, and paths made of the fewest of them.
 *
 * Where a diagonal move asks for both cardinal cells (`strict`), or there is none (four directions), the mover
 * is a square of one cell: no blocked cell may overlap it on its way, edges may touch. Larger bodies have a map
 * of their own, in which this is exact too. Under `any` and `one` the mover is a point in the middle of its
 * cell, since their diagonal moves cut corners as well: the leg may not cross a blocked cell. Where it passes
 * through the point between four cells, it is a diagonal move, and the rule of corners decides. So a leg to a
 * neighbour is legal exactly if the move is.
 *
 * All of it is whole numbers: no rounding, the same on every machine. */
#include "base/memory.h"
#include "base/status.h"
#include "grid/map.h"

#include <string.h>
#include <wend/search.h>

/* A leg, seen along its axes: (i, j) is i cells along x and j along y from its start, each to its own side. */
typedef struct leg {
    const wend_map *map;
    int32_t x, y;           /* of its start */
    int32_t sign_x, sign_y; /* 1 or -1 */
    int64_t dx, dy;         /* its size, at least 0 */
} leg;

static bool is_open(const leg *way, int64_t i, int64_t j) {
    return wend_bit(way->map, (uint32_t)(way->x + way->sign_x * (int32_t)i),
                    (uint32_t)(way->y + way->sign_y * (int32_t)j));
}

/* The square is over the columns i and i + 1 while it goes from one to the other, and meanwhile over the rows
 * from floor(i * dy / dx) to ceil((i + 1) * dy / dx). */
static bool square_passes(const leg *way) {
    if (way->dx == 0) {
        for (int64_t j = 0; j <= way->dy; j++)
            if (!is_open(way, 0, j)) return false;
        return true;
    }
    for (int64_t i = 0; i < way->dx; i++) {
        int64_t last = ((i + 1) * way->dy + way->dx - 1) / way->dx;
        for (int64_t j = i * way->dy / way->dx; j <= last; j++)
            if (!is_open(way, i, j) || !is_open(way, i + 1, j)) return false;
    }
    return true;
}

/* From cell to cell along the line: through the side that it meets first, or through the corner. Column i is
 * left at (2 * i + 1) / (2 * dx) of the way, row j at (2 * j + 1) / (2 * dy). */
static bool point_passes(const leg *way, wend_corners corners) {
    for (int64_t i = 0, j = 0; is_open(way, i, j);) {
        if (i == way->dx && j == way->dy) return true;
        int64_t side = (2 * i + 1) * way->dy, top = (2 * j + 1) * way->dx;
        if (side == top && corners != WEND_CORNERS_ANY && !is_open(way, i + 1, j) && !is_open(way, i, j + 1))
            return false;
        if (side <= top) i++;
        if (top <= side) j++;
    }
    return false;
}

bool wend_map_sees(const wend_map *map, wend_xy from, wend_xy to) {
    if (!wend_map_is_open(map, from.x, from.y) || !wend_map_is_open(map, to.x, to.y)) return false;
    leg way = {.map = map, .x = from.x, .y = from.y, .sign_x = 1, .sign_y = 1};
    way.dx = to.x - from.x, way.dy = to.y - from.y;
    if (way.dx < 0) way.dx = -way.dx, way.sign_x = -1;
    if (way.dy < 0) way.dy = -way.dy, way.sign_y = -1;
    bool square = map->rules.connect == 4 || map->rules.corners == WEND_CORNERS_STRICT;
    return square ? square_passes(&way) : point_passes(&way, map->rules.corners);
}

/* The number of the first cell that the one before it does not see; `cells` if there is none. */
static size_t first_gap(const wend_map *map, const wend_xy *path, size_t cells) {
    size_t i = 0;
    while (i < cells && wend_map_sees(map, path[i ? i - 1 : 0], path[i])) i++;
    return i;
}

/* Backwards from the last cell, in rounds: round r finds the cells that are r legs from it. Cells of the round
 * before are tried from the far end, so that each leg is as long as it can be. `next` gets the other end of each
 * cell's first leg. `rounds` holds the cells in the order of their rounds, those of one round from the far end. */
static void find_legs(const wend_map *map, const wend_xy *path, uint32_t cells, uint32_t *next,
                      uint32_t *rounds) {
    memset(next, 0, cells * sizeof *next);
    rounds[0] = cells - 1;
    for (uint32_t begin = 0, end = 1; !next[0] && begin < end;) {
        uint32_t found = end;
        for (uint32_t i = cells - 1; i-- > 0;) {
            if (next[i]) continue;
            for (uint32_t k = begin; k < end && rounds[k] > i; k++) {
                if (!wend_map_sees(map, path[i], path[rounds[k]])) continue;
                next[i] = rounds[k];
                rounds[found++] = i;
                break;
            }
        }
        begin = end, end = found;
    }
}

wend_status wend_smooth(const wend_map *map, const wend_allocator *allocator, wend_xy *path, size_t *cells,
                        wend_error *error) {
    if (!map || !path || !cells)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map, or no path to turn into legs");
    if (*cells > map->cells)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a path of more cells than the map has");
    size_t gap = first_gap(map, path, *cells);
    if (gap < *cells)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the path is not legal at its cell %zu", gap);
    if (*cells < 3) return WEND_OK;
    uint32_t count = (uint32_t)*cells;
    wend_allocator memory = wend_allocator_or_default(allocator);
    uint32_t *next = wend_allocate(&memory, 2 * (size_t)count, sizeof *next);
    if (!next) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a path of %zu cells", *cells);
    find_legs(map, path, count, next, next + count);
    uint32_t turns = 1;
    for (uint32_t i = next[0]; i; i = i == count - 1 ? 0 : next[i]) path[turns++] = path[i];
    wend_release(&memory, next, 2 * (size_t)count, sizeof *next);
    *cells = turns;
    return WEND_OK;
}
