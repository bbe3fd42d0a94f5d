/* rtaa: Real-Time Adaptive A*.
 *
 * Koenig and Likhachev, "Real-Time Adaptive A*" (AAMAS 2006), one move after each lookahead as under the game
 * time model of "Time-Bounded Adaptive A*" (AAMAS 2012): A* of k expansions from the agent with the learnt h.
 * For all expanded x, h(x) := f(s') - g(x), where s' is the cell about to be expanded. Then one move along
 * the tree path to s'.
 *
 * What is kept when the goal moves or the view changes, and when it says that there is no path: see
 * lookahead.h.
 *
 * Departures:
 * - The update is made at once, over the at most k expanded cells. The lazy form of the 2012 paper gives the
 *   same values later; it would need the f(s') of every lookahead since the task began, a table that grows
 *   with each move.
 * - h is kept where the formula would lower it: it never does, with a consistent h, but the promise is cheap.
 * - The lookahead tries canonical moves only (search/onward.h). The smallest f in the open list is the same
 *   with them: a cell left out of it has a forerunner in it with no larger f. */
#include "methods/lrta/lookahead.h"
#include "methods/lrta/lrta.h"

static uint32_t rtaa_move(wend_agent *agent) {
    wend_lookahead *lookahead = agent->state;
    wend_ahead first;
    if (!wend_lookahead_close(agent, &first)) return WEND_NO_DIRECTION;
    uint64_t operations = lookahead->learner.search->operations;
    wend_learnt_update(lookahead->learner.search, first.f);
    wend_lookahead_count(agent, operations);
    return first.move;
}

/* A lookahead, its outdated nodes, the update. */
static uint64_t rtaa_bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent;
    return wend_add(wend_times(expansions, 1 + 2 * WEND_DIRECTIONS + 1),
                    WEND_LOOKAHEAD_ANEW + WEND_DIRECTIONS);
}

const wend_planner wend_planner_rtaa = {
    .info = {"rtaa", "RTAA*: looks ahead, learns from what it expanded, makes one move", wend_lookahead_keys,
             1},
    .state_size = sizeof(wend_lookahead),
    .create = wend_lookahead_create,
    .release = wend_learner_release,
    .begin = wend_lookahead_begin,
    .plan = wend_lookahead_plan,
    .move = rtaa_move,
    .changed = wend_lookahead_changed,
    .lost = wend_lookahead_lost,
    .change_operations = WEND_LOOKAHEAD_CHANGE,
    .visit = wend_lookahead_visit,
    .bound = rtaa_bound,
    .used = wend_lookahead_used,
    .hash = wend_lookahead_hash,
    .value = wend_learner_value,
    .watch = wend_learner_watch,
};
