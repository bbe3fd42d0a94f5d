/* Hernandez and Baier, "Fast subgoaling for pathfinding via real-time search" (SoCS 2011): the table of
 * figure 2, cost and time of A*, LRTA* and LRTA* with subgoals, and what the paper tells of its trees: their
 * nodes and how long they take to build.
 *
 * The paper has eight maps with 17,789 open cells in the mean, two of Baldur's Gate, two of WarCraft III and
 * four of Dragon Age, and names none of them. Ours are of the same games, with about as many cells; of the
 * maps of WarCraft III, which are public at 512x512 only, one cell of 3x3 is kept. 500 problems a map are
 * drawn from the seed, any start and goal.
 *
 * Below the paper's rows stand some of ours: trees with the printed test (`test=pushed`), LSS-LRTA* by way of
 * the same subgoals, as the paper's conclusion proposes, and kNN LRTA* of 2010. */
#define _POSIX_C_SOURCE 200809L

#include "paper_subgoal2011.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROBLEMS = 500, QUICK_PROBLEMS = 50 };
enum { TIMED_PART = 16 }; /* one problem in so many is timed: that takes nine passes on one thread */
enum { MOST_MOVES = 20 * 1000000 }; /* a run is cut there */

#define NOT_THERE .cost = NAN, .first_ms = NAN, .total_ms = NAN

const sub11_row sub11_rows[SUB11_ROWS] = {
    {"A*", "astar", "astar", -1, NULL, 30, 0, 198, 3.101, 3.101},
    {"LRTA*", "lrta", "lrta", -1, NULL, 300, 0, 39232, 0.001, 34.446},
    {"LRTA* with subgoals", "subgoal-tree", "subgoal-tree", SUB11_TREE, "subgoal-tree", 1, 100, 220, 0.024,
     0.251},
    {"the same, test=pushed", "pushed", "subgoal-tree", SUB11_PUSHED, "subgoal-tree:test=pushed", 1, 110,
     NOT_THERE},
    {"LSS-LRTA* with subgoals", "lss-lrta", "lss-lrta:k=10", SUB11_TREE, NULL, 10, 0, NOT_THERE},
    {"kNN of 2010 (10000)", "knn", "knn", SUB11_KNN, "knn:records=10000", 5, 10, NOT_THERE},
};

#define MAP(folder, map, wide, high)                                                                         \
    { .set = (folder), .name = (map), .width = (wide), .height = (high), .kind = WEND_MAP_CAVES }
#define WARCRAFT(map)                                                                                        \
    { .set = "wc3maps512", .name = (map), .width = 512, .height = 512, .kind = WEND_MAP_CAVES, .reduce = 3 }

/* The sizes are of what is generated in a map's place: with about as many open cells as it has. */
static const tool_paper_map paper_maps[SUB11_MAPS] = {
    MAP("bgmaps", "AR0411SR", 232, 272), MAP("bgmaps", "AR0414SR", 239, 251), WARCRAFT("battleground"),
    WARCRAFT("drywatergulch"),           MAP("dao", "lak503d", 194, 194),     MAP("dao", "lgt600d", 200, 200),
    MAP("dao", "oth000d", 200, 200),     MAP("dao", "lak403d", 200, 200),
};

/* Databases --------------------------------------------------------------------------------------------- */

const tool_paper_base *sub11_bases(const sub11_run *run, int row) {
    size_t before = 0;
    if (sub11_rows[row].base < 0) return NULL;
    for (int i = 0; i < sub11_rows[row].base; i++) before += sub11_rows[i].settings ? SUB11_MAPS : 0;
    return run->bases + before;
}

static int build(sub11_run *run) {
    for (int row = 0; row < SUB11_ROWS; row++)
        for (size_t map = 0; map < SUB11_MAPS && sub11_rows[row].settings; map++) {
            tool_paper_base *base = &run->bases[run->base_count++];
            base->ground = &run->grounds[map];
            base->settings = sub11_rows[row].settings;
            base->weight = sub11_rows[row].building;
            (void)snprintf(base->name, sizeof base->name, "subgoal2011-%s-%s", sub11_rows[row].key,
                           run->maps[map].name);
        }
    return tool_paper_open_bases(run->options, run->bases, run->base_count);
}

/* Runs -------------------------------------------------------------------------------------------------- */

static bool name_planner(const sub11_run *run, int row, size_t map, char *text) {
    const tool_paper_base *bases = sub11_bases(run, row);
    if (bases) return tool_paper_base_planner(&bases[map], sub11_rows[row].planner, text, WEND_SETTINGS_TEXT);
    (void)snprintf(text, WEND_SETTINGS_TEXT, "%s", sub11_rows[row].planner);
    return true;
}

static int measure(sub11_run *run, tool_paper_store *store) {
    enum { UNITS = SUB11_ROWS * SUB11_MAPS };
    size_t both = run->problems + run->timed_problems;
    run->planners = calloc(UNITS, sizeof *run->planners);
    run->results = calloc((size_t)UNITS * both, sizeof *run->results);
    if (!run->planners || !run->results) return tool_wrong("out of memory for the results");
    for (int row = 0; row < SUB11_ROWS; row++)
        for (size_t map = 0; map < SUB11_MAPS; map++) {
            size_t at = (size_t)row * SUB11_MAPS + map;
            if (!name_planner(run, row, map, run->planners[at])) return TOOL_WRONG;
            tool_paper_unit unit = {.ground = &run->grounds[map],
                                    .planner = run->planners[at],
                                    .max_moves = MOST_MOVES,
                                    .count = run->problems,
                                    .weight = sub11_rows[row].weight * (double)run->problems,
                                    .results = run->results + at * both};
            (void)snprintf(unit.name, sizeof unit.name, "%s/%s", sub11_rows[row].key, run->maps[map].name);
            run->units[at] = unit;
            unit.timed = true;
            unit.count = run->timed_problems;
            unit.weight = 9 * sub11_rows[row].weight * (double)run->timed_problems;
            unit.results += run->problems;
            (void)snprintf(unit.name, sizeof unit.name, "timed/%s/%s", sub11_rows[row].key,
                           run->maps[map].name);
            run->timed[at] = unit;
        }
    int result = tool_paper_run_units(run->options, "runs", store, run->units, UNITS);
    if (result == TOOL_DONE && run->timed_problems)
        result = tool_paper_run_units(run->options, "times", store, run->timed, UNITS);
    return result;
}

/* The first search ----------------------------------------------------------------------------------------
 */

static double now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The first steps of an agent on the timed problems of a map, in the mean; of each the least of five. */
static bool time_firsts(const sub11_run *run, int row, size_t map, double *mean) {
    const tool_paper_ground *ground = &run->grounds[map];
    const tool_paper_base *bases = sub11_bases(run, row);
    wend_world_options world_options = wend_default_world_options();
    wend_agent_options options = wend_default_agent_options();
    wend_world *world = NULL;
    wend_agent *agent = NULL;
    wend_settings settings;
    wend_error error = {0};
    options.db = bases ? tool_db_opened(bases[map].db) : NULL;
    wend_status status =
        wend_settings_parse(run->planners[(size_t)row * SUB11_MAPS + map], &settings, &error);
    if (status == WEND_OK) status = wend_world_create(run->maps[map].map, &world_options, &world, &error);
    if (status == WEND_OK) status = wend_agent_create(world, &settings, &options, &agent, &error);
    double sum = 0;
    for (size_t i = 0; i < run->timed_problems && status == WEND_OK; i++) {
        const wend_problem *problem =
            wend_scenario_at(ground->problems, tool_paper_problem(ground, i, run->timed_problems));
        double least = INFINITY;
        for (int pass = 0; pass < 5 && status == WEND_OK; pass++) {
            status = wend_agent_start(agent, tool_paper_cell(ground, problem->start),
                                      tool_paper_cell(ground, problem->goal), &error);
            double began = now_ns();
            while (wend_agent_step(agent).outcome == WEND_STEP_WAITING) continue;
            double took = now_ns() - began;
            if (took < least) least = took;
        }
        sum += least;
    }
    wend_agent_destroy(agent);
    wend_world_destroy(world);
    *mean = sum / (double)run->timed_problems;
    if (status == WEND_OK) return true;
    (void)tool_wrong("%s on %s: %s", sub11_rows[row].planner, run->maps[map].name, error.message);
    return false;
}

static bool time_all_firsts(sub11_run *run) {
    for (int row = 0; row < SUB11_ROWS; row++) {
        run->first_ns[row] = run->timed_problems ? 0 : NAN;
        for (size_t map = 0; map < SUB11_MAPS && run->timed_problems; map++) {
            double mean;
            if (!time_firsts(run, row, map, &mean)) return false;
            run->first_ns[row] += mean / SUB11_MAPS;
        }
    }
    return true;
}

/* The whole --------------------------------------------------------------------------------------------- */

static int run_with(sub11_run *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    const tool_knowledge known = {.kind = TOOL_KNOWN, .radius = 1};
    if (!tool_paper_open_maps(options, run->problems, run->maps, SUB11_MAPS) ||
        !tool_paper_open_grounds(options, run->maps, SUB11_MAPS, &known, run->grounds))
        return TOOL_WRONG;
    char head[2048];
    tool_paper_write_head(options, "subgoal2011", run->problems, run->maps, SUB11_MAPS, head, sizeof head);
    tool_paper_store *store = tool_paper_store_open(options, "subgoal2011", head);
    if (!store) return TOOL_WRONG;
    int result = build(run);
    if (result == TOOL_DONE) result = measure(run, store);
    if (result == TOOL_DONE &&
        !(time_all_firsts(run) && tool_paper_store_finish(store) && sub11_report(run, report)))
        result = TOOL_WRONG;
    tool_paper_store_close(store);
    return result;
}

static int run_paper(const tool_paper_options *options, tool_report *report) {
    sub11_run *run = calloc(1, sizeof *run);
    if (!run) return tool_wrong("out of memory");
    run->options = options;
    memcpy(run->maps, paper_maps, sizeof run->maps);
    run->problems = options->problems ? options->problems : options->quick ? QUICK_PROBLEMS : PROBLEMS;
    run->timed_problems = options->ms_problems < SIZE_MAX ? options->ms_problems
                                                          : (run->problems + TIMED_PART - 1) / TIMED_PART;
    if (run->timed_problems > run->problems) run->timed_problems = run->problems;
    int result = run_with(run, report);
    tool_paper_close_bases(run->bases, run->base_count);
    tool_paper_close_grounds(run->grounds, SUB11_MAPS);
    tool_paper_close_maps(run->maps, SUB11_MAPS);
    free(run->planners);
    free(run->results);
    free(run);
    return result;
}

const tool_paper tool_paper_subgoal2011 = {
    .name = "subgoal2011",
    .title = "Fast subgoaling for pathfinding via real-time search (SoCS 2011), measured again",
    .tables = 1,
    .run = run_paper,
};
