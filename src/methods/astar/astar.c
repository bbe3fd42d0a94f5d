/* astar, repeated-astar, adaptive-astar: A* first, over as many steps as it takes, then the moves; and again
 * whenever the path turns out to be blocked.
 *
 * Hart, Nilsson and Raphael (1968), as "Time-Bounded Adaptive A*" (AAMAS 2012, section 8) runs it under the
 * game time model: the agent stands until the path is found and does not search while it walks. On terrain
 * that it does not know, or that changes, a new search begins when a cell of the path ahead has been closed,
 * and not before: Repeated A*, which is what astar does there. adaptive-astar does the same with the
 * heuristic that its earlier searches have made better informed (search/adaptive.h).
 *
 * Departures:
 * - The path is read out of the search tree from its end, so the moves would be known backwards. Tracing it
 *   is bounded like the search: a step's budget is ten operations per expansion, a cell is one, and the path
 *   gets what the search has left.
 * - The map may change while a search is under way (other members of a team, edits). The search goes on with
 *   what is known then, and the path is looked through when it is traced: if a move of it has become illegal,
 *   it starts again. Cells that are opened do not stop it, nor an agent that is on its way: see
 *   wend_workspace_opened. */
#include "methods/astar/astar.h"

#include "search/adaptive.h"

wend_status wend_astar_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    (void)options, (void)error;
    agent->budget = wend_settings_budget(settings, "k");
    return WEND_OK;
}

void wend_astar_begin(wend_agent *agent) {
    wend_astar_state *state = agent->state;
    *state = (wend_astar_state){0};
    wend_workspace_begin(agent);
}

static void astar_restart(wend_agent *agent) {
    wend_astar_state *state = agent->state;
    *state = (wend_astar_state){0};
    wend_workspace_restart(agent);
}

void wend_astar_changed(wend_agent *agent, wend_cell cell, bool opened) {
    wend_astar_state *state = agent->state;
    if (opened)
        wend_workspace_opened(agent, cell);
    else if (state->found && !state->cut)
        state->cut = wend_trail_cut(agent, state->trace.mark, cell);
}

void wend_astar_lost(wend_agent *agent) {
    wend_astar_state *state = agent->state;
    state->cut = true;
    if (agent->workspace && agent->workspace->search->adaptive.on)
        wend_adaptive_taint(agent->workspace->search);
    agent->lent = 0;
}

/* Searches and traces with what is left of the operations; true when it stands before the last of them. */
static bool astar_go(wend_agent *agent, uint64_t expansions, uint64_t left) {
    wend_astar_state *state = agent->state;
    if (!state->found) {
        uint64_t operations = agent->counters.operations;
        wend_ended ended = wend_workspace_run(agent, expansions, expansions);
        left -= agent->counters.operations - operations;
        if (ended == WEND_ENDED_EMPTY && !agent->ended) astar_restart(agent);
        if (ended != WEND_ENDED_GOAL) return !agent->ended;
        state->found = true;
        wend_trace_begin(agent, &state->trace, agent->goal);
    }
    wend_traced traced = wend_trace_go(agent, &state->trace, left);
    if (traced == WEND_TRACE_BROKEN) astar_restart(agent);
    state->traced = traced == WEND_TRACE_DONE;
    return !state->traced;
}

bool wend_astar_plan(wend_agent *agent, uint64_t expansions) {
    wend_astar_state *state = agent->state;
    if (state->cut) astar_restart(agent);
    if (state->traced || agent->ended) return false;
    if (!wend_workspace_borrow(agent)) return false;
    return astar_go(agent, expansions, wend_times(expansions, WEND_EXPANSION_OPERATIONS));
}

uint32_t wend_astar_move(wend_agent *agent) {
    wend_astar_state *state = agent->state;
    if (!state->traced || state->cut) return WEND_NO_DIRECTION;
    agent->counters.operations++;
    return wend_trail_next(agent, state->trace.mark);
}

/* The move, and outdated nodes when a search is given up. */
uint64_t wend_astar_bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent;
    return wend_add(wend_times(expansions, WEND_EXPANSION_OPERATIONS),
                    1 + (agent->view->changes ? WEND_DIRECTIONS : 0));
}

uint64_t wend_astar_hash(const wend_agent *agent) {
    const wend_astar_state *state = agent->state;
    uint64_t seed = (uint64_t)state->cut << 2 | (uint64_t)state->found << 1 | state->traced;
    return wend_workspace_hash(agent, seed ^ (uint64_t)state->trace.at << 8);
}

const wend_key_info wend_search_first_keys[1] = {WEND_FIRST_KEY};

#define FUNCTIONS                                                                                            \
    .state_size = sizeof(wend_astar_state), .plan = wend_astar_plan, .move = wend_astar_move,                \
    WEND_ASTAR_FUNCTIONS

const wend_planner wend_planner_astar = {
    .info = {"astar", "A*: searches a shortest path first, then moves along it", wend_search_first_keys, 1},
    FUNCTIONS,
    .storage = WEND_STORAGE_PLAIN,
};

const wend_planner wend_planner_repeated_astar = {
    .info = {"repeated-astar", "A*, again whenever its path turns out to be blocked", wend_search_first_keys,
             1},
    FUNCTIONS,
    .storage = WEND_STORAGE_PLAIN,
};

const wend_planner wend_planner_adaptive_astar = {
    .info = {"adaptive-astar", "Adaptive A*: the same, with what earlier searches have taught it",
             wend_search_first_keys, 1},
    FUNCTIONS,
    .storage = WEND_STORAGE_ADAPTIVE,
};
