/* The A* kernel for maps whose costs may need 64 bits: 16 bytes a cell, 24 a queue node. */
#include "search/search.h"

#define COST uint64_t
#define N(x) x##_wide
#include "search/kernels/astar.inc"
