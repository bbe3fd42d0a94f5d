/* Searches that learn from those before them: Adaptive A*.
 *
 * Koenig and Likhachev, "A new principle for incremental heuristic search: theoretical results" (ICAPS 2006),
 * in the lazy form of "Time-Bounded Adaptive A*" (AAMAS 2012, algorithm 3): when a search ends, or is given
 * up, the least f left in its queue is noted as its floor. Every cell x that it expanded is at least floor -
 * g(x) away from the goal; that is worked out when a later search first touches x. With a consistent h all of
 * it stays consistent, on a map where cells are closed but not opened.
 *
 * A goal that moves from t to t' makes h(x) into max(H(x, t'), h(x) - h(t')), H being the distance without
 * walls, which is consistent again. Instead of touching every cell, the sum of all h(t') is kept as an
 * offset: values are stored with the offset of their time added, and the present one is taken off when they
 * are read.
 *
 * h is never let above `most`, so that g + h fits the width of costs. min(h, most) is consistent if h is. */
#ifndef WEND_SEARCH_ADAPTIVE_H
#define WEND_SEARCH_ADAPTIVE_H

#include "search/search.h"

/* Turns a fresh search into one that learns; before wend_search_reserve. `searches`: how many may count at a
 * time; a task that begins more forgets what it has learnt, in O(1), and goes on. */
wend_status wend_adaptive_prepare(wend_search *search, uint32_t searches);
void wend_adaptive_release(wend_search *search);

/* A new task: nothing holds any more. O(1). */
void wend_adaptive_forget(wend_search *search);
/* Forgets when the next search begins: the results of the search under way and of those before it no longer
 * hold. */
void wend_adaptive_taint(wend_search *search);
/* Notes the floor of the search under way, if that has not been done. Skips at most eight outdated nodes for
 * it. If an outdated one is still at the top, the floor is lower than it could be, but still correct. */
void wend_adaptive_close(wend_search *search);
/* Before a search to another goal, with the old one still in search->goal: a floor has been noted. */
void wend_adaptive_move_goal(wend_search *search, wend_cell goal);

/* What is known of the distance from a cell to search->goal, that of the search under way included once its
 * floor is noted. */
uint64_t wend_adaptive_h(const wend_search *search, wend_cell cell);
/* Of the first `count` nodes of the queue, the open cell whose h has been raised least over the given one,
 * then with the smallest f, the largest g, the smallest index; an operation each. WEND_NO_CELL if there is
 * none. */
wend_cell wend_adaptive_least_raised(wend_search *search, uint32_t count);
/* Whether h is consistent over all legal moves among the nine cells around one. At most 9 + 9 * 8 operations,
 * counted. */
bool wend_adaptive_consistent_around(wend_search *search, wend_cell cell);
/* Cells whose h is above the given one. Looks at all cells: for tests and hashes. */
uint64_t wend_adaptive_hash(const wend_search *search, uint64_t seed);

#endif
