#include "support/agents/own.h"

#include <stdlib.h>

#define main test_own_example
#include "../examples/own_planner.c" /* NOLINT(bugprone-suspicious-include) */
#undef main

static wend_planners *set;

static void release_set(void) {
    wend_planners_destroy(set);
}

const wend_planners *test_planner_set(void) {
    if (set) return set;
    if (wend_planners_create(NULL, &set, NULL) != WEND_OK ||
        wend_planners_add(set, &tabu_functions, NULL, NULL) != WEND_OK)
        abort();
    (void)atexit(release_set);
    return set;
}

wend_status test_own_parse(const char *text, const wend_allocator *allocator, wend_settings **settings,
                           wend_error *error) {
    return wend_planners_parse(test_planner_set(), text, allocator, settings, error);
}
