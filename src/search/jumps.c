/* Tables for jump-point search.
 *
 * Harabor and Grastien, "Online graph pruning for pathfinding on grid maps" (AAAI 2011) and "Improving jump
 * point search" (ICAPS 2014); the tables of steps follow Rabin's JPS+ (2015). Departures:
 * - The pruning rules are not written out for one kind of grid but found by looking at all 512 patterns
 *   around a cell (onward.h), so every rule of movement is served by the same code.
 * - A row's steps are 16-bit: a map's side is at most 32,768 cells, so a jump is at most 32,767. */
#include "search/jumps.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

static void fill_rules(wend_jumps *jumps) {
    wend_onward_fill(jumps->map, &jumps->onward);
    memset(jumps->forced, 0, sizeof jumps->forced);
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
        jumps->natural[d] = jumps->onward.moves[d][511];
        for (uint32_t around = 0; around < 512; around++)
            if (jumps->onward.moves[d][around] & ~jumps->natural[d])
                jumps->forced[around] |= (wend_directions)(1u << d);
    }
}

/* What is known of a row while the table is filled: legal moves and forced directions of each cell. */
typedef struct row_facts {
    wend_directions *legal, *forced;
} row_facts;

static void read_row(const wend_jumps *jumps, uint32_t y, row_facts facts) {
    const wend_map *map = jumps->map;
    for (uint32_t x = 0; x < (uint32_t)map->width; x++) {
        uint32_t around = wend_map_around(map, x, y);
        facts.legal[x] = map->legal[around];
        facts.forced[x] = jumps->forced[around];
    }
}

/* Fills one direction of one row from its neighbours in that direction, which are filled already. `ahead`
 * holds the facts of the row that the direction leads to. */
static void fill_direction(wend_jumps *jumps, uint32_t y, uint32_t d, row_facts here, row_facts ahead) {
    uint32_t width = (uint32_t)jumps->map->width;
    int32_t offset = jumps->map->offset[d];
    int16_t(*row)[WEND_DIRECTIONS] = jumps->steps + (size_t)y * width;
    bool primary = jumps->onward.primary >> d & 1;
    wend_directions turns = jumps->natural[d] & (wend_directions) ~(1u << d);
    uint32_t left = turns ? wend_lowest_bit(turns) : d;
    uint32_t right = turns ? wend_lowest_bit(turns & (turns - 1u)) : d;
    bool backwards = wend_dx[d] > 0; /* east: the last cell first */
    for (uint32_t i = 0; i < width; i++) {
        uint32_t x = backwards ? width - 1 - i : i;
        if (!(here.legal[x] >> d & 1)) continue; /* stays 0 */
        const int16_t *next = row[(int32_t)x + offset];
        bool stop = ahead.forced[(int32_t)x + wend_dx[d]] >> d & 1;
        if (primary) stop = stop || next[left] > 0 || next[right] > 0;
        row[x][d] = (int16_t)(stop ? 1 : next[d] > 0 ? next[d] + 1 : next[d] - 1);
    }
}

/* Two passes: secondary directions first, since primary ones ask them where a turn leads. Each goes down the
 * map for the directions that look north, then up for those that look south; east and west go with either. */
static void fill_steps(wend_jumps *jumps, wend_directions *buffer) {
    uint32_t width = (uint32_t)jumps->map->width, height = (uint32_t)jumps->map->height;
    for (int pass = 0; pass < 4; pass++) {
        bool primary = pass >= 2, up = pass & 1;
        row_facts here = {buffer, buffer + width},
                  ahead = {buffer + 2 * (size_t)width, buffer + 3 * (size_t)width};
        for (uint32_t i = 0; i < height; i++) {
            uint32_t y = up ? height - 1 - i : i;
            read_row(jumps, y, here);
            for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
                if (jumps->map->rules.connect == 4 && wend_is_diagonal(d)) continue;
                if ((bool)(jumps->onward.primary >> d & 1) != primary) continue;
                int32_t down = wend_dy[d] ? wend_dy[d] : wend_dx[d];
                if (up != (down > 0)) continue;
                if (wend_dy[d] && !i) continue; /* nothing ahead of the first row but the border */
                fill_direction(jumps, y, d, here, wend_dy[d] ? ahead : here);
            }
            row_facts other = here;
            here = ahead, ahead = other;
        }
    }
}

wend_status wend_jumps_create(const wend_map *map, const wend_allocator *allocator, wend_jumps **jumps,
                              wend_error *error) {
    if (!map || !jumps) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map for jump tables");
    *jumps = NULL;
    wend_allocator from = wend_allocator_or_default(allocator ? allocator : &map->allocator);
    wend_jumps *made = wend_allocate_zeroed(&from, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for jump tables");
    made->map = map;
    made->revision = map->revision, made->cells = map->cells;
    made->allocator = from;
    made->steps = wend_allocate_zeroed(&from, map->cells, sizeof *made->steps);
    wend_directions *buffer =
        made->steps ? wend_allocate(&from, 4 * (size_t)map->width, sizeof *buffer) : NULL;
    if (!buffer) {
        wend_jumps_destroy(made);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for jump tables");
    }
    fill_rules(made);
    fill_steps(made, buffer);
    wend_release(&from, buffer, 4 * (size_t)map->width, sizeof *buffer);
    *jumps = made;
    return WEND_OK;
}

void wend_jumps_destroy(wend_jumps *jumps) {
    if (!jumps) return;
    wend_allocator allocator = jumps->allocator;
    wend_release(&allocator, jumps->steps, jumps->cells, sizeof *jumps->steps);
    wend_release(&allocator, jumps, 1, sizeof *jumps);
}

size_t wend_jumps_bytes(const wend_jumps *jumps) {
    return sizeof *jumps + (size_t)jumps->cells * sizeof *jumps->steps;
}
