/* The part of the queue that does not depend on the width of costs. queue.inc has the rest and the
 * explanation. */
#ifndef WEND_SEARCH_KERNELS_QUEUE_H
#define WEND_SEARCH_KERNELS_QUEUE_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>

/* The first node stands at index 3 and the children of node i at 4 i - 8 to 4 i - 5: then the four children
 * of any node share a cache line, provided that node 0 stands at the start of one. */
enum { WEND_QUEUE_ROOT = 3, WEND_QUEUE_ALIGNMENT = 64 };

typedef struct wend_queue {
    void *nodes;   /* of one width or the other, from index 0 */
    uint32_t end;  /* one behind the last node */
    uint32_t room; /* the largest `end` that fits */
    uint32_t peak; /* the largest `end` since it was cleared */
    bool hole;     /* the first node has been taken and not yet replaced */
    void *records; /* of an indexed queue: where each cell's record says at which index its node stands */
} wend_queue;

/* Empties the queue, whatever it held, in O(1). */
WEND_INLINE void wend_queue_clear(wend_queue *queue) {
    queue->end = queue->peak = WEND_QUEUE_ROOT;
    queue->hole = false;
}

#endif
