/// @file
/// Grid maps: one bit per cell, the rules of movement, edits, connected components.
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most cells of a side of a map.
#define WEND_MAX_SIDE 32768

/// A cell of a map: y * width + x. y grows southwards.
typedef uint32_t wend_cell;
/// No cell: outside, or there is none.
#define WEND_NO_CELL UINT32_MAX

/// 0 north, 1 north-east, 2 east, 3 south-east, 4 south, 5 south-west, 6 west, 7 north-west. Odd is diagonal.
typedef uint8_t wend_direction;
/// A set of directions: bit d is set for direction d.
typedef uint8_t wend_directions;
/// How many directions there are.
#define WEND_DIRECTIONS 8
/// No direction: there is no move.
#define WEND_NO_DIRECTION 8

/// How far a move goes to the east: -1, 0 or 1. 0 for what is no direction.
WEND_API int32_t wend_direction_dx(wend_direction direction);
/// How far a move goes to the south: -1, 0 or 1. 0 for what is no direction.
WEND_API int32_t wend_direction_dy(wend_direction direction);

/// An exact cost, a whole number. wend_diagonal says in which unit.
typedef uint64_t wend_cost;
/// No cost: there is no path, or no such move.
#define WEND_NO_COST UINT64_MAX

/// The place of a cell, from 0,0 in the north-west.
typedef struct wend_xy {
    /// Column, grows eastwards.
    int32_t x;
    /// Row, grows southwards.
    int32_t y;
} wend_xy;

/// An area of cells.
typedef struct wend_rect {
    /// Westernmost column.
    int32_t x;
    /// Northernmost row.
    int32_t y;
    /// Columns, at least 1.
    int32_t width;
    /// Rows, at least 1.
    int32_t height;
} wend_rect;

/// How many of the two cardinal cells beside a diagonal move must be open.
typedef enum wend_corners {
    /// None: a move may pass between two blocked cells.
    WEND_CORNERS_ANY = 0,
    /// At least one.
    WEND_CORNERS_ONE = 1,
    /// Both.
    WEND_CORNERS_STRICT = 2
} wend_corners;

/// What a diagonal move costs beside a straight one.
typedef enum wend_diagonal {
    /// The square root of 2, as 8119 to 5741: off by 1e-8. The order of two costs is that of the true lengths
    /// while their diagonal counts differ by less than 5,741.
    WEND_DIAGONAL_SQRT2 = 0,
    /// 1.4, as 7 to 5.
    WEND_DIAGONAL_1_4 = 1
} wend_diagonal;

/// Which moves are legal, and what they cost.
typedef struct wend_rules {
    /// Directions of movement: 4 or 8.
    int32_t connect;
    /// Which diagonal moves are legal.
    wend_corners corners;
    /// What they cost.
    wend_diagonal diagonal;
} wend_rules;

/// 8 directions, strict corners, the square root of 2: the rules of the MovingAI benchmarks.
WEND_API wend_rules wend_default_rules(void);

/// Options of a new map. NULL in place of them means the defaults.
typedef struct wend_map_options {
    /// Set by wend_default_map_options().
    uint32_t struct_size;
    /// Default: wend_default_rules().
    wend_rules rules;
    /// The open letters, visible ASCII. Default: ".GS". Read during the call only.
    const char *terrain;
    /// Whether to keep the file's letters, for writing and drawing: one byte per cell. Default: no.
    bool keep_letters;
    /// Where the map's memory comes from. Default: the C library.
    wend_allocator allocator;
    /// Blocked letters besides `@OTW`, and besides those of `.GS` that `terrain` leaves out. Default: "#".
    /// A letter that stands in `terrain` too is open. A space here blocks the spaces of plain levels. Read
    /// during the call only.
    const char *blocked;
} wend_map_options;

/// Sets the defaults of the fields that lie within `size` bytes. For bindings.
WEND_API void wend_map_options_init(wend_map_options *options, size_t size);
/// The defaults.
static inline wend_map_options wend_default_map_options(void) {
    wend_map_options options;
    wend_map_options_init(&options, sizeof options);
    return options;
}

/// A map. Any number of threads may read it while nobody edits it.
typedef struct wend_map wend_map;

/// Makes a map with all cells blocked. format.h reads maps from text and files.
/// @param width, height  1 to WEND_MAX_SIDE.
/// @param options  NULL: the defaults.
/// @param map  Gets the map; NULL if the call fails.
/// @param error  May be NULL, here and everywhere.
WEND_API wend_status wend_map_create(int64_t width, int64_t height, const wend_map_options *options,
                                     wend_map **map, wend_error *error);
/// Makes a map with the same cells, letters, rules and allocator. Its changes are numbered from 1 again.
WEND_API wend_status wend_map_copy(const wend_map *map, wend_map **copy, wend_error *error);
/// Frees a map. NULL is fine.
WEND_API void wend_map_destroy(wend_map *map);

/// Columns.
WEND_API int32_t wend_map_width(const wend_map *map);
/// Rows.
WEND_API int32_t wend_map_height(const wend_map *map);
/// Width times height.
WEND_API uint32_t wend_map_cells(const wend_map *map);
/// How many cells are open.
WEND_API uint32_t wend_map_open_cells(const wend_map *map);
/// The rules that the map was made with.
WEND_API wend_rules wend_map_rules(const wend_map *map);
/// Memory held, in bytes.
WEND_API size_t wend_map_bytes(const wend_map *map);

/// The cell at a place; WEND_NO_CELL outside.
WEND_API wend_cell wend_map_cell(const wend_map *map, int32_t x, int32_t y);
/// The place of a cell of the map.
WEND_API wend_xy wend_map_xy(const wend_map *map, wend_cell cell);
/// Whether a place is open; false outside.
WEND_API bool wend_map_is_open(const wend_map *map, int32_t x, int32_t y);
/// Whether a cell is open; false outside.
WEND_API bool wend_map_is_open_cell(const wend_map *map, wend_cell cell);

/// The letter of a cell: the file's where letters are kept, otherwise '.' or '@'. '@' outside.
WEND_API char wend_map_letter(const wend_map *map, int32_t x, int32_t y);
/// Sets the letters of a row and opens or blocks its cells. For building a map row by row: it is no edit, has
/// no number, and components do not follow it. WEND_STATUS_UNKNOWN_LETTER, with the column, for a letter that
/// is neither open nor blocked; then nothing has changed.
/// @param letters  As many as the map is wide. No final 0 is needed.
WEND_API wend_status wend_map_set_row(wend_map *map, int32_t y, const char *letters, wend_error *error);

/// The legal moves from a cell; none from a blocked one.
WEND_API wend_directions wend_map_moves(const wend_map *map, wend_cell cell);
/// Where a move leads; WEND_NO_CELL if it is not legal.
WEND_API wend_cell wend_map_next(const wend_map *map, wend_cell cell, wend_direction direction);
/// What a move costs; WEND_NO_COST for what is no direction.
WEND_API wend_cost wend_map_move_cost(const wend_map *map, wend_direction direction);
/// The cost on a map without walls: octile or Manhattan distance. Admissible and consistent.
WEND_API wend_cost wend_map_distance(const wend_map *map, wend_cell from, wend_cell to);
/// A length for people, in cells: straight + diagonal * sqrt 2 (or 1.4).
/// @param straight, diagonal  Counts of moves.
WEND_API double wend_map_length(const wend_map *map, uint64_t straight, uint64_t diagonal);

/// Opens or closes all cells of an area that lies inside. If the call fails, nothing has changed. The first
/// edit of a map takes memory for the record of changes: 16 KB, and half a byte per row. No other edit does.
/// @param open  true opens, false closes.
WEND_API wend_status wend_map_edit(wend_map *map, wend_rect area, bool open, wend_error *error);

/// How many changes are kept. Who has not read a change by then must take all cells as changed.
#define WEND_CHANGES_KEPT 4096
/// One cell that an edit has opened or closed. Changes are numbered from 1, those of an edit row by row from
/// north-west to south-east. A cell that was so already is no change.
typedef struct wend_change {
    /// WEND_NO_CELL: there is no change of this number, or it is not kept any more.
    wend_cell cell;
    /// Whether it was opened.
    bool open;
} wend_change;
/// The number of the last change; 0 before any.
WEND_API uint64_t wend_map_revision(const wend_map *map);
/// The change of a number.
WEND_API wend_change wend_map_change_at(const wend_map *map, uint64_t number);

/// A hash of size, cells, rules and costs, the same on every machine. Depends on which cells are open, not on
/// their letters.
WEND_API uint64_t wend_map_fingerprint(const wend_map *map);

/// Connected components: two open cells have the same label if and only if a path joins them.
///
/// Components follow a map that changes, in slices of bounded work. Meanwhile they are unsure:
/// 1. wend_components_create(map, ...): the labels are sure.
/// 2. After edits, wend_components_settle(components, map, operations) in every tick, until it returns true.
/// 3. While wend_components_sure: wend_components_joined and the other questions.
/// 4. wend_components_destroy(components).
typedef struct wend_components wend_components;

/// Labels the components of a map. Takes about 5.4 bytes per cell; no call below takes more.
/// @param allocator  NULL: the map's. A copy is kept.
WEND_API wend_status wend_components_create(const wend_map *map, const wend_allocator *allocator,
                                            wend_components **components, wend_error *error);
/// Frees them. NULL is fine.
WEND_API void wend_components_destroy(wend_components *components);

/// Says that cells of an area may have changed, by whatever means: the labels are unsure from now on. Parts
/// outside the map are ignored. O(1), whatever the area. Edits need no note.
WEND_API void wend_components_note(wend_components *components, wend_rect area);
/// Takes in what was noted, and all edits of the map. Returns true if the labels are sure: those of the map as
/// it is, provided that all changes but edits were noted. Returns false, and does nothing, for a map that
/// can't be theirs.
///
/// The cost of a change depends on the rows it touches, not on what it joins or cuts off. Cells are taken in
/// by strips of 16 rows. A strip that has changed costs at most about 80 operations per column of the map,
/// and 10 more for every doubling of the height beyond 16 rows. That is for walls at every other cell; where
/// walls are few, it is ten times less. A strip that was noted but is as it was costs width / 4 operations.
///
/// No work is lost when other changes come meanwhile. If each tick gives more operations than its changes
/// cost, the labels become sure, and stay so at the end of every tick. Only changes that cost more than is
/// given, tick after tick, keep labels unsure for ever.
/// @param operations  The most to spend: words of 64 cells, runs of open cells, links between those. A call
///     may go over by up to width / 32 + 100; the next calls then have less.
WEND_API bool wend_components_settle(wend_components *components, const wend_map *map, uint64_t operations);
/// Whether the labels are those of the map at the last settle or update, with no change noted since. While
/// they are unsure, no cell has a label, nothing is joined and the count is 0: that means nothing.
WEND_API bool wend_components_sure(const wend_components *components);
/// Takes in at once all that was noted and all edits; the labels are sure. WEND_STATUS_OTHER_MAP if this can't
/// be their map.
WEND_API wend_status wend_components_update(wend_components *components, const wend_map *map,
                                            wend_error *error);

/// The label of an open cell; WEND_NO_CELL for a blocked one. Labels are below 2^30, not dense, in no
/// particular order. Only the cells and rules of the map decide them, not how it came to be.
WEND_API uint32_t wend_components_label(const wend_components *components, wend_cell cell);
/// Whether a path joins two cells.
WEND_API bool wend_components_joined(const wend_components *components, wend_cell a, wend_cell b);
/// How many components there are.
WEND_API uint32_t wend_components_count(const wend_components *components);
/// How many cells the component of a label has.
WEND_API uint32_t wend_components_size(const wend_components *components, uint32_t label);
/// The label of the largest; the smallest label if several are as large; WEND_NO_CELL if there is none. Looks
/// at all labels.
WEND_API uint32_t wend_components_largest(const wend_components *components);
/// The map's revision when its changes were last taken note of.
WEND_API uint64_t wend_components_revision(const wend_components *components);
/// Memory held, in bytes.
WEND_API size_t wend_components_bytes(const wend_components *components);

#ifdef __cplusplus
}
#endif
#endif
