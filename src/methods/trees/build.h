/* What building jobs of the database of subgoal trees and putting them together have in common. */
#ifndef WEND_TREES_BUILD_H
#define WEND_TREES_BUILD_H

#include "methods/trees/layout.h"
#include <wend/tree.h>

enum { WEND_TREES_SIDE = 16 }; /* cells of a job */
/* Where an entry belongs, beside 0 to 15 for the job's parts. */
enum { WEND_TREES_AT_BLOCK = 16, WEND_TREES_AT_ABOVE = 17 };
enum { WEND_TREES_OF_TREES, WEND_TREES_OF_STARTS, WEND_TREES_RELATIONS };

/* What an entry is when jobs hand it over, in 32-bit words. */
typedef struct wend_trees_entry {
    uint32_t where, key, value, mask; /* `where`: see above; in `finish`, the block */
} wend_trees_entry;

/* For sorting: a pair as one number, and something about it. */
typedef struct wend_trees_item {
    uint64_t pair;
    uint32_t note;
    uint32_t unused;
} wend_trees_item;

/* At the start of a job's result. */
typedef struct wend_trees_summary {
    uint64_t nodes;
    uint32_t goals, most, least, unused;
} wend_trees_summary;

struct wend_trees_worker;

typedef struct wend_trees_maker {
    wend_trees shape; /* sizes and levels only */
    wend_allocator allocator;
    bool share;
    wend_tree_options tree_options;
    uint32_t *jobs;  /* the blocks of level 2 that have an open cell, by number within the level */
    uint8_t *filled; /* of all blocks: there is an open cell */
    struct wend_trees_worker *workers;
    uint32_t worker_count;
} wend_trees_maker;

/* By pair. */
void wend_trees_sort(wend_trees_item *items, size_t count);

WEND_INLINE uint32_t wend_trees_blocks_of(const wend_trees *shape, uint32_t level) {
    return (level < shape->levels ? shape->first[level + 1] : shape->blocks) - shape->first[level];
}

#endif
