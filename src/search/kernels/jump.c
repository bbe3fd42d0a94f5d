/* The A* kernel over jump points: records by hash, since it touches few cells of a large map. */
#include "search/jumps.h"
#include "search/search.h"

#define WEND_JUMP
#define COST uint64_t
#define N(x) x##_jump
#include "search/kernels/astar.inc"

const wend_record_jump *wend_jump_record(const wend_search *search, wend_cell cell) {
    return record_jump(search, cell);
}

void wend_jump_moved(wend_search *search) {
    wend_node_jump *nodes = search->queue.nodes;
    for (uint32_t i = WEND_QUEUE_ROOT; i < search->queue.end; i++)
        nodes[i].slot = (uint32_t)(record_jump(search, nodes[i].cell) - search->slots);
}

uint64_t wend_jump_least(wend_search *search) {
    const wend_node_jump *first = first_jump(&search->queue);
    return first ? node_f_jump(first) : UINT64_MAX;
}
