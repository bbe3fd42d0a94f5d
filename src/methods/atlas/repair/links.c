/* Links near a change: what is known of them, and how they are worked out in slices. As
 * methods/atlas/build/link.h has it, a link is a shortest path, kept as its cost and the cells where it
 * bends. Between two bends the climber goes for the octile distance, in both directions.
 *
 * No path of cost c between two cells passes by a cell from which the distances to both, without walls, add
 * up to more. So a link stays what it is until a cell changes that does not lie so far off. */
#include "methods/atlas/repair/repair.h"

#include "base/memory.h"

enum { AHEAD = 32 }; /* how many turns of a path are tried as its next bend, at most */

/* What is known ------------------------------------------------------------------------------------------ */

void wend_atlas_near_links_clear(const wend_atlas_repair *repair, wend_atlas_near_links *near_links) {
    for (uint32_t i = 0; i < repair->sectors; i++) near_links->heads[i] = UINT32_MAX;
    near_links->count = 0;
    near_links->bends.size = 0;
}

void wend_atlas_near_links_release(const wend_atlas_repair *repair, wend_atlas_near_links *near_links) {
    wend_release(&repair->common.allocator, near_links->heads, repair->sectors, sizeof *near_links->heads);
    wend_release(&repair->common.allocator, near_links->list, near_links->capacity, sizeof *near_links->list);
    wend_buffer_release(&near_links->bends);
}

/* How many cells beyond both ends a path of this cost may lead, at most, and one more for the cells beside
 * it, by which moves are legal or not. With diagonal moves, going aside costs what they cost more than
 * straight ones do. */
static uint64_t margin(const wend_map *map, wend_cell a, wend_cell b, uint64_t cost) {
    uint64_t least = wend_map_distance(map, a, b);
    uint64_t aside = map->rules.connect == 8 ? map->cost[1] - map->cost[0] : map->cost[0];
    return (cost > least ? (cost - least) / (2 * aside) : 0) + 2;
}

bool wend_atlas_near_link_touched(const wend_atlas_repair *repair, wend_cell a, wend_cell b, uint64_t cost,
                                  uint8_t flag, uint64_t *used) {
    const wend_map *map = repair->seen;
    const wend_atlas_grid *grid = &repair->base->grid;
    wend_xy p = wend_map_xy(map, a), q = wend_map_xy(map, b);
    int64_t more = (int64_t)margin(map, a, b, cost), side = grid->side;
    int64_t left = (p.x < q.x ? p.x : q.x) - more, right = (p.x < q.x ? q.x : p.x) + more;
    int64_t top = (p.y < q.y ? p.y : q.y) - more, bottom = (p.y < q.y ? q.y : p.y) + more;
    int64_t last_column = (int64_t)grid->columns - 1, last_row = (int64_t)grid->rows - 1;
    left = left < 0 ? 0 : left / side, top = top < 0 ? 0 : top / side;
    right = right / side < last_column ? right / side : last_column;
    bottom = bottom / side < last_row ? bottom / side : last_row;
    for (int64_t row = top; row <= bottom; row++)
        for (int64_t column = left; column <= right; column++) {
            ++*used;
            if (repair->flags[row * grid->columns + column] & flag) return true;
        }
    return false;
}

static wend_atlas_near_link *look_up(const wend_atlas_near_links *near_links, uint32_t sector, wend_cell a,
                                     wend_cell b, uint64_t *used) {
    for (uint32_t i = near_links->heads[sector]; i != UINT32_MAX; i = near_links->list[i].next, ++*used)
        if (near_links->list[i].a == a && near_links->list[i].b == b) return &near_links->list[i];
    return NULL;
}

static wend_atlas_near_link *add_near_link(wend_atlas_repair *repair, uint32_t sector,
                                           wend_atlas_near_link near_link, const wend_cell *bends) {
    wend_atlas_near_links *near_links = &repair->near_links[repair->fresh];
    if (near_links->count == near_links->capacity) {
        size_t capacity = near_links->capacity ? near_links->capacity + near_links->capacity / 2 : 64;
        if (capacity >= UINT32_MAX) return NULL;
        wend_atlas_near_link *larger = wend_enlarge(&repair->common.allocator, near_links->list,
                                                    near_links->capacity, capacity, sizeof *larger);
        if (!larger) return NULL;
        near_links->list = larger, near_links->capacity = capacity;
    }
    near_link.bends = near_links->bends.size / sizeof *bends;
    if (near_link.bend_count &&
        !wend_buffer_add(&near_links->bends, bends, near_link.bend_count * sizeof *bends))
        return NULL;
    near_link.next = near_links->heads[sector];
    near_links->heads[sector] = (uint32_t)near_links->count;
    near_links->list[near_links->count] = near_link;
    return &near_links->list[near_links->count++];
}

/* Working them out --------------------------------------------------------------------------------------- */

static void begin_walk(const wend_atlas_repair *repair, wend_climb_walk *walk, wend_cell from, wend_cell to) {
    *walk = (wend_climb_walk){from, to, 0, wend_map_distance(repair->seen, from, to)};
}

static void begin_linking(wend_atlas_repair *repair, wend_cell a, wend_cell b, uint64_t limit) {
    wend_atlas_linking *l = &repair->linking;
    l->a = a, l->b = b, l->limit = limit;
    l->cost = wend_map_distance(repair->seen, a, b);
    l->turns.size = l->bends.size = 0;
    l->stage = l->cost < limit ? WEND_ATLAS_THERE : WEND_ATLAS_TIED;
    if (l->cost >= limit) l->cost = WEND_NO_COST;
    begin_walk(repair, &l->walk, a, b);
    repair->links++;
}

/* False: the queue is full. */
static bool search_on(wend_atlas_repair *repair, uint64_t operations, uint64_t *used) {
    wend_atlas_linking *l = &repair->linking;
    wend_search *search = repair->search;
    uint64_t before = search->operations, left = operations - *used;
    uint64_t expansions = left / (2 + WEND_DIRECTIONS) + 1;
    wend_ended ended = wend_search_run(search, expansions, expansions);
    *used += search->operations - before + 1;
    if (ended == WEND_ENDED_GOAL) {
        l->cost = wend_search_touched(search, l->b) >> WEND_TAG_STAMP;
        l->at = l->b, l->direction = WEND_NO_DIRECTION;
        l->stage = l->cost < l->limit ? WEND_ATLAS_TURNS : WEND_ATLAS_TIED;
    } else if (ended == WEND_ENDED_BUDGET) {
        /* What is still in the queue may be known to cost too much. */
        wend_cell best = wend_search_best(search, WEND_DIRECTIONS);
        if (best == WEND_NO_CELL) return true;
        uint64_t g = wend_search_touched(search, best) >> WEND_TAG_STAMP;
        if (g + wend_map_distance(repair->seen, best, l->b) < l->limit) return true;
        l->cost = WEND_NO_COST, l->stage = WEND_ATLAS_TIED;
    } else if (ended == WEND_ENDED_FULL) {
        return false;
    } else {
        l->cost = WEND_NO_COST, l->stage = WEND_ATLAS_TIED;
    }
    if (l->stage == WEND_ATLAS_TIED && l->cost >= l->limit) l->cost = WEND_NO_COST;
    return true;
}

/* A step back along the path. */
static bool turn_on(wend_atlas_repair *repair, uint64_t *used) {
    wend_atlas_linking *l = &repair->linking;
    uint32_t by = wend_search_reached(repair->search, l->at);
    ++*used;
    if (l->at != l->b && by != l->direction && by != WEND_TAG_ROOT &&
        !wend_buffer_add(&l->turns, &l->at, sizeof l->at))
        return false;
    if (by == WEND_TAG_ROOT) {
        l->stage = WEND_ATLAS_BENDS;
        l->next = 0, l->most = UINT32_MAX; /* to be chosen */
        return true;
    }
    l->direction = by;
    l->at -= (uint32_t)repair->seen->offset[by];
    return true;
}

/* Turn number `i` on the way from a to b; the last is b. */
static wend_cell turn_at(const wend_atlas_linking *l, uint32_t i) {
    uint32_t count = (uint32_t)(l->turns.size / sizeof(wend_cell));
    return i == count ? l->b : ((const wend_cell *)(const void *)l->turns.data)[count - 1 - i];
}

/* A straight run of moves is direct both ways, so the next turn always is. l->at is the last bend. */
static bool bend_on(wend_atlas_repair *repair, uint64_t operations, uint64_t *used) {
    wend_atlas_linking *l = &repair->linking;
    uint32_t count = (uint32_t)(l->turns.size / sizeof(wend_cell));
    ++*used;
    if (l->most == UINT32_MAX) {
        l->most = l->next + AHEAD < count ? l->next + AHEAD : count;
        l->back = false;
        begin_walk(repair, &l->walk, l->at, turn_at(l, l->most));
    }
    if (l->most > l->next) {
        if (*used >= operations) return true;
        wend_climb_end end = wend_climb_go(repair->seen, &l->walk, operations - *used, used);
        if (end == WEND_CLIMB_MORE) return true;
        if (end == WEND_CLIMB_REACHED && !l->back) {
            l->back = true;
            begin_walk(repair, &l->walk, turn_at(l, l->most), l->at);
            return true;
        }
        if (end == WEND_CLIMB_FAILED) {
            l->most--, l->back = false;
            begin_walk(repair, &l->walk, l->at, turn_at(l, l->most));
            return true;
        }
    }
    l->at = turn_at(l, l->most);
    if (l->most == count) {
        l->stage = WEND_ATLAS_TIED;
        return true;
    }
    l->next = l->most + 1, l->most = UINT32_MAX;
    return wend_buffer_add(&l->bends, &l->at, sizeof l->at);
}

static bool link_on(wend_atlas_repair *repair, uint64_t operations, uint64_t *used) {
    wend_atlas_linking *l = &repair->linking;
    switch (l->stage) {
    case WEND_ATLAS_THERE:
    case WEND_ATLAS_BACK: {
        wend_climb_end end = wend_climb_go(repair->seen, &l->walk, operations - *used, used);
        ++*used;
        if (end == WEND_CLIMB_FAILED) {
            wend_search_begin(repair->search, l->a, l->b);
            l->stage = WEND_ATLAS_CELLS;
        } else if (end == WEND_CLIMB_REACHED) {
            l->stage = l->stage == WEND_ATLAS_THERE ? WEND_ATLAS_BACK : WEND_ATLAS_TIED;
            begin_walk(repair, &l->walk, l->b, l->a);
        }
        return true;
    }
    case WEND_ATLAS_CELLS:
        return search_on(repair, operations, used);
    case WEND_ATLAS_TURNS:
        return turn_on(repair, used);
    default:
        return bend_on(repair, operations, used);
    }
}

bool wend_atlas_near_link_find(wend_atlas_repair *repair, wend_cell a, wend_cell b, uint64_t limit,
                               uint64_t operations, uint64_t *used, const wend_atlas_near_link **near_link) {
    uint32_t sector = wend_atlas_sector(&repair->base->grid, repair->seen, a);
    const wend_atlas_near_links *old = &repair->near_links[!repair->fresh];
    wend_atlas_linking *l = &repair->linking;
    *near_link = NULL;
    if (!repair->linking_on) {
        *near_link = look_up(&repair->near_links[repair->fresh], sector, a, b, used);
        if (*near_link && ((*near_link)->cost != UINT32_MAX || (*near_link)->limit >= limit)) return true;
        *near_link = NULL;
        const wend_atlas_near_link *known = look_up(old, sector, a, b, used);
        if (known && (known->cost != UINT32_MAX || known->limit >= limit) &&
            !wend_atlas_near_link_touched(repair, a, b,
                                          known->cost != UINT32_MAX ? known->cost : known->limit,
                                          WEND_SECTOR_CHANGED, used)) {
            const wend_cell *bends = (const wend_cell *)(const void *)old->bends.data;
            *near_link =
                add_near_link(repair, sector, *known, known->bend_count ? bends + known->bends : NULL);
            return *near_link;
        }
        begin_linking(repair, a, b, limit);
        repair->linking_on = true;
    }
    while (l->stage != WEND_ATLAS_TIED) {
        if (*used >= operations) return true;
        if (!link_on(repair, operations, used)) return false;
    }
    repair->linking_on = false;
    wend_atlas_near_link made = {.a = a, .b = b, .limit = limit, .cost = UINT32_MAX};
    if (l->cost < UINT32_MAX) made.cost = (uint32_t)l->cost;
    made.bend_count = l->cost < UINT32_MAX ? (uint32_t)(l->bends.size / sizeof(wend_cell)) : 0;
    *near_link = add_near_link(repair, sector, made, (const wend_cell *)(const void *)l->bends.data);
    return *near_link;
}
