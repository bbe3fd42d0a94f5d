/* Path databases as planners read them: from each cell to each other of its component a move that begins an
 * optimal path, in rows of runs.
 *
 * Cells have ranks, an order in which targets with the same first move tend to stand together. A row tells the
 * move of a source for all ranks of its component: runs of targets with one symbol. Sources of a block share a
 * row where one serves all of them. A row is a sequence of 16-bit words:
 *
 *   P words       for each page of 65,536 ranks the number of runs up to its end
 *   R - P words   where each run begins in its page, but for the first of each page, which begins at 0
 *   R nibbles     the runs' symbols, low ones first, filled up to a word with zeros
 *
 * with R the last of the P words. A symbol is a direction, or WEND_CPD_GREEDY: the greedy move of the source
 * itself (wend_greedy_move). */
#ifndef WEND_DB_CPD_H
#define WEND_DB_CPD_H

#include "db/kind.h"

enum { WEND_CPD_GREEDY = 8, WEND_CPD_SYMBOLS = 9, WEND_CPD_PAGE_BITS = 16 };

/* What is known of a cell as a source and as a target. */
typedef struct wend_cpd_entry {
    uint32_t rank; /* UINT32_MAX where it is blocked */
    uint32_t row;  /* where its row begins */
} wend_cpd_entry;

typedef struct wend_cpd {
    uint32_t cells, ranks, components, rows;
    int32_t width, height, connect;
    uint64_t row_of_cell; /* as a map's */
    const wend_cpd_entry *entries;
    const uint16_t *words; /* the rows; there are at least 16 words behind every row's first key */
    uint64_t word_count;
    const uint32_t *firsts; /* by component: its first rank; one more, the end */
} wend_cpd;

/* Of an open database of this kind, as long as it is open. */
const wend_cpd *wend_cpd_of(const wend_db *db);

static inline uint32_t wend_cpd_pages(uint32_t cells) {
    return ((cells - 1) >> WEND_CPD_PAGE_BITS) + 1;
}

#endif
