/* atlas: near-optimal ways on large maps, every move bounded, nothing learnt. docs/notes/atlas.md explains how.
 *
 * The first decision is spread over steps: representatives that can be climbed to from the start and from
 * which the goal can be climbed to, the search over the hierarchy between them, and the first representatives
 * of the way. As soon as those near the start are known the agent heads for the one of them by which the goal
 * seems nearest. It keeps the way as the search gave it, packed: between two representatives may be a
 * shortcut, which is unpacked when the agent comes near. What there is no room for is dropped from the end,
 * and worked out again, again over steps, before the agent gets there: so its memory does not depend on how
 * far it has to go.
 *
 * At each decision it heads for the farthest of the next AHEAD subgoals (bends of links, representatives, the
 * goal) that can be climbed to for no more than the way by all of them costs. The next one always can be. */
#include "methods/atlas/agent/edits.h"

#include "base/random.h"

enum {
    THINK = 1024,  /* operations of stages between two moves */
    DECIDE = 1024, /* of decisions */
    DEAR = 2,      /* one of the search counts so much: it goes to and fro in memory */
    AHEAD = 8,
    RUN = 32, /* moves of a climb that are looked at in advance */
    /* The same with an exact atlas: nearly all are climbs, which go from one cell to the next. */
    THINK_EXACT = 4096,
    DEAR_EXACT = 8
};
/* What is spent between two moves, at most: what has begun within its budget may go over it. */
static uint64_t most_thought(const wend_atlas_agent *state) {
    return state->atlas->ends ? THINK_EXACT : THINK;
}

static uint64_t weight_of_search(const wend_atlas_agent *state) {
    return state->atlas->ends ? DEAR_EXACT : DEAR;
}

static uint64_t most_spent(const wend_atlas_agent *state) {
    uint64_t over = WEND_ATLAS_OVER + 2 * (uint64_t)WEND_ATLAS_ENDS;
    return most_thought(state) + weight_of_search(state) * over + DECIDE;
}

static wend_status atlas_create(wend_agent *agent, const wend_settings *settings,
                                const wend_agent_options *options, wend_error *error) {
    (void)settings;
    wend_atlas_agent *state = agent->state;
    wend_status status = wend_agent_check_db(agent, options, &wend_db_atlas, error);
    if (status != WEND_OK) return status;
    state->atlas = wend_atlas_of(options->db);
    state->room = state->atlas->wide ? WEND_ATLAS_QUEUE : 2 * WEND_ATLAS_QUEUE;
    state->pool = wend_atlas_detour_pool(agent, state->atlas, options);
    if (!state->pool)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for searches over %u representatives",
                         state->atlas->count);
    agent->budget = 1;
    return wend_atlas_detour_create(agent, state, options, error);
}

static void give_back(wend_atlas_agent *state) {
    if (state->query) wend_atlas_return(state->pool, state->query);
    state->query = NULL;
    state->stage = WEND_ATLAS_IDLE;
}

static void atlas_release(wend_agent *agent) {
    wend_atlas_agent *state = agent->state;
    give_back(state);
    wend_atlas_detour_release(agent, state);
    wend_atlas_pool_leave(state->pool);
}

static void atlas_begin(wend_agent *agent) {
    wend_atlas_agent *state = agent->state;
    wend_atlas_detour_begin(agent, state);
    give_back(state);
    wend_atlas_detour_follow(state);
    state->stage = WEND_ATLAS_DIRECT;
    state->target = WEND_NO_CELL;
    state->refuge = UINT32_MAX;
    state->following = state->again = state->on_way = state->whole = state->scouted = false;
    state->count = state->next = state->bend = state->run = 0;
}

/* The atlas has no way. On a map that stays as it is, where components have said that there is one, that takes
 * a forged file. */
static void give_up(wend_agent *agent) {
    wend_atlas_agent *state = agent->state;
    if (state->detour) {
        wend_atlas_detour_whole(agent, state);
        return;
    }
    give_back(state);
    wend_agent_end(agent, WEND_STEP_BAD_DATABASE);
}

/* The way, packed ---------------------------------------------------------------------------------------- */

/* Drops what the agent has passed. The last that it passed stays: there the edge begins that it is on. */
static void close_up(wend_atlas_agent *state) {
    if (state->next < 2) return;
    uint8_t gone = (uint8_t)(state->next - 1);
    for (uint32_t i = gone; i < state->count; i++)
        wend_atlas_set_rep(state, i - gone, wend_atlas_rep_at(state, i));
    state->count = (uint8_t)(state->count - gone), state->next = 1;
}

/* The arc between number i - 1 and number i of the way. */
static wend_atlas_up arc_to(wend_agent *agent, const wend_atlas_agent *state, uint32_t i, bool *down) {
    uint32_t from = wend_atlas_rep_at(state, i - 1), to = wend_atlas_rep_at(state, i);
    *down = from > to;
    uint32_t arc =
        wend_atlas_find(state->atlas, *down ? to : from, *down ? from : to, &agent->counters.operations);
    return wend_atlas_arc_at(state->atlas, arc);
}

/* Puts a representative before number i. False: there is no room now. */
static bool insert(wend_agent *agent, wend_atlas_agent *state, uint32_t i, uint32_t rep) {
    if (state->count >= state->room) {
        bool down;
        if (state->query || i + 1 >= state->count)
            return false; /* the way on from the last is being sought */
        state->count--;
        state->left += arc_to(agent, state, state->count, &down).cost;
        state->whole = false;
    }
    for (uint32_t j = state->count++; j > i; j--)
        wend_atlas_set_rep(state, j, wend_atlas_rep_at(state, j - 1));
    wend_atlas_set_rep(state, i, rep);
    return true;
}

/* Stages ------------------------------------------------------------------------------------------------- */

/* A way from one representative alone to the goal's end, once that is known. */
static void seek_from(const wend_agent *agent, wend_atlas_agent *state, uint32_t rep) {
    wend_atlas_query *query = state->query;
    query->sides[0].cell = state->atlas->cells[rep];
    query->sides[1].cell = agent->goal;
    query->sides[0].ends[0] = (wend_atlas_end){0, rep};
    query->sides[0].end_count = 1;
    query->sides[1].ends[0] = (wend_atlas_end){state->goal_cost, state->goal_rep};
    query->sides[1].end_count = 1;
    wend_atlas_query_begin(query);
    state->again = true;
    state->stage = WEND_ATLAS_SEARCH;
}

/* The end by which the goal seems nearest. */
static uint32_t refuge_of(const wend_agent *agent, const wend_atlas_agent *state,
                          const wend_atlas_query *query) {
    const wend_atlas_side *side = &query->sides[0];
    uint32_t best = UINT32_MAX;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < side->end_count; i++) {
        uint64_t cost =
            side->ends[i].cost +
            wend_map_distance(agent->view->map, state->atlas->cells[side->ends[i].rep], agent->goal);
        if (cost < least) least = cost, best = side->ends[i].rep;
    }
    return best;
}

/* With an exact atlas: whether a piece of a path without corners leads to the goal, however long it is. */
static void look_for_piece(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    wend_cell turn = wend_atlas_turn(agent->view->map, agent->at, agent->goal);
    switch (wend_atlas_piece_run(state->query, operations, &agent->counters.operations)) {
    case WEND_CLIMB_MORE:
        break;
    case WEND_CLIMB_REACHED:
        state->target = turn != agent->at ? turn : agent->goal; /* from the turn it will look again */
        state->run = 0;
        give_back(state);
        break;
    default:
        wend_atlas_ends_begin(state->query, 0, agent->at);
        state->stage = WEND_ATLAS_STARTS;
    }
}

static void look_directly(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    const wend_map *map = agent->view->map;
    wend_climb_walk walk = {agent->at, agent->goal, 0, wend_map_distance(map, agent->at, agent->goal)};
    if (wend_climb_go(map, &walk, operations, &agent->counters.operations) != WEND_CLIMB_REACHED) {
        state->stage = WEND_ATLAS_STARTS;
        return;
    }
    state->target = agent->goal;
    state->run = 0;
    state->stage = WEND_ATLAS_IDLE;
}

/* No query is free: where to go meanwhile. Once for a task, since it moves away from where that was worked
 * out. With an exact atlas it waits, so as not to leave the shortest way. */
static void scout(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    if (state->scouted || state->stage != WEND_ATLAS_STARTS || state->atlas->ends) return;
    wend_atlas_query *query = wend_atlas_scout(state->pool, state->atlas, agent->view->map);
    state->scouted = true;
    wend_atlas_ends_begin(query, 0, agent->at);
    (void)wend_atlas_ends_run(query, operations, &agent->counters.operations);
    agent->counters.operations += query->sides[0].end_count;
    state->refuge = refuge_of(agent, state, query);
    state->run = 0;
}

static bool borrow(wend_agent *agent, wend_atlas_agent *state) {
    if (state->query) return true;
    state->query = wend_atlas_borrow(state->pool, state->atlas, agent->view->map);
    if (!state->query) {
        agent->denied = WEND_DENIED_QUERY;
        return false;
    }
    agent->counters.searches++;
    if (state->stage == WEND_ATLAS_DIRECT)
        wend_atlas_piece_begin(state->query, agent->at, agent->goal);
    else if (state->stage == WEND_ATLAS_STARTS)
        wend_atlas_ends_begin(state->query, 0, agent->at);
    else
        seek_from(agent, state, wend_atlas_rep_at(state, state->count - 1u));
    return true;
}

static void search_done(wend_agent *agent, wend_atlas_agent *state) {
    const wend_atlas_query *query = state->query;
    /* What is left of a way can't cost more than it did as part of the whole. */
    if (query->best == UINT64_MAX || (state->following && query->best > state->left)) {
        give_up(agent);
        return;
    }
    wend_atlas_way_begin(state->query);
    state->stage = WEND_ATLAS_WAY;
}

static void take_way(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    wend_atlas_query *query = state->query;
    uint32_t reps[2 * WEND_ATLAS_QUEUE + 1], count;
    uint32_t known =
        state->following && !query->handed; /* the first one of the query is the last of the way */
    if (!state->following && !query->handed) state->count = 0;
    bool done = wend_atlas_way_run(query, reps, state->room - state->count + known, &count, operations,
                                   &agent->counters.operations);
    for (uint32_t i = known; i < count; i++) wend_atlas_set_rep(state, state->count++, reps[i]);
    if (count) state->left = query->left;
    if (!done) return;
    wend_atlas_end end = wend_atlas_way_end(query);
    state->goal_rep = end.rep, state->goal_cost = (uint32_t)end.cost;
    state->whole = query->top == query->bottom;
    if (!state->following) state->target = WEND_NO_CELL;
    if (state->atlas->ends) state->on_way = true; /* it has waited where the way begins */
    state->following = true;
    give_back(state);
}

/* Goes on with a stage for at most `operations`; false: it has to wait. */
static bool work_on(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    uint64_t *counted = &agent->counters.operations;
    if (state->stage == WEND_ATLAS_DIRECT && !state->atlas->ends) {
        look_directly(agent, state, operations);
        return true;
    }
    if (!borrow(agent, state)) {
        scout(agent, state, operations);
        return false;
    }
    wend_atlas_query *query = state->query;
    switch ((wend_atlas_stage)state->stage) {
    case WEND_ATLAS_DIRECT:
        look_for_piece(agent, state, operations);
        break;
    case WEND_ATLAS_STARTS:
        if (!wend_atlas_ends_run(query, operations, counted)) break;
        if (!state->atlas->ends) { /* otherwise it waits, so as not to leave the shortest way */
            state->refuge = refuge_of(agent, state, query);
            state->run = 0;
            *counted += query->sides[0].end_count;
        }
        if (state->detour && !query->sides[0].end_count) wend_atlas_detour_guess(query, 0);
        wend_atlas_ends_begin(query, 1, agent->goal);
        state->stage = WEND_ATLAS_GOALS;
        break;
    case WEND_ATLAS_GOALS:
        if (!wend_atlas_ends_run(query, operations, counted)) break;
        if (state->detour && !query->sides[1].end_count) wend_atlas_detour_guess(query, 1);
        wend_atlas_query_begin(query);
        state->stage = WEND_ATLAS_SEARCH;
        break;
    case WEND_ATLAS_SEARCH:
        if (wend_atlas_query_run(query, operations, counted)) search_done(agent, state);
        break;
    case WEND_ATLAS_WAY:
        take_way(agent, state, operations);
        break;
    default:
        break;
    }
    return true;
}

/* Following ---------------------------------------------------------------------------------------------- */

/* A place in the way: as `next` and `bend` of the agent. */
typedef struct place {
    uint8_t next, bend;
} place;

enum { BEHIND_GOAL = 2 }; /* as `bend`, behind the last of the way */

/* Of an exact atlas: where the piece from the start to the first corner, or from the last to the goal, turns;
 * WEND_NO_CELL where that is of no use. */
static wend_cell end_turn(const wend_agent *agent, const wend_atlas_agent *state, wend_cell from,
                          wend_cell to, uint32_t bend) {
    if (!state->atlas->ends || bend) return WEND_NO_CELL;
    wend_cell turn = wend_atlas_turn(agent->view->map, from, to);
    return turn == from || turn == to ? WEND_NO_CELL : turn;
}

/* The subgoal at a place, and the place behind it; WEND_NO_CELL: what comes is not known yet, or the
 * operations up to `end` are used up. */
static wend_cell subgoal_at(wend_agent *agent, wend_atlas_agent *state, uint64_t end, place *at) {
    const wend_atlas *atlas = state->atlas;
    if (at->next == state->count) {
        if (!state->whole || at->bend == BEHIND_GOAL) return WEND_NO_CELL;
        wend_cell turn = end_turn(agent, state, atlas->cells[state->goal_rep], agent->goal, at->bend);
        at->bend = turn != WEND_NO_CELL ? 1 : BEHIND_GOAL;
        return turn != WEND_NO_CELL ? turn : agent->goal;
    }
    if (!at->next) {
        wend_cell turn =
            end_turn(agent, state, agent->at, atlas->cells[wend_atlas_rep_at(state, 0)], at->bend);
        at->bend = 1;
        if (turn != WEND_NO_CELL) return turn;
    }
    while (at->next) {
        bool down;
        if (agent->counters.operations >= end) return WEND_NO_CELL;
        wend_atlas_up up = arc_to(agent, state, at->next, &down);
        if (up.what >= atlas->count) {
            if (at->bend == wend_atlas_bend_count(atlas, up.what)) break;
            return wend_atlas_bend(atlas, up.what, at->bend++, down);
        }
        if (!insert(agent, state, at->next, up.what)) return WEND_NO_CELL;
    }
    at->bend = 0;
    return atlas->cells[wend_atlas_rep_at(state, at->next++)];
}

/* The next subgoals, and what it costs to get to each by way of those before. */
typedef struct prospect {
    wend_cell cells[AHEAD];
    uint64_t costs[AHEAD];
    place behind[AHEAD];
    uint32_t count;
} prospect;

static void look_ahead(wend_agent *agent, wend_atlas_agent *state, uint64_t end, prospect *ahead) {
    close_up(state);
    place at = {state->next, state->bend};
    for (ahead->count = 0; ahead->count < AHEAD; ahead->count++) {
        wend_cell cell = subgoal_at(agent, state, end, &at);
        if (cell == WEND_NO_CELL) break;
        uint32_t i = ahead->count;
        ahead->cells[i] = cell, ahead->behind[i] = at;
        wend_cell before = i ? ahead->cells[i - 1] : agent->at;
        uint64_t leg = wend_map_distance(agent->view->map, before, cell);
        if (at.next == state->count && at.bend == BEHIND_GOAL && !state->atlas->ends &&
            leg < state->goal_cost)
            leg = state->goal_cost;
        ahead->costs[i] = leg + (i ? ahead->costs[i - 1] : 0);
    }
}

/* Whether a subgoal can be climbed to from here for at most `most`. */
static bool climbs(wend_agent *agent, wend_cell to, uint64_t most, uint64_t end, uint64_t *cost) {
    uint64_t *counted = &agent->counters.operations;
    wend_climb_walk walk = {agent->at, to, 0, most};
    if (*counted >= end) return false;
    bool reached = wend_climb_go(agent->view->map, &walk, end - *counted, counted) == WEND_CLIMB_REACHED;
    *cost = walk.cost;
    return reached;
}

static void head_for(wend_atlas_agent *state, const prospect *ahead, uint32_t i) {
    state->target = ahead->cells[i];
    state->run = 0;
    state->next = ahead->behind[i].next, state->bend = ahead->behind[i].bend;
    state->on_way = true;
}

/* On a map that has been edited the next subgoal may be blocked, and then those behind it, as a rule: a
 * search over cells leads to the first that is BEHIND moves away, or to the last that is known. */
enum { BEHIND = 64 };

static void go_around(wend_agent *agent, wend_atlas_agent *state, const prospect *ahead) {
    const wend_map *map = agent->view->map;
    uint32_t first = state->next, chosen = ahead->count - 1;
    for (uint32_t i = ahead->count; i-- > 0;)
        if (wend_map_is_open_cell(map, ahead->cells[i]) && ahead->costs[i] >= (uint64_t)BEHIND * map->cost[0])
            chosen = i;
    head_for(state, ahead, chosen);
    wend_atlas_detour_around(agent, state, first);
}

/* Whether the next subgoal can be climbed to with no detour, or may be: far away it turns out on the way. */
static bool next_is_free(wend_agent *agent, wend_cell to, uint64_t end) {
    const wend_map *map = agent->view->map;
    wend_climb_walk walk = {agent->at, to, 0, wend_map_distance(map, agent->at, to)};
    uint64_t *counted = &agent->counters.operations;
    if (*counted >= end) return true;
    return wend_climb_go(map, &walk, end - *counted, counted) != WEND_CLIMB_FAILED;
}

typedef enum decision {
    DECIDED,
    DECIDE_LATER, /* there was not enough time, or the way ahead is not known yet */
    DECIDE_LOST   /* the way can't be joined from here */
} decision;

/* Where to go from here. */
static decision decide(wend_agent *agent, wend_atlas_agent *state, uint64_t operations) {
    uint64_t end = agent->counters.operations + operations, cost = 0, more = 0;
    prospect ahead;
    look_ahead(agent, state, end, &ahead);
    if (!ahead.count) return DECIDE_LATER;
    bool next = state->on_way;
    if (next && state->detour && agent->view->map->revision && !next_is_free(agent, ahead.cells[0], end))
        next = false;
    else if (!next) { /* the agent has left the place from which the way was sought */
        next = climbs(agent, ahead.cells[0], UINT64_MAX, end, &cost);
        more = next ? cost - wend_map_distance(agent->view->map, agent->at, ahead.cells[0])
                    : (uint64_t)2 * AHEAD * agent->view->map->cost[1];
    }
    for (uint32_t i = ahead.count; i-- > 1;)
        if (climbs(agent, ahead.cells[i], ahead.costs[i] + more, end, &cost)) {
            head_for(state, &ahead, i);
            return DECIDED;
        }
    if (!next && state->detour) {
        go_around(agent, state, &ahead);
        return DECIDED;
    }
    if (!next) return DECIDE_LOST;
    head_for(state, &ahead, 0);
    return DECIDED;
}

/* The way can't be joined from where the agent has come to: another one, from where it is heading. */
static void seek_again(wend_agent *agent, wend_atlas_agent *state) {
    if (state->again || state->refuge == UINT32_MAX) {
        give_up(agent);
        return;
    }
    state->following = false;
    wend_atlas_set_rep(state, 0, state->refuge);
    state->count = 1, state->next = state->bend = 0;
    state->again = true;
    state->stage = WEND_ATLAS_SEARCH;
}

/* Where the agent climbs to now: before its way is known, the refuge. */
static wend_cell heading(const wend_atlas_agent *state) {
    if (state->target != WEND_NO_CELL) return state->target;
    return state->refuge != UINT32_MAX ? state->atlas->cells[state->refuge] : WEND_NO_CELL;
}

/* A climb that is blocked: by a search over cells; or, where there is no way yet, all begins again. */
static void leave_climb(wend_agent *agent, wend_atlas_agent *state) {
    if (state->following && state->target != WEND_NO_CELL)
        wend_atlas_detour_around(agent, state, state->next ? state->next - 1u : 0);
    else
        atlas_begin(agent);
}

/* Cells were closed near the climb under way. */
static void resolve_doubt(wend_agent *agent, wend_atlas_agent *state) {
    wend_cell to = heading(state);
    state->detour->doubt = false;
    if (to == WEND_NO_CELL || to == agent->at) return;
    uint64_t before = agent->counters.operations;
    if (!next_is_free(agent, to, before + (most_spent(state) - state->spent))) leave_climb(agent, state);
    state->spent = (uint16_t)(state->spent + (agent->counters.operations - before));
}

/* Makes a decision if it is time for one. */
static void decide_on(wend_agent *agent, wend_atlas_agent *state) {
    if (state->spent >= most_spent(state)) return;
    if (state->detour && state->detour->doubt) {
        resolve_doubt(agent, state);
        return;
    }
    if (!state->following || (state->target != WEND_NO_CELL && agent->at != state->target)) return;
    uint64_t before = agent->counters.operations;
    decision made = decide(agent, state, most_spent(state) - state->spent);
    state->spent = (uint16_t)(state->spent + (agent->counters.operations - before));
    if (made == DECIDE_LOST) seek_again(agent, state);
}

/* Whether there is nothing to be worked out now, as at nearly every move on a map that stays as it is. While
 * moves of a climb are known it has not come to its target. */
static bool is_at_rest(const wend_agent *agent, const wend_atlas_agent *state) {
    return state->stage == WEND_ATLAS_IDLE && !state->detour &&
           (state->run || (state->target != WEND_NO_CELL && state->target != agent->at)) &&
           (state->whole || !state->following || state->count - state->next >= WEND_ATLAS_LOW);
}

/* A repair is complete: representatives have other numbers now, and the agent begins again. Where that has
 * happened HASTY times in a row within fewer than CALM steps each, it would never find its way: it goes by a
 * search over all cells, which knows no numbers, until repairs come less often. */
enum { HASTY = 8, CALM = 6 };

static void renew(wend_agent *agent, wend_atlas_agent *state) {
    wend_atlas_detour *detour = state->detour;
    uint64_t steps = agent->counters.moves + agent->counters.waits;
    uint32_t hasty = steps - detour->begun < CALM ? (uint32_t)detour->hasty + (detour->hasty < HASTY) : 0;
    bool whole = hasty == HASTY && detour->course == WEND_ATLAS_WHOLE;
    if (whole)
        wend_atlas_detour_follow(state);
    else
        atlas_begin(agent);
    detour->begun = steps, detour->hasty = (uint8_t)hasty;
    if (!whole && hasty == HASTY) wend_atlas_detour_whole(agent, state);
}

/* Goes on with what is to be worked out. */
static void think(wend_agent *agent, wend_atlas_agent *state) {
    if (wend_atlas_is_behind(state)) renew(agent, state);
    for (bool waits = false; !agent->ended;) {
        if (!wend_atlas_is_off_way(state)) decide_on(agent, state);
        if (wend_atlas_is_off_way(state)) {
            if (waits || state->spent >= THINK) break;
            uint64_t off = agent->counters.operations;
            waits = !wend_atlas_detour_run(agent, state, (uint64_t)(THINK - state->spent));
            state->spent = (uint16_t)(state->spent + (agent->counters.operations - off));
            continue;
        }
        if (state->following && !state->whole && state->stage == WEND_ATLAS_IDLE &&
            state->count - state->next < WEND_ATLAS_LOW) {
            if (wend_atlas_is_renewed(state)) {
                close_up(state);
                wend_atlas_detour_refill(agent, state);
                continue;
            }
            close_up(state); /* or there may be no room for more */
            state->stage = WEND_ATLAS_SEARCH;
        }
        if (!state->following && state->stage == WEND_ATLAS_IDLE && state->target == agent->at)
            state->stage = WEND_ATLAS_DIRECT; /* it has come to where a piece of a path turns */
        if (waits || state->stage == WEND_ATLAS_IDLE || state->spent >= most_thought(state)) break;
        uint64_t before = agent->counters.operations, left = most_thought(state) - state->spent,
                 weight = state->stage == WEND_ATLAS_SEARCH ? weight_of_search(state) : 1;
        waits = !work_on(agent, state, (left + weight - 1) / weight);
        state->spent = (uint16_t)(state->spent + (agent->counters.operations - before) * weight);
    }
}

static bool atlas_plan(wend_agent *agent, uint64_t expansions) {
    (void)expansions;
    if (!is_at_rest(agent, agent->state)) think(agent, agent->state);
    return false;
}

/* The next move of a climb. Where the map stays as it is, several are looked at in one go, so that most moves
 * need not look at the map at all. */
static uint32_t climb_on(wend_agent *agent, wend_atlas_agent *state, wend_cell to) {
    uint64_t *counted = &agent->counters.operations;
    if (state->detour) return wend_climb_step(agent->view->map, agent->at, to, counted);
    uint32_t count, move = wend_climb_run(agent->view->map, agent->at, to, RUN, &count, counted);
    state->direction = (uint8_t)move;
    state->run = (uint8_t)(count - (count > 0));
    return move;
}

static uint32_t atlas_move(wend_agent *agent) {
    wend_atlas_agent *state = agent->state;
    bool rests = is_at_rest(agent, state);
    agent->steady = rests && !state->spent; /* what the plan took in use has to be noted */
    if (!rests) think(agent, state);
    state->spent = 0;
    if (state->run && !agent->ended) {
        state->run--;
        agent->counters.expansions++, agent->counters.operations++;
        return state->direction;
    }
    if (wend_atlas_is_off_way(state))
        return agent->ended ? WEND_NO_DIRECTION : wend_atlas_detour_move(agent, state);
    wend_cell to = heading(state);
    if (agent->ended || to == WEND_NO_CELL || to == agent->at) return WEND_NO_DIRECTION;
    agent->counters.expansions++;
    uint32_t move = climb_on(agent, state, to);
    if (move == WEND_NO_DIRECTION && state->detour)
        leave_climb(agent, state);
    else if (move == WEND_NO_DIRECTION)
        give_up(agent);
    return move;
}

static uint32_t atlas_known(const wend_agent *agent, uint32_t *direction) {
    const wend_atlas_agent *state = agent->state;
    *direction = state->direction;
    return is_at_rest(agent, state) ? state->run : 0;
}

static void atlas_skip(wend_agent *agent, uint32_t moves) {
    wend_atlas_agent *state = agent->state;
    state->run = (uint8_t)(state->run - moves);
    agent->counters.expansions += moves, agent->counters.operations += moves;
}

static void atlas_rest(wend_agent *agent) {
    wend_atlas_detour_begin(agent, agent->state);
    give_back(agent->state);
}

static bool atlas_served(const wend_agent *agent) {
    const wend_atlas_agent *state = agent->state;
    return state->query || state->pool->free;
}

static bool atlas_behind(const wend_agent *agent) {
    return wend_atlas_is_behind(agent->state);
}

static uint64_t atlas_bound(const wend_agent *agent, uint64_t expansions) {
    (void)expansions;
    /* A decision may go over what it has by a look for an arc, a shortcut's last one, and a climb's move. */
    return most_spent(agent->state) + 2 * WEND_ATLAS_FIND + 2 * WEND_CLIMB_OPERATIONS + RUN +
           (agent->view->changes ? WEND_ATLAS_DETOUR_OVER : 0);
}

static size_t atlas_used(const wend_agent *agent, uint64_t *cells) {
    const wend_atlas_agent *state = agent->state;
    return wend_workspace_used(agent, cells) + (state->query ? wend_atlas_query_used(state->query) : 0);
}

static uint64_t atlas_hash(const wend_agent *agent) {
    const wend_atlas_agent *state = agent->state;
    const wend_atlas_query *query = state->query;
    uint64_t hash = wend_mix((uint64_t)state->target << 32 | state->refuge);
    hash = wend_mix(hash ^ (uint64_t)state->run << 8 ^ (state->run ? state->direction : 0));
    hash = wend_mix(hash ^ ((uint64_t)state->count << 32 | (uint64_t)state->next << 24 |
                            (uint64_t)state->bend << 16 | (uint64_t)state->stage << 8 |
                            (uint64_t)state->scouted << 4 | (uint64_t)state->again << 3 |
                            (uint64_t)state->following << 2 | (uint64_t)state->on_way << 1 | state->whole));
    if (state->following) hash = wend_mix(hash ^ state->left ^ (uint64_t)state->goal_rep << 32);
    for (uint32_t i = 0; i < state->count; i++) hash = wend_mix(hash ^ wend_atlas_rep_at(state, i));
    if (query && state->stage == WEND_ATLAS_SEARCH)
        hash = wend_mix(hash ^ query->best ^ (uint64_t)query->touched << 32);
    return wend_atlas_detour_hash(agent, state, wend_mix(hash ^ state->spent));
}

static wend_cell atlas_subgoal(const wend_agent *agent) {
    return ((const wend_atlas_agent *)agent->state)->target;
}

static const wend_key_info keys[] = {WEND_DB_KEY};

const wend_planner wend_planner_atlas = {
    .info = {"atlas", "near-optimal on large maps: climbs along exact ways between representatives", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(wend_atlas_agent),
    .create = atlas_create,
    .release = atlas_release,
    .begin = atlas_begin,
    .plan = atlas_plan,
    .move = atlas_move,
    .known = atlas_known,
    .skip = atlas_skip,
    .changed = wend_atlas_detour_changed,
    .lost = wend_atlas_detour_lost,
    .change_operations = WEND_OPENED_OPERATIONS,
    .rest = atlas_rest,
    .served = atlas_served,
    .behind = atlas_behind,
    .bound = atlas_bound,
    .used = atlas_used,
    .hash = atlas_hash,
    .subgoal = atlas_subgoal,
};
