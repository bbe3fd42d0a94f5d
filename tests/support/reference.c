#include "support/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int32_t step_x[8] = {0, 1, 1, 1, 0, -1, -1, -1}, step_y[8] = {-1, -1, 0, 1, 1, 1, 0, -1};

/* A test without memory can't go on. */
static void *need(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block) {
        fputs("no memory for the reference\n", stderr);
        exit(2);
    }
    return block;
}

test_grid test_grid_of(const wend_map *map) {
    test_grid grid = {
        .width = wend_map_width(map), .height = wend_map_height(map), .rules = wend_map_rules(map)};
    grid.cells = (uint32_t)grid.width * (uint32_t)grid.height;
    bool fifths = grid.rules.diagonal == WEND_DIAGONAL_1_4;
    grid.straight = fifths ? 5 : 5741, grid.diagonal = fifths ? 7 : 8119;
    grid.open = need(grid.cells, 1);
    for (int32_t y = 0; y < grid.height; y++)
        for (int32_t x = 0; x < grid.width; x++)
            grid.open[(uint32_t)y * (uint32_t)grid.width + (uint32_t)x] = wend_map_is_open(map, x, y);
    return grid;
}

void test_grid_free(test_grid *grid) {
    free(grid->open);
    grid->open = NULL;
}

static bool is_open(const test_grid *grid, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < grid->width && y < grid->height &&
           grid->open[(uint32_t)y * (uint32_t)grid->width + (uint32_t)x];
}

wend_cell test_next(const test_grid *grid, wend_cell cell, int direction) {
    int32_t x = (int32_t)(cell % (uint32_t)grid->width), y = (int32_t)(cell / (uint32_t)grid->width);
    int32_t to_x = x + step_x[direction], to_y = y + step_y[direction];
    if (!is_open(grid, x, y) || !is_open(grid, to_x, to_y)) return WEND_NO_CELL;
    if (direction % 2) {
        if (grid->rules.connect == 4) return WEND_NO_CELL;
        int beside = is_open(grid, to_x, y) + is_open(grid, x, to_y);
        if (grid->rules.corners == WEND_CORNERS_STRICT && beside < 2) return WEND_NO_CELL;
        if (grid->rules.corners == WEND_CORNERS_ONE && beside < 1) return WEND_NO_CELL;
    }
    return (uint32_t)to_y * (uint32_t)grid->width + (uint32_t)to_x;
}

wend_cost test_move_cost(const test_grid *grid, int direction) {
    return direction % 2 ? grid->diagonal : grid->straight;
}

wend_cost test_distance(const test_grid *grid, wend_cell from, wend_cell to) {
    uint32_t width = (uint32_t)grid->width;
    uint32_t across = (uint32_t)abs((int32_t)(from % width) - (int32_t)(to % width));
    uint32_t down = (uint32_t)abs((int32_t)(from / width) - (int32_t)(to / width));
    if (grid->rules.connect == 4) return (wend_cost)(across + down) * grid->straight;
    uint32_t both = across < down ? across : down;
    return (wend_cost)both * grid->diagonal + (wend_cost)(across + down - 2 * both) * grid->straight;
}

/* A binary heap whose order is f, then larger g, then cell. Entries are never moved: a better one is put in
 * beside the old, which is passed over when it comes up. */
typedef struct entry {
    wend_cost f, g;
    wend_cell cell;
} entry;

typedef struct heap {
    entry *entries;
    size_t count, capacity;
} heap;

static bool before(entry a, entry b) {
    if (a.f != b.f) return a.f < b.f;
    if (a.g != b.g) return a.g > b.g;
    return a.cell < b.cell;
}

static void push(heap *queue, entry new_entry) {
    if (queue->count == queue->capacity) {
        size_t capacity = queue->capacity ? queue->capacity * 2 : 64;
        entry *larger = need(capacity, sizeof *larger);
        if (queue->count) memcpy(larger, queue->entries, queue->count * sizeof *larger);
        free(queue->entries);
        queue->entries = larger, queue->capacity = capacity;
    }
    size_t i = queue->count++;
    for (; i && before(new_entry, queue->entries[(i - 1) / 2]); i = (i - 1) / 2)
        queue->entries[i] = queue->entries[(i - 1) / 2];
    queue->entries[i] = new_entry;
}

static entry pop(heap *queue) {
    entry top = queue->entries[0], last = queue->entries[--queue->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < queue->count; i = child) {
        if (child + 1 < queue->count && before(queue->entries[child + 1], queue->entries[child])) child++;
        if (!before(queue->entries[child], last)) break;
        queue->entries[i] = queue->entries[child];
    }
    queue->entries[i] = last;
    return top;
}

void test_dijkstra(const test_grid *grid, wend_cell source, wend_cost *distance) {
    for (uint32_t i = 0; i < grid->cells; i++) distance[i] = WEND_NO_COST;
    distance[source] = 0;
    heap queue = {0};
    push(&queue, (entry){0, 0, source});
    while (queue.count) {
        entry top = pop(&queue);
        if (top.g != distance[top.cell]) continue;
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, top.cell, d);
            if (next == WEND_NO_CELL) continue;
            wend_cost g = top.g + test_move_cost(grid, d);
            if (g >= distance[next]) continue;
            distance[next] = g;
            push(&queue, (entry){g, g, next});
        }
    }
    free(queue.entries);
}

uint32_t test_flood(const test_grid *grid, wend_cell source, uint8_t *reached) {
    memset(reached, 0, grid->cells);
    wend_cell *stack = need(grid->cells, sizeof *stack);
    uint32_t standing = 0, count = 0;
    reached[source] = 1, stack[standing++] = source;
    while (standing) {
        wend_cell cell = stack[--standing];
        count++;
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, cell, d);
            if (next != WEND_NO_CELL && !reached[next]) reached[next] = 1, stack[standing++] = next;
        }
    }
    free(stack);
    return count;
}

static bool is_cheaper_past(const test_grid *grid, wend_cell from, wend_cell past, wend_cell to,
                            wend_cost cost) {
    for (int d = 0; d < 8; d++) {
        wend_cell between = test_next(grid, from, d);
        if (between == WEND_NO_CELL || between == past) continue;
        if (between == to && test_move_cost(grid, d) < cost) return true;
        for (int e = 0; e < 8; e++)
            if (test_next(grid, between, e) == to && test_move_cost(grid, d) + test_move_cost(grid, e) < cost)
                return true;
    }
    return false;
}

test_astar_result test_astar(const test_grid *grid, wend_cell start, wend_cell goal) {
    test_astar_result result = {.cost = WEND_NO_COST};
    wend_cost *best = need(grid->cells, sizeof *best);
    uint8_t *arrived_by = need(grid->cells, 1), *closed = need(grid->cells, 1);
    for (uint32_t i = 0; i < grid->cells; i++) best[i] = WEND_NO_COST;
    best[start] = 0;
    heap queue = {0};
    push(&queue, (entry){test_distance(grid, start, goal), 0, start});
    while (queue.count) {
        entry top = pop(&queue);
        if (closed[top.cell]) {
            result.passed_over++;
            continue;
        }
        if (top.cell == goal) {
            result.found = true, result.cost = top.g;
            break;
        }
        closed[top.cell] = 1;
        result.expansions++;
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, top.cell, d);
            if (next == WEND_NO_CELL) continue;
            result.neighbours++;
            if (top.cell != start) {
                int back = (arrived_by[top.cell] + 4) % 8;
                bool primary = grid->rules.connect == 8 ? back % 2 : back % 4 == 0;
                wend_cell parent = test_next(grid, top.cell, back);
                wend_cost through = test_move_cost(grid, back) + test_move_cost(grid, d);
                if (next == parent || is_cheaper_past(grid, parent, top.cell, next, through + !primary))
                    continue;
            }
            wend_cost g = top.g + test_move_cost(grid, d);
            if (g >= best[next]) continue;
            best[next] = g, arrived_by[next] = (uint8_t)d;
            push(&queue, (entry){g + test_distance(grid, next, goal), g, next});
        }
    }
    if (result.found) {
        for (int pass = 0; pass < 2; pass++) { /* count the moves, then write them from the back */
            size_t left = result.moves;
            for (wend_cell cell = goal; cell != start;) {
                int d = arrived_by[cell];
                if (pass)
                    result.path[--left] = (wend_direction)d;
                else
                    result.moves++;
                cell = (wend_cell)((int64_t)cell - (int64_t)step_y[d] * grid->width - step_x[d]);
            }
            if (!pass) result.path = need(result.moves, sizeof *result.path);
        }
    }
    free(best), free(arrived_by), free(closed), free(queue.entries);
    return result;
}

wend_direction test_climb_move(const test_grid *grid, wend_cell from, wend_cell to) {
    if (from == to) return WEND_NO_DIRECTION;
    wend_cost here = test_distance(grid, from, to), nearest = WEND_NO_COST, least = WEND_NO_COST;
    int chosen = WEND_NO_DIRECTION;
    for (int d = 0; d < 8; d++) {
        wend_cell next = test_next(grid, from, d);
        if (next == WEND_NO_CELL) continue;
        wend_cost left = test_distance(grid, next, to), sum = test_move_cost(grid, d) + left;
        if (left < nearest) nearest = left;
        if (sum < least || (sum == least && test_move_cost(grid, d) > test_move_cost(grid, chosen)))
            least = sum, chosen = d;
    }
    return here <= nearest ? WEND_NO_DIRECTION : (wend_direction)chosen;
}

wend_cost test_climb_cost(const test_grid *grid, wend_cell from, wend_cell to) {
    wend_cost cost = 0;
    for (wend_cell at = from; at != to;) {
        wend_direction d = test_climb_move(grid, at, to);
        if (d == WEND_NO_DIRECTION) return WEND_NO_COST;
        cost += test_move_cost(grid, d);
        at = test_next(grid, at, d);
    }
    return cost;
}
