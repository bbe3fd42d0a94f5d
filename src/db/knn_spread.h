/* Pairs for `spread=even`: where they are needed.
 *
 * A quarter of them is laid out evenly (knn_draw.h). Then random problems are tried against the pairs so far,
 * as an agent would choose a record: those that find none become pairs themselves. So the parts of the space
 * of pairs that walls make difficult get more of them, and the easy ones fewer. After 16 problems a pair the
 * rest, if there is one, is laid out evenly again.
 *
 * Nothing of this needs a path: it takes a few microseconds a problem. Problems are tried in batches against
 * the pairs before the batch, so the result does not depend on who tries which. */
#ifndef WEND_DB_KNN_SPREAD_H
#define WEND_DB_KNN_SPREAD_H

#include "db/knn_draw.h"
#include "db/knn_select.h"

typedef struct wend_knn_pair {
    wend_cell start, goal;
} wend_knn_pair;

/* Who does the work, and who is told of it. */
typedef struct wend_knn_crew {
    const wend_tasks *tasks; /* NULL: one after another, here */
    uint32_t workers;
    const wend_builder *builder; /* or NULL */
} wend_knn_crew;

/* Writes at most draws->pairs pairs and says how many. Changes how `draws` lays out pairs. WEND_NO_MEMORY or
 * WEND_INTERRUPTED. */
wend_status wend_knn_spread(wend_draws *draws, const wend_knn_crew *crew, wend_knn_pair *pairs,
                            uint32_t *count);

#endif
