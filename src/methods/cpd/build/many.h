/* All optimal first moves from many neighbouring sources to every cell of their component.
 *
 * The cells of a map stand in an order, the ranks, in which each component is contiguous. A patch is a small
 * rectangle of the map, its inside (without the outermost cells, which are there to be looked at from the
 * inside) the block of sources. One search works out the distances between all cells of the patch, the lanes,
 * and every cell of their component: distances are symmetric, since moves are. */
#ifndef WEND_CPD_BUILD_MANY_H
#define WEND_CPD_BUILD_MANY_H

#include "base/memory.h"
#include "base/status.h"
#include "grid/map.h"

enum {
    WEND_PATCH_WIDTH = 16,
    WEND_PATCH_HEIGHT = 16,
    WEND_PATCH_LANES = WEND_PATCH_WIDTH * WEND_PATCH_HEIGHT,
    WEND_BLOCK_WIDTH = WEND_PATCH_WIDTH - 2,
    WEND_BLOCK_HEIGHT = WEND_PATCH_HEIGHT - 2,
    WEND_BLOCK_CELLS = WEND_BLOCK_WIDTH * WEND_BLOCK_HEIGHT
};

#define WEND_NO_RANK UINT32_MAX

/* The open cells of a map by rank, components one after another. */
typedef struct wend_ranks {
    const wend_map *map;
    wend_allocator allocator;
    uint32_t map_cells;  /* of the map, which may be gone when they are released */
    uint32_t count;      /* of open cells */
    wend_cell *cells;    /* by rank */
    uint32_t *rank;      /* by cell; WEND_NO_RANK where it is blocked */
    uint32_t *near;      /* eight per rank: where each move leads, by rank; undefined where it is not legal */
    uint8_t *legal;      /* by rank */
    uint32_t components; /* the largest first, then the one of the smallest cell */
    uint32_t *firsts;    /* by component: the first rank; one more, the end */
} wend_ranks;

/* Components in their order, the cells of each by number. */
wend_status wend_ranks_create(const wend_map *map, const wend_allocator *allocator, wend_ranks *ranks,
                              wend_error *error);
/* Reorders the cells: `cells` holds each once, components as they are. */
void wend_ranks_reorder(wend_ranks *ranks, const wend_cell *cells);
void wend_ranks_release(wend_ranks *ranks);
/* Bytes that they take. */
size_t wend_ranks_bytes(const wend_map *map);

/* How a search works, for tests: results never depend on it. */
typedef enum wend_many_form {
    WEND_MANY_BEST,
    WEND_MANY_PLAIN, /* without AVX2 */
    WEND_MANY_WIDE   /* 32-bit lanes and the map's own costs, whatever the map */
} wend_many_form;

/* A workspace for one search at a time, over components of at most so many cells. */
typedef struct wend_many wend_many;

wend_status wend_many_create(const wend_ranks *ranks, uint32_t most_cells, wend_many_form form,
                             const wend_allocator *allocator, wend_many **out, wend_error *error);
void wend_many_destroy(wend_many *many);
/* What one takes, without patterns: up to 768 bytes for each, 1280 where lanes are wide. They are a few in a
 * hundred cells on game maps, and never more than the cells. */
size_t wend_many_bytes(uint32_t most_cells);

/* Searches from the sources of the block at (x, y), its north-western cell, that belong to a component and
 * are marked in `wanted`: a byte for each lane, by (row * WEND_PATCH_WIDTH + column) of the patch, whose
 * corner is (x - 1, y - 1). Sources that are too far apart for one search are left out: `wanted` of those
 * that were done is cleared, at least of one, and the caller comes again for the rest. */
wend_status wend_many_search(wend_many *many, uint32_t component, int32_t x, int32_t y, uint8_t *wanted);

/* The same in slices: `begin`, then `go` until it is done; nothing may be asked of it before. `go` counts 9
 * operations for a cell that is spread from or looks at its neighbours, and goes over what it is given by at
 * most WEND_MANY_OVER, and one for each 16 cells of the component when a search begins (around the patch). */
void wend_many_begin(wend_many *many, uint32_t component, int32_t x, int32_t y, const uint8_t *wanted);
wend_status wend_many_go(wend_many *many, uint64_t operations, uint64_t *spent, bool *done);
/* What `wanted` is by then. */
const uint8_t *wend_many_left(const wend_many *many);
enum { WEND_MANY_OVER = 32768 };

/* What is known of a cell after a search. Towards cells of the same pattern every lane has the same moves,
 * and distances that differ by the same. */
typedef struct wend_many_cell {
    uint32_t distance; /* from one of the lanes, the reference */
    uint32_t pattern;
} wend_many_cell;

/* By rank within the component. */
const wend_many_cell *wend_many_cells(const wend_many *many);
/* One more than the largest pattern's number. Some below may not be in use. */
uint32_t wend_many_patterns(const wend_many *many);
/* The optimal first moves of all lanes towards cells of a pattern, by the lanes' places, wend_many_stride of
 * them: 0 for a lane that is no source, and for a source towards itself. */
const uint8_t *wend_many_moves(const wend_many *many, uint32_t pattern);
uint32_t wend_many_stride(const wend_many *many);
/* The place of a lane that was searched from. */
uint32_t wend_many_place(const wend_many *many, uint32_t lane);
/* The distance of such a lane to a cell, in units of which a straight move is *straight. */
uint64_t wend_many_distance(const wend_many *many, uint32_t lane, uint32_t at, uint32_t *straight);
/* What a move costs in these units. */
uint32_t wend_many_cost(const wend_many *many, uint32_t move);
/* Whether the last search had wide lanes. */
bool wend_many_was_wide(const wend_many *many);

/* The greedy move: the diagonal towards the target, or the straight move where it lies straight ahead; with
 * four directions north or south as long as that is nearer. `dx` and `dy` are the target's place less the
 * source's, not both 0. Whether it is legal is not looked at. */
WEND_INLINE uint32_t wend_greedy_move(int32_t connect, int32_t dx, int32_t dy) {
    static const uint8_t eight[9] = {7, 0, 1, 6, 0, 2, 5, 4, 3}, four[9] = {0, 0, 0, 6, 0, 2, 4, 4, 4};
    int32_t at = 4 + (dx > 0) - (dx < 0) + 3 * ((dy > 0) - (dy < 0));
    return connect == 8 ? eight[at] : four[at];
}

#endif
