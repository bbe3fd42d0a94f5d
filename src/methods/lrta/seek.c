#include "methods/lrta/seek.h"

#define COST uint64_t
#define N(x) x##_seek
#include "search/kernels/queue.inc"

static uint32_t window_side(const wend_seek *state) {
    return 2 * state->reach + 3;
}

/* One move ahead needs no window, nor lists and queue. */
static size_t window_size(const wend_seek *state) {
    return state->reach == 1 ? 0 : (size_t)window_side(state) * window_side(state);
}

/* A cell is put into the queue at most once for each of its neighbours. */
static size_t queue_room(const wend_seek *state) {
    return state->reach == 1 ? 0 : window_size(state) * WEND_DIRECTIONS + WEND_QUEUE_ROOT;
}

wend_status wend_seek_create(wend_agent *agent, uint32_t reach, uint64_t limit,
                             const wend_agent_options *options, wend_error *error) {
    wend_seek *state = agent->state;
    const wend_allocator *allocator = &agent->ground->allocator;
    state->reach = reach, state->limit = limit;
    wend_status status = wend_learner_create(agent, options, 1, error);
    if (status != WEND_OK || reach == 1) return status;
    state->window = wend_allocate_zeroed(allocator, window_size(state), sizeof *state->window);
    state->lists = wend_allocate(allocator, 3 * window_size(state), sizeof *state->lists);
    state->queue_block = wend_allocate(allocator, queue_room(state), sizeof(wend_node_seek));
    if (!state->window || !state->lists || !state->queue_block)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a lookahead of %u moves", state->reach);
    state->list = state->lists;
    state->next = state->list + window_size(state);
    state->all = state->next + window_size(state);
    state->queue = (wend_queue){.nodes = state->queue_block, .room = (uint32_t)queue_room(state)};
    agent->bytes += queue_room(state) * sizeof(wend_node_seek) +
                    window_size(state) * (sizeof *state->window + 3 * sizeof *state->lists);
    return WEND_OK;
}

void wend_seek_release(wend_agent *agent) {
    wend_seek *state = agent->state;
    wend_release(&agent->ground->allocator, state->queue_block, queue_room(state), sizeof(wend_node_seek));
    wend_release(&agent->ground->allocator, state->lists, 3 * window_size(state), sizeof *state->lists);
    wend_release(&agent->ground->allocator, state->window, window_size(state), sizeof *state->window);
    wend_learner_release(agent);
}

bool wend_seek_visit(wend_agent *agent) {
    wend_seek *state = agent->state;
    return wend_learnt_visit(state->learner.search, agent->at, &state->here);
}

void wend_seek_begin(wend_agent *agent) {
    wend_seek *state = agent->state;
    if (agent->begun && state->goals == agent->goals) {
        wend_learnt_aim(state->learner.search, agent->goal);
    } else {
        wend_learnt_forget(state->learner.search, agent->goal);
        state->goals = agent->goals;
    }
    state->learner.behind = state->learner.dirty = false;
    state->raised = agent->counters.learnt = 0;
    state->unreachable = false;
    wend_pursuit_begin(&state->pursuit);
    (void)wend_seek_visit(agent);
}

void wend_seek_target(wend_agent *agent, wend_cell target) {
    wend_seek *state = agent->state;
    state->raised += state->learner.search->learnt.raised;
    wend_learnt_aim(state->learner.search, target);
    agent->counters.operations += WEND_LEARNT_SWEEP;
    state->unreachable = false;
    wend_pursuit_of(&state->pursuit, agent, target);
    (void)wend_seek_visit(agent);
}

static bool has_subgoal(const wend_agent *agent) {
    return wend_seek_target_of(agent) != agent->goal;
}

void wend_seek_changed(wend_agent *agent, wend_cell cell, bool opened) {
    wend_seek *state = agent->state;
    if (wend_learner_changed(agent, cell, opened)) (void)wend_seek_visit(agent);
    if (!opened && cell == wend_seek_target_of(agent) && has_subgoal(agent)) state->unreachable = true;
}

void wend_seek_lost(wend_agent *agent) {
    wend_seek *state = agent->state;
    wend_learner_lost(agent);
    (void)wend_seek_visit(agent);
    if (has_subgoal(agent) && !wend_map_is_open_cell(agent->view->map, wend_seek_target_of(agent)))
        state->unreachable = true;
}

/* The move of least cost + value so far, as one number, so that the choice needs no branch: the total, then 0
 * for the more expensive kind of move, then the direction. Totals are below 2^44 on the largest map. */
#define NO_MOVE UINT64_MAX

WEND_INLINE uint64_t consider(const wend_map *map, uint64_t best, uint64_t value, uint32_t direction) {
    uint64_t total = value + map->cost[direction];
    uint64_t choice = total << 4 | (uint64_t)!wend_is_diagonal(direction) << 3 | direction;
    return choice < best ? choice : best;
}

/* One move ahead: the neighbours are the frontier. Once for each width of the table. */
WEND_INLINE uint64_t look_at_neighbours(wend_agent *agent, bool wide) {
    const wend_search *search = ((const wend_learner *)agent->state)->search;
    const wend_map *map = search->map;
    uint32_t y = wend_cell_y(map, agent->at), x = wend_cell_x(map, agent->at, y);
    uint32_t moves = wend_legal_moves(map, x, y);
    uint64_t best = NO_MOVE;
    agent->counters.expansions++;
    wend_agent_show(agent, agent->at, WEND_NO_CELL, 0);
    agent->counters.operations += 1 + wend_count_bits(moves);
    for (; moves; moves &= moves - 1) {
        uint32_t d = wend_lowest_bit(moves);
        wend_cell cell = agent->at + (uint32_t)map->offset[d];
        uint32_t there_x = x + (uint32_t)wend_dx[d], there_y = y + (uint32_t)wend_dy[d];
        uint64_t h = wide ? known_learnt_wide(search, cell, there_x, there_y)
                          : known_learnt(search, cell, there_x, there_y);
        best = consider(map, best, h, d);
    }
    return best;
}

static uint64_t look_one_ahead(wend_agent *agent) {
    bool wide = ((const wend_learner *)agent->state)->search->learnt.wide;
    return wide ? look_at_neighbours(agent, true) : look_at_neighbours(agent, false);
}

static uint32_t window_next(const wend_seek *state, uint32_t index, uint32_t d) {
    return index + (uint32_t)(wend_dy[d] * (int32_t)window_side(state) + wend_dx[d]);
}

/* To who watches. The cell that it was reached from is not kept: it is one that was expanded in an earlier round
 * and is as near as that, or passes for the first. */
static void show(const wend_agent *agent, uint32_t index, uint32_t middle) {
    const wend_seek *state = agent->state;
    const wend_map *map = state->learner.search->map;
    const wend_seek_cell *cell = &state->window[index];
    wend_cell parent = index == middle ? WEND_NO_CELL : agent->at;
    for (uint32_t moves = wend_map_moves(map, cell->cell); moves; moves &= moves - 1) {
        uint32_t d = wend_lowest_bit(moves);
        const wend_seek_cell *from = &state->window[window_next(state, index, d)];
        if (from->seen == state->number && from->round < cell->round && from->g + map->cost[d] == cell->g)
            parent = from->cell;
    }
    wend_agent_show(agent, cell->cell, parent, cell->g);
}

/* Generates all cells within reach (lines 4). */
static void generate(wend_agent *agent, uint32_t middle) {
    wend_seek *state = agent->state;
    const wend_map *map = state->learner.search->map;
    uint32_t list_count = 1;
    state->number++;
    state->window[middle] = (wend_seek_cell){.value = UINT64_MAX, .seen = state->number, .cell = agent->at};
    state->list[0] = state->all[0] = middle;
    state->all_count = 1;
    for (uint32_t round = 1; round <= state->reach && list_count; round++) {
        uint32_t next_count = 0;
        for (uint32_t i = 0; i < list_count; i++) {
            uint32_t index = state->list[i];
            const wend_seek_cell from = state->window[index];
            agent->counters.expansions++;
            agent->counters.operations++;
            if (WEND_UNLIKELY(agent->watch)) show(agent, index, middle);
            if (from.cell == state->learner.search->goal) continue; /* no path goes on from there */
            for (uint32_t moves = wend_map_moves(map, from.cell); moves; moves &= moves - 1) {
                uint32_t d = wend_lowest_bit(moves), there = window_next(state, index, d);
                uint64_t g = from.g + map->cost[d];
                agent->counters.operations++;
                wend_seek_cell *to = &state->window[there];
                bool fresh = to->seen != state->number;
                if (g > state->limit || (!fresh && to->g <= g)) continue;
                if (fresh) state->all[state->all_count++] = there;
                if (fresh || to->round != round) state->next[next_count++] = there;
                *to = (wend_seek_cell){g, UINT64_MAX, state->number, from.cell + (uint32_t)map->offset[d],
                                       round};
            }
        }
        uint32_t *emptied = state->list;
        state->list = state->next, state->next = emptied;
        list_count = next_count;
    }
}

/* Whether a path can leave the generated cells here. */
static bool on_frontier(wend_agent *agent, uint32_t index) {
    const wend_seek *state = agent->state;
    wend_cell cell = state->window[index].cell;
    if (cell == state->learner.search->goal) return true;
    for (uint32_t moves = wend_map_moves(state->learner.search->map, cell); moves; moves &= moves - 1) {
        agent->counters.operations++;
        if (state->window[window_next(state, index, wend_lowest_bit(moves))].seen != state->number)
            return true;
    }
    return false;
}

static uint64_t learnt_of(wend_agent *agent, wend_cell cell) {
    const wend_map *map = ((const wend_learner *)agent->state)->search->map;
    uint32_t y = wend_cell_y(map, cell);
    return wend_learnt_h(((const wend_learner *)agent->state)->search, cell, wend_cell_x(map, cell, y), y);
}

/* Works out the values of the generated cells, from the frontier inwards, but not that of the middle. */
static void evaluate(wend_agent *agent, uint32_t middle) {
    wend_seek *state = agent->state;
    const wend_map *map = state->learner.search->map;
    wend_queue_clear(&state->queue);
    for (uint32_t i = 1; i < state->all_count; i++) {
        uint32_t index = state->all[i];
        agent->counters.operations++;
        if (!on_frontier(agent, index)) continue;
        state->window[index].value = learnt_of(agent, state->window[index].cell);
        push_seek(&state->queue, state->window[index].value, 0, index, 0);
    }
    for (const wend_node_seek *first; (first = first_seek(&state->queue));) {
        uint32_t index = first->cell;
        uint64_t value = first->f;
        pop_seek(&state->queue);
        agent->counters.operations++;
        if (state->window[index].value != value) continue;
        for (uint32_t moves = wend_map_moves(map, state->window[index].cell); moves; moves &= moves - 1) {
            uint32_t d = wend_lowest_bit(moves), there = window_next(state, index, d);
            wend_seek_cell *to = &state->window[there];
            agent->counters.operations++;
            if (there == middle || to->seen != state->number || to->value <= value + map->cost[d]) continue;
            uint64_t own = learnt_of(agent, to->cell), through = value + map->cost[d];
            if (own > through) through = own;
            if (to->value <= through) continue;
            to->value = through;
            push_seek(&state->queue, through, 0, there, 0);
        }
    }
}

static uint64_t look_far_ahead(wend_agent *agent) {
    wend_seek *state = agent->state;
    const wend_map *map = state->learner.search->map;
    uint32_t side = window_side(state), middle = side * (side / 2) + side / 2;
    uint64_t best = NO_MOVE;
    generate(agent, middle);
    evaluate(agent, middle);
    for (uint32_t moves = wend_map_moves(map, agent->at); moves; moves &= moves - 1) {
        uint32_t d = wend_lowest_bit(moves);
        const wend_seek_cell *cell = &state->window[window_next(state, middle, d)];
        agent->counters.operations++;
        if (cell->value != UINT64_MAX) best = consider(map, best, cell->value, d);
    }
    return best;
}

/* No path leads to the target, which ends the task only if it is the goal. */
static uint32_t end_unreachable(wend_agent *agent) {
    wend_seek *state = agent->state;
    state->unreachable = has_subgoal(agent);
    if (!state->unreachable) wend_agent_end(agent, WEND_STEP_UNREACHABLE);
    return WEND_NO_DIRECTION;
}

uint32_t wend_seek_move(wend_agent *agent) {
    wend_seek *state = agent->state;
    wend_search *search = state->learner.search;
    if (state->unreachable) return WEND_NO_DIRECTION;
    if (wend_learner_catch_up(agent)) (void)wend_seek_visit(agent);
    if (state->here == WEND_NO_SLOT && search->learnt.kept) { /* full, with cells of earlier goals */
        wend_learnt_forget(search, search->goal);
        (void)wend_seek_visit(agent);
        agent->counters.operations += WEND_LEARNT_SWEEP;
    }
    uint64_t best = state->reach == 1 ? look_one_ahead(agent) : look_far_ahead(agent);
    if (best == NO_MOVE) return end_unreachable(agent); /* everything that can be reached was generated */
    if (state->here == WEND_NO_SLOT) {
        wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
        return WEND_NO_DIRECTION;
    }
    if (has_subgoal(agent) && best >> 4 > wend_learnt_limit(search)) return end_unreachable(agent);
    if (wend_learner_proves(agent, best >> 4)) return WEND_NO_DIRECTION;
    if (has_subgoal(agent) && wend_pursuit_ends(&state->pursuit, search->map->cost[best & 7]))
        state->unreachable = true;
    wend_learnt_raise(search, state->here, best >> 4);
    agent->counters.learnt = state->raised + search->learnt.raised;
    return (uint32_t)(best & 7);
}

/* In round r at most (2 r - 1)^2 cells are expanded. Then every generated cell is looked at with its
 * neighbours, comes off the queue at most eight times, and looks at its neighbours at most that often. Then
 * the moves are compared. Dropping h takes a sweep, and so does forgetting the cells of earlier goals. */
uint64_t wend_seek_bound(const wend_agent *agent) {
    const wend_seek *state = agent->state;
    if (state->reach == 1) return 1 + WEND_DIRECTIONS + 2 * WEND_LEARNT_SWEEP;
    uint64_t expanded = 0, all = (2 * (uint64_t)state->reach + 1) * (2 * (uint64_t)state->reach + 1);
    for (uint64_t r = 0; r < state->reach; r++) expanded += (2 * r + 1) * (2 * r + 1);
    return (expanded + all * (1 + WEND_DIRECTIONS)) * (1 + WEND_DIRECTIONS) + WEND_DIRECTIONS +
           2 * WEND_LEARNT_SWEEP;
}

size_t wend_seek_used(const wend_agent *agent, uint64_t *cells) {
    const wend_seek *state = agent->state;
    *cells = state->learner.search->learnt.used;
    return wend_learnt_bytes(state->learner.search) + state->all_count * sizeof *state->window;
}

uint64_t wend_seek_hash(const wend_agent *agent) {
    const wend_seek *state = agent->state;
    return wend_learner_hash(agent) ^ ((uint64_t)wend_seek_target_of(agent) << 16 | state->unreachable) ^
           wend_pursuit_hash(&state->pursuit);
}

wend_cell wend_seek_target_of_agent(const wend_agent *agent) {
    return wend_seek_target_of(agent);
}
