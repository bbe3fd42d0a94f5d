/* The `wend` program under test, run through a shell in a folder of its own. */
#ifndef WEND_TESTS_COMMAND_H
#define WEND_TESTS_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

/* Finds the program (WEND_COMMAND, or `wend` beside the test) and makes a folder for files. False, after
 * test_skip, if there is no program. */
bool test_command_begin(void);
/* test_command_begin, and whatever else the tests of a program share since it takes seconds: `make` runs
 * once, and the folder stays until the program ends. What it said then. */
bool test_command_once(bool (*make)(void));
/* Removes the folder and all that is in it. */
void test_command_end(void);

/* Runs a line of shell in the folder; "$WEND" is the program. Returns the exit status, -1 if it died. */
int test_shell(const char *line);
/* The numbers that a line of shell prints, `most` of them; how many there are. It must succeed. */
size_t test_shell_numbers(const char *line, double *numbers, size_t most);
FILE *test_command_open(const char *name, const char *mode);
/* A whole file of the folder as a string to be freed; NULL, after a failed check, if it can't be read. */
char *test_command_read(const char *name);

#endif
