/* Building an atlas: representatives first, then in jobs the links of neighbours, then long edges, the
 * hierarchy and the sections.
 *
 * Memory: 4 bytes per cell for the owners while representatives are chosen. Then, in their place, 16 bytes
 * per cell for the tables of jump-point search. What is kept of representatives and edges comes on top. */
#include "methods/atlas/build/build.h"

#include "methods/atlas/build/corners.h"

#include "base/sort.h"

#include <string.h>

enum { JOB_PAIRS = 256, MOST_JOBS = 4096 };

typedef struct works {
    const wend_map *map;
    wend_allocator allocator;
    wend_atlas_cover cover;
    wend_jumps *jumps;
    wend_atlas_linker *linkers; /* one a worker */
    uint32_t workers;
    size_t job_pairs; /* or corners */
    bool exact;       /* then these, in place of `cover` and `linkers` */
    wend_atlas_corners corners;
    wend_atlas_sweeper *sweepers;
    wend_atlas_lists lists;
    uint32_t neighbours; /* edges before any are added or dropped */
    wend_atlas_graph graph;
    wend_atlas_hierarchy hierarchy;
    wend_atlas_labels labels; /* empty unless they are asked for */
    bool labelled;
} works;

static void release_links(works *made) {
    for (uint32_t i = 0; made->linkers && i < made->workers; i++)
        if (made->linkers[i].map) wend_atlas_linker_release(&made->linkers[i]);
    wend_release(&made->allocator, made->linkers, made->workers, sizeof *made->linkers);
    for (uint32_t i = 0; made->sweepers && i < made->workers; i++)
        wend_atlas_sweeper_release(&made->sweepers[i]);
    wend_release(&made->allocator, made->sweepers, made->workers, sizeof *made->sweepers);
    wend_jumps_destroy(made->jumps);
    made->linkers = NULL, made->sweepers = NULL, made->jumps = NULL;
}

static void release(works *made) {
    if (!made) return;
    wend_allocator allocator = made->allocator;
    wend_atlas_labels_release(&made->labels);
    wend_atlas_hierarchy_release(&made->hierarchy);
    wend_atlas_graph_release(&made->graph);
    release_links(made);
    wend_atlas_lists_release(&made->lists);
    wend_atlas_corners_release(&made->corners);
    wend_atlas_cover_release(&made->cover);
    wend_release(&allocator, made, 1, sizeof *made);
}

void wend_atlas_release(wend_builder *builder) {
    release(builder->state);
    builder->state = NULL;
}

static wend_atlas_crew crew_of(const wend_builder *builder) {
    return (wend_atlas_crew){&builder->options->tasks, builder->workers, builder};
}

static void divide(wend_builder *builder, works *made, size_t count) {
    made->job_pairs = count / MOST_JOBS;
    if (made->job_pairs < JOB_PAIRS) made->job_pairs = JOB_PAIRS;
    builder->jobs = (uint32_t)(count / made->job_pairs + 1);
}

static wend_status prepare_exact(wend_builder *builder, works *made, uint32_t side, wend_error *error) {
    const wend_allocator *allocator = &builder->allocator;
    wend_status status = wend_jumps_create(builder->map, allocator, &made->jumps, error);
    if (status != WEND_OK) return status;
    status = wend_atlas_corners_find(&made->corners, builder->map, made->jumps, side, allocator);
    made->cover.grid = made->corners.grid;
    if (status == WEND_OK) {
        made->sweepers = wend_allocate_zeroed(allocator, made->workers, sizeof *made->sweepers);
        if (!made->sweepers) status = WEND_STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < made->workers && status == WEND_OK; i++)
        if (!wend_atlas_sweeper_create(&made->sweepers[i], &made->corners)) status = WEND_STATUS_NO_MEMORY;
    if (status != WEND_OK)
        return wend_fail(error, status, "no memory for the corners of an atlas and %u workers",
                         (unsigned)made->workers);
    divide(builder, made, made->corners.count);
    return WEND_OK;
}

wend_status wend_atlas_prepare(wend_builder *builder, wend_error *error) {
    const wend_allocator *allocator = &builder->allocator;
    works *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for an atlas");
    builder->state = made;
    made->map = builder->map, made->allocator = *allocator, made->workers = builder->workers;
    made->cover.allocator = made->graph.allocator = made->hierarchy.allocator = *allocator;
    made->labels.allocator = *allocator;
    made->labelled = wend_settings_integer(builder->settings, "labels");
    wend_atlas_crew crew = crew_of(builder);
    uint32_t side = (uint32_t)wend_settings_integer(builder->settings, "sector");
    made->exact = wend_settings_integer(builder->settings, "exact");
    if (made->exact) return prepare_exact(builder, made, side, error);
    wend_status status = wend_atlas_cover_make(&made->cover, builder->map, side, &crew, allocator, error);
    if (status == WEND_OK && !wend_builder_goes_on(builder, "tables", 0, 1))
        status = wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted before links were made");
    if (status == WEND_OK) status = wend_jumps_create(builder->map, allocator, &made->jumps, error);
    if (status != WEND_OK) return status;
    made->linkers = wend_allocate_zeroed(allocator, made->workers, sizeof *made->linkers);
    status = made->linkers ? WEND_OK : WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < made->workers && status == WEND_OK; i++)
        status = wend_atlas_linker_create(&made->linkers[i], builder->map, made->jumps, allocator);
    if (status != WEND_OK)
        return wend_fail(error, status, "no memory for %u workers", (unsigned)made->workers);
    divide(builder, made, made->cover.pair_count);
    return WEND_OK;
}

/* Of an exact atlas: how many bytes the links take, the links, and the sectors of the corners. */
static wend_status sweep_job(works *made, uint32_t job, uint32_t worker, wend_buffer *result) {
    wend_buffer links = {.allocator = result->allocator}, places = {.allocator = result->allocator};
    size_t first = job * made->job_pairs, end = first + made->job_pairs;
    if (end > made->corners.count) end = made->corners.count;
    bool good = true;
    for (size_t i = first; good && i < end; i++)
        good = wend_atlas_sweep(&made->sweepers[worker], (uint32_t)i, &links, &places);
    uint8_t size[8];
    wend_store64(size, links.size);
    good = good && wend_buffer_add(result, size, sizeof size) &&
           wend_buffer_add(result, links.data, links.size) &&
           wend_buffer_add(result, places.data, places.size);
    wend_buffer_release(&links);
    wend_buffer_release(&places);
    return good ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

wend_status wend_atlas_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result) {
    works *made = builder->state;
    if (made->exact) return sweep_job(made, job, worker, result);
    wend_atlas_linker *linker = &made->linkers[worker];
    const wend_atlas_cover *cover = &made->cover;
    size_t first = job * made->job_pairs, end = first + made->job_pairs;
    if (end > cover->pair_count) end = cover->pair_count;
    for (size_t i = first; i < end; i++) {
        uint32_t a = (uint32_t)(cover->pairs[i] >> 32), b = (uint32_t)cover->pairs[i];
        wend_cost cost;
        wend_status status = wend_atlas_link(linker, cover->reps[a], cover->reps[b], UINT64_MAX, &cost);
        if (status != WEND_OK) return status;
        if (!wend_atlas_put(result, a, b, cost, linker->bends, linker->bend_count))
            return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

/* The sections ------------------------------------------------------------------------------------------- */

/* Words of 16 bits where these suffice for ranks and lists of bends. */
typedef struct packing {
    works *made;
    wend_builder *builder;
    bool wide;
    uint32_t words, label_words;
    wend_error *error;
} packing;

static void put_word(const packing *p, void *words, size_t at, uint32_t value) {
    if (p->wide)
        ((uint32_t *)words)[at] = value;
    else
        ((uint16_t *)words)[at] = (uint16_t)value;
}

/* Two numbers and a cost, in `count` words. */
static void put_words(const packing *p, void *words, size_t at, uint32_t count, uint32_t first,
                      uint32_t second, uint64_t cost) {
    put_word(p, words, at, first);
    put_word(p, words, at + 1, second);
    put_word(p, words, at + 2, (uint32_t)cost);
    if (count == 4) put_word(p, words, at + 3, (uint32_t)(cost >> (p->wide ? 32 : 16)));
}

static wend_status add_words(const packing *p, const char *name, const void *words, size_t count) {
    return wend_builder_section(p->builder, name, p->wide ? 4 : 2, words, count, p->error);
}

static wend_status no_memory(wend_error *error) {
    return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the sections of an atlas");
}

typedef struct placed {
    uint32_t sector;
    wend_cell cell;
    uint32_t rank;
} placed;

static int by_rank(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int by_place(const void *a, const void *b) {
    const placed *x = a, *y = b;
    if (x->sector != y->sector) return x->sector < y->sector ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* Of an exact atlas: where corners are, and which of them cells of a sector may have at their ends. */
static wend_status add_corners(const packing *p) {
    const works *made = p->made;
    const wend_atlas_lists *lists = &made->lists;
    const wend_allocator *allocator = &made->allocator;
    size_t count = made->graph.nodes,
           room = (lists->count > lists->squares ? lists->count : lists->squares) + 1;
    if (room < count) room = count;
    uint32_t *words = wend_allocate(allocator, room, sizeof *words);
    if (!words) return no_memory(p->error);
    for (uint32_t i = 0; i < count; i++) words[i] = made->graph.cells[made->hierarchy.order[i]];
    wend_status status = wend_builder_section(p->builder, "reps", 4, words, count, p->error);
    if (status == WEND_OK) {
        for (uint32_t i = 0; i <= lists->squares; i++) words[i] = (uint32_t)lists->first[i];
        status = wend_builder_section(p->builder, "ends", 4, words, (size_t)lists->squares + 1, p->error);
    }
    if (status == WEND_OK) {
        for (size_t i = 0; i < lists->count; i++) lists->corners[i] = made->hierarchy.rank[lists->corners[i]];
        for (uint32_t i = 0; i < lists->squares; i++)
            wend_sort(lists->corners + lists->first[i], lists->first[i + 1] - lists->first[i],
                      sizeof *lists->corners, by_rank);
        for (size_t i = 0; i < lists->count; i++) put_word(p, words, i, lists->corners[i]);
        status = add_words(p, "members", words, lists->count);
    }
    wend_release(allocator, words, room, sizeof *words);
    return status;
}

/* Where representatives are, and which of them are in a sector. */
static wend_status add_places(const packing *p) {
    const works *made = p->made;
    const wend_atlas_grid *grid = &made->cover.grid;
    const wend_allocator *allocator = &made->allocator;
    size_t count = made->graph.nodes, sectors = (size_t)grid->columns * grid->rows;
    size_t room = (count > sectors ? count : sectors) + 1;
    placed *places = wend_allocate(allocator, count + 1, sizeof *places);
    uint32_t *words = wend_allocate(allocator, room, sizeof *words);
    wend_status status = places && words ? WEND_OK : no_memory(p->error);
    if (status == WEND_OK) {
        for (uint32_t i = 0; i < count; i++) {
            wend_cell cell = made->cover.reps[made->hierarchy.order[i]];
            places[i] = (placed){wend_atlas_sector(grid, made->map, cell), cell, i};
            words[i] = cell;
        }
        status = wend_builder_section(p->builder, "reps", 4, words, count, p->error);
    }
    if (status == WEND_OK) {
        wend_sort(places, count, sizeof *places, by_place);
        for (size_t i = 0, at = 0; i <= sectors; i++) {
            while (at < count && places[at].sector < i) at++;
            put_word(p, words, i, (uint32_t)at);
        }
        status = add_words(p, "sectors", words, sectors + 1);
    }
    if (status == WEND_OK) {
        for (size_t i = 0; i < count; i++) put_word(p, words, i, places[i].rank);
        status = add_words(p, "members", words, count);
    }
    wend_release(allocator, places, count + 1, sizeof *places);
    wend_release(allocator, words, room, sizeof *words);
    return status;
}

/* What an arc is, as wend_atlas_up gives it; an edge with bends has its list added. */
static bool what_is(const packing *p, uint32_t rank, const wend_atlas_link_up *up, wend_buffer *lists,
                    wend_buffer *bends, uint32_t *what) {
    const works *made = p->made;
    *what = up->middle;
    if (up->edge == WEND_ATLAS_SHORTCUT) return true;
    const wend_atlas_edge *edge = &made->graph.edges[up->edge];
    *what = made->graph.nodes;
    if (!edge->bend_count) return true;
    uint32_t at = (uint32_t)(bends->size / sizeof(wend_cell));
    *what += 1 + (uint32_t)(lists->size / sizeof at);
    bool good = wend_buffer_add(lists, &at, sizeof at), forward = edge->a == made->hierarchy.order[rank];
    for (uint32_t i = 0; good && i < edge->bend_count; i++) {
        size_t from = edge->bends + (forward ? i : edge->bend_count - 1 - i);
        good = wend_buffer_add(bends, &made->graph.bends[from], sizeof(wend_cell));
    }
    return good;
}

static wend_status add_arcs(const packing *p, wend_buffer *lists, wend_buffer *bends) {
    const wend_atlas_hierarchy *hierarchy = &p->made->hierarchy;
    const wend_allocator *allocator = &p->made->allocator;
    size_t count = hierarchy->nodes, room = hierarchy->up_count * p->words + 1;
    uint32_t *first = wend_allocate(allocator, count + 1, sizeof *first);
    uint32_t *words = wend_allocate(allocator, room, p->wide ? 4 : 2);
    bool good = first && words;
    size_t at = 0;
    for (uint32_t i = 0; good && i <= count; i++) {
        first[i] = (uint32_t)hierarchy->first[i];
        for (size_t j = hierarchy->first[i]; good && i < count && j < hierarchy->first[i + 1]; j++) {
            const wend_atlas_link_up *up = &hierarchy->up[j];
            uint32_t what;
            good = what_is(p, i, up, lists, bends, &what);
            put_words(p, words, at, p->words, up->to, what, up->cost);
            at += p->words;
        }
    }
    uint32_t end = (uint32_t)(bends->size / sizeof end);
    good = good && wend_buffer_add(lists, &end, sizeof end);
    wend_status status = good ? WEND_OK : no_memory(p->error);
    if (status == WEND_OK) status = wend_builder_section(p->builder, "first", 4, first, count + 1, p->error);
    if (status == WEND_OK) status = add_words(p, "arcs", words, at);
    wend_release(allocator, first, count + 1, sizeof *first);
    wend_release(allocator, words, room, p->wide ? 4 : 2);
    return status;
}

static wend_status add_labels(const packing *p) {
    const wend_atlas_labels *labels = &p->made->labels;
    const wend_allocator *allocator = &p->made->allocator;
    size_t count = labels->nodes, room = labels->entry_count * p->label_words + 1, at = 0;
    uint32_t *first = wend_allocate(allocator, count + 1, sizeof *first);
    uint32_t *words = wend_allocate(allocator, room, p->wide ? 4 : 2);
    wend_status status = first && words ? WEND_OK : no_memory(p->error);
    for (uint32_t i = 0; status == WEND_OK && i <= count; i++) {
        first[i] = (uint32_t)(at / p->label_words);
        for (size_t j = 0; i < count && j < labels->count[i]; j++, at += p->label_words) {
            const wend_atlas_label *label = &labels->entries[labels->first[i] + j];
            put_words(p, words, at, p->label_words, label->hub, label->arc, label->cost);
        }
    }
    if (status == WEND_OK)
        status = wend_builder_section(p->builder, "label_first", 4, first, count + 1, p->error);
    if (status == WEND_OK) status = add_words(p, "labels", words, at);
    wend_release(allocator, first, count + 1, sizeof *first);
    wend_release(allocator, words, room, p->wide ? 4 : 2);
    return status;
}

static wend_status add_sections(packing *p) {
    const works *made = p->made;
    const wend_atlas_hierarchy *hierarchy = &made->hierarchy;
    uint64_t most_cost = 0, most_label = 0;
    uint32_t lists_needed = 0;
    for (size_t i = 0; i < hierarchy->up_count; i++)
        if (hierarchy->up[i].cost > most_cost) most_cost = hierarchy->up[i].cost;
    for (size_t i = 0; i < made->labels.entry_count; i++)
        if (made->labels.entries[i].cost > most_label) most_label = made->labels.entries[i].cost;
    for (uint32_t i = 0; i < made->graph.edge_count; i++) lists_needed += made->graph.edges[i].bend_count > 0;
    p->wide = (uint64_t)made->graph.nodes + lists_needed >= UINT16_MAX || most_cost > UINT32_MAX ||
              most_label > UINT32_MAX;
    p->words = most_cost > (p->wide ? UINT32_MAX : UINT16_MAX) ? 4 : 3;
    p->label_words = !made->labelled ? 0 : most_label > (p->wide ? UINT32_MAX : UINT16_MAX) ? 4 : 3;
    if (hierarchy->up_count > UINT32_MAX || made->labels.entry_count > UINT32_MAX ||
        made->lists.count > UINT32_MAX)
        return wend_fail(p->error, WEND_STATUS_TOO_LARGE,
                         "more arcs or labels than a file can number: choose larger sectors");
    const uint32_t counts[] = {made->graph.edge_count, hierarchy->shortcuts, made->neighbours, p->words,
                               p->label_words};
    wend_buffer lists = {.allocator = &made->allocator}, bends = {.allocator = &made->allocator};
    wend_status status =
        wend_builder_section(p->builder, "counts", 4, counts, sizeof counts / sizeof *counts, p->error);
    if (status == WEND_OK) status = made->exact ? add_corners(p) : add_places(p);
    if (status == WEND_OK) status = add_arcs(p, &lists, &bends);
    if (status == WEND_OK)
        status = wend_builder_section(p->builder, "lists", 4, lists.data, lists.size / 4, p->error);
    if (status == WEND_OK && made->labelled) status = add_labels(p);
    if (status == WEND_OK)
        status = wend_builder_section(p->builder, "bends", 4, bends.data, bends.size / 4, p->error);
    wend_buffer_release(&lists);
    wend_buffer_release(&bends);
    return status;
}

/* The whole ---------------------------------------------------------------------------------------------- */

/* The corner graph: links and lists of all jobs. */
static wend_status make_corner_graph(works *made, const wend_builder *builder, const wend_buffer *results) {
    wend_atlas_graph *graph = &made->graph;
    wend_buffer *places = wend_allocate_zeroed(&made->allocator, builder->jobs, sizeof *places);
    wend_status status = places ? WEND_OK : WEND_STATUS_NO_MEMORY;
    graph->map = made->map, graph->cells = made->corners.cells, graph->nodes = made->corners.count;
    for (uint32_t i = 0; i < builder->jobs && status == WEND_OK; i++) {
        uint64_t size = results[i].size < 8 ? UINT64_MAX : wend_load64(results[i].data);
        if (results[i].size < 8 || size > results[i].size - 8) {
            status = WEND_STATUS_DAMAGED;
            break;
        }
        wend_buffer links = {.data = results[i].data + 8, .size = (size_t)size};
        status = wend_atlas_graph_add(graph, &links);
        places[i] = (wend_buffer){.data = links.data + size, .size = results[i].size - 8 - (size_t)size};
    }
    if (status == WEND_OK)
        status = wend_atlas_lists_make(&made->lists, &made->corners, places, builder->jobs);
    wend_release(&made->allocator, places, builder->jobs, sizeof *places);
    made->neighbours = graph->edge_count;
    return status == WEND_OK ? wend_atlas_graph_thin(graph) : status;
}

static wend_status make_near_graph(works *made, const wend_builder *builder, const wend_buffer *results) {
    wend_atlas_graph *graph = &made->graph;
    wend_atlas_crew crew = crew_of(builder);
    graph->map = made->map, graph->cells = made->cover.reps, graph->nodes = made->cover.count;
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < builder->jobs && status == WEND_OK; i++)
        status = wend_atlas_graph_add(graph, &results[i]);
    if (status == WEND_OK && graph->edge_count != made->cover.pair_count) status = WEND_STATUS_DAMAGED;
    made->neighbours = graph->edge_count;
    if (status == WEND_OK) status = wend_atlas_graph_arcs(graph);
    uint32_t spare = (uint32_t)(wend_settings_number(builder->settings, "eps") * 10000 + 0.5);
    uint32_t rounds = (uint32_t)wend_settings_integer(builder->settings, "rounds");
    for (uint32_t i = 0; i < rounds && status == WEND_OK; i++)
        status = wend_atlas_graph_round(graph, made->linkers, spare, i, rounds, &crew);
    return status;
}

static wend_status make_graph(works *made, const wend_builder *builder, const wend_buffer *results) {
    wend_atlas_crew crew = crew_of(builder);
    wend_status status =
        made->exact ? make_corner_graph(made, builder, results) : make_near_graph(made, builder, results);
    release_links(made); /* there are no more of them to make */
    if (status == WEND_OK) status = wend_atlas_hierarchy_make(&made->hierarchy, &made->graph, &crew);
    if (status != WEND_OK || !made->labelled) return status;
    return wend_atlas_labels_make(&made->labels, &made->hierarchy, &crew);
}

wend_status wend_atlas_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    works *made = builder->state;
    wend_status status = make_graph(made, builder, results);
    if (status == WEND_STATUS_DAMAGED)
        return wend_fail(error, status, "the jobs of the build are not what they should be");
    if (status == WEND_STATUS_INTERRUPTED)
        return wend_fail(error, status, "interrupted with all jobs finished");
    if (status != WEND_OK) return wend_fail(error, status, "no memory for the edges of an atlas");
    packing p = {.made = made, .builder = builder, .error = error};
    return add_sections(&p);
}
