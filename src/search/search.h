/* The workspace behind wend_search: stamped records, one queue, counters. Resetting it is O(1). */
#ifndef WEND_SEARCH_SEARCH_H
#define WEND_SEARCH_SEARCH_H

#include "search/kernels/corner_graph.h"
#include "search/kernels/kernel.h"
#include "search/onward.h"
#include <string.h>

/* What the adaptive searches of a task share. */
typedef struct wend_adaptive {
    bool on;
    uint32_t first;  /* the stamp of the first search whose results count */
    uint64_t offset; /* by which goals have moved since: see adaptive.h */
    uint64_t most;   /* no h is larger, so that sums fit */
    uint64_t *floor; /* by stamp - first: the least f that the search had left in its queue, plus offset */
    uint32_t floor_room;   /* how many searches may count at a time */
    uint32_t floors;       /* noted: all but that of the search under way */
    uint32_t known;        /* cells touched since `first` */
    uint64_t raised;       /* touched, and above the given heuristic of the goal that it has now */
    uint32_t raised_since; /* the stamp of the first search to that goal */
    bool tainted;          /* nothing of it holds any more once the next search begins */
    bool capped;           /* some h may have been above `most`; that of an unreachable goal is */
} wend_adaptive;

typedef struct wend_incremental {
    bool on;
    bool full;                 /* the queue had no room for an expansion or a change: begin again */
    uint64_t km;               /* how far starts have moved since it began */
    uint32_t start_x, start_y; /* of search->start, the cell that keys are computed from */
    uint64_t updates;          /* UpdateVertex of vertices of which g or rhs had changed */
} wend_incremental;

typedef struct wend_learnt {
    void *slots;         /* wend_record_learnt, or wend_record_learnt_wide where `wide` */
    uint32_t slot_count; /* a power of two, never more than half in use; or 0 */
    uint32_t used;
    uint32_t dearest; /* the cost of a move, as wend_learnt_limit counts it */
    bool wide;
    bool kept;                         /* there are records from before the goal changed */
    uint64_t number;                   /* the last that was given out */
    uint64_t alive, met, valid, fresh; /* the first numbers that still count: see learnt.h */
    uint64_t mark;                     /* for a record that no lookahead has touched */
    uint64_t pass;                     /* that the sweep under way began with */
    uint32_t swept;                    /* slots of it */
    uint64_t alive_tag, alive_span, fresh_tag, fresh_span, tag; /* the numbers above as tags */
    uint64_t offset;                                            /* stored h - h; see learnt.h */
    uint64_t offset_room;                                       /* the most it may be */
    uint64_t cap;                                               /* the largest h */
    uint64_t raised;  /* cells whose h it has raised since it was given its goal */
    uint32_t *closed; /* the slots of the cells that the lookahead has expanded */
    uint32_t closed_count, closed_room;
} wend_learnt;

/* What a search over corners is about: see kernels/corner.inc. */
typedef enum wend_corner_phase {
    WEND_CORNER_GOAL_RUNS,
    WEND_CORNER_START_RUN,
    WEND_CORNER_GOAL_AHEAD,
    WEND_CORNER_START,
    WEND_CORNER_EXPAND
} wend_corner_phase;

typedef struct wend_corner_state {
    void *records; /* wend_record_corner, or wend_record_corner_wide where `wide` */
    uint32_t count;
    bool wide;
    uint64_t limit; /* a path that costs as much or more is not looked for */
    /* One bit per edge: whether it is of use for this goal. NULL: all are. Set before the search runs. */
    const uint64_t *flags;
    uint64_t fingerprint, fingerprint_of; /* of the map, and 1 + its revision then; 0: not known */

    wend_corner_phase phase;
    uint32_t direction, run;             /* the phase has come to */
    wend_cell cell;                      /* on that run */
    wend_corner_sweep sweep;             /* from goal or start */
    uint32_t goal_runs[WEND_DIRECTIONS]; /* by secondary direction: moves in it that end at the goal */
    uint32_t component;                  /* of the corners ahead of the goal */
    uint32_t expanding, onward;          /* a corner, and directions that have not been begun */
    uint32_t edge, edge_end;             /* of the direction under way */
    bool pending;                        /* the corner to be offered next is `to` */
    uint32_t to, parent;
    uint64_t g;
    bool left_out; /* ways whose sums need more than 32 bits */
    bool found;
    uint64_t best;                  /* the cost of the path that was found */
    uint32_t last;                  /* its last corner; WEND_NO_CORNER: it has none */
    uint32_t turned, turning, next; /* see wend_corner_turn */
} wend_corner_state;

/* Of searches for jump points without tables: see kernels/scan.h. */
typedef struct wend_scan {
    uint8_t *columns;    /* the map turned round, in the form that its rows have; NULL until needed */
    size_t column_bytes; /* of a column */
    bool known;          /* they show the map as it was at this revision */
    uint64_t revision;
    void *slots;           /* wend_record_scan, or wend_record_scan_wide */
    uint32_t slot_count;   /* a power of two, never more than half in use; or 0 */
    uint32_t slot_bytes;   /* of each */
    uint32_t goal_free[4]; /* straight moves that lead from the goal north, east, south and west */
    wend_cell seen_from;   /* where the search stopped */
} wend_scan;

struct wend_search {
    const wend_map *map;
    wend_allocator allocator;
    size_t max_bytes, bytes;
    uint32_t most_open; /* cells of the map that can be open at a time */
    bool wide;          /* so that costs need more than 32 bits */
    bool outgrown;      /* a whole search's did, and so will the next */

    const wend_kernel *kernel; /* of the current search */
    uint32_t stamp;
    uint32_t cell_count;
    void *cells; /* records of a kernel with one for each cell, map->cells of them; NULL until needed */
    uint32_t record_bytes, tag_at; /* of such a record, and where in it its tag stands */
    wend_adaptive adaptive;
    wend_incremental incremental;
    wend_corner_state corner;
    wend_scan scan;
    wend_learnt learnt;
    wend_queue queue;
    void *queue_block;    /* what was allocated; nodes begin at its first cache line */
    uint32_t node_bytes;  /* of the nodes that it holds */
    wend_buckets buckets; /* of whole searches */

    const wend_onward *onward; /* which moves it tries */
    bool shares;               /* that with others: it does not stand behind this block */

    const wend_watch *watch; /* called with every expansion, or NULL */
    const wend_jumps *jumps; /* for the search over corners */
    wend_cell start, goal;
    uint32_t goal_x, goal_y;
    uint64_t expansions, operations;
    uint32_t touched; /* records */
    bool found;
    uint64_t straight, diagonal; /* moves of the path that was found */
};

/* As wend_search_create, without a table of moves of its own, which takes most of the time and memory of a small
 * search: `onward` is of its map or one with the same rules, and outlives the search. */
wend_status wend_search_create_sharing(const wend_map *map, const wend_search_options *options,
                                       const wend_onward *onward, wend_search **search, wend_error *error);
/* Chooses the width of costs for a map with at most `open` open cells, before memory is allocated. Without
 * this call any cell may be opened. */
void wend_search_fit(wend_search *search, uint32_t open);

/* For real-time planners: memory is allocated once, then never again. For a search over the whole map: one
 * record per cell and `room` queue nodes. */
wend_status wend_search_reserve(wend_search *search, uint32_t room);
/* Of one over the corners of jump tables. Such a search has their kernel from now on. Again for other tables:
 * then it is of use for all of them. */
wend_status wend_search_reserve_corners(wend_search *search, const wend_jumps *jumps, uint32_t room);
/* Of the queue alone, for this kernel, which the search has from now on. */
wend_status wend_search_reserve_queue(wend_search *search, const wend_kernel *kernel, uint32_t room);
/* Starts a search for which memory was reserved; clears the records first if stamps ran out. */
void wend_search_begin(wend_search *search, wend_cell start, wend_cell goal);
/* Whether the next wend_search_begin would clear: once in 2^27 searches. */
bool wend_search_tired(const wend_search *search);
void wend_search_refresh(wend_search *search); /* clears the records now */
/* These three as in the kernel's row; watched, if somebody does. */
wend_ended wend_search_run(wend_search *search, uint64_t budget, uint64_t outdated);
WEND_INLINE wend_cell wend_search_best(wend_search *search, uint64_t outdated) {
    return search->kernel->best(search, outdated);
}
WEND_INLINE uint64_t wend_search_touched(const wend_search *search, wend_cell cell) {
    return search->kernel->touched(search, cell);
}
/* The direction in which the current A* reached a cell that it has touched; 8 for its start. */
WEND_INLINE uint32_t wend_search_reached(const wend_search *search, wend_cell cell) {
    uint32_t tag;
    memcpy(&tag, (const uint8_t *)search->cells + (size_t)cell * search->record_bytes + search->tag_at,
           sizeof tag);
    return tag & WEND_TAG_REACHED;
}

WEND_INLINE bool wend_search_over_corners(const wend_search *search) {
    return search->kernel == &wend_kernel_corner || search->kernel == &wend_kernel_corner_wide;
}

/* Of a search over corners: the corner from which a corner was reached, or WEND_NO_CORNER: the start. */
uint32_t wend_corner_parent(const wend_search *search, uint32_t number);
/* Once a path is found: has its corners lead from the start to the goal, `steps` of them at most, an operation
 * each. True: all do. */
bool wend_corner_turn(wend_search *search, uint64_t steps);
/* The move along such a path: `next` is the corner ahead, WEND_NO_CORNER the goal; search->corner.next at
 * first. */
uint32_t wend_corner_move(const wend_search *search, wend_cell at, uint32_t *next);

/* As wend_search_jps, over edges with a flag alone: see wend_corner_state. */
wend_status wend_search_jps_flagged(wend_search *search, const wend_jumps *jumps, const uint64_t *flags,
                                    wend_cell start, wend_cell goal, wend_result *result, wend_error *error);
/* As wend_search_jps, given up once the path is known to cost `limit` or more: then
 * WEND_FOUND_UNREACHABLE. */
wend_status wend_search_jps_within(wend_search *search, const wend_jumps *jumps, wend_cell start,
                                   wend_cell goal, wend_cost limit, wend_result *result, wend_error *error);
#endif
