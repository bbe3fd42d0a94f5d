/* The graph of an exact atlas: corners, and the straight or once bent ways between them.
 *
 * Of all shortest paths between two cells, jump-point search keeps one (onward.h). It is made of pieces that
 * are natural: a run of primary moves and then a run of secondary ones. Each costs what the distance without
 * walls gives. From one piece to the next it turns at a cell where a wall forces it to. Such cells are the
 * corners, under any rules of movement: for `strict`, open cells with a blocked diagonal neighbour between
 * two open cardinal ones.
 *
 * So these edges are enough, from a corner in every direction in which a path that was forced to turn there,
 * or passed it where it might have, can go on: to the first corner, on a natural piece, at which a path that
 * comes this way may be forced to turn. Such corners are passed one after another by the path that is kept:
 * from the first on the way from the start to the last before the goal, all costs are the graph's. What is
 * left are the two ends:
 * - from the start, natural pieces lead to the first such corner on each;
 * - the goal lies on a natural piece of the last one, before any other.
 * For each sector of the map all corners that are one or the other for some cell of it are kept. Where three
 * of the four sectors of a square have one, the square has it instead, and so on for larger squares. Climbing
 * shows which of them are an agent's: on a natural piece the climber keeps to it (with four directions it may
 * not, and is led by the place where the piece turns). Other corners that can be climbed to for the distance
 * without walls do no harm. */
#ifndef WEND_ATLAS_BUILD_CORNERS_H
#define WEND_ATLAS_BUILD_CORNERS_H

#include "methods/atlas/build/graph.h"

typedef struct wend_atlas_corners {
    const wend_map *map;
    const wend_jumps *jumps;
    wend_allocator allocator;
    wend_atlas_grid grid;
    wend_cell *cells; /* in order */
    uint32_t count, capacity;
} wend_atlas_corners;

/* WEND_STATUS_NO_MEMORY. Release it in any case. */
wend_status wend_atlas_corners_find(wend_atlas_corners *corners, const wend_map *map, const wend_jumps *jumps,
                                    uint32_t side, const wend_allocator *allocator);
void wend_atlas_corners_release(wend_atlas_corners *corners);
/* The number of the corner at a cell; of any other cell, some number. There is at least one corner. */
uint32_t wend_atlas_corner_at(const wend_atlas_corners *corners, wend_cell cell);

/* What a worker needs for the edges of a corner. */
typedef struct wend_atlas_sweeper {
    const wend_atlas_corners *corners;
    uint32_t squares;
    uint32_t *stamps; /* of each square: the corner that it was met from last, plus 1 */
    uint32_t *met;    /* the sectors of this one, in any order; then the squares, in order */
    uint8_t *parts;   /* of each square of the last level: how many of the level below have it */
    uint32_t met_count;
    bool full; /* there was no memory */
} wend_atlas_sweeper;

bool wend_atlas_sweeper_create(wend_atlas_sweeper *sweeper, const wend_atlas_corners *corners);
void wend_atlas_sweeper_release(wend_atlas_sweeper *sweeper);

/* Adds the links of a corner as wend_atlas_put has them; and to `places` how many squares have it at an end
 * of a way, and which, in order, 32 bits each, low bytes first. False: no memory. */
bool wend_atlas_sweep(wend_atlas_sweeper *sweeper, uint32_t corner, wend_buffer *links, wend_buffer *places);

/* By square, the corners that cells of it may have at the ends of their ways. */
typedef struct wend_atlas_lists {
    wend_allocator allocator;
    uint32_t squares;
    size_t *first; /* by square; one more closes them */
    uint32_t *corners;
    size_t count;
} wend_atlas_lists;

/* From what all corners have added to `places`, in order. WEND_STATUS_DAMAGED, if that can't be;
 * WEND_STATUS_NO_MEMORY. Release them in any case. */
wend_status wend_atlas_lists_make(wend_atlas_lists *lists, const wend_atlas_corners *corners,
                                  const wend_buffer *places, size_t buffers);
void wend_atlas_lists_release(wend_atlas_lists *lists);

#endif
