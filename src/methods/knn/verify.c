/* Verifying a case base: the order of its tree and what it covers as a whole; then each record, drawn and
 * compressed again, must be found among the entries by its ends, with the same subgoals. Several records may
 * have parts in common, or be the same, so that one of their entries could be another without being missed:
 * when all records are worked out, a sum over their entries is compared with that over those of the file. */
#include "base/random.h"
#include "methods/knn/build.h"

#include <stdatomic.h>

typedef struct checker {
    wend_knn_works *works;
    wend_knn_query *queries; /* one a worker */
    uint64_t sum;            /* over the file's entries */
    atomic_ullong anew;      /* over those worked out */
    atomic_ullong right;     /* records that were found */
} checker;

/* What an entry adds to a sum, state by state. */
static uint64_t mix_state(uint64_t hash, wend_cell state) {
    return wend_mix(hash ^ state);
}

static uint64_t sum_of_file(const wend_map *map, const wend_knn *knn) {
    uint64_t sum = 0;
    for (uint32_t entry = 0; entry < knn->count; entry++) {
        uint64_t hash = mix_state(0, wend_knn_start(map, knn, entry));
        for (uint32_t at = knn->begins[entry]; at < knn->stops[entry];)
            hash = mix_state(hash, wend_knn_subgoal(knn, &at));
        sum += mix_state(hash, wend_knn_end(map, knn, entry));
    }
    return sum;
}

static wend_status wrong(wend_error *error, const char *what, uint64_t number) {
    return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "%s %llu is not what the map gives", what,
                     (unsigned long long)number);
}

static wend_status check_whole(const wend_verifier *verifier, wend_error *error) {
    const wend_knn *knn = wend_knn_of(verifier->db);
    const wend_knn_works *works = ((const checker *)verifier->state)->works;
    const uint32_t *counts = wend_db_section(verifier->db, "counts", 4, NULL);
    uint32_t entry = 0, records = 0;
    wend_knn_cover cover;
    wend_cell start, goal;
    for (uint32_t n = 0; n < works->plan.records; n++)
        records += wend_knn_works_pair(works, n, &start, &goal);
    bool parts = works->plan.fragments && records; /* each record has several entries */
    if (counts[0] != records || (parts ? knn->count < records : knn->count != records))
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "there should be %u records", records);
    if (!wend_knn_sorted(knn, &entry)) return wrong(error, "the place of entry", entry);
    wend_status status = wend_knn_measure(&works->draws, knn, &cover);
    if (status != WEND_OK) return wend_fail(error, status, "no memory to measure what is covered");
    if (counts[1] != cover.problems || counts[2] != cover.problems_covered || counts[3] != cover.cells ||
        counts[4] != cover.cells_covered)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "it does not cover what it claims to");
    return WEND_OK;
}

wend_status wend_knn_verify_prepare(wend_verifier *verifier, wend_error *error) {
    const wend_knn *knn = wend_knn_of(verifier->db);
    const wend_allocator *allocator = &verifier->allocator;
    checker *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for verifying");
    verifier->state = made;
    wend_status status =
        wend_knn_works_create(verifier->map, verifier->db->settings, verifier->db->info.seed,
                              &verifier->options->tasks, verifier->workers, allocator, &made->works, error);
    if (status != WEND_OK) return status;
    if (made->works->plan.even && !wend_knn_spread_all(&made->works->spread, verifier->options))
        return wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted while pairs were chosen");
    made->queries = wend_allocate_zeroed(allocator, verifier->workers, sizeof *made->queries);
    if (!made->queries) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for verifying");
    for (uint32_t i = 0; i < verifier->workers; i++) {
        wend_knn_query *query = &made->queries[i];
        *query = (wend_knn_query){.map = verifier->map, .knn = knn, .most = 1};
        query->hits = wend_allocate(allocator, 1, sizeof *query->hits);
        query->ranges = wend_allocate(allocator, wend_knn_ranges(knn->count), sizeof *query->ranges);
        if (!query->hits || !query->ranges)
            return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for verifying");
    }
    verifier->pieces = made->works->plan.records;
    made->sum = sum_of_file(verifier->map, knn);
    atomic_init(&made->anew, 0);
    atomic_init(&made->right, 0);
    return check_whole(verifier, error);
}

void wend_knn_verify_release(wend_verifier *verifier) {
    checker *made = verifier->state;
    const wend_allocator *allocator = &verifier->allocator;
    if (!made) return;
    for (uint32_t i = 0; made->queries && i < verifier->workers; i++) {
        const wend_knn_query *query = &made->queries[i];
        wend_release(allocator, query->hits, 1, sizeof *query->hits);
        if (query->knn)
            wend_release(allocator, query->ranges, wend_knn_ranges(query->knn->count), sizeof *query->ranges);
    }
    wend_release(allocator, made->queries, verifier->workers, sizeof *made->queries);
    wend_knn_works_release(made->works);
    wend_release(allocator, made, 1, sizeof *made);
    verifier->state = NULL;
}

static bool has_subgoals(const wend_knn *knn, uint32_t entry, const wend_cell *cells, size_t count) {
    uint32_t at = knn->begins[entry];
    for (size_t i = 0; i < count; i++)
        if (at >= knn->stops[entry] || wend_knn_subgoal(knn, &at) != cells[i]) return false;
    return at == knn->stops[entry];
}

/* Whether there is an entry with these states, the ends included. Several may have the same ends. */
static bool is_there(wend_knn_query *query, const wend_cell *states, size_t count) {
    wend_knn_hit hit;
    uint64_t counted = 0;
    wend_knn_begin(query, states[0], states[count - 1]);
    while (wend_knn_run(query, UINT64_MAX / 2, &counted) && wend_knn_take(query, &hit)) {
        if (hit.distance) return false;
        if (has_subgoals(query->knn, hit.number, states + 1, count - 2)) return true;
        wend_knn_begin_behind(query, hit);
    }
    return false;
}

/* Looks for the entries of a record, and adds them up. */
static bool are_there(wend_knn_query *query, const wend_paths *paths, bool fragments, uint64_t *sum) {
    size_t count = paths->state_count;
    for (size_t i = 0; i + 1 < (fragments ? count : 2); i++) {
        uint64_t hash = mix_state(0, paths->states[i]);
        for (size_t j = i + 1; j < count; j++) {
            hash = mix_state(hash, paths->states[j]);
            if (!fragments && j + 1 < count) continue;
            if (!is_there(query, paths->states + i, j - i + 1)) return false;
            *sum += hash;
        }
    }
    return true;
}

wend_status wend_knn_verify(wend_verifier *verifier, uint64_t piece, uint32_t worker, wend_error *error) {
    checker *made = verifier->state;
    bool fragments = made->works->plan.fragments;
    wend_paths *paths = &made->works->paths[worker];
    wend_cell start, goal;
    uint64_t sum = 0;
    if (wend_knn_works_pair(made->works, (uint32_t)piece, &start, &goal)) {
        wend_status status = wend_paths_record(paths, start, goal, made->works->plan.compress);
        if (status != WEND_OK)
            return wend_fail(error, status, "record %llu can't be worked out", (unsigned long long)piece);
        if (!are_there(&made->queries[worker], paths, fragments, &sum))
            return wrong(error, fragments ? "a part of record" : "record", piece);
    }
    (void)atomic_fetch_add(&made->anew, sum);
    /* Who comes last has all of them before it. */
    if (atomic_fetch_add(&made->right, 1) + 1 == verifier->pieces && atomic_load(&made->anew) != made->sum)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "there are entries that no record has");
    return WEND_OK;
}
