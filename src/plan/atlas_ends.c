/* Which representatives of an atlas an end of a way is joined to: the nearest of the 3 x 3 sectors around it
 * that the climber gets to (or gets from). Every cell is covered by one of them, so that it may take long to
 * find one but never fails. */
#include "plan/atlas_query.h"

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

void wend_atlas_ends_begin(wend_atlas_query *query, uint32_t side, wend_cell cell) {
    const wend_atlas *atlas = query->atlas;
    uint32_t sector = wend_atlas_sector(&atlas->grid, atlas->map, cell);
    query->sides[side].end_count = 0;
    query->sides[side].cell = cell;
    query->search =
        (wend_atlas_search){.side = side, .cell = cell, .block = wend_atlas_around(&atlas->grid, sector)};
    look_around(atlas, &query->search);
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

/* One climb, begun or gone on with. True when it has ended. */
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

bool wend_atlas_ends_run(wend_atlas_query *query, uint64_t operations, uint64_t *counted) {
    const wend_atlas *atlas = query->atlas;
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
