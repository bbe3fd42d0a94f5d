/* Path databases as planners read them: from each cell to each other of its component a move that begins an
 * optimal path, in rows of runs.
 *
 * Cells have ranks, an order in which targets with the same first move tend to stand together. A row gives
 * the move of a source for all ranks of its component: runs of targets with one symbol. Sources of a block
 * share a row where one serves all of them. A row is a sequence of 16-bit words:
 *
 *   P words       for each page of 65,536 ranks the number of runs up to its end
 *   R - P words   keys, page after page: where each run begins in its page, but for the first of each page,
 *                 which begins at 0
 *   R nibbles     the runs' symbols, low ones first, filled up to a word with zeros
 *
 * with R the last of the P words. A symbol is a direction, or WEND_CPD_GREEDY: the greedy move of the source
 * itself (wend_greedy_move).
 *
 * The keys of a page stand as the two levels of a tree of which a node is what is compared at once: of n keys
 * every 17th comes first, n / 17 of them. Then come all others, in their order. So up to 288 keys are
 * searched in two comparisons, without a branch and in few lines of memory; of more, the first level is
 * halved before. */
#ifndef WEND_CPD_LAYOUT_H
#define WEND_CPD_LAYOUT_H

#include "methods/cpd/build/many.h"
#include "methods/cpd/cpd.h"
#include "methods/cpd/window.h"
#include <wend/cpd.h>

enum {
    WEND_CPD_GREEDY = 8,
    WEND_CPD_SYMBOLS = 9,
    WEND_CPD_PAGE_BITS = 16,
    WEND_CPD_WINDOW =
        WEND_WINDOW, /* keys that are looked at together; as many words stand behind the last row */
    WEND_CPD_RANK_SHIFT = 8
};

/* What is known of a cell as a source and as a target. */
typedef struct wend_cpd_entry {
    uint32_t row;            /* where its row begins */
    uint32_t rank_and_moves; /* rank << 8 | legal moves; all ranks' bits set where it is blocked */
} wend_cpd_entry;

typedef struct wend_cpd {
    uint32_t cells, ranks, components, rows;
    uint32_t pages; /* of the largest component's rows; no other has more */
    int32_t width;
    uint32_t row_factor, row_shift; /* cell * row_factor >> row_shift is the cell's y */
    uint32_t greedy;                /* WEND_CPD_GREEDY_EIGHT, or ..._FOUR */
    wend_cpd_entry *entries;        /* by cell, and one more, as of a blocked one; NULL without a map */
    uint32_t *begins;               /* without a map: by rank, where its row begins */
    const uint16_t *words;          /* the rows */
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

/* Where the row of a source begins, with a map or without: of its cell, and its rank in the file. */
WEND_INLINE uint32_t wend_cpd_row_of(const wend_cpd *base, wend_cell cell, uint32_t rank) {
    return base->entries ? base->entries[cell].row : base->begins[rank];
}

/* Asks for a row: most are shorter than this. */
WEND_INLINE void wend_cpd_ask(const uint16_t *row) {
    WEND_PREFETCH(row);
    WEND_PREFETCH(row + 32);
    WEND_PREFETCH(row + 64);
}

/* Where key `i` of a page with n keys stands among them. */
WEND_INLINE uint32_t wend_cpd_key_place(uint32_t i, uint32_t n) {
    const uint32_t node = WEND_CPD_WINDOW + 1;
    return i % node == WEND_CPD_WINDOW ? i / node : n / node + i - i / node;
}

/* A leaf of a page's keys. */
typedef struct wend_cpd_leaf {
    const uint16_t *keys;
    uint32_t passed, left; /* keys before its first one; keys from that to the end of the page */
} wend_cpd_leaf;

/* Where the runs of a page begin among the row's. No branch, since which page it is can't be foreseen. */
WEND_INLINE uint32_t wend_cpd_page_begin(const uint16_t *row, uint32_t page) {
    const uint32_t later = page != 0;
    return row[page - later] & (0 - later);
}

/* Looks up a key among the `count` keys of a page, in two halves: the leaf, and in that the run. No branch
 * that can't be foreseen, since that costs more than all the rest. */
WEND_INLINE wend_cpd_leaf wend_cpd_find_leaf(const uint16_t *keys, uint32_t count, uint16_t key) {
    const uint32_t tops = count / (WEND_CPD_WINDOW + 1);
    const uint16_t *at = keys;
    uint32_t left = tops;
    while (WEND_UNLIKELY(left > WEND_CPD_WINDOW)) {
        uint32_t half = left / 2;
        at += at[half] <= key ? half : 0;
        left -= half;
    }
    uint32_t node = (uint32_t)(at - keys) + wend_window_count(at, left, key),
             passed = node * (WEND_CPD_WINDOW + 1);
    return (wend_cpd_leaf){keys + tops + node * WEND_CPD_WINDOW, passed, count - passed};
}

/* Of a row's symbols, the one of a run. */
WEND_INLINE uint32_t wend_cpd_symbol_at(const uint16_t *symbols, uint32_t run) {
    return symbols[run / 4] >> run % 4 * 4 & 15;
}

/* The symbol of a target, by its rank within the component. */
WEND_INLINE uint32_t wend_cpd_symbol(const uint16_t *row, uint32_t pages, uint32_t target) {
    const uint32_t page = target >> WEND_CPD_PAGE_BITS, begin = wend_cpd_page_begin(row, page);
    const uint16_t key = (uint16_t)target;
    wend_cpd_leaf leaf = wend_cpd_find_leaf(row + pages + begin - page, row[page] - begin - 1, key);
    uint32_t run = begin + leaf.passed + wend_window_count(leaf.keys, leaf.left, key);
    return wend_cpd_symbol_at(row + row[pages - 1], run);
}

/* Directions by the signs of dx and dy, three bits each, from the lowest: north-west, north, north-east,
 * west, (any), east, ... as wend_greedy_move has them. A number, not an array, so that several agents can be
 * moved by one instruction. */
#define WEND_CPD_SIGNS(a, b, c, d, e, f, g, h, i)                                                            \
    ((a) | (b) << 3 | (c) << 6 | (d) << 9 | (e) << 12 | (f) << 15 | (g) << 18 | (h) << 21 | (i) << 24)
#define WEND_CPD_GREEDY_EIGHT WEND_CPD_SIGNS(7u, 0u, 1u, 6u, 0u, 2u, 5u, 4u, 3u)
#define WEND_CPD_GREEDY_FOUR WEND_CPD_SIGNS(0u, 0u, 0u, 6u, 0u, 2u, 4u, 4u, 4u)

/* The greedy move between two cells; any where they are the same. */
WEND_INLINE uint32_t wend_cpd_greedy(const wend_cpd *base, wend_cell from, wend_cell to) {
    uint32_t width = (uint32_t)base->width;
    uint32_t y = (uint32_t)((uint64_t)from * base->row_factor >> base->row_shift),
             v = (uint32_t)((uint64_t)to * base->row_factor >> base->row_shift);
    int32_t dy = (int32_t)(v - y), dx = (int32_t)(to - v * width - from + y * width);
    uint32_t sign = (uint32_t)(4 + (dx > 0) - (dx < 0) + 3 * ((dy > 0) - (dy < 0)));
    return base->greedy >> 3 * sign & 7;
}

/* The stored move from one cell to another; WEND_NO_DIRECTION on the target, WEND_CPD_NO_WAY where no path
 * leads there, a cell is blocked or outside, or (in a forged file) the move is not legal. */
WEND_INLINE uint32_t wend_cpd_look_up(const wend_cpd *base, wend_cell from, wend_cell to) {
    if (WEND_UNLIKELY(from >= base->cells || to >= base->cells)) return WEND_CPD_NO_WAY;
    const wend_cpd_entry source = base->entries[from];
    const uint16_t *row = base->words + source.row;
    /* What the row's head will lead to is asked for while that is on its way itself. */
    wend_cpd_ask(row);
    uint32_t rank = source.rank_and_moves >> WEND_CPD_RANK_SHIFT;
    uint32_t target = base->entries[to].rank_and_moves >> WEND_CPD_RANK_SHIFT;
    uint32_t count = base->firsts[1];
    if (WEND_UNLIKELY(rank >= count || target >= count)) {
        if (rank == WEND_CPD_MOST_CELLS || target == WEND_CPD_MOST_CELLS) return WEND_CPD_NO_WAY;
        uint32_t component = wend_cpd_component(base, rank), first = base->firsts[component];
        count = base->firsts[component + 1] - first, target -= first;
        if (target >= count) return WEND_CPD_NO_WAY;
    }
    if (WEND_UNLIKELY(from == to)) return WEND_NO_DIRECTION;
    uint32_t symbol = WEND_LIKELY(base->pages == 1) ? wend_cpd_symbol(row, 1, target & 65535)
                                                    : wend_cpd_symbol(row, wend_cpd_pages(count), target);
    uint32_t greedy = wend_cpd_greedy(base, from, to), move = symbol == WEND_CPD_GREEDY ? greedy : symbol;
    return WEND_LIKELY(source.rank_and_moves >> move & 1) ? move : WEND_CPD_NO_WAY;
}

/* For the kind's own files. */
extern const wend_db_kind wend_cpd_runs; /* the form of encoding=runs */
wend_status wend_cpd_open(wend_db *db, wend_error *error);
void wend_cpd_close(wend_db *db);
/* The cells by rank; `cells` has room for all. Of sections that `open` has found good. */
void wend_cpd_read_order(const wend_db *db, wend_cell *cells);
/* The sections of an order: nibbles and jumps, see wend_cpd_read_order. */
bool wend_cpd_write_order(const wend_ranks *ranks, wend_buffer *steps, wend_buffer *jumps);

#endif
