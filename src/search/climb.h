/* The hill-climber for planners and builders: one move with its operations counted, and whole climbs by the
 * tables of jump-point search. */
#ifndef WEND_SEARCH_CLIMB_H
#define WEND_SEARCH_CLIMB_H

#include "search/jumps.h"

/* As wend_climb_move, for two cells of the map that differ; adds its operations. */
uint32_t wend_climb_step(const wend_map *map, wend_cell from, wend_cell to, uint64_t *operations);
enum { WEND_CLIMB_OPERATIONS = 1 + WEND_DIRECTIONS }; /* of a move, at most */

/* The same, and how many moves in a row the climb makes in that direction: `most` at most, and no more than
 * one where it is not the target's direction. Takes at most WEND_CLIMB_OPERATIONS + most - 1 operations. */
uint32_t wend_climb_run(const wend_map *map, wend_cell from, wend_cell to, uint32_t most, uint32_t *count,
                        uint64_t *operations);

/* Whether wend_climb, without a cap, reaches `to`. Both cells are open. On open ground a climb is straight
 * or diagonal for as long as the target allows. The tables say how far that is legal, so it takes one
 * look-up per leg, not one per cell. */
bool wend_climb_reaches(const wend_map *map, const wend_jumps *jumps, wend_cell from, wend_cell to);

/* A climb under way, for planners that spread it over steps and want it for no more than a given cost. */
typedef struct wend_climb_walk {
    wend_cell at, to; /* both open */
    wend_cost cost;   /* of the moves so far */
    wend_cost most;   /* it fails as soon as its cost is known to be higher */
} wend_climb_walk;

typedef enum wend_climb_end { WEND_CLIMB_MORE, WEND_CLIMB_REACHED, WEND_CLIMB_FAILED } wend_climb_end;

/* Continues until it has used `operations`, or at most WEND_CLIMB_OPERATIONS - 1 more. Adds them. */
wend_climb_end wend_climb_go(const wend_map *map, wend_climb_walk *walk, uint64_t operations,
                             uint64_t *counted);

#endif
