/* A kind of database behind the one container: what it stores, how its pieces are built, and how they are
 * checked. One file a kind, one row in kinds.c. */
#ifndef WEND_DB_KIND_H
#define WEND_DB_KIND_H

#include "base/memory.h"
#include "base/status.h"
#include "grid/map.h"
#include <wend/db.h>

/* A section of the file: an array in little-endian order, aligned to 8. On a big-endian host the container
 * swaps it into memory, which is why it has to know the width of its elements. */
typedef struct wend_section {
    char name[16];
    uint32_t width; /* of an element in bytes: 1, 2, 4 or 8 */
    uint64_t count; /* of elements */
    const void *data;
} wend_section;

enum { WEND_DB_SECTIONS = 24 };

typedef struct wend_db_kind wend_db_kind;

struct wend_db {
    const wend_db_kind *kind;
    const wend_map *map; /* or NULL */
    wend_settings settings;
    wend_db_info info;
    wend_section sections[WEND_DB_SECTIONS];
    size_t section_count;
    wend_allocator allocator;
    void *state; /* the kind's own small block, made by `open`; or NULL */
    /* The container's: the mapped file, swapped copies. */
    void *file;
};

/* The section of that name, or NULL; `count` may be NULL. Fails to match if the width differs. */
const void *wend_db_section(const wend_db *db, const char *name, uint32_t width, uint64_t *count);

/* Bytes that grow, for the results of pieces and for sections. */
typedef struct wend_buffer {
    uint8_t *data;
    size_t size, capacity;
    const wend_allocator *allocator;
} wend_buffer;

bool wend_buffer_add(wend_buffer *buffer, const void *data, size_t size); /* false: no memory */
void wend_buffer_release(wend_buffer *buffer);

/* A build under way. Work is cut into pieces whose results are bytes that depend on map, settings, seed and
 * the piece's number alone; the container runs them on all workers, keeps finished ones in PATH.part, and
 * hands all of them in order to `finish`. */
typedef struct wend_builder {
    const wend_db_kind *kind;
    const wend_map *map;
    const wend_settings *settings;
    const wend_build_options *options;
    wend_allocator allocator;
    uint32_t workers;
    uint32_t pieces; /* set by `prepare`: many more than workers, so that little is lost in between */
    void *state;     /* the kind's */
    wend_section sections[WEND_DB_SECTIONS];
    size_t section_count;
    wend_buffer section_data[WEND_DB_SECTIONS];
} wend_builder;

/* A section with elements in host order; copied. */
wend_status wend_builder_section(wend_builder *builder, const char *name, uint32_t width, const void *data,
                                 uint64_t count, wend_error *error);

struct wend_db_kind {
    wend_planner_info info; /* name, help and keys at build */
    uint32_t version;       /* of the sections' contents */
    /* Of an open file whose checksums are right: whether every index is in range and nothing can lead a
     * planner astray; a hostile file must be refused here. `db->map` may be NULL. May make db->state. */
    wend_status (*open)(wend_db *db, wend_error *error);
    void (*close)(wend_db *db); /* NULL: nothing to do */
    size_t (*facts)(const wend_db *db, wend_fact *facts, size_t capacity);
    /* Building. `prepare` takes what all workers share and each needs for itself, within max_memory. */
    wend_status (*prepare)(wend_builder *builder, wend_error *error);
    wend_status (*piece)(wend_builder *builder, uint32_t piece, uint32_t worker, wend_buffer *result);
    /* All pieces' results, in order: makes the sections. */
    wend_status (*finish)(wend_builder *builder, const wend_buffer *results, wend_error *error);
    void (*release)(wend_builder *builder); /* after `prepare`, be it failed */
    /* Works out piece number `piece` (of as many as `pieces` says, for verifying) anew and compares. */
    uint64_t (*verify_pieces)(const wend_db *db);
    wend_status (*verify)(const wend_db *db, const wend_map *map, uint64_t piece, void *state,
                          wend_error *error);
};

extern const wend_db_kind wend_db_knn, wend_db_knn2009, wend_db_dlrta;

#endif
