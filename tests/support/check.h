/* A small test harness: a test program is a list of named functions; each calls CHECK for every property of
 * every case. The last line of a program is `PROGRAM: N passed, M failed`, where N counts cases, not
 * assertions. */
#ifndef WEND_TESTS_CHECK_H
#define WEND_TESTS_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Closes the current case: it passed if every CHECK since the last one held. A test function is at least one
 * case. */
void test_case(void);

/* Reports file, line and the words, marks the current case as failed and goes on. Returns `good`. */
bool test_check(bool good, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define CHECK(condition) test_check((condition), __FILE__, __LINE__, "%s", #condition)
#define CHECK_THAT(condition, ...) test_check((condition), __FILE__, __LINE__, __VA_ARGS__)

/* Says that something was not tested and why; counted apart. */
void test_skip(const char *why);

/* The folder of shared maps, from WEND_SHARED or ../shared beside the source tree; NULL (after test_skip) if
 * absent. A WEND_SHARED that is set but missing fails. */
const char *test_shared(void);

/* True at full length (WEND_FULL=1): the optimised tests of test-full. */
bool test_full(void);

/* `count` at full length, half of it in the quick form, a fifth where sanitizers make each several times as
 * expensive (WEND_SAMPLE is set): they watch each kind of access, not each problem. At least one. */
uint32_t test_some(uint32_t count);
/* The same of different kinds of a thing: all of them in the quick form too. */
uint32_t test_each(uint32_t count);
/* True, after test_skip, where it is thinned, unless WEND_EVERY is set as in test-full: for what is expensive
 * there and does the same kind of work as another test, at length or to see how good it is. */
bool test_skip_thinned(void);

typedef struct test {
    const char *name;
    void (*run)(void);
} test;

/* Runs all tests, or those whose name contains argv[1]. */
int test_main(int argc, char **argv, const test *tests, size_t count);
#define TEST_MAIN(tests)                                                                                     \
    int main(int argc, char **argv) {                                                                        \
        return test_main(argc, argv, tests, sizeof(tests) / sizeof *(tests));                                \
    }

#endif
