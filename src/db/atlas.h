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

#endif
