/// @file
/// Path databases (kinds `cpd`, `upd` and `quadtree`): optimal moves without search.
///
/// A world's agents use them by the planner `cpd`. The calls here need no world, only a database and cells:
/// 1. wend_db_open the database for its map.
/// 2. Per tick, wend_cpd_move for one agent, or wend_cpd_step_many for an array of agents.
/// 3. wend_db_close the database.
///
/// Moves allocate nothing, and any number of threads may ask for them at a time.
#ifndef WEND_CPD_H
#define WEND_CPD_H

#include "db.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A result beside directions and WEND_NO_DIRECTION. No path leads there, or one of the cells is blocked or
/// outside the map.
///
/// Also where a file that was made to deceive has a move that is not legal. Such a file can make callers of these
/// functions walk for ever, but not through walls. A way has fewer moves than the map has open cells. Agents and
/// fleets count that: WEND_STEP_BAD_DATABASE. wend_db_verify detects such a file.
#define WEND_CPD_NO_WAY 9

/// A move that begins a shortest path. WEND_NO_DIRECTION from a cell to itself. WEND_CPD_NO_WAY for a database
/// of another kind, or one that was opened without its map.
WEND_API wend_direction wend_cpd_move(const wend_db *db, wend_cell from, wend_cell to);

/// Moves an array of agents by one step each towards their goals. This is many times faster than one after
/// another: the memory that later agents need is fetched while earlier ones are moved.
/// WEND_STATUS_BAD_ARGUMENT for a database of another kind, or one that was opened without its map.
/// @param db      a path database
/// @param count   the number of agents
/// @param at      the agents' cells; each becomes the cell after the move
/// @param goals   the agents' goals
/// @param moves   gets the direction of each agent; may be NULL. WEND_NO_DIRECTION: it stood on its goal.
///                WEND_CPD_NO_WAY: it stays
/// @param arrived gets the number of agents that stand on their goals in the end; may be NULL
/// @param error   may be NULL
WEND_API wend_status wend_cpd_step_many(const wend_db *db, size_t count, wend_cell *at,
                                        const wend_cell *goals, wend_direction *moves, size_t *arrived,
                                        wend_error *error);

/// A repair of a database: see repair.h.
typedef struct wend_repair wend_repair;
/// As wend_cpd_move, for the last map that a repair was complete for. WEND_CPD_NO_WAY for a repair of another
/// kind of database.
WEND_API wend_direction wend_cpd_repair_move(const wend_repair *repair, wend_cell from, wend_cell to);

/// What the forms of the paper (Botea, AIIDE 2011) take on a map.
typedef struct wend_cpd_counts {
    /// Rectangles of `cpd:encoding=rectangles`.
    uint64_t rectangles;
    /// Squares of `quadtree`.
    uint64_t squares;
    /// The length of the longest list of rectangles.
    uint32_t longest;
    /// Rectangles looked at for a move, in the mean (the paper's proposition 1).
    double checks;
} wend_cpd_counts;

/// What wend_cpd_measure counts.
typedef struct wend_cpd_measures {
    /// Open cells.
    uint64_t cells;
    /// Components.
    uint64_t components;
    /// Pairs of different cells of one component, both ways.
    uint64_t pairs;
    /// With one move kept for each two cells (`ties=label`).
    wend_cpd_counts label;
    /// With all optimal moves until one is chosen (`ties=set`).
    wend_cpd_counts set;
} wend_cpd_measures;

/// Counts them as a build would make them, and keeps nothing. Uses the options' tasks, max_memory, progress
/// and allocator.
WEND_API wend_status wend_cpd_measure(const wend_map *map, const wend_build_options *options,
                                      wend_cpd_measures *measures, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
