/* Plain forms of the real-time algorithms, from the papers, over the reference's grid: slow and simple on
 * purpose, for small maps. */
#ifndef WEND_TESTS_REALTIME_H
#define WEND_TESTS_REALTIME_H

#include "support/reference.h"

/* An agent that learns: where it stands, where it goes, and h of every cell. */
typedef struct test_learner {
    const test_grid *grid;
    wend_cell at, goal;
    wend_cost *h;
} test_learner;

void test_learner_start(test_learner *learner, const test_grid *grid, wend_cell start, wend_cell goal);
void test_learner_free(test_learner *learner);

/* LRTA* with one move of lookahead (algorithm 1 of "Fast subgoaling", 2011): the move of least c + h, ties to
 * the move that costs more, then to the smaller direction. Learns, moves, and returns the direction. */
int test_lrta_move(test_learner *learner);

/* LRTA* with a lookahead of `depth` moves as figure 1 of "Case-based subgoaling" prints it. It goes to the
 * generated cell of least g + h from which a path can leave the generated ones (or which is the goal). Ties
 * go to the larger g, then to the smaller first direction, then to the smaller cell. */
int test_lrta_printed_move(test_learner *learner, int depth);

/* The same lookahead, but of at most `limit` in cost too, and with what was learnt inside. The value of a
 * frontier cell is its h. That of an inner one is the least c + value of its neighbours, without going back
 * over the learner's cell, but never below its own h. The move of least c + value, ties as above. */
int test_lrta_inner_move(test_learner *learner, int depth, wend_cost limit);

/* A lookahead: A* from where the learner stands, with its h and all legal moves, of at most `most`
 * expansions. */
typedef struct test_lookahead {
    wend_cost *g;         /* WEND_NO_COST: not generated */
    uint8_t *closed, *by; /* the direction in which a cell was reached */
    uint32_t expanded;
    wend_cell best;   /* the open cell of least f, larger g, smaller number; WEND_NO_CELL: none left */
    wend_cost best_f; /* its f */
} test_lookahead;

test_lookahead test_look_ahead(const test_learner *learner, uint64_t most);
void test_lookahead_free(test_lookahead *lookahead);
/* The first move of the lookahead's path to a cell. */
int test_first_move(const test_learner *learner, const test_lookahead *lookahead, wend_cell to);

/* For each cell of a set: the least cost of a path inside it and one move out of it, plus h where it comes
 * out; for the others h. By going round until nothing changes. */
void test_exit_values(const test_learner *learner, const uint8_t *inside, wend_cost *values);

#endif
