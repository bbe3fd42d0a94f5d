/* Databases: what is computed of a map beforehand, and kept in one file. */
#ifndef WEND_DB_H
#define WEND_DB_H

#include "map.h"
#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds that can be built, with the keys of their settings. */
WEND_API size_t wend_db_kind_count(void);
WEND_API const wend_method_info *wend_db_kind_at(size_t index); /* NULL beyond the last */
/* As wend_settings_parse, of KIND[:KEY=VALUE[,KEY=VALUE...]]. */
WEND_API wend_status wend_db_settings_parse(const char *text, const wend_allocator *allocator,
                                            wend_settings **settings, wend_error *error);

/* An open database. It is never changed, and may be shared by any number of agents and threads. */
typedef struct wend_db wend_db;

typedef struct wend_db_options {
    uint32_t struct_size; /* set by wend_default_...() */
    wend_allocator allocator;
} wend_db_options;

/* For wend_default_db_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_db_options_init(wend_db_options *options, size_t size);
static inline wend_db_options wend_default_db_options(void) {
    wend_db_options options;
    wend_db_options_init(&options, sizeof options);
    return options;
}
/* Maps the file into memory without copying, and checks all of it before anything trusts it: magic, version,
 * byte order, section table, checksums, and every index that it holds. With a map it must be that map's:
 * WEND_STATUS_OTHER_MAP, and the words say which rules would fit. Without one (NULL) it can be looked at, but
 * no agent can use it. The map must be there, and stay as it is, as long as the database is used
 * (wend_db_close does not look at it): edits are a world's (wend_world_edit), or of a copy. */
WEND_API wend_status wend_db_open(const char *path, const wend_map *map, const wend_db_options *options,
                                  wend_db **db, wend_error *error);
/* The same, of bytes that must outlive it, aligned to 8. */
WEND_API wend_status wend_db_open_memory(const void *data, size_t size, const wend_map *map,
                                         const wend_db_options *options, wend_db **db, wend_error *error);
WEND_API void wend_db_close(wend_db *db); /* after its agents */

typedef struct wend_db_info {
    const char *kind, *settings; /* settings in full, as wend_db_settings_parse takes them */
    uint32_t version;            /* of the file format */
    uint64_t seed;
    uint64_t fingerprint; /* of its map, as wend_map_fingerprint gives it */
    uint64_t bytes;       /* of the file */
    int32_t width, height;
    wend_rules rules;
    uint32_t kind_version; /* of what this kind keeps in its sections */
} wend_db_info;

WEND_API wend_db_info wend_db_about(const wend_db *db);

/* A number worth showing, by a name of one word: records, subgoals, cells_covered ... In the kind's order. */
typedef struct wend_fact {
    char name[48];
    double value;
} wend_fact;

/* Writes at most `capacity` of them and returns how many there are. */
WEND_API size_t wend_db_facts(const wend_db *db, wend_fact *facts, size_t capacity);

/* Runs task(argument, index, worker) once for each index below `count`, worker below `workers`, never two at
 * a time for one worker, and returns when all are done. A zeroed struct: one after another, here. */
typedef struct wend_tasks {
    uint32_t workers;
    void (*run)(void *context, uint32_t count, void (*task)(void *argument, uint32_t index, uint32_t worker),
                void *argument);
    void *context;
} wend_tasks;

typedef struct wend_progress {
    const char *stage; /* a word or two */
    uint64_t done, total;
} wend_progress;

typedef struct wend_build_options {
    uint32_t struct_size; /* set by wend_default_...() */
    uint64_t seed;
    wend_tasks tasks;
    size_t max_memory; /* for building, beyond the map; 0: no cap */
    uint64_t max_size; /* of the file; 0: no cap */
    bool resume;       /* go on with what an interrupted build of the same database has left, if anything */
    /* Called between pieces of work, by one thread at a time; false stops the build. May be NULL. */
    bool (*progress)(void *context, const wend_progress *progress);
    void *progress_context;
    wend_allocator allocator; /* with more than one worker: called by all of them at the same time */
} wend_build_options;

/* For wend_default_build_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_build_options_init(wend_build_options *options, size_t size);
static inline wend_build_options wend_default_build_options(void) {
    wend_build_options options;
    wend_build_options_init(&options, sizeof options);
    return options;
}
/* What to build if settings leave it open (`auto`; an `atlas` with a size or quality to keep to), and why. */
typedef struct wend_db_choice {
    wend_settings
        *settings; /* leave nothing open; of the kind that is to be built. The caller's to destroy */
    char why[512]; /* one or two sentences, or "" where there was nothing to choose */
} wend_db_choice;

/* Looks at the map and chooses (on failure choice->settings is NULL); uses the options' seed, tasks, caps, progress and allocator. The choice
 * depends on map, settings, seed and caps alone. wend_db_build does so too if it is given such settings. */
WEND_API wend_status wend_db_choose(const wend_map *map, const wend_settings *settings,
                                    const wend_build_options *options, wend_db_choice *choice,
                                    wend_error *error);
/* Builds a database into a file. The bytes depend on map, settings and seed alone. While it is under way,
 * PATH.part holds what is finished; WEND_STATUS_INTERRUPTED leaves it there, and a build with `resume` goes
 * on from it. The file appears whole or not at all. */
WEND_API wend_status wend_db_build(const wend_map *map, const wend_settings *settings,
                                   const wend_build_options *options, const char *path, wend_error *error);

/* What a build would take, from the map's size and a small part of the work. Nothing is promised: sizes and
 * memory may be off by a third, and more where parts of a map differ much. */
typedef struct wend_estimate {
    uint64_t memory; /* bytes for building with the options' workers, beyond the map */
    uint64_t bytes;  /* of the file */
    /* How much of a build's work was done to know this, on one worker, above 0: a build takes the time of the
     * call, divided by this and by the number of workers. */
    double share;
} wend_estimate;

/* Uses the options' workers (it is one thread itself), max_memory and allocator. WEND_STATUS_UNSUPPORTED for
 * kinds that can't tell. */
WEND_API wend_status wend_db_estimate(const wend_map *map, const wend_settings *settings,
                                      const wend_build_options *options, wend_estimate *estimate,
                                      wend_error *error);

/* Works out a sample of the contents again and compares: WEND_STATUS_WRONG_CONTENTS, with what and where.
 * `sample` is the number of pieces; 0: all. */
WEND_API wend_status wend_db_verify(const wend_db *db, const wend_map *map, uint64_t sample,
                                    const wend_build_options *options, wend_error *error);

/* Which cells a case base covers: those from which an agent can join one of its paths, as the fact
 * cells_covered_percent samples it. Writes 1 or 0 for each of `cells`, which must be cells of the map that
 * the database was opened with; 0 for blocked ones. Uses the options' tasks and allocator.
 * WEND_STATUS_UNSUPPORTED for a kind that is no case base. */
WEND_API wend_status wend_db_cover(const wend_db *db, const wend_cell *cells, size_t count,
                                   const wend_build_options *options, uint8_t *covered, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
