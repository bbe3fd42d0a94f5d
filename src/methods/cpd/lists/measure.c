/* What the forms of the paper would take on a map: counted source by source, and nothing is kept. */
#include "base/budget.h"
#include "base/options.h"
#include "methods/cpd/lists/build.h"

#include <string.h>

/* The forms that are counted, in the order of their results. */
enum { LABEL, SET, TIES };

typedef struct tally {
    uint64_t rectangles, squares;
    uint64_t checks; /* the sum over sources, as wend_cpd_list_checks gives it */
    uint32_t longest;
} tally;

typedef struct measuring {
    const wend_allocator *allocator;
    wend_ranks ranks;
    wend_cpd_parcels parcels;
    wend_cpd_lists rectangles[TIES], squares[TIES]; /* how they are written */
    uint32_t workers;
    wend_cpd_lister **listers;
    wend_buffer *lists; /* of each worker: the list at hand */
    tally (*tallies)[TIES];
    uint32_t first; /* the parcel with index 0 */
    atomic_int status;
} measuring;

static bool count_source(measuring *m, wend_cpd_lister *lister, uint32_t worker,
                         const wend_cpd_parcel *parcel, uint32_t index) {
    wend_buffer *list = &m->lists[worker];
    const uint16_t *sets = wend_cpd_lister_sets(lister, index);
    uint32_t source = wend_cpd_lister_source(lister, parcel, index);
    for (int ties = 0; ties < TIES; ties++) {
        tally *sum = &m->tallies[worker][ties];
        const wend_cpd_lists *base = &m->rectangles[ties];
        wend_cpd_table_fill(&lister->table, source, sets, base->label);
        list->size = 0;
        if (!base->form->write(base, &lister->table, source, sets, lister->scratch, list)) return false;
        uint32_t count = (uint32_t)(list->size / base->record_bytes);
        sum->rectangles += count;
        if (count > sum->longest) sum->longest = count;
        /* A record is read by its eight bytes. */
        if (!wend_buffer_add(list, (const uint8_t[8]){0}, 8)) return false;
        sum->checks += wend_cpd_list_checks(base, &lister->table, list->data, count);
        base = &m->squares[ties];
        list->size = 0;
        if (!base->form->write(base, &lister->table, source, sets, NULL, list)) return false;
        sum->squares += list->size / base->record_bytes;
    }
    return true;
}

static void count_parcel(void *argument, uint32_t index, uint32_t worker) {
    measuring *m = argument;
    const wend_cpd_parcel *parcel = &m->parcels.list[m->first + index];
    if (atomic_load(&m->status) != WEND_OK) return;
    if (!m->listers[worker])
        m->listers[worker] =
            wend_cpd_lister_create(&m->ranks, &m->parcels, &wend_cpd_rectangles, m->allocator);
    wend_cpd_lister *lister = m->listers[worker];
    wend_status status = lister ? wend_cpd_lister_search(lister, parcel) : WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < parcel->sources && status == WEND_OK; i++)
        if (!count_source(m, lister, worker, parcel, i)) status = WEND_STATUS_NO_MEMORY;
    if (status != WEND_OK) atomic_store(&m->status, (int)status);
}

static wend_status count_all(measuring *m, const wend_build_options *options, wend_error *error) {
    const uint32_t part = m->workers * 4, parcels = m->parcels.count;
    for (m->first = 0; m->first < parcels; m->first += part) {
        wend_progress progress = {"measuring", m->first, parcels};
        if (options->progress && !options->progress(options->progress_context, &progress))
            return wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted");
        wend_tasks_run(&options->tasks, parcels - m->first < part ? parcels - m->first : part, count_parcel,
                       m);
        wend_status status = (wend_status)atomic_load(&m->status);
        if (status != WEND_OK)
            return wend_fail(error, status, "measuring path databases: %s", wend_status_text(status));
    }
    return WEND_OK;
}

static wend_status prepare(measuring *m, const wend_map *map, wend_error *error) {
    wend_settings *settings;
    for (int ties = 0; ties < TIES; ties++) {
        wend_status status = wend_db_settings_parse(ties == LABEL ? "cpd:encoding=rectangles,ties=label"
                                                                  : "cpd:encoding=rectangles",
                                                    m->allocator, &settings, error);
        if (status != WEND_OK) return status;
        wend_cpd_lists_init(&m->rectangles[ties], &wend_cpd_rectangles, settings, map->width, map->height);
        wend_cpd_lists_init(&m->squares[ties], &wend_cpd_squares, settings, map->width, map->height);
        wend_settings_destroy(settings);
    }
    m->listers = wend_allocate_zeroed(m->allocator, m->workers, sizeof(wend_cpd_lister *));
    m->lists = wend_allocate_zeroed(m->allocator, m->workers, sizeof *m->lists);
    m->tallies = wend_allocate_zeroed(m->allocator, m->workers, sizeof *m->tallies);
    if (!m->listers || !m->lists || !m->tallies)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %u workers", m->workers);
    for (uint32_t i = 0; i < m->workers; i++) m->lists[i].allocator = m->allocator;
    wend_status status = wend_ranks_create(map, m->allocator, &m->ranks, error);
    return status == WEND_OK ? wend_cpd_parcels_create(&m->ranks, m->allocator, &m->parcels, error) : status;
}

static void release(measuring *m) {
    for (uint32_t i = 0; i < m->workers; i++) {
        if (m->listers) wend_cpd_lister_destroy(m->listers[i]);
        if (m->lists) wend_buffer_release(&m->lists[i]);
    }
    wend_release(m->allocator, m->tallies, m->workers, sizeof *m->tallies);
    wend_release(m->allocator, m->lists, m->workers, sizeof *m->lists);
    wend_release(m->allocator, m->listers, m->workers, sizeof *m->listers);
    if (m->parcels.sources) wend_cpd_parcels_release(&m->parcels);
    if (m->ranks.cells) wend_ranks_release(&m->ranks);
}

static void sum_up(const measuring *m, wend_cpd_measures *measures) {
    *measures = (wend_cpd_measures){.cells = m->ranks.count, .components = m->ranks.components};
    for (uint32_t i = 0; i < m->ranks.components; i++) {
        uint64_t cells = m->ranks.firsts[i + 1] - m->ranks.firsts[i];
        measures->pairs += cells * (cells - 1);
    }
    for (int ties = 0; ties < TIES; ties++) {
        wend_cpd_counts *counts = ties == LABEL ? &measures->label : &measures->set;
        uint64_t checks = 0;
        for (uint32_t i = 0; i < m->workers; i++) {
            const tally *sum = &m->tallies[i][ties];
            counts->rectangles += sum->rectangles, counts->squares += sum->squares;
            if (sum->longest > counts->longest) counts->longest = sum->longest;
            checks += sum->checks;
        }
        counts->checks = m->ranks.count ? (double)checks / WEND_CPD_CHECK / m->ranks.count : 0;
    }
}

wend_status wend_cpd_measure(const wend_map *map, const wend_build_options *options,
                             wend_cpd_measures *measures, wend_error *error) {
    if (!map || !measures) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map to measure");
    wend_build_options own = wend_default_build_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "build", error);
    if (status != WEND_OK) return status;
    options = &own;
    wend_budget budget;
    wend_budget_init(&budget, &options->allocator, options->max_memory, 0);
    wend_allocator allocator = wend_budget_allocator(&budget);
    measuring m = {.allocator = &allocator,
                   .workers = options->tasks.run && options->tasks.workers ? options->tasks.workers : 1};
    atomic_init(&m.status, WEND_OK);
    status = prepare(&m, map, error);
    if (status == WEND_OK) status = count_all(&m, options, error);
    if (status == WEND_OK) sum_up(&m, measures);
    if (status == WEND_STATUS_NO_MEMORY && atomic_load(&budget.refused))
        (void)wend_fail(error, WEND_STATUS_NO_MEMORY,
                        "measuring needs more memory than the %llu bytes allowed",
                        (unsigned long long)options->max_memory);
    release(&m);
    return status;
}
