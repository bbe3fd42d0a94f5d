/* Optimal searches on a known map: A*, jump-point search with tables, one-to-all distances, hill-climbing. */
#ifndef WEND_SEARCH_H
#define WEND_SEARCH_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wend_found {
    WEND_FOUND_PATH = 0,
    WEND_FOUND_UNREACHABLE = 1,  /* proved: there is no path */
    WEND_FOUND_OUT_OF_MEMORY = 2 /* the cap of the options was reached; nothing is known */
} wend_found;

typedef struct wend_result {
    wend_found found;
    wend_cost cost;              /* exact; WEND_NO_COST unless found */
    uint64_t straight, diagonal; /* the moves of the path, counted */
    uint64_t expansions;
    uint64_t operations; /* cells, queue nodes and table entries examined */
} wend_result;

typedef struct wend_search_options {
    uint32_t struct_size; /* set by wend_default_...() */
    size_t max_bytes;     /* cap on the search's memory; 0: none */
    wend_allocator allocator;
} wend_search_options;

/* For wend_default_search_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_search_options_init(wend_search_options *options, size_t size);
static inline wend_search_options wend_default_search_options(void) {
    wend_search_options options;
    wend_search_options_init(&options, sizeof options);
    return options;
}

/* A workspace for one search at a time on one map; edits of the map between searches are taken in. Memory is
 * taken when first needed and kept; starting a search clears nothing. */
typedef struct wend_search wend_search;

WEND_API wend_status wend_search_create(const wend_map *map, const wend_search_options *options,
                                        wend_search **search, wend_error *error);
WEND_API void wend_search_destroy(wend_search *search);
WEND_API size_t wend_search_bytes(const wend_search *search);      /* memory held */
WEND_API size_t wend_search_peak_bytes(const wend_search *search); /* touched by the last search */

/* Start and goal must be open: WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED otherwise. */
WEND_API wend_status wend_search_astar(wend_search *search, wend_cell start, wend_cell goal,
                                       wend_result *result, wend_error *error);

/* Tables for jump-point search: 16 bytes a cell, one pass over the map. May be shared by threads; stale after
 * an edit. `allocator` may be NULL. */
typedef struct wend_jumps wend_jumps;

WEND_API wend_status wend_jumps_create(const wend_map *map, const wend_allocator *allocator,
                                       wend_jumps **jumps, wend_error *error);
WEND_API void wend_jumps_destroy(wend_jumps *jumps);
WEND_API size_t wend_jumps_bytes(const wend_jumps *jumps);

WEND_API wend_status wend_search_jps(wend_search *search, const wend_jumps *jumps, wend_cell start,
                                     wend_cell goal, wend_result *result, wend_error *error);

/* The path that the last search found: its moves, or its cells from start to goal (one more than moves).
 * Writes at most `capacity` of them, the first ones, and returns how many there are; 0 if none was found. */
WEND_API size_t wend_search_moves(const wend_search *search, wend_direction *moves, size_t capacity);
WEND_API size_t wend_search_path(const wend_search *search, wend_cell *cells, size_t capacity);

/* Watching a search, for traces and for finding out what it does: a call for each cell that it expands. Costs
 * nothing where nobody watches. */
typedef struct wend_expansion {
    wend_cell cell;
    wend_cell parent; /* from where the search came; WEND_NO_CELL at its root, and for dstar-lite */
    wend_cost g;      /* from the root to the cell; WEND_NO_COST where dstar-lite knows of no way any more */
    wend_cost h;      /* what it took the rest to cost at least */
} wend_expansion;

typedef struct wend_watch {
    /* After the expansion, in the thread and within the call that searches. It must not change the search, or
     * the agent or world that it belongs to. */
    void (*expanded)(void *context, const wend_expansion *expansion);
    void *context;
} wend_watch;

/* From now on: the same results and counts, more slowly. The watch must outlive that; NULL ends it. */
WEND_API void wend_search_watch(wend_search *search, const wend_watch *watch);

/* Exact distances between one cell, the root, and all others, with every optimal move. */
typedef struct wend_field wend_field;

typedef struct wend_field_options {
    uint32_t struct_size; /* set by wend_default_...() */
    bool towards;         /* the moves at each cell that start an optimal path to the root; yes */
    bool from;            /* the moves at the root that start an optimal path to each cell; no */
    wend_allocator allocator;
} wend_field_options;

/* For wend_default_field_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_field_options_init(wend_field_options *options, size_t size);
static inline wend_field_options wend_default_field_options(void) {
    wend_field_options options;
    wend_field_options_init(&options, sizeof options);
    return options;
}
WEND_API wend_status wend_field_create(const wend_map *map, const wend_field_options *options,
                                       wend_field **field, wend_error *error);
WEND_API void wend_field_destroy(wend_field *field);
WEND_API size_t wend_field_bytes(const wend_field *field);
WEND_API wend_status wend_field_compute(wend_field *field, wend_cell root, wend_error *error);
WEND_API uint32_t wend_field_reached(const wend_field *field);               /* cells, the root included */
WEND_API wend_cost wend_field_cost(const wend_field *field, wend_cell cell); /* WEND_NO_COST: no path */
WEND_API wend_directions wend_field_towards(const wend_field *field, wend_cell cell);
WEND_API wend_directions wend_field_from(const wend_field *field, wend_cell cell);

/* The hill-climber of "Case-based subgoaling" (figure 7): at each cell the move of least cost + distance
 * left, ties to the dearer move, then to the smaller direction; it gives up where no neighbour is nearer than
 * the cell itself. */
typedef struct wend_climb_result {
    bool reached;
    wend_cell end; /* where it stands */
    uint32_t straight, diagonal;
    uint64_t operations;
} wend_climb_result;

/* The climber's next move, or WEND_NO_DIRECTION where it gives up or stands on the target. */
WEND_API wend_direction wend_climb_move(const wend_map *map, wend_cell from, wend_cell to);
/* At most `max_steps` moves. Both cells must be on the map; a blocked one is never reached. */
WEND_API wend_climb_result wend_climb(const wend_map *map, wend_cell from, wend_cell to, uint32_t max_steps);

#ifdef __cplusplus
}
#endif
#endif
