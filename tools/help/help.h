/* What `wend COMMAND --help` prints. A text is a file of this folder, NAME.txt, that stands inside the program:
 * the summary on its first line, then the usage, the options and an example. A line `@NAME` stands for the text
 * of that name, as `@common` for the options of every command. Lines have at most 100 columns. */
#ifndef WEND_TOOLS_HELP_HELP_H
#define WEND_TOOLS_HELP_HELP_H

#include "cli/tool.h"
#include "report/embedded.h"

/* By the name of the file, without .txt; blanks of a command's name are _. */
extern const tool_embedded tool_texts[];

/* As it stands in the file; its first line is what `wend help` says of the command. */
const char *tool_help_text(const tool_command *command);
/* By the first `length` letters of `name`; "" where there is none, which the tests would see. */
const char *tool_help_named(const char *name, size_t length);
/* The manual page of all commands. */
void tool_help_man(const tool_command *const *commands, size_t count);
void tool_help_print(const tool_command *command);
/* "wend COMMAND ..." on one line, however many it has in the text. */
void tool_help_usage(const tool_command *command, char *usage, size_t size);
/* What the option's value is called in the text, as "FILE" or "known|unknown". False where it has none. */
bool tool_help_value(const tool_command *command, const char *option, char *value, size_t size);

#endif
