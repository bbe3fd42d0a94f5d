/* Time-Bounded A* as a part of an agent's state: tba.c's planners are made of it, and others fall back on it.
 * The search is in the agent's workspace, which is borrowed by the first plan. */
#ifndef WEND_PLAN_TBA_H
#define WEND_PLAN_TBA_H

#include "plan/agent.h"

typedef struct wend_tba {
    double share;   /* of a budget that goes into expansions; the rest traces */
    uint64_t ratio; /* cells of tracing for an expansion */
    bool free_trace, avoids;
    /* Of the task. */
    bool cut;         /* the path is blocked */
    bool found;       /* the search has ended at the goal */
    bool goal_traced; /* nothing is left to plan */
    bool have_path;   /* some trace is complete */
    uint64_t path;    /* its mark */
    wend_cell path_end;
    wend_trace trace;
} wend_tba;

/* A search from where the agent stands, once it has a workspace. */
void wend_tba_begin(wend_agent *agent, wend_tba *state);
/* As a planner's functions of these names. */
bool wend_tba_plan(wend_agent *agent, wend_tba *state, uint64_t budget);
uint32_t wend_tba_move(wend_agent *agent, wend_tba *state);
uint64_t wend_tba_bound(const wend_agent *agent, const wend_tba *state, uint64_t budget);
uint64_t wend_tba_hash(const wend_agent *agent, const wend_tba *state);

#endif
