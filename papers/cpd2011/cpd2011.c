/* Botea, "Ultra-fast optimal pathfinding without runtime search" (AIIDE 2011): figures 2 to 6 and the numbers
 * in the text, on the same 120 maps of Baldur's Gate, 100 problems each drawn from the seed.
 *
 * Databases of rectangles with `ties=label`, the paper's form, are built into the folder of results and
 * walked with; how many rectangles and squares there are otherwise is counted, map by map, and nothing is
 * kept of them but the numbers. Beside them stands the default encoding, runs. */
#define _POSIX_C_SOURCE 200809L

#include "cpd2011/cpd2011.h"
#include "shared/crew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROBLEMS = 100, QUICK_PROBLEMS = 10, QUICK_CELLS = 12000 };

static const struct {
    const char *key, *planner, *settings;
    double weight, building; /* expected work of a problem, and of a pair of cells of a database */
} rows[CPD11_ROWS] = {
    {"astar", "astar", NULL, 30, 0},
    {"rectangles", "cpd", "cpd:encoding=rectangles,ties=label", 1, 8},
    {"runs", "cpd", "cpd", 1, 10},
};

/* Counting ---------------------------------------------------------------------------------------------- */

/* The store keeps results of problems; counts are put into the fields of one, in this order. */
typedef struct kept_counts {
    uint64_t cells, components, pairs;
    struct {
        uint64_t rectangles, squares, longest, checks; /* checks in millionths */
    } ties[2];
} kept_counts;

_Static_assert(sizeof(kept_counts) <= sizeof(tool_paper_result), "a result has room for the counts");

static void keep(const wend_cpd_measures *measures, tool_paper_result *result) {
    kept_counts kept = {
        .cells = measures->cells, .components = measures->components, .pairs = measures->pairs};
    for (int i = 0; i < 2; i++) {
        const wend_cpd_counts *counts = i ? &measures->set : &measures->label;
        kept.ties[i].rectangles = counts->rectangles, kept.ties[i].squares = counts->squares;
        kept.ties[i].longest = counts->longest;
        kept.ties[i].checks = (uint64_t)(counts->checks * 1e6 + 0.5);
    }
    memset(result, 0, sizeof *result);
    memcpy(result, &kept, sizeof kept);
}

static void unkeep(const tool_paper_result *result, wend_cpd_measures *measures) {
    kept_counts kept;
    memcpy(&kept, result, sizeof kept);
    *measures = (wend_cpd_measures){.cells = kept.cells, .components = kept.components, .pairs = kept.pairs};
    for (int i = 0; i < 2; i++) {
        wend_cpd_counts *counts = i ? &measures->set : &measures->label;
        counts->rectangles = kept.ties[i].rectangles, counts->squares = kept.ties[i].squares;
        counts->longest = (uint32_t)kept.ties[i].longest;
        counts->checks = (double)kept.ties[i].checks / 1e6;
    }
}

/* Progress goes by pairs of cells. */
typedef struct counting {
    double done, total, weight;
    tool_progress progress;
} counting;

static double pairs_of(const wend_map *map) {
    return (double)wend_map_open_cells(map) * wend_map_open_cells(map);
}

static bool show(void *context, const wend_progress *progress) {
    counting *c = context;
    double share = progress->total ? (double)progress->done / (double)progress->total : 0;
    if (tool_interrupted())
        tool_progress_update(&c->progress, 1, 1); /* what is said next has its own line */
    else
        tool_progress_update(&c->progress, (uint64_t)((c->done + share * c->weight) / c->total * 999999),
                             1000000);
    return !tool_interrupted();
}

/* One map: from the store, or counted and put there. */
static int count_map(cpd11_run *run, size_t map, counting *c, tool_paper_store *store) {
    tool_paper_result result = {.moves = 0};
    tool_paper_job job = {.count = 1, .results = &result};
    (void)snprintf(job.name, sizeof job.name, "counts/%s", run->maps[map].name);
    if (tool_paper_store_has(store, &job)) {
        tool_paper_store_get(store, &job);
        unkeep(&result, &run->measures[map]);
        return TOOL_DONE;
    }
    int threads = run->options->threads;
    wend_build_options options = wend_default_build_options();
    options.tasks = shared_tasks(threads);
    options.progress = show, options.progress_context = c;
    wend_error error;
    wend_status status = wend_cpd_measure(run->maps[map].map, &options, &run->measures[map], &error);
    if (status == WEND_STATUS_INTERRUPTED) {
        if (!run->options->quiet)
            tool_remark("stopped: what is counted is kept in %s: go on with --resume",
                        tool_paper_store_path(store));
        return TOOL_STOPPED;
    }
    if (status != WEND_OK) return tool_wrong("%s: %s", run->maps[map].name, error.message);
    keep(&run->measures[map], &result);
    unkeep(&result, &run->measures[map]); /* the same digits as after --resume */
    return tool_paper_store_add(store, &job) ? TOOL_DONE : TOOL_WRONG;
}

static int count_all(cpd11_run *run, tool_paper_store *store) {
    counting c = {.progress = tool_progress_begin("rectangles and squares", run->options->quiet)};
    int result = TOOL_DONE;
    for (size_t map = 0; map < CPD11_MAPS; map++)
        if (wend_map_open_cells(run->maps[map].map) <= run->most_cells)
            c.total += pairs_of(run->maps[map].map);
    for (size_t map = 0; map < CPD11_MAPS && result == TOOL_DONE; map++) {
        if (wend_map_open_cells(run->maps[map].map) > run->most_cells) continue;
        c.weight = pairs_of(run->maps[map].map);
        result = count_map(run, map, &c, store);
        c.done += c.weight;
    }
    tool_progress_update(&c.progress, 1, 1);
    return result;
}

/* Databases and runs ------------------------------------------------------------------------------------ */

static int build(cpd11_run *run) {
    run->bases = calloc((size_t)CPD11_BASES * CPD11_MAPS, sizeof *run->bases);
    if (!run->bases) return tool_wrong("out of memory for the databases");
    for (int row = CPD11_RECTANGLES; row < CPD11_ROWS; row++)
        for (size_t map = 0; map < CPD11_MAPS; map++) {
            tool_paper_base *base = &run->bases[run->base_count++];
            base->ground = &run->grounds[map];
            base->settings = rows[row].settings;
            base->weight = rows[row].building * pairs_of(run->maps[map].map);
            (void)snprintf(base->name, sizeof base->name, "cpd2011-%s-%s", rows[row].key,
                           run->maps[map].name);
        }
    return tool_paper_open_bases(run->options, run->bases, run->base_count);
}

static bool name_planner(const cpd11_run *run, int row, size_t map, char *text) {
    if (rows[row].settings)
        return tool_paper_base_planner(cpd11_base(run, row, map), rows[row].planner, text,
                                       TOOL_SETTINGS_TEXT);
    (void)snprintf(text, TOOL_SETTINGS_TEXT, "%s", rows[row].planner);
    return true;
}

static int measure(cpd11_run *run, tool_paper_store *store) {
    enum { JOBS = CPD11_ROWS * CPD11_MAPS };
    size_t both = run->problems + run->timed_problems;
    run->planners = calloc(JOBS, sizeof *run->planners);
    run->results = calloc((size_t)JOBS * both, sizeof *run->results);
    if (!run->planners || !run->results) return tool_wrong("out of memory for the results");
    for (int row = 0; row < CPD11_ROWS; row++)
        for (size_t map = 0; map < CPD11_MAPS; map++) {
            size_t at = (size_t)row * CPD11_MAPS + map;
            if (!name_planner(run, row, map, run->planners[at])) return TOOL_WRONG;
            tool_paper_job job = {.ground = &run->grounds[map],
                                  .planner = run->planners[at],
                                  .count = run->problems,
                                  .weight = rows[row].weight * (double)run->problems,
                                  .results = run->results + at * both};
            (void)snprintf(job.name, sizeof job.name, "%s/%s", rows[row].key, run->maps[map].name);
            run->jobs[at] = job;
            if (row != CPD11_ASTAR) continue;
            job.timed = true;
            job.count = run->timed_problems;
            job.weight = 9 * rows[row].weight * (double)run->timed_problems;
            job.results += run->problems;
            (void)snprintf(job.name, sizeof job.name, "timed/%s/%s", rows[row].key, run->maps[map].name);
            run->timed[map] = job;
        }
    int result = tool_paper_run_jobs(run->options, "runs", store, run->jobs, JOBS);
    if (result == TOOL_DONE && run->timed_problems)
        result = tool_paper_run_jobs(run->options, "times", store, run->timed, CPD11_MAPS);
    return result;
}

/* Paths ------------------------------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Algorithm 2: the moves from one cell to another, read off a database. 0 if it does not get there. */
static size_t read_path(const wend_db *db, const wend_map *map, wend_cell from, wend_cell to,
                        wend_direction *moves, size_t room) {
    int32_t offset[WEND_DIRECTIONS];
    for (wend_direction d = 0; d < WEND_DIRECTIONS; d++)
        offset[d] = wend_direction_dy(d) * wend_map_width(map) + wend_direction_dx(d);
    size_t count = 0;
    while (from != to && count < room) {
        wend_direction move = wend_cpd_move(db, from, to);
        if (move >= 8) return 0;
        from += (wend_cell)offset[move];
        moves[count++] = move;
    }
    return from == to ? count : 0;
}

/* The time of whole paths without agents, as the paper has it: of each the least of five. */
static bool time_walks(cpd11_run *run) {
    size_t all = (size_t)CPD11_BASES * CPD11_MAPS * run->timed_problems, room = 1;
    for (size_t map = 0; map < CPD11_MAPS; map++)
        if (wend_map_open_cells(run->maps[map].map) > room) room = wend_map_open_cells(run->maps[map].map);
    wend_direction *moves = malloc(room);
    run->walk_ns = calloc(all ? all : 1, sizeof *run->walk_ns);
    bool good = moves && run->walk_ns;
    if (!good) (void)tool_wrong("out of memory for the times");
    for (int row = CPD11_RECTANGLES; row < CPD11_ROWS && good; row++)
        for (size_t map = 0; map < CPD11_MAPS && good; map++)
            for (size_t i = 0; i < run->timed_problems && good; i++) {
                const tool_paper_ground *ground = &run->grounds[map];
                const wend_problem *problem =
                    wend_scenario_at(ground->problems, tool_paper_problem(ground, i, run->timed_problems));
                wend_cell from = tool_paper_cell(ground, problem->start),
                          to = tool_paper_cell(ground, problem->goal);
                const wend_db *db = tool_db_opened(cpd11_base(run, row, map)->db);
                double least = INFINITY;
                for (int pass = 0; pass < 5 && good; pass++) {
                    double began = now_ns();
                    size_t count = read_path(db, run->maps[map].map, from, to, moves, room);
                    least = fmin(least, now_ns() - began);
                    good = count > 0 || from == to;
                }
                cpd11_walk(run, row, map)[i] = least;
                if (!good) (void)tool_wrong("%s: no path in its database", run->maps[map].name);
            }
    free(moves);
    return good;
}

/* The whole --------------------------------------------------------------------------------------------- */

static int run_with(cpd11_run *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    const tool_knowledge known = {.kind = TOOL_KNOWN, .radius = 1};
    if (!tool_paper_open_maps(options, run->problems, run->maps, CPD11_MAPS) ||
        !tool_paper_open_grounds(options, run->maps, CPD11_MAPS, &known, run->grounds))
        return TOOL_WRONG;
    char head[256 + 64 * CPD11_MAPS];
    tool_paper_write_head(options, "cpd2011", run->problems, run->maps, CPD11_MAPS, head, sizeof head);
    tool_paper_store *store = tool_paper_store_open(options, "cpd2011", head);
    if (!store) return TOOL_WRONG;
    int result = build(run);
    if (result == TOOL_DONE) result = count_all(run, store);
    if (result == TOOL_DONE) result = measure(run, store);
    if (result == TOOL_DONE &&
        !(time_walks(run) && tool_paper_store_finish(store) && cpd11_report(run, report)))
        result = TOOL_WRONG;
    tool_paper_store_close(store);
    return result;
}

static int run_paper(const tool_paper_options *options, tool_report *report) {
    cpd11_run *run = calloc(1, sizeof *run);
    if (!run) return tool_wrong("out of memory");
    run->options = options;
    memcpy(run->maps, cpd11_maps, sizeof run->maps);
    run->problems = options->problems ? options->problems : options->quick ? QUICK_PROBLEMS : PROBLEMS;
    run->timed_problems = options->ms_problems < run->problems ? options->ms_problems : run->problems;
    run->most_cells = options->quick ? QUICK_CELLS : UINT64_MAX;
    int result = run_with(run, report);
    if (run->bases) tool_paper_close_bases(run->bases, run->base_count);
    tool_paper_close_grounds(run->grounds, CPD11_MAPS);
    tool_paper_close_maps(run->maps, CPD11_MAPS);
    free(run->bases);
    free(run->planners);
    free(run->results);
    free(run->walk_ns);
    free(run);
    return result;
}

const tool_paper tool_paper_cpd2011 = {
    .name = "cpd2011",
    .title = "Ultra-fast optimal pathfinding without runtime search (AIIDE 2011), measured again",
    .tables = 1,
    .run = run_paper,
};
