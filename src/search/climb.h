/* The hill-climber for planners and builders: one move with its operations counted, and whole climbs by the
 * tables of jump-point search. */
#ifndef WEND_SEARCH_CLIMB_H
#define WEND_SEARCH_CLIMB_H

#include "search/jumps.h"

/* As wend_climb_move, for two cells of the map that differ; adds its operations. */
uint32_t wend_climb_step(const wend_map *map, wend_cell from, wend_cell to, uint64_t *operations);
enum { WEND_CLIMB_OPERATIONS = 1 + WEND_DIRECTIONS }; /* of a move, at most */

/* Whether wend_climb, without a cap, reaches `to`. Both cells are open. On open ground a climb is straight or
 * diagonal for as long as the target allows; the tables say how far that is legal, so that it takes a look a
 * leg, not a look a cell. */
bool wend_climb_reaches(const wend_map *map, const wend_jumps *jumps, wend_cell from, wend_cell to);

#endif
