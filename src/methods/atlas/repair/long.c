/* Long edges near a change, as methods/atlas/build/graph.c adds them in a build: where the octile distance of
 * two nodes with a common neighbour is less than the way over that by more than `eps`, their link is worked
 * out, and kept if it saves as much. Here for nodes within two sectors of a cell that differs, in as many
 * rounds as the base has. Of each node those are tried that might save most, and the first that do are kept;
 * a build keeps the best. */
#include "methods/atlas/repair/repair.h"

#include "base/memory.h"

enum { MOST_KEPT = 8 };

static bool is_near(const wend_atlas_repair *repair, uint32_t node) {
    uint32_t sector = wend_atlas_sector(&repair->base->grid, repair->seen, repair->cells[node]);
    return repair->flags[sector] & WEND_SECTOR_LONG;
}

static void consider(wend_atlas_repair *repair, uint32_t node, uint32_t to) {
    wend_atlas_wish *wishes = repair->wishes;
    /* Less than all but the share to spare: rounded up, since costs are whole. */
    uint64_t most = (uint64_t)repair->mark_costs[to] * (1000000 - repair->spare);
    uint64_t limit = most / 1000000 + (most % 1000000 != 0);
    uint64_t octile = wend_map_distance(repair->seen, repair->cells[node], repair->cells[to]);
    if (octile >= limit) return;
    wend_atlas_wish one = {limit, (repair->mark_costs[to] - octile) * 1000000 / repair->mark_costs[to], to};
    uint32_t count = repair->wish_count;
    if (count == WEND_ATLAS_WISHES && wishes[count - 1].saves >= one.saves) return;
    uint32_t at = count < WEND_ATLAS_WISHES ? repair->wish_count++ : count - 1;
    for (; at && wishes[at - 1].saves < one.saves; at--) wishes[at] = wishes[at - 1];
    wishes[at] = one;
}

/* The nodes that an edge from one might be worth it for. */
static void find_wishes(wend_atlas_repair *repair, uint32_t node, uint64_t *used) {
    const wend_atlas_graph *graph = &repair->graph;
    uint32_t stamp = ++repair->mark_stamp, met = 0;
    repair->wish_count = repair->kept = 0;
    for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++, ++*used) {
        repair->marks[graph->arcs[i].to] = stamp;
        repair->mark_costs[graph->arcs[i].to] = 0; /* an edge is there */
    }
    for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
        wend_atlas_arc arc = graph->arcs[i];
        uint64_t cost = graph->edges[arc.edge].cost;
        for (uint32_t j = graph->first[arc.to]; j < graph->first[arc.to + 1]; j++, ++*used) {
            uint32_t to = graph->arcs[j].to;
            uint64_t sum = cost + graph->edges[graph->arcs[j].edge].cost;
            if (to == node || sum > UINT32_MAX) continue;
            if (to < node && is_near(repair, to)) continue; /* met from the other side */
            if (repair->marks[to] != stamp) {
                repair->marks[to] = stamp;
                repair->mark_costs[to] = (uint32_t)sum;
                repair->met[met++] = to;
            } else if (sum < repair->mark_costs[to]) {
                repair->mark_costs[to] = (uint32_t)sum;
            }
        }
    }
    for (uint32_t i = 0; i < met; i++, ++*used) consider(repair, node, repair->met[i]);
}

static bool try_wish(wend_atlas_repair *repair, uint32_t node, uint64_t operations, uint64_t *used) {
    const wend_atlas_wish *wish = &repair->wishes[repair->place];
    wend_cell from = repair->cells[node], to = repair->cells[wish->to];
    const wend_atlas_near_link *near_link;
    if (!wend_atlas_near_link_find(repair, from < to ? from : to, from < to ? to : from, wish->limit,
                                   operations, used, &near_link))
        return false;
    if (!near_link) return true;
    repair->place++;
    if (near_link->cost >= wish->limit) return true;
    repair->kept++;
    return wend_atlas_repair_add(repair, node < wish->to ? node : wish->to, node < wish->to ? wish->to : node,
                                 near_link, used);
}

bool wend_atlas_repair_lengthen(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done) {
    *done = repair->at == repair->graph.nodes;
    ++*used;
    if (*done) return true;
    if (!repair->pass) {
        repair->wish_count = repair->kept = 0;
        if (is_near(repair, repair->at)) find_wishes(repair, repair->at, used);
        repair->pass = 1, repair->place = 0;
    }
    if (repair->place < repair->wish_count && repair->kept < MOST_KEPT)
        return try_wish(repair, repair->at, operations, used);
    repair->at++, repair->pass = 0;
    return true;
}
