/* The search over the hierarchy of an atlas: upwards from all ends of the start and from all ends of the
 * goal, with stalling (Geisberger et al., "Contraction hierarchies", WEA 2008). */
#include "methods/atlas/agent/query.h"

#include <string.h>

#define NONE UINT32_MAX

/* The pool ----------------------------------------------------------------------------------------------- */

static size_t stack_room(uint32_t room) {
    return 2 * (size_t)room + 4; /* each side's way to where they meet */
}

static size_t query_bytes(uint32_t room, uint32_t ends) {
    return 2 * ((size_t)room + 1) * (sizeof(wend_atlas_record) + sizeof(uint32_t)) +
           2 * ((size_t)ends + 1) * sizeof(wend_atlas_end) + stack_room(room) * sizeof(uint32_t);
}

static void release_query(const wend_ground *ground, const wend_atlas_pool *pool, wend_atlas_query *query) {
    const wend_allocator *allocator = &ground->allocator;
    size_t room = (size_t)pool->room + 1;
    wend_release(allocator, query->sides[0].records, 2 * room, sizeof *query->sides[0].records);
    for (int j = 0; j < 2; j++) {
        wend_release(allocator, query->sides[j].heap, room, sizeof *query->sides[j].heap);
        wend_release(allocator, query->sides[j].ends, (size_t)pool->ends + 1, sizeof *query->sides[j].ends);
    }
    wend_release(allocator, query->stack, stack_room(pool->room), sizeof *query->stack);
    wend_release(allocator, query, 1, sizeof *query);
}

static void release_pool(const wend_ground *ground, wend_attachment *attachment) {
    wend_atlas_pool *pool = (wend_atlas_pool *)attachment;
    while (pool->made) {
        wend_atlas_query *last = pool->made;
        pool->made = last->made;
        release_query(ground, pool, last);
    }
    wend_release(&ground->allocator, pool->scout.sides[0].ends, (size_t)pool->ends + 1,
                 sizeof *pool->scout.sides[0].ends);
    wend_release(&ground->allocator, pool, 1, sizeof *pool);
}

static size_t each(const wend_atlas_pool *pool) {
    return sizeof(wend_atlas_query) + query_bytes(pool->room, pool->ends);
}

static size_t pool_bytes(const wend_ground *ground, const wend_attachment *attachment) {
    const wend_atlas_pool *pool = (const wend_atlas_pool *)attachment;
    (void)ground;
    return sizeof *pool + ((size_t)pool->ends + 1) * sizeof(wend_atlas_end) + pool->count * each(pool);
}

static const wend_attachment_kind pools = {release_pool, pool_bytes};

static bool take_memory(const wend_ground *ground, const wend_atlas_pool *pool, wend_atlas_query *query) {
    size_t room = (size_t)pool->room + 1;
    query->room = pool->room;
    wend_atlas_record *records = wend_allocate_zeroed(&ground->allocator, 2 * room, sizeof *records);
    for (int j = 0; records && j < 2; j++) {
        wend_atlas_side *side = &query->sides[j];
        side->records = records + j;
        side->heap = wend_allocate(&ground->allocator, room, sizeof *side->heap);
        side->ends = wend_allocate(&ground->allocator, (size_t)pool->ends + 1, sizeof *side->ends);
        if (!side->heap || !side->ends) return false;
    }
    query->stack = wend_allocate(&ground->allocator, stack_room(pool->room), sizeof *query->stack);
    return records && query->stack;
}

static bool add_query(wend_ground *ground, wend_atlas_pool *pool) {
    wend_atlas_query *made = wend_allocate_zeroed(&ground->allocator, 1, sizeof *made);
    if (!made) return false;
    if (!take_memory(ground, pool, made)) {
        release_query(ground, pool, made);
        return false;
    }
    made->made = pool->made, pool->made = made;
    made->next = pool->free, pool->free = made;
    pool->count++;
    ground->allowance->used += each(pool);
    return true;
}

/* One agent more. False: there is no memory. */
static bool join(wend_ground *ground, wend_atlas_pool *pool) {
    uint32_t wanted = pool->users / WEND_AGENTS_PER_LOAN + 1;
    while (wend_ground_may_add(ground, pool->count, wanted, each(pool)))
        if (!add_query(ground, pool) && (ground->workspace_count || !pool->count)) return false;
    pool->users++;
    return true;
}

wend_atlas_pool *wend_atlas_pool_join(wend_ground *ground, const wend_atlas *atlas) {
    wend_attachment *found = NULL;
    while ((found = wend_ground_attached(ground, &pools, found))) {
        wend_atlas_pool *pool = (wend_atlas_pool *)found;
        if (pool->room >= atlas->count && pool->room / 2 <= atlas->count &&
            pool->ends >= wend_atlas_most_ends(atlas))
            return join(ground, pool) ? pool : NULL;
    }
    wend_atlas_pool *made = wend_allocate_zeroed(&ground->allocator, 1, sizeof *made);
    if (!made) return NULL;
    made->attachment.kind = &pools;
    made->room = atlas->count, made->ends = wend_atlas_most_ends(atlas);
    made->scout.sides[0].ends =
        wend_allocate(&ground->allocator, (size_t)made->ends + 1, sizeof *made->scout.sides[0].ends);
    if (!made->scout.sides[0].ends || !join(ground, made)) {
        release_pool(ground, &made->attachment);
        return NULL;
    }
    wend_ground_attach(ground, &made->attachment);
    return made;
}

void wend_atlas_pool_leave(wend_atlas_pool *pool) {
    if (pool) pool->users--;
}

static void make_ready(wend_atlas_query *query, const wend_atlas *atlas, const wend_map *map) {
    query->atlas = atlas, query->map = map;
    query->touched = query->sides[0].end_count = query->sides[1].end_count = 0;
}

wend_atlas_query *wend_atlas_borrow(wend_atlas_pool *pool, const wend_atlas *atlas, const wend_map *map) {
    wend_atlas_query *query = pool->free;
    if (!query) return NULL;
    pool->free = query->next;
    make_ready(query, atlas, map);
    return query;
}

wend_atlas_query *wend_atlas_scout(wend_atlas_pool *pool, const wend_atlas *atlas, const wend_map *map) {
    make_ready(&pool->scout, atlas, map);
    return &pool->scout;
}

void wend_atlas_return(wend_atlas_pool *pool, wend_atlas_query *query) {
    query->next = pool->free;
    pool->free = query;
}

size_t wend_atlas_query_used(const wend_atlas_query *query) {
    return sizeof *query +
           ((size_t)query->sides[0].end_count + query->sides[1].end_count) * sizeof(wend_atlas_end) +
           query->touched * (sizeof(wend_atlas_record) + 2 * sizeof(uint32_t));
}

/* Heaps of ranks with four children per node, each record knowing its place ------------------------------ */

static void put_at(const wend_atlas_side *side, uint32_t place, uint32_t node) {
    side->heap[place] = node;
    wend_atlas_record_of(side, node)->place = place + 1;
}

/* What a way by this node costs at least. */
WEND_INLINE uint64_t key_of(const wend_atlas_record *record) {
    return record->cost + record->rest;
}

WEND_INLINE uint64_t key_at(const wend_atlas_side *side, uint32_t place) {
    return key_of(wend_atlas_record_of(side, side->heap[place]));
}

static void sift_up(const wend_atlas_side *side, uint32_t place, uint32_t node) {
    uint64_t key = key_of(wend_atlas_record_of(side, node));
    for (; place; place = (place - 1) / 4) {
        if (key_at(side, (place - 1) / 4) <= key) break;
        put_at(side, place, side->heap[(place - 1) / 4]);
    }
    put_at(side, place, node);
}

uint32_t wend_atlas_take_least(wend_atlas_side *side) {
    uint32_t least = side->heap[0], last = side->heap[--side->count], place = 0;
    wend_atlas_record_of(side, least)->place = 0;
    if (!side->count) return least;
    uint64_t key = key_of(wend_atlas_record_of(side, last));
    for (uint32_t child; (child = 4 * place + 1) < side->count; place = child) {
        uint32_t end = child + 4 < side->count ? child + 4 : side->count;
        uint64_t lowest = key_at(side, child);
        for (uint32_t i = child + 1; i < end; i++) {
            uint64_t other = key_at(side, i);
            if (other < lowest) lowest = other, child = i;
        }
        if (lowest >= key) break;
        put_at(side, place, side->heap[child]);
    }
    put_at(side, place, last);
    return least;
}

/* The search --------------------------------------------------------------------------------------------- */

static bool is_known(const wend_atlas_query *query, const wend_atlas_record *record) {
    return record->stamp == query->stamp;
}

/* A node that the search has not come to yet, or for more than this. */
static void take_in(wend_atlas_query *query, wend_atlas_side *side, uint32_t node, wend_atlas_record seen) {
    wend_atlas_record *record = wend_atlas_record_of(side, node);
    uint32_t place = is_known(query, record) ? record->place - 1 : side->count++;
    *record = seen;
    sift_up(side, place, node);
}

void wend_atlas_offer(wend_atlas_query *query, wend_atlas_side *side, uint32_t node, uint64_t cost,
                      uint32_t parent) {
    const wend_atlas_record *record = wend_atlas_record_of(side, node);
    bool known = is_known(query, record);
    if (known && (record->cost <= cost || !record->place)) return;
    query->touched += !known;
    take_in(query, side, node, (wend_atlas_record){cost, query->stamp, parent, 0, 0});
}

/* The same for the search over the hierarchy: takes in nothing that can't be on a shorter way than the best
 * so far, even without any walls. */
static void offer(wend_atlas_query *query, uint32_t number, uint32_t node, uint64_t cost, uint32_t parent) {
    wend_atlas_side *side = &query->sides[number];
    const wend_atlas_record *record = wend_atlas_record_of(side, node);
    bool known = is_known(query, record);
    uint32_t rest = record->rest;
    if (known && (record->cost <= cost || !record->place)) return;
    if (!known)
        rest = (uint32_t)wend_map_distance(query->atlas->map, query->atlas->cells[node],
                                           query->sides[!number].cell);
    if (cost + rest >= query->best) return;
    query->touched += !known;
    take_in(query, side, node, (wend_atlas_record){cost, query->stamp, parent, 0, rest});
}

void wend_atlas_query_renew(wend_atlas_query *query) {
    if (++query->stamp == 0) { /* once in 2^32 searches */
        memset(query->sides[0].records, 0, 2 * ((size_t)query->room + 1) * sizeof *query->sides[0].records);
        query->stamp = 1;
    }
    query->touched = 0;
    for (int i = 0; i < 2; i++) query->sides[i].count = query->sides[i].entered = 0;
    query->best = UINT64_MAX, query->meet = NONE;
}

void wend_atlas_query_begin(wend_atlas_query *query) {
    wend_atlas_query_renew(query);
    query->expanding = query->climbing = false;
    query->side = query->end = 0;
}

static uint64_t least_key(const wend_atlas_side *side) {
    return side->count ? key_at(side, 0) : UINT64_MAX;
}

/* Asks for the memory that is needed next: what is known of the nodes above this one, as many as there are as
 * a rule, and the arcs of the one that comes next on its side as things stand. It lies all over the place,
 * and many agents may have searched since this one last did. */
WEND_INLINE void fetch_ahead(const wend_atlas_query *query, const wend_atlas_side *side) {
    enum { ARCS = 10 };
    const wend_atlas *atlas = query->atlas;
    uint32_t end = atlas->first[query->node + 1];
    if (end > query->arc + ARCS) end = query->arc + ARCS;
    for (uint32_t arc = query->arc; arc < end; arc++)
        WEND_PREFETCH(wend_atlas_record_of(side, wend_atlas_arc_at(atlas, arc).to));
    if (!side->count) return;
    size_t words = (size_t)atlas->first[side->heap[0]] * atlas->words;
    WEND_PREFETCH((const char *)atlas->arcs + words * (atlas->wide ? sizeof(uint32_t) : sizeof(uint16_t)));
}

/* Takes the next node off a queue; false: none can make the way shorter. */
static bool choose_node(wend_atlas_query *query) {
    uint64_t keys[2] = {least_key(&query->sides[0]), least_key(&query->sides[1])};
    query->side = keys[1] < keys[0];
    if (keys[query->side] >= query->best) return false;
    wend_atlas_side *side = &query->sides[query->side];
    query->node = wend_atlas_take_least(side);
    query->cost = wend_atlas_record_of(side, query->node)->cost;
    query->arc = query->atlas->first[query->node];
    fetch_ahead(query, side);
    const wend_atlas_record *other = wend_atlas_record_of(&query->sides[!query->side], query->node);
    if (is_known(query, other) && query->cost + other->cost < query->best) {
        query->best = query->cost + other->cost;
        query->meet = query->node;
    }
    query->expanding = true;
    return true;
}

/* The ends of both sides are put into the queues. True when all are. */
static bool enter_ends(wend_atlas_query *query, uint64_t operations, uint64_t *used) {
    for (int i = 0; i < 2; i++) {
        wend_atlas_side *side = &query->sides[i];
        for (; side->entered < side->end_count; side->entered++, ++*used) {
            if (*used >= operations) return false;
            offer(query, (uint32_t)i, side->ends[side->entered].rep, side->ends[side->entered].cost, NONE);
        }
    }
    return true;
}

/* With labels -------------------------------------------------------------------------------------------- */

/* The next entry of the labels of a side's ends; false: there are no more. */
static bool next_entry(wend_atlas_query *query, wend_atlas_up *entry) {
    const wend_atlas *atlas = query->atlas;
    const wend_atlas_side *side = &query->sides[query->side];
    for (; query->end < side->end_count; query->end++, query->expanding = false) {
        uint32_t rep = side->ends[query->end].rep;
        if (!query->expanding) query->arc = atlas->label_first[rep];
        query->expanding = true;
        if (query->arc == atlas->label_first[rep + 1]) continue;
        *entry = wend_atlas_label_at(atlas, query->arc++);
        entry->cost += side->ends[query->end].cost;
        return true;
    }
    return false;
}

/* From the start's ends, the cheapest way to each hub is noted; from the goal's, it is completed. */
static void take_entry(wend_atlas_query *query, wend_atlas_up entry) {
    wend_atlas_record *record = wend_atlas_record_of(&query->sides[0], entry.to);
    bool known = record->stamp == query->stamp;
    if (!query->side) {
        if (known && record->cost <= entry.cost) return;
        query->touched += !known;
        *record = (wend_atlas_record){entry.cost, query->stamp, query->end, 0, 0};
    } else if (known && record->cost + entry.cost < query->best) {
        query->best = record->cost + entry.cost;
        query->meet = entry.to;
        query->chosen[0] = record->parent, query->chosen[1] = query->end;
    }
}

/* One arc of the way from the chosen end to the hub, as the other search would have left it. True at the
 * hub. */
static bool climb_on(wend_atlas_query *query, uint64_t *used) {
    const wend_atlas *atlas = query->atlas;
    wend_atlas_side *side = &query->sides[query->side];
    if (!query->expanding) { /* it begins */
        const wend_atlas_end *end = &side->ends[query->chosen[query->side]];
        *wend_atlas_record_of(side, end->rep) = (wend_atlas_record){end->cost, query->stamp, NONE, 0, 0};
        query->node = end->rep, query->expanding = true;
    }
    ++*used;
    if (query->node == query->meet) return true;
    uint32_t entry = wend_atlas_find_hub(atlas, query->node, query->meet, used);
    wend_atlas_up up =
        wend_atlas_arc_at(atlas, atlas->first[query->node] + wend_atlas_label_at(atlas, entry).what);
    *wend_atlas_record_of(side, up.to) = (wend_atlas_record){
        wend_atlas_record_of(side, query->node)->cost + up.cost, query->stamp, query->node, 0, 0};
    query->node = up.to;
    return false;
}

/* Goes through the labels of all ends, then climbs from both sides to where they meet. */
static bool run_labels(wend_atlas_query *query, uint64_t operations, uint64_t *counted) {
    uint64_t used = 0;
    bool done = false;
    while (used < operations && !done) {
        wend_atlas_up entry;
        if (query->climbing) {
            if (!climb_on(query, &used)) continue;
            done = query->side == 1;
            query->side = 1, query->expanding = false;
        } else if (next_entry(query, &entry)) {
            used++;
            take_entry(query, entry);
        } else if (!query->side) {
            query->side = 1, query->end = 0, query->expanding = false;
        } else {
            query->side = 0, query->expanding = false, query->climbing = true;
            done = query->best == UINT64_MAX;
        }
    }
    *counted += used;
    return done;
}

bool wend_atlas_query_run(wend_atlas_query *query, uint64_t operations, uint64_t *counted) {
    const wend_atlas *atlas = query->atlas;
    if (atlas->labels) return run_labels(query, operations, counted);
    uint64_t used = 0;
    bool done = false;
    while (enter_ends(query, operations, &used) && used < operations) {
        if (!query->expanding) {
            used++;
            if (!choose_node(query)) {
                done = true;
                break;
            }
        }
        const wend_atlas_side *side = &query->sides[query->side];
        uint32_t end = atlas->first[query->node + 1];
        while (query->arc < end && used < operations) {
            wend_atlas_up up = wend_atlas_arc_at(atlas, query->arc++);
            used++;
            const wend_atlas_record *above = wend_atlas_record_of(side, up.to);
            if (above->stamp == query->stamp && above->cost + up.cost < query->cost) {
                query->arc = end; /* a way from above is shorter: nothing that leads on from here is needed */
                break;
            }
            offer(query, query->side, up.to, query->cost + up.cost, query->node);
        }
        query->expanding = query->arc < end;
    }
    *counted += used;
    return done;
}

/* The way ------------------------------------------------------------------------------------------------ */

void wend_atlas_way_begin(wend_atlas_query *query) {
    query->bottom = query->top = query->room + 1;
    query->traced = wend_atlas_record_of(&query->sides[1], query->meet)->parent;
    query->upwards = query->ready = query->handed = false;
    query->left = query->best;
}

wend_atlas_end wend_atlas_way_end(const wend_atlas_query *query) {
    uint32_t rep = query->stack[query->bottom]; /* it stays there after it was handed out */
    return (wend_atlas_end){wend_atlas_record_of(&query->sides[1], rep)->cost, rep};
}

/* Puts the nodes where the searches went on the stack: below, from where they met to the goal's end; above,
 * from there to the start's. */
static bool trace_on(wend_atlas_query *query, uint64_t operations, uint64_t *used) {
    while (*used < operations) {
        ++*used;
        if (query->traced == NONE) {
            if (query->upwards) return true;
            query->upwards = true;
            query->traced = query->meet;
        }
        if (query->upwards)
            query->stack[query->top++] = query->traced;
        else
            query->stack[--query->bottom] = query->traced;
        query->traced = wend_atlas_record_of(&query->sides[!query->upwards], query->traced)->parent;
    }
    return false;
}

bool wend_atlas_way_run(wend_atlas_query *query, uint32_t *reps, uint32_t room, uint32_t *count,
                        uint64_t operations, uint64_t *counted) {
    uint64_t used = 0;
    *count = 0;
    query->ready = query->ready || trace_on(query, operations, &used);
    while (query->ready && *count < room && query->top > query->bottom && used < operations) {
        uint32_t node = query->stack[--query->top];
        bool down = query->top <= query->room; /* between where the searches met and the goal's end */
        query->left = down ? wend_atlas_record_of(&query->sides[1], node)->cost
                           : query->best - wend_atlas_record_of(&query->sides[0], node)->cost;
        reps[(*count)++] = node;
        query->handed = true;
        used++;
    }
    *counted += used;
    return query->ready && (*count == room || query->top == query->bottom);
}
