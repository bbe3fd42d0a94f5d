/* Parcels of a path database: their sets of optimal moves, and rows of runs made of them. */
#include "methods/cpd/build/parcel.h"

#include <string.h>

/* Parcels ------------------------------------------------------------------------------------------------ */

/* The fewest pairs of cells that a job is worth starting for. */
#define JOB_WORK (UINT64_C(1) << 12)

void wend_cpd_parcels_release(wend_cpd_parcels *parcels) {
    wend_release(&parcels->allocator, parcels->list, parcels->capacity, sizeof *parcels->list);
    wend_release(&parcels->allocator, parcels->sources, (size_t)parcels->cells + 1, sizeof *parcels->sources);
    wend_release(&parcels->allocator, parcels->jobs, (size_t)parcels->count + 1, sizeof *parcels->jobs);
    parcels->list = NULL, parcels->sources = NULL, parcels->jobs = NULL;
}

static bool add_parcel(wend_cpd_parcels *parcels, wend_cpd_parcel parcel) {
    if (parcels->count == parcels->capacity) {
        uint32_t more = parcels->capacity ? parcels->capacity * 2 : 256;
        wend_cpd_parcel *larger =
            wend_enlarge(&parcels->allocator, parcels->list, parcels->capacity, more, sizeof *parcels->list);
        if (!larger) return false;
        parcels->list = larger, parcels->capacity = more;
    }
    parcels->list[parcels->count++] = parcel;
    return true;
}

/* Finds the parcels of a component, and lists its cells by parcel. `number` has room for each block of the
 * map: the last parcel that was there. */
static bool divide(const wend_ranks *ranks, uint32_t component, wend_cpd_parcels *parcels, uint32_t *number,
                   uint32_t across) {
    const wend_map *map = ranks->map;
    uint32_t begin = parcels->count;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t rank = ranks->firsts[component]; rank < ranks->firsts[component + 1]; rank++) {
            uint32_t y = wend_cell_y(map, ranks->cells[rank]), x = wend_cell_x(map, ranks->cells[rank], y);
            uint32_t column = x / WEND_BLOCK_WIDTH, row = y / WEND_BLOCK_HEIGHT;
            uint32_t *at = &number[row * across + column];
            if (*at < begin || *at >= parcels->count) {
                *at = parcels->count;
                if (!add_parcel(parcels, (wend_cpd_parcel){.component = component,
                                                           .x = column * WEND_BLOCK_WIDTH,
                                                           .y = row * WEND_BLOCK_HEIGHT}))
                    return false;
            }
            wend_cpd_parcel *parcel = &parcels->list[*at];
            if (pass) parcels->sources[parcel->begin + parcel->sources] = rank;
            parcel->sources++;
        }
        uint32_t next = ranks->firsts[component];
        for (uint32_t i = begin; !pass && i < parcels->count; i++) {
            wend_cpd_parcel *parcel = &parcels->list[i];
            if (parcel->sources > parcels->most_sources) parcels->most_sources = parcel->sources;
            parcel->begin = next, next += parcel->sources, parcel->sources = 0;
        }
    }
    return true;
}

wend_status wend_cpd_parcels_create(const wend_ranks *ranks, const wend_allocator *allocator,
                                    wend_cpd_parcels *parcels, wend_error *error) {
    const wend_map *map = ranks->map;
    uint32_t across = ((uint32_t)map->width - 1) / WEND_BLOCK_WIDTH + 1,
             down = ((uint32_t)map->height - 1) / WEND_BLOCK_HEIGHT + 1;
    *parcels = (wend_cpd_parcels){.allocator = *allocator, .cells = ranks->count};
    parcels->sources = wend_allocate(allocator, (size_t)parcels->cells + 1, sizeof *parcels->sources);
    uint32_t *number = wend_allocate(allocator, (size_t)across * down, sizeof *number);
    bool good = parcels->sources && number;
    if (good) memset(number, 0xff, (size_t)across * down * sizeof *number);
    for (uint32_t i = 0; good && i < ranks->components; i++) good = divide(ranks, i, parcels, number, across);
    wend_release(allocator, number, (size_t)across * down, sizeof *number);
    if (good) return WEND_OK;
    wend_cpd_parcels_release(parcels);
    return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the blocks of %u cells", ranks->count);
}

wend_status wend_cpd_parcels_divide(wend_cpd_parcels *parcels, const wend_ranks *ranks, wend_error *error) {
    parcels->jobs = wend_allocate(&parcels->allocator, (size_t)parcels->count + 1, sizeof *parcels->jobs);
    if (!parcels->jobs)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %u parcels", parcels->count);
    uint64_t work = JOB_WORK;
    for (uint32_t i = 0; i < parcels->count; i++) {
        const wend_cpd_parcel *parcel = &parcels->list[i];
        uint64_t cells = ranks->firsts[parcel->component + 1] - ranks->firsts[parcel->component];
        if (work >= JOB_WORK) parcels->jobs[parcels->job_count++] = i, work = 0;
        work += cells * (parcel->sources + 16);
    }
    parcels->jobs[parcels->job_count] = parcels->count;
    return WEND_OK;
}

/* Workers ----------------------------------------------------------------------------------------------- */

/* Patterns and segments are not known beforehand. On game maps the one are fewer than one in 16 cells, the
 * other than one in 8. */
size_t wend_cpd_worker_bytes(const wend_ranks *ranks, const wend_cpd_parcels *parcels, bool with_sets) {
    size_t cells = ranks->components ? ranks->firsts[1] : 0;
    size_t patterns = cells / 16 * 3 * WEND_PATCH_LANES,
           sets = cells / 8 * parcels->most_sources * sizeof(uint16_t);
    return sizeof(wend_cpd_worker) + wend_many_bytes((uint32_t)cells) + patterns +
           cells * (2 + 2 * sizeof(uint32_t)) + (with_sets ? sets : 0);
}

void wend_cpd_worker_destroy(wend_cpd_worker *worker) {
    if (!worker) return;
    wend_allocator allocator = worker->allocator;
    wend_release(&allocator, worker->sets, worker->sets_room, sizeof *worker->sets);
    wend_release(&allocator, worker->patterns, (size_t)worker->most_cells + 1, sizeof *worker->patterns);
    wend_release(&allocator, worker->begins, (size_t)worker->most_cells + 1, sizeof *worker->begins);
    wend_release(&allocator, worker->marks, worker->most_cells, 1);
    wend_release(&allocator, worker->zones, worker->most_cells, 1);
    wend_many_destroy(worker->many);
    wend_release(&allocator, worker, 1, sizeof *worker);
}

wend_status wend_cpd_worker_create(const wend_ranks *ranks, const wend_cpd_parcels *parcels,
                                   wend_many_form form, const wend_allocator *allocator,
                                   wend_cpd_worker **out) {
    wend_cpd_worker *worker = wend_allocate_zeroed(allocator, 1, sizeof *worker);
    *out = NULL;
    if (!worker) return WEND_STATUS_NO_MEMORY;
    worker->ranks = ranks, worker->parcels = parcels, worker->allocator = *allocator;
    worker->most_cells = ranks->firsts[1]; /* the largest component's */
    worker->avx2 = form != WEND_MANY_PLAIN && wend_has_avx2();
    worker->zones = wend_allocate(allocator, worker->most_cells, 1);
    worker->marks = wend_allocate(allocator, worker->most_cells, 1);
    worker->begins = wend_allocate(allocator, (size_t)worker->most_cells + 1, sizeof *worker->begins);
    worker->patterns = wend_allocate(allocator, (size_t)worker->most_cells + 1, sizeof *worker->patterns);
    bool good = worker->zones && worker->marks && worker->begins && worker->patterns;
    wend_status status = good ? WEND_OK : WEND_STATUS_NO_MEMORY;
    if (status == WEND_OK)
        status = wend_many_create(ranks, worker->most_cells, form, allocator, &worker->many, NULL);
    if (status == WEND_OK)
        *out = worker;
    else
        wend_cpd_worker_destroy(worker);
    return status;
}

/* Sets -------------------------------------------------------------------------------------------------- */

static void want_all(const wend_cpd_worker *worker, const wend_cpd_parcel *parcel, uint8_t *wanted) {
    const wend_map *map = worker->ranks->map;
    memset(wanted, 0, WEND_PATCH_LANES);
    for (uint32_t i = 0; i < parcel->sources; i++) {
        wend_cell cell = worker->ranks->cells[worker->parcels->sources[parcel->begin + i]];
        uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
        wanted[(y - parcel->y + 1) * WEND_PATCH_WIDTH + x - parcel->x + 1] = 1;
    }
}

static uint32_t lane_of(const wend_cpd_worker *worker, const wend_cpd_parcel *parcel, uint32_t source) {
    const wend_map *map = worker->ranks->map;
    wend_cell cell = worker->ranks->cells[worker->parcels->sources[parcel->begin + source]];
    uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
    return (y - parcel->y + 1) * WEND_PATCH_WIDTH + x - parcel->x + 1;
}

/* Zones: the greedy move depends on whether a target lies west or east of a source, and north or south. So it
 * is known for all sources by the target's column, if that is one of the block's, or else its side of the
 * block; and by its row. A zone has four bits for each: 0 before the block, 15 behind it. */
enum { ZONES = 256, ZONE_BEFORE = 0, ZONE_BEHIND = 15 };

static uint32_t zone_part(uint32_t at, uint32_t begin, uint32_t length) {
    return at < begin ? ZONE_BEFORE : at - begin < length ? 1 + at - begin : ZONE_BEHIND;
}

static void find_zones(wend_cpd_worker *worker, const wend_cpd_parcel *parcel) {
    const wend_ranks *ranks = worker->ranks;
    const wend_map *map = ranks->map;
    const wend_cell *cells = ranks->cells + ranks->firsts[parcel->component];
    uint32_t count = ranks->firsts[parcel->component + 1] - ranks->firsts[parcel->component];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t y = wend_cell_y(map, cells[i]), x = wend_cell_x(map, cells[i], y);
        worker->zones[i] = (uint8_t)(zone_part(x, parcel->x, WEND_BLOCK_WIDTH) |
                                     zone_part(y, parcel->y, WEND_BLOCK_HEIGHT) << 4);
    }
}

/* Of the cell at (x, y) of the block, by the target's zone: the greedy move as a bit. To the cell itself it
 * is any. */
static void greedy_by_zone(const wend_map *map, int32_t x, int32_t y, uint8_t *greedy) {
    for (int32_t i = 0; i < ZONES; i++)
        greedy[i] = (uint8_t)(1u << wend_greedy_move(map->rules.connect, i % 16 - 1 - x, i / 16 - 1 - y));
}

/* Divides the targets into segments, each of one pattern, one zone and one page. Those of earlier searches of
 * the parcel are divided further. Returns how many there are, and marks the first target of each. */
static uint32_t mark_segments(wend_cpd_worker *worker, uint32_t count, bool again) {
    const wend_many_cell *cells = wend_many_cells(worker->many);
    const uint8_t *zones = worker->zones;
    uint8_t *marks = worker->marks;
    uint32_t segments = 0;
    if (!again) memset(marks, 0, count);
    for (uint32_t i = 1; i < count; i++)
        marks[i] |= (uint8_t)((cells[i].pattern != cells[i - 1].pattern) | (zones[i] != zones[i - 1]));
    for (uint32_t i = 0; i < count; i += 1u << WEND_CPD_PAGE_BITS) marks[i] = 1;
    for (uint32_t i = 0; i < count; i++) segments += marks[i];
    return segments;
}

/* Makes segments of the marks, and room for the sets of all sources. What is known of some is kept. */
static bool cut_segments(wend_cpd_worker *worker, const wend_cpd_parcel *parcel, uint32_t count,
                         uint32_t segments, bool again) {
    const size_t room = (size_t)parcel->sources * segments;
    if (again && segments == worker->segments) return true;
    if (again || room > worker->sets_room) {
        size_t more = room + room / 4;
        uint16_t *sets = wend_allocate(&worker->allocator, more, sizeof *sets);
        if (!sets) return false;
        uint32_t *before = worker->patterns; /* which one each was a part of */
        for (uint32_t j = 0, old = 0, g = 0; again && j < count; j++) {
            if (!worker->marks[j]) continue;
            old += worker->begins[old + 1] == j;
            before[g++] = old;
        }
        for (uint32_t i = 0; again && i < parcel->sources; i++)
            for (uint32_t g = 0; g < segments; g++)
                sets[(size_t)i * segments + g] = worker->sets[i * worker->stride + before[g]];
        wend_release(&worker->allocator, worker->sets, worker->sets_room, sizeof *worker->sets);
        worker->sets = sets, worker->sets_room = more;
    }
    worker->stride = worker->segments = segments;
    for (uint32_t j = 0, g = 0; j < count; j++) {
        worker->begins[g] = j;
        g += worker->marks[j];
    }
    worker->begins[segments] = count;
    return true;
}

/* The sets of the sources that have been searched from. */
static bool take_sets(wend_cpd_worker *worker, const wend_cpd_parcel *parcel, const uint8_t *before,
                      const uint8_t *after) {
    const wend_many_cell *cells = wend_many_cells(worker->many);
    const uint32_t patterns = wend_many_patterns(worker->many), stride = wend_many_stride(worker->many);
    uint8_t *by_pattern = wend_allocate(&worker->allocator, patterns, 1); /* a source's moves */
    if (!by_pattern) return false;
    for (uint32_t j = 0; j < worker->segments; j++) worker->patterns[j] = cells[worker->begins[j]].pattern;
    for (uint32_t i = 0; i < parcel->sources; i++) {
        const uint32_t lane = lane_of(worker, parcel, i);
        if (!before[lane] || after[lane]) continue;
        const int32_t x = (int32_t)(lane % WEND_PATCH_WIDTH) - 1, y = (int32_t)(lane / WEND_PATCH_WIDTH) - 1;
        const uint8_t *moves = wend_many_moves(worker->many, 0) + wend_many_place(worker->many, lane);
        for (uint32_t j = 0; j < patterns; j++) by_pattern[j] = moves[(size_t)j * stride];
        uint8_t greedy[ZONES];
        greedy_by_zone(worker->ranks->map, x, y, greedy);
        const uint32_t own = (uint32_t)(x + 1 + (y + 1) * 16); /* the zone of the source itself */
        uint16_t *sets = worker->sets + i * worker->stride;
        for (uint32_t j = 0; j < worker->segments; j++) {
            const uint32_t zone = worker->zones[worker->begins[j]], set = by_pattern[worker->patterns[j]];
            sets[j] = (uint16_t)(set | (set & greedy[zone] ? WEND_CPD_GREEDY_BIT : 0));
            if (zone == own) sets[j] = WEND_CPD_ANY;
        }
    }
    wend_release(&worker->allocator, by_pattern, patterns, 1);
    return true;
}

wend_status wend_cpd_parcel_sets(wend_cpd_worker *worker, const wend_cpd_parcel *parcel) {
    uint8_t wanted[WEND_PATCH_LANES], before[WEND_PATCH_LANES];
    const uint32_t count =
        worker->ranks->firsts[parcel->component + 1] - worker->ranks->firsts[parcel->component];
    want_all(worker, parcel, wanted);
    find_zones(worker, parcel);
    for (bool again = false; memchr(wanted, 1, sizeof wanted); again = true) {
        memcpy(before, wanted, sizeof before);
        wend_status status =
            wend_many_search(worker->many, parcel->component, (int32_t)parcel->x, (int32_t)parcel->y, wanted);
        if (status != WEND_OK) return status;
        uint32_t segments = mark_segments(worker, count, again);
        if (!cut_segments(worker, parcel, count, segments, again)) return WEND_STATUS_NO_MEMORY;
        if (!take_sets(worker, parcel, before, wanted)) return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

/* In each byte the highest bit, set where the byte is not 0. */
WEND_INLINE uint64_t filled(uint64_t bytes) {
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return (((bytes & low) + low) | bytes) & ~low;
}

/* How many lanes of two targets have a move in common, a direction or the greedy one. Eight lanes at a time,
 * each counting for itself: there are at most 32 times eight. */
WEND_INLINE uint32_t count_common(const uint8_t *a, const uint8_t *b, uint64_t greedy_a, uint64_t greedy_b,
                                  uint32_t lanes) {
    const uint64_t ones = UINT64_C(0x0101010101010101), even = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t counts = 0;
    if (greedy_a == greedy_b) { /* who has both has a direction in common */
        for (uint32_t i = 0; i < lanes; i += 8) {
            uint64_t x, y;
            memcpy(&x, a + i, sizeof x), memcpy(&y, b + i, sizeof y);
            counts += filled(x & y) >> 7;
        }
    } else {
        greedy_a *= ones, greedy_b *= ones;
        for (uint32_t i = 0; i < lanes; i += 8) {
            uint64_t x, y;
            memcpy(&x, a + i, sizeof x), memcpy(&y, b + i, sizeof y);
            counts += (filled(x & y) | (filled(x & greedy_a) & filled(y & greedy_b))) >> 7;
        }
    }
    counts = (counts & even) + (counts >> 8 & even);
    return (uint32_t)(counts * UINT64_C(0x0001000100010001) >> 48);
}

WEND_INLINE void weigh(const wend_cpd_worker *worker, const wend_cpd_parcel *parcel, uint32_t searched,
                       const uint8_t *greedy, uint32_t *weights) {
    const wend_ranks *ranks = worker->ranks;
    const wend_many_cell *cells = wend_many_cells(worker->many);
    uint32_t first = ranks->firsts[parcel->component], count = ranks->firsts[parcel->component + 1] - first;
    uint32_t stride = wend_many_stride(worker->many), last = UINT32_MAX, same = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pattern = cells[i].pattern;
        const uint8_t *moves = wend_many_moves(worker->many, pattern);
        /* Between cells of one pattern only who has no move at all has none in common: who is there. */
        if (pattern != last) same = searched - count_common(moves, moves, 0, 0, stride), last = pattern;
        for (uint32_t k = 2; k <= 5; k++) {
            if (!(ranks->legal[first + i] >> k & 1)) continue;
            uint32_t next = ranks->near[(size_t)(first + i) * WEND_DIRECTIONS + k] - first;
            uint32_t other = cells[next].pattern;
            weights[(size_t)(first + i) * WEND_CPD_EDGES + k - 2] +=
                WEND_LIKELY(other == pattern)
                    ? same
                    : searched - count_common(moves, wend_many_moves(worker->many, other),
                                              greedy[worker->zones[i]], greedy[worker->zones[next]], stride);
        }
    }
}

static void weigh_plain(const wend_cpd_worker *worker, const wend_cpd_parcel *parcel, uint32_t searched,
                        const uint8_t *greedy, uint32_t *weights) {
    weigh(worker, parcel, searched, greedy, weights);
}

WEND_AVX2 static void weigh_avx2(const wend_cpd_worker *worker, const wend_cpd_parcel *parcel,
                                 uint32_t searched, const uint8_t *greedy, uint32_t *weights) {
    weigh(worker, parcel, searched, greedy, weights);
}

wend_status wend_cpd_parcel_weigh(wend_cpd_worker *worker, const wend_cpd_parcel *parcel, uint32_t *weights) {
    uint8_t wanted[WEND_PATCH_LANES], greedy[ZONES];
    want_all(worker, parcel, wanted);
    find_zones(worker, parcel);
    greedy_by_zone(worker->ranks->map, WEND_BLOCK_WIDTH / 2, WEND_BLOCK_HEIGHT / 2, greedy);
    for (uint32_t left = parcel->sources, now; left; left = now) {
        wend_status status =
            wend_many_search(worker->many, parcel->component, (int32_t)parcel->x, (int32_t)parcel->y, wanted);
        if (status != WEND_OK) return status;
        now = 0;
        for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) now += wanted[i];
        (worker->avx2 ? weigh_avx2 : weigh_plain)(worker, parcel, left - now, greedy, weights);
    }
    return WEND_OK;
}
