/* The cells of a map by rank (methods/cpd/build/many.h), made in slices from components that are known, in a
 * given order. */
#ifndef WEND_CPD_REPAIR_RANKS_H
#define WEND_CPD_REPAIR_RANKS_H

#include "methods/cpd/build/many.h"

typedef struct wend_cpd_ranks {
    wend_ranks ranks;       /* components in the order of their labels */
    const uint32_t *labels; /* by cell, from 1; 0 where it is blocked */
    const wend_cell *order; /* all open cells, and others */
    uint32_t ordered;
    uint32_t *next; /* by component */
    uint32_t pass, at;
} wend_cpd_ranks;

/* To be released in any case. What it is given must stay as it is. */
bool wend_cpd_ranks_begin(wend_cpd_ranks *made, const wend_map *map, const uint32_t *labels,
                          uint32_t label_count, const wend_cell *order, uint32_t ordered,
                          const wend_allocator *allocator);
/* Goes on for about so many operations, and says how many it took. */
uint64_t wend_cpd_ranks_go(wend_cpd_ranks *made, uint64_t operations, bool *done);
void wend_cpd_ranks_release(wend_cpd_ranks *made);

#endif
