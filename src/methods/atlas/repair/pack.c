/* The last part of a repair: a hierarchy over the whole graph, and from it an atlas in memory that planners
 * read as they read a file. */
#include "methods/atlas/repair/repair.h"

#include "base/memory.h"

enum { WORDS = 4 }; /* of an arc, 32 bits each */
enum { FEW = 32 };  /* one in so many representatives has gone or come */

void wend_atlas_overlay_destroy(wend_atlas_overlay *overlay) {
    if (!overlay) return;
    wend_allocator allocator = overlay->allocator;
    size_t nodes = (size_t)overlay->atlas.count + 1;
    wend_release(&allocator, overlay->cells, nodes, sizeof *overlay->cells);
    wend_release(&allocator, overlay->sectors, overlay->sector_room, sizeof *overlay->sectors);
    wend_release(&allocator, overlay->members, nodes, sizeof *overlay->members);
    wend_release(&allocator, overlay->first, nodes, sizeof *overlay->first);
    wend_release(&allocator, overlay->arcs, overlay->arc_room, sizeof *overlay->arcs);
    wend_release(&allocator, overlay->lists, overlay->list_room, sizeof *overlay->lists);
    wend_release(&allocator, overlay->bends, overlay->bend_room, sizeof *overlay->bends);
    wend_release(&allocator, overlay, 1, sizeof *overlay);
}

static bool begin_pack(wend_atlas_repair *repair) {
    const wend_allocator *allocator = &repair->common.allocator;
    const wend_atlas_graph *graph = &repair->graph;
    wend_atlas_overlay *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    if (!made) return false;
    repair->making = made;
    made->allocator = *allocator;
    made->atlas = (wend_atlas){.map = repair->base->map,
                               .grid = repair->base->grid,
                               .count = graph->nodes,
                               .wide = true,
                               .words = WORDS,
                               .edges = graph->edge_count,
                               .shortcuts = repair->hierarchy.shortcuts,
                               .neighbours = repair->base->neighbours};
    size_t nodes = (size_t)graph->nodes + 1;
    made->sector_room = (size_t)repair->sectors + 1;
    made->arc_room = repair->hierarchy.up_count * WORDS + 1;
    made->list_room = (size_t)graph->edge_count + 1;
    made->bend_room = graph->bend_count + 1;
    made->cells = wend_allocate(allocator, nodes, sizeof *made->cells);
    made->sectors = wend_allocate_zeroed(allocator, made->sector_room, sizeof *made->sectors);
    made->members = wend_allocate(allocator, nodes, sizeof *made->members);
    made->first = wend_allocate(allocator, nodes, sizeof *made->first);
    made->arcs = wend_allocate(allocator, made->arc_room, sizeof *made->arcs);
    made->lists = wend_allocate(allocator, made->list_room, sizeof *made->lists);
    made->bends = wend_allocate(allocator, made->bend_room, sizeof *made->bends);
    if (!made->cells || !made->sectors || !made->members || !made->first || !made->arcs || !made->lists ||
        !made->bends)
        return false;
    wend_atlas *atlas = &made->atlas;
    atlas->cells = made->cells, atlas->sectors = made->sectors, atlas->members = made->members;
    atlas->first = made->first, atlas->arcs = made->arcs, atlas->lists = made->lists;
    atlas->bends = made->bends;
    return true;
}

/* Where little has changed the base's order is as good as another, and takes no weighing: extras first, then
 * what is left of the base. NULL: another one is to be found. (repair->met is free by now.) */
static const uint32_t *given_order(const wend_atlas_repair *repair) {
    uint32_t nodes = repair->graph.nodes, old = 0;
    for (uint32_t i = 0; i < repair->base->count; i++) old += repair->numbers[i] != WEND_ATLAS_NOBODY;
    uint32_t extras = nodes - old, gone = repair->base->count - old;
    if ((uint64_t)(extras + gone) * FEW > nodes) return NULL;
    for (uint32_t i = 0; i < nodes; i++) repair->met[i] = i < extras ? old + i : i - extras;
    return repair->met;
}

static bool contract(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *over) {
    wend_status status = WEND_OK;
    if (!repair->contraction)
        status = wend_atlas_contraction_create(&repair->hierarchy, &repair->graph, given_order(repair),
                                               &repair->contraction);
    if (status == WEND_OK) status = wend_atlas_contraction_run(repair->contraction, operations, used, over);
    repair->crowded = status == WEND_STATUS_TOO_LARGE || repair->hierarchy.up_count > UINT32_MAX;
    return status == WEND_OK && !repair->crowded;
}

/* What an arc is, as wend_atlas_up gives it; an edge with bends has its list added. */
static uint32_t what_is(wend_atlas_repair *repair, uint32_t rank, const wend_atlas_link_up *up,
                        uint64_t *used) {
    wend_atlas_overlay *made = repair->making;
    const wend_atlas_graph *graph = &repair->graph;
    if (up->edge == WEND_ATLAS_SHORTCUT) return up->middle;
    const wend_atlas_edge *edge = &graph->edges[up->edge];
    if (!edge->bend_count) return graph->nodes;
    bool forward = edge->a == repair->hierarchy.order[rank];
    for (uint32_t i = 0; i < edge->bend_count; i++, ++*used)
        made->bends[repair->place++] = graph->bends[edge->bends + (forward ? i : edge->bend_count - 1 - i)];
    made->lists[++made->atlas.list_count] = repair->place;
    return graph->nodes + made->atlas.list_count;
}

static void pack_arcs(wend_atlas_repair *repair, uint32_t rank, uint64_t *used) {
    const wend_atlas_hierarchy *hierarchy = &repair->hierarchy;
    wend_atlas_overlay *made = repair->making;
    made->first[rank] = (uint32_t)hierarchy->first[rank];
    if (rank == hierarchy->nodes) return;
    for (size_t i = hierarchy->first[rank]; i < hierarchy->first[rank + 1]; i++, ++*used) {
        const wend_atlas_link_up *up = &hierarchy->up[i];
        uint32_t *words = made->arcs + i * WORDS;
        words[0] = up->to, words[1] = what_is(repair, rank, up, used);
        words[2] = (uint32_t)up->cost, words[3] = (uint32_t)(up->cost >> 32);
    }
}

static void next_stage(wend_atlas_repair *repair) {
    repair->stage++;
    repair->at = repair->place = repair->pass = 0;
}

static uint32_t sector_of(const wend_atlas_repair *repair, uint32_t rank) {
    return wend_atlas_sector(&repair->base->grid, repair->seen, repair->making->cells[rank]);
}

bool wend_atlas_repair_pack(wend_atlas_repair *repair, uint64_t operations, uint64_t *used, bool *done) {
    wend_atlas_overlay *made = repair->making;
    uint32_t nodes = repair->graph.nodes;
    bool over;
    *done = false;
    ++*used;
    switch (repair->stage) {
    case WEND_ATLAS_CONTRACT:
        if (!contract(repair, operations, used, &over)) return false;
        if (!over) return true;
        next_stage(repair);
        return begin_pack(repair);
    case WEND_ATLAS_PLACES:
        if (repair->at == nodes) {
            next_stage(repair);
            return true;
        }
        made->cells[repair->at] = repair->cells[repair->hierarchy.order[repair->at]];
        made->sectors[sector_of(repair, repair->at)]++;
        repair->at++;
        return true;
    case WEND_ATLAS_MEMBERS: /* sums to the ends of sectors, then back to their beginnings */
        if (repair->at < repair->sectors) {
            if (repair->at) made->sectors[repair->at] += made->sectors[repair->at - 1];
            repair->at++;
        } else if (repair->place < nodes) {
            uint32_t rank = nodes - 1 - repair->place++;
            made->members[--made->sectors[sector_of(repair, rank)]] = rank;
        } else {
            made->sectors[repair->sectors] = nodes;
            made->lists[0] = 0;
            next_stage(repair);
        }
        return true;
    default:
        pack_arcs(repair, repair->at, used);
        *done = repair->at++ == nodes;
        return true;
    }
}
