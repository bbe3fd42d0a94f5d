/* The open cells of a map by rank: components one after another, and where each move leads, by rank. */
#include "methods/cpd/build/many.h"

#include "base/sort.h"

#include <string.h>

size_t wend_ranks_bytes(const wend_map *map) {
    return (size_t)map->cells * sizeof(uint32_t) +
           (size_t)map->open_cells * (2 * sizeof(uint32_t) + WEND_DIRECTIONS * sizeof(uint32_t) + 1);
}

void wend_ranks_release(wend_ranks *ranks) {
    size_t room = (size_t)ranks->count + 1;
    wend_release(&ranks->allocator, ranks->firsts, (size_t)ranks->components + 1, sizeof *ranks->firsts);
    wend_release(&ranks->allocator, ranks->legal, room, sizeof *ranks->legal);
    wend_release(&ranks->allocator, ranks->near, room * WEND_DIRECTIONS, sizeof *ranks->near);
    wend_release(&ranks->allocator, ranks->rank, ranks->map_cells, sizeof *ranks->rank);
    wend_release(&ranks->allocator, ranks->cells, room, sizeof *ranks->cells);
    ranks->cells = NULL, ranks->rank = NULL, ranks->near = NULL, ranks->legal = NULL, ranks->firsts = NULL;
}

static void link_ranks(wend_ranks *ranks) {
    const wend_map *map = ranks->map;
    for (uint32_t i = 0; i < ranks->count; i++) ranks->rank[ranks->cells[i]] = i;
    for (uint32_t i = 0; i < ranks->count; i++) {
        uint32_t y = wend_cell_y(map, ranks->cells[i]), x = wend_cell_x(map, ranks->cells[i], y);
        uint32_t moves = wend_legal_moves(map, x, y);
        ranks->legal[i] = (uint8_t)moves;
        for (uint32_t k = 0; k < WEND_DIRECTIONS; k++)
            ranks->near[(size_t)i * WEND_DIRECTIONS + k] =
                moves >> k & 1 ? ranks->rank[ranks->cells[i] + (uint32_t)map->offset[k]] : i;
    }
}

void wend_ranks_reorder(wend_ranks *ranks, const wend_cell *cells) {
    memcpy(ranks->cells, cells, ranks->count * sizeof *cells);
    link_ranks(ranks);
}

/* A component of the map while they are found: its first cell, and how many there are. */
typedef struct found_component {
    uint32_t size, number; /* as they were found */
    wend_cell least;
} found_component;

/* The larger first; the one of the smaller cell among equals. */
static int by_size(const void *a, const void *b) {
    const found_component *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return (x->least > y->least) - (x->least < y->least);
}

/* Lists the cells of the component of `from` at `list`, and marks them with its number. */
static uint32_t flood(wend_ranks *ranks, wend_cell from, uint32_t number, wend_cell *list) {
    const wend_map *map = ranks->map;
    uint32_t count = 1;
    list[0] = from, ranks->rank[from] = number;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t y = wend_cell_y(map, list[i]), x = wend_cell_x(map, list[i], y);
        for (uint32_t moves = wend_legal_moves(map, x, y); moves; moves &= moves - 1) {
            wend_cell next = list[i] + (uint32_t)map->offset[wend_lowest_bit(moves)];
            if (ranks->rank[next] != WEND_NO_RANK) continue;
            ranks->rank[next] = number, list[count++] = next;
        }
    }
    return count;
}

static bool find_components(wend_ranks *ranks, found_component **components, size_t *capacity) {
    const wend_map *map = ranks->map;
    uint32_t listed = 0, number = 0;
    memset(ranks->rank, 0xff, map->cells * sizeof *ranks->rank);
    for (wend_cell cell = 0; cell < map->cells; cell++) {
        if (!wend_map_is_open_cell(map, cell) || ranks->rank[cell] != WEND_NO_RANK) continue;
        if (number == *capacity) {
            size_t more = *capacity ? *capacity * 2 : 64;
            found_component *larger =
                wend_enlarge(&ranks->allocator, *components, *capacity, more, sizeof **components);
            if (!larger) return false;
            *components = larger, *capacity = more;
        }
        uint32_t size = flood(ranks, cell, number, ranks->cells + listed);
        (*components)[number] = (found_component){size, number, cell};
        number++, listed += size;
    }
    ranks->components = number;
    return true;
}

wend_status wend_ranks_create(const wend_map *map, const wend_allocator *allocator, wend_ranks *ranks,
                              wend_error *error) {
    *ranks =
        (wend_ranks){.map = map, .allocator = *allocator, .map_cells = map->cells, .count = map->open_cells};
    size_t room = (size_t)ranks->count + 1, capacity = 0;
    found_component *components = NULL;
    ranks->cells = wend_allocate(allocator, room, sizeof *ranks->cells);
    ranks->rank = wend_allocate(allocator, map->cells, sizeof *ranks->rank);
    ranks->near = wend_allocate(allocator, room * WEND_DIRECTIONS, sizeof *ranks->near);
    ranks->legal = wend_allocate(allocator, room, sizeof *ranks->legal);
    bool good = ranks->cells && ranks->rank && ranks->near && ranks->legal &&
                find_components(ranks, &components, &capacity);
    uint32_t *next = NULL;
    if (good) {
        ranks->firsts = wend_allocate(allocator, (size_t)ranks->components + 1, sizeof *ranks->firsts);
        next = wend_allocate(allocator, (size_t)ranks->components + 1, sizeof *next);
        good = ranks->firsts && next;
    }
    if (good) {
        wend_sort(components, ranks->components, sizeof(found_component), by_size);
        uint32_t begin = 0;
        for (uint32_t i = 0; i < ranks->components; i++) {
            ranks->firsts[i] = next[components[i].number] = begin;
            begin += components[i].size;
        }
        ranks->firsts[ranks->components] = begin;
        /* By number within each: one pass over the map. */
        for (wend_cell cell = 0; cell < map->cells; cell++)
            if (ranks->rank[cell] != WEND_NO_RANK) ranks->cells[next[ranks->rank[cell]]++] = cell;
        link_ranks(ranks);
    }
    wend_release(allocator, next, (size_t)ranks->components + 1, sizeof *next);
    wend_release(allocator, components, capacity, sizeof *components);
    if (good) return WEND_OK;
    wend_ranks_release(ranks);
    return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the order of %u cells", map->open_cells);
}
