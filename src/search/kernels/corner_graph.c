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
enum { UNKNOWN = 3 };     /* how many edges go on from an edge's end, until all corners have theirs */

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

/* Marks the corners. */
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
}

static void count(wend_corner_graph *made) {
    memcpy(made->next, made->bits, made->words * sizeof *made->bits);
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
    made->edges[made->edge_count++] =
        (wend_corner_edge){wend_corner_to(number, UNKNOWN, hit->reached), hit->cost};
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

/* The corner at a cell. */
static bool make_corner(wend_corner_graph *made, const wend_jumps *jumps, wend_corner *corner,
                        wend_cell cell) {
    const wend_map *map = jumps->map;
    uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
    corner->cell = cell;
    corner->x = (uint16_t)x, corner->y = (uint16_t)y;
    corner->around = (uint16_t)wend_map_around(map, x, y);
    return fill(made, jumps, corner) && made->edge_count <= UINT32_MAX / 2;
}

static void note_onward(wend_corner_graph *made) {
    for (size_t i = 0; i < made->edge_count; i++) {
        uint32_t to = made->edges[i].to, number = to >> WEND_CORNER_NUMBER;
        if ((to >> WEND_CORNER_ONWARD & 3) == UNKNOWN)
            made->edges[i].to =
                wend_corner_to(number, wend_corner_onward(&made->list[number], to & 7), to & 7);
    }
}

static bool fill_all(wend_corner_graph *made, const wend_jumps *jumps) {
    uint32_t number = 0;
    for (size_t i = 0; i < made->words; i++)
        for (uint64_t left = made->bits[i]; left; left &= left - 1)
            if (!make_corner(made, jumps, &made->list[number++], (wend_cell)(64 * i + wend_lowest_bit(left))))
                return false;
    note_onward(made);
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

/* Without corners. */
static wend_corner_graph *make_empty(const wend_jumps *jumps, const wend_allocator *allocator) {
    wend_corner_graph *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    if (!made) return NULL;
    made->allocator = *allocator;
    made->words = (size_t)jumps->cells / 64 + 1;
    made->bits = wend_allocate_zeroed(allocator, 3 * made->words, sizeof *made->bits);
    made->before = wend_allocate(allocator, made->words, sizeof *made->before);
    if (made->bits && made->before) {
        made->next = made->bits + made->words, made->stale = made->next + made->words;
        return made;
    }
    wend_corner_graph_destroy(made);
    return NULL;
}

/* For so many corners as are counted. */
static bool make_list(wend_corner_graph *made) {
    made->list = wend_allocate(&made->allocator, made->count, sizeof *made->list);
    made->components = wend_allocate(&made->allocator, made->count, sizeof *made->components);
    return made->list && made->components;
}

wend_status wend_corner_graph_create(const wend_jumps *jumps, const wend_allocator *allocator,
                                     wend_corner_graph **corners) {
    wend_corner_graph *made = make_empty(jumps, allocator);
    *corners = NULL;
    if (!made) return WEND_STATUS_NO_MEMORY;
    mark(made, jumps);
    count(made);
    wend_status status = made->count < WEND_MOST_CORNERS ? WEND_OK : WEND_STATUS_TOO_LARGE;
    if (status == WEND_OK && made->count) {
        bool good = make_list(made) && fill_all(made, jumps) && trim(made);
        status = good ? label(made, jumps) : WEND_STATUS_NO_MEMORY;
    }
    if (status != WEND_OK) {
        wend_corner_graph_destroy(made);
        return status;
    }
    *corners = made;
    return WEND_OK;
}

/* Whether the open cells around a rectangle follow one another: then what was closed in it cuts nothing off, and
 * what was opened joins nothing. */
static bool ring_is_joined(const wend_map *map, wend_rect edited) {
    const int32_t left = edited.x - 1, top = edited.y - 1, width = edited.width + 1,
                  height = edited.height + 1;
    const int32_t length = 2 * (width + height);
    uint32_t begins = 0;
    bool before = false, first = false;
    for (int32_t i = 0; i <= length; i++) {
        int32_t at = i % length, x = left, y = top;
        if (at < width)
            x += at;
        else if (at < width + height)
            x += width, y += at - width;
        else if (at < 2 * width + height)
            x += 2 * width + height - at, y += height;
        else
            y += length - at;
        bool open = wend_map_is_open(map, x, y);
        if (i && open && !before) begins++;
        if (!i) first = open;
        before = open;
    }
    return begins + (begins == 0 && first) == 1;
}

void wend_corner_graph_edited(const wend_jumps *jumps, wend_rect edited, bool alone) {
    const wend_map *map = jumps->map;
    wend_corner_graph *corners = jumps->corners;
    uint32_t opened = 0;
    for (int32_t y = edited.y - 1; y <= edited.y + edited.height; y++)
        for (int32_t x = edited.x - 1; x <= edited.x + edited.width; x++) {
            if (x < 0 || y < 0 || x >= map->width || y >= map->height) continue;
            wend_cell cell = (wend_cell)y * (wend_cell)map->width + (wend_cell)x;
            uint32_t around = wend_map_around(map, (uint32_t)x, (uint32_t)y);
            uint64_t bit = (uint64_t)1 << (cell & 63);
            wend_corner_touch(corners, cell);
            corners->next[cell >> 6] &= ~bit;
            if (around >> 4 & 1 && arrivals(jumps, around)) corners->next[cell >> 6] |= bit;
            bool inside =
                x >= edited.x && x < edited.x + edited.width && y >= edited.y && y < edited.y + edited.height;
            opened += inside && around >> 4 & 1;
        }
    bool all = opened == (uint32_t)edited.width * (uint32_t)edited.height;
    if ((opened && (!all || !alone)) || !ring_is_joined(map, edited)) corners->relabel = true;
}

/* By old number: what an edge to the corner is to be added, and then set. Of a corner that is made again the edges
 * are not known yet. */
typedef struct moved_corner {
    uint32_t add, set;
} moved_corner;

static void number_again(const wend_corner_graph *old, const wend_corner_graph *made, moved_corner *moved) {
    uint32_t was = 0, is = 0;
    for (size_t i = 0; i < old->words; i++)
        for (uint64_t left = old->bits[i] | made->bits[i]; left; left &= left - 1) {
            uint64_t bit = left & (~left + 1);
            if (old->bits[i] & bit) {
                moved[was].add = (is - was) << WEND_CORNER_NUMBER; /* of none that stays if it is gone */
                moved[was++].set = old->stale[i] & bit ? (uint32_t)UNKNOWN << WEND_CORNER_ONWARD : 0;
            }
            is += made->bits[i] & bit ? 1 : 0;
        }
}

static bool reserve_edges(wend_corner_graph *made, size_t count) {
    if (made->edge_room - made->edge_count >= count) return true;
    size_t room = 2 * made->edge_room + count;
    wend_corner_edge *larger =
        wend_enlarge(&made->allocator, made->edges, made->edge_room, room, sizeof *larger);
    if (!larger) return false;
    made->edges = larger, made->edge_room = room;
    return true;
}

/* Copies corners that follow one another and are not stale: `count` of them from old number `was` on. */
static bool copy_corners(wend_corner_graph *made, uint32_t number, const wend_corner_graph *old, uint32_t was,
                         uint32_t count, const moved_corner *moved) {
    if (!count) return true;
    const wend_corner *from = &old->list[was];
    wend_corner *to = &made->list[number];
    const uint32_t first = from->edges[0], edges = from[count - 1].edges[WEND_DIRECTIONS] - first;
    if (!reserve_edges(made, edges)) return false;
    const uint32_t shift = (uint32_t)made->edge_count - first;
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from[i];
        for (uint32_t d = 0; d <= WEND_DIRECTIONS; d++) to[i].edges[d] += shift;
    }
    memcpy(&made->components[number], &old->components[was], count * sizeof *made->components);
    for (uint32_t i = 0; i < edges; i++) {
        wend_corner_edge edge = old->edges[first + i];
        const moved_corner *end = &moved[edge.to >> WEND_CORNER_NUMBER];
        edge.to = (edge.to + end->add) | end->set;
        made->edges[made->edge_count + i] = edge;
    }
    made->edge_count += edges;
    return true;
}

/* Copies what is as it was, and makes the rest. */
static bool fill_stale(wend_corner_graph *made, const wend_corner_graph *old, const moved_corner *moved,
                       const wend_jumps *jumps) {
    uint32_t number = 0, was = 0, same = 0; /* so many before these two wait to be copied */
    for (size_t i = 0; i < made->words; i++) {
        uint64_t differ = (made->bits[i] ^ old->bits[i]) | old->stale[i];
        if (!differ) {
            uint32_t count = wend_count_bits(made->bits[i]);
            number += count, was += count, same += count;
            continue;
        }
        for (uint64_t left = made->bits[i] | old->bits[i]; left; left &= left - 1) {
            uint64_t bit = left & (~left + 1);
            bool is_old = old->bits[i] & bit, is_new = made->bits[i] & bit;
            if (!(differ & bit)) {
                number++, was++, same++;
                continue;
            }
            if (!copy_corners(made, number - same, old, was - same, same, moved)) return false;
            same = 0;
            if (is_new) {
                made->components[number] = is_old ? old->components[was] : WEND_NO_CELL;
                wend_cell cell = (wend_cell)(64 * i + wend_lowest_bit(bit));
                if (!make_corner(made, jumps, &made->list[number++], cell)) return false;
            }
            was += is_old;
        }
    }
    if (!copy_corners(made, number - same, old, was - same, same, moved)) return false;
    note_onward(made);
    return true;
}

/* New corners are of the component of any other that they see. False: one sees none that was there before. */
static bool label_new(wend_corner_graph *made, const wend_jumps *jumps) {
    for (uint32_t i = 0; i < made->count; i++) {
        for (uint32_t d = 0; d < WEND_DIRECTIONS && made->components[i] == WEND_NO_CELL; d++) {
            wend_corner_sweep sweep = wend_corner_sweep_from(made->list[i].cell, d);
            wend_corner_hit hit;
            while (!sweep.over && made->components[i] == WEND_NO_CELL)
                if (wend_corner_look(jumps, &sweep, &hit))
                    made->components[i] = made->components[wend_corner_of(made, hit.cell)];
        }
        if (made->components[i] == WEND_NO_CELL) return false;
    }
    return true;
}

wend_status wend_corner_graph_follow(const wend_jumps *jumps) {
    wend_corner_graph *old = jumps->corners, *made = make_empty(jumps, &old->allocator);
    if (!made) return WEND_STATUS_NO_MEMORY;
    memcpy(made->bits, old->next, made->words * sizeof *made->bits);
    count(made);
    wend_status status = WEND_OK;
    if (made->count >= WEND_MOST_CORNERS) status = WEND_STATUS_TOO_LARGE;
    if (status == WEND_OK && made->count) {
        moved_corner *moved = wend_allocate(&old->allocator, old->count + 1, sizeof *moved);
        made->edge_room = old->edge_count + old->edge_count / 8 + USUAL_EDGES;
        made->edges = wend_allocate(&old->allocator, made->edge_room, sizeof *made->edges);
        bool good = moved && made->edges && make_list(made);
        if (good) {
            number_again(old, made, moved);
            good = fill_stale(made, old, moved, jumps);
        }
        wend_release(&old->allocator, moved, old->count + 1, sizeof *moved);
        status = !good                                     ? WEND_STATUS_NO_MEMORY
                 : old->relabel || !label_new(made, jumps) ? label(made, jumps)
                                                           : WEND_OK;
    }
    if (status == WEND_OK) {
        wend_corner_graph swapped = *old;
        *old = *made, *made = swapped;
    }
    wend_corner_graph_destroy(made);
    return status;
}

void wend_corner_graph_destroy(wend_corner_graph *corners) {
    if (!corners) return;
    wend_allocator allocator = corners->allocator;
    wend_release(&allocator, corners->bits, 3 * corners->words, sizeof *corners->bits);
    wend_release(&allocator, corners->before, corners->words, sizeof *corners->before);
    wend_release(&allocator, corners->list, corners->count, sizeof *corners->list);
    wend_release(&allocator, corners->components, corners->count, sizeof *corners->components);
    wend_release(&allocator, corners->edges, corners->edge_room, sizeof *corners->edges);
    wend_release(&allocator, corners, 1, sizeof *corners);
}

size_t wend_corner_graph_bytes(const wend_corner_graph *corners) {
    return sizeof *corners + corners->words * (3 * sizeof *corners->bits + sizeof *corners->before) +
           corners->count * (sizeof *corners->list + sizeof *corners->components) +
           corners->edge_room * sizeof *corners->edges;
}
