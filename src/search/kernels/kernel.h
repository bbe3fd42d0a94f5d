/* The kernels of a search: what each keeps of a cell, and the functions that work on it. astar.inc is the
 * loop of all of them but D* Lite, which has incremental.inc, jump-point search, which has corner.inc, and that
 * without tables, which has scan.inc. Each is included once for each kind of storage and width of costs, and
 * ends with a row: one wend_kernel.
 *
 *     kernels/astar.c   A*: cost and parent, one record per cell; also with a queue for whole searches
 *     kernels/corner.c  jump-point search, one record per corner: see corner_graph.h
 *     kernels/scan.c    A* over jump points that are found on the map's bits, records by hash: see kernels/scan.h
 *     adaptive.c        A* with a heuristic learnt from earlier searches, one record per cell
 *     learnt.c          lookaheads of real-time planners, records by hash
 *     incremental.c     D* Lite, one record per cell
 *
 * A new kernel is a record here, a file that includes a loop, and a name in the list below. */
#ifndef WEND_SEARCH_KERNELS_KERNEL_H
#define WEND_SEARCH_KERNELS_KERNEL_H

#include "grid/map.h"
#include "search/kernels/queue.h"
#include <wend/search.h>

/* A record's tag: stamp << 5 | closed << 4 | how it was reached. A record with another stamp than the
 * search's counts as never touched. */
enum { WEND_TAG_STAMP = 5, WEND_TAG_CLOSED = 16, WEND_TAG_REACHED = 15, WEND_TAG_ROOT = 8 };
#define WEND_LAST_STAMP ((1u << 27) - 1)

/* One record per cell, indexed by cell. */
typedef struct wend_record_narrow {
    uint32_t g, tag;
} wend_record_narrow;

typedef struct wend_record_wide {
    uint64_t g;
    uint32_t tag, unused;
} wend_record_wide;

/* With a learnt heuristic: `h` is what was known of the cell when the search of its stamp first touched it,
 * plus the offset of that time. See adaptive.h. */
typedef struct wend_record_adaptive {
    uint32_t g, tag, h;
} wend_record_adaptive;

typedef struct wend_record_adaptive_wide {
    uint64_t g, h;
    uint32_t tag, unused;
} wend_record_adaptive_wide;

/* Of a search that goes on when the map has changed: see incremental.h. `place` is the index of the cell's
 * node in the queue; 0: it has none. */
typedef struct wend_record_incremental {
    uint32_t g, rhs, stamp, place;
} wend_record_incremental;

typedef struct wend_record_incremental_wide {
    uint64_t g, rhs;
    uint32_t stamp, place;
} wend_record_incremental_wide;

/* One per corner, indexed by its number: see corner_graph.h. */
typedef struct wend_record_corner {
    uint32_t g, tag, parent;
} wend_record_corner;

typedef struct wend_record_corner_wide {
    uint64_t g;
    uint32_t tag, parent;
} wend_record_corner_wide;

/* The same, without tables. The first two fields are those of all widths. */
typedef struct wend_record_scan {
    uint32_t tag, cell, parent, g;
} wend_record_scan;

typedef struct wend_record_scan_wide {
    uint32_t tag, cell, parent, unused;
    uint64_t g;
} wend_record_scan_wide;

/* For real-time planners: what an agent has learnt of the way to its goal, and its lookahead's records, in
 * one open-addressing table, never more than half full. learnt.h explains the numbers. A tag: number << 10 | first move of the way here << 7 |
 * raised << 6 | visited << 5, and the rest as above. */
enum {
    WEND_LEARNT_VISITED = 1 << 5,
    WEND_LEARNT_RAISED = 1 << 6,
    WEND_LEARNT_WAY_SHIFT = 7,
    WEND_LEARNT_WAY = 7 << WEND_LEARNT_WAY_SHIFT,
    WEND_LEARNT_NUMBER = 10
};

typedef struct wend_record_learnt {
    uint32_t g, h, tag;
    wend_cell cell;
} wend_record_learnt;

typedef struct wend_record_learnt_wide {
    uint64_t g, h, tag;
    wend_cell cell;
    uint32_t unused;
} wend_record_learnt_wide;

typedef enum wend_ended {
    WEND_ENDED_GOAL,
    WEND_ENDED_EMPTY,
    WEND_ENDED_BUDGET,
    WEND_ENDED_FULL,
    WEND_ENDED_OUTGROWN /* costs need 64 bits: of kernels for whole searches, which begin again */
} wend_ended;

/* A row of the table. A search has one at a time, and calls it once per slice, not once per expansion. */
typedef struct wend_kernel {
    uint32_t record_bytes; /* of what it keeps of a cell */
    uint32_t tag_at;       /* where in a record its tag stands; D* Lite has none */
    uint32_t node_bytes;   /* of its queue */
    bool wide;             /* costs have 64 bits, not 32 */
    /* Opens the start, for a queue and a stamp that are fresh. */
    void (*root)(wend_search *search);
    /* Goes on until the goal comes off the queue, the queue is empty, `budget` expansions are done or
     * `outdated` nodes were passed over, or there might be no room for the next expansion. */
    wend_ended (*run)(wend_search *search, uint64_t budget, uint64_t outdated);
    /* The cell about to be expanded, after passing over at most `outdated` nodes; WEND_NO_CELL if that did
     * not lead to one. NULL, as `look`: `run` reports to who watches. */
    wend_cell (*best)(wend_search *search, uint64_t outdated);
    /* What there is to say of a cell that was just expanded. */
    wend_expansion (*look)(const wend_search *search, wend_cell cell);
    /* What the current search knows of a cell, as one number for comparing runs; UINT64_MAX if it has not
     * touched it. Of A*: g << WEND_TAG_STAMP | closed and reached, as in a tag. */
    uint64_t (*touched)(const wend_search *search, wend_cell cell);
} wend_kernel;

extern const wend_kernel wend_kernel_narrow, wend_kernel_wide, wend_kernel_whole, wend_kernel_whole_wide,
    wend_kernel_scan, wend_kernel_scan_wide, wend_kernel_adaptive, wend_kernel_adaptive_wide,
    wend_kernel_corner, wend_kernel_corner_wide, wend_kernel_learnt, wend_kernel_learnt_wide,
    wend_kernel_incremental, wend_kernel_incremental_wide;

/* A function of one kind of storage, in the width of the search's kernel. */
#define WEND_OF_WIDTH(search, f) ((search)->kernel->wide ? f##_wide : (f))

/* Where to look first for a cell in a table of slots. Eight cells in a row stay together, since neighbours
 * are looked up together; Fibonacci hashing of the rest. */
WEND_INLINE uint32_t wend_slot_of(wend_cell cell, uint32_t mask) {
    uint32_t group = (uint32_t)(((cell >> 3) * (uint64_t)0x9e3779b97f4a7c15u) >> 32);
    return (group << 3 | (cell & 7)) & mask;
}

#endif
