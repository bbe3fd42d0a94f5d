/* A search that is repaired, not repeated, when the map changes: D* Lite.
 *
 * Koenig and Likhachev, "D* Lite" (AAAI 2002), figure 4, the optimised version. It searches from the goal, so
 * that what it knows is still of use when the start has moved. Every cell has g, its distance to the goal as
 * far as known, and rhs, what its neighbours say of it: the least cost + g over its moves; 0 for the goal.
 * The queue holds exactly the cells where the two differ, by
 *     [min(g, rhs) + h(start, cell) + km ; min(g, rhs)], then the smaller cell,
 * h being the distance without walls. When the start moves, h falls by at most the distance moved. Instead of
 * touching the queue, that is added to km for keys to come. Keys that are too small are put right when they
 * come off. The search is over when the first key is not smaller than the start's and the start's rhs not
 * larger than its g: rhs is then the distance, and moves of least cost + g lead to the goal.
 *
 * Departures:
 * - A neighbour whose rhs an expansion does not change is left alone, where the paper puts its key right as
 *   well. Keys may be too small in any case.
 * - The start moves (and km grows) when a change is about to change a rhs, not with every change: as long as
 *   none does, the path stands as it is.
 * - It can be interrupted before any expansion, and changes may come then, too.
 *
 * It must be given all changes of the map before it goes on. Then a vertex whose g is lowered gets its true
 * distance on the map of that moment (of the cells that differ, none has a smaller key; so all cells along
 * the way that its rhs stands for agree), and no sum is larger than wend_map_cost_bound
 * of all cells.
 *
 * One vertex taken from the queue, even if only its key is corrected, is one expansion. Operations: one for
 * the vertex, one for each legal move of it, and one for each legal move of a neighbour whose rhs has to be
 * worked out again. */
#ifndef WEND_SEARCH_INCREMENTAL_H
#define WEND_SEARCH_INCREMENTAL_H

#include "search/search.h"

enum {
    WEND_INCREMENTAL_EXPANSION = 1 + WEND_DIRECTIONS + WEND_DIRECTIONS * WEND_DIRECTIONS,
    WEND_INCREMENTAL_CHANGE = 9 * (1 + WEND_DIRECTIONS),
    WEND_INCREMENTAL_NEXT = 1 + WEND_DIRECTIONS
};

/* Turns a fresh search into one of these; before wend_search_reserve. A node for each cell is all it can need
 * of a queue. wend_search_begin then starts again. */
void wend_incremental_prepare(wend_search *search);

/* wend_search_run goes on: WEND_ENDED_GOAL, the path stands; WEND_ENDED_EMPTY, there is none.
 * wend_search_best: the cell at the front of the queue, which is expanded next if the search must go on. */

/* A cell of the map was opened or closed while the agent stands at `at`: computes the rhs of the nine cells
 * whose moves that can affect. False if none has changed. Otherwise the start is now `at`, and the search
 * has to go on. At most WEND_INCREMENTAL_CHANGE operations. */
bool wend_incremental_changed(wend_search *search, wend_cell cell, wend_cell at);
/* From now on searches for the path from `at`. If km has grown so large that keys might not fit (after
 * billions of moves), begins again and returns false. */
bool wend_incremental_move(wend_search *search, wend_cell at);
/* The move of least cost + g, the smallest direction among equals; WEND_NO_DIRECTION if this is not what the
 * cell's rhs stands for. At most WEND_INCREMENTAL_NEXT operations. */
uint32_t wend_incremental_next(wend_search *search, wend_cell at);

/* g and rhs; WEND_NO_COST for infinite ones. */
typedef struct wend_incremental_values {
    wend_cost g, rhs;
    bool touched;
    uint32_t place;
} wend_incremental_values;

/* For tests and hashes. */
wend_incremental_values wend_incremental_at(const wend_search *search, wend_cell cell);
/* The keys of the node at an index of the queue, which must be one in use. */
void wend_incremental_keys(const wend_search *search, uint32_t place, uint64_t *first, uint64_t *second,
                           wend_cell *cell);

#endif
