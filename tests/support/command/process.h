/* Running another program from a test, without a shell. */
#ifndef WEND_TESTS_PROCESS_H
#define WEND_TESTS_PROCESS_H

/* Runs words[0], found by PATH, with standard input from one file and standard output into another (NULL:
 * none). Returns its exit status, or -1 if it could not be started or died of a signal. May be called by
 * several threads. */
int test_run(char *const *words, const char *input, const char *output);

#endif
