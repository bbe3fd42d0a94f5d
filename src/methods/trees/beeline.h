/* Beelines: paths between two cells that cost no more than if there were no walls. With eight directions such
 * a path has two kinds of moves, the diagonal towards its end and the straight one along the longer axis,
 * each a known number of times. With four, they are the two towards its end. So it is found by going ahead,
 * the first kind where that is legal, and going back from dead ends, which are remembered. The climber goes
 * the same way but never back.
 *
 * A search in slices, in memory of a fixed size. Whoever walks a beeline that was found needs its dead ends
 * only, not its moves. */
#ifndef WEND_TREES_BEELINE_H
#define WEND_TREES_BEELINE_H

#include "grid/map.h"

enum {
    WEND_BEELINE_DEAD = 512,                       /* places for dead ends by hash */
    WEND_BEELINE_ENDS = WEND_BEELINE_DEAD / 4 * 3, /* of which so many are used at most */
    WEND_BEELINE_TRAIL = 512 /* moves that are kept: each move back is a dead end, so no more are needed */
};

typedef enum wend_beeline_state {
    WEND_BEELINE_MORE,  /* the operations are used up */
    WEND_BEELINE_FOUND, /* there is one */
    WEND_BEELINE_NONE,  /* there is none */
    WEND_BEELINE_LOST   /* too many dead ends: not known */
} wend_beeline_state;

typedef struct wend_beeline {
    wend_cell from, to, at;
    uint32_t to_x, to_y;
    uint32_t first, second; /* the two kinds of moves; WEND_NO_DIRECTION: it is not needed on this line */
    uint32_t moves;         /* made from `from` to `at` */
    uint32_t dead_used;     /* of `dead` */
    wend_cell dead[WEND_BEELINE_DEAD];       /* WEND_NO_CELL: free. As it was left if dead_used is 0 */
    uint32_t trail[WEND_BEELINE_TRAIL / 32]; /* bit m modulo the size: move m was of the second kind */
} wend_beeline;
_Static_assert(WEND_BEELINE_TRAIL >= WEND_BEELINE_ENDS, "every way back is kept");

/* Both cells are open. */
void wend_beeline_begin(const wend_map *map, wend_beeline *line, wend_cell from, wend_cell to);
/* Goes on for about `most` operations (two more at most), which it counts. */
wend_beeline_state wend_beeline_run(const wend_map *map, wend_beeline *line, uint64_t most,
                                    uint64_t *operations);
/* The next move of a beeline that was found from one of its cells; WEND_NO_DIRECTION at its end and off it.
 * Counts WEND_BEELINE_OPERATIONS at most. */
uint32_t wend_beeline_move(const wend_map *map, const wend_beeline *line, wend_cell at, uint64_t *operations);
enum { WEND_BEELINE_OPERATIONS = 3 };

#endif
