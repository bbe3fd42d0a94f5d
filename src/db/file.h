/* The .wend file: the layout of docs/reference/file-format.md, and calls with which tests change it. */
#ifndef WEND_DB_FILE_H
#define WEND_DB_FILE_H

#include "base/platform.h"
#include "db/kinds.h"

enum { WEND_DB_FORMAT = 1 }; /* the version of the layout */

/* Where the fields of the header stand, in bytes. */
enum {
    WEND_DB_MAGIC = 0,          /* 8 bytes */
    WEND_DB_ORDER = 8,          /* u32 */
    WEND_DB_VERSION = 12,       /* u32 */
    WEND_DB_HEADER_BYTES = 16,  /* u32 */
    WEND_DB_SECTION_COUNT = 20, /* u32 */
    WEND_DB_FILE_BYTES = 24,    /* u64 */
    WEND_DB_CHECKSUM = 32,      /* u64 */
    WEND_DB_FINGERPRINT = 40,   /* u64 */
    WEND_DB_SEED = 48,          /* u64 */
    WEND_DB_WIDTH = 56,         /* u32 */
    WEND_DB_HEIGHT = 60,        /* u32 */
    WEND_DB_RULES = 64,         /* u8 connect, corners, diagonal, 0 */
    WEND_DB_KIND_VERSION = 68,  /* u32 */
    WEND_DB_KIND = 72,          /* 16 bytes */
    WEND_DB_SETTINGS = 88,      /* u32: bytes of the settings' text */
    WEND_DB_TABLE = 96,
    /* A row of the table. */
    WEND_DB_ROW = 48,
    WEND_DB_ROW_NAME = 0,      /* 16 bytes */
    WEND_DB_ROW_WIDTH = 16,    /* u32 */
    WEND_DB_ROW_OFFSET = 24,   /* u64 */
    WEND_DB_ROW_COUNT = 32,    /* u64 */
    WEND_DB_ROW_CHECKSUM = 40, /* u64 */
};

#define WEND_DB_BYTE_ORDER 0x01020304u
enum { WEND_DB_SETTINGS_ROOM = 5376 }; /* of the settings' text with its NUL */

extern const uint8_t wend_db_magic[8];

WEND_INLINE uint64_t wend_db_padded(uint64_t size) {
    return (size + 7) & ~(uint64_t)7;
}

/* Of a whole header, but for the checksum itself. */
uint64_t wend_db_header_checksum(const uint8_t *header, size_t size);
/* `count` elements of `width` bytes, each with its bytes in the other order. */
void wend_db_swap(uint8_t *to, const uint8_t *from, uint32_t width, uint64_t count);

/* What the public calls take for granted. `swap` is set where the host is big-endian; tests set it on any. */
typedef struct wend_db_context {
    wend_db_kinds kinds;
    bool swap;
} wend_db_context;

wend_db_context wend_db_usual_context(void);
wend_status wend_db_open_in(const wend_db_context *context, const char *path, const wend_map *map,
                            const wend_db_options *options, wend_db **db, wend_error *error);
wend_status wend_db_open_memory_in(const wend_db_context *context, const void *data, size_t size,
                                   const wend_map *map, const wend_db_options *options, wend_db **db,
                                   wend_error *error);
wend_status wend_db_build_in(const wend_db_context *context, const wend_map *map,
                             const wend_settings *settings, const wend_build_options *options,
                             const char *path, wend_error *error);

/* WEND_STATUS_OTHER_MAP, with words on what would fit, unless the map is the one of this fingerprint. */
wend_status wend_db_check_map(const wend_db_info *info, const wend_map *map, wend_error *error);

/* Builds in memory what the database should hold, with its own settings and seed, and compares: for kinds that
 * are verified as a whole. builder.c */
wend_status wend_db_rebuild(const wend_db *db, const wend_map *map, const wend_build_options *options,
                            wend_error *error);

/* Writes a file of the builder's sections and checks that it can be opened before it takes its place. */
wend_status wend_db_write(const wend_db_context *context, const wend_builder *builder, const char *path,
                          wend_error *error);

#endif
