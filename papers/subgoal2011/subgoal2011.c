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

#include "subgoal2011/subgoal2011.h"

#include <math.h>
#include <time.h>

#define PAPER(cost, first_ms, total_ms)                                                                      \
    { (cost), (first_ms), (total_ms) }
#define NOT_THERE PAPER(NAN, NAN, NAN)

const tool_paper_row sub11_rows[SUB11_ROWS] = {
    {"A*", NULL, "astar", NULL, "astar", 0, 30, 0, PAPER(198, 3.101, 3.101)},
    {"LRTA*", NULL, "lrta", NULL, "lrta", 0, 300, 0, PAPER(39232, 0.001, 34.446)},
    {"LRTA* with subgoals", NULL, "subgoal-tree", "subgoal-tree", "subgoal-tree", 0, 1, 100,
     PAPER(220, 0.024, 0.251)},
    {"the same, test=pushed", NULL, "pushed", "subgoal-tree:test=pushed", "subgoal-tree", 0, 1, 110,
     NOT_THERE},
    {"LSS-LRTA* with subgoals", NULL, "lss-lrta", NULL, "lss-lrta:k=10", SUB11_TREE, 10, 0, NOT_THERE},
    {"kNN of 2010 (10000)", NULL, "knn", "knn:records=10000", "knn", 0, 5, 10, NOT_THERE},
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

/* The first search --------------------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* The first steps of an agent on the timed problems of a map, in the mean; of each the least of five. */
static bool time_firsts(const tool_paper_rows *run, int row, size_t map, double *mean) {
    const tool_paper_ground *ground = &run->grounds[map];
    const tool_paper_base *bases = tool_paper_row_bases(run, row);
    wend_world_options world_options = wend_default_world_options();
    wend_agent_options options = wend_default_agent_options();
    wend_world *world = NULL;
    wend_agent *agent = NULL;
    wend_settings *settings = NULL;
    wend_error error = {0};
    options.db = bases ? tool_db_opened(bases[map].db) : NULL;
    wend_status status =
        wend_settings_parse(run->planners[(size_t)row * SUB11_MAPS + map], NULL, &settings, &error);
    if (status == WEND_OK) status = wend_world_create(run->maps[map].map, &world_options, &world, &error);
    if (status == WEND_OK) status = wend_agent_create(world, settings, &options, &agent, &error);
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
    wend_settings_destroy(settings);
    wend_agent_destroy(agent);
    wend_world_destroy(world);
    *mean = sum / (double)run->timed_problems;
    if (status == WEND_OK) return true;
    (void)tool_wrong("%s on %s: %s", sub11_rows[row].planner, run->maps[map].name, error.message);
    return false;
}

static bool time_and_report(const tool_paper_rows *run, tool_report *report) {
    double first_ns[SUB11_ROWS];
    for (int row = 0; row < SUB11_ROWS; row++) {
        first_ns[row] = run->timed_problems ? 0 : NAN;
        for (size_t map = 0; map < SUB11_MAPS && run->timed_problems; map++) {
            double mean;
            if (!time_firsts(run, row, map, &mean)) return false;
            first_ns[row] += mean / SUB11_MAPS;
        }
    }
    return sub11_report(run, first_ns, report);
}

/* The whole --------------------------------------------------------------------------------------------- */

static int run_paper(const tool_paper_options *options, tool_report *report) {
    static const tool_paper_plan plan = {.name = "subgoal2011",
                                         .rows = sub11_rows,
                                         .row_count = SUB11_ROWS,
                                         .maps = paper_maps,
                                         .map_count = SUB11_MAPS,
                                         .problems = 500,
                                         .quick_problems = 50,
                                         .max_moves = 20 * 1000000};
    return tool_paper_run_rows(&plan, options, report, time_and_report);
}

const tool_paper tool_paper_subgoal2011 = {
    .name = "subgoal2011",
    .title = "Fast subgoaling for pathfinding via real-time search (SoCS 2011), measured again",
    .tables = 1,
    .run = run_paper,
};
