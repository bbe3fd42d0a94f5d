/* Files, read whole and written whole or not at all: as the library does it, for programs beside it. */
#ifndef WEND_FILE_H
#define WEND_FILE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file's contents. `capacity` is what was allocated and is released. */
typedef struct wend_bytes {
    uint8_t *data;
    size_t size, capacity;
} wend_bytes;

/* Twice what the largest map takes as text, one byte per cell, and room for tens of millions of problems. */
#define WEND_MAX_FILE_BYTES ((uint64_t)1 << 31)

/* Reads a whole file into memory from `allocator` (NULL: the C library's). An empty file gives
 * WEND_STATUS_EMPTY_FILE, one of more than `max_bytes` WEND_STATUS_TOO_LARGE: before anything is allocated
 * where the system knows the size, and as soon as that many have come where it does not (pipes, devices that
 * never end). */
WEND_API wend_status wend_file_read(const char *path, const wend_allocator *allocator, uint64_t max_bytes,
                                    wend_bytes *bytes, wend_error *error);
WEND_API void wend_file_release(const wend_allocator *allocator, wend_bytes *bytes);

/* Writes beside the file, syncs, then renames over it, so that nobody ever sees half a file. Something that
 * is not a regular file (a pipe, a device) is written to directly. */
WEND_API wend_status wend_file_write(const char *path, const void *data, size_t size, wend_error *error);

/* The same in parts:
 * 1. wend_output_begin already says whether the file can be written;
 * 2. wend_output_write adds to what is written so far, as often as wanted;
 * 3. wend_output_commit ends it, failed or not; or wend_output_discard, also after a failed write: nothing is
 *    left of it.
 * `path` must outlive it. The fields are the library's. */
typedef struct wend_output {
    const char *path;
    int file;
    char temporary[4096]; /* what becomes the file in the end; "": written in place */
} wend_output;

WEND_API wend_status wend_output_begin(wend_output *output, const char *path, wend_error *error);
WEND_API wend_status wend_output_write(wend_output *output, const void *data, size_t size, wend_error *error);
WEND_API wend_status wend_output_commit(wend_output *output, wend_error *error);
WEND_API void wend_output_discard(wend_output *output);

#ifdef __cplusplus
}
#endif
#endif
