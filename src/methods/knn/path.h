/* Records: an optimal path, compressed into states of which each can be climbed to from the one before
 * (figures 5 and 6 of "Case-based subgoaling in real-time heuristic search", JAIR 2010). */
#ifndef WEND_KNN_PATH_H
#define WEND_KNN_PATH_H

#include "base/memory.h"
#include "search/jumps.h"

/* What a worker needs for them; memory grows as paths get longer, and is kept. */
typedef struct wend_knn_paths {
    const wend_map *map;
    const wend_jumps *jumps;
    wend_allocator allocator;
    wend_search *search;
    wend_cell *cells; /* of the last path */
    size_t cell_count, cell_capacity;
    wend_cell *states; /* of the last record */
    size_t state_count, state_capacity;
} wend_knn_paths;

/* Release it in any case. */
wend_status wend_knn_paths_create(wend_knn_paths *paths, const wend_map *map, const wend_jumps *jumps,
                                  const wend_allocator *allocator, wend_error *error);
void wend_knn_paths_release(wend_knn_paths *paths);

/* How the next state is found. */
typedef enum wend_compress {
    WEND_COMPRESS_BINARY, /* by halving, as the paper: right if what can be reached comes first on the path */
    WEND_COMPRESS_LINEAR  /* the last of all cells that can be climbed to */
} wend_compress;

/* The record from an open cell to another: its states are in paths->states, the ends included.
 * WEND_STATUS_WRONG_CONTENTS if no path joins them; WEND_STATUS_NO_MEMORY. */
wend_status wend_knn_paths_record(wend_knn_paths *paths, wend_cell start, wend_cell goal,
                                  wend_compress compress);

#endif
