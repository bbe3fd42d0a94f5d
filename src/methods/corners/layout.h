/* What a database of kind corners holds, as it stands in the file. */
#ifndef WEND_CORNERS_LAYOUT_H
#define WEND_CORNERS_LAYOUT_H

#include "methods/corners/corners.h"

/* The section `shape`. */
typedef struct wend_corners_shape {
    uint32_t side, columns, rows; /* of tiles, in cells; and how many of those there are */
    uint32_t corners, edges;      /* of the map's graph */
} wend_corners_shape;

enum { WEND_CORNERS_SHAPE = sizeof(wend_corners_shape) / sizeof(uint32_t) };

/* Words of a tile's flags, one bit per edge; one more word than they need, so that a look may overlap. */
WEND_INLINE uint64_t wend_corners_words(uint32_t edges) {
    return (uint64_t)edges / 64 + 2;
}

const wend_corners_shape *wend_corners_shape_of(const wend_db *db);
/* The flags for a goal. */
const uint64_t *wend_corners_flags(const wend_db *db, wend_cell goal);
/* WEND_STATUS_DAMAGED if the graph of corners is not the one that the flags are of. */
wend_status wend_corners_check(const wend_db *db, const wend_jumps *jumps, wend_error *error);

#endif
