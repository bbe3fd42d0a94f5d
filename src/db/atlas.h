/* The atlas of a map as planners read it: representatives that cover every open cell, and exact paths between
 * them in a contraction hierarchy. docs/atlas.md tells how it is made and used. */
#ifndef WEND_DB_ATLAS_H
#define WEND_DB_ATLAS_H

#include "db/kind.h"
#include "search/climb.h"

/* Sectors of side x side cells, numbered row by row; the last of a row or column may be smaller. */
typedef struct wend_atlas_grid {
    uint32_t side, columns, rows;
} wend_atlas_grid;

enum { WEND_ATLAS_LEAST_SIDE = 4, WEND_ATLAS_MOST_SIDE = 128 };

WEND_INLINE wend_atlas_grid wend_atlas_grid_of(const wend_map *map, uint32_t side) {
    return (wend_atlas_grid){side, ((uint32_t)map->width + side - 1) / side,
                             ((uint32_t)map->height + side - 1) / side};
}

WEND_INLINE uint32_t wend_atlas_sector(const wend_atlas_grid *grid, const wend_map *map, wend_cell cell) {
    uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
    return y / grid->side * grid->columns + x / grid->side;
}

/* The 3 x 3 sectors around one, as far as they are there: columns and rows, ends included. */
typedef struct wend_atlas_block {
    uint32_t left, right, top, bottom;
} wend_atlas_block;

WEND_INLINE wend_atlas_block wend_atlas_around(const wend_atlas_grid *grid, uint32_t sector) {
    uint32_t column = sector % grid->columns, row = sector / grid->columns;
    return (wend_atlas_block){column - (column > 0), column + (column + 1 < grid->columns), row - (row > 0),
                              row + (row + 1 < grid->rows)};
}

/* The most moves of a climb between a cell and a representative. */
WEND_INLINE uint32_t wend_atlas_reach(const wend_atlas_grid *grid) {
    return 8 * grid->side;
}

/* Whether a cell can climb to a representative and be climbed to from it. */
WEND_INLINE bool wend_atlas_covers(const wend_map *map, const wend_atlas_grid *grid, wend_cell rep,
                                   wend_cell cell) {
    return wend_climb(map, cell, rep, wend_atlas_reach(grid)).reached &&
           wend_climb(map, rep, cell, wend_atlas_reach(grid)).reached;
}

/* What the file keeps, where it lies. Representatives are numbered by rank: those of higher rank were taken
 * out of the graph later. docs/file-format.md has the sections. */
typedef struct wend_atlas {
    const wend_map *map; /* or NULL */
    wend_atlas_grid grid;
    uint32_t count;                /* of representatives */
    bool wide;                     /* words of 32 bits, not 16 */
    uint32_t words;                /* of an arc: `to`, what it is, the cost in one or two words */
    const wend_cell *cells;        /* of each representative */
    const void *sectors, *members; /* words: where a sector's members begin; ranks */
    const uint32_t *first;         /* by rank: its upper arcs; one more closes them */
    const void *arcs;              /* words */
    uint32_t list_count;
    const uint32_t *lists; /* where each list of bends begins; one more closes them */
    const wend_cell *bends;
    uint32_t edges, shortcuts, neighbours; /* neighbours: the edges before the first round */
} wend_atlas;

/* Of an open database of this kind. */
const wend_atlas *wend_atlas_of(const wend_db *db);

WEND_INLINE uint32_t wend_atlas_word(const wend_atlas *atlas, const void *words, size_t at) {
    return atlas->wide ? ((const uint32_t *)words)[at] : ((const uint16_t *)words)[at];
}

WEND_INLINE uint32_t wend_atlas_members(const wend_atlas *atlas, uint32_t sector) {
    return wend_atlas_word(atlas, atlas->sectors, sector);
}

WEND_INLINE uint32_t wend_atlas_member(const wend_atlas *atlas, uint32_t at) {
    return wend_atlas_word(atlas, atlas->members, at);
}

/* An arc to a representative of higher rank. `what` below `count`: a shortcut over that one; otherwise an
 * edge, and what - count - 1 is its list of bends, on the way to `to`; `count` itself: it has none. */
typedef struct wend_atlas_up {
    uint32_t to, what;
    uint64_t cost;
} wend_atlas_up;

WEND_INLINE wend_atlas_up wend_atlas_arc_at(const wend_atlas *atlas, uint32_t arc) {
    wend_atlas_up up;
    size_t at = (size_t)arc * atlas->words;
    if (atlas->wide) {
        const uint32_t *words = (const uint32_t *)atlas->arcs + at;
        up.to = words[0], up.what = words[1], up.cost = words[2];
        if (atlas->words == 4) up.cost |= (uint64_t)words[3] << 32;
    } else {
        const uint16_t *words = (const uint16_t *)atlas->arcs + at;
        up.to = words[0], up.what = words[1], up.cost = words[2];
        if (atlas->words == 4) up.cost |= (uint32_t)words[3] << 16;
    }
    return up;
}

/* The arc between two representatives, of which `low` has the lower rank; UINT32_MAX: there is none. Adds the
 * arcs that were looked at, WEND_ATLAS_FIND at most. */
WEND_INLINE uint32_t wend_atlas_find(const wend_atlas *atlas, uint32_t low, uint32_t high,
                                     uint64_t *operations) {
    uint32_t from = atlas->first[low], end = atlas->first[low + 1];
    while (from < end) {
        ++*operations;
        uint32_t middle = from + (end - from) / 2, to = wend_atlas_arc_at(atlas, middle).to;
        if (to == high) return middle;
        if (to < high)
            from = middle + 1;
        else
            end = middle;
    }
    return UINT32_MAX;
}
enum { WEND_ATLAS_FIND = 32 };

/* The bends of an edge: those of list what - count - 1. */
WEND_INLINE uint32_t wend_atlas_bend_count(const wend_atlas *atlas, uint32_t what) {
    if (what <= atlas->count) return 0;
    uint32_t list = what - atlas->count - 1;
    return atlas->lists[list + 1] - atlas->lists[list];
}

/* Bend number `i` on the way from the lower to the higher rank, or the other way. */
WEND_INLINE wend_cell wend_atlas_bend(const wend_atlas *atlas, uint32_t what, uint32_t i, bool down) {
    uint32_t list = what - atlas->count - 1;
    return atlas->bends[down ? atlas->lists[list + 1] - 1 - i : atlas->lists[list] + i];
}

#endif
