#include "plan/lookahead.h"

const wend_key_info wend_lookahead_keys[1] = {
    {.name = "k",
     .kind = WEND_KEY_INTEGER,
     .least = 1,
     .most = 1e9,
     .standard = "20",
     .help = "expansions of the lookahead before each move"},
};

/* All planners of this kind keep a wend_lookahead at the start of their state. */
static wend_lookahead *lookahead_of(const wend_agent *agent) {
    return agent->state;
}

wend_status wend_lookahead_create(wend_agent *agent, const wend_settings *settings,
                                  const wend_agent_options *options, wend_error *error) {
    const wend_map *map = agent->view->map;
    wend_lookahead *lookahead = lookahead_of(agent);
    agent->budget = wend_settings_budget(settings, "k");
    uint64_t most = options->max_lookahead ? options->max_lookahead : agent->budget;
    uint32_t cells =
        options->max_cells && options->max_cells < map->open_cells ? options->max_cells : map->open_cells;
    wend_search_options search_options = wend_default_search_options();
    search_options.allocator = agent->ground->allocator;
    wend_status status = wend_search_create(map, &search_options, &lookahead->search, error);
    if (status != WEND_OK) return status;
    status = wend_learnt_reserve(lookahead->search, cells,
                                 most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1);
    if (status != WEND_OK)
        return wend_fail(error, status, "no memory for an agent that knows %u cells", cells);
    agent->bytes += wend_search_bytes(lookahead->search);
    return WEND_OK;
}

void wend_lookahead_release(wend_agent *agent) {
    wend_search_destroy(lookahead_of(agent)->search);
}

void wend_lookahead_begin(wend_agent *agent) {
    wend_lookahead *lookahead = lookahead_of(agent);
    lookahead->under_way = lookahead->over = false;
    lookahead->expanded = 0;
    if (lookahead->search->goal != agent->goal || !agent->begun)
        wend_learnt_forget(lookahead->search, agent->goal);
    agent->counters.learnt = lookahead->search->learnt.raised;
    wend_record_learnt *record = wend_learnt_at(lookahead->search, agent->at);
    if (record) (void)wend_learnt_visit(record);
}

void wend_lookahead_count(wend_agent *agent, uint64_t operations) {
    agent->counters.operations += lookahead_of(agent)->search->operations - operations;
}

bool wend_lookahead_plan(wend_agent *agent, uint64_t expansions) {
    wend_lookahead *lookahead = lookahead_of(agent);
    wend_search *search = lookahead->search;
    if (lookahead->over) return false;
    if (!lookahead->under_way) {
        if (!wend_learnt_begin(search, agent->at)) {
            wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
            return false;
        }
        lookahead->under_way = true;
        lookahead->expanded = 0;
    }
    uint64_t expanded = search->expansions, operations = search->operations;
    lookahead->ended = wend_astar_run_learnt(search, expansions, wend_times(expansions, WEND_DIRECTIONS));
    agent->counters.expansions += search->expansions - expanded;
    lookahead->expanded += search->expansions - expanded;
    wend_lookahead_count(agent, operations);
    lookahead->over = lookahead->ended != WEND_ENDED_BUDGET;
    return !lookahead->over;
}

wend_record_learnt *wend_lookahead_close(wend_agent *agent) {
    wend_lookahead *lookahead = lookahead_of(agent);
    wend_search *search = lookahead->search;
    if (!lookahead->under_way) return NULL; /* nothing was planned: stand */
    lookahead->under_way = lookahead->over = false;
    uint64_t operations = search->operations;
    wend_record_learnt *first = wend_learnt_first(search);
    wend_lookahead_count(agent, operations);
    /* A lookahead cut short by its own room is a short lookahead; by the table's, the end. */
    if (!lookahead->expanded && lookahead->ended == WEND_ENDED_FULL)
        wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
    else if (!first)
        wend_agent_end(agent, WEND_STEP_UNREACHABLE);
    return agent->ended ? NULL : first;
}

void wend_lookahead_learn(wend_agent *agent, uint64_t f) {
    wend_search *search = lookahead_of(agent)->search;
    for (uint32_t i = 0; i < search->learnt.closed_count; i++) {
        wend_record_learnt *record = &search->learnt.slots[search->learnt.closed[i]];
        wend_learnt_raise(search, record, f - record->g);
        search->operations++;
    }
    agent->counters.learnt = search->learnt.raised;
}

bool wend_lookahead_visit(wend_agent *agent) {
    wend_record_learnt *record = wend_learnt_at(lookahead_of(agent)->search, agent->at);
    return record && wend_learnt_visit(record);
}

size_t wend_lookahead_used(const wend_agent *agent) {
    const wend_search *search = lookahead_of(agent)->search;
    return search->learnt.used * sizeof(wend_record_learnt) + search->queue.peak * sizeof(uint64_t) * 3 +
           search->learnt.closed_count * sizeof(wend_cell);
}

uint64_t wend_lookahead_hash(const wend_agent *agent) {
    const wend_lookahead *lookahead = lookahead_of(agent);
    return wend_learnt_hash(lookahead->search) ^
           (lookahead->expanded << 2 | (uint64_t)lookahead->under_way << 1 | lookahead->over);
}
