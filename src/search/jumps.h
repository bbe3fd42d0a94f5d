/* The tables of jump-point search and the successors they give. jumps.c explains them. */
#ifndef WEND_SEARCH_JUMPS_H
#define WEND_SEARCH_JUMPS_H

#include "grid/map.h"
#include "search/onward.h"
#include <wend/search.h>

struct wend_jumps {
    const wend_map *map;
    uint64_t revision; /* of the map that they are of */
    uint32_t cells;
    wend_allocator allocator;
    uint8_t *bits;           /* of that map, to see what has changed since */
    size_t bits_bytes;       /* with the buffer, which follows them */
    wend_directions *buffer; /* for filling: four bytes per column of the map */
    uint64_t examined;       /* entries, by the last update; all of them if it filled the tables */
    wend_onward onward;
    wend_directions natural[WEND_DIRECTIONS]; /* what goes onward on open ground */
    wend_directions forced[512];              /* the directions in which more than that goes onward */
    wend_directions turning[WEND_DIRECTIONS]; /* the primary directions that turn into this one */
    /* For each cell and direction: n > 0, the next jump point is n steps away; n <= 0, a wall stops after -n
     * steps. */
    int16_t (*steps)[WEND_DIRECTIONS];
};

typedef struct wend_jump_set {
    uint32_t directions;
    uint32_t examined; /* table entries */
    uint32_t steps[WEND_DIRECTIONS];
} wend_jump_set;

/* The jump points to look at from (x, y), reached in direction `reached`. The goal, and cells from which a
 * turn leads straight to it, count as jump points of this search. */
WEND_INLINE wend_jump_set wend_jump_successors(const wend_jumps *jumps, const wend_map *map, wend_cell cell,
                                               uint32_t x, uint32_t y, uint32_t reached, uint32_t goal_x,
                                               uint32_t goal_y) {
    wend_jump_set set;
    set.directions = 0;
    uint32_t onward = jumps->onward.moves[reached][wend_map_around(map, x, y)];
    set.examined = wend_count_bits(onward);
    int32_t to_x = (int32_t)goal_x - (int32_t)x, to_y = (int32_t)goal_y - (int32_t)y;
    for (; onward; onward &= onward - 1) {
        uint32_t d = wend_lowest_bit(onward);
        int32_t steps = jumps->steps[cell][d], reach = steps < 0 ? -steps : steps;
        /* How far the goal lies along this direction's axes; where it moves on both, the nearer axis counts:
         * from there the goal is straight ahead. */
        int32_t along_x = to_x * wend_dx[d], along_y = to_y * wend_dy[d];
        int32_t turn = wend_is_diagonal(d) ? (along_x < along_y ? along_x : along_y) : along_x + along_y;
        bool towards = turn > 0 && turn <= reach;
        if (towards && !(jumps->onward.primary >> d & 1)) towards = wend_dx[d] ? to_y == 0 : to_x == 0;
        if (towards) steps = turn;
        if (steps <= 0) continue;
        set.directions |= 1u << d;
        set.steps[d] = (uint32_t)steps;
    }
    return set;
}

#endif
