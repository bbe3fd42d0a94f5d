/* The A* kernel with a learnt heuristic, and the table that holds it: two widths of learnt.inc, and what
 * chooses between them. Moves are those of search->onward, which a planner may fill with all legal moves
 * where it needs the whole open list: see wend_onward_all. */
#include "search/learnt.h"
#include "base/memory.h"
#include "base/random.h"

/* Room for one more expansion. */
WEND_INLINE bool wend_learnt_room(const wend_learnt *learnt) {
    return learnt->slot_count / 2 - learnt->used >= WEND_DIRECTIONS &&
           learnt->closed_count < learnt->closed_room;
}

static void set_tags(wend_learnt *learnt) {
    learnt->alive_tag = learnt->alive << WEND_LEARNT_NUMBER;
    learnt->alive_span = (learnt->number - learnt->alive + 1) << WEND_LEARNT_NUMBER;
    learnt->fresh_tag = learnt->fresh << WEND_LEARNT_NUMBER;
    learnt->fresh_span = (learnt->number - learnt->fresh + 1) << WEND_LEARNT_NUMBER;
}

#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_learnt
#include "search/kernels/learnt.inc"
#undef WEND_NARROW
#undef COST
#undef N
#define COST uint64_t
#define N(x) x##_learnt_wide
#include "search/kernels/learnt.inc"

/* Decides on the width, unless a caller has asked for the wide form. A stored h is at most cap + offset; f,
 * and the sums within wend_learnt_spread, exceed that by no more than the cost of a path in the lookahead. */
static void choose_width(wend_search *search, uint32_t slots, uint32_t lookahead) {
    enum { GOAL_MOVES = 1 << 15, NARROW_SLOTS = 1 << 21 };
    wend_learnt *learnt = &search->learnt;
    const wend_map *map = search->map;
    uint64_t ahead = ((uint64_t)lookahead + 1) * map->cost[1],
             whole = wend_map_cost_bound(map, search->most_open);
    if (ahead > whole) ahead = whole;
    learnt->dearest = map->cost[wend_joins_diagonally(map) ? 1 : 0];
    learnt->cap = (uint64_t)search->most_open * learnt->dearest + 1;
    uint64_t across = wend_octile(map, (uint32_t)map->width - 1, (uint32_t)map->height - 1);
    if (learnt->cap <= across) learnt->cap = across + 1; /* few open cells, far apart */
    uint64_t taken = learnt->cap + ahead + 1, room = (uint64_t)GOAL_MOVES * map->cost[1];
    learnt->wide = learnt->wide || slots > NARROW_SLOTS || taken + room > UINT32_MAX;
    search->kernel = learnt->wide ? &wend_kernel_learnt_wide : &wend_kernel_learnt;
    learnt->offset_room = (learnt->wide ? UINT64_MAX / 2 : UINT32_MAX) - taken;
}

wend_status wend_learnt_reserve(wend_search *search, uint32_t cells, uint32_t lookahead) {
    wend_learnt *learnt = &search->learnt;
    /* A lookahead stops where eight more cells might not fit, so they are set aside on top. */
    uint64_t wanted = 2 * ((uint64_t)cells + WEND_DIRECTIONS + 1);
    uint32_t slots = 16;
    while (slots < wanted && slots < 1u << 31) slots *= 2;
    if (slots < wanted) return WEND_STATUS_TOO_LARGE;
    if (lookahead > cells) lookahead = cells;
    uint64_t room = (uint64_t)lookahead * (WEND_DIRECTIONS - 1) + 2 * WEND_DIRECTIONS;
    if (room > UINT32_MAX / 8) room = UINT32_MAX / 8;
    choose_width(search, slots, lookahead);
    learnt->slots = wend_allocate_zeroed(&search->allocator, slots, search->kernel->record_bytes);
    if (learnt->slots) learnt->slot_count = slots;
    learnt->closed_room = lookahead ? lookahead : 1;
    learnt->closed = wend_allocate(&search->allocator, learnt->closed_room, sizeof *learnt->closed);
    if (!learnt->slots || !learnt->closed) return WEND_STATUS_NO_MEMORY;
    search->bytes += slots * search->kernel->record_bytes + learnt->closed_room * sizeof *learnt->closed;
    learnt->number = learnt->alive = learnt->met = learnt->valid = learnt->fresh = learnt->mark = 1;
    set_tags(learnt);
    return wend_search_reserve_queue(search, search->kernel, (uint32_t)room);
}

void wend_learnt_release(wend_search *search) {
    wend_learnt *learnt = &search->learnt;
    wend_release(&search->allocator, learnt->slots, learnt->slot_count, search->kernel->record_bytes);
    wend_release(&search->allocator, learnt->closed, learnt->closed_room, sizeof *learnt->closed);
    *learnt = (wend_learnt){0};
}

/* A number that no record carries. */
static uint64_t next_number(wend_search *search) {
    if (!search->learnt.wide) sweep_learnt(search);
    return ++search->learnt.number;
}

/* No lookahead is under way any more, and records from before now have to be brought up to date. */
static void begin_again(wend_search *search, uint64_t number) {
    wend_learnt *learnt = &search->learnt;
    learnt->fresh = learnt->mark = number;
    learnt->raised = 0, learnt->closed_count = 0;
    set_tags(learnt);
    wend_queue_clear(&search->queue);
}

static void go_for(wend_search *search, wend_cell goal) {
    wend_xy xy = wend_map_xy(search->map, goal);
    search->goal = goal, search->goal_x = (uint32_t)xy.x, search->goal_y = (uint32_t)xy.y;
}

void wend_learnt_forget(wend_search *search, wend_cell goal) {
    wend_learnt *learnt = &search->learnt;
    learnt->alive = learnt->met = learnt->valid = next_number(search);
    learnt->used = 0, learnt->offset = 0, learnt->kept = false;
    go_for(search, goal);
    begin_again(search, learnt->alive);
}

void wend_learnt_set_goal(wend_search *search, wend_cell goal) {
    wend_learnt *learnt = &search->learnt;
    wend_xy xy = wend_map_xy(search->map, goal);
    uint64_t h = wend_learnt_h(search, goal, (uint32_t)xy.x, (uint32_t)xy.y);
    learnt->met = next_number(search);
    if (h > learnt->offset_room - learnt->offset)
        learnt->valid = learnt->met, learnt->offset = 0;
    else
        learnt->offset += h;
    learnt->kept = true;
    go_for(search, goal);
    begin_again(search, learnt->met);
}

void wend_learnt_drop(wend_search *search) {
    wend_learnt *learnt = &search->learnt;
    learnt->valid = next_number(search);
    learnt->offset = 0;
    begin_again(search, learnt->valid);
}

void wend_learnt_aim(wend_search *search, wend_cell goal) {
    go_for(search, goal);
    wend_learnt_drop(search);
    search->learnt.kept = true;
}

bool wend_learnt_visit(wend_search *search, wend_cell cell, uint32_t *slot) {
    return WEND_OF_WIDTH(search, visit_learnt)(search, cell, slot);
}

/* The nine cells around one that are on the map, by their number 0 to 8; false for the others. */
static bool around(const wend_map *map, wend_cell cell, uint32_t number, uint32_t *x, uint32_t *y) {
    uint32_t middle = wend_cell_y(map, cell);
    *x = wend_cell_x(map, cell, middle) + number % 3 - 1, *y = middle + number / 3 - 1;
    return *x < (uint32_t)map->width && *y < (uint32_t)map->height;
}

bool wend_learnt_consistent_around(wend_search *search, wend_cell cell) {
    const wend_map *map = search->map;
    uint64_t h[9];
    uint32_t x, y;
    for (uint32_t i = 0; i < 9; i++) {
        if (!around(map, cell, i, &x, &y)) continue;
        h[i] = wend_learnt_h(search, y * (uint32_t)map->width + x, x, y);
        search->operations++;
    }
    for (uint32_t i = 0; i < 9; i++) {
        if (!around(map, cell, i, &x, &y)) continue;
        for (uint32_t moves = wend_legal_moves(map, x, y); moves; moves &= moves - 1) {
            uint32_t d = wend_lowest_bit(moves);
            uint32_t next_x = i % 3 + (uint32_t)wend_dx[d], next_y = i / 3 + (uint32_t)wend_dy[d];
            search->operations++;
            if (next_x > 2 || next_y > 2) continue;
            if (h[i] > h[3 * next_y + next_x] + map->cost[d]) return false;
        }
    }
    return true;
}

bool wend_learnt_touches_around(wend_search *search, wend_cell cell) {
    uint32_t x, y;
    for (uint32_t i = 0; i < 9; i++) {
        if (!around(search->map, cell, i, &x, &y)) continue;
        search->operations++;
        if (wend_search_touched(search, y * (uint32_t)search->map->width + x) != UINT64_MAX) return true;
    }
    return false;
}

uint64_t wend_learnt_hash(const wend_search *search) {
    return WEND_OF_WIDTH(search, hash_learnt)(search, wend_mix(search->learnt.used));
}

bool wend_learnt_begin(wend_search *search, wend_cell from) {
    wend_learnt *learnt = &search->learnt;
    if (learnt->slot_count / 2 <= learnt->used + WEND_DIRECTIONS) {
        if (!learnt->kept) return false;
        wend_learnt_forget(search, search->goal);
        search->operations += WEND_LEARNT_SWEEP;
    }
    learnt->tag = next_number(search) << WEND_LEARNT_NUMBER;
    set_tags(learnt);
    learnt->closed_count = 0;
    search->operations += WEND_LEARNT_SWEEP;
    search->start = from;
    wend_queue_clear(&search->queue);
    search->kernel->root(search);
    return true;
}

bool wend_learnt_first(wend_search *search, wend_ahead *first) {
    return WEND_OF_WIDTH(search, ahead_first_learnt)(search, first);
}

wend_ahead wend_learnt_least_raised(wend_search *search) {
    return WEND_OF_WIDTH(search, least_raised_learnt)(search);
}

void wend_learnt_update(wend_search *search, uint64_t f) {
    f += search->learnt.offset;
    if (search->learnt.wide)
        update_learnt_wide(search, f);
    else
        update_learnt(search, (uint32_t)f);
}

void wend_learnt_spread(wend_search *search, wend_queue *queue) {
    WEND_OF_WIDTH(search, spread_learnt)(search, queue);
}
