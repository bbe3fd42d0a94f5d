/* Runs of open cells and the components that they form. A run takes 8 bytes whatever its length, and rows
 * are read 64 cells at a time. */
#ifndef WEND_GRID_RUNS_H
#define WEND_GRID_RUNS_H

#include "grid/map.h"

typedef struct wend_run {
    uint16_t first, last; /* x of both ends, which belong to it */
} wend_run;

typedef struct wend_runs {
    uint32_t count, components, height;
    wend_run *run;   /* row after row, from west to east */
    uint32_t *label; /* of each run: components are numbered from 0 in the order of their first cells */
    uint32_t *row;   /* height + 1 of them: the runs of row y are row[y] .. row[y + 1] - 1 */
    size_t run_capacity;
    wend_allocator allocator;
} wend_runs;

/* `diagonal`: whether cells that touch at a corner only are joined. On WEND_STATUS_NO_MEMORY there is nothing
 * to release. */
wend_status wend_runs_create(const wend_map *map, const wend_allocator *allocator, bool diagonal,
                             wend_runs *runs, wend_error *error);
void wend_runs_release(wend_runs *runs);

/* The sizes of the components in cells; `sizes` has room for all of them. */
void wend_runs_sizes(const wend_runs *runs, uint32_t *sizes);

#endif
