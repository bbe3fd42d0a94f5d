/* The inside of wend_components. A cell carries an id; ids that were joined later form a ring and share a
 * name, which is the component's label. Names are kept flat, so a lookup is two loads and no write, and a
 * union renames the side with fewer ids. An id that no cell carries any more is recycled. */
#ifndef WEND_GRID_COMPONENTS_H
#define WEND_GRID_COMPONENTS_H

#include "grid/map.h"

#define WEND_NO_LABEL UINT32_MAX

typedef struct wend_label {
    uint32_t name;       /* WEND_NO_LABEL if the id is free */
    uint32_t next, prev; /* the ring of ids of the same name; `next` chains the free ones */
    uint32_t cells;      /* that carry this id */
    uint32_t size, ids;  /* of the component; only meaningful where name is the id itself */
    uint32_t flood;      /* used within an update: see components_update.c; WEND_NO_LABEL otherwise */
} wend_label;

struct wend_components {
    int32_t width, height;
    uint32_t cells;
    bool diagonal; /* whether cells that touch at a corner only are joined */
    uint32_t revision;
    uint32_t count;    /* components */
    uint32_t *id;      /* of each cell; WEND_NO_LABEL for a blocked one */
    wend_label *label; /* by id */
    uint32_t used, capacity, first_free, free_count;
    uint32_t *queue_next; /* a link a cell for the floods of an update; NULL before the first one */
    wend_allocator allocator;
};

/* Finds everything anew. On WEND_NO_MEMORY nothing has changed. */
wend_status wend_components_rebuild(wend_components *components, const wend_map *map, wend_error *error);

/* Makes sure that `count` new ids can be made without asking for memory. */
bool wend_components_reserve(wend_components *components, uint64_t count);

#endif
