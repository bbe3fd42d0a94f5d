/* The map as an agent believes it to be, and the changes of that belief. Planners look at nothing else. */
#ifndef WEND_PLAN_VIEW_H
#define WEND_PLAN_VIEW_H

#include "grid/components.h"
#include <wend/search.h>

typedef struct wend_view {
    const wend_map *map;  /* its record says what has changed: see wend_map_note */
    const wend_map *base; /* as it was at first, what databases are of; NULL where there is no such map */
    uint64_t first;       /* where there is no base: the fingerprint of the map as it was at first */
    bool changes;         /* it may change while agents plan on it */
    const wend_components *components; /* of `map`, or NULL where that would be to know the unknown */
    wend_jumps *jumps; /* of `map`, once an agent that jumps was created; the world's, for all its grounds */
} wend_view;

/* The components of the map as it is now; NULL as long as they are not known. */
WEND_INLINE const wend_components *wend_view_components(const wend_view *view) {
    const wend_components *components = view->components;
    return components && wend_components_current(components, view->map) ? components : NULL;
}

#endif
