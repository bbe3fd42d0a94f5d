/* Search first, then move: what `astar`, `jps` and `corners` have in common. astar.c explains it. */
#ifndef WEND_METHODS_ASTAR_FIRST_H
#define WEND_METHODS_ASTAR_FIRST_H

#include "plan/agent.h"

/* An agent's state begins with this. */
typedef struct wend_astar_state {
    bool found;  /* the search has ended at the goal */
    bool traced; /* and its path can be followed */
    bool cut;    /* the path is blocked */
    wend_trace trace;
} wend_astar_state;

/* Of jps, and of those who search over corners as it does. */
typedef struct wend_jps_state {
    wend_astar_state astar;
    uint32_t next;         /* the corner ahead */
    const uint64_t *flags; /* of edges, for the goal: see wend_corner_state; NULL: none */
} wend_jps_state;

bool wend_jps_plan(wend_agent *agent, uint64_t expansions);
uint32_t wend_jps_move(wend_agent *agent);

wend_status wend_astar_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error);
void wend_astar_begin(wend_agent *agent);
bool wend_astar_plan(wend_agent *agent, uint64_t expansions);
uint32_t wend_astar_move(wend_agent *agent);
void wend_astar_changed(wend_agent *agent, wend_cell cell, bool opened);
void wend_astar_lost(wend_agent *agent);
uint64_t wend_astar_bound(const wend_agent *agent, uint64_t expansions);
uint64_t wend_astar_hash(const wend_agent *agent);

/* The row of a planner that works so, but for its state's size, plan, move and storage. */
#define WEND_ASTAR_FUNCTIONS                                                                                 \
    .create = wend_astar_create, .begin = wend_astar_begin, .changed = wend_astar_changed,                   \
    .lost = wend_astar_lost, .change_operations = WEND_OPENED_OPERATIONS, .visit = wend_workspace_visit,     \
    .bound = wend_astar_bound, .used = wend_workspace_used, .hash = wend_astar_hash

#endif
