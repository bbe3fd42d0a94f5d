/* The A* kernel: 8 bytes per cell and 16 per queue node where costs fit 32 bits, else 16 and 24. Twice: for
 * searches in steps, each of which is bounded, and for those that run to their end in one call. */
#include "search/search.h"

#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_narrow
#include "search/kernels/astar.inc"
#undef N
#undef COST
#undef WEND_NARROW

#define COST uint64_t
#define N(x) x##_wide
#include "search/kernels/astar.inc"
#undef N
#undef COST

#define WEND_BUCKETED
typedef wend_record_narrow wend_record_whole;
typedef wend_record_wide wend_record_whole_wide;

#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_whole
#include "search/kernels/astar.inc"
#undef N
#undef COST
#undef WEND_NARROW

#define COST uint64_t
#define N(x) x##_whole_wide
#include "search/kernels/astar.inc"
