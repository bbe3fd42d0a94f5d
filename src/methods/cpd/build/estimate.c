/* What a path database would take: from a few of its parcels, spread over all of them, which are built as a
 * build would build them.
 *
 * Time goes with the work of parcels, which is known. Lists of records are made source by source, so that
 * their size follows from a sample. Runs need an order of the cells first: here it is found from some
 * parcels, and rows are made of others. Such an order is worse than that of a build, which asks all sources,
 * so that sizes of runs come out too large rather than too small. */
#include "methods/cpd/build/estimate.h"

#include "base/budget.h"
#include "methods/cpd/build/order.h"
#include "methods/cpd/lists/build.h"

enum { SAMPLE = 6 }; /* parcels */

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
    for (uint32_t i = 0; i < SAMPLE && i < s->parcels.count && status == WEND_OK; i++) {
        const wend_cpd_parcel *parcel =
            parcel_at(s, i, s->parcels.count < SAMPLE ? s->parcels.count : SAMPLE);
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

/* An order from what some parcels need. */
static wend_status order_cells(sample *s, uint32_t count, wend_error *error) {
    const wend_allocator *allocator = s->allocator;
    size_t edges = (size_t)s->ranks.count * WEND_CPD_EDGES;
    uint32_t *weights = wend_allocate_zeroed(allocator, edges, sizeof *weights);
    wend_cell *cells = wend_allocate(allocator, s->ranks.count, sizeof *cells);
    wend_cpd_worker *worker = NULL;
    wend_status status = weights && cells ? wend_cpd_worker_create(&s->ranks, &s->parcels, WEND_MANY_BEST,
                                                                   &s->metered, &worker)
                                          : WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < count && status == WEND_OK; i++) {
        const wend_cpd_parcel *parcel = parcel_at(s, 2 * i, 2 * count);
        status = wend_cpd_parcel_weigh(worker, parcel, weights);
        s->done += work_of(s, parcel) / 2; /* half of a build is weighing, the other half are rows */
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

static wend_status make_rows(sample *s, uint32_t count) {
    wend_cpd_worker *worker = NULL;
    wend_buffer rows = {.allocator = s->allocator};
    wend_status status = wend_cpd_worker_create(&s->ranks, &s->parcels, WEND_MANY_BEST, &s->metered, &worker);
    for (uint32_t i = 0; i < count && status == WEND_OK; i++) {
        const wend_cpd_parcel *parcel = parcel_at(s, 2 * i + 1, 2 * count);
        status = wend_cpd_parcel_sets(worker, parcel);
        if (status == WEND_OK) status = wend_cpd_parcel_encode(worker, parcel, &rows);
        s->sources += parcel->sources, s->done += work_of(s, parcel) / 2;
    }
    s->bytes = rows.size;
    wend_buffer_release(&rows);
    note_worker(s, 0);
    wend_cpd_worker_destroy(worker);
    return status;
}

wend_status wend_cpd_runs_estimate(const wend_map *map, const wend_settings *settings, uint32_t workers,
                                   const wend_allocator *allocator, wend_estimate *estimate,
                                   wend_error *error) {
    (void)settings;
    sample s;
    wend_status status = begin(&s, map, allocator, error);
    if (status == WEND_OK && s.parcels.count) {
        uint32_t count = s.parcels.count < 2 * SAMPLE ? (s.parcels.count + 1) / 2 : SAMPLE;
        status = order_cells(&s, count, error);
        if (status == WEND_OK) status = make_rows(&s, count);
        if (status != WEND_OK) (void)wend_fail(error, status, "no memory for an estimate");
    }
    if (status == WEND_OK) {
        estimate->bytes = scaled(&s) + s.ranks.count / 2;
        estimate->share = s.total > 0 ? s.done / s.total : 1;
        estimate->memory = wend_ranks_bytes(map) + (uint64_t)s.ranks.count * 16 + 2 * estimate->bytes +
                           workers * (uint64_t)s.each;
    }
    end(&s);
    return status;
}
