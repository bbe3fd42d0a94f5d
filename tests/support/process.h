/* Running another program from a test, without a shell. */
#ifndef WEND_TESTS_PROCESS_H
#define WEND_TESTS_PROCESS_H

#include <stdbool.h>

/* Runs words[0], found by PATH, with standard input from one file and standard output into another (NULL:
 * none). Returns its exit status, or -1 if it could not be started or died of a signal. May be called by
 * several threads. */
int test_run(char *const *words, const char *input, const char *output);

/* A folder of its own for a test's files, made below TMPDIR; `path` has room for 200 bytes. */
bool test_folder_make(char *path);
/* Removes the folder and the plain files in it. */
void test_folder_remove(const char *path);

#endif
