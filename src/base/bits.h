/* Small pieces that compile to an instruction or two, the same on any byte order. */
#ifndef WEND_BASE_BITS_H
#define WEND_BASE_BITS_H

#include "base/assert.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WEND_INLINE static inline __attribute__((always_inline))
#define WEND_LIKELY(x) __builtin_expect(!!(x), 1)
#define WEND_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define WEND_PREFETCH(p) __builtin_prefetch(p)
/* Before a short loop with a constant number of rounds: unrolls it four times. */
#define WEND_UNROLL _Pragma("GCC unroll 4")
#else
#define WEND_INLINE static inline
#define WEND_LIKELY(x) (x)
#define WEND_UNLIKELY(x) (x)
#define WEND_PREFETCH(p) ((void)(p))
#define WEND_UNROLL
#endif

/* Vectors: loops over arrays are written in plain C and left to the compiler, which has 16 bytes at a time
 * everywhere that matters. A function marked WEND_AVX2 is compiled for 32, and may be called only where
 * wend_has_avx2() says so. */
#if defined(__GNUC__) && defined(__x86_64__)
#define WEND_AVX2 __attribute__((target("avx2")))
#define WEND_HAVE_AVX2 1
WEND_INLINE bool wend_has_avx2(void) {
    return __builtin_cpu_supports("avx2");
}
#else
#define WEND_AVX2
#define WEND_HAVE_AVX2 0
WEND_INLINE bool wend_has_avx2(void) {
    return false;
}
#endif

/* The index of the lowest set bit; x must not be 0. */
WEND_INLINE uint32_t wend_lowest_bit(uint64_t x) {
    WEND_ASSERT(x);
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(x);
#else
    uint32_t n = 0;
    while (!(x & 1)) x >>= 1, n++;
    return n;
#endif
}

/* How many bits above the highest set one; x must not be 0. */
WEND_INLINE uint32_t wend_leading_zeros(uint64_t x) {
    WEND_ASSERT(x);
#if defined(__GNUC__)
    return (uint32_t)__builtin_clzll(x);
#else
    uint32_t n = 0;
    while (!(x >> 63)) x <<= 1, n++;
    return n;
#endif
}

/* By arithmetic: without a flag for the instruction, compilers call a function for their builtin. */
WEND_INLINE uint32_t wend_count_bits(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((x * 0x0101010101010101u) >> 56);
}

/* Little-endian loads and stores at any address; one instruction on little-endian machines. */
WEND_INLINE uint32_t wend_load16(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

WEND_INLINE uint32_t wend_load32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

WEND_INLINE uint64_t wend_load64(const uint8_t *p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

WEND_INLINE void wend_store32(uint8_t *p, uint32_t x) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(x >> (8 * i));
}

WEND_INLINE void wend_store64(uint8_t *p, uint64_t x) {
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(x >> (8 * i));
}

/* Whether numbers stand in memory with their lowest byte first. */
WEND_INLINE bool wend_little_endian(void) {
    const union {
        uint16_t number;
        uint8_t bytes[2];
    } one = {1};
    return one.bytes[0] == 1;
}

#endif
