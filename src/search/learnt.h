/* The heuristic that a real-time planner learns, and lookaheads that use it.
 *
 * One record per cell that was looked at, by hash. Every lookahead has a number, and so has every change of
 * what counts as known: a new task, another goal, h forgotten. A record's tag holds the number of the last
 * lookahead that touched it, or `mark`, a number that no lookahead has. So a record is
 *   free         below `alive`, where the task began;
 *   without h    below `valid`, where h was forgotten last: the given heuristic holds;
 *   not visited  below `met`, where the goal changed last;
 *   up to date   from `fresh` on, the largest of these.
 * Older ones are brought up to date when they are met, and all of these changes are O(1).
 *
 * Another goal t' (Koenig and Likhachev, "Adaptive A*", 2005; with Sun, "Generalized Adaptive A*", 2008): if
 * h is consistent for the old goal, max(H(x, t'), h(x) - h(t')) is consistent for t'. What is stored is h +
 * `offset`; the offset grows by h(t') with each change, and the maximum is taken when a record is met again.
 * Within a lookahead the offset is the same for all cells, so the kernel works with what is stored.
 *
 * Two widths, one source: 16 bytes per record with 32-bit costs, or 32 bytes. h is capped above the cost of
 * any shortest path (wend_learnt_limit); a consistent h stays so under min(h, cap). So sums never overflow,
 * even where the goal can't be reached and h grows for ever. The narrow form has 22 bits for numbers, which
 * come round again: with each number two slots are swept, so that long before any number is used again no
 * record carries it. */
#ifndef WEND_SEARCH_LEARNT_H
#define WEND_SEARCH_LEARNT_H

#include "search/search.h"

enum { WEND_LEARNT_SWEEP = 2 }; /* slots looked at with each number, an operation each */
#define WEND_NO_SLOT UINT32_MAX

#define COST uint32_t
#define N(x) x##_learnt
#include "search/kernels/learnt_find.inc"
#undef COST
#undef N
#define COST uint64_t
#define N(x) x##_learnt_wide
#include "search/kernels/learnt_find.inc"
#undef COST
#undef N

/* Room for `cells` cells in the table and for lookaheads of at most `lookahead` expansions.
 * WEND_STATUS_NO_MEMORY or WEND_STATUS_TOO_LARGE; nothing is allocated after this. */
wend_status wend_learnt_reserve(wend_search *search, uint32_t cells, uint32_t lookahead);
void wend_learnt_release(wend_search *search);
/* In use now: records and the open and closed lists of the lookahead. */
WEND_INLINE size_t wend_learnt_bytes(const wend_search *search) {
    const wend_learnt *learnt = &search->learnt;
    return (size_t)learnt->used * search->kernel->record_bytes +
           (size_t)search->queue.peak * search->node_bytes + learnt->closed_count * sizeof *learnt->closed;
}

/* A new task: everything is forgotten. O(1), as the next two; all end a lookahead. */
void wend_learnt_forget(wend_search *search, wend_cell goal);
/* Another goal in the same task. h must be consistent; it is kept as said above, and forgotten where the
 * offset has no room any more (65,536 moves of the goal, at least). */
void wend_learnt_set_goal(wend_search *search, wend_cell goal);
/* h is forgotten, where the agent has been is not. */
void wend_learnt_drop(wend_search *search);
/* The same, with another goal from now on: a subgoal on the way. */
void wend_learnt_aim(wend_search *search, wend_cell goal);

/* What is known of the cell at (x, y), without entering it. */
WEND_INLINE uint64_t wend_learnt_h(const wend_search *search, wend_cell cell, uint32_t x, uint32_t y) {
    return search->learnt.wide ? known_learnt_wide(search, cell, x, y) : known_learnt(search, cell, x, y);
}

/* Notes that the agent stands on a cell, which is entered if it is new; true if it has been there before.
 * `slot` says where the record stands, until h or all is forgotten; WEND_NO_SLOT if the table is full. */
bool wend_learnt_visit(wend_search *search, wend_cell cell, uint32_t *slot);
/* Raises h of that record, never lowers it. */
WEND_INLINE void wend_learnt_raise(wend_search *search, uint32_t slot, uint64_t h) {
    wend_learnt *learnt = &search->learnt;
    h = (h < learnt->cap ? h : learnt->cap) + learnt->offset;
    if (learnt->wide)
        raise_learnt_wide(learnt, (wend_record_learnt_wide *)learnt->slots + slot, h);
    else
        raise_learnt(learnt, (wend_record_learnt *)learnt->slots + slot, (uint32_t)h);
}

/* Whether h is consistent over all legal moves among the nine cells around one. At most WEND_LEARNT_AROUND
 * operations, counted. */
bool wend_learnt_consistent_around(wend_search *search, wend_cell cell);
enum { WEND_LEARNT_AROUND = 9 + 9 * WEND_DIRECTIONS };

/* No shortest path on the map as it is now costs more. Its cells are all different, so it has fewer moves
 * than there are open cells. Unless corners are free (`any`), a diagonal move passes an open cell beside
 * both of its ends. That cell is not on the path (otherwise a shorter path exists), and no other diagonal
 * move of the path passes it (two diagonal moves cost more than the two straight moves over that cell). So a
 * diagonal move counts for two cells, and costs no more than two straight moves. */
WEND_INLINE uint64_t wend_learnt_limit(const wend_search *search) {
    return (uint64_t)search->map->open_cells * search->learnt.dearest;
}

/* Of all that is known, for comparing runs. */
uint64_t wend_learnt_hash(const wend_search *search);

/* Starts a lookahead from a cell; false if there is no room. If the room is taken by cells that were looked
 * at for earlier goals, everything is forgotten instead. */
bool wend_learnt_begin(wend_search *search, wend_cell from);

/* Whether the lookahead under way has touched one of the nine cells around a cell. At most nine operations,
 * counted. If not, it has seen no move that changes when the cell is opened or closed. */
bool wend_learnt_touches_around(wend_search *search, wend_cell cell);

/* An open cell of a lookahead. */
typedef struct wend_ahead {
    wend_cell cell;
    uint32_t move; /* the first of the way there; WEND_NO_DIRECTION if that is where it started */
    uint64_t f;
} wend_ahead;

/* The cell about to be expanded, after passing over outdated nodes (an operation each); false if the queue is
 * empty. */
bool wend_learnt_first(wend_search *search, wend_ahead *first);
/* The open cell whose h has been raised least over the given heuristic; of those, the first in the queue's
 * order. Right after wend_learnt_first. Counts the nodes it looks at. */
wend_ahead wend_learnt_least_raised(wend_search *search);

/* Learns from a lookahead, which is over then: h(x) := f - g(x) for all x that it has expanded. */
void wend_learnt_update(wend_search *search, uint64_t f);
/* The same, but as much as the lookahead shows: h of each expanded cell becomes the least cost of leaving
 * them all, plus h where the way leaves. The open list must be complete (wend_onward_all) and not empty.
 * `queue` has the form of the search's kernel and room for nine nodes per expanded cell. */
void wend_learnt_spread(wend_search *search, wend_queue *queue);

#endif
