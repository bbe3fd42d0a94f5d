/* Tables for jump-point search.
 *
 * Harabor and Grastien, "Online graph pruning for pathfinding on grid maps" (AAAI 2011) and "Improving jump
 * point search" (ICAPS 2014); the tables of steps follow Rabin's JPS+ (2015). Departures:
 * - The pruning rules are not written out for one kind of grid but found by looking at all 512 patterns
 *   around a cell (onward.h), so every rule of movement is served by the same code.
 * - A row's steps are 16-bit: a map's side is at most 32,768 cells, so a jump is at most 32,767.
 * - Tables follow edits. An entry is a function of the next cell's entries and of the cells around both. So
 *   after an edit the entries at the cells that changed are computed again, then those behind an entry that is
 *   not what it was. That ends with the tables that filling them again would give. */
#include "search/jumps.h"

#include "base/memory.h"
#include "base/status.h"
#include "search/kernels/corner_graph.h"

#include <string.h>

/* The directions that a way in direction d may turn to; none if d is not primary. */
static uint32_t turns_of(const wend_jumps *jumps, uint32_t d) {
    return jumps->onward.primary >> d & 1 ? jumps->natural[d] & ~(1u << d) : 0;
}

static void fill_rules(wend_jumps *jumps) {
    wend_onward_fill(jumps->map, &jumps->onward);
    memset(jumps->forced, 0, sizeof jumps->forced);
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
        jumps->natural[d] = jumps->onward.moves[d][511];
        for (uint32_t around = 0; around < 512; around++)
            if (jumps->onward.moves[d][around] & ~jumps->natural[d])
                jumps->forced[around] |= (wend_directions)(1u << d);
        jumps->turning[d] = 0;
    }
    for (uint32_t around = 0; around < 512; around++)
        jumps->forcing = jumps->forcing || jumps->forced[around] & jumps->onward.primary;
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++)
        for (uint32_t turns = turns_of(jumps, d); turns; turns &= turns - 1)
            jumps->turning[wend_lowest_bit(turns)] |= (wend_directions)(1u << d);
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
static void fill_steps(wend_jumps *jumps) {
    wend_directions *buffer = jumps->buffer;
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

/* What an entry is, by those of the next cell. */
static int16_t entry_of(const wend_jumps *jumps, uint32_t x, uint32_t y, uint32_t d) {
    const wend_map *map = jumps->map;
    if (!(wend_legal_moves(map, x, y) >> d & 1)) return 0;
    x += (uint32_t)wend_dx[d], y += (uint32_t)wend_dy[d];
    const int16_t *next = jumps->steps[y * (uint32_t)map->width + x];
    bool stop = jumps->forced[wend_map_around(map, x, y)] >> d & 1;
    for (uint32_t turns = turns_of(jumps, d); turns; turns &= turns - 1)
        stop = stop || next[wend_lowest_bit(turns)] > 0;
    return (int16_t)(stop ? 1 : next[d] > 0 ? next[d] + 1 : next[d] - 1);
}

/* Entries that take longer to renew than all take to fill: then it is given up. */
static uint64_t too_many(const wend_jumps *jumps) {
    return 2 * (uint64_t)jumps->cells;
}

/* Touches the corners that meet (x, y) in a primary direction, and one that is there. */
static void touch_behind(wend_jumps *jumps, uint32_t x, uint32_t y, uint32_t d) {
    const wend_map *map = jumps->map;
    for (;;) {
        wend_corner_touch(jumps->corners, y * (uint32_t)map->width + x);
        x -= (uint32_t)wend_dx[d], y -= (uint32_t)wend_dy[d];
        if (x >= (uint32_t)map->width || y >= (uint32_t)map->height) return;
        if (!(wend_legal_moves(map, x, y) >> d & 1)) return;
    }
}

/* Touches all corners whose edges an entry that has changed may be part of. */
static void touch(wend_jumps *jumps, uint32_t x, uint32_t y, uint32_t d) {
    wend_corner_touch(jumps->corners, y * (uint32_t)jumps->map->width + x);
    for (uint32_t from = jumps->turning[d]; from; from &= from - 1)
        touch_behind(jumps, x, y, wend_lowest_bit(from));
}

/* Where something may be forced in a primary direction, an edit can add a corner to a jump and leave the entries
 * as they are. */
static void touch_around(wend_jumps *jumps, wend_rect edited) {
    const wend_map *map = jumps->map;
    for (int32_t y = edited.y - 1; y <= edited.y + edited.height && jumps->forcing; y++)
        for (int32_t x = edited.x - 1; x <= edited.x + edited.width; x++)
            for (uint32_t from = jumps->onward.primary; from; from &= from - 1)
                if (x >= 0 && y >= 0 && x < map->width && y < map->height)
                    touch_behind(jumps, (uint32_t)x, (uint32_t)y, wend_lowest_bit(from));
}

/* Computes entries of one direction again, from (x, y) backwards: so many at least, then on while they change.
 * Where a jump point has come into sight or gone, so may those of the directions that turn into this one. */
static void renew_back(wend_jumps *jumps, uint32_t x, uint32_t y, uint32_t d, int least) {
    const wend_map *map = jumps->map;
    bool changed = false, primary = jumps->onward.primary >> d & 1;
    for (; x < (uint32_t)map->width && y < (uint32_t)map->height; least--) {
        if (jumps->examined > too_many(jumps)) return;
        int16_t *entry = &jumps->steps[y * (uint32_t)map->width + x][d], was = *entry;
        *entry = entry_of(jumps, x, y, d);
        jumps->examined++;
        if (*entry == was && least <= 0) {
            if (changed && primary) touch_behind(jumps, x, y, d);
            return;
        }
        if (*entry != was) {
            changed = true;
            if (primary || *entry > 0 || was > 0) touch(jumps, x, y, d);
        }
        if ((*entry > 0) != (was > 0))
            for (uint32_t from = jumps->turning[d]; from; from &= from - 1) {
                uint32_t p = wend_lowest_bit(from);
                renew_back(jumps, x - (uint32_t)wend_dx[p], y - (uint32_t)wend_dy[p], p, 0);
            }
        x -= (uint32_t)wend_dx[d], y -= (uint32_t)wend_dy[d];
    }
}

/* After an edit of a rectangle, one direction: the cells that see it around them or around the next cell, those
 * that lie ahead first. */
static void renew_around(wend_jumps *jumps, wend_rect edited, uint32_t d) {
    const wend_map *map = jumps->map;
    int32_t left = edited.x > 0 ? edited.x - 1 : 0, top = edited.y > 0 ? edited.y - 1 : 0;
    int32_t right = edited.x + edited.width, bottom = edited.y + edited.height;
    if (right >= map->width) right = map->width - 1;
    if (bottom >= map->height) bottom = map->height - 1;
    for (int32_t i = 0; i <= bottom - top; i++)
        for (int32_t j = 0; j <= right - left; j++)
            renew_back(jumps, (uint32_t)(wend_dx[d] > 0 ? right - j : left + j),
                       (uint32_t)(wend_dy[d] > 0 ? bottom - i : top + i), d, 1);
}

/* Secondary directions first, since primary ones ask them; what changes later in those is followed up. */
static void renew_rect(wend_jumps *jumps, wend_rect edited, bool alone) {
    wend_corner_graph_edited(jumps, edited, alone);
    touch_around(jumps, edited);
    for (int primary = 0; primary < 2; primary++)
        for (uint32_t d = 0; d < WEND_DIRECTIONS; d++)
            if ((int)(jumps->onward.primary >> d & 1) == primary &&
                !(jumps->map->rules.connect == 4 && wend_is_diagonal(d)))
                renew_around(jumps, edited, d);
}

/* The next run of cells of a row that have changed, from x on; width 0: there is none. */
static wend_rect next_change(const wend_jumps *jumps, uint32_t x, uint32_t y) {
    const uint8_t *was = jumps->bits + (y + 1) * jumps->map->row_bytes;
    const uint8_t *now = jumps->map->bits + (y + 1) * jumps->map->row_bytes;
    const uint32_t end = (uint32_t)jumps->map->width + 1;
    wend_rect run = {0, (int32_t)y, 0, 1};
    for (uint32_t at = x + 1; at < end; at++) {
        uint64_t changed = (wend_load64(was + at / 64 * 8) ^ wend_load64(now + at / 64 * 8)) >> at % 64;
        if (!changed && !run.width) {
            at |= 63;
            continue;
        }
        if (!(changed & 1) && run.width) break;
        if (!(changed & 1)) continue;
        if (!run.width) run.x = (int32_t)at - 1;
        run.width++;
    }
    return run;
}

/* Runs in one row are one rectangle with those right below them, as the edits that made them mostly were. */
static void renew_changes(wend_jumps *jumps) {
    wend_rect edited = {0, 0, 0, 0};
    bool alone = true;
    for (uint32_t y = 0; y < (uint32_t)jumps->map->height; y++)
        for (wend_rect run = next_change(jumps, 0, y); run.width;
             run = next_change(jumps, (uint32_t)(run.x + run.width), y)) {
            if (run.x == edited.x && run.width == edited.width && run.y == edited.y + edited.height) {
                edited.height++;
                continue;
            }
            if (edited.width) renew_rect(jumps, edited, alone = false);
            edited = run;
        }
    if (edited.width) renew_rect(jumps, edited, alone);
}

static wend_status fail_corners(wend_status status, wend_error *error) {
    return wend_fail(error, status,
                     status == WEND_STATUS_NO_MEMORY ? "no memory for a graph of corners"
                                                     : "the map has too many corners");
}

wend_status wend_jumps_update(wend_jumps *jumps, wend_error *error) {
    if (!jumps) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no jump tables to update");
    const wend_map *map = jumps->map;
    jumps->examined = 0;
    if (jumps->revision == map->revision) return WEND_OK;
    renew_changes(jumps);
    wend_status status = WEND_OK;
    if (jumps->examined <= too_many(jumps) && !jumps->lost) {
        status = wend_corner_graph_follow(jumps);
    } else {
        memset(jumps->steps, 0, (size_t)jumps->cells * sizeof *jumps->steps);
        fill_steps(jumps);
        jumps->examined = (uint64_t)jumps->cells * WEND_DIRECTIONS;
        wend_corner_graph *made;
        status = wend_corner_graph_create(jumps, &jumps->allocator, &made);
        jumps->lost = status != WEND_OK;
        if (status == WEND_OK) {
            wend_corner_graph_destroy(jumps->corners);
            jumps->corners = made;
        }
    }
    memcpy(jumps->bits, map->bits, map->bits_bytes); /* the tables are of these, with corners or without */
    if (status != WEND_OK) return fail_corners(status, error);
    jumps->revision = map->revision;
    return WEND_OK;
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
    made->bits_bytes = map->bits_bytes + 4 * (size_t)map->width;
    if (made->steps) made->bits = wend_allocate(&from, made->bits_bytes, 1);
    if (!made->bits) {
        wend_jumps_destroy(made);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for jump tables");
    }
    fill_rules(made);
    made->buffer = made->bits + map->bits_bytes;
    fill_steps(made);
    memcpy(made->bits, map->bits, map->bits_bytes);
    wend_status status = wend_corner_graph_create(made, &from, &made->corners);
    if (status != WEND_OK) {
        wend_jumps_destroy(made);
        return fail_corners(status, error);
    }
    *jumps = made;
    return WEND_OK;
}

void wend_jumps_destroy(wend_jumps *jumps) {
    if (!jumps) return;
    wend_allocator allocator = jumps->allocator;
    wend_corner_graph_destroy(jumps->corners);
    wend_release(&allocator, jumps->steps, jumps->cells, sizeof *jumps->steps);
    wend_release(&allocator, jumps->bits, jumps->bits_bytes, 1);
    wend_release(&allocator, jumps, 1, sizeof *jumps);
}

size_t wend_jumps_bytes(const wend_jumps *jumps) {
    return sizeof *jumps + (size_t)jumps->cells * sizeof *jumps->steps + jumps->bits_bytes +
           wend_corner_graph_bytes(jumps->corners);
}
