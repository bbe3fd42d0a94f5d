#include "methods/atlas/hierarchy/hierarchy.h"

#include "base/random.h"
#include "base/sort.h"
#include "methods/atlas/hierarchy/witness.h"

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

/* What is being done. Each phase does the same to one node after another, or to all at the same time. */
typedef enum phase {
    LOADING,
    WEIGHING,   /* all nodes, once; then in each round: */
    COMPARING,  /* those that are left with their neighbours */
    TRYING,     /* candidates, once more */
    CHOOSING,   /* what the round takes out */
    REPLACING,  /* the chosen ones, by shortcuts */
    TAKING_OUT, /* of the graph that is left */
    JOINING,    /* their neighbours, by the shortcuts */
    RENAMING,   /* nodes to ranks, at the end */
    FINISHED
} phase;

struct wend_atlas_contraction {
    wend_atlas_hierarchy *made;
    const wend_atlas_graph *graph;
    const wend_allocator *allocator;
    const uint32_t *given; /* by rank: the nodes in the order to take them out, or NULL */
    wend_atlas_rest rest;
    standing *standings; /* of each node */
    uint32_t *left;      /* nodes that are not taken out, in order */
    uint32_t left_count, kept;
    uint32_t *chosen; /* nodes that this round takes out, in order */
    uint32_t chosen_count;
    uint32_t rank;              /* of the first of them */
    wend_atlas_seeker *seekers; /* of each worker */
    uint32_t workers;
    wend_buffer *results; /* by chunk of `chosen`: shortcuts */
    uint32_t result_count;
    phase phase;
    uint32_t at;         /* how many nodes of the phase are done; */
    size_t joined;       /* bytes of the result that is joined by */
    atomic_bool starved; /* of memory */
};
typedef wend_atlas_contraction contraction;

/* Does a phase's part for number i, or goes on with it. False: *used has come to `operations` before it is
 * done. */
typedef bool part(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used);

static bool load(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    (void)worker, (void)operations;
    wend_atlas_rest_load(&c->rest, c->graph, i);
    c->left[i] = i;
    *used += c->rest.lists[i].count;
    return true;
}

/* Which nodes a round takes out -------------------------------------------------------------------------- */

static bool seek(contraction *c, uint32_t node, uint32_t worker, wend_buffer *shortcuts, uint64_t operations,
                 uint64_t *used) {
    wend_status status = wend_atlas_replace(&c->seekers[worker], node, shortcuts, operations, used);
    if (status == WEND_STATUS_NO_MEMORY) atomic_store(&c->starved, true);
    return status != WEND_STATUS_INTERRUPTED;
}

static bool weigh(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    uint32_t node = c->left[i];
    standing *one = &c->standings[node];
    if (!seek(c, node, worker, NULL, operations, used)) return false;
    one->importance =
        4 * (int64_t)c->seekers[worker].needed - (int64_t)c->rest.lists[node].count + 6 * (int64_t)one->depth;
    one->stale = false;
    return true;
}

/* Which of two equals comes first: by numbers that say nothing of where nodes lie. With the nodes' own, which
 * run along corridors, a round would find one node of a corridor, and rounds would be as many as nodes. */
static bool is_first(uint32_t node, uint32_t other) {
    return wend_mix(node) < wend_mix(other); /* no two numbers mix to the same */
}

/* Whether a node is less important than all of its neighbours. */
static bool is_least(const contraction *c, uint32_t node, uint64_t *used) {
    uint32_t count;
    const wend_atlas_rest_arc *arcs = wend_atlas_rest_arcs(&c->rest, node, &count);
    int64_t importance = c->standings[node].importance;
    for (uint32_t i = 0; i < count; i++, ++*used) {
        int64_t other = c->standings[arcs[i].to].importance;
        if (other < importance || (other == importance && is_first(arcs[i].to, node))) return false;
    }
    return true;
}

static bool compare(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    (void)worker, (void)operations;
    c->standings[c->left[i]].candidate = is_least(c, c->left[i], used);
    return true;
}

/* Candidates whose neighbourhood has changed are weighed again, and may not be the least any more. No two of
 * them are neighbours, so that what others are compared with does not change meanwhile. */
static bool try_again(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    standing *one = &c->standings[c->left[i]];
    if (!one->candidate || !one->stale) return true;
    if (!weigh(c, i, worker, operations, used)) return false;
    one->candidate = is_least(c, c->left[i], used);
    return true;
}

/* Parts the candidates from those that are left: they are chosen. */
static bool choose(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    (void)worker, (void)operations, (void)used;
    uint32_t node = c->left[i];
    c->rest.chosen[node] = c->standings[node].candidate;
    if (c->rest.chosen[node])
        c->chosen[c->chosen_count++] = node;
    else
        c->left[c->kept++] = node;
    return true;
}

/* Taking them out ---------------------------------------------------------------------------------------- */

static bool replace(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    return seek(c, c->chosen[i], worker, &c->results[i / CHUNK], operations, used);
}

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

static bool take_out(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    (void)worker, (void)operations;
    *used += c->rest.lists[c->chosen[i]].count;
    if (keep_arcs(c, c->chosen[i], c->rank + i))
        wend_atlas_rest_remove(&c->rest, c->chosen[i]);
    else
        atomic_store(&c->starved, true);
    return true;
}

static bool join(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    (void)worker;
    wend_buffer *result = &c->results[i];
    for (; c->joined < result->size; c->joined += sizeof(wend_atlas_shortcut), *used += 2) {
        if (*used >= operations) return false;
        wend_atlas_shortcut shortcut;
        memcpy(&shortcut, result->data + c->joined, sizeof shortcut);
        if (!wend_atlas_rest_join(&c->rest, &shortcut)) atomic_store(&c->starved, true);
    }
    result->size = c->joined = 0;
    return true;
}

static int by_target(const void *a, const void *b) {
    const wend_atlas_link_up *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

static bool rename_arcs(contraction *c, uint32_t i, uint32_t worker, uint64_t operations, uint64_t *used) {
    (void)worker, (void)operations;
    wend_atlas_hierarchy *made = c->made;
    size_t count = made->first[i + 1] - made->first[i];
    if (!count) return true; /* and perhaps no block of arcs */
    wend_atlas_link_up *up = made->up + made->first[i];
    for (size_t j = 0; j < count; j++) {
        up[j].to = made->rank[up[j].to];
        if (up[j].edge == WEND_ATLAS_SHORTCUT) up[j].middle = made->rank[up[j].middle];
    }
    wend_sort(up, count, sizeof *up, by_target);
    *used += count;
    return true;
}

/* Phases ------------------------------------------------------------------------------------------------- */

static const struct {
    part *part;
    bool alone; /* one number after another */
} phases[] = {
    [LOADING] = {load, false},       [WEIGHING] = {weigh, false}, [COMPARING] = {compare, false},
    [TRYING] = {try_again, false},   [CHOOSING] = {choose, true}, [REPLACING] = {replace, false},
    [TAKING_OUT] = {take_out, true}, [JOINING] = {join, true},    [RENAMING] = {rename_arcs, false}};

static uint32_t chunks_of(uint32_t count) {
    return count / CHUNK + (count % CHUNK != 0);
}

/* How many numbers the phase has. */
static uint32_t count_of(const contraction *c) {
    switch (c->phase) {
    case LOADING:
    case RENAMING:
        return c->made->nodes;
    case REPLACING:
    case TAKING_OUT:
        return c->chosen_count;
    case JOINING:
        return chunks_of(c->chosen_count);
    default:
        return c->left_count;
    }
}

/* Each round weighs the least of all nodes again, or takes it out: so there is an end. */
static phase next_round(contraction *c) {
    c->rank += c->chosen_count;
    c->chosen_count = c->kept = 0;
    if (c->rank == c->made->nodes) {
        c->made->first[c->rank] = c->made->up_count;
        return RENAMING;
    }
    if (!c->given) return COMPARING;
    c->chosen[c->chosen_count++] = c->given[c->rank];
    return REPLACING;
}

#ifdef WEND_VALIDATING
/* Each node has a rank of its own, and its arcs lead to higher ones, in their order, over lower ones. */
static bool is_sound(const wend_atlas_hierarchy *made) {
    for (uint32_t rank = 0; rank < made->nodes; rank++) {
        if (made->rank[made->order[rank]] != rank || made->first[rank] > made->first[rank + 1]) return false;
        for (size_t i = made->first[rank], before = rank; i < made->first[rank + 1];
             before = made->up[i++].to)
            if (made->up[i].to <= before || made->up[i].to >= made->nodes ||
                (made->up[i].edge == WEND_ATLAS_SHORTCUT && made->up[i].middle >= rank))
                return false;
    }
    return true;
}
#endif

static void next_phase(contraction *c) {
    c->at = 0;
    if (c->phase == CHOOSING) c->left_count = c->kept;
    if (c->phase == WEIGHING || c->phase == JOINING || (c->phase == LOADING && c->given))
        c->phase = next_round(c);
    else
        c->phase++;
    WEND_VALIDATE(c->phase != FINISHED || is_sound(c->made));
}

/* The whole ---------------------------------------------------------------------------------------------- */

static wend_status begin(contraction *c, wend_atlas_hierarchy *made, const wend_atlas_graph *graph,
                         const uint32_t *order, uint32_t workers) {
    const wend_allocator *allocator = &made->allocator;
    size_t nodes = (size_t)graph->nodes + 1;
    *made = (wend_atlas_hierarchy){.allocator = graph->allocator, .nodes = graph->nodes};
    c->made = made, c->graph = graph, c->allocator = allocator, c->given = order, c->workers = workers;
    c->left_count = graph->nodes, c->result_count = graph->nodes / CHUNK + 1;
    atomic_init(&c->starved, false);
    wend_status status = wend_atlas_rest_reserve(&c->rest, graph);
    if (status != WEND_OK) return status;
    made->rank = wend_allocate(allocator, nodes, sizeof *made->rank);
    made->order = wend_allocate(allocator, nodes, sizeof *made->order);
    made->first = wend_allocate(allocator, nodes, sizeof *made->first);
    c->standings = wend_allocate_zeroed(allocator, nodes, sizeof *c->standings);
    c->left = wend_allocate(allocator, nodes, sizeof *c->left);
    c->chosen = wend_allocate(allocator, nodes, sizeof *c->chosen);
    c->seekers = wend_allocate_zeroed(allocator, workers, sizeof *c->seekers);
    c->results = wend_allocate_zeroed(allocator, c->result_count, sizeof *c->results);
    if (!made->rank || !made->order || !made->first || !c->standings || !c->left || !c->chosen ||
        !c->seekers || !c->results)
        return WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < workers; i++)
        if (!wend_atlas_seeker_create(&c->seekers[i], &c->rest)) return WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < c->result_count; i++) c->results[i].allocator = allocator;
    return WEND_OK;
}

static void release(contraction *c) {
    const wend_allocator *allocator = c->allocator;
    size_t nodes = (size_t)c->made->nodes + 1;
    for (uint32_t i = 0; c->results && i < c->result_count; i++) wend_buffer_release(&c->results[i]);
    for (uint32_t i = 0; c->seekers && i < c->workers; i++) wend_atlas_seeker_release(&c->seekers[i]);
    wend_release(allocator, c->results, c->result_count, sizeof *c->results);
    wend_release(allocator, c->seekers, c->workers, sizeof *c->seekers);
    wend_release(allocator, c->chosen, nodes, sizeof *c->chosen);
    wend_release(allocator, c->left, nodes, sizeof *c->left);
    wend_release(allocator, c->standings, nodes, sizeof *c->standings);
    wend_atlas_rest_release(&c->rest);
}

static void do_chunk(void *argument, uint32_t chunk, uint32_t worker) {
    contraction *c = argument;
    uint32_t count = count_of(c), first = chunk * CHUNK;
    uint32_t end = count - first < CHUNK ? count : first + CHUNK;
    uint64_t used = 0;
    for (uint32_t i = first; i < end; i++) (void)phases[c->phase].part(c, i, worker, UINT64_MAX, &used);
}

static bool goes_on(const contraction *c, const wend_atlas_crew *crew) {
    if (c->phase == WEIGHING) return wend_atlas_goes_on(crew, "ordering", 0, 1);
    return c->phase != COMPARING || wend_atlas_goes_on(crew, "hierarchy", c->rank, c->made->nodes);
}

static wend_status do_phase(contraction *c, const wend_atlas_crew *crew) {
    static const wend_atlas_crew nobody = {.workers = 1};
    uint32_t count = count_of(c);
    bool alone = phases[c->phase].alone || count < ALONE;
    if (!goes_on(c, crew)) return WEND_STATUS_INTERRUPTED;
    wend_atlas_run(alone ? &nobody : crew, chunks_of(count), do_chunk, c);
    next_phase(c);
    return atomic_load(&c->starved) ? WEND_STATUS_NO_MEMORY : WEND_OK;
}

wend_status wend_atlas_hierarchy_make(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                      const wend_atlas_crew *crew) {
    contraction c = {.phase = LOADING};
    wend_status status = begin(&c, hierarchy, graph, NULL, crew->workers);
    while (status == WEND_OK && c.phase != FINISHED) status = do_phase(&c, crew);
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

/* In slices ---------------------------------------------------------------------------------------------- */

wend_status wend_atlas_contraction_create(wend_atlas_hierarchy *hierarchy, const wend_atlas_graph *graph,
                                          const uint32_t *order, wend_atlas_contraction **made) {
    *hierarchy = (wend_atlas_hierarchy){.allocator = graph->allocator, .nodes = graph->nodes};
    *made = wend_allocate_zeroed(&graph->allocator, 1, sizeof **made);
    return *made ? begin(*made, hierarchy, graph, order, 1) : WEND_STATUS_NO_MEMORY;
}

void wend_atlas_contraction_destroy(wend_atlas_contraction *c) {
    if (!c) return;
    release(c);
    wend_release(c->allocator, c, 1, sizeof *c);
}

wend_status wend_atlas_contraction_run(wend_atlas_contraction *c, uint64_t operations, uint64_t *used,
                                       bool *done) {
    for (; *used < operations && c->phase != FINISHED; ++*used) {
        if (c->at == count_of(c))
            next_phase(c);
        else if (phases[c->phase].part(c, c->at, 0, operations, used))
            c->at++;
        if (atomic_load(&c->starved)) return WEND_STATUS_NO_MEMORY;
    }
    *done = c->phase == FINISHED;
    return WEND_OK;
}
