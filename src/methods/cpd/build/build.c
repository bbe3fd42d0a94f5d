/* cpd: a compressed path database (Botea, "Ultra-fast optimal pathfinding without runtime search", AIIDE
 * 2011).
 *
 * As in the paper, for every two cells the first move of an optimal path is stored, compressed, and a path is
 * read off move by move. Departures, all in the default encoding `runs`: not rectangles, but runs along one
 * order of the cells (as Strasser, Harabor and Botea, "Fast first-move queries through run-length encoding",
 * SoCS 2014, have it). All optimal moves are kept until the encoder chooses among them. A ninth symbol stands
 * for the greedy move. Sources of a block share a row wherever a common move exists for every target.
 *
 * A build has two parts. First the order of cells is found from what all sources need (order.h); then,
 * with another round of searches, rows are made (parcel.h). Both take about as long: weights from a part of
 * the sources would be cheaper, and rows larger by a fifth. A job is a large parcel or several small
 * ones. */
#include "methods/cpd/layout.h"

#include "methods/cpd/build/order.h"

#include <stdatomic.h>
#include <string.h>

typedef struct maker {
    const wend_map *map;
    wend_allocator allocator;
    wend_ranks ranks;
    wend_cpd_parcels parcels;
    wend_cpd_worker **workers;
    uint32_t worker_count;
    uint64_t most; /* bytes for rows; 0: any number */
    atomic_ullong bytes;
} maker;

static void release_workers(maker *made) {
    for (uint32_t i = 0; made->workers && i < made->worker_count; i++) {
        wend_cpd_worker_destroy(made->workers[i]);
        made->workers[i] = NULL;
    }
}

static void maker_release(maker *made) {
    if (!made) return;
    wend_allocator allocator = made->allocator;
    release_workers(made);
    wend_release(&allocator, made->workers, made->worker_count, sizeof *made->workers);
    if (made->parcels.sources) wend_cpd_parcels_release(&made->parcels);
    if (made->ranks.cells) wend_ranks_release(&made->ranks);
    wend_release(&allocator, made, 1, sizeof *made);
}

static wend_status maker_create(const wend_map *map, const wend_allocator *allocator, uint32_t workers,
                                maker **out, wend_error *error) {
    maker *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    *out = made; /* released by the caller, whatever comes */
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a path database");
    made->map = map, made->allocator = *allocator, made->worker_count = workers;
    atomic_init(&made->bytes, 0);
    if (map->open_cells >= WEND_CPD_MOST_CELLS)
        return wend_fail(error, WEND_STATUS_TOO_LARGE, "a path database has at most %u cells, not %u",
                         WEND_CPD_MOST_CELLS - 1, map->open_cells);
    made->workers = wend_allocate_zeroed(allocator, workers, sizeof *made->workers);
    if (!made->workers) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %u workers", workers);
    wend_status status = wend_ranks_create(map, allocator, &made->ranks, error);
    return status == WEND_OK ? wend_cpd_parcels_create(&made->ranks, allocator, &made->parcels, error)
                             : status;
}

/* A worker's memory, taken when it is first needed. */
static wend_status worker_of(maker *made, uint32_t index, wend_cpd_worker **worker) {
    wend_status status = WEND_OK;
    if (!made->workers[index])
        status = wend_cpd_worker_create(&made->ranks, &made->parcels, WEND_MANY_BEST, &made->allocator,
                                        &made->workers[index]);
    *worker = made->workers[index];
    return status;
}

/* The order --------------------------------------------------------------------------------------------- */

typedef struct weighing {
    maker *made;
    uint32_t **weights; /* of each worker */
    uint32_t first;     /* the parcel with index 0 */
    atomic_int status;
} weighing;

static void weigh_parcel(void *argument, uint32_t index, uint32_t worker) {
    weighing *s = argument;
    maker *made = s->made;
    wend_cpd_worker *own;
    if (atomic_load(&s->status) != WEND_OK) return;
    wend_status status = worker_of(made, worker, &own);
    size_t room = (size_t)made->ranks.count * WEND_CPD_EDGES;
    if (status == WEND_OK && !s->weights[worker]) {
        s->weights[worker] = wend_allocate_zeroed(&made->allocator, room, sizeof **s->weights);
        if (!s->weights[worker]) status = WEND_STATUS_NO_MEMORY;
    }
    if (status == WEND_OK)
        status = wend_cpd_parcel_weigh(own, &made->parcels.list[s->first + index], s->weights[worker]);
    if (status != WEND_OK) atomic_store(&s->status, (int)status);
}

/* In parts, so that it can be stopped between them. */
static wend_status weigh_all(const wend_builder *builder, weighing *s, wend_error *error) {
    const uint32_t part = builder->workers * 8, parcels = s->made->parcels.count;
    for (s->first = 0; s->first < parcels; s->first += part) {
        if (!wend_builder_goes_on(builder, "order", s->first, parcels))
            return wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted before anything was finished");
        uint32_t count = parcels - s->first < part ? parcels - s->first : part;
        wend_tasks_run(&builder->options->tasks, count, weigh_parcel, s);
        wend_status status = (wend_status)atomic_load(&s->status);
        if (status != WEND_OK)
            return wend_fail(error, status, "the order of cells: %s", wend_status_text(status));
    }
    return WEND_OK;
}

static wend_status find_order(const wend_builder *builder, maker *made, wend_error *error) {
    const wend_allocator *allocator = &made->allocator;
    size_t edges = (size_t)made->ranks.count * WEND_CPD_EDGES;
    weighing s = {.made = made};
    atomic_init(&s.status, WEND_OK);
    s.weights = wend_allocate_zeroed(allocator, made->worker_count, sizeof *s.weights);
    uint32_t *sum = wend_allocate_zeroed(allocator, edges, sizeof *sum);
    wend_cell *cells = wend_allocate(allocator, made->ranks.count, sizeof *cells);
    wend_status status = WEND_OK;
    if (!s.weights || !sum || !cells)
        status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the order of cells");
    if (status == WEND_OK) status = weigh_all(builder, &s, error);
    for (uint32_t i = 0; s.weights && i < made->worker_count; i++) {
        for (size_t j = 0; sum && s.weights[i] && j < edges; j++) sum[j] += s.weights[i][j];
        wend_release(allocator, s.weights[i], edges, sizeof **s.weights);
    }
    release_workers(made); /* what they hold is about the old order */
    if (status == WEND_OK) status = wend_cpd_order(&made->ranks, sum, allocator, cells, error);
    if (status == WEND_OK) {
        wend_ranks_reorder(&made->ranks, cells);
        wend_cpd_parcels_release(&made->parcels);
        status = wend_cpd_parcels_create(&made->ranks, allocator, &made->parcels, error);
    }
    wend_release(allocator, cells, made->ranks.count, sizeof *cells);
    wend_release(allocator, sum, edges, sizeof *sum);
    wend_release(allocator, s.weights, made->worker_count, sizeof *s.weights);
    return status;
}

/* Building ---------------------------------------------------------------------------------------------- */

static wend_status check_memory(const wend_builder *builder, const maker *made, wend_error *error) {
    size_t most = builder->options->max_memory;
    size_t shared = wend_ranks_bytes(made->map) + (size_t)made->ranks.count * 16;
    size_t each = wend_cpd_worker_bytes(&made->ranks, &made->parcels, true);
    if (!most || shared + builder->workers * each <= most) return WEND_OK;
    return wend_fail(
        error, WEND_STATUS_NO_MEMORY,
        "%u cells take about %llu MB and %llu MB per thread to build, with %u threads more than is allowed",
        made->ranks.count, (unsigned long long)shared / 1000000 + 1, (unsigned long long)each / 1000000 + 1,
        builder->workers);
}

static wend_status cpd_prepare(wend_builder *builder, wend_error *error) {
    if (strcmp(wend_settings_text(builder->settings, "ties"), "label") == 0)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "ties=label goes with encoding=rectangles only");
    maker *made = NULL;
    wend_status status = maker_create(builder->map, &builder->allocator, builder->workers, &made, error);
    builder->state = made;
    if (status == WEND_OK) status = check_memory(builder, made, error);
    if (status != WEND_OK) return status;
    uint64_t least = (uint64_t)made->ranks.count * 3 / 2; /* for the order and the rows' numbers alone */
    made->most = builder->options->max_size;
    if (made->most && least > made->most)
        return wend_fail(error, WEND_STATUS_TOO_LARGE,
                         "%u cells take more than %llu bytes, whatever the rows are", made->ranks.count,
                         (unsigned long long)made->most);
    if (made->ranks.count) status = find_order(builder, made, error);
    if (status == WEND_OK) status = wend_cpd_parcels_divide(&made->parcels, &made->ranks, error);
    builder->jobs = made->parcels.job_count;
    return status;
}

static void cpd_release(wend_builder *builder) {
    maker_release(builder->state);
    builder->state = NULL;
}

/* A job's result: for each parcel the number of words of its rows (u32), then what wend_cpd_parcel_encode
 * gives. */
static wend_status cpd_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result) {
    maker *made = builder->state;
    wend_cpd_worker *own;
    wend_status status = worker_of(made, worker, &own);
    for (uint32_t i = made->parcels.jobs[job]; i < made->parcels.jobs[job + 1] && status == WEND_OK; i++) {
        const wend_cpd_parcel *parcel = &made->parcels.list[i];
        size_t begin = result->size;
        uint32_t words = 0;
        status = wend_buffer_add(result, &words, sizeof words) ? wend_cpd_parcel_sets(own, parcel)
                                                               : WEND_STATUS_NO_MEMORY;
        if (status == WEND_OK) status = wend_cpd_parcel_encode(own, parcel, result);
        if (status != WEND_OK) break;
        words = (uint32_t)((result->size - begin - sizeof words - parcel->sources) / sizeof(uint16_t));
        memcpy(result->data + begin, &words, sizeof words);
    }
    uint64_t bytes = atomic_fetch_add(&made->bytes, result->size) + result->size;
    if (status == WEND_OK && made->most && bytes > made->most) return WEND_STATUS_TOO_LARGE;
    return status;
}

/* Takes the results of all parcels apart. False: one is not what it should be. */
static bool take_results(const maker *made, const wend_buffer *results, uint8_t *row_of, uint16_t *words,
                         uint64_t *word_count) {
    *word_count = 0;
    for (uint32_t i = 0; i < made->parcels.job_count; i++) {
        size_t at = 0;
        for (uint32_t j = made->parcels.jobs[i]; j < made->parcels.jobs[i + 1]; j++) {
            const wend_cpd_parcel *parcel = &made->parcels.list[j];
            uint32_t count;
            size_t left = results[i].size - at;
            if (left < sizeof count + parcel->sources) return false;
            memcpy(&count, results[i].data + at, sizeof count);
            at += sizeof count, left -= sizeof count + parcel->sources;
            if (left / sizeof *words < count) return false;
            if (words) {
                memcpy(row_of + parcel->begin, results[i].data + at, parcel->sources);
                memcpy(words + *word_count, results[i].data + at + parcel->sources, count * sizeof *words);
            }
            at += parcel->sources + count * sizeof *words;
            *word_count += count;
        }
        if (at != results[i].size) return false;
    }
    return true;
}

static wend_status add_rows(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    const maker *made = builder->state;
    uint64_t count = 0;
    if (!take_results(made, results, NULL, NULL, &count))
        return wend_fail(error, WEND_STATUS_DAMAGED,
                         "what an interrupted build has left is not what it should be");
    if (count > UINT32_MAX - WEND_CPD_WINDOW)
        return wend_fail(error, WEND_STATUS_TOO_LARGE, "the rows take more than 2^32 words");
    size_t room = (size_t)count + WEND_CPD_WINDOW, sources = (size_t)made->ranks.count + 1;
    uint16_t *words = wend_allocate_zeroed(&builder->allocator, room, sizeof *words);
    uint8_t *row_of = wend_allocate_zeroed(&builder->allocator, sources, 1);
    wend_status status = WEND_OK;
    if (!words || !row_of) status = wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the rows");
    if (status == WEND_OK) {
        (void)take_results(made, results, row_of, words, &count);
        status = wend_builder_section(builder, "row_of", 1, row_of, made->ranks.count, error);
    }
    if (status == WEND_OK) status = wend_builder_section(builder, "rows", sizeof *words, words, room, error);
    wend_release(&builder->allocator, row_of, sources, 1);
    wend_release(&builder->allocator, words, room, sizeof *words);
    return status;
}

static wend_status add_order(wend_builder *builder, wend_error *error) {
    const maker *made = builder->state;
    const wend_ranks *ranks = &made->ranks;
    wend_buffer steps = {.allocator = &builder->allocator}, jumps = {.allocator = &builder->allocator},
                sizes = {.allocator = &builder->allocator};
    bool good = wend_cpd_write_order(ranks, &steps, &jumps);
    for (uint32_t i = 0; good && i < ranks->components; i++) {
        uint32_t size = ranks->firsts[i + 1] - ranks->firsts[i];
        good = wend_buffer_add(&sizes, &size, sizeof size);
    }
    wend_status status = good ? WEND_OK : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the order");
    if (status == WEND_OK)
        status = wend_builder_section(builder, "components", 4, sizes.data, ranks->components, error);
    if (status == WEND_OK) status = wend_builder_section(builder, "steps", 1, steps.data, steps.size, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "jumps", 4, jumps.data, jumps.size / 4, error);
    wend_buffer_release(&sizes);
    wend_buffer_release(&jumps);
    wend_buffer_release(&steps);
    return status;
}

static wend_status cpd_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    release_workers(builder->state);
    wend_status status = add_order(builder, error);
    return status == WEND_OK ? add_rows(builder, results, error) : status;
}

static size_t cpd_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    const wend_cpd *base = wend_cpd_of(db);
    uint64_t jumps = 0;
    (void)wend_db_section(db, "jumps", sizeof(wend_cell), &jumps);
    double cells = base->ranks ? base->ranks : 1, rows = base->rows ? base->rows : 1;
    const wend_fact all[] = {
        {"cells", base->ranks},
        {"components", base->components},
        {"rows", base->rows},
        {"runs", (double)base->runs},
        {"runs_per_row", (double)base->runs / rows},
        {"runs_per_cell", (double)base->runs / cells},
        {"bytes_per_cell", (double)db->info.bytes / cells},
        {"jumps", (double)jumps},
        {"table_bytes", (double)base->cells * sizeof(wend_cpd_entry)}, /* in memory, not in the file */
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < capacity; i++) facts[i] = all[i];
    return count;
}

/* Verifying --------------------------------------------------------------------------------------------- */

/* The file's order on the map's own components. */
static wend_status take_order(const wend_db *db, maker *made, wend_error *error) {
    wend_ranks *ranks = &made->ranks;
    const wend_cpd *base = wend_cpd_of(db);
    if (base->components != ranks->components)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "%u components, not %u", base->components,
                         ranks->components);
    if (base->ranks != ranks->count) /* not looked at yet if it was opened without a map */
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "%u cells have a rank, not %u", base->ranks,
                         ranks->count);
    size_t room = (size_t)ranks->count + 1;
    wend_cell *cells = wend_allocate(&made->allocator, room, sizeof *cells);
    if (!cells) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the order");
    wend_cpd_read_order(db, cells);
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < ranks->components && status == WEND_OK; i++) {
        uint32_t first = ranks->firsts[i], count = ranks->firsts[i + 1] - first;
        for (uint32_t j = first; j < first + count && status == WEND_OK; j++)
            if (base->firsts[i] != first || ranks->rank[cells[j]] - first >= count)
                status = wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "cell %u is not of component %u",
                                   cells[j], i);
    }
    if (status == WEND_OK) {
        wend_ranks_reorder(ranks, cells);
        wend_cpd_parcels_release(&made->parcels);
        status = wend_cpd_parcels_create(ranks, &made->allocator, &made->parcels, error);
    }
    wend_release(&made->allocator, cells, room, sizeof *cells);
    return status;
}

static wend_status cpd_verify_prepare(wend_verifier *verifier, wend_error *error) {
    maker *made = NULL;
    if (!wend_cpd_of(verifier->db))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the database is not open");
    wend_status status = maker_create(verifier->map, &verifier->allocator, verifier->workers, &made, error);
    verifier->state = made;
    if (status == WEND_OK) status = take_order(verifier->db, made, error);
    if (status == WEND_OK) verifier->jobs = made->parcels.count;
    return status;
}

/* Every stored move from the sources of a parcel is one of the optimal ones. */
static wend_status verify_moves(const maker *made, const wend_cpd *base, const wend_cpd_worker *own,
                                const wend_cpd_parcel *parcel, wend_error *error) {
    uint32_t first = made->ranks.firsts[parcel->component],
             count = made->ranks.firsts[parcel->component + 1] - first;
    for (uint32_t i = 0; i < parcel->sources; i++) {
        uint32_t rank = made->parcels.sources[parcel->begin + i];
        wend_cell from = made->ranks.cells[rank];
        const uint16_t *row = base->words + wend_cpd_row_of(base, from, rank),
                       *sets = own->sets + i * own->stride;
        for (uint32_t j = 0, segment = 0; j < count; j++) {
            segment += j == own->begins[segment + 1];
            if (!(sets[segment] >> wend_cpd_symbol(row, wend_cpd_pages(count), j) & 1))
                return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                                 "the move from cell %u to %u is not optimal", from,
                                 made->ranks.cells[first + j]);
        }
    }
    return WEND_OK;
}

/* And the rows are those that the encoder makes: what it wrote is in `rows`. */
static bool same_rows(const maker *made, const wend_cpd *base, const wend_cpd_parcel *parcel,
                      const wend_buffer *rows) {
    uint32_t begins[WEND_BLOCK_CELLS], count = 0;
    uint32_t cells = made->ranks.firsts[parcel->component + 1] - made->ranks.firsts[parcel->component];
    size_t bytes = rows->size - parcel->sources;
    const uint32_t *sources = made->parcels.sources + parcel->begin;
    const wend_cell *by_rank = made->ranks.cells;
    uint32_t first = wend_cpd_row_of(base, by_rank[sources[0]], sources[0]), at = first;
    if (base->word_count - first < bytes / sizeof(uint16_t) ||
        memcmp(base->words + first, rows->data + parcel->sources, bytes) != 0)
        return false;
    for (; (at - first) * sizeof(uint16_t) < bytes && count < WEND_BLOCK_CELLS; count++) {
        begins[count] = at;
        at += wend_cpd_row_words(base->words[at + wend_cpd_pages(cells) - 1]);
    }
    for (uint32_t i = 0; i < parcel->sources; i++)
        if (rows->data[i] >= count ||
            wend_cpd_row_of(base, by_rank[sources[i]], sources[i]) != begins[rows->data[i]])
            return false;
    return true;
}

static wend_status cpd_verify(wend_verifier *verifier, uint64_t job, uint32_t worker, wend_error *error) {
    maker *made = verifier->state;
    const wend_cpd *base = wend_cpd_of(verifier->db);
    const wend_cpd_parcel *parcel = &made->parcels.list[job];
    wend_cpd_worker *own;
    wend_status status = worker_of(made, worker, &own);
    if (status == WEND_OK) status = wend_cpd_parcel_sets(own, parcel);
    if (status != WEND_OK) return wend_fail(error, status, "no memory to verify a path database");
    status = verify_moves(made, base, own, parcel, error);
    if (status != WEND_OK) return status;
    wend_buffer rows = {.allocator = &verifier->allocator};
    status = wend_cpd_parcel_encode(own, parcel, &rows);
    if (status != WEND_OK)
        (void)wend_fail(error, status, "no memory to verify a path database");
    else if (!same_rows(made, base, parcel, &rows))
        status = wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                           "the rows of the block at (%u, %u) are not what is built, if all optimal",
                           parcel->x, parcel->y);
    wend_buffer_release(&rows);
    return status;
}

static void cpd_verify_release(wend_verifier *verifier) {
    maker_release(verifier->state);
    verifier->state = NULL;
}

const wend_db_kind wend_cpd_runs = {
    .open = wend_cpd_open,
    .close = wend_cpd_close,
    .facts = cpd_facts,
    .prepare = cpd_prepare,
    .job = cpd_job,
    .finish = cpd_finish,
    .release = cpd_release,
    .verify_prepare = cpd_verify_prepare,
    .verify = cpd_verify,
    .verify_release = cpd_verify_release,
    .estimate = wend_cpd_runs_estimate,
};
