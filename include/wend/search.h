/// @file
/// Optimal searches on a known map: one path, A*, jump-point search, one-to-all distances. Hill-climbing, sight.
#ifndef WEND_SEARCH_H
#define WEND_SEARCH_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a search ended.
typedef enum wend_found {
    /// A path of least cost.
    WEND_FOUND_PATH = 0,
    /// Proved: there is no path.
    WEND_FOUND_UNREACHABLE = 1,
    /// The cap of the options was reached; nothing is known.
    WEND_FOUND_OUT_OF_MEMORY = 2
} wend_found;

/// What a search found, and what it did.
typedef struct wend_result {
    /// How it ended.
    wend_found found;
    /// Exact; WEND_NO_COST unless found.
    wend_cost cost;
    /// Straight moves of the path.
    uint64_t straight;
    /// Diagonal moves of the path.
    uint64_t diagonal;
    /// Cells that were expanded.
    uint64_t expansions;
    /// Cells, queue nodes and table entries that were examined.
    uint64_t operations;
    /// Cells of the path, start and goal included; 0 unless found.
    uint64_t path_cells;
} wend_result;

/// Options of a search. NULL in place of them means the defaults.
typedef struct wend_search_options {
    /// Set by wend_default_search_options().
    uint32_t struct_size;
    /// Cap on the search's memory, in bytes. Default: 0, none.
    size_t max_bytes;
    /// Where its memory comes from. Default: the C library.
    wend_allocator allocator;
} wend_search_options;

/// Sets the defaults of the fields that lie within `size` bytes. For bindings.
WEND_API void wend_search_options_init(wend_search_options *options, size_t size);
/// The defaults.
static inline wend_search_options wend_default_search_options(void) {
    wend_search_options options;
    wend_search_options_init(&options, sizeof options);
    return options;
}

/// A workspace for one search at a time on one map. Edits of the map between searches are taken in. Memory is
/// taken when first needed and kept; starting a search clears nothing.
///
/// 1. wend_search_create(map, ...)
/// 2. wend_search_find(search, start, goal, path, ...), as often as needed.
/// 3. wend_search_destroy(search)
typedef struct wend_search wend_search;

/// Makes a workspace.
/// @param map  Must outlive it.
/// @param options  NULL: the defaults.
WEND_API wend_status wend_search_create(const wend_map *map, const wend_search_options *options,
                                        wend_search **search, wend_error *error);
/// Frees it. NULL is fine.
WEND_API void wend_search_destroy(wend_search *search);
/// Memory held, in bytes.
WEND_API size_t wend_search_bytes(const wend_search *search);
/// Memory touched by the last search, in bytes.
WEND_API size_t wend_search_peak_bytes(const wend_search *search);

/// Finds a path of least cost and writes its cells, from start to goal. For maps that are asked a few times or
/// edited often: jump points are found on the map's bits, and nothing is prepared but a copy of them, turned
/// round, of one bit per cell. How it searches may change between versions, and with that which of several paths
/// of least cost it finds. WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED if start or goal is not an open cell.
/// @param path  Gets the first `capacity` cells of the path. NULL: none.
/// @param result  Its path_cells counts all cells, also those beyond `capacity`.
WEND_API wend_status wend_search_find(wend_search *search, wend_xy start, wend_xy goal, wend_xy *path,
                                      size_t capacity, wend_result *result, wend_error *error);

/// Finds the path of least cost to the nearest of several goals, and writes its cells, from start to that goal.
/// Goals that are blocked or outside are passed over; WEND_STATUS_BLOCKED if that leaves none. Of several goals at
/// the same cost it is always the same one. It is one A*, from all goals at a time, so it takes little more than
/// one to the nearest alone. wend_search_moves and wend_search_path give nothing of it.
/// @param goals  `count` places, in any order.
/// @param path  Gets the first `capacity` cells of the path. NULL: none.
/// @param result  Its path_cells counts all cells, also those beyond `capacity`.
WEND_API wend_status wend_search_find_any(wend_search *search, wend_xy start, const wend_xy *goals,
                                          size_t count, wend_xy *path, size_t capacity, wend_result *result,
                                          wend_error *error);
/// The same to the nearest cell of an area: a base, or all cells within N of a goal at x, y, which is
/// {x - N, y - N, 2 * N + 1, 2 * N + 1}. Parts outside the map are ignored; WEND_STATUS_OUTSIDE if all
/// of it is. WEND_STATUS_BLOCKED if the start lies outside it and all cells along its border are blocked.
WEND_API wend_status wend_search_find_area(wend_search *search, wend_xy start, wend_rect area, wend_xy *path,
                                           size_t capacity, wend_result *result, wend_error *error);

/// A* with the octile distance: always the same path of several of least cost. WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED if start or goal is not an open
/// cell.
WEND_API wend_status wend_search_astar(wend_search *search, wend_cell start, wend_cell goal,
                                       wend_result *result, wend_error *error);

/// Tables for jump-point search: 16 bytes per cell, and a graph of the map's corners. Threads may share them.
/// Stale after an edit, until they are updated. WEND_STATUS_TOO_LARGE if there are 2^27 corners or more.
typedef struct wend_jumps wend_jumps;

/// Makes the tables of a map, which must outlive them.
/// @param allocator  NULL: the C library's.
WEND_API wend_status wend_jumps_create(const wend_map *map, const wend_allocator *allocator,
                                       wend_jumps **jumps, wend_error *error);
/// Makes them the tables of the map as it is. After an edit of a few cells that takes a small part of what
/// making them takes. Nobody may search with them meanwhile. WEND_STATUS_NO_MEMORY: they stay stale, and may be
/// updated later.
WEND_API wend_status wend_jumps_update(wend_jumps *jumps, wend_error *error);
/// Frees them. NULL is fine.
WEND_API void wend_jumps_destroy(wend_jumps *jumps);
/// Memory held, in bytes.
WEND_API size_t wend_jumps_bytes(const wend_jumps *jumps);

/// Jump-point search: the same costs as A*, with fewer expansions. The tables must stay as they are while the
/// path is read. WEND_STATUS_OTHER_MAP or WEND_STATUS_STALE
/// if the tables are not of the search's map as it is; otherwise as wend_search_astar.
WEND_API wend_status wend_search_jps(wend_search *search, const wend_jumps *jumps, wend_cell start,
                                     wend_cell goal, wend_result *result, wend_error *error);

/// The moves of the path that the last search found. Returns how many there are; 0 if none was found.
/// @param moves  Gets the first `capacity` of them. NULL: none.
WEND_API size_t wend_search_moves(const wend_search *search, wend_direction *moves, size_t capacity);
/// The cells of the path that the last search found, from start to goal. Returns how many there are; 0 if none
/// was found.
/// @param cells  Gets the first `capacity` of them. NULL: none.
WEND_API size_t wend_search_path(const wend_search *search, wend_cell *cells, size_t capacity);

/// What a search has just expanded.
typedef struct wend_expansion {
    /// The cell.
    wend_cell cell;
    /// From where the search came; WEND_NO_CELL at its root, and for dstar-lite.
    wend_cell parent;
    /// Cost from the root to the cell; WEND_NO_COST where dstar-lite knows of no way any more.
    wend_cost g;
    /// Lower bound on the cost of the rest, as the search saw it.
    wend_cost h;
} wend_expansion;

/// Watches a search: a call for each cell that it expands. Costs nothing where nobody watches.
typedef struct wend_watch {
    /// Called after the expansion, in the thread and within the call that searches. It must not change the
    /// search, or the agent or world that it belongs to.
    void (*expanded)(void *context, const wend_expansion *expansion);
    /// Passed to `expanded`.
    void *context;
} wend_watch;

/// Watches from now on: the same results and counts, more slowly.
/// @param watch  Must outlive that; NULL ends it.
WEND_API void wend_search_watch(wend_search *search, const wend_watch *watch);

/// Exact distances between one cell, the root, and all others, with every optimal move.
///
/// 1. wend_field_create(map, ...)
/// 2. wend_field_compute(field, root, ...)
/// 3. wend_field_cost, _towards and _from, for any cell.
/// 4. wend_field_destroy(field)
typedef struct wend_field wend_field;

/// Options of a field. NULL in place of them means the defaults.
typedef struct wend_field_options {
    /// Set by wend_default_field_options().
    uint32_t struct_size;
    /// Whether to keep the moves at each cell that start an optimal path to the root. Default: yes.
    bool towards;
    /// Whether to keep the moves at the root that start an optimal path to each cell. Default: no.
    bool from;
    /// Where its memory comes from. Default: the C library.
    wend_allocator allocator;
} wend_field_options;

/// Sets the defaults of the fields that lie within `size` bytes. For bindings.
WEND_API void wend_field_options_init(wend_field_options *options, size_t size);
/// The defaults.
static inline wend_field_options wend_default_field_options(void) {
    wend_field_options options;
    wend_field_options_init(&options, sizeof options);
    return options;
}
/// Makes a field of a map, which must outlive it.
/// @param options  NULL: the defaults.
WEND_API wend_status wend_field_create(const wend_map *map, const wend_field_options *options,
                                       wend_field **field, wend_error *error);
/// Frees it. NULL is fine.
WEND_API void wend_field_destroy(wend_field *field);
/// Memory held, in bytes.
WEND_API size_t wend_field_bytes(const wend_field *field);
/// Computes the distances of all cells from a root, which must be open.
WEND_API wend_status wend_field_compute(wend_field *field, wend_cell root, wend_error *error);
/// How many cells a path joins with the root, the root included.
WEND_API uint32_t wend_field_reached(const wend_field *field);
/// The cost between a cell and the root; WEND_NO_COST: no path.
WEND_API wend_cost wend_field_cost(const wend_field *field, wend_cell cell);
/// The moves at a cell that start an optimal path to the root; none unless kept.
WEND_API wend_directions wend_field_towards(const wend_field *field, wend_cell cell);
/// The moves at the root that start an optimal path to a cell; none unless kept.
WEND_API wend_directions wend_field_from(const wend_field *field, wend_cell cell);

/// Where a climb ended. The hill-climber is that of "Case-based subgoaling" (figure 7): at each cell the move
/// of least cost + distance left, ties to the more expensive move, then to the smaller direction. It gives up
/// where no neighbour is nearer than the cell itself.
typedef struct wend_climb_result {
    /// Whether it stands on the target.
    bool reached;
    /// Where it stands.
    wend_cell end;
    /// Straight moves made.
    uint32_t straight;
    /// Diagonal moves made.
    uint32_t diagonal;
    /// Cells that were examined.
    uint64_t operations;
} wend_climb_result;

/// The climber's next move; WEND_NO_DIRECTION where it gives up or stands on the target.
WEND_API wend_direction wend_climb_move(const wend_map *map, wend_cell from, wend_cell to);
/// Climbs. Both cells must be on the map; a blocked one is never reached.
/// @param max_steps  The most moves.
WEND_API wend_climb_result wend_climb(const wend_map *map, wend_cell from, wend_cell to, uint32_t max_steps);

/// Whether a mover can go straight, at any angle, from the middle of one cell to the middle of another. False if
/// one of them is blocked or outside. The mover is as the map's rules have it:
///
/// - WEND_CORNERS_STRICT, and connect 4: a square of one cell. No blocked cell overlaps it on its way; edges may
///   touch. On the map of a larger body this holds for the whole body.
/// - WEND_CORNERS_ONE and WEND_CORNERS_ANY: a point. Its way crosses no blocked cell. Where it passes through the
///   point between four cells, the rule for diagonal moves decides.
///
/// So it sees a neighbour exactly if the move there is legal (connect 4: diagonal neighbours if both moves to
/// either side are). Takes time in proportion to the cells on the way.
WEND_API bool wend_map_sees(const wend_map *map, wend_xy from, wend_xy to);
/// Turns a path into straight legs: keeps the cells where it turns, so that each sees the next as wend_map_sees
/// says. There are as few as can be with turns on cells of the path, in its order, and each leg in turn is as long
/// as it can be. So the way is never longer than the path. Takes up to cells * cells / 2 looks.
///
/// WEND_STATUS_BAD_ARGUMENT, with its number, for a cell that the one before it does not see, and for a path of
/// more cells than the map has.
/// @param allocator  For 8 bytes per cell of the path, given back before it returns. NULL: the C library's.
/// @param path  A path of wend_search_find, for example. Gets the turns, start and goal included.
/// @param cells  How many cells the path has. Gets how many turns there are.
WEND_API wend_status wend_smooth(const wend_map *map, const wend_allocator *allocator, wend_xy *path,
                                 size_t *cells, wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
