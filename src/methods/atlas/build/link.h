/* An exact path between two cells, as an atlas keeps it: its cost, and the cells where it bends. Between two
 * bends, and between a bend and an end, the climber's way costs exactly the octile distance, in both
 * directions: so the cost of a piece of the path need not be kept, and one list serves both directions. */
#ifndef WEND_ATLAS_BUILD_LINK_H
#define WEND_ATLAS_BUILD_LINK_H

#include "search/jumps.h"
#include <wend/search.h>

/* What a worker needs for that; memory grows as paths get longer, and is kept. */
typedef struct wend_atlas_linker {
    const wend_map *map;
    const wend_jumps *jumps;
    wend_allocator allocator;
    wend_search *search;
    wend_direction *moves; /* of the last path */
    size_t move_capacity;
    wend_cell *turns; /* its cells where the direction changes, and its last */
    size_t turn_capacity;
    wend_cell *bends; /* of the last link; one of `turns` each */
    size_t bend_count;
} wend_atlas_linker;

/* Release it in any case. */
wend_status wend_atlas_linker_create(wend_atlas_linker *linker, const wend_map *map, const wend_jumps *jumps,
                                     const wend_allocator *allocator);
void wend_atlas_linker_release(wend_atlas_linker *linker);

/* Whether the climber gets from one open cell to another for exactly the octile distance. With the tables of
 * jump-point search, which may be NULL, it takes a look a leg instead of a look a cell. */
bool wend_atlas_direct(const wend_map *map, const wend_jumps *jumps, wend_cell from, wend_cell to);

/* The link between two open cells; the other way round it is the same, with its bends in the other order.
 * `cost` is WEND_NO_COST, and there are no bends, where no path joins them or it costs `limit` or more.
 * WEND_STATUS_NO_MEMORY. */
wend_status wend_atlas_link(wend_atlas_linker *linker, wend_cell from, wend_cell to, wend_cost limit,
                            wend_cost *cost);

#endif
