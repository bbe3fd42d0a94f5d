/* cpd: moves from a compressed path database (Botea, AIIDE 2011; db/cpd.c tells the departures).
 *
 * Every step is one look-up, and every move begins a shortest path, so there is nothing to plan, to learn or
 * to keep: a goal that moves costs nothing, and an agent has no memory beyond its task. */
#include "plan/agent.h"

#include "db/cpd.h"

typedef struct cpd_state {
    const wend_cpd *base;
} cpd_state;

/* Two entries, two words of the row's head, at most 8 keys until a window is left, the keys of two windows,
 * and the symbol.
 */
enum { OPERATIONS = 2 + 2 + 8 + 2 * WEND_CPD_WINDOW + 1 };

static wend_status cpd_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    (void)settings;
    wend_status status = wend_agent_check_db(agent, options, &wend_db_cpd, error);
    if (status != WEND_OK) return status;
    agent->budget = 1;
    ((cpd_state *)agent->state)->base = wend_cpd_of(options->db);
    return WEND_OK;
}

static void cpd_begin(wend_agent *agent) {
    (void)agent;
}

static bool cpd_plan(wend_agent *agent, uint64_t expansions) {
    (void)agent, (void)expansions;
    return false; /* looking up a move is part of it */
}

static uint32_t cpd_move(wend_agent *agent) {
    const cpd_state *state = agent->state;
    agent->counters.operations += OPERATIONS;
    uint32_t move = wend_cpd_look_up(state->base, agent->at, agent->goal);
    /* Whether there is a way is known before: only a file that tells untruths has none here. */
    return move < WEND_DIRECTIONS ? move : WEND_NO_DIRECTION;
}

static bool cpd_visit(wend_agent *agent) {
    (void)agent;
    return false; /* no shortest path comes to a cell twice */
}

static uint64_t cpd_bound(const wend_agent *agent, uint64_t expansions) {
    (void)agent, (void)expansions;
    return OPERATIONS;
}

static size_t cpd_used(const wend_agent *agent, uint64_t *cells) {
    (void)agent;
    *cells = 0;
    return 0;
}

static uint64_t cpd_hash(const wend_agent *agent) {
    (void)agent;
    return 0;
}

static const wend_key_info keys[] = {WEND_DB_KEY};

const wend_planner wend_planner_cpd = {
    .info = {"cpd", "moves from a compressed path database: optimal, and nothing is searched", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(cpd_state),
    .create = cpd_create,
    .begin = cpd_begin,
    .plan = cpd_plan,
    .move = cpd_move,
    .visit = cpd_visit,
    .bound = cpd_bound,
    .used = cpd_used,
    .hash = cpd_hash,
};
