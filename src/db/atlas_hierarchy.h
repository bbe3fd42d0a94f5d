/* The contraction hierarchy over the graph of an atlas (Geisberger, Sanders, Schultes and Delling,
 * "Contraction hierarchies", WEA 2008): nodes are taken out of the graph one after another, the least
 * important first, and where a shortest way led over a node, a shortcut between two of its neighbours takes
 * its place. What is kept of a node are its arcs to those taken out later, its upper ones.
 *
 * Departures: the order is by edge difference and depth alone, evaluated when a node comes up (lazily); the
 * search for witnesses is limited by the nodes it settles, so that some shortcuts are not needed. They are
 * never wrong: each is a way over two arcs below it. */
#ifndef WEND_DB_ATLAS_HIERARCHY_H
#define WEND_DB_ATLAS_HIERARCHY_H

#include "db/atlas_graph.h"

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

/* Needs the graph's arcs. WEND_NO_MEMORY or WEND_INTERRUPTED. Release it in any case. */
wend_status wend_atlas_hierarchy_make(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                      const wend_atlas_crew *crew);
/* The same in slices, in the best order that it can see (`order` NULL) or in a given one. Each may go over
 * its operations by what one node has arcs. The hierarchy and the graph stay where they are until it is done;
 * destroy it in any case, before the hierarchy. */
typedef struct wend_atlas_contraction wend_atlas_contraction;
wend_status wend_atlas_contraction_create(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                          const uint32_t *order, wend_atlas_contraction **made);
wend_status wend_atlas_contraction_run(wend_atlas_contraction *c, uint64_t operations, uint64_t *counted,
                                       bool *done);
void wend_atlas_contraction_destroy(wend_atlas_contraction *c);
void wend_atlas_hierarchy_release(wend_atlas_hierarchy *hierarchy);

#endif
