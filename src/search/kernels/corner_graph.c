/* Jump-point search over a graph of corners.
 *
 * A corner is a cell at which a canonical path may turn because of a wall: one that can be reached in a
 * direction in which something is forced there (jumps.h). The jump points of the tables' secondary directions
 * are corners all. Those of primary directions mostly are not: they are cells from which a turn leads to a
 * corner. The graph leaves these out, so that an edge is a piece: primary moves, then secondary ones, or one
 * of the two alone. That is the pruning of intermediate points of Harabor and Grastien, "Improving jump point
 * search" (ICAPS 2014). Corners with their edges made beforehand are also the subgoal graph of Uras, Koenig
 * and Hernandez (ICAPS 2013), but for the way in which they are chosen. Departures:
 * - Corners are numbered in the order of cells, and a search has a record for each number: no hashing.
 * - A corner and the goal see each other if the piece between them is free. Two comparisons tell: with the
 *   corner's run in the primary direction, which is stored, and with the goal's in the secondary direction,
 *   which is found once for a search.
 * - A corner from which one edge goes on is passed through as soon as it is met, see kernels/corner.inc.
 *
 * Only directions that go on from a forced arrival have edges: a search comes to a corner in no other way. */
#include "search/kernels/corner_graph.h"

#include "base/memory.h"

#include <string.h>

enum { USUAL_EDGES = 8 }; /* of a corner */

/* By the cells around: the directions in which a corner can be reached and something is forced. None: it is no
 * corner. */
static wend_directions arrivals(const wend_jumps *jumps, uint32_t around) {
    uint32_t forced = jumps->forced[around], legal = jumps->map->legal[around];
    return (wend_directions)(forced & (legal << 4 | legal >> 4) & 0xff);
}

uint32_t wend_corner_useful(const wend_jumps *jumps, uint32_t around) {
    uint32_t useful = 0;
    for (uint32_t left = arrivals(jumps, around); left; left &= left - 1)
        useful |= jumps->onward.moves[wend_lowest_bit(left)][around];
    return useful;
}

/* Marks the corners and counts them. */
static void mark(wend_corner_graph *made, const wend_jumps *jumps) {
    const wend_map *map = jumps->map;
    bool corner[512];
    for (uint32_t around = 0; around < 512; around++)
        corner[around] = around >> 4 & 1 && arrivals(jumps, around);
    for (uint32_t y = 0; y < (uint32_t)map->height; y++) {
        wend_cell row = y * (uint32_t)map->width;
        for (uint32_t x = 0; x < (uint32_t)map->width; x++)
            if (corner[wend_map_around(map, x, y)])
                made->bits[(row + x) >> 6] |= (uint64_t)1 << ((row + x) & 63);
    }
    for (size_t i = 0; i < made->words; i++) {
        made->before[i] = made->count;
        made->count += wend_count_bits(made->bits[i]);
    }
}

static bool add_edge(wend_corner_graph *made, const wend_corner_hit *hit) {
    if (made->edge_count == made->edge_room) {
        size_t room = made->edge_room ? made->edge_room * 2 : (size_t)made->count * USUAL_EDGES;
        wend_corner_edge *larger =
            wend_enlarge(&made->allocator, made->edges, made->edge_room, room, sizeof *larger);
        if (!larger) return false;
        made->edges = larger, made->edge_room = room;
    }
    uint32_t number = wend_corner_of(made, hit->cell);
    made->edges[made->edge_count++] = (wend_corner_edge){wend_corner_to(number, 0, hit->reached), hit->cost};
    return true;
}

/* A corner's edges and runs. */
static bool fill(wend_corner_graph *made, const wend_jumps *jumps, wend_corner *corner) {
    uint32_t useful = wend_corner_useful(jumps, corner->around), primary = jumps->onward.primary;
    wend_directions reached = arrivals(jumps, corner->around);
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
        corner->edges[d] = (uint32_t)made->edge_count;
        if (primary >> d & 1) {
            wend_cell cell = corner->cell;
            uint32_t run = 0;
            while (wend_corner_run(jumps, d, &cell, &run)) {
            }
            corner->runs[d >> 1] = (uint16_t)run;
        }
        if (!(useful >> d & 1)) continue;
        wend_corner_sweep sweep = wend_corner_sweep_from(corner->cell, d);
        wend_corner_hit hit;
        while (!sweep.over)
            if (wend_corner_look(jumps, &sweep, &hit) && !add_edge(made, &hit)) return false;
    }
    corner->edges[WEND_DIRECTIONS] = (uint32_t)made->edge_count;
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
        uint32_t count = 0, single = WEND_DIRECTIONS, onward = jumps->onward.moves[d][corner->around];
        for (uint32_t left = reached >> d & 1 ? onward : 0; left; left &= left - 1) {
            uint32_t e = wend_lowest_bit(left), edges = corner->edges[e + 1] - corner->edges[e];
            if (edges) single = e;
            count += edges;
        }
        corner->single[d] = (uint8_t)(count <= 1 ? single : WEND_DIRECTIONS + 1);
    }
    return true;
}

static bool fill_all(wend_corner_graph *made, const wend_jumps *jumps) {
    const wend_map *map = jumps->map;
    uint32_t number = 0;
    for (size_t i = 0; i < made->words; i++)
        for (uint64_t left = made->bits[i]; left; left &= left - 1) {
            wend_corner *corner = &made->list[number++];
            corner->cell = (wend_cell)(64 * i + wend_lowest_bit(left));
            uint32_t y = wend_cell_y(map, corner->cell), x = wend_cell_x(map, corner->cell, y);
            corner->x = (uint16_t)x, corner->y = (uint16_t)y;
            corner->around = (uint16_t)wend_map_around(map, x, y);
            if (!fill(made, jumps, corner) || made->edge_count > UINT32_MAX / 2) return false;
        }
    for (size_t i = 0; i < made->edge_count; i++) {
        uint32_t to = made->edges[i].to;
        uint32_t onward = wend_corner_onward(&made->list[to >> WEND_CORNER_NUMBER], to & 7);
        made->edges[i].to |= onward << WEND_CORNER_ONWARD;
    }
    return true;
}

/* Gives back what the edges have not used. */
static bool trim(wend_corner_graph *made) {
    if (made->edge_count == made->edge_room) return true;
    wend_corner_edge *fitting = wend_allocate(&made->allocator, made->edge_count, sizeof *fitting);
    if (!fitting) return false;
    memcpy(fitting, made->edges, made->edge_count * sizeof *fitting);
    wend_release(&made->allocator, made->edges, made->edge_room, sizeof *fitting);
    made->edges = fitting, made->edge_room = made->edge_count;
    return true;
}

static wend_status label(wend_corner_graph *made, const wend_jumps *jumps) {
    wend_components *components;
    wend_status status = wend_components_create(jumps->map, &made->allocator, &components, NULL);
    if (status != WEND_OK) return status;
    for (uint32_t i = 0; i < made->count; i++)
        made->components[i] = wend_components_label(components, made->list[i].cell);
    wend_components_destroy(components);
    return WEND_OK;
}

wend_status wend_corner_graph_create(const wend_jumps *jumps, const wend_allocator *allocator,
                                     wend_corner_graph **corners) {
    wend_corner_graph *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    *corners = NULL;
    if (!made) return WEND_STATUS_NO_MEMORY;
    made->allocator = *allocator;
    made->revision = jumps->revision;
    made->words = (size_t)jumps->cells / 64 + 1;
    made->bits = wend_allocate_zeroed(allocator, made->words, sizeof *made->bits);
    made->before = wend_allocate(allocator, made->words, sizeof *made->before);
    wend_status status = made->bits && made->before ? WEND_OK : WEND_STATUS_NO_MEMORY;
    if (status == WEND_OK) {
        mark(made, jumps);
        if (made->count >= WEND_MOST_CORNERS) status = WEND_STATUS_TOO_LARGE;
    }
    if (status == WEND_OK && made->count) {
        made->list = wend_allocate(allocator, made->count, sizeof *made->list);
        made->components = wend_allocate(allocator, made->count, sizeof *made->components);
        bool good = made->list && made->components && fill_all(made, jumps) && trim(made);
        status = good ? label(made, jumps) : WEND_STATUS_NO_MEMORY;
    }
    if (status != WEND_OK) {
        wend_corner_graph_destroy(made);
        return status;
    }
    *corners = made;
    return WEND_OK;
}

wend_status wend_corner_graph_renew(const wend_jumps *jumps) {
    wend_corner_graph *corners = jumps->corners, *made;
    if (corners->revision == jumps->revision) return WEND_OK;
    wend_status status = wend_corner_graph_create(jumps, &corners->allocator, &made);
    if (status != WEND_OK) return status;
    wend_corner_graph old = *corners;
    *corners = *made, *made = old;
    wend_corner_graph_destroy(made);
    return WEND_OK;
}

void wend_corner_graph_destroy(wend_corner_graph *corners) {
    if (!corners) return;
    wend_allocator allocator = corners->allocator;
    wend_release(&allocator, corners->bits, corners->words, sizeof *corners->bits);
    wend_release(&allocator, corners->before, corners->words, sizeof *corners->before);
    wend_release(&allocator, corners->list, corners->count, sizeof *corners->list);
    wend_release(&allocator, corners->components, corners->count, sizeof *corners->components);
    wend_release(&allocator, corners->edges, corners->edge_room, sizeof *corners->edges);
    wend_release(&allocator, corners, 1, sizeof *corners);
}

size_t wend_corner_graph_bytes(const wend_corner_graph *corners) {
    return sizeof *corners + corners->words * (sizeof *corners->bits + sizeof *corners->before) +
           corners->count * (sizeof *corners->list + sizeof *corners->components) +
           corners->edge_room * sizeof *corners->edges;
}
