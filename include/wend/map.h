/* Grid maps: a bit a cell, the rules of movement, edits, connected components. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEND_MAX_SIDE 32768

/* y * width + x; y grows southwards. */
typedef uint32_t wend_cell;
#define WEND_NO_CELL UINT32_MAX

/* 0 north, 1 north-east, 2 east, 3 south-east, 4 south, 5 south-west, 6 west, 7 north-west: odd is diagonal.
 * A set of directions is a byte with bit d set for direction d. */
typedef uint8_t wend_direction;
typedef uint8_t wend_directions;
#define WEND_DIRECTIONS 8
#define WEND_NO_DIRECTION 8

/* How far a move goes to the east (dx) and to the south (dy): -1, 0 or 1. 0 for what is no direction. */
WEND_API int32_t wend_direction_dx(wend_direction direction);
WEND_API int32_t wend_direction_dy(wend_direction direction);

/* Exact integer costs; see wend_diagonal for their unit. */
typedef uint64_t wend_cost;
#define WEND_NO_COST UINT64_MAX

typedef struct wend_xy {
    int32_t x, y;
} wend_xy;

typedef struct wend_rect {
    int32_t x, y, width, height;
} wend_rect;

/* How many of the two cardinal cells beside a diagonal move must be open. */
typedef enum wend_corners {
    WEND_CORNERS_ANY = 0,
    WEND_CORNERS_ONE = 1,
    WEND_CORNERS_STRICT = 2
} wend_corners;

/* What a diagonal costs beside a straight move. sqrt 2 is the fraction 8119 / 5741, off by 1e-8: the order of
 * two costs is that of the true lengths while their diagonal counts differ by less than 5,741. */
typedef enum wend_diagonal { WEND_DIAGONAL_SQRT2 = 0, WEND_DIAGONAL_1_4 = 1 } wend_diagonal;

typedef struct wend_rules {
    int32_t connect; /* 4 or 8 */
    wend_corners corners;
    wend_diagonal diagonal;
} wend_rules;

/* 8 directions, strict corners, sqrt 2: the rules of the MovingAI benchmarks. */
WEND_API wend_rules wend_default_rules(void);

typedef struct wend_map_options {
    uint32_t struct_size; /* set by wend_default_...() */
    wend_rules rules;
    const char *terrain; /* the open letters, ".GS"; read during the call only */
    bool keep_letters;   /* keep the file's letters too, a byte a cell, for writing and drawing; no */
    wend_allocator allocator;
} wend_map_options;

/* For wend_default_map_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_map_options_init(wend_map_options *options, size_t size);
static inline wend_map_options wend_default_map_options(void) {
    wend_map_options options;
    wend_map_options_init(&options, sizeof options);
    return options;
}

/* A map may be read by any number of threads while nobody edits it. */
typedef struct wend_map wend_map;

/* All cells blocked. `error` may be NULL here and everywhere. */
WEND_API wend_status wend_map_create(int64_t width, int64_t height, const wend_map_options *options,
                                     wend_map **map, wend_error *error);
/* The same cells, letters, rules and allocator; the copy's changes are numbered from 1 again. */
WEND_API wend_status wend_map_copy(const wend_map *map, wend_map **copy, wend_error *error);
WEND_API void wend_map_destroy(wend_map *map); /* NULL is fine */

WEND_API int32_t wend_map_width(const wend_map *map);
WEND_API int32_t wend_map_height(const wend_map *map);
WEND_API uint32_t wend_map_cells(const wend_map *map);      /* width * height */
WEND_API uint32_t wend_map_open_cells(const wend_map *map); /* how many are open */
WEND_API wend_rules wend_map_rules(const wend_map *map);
WEND_API size_t wend_map_bytes(const wend_map *map); /* memory held */

WEND_API wend_cell wend_map_cell(const wend_map *map, int32_t x, int32_t y); /* WEND_NO_CELL outside */
WEND_API wend_xy wend_map_xy(const wend_map *map, wend_cell cell);
WEND_API bool wend_map_is_open(const wend_map *map, int32_t x, int32_t y); /* false outside */
WEND_API bool wend_map_is_open_cell(const wend_map *map, wend_cell cell);

/* The letter of a cell: the file's where letters are kept, otherwise '.' or '@'; '@' outside. */
WEND_API char wend_map_letter(const wend_map *map, int32_t x, int32_t y);
/* Sets the letters of a row and opens or blocks its cells accordingly; `letters` has `width` of them. For
 * building a map row by row: not an edit, so it does not count as one and components do not follow it. */
WEND_API wend_status wend_map_set_row(wend_map *map, int32_t y, const char *letters, wend_error *error);

/* The legal moves from a cell; none from a blocked one. */
WEND_API wend_directions wend_map_moves(const wend_map *map, wend_cell cell);
/* Where a move leads, or WEND_NO_CELL where it is not legal. */
WEND_API wend_cell wend_map_next(const wend_map *map, wend_cell cell, wend_direction direction);
WEND_API wend_cost wend_map_move_cost(const wend_map *map, wend_direction direction);
/* The cost on a map without walls (octile or Manhattan distance): admissible and consistent. */
WEND_API wend_cost wend_map_distance(const wend_map *map, wend_cell from, wend_cell to);
/* A length for people: straight + diagonal * sqrt 2 (or 1.4). */
WEND_API double wend_map_length(const wend_map *map, uint64_t straight, uint64_t diagonal);

/* Opens or closes all cells of an area that lies wholly inside. On failure nothing has changed. A map's first
 * edit takes memory for the record of changes (16 KB, and half a byte per row); no other one does. */
WEND_API wend_status wend_map_edit(wend_map *map, wend_rect area, bool open, wend_error *error);

/* The record of changes. Each cell that an edit opens or closes is a change; one that was so already is none.
 * Changes are numbered from 1, those of an edit row by row from north-west to south-east. The revision is the
 * number of the last, 0 before any. The last WEND_CHANGES_KEPT are kept: who has not read a change by then
 * must take all cells as changed. */
#define WEND_CHANGES_KEPT 4096
typedef struct wend_change {
    wend_cell cell; /* WEND_NO_CELL: there is no change of this number, or it is not kept any more */
    bool open;
} wend_change;
WEND_API uint64_t wend_map_revision(const wend_map *map);
WEND_API wend_change wend_map_change_at(const wend_map *map, uint64_t number);

/* Of size, cells, rules and costs; the same on every machine. Letters do not enter, open and blocked do. */
WEND_API uint64_t wend_map_fingerprint(const wend_map *map);

/* Connected components under the map's rules: two open cells have the same label iff a path joins them.
 *
 * Components follow a map that changes, in slices of bounded work, and are unsure of themselves meanwhile:
 * 1. wend_components_create(map, ...): the labels are sure.
 * 2. After edits, wend_components_settle(components, map, operations) in every tick, until it says true.
 * 3. wend_components_joined and the other questions, while wend_components_sure; at last _destroy. */
typedef struct wend_components wend_components;

/* A copy of `allocator` is kept; NULL means the map's. Takes about 5.4 bytes a cell, all that is ever
 * needed: no call below asks for memory. */
WEND_API wend_status wend_components_create(const wend_map *map, const wend_allocator *allocator,
                                            wend_components **components, wend_error *error);
WEND_API void wend_components_destroy(wend_components *components);

/* Says that cells of an area may have changed, by whatever means: the labels are unsure from now on. Parts of
 * it outside the map are ignored. In O(1), a few words whatever the area. */
WEND_API void wend_components_note(wend_components *components, wend_rect area);
/* Takes in what was noted, and the map's edits, which need not be noted, however many they are; for at most
 * `operations` operations: words of 64 cells, runs of open cells, links between those. A call may go over
 * that by up to width / 32 + 100, which the next calls then have less. True if the labels are sure: those of
 * the map as it is, provided that all changes but edits were noted. For a map that can't be theirs nothing is
 * done, and the answer is false.
 *
 * What a change costs depends on the rows it touches, not on what it joins or cuts off. Cells are taken in by
 * strips of 16 rows; each strip that has changed costs at most about 80 operations a column of the map, and
 * 10 more for every doubling of the height beyond 16 rows. That is for walls at every other cell: where there
 * are few, it is ten times less. A strip that was noted but is as it was costs a look, width / 4 operations.
 *
 * No work is thrown away when other changes come meanwhile: whoever gives more operations a tick than a
 * tick's changes cost has sure labels in the end, and at every tick's end once the first work is done. Only
 * changes that cost more than is given, tick after tick, keep labels unsure for ever. */
WEND_API bool wend_components_settle(wend_components *components, const wend_map *map, uint64_t operations);
/* Whether the labels are those of the map at the last settle or update, with no change noted since. While
 * they are unsure no cell has a label, nothing is joined, no component counted: then that means nothing. */
WEND_API bool wend_components_sure(const wend_components *components);
/* Takes in at once all that was noted and all edits; the labels are sure. WEND_STATUS_OTHER_MAP if this can't
 * be their map. */
WEND_API wend_status wend_components_update(wend_components *components, const wend_map *map,
                                            wend_error *error);

/* The label of an open cell; WEND_NO_CELL for a blocked one. The cells and rules of a map alone decide its
 * labels, not how it came to be; they are below 2^30, not dense, in no particular order. */
WEND_API uint32_t wend_components_label(const wend_components *components, wend_cell cell);
WEND_API bool wend_components_joined(const wend_components *components, wend_cell a, wend_cell b);
WEND_API uint32_t wend_components_count(const wend_components *components);
WEND_API uint32_t wend_components_size(const wend_components *components, uint32_t label);
/* The label of the largest, the smallest of those if several are; WEND_NO_CELL if there is none. Looks at all
 * labels. */
WEND_API uint32_t wend_components_largest(const wend_components *components);
/* The map's revision when its changes were last taken note of. */
WEND_API uint64_t wend_components_revision(const wend_components *components);
WEND_API size_t wend_components_bytes(const wend_components *components);

#ifdef __cplusplus
}
#endif
#endif
