/* A*, one-to-all, jump-point search, the hill-climber. */
#include "bench.h"
#include "shared/scenes.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct problem_set {
    wend_map *map;
    wend_scenario *scenario;
    wend_search *search;
    wend_jumps *jumps;
    uint64_t expansions, moves, steps;
    wend_cell (*pairs)[2];
    size_t pair_count;
    wend_field *field;
    uint32_t reached;
} problem_set;

static void open_search(problem_set *set) {
    wend_error error;
    wend_search_options options = wend_default_search_options();
    bench_check(wend_search_create(set->map, &options, &set->search, &error), &error);
}

static void close_set(problem_set *set) {
    free(set->pairs);
    wend_field_destroy(set->field);
    wend_jumps_destroy(set->jumps);
    wend_search_destroy(set->search);
    wend_scenario_destroy(set->scenario);
    wend_map_destroy(set->map);
}

const wend_problem *bench_problem(const wend_scenario *scenario, size_t index) {
    return wend_scenario_at(scenario, index * wend_scenario_count(scenario) / BENCH_PROBLEMS);
}

uint64_t bench_astar(wend_search *search, const wend_map *map, const wend_scenario *scenario) {
    uint64_t expansions = 0;
    for (size_t i = 0; i < BENCH_PROBLEMS; i++) {
        const wend_problem *problem = bench_problem(scenario, i);
        wend_result result;
        wend_error error;
        bench_check(wend_search_astar(search, wend_map_cell(map, problem->start.x, problem->start.y),
                                      wend_map_cell(map, problem->goal.x, problem->goal.y), &result, &error),
                    &error);
        expansions += result.expansions;
    }
    return expansions;
}

static void run_astar(void *context) {
    problem_set *set = context;
    set->expansions = bench_astar(set->search, set->map, set->scenario);
}

static void astar(const char *name, double target) {
    problem_set set = {0};
    set.map = bench_map(name, &set.scenario);
    open_search(&set);
    double best = bench_best(run_astar, &set);
    char label[64], row[128];
    (void)snprintf(row, sizeof row, "A*, %s, an expansion", bench_map_name(name, label, sizeof label));
    bench_row(row, best / (double)set.expansions * 1e9, "ns", BENCH_AT_MOST, target);
    close_set(&set);
}

static void run_field(void *context) {
    problem_set *set = context;
    set->reached = 0;
    for (size_t i = 0; i < 10; i++) {
        wend_error error;
        bench_check(wend_field_compute(set->field, set->pairs[i][0], &error), &error);
        set->reached += wend_field_reached(set->field);
    }
}

static void draw_pairs(problem_set *set, size_t count) {
    wend_error error;
    set->pairs = malloc(count * sizeof *set->pairs);
    if (!set->pairs) exit(2);
    set->pair_count = count;
    bench_check(shared_draw_pairs(set->map, count, set->pairs, &error), &error);
}

static void field(const char *name, bool from, double target) {
    problem_set set = {0};
    set.map = bench_map(name, NULL);
    wend_error error;
    wend_field_options options = wend_default_field_options();
    options.from = from, options.towards = !from;
    bench_check(wend_field_create(set.map, &options, &set.field, &error), &error);
    draw_pairs(&set, 10);
    double best = bench_best(run_field, &set);
    char label[64], row[128];
    (void)snprintf(row, sizeof row, "one-to-all with sets %s root, %s, a cell",
                   from ? "from the" : "towards the", bench_map_name(name, label, sizeof label));
    bench_row(row, best / set.reached * 1e9, "ns", BENCH_AT_MOST, target);
    close_set(&set);
}

static void run_jps(void *context) {
    problem_set *set = context;
    static wend_direction moves[1 << 20];
    set->expansions = set->moves = 0;
    for (size_t i = 0; i < set->pair_count; i++) {
        wend_result result;
        wend_error error;
        bench_check(
            wend_search_jps(set->search, set->jumps, set->pairs[i][0], set->pairs[i][1], &result, &error),
            &error);
        set->expansions += result.expansions;
        set->moves += wend_search_moves(set->search, moves, sizeof moves);
    }
}

static void jps(const char *name, int32_t factor) {
    problem_set set = {0};
    wend_error error;
    wend_map *small = bench_map(name, NULL);
    bench_check(wend_map_scale(small, factor, &set.map, &error), &error);
    wend_map_destroy(small);
    double prepare = 1e300;
    for (int i = 0; i < 5; i++) {
        wend_jumps_destroy(set.jumps);
        double began = bench_seconds();
        bench_check(wend_jumps_create(set.map, NULL, &set.jumps, &error), &error);
        double took = bench_seconds() - began;
        if (took < prepare) prepare = took;
    }
    char label[64], row[128];
    bench_map_name(name, label, sizeof label);
    (void)snprintf(row, sizeof row, "jump tables, %s x%d, preparation", label, (int)factor);
    bench_row(row, prepare, "s", BENCH_AT_MOST, 2);
    (void)snprintf(row, sizeof row, "jump tables, %s x%d, memory", label, (int)factor);
    bench_row(row, (double)wend_jumps_bytes(set.jumps) * 1e-6, "MB", BENCH_AT_MOST, 300);
    open_search(&set);
    draw_pairs(&set, 2000);
    double best = bench_best(run_jps, &set);
    (void)snprintf(row, sizeof row, "jump-point search with moves, %s x%d, random pairs", label, (int)factor);
    bench_row(row, (double)set.pair_count / best, "paths/s", BENCH_AT_LEAST, 10000);
    (void)snprintf(row, sizeof row, "jump-point search, %s x%d, an expansion", label, (int)factor);
    bench_row(row, best / (double)set.expansions * 1e9, "ns", BENCH_FYI, 0);
    close_set(&set);
}

static void run_climb(void *context) {
    problem_set *set = context;
    set->steps = 0;
    for (size_t i = 0; i < set->pair_count; i++) {
        wend_climb_result result = wend_climb(set->map, set->pairs[i][0], set->pairs[i][1], 250);
        set->steps += result.straight + result.diagonal + 1;
    }
}

static void climb(const char *name) {
    problem_set set = {0};
    set.map = bench_map(name, NULL);
    draw_pairs(&set, 20000);
    double best = bench_best(run_climb, &set);
    char label[64], row[128];
    (void)snprintf(row, sizeof row, "hill-climbing, %s, a step", bench_map_name(name, label, sizeof label));
    bench_row(row, best / (double)set.steps * 1e9, "ns", BENCH_FYI, 0);
    close_set(&set);
}

void bench_search(void) {
    astar("dao/orz103d", 80);
    astar("sc1/WheelofWar", 110);
    field("bgmaps/AR0700SR", false, 40);
    field("bgmaps/AR0700SR", true, 40);
    jps("sc1/WheelofWar", 5);
    climb("sc1/WheelofWar");
}
