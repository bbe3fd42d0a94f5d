/* Hub labels from the hierarchy of an atlas (Abraham, Delling, Goldberg and Werneck, "Hierarchical hub
 * labelings for shortest paths", ESA 2012): of each node, the nodes above it that may be the highest of a
 * shortest way, with their costs. Two labels give the distance of their nodes without a search. An entry also
 * says by which upper arc the way to its hub begins; the label of the node where that arc leads has the rest
 * of the way. */
#ifndef WEND_ATLAS_HIERARCHY_LABELS_H
#define WEND_ATLAS_HIERARCHY_LABELS_H

#include "methods/atlas/hierarchy/hierarchy.h"

typedef struct wend_atlas_label {
    uint64_t cost;
    uint32_t hub; /* a rank */
    uint32_t arc; /* which of the node's upper arcs; 0 in its entry for itself */
} wend_atlas_label;

typedef struct wend_atlas_labels {
    wend_allocator allocator;
    uint32_t nodes;
    size_t *first; /* by rank: its entries, in order of hubs, the one for itself first */
    size_t *count;
    wend_atlas_label *entries;
    size_t entry_count, capacity;
} wend_atlas_labels;

/* WEND_STATUS_NO_MEMORY or WEND_STATUS_INTERRUPTED. Release it in any case. */
wend_status wend_atlas_labels_make(wend_atlas_labels *labels, const wend_atlas_hierarchy *hierarchy,
                                   const wend_atlas_crew *crew);
void wend_atlas_labels_release(wend_atlas_labels *labels);

#endif
