#include "methods/atlas/build/graph.h"

#include "base/sort.h"

#include <stdatomic.h>
#include <string.h>

enum { WORDS = 4 }; /* of a link, before its bends */
/* Long edges that are tried from a node in a round, at most: those that might save the largest part. Where
 * walls are ragged there would be hundreds. */
enum { MOST_TRIED = 16 };
/* And those that are kept of them, at most: those that save the largest part. On open maps there are hardly
 * ever more. Where streets are narrow there would be all that are tried, and taking nodes out of so dense a
 * graph takes longer than all the rest. */
enum { MOST_KEPT = 8 };
enum { CHUNK = 32 }; /* nodes that a worker takes at a time */
enum { BATCH = 64 }; /* chunks between two looks whether to go on */

void wend_atlas_graph_release(wend_atlas_graph *graph) {
    const wend_allocator *allocator = &graph->allocator;
    wend_release(allocator, graph->edges, graph->edge_capacity, sizeof *graph->edges);
    wend_release(allocator, graph->bends, graph->bend_capacity, sizeof *graph->bends);
    wend_release(allocator, graph->first, (size_t)graph->nodes + 1, sizeof *graph->first);
    wend_release(allocator, graph->arcs, graph->arc_capacity, sizeof *graph->arcs);
    graph->edges = NULL, graph->bends = NULL, graph->first = NULL, graph->arcs = NULL;
}

static bool put(wend_buffer *buffer, uint32_t value) {
    uint8_t bytes[4];
    wend_store32(bytes, value);
    return wend_buffer_add(buffer, bytes, sizeof bytes);
}

bool wend_atlas_put(wend_buffer *buffer, uint32_t a, uint32_t b, wend_cost cost, const wend_cell *bends,
                    size_t count) {
    bool good =
        put(buffer, a) && put(buffer, b) && put(buffer, (uint32_t)cost) && put(buffer, (uint32_t)count);
    for (size_t i = 0; good && i < count; i++) good = put(buffer, bends[i]);
    return good;
}

bool wend_atlas_graph_room(wend_atlas_graph *graph, size_t bends) {
    if (graph->edge_count == graph->edge_capacity) {
        uint32_t capacity = graph->edge_capacity ? graph->edge_capacity * 2 : 1024;
        wend_atlas_edge *larger =
            wend_enlarge(&graph->allocator, graph->edges, graph->edge_capacity, capacity, sizeof *larger);
        if (!larger) return false;
        graph->edges = larger, graph->edge_capacity = capacity;
    }
    if (graph->bend_count + bends > graph->bend_capacity) {
        size_t capacity = graph->bend_capacity ? graph->bend_capacity : 1024;
        while (capacity < graph->bend_count + bends) capacity *= 2;
        wend_cell *larger =
            wend_enlarge(&graph->allocator, graph->bends, graph->bend_capacity, capacity, sizeof *larger);
        if (!larger) return false;
        graph->bends = larger, graph->bend_capacity = capacity;
    }
    return true;
}

wend_status wend_atlas_graph_add(wend_atlas_graph *graph, const wend_buffer *links) {
    for (size_t at = 0; at < links->size;) {
        if (links->size - at < 4 * WORDS) return WEND_STATUS_DAMAGED;
        const uint8_t *words = links->data + at;
        uint32_t a = wend_load32(words), b = wend_load32(words + 4), cost = wend_load32(words + 8),
                 bends = wend_load32(words + 12);
        at += 4 * WORDS;
        if (a >= b || b >= graph->nodes || !cost || bends > (links->size - at) / 4)
            return WEND_STATUS_DAMAGED;
        if (!wend_atlas_graph_room(graph, bends)) return WEND_STATUS_NO_MEMORY;
        graph->edges[graph->edge_count++] = (wend_atlas_edge){a, b, cost, bends, graph->bend_count};
        for (uint32_t i = 0; i < bends; i++, at += 4) {
            wend_cell bend = wend_load32(links->data + at);
            if (bend >= graph->map->cells || !wend_map_is_open_cell(graph->map, bend))
                return WEND_STATUS_DAMAGED;
            graph->bends[graph->bend_count++] = bend;
        }
    }
    return WEND_OK;
}

static int by_target(const void *a, const void *b) {
    const wend_atlas_arc *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

wend_status wend_atlas_graph_arcs(wend_atlas_graph *graph) {
    const wend_allocator *allocator = &graph->allocator;
    size_t count = 2 * (size_t)graph->edge_count;
    wend_release(allocator, graph->arcs, graph->arc_capacity, sizeof *graph->arcs);
    graph->arcs = wend_allocate(allocator, count + 1, sizeof *graph->arcs);
    graph->arc_capacity = count + 1;
    if (!graph->first)
        graph->first = wend_allocate(allocator, (size_t)graph->nodes + 1, sizeof *graph->first);
    if (!graph->arcs || !graph->first) return WEND_STATUS_NO_MEMORY;
    memset(graph->first, 0, ((size_t)graph->nodes + 1) * sizeof *graph->first);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        graph->first[graph->edges[i].a]++;
        graph->first[graph->edges[i].b]++;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= graph->nodes;
         i++) { /* to the ends of the nodes, then back to their beginnings */
        sum += i < graph->nodes ? graph->first[i] : 0;
        graph->first[i] = sum;
    }
    for (uint32_t i = graph->edge_count; i-- > 0;) {
        const wend_atlas_edge *edge = &graph->edges[i];
        graph->arcs[--graph->first[edge->a]] = (wend_atlas_arc){edge->b, i};
        graph->arcs[--graph->first[edge->b]] = (wend_atlas_arc){edge->a, i};
    }
    for (uint32_t i = 0; i < graph->nodes; i++)
        wend_sort(graph->arcs + graph->first[i], graph->first[i + 1] - graph->first[i], sizeof *graph->arcs,
                  by_target);
    return WEND_OK;
}

/* A round ------------------------------------------------------------------------------------------------ */

/* What a worker knows of the nodes within two edges of one. */
typedef struct vicinity {
    uint32_t *stamps; /* of each node: the node around which it was met last, plus 1 */
    uint32_t *costs;  /* of the cheapest way over two edges; 0: there is an edge */
    uint32_t *met;    /* those that were, in order */
} vicinity;

typedef struct lengthening {
    wend_atlas_graph *graph;
    wend_atlas_linker *linkers;
    vicinity *vicinities; /* one a worker */
    wend_buffer *results; /* one a chunk */
    uint32_t chunks, chunk;
    uint32_t spare, round, rounds;
    const wend_atlas_crew *crew;
    atomic_int status;
} lengthening;

static void meet(const wend_atlas_graph *graph, vicinity *near, uint32_t node, uint32_t *count) {
    *count = 0;
    for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
        near->stamps[graph->arcs[i].to] = node + 1;
        near->costs[graph->arcs[i].to] = 0;
    }
    for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
        wend_atlas_arc arc = graph->arcs[i];
        uint32_t cost = graph->edges[arc.edge].cost;
        for (uint32_t j = graph->first[arc.to]; j < graph->first[arc.to + 1]; j++) {
            uint32_t to = graph->arcs[j].to, sum = cost + graph->edges[graph->arcs[j].edge].cost;
            if (to <= node) continue; /* met from the other side */
            if (near->stamps[to] != node + 1) {
                near->stamps[to] = node + 1;
                near->costs[to] = sum;
                near->met[(*count)++] = to;
            } else if (sum < near->costs[to]) {
                near->costs[to] = sum;
            }
        }
    }
}

/* A pair that might get a long edge. */
typedef struct candidate {
    uint64_t limit; /* what the edge has to cost less than */
    uint64_t saves; /* the largest part of the cost that it might save, in millionths */
    uint32_t to;
} candidate;

/* The nodes that an edge from one might be worth it for, best first, at most MOST_TRIED. */
static uint32_t find_candidates(const lengthening *l, const vicinity *near, uint32_t node, uint32_t met,
                                candidate *found) {
    const wend_atlas_graph *graph = l->graph;
    uint32_t count = 0;
    for (uint32_t i = 0; i < met; i++) {
        uint32_t to = near->met[i];
        /* Less than all but the share to spare: rounded up, since costs are whole. */
        uint64_t most = (uint64_t)near->costs[to] * (1000000 - l->spare);
        uint64_t limit = most / 1000000 + (most % 1000000 != 0);
        uint64_t octile = wend_map_distance(graph->map, graph->cells[node], graph->cells[to]);
        if (octile >= limit) continue;
        candidate one = {limit, (near->costs[to] - octile) * 1000000 / near->costs[to], to};
        if (count == MOST_TRIED && found[count - 1].saves >= one.saves) continue;
        uint32_t at = count < MOST_TRIED ? count++ : count - 1;
        for (; at && found[at - 1].saves < one.saves; at--) found[at] = found[at - 1];
        found[at] = one;
    }
    return count;
}

static wend_status lengthen_from(const lengthening *l, uint32_t node, uint32_t worker, wend_buffer *result) {
    const wend_atlas_graph *graph = l->graph;
    wend_atlas_linker *linker = &l->linkers[worker];
    vicinity *near = &l->vicinities[worker];
    candidate found[MOST_TRIED];
    uint32_t met;
    meet(graph, near, node, &met);
    uint32_t count = find_candidates(l, near, node, met, found), kept = 0;
    /* The best so far, by what they really save; links themselves are made again in the end, from those. */
    for (uint32_t i = 0; i < count; i++) {
        wend_cost cost;
        candidate one = found[i];
        /* None behind can save more than the least of those that are kept. */
        if (kept == MOST_KEPT && one.saves <= found[kept - 1].saves) break;
        wend_status status =
            wend_atlas_link(linker, graph->cells[node], graph->cells[one.to], one.limit, &cost);
        if (status != WEND_OK) return status;
        if (cost == WEND_NO_COST) continue;
        one.saves = (near->costs[one.to] - cost) * 1000000 / near->costs[one.to];
        if (kept == MOST_KEPT && one.saves <= found[kept - 1].saves) continue;
        uint32_t at = kept < MOST_KEPT ? kept++ : kept - 1;
        for (; at && found[at - 1].saves < one.saves; at--) found[at] = found[at - 1];
        found[at] = one;
    }
    for (uint32_t i = 0; i < kept; i++) {
        wend_cost cost;
        wend_status status =
            wend_atlas_link(linker, graph->cells[node], graph->cells[found[i].to], found[i].limit, &cost);
        if (status == WEND_OK &&
            !wend_atlas_put(result, node, found[i].to, cost, linker->bends, linker->bend_count))
            status = WEND_STATUS_NO_MEMORY;
        if (status != WEND_OK) return status;
    }
    return WEND_OK;
}

static void lengthen_chunk(void *argument, uint32_t index, uint32_t worker) {
    lengthening *l = argument;
    uint32_t chunk = l->chunk + index;
    for (uint32_t i = 0; i < CHUNK && chunk * CHUNK + i < l->graph->nodes; i++) {
        wend_status status = lengthen_from(l, chunk * CHUNK + i, worker, &l->results[chunk]);
        if (status != WEND_OK) atomic_store(&l->status, (int)status);
        if (atomic_load(&l->status) != WEND_OK) return;
    }
}

/* Whether two other edges make as short a way. Those are shorter than it, each: so all of them can be dropped
 * at once, and what is left still has ways of the same costs. */
static bool matched(const wend_atlas_graph *graph, const wend_atlas_edge *edge) {
    uint32_t i = graph->first[edge->a], j = graph->first[edge->b];
    while (i < graph->first[edge->a + 1] && j < graph->first[edge->b + 1]) {
        wend_atlas_arc x = graph->arcs[i], y = graph->arcs[j];
        if (x.to == y.to && (uint64_t)graph->edges[x.edge].cost + graph->edges[y.edge].cost <= edge->cost)
            return true;
        i += x.to <= y.to;
        j += y.to <= x.to;
    }
    return false;
}

static wend_status drop_matched(wend_atlas_graph *graph) {
    uint8_t *drop = wend_allocate_zeroed(&graph->allocator, (size_t)graph->edge_count + 1, sizeof *drop);
    if (!drop) return WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < graph->edge_count; i++) drop[i] = matched(graph, &graph->edges[i]);
    uint32_t kept = 0, count = graph->edge_count;
    for (uint32_t i = 0; i < count; i++)
        if (!drop[i]) graph->edges[kept++] = graph->edges[i];
    graph->edge_count = kept;
    wend_release(&graph->allocator, drop, (size_t)count + 1, sizeof *drop);
    return wend_atlas_graph_arcs(graph);
}

static int by_ends(const void *a, const void *b) {
    const wend_atlas_edge *x = a, *y = b;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    return (x->bends > y->bends) - (x->bends < y->bends);
}

wend_status wend_atlas_graph_thin(wend_atlas_graph *graph) {
    uint32_t kept = 0;
    if (graph->edge_count) wend_sort(graph->edges, graph->edge_count, sizeof *graph->edges, by_ends);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (!kept || graph->edges[i].a != graph->edges[kept - 1].a ||
            graph->edges[i].b != graph->edges[kept - 1].b)
            graph->edges[kept++] = graph->edges[i];
    graph->edge_count = kept;
    wend_status status = wend_atlas_graph_arcs(graph);
    return status == WEND_OK ? drop_matched(graph) : status;
}

static wend_status reserve(lengthening *l) {
    const wend_allocator *allocator = &l->graph->allocator;
    size_t nodes = (size_t)l->graph->nodes + 1;
    l->results = wend_allocate_zeroed(allocator, l->chunks + (size_t)1, sizeof *l->results);
    l->vicinities = wend_allocate_zeroed(allocator, l->crew->workers, sizeof *l->vicinities);
    if (!l->results || !l->vicinities) return WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < l->chunks; i++) l->results[i].allocator = allocator;
    for (uint32_t i = 0; i < l->crew->workers; i++) {
        vicinity *near = &l->vicinities[i];
        near->stamps = wend_allocate_zeroed(allocator, nodes, sizeof *near->stamps);
        near->costs = wend_allocate(allocator, nodes, sizeof *near->costs);
        near->met = wend_allocate(allocator, nodes, sizeof *near->met);
        if (!near->stamps || !near->costs || !near->met) return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

static void release(lengthening *l) {
    const wend_allocator *allocator = &l->graph->allocator;
    size_t nodes = (size_t)l->graph->nodes + 1;
    for (uint32_t i = 0; l->vicinities && i < l->crew->workers; i++) {
        wend_release(allocator, l->vicinities[i].stamps, nodes, sizeof(uint32_t));
        wend_release(allocator, l->vicinities[i].costs, nodes, sizeof(uint32_t));
        wend_release(allocator, l->vicinities[i].met, nodes, sizeof(uint32_t));
    }
    for (uint32_t i = 0; l->results && i < l->chunks; i++) wend_buffer_release(&l->results[i]);
    wend_release(allocator, l->vicinities, l->crew->workers, sizeof *l->vicinities);
    wend_release(allocator, l->results, l->chunks + (size_t)1, sizeof *l->results);
}

static wend_status lengthen(lengthening *l) {
    wend_status status = reserve(l);
    for (l->chunk = 0; status == WEND_OK && l->chunk < l->chunks; l->chunk += BATCH) {
        uint64_t done = (uint64_t)l->round * l->chunks + l->chunk, total = (uint64_t)l->rounds * l->chunks;
        if (!wend_atlas_goes_on(l->crew, "long edges", done, total)) return WEND_STATUS_INTERRUPTED;
        uint32_t left = l->chunks - l->chunk;
        wend_atlas_run(l->crew, left < BATCH ? left : BATCH, lengthen_chunk, l);
        status = (wend_status)atomic_load(&l->status);
    }
    for (uint32_t i = 0; status == WEND_OK && i < l->chunks; i++)
        status = wend_atlas_graph_add(l->graph, &l->results[i]);
    return status;
}

wend_status wend_atlas_graph_round(wend_atlas_graph *graph, wend_atlas_linker *linkers, uint32_t spare,
                                   uint32_t round, uint32_t rounds, const wend_atlas_crew *crew) {
    lengthening l = {.graph = graph,
                     .linkers = linkers,
                     .chunks = graph->nodes / CHUNK + (graph->nodes % CHUNK != 0),
                     .spare = spare,
                     .round = round,
                     .rounds = rounds,
                     .crew = crew};
    atomic_init(&l.status, (int)WEND_OK);
    wend_status status = lengthen(&l);
    release(&l);
    if (status == WEND_OK) status = wend_atlas_graph_arcs(graph);
    return status == WEND_OK ? drop_matched(graph) : status;
}
