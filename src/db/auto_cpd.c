/* How large a path database gets and how long it takes, from a sample of its blocks. */
#include "db/auto.h"

#include "db/budget.h"
#include "db/cpd_order.h"
#include "db/cpd_unit.h"

/* A core of about 3 GHz takes so many seconds for a pair of cells of one component: both rounds of searches,
 * and the rows (docs/cpd.md has the measurements). Constants, so that the choice is the same everywhere. */
#define PAIR_SECONDS 1e-8
/* Blocks that the order of cells is made from, and as many others that rows are made of. */
enum { SAMPLE = 16 };
/* Rows along the order of a whole build, which all blocks have a say in, are so many times as large. */
#define ORDER_GAIN 0.95
/* A sample may be wrong by a tenth and more. */
#define MARGIN 1.15

typedef struct sample {
    wend_budget budget;
    wend_allocator allocator;
    wend_ranks ranks;
    wend_cpd_units units;
    wend_cpd_worker *worker;
    double bytes; /* of all rows, by what the sample gave */
} sample;

static wend_status goes_on(const wend_build_options *options, uint32_t done, uint32_t total,
                           wend_error *error) {
    if (wend_build_goes_on(options, "choosing", done, total)) return WEND_OK;
    return wend_fail(error, WEND_INTERRUPTED, "interrupted before anything was finished");
}

/* One of the units, spread over all: those of the order, then those that are measured, in between. */
static const wend_cpd_unit *unit_at(const sample *s, uint32_t i) {
    uint64_t place = i < SAMPLE ? 4 * (uint64_t)i + 1 : 4 * (uint64_t)(i - SAMPLE) + 3;
    return &s->units.list[place * s->units.count / (4 * SAMPLE)];
}

static wend_status make_worker(sample *s) {
    wend_status status = wend_cpd_units_create(&s->ranks, &s->allocator, &s->units, NULL);
    return status == WEND_OK
               ? wend_cpd_worker_create(&s->ranks, &s->units, WEND_MANY_BEST, &s->allocator, &s->worker)
               : status;
}

static void release_worker(sample *s) {
    wend_cpd_worker_destroy(s->worker);
    s->worker = NULL;
    if (s->units.sources) wend_cpd_units_release(&s->units);
    s->units.sources = NULL;
}

/* The order of cells that the first half of the sample gives. */
static wend_status find_order(sample *s, const wend_build_options *options, wend_error *error) {
    size_t edges = (size_t)s->ranks.count * WEND_CPD_EDGES;
    uint32_t *weights = wend_allocate_zeroed(&s->allocator, edges, sizeof *weights);
    wend_cell *cells = wend_allocate(&s->allocator, s->ranks.count, sizeof *cells);
    wend_status status = weights && cells ? make_worker(s) : WEND_NO_MEMORY;
    for (uint32_t i = 0; status == WEND_OK && i < SAMPLE; i++) {
        status = goes_on(options, i, 2 * SAMPLE, error);
        if (status == WEND_OK) status = wend_cpd_unit_weigh(s->worker, unit_at(s, i), weights);
    }
    release_worker(s);
    if (status == WEND_OK) status = wend_cpd_order(&s->ranks, weights, &s->allocator, cells, NULL);
    if (status == WEND_OK) wend_ranks_reorder(&s->ranks, cells);
    wend_release(&s->allocator, cells, s->ranks.count, sizeof *cells);
    wend_release(&s->allocator, weights, edges, sizeof *weights);
    return status;
}

static wend_status measure(sample *s, const wend_build_options *options, wend_error *error) {
    double weights = 0, bytes = 0;
    wend_status status = make_worker(s);
    for (uint32_t i = SAMPLE; status == WEND_OK && i < 2 * SAMPLE; i++) {
        const wend_cpd_unit *unit = unit_at(s, i);
        wend_buffer rows = {.allocator = &s->allocator};
        status = goes_on(options, i, 2 * SAMPLE, error);
        if (status == WEND_OK) status = wend_cpd_unit_sets(s->worker, unit);
        if (status == WEND_OK) status = wend_cpd_unit_encode(s->worker, unit, &rows);
        bytes += (double)rows.size, weights += unit->sources;
        wend_buffer_release(&rows);
    }
    release_worker(s);
    /* What a source takes, of all sources; and the order itself, half a byte a cell and more. */
    s->bytes = s->ranks.count + (weights > 0 ? ORDER_GAIN * bytes * s->ranks.count / weights : 0);
    return status;
}

static wend_status take_sample(sample *s, const wend_map *map, const wend_build_options *options,
                               wend_error *error) {
    wend_status status = wend_ranks_create(map, &s->allocator, &s->ranks, NULL);
    if (status == WEND_OK && s->ranks.count) {
        status = find_order(s, options, error);
        if (status == WEND_OK) status = measure(s, options, error);
    }
    if (s->ranks.cells) wend_ranks_release(&s->ranks);
    return status;
}

/* Pairs of cells that a path joins; of the largest component alone, where those are more than `enough`. */
static wend_status count_pairs(const wend_map *map, const wend_allocator *allocator, double enough,
                               double *pairs, wend_error *error) {
    wend_components *components = NULL;
    wend_status status = wend_components_create(map, allocator, &components, error);
    if (status != WEND_OK) return status;
    uint32_t largest = wend_components_largest(components);
    double size = largest == WEND_NO_CELL ? 0 : wend_components_size(components, largest);
    *pairs = size * size;
    if (*pairs <= enough) {
        *pairs = 0;
        for (wend_cell cell = 0; cell < map->cells; cell++)
            if (wend_map_is_open_cell(map, cell))
                *pairs += wend_components_size(components, wend_components_label(components, cell));
    }
    wend_components_destroy(components);
    return WEND_OK;
}

wend_status wend_auto_estimate_cpd(const wend_map *map, const wend_build_options *options,
                                   double most_seconds, double most_bytes, wend_cpd_estimate *estimate,
                                   wend_error *error) {
    sample s = {.bytes = 0};
    wend_allocator below = wend_allocator_or_default(&options->allocator);
    *estimate = (wend_cpd_estimate){.fits = false};
    if (map->open_cells >= WEND_CPD_MOST_CELLS) return WEND_OK;
    wend_budget_init(&s.budget, &below, options->max_memory, 0);
    s.allocator = wend_budget_allocator(&s.budget);
    double pairs;
    wend_status status = count_pairs(map, &s.allocator, most_seconds / PAIR_SECONDS, &pairs, error);
    if (status != WEND_OK) return status;
    estimate->seconds = pairs * PAIR_SECONDS;
    if (estimate->seconds > most_seconds) return WEND_OK;
    status = take_sample(&s, map, options, error);
    if (status == WEND_NO_MEMORY) { /* then a build would not have enough either */
        estimate->seconds = 0;
        return WEND_OK;
    }
    estimate->bytes = s.bytes;
    estimate->fits = most_bytes <= 0 || s.bytes * MARGIN <= most_bytes;
    return status;
}
