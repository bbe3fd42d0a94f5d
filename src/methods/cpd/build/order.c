/* The order of cells of a path database: which targets stand beside each other in every row.
 *
 * A row has a run less wherever two cells that follow each other have a first move in common. So cells should
 * follow each other that most sources reach by the same move. Each edge of the grid is weighed by how many of
 * all sources have no move in common for its two ends. That is a travelling salesman's problem, and it is
 * solved greedily. Edges are taken in the order of their weights as long as they make paths, without branches
 * or rings. Then, in the same order, come edges that join those paths to a tree, as in Kruskal's algorithm
 * ("On the shortest spanning subtree of a graph", 1956). The tree is walked in depth. The walk leaves to the
 * end, at each cell, the branch that is most expensive to come back from: nobody has to come back from the
 * last one. It begins at one end of the tree's longest way.
 *
 * Measured on AR0700SR, in runs per source before rows are merged: 28. Without the paths, by a tree of least
 * weight alone, 31; with the largest branch last instead of the most expensive 31.5; with the weights from a
 * third of the sources 35, a fifth 44. Making weights smooth makes it worse. */
#include "methods/cpd/build/order.h"

#include <string.h>

/* The tree ---------------------------------------------------------------------------------------------- */

typedef struct tree {
    const wend_ranks *ranks;
    const uint32_t *weights;
    uint32_t *edges, *sorted; /* rank * WEND_CPD_EDGES + direction - 2 */
    uint32_t edge_count;
    uint32_t *joined;  /* a forest: the parent of each rank */
    uint8_t *branches; /* by rank: the directions of the tree's edges */
    uint32_t *path;    /* of the walk: ranks on the stack */
    uint64_t *back;    /* what it costs to come back from where the walk behind a cell ends */
    uint8_t *left;     /* directions still to be walked */
} tree;

/* By weight, equal ones by number: a digit of eight bits after another. */
static void sort_edges(tree *t) {
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        uint32_t begins[257] = {0};
        for (uint32_t i = 0; i < t->edge_count; i++) begins[(t->weights[t->edges[i]] >> shift & 255) + 1]++;
        if (begins[(t->edge_count ? t->weights[t->edges[0]] >> shift & 255 : 0) + 1] == t->edge_count)
            continue;
        for (uint32_t i = 0; i < 256; i++) begins[i + 1] += begins[i];
        for (uint32_t i = 0; i < t->edge_count; i++)
            t->sorted[begins[t->weights[t->edges[i]] >> shift & 255]++] = t->edges[i];
        uint32_t *other = t->edges;
        t->edges = t->sorted, t->sorted = other;
    }
}

static uint32_t root_of(uint32_t *joined, uint32_t at) {
    while (joined[at] != at) joined[at] = joined[joined[at]], at = joined[at];
    return at;
}

static void span(tree *t) {
    const wend_ranks *ranks = t->ranks;
    for (uint32_t i = 0; i < ranks->count; i++) {
        t->joined[i] = i, t->branches[i] = 0;
        for (uint32_t k = 0; k < WEND_CPD_EDGES; k++)
            if (ranks->legal[i] >> (k + 2) & 1) t->edges[t->edge_count++] = i * WEND_CPD_EDGES + k;
    }
    sort_edges(t);
    /* What makes paths longer first; then what ends of paths hang on to; then the rest. */
    for (uint32_t pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < t->edge_count; i++) {
            uint32_t a = t->edges[i] / WEND_CPD_EDGES, k = t->edges[i] % WEND_CPD_EDGES + 2;
            uint32_t b = ranks->near[(size_t)a * WEND_DIRECTIONS + k];
            uint32_t full = (wend_count_bits(t->branches[a]) > 1 ? 1u : 0u) +
                            (wend_count_bits(t->branches[b]) > 1 ? 1u : 0u);
            if (full > pass) continue;
            uint32_t root_a = root_of(t->joined, a), root_b = root_of(t->joined, b);
            if (root_a == root_b) continue;
            t->joined[root_a > root_b ? root_a : root_b] = root_a > root_b ? root_b : root_a;
            t->branches[a] |= (uint8_t)(1u << k);
            t->branches[b] |= (uint8_t)(1u << ((k + 4) & 7));
        }
}

/* What it costs to cross an edge of the tree: its weight, and a little for the way itself. */
static uint64_t cost_of(const tree *t, uint32_t at, uint32_t k) {
    uint32_t next = t->ranks->near[(size_t)at * WEND_DIRECTIONS + k];
    uint32_t edge =
        k >= 2 && k <= 5 ? at * WEND_CPD_EDGES + k - 2 : next * WEND_CPD_EDGES + ((k + 4) & 7) - 2;
    return (uint64_t)t->weights[edge] * 16 + 1;
}

/* Works out `back` for a walk from `root` in which the branch that is most expensive to come back from is the
 * last of each cell. So the walk ends in the leaf that is farthest from the root. Returns that leaf. `left`
 * becomes the directions away from the root. */
static uint32_t measure(tree *t, uint32_t root) {
    const wend_ranks *ranks = t->ranks;
    uint32_t count = 1;
    t->path[0] = root, t->left[root] = t->branches[root];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = t->path[i];
        for (uint32_t moves = t->left[at]; moves; moves &= moves - 1) {
            uint32_t k = wend_lowest_bit(moves), next = ranks->near[(size_t)at * WEND_DIRECTIONS + k];
            t->left[next] = (uint8_t)(t->branches[next] & ~(1u << ((k + 4) & 7)));
            t->path[count++] = next;
        }
    }
    uint32_t farthest = root;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t at = t->path[i];
        t->back[at] = 0;
        for (uint32_t moves = t->left[at]; moves; moves &= moves - 1) {
            uint32_t k = wend_lowest_bit(moves);
            uint64_t back = cost_of(t, at, k) + t->back[ranks->near[(size_t)at * WEND_DIRECTIONS + k]];
            if (back > t->back[at]) t->back[at] = back;
        }
    }
    while (t->left[farthest]) {
        uint32_t last = 0;
        for (uint32_t moves = t->left[farthest]; moves; moves &= moves - 1) {
            uint32_t k = wend_lowest_bit(moves);
            uint64_t back =
                cost_of(t, farthest, k) + t->back[ranks->near[(size_t)farthest * WEND_DIRECTIONS + k]];
            if (back == t->back[farthest]) last = k;
        }
        farthest = ranks->near[(size_t)farthest * WEND_DIRECTIONS + last];
    }
    return farthest;
}

/* The walk: a cell when it is first met, then its branches, the most expensive to come back from last. */
static uint32_t walk(tree *t, uint32_t root, wend_cell *cells) {
    const wend_ranks *ranks = t->ranks;
    uint32_t depth = 1, listed = 0;
    t->path[0] = root;
    cells[listed++] = ranks->cells[root];
    while (depth) {
        uint32_t at = t->path[depth - 1], best = UINT32_MAX;
        uint64_t least = UINT64_MAX;
        for (uint32_t moves = t->left[at]; moves; moves &= moves - 1) {
            uint32_t k = wend_lowest_bit(moves);
            uint64_t back = cost_of(t, at, k) + t->back[ranks->near[(size_t)at * WEND_DIRECTIONS + k]];
            if (back < least) least = back, best = k;
        }
        if (best == UINT32_MAX) {
            depth--;
            continue;
        }
        t->left[at] &= (uint8_t) ~(1u << best);
        uint32_t next = ranks->near[(size_t)at * WEND_DIRECTIONS + best];
        t->path[depth++] = next;
        cells[listed++] = ranks->cells[next];
    }
    return listed;
}

wend_status wend_cpd_order(const wend_ranks *ranks, const uint32_t *weights, const wend_allocator *allocator,
                           wend_cell *cells, wend_error *error) {
    size_t room = (size_t)ranks->count + 1;
    tree t = {.ranks = ranks, .weights = weights};
    t.edges = wend_allocate(allocator, room * WEND_CPD_EDGES, sizeof *t.edges);
    t.sorted = wend_allocate(allocator, room * WEND_CPD_EDGES, sizeof *t.sorted);
    t.joined = wend_allocate(allocator, room, sizeof *t.joined);
    t.branches = wend_allocate(allocator, room, sizeof *t.branches);
    t.path = wend_allocate(allocator, room, sizeof *t.path);
    t.back = wend_allocate(allocator, room, sizeof *t.back);
    t.left = wend_allocate(allocator, room, sizeof *t.left);
    bool good = t.edges && t.sorted && t.joined && t.branches && t.path && t.back && t.left;
    if (good) {
        span(&t);
        for (uint32_t i = 0; i < ranks->components; i++) {
            /* From one end of the tree's longest way to the other. */
            uint32_t end = measure(&t, ranks->firsts[i]);
            (void)measure(&t, end);
            (void)walk(&t, end, cells + ranks->firsts[i]);
        }
    }
    wend_release(allocator, t.left, room, sizeof *t.left);
    wend_release(allocator, t.back, room, sizeof *t.back);
    wend_release(allocator, t.path, room, sizeof *t.path);
    wend_release(allocator, t.branches, room, sizeof *t.branches);
    wend_release(allocator, t.joined, room, sizeof *t.joined);
    wend_release(allocator, t.sorted, room * WEND_CPD_EDGES, sizeof *t.sorted);
    wend_release(allocator, t.edges, room * WEND_CPD_EDGES, sizeof *t.edges);
    return good
               ? WEND_OK
               : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the order of %u cells", ranks->count);
}
