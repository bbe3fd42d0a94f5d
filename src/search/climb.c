/* The hill-climber: figure 7 of "Case-based subgoaling in real-time heuristic search" (JAIR 2010), where
 * line 4 is read as comparing the distances h(s, sb). On open ground the best move is known without looking
 * at all neighbours. If the diagonal towards the target, or the straight move along its longer axis, is
 * legal, then cost + distance left equals the distance now, and no move can be better. Of the two the
 * diagonal costs more, so it wins the tie. */
#include "search/climb.h"

/* The direction by the signs of x and y, each 0 (negative), 1 or 2. */
static const uint8_t direction_of[3][3] = {{7, 6, 5}, {0, WEND_NO_DIRECTION, 4}, {1, 2, 3}};

static uint32_t sign_of(int32_t x) {
    return x < 0 ? 0 : x > 0 ? 2 : 1;
}

static uint32_t size_of(int32_t x) {
    return (uint32_t)(x < 0 ? -x : x);
}

/* The general case: looks at every legal move. */
static uint32_t best_of_all(const wend_map *map, uint32_t moves, int32_t to_x, int32_t to_y,
                            uint64_t *operations) {
    uint64_t here = wend_octile(map, size_of(to_x), size_of(to_y)), best = UINT64_MAX, nearest = UINT64_MAX;
    uint32_t chosen = WEND_NO_DIRECTION;
    for (; moves; moves &= moves - 1) {
        uint32_t d = wend_lowest_bit(moves);
        uint64_t left = wend_octile(map, size_of(to_x - wend_dx[d]), size_of(to_y - wend_dy[d]));
        uint64_t total = left + map->cost[d];
        if (left < nearest) nearest = left;
        if (total < best || (total == best && map->cost[d] > map->cost[chosen])) best = total, chosen = d;
        ++*operations;
    }
    return nearest < here ? chosen : WEND_NO_DIRECTION;
}

/* A move after which cost + distance left equals the distance now, if one of the two moves named above is
 * legal. */
static uint32_t straight_on(const wend_map *map, uint32_t moves, int32_t to_x, int32_t to_y) {
    uint32_t sign_x = sign_of(to_x), sign_y = sign_of(to_y);
    if (map->rules.connect != 8) return WEND_NO_DIRECTION;
    uint32_t towards = direction_of[sign_x][sign_y];
    if (moves >> towards & 1) return towards; /* diagonal, or straight ahead where the target is in line */
    if (size_of(to_x) > size_of(to_y))
        towards = direction_of[sign_x][1];
    else if (size_of(to_x) < size_of(to_y))
        towards = direction_of[1][sign_y];
    return moves >> towards & 1 ? towards : WEND_NO_DIRECTION;
}

/* How many moves in one direction are legal from (x, y), at most `most`. */
static uint32_t legal_run(const wend_map *map, uint32_t x, uint32_t y, uint32_t d, uint32_t most) {
    uint32_t run = 0, dx = (uint32_t)wend_dx[d], dy = (uint32_t)wend_dy[d];
    if (!wend_is_diagonal(d)) { /* legal if the next cell is open, under any rules */
        for (x += dx, y += dy; run < most && wend_bit(map, x, y); run++) x += dx, y += dy;
        return run;
    }
    for (; run < most && wend_legal_moves(map, x, y) >> d & 1; run++) x += dx, y += dy;
    return run;
}

/* The moves of a climb towards (to_x, to_y) before it has to turn: diagonal, or straight where the target is
 * in line. */
static uint32_t moves_in_line(int32_t to_x, int32_t to_y) {
    uint32_t far_x = size_of(to_x), far_y = size_of(to_y);
    if (!far_x || !far_y) return far_x + far_y;
    return far_x < far_y ? far_x : far_y;
}

/* The next move from (x, y) with the target (to_x, to_y) further on; not both 0. */
static uint32_t next_move(const wend_map *map, uint32_t x, uint32_t y, int32_t to_x, int32_t to_y,
                          uint64_t *operations) {
    uint32_t moves = wend_legal_moves(map, x, y), d = straight_on(map, moves, to_x, to_y);
    ++*operations;
    return d != WEND_NO_DIRECTION ? d : best_of_all(map, moves, to_x, to_y, operations);
}

uint32_t wend_climb_step(const wend_map *map, wend_cell from, wend_cell to, uint64_t *operations) {
    uint32_t y = wend_cell_y(map, from), x = wend_cell_x(map, from, y);
    uint32_t target_y = wend_cell_y(map, to), target_x = wend_cell_x(map, to, target_y);
    return next_move(map, x, y, (int32_t)(target_x - x), (int32_t)(target_y - y), operations);
}

uint32_t wend_climb_run(const wend_map *map, wend_cell from, wend_cell to, uint32_t most, uint32_t *count,
                        uint64_t *operations) {
    uint32_t y = wend_cell_y(map, from), x = wend_cell_x(map, from, y);
    uint32_t target_y = wend_cell_y(map, to), target_x = wend_cell_x(map, to, target_y);
    int32_t to_x = (int32_t)(target_x - x), to_y = (int32_t)(target_y - y);
    uint32_t d = next_move(map, x, y, to_x, to_y, operations);
    *count = d != WEND_NO_DIRECTION;
    if (map->rules.connect != 8 || d != direction_of[sign_of(to_x)][sign_of(to_y)]) return d;
    uint32_t in_line = moves_in_line(to_x, to_y);
    if (most > in_line) most = in_line;
    *count += legal_run(map, x + (uint32_t)wend_dx[d], y + (uint32_t)wend_dy[d], d, most - 1);
    *operations += *count - 1 + (*count < most);
    return d;
}

wend_direction wend_climb_move(const wend_map *map, wend_cell from, wend_cell to) {
    if (from >= map->cells || to >= map->cells || from == to) return WEND_NO_DIRECTION;
    uint64_t operations = 0;
    return (wend_direction)wend_climb_step(map, from, to, &operations);
}

wend_climb_result wend_climb(const wend_map *map, wend_cell from, wend_cell to, uint32_t max_steps) {
    wend_climb_result result = {.reached = false, .end = from};
    if (from >= map->cells || to >= map->cells) return result;
    wend_xy a = wend_map_xy(map, from), b = wend_map_xy(map, to);
    uint32_t x = (uint32_t)a.x, y = (uint32_t)a.y;
    int32_t to_x = b.x - a.x, to_y = b.y - a.y;
    if (!wend_bit(map, x, y)) return result;
    for (uint32_t step = 0; (to_x || to_y) && step < max_steps; step++) {
        uint32_t d = next_move(map, x, y, to_x, to_y, &result.operations);
        if (d == WEND_NO_DIRECTION) break;
        x += (uint32_t)wend_dx[d], y += (uint32_t)wend_dy[d];
        to_x -= wend_dx[d], to_y -= wend_dy[d];
        result.end += (uint32_t)map->offset[d];
        if (wend_is_diagonal(d))
            result.diagonal++;
        else
            result.straight++;
    }
    result.reached = !to_x && !to_y;
    return result;
}

/* Legs of one direction: the diagonal towards the target, if there are diagonals, or, in line with it, straight
 * ahead. If that is blocked, move by move, since each move may open the way again. */
bool wend_climb_reaches(const wend_map *map, const wend_jumps *jumps, wend_cell from, wend_cell to) {
    wend_xy a = wend_map_xy(map, from), b = wend_map_xy(map, to);
    int32_t to_x = b.x - a.x, to_y = b.y - a.y;
    bool diagonals = map->rules.connect == 8;
    wend_cell at = from;
    uint64_t operations = 0;
    while (to_x || to_y) {
        uint32_t d = direction_of[sign_of(to_x)][sign_of(to_y)];
        int32_t legal = diagonals || !to_x || !to_y ? jumps->steps[at][d] : 0;
        int32_t run = legal < 0 ? -legal : legal;
        int32_t most = (int32_t)(size_of(to_x) < size_of(to_y) ? size_of(to_x) : size_of(to_y));
        if (!most) most = (int32_t)(size_of(to_x) + size_of(to_y));
        if (run > most) run = most;
        if (!run) {
            d = next_move(map, (uint32_t)(b.x - to_x), (uint32_t)(b.y - to_y), to_x, to_y, &operations);
            if (d == WEND_NO_DIRECTION) return false;
            run = 1;
        }
        to_x -= run * wend_dx[d], to_y -= run * wend_dy[d];
        at += (uint32_t)(run * map->offset[d]);
    }
    return true;
}

wend_climb_end wend_climb_go(const wend_map *map, wend_climb_walk *walk, uint64_t operations,
                             uint64_t *counted) {
    wend_xy a = wend_map_xy(map, walk->at), b = wend_map_xy(map, walk->to);
    uint32_t x = (uint32_t)a.x, y = (uint32_t)a.y;
    int32_t to_x = b.x - a.x, to_y = b.y - a.y;
    uint64_t used = 0;
    bool good =
        wend_bit(map, x, y) && walk->cost + wend_octile(map, size_of(to_x), size_of(to_y)) <= walk->most;
    while (good && (to_x || to_y) && used < operations) {
        if (map->rules.connect == 8) {
            uint32_t d = direction_of[sign_of(to_x)][sign_of(to_y)], most = moves_in_line(to_x, to_y);
            if (most > operations - used) most = (uint32_t)(operations - used);
            uint32_t run = legal_run(map, x, y, d, most);
            int32_t by_x = wend_dx[d] * (int32_t)run, by_y = wend_dy[d] * (int32_t)run;
            x += (uint32_t)by_x, y += (uint32_t)by_y;
            to_x -= by_x, to_y -= by_y;
            walk->cost += (uint64_t)map->cost[d] * run;
            used += run;
            if (run == most) continue;
        }
        uint32_t moves = wend_legal_moves(map, x, y), d = straight_on(map, moves, to_x, to_y);
        bool detour = d == WEND_NO_DIRECTION;
        used++;
        if (detour) d = best_of_all(map, moves, to_x, to_y, &used);
        if (d == WEND_NO_DIRECTION) {
            good = false;
            break;
        }
        x += (uint32_t)wend_dx[d], y += (uint32_t)wend_dy[d];
        to_x -= wend_dx[d], to_y -= wend_dy[d];
        walk->cost += map->cost[d];
        if (detour) good = walk->cost + wend_octile(map, size_of(to_x), size_of(to_y)) <= walk->most;
    }
    walk->at = y * (uint32_t)map->width + x;
    *counted += used;
    if (!good) return WEND_CLIMB_FAILED;
    return to_x || to_y ? WEND_CLIMB_MORE : WEND_CLIMB_REACHED;
}
