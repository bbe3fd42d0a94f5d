/* Path databases as planners read them: from each cell to each other of its component a move that begins an
 * optimal path, in rows of runs.
 *
 * Cells have ranks, an order in which targets with the same first move tend to stand together. A row tells
 * the move of a source for all ranks of its component: runs of targets with one symbol. Sources of a block
 * share a row where one serves all of them. A row is a sequence of 16-bit words:
 *
 *   P words       for each page of 65,536 ranks the number of runs up to its end
 *   R - P words   where each run begins in its page, but for the first of each page, which begins at 0
 *   R nibbles     the runs' symbols, low ones first, filled up to a word with zeros
 *
 * with R the last of the P words. A symbol is a direction, or WEND_CPD_GREEDY: the greedy move of the source
 * itself (wend_greedy_move). */
#ifndef WEND_DB_CPD_H
#define WEND_DB_CPD_H

#include "base/window.h"
#include "db/kind.h"
#include "search/many.h"
#include <wend/cpd.h>

enum {
    WEND_CPD_GREEDY = 8,
    WEND_CPD_SYMBOLS = 9,
    WEND_CPD_PAGE_BITS = 16,
    WEND_CPD_WINDOW =
        WEND_WINDOW, /* keys that are looked at together; as many words stand behind the last row */
    WEND_CPD_RANK_SHIFT = 8
};
#define WEND_CPD_MOST_CELLS ((UINT32_C(1) << 24) - 1)

/* What is known of a cell as a source and as a target. */
typedef struct wend_cpd_entry {
    uint32_t row;            /* where its row begins */
    uint32_t rank_and_moves; /* rank << 8 | legal moves; all ranks' bits set where it is blocked */
} wend_cpd_entry;

typedef struct wend_cpd {
    uint32_t cells, ranks, components, rows;
    int32_t width, connect;
    uint64_t row_of_cell; /* as a map's */
    int32_t offset[WEND_DIRECTIONS];
    wend_cpd_entry *entries;
    const uint16_t *words; /* the rows */
    uint64_t word_count;
    uint32_t *firsts; /* by component: its first rank; one more, the end */
    uint64_t runs;    /* in all rows */
} wend_cpd;

/* Of an open database of this kind, as long as it is open. */
WEND_INLINE const wend_cpd *wend_cpd_of(const wend_db *db) {
    return db->state;
}

WEND_INLINE uint32_t wend_cpd_pages(uint32_t cells) {
    return ((cells - 1) >> WEND_CPD_PAGE_BITS) + 1;
}

/* Words of a row of R runs. */
WEND_INLINE uint32_t wend_cpd_row_words(uint32_t runs) {
    return runs + (runs + 3) / 4;
}

/* The component of a rank. Most cells belong to the first, which is the largest. */
WEND_INLINE uint32_t wend_cpd_component(const wend_cpd *base, uint32_t rank) {
    if (WEND_LIKELY(rank < base->firsts[1])) return 0;
    uint32_t low = 0, high = base->components; /* firsts[low] <= rank < firsts[high] */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (base->firsts[middle] <= rank)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The symbol for a target, by its rank within the component. Few branches, since those that can't be foreseen
 * cost more than all the rest: the range of keys is halved until a window of them can be compared at once. */
WEND_INLINE uint32_t wend_cpd_symbol(const uint16_t *row, uint32_t pages, uint32_t target) {
    uint32_t page = target >> WEND_CPD_PAGE_BITS, begin = page ? row[page - 1] : 0;
    uint32_t left = row[page] - begin - 1;
    const uint16_t key = (uint16_t)target, *keys = row + pages + begin - page, *at = keys;
    while (left > WEND_CPD_WINDOW) {
        uint32_t half = left / 2;
        at += at[half] <= key ? half : 0;
        left -= half;
    }
    uint32_t run = begin + (uint32_t)(at - keys) + wend_window_count(at, left, key);
    return row[row[pages - 1] + run / 4] >> run % 4 * 4 & 15;
}

/* The greedy move between two cells; any where they are the same. */
WEND_INLINE uint32_t wend_cpd_greedy(const wend_cpd *base, wend_cell from, wend_cell to) {
    int32_t y = (int32_t)(from * base->row_of_cell >> WEND_ROW_SHIFT),
            v = (int32_t)(to * base->row_of_cell >> WEND_ROW_SHIFT);
    int32_t x = (int32_t)from - y * base->width, u = (int32_t)to - v * base->width;
    return wend_greedy_move(base->connect, u - x, v - y);
}

/* The stored move from one cell to another; WEND_NO_DIRECTION on the target, WEND_CPD_NO_WAY where no path
 * leads there, a cell is blocked or outside, or (in a file that tells untruths) the move is not legal. */
WEND_INLINE uint32_t wend_cpd_look_up(const wend_cpd *base, wend_cell from, wend_cell to) {
    if (from >= base->cells || to >= base->cells) return WEND_CPD_NO_WAY;
    wend_cpd_entry source = base->entries[from];
    uint32_t rank = source.rank_and_moves >> WEND_CPD_RANK_SHIFT;
    uint32_t target = base->entries[to].rank_and_moves >> WEND_CPD_RANK_SHIFT;
    if (rank == WEND_CPD_MOST_CELLS || target == WEND_CPD_MOST_CELLS) return WEND_CPD_NO_WAY;
    if (from == to) return WEND_NO_DIRECTION;
    uint32_t component = wend_cpd_component(base, rank), first = base->firsts[component];
    uint32_t count = base->firsts[component + 1] - first;
    if (target - first >= count) return WEND_CPD_NO_WAY;
    uint32_t symbol = wend_cpd_symbol(base->words + source.row, wend_cpd_pages(count), target - first);
    uint32_t greedy = wend_cpd_greedy(base, from, to), move = symbol == WEND_CPD_GREEDY ? greedy : symbol;
    return source.rank_and_moves >> move & 1 ? move : WEND_CPD_NO_WAY;
}

/* For the kind's own files. */
extern const wend_db_kind wend_cpd_runs; /* what the kind does with encoding=runs */
bool wend_cpd_has_rectangles(const wend_settings *settings);
wend_status wend_cpd_open(wend_db *db, wend_error *error);
void wend_cpd_close(wend_db *db);
/* The cells by rank; `cells` has room for all. Of sections that `open` has found good. */
void wend_cpd_read_order(const wend_db *db, wend_cell *cells);
/* The sections of an order: nibbles and jumps, see wend_cpd_read_order. */
bool wend_cpd_write_order(const wend_ranks *ranks, wend_buffer *steps, wend_buffer *jumps);

#endif
