/* The order of cells of a path database. */
#ifndef WEND_CPD_BUILD_ORDER_H
#define WEND_CPD_BUILD_ORDER_H

#include "methods/cpd/build/parcel.h"

/* Orders the cells of each component so that few first moves change along the order. `weights` are the
 * edges', four per rank (see wend_cpd_parcel_weigh); `cells` has room for all open cells. */
wend_status wend_cpd_order(const wend_ranks *ranks, const uint32_t *weights, const wend_allocator *allocator,
                           wend_cell *cells, wend_error *error);

#endif
