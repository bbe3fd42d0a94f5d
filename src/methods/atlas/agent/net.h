/* The edges of an atlas as a plain graph, for agents that have found some of them cut. The hierarchy is of no
 * use then: its shortcuts stand for edges that may be gone. */
#ifndef WEND_ATLAS_AGENT_NET_H
#define WEND_ATLAS_AGENT_NET_H

#include "methods/atlas/agent/query.h"

/* Which arcs an agent has found cut, in its task: those with the book's stamp. */
typedef struct wend_atlas_book {
    uint32_t *cut; /* by arc */
    uint32_t stamp;
    struct wend_atlas_book *next; /* among those that are free */
    struct wend_atlas_book *made; /* the one that was made before it */
} wend_atlas_book;

/* An edge from the representative of higher rank. */
typedef struct wend_atlas_down {
    uint32_t to, arc;
} wend_atlas_down;

/* Of one atlas in a world that can be edited. */
typedef struct wend_atlas_net {
    wend_attachment attachment; /* to the ground */
    const wend_atlas *atlas;
    uint32_t arcs, edges;
    uint32_t *first; /* by rank: its edges down; one more closes them */
    wend_atlas_down *down;
    wend_atlas_book *books, *free; /* lists */
    uint32_t count, users;         /* books, and agents that share them */
} wend_atlas_net;

/* Made for the first agent that asks for it, gone with the last: the atlas may not outlive them. NULL: no
 * memory. */
wend_atlas_net *wend_atlas_net_join(wend_ground *ground, const wend_atlas *atlas);
void wend_atlas_net_leave(wend_ground *ground, wend_atlas_net *net);

/* NULL: none is free, though the agent has a query: others have queries of another pool. Then who asks keeps
 * nothing that others wait for. */
wend_atlas_book *wend_atlas_book_borrow(wend_atlas_net *net);
void wend_atlas_book_return(wend_atlas_net *net, wend_atlas_book *book);

/* A search over the edges that are not cut, from the query's ends of one side to those of the other. */
typedef struct wend_atlas_netting {
    const wend_atlas_net *net;
    wend_atlas_query *query;
    wend_atlas_book *book;
    /* A search that has failed to get far from where the agent stands, or NULL. Edges that lead out of what
     * it has touched are tried, and cut if they can't be climbed along. */
    const wend_search *region;
} wend_atlas_netting;

void wend_atlas_net_begin(const wend_atlas_netting *netting);
/* True when it is done: query->best is UINT64_MAX if there is no way. May go over `operations` by
 * WEND_ATLAS_OVER. */
bool wend_atlas_net_run(const wend_atlas_netting *netting, uint64_t operations, uint64_t *counted);
/* Puts the way on the query's stack, the first of it on top, with stack[bottom] at the goal's end. True when
 * it is done. */
bool wend_atlas_net_trace(wend_atlas_query *query, uint64_t operations, uint64_t *counted);

#endif
