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

/* Repair: a database whose map has been edited, brought up to date in slices of bounded work, as an overlay
 * on the file, which is never changed. For a few cells it costs a small part of a build. Agents of the
 * planner `cpd` in an edited world use it by wend_agent_options.repair.
 *
 * What it answers is right for one map at a time, as a whole: at first for the database's own, then, each
 * time that a repair is complete, for the map as that repair has seen it: row by row, over the first of its
 * steps, so that of edits that come during these it may have some and not others. Between two steps any
 * number of threads may ask; not while it is stepped. */
typedef struct wend_cpd_repair wend_cpd_repair;

typedef struct wend_cpd_repair_options {
    uint32_t cookie;
    size_t max_bytes; /* of all that it takes at a time, searches included; 0: no cap */
    wend_allocator allocator;
} wend_cpd_repair_options;

WEND_API wend_cpd_repair_options wend_default_cpd_repair_options(void);
/* For a database that was opened with its map. `map` is the one to follow: it has the same size and rules
 * (WEND_STATUS_OTHER_MAP), may have been edited already and goes on being edited (wend_world_map, or a map of
 * the caller's); all three outlive the repair. The map that the database was opened with is another one, or
 * not edited yet (WEND_STATUS_OTHER_MAP). Takes about 40 bytes a cell, and 200 to 700 more for each open one
 * while a repair is under way. */
WEND_API wend_status wend_cpd_repair_create(const wend_db *db, const wend_map *map,
                                            const wend_cpd_repair_options *options, wend_cpd_repair **repair,
                                            wend_error *error);
WEND_API void wend_cpd_repair_destroy(wend_cpd_repair *repair); /* after its agents; NULL is fine */

/* Goes on repairing for about `operations` operations (as planners count them: a cell with its neighbours is
 * 9). A call may go over that by up to 65,536 and one for each 4 cells of the map (it does so a few times in
 * a repair, when a search from many cells begins), which the next ones then have less. `done`: all edits are
 * taken in, and every move is optimal on the map as it is now. Edits may come at any time between two calls:
 * a repair that is under way is finished first, and what came meanwhile is the next one's.
 * WEND_STATUS_NO_MEMORY: what was complete stays; the next call begins again. */
WEND_API wend_status wend_cpd_repair_step(wend_cpd_repair *repair, uint64_t operations, bool *done,
                                          wend_error *error);
/* As wend_cpd_move, of the last map that a repair was complete for. */
WEND_API wend_direction wend_cpd_repair_move(const wend_cpd_repair *repair, wend_cell from, wend_cell to);

typedef struct wend_cpd_repair_info {
    uint64_t generation;    /* repairs that were completed */
    uint64_t operations;    /* of all steps */
    uint32_t changed;       /* cells, of the repair under way or the last one */
    uint32_t searched, all; /* cells searched from by it, of so many as are known to be needed so far */
    uint32_t rows, columns; /* replaced, of all repairs: answers from a cell, and some of those to a cell */
    uint64_t runs;          /* in these; cells may share a column */
    size_t bytes;           /* of all that it keeps now */
} wend_cpd_repair_info;

WEND_API wend_cpd_repair_info wend_cpd_repair_about(const wend_cpd_repair *repair);
/* Writes a database of the map as it is now, to be opened with that: the file that wend_db_build makes of it
 * with the settings of the old one, and at the same price (docs/cpd.md tells why). WEND_STATUS_STALE unless
 * the last step was `done` and nothing was edited since. */
WEND_API wend_status wend_cpd_repair_write(const wend_cpd_repair *repair, const wend_build_options *options,
                                           const char *path, wend_error *error);
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
