/* Which moves are worth making from a cell, by how it was reached. */
#ifndef WEND_SEARCH_ONWARD_H
#define WEND_SEARCH_ONWARD_H

#include "grid/map.h"

/* By the direction a cell x was reached in from its parent p (8: it is the start) and the cells around it. */
typedef struct wend_onward {
    wend_directions moves[9][512];
} wend_onward;

/* Leaves out each neighbour n of x to which there is a strictly cheaper way from p than p, x, n, of one or
 * two moves past x; and for the directions in `ties`, also where there is one as cheap. (No way of three
 * moves is cheaper than two.)
 *
 * Without ties this changes nothing about an A* search with a consistent heuristic but the time it takes: the
 * first cell of the cheaper way has been offered its cost from p, its f is no larger than n's on that way and
 * so smaller than n's by way of x, hence it is expanded, and n improved, before the offer left out could come
 * off the queue. */
void wend_onward_fill(const wend_map *map, wend_directions ties, wend_onward *onward);

#endif
