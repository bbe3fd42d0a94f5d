/* The door of tba: Time-Bounded A* as a part of an agent's state: tba.c's planners are made of it, and others
 * fall back on it. The search is in the agent's workspace, which is borrowed by the first plan. */
#ifndef WEND_TBA_TBA_H
#define WEND_TBA_TBA_H

#include "plan/agent.h"

extern const wend_planner wend_planner_tba, wend_planner_rtba, wend_planner_tbaa;

typedef struct wend_tba {
    double share;   /* of a budget that goes into expansions; the rest traces */
    uint64_t ratio; /* cells of tracing for an expansion */
    bool free_trace, avoids;
    /* Ground that a search has not touched yet is expensive, as it is not in the cache: each cell that is
     * opened beyond one per expansion counts as OPENED_CHARGE more (tba.c). For planners that fall back on it
     * with a large budget: no step then takes much longer than another. */
    bool sparing;
    /* Where a search may end before it comes to the goal: asked of each cell that it is about to expand.
     * NULL: nowhere. At most `ends_operations` operations, counted by it. */
    bool (*ends)(wend_agent *agent, wend_cell cell);
    uint64_t ends_operations;
    /* Of the task. */
    bool cut;         /* the path is blocked */
    bool found;       /* the search has ended, at `end` */
    wend_cell end;    /* the goal, or a cell that would do */
    bool goal_traced; /* nothing is left to plan */
    bool have_path;   /* some trace is complete */
    uint64_t path;    /* its mark */
    wend_cell path_end;
    wend_trace trace;
    int64_t credit; /* expansions that are paid for; below 0: what was opened is not yet */
} wend_tba;

/* A search from where the agent stands, once it has a workspace. */
void wend_tba_begin(wend_agent *agent, wend_tba *state);
/* As a planner's functions of these names. */
bool wend_tba_plan(wend_agent *agent, wend_tba *state, uint64_t budget);
uint32_t wend_tba_move(wend_agent *agent, wend_tba *state);
void wend_tba_changed(wend_agent *agent, wend_tba *state, wend_cell cell, bool opened);
void wend_tba_lost(wend_agent *agent, wend_tba *state);
/* The search may end at this cell, which it has expanded already, and need not go on. */
void wend_tba_found(wend_tba *state, wend_cell cell);
uint64_t wend_tba_bound(const wend_agent *agent, const wend_tba *state, uint64_t budget);
uint64_t wend_tba_hash(const wend_agent *agent, const wend_tba *state);

#endif
