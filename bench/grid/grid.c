/* Loading, components, fingerprints of a large map. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct grid_set {
    const char *path;
    wend_map *map;
} grid_set;

static void run_load(void *context) {
    grid_set *set = context;
    wend_error error;
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    bench_check(wend_map_load(set->path, &options, &map, &error), &error);
    wend_map_destroy(map);
}

static void run_components(void *context) {
    grid_set *set = context;
    wend_error error;
    wend_components *components;
    bench_check(wend_components_create(set->map, NULL, &components, &error), &error);
    wend_components_destroy(components);
}

/* Cells spread over the map are closed, and opened again, one at a time; the components follow each. */
enum { CHANGES = 2000, SLICE = 100, LOOKS = 1000000 };

typedef struct change_set {
    wend_map *map;
    wend_components *components;
    uint32_t joined;
    uint64_t slices;
} change_set;

static wend_cell spread(const wend_map *map, uint32_t i) {
    return (wend_cell)(((uint64_t)i * 2654435769u) % wend_map_cells(map));
}

static void run_changes(void *context) {
    change_set *set = context;
    wend_error error;
    set->slices = 0;
    for (uint32_t i = 0; i < CHANGES; i++) {
        wend_xy at = wend_map_xy(set->map, spread(set->map, i / 2));
        wend_rect cell = {at.x, at.y, 1, 1};
        bool open = wend_map_is_open(set->map, at.x, at.y);
        bench_check(wend_map_edit(set->map, cell, !open, &error), &error);
        do set->slices++;
        while (!wend_components_settle(set->components, set->map, SLICE));
    }
}

static void run_looks(void *context) {
    change_set *set = context;
    for (uint32_t i = 0; i < LOOKS; i++)
        set->joined += wend_components_joined(set->components, spread(set->map, i), spread(set->map, i + 7));
}

static void bench_changes(wend_map *map, const char *label) {
    wend_error error;
    char row[128];
    change_set set = {.map = map};
    bench_check(wend_components_create(map, NULL, &set.components, &error), &error);
    (void)snprintf(row, sizeof row, "components, %s, memory a cell", label);
    bench_row(row, (double)wend_components_bytes(set.components) / wend_map_cells(map), "bytes", BENCH_FYI,
              0);
    double took = bench_best(run_changes, &set) * 1e9;
    (void)snprintf(row, sizeof row, "components, %s, a cell changed", label);
    bench_row(row, took / CHANGES, "ns", BENCH_FYI, 0);
    (void)snprintf(row, sizeof row, "components, %s, a slice of %d operations", label, SLICE);
    bench_row(row, took / (double)set.slices, "ns", BENCH_FYI, 0);
    (void)snprintf(row, sizeof row, "components, %s, are two joined", label);
    bench_row(row, bench_best(run_looks, &set) / LOOKS * 1e9, "ns", BENCH_FYI, 0);
    wend_components_destroy(set.components);
}

void bench_grid(void) {
    wend_error error;
    grid_set set = {.path = "bench-large.map"};
    wend_map *small = bench_map("sc1/WheelofWar", NULL);
    bench_check(wend_map_scale(small, 5, &set.map, &error), &error);
    bench_check(wend_map_save(set.path, set.map, &error), &error);
    char label[64], row[128];
    bench_map_name("sc1/WheelofWar", label, sizeof label);
    (void)snprintf(row, sizeof row, "load, %s x5, from a file", label);
    bench_row(row, bench_best(run_load, &set), "s", BENCH_AT_MOST, 0.2);
    (void)remove(set.path);
    (void)snprintf(row, sizeof row, "components, %s x5", label);
    bench_row(row, bench_best(run_components, &set) * 1e3, "ms", BENCH_FYI, 0);
    bench_changes(small, label);
    (void)snprintf(row, sizeof row, "%s x5", label);
    bench_changes(set.map, row);
    wend_map_destroy(small);
    wend_map_destroy(set.map);
}
