/* All that the library asks of the operating system: whole files in and out. */
#ifndef WEND_BASE_PLATFORM_H
#define WEND_BASE_PLATFORM_H

#include <wend/base.h>

/* A file's contents. `capacity` is what was allocated and what must be released. */
typedef struct wend_bytes {
    uint8_t *data;
    size_t size, capacity;
} wend_bytes;

/* Twice what the largest map takes as text, a byte a cell, and room for tens of millions of problems. */
#define WEND_MOST_FILE_BYTES ((uint64_t)1 << 31)

/* Reads a whole file into memory from `allocator`. An empty file gives WEND_EMPTY_FILE, one of more than
 * `most` bytes WEND_TOO_LARGE: before anything is allocated where the system knows the size, and as soon as
 * that many have come where it does not (pipes, devices that never end). Errors carry the path. */
wend_status wend_file_read(const char *path, const wend_allocator *allocator, uint64_t most,
                           wend_bytes *bytes, wend_error *error);
void wend_file_release(const wend_allocator *allocator, wend_bytes *bytes);

/* Writes beside the file, syncs, then renames over it, so that nobody ever sees half a file. Something that
 * is not a regular file (a pipe, /dev/stdout) is written to directly. */
wend_status wend_file_write(const char *path, const void *data, size_t size, wend_error *error);

#endif
