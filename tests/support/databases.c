#include "support/databases.h"

#include "support/check.h"

#include <stdlib.h>
#include <unistd.h>

wend_db *test_db_build(const wend_map *map, const char *kind, uint64_t seed) {
    const char *folder = getenv("TMPDIR");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/wend-test-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (!CHECK_THAT(file >= 0, "no temporary file at %s", path)) return NULL;
    (void)close(file);
    wend_settings settings;
    wend_error error = {0};
    wend_db *db = NULL;
    wend_build_options options = wend_default_build_options();
    wend_db_options opening = wend_default_db_options();
    options.seed = seed;
    wend_status status = wend_db_settings_parse(kind, &settings, &error);
    if (status == WEND_OK) status = wend_db_build(map, &settings, &options, path, &error);
    if (status == WEND_OK) status = wend_db_open(path, map, &opening, &db, &error);
    (void)unlink(path);
    CHECK_THAT(status == WEND_OK, "%s: %s", kind, error.message);
    return db;
}

wend_agent *test_db_agent(const test_stage *stage, const char *planner, const wend_db *db) {
    wend_agent_options options = wend_default_agent_options();
    options.db = db;
    return test_agent_make(stage, planner, &options);
}

double test_db_suboptimality(wend_agent *agent, const wend_map *map, wend_cell start, wend_cell goal,
                             double optimal, uint64_t limit) {
    uint64_t moves[2] = {0, 0};
    if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) return -1;
    for (uint64_t i = 0; i < limit; i++) {
        wend_step step = wend_agent_step(agent);
        if (step.outcome == WEND_STEP_MOVED) moves[step.direction & 1]++;
        if (step.outcome == WEND_STEP_ARRIVED)
            return (wend_map_length(map, moves[0], moves[1]) / optimal - 1) * 100;
        if (step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING) break;
    }
    return -1;
}
