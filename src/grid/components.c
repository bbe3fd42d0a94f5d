#include "grid/components.h"

#include "base/memory.h"
#include "base/status.h"

/* -- making --------------------------------------------------------------------------------------------- */

/* Pairs neighbours until one strip is left. `whole` chains the strips of a level meanwhile; an odd one at the
 * southern end waits for the next level. */
static void pair_strips(wend_components *components) {
    wend_strip *strips = components->strips;
    uint32_t made = components->leaves, head = 0, height = (uint32_t)components->height;
    for (uint32_t i = 0; i < made; i++) {
        uint32_t end = (i + 1) * WEND_STRIP_ROWS;
        strips[i] = (wend_strip){.first = i * WEND_STRIP_ROWS,
                                 .end = end < height ? end : height,
                                 .upper = WEND_NO_STRIP,
                                 .lower = WEND_NO_STRIP,
                                 .whole = i + 1 < made ? i + 1 : WEND_NO_STRIP};
    }
    while (strips[head].whole != WEND_NO_STRIP) {
        uint32_t *link = &head;
        for (uint32_t upper = head; upper != WEND_NO_STRIP;) {
            uint32_t lower = strips[upper].whole;
            if (lower == WEND_NO_STRIP) {
                *link = upper;
                break;
            }
            uint32_t next = strips[lower].whole;
            strips[made] = (wend_strip){.first = strips[upper].first,
                                        .end = strips[lower].end,
                                        .upper = upper,
                                        .lower = lower,
                                        .whole = WEND_NO_STRIP};
            strips[upper].whole = strips[lower].whole = made;
            *link = made;
            link = &strips[made++].whole;
            upper = next;
        }
    }
}

/* Hands `numbers` out. The labels of leaves come first, those of inner strips follow: below 2^30 in all. */
static void share_numbers(wend_components *components) {
    size_t slots = components->slots;
    uint32_t *next = components->numbers;
    for (uint32_t i = 0; i < components->strip_count; i++) {
        wend_strip *strip = components->strips + i;
        bool leaf = i < components->leaves;
        uint32_t rows = leaf ? strip->end - strip->first : 2;
        strip->north = next, next += rows * slots;
        strip->south = next - slots;
        strip->size = next, next += (leaf ? rows : 4) * slots;
        if (strip->whole != WEND_NO_STRIP) strip->part = next, next += 2 * slots;
        strip->base = (leaf ? strip->first : (uint32_t)components->height + 4 * (i - components->leaves)) *
                      components->slots;
    }
    components->entries = next;
}

static bool allocate(wend_components *made) {
    uint64_t slots = made->slots, rows = (uint64_t)made->height, inner = made->leaves - 1;
    uint64_t numbers = 2 * slots * rows + 6 * slots * inner + 2 * slots * (made->strip_count - 1) + 4 * slots;
    if (numbers > SIZE_MAX / sizeof *made->numbers) return false;
    made->number_count = (size_t)numbers;
    made->bits_bytes = made->row_bytes * (size_t)rows;
    made->strips = wend_allocate(&made->allocator, made->strip_count, sizeof *made->strips);
    made->stale = wend_allocate_zeroed(&made->allocator, made->stale_words, sizeof *made->stale);
    made->bits = wend_allocate_zeroed(&made->allocator, made->bits_bytes, 1);
    made->numbers = wend_allocate(&made->allocator, made->number_count, sizeof *made->numbers);
    return made->strips && made->stale && made->bits && made->numbers;
}

wend_status wend_components_create(const wend_map *map, const wend_allocator *allocator,
                                   wend_components **components, wend_error *error) {
    if (!map || !components)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map to find components in");
    *components = NULL;
    WEND_VALIDATE(wend_map_is_sound(map));
    wend_allocator chosen = wend_allocator_or_default(allocator ? allocator : &map->allocator);
    wend_components *made = wend_allocate_zeroed(&chosen, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for components");
    made->allocator = chosen;
    made->width = map->width, made->height = map->height, made->cells = map->cells;
    made->diagonal = wend_joins_diagonally(map);
    made->row_bytes = map->row_bytes;
    made->slots = ((uint32_t)map->width + 1) / 2;
    made->leaves = ((uint32_t)map->height + WEND_STRIP_ROWS - 1) / WEND_STRIP_ROWS;
    made->strip_count = 2 * made->leaves - 1;
    made->stale_words = (made->strip_count + 63) / 64;
    made->revision = map->revision;
    if (!allocate(made)) {
        wend_components_destroy(made);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the map's components");
    }
    pair_strips(made);
    share_numbers(made);
    /* These values are right for a blocked map. All other cells count as changes. */
    wend_components_note(made, (wend_rect){0, 0, map->width, map->height});
    (void)wend_components_settle(made, map, UINT64_MAX);
    *components = made;
    return WEND_OK;
}

void wend_components_destroy(wend_components *components) {
    if (!components) return;
    wend_allocator allocator = components->allocator;
    wend_release(&allocator, components->strips, components->strip_count, sizeof *components->strips);
    wend_release(&allocator, components->stale, components->stale_words, sizeof *components->stale);
    wend_release(&allocator, components->bits, components->bits_bytes, 1);
    wend_release(&allocator, components->numbers, components->number_count, sizeof *components->numbers);
    wend_release(&allocator, components, 1, sizeof *components);
}

/* -- asking --------------------------------------------------------------------------------------------- */

/* The first cell of the run that an open cell is part of. */
static uint32_t run_start(const uint8_t *row, uint32_t x) {
    /* Cell x is bit x + 1; bit 0 is blocked. The cells from the word's start up to x stand at its top. */
    size_t word = (x + 1) / 64;
    uint64_t blocked = ~wend_load64(row + 8 * word) << (63 - (x + 1) % 64);
    if (blocked) return x + 1 - wend_leading_zeros(blocked);
    do blocked = ~wend_load64(row + 8 * --word);
    while (!blocked);
    return (uint32_t)(64 * word) + 63 - wend_leading_zeros(blocked);
}

uint32_t wend_components_label(const wend_components *components, wend_cell cell) {
    if (cell >= components->cells || !components->sure) return WEND_NO_CELL;
    uint32_t width = (uint32_t)components->width, y = cell / width, x = cell - y * width;
    const uint8_t *row = wend_components_row(components, y);
    if (!(row[(x + 1) / 8] >> (x + 1) % 8 & 1)) return WEND_NO_CELL;
    const wend_strip *strip = components->strips + y / WEND_STRIP_ROWS;
    const uint32_t *line = strip->north + (size_t)(y - strip->first) * components->slots;
    uint32_t number = line[run_start(row, x) / 2] & WEND_ENTRY_VALUE;
    while (number < strip->open) {
        number = strip->part[number];
        strip = components->strips + strip->whole;
        WEND_ASSERT(number < strip->total);
    }
    return strip->base + number;
}

bool wend_components_joined(const wend_components *components, wend_cell a, wend_cell b) {
    uint32_t label = wend_components_label(components, a);
    return label != WEND_NO_CELL && label == wend_components_label(components, b);
}

bool wend_components_sure(const wend_components *components) {
    return components->sure;
}

uint32_t wend_components_count(const wend_components *components) {
    return components->sure ? components->count : 0;
}

uint32_t wend_components_size(const wend_components *components, uint32_t label) {
    if (!components->sure) return 0;
    uint32_t slots = components->slots, inner = (uint32_t)components->height * slots;
    uint32_t i = label < inner ? label / (WEND_STRIP_ROWS * slots)
                               : components->leaves + (label - inner) / (4 * slots);
    if (i >= components->strip_count) return 0;
    const wend_strip *strip = components->strips + i;
    uint32_t number = label - strip->base;
    return number >= strip->open && number < strip->total ? strip->size[number] : 0;
}

uint32_t wend_components_largest(const wend_components *components) {
    uint32_t largest = WEND_NO_CELL, size = 0;
    if (!components->sure) return largest;
    for (uint32_t i = 0; i < components->strip_count; i++) {
        const wend_strip *strip = components->strips + i;
        for (uint32_t number = strip->open; number < strip->total; number++)
            if (strip->size[number] > size) largest = strip->base + number, size = strip->size[number];
    }
    return largest;
}

uint64_t wend_components_revision(const wend_components *components) {
    return components->revision;
}

size_t wend_components_bytes(const wend_components *components) {
    return sizeof *components + components->strip_count * sizeof *components->strips +
           components->stale_words * sizeof *components->stale + components->bits_bytes +
           components->number_count * sizeof *components->numbers;
}
