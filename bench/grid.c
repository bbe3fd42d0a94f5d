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

void bench_grid(void) {
    wend_error error;
    grid_set set = {.path = "bench-large.map"};
    wend_map *small = bench_map("sc1/WheelofWar", NULL);
    bench_check(wend_map_scale(small, 5, &set.map, &error), &error);
    wend_map_destroy(small);
    bench_check(wend_map_save(set.path, set.map, &error), &error);
    char label[64], row[128];
    bench_map_name("sc1/WheelofWar", label, sizeof label);
    (void)snprintf(row, sizeof row, "load, %s x5, from a file", label);
    bench_row(row, bench_best(run_load, &set), "s", BENCH_AT_MOST, 0.2);
    (void)remove(set.path);
    (void)snprintf(row, sizeof row, "components, %s x5", label);
    bench_row(row, bench_best(run_components, &set), "s", BENCH_FYI, 0);
    wend_map_destroy(set.map);
}
