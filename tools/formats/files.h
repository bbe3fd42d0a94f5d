/* Whole files in memory, and errors with a place, for the formats that only the tools read and write. */
#ifndef WEND_TOOLS_FORMATS_FILES_H
#define WEND_TOOLS_FORMATS_FILES_H

#include <wend/wend.h>

#include <stdio.h>

/* Names the file in an error that the reader of a buffer has filled; keeps a name that is there already. */
void tool_error_file(wend_error *error, const char *path);

bool tool_bytes_append(wend_bytes *bytes, const void *data, size_t size); /* false: no memory */
void tool_bytes_release(wend_bytes *bytes);

/* Results: the one way in which commands write files. A file appears whole at its end or not at all, whatever
 * comes in between (wend_output, and signals: cli/system.h); "-" is standard output. All zero is an output that
 * is not open. It must stay where it is while it is open. All complain and return false. */
typedef struct tool_output {
    FILE *stream; /* to write to; NULL: not open */
    const char *path;
    wend_output file;
} tool_output;

bool tool_output_begin(tool_output *output, const char *path);
/* Of everything that was written, too. Closes it in any case. */
bool tool_output_end(tool_output *output);
void tool_output_drop(tool_output *output); /* instead of the end: nothing is left of it */
bool tool_write_file(const char *path, const void *data, size_t size);

/* The files that a command is given, to be looked at before the first is opened. */
typedef struct tool_files {
    struct {
        const char *name, *path; /* "--json" or "MAP", and which file that is */
        bool written;
    } list[96];
    size_t count;
} tool_files;

/* A `path` of NULL is left out. */
void tool_files_read(tool_files *files, const char *name, const char *path);
void tool_files_written(tool_files *files, const char *name, const char *path);
/* Whether no file that will be written is another of them, however it is spelt; "-" is standard output, or
 * standard input. Complains with the command's name otherwise. */
bool tool_files_apart(const tool_files *files, const char *command);

/* The letters that stand for an open and a blocked cell under these options' terrain: '.' and '@' unless the
 * terrain says otherwise. WEND_STATUS_BAD_ARGUMENT where it leaves no blocked letter. */
wend_status tool_plain_letters(const wend_map_options *options, char *open, char *blocked, wend_error *error);

#endif
