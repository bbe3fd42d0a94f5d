/* The A* kernel for maps whose costs fit 32 bits: 8 bytes a cell, 16 a queue node. */
#include "search/search.h"

#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_narrow
#include "search/kernels/astar.inc"
