/* A 64-bit hash of bytes for fingerprints: fast, the same on every machine, not for adversaries. */
#ifndef WEND_BASE_HASH_H
#define WEND_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* `seed` chains calls: hash(hash(0, a), b) is the hash of the sequence a, b. */
uint64_t wend_hash(uint64_t seed, const void *data, size_t size);

#endif
