/* One-to-all: exact distances between a root and every cell, with all optimal moves.
 *
 * Dijkstra's algorithm with waves for a queue. A wave holds the cells whose distance lies in a range one
 * straight move wide. No move is shorter, so nothing in a wave can improve anything else in it: its cells
 * need no order among themselves, and by their turn their distance is final. A diagonal costs less than two
 * straight moves, so three waves, used in turn, are enough. When a cell is final, so are all cells before it
 * on optimal paths, and its sets of optimal moves are read off its neighbours in the same look that spreads
 * it. Moves can be made both ways at the same cost, so distances from and to the root are one. */
#include "search/field.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/status.h"
#include "grid/map.h"

#include <string.h>

enum { CLEARED_AT_ONCE = 16 }; /* cells for an operation */

typedef struct wave {
    void *entries;
    size_t used, capacity;
} wave;

struct wend_field {
    const wend_map *map;
    wend_allocator allocator;
    bool wide;
    uint32_t cells;
    wend_cell root;
    uint32_t reached;
    void *distances; /* uint32_t or uint64_t; all bits set: not reached */
    wend_directions *towards, *from;
    wave waves[3];
    /* Of a computation under way. */
    bool under_way;
    uint32_t cleared;  /* distances */
    uint32_t now;      /* the wave that spreads, */
    size_t next;       /* its next entry */
    uint64_t wave_end; /* and the distance at which it ends */
};

static bool grow_wave(wend_field *field, wave *grown, size_t size) {
    size_t capacity = grown->capacity ? grown->capacity * 2 : 1024;
    void *larger = wend_enlarge(&field->allocator, grown->entries, grown->capacity, capacity, size);
    if (!larger) return false;
    grown->entries = larger, grown->capacity = capacity;
    return true;
}

#define COST uint32_t
#define N(x) x##_narrow
#include "search/kernels/field.inc"
#undef COST
#undef N
#define COST uint64_t
#define N(x) x##_wide
#include "search/kernels/field.inc"

static size_t distance_size(const wend_field *field) {
    return field->wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

static size_t entry_size(const wend_field *field) {
    return field->wide ? sizeof(wave_entry_wide) : sizeof(wave_entry_narrow);
}

static bool needs_wide(const wend_map *map) {
    return wend_map_cost_bound(map, map->open_cells) >= UINT32_MAX;
}

void wend_field_options_init(wend_field_options *options, size_t size) {
    const wend_field_options own = {.towards = true};
    wend_options_init(options, size, &own, sizeof own);
}

wend_status wend_field_create(const wend_map *map, const wend_field_options *options, wend_field **field,
                              wend_error *error) {
    if (!map || !field) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map for a distance field");
    *field = NULL;
    wend_field_options own = wend_default_field_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "field", error);
    if (status != WEND_OK) return status;
    options = &own;
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_field *made = wend_allocate_zeroed(&allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a distance field");
    made->map = map, made->allocator = allocator, made->cells = map->cells;
    made->wide = needs_wide(map);
    made->root = WEND_NO_CELL;
    made->distances = wend_allocate(&allocator, map->cells, distance_size(made));
    if (options->towards) made->towards = wend_allocate(&allocator, map->cells, sizeof *made->towards);
    if (options->from) made->from = wend_allocate(&allocator, map->cells, sizeof *made->from);
    if (!made->distances || (options->towards && !made->towards) || (options->from && !made->from)) {
        wend_field_destroy(made);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a distance field");
    }
    *field = made;
    return WEND_OK;
}

void wend_field_destroy(wend_field *field) {
    if (!field) return;
    wend_allocator allocator = field->allocator;
    for (int i = 0; i < 3; i++)
        wend_release(&allocator, field->waves[i].entries, field->waves[i].capacity, entry_size(field));
    wend_release(&allocator, field->from, field->cells, sizeof *field->from);
    wend_release(&allocator, field->towards, field->cells, sizeof *field->towards);
    wend_release(&allocator, field->distances, field->cells, distance_size(field));
    wend_release(&allocator, field, 1, sizeof *field);
}

size_t wend_field_bytes(const wend_field *field) {
    size_t bytes = sizeof *field + field->cells * distance_size(field);
    bytes += field->cells * ((field->towards ? 1u : 0u) + (field->from ? 1u : 0u));
    for (int i = 0; i < 3; i++) bytes += field->waves[i].capacity * entry_size(field);
    return bytes;
}

/* Edits since the last field may have opened so many cells that distances do not fit any more. */
static wend_status widen(wend_field *field, wend_error *error) {
    void *distances = wend_allocate(&field->allocator, field->cells, sizeof(uint64_t));
    if (!distances) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a distance field");
    wend_release(&field->allocator, field->distances, field->cells, distance_size(field));
    for (int i = 0; i < 3; i++) {
        wend_release(&field->allocator, field->waves[i].entries, field->waves[i].capacity, entry_size(field));
        field->waves[i] = (wave){0};
    }
    field->distances = distances, field->wide = true;
    return WEND_OK;
}

wend_status wend_field_begin(wend_field *field, wend_cell root, wend_error *error) {
    field->root = WEND_NO_CELL, field->reached = 0, field->under_way = false;
    wend_status status = wend_map_check_open(field->map, root, "root", error);
    if (status == WEND_OK && !field->wide && needs_wide(field->map)) status = widen(field, error);
    if (status != WEND_OK) return status;
    for (int i = 0; i < 3; i++) field->waves[i].used = 0;
    field->root = root;
    field->under_way = true, field->cleared = 0;
    field->now = 0, field->next = 0, field->wave_end = field->map->cost[0];
    return WEND_OK;
}

wend_status wend_field_go(wend_field *field, uint64_t operations, bool *done, wend_error *error) {
    bool good =
        !field->under_way || (field->wide ? go_wide(field, operations) : go_narrow(field, operations));
    *done = !field->under_way;
    if (good) return WEND_OK;
    field->root = WEND_NO_CELL, field->reached = 0, field->under_way = false;
    return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the waves of a distance field");
}

wend_status wend_field_compute(wend_field *field, wend_cell root, wend_error *error) {
    if (!field) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no distance field");
    bool done;
    wend_status status = wend_field_begin(field, root, error);
    return status == WEND_OK ? wend_field_go(field, UINT64_MAX, &done, error) : status;
}

uint32_t wend_field_reached(const wend_field *field) {
    return field->reached;
}

wend_cost wend_field_cost(const wend_field *field, wend_cell cell) {
    if (field->root == WEND_NO_CELL || cell >= field->cells) return WEND_NO_COST;
    if (field->wide) return ((const uint64_t *)field->distances)[cell];
    uint32_t distance = ((const uint32_t *)field->distances)[cell];
    return distance == UINT32_MAX ? WEND_NO_COST : distance;
}

wend_directions wend_field_towards(const wend_field *field, wend_cell cell) {
    return field->towards && wend_field_cost(field, cell) != WEND_NO_COST ? field->towards[cell] : 0;
}

wend_directions wend_field_from(const wend_field *field, wend_cell cell) {
    return field->from && wend_field_cost(field, cell) != WEND_NO_COST ? field->from[cell] : 0;
}
