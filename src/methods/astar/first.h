/* Search first, then move: what `astar`, `jps` and `corners` have in common. first.c explains it. */
#ifndef WEND_METHODS_ASTAR_FIRST_H
#define WEND_METHODS_ASTAR_FIRST_H

#include "plan/agent.h"

/* The state of a planner that searches first. What the planner itself sets comes first. */
typedef struct wend_first {
    /* Flags of edges for a goal, of searches over corners: see wend_corner_state. NULL: it has none. */
    const uint64_t *(*flags_of)(const wend_db *db, wend_cell goal);
    const wend_db *db;
    wend_way way;
    wend_cell end;    /* where the way ends, if it has moves */
    wend_cell stands; /* where the agent is, unless somebody has put it elsewhere */
    uint64_t goals;   /* of the agent, when its task last began or went on */
    bool cut;         /* the way, or what is known of it, is of no use */
    /* On maps that change: how many moves of the way have been looked through since, and where that is. */
    uint32_t seen;
    wend_cell seen_at;
    /* The search, from `root`, which is `keep` moves ahead, to `aim`. */
    bool searching, found, traced, copying;
    wend_cell root, aim;
    uint32_t keep;
    uint64_t apart_now; /* how far its ends are from each other; 0: it begins far from the agent */
    wend_trace trace;
    wend_cell copied;  /* where copying the path has come to */
    uint32_t next;     /* jps: the corner ahead of that */
    uint32_t lasts;    /* moves and waits since it began */
    uint32_t lasted;   /* how many one of its kind took that began near the agent, */
    uint64_t apart;    /* and how far its ends were from each other */
    size_t peak_bytes; /* of all searches */
    uint64_t peak_cells;
} wend_first;

wend_status wend_first_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error);
void wend_first_release(wend_agent *agent);
void wend_first_begin(wend_agent *agent);
bool wend_first_plan(wend_agent *agent, uint64_t expansions);
uint32_t wend_first_move(wend_agent *agent);
void wend_first_changed(wend_agent *agent, wend_cell cell, bool opened);
void wend_first_lost(wend_agent *agent);
uint64_t wend_first_bound(const wend_agent *agent, uint64_t expansions);
size_t wend_first_used(const wend_agent *agent, uint64_t *cells);
uint64_t wend_first_hash(const wend_agent *agent);

/* The row of a planner that works so, but for its create. */
#define WEND_FIRST_FUNCTIONS                                                                                 \
    .state_size = sizeof(wend_first), .release = wend_first_release, .begin = wend_first_begin,              \
    .plan = wend_first_plan, .move = wend_first_move, .changed = wend_first_changed,                         \
    .lost = wend_first_lost, .change_operations = WEND_OPENED_OPERATIONS, .visit = wend_workspace_visit,     \
    .bound = wend_first_bound, .used = wend_first_used, .hash = wend_first_hash

#endif
