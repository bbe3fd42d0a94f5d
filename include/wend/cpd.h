/* Path databases (kinds `cpd`, `upd` and `quadtree`): optimal moves without search, for single agents and for
 * arrays of them.
 *
 * A world's agents use them by the planner `cpd`. The calls here need no world: a database, opened for its
 * map, and cells. They allocate nothing, and any number of threads may make them at a time. */
#ifndef WEND_CPD_H
#define WEND_CPD_H

#include "db.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Beside directions and WEND_NO_DIRECTION: no path leads there, or one of the cells is blocked or outside the
 * map. (Also where a file that was made to deceive has a move that is not legal. Such a file can make agents
 * walk for ever, but not through walls; `wend_db_verify` finds it out.) */
#define WEND_CPD_NO_WAY 9

/* A move that begins a shortest path; WEND_NO_DIRECTION from a cell to itself. WEND_CPD_NO_WAY for a database
 * of another kind or one that was opened without its map. */
WEND_API wend_direction wend_cpd_move(const wend_db *db, wend_cell from, wend_cell to);

/* Moves `count` agents a step each towards their goals, all at once: many times faster than one after
 * another, since the memory that later ones need is fetched while earlier ones are moved. at[i] becomes the
 * cell after the move. moves[i] (`moves` may be NULL) is the direction, WEND_NO_DIRECTION for an agent that
 * stood on its goal, or WEND_CPD_NO_WAY, and then it stays. `arrived` (or NULL) counts the agents that stand
 * on their goals in the end. WEND_STATUS_BAD_ARGUMENT for a database of another kind, or one that was opened
 * without its map. */
WEND_API wend_status wend_cpd_step_many(const wend_db *db, size_t count, wend_cell *at,
                                        const wend_cell *goals, wend_direction *moves, size_t *arrived,
                                        wend_error *error);

typedef struct wend_repair wend_repair; /* repair.h */
/* As wend_cpd_move, for the last map that a repair was complete for. WEND_CPD_NO_WAY for one of another
 * kind. */
WEND_API wend_direction wend_cpd_repair_move(const wend_repair *repair, wend_cell from, wend_cell to);

/* What the forms of the paper (Botea, AIIDE 2011) take on a map, with one move kept for each two cells
 * (`ties=label`) and with all optimal ones until one is chosen (`ties=set`). */
typedef struct wend_cpd_counts {
    uint64_t rectangles, squares; /* of `cpd:encoding=rectangles` and of `quadtree` */
    uint32_t longest;             /* list of rectangles */
    double checks; /* rectangles looked at for a move, in the mean (the paper's proposition 1) */
} wend_cpd_counts;

typedef struct wend_cpd_measures {
    uint64_t cells, components;
    uint64_t pairs; /* of different cells of one component, both ways */
    wend_cpd_counts label, set;
} wend_cpd_measures;

/* Counts them as a build would make them, and keeps nothing. Uses the options' tasks, max_memory, progress
 * and allocator. */
WEND_API wend_status wend_cpd_measure(const wend_map *map, const wend_build_options *options,
                                      wend_cpd_measures *measures, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
