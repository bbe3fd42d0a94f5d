#include "db/atlas_hierarchy.h"

#include "base/random.h"
#include "base/sort.h"
#include "db/atlas_witness.h"

#include <stdatomic.h>
#include <string.h>

enum { CHUNK = 32 };  /* nodes that a worker takes at a time */
enum { ALONE = 128 }; /* with fewer nodes than that, calling workers takes longer than the work */

/* How important a node is: what is taken out early has little. */
typedef struct standing {
    int64_t importance;
    uint32_t depth; /* of those below it that were taken out before */
    bool stale;     /* a neighbour was taken out since it was weighed */
    bool candidate; /* it is less than all of its neighbours */
} standing;

typedef struct contraction {
    wend_atlas_hierarchy *made;
    const wend_allocator *allocator;
    const wend_atlas_crew *crew;
    wend_atlas_rest rest;
    standing *standings; /* of each node */
    uint32_t *left;      /* nodes that are not taken out, in order */
    uint32_t left_count;
    uint32_t *chosen; /* nodes that this round takes out, in order */
    uint32_t chosen_count;
    wend_atlas_seeker *seekers; /* of each worker */
    wend_buffer *results;       /* by chunk of `chosen`: shortcuts */
    uint32_t result_count;
    atomic_bool starved; /* of memory */
} contraction;

/* Which nodes a round takes out ----------------------------------------------------------------------------
 */

static void weigh(contraction *c, uint32_t node, uint32_t worker) {
    standing *one = &c->standings[node];
    uint32_t needed;
    if (!wend_atlas_weigh(&c->seekers[worker], node, &needed)) atomic_store(&c->starved, true);
    one->importance = 4 * (int64_t)needed - (int64_t)c->rest.lists[node].count + 6 * (int64_t)one->depth;
    one->stale = false;
}

/* Which of two equals comes first: by numbers that say nothing of where nodes lie. With the nodes' own, which
 * run along corridors, a round would find one node of a corridor, and there would be as many rounds as nodes.
 */
static bool is_first(uint32_t node, uint32_t other) {
    return wend_mix(node) < wend_mix(other); /* no two numbers mix to the same */
}

/* Whether a node is less important than all of its neighbours. */
static bool is_least(const contraction *c, uint32_t node) {
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(&c->rest, node, &count);
    int64_t importance = c->standings[node].importance;
    for (uint32_t i = 0; i < count; i++) {
        int64_t other = c->standings[arcs[i].to].importance;
        if (other < importance || (other == importance && is_first(arcs[i].to, node))) return false;
    }
    return true;
}

static uint32_t end_of(uint32_t chunk, uint32_t count) {
    return count - chunk * CHUNK < CHUNK ? count : (chunk + 1) * CHUNK;
}

static void weigh_chunk(void *argument, uint32_t chunk, uint32_t worker) {
    contraction *c = argument;
    for (uint32_t i = chunk * CHUNK; i < end_of(chunk, c->left_count); i++) weigh(c, c->left[i], worker);
}

static void compare_chunk(void *argument, uint32_t chunk, uint32_t worker) {
    contraction *c = argument;
    (void)worker;
    for (uint32_t i = chunk * CHUNK; i < end_of(chunk, c->left_count); i++)
        c->standings[c->left[i]].candidate = is_least(c, c->left[i]);
}

/* Candidates whose neighbourhood has changed are weighed anew, and may not be the least any more. No two of
 * them are neighbours, so that what others are compared with does not change meanwhile. */
static void try_chunk(void *argument, uint32_t chunk, uint32_t worker) {
    contraction *c = argument;
    for (uint32_t i = chunk * CHUNK; i < end_of(chunk, c->left_count); i++) {
        uint32_t node = c->left[i];
        if (!c->standings[node].candidate || !c->standings[node].stale) continue;
        weigh(c, node, worker);
        c->standings[node].candidate = is_least(c, node);
    }
}

static void replace_chunk(void *argument, uint32_t chunk, uint32_t worker) {
    contraction *c = argument;
    for (uint32_t i = chunk * CHUNK; i < end_of(chunk, c->chosen_count); i++)
        if (!wend_atlas_replace(&c->seekers[worker], c->chosen[i], &c->results[chunk]))
            atomic_store(&c->starved, true);
}

static void run(contraction *c, uint32_t nodes,
                void (*task)(void *argument, uint32_t chunk, uint32_t worker)) {
    static const wend_atlas_crew nobody = {.workers = 1};
    wend_atlas_run(nodes < ALONE ? &nobody : c->crew, nodes / CHUNK + (nodes % CHUNK != 0), task, c);
}

/* Taking them out ------------------------------------------------------------------------------------------
 */

static bool keep_arcs(contraction *c, uint32_t node, uint32_t rank) {
    wend_atlas_hierarchy *made = c->made;
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(&c->rest, node, &count);
    if (made->up_count + count > made->up_capacity) {
        size_t capacity = made->up_capacity ? made->up_capacity : 1024;
        while (capacity < made->up_count + count) capacity += capacity / 2;
        wend_atlas_link_up *larger =
            wend_enlarge(c->allocator, made->up, made->up_capacity, capacity, sizeof *larger);
        if (!larger) return false;
        made->up = larger, made->up_capacity = capacity;
    }
    made->rank[node] = rank, made->order[rank] = node, made->first[rank] = made->up_count;
    for (uint32_t i = 0; i < count; i++) {
        bool shortcut = arcs[i].what & WEND_ATLAS_OVER;
        made->up[made->up_count++] =
            (wend_atlas_link_up){arcs[i].cost, arcs[i].to, shortcut ? WEND_ATLAS_SHORTCUT : arcs[i].what,
                                 arcs[i].what & ~WEND_ATLAS_OVER};
        made->shortcuts += shortcut;
        standing *other = &c->standings[arcs[i].to];
        other->stale = true;
        if (other->depth <= c->standings[node].depth) other->depth = c->standings[node].depth + 1;
    }
    return true;
}

static bool take_out(contraction *c, uint32_t rank) {
    for (uint32_t i = 0; i < c->chosen_count; i++) {
        if (!keep_arcs(c, c->chosen[i], rank + i)) return false;
        wend_atlas_rest_remove(&c->rest, c->chosen[i]);
    }
    for (uint32_t i = 0; i * CHUNK < c->chosen_count; i++) {
        wend_buffer *result = &c->results[i];
        for (size_t at = 0; at < result->size; at += sizeof(wend_atlas_shortcut)) {
            wend_atlas_shortcut shortcut;
            memcpy(&shortcut, result->data + at, sizeof shortcut);
            if (!wend_atlas_rest_join(&c->rest, &shortcut)) return false;
        }
        result->size = 0;
    }
    return true;
}

/* Parts the candidates from those that are left: they are chosen. */
static void choose(contraction *c) {
    uint32_t left = 0;
    c->chosen_count = 0;
    for (uint32_t i = 0; i < c->left_count; i++) {
        uint32_t node = c->left[i];
        c->rest.chosen[node] = c->standings[node].candidate;
        if (c->rest.chosen[node])
            c->chosen[c->chosen_count++] = node;
        else
            c->left[left++] = node;
    }
    c->left_count = left;
}

/* Each round weighs the least of all nodes anew, or takes it out: so there is an end. */
static wend_status contract(contraction *c) {
    uint32_t nodes = c->made->nodes;
    if (!wend_atlas_goes_on(c->crew, "ordering", 0, 1)) return WEND_INTERRUPTED;
    run(c, c->left_count, weigh_chunk);
    while (c->left_count) {
        uint32_t rank = nodes - c->left_count;
        if (!wend_atlas_goes_on(c->crew, "hierarchy", rank, nodes)) return WEND_INTERRUPTED;
        run(c, c->left_count, compare_chunk);
        run(c, c->left_count, try_chunk);
        choose(c);
        run(c, c->chosen_count, replace_chunk);
        if (atomic_load(&c->starved) || !take_out(c, rank)) return WEND_NO_MEMORY;
    }
    c->made->first[nodes] = c->made->up_count;
    return WEND_OK;
}

/* The whole ------------------------------------------------------------------------------------------------
 */

static int by_target(const void *a, const void *b) {
    const wend_atlas_link_up *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

/* From nodes to ranks. */
static void rename_nodes(wend_atlas_hierarchy *made) {
    for (size_t i = 0; i < made->up_count; i++) {
        made->up[i].to = made->rank[made->up[i].to];
        if (made->up[i].edge == WEND_ATLAS_SHORTCUT) made->up[i].middle = made->rank[made->up[i].middle];
    }
    for (uint32_t i = 0; i < made->nodes && made->up_count; i++)
        wend_sort(made->up + made->first[i], made->first[i + 1] - made->first[i], sizeof *made->up,
                  by_target);
}

static wend_status reserve(contraction *c, const wend_atlas_graph *graph) {
    wend_atlas_hierarchy *made = c->made;
    const wend_allocator *allocator = c->allocator;
    size_t nodes = (size_t)graph->nodes + 1;
    wend_status status = wend_atlas_rest_make(&c->rest, graph);
    if (status != WEND_OK) return status;
    made->rank = wend_allocate(allocator, nodes, sizeof *made->rank);
    made->order = wend_allocate(allocator, nodes, sizeof *made->order);
    made->first = wend_allocate(allocator, nodes, sizeof *made->first);
    c->standings = wend_allocate_zeroed(allocator, nodes, sizeof *c->standings);
    c->left = wend_allocate(allocator, nodes, sizeof *c->left);
    c->chosen = wend_allocate(allocator, nodes, sizeof *c->chosen);
    c->seekers = wend_allocate_zeroed(allocator, c->crew->workers, sizeof *c->seekers);
    c->results = wend_allocate_zeroed(allocator, c->result_count, sizeof *c->results);
    if (!made->rank || !made->order || !made->first || !c->standings || !c->left || !c->chosen ||
        !c->seekers || !c->results)
        return WEND_NO_MEMORY;
    for (uint32_t i = 0; i < c->crew->workers; i++)
        if (!wend_atlas_seeker_create(&c->seekers[i], &c->rest)) return WEND_NO_MEMORY;
    for (uint32_t i = 0; i < c->result_count; i++) c->results[i].allocator = allocator;
    for (uint32_t i = 0; i < graph->nodes; i++) c->left[c->left_count++] = i;
    return WEND_OK;
}

static void release(contraction *c) {
    const wend_allocator *allocator = c->allocator;
    size_t nodes = (size_t)c->made->nodes + 1;
    for (uint32_t i = 0; c->results && i < c->result_count; i++) wend_buffer_release(&c->results[i]);
    for (uint32_t i = 0; c->seekers && i < c->crew->workers; i++) wend_atlas_seeker_release(&c->seekers[i]);
    wend_release(allocator, c->results, c->result_count, sizeof *c->results);
    wend_release(allocator, c->seekers, c->crew->workers, sizeof *c->seekers);
    wend_release(allocator, c->chosen, nodes, sizeof *c->chosen);
    wend_release(allocator, c->left, nodes, sizeof *c->left);
    wend_release(allocator, c->standings, nodes, sizeof *c->standings);
    wend_atlas_rest_release(&c->rest);
}

wend_status wend_atlas_hierarchy_make(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                      const wend_atlas_crew *crew) {
    *hierarchy = (wend_atlas_hierarchy){.allocator = graph->allocator, .nodes = graph->nodes};
    contraction c = {.made = hierarchy,
                     .allocator = &hierarchy->allocator,
                     .crew = crew,
                     .result_count = graph->nodes / CHUNK + 1};
    atomic_init(&c.starved, false);
    wend_status status = reserve(&c, graph);
    if (status == WEND_OK) status = contract(&c);
    if (status == WEND_OK) rename_nodes(hierarchy);
    release(&c);
    return status;
}

void wend_atlas_hierarchy_release(wend_atlas_hierarchy *hierarchy) {
    const wend_allocator *allocator = &hierarchy->allocator;
    size_t nodes = (size_t)hierarchy->nodes + 1;
    wend_release(allocator, hierarchy->rank, nodes, sizeof *hierarchy->rank);
    wend_release(allocator, hierarchy->order, nodes, sizeof *hierarchy->order);
    wend_release(allocator, hierarchy->first, nodes, sizeof *hierarchy->first);
    wend_release(allocator, hierarchy->up, hierarchy->up_capacity, sizeof *hierarchy->up);
    hierarchy->rank = hierarchy->order = NULL, hierarchy->first = NULL, hierarchy->up = NULL;
}
