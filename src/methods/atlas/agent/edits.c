#include "methods/atlas/agent/edits.h"

#include "base/random.h"

enum {
    LOCAL = 8192,  /* expansions of a search to a subgoal */
    ROUNDS = 8,    /* ways sought again before all cells are searched */
    GUESSES = 4,   /* ends that can't be climbed to, at most */
    CUT_MOST = 16, /* edges that are cut at a time */
    CUT_OPERATIONS = CUT_MOST * (WEND_ATLAS_FIND + 1)
};

wend_atlas_pool *wend_atlas_detour_pool(wend_agent *agent, const wend_atlas *atlas,
                                        const wend_agent_options *options) {
    wend_atlas sized = *atlas;
    if (agent->view->changes && options->repair)
        sized.count = wend_atlas_repair_room(wend_atlas_repair_of(options->repair));
    return wend_atlas_pool_join(agent->ground, &sized);
}

void wend_atlas_detour_follow(wend_atlas_agent *state) {
    wend_atlas_detour *detour = state->detour;
    if (!detour || !detour->repair) return;
    state->atlas = wend_atlas_repair_shown(detour->repair);
    state->room = state->atlas->wide ? WEND_ATLAS_QUEUE : 2 * WEND_ATLAS_QUEUE;
    detour->generation = wend_repair_generation(&detour->repair->common);
}

wend_status wend_atlas_detour_create(wend_agent *agent, wend_atlas_agent *state,
                                     const wend_agent_options *options, wend_error *error) {
    if (!agent->view->changes) return WEND_OK;
    wend_ground *ground = agent->ground;
    agent->storage = WEND_STORAGE_CHANGING;
    wend_status status = wend_ground_prepare(ground, agent->storage, error);
    if (status != WEND_OK) return status;
    state->detour = wend_allocate_zeroed(&ground->allocator, 1, sizeof *state->detour);
    if (state->detour) state->detour->net = wend_atlas_net_join(ground, state->atlas);
    if (!state->detour || !state->detour->net)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the edges of %u representatives",
                         state->atlas->count);
    state->detour->most = LOCAL;
    state->detour->repair = wend_atlas_repair_of(options->repair);
    wend_atlas_detour_follow(state);
    agent->bytes += sizeof *state->detour;
    return WEND_OK;
}

static void give_back(wend_atlas_agent *state) {
    wend_atlas_detour *detour = state->detour;
    if (detour->book) wend_atlas_book_return(detour->net, detour->book);
    if (state->query) wend_atlas_return(state->pool, state->query);
    detour->book = NULL, state->query = NULL;
    state->stage = WEND_ATLAS_IDLE;
}

void wend_atlas_detour_release(wend_agent *agent, wend_atlas_agent *state) {
    wend_atlas_detour *detour = state->detour;
    if (!detour) return;
    give_back(state);
    wend_atlas_net_leave(agent->ground, detour->net);
    wend_release(&agent->ground->allocator, detour, 1, sizeof *detour);
    state->detour = NULL;
}

/* Back on the way: the workspace is free for others. */
static void join_way(wend_agent *agent, wend_atlas_agent *state) {
    state->detour->course = WEND_ATLAS_ON_WAY;
    state->detour->doubt = false;
    wend_workspace_return(agent);
    agent->lent = 0;
    agent->aim = agent->goal;
}

void wend_atlas_detour_begin(wend_agent *agent, wend_atlas_agent *state) {
    if (!state->detour) return;
    give_back(state);
    join_way(agent, state);
    state->detour->rounds = state->detour->hasty = 0;
    state->detour->begun = 0;
}

/* Changes ------------------------------------------------------------------------------------------------ */

/* Whether a cell lies in the rectangle of two others, or beside it. */
static bool lies_between(const wend_map *map, wend_cell cell, wend_cell from, wend_cell to) {
    wend_xy a = wend_map_xy(map, from), b = wend_map_xy(map, to), c = wend_map_xy(map, cell);
    return (c.x >= a.x - 1 || c.x >= b.x - 1) && (c.x <= a.x + 1 || c.x <= b.x + 1) &&
           (c.y >= a.y - 1 || c.y >= b.y - 1) && (c.y <= a.y + 1 || c.y <= b.y + 1);
}

void wend_atlas_detour_changed(wend_agent *agent, wend_cell cell, bool opened) {
    wend_atlas_agent *state = agent->state;
    wend_atlas_detour *detour = state->detour;
    if (opened) {
        wend_workspace_opened(agent, cell);
        detour->rounds = 0;
        return;
    }
    if (detour->course == WEND_ATLAS_AROUND || detour->course == WEND_ATLAS_WHOLE) {
        if (detour->found && !detour->cut) detour->cut = wend_trail_cut(agent, detour->trace.mark, cell);
        return;
    }
    if (wend_atlas_is_behind(state)) return; /* it is going to begin again */
    wend_cell to = state->target != WEND_NO_CELL ? state->target
                   : state->refuge != UINT32_MAX ? state->atlas->cells[state->refuge]
                                                 : WEND_NO_CELL;
    agent->counters.operations++;
    if (to != WEND_NO_CELL && lies_between(agent->view->map, cell, agent->at, to)) detour->doubt = true;
}

void wend_atlas_detour_lost(wend_agent *agent) {
    wend_atlas_detour *detour = ((wend_atlas_agent *)agent->state)->detour;
    detour->cut = detour->doubt = true;
    detour->rounds = 0;
    agent->lent = 0;
}

/* Over cells --------------------------------------------------------------------------------------------- */

static void seek_cells(wend_agent *agent, wend_atlas_detour *detour, wend_atlas_course course,
                       wend_cell aim) {
    detour->course = (uint8_t)course;
    detour->found = detour->traced = detour->cut = detour->doubt = false;
    detour->expanded = 0;
    wend_workspace_return(agent); /* another search begins when it is borrowed again */
    agent->lent = 0;
    agent->aim = aim;
}

void wend_atlas_detour_around(wend_agent *agent, wend_atlas_agent *state, uint32_t first) {
    state->detour->first = (uint8_t)first;
    seek_cells(agent, state->detour, WEND_ATLAS_AROUND, state->target);
}

void wend_atlas_detour_whole(wend_agent *agent, wend_atlas_agent *state) {
    give_back(state);
    seek_cells(agent, state->detour, WEND_ATLAS_WHOLE, agent->goal);
}

/* No path to the subgoal, or a long one. The workspace is kept for what the search has touched, but not while
 * the agent waits for a query: whoever has that may be waiting for a workspace. */
static void cut_edges(wend_agent *agent, wend_atlas_agent *state) {
    wend_atlas_detour *detour = state->detour;
    /* Exact ones have too many edges for that; and the net is of the file's. A repair that takes the edit in
     * ends the search over all cells. */
    if (state->atlas->ends || (detour->repair && !wend_atlas_repair_is_base(detour->repair)) ||
        ++detour->rounds > ROUNDS) {
        wend_atlas_detour_whole(agent, state);
        return;
    }
    if (!state->query) state->query = wend_atlas_borrow(state->pool, state->atlas, agent->view->map);
    if (!state->query) wend_workspace_return(agent);
    detour->course = WEND_ATLAS_CUT;
}

static void search_cells(wend_agent *agent, wend_atlas_agent *state, uint64_t expansions) {
    wend_atlas_detour *detour = state->detour;
    bool whole = detour->course == WEND_ATLAS_WHOLE;
    if (!whole && expansions > detour->most - detour->expanded) expansions = detour->most - detour->expanded;
    wend_ended ended = wend_workspace_run(agent, expansions, expansions);
    detour->expanded += (uint32_t)expansions;
    if (agent->ended) return;
    if (ended == WEND_ENDED_GOAL) {
        detour->found = true;
        wend_trace_begin(agent, &detour->trace, agent->aim);
    } else if (whole) {
        if (ended == WEND_ENDED_EMPTY) detour->cut = true; /* cells were opened: once more */
    } else if (ended != WEND_ENDED_BUDGET || detour->expanded >= detour->most) {
        cut_edges(agent, state);
    }
}

static bool run_cells(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    wend_atlas_detour *detour = state->detour;
    if (detour->course == WEND_ATLAS_AROUND && agent->at == agent->aim) {
        join_way(agent, state);
        return true;
    }
    if (detour->cut) seek_cells(agent, detour, (wend_atlas_course)detour->course, agent->aim);
    if (detour->course == WEND_ATLAS_AROUND && !wend_map_is_open_cell(agent->view->map, agent->aim)) {
        cut_edges(agent, state);
        return true;
    }
    uint64_t before = agent->counters.operations, expansions = operations / WEND_EXPANSION_OPERATIONS;
    if (detour->traced || !expansions || !wend_workspace_borrow(agent)) return false;
    if (!detour->found) {
        search_cells(agent, state, expansions);
        if (!detour->found) return false;
    }
    uint64_t used = agent->counters.operations - before;
    wend_traced traced = wend_trace_go(agent, &detour->trace, used < operations ? operations - used : 0);
    detour->cut = traced == WEND_TRACE_BROKEN;
    detour->traced = traced == WEND_TRACE_DONE;
    return false;
}

uint32_t wend_atlas_detour_move(wend_agent *agent, wend_atlas_agent *state) {
    wend_atlas_detour *detour = state->detour;
    bool cells = detour->course == WEND_ATLAS_AROUND || detour->course == WEND_ATLAS_WHOLE;
    if (!cells || !detour->traced || detour->cut) return WEND_NO_DIRECTION;
    agent->counters.operations++;
    uint32_t move = wend_trail_next(agent, agent->at, detour->trace.mark);
    if (move != WEND_NO_DIRECTION && wend_map_moves(agent->view->map, agent->at) >> move & 1) return move;
    detour->cut = true; /* closed, and not reported yet */
    return WEND_NO_DIRECTION;
}

/* Over edges --------------------------------------------------------------------------------------------- */

/* Marks the edges that lead to the target; the goal's end and the start's have none. */
static void mark_edges(wend_agent *agent, wend_atlas_agent *state) {
    wend_atlas_detour *detour = state->detour;
    uint32_t first = detour->first ? detour->first : 1, end = state->next + (state->bend ? 1u : 0u),
             marked = 0;
    for (uint32_t i = first; i < end && i < state->count && i < first + CUT_MOST; i++) {
        uint32_t from = wend_atlas_rep_at(state, i - 1), to = wend_atlas_rep_at(state, i);
        uint32_t arc = wend_atlas_find(state->atlas, from < to ? from : to, from < to ? to : from,
                                       &agent->counters.operations);
        if (arc == UINT32_MAX || detour->book->cut[arc] == detour->book->stamp) continue;
        detour->book->cut[arc] = detour->book->stamp;
        marked++;
    }
    /* Without any, the same way would be found again. */
    if (!marked) {
        wend_atlas_detour_whole(agent, state);
        return;
    }
    wend_atlas_ends_begin(state->query, 0, agent->at);
    detour->course = WEND_ATLAS_FROM;
}

/* A query and a book for the rest of the task; false: wait. */
static bool borrow(wend_agent *agent, wend_atlas_agent *state) {
    wend_atlas_detour *detour = state->detour;
    if (!state->query) state->query = wend_atlas_borrow(state->pool, state->atlas, agent->view->map);
    if (!state->query) {
        agent->denied = WEND_DENIED_QUERY;
        return false;
    }
    state->stage = WEND_ATLAS_IDLE;
    if (detour->book) return true;
    agent->counters.searches++;
    detour->book = wend_atlas_book_borrow(detour->net);
    /* Agents of one atlas may have queries of two pools, and books of one: who has a book may need this. */
    if (!detour->book) {
        wend_workspace_return(agent);
        agent->denied = WEND_DENIED_OTHER;
    }
    return detour->book;
}

/* The way is known: the agent sets out on it from where it stands. */
static void take_way(wend_agent *agent, wend_atlas_agent *state) {
    join_way(agent, state);
    state->following = true;
    state->on_way = state->whole = state->again = false;
    state->count = state->next = state->bend = 0;
    state->target = WEND_NO_CELL, state->refuge = UINT32_MAX;
    state->goal_rep = state->query->stack[0], state->goal_cost = 0;
    wend_atlas_detour_refill(agent, state);
}

void wend_atlas_detour_refill(wend_agent *agent, wend_atlas_agent *state) {
    wend_atlas_query *query = state->query;
    for (; state->count < state->room && query->top; agent->counters.operations++)
        wend_atlas_set_rep(state, state->count++, query->stack[--query->top]);
    state->whole = !query->top;
}

static bool run_net(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    wend_atlas_detour *detour = state->detour;
    uint64_t *counted = &agent->counters.operations;
    if (!borrow(agent, state)) return false;
    wend_atlas_netting netting = {detour->net, state->query, detour->book,
                                  agent->workspace ? agent->workspace->search : NULL};
    switch ((wend_atlas_course)detour->course) {
    case WEND_ATLAS_CUT:
        if (operations < CUT_OPERATIONS) return false;
        mark_edges(agent, state);
        return true;
    case WEND_ATLAS_FROM:
        if (!wend_atlas_ends_run(state->query, operations, counted)) return true;
        wend_atlas_ends_begin(state->query, 1, agent->goal);
        detour->course = WEND_ATLAS_TO;
        return true;
    case WEND_ATLAS_TO:
        if (!wend_atlas_ends_run(state->query, operations, counted)) return true;
        if (!state->query->sides[1].end_count) wend_atlas_detour_guess(state->query, 1);
        wend_atlas_net_begin(&netting);
        *counted += state->query->sides[0].end_count;
        detour->course = WEND_ATLAS_NET;
        return true;
    case WEND_ATLAS_NET:
        if (!wend_atlas_net_run(&netting, operations, counted)) return true;
        detour->course = WEND_ATLAS_TRACE;
        if (state->query->best == UINT64_MAX) wend_atlas_detour_whole(agent, state);
        return true;
    default:
        if (wend_atlas_net_trace(state->query, operations, counted)) take_way(agent, state);
        return true;
    }
}

void wend_atlas_detour_guess(wend_atlas_query *query, uint32_t side) {
    const wend_atlas_search *search = &query->search;
    wend_atlas_side *ends = &query->sides[side];
    for (uint32_t i = 0; i < search->near_count && ends->end_count < GUESSES; i++) {
        wend_atlas_end end = search->near[i];
        if (!wend_map_is_open_cell(query->map, query->atlas->cells[end.rep])) continue;
        end.cost *= 2;
        ends->ends[ends->end_count++] = end;
    }
}

bool wend_atlas_detour_run(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    uint8_t course = state->detour->course;
    return course == WEND_ATLAS_AROUND || course == WEND_ATLAS_WHOLE ? run_cells(agent, state, operations)
                                                                     : run_net(agent, state, operations);
}

uint64_t wend_atlas_detour_hash(const wend_agent *agent, const wend_atlas_agent *state, uint64_t seed) {
    const wend_atlas_detour *detour = state->detour;
    if (!detour) return seed;
    uint64_t flags = (uint64_t)detour->course << 8 | (uint64_t)detour->rounds << 16 |
                     (uint64_t)detour->found << 3 | (uint64_t)detour->traced << 2 |
                     (uint64_t)detour->cut << 1 | detour->doubt;
    seed = wend_mix(seed ^ flags ^ (uint64_t)agent->aim << 32);
    return wend_workspace_hash(agent, wend_mix(seed ^ detour->expanded ^ (uint64_t)detour->trace.at << 32));
}
