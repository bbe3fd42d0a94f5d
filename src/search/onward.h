/* Which moves are worth making from a cell, by how it was reached. */
#ifndef WEND_SEARCH_ONWARD_H
#define WEND_SEARCH_ONWARD_H

#include "grid/map.h"

/* Of all paths of one cost between two cells, one is kept: the one that makes its primary moves as early as
 * it can. Primary are the diagonal moves; with four directions, north and south. (Harabor and Grastien,
 * "Online graph pruning for pathfinding on grid maps", AAAI 2011; Sturtevant and Rabin call it the canonical
 * ordering, "Canonical orderings on grids", IJCAI 2016.)
 *
 * For a cell x reached from its parent p by direction d, a neighbour n is left out if the cells around x hold
 * a way from p to n past x that is cheaper than p, x, n; or as cheap, where d is not primary. No way of three
 * moves is as cheap as two, so ways of one or two moves are all there is to look at.
 *
 * A search with a consistent heuristic stays exact: the kept path to n leads over cells whose f is no larger
 * than n's, so they are expanded, and n is offered its least cost, before n can come off the queue at a
 * higher one. What is lost is only work: a plain A* puts almost twice as many nodes into its queue on game
 * maps. */
typedef struct wend_onward {
    wend_directions primary;
    /* By the direction x was reached in (8: it is the start) and the cells around it. */
    wend_directions moves[9][512];
    uint8_t count[512]; /* of legal moves, by the cells around */
} wend_onward;

void wend_onward_fill(const wend_map *map, wend_onward *onward);
/* All legal moves but those that can change nothing: back to the parent, and to a cell that the parent itself
 * reaches by one move as cheaply, which it has offered that cell already. For searches whose open list must
 * hold every neighbour of what they have closed. */
void wend_onward_all(const wend_map *map, wend_onward *onward);

#endif
