#include "methods/trees/beeline.h"

#include <string.h>

/* Where the search stands: a place, and how many moves of each kind are still needed. */
typedef struct place {
    uint32_t x, y, first_left, second_left;
} place;

WEND_INLINE place place_of(const wend_map *map, const wend_beeline *line, wend_cell at) {
    uint32_t y = wend_cell_y(map, at), x = wend_cell_x(map, at, y);
    uint32_t far_x = wend_apart(x, line->to_x), far_y = wend_apart(y, line->to_y);
    if (map->rules.connect == 4) return (place){x, y, far_x, far_y};
    return (place){x, y, far_x < far_y ? far_x : far_y, wend_apart(far_x, far_y)};
}

void wend_beeline_begin(const wend_map *map, wend_beeline *line, wend_cell from, wend_cell to) {
    line->from = line->at = from, line->to = to;
    line->moves = line->dead_used = 0;
    line->to_y = wend_cell_y(map, to), line->to_x = wend_cell_x(map, to, line->to_y);
    uint32_t y = wend_cell_y(map, from), x = wend_cell_x(map, from, y);
    uint32_t far_x = wend_apart(x, line->to_x), far_y = wend_apart(y, line->to_y);
    uint32_t along_x = far_x ? (line->to_x > x ? 2 : 6) : WEND_NO_DIRECTION;
    uint32_t along_y = far_y ? (line->to_y > y ? 4 : 0) : WEND_NO_DIRECTION;
    if (map->rules.connect == 4) {
        line->first = along_x, line->second = along_y;
        return;
    }
    line->first = line->second = WEND_NO_DIRECTION;
    if (far_x && far_y) line->first = line->to_y > y ? (line->to_x > x ? 3 : 5) : (line->to_x > x ? 1 : 7);
    if (far_x != far_y) line->second = far_x > far_y ? along_x : along_y;
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

/* In a direction of which a move is left: so it has one. */
WEND_INLINE bool can_go(const wend_map *map, const wend_beeline *line, wend_cell at, uint32_t moves,
                        uint32_t direction) {
    return (moves >> direction & 1) && !is_dead(line, at + (uint32_t)map->offset[direction]);
}

/* Where the search would go from a place; WEND_NO_DIRECTION: nowhere. */
WEND_INLINE uint32_t onward(const wend_map *map, const wend_beeline *line, wend_cell at, const place *p) {
    uint32_t moves = wend_legal_moves(map, p->x, p->y);
    if (p->first_left && can_go(map, line, at, moves, line->first)) return line->first;
    return p->second_left && can_go(map, line, at, moves, line->second) ? line->second : WEND_NO_DIRECTION;
}

uint32_t wend_beeline_move(const wend_map *map, const wend_beeline *line, wend_cell at,
                           uint64_t *operations) {
    place p = place_of(map, line, at);
    *operations += WEND_BEELINE_OPERATIONS;
    return onward(map, line, at, &p);
}

static void note_move(wend_beeline *line, bool second) {
    uint32_t bit = line->moves++ % WEND_BEELINE_TRAIL, one = 1u << bit % 32;
    line->trail[bit / 32] = (line->trail[bit / 32] & ~one) | (second ? one : 0);
}

/* One move back, from a cell other than the first. */
static void go_back(const wend_map *map, wend_beeline *line) {
    uint32_t bit = --line->moves % WEND_BEELINE_TRAIL;
    bool second = line->trail[bit / 32] >> bit % 32 & 1;
    line->at -= (uint32_t)map->offset[second ? line->second : line->first];
}

wend_beeline_state wend_beeline_run(const wend_map *map, wend_beeline *line, uint64_t most,
                                    uint64_t *operations) {
    place p = place_of(map, line, line->at);
    for (; p.first_left || p.second_left; ++*operations) {
        if (!most--) return WEND_BEELINE_MORE;
        uint32_t d = onward(map, line, line->at, &p);
        if (d == WEND_NO_DIRECTION) {
            if (line->at == line->from) return WEND_BEELINE_NONE;
            if (!make_dead(line, line->at)) return WEND_BEELINE_LOST;
            go_back(map, line);
            p = place_of(map, line, line->at);
            continue;
        }
        if (d == line->first)
            p.first_left--;
        else
            p.second_left--;
        note_move(line, d != line->first);
        p.x += (uint32_t)wend_dx[d], p.y += (uint32_t)wend_dy[d];
        line->at += (uint32_t)map->offset[d];
    }
    return WEND_BEELINE_FOUND;
}
