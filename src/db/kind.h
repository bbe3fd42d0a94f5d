/* A kind of database behind the one container: what it stores, how its jobs are built, and how they are
 * checked. One file per kind, one row in kinds.c. */
#ifndef WEND_DB_KIND_H
#define WEND_DB_KIND_H

#include "base/memory.h"
#include "base/status.h"
#include "grid/map.h"
#include <wend/db.h>

/* A section of the file: an array in little-endian order, aligned to 8. On a big-endian host the container
 * swaps it into memory, which is why it has to know the width of its elements. */
typedef struct wend_section {
    char name[16];  /* 1 to 15 visible ASCII letters, closed by NUL */
    uint32_t width; /* of an element in bytes: 1, 2, 4 or 8 */
    uint64_t count; /* of elements */
    const void *data;
} wend_section;

enum { WEND_DB_SECTIONS = 24 };

typedef struct wend_db_kind wend_db_kind;
typedef struct wend_repair_kind wend_repair_kind;

struct wend_db {
    const wend_db_kind *kind;
    const wend_map *map; /* or NULL */
    const wend_settings *settings;
    wend_db_info info;
    wend_section sections[WEND_DB_SECTIONS];
    size_t section_count;
    wend_allocator allocator;
    void *state;               /* the kind's own small block, made by `open`; or NULL */
    const wend_db_kind *form;  /* whose functions serve its settings: wend_db_form_of */
    struct wend_db_file *file; /* the container's: the mapped file, swapped copies */
};

/* The section of that name, or NULL; `count` may be NULL. Fails to match if the width differs. An empty
 * section has no NULL data, but data that must not be read. */
const void *wend_db_section(const wend_db *db, const char *name, uint32_t width, uint64_t *count);

/* Bytes that grow, for the results of jobs and for sections. */
typedef struct wend_buffer {
    uint8_t *data;
    size_t size, capacity;
    const wend_allocator *allocator;
} wend_buffer;

bool wend_buffer_add(wend_buffer *buffer, const void *data, size_t size); /* false: no memory */
void wend_buffer_release(wend_buffer *buffer);

/* A build under way. Work is cut into jobs whose results are bytes that depend on map, settings, seed and the
 * job's number alone. The container runs them on all workers, keeps finished ones in PATH.part, and hands all
 * of them in order to `finish`. */
typedef struct wend_builder {
    const wend_db_kind *kind;
    const wend_db_kind *form; /* whose functions serve the settings */
    const wend_map *map;
    const wend_settings *settings;
    const wend_build_options *options;
    /* For all memory of the build: it keeps to options->max_memory, and refuses beyond. Any worker may call
     * it at any time. */
    wend_allocator allocator;
    uint32_t workers; /* at least 1 */
    /* Set by `prepare` from map and settings alone: many more than there may be workers, so that little is
     * lost in between. */
    uint32_t jobs;
    /* So many of them, the first, are done one after another before the rest, which need them all. Such a
     * job may give all workers something to do itself (wend_tasks_run). 0 unless `prepare` sets it. */
    uint32_t ahead;
    void *state; /* the kind's */
    wend_section sections[WEND_DB_SECTIONS];
    size_t section_count;
    wend_buffer section_data[WEND_DB_SECTIONS]; /* as they will stand in the file */
    bool swap;                                  /* the host's byte order is not the file's */
} wend_builder;

/* A section with elements in host order; copied. Sections stand in the file in the order of these calls. */
wend_status wend_builder_section(wend_builder *builder, const char *name, uint32_t width, const void *data,
                                 uint64_t count, wend_error *error);
/* A section of `count` bytes, all 0 and for the caller to fill in: large ones need not be there twice. */
wend_status wend_builder_bytes(wend_builder *builder, const char *name, uint64_t count, uint8_t **data,
                               wend_error *error);
/* Of the file that its sections make. */
uint64_t wend_builder_file_bytes(const wend_builder *builder);
/* For work of `prepare` and `finish` that takes long: reports how far it is. False: stop, with
 * WEND_STATUS_INTERRUPTED. Not for `job`, whose progress is known. */
bool wend_builder_goes_on(const wend_builder *builder, const char *stage, uint64_t done, uint64_t total);
/* Runs a task for each index below `count` on the caller's workers (options->tasks), or here without any. */
void wend_tasks_run(const wend_tasks *tasks, uint32_t count,
                    void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument);

/* A verification under way. */
typedef struct wend_verifier {
    const wend_db *db;
    const wend_map *map;
    wend_allocator allocator;          /* as a builder's */
    const wend_build_options *options; /* the caller's */
    uint32_t workers;                  /* at least 1 */
    uint64_t jobs;                     /* set by `verify_prepare` */
    void *state;                       /* the kind's */
} wend_verifier;

/* For work before a build (`choose`): reports how far it is; false: stop, with WEND_STATUS_INTERRUPTED. */
bool wend_build_goes_on(const wend_build_options *options, const char *stage, uint64_t done, uint64_t total);

struct wend_db_kind {
    wend_method_info info; /* name (at most 15 letters), help and keys at build */
    uint32_t version;      /* of the sections' contents */
    bool seedless; /* nothing in it is drawn: files have the default seed, whatever a build is given */
    /* A kind with several layouts: the table whose functions serve these settings, which may be empty in
     * older files. Such a table has functions alone; the kind has the rest, `choose` and `repair` too. NULL:
     * the kind's own. */
    const wend_db_kind *(*form)(const wend_settings *settings);
    /* Of an open file whose checksums are right: whether every index is in range and nothing can lead a
     * planner astray. A hostile file must be refused here (WEND_STATUS_DAMAGED), whatever its sections are.
     * `db->map` may be NULL; db->info and db->settings are known. May make db->state. After a failure `close`
     * is called too. */
    wend_status (*open)(wend_db *db, wend_error *error);
    void (*close)(wend_db *db); /* NULL: nothing to do */
    /* Writes at most `capacity` facts and returns how many there are. NULL: none. */
    size_t (*facts)(const wend_db *db, wend_fact *facts, size_t capacity);
    /* Settings may leave things open: fills them in, even with those of another kind, and says why. A choice
     * leaves nothing open, and depends on map, settings and seed alone; without settings in it, those that
     * were given stand. NULL: there is nothing to choose. */
    wend_status (*choose)(const wend_map *map, const wend_settings *settings,
                          const wend_build_options *options, wend_db_choice *choice, wend_error *error);
    /* Building. `prepare` takes what all workers share and each needs for itself, within max_memory. */
    wend_status (*prepare)(wend_builder *builder, wend_error *error);
    wend_status (*job)(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result);
    /* The results of the jobs ahead, in order, each before the next is worked on: of this run, or kept from
     * one before, and then no more to be trusted than in `finish`. NULL: there are none. */
    wend_status (*ahead)(wend_builder *builder, uint32_t job, const wend_buffer *result);
    /* All jobs' results, in order: makes the sections. Results may come from a PATH.part that was tampered
     * with, so that their form is not to be trusted blindly (WEND_STATUS_DAMAGED). */
    wend_status (*finish)(wend_builder *builder, const wend_buffer *results, wend_error *error);
    void (*release)(wend_builder *builder); /* after `prepare`, even if it failed; NULL: nothing to do */
    /* Verifying: the contents are worked out again, job by job, and compared, so that no number is left
     * out. `verify_prepare` says how many jobs there are and takes memory for all workers; a job that is
     * wrong is WEND_STATUS_WRONG_CONTENTS with words on what and where. NULL: all is built again and
     * compared, byte by byte. */
    wend_status (*verify_prepare)(wend_verifier *verifier, wend_error *error);
    wend_status (*verify)(wend_verifier *verifier, uint64_t job, uint32_t worker, wend_error *error);
    void (*verify_release)(wend_verifier *verifier); /* as `release` */
    /* As wend_db_estimate, which has checked its arguments; NULL: the kind can't tell. */
    wend_status (*estimate)(const wend_map *map, const wend_settings *settings, uint32_t workers,
                            const wend_allocator *allocator, wend_estimate *estimate, wend_error *error);
    /* As wend_db_cover, which has checked its arguments; NULL: the kind does not cover cells. */
    wend_status (*cover)(const wend_db *db, const wend_cell *cells, size_t count, const wend_tasks *tasks,
                         const wend_allocator *allocator, uint8_t *covered);
    const wend_repair_kind *repair; /* db/repair.h; NULL: the kind can't be repaired */
};

WEND_INLINE const wend_db_kind *wend_db_form_of(const wend_db_kind *kind, const wend_settings *settings) {
    return kind->form ? kind->form(settings) : kind;
}

#endif
