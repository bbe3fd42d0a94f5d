/* Verifying an exact atlas: corners, links and lists are worked out again as a whole, which takes a part of
 * what a build takes; lists are compared at once, edges corner by corner. (That shortcuts are made of arcs is
 * seen when the file is opened.) */
#include "methods/atlas/build/corners.h"
#include "methods/atlas/verify.h"

#include "base/sort.h"

#include <stdatomic.h>

enum { CHUNK = 64 }; /* corners that a worker takes at a time */

struct wend_atlas_exact_check {
    wend_allocator allocator;
    wend_jumps *jumps;
    wend_atlas_corners corners;
    wend_atlas_sweeper *sweepers; /* one a worker */
    uint32_t workers;
    wend_buffer *links, *places; /* one a chunk */
    uint32_t chunks;
    wend_atlas_graph graph;
    wend_atlas_lists lists;
    uint32_t *rank; /* by corner */
    atomic_bool starved;
};

static void sweep_chunk(void *argument, uint32_t index, uint32_t worker) {
    wend_atlas_exact_check *made = argument;
    for (uint32_t i = index * CHUNK; i < made->corners.count && i < (index + 1) * CHUNK; i++)
        if (!wend_atlas_sweep(&made->sweepers[worker], i, &made->links[index], &made->places[index]))
            atomic_store(&made->starved, true);
}

static wend_status sweep_all(wend_atlas_exact_check *made, const wend_tasks *tasks) {
    const wend_allocator *allocator = &made->allocator;
    made->chunks = made->corners.count / CHUNK + 1;
    made->links = wend_allocate_zeroed(allocator, made->chunks, sizeof *made->links);
    made->places = wend_allocate_zeroed(allocator, made->chunks, sizeof *made->places);
    made->sweepers = wend_allocate_zeroed(allocator, made->workers, sizeof *made->sweepers);
    if (!made->links || !made->places || !made->sweepers) return WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < made->workers; i++)
        if (!wend_atlas_sweeper_create(&made->sweepers[i], &made->corners)) return WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < made->chunks; i++)
        made->links[i].allocator = made->places[i].allocator = allocator;
    wend_tasks_run(tasks, made->chunks, sweep_chunk, made);
    return atomic_load(&made->starved) ? WEND_STATUS_NO_MEMORY : WEND_OK;
}

static wend_status compare_corners(const wend_atlas_exact_check *made, const wend_atlas *atlas,
                                   wend_error *error) {
    if (made->corners.count != atlas->count)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "there should be %u corners, not %u",
                         made->corners.count, atlas->count);
    for (uint32_t i = 0; i < atlas->count; i++) made->rank[i] = UINT32_MAX;
    for (uint32_t i = 0; i < atlas->count; i++) {
        uint32_t corner = wend_atlas_corner_at(&made->corners, atlas->cells[i]);
        if (made->corners.cells[corner] != atlas->cells[i] || made->rank[corner] != UINT32_MAX)
            return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "cell %u is no corner, or is one twice",
                             atlas->cells[i]);
        made->rank[corner] = i;
    }
    return WEND_OK;
}

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static wend_status compare_lists(wend_atlas_exact_check *made, const wend_atlas *atlas, wend_error *error) {
    wend_atlas_lists *lists = &made->lists;
    for (size_t i = 0; i < lists->count; i++) lists->corners[i] = made->rank[lists->corners[i]];
    for (uint32_t i = 0; i < lists->squares; i++) {
        uint32_t *list = lists->corners + lists->first[i];
        size_t count = lists->first[i + 1] - lists->first[i];
        wend_sort(list, count, sizeof *list, by_number);
        bool same = count == atlas->ends[i + 1] - atlas->ends[i];
        for (size_t j = 0; same && j < count; j++)
            same = list[j] == wend_atlas_member(atlas, atlas->ends[i] + (uint32_t)j);
        if (!same)
            return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                             "the corners of square %u are not what the map gives", i);
    }
    return WEND_OK;
}

static wend_status make_all(wend_atlas_exact_check *made, const wend_verifier *verifier, wend_error *error) {
    const wend_atlas *atlas = wend_atlas_of(verifier->db);
    wend_status status = wend_atlas_corners_find(&made->corners, verifier->map, made->jumps, atlas->grid.side,
                                                 &made->allocator);
    if (status == WEND_OK) {
        made->rank = wend_allocate(&made->allocator, (size_t)made->corners.count + 1, sizeof *made->rank);
        status = made->rank ? compare_corners(made, atlas, error) : WEND_STATUS_NO_MEMORY;
    }
    if (status == WEND_OK) status = sweep_all(made, &verifier->options->tasks);
    made->graph.map = verifier->map, made->graph.cells = made->corners.cells;
    made->graph.nodes = made->corners.count;
    for (uint32_t i = 0; status == WEND_OK && i < made->chunks; i++)
        status = wend_atlas_graph_add(&made->graph, &made->links[i]);
    if (status == WEND_OK && made->graph.edge_count != atlas->neighbours)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "there should be %u links, not %u",
                         made->graph.edge_count, atlas->neighbours);
    if (status == WEND_OK) status = wend_atlas_graph_thin(&made->graph);
    if (status == WEND_OK && made->graph.edge_count != atlas->edges)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "there should be %u edges, not %u",
                         made->graph.edge_count, atlas->edges);
    if (status == WEND_OK)
        status = wend_atlas_lists_make(&made->lists, &made->corners, made->places, made->chunks);
    return status == WEND_OK ? compare_lists(made, atlas, error) : status;
}

wend_status wend_atlas_exact_prepare(wend_verifier *verifier, wend_atlas_exact_check **check,
                                     wend_error *error) {
    wend_atlas_exact_check *made = wend_allocate_zeroed(&verifier->allocator, 1, sizeof *made);
    *check = made;
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for verifying");
    made->allocator = made->graph.allocator = verifier->allocator;
    made->workers = verifier->workers;
    atomic_init(&made->starved, false);
    wend_status status = wend_jumps_create(verifier->map, &made->allocator, &made->jumps, error);
    if (status == WEND_OK) status = make_all(made, verifier, error);
    if (status == WEND_STATUS_NO_MEMORY) return wend_fail(error, status, "no memory for verifying");
    verifier->pieces = wend_atlas_of(verifier->db)->count;
    return status;
}

void wend_atlas_exact_release(wend_atlas_exact_check *made) {
    if (!made) return;
    wend_allocator allocator = made->allocator;
    for (uint32_t i = 0; made->sweepers && i < made->workers; i++)
        wend_atlas_sweeper_release(&made->sweepers[i]);
    for (uint32_t i = 0; made->links && made->places && i < made->chunks; i++) {
        wend_buffer_release(&made->links[i]);
        wend_buffer_release(&made->places[i]);
    }
    wend_release(&allocator, made->sweepers, made->workers, sizeof *made->sweepers);
    wend_release(&allocator, made->links, made->chunks, sizeof *made->links);
    wend_release(&allocator, made->places, made->chunks, sizeof *made->places);
    wend_release(&allocator, made->rank, (size_t)made->corners.count + 1, sizeof *made->rank);
    wend_atlas_lists_release(&made->lists);
    wend_atlas_graph_release(&made->graph);
    wend_atlas_corners_release(&made->corners);
    wend_jumps_destroy(made->jumps);
    wend_release(&allocator, made, 1, sizeof *made);
}

/* The edge between two corners, by number; NULL: none. */
static const wend_atlas_edge *edge_between(const wend_atlas_graph *graph, uint32_t from, uint32_t to) {
    for (uint32_t i = graph->first[from]; i < graph->first[from + 1]; i++)
        if (graph->arcs[i].to == to) return &graph->edges[graph->arcs[i].edge];
    return NULL;
}

/* There are as many edges as there should be, so that it is enough if each of them is one. */
wend_status wend_atlas_exact_verify(const wend_atlas_exact_check *made, const wend_atlas *atlas,
                                    uint32_t rank, wend_error *error) {
    const wend_atlas_graph *graph = &made->graph;
    uint32_t from = wend_atlas_corner_at(&made->corners, atlas->cells[rank]);
    for (uint32_t i = atlas->first[rank]; i < atlas->first[rank + 1]; i++) {
        wend_atlas_up up = wend_atlas_arc_at(atlas, i);
        if (up.what < atlas->count) continue;
        uint32_t to = wend_atlas_corner_at(&made->corners, atlas->cells[up.to]);
        const wend_atlas_edge *edge = edge_between(graph, from, to);
        uint32_t bends = wend_atlas_bend_count(atlas, up.what);
        bool same = edge && edge->cost == up.cost && edge->bend_count == bends;
        for (uint32_t j = 0; same && j < bends; j++)
            same = graph->bends[edge->bends + (edge->a == from ? j : bends - 1 - j)] ==
                   wend_atlas_bend(atlas, up.what, j, false);
        if (!same)
            return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                             "the edge between corners %u and %u is not what the map gives", rank, up.to);
    }
    return WEND_OK;
}
