/* jps: as astar, with a search over corners and tables made beforehand: the same lengths, fewer expansions.
 * search/kernels/corner_graph.c and search/jumps.c have the papers.
 *
 * The workspace's search is that of WEND_STORAGE_JUMPS, and the tables are the world's. Its path is a list of
 * corners, an operation each to put into the order in which they are walked. From one to the next the agent
 * makes its primary moves first, then its secondary ones, so a move takes one operation, as astar's.
 *
 * A step searches for as many operations as `k` expansions of astar may take. It needs no more slices than
 * that: corners that are passed through are counted, see search/kernels/corner.inc.
 *
 * Tables do not outlast an edit. Where the view may change (an editable world, terrain that is not known), no
 * tables are made, and the search is that of astar: WEND_STORAGE_CHANGING. */
#include "methods/astar/astar.h"

static bool over_corners(const wend_agent *agent) {
    return agent->storage == WEND_STORAGE_JUMPS;
}

bool wend_jps_plan(wend_agent *agent, uint64_t expansions) {
    wend_jps_state *state = agent->state;
    if (!over_corners(agent)) return wend_astar_plan(agent, expansions);
    if (state->astar.traced || agent->ended || !wend_workspace_borrow(agent)) return false;
    uint64_t left = wend_times(expansions, WEND_EXPANSION_OPERATIONS);
    if (!state->astar.found) {
        uint64_t operations = agent->counters.operations;
        agent->workspace->search->corner.flags = state->flags;
        if (state->flags) agent->workspace->opened = true; /* flags that are wrong prove nothing */
        wend_ended ended = wend_workspace_run(agent, expansions, expansions);
        left -= agent->counters.operations - operations;
        if (ended == WEND_ENDED_EMPTY && !agent->ended) {
            state->flags = NULL;
            wend_workspace_restart(agent);
        }
        if (ended != WEND_ENDED_GOAL) return !agent->ended;
        state->astar.found = true;
    }
    wend_search *search = agent->workspace->search;
    uint64_t operations = search->operations;
    state->astar.traced = wend_corner_turn(search, left);
    agent->counters.operations += search->operations - operations;
    state->next = search->corner.next;
    return !state->astar.traced;
}

uint32_t wend_jps_move(wend_agent *agent) {
    wend_jps_state *state = agent->state;
    if (!over_corners(agent)) return wend_astar_move(agent);
    if (!state->astar.traced) return WEND_NO_DIRECTION;
    agent->counters.operations++;
    return wend_corner_move(agent->workspace->search, agent->at, &state->next);
}

const wend_planner wend_planner_jps = {
    .info = {"jps", "jump-point search with tables made beforehand: the same lengths, fewer expansions",
             wend_search_first_keys, 1},
    .state_size = sizeof(wend_jps_state),
    .plan = wend_jps_plan,
    .move = wend_jps_move,
    WEND_ASTAR_FUNCTIONS,
    .storage = WEND_STORAGE_JUMPS,
};
