/* The tables of jump-point search. jumps.c explains them, kernels/corner_graph.c what is searched with them. */
#ifndef WEND_SEARCH_JUMPS_H
#define WEND_SEARCH_JUMPS_H

#include "grid/map.h"
#include "search/onward.h"
#include <wend/search.h>

typedef struct wend_corner_graph wend_corner_graph;

struct wend_jumps {
    const wend_map *map;
    uint64_t revision; /* of the map that they are of */
    uint32_t cells;
    wend_allocator allocator;
    uint8_t *bits;           /* of that map, to see what has changed since */
    size_t bits_bytes;       /* with the buffer, which follows them */
    wend_directions *buffer; /* for filling: four bytes per column of the map */
    uint64_t examined;       /* entries, by the last update; all of them if it filled the tables */
    wend_onward onward;
    wend_directions natural[WEND_DIRECTIONS]; /* what goes onward on open ground */
    wend_directions forced[512];              /* the directions in which more than that goes onward */
    wend_directions turning[WEND_DIRECTIONS]; /* the primary directions that turn into this one */
    /* For each cell and direction: n > 0, the next jump point is n steps away; n <= 0, a wall stops after -n
     * steps. */
    int16_t (*steps)[WEND_DIRECTIONS];
    bool forcing; /* a primary direction can have something forced: under the corner rules `one` and `any` */
    wend_corner_graph *corners;
    bool lost; /* an update had no memory for the corners, which have to be made from nothing */
};

#endif
