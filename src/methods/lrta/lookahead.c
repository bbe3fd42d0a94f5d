#include "methods/lrta/lookahead.h"

const wend_key_info wend_lookahead_keys[1] = {WEND_LOOKAHEAD_KEY};

/* All planners of this kind keep a wend_lookahead at the start of their state. */
static wend_lookahead *lookahead_of(const wend_agent *agent) {
    return agent->state;
}

wend_status wend_lookahead_create(wend_agent *agent, const wend_settings *settings,
                                  const wend_agent_options *options, wend_error *error) {
    agent->budget = wend_settings_budget(settings, "k");
    lookahead_of(agent)->learner.consistent = true;
    return wend_learner_create(agent, options,
                               options->max_lookahead ? options->max_lookahead : agent->budget, error);
}

void wend_lookahead_stop(wend_agent *agent) {
    wend_lookahead *lookahead = lookahead_of(agent);
    lookahead->under_way = lookahead->over = false;
    lookahead->expanded = 0;
}

void wend_lookahead_begin(wend_agent *agent) {
    wend_lookahead_stop(agent);
    wend_learner_begin(agent);
    (void)wend_lookahead_visit(agent);
}

void wend_lookahead_changed(wend_agent *agent, wend_cell cell, bool opened) {
    const wend_lookahead *lookahead = lookahead_of(agent);
    bool dropped = wend_learner_changed(agent, cell, opened);
    if (!lookahead->under_way) return;
    uint64_t operations = lookahead->learner.search->operations;
    if (dropped || wend_learnt_touches_around(lookahead->learner.search, cell)) wend_lookahead_stop(agent);
    wend_lookahead_count(agent, operations);
}

void wend_lookahead_lost(wend_agent *agent) {
    wend_lookahead_stop(agent);
    wend_learner_lost(agent);
}

/* The view has changed since the lookahead began, and it has not heard of all that. */
static void give_up_if_outdated(wend_agent *agent) {
    const wend_lookahead *lookahead = lookahead_of(agent);
    uint64_t revision = agent->view->map->revision;
    if (lookahead->under_way && agent->taken != revision && lookahead->revision != revision)
        wend_lookahead_stop(agent);
}

void wend_lookahead_count(wend_agent *agent, uint64_t operations) {
    const wend_search *search = lookahead_of(agent)->learner.search;
    agent->counters.operations += search->operations - operations;
    agent->counters.learnt = search->learnt.raised;
}

bool wend_lookahead_plan(wend_agent *agent, uint64_t expansions) {
    wend_lookahead *lookahead = lookahead_of(agent);
    wend_search *search = lookahead->learner.search;
    give_up_if_outdated(agent);
    if (lookahead->over) return false;
    if (!lookahead->under_way) (void)wend_learner_catch_up(agent);
    uint64_t expanded = search->expansions, operations = search->operations;
    if (!lookahead->under_way) {
        if (!wend_learnt_begin(search, agent->at)) {
            wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
            return false;
        }
        lookahead->under_way = true;
        lookahead->revision = agent->view->map->revision;
        lookahead->expanded = 0;
    }
    lookahead->ended = wend_search_run(search, expansions, wend_times(expansions, WEND_DIRECTIONS));
    agent->counters.expansions += search->expansions - expanded;
    lookahead->expanded += search->expansions - expanded;
    wend_lookahead_count(agent, operations);
    lookahead->over = lookahead->ended != WEND_ENDED_BUDGET;
    return !lookahead->over;
}

bool wend_lookahead_close(wend_agent *agent, wend_ahead *first) {
    wend_lookahead *lookahead = lookahead_of(agent);
    wend_search *search = lookahead->learner.search;
    lookahead->astray = false;
    give_up_if_outdated(agent);
    if (!lookahead->under_way) return false; /* nothing was planned: stand */
    lookahead->under_way = lookahead->over = false;
    uint64_t operations = search->operations;
    bool found = wend_learnt_first(search, first), subgoal = search->goal != agent->goal;
    wend_lookahead_count(agent, operations);
    /* A lookahead cut short by its own room is a short lookahead; by the table's, the end. */
    if (!lookahead->expanded && lookahead->ended == WEND_ENDED_FULL)
        wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
    else if (subgoal)
        lookahead->astray = !found || first->f > wend_learnt_limit(search);
    else if (!found)
        wend_agent_end(agent, WEND_STEP_UNREACHABLE);
    else
        (void)wend_learner_proves(agent, first->f);
    return !agent->ended && !lookahead->astray;
}

bool wend_lookahead_visit(wend_agent *agent) {
    uint32_t slot;
    return wend_learnt_visit(lookahead_of(agent)->learner.search, agent->at, &slot);
}

size_t wend_lookahead_used(const wend_agent *agent, uint64_t *cells) {
    *cells = lookahead_of(agent)->learner.search->learnt.used;
    return wend_learnt_bytes(lookahead_of(agent)->learner.search);
}

uint64_t wend_lookahead_hash(const wend_agent *agent) {
    const wend_lookahead *lookahead = lookahead_of(agent);
    return wend_learner_hash(agent) ^
           (lookahead->expanded << 2 | (uint64_t)lookahead->under_way << 1 | lookahead->over);
}
