/* astar: A* first, over as many steps as it takes, then the moves.
 *
 * Hart, Nilsson and Raphael (1968), as "Time-Bounded Adaptive A*" (AAMAS 2012) runs it under the game time
 * model: the agent stands until the path is found and does not search afterwards. Departures:
 * - The path is read out of the search tree from its end, so the moves would be known backwards. Tracing it
 * is bounded like the search: a step's budget is ten operations an expansion, a cell is one, and the path
 * gets what the search has left. */
#include "plan/agent.h"

/* The most that the search takes for one: a node from the queue, eight moves, and an outdated node. */
enum { OPERATIONS_AN_EXPANSION = 2 + WEND_DIRECTIONS };

typedef struct astar_state {
    bool found;  /* the search has ended at the goal */
    bool traced; /* and its path can be followed */
    wend_trace trace;
} astar_state;

static wend_status astar_create(wend_agent *agent, const wend_settings *settings,
                                const wend_agent_options *options, wend_error *error) {
    (void)options, (void)error;
    agent->budget = wend_settings_budget(settings, "k");
    return WEND_OK;
}

static void astar_begin(wend_agent *agent) {
    astar_state *state = agent->state;
    *state = (astar_state){0};
    wend_workspace_begin(agent);
}

static bool astar_plan(wend_agent *agent, uint64_t expansions) {
    astar_state *state = agent->state;
    if (state->traced) return false;
    if (!wend_workspace_borrow(agent)) return false;
    uint64_t left = wend_times(expansions, OPERATIONS_AN_EXPANSION);
    if (!state->found) {
        uint64_t operations = agent->counters.operations;
        wend_ended ended = wend_workspace_run(agent, expansions, expansions);
        left -= agent->counters.operations - operations;
        if (ended != WEND_ENDED_GOAL) return ended == WEND_ENDED_BUDGET;
        state->found = true;
        wend_trace_begin(agent, &state->trace, agent->goal);
    }
    state->traced = wend_trace_go(agent, &state->trace, left);
    return !state->traced;
}

static uint32_t astar_move(wend_agent *agent) {
    astar_state *state = agent->state;
    if (!state->traced) return WEND_NO_DIRECTION;
    agent->counters.operations++;
    return wend_trail_next(agent, state->trace.mark);
}

static uint64_t astar_bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent;
    return wend_add(wend_times(expansions, OPERATIONS_AN_EXPANSION), 1);
}

static uint64_t astar_hash(const wend_agent *agent) {
    const astar_state *state = agent->state;
    uint64_t seed = (uint64_t)state->found << 1 | state->traced;
    return wend_workspace_hash(agent, seed ^ (uint64_t)state->trace.at << 8);
}

const wend_key_info wend_search_first_keys[1] = {
    {.name = "k",
     .kind = WEND_KEY_INTEGER,
     .unlimited = true,
     .least = 1,
     .most = 1e12,
     .standard = "unlimited",
     .help = "expansions a step: the first move waits until the search has had enough steps"},
};

const wend_planner wend_planner_astar = {
    .info = {"astar", "A*: searches a shortest path first, then moves along it", wend_search_first_keys, 1},
    .state_size = sizeof(astar_state),
    .create = astar_create,
    .begin = astar_begin,
    .plan = astar_plan,
    .move = astar_move,
    .visit = wend_workspace_visit,
    .bound = astar_bound,
    .used = wend_workspace_used,
    .hash = astar_hash,
    .whole_map = true,
};
