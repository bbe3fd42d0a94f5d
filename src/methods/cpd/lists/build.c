/* Lists of records: building and verifying them.
 *
 * The work is cut into the parcels of a path database (methods/cpd/build/parcel.h): sources that lie in one
 * block are searched from together, then each source's list is made on its own. A job is one large parcel
 * or several small ones. Its result holds, for each source of its parcels in their order, the number of
 * records, and behind these all of its records. In the file lists stand by rank, so that its bytes do not
 * depend on how parcels are cut. */
#include "methods/cpd/lists/build.h"

#include <stdatomic.h>
#include <string.h>

/* Workers ----------------------------------------------------------------------------------------------- */

static size_t scratch_of(const wend_cpd_form *form, uint32_t most_cells) {
    return form->scratch_bytes ? form->scratch_bytes(most_cells) : 0;
}

void wend_cpd_lister_destroy(wend_cpd_lister *lister) {
    if (!lister) return;
    wend_allocator allocator = lister->allocator;
    wend_release(&allocator, lister->sets, lister->ranks->firsts[1], sizeof *lister->sets);
    wend_cpd_worker_destroy(lister->search);
    wend_cpd_table_release(&lister->table);
    wend_release(&allocator, lister->scratch, lister->scratch_bytes, 1);
    wend_release(&allocator, lister, 1, sizeof *lister);
}

wend_cpd_lister *wend_cpd_lister_create(const wend_ranks *ranks, const wend_cpd_parcels *parcels,
                                        const wend_cpd_form *form, const wend_allocator *allocator) {
    wend_cpd_lister *lister = wend_allocate_zeroed(allocator, 1, sizeof *lister);
    if (!lister) return NULL;
    lister->allocator = *allocator;
    lister->parcels = parcels, lister->ranks = ranks;
    wend_cpd_table_init(&lister->table, ranks, allocator);
    lister->scratch_bytes = scratch_of(form, ranks->firsts[1]);
    lister->sets = wend_allocate(allocator, ranks->firsts[1], sizeof *lister->sets);
    bool good = lister->sets != NULL;
    if (good && lister->scratch_bytes) {
        lister->scratch = wend_allocate(allocator, lister->scratch_bytes, 1);
        good = lister->scratch != NULL;
    }
    if (good && wend_cpd_worker_create(ranks, parcels, WEND_MANY_BEST, allocator, &lister->search) == WEND_OK)
        return lister;
    wend_cpd_lister_destroy(lister);
    return NULL;
}

size_t wend_cpd_lister_bytes(const wend_ranks *ranks, const wend_cpd_parcels *parcels,
                             const wend_cpd_form *form) {
    uint32_t most = ranks->components ? ranks->firsts[1] : 0;
    return sizeof(wend_cpd_lister) + wend_cpd_worker_bytes(ranks, parcels, true) +
           wend_cpd_table_bytes(ranks->map, most) + scratch_of(form, most) + most * sizeof(uint16_t);
}

wend_status wend_cpd_lister_search(wend_cpd_lister *lister, const wend_cpd_parcel *parcel) {
    if (!wend_cpd_table_take(&lister->table, parcel->component)) return WEND_STATUS_NO_MEMORY;
    return wend_cpd_parcel_sets(lister->search, parcel);
}

const uint16_t *wend_cpd_lister_sets(const wend_cpd_lister *lister, uint32_t index) {
    const wend_cpd_worker *search = lister->search;
    const uint16_t *sets = search->sets + index * search->stride;
    for (uint32_t i = 0; i < search->segments; i++)
        for (uint32_t j = search->begins[i]; j < search->begins[i + 1]; j++) lister->sets[j] = sets[i];
    return lister->sets;
}

uint32_t wend_cpd_lister_source(const wend_cpd_lister *lister, const wend_cpd_parcel *parcel,
                                uint32_t index) {
    return lister->parcels->sources[parcel->begin + index] - lister->ranks->firsts[parcel->component];
}

bool wend_cpd_lister_write(wend_cpd_lister *lister, const wend_cpd_lists *base, const wend_cpd_parcel *parcel,
                           uint32_t index, wend_buffer *result) {
    const uint16_t *sets = wend_cpd_lister_sets(lister, index);
    uint32_t source = wend_cpd_lister_source(lister, parcel, index);
    if (base->form->wants_table) wend_cpd_table_fill(&lister->table, source, sets, base->label);
    return base->form->write(base, &lister->table, source, sets, lister->scratch, result);
}

/* Building ---------------------------------------------------------------------------------------------- */

typedef struct maker {
    wend_allocator allocator;
    wend_cpd_lists base; /* how records are laid out */
    wend_ranks ranks;
    wend_cpd_parcels parcels;
    wend_cpd_lister **listers;
    uint32_t lister_count;
    uint64_t most; /* bytes for records; 0: any number */
    atomic_ullong bytes;
} maker;

static void maker_release(maker *made) {
    if (!made) return;
    wend_allocator allocator = made->allocator;
    for (uint32_t i = 0; made->listers && i < made->lister_count; i++)
        wend_cpd_lister_destroy(made->listers[i]);
    wend_release(&allocator, made->listers, made->lister_count, sizeof *made->listers);
    if (made->parcels.sources) wend_cpd_parcels_release(&made->parcels);
    if (made->ranks.cells) wend_ranks_release(&made->ranks);
    wend_release(&allocator, made, 1, sizeof *made);
}

static wend_status maker_create(const wend_map *map, const wend_settings *settings,
                                const wend_allocator *allocator, uint32_t workers, maker **out,
                                wend_error *error) {
    maker *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    *out = made; /* released by the caller, whatever comes */
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a path database");
    made->allocator = *allocator, made->lister_count = workers;
    atomic_init(&made->bytes, 0);
    wend_cpd_lists_init(&made->base, wend_cpd_form_of(settings), settings, map->width, map->height);
    made->listers = wend_allocate_zeroed(allocator, workers, sizeof(wend_cpd_lister *));
    if (!made->listers) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %u workers", workers);
    wend_status status = wend_ranks_create(map, allocator, &made->ranks, error);
    return status == WEND_OK ? wend_cpd_parcels_create(&made->ranks, allocator, &made->parcels, error)
                             : status;
}

/* A worker's memory, taken when it is first needed. */
static wend_cpd_lister *lister_of(maker *made, uint32_t worker) {
    if (!made->listers[worker])
        made->listers[worker] =
            wend_cpd_lister_create(&made->ranks, &made->parcels, made->base.form, &made->allocator);
    return made->listers[worker];
}

uint64_t wend_cpd_lists_least_bytes(const wend_cpd_lists *base, const wend_ranks *ranks) {
    uint64_t bytes = (uint64_t)ranks->count * sizeof(uint32_t);
    for (uint32_t c = 0; c < ranks->components; c++) {
        uint64_t cells = ranks->firsts[c + 1] - ranks->firsts[c];
        if (base->form == &wend_cpd_moves)
            bytes += cells * ((cells + 1) / 2);
        else if (base->form == &wend_cpd_move_sets)
            bytes += cells * cells;
        else if (cells > 1)
            bytes += cells * base->record_bytes;
    }
    return bytes;
}

/* At least one list per source; of uncompressed tables, all of them. They stand in memory twice. */
static wend_status check_caps(const wend_builder *builder, const maker *made, wend_error *error) {
    uint64_t least = wend_cpd_lists_least_bytes(&made->base, &made->ranks);
    uint64_t shared = wend_ranks_bytes(builder->map) + (uint64_t)made->ranks.count * 8 + 2 * least,
             each = wend_cpd_lister_bytes(&made->ranks, &made->parcels, made->base.form),
             memory = builder->options->max_memory;
    if (builder->options->max_size && least > builder->options->max_size)
        return wend_fail(error, WEND_STATUS_TOO_LARGE,
                         "%u cells take at least %llu bytes in this form, and %llu are allowed; cpd takes "
                         "far less",
                         made->ranks.count, (unsigned long long)least,
                         (unsigned long long)builder->options->max_size);
    if (!memory || shared + builder->workers * each <= memory) return WEND_OK;
    return wend_fail(
        error, WEND_STATUS_NO_MEMORY,
        "%u cells take about %llu MB and %llu MB per thread to build, with %u threads more than is "
        "allowed",
        made->ranks.count, (unsigned long long)shared / 1000000 + 1, (unsigned long long)each / 1000000 + 1,
        builder->workers);
}

wend_status wend_cpd_lists_prepare(wend_builder *builder, wend_error *error) {
    maker *made = NULL;
    wend_status status =
        maker_create(builder->map, builder->settings, &builder->allocator, builder->workers, &made, error);
    builder->state = made;
    if (status == WEND_OK) status = check_caps(builder, made, error);
    if (status == WEND_OK) status = wend_cpd_parcels_divide(&made->parcels, &made->ranks, error);
    if (status != WEND_OK) return status;
    made->most = builder->options->max_size;
    builder->jobs = made->parcels.job_count;
    return WEND_OK;
}

void wend_cpd_lists_release(wend_builder *builder) {
    maker_release(builder->state);
    builder->state = NULL;
}

static uint32_t job_sources(const maker *made, uint32_t job) {
    uint32_t sources = 0;
    for (uint32_t i = made->parcels.jobs[job]; i < made->parcels.jobs[job + 1]; i++)
        sources += made->parcels.list[i].sources;
    return sources;
}

/* The counts come first: zeros, until they are known. */
static bool add_counts(const maker *made, uint32_t job, wend_buffer *result) {
    const uint32_t zero = 0;
    bool good = true;
    for (uint32_t i = job_sources(made, job); i > 0 && good; i--)
        good = wend_buffer_add(result, &zero, sizeof zero);
    return good;
}

wend_status wend_cpd_lists_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result) {
    maker *made = builder->state;
    wend_cpd_lister *lister = lister_of(made, worker);
    if (!lister || !add_counts(made, job, result)) return WEND_STATUS_NO_MEMORY;
    size_t source = 0;
    for (uint32_t i = made->parcels.jobs[job]; i < made->parcels.jobs[job + 1]; i++) {
        const wend_cpd_parcel *parcel = &made->parcels.list[i];
        wend_status status = wend_cpd_lister_search(lister, parcel);
        if (status != WEND_OK) return status;
        for (uint32_t j = 0; j < parcel->sources; j++, source++) {
            size_t begin = result->size;
            if (!wend_cpd_lister_write(lister, &made->base, parcel, j, result)) return WEND_STATUS_NO_MEMORY;
            uint32_t count = (uint32_t)((result->size - begin) / made->base.record_bytes);
            memcpy(result->data + source * sizeof count, &count, sizeof count);
        }
    }
    uint64_t bytes = atomic_fetch_add(&made->bytes, result->size) + result->size;
    return made->most && bytes > made->most ? WEND_STATUS_TOO_LARGE : WEND_OK;
}

/* Puts the lists of all jobs into their places. First, without `records`, the counts alone. False: a result
 * is not what it should be. */
static bool take_results(const maker *made, const wend_buffer *results, uint32_t *counts,
                         const uint64_t *begins, uint8_t *records) {
    const size_t width = made->base.record_bytes;
    for (uint32_t i = 0; i < made->parcels.job_count; i++) {
        size_t sources = job_sources(made, i), at = sources * sizeof *counts, source = 0;
        if (results[i].size < at) return false;
        for (uint32_t u = made->parcels.jobs[i]; u < made->parcels.jobs[i + 1]; u++) {
            const wend_cpd_parcel *parcel = &made->parcels.list[u];
            for (uint32_t j = 0; j < parcel->sources; j++, source++) {
                uint32_t count, rank = made->parcels.sources[parcel->begin + j];
                memcpy(&count, results[i].data + source * sizeof count, sizeof count);
                if (count > (results[i].size - at) / width) return false;
                counts[rank] = count;
                if (records) memcpy(records + begins[rank] * width, results[i].data + at, count * width);
                at += count * width;
            }
        }
        if (at != results[i].size) return false;
    }
    return true;
}

static wend_status add_lists(wend_builder *builder, const wend_buffer *results, uint32_t *counts,
                             uint64_t *begins, wend_error *error) {
    const maker *made = builder->state;
    const uint32_t sources = made->ranks.count;
    if (!take_results(made, results, counts, NULL, NULL))
        return wend_fail(error, WEND_STATUS_DAMAGED,
                         "what an interrupted build has left is not what it should be");
    begins[0] = 0;
    for (uint32_t i = 0; i < sources; i++) begins[i + 1] = begins[i] + counts[i];
    wend_status status = wend_builder_section(builder, "counts", sizeof *counts, counts, sources, error);
    if (status != WEND_OK) return status;
    uint8_t *records;
    status = wend_builder_bytes(builder, "records", begins[sources] * made->base.record_bytes + 8, &records,
                                error);
    if (status == WEND_OK) (void)take_results(made, results, counts, begins, records);
    return status;
}

wend_status wend_cpd_lists_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    maker *made = builder->state;
    const wend_ranks *ranks = &made->ranks;
    for (uint32_t i = 0; i < made->lister_count; i++) {
        wend_cpd_lister_destroy(made->listers[i]);
        made->listers[i] = NULL;
    }
    size_t room = (size_t)ranks->count + 1;
    uint32_t *counts = wend_allocate_zeroed(&builder->allocator, room, sizeof *counts);
    uint64_t *begins = wend_allocate_zeroed(&builder->allocator, room, sizeof *begins);
    wend_status status = WEND_OK;
    if (!counts || !begins) status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the lists");
    if (status == WEND_OK) {
        for (uint32_t i = 0; i < ranks->components; i++) counts[i] = ranks->firsts[i + 1] - ranks->firsts[i];
        status =
            wend_builder_section(builder, "components", sizeof *counts, counts, ranks->components, error);
    }
    if (status == WEND_OK) status = add_lists(builder, results, counts, begins, error);
    wend_release(&builder->allocator, begins, room, sizeof *begins);
    wend_release(&builder->allocator, counts, room, sizeof *counts);
    return status;
}

/* Verifying --------------------------------------------------------------------------------------------- */

wend_status wend_cpd_lists_verify_prepare(wend_verifier *verifier, wend_error *error) {
    maker *made = NULL;
    const wend_cpd_lists *base = wend_cpd_lists_of(verifier->db);
    if (!base) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the database is not open");
    wend_status status = maker_create(verifier->map, verifier->db->settings, &verifier->allocator,
                                      verifier->workers, &made, error);
    verifier->state = made;
    if (status != WEND_OK) return status;
    bool same = made->ranks.components == base->components;
    for (uint32_t i = 0; i < base->components && same; i++)
        same = made->ranks.firsts[i + 1] - made->ranks.firsts[i] == base->sizes[i];
    if (!same) return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "the components are not those of the map");
    verifier->jobs = made->parcels.count;
    return WEND_OK;
}

/* Every move of a source is one of the optimal ones. */
static wend_status verify_moves(const maker *made, const wend_cpd_lists *base, uint32_t component,
                                uint32_t source, const uint16_t *sets, wend_error *error) {
    const wend_cell *cells = made->ranks.cells + made->ranks.firsts[component];
    uint32_t rank = made->ranks.firsts[component] + source;
    const uint8_t *list = base->records + base->begins[rank] * base->record_bytes;
    uint32_t count = (uint32_t)(base->begins[rank + 1] - base->begins[rank]);
    uint64_t looked = 0;
    for (uint32_t i = 0; i < base->sizes[component]; i++) {
        if (i == source) continue;
        uint32_t move = base->form->find(base, list, count, cells[i], i, &looked);
        if (move >= WEND_DIRECTIONS || !(sets[i] >> move & 1))
            return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "the move from cell %u to %u is not optimal",
                             cells[source], cells[i]);
    }
    return WEND_OK;
}

/* Those of a parcel, and each list is what the encoder makes. */
static wend_status verify_parcel(const maker *made, const wend_cpd_lists *base, wend_cpd_lister *lister,
                                 const wend_cpd_parcel *parcel, wend_buffer *written, wend_error *error) {
    for (uint32_t i = 0; i < parcel->sources; i++) {
        uint32_t source = wend_cpd_lister_source(lister, parcel, i);
        uint32_t rank = made->ranks.firsts[parcel->component] + source;
        wend_status status =
            verify_moves(made, base, parcel->component, source, wend_cpd_lister_sets(lister, i), error);
        if (status != WEND_OK) return status;
        written->size = 0;
        if (!wend_cpd_lister_write(lister, &made->base, parcel, i, written))
            return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to verify a path database");
        if (written->size != (base->begins[rank + 1] - base->begins[rank]) * base->record_bytes ||
            (written->size && memcmp(written->data, base->records + base->begins[rank] * base->record_bytes,
                                     written->size) != 0))
            return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                             "the list of cell %u is not what is built, if all optimal",
                             made->ranks.cells[rank]);
    }
    return WEND_OK;
}

wend_status wend_cpd_lists_verify(wend_verifier *verifier, uint64_t job, uint32_t worker, wend_error *error) {
    maker *made = verifier->state;
    const wend_cpd_parcel *parcel = &made->parcels.list[job];
    wend_cpd_lister *lister = lister_of(made, worker);
    wend_status status = lister ? wend_cpd_lister_search(lister, parcel) : WEND_STATUS_NO_MEMORY;
    if (status != WEND_OK) return wend_fail(error, status, "no memory to verify a path database");
    wend_buffer written = {.allocator = &verifier->allocator};
    status = verify_parcel(made, wend_cpd_lists_of(verifier->db), lister, parcel, &written, error);
    wend_buffer_release(&written);
    return status;
}

void wend_cpd_lists_verify_release(wend_verifier *verifier) {
    maker_release(verifier->state);
    verifier->state = NULL;
}
