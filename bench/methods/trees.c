/* Subgoal trees: a tree, the whole database of a map, and moves with it. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

/* Trees of goals spread over a map; and how often the problems are walked in a run, which takes about a
 * millisecond each time: too little to be timed by itself. */
enum { GOALS = 200, WALKS = 10 };

typedef struct tree_set {
    wend_map *map;
    wend_tree *tree;
    wend_cell goals[GOALS];
} tree_set;

static void grow_trees(void *context) {
    tree_set *set = context;
    wend_error error;
    for (size_t i = 0; i < GOALS; i++) {
        bench_check(wend_tree_begin(set->tree, set->goals[i], &error), &error);
        (void)wend_tree_grow(set->tree, UINT64_MAX);
    }
}

static void choose_goals(tree_set *set) {
    uint32_t open = wend_map_open_cells(set->map), seen = 0;
    size_t count = 0;
    for (wend_cell cell = 0; cell < wend_map_cells(set->map) && count < GOALS; cell++)
        if (wend_map_is_open_cell(set->map, cell) && seen++ >= (uint64_t)count * open / GOALS)
            set->goals[count++] = cell;
    while (count < GOALS) set->goals[count] = set->goals[0], count++;
}

static void one_tree(const char *name) {
    tree_set set = {0};
    wend_error error;
    wend_tree_options options = wend_default_tree_options();
    char label[64], row[128];
    set.map = bench_map(name, NULL);
    bench_check(wend_tree_create(set.map, &options, &set.tree, &error), &error);
    choose_goals(&set);
    double best = bench_best(grow_trees, &set);
    uint64_t cells = 0;
    for (wend_cell cell = 0; cell < wend_map_cells(set.map); cell++)
        cells += wend_tree_cost(set.tree, cell) != WEND_NO_COST;
    (void)snprintf(row, sizeof row, "a subgoal tree, %s, a cell", bench_map_name(name, label, sizeof label));
    bench_row(row, best / GOALS / (double)cells * 1e9, "ns", BENCH_AT_MOST, 60);
    wend_tree_destroy(set.tree);
    wend_map_destroy(set.map);
}

typedef struct walk_set {
    wend_map *map;
    wend_scenario *scenario;
    wend_agent *agent;
    uint64_t moves;
    bool first; /* moves only */
} walk_set;

static void walk(void *context) {
    walk_set *set = context;
    set->moves = 0;
    for (size_t i = 0; i < (size_t)WALKS * BENCH_PROBLEMS; i++) {
        bench_start(set->agent, set->map, bench_problem(set->scenario, i % BENCH_PROBLEMS));
        for (;;) {
            wend_step step = wend_agent_step(set->agent);
            set->moves += step.outcome == WEND_STEP_MOVED;
            if ((step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING) ||
                (set->first && step.outcome == WEND_STEP_MOVED))
                break;
        }
    }
}

static void moves_with_trees(const char *name) {
    walk_set set = {0};
    wend_world *world;
    wend_settings *planner = NULL;
    wend_error error;
    wend_world_options options = wend_default_world_options();
    wend_agent_options agent_options = wend_default_agent_options();
    char label[64], row[128];
    set.map = bench_map(name, &set.scenario);
    bench_map_name(name, label, sizeof label);
    double cells = wend_map_open_cells(set.map);
    double took;
    wend_db *db = bench_database(set.map, "subgoal-tree", 1, &took);
    (void)snprintf(row, sizeof row, "all subgoal trees, %s, one core, a pair of cells", label);
    /* 12 s for the 20,000 trees of 20,000 cells, on two cores. */
    bench_row(row, took / cells / cells * 1e9, "ns", BENCH_AT_MOST, 60);
    bench_check(wend_world_create(set.map, &options, &world, &error), &error);
    bench_check(wend_settings_parse("subgoal-tree:db=x", NULL, &planner, &error), &error);
    agent_options.db = db;
    bench_check(wend_agent_create(world, planner, &agent_options, &set.agent, &error), &error);
    wend_settings_destroy(planner);
    set.first = true;
    double first = bench_best(walk, &set), firsts = (double)set.moves;
    set.first = false;
    double all = bench_best(walk, &set);
    (void)snprintf(row, sizeof row, "subgoal-tree, %s, the first move", label);
    bench_row(row, first / firsts * 1e9, "ns", BENCH_AT_MOST, 5000);
    (void)snprintf(row, sizeof row, "subgoal-tree, %s, a move after the first", label);
    bench_row(row, (all - first) / ((double)set.moves - firsts) * 1e9, "ns", BENCH_AT_MOST, 60);
    wend_agent_destroy(set.agent);
    wend_world_destroy(world);
    wend_db_close(db);
    wend_scenario_destroy(set.scenario);
    wend_map_destroy(set.map);
}

void bench_trees(void) {
    one_tree("dao/lak503d");
    moves_with_trees("dao/den001d");
}
