/* The kernel of jump-point search, for both widths of sums, and the paths that it finds. */
#include "search/kernels/corner_graph.h"
#include "search/search.h"

/* What an expansion may take in a step: as much as that of a cell with eight neighbours. */
enum { WEND_CORNER_OPERATIONS = 2 + WEND_DIRECTIONS };

#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_corner
#include "search/kernels/corner.inc"
#undef WEND_NARROW
#undef COST
#undef N
#define COST uint64_t
#define N(x) x##_corner_wide
#include "search/kernels/corner.inc"

static uint32_t *parent_of(const wend_search *search, uint32_t number) {
    return search->corner.wide ? &records_corner_wide(search)[number].parent
                               : &records_corner(search)[number].parent;
}

uint32_t wend_corner_parent(const wend_search *search, uint32_t number) {
    return *parent_of(search, number);
}

bool wend_corner_turn(wend_search *search, uint64_t steps) {
    wend_corner_state *s = &search->corner;
    for (; s->turning != WEND_NO_CORNER && steps; steps--) {
        uint32_t *parent = parent_of(search, s->turning), before = *parent;
        *parent = s->turned;
        s->turned = s->turning, s->turning = before;
        search->operations++;
    }
    s->next = s->turned;
    return s->turning == WEND_NO_CORNER;
}

uint32_t wend_corner_move(const wend_search *search, wend_cell at, uint32_t *next) {
    const wend_map *map = search->map;
    const wend_corner *list = search->jumps->corners->list;
    while (*next != WEND_NO_CORNER && list[*next].cell == at) *next = wend_corner_parent(search, *next);
    wend_cell to = *next == WEND_NO_CORNER ? search->goal : list[*next].cell;
    wend_xy a = wend_map_xy(map, at), b = wend_map_xy(map, to);
    wend_piece piece = wend_piece_of(map, (uint32_t)a.x, (uint32_t)a.y, (uint32_t)b.x, (uint32_t)b.y);
    return piece.first ? piece.direction : piece.rest ? piece.turn : WEND_NO_DIRECTION;
}
