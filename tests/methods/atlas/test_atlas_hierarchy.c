/* Hierarchies over graphs that no map would give: dense ones, with ties, in many parts, and long chains. All
 * distances are the graph's, shortcuts are what they say, and neither workers nor slices nor a lack of memory
 * change that. */
#include "base/memory.h"
#include "methods/atlas/hierarchy/hierarchy.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

enum { SIDE = 64 };

typedef struct network {
    wend_map *map;
    wend_cell *cells;
    wend_atlas_graph graph;
} network;

static network network_of(uint32_t nodes, const wend_allocator *allocator) {
    network net = {.map = test_map_generated(WEND_MAP_OPEN, SIDE, wend_default_rules(), 1)};
    net.cells = malloc(((size_t)nodes + 1) * sizeof *net.cells);
    net.graph =
        (wend_atlas_graph){.map = net.map, .allocator = *allocator, .cells = net.cells, .nodes = nodes};
    return net;
}

static void network_release(network *net) {
    wend_atlas_graph_release(&net->graph);
    wend_map_destroy(net->map);
    free(net->cells);
}

/* An edge that costs what the distance without walls does, or `more`. */
static bool add_edge(network *net, uint32_t a, uint32_t b, uint32_t more) {
    wend_buffer link = {.allocator = &net->graph.allocator};
    uint64_t cost = wend_map_distance(net->map, net->cells[a], net->cells[b]) + more;
    bool good = wend_atlas_put(&link, a < b ? a : b, a < b ? b : a, cost, NULL, 0) &&
                wend_atlas_graph_add(&net->graph, &link) == WEND_OK;
    wend_buffer_release(&link);
    return good;
}

/* Cells at random, each tried with `tries` others no farther away than `reach`. Small reaches leave parts;
 * with no more to pay, ties abound. False: no memory. */
static bool draw_edges(network *net, test_random *random, uint32_t tries, uint32_t reach, uint32_t more) {
    uint32_t nodes = net->graph.nodes;
    for (uint32_t i = 0; i < nodes; i++) net->cells[i] = i * (SIDE * SIDE / nodes) + test_below(random, 4);
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t j = 0; j < tries; j++) {
            uint32_t to = test_below(random, nodes);
            uint64_t far = wend_map_distance(net->map, net->cells[i], net->cells[to]);
            if (to == i || far > (uint64_t)reach * 5741) continue;
            if (!add_edge(net, i, to, more ? test_below(random, more) : 0)) return false;
        }
    return wend_atlas_graph_thin(&net->graph) == WEND_OK;
}

/* From one node to all, over the edges (Bellman and Ford), or upwards over a hierarchy, by rank. */
static void edge_costs(const wend_atlas_graph *graph, uint32_t from, uint64_t *costs) {
    for (uint32_t i = 0; i < graph->nodes; i++) costs[i] = UINT64_MAX;
    costs[from] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < graph->edge_count; i++) {
            wend_atlas_edge edge = graph->edges[i];
            for (int side = 0; side < 2; side++) {
                uint32_t a = side ? edge.b : edge.a, b = side ? edge.a : edge.b;
                if (costs[a] == UINT64_MAX || costs[a] + edge.cost >= costs[b]) continue;
                costs[b] = costs[a] + edge.cost;
                changed = true;
            }
        }
    }
}

static void upward_costs(const wend_atlas_hierarchy *made, uint32_t from, uint64_t *costs) {
    for (uint32_t i = 0; i < made->nodes; i++) costs[i] = UINT64_MAX;
    costs[made->rank[from]] = 0;
    for (uint32_t i = 0; i < made->nodes; i++)
        for (size_t j = made->first[i]; costs[i] != UINT64_MAX && j < made->first[i + 1]; j++)
            if (costs[i] + made->up[j].cost < costs[made->up[j].to])
                costs[made->up[j].to] = costs[i] + made->up[j].cost;
}

static const wend_atlas_link_up *arc_between(const wend_atlas_hierarchy *made, uint32_t low, uint32_t high) {
    for (size_t i = made->first[low]; i < made->first[low + 1]; i++)
        if (made->up[i].to == high) return &made->up[i];
    return NULL;
}

static void check_arcs(const wend_atlas_hierarchy *made, const wend_atlas_graph *graph) {
    uint32_t shortcuts = 0;
    for (uint32_t i = 0; i < made->nodes; i++) {
        CHECK(made->order[made->rank[i]] == i);
        for (size_t j = made->first[i]; j < made->first[i + 1]; j++) {
            wend_atlas_link_up up = made->up[j];
            CHECK(up.to > i && up.to < made->nodes && (j == made->first[i] || made->up[j - 1].to < up.to));
            if (up.edge != WEND_ATLAS_SHORTCUT) {
                wend_atlas_edge edge = graph->edges[up.edge];
                uint32_t a = made->rank[edge.a], b = made->rank[edge.b];
                CHECK(edge.cost == up.cost && (a < b ? a : b) == i && (a < b ? b : a) == up.to);
                continue;
            }
            shortcuts++;
            bool below = CHECK(up.middle < i);
            const wend_atlas_link_up *there = below ? arc_between(made, up.middle, i) : NULL,
                                     *on = below ? arc_between(made, up.middle, up.to) : NULL;
            CHECK(there && on && there->cost + on->cost == up.cost);
        }
    }
    CHECK(shortcuts == made->shortcuts);
}

static void check_distances(const wend_atlas_hierarchy *made, const wend_atlas_graph *graph) {
    size_t nodes = graph->nodes;
    uint64_t *costs = malloc(nodes * sizeof *costs), *up = malloc(nodes * nodes * sizeof *up);
    for (uint32_t i = 0; i < nodes; i++) upward_costs(made, i, up + i * nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        edge_costs(graph, i, costs);
        for (uint32_t j = 0; j < nodes; j++) {
            uint64_t best = UINT64_MAX;
            for (uint32_t k = 0; k < nodes; k++) {
                uint64_t a = up[i * nodes + k], b = up[j * nodes + k];
                if (a != UINT64_MAX && b != UINT64_MAX && a + b < best) best = a + b;
            }
            CHECK_THAT(best == costs[j], "from %u to %u: %llu, not %llu", i, j, (unsigned long long)best,
                       (unsigned long long)costs[j]);
        }
    }
    free(costs);
    free(up);
}

static void distances_are_those_of_the_graph(void) {
    test_random random = {1};
    uint32_t shortcuts = 0;
    test_memory memory = {0};
    wend_allocator allocator = test_allocator(&memory);
    for (uint32_t i = 0; i < test_some(60); i++) {
        network net = network_of(1 + test_below(&random, 150), &allocator);
        CHECK(draw_edges(&net, &random, 2 + test_below(&random, 30), 8 + test_below(&random, 60),
                         i % 3 ? test_below(&random, 40000) : 0));
        wend_atlas_crew crew = {.workers = 1};
        wend_atlas_hierarchy made;
        if (CHECK(wend_atlas_hierarchy_make(&made, &net.graph, &crew) == WEND_OK)) {
            check_arcs(&made, &net.graph);
            check_distances(&made, &net.graph);
            shortcuts += made.shortcuts;
        }
        wend_atlas_hierarchy_release(&made);
        network_release(&net);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    CHECK_THAT(shortcuts > 16 * test_some(60), "%u shortcuts", shortcuts);
}

static bool same(const wend_atlas_hierarchy *a, const wend_atlas_hierarchy *b) {
    bool good = a->nodes == b->nodes && a->up_count == b->up_count;
    for (uint32_t i = 0; good && i < a->nodes; i++)
        good = a->rank[i] == b->rank[i] && a->first[i] == b->first[i];
    for (size_t i = 0; good && i < a->up_count; i++) {
        const wend_atlas_link_up *x = &a->up[i], *y = &b->up[i];
        good = x->cost == y->cost && x->to == y->to && x->edge == y->edge &&
               (x->edge != WEND_ATLAS_SHORTCUT || x->middle == y->middle);
    }
    return good;
}

/* With so many nodes that rounds are given to workers, and in whatever order they do them. */
static void workers_make_the_same(void) {
    if (test_skip_thinned()) return;
    test_random random = {2};
    wend_allocator allocator = wend_allocator_or_default(NULL);
    network net = network_of(1000, &allocator);
    CHECK(draw_edges(&net, &random, 300, 12, 20000));
    wend_atlas_crew alone = {.workers = 1};
    wend_atlas_hierarchy expected;
    CHECK(wend_atlas_hierarchy_make(&expected, &net.graph, &alone) == WEND_OK);
    CHECK(expected.shortcuts > 1000);
    for (uint32_t i = 0; i <= 8; i += test_full() ? 1 : 4) {
        wend_tasks tasks = i ? shared_tasks((int)i) : test_shuffled_tasks(&random);
        wend_atlas_crew crew = {&tasks, tasks.workers, NULL};
        wend_atlas_hierarchy made;
        CHECK(wend_atlas_hierarchy_make(&made, &net.graph, &crew) == WEND_OK);
        CHECK_THAT(same(&made, &expected), "another hierarchy from %u workers", tasks.workers);
        wend_atlas_hierarchy_release(&made);
        test_case();
    }
    wend_atlas_hierarchy_release(&expected);
    network_release(&net);
}

/* In slices, each of which goes over its operations by little; in a given order or not. */
static wend_status make_in_slices(wend_atlas_hierarchy *made, const wend_atlas_graph *graph,
                                  const uint32_t *order, uint64_t slice) {
    enum { OVER = 2048 + 4 * 256 }; /* no node of these graphs has 256 arcs */
    wend_atlas_contraction *under_way = NULL;
    wend_status status = wend_atlas_contraction_create(made, graph, order, &under_way);
    for (bool done = false; status == WEND_OK && !done;) {
        uint64_t used = 0;
        status = wend_atlas_contraction_run(under_way, slice, &used, &done);
        if (!CHECK_THAT(used <= slice + OVER && (used || done), "%llu operations of %llu",
                        (unsigned long long)used, (unsigned long long)slice))
            break;
    }
    wend_atlas_contraction_destroy(under_way);
    return status;
}

/* Without an order, slices of any size make what a build does; with one, nodes are taken out in it. */
static void slices_make_the_same(void) {
    test_random random = {5};
    wend_allocator allocator = wend_allocator_or_default(NULL);
    static const uint64_t sizes[] = {1, 2, 37, 2048, UINT64_MAX - 10000};
    for (uint32_t i = 0; i < test_some(20); i++) {
        uint32_t nodes = 1 + test_below(&random, 150), order[150] = {0};
        network net = network_of(nodes, &allocator);
        CHECK(draw_edges(&net, &random, 2 + test_below(&random, 60), 8 + test_below(&random, 60),
                         i % 3 ? test_below(&random, 40000) : 0));
        wend_atlas_crew alone = {.workers = 1};
        wend_atlas_hierarchy expected, made, given;
        uint64_t slice = sizes[i % (sizeof sizes / sizeof *sizes)];
        CHECK(wend_atlas_hierarchy_make(&expected, &net.graph, &alone) == WEND_OK);
        CHECK(make_in_slices(&made, &net.graph, NULL, slice) == WEND_OK);
        CHECK_THAT(same(&made, &expected), "another hierarchy from slices of %llu",
                   (unsigned long long)slice);
        for (uint32_t j = 0; j < nodes; j++) {
            uint32_t at = test_below(&random, j + 1);
            order[j] = order[at], order[at] = j;
        }
        CHECK(make_in_slices(&given, &net.graph, order, slice) == WEND_OK);
        CHECK(memcmp(given.order, order, nodes * sizeof *order) == 0);
        check_arcs(&given, &net.graph);
        check_distances(&given, &net.graph);
        wend_atlas_hierarchy_release(&expected);
        wend_atlas_hierarchy_release(&made);
        wend_atlas_hierarchy_release(&given);
        network_release(&net);
        test_case();
    }
}

/* By a build, and in slices. */
static void a_lack_of_memory_is_reported_by(bool slices) {
    bool done = false;
    for (uint64_t refuse = 1; !done && refuse < 100000; refuse += 1 + refuse / 16) {
        test_random random = {3};
        test_memory memory = {0};
        wend_allocator allocator = test_allocator(&memory);
        network net = network_of(200, &allocator);
        CHECK(draw_edges(&net, &random, 100, 20, 20000));
        wend_atlas_crew crew = {.workers = 1};
        wend_atlas_hierarchy made;
        uint64_t before = memory.live_blocks;
        memory.refuse_at = memory.requests + refuse;
        wend_status status = slices ? make_in_slices(&made, &net.graph, NULL, 500)
                                    : wend_atlas_hierarchy_make(&made, &net.graph, &crew);
        done = status == WEND_OK;
        CHECK(done || status == WEND_STATUS_NO_MEMORY);
        wend_atlas_hierarchy_release(&made);
        CHECK(memory.live_blocks == before && !memory.wrong_sizes);
        network_release(&net);
        test_case();
    }
    CHECK(done);
}

static void a_lack_of_memory_is_reported(void) {
    a_lack_of_memory_is_reported_by(false);
    a_lack_of_memory_is_reported_by(true);
}

static bool count_rounds(void *context, const wend_progress *progress) {
    (void)progress;
    ++*(uint32_t *)context;
    return true;
}

/* Nodes along a corridor are as important as each other, and numbered along it: rounds must not take one of
 * them at a time. */
static void chains_take_few_rounds(void) {
    enum { NODES = SIDE * SIDE };
    wend_allocator allocator = wend_allocator_or_default(NULL);
    network net = network_of(NODES, &allocator);
    for (uint32_t i = 0; i < NODES; i++) /* to and fro, row after row */
        net.cells[i] = i / SIDE % 2 ? (i / SIDE + 1) * SIDE - 1 - i % SIDE : i;
    for (uint32_t i = 0; i + 1 < NODES; i++) CHECK(add_edge(&net, i, i + 1, 0));
    CHECK(wend_atlas_graph_arcs(&net.graph) == WEND_OK);
    uint32_t rounds = 0;
    wend_build_options options = wend_default_build_options();
    options.progress = count_rounds, options.progress_context = &rounds;
    wend_builder builder = {.map = net.map, .options = &options, .workers = 1};
    wend_atlas_crew crew = {.workers = 1, .builder = &builder};
    wend_atlas_hierarchy made;
    CHECK(wend_atlas_hierarchy_make(&made, &net.graph, &crew) == WEND_OK);
    CHECK_THAT(rounds > 5 && rounds < 200, "%u rounds", rounds);
    check_arcs(&made, &net.graph);
    wend_atlas_hierarchy_release(&made);
    network_release(&net);
    test_case();
}

static const test tests[] = {
    {"distances are those of the graph", distances_are_those_of_the_graph},
    {"workers make the same", workers_make_the_same},
    {"slices make the same", slices_make_the_same},
    {"a lack of memory is reported", a_lack_of_memory_is_reported},
    {"chains take few rounds", chains_take_few_rounds},
};

TEST_MAIN(tests)
