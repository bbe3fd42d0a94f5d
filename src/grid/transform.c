/* Maps made from maps: enlarged, or with some of their open cells blocked. */
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "grid/map.h"
#include <wend/generate.h>

#include <string.h>

static uint8_t *row_bits(const wend_map *map, uint32_t y) {
    return map->bits + ((size_t)y + 1) * map->row_bytes;
}

/* One row of `from`, `factor` times as long, into row y * factor of `to`. */
static void stretch_row(const wend_map *from, wend_map *to, uint32_t y, uint32_t factor) {
    uint8_t *row = row_bits(to, y * factor);
    uint32_t width = (uint32_t)from->width;
    for (uint32_t x = 0; x < width;) {
        uint32_t first = x;
        while (x < width && wend_bit(from, x, y)) x++;
        if (x > first) wend_set_bits(row, first * factor + 1, (x - first) * factor, true);
        while (x < width && !wend_bit(from, x, y)) x++;
    }
    if (!from->letters) return;
    const char *letters = from->letters + (size_t)y * width;
    char *stretched = to->letters + (size_t)y * factor * (size_t)to->width;
    for (uint32_t x = 0; x < width; x++) memset(stretched + (size_t)x * factor, letters[x], factor);
}

wend_status wend_map_scale(const wend_map *map, int32_t factor, wend_map **scaled, wend_error *error) {
    if (!map || !scaled) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map to scale");
    *scaled = NULL;
    if (factor < 1)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "a factor of %d: at least 1", (int)factor);
    wend_map *made;
    wend_status status = wend_map_create_like(
        map, (int64_t)map->width * factor, (int64_t)map->height * factor, map->letters != NULL, &made, error);
    if (status != WEND_OK) return status;
    uint32_t times = (uint32_t)factor;
    for (uint32_t y = 0; y < (uint32_t)map->height; y++) {
        stretch_row(map, made, y, times);
        for (uint32_t i = 1; i < times; i++) {
            memcpy(row_bits(made, y * times + i), row_bits(made, y * times), made->row_bytes);
            if (!made->letters) continue;
            char *first = made->letters + (size_t)y * times * (size_t)made->width;
            memcpy(first + (size_t)i * (size_t)made->width, first, (size_t)made->width);
        }
    }
    made->open_cells = map->open_cells * times * times;
    *scaled = made;
    return WEND_OK;
}

/* Every cell draws a number by its index, and those with the smallest numbers are blocked. The numbers of a
 * seed are all different, so some limit has exactly the wanted number below it. Every choice is equally
 * likely, and a larger share blocks all cells that a smaller one does. */
static uint64_t number_of(uint64_t seed, wend_cell cell) {
    return wend_random_at(seed, 0x626c6f63, cell);
}

enum { DIGIT = 16, DIGITS = 4 };

/* How many open cells' numbers begin like `limit` above digit `digit` (0 is the highest), by that digit. */
static void count_numbers(const wend_map *map, uint64_t seed, uint64_t limit, int digit, uint32_t *count) {
    int shift = 64 - DIGIT * (digit + 1);
    memset(count, 0, ((size_t)1 << DIGIT) * sizeof *count);
    for (wend_cell cell = 0, y = 0; y < (uint32_t)map->height; y++)
        for (uint32_t x = 0; x < (uint32_t)map->width; x++, cell++) {
            if (!wend_bit(map, x, y)) continue;
            uint64_t number = number_of(seed, cell);
            if (digit && (number ^ limit) >> (shift + DIGIT)) continue;
            count[number >> shift & ((1u << DIGIT) - 1)]++;
        }
}

/* The number below or at which exactly `wanted` (at least 1) open cells lie, digit by digit. */
static uint64_t limit_for(const wend_map *map, uint64_t seed, uint32_t wanted, uint32_t *count) {
    uint64_t limit = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        int shift = 64 - DIGIT * (digit + 1);
        count_numbers(map, seed, limit, digit, count);
        uint64_t value = 0;
        while (count[value] < wanted) wanted -= count[value++];
        limit |= value << shift;
        if (count[value] == wanted) return limit | (((uint64_t)1 << shift) - 1);
    }
    return limit;
}

wend_status wend_map_block(const wend_map *map, double percent, uint64_t seed, wend_map **blocked,
                           wend_error *error) {
    if (!map || !blocked) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map to block cells of");
    *blocked = NULL;
    if (!(percent >= 0 && percent <= 100))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "%g per cent of the open cells: 0 to 100", percent);
    wend_map *made;
    wend_status status = wend_map_copy(map, &made, error);
    if (status != WEND_OK) return status;
    double share = (double)map->open_cells * percent / 100;
    uint32_t wanted = (uint32_t)share;
    if (wanted > map->open_cells) wanted = map->open_cells;
    if (wanted) {
        uint32_t *count = wend_allocate(&map->allocator, (size_t)1 << DIGIT, sizeof *count);
        if (!count) {
            wend_map_destroy(made);
            return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to choose cells");
        }
        uint64_t limit = limit_for(map, seed, wanted, count);
        wend_release(&map->allocator, count, (size_t)1 << DIGIT, sizeof *count);
        char letter = wend_map_usual_letter(map, false);
        for (wend_cell cell = 0, y = 0; y < (uint32_t)map->height; y++)
            for (uint32_t x = 0; x < (uint32_t)map->width; x++, cell++) {
                if (!wend_bit(map, x, y) || number_of(seed, cell) > limit) continue;
                wend_set_bits(row_bits(made, y), x + 1, 1, false);
                if (made->letters) made->letters[cell] = letter;
            }
        made->open_cells -= wanted;
    }
    *blocked = made;
    return WEND_OK;
}
