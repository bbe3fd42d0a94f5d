#include "methods/atlas/hierarchy/witness.h"

#include "base/memory.h"

#include <string.h>

/* Nodes that a search may settle: when a node is weighed, and when it is taken out. */
enum { GLANCE = 40, WITNESS = 500 };
enum { SOME = 2048 }; /* operations before a search looks whether it is to stop */

bool wend_atlas_seeker_create(wend_atlas_seeker *seeker, const wend_atlas_rest *rest) {
    *seeker = (wend_atlas_seeker){.rest = rest, .allocator = rest->allocator};
    seeker->seen = wend_allocate_zeroed(&rest->allocator, (size_t)rest->nodes + 1, sizeof *seeker->seen);
    return seeker->seen;
}

void wend_atlas_seeker_release(wend_atlas_seeker *seeker) {
    if (!seeker->rest) return;
    const wend_allocator *allocator = &seeker->allocator;
    wend_release(allocator, seeker->seen, (size_t)seeker->rest->nodes + 1, sizeof *seeker->seen);
    wend_release(allocator, seeker->wanted, seeker->wanted_capacity, sizeof *seeker->wanted);
    wend_release(allocator, seeker->queue, seeker->queue_capacity, sizeof *seeker->queue);
    *seeker = (wend_atlas_seeker){.rest = NULL};
}

static void begin_search(wend_atlas_seeker *seeker) {
    if (++seeker->searches) return;
    memset(seeker->seen, 0, ((size_t)seeker->rest->nodes + 1) * sizeof *seeker->seen);
    seeker->searches = 1;
}

/* Whether a node is out of the graph by the time that `node` is taken out. */
static bool is_gone(const wend_atlas_rest *rest, uint32_t other, uint32_t node) {
    return other == node || (rest->chosen[other] && other < node);
}

/* Witnesses of two arcs ---------------------------------------------------------------------------------- */

/* Remembers the costs of the arcs from a neighbour of `node`, of at most `most`. */
static void look_around(wend_atlas_seeker *seeker, uint32_t from, uint32_t node, uint64_t most,
                        uint64_t *used) {
    const wend_atlas_rest *rest = seeker->rest;
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(rest, from, &count);
    begin_search(seeker);
    *used += count;
    for (uint32_t i = 0; i < count && arcs[i].cost <= most; i++) {
        if (is_gone(rest, arcs[i].to, node)) continue;
        seeker->seen[arcs[i].to].search = seeker->searches;
        seeker->seen[arcs[i].to].cost = arcs[i].cost;
    }
}

/* Whether one or two arcs lead from there to another neighbour, for `bound` at most. */
static bool is_near(const wend_atlas_seeker *seeker, uint32_t to, uint64_t bound, uint64_t *used) {
    uint32_t count, searches = seeker->searches;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(seeker->rest, to, &count), *end = arcs + count;
    const wend_atlas_seen *seen = seeker->seen;
    ++*used;
    if (seen[to].search == searches && seen[to].cost <= bound) return true;
    const wend_atlas_rest_arc *arc = arcs;
    while (arc < end && arc->cost < bound &&
           (seen[arc->to].search != searches || seen[arc->to].cost + arc->cost > bound))
        arc++;
    *used += (uint64_t)(arc - arcs);
    return arc < end && arc->cost < bound;
}

/* Longer ones -------------------------------------------------------------------------------------------- */

static bool push(wend_atlas_seeker *seeker, uint64_t cost, uint32_t node) {
    if (seeker->queue_count == seeker->queue_capacity) {
        size_t capacity = seeker->queue_capacity ? seeker->queue_capacity * 2 : 256;
        wend_atlas_queued *larger =
            wend_enlarge(&seeker->allocator, seeker->queue, seeker->queue_capacity, capacity, sizeof *larger);
        if (!larger) return false;
        seeker->queue = larger, seeker->queue_capacity = capacity;
    }
    wend_atlas_queued *items = seeker->queue;
    size_t at = seeker->queue_count++;
    for (; at && items[(at - 1) / 2].cost > cost; at = (at - 1) / 2) items[at] = items[(at - 1) / 2];
    items[at] = (wend_atlas_queued){cost, node};
    return true;
}

static wend_atlas_queued pop(wend_atlas_seeker *seeker) {
    wend_atlas_queued *items = seeker->queue, least = items[0], last = items[--seeker->queue_count];
    size_t at = 0, count = seeker->queue_count;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && items[child + 1].cost < items[child].cost;
        if (items[child].cost >= last.cost) break;
        items[at] = items[child];
    }
    if (count) items[at] = last;
    return least;
}

/* The most that a way to a node may cost for some wanted one to be reached over it, as if there were no walls
 * from there on. Where a way of `cost` will do, at least that: those that come after it are of interest only
 * if they are cheaper. (Costs are far from 2^63.) */
static uint64_t most_at(const wend_atlas_seeker *seeker, uint32_t node, uint64_t cost, uint64_t *used) {
    const wend_map *map = seeker->rest->map;
    const wend_atlas_wanted *one = seeker->wanted, *end = one + seeker->wanted_count;
    wend_xy at = seeker->rest->places[node];
    int64_t most = 0;
    for (; one < end && most < (int64_t)cost; one++) {
        int32_t dx = at.x - one->place.x, dy = at.y - one->place.y;
        uint64_t apart = wend_octile(map, (uint32_t)(dx < 0 ? -dx : dx), (uint32_t)(dy < 0 ? -dy : dy));
        int64_t here = (int64_t)one->bound - (int64_t)apart;
        if (here > most) most = here;
    }
    *used += (uint64_t)(one - seeker->wanted);
    return (uint64_t)most;
}

/* A way of this cost leads to a wanted node. */
static void found(wend_atlas_seeker *seeker, uint32_t node, uint64_t cost) {
    for (uint32_t i = 0; i < seeker->wanted_count; i++) {
        if (seeker->wanted[i].node != node) continue;
        if (cost > seeker->wanted[i].bound) return;
        seeker->wanted[i] = seeker->wanted[--seeker->wanted_count];
        seeker->seen[node].wanted = 0;
        return;
    }
}

static bool begin_far(wend_atlas_seeker *seeker, uint32_t from) {
    begin_search(seeker);
    seeker->most = 0, seeker->settled = 0, seeker->settling = false;
    for (uint32_t i = 0; i < seeker->wanted_count; i++) {
        seeker->seen[seeker->wanted[i].node].wanted = seeker->searches;
        if (seeker->wanted[i].bound > seeker->most) seeker->most = seeker->wanted[i].bound;
    }
    seeker->queue_count = 0;
    seeker->seen[from].search = seeker->searches, seeker->seen[from].cost = 0;
    return push(seeker, 0, from);
}

/* Goes on over the arcs of the node that is being settled, or over some if they are many. */
static bool settle_on(wend_atlas_seeker *seeker, uint32_t node, uint64_t *used) {
    const wend_atlas_rest *rest = seeker->rest;
    uint32_t count, searches = seeker->searches;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(rest, seeker->at.node, &count);
    const wend_atlas_rest_arc *arc = arcs + seeker->arc, *end = arcs + count;
    uint64_t each = (uint64_t)seeker->wanted_count + 1;
    if ((count - seeker->arc) * each > SOME) end = arc + SOME / each + 1;
    uint64_t before = seeker->at.cost, left = seeker->most - before;
    for (; arc < end && arc->cost <= left; arc++) {
        uint64_t cost = before + arc->cost;
        wend_atlas_seen *seen = &seeker->seen[arc->to];
        if (seen->search != searches) {
            seen->search = searches, seen->cost = UINT64_MAX;
            seen->most = is_gone(rest, arc->to, node) ? 0 : most_at(seeker, arc->to, cost, used);
        }
        if (cost >= seen->cost || cost > seen->most) continue;
        seen->cost = cost;
        if (seen->wanted == searches) found(seeker, arc->to, cost);
        if (!push(seeker, cost, arc->to)) return false;
    }
    uint32_t done = (uint32_t)(arc - arcs);
    *used += done - seeker->arc;
    seeker->arc = done;
    seeker->settling = arc == end && done < count;
    return true;
}

/* Drops those that ways from a neighbour of `node` lead to in time from the wanted ones. *over: no more can
 * be found. */
static bool search_on(wend_atlas_seeker *seeker, uint32_t node, int limit, uint64_t operations,
                      uint64_t *used, bool *over) {
    for (*over = false; *used < operations;) {
        if (!seeker->settling) {
            *over = seeker->settled == limit || !seeker->queue_count || !seeker->wanted_count;
            if (*over) return true;
            seeker->at = pop(seeker);
            ++*used;
            if (seeker->at.cost > seeker->seen[seeker->at.node].cost) continue;
            seeker->settled++;
            seeker->arc = 0;
        }
        if (!settle_on(seeker, node, used)) return false;
    }
    return true;
}

/* All of them -------------------------------------------------------------------------------------------- */

static bool want(wend_atlas_seeker *seeker, uint32_t node, uint64_t bound) {
    if (seeker->wanted_count == seeker->wanted_capacity) {
        size_t capacity = seeker->wanted_capacity ? seeker->wanted_capacity * 2 : 64;
        wend_atlas_wanted *larger = wend_enlarge(&seeker->allocator, seeker->wanted, seeker->wanted_capacity,
                                                 capacity, sizeof *larger);
        if (!larger) return false;
        seeker->wanted = larger, seeker->wanted_capacity = capacity;
    }
    seeker->wanted[seeker->wanted_count++] = (wend_atlas_wanted){bound, node, seeker->rest->places[node]};
    return true;
}

/* Of those behind number `first`, these are left that no witness was found for. */
static bool keep_wanted(wend_atlas_seeker *seeker, uint32_t from, uint32_t node, wend_buffer *shortcuts,
                        uint64_t *used) {
    seeker->needed += seeker->wanted_count;
    *used += seeker->wanted_count;
    for (uint32_t i = 0; shortcuts && i < seeker->wanted_count; i++) {
        wend_atlas_shortcut made = {seeker->wanted[i].bound, from, seeker->wanted[i].node, node};
        if (!wend_buffer_add(shortcuts, &made, sizeof made)) return false;
    }
    seeker->first++;
    seeker->stage = WEND_ATLAS_FROM;
    return true;
}

/* Goes on with the stage. */
static bool seek_on(wend_atlas_seeker *seeker, uint32_t node, wend_buffer *shortcuts, uint64_t operations,
                    uint64_t *used) {
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(seeker->rest, node, &count),
                              *from = arcs + seeker->first;
    bool over;
    switch (seeker->stage) {
    case WEND_ATLAS_FROM:
        look_around(seeker, from->to, node, from->cost + arcs[count - 1].cost, used);
        seeker->wanted_count = 0, seeker->next = seeker->first + 1;
        seeker->stage = WEND_ATLAS_NEAR;
        return true;
    case WEND_ATLAS_NEAR:
        for (; seeker->next < count && *used < operations; seeker->next++) {
            uint32_t to = arcs[seeker->next].to;
            uint64_t bound = from->cost + arcs[seeker->next].cost;
            if (!is_near(seeker, to, bound, used) && !want(seeker, to, bound)) return false;
        }
        if (seeker->next < count) return true;
        if (!seeker->wanted_count) return keep_wanted(seeker, from->to, node, shortcuts, used);
        seeker->stage = WEND_ATLAS_FAR;
        return begin_far(seeker, from->to);
    default:
        if (!search_on(seeker, node, shortcuts ? WITNESS : GLANCE, operations, used, &over)) return false;
        return !over || keep_wanted(seeker, from->to, node, shortcuts, used);
    }
}

wend_status wend_atlas_replace(wend_atlas_seeker *seeker, uint32_t node, wend_buffer *shortcuts,
                               uint64_t operations, uint64_t *used) {
    if (seeker->stage == WEND_ATLAS_IDLE) {
        seeker->needed = seeker->first = 0;
        seeker->stage = WEND_ATLAS_FROM;
    }
    bool good = true;
    while (good && seeker->first + 1 < seeker->rest->lists[node].count) {
        if (*used >= operations) return WEND_STATUS_INTERRUPTED;
        good = seek_on(seeker, node, shortcuts, operations, used);
    }
    seeker->stage = WEND_ATLAS_IDLE;
    return good ? WEND_OK : WEND_STATUS_NO_MEMORY;
}
