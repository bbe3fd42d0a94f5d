#include "methods/atlas/hierarchy/rest.h"

#include "base/sort.h"

#include <string.h>

static int by_cost(const void *a, const void *b) {
    const wend_atlas_rest_arc *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

wend_status wend_atlas_rest_reserve(wend_atlas_rest *rest, const wend_atlas_graph *graph) {
    const wend_allocator *allocator = &graph->allocator;
    size_t nodes = (size_t)graph->nodes + 1, arcs = 2 * (size_t)graph->edge_count;
    *rest = (wend_atlas_rest){.map = graph->map, .allocator = *allocator, .nodes = graph->nodes};
    if (graph->nodes >= WEND_ATLAS_OVER || graph->edge_count >= WEND_ATLAS_OVER) return WEND_STATUS_TOO_LARGE;
    rest->places = wend_allocate(allocator, nodes, sizeof *rest->places);
    rest->lists = wend_allocate(allocator, nodes, sizeof *rest->lists);
    rest->arcs = wend_allocate(allocator, arcs + 1, sizeof *rest->arcs);
    rest->arc_count = arcs, rest->arc_capacity = arcs + 1;
    rest->chosen = wend_allocate_zeroed(allocator, nodes, sizeof *rest->chosen);
    return rest->places && rest->lists && rest->arcs && rest->chosen ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

void wend_atlas_rest_load(wend_atlas_rest *rest, const wend_atlas_graph *graph, uint32_t node) {
    uint32_t first = graph->first[node], count = graph->first[node + 1] - first;
    wend_atlas_rest_arc *arcs = rest->arcs + first;
    rest->places[node] = wend_map_xy(graph->map, graph->cells[node]);
    rest->lists[node] = (wend_atlas_rest_list){first, count, count};
    for (uint32_t i = 0; i < count; i++) {
        wend_atlas_arc arc = graph->arcs[first + i];
        arcs[i] = (wend_atlas_rest_arc){graph->edges[arc.edge].cost, arc.to, arc.edge};
    }
    wend_sort(arcs, count, sizeof *arcs, by_cost);
}

void wend_atlas_rest_release(wend_atlas_rest *rest) {
    const wend_allocator *allocator = &rest->allocator;
    size_t nodes = (size_t)rest->nodes + 1;
    wend_release(allocator, rest->places, nodes, sizeof *rest->places);
    wend_release(allocator, rest->lists, nodes, sizeof *rest->lists);
    wend_release(allocator, rest->arcs, rest->arc_capacity, sizeof *rest->arcs);
    wend_release(allocator, rest->chosen, nodes, sizeof *rest->chosen);
    rest->places = NULL, rest->lists = NULL, rest->arcs = NULL, rest->chosen = NULL;
}

static wend_atlas_rest_arc *find(const wend_atlas_rest *rest, uint32_t from, uint32_t to) {
    const wend_atlas_rest_list *list = &rest->lists[from];
    wend_atlas_rest_arc *arc = rest->arcs + list->first, *end = arc + list->count;
    while (arc < end && arc->to != to) arc++;
    return arc < end ? arc : NULL;
}

static void drop(wend_atlas_rest *rest, uint32_t from, wend_atlas_rest_arc *arc) {
    wend_atlas_rest_list *list = &rest->lists[from];
    const wend_atlas_rest_arc *end = rest->arcs + list->first + list->count--;
    memmove(arc, arc + 1, (size_t)(end - arc - 1) * sizeof *arc);
}

/* Where its cost belongs; there is room. */
static void insert(wend_atlas_rest *rest, uint32_t from, wend_atlas_rest_arc arc) {
    wend_atlas_rest_list *list = &rest->lists[from];
    wend_atlas_rest_arc *arcs = rest->arcs + list->first;
    uint32_t at = list->count++;
    for (; at && by_cost(&arcs[at - 1], &arc) > 0; at--) arcs[at] = arcs[at - 1];
    arcs[at] = arc;
}

void wend_atlas_rest_remove(wend_atlas_rest *rest, uint32_t node) {
    wend_atlas_rest_list *list = &rest->lists[node];
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t other = rest->arcs[list->first + i].to;
        wend_atlas_rest_arc *back = find(rest, other, node);
        if (back) drop(rest, other, back);
    }
    list->count = list->capacity = 0;
}

/* Copies the lists that are left into a block of `capacity` arcs. */
static bool move_all(wend_atlas_rest *rest, size_t capacity) {
    wend_atlas_rest_arc *arcs = wend_allocate(&rest->allocator, capacity, sizeof *arcs);
    if (!arcs) return false;
    size_t at = 0;
    for (uint32_t i = 0; i < rest->nodes; i++) {
        wend_atlas_rest_list *list = &rest->lists[i];
        if (list->count) memcpy(arcs + at, rest->arcs + list->first, list->count * sizeof *arcs);
        list->first = at;
        list->capacity = list->count;
        at += list->count;
    }
    wend_release(&rest->allocator, rest->arcs, rest->arc_capacity, sizeof *rest->arcs);
    rest->arcs = arcs, rest->arc_count = at, rest->arc_capacity = capacity;
    return true;
}

/* Room for one more arc of a node. What lists leave behind when they move is got back by moving all: so the
 * block has at most twice what is needed, and each arc is moved a few times. */
static bool make_room(wend_atlas_rest *rest, uint32_t node) {
    wend_atlas_rest_list *list = &rest->lists[node];
    if (list->count < list->capacity) return true;
    uint32_t capacity = list->count + list->count / 2 + 4;
    if (rest->arc_capacity - rest->arc_count < capacity) {
        size_t used = 0;
        for (uint32_t i = 0; i < rest->nodes; i++) used += rest->lists[i].count;
        if (!move_all(rest, 2 * used + capacity)) return false;
    }
    if (list->count)
        memcpy(rest->arcs + rest->arc_count, rest->arcs + list->first, list->count * sizeof *rest->arcs);
    list->first = rest->arc_count, list->capacity = capacity;
    rest->arc_count += capacity;
    return true;
}

bool wend_atlas_rest_join(wend_atlas_rest *rest, const wend_atlas_shortcut *shortcut) {
    for (int side = 0; side < 2; side++) {
        uint32_t from = side ? shortcut->b : shortcut->a, to = side ? shortcut->a : shortcut->b;
        wend_atlas_rest_arc made = {shortcut->cost, to, WEND_ATLAS_OVER | shortcut->middle};
        wend_atlas_rest_arc *there = find(rest, from, to);
        if (there) {
            if (made.cost >= there->cost) continue;
            drop(rest, from, there);
        } else if (!make_room(rest, from)) {
            return false;
        }
        insert(rest, from, made);
    }
    return true;
}
