/* What astar, jps, repeated-astar, adaptive-astar and corners have in common: a search first, over as many steps as it takes, then the moves; and
 * again whenever the path turns out to be blocked.
 *
 * Hart, Nilsson and Raphael (1968), as "Time-Bounded Adaptive A*" (AAMAS 2012, section 8) runs it under the
 * game time model: the agent stands until the path is found and does not search while it walks. On terrain
 * that it does not know, or that changes, a new search begins when a cell of the path ahead has been closed,
 * and not before: Repeated A*, which is what astar does there. adaptive-astar does the same with the
 * heuristic that its earlier searches have made better informed (search/adaptive.h). jps searches over corners
 * with tables made beforehand (search/kernels/corner_graph.c and search/jumps.c have the papers). It needs no
 * more slices than `k` expansions of astar: corners that are passed through are counted. Tables do not outlast an
 * edit: where the view may change, jps is astar.
 *
 * Departures:
 * - The path is read out of the search tree from its end, so the moves would be known backwards. Tracing it
 *   is bounded like the search: a step's budget is ten operations per expansion, a cell is one, and the path
 *   gets what the search has left. Then its moves are copied, an operation each, into the agent's own memory, and
 *   the workspace goes back: agents hold one only while they search. (On unknown terrain they keep it: what it
 *   has learnt, and where they have been, is of use for the next search.) A way that is longer than that memory is
 *   found in parts.
 * - Another goal does not stop an agent on a map that it knows. It finishes the search that is under way, walks on
 *   along the way it has, and meanwhile searches for the new goal from a cell ahead, where the new way joins the
 *   old one. That cell is as many moves ahead as the search is likely to take: as many as the last one, in
 *   proportion to the distance. If these are more than NEAR, it is the old goal, since the search from there is
 *   short where goals move step by step.
 * - The map may change while a search is under way (other members of a team, edits). The search goes on with
 *   what is known then, and the path is looked through when it is traced and copied: if a move of it has become
 *   illegal, it starts again. After a change the way ahead is looked through too, AHEAD moves per step. Cells that
 *   are opened do not stop the search, nor an agent that is on its way: see wend_workspace_opened. */
#include "methods/astar/first.h"

#include "search/adaptive.h"

enum { NEAR = 32, AHEAD = 64 };

wend_status wend_first_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    (void)options;
    wend_first *state = agent->state;
    agent->budget = wend_settings_budget(settings, "k");
    if (wend_way_create(agent, &state->way)) return WEND_OK;
    return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for an agent's way");
}

void wend_first_release(wend_agent *agent) {
    wend_first *state = agent->state;
    if (state->way.bits) wend_way_release(agent, &state->way);
}

static bool over_corners(const wend_agent *agent) {
    return agent->storage == WEND_STORAGE_JUMPS;
}

/* Nothing is known any more. */
static void clear(wend_agent *agent) {
    wend_first *state = agent->state;
    wend_way way = {.bits = state->way.bits, .room = state->way.room};
    *state = (wend_first){.way = way,
                          .stands = agent->at,
                          .lasted = state->lasted,
                          .apart = state->apart,
                          .goals = state->goals,
                          .flags_of = state->flags_of,
                          .db = state->db};
    agent->aim = agent->goal;
}

/* The search in the agent's workspace is its own from now on. */
static void began(wend_agent *agent, wend_cell root, uint32_t keep) {
    wend_first *state = agent->state;
    state->searching = true, state->found = state->traced = state->copying = false;
    state->root = root, state->keep = keep, state->aim = agent->aim;
    bool near = keep <= NEAR;
    state->lasts = 0;
    state->apart_now = near ? wend_map_distance(agent->view->map, root, agent->aim) : 0;
    if (!over_corners(agent)) return;
    const uint64_t *flags = state->flags_of ? state->flags_of(state->db, agent->aim) : NULL;
    agent->workspace->search->corner.flags = flags;
    if (flags) agent->workspace->opened = true; /* flags that are wrong prove nothing */
}

void wend_first_begin(wend_agent *agent) {
    wend_first *state = agent->state;
    state->searching = state->searching && agent->workspace;
    const bool moved = agent->goals != state->goals; /* the goal; otherwise everything is sought again */
    state->goals = agent->goals;
    if (moved && agent->begun && agent->at == state->stands && !agent->knowledge) {
        if (!state->searching) return;
        agent->aim = state->aim;
        wend_workspace_new_goal(agent);
        return;
    }
    clear(agent);
    if (!agent->begun) state->lasted = 0, state->peak_bytes = 0, state->peak_cells = 0;
    wend_workspace_begin(agent);
    if (agent->workspace) began(agent, agent->at, 0);
}

/* From where the agent stands, if it has a workspace; otherwise when it has one. */
static void restart(wend_agent *agent) {
    clear(agent);
    wend_workspace_restart(agent);
    if (agent->workspace) began(agent, agent->at, 0);
}

void wend_first_changed(wend_agent *agent, wend_cell cell, bool opened) {
    wend_first *state = agent->state;
    if (opened) wend_workspace_opened(agent, cell);
    if (!opened) state->seen = 0, state->seen_at = agent->at;
}

void wend_first_lost(wend_agent *agent) {
    wend_first *state = agent->state;
    state->cut = true;
    if (agent->workspace && agent->workspace->search->adaptive.on)
        wend_adaptive_taint(agent->workspace->search);
    agent->lent = 0;
}

/* Looks through the moves ahead, after a change. */
static void look_ahead(wend_agent *agent) {
    wend_first *state = agent->state;
    const wend_map *map = agent->view->map;
    for (uint32_t i = 0; i < AHEAD && state->seen < state->way.count && !state->cut; i++) {
        uint32_t d = wend_way_at(&state->way, state->seen);
        state->cut = !(wend_map_moves(map, state->seen_at) >> d & 1);
        state->seen_at += (uint32_t)map->offset[d], state->seen++;
        agent->counters.operations++;
    }
}

/* The cell from which the next search begins, so many moves ahead. */
static wend_cell cell_ahead(wend_agent *agent, uint32_t *moves) {
    const wend_first *state = agent->state;
    const wend_way *way = &state->way;
    uint64_t apart = wend_map_distance(agent->view->map, agent->at, agent->goal);
    uint64_t likely = state->apart ? (uint64_t)state->lasted * apart / state->apart : 0;
    *moves = way->count;
    if (likely > NEAR || likely >= way->count) return way->count ? state->end : agent->at;
    *moves = (uint32_t)likely;
    wend_cell cell = agent->at;
    for (uint32_t i = 0; i < *moves; i++) cell += (uint32_t)agent->view->map->offset[wend_way_at(way, i)];
    agent->counters.operations += *moves;
    return cell;
}

/* Begins a search for the goal; false: no workspace is free. */
static bool begin_search(wend_agent *agent) {
    uint32_t keep;
    agent->aim = agent->goal;
    wend_cell root = cell_ahead(agent, &keep);
    if (agent->workspace)
        wend_workspace_restart(agent);
    else if (!wend_workspace_borrow_from(agent, root))
        return false;
    began(agent, root, keep);
    return !agent->ended;
}

/* Has the path lead forward; true when it does. */
static bool trace_on(wend_agent *agent, uint64_t steps) {
    wend_first *state = agent->state;
    wend_search *search = agent->workspace->search;
    if (over_corners(agent)) {
        uint64_t operations = search->operations;
        state->traced = wend_corner_turn(search, steps);
        agent->counters.operations += search->operations - operations;
        state->copied = state->root, state->next = search->corner.next;
        return state->traced;
    }
    wend_traced traced = wend_trace_go(agent, &state->trace, steps);
    if (traced == WEND_TRACE_BROKEN) restart(agent);
    state->traced = traced == WEND_TRACE_DONE;
    state->copied = state->trace.at; /* the root, or the agent itself */
    if (state->traced && state->copied != state->root) state->keep = 0;
    return state->traced;
}

static uint32_t next_of_path(wend_agent *agent) {
    wend_first *state = agent->state;
    if (over_corners(agent)) return wend_corner_move(agent->workspace->search, state->copied, &state->next);
    return wend_trail_next(agent, state->copied, state->trace.mark);
}

/* The workspace is of no more use, but on unknown terrain. */
static void end_search(wend_agent *agent) {
    wend_first *state = agent->state;
    state->searching = false;
    state->end = state->copied;
    if (state->apart_now) state->lasted = state->lasts, state->apart = state->apart_now;
    agent->aim = agent->goal;
    if (agent->knowledge) return;
    uint64_t cells;
    size_t bytes = wend_workspace_used(agent, &cells);
    if (bytes > state->peak_bytes) state->peak_bytes = bytes;
    if (cells > state->peak_cells) state->peak_cells = cells;
    wend_workspace_return(agent);
}

/* Copies moves of the path behind those that lead to its root. */
static void copy_on(wend_agent *agent, uint64_t left) {
    wend_first *state = agent->state;
    const wend_map *map = agent->view->map;
    wend_way *way = &state->way;
    if (!state->copying) { /* what it had beyond the root goes */
        way->count = state->keep, state->copying = true;
        if (state->seen > way->count) state->seen = 0, state->seen_at = agent->at;
    }
    for (; left && state->copied != state->aim && way->count < way->room; left--) {
        uint32_t d = next_of_path(agent);
        agent->counters.operations++;
        if (d == WEND_NO_DIRECTION ||
            (agent->view->changes && !(wend_map_moves(map, state->copied) >> d & 1))) {
            restart(agent);
            return;
        }
        wend_way_append(way, d);
        state->copied += (uint32_t)map->offset[d];
    }
    if (state->copied == state->aim || way->count == way->room) end_search(agent);
}

/* Searches, traces and copies with what is left of the operations. */
static void search_on(wend_agent *agent, uint64_t expansions) {
    wend_first *state = agent->state;
    uint64_t left = wend_times(expansions, WEND_EXPANSION_OPERATIONS);
    uint64_t limit = wend_add(agent->counters.operations, left);
    if (!state->found) {
        wend_ended ended = wend_workspace_run(agent, expansions, expansions);
        if (ended == WEND_ENDED_EMPTY && over_corners(agent)) state->flags_of = NULL;
        if (ended != WEND_ENDED_GOAL && ended != WEND_ENDED_BUDGET && !agent->ended) restart(agent);
        if (ended != WEND_ENDED_GOAL) return;
        state->found = true;
        if (!over_corners(agent)) wend_trace_begin(agent, &state->trace, state->aim);
    }
    if (agent->counters.operations >= limit) return;
    if (!state->traced && !trace_on(agent, limit - agent->counters.operations)) return;
    if (agent->counters.operations < limit) copy_on(agent, limit - agent->counters.operations);
}

static bool is_under_way(const wend_agent *agent) {
    const wend_first *state = agent->state;
    return state->way.count ? state->end == agent->goal : agent->at == agent->goal;
}

bool wend_first_plan(wend_agent *agent, uint64_t expansions) {
    wend_first *state = agent->state;
    if (agent->ended) return false;
    state->searching = state->searching && agent->workspace;
    if (agent->at != state->stands) state->cut = true;
    if (agent->view->changes) look_ahead(agent);
    if (state->cut) restart(agent);
    if (!state->searching) {
        /* A way that fills the ring leads to where the next part of it begins. */
        if (is_under_way(agent) || state->way.count > state->way.room / 2) return false;
        if (!begin_search(agent)) return false;
    }
    if (state->searching && !agent->ended) search_on(agent, expansions);
    return !agent->ended && state->searching;
}

uint32_t wend_first_move(wend_agent *agent) {
    wend_first *state = agent->state;
    const bool bound = state->searching && !state->copying; /* it must not pass the root */
    uint32_t moves = bound ? state->keep : state->way.count;
    state->lasts++;
    if (!moves || state->cut || agent->at != state->stands) return WEND_NO_DIRECTION;
    uint32_t d = wend_way_at(&state->way, 0);
    agent->counters.operations++;
    if (agent->view->changes && !(wend_map_moves(agent->view->map, agent->at) >> d & 1)) {
        state->cut = true;
        return WEND_NO_DIRECTION;
    }
    wend_way_drop_first(&state->way);
    state->stands += (uint32_t)agent->view->map->offset[d];
    if (bound) state->keep--;
    if (state->seen)
        state->seen--;
    else
        state->seen_at = state->stands;
    return d;
}

/* The move, outdated nodes when a search is given up, and looking ahead. */
uint64_t wend_first_bound(const wend_agent *agent, uint64_t expansions) {
    uint64_t ahead = expansions ? NEAR : 0;
    if (agent->view->changes) ahead += WEND_DIRECTIONS;
    if (agent->view->changes && expansions) ahead += AHEAD;
    return wend_add(wend_times(expansions, WEND_EXPANSION_OPERATIONS), 1 + ahead);
}

size_t wend_first_used(const wend_agent *agent, uint64_t *cells) {
    const wend_first *state = agent->state;
    size_t bytes = wend_workspace_used(agent, cells);
    if (state->peak_cells > *cells) *cells = state->peak_cells;
    return (bytes > state->peak_bytes ? bytes : state->peak_bytes) + (size_t)state->way.count * 3 / 8;
}

uint64_t wend_first_hash(const wend_agent *agent) {
    const wend_first *state = agent->state;
    const bool flags[] = {state->cut, state->searching, state->found, state->traced, state->copying};
    uint64_t seed = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) seed = seed << 1 | flags[i];
    if (state->searching) seed |= (uint64_t)state->copied << 8;
    return wend_workspace_hash(agent, wend_way_hash(&state->way, seed));
}
