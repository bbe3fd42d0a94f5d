/* Batches of paths, and 100,000 agents that walk along the moves of a batch, beside the time that memory alone
 * takes: a loop over the same bytes that only adds them up. */
#include "bench.h"
#include "shared/crew.h"
#include "shared/scenes.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATHS = 4000, AGENTS = 100000, TICKS = 32 };

typedef struct walker {
    wend_cell at;
    uint32_t left; /* moves */
    const wend_direction *next;
} walker;

typedef struct paths_set {
    wend_map *map;
    wend_paths *paths;
    wend_cell (*pairs)[2];
    wend_cell *starts, *goals;
    wend_result *results;
    walker *walkers;
    int32_t offset[WEND_DIRECTIONS];
} paths_set;

static void find(void *context) {
    paths_set *set = context;
    wend_error error;
    bench_check(wend_paths_find(set->paths, PATHS, set->starts, set->goals, set->results, &error), &error);
}

static double seconds_of(paths_set *set, wend_tasks tasks, const wend_jumps *jumps) {
    wend_error error;
    wend_paths_options options = wend_default_paths_options();
    options.tasks = tasks, options.jumps = jumps;
    wend_paths_destroy(set->paths);
    bench_check(wend_paths_create(set->map, &options, &set->paths, &error), &error);
    return bench_best(find, set);
}

/* Walkers begin at different moves of the same paths, as they would some time after they set out. */
static void place(paths_set *set) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        size_t count;
        const wend_direction *moves = wend_paths_moves(set->paths, i % PATHS, &count);
        size_t first = count ? (size_t)i * 7919 % count : 0;
        set->walkers[i] =
            (walker){.at = set->starts[i % PATHS], .left = (uint32_t)(count - first), .next = moves + first};
    }
}

static void walk(paths_set *set, uint32_t tick) {
    (void)tick;
    for (uint32_t i = 0; i < AGENTS; i++) {
        walker *w = &set->walkers[i];
        if (!w->left) continue;
        w->left--;
        w->at += (wend_cell)set->offset[*w->next++];
    }
}

static void touch(paths_set *set, uint32_t tick) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        walker *w = &set->walkers[i];
        w->at += w->left > tick ? w->next[tick] : tick;
    }
}

/* Nanoseconds per agent and tick, in the best of five runs. */
static double walked(paths_set *set, void (*all)(paths_set *set, uint32_t tick)) {
    double best = 1e300;
    for (int run = 0; run < 5; run++) {
        place(set);
        double began = bench_seconds();
        for (uint32_t tick = 0; tick < TICKS; tick++) all(set, tick);
        double took = bench_seconds() - began;
        if (took < best) best = took;
    }
    return best / TICKS / AGENTS * 1e9;
}

static void measure(const char *name) {
    paths_set set = {.map = bench_map(name, NULL)};
    wend_error error;
    wend_jumps *jumps;
    char label[64], row[160];
    bench_map_name(name, label, sizeof label);
    bench_check(wend_jumps_create(set.map, NULL, &jumps, &error), &error);
    set.starts = malloc(2 * PATHS * sizeof *set.starts), set.goals = set.starts ? set.starts + PATHS : NULL;
    set.pairs = malloc(PATHS * sizeof *set.pairs);
    set.results = malloc(PATHS * sizeof *set.results);
    set.walkers = malloc(AGENTS * sizeof *set.walkers);
    if (!set.starts || !set.pairs || !set.results || !set.walkers) exit(2);
    bench_check(shared_draw_pairs(set.map, PATHS, set.pairs, &error), &error);
    for (int i = 0; i < PATHS; i++) set.starts[i] = set.pairs[i][0], set.goals[i] = set.pairs[i][1];
    for (wend_direction d = 0; d < WEND_DIRECTIONS; d++)
        set.offset[d] = wend_direction_dy(d) * wend_map_width(set.map) + wend_direction_dx(d);
    const wend_tasks alone = {.run = NULL};
    double tables = seconds_of(&set, alone, jumps), one = seconds_of(&set, alone, NULL);
    double two = seconds_of(&set, shared_tasks(2), NULL);
    (void)snprintf(row, sizeof row, "batch of %d paths with moves, %s, a path", (int)PATHS, label);
    bench_row(row, one / PATHS * 1e9, "ns", BENCH_FYI, 0);
    (void)snprintf(row, sizeof row, "the same with jump tables, %s", label);
    bench_row(row, tables / one, "of it", BENCH_FYI, 0);
    (void)snprintf(row, sizeof row, "the same on two threads, %s", label);
    bench_row(row, two / one, "of it", BENCH_FYI, 0);
    double walking = walked(&set, walk), memory = walked(&set, touch);
    (void)snprintf(row, sizeof row, "%d agents along such moves, %s, a move", (int)AGENTS, label);
    bench_row(row, walking, "ns", BENCH_FYI, 0);
    (void)snprintf(row, sizeof row, "the same over memory alone, %s", label);
    bench_row(row, walking / memory, "times", BENCH_AT_MOST, 3);
    wend_paths_destroy(set.paths);
    wend_jumps_destroy(jumps);
    free(set.walkers);
    free(set.results);
    free(set.pairs);
    free(set.starts);
    wend_map_destroy(set.map);
}

void bench_paths(void) {
    measure("bgmaps/AR0700SR");
    measure("sc1/WheelofWar");
}
