#include "support/agents/realtime.h"

#include <stdlib.h>
#include <string.h>

static void *need(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block) abort();
    return block;
}

void test_learner_start(test_learner *learner, const test_grid *grid, wend_cell start, wend_cell goal) {
    *learner = (test_learner){grid, start, goal, need(grid->cells, sizeof *learner->h)};
    for (wend_cell cell = 0; cell < grid->cells; cell++) learner->h[cell] = test_distance(grid, cell, goal);
}

void test_learner_free(test_learner *learner) {
    free(learner->h);
    *learner = (test_learner){0};
}

static int make_move(test_learner *learner, wend_cost learnt, int direction) {
    if (direction == WEND_NO_DIRECTION) return direction;
    if (learnt > learner->h[learner->at]) learner->h[learner->at] = learnt;
    learner->at = test_next(learner->grid, learner->at, direction);
    return direction;
}

/* The move of least c + value, by `values` of the neighbours. */
static int best_move(test_learner *learner, const wend_cost *values) {
    const test_grid *grid = learner->grid;
    wend_cost least = WEND_NO_COST;
    int chosen = WEND_NO_DIRECTION;
    for (int d = 0; d < 8; d++) {
        wend_cell next = test_next(grid, learner->at, d);
        if (next == WEND_NO_CELL || values[next] == WEND_NO_COST) continue;
        wend_cost sum = test_move_cost(grid, d) + values[next];
        bool dearer = chosen != WEND_NO_DIRECTION && test_move_cost(grid, d) > test_move_cost(grid, chosen);
        if (sum < least || (sum == least && dearer)) least = sum, chosen = d;
    }
    return make_move(learner, least, chosen);
}

int test_lrta_move(test_learner *learner) {
    return best_move(learner, learner->h);
}

/* The cheapest ways of at most `depth` moves and `limit` in cost, and their smallest first direction. */
static void generate(const test_learner *learner, int depth, wend_cost limit, wend_cost *g, int *first) {
    const test_grid *grid = learner->grid;
    wend_cost *before = need(grid->cells, sizeof *before);
    int *first_before = need(grid->cells, sizeof *first_before);
    for (wend_cell cell = 0; cell < grid->cells; cell++)
        g[cell] = WEND_NO_COST, first[cell] = WEND_NO_DIRECTION;
    g[learner->at] = 0;
    for (int round = 1; round <= depth; round++) {
        memcpy(before, g, grid->cells * sizeof *g);
        memcpy(first_before, first, grid->cells * sizeof *first);
        for (wend_cell cell = 0; cell < grid->cells; cell++)
            for (int d = 0; d < 8 && before[cell] != WEND_NO_COST && cell != learner->goal; d++) {
                wend_cell next = test_next(grid, cell, d);
                if (next == WEND_NO_CELL) continue;
                wend_cost sum = before[cell] + test_move_cost(grid, d);
                if (sum > limit) continue;
                int way = cell == learner->at ? d : first_before[cell];
                if (sum < g[next] || (sum == g[next] && next != learner->at && way < first[next]))
                    g[next] = sum, first[next] = way;
            }
    }
    free(before), free(first_before);
}

static bool on_frontier(const test_learner *learner, const wend_cost *g, wend_cell cell) {
    if (cell == learner->goal) return true;
    for (int d = 0; d < 8; d++) {
        wend_cell next = test_next(learner->grid, cell, d);
        if (next != WEND_NO_CELL && g[next] == WEND_NO_COST) return true;
    }
    return false;
}

int test_lrta_inner_move(test_learner *learner, int depth, wend_cost limit) {
    const test_grid *grid = learner->grid;
    wend_cost *g = need(grid->cells, sizeof *g), *values = need(grid->cells, sizeof *values);
    int *first = need(grid->cells, sizeof *first);
    uint8_t *inner = need(grid->cells, 1);
    generate(learner, depth, limit, g, first);
    for (wend_cell cell = 0; cell < grid->cells; cell++) {
        values[cell] = WEND_NO_COST;
        if (g[cell] == WEND_NO_COST || cell == learner->at) continue;
        inner[cell] = !on_frontier(learner, g, cell);
        if (!inner[cell]) values[cell] = learner->h[cell];
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (wend_cell cell = 0; cell < grid->cells; cell++)
            for (int d = 0; d < 8 && inner[cell]; d++) {
                wend_cell next = test_next(grid, cell, d);
                if (next == WEND_NO_CELL || values[next] == WEND_NO_COST) continue;
                wend_cost value = values[next] + test_move_cost(grid, d);
                if (value < learner->h[cell]) value = learner->h[cell];
                if (value < values[cell]) values[cell] = value, changed = true;
            }
    }
    int direction = best_move(learner, values);
    free(g), free(values), free(first), free(inner);
    return direction;
}

int test_lrta_printed_move(test_learner *learner, int depth) {
    const test_grid *grid = learner->grid;
    wend_cost *g = need(grid->cells, sizeof *g), best_f = WEND_NO_COST;
    int *first = need(grid->cells, sizeof *first);
    wend_cell best = WEND_NO_CELL;
    generate(learner, depth, WEND_NO_COST, g, first);
    for (wend_cell cell = 0; cell < grid->cells; cell++) {
        if (g[cell] == WEND_NO_COST || cell == learner->at) continue;
        if (!on_frontier(learner, g, cell)) continue;
        wend_cost f = g[cell] + learner->h[cell];
        bool better =
            best == WEND_NO_CELL || f < best_f ||
            (f == best_f && (g[cell] > g[best] || (g[cell] == g[best] && first[cell] < first[best])));
        if (better) best = cell, best_f = f;
    }
    int direction = best == WEND_NO_CELL ? WEND_NO_DIRECTION : first[best];
    free(g), free(first);
    return make_move(learner, best_f, direction);
}

/* The open cell that comes next. */
static wend_cell next_open(const test_learner *learner, const test_lookahead *lookahead, wend_cost *f) {
    wend_cell best = WEND_NO_CELL;
    for (wend_cell cell = 0; cell < learner->grid->cells; cell++) {
        if (lookahead->g[cell] == WEND_NO_COST || lookahead->closed[cell]) continue;
        wend_cost sum = lookahead->g[cell] + learner->h[cell];
        if (best == WEND_NO_CELL || sum < *f || (sum == *f && lookahead->g[cell] > lookahead->g[best]))
            best = cell, *f = sum;
    }
    return best;
}

test_lookahead test_look_ahead(const test_learner *learner, uint64_t most) {
    const test_grid *grid = learner->grid;
    test_lookahead lookahead = {.g = need(grid->cells, sizeof *lookahead.g),
                                .closed = need(grid->cells, 1),
                                .by = need(grid->cells, 1)};
    for (wend_cell cell = 0; cell < grid->cells; cell++) lookahead.g[cell] = WEND_NO_COST;
    lookahead.g[learner->at] = 0;
    for (;;) {
        lookahead.best = next_open(learner, &lookahead, &lookahead.best_f);
        wend_cell cell = lookahead.best;
        if (cell == WEND_NO_CELL || cell == learner->goal || lookahead.expanded == most) return lookahead;
        lookahead.closed[cell] = 1, lookahead.expanded++;
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, cell, d);
            if (next == WEND_NO_CELL || lookahead.g[next] <= lookahead.g[cell] + test_move_cost(grid, d))
                continue;
            lookahead.g[next] = lookahead.g[cell] + test_move_cost(grid, d);
            lookahead.by[next] = (uint8_t)d;
        }
    }
}

void test_lookahead_free(test_lookahead *lookahead) {
    free(lookahead->g), free(lookahead->closed), free(lookahead->by);
    *lookahead = (test_lookahead){0};
}

int test_first_move(const test_learner *learner, const test_lookahead *lookahead, wend_cell to) {
    int move = WEND_NO_DIRECTION;
    while (to != learner->at) {
        move = lookahead->by[to];
        to = test_next(learner->grid, to, (move + 4) % 8); /* moves can be made both ways */
    }
    return move;
}

void test_exit_values(const test_learner *learner, const uint8_t *inside, wend_cost *values) {
    const test_grid *grid = learner->grid;
    for (wend_cell cell = 0; cell < grid->cells; cell++)
        values[cell] = inside[cell] ? WEND_NO_COST : learner->h[cell];
    for (bool changed = true; changed;) {
        changed = false;
        for (wend_cell cell = 0; cell < grid->cells; cell++)
            for (int d = 0; d < 8 && inside[cell]; d++) {
                wend_cell next = test_next(grid, cell, d);
                if (next == WEND_NO_CELL || values[next] == WEND_NO_COST) continue;
                if (values[next] + test_move_cost(grid, d) >= values[cell]) continue;
                values[cell] = values[next] + test_move_cost(grid, d);
                changed = true;
            }
    }
}
