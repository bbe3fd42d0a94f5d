/* dlrta: D LRTA*.
 *
 * Bulitko, Lustrek, Schaeffer, Bjornsson and Sigmundarson, "Dynamic control in real-time heuristic search"
 * (JAIR 2008), as "kNN LRTA*" (AIIDE 2009, section 2) and "Case-based subgoaling" (JAIR 2010, section 4)
 * describe it. LRTA* with a lookahead of `d` moves heads for the subgoal that the database has for the region
 * of the agent and that of its goal. When the agent comes into another region, it takes the subgoal from
 * there. In the goal's region it heads for the goal. What LRTA* has learnt is forgotten with its subgoal.
 *
 * Departure: that need not come to an end. On its way to a subgoal LRTA* may stray into a region whose
 * subgoal leads back again. What the agent does after taking a subgoal depends on the cell where it took it
 * alone, so it goes round if it takes one where it has taken one before. Small rounds are seen at once, by
 * remembering the last few cells; for others Brent's algorithm ("An improved Monte Carlo factorization
 * algorithm", 1980) remembers a single one. From then on a subgoal is kept until it is reached, whatever
 * regions are passed: the database has no rings, so that comes to an end. (Should it have some after all, the
 * agent heads for the goal when it goes round again.)
 *
 * On a map that changes (not in the papers) subgoals are given up as pursuit.h says; another is taken from
 * the region that the agent is in then. What the agent does depends on where it takes a subgoal while nothing
 * changes: the cells where it did are forgotten with every change. */

#include "base/random.h"
#include "methods/dlrta/layout.h"
#include "methods/lrta/lrta.h"

typedef enum resolve {
    RESOLVE_REGION,  /* a subgoal is given up when its region is left: the paper's way */
    RESOLVE_SUBGOAL, /* it is kept until it is reached */
    RESOLVE_GOAL     /* there is no other target than the goal */
} resolve;

enum { LAST_CELLS = 8 };

typedef struct dlrta_state {
    wend_seek seek; /* first */
    wend_dlrta base;
    resolve resolve;
    bool choose; /* a target, before the next move */
    uint32_t region, goal_region;
    /* The cells where subgoals were taken: the last ones, and one for Brent's algorithm. */
    wend_cell last[LAST_CELLS];
    uint32_t next; /* of `last` to be replaced */
    wend_cell remembered;
    uint64_t taken, lap; /* since `remembered` was set, and after how many it will be set again */
} dlrta_state;

enum { CHANGE = WEND_LEARNER_CHANGE + LAST_CELLS };

static wend_status dlrta_create(wend_agent *agent, const wend_settings *settings,
                                const wend_agent_options *options, wend_error *error) {
    dlrta_state *state = agent->state;
    wend_status status = wend_agent_check_db(agent, options, &wend_db_dlrta, error);
    if (status != WEND_OK) return status;
    agent->budget = 1;
    state->base = wend_dlrta_of(options->db);
    return wend_seek_create(agent, (uint32_t)wend_settings_integer(settings, "d"), UINT64_MAX, options,
                            error);
}

static void begin_laps(dlrta_state *state) {
    for (uint32_t i = 0; i < LAST_CELLS; i++) state->last[i] = WEND_NO_CELL;
    state->remembered = WEND_NO_CELL;
    state->next = 0;
    state->taken = 0, state->lap = 1;
}

static void dlrta_begin(wend_agent *agent) {
    dlrta_state *state = agent->state;
    wend_seek_begin(agent);
    state->resolve = RESOLVE_REGION;
    state->choose = true;
    state->region = state->goal_region = UINT32_MAX; /* looked up within a step */
    begin_laps(state);
}

/* Whether the agent has taken a subgoal here before. */
static bool goes_round(wend_agent *agent) {
    dlrta_state *state = agent->state;
    agent->counters.operations += LAST_CELLS + 1;
    bool round = state->remembered == agent->at;
    for (uint32_t i = 0; i < LAST_CELLS; i++) round |= state->last[i] == agent->at;
    state->last[state->next] = agent->at;
    state->next = (state->next + 1) % LAST_CELLS;
    if (state->taken == state->lap) {
        state->remembered = agent->at;
        state->lap *= 2, state->taken = 0;
    }
    state->taken++;
    return round;
}

/* The subgoal for here and now; the goal where there is none. Two labels and an entry. */
static wend_cell target_from(wend_agent *agent) {
    dlrta_state *state = agent->state;
    if (state->resolve == RESOLVE_GOAL) return agent->goal;
    state->region = wend_dlrta_region(&state->base, agent->at);
    state->goal_region = wend_dlrta_region(&state->base, agent->goal);
    agent->counters.operations += 3;
    if (state->goal_region == UINT32_MAX) return agent->goal; /* it was opened since */
    wend_cell subgoal = wend_dlrta_subgoal(&state->base, state->region, state->goal_region);
    /* In a forged file it may be where no path leads. */
    bool good = subgoal != WEND_NO_CELL && subgoal != agent->at && wend_pursuit_may_reach(agent, subgoal);
    return good ? subgoal : agent->goal;
}

static void choose_target(wend_agent *agent) {
    dlrta_state *state = agent->state;
    state->choose = false;
    if (state->resolve != RESOLVE_GOAL && goes_round(agent)) {
        state->resolve = state->resolve == RESOLVE_REGION ? RESOLVE_SUBGOAL : RESOLVE_GOAL;
        begin_laps(state);
    }
    wend_seek_target(agent, target_from(agent));
}

/* On a map that stays as it is only a forged file has a subgoal that can't be reached. */
static void give_up(wend_agent *agent) {
    dlrta_state *state = agent->state;
    if (state->choose) return; /* it has been */
    if (!wend_pursuit_give_up(&state->seek.pursuit, agent)) state->resolve = RESOLVE_GOAL;
    state->choose = true;
}

static uint32_t dlrta_move(wend_agent *agent) {
    dlrta_state *state = agent->state;
    if (state->choose) choose_target(agent);
    uint32_t direction = wend_seek_move(agent);
    if (state->seek.unreachable) give_up(agent);
    return direction;
}

static void dlrta_changed(wend_agent *agent, wend_cell cell, bool opened) {
    dlrta_state *state = agent->state;
    wend_seek_changed(agent, cell, opened);
    agent->counters.operations += LAST_CELLS;
    begin_laps(state);
    if (state->seek.unreachable) give_up(agent);
}

static void dlrta_lost(wend_agent *agent) {
    dlrta_state *state = agent->state;
    wend_seek_lost(agent);
    begin_laps(state);
    if (state->seek.unreachable) give_up(agent);
}

static bool dlrta_visit(wend_agent *agent) {
    dlrta_state *state = agent->state;
    if (agent->at == wend_seek_target_of(agent)) {
        state->choose = true;
    } else if (state->resolve == RESOLVE_REGION) {
        agent->counters.operations++;
        state->choose |= wend_dlrta_region(&state->base, agent->at) != state->region;
    }
    return wend_seek_visit(agent);
}

/* Before the move a look at where subgoals were taken, one into the table, and another target; after it a
 * label. */
static uint64_t dlrta_bound(const wend_agent *agent, uint64_t expansions) {
    (void)expansions;
    return wend_seek_bound(agent) + LAST_CELLS + 1 + 3 + WEND_LEARNT_SWEEP + 1;
}

static uint64_t dlrta_hash(const wend_agent *agent) {
    const dlrta_state *state = agent->state;
    return wend_seek_hash(agent) ^
           wend_mix((uint64_t)state->remembered << 8 | (uint64_t)state->resolve << 1 | state->choose) ^
           wend_mix(state->taken << 32 ^ state->lap ^ (uint64_t)state->next << 60);
}

static const wend_key_info keys[] = {
    WEND_DB_KEY,
    {.name = "d",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = WEND_SEEK_MOST_MOVES,
     .standard = "1",
     .help = "lookahead in moves"},
};

const wend_planner wend_planner_dlrta = {
    .info = {"dlrta", "D LRTA*: LRTA* by way of the entries to the next region", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(dlrta_state),
    .create = dlrta_create,
    .release = wend_seek_release,
    .begin = dlrta_begin,
    .move = dlrta_move,
    .changed = dlrta_changed,
    .lost = dlrta_lost,
    .change_operations = CHANGE,
    .visit = dlrta_visit,
    .bound = dlrta_bound,
    .used = wend_seek_used,
    .hash = dlrta_hash,
    .value = wend_learner_value,
    .watch = wend_learner_watch,
    .subgoal = wend_seek_target_of_agent,
};
