/* The incremental search: 16 bytes per cell and 16 per queue node if costs fit 32 bits, else 24 and 24.
 * First keys always have 64 bits, since km grows as long as the task lasts. */
#include "search/incremental.h"

#include "base/random.h"

static void set_start(wend_search *search, wend_cell start) {
    wend_incremental *incremental = &search->incremental;
    search->start = start;
    incremental->start_y = wend_cell_y(search->map, start);
    incremental->start_x = wend_cell_x(search->map, start, incremental->start_y);
}

/* Before the kernel opens the goal. */
static void begin(wend_search *search) {
    wend_incremental *incremental = &search->incremental;
    incremental->full = false;
    incremental->km = 0;
    incremental->updates = 0;
    search->queue.records = search->cells;
    set_start(search, search->start);
}

#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_incremental
#include "search/kernels/incremental.inc"
#undef N
#undef COST
#undef WEND_NARROW

#define COST uint64_t
#define N(x) x##_incremental_wide
#include "search/kernels/incremental.inc"

void wend_incremental_prepare(wend_search *search) {
    search->incremental.on = true;
    search->kernel = search->wide ? &wend_kernel_incremental_wide : &wend_kernel_incremental;
}

bool wend_incremental_move(wend_search *search, wend_cell at) {
    wend_incremental *incremental = &search->incremental;
    incremental->km += wend_map_distance(search->map, search->start, at);
    set_start(search, at);
    if (incremental->km <= UINT64_MAX / 2) return true;
    const uint64_t expansions = search->expansions, operations = search->operations;
    const uint64_t updates = incremental->updates;
    wend_search_begin(search, at, search->goal);
    search->expansions = expansions, search->operations = operations;
    incremental->updates = updates;
    return false;
}

bool wend_incremental_changed(wend_search *search, wend_cell cell, wend_cell at) {
    return WEND_OF_WIDTH(search, changed_incremental)(search, cell, at);
}

uint32_t wend_incremental_next(wend_search *search, wend_cell at) {
    return WEND_OF_WIDTH(search, next_incremental)(search, at);
}

wend_incremental_values wend_incremental_at(const wend_search *search, wend_cell cell) {
    return WEND_OF_WIDTH(search, values_incremental)(search, cell);
}

void wend_incremental_keys(const wend_search *search, uint32_t place, uint64_t *first, uint64_t *second,
                           wend_cell *cell) {
    WEND_OF_WIDTH(search, keys_incremental)(search, place, first, second, cell);
}
