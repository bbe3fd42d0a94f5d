/* A set of planners as a program has it: the library's, and the one of examples/own_planner.c. */
#ifndef TEST_OWN_H
#define TEST_OWN_H

#include <wend/planner.h>

/* The same each time, until the program ends. */
const wend_planners *test_planner_set(void);
/* As wend_settings_parse, with that set. */
wend_status test_own_parse(const char *text, const wend_allocator *allocator, wend_settings **settings,
                           wend_error *error);
/* Whether settings of a planner are of one of these that may not arrive. */
bool test_own_is_incomplete(const char *planner);
/* The example itself: what its main returns. */
int test_own_example(void);

#endif
