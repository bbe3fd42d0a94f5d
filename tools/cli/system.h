/* What the commands ask of the operating system beyond the library: descriptors, signals, who a file is. One
 * file per system. */
#ifndef WEND_TOOLS_CLI_SYSTEM_H
#define WEND_TOOLS_CLI_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Before anything else. Opens descriptors 0 to 2 where they are closed, so that no file gets their numbers; what
 * is read from or written to them then fails. From here on a signal that ends the program removes what is
 * half written (tool_half_written) first, and a file that grows beyond `ulimit -f` is an error like a full disk. */
void tool_system_begin(void);

/* From now on the first Ctrl-C (SIGINT), SIGTERM or SIGHUP makes tool_interrupted true. The second one, or the
 * next seconds if the work does not end by itself, ends the program as above. */
void tool_catch_interrupts(void);
bool tool_interrupted(void);

/* Called before a signal ends the program; may only do what a signal's handler may. NULL: nothing. */
void tool_before_signal_ends(void (*restore)(void));

/* A file to be removed if a signal ends the program, until tool_half_written_ends. Both take the same string,
 * which must stay. */
void tool_half_written(const char *path);
void tool_half_written_ends(const char *path);

/* Whether something is there that is no plain file: writing to a pipe could wait for ever. */
bool tool_is_special(const char *path);
/* Whether two names are of one file that is there. Devices are no files. */
bool tool_same_place(const char *a, const char *b);

/* What results say of the machine. The processor's name goes into `text`, or the kind of machine where the system
 * gives no name; returns `text`, or NULL where it knows neither. */
const char *tool_processor(char *text, size_t size);
/* Programs that wanted to run, in the mean of the last minute; NAN where the system does not say. */
double tool_load(void);

#endif
