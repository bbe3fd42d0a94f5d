/* Sixteen sorted keys at a time. */
#ifndef WEND_CPD_WINDOW_H
#define WEND_CPD_WINDOW_H

#include "base/bits.h"

#if WEND_HAVE_AVX2
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { WEND_WINDOW = 16 };

/* How many of the 16 are not above `key`, up to the first that is; the keys ascend up to there. No branch. */
WEND_INLINE uint32_t wend_window_below(const uint16_t *keys, uint16_t key) {
#if defined(__SSE2__)
    const __m128i value = _mm_set1_epi16((short)key), zero = _mm_setzero_si128();
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)keys),
            high = _mm_loadu_si128((const __m128i *)(const void *)(keys + 8));
    /* Without signs: a key is not above iff nothing is left of it when the value is taken away. */
    low = _mm_cmpeq_epi16(_mm_subs_epu16(low, value), zero);
    high = _mm_cmpeq_epi16(_mm_subs_epu16(high, value), zero);
    return wend_lowest_bit(~(uint64_t)(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)));
#else
    uint32_t above = 1u << WEND_WINDOW;
    for (uint32_t i = 0; i < WEND_WINDOW; i++) above |= (uint32_t)(keys[i] > key) << i;
    return wend_lowest_bit(above);
#endif
}

/* The same for functions marked WEND_AVX2. */
#if WEND_HAVE_AVX2
WEND_AVX2 static inline uint32_t wend_window_below_avx2(const uint16_t *keys, uint16_t key) {
    const __m256i value = _mm256_set1_epi16((short)key);
    __m256i most = _mm256_max_epu16(value, _mm256_loadu_si256((const __m256i *)(const void *)keys));
    /* Two bits per key. */
    return wend_lowest_bit(~(uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi16(most, value))) / 2;
}
#else
#define wend_window_below_avx2 wend_window_below
#endif

/* How many of the first `count` keys are not above `key`; 16 if it is more than that. They ascend; all 16 may
 * be read, whatever `count` is. */
WEND_INLINE uint32_t wend_window_count(const uint16_t *keys, uint32_t count, uint16_t key) {
    uint32_t below = wend_window_below(keys, key);
    return below < count ? below : count;
}

#endif
