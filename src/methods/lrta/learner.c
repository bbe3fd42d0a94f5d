#include "methods/lrta/learner.h"

static wend_learner *learner_of(const wend_agent *agent) {
    return agent->state;
}

wend_status wend_learner_search(const wend_agent *agent, bool all, wend_search **search, wend_error *error) {
    wend_search_options options = wend_default_search_options();
    options.allocator = agent->ground->allocator;
    const wend_onward *onward = wend_ground_onward(agent->ground, all);
    if (!onward) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a table of moves");
    return wend_search_create_sharing(agent->view->map, &options, onward, search, error);
}

wend_status wend_learner_create(wend_agent *agent, const wend_agent_options *options, uint64_t lookahead,
                                wend_error *error) {
    wend_learner *learner = learner_of(agent);
    const wend_map *map = agent->view->map;
    agent->doubts = true;
    uint32_t cells = agent->view->changes ? map->cells : map->open_cells;
    if (options->max_cells && options->max_cells < cells) cells = options->max_cells;
    wend_status status = wend_learner_search(agent, learner->all, &learner->search, error);
    if (status != WEND_OK) return status;
    if (!agent->view->changes) wend_search_fit(learner->search, map->open_cells);
    status = wend_learnt_reserve(learner->search, cells,
                                 lookahead < UINT32_MAX - 1 ? (uint32_t)lookahead : UINT32_MAX - 1);
    if (status != WEND_OK)
        return wend_fail(error, status, "no memory for an agent that knows %u cells", cells);
    agent->bytes += wend_search_bytes(learner->search);
    return WEND_OK;
}

void wend_learner_release(wend_agent *agent) {
    wend_search_destroy(learner_of(agent)->search);
}

static void drop(wend_agent *agent) {
    wend_learner *learner = learner_of(agent);
    wend_learnt_drop(learner->search);
    learner->dirty = false;
    agent->counters.learnt = 0;
    agent->counters.operations += WEND_LEARNT_SWEEP;
}

void wend_learner_begin(wend_agent *agent) {
    wend_learner *learner = learner_of(agent);
    wend_search *search = learner->search;
    bool same = search->goal == agent->goal;
    if (!agent->begun || (!same && (!learner->consistent || learner->dirty))) {
        wend_learnt_forget(search, agent->goal);
        learner->behind = learner->dirty = false;
    } else if (!same) {
        wend_learnt_set_goal(search, agent->goal);
    }
    agent->counters.learnt = search->learnt.raised;
}

bool wend_learner_drop_late(wend_agent *agent) {
    drop(agent);
    return true;
}

bool wend_learner_changed(wend_agent *agent, wend_cell cell, bool opened) {
    wend_learner *learner = learner_of(agent);
    wend_search *search = learner->search;
    if (!opened || learner->dirty) return false;
    if (learner->behind) {
        learner->dirty = true;
        return false;
    }
    uint64_t operations = search->operations;
    bool holds =
        learner->consistent ? wend_learnt_consistent_around(search, cell) : search->learnt.raised == 0;
    agent->counters.operations += search->operations - operations;
    if (!holds) drop(agent);
    return !holds;
}

void wend_learner_lost(wend_agent *agent) {
    learner_of(agent)->behind = false; /* it hears of what comes after this */
    drop(agent);
}

bool wend_learner_has_proved(wend_agent *agent) {
    const wend_learner *learner = learner_of(agent);
    bool sure = agent->taken == agent->view->map->revision && !learner->behind && !learner->dirty;
    if (sure) wend_agent_end(agent, WEND_STEP_UNREACHABLE);
    return sure;
}

wend_cost wend_learner_value(const wend_agent *agent, wend_cell cell) {
    wend_xy at = wend_map_xy(agent->view->map, cell);
    return wend_learnt_h(learner_of(agent)->search, cell, (uint32_t)at.x, (uint32_t)at.y);
}

void wend_learner_watch(wend_agent *agent) {
    learner_of(agent)->search->watch = agent->watch;
}

uint64_t wend_learner_hash(const wend_agent *agent) {
    const wend_learner *learner = learner_of(agent);
    return wend_learnt_hash(learner->search) ^
           ((uint64_t)learner->behind << 63 | (uint64_t)learner->dirty << 62);
}
