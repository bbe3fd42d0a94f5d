#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "shared/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double calibration = 1; /* ns for a round */

double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double bench_best(void (*run)(void *context), void *context) {
    double best = 1e300;
    for (int i = 0; i < 5; i++) {
        double began = bench_seconds();
        run(context);
        double took = bench_seconds() - began;
        if (took < best) best = took;
    }
    return best;
}

void bench_check(wend_status status, const wend_error *error) {
    if (status == WEND_OK) return;
    char text[512];
    fprintf(stderr, "bench: %s\n", wend_error_text(error, text, sizeof text));
    exit(2);
}

/* A chain of dependent multiplications and table look-ups: what a search's inner loop is made of. */
enum { ROUNDS = 4000000 };
static void calibrate(void *context) {
    static uint32_t table[4096];
    uint64_t x = 1;
    for (int i = 0; i < ROUNDS; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        x += table[x >> 52]++;
    }
    *(uint64_t *)context += x;
}

void bench_row(const char *what, double figure, const char *unit, bench_goal goal, double target) {
    char reach[48] = "";
    if (goal == BENCH_AT_MOST) (void)snprintf(reach, sizeof reach, "at most %g", target);
    if (goal == BENCH_AT_LEAST) (void)snprintf(reach, sizeof reach, "at least %g", target);
    bool missed = (goal == BENCH_AT_MOST && figure > target) || (goal == BENCH_AT_LEAST && figure < target);
    char rounds[32] = "";
    if (strncmp(unit, "ns", 2) == 0) (void)snprintf(rounds, sizeof rounds, "%.1f", figure / calibration);
    printf("%-58s %12.2f %-14s %8s  %-16s%s\n", what, figure, unit, rounds, reach, missed ? " missed" : "");
}

const char *bench_shared_folder(void) {
    const char *set = getenv("WEND_SHARED");
    return set && *set ? set : "../shared";
}

const char *bench_map_name(const char *name, char *buffer, size_t size) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/maps/%s.map", bench_shared_folder(), name);
    FILE *file = fopen(path, "rb");
    (void)snprintf(buffer, size, "%s%s", file ? "" : "generated, like ", name);
    if (file) (void)fclose(file);
    return buffer;
}

wend_map *bench_map(const char *name, wend_scenario **scenario) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    wend_error error;
    wend_status status = shared_scene_load(bench_shared_folder(), name, &options, &map, scenario, &error);
    if (status == WEND_STATUS_FILE_ERROR) status = shared_scene_make(&map, scenario, &error);
    bench_check(status, &error);
    return map;
}

/* All benchmarks but those that take minutes, or those named. */
int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
        bool long_one;
    } parts[] = {
        {"grid", bench_grid, false},
        {"search", bench_search, false},
        {"ratios", bench_ratios, false},
        {"plan", bench_plan, false},
        {"terrain", bench_terrain, false},
        {"cases", bench_cases, false},
        {"trees", bench_trees, false},
        {"cpd", bench_cpd, false},
        {"atlas", bench_atlas, false},
        {"fleet", bench_fleet, false},
        {"paths", bench_paths, false},
        {"cpd-full", bench_cpd_full, true},
        {"fleet-full", bench_fleet_full, true},
        {"repair", bench_repair, true},
        {"growth", bench_growth, true},
    };
    setvbuf(stdout, NULL, _IOLBF, 0);
    uint64_t sink = 0;
    calibration = bench_best(calibrate, &sink) / ROUNDS * 1e9;
    printf("wend %s; best of five; one calibration round: %.2f ns (%llx)\n", wend_version(), calibration,
           (unsigned long long)sink & 0xff);
    printf("%-58s %12s %-14s %8s  %s\n", "what", "figure", "unit", "rounds", "to reach");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        bool wanted = argc < 2 && !parts[i].long_one;
        for (int j = 1; j < argc; j++) wanted = wanted || strcmp(argv[j], parts[i].name) == 0;
        if (wanted) parts[i].run();
    }
    return 0;
}
