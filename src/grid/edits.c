/* Edits of a map, and the record of what they changed. The record has a fixed size, so memory does not grow
 * with edits. The fields of wend_map say who reads what. */
#include "grid/map.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

static size_t strips_of(const wend_map *map) {
    return ((size_t)map->height + WEND_STRIP_ROWS - 1) / WEND_STRIP_ROWS;
}

/* One block; the numbers of strips come first. */
static size_t record_bytes(const wend_map *map) {
    return strips_of(map) * sizeof *map->strip_changed + WEND_CHANGES_KEPT * sizeof *map->changes;
}

size_t wend_map_record_bytes(const wend_map *map) {
    return map->changes ? record_bytes(map) : 0;
}

wend_status wend_map_keep_changes(wend_map *map) {
    if (map->changes) return WEND_OK;
    map->strip_changed = wend_allocate_zeroed(&map->allocator, record_bytes(map), 1);
    if (!map->strip_changed) return WEND_STATUS_NO_MEMORY;
    map->changes = (uint32_t *)(map->strip_changed + strips_of(map));
    return WEND_OK;
}

void wend_map_set_cells(wend_map *map, uint32_t x, uint32_t y, uint32_t count, bool open) {
    for (uint32_t i = x; i < x + count; i++)
        if (wend_bit(map, i, y) != open) wend_map_note(map, i, y, open);
    (void)wend_set_bits(map->bits + (y + 1) * map->row_bytes, x + 1, count, open);
}

void wend_map_note_all(wend_map *map) {
    map->revision += WEND_CHANGES_KEPT + 1;
    memset(map->changes, 0xff, WEND_CHANGES_KEPT * sizeof *map->changes); /* no cell has these numbers */
    for (size_t i = 0; i < strips_of(map); i++) map->strip_changed[i] = map->revision;
}

#ifdef WEND_VALIDATING
bool wend_map_is_sound(const wend_map *map) {
    uint32_t open = 0, outside = 0;
    for (size_t i = 0; i < map->bits_bytes; i++) {
        size_t row = i / map->row_bytes, first = i % map->row_bytes * 8;
        for (uint32_t left = map->bits[i]; left; left &= left - 1) {
            size_t bit = first + wend_lowest_bit(left);
            bool inside = row >= 1 && row <= (size_t)map->height && bit >= 1 && bit <= (size_t)map->width;
            open += inside, outside += !inside;
        }
    }
    return !outside && open == map->open_cells;
}
#endif

wend_status wend_map_edit(wend_map *map, wend_rect area, bool open, wend_error *error) {
    if (!map) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map to edit");
    if (area.x < 0 || area.y < 0 || area.width < 1 || area.height < 1 || area.x >= map->width ||
        area.y >= map->height || area.width > map->width - area.x || area.height > map->height - area.y)
        return wend_fail(error, WEND_STATUS_OUTSIDE, "an edit of %d x %d cells at %d,%d on a map of %d x %d",
                         (int)area.width, (int)area.height, (int)area.x, (int)area.y, (int)map->width,
                         (int)map->height);
    if (wend_map_keep_changes(map) != WEND_OK)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to record the edit");
    char letter = wend_map_usual_letter(map, open);
    for (int32_t y = area.y; y < area.y + area.height; y++) {
        wend_map_set_cells(map, (uint32_t)area.x, (uint32_t)y, (uint32_t)area.width, open);
        if (map->letters)
            memset(map->letters + (size_t)y * (size_t)map->width + area.x, letter, (size_t)area.width);
    }
    return WEND_OK;
}

uint64_t wend_map_revision(const wend_map *map) {
    return map->revision;
}

wend_change wend_map_change_at(const wend_map *map, uint64_t number) {
    if (number < 1 || number > map->revision || wend_map_lost_since(map, number - 1))
        return (wend_change){WEND_NO_CELL, false};
    uint32_t change = map->changes[(number - 1) % WEND_CHANGES_KEPT];
    return (wend_change){change == UINT32_MAX ? WEND_NO_CELL : change >> 1, change & 1};
}
