/* What the benchmarks of databases share: a database of a map that leaves no file behind, and
 * the longest step of an agent. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "shared/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PASSES = 5, MOST_STEPS = 1 << 20 };

wend_db *bench_database(const wend_map *map, const char *text, int threads, double *seconds) {
    const char *folder = getenv("TMPDIR");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/wend-bench-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0) {
        fprintf(stderr, "bench: no temporary file at %s\n", path);
        exit(2);
    }
    (void)close(file);
    wend_settings *settings = NULL;
    wend_error error;
    wend_db *db = NULL;
    wend_build_options options = wend_default_build_options();
    wend_db_options opening = wend_default_db_options();
    options.tasks = shared_tasks(threads);
    bench_check(wend_db_settings_parse(text, NULL, &settings, &error), &error);
    double began = bench_seconds();
    wend_status status = wend_db_build(map, settings, &options, path, &error);
    *seconds = bench_seconds() - began;
    if (status == WEND_OK) status = wend_db_open(path, map, &opening, &db, &error);
    (void)unlink(path);
    wend_settings_destroy(settings);
    bench_check(status, &error);
    return db;
}

void bench_start(wend_agent *agent, const wend_map *map, const wend_problem *problem) {
    wend_error error;
    bench_check(wend_agent_start(agent, wend_map_cell(map, problem->start.x, problem->start.y),
                                 wend_map_cell(map, problem->goal.x, problem->goal.y), &error),
                &error);
}

double bench_longest_step(wend_agent *agent, const wend_map *map, const wend_scenario *scenario,
                          size_t problems) {
    float *times = calloc(MOST_STEPS, sizeof *times), longest = 0;
    size_t steps = 0;
    if (!times) exit(2);
    for (int pass = 0; pass < PASSES; pass++) {
        steps = 0;
        for (size_t i = 0; i < problems; i++) {
            bench_start(agent, map, wend_scenario_at(scenario, i));
            for (wend_outcome outcome = WEND_STEP_MOVED; outcome <= WEND_STEP_WAITING && steps < MOST_STEPS;
                 steps++) {
                double began = bench_seconds();
                outcome = wend_agent_step(agent).outcome;
                float took = (float)((bench_seconds() - began) * 1e6);
                if (!pass || took < times[steps]) times[steps] = took;
            }
        }
    }
    for (size_t i = 0; i < steps; i++)
        if (times[i] > longest) longest = times[i];
    free(times);
    return (double)longest;
}
