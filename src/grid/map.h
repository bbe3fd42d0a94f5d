/* The inside of a map, for the layers above that look at many cells. */
#ifndef WEND_GRID_MAP_H
#define WEND_GRID_MAP_H

#include "base/bits.h"
#include <wend/map.h>

/* Bits stand in rows of bytes, lowest bit first, with a blocked border of one cell all round: the bit of (x,
 * y) is bit x + 1 of row y + 1, and the 3x3 cells around any cell of the map can be read without a test. Rows
 * are a multiple of eight bytes, and eight more bytes follow the last, so words may be loaded anywhere. */
struct wend_map {
    int32_t width, height;
    uint32_t cells, open_cells;
    uint64_t row_of_cell; /* cell * row_of_cell >> WEND_ROW_SHIFT is the cell's y */
    size_t row_bytes, bits_bytes;
    uint8_t *bits;
    uint64_t revision; /* the number of the last change of a cell */
    char *letters;     /* one letter per cell, or NULL */
    wend_rules rules;
    uint32_t cost[WEND_DIRECTIONS];  /* of a move */
    int32_t offset[WEND_DIRECTIONS]; /* to the neighbour's cell index */
    wend_directions legal[512];      /* the legal moves, by the 3x3 cells around: see wend_map_around */
    bool open_letter[256], known_letter[256];
    wend_allocator allocator;
    /* The record of changes, NULL until wend_map_keep_changes. Agents follow single cells: they read the
     * last WEND_CHANGES_KEPT changes, as cell << 1 | open; change n stands at (n - 1) % WEND_CHANGES_KEPT.
     * Components take in whole rows: they ask when each strip of WEND_STRIP_ROWS changed last, and never
     * fall behind. Each reader keeps only the revision up to which it has read. */
    uint64_t *strip_changed; /* the number of the last change in the strip; 0: none */
    uint32_t *changes;       /* in the same block */
};

#define WEND_STRIP_ROWS 16

/* y = floor(cell / width) as a multiplication: exact for cell < 2^30 and width <= 2^15, since the factor is
 * off by less than width / 2^46 of itself; the product stays under 2^62. */
#define WEND_ROW_SHIFT 46

extern const int32_t wend_dx[WEND_DIRECTIONS], wend_dy[WEND_DIRECTIONS];

WEND_INLINE bool wend_is_diagonal(uint32_t direction) {
    return direction & 1;
}

WEND_INLINE uint32_t wend_cell_y(const wend_map *map, wend_cell cell) {
    return (uint32_t)((cell * map->row_of_cell) >> WEND_ROW_SHIFT);
}

WEND_INLINE uint32_t wend_cell_x(const wend_map *map, wend_cell cell, uint32_t y) {
    return cell - y * (uint32_t)map->width;
}

/* The 3x3 cells around (x, y) as nine bits, row by row: bit 0 north-west, 1 north, 2 north-east, 3 west, 4
 * the cell itself, 5 east, 6 south-west, 7 south, 8 south-east. Set is open. */
WEND_INLINE uint32_t wend_map_around(const wend_map *map, uint32_t x, uint32_t y) {
    const uint8_t *p = map->bits + y * map->row_bytes + (x >> 3);
    uint32_t shift = x & 7;
    uint32_t north = wend_load16(p) >> shift & 7;
    uint32_t middle = wend_load16(p + map->row_bytes) >> shift & 7;
    uint32_t south = wend_load16(p + 2 * map->row_bytes) >> shift & 7;
    return north | middle << 3 | south << 6;
}

WEND_INLINE wend_directions wend_legal_moves(const wend_map *map, uint32_t x, uint32_t y) {
    return map->legal[wend_map_around(map, x, y)];
}

WEND_INLINE bool wend_bit(const wend_map *map, uint32_t x, uint32_t y) {
    return map->bits[(y + 1) * map->row_bytes + ((x + 1) >> 3)] >> ((x + 1) & 7) & 1;
}

/* The heuristic: exact cost on a map without walls. */
WEND_INLINE uint64_t wend_octile(const wend_map *map, uint32_t dx, uint32_t dy) {
    if (map->rules.connect == 4) return (uint64_t)(dx + dy) * map->cost[0];
    uint32_t less = dx < dy ? dx : dy, more = dx < dy ? dy : dx;
    return (uint64_t)less * map->cost[1] + (uint64_t)(more - less) * map->cost[0];
}

WEND_INLINE uint32_t wend_apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

/* Allocates the record of changes, unless it is there. */
wend_status wend_map_keep_changes(wend_map *map);
size_t wend_map_record_bytes(const wend_map *map); /* 0: none */

/* Records that a cell is being opened or closed, and counts it. */
WEND_INLINE void wend_map_note(wend_map *map, uint32_t x, uint32_t y, bool open) {
    uint32_t cell = y * (uint32_t)map->width + x;
    WEND_ASSERT(map->changes && cell < map->cells);
    map->changes[map->revision % WEND_CHANGES_KEPT] = cell << 1 | open;
    map->strip_changed[y / WEND_STRIP_ROWS] = ++map->revision;
    map->open_cells += open ? 1u : UINT32_MAX;
}

/* Opens or closes cells of a row from x on; each that was not so already is a change. */
void wend_map_set_cells(wend_map *map, uint32_t x, uint32_t y, uint32_t count, bool open);
/* For WEND_VALIDATE: checks that cells outside are blocked, and counts the open ones. Looks at all cells. */
bool wend_map_is_sound(const wend_map *map);
/* All cells may have changed: nothing that was read before holds any more. */
void wend_map_note_all(wend_map *map);

/* Whether change `since` + 1 is no longer kept: then all cells count as changed. */
WEND_INLINE bool wend_map_lost_since(const wend_map *map, uint64_t since) {
    WEND_ASSERT(since <= map->revision);
    return map->revision - since > WEND_CHANGES_KEPT;
}

/* Sets bits first .. first+count-1 of a row of bits, where cell x is bit x + 1; returns how many changed. */
uint32_t wend_set_bits(uint8_t *row, uint32_t first, uint32_t count, bool open);

/* Two cells next to each other are joined by a path iff they are neighbours in this sense: diagonal
 * neighbours under `any` corners only, since under the other rules a diagonal move needs an open cardinal
 * cell that joins the two. */
WEND_INLINE bool wend_joins_diagonally(const wend_map *map) {
    return map->rules.connect == 8 && map->rules.corners == WEND_CORNERS_ANY;
}

/* The largest sum of costs that a search on this map can form while at most `open` cells of it are open: a
 * shortest path is at most a walk over all of them. If the map may be edited, ask for map->cells. */
uint64_t wend_map_cost_bound(const wend_map *map, uint32_t open);

/* What to call a cell whose letter is not known: '.' if open and '@' if blocked, unless the terrain says
 * otherwise. Then it is the first letter that the terrain has for such a cell, if any. */
char wend_map_usual_letter(const wend_map *map, bool open);

/* The fingerprint that the same cells would have under other rules. */
uint64_t wend_map_fingerprint_under(const wend_map *map, wend_rules rules);

/* WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED, with words, unless the cell is open; `what` names it
 * ("goal"). */
wend_status wend_map_check_open(const wend_map *map, wend_cell cell, const char *what, wend_error *error);

/* Checks an options struct; WEND_STATUS_BAD_ARGUMENT with words. */
wend_status wend_map_take_options(const wend_map_options *options, wend_map_options *own, wend_error *error);
/* As wend_map_create, from options whose terrain is in the map's tables already: a map like `like`. */
wend_status wend_map_create_like(const wend_map *like, int64_t width, int64_t height, bool keep_letters,
                                 wend_map **map, wend_error *error);
/* A map of the same size and rules without letters, all blocked, in memory from another allocator. */
wend_status wend_map_create_within(const wend_map *like, const wend_allocator *allocator, wend_map **map);
/* Makes the cells those of another map of the same size. */
void wend_map_take_cells(wend_map *map, const wend_map *from);

#endif
