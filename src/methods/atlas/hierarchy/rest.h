/* The graph that is left while nodes are taken out of it, one set after another, for the hierarchy of an
 * atlas. Arcs lie in one block, one list per node; a list that outgrows its place moves to the end of the block.
 * Workers read it at the same time; whoever changes it is alone. */
#ifndef WEND_ATLAS_HIERARCHY_REST_H
#define WEND_ATLAS_HIERARCHY_REST_H

#include "methods/atlas/build/graph.h"

/* In `what`, with the node that a shortcut passes over; without it `what` is an edge of the graph. */
#define WEND_ATLAS_OVER 0x80000000u

typedef struct wend_atlas_rest_arc {
    uint64_t cost;
    uint32_t to, what;
} wend_atlas_rest_arc;

typedef struct wend_atlas_rest_list {
    size_t first; /* of its arcs in the block */
    uint32_t count, capacity;
} wend_atlas_rest_list;

/* A shortcut that has to take the place of a node. */
typedef struct wend_atlas_shortcut {
    uint64_t cost;
    uint32_t a, b, middle;
} wend_atlas_shortcut;

typedef struct wend_atlas_rest {
    const wend_map *map;
    wend_allocator allocator;
    uint32_t nodes;
    wend_xy *places; /* of the nodes */
    wend_atlas_rest_list *lists;
    wend_atlas_rest_arc *arcs;
    size_t arc_count, arc_capacity;
    /* Of each node that is chosen to be taken out next: 1. They are taken out in order of their numbers, and
     * no two of them are neighbours. */
    uint8_t *chosen;
} wend_atlas_rest;

/* Needs the graph's arcs. WEND_STATUS_NO_MEMORY; WEND_STATUS_TOO_LARGE: more nodes or edges than can be
 * numbered. Release it in any case. */
wend_status wend_atlas_rest_reserve(wend_atlas_rest *rest, const wend_atlas_graph *graph);
void wend_atlas_rest_release(wend_atlas_rest *rest);
/* Takes over a node and its arcs: all of them before anything else, in any order, by any worker. */
void wend_atlas_rest_load(wend_atlas_rest *rest, const wend_atlas_graph *graph, uint32_t node);

/* The arcs of a node, in order of their costs; good until the graph is changed. */
WEND_INLINE const wend_atlas_rest_arc *wend_atlas_rest_arcs(const wend_atlas_rest *rest, uint32_t node,
                                                            uint32_t *count) {
    const wend_atlas_rest_list *list = &rest->lists[node];
    *count = list->count;
    return rest->arcs + list->first;
}

/* Drops the arcs that lead to a node, and its list. */
void wend_atlas_rest_remove(wend_atlas_rest *rest, uint32_t node);
/* Adds a shortcut, or makes the one that is there cheaper. (An edge of the graph is the cheapest way there
 * is.) False: no memory. */
bool wend_atlas_rest_join(wend_atlas_rest *rest, const wend_atlas_shortcut *shortcut);

#endif
