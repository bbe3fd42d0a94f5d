/* All that the library asks of the operating system: whole files in and out, files that grow at their end
 * (wend/file.h), files mapped into memory. Errors carry the path. */
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

#endif
