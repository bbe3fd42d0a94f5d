/* Which representatives of an atlas an end of a way is joined to: the nearest of the 3 x 3 sectors around it
 * that the climber gets to (or gets from). Every cell is covered by one of them, so that it may take long to
 * find one but never fails.
 *
 * With an exact atlas, those of its sector's list that a natural piece of a path leads to (or from): all of
 * them. Where there are none, no path is worth looking for but that without a corner. */
#include "methods/atlas/agent/query.h"

/* The members of one row of the block. */
static void enter_row(const wend_atlas *atlas, wend_atlas_search *search) {
    uint32_t line = search->row * atlas->grid.columns;
    search->at = wend_atlas_members(atlas, line + search->block.left);
    search->end = wend_atlas_members(atlas, line + search->block.right + 1);
}

static void look_around(const wend_atlas *atlas, wend_atlas_search *search) {
    search->row = search->block.top;
    search->near_count = search->tried = 0;
    search->sorted = false;
    enter_row(atlas, search);
}

/* The list of the square of this level that has the cell. */
static void enter_square(const wend_atlas *atlas, wend_atlas_search *search) {
    uint32_t sector = wend_atlas_sector(&atlas->grid, atlas->map, search->cell);
    uint32_t column = sector % atlas->grid.columns, row = sector / atlas->grid.columns;
    wend_atlas_level level = wend_atlas_lowest(&atlas->grid);
    while (level.first < search->level.first && wend_atlas_ascend(&level)) column /= 2, row /= 2;
    uint32_t square = level.first + row * level.columns + column;
    search->at = wend_atlas_members(atlas, square);
    search->end = wend_atlas_members(atlas, square + 1);
}

void wend_atlas_ends_begin(wend_atlas_query *query, uint32_t side, wend_cell cell) {
    const wend_atlas *atlas = query->atlas;
    uint32_t sector = wend_atlas_sector(&atlas->grid, atlas->map, cell);
    query->sides[side].end_count = 0;
    query->sides[side].cell = cell;
    query->search =
        (wend_atlas_search){.side = side, .cell = cell, .block = wend_atlas_around(&atlas->grid, sector)};
    if (!atlas->ends) {
        look_around(atlas, &query->search);
        return;
    }
    query->search.level = wend_atlas_lowest(&atlas->grid);
    enter_square(atlas, &query->search);
}

static bool is_before(wend_atlas_end a, wend_atlas_end b) {
    return a.cost != b.cost ? a.cost < b.cost : a.rep < b.rep;
}

/* Puts a representative where it belongs among the nearest. */
static void sort_in(wend_atlas_search *search, wend_atlas_end one) {
    if (search->again && !is_before(search->last, one)) return;
    uint32_t at = search->near_count;
    if (at < WEND_ATLAS_NEAR)
        search->near_count++;
    else if (!is_before(one, search->near[--at]))
        return;
    for (; at && is_before(one, search->near[at - 1]); at--) search->near[at] = search->near[at - 1];
    search->near[at] = one;
}

/* True when all members were looked at. */
static bool sort_on(const wend_atlas *atlas, wend_atlas_search *search, uint64_t operations, uint64_t *used) {
    while (*used < operations) {
        if (search->at < search->end) {
            uint32_t rep = wend_atlas_member(atlas, search->at++);
            sort_in(search,
                    (wend_atlas_end){wend_map_distance(atlas->map, search->cell, atlas->cells[rep]), rep});
            ++*used;
        } else if (search->row < search->block.bottom) {
            search->row++;
            enter_row(atlas, search);
        } else {
            search->sorted = true;
            return true;
        }
    }
    return false;
}

/* One climb, begun or continued. True when it has ended. */
static bool try_one(wend_atlas_query *query, uint64_t operations, uint64_t *used) {
    const wend_atlas *atlas = query->atlas;
    wend_atlas_search *search = &query->search;
    wend_atlas_side *side = &query->sides[search->side];
    uint32_t rep = search->near[search->tried].rep;
    wend_cell cell = atlas->cells[rep];
    if (!search->climbing) {
        search->climbing = true;
        search->walk = (wend_climb_walk){search->side ? cell : search->cell,
                                         search->side ? search->cell : cell, 0, UINT64_MAX};
    }
    wend_climb_end end = wend_climb_go(query->map, &search->walk, operations - *used, used);
    if (end == WEND_CLIMB_MORE) return false;
    search->climbing = false;
    if (end == WEND_CLIMB_REACHED) side->ends[side->end_count++] = (wend_atlas_end){search->walk.cost, rep};
    search->tried++, search->total++;
    return true;
}

void wend_atlas_piece_begin(wend_atlas_query *query, wend_cell from, wend_cell to) {
    const wend_map *map = query->map;
    wend_cell turn = wend_atlas_turn(map, from, to);
    query->search.last_leg = to;
    query->search.walk = (wend_climb_walk){from, turn, 0, wend_map_distance(map, from, to)};
    query->search.climbing = wend_map_is_open_cell(map, turn);
}

wend_climb_end wend_atlas_piece_run(wend_atlas_query *query, uint64_t operations, uint64_t *counted) {
    wend_atlas_search *search = &query->search;
    uint64_t used = 0;
    wend_climb_end end = search->climbing ? WEND_CLIMB_MORE : WEND_CLIMB_FAILED;
    while (end == WEND_CLIMB_MORE && used < operations) {
        end = wend_climb_go(query->map, &search->walk, operations - used, &used);
        if (end != WEND_CLIMB_REACHED || search->walk.to == search->last_leg) break;
        search->walk.to = search->last_leg;
        end = WEND_CLIMB_MORE;
    }
    if (end != WEND_CLIMB_MORE) search->climbing = false;
    *counted += used;
    return end;
}

/* Whether a natural piece between a corner and a cell would come to it, or leave it, in a direction that is
 * of use there. */
static bool is_of_use(const wend_atlas *atlas, bool leaves, wend_cell corner, wend_cell cell) {
    static const uint8_t directions[3][3] = {{7, 6, 5}, {0, WEND_NO_DIRECTION, 4}, {1, 2, 3}};
    const wend_map *map = atlas->map;
    wend_xy at = wend_map_xy(map, corner), other = wend_map_xy(map, cell);
    uint32_t around = wend_map_around(map, (uint32_t)at.x, (uint32_t)at.y);
    int32_t x = leaves ? other.x - at.x : at.x - other.x, y = leaves ? other.y - at.y : at.y - other.y;
    if (!x && !y) return true;
    uint32_t far_x = (uint32_t)(x < 0 ? -x : x), far_y = (uint32_t)(y < 0 ? -y : y);
    /* Primary moves come first: the diagonal, or with four directions north and south. */
    if (map->rules.connect == 8 && !leaves && far_x > far_y) y = 0;
    if (map->rules.connect == 8 && !leaves && far_x < far_y) x = 0;
    if (map->rules.connect == 4 && x && y) *(leaves ? &x : &y) = 0;
    uint32_t d = directions[x < 0 ? 0 : x > 0 ? 2 : 1][y < 0 ? 0 : y > 0 ? 2 : 1];
    return (leaves ? atlas->onward : atlas->arrivals)[around] >> d & 1;
}

/* The corners of the lists, one after another. True when all were tried. */
static bool try_corners(wend_atlas_query *query, uint64_t operations, uint64_t *counted) {
    const wend_atlas *atlas = query->atlas;
    wend_atlas_search *search = &query->search;
    wend_atlas_side *side = &query->sides[search->side];
    uint64_t used = 0;
    bool done = false;
    while (used < operations) {
        if (search->at == search->end) {
            used++;
            done = !wend_atlas_ascend(&search->level);
            if (done) break;
            enter_square(atlas, search);
            continue;
        }
        uint32_t rep = wend_atlas_member(atlas, search->at);
        wend_cell cell = atlas->cells[rep];
        if (!search->climbing) {
            used++;
            if (!is_of_use(atlas, search->side, cell, search->cell)) {
                search->at++;
                continue;
            }
            wend_atlas_piece_begin(query, search->side ? cell : search->cell,
                                   search->side ? search->cell : cell);
        }
        wend_climb_end end = wend_atlas_piece_run(query, operations - used, &used);
        if (end == WEND_CLIMB_MORE) continue;
        if (end == WEND_CLIMB_REACHED)
            side->ends[side->end_count++] = (wend_atlas_end){search->walk.cost, rep};
        search->at++;
    }
    *counted += used;
    return done;
}

bool wend_atlas_ends_run(wend_atlas_query *query, uint64_t operations, uint64_t *counted) {
    const wend_atlas *atlas = query->atlas;
    if (atlas->ends) return try_corners(query, operations, counted);
    wend_atlas_search *search = &query->search;
    const wend_atlas_side *side = &query->sides[search->side];
    uint64_t used = 0;
    bool done = false;
    while (used < operations) {
        if (!search->sorted) {
            if (!sort_on(atlas, search, operations, &used)) break;
        } else if (side->end_count == WEND_ATLAS_ENDS ||
                   (side->end_count && search->total >= WEND_ATLAS_TRIES)) {
            done = true;
            break;
        } else if (search->tried < search->near_count) {
            (void)try_one(query, operations, &used);
        } else if (search->near_count < WEND_ATLAS_NEAR) {
            done = true; /* there are no more */
            break;
        } else {
            search->last = search->near[search->near_count - 1];
            search->again = true;
            look_around(atlas, search);
        }
    }
    *counted += used;
    return done;
}
