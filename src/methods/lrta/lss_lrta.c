/* lss-lrta: LRTA* with a local search space.
 *
 * Koenig and Sun, "Comparing real-time and incremental heuristic search for real-time situated agents"
 * (JAAMAS 2009): A* of k expansions from the agent with the learnt h. Then h of all expanded cells is set to
 * infinity, and Dijkstra's algorithm from the open cells inwards, by h, gives each the least c + h over its
 * neighbours. Then it moves along the tree path to s', the cell about to be expanded.
 *
 * What is kept when the goal moves or the view changes, and when it says that there is no path: see
 * lookahead.h.
 *
 * Departures:
 * - One move after each lookahead, as under the game time model (AAMAS 2012), not all of them up to s'.
 * - Dijkstra's algorithm starts with the expanded cells that have an open neighbour, each by the least c + h
 *   over those, not with the open cells: the same values, and cells that are far from any expanded one are
 *   not looked at again.
 *
 * With `db` (or a tree of its goal) it heads for the goal by way of subgoals, as the conclusion of Hernandez
 * and Baier, "Fast subgoaling for pathfinding via real-time search" (SoCS 2011) proposes: guide.h says which.
 * What was learnt for a subgoal is forgotten with it. On a map that changes subgoals are given up as
 * pursuit.h says. */
#include "methods/lrta/lookahead.h"
#include "methods/lrta/lrta.h"
#include "methods/trees/trees.h"

#include "base/random.h"

typedef struct lss_state {
    wend_lookahead lookahead; /* first: see lookahead.c */
    wend_search *second;      /* for its queue */
    wend_guide *guide;        /* NULL: it is not guided */
} lss_state;

static wend_status guide_create(wend_agent *agent, const wend_agent_options *options, wend_error *error) {
    lss_state *state = agent->state;
    state->guide = wend_allocate_zeroed(&agent->ground->allocator, 1, sizeof *state->guide);
    if (!state->guide) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a guide");
    agent->bytes += sizeof *state->guide;
    return wend_guide_create(state->guide, agent, options, error);
}

static wend_status lss_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    lss_state *state = agent->state;
    const bool guided = options->db || options->tree;
    if (!guided && wend_settings_given(settings, "db"))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "lss-lrta has a key db, but was given no database");
    wend_status status = guided ? guide_create(agent, options, error) : WEND_OK;
    state->lookahead.learner.all = true;
    if (status == WEND_OK) status = wend_lookahead_create(agent, settings, options, error);
    if (status != WEND_OK) return status;
    const wend_search *search = state->lookahead.learner.search;
    status = wend_learner_search(agent, true, &state->second, error);
    if (status != WEND_OK) return status;
    uint64_t room = (uint64_t)search->learnt.closed_room * (1 + WEND_DIRECTIONS) + 2 * WEND_DIRECTIONS;
    if (room > UINT32_MAX / 8)
        status = WEND_STATUS_TOO_LARGE;
    else
        status = wend_search_reserve_queue(state->second, search->kernel, (uint32_t)room);
    if (status != WEND_OK) return wend_fail(error, status, "no memory for lookaheads of this size");
    agent->bytes += wend_search_bytes(state->second);
    return WEND_OK;
}

static void lss_release(wend_agent *agent) {
    lss_state *state = agent->state;
    wend_search_destroy(state->second);
    wend_release(&agent->ground->allocator, state->guide, 1, sizeof *state->guide);
    wend_learner_release(agent);
}

static void lss_begin(wend_agent *agent) {
    lss_state *state = agent->state;
    wend_lookahead_begin(agent);
    if (state->guide) wend_guide_begin(state->guide, agent);
}

/* Where to go now, before a lookahead; false: not known yet. */
static bool aim(wend_agent *agent) {
    lss_state *state = agent->state;
    wend_search *search = state->lookahead.learner.search;
    if (!state->guide) return true;
    if (!wend_guide_aim(state->guide, agent)) return false;
    if (search->goal != state->guide->target) {
        wend_learnt_aim(search, state->guide->target);
        (void)wend_lookahead_visit(agent);
        agent->counters.operations += WEND_LEARNT_SWEEP;
    }
    wend_guide_learns(state->guide, agent);
    return true;
}

static bool lss_plan(wend_agent *agent, uint64_t expansions) {
    const lss_state *state = agent->state;
    if (!state->lookahead.under_way && !aim(agent)) return false;
    return wend_lookahead_plan(agent, expansions);
}

static uint32_t lss_move(wend_agent *agent) {
    lss_state *state = agent->state;
    wend_ahead first;
    if (state->guide) wend_guide_moved(state->guide);
    if (!wend_lookahead_close(agent, &first)) {
        if (state->lookahead.astray) wend_guide_give_up(state->guide, agent);
        return WEND_NO_DIRECTION;
    }
    wend_search *search = state->lookahead.learner.search;
    uint64_t operations = search->operations;
    wend_learnt_spread(search, &state->second->queue);
    wend_lookahead_count(agent, operations);
    if (state->guide && first.move != WEND_NO_DIRECTION) wend_guide_walks(state->guide, agent, first.move);
    return first.move;
}

static void lss_changed(wend_agent *agent, wend_cell cell, bool opened) {
    lss_state *state = agent->state;
    wend_lookahead_changed(agent, cell, opened);
    if (state->guide && !opened && wend_guide_changed(state->guide, agent)) wend_lookahead_stop(agent);
}

static void lss_lost(wend_agent *agent) {
    lss_state *state = agent->state;
    wend_lookahead_lost(agent);
    if (state->guide) (void)wend_guide_changed(state->guide, agent);
}

/* Learning looks at every expanded cell with its neighbours twice, and takes it from the queue at most nine
 * times: put there at first, and once for each neighbour. */
static uint64_t lss_bound(const wend_agent *agent, uint64_t expansions) {
    const lss_state *state = agent->state;
    uint64_t guiding = state->guide ? wend_guide_bound() + WEND_LEARNT_SWEEP : 0;
    uint64_t learning = wend_times(expansions, 1 + 2 * WEND_DIRECTIONS + 1 + WEND_DIRECTIONS);
    uint64_t looking =
        wend_add(wend_times(expansions, 1 + 2 * WEND_DIRECTIONS), WEND_LOOKAHEAD_ANEW + WEND_DIRECTIONS);
    return wend_add(guiding, wend_add(learning, looking));
}

static uint64_t lss_hash(const wend_agent *agent) {
    const lss_state *state = agent->state;
    uint64_t hash = wend_lookahead_hash(agent);
    return state->guide ? hash ^ wend_mix(wend_guide_hash(state->guide)) : hash;
}

static wend_cell lss_subgoal(const wend_agent *agent) {
    const lss_state *state = agent->state;
    return state->guide ? wend_guide_target(state->guide) : WEND_NO_CELL;
}

static const wend_key_info keys[] = {
    WEND_LOOKAHEAD_KEY,
    {.name = "db",
     .kind = WEND_KEY_FILE,
     .help = "trees of subgoals on the way, built as `subgoal-tree` for this map and these rules"},
};

const wend_planner wend_planner_lss_lrta = {
    .info = {"lss-lrta", "LSS-LRTA*: looks ahead, learns exactly what that shows, makes one move", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(lss_state),
    .create = lss_create,
    .release = lss_release,
    .begin = lss_begin,
    .plan = lss_plan,
    .move = lss_move,
    .changed = lss_changed,
    .lost = lss_lost,
    .change_operations = WEND_LOOKAHEAD_CHANGE,
    .visit = wend_lookahead_visit,
    .bound = lss_bound,
    .used = wend_lookahead_used,
    .hash = lss_hash,
    .value = wend_learner_value,
    .watch = wend_learner_watch,
    .subgoal = lss_subgoal,
};
