/* The A* kernel with a learnt heuristic, and the table that holds it. Moves are those of search->onward,
 * which a planner may fill with all legal moves where it needs the whole open list: see wend_onward_all. */
#include "base/memory.h"
#include "base/random.h"
#include "search/learnt.h"

#include <string.h>

/* Fills a free slot. The caller has made sure that the table has room. */
static void wend_learnt_enter(wend_search *search, wend_record_learnt *record, wend_cell cell, uint32_t x,
                              uint32_t y) {
    uint64_t h = wend_octile(search->map, wend_apart(x, search->goal_x), wend_apart(y, search->goal_y));
    *record = (wend_record_learnt){.h = h, .cell = cell, .era = search->learnt.era << WEND_ERA_SHIFT};
    search->learnt.used++;
}

/* Room for one more expansion. */
WEND_INLINE bool wend_learnt_room(const wend_search *search) {
    const wend_learnt *learnt = &search->learnt;
    return learnt->slot_count / 2 - learnt->used >= WEND_DIRECTIONS &&
           learnt->closed_count < learnt->closed_room;
}

#define WEND_LEARNT
#define COST uint64_t
#define N(x) x##_learnt
#include "search/astar.inc"

wend_status wend_learnt_reserve(wend_search *search, uint32_t cells, uint32_t lookahead) {
    wend_learnt *learnt = &search->learnt;
    /* A lookahead stops where eight more cells might not fit, so they are set aside on top. */
    uint64_t wanted = 2 * ((uint64_t)cells + WEND_DIRECTIONS + 1);
    uint32_t slots = 64;
    while (slots < wanted && slots < 1u << 31) slots *= 2;
    if (slots < wanted) return WEND_TOO_LARGE;
    if (lookahead > cells) lookahead = cells;
    uint64_t room = (uint64_t)lookahead * (WEND_DIRECTIONS - 1) + 2 * WEND_DIRECTIONS;
    if (room > UINT32_MAX / 8) room = UINT32_MAX / 8;
    learnt->slots = wend_allocate_zeroed(&search->allocator, slots, sizeof *learnt->slots);
    if (learnt->slots) learnt->slot_count = slots;
    learnt->closed_room = lookahead ? lookahead : 1;
    learnt->closed = wend_allocate(&search->allocator, learnt->closed_room, sizeof *learnt->closed);
    if (!learnt->slots || !learnt->closed) return WEND_NO_MEMORY;
    search->bytes += (size_t)slots * sizeof *learnt->slots + learnt->closed_room * sizeof *learnt->closed;
    return wend_search_reserve_queue(search, (uint32_t)room, true);
}

void wend_learnt_release(wend_search *search) {
    wend_learnt *learnt = &search->learnt;
    wend_release(&search->allocator, learnt->slots, learnt->slot_count, sizeof *learnt->slots);
    wend_release(&search->allocator, learnt->closed, learnt->closed_room, sizeof *learnt->closed);
    *learnt = (wend_learnt){0};
}

void wend_learnt_forget(wend_search *search, wend_cell goal) {
    wend_learnt *learnt = &search->learnt;
    if (learnt->era == UINT32_MAX >> WEND_ERA_SHIFT) {
        memset(learnt->slots, 0, (size_t)learnt->slot_count * sizeof *learnt->slots);
        learnt->era = 0;
    }
    learnt->era++;
    learnt->used = 0, learnt->raised = 0, learnt->number = 0, learnt->closed_count = 0;
    wend_xy xy = wend_map_xy(search->map, goal);
    search->goal = goal, search->goal_x = (uint32_t)xy.x, search->goal_y = (uint32_t)xy.y;
    wend_queue_clear(&search->queue);
}

wend_record_learnt *wend_learnt_at(wend_search *search, wend_cell cell) {
    wend_record_learnt *record = record_learnt(search, cell);
    if (record->era >> WEND_ERA_SHIFT == search->learnt.era) return record;
    if (search->learnt.slot_count / 2 <= search->learnt.used) return NULL;
    uint32_t y = wend_cell_y(search->map, cell);
    wend_learnt_enter(search, record, cell, wend_cell_x(search->map, cell, y), y);
    return record;
}

uint64_t wend_learnt_given(const wend_search *search, wend_cell cell) {
    uint32_t y = wend_cell_y(search->map, cell), x = wend_cell_x(search->map, cell, y);
    return wend_octile(search->map, wend_apart(x, search->goal_x), wend_apart(y, search->goal_y));
}

void wend_learnt_raise(wend_search *search, wend_record_learnt *record, uint64_t h) {
    if (h <= record->h) return;
    if (!(record->era & WEND_ERA_RAISED)) search->learnt.raised++;
    record->era |= WEND_ERA_RAISED;
    record->h = h;
}

bool wend_learnt_visit(wend_record_learnt *record) {
    bool before = record->era & WEND_ERA_VISITED;
    record->era |= WEND_ERA_VISITED;
    return before;
}

uint64_t wend_learnt_hash(const wend_search *search) {
    const wend_learnt *learnt = &search->learnt;
    uint64_t hash = wend_mix(learnt->used ^ learnt->number << 32);
    for (uint32_t i = 0; i < learnt->slot_count; i++) {
        const wend_record_learnt *record = &learnt->slots[i];
        if (record->era >> WEND_ERA_SHIFT != learnt->era) continue;
        const uint64_t known[4] = {record->cell, record->h, record->g,
                                   record->tag << WEND_ERA_SHIFT |
                                       (record->era & ((1u << WEND_ERA_SHIFT) - 1))};
        for (int j = 0; j < 4; j++) hash = wend_mix(hash ^ known[j]);
    }
    return hash;
}

bool wend_learnt_begin(wend_search *search, wend_cell from) {
    wend_learnt *learnt = &search->learnt;
    if (learnt->slot_count / 2 <= learnt->used + WEND_DIRECTIONS) return false;
    learnt->number++;
    learnt->closed_count = 0;
    search->start = from;
    wend_queue_clear(&search->queue);
    wend_astar_root_learnt(search, 0);
    return true;
}

wend_record_learnt *wend_learnt_first(wend_search *search) {
    wend_cell best = wend_astar_best_learnt(search, UINT64_MAX);
    return best == WEND_NO_CELL ? NULL : record_learnt(search, best);
}

uint32_t wend_learnt_first_move(wend_search *search, wend_cell cell) {
    uint32_t move = WEND_NO_DIRECTION;
    while (cell != search->start) {
        move = (uint32_t)(record_learnt(search, cell)->tag & WEND_TAG_REACHED);
        cell -= (uint32_t)search->map->offset[move];
        search->operations++;
    }
    return move;
}

bool wend_learnt_open_at(wend_search *search, uint32_t index, wend_record_learnt **record, uint64_t *f) {
    const wend_node_learnt *node = (const wend_node_learnt *)search->queue.nodes + index;
    *record = &search->learnt.slots[node->slot];
    *f = node->f;
    return !((*record)->tag & WEND_TAG_CLOSED) && (*record)->g == node->g;
}

/* Puts all open cells into `queue` by their h, and sets the h of all expanded ones to infinity; the old one
 * is kept in g. */
static void spread_begin(wend_search *search, wend_queue *queue) {
    wend_queue_clear(queue);
    for (uint32_t i = WEND_QUEUE_ROOT; i < search->queue.end; i++) {
        wend_record_learnt *record;
        uint64_t f;
        search->operations++;
        if (wend_learnt_open_at(search, i, &record, &f))
            push_learnt(queue, record->h, 0, record->cell, (uint32_t)(record - search->learnt.slots));
    }
    for (uint32_t i = 0; i < search->learnt.closed_count; i++) {
        wend_record_learnt *record = &search->learnt.slots[search->learnt.closed[i]];
        record->g = record->h;
        record->h = UINT64_MAX;
        search->operations++;
    }
}

void wend_learnt_spread(wend_search *search, wend_queue *queue) {
    const wend_map *map = search->map;
    const uint64_t expanded = search->learnt.number << WEND_TAG_STAMP | WEND_TAG_CLOSED;
    spread_begin(search, queue);
    uint32_t left = search->learnt.closed_count;
    for (const wend_node_learnt *first; left && (first = first_learnt(queue));) {
        wend_cell cell = first->cell;
        uint64_t h = first->f;
        wend_record_learnt *record = &search->learnt.slots[first->slot];
        pop_learnt(queue);
        search->operations++;
        if (record->h != h) continue; /* a smaller one has been found */
        if ((record->tag & ~(uint64_t)WEND_TAG_REACHED) == expanded) {
            /* Final. Never below what it was; and counted if it is the first time that it is above the given
             * one. */
            uint64_t before = record->g;
            record->h = before;
            wend_learnt_raise(search, record, h);
            record->tag &= ~(uint64_t)WEND_TAG_CLOSED; /* done: not to be improved again */
            left--;
        }
        uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
        for (uint32_t moves = wend_legal_moves(map, x, y); moves; moves &= moves - 1) {
            uint32_t d = wend_lowest_bit(moves);
            wend_record_learnt *next = record_learnt(search, cell + (uint32_t)map->offset[d]);
            search->operations++;
            if (next->era >> WEND_ERA_SHIFT != search->learnt.era) continue;
            if ((next->tag & ~(uint64_t)WEND_TAG_REACHED) != expanded || next->h <= record->h + map->cost[d])
                continue;
            next->h = record->h + map->cost[d];
            push_learnt(queue, next->h, 0, next->cell, (uint32_t)(next - search->learnt.slots));
        }
    }
}
