/* The A* kernel: 8 bytes per cell and 16 per queue node where costs fit 32 bits, else 16 and 24. */
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
