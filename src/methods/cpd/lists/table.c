/* Move tables: what a source has towards each cell of its component, laid out on the map. */
#include "methods/cpd/lists/list.h"

#include <string.h>

void wend_cpd_table_init(wend_cpd_table *table, const wend_ranks *ranks, const wend_allocator *allocator) {
    *table = (wend_cpd_table){.ranks = ranks, .allocator = *allocator, .component = UINT32_MAX};
}

static void release_box(wend_cpd_table *table) {
    wend_release(&table->allocator, table->rows, table->box_room, 1);
    wend_release(&table->allocator, table->columns, table->box_room, 1);
    wend_release(&table->allocator, table->areas, table->area_room, sizeof *table->areas);
    table->rows = table->columns = NULL, table->areas = NULL;
    table->box_room = table->area_room = 0;
}

void wend_cpd_table_release(wend_cpd_table *table) {
    release_box(table);
    wend_release(&table->allocator, table->place, table->place_room, sizeof *table->place);
    wend_release(&table->allocator, table->turned, table->place_room, sizeof *table->turned);
    wend_release(&table->allocator, table->xs, table->place_room, sizeof *table->xs);
    wend_release(&table->allocator, table->ys, table->place_room, sizeof *table->ys);
    table->place = table->turned = NULL, table->xs = table->ys = NULL;
}

size_t wend_cpd_table_bytes(const wend_map *map, uint32_t most_cells) {
    size_t corners = ((size_t)map->width + 1) * ((size_t)map->height + 1);
    return 2 * (size_t)map->cells + corners * sizeof(uint32_t) + most_cells * 3 * sizeof(uint32_t);
}

static void find_box(wend_cpd_table *table, const wend_cell *cells) {
    const wend_map *map = table->ranks->map;
    uint32_t x1 = UINT32_MAX, y1 = UINT32_MAX, x2 = 0, y2 = 0;
    for (uint32_t i = 0; i < table->cells; i++) {
        uint32_t y = wend_cell_y(map, cells[i]), x = wend_cell_x(map, cells[i], y);
        if (x < x1) x1 = x;
        if (x > x2) x2 = x;
        if (y < y1) y1 = y;
        if (y > y2) y2 = y;
    }
    table->x = x1, table->y = y1, table->width = x2 - x1 + 1, table->height = y2 - y1 + 1;
}

/* Boxes only grow: the first component is the largest by cells, not always by its box. */
static bool make_room(wend_cpd_table *table) {
    size_t box = (size_t)table->width * table->height,
           corners = ((size_t)table->width + 1) * ((size_t)table->height + 1);
    if (!table->place) {
        table->place_room = table->ranks->firsts[1];
        table->place = wend_allocate(&table->allocator, table->place_room, sizeof *table->place);
        table->turned = wend_allocate(&table->allocator, table->place_room, sizeof *table->turned);
        table->xs = wend_allocate(&table->allocator, table->place_room, sizeof *table->xs);
        table->ys = wend_allocate(&table->allocator, table->place_room, sizeof *table->ys);
    }
    if (!table->place || !table->turned || !table->xs || !table->ys) return false;
    if (box <= table->box_room && corners <= table->area_room) return true;
    release_box(table);
    table->rows = wend_allocate(&table->allocator, box, 1);
    table->columns = wend_allocate(&table->allocator, box, 1);
    table->areas = wend_allocate(&table->allocator, corners, sizeof *table->areas);
    table->box_room = box, table->area_room = corners;
    return table->rows && table->columns && table->areas;
}

static void sum_areas(wend_cpd_table *table) {
    const size_t stride = (size_t)table->width + 1;
    memset(table->areas, 0, stride * sizeof *table->areas);
    for (uint32_t y = 0; y < table->height; y++) {
        const uint32_t *above = table->areas + y * stride;
        uint32_t *here = table->areas + (y + (size_t)1) * stride, sum = 0;
        here[0] = 0;
        for (uint32_t x = 0; x < table->width; x++) {
            sum += !table->rows[(size_t)y * table->width + x];
            here[x + 1] = above[x + 1] + sum;
        }
    }
}

bool wend_cpd_table_take(wend_cpd_table *table, uint32_t component) {
    const wend_ranks *ranks = table->ranks;
    const wend_cell *cells = ranks->cells + ranks->firsts[component];
    if (table->component == component) return true;
    table->component = UINT32_MAX;
    table->cells = ranks->firsts[component + 1] - ranks->firsts[component];
    find_box(table, cells);
    if (!make_room(table)) return false;
    size_t box = (size_t)table->width * table->height;
    memset(table->rows, 255, box);
    memset(table->columns, 255, box);
    for (uint32_t i = 0; i < table->cells; i++) {
        uint32_t y = wend_cell_y(ranks->map, cells[i]), x = wend_cell_x(ranks->map, cells[i], y);
        table->place[i] = (y - table->y) * table->width + x - table->x;
        table->turned[i] = (x - table->x) * table->height + y - table->y;
        table->xs[i] = (uint16_t)x, table->ys[i] = (uint16_t)y;
        table->rows[table->place[i]] = 0; /* a cell of the component, until areas are summed up */
    }
    sum_areas(table);
    table->component = component;
    return true;
}

void wend_cpd_table_fill(wend_cpd_table *table, uint32_t source, const uint16_t *sets, bool label) {
    const uint32_t count = table->cells, *place = table->place, *turned = table->turned;
    uint8_t *rows = table->rows, *columns = table->columns;
    if (label) {
        for (uint32_t i = 0; i < count; i++) {
            uint8_t one = (uint8_t)(1u << wend_cpd_table_move(table, source, i, sets[i]));
            rows[place[i]] = one, columns[turned[i]] = one;
        }
        rows[place[source]] = columns[turned[source]] = 255;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint8_t set = (uint8_t)sets[i];
        rows[place[i]] = set, columns[turned[i]] = set;
    }
}

WEND_INLINE uint32_t fold(uint64_t words) {
    words &= words >> 32;
    words &= words >> 16;
    words &= words >> 8;
    return (uint32_t)words & 255;
}

/* Eight cells at a time; the last eight may have been looked at before, which changes nothing. */
uint32_t wend_cpd_common(const uint8_t *cells, uint32_t count, uint32_t set) {
    if (count < 8) {
        for (uint32_t i = 0; i < count; i++) set &= cells[i];
        return set;
    }
    uint64_t all = UINT64_C(0x0101010101010101) * set, word;
    uint32_t i = 0;
    for (; i + 32 <= count; i += 32) {
        uint64_t four[4];
        memcpy(four, cells + i, sizeof four);
        all &= four[0] & four[1] & four[2] & four[3];
        if (!fold(all)) return 0;
    }
    for (; i + 8 <= count; i += 8) {
        memcpy(&word, cells + i, sizeof word);
        all &= word;
    }
    memcpy(&word, cells + count - 8, sizeof word);
    return fold(all & word);
}
