/* lrta: Learning Real-Time A* with lookahead.
 *
 * Korf, "Real-time heuristic search" (1990), as figure 1 of "Case-based subgoaling in real-time heuristic
 * search" (JAIR 2010) has it: the successors up to cost `gmax` (line 4), or up to `d` moves ("kNN LRTA*",
 * AIIDE 2009); the frontier cell s' of least g + h (line 5), ties to the larger g, then to the smaller first
 * direction, then to the smaller cell; h(s) raised to that (line 6, read as a maximum); one step towards s'
 * (line 7). With d = 1 it is algorithm 1 of "Fast subgoaling for pathfinding via real-time search" (SoCS
 * 2011).
 *
 * The frontier is what a path must pass to leave the cells that were generated: those with a neighbour that
 * was not. The goal counts as one wherever it is generated. The lookahead goes in rounds of one move, in a
 * window around the agent; where a cell is reached more cheaply by more moves, its successors are gone
 * through again in the next round.
 *
 * Departure: with a lookahead beyond one move, line 5 as printed looks at h on the frontier only. What was
 * learnt of the cells inside never counts then, and an agent can walk to and fro between two of them for ever
 * (tests/test_lrta.c has such maps). So the value of an inner cell is the least c + value of its
 * neighbours, but never less than its own h; values are worked out from the frontier inwards, in their order.
 * Where nothing inside has been learnt, that is line 5 to the letter, since the given h is consistent; and
 * since the value of the chosen neighbour is never below its h, Korf's proof that the goal is reached holds.
 * Of equal neighbours the dearer move wins, then the smaller direction.
 *
 * When the goal moves, what was learnt is kept as Adaptive A* does (search/learnt.h) with a lookahead of one
 * move: then h stays consistent, since h(s) is raised to the least c + h of its neighbours and no further. A
 * longer lookahead raises it to what the inner cells are worth, but not theirs; h is admissible then but no
 * more, and forgotten with its goal. How changes of the view are taken in, and how it proves that there is no
 * path, stands in learner.h. */
#include "plan/learner.h"

#define COST uint64_t
#define N(x) x##_lrta
#include "search/queue.inc"

enum { MOST_MOVES = 64 };

typedef struct window_cell {
    uint64_t g;
    uint64_t value; /* UINT64_MAX until known */
    uint64_t seen;  /* the number of the lookahead that generated it */
    wend_cell cell;
    uint32_t round; /* of this lookahead in which it was put into a list last */
} window_cell;

typedef struct lrta_state {
    wend_learner learner; /* first */
    uint32_t here;        /* the slot of the cell it stands on; WEND_NO_SLOT if the table was full */
    uint32_t reach; /* moves: the window is 2 reach + 1 cells a side, and a border of one more all round */
    uint64_t limit; /* the most cost, or UINT64_MAX where moves are counted */
    window_cell *window;
    uint32_t *lists;       /* three of the window's size: */
    uint32_t *list, *next; /* window cells of this round and the next */
    uint32_t *all;         /* every one that was generated */
    uint32_t all_count;
    uint64_t number; /* of the lookahead */
    wend_queue queue;
    void *queue_block;
} lrta_state;

static uint32_t window_side(const lrta_state *state) {
    return 2 * state->reach + 3;
}

static size_t window_size(const lrta_state *state) {
    return (size_t)window_side(state) * window_side(state);
}

/* A cell is put into the queue at most once for each of its neighbours. */
static size_t queue_room(const lrta_state *state) {
    return window_size(state) * WEND_DIRECTIONS + WEND_QUEUE_ROOT;
}

static wend_status lrta_create(wend_agent *agent, const wend_settings *settings,
                               const wend_agent_options *options, wend_error *error) {
    lrta_state *state = agent->state;
    const wend_map *map = agent->view->map;
    const wend_allocator *allocator = &agent->ground->allocator;
    if (wend_settings_given(settings, "gmax") && wend_settings_given(settings, "d"))
        return wend_fail(error, WEND_BAD_ARGUMENT, "lrta looks ahead by d or by gmax, not by both");
    agent->budget = 1;
    state->reach = (uint32_t)wend_settings_integer(settings, "d");
    state->limit = UINT64_MAX;
    if (wend_settings_given(settings, "gmax")) {
        /* A millionth of a unit of cost absorbs the rounding of, say, 1.4 x 5. */
        state->limit = (uint64_t)(wend_settings_number(settings, "gmax") * map->cost[0] + 1e-6);
        state->reach = (uint32_t)(state->limit / map->cost[0]);
        if (state->limit < map->cost[map->rules.connect == 8 ? 1 : 0])
            return wend_fail(error, WEND_BAD_ARGUMENT, "gmax must be at least the cost of the dearest move");
    }
    state->learner.consistent = state->reach == 1;
    wend_status status = wend_learner_create(agent, options, 1, error);
    if (status != WEND_OK) return status;
    state->window = wend_allocate_zeroed(allocator, window_size(state), sizeof *state->window);
    state->lists = wend_allocate(allocator, 3 * window_size(state), sizeof *state->lists);
    state->queue_block = wend_allocate(allocator, queue_room(state), sizeof(wend_node_lrta));
    if (!state->window || !state->lists || !state->queue_block)
        return wend_fail(error, WEND_NO_MEMORY, "no memory for a lookahead of %u moves", state->reach);
    state->list = state->lists;
    state->next = state->list + window_size(state);
    state->all = state->next + window_size(state);
    state->queue = (wend_queue){.nodes = state->queue_block, .room = (uint32_t)queue_room(state)};
    agent->bytes += queue_room(state) * sizeof(wend_node_lrta) +
                    window_size(state) * (sizeof *state->window + 3 * sizeof *state->lists);
    return WEND_OK;
}

static void lrta_release(wend_agent *agent) {
    lrta_state *state = agent->state;
    wend_release(&agent->ground->allocator, state->queue_block, queue_room(state), sizeof(wend_node_lrta));
    wend_release(&agent->ground->allocator, state->lists, 3 * window_size(state), sizeof *state->lists);
    wend_release(&agent->ground->allocator, state->window, window_size(state), sizeof *state->window);
    wend_learner_release(agent);
}

static bool lrta_visit(wend_agent *agent) {
    lrta_state *state = agent->state;
    return wend_learnt_visit(state->learner.search, agent->at, &state->here);
}

static void lrta_begin(wend_agent *agent) {
    wend_learner_begin(agent);
    (void)lrta_visit(agent);
}

static void lrta_changed(wend_agent *agent, wend_cell cell, bool opened) {
    if (wend_learner_changed(agent, cell, opened)) (void)lrta_visit(agent);
}

static void lrta_lost(wend_agent *agent) {
    wend_learner_lost(agent);
    (void)lrta_visit(agent);
}

static bool lrta_plan(wend_agent *agent, uint64_t expansions) {
    (void)agent, (void)expansions;
    return false; /* its lookahead is of one size, and the move makes it */
}

/* The move of least cost + value so far, as one number, so that the choice needs no branch: the total, then 0
 * for the dearer kind of move, then the direction. Totals are below 2^44 on the largest map. */
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

static uint32_t window_next(const lrta_state *state, uint32_t index, uint32_t d) {
    return index + (uint32_t)(wend_dy[d] * (int32_t)window_side(state) + wend_dx[d]);
}

/* Generates all cells within reach (lines 4). */
static void generate(wend_agent *agent, uint32_t middle) {
    lrta_state *state = agent->state;
    const wend_map *map = state->learner.search->map;
    uint32_t list_count = 1;
    state->number++;
    state->window[middle] = (window_cell){.value = UINT64_MAX, .seen = state->number, .cell = agent->at};
    state->list[0] = state->all[0] = middle;
    state->all_count = 1;
    for (uint32_t round = 1; round <= state->reach && list_count; round++) {
        uint32_t next_count = 0;
        for (uint32_t i = 0; i < list_count; i++) {
            uint32_t index = state->list[i];
            const window_cell from = state->window[index];
            agent->counters.expansions++;
            agent->counters.operations++;
            if (from.cell == agent->goal) continue; /* no path goes on from there */
            for (uint32_t moves = wend_map_moves(map, from.cell); moves; moves &= moves - 1) {
                uint32_t d = wend_lowest_bit(moves), there = window_next(state, index, d);
                uint64_t g = from.g + map->cost[d];
                agent->counters.operations++;
                window_cell *to = &state->window[there];
                bool fresh = to->seen != state->number;
                if (g > state->limit || (!fresh && to->g <= g)) continue;
                if (fresh) state->all[state->all_count++] = there;
                if (fresh || to->round != round) state->next[next_count++] = there;
                *to =
                    (window_cell){g, UINT64_MAX, state->number, from.cell + (uint32_t)map->offset[d], round};
            }
        }
        uint32_t *emptied = state->list;
        state->list = state->next, state->next = emptied;
        list_count = next_count;
    }
}

/* Whether a path can leave the generated cells here. */
static bool on_frontier(wend_agent *agent, uint32_t index) {
    const lrta_state *state = agent->state;
    wend_cell cell = state->window[index].cell;
    if (cell == agent->goal) return true;
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
    lrta_state *state = agent->state;
    const wend_map *map = state->learner.search->map;
    wend_queue_clear(&state->queue);
    for (uint32_t i = 1; i < state->all_count; i++) {
        uint32_t index = state->all[i];
        agent->counters.operations++;
        if (!on_frontier(agent, index)) continue;
        state->window[index].value = learnt_of(agent, state->window[index].cell);
        push_lrta(&state->queue, state->window[index].value, 0, index, 0);
    }
    for (const wend_node_lrta *first; (first = first_lrta(&state->queue));) {
        uint32_t index = first->cell;
        uint64_t value = first->f;
        pop_lrta(&state->queue);
        agent->counters.operations++;
        if (state->window[index].value != value) continue;
        for (uint32_t moves = wend_map_moves(map, state->window[index].cell); moves; moves &= moves - 1) {
            uint32_t d = wend_lowest_bit(moves), there = window_next(state, index, d);
            window_cell *to = &state->window[there];
            agent->counters.operations++;
            if (there == middle || to->seen != state->number || to->value <= value + map->cost[d]) continue;
            uint64_t own = learnt_of(agent, to->cell), through = value + map->cost[d];
            if (own > through) through = own;
            if (to->value <= through) continue;
            to->value = through;
            push_lrta(&state->queue, through, 0, there, 0);
        }
    }
}

static uint64_t look_far_ahead(wend_agent *agent) {
    lrta_state *state = agent->state;
    const wend_map *map = state->learner.search->map;
    uint32_t side = window_side(state), middle = side * (side / 2) + side / 2;
    uint64_t best = NO_MOVE;
    generate(agent, middle);
    evaluate(agent, middle);
    for (uint32_t moves = wend_map_moves(map, agent->at); moves; moves &= moves - 1) {
        uint32_t d = wend_lowest_bit(moves);
        const window_cell *cell = &state->window[window_next(state, middle, d)];
        agent->counters.operations++;
        if (cell->value != UINT64_MAX) best = consider(map, best, cell->value, d);
    }
    return best;
}

static uint32_t lrta_move(wend_agent *agent) {
    lrta_state *state = agent->state;
    if (wend_learner_catch_up(agent)) (void)lrta_visit(agent);
    if (state->here == WEND_NO_SLOT &&
        state->learner.search->learnt.kept) { /* full, with cells of earlier goals */
        wend_learnt_forget(state->learner.search, agent->goal);
        (void)lrta_visit(agent);
        agent->counters.operations += WEND_LEARNT_SWEEP;
    }
    uint64_t best = state->reach == 1 ? look_one_ahead(agent) : look_far_ahead(agent);
    if (best == NO_MOVE) {
        wend_agent_end(agent, WEND_STEP_UNREACHABLE); /* everything that can be reached was generated */
        return WEND_NO_DIRECTION;
    }
    if (state->here == WEND_NO_SLOT) {
        wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY);
        return WEND_NO_DIRECTION;
    }
    if (wend_learner_proves(agent, best >> 4)) return WEND_NO_DIRECTION;
    wend_learnt_raise(state->learner.search, state->here, best >> 4);
    agent->counters.learnt = state->learner.search->learnt.raised;
    return (uint32_t)(best & 7);
}

/* In round r at most (2 r - 1)^2 cells are expanded; then every generated cell is looked at with its
 * neighbours, comes off the queue at most eight times, and looks at its neighbours at most that often; and
 * the moves are compared. Dropping h takes a sweep, and so does forgetting the cells of earlier goals. */
static uint64_t lrta_bound(const wend_agent *agent, uint64_t expansions) {
    (void)expansions;
    const lrta_state *state = agent->state;
    if (state->reach == 1) return 1 + WEND_DIRECTIONS + 2 * WEND_LEARNT_SWEEP;
    uint64_t expanded = 0, all = (2 * (uint64_t)state->reach + 1) * (2 * (uint64_t)state->reach + 1);
    for (uint64_t r = 0; r < state->reach; r++) expanded += (2 * r + 1) * (2 * r + 1);
    return (expanded + all * (1 + WEND_DIRECTIONS)) * (1 + WEND_DIRECTIONS) + WEND_DIRECTIONS +
           2 * WEND_LEARNT_SWEEP;
}

static size_t lrta_used(const wend_agent *agent, uint64_t *cells) {
    const lrta_state *state = agent->state;
    *cells = state->learner.search->learnt.used;
    return wend_learnt_bytes(state->learner.search) + state->all_count * sizeof *state->window;
}

static const wend_key_info keys[] = {
    {.name = "d",
     .kind = WEND_KEY_INTEGER,
     .least = 1,
     .most = MOST_MOVES,
     .standard = "1",
     .help = "lookahead in moves"},
    {.name = "gmax",
     .kind = WEND_KEY_DECIMAL,
     .least = 1,
     .most = MOST_MOVES,
     .help = "lookahead by cost, in place of d"},
};

const wend_planner wend_planner_lrta = {
    .info = {"lrta", "LRTA*: looks a few moves ahead and learns the cell it stands on", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(lrta_state),
    .create = lrta_create,
    .release = lrta_release,
    .begin = lrta_begin,
    .plan = lrta_plan,
    .move = lrta_move,
    .changed = lrta_changed,
    .lost = lrta_lost,
    .change_operations = WEND_LEARNER_CHANGE,
    .visit = lrta_visit,
    .bound = lrta_bound,
    .used = lrta_used,
    .hash = wend_learner_hash,
};
