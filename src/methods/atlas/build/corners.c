#include "methods/atlas/build/corners.h"

#include "base/sort.h"

#include <string.h>

wend_status wend_atlas_corners_find(wend_atlas_corners *corners, const wend_map *map, const wend_jumps *jumps,
                                    uint32_t side, const wend_allocator *allocator) {
    *corners = (wend_atlas_corners){
        .map = map, .jumps = jumps, .allocator = *allocator, .grid = wend_atlas_grid_of(map, side)};
    for (uint32_t y = 0; y < (uint32_t)map->height; y++)
        for (uint32_t x = 0; x < (uint32_t)map->width; x++) {
            if (!wend_bit(map, x, y) || !jumps->forced[wend_map_around(map, x, y)]) continue;
            if (corners->count == corners->capacity) {
                uint32_t capacity = corners->capacity ? corners->capacity + corners->capacity / 2 : 1024;
                wend_cell *larger =
                    wend_enlarge(allocator, corners->cells, corners->capacity, capacity, sizeof *larger);
                if (!larger) return WEND_STATUS_NO_MEMORY;
                corners->cells = larger, corners->capacity = capacity;
            }
            corners->cells[corners->count++] = y * (uint32_t)map->width + x;
        }
    return WEND_OK;
}

void wend_atlas_corners_release(wend_atlas_corners *corners) {
    wend_release(&corners->allocator, corners->cells, corners->capacity, sizeof *corners->cells);
    corners->cells = NULL, corners->count = corners->capacity = 0;
}

uint32_t wend_atlas_corner_at(const wend_atlas_corners *corners, wend_cell cell) {
    uint32_t low = 0, high = corners->count; /* cells[low] <= cell, if any is */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (corners->cells[middle] <= cell)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool wend_atlas_sweeper_create(wend_atlas_sweeper *sweeper, const wend_atlas_corners *corners) {
    const wend_allocator *allocator = &corners->allocator;
    *sweeper = (wend_atlas_sweeper){.corners = corners, .squares = wend_atlas_squares(&corners->grid)};
    sweeper->stamps = wend_allocate_zeroed(allocator, sweeper->squares, sizeof *sweeper->stamps);
    sweeper->met = wend_allocate(allocator, 2 * (size_t)sweeper->squares, sizeof *sweeper->met);
    sweeper->parts = wend_allocate_zeroed(allocator, sweeper->squares, sizeof *sweeper->parts);
    return sweeper->stamps && sweeper->met && sweeper->parts;
}

void wend_atlas_sweeper_release(wend_atlas_sweeper *sweeper) {
    if (!sweeper->corners) return;
    const wend_allocator *allocator = &sweeper->corners->allocator;
    wend_release(allocator, sweeper->stamps, sweeper->squares, sizeof *sweeper->stamps);
    wend_release(allocator, sweeper->met, 2 * (size_t)sweeper->squares, sizeof *sweeper->met);
    wend_release(allocator, sweeper->parts, sweeper->squares, sizeof *sweeper->parts);
    *sweeper = (wend_atlas_sweeper){.corners = NULL};
}

/* One corner --------------------------------------------------------------------------------------------- */

typedef struct sweep {
    wend_atlas_sweeper *worker;
    const wend_map *map;
    const wend_jumps *jumps;
    uint32_t corner;
    wend_buffer *links;
} sweep;

/* A run of `steps` moves from (x, y), both ends included: its sectors have this corner. */
static void mark(const sweep *s, wend_cell from, uint32_t d, uint32_t steps) {
    wend_atlas_sweeper *worker = s->worker;
    const wend_atlas_grid *grid = &worker->corners->grid;
    wend_xy at = wend_map_xy(s->map, from);
    uint32_t x = (uint32_t)at.x, y = (uint32_t)at.y, side = grid->side;
    for (;;) {
        uint32_t sector = y / side * grid->columns + x / side;
        if (worker->stamps[sector] != s->corner + 1) {
            worker->stamps[sector] = s->corner + 1;
            worker->met[worker->met_count++] = sector;
        }
        /* Moves until another sector is entered. */
        uint32_t most = UINT32_MAX;
        if (wend_dx[d]) most = wend_dx[d] > 0 ? side - x % side : x % side + 1;
        if (wend_dy[d]) {
            uint32_t rows = wend_dy[d] > 0 ? side - y % side : y % side + 1;
            if (rows < most) most = rows;
        }
        if (most > steps) return;
        steps -= most;
        x += most * (uint32_t)wend_dx[d], y += most * (uint32_t)wend_dy[d];
    }
}

static wend_cell moved(const sweep *s, wend_cell cell, uint32_t d, uint32_t steps) {
    return cell + (uint32_t)((int32_t)steps * s->map->offset[d]);
}

static uint32_t around(const sweep *s, wend_cell cell) {
    uint32_t y = wend_cell_y(s->map, cell), x = wend_cell_x(s->map, cell, y);
    return wend_map_around(s->map, x, y);
}

/* How many moves in one direction are legal from a cell. */
static uint32_t reach(const sweep *s, wend_cell cell, uint32_t d) {
    uint32_t all = 0;
    for (int32_t n; (n = s->jumps->steps[cell][d]) != 0;) {
        uint32_t steps = (uint32_t)(n < 0 ? -n : n);
        all += steps;
        if (n < 0) break;
        cell = moved(s, cell, d, steps);
    }
    return all;
}

/* A link to the corner at `to`, by way of `turn`. */
static void add_link(const sweep *s, wend_cell turn, wend_cell to) {
    const wend_atlas_corners *corners = s->worker->corners;
    wend_cell from = corners->cells[s->corner];
    uint32_t other = wend_atlas_corner_at(corners, to);
    uint32_t a = s->corner < other ? s->corner : other, b = s->corner < other ? other : s->corner;
    bool bent =
        turn != from && turn != to &&
        !(wend_atlas_direct(s->map, s->jumps, from, to) && wend_atlas_direct(s->map, s->jumps, to, from));
    if (!wend_atlas_put(s->links, a, b, wend_map_distance(s->map, from, to), &turn, bent))
        s->worker->full = true;
}

/* Secondary moves from a cell of a primary run, or from the corner itself. */
static void go_straight(const sweep *s, wend_cell cell, uint32_t d) {
    int32_t n = s->jumps->steps[cell][d];
    mark(s, cell, d, (uint32_t)(n < 0 ? -n : n));
    if (n > 0) add_link(s, cell, moved(s, cell, d, (uint32_t)n));
}

/* The natural pieces that begin with primary moves. */
static void go_on(const sweep *s, wend_cell cell, uint32_t d) {
    uint32_t turns = s->jumps->natural[d] & ~(1u << d);
    for (uint32_t legal = 1; legal;) {
        int32_t n = s->jumps->steps[cell][d];
        legal = n > 0;
        for (uint32_t i = 1, steps = (uint32_t)(n < 0 ? -n : n); i <= steps; i++) {
            cell = moved(s, cell, d, 1);
            mark(s, cell, d, 0);
            if (legal && i == steps && s->jumps->forced[around(s, cell)] >> d & 1) {
                add_link(s, cell, cell);
                return; /* what lies behind is that corner's */
            }
            for (uint32_t left = turns; left; left &= left - 1) go_straight(s, cell, wend_lowest_bit(left));
        }
    }
}

/* The cells that come to the corner in direction `d` by a natural piece. */
static void go_back(const sweep *s, wend_cell corner, uint32_t d) {
    const wend_jumps *jumps = s->jumps;
    uint32_t back = (d + 4) & 7, most = reach(s, corner, back);
    if (jumps->onward.primary >> d & 1) {
        mark(s, corner, back, most);
        return;
    }
    wend_cell cell = corner;
    for (uint32_t i = 1; i <= most; i++) {
        cell = moved(s, cell, back, 1);
        mark(s, cell, back, 0);
        for (uint32_t p = 0; p < WEND_DIRECTIONS; p++)
            if (jumps->onward.primary >> p & 1 && jumps->natural[p] >> d & 1)
                mark(s, cell, (p + 4) & 7, reach(s, cell, (p + 4) & 7));
        if (jumps->forced[around(s, cell)] >> d & 1) return; /* who comes from farther meets this one first */
    }
}

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool put(wend_buffer *buffer, uint32_t value) {
    uint8_t bytes[4];
    wend_store32(bytes, value);
    return wend_buffer_add(buffer, bytes, sizeof bytes);
}

static uint32_t square_above(wend_atlas_level level, wend_atlas_level above, uint32_t square) {
    uint32_t at = square - level.first;
    return above.first + at / level.columns / 2 * above.columns + at % level.columns / 2;
}

/* Squares in place of the sectors of which most have the corner, level by level. What is left of each level
 * goes behind: the list has room for all squares twice. */
static void gather(wend_atlas_sweeper *sweeper) {
    wend_atlas_level level = wend_atlas_lowest(&sweeper->corners->grid), above = level;
    uint32_t *here = sweeper->met, count = sweeper->met_count;
    uint32_t *kept = sweeper->met + sweeper->squares, kept_count = 0;
    for (; count && wend_atlas_ascend(&above); level = above) {
        uint32_t next = 0, first = kept_count;
        for (uint32_t i = 0; i < count; i++) sweeper->parts[square_above(level, above, here[i])]++;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t square = square_above(level, above, here[i]), at = here[i] - level.first;
            uint32_t wide = (at % level.columns | 1) < level.columns ? 2 : 1;
            uint32_t high = (at / level.columns | 1) < level.rows ? 2 : 1;
            if (sweeper->parts[square] * 4u < 3 * wide * high)
                kept[kept_count++] = here[i];
            else if (sweeper->stamps[square] != sweeper->stamps[here[i]])
                sweeper->stamps[square] = sweeper->stamps[here[i]], here[next++] = square;
        }
        for (uint32_t i = first; i < kept_count; i++) sweeper->parts[square_above(level, above, kept[i])] = 0;
        for (uint32_t i = 0; i < next; i++) sweeper->parts[here[i]] = 0;
        count = next;
    }
    for (uint32_t i = 0; i < count; i++) kept[kept_count++] = here[i];
    memmove(sweeper->met, kept, kept_count * sizeof *kept);
    sweeper->met_count = kept_count;
}

bool wend_atlas_sweep(wend_atlas_sweeper *sweeper, uint32_t corner, wend_buffer *links, wend_buffer *places) {
    const wend_atlas_corners *corners = sweeper->corners;
    const wend_jumps *jumps = corners->jumps;
    sweep s = {sweeper, corners->map, jumps, corner, links};
    wend_cell cell = corners->cells[corner];
    uint32_t near = around(&s, cell), forced = jumps->forced[near], onward = 0;
    sweeper->met_count = 0;
    mark(&s, cell, 0, 0);
    for (uint32_t left = forced; left; left &= left - 1) {
        uint32_t d = wend_lowest_bit(left);
        onward |= jumps->onward.moves[d][near];
        go_back(&s, cell, d);
    }
    for (uint32_t left = onward; left; left &= left - 1) {
        uint32_t d = wend_lowest_bit(left);
        if (jumps->onward.primary >> d & 1)
            go_on(&s, cell, d);
        else
            go_straight(&s, cell, d);
    }
    gather(sweeper);
    wend_sort(sweeper->met, sweeper->met_count, sizeof *sweeper->met, by_number);
    bool good = !sweeper->full && put(places, sweeper->met_count);
    for (uint32_t i = 0; good && i < sweeper->met_count; i++) good = put(places, sweeper->met[i]);
    return good;
}

/* Lists by sector ---------------------------------------------------------------------------------------- */

/* Goes through all that was added; counts, or (with room for them) puts corners into their lists. */
static bool go_through(wend_atlas_lists *lists, const wend_buffer *places, size_t buffers, uint32_t corners,
                       bool fill) {
    uint32_t corner = 0;
    for (size_t i = 0; i < buffers; i++)
        for (size_t at = 0; at < places[i].size; corner++) {
            if (places[i].size - at < 4 || corner == corners) return false;
            uint32_t count = wend_load32(places[i].data + at), before = 0;
            at += 4;
            if (count > (places[i].size - at) / 4) return false;
            for (uint32_t j = 0; j < count; j++, at += 4) {
                uint32_t sector = wend_load32(places[i].data + at);
                if (sector >= lists->squares || (j && sector <= before)) return false;
                before = sector;
                if (fill)
                    lists->corners[lists->first[sector]++] = corner;
                else
                    lists->first[sector]++;
            }
        }
    return corner == corners;
}

wend_status wend_atlas_lists_make(wend_atlas_lists *lists, const wend_atlas_corners *corners,
                                  const wend_buffer *places, size_t buffers) {
    *lists =
        (wend_atlas_lists){.allocator = corners->allocator, .squares = wend_atlas_squares(&corners->grid)};
    lists->first = wend_allocate_zeroed(&lists->allocator, (size_t)lists->squares + 1, sizeof *lists->first);
    if (!lists->first) return WEND_STATUS_NO_MEMORY;
    if (!go_through(lists, places, buffers, corners->count, false)) return WEND_STATUS_DAMAGED;
    size_t sum = 0;
    for (uint32_t i = 0; i <= lists->squares; i++) { /* from how many to where they begin */
        size_t here = lists->first[i];
        lists->first[i] = sum;
        sum += here;
    }
    lists->corners = wend_allocate(&lists->allocator, sum + 1, sizeof *lists->corners);
    if (!lists->corners) return WEND_STATUS_NO_MEMORY;
    lists->count = sum;
    (void)go_through(lists, places, buffers, corners->count, true);
    for (uint32_t i = lists->squares; i > 0; i--) lists->first[i] = lists->first[i - 1];
    lists->first[0] = 0;
    return WEND_OK;
}

void wend_atlas_lists_release(wend_atlas_lists *lists) {
    if (lists->first)
        wend_release(&lists->allocator, lists->first, (size_t)lists->squares + 1, sizeof *lists->first);
    if (lists->corners)
        wend_release(&lists->allocator, lists->corners, lists->count + 1, sizeof *lists->corners);
    lists->first = NULL, lists->corners = NULL;
}
