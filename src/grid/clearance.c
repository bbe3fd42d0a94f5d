/* Where bodies of several cells can stand. The result is a map like any other, so all that works on maps
 * (searches, databases, components) also works for large bodies. */
#include "grid/clearance.h"
#include "base/status.h"
#include <wend/generate.h>

#include <string.h>

/* A row's bits where the body's whole width fits. Bits shifted in from the next row do no harm: the blocked
 * border lies between the rows. */
static uint64_t fits_along(const uint8_t *at, uint32_t body) {
    uint64_t word = wend_load64(at), next = wend_load64(at + 8), fits = word;
    for (uint32_t i = 1; i < body; i++) fits &= word >> i | next << (64 - i);
    return fits;
}

void wend_body_cells(const wend_map *map, int32_t body, wend_map *clear) {
    const uint32_t side = (uint32_t)body;
    for (uint32_t y = 0; y + side <= (uint32_t)map->height; y++) {
        size_t row = ((size_t)y + 1) * map->row_bytes;
        for (size_t i = 0; i < map->row_bytes; i += 8) {
            uint64_t fits = UINT64_MAX;
            for (uint32_t j = 0; j < side; j++)
                fits &= fits_along(map->bits + row + j * map->row_bytes + i, side);
            wend_store64(clear->bits + row + i, fits);
            clear->open_cells += wend_count_bits(fits);
        }
    }
}

wend_status wend_map_for_body(const wend_map *map, int32_t body, wend_map **made, wend_error *error) {
    if (!map || !made) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map for bodies");
    *made = NULL;
    if (body < 1 || body > WEND_MAX_BODY)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "a body with a side of %d cells: the side must be 1 to %d", (int)body,
                         WEND_MAX_BODY);
    wend_status status = wend_map_create_like(map, map->width, map->height, false, made, error);
    if (status == WEND_OK) wend_body_cells(map, body, *made);
    return status;
}

bool wend_body_fits(const wend_map *map, int32_t body, int32_t x, int32_t y) {
    for (int32_t j = 0; j < body; j++)
        for (int32_t i = 0; i < body; i++)
            if (!wend_map_is_open(map, x + i, y + j)) return false;
    return true;
}

wend_rect wend_body_area(int32_t body, wend_rect area) {
    int32_t x = area.x - body + 1, y = area.y - body + 1;
    int32_t left = x > 0 ? x : 0, top = y > 0 ? y : 0;
    return (wend_rect){left, top, area.x + area.width - left, area.y + area.height - top};
}
