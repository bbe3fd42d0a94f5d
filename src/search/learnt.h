/* The heuristic that a real-time planner learns, and lookaheads that use it. */
#ifndef WEND_SEARCH_LEARNT_H
#define WEND_SEARCH_LEARNT_H

#include "search/search.h"

/* Room for `cells` cells in the table and for lookaheads of at most `lookahead` expansions. WEND_NO_MEMORY or
 * WEND_TOO_LARGE; nothing is allocated after this. */
wend_status wend_learnt_reserve(wend_search *search, uint32_t cells, uint32_t lookahead);
void wend_learnt_release(wend_search *search);

/* Forgets everything: a new goal. O(1), but for once in 2^31 times. */
void wend_learnt_forget(wend_search *search, wend_cell goal);

/* The record of a cell, entered with the given heuristic if it is new; NULL if the table is full. */
wend_record_learnt *wend_learnt_at(wend_search *search, wend_cell cell);
/* The record of a cell, or a free slot. The table is never full, so the walk ends. */
WEND_INLINE wend_record_learnt *wend_learnt_find(const wend_search *search, wend_cell cell) {
    const wend_learnt *learnt = &search->learnt;
    uint32_t mask = learnt->slot_count - 1;
    for (uint32_t slot = wend_slot_of(cell, mask);; slot = (slot + 1) & mask) {
        wend_record_learnt *record = &learnt->slots[slot];
        if (record->era >> WEND_ERA_SHIFT != learnt->era || record->cell == cell) return record;
    }
}

/* What is known of the cell at (x, y), without entering it. */
WEND_INLINE uint64_t wend_learnt_h(const wend_search *search, wend_cell cell, uint32_t x, uint32_t y) {
    const wend_record_learnt *record = wend_learnt_find(search, cell);
    if (record->era >> WEND_ERA_SHIFT == search->learnt.era) return record->h;
    return wend_octile(search->map, wend_apart(x, search->goal_x), wend_apart(y, search->goal_y));
}

/* Raises h of a record, never lowers it. */
void wend_learnt_raise(wend_search *search, wend_record_learnt *record, uint64_t h);
/* Notes that the agent stands on a cell; true if it has been there before. */
bool wend_learnt_visit(wend_record_learnt *record);

/* Of the whole table, for comparing runs. */
uint64_t wend_learnt_hash(const wend_search *search);

/* The given heuristic: distance without walls. */
uint64_t wend_learnt_given(const wend_search *search, wend_cell cell);

/* Starts a lookahead from a cell, for which there must be room: false if not. */
bool wend_learnt_begin(wend_search *search, wend_cell from);
/* The record of the cell about to be expanded, after passing over outdated nodes (which count as operations);
 * NULL if the queue is empty. */
wend_record_learnt *wend_learnt_first(wend_search *search);
/* The first move of the lookahead's path to `cell`; WEND_NO_DIRECTION if that is where it started. Counts
 * operations. */
uint32_t wend_learnt_first_move(wend_search *search, wend_cell cell);
/* Whether a node of the queue, by its index, is up to date; then its record and f. For looking through the
 * open list. */
bool wend_learnt_open_at(wend_search *search, uint32_t index, wend_record_learnt **record, uint64_t *f);
/* Learns from a lookahead, whose open list must be complete (wend_onward_all): h of each expanded cell
 * becomes the least cost of leaving them all, plus h where it comes out. Dijkstra's algorithm from the open
 * cells inwards. `queue` has room for the open list and eight nodes for each expanded cell. Afterwards the
 * lookahead is over. */
void wend_learnt_spread(wend_search *search, wend_queue *queue);

#endif
