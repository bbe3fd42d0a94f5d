#include "methods/cpd/repair/ranks.h"

#include <string.h>

enum { CLEARED_AT_ONCE = 16 };

/* Passes over the cells: of the map, of the order twice, and of the ranks. */
enum { CLEAR, COUNT, PLACE, LINK, DONE };

bool wend_cpd_ranks_begin(wend_cpd_ranks *made, const wend_map *map, const uint32_t *labels,
                          uint32_t label_count, const wend_cell *order, uint32_t ordered,
                          const wend_allocator *allocator) {
    const size_t room = (size_t)map->open_cells + 1, components = (size_t)label_count + 1;
    *made = (wend_cpd_ranks){.labels = labels, .order = order, .ordered = ordered};
    wend_ranks *ranks = &made->ranks;
    ranks->map = map, ranks->allocator = *allocator;
    ranks->map_cells = map->cells, ranks->count = map->open_cells;
    ranks->components = label_count;
    ranks->cells = wend_allocate(allocator, room, sizeof *ranks->cells);
    ranks->rank = wend_allocate(allocator, map->cells, sizeof *ranks->rank);
    ranks->near = wend_allocate(allocator, room * WEND_DIRECTIONS, sizeof *ranks->near);
    ranks->legal = wend_allocate(allocator, room, sizeof *ranks->legal);
    ranks->firsts = wend_allocate_zeroed(allocator, components, sizeof *ranks->firsts);
    made->next = wend_allocate_zeroed(allocator, components, sizeof *made->next);
    return ranks->cells && ranks->rank && ranks->near && ranks->legal && ranks->firsts && made->next;
}

void wend_cpd_ranks_release(wend_cpd_ranks *made) {
    wend_ranks *ranks = &made->ranks;
    if (!ranks->map) return;
    wend_release(&ranks->allocator, made->next, (size_t)ranks->components + 1, sizeof *made->next);
    wend_ranks_release(ranks);
    *made = (wend_cpd_ranks){0};
}

static void link_rank(wend_ranks *ranks, uint32_t rank) {
    const wend_map *map = ranks->map;
    const wend_cell cell = ranks->cells[rank];
    ranks->legal[rank] = (uint8_t)wend_map_moves(map, cell);
    for (uint32_t moves = ranks->legal[rank]; moves; moves &= moves - 1) {
        uint32_t k = wend_lowest_bit(moves);
        ranks->near[(size_t)rank * WEND_DIRECTIONS + k] = ranks->rank[cell + (uint32_t)map->offset[k]];
    }
}

uint64_t wend_cpd_ranks_go(wend_cpd_ranks *made, uint64_t operations, bool *done) {
    wend_ranks *ranks = &made->ranks;
    const uint32_t cells = ranks->map->cells;
    const uint32_t ends[] = {cells, made->ordered, made->ordered, ranks->count};
    const uint32_t each[] = {1, CLEARED_AT_ONCE, CLEARED_AT_ONCE, CLEARED_AT_ONCE * (1 + WEND_DIRECTIONS)};
    *done = made->pass == DONE;
    if (*done) return 0;
    const uint64_t most = operations * CLEARED_AT_ONCE / each[made->pass] + 1;
    const uint32_t begin = made->at, left = ends[made->pass] - begin;
    const uint32_t end = begin + (left < most ? left : (uint32_t)most);
    for (uint32_t i = begin; i < end; i++) {
        wend_cell cell = made->pass == COUNT || made->pass == PLACE ? made->order[i] : 0;
        uint32_t label = made->labels[cell];
        if (made->pass == CLEAR)
            ranks->rank[i] = WEND_NO_RANK;
        else if (made->pass == LINK)
            link_rank(ranks, i);
        else if (label && made->pass == COUNT)
            ranks->firsts[label]++;
        else if (label) {
            ranks->rank[cell] = made->next[label - 1]++;
            ranks->cells[ranks->rank[cell]] = cell;
        }
    }
    made->at = end;
    uint64_t spent = (uint64_t)(end - begin) * each[made->pass] / CLEARED_AT_ONCE + 1;
    if (end < ends[made->pass]) return spent;
    if (made->pass == COUNT) { /* from how many there are to where they begin */
        for (uint32_t i = 0; i < ranks->components; i++) {
            ranks->firsts[i + 1] += ranks->firsts[i];
            made->next[i] = ranks->firsts[i];
        }
        spent += ranks->components / CLEARED_AT_ONCE;
    }
    made->pass++, made->at = 0;
    *done = made->pass == DONE;
    return spent;
}
