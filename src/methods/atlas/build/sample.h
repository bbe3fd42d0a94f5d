/* How good the ways of an atlas are, by a sample. */
#ifndef WEND_ATLAS_BUILD_SAMPLE_H
#define WEND_ATLAS_BUILD_SAMPLE_H

#include "methods/atlas/layout.h"

/* The mean of what ways between random cells that a path joins are over the shortest, in per cent; 0 where no
 * two such cells are found. As agents go, but for their first moves, which they make while they look for a
 * way: those add some hundredths. WEND_STATUS_NO_MEMORY. */
wend_status wend_atlas_sample(const wend_atlas *atlas, uint64_t seed, const wend_allocator *allocator,
                              double *over);

#endif
