/* Comparisons for qsort, from small to large. */
#ifndef WEND_SHARED_ORDER_H
#define WEND_SHARED_ORDER_H

int shared_by_double(const void *a, const void *b);
int shared_by_float(const void *a, const void *b);
int shared_by_uint32(const void *a, const void *b); /* cells, too */

#endif
