#include "db/atlas_contraction.h"

#include "base/sort.h"

#include <string.h>

#define NONE UINT32_MAX
/* Nodes that the search for a witness may settle: when a node is weighed, and when it is taken out. */
enum { GLANCE = 40, WITNESS = 500 };

/* An arc of the graph that is left, in a list of its node's. */
typedef struct rest_arc {
    uint64_t cost;
    uint32_t to, next, edge, middle;
} rest_arc;

typedef struct heap_item {
    uint64_t key;
    uint32_t node;
} heap_item;

typedef struct heap {
    heap_item *items;
    size_t count, capacity;
} heap;

/* What is being done; between two of them, and within the longer ones, it can be left and gone on with. */
typedef enum contraction_phase {
    LOADING,  /* the graph */
    ORDERING, /* all nodes are weighed once */
    PICKING,  /* the next to be taken out */
    WEIGHING, /* once more, since others have gone meanwhile */
    PROVING,  /* that its shortcuts are needed */
    TAKING_OUT,
    JOINING, /* its neighbours by the shortcuts */
    RENAMING,
    FINISHED
} contraction_phase;

typedef struct wend_atlas_contraction {
    const wend_atlas_graph *graph;
    wend_atlas_hierarchy *made;
    const wend_allocator *allocator;
    uint32_t *head; /* by node: the first of its list */
    rest_arc *arcs;
    size_t arc_capacity;
    uint32_t arc_count, free;
    uint32_t *depth;
    heap order, search;
    /* The search for witnesses: what it knows of a node. */
    uint64_t *costs;
    uint32_t *stamps;
    uint32_t stamp;
    /* Of the neighbours that a witness is wanted for: what it may cost, and in which search that is so. */
    uint64_t *bounds;
    uint32_t *wanted;
    /* The neighbours of the node that is being looked at, and the shortcuts that it needs. */
    rest_arc *around, *needed;
    size_t around_capacity, needed_capacity;
    uint32_t around_count, needed_count;
    contraction_phase phase;
    uint32_t node, rank, joined;
    const uint32_t *given; /* by rank: the nodes in the order to take them out, or NULL */
    /* The search from neighbour number `first`: whether it has begun, nodes settled, neighbours without a
     * witness, and the cost beyond which none is one. */
    uint32_t first, missing;
    int limit, settled;
    bool searching;
    uint64_t most;
} contraction;

/* A binary heap of least keys ---------------------------------------------------------------------------- */

static bool heap_push(const wend_allocator *allocator, heap *h, uint64_t key, uint32_t node) {
    if (h->count == h->capacity) {
        size_t capacity = h->capacity ? h->capacity * 2 : 256;
        heap_item *larger = wend_enlarge(allocator, h->items, h->capacity, capacity, sizeof *larger);
        if (!larger) return false;
        h->items = larger, h->capacity = capacity;
    }
    size_t at = h->count++;
    for (; at && h->items[(at - 1) / 2].key > key; at = (at - 1) / 2) h->items[at] = h->items[(at - 1) / 2];
    h->items[at] = (heap_item){key, node};
    return true;
}

static heap_item heap_pop(heap *h) {
    heap_item least = h->items[0], last = h->items[--h->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < h->count; at = child) {
        child += child + 1 < h->count && h->items[child + 1].key < h->items[child].key;
        if (h->items[child].key >= last.key) break;
        h->items[at] = h->items[child];
    }
    if (h->count) h->items[at] = last;
    return least;
}

/* The graph that is left --------------------------------------------------------------------------------- */

static bool add_arc(contraction *c, uint32_t from, rest_arc arc) {
    uint32_t at = c->free;
    if (at != NONE) {
        c->free = c->arcs[at].next;
    } else {
        if (c->arc_count == c->arc_capacity) {
            size_t capacity = c->arc_capacity ? c->arc_capacity + c->arc_capacity / 2 : 1024;
            if (capacity > NONE) return false;
            rest_arc *larger = wend_enlarge(c->allocator, c->arcs, c->arc_capacity, capacity, sizeof *larger);
            if (!larger) return false;
            c->arcs = larger, c->arc_capacity = capacity;
        }
        at = c->arc_count++;
    }
    arc.next = c->head[from];
    c->arcs[at] = arc;
    c->head[from] = at;
    return true;
}

static void remove_arc(contraction *c, uint32_t from, uint32_t to) {
    for (uint32_t *at = &c->head[from]; *at != NONE; at = &c->arcs[*at].next) {
        if (c->arcs[*at].to != to) continue;
        uint32_t gone = *at;
        *at = c->arcs[gone].next;
        c->arcs[gone].next = c->free;
        c->free = gone;
        return;
    }
}

/* A shortcut between two nodes, or a cheaper one than the shortcut that is there. (An edge of the graph is
 * the cheapest way there is.) */
static bool join(contraction *c, uint32_t a, uint32_t b, uint64_t cost, uint32_t middle) {
    for (int side = 0; side < 2; side++) {
        uint32_t from = side ? b : a, to = side ? a : b, at = c->head[from];
        while (at != NONE && c->arcs[at].to != to) at = c->arcs[at].next;
        if (at == NONE) {
            if (!add_arc(c, from, (rest_arc){cost, to, NONE, WEND_ATLAS_SHORTCUT, middle})) return false;
        } else if (cost < c->arcs[at].cost) {
            c->arcs[at].cost = cost, c->arcs[at].middle = middle, c->arcs[at].edge = WEND_ATLAS_SHORTCUT;
        }
    }
    return true;
}

/* Shortcuts ---------------------------------------------------------------------------------------------- */

static bool list_around(contraction *c, uint32_t node) {
    c->around_count = 0;
    for (uint32_t at = c->head[node]; at != NONE; at = c->arcs[at].next) {
        if (c->around_count == c->around_capacity) {
            size_t capacity = c->around_capacity ? c->around_capacity * 2 : 64;
            rest_arc *larger =
                wend_enlarge(c->allocator, c->around, c->around_capacity, capacity, sizeof *larger);
            if (!larger) return false;
            c->around = larger, c->around_capacity = capacity;
        }
        c->around[c->around_count++] = c->arcs[at];
    }
    return true;
}

/* Costs from the neighbour number `first` to others without passing over `node`, as far as they are of use as
 * witnesses for the neighbours behind it; until all of those have one, or enough nodes are settled. */
static bool begin_witnesses(contraction *c) {
    uint32_t from = c->around[c->first].to;
    if (++c->stamp == 0) {
        memset(c->stamps, 0, ((size_t)c->graph->nodes + 1) * sizeof *c->stamps);
        memset(c->wanted, 0, ((size_t)c->graph->nodes + 1) * sizeof *c->wanted);
        c->stamp = 1;
    }
    c->missing = 0, c->most = 0, c->settled = 0;
    for (uint32_t i = c->first + 1; i < c->around_count; i++, c->missing++) {
        uint64_t bound = c->around[c->first].cost + c->around[i].cost;
        if (bound > c->most) c->most = bound;
        c->wanted[c->around[i].to] = c->stamp, c->bounds[c->around[i].to] = bound;
    }
    c->search.count = 0;
    c->stamps[from] = c->stamp, c->costs[from] = 0;
    return heap_push(c->allocator, &c->search, 0, from);
}

static bool is_searched(const contraction *c) {
    return c->settled >= c->limit || !c->search.count || !c->missing;
}

static bool settle_one(contraction *c, uint64_t *used) {
    heap_item item = heap_pop(&c->search);
    ++*used;
    if (item.key > c->costs[item.node]) return true;
    c->settled++;
    for (uint32_t at = c->head[item.node]; at != NONE; at = c->arcs[at].next) {
        uint32_t to = c->arcs[at].to;
        uint64_t cost = item.key + c->arcs[at].cost;
        ++*used;
        if (to == c->node || cost > c->most || (c->stamps[to] == c->stamp && c->costs[to] <= cost)) continue;
        c->stamps[to] = c->stamp, c->costs[to] = cost;
        if (c->wanted[to] == c->stamp && cost <= c->bounds[to]) c->wanted[to] = 0, c->missing--;
        if (!heap_push(c->allocator, &c->search, cost, to)) return false;
    }
    return true;
}

static bool need(contraction *c, uint32_t a, uint32_t b, uint64_t cost) {
    if (c->needed_count == c->needed_capacity) {
        size_t capacity = c->needed_capacity ? c->needed_capacity * 2 : 256;
        rest_arc *larger =
            wend_enlarge(c->allocator, c->needed, c->needed_capacity, capacity, sizeof *larger);
        if (!larger) return false;
        c->needed = larger, c->needed_capacity = capacity;
    }
    c->needed[c->needed_count++] = (rest_arc){.cost = cost, .to = b, .next = a};
    return true;
}

/* The neighbours of a node, and the shortcuts that have to take its place. */
static bool begin_evaluation(contraction *c, uint32_t node, int limit) {
    c->node = node, c->limit = limit;
    c->needed_count = c->first = 0;
    c->searching = false;
    return list_around(c, node);
}

static bool is_evaluated(const contraction *c) {
    return c->first + 1 >= c->around_count;
}

static bool evaluate_on(contraction *c, uint64_t operations, uint64_t *used) {
    while (!is_evaluated(c) && *used < operations) {
        if (!c->searching && !begin_witnesses(c)) return false;
        c->searching = true;
        while (!is_searched(c) && *used < operations)
            if (!settle_one(c, used)) return false;
        if (!is_searched(c)) break;
        c->searching = false;
        for (uint32_t i = c->first + 1; i < c->around_count; i++, ++*used) {
            uint32_t to = c->around[i].to;
            uint64_t cost = c->around[c->first].cost + c->around[i].cost;
            if (c->stamps[to] == c->stamp && c->costs[to] <= cost) continue;
            if (!need(c, c->around[c->first].to, to, cost)) return false;
        }
        c->first++;
    }
    return true;
}

/* Of a node that was just evaluated: smaller is taken out earlier. */
static uint64_t key_of(const contraction *c, uint32_t node) {
    int64_t importance =
        4 * (int64_t)c->needed_count - (int64_t)c->around_count + 4 * (int64_t)c->depth[node];
    return (uint64_t)(importance + (1 << 30)) << 32 | node;
}

/* Taking nodes out --------------------------------------------------------------------------------------- */

static bool take_out(contraction *c) {
    wend_atlas_hierarchy *made = c->made;
    uint32_t node = c->node, rank = c->rank++;
    if (made->up_count + c->around_count > made->up_capacity) {
        size_t capacity = made->up_capacity ? made->up_capacity : 1024;
        while (capacity < made->up_count + c->around_count) capacity += capacity / 2;
        wend_atlas_link_up *larger =
            wend_enlarge(c->allocator, made->up, made->up_capacity, capacity, sizeof *larger);
        if (!larger) return false;
        made->up = larger, made->up_capacity = capacity;
    }
    made->rank[node] = rank, made->order[rank] = node, made->first[rank] = made->up_count;
    for (uint32_t i = 0; i < c->around_count; i++) {
        const rest_arc *arc = &c->around[i];
        made->up[made->up_count++] = (wend_atlas_link_up){arc->cost, arc->to, arc->edge, arc->middle};
        made->shortcuts += arc->edge == WEND_ATLAS_SHORTCUT;
        remove_arc(c, arc->to, node);
        if (c->depth[arc->to] <= c->depth[node]) c->depth[arc->to] = c->depth[node] + 1;
    }
    return true;
}

static int by_target(const void *a, const void *b) {
    const wend_atlas_link_up *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

/* From nodes to ranks, of the arcs of one. */
static void rename_arcs(wend_atlas_hierarchy *made, uint32_t rank) {
    size_t from = made->first[rank], end = made->first[rank + 1];
    for (size_t i = from; i < end; i++) {
        made->up[i].to = made->rank[made->up[i].to];
        if (made->up[i].edge == WEND_ATLAS_SHORTCUT) made->up[i].middle = made->rank[made->up[i].middle];
    }
    if (from < end) wend_sort(made->up + from, end - from, sizeof *made->up, by_target);
}

static bool load(contraction *c, uint32_t node) {
    const wend_atlas_graph *graph = c->graph;
    for (uint32_t j = graph->first[node]; j < graph->first[node + 1]; j++) {
        wend_atlas_arc arc = graph->arcs[j];
        rest_arc rest = {graph->edges[arc.edge].cost, arc.to, NONE, arc.edge, NONE};
        if (!add_arc(c, node, rest)) return false;
    }
    return true;
}

static void enter(contraction *c, contraction_phase phase) {
    c->phase = phase, c->node = 0;
}

/* Goes on with the phase: one node of the graph, or of a search. False: no memory. */
static bool go_on(contraction *c, uint64_t operations, uint64_t *used) {
    uint32_t nodes = c->graph->nodes;
    switch (c->phase) {
    case LOADING:
        if (c->node == nodes) {
            enter(c, c->given ? PICKING : ORDERING);
            return !nodes || c->given || begin_evaluation(c, 0, GLANCE);
        }
        *used += c->graph->first[c->node + 1] - c->graph->first[c->node];
        return load(c, c->node++);
    case ORDERING:
        if (c->node == nodes) {
            enter(c, PICKING);
            return true;
        }
        if (!is_evaluated(c)) return evaluate_on(c, operations, used);
        if (!heap_push(c->allocator, &c->order, key_of(c, c->node), c->node)) return false;
        if (++c->node == nodes) return true;
        return begin_evaluation(c, c->node, GLANCE);
    case PICKING:
        if (c->given && c->rank < nodes) {
            c->phase = PROVING;
            return begin_evaluation(c, c->given[c->rank], WITNESS);
        }
        if (!c->order.count) {
            c->made->first[nodes] = c->made->up_count;
            enter(c, RENAMING);
            return true;
        }
        c->phase = WEIGHING;
        return begin_evaluation(c, heap_pop(&c->order).node, GLANCE);
    case WEIGHING: {
        if (!is_evaluated(c)) return evaluate_on(c, operations, used);
        uint64_t key = key_of(c, c->node);
        if (c->order.count && key > c->order.items[0].key) {
            c->phase = PICKING;
            return heap_push(c->allocator, &c->order, key, c->node);
        }
        c->phase = c->needed_count ? PROVING : TAKING_OUT;
        return !c->needed_count || begin_evaluation(c, c->node, WITNESS);
    }
    case PROVING:
        if (!is_evaluated(c)) return evaluate_on(c, operations, used);
        c->phase = TAKING_OUT;
        return true;
    case TAKING_OUT:
        c->phase = JOINING, c->joined = 0;
        *used += c->around_count;
        return take_out(c);
    case JOINING: {
        if (c->joined == c->needed_count) {
            c->phase = PICKING;
            return true;
        }
        const rest_arc *needed = &c->needed[c->joined++];
        *used += 2;
        return join(c, needed->next, needed->to, needed->cost, c->node);
    }
    case RENAMING:
        if (c->node == nodes) {
            c->phase = FINISHED;
            return true;
        }
        *used += c->made->first[c->node + 1] - c->made->first[c->node];
        rename_arcs(c->made, c->node++);
        return true;
    default:
        return true;
    }
}

static wend_status reserve(contraction *c) {
    wend_atlas_hierarchy *made = c->made;
    const wend_allocator *allocator = c->allocator;
    const wend_atlas_graph *graph = c->graph;
    size_t nodes = (size_t)graph->nodes + 1;
    made->rank = wend_allocate(allocator, nodes, sizeof *made->rank);
    made->order = wend_allocate(allocator, nodes, sizeof *made->order);
    made->first = wend_allocate(allocator, nodes, sizeof *made->first);
    c->head = wend_allocate(allocator, nodes, sizeof *c->head);
    c->depth = wend_allocate_zeroed(allocator, nodes, sizeof *c->depth);
    c->costs = wend_allocate(allocator, nodes, sizeof *c->costs);
    c->stamps = wend_allocate_zeroed(allocator, nodes, sizeof *c->stamps);
    c->bounds = wend_allocate(allocator, nodes, sizeof *c->bounds);
    c->wanted = wend_allocate_zeroed(allocator, nodes, sizeof *c->wanted);
    if (!made->rank || !made->order || !made->first || !c->head || !c->depth || !c->costs || !c->stamps ||
        !c->bounds || !c->wanted)
        return WEND_NO_MEMORY;
    for (uint32_t i = 0; i < graph->nodes; i++) c->head[i] = NONE;
    return WEND_OK;
}

static void release(contraction *c) {
    const wend_allocator *allocator = c->allocator;
    size_t nodes = (size_t)c->graph->nodes + 1;
    wend_release(allocator, c->head, nodes, sizeof *c->head);
    wend_release(allocator, c->depth, nodes, sizeof *c->depth);
    wend_release(allocator, c->costs, nodes, sizeof *c->costs);
    wend_release(allocator, c->stamps, nodes, sizeof *c->stamps);
    wend_release(allocator, c->bounds, nodes, sizeof *c->bounds);
    wend_release(allocator, c->wanted, nodes, sizeof *c->wanted);
    wend_release(allocator, c->arcs, c->arc_capacity, sizeof *c->arcs);
    wend_release(allocator, c->around, c->around_capacity, sizeof *c->around);
    wend_release(allocator, c->needed, c->needed_capacity, sizeof *c->needed);
    wend_release(allocator, c->order.items, c->order.capacity, sizeof *c->order.items);
    wend_release(allocator, c->search.items, c->search.capacity, sizeof *c->search.items);
}

wend_status wend_atlas_contraction_create(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                          const uint32_t *order, wend_atlas_contraction **made) {
    *hierarchy = (wend_atlas_hierarchy){.allocator = graph->allocator, .nodes = graph->nodes};
    *made = wend_allocate_zeroed(&hierarchy->allocator, 1, sizeof **made);
    if (!*made) return WEND_NO_MEMORY;
    contraction *c = *made;
    c->graph = graph, c->made = hierarchy, c->allocator = &hierarchy->allocator, c->free = NONE,
    c->given = order;
    return reserve(c);
}

void wend_atlas_contraction_destroy(wend_atlas_contraction *c) {
    if (!c) return;
    release(c);
    wend_release(c->allocator, c, 1, sizeof *c);
}

wend_status wend_atlas_contraction_run(wend_atlas_contraction *c, uint64_t operations, uint64_t *counted,
                                       bool *done) {
    uint64_t used = 0;
    bool good = true;
    while (good && used < operations && c->phase != FINISHED) {
        used++;
        good = go_on(c, operations, &used);
    }
    *counted += used;
    *done = c->phase == FINISHED;
    return good ? WEND_OK : WEND_NO_MEMORY;
}
