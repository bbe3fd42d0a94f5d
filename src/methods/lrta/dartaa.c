/* dartaa: RTAA* with depression avoidance.
 *
 * Hernandez and Baier, "Real-Time Adaptive A* with depression avoidance" (AIIDE 2011): as rtaa, but the agent
 * moves towards the open cell whose h has been raised least over the given heuristic H, and among those the
 * one with the smallest f. The update still uses the smallest f of all. Further ties: larger g, then smaller
 * cell.
 *
 * What is kept when the goal moves or the view changes, and when it says that there is no path: see
 * lookahead.h. "Raised" then means above the given heuristic of the new goal.
 *
 * Departures: as rtaa, except that the lookahead tries all legal moves, since it chooses among all of the
 * open list. Looking through it counts one operation per node; there are at most 7 k + 8 of them, since one
 * of a cell's neighbours is its parent. */
#include "methods/lrta/lookahead.h"
#include "methods/lrta/lrta.h"

static wend_status dartaa_create(wend_agent *agent, const wend_settings *settings,
                                 const wend_agent_options *options, wend_error *error) {
    ((wend_learner *)agent->state)->all = true;
    return wend_lookahead_create(agent, settings, options, error);
}

static uint32_t dartaa_move(wend_agent *agent) {
    wend_lookahead *lookahead = agent->state;
    wend_ahead first;
    if (!wend_lookahead_close(agent, &first)) return WEND_NO_DIRECTION;
    wend_search *search = lookahead->learner.search;
    uint64_t operations = search->operations;
    /* A goal about to be expanded has been found: there is nothing to avoid any more. */
    wend_ahead target = first.cell == agent->goal ? first : wend_learnt_least_raised(search);
    wend_learnt_update(search, first.f);
    wend_lookahead_count(agent, operations);
    return target.move;
}

static uint64_t dartaa_bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent;
    return wend_add(wend_times(expansions, 1 + 3 * WEND_DIRECTIONS + 1),
                    WEND_LOOKAHEAD_ANEW + 3 * WEND_DIRECTIONS);
}

const wend_planner wend_planner_dartaa = {
    .info = {"dartaa", "RTAA* that keeps away from where it has learnt much", wend_lookahead_keys, 1},
    .state_size = sizeof(wend_lookahead),
    .create = dartaa_create,
    .release = wend_learner_release,
    .begin = wend_lookahead_begin,
    .plan = wend_lookahead_plan,
    .move = dartaa_move,
    .changed = wend_lookahead_changed,
    .lost = wend_lookahead_lost,
    .change_operations = WEND_LOOKAHEAD_CHANGE,
    .visit = wend_lookahead_visit,
    .bound = dartaa_bound,
    .used = wend_lookahead_used,
    .hash = wend_lookahead_hash,
    .value = wend_learner_value,
    .watch = wend_learner_watch,
};
