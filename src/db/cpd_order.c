/* The order of cells of a path database: which targets stand beside each other in every row.
 *
 * A row has a run less wherever two cells that follow each other have a first move in common. So cells should
 * follow each other that most sources reach by the same move. Each edge of the grid is weighed by how many of
 * a sample of sources have no move in common for its two ends. A spanning tree of least weight, by Kruskal's
 * algorithm ("On the shortest spanning subtree of a graph", 1956), leaves out the edges where moves change;
 * walked in depth, it brings every region of one move in one piece. Of the branches at a cell the largest
 * comes last, so that nothing is left to come back to after it. */
#include "db/cpd_order.h"

#include <string.h>

/* The tree ---------------------------------------------------------------------------------------------- */

typedef struct tree {
    const wend_ranks *ranks;
    const uint32_t *weights;
    uint32_t *edges, *sorted; /* rank * WEND_CPD_EDGES + direction - 2 */
    uint32_t edge_count;
    uint32_t *joined;         /* a forest: the parent of each rank */
    uint8_t *branches;        /* by rank: the directions of the tree's edges */
    uint32_t *path, *size;    /* of the walk: ranks on the stack, and cells behind each */
    uint8_t *left;            /* directions still to be walked */
} tree;

/* By weight, equal ones by number: a digit of eight bits after another. */
static void sort_edges(tree *t) {
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        uint32_t begins[257] = {0};
        for (uint32_t i = 0; i < t->edge_count; i++) begins[(t->weights[t->edges[i]] >> shift & 255) + 1]++;
        if (begins[(t->edge_count ? t->weights[t->edges[0]] >> shift & 255 : 0) + 1] == t->edge_count) continue;
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
    for (uint32_t i = 0; i < t->edge_count; i++) {
        uint32_t a = t->edges[i] / WEND_CPD_EDGES, k = t->edges[i] % WEND_CPD_EDGES + 2;
        uint32_t b = ranks->near[(size_t)a * WEND_DIRECTIONS + k];
        uint32_t root_a = root_of(t->joined, a), root_b = root_of(t->joined, b);
        if (root_a == root_b) continue;
        t->joined[root_a > root_b ? root_a : root_b] = root_a > root_b ? root_b : root_a;
        t->branches[a] |= (uint8_t)(1u << k);
        t->branches[b] |= (uint8_t)(1u << ((k + 4) & 7));
    }
}

/* Counts the cells behind each branch. `left` becomes the direction back to the root, as a bit. */
static void measure(tree *t, uint32_t root) {
    const wend_ranks *ranks = t->ranks;
    uint32_t count = 1;
    t->path[0] = root, t->left[root] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = t->path[i];
        t->size[at] = 1;
        for (uint32_t moves = t->branches[at] & ~(uint32_t)t->left[at]; moves; moves &= moves - 1) {
            uint32_t k = wend_lowest_bit(moves), next = ranks->near[(size_t)at * WEND_DIRECTIONS + k];
            t->left[next] = (uint8_t)(1u << ((k + 4) & 7));
            t->path[count++] = next;
        }
    }
    for (uint32_t i = count; i-- > 1;) {
        uint32_t at = t->path[i], k = wend_lowest_bit(t->left[at]);
        t->size[ranks->near[(size_t)at * WEND_DIRECTIONS + k]] += t->size[at];
    }
    for (uint32_t i = 0; i < count; i++)
        t->left[t->path[i]] = (uint8_t)(t->branches[t->path[i]] & ~(uint32_t)t->left[t->path[i]]);
}

/* The walk: a cell when it is first met, then its branches, the smallest first. */
static uint32_t walk(tree *t, uint32_t root, wend_cell *cells) {
    const wend_ranks *ranks = t->ranks;
    uint32_t depth = 1, listed = 0;
    t->path[0] = root;
    cells[listed++] = ranks->cells[root];
    while (depth) {
        uint32_t at = t->path[depth - 1], best = UINT32_MAX, least = UINT32_MAX;
        for (uint32_t moves = t->left[at]; moves; moves &= moves - 1) {
            uint32_t k = wend_lowest_bit(moves), next = ranks->near[(size_t)at * WEND_DIRECTIONS + k];
            if (t->size[next] < least) least = t->size[next], best = k;
        }
        if (best == UINT32_MAX) {
            depth--;
            continue;
        }
        t->left[at] &= (uint8_t)~(1u << best);
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
    t.size = wend_allocate(allocator, room, sizeof *t.size);
    t.left = wend_allocate(allocator, room, sizeof *t.left);
    bool good = t.edges && t.sorted && t.joined && t.branches && t.path && t.size && t.left;
    if (good) {
        span(&t);
        for (uint32_t i = 0; i < ranks->components; i++) {
            measure(&t, ranks->firsts[i]);
            (void)walk(&t, ranks->firsts[i], cells + ranks->firsts[i]);
        }
    }
    wend_release(allocator, t.left, room, sizeof *t.left);
    wend_release(allocator, t.size, room, sizeof *t.size);
    wend_release(allocator, t.path, room, sizeof *t.path);
    wend_release(allocator, t.branches, room, sizeof *t.branches);
    wend_release(allocator, t.joined, room, sizeof *t.joined);
    wend_release(allocator, t.sorted, room * WEND_CPD_EDGES, sizeof *t.sorted);
    wend_release(allocator, t.edges, room * WEND_CPD_EDGES, sizeof *t.edges);
    return good ? WEND_OK : wend_fail(error, WEND_NO_MEMORY, "no memory for the order of %u cells", ranks->count);
}
