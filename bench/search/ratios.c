/* Optimal paths at each level of preparation, as ratios within one run: a noisy machine is noisy for both. Each
 * pair counts with the least of five times of each way, which take turns. */
#include "bench.h"
#include "shared/scenes.h"

#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 200, ROUNDS = 5, EDITS = 40 };

typedef struct ways {
    const char *name;
    wend_map *map;
    wend_search *search;
    wend_jumps *jumps;
    wend_db *flags;
    wend_world *world;
    wend_agent *agent;
    wend_xy *path;
    size_t room;
    wend_cell start, goal;
} ways;

static void in_a_step(ways *w) {
    wend_error error;
    bench_check(wend_agent_start(w->agent, w->start, w->goal, &error), &error);
    (void)wend_agent_step(w->agent);
}

static void in_one_call(ways *w) {
    wend_error error;
    wend_result result;
    bench_check(wend_search_astar(w->search, w->start, w->goal, &result, &error), &error);
}

static void without_tables(ways *w) {
    wend_error error;
    wend_result result;
    bench_check(wend_search_find(w->search, wend_map_xy(w->map, w->start), wend_map_xy(w->map, w->goal),
                                 w->path, w->room, &result, &error),
                &error);
}

static void with_tables(ways *w) {
    wend_error error;
    wend_result result;
    bench_check(wend_search_jps(w->search, w->jumps, w->start, w->goal, &result, &error), &error);
    (void)wend_search_moves(w->search, (wend_direction *)w->path, w->room);
}

static void with_flags(ways *w) {
    wend_error error;
    wend_result result;
    bench_check(wend_corners_find(w->flags, w->search, w->jumps, w->start, w->goal, &result, &error), &error);
    (void)wend_search_moves(w->search, (wend_direction *)w->path, w->room);
}

enum { STEP, CALL, SCAN, TABLES, FLAGS, WAYS };

static void time_paths(ways *w, double sums[WAYS]) {
    static void (*const all[WAYS])(ways *) = {in_a_step, in_one_call, without_tables, with_tables,
                                              with_flags};
    wend_cell(*pairs)[2] = malloc(PAIRS * sizeof *pairs);
    wend_error error;
    if (!pairs) exit(2);
    bench_check(shared_draw_pairs(w->map, PAIRS, pairs, &error), &error);
    for (int i = 0; i < PAIRS; i++) {
        double best[WAYS] = {1e300, 1e300, 1e300, 1e300, 1e300};
        w->start = pairs[i][0], w->goal = pairs[i][1];
        for (int round = 0; round < ROUNDS; round++)
            for (int way = 0; way < WAYS; way++) {
                double began = bench_seconds();
                all[way](w);
                double took = bench_seconds() - began;
                if (took < best[way]) best[way] = took;
            }
        for (int way = 0; way < WAYS; way++) sums[way] += best[way];
    }
    free(pairs);
}

static double making_tables(const wend_map *map) {
    double best = 1e300;
    wend_error error;
    for (int i = 0; i < ROUNDS; i++) {
        wend_jumps *jumps;
        double began = bench_seconds();
        bench_check(wend_jumps_create(map, NULL, &jumps, &error), &error);
        double took = bench_seconds() - began;
        if (took < best) best = took;
        wend_jumps_destroy(jumps);
    }
    return best;
}

/* A cell is closed and opened again, somewhere else each time. The mean of the least times. */
static double following_an_edit(ways *w) {
    double sum = 0;
    uint64_t random = 5;
    wend_error error;
    for (int i = 0; i < EDITS; i++) {
        double best[2] = {1e300, 1e300};
        wend_cell cell;
        do cell = shared_draw(&random, wend_map_cells(w->map));
        while (!wend_map_is_open_cell(w->map, cell));
        wend_xy at = wend_map_xy(w->map, cell);
        for (int round = 0; round < ROUNDS; round++)
            for (int open = 0; open < 2; open++) {
                bench_check(wend_map_edit(w->map, (wend_rect){at.x, at.y, 1, 1}, open, &error), &error);
                double began = bench_seconds();
                bench_check(wend_jumps_update(w->jumps, &error), &error);
                double took = bench_seconds() - began;
                if (took < best[open]) best[open] = took;
            }
        sum += (best[0] + best[1]) / 2;
    }
    return sum / EDITS;
}

/* A target below 1 is a ceiling, one above it a floor; 0: none. */
static void row(const ways *w, const char *what, double ratio, const char *unit, double target) {
    char label[64], text[160];
    (void)snprintf(text, sizeof text, "%s, %s", bench_map_name(w->name, label, sizeof label), what);
    bench_row(text, ratio, unit,
              target > 1   ? BENCH_AT_LEAST
              : target > 0 ? BENCH_AT_MOST
                           : BENCH_FYI,
              target);
}

static void measure(const char *name, double edit) {
    ways w = {.name = name, .map = bench_map(name, NULL)};
    wend_error error;
    wend_world_options options = wend_default_world_options();
    wend_settings *settings;
    w.room = wend_map_cells(w.map);
    w.path = malloc(w.room * sizeof *w.path);
    if (!w.path) exit(2);
    bench_check(wend_search_create(w.map, NULL, &w.search, &error), &error);
    bench_check(wend_jumps_create(w.map, NULL, &w.jumps, &error), &error);
    bench_check(wend_world_create(w.map, &options, &w.world, &error), &error);
    bench_check(wend_settings_parse("astar", NULL, &settings, &error), &error);
    bench_check(wend_agent_create(w.world, settings, NULL, &w.agent, &error), &error);
    wend_settings_destroy(settings);
    double building;
    w.flags = bench_database(w.map, "corners", 1, &building);
    double sums[WAYS] = {0}, making = making_tables(w.map);
    time_paths(&w, sums);
    wend_agent_destroy(w.agent);
    wend_world_destroy(w.world);
    double following = following_an_edit(&w);
    row(&w, "A* in a step (heap)", sums[STEP] / PAIRS * 1e6, "us", 0);
    row(&w, "A* in one call (buckets), of that", sums[CALL] / sums[STEP], "times", 0.85);
    row(&w, "wend_search_find, of A* in one call", sums[SCAN] / sums[CALL], "times", 0.25);
    row(&w, "wend_search_jps, of find", sums[TABLES] / sums[SCAN], "times", 0.8);
    row(&w, "wend_search_jps, of A* in one call", sums[TABLES] / sums[CALL], "times", 0.1);
    row(&w, "wend_corners_find, of wend_search_jps", sums[FLAGS] / sums[TABLES], "times", 0.75);
    row(&w, "flags for wend_corners_find built by one thread", building, "s", 0);
    row(&w, "jump tables made, of A* in one call", making / sums[CALL] * PAIRS, "times", 0);
    row(&w, "jump tables made, of one edit followed", making / following, "times", edit);
    wend_db_close(w.flags);
    wend_jumps_destroy(w.jumps);
    wend_search_destroy(w.search);
    free(w.path);
    wend_map_destroy(w.map);
}

void bench_ratios(void) {
    measure("dao/orz103d", 30);
    measure("sc1/WheelofWar", 20);
    measure("cities/Boston_0_1024", 15);
}
