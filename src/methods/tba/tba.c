/* tba, rtba, tbaa: Time-Bounded A*, restarting, and adaptive.
 *
 * Bjornsson, Bulitko and Sturtevant, "TBA*: Time-bounded A*" (IJCAI 2009), with the settings of "Case-based
 * subgoaling" (JAIR 2010, section 4): a step of k is floor(k * share) expansions, and the rest times `ratio`
 * cells of tracing. One A* from the start, continued over the steps. Meanwhile paths from the root to the
 * then best open cell are traced out of its tree, one after another. The agent follows the newest, stepping
 * back along its parents until it is on it. `trace=free` is algorithm 1 of "Time-Bounded Adaptive A*" (AAMAS
 * 2012): all k go into expansions, and the path to the best cell is traced whole in every step (lines 30 to
 * 33) at no charge to the budget. Its steps have no bound: it is there for that paper's tables.
 *
 * On terrain that is not known, or that changes: RTBA* (algorithm 2 of the same paper), which is what tba
 * does there. The search starts again from where the agent stands when a move of its path, the one that it
 * follows or the one that is being traced, has become illegal (StartNewSearch?). tbaa is TBAA* (algorithm 3):
 * the same with the heuristic that its earlier searches have made better informed (search/adaptive.h).
 * `da=yes` is what that paper names as future work, depression avoidance: of the first nodes of the queue,
 * the agent heads for the one whose h has been raised least, then for the smallest f. The search itself and
 * what it teaches stay as they are.
 *
 * Departures and readings:
 * - Expansions count once an expansion (line 27 counts neighbours). "Insert" is a new node; outdated ones are
 *   passed over, and count in the bound.
 * - A mark on the cell says whether the agent is on the path (line 43), instead of looking through the path.
 *   A trace marks cells from its end backwards, so a marked cell always leads on to that end, also before the
 *   trace is complete; an agent that meets one follows it.
 * - At the end of its path, before the next one is traced, the agent waits: stepping back would cost two
 *   moves.
 * - Whatever k and share, at least one expansion and one cell of tracing are done in a step.
 * - Algorithm 2 line 7 is unconditional. The path is tested from its end back to the agent or the root, as
 *   footnote 2 has it: while it is traced (line 22), and around each cell that is seen to be closed
 *   afterwards (line 30), so that the test costs nothing that grows with the path. The way back along the
 *   parents is tested move by move: in terrain that is edited it can be closed, too.
 * - A search that is under way when a cell is opened goes on: see wend_workspace_opened. */
#include "methods/tba/tba.h"

#include "search/adaptive.h"

/* What depression avoidance chooses from: the upper four levels of the queue. */
enum { AVOIDANCE_NODES = 85 };
/* Of a sparing search. A search that breaks into the open opens three cells per expansion, each row of them
 * on a page of its own: ten times the time of one that goes on along its front and opens one. */
enum { OPENED_CHARGE = 2, SPARING_SLICE = 8 };

static wend_status tba_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    (void)options, (void)error;
    wend_tba *state = agent->state;
    agent->budget = wend_settings_budget(settings, "k");
    state->share = wend_settings_number(settings, "share");
    state->ratio = (uint64_t)wend_settings_integer(settings, "ratio");
    state->free_trace = wend_settings_integer(settings, "trace") == 1;
    state->avoids = wend_settings_integer(settings, "da") == 1;
    return WEND_OK;
}

static void clear(wend_tba *state) {
    state->found = state->goal_traced = state->have_path = state->cut = false;
    state->path = 0, state->path_end = 0, state->end = WEND_NO_CELL;
    state->trace = (wend_trace){0};
    state->credit = 0;
}

void wend_tba_begin(wend_agent *agent, wend_tba *state) {
    clear(state);
    wend_workspace_begin(agent);
}

static void tba_begin(wend_agent *agent) {
    wend_tba_begin(agent, agent->state);
}

static void restart(wend_agent *agent, wend_tba *state) {
    clear(state);
    wend_workspace_restart(agent);
}

void wend_tba_changed(wend_agent *agent, wend_tba *state, wend_cell cell, bool opened) {
    if (opened) {
        wend_workspace_opened(agent, cell);
        return;
    }
    /* At the end of its path all of that lies behind the agent. */
    bool walks = state->have_path && agent->at != state->path_end;
    if (!state->cut && (walks || state->trace.under_way))
        state->cut = wend_trail_cut(agent, walks ? state->path : state->trace.mark, cell);
}

static void tba_changed(wend_agent *agent, wend_cell cell, bool opened) {
    wend_tba_changed(agent, agent->state, cell, opened);
}

void wend_tba_lost(wend_agent *agent, wend_tba *state) {
    state->cut = true;
    if (agent->workspace && agent->workspace->search->adaptive.on)
        wend_adaptive_taint(agent->workspace->search);
    agent->lent = 0;
}

static void tba_lost(wend_agent *agent) {
    wend_tba_lost(agent, agent->state);
}

/* How a budget is split. Beyond 2^53 a double would round, and the split does not matter. */
static uint64_t share_of(const wend_tba *state, uint64_t budget) {
    if (state->free_trace || !budget) return budget;
    if (budget >= (uint64_t)1 << 53) return budget;
    uint64_t expansions = (uint64_t)((double)budget * state->share);
    return expansions ? expansions : 1;
}

static uint64_t trace_of(const wend_tba *state, uint64_t budget) {
    if (state->free_trace || budget >= (uint64_t)1 << 53) return UINT64_MAX;
    if (!budget) return 0;
    uint64_t expansions = share_of(state, budget);
    uint64_t steps = budget > expansions ? (budget - expansions) * state->ratio : 0;
    return steps ? steps : 1;
}

void wend_tba_found(wend_tba *state, wend_cell cell) {
    state->found = true;
    state->end = cell;
}

/* What is opened beyond a budget is made good by later ones. */
static wend_ended search_sparingly(wend_agent *agent, wend_tba *state, uint64_t expansions) {
    const wend_search *search = agent->workspace->search;
    for (state->credit += (int64_t)expansions; state->credit > 0;) {
        uint32_t slice = state->credit < SPARING_SLICE ? (uint32_t)state->credit : SPARING_SLICE;
        uint32_t before = search->touched;
        wend_ended ended = wend_workspace_run(agent, slice, slice);
        uint32_t opened = search->touched - before;
        state->credit -= slice;
        if (opened > slice) state->credit -= (int64_t)OPENED_CHARGE * (opened - slice);
        if (ended != WEND_ENDED_BUDGET) return ended;
    }
    return WEND_ENDED_BUDGET;
}

static wend_ended search_until(wend_agent *agent, wend_tba *state, uint64_t expansions) {
    if (state->sparing && expansions <= INT32_MAX) return search_sparingly(agent, state, expansions);
    if (!state->ends)
        return wend_workspace_run(agent, expansions, state->free_trace ? UINT64_MAX : expansions);
    /* One expansion at a time, each cell being asked first. */
    wend_search *search = agent->workspace->search;
    wend_ended ended = WEND_ENDED_BUDGET;
    for (uint64_t outdated = expansions; expansions && ended == WEND_ENDED_BUDGET; expansions--) {
        uint64_t operations = search->operations;
        wend_cell best = wend_search_best(search, outdated);
        uint64_t passed = search->operations - operations;
        agent->counters.operations += passed;
        outdated -= passed;
        if (best == WEND_NO_CELL && !outdated) break;
        if (best != WEND_NO_CELL && state->ends(agent, best)) {
            wend_tba_found(state, best);
            break;
        }
        ended = wend_workspace_run(agent, 1, 0); /* nothing outdated is first in the queue */
    }
    return ended;
}

static void search_on(wend_agent *agent, wend_tba *state, uint64_t expansions) {
    wend_ended ended = search_until(agent, state, expansions);
    if (ended == WEND_ENDED_GOAL) wend_tba_found(state, agent->goal);
    if (ended == WEND_ENDED_EMPTY && !agent->ended) restart(agent, state);
}

/* Where to head for, after at most `steps` operations. */
static wend_cell target(const wend_agent *agent, const wend_tba *state, uint64_t steps) {
    if (state->found) return state->end;
    wend_cell best = wend_search_best(agent->workspace->search, steps);
    if (!state->avoids || best == WEND_NO_CELL || !steps) return best;
    uint32_t nodes = steps < AVOIDANCE_NODES ? (uint32_t)steps : AVOIDANCE_NODES;
    return wend_adaptive_least_raised(agent->workspace->search, nodes);
}

/* Traces on. A new trace begins only where the old one is complete, but for the goal's, which nothing can
 * replace. */
static void trace_on(wend_agent *agent, wend_tba *state, uint64_t steps) {
    wend_search *search = agent->workspace->search;
    for (;;) {
        if (!state->trace.under_way) {
            uint64_t operations = search->operations;
            wend_cell best = target(agent, state, steps);
            uint64_t passed = search->operations - operations;
            agent->counters.operations += passed;
            steps -= passed < steps ? passed : steps;
            if (best == WEND_NO_CELL || (state->have_path && best == state->path_end)) return;
            wend_trace_begin(agent, &state->trace, best);
        }
        uint64_t operations = agent->counters.operations;
        wend_traced traced = wend_trace_go(agent, &state->trace, steps);
        if (traced == WEND_TRACE_BROKEN) restart(agent, state);
        if (traced != WEND_TRACE_DONE) return;
        steps -= agent->counters.operations - operations;
        state->have_path = true;
        state->path = state->trace.mark;
        state->path_end = state->trace.end;
        if (!state->found)
            return; /* the next trace is the next step's: the best cell has not changed since */
        if (state->path_end == state->end) {
            state->goal_traced = true;
            return;
        }
        if (!steps) return;
    }
}

/* What a plan adds where others came before it: many small budgets are split as their sum is. */
static uint64_t added(const wend_agent *agent, const wend_tba *state, uint64_t budget,
                      uint64_t (*part)(const wend_tba *state, uint64_t budget)) {
    uint64_t before = part(state, agent->given), after = part(state, wend_add(agent->given, budget));
    return after > before ? after - before : 0;
}

bool wend_tba_plan(wend_agent *agent, wend_tba *state, uint64_t budget) {
    if (state->cut) restart(agent, state);
    if (state->goal_traced || agent->ended) return false;
    if (!wend_workspace_borrow(agent)) return false;
    if (!state->found) search_on(agent, state, added(agent, state, budget, share_of));
    if (state->free_trace) return !agent->ended && !state->found; /* traced once, by the move */
    if (!agent->ended) trace_on(agent, state, added(agent, state, budget, trace_of));
    return !agent->ended && !state->goal_traced;
}

static bool tba_plan(wend_agent *agent, uint64_t budget) {
    return wend_tba_plan(agent, agent->state, budget);
}

/* A move that has become illegal while the planner did not know yet: only in terrain that is edited. */
static uint32_t checked(const wend_agent *agent, wend_tba *state, uint32_t move) {
    if (move == WEND_NO_DIRECTION || !agent->view->changes) return move;
    if (wend_map_moves(agent->view->map, agent->at) >> move & 1) return move;
    state->cut = true;
    return WEND_NO_DIRECTION;
}

uint32_t wend_tba_move(wend_agent *agent, wend_tba *state) {
    if (!agent->workspace || state->cut) return WEND_NO_DIRECTION;
    if (state->free_trace && !state->goal_traced) trace_on(agent, state, UINT64_MAX);
    if (!state->have_path) return WEND_NO_DIRECTION;
    agent->counters.operations++;
    uint32_t onward = wend_trail_next(agent, agent->at, state->path);
    if (onward != WEND_NO_DIRECTION || agent->at == state->path_end) return checked(agent, state, onward);
    uint32_t reached = wend_search_reached(agent->workspace->search, agent->at);
    return reached == WEND_TAG_ROOT ? WEND_NO_DIRECTION : checked(agent, state, (reached + 4) & 7);
}

static uint32_t tba_move(wend_agent *agent) {
    return wend_tba_move(agent, agent->state);
}

uint64_t wend_tba_bound(const wend_agent *agent, const wend_tba *state, uint64_t budget) {
    if (state->free_trace) return UINT64_MAX;
    /* A node from the queue, eight moves and an outdated node per expansion; the trace; the move. */
    uint64_t asked = state->ends ? state->ends_operations : 0;
    uint64_t searching = wend_times(share_of(state, budget), WEND_EXPANSION_OPERATIONS + asked);
    uint64_t rest = 1;
    if (state->avoids)
        rest = wend_add(rest, trace_of(state, budget));    /* outdated nodes, then those it looks at */
    if (agent->view->changes) rest += 2 * WEND_DIRECTIONS; /* outdated nodes when a search is given up */
    return wend_add(wend_add(searching, trace_of(state, budget)), rest);
}

static uint64_t tba_bound(const wend_agent *agent, uint64_t budget) {
    return wend_tba_bound(agent, agent->state, budget);
}

uint64_t wend_tba_hash(const wend_agent *agent, const wend_tba *state) {
    uint64_t seed = (uint64_t)state->cut << 3 | (uint64_t)state->found << 2 |
                    (uint64_t)state->goal_traced << 1 | state->have_path;
    seed |= (uint64_t)state->path_end << 8;
    seed ^= (uint64_t)state->credit << 4;
    return wend_workspace_hash(agent, seed ^ (uint64_t)state->trace.at << 32);
}

static uint64_t tba_hash(const wend_agent *agent) {
    return wend_tba_hash(agent, agent->state);
}

static const char *const trace_words[] = {"bounded", "free", NULL};
static const wend_key_info keys[] = {
    {.name = "k",
     .kind = WEND_KEY_INTEGER,
     .unlimited = true,
     .min = 1,
     .max = 1e12,
     .standard = "20",
     .help = "a step's budget, in expansions"},
    {.name = "share",
     .kind = WEND_KEY_DECIMAL,
     .min = 0,
     .max = 1,
     .standard = "0.9",
     .help = "how much of it goes into expansions; the rest traces paths"},
    {.name = "ratio",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = 1e6,
     .standard = "10",
     .help = "cells of tracing that cost as much as one expansion"},
    {.name = "trace",
     .kind = WEND_KEY_WORD,
     .words = trace_words,
     .standard = "bounded",
     .help = "bounded: within the budget; free: all of it in every step, without a bound"},
    {.name = "da",
     .kind = WEND_KEY_YES_NO,
     .standard = "no",
     .help = "depression avoidance: head for where little has been learnt"},
};

#define FUNCTIONS                                                                                            \
    .state_size = sizeof(wend_tba), .create = tba_create, .begin = tba_begin, .plan = tba_plan,              \
    .move = tba_move, .changed = tba_changed, .lost = tba_lost, .change_operations = WEND_OPENED_OPERATIONS, \
    .visit = wend_workspace_visit, .bound = tba_bound, .used = wend_workspace_used, .hash = tba_hash

enum { SHARED_KEYS = 4 };

const wend_planner wend_planner_tba = {
    .info = {"tba", "TBA*: moves at once towards the best cell of an A* that goes on meanwhile", keys,
             SHARED_KEYS},
    FUNCTIONS,
    .storage = WEND_STORAGE_PLAIN,
};

const wend_planner wend_planner_rtba = {
    .info = {"rtba", "RTBA*: TBA* that starts again whenever its path turns out to be blocked", keys,
             SHARED_KEYS},
    FUNCTIONS,
    .storage = WEND_STORAGE_PLAIN,
};

const wend_planner wend_planner_tbaa = {
    .info = {"tbaa", "TBAA*: RTBA* that learns from every search", keys, sizeof keys / sizeof *keys},
    FUNCTIONS,
    .storage = WEND_STORAGE_ADAPTIVE,
};
