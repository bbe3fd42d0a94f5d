/* All that the library asks of the operating system: whole files in and out, files mapped into memory, files
 * that grow at their end. Errors carry the path. */
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

/* Reads a whole file into memory from `allocator`. An empty file gives WEND_STATUS_EMPTY_FILE, one of more
 * than `most` bytes WEND_STATUS_TOO_LARGE: before anything is allocated where the system knows the size, and
 * as soon as that many have come where it does not (pipes, devices that never end). */
wend_status wend_file_read(const char *path, const wend_allocator *allocator, uint64_t most,
                           wend_bytes *bytes, wend_error *error);
void wend_file_release(const wend_allocator *allocator, wend_bytes *bytes);

/* Writes beside the file, syncs, then renames over it, so that nobody ever sees half a file. Something that
 * is not a regular file (a pipe, /dev/stdout) is written to directly. */
wend_status wend_file_write(const char *path, const void *data, size_t size, wend_error *error);

/* A whole file in memory without copying; `data` is aligned to 8 and more. Regular files only. Who cuts the
 * file short while it is mapped ends those who read it: files must be replaced, as wend_output does. */
typedef struct wend_mapping {
    uint8_t *data; /* for reading only */
    size_t size;
} wend_mapping;

wend_status wend_file_map(const char *path, wend_mapping *mapping, wend_error *error);
void wend_file_unmap(wend_mapping *mapping);

/* wend_file_write in parts: begun beside the file, under `temporary`; there at once and whole when committed,
 * gone without a trace when abandoned. After a failed write it has to be abandoned; a commit, failed or not,
 * ends it. Not for what is no regular file. `path` must outlive it. */
typedef struct wend_output {
    const char *path;
    int file;
    char temporary[4096];
} wend_output;

wend_status wend_output_begin(const char *path, wend_output *output, wend_error *error);
wend_status wend_output_write(wend_output *output, const void *data, size_t size, wend_error *error);
wend_status wend_output_commit(wend_output *output, wend_error *error);
void wend_output_abandon(wend_output *output);
/* Whether wend_output_commit could replace what is there now, as far as that can be told beforehand. */
wend_status wend_output_possible(const char *path, wend_error *error);

/* A file that grows at its end. What has been appended is there even if the program dies right after; if
 * the machine does, what was synced. */
typedef struct wend_growing {
    const char *path;
    int file;
} wend_growing;

/* Keeps the first `keep` bytes of what is there and drops the rest. */
wend_status wend_growing_open(const char *path, uint64_t keep, wend_growing *growing, wend_error *error);
wend_status wend_growing_add(wend_growing *growing, const void *data, size_t size, wend_error *error);
void wend_growing_close(wend_growing *growing, bool sync);

bool wend_file_exists(const char *path);
void wend_file_remove(const char *path); /* if it is there */

#endif
