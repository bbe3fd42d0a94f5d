/* Random numbers by counter: number `n` of stream `stream` of a seed, drawn in any order by anyone, is always
 * the same. The mixer is the finaliser of SplitMix64 (Steele, Lea and Flood 2014), applied to each of the
 * three words. */
#ifndef WEND_BASE_RANDOM_H
#define WEND_BASE_RANDOM_H

#include "base/bits.h"

WEND_INLINE uint64_t wend_mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

WEND_INLINE uint64_t wend_random_at(uint64_t seed, uint64_t stream, uint64_t n) {
    return wend_mix(wend_mix(wend_mix(seed) ^ stream) ^ n);
}

/* Uniform over 0 .. bound-1 up to a bias of bound / 2^32; bound at least 1. */
WEND_INLINE uint32_t wend_random_below(uint64_t random, uint32_t bound) {
    return (uint32_t)(((random >> 32) * bound) >> 32);
}

/* The same with all 64 bits, for bounds of millions: a bias of bound / 2^64. */
WEND_INLINE uint32_t wend_random_below_large(uint64_t random, uint32_t bound) {
    uint64_t low = (random & UINT32_MAX) * bound >> 32;
    return (uint32_t)(((random >> 32) * bound + low) >> 32);
}

/* For code that draws one after another. */
typedef struct wend_random {
    uint64_t seed, stream, next;
} wend_random;

WEND_INLINE uint64_t wend_random_next(wend_random *random) {
    return wend_random_at(random->seed, random->stream, random->next++);
}

WEND_INLINE uint32_t wend_random_draw(wend_random *random, uint32_t bound) {
    return wend_random_below(wend_random_next(random), bound);
}

#endif
