/* The graph of an atlas under repair: what is left of the base's, with links near a change as they are now,
 * and links between the owners of neighbouring cells there. All of it in slices; nothing is sorted, so that
 * no slice is long. */
#include "methods/atlas/repair/repair.h"

#include "base/memory.h"

#define NONE UINT32_MAX
enum { COSTLIER = 2 }; /* a link of the base that costs so many times as much as it did is dropped */

void wend_atlas_repair_release_graph(wend_atlas_repair *repair) {
    const wend_allocator *allocator = &repair->common.allocator;
    size_t nodes = (size_t)repair->most_nodes + 1;
    wend_atlas_contraction_destroy(repair->contraction);
    repair->contraction = NULL;
    wend_atlas_hierarchy_release(&repair->hierarchy);
    repair->hierarchy = (wend_atlas_hierarchy){0};
    wend_atlas_graph_release(&repair->graph);
    repair->graph = (wend_atlas_graph){.map = repair->seen, .allocator = repair->common.allocator};
    wend_release(allocator, repair->numbers, (size_t)repair->base->count + 1, sizeof *repair->numbers);
    wend_release(allocator, repair->cells, nodes, sizeof *repair->cells);
    wend_release(allocator, repair->heads, nodes, sizeof *repair->heads);
    wend_release(allocator, repair->marks, nodes, sizeof *repair->marks);
    wend_release(allocator, repair->mark_costs, nodes, sizeof *repair->mark_costs);
    wend_release(allocator, repair->met, nodes, sizeof *repair->met);
    wend_release(allocator, repair->chain, repair->chain_room, sizeof *repair->chain);
    wend_release(allocator, repair->dropped, repair->dropped_room, sizeof *repair->dropped);
    repair->numbers = repair->heads = repair->marks = repair->mark_costs = repair->met = repair->chain = NULL;
    repair->mark_stamp = repair->round_at = 0;
    repair->cells = NULL, repair->dropped = NULL;
    repair->chain_room = repair->dropped_room = 0;
}

/* Nodes -------------------------------------------------------------------------------------------------- */

static bool begin_nodes(wend_atlas_repair *repair) {
    const wend_allocator *allocator = &repair->common.allocator;
    size_t nodes = (size_t)repair->most_nodes + 1;
    wend_atlas_repair_release_graph(repair);
    repair->numbers = wend_allocate(allocator, (size_t)repair->base->count + 1, sizeof *repair->numbers);
    repair->cells = wend_allocate(allocator, nodes, sizeof *repair->cells);
    repair->heads = wend_allocate(allocator, nodes, sizeof *repair->heads);
    repair->marks = wend_allocate_zeroed(allocator, nodes, sizeof *repair->marks);
    repair->mark_costs = wend_allocate(allocator, nodes, sizeof *repair->mark_costs);
    repair->met = wend_allocate(allocator, nodes, sizeof *repair->met);
    return repair->numbers && repair->cells && repair->heads && repair->marks && repair->mark_costs &&
           repair->met;
}

static bool add_node(wend_atlas_repair *repair, wend_cell cell) {
    uint32_t node = repair->graph.nodes;
    repair->crowded = node == repair->most_nodes;
    if (repair->crowded) return false;
    repair->cells[node] = cell, repair->heads[node] = NONE;
    repair->graph.nodes++;
    return true;
}

bool wend_atlas_repair_nodes(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done) {
    (void)operations;
    const wend_atlas *base = repair->base;
    *done = false;
    ++*used;
    if (repair->stage == WEND_ATLAS_NODES) {
        if (!repair->at && !begin_nodes(repair)) return false;
        if (repair->at == base->count) {
            repair->stage = WEND_ATLAS_EXTRAS, repair->at = 0;
            return true;
        }
        wend_cell cell = base->cells[repair->at];
        bool open = wend_map_is_open_cell(repair->seen, cell);
        repair->numbers[repair->at++] = open ? repair->graph.nodes : NONE;
        return !open || add_node(repair, cell);
    }
    *done = repair->at == repair->sectors;
    if (*done) {
        repair->graph.cells = repair->cells;
        return true;
    }
    wend_atlas_patch *patch = repair->patches[repair->at++];
    if (!patch) return true;
    patch->node = repair->graph.nodes;
    for (uint32_t i = 0; i < patch->extra_count; i++, ++*used)
        if (!add_node(repair, patch->extras[i])) return false;
    return true;
}

/* The node that stands on a cell. */
static uint32_t node_on(const wend_atlas_repair *repair, wend_cell cell, uint64_t *used) {
    const wend_atlas *base = repair->base;
    uint32_t sector = wend_atlas_sector(&base->grid, repair->seen, cell);
    for (uint32_t i = wend_atlas_members(base, sector); i < wend_atlas_members(base, sector + 1);
         i++, ++*used) {
        uint32_t rep = wend_atlas_member(base, i);
        if (base->cells[rep] == cell) return repair->numbers[rep];
    }
    const wend_atlas_patch *patch = repair->patches[sector];
    for (uint32_t i = 0; patch && i < patch->extra_count; i++, ++*used)
        if (patch->extras[i] == cell) return patch->node + i;
    return NONE;
}

/* Edges -------------------------------------------------------------------------------------------------- */

static bool has_edge(const wend_atlas_repair *repair, uint32_t a, uint32_t b, uint64_t *used) {
    for (uint32_t i = repair->heads[a]; i != NONE; i = repair->chain[i], ++*used)
        if (repair->graph.edges[i].b == b) return true;
    return false;
}

/* Adds an edge, whose bends are to follow. NULL: no memory. */
static wend_cell *add_edge(wend_atlas_repair *repair, uint32_t a, uint32_t b, uint32_t cost, uint32_t bends) {
    wend_atlas_graph *graph = &repair->graph;
    if (!wend_atlas_graph_room(graph, bends + (size_t)1)) return NULL;
    if (repair->chain_room < graph->edge_capacity) {
        uint32_t *larger = wend_enlarge(&repair->common.allocator, repair->chain, repair->chain_room,
                                        graph->edge_capacity, sizeof *larger);
        if (!larger) return NULL;
        repair->chain = larger, repair->chain_room = graph->edge_capacity;
    }
    repair->chain[graph->edge_count] = repair->heads[a];
    repair->heads[a] = graph->edge_count;
    graph->edges[graph->edge_count++] = (wend_atlas_edge){a, b, cost, bends, graph->bend_count};
    graph->bend_count += bends;
    return graph->bends + graph->bend_count - bends;
}

static bool keep_edge(wend_atlas_repair *repair, uint32_t a, uint32_t b, wend_atlas_up up, uint64_t *used) {
    uint32_t bends = wend_atlas_bend_count(repair->base, up.what);
    wend_cell *to = add_edge(repair, a, b, (uint32_t)up.cost, bends);
    *used += bends;
    for (uint32_t i = 0; to && i < bends; i++) to[i] = wend_atlas_bend(repair->base, up.what, i, false);
    return to;
}

bool wend_atlas_repair_add(wend_atlas_repair *repair, uint32_t a, uint32_t b,
                           const wend_atlas_near_link *near_link, uint64_t *used) {
    const wend_cell *bends = (const wend_cell *)(const void *)repair->near_links[repair->fresh].bends.data;
    wend_cell *to = add_edge(repair, a, b, near_link->cost, near_link->bend_count);
    bool same = repair->cells[a] == near_link->a;
    *used += near_link->bend_count;
    for (uint32_t i = 0; to && i < near_link->bend_count; i++)
        to[i] = bends[near_link->bends + (same ? i : near_link->bend_count - 1 - i)];
    return to;
}

/* Those of the base whose ends are both open: as they are, or computed again where a change may matter. */
static bool take_old_edge(wend_atlas_repair *repair, uint64_t operations, uint64_t *used) {
    const wend_atlas *base = repair->base;
    ++*used;
    if (repair->place == base->first[repair->at + 1]) {
        repair->at++;
        return true;
    }
    wend_atlas_up up = wend_atlas_arc_at(base, repair->place);
    uint32_t a = repair->numbers[repair->at], b = repair->numbers[up.to];
    if (up.what < base->count || a == NONE || b == NONE) {
        repair->place++;
        return true;
    }
    wend_cell from = base->cells[repair->at], to = base->cells[up.to];
    if (!repair->linking_on &&
        !wend_atlas_near_link_touched(repair, from, to, up.cost, WEND_SECTOR_DIFFERS, used)) {
        repair->place++;
        return keep_edge(repair, a, b, up, used);
    }
    const wend_atlas_near_link *near_link;
    uint64_t limit = COSTLIER * up.cost + 1;
    if (!wend_atlas_near_link_find(repair, from < to ? from : to, from < to ? to : from, limit, operations,
                                   used, &near_link))
        return false;
    if (!near_link) return true;
    repair->place++;
    return near_link->cost >= limit || near_link->cost == UINT32_MAX ||
           wend_atlas_repair_add(repair, a, b, near_link, used);
}

/* The nodes on two cells, the smaller first; NONE is the largest. */
static void ends_of(const wend_atlas_repair *repair, wend_cell from, wend_cell to, uint32_t *a, uint32_t *b,
                    uint64_t *used) {
    uint32_t x = node_on(repair, from, used), y = node_on(repair, to, used);
    *a = x < y ? x : y, *b = x < y ? y : x;
}

static bool take_new_edge(wend_atlas_repair *repair, uint64_t operations, uint64_t *used) {
    const wend_atlas_patch *patch = repair->patches[repair->at];
    ++*used;
    if (!patch || repair->place == patch->pair_count) {
        repair->at++, repair->place = 0;
        return true;
    }
    wend_cell from = (wend_cell)(patch->pairs[repair->place] >> 32),
              to = (wend_cell)patch->pairs[repair->place];
    uint32_t a, b;
    if (!repair->linking_on) { /* otherwise that is known, and would take operations each time */
        ends_of(repair, from, to, &a, &b, used);
        if (b == NONE || has_edge(repair, a, b, used)) {
            repair->place++;
            return true;
        }
    }
    const wend_atlas_near_link *near_link;
    if (!wend_atlas_near_link_find(repair, from, to, WEND_NO_COST, operations, used, &near_link))
        return false;
    if (!near_link) return true;
    repair->place++;
    ends_of(repair, from, to, &a, &b, used);
    return near_link->cost == UINT32_MAX || wend_atlas_repair_add(repair, a, b, near_link, used);
}

bool wend_atlas_repair_edges(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done) {
    *done = false;
    if (repair->stage == WEND_ATLAS_OLD_EDGES) {
        if (repair->at < repair->base->count) return take_old_edge(repair, operations, used);
        repair->stage = WEND_ATLAS_NEW_EDGES;
        repair->at = repair->place = 0;
    }
    *done = repair->at == repair->sectors;
    return *done || take_new_edge(repair, operations, used);
}

/* Arcs --------------------------------------------------------------------------------------------------- */

enum { ARCS_BEGIN, ARCS_CLEAR, ARCS_COUNT, ARCS_SUM, ARCS_FILL };

static bool begin_arcs(wend_atlas_repair *repair) {
    wend_atlas_graph *graph = &repair->graph;
    const wend_allocator *allocator = &graph->allocator;
    size_t room = 2 * (size_t)graph->edge_count + 1, nodes = (size_t)graph->nodes + 1;
    if (room > graph->arc_capacity) {
        wend_release(allocator, graph->arcs, graph->arc_capacity, sizeof *graph->arcs);
        graph->arcs = wend_allocate(allocator, room, sizeof *graph->arcs);
        graph->arc_capacity = room;
    }
    if (!graph->first) graph->first = wend_allocate(allocator, nodes, sizeof *graph->first);
    return graph->arcs && graph->first;
}

/* *done: the arcs are there. */
static bool make_arcs(wend_atlas_repair *repair, uint64_t *used, bool *done) {
    wend_atlas_graph *graph = &repair->graph;
    uint32_t at = repair->at++;
    ++*used;
    switch (repair->pass) {
    case ARCS_BEGIN:
        repair->pass = ARCS_CLEAR, repair->at = 0;
        return begin_arcs(repair);
    case ARCS_CLEAR:
        if (at <= graph->nodes) {
            graph->first[at] = 0;
            return true;
        }
        repair->pass = ARCS_COUNT, repair->at = 0;
        return true;
    case ARCS_COUNT:
        if (at < graph->edge_count) {
            graph->first[graph->edges[at].a]++;
            graph->first[graph->edges[at].b]++;
            return true;
        }
        repair->pass = ARCS_SUM, repair->at = 0;
        return true;
    case ARCS_SUM: /* to the ends of the nodes; filling leads back to their beginnings */
        if (at <= graph->nodes) {
            if (at == graph->nodes) graph->first[at] = 0;
            if (at) graph->first[at] += graph->first[at - 1];
            return true;
        }
        repair->pass = ARCS_FILL, repair->at = 0;
        return true;
    default:
        if (at < graph->edge_count) {
            uint32_t i = graph->edge_count - 1 - at;
            const wend_atlas_edge *edge = &graph->edges[i];
            graph->arcs[--graph->first[edge->a]] = (wend_atlas_arc){edge->b, i};
            graph->arcs[--graph->first[edge->b]] = (wend_atlas_arc){edge->a, i};
            return true;
        }
        *done = true;
        return true;
    }
}

static bool begin_match(wend_atlas_repair *repair) {
    const wend_allocator *allocator = &repair->common.allocator;
    repair->dropped_room = (size_t)repair->graph.edge_count + 1;
    repair->dropped = wend_allocate_zeroed(allocator, repair->dropped_room, sizeof *repair->dropped);
    return repair->dropped;
}

/* Which edges from a node to larger ones two others match. (Those are shorter than it, each: so all of them
 * can be dropped at once, and what is left still has ways of the same costs.) */
static void match_node(wend_atlas_repair *repair, uint32_t node, uint64_t *used) {
    const wend_atlas_graph *graph = &repair->graph;
    uint32_t stamp = ++repair->mark_stamp;
    for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++, ++*used) {
        repair->marks[graph->arcs[i].to] = stamp;
        repair->mark_costs[graph->arcs[i].to] = graph->edges[graph->arcs[i].edge].cost;
    }
    for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
        wend_atlas_arc arc = graph->arcs[i];
        if (arc.to < node) continue;
        for (uint32_t j = graph->first[arc.to]; j < graph->first[arc.to + 1]; j++, ++*used) {
            wend_atlas_arc other = graph->arcs[j];
            if (repair->marks[other.to] == stamp &&
                (uint64_t)repair->mark_costs[other.to] + graph->edges[other.edge].cost <=
                    graph->edges[arc.edge].cost)
                repair->dropped[arc.edge] = 1;
        }
    }
}

static void next_stage(wend_atlas_repair *repair) {
    repair->stage++;
    repair->at = repair->place = repair->pass = 0;
}

bool wend_atlas_repair_arcs(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done) {
    wend_atlas_graph *graph = &repair->graph;
    bool over = false;
    *done = false;
    switch (repair->stage) {
    case WEND_ATLAS_ARCS:
        if (!make_arcs(repair, used, &over)) return false;
        if (!over) return true;
        next_stage(repair);
        if (repair->round_at == repair->rounds) next_stage(repair); /* all rounds are over */
        return true;
    case WEND_ATLAS_LENGTHEN:
        if (!wend_atlas_repair_lengthen(repair, operations, used, &over)) return false;
        if (!over) return true;
        next_stage(repair);
        repair->round_at++;
        repair->stage = WEND_ATLAS_ARCS; /* with what was added */
        return true;
    case WEND_ATLAS_MATCH:
        ++*used;
        if (!repair->at && !begin_match(repair)) return false;
        if (repair->at == graph->nodes)
            next_stage(repair);
        else
            match_node(repair, repair->at++, used);
        return true;
    case WEND_ATLAS_DROP:
        ++*used;
        if (repair->at == graph->edge_count) {
            graph->edge_count = repair->place;
            next_stage(repair);
        } else {
            if (!repair->dropped[repair->at]) graph->edges[repair->place++] = graph->edges[repair->at];
            repair->at++;
        }
        return true;
    default:
        return make_arcs(repair, used, done);
    }
}
