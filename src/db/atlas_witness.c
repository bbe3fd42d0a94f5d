#include "db/atlas_witness.h"

#include "base/memory.h"

#include <string.h>

/* Nodes that a search may settle: when a node is weighed, and when it is taken out. */
enum { GLANCE = 40, WITNESS = 500 };

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
static void look_around(wend_atlas_seeker *seeker, uint32_t from, uint32_t node, uint64_t most) {
    const wend_atlas_rest *rest = seeker->rest;
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(rest, from, &count);
    begin_search(seeker);
    for (uint32_t i = 0; i < count && arcs[i].cost <= most; i++) {
        if (is_gone(rest, arcs[i].to, node)) continue;
        seeker->seen[arcs[i].to].search = seeker->searches;
        seeker->seen[arcs[i].to].cost = arcs[i].cost;
    }
}

/* Whether one or two arcs lead from there to another neighbour, for `bound` at most. */
static bool is_near(const wend_atlas_seeker *seeker, uint32_t to, uint64_t bound) {
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(seeker->rest, to, &count);
    const wend_atlas_seen *seen = seeker->seen;
    if (seen[to].search == seeker->searches && seen[to].cost <= bound) return true;
    for (uint32_t i = 0; i < count && arcs[i].cost < bound; i++)
        if (seen[arcs[i].to].search == seeker->searches && seen[arcs[i].to].cost + arcs[i].cost <= bound)
            return true;
    return false;
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
 * if they are cheaper. */
static uint64_t most_at(const wend_atlas_seeker *seeker, uint32_t node, uint64_t cost) {
    const wend_map *map = seeker->rest->map;
    const wend_atlas_wanted *wanted = seeker->wanted;
    wend_xy at = seeker->rest->places[node];
    uint64_t most = 0;
    for (uint32_t i = 0; i < seeker->wanted_count && most < cost; i++) {
        int32_t dx = at.x - wanted[i].place.x, dy = at.y - wanted[i].place.y;
        uint64_t apart = wend_octile(map, (uint32_t)(dx < 0 ? -dx : dx), (uint32_t)(dy < 0 ? -dy : dy));
        uint64_t here = wanted[i].bound > apart ? wanted[i].bound - apart : 0;
        if (here > most) most = here;
    }
    return most;
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

/* Drops those that ways from a neighbour of `node` lead to in time from the wanted ones. */
static bool search(wend_atlas_seeker *seeker, uint32_t from, uint32_t node, int limit) {
    const wend_atlas_rest *rest = seeker->rest;
    uint64_t most = 0;
    begin_search(seeker);
    for (uint32_t i = 0; i < seeker->wanted_count; i++) {
        seeker->seen[seeker->wanted[i].node].wanted = seeker->searches;
        if (seeker->wanted[i].bound > most) most = seeker->wanted[i].bound;
    }
    seeker->queue_count = 0;
    seeker->seen[from].search = seeker->searches, seeker->seen[from].cost = 0;
    if (!push(seeker, 0, from)) return false;
    for (int settled = 0; settled < limit && seeker->queue_count && seeker->wanted_count;) {
        wend_atlas_queued next = pop(seeker);
        if (next.cost > seeker->seen[next.node].cost) continue;
        settled++;
        uint32_t count;
        const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(rest, next.node, &count);
        for (uint32_t i = 0; i < count && arcs[i].cost <= most - next.cost; i++) {
            uint32_t to = arcs[i].to;
            uint64_t cost = next.cost + arcs[i].cost;
            wend_atlas_seen *seen = &seeker->seen[to];
            if (seen->search != seeker->searches) {
                seen->search = seeker->searches, seen->cost = UINT64_MAX;
                seen->most = is_gone(rest, to, node) ? 0 : most_at(seeker, to, cost);
            }
            if (cost >= seen->cost || cost > seen->most) continue;
            seen->cost = cost;
            if (seen->wanted == seeker->searches) found(seeker, to, cost);
            if (!push(seeker, cost, to)) return false;
        }
    }
    return true;
}

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

/* Leaves as wanted those of the neighbours behind number `first` that a shortcut has to lead to from there.
 */
static bool seek(wend_atlas_seeker *seeker, uint32_t node, uint32_t first, int limit) {
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(seeker->rest, node, &count);
    look_around(seeker, arcs[first].to, node, arcs[first].cost + arcs[count - 1].cost);
    seeker->wanted_count = 0;
    for (uint32_t i = first + 1; i < count; i++) {
        uint64_t bound = arcs[first].cost + arcs[i].cost;
        if (!is_near(seeker, arcs[i].to, bound) && !want(seeker, arcs[i].to, bound)) return false;
    }
    return !seeker->wanted_count || search(seeker, arcs[first].to, node, limit);
}

bool wend_atlas_weigh(wend_atlas_seeker *seeker, uint32_t node, uint32_t *needed) {
    uint32_t count = seeker->rest->lists[node].count;
    *needed = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (!seek(seeker, node, i, GLANCE)) return false;
        *needed += seeker->wanted_count;
    }
    return true;
}

bool wend_atlas_replace(wend_atlas_seeker *seeker, uint32_t node, wend_buffer *shortcuts) {
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(seeker->rest, node, &count);
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (!seek(seeker, node, i, WITNESS)) return false;
        for (uint32_t j = 0; j < seeker->wanted_count; j++) {
            const wend_atlas_wanted *one = &seeker->wanted[j];
            wend_atlas_shortcut made = {one->bound, arcs[i].to, one->node, node};
            if (!wend_buffer_add(shortcuts, &made, sizeof made)) return false;
        }
    }
    return true;
}
