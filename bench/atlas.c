/* Atlases of large maps: building one, its size, and walking with it. */
#include "bench.h"

#include <stdio.h>

enum { PROBLEMS = 250 };

typedef struct atlas_set {
    char name[80]; /* of the map, and how it is scaled */
    wend_map *map;
    wend_scenario *scenario;
    wend_world *world;
    wend_db *db;
    wend_agent *agent;
    uint64_t moves;
} atlas_set;

static void row(const atlas_set *set, const char *what, double figure, const char *unit, bench_goal goal,
                double target) {
    char label[160];
    (void)snprintf(label, sizeof label, "atlas, %s, %s", set->name, what);
    bench_row(label, figure, unit, goal, target);
}

static void build(atlas_set *set) {
    double took;
    set->db = bench_database(set->map, "atlas", bench_two_threads(), &took);
    row(set, "built by 2 threads", took, "s", BENCH_AT_MOST, 15);
    row(set, "the file", (double)wend_db_about(set->db).bytes / 1e6, "MB", BENCH_AT_MOST, 1.2);
}

static void walk_all(void *context) {
    atlas_set *set = context;
    set->moves = 0;
    for (size_t i = 0; i < PROBLEMS; i++) {
        bench_start(set->agent, set->map, wend_scenario_at(set->scenario, i));
        wend_outcome outcome;
        do outcome = wend_agent_step(set->agent).outcome;
        while (outcome == WEND_STEP_MOVED || outcome == WEND_STEP_WAITING);
        set->moves += wend_agent_counters(set->agent).moves;
    }
}

/* How much longer than need be: in the mean and at worst, in per cent. */
static void measure_lengths(const atlas_set *set) {
    double sum = 0, worst = 0;
    for (size_t i = 0; i < PROBLEMS; i++) {
        uint64_t moves[2] = {0, 0};
        bench_start(set->agent, set->map, wend_scenario_at(set->scenario, i));
        for (wend_outcome outcome = WEND_STEP_MOVED; outcome <= WEND_STEP_WAITING;) {
            wend_step step = wend_agent_step(set->agent);
            outcome = step.outcome;
            if (outcome == WEND_STEP_MOVED) moves[step.direction & 1]++;
        }
        double over =
            wend_map_length(set->map, moves[0], moves[1]) / wend_scenario_at(set->scenario, i)->length - 1;
        sum += 100 * over;
        if (100 * over > worst) worst = 100 * over;
    }
    row(set, "over optimal, mean", sum / PROBLEMS, "%", BENCH_AT_MOST, 0.25);
    row(set, "over optimal, worst", worst, "%", BENCH_AT_MOST, 2);
}

static void measure(const char *name, int32_t factor) {
    atlas_set set = {.moves = 0};
    wend_error error;
    wend_settings settings;
    char map_name[64];
    wend_map *map = bench_map(name, NULL);
    (void)snprintf(set.name, sizeof set.name, "%s x%d", bench_map_name(name, map_name, sizeof map_name),
                   (int)factor);
    bench_check(wend_map_scale(map, factor, &set.map, &error), &error);
    wend_map_destroy(map);
    wend_problems_options problems = wend_default_problems_options();
    problems.min_length = 1000, problems.max_length = 3000;
    bench_check(wend_problems_generate(set.map, "scaled", PROBLEMS, &problems, &set.scenario, &error),
                &error);
    build(&set);
    wend_world_options options = wend_default_world_options();
    wend_agent_options with = wend_default_agent_options();
    with.db = set.db;
    bench_check(wend_world_create(set.map, &options, &set.world, &error), &error);
    bench_check(wend_settings_parse("atlas:db=-", &settings, &error), &error);
    bench_check(wend_agent_create(set.world, &settings, &with, &set.agent, &error), &error);
    measure_lengths(&set);
    double seconds = bench_best(walk_all, &set);
    row(&set, "a move, the first ones included", seconds * 1e9 / (double)set.moves, "ns", BENCH_AT_MOST, 60);
    row(&set, "the longest step", bench_longest_step(set.agent, set.map, set.scenario, PROBLEMS), "us",
        BENCH_AT_MOST, 25);
    row(&set, "an agent's memory", (double)wend_agent_bytes(set.agent), "bytes", BENCH_FYI, 0);
    wend_agent_destroy(set.agent);
    wend_world_destroy(set.world);
    wend_db_close(set.db);
    wend_scenario_destroy(set.scenario);
    wend_map_destroy(set.map);
}

void bench_atlas(void) {
    measure("sc1/WheelofWar", 5);
    measure("cities/Boston_0_1024", 4);
}
