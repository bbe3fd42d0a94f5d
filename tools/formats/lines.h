/* Text files of lines of words; complaints name file, line and column. */
#ifndef WEND_TOOLS_FORMATS_LINES_H
#define WEND_TOOLS_FORMATS_LINES_H

#include "cli/tool.h"

typedef struct tool_lines {
    const char *file;
    const char *form;          /* what a line looks like: "TICK X Y W H open|closed" */
    wend_bytes bytes;          /* of the whole file; a reader may write over the words it has read */
    uint64_t number;           /* of the line, from 1 */
    uint8_t *begin, *at, *end; /* of the line; `at` is its next word */
    uint8_t *next;             /* line */
} tool_lines;

/* Complains and returns false. To be released in any case (tool_bytes_release of `bytes`). */
bool tool_lines_open(tool_lines *lines, const char *file, const char *form);
/* Goes to the next line that has a word; false at the end of the file. */
bool tool_lines_next(tool_lines *lines);
/* The next word of the line; empty at its end. */
uint8_t *tool_lines_word(tool_lines *lines, size_t *length);
/* A whole number in it, at most `most`. Complains and returns false, also of a line without one more word. */
bool tool_lines_number(tool_lines *lines, const char *what, uint64_t most, uint64_t *value);
/* Complains of what stands at `where` in the line; returns false. */
bool tool_lines_refuse(const tool_lines *lines, const uint8_t *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
