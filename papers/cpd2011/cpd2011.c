/* Botea, "Ultra-fast optimal pathfinding without runtime search" (AIIDE 2011): figures 2 to 6 and the numbers
 * in the text, on the same 120 maps of Baldur's Gate, 100 problems each drawn from the seed.
 *
 * Databases of rectangles with `ties=label`, the paper's form, are built into the folder of results and
 * walked with. Otherwise rectangles and squares are only counted, map by map, and nothing is kept of them but
 * the numbers. Beside them stands the default encoding, runs. */
#include "cpd2011/cpd2011.h"
#include "shared/crew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counting ---------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(cpd11_counts) <= sizeof(tool_paper_result), "a result has room for the counts");

static cpd11_counts counts_of(const wend_cpd_measures *measures) {
    cpd11_counts counts = {measures->cells, measures->components, measures->pairs, {{0}}};
    for (int i = 0; i < CPD11_TIES; i++) {
        const wend_cpd_counts *of = i == CPD11_SET ? &measures->set : &measures->label;
        counts.ties[i].rectangles = of->rectangles, counts.ties[i].squares = of->squares;
        counts.ties[i].longest = of->longest, counts.ties[i].checks = (uint64_t)(of->checks * 1e6 + 0.5);
    }
    return counts;
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
static int count_map(const tool_paper_rows *run, size_t map, counting *c, tool_paper_store *store) {
    cpd11_counts *counts = &((cpd11_own *)run->own)->counts[map];
    tool_paper_result result = {.moves = 0};
    tool_paper_job job = {.count = 1, .results = &result};
    (void)snprintf(job.name, sizeof job.name, "counts/%s", run->maps[map].name);
    bool known = tool_paper_store_get(store, &job);
    memcpy(counts, &result, sizeof *counts);
    if (known) return TOOL_DONE;
    wend_build_options options = wend_default_build_options();
    wend_cpd_measures measures;
    options.tasks = shared_tasks(run->options->threads);
    options.progress = show, options.progress_context = c;
    wend_error error;
    wend_status status = wend_cpd_measure(run->maps[map].map, &options, &measures, &error);
    if (status == WEND_STATUS_INTERRUPTED) {
        if (!run->options->quiet)
            tool_remark("stopped: what is counted is kept in %s: go on with --resume",
                        tool_paper_store_path(store));
        return TOOL_STOPPED;
    }
    if (status != WEND_OK) return tool_wrong("%s: %s", run->maps[map].name, error.message);
    *counts = counts_of(&measures);
    memcpy(&result, counts, sizeof *counts);
    return tool_paper_store_add(store, &job) ? TOOL_DONE : TOOL_WRONG;
}

static int count_all(const tool_paper_rows *run, tool_paper_store *store) {
    const cpd11_own *own = run->own;
    counting c = {.progress = tool_progress_begin("rectangles and squares", run->options->quiet)};
    int result = TOOL_DONE;
    for (size_t map = 0; map < CPD11_MAPS; map++)
        if (wend_map_open_cells(run->maps[map].map) <= own->most_cells)
            c.total += pairs_of(run->maps[map].map);
    for (size_t map = 0; map < CPD11_MAPS && result == TOOL_DONE; map++) {
        if (wend_map_open_cells(run->maps[map].map) > own->most_cells) continue;
        c.weight = pairs_of(run->maps[map].map);
        result = count_map(run, map, &c, store);
        c.done += c.weight;
    }
    tool_progress_update(&c.progress, 1, 1);
    return result;
}

/* Paths ------------------------------------------------------------------------------------------------- */

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

/* The time of a whole path without agents, as the paper has it: the least of five. NAN if there is none. */
static double time_walk(const tool_paper_rows *run, int row, size_t map, size_t index, wend_direction *moves,
                        size_t room) {
    const tool_paper_ground *ground = &run->grounds[map];
    const wend_problem *problem =
        wend_scenario_at(ground->problems, tool_paper_problem(ground, index, run->timed_problems));
    wend_cell from = tool_paper_cell(ground, problem->start), to = tool_paper_cell(ground, problem->goal);
    const wend_db *db = tool_db_opened(tool_paper_base_of(run, row, map)->db);
    double least = INFINITY;
    for (int pass = 0; pass < 5; pass++) {
        uint64_t began = tool_nanoseconds();
        size_t count = read_path(db, run->maps[map].map, from, to, moves, room);
        least = fmin(least, (double)(tool_nanoseconds() - began));
        if (!count && from != to) return NAN;
    }
    return least;
}

static int time_walks(const tool_paper_rows *run) {
    size_t all = (size_t)CPD11_ROWS * CPD11_MAPS * run->timed_problems, room = 1;
    for (size_t map = 0; map < CPD11_MAPS; map++)
        if (wend_map_open_cells(run->maps[map].map) > room) room = wend_map_open_cells(run->maps[map].map);
    wend_direction *moves = malloc(room);
    cpd11_own *own = run->own;
    own->walk_ns = calloc(all ? all : 1, sizeof *own->walk_ns);
    int result = moves && own->walk_ns ? TOOL_DONE : tool_wrong("out of memory for the times");
    for (int row = CPD11_RECTANGLES; row < CPD11_ROWS; row++)
        for (size_t map = 0; map < CPD11_MAPS; map++)
            for (size_t i = 0; i < run->timed_problems && result == TOOL_DONE; i++) {
                double ns = time_walk(run, row, map, i, moves, room);
                cpd11_walk(run, row, map)[i] = ns;
                if (isnan(ns)) result = tool_wrong("%s: no path in its database", run->maps[map].name);
            }
    free(moves);
    return result;
}

/* The whole --------------------------------------------------------------------------------------------- */

static int measure_more(tool_paper_rows *run, tool_paper_store *store) {
    int result = count_all(run, store);
    return result == TOOL_DONE ? time_walks(run) : result;
}

#define ROW(key, label, base, planner, weight, building, untimed)                                            \
    key, label, NULL, base, planner, weight, building, untimed, 0, 0, 0, 0, NULL
static const tool_paper_row rows[CPD11_ROWS] = {
    {ROW("astar", "A*", NULL, "astar", 30, 0, false)},
    {ROW("rectangles", "rectangles", "cpd:encoding=rectangles,ties=label", "cpd", 1, 8, true)},
    {ROW("runs", "runs", "cpd", "cpd", 1, 10, true)},
};

static int run_paper(const tool_paper_options *options, tool_report *report) {
    static const tool_paper_plan plan = {.name = "cpd2011",
                                         .rows = rows,
                                         .row_count = CPD11_ROWS,
                                         .maps = cpd11_maps,
                                         .map_count = CPD11_MAPS,
                                         .problems = 100,
                                         .quick_problems = 10,
                                         .timed_part = 1,
                                         .more = measure_more,
                                         .tell = cpd11_report};
    cpd11_own own = {.most_cells = options->quick ? 12000 : UINT64_MAX};
    int result = tool_paper_run_rows(&plan, options, &own, report);
    free(own.walk_ns);
    return result;
}

const tool_paper tool_paper_cpd2011 = {
    .name = "cpd2011",
    .title = "Ultra-fast optimal pathfinding without runtime search (AIIDE 2011), measured again",
    .tables = 1,
    .run = run_paper,
};
