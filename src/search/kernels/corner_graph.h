/* The graph of corners that jump-point search goes over. corner_graph.c explains it. */
#ifndef WEND_SEARCH_KERNELS_CORNER_GRAPH_H
#define WEND_SEARCH_KERNELS_CORNER_GRAPH_H

#include "search/jumps.h"

#define WEND_NO_CORNER UINT32_MAX

/* A way from one corner to another: primary moves first, then secondary ones. */
typedef struct wend_corner_edge {
    uint32_t to;   /* see wend_corner_to */
    uint32_t cost; /* at most 32,767 moves of either kind: 32 bits are enough */
} wend_corner_edge;

/* Where an edge ends: the corner's number, how many edges go on from there (2: or more), and the direction in
 * which it is reached. */
enum {
    WEND_CORNER_NUMBER = 5,
    WEND_CORNER_ONWARD = 3,
    WEND_CORNER_MANY = 2,
    WEND_CORNER_FEW = 3,
    WEND_MOST_CORNERS = 1 << 27
};

WEND_INLINE uint32_t wend_corner_to(uint32_t number, uint32_t onward, uint32_t reached) {
    return number << WEND_CORNER_NUMBER | onward << WEND_CORNER_ONWARD | reached;
}

typedef struct wend_corner {
    uint32_t edges[WEND_DIRECTIONS + 1]; /* where those of each direction begin, and where the last end */
    wend_cell cell;
    uint16_t x, y;
    uint16_t runs[WEND_DIRECTIONS / 2]; /* by a primary direction / 2: moves before a wall */
    uint16_t around;
    /* By the direction it is reached in: where one edge goes on, the direction of that edge. */
    uint8_t single[WEND_DIRECTIONS];
} wend_corner;

struct wend_corner_graph {
    wend_allocator allocator;
    uint32_t count;
    wend_corner *list; /* in order of cells */
    wend_corner_edge *edges;
    size_t edge_count, edge_room;
    uint32_t *components; /* by corner: those of one component of the map have the same number */
    /* From cell to number: one bit per cell, and how many are set before each 64 of them. */
    uint64_t *bits;
    uint32_t *before;
    size_t words;
    /* What an update of the jump tables has found out, in the same form and block as `bits`. */
    uint64_t *next;  /* the corners to come */
    uint64_t *stale; /* those whose edges or runs may have changed */
    bool relabel;    /* parts of the map may have been joined or cut */
};

/* The corners of the jump tables' map. */
wend_status wend_corner_graph_create(const wend_jumps *jumps, const wend_allocator *allocator,
                                     wend_corner_graph **corners);
/* For an update of the jump tables. A rectangle was edited, alone or among others. */
void wend_corner_graph_edited(const wend_jumps *jumps, wend_rect edited, bool alone);
/* Then: makes it what it would be if it were made from these tables. What is not stale is copied. The graph stays
 * as it was where there is no memory for that. */
wend_status wend_corner_graph_follow(const wend_jumps *jumps);
void wend_corner_graph_destroy(wend_corner_graph *corners);
size_t wend_corner_graph_bytes(const wend_corner_graph *corners);

WEND_INLINE bool wend_is_corner(const wend_corner_graph *corners, wend_cell cell) {
    return corners->bits[cell >> 6] >> (cell & 63) & 1;
}

/* Notes that what a corner sees may have changed. */
WEND_INLINE void wend_corner_touch(wend_corner_graph *corners, wend_cell cell) {
    corners->stale[cell >> 6] |= corners->bits[cell >> 6] & (uint64_t)1 << (cell & 63);
}

/* The number of a cell that is a corner. */
WEND_INLINE uint32_t wend_corner_of(const wend_corner_graph *corners, wend_cell cell) {
    uint64_t below = ((uint64_t)1 << (cell & 63)) - 1;
    return corners->before[cell >> 6] + wend_count_bits(corners->bits[cell >> 6] & below);
}

/* How many edges go on from a corner that was reached in this direction; 2: or more. */
WEND_INLINE uint32_t wend_corner_onward(const wend_corner *corner, uint32_t reached) {
    uint32_t single = corner->single[reached];
    return single < WEND_DIRECTIONS ? 1 : single == WEND_DIRECTIONS ? 0 : WEND_CORNER_MANY;
}

WEND_INLINE bool wend_corner_flag(const uint64_t *flags, uint32_t edge) {
    return flags[edge >> 6] >> (edge & 63) & 1;
}

/* The same of flagged edges alone, and the last of those. Of a corner with more than 64 edges: 2. */
WEND_INLINE uint32_t wend_corner_flagged(const wend_jumps *jumps, const uint64_t *flags,
                                         const wend_corner *corner, uint32_t reached, uint32_t *single) {
    uint32_t first = corner->edges[0], count = corner->edges[WEND_DIRECTIONS] - first, shift = first & 63;
    if (count > 64) return WEND_CORNER_MANY;
    uint64_t window = flags[first >> 6] >> shift, allowed = 0;
    if (shift) window |= flags[(first >> 6) + 1] << (64 - shift);
    for (uint32_t on = jumps->onward.moves[reached][corner->around]; on; on &= on - 1) {
        uint32_t d = wend_lowest_bit(on), edges = corner->edges[d + 1] - corner->edges[d];
        if (edges) allowed |= UINT64_MAX >> (64 - edges) << (corner->edges[d] - first);
    }
    window &= allowed;
    if (!window) return 0;
    *single = first + wend_lowest_bit(window);
    return window & (window - 1) ? WEND_CORNER_MANY : 1;
}

/* The directions in which edges go on from a corner with these cells around, however it was reached. */
uint32_t wend_corner_useful(const wend_jumps *jumps, uint32_t around);

/* The corners that lie ahead of a cell in one direction, one after another. */
typedef struct wend_corner_sweep {
    wend_cell cell; /* where it has come to */
    uint32_t cost;
    uint8_t direction;
    uint8_t turns; /* directions that are left to look into from here */
    bool over;
} wend_corner_sweep;

typedef struct wend_corner_hit {
    wend_cell cell;
    uint32_t cost, reached;
} wend_corner_hit;

WEND_INLINE wend_corner_sweep wend_corner_sweep_from(wend_cell cell, uint32_t direction) {
    return (wend_corner_sweep){.cell = cell, .direction = (uint8_t)direction};
}

/* Looks at one table entry. True: it has met a corner. */
WEND_INLINE bool wend_corner_look(const wend_jumps *jumps, wend_corner_sweep *sweep, wend_corner_hit *hit) {
    const wend_map *map = jumps->map;
    uint32_t d = sweep->direction;
    if (sweep->turns) {
        uint32_t turn = wend_lowest_bit(sweep->turns);
        sweep->turns &= (uint8_t)(sweep->turns - 1);
        int32_t steps = jumps->steps[sweep->cell][turn];
        if (steps <= 0) return false;
        *hit = (wend_corner_hit){sweep->cell + (uint32_t)(steps * map->offset[turn]),
                                 sweep->cost + (uint32_t)steps * map->cost[turn], turn};
        return true;
    }
    int32_t steps = jumps->steps[sweep->cell][d];
    if (steps <= 0) {
        sweep->over = true;
        return false;
    }
    sweep->cell += (uint32_t)(steps * map->offset[d]);
    sweep->cost += (uint32_t)steps * map->cost[d];
    if (!(jumps->onward.primary >> d & 1)) {
        sweep->over = true;
    } else {
        sweep->turns = jumps->natural[d] & (wend_directions) ~(1u << d);
        if (!jumps->forcing) return false; /* the points of a primary jump are corners only where it turns */
        uint32_t y = wend_cell_y(map, sweep->cell), x = wend_cell_x(map, sweep->cell, y);
        if (!(jumps->forced[wend_map_around(map, x, y)] >> d & 1)) return false;
        sweep->over = true, sweep->turns = 0;
    }
    *hit = (wend_corner_hit){sweep->cell, sweep->cost, d};
    return true;
}

/* How far a line of table entries goes: looks at one. False: it has ended at a wall. */
WEND_INLINE bool wend_corner_run(const wend_jumps *jumps, uint32_t direction, wend_cell *cell,
                                 uint32_t *run) {
    int32_t steps = jumps->steps[*cell][direction];
    *run += (uint32_t)(steps < 0 ? -steps : steps);
    *cell += (uint32_t)(steps * jumps->map->offset[direction]);
    return steps > 0;
}

/* A piece of a path between two cells: primary moves first, then secondary ones. */
typedef struct wend_piece {
    uint32_t first, rest; /* moves of each kind */
    uint32_t direction, turn;
} wend_piece;

WEND_INLINE wend_piece wend_piece_of(const wend_map *map, uint32_t x, uint32_t y, uint32_t to_x,
                                     uint32_t to_y) {
    static const uint8_t towards[2][2] = {{7, 1}, {5, 3}}; /* by south, east */
    uint32_t dx = wend_apart(x, to_x), dy = wend_apart(y, to_y), east = to_x > x, south = to_y > y;
    uint32_t along_x = east ? 2 : 6, along_y = south ? 4 : 0;
    if (map->rules.connect == 4) return (wend_piece){dy, dx, along_y, along_x};
    bool wide = dx > dy;
    return (wend_piece){wide ? dy : dx, wide ? dx - dy : dy - dx, towards[south][east],
                        wide ? along_x : along_y};
}

WEND_INLINE uint64_t wend_piece_cost(const wend_map *map, wend_piece piece) {
    return (uint64_t)piece.first * map->cost[piece.direction] + (uint64_t)piece.rest * map->cost[piece.turn];
}

/* Whether the goal is seen: the piece that leads to it is free. `runs` are the corner's by primary direction
 * / 2, `back` the goal's by the secondary direction in which it is reached. */
WEND_INLINE bool wend_piece_free(wend_piece piece, const uint16_t *runs, const uint32_t *back) {
    return back[piece.turn] >= piece.rest && (!piece.first || runs[piece.direction >> 1] >= piece.first);
}

#endif
