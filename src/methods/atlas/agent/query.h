/* What an agent with an atlas borrows while it finds its way: which representatives are near its ends, the
 * search over the hierarchy, and the way that it has found. All of it goes on from where it was left, in
 * slices of any number of operations. */
#ifndef WEND_ATLAS_AGENT_QUERY_H
#define WEND_ATLAS_AGENT_QUERY_H

#include "methods/atlas/layout.h"
#include "plan/agent.h"

enum {
    WEND_ATLAS_ENDS = 8,  /* representatives that each end is joined to, at most */
    WEND_ATLAS_NEAR = 32, /* how many are sorted by distance at a time */
    WEND_ATLAS_TRIES = 64 /* how many are tried if one has been found */
};

/* A representative that an end can be climbed to from, or the other way, and the cost of that. */
typedef struct wend_atlas_end {
    uint64_t cost;
    uint32_t rep;
} wend_atlas_end;

typedef struct wend_atlas_record {
    uint64_t cost;
    uint32_t stamp, parent;
    uint32_t place; /* in the heap, from 1; 0: settled */
    uint32_t rest;  /* what it takes at least from there: cost + rest is its place in the order */
} wend_atlas_record;

typedef struct wend_atlas_side {
    wend_atlas_record *records; /* by rank, every other one: see wend_atlas_record_of */
    uint32_t *heap;             /* ranks, least cost + rest first */
    uint32_t count;             /* in the heap */
    wend_atlas_end *ends;
    uint32_t end_count, entered; /* entered: those of them that the search has begun with */
    wend_cell cell;              /* where the way begins or ends */
} wend_atlas_side;

/* What a side knows of a node. Records of both sides lie next to each other, since who comes to a node from
 * one asks whether the other has. */
WEND_INLINE wend_atlas_record *wend_atlas_record_of(const wend_atlas_side *side, uint32_t node) {
    return &side->records[2 * (size_t)node];
}

/* The search for representatives near a cell, nearest first. */
typedef struct wend_atlas_search {
    uint32_t side; /* 0: climbs lead from the cell, 1: to it */
    wend_cell cell;
    wend_atlas_block block;
    uint32_t row, at, end; /* of the members that are looked at */
    bool sorted;           /* all were looked at: those in `near` are tried */
    wend_atlas_end near[WEND_ATLAS_NEAR];
    uint32_t near_count, tried, total; /* tried: of `near`; total: in all */
    wend_atlas_end last;               /* behind which `near` begins */
    bool again, climbing;
    wend_climb_walk walk;
    wend_atlas_level level; /* of an exact atlas: the squares that are looked at */
    wend_cell last_leg;     /* where the climb goes when it has come to walk.to, if that is another cell */
} wend_atlas_search;

typedef struct wend_atlas_query {
    const wend_atlas *atlas;
    const wend_map *map;      /* as it is now: the atlas may be of an earlier one */
    wend_atlas_side sides[2]; /* from the start, from the goal */
    uint32_t stamp, room;
    wend_atlas_search search;
    /* The node that is being expanded, and its next arc. */
    uint32_t side, node, arc; /* with labels: the representative, and the entry of its label */
    uint32_t end;             /* with labels: which end of the side; which one of each side makes the way */
    uint32_t chosen[2];
    bool expanding, climbing; /* climbing: the way is known, and is followed to the hub */
    uint64_t cost, best;      /* best: of a way; UINT64_MAX: none yet */
    uint32_t meet;
    uint32_t touched;
    /* The way: nodes still to come, the next on top. */
    uint32_t *stack;
    uint32_t bottom, top;          /* top: one above */
    uint32_t traced;               /* the node that the trace has come to */
    bool upwards, ready;           /* ready: the trace is done */
    bool handed;                   /* the first of the way has been handed out */
    uint64_t left;                 /* from the last that was handed out to the goal */
    struct wend_atlas_query *next; /* among those that are free */
    struct wend_atlas_query *made; /* the one that was made before it */
} wend_atlas_query;

/* Queries of one size. */
typedef struct wend_atlas_pool {
    wend_attachment attachment;    /* to the ground */
    uint32_t room;                 /* representatives */
    uint32_t ends;                 /* that a side has room for */
    wend_atlas_query *made, *free; /* lists */
    uint32_t count, users;         /* queries, and agents that share them */
    /* For who waits for a query and only wants to know where to go meanwhile: for ends of the start, within a
     * step. It has no room for a search. */
    wend_atlas_query scout;
} wend_atlas_pool;

/* The pool for an agent of an atlas, until it leaves: made if there is none yet. NULL: no memory. */
wend_atlas_pool *wend_atlas_pool_join(wend_ground *ground, const wend_atlas *atlas);
void wend_atlas_pool_leave(wend_atlas_pool *pool); /* NULL is fine */
/* To search an atlas on a map. NULL: none is free. */
wend_atlas_query *wend_atlas_borrow(wend_atlas_pool *pool, const wend_atlas *atlas, const wend_map *map);
/* The pool's scout, made ready. */
wend_atlas_query *wend_atlas_scout(wend_atlas_pool *pool, const wend_atlas *atlas, const wend_map *map);
void wend_atlas_return(wend_atlas_pool *pool, wend_atlas_query *query);
/* What a query has touched since it was begun. */
size_t wend_atlas_query_used(const wend_atlas_query *query);

/* All that follow may go over `operations` by WEND_ATLAS_OVER. */
enum { WEND_ATLAS_OVER = WEND_ATLAS_FIND + WEND_CLIMB_OPERATIONS };

/* How many ends a side may have. */
WEND_INLINE uint32_t wend_atlas_most_ends(const wend_atlas *atlas) {
    return atlas->ends ? atlas->most_ends : WEND_ATLAS_ENDS;
}

/* Of an exact atlas: whether a natural piece (methods/atlas/build/corners.h) leads from one cell to
 * another. */
void wend_atlas_piece_begin(wend_atlas_query *query, wend_cell from, wend_cell to);
wend_climb_end wend_atlas_piece_run(wend_atlas_query *query, uint64_t operations, uint64_t *counted);

/* Finds the ends of one side: 0 the start's, 1 the goal's. True when it is done; then sides[side].ends has
 * them, none only with a forged file. */
void wend_atlas_ends_begin(wend_atlas_query *query, uint32_t side, wend_cell cell);
bool wend_atlas_ends_run(wend_atlas_query *query, uint64_t operations, uint64_t *counted);

/* Heaps of nodes by their costs, for searches over representatives. A search begins with a new stamp; `offer`
 * is for a way of this cost to a node, and knows nothing of what is left from there; `take_least` needs one
 * in the heap. */
void wend_atlas_query_renew(wend_atlas_query *query);
void wend_atlas_offer(wend_atlas_query *query, wend_atlas_side *side, uint32_t node, uint64_t cost,
                      uint32_t parent);
uint32_t wend_atlas_take_least(wend_atlas_side *side);

/* The search between the ends of both sides. True when it is done: query->best is UINT64_MAX if there is no
 * way. */
void wend_atlas_query_begin(wend_atlas_query *query);
bool wend_atlas_query_run(wend_atlas_query *query, uint64_t operations, uint64_t *counted);

/* The way that was found, from the start's end on: representatives, any two in a row joined by an arc or a
 * shortcut. Writes at most `room` of them, and says how many. False if the operations did not suffice. When
 * no more are to come, query->top is query->bottom. query->left is what the way costs from the last one. */
void wend_atlas_way_begin(wend_atlas_query *query);
bool wend_atlas_way_run(wend_atlas_query *query, uint32_t *reps, uint32_t room, uint32_t *count,
                        uint64_t operations, uint64_t *counted);
/* The goal's end of the way, once it has been handed out, or the first of the way has. */
wend_atlas_end wend_atlas_way_end(const wend_atlas_query *query);

#endif
