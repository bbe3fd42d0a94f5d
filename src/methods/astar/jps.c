/* jps: as astar, with a search over jump points and tables made beforehand: the same lengths, fewer
 * expansions. search/jumps.c has the papers.
 *
 * Only the kernel differs: the workspace's search is that of WEND_STORAGE_JUMPS, and the tables are the
 * world's. Its path is a trail over jump points, one operation each to trace. Between two of them the agent
 * goes straight on, so a move takes one operation, as astar's.
 *
 * Tables do not outlast an edit. Where the view may change (an editable world, terrain that is not known), no
 * tables are made, and the search is that of astar: WEND_STORAGE_CHANGING. */
#include "methods/astar/first.h"

typedef struct jps_state {
    wend_astar_state astar;
    uint32_t onward; /* the last move; it goes on to the next jump point */
} jps_state;

static uint32_t jps_move(wend_agent *agent) {
    jps_state *state = agent->state;
    uint32_t move = wend_astar_move(agent);
    bool walks = state->astar.traced && agent->storage == WEND_STORAGE_JUMPS;
    if (walks && move == WEND_NO_DIRECTION) move = state->onward;
    return state->onward = move;
}

const wend_planner wend_planner_jps = {
    .info = {"jps", "jump-point search with tables made beforehand: the same lengths, fewer expansions",
             wend_search_first_keys, 1},
    .state_size = sizeof(jps_state),
    .move = jps_move,
    WEND_ASTAR_FUNCTIONS,
    .storage = WEND_STORAGE_JUMPS,
};
