/* The state of an agent of the planner `knn`; in a header for its tests. */
#ifndef WEND_KNN_AGENT_H
#define WEND_KNN_AGENT_H

#include "methods/knn/select.h"
#include "methods/lrta/lrta.h"
#include "methods/tba/tba.h"

typedef enum wend_knn_stage {
    WEND_KNN_STAGE_SELECT,   /* which record? */
    WEND_KNN_STAGE_FOLLOW,   /* climbing to `target` */
    WEND_KNN_STAGE_CHECK,    /* at a record's last subgoal: can the goal be climbed to? */
    WEND_KNN_STAGE_FALLBACK, /* heading for the goal without a record */
    WEND_KNN_STAGE_DETOUR    /* learning on the way to `target`, where the climb was blocked */
} wend_knn_stage;

typedef enum wend_knn_leg { WEND_KNN_LEG_STATE, WEND_KNN_LEG_END, WEND_KNN_LEG_GOAL } wend_knn_leg;

typedef struct wend_knn_agent {
    const wend_knn *knn;
    wend_knn_select select;
    double quota;
    bool checks_last, interrupts, uses_tba; /* e3, e6, the fallback */
    uint32_t max_cells;                     /* that it may learn; 0: any number */
    wend_tba tba;
    /* Of the task. */
    wend_knn_stage stage;
    bool renewed; /* the choice has to begin, from where the agent stands */
    bool fallen;  /* it has headed for its goal without a record before */
    uint32_t interruptions;
    wend_pursuit pursuit; /* of records, which are given up where a climb is blocked */
    uint64_t spent;       /* operations of choosing and checking since the last move */
    uint64_t left;        /* what it may travel without a record; UINT64_MAX: as far as it takes */
    wend_cell target;
    wend_knn_leg leg;     /* what the target is: a state of the record before its end, its end, or the goal */
    uint32_t entry, next; /* the record, and its next subgoal in the stream */
    wend_knn_climb climb;
} wend_knn_agent;

#endif
