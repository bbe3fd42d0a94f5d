#include "methods/dlrta/abstraction.h"

#include "base/status.h"

#include <string.h>

/* A level. The ground has no lists: its neighbours are read off the map, in the order of directions. Those of
 * other levels are in ascending order. */
typedef struct graph {
    const wend_map *map; /* of the ground */
    uint32_t nodes;
    size_t *begin; /* one more than nodes */
    uint32_t *next;
    size_t room; /* of `next` */
} graph;

typedef struct neighbours {
    uint32_t count;
    const uint32_t *nodes;
    uint32_t ground[WEND_DIRECTIONS];
} neighbours;

static void list_neighbours(const graph *g, uint32_t node, neighbours *list) {
    if (!g->map) {
        list->nodes = g->next + g->begin[node];
        list->count = (uint32_t)(g->begin[node + 1] - g->begin[node]);
        return;
    }
    uint32_t y = wend_cell_y(g->map, node), count = 0;
    for (uint32_t moves = wend_legal_moves(g->map, wend_cell_x(g->map, node, y), y); moves;
         moves &= moves - 1)
        list->ground[count++] = node + (uint32_t)g->map->offset[wend_lowest_bit(moves)];
    list->nodes = list->ground, list->count = count;
}

static bool are_joined(const graph *g, uint32_t a, uint32_t b) {
    if (g->map) {
        neighbours list;
        list_neighbours(g, a, &list);
        for (uint32_t i = 0; i < list.count; i++)
            if (list.nodes[i] == b) return true;
        return false;
    }
    size_t low = g->begin[a], high = g->begin[a + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->next[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->begin[a + 1] && g->next[low] == b;
}

static bool is_node(const graph *g, uint32_t node) {
    return !g->map || wend_map_is_open_cell(g->map, node);
}

/* Puts the largest clique, of up to three free neighbours, that a node can take with it to the front of
 * `free`; returns of how many. Stops at the first of three. */
static uint32_t choose_clique(const graph *g, uint32_t *free, uint32_t count) {
    uint32_t best = count ? 1 : 0, clique[3] = {count ? free[0] : 0, 0, 0};
    for (uint32_t i = 0; i < count && best < 3; i++)
        for (uint32_t j = i + 1; j < count && best < 3; j++) {
            if (!are_joined(g, free[i], free[j])) continue;
            if (best < 2) best = 2, clique[0] = free[i], clique[1] = free[j];
            for (uint32_t k = j + 1; k < count && best < 3; k++)
                if (are_joined(g, free[i], free[k]) && are_joined(g, free[j], free[k]))
                    best = 3, clique[0] = free[i], clique[1] = free[j], clique[2] = free[k];
        }
    memcpy(free, clique, best * sizeof *clique);
    return best;
}

/* Assigns every node of a level its abstract node; returns how many of those there are. */
static uint32_t collapse(const graph *g, uint32_t *parent) {
    uint32_t made = 0, free[WEND_ABSTRACTION_LOOK];
    neighbours list, further;
    for (uint32_t node = 0; node < g->nodes; node++) parent[node] = WEND_NO_REGION;
    for (uint32_t node = 0; node < g->nodes; node++) {
        if (parent[node] != WEND_NO_REGION || !is_node(g, node)) continue;
        list_neighbours(g, node, &list);
        if (list.count == 1) continue;
        uint32_t count = 0;
        for (uint32_t i = 0; i < list.count && count < WEND_ABSTRACTION_LOOK; i++) {
            if (parent[list.nodes[i]] != WEND_NO_REGION) continue;
            list_neighbours(g, list.nodes[i], &further);
            if (further.count > 1) free[count++] = list.nodes[i];
        }
        count = choose_clique(g, free, count);
        parent[node] = made;
        for (uint32_t i = 0; i < count; i++) parent[free[i]] = made;
        made++;
    }
    for (uint32_t node = 0; node < g->nodes; node++) {
        if (parent[node] != WEND_NO_REGION || !is_node(g, node)) continue;
        list_neighbours(g, node, &list);
        /* Where its neighbour has no other either, the two are all there is. */
        if (parent[list.nodes[0]] == WEND_NO_REGION) parent[list.nodes[0]] = made++;
        parent[node] = parent[list.nodes[0]];
    }
    return made;
}

static void release_graph(const wend_allocator *allocator, graph *g) {
    if (g->begin) wend_release(allocator, g->begin, (size_t)g->nodes + 1, sizeof *g->begin);
    wend_release(allocator, g->next, g->room, sizeof *g->next);
    *g = (graph){0};
}

/* Insertion with shrinking gaps: lists are short. */
static void sort_nodes(uint32_t *nodes, size_t count) {
    for (size_t gap = count > 8 ? count / 2 : 1; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (size_t i = gap; i < count; i++) {
            uint32_t node = nodes[i];
            size_t j = i;
            for (; j >= gap && nodes[j - gap] > node; j -= gap) nodes[j] = nodes[j - gap];
            nodes[j] = node;
        }
}

/* The members of each abstract node, by node. */
typedef struct membership {
    uint32_t *begin, *member;
    uint32_t *seen; /* the abstract node that last met each as a neighbour, plus 1 */
} membership;

static bool list_members(const graph *below, const uint32_t *parent, uint32_t count, membership *members,
                         const wend_allocator *allocator) {
    members->begin = wend_allocate_zeroed(allocator, (size_t)count + 1, sizeof *members->begin);
    members->member = wend_allocate(allocator, (size_t)below->nodes + 1, sizeof *members->member);
    members->seen = wend_allocate_zeroed(allocator, (size_t)count + 1, sizeof *members->seen);
    if (!members->begin || !members->member || !members->seen) return false;
    /* Counted one place further on: filling moves each beginning to the next one, where it belongs. */
    uint32_t *next = members->begin + 1;
    for (uint32_t node = 0; node < below->nodes; node++)
        if (parent[node] != WEND_NO_REGION && parent[node] + 1 < count) next[parent[node] + 1]++;
    for (uint32_t i = 1; i < count; i++) next[i] += next[i - 1];
    for (uint32_t node = 0; node < below->nodes; node++)
        if (parent[node] != WEND_NO_REGION) members->member[next[parent[node]]++] = node;
    return true;
}

static bool link_nodes(const graph *below, const uint32_t *parent, const membership *members, graph *above,
                       const wend_allocator *allocator) {
    size_t used = 0;
    neighbours list;
    for (uint32_t node = 0; node < above->nodes; node++) {
        above->begin[node] = used;
        for (uint32_t i = members->begin[node]; i < members->begin[node + 1]; i++) {
            list_neighbours(below, members->member[i], &list);
            for (uint32_t j = 0; j < list.count; j++) {
                uint32_t other = parent[list.nodes[j]];
                if (other == node || members->seen[other] == node + 1) continue;
                members->seen[other] = node + 1;
                if (used == above->room) {
                    size_t room = above->room ? above->room + above->room / 2 : 1024;
                    uint32_t *larger =
                        wend_enlarge(allocator, above->next, above->room, room, sizeof *larger);
                    if (!larger) return false;
                    above->next = larger, above->room = room;
                }
                above->next[used++] = other;
            }
        }
        if (used > above->begin[node])
            sort_nodes(above->next + above->begin[node], used - above->begin[node]);
    }
    above->begin[above->nodes] = used;
    return true;
}

/* The graph that a level collapses into. */
static bool build(const graph *below, const uint32_t *parent, uint32_t count, graph *above,
                  const wend_allocator *allocator) {
    membership members = {0};
    *above = (graph){.nodes = count};
    above->begin = wend_allocate(allocator, (size_t)count + 1, sizeof *above->begin);
    bool good = above->begin && list_members(below, parent, count, &members, allocator) &&
                link_nodes(below, parent, &members, above, allocator);
    wend_release(allocator, members.begin, (size_t)count + 1, sizeof *members.begin);
    wend_release(allocator, members.member, (size_t)below->nodes + 1, sizeof *members.member);
    wend_release(allocator, members.seen, (size_t)count + 1, sizeof *members.seen);
    return good;
}

/* Collapses a graph into the next, and the labels with it. */
static bool climb_level(wend_abstraction *made, graph *g) {
    const wend_allocator *allocator = &made->allocator;
    uint32_t nodes = g->nodes;
    uint32_t *parent = wend_allocate(allocator, (size_t)nodes + 1, sizeof *parent);
    if (!parent) return false;
    made->regions = collapse(g, parent);
    for (uint32_t cell = 0; cell < made->cells; cell++)
        if (made->labels[cell] != WEND_NO_REGION) made->labels[cell] = parent[made->labels[cell]];
    graph above;
    bool good = build(g, parent, made->regions, &above, allocator);
    wend_release(allocator, parent, (size_t)nodes + 1, sizeof *parent);
    release_graph(allocator, g);
    *g = above;
    return good;
}

/* Numbers the regions again, a component after another, in the order of their first regions; `number` gets the
 * new ones, `list` is for the regions still to be looked at. */
static void number_regions(const graph *g, wend_abstraction *made, uint32_t *number, uint32_t *list) {
    for (uint32_t i = 0; i < g->nodes; i++) number[i] = WEND_NO_REGION;
    uint32_t next = 0;
    for (uint32_t first = 0; first < g->nodes; first++) {
        if (number[first] != WEND_NO_REGION) continue;
        uint32_t reached = 1;
        list[0] = first, number[first] = 0;
        for (uint32_t i = 0; i < reached; i++)
            for (size_t j = g->begin[list[i]]; j < g->begin[list[i] + 1]; j++)
                if (number[g->next[j]] == WEND_NO_REGION)
                    number[g->next[j]] = 0, list[reached++] = g->next[j];
        for (uint32_t i = 0; i < reached; i++) {
            number[list[i]] = next;
            made->component[next++] = made->components;
        }
        made->components++;
    }
    for (uint32_t cell = 0; cell < made->cells; cell++)
        if (made->labels[cell] != WEND_NO_REGION) made->labels[cell] = number[made->labels[cell]];
}

static bool find_components(const graph *g, wend_abstraction *made) {
    const wend_allocator *allocator = &made->allocator;
    size_t room = (size_t)g->nodes + 1;
    made->component = wend_allocate(allocator, room, sizeof *made->component);
    uint32_t *number = wend_allocate(allocator, room, sizeof *number);
    uint32_t *list = wend_allocate(allocator, room, sizeof *list);
    bool good = made->component && number && list;
    if (good) number_regions(g, made, number, list);
    wend_release(allocator, number, room, sizeof *number);
    wend_release(allocator, list, room, sizeof *list);
    return good;
}

wend_status wend_abstraction_create(const wend_map *map, uint32_t level, const wend_allocator *allocator,
                                    wend_abstraction *abstraction, wend_error *error) {
    wend_abstraction made = {.allocator = wend_allocator_or_default(allocator), .cells = map->cells};
    made.labels = wend_allocate(&made.allocator, made.cells, sizeof *made.labels);
    graph g = {.map = map, .nodes = map->cells}, above = {0};
    bool good = made.labels != NULL;
    if (good) {
        made.regions = collapse(&g, made.labels);
        good = build(&g, made.labels, made.regions, &above, &made.allocator);
        g = above;
    }
    for (uint32_t i = 1; i < level && good && g.begin[g.nodes]; i++) good = climb_level(&made, &g);
    good = good && find_components(&g, &made);
    release_graph(&made.allocator, &g);
    if (!good) {
        wend_abstraction_release(&made);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to abstract a map of %u cells", map->cells);
    }
    *abstraction = made;
    return WEND_OK;
}

void wend_abstraction_release(wend_abstraction *abstraction) {
    const wend_allocator *allocator = &abstraction->allocator;
    wend_release(allocator, abstraction->labels, abstraction->cells, sizeof *abstraction->labels);
    wend_release(allocator, abstraction->component, (size_t)abstraction->regions + 1,
                 sizeof *abstraction->component);
    abstraction->labels = NULL, abstraction->component = NULL;
}

/* In sixteenths of a cell. */
typedef struct centroid {
    uint64_t x, y; /* sums at first */
    uint64_t cells;
    uint64_t apart; /* the square of the distance of the best cell so far */
} centroid;

static uint64_t square_apart(uint64_t a, uint64_t b) {
    uint64_t apart = a > b ? a - b : b - a;
    return apart * apart;
}

wend_status wend_abstraction_centres(const wend_abstraction *abstraction, const wend_map *map,
                                     wend_cell *centres) {
    enum { FRACTION = 16 };
    size_t room = (size_t)abstraction->regions + 1;
    centroid *middle = wend_allocate_zeroed(&abstraction->allocator, room, sizeof *middle);
    if (!middle) return WEND_STATUS_NO_MEMORY;
    for (uint32_t cell = 0; cell < abstraction->cells; cell++) {
        if (abstraction->labels[cell] == WEND_NO_REGION) continue;
        centroid *of = &middle[abstraction->labels[cell]];
        uint32_t y = wend_cell_y(map, cell);
        of->x += wend_cell_x(map, cell, y), of->y += y, of->cells++;
    }
    for (uint32_t i = 0; i < abstraction->regions; i++) {
        centroid *of = &middle[i];
        of->x = (of->x * FRACTION + of->cells / 2) / of->cells;
        of->y = (of->y * FRACTION + of->cells / 2) / of->cells;
        of->apart = UINT64_MAX;
    }
    for (uint32_t cell = 0; cell < abstraction->cells; cell++) {
        uint32_t region = abstraction->labels[cell];
        if (region == WEND_NO_REGION) continue;
        uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
        uint64_t apart = square_apart((uint64_t)x * FRACTION, middle[region].x) +
                         square_apart((uint64_t)y * FRACTION, middle[region].y);
        if (apart < middle[region].apart) middle[region].apart = apart, centres[region] = cell;
    }
    wend_release(&abstraction->allocator, middle, room, sizeof *middle);
    return WEND_OK;
}
