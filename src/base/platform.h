/* All that the library asks of the operating system: whole files in and out (wend/file.h), files mapped into
 * memory, files that grow at their end. Errors carry the path. */
#ifndef WEND_BASE_PLATFORM_H
#define WEND_BASE_PLATFORM_H

#include <wend/file.h>

/* A whole file in memory without copying; `data` is aligned to at least 8. Regular files only. Truncating a
 * mapped file crashes its readers (SIGBUS). Replace files instead, as wend_output does. */
typedef struct wend_mapping {
    uint8_t *data; /* for reading only */
    size_t size;
} wend_mapping;

wend_status wend_file_map(const char *path, wend_mapping *mapping, wend_error *error);
void wend_file_unmap(wend_mapping *mapping);

/* Whether wend_output_commit could replace what is there now, as far as this can be known before. */
wend_status wend_output_possible(const char *path, wend_error *error);

/* A file that grows at its end. What was appended survives a crash of the program. What was synced also
 * survives a crash of the machine. */
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
