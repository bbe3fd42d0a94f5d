/* What a path database would take: from a few of its parcels, spread over all of them, which are built as a
 * build would build them. Of small maps they are all parcels.
 *
 * Time goes with the work of parcels, which is known. Lists of records are made source by source, so that their
 * size follows from a sample. Runs need an order of the cells first: here it is found from some parcels, and rows
 * are made of others. Such an order is worse than that of a build, which asks all sources. That makes rows
 * longer, the more so the smaller the part of them is. A quarter of all parcels for the order and an eighth for rows gave
 * 0.83 to 1.40 of the real sizes on 104 maps of up to 60,000 open cells. 48 and 24 gave 0.72 to 2.04. */
#include "methods/cpd/build/estimate.h"

#include "base/budget.h"
#include "methods/cpd/build/order.h"
#include "methods/cpd/layout.h"
#include "methods/cpd/lists/build.h"

/* Parcels: of lists; of runs, at least so many for the order and for rows, and these parts of all of them. */
enum { LISTS = 24, LEAST = 48, WEIGHED_PART = 4, ROWS_PART = 8, MOST = 1024 };

/* One in `part` of them, but at least LEAST, and no more than of MOST: beyond, estimates would take too long. */
static uint32_t part_of(uint32_t all, uint32_t part) {
    uint32_t count = (all < MOST ? all : MOST) / part;
    if (count < LEAST) count = LEAST;
    return count < all ? count : all;
}

typedef struct sample {
    const wend_map *map;
    const wend_allocator *allocator;
    wend_ranks ranks;
    wend_cpd_parcels parcels;
    wend_budget meter; /* what a worker takes, as it takes it */
    wend_allocator metered;
    size_t each;             /* bytes of a worker, the most that was seen */
    double done, total;      /* work */
    uint64_t sources, bytes; /* of the parcels whose rows or lists were made */
} sample;

static double work_of(const sample *s, const wend_cpd_parcel *parcel) {
    double cells = s->ranks.firsts[parcel->component + 1] - s->ranks.firsts[parcel->component];
    return cells * (parcel->sources + 16);
}

/* Number `i` of `count` parcels that are spread evenly. */
static const wend_cpd_parcel *parcel_at(const sample *s, uint32_t i, uint32_t count) {
    return &s->parcels.list[(2 * (uint64_t)i + 1) * s->parcels.count / (2 * (uint64_t)count)];
}

static wend_status begin(sample *s, const wend_map *map, const wend_allocator *allocator, wend_error *error) {
    *s = (sample){.map = map, .allocator = allocator};
    wend_budget_init(&s->meter, allocator, 0, 0);
    s->metered = wend_budget_allocator(&s->meter);
    wend_status status = wend_ranks_create(map, allocator, &s->ranks, error);
    if (status == WEND_OK) status = wend_cpd_parcels_create(&s->ranks, allocator, &s->parcels, error);
    for (uint32_t i = 0; i < s->parcels.count && status == WEND_OK; i++)
        s->total += work_of(s, &s->parcels.list[i]);
    return status;
}

static void end(sample *s) {
    if (s->parcels.sources) wend_cpd_parcels_release(&s->parcels);
    if (s->ranks.cells) wend_ranks_release(&s->ranks);
}

/* Before a worker is released; `more` is what it has beside. */
static void note_worker(sample *s, size_t more) {
    size_t used = atomic_load(&s->meter.used) + more;
    if (used > s->each) s->each = used;
}

/* All of what the sample's sources have. */
static uint64_t scaled(const sample *s) {
    return s->sources ? (uint64_t)((double)s->bytes * s->ranks.count / (double)s->sources) : 0;
}

/* Lists ------------------------------------------------------------------------------------------------- */

static wend_status make_lists(sample *s, const wend_cpd_lists *base, wend_cpd_lister *lister) {
    wend_buffer list = {.allocator = s->allocator};
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < LISTS && i < s->parcels.count && status == WEND_OK; i++) {
        const wend_cpd_parcel *parcel = parcel_at(s, i, s->parcels.count < LISTS ? s->parcels.count : LISTS);
        status = wend_cpd_lister_search(lister, parcel);
        for (uint32_t j = 0; j < parcel->sources && status == WEND_OK; j++) {
            list.size = 0;
            if (!wend_cpd_lister_write(lister, base, parcel, j, &list)) status = WEND_STATUS_NO_MEMORY;
            s->bytes += list.size + sizeof(uint32_t);
        }
        s->sources += parcel->sources, s->done += work_of(s, parcel);
    }
    wend_buffer_release(&list);
    return status;
}

wend_status wend_cpd_lists_estimate(const wend_map *map, const wend_settings *settings, uint32_t workers,
                                    const wend_allocator *allocator, wend_estimate *estimate,
                                    wend_error *error) {
    sample s;
    wend_cpd_lists base;
    wend_cpd_lists_init(&base, wend_cpd_form_of(settings), settings, map->width, map->height);
    wend_status status = begin(&s, map, allocator, error);
    if (status == WEND_OK && s.parcels.count) {
        wend_cpd_lister *lister = wend_cpd_lister_create(&s.ranks, &s.parcels, base.form, &s.metered);
        status = lister ? make_lists(&s, &base, lister) : WEND_STATUS_NO_MEMORY;
        note_worker(&s, 0);
        wend_cpd_lister_destroy(lister);
        if (status != WEND_OK) (void)wend_fail(error, status, "no memory for an estimate");
    }
    if (status == WEND_OK) {
        uint64_t least = wend_cpd_lists_least_bytes(&base, &s.ranks);
        estimate->bytes = scaled(&s) > least ? scaled(&s) : least;
        if (base.form == &wend_cpd_moves || base.form == &wend_cpd_move_sets) estimate->bytes = least;
        estimate->share = s.total > 0 ? s.done / s.total : 1;
        estimate->memory = wend_ranks_bytes(map) + (uint64_t)s.ranks.count * 24 + 2 * estimate->bytes +
                           workers * (uint64_t)s.each;
    }
    end(&s);
    return status;
}

/* Runs -------------------------------------------------------------------------------------------------- */

/* An order from what some parcels need, or, if `whole`, all of them. */
static wend_status order_cells(sample *s, bool whole, const wend_build_options *options, wend_error *error) {
    const wend_allocator *allocator = s->allocator;
    size_t edges = (size_t)s->ranks.count * WEND_CPD_EDGES;
    uint32_t *weights = wend_allocate_zeroed(allocator, edges, sizeof *weights);
    wend_cell *cells = wend_allocate(allocator, s->ranks.count, sizeof *cells);
    wend_cpd_worker *worker = NULL;
    wend_status status = weights && cells ? wend_cpd_worker_create(&s->ranks, &s->parcels, WEND_MANY_BEST,
                                                                   &s->metered, &worker)
                                          : WEND_STATUS_NO_MEMORY;
    uint32_t count = whole ? s->parcels.count : part_of(s->parcels.count, WEIGHED_PART);
    for (uint32_t i = 0; i < count && status == WEND_OK; i++) {
        const wend_cpd_parcel *parcel = parcel_at(s, i, count);
        status = wend_cpd_parcel_weigh(worker, parcel, weights);
        s->done += work_of(s, parcel) / 2; /* half of a build is weighing, the other half are rows */
        if (options && !wend_build_goes_on(options, "choosing", i, 2 * (uint64_t)count))
            status = WEND_STATUS_INTERRUPTED;
    }
    note_worker(s, edges * sizeof *weights); /* each weighs for itself */
    wend_cpd_worker_destroy(worker);
    if (status == WEND_OK) status = wend_cpd_order(&s->ranks, weights, allocator, cells, error);
    if (status == WEND_OK) {
        wend_ranks_reorder(&s->ranks, cells);
        wend_cpd_parcels_release(&s->parcels);
        status = wend_cpd_parcels_create(&s->ranks, allocator, &s->parcels, error);
    }
    wend_release(allocator, cells, s->ranks.count, sizeof *cells);
    wend_release(allocator, weights, edges, sizeof *weights);
    return status;
}

static wend_status make_rows(sample *s, bool whole, const wend_build_options *options) {
    wend_cpd_worker *worker = NULL;
    wend_buffer rows = {.allocator = s->allocator};
    wend_status status = wend_cpd_worker_create(&s->ranks, &s->parcels, WEND_MANY_BEST, &s->metered, &worker);
    uint32_t count = whole ? s->parcels.count : part_of(s->parcels.count, ROWS_PART);
    for (uint32_t i = 0; i < count && status == WEND_OK; i++) {
        const wend_cpd_parcel *parcel = parcel_at(s, i, count);
        rows.size = 0;
        status = wend_cpd_parcel_sets(worker, parcel);
        if (status == WEND_OK) status = wend_cpd_parcel_encode(worker, parcel, &rows);
        s->bytes += rows.size;
        s->sources += parcel->sources, s->done += work_of(s, parcel) / 2;
        if (options && !wend_build_goes_on(options, "choosing", count + (uint64_t)i, 2 * (uint64_t)count))
            status = WEND_STATUS_INTERRUPTED;
    }
    wend_buffer_release(&rows);
    note_worker(s, 0);
    wend_cpd_worker_destroy(worker);
    return status;
}

/* What the file has beside rows and their places: the order, and at most so much for header, components and the
 * ends of sections. */
static wend_status add_order(sample *s) {
    enum { HEADER = 512 };
    wend_buffer steps = {.allocator = s->allocator}, jumps = {.allocator = s->allocator};
    wend_status status = wend_cpd_write_order(&s->ranks, &steps, &jumps) ? WEND_OK : WEND_STATUS_NO_MEMORY;
    s->bytes =
        scaled(s) + steps.size + jumps.size + s->ranks.components * (uint64_t)sizeof(uint32_t) + HEADER;
    wend_buffer_release(&steps);
    wend_buffer_release(&jumps);
    return status;
}

/* Leaves the size of the file in s->bytes; `options` for its progress, or NULL. */
static wend_status sample_runs(sample *s, bool whole, const wend_build_options *options, wend_error *error) {
    whole = whole || s->parcels.count <= 2 * LEAST;
    wend_status status = s->parcels.count ? order_cells(s, whole, options, error) : WEND_OK;
    if (status == WEND_OK && s->parcels.count) status = make_rows(s, whole, options);
    if (status == WEND_OK) status = add_order(s);
    if (status == WEND_STATUS_INTERRUPTED)
        return wend_fail(error, status, "interrupted before anything was finished");
    return status == WEND_OK ? WEND_OK : wend_fail(error, status, "no memory for an estimate");
}

wend_status wend_cpd_runs_estimate(const wend_map *map, const wend_settings *settings, uint32_t workers,
                                   const wend_allocator *allocator, wend_estimate *estimate,
                                   wend_error *error) {
    (void)settings;
    sample s;
    wend_status status = begin(&s, map, allocator, error);
    if (status == WEND_OK) status = sample_runs(&s, false, NULL, error);
    if (status == WEND_OK) {
        estimate->bytes = s.bytes;
        estimate->share = s.total > 0 ? s.done / s.total : 1;
        estimate->memory = wend_ranks_bytes(map) + (uint64_t)s.ranks.count * 16 + 2 * estimate->bytes +
                           workers * (uint64_t)s.each;
    }
    end(&s);
    return status;
}

wend_status wend_cpd_runs_measure(const wend_map *map, const wend_build_options *options,
                                  const wend_allocator *allocator, uint64_t *bytes, wend_error *error) {
    sample s;
    wend_status status = begin(&s, map, allocator, error);
    if (status == WEND_OK) status = sample_runs(&s, true, options, error);
    *bytes = s.bytes;
    end(&s);
    return status;
}
