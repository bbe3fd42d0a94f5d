/* Memory from the caller's allocator, with sizes that can't overflow. */
#ifndef WEND_BASE_MEMORY_H
#define WEND_BASE_MEMORY_H

#include <wend/base.h>

/* The given allocator, or the C library's where it is NULL or zeroed. */
wend_allocator wend_allocator_or_default(const wend_allocator *allocator);

/* NULL if count * size does not fit or the allocator refuses. Both must be at least 1. */
void *wend_allocate(const wend_allocator *allocator, size_t count, size_t size);
void *wend_allocate_zeroed(const wend_allocator *allocator, size_t count, size_t size);
/* A larger block with the first `old_count` items copied; on failure NULL, and `pointer` is still good. */
void *wend_enlarge(const wend_allocator *allocator, void *pointer, size_t old_count, size_t new_count,
                   size_t size);
/* An allocator that writes to every page of what it gives, as long as `left` bytes last: the system then has no page
 * to find when the memory is first used. */
typedef struct wend_toucher {
    wend_allocator inner;
    size_t left;
} wend_toucher;
/* `toucher` must outlive what is allocated: not for maps, whose copies keep the allocator. */
wend_allocator wend_toucher_allocator(wend_toucher *toucher);

/* NULL is fine. */
void wend_release(const wend_allocator *allocator, void *pointer, size_t count, size_t size);

#endif
