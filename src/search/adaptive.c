/* The A* kernel with a learnt heuristic for each cell: 12 bytes per cell where costs fit 32 bits, else 24. */
#include "search/adaptive.h"
#include "base/memory.h"
#include "base/random.h"

/* What a record of an earlier search says about its cell, plus offset; 0 if nothing. */
WEND_INLINE uint64_t wend_adaptive_said(const wend_adaptive *adaptive, uint32_t stamp, uint64_t g,
                                        uint64_t h) {
    if (stamp < adaptive->first) return 0;
    uint64_t floor = adaptive->floor[stamp - adaptive->first];
    uint64_t said = floor > g ? floor - g : 0;
    return said > h ? said : h;
}

/* The h that holds now, for a cell of which `said` is known and `given` is the distance without walls. */
WEND_INLINE uint64_t wend_adaptive_now(const wend_adaptive *adaptive, uint64_t said, uint64_t given) {
    uint64_t h = said > adaptive->offset ? said - adaptive->offset : 0;
    if (h > adaptive->most) h = adaptive->most;
    return h > given ? h : given;
}

WEND_INLINE uint64_t wend_adaptive_given(const wend_search *search, wend_cell cell) {
    uint32_t y = wend_cell_y(search->map, cell), x = wend_cell_x(search->map, cell, y);
    return wend_octile(search->map, wend_apart(x, search->goal_x), wend_apart(y, search->goal_y));
}

#define WEND_ADAPTIVE
#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_adaptive
#include "search/kernels/astar.inc"
#undef N
#undef COST
#undef WEND_NARROW

#define COST uint64_t
#define N(x) x##_adaptive_wide
#include "search/kernels/astar.inc"

wend_status wend_adaptive_prepare(wend_search *search, uint32_t searches) {
    wend_adaptive *adaptive = &search->adaptive;
    const wend_map *map = search->map;
    adaptive->floor = wend_allocate(&search->allocator, searches, sizeof *adaptive->floor);
    if (!adaptive->floor) return WEND_STATUS_NO_MEMORY;
    adaptive->floor_room = searches;
    search->bytes += searches * sizeof *adaptive->floor;
    adaptive->on = true;
    search->kernel = search->wide ? &wend_kernel_adaptive_wide : &wend_kernel_adaptive;
    /* The bound has room for a distance across the map on top of the longest path. g has all of it but that.
     * */
    uint64_t across = ((uint64_t)(uint32_t)map->width + (uint32_t)map->height) * map->cost[1];
    uint64_t most_g = wend_map_cost_bound(map, search->most_open) - across;
    adaptive->most = (search->wide ? UINT64_MAX / 4 : UINT32_MAX) - most_g;
    adaptive->first = adaptive->raised_since = 1;
    return WEND_OK;
}

void wend_adaptive_release(wend_search *search) {
    wend_adaptive *adaptive = &search->adaptive;
    wend_release(&search->allocator, adaptive->floor, adaptive->floor_room, sizeof *adaptive->floor);
    adaptive->floor = NULL, adaptive->floor_room = 0;
}

void wend_adaptive_forget(wend_search *search) {
    wend_adaptive *adaptive = &search->adaptive;
    adaptive->first = search->stamp + 1;
    adaptive->offset = 0, adaptive->known = 0, adaptive->floors = 0;
    adaptive->raised = 0, adaptive->raised_since = adaptive->first;
    adaptive->tainted = adaptive->capped = false;
}

void wend_adaptive_taint(wend_search *search) {
    search->adaptive.tainted = true;
}

void wend_adaptive_close(wend_search *search) {
    wend_adaptive *adaptive = &search->adaptive;
    if (search->stamp < adaptive->first || adaptive->floors > search->stamp - adaptive->first) return;
    uint64_t floor = WEND_OF_WIDTH(search, floor_adaptive)(search);
    adaptive->floor[search->stamp - adaptive->first] = floor + adaptive->offset;
    if (floor > adaptive->most) adaptive->capped = true;
    adaptive->floors = search->stamp - adaptive->first + 1;
}

void wend_adaptive_move_goal(wend_search *search, wend_cell goal) {
    wend_adaptive *adaptive = &search->adaptive;
    if (search->stamp < adaptive->first) return; /* nothing has been learnt */
    adaptive->offset += wend_adaptive_h(search, goal);
    adaptive->raised = 0, adaptive->raised_since = search->stamp + 1;
    /* Stored values must fit, too. */
    if (!search->wide && adaptive->offset > UINT32_MAX - adaptive->most) wend_adaptive_taint(search);
    /* A value that is cut at `most` when it is read cannot be shifted any more. */
    if (adaptive->capped) wend_adaptive_taint(search);
}

uint64_t wend_adaptive_h(const wend_search *search, wend_cell cell) {
    const wend_adaptive *adaptive = &search->adaptive;
    uint64_t g, h;
    uint32_t stamp;
    if (search->wide) {
        const wend_record_adaptive_wide *record = record_adaptive_wide(search, cell);
        g = record->g, h = record->h, stamp = record->tag >> WEND_TAG_STAMP;
    } else {
        const wend_record_adaptive *record = record_adaptive(search, cell);
        g = record->g, h = record->h, stamp = record->tag >> WEND_TAG_STAMP;
    }
    bool noted = stamp >= adaptive->first && stamp - adaptive->first < adaptive->floors;
    uint64_t said = noted ? wend_adaptive_said(adaptive, stamp, g, h) : stamp >= adaptive->first ? h : 0;
    return wend_adaptive_now(adaptive, said, wend_adaptive_given(search, cell));
}

bool wend_adaptive_consistent_around(wend_search *search, wend_cell cell) {
    const wend_map *map = search->map;
    wend_xy middle = wend_map_xy(map, cell);
    for (int32_t y = middle.y - 1; y <= middle.y + 1; y++)
        for (int32_t x = middle.x - 1; x <= middle.x + 1; x++) {
            wend_cell from = wend_map_cell(map, x, y);
            search->operations++;
            if (from == WEND_NO_CELL || !wend_bit(map, (uint32_t)x, (uint32_t)y)) continue;
            uint64_t h = wend_adaptive_h(search, from);
            for (uint32_t moves = wend_legal_moves(map, (uint32_t)x, (uint32_t)y); moves;
                 moves &= moves - 1) {
                uint32_t d = wend_lowest_bit(moves);
                search->operations++;
                if (h > wend_adaptive_h(search, from + (uint32_t)map->offset[d]) + map->cost[d]) return false;
            }
        }
    return true;
}

wend_cell wend_adaptive_least_raised(wend_search *search, uint32_t count) {
    return WEND_OF_WIDTH(search, least_raised_adaptive)(search, count);
}

uint64_t wend_adaptive_hash(const wend_search *search, uint64_t seed) {
    uint64_t hash = seed;
    for (wend_cell cell = 0; cell < search->cell_count; cell++) {
        uint64_t h = wend_adaptive_h(search, cell);
        if (h > wend_adaptive_given(search, cell)) hash = wend_mix(hash ^ ((uint64_t)cell << 32 ^ h));
    }
    return hash;
}
