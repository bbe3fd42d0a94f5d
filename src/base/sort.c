#include "base/sort.h"

#include "base/assert.h"

#include <stdint.h>
#include <string.h>

/* A heap sort. `moved` sinks from the place `at` of a heap of `count` items. */
static void sift(uint8_t *items, size_t at, size_t count, size_t size, const uint8_t *moved,
                 int (*compare)(const void *, const void *)) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare(items + child * size, items + (child + 1) * size) < 0) child++;
        if (compare(moved, items + child * size) >= 0) break;
        memcpy(items + at * size, items + child * size, size);
    }
    memcpy(items + at * size, moved, size);
}

void wend_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    uint8_t *bytes = items, moved[WEND_SORT_MOST];
    WEND_ASSERT(size <= sizeof moved);
    for (size_t i = count / 2; i-- > 0;) {
        memcpy(moved, bytes + i * size, size);
        sift(bytes, i, count, size, moved, compare);
    }
    for (size_t end = count; end > 1; end--) {
        memcpy(moved, bytes + (end - 1) * size, size);
        memcpy(bytes + (end - 1) * size, bytes, size);
        sift(bytes, 0, end - 1, size, moved, compare);
    }
}
