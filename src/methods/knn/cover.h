/* What a case base covers, by samples that its seed sets.
 *
 * A problem is covered if an agent with the planner's standard settings needs no fallback for it: the goal
 * can be climbed to, or one of the 10 most similar entries passes the checks, with climbs of at most 250
 * moves. Problems are random solvable ones. A cell is covered if one of the 10 entries whose starts are
 * nearest can be climbed to from it: an agent that stands there can join some path. */
#ifndef WEND_KNN_COVER_H
#define WEND_KNN_COVER_H

#include "methods/knn/draw.h"
#include "methods/knn/select.h"

enum { WEND_KNN_CLIMB = 250, WEND_KNN_CANDIDATES = 10 }; /* the paper's */
enum { WEND_KNN_SAMPLE = 4096 };                         /* problems, and cells */

typedef struct wend_knn_cover {
    uint32_t problems, problems_covered, cells, cells_covered;
} wend_knn_cover;

wend_status wend_knn_measure(const wend_draws *draws, const wend_knn *knn, wend_knn_cover *cover);

/* The `cover` of the kind. */
wend_status wend_knn_cover_cells(const wend_db *db, const wend_cell *cells, size_t count,
                                 const wend_tasks *tasks, const wend_allocator *allocator, uint8_t *covered);

#endif
