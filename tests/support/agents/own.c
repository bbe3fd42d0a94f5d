#include "support/agents/own.h"

#include "support/agents/agents.h"

#include <stdlib.h>

#define main test_own_example
#include "../examples/own_planner.c" /* NOLINT(bugprone-suspicious-include) */
#undef main

/* Planners that the contract is asked of beside the library's: a row for each. */
static const struct {
    const wend_planner_functions *functions;
    bool incomplete; /* it may not arrive where a path leads */
} own[] = {{&tabu_functions, .incomplete = true}};
enum { OWN = sizeof own / sizeof *own };

static wend_planners *set;

static void release_set(void) {
    wend_planners_destroy(set);
}

const wend_planners *test_planner_set(void) {
    if (set) return set;
    if (wend_planners_create(NULL, &set, NULL) != WEND_OK) abort();
    for (size_t i = 0; i < OWN; i++)
        if (wend_planners_add(set, own[i].functions, NULL, NULL) != WEND_OK) abort();
    (void)atexit(release_set);
    return set;
}

bool test_own_is_incomplete(const char *planner) {
    for (size_t i = 0; i < OWN; i++)
        if (test_is_planner(planner, own[i].functions->info.name)) return own[i].incomplete;
    return false;
}

wend_status test_own_parse(const char *text, const wend_allocator *allocator, wend_settings **settings,
                           wend_error *error) {
    return wend_planners_parse(test_planner_set(), text, allocator, settings, error);
}
