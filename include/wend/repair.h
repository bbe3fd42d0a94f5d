/// @file
/// Repair of databases: one whose map has been edited is brought up to date in slices of bounded work.
///
/// The repair is an overlay; the file is never changed. For a few cells it costs a small part of a build. Kinds
/// that can be repaired are `cpd` (as runs) and `atlas` (not with exact=yes). docs/notes/cpd.md and
/// docs/notes/atlas.md say what is done and what it costs.
/// 1. wend_repair_create makes a repair. Give it to agents: wend_agent_options.repair.
/// 2. After edits of the map, wend_repair_step between two ticks, until it reports `done`.
/// 3. wend_repair_destroy, after its agents.
///
/// A fleet can do all of this itself: wend_squad_options.repair_operations.
#ifndef WEND_REPAIR_H
#define WEND_REPAIR_H

#include "db.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A repair of a database. Between two steps any number of threads may use it; not during a step.
///
/// Its answers are right for one map as a whole. At first that is the database's own. After each complete
/// repair, it is the map as that repair compared it, row by row, over its first steps. An edit between two of
/// these steps is in that map where its rows had not been compared yet. Otherwise it is left to the next repair.
typedef struct wend_repair wend_repair;

/// Options of wend_repair_create.
typedef struct wend_repair_options {
    /// Set by wend_default_repair_options.
    uint32_t struct_size;
    /// Cap on all memory it takes at a time, searches included, in bytes. 0: no cap. Default 0.
    size_t max_bytes;
    /// Of an atlas: the most representatives that an edited map may need. Agents' worlds set aside 64 bytes for
    /// each. 0: twice as many as the database has, and 1024. Default 0.
    uint32_t max_representatives;
    /// Where memory comes from. Default: the C library's.
    wend_allocator allocator;
} wend_repair_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_repair_options and bindings.
WEND_API void wend_repair_options_init(wend_repair_options *options, size_t size);
/// The default options.
static inline wend_repair_options wend_default_repair_options(void) {
    wend_repair_options options;
    wend_repair_options_init(&options, sizeof options);
    return options;
}
/// Whether databases like this one can be repaired.
WEND_API bool wend_db_can_repair(const wend_db *db);
/// Makes a repair. WEND_STATUS_UNSUPPORTED where wend_db_can_repair returns false.
///
/// Memory of cpd: about 40 bytes per cell, and 200 to 700 more for each open cell during a repair. Of atlas: 9
/// bytes per cell (17 on the largest maps), up to 24 MB for the queue of a search, 4 bytes for each cell of the
/// sectors near a change, and some hundred for each representative.
/// @param db      a database that was opened with its map. That map is another one than `map`, or not edited
///                yet (WEND_STATUS_OTHER_MAP). Both outlive the repair
/// @param map     the map to follow: wend_world_map, or a map of the caller's. It has the same size and rules
///                (WEND_STATUS_OTHER_MAP), may have been edited already, and may be edited further. It outlives
///                the repair
/// @param options from wend_default_repair_options
/// @param repair  gets the repair
/// @param error   may be NULL
WEND_API wend_status wend_repair_create(const wend_db *db, const wend_map *map,
                                        const wend_repair_options *options, wend_repair **repair,
                                        wend_error *error);
/// Destroys a repair, after its agents. NULL is fine.
WEND_API void wend_repair_destroy(wend_repair *repair);

/// Goes on repairing for about `operations` operations, as planners count them: a cell with its neighbours is 9.
///
/// A call may go over that, and the next calls then have less. cpd: by up to 65,536 and one for each 4 cells of
/// the map, a few times in a repair. atlas: by up to 4096 and 16 for each cell of a sector.
///
/// Edits may come at any time between two calls. A repair that is under way is finished first; later edits are
/// left to the next one.
///
/// WEND_STATUS_NO_MEMORY, or WEND_STATUS_TOO_LARGE for more than max_representatives: what was complete stays,
/// and the next call begins again.
/// @param repair     the repair
/// @param operations the budget of this call
/// @param done       gets whether all edits are taken in. Every move of cpd is then optimal on the map as it is
///                   now. Of an atlas every open cell is covered, every edge costs what a shortest path does, and
///                   what does not differ from the database's map is as it is there. The same map gives the
///                   same answers, whatever edits led to it and however the work was sliced
/// @param error      may be NULL
WEND_API wend_status wend_repair_step(wend_repair *repair, uint64_t operations, bool *done,
                                      wend_error *error);

/// What a repair has done so far.
typedef struct wend_repair_info {
    /// Repairs that were completed.
    uint64_t generation;
    /// Operations of all steps.
    uint64_t operations;
    /// Cells that have changed, of the repair under way or the last one.
    uint32_t changed;
    /// Memory held now, in bytes.
    size_t bytes;
} wend_repair_info;

/// What a repair has done so far.
WEND_API wend_repair_info wend_repair_about(const wend_repair *repair);
/// Facts of the repair's kind. Writes at most `capacity` of them and returns how many there are.
///
/// - cpd: `searched`, cells searched from by the repair under way or the last one; `all`, how many are known to
///   be needed so far; `rows` and `columns` replaced by all repairs (answers from a cell, and some of those to a
///   cell); `runs` in these.
/// - atlas: sectors `examined` and `links` computed by the repair under way or the last one; `representatives`
///   and `edges` of the last complete one.
WEND_API size_t wend_repair_facts(const wend_repair *repair, wend_fact *facts, size_t capacity);
/// Writes a database of the map as it is now, to be opened with that map. It is the file that wend_db_build
/// makes with the settings of the old one, at the same cost (docs/notes/cpd.md says why). WEND_STATUS_STALE
/// unless the last step was `done` and nothing was edited since.
WEND_API wend_status wend_repair_write(const wend_repair *repair, const wend_build_options *options,
                                       const char *path, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
