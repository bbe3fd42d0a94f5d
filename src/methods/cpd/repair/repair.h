/* A path database under repair, as planners read it: rows (the answers from a cell) and columns (answers to a
 * cell) that stand in place of the file's. repair.c explains which and why. */
#ifndef WEND_CPD_REPAIR_REPAIR_H
#define WEND_CPD_REPAIR_REPAIR_H

#include "db/repair.h"
#include "methods/cpd/layout.h"
#include "methods/cpd/repair/reach.h"
#include "methods/cpd/repair/rows.h"

/* One row or column: runs of other cells, by rank, with one symbol each. A row has all answers of its cell. A
 * column, which many cells may share, has no greedy move in it, and WEND_CPD_KEEP where the row or the file
 * is to be asked. Of a row and a column the newer holds for a pair; of the same age, the row. */
typedef struct wend_cpd_patch {
    struct wend_cpd_patch *older; /* what it replaces, until nobody can ask for that any more; or NULL */
    uint64_t generation;
    uint32_t count;
    uint32_t users;  /* cells that have it */
    uint32_t number; /* of a column: no other has or had it */
    uint32_t runs[]; /* first rank << WEND_CPD_RUN_SHIFT | symbol; the first begins at 0 */
} wend_cpd_patch;

enum { WEND_CPD_RUN_SHIFT = 4, WEND_CPD_KEEP = 9 };

typedef enum wend_cpd_stage {
    WEND_CPD_IDLE,
    WEND_CPD_COMPARE_MAPS, /* which cells have changed */
    WEND_CPD_CLEAR,        /* labels */
    WEND_CPD_LABEL,        /* components of the new map */
    WEND_CPD_RANKS,        /* of both maps */
    WEND_CPD_REACH,        /* what the change reaches: reach.h */
    WEND_CPD_MARK_ALL,     /* or all of it */
    WEND_CPD_ROWS,         /* made again, and columns: rows.h */
    WEND_CPD_ASSIGN,       /* columns to the cells that share them */
    WEND_CPD_SETTLE_CELLS, /* from here on what is new is in use; what it replaces goes */
    WEND_CPD_SETTLE_ROWS,
    WEND_CPD_SETTLE_COLUMNS
} wend_cpd_stage;

/* What is made for a cell of the new map. */
enum { WEND_CPD_NEEDS_ROW = 1, WEND_CPD_NEEDS_COLUMN = 2 };

/* Its facts: include/wend/repair.h. */
typedef struct wend_cpd_tally {
    uint32_t searched, all, rows, columns;
    uint64_t runs; /* cells may share a column */
} wend_cpd_tally;

struct wend_cpd_repair {
    wend_repair common;
    const wend_cpd *base;
    wend_map *old, *new; /* what answers are right for, and what they will be right for */
    uint32_t cells;
    uint32_t ranks;   /* in the file's order, then cells that were opened since, as they came */
    uint32_t *rank;   /* by cell; WEND_NO_RANK for one that was never open */
    wend_cell *order; /* by rank */
    wend_cpd_patch **rows, **columns; /* by cell */
    uint32_t *labels[2];              /* components by cell, 0 where blocked: the shown ones, and the next */
    uint32_t label_counts[2];
    uint32_t shown;
    bool synced;       /* nothing differs from the map at its revision */
    uint64_t revision; /* of the map when it was compared */
    wend_cell *changed, *work;
    uint32_t changed_count, work_count;
    wend_cpd_stage stage;
    uint32_t at, next; /* where the stage has come to */
    uint32_t numbers;  /* of columns, given so far */
    /* Of the repair under way, from WEND_CPD_RANKS to its end. */
    uint8_t *flags;            /* by cell */
    wend_cpd_ranks ranking[2]; /* of the old map and the new */
    wend_cpd_reach reach;
    wend_cpd_rows making;
    uint32_t only; /* for tests: the margin to take, whatever it costs; 0: the best, or all rows */
    bool whole;    /* all rows are made again, and columns are of no use any more */
    wend_cpd_tally tally;
};

/* The patch of this generation or before. */
WEND_INLINE const wend_cpd_patch *wend_cpd_patch_of(const wend_cpd_patch *patch, uint64_t generation) {
    while (patch && patch->generation > generation) patch = patch->older;
    return patch;
}

WEND_INLINE uint32_t wend_cpd_patch_symbol(const wend_cpd_patch *patch, uint32_t rank) {
    uint32_t low = 0, high = patch->count; /* runs[low] begins at or before the rank */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (patch->runs[middle] >> WEND_CPD_RUN_SHIFT <= rank)
            low = middle;
        else
            high = middle;
    }
    return patch->runs[low] & ((1u << WEND_CPD_RUN_SHIFT) - 1);
}

/* As wend_cpd_look_up. Beyond that, the labels of both cells, two patches, each with an older one, and at
 * most 32 runs of each. */
enum { WEND_CPD_REPAIR_OPERATIONS = 2 + 4 + 2 * 32 };
WEND_INLINE uint32_t wend_cpd_repair_look_up(const wend_cpd_repair *repair, wend_cell from, wend_cell to) {
    if (from >= repair->cells || to >= repair->cells) return WEND_CPD_NO_WAY;
    const uint32_t *labels = repair->labels[repair->shown];
    if (!labels[from] || labels[from] != labels[to]) return WEND_CPD_NO_WAY;
    if (from == to) return WEND_NO_DIRECTION;
    const wend_cpd_patch *row = wend_cpd_patch_of(repair->rows[from], repair->common.info.generation);
    const wend_cpd_patch *column = wend_cpd_patch_of(repair->columns[to], repair->common.info.generation);
    if (column && (!row || column->generation > row->generation)) {
        uint32_t symbol = wend_cpd_patch_symbol(column, repair->rank[from]);
        if (symbol != WEND_CPD_KEEP) return symbol;
    }
    if (!row) return wend_cpd_look_up(repair->base, from, to);
    uint32_t symbol = wend_cpd_patch_symbol(row, repair->rank[to]);
    return symbol == WEND_CPD_GREEDY ? wend_cpd_greedy(repair->base, from, to) : symbol;
}

/* A repair of a database of this kind. */
WEND_INLINE const wend_cpd_repair *wend_cpd_repair_of(const wend_repair *repair) {
    return (const wend_cpd_repair *)repair;
}

/* Whether the answers are right for the map as it is now. */
WEND_INLINE bool wend_cpd_repair_current(const wend_cpd_repair *repair) {
    return repair->synced && repair->revision == repair->common.map->revision;
}

extern const wend_repair_kind wend_cpd_repair_kind;

/* For the files of a repair: a patch of the generation to come, with the runs; NULL: no memory. */
wend_cpd_patch *wend_cpd_patch_make(wend_cpd_repair *repair, const wend_buffer *runs, wend_cpd_patch *older,
                                    uint32_t users);

#endif
