/* Whole files in memory, and errors with a place, for the formats that only the tools read and write. */
#ifndef WEND_TOOLS_FORMATS_FILES_H
#define WEND_TOOLS_FORMATS_FILES_H

#include <wend/wend.h>

#include <stdio.h>

/* Names the file in an error that the reader of a buffer has filled; keeps a name that is there already. */
void tool_error_file(wend_error *error, const char *path);

bool tool_bytes_append(wend_bytes *bytes, const void *data, size_t size); /* false: no memory */
void tool_bytes_release(wend_bytes *bytes);

/* As wend_file_write and wend_output, but that "-" is standard output. All zero is an output that is not open. */
wend_status tool_write_file(const char *path, const void *data, size_t size, wend_error *error);
typedef struct tool_output {
    wend_output file;
    bool open, standard;
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
