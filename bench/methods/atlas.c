/* Atlases of large maps: building one, its size, and walking with it. */
#include "bench.h"

#include <stdio.h>

enum { PROBLEMS = 250 };

/* A map, an atlas of it, and what it has to reach. Of an exact one only the lengths are asked for: how large
 * it gets and how long a step takes depends on the corners. */
typedef struct atlas_case {
    const char *map;
    int32_t factor;       /* by which it is scaled */
    const char *settings; /* of the database */
    bool exact;
    double least, most; /* lengths of the problems */
} atlas_case;

typedef struct atlas_set {
    const atlas_case *one;
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
    (void)snprintf(label, sizeof label, "%s, %s, %s", set->one->exact ? "exact atlas" : "atlas", set->name,
                   what);
    bench_row(label, figure, unit, goal, target);
}

static void build(atlas_set *set) {
    double took;
    set->db = bench_database(set->map, set->one->settings, 2, &took);
    row(set, "built by 2 threads", took, "s", BENCH_AT_MOST, 15);
    row(set, "the file", (double)wend_db_about(set->db).bytes / 1e6, "MB",
        set->one->exact ? BENCH_FYI : BENCH_AT_MOST, 1.2);
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
    /* Lengths of scenarios are rounded to eight places. */
    row(set, "over optimal, mean", sum / PROBLEMS, "%", BENCH_AT_MOST, set->one->exact ? 1e-6 : 0.25);
    row(set, "over optimal, worst", worst, "%", BENCH_AT_MOST, set->one->exact ? 1e-6 : 2);
}

static void measure(const atlas_case *one) {
    atlas_set set = {.one = one};
    wend_error error;
    wend_settings *settings = NULL;
    char map_name[64];
    wend_map *map = bench_map(one->map, NULL);
    (void)snprintf(set.name, sizeof set.name, "%s x%d", bench_map_name(one->map, map_name, sizeof map_name),
                   (int)one->factor);
    bench_check(wend_map_scale(map, one->factor, &set.map, &error), &error);
    wend_map_destroy(map);
    wend_problems_options problems = wend_default_problems_options();
    problems.min_length = one->least, problems.max_length = one->most;
    bench_check(wend_problems_generate(set.map, "scaled", PROBLEMS, &problems, &set.scenario, &error),
                &error);
    build(&set);
    wend_world_options options = wend_default_world_options();
    wend_agent_options with = wend_default_agent_options();
    with.db = set.db;
    bench_check(wend_world_create(set.map, &options, &set.world, &error), &error);
    bench_check(wend_settings_parse("atlas:db=-", NULL, &settings, &error), &error);
    bench_check(wend_agent_create(set.world, settings, &with, &set.agent, &error), &error);
    wend_settings_destroy(settings);
    measure_lengths(&set);
    double seconds = bench_best(walk_all, &set);
    row(&set, "a move, the first ones included", seconds * 1e9 / (double)set.moves, "ns",
        one->exact ? BENCH_FYI : BENCH_AT_MOST, 60);
    row(&set, "the longest step", bench_longest_step(set.agent, set.map, set.scenario, PROBLEMS), "us",
        one->exact ? BENCH_FYI : BENCH_AT_MOST, 25);
    row(&set, "an agent's memory", (double)wend_agent_bytes(set.agent), "bytes", BENCH_FYI, 0);
    wend_agent_destroy(set.agent);
    wend_world_destroy(set.world);
    wend_db_close(set.db);
    wend_scenario_destroy(set.scenario);
    wend_map_destroy(set.map);
}

void bench_atlas(void) {
    static const atlas_case cases[] = {{"sc1/WheelofWar", 5, "atlas", false, 1000, 3000},
                                       {"cities/Boston_0_1024", 4, "atlas", false, 1000, 3000},
                                       {"sc1/Enigma", 1, "atlas:exact=yes", true, 100, 3000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) measure(&cases[i]);
}
