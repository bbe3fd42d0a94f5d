/* The map as an agent believes it to be, and the changes of that belief. Planners look at nothing else. */
#ifndef WEND_PLAN_VIEW_H
#define WEND_PLAN_VIEW_H

#include "grid/map.h"
#include <wend/search.h>

typedef struct wend_view {
    const wend_map *map;
    const wend_map *base; /* as it was at first, what databases are of; NULL where there is no such map */
    uint64_t first;       /* where there is no base: the fingerprint of the map as it was at first */
    bool changes;         /* it may change while agents plan on it */
    uint64_t revision;    /* changes so far */
    /* The last changes, as cell << 1 | opened; change n stands at n & (log_size - 1). An agent that has not
     * taken in one that is not there any more has to take everything as changed. */
    uint32_t *log;
    uint32_t log_size;                 /* a power of two */
    const wend_components *components; /* of `map`, or NULL where that would be to know the unknown */
    wend_jumps *jumps; /* of `map`, once an agent that jumps was created; the world's, for all its grounds */
} wend_view;

/* Notes that a cell of the map has been opened or closed. */
WEND_INLINE void wend_view_note(wend_view *view, wend_cell cell, bool opened) {
    view->log[view->revision & (view->log_size - 1)] = cell << 1 | opened;
    view->revision++;
}

#endif
