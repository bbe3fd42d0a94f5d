/* FIPS 180-4, "Secure Hash Standard", sections 4.1.2, 5 and 6.2. */
#include "formats/sha256.h"

#include "formats/files.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8, LENGTH = 8 };

static uint32_t rotated(uint32_t x, int by) {
    return x >> by | x << (32 - by);
}

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void take_block(uint32_t sum[WORDS], const uint8_t *block) {
    uint32_t w[ROUNDS], s[WORDS];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < ROUNDS; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[i - 7] +
               (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
    memcpy(s, sum, sizeof s);
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t big1 = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25),
                       big0 = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22),
                       choice = (s[4] & s[5]) ^ (~s[4] & s[6]),
                       majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]),
                       t = s[7] + big1 + choice + constants[i] + w[i];
        memmove(s + 1, s, (WORDS - 1) * sizeof *s);
        s[4] += t, s[0] = t + big0 + majority;
    }
    for (int i = 0; i < WORDS; i++) sum[i] += s[i];
}

void tool_sha256(const void *data, size_t size, char text[TOOL_SHA256_TEXT]) {
    /* The same of the square roots of the first eight. */
    uint32_t sum[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const uint8_t *bytes = data;
    size_t at = 0;
    for (; size - at >= BLOCK; at += BLOCK) take_block(sum, bytes + at);
    uint8_t rest[2 * BLOCK] = {0};
    const size_t left = size - at, end = left + 1 + LENGTH <= BLOCK ? BLOCK : 2 * BLOCK;
    if (left) memcpy(rest, bytes + at, left);
    rest[left] = 0x80;
    for (int i = 0; i < LENGTH; i++) rest[end - 1 - (size_t)i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t i = 0; i < end; i += BLOCK) take_block(sum, rest + i);
    for (int i = 0; i < WORDS; i++)
        (void)snprintf(text + 8 * i, TOOL_SHA256_TEXT - 8 * (size_t)i, "%08x", (unsigned)sum[i]);
}

bool tool_sha256_file(const char *path, char text[TOOL_SHA256_TEXT]) {
    wend_bytes bytes;
    wend_error error;
    const wend_file_limits limits = {.max_bytes = UINT64_MAX, .regular = true};
    const wend_status status = wend_file_read_within(path, NULL, &limits, &bytes, &error);
    if (status != WEND_OK) return false;
    tool_sha256(bytes.data, bytes.size, text);
    tool_bytes_release(&bytes);
    return true;
}
