/* Choosing a record for a problem: figure 8 of "Case-based subgoaling in real-time heuristic search" with the
 * enhancements that belong to it, in slices of any size. Planners run it within their steps, builders to
 * measure what a case base covers. */
#ifndef WEND_KNN_SELECT_H
#define WEND_KNN_SELECT_H

#include "methods/knn/tree.h"

/* The climber's way from one cell to another, with a cap on its moves. */
typedef struct wend_knn_climb {
    wend_cell at, to;
    uint32_t left; /* moves */
} wend_knn_climb;

typedef enum wend_knn_climbed { WEND_KNN_CLIMBING, WEND_KNN_REACHED, WEND_KNN_FAILED } wend_knn_climbed;

/* Goes on until at least `operations` more are counted; at most WEND_CLIMB_OPERATIONS - 1 too many. A target
 * that is too far for the cap is found out without climbing. */
wend_knn_climbed wend_knn_climb_run(const wend_map *map, wend_knn_climb *climb, uint64_t operations,
                                    uint64_t *counted);

typedef enum wend_knn_found {
    WEND_KNN_MORE,   /* not finished */
    WEND_KNN_DIRECT, /* the goal itself can be climbed to (enhancement 1) */
    WEND_KNN_RECORD, /* an entry has passed */
    WEND_KNN_NONE
} wend_knn_found;

typedef enum wend_knn_phase {
    WEND_KNN_AT_GOAL,  /* can the goal be climbed to? (enhancement 1) */
    WEND_KNN_AT_QUERY, /* which entries are most similar? */
    WEND_KNN_AT_START, /* can an entry's start be climbed to? */
    WEND_KNN_AT_END,   /* and from its end the goal? */
    WEND_KNN_AT_FIRST, /* can its first subgoal be climbed to? (enhancement 2) */
    WEND_KNN_AT_RESULT
} wend_knn_phase;

typedef struct wend_knn_select {
    /* Set by the owner once. */
    wend_knn_query query;
    uint32_t climb;                 /* the most moves of a climb */
    bool goal_first, subgoal_first; /* enhancements 1 and 2 */
    bool all;                       /* without enhancement 4: all entries are tried, `most` at a time */
    /* Of the choice under way. */
    wend_cell at, goal;
    wend_knn_phase phase;
    wend_knn_climb climbing;
    wend_knn_hit hit;
    wend_knn_found found;
    bool first_reached; /* WEND_KNN_RECORD: the first subgoal can be climbed to */
} wend_knn_select;

/* Memory for a selection that takes `most` candidates at a time; wend_knn_select_bytes says how much. */
wend_status wend_knn_select_create(wend_knn_select *select, const wend_map *map, const wend_knn *knn,
                                   uint32_t most, bool scan, const wend_allocator *allocator);
size_t wend_knn_select_bytes(const wend_knn_select *select);
void wend_knn_select_release(wend_knn_select *select, const wend_allocator *allocator);

void wend_knn_select_begin(wend_knn_select *select, wend_cell at, wend_cell goal);
/* Goes on until at least `operations` more are counted; at most wend_knn_select_over too many. */
wend_knn_found wend_knn_select_run(wend_knn_select *select, uint64_t operations, uint64_t *counted);
uint64_t wend_knn_select_over(const wend_knn_select *select);

WEND_INLINE wend_cell wend_knn_cell(const wend_map *map, const uint16_t *xy) {
    return (wend_cell)xy[1] * (uint32_t)map->width + xy[0];
}
WEND_INLINE wend_cell wend_knn_start(const wend_map *map, const wend_knn *knn, uint32_t entry) {
    return wend_knn_cell(map, knn->ends[entry]);
}
WEND_INLINE wend_cell wend_knn_end(const wend_map *map, const wend_knn *knn, uint32_t entry) {
    return wend_knn_cell(map, knn->ends[entry] + 2);
}

#endif
