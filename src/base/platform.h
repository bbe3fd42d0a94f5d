/* All that the library asks of the operating system: whole files in and out. */
#ifndef WEND_BASE_PLATFORM_H
#define WEND_BASE_PLATFORM_H

#include <wend/base.h>

/* A file's contents. `capacity` is what was allocated and what must be released. */
typedef struct wend_bytes {
    uint8_t *data;
    size_t size, capacity;
} wend_bytes;

/* Reads a whole file into memory from `allocator`. An empty file gives WEND_EMPTY_FILE. Errors carry the
 * path. */
wend_status wend_file_read(const char *path, const wend_allocator *allocator, wend_bytes *bytes,
                           wend_error *error);
void wend_file_release(const wend_allocator *allocator, wend_bytes *bytes);

/* Writes beside the file, syncs, then renames over it, so that nobody ever sees half a file. Something that
 * is not a regular file (a pipe, /dev/stdout) is written to directly. */
wend_status wend_file_write(const char *path, const void *data, size_t size, wend_error *error);

#endif
