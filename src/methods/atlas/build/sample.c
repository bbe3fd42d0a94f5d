#include "methods/atlas/build/sample.h"

#include "base/random.h"
#include "methods/atlas/build/link.h"

#include <string.h>

enum {
    PROBLEMS = 64,
    DRAWS = 4096, /* of pairs of cells, at most */
    ENDS = 8,     /* as the planner has it: representatives near each end, */
    TRIES = 64,   /* tried nearest first, */
    AHEAD = 8     /* and subgoals that it looks at */
};

/* What is known of representatives from one side: ways over upper arcs alone, which lead from lower ranks to
 * higher ones, so that going through them by rank is a search. */
typedef struct side {
    uint64_t *costs; /* by rank; UINT64_MAX: none */
    uint32_t *parents;
    wend_cell cell;
} side;

typedef struct sampler {
    const wend_atlas *atlas;
    wend_allocator allocator;
    side sides[2];
    uint32_t *stack; /* the way as it is unpacked, the next on top */
    wend_buffer way; /* subgoals: cells */
    wend_jumps *jumps;
    wend_search *search;
} sampler;

/* The nearest representatives that an end can be joined to. */
static void find_ends(const wend_atlas *atlas, side *from, bool to_cell) {
    struct {
        uint64_t distance;
        uint32_t rep;
    } near[TRIES];
    uint32_t count = 0, found = 0;
    const wend_map *map = atlas->map;
    wend_atlas_block block =
        wend_atlas_around(&atlas->grid, wend_atlas_sector(&atlas->grid, map, from->cell));
    for (uint32_t row = block.top; row <= block.bottom; row++) {
        uint32_t line = row * atlas->grid.columns, end = wend_atlas_members(atlas, line + block.right + 1);
        for (uint32_t i = wend_atlas_members(atlas, line + block.left); i < end; i++) {
            uint32_t rep = wend_atlas_member(atlas, i);
            uint64_t distance = wend_map_distance(map, from->cell, atlas->cells[rep]);
            uint32_t at = count < TRIES ? count++ : TRIES;
            if (at == TRIES && distance >= near[--at].distance) continue;
            for (; at && near[at - 1].distance > distance; at--) near[at] = near[at - 1];
            near[at].distance = distance, near[at].rep = rep;
        }
    }
    for (uint32_t i = 0; i < count && found < ENDS; i++) {
        wend_cell rep = atlas->cells[near[i].rep];
        wend_climb_result climb = to_cell ? wend_climb(map, rep, from->cell, wend_atlas_reach(&atlas->grid))
                                          : wend_climb(map, from->cell, rep, wend_atlas_reach(&atlas->grid));
        if (!climb.reached) continue;
        from->costs[near[i].rep] =
            (uint64_t)climb.straight * map->cost[0] + (uint64_t)climb.diagonal * map->cost[1];
        found++;
    }
}

static void look_upwards(const wend_atlas *atlas, side *from, bool to_cell) {
    for (uint32_t i = 0; i < atlas->count; i++) from->costs[i] = UINT64_MAX, from->parents[i] = UINT32_MAX;
    find_ends(atlas, from, to_cell);
    for (uint32_t i = 0; i < atlas->count; i++)
        for (uint32_t j = atlas->first[i]; from->costs[i] != UINT64_MAX && j < atlas->first[i + 1]; j++) {
            wend_atlas_up up = wend_atlas_arc_at(atlas, j);
            if (from->costs[i] + up.cost >= from->costs[up.to]) continue;
            from->costs[up.to] = from->costs[i] + up.cost;
            from->parents[up.to] = i;
        }
}

/* The bends of the way from one representative to the next, and that itself; shortcuts are unpacked. */
static bool add_leg(sampler *s, uint32_t from, uint32_t to) {
    const wend_atlas *atlas = s->atlas;
    uint32_t count = 0;
    uint64_t looks = 0;
    bool good = true;
    s->stack[count++] = to;
    while (count && good) {
        uint32_t next = s->stack[count - 1];
        bool down = from > next;
        uint32_t arc = wend_atlas_find(atlas, down ? next : from, down ? from : next, &looks);
        wend_atlas_up up = wend_atlas_arc_at(atlas, arc);
        if (up.what < atlas->count) { /* each is below both of its ends, so there are not more than all */
            s->stack[count++] = up.what;
            continue;
        }
        for (uint32_t i = 0; good && i < wend_atlas_bend_count(atlas, up.what); i++) {
            wend_cell bend = wend_atlas_bend(atlas, up.what, i, down);
            good = wend_buffer_add(&s->way, &bend, sizeof bend);
        }
        good = good && wend_buffer_add(&s->way, &atlas->cells[next], sizeof(wend_cell));
        from = next, count--;
    }
    return good;
}

/* The subgoals of the best way, the goal last. False: no memory. */
static bool find_way(sampler *s) {
    const wend_atlas *atlas = s->atlas;
    uint64_t best = UINT64_MAX;
    uint32_t meet = UINT32_MAX, count = 0;
    for (int i = 0; i < 2; i++) look_upwards(atlas, &s->sides[i], i);
    for (uint32_t i = 0; i < atlas->count; i++) {
        uint64_t there = s->sides[0].costs[i], back = s->sides[1].costs[i];
        if (there != UINT64_MAX && back != UINT64_MAX && there + back < best) best = there + back, meet = i;
    }
    s->way.size = 0;
    if (meet == UINT32_MAX) return true;
    /* From where they meet back to the start's end, and then that way. */
    uint32_t *chain = s->stack + atlas->count + 1;
    for (uint32_t i = meet; i != UINT32_MAX; i = s->sides[0].parents[i]) chain[count++] = i;
    uint32_t at = chain[--count];
    bool good = wend_buffer_add(&s->way, &atlas->cells[at], sizeof(wend_cell));
    for (; good && count; at = chain[count]) good = add_leg(s, at, chain[--count]);
    for (uint32_t next; good && (next = s->sides[1].parents[at]) != UINT32_MAX; at = next)
        good = add_leg(s, at, next);
    return good && wend_buffer_add(&s->way, &s->sides[1].cell, sizeof(wend_cell));
}

/* What an agent's walk along the way costs: to the farthest of the next subgoals that can be climbed to for
 * no more than the way by all of them costs. */
static uint64_t walk_cost(const sampler *s) {
    const wend_map *map = s->atlas->map;
    const wend_cell *cells = (const wend_cell *)(const void *)s->way.data;
    size_t count = s->way.size / sizeof *cells;
    uint64_t sum = 0, ignored = 0;
    wend_cell at = s->sides[0].cell;
    for (size_t i = 0; i < count;) {
        uint64_t costs[AHEAD], cost = 0;
        size_t ahead = count - i < AHEAD ? count - i : AHEAD, chosen = 0;
        for (size_t j = 0; j < ahead; j++) {
            cost += wend_map_distance(map, j ? cells[i + j - 1] : at, cells[i + j]);
            costs[j] = cost;
        }
        for (size_t j = ahead; j-- > 0;) {
            wend_climb_walk walk = {at, cells[i + j], 0, j ? costs[j] : UINT64_MAX};
            if (wend_climb_go(map, &walk, UINT64_MAX, &ignored) != WEND_CLIMB_REACHED) continue;
            chosen = j, cost = walk.cost;
            break;
        }
        sum += cost;
        at = cells[i + chosen];
        i += chosen + 1;
    }
    return sum;
}

static wend_cell draw_cell(const wend_map *map, uint64_t seed, uint64_t number) {
    for (uint64_t i = 0; i < DRAWS; i++) {
        wend_cell cell = wend_random_below_large(wend_random_at(seed, number, i), map->cells);
        if (wend_map_is_open_cell(map, cell)) return cell;
    }
    return WEND_NO_CELL;
}

static wend_status walk_all(sampler *s, uint64_t seed, double *over) {
    const wend_map *map = s->atlas->map;
    uint32_t problems = 0;
    double sum = 0;
    for (uint64_t i = 0; i < DRAWS && problems < PROBLEMS; i++) {
        s->sides[0].cell = draw_cell(map, seed, 2 * i), s->sides[1].cell = draw_cell(map, seed, 2 * i + 1);
        if (s->sides[0].cell == WEND_NO_CELL || s->sides[1].cell == WEND_NO_CELL) break;
        wend_result best;
        wend_status status =
            wend_search_jps(s->search, s->jumps, s->sides[0].cell, s->sides[1].cell, &best, NULL);
        if (status != WEND_OK) return status;
        if (best.found != WEND_FOUND_PATH || !best.cost) continue;
        problems++;
        wend_climb_walk walk = {s->sides[0].cell, s->sides[1].cell, 0, best.cost};
        uint64_t ignored = 0;
        if (wend_climb_go(map, &walk, UINT64_MAX, &ignored) == WEND_CLIMB_REACHED) continue;
        if (!find_way(s)) return WEND_STATUS_NO_MEMORY;
        sum += 100 * ((double)walk_cost(s) / (double)best.cost - 1);
    }
    *over = problems ? sum / problems : 0;
    return WEND_OK;
}

wend_status wend_atlas_sample(const wend_atlas *atlas, uint64_t seed, const wend_allocator *allocator,
                              double *over) {
    sampler s = {.atlas = atlas, .allocator = *allocator};
    size_t room = (size_t)atlas->count + 1;
    s.way.allocator = &s.allocator;
    bool good = true;
    for (int i = 0; i < 2; i++) {
        s.sides[i].costs = wend_allocate(allocator, room, sizeof *s.sides[i].costs);
        s.sides[i].parents = wend_allocate(allocator, room, sizeof *s.sides[i].parents);
        good = good && s.sides[i].costs && s.sides[i].parents;
    }
    s.stack = wend_allocate(allocator, 2 * room, sizeof *s.stack);
    wend_search_options options = wend_default_search_options();
    options.allocator = *allocator;
    wend_status status = good && s.stack ? WEND_OK : WEND_STATUS_NO_MEMORY;
    if (status == WEND_OK) status = wend_jumps_create(atlas->map, allocator, &s.jumps, NULL);
    if (status == WEND_OK) status = wend_search_create(atlas->map, &options, &s.search, NULL);
    if (status == WEND_OK) status = walk_all(&s, seed, over);
    wend_search_destroy(s.search);
    wend_jumps_destroy(s.jumps);
    wend_buffer_release(&s.way);
    wend_release(allocator, s.stack, 2 * room, sizeof *s.stack);
    for (int i = 0; i < 2; i++) {
        wend_release(allocator, s.sides[i].costs, room, sizeof *s.sides[i].costs);
        wend_release(allocator, s.sides[i].parents, room, sizeof *s.sides[i].parents);
    }
    return status;
}
