/* Sixteen sorted keys at a time. */
#ifndef WEND_BASE_WINDOW_H
#define WEND_BASE_WINDOW_H

#include "base/bits.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { WEND_WINDOW = 16 };

/* How many of the first `count` (at most 16) keys are not above `key`. They ascend; all 16 may be read. No
 * branch. */
WEND_INLINE uint32_t wend_window_count(const uint16_t *keys, uint32_t count, uint16_t key) {
#if defined(__SSE2__)
    const __m128i value = _mm_set1_epi16((short)key), zero = _mm_setzero_si128();
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)keys),
            high = _mm_loadu_si128((const __m128i *)(const void *)(keys + 8));
    /* Without signs: a key is not above iff nothing is left of it when the value is taken away. */
    low = _mm_cmpeq_epi16(_mm_subs_epu16(low, value), zero);
    high = _mm_cmpeq_epi16(_mm_subs_epu16(high, value), zero);
    uint32_t below = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
    return wend_lowest_bit(~(uint64_t)(below & ((1u << count) - 1)));
#else
    uint32_t below = 0;
    for (uint32_t i = 0; i < WEND_WINDOW; i++) below += (uint32_t)(keys[i] <= key) & (uint32_t)(i < count);
    return below;
#endif
}

#endif
