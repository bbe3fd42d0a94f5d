/* Planners that a program brings along: a public table of functions, made into a row of the inner one. */
#ifndef WEND_PLAN_OWN_H
#define WEND_PLAN_OWN_H

#include "plan/agent.h"

typedef struct wend_own {
    wend_planner planner; /* first: what agents point to */
    wend_planner_functions functions;
    void *context;
} wend_own;

/* WEND_STATUS_BAD_ARGUMENT, with words, for a table that is not as wend/planner.h wants it. */
wend_status wend_own_init(wend_own *own, const wend_planner_functions *given, void *context,
                          wend_error *error);

#endif
