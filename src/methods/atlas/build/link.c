#include "methods/atlas/build/link.h"

#include "base/memory.h"
#include "search/climb.h"
#include "search/search.h"

enum { FIRST_MOVES = 1024 };
enum { TURNS_AHEAD = 32 }; /* how many turns of a path are tried as its next bend, at most */

wend_status wend_atlas_linker_create(wend_atlas_linker *linker, const wend_map *map, const wend_jumps *jumps,
                                     const wend_allocator *allocator) {
    *linker = (wend_atlas_linker){.map = map, .jumps = jumps, .allocator = *allocator};
    wend_search_options options = wend_default_search_options();
    options.allocator = *allocator;
    return wend_search_create(map, &options, &linker->search, NULL);
}

void wend_atlas_linker_release(wend_atlas_linker *linker) {
    wend_search_destroy(linker->search);
    wend_release(&linker->allocator, linker->moves, linker->move_capacity, sizeof *linker->moves);
    wend_release(&linker->allocator, linker->turns, linker->turn_capacity, sizeof *linker->turns);
    wend_release(&linker->allocator, linker->bends, linker->turn_capacity, sizeof *linker->bends);
    *linker = (wend_atlas_linker){0};
}

/* As the climber goes on open ground: the diagonal towards the target while that is legal, else straight
 * along the longer axis. Any other move of the climber's costs more than the octile distance. */
static bool direct_by_legs(const wend_map *map, const wend_jumps *jumps, wend_cell from, wend_cell to) {
    static const uint8_t directions[3][3] = {{7, 6, 5}, {0, WEND_NO_DIRECTION, 4}, {1, 2, 3}};
    wend_xy a = wend_map_xy(map, from), b = wend_map_xy(map, to);
    int32_t to_x = b.x - a.x, to_y = b.y - a.y;
    wend_cell at = from;
    while (to_x || to_y) {
        uint32_t sign_x = to_x < 0 ? 0 : to_x > 0 ? 2 : 1, sign_y = to_y < 0 ? 0 : to_y > 0 ? 2 : 1;
        int32_t far_x = to_x < 0 ? -to_x : to_x, far_y = to_y < 0 ? -to_y : to_y;
        uint32_t d = directions[sign_x][sign_y];
        int32_t legal = jumps->steps[at][d], run = legal < 0 ? -legal : legal;
        int32_t most = far_x < far_y ? far_x : far_y;
        if (!most) most = far_x + far_y;
        if (run > most) run = most;
        if (!run) { /* a step on the longer axis, if there is one */
            if (far_x == far_y || !far_x || !far_y) return false;
            d = far_x > far_y ? directions[sign_x][1] : directions[1][sign_y];
            if (!jumps->steps[at][d]) return false;
            run = 1;
        }
        to_x -= run * wend_dx[d], to_y -= run * wend_dy[d];
        at += (uint32_t)(run * map->offset[d]);
    }
    return true;
}

bool wend_atlas_direct(const wend_map *map, const wend_jumps *jumps, wend_cell from, wend_cell to) {
    if (jumps && map->rules.connect == 8) return direct_by_legs(map, jumps, from, to);
    wend_climb_result climb = wend_climb(map, from, to, UINT32_MAX);
    return climb.reached &&
           (uint64_t)climb.straight * map->cost[0] + (uint64_t)climb.diagonal * map->cost[1] ==
               wend_map_distance(map, from, to);
}

static bool direct_both_ways(const wend_atlas_linker *linker, wend_cell from, wend_cell to) {
    return wend_atlas_direct(linker->map, linker->jumps, from, to) &&
           wend_atlas_direct(linker->map, linker->jumps, to, from);
}

static bool make_room(wend_atlas_linker *linker, size_t moves) {
    if (moves > linker->move_capacity) {
        size_t capacity = linker->move_capacity ? linker->move_capacity : FIRST_MOVES;
        while (capacity < moves) capacity *= 2;
        wend_release(&linker->allocator, linker->moves, linker->move_capacity, sizeof *linker->moves);
        wend_release(&linker->allocator, linker->turns, linker->turn_capacity, sizeof *linker->turns);
        wend_release(&linker->allocator, linker->bends, linker->turn_capacity, sizeof *linker->bends);
        linker->moves = wend_allocate(&linker->allocator, capacity, sizeof *linker->moves);
        linker->turns = wend_allocate(&linker->allocator, capacity, sizeof *linker->turns);
        linker->bends = wend_allocate(&linker->allocator, capacity, sizeof *linker->bends);
        linker->move_capacity = linker->turn_capacity = capacity;
    }
    return linker->moves && linker->turns && linker->bends;
}

/* A straight run of moves is direct both ways, so the next turn always is. */
static void find_bends(wend_atlas_linker *linker, wend_cell from, size_t moves) {
    const int32_t *offset = linker->map->offset;
    size_t turns = 0;
    wend_cell at = from;
    for (size_t i = 0; i < moves; i++) {
        at += (uint32_t)offset[linker->moves[i]];
        if (i + 1 == moves || linker->moves[i + 1] != linker->moves[i]) linker->turns[turns++] = at;
    }
    linker->bend_count = 0;
    at = from;
    for (size_t next = 0; next < turns; next++) {
        size_t most = next + TURNS_AHEAD < turns ? next + TURNS_AHEAD : turns - 1;
        while (most > next && !direct_both_ways(linker, at, linker->turns[most])) most--;
        next = most, at = linker->turns[most];
        if (next + 1 < turns) linker->bends[linker->bend_count++] = at;
    }
}

static void turn_round(wend_atlas_linker *linker) {
    for (size_t i = 0, j = linker->bend_count; i + 1 < j; i++) {
        wend_cell bend = linker->bends[--j];
        linker->bends[j] = linker->bends[i];
        linker->bends[i] = bend;
    }
}

wend_status wend_atlas_link(wend_atlas_linker *linker, wend_cell from, wend_cell to, wend_cost limit,
                            wend_cost *cost) {
    wend_result result;
    if (from > to) {
        wend_status status = wend_atlas_link(linker, to, from, limit, cost);
        turn_round(linker);
        return status;
    }
    linker->bend_count = 0;
    *cost = wend_map_distance(linker->map, from, to);
    if (*cost < limit && direct_both_ways(linker, from, to)) return WEND_OK;
    wend_cost least = *cost;
    *cost = WEND_NO_COST;
    if (least >= limit) return WEND_OK;
    wend_status status =
        wend_search_jps_within(linker->search, linker->jumps, from, to, limit, &result, NULL);
    if (status != WEND_OK) return status;
    if (result.found != WEND_FOUND_PATH || result.cost >= limit) return WEND_OK;
    size_t moves = (size_t)(result.straight + result.diagonal);
    if (!make_room(linker, moves)) return WEND_STATUS_NO_MEMORY;
    (void)wend_search_moves(linker->search, linker->moves, moves);
    find_bends(linker, from, moves);
    *cost = result.cost;
    return WEND_OK;
}
