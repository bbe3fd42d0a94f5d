/* Unknown terrain: what a look costs, what repairs and restarts cost, and memory for each cell touched. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct terrain_set {
    wend_map *map;
    wend_scenario *scenario;
    wend_world *world;
    wend_knowledge *knowledge;
    wend_agent *agent;
    bool fresh; /* everything is forgotten before each problem */
    size_t every;
    uint64_t max_moves;
    wend_counters sum; /* over the problems of a run */
    double bytes_a_cell;
} terrain_set;

static void open_set(terrain_set *set, const char *name) {
    wend_error error;
    set->map = bench_map(name, &set->scenario);
    wend_world_options options = wend_default_world_options();
    bench_check(wend_world_create(set->map, &options, &set->world, &error), &error);
}

/* `believed` is what an agent that does not know the map believes at first; NULL: that all is open. */
static void open_agent(terrain_set *set, const char *planner, bool knows, const wend_map *believed) {
    wend_error error;
    wend_settings *settings = NULL;
    wend_agent_options agent = wend_default_agent_options();
    wend_knowledge_options belief = wend_default_knowledge_options();
    belief.believed = believed;
    if (!knows) bench_check(wend_knowledge_create(set->world, &belief, &set->knowledge, &error), &error);
    agent.knowledge = set->knowledge;
    bench_check(wend_settings_parse(planner, NULL, &settings, &error), &error);
    bench_check(wend_agent_create(set->world, settings, &agent, &set->agent, &error), &error);
    wend_settings_destroy(settings);
}

static void close_set(terrain_set *set) {
    wend_agent_destroy(set->agent);
    wend_knowledge_destroy(set->knowledge);
    wend_world_destroy(set->world);
    wend_scenario_destroy(set->scenario);
    wend_map_destroy(set->map);
}

static void run(void *context) {
    terrain_set *set = context;
    set->sum = (wend_counters){0};
    set->bytes_a_cell = 0;
    for (size_t i = 0; i < BENCH_PROBLEMS; i += set->every) {
        const wend_problem *problem = bench_problem(set->scenario, i);
        wend_error error;
        if (set->fresh) wend_knowledge_forget(set->knowledge);
        bench_check(wend_agent_start(set->agent, wend_map_cell(set->map, problem->start.x, problem->start.y),
                                     wend_map_cell(set->map, problem->goal.x, problem->goal.y), &error),
                    &error);
        wend_counters counters = {0};
        while (counters.moves < set->max_moves) {
            wend_outcome outcome = wend_agent_step(set->agent).outcome;
            if (outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING) break;
            counters.moves++;
        }
        counters = wend_agent_counters(set->agent);
        set->sum.moves += counters.moves, set->sum.expansions += counters.expansions;
        set->sum.updates += counters.updates, set->sum.searches += counters.searches;
        double share = (double)counters.peak_bytes / (double)(counters.cells ? counters.cells : 1);
        if (counters.cells >= 5000 && share > set->bytes_a_cell) set->bytes_a_cell = share;
    }
}

/* A look that changes nothing: moves of lrta by an agent that believes what is true, less those of one that
 * knows it. Both make the same moves; runs in turn, the best of each. */
static void a_look(const char *name) {
    terrain_set sets[2] = {{.every = 1, .max_moves = 2000}, {.every = 1, .max_moves = 2000}};
    double best[2] = {1e300, 1e300};
    for (int i = 0; i < 2; i++) {
        open_set(&sets[i], name);
        open_agent(&sets[i], "lrta", i == 0, sets[i].map);
    }
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < 2; i++) {
            double began = bench_seconds();
            run(&sets[i]);
            double took = (bench_seconds() - began) / (double)sets[i].sum.moves * 1e9;
            if (took < best[i]) best[i] = took;
        }
    char label[64], row[128];
    (void)snprintf(row, sizeof row, "a look that changes nothing, %s",
                   bench_map_name(name, label, sizeof label));
    bench_row(row, best[1] - best[0], "ns", BENCH_AT_MOST, 50);
    for (int i = 0; i < 2; i++) close_set(&sets[i]);
}

/* Problems in terrain of which nothing is known. Steps are timed whole: looks, changes, searches, moves. */
static void unknown(const char *name, const char *planner) {
    terrain_set set = {.fresh = true, .every = BENCH_PROBLEMS / 10, .max_moves = UINT64_MAX};
    open_set(&set, name);
    open_agent(&set, planner, false, NULL);
    double best = bench_best(run, &set);
    char label[64], row[160];
    bench_map_name(name, label, sizeof label);
    if (set.sum.updates) {
        (void)snprintf(row, sizeof row, "%s, %s unknown, a vertex update", planner, label);
        bench_row(row, best / (double)set.sum.updates * 1e9, "ns", BENCH_AT_MOST, 200);
    }
    (void)snprintf(row, sizeof row, "%s, %s unknown, an expansion", planner, label);
    bench_row(row, best / (double)set.sum.expansions * 1e9, "ns", BENCH_FYI, 0);
    (void)snprintf(row, sizeof row, "%s, %s unknown, a move", planner, label);
    bench_row(row, best / (double)set.sum.moves * 1e9, "ns", BENCH_FYI, 0);
    (void)snprintf(row, sizeof row, "%s, %s unknown, peak bytes per cell, the most", planner, label);
    bench_row(row, set.bytes_a_cell, "bytes", BENCH_AT_MOST, 40);
    close_set(&set);
}

void bench_terrain(void) {
    a_look("dao/orz103d");
    static const char *const planners[] = {"dstar-lite",     "tbaa:k=1000", "rtba:k=1000", "repeated-astar",
                                           "adaptive-astar", "rtaa:k=100",  "dartaa:k=100"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) unknown("dao/orz702d", planners[i]);
}
