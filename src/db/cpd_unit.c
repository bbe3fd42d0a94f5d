/* Units of a path database: their sets of optimal moves, and rows of runs made of them. */
#include "db/cpd_unit.h"

#include <string.h>

/* Units ------------------------------------------------------------------------------------------------- */

void wend_cpd_units_release(wend_cpd_units *units) {
    wend_release(&units->allocator, units->list, units->capacity, sizeof *units->list);
    wend_release(&units->allocator, units->sources, (size_t)units->cells + 1, sizeof *units->sources);
    units->list = NULL, units->sources = NULL;
}

static bool add_unit(wend_cpd_units *units, wend_cpd_unit unit) {
    if (units->count == units->capacity) {
        uint32_t more = units->capacity ? units->capacity * 2 : 256;
        wend_cpd_unit *larger =
            wend_enlarge(&units->allocator, units->list, units->capacity, more, sizeof *units->list);
        if (!larger) return false;
        units->list = larger, units->capacity = more;
    }
    units->list[units->count++] = unit;
    return true;
}

/* Finds the units of a component, and lists its cells by unit. `number` has room for each block of the map:
 * the last unit that was there. */
static bool divide(const wend_ranks *ranks, uint32_t component, wend_cpd_units *units, uint32_t *number,
                   uint32_t across) {
    const wend_map *map = ranks->map;
    uint32_t begin = units->count;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t rank = ranks->firsts[component]; rank < ranks->firsts[component + 1]; rank++) {
            uint32_t y = wend_cell_y(map, ranks->cells[rank]), x = wend_cell_x(map, ranks->cells[rank], y);
            uint32_t column = x / WEND_BLOCK_WIDTH, row = y / WEND_BLOCK_HEIGHT;
            uint32_t *at = &number[row * across + column];
            if (*at < begin || *at >= units->count) {
                *at = units->count;
                if (!add_unit(units, (wend_cpd_unit){.component = component,
                                                     .x = column * WEND_BLOCK_WIDTH,
                                                     .y = row * WEND_BLOCK_HEIGHT}))
                    return false;
            }
            wend_cpd_unit *unit = &units->list[*at];
            if (pass) units->sources[unit->begin + unit->sources] = rank;
            unit->sources++;
        }
        uint32_t next = ranks->firsts[component];
        for (uint32_t i = begin; !pass && i < units->count; i++) {
            wend_cpd_unit *unit = &units->list[i];
            if (unit->sources > units->most_sources) units->most_sources = unit->sources;
            unit->begin = next, next += unit->sources, unit->sources = 0;
        }
    }
    return true;
}

wend_status wend_cpd_units_create(const wend_ranks *ranks, const wend_allocator *allocator,
                                  wend_cpd_units *units, wend_error *error) {
    const wend_map *map = ranks->map;
    uint32_t across = ((uint32_t)map->width - 1) / WEND_BLOCK_WIDTH + 1,
             down = ((uint32_t)map->height - 1) / WEND_BLOCK_HEIGHT + 1;
    *units = (wend_cpd_units){.allocator = *allocator, .cells = ranks->count};
    units->sources = wend_allocate(allocator, (size_t)units->cells + 1, sizeof *units->sources);
    uint32_t *number = wend_allocate(allocator, (size_t)across * down, sizeof *number);
    bool good = units->sources && number;
    if (good) memset(number, 0xff, (size_t)across * down * sizeof *number);
    for (uint32_t i = 0; good && i < ranks->components; i++) good = divide(ranks, i, units, number, across);
    wend_release(allocator, number, (size_t)across * down, sizeof *number);
    if (good) return WEND_OK;
    wend_cpd_units_release(units);
    return wend_fail(error, WEND_NO_MEMORY, "no memory for the blocks of %u cells", ranks->count);
}

/* Workers ----------------------------------------------------------------------------------------------- */

/* Rows of sets begin 64 bytes apart modulo a page, so that sources do not fight for the same lines. */
static size_t stride_of(uint32_t cells) {
    return ((size_t)cells + 63) / 64 * 64 + 32;
}

size_t wend_cpd_worker_bytes(const wend_ranks *ranks, const wend_cpd_units *units, bool with_sets) {
    uint32_t cells = ranks->components ? ranks->firsts[1] : 0;
    size_t sets = (size_t)units->most_sources * stride_of(cells) * sizeof(uint16_t);
    return sizeof(wend_cpd_worker) + wend_many_bytes(cells) + cells + (with_sets ? sets : 0);
}

void wend_cpd_worker_destroy(wend_cpd_worker *worker) {
    if (!worker) return;
    wend_allocator allocator = worker->allocator;
    wend_release(&allocator, worker->sets, worker->units->most_sources * worker->stride,
                 sizeof *worker->sets);
    wend_release(&allocator, worker->greedy, worker->most_cells, 1);
    wend_many_destroy(worker->many);
    wend_release(&allocator, worker, 1, sizeof *worker);
}

wend_status wend_cpd_worker_create(const wend_ranks *ranks, const wend_cpd_units *units, wend_many_form form,
                                   const wend_allocator *allocator, wend_cpd_worker **out) {
    wend_cpd_worker *worker = wend_allocate_zeroed(allocator, 1, sizeof *worker);
    *out = NULL;
    if (!worker) return WEND_NO_MEMORY;
    worker->ranks = ranks, worker->units = units, worker->allocator = *allocator;
    worker->most_cells = ranks->firsts[1]; /* the largest component's */
    worker->avx2 = form != WEND_MANY_PLAIN && wend_has_avx2();
    worker->stride = stride_of(worker->most_cells);
    worker->greedy = wend_allocate(allocator, worker->most_cells, 1);
    wend_status status = worker->greedy ? WEND_OK : WEND_NO_MEMORY;
    if (status == WEND_OK)
        status = wend_many_create(ranks, worker->most_cells, form, allocator, &worker->many, NULL);
    if (status == WEND_OK)
        *out = worker;
    else
        wend_cpd_worker_destroy(worker);
    return status;
}

/* Sets -------------------------------------------------------------------------------------------------- */

static void want_all(const wend_cpd_worker *worker, const wend_cpd_unit *unit, uint8_t *wanted) {
    const wend_map *map = worker->ranks->map;
    memset(wanted, 0, WEND_PATCH_LANES);
    for (uint32_t i = 0; i < unit->sources; i++) {
        wend_cell cell = worker->ranks->cells[worker->units->sources[unit->begin + i]];
        uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
        wanted[(y - unit->y + 1) * WEND_PATCH_WIDTH + x - unit->x + 1] = 1;
    }
}

static uint32_t lane_of(const wend_cpd_worker *worker, const wend_cpd_unit *unit, uint32_t source) {
    const wend_map *map = worker->ranks->map;
    wend_cell cell = worker->ranks->cells[worker->units->sources[unit->begin + source]];
    uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
    return (y - unit->y + 1) * WEND_PATCH_WIDTH + x - unit->x + 1;
}

/* The greedy moves towards all targets, where one is that of every source of the block. */
static void common_greedy(wend_cpd_worker *worker, const wend_cpd_unit *unit) {
    const wend_ranks *ranks = worker->ranks;
    const wend_map *map = ranks->map;
    const wend_cell *cells = ranks->cells + ranks->firsts[unit->component];
    uint32_t count = ranks->firsts[unit->component + 1] - ranks->firsts[unit->component];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t y = wend_cell_y(map, cells[i]), x = wend_cell_x(map, cells[i], y);
        int32_t dx = (int32_t)x - (int32_t)unit->x, dy = (int32_t)y - (int32_t)unit->y;
        bool inside = (dx >= 0 && dx < WEND_BLOCK_WIDTH) || (dy >= 0 && dy < WEND_BLOCK_HEIGHT);
        worker->greedy[i] = (uint8_t)(inside ? 0 : 1u << wend_greedy_move(map->rules.connect, dx, dy));
    }
}

enum { TILE = 64 }; /* targets whose moves stay in the nearest cache */

/* The sets of a source towards a tile of targets, but for those with no common greedy move. */
static void take_tile(const uint8_t *moves, size_t stride, const uint8_t *greedy, uint32_t count,
                      uint16_t *sets) {
    uint8_t gathered[TILE];
    for (uint32_t i = 0; i < count; i++) gathered[i] = moves[i * stride];
    for (uint32_t i = 0; i < count; i++)
        sets[i] = (uint16_t)(gathered[i] | (gathered[i] & greedy[i] ? WEND_CPD_GREEDY_BIT : 0));
}

static void take_sets(wend_cpd_worker *worker, const wend_cpd_unit *unit, const uint8_t *before,
                      const uint8_t *after) {
    const wend_ranks *ranks = worker->ranks;
    const wend_map *map = ranks->map;
    uint32_t first = ranks->firsts[unit->component], count = ranks->firsts[unit->component + 1] - first;
    for (uint32_t begin = 0; begin < count; begin += TILE) {
        uint32_t tile = count - begin < TILE ? count - begin : TILE;
        /* Targets beside the block: the greedy move is each source's own. */
        uint32_t own[TILE] = {0}, own_count = 0;
        for (uint32_t i = 0; i < tile; i++)
            if (!worker->greedy[begin + i]) own[own_count++] = begin + i;
        for (uint32_t i = 0; i < unit->sources; i++) {
            uint32_t lane = lane_of(worker, unit, i);
            if (!before[lane] || after[lane]) continue;
            size_t stride;
            const uint8_t *moves = wend_many_moves(worker->many, lane, &stride);
            uint16_t *sets = worker->sets + i * worker->stride;
            take_tile(moves + begin * stride, stride, worker->greedy + begin, tile, sets + begin);
            int32_t x = (int32_t)(unit->x + lane % WEND_PATCH_WIDTH) - 1,
                    y = (int32_t)(unit->y + lane / WEND_PATCH_WIDTH) - 1;
            for (uint32_t j = 0; j < own_count; j++) {
                wend_xy to = wend_map_xy(map, ranks->cells[first + own[j]]);
                uint32_t move = wend_greedy_move(map->rules.connect, to.x - x, to.y - y);
                sets[own[j]] |= sets[own[j]] >> move & 1 ? WEND_CPD_GREEDY_BIT : 0;
            }
        }
    }
}

wend_status wend_cpd_unit_sets(wend_cpd_worker *worker, const wend_cpd_unit *unit) {
    uint8_t wanted[WEND_PATCH_LANES], before[WEND_PATCH_LANES];
    uint32_t first = worker->ranks->firsts[unit->component];
    if (!worker->sets) {
        worker->sets = wend_allocate(&worker->allocator, worker->units->most_sources * worker->stride,
                                     sizeof *worker->sets);
        if (!worker->sets) return WEND_NO_MEMORY;
    }
    want_all(worker, unit, wanted);
    common_greedy(worker, unit);
    while (memchr(wanted, 1, sizeof wanted)) {
        memcpy(before, wanted, sizeof before);
        wend_status status =
            wend_many_search(worker->many, unit->component, (int32_t)unit->x, (int32_t)unit->y, wanted);
        if (status != WEND_OK) return status;
        take_sets(worker, unit, before, wanted);
    }
    for (uint32_t i = 0; i < unit->sources; i++)
        worker->sets[i * worker->stride + worker->units->sources[unit->begin + i] - first] = WEND_CPD_ANY;
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

WEND_INLINE void weigh(const wend_cpd_worker *worker, const wend_cpd_unit *unit, uint32_t searched,
                       uint32_t *weights) {
    const wend_ranks *ranks = worker->ranks;
    uint32_t first = ranks->firsts[unit->component], count = ranks->firsts[unit->component + 1] - first;
    size_t stride;
    const uint8_t *moves = wend_many_all_moves(worker->many, &stride);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 2; k <= 5; k++) {
            if (!(ranks->legal[first + i] >> k & 1)) continue;
            uint32_t next = ranks->near[(size_t)(first + i) * WEND_DIRECTIONS + k] - first;
            weights[(size_t)(first + i) * WEND_CPD_EDGES + k - 2] +=
                searched - count_common(moves + i * stride, moves + next * stride, worker->greedy[i],
                                        worker->greedy[next], (uint32_t)stride);
        }
}

static void weigh_plain(const wend_cpd_worker *worker, const wend_cpd_unit *unit, uint32_t searched,
                        uint32_t *weights) {
    weigh(worker, unit, searched, weights);
}

WEND_AVX2 static void weigh_avx2(const wend_cpd_worker *worker, const wend_cpd_unit *unit, uint32_t searched,
                                 uint32_t *weights) {
    weigh(worker, unit, searched, weights);
}

wend_status wend_cpd_unit_weigh(wend_cpd_worker *worker, const wend_cpd_unit *unit, uint32_t *weights) {
    const wend_ranks *ranks = worker->ranks;
    const wend_map *map = ranks->map;
    uint8_t wanted[WEND_PATCH_LANES];
    uint32_t first = ranks->firsts[unit->component], count = ranks->firsts[unit->component + 1] - first;
    want_all(worker, unit, wanted);
    for (uint32_t i = 0; i < count; i++) {
        wend_xy to = wend_map_xy(map, ranks->cells[first + i]);
        int32_t dx = to.x - (int32_t)unit->x - WEND_BLOCK_WIDTH / 2,
                dy = to.y - (int32_t)unit->y - WEND_BLOCK_HEIGHT / 2;
        worker->greedy[i] = (uint8_t)(1u << wend_greedy_move(map->rules.connect, dx, dy));
    }
    for (uint32_t left = unit->sources, now; left; left = now) {
        wend_status status =
            wend_many_search(worker->many, unit->component, (int32_t)unit->x, (int32_t)unit->y, wanted);
        if (status != WEND_OK) return status;
        now = 0;
        for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) now += wanted[i];
        (worker->avx2 ? weigh_avx2 : weigh_plain)(worker, unit, left - now, weights);
    }
    return WEND_OK;
}

/* Rows -------------------------------------------------------------------------------------------------- */

/* Where two rows have no move in common, from `from` on; `count` if nowhere. */
static uint32_t first_conflict(const uint16_t *a, const uint16_t *b, uint32_t from, uint32_t count) {
    for (; from + TILE <= count; from += TILE) {
        uint16_t empty = 0;
        for (uint32_t i = 0; i < TILE; i++) empty |= (uint16_t)((a[from + i] & b[from + i]) == 0);
        if (empty) break;
    }
    while (from < count && (a[from] & b[from])) from++;
    return from;
}

/* Gives each source the first row that serves it too, looking at the last one first: neighbours in rank are
 * neighbours on the map. Rows are kept where their first source's sets were. Returns how many there are. */
static uint32_t merge(wend_cpd_worker *worker, const wend_cpd_unit *unit, uint8_t *row_of, uint8_t *leader) {
    const uint32_t count =
        worker->ranks->firsts[unit->component + 1] - worker->ranks->firsts[unit->component];
    uint32_t hint[WEND_BLOCK_CELLS]; /* of each row: where it last had a conflict */
    uint32_t rows = 0;
    for (uint32_t i = 0; i < unit->sources; i++) {
        const uint16_t *own = worker->sets + i * worker->stride;
        uint32_t row = rows;
        while (row-- > 0) {
            uint16_t *other = worker->sets + leader[row] * worker->stride;
            if (!(own[hint[row]] & other[hint[row]])) continue;
            hint[row] = first_conflict(own, other, 0, count);
            if (hint[row] < count) continue;
            for (uint32_t j = 0; j < count; j++) other[j] &= own[j];
            hint[row] = 0;
            break;
        }
        if (row == UINT32_MAX) row = rows++, leader[row] = (uint8_t)i, hint[row] = 0;
        row_of[i] = (uint8_t)row;
    }
    return rows;
}

/* The greedy move where it serves; else the first direction. */
static uint32_t symbol_of(uint32_t set) {
    return set & WEND_CPD_GREEDY_BIT ? WEND_CPD_GREEDY : wend_lowest_bit(set);
}

/* A row as it is made: its parts stand apart until their lengths are known. */
typedef struct row_parts {
    wend_buffer pages, page_keys, keys, symbols; /* the first keys are those of one page, ascending */
    uint32_t runs;
    uint8_t pending; /* the nibble of an even run */
} row_parts;

static bool add_run(row_parts *row, uint32_t begin, uint32_t set, bool first_of_page) {
    uint16_t key = (uint16_t)begin;
    uint32_t symbol = symbol_of(set);
    bool good = first_of_page || wend_buffer_add(&row->page_keys, &key, sizeof key);
    if (row->runs++ & 1) {
        uint8_t both = (uint8_t)(row->pending | symbol << 4);
        return good && wend_buffer_add(&row->symbols, &both, 1);
    }
    row->pending = (uint8_t)symbol;
    return good;
}

/* The keys of a page to where they belong. */
static bool place_keys(row_parts *row) {
    const size_t begin = row->keys.size;
    const uint32_t count = (uint32_t)(row->page_keys.size / sizeof(uint16_t));
    if (!wend_buffer_add(&row->keys, row->page_keys.data, row->page_keys.size)) return false;
    for (uint32_t i = 0; i < count; i++)
        memcpy(row->keys.data + begin + wend_cpd_key_place(i, count) * sizeof(uint16_t),
               row->page_keys.data + i * sizeof(uint16_t), sizeof(uint16_t));
    return true;
}

static bool write_row(row_parts *row, wend_buffer *result) {
    static const uint8_t zero = 0;
    bool good = true;
    if (row->runs & 1) good = wend_buffer_add(&row->symbols, &row->pending, 1);
    if (row->symbols.size & 1) good = good && wend_buffer_add(&row->symbols, &zero, 1);
    /* Words, not bytes, whatever the machine: the first nibble is the lowest of its word. */
    for (size_t i = 0; good && i < row->symbols.size; i += 2) {
        uint16_t word = (uint16_t)wend_load16(row->symbols.data + i);
        memcpy(row->symbols.data + i, &word, sizeof word);
    }
    return good && wend_buffer_add(result, row->pages.data, row->pages.size) &&
           wend_buffer_add(result, row->keys.data, row->keys.size) &&
           wend_buffer_add(result, row->symbols.data, row->symbols.size);
}

/* How many targets from `from` on have a move in common with `set`, which is lowered to what is. */
static uint32_t run_end(const uint16_t *sets, uint32_t from, uint32_t end, uint32_t *set) {
    uint32_t common = *set;
    while (from + 16 <= end) {
        uint32_t all = common;
        for (uint32_t i = 0; i < 16; i++) all &= sets[from + i];
        if (!all) break;
        common = all, from += 16;
    }
    while (from < end && (common & sets[from])) common &= sets[from++];
    *set = common;
    return from;
}

/* Longest runs first: with a given order of targets no other way has fewer. */
static wend_status encode_row(row_parts *row, const uint16_t *sets, uint32_t count) {
    row->pages.size = row->keys.size = row->symbols.size = 0, row->runs = 0;
    for (uint32_t page = 0; page < count; page += 1u << WEND_CPD_PAGE_BITS) {
        uint32_t end = count - page < 1u << WEND_CPD_PAGE_BITS ? count : page + (1u << WEND_CPD_PAGE_BITS);
        row->page_keys.size = 0;
        for (uint32_t begin = page, next; begin < end; begin = next) {
            uint32_t set = WEND_CPD_ANY;
            next = run_end(sets, begin, end, &set);
            if (!add_run(row, begin - page, set, begin == page)) return WEND_NO_MEMORY;
        }
        uint16_t runs = (uint16_t)row->runs;
        if (row->runs > UINT16_MAX) return WEND_TOO_LARGE; /* no map that was ever seen comes near */
        if (!place_keys(row) || !wend_buffer_add(&row->pages, &runs, sizeof runs)) return WEND_NO_MEMORY;
    }
    return WEND_OK;
}

wend_status wend_cpd_unit_encode(wend_cpd_worker *worker, const wend_cpd_unit *unit, wend_buffer *result) {
    uint8_t row_of[WEND_BLOCK_CELLS] = {0}, leader[WEND_BLOCK_CELLS];
    const uint32_t count =
        worker->ranks->firsts[unit->component + 1] - worker->ranks->firsts[unit->component];
    uint32_t rows = merge(worker, unit, row_of, leader);
    wend_status status = wend_buffer_add(result, row_of, unit->sources) ? WEND_OK : WEND_NO_MEMORY;
    row_parts row = {.pages.allocator = &worker->allocator,
                     .page_keys.allocator = &worker->allocator,
                     .keys.allocator = &worker->allocator,
                     .symbols.allocator = &worker->allocator};
    for (uint32_t i = 0; i < rows && status == WEND_OK; i++) {
        status = encode_row(&row, worker->sets + leader[i] * worker->stride, count);
        if (status == WEND_OK && !write_row(&row, result)) status = WEND_NO_MEMORY;
    }
    wend_buffer_release(&row.pages);
    wend_buffer_release(&row.page_keys);
    wend_buffer_release(&row.keys);
    wend_buffer_release(&row.symbols);
    return status;
}
