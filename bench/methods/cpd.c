/* Path databases: building them on two cores, their size, and moves looked up one after another, along paths
 * and in batches. `wend_bench cpd-full` takes minutes: all maps of bgmaps together, and two large ones. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "shared/scenes.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

/* Looking up -------------------------------------------------------------------------------------------- */

enum { PAIRS = 1 << 16, AGENTS = 10000, TICKS = 60 };

typedef struct set {
    wend_map *map;
    wend_db *db;
    wend_cell (*pairs)[2];
    wend_cell *at, *goals;
    uint64_t sum, moves;
} set;

/* Each look-up waits for the one before it. */
static void run_random(void *context) {
    set *s = context;
    uint32_t last = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        const wend_cell *pair = s->pairs[(i + (last & 8)) & (PAIRS - 1)];
        last = wend_cpd_move(s->db, pair[0], pair[1]);
        s->sum += last;
    }
}

static void run_paths(void *context) {
    set *s = context;
    s->moves = 0;
    int32_t offset[WEND_DIRECTIONS];
    for (wend_direction d = 0; d < WEND_DIRECTIONS; d++)
        offset[d] = wend_direction_dy(d) * wend_map_width(s->map) + wend_direction_dx(d);
    for (size_t i = 0; i < 2000; i++) {
        wend_cell at = s->pairs[i][0], goal = s->pairs[i][1];
        for (wend_direction move; (move = wend_cpd_move(s->db, at, goal)) < WEND_DIRECTIONS; s->moves++)
            at += (wend_cell)offset[move];
    }
}

static void run_batches(void *context) {
    set *s = context;
    wend_error error;
    for (size_t i = 0; i < AGENTS; i++) s->at[i] = s->pairs[i][0], s->goals[i] = s->pairs[i][1];
    for (int tick = 0; tick < TICKS; tick++)
        bench_check(wend_cpd_step_many(s->db, AGENTS, s->at, s->goals, NULL, NULL, &error), &error);
}

/* A run takes milliseconds, so that one disturbance may last for all five. */
static double best_of_many(void (*run)(void *context), set *s) {
    double best = bench_best(run, s);
    for (int i = 0; i < 4; i++) {
        double again = bench_best(run, s);
        if (again < best) best = again;
    }
    return best;
}

/* Rows -------------------------------------------------------------------------------------------------- */

typedef struct targets {
    const char *map;
    double seconds, megabytes;
    double random, path, batch; /* ns; 0: no target */
} targets;

static void row(const targets *t, const char *what, double figure, const char *unit, double target) {
    char label[64], text[128];
    (void)snprintf(text, sizeof text, "cpd, %s, %s", bench_map_name(t->map, label, sizeof label), what);
    bench_row(text, figure, unit, target > 0 ? BENCH_AT_MOST : BENCH_FYI, target);
}

static void measure(const targets *t) {
    double took;
    set s = {.map = bench_map(t->map, NULL)};
    s.db = bench_database(s.map, "cpd", 2, &took);
    row(t, "built on two cores", took, "s", t->seconds);
    row(t, "size", (double)wend_db_about(s.db).bytes * 1e-6, "MB", t->megabytes);
    s.pairs = malloc(PAIRS * sizeof *s.pairs);
    s.at = malloc(AGENTS * sizeof *s.at), s.goals = malloc(AGENTS * sizeof *s.goals);
    if (!s.pairs || !s.at || !s.goals) exit(2);
    wend_error error;
    bench_check(shared_draw_pairs(s.map, PAIRS, s.pairs, &error), &error);
    row(t, "random moves one after another", best_of_many(run_random, &s) / PAIRS * 1e9, "ns", t->random);
    double paths = best_of_many(run_paths, &s);
    row(t, "whole paths, a move", paths / (double)s.moves * 1e9, "ns", t->path);
    row(t, "10,000 agents per tick, a move", best_of_many(run_batches, &s) / ((double)AGENTS * TICKS) * 1e9,
        "ns", t->batch);
    free(s.goals);
    free(s.at);
    free(s.pairs);
    wend_db_close(s.db);
    wend_map_destroy(s.map);
}

void bench_cpd(void) {
    static const targets maps[] = {
        {"bgmaps/AR0404SR", 0, 0, 0, 0, 0},
        {"bgmaps/AR0700SR", 12, 3.5, 60, 40, 12},
        {"dao/orz103d", 8, 0.4, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) measure(&maps[i]);
}

/* The 120 maps of the paper, one after another. */
static void measure_bgmaps(void) {
    char path[512], text[128];
    glob_t found;
    double seconds = 0, megabytes = 0;
    (void)snprintf(path, sizeof path, "%s/maps/bgmaps/*.map", bench_shared_folder());
    if (glob(path, 0, NULL, &found) != 0) {
        printf("cpd, bgmaps: not there\n");
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        wend_map_options options = wend_default_map_options();
        wend_map *map = NULL;
        wend_error error;
        double took;
        bench_check(wend_map_load(found.gl_pathv[i], &options, &map, &error), &error);
        wend_db *db = bench_database(map, "cpd", 2, &took);
        seconds += took, megabytes += (double)wend_db_about(db).bytes * 1e-6;
        wend_db_close(db);
        wend_map_destroy(map);
    }
    (void)snprintf(text, sizeof text, "cpd, all %zu of bgmaps, built on two cores", found.gl_pathc);
    bench_row(text, seconds, "s", BENCH_AT_MOST, 40);
    (void)snprintf(text, sizeof text, "cpd, all %zu of bgmaps, size", found.gl_pathc);
    bench_row(text, megabytes, "MB", BENCH_FYI, 0);
    globfree(&found);
}

void bench_cpd_full(void) {
    measure_bgmaps();
    static const targets maps[] = {
        {"dao/ost100d", 90, 13.5, 0, 0, 0},
        {"sc1/WheelofWar", 360, 55, 0, 0, 25},
    };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) measure(&maps[i]);
}
