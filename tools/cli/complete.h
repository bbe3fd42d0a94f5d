/* Completion of words by a shell; see complete.c. */
#ifndef WEND_TOOLS_CLI_COMPLETE_H
#define WEND_TOOLS_CLI_COMPLETE_H

#include "cli/tool.h"

#include <stddef.h>

typedef struct tool_options {
    const tool_option *options;
    size_t count;
} tool_options;

/* Prints `before`, `candidate` and `after` as one line if that begins with `word`. */
void tool_offer(const char *before, const char *candidate, const char *after, const char *word);

/* What the last of `words` may become, behind the command's name; the others are complete. */
void tool_complete(const tool_command *command, int count, char **words, const tool_options *lists,
                   size_t list_count);

#endif
