/* knn2009: kNN LRTA* as it was in 2009.
 *
 * Bulitko and Bjornsson, "kNN LRTA*: simple subgoaling for real-time search" (AIIDE 2009), figure 7. The
 * agent heads for its goal where it can climb there within `climb` moves (the paper's m; lines 3 and 10).
 * Otherwise it takes the subgoal of the record that is most like its own problem (line 4, read as an argmin:
 * the least sum of the distances between the starts and between the goals). That must not have been a subgoal
 * in this task (the taboo list T). The record's start must be climbable from where it stands and the record's
 * goal from its own goal, each within `climb` moves (line 5). Else it takes that of the next best. LRTA* with
 * a lookahead of `d` moves runs until the subgoal is reached (line 12); then it chooses again. Without any
 * record left it heads for the goal for good.
 *
 * The same choice with less looking: nothing farther than `climb` columns or rows can be climbed to in
 * `climb` moves. So only the records that start within that many rows, which stand together, are looked at.
 * Those that pass the same test at both ends are put in order, CANDIDATES at a time, and checked. Where none
 * of them will do and there were more, the records are gone through again for the next ones. Records of equal
 * similarity are taken in the order of the file: by start, goal and number.
 *
 * Choosing is spread over steps, CHOICE_OPERATIONS for each unit of budget, and the agent waits meanwhile: a
 * choice for one cell is of no use on the next. A climb under way is finished, so a step may go over by two.
 *
 * Climbing counts as expanding a cell with every move, as in the paper's table 1.
 *
 * On a map that changes (not in the paper) records are checked on the map as it is known, and subgoals are
 * given up as pursuit.h says. While there are records left, the agent chooses again when a cell is closed on
 * its way to the goal. */

#include "base/random.h"
#include "methods/knn2009/layout.h"
#include "methods/lrta/lrta.h"
#include "search/climb.h"

enum { CANDIDATES = 64, CHOICE_OPERATIONS = 4096, MOST_CLIMB = 10000 };

/* What a step of a choice looks at without asking the budget again. */
enum { SCAN_RECORDS = 64 };

typedef struct candidate {
    uint64_t apart; /* the sum of both distances */
    uint32_t record;
} candidate;

typedef enum stage {
    STAGE_BEGIN, /* to choose, from scratch */
    STAGE_SCAN,  /* going through the records */
    STAGE_CHECK, /* trying the candidates */
    STAGE_WALK   /* the target is chosen */
} stage;

typedef struct knn_state {
    wend_seek seek; /* first */
    wend_knn2009 base;
    uint32_t climb;
    stage stage;
    uint32_t next, end, first; /* the records to go through */
    uint32_t at_x, at_y, goal_x, goal_y;
    bool more;             /* than the candidates that are kept */
    bool passed;           /* some were checked in vain: */
    candidate last;        /* the last of them */
    uint32_t count, tried; /* candidates, and how many of them were checked */
    candidate *candidates; /* a heap with the worst on top; in order while they are checked */
    /* The taboo list: 32 subgoals a word, epoch << 32 | bits. Words of another epoch count as empty. */
    uint64_t *taboo;
    uint32_t taboo_words, epoch, taboo_used;
    bool exhausted; /* no record is left: the goal from now on */
} knn_state;

static wend_status knn_create(wend_agent *agent, const wend_settings *settings,
                              const wend_agent_options *options, wend_error *error) {
    knn_state *state = agent->state;
    const wend_allocator *allocator = &agent->ground->allocator;
    wend_status status = wend_agent_check_db(agent, options, &wend_db_knn2009, error);
    if (status != WEND_OK) return status;
    agent->budget = 1;
    state->base = wend_knn2009_of(options->db);
    state->climb = (uint32_t)wend_settings_integer(settings, "climb");
    status =
        wend_seek_create(agent, (uint32_t)wend_settings_integer(settings, "d"), UINT64_MAX, options, error);
    if (status != WEND_OK) return status;
    state->taboo_words = state->base.subgoal_count / 32 + 1;
    state->taboo = wend_allocate_zeroed(allocator, state->taboo_words, sizeof *state->taboo);
    state->candidates = wend_allocate_zeroed(allocator, CANDIDATES, sizeof *state->candidates);
    if (!state->taboo || !state->candidates)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to choose from %u records",
                         state->base.records);
    agent->bytes += state->taboo_words * sizeof *state->taboo + CANDIDATES * sizeof *state->candidates;
    return WEND_OK;
}

static void knn_release(wend_agent *agent) {
    knn_state *state = agent->state;
    wend_release(&agent->ground->allocator, state->candidates, CANDIDATES, sizeof *state->candidates);
    wend_release(&agent->ground->allocator, state->taboo, state->taboo_words, sizeof *state->taboo);
    wend_seek_release(agent);
}

static void knn_begin(wend_agent *agent) {
    knn_state *state = agent->state;
    wend_seek_begin(agent);
    state->stage = STAGE_BEGIN;
    state->exhausted = false;
    state->taboo_used = 0;
    if (!++state->epoch) { /* once in 2^32 tasks */
        for (uint32_t i = 0; i < state->taboo_words; i++) state->taboo[i] = 0;
        state->epoch = 1;
    }
}

static bool is_taboo(const knn_state *state, uint32_t subgoal) {
    uint64_t word = state->taboo[subgoal / 32];
    return word >> 32 == state->epoch && word >> subgoal % 32 & 1;
}

static void make_taboo(knn_state *state, uint32_t subgoal) {
    uint64_t *word = &state->taboo[subgoal / 32];
    if (*word >> 32 != state->epoch) {
        *word = (uint64_t)state->epoch << 32;
        state->taboo_used++;
    }
    *word |= (uint64_t)1 << subgoal % 32;
}

/* The cells of a climb to who watches, one after another. */
static void show_climb(const wend_agent *agent, wend_cell from, wend_cell to, uint64_t cells) {
    const wend_map *map = agent->view->map;
    wend_cell parent = WEND_NO_CELL;
    wend_cost g = 0;
    for (uint64_t operations = 0; agent->watch && cells; cells--) {
        wend_agent_show(agent, from, parent, g);
        uint32_t move = wend_climb_step(map, from, to, &operations);
        if (move == WEND_NO_DIRECTION) return;
        parent = from, g += map->cost[move];
        from += (uint32_t)map->offset[move];
    }
}

static bool can_climb(wend_agent *agent, wend_cell from, wend_cell to) {
    const knn_state *state = agent->state;
    wend_climb_result climbed = wend_climb(agent->view->map, from, to, state->climb);
    agent->counters.operations += climbed.operations;
    const uint64_t expansions = (uint64_t)climbed.straight + climbed.diagonal + !climbed.reached;
    agent->counters.expansions += expansions;
    show_climb(agent, from, to, expansions);
    return climbed.reached;
}

static void walk_to(wend_agent *agent, wend_cell target) {
    ((knn_state *)agent->state)->stage = STAGE_WALK;
    if (wend_seek_target_of(agent) != target) wend_seek_target(agent, target);
}

/* The first record that starts in row `y` or after it. */
static uint32_t first_of_row(wend_agent *agent, uint64_t y) {
    const knn_state *state = agent->state;
    uint64_t cell = y * (uint32_t)agent->view->map->width;
    uint32_t low = 0, high = state->base.records;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        agent->counters.operations++;
        if (state->base.starts[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Line 3; then which records are to be gone through. */
static void begin_choice(wend_agent *agent) {
    knn_state *state = agent->state;
    const wend_map *map = agent->view->map;
    if (can_climb(agent, agent->at, agent->goal)) {
        walk_to(agent, agent->goal);
        return;
    }
    state->at_y = wend_cell_y(map, agent->at), state->at_x = wend_cell_x(map, agent->at, state->at_y);
    state->goal_y = wend_cell_y(map, agent->goal);
    state->goal_x = wend_cell_x(map, agent->goal, state->goal_y);
    state->first = first_of_row(agent, state->at_y > state->climb ? state->at_y - state->climb : 0);
    state->end = first_of_row(agent, (uint64_t)state->at_y + state->climb + 1);
    state->next = state->first;
    state->count = 0, state->more = state->passed = false;
    state->stage = STAGE_SCAN;
}

static bool comes_before(candidate a, candidate b) {
    return a.apart != b.apart ? a.apart < b.apart : a.record < b.record;
}

static void sift_down(candidate *heap, uint32_t count, candidate moved) {
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && comes_before(heap[child], heap[child + 1])) child++;
        if (!comes_before(moved, heap[child])) break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* Keeps the best. */
static void offer(knn_state *state, candidate offered) {
    candidate *heap = state->candidates;
    if (state->count == CANDIDATES) {
        state->more = true;
        if (comes_before(offered, heap[0])) sift_down(heap, CANDIDATES, offered);
        return;
    }
    uint32_t at = state->count++;
    for (uint32_t parent; at && comes_before(heap[parent = (at - 1) / 2], offered); at = parent)
        heap[at] = heap[parent];
    heap[at] = offered;
}

/* Line 4, and what can be said of line 5 without climbing. */
static void scan(wend_agent *agent) {
    knn_state *state = agent->state;
    const wend_knn2009 *base = &state->base;
    const wend_map *map = agent->view->map;
    uint32_t climb = state->climb;
    uint32_t stop = state->end - state->next < SCAN_RECORDS ? state->end : state->next + SCAN_RECORDS;
    agent->counters.operations += stop - state->next;
    for (uint32_t i = state->next; i < stop; i++) {
        uint32_t start_y = wend_cell_y(map, base->starts[i]);
        uint32_t start_dx = wend_apart(wend_cell_x(map, base->starts[i], start_y), state->at_x);
        uint32_t goal_y = wend_cell_y(map, base->goals[i]), goal_dy = wend_apart(goal_y, state->goal_y);
        uint32_t goal_dx = wend_apart(wend_cell_x(map, base->goals[i], goal_y), state->goal_x);
        if (start_dx > climb || goal_dx > climb || goal_dy > climb) continue;
        if (is_taboo(state, base->subgoal_of[i])) continue;
        candidate found = {wend_octile(map, start_dx, wend_apart(start_y, state->at_y)) +
                               wend_octile(map, goal_dx, goal_dy),
                           i};
        if (!state->passed || comes_before(state->last, found)) offer(state, found);
    }
    state->next = stop;
    if (stop < state->end) return;
    agent->counters.operations += state->count;
    for (uint32_t end = state->count; end > 1; end--) { /* the heap in order, best first */
        candidate worst = state->candidates[0], moved = state->candidates[end - 1];
        sift_down(state->candidates, end - 1, moved);
        state->candidates[end - 1] = worst;
    }
    state->tried = 0;
    state->stage = STAGE_CHECK;
}

/* Lines 5 to 8, of the next candidate. */
static void check(wend_agent *agent) {
    knn_state *state = agent->state;
    const wend_knn2009 *base = &state->base;
    if (state->tried == state->count) {
        if (!state->more) {
            state->exhausted = true;
            walk_to(agent, agent->goal);
            return;
        }
        state->last = state->candidates[state->count - 1], state->passed = true;
        state->next = state->first, state->count = 0, state->more = false;
        state->stage = STAGE_SCAN;
        return;
    }
    uint32_t record = state->candidates[state->tried++].record, subgoal = base->subgoal_of[record];
    wend_cell target = base->subgoals[subgoal];
    agent->counters.operations++;
    /* A subgoal of two candidates may have become taboo with the first of them. */
    if (is_taboo(state, subgoal) || !can_climb(agent, agent->at, base->starts[record]) ||
        !can_climb(agent, agent->goal, base->goals[record]))
        return;
    make_taboo(state, subgoal);
    /* Where it stands already, or, in a forged file, where it can't get. */
    if (target == agent->at || !wend_pursuit_may_reach(agent, target)) return;
    walk_to(agent, target);
}

static bool knn_plan(wend_agent *agent, uint64_t expansions) {
    knn_state *state = agent->state;
    uint64_t most = wend_times(wend_add(agent->given, expansions), CHOICE_OPERATIONS);
    while (state->stage != STAGE_WALK && agent->counters.operations - agent->counted_operations < most) {
        if (state->stage == STAGE_BEGIN)
            begin_choice(agent);
        else if (state->stage == STAGE_SCAN)
            scan(agent);
        else
            check(agent);
    }
    return state->stage != STAGE_WALK;
}

/* The agent chooses again, from where it stands. */
static void give_up(wend_agent *agent) {
    knn_state *state = agent->state;
    if (state->stage != STAGE_WALK) return; /* it has been */
    state->stage = STAGE_BEGIN;
    if (!agent->view->changes || wend_pursuit_give_up(&state->seek.pursuit, agent)) return;
    state->exhausted = true;
    walk_to(agent, agent->goal);
}

static uint32_t knn_move(wend_agent *agent) {
    knn_state *state = agent->state;
    if (state->stage != STAGE_WALK) return WEND_NO_DIRECTION;
    uint32_t direction = wend_seek_move(agent);
    if (state->seek.unreachable) give_up(agent);
    return direction;
}

/* A closed cell on the way to the goal, where that was chosen because it could be climbed to. */
static void choose_again(wend_agent *agent) {
    knn_state *state = agent->state;
    if (state->seek.unreachable)
        give_up(agent);
    else if (state->stage == STAGE_WALK && !state->exhausted && wend_seek_target_of(agent) == agent->goal)
        state->stage = STAGE_BEGIN;
}

static void knn_changed(wend_agent *agent, wend_cell cell, bool opened) {
    wend_seek_changed(agent, cell, opened);
    if (!opened) choose_again(agent);
}

static void knn_lost(wend_agent *agent) {
    wend_seek_lost(agent);
    choose_again(agent);
}

static bool knn_visit(wend_agent *agent) {
    knn_state *state = agent->state;
    if (agent->at == wend_seek_target_of(agent)) state->stage = STAGE_BEGIN;
    return wend_seek_visit(agent);
}

/* Beyond the budget: what was begun when it ran out (two climbs and a candidate, or a climb and two searches
 * by halving among the records), another target, and the move. */
static uint64_t knn_bound(const wend_agent *agent, uint64_t expansions) {
    const knn_state *state = agent->state;
    uint64_t climb = (uint64_t)state->climb * (1 + WEND_DIRECTIONS);
    uint64_t over = 2 * climb + 2 * 32 + SCAN_RECORDS + CANDIDATES + WEND_LEARNT_SWEEP;
    uint64_t choice = wend_add(wend_times(expansions, CHOICE_OPERATIONS), over);
    return wend_add(choice, wend_seek_bound(agent));
}

static size_t knn_used(const wend_agent *agent, uint64_t *cells) {
    const knn_state *state = agent->state;
    return wend_seek_used(agent, cells) + state->taboo_used * sizeof *state->taboo +
           state->count * sizeof *state->candidates;
}

static uint64_t knn_hash(const wend_agent *agent) {
    const knn_state *state = agent->state;
    uint64_t hash = wend_seek_hash(agent) ^ ((uint64_t)state->stage << 60 | (uint64_t)state->next << 24 |
                                             (uint64_t)state->exhausted << 20);
    for (uint32_t i = 0; i < state->taboo_words; i++)
        if (state->taboo[i] >> 32 == state->epoch)
            hash = wend_mix(hash ^ ((uint64_t)i << 32 | (uint32_t)state->taboo[i]));
    return hash;
}

static const wend_key_info keys[] = {
    WEND_DB_KEY,
    {.name = "climb",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = MOST_CLIMB,
     .standard = "25",
     .help = "the most moves of a climb when records are checked"},
    {.name = "d",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = WEND_SEEK_MOST_MOVES,
     .standard = "3",
     .help = "lookahead in moves"},
};

const wend_planner wend_planner_knn2009 = {
    .info = {"knn2009", "kNN LRTA* of 2009: LRTA* by way of subgoals from the most similar records", keys,
             sizeof keys / sizeof *keys},
    .state_size = sizeof(knn_state),
    .create = knn_create,
    .release = knn_release,
    .begin = knn_begin,
    .plan = knn_plan,
    .move = knn_move,
    .changed = knn_changed,
    .lost = knn_lost,
    .change_operations = WEND_LEARNER_CHANGE + WEND_LEARNT_SWEEP,
    .visit = knn_visit,
    .bound = knn_bound,
    .used = knn_used,
    .hash = knn_hash,
    .value = wend_learner_value,
    .watch = wend_learner_watch,
    .subgoal = wend_seek_target_of_agent,
};
