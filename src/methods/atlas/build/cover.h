/* The first half of building an atlas: representatives such that every open cell can climb to one of them and
 * be climbed to from it, who owns which cell, and which owners are neighbours.
 *
 * The map is cut into sectors of side x side cells. Each part of a sector that is connected within it and has
 * at least side^2 / 16 cells is represented by the cell nearest to its centroid. A cell is covered by a
 * representative of the 3 x 3 sectors around it if the climber leads there and back. Cells that are not
 * covered are given representatives of their own, again one for each part of them, until none is left. */
#ifndef WEND_ATLAS_BUILD_COVER_H
#define WEND_ATLAS_BUILD_COVER_H

#include "methods/atlas/layout.h"

/* Who does the work, and who hears of its progress. */
typedef struct wend_atlas_crew {
    const wend_tasks *tasks; /* NULL: one after another, here */
    uint32_t workers;
    const wend_builder *builder; /* or NULL */
} wend_atlas_crew;

void wend_atlas_run(const wend_atlas_crew *crew, uint32_t count,
                    void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument);
/* False: stop, with WEND_STATUS_INTERRUPTED. */
bool wend_atlas_goes_on(const wend_atlas_crew *crew, const char *stage, uint64_t done, uint64_t total);

typedef struct wend_atlas_cover {
    const wend_map *map;
    wend_allocator allocator;
    wend_atlas_grid grid;
    wend_cell *reps; /* those of a round after those of the rounds before, each round in order of sectors */
    uint32_t count, capacity;
    uint64_t *pairs; /* of owners of neighbouring cells: smaller << 32 | larger, in order, each once */
    size_t pair_count;
} wend_atlas_cover;

/* 4 bytes per cell while it works. WEND_STATUS_NO_MEMORY or WEND_STATUS_INTERRUPTED, with words. Release it
 * in any case. */
wend_status wend_atlas_cover_make(wend_atlas_cover *cover, const wend_map *map, uint32_t side,
                                  const wend_atlas_crew *crew, const wend_allocator *allocator,
                                  wend_error *error);
void wend_atlas_cover_release(wend_atlas_cover *cover);

#endif
