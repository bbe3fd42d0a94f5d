/* Pairs for `spread=even`: where they are needed.
 *
 * A quarter of them is laid out evenly (draw.h). Then random problems are tried against the pairs so far,
 * as an agent would choose a record: those that find none become pairs themselves. So the parts of the space
 * of pairs that walls make difficult get more of them, and the easy ones fewer. After 16 problems a pair the
 * rest, if there is one, is laid out evenly again.
 *
 * Nothing of this needs a path: it takes a few microseconds per problem. Problems are tried in batches
 * against the pairs before the batch, so the result does not depend on who tries which. A batch has half as
 * many problems as there are pairs at first. Few of those would serve one another. */
#ifndef WEND_KNN_SPREAD_H
#define WEND_KNN_SPREAD_H

#include "methods/knn/draw.h"
#include "methods/knn/select.h"

enum { WEND_KNN_BATCHES = 128 };

typedef struct wend_knn_pair {
    wend_cell start, goal;
} wend_knn_pair;

typedef struct wend_knn_spread {
    wend_draws *draws;
    const wend_tasks *tasks;
    uint32_t workers;
    uint32_t count, most; /* pairs */
    wend_knn_pair *pairs;
    wend_knn_entry *entries; /* of the pairs, room for all */
    uint16_t (*ends)[WEND_KNN_AXES];
    wend_knn knn;             /* the tree of the first `knn.count` pairs */
    wend_knn_select *selects; /* one a worker */
    uint32_t batch, number;   /* problems of a batch, and which of them is under way */
    wend_knn_pair *problems;  /* of the batch; start is WEND_NO_CELL where nothing is to be added */
} wend_knn_spread;

/* With the pairs that are laid out first. Changes how `draws`, which must outlive it, lays out pairs.
 * WEND_STATUS_NO_MEMORY. */
wend_status wend_knn_spread_create(wend_knn_spread *spread, wend_draws *draws, const wend_tasks *tasks,
                                   uint32_t workers);
void wend_knn_spread_release(wend_knn_spread *spread);

/* Tries batch `number` of WEND_KNN_BATCHES on all workers, and leaves in `problems` what should be added. */
void wend_knn_spread_try(wend_knn_spread *spread, uint32_t number);
/* Adds a pair; false: it can't be one. One too many is passed over. */
bool wend_knn_spread_add(wend_knn_spread *spread, wend_cell start, wend_cell goal);
/* After the last batch: lays out the rest. */
void wend_knn_spread_end(wend_knn_spread *spread);
/* All batches in turn, and the end. False: the progress of the options has said stop. */
bool wend_knn_spread_all(wend_knn_spread *spread, const wend_build_options *options);

#endif
