/* The atlas of a map as planners read it: representatives that cover every open cell, and exact paths between
 * them in a contraction hierarchy. docs/notes/atlas.md explains how it is made and used. */
#ifndef WEND_ATLAS_LAYOUT_H
#define WEND_ATLAS_LAYOUT_H

#include "methods/atlas/atlas.h"
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

/* Of an exact atlas: squares of sectors, 1 x 1, then 2 x 2 and so on up to the one that holds all, numbered
 * level by level. */
typedef struct wend_atlas_level {
    uint32_t columns, rows, first;
} wend_atlas_level;

WEND_INLINE wend_atlas_level wend_atlas_lowest(const wend_atlas_grid *grid) {
    return (wend_atlas_level){grid->columns, grid->rows, 0};
}

/* False: there is none above. */
WEND_INLINE bool wend_atlas_ascend(wend_atlas_level *level) {
    if (level->columns == 1 && level->rows == 1) return false;
    level->first += level->columns * level->rows;
    level->columns = (level->columns + 1) / 2, level->rows = (level->rows + 1) / 2;
    return true;
}

WEND_INLINE uint32_t wend_atlas_squares(const wend_atlas_grid *grid) {
    wend_atlas_level level = wend_atlas_lowest(grid);
    while (wend_atlas_ascend(&level)) {
    }
    return level.first + 1;
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
 * out of the graph later. docs/reference/file-format.md has the sections. */
typedef struct wend_atlas {
    const wend_map *map; /* or NULL */
    wend_atlas_grid grid;
    uint32_t count;                /* of representatives */
    bool wide;                     /* words of 32 bits, not 16 */
    uint32_t words;                /* of an arc: `to`, what it is, the cost in one or two words */
    const wend_cell *cells;        /* of each representative */
    const void *sectors, *members; /* words: where a sector's members begin; ranks */
    /* Of an exact atlas, in place of `sectors`: where a square's members begin, which are the corners that
     * cells of it may have at the ends of their ways, wherever they lie. NULL otherwise. */
    const uint32_t *ends;
    uint32_t most_ends; /* of all squares around a cell, at most */
    /* By the cells around a corner: directions from which a path may be forced to turn there, and in which
     * one may go on. */
    wend_directions arrivals[512], onward[512];
    const uint32_t *first; /* by rank: its upper arcs; one more closes them */
    const void *arcs;      /* words */
    uint32_t list_count;
    const uint32_t *lists; /* where each list of bends begins; one more closes them */
    const wend_cell *bends;
    /* With labels=yes: by rank its entries (one more closes them), words as of an arc. NULL without. */
    const uint32_t *label_first;
    const void *labels;
    uint32_t label_words;
    uint32_t edges, shortcuts, neighbours; /* neighbours: the edges before the first round */
} wend_atlas;

/* Of an open database of this kind. */
const wend_atlas *wend_atlas_of(const wend_db *db);

WEND_INLINE uint32_t wend_atlas_word(const wend_atlas *atlas, const void *words, size_t at) {
    return atlas->wide ? ((const uint32_t *)words)[at] : ((const uint16_t *)words)[at];
}

WEND_INLINE uint32_t wend_atlas_members(const wend_atlas *atlas, uint32_t sector) {
    return atlas->ends ? atlas->ends[sector] : wend_atlas_word(atlas, atlas->sectors, sector);
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

/* Two numbers and a cost, number `i` of a section that has `count` words for each. */
WEND_INLINE wend_atlas_up wend_atlas_unpack(const wend_atlas *atlas, const void *section, uint32_t count,
                                            uint32_t i) {
    wend_atlas_up up;
    size_t at = (size_t)i * count;
    if (atlas->wide) {
        const uint32_t *words = (const uint32_t *)section + at;
        up.to = words[0], up.what = words[1], up.cost = words[2];
        if (count == 4) up.cost |= (uint64_t)words[3] << 32;
    } else {
        const uint16_t *words = (const uint16_t *)section + at;
        up.to = words[0], up.what = words[1], up.cost = words[2];
        if (count == 4) up.cost |= (uint32_t)words[3] << 16;
    }
    return up;
}

WEND_INLINE wend_atlas_up wend_atlas_arc_at(const wend_atlas *atlas, uint32_t arc) {
    return wend_atlas_unpack(atlas, atlas->arcs, atlas->words, arc);
}

/* An entry of a label: `to` is the hub, `what` which of the node's arcs leads there. */
WEND_INLINE wend_atlas_up wend_atlas_label_at(const wend_atlas *atlas, uint32_t entry) {
    return wend_atlas_unpack(atlas, atlas->labels, atlas->label_words, entry);
}

/* Which of the numbers from `from` to `end`, in order of `to`, leads to one; UINT32_MAX: none. */
WEND_INLINE uint32_t wend_atlas_seek(const wend_atlas *atlas, const void *section, uint32_t count,
                                     uint32_t from, uint32_t end, uint32_t to, uint64_t *operations) {
    while (from < end) {
        uint32_t middle = from + (end - from) / 2, here = wend_atlas_unpack(atlas, section, count, middle).to;
        ++*operations;
        if (here == to) return middle;
        if (here < to)
            from = middle + 1;
        else
            end = middle;
    }
    return UINT32_MAX;
}

/* The arc between two representatives, of which `low` has the lower rank; UINT32_MAX: there is none. Adds the
 * arcs that were looked at, WEND_ATLAS_FIND at most. */
WEND_INLINE uint32_t wend_atlas_find(const wend_atlas *atlas, uint32_t low, uint32_t high,
                                     uint64_t *operations) {
    return wend_atlas_seek(atlas, atlas->arcs, atlas->words, atlas->first[low], atlas->first[low + 1], high,
                           operations);
}

/* The same of a hub in the label of a representative. */
WEND_INLINE uint32_t wend_atlas_find_hub(const wend_atlas *atlas, uint32_t rep, uint32_t hub,
                                         uint64_t *operations) {
    return wend_atlas_seek(atlas, atlas->labels, atlas->label_words, atlas->label_first[rep],
                           atlas->label_first[rep + 1], hub, operations);
}
enum { WEND_ATLAS_FIND = 32 };

/* Where a natural piece of a path (methods/atlas/build/corners.h) turns that the climber might not keep to:
 * with four directions, moves north or south come first. Otherwise its end. */
WEND_INLINE wend_cell wend_atlas_turn(const wend_map *map, wend_cell from, wend_cell to) {
    if (map->rules.connect == 8) return to;
    uint32_t y = wend_cell_y(map, from);
    return wend_cell_y(map, to) * (uint32_t)map->width + wend_cell_x(map, from, y);
}

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
