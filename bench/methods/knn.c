/* Case bases: building one of 60,000 records on a large map, and walking with it. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

enum { PAIRS = 100, PASSES = 5 };

typedef struct case_set {
    const char *spread;
    char name[64];  /* of the map */
    bool generated; /* it stands in for one that is not there; caves take ten times as long a path */
    wend_map *map;
    wend_scenario *scenario;
    wend_world *world;
    wend_db *db;
    wend_agent *agent;
    uint64_t moves, fallbacks;
    double bytes; /* in use, summed over the problems */
} case_set;

static void row(const case_set *set, const char *what, double figure, const char *unit, bench_goal goal,
                double target) {
    char label[128];
    (void)snprintf(label, sizeof label, "knn, %s, %s x5, %s", set->spread, set->name, what);
    /* The goal is stated for the real map. */
    bench_row(label, figure, unit, set->generated ? BENCH_FYI : goal, target);
}

static void build(case_set *set) {
    char text[64], what[64];
    int records = set->generated ? 6000 : 60000;
    double took;
    (void)snprintf(text, sizeof text, "knn:records=%d,spread=%s", records, set->spread);
    set->db = bench_database(set->map, text, 2, &took);
    (void)snprintf(what, sizeof what, "%d records, 2 threads", records);
    row(set, what, took, "s", BENCH_AT_MOST, 45);
    row(set, "the file", (double)wend_db_about(set->db).bytes / 1e6, "MB", BENCH_AT_MOST, 2);
}

/* All problems, five times: the seconds they take, each the least of its five. */
static double walk(case_set *set) {
    double least[PAIRS] = {0}, sum = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        set->moves = set->fallbacks = 0, set->bytes = 0;
        for (size_t i = 0; i < PAIRS; i++) {
            bench_start(set->agent, set->map, wend_scenario_at(set->scenario, i));
            wend_outcome outcome;
            double began = bench_seconds();
            do outcome = wend_agent_step(set->agent).outcome;
            while (outcome == WEND_STEP_MOVED || outcome == WEND_STEP_WAITING);
            double took = bench_seconds() - began;
            if (!pass || took < least[i]) least[i] = took;
            wend_counters counters = wend_agent_counters(set->agent);
            set->moves += counters.moves;
            set->fallbacks += counters.searches > 0;
            set->bytes += (double)counters.peak_bytes;
        }
    }
    for (size_t i = 0; i < PAIRS; i++) sum += least[i];
    return sum;
}

static void walk_with(case_set *set, const char *planner) {
    wend_settings *settings = NULL;
    wend_error error;
    wend_agent_options options = wend_default_agent_options();
    options.db = set->db;
    bench_check(wend_settings_parse(planner, NULL, &settings, &error), &error);
    bench_check(wend_agent_create(set->world, settings, &options, &set->agent, &error), &error);
    wend_settings_destroy(settings);
    double seconds = walk(set);
    row(set, "a move", seconds / (double)set->moves * 1e9, "ns", BENCH_AT_MOST, 250);
    row(set, "the longest step", bench_longest_step(set->agent, set->map, set->scenario, PAIRS), "us",
        BENCH_AT_MOST, 20);
    row(set, "an agent", (double)wend_agent_bytes(set->agent), "bytes", BENCH_AT_MOST, 4096);
    row(set, "in use with workspaces, mean", set->bytes / PAIRS, "bytes", BENCH_FYI, 0);
    row(set, "problems without a record", (double)set->fallbacks, "of 100", BENCH_FYI, 0);
    wend_agent_destroy(set->agent);
}

void bench_cases(void) {
    static const char *const spreads[] = {"random", "even"};
    wend_error error;
    case_set set = {.spread = spreads[0]};
    wend_map *small = bench_map("sc1/WheelofWar", NULL);
    bench_map_name("sc1/WheelofWar", set.name, sizeof set.name);
    set.generated = strncmp(set.name, "generated", 9) == 0;
    bench_check(wend_map_scale(small, 5, &set.map, &error), &error);
    wend_map_destroy(small);
    wend_problems_options problems = wend_default_problems_options();
    problems.min_length = 1000, problems.max_length = 3000;
    bench_check(wend_problems_generate(set.map, "cases", PAIRS, &problems, &set.scenario, &error), &error);
    wend_world_options options = wend_default_world_options();
    bench_check(wend_world_create(set.map, &options, &set.world, &error), &error);
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
        set.spread = spreads[i];
        build(&set);
        walk_with(&set, "knn:db=-,fallback=tba");
        wend_db_close(set.db);
    }
    wend_world_destroy(set.world);
    wend_scenario_destroy(set.scenario);
    wend_map_destroy(set.map);
}
