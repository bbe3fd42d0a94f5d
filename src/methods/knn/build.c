/* Building a case base: records in jobs, then one table of subgoals, one stream, one tree. */
#include "methods/knn/build.h"

#include <string.h>

wend_knn_plan wend_knn_plan_of(const wend_settings *settings) {
    return (wend_knn_plan){
        .records = (uint32_t)wend_settings_integer(settings, "records"),
        .even = wend_settings_integer(settings, "spread") == 1,
        .fragments = wend_settings_integer(settings, "fragments") == 1,
        .compress =
            wend_settings_integer(settings, "compress") == 1 ? WEND_COMPRESS_LINEAR : WEND_COMPRESS_BINARY,
    };
}

void wend_knn_works_release(wend_knn_works *works) {
    if (!works) return;
    wend_allocator allocator = works->allocator;
    for (uint32_t i = 0; works->paths && i < works->workers; i++) wend_knn_paths_release(&works->paths[i]);
    wend_release(&allocator, works->paths, works->workers, sizeof *works->paths);
    wend_jumps_destroy(works->jumps);
    wend_knn_spread_release(&works->spread);
    wend_draws_release(&works->draws);
    wend_release(&allocator, works, 1, sizeof *works);
}

static wend_status make(wend_knn_works *works, const wend_map *map, uint64_t seed, const wend_tasks *tasks,
                        wend_error *error) {
    const wend_allocator *allocator = &works->allocator;
    wend_status status =
        wend_draws_create(&works->draws, map, seed, works->plan.records, works->plan.even, allocator, error);
    if (status == WEND_OK && works->plan.even) {
        status = wend_knn_spread_create(&works->spread, &works->draws, tasks, works->workers);
        if (status != WEND_OK) wend_fail(error, status, "no memory to choose %u pairs", works->plan.records);
    }
    if (status == WEND_OK) status = wend_jumps_create(map, allocator, &works->jumps, error);
    if (status != WEND_OK) return status;
    works->paths = wend_allocate_zeroed(allocator, works->workers, sizeof *works->paths);
    if (!works->paths)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %u workers", works->workers);
    for (uint32_t i = 0; i < works->workers; i++) works->paths[i].allocator = *allocator;
    for (uint32_t i = 0; i < works->workers && status == WEND_OK; i++)
        status = wend_knn_paths_create(&works->paths[i], map, works->jumps, allocator, error);
    return status;
}

wend_status wend_knn_works_create(const wend_map *map, const wend_settings *settings, uint64_t seed,
                                  const wend_tasks *tasks, uint32_t workers, const wend_allocator *allocator,
                                  wend_knn_works **works, wend_error *error) {
    wend_knn_works *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    *works = NULL;
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a case base");
    made->plan = wend_knn_plan_of(settings);
    made->allocator = made->draws.allocator = *allocator;
    made->workers = workers;
    wend_status status = make(made, map, seed, tasks, error);
    if (status == WEND_OK)
        *works = made;
    else
        wend_knn_works_release(made);
    return status;
}

bool wend_knn_works_pair(const wend_knn_works *works, uint32_t n, wend_cell *start, wend_cell *goal) {
    if (!works->plan.even) return wend_draw(&works->draws, n, start, goal);
    if (n >= works->spread.count) return false;
    *start = works->spread.pairs[n].start, *goal = works->spread.pairs[n].goal;
    return true;
}

/* Records of a job: few enough that an interruption loses little, enough that jobs are few. */
enum { MOST_JOBS = 512, MOST_RECORDS = 256 };

static uint32_t job_records(const wend_knn_plan *plan) {
    uint32_t records = plan->records / MOST_JOBS;
    return records < 1 ? 1 : records > MOST_RECORDS ? MOST_RECORDS : records;
}

wend_status wend_knn_prepare(wend_builder *builder, wend_error *error) {
    wend_knn_works *works;
    wend_status status =
        wend_knn_works_create(builder->map, builder->settings, builder->options->seed,
                              &builder->options->tasks, builder->workers, &builder->allocator, &works, error);
    builder->state = works;
    if (status != WEND_OK || !works) return status;
    uint32_t size = job_records(&works->plan);
    builder->ahead = works->plan.even ? WEND_KNN_BATCHES : 0;
    builder->jobs = builder->ahead + works->plan.records / size + (works->plan.records % size != 0);
    if (!builder->jobs) builder->jobs = 1;
    return WEND_OK;
}

void wend_knn_release(wend_builder *builder) {
    wend_knn_works_release(builder->state);
    builder->state = NULL;
}

/* A job's result: of each record the number of states, then the states; 32 bits each, low bytes first. */
static bool put(wend_buffer *buffer, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    return wend_buffer_add(buffer, bytes, sizeof bytes);
}

static uint32_t get(const uint8_t *bytes) {
    return wend_load16(bytes) | wend_load16(bytes + 2) << 16;
}

/* A job ahead is a batch of problems; its result, those that become pairs. */
static wend_status try_batch(wend_knn_spread *spread, uint32_t batch, wend_buffer *result) {
    bool good = true;
    wend_knn_spread_try(spread, batch);
    for (uint32_t i = 0; i < spread->batch && good; i++)
        if (spread->problems[i].start != WEND_NO_CELL)
            good = put(result, spread->problems[i].start) && put(result, spread->problems[i].goal);
    return good ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

wend_status wend_knn_ahead(wend_builder *builder, uint32_t job, const wend_buffer *result) {
    wend_knn_spread *spread = &((wend_knn_works *)builder->state)->spread;
    if (result->size % 8) return WEND_STATUS_DAMAGED;
    for (size_t at = 0; at < result->size; at += 8)
        if (!wend_knn_spread_add(spread, get(result->data + at), get(result->data + at + 4)))
            return WEND_STATUS_DAMAGED;
    if (job + 1 == builder->ahead) wend_knn_spread_end(spread);
    return WEND_OK;
}

wend_status wend_knn_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result) {
    wend_knn_works *works = builder->state;
    if (job < builder->ahead) return try_batch(&works->spread, job, result);
    wend_knn_paths *paths = &works->paths[worker];
    uint32_t size = job_records(&works->plan), first = (job - builder->ahead) * size;
    for (uint32_t n = first; n < first + size && n < works->plan.records; n++) {
        wend_cell start, goal;
        if (!wend_knn_works_pair(works, n, &start, &goal)) continue;
        wend_status status = wend_knn_paths_record(paths, start, goal, works->plan.compress);
        if (status != WEND_OK) return status;
        bool good = put(result, (uint32_t)paths->state_count);
        for (size_t i = 0; i < paths->state_count; i++) good = good && put(result, paths->states[i]);
        if (!good) return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

/* All results, put together. */
typedef struct assembly {
    wend_builder *builder;
    const wend_allocator *allocator;
    bool fragments;
    const wend_buffer *results;
    uint64_t records, states, entry_count; /* states: with ends */
    uint32_t *numbers;                     /* by cell: how often it is a subgoal; then its number */
    wend_cell *cells;                      /* by number */
    uint32_t cell_count;
    wend_knn_entry *entries;
    wend_buffer stream;
    uint32_t *marks; /* where the codes of a record's states begin in the stream */
    uint64_t mark_count;
} assembly;

/* Calls `each` for every record; its result goes on. `states` points to their bytes. */
static wend_status each_record(assembly *a,
                               wend_status (*each)(assembly *a, const uint8_t *states, uint32_t count)) {
    for (uint32_t job = a->builder->ahead; job < a->builder->jobs; job++) {
        const wend_buffer *result = &a->results[job];
        for (size_t at = 0; at < result->size;) {
            size_t left = (result->size - at) / 4;
            uint32_t count = left ? get(result->data + at) : 0;
            if (count < 2 || count > left - 1) return WEND_STATUS_DAMAGED;
            wend_status status = each(a, result->data + at + 4, count);
            if (status != WEND_OK) return status;
            at += 4 + (size_t)count * 4;
        }
    }
    return WEND_OK;
}

static wend_status count_record(assembly *a, const uint8_t *states, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        wend_cell cell = get(states + 4 * (size_t)i);
        if (!wend_map_is_open_cell(a->builder->map, cell)) return WEND_STATUS_DAMAGED;
        if (i && i + 1 < count) a->numbers[cell]++;
    }
    a->records++;
    a->states += count;
    a->entry_count += a->fragments ? (uint64_t)count * (count - 1) / 2 : 1;
    if (count > a->mark_count) a->mark_count = count;
    return WEND_OK;
}

/* More frequent subgoals first, then smaller cells. */
static bool is_rarer(const assembly *a, wend_cell x, wend_cell y) {
    return a->numbers[x] != a->numbers[y] ? a->numbers[x] < a->numbers[y] : x > y;
}

/* Heap sort, with the rarest on top. */
static void sift_down(const assembly *a, uint32_t count, uint32_t at) {
    wend_cell moved = a->cells[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_rarer(a, a->cells[child + 1], a->cells[child])) child++;
        if (!is_rarer(a, a->cells[child], moved)) break;
        a->cells[at] = a->cells[child];
    }
    a->cells[at] = moved;
}

static wend_status number_cells(assembly *a) {
    uint32_t all = a->builder->map->cells;
    for (wend_cell cell = 0; cell < all; cell++) a->cell_count += a->numbers[cell] > 0;
    a->cells = wend_allocate(a->allocator, (size_t)a->cell_count + 1, sizeof *a->cells);
    if (!a->cells) return WEND_STATUS_NO_MEMORY;
    uint32_t count = 0;
    for (wend_cell cell = 0; cell < all; cell++)
        if (a->numbers[cell]) a->cells[count++] = cell;
    for (uint32_t i = count / 2; i-- > 0;) sift_down(a, count, i);
    for (uint32_t last = count; last > 1;) {
        wend_cell rarest = a->cells[0];
        a->cells[0] = a->cells[--last];
        a->cells[last] = rarest;
        sift_down(a, last, 0);
    }
    for (uint32_t i = 0; i < count; i++) a->numbers[a->cells[i]] = i;
    return WEND_OK;
}

static bool add_code(wend_buffer *stream, uint32_t number) {
    uint8_t bytes[5];
    size_t size = 0;
    for (; number >= 0x80; number >>= 7) bytes[size++] = (uint8_t)(number | 0x80);
    bytes[size++] = (uint8_t)number;
    return stream->size <= UINT32_MAX - sizeof bytes && wend_buffer_add(stream, bytes, size);
}

static void add_entry(assembly *a, wend_cell start, wend_cell end, uint32_t begin, uint32_t stop) {
    wend_xy from = wend_map_xy(a->builder->map, start), to = wend_map_xy(a->builder->map, end);
    a->entries[a->entry_count] = (wend_knn_entry){
        .ends = {(uint16_t)from.x, (uint16_t)from.y, (uint16_t)to.x, (uint16_t)to.y},
        .begin = begin,
        .stop = stop,
        .number = (uint32_t)a->entry_count,
    };
    a->entry_count++;
}

/* marks[i] is where the code of state i begins; that of the end, which has none, where the record stops. */
static wend_status code_record(assembly *a, const uint8_t *states, uint32_t count) {
    a->marks[0] = (uint32_t)a->stream.size;
    for (uint32_t i = 1; i < count; i++) {
        a->marks[i] = (uint32_t)a->stream.size;
        if (i + 1 < count && !add_code(&a->stream, a->numbers[get(states + 4 * (size_t)i)]))
            return a->stream.size > UINT32_MAX - 5 ? WEND_STATUS_TOO_LARGE : WEND_STATUS_NO_MEMORY;
    }
    if (!a->fragments) {
        add_entry(a, get(states), get(states + 4 * (size_t)(count - 1)), a->marks[1], a->marks[count - 1]);
        return WEND_OK;
    }
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            add_entry(a, get(states + 4 * (size_t)i), get(states + 4 * (size_t)j), a->marks[i + 1],
                      a->marks[j]);
    return WEND_OK;
}

/* Whole records: the stream in the order of the entries, so that one offset an entry is enough. */
static wend_status order_stream(assembly *a) {
    wend_buffer ordered = {.allocator = a->allocator};
    for (uint64_t i = 0; i < a->entry_count; i++) {
        wend_knn_entry *entry = &a->entries[i];
        uint32_t size = entry->stop - entry->begin, begin = (uint32_t)ordered.size;
        if (size && !wend_buffer_add(&ordered, a->stream.data + entry->begin, size)) {
            wend_buffer_release(&ordered);
            return WEND_STATUS_NO_MEMORY;
        }
        entry->begin = begin, entry->stop = begin + size;
    }
    wend_buffer_release(&a->stream);
    a->stream = ordered;
    return WEND_OK;
}

static wend_status assemble(assembly *a) {
    const wend_map *map = a->builder->map;
    a->numbers = wend_allocate_zeroed(a->allocator, map->cells, sizeof *a->numbers);
    if (!a->numbers) return WEND_STATUS_NO_MEMORY;
    wend_status status = each_record(a, count_record);
    if (status != WEND_OK) return status;
    if (a->entry_count > WEND_KNN_MOST_ENTRIES) return WEND_STATUS_TOO_LARGE;
    status = number_cells(a);
    if (status != WEND_OK) return status;
    a->mark_count++;
    a->entries = wend_allocate(a->allocator, (size_t)a->entry_count + 1, sizeof *a->entries);
    a->marks = wend_allocate(a->allocator, (size_t)a->mark_count, sizeof *a->marks);
    if (!a->entries || !a->marks) return WEND_STATUS_NO_MEMORY;
    uint64_t room = a->entry_count + 1;
    a->entry_count = 0;
    status = each_record(a, code_record);
    a->entry_count = status == WEND_OK ? a->entry_count : room - 1;
    if (status != WEND_OK) return status;
    wend_knn_sort(a->entries, (uint32_t)a->entry_count);
    return a->fragments ? WEND_OK : order_stream(a);
}

/* The columns of the entries as the file has them, and what they cover. */
typedef struct columns {
    uint16_t (*ends)[WEND_KNN_AXES];
    uint32_t *begins, *stops; /* one more than entries: whole records stop where the next begins */
} columns;

static void fill_columns(const assembly *a, columns *c) {
    for (uint64_t i = 0; i < a->entry_count; i++) {
        memcpy(c->ends[i], a->entries[i].ends, sizeof c->ends[i]);
        c->begins[i] = a->entries[i].begin;
        c->stops[i] = a->entries[i].stop;
    }
    c->begins[a->entry_count] = c->stops[a->entry_count] = (uint32_t)a->stream.size;
}

static wend_status write_sections(const assembly *a, const columns *c, wend_error *error) {
    wend_builder *builder = a->builder;
    const wend_knn_works *works = builder->state;
    const uint8_t nothing = 0;
    wend_knn knn = {.count = (uint32_t)a->entry_count,
                    .ends = (const uint16_t(*)[WEND_KNN_AXES])c->ends,
                    .begins = c->begins,
                    .stops = c->stops,
                    .stream = a->stream.data ? a->stream.data : &nothing,
                    .cells = a->cells};
    wend_knn_cover cover;
    wend_status status = wend_knn_measure(&works->draws, &knn, &cover);
    if (status != WEND_OK) return wend_fail(error, status, "no memory to measure what is covered");
    const uint32_t counts[] = {(uint32_t)a->records, cover.problems, cover.problems_covered, cover.cells,
                               cover.cells_covered};
    status = wend_builder_section(builder, "ends", 2, c->ends, WEND_KNN_AXES * a->entry_count, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "begins", 4, c->begins, a->entry_count + !a->fragments, error);
    if (status == WEND_OK && a->fragments)
        status = wend_builder_section(builder, "stops", 4, c->stops, a->entry_count, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "stream", 1, knn.stream, a->stream.size, error);
    if (status == WEND_OK) status = wend_builder_section(builder, "cells", 4, a->cells, a->cell_count, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "counts", 4, counts, sizeof counts / sizeof *counts, error);
    return status;
}

wend_status wend_knn_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    const wend_knn_works *works = builder->state;
    const wend_allocator *allocator = &builder->allocator;
    assembly a = {.builder = builder,
                  .allocator = allocator,
                  .fragments = works->plan.fragments,
                  .results = results,
                  .stream = {.allocator = allocator}};
    wend_status status = assemble(&a);
    size_t rows = (size_t)a.entry_count + 1;
    columns c = {0};
    if (status == WEND_STATUS_DAMAGED)
        wend_fail(error, status, "a result kept from an interrupted build is not one");
    else if (status == WEND_STATUS_TOO_LARGE)
        wend_fail(error, status, "%llu entries are too many", (unsigned long long)a.entry_count);
    if (status == WEND_OK) {
        c = (columns){wend_allocate(allocator, rows, sizeof *c.ends),
                      wend_allocate(allocator, rows, sizeof *c.begins),
                      wend_allocate(allocator, rows, sizeof *c.stops)};
        if (!c.ends || !c.begins || !c.stops) status = WEND_STATUS_NO_MEMORY;
    }
    if (status == WEND_OK) {
        fill_columns(&a, &c);
        status = write_sections(&a, &c, error);
    } else if (status == WEND_STATUS_NO_MEMORY) {
        wend_fail(error, status, "no memory to put %llu records together", (unsigned long long)a.records);
    }
    wend_release(allocator, c.ends, rows, sizeof *c.ends);
    wend_release(allocator, c.begins, rows, sizeof *c.begins);
    wend_release(allocator, c.stops, rows, sizeof *c.stops);
    wend_buffer_release(&a.stream);
    wend_release(allocator, a.entries, rows, sizeof *a.entries);
    wend_release(allocator, a.marks, (size_t)a.mark_count, sizeof *a.marks);
    wend_release(allocator, a.cells, (size_t)a.cell_count + 1, sizeof *a.cells);
    wend_release(allocator, a.numbers, builder->map->cells, sizeof *a.numbers);
    return status;
}
