#include "search/onward.h"

#include <string.h>

/* The cells of a 3x3 block are numbered as the bits of wend_map_around; x stands in the middle. */
enum { MIDDLE = 4, BLOCK = 9 };

/* The cell one move away, or BLOCK where that leaves the block. */
static uint32_t block_next(uint32_t cell, uint32_t d) {
    int32_t x = (int32_t)(cell % 3) + wend_dx[d], y = (int32_t)(cell / 3) + wend_dy[d];
    return x >= 0 && x < 3 && y >= 0 && y < 3 ? (uint32_t)(3 * y + x) : BLOCK;
}

/* The legal moves within the block. The cells beside such a move lie in the block too, so what is outside may
 * count as blocked. */
static void block_moves(const wend_map *map, uint32_t around, wend_directions moves[BLOCK]) {
    for (uint32_t cell = 0; cell < BLOCK; cell++) {
        uint32_t seen = (around >> cell & 1) << MIDDLE;
        for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
            uint32_t next = block_next(cell, d);
            if (next < BLOCK && around >> next & 1) seen |= 1u << block_next(MIDDLE, d);
        }
        moves[cell] = map->legal[seen];
    }
}

/* The cost of the cheapest way of at most two moves from `from` to every cell of the block, not through the
 * middle. */
static void block_costs(const wend_map *map, const wend_directions moves[BLOCK], uint32_t from,
                        uint32_t costs[BLOCK]) {
    for (uint32_t i = 0; i < BLOCK; i++) costs[i] = UINT32_MAX;
    costs[from] = 0;
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
        uint32_t next = block_next(from, d);
        if (!(moves[from] >> d & 1) || next == MIDDLE) continue;
        if (map->cost[d] < costs[next]) costs[next] = map->cost[d];
        for (uint32_t e = 0; e < WEND_DIRECTIONS; e++) {
            uint32_t end = block_next(next, e), cost = map->cost[d] + map->cost[e];
            if (moves[next] >> e & 1 && cost < costs[end]) costs[end] = cost;
        }
    }
}

/* What both tables have in common. */
static void begin(const wend_map *map, wend_onward *onward) {
    onward->primary = map->rules.connect == 8 ? 0xaa : 0x11;
    memcpy(onward->moves[8], map->legal, sizeof map->legal);
    for (uint32_t around = 0; around < 512; around++)
        onward->count[around] = (uint8_t)wend_count_bits(map->legal[around]);
}

void wend_onward_fill(const wend_map *map, wend_onward *onward) {
    begin(map, onward);
    for (uint32_t around = 0; around < 512; around++) {
        wend_directions moves[BLOCK];
        block_moves(map, around, moves);
        for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
            onward->moves[d][around] = 0;
            uint32_t back = (d + 4) & 7;
            if (!(moves[MIDDLE] >> back & 1)) continue; /* then x was not reached by d: never asked */
            uint32_t costs[BLOCK];
            block_costs(map, moves, block_next(MIDDLE, back), costs);
            for (uint32_t e = 0; e < WEND_DIRECTIONS; e++) {
                if (!(moves[MIDDLE] >> e & 1)) continue;
                uint32_t through = map->cost[d] + map->cost[e], past = costs[block_next(MIDDLE, e)];
                if (past > through || (past == through && onward->primary >> d & 1))
                    onward->moves[d][around] |= (wend_directions)(1u << e);
            }
        }
    }
}

void wend_onward_all(const wend_map *map, wend_onward *onward) {
    begin(map, onward);
    for (uint32_t around = 0; around < 512; around++) {
        wend_directions moves[BLOCK];
        block_moves(map, around, moves);
        for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
            uint32_t back = (d + 4) & 7, parent = block_next(MIDDLE, back);
            onward->moves[d][around] = moves[MIDDLE] & (wend_directions) ~(1u << back);
            for (uint32_t e = 0; e < WEND_DIRECTIONS; e++) {
                uint32_t next = block_next(parent, e);
                if (!(moves[parent] >> e & 1) || next == MIDDLE) continue;
                for (uint32_t f = 0; f < WEND_DIRECTIONS; f++)
                    if (block_next(MIDDLE, f) == next && map->cost[e] <= map->cost[d] + map->cost[f])
                        onward->moves[d][around] &= (wend_directions) ~(1u << f);
            }
        }
    }
}
