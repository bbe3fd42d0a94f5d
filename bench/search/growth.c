/* How optimal paths grow with the map, at each level of preparation: `bench/growth paths`. Two families of maps: one
 * is magnified, so that its corners stay; in the other there are as many more corners as cells. Ten times the
 * cells from one map to the next. */
#include "bench.h"
#include "shared/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 3, PAIRS = 60, ROUNDS = 3 };

typedef struct subject {
    wend_map *map;
    wend_search *search;
    wend_jumps *jumps;
    wend_xy *path;
    size_t room;
} subject;

static void by_astar(subject *s, wend_cell start, wend_cell goal) {
    wend_error error;
    wend_result result;
    bench_check(wend_search_astar(s->search, start, goal, &result, &error), &error);
    (void)wend_search_moves(s->search, (wend_direction *)s->path, s->room);
}

static void by_find(subject *s, wend_cell start, wend_cell goal) {
    wend_error error;
    wend_result result;
    bench_check(wend_search_find(s->search, wend_map_xy(s->map, start), wend_map_xy(s->map, goal), s->path,
                                 s->room, &result, &error),
                &error);
}

static void by_jps(subject *s, wend_cell start, wend_cell goal) {
    wend_error error;
    wend_result result;
    bench_check(wend_search_jps(s->search, s->jumps, start, goal, &result, &error), &error);
    (void)wend_search_moves(s->search, (wend_direction *)s->path, s->room);
}

enum { WAYS = 3 };
static const struct {
    const char *name;
    void (*solve)(subject *s, wend_cell start, wend_cell goal);
} ways[WAYS] = {{"A*", by_astar}, {"find", by_find}, {"jps", by_jps}};

typedef struct figures {
    double path, prepare, bytes; /* us, ms, MB */
} figures;

/* Preparing is all that happens before the first path is searched for. */
static double prepare(subject *s, int way, wend_cell cell) {
    wend_error error;
    double began = bench_seconds();
    bench_check(wend_search_create(s->map, NULL, &s->search, &error), &error);
    if (ways[way].solve == by_jps) bench_check(wend_jumps_create(s->map, NULL, &s->jumps, &error), &error);
    ways[way].solve(s, cell, cell);
    return bench_seconds() - began;
}

static void release(subject *s) {
    wend_search_destroy(s->search);
    wend_jumps_destroy(s->jumps);
    s->search = NULL, s->jumps = NULL;
}

static figures measure(subject *s, int way, wend_cell (*pairs)[2]) {
    figures made = {0, 1e300, 0};
    for (int round = 0; round < ROUNDS; round++) {
        release(s);
        double took = prepare(s, way, pairs[0][0]) * 1e3;
        if (took < made.prepare) made.prepare = took;
    }
    for (int i = 0; i < PAIRS; i++) {
        double best = 1e300;
        for (int round = 0; round < ROUNDS; round++) {
            double began = bench_seconds();
            ways[way].solve(s, pairs[i][0], pairs[i][1]);
            double took = bench_seconds() - began;
            if (took < best) best = took;
        }
        made.path += best / PAIRS * 1e6;
    }
    made.bytes =
        ((double)wend_search_bytes(s->search) + (s->jumps ? (double)wend_jumps_bytes(s->jumps) : 0)) * 1e-6;
    release(s);
    return made;
}

static double exponent(double from, double to, const double cells[2]) {
    return log(to / from) / log(cells[1] / cells[0]);
}

static void print(const char *name, const double cells[SIZES], figures made[SIZES][WAYS]) {
    printf("\n%-10s %10s %12s %8s %14s %8s %12s %8s\n", name, "cells", "us a path", "exp", "ms to prepare",
           "exp", "MB", "exp");
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < SIZES; i++) {
            const figures *now = &made[i][way], *before = i ? &made[i - 1][way] : now;
            printf("%-10s %10.0f %12.1f", ways[way].name, cells[i], now->path);
            if (!i) {
                printf(" %8s %14.2f %8s %12.2f\n", "", now->prepare, "", now->bytes);
                continue;
            }
            printf(" %8.2f %14.2f %8.2f %12.2f %8.2f\n", exponent(before->path, now->path, cells + i - 1),
                   now->prepare, exponent(before->prepare, now->prepare, cells + i - 1), now->bytes,
                   exponent(before->bytes, now->bytes, cells + i - 1));
        }
}

static wend_map *magnified(int size) {
    static const int32_t factors[SIZES] = {1, 3, 10};
    wend_map *small = bench_map("bgmaps/AR0700SR", NULL), *map;
    wend_error error;
    bench_check(wend_map_scale(small, factors[size], &map, &error), &error);
    wend_map_destroy(small);
    return map;
}

static wend_map *shapes(int size) {
    static const int64_t sides[SIZES] = {316, 1000, 3162};
    wend_generate_options options = wend_default_generate_options();
    options.size = 24;
    wend_map *map;
    wend_error error;
    bench_check(wend_map_generate(WEND_MAP_SHAPES, sides[size], sides[size], &options, &map, &error), &error);
    return map;
}

static void family(const char *name, wend_map *(*make)(int size)) {
    double cells[SIZES];
    figures made[SIZES][WAYS];
    for (int i = 0; i < SIZES; i++) {
        subject s = {.map = make(i)};
        wend_cell(*pairs)[2] = malloc(PAIRS * sizeof *pairs);
        wend_error error;
        s.room = wend_map_cells(s.map), cells[i] = (double)s.room;
        s.path = malloc(s.room * sizeof *s.path);
        if (!pairs || !s.path) exit(2);
        bench_check(shared_draw_pairs(s.map, PAIRS, pairs, &error), &error);
        for (int way = 0; way < WAYS; way++) made[i][way] = measure(&s, way, pairs);
        free(s.path);
        free(pairs);
        wend_map_destroy(s.map);
    }
    print(name, cells, made);
}

void bench_growth(void) {
    char label[64];
    printf("magnified: %s\n", bench_map_name("bgmaps/AR0700SR", label, sizeof label));
    family("magnified", magnified);
    family("shapes", shapes);
}
