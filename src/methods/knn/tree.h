/* The kd-tree over starts and ends of a case base ("Case-based subgoaling", section 6.2), without pointers:
 * of a range of entries the middle one is the root, what is not above it on the range's axis stands before
 * it, what is not below it behind. Axes take turns from level to level: x and y of the start, x and y of the
 * end. Ranges of at most WEND_KNN_LEAF entries are in no order.
 *
 * The distance of an entry from a problem is the larger of two: from where the agent stands to its start, and
 * from its end to the goal, both without walls. Nearer comes first, then the smaller number. A query finds
 * exactly the first M, or the first M behind a given one, and can be interrupted anywhere. A range is passed
 * over only if no point of its box comes before the M-th so far: the box's distance along each axis is known
 * from the splits above it, and the distance to the box is that of its nearest corner. */
#ifndef WEND_KNN_TREE_H
#define WEND_KNN_TREE_H

#include "methods/knn/layout.h"

enum { WEND_KNN_LEAF = 8, WEND_KNN_MOST_ENTRIES = 1 << 28 };

/* An entry while it is put in order. */
typedef struct wend_knn_entry {
    uint16_t ends[WEND_KNN_AXES];
    uint32_t begin, stop;
    uint32_t number; /* as it came: makes the order total */
} wend_knn_entry;

void wend_knn_sort(wend_knn_entry *entries, uint32_t count);

typedef struct wend_knn_hit {
    uint32_t distance, number;
} wend_knn_hit;

WEND_INLINE bool wend_knn_before(wend_knn_hit a, wend_knn_hit b) {
    return a.distance < b.distance || (a.distance == b.distance && a.number < b.number);
}

/* A range that is still to be looked at. */
typedef struct wend_knn_range {
    uint32_t first, end;
    uint16_t apart[WEND_KNN_AXES]; /* of its box from the target, along each axis */
    uint8_t axis;
} wend_knn_range;

/* The most ranges that a query has to remember: one a level, and the root. */
uint32_t wend_knn_ranges(uint32_t count);

typedef struct wend_knn_query {
    const wend_map *map;
    const wend_knn *knn;
    uint32_t more, less; /* what a step along the longer axis costs, and one along the shorter on top */
    uint16_t target[WEND_KNN_AXES];
    bool starts_only; /* the ends do not count */
    bool scan;        /* look at all entries in their order */
    bool behind;      /* pass over what does not come behind `last` */
    wend_knn_hit last;
    wend_knn_hit *hits; /* room for `most`; while it runs, a heap with the farthest first */
    uint32_t count, most;
    wend_knn_range *ranges; /* room for wend_knn_ranges; not for a scan */
    uint32_t range_count, scanned;
} wend_knn_query;

/* `hits`, `most`, `ranges`, `knn`, `map`, `scan` and `starts_only` are set and stay; the rest is set here. */
void wend_knn_begin(wend_knn_query *query, wend_cell at, wend_cell goal);
/* The same, for what comes behind a hit. */
void wend_knn_begin_behind(wend_knn_query *query, wend_knn_hit last);
/* Goes on until at least `operations` more are counted, a range or an entry each; at most WEND_KNN_LEAF + 1
 * too many. True when it is done: then the hits are a heap with the nearest first, which takes an operation a
 * hit on top. */
bool wend_knn_run(wend_knn_query *query, uint64_t operations, uint64_t *counted);
/* Takes the next hit, from the nearest on; false if there are no more. */
bool wend_knn_take(wend_knn_query *query, wend_knn_hit *hit);

/* Of an entry. */
uint32_t wend_knn_distance(const wend_knn_query *query, uint32_t number);

#endif
