/* Sorting without memory of its own. The C library's qsort may allocate without asking the caller's
 * allocator or cap. */
#ifndef WEND_BASE_SORT_H
#define WEND_BASE_SORT_H

#include <stddef.h>

enum { WEND_SORT_MOST = 64 }; /* bytes per item */

/* As qsort, in place, for items of at most WEND_SORT_MOST bytes. Not stable: `compare` should be a total
 * order, so that the result does not depend on how it is done. */
void wend_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
