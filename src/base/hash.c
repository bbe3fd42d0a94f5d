#include "base/hash.h"

#include "base/random.h"

uint64_t wend_hash(uint64_t seed, const void *data, size_t size) {
    const uint8_t *p = data;
    uint64_t h = wend_mix(seed ^ size);
    for (; size >= 8; p += 8, size -= 8) h = wend_mix(h ^ wend_load64(p));
    uint64_t tail = 0;
    for (size_t i = 0; i < size; i++) tail |= (uint64_t)p[i] << (8 * i);
    return wend_mix(h ^ tail);
}
