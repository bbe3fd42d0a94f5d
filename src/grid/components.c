#include "grid/components.h"

#include "base/memory.h"
#include "base/status.h"
#include "grid/runs.h"

#include <string.h>

/* Room for ids below `needed`. */
static bool grow(wend_components *components, uint64_t needed) {
    if (needed <= components->capacity) return true;
    uint64_t doubled = 2 * (uint64_t)components->capacity;
    uint64_t capacity = needed > doubled ? needed : doubled;
    if (capacity >= WEND_NO_LABEL) return false;
    wend_label *larger = wend_enlarge(&components->allocator, components->label, components->capacity,
                                      (size_t)capacity, sizeof *larger);
    if (!larger) return false;
    components->label = larger, components->capacity = (uint32_t)capacity;
    return true;
}

bool wend_components_reserve(wend_components *components, uint64_t count) {
    uint64_t free_count = components->free_count;
    return grow(components, components->used + (count > free_count ? count - free_count : 0));
}

static void number_cells(wend_components *components, const wend_runs *runs) {
    size_t width = (size_t)components->width;
    for (uint32_t y = 0; y < runs->height; y++) {
        uint32_t *row = components->id + y * width;
        uint32_t x = 0;
        for (uint32_t i = runs->row[y]; i < runs->row[y + 1]; i++) {
            uint32_t label = runs->label[i], last = runs->run[i].last;
            while (x < runs->run[i].first) row[x++] = WEND_NO_LABEL;
            while (x <= last) row[x++] = label;
        }
        while (x < width) row[x++] = WEND_NO_LABEL;
    }
}

wend_status wend_components_rebuild(wend_components *components, const wend_map *map, wend_error *error) {
    wend_runs runs;
    wend_status status = wend_runs_create(map, &components->allocator, components->diagonal, &runs, error);
    if (status != WEND_OK) return status;
    if (!grow(components, runs.components)) {
        wend_runs_release(&runs);
        return wend_fail(error, WEND_NO_MEMORY, "no memory for %u components", (unsigned)runs.components);
    }
    number_cells(components, &runs);
    for (uint32_t i = 0; i < runs.components; i++)
        components->label[i] =
            (wend_label){.name = i, .next = i, .prev = i, .ids = 1, .flood = WEND_NO_LABEL};
    for (uint32_t i = 0; i < runs.count; i++)
        components->label[runs.label[i]].size += (uint32_t)runs.run[i].last - runs.run[i].first + 1;
    for (uint32_t i = 0; i < runs.components; i++) components->label[i].cells = components->label[i].size;
    components->used = components->count = runs.components;
    components->first_free = WEND_NO_LABEL, components->free_count = 0;
    components->revision = map->edit_count;
    wend_runs_release(&runs);
    return WEND_OK;
}

wend_status wend_components_create(const wend_map *map, const wend_allocator *allocator,
                                   wend_components **components, wend_error *error) {
    if (!map || !components) return wend_fail(error, WEND_BAD_ARGUMENT, "no map to find components in");
    *components = NULL;
    wend_allocator chosen = wend_allocator_or_default(allocator ? allocator : &map->allocator);
    wend_components *made = wend_allocate_zeroed(&chosen, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_NO_MEMORY, "no memory for components");
    made->allocator = chosen;
    made->width = map->width, made->height = map->height, made->cells = map->cells;
    made->diagonal = wend_joins_diagonally(map);
    made->first_free = WEND_NO_LABEL;
    made->id = wend_allocate(&chosen, made->cells, sizeof *made->id);
    wend_status status = made->id ? wend_components_rebuild(made, map, error)
                                  : wend_fail(error, WEND_NO_MEMORY, "no memory for a label a cell");
    if (status == WEND_OK)
        *components = made;
    else
        wend_components_destroy(made);
    return status;
}

void wend_components_destroy(wend_components *components) {
    if (!components) return;
    wend_allocator allocator = components->allocator;
    wend_release(&allocator, components->id, components->cells, sizeof *components->id);
    wend_release(&allocator, components->label, components->capacity, sizeof *components->label);
    wend_release(&allocator, components->queue_next, components->cells, sizeof *components->queue_next);
    wend_release(&allocator, components, 1, sizeof *components);
}

uint32_t wend_components_label(const wend_components *components, wend_cell cell) {
    if (cell >= components->cells) return WEND_NO_CELL;
    uint32_t id = components->id[cell];
    return id == WEND_NO_LABEL ? WEND_NO_CELL : components->label[id].name;
}

bool wend_components_joined(const wend_components *components, wend_cell a, wend_cell b) {
    uint32_t label = wend_components_label(components, a);
    return label != WEND_NO_CELL && label == wend_components_label(components, b);
}

uint32_t wend_components_count(const wend_components *components) {
    return components->count;
}

static bool is_label(const wend_components *components, uint32_t label) {
    return label < components->used && components->label[label].name == label;
}

uint32_t wend_components_size(const wend_components *components, uint32_t label) {
    return is_label(components, label) ? components->label[label].size : 0;
}

uint32_t wend_components_largest(const wend_components *components) {
    uint32_t largest = WEND_NO_CELL, size = 0;
    for (uint32_t i = 0; i < components->used; i++)
        if (is_label(components, i) && components->label[i].size > size)
            largest = i, size = components->label[i].size;
    return largest;
}

uint32_t wend_components_revision(const wend_components *components) {
    return components->revision;
}

size_t wend_components_bytes(const wend_components *components) {
    size_t cells = components->cells;
    return sizeof *components + cells * sizeof *components->id +
           (components->queue_next ? cells * sizeof *components->queue_next : 0) +
           components->capacity * sizeof *components->label;
}
