/* What agents believe of the map: one bit per cell for open or blocked, and a bit for seen. */
#include "world/world.h"

#include "base/options.h"

#include <string.h>

void wend_knowledge_options_init(wend_knowledge_options *options, size_t size) {
    const wend_knowledge_options own = {.radius = 1};
    wend_options_init(options, size, &own, sizeof own);
}

static wend_status check(const wend_map *map, const wend_knowledge_options *options, wend_error *error) {
    if (options->radius < 1 || options->radius > WEND_MAX_RADIUS)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a sensor's radius is 1 to %d, not %u",
                         WEND_MAX_RADIUS, options->radius);
    const wend_map *believed = options->believed;
    if (!believed) return WEND_OK;
    if (believed->width != map->width || believed->height != map->height)
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "a belief of %d x %d cells in a world of %d x %d",
                         (int)believed->width, (int)believed->height, (int)map->width, (int)map->height);
    if (believed->rules.connect != map->rules.connect || believed->rules.corners != map->rules.corners ||
        believed->rules.diagonal != map->rules.diagonal)
        return wend_fail(error, WEND_STATUS_OTHER_MAP,
                         "the belief has other rules of movement than the world");
    return WEND_OK;
}

wend_status wend_knowledge_create(wend_world *world, const wend_knowledge_options *options,
                                  wend_knowledge **knowledge, wend_error *error) {
    if (!world || !knowledge) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no world to know");
    *knowledge = NULL;
    const wend_map *map = world->ground.view.map;
    wend_knowledge_options own = wend_default_knowledge_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "knowledge", error);
    if (status == WEND_OK) status = check(map, options = &own, error);
    if (status != WEND_OK) return status;
    const wend_allocator allocator = world->toucher.inner;
    wend_knowledge *made = wend_allocate_zeroed(&allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for knowledge");
    made->allocator = allocator;
    made->ground = &world->ground;
    made->believed = options->believed;
    made->radius = options->radius;
    status = wend_map_create_within(map, &allocator, &made->map);
    if (status == WEND_OK) status = wend_map_keep_changes(made->map);
    if (status == WEND_OK) {
        made->seen = wend_allocate(&allocator, made->map->bits_bytes, 1);
        if (!made->seen) status = WEND_STATUS_NO_MEMORY;
    }
    if (status != WEND_OK) {
        wend_knowledge_destroy(made);
        return wend_fail(error, status, "no memory for knowledge of %u cells", map->cells);
    }
    made->view = (wend_view){.map = made->map, .base = options->believed, .changes = true};
    wend_knowledge_forget(made);
    if (!options->believed) made->view.first = wend_map_fingerprint(made->map);
    *knowledge = made;
    return WEND_OK;
}

void wend_knowledge_destroy(wend_knowledge *knowledge) {
    if (!knowledge) return;
    wend_allocator allocator = knowledge->allocator;
    wend_components_destroy(knowledge->components);
    wend_release(&allocator, knowledge->seen, knowledge->map ? knowledge->map->bits_bytes : 0, 1);
    wend_map_destroy(knowledge->map);
    wend_release(&allocator, knowledge, 1, sizeof *knowledge);
}

void wend_knowledge_forget(wend_knowledge *knowledge) {
    wend_map *map = knowledge->map;
    memset(knowledge->seen, 0, map->bits_bytes);
    if (knowledge->believed) {
        wend_map_take_cells(map, knowledge->believed);
    } else {
        for (uint32_t y = 0; y < (uint32_t)map->height; y++)
            (void)wend_set_bits(map->bits + (y + 1) * map->row_bytes, 1, (uint32_t)map->width, true);
        map->open_cells = map->cells;
    }
    wend_map_note_all(map);
    if (knowledge->components) (void)wend_components_settle(knowledge->components, map, UINT64_MAX);
}

const wend_map *wend_knowledge_map(const wend_knowledge *knowledge) {
    return knowledge->map;
}

static bool bit_of(const wend_map *map, const uint8_t *bits, wend_cell cell) {
    uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
    return bits[(y + 1) * map->row_bytes + ((x + 1) >> 3)] >> ((x + 1) & 7) & 1;
}

bool wend_knowledge_seen(const wend_knowledge *knowledge, wend_cell cell) {
    return cell < knowledge->map->cells && bit_of(knowledge->map, knowledge->seen, cell);
}

uint64_t wend_knowledge_changes(const wend_knowledge *knowledge) {
    return knowledge->changes;
}

size_t wend_knowledge_bytes(const wend_knowledge *knowledge) {
    return sizeof *knowledge + wend_map_bytes(knowledge->map) + knowledge->map->bits_bytes +
           (knowledge->components ? wend_components_bytes(knowledge->components) : 0);
}

uint32_t wend_knowledge_reach(const wend_knowledge *knowledge) {
    uint32_t radius = knowledge->radius, side = 2 * radius + 1;
    return knowledge->map->rules.connect == 8 ? side * side : 2 * radius * (radius + 1) + 1;
}

uint64_t wend_knowledge_look_bound(const wend_knowledge *knowledge) {
    uint64_t words = (2 * (uint64_t)knowledge->radius + 1 + 31) / 32;
    return (2 * (uint64_t)knowledge->radius + 1) * words + wend_knowledge_reach(knowledge);
}

/* Up to 32 cells of a row, from x on. */
WEND_INLINE uint32_t row_bits(const uint8_t *row, uint32_t x, uint32_t mask) {
    return (uint32_t)(wend_load64(row + ((x + 1) >> 3)) >> ((x + 1) & 7)) & mask;
}

WEND_INLINE void mark_seen(uint8_t *row, uint32_t x, uint32_t mask) {
    uint8_t *p = row + ((x + 1) >> 3);
    uint64_t now = wend_load64(p), with = now | (uint64_t)mask << ((x + 1) & 7);
    if (now != with) wend_store64(p, with);
}

/* Takes in the cells of a row that are believed otherwise than they are. */
static void correct(wend_knowledge *knowledge, uint32_t x, uint32_t y, uint32_t wrong) {
    wend_map *map = knowledge->map;
    uint8_t *row = map->bits + (y + 1) * map->row_bytes;
    for (; wrong; wrong &= wrong - 1) {
        uint32_t there = x + wend_lowest_bit(wrong);
        uint8_t bit = (uint8_t)(1u << ((there + 1) & 7));
        row[(there + 1) >> 3] ^= bit;
        wend_map_note(map, there, y, row[(there + 1) >> 3] & bit);
        knowledge->changes++;
    }
}

/* The cells from x to `end` of a row. */
WEND_INLINE uint64_t look_along(wend_knowledge *knowledge, uint32_t x, uint32_t end, uint32_t y) {
    const wend_map *map = knowledge->map;
    const size_t row = (y + 1) * map->row_bytes;
    uint64_t operations = 0;
    for (; x <= end; x += 32) {
        uint32_t count = end - x + 1 < 32 ? end - x + 1 : 32;
        uint32_t mask = count == 32 ? UINT32_MAX : (1u << count) - 1;
        uint32_t truth = row_bits(knowledge->ground->view.map->bits + row, x, mask);
        uint32_t wrong = truth ^ row_bits(map->bits + row, x, mask);
        mark_seen(knowledge->seen + row, x, mask);
        operations++;
        if (wrong) {
            operations += wend_count_bits(wrong);
            correct(knowledge, x, y, wrong);
        }
    }
    return operations;
}

/* What most looks are: around a cell with eight neighbours, all of which have been seen as they are. Rows are
 * read as a word each. */
WEND_INLINE bool is_nothing_new(const wend_knowledge *knowledge, uint32_t x, uint32_t y) {
    const wend_map *map = knowledge->map;
    const size_t place = y * map->row_bytes + (x >> 3); /* as wend_map_around reads them */
    const uint8_t *truth = knowledge->ground->view.map->bits, *believed = map->bits, *seen = knowledge->seen;
    uint32_t news = 0;
    for (size_t row = 0, at = place; row < 3; row++, at += map->row_bytes)
        news |= (uint32_t)(wend_load16(truth + at) ^ wend_load16(believed + at)) |
                ~(uint32_t)wend_load16(seen + at);
    return !(news >> (x & 7) & 7);
}

uint64_t wend_knowledge_look(wend_knowledge *knowledge, wend_cell at) {
    const wend_map *map = knowledge->map;
    const uint32_t middle = wend_cell_y(map, at), x = wend_cell_x(map, at, middle);
    if (knowledge->radius == 1 && is_nothing_new(knowledge, x, middle)) return 3;
    const uint32_t width = (uint32_t)map->width, height = (uint32_t)map->height, radius = knowledge->radius;
    uint32_t first = middle > radius ? middle - radius : 0;
    uint32_t last = middle + radius < height ? middle + radius : height - 1;
    uint64_t operations = 0;
    for (uint32_t y = first; y <= last; y++) {
        uint32_t half = map->rules.connect == 8 ? radius : radius - wend_apart(y, middle);
        uint32_t from = x > half ? x - half : 0, to = x + half < width ? x + half : width - 1;
        operations += look_along(knowledge, from, to, y);
    }
    return operations;
}
