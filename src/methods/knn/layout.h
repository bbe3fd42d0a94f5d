/* An open case base as the planner reads it: entries, each a record or a part of one, in the order of a
 * kd-tree.
 *
 * An entry's number is its place in that order. Its ends are coordinates. Its subgoals, the states between
 * them, stand in a stream of bytes as numbers of a table of cells: 7 bits per byte, low ones first, all bytes
 * but the last with their high bit set. A few cells, corners mostly, are the subgoals of most paths; the
 * table begins with those, so that a subgoal takes a byte or two. */
#ifndef WEND_KNN_LAYOUT_H
#define WEND_KNN_LAYOUT_H

#include "methods/knn/knn.h"

enum { WEND_KNN_AXES = 4 }; /* x and y of the start, x and y of the end */

typedef struct wend_knn {
    uint32_t count;                        /* of entries */
    const uint16_t (*ends)[WEND_KNN_AXES]; /* in the order of a kd-tree: see tree.h */
    const uint32_t *begins, *stops;        /* of an entry's subgoals in the stream */
    const uint8_t *stream;
    const wend_cell *cells; /* by number */
} wend_knn;

/* Of a database whose kind is wend_db_knn. */
WEND_INLINE const wend_knn *wend_knn_of(const wend_db *db) {
    return db->state;
}

/* Reads the subgoal at `at`, which is not behind the last, and goes on to the next. */
WEND_INLINE wend_cell wend_knn_subgoal(const wend_knn *knn, uint32_t *at) {
    uint32_t number = 0, shift = 0, byte;
    do {
        byte = knn->stream[(*at)++];
        number |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return knn->cells[number];
}

#endif
