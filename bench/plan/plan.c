/* Planners: time per move, time per expansion beside that of A* in one call, the longest steps. */
#include "bench.h"
#include "shared/order.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct plan_set {
    wend_map *map;
    wend_scenario *scenario;
    wend_world *world;
    wend_agent *agent;
    wend_search *search;
    uint64_t expansions, moves, max_moves;
} plan_set;

static void open_agent(plan_set *set, const char *planner) {
    wend_error error;
    wend_settings *settings = NULL;
    wend_agent_options options = wend_default_agent_options();
    bench_check(wend_settings_parse(planner, NULL, &settings, &error), &error);
    bench_check(wend_agent_create(set->world, settings, &options, &set->agent, &error), &error);
    wend_settings_destroy(settings);
}

static void open_world(plan_set *set) {
    wend_error error;
    wend_world_options options = wend_default_world_options();
    bench_check(wend_world_create(set->map, &options, &set->world, &error), &error);
}

static void close_set(plan_set *set) {
    wend_agent_destroy(set->agent);
    wend_search_destroy(set->search);
    wend_world_destroy(set->world);
    wend_scenario_destroy(set->scenario);
    wend_map_destroy(set->map);
}

static void start_problem(plan_set *set, size_t index) {
    const wend_problem *problem = bench_problem(set->scenario, index);
    wend_error error;
    bench_check(wend_agent_start(set->agent, wend_map_cell(set->map, problem->start.x, problem->start.y),
                                 wend_map_cell(set->map, problem->goal.x, problem->goal.y), &error),
                &error);
}

static void run_agent(void *context) {
    plan_set *set = context;
    set->expansions = set->moves = 0;
    for (size_t i = 0; i < BENCH_PROBLEMS; i++) {
        start_problem(set, i);
        uint64_t moves = 0;
        for (;;) {
            wend_step step = wend_agent_step(set->agent);
            set->expansions += step.expansions;
            if (step.outcome == WEND_STEP_MOVED)
                moves++;
            else if (step.outcome != WEND_STEP_WAITING)
                break;
            if (moves >= set->max_moves) break;
        }
        set->moves += moves;
    }
}

static void moves_of(const char *name, const char *planner, uint64_t max_moves, double target) {
    plan_set set = {.max_moves = max_moves};
    set.map = bench_map(name, &set.scenario);
    open_world(&set);
    open_agent(&set, planner);
    double best = bench_best(run_agent, &set);
    char label[64], row[128];
    (void)snprintf(row, sizeof row, "%s, %s, a move", planner, bench_map_name(name, label, sizeof label));
    bench_row(row, best / (double)set.moves * 1e9, "ns", BENCH_AT_MOST, target);
    close_set(&set);
}

/* Side by side with A* in one call, whose queue has buckets: a third more than steps can have. Runs in turn, the
 * best of each. */
static void expansions_of(const char *name, const char *planner, uint64_t max_moves) {
    plan_set set = {.max_moves = max_moves};
    set.map = bench_map(name, &set.scenario);
    open_world(&set);
    open_agent(&set, planner);
    wend_error error;
    wend_search_options options = wend_default_search_options();
    bench_check(wend_search_create(set.map, &options, &set.search, &error), &error);
    double kernel = 1e300, agent = 1e300;
    for (int i = 0; i < 5; i++) {
        double began = bench_seconds();
        uint64_t expansions = bench_astar(set.search, set.map, set.scenario);
        double took = (bench_seconds() - began) / (double)expansions;
        if (took < kernel) kernel = took;
        began = bench_seconds();
        run_agent(&set);
        took = (bench_seconds() - began) / (double)set.expansions;
        if (took < agent) agent = took;
    }
    char label[64], row[128];
    (void)snprintf(row, sizeof row, "%s, %s, an expansion, A* in one call = 1", planner,
                   bench_map_name(name, label, sizeof label));
    bench_row(row, agent / kernel, "times", BENCH_AT_MOST, 1.75);
    close_set(&set);
}

/* The longest steps of TBA* on a large map. A step's time is the least of five runs of it. */
static void longest_steps(const char *name, int32_t factor) {
    enum { RUNS = 5, MOST = 1 << 22, PAIRS = 10 };
    plan_set set = {0};
    wend_error error;
    wend_map *small = bench_map(name, NULL);
    bench_check(wend_map_scale(small, factor, &set.map, &error), &error);
    wend_map_destroy(small);
    wend_problems_options options = wend_default_problems_options();
    options.min_length = 1000, options.max_length = 3000;
    bench_check(wend_problems_generate(set.map, name, PAIRS, &options, &set.scenario, &error), &error);
    open_world(&set);
    open_agent(&set, "tba:k=20");
    float *times = malloc(MOST * sizeof *times);
    if (!times) exit(2);
    size_t steps = 0;
    uint64_t most = 0, bound = wend_agent_bound(set.agent, 20);
    for (int run = 0; run < RUNS; run++) {
        size_t index = 0;
        for (size_t i = 0; i < PAIRS; i++) {
            const wend_problem *problem = wend_scenario_at(set.scenario, i);
            bench_check(wend_agent_start(set.agent,
                                         wend_map_cell(set.map, problem->start.x, problem->start.y),
                                         wend_map_cell(set.map, problem->goal.x, problem->goal.y), &error),
                        &error);
            for (;;) {
                double began = bench_seconds();
                wend_step step = wend_agent_step(set.agent);
                float took = (float)((bench_seconds() - began) * 1e9);
                if (step.operations > most) most = step.operations;
                if (step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING) break;
                if (index >= MOST) break;
                if (!run || took < times[index]) times[index] = took;
                index++;
            }
        }
        steps = index;
    }
    double sum = 0;
    for (size_t i = 0; i < steps; i++) sum += (double)times[i];
    qsort(times, steps, sizeof *times, shared_by_float);
    double mean = sum / (double)steps, high = (double)times[(size_t)((double)steps * 0.9999)];
    char label[64], row[128];
    bench_map_name(name, label, sizeof label);
    (void)snprintf(row, sizeof row, "tba:k=20, %s x%d, most operations per step", label, (int)factor);
    bench_row(row, (double)most, "operations", BENCH_AT_MOST, (double)bound);
    (void)snprintf(row, sizeof row, "tba:k=20, %s x%d, a step, mean of %zu", label, (int)factor, steps);
    bench_row(row, mean, "ns", BENCH_FYI, 0);
    (void)snprintf(row, sizeof row, "tba:k=20, %s x%d, 99.99th percentile, mean = 1", label, (int)factor);
    bench_row(row, high / mean, "times", BENCH_AT_MOST, 5);
    free(times);
    close_set(&set);
}

void bench_plan(void) {
    moves_of("dao/orz103d", "lrta", 20000, 80);
    expansions_of("dao/orz103d", "astar", UINT64_MAX);
    expansions_of("dao/orz103d", "tba:k=20", UINT64_MAX);
    expansions_of("dao/orz103d", "rtaa:k=20", 2000);
    expansions_of("dao/orz103d", "rtaa:k=1000", 2000);
    longest_steps("sc1/WheelofWar", 5);
}
