/* The contraction hierarchy over the graph of an atlas (Geisberger, Sanders, Schultes and Delling,
 * "Contraction hierarchies", WEA 2008): nodes are taken out of the graph, the least important first. Where a
 * shortest way led over a node, a shortcut between two of its neighbours takes its place. What is kept of a
 * node are its arcs to those taken out later, its upper ones.
 *
 * Departures: nodes are taken out in rounds, each time all that are less important than every neighbour
 * (Vetter, "Parallel time-dependent contraction hierarchies", 2009, compares with neighbours of neighbours
 * too). No two of them are neighbours, so workers look for their shortcuts at the same time, in the graph as
 * it was before the round. The result does not depend on how many workers there are. Importance is edge
 * difference and depth alone, and is worked out again only when a node comes up (lazily). The search for
 * witnesses (witness.h) keeps to where the distance without walls leaves a chance. */
#ifndef WEND_ATLAS_HIERARCHY_HIERARCHY_H
#define WEND_ATLAS_HIERARCHY_HIERARCHY_H

#include "methods/atlas/build/graph.h"

/* An arc between two nodes. Of a shortcut, `edge` is WEND_ATLAS_SHORTCUT and `middle` the node that it passes
 * over; otherwise `edge` is the graph's. */
#define WEND_ATLAS_SHORTCUT UINT32_MAX
typedef struct wend_atlas_link_up {
    uint64_t cost;
    uint32_t to, edge, middle;
} wend_atlas_link_up;

typedef struct wend_atlas_hierarchy {
    wend_allocator allocator;
    uint32_t nodes;
    uint32_t *rank;         /* of each node of the graph */
    uint32_t *order;        /* by rank: the node */
    size_t *first;          /* by rank: its upper arcs; one more closes them */
    wend_atlas_link_up *up; /* `to` and `middle` are ranks; in order of `to` */
    size_t up_count, up_capacity;
    uint32_t shortcuts;
} wend_atlas_hierarchy;

/* Needs the graph's arcs. WEND_STATUS_NO_MEMORY, WEND_STATUS_INTERRUPTED or WEND_STATUS_TOO_LARGE. Release it
 * in any case. */
wend_status wend_atlas_hierarchy_make(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                      const wend_atlas_crew *crew);
void wend_atlas_hierarchy_release(wend_atlas_hierarchy *hierarchy);

/* The same in slices of bounded work on one thread, for repairs beside agents that walk. With a given order
 * (by rank, the nodes), rounds are of one node each, and nothing is weighed; with NULL, the hierarchy is the
 * one that wend_atlas_hierarchy_make makes. Hierarchy, graph and order stay where they are until it is done;
 * destroy it in any case, before the hierarchy. WEND_STATUS_NO_MEMORY or WEND_STATUS_TOO_LARGE. */
typedef struct wend_atlas_contraction wend_atlas_contraction;
wend_status wend_atlas_contraction_create(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                          const uint32_t *order, wend_atlas_contraction **made);
/* Goes on until *used, which counts, has come to `operations`, and over them by at most some times what a
 * node has arcs. WEND_STATUS_NO_MEMORY. */
wend_status wend_atlas_contraction_run(wend_atlas_contraction *c, uint64_t operations, uint64_t *used,
                                       bool *done);
void wend_atlas_contraction_destroy(wend_atlas_contraction *c);

#endif
