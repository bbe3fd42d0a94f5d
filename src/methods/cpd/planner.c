/* cpd: moves from a compressed path database (Botea, AIIDE 2011; methods/cpd/build/build.c lists the
 * departures), in its default form or in those of the paper: rectangles, and upd and quadtree, which are
 * planners' names too.
 *
 * On a map that stays as it is every step is one look-up, and every move begins a shortest path, so there is
 * nothing to plan, to learn or to keep: a goal that moves costs nothing, and an agent has no memory beyond
 * its task. It counts its moves: by as many of them as there are open cells a forged file gives itself away.
 *
 * Where the map has changed, the paper's section "CPDs and dynamic environments": the agent walks along the
 * database's path and looks some moves ahead on it. Where the path has become illegal, an A* is begun from
 * where the agent stands, as Time-Bounded A* does (methods/tba/tba.h): bounded in every step, the agent moves
 * meanwhile. It ends at any cell of the path behind the obstacle from which that goes on legally; from there
 * the database leads on. Readings and departures:
 * - "Any location l_j, j > b" are marked in the workspace's trail, some in each step, from the obstacle on.
 * One that the search has expanded before it was marked ends it as well.
 * - Where the database knows no way from here (a cell that was opened since, or a component that was joined
 * since), the search ends at any cell from which it knows one.
 * - The goal is always an end of the search. So a search without an end proves that no path leads there, also
 *   for goals that the database does not know.
 *
 * Why it arrives. Let d be the distance to the goal on the map that the database (or its repair) is right
 * for. A move of the database lowers d. A search begun at a cell ends at one of smaller d, or where there was
 * no d, at one that has one; and no move of the database leads to a cell without d. So while neither goal nor
 * database change, there are at most as many searches and moves of the database as cells; and every search
 * ends, and the agent walks to its end, as TBA* does, once edits have ceased. A forged file has
 * no d: after as many moves and searches as there are cells, searches end at the goal alone. */
#include "base/random.h"
#include "methods/cpd/layout.h"
#include "methods/cpd/lists/list.h"
#include "methods/cpd/repair/repair.h"
#include "methods/tba/tba.h"

typedef struct cpd_state {
    const wend_cpd *base;          /* of runs; or NULL, and */
    const wend_cpd_lists *lists;   /* of records */
    const wend_cpd_repair *repair; /* or NULL */
    uint32_t moves; /* by the database, and searches, since anything changed that they depend on */
    /* Of the task, on a map that changes. */
    uint32_t look_ups;   /* that may still be made before the next move */
    uint64_t generation; /* of the repair that it goes by */
    wend_cell ahead;     /* the database's path is legal from the agent up to here, */
    uint32_t checked;    /* so many moves away */
    bool searching;
    bool approaching; /* it still walks along the path, to where the search began */
    bool anywhere;    /* the search ends wherever the database knows a way */
    uint64_t mark;    /* of cells at which it ends; 0: none yet */
    wend_cell marked;
    uint32_t marks; /* how far marking has come; no further than there are cells */
    bool all_marked;
    wend_tba tba;
} cpd_state;

enum {
    /* Two entries, two words of the row's head, at most 8 keys until a window is left, the keys of two
     * windows, and the symbol. */
    OPERATIONS = 2 + 2 + 8 + 2 * WEND_CPD_WINDOW + 1,
    LOOK_UPS = 8, /* between two moves, ahead or for marks, beside that of the move itself */
    AHEAD = 24    /* moves that it looks ahead on the path */
};

static uint64_t look_up_operations(const cpd_state *state) {
    if (state->lists) return wend_cpd_list_bound(state->lists);
    return OPERATIONS + (state->repair ? WEND_CPD_REPAIR_OPERATIONS : 0);
}

/* The move towards the goal, legal or not by now. */
static uint32_t look_up(wend_agent *agent, const cpd_state *state, wend_cell from) {
    if (state->lists) return wend_cpd_list_move(state->lists, from, agent->goal, &agent->counters.operations);
    agent->counters.operations += look_up_operations(state);
    return state->repair ? wend_cpd_repair_look_up(state->repair, from, agent->goal)
                         : wend_cpd_look_up(state->base, from, agent->goal);
}

static bool legal(const wend_agent *agent, wend_cell from, uint32_t move) {
    return move < WEND_DIRECTIONS && wend_map_moves(agent->view->map, from) >> move & 1;
}

/* Whether the map may be another than the one that the moves are right for. */
static bool differs(const wend_agent *agent, const cpd_state *state) {
    return state->repair ? !wend_cpd_repair_current(state->repair) : agent->view->map->revision != 0;
}

static bool search_ends(wend_agent *agent, wend_cell cell) {
    const cpd_state *state = agent->state;
    if (cell == agent->goal) return true;
    if (state->anywhere) return legal(agent, cell, look_up(agent, state, cell));
    return state->mark && agent->workspace->trail[cell] >> 3 == state->mark;
}

static wend_status cpd_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    cpd_state *state = agent->state;
    const wend_db_kind *kind = &wend_db_cpd, *given = options->db ? options->db->kind : NULL;
    if (agent->planner == &wend_planner_upd || (agent->planner == &wend_planner_cpd && given == &wend_db_upd))
        kind = &wend_db_upd;
    if (agent->planner == &wend_planner_quadtree ||
        (agent->planner == &wend_planner_cpd && given == &wend_db_quadtree))
        kind = &wend_db_quadtree;
    wend_status status = wend_agent_check_db(agent, options, kind, error);
    if (status != WEND_OK) return status;
    agent->budget = wend_settings_budget(settings, "k");
    state->lists = wend_cpd_lists_of(options->db);
    state->base = state->lists ? NULL : wend_cpd_of(options->db);
    state->repair = wend_cpd_repair_of(options->repair);
    state->tba = (wend_tba){.share = 0.9, .ratio = 10, .ends = search_ends}; /* tba's own settings */
    state->tba.ends_operations = look_up_operations(state);
    return WEND_OK;
}

/* By the database from here on. */
static void walk_on(wend_agent *agent, cpd_state *state) {
    wend_workspace_return(agent);
    state->searching = false;
    state->ahead = agent->at, state->checked = 0;
}

static void cpd_begin(wend_agent *agent) {
    cpd_state *state = agent->state;
    state->moves = 0;
    if (!agent->view->changes) return;
    if (!agent->begun) agent->lent = 0;
    walk_on(agent, state);
    state->look_ups = LOOK_UPS;
    if (state->repair) state->generation = wend_repair_generation(&state->repair->common);
}

/* The path is blocked behind `state->ahead`. */
static void begin_search(wend_agent *agent, cpd_state *state, uint32_t move) {
    bool trusted = state->moves <= agent->view->map->cells;
    if (trusted) state->moves++;
    state->searching = true;
    state->approaching = state->ahead != agent->at;
    state->anywhere = trusted && move >= WEND_DIRECTIONS;
    state->mark = 0, state->marks = 0;
    state->all_marked = !trusted || move >= WEND_DIRECTIONS;
    if (!state->all_marked) state->marked = state->ahead + (uint32_t)agent->view->map->offset[move];
    wend_tba_begin(agent, &state->tba);
}

/* Looks on along the path, and begins a search where it is blocked. */
static void look_ahead(wend_agent *agent, cpd_state *state) {
    if (!differs(agent, state)) return;
    while (state->checked < AHEAD && state->look_ups && state->ahead != agent->goal) {
        uint32_t move = look_up(agent, state, state->ahead);
        state->look_ups--;
        if (!legal(agent, state->ahead, move)) {
            begin_search(agent, state, move);
            return;
        }
        state->ahead += (uint32_t)agent->view->map->offset[move];
        state->checked++;
    }
}

/* Goes on marking where the search may end, nearest first; with a workspace. */
static void mark_on(wend_agent *agent, cpd_state *state) {
    wend_workspace *workspace = agent->workspace;
    if (!state->mark) state->mark = ++workspace->mark;
    while (!state->all_marked && state->look_ups) {
        wend_cell cell = state->marked;
        uint32_t move = look_up(agent, state, cell);
        state->look_ups--;
        bool good = cell == agent->goal || legal(agent, cell, move);
        uint64_t touched = good ? wend_search_touched(workspace->search, cell) : UINT64_MAX;
        if (touched != UINT64_MAX && touched & WEND_TAG_CLOSED) {
            if (!state->tba.found) wend_tba_found(&state->tba, cell);
        } else if (good) {
            workspace->trailed += workspace->trail[cell] >> 3 <= workspace->first_mark;
            workspace->trail[cell] = state->mark << 3;
        }
        state->all_marked = move >= WEND_DIRECTIONS || ++state->marks > agent->view->map->cells;
        if (!state->all_marked) state->marked = cell + (uint32_t)agent->view->map->offset[move];
    }
}

static bool cpd_behind(const wend_agent *agent) {
    const cpd_state *state = agent->state;
    return state->repair && state->generation != wend_repair_generation(&state->repair->common);
}

/* What has to be seen to before a plan or a move. */
static void take_stock(wend_agent *agent, cpd_state *state) {
    if (cpd_behind(agent)) {
        state->generation = wend_repair_generation(&state->repair->common);
        state->moves = 0;
        walk_on(agent, state);
    } else if (state->searching && state->tba.found && agent->at == state->tba.end) {
        walk_on(agent, state);
    }
}

static bool cpd_plan(wend_agent *agent, uint64_t expansions) {
    cpd_state *state = agent->state;
    if (!agent->view->changes) return false; /* looking up a move is part of it */
    take_stock(agent, state);
    if (!state->searching) look_ahead(agent, state);
    if (!state->searching || !wend_workspace_borrow_from(agent, state->ahead)) return false;
    mark_on(agent, state);
    return wend_tba_plan(agent, &state->tba, expansions);
}

/* Whether it is still on its way to the root of the search. A way out of the search's tree may lead past
 * where it stands, or begin there if the search was begun again. */
static bool approaches(const wend_agent *agent, cpd_state *state) {
    const wend_workspace *workspace = agent->workspace;
    if (!state->approaching) return false;
    wend_cell root = workspace ? workspace->search->start : state->ahead;
    uint64_t path = state->tba.have_path ? state->tba.path : state->tba.trace.mark;
    bool on_path = workspace && path && wend_trail_next(agent, agent->at, path) != WEND_NO_DIRECTION;
    state->approaching = root != agent->at && !on_path;
    return state->approaching;
}

static uint32_t cpd_move(wend_agent *agent) {
    cpd_state *state = agent->state;
    if (!agent->view->changes) {
        uint32_t move = look_up(agent, state, agent->at);
        /* That there is a way is known before, and a shortest one comes to no cell twice: only a forged file
         * has none here, or one that does not end. */
        if (move < WEND_DIRECTIONS && ++state->moves < agent->view->map->open_cells) return move;
        wend_agent_end(agent, WEND_STEP_BAD_DATABASE);
        return WEND_NO_DIRECTION;
    }
    take_stock(agent, state);
    state->look_ups = LOOK_UPS;
    if (state->searching && !approaches(agent, state)) return wend_tba_move(agent, &state->tba);
    uint32_t move = look_up(agent, state, agent->at);
    if (state->searching) {
        if (legal(agent, agent->at, move)) return move;
        state->approaching = false, state->tba.cut = true;
        return WEND_NO_DIRECTION;
    }
    if (!legal(agent, agent->at, move) || state->moves > agent->view->map->cells) {
        state->ahead = agent->at;
        begin_search(agent, state, move); /* the next plan continues it */
        return WEND_NO_DIRECTION;
    }
    state->moves++;
    if (state->checked)
        state->checked--;
    else
        state->ahead = agent->at + (uint32_t)agent->view->map->offset[move];
    return move;
}

/* Of the path ahead nothing is known any more where a cell of it may have been closed. */
static void cpd_changed(wend_agent *agent, wend_cell cell, bool opened) {
    cpd_state *state = agent->state;
    if (state->searching)
        wend_tba_changed(agent, &state->tba, cell, opened);
    else if (!opened)
        state->ahead = agent->at, state->checked = 0;
}

static void cpd_lost(wend_agent *agent) {
    cpd_state *state = agent->state;
    state->ahead = agent->at, state->checked = 0;
    if (state->searching) wend_tba_lost(agent, &state->tba);
}

static bool cpd_visit(wend_agent *agent) {
    return wend_workspace_visit(agent); /* without one: no shortest path comes to a cell twice */
}

static uint64_t cpd_bound(const wend_agent *agent, uint64_t expansions) {
    const cpd_state *state = agent->state;
    uint64_t each = look_up_operations(state);
    if (!agent->view->changes) return each;
    return wend_add(wend_tba_bound(agent, &state->tba, expansions), (LOOK_UPS + 1) * each);
}

static uint64_t cpd_hash(const wend_agent *agent) {
    const cpd_state *state = agent->state;
    if (!agent->view->changes) return 0;
    uint64_t hash = wend_mix((uint64_t)state->ahead << 32 | (uint64_t)state->checked << 8 | state->look_ups);
    hash = wend_mix(hash ^ state->moves ^ state->generation << 32);
    if (!state->searching) return hash;
    hash = wend_mix(hash ^ ((uint64_t)state->marks << 32 | state->marked) ^ state->anywhere);
    return wend_mix(hash ^ wend_tba_hash(agent, &state->tba));
}

static const wend_key_info keys[] = {
    WEND_DB_KEY,
    {.name = "k",
     .kind = WEND_KEY_INTEGER,
     .unlimited = true,
     .min = 1,
     .max = 1e12,
     .standard = "20",
     .help = "a step's budget, in expansions, where an edit has blocked the way"},
};

_Static_assert(WEND_CPD_NO_WAY == WEND_NO_WAY, "what batches say and what the public header says");

#define FUNCTIONS                                                                                            \
    .state_size = sizeof(cpd_state), .create = cpd_create, .begin = cpd_begin, .plan = cpd_plan,             \
    .move = cpd_move, .changed = cpd_changed, .lost = cpd_lost, .change_operations = WEND_OPENED_OPERATIONS, \
    .visit = cpd_visit, .bound = cpd_bound, .used = wend_workspace_used, .hash = cpd_hash,                   \
    .storage = WEND_STORAGE_CHANGING, .batch = wend_cpd_step_many, .behind = cpd_behind

const wend_planner wend_planner_cpd = {
    .info = {"cpd", "moves from a compressed path database: optimal, and nothing is searched", keys,
             sizeof keys / sizeof *keys},
    FUNCTIONS,
};

const wend_planner wend_planner_upd = {
    .info = {"upd", "moves from an uncompressed path database, for comparison", keys,
             sizeof keys / sizeof *keys},
    FUNCTIONS,
};

const wend_planner wend_planner_quadtree = {
    .info = {"quadtree", "moves from a path database of quad-tree squares, for comparison", keys,
             sizeof keys / sizeof *keys},
    FUNCTIONS,
};
