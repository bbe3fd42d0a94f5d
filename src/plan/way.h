/* The next moves of an agent, kept by the agent itself: three bits each, in a ring. */
#ifndef WEND_PLAN_WAY_H
#define WEND_PLAN_WAY_H

#include "base/assert.h"
#include "base/bits.h"
#include <wend/world.h>

typedef struct wend_way {
    uint8_t *bits;
    uint32_t room;         /* in moves, a power of two */
    uint32_t first, count; /* where the next move stands, and how many there are */
} wend_way;

/* Room for the longest ways of most maps; false: no memory. Counts as the agent's bytes. */
bool wend_way_create(wend_agent *agent, wend_way *way);
void wend_way_release(const wend_agent *agent, wend_way *way);
uint64_t wend_way_hash(const wend_way *way, uint64_t seed);

/* The move after `index` others. */
WEND_INLINE uint32_t wend_way_at(const wend_way *way, uint32_t index) {
    uint32_t bit = 3 * ((way->first + index) & (way->room - 1));
    return wend_load16(way->bits + bit / 8) >> bit % 8 & 7;
}

/* There must be room. */
WEND_INLINE void wend_way_append(wend_way *way, uint32_t direction) {
    WEND_ASSERT(way->count < way->room && direction < WEND_DIRECTIONS);
    uint32_t bit = 3 * ((way->first + way->count++) & (way->room - 1)), shift = bit % 8;
    uint32_t both = (uint32_t)(wend_load16(way->bits + bit / 8) & ~(7u << shift)) | direction << shift;
    way->bits[bit / 8] = (uint8_t)both, way->bits[bit / 8 + 1] = (uint8_t)(both >> 8);
}

WEND_INLINE void wend_way_drop_first(wend_way *way) {
    way->first = (way->first + 1) & (way->room - 1);
    way->count--;
}

#endif
