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

/* Buckets in front of the heap: see buckets.inc. */
enum { WEND_BUCKETS = 256, WEND_CHUNK = 8 };

typedef struct wend_buckets {
    uint32_t shift;  /* a bucket is 1 << shift of f wide */
    uint64_t behind; /* nodes of buckets with smaller numbers, f >> shift, are in the heap */
    void *nodes;     /* chunks of WEND_CHUNK; the first of a chunk has the number of the one before as cell */
    uint32_t room;   /* chunks; the first is never used, so that 0 can stand for none */
    uint32_t used;   /* chunks that have been used since they were emptied: the peak */
    uint32_t vacant; /* chunks that can be had */
    uint32_t freed;  /* the first chunk that was used and is free again, or 0 */
    uint64_t filled[WEND_BUCKETS / 64]; /* one bit per bucket */
    uint32_t last[WEND_BUCKETS];        /* the bucket's last node */
} wend_buckets;

typedef struct wend_queue {
    void *nodes;   /* of one width or the other, from index 0 */
    uint32_t end;  /* one behind the last node */
    uint32_t room; /* the largest `end` that fits */
    uint32_t peak; /* the largest `end` since it was cleared */
    bool hole;     /* the first node has been taken and not yet replaced */
    void *records; /* of an indexed queue: where each cell's record says at which index its node stands */
    wend_buckets *buckets; /* of a queue that has them */
} wend_queue;

/* Empties the queue, whatever it held, in O(1). */
WEND_INLINE void wend_queue_clear(wend_queue *queue) {
    queue->end = queue->peak = WEND_QUEUE_ROOT;
    queue->hole = false;
}

#endif
