/* dstar-lite: one search from the goal, repaired whenever the map changes, and moves along it.
 *
 * Koenig and Likhachev, "D* Lite" (AAAI 2002), the optimised version; search/incremental.h has the search,
 * and how it departs from the paper. Here is its main loop: the agent stands until the path is found, then
 * makes the move of least cost + g (ties to the smallest direction) until a change of the view makes some rhs
 * another. Opened and closed cells are taken in alike.
 *
 * Departures:
 * - The search goes on over as many steps as its budget makes of it, and hears of changes in between.
 * - Where more changes have come than a step may take in, it starts again, which takes in all of them at once.
 *   So it never searches on a map with changes that it has not heard of.
 * - Another goal means another search. Another place only moves the start.
 * - A task that is over gives its workspace back. If nothing has changed when it is taken up again from
 *   another place, and nobody else has used the workspace, the search goes on; otherwise it starts again. */
#include "methods/astar/astar.h"

#include "base/random.h"
#include "search/incremental.h"

typedef struct dstar_state {
    bool stands; /* the path has been found, and nothing has changed since */
    bool lost;   /* the search does not know what has changed */
} dstar_state;

static wend_status dstar_create(wend_agent *agent, const wend_settings *settings,
                                const wend_agent_options *options, wend_error *error) {
    (void)options, (void)error;
    agent->budget = wend_settings_budget(settings, "k");
    return WEND_OK;
}

static void dstar_begin(wend_agent *agent) {
    dstar_state *state = agent->state;
    bool go_on = agent->begun && !state->lost && agent->workspace && wend_workspace_goes_on(agent);
    *state = (dstar_state){0};
    if (!go_on) {
        wend_workspace_begin(agent);
        return;
    }
    (void)wend_incremental_move(agent->workspace->search, agent->at);
    (void)wend_workspace_visit(agent);
}

static void dstar_changed(wend_agent *agent, wend_cell cell, bool opened) {
    dstar_state *state = agent->state;
    (void)opened;
    if (!agent->workspace) {
        agent->lent = 0; /* does not hear of what it has left in one */
        return;
    }
    if (state->lost) return;
    wend_search *search = agent->workspace->search;
    uint64_t operations = search->operations, updates = search->incremental.updates;
    if (wend_incremental_changed(search, cell, agent->at)) state->stands = false;
    agent->counters.operations += search->operations - operations;
    agent->counters.updates += search->incremental.updates - updates;
}

static void dstar_lost(wend_agent *agent) {
    dstar_state *state = agent->state;
    state->lost = true;
    state->stands = false;
    agent->lent = 0;
}

static bool dstar_plan(wend_agent *agent, uint64_t expansions) {
    dstar_state *state = agent->state;
    if (agent->taken != agent->view->map->revision) {
        dstar_lost(agent);
        agent->taken = agent->view->map->revision;
    }
    if (state->lost) {
        state->lost = false;
        wend_workspace_restart(agent);
    }
    if (state->stands || agent->ended) return false;
    if (!wend_workspace_borrow(agent)) return false;
    wend_search *search = agent->workspace->search;
    uint64_t updates = search->incremental.updates;
    wend_ended ended = wend_workspace_run(agent, expansions, 0);
    agent->counters.updates += search->incremental.updates - updates;
    state->stands = ended == WEND_ENDED_GOAL;
    return ended == WEND_ENDED_BUDGET;
}

static uint32_t dstar_move(wend_agent *agent) {
    const dstar_state *state = agent->state;
    if (!state->stands) return WEND_NO_DIRECTION;
    wend_search *search = agent->workspace->search;
    uint64_t operations = search->operations;
    uint32_t direction = wend_incremental_next(search, agent->at);
    agent->counters.operations += search->operations - operations;
    return direction;
}

static uint64_t dstar_bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent;
    return wend_add(wend_times(expansions, WEND_INCREMENTAL_EXPANSION), WEND_INCREMENTAL_NEXT);
}

static uint64_t dstar_hash(const wend_agent *agent) {
    const dstar_state *state = agent->state;
    uint64_t hash = wend_mix((uint64_t)state->lost << 1 | state->stands);
    if (agent->workspace) {
        const wend_search *search = agent->workspace->search;
        hash = wend_mix(hash ^ search->incremental.km) ^ search->start;
    }
    return wend_workspace_hash(agent, hash);
}

const wend_planner wend_planner_dstar_lite = {
    .info = {"dstar-lite", "D* Lite: searches from the goal, and repairs that search when the map changes",
             wend_search_first_keys, 1},
    .state_size = sizeof(dstar_state),
    .create = dstar_create,
    .begin = dstar_begin,
    .plan = dstar_plan,
    .move = dstar_move,
    .changed = dstar_changed,
    .lost = dstar_lost,
    .change_operations = WEND_INCREMENTAL_CHANGE,
    .visit = wend_workspace_visit,
    .bound = dstar_bound,
    .used = wend_workspace_used,
    .hash = dstar_hash,
    .storage = WEND_STORAGE_INCREMENTAL,
};
