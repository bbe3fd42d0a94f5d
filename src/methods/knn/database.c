/* The kind `knn`: the case base of kNN LRTA* in its form of 2010 (Bulitko, Bjornsson and Lawrence,
 * "Case-based subgoaling in real-time heuristic search", JAIR 39). Optimal paths between pairs of cells, each
 * compressed into subgoals that a hill-climber gets to one after another, with a kd-tree over their ends.
 *
 * Departures: paths are found by jump-point search, and of those of one cost the canonical one is taken;
 * climbs by its tables (search/climb.h). Both give what A* and plain climbing would, faster. A pair is given
 * up after some draws that no path joins (draw.c): on a map of many small parts there may be fewer
 * records than were asked for.
 *
 * Sections:
 *   ends    16 bits, four per entry: x and y of its start, x and y of its end; in the order of tree.h
 *   begins  32 bits, where an entry's subgoals begin in the stream; without fragments one more closes them
 *   stops   32 bits, where they stop; with fragments only, otherwise it is where the next begin
 *   stream  bytes, as layout.h has it
 *   cells   32 bits, the cells that are subgoals, the most frequent first
 *   counts  32 bits: records, problems sampled, of them covered, cells sampled, of them covered */
#include "methods/knn/build.h"

enum { COUNTS = 5 };

static wend_status damaged(wend_error *error, const char *what, uint64_t where) {
    return wend_fail(error, WEND_STATUS_DAMAGED, "%s %llu of the case base is wrong", what,
                     (unsigned long long)where);
}

/* A cell of the map, and open as far as that is known. */
static bool is_good_cell(const wend_db *db, uint64_t x, uint64_t y) {
    if (x >= (uint64_t)db->info.width || y >= (uint64_t)db->info.height) return false;
    return !db->map || wend_bit(db->map, (uint32_t)x, (uint32_t)y);
}

/* Whether a code begins here, or the stream ends. */
static bool is_mark(const wend_knn *knn, uint64_t size, uint32_t at) {
    return at <= size && (!at || !(knn->stream[at - 1] & 0x80));
}

static wend_status check_stream(const wend_knn *knn, uint64_t size, uint64_t cells, wend_error *error) {
    for (uint64_t at = 0; at < size;) {
        uint64_t number = 0, first = at;
        do {
            if (at == size || at - first == 5) return damaged(error, "byte", at);
            number |= (uint64_t)(knn->stream[at] & 0x7f) << (7 * (at - first));
        } while (knn->stream[at++] & 0x80);
        if (number >= cells) return damaged(error, "byte", first);
    }
    return WEND_OK;
}

static wend_status check_entries(const wend_db *db, const wend_knn *knn, uint64_t size, wend_error *error) {
    for (uint32_t i = 0; i < knn->count; i++) {
        const uint16_t *ends = knn->ends[i];
        if (!is_good_cell(db, ends[0], ends[1]) || !is_good_cell(db, ends[2], ends[3]) ||
            knn->begins[i] > knn->stops[i] || !is_mark(knn, size, knn->begins[i]) ||
            !is_mark(knn, size, knn->stops[i]))
            return damaged(error, "entry", i);
    }
    return WEND_OK;
}

static wend_status knn_open(wend_db *db, wend_error *error) {
    bool fragments = wend_knn_plan_of(db->settings).fragments;
    uint64_t ends, begins, stops = 0, size, cells, counts;
    wend_knn knn = {.ends = wend_db_section(db, "ends", 2, &ends),
                    .begins = wend_db_section(db, "begins", 4, &begins),
                    .stream = wend_db_section(db, "stream", 1, &size),
                    .cells = wend_db_section(db, "cells", 4, &cells)};
    knn.stops = fragments ? wend_db_section(db, "stops", 4, &stops) : knn.begins ? knn.begins + 1 : NULL;
    const uint32_t *totals = wend_db_section(db, "counts", 4, &counts);
    if (!knn.ends || !knn.begins || !knn.stops || !knn.stream || !knn.cells || !totals)
        return wend_fail(error, WEND_STATUS_DAMAGED, "the case base lacks a part");
    uint64_t count = ends / WEND_KNN_AXES;
    if (ends % WEND_KNN_AXES || count > WEND_KNN_MOST_ENTRIES || begins != count + !fragments ||
        (fragments && stops != count) || size > UINT32_MAX || counts != COUNTS)
        return wend_fail(error, WEND_STATUS_DAMAGED, "parts of the case base do not fit together");
    knn.count = (uint32_t)count;
    for (uint64_t i = 0; i < cells; i++)
        if (!is_good_cell(db, knn.cells[i] % (uint32_t)db->info.width,
                          knn.cells[i] / (uint32_t)db->info.width))
            return damaged(error, "subgoal", i);
    wend_status status = check_stream(&knn, size, cells, error);
    if (status == WEND_OK) status = check_entries(db, &knn, size, error);
    if (status != WEND_OK) return status;
    wend_knn *kept = wend_allocate(&db->allocator, 1, sizeof *kept);
    if (!kept) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a case base");
    *kept = knn;
    db->state = kept;
    return WEND_OK;
}

static void knn_close(wend_db *db) {
    wend_release(&db->allocator, db->state, 1, sizeof(wend_knn));
    db->state = NULL;
}

static double share(uint32_t part, uint32_t whole) {
    return whole ? 100.0 * part / whole : 0;
}

static size_t knn_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    const wend_knn *knn = wend_knn_of(db);
    const uint32_t *counts = wend_db_section(db, "counts", 4, NULL);
    uint64_t cells = 0, size = 0, subgoals = 0;
    const uint8_t *stream = wend_db_section(db, "stream", 1, &size);
    (void)wend_db_section(db, "cells", 4, &cells);
    for (uint64_t i = 0; i < size; i++) subgoals += !(stream[i] & 0x80);
    double states = (double)subgoals + 2.0 * counts[0];
    const wend_fact all[] = {
        {"records", counts[0]},
        {"entries", knn->count},
        {"subgoals", (double)subgoals},
        {"subgoal_cells", (double)cells},
        {"states_a_record", counts[0] ? states / counts[0] : 0},
        {"relative_size", states / ((double)db->info.width * db->info.height)},
        {"problems_covered_percent", share(counts[2], counts[1])},
        {"cells_covered_percent", share(counts[4], counts[3])},
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < capacity; i++) facts[i] = all[i];
    return count;
}

static const char *const spread_words[] = {"random", "even", NULL};
static const char *const compress_words[] = {"binary", "linear", NULL};
static const wend_key_info keys[] = {
    {.name = "records",
     .kind = WEND_KEY_INTEGER,
     .min = 0,
     .max = 1e7,
     .standard = "60000",
     .help = "how many paths to keep"},
    {.name = "spread",
     .kind = WEND_KEY_WORD,
     .words = spread_words,
     .standard = "random",
     .help = "where they lead: anywhere at random, or the same number for all parts of the map"},
    {.name = "fragments",
     .kind = WEND_KEY_YES_NO,
     .standard = "no",
     .help = "offer every part of a path as if it were one: many more entries"},
    {.name = "compress",
     .kind = WEND_KEY_WORD,
     .words = compress_words,
     .standard = "binary",
     .help = "how the next subgoal of a path is found: by halving, or by trying all of its cells"},
};

const wend_db_kind wend_db_knn = {
    .info = {"knn", "case base of kNN LRTA*: paths as subgoals that can be climbed to one after another",
             keys, sizeof keys / sizeof *keys},
    .version = 1,
    .open = knn_open,
    .close = knn_close,
    .facts = knn_facts,
    .prepare = wend_knn_prepare,
    .job = wend_knn_job,
    .ahead = wend_knn_ahead,
    .finish = wend_knn_finish,
    .release = wend_knn_release,
    .cover = wend_knn_cover_cells,
};
