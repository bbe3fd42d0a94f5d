/* knn: kNN LRTA* in its form of 2010.
 *
 * Bulitko, Bjornsson and Lawrence, "Case-based subgoaling in real-time heuristic search" (JAIR 39, 2010):
 * figure 8 with the six enhancements of section 6.2, each of which can be switched off:
 *   e1  the goal itself is tried first
 *   e2  a record's first subgoal is tried before its start
 *   e3  at a record's last subgoal the goal is tried before the record's end
 *   e4  only the `candidates` most similar records are tried, not all of them
 *   e5  they are found by the kd-tree, not by going through all records
 *   e6  without a record, the agent heads for its goal until it has travelled `quota` times the distance,
 *       then looks for a record once more, and for the last time
 *
 * Readings and departures:
 * - Figure 8's code is right: from a record's end to the goal, the direction of travel.
 * - Between two states of a record LRTA* moves as the climber does and learns nothing that it would use
 *   (theorem 5), so the agent makes the climber's moves, which are cheaper. It learns only where it heads for
 *   its goal without a record; values are kept in a workspace of the world's pool, borrowed for that.
 * - The choice of a record is spread over steps: each examines SELECTION operations at most, and the agent
 *   stands until the choice is made. So do the checks of e3.
 * - `fallback=tba`: in place of LRTA*'s learning, a Time-Bounded A* from the same pool, with TBA_BUDGET
 *   expansions per step, fewer where they open much (`sparing` of tba.h). e6 then has no quota: the agent looks
 *   for a record after every LOOK_AGAIN moves, until its search has the whole path.
 * - Should a database lead to a place from which its next state can't be climbed to (a file that was tampered
 *   with), the agent heads for its goal without a record from there.
 * - On a map that changes (not in the paper) records are checked on the map as it is known, but for the
 *   climbs between their states. Where one of these is blocked, LRTA* goes on to the state, and the record is
 *   given up as pursuit.h says of subgoals; with `fallback=tba`, at once. Then the agent heads for its goal
 *   without a record for LOOK_AGAIN moves, and looks for another. States that are closed are passed over. */
#include "methods/knn/agent.h"

#include "base/random.h"
#include "search/climb.h"

/* Operations of choosing and checking between two moves: some microseconds. */
enum { SELECTION = 256 };
enum { TBA_BUDGET = 150 };
enum { LOOK_AGAIN = 50 };     /* straight moves between two looks, with TBA* or behind what is blocked */
enum { ALL_AT_A_TIME = 256 }; /* without e4 */

static wend_status knn_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    wend_knn_agent *state = agent->state;
    wend_status status = wend_agent_check_db(agent, options, &wend_db_knn, error);
    if (status != WEND_OK) return status;
    bool all = !wend_settings_integer(settings, "e4");
    uint32_t most = (uint32_t)wend_settings_integer(settings, "candidates");
    if (all && most < ALL_AT_A_TIME) most = ALL_AT_A_TIME;
    state->knn = wend_knn_of(options->db);
    status = wend_knn_select_create(&state->select, agent->view->map, state->knn, most,
                                    !wend_settings_integer(settings, "e5"), &agent->ground->allocator);
    if (status != WEND_OK) return wend_fail(error, status, "no memory for %u candidates", most);
    agent->bytes += wend_knn_select_bytes(&state->select);
    state->select.climb = (uint32_t)wend_settings_integer(settings, "climb");
    state->select.goal_first = wend_settings_integer(settings, "e1");
    state->select.subgoal_first = wend_settings_integer(settings, "e2");
    state->select.all = all;
    state->checks_last = wend_settings_integer(settings, "e3");
    state->interrupts = wend_settings_integer(settings, "e6");
    state->quota = wend_settings_number(settings, "quota");
    state->uses_tba = wend_settings_integer(settings, "fallback") == 1;
    state->max_cells = options->max_cells;
    state->tba = (wend_tba){.share = 0.9, .ratio = 10, .sparing = true}; /* tba's own settings */
    agent->budget = state->uses_tba ? TBA_BUDGET : 1;
    return WEND_OK;
}

static void knn_release(wend_agent *agent) {
    wend_knn_agent *state = agent->state;
    if (state->knn) wend_knn_select_release(&state->select, &agent->ground->allocator);
}

/* What was learnt or searched without a record, or on the way to a state of one, is of no more use. */
static void stop_search(wend_agent *agent) {
    wend_workspace_return(agent);
    agent->aim = agent->goal;
}

static void knn_begin(wend_agent *agent) {
    wend_knn_agent *state = agent->state;
    stop_search(agent);
    agent->lent = 0;
    agent->counters.learnt = 0;
    state->stage = WEND_KNN_STAGE_SELECT;
    state->renewed = true;
    state->fallen = false;
    state->interruptions = 0;
    wend_pursuit_begin(&state->pursuit);
    state->target = agent->at;
}

static void head_for(wend_knn_agent *state, wend_cell target, wend_knn_leg leg) {
    state->stage = WEND_KNN_STAGE_FOLLOW;
    state->target = target;
    state->leg = leg;
}

/* The state after those that were passed; or the end. */
static void head_on(const wend_agent *agent, wend_knn_agent *state) {
    if (state->next < state->knn->stops[state->entry])
        head_for(state, wend_knn_subgoal(state->knn, &state->next), WEND_KNN_LEG_STATE);
    else
        head_for(state, wend_knn_end(agent->view->map, state->knn, state->entry), WEND_KNN_LEG_END);
}

static void follow(wend_agent *agent, wend_knn_agent *state) {
    stop_search(agent); /* of a fallback that was interrupted */
    state->entry = state->select.hit.number;
    state->next = state->knn->begins[state->entry];
    if (state->select.first_reached)
        head_on(agent, state);
    else
        head_for(state, wend_knn_start(agent->view->map, state->knn, state->entry), WEND_KNN_LEG_STATE);
}

/* How far it may go before it looks for a record again. LRTA*: the quota the first time, then no limit; more
 * looks would cost completeness. TBA* is complete whatever comes between, and a record that fits leads to the
 * goal for certain, so it may look as often as it likes. */
static uint64_t travel_limit(const wend_agent *agent, const wend_knn_agent *state) {
    const wend_map *map = agent->view->map;
    if (!state->interrupts) return UINT64_MAX;
    if (state->uses_tba) return (uint64_t)LOOK_AGAIN * map->cost[0];
    if (state->fallen) return UINT64_MAX;
    return (uint64_t)(state->quota * (double)wend_map_distance(map, agent->at, agent->goal));
}

/* `last`: there is no use in looking again. */
static void fall_back(wend_agent *agent, wend_knn_agent *state, bool last) {
    state->stage = WEND_KNN_STAGE_FALLBACK;
    state->left = last ? UINT64_MAX : travel_limit(agent, state);
    state->fallen = true;
    if (state->uses_tba && !agent->workspace) wend_tba_begin(agent, &state->tba);
}

static void give_up(wend_agent *agent, wend_knn_agent *state) {
    bool again = wend_pursuit_give_up(&state->pursuit, agent);
    stop_search(agent);
    fall_back(agent, state, true);
    if (again) state->left = (uint64_t)LOOK_AGAIN * agent->view->map->cost[0];
}

/* The target is reached: what comes next? */
static void arrive(wend_agent *agent, wend_knn_agent *state) {
    if (state->stage == WEND_KNN_STAGE_DETOUR) stop_search(agent);
    if (state->leg == WEND_KNN_LEG_END) {
        head_for(state, agent->goal, WEND_KNN_LEG_GOAL);
    } else if (state->next < state->knn->stops[state->entry] || !state->checks_last) {
        head_on(agent, state);
    } else {
        state->stage = WEND_KNN_STAGE_CHECK;
        state->climb = (wend_knn_climb){agent->at, agent->goal, state->select.climb};
    }
}

static void select_on(wend_agent *agent, wend_knn_agent *state, uint64_t operations) {
    if (state->renewed) {
        state->interruptions += state->fallen;
        wend_knn_select_begin(&state->select, agent->at, agent->goal);
        state->renewed = false;
    }
    switch (wend_knn_select_run(&state->select, operations, &agent->counters.operations)) {
    case WEND_KNN_DIRECT:
        stop_search(agent);
        head_for(state, agent->goal, WEND_KNN_LEG_GOAL);
        break;
    case WEND_KNN_RECORD:
        follow(agent, state);
        break;
    case WEND_KNN_NONE:
        fall_back(agent, state, false);
        break;
    default:
        break;
    }
}

static void check_on(const wend_agent *agent, wend_knn_agent *state, uint64_t operations, uint64_t *counted) {
    switch (wend_knn_climb_run(agent->view->map, &state->climb, operations, counted)) {
    case WEND_KNN_REACHED:
        head_for(state, agent->goal, WEND_KNN_LEG_GOAL);
        break;
    case WEND_KNN_FAILED:
        head_for(state, wend_knn_end(agent->view->map, state->knn, state->entry), WEND_KNN_LEG_END);
        break;
    default:
        break;
    }
}

/* Goes on until the agent knows where to head for, or the operations between two moves are used up. */
static bool think(wend_agent *agent, wend_knn_agent *state) {
    for (;;) {
        uint64_t before = agent->counters.operations;
        if (state->stage == WEND_KNN_STAGE_FALLBACK) return true;
        if (state->stage == WEND_KNN_STAGE_FOLLOW || state->stage == WEND_KNN_STAGE_DETOUR) {
            if (agent->at != state->target) return true;
            arrive(agent, state);
            continue;
        }
        if (state->spent >= SELECTION) return false;
        if (state->stage == WEND_KNN_STAGE_SELECT)
            select_on(agent, state, SELECTION - state->spent);
        else
            check_on(agent, state, SELECTION - state->spent, &agent->counters.operations);
        state->spent += agent->counters.operations - before;
    }
}

static bool knn_plan(wend_agent *agent, uint64_t expansions) {
    wend_knn_agent *state = agent->state;
    if (!think(agent, state) || state->stage != WEND_KNN_STAGE_FALLBACK || !state->uses_tba) return false;
    if (state->spent) return false; /* a step is for choosing or for searching, not for both */
    return wend_tba_plan(agent, &state->tba, expansions);
}

/* Whether it heads for a state of a record that is closed. */
static bool is_closed(const wend_agent *agent, const wend_knn_agent *state) {
    return (state->stage == WEND_KNN_STAGE_FOLLOW || state->stage == WEND_KNN_STAGE_DETOUR) &&
           state->target != agent->goal && !wend_map_is_open_cell(agent->view->map, state->target);
}

/* The climb to the target is blocked; or, where nothing changes, the file is forged. */
static void go_around(wend_agent *agent, wend_knn_agent *state) {
    if (!agent->view->changes || state->uses_tba || state->target == agent->goal) {
        give_up(agent, state);
    } else if (is_closed(agent, state)) {
        arrive(agent, state);
    } else {
        state->stage = WEND_KNN_STAGE_DETOUR;
        agent->aim = state->target;
        wend_pursuit_of(&state->pursuit, agent, state->target);
    }
}

/* Borrows a workspace if there is none yet; false: wait. */
static bool has_values(wend_agent *agent) {
    if (agent->workspace) return true;
    if (!wend_workspace_borrow(agent)) return false;
    wend_values_begin(agent);
    return true;
}

/* A move of LRTA*, with a workspace. */
static uint32_t learn(wend_agent *agent, const wend_knn_agent *state) {
    uint32_t move = wend_values_move(agent);
    if (state->max_cells && agent->workspace->search->touched > state->max_cells)
        wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
    return move;
}

static uint32_t fallback_move(wend_agent *agent, wend_knn_agent *state) {
    uint32_t move = WEND_NO_DIRECTION;
    if (state->uses_tba) {
        move = wend_tba_move(agent, &state->tba);
        if (state->tba.goal_traced) state->left = UINT64_MAX;
    } else if (has_values(agent)) {
        move = learn(agent, state);
    }
    if (move == WEND_NO_DIRECTION || state->left == UINT64_MAX) return move;
    uint64_t cost = agent->view->map->cost[move];
    if (state->left > cost) {
        state->left -= cost;
        return move;
    }
    /* The quota is travelled: another look, from where this move leads. */
    state->stage = WEND_KNN_STAGE_SELECT;
    state->renewed = true;
    return move;
}

/* LRTA* towards a state of the record. */
static uint32_t detour_move(wend_agent *agent, wend_knn_agent *state) {
    if (!has_values(agent)) return WEND_NO_DIRECTION;
    uint32_t move = learn(agent, state);
    if (move == WEND_NO_DIRECTION || wend_pursuit_ends(&state->pursuit, agent->view->map->cost[move]))
        give_up(agent, state);
    return move;
}

static uint32_t knn_move(wend_agent *agent) {
    wend_knn_agent *state = agent->state;
    bool ready = think(agent, state);
    state->spent = 0;
    if (!ready) return WEND_NO_DIRECTION;
    if (state->stage == WEND_KNN_STAGE_FALLBACK) return fallback_move(agent, state);
    if (state->stage == WEND_KNN_STAGE_DETOUR) return detour_move(agent, state);
    agent->counters.expansions++;
    wend_agent_show(agent, agent->at, WEND_NO_CELL, 0);
    uint32_t move = wend_climb_step(agent->view->map, agent->at, state->target, &agent->counters.operations);
    if (move == WEND_NO_DIRECTION) go_around(agent, state);
    return move;
}

/* What a fallback under way knows: closed cells do not make LRTA*'s values wrong, opened ones do. */
static void drop_values(wend_agent *agent) {
    if (!agent->workspace) return;
    wend_workspace_restart(agent);
    if (!agent->ended) wend_values_begin(agent);
}

static void knn_changed(wend_agent *agent, wend_cell cell, bool opened) {
    wend_knn_agent *state = agent->state;
    if (state->uses_tba)
        wend_tba_changed(agent, &state->tba, cell, opened);
    else if (opened)
        drop_values(agent);
    if (!opened && is_closed(agent, state)) arrive(agent, state);
}

static void knn_lost(wend_agent *agent) {
    wend_knn_agent *state = agent->state;
    if (state->uses_tba)
        wend_tba_lost(agent, &state->tba);
    else
        drop_values(agent);
    if (is_closed(agent, state)) arrive(agent, state);
}

static uint64_t knn_bound(const wend_agent *agent, uint64_t expansions) {
    const wend_knn_agent *state = agent->state;
    uint64_t bound = SELECTION + wend_knn_select_over(&state->select) + WEND_CLIMB_OPERATIONS;
    uint64_t search = state->uses_tba ? wend_tba_bound(agent, &state->tba, expansions) : 0;
    return search > bound ? search : bound;
}

static size_t knn_used(const wend_agent *agent, uint64_t *cells) {
    const wend_knn_agent *state = agent->state;
    return wend_workspace_used(agent, cells) + wend_knn_select_bytes(&state->select);
}

static uint64_t knn_hash(const wend_agent *agent) {
    const wend_knn_agent *state = agent->state;
    const wend_knn_select *select = &state->select;
    const uint64_t words[] = {
        (uint64_t)state->target << 32 | state->entry,
        (uint64_t)state->next << 32 | state->interruptions << 8 | state->stage << 4 | state->leg,
        state->stage == WEND_KNN_STAGE_FALLBACK ? state->left : 0,
        state->stage == WEND_KNN_STAGE_CHECK ? (uint64_t)state->climb.at << 32 | state->climb.left : 0,
        state->stage == WEND_KNN_STAGE_SELECT && !state->renewed
            ? (uint64_t)select->climbing.at << 32 | select->query.count << 8 | select->phase
            : 0,
        state->spent};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash = wend_mix(hash ^ words[i]);
    hash ^= wend_pursuit_hash(&state->pursuit);
    return state->uses_tba ? wend_tba_hash(agent, &state->tba) ^ hash : wend_workspace_hash(agent, hash);
}

#define SWITCH(key, words)                                                                                   \
    { .name = (key), .kind = WEND_KEY_YES_NO, .standard = "yes", .help = (words) }

static const char *const fallback_words[] = {"lrta", "tba", NULL};
static wend_cell knn_subgoal(const wend_agent *agent) {
    const wend_knn_agent *state = agent->state;
    bool follows = state->stage == WEND_KNN_STAGE_FOLLOW || state->stage == WEND_KNN_STAGE_DETOUR;
    return follows ? state->target : WEND_NO_CELL;
}

static wend_cost knn_value(const wend_agent *agent, wend_cell cell) {
    const wend_knn_agent *state = agent->state;
    bool learns = state->stage == WEND_KNN_STAGE_FALLBACK || state->stage == WEND_KNN_STAGE_DETOUR;
    if (learns && !state->uses_tba && agent->workspace) return wend_values_of(agent, cell);
    wend_cell target = knn_subgoal(agent);
    return wend_map_distance(agent->view->map, cell, target == WEND_NO_CELL ? agent->goal : target);
}

static const wend_key_info keys[] = {
    {.name = "db", .kind = WEND_KEY_FILE, .required = true, .help = "the case base, built as `knn`"},
    {.name = "climb",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = 1e6,
     .standard = "250",
     .help = "the most moves of a climb when records are checked"},
    {.name = "candidates",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = 1000,
     .standard = "10",
     .help = "how many of the most similar records are checked"},
    {.name = "quota",
     .kind = WEND_KEY_DECIMAL,
     .min = 1,
     .max = 1e6,
     .standard = "3",
     .help = "how far to travel without a record before the second look, as a multiple of the distance"},
    {.name = "fallback",
     .kind = WEND_KEY_WORD,
     .words = fallback_words,
     .standard = "lrta",
     .help = "what leads to the goal without a record: LRTA*, or TBA*, which does not learn"},
    SWITCH("e1", "try the goal before any record"),
    SWITCH("e2", "try a record's first subgoal before its start"),
    SWITCH("e3", "try the goal before a record's end"),
    SWITCH("e4", "try the most similar records only, not all"),
    SWITCH("e5", "find them by the kd-tree, not by a scan"),
    SWITCH("e6", "without a record, look again once the quota is travelled"),
};

const wend_planner wend_planner_knn = {
    .info = {"knn", "kNN LRTA*: follows the subgoals of a similar problem that was solved beforehand", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(wend_knn_agent),
    .create = knn_create,
    .release = knn_release,
    .begin = knn_begin,
    .plan = knn_plan,
    .move = knn_move,
    .changed = knn_changed,
    .lost = knn_lost,
    .change_operations = WEND_OPENED_OPERATIONS,
    .visit = wend_workspace_visit,
    .bound = knn_bound,
    .used = knn_used,
    .hash = knn_hash,
    .storage = WEND_STORAGE_PLAIN,
    .subgoal = knn_subgoal,
    .value = knn_value,
};
