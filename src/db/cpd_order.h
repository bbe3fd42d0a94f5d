/* The order of cells of a path database. */
#ifndef WEND_DB_CPD_ORDER_H
#define WEND_DB_CPD_ORDER_H

#include "db/cpd_unit.h"

/* Edges' weights, four a rank (see wend_cpd_unit_weigh), from every `step`-th unit, made smooth. */
typedef struct wend_cpd_weights {
    uint32_t *edges;
} wend_cpd_weights;

/* Orders the cells of each component by a spanning tree of least weight, walked in depth. `cells` has room for
 * all open cells. */
wend_status wend_cpd_order(const wend_ranks *ranks, const uint32_t *weights, const wend_allocator *allocator,
                           wend_cell *cells, wend_error *error);

/* Replaces each weight by the sum of those of parallel edges around it. */
bool wend_cpd_blur(const wend_ranks *ranks, int32_t radius, const wend_allocator *allocator,
                   uint32_t *weights);

#endif
