/* Plain reference implementations that tests hold wend against. They read a map through wend_map_is_open and
 * its rules only, and spell out the rules of movement, the costs and the order of ties once more, so that a
 * mistake in the library is not repeated here. Slow and simple on purpose. */
#ifndef WEND_TESTS_REFERENCE_H
#define WEND_TESTS_REFERENCE_H

#include <wend/map.h>

/* The cells of a map, a byte each (1 is open), and its rules. */
typedef struct test_grid {
    int32_t width, height;
    uint32_t cells;
    wend_rules rules;
    wend_cost straight, diagonal; /* what a move costs */
    uint8_t *open;
} test_grid;

test_grid test_grid_of(const wend_map *map);
void test_grid_free(test_grid *grid);

/* Where a move leads, or WEND_NO_CELL where the rules forbid it. */
wend_cell test_next(const test_grid *grid, wend_cell cell, int direction);
wend_cost test_move_cost(const test_grid *grid, int direction);
/* The cost on the same grid without walls. */
wend_cost test_distance(const test_grid *grid, wend_cell from, wend_cell to);

/* Exact distances from an open source to all cells, into an array of `cells`; WEND_NO_COST: no path. */
void test_dijkstra(const test_grid *grid, wend_cell source, wend_cost *distance);
/* Marks the cells that can be reached from an open one (itself included) with 1, the others with 0, and
 * returns how many there are. */
uint32_t test_flood(const test_grid *grid, wend_cell source, uint8_t *reached);

/* A* with the octile heuristic and wend's total order of ties: smaller f, then larger g, then smaller cell;
 * a cell's parent is replaced only by one that gives a strictly smaller g. Of the paths of one cost it keeps
 * the one that makes its primary moves first (diagonal ones; with four directions, north and south). From a
 * cell reached from p, a move to n is not tried where one or two other moves lead from p to n for less, or
 * for as much if the move from p was not primary. */
typedef struct test_astar_result {
    bool found;
    wend_cost cost;
    uint64_t expansions;  /* cells taken from the queue before the goal was */
    uint64_t neighbours;  /* legal moves of the cells expanded, tried or not */
    uint64_t passed_over; /* queue entries that a cheaper way to their cell had overtaken */
    size_t moves;
    wend_direction *path; /* `moves` of them; to be freed */
} test_astar_result;

test_astar_result test_astar(const test_grid *grid, wend_cell start, wend_cell goal);

/* The hill-climber of "Case-based subgoaling", figure 7: its next move or WEND_NO_DIRECTION. */
wend_direction test_climb_move(const test_grid *grid, wend_cell from, wend_cell to);
/* The cost of its way, or WEND_NO_COST where it gives up. It has no cap on its moves. */
wend_cost test_climb_cost(const test_grid *grid, wend_cell from, wend_cell to);

#endif
