/* The open cell nearest to a goal among those that can be reached. All cells of the square ring with radius r
 * around the goal cost at least r straight moves from there, so the search ends with the ring that is farther
 * than the best cell so far. */
#include "world/goals/nearest.h"

/* A table entry for each level of strips, at most 12, and the cell's own. */
enum { LABEL_OPERATIONS = 13, SIDES = 4 };

void wend_nearest_begin(wend_nearest *search, uint32_t label, wend_cell goal) {
    *search = (wend_nearest){.goal = goal, .best = WEND_NO_CELL, .cost = WEND_NO_COST, .label = label};
}

static uint64_t consider(wend_nearest *search, const wend_map *map, const wend_components *components,
                         wend_cell cell) {
    wend_cost cost = wend_map_distance(map, cell, search->goal);
    if (cost > search->cost || (cost == search->cost && cell > search->best)) return 0;
    if (wend_components_label(components, cell) == search->label) search->cost = cost, search->best = cell;
    return LABEL_OPERATIONS;
}

/* A side of the ring: rows have the corners, columns what is between. As offsets on the map, from first to last. */
typedef struct side {
    bool row;
    int32_t line, first, last; /* y and xs of a row, x and ys of a column */
} side;

static side side_of(const wend_nearest *search, const wend_map *map) {
    const wend_xy goal = wend_map_xy(map, search->goal);
    const int32_t radius = (int32_t)search->radius;
    bool row = search->side < 2, lower = search->side % 2;
    int32_t across = row ? goal.y : goal.x, along = row ? goal.x : goal.y, reach = row ? radius : radius - 1;
    int32_t most = row ? map->width : map->height, line = lower ? across + radius : across - radius;
    side made = {row, line, along - reach, along + reach};
    if (made.first < 0) made.first = 0;
    if (made.last >= most) made.last = most - 1;
    bool outside = line < 0 || line >= (row ? map->height : map->width) || (lower && !radius);
    if (outside) made.last = made.first - 1;
    return made;
}

/* Goes on along a side; true if that is done. A row is looked at a word at a time. */
static bool go_along(wend_nearest *search, const wend_map *map, const wend_components *components,
                     uint64_t operations, uint64_t *spent) {
    const side at = side_of(search, map);
    for (int32_t i = at.first + (int32_t)search->at; i <= at.last; i = at.first + (int32_t)search->at) {
        if (*spent >= operations) return false;
        ++*spent;
        if (!at.row) {
            wend_cell cell = (uint32_t)i * (uint32_t)map->width + (uint32_t)at.line;
            if (wend_bit(map, (uint32_t)at.line, (uint32_t)i))
                *spent += consider(search, map, components, cell);
            search->at++;
            continue;
        }
        const uint32_t bit = (uint32_t)i + 1, shift = bit % 64;
        uint64_t open =
            wend_load64(map->bits + ((size_t)at.line + 1) * map->row_bytes + bit / 64 * 8) >> shift;
        if (!open) {
            search->at += 64 - shift;
            continue;
        }
        const uint32_t skip = wend_lowest_bit(open);
        const int32_t x = i + (int32_t)skip;
        search->at += skip + 1;
        if (x <= at.last)
            *spent +=
                consider(search, map, components, (uint32_t)at.line * (uint32_t)map->width + (uint32_t)x);
    }
    return true;
}

bool wend_nearest_go(wend_nearest *search, const wend_map *map, const wend_components *components,
                     uint64_t operations, uint64_t *spent) {
    const uint32_t longest = (uint32_t)(map->width > map->height ? map->width : map->height);
    while (search->radius < longest && search->radius * (uint64_t)map->cost[0] <= search->cost) {
        if (!go_along(search, map, components, operations, spent)) return false;
        search->at = 0;
        if (++search->side == SIDES) search->side = 0, search->radius++;
    }
    return true;
}
