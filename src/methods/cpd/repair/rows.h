/* Rows and columns of a repair, made of searches from blocks of cells. */
#ifndef WEND_CPD_REPAIR_ROWS_H
#define WEND_CPD_REPAIR_ROWS_H

#include "db/kind.h"
#include "methods/cpd/build/many.h"
#include <wend/cpd.h>

typedef struct wend_cpd_repair wend_cpd_repair;

typedef enum wend_cpd_rows_stage {
    WEND_ROWS_BLOCK, /* the next block of which something is needed */
    WEND_ROWS_BEGIN, /* the next search from it */
    WEND_ROWS_SEARCH,
    WEND_ROWS_SEGMENTS, /* of targets */
    WEND_ROWS_LANE,     /* the next cell that a row is made for */
    WEND_ROWS_ROW,
    WEND_ROWS_TOWARDS, /* the moves that are the same towards all cells of the block */
    WEND_ROWS_NEXT,    /* the next cell that a column is made for */
    WEND_ROWS_COLUMN,
    WEND_ROWS_DONE
} wend_cpd_rows_stage;

typedef struct wend_cpd_rows {
    wend_many *many;
    wend_cpd_rows_stage stage;
    uint32_t block, lane, at;
    uint32_t component;
    uint32_t components[WEND_PATCH_LANES]; /* of the block's cells; WEND_NO_RANK: nothing, or done */
    uint8_t done[WEND_PATCH_LANES];        /* by the last search */
    /* Targets that follow each other, with one pattern and one view: */
    uint32_t segments;
    uint32_t *places;    /* where each begins, in the repair's order */
    uint32_t *patterns;  /* of each */
    uint8_t *views;      /* of each: what the greedy moves of the block's cells depend on */
    uint8_t *towards;    /* by cell of the component; 0: not the same */
    size_t room;         /* of these four */
    uint8_t greedy[256]; /* by view, as a bit */
    uint8_t *reached;    /* by part: of the class under way */
    size_t reached_room;
    uint32_t set, begin; /* of the run under way */
    uint32_t run;        /* of the column that is replaced */
    wend_buffer runs;
} wend_cpd_rows;

/* With flags and blocks marked. To be released in any case. */
bool wend_cpd_rows_begin(wend_cpd_repair *repair);
wend_status wend_cpd_rows_go(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent);
void wend_cpd_rows_release(wend_cpd_repair *repair);

#endif
