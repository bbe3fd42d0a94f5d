/* Repair of databases: one whose map has been edited is brought up to date in slices of bounded work, as an
 * overlay on the file, which is never changed. For a few cells it costs a small part of a build. Kinds that
 * can be repaired are `cpd` (as runs) and `atlas` (not with exact=yes); docs/notes/cpd.md and docs/notes/atlas.md say what
 * is done and what it costs.
 *
 * 1. wend_repair_create(db, map, ...), and give it to agents: wend_agent_options.repair.
 * 2. After edits of the map, wend_repair_step(...) between two ticks, until it says `done`.
 * 3. wend_repair_destroy(repair), after its agents.
 *
 * A fleet can do all of this itself: wend_squad_options.repair_operations. */
#ifndef WEND_REPAIR_H
#define WEND_REPAIR_H

#include "db.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What it answers is right for one map as a whole. At first that is the database's own; after each complete
 * repair, the map as that repair compared it, row by row, over its first steps. An edit between two of these
 * steps is in that map where its rows had not been compared yet, and otherwise left to the next repair.
 * Between two steps any number of threads may use it; not while it is stepped. */
typedef struct wend_repair wend_repair;

typedef struct wend_repair_options {
    uint32_t struct_size; /* set by wend_default_...() */
    size_t max_bytes;     /* of all that it takes at a time, searches included; 0: no cap */
    /* Of an atlas: the most that an edited map may need; agents' worlds set aside 64 bytes for each. 0: twice
     * as many as the database has, and 1024. */
    uint32_t max_representatives;
    wend_allocator allocator;
} wend_repair_options;

/* For wend_default_repair_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_repair_options_init(wend_repair_options *options, size_t size);
static inline wend_repair_options wend_default_repair_options(void) {
    wend_repair_options options;
    wend_repair_options_init(&options, sizeof options);
    return options;
}
/* Whether databases like this one can be repaired. */
WEND_API bool wend_db_can_repair(const wend_db *db);
/* For a database that was opened with its map; WEND_STATUS_UNSUPPORTED where wend_db_can_repair says no.
 * `map` is the one to follow: it has the same size and rules (WEND_STATUS_OTHER_MAP), may have been edited
 * already and goes on being edited (wend_world_map, or a map of the caller's); all three outlive the repair.
 * The map that the database was opened with is another one, or not edited yet (WEND_STATUS_OTHER_MAP).
 *
 * Memory, cpd: about 40 bytes per cell, and 200 to 700 more for each open one while a repair is under way.
 * atlas: 9 bytes per cell (17 on the largest maps), up to 24 MB for the queue of a search, 4 bytes for each
 * cell of the sectors near a change, and some hundred for each representative. */
WEND_API wend_status wend_repair_create(const wend_db *db, const wend_map *map,
                                        const wend_repair_options *options, wend_repair **repair,
                                        wend_error *error);
WEND_API void wend_repair_destroy(wend_repair *repair); /* NULL is fine */

/* Goes on repairing for about `operations` operations (as planners count them: a cell with its neighbours is
 * 9). A call may go over that, and the next ones then have less: cpd by up to 65,536 and one for each 4 cells
 * of the map, a few times in a repair; atlas by up to 4096 and 16 for each cell of a sector.
 *
 * `done`: all edits are taken in. Every move of cpd is then optimal on the map as it is now. Of an atlas every
 * open cell is covered, every edge costs what a shortest path does, and what does not differ from the
 * database's map is as it is there: the same map gives the same answers, whatever edits led to it and however
 * the work was sliced. Edits may come at any time between two calls: a repair that is under way is finished
 * first, and what came meanwhile is the next one's.
 *
 * WEND_STATUS_NO_MEMORY, or WEND_STATUS_TOO_LARGE for more than max_representatives: what was complete stays;
 * the next call begins again. */
WEND_API wend_status wend_repair_step(wend_repair *repair, uint64_t operations, bool *done,
                                      wend_error *error);

typedef struct wend_repair_info {
    uint64_t generation; /* repairs that were completed */
    uint64_t operations; /* of all steps */
    uint32_t changed;    /* cells, of the repair under way or the last one */
    size_t bytes;        /* of all that it keeps now */
} wend_repair_info;

WEND_API wend_repair_info wend_repair_about(const wend_repair *repair);
/* What its kind has to tell beyond that. Writes at most `capacity` facts and returns how many there are.
 * cpd: `searched`, cells searched from by the repair under way or the last one, of `all` that are known to be
 * needed so far; `rows` and `columns` replaced by all repairs (answers from a cell, and some of those to a
 * cell), and `runs` in these. atlas: sectors `examined` and `links` worked out by the repair under way or the
 * last one; `representatives` and `edges` of the last complete one. */
WEND_API size_t wend_repair_facts(const wend_repair *repair, wend_fact *facts, size_t capacity);
/* Writes a database of the map as it is now, to be opened with that: the file that wend_db_build makes of it
 * with the settings of the old one, and at the same price (docs/notes/cpd.md says why). WEND_STATUS_STALE unless the
 * last step was `done` and nothing was edited since. */
WEND_API wend_status wend_repair_write(const wend_repair *repair, const wend_build_options *options,
                                       const char *path, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
