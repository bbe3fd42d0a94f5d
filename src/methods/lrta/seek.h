/* LRTA* towards a target: the lookahead and the learning that `lrta` and the planners with subgoals share.
 *
 * Korf, "Real-time heuristic search" (1990), as figure 1 of "Case-based subgoaling in real-time heuristic
 * search" (JAIR 2010) has it: the successors up to cost `gmax` (line 4), or up to `d` moves ("kNN LRTA*",
 * AIIDE 2009); the frontier cell s' of least g + h (line 5), ties to the larger g, then to the smaller first
 * direction, then to the smaller cell; h(s) raised to that (line 6, read as a maximum); one step towards s'
 * (line 7). With d = 1 it is algorithm 1 of "Fast subgoaling for pathfinding via real-time search" (SoCS
 * 2011).
 *
 * The frontier is what a path must pass to leave the cells that were generated: those with a neighbour that
 * was not. The target counts as one wherever it is generated. The lookahead goes in rounds of one move, in a
 * window around the agent. Where a cell is reached more cheaply by more moves, its successors are looked at
 * again in the next round.
 *
 * Departure: with a lookahead beyond one move, line 5 as printed looks at h on the frontier only. What was
 * learnt of the cells inside never counts then, and an agent can walk to and fro between two of them for ever
 * (tests/methods/lrta/test_lrta.c has such maps). So the value of an inner cell is the least c + value of its
 * neighbours, but never less than its own h. Values are worked out from the frontier inwards, in their order.
 * Where nothing inside has been learnt, that is line 5 to the letter, since the given h is consistent. The
 * value of the chosen neighbour is never below its h, so Korf's proof that the target is reached holds. Of
 * equal neighbours the more expensive move wins, then the smaller direction. */
#ifndef WEND_LRTA_SEEK_H
#define WEND_LRTA_SEEK_H

#include "methods/lrta/learner.h"
#include "methods/lrta/pursuit.h"

enum { WEND_SEEK_MOST_MOVES = 64 };

typedef struct wend_seek_cell {
    uint64_t g;
    uint64_t value; /* UINT64_MAX until known */
    uint64_t seen;  /* the number of the lookahead that generated it */
    wend_cell cell;
    uint32_t round; /* of this lookahead in which it was put into a list last */
} wend_seek_cell;

/* At the start of a planner's state. The target is learner.search->goal: the agent's goal, or a subgoal on
 * the way there. */
typedef struct wend_seek {
    wend_learner learner; /* first */
    uint32_t here;        /* the slot of the cell it stands on; WEND_NO_SLOT if the table was full */
    uint32_t reach; /* moves: the window is 2 reach + 1 cells per side, and a border of one more all round */
    uint64_t limit; /* the most cost, or UINT64_MAX where moves are counted */
    wend_seek_cell *window;
    uint32_t *lists;       /* three of the window's size: */
    uint32_t *list, *next; /* window cells of this round and the next */
    uint32_t *all;         /* every one that was generated */
    uint32_t all_count;
    uint64_t number; /* of the lookahead */
    wend_queue queue;
    void *queue_block;
    /* Of planners with subgoals. */
    uint64_t goals;   /* the agent's, when the task began or its goal changed */
    uint64_t raised;  /* cells whose h was raised for earlier targets */
    bool unreachable; /* the target, a subgoal, was proved to be, or is to be given up */
    wend_pursuit pursuit;
} wend_seek;

/* Takes the memory for a lookahead of `reach` moves, or of at most `limit` in cost if that is less. */
wend_status wend_seek_create(wend_agent *agent, uint32_t reach, uint64_t limit,
                             const wend_agent_options *options, wend_error *error);
void wend_seek_release(wend_agent *agent);
bool wend_seek_visit(wend_agent *agent);

/* Planners with subgoals, instead of wend_learner_begin: a task begins or goes on, with the agent's goal for
 * a target. */
void wend_seek_begin(wend_agent *agent);
/* Another target. What was learnt for the last one is forgotten, where the agent has been is not. O(1),
 * WEND_LEARNT_SWEEP operations. */
void wend_seek_target(wend_agent *agent, wend_cell target);
WEND_INLINE wend_cell wend_seek_target_of(const wend_agent *agent) {
    return ((const wend_learner *)agent->state)->search->goal;
}

/* The same as a planner's function. */
wend_cell wend_seek_target_of_agent(const wend_agent *agent);

/* Changes of the view, as planners' functions: those of `lrta`; and a subgoal that is closed is given up. */
void wend_seek_changed(wend_agent *agent, wend_cell cell, bool opened);
void wend_seek_lost(wend_agent *agent);

/* Looks ahead, learns, and returns the move towards the target. WEND_NO_DIRECTION where the task has ended,
 * without a path or out of memory; or, with a subgoal, where that proved unreachable. Then `unreachable` is
 * set until there is another target; and so it is where this move is the last towards the subgoal
 * (pursuit.h). */
uint32_t wend_seek_move(wend_agent *agent);
/* The most operations that a move can take. */
uint64_t wend_seek_bound(const wend_agent *agent);
size_t wend_seek_used(const wend_agent *agent, uint64_t *cells);
/* Of all that it knows, for comparing runs. */
uint64_t wend_seek_hash(const wend_agent *agent);

#endif
