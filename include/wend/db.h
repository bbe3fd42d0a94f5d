/// @file
/// Databases: what is computed of a map beforehand, and kept in one file.
///
/// 1. wend_db_settings_parse reads what to build; wend_db_build builds it into a file.
/// 2. wend_db_open opens the file for its map. Agents are given it: wend_agent_options.db.
/// 3. wend_db_close closes it, after its agents.
#ifndef WEND_DB_H
#define WEND_DB_H

#include "map.h"
#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number of kinds that can be built.
WEND_API size_t wend_db_kind_count(void);
/// A kind with the keys of its settings. NULL beyond the last.
WEND_API const wend_method_info *wend_db_kind_at(size_t index);
/// As wend_settings_parse, of KIND[:KEY=VALUE[,KEY=VALUE...]].
WEND_API wend_status wend_db_settings_parse(const char *text, const wend_allocator *allocator,
                                            wend_settings **settings, wend_error *error);

/// An open database. It is never changed, and may be shared by any number of agents and threads.
typedef struct wend_db wend_db;

/// Options of wend_db_open.
typedef struct wend_db_options {
    /// Set by wend_default_db_options.
    uint32_t struct_size;
    /// Where memory comes from. Default: the C library's.
    wend_allocator allocator;
} wend_db_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_db_options and bindings.
WEND_API void wend_db_options_init(wend_db_options *options, size_t size);
/// The default options.
static inline wend_db_options wend_default_db_options(void) {
    wend_db_options options;
    wend_db_options_init(&options, sizeof options);
    return options;
}
/// Opens a database. Maps the file into memory without copying, and checks all of it before anything trusts
/// it: magic, version, byte order, section table, checksums, and every index that it holds.
/// @param path    the file
/// @param map the map it was built for. Otherwise WEND_STATUS_OTHER_MAP, and the words say which rules would
///                fit. The map must exist, and stay as it is, as long as the database is used; wend_db_close
///                does not look at it. Edit a world (wend_world_edit) or a copy instead. NULL: the database
///                can be looked at, but no agent can use it
/// @param options from wend_default_db_options
/// @param db      gets the database
/// @param error   may be NULL
WEND_API wend_status wend_db_open(const char *path, const wend_map *map, const wend_db_options *options,
                                  wend_db **db, wend_error *error);
/// As wend_db_open, of bytes in memory. They must outlive the database and be aligned to 8.
WEND_API wend_status wend_db_open_memory(const void *data, size_t size, const wend_map *map,
                                         const wend_db_options *options, wend_db **db, wend_error *error);
/// Closes a database, after its agents. NULL is fine.
WEND_API void wend_db_close(wend_db *db);

/// What a database says of itself.
typedef struct wend_db_info {
    /// The name of its kind.
    const char *kind;
    /// Its settings in full, as wend_db_settings_parse takes them.
    const char *settings;
    /// The version of the file format.
    uint32_t version;
    /// The seed it was built with. Where nothing is drawn it is the default seed: see `drawn`.
    uint64_t seed;
    /// The fingerprint of its map: see wend_map_fingerprint.
    uint64_t fingerprint;
    /// The size of the file, in bytes.
    uint64_t bytes;
    /// The width of its map, in cells.
    int32_t width;
    /// The height of its map, in cells.
    int32_t height;
    /// The rules of its map.
    wend_rules rules;
    /// The version of what this kind keeps in its sections.
    uint32_t kind_version;
    /// Whether anything in it was drawn from the seed.
    bool drawn;
} wend_db_info;

/// What a database says of itself. The texts live as long as the database.
WEND_API wend_db_info wend_db_about(const wend_db *db);

/// A number worth showing.
typedef struct wend_fact {
    /// One word: records, subgoals, cells_covered and so on.
    char name[48];
    /// The number.
    double value;
} wend_fact;

/// The facts of a database, in its kind's order. Writes at most `capacity` of them and returns how many there
/// are.
WEND_API size_t wend_db_facts(const wend_db *db, wend_fact *facts, size_t capacity);

/// How the host runs tasks, possibly on several threads. A zeroed struct: one after another, on the caller's
/// thread.
typedef struct wend_tasks {
    /// The number of workers.
    uint32_t workers;
    /// Runs task(argument, index, worker) once for each index below `count`, and returns when all are done.
    /// `worker` is below `workers`; no worker runs two tasks at the same time.
    void (*run)(void *context, uint32_t count, void (*task)(void *argument, uint32_t index, uint32_t worker),
                void *argument);
    /// Passed to `run`.
    void *context;
} wend_tasks;

/// How far a build has come.
typedef struct wend_progress {
    /// What it does now, in a word or two.
    const char *stage;
    /// Jobs of this stage that are done.
    uint64_t done;
    /// Jobs of this stage in all.
    uint64_t total;
} wend_progress;

/// Options of wend_db_build and similar calls.
typedef struct wend_build_options {
    /// Set by wend_default_build_options.
    uint32_t struct_size;
    /// Any number. Default 1.
    uint64_t seed;
    /// How work is spread over threads. Default: all on the caller's thread.
    wend_tasks tasks;
    /// Cap on the memory for building, beyond the map, in bytes. 0: no cap. Default 0.
    size_t max_memory;
    /// Cap on the file, in bytes. 0: no cap. Default 0.
    uint64_t max_size;
    /// Go on with what an interrupted build of the same database has left, if anything. Default no.
    bool resume;
    /// Called between jobs, by one thread at a time. Returning false stops the build. May be NULL.
    bool (*progress)(void *context, const wend_progress *progress);
    /// Passed to `progress`.
    void *progress_context;
    /// Where memory comes from. With more than one worker, all of them call it at the same time. Default: the
    /// C library's.
    wend_allocator allocator;
} wend_build_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_build_options and bindings.
WEND_API void wend_build_options_init(wend_build_options *options, size_t size);
/// The default options.
static inline wend_build_options wend_default_build_options(void) {
    wend_build_options options;
    wend_build_options_init(&options, sizeof options);
    return options;
}
/// What to build if settings leave it open (`auto`; an `atlas` with a size or quality to keep to), and why.
typedef struct wend_db_choice {
    /// Settings of the kind to build; they leave nothing open. The caller destroys them.
    wend_settings *settings;
    /// One or two sentences. "" where there was nothing to choose.
    char why[512];
} wend_db_choice;

/// Looks at the map and chooses what to build. On failure `choice->settings` is NULL. The choice depends on
/// map, settings, seed and caps alone. wend_db_build does this too if it is given such settings. Uses the
/// options' seed, tasks, caps, progress and allocator.
WEND_API wend_status wend_db_choose(const wend_map *map, const wend_settings *settings,
                                    const wend_build_options *options, wend_db_choice *choice,
                                    wend_error *error);
/// Builds a database into a file. The bytes depend on map, settings and seed alone. During the build,
/// PATH.part holds what is finished. WEND_STATUS_INTERRUPTED leaves it there, and a build with `resume` goes
/// on from it. The file appears whole or not at all.
WEND_API wend_status wend_db_build(const wend_map *map, const wend_settings *settings,
                                   const wend_build_options *options, const char *path, wend_error *error);

/// What a build would take, from the map's size and a part of the work. For `cpd` that is a fifth of the work of one
/// worker on maps of 25,000 to 60,000 open cells, less on larger ones, and all of it below 6,000. Its sizes were between
/// two thirds and one and a half of the real ones on all maps of up to 60,000 open cells that were tried. On larger
/// maps, and for other kinds, they may be off by more.
typedef struct wend_estimate {
    /// Bytes for building with the options' workers, beyond the map.
    uint64_t memory;
    /// The size of the file, in bytes.
    uint64_t bytes;
    /// The share of a build's work that was done to know this, on one worker; above 0. A build takes the time
    /// of the call, divided by this and by the number of workers.
    double share;
} wend_estimate;

/// Estimates a build. Uses the options' workers (it is one thread itself), max_memory and allocator.
/// WEND_STATUS_UNSUPPORTED for kinds without an estimate.
WEND_API wend_status wend_db_estimate(const wend_map *map, const wend_settings *settings,
                                      const wend_build_options *options, wend_estimate *estimate,
                                      wend_error *error);

/// Computes the contents again, with the settings and seed that the file names, and compares.
/// WEND_STATUS_WRONG_CONTENTS, with what and where, if anything is missing, added or altered.
///
/// It takes about the time and memory of a build, and uses the options' tasks, max_memory, progress and
/// allocator. `sample` is the number of jobs to look at, drawn by the options' seed; 0: all. If W of P jobs
/// are wrong, a sample of N misses them with a probability of at most (1 - W/P)^N. Only path databases and
/// `subgoal-tree` have jobs that prove something by themselves. Other kinds are always compared as a whole.
WEND_API wend_status wend_db_verify(const wend_db *db, const wend_map *map, uint64_t sample,
                                    const wend_build_options *options, wend_error *error);

/// Which cells a case base covers: those from which an agent can join one of its paths, as the fact
/// cells_covered_percent samples it. WEND_STATUS_UNSUPPORTED for a kind that is no case base.
/// @param db      the case base
/// @param cells   cells of the map that the database was opened with
/// @param count   the number of cells
/// @param options its tasks and allocator are used
/// @param covered gets 1 or 0 for each cell; 0 for blocked ones
/// @param error   may be NULL
WEND_API wend_status wend_db_cover(const wend_db *db, const wend_cell *cells, size_t count,
                                   const wend_build_options *options, uint8_t *covered, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
