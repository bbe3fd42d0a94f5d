#include "search/beeline.h"

#include <string.h>

void wend_beeline_begin(wend_beeline *line, wend_cell from, wend_cell to) {
    line->from = line->at = from, line->to = to;
    line->moves = line->dead_used = 0;
}

static uint32_t slot_of(wend_cell cell) {
    return (uint32_t)(cell * (uint64_t)0x9e3779b97f4a7c15u >> 40) & (WEND_BEELINE_DEAD - 1);
}

static bool is_dead(const wend_beeline *line, wend_cell cell) {
    if (!line->dead_used) return false;
    uint32_t slot = slot_of(cell);
    for (; line->dead[slot] != WEND_NO_CELL; slot = (slot + 1) & (WEND_BEELINE_DEAD - 1))
        if (line->dead[slot] == cell) return true;
    return false;
}

static bool make_dead(wend_beeline *line, wend_cell cell) {
    if (line->dead_used >= WEND_BEELINE_ENDS) return false;
    if (!line->dead_used) memset(line->dead, 0xff, sizeof line->dead);
    uint32_t slot = slot_of(cell);
    while (line->dead[slot] != WEND_NO_CELL) slot = (slot + 1) & (WEND_BEELINE_DEAD - 1);
    line->dead[slot] = cell;
    line->dead_used++;
    return true;
}

/* The two kinds of moves from here; WEND_NO_DIRECTION for one that is not needed any more. */
typedef struct kinds {
    uint32_t first, second;
} kinds;

static kinds kinds_of(const wend_map *map, uint32_t x, uint32_t y, wend_cell to) {
    uint32_t to_y = wend_cell_y(map, to), to_x = wend_cell_x(map, to, to_y);
    uint32_t far_x = wend_apart(x, to_x), far_y = wend_apart(y, to_y);
    uint32_t along_x = far_x ? (to_x > x ? 2 : 6) : WEND_NO_DIRECTION;
    uint32_t along_y = far_y ? (to_y > y ? 4 : 0) : WEND_NO_DIRECTION;
    if (map->rules.connect == 4) return (kinds){along_x, along_y};
    kinds both = {WEND_NO_DIRECTION, WEND_NO_DIRECTION};
    if (far_x && far_y) both.first = to_y > y ? (to_x > x ? 3 : 5) : (to_x > x ? 1 : 7);
    if (far_x != far_y) both.second = far_x > far_y ? along_x : along_y;
    return both;
}

static bool can_go(const wend_map *map, const wend_beeline *line, wend_cell at, uint32_t moves,
                   uint32_t direction) {
    return direction != WEND_NO_DIRECTION && (moves >> direction & 1) &&
           !is_dead(line, at + (uint32_t)map->offset[direction]);
}

uint32_t wend_beeline_move(const wend_map *map, const wend_beeline *line, wend_cell at,
                           uint64_t *operations) {
    uint32_t y = wend_cell_y(map, at), x = wend_cell_x(map, at, y), moves = wend_legal_moves(map, x, y);
    kinds both = kinds_of(map, x, y, line->to);
    *operations += WEND_BEELINE_OPERATIONS;
    if (can_go(map, line, at, moves, both.first)) return both.first;
    return can_go(map, line, at, moves, both.second) ? both.second : WEND_NO_DIRECTION;
}

/* Where the search stands: a place, and how many moves of each kind are still needed. */
typedef struct place {
    uint32_t x, y, first_left, second_left;
} place;

static place place_of(const wend_map *map, const wend_beeline *line) {
    uint32_t y = wend_cell_y(map, line->at), x = wend_cell_x(map, line->at, y);
    uint32_t to_y = wend_cell_y(map, line->to), to_x = wend_cell_x(map, line->to, to_y);
    uint32_t far_x = wend_apart(x, to_x), far_y = wend_apart(y, to_y);
    if (map->rules.connect == 4) return (place){x, y, far_x, far_y};
    return (place){x, y, far_x < far_y ? far_x : far_y, wend_apart(far_x, far_y)};
}

static void note_move(wend_beeline *line, bool second) {
    uint32_t bit = line->moves++ % WEND_BEELINE_TRAIL, one = 1u << bit % 32;
    line->trail[bit / 32] = (line->trail[bit / 32] & ~one) | (second ? one : 0);
}

/* One move back, from a cell other than the first. */
static void go_back(const wend_map *map, wend_beeline *line, kinds both) {
    uint32_t bit = --line->moves % WEND_BEELINE_TRAIL;
    bool second = line->trail[bit / 32] >> bit % 32 & 1;
    line->at -= (uint32_t)map->offset[second ? both.second : both.first];
}

wend_beeline_state wend_beeline_run(const wend_map *map, wend_beeline *line, uint64_t most,
                                    uint64_t *operations) {
    /* The kinds are the same on the whole way, as long as they are needed. */
    uint32_t from_y = wend_cell_y(map, line->from), from_x = wend_cell_x(map, line->from, from_y);
    kinds both = kinds_of(map, from_x, from_y, line->to);
    place p = place_of(map, line);
    for (; p.first_left || p.second_left; ++*operations) {
        if (!most--) return WEND_BEELINE_MORE;
        uint32_t moves = wend_legal_moves(map, p.x, p.y), d;
        if (p.first_left && can_go(map, line, line->at, moves, both.first)) {
            d = both.first;
            p.first_left--;
        } else if (p.second_left && can_go(map, line, line->at, moves, both.second)) {
            d = both.second;
            p.second_left--;
        } else {
            if (line->at == line->from) return WEND_BEELINE_NONE;
            if (!make_dead(line, line->at)) return WEND_BEELINE_LOST;
            go_back(map, line, both);
            p = place_of(map, line);
            continue;
        }
        note_move(line, d != both.first);
        p.x += (uint32_t)wend_dx[d], p.y += (uint32_t)wend_dy[d];
        line->at += (uint32_t)map->offset[d];
    }
    return WEND_BEELINE_FOUND;
}
