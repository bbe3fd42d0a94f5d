/* What a planner is made of: a table of functions over an agent. One file a planner, one row in planners.c.
 */
#ifndef WEND_PLAN_AGENT_H
#define WEND_PLAN_AGENT_H

#include "base/memory.h"
#include "base/status.h"
#include "grid/map.h"
#include "search/search.h"
#include <wend/world.h>

/* A large workspace: a search over the whole map, the trail of the path that was traced in it, and who stood
 * where. */
typedef struct wend_workspace {
    wend_search *search;
    /* mark << 3 | direction: the move onward from a cell of the path that was traced with this mark. Marks
     * only grow, so nothing is ever cleared. */
    uint64_t *trail;
    uint64_t mark;
    uint32_t *visits; /* the task that stood here last, by number */
    uint32_t task;
    struct wend_workspace *next; /* in a list of the ground's */
} wend_workspace;

/* What all agents of a world share, below the world itself. */
typedef struct wend_ground {
    const wend_map *map;
    wend_components *components;
    wend_allocator allocator;
    uint32_t queue_nodes;
    uint32_t workspace_count; /* how many there may be */
    wend_workspace *workspaces;
    wend_workspace *free, *tired; /* lists of those that nobody has */
    bool ready;                   /* the workspaces are allocated */
} wend_ground;

wend_status wend_ground_prepare(wend_ground *ground, wend_error *error); /* allocates the workspaces */
void wend_ground_refresh(wend_ground *ground); /* clears what is tired; not within a step */
void wend_ground_release(wend_ground *ground);
size_t wend_ground_bytes(const wend_ground *ground);

typedef struct wend_planner wend_planner;

struct wend_agent {
    const wend_planner *planner;
    wend_ground *ground;
    wend_cell at, start, goal;
    bool tasked;   /* wend_agent_start has succeeded */
    bool begun;    /* and is not just beginning: what is known of the goal is of use */
    bool checked;  /* it is known that a path joins `at` and `goal`, or that none does */
    bool searched; /* the search-only interval of the game time model is over */
    bool ended;    /* by `end`; until the task changes */
    wend_outcome end;
    uint64_t budget; /* its own k; UINT64_MAX: unlimited */
    wend_counters counters;
    uint64_t counted_expansions, counted_operations; /* up to the last move */
    uint64_t given;                                  /* the budgets of plans since the last move */
    wend_workspace *workspace;                       /* borrowed, or NULL */
    size_t bytes;                                    /* this block and what the planner allocated */
    void *state;                                     /* the planner's own, `planner->state_size` bytes */
};

/* The functions of a planner. `plan` and `move` run within the real-time contract. A planner says that the
 * task is over with wend_agent_end; arrival at the goal is seen by the caller. */
struct wend_planner {
    wend_planner_info info;
    size_t state_size;
    /* Reads settings and takes all memory; on failure frees nothing: `release` is called. NULL: nothing to
     * do. */
    wend_status (*create)(wend_agent *agent, const wend_settings *settings, const wend_agent_options *options,
                          wend_error *error);
    void (*release)(wend_agent *agent);
    /* A task begins, or goes on with another goal or from another place: agent->at and agent->goal say which.
     */
    void (*begin)(wend_agent *agent);
    /* Plans with this many expansions, on top of agent->given; true if more would be of use before the next
     * move. */
    bool (*plan)(wend_agent *agent, uint64_t expansions);
    /* The direction to move in, or WEND_NO_DIRECTION to stand. */
    uint32_t (*move)(wend_agent *agent);
    /* The agent has moved in that direction: true if it has been on this cell in this task. */
    bool (*visit)(wend_agent *agent);
    uint64_t (*bound)(const wend_agent *agent, uint64_t expansions);
    size_t (*used)(const wend_agent *agent); /* bytes in use now, beyond the agent's block */
    uint64_t (*hash)(const wend_agent *agent);
    bool whole_map; /* needs a workspace */
};

extern const wend_planner wend_planner_astar, wend_planner_lrta, wend_planner_lss_lrta, wend_planner_rtaa,
    wend_planner_dartaa, wend_planner_tba;

/* The key of planners that search first. */
extern const wend_key_info wend_search_first_keys[1];

/* The functions of the planner of these settings; NULL for one that is not stepped (jps). */
const wend_planner *wend_planner_of(const wend_settings *settings);

void wend_agent_end(wend_agent *agent, wend_outcome outcome);
/* `k` as a budget. */
uint64_t wend_settings_budget(const wend_settings *settings, const char *key);
/* A sum and a product that stop at UINT64_MAX, for bounds. */
uint64_t wend_add(uint64_t a, uint64_t b);
uint64_t wend_times(uint64_t a, uint64_t b);

/* A path on its way out of the search tree: from `end` back to the search's root or the agent, whichever is
 * met first. What has been traced can be followed forward from any of its cells, also while the trace is
 * under way. */
typedef struct wend_trace {
    wend_cell at, end;
    uint64_t mark;
    bool under_way;
} wend_trace;

void wend_trace_begin(wend_agent *agent, wend_trace *trace, wend_cell from);
/* Goes on for at most `steps` cells, an operation each; true when it has met its end. */
bool wend_trace_go(wend_agent *agent, wend_trace *trace, uint64_t steps);
/* The move onward from where the agent stands along a trail of this mark or a later one; WEND_NO_DIRECTION
 * off it. */
uint32_t wend_trail_next(const wend_agent *agent, uint64_t mark);

/* Borrowing, within a step: false, and the agent waits, if none is free. Borrowing starts a search from where
 * the agent stands to its goal. */
bool wend_workspace_borrow(wend_agent *agent);
void wend_workspace_return(wend_agent *agent);
/* A task goes on from where the agent stands to its goal: another search, if it has a workspace. */
void wend_workspace_begin(wend_agent *agent);
/* Goes on with the search, counts what it did, and ends the task where there is no path or no room. */
wend_ended wend_workspace_run(wend_agent *agent, uint64_t expansions, uint64_t outdated);
bool wend_workspace_visit(wend_agent *agent);
size_t wend_workspace_used(const wend_agent *agent);
uint64_t wend_workspace_hash(const wend_agent *agent, uint64_t seed);

#endif
