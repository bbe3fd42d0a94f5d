/* The workspace behind wend_search: stamped records, one queue, counters. Resetting it is O(1). */
#ifndef WEND_SEARCH_SEARCH_H
#define WEND_SEARCH_SEARCH_H

#include "grid/map.h"
#include "search/onward.h"
#include "search/queue.h"
#include <wend/search.h>

/* A record's tag: stamp << 5 | closed << 4 | how it was reached. A record with another stamp than the
 * search's counts as never touched. */
enum { WEND_TAG_STAMP = 5, WEND_TAG_CLOSED = 16, WEND_TAG_REACHED = 15, WEND_TAG_ROOT = 8 };
#define WEND_LAST_STAMP ((1u << 27) - 1)

/* A record a cell, indexed by cell. */
typedef struct wend_record_narrow {
    uint32_t g, tag;
} wend_record_narrow;

typedef struct wend_record_wide {
    uint64_t g;
    uint32_t tag, unused;
} wend_record_wide;

/* For searches that touch few cells of a large map: an open-addressing table, never more than half full. */
typedef struct wend_record_jump {
    uint64_t g;
    uint32_t tag, cell, parent, unused;
} wend_record_jump;

typedef enum wend_ended { WEND_ENDED_GOAL, WEND_ENDED_EMPTY, WEND_ENDED_BUDGET, WEND_ENDED_FULL } wend_ended;

struct wend_search {
    const wend_map *map;
    wend_allocator allocator;
    size_t max_bytes, bytes;
    bool wide; /* the map's costs need more than 32 bits */

    uint32_t stamp;
    uint32_t cell_count;
    void *cells; /* wend_record_narrow or wend_record_wide, map->cells of them; NULL until needed */
    wend_record_jump *slots;
    uint32_t slot_count; /* a power of two, or 0 */
    uint32_t slot_stamp; /* the stamp of `slots`, apart from that of `cells` */
    wend_queue queue;
    void *queue_block; /* what was allocated; nodes begin at its first cache line */
    bool queue_wide;   /* which nodes the queue holds now */

    wend_onward onward;
    uint8_t move_count[512]; /* legal moves, by the cells around */

    const wend_jumps *jumps; /* of the current search; NULL: A* */
    wend_cell start, goal;
    uint32_t goal_x, goal_y;
    uint64_t expansions, operations;
    uint32_t touched; /* records */
    bool found;
    uint64_t path_cost, straight, diagonal;
};

/* The A* loop, resumable: expands until the goal comes off the queue, the queue is empty, `budget` expansions
 * are done, or the queue might run out of nodes. One for each kind of storage. */
wend_ended wend_astar_run_narrow(wend_search *search, uint64_t budget);
wend_ended wend_astar_run_wide(wend_search *search, uint64_t budget);
wend_ended wend_astar_run_jump(wend_search *search, uint64_t budget);

/* Opens the start with f = h, for a queue and a stamp that are fresh. */
void wend_astar_root_narrow(wend_search *search, uint32_t h);
void wend_astar_root_wide(wend_search *search, uint64_t h);
void wend_astar_root_jump(wend_search *search, uint64_t h);

/* The slot of a cell that the current jump search has touched. */
const wend_record_jump *wend_jump_record(const wend_search *search, wend_cell cell);

#endif
