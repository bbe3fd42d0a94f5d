/* Whole files in memory, and errors with a place, for the formats that only the tools read and write. */
#ifndef WEND_TOOLS_FORMATS_FILES_H
#define WEND_TOOLS_FORMATS_FILES_H

#include <wend/wend.h>

#include <stdio.h>

/* Fills `error` (which may be NULL) and returns `status`. Line and column from 1, 0 if they mean nothing. */
wend_status tool_fail(wend_error *error, wend_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
wend_status tool_fail_at(wend_error *error, wend_status status, uint64_t line, uint64_t column,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Names the file in an error that the reader of a buffer has filled; keeps a name that is there already. */
void tool_error_file(wend_error *error, const char *path);

/* Bytes that grow; all zero is empty. */
typedef struct tool_bytes {
    uint8_t *data;
    size_t size, capacity;
} tool_bytes;

bool tool_bytes_append(tool_bytes *bytes, const void *data, size_t size); /* false: no memory */
void tool_bytes_release(tool_bytes *bytes);

/* An empty file is WEND_STATUS_EMPTY_FILE. Memory grows with what was read, not with what a size claims. */
wend_status tool_read_file(const char *path, tool_bytes *bytes, wend_error *error);
/* "-" is standard output. A regular file is replaced in one go: nobody sees half of it. */
wend_status tool_write_file(const char *path, const void *data, size_t size, wend_error *error);

/* The same piece by piece; the first call already says whether it can be written. */
typedef struct tool_output {
    const char *path; /* the caller's */
    char *temporary;  /* what becomes the file in the end; NULL: it is written in place */
    FILE *file;
} tool_output;

/* Whether what is written to both would be one file, however it is spelt; "-" is standard output. */
bool tool_same_file(const char *a, const char *b);
wend_status tool_output_begin(tool_output *output, const char *path, wend_error *error);
wend_status tool_output_add(tool_output *output, const void *data, size_t size, wend_error *error);
wend_status tool_output_end(tool_output *output, wend_error *error);
void tool_output_drop(tool_output *output); /* instead of the end: nothing is left of it */

/* The letters that stand for an open and a blocked cell under these options' terrain: '.' and '@' unless the
 * terrain says otherwise. WEND_STATUS_BAD_ARGUMENT where it leaves no blocked letter. */
wend_status tool_plain_letters(const wend_map_options *options, char *open, char *blocked, wend_error *error);

#endif
