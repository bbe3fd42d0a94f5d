/* The graph of an atlas: representatives, and links between some of them with exact costs. It begins with
 * neighbours; rounds add long edges wherever a link is shorter than what two edges give, by more than a given
 * share; edges that two others match are dropped. */
#ifndef WEND_ATLAS_BUILD_GRAPH_H
#define WEND_ATLAS_BUILD_GRAPH_H

#include "methods/atlas/build/cover.h"
#include "methods/atlas/build/link.h"

/* Costs of edges fit into 32 bits: the two ends of the first ones are each within a climb of the other's
 * cells, and a round at most doubles them. Sums over paths take 64. */
typedef struct wend_atlas_edge {
    uint32_t a, b; /* a < b */
    uint32_t cost;
    uint32_t bend_count;
    size_t bends; /* the first, on the way from a to b */
} wend_atlas_edge;

enum { WEND_ATLAS_MOST_ROUNDS = 4 };

/* From a node: the edges that it has. */
typedef struct wend_atlas_arc {
    uint32_t to, edge;
} wend_atlas_arc;

typedef struct wend_atlas_graph {
    const wend_map *map;
    wend_allocator allocator;
    const wend_cell *cells; /* of the nodes; the caller's */
    uint32_t nodes;
    wend_atlas_edge *edges;
    uint32_t edge_count, edge_capacity;
    wend_cell *bends;
    size_t bend_count, bend_capacity;
    uint32_t *first; /* by node: its arcs, in order of `to`; one more closes them */
    wend_atlas_arc *arcs;
    size_t arc_capacity;
} wend_atlas_graph;

void wend_atlas_graph_release(wend_atlas_graph *graph);

/* Room for one more edge with so many bends; false: no memory. */
bool wend_atlas_graph_room(wend_atlas_graph *graph, size_t bends);

/* A link as bytes, low ones first: a, b, cost, how many bends, bends; 32 bits each. */
bool wend_atlas_put(wend_buffer *buffer, uint32_t a, uint32_t b, wend_cost cost, const wend_cell *bends,
                    size_t count);
/* Adds all links of a buffer. WEND_STATUS_DAMAGED if they can't be such; WEND_STATUS_NO_MEMORY. */
wend_status wend_atlas_graph_add(wend_atlas_graph *graph, const wend_buffer *links);
/* Makes the arcs again, from the edges as they are. */
wend_status wend_atlas_graph_arcs(wend_atlas_graph *graph);

/* Drops edges that are there twice, and those that two others match. Makes the arcs. */
wend_status wend_atlas_graph_thin(wend_atlas_graph *graph);

/* One round: adds long edges, drops those that two others match. Needs arcs, and leaves them up to date.
 * `linkers` is one a worker, `spare` the share of the cost, in millionths, that an edge has to save. `round`
 * of `rounds` is for the progress. */
wend_status wend_atlas_graph_round(wend_atlas_graph *graph, wend_atlas_linker *linkers, uint32_t spare,
                                   uint32_t round, uint32_t rounds, const wend_atlas_crew *crew);

#endif
