/* Repair of atlases: a database of the kind `atlas` whose map has been edited, brought up to date in slices
 * of bounded work, as an overlay on the file, which is never changed. Agents of the planner `atlas` in an
 * edited world use it by wend_agent_options.atlas_repair. docs/atlas.md, 'Repair', tells what is done and
 * what it costs. */
#ifndef WEND_ATLAS_H
#define WEND_ATLAS_H

#include "db.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What agents are given is right for one map at a time, as a whole: at first for the database's own; then,
 * each time that a repair is complete, for the map as it was when that repair looked at it. Between two steps
 * any number of threads may use it; not while it is stepped. */
typedef struct wend_atlas_repair wend_atlas_repair;

typedef struct wend_atlas_repair_options {
    uint32_t cookie;
    size_t max_bytes; /* of all that it keeps; 0: no cap */
    /* The most that an edited map may need; agents' worlds set aside 64 bytes for each. 0: twice as many as
     * the database has, and 1024. */
    uint32_t max_representatives;
    wend_allocator allocator;
} wend_atlas_repair_options;

WEND_API wend_atlas_repair_options wend_default_atlas_repair_options(void);
/* For a database that was opened with its map; WEND_STATUS_UNSUPPORTED for an exact one (exact=yes). `map` is
 * the one to follow: it has the same size and rules (WEND_STATUS_OTHER_MAP), may have been edited already and
 * goes on being edited (wend_world_map, or a map of the caller's); all three outlive the repair. The map that
 * the database was opened with is another one, or not edited yet (WEND_STATUS_OTHER_MAP). Takes 9 bytes a
 * cell (17 on the largest maps), up to 24 MB for the queue of a search, and what it finds: 4 bytes for each
 * cell of the sectors near a change, and some hundred for each representative. */
WEND_API wend_status wend_atlas_repair_create(const wend_db *db, const wend_map *map,
                                              const wend_atlas_repair_options *options,
                                              wend_atlas_repair **repair, wend_error *error);
WEND_API void wend_atlas_repair_destroy(wend_atlas_repair *repair); /* after its agents; NULL is fine */

/* Goes on repairing for about `operations` operations. A call may go over that by up to 4096 and 16 for each
 * cell of a sector, which the next ones then have less. `done`: all edits are taken in. Then every open cell
 * of the map as it is now is covered, every edge costs what a shortest path does, and what does not differ
 * from the database's map is as it is there: the same map gives the same answers, whatever edits led to it
 * and however the work was sliced. Edits may come at any time between two calls: a repair that is under way
 * is finished first, and what came meanwhile is the next one's. WEND_STATUS_NO_MEMORY, or
 * WEND_STATUS_TOO_LARGE for more than max_representatives: what was complete stays; the next call begins
 * again. */
WEND_API wend_status wend_atlas_repair_step(wend_atlas_repair *repair, uint64_t operations, bool *done,
                                            wend_error *error);

typedef struct wend_atlas_repair_info {
    uint64_t generation;      /* repairs that were completed */
    uint64_t operations;      /* of all steps */
    uint32_t changed;         /* cells, of the repair under way or the last one */
    uint32_t examined;        /* sectors, of that */
    uint32_t links;           /* worked out by it */
    uint32_t representatives; /* of the last complete one; those of the database before the first */
    uint32_t edges;
    size_t bytes; /* of all that it keeps now */
} wend_atlas_repair_info;

WEND_API wend_atlas_repair_info wend_atlas_repair_about(const wend_atlas_repair *repair);
/* Writes a database of the map as it is now, to be opened with that: the file that wend_db_build makes of it
 * with the settings of the old one, and at the same price. WEND_STATUS_STALE unless the last step was `done`
 * and nothing was edited since. */
WEND_API wend_status wend_atlas_repair_write(const wend_atlas_repair *repair,
                                             const wend_build_options *options, const char *path,
                                             wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
