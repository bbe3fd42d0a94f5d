/* What the generators share. Each draws on a map whose cells are all blocked and leaves one component
 * (except `random`) under any rules. Parts count as joined only through their sides, so the cells depend on
 * size, seed and settings and not on the rules. */
#ifndef WEND_GENERATE_GENERATE_H
#define WEND_GENERATE_GENERATE_H

#include "base/random.h"
#include "grid/map.h"
#include <wend/generate.h>

typedef struct wend_generator {
    wend_map *map;
    uint64_t seed;
    uint32_t density; /* 0 to 100 */
    uint32_t size;    /* at least 1 */
} wend_generator;

wend_status wend_generate_rooms(const wend_generator *generator, wend_error *error);
wend_status wend_generate_maze(const wend_generator *generator, wend_error *error);
wend_status wend_generate_caves(const wend_generator *generator, wend_error *error);
wend_status wend_generate_city(const wend_generator *generator, wend_error *error);
wend_status wend_generate_shapes(const wend_generator *generator, wend_error *error);
wend_status wend_generate_joined(const wend_generator *generator, wend_error *error);

/* Opens or closes the part of an area that lies on the map. Neither counts open cells nor sets letters: that
 * is done once at the end. */
void wend_fill(wend_map *map, int32_t x, int32_t y, int32_t width, int32_t height, bool open);

WEND_INLINE wend_random wend_random_stream(uint64_t seed, uint64_t stream) {
    return (wend_random){seed, stream, 0};
}

#endif
