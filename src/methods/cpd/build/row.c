/* Rows of runs, made of the sets of a parcel: sources that can share one, and how it is written. */
#include "methods/cpd/build/parcel.h"

#include <string.h>

enum { TILE = 64 };

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
static uint32_t merge(wend_cpd_worker *worker, const wend_cpd_parcel *parcel, uint8_t *row_of,
                      uint8_t *leader) {
    const uint32_t count = worker->segments;
    uint32_t hint[WEND_BLOCK_CELLS]; /* of each row: where it last had a conflict */
    uint32_t rows = 0;
    for (uint32_t i = 0; i < parcel->sources; i++) {
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

/* How many segments from `from` on have a move in common with `set`, which is lowered to what is. */
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
static wend_status encode_row(const wend_cpd_worker *worker, row_parts *row, const uint16_t *sets) {
    const uint32_t *begins = worker->begins, count = begins[worker->segments];
    row->pages.size = row->keys.size = row->symbols.size = 0, row->runs = 0;
    for (uint32_t page = 0, first = 0, end; page < count; page += 1u << WEND_CPD_PAGE_BITS, first = end) {
        end = worker->segments;
        if (count - page > 1u << WEND_CPD_PAGE_BITS)
            for (end = first; begins[end] - page < 1u << WEND_CPD_PAGE_BITS;) end++;
        row->page_keys.size = 0;
        for (uint32_t begin = first, next; begin < end; begin = next) {
            uint32_t set = WEND_CPD_ANY;
            next = run_end(sets, begin, end, &set);
            if (!add_run(row, begins[begin] - page, set, begin == first)) return WEND_STATUS_NO_MEMORY;
        }
        uint16_t runs = (uint16_t)row->runs;
        if (row->runs > UINT16_MAX) return WEND_STATUS_TOO_LARGE; /* no map that was ever seen comes near */
        if (!place_keys(row) || !wend_buffer_add(&row->pages, &runs, sizeof runs))
            return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

wend_status wend_cpd_parcel_encode(wend_cpd_worker *worker, const wend_cpd_parcel *parcel,
                                   wend_buffer *result) {
    uint8_t row_of[WEND_BLOCK_CELLS] = {0}, leader[WEND_BLOCK_CELLS];
    uint32_t rows = merge(worker, parcel, row_of, leader);
    wend_status status = wend_buffer_add(result, row_of, parcel->sources) ? WEND_OK : WEND_STATUS_NO_MEMORY;
    row_parts row = {.pages.allocator = &worker->allocator,
                     .page_keys.allocator = &worker->allocator,
                     .keys.allocator = &worker->allocator,
                     .symbols.allocator = &worker->allocator};
    for (uint32_t i = 0; i < rows && status == WEND_OK; i++) {
        status = encode_row(worker, &row, worker->sets + leader[i] * worker->stride);
        if (status == WEND_OK && !write_row(&row, result)) status = WEND_STATUS_NO_MEMORY;
    }
    wend_buffer_release(&row.pages);
    wend_buffer_release(&row.page_keys);
    wend_buffer_release(&row.keys);
    wend_buffer_release(&row.symbols);
    return status;
}
