/* The case base of kNN LRTA* of 2009 as planners read it. */
#ifndef WEND_KNN2009_LAYOUT_H
#define WEND_KNN2009_LAYOUT_H

#include "methods/knn2009/knn2009.h"

/* Records (start, goal, subgoal), ordered by start, then goal, then number: all that start in some rows of
 * the map stand together. A subgoal is given by its place in `subgoals`, the different ones in ascending
 * order, so that a set of subgoals is a set of bits. */
typedef struct wend_knn2009 {
    uint32_t records, subgoal_count;
    const wend_cell *starts, *goals;
    const uint32_t *subgoal_of; /* each record, below subgoal_count */
    const uint32_t *numbers;    /* under which each was drawn */
    const wend_cell *subgoals;
} wend_knn2009;

/* Of an open database of this kind. */
wend_knn2009 wend_knn2009_of(const wend_db *db);

#endif
