/* A path database under repair, as planners read it: rows (the answers from a cell) and columns (the answers
 * to a cell) that stand in place of the file's. cpd_repair.c tells which and why. */
#ifndef WEND_DB_CPD_REPAIR_H
#define WEND_DB_CPD_REPAIR_H

#include "db/cpd.h"
#include "db/cpd_repair_blocks.h"
#include "search/field.h"

/* One row or column: runs of other cells, by rank, with one symbol each. The newer of a row and a column
 * holds for a pair; of the same age, both do. */
typedef struct wend_cpd_patch {
    struct wend_cpd_patch *older; /* what it replaces, until nobody can ask for that any more; or NULL */
    uint64_t generation;
    uint32_t count;
    uint32_t runs[]; /* first rank << WEND_CPD_RUN_SHIFT | symbol; the first begins at 0 */
} wend_cpd_patch;

enum { WEND_CPD_RUN_SHIFT = 4 };

typedef enum wend_cpd_stage {
    WEND_CPD_IDLE,
    WEND_CPD_COMPARE_MAPS, /* which cells have changed */
    WEND_CPD_CLEAR,        /* labels */
    WEND_CPD_LABEL,        /* components of the new map */
    WEND_CPD_FLAGS,        /* of nothing yet */
    WEND_CPD_NEAR,         /* which cells are near a change */
    WEND_CPD_RIM,          /* the next cell of their rim */
    WEND_CPD_BEFORE,       /* a search from it on the old map */
    WEND_CPD_AFTER,        /* and on the new one */
    WEND_CPD_DISTANCES,    /* which are not what they were */
    WEND_CPD_CHOOSE,       /* the next cell to search from for a row or column */
    WEND_CPD_SEARCH,
    WEND_CPD_ROW,
    WEND_CPD_COLUMN,
    WEND_CPD_BLOCKS, /* rows of all cells, a block of them at a time */
    WEND_CPD_SETTLE  /* what was new is what there is */
} wend_cpd_stage;

struct wend_cpd_repair {
    const wend_db *db;
    const wend_cpd *base;
    const wend_map *map; /* the caller's */
    wend_allocator allocator;
    size_t max_bytes, bytes;
    wend_map *old, *new;        /* what answers are right for, and what they will be right for */
    wend_field *before, *after; /* on these two */
    uint32_t cells;
    uint32_t ranks;   /* in the file's order, then cells that were opened since, as they came */
    uint32_t *rank;   /* by cell; WEND_NO_RANK for one that was never open */
    wend_cell *order; /* by rank */
    wend_cpd_patch **rows, **columns; /* by cell */
    uint32_t *labels[2];              /* components by cell, 0 where blocked: the shown ones, and the next */
    uint32_t shown;
    uint64_t generation;
    bool synced;       /* nothing differs from the map at its revision */
    uint32_t revision; /* the map's stamp when it was compared */
    uint8_t *flags;    /* by cell, of the repair under way */
    wend_cell *changed, *work;
    uint32_t changed_count, work_count;
    uint32_t near_count; /* of `work`, the first: rows and columns; the others columns alone */
    int32_t margin;      /* how near that is */
    uint32_t rims;       /* rim cells searched from, of all margins that were tried */
    wend_cpd_stage stage;
    uint32_t at, next; /* where the stage has come to; the next of `work` */
    uint32_t label;
    uint32_t set, begin; /* of the run under way */
    wend_buffer runs;    /* of the patch under way */
    bool coarse;         /* may work by blocks */
    bool whole;          /* does so: all rows are made anew, and columns are of no use any more */
    wend_cpd_blocks blocks;
    uint64_t debt;
    wend_cpd_repair_info info;
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
 * most 32 runs. */
enum { WEND_CPD_REPAIR_OPERATIONS = 2 + 4 + 32 };
WEND_INLINE uint32_t wend_cpd_repair_look_up(const wend_cpd_repair *repair, wend_cell from, wend_cell to) {
    if (from >= repair->cells || to >= repair->cells) return WEND_CPD_NO_WAY;
    const uint32_t *labels = repair->labels[repair->shown];
    if (!labels[from] || labels[from] != labels[to]) return WEND_CPD_NO_WAY;
    if (from == to) return WEND_NO_DIRECTION;
    const wend_cpd_patch *row = wend_cpd_patch_of(repair->rows[from], repair->generation);
    const wend_cpd_patch *column = wend_cpd_patch_of(repair->columns[to], repair->generation);
    uint32_t symbol;
    if (column && (!row || column->generation >= row->generation))
        symbol = wend_cpd_patch_symbol(column, repair->rank[from]);
    else if (row)
        symbol = wend_cpd_patch_symbol(row, repair->rank[to]);
    else
        return wend_cpd_look_up(repair->base, from, to);
    return symbol == WEND_CPD_GREEDY ? wend_cpd_greedy(repair->base, from, to) : symbol;
}

WEND_INLINE uint64_t wend_cpd_repair_generation(const wend_cpd_repair *repair) {
    return repair->generation;
}

/* Whether the answers are right for the map as it is now. */
WEND_INLINE bool wend_cpd_repair_current(const wend_cpd_repair *repair) {
    return repair->synced && repair->revision == repair->map->stamp;
}

WEND_INLINE bool wend_cpd_repair_is_of(const wend_cpd_repair *repair, const wend_db *db,
                                       const wend_map *map) {
    return repair->db == db && repair->map == map;
}

#endif
