#include "plan/agent.h"

#include "base/random.h"

enum { SIDES = 16 }; /* moves for each column and row: longer ways are found in parts */

static size_t bytes_of(const wend_way *way) {
    return (size_t)way->room * 3 / 8 + 1; /* a move is read out of two bytes */
}

bool wend_way_create(wend_agent *agent, wend_way *way) {
    const wend_map *map = agent->view->map;
    uint32_t wanted = SIDES * (uint32_t)(map->width + map->height);
    if (wanted > map->cells) wanted = map->cells;
    way->room = 64;
    while (way->room < wanted) way->room *= 2;
    way->bits = wend_allocate_zeroed(&agent->ground->allocator, bytes_of(way), 1);
    if (way->bits) agent->bytes += bytes_of(way);
    return way->bits;
}

void wend_way_release(const wend_agent *agent, wend_way *way) {
    wend_release(&agent->ground->allocator, way->bits, bytes_of(way), 1);
}

uint64_t wend_way_hash(const wend_way *way, uint64_t seed) {
    uint64_t hash = wend_mix(seed ^ way->count);
    for (uint32_t i = 0; i < way->count; i++) hash = wend_mix(hash ^ wend_way_at(way, i));
    return hash;
}
