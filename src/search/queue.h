/* The part of the queue that does not depend on the width of costs. queue.inc has the rest and the
 * explanation. */
#ifndef WEND_SEARCH_QUEUE_H
#define WEND_SEARCH_QUEUE_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct wend_queue {
    void *nodes; /* wend_node_narrow or wend_node_wide; node 0 is nobody, with rank 0 */
    uint32_t capacity, used, free;
    uint32_t beyond; /* the heap of all that lies beyond the ring */
    uint64_t ring;   /* which of the heaps are not empty */
    uint64_t base;   /* f >> shift of the first heap in the ring */
    uint32_t shift;
    uint32_t heaps[64]; /* valid where the ring's bit is set */
} wend_queue;

/* Empties the queue, whatever it held, in O(1). */
WEND_INLINE void wend_queue_clear(wend_queue *queue) {
    queue->used = 1;
    queue->free = queue->beyond = 0;
    queue->ring = queue->base = 0;
}

/* The narrowest ranges that cover two of the dearest moves with 64 heaps. */
WEND_INLINE uint32_t wend_queue_shift(uint32_t dearest_move) {
    uint32_t shift = 0;
    while ((2 * dearest_move >> shift) >= 64) shift++;
    return shift;
}

#endif
