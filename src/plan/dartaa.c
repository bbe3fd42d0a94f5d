/* dartaa: RTAA* with depression avoidance.
 *
 * Hernandez and Baier, "Real-Time Adaptive A* with depression avoidance" (AIIDE 2011): as rtaa, but the agent
 * moves towards the open cell whose h has been raised least over the given heuristic H, and among those the
 * one with the smallest f; the update still uses the smallest f of all. Further ties: larger g, then smaller
 * cell.
 *
 * Departures: as rtaa, except that the lookahead tries all legal moves, since it chooses among all of the
 * open list. Looking through it counts an operation a node; there are at most 7 k + 8 of them, since one of a
 * cell's neighbours is its parent. */
#include "plan/lookahead.h"

static wend_status dartaa_create(wend_agent *agent, const wend_settings *settings,
                                 const wend_agent_options *options, wend_error *error) {
    wend_status status = wend_lookahead_create(agent, settings, options, error);
    if (status == WEND_OK)
        wend_onward_all(agent->view->map, &((wend_lookahead *)agent->state)->search->onward);
    return status;
}

/* The open cell to move towards. */
static wend_cell least_raised(wend_search *search) {
    uint64_t best_raised = UINT64_MAX, best_f = 0, best_g = 0;
    wend_cell best = WEND_NO_CELL;
    for (uint32_t i = WEND_QUEUE_ROOT; i < search->queue.end; i++) {
        wend_record_learnt *record;
        uint64_t f;
        search->operations++;
        if (!wend_learnt_open_at(search, i, &record, &f)) continue;
        uint64_t raised = record->h - wend_learnt_given(search, record->cell);
        bool better = raised != best_raised ? raised < best_raised
                      : f != best_f         ? f < best_f
                      : record->g != best_g ? record->g > best_g
                                            : record->cell < best;
        if (best != WEND_NO_CELL && !better) continue;
        best = record->cell, best_raised = raised, best_f = f, best_g = record->g;
    }
    return best;
}

static uint32_t dartaa_move(wend_agent *agent) {
    wend_lookahead *lookahead = agent->state;
    wend_record_learnt *first = wend_lookahead_close(agent);
    if (!first) return WEND_NO_DIRECTION;
    wend_search *search = lookahead->search;
    uint64_t operations = search->operations;
    /* A goal about to be expanded has been found: there is nothing to avoid any more. */
    wend_cell target = first->cell == agent->goal ? first->cell : least_raised(search);
    uint32_t move = wend_learnt_first_move(search, target);
    wend_lookahead_learn(agent, first->g + first->h);
    wend_lookahead_count(agent, operations);
    return move;
}

static uint64_t dartaa_bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent;
    return wend_add(wend_times(expansions, 1 + 3 * WEND_DIRECTIONS + 2), 2 + 3 * WEND_DIRECTIONS);
}

const wend_planner wend_planner_dartaa = {
    .info = {"dartaa", "RTAA* that keeps away from where it has learnt much", wend_lookahead_keys, 1},
    .state_size = sizeof(wend_lookahead),
    .create = dartaa_create,
    .release = wend_lookahead_release,
    .begin = wend_lookahead_begin,
    .plan = wend_lookahead_plan,
    .move = dartaa_move,
    .visit = wend_lookahead_visit,
    .bound = dartaa_bound,
    .used = wend_lookahead_used,
    .hash = wend_lookahead_hash,
};
