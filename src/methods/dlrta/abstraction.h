/* Clique abstraction: a map cut into regions by collapsing cliques, level by level.
 *
 * Sturtevant and Buro, "Partial pathfinding using map abstraction and refinement" (AAAI 2005), on general
 * graphs: the ground level is the map with its legal moves, every other one the graph that the level below
 * collapses into. Nodes are taken in their order, those of the ground by cell. A node that is not assigned
 * yet takes with it a clique of neighbours that are not either: of four nodes in all if there is one, else of
 * three, else of two. Of cliques of one size it takes the first in the order of its neighbours (ground: by
 * direction). What is left alone becomes a node by itself, and in the end a node with a single neighbour
 * joins that one's clique. Two abstract nodes are joined where any of their members are.
 *
 * Reading: nodes with a single neighbour stay out of all cliques until the others are assigned. Taken in
 * their turn, the end of a corridor would tear its neighbour from the clique that this belongs to.
 *
 * Of a node with more than WEND_ABSTRACTION_LOOK free neighbours only the first so many are looked at, so
 * that no graph makes this slow. Game maps do not come near that. */
#ifndef WEND_DLRTA_ABSTRACTION_H
#define WEND_DLRTA_ABSTRACTION_H

#include "base/memory.h"
#include "grid/map.h"

enum { WEND_ABSTRACTION_LOOK = 64 };
#define WEND_NO_REGION UINT32_MAX

/* A region is all the cells below one abstract node: it is connected under the map's rules. */
typedef struct wend_abstraction {
    wend_allocator allocator;
    uint32_t cells, regions, components;
    uint32_t *labels;    /* the region of each cell; WEND_NO_REGION where it is blocked */
    uint32_t *component; /* of each region: from 0 on, never falling from one region to the next */
} wend_abstraction;

/* Collapses `level` times, at least once; what can't be collapsed any further stays as it is. Takes up to
 * about 30 bytes per cell while it works. */
wend_status wend_abstraction_create(const wend_map *map, uint32_t level, const wend_allocator *allocator,
                                    wend_abstraction *abstraction, wend_error *error);
void wend_abstraction_release(wend_abstraction *abstraction);

/* For each region its cell that is closest to the region's centroid, by Euclid; the centroid is rounded to a
 * sixteenth of a cell, ties go to the smaller cell. `centres` has room for all regions.
 * WEND_STATUS_NO_MEMORY. */
wend_status wend_abstraction_centres(const wend_abstraction *abstraction, const wend_map *map,
                                     wend_cell *centres);

#endif
