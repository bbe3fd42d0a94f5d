/* tba: Time-Bounded A*.
 *
 * Bjornsson, Bulitko and Sturtevant, "TBA*: Time-bounded A*" (IJCAI 2009), with the settings of "Case-based
 * subgoaling" (JAIR 2010, section 4): a step of k is floor(k * share) expansions, and the rest times `ratio`
 * cells of tracing. One A* from the start, continued over the steps. Meanwhile paths from the root to the
 * then best open cell are traced out of its tree, one after another; the agent follows the newest, stepping
 * back along its parents until it is on it. `trace=free` is algorithm 1 of "Time-Bounded Adaptive A*" (AAMAS
 * 2012): all k go into expansions, and the path to the best cell is traced whole in every step (lines 30 to
 * 33) at no charge to the budget. Its steps have no bound: it is there for that paper's tables.
 *
 * Departures and readings:
 * - Expansions count once an expansion (line 27 counts neighbours). "Insert" is a new node; outdated ones are
 * passed over, and count in the bound.
 * - Whether the agent is on the path (line 43) is told by a mark on the cell, not by looking through the
 * path. A trace marks cells from its end backwards, so a marked cell always leads on to that end, also before
 * the trace is complete; an agent that meets one follows it.
 * - At the end of its path, before the next one is traced, the agent waits: stepping back would cost two
 * moves.
 * - Whatever k and share, at least one expansion and one cell of tracing are done in a step. */
#include "plan/agent.h"

typedef struct tba_state {
    double share;
    uint64_t ratio;
    bool free_trace;
    /* Of the task. */
    bool found;       /* the search has ended at the goal */
    bool goal_traced; /* nothing is left to plan */
    bool have_path;   /* some trace is complete */
    uint64_t path;    /* its mark */
    wend_cell path_end;
    wend_trace trace;
} tba_state;

static wend_status tba_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    (void)options, (void)error;
    tba_state *state = agent->state;
    agent->budget = wend_settings_budget(settings, "k");
    state->share = wend_settings_number(settings, "share");
    state->ratio = (uint64_t)wend_settings_integer(settings, "ratio");
    state->free_trace = wend_settings_integer(settings, "trace") == 1;
    return WEND_OK;
}

static void tba_begin(wend_agent *agent) {
    tba_state *state = agent->state;
    state->found = state->goal_traced = state->have_path = false;
    state->path = 0, state->path_end = 0;
    state->trace = (wend_trace){0};
    wend_workspace_begin(agent);
}

/* How a budget is split. Beyond 2^53 a double would round, and the split does not matter. */
static uint64_t share_of(const tba_state *state, uint64_t budget) {
    if (state->free_trace || !budget) return budget;
    if (budget >= (uint64_t)1 << 53) return budget;
    uint64_t expansions = (uint64_t)((double)budget * state->share);
    return expansions ? expansions : 1;
}

static uint64_t trace_of(const tba_state *state, uint64_t budget) {
    if (state->free_trace || budget >= (uint64_t)1 << 53) return UINT64_MAX;
    if (!budget) return 0;
    uint64_t expansions = share_of(state, budget);
    uint64_t steps = budget > expansions ? (budget - expansions) * state->ratio : 0;
    return steps ? steps : 1;
}

static void tba_search(wend_agent *agent, uint64_t expansions) {
    tba_state *state = agent->state;
    wend_ended ended = wend_workspace_run(agent, expansions, state->free_trace ? UINT64_MAX : expansions);
    if (ended == WEND_ENDED_GOAL) state->found = true;
}

/* Traces on. A new trace begins only where the old one is complete, but for the goal's, which nothing can
 * replace. */
static void tba_trace(wend_agent *agent, uint64_t steps) {
    tba_state *state = agent->state;
    wend_search *search = agent->workspace->search;
    for (;;) {
        if (!state->trace.under_way) {
            uint64_t operations = search->operations;
            wend_cell best = state->found ? agent->goal : wend_search_best(search, steps);
            uint64_t passed = search->operations - operations;
            agent->counters.operations += passed;
            steps -= passed < steps ? passed : steps;
            if (best == WEND_NO_CELL || (state->have_path && best == state->path_end)) return;
            wend_trace_begin(agent, &state->trace, best);
        }
        uint64_t operations = agent->counters.operations;
        if (!wend_trace_go(agent, &state->trace, steps)) return;
        steps -= agent->counters.operations - operations;
        state->have_path = true;
        state->path = state->trace.mark;
        state->path_end = state->trace.end;
        if (!state->found)
            return; /* the next trace is the next step's: the best cell has not changed since */
        if (state->path_end == agent->goal) {
            state->goal_traced = true;
            return;
        }
        if (!steps) return;
    }
}

/* What a plan adds where others came before it: many small budgets are split as their sum is. */
static uint64_t added(const wend_agent *agent, uint64_t budget,
                      uint64_t (*part)(const tba_state *state, uint64_t budget)) {
    uint64_t before = part(agent->state, agent->given),
             after = part(agent->state, wend_add(agent->given, budget));
    return after > before ? after - before : 0;
}

static bool tba_plan(wend_agent *agent, uint64_t budget) {
    tba_state *state = agent->state;
    if (state->goal_traced) return false;
    if (!wend_workspace_borrow(agent)) return false;
    if (!state->found) tba_search(agent, added(agent, budget, share_of));
    if (state->free_trace) return !agent->ended && !state->found; /* traced once, by the move */
    if (!agent->ended) tba_trace(agent, added(agent, budget, trace_of));
    return !agent->ended && !state->goal_traced;
}

static uint32_t tba_move(wend_agent *agent) {
    tba_state *state = agent->state;
    if (!agent->workspace) return WEND_NO_DIRECTION;
    if (state->free_trace && !state->goal_traced) tba_trace(agent, UINT64_MAX);
    if (!state->have_path) return WEND_NO_DIRECTION;
    agent->counters.operations++;
    uint32_t onward = wend_trail_next(agent, state->path);
    if (onward != WEND_NO_DIRECTION || agent->at == state->path_end) return onward;
    uint32_t reached = wend_search_reached(agent->workspace->search, agent->at);
    return reached == WEND_TAG_ROOT ? WEND_NO_DIRECTION : (reached + 4) & 7;
}

static uint64_t tba_bound(const wend_agent *agent, uint64_t budget) {
    const tba_state *state = agent->state;
    if (state->free_trace) return UINT64_MAX;
    /* A node from the queue, eight moves and an outdated node an expansion; the trace; the move. */
    uint64_t searching = wend_times(share_of(state, budget), 2 + WEND_DIRECTIONS);
    return wend_add(wend_add(searching, trace_of(state, budget)), 1);
}

static uint64_t tba_hash(const wend_agent *agent) {
    const tba_state *state = agent->state;
    uint64_t seed = (uint64_t)state->found << 2 | (uint64_t)state->goal_traced << 1 | state->have_path;
    seed |= (uint64_t)state->path_end << 8;
    return wend_workspace_hash(agent, seed ^ (uint64_t)state->trace.at << 32);
}

static const char *const trace_words[] = {"bounded", "free", NULL};
static const wend_key_info keys[] = {
    {.name = "k",
     .kind = WEND_KEY_INTEGER,
     .unlimited = true,
     .least = 1,
     .most = 1e12,
     .standard = "20",
     .help = "a step's budget, in expansions"},
    {.name = "share",
     .kind = WEND_KEY_DECIMAL,
     .least = 0,
     .most = 1,
     .standard = "0.9",
     .help = "how much of it goes into expansions; the rest traces paths"},
    {.name = "ratio",
     .kind = WEND_KEY_INTEGER,
     .least = 1,
     .most = 1e6,
     .standard = "10",
     .help = "cells of tracing that cost as much as one expansion"},
    {.name = "trace",
     .kind = WEND_KEY_WORD,
     .words = trace_words,
     .standard = "bounded",
     .help = "bounded: within the budget; free: all of it in every step, without a bound"},
};

const wend_planner wend_planner_tba = {
    .info = {"tba", "TBA*: moves at once towards the best cell of an A* that goes on meanwhile", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(tba_state),
    .create = tba_create,
    .begin = tba_begin,
    .plan = tba_plan,
    .move = tba_move,
    .visit = wend_workspace_visit,
    .bound = tba_bound,
    .used = wend_workspace_used,
    .hash = tba_hash,
    .whole_map = true,
};
