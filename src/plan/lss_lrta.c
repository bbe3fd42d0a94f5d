/* lss-lrta: LRTA* with a local search space.
 *
 * Koenig and Sun, "Comparing real-time and incremental heuristic search for real-time situated agents"
 * (JAAMAS 2009): A* of k expansions from the agent with the learnt h; then h of all expanded cells is set to
 * infinity, and Dijkstra's algorithm from the open cells inwards, by h, gives each the least c + h over its
 * neighbours; then moves along the tree path to s', the cell about to be expanded.
 *
 * What is kept when the goal moves or the view changes, and when it says that there is no path: see
 * lookahead.h.
 *
 * Departures:
 * - One move after each lookahead, as under the game time model (AAMAS 2012), not all of them up to s'.
 * - Dijkstra's algorithm starts with the expanded cells that have an open neighbour, each by the least c + h
 * over those, not with the open cells: the same values, and cells that are far from any expanded one are not
 * looked at again. */
#include "plan/lookahead.h"

typedef struct lss_state {
    wend_lookahead lookahead; /* first: see lookahead.c */
    wend_search *second;      /* for its queue */
} lss_state;

static wend_status lss_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    lss_state *state = agent->state;
    wend_status status = wend_lookahead_create(agent, settings, options, error);
    if (status != WEND_OK) return status;
    wend_search *search = state->lookahead.learner.search;
    wend_onward_all(search->map, &search->onward);
    wend_search_options second = wend_default_search_options();
    second.allocator = agent->ground->allocator;
    status = wend_search_create(search->map, &second, &state->second, error);
    if (status != WEND_OK) return status;
    uint64_t room = (uint64_t)search->learnt.closed_room * (1 + WEND_DIRECTIONS) + 2 * WEND_DIRECTIONS;
    if (room > UINT32_MAX / 8)
        status = WEND_TOO_LARGE;
    else
        status = wend_search_reserve_queue(state->second, (uint32_t)room, search->learnt.wide);
    if (status != WEND_OK) return wend_fail(error, status, "no memory for lookaheads of this size");
    agent->bytes += wend_search_bytes(state->second);
    return WEND_OK;
}

static void lss_release(wend_agent *agent) {
    lss_state *state = agent->state;
    wend_search_destroy(state->second);
    wend_learner_release(agent);
}

static uint32_t lss_move(wend_agent *agent) {
    lss_state *state = agent->state;
    wend_ahead first;
    if (!wend_lookahead_close(agent, &first)) return WEND_NO_DIRECTION;
    wend_search *search = state->lookahead.learner.search;
    uint64_t operations = search->operations;
    wend_learnt_spread(search, &state->second->queue);
    wend_lookahead_count(agent, operations);
    return first.move;
}

/* Learning looks at every expanded cell with its neighbours twice, and takes it from the queue at most nine
 * times: put there at first, and once for each neighbour. */
static uint64_t lss_bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent;
    uint64_t learning = wend_times(expansions, 1 + 2 * WEND_DIRECTIONS + 1 + WEND_DIRECTIONS);
    uint64_t looking =
        wend_add(wend_times(expansions, 1 + 2 * WEND_DIRECTIONS), WEND_LOOKAHEAD_ANEW + WEND_DIRECTIONS);
    return wend_add(learning, looking);
}

const wend_planner wend_planner_lss_lrta = {
    .info = {"lss-lrta", "LSS-LRTA*: looks ahead, learns exactly what that tells, makes one move",
             wend_lookahead_keys, 1},
    .state_size = sizeof(lss_state),
    .create = lss_create,
    .release = lss_release,
    .begin = wend_lookahead_begin,
    .plan = wend_lookahead_plan,
    .move = lss_move,
    .changed = wend_lookahead_changed,
    .lost = wend_lookahead_lost,
    .change_operations = WEND_LOOKAHEAD_CHANGE,
    .visit = wend_lookahead_visit,
    .bound = lss_bound,
    .used = wend_lookahead_used,
    .hash = wend_lookahead_hash,
};
