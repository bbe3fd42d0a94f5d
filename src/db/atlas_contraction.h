/* A hierarchy as in atlas_hierarchy.h, made in slices of bounded work on one thread, for repairs beside
 * agents that walk: nodes are taken out one after another, as in the paper that is named there. Where an
 * order is known that will do, nothing is weighed; that is what a repair has nearly always, and the rounds of
 * a build could make no use of it. */
#ifndef WEND_DB_ATLAS_CONTRACTION_H
#define WEND_DB_ATLAS_CONTRACTION_H

#include "db/atlas_hierarchy.h"

/* In the best order that it can see (`order` NULL) or in a given one. A slice may go over its operations by
 * what one node has arcs. The hierarchy and the graph stay where they are until it is done; destroy it in any
 * case, before the hierarchy. WEND_NO_MEMORY. */
typedef struct wend_atlas_contraction wend_atlas_contraction;
wend_status wend_atlas_contraction_create(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                          const uint32_t *order, wend_atlas_contraction **made);
wend_status wend_atlas_contraction_run(wend_atlas_contraction *c, uint64_t operations, uint64_t *counted,
                                       bool *done);
void wend_atlas_contraction_destroy(wend_atlas_contraction *c);

#endif
