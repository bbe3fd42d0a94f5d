/* The open cell nearest to a goal among those that can be reached. */
#ifndef WEND_WORLD_GOALS_NEAREST_H
#define WEND_WORLD_GOALS_NEAREST_H

#include "grid/components.h"

/* A search for the open cell of a component that is nearest to a goal: by distance without walls, then by cell.
 * It looks at square rings of cells, each farther from the goal than the last. */
typedef struct wend_nearest {
    wend_cell goal, best; /* `best`: so far */
    wend_cost cost;       /* from there to the goal; WEND_NO_COST: none so far */
    uint32_t label;       /* of the component */
    uint32_t radius;      /* of the ring, in cells */
    uint32_t side, at;    /* of its four sides, north first; and the next cell of it */
} wend_nearest;
/* The most operations that a call of wend_nearest_go takes beyond what it was given. */
enum { WEND_NEAREST_OVER = 14 };

/* The goal lies on the map; the label is of a component. */
void wend_nearest_begin(wend_nearest *search, uint32_t label, wend_cell goal);
/* Goes on, while the map and its components stay as they are; true if `best` is known. */
bool wend_nearest_go(wend_nearest *search, const wend_map *map, const wend_components *components,
                     uint64_t operations, uint64_t *spent);

#endif
