/* Maps, problems and runs of planners for papers. */
#define _POSIX_C_SOURCE 200809L

#include "paper.h"
#include "threads.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Maps -------------------------------------------------------------------------------------------------- */

static bool is_there(const char *path) {
    struct stat about;
    return stat(path, &about) == 0;
}

/* The map's file, or false if there is none. */
static bool find_file(const tool_paper_options *options, const tool_paper_map *map, char *path, size_t size) {
    if (!options->maps) return false;
    int length = snprintf(path, size, "%s/%s/%s.map", options->maps, map->set, map->name);
    if (length > 0 && (size_t)length < size && is_there(path)) return true;
    length = snprintf(path, size, "%s/%s.map", options->maps, map->name);
    return length > 0 && (size_t)length < size && is_there(path);
}

static bool open_map(const tool_paper_options *options, size_t problems, uint64_t number,
                     tool_paper_map *map) {
    char path[4096];
    wend_error error;
    if (find_file(options, map, path, sizeof path)) {
        map->map = tool_load_map(path, &options->map);
        if (!map->map) return false;
    } else {
        wend_generate_options generate = wend_default_generate_options();
        generate.seed = options->seed + number;
        generate.map = options->map;
        map->generated = true;
        if (wend_map_generate(WEND_MAP_CAVES, map->width, map->height, &generate, &map->map, &error) !=
            WEND_OK) {
            (void)tool_wrong_error(&error);
            return false;
        }
    }
    wend_problems_options drawing = wend_default_problems_options();
    drawing.seed = options->seed;
    if (wend_problems_generate(map->map, map->name, problems, &drawing, &map->problems, &error) == WEND_OK)
        return true;
    (void)tool_wrong("%s: %s", map->name, error.message);
    return false;
}

bool tool_paper_open_maps(const tool_paper_options *options, size_t problems, tool_paper_map *maps,
                          size_t count) {
    tool_progress progress = tool_progress_begin("maps and problems", options->quiet);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        tool_progress_update(&progress, i, count);
        good = open_map(options, problems, i, &maps[i]);
    }
    tool_progress_update(&progress, 1, 1);
    return good;
}

void tool_paper_close_maps(tool_paper_map *maps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        wend_scenario_destroy(maps[i].problems);
        wend_map_destroy(maps[i].map);
        maps[i].problems = NULL, maps[i].map = NULL;
    }
}

void tool_paper_describe_maps(tool_report *report, const tool_paper_map *maps, size_t count) {
    static const tool_report_column columns[] = {
        {"map", "map", true, false},
        {"width", "width", false, false},
        {"height", "height", false, false},
        {"open", "open cells", false, false},
        {"problems", "problems", false, false},
        {"optimal", "mean length", false, false},
        {"source", "source", true, false},
    };
    tool_report_table *table =
        tool_report_add_table(report, "maps", "Maps", columns, sizeof columns / sizeof *columns);
    size_t generated = 0;
    for (size_t i = 0; i < count; i++) {
        const wend_map *map = maps[i].map;
        size_t problems = wend_scenario_count(maps[i].problems);
        double sum = 0;
        for (size_t j = 0; j < problems; j++) sum += wend_scenario_at(maps[i].problems, j)->length;
        generated += maps[i].generated;
        const tool_report_cell cells[] = {
            tool_report_text_cell(maps[i].name),
            tool_report_number_cell(wend_map_width(map), 0),
            tool_report_number_cell(wend_map_height(map), 0),
            tool_report_number_cell(wend_map_open_cells(map), 0),
            tool_report_number_cell((double)problems, 0),
            tool_report_number_cell(problems ? sum / (double)problems : NAN, 1),
            tool_report_text_cell(maps[i].generated ? "generated in its place" : "file"),
        };
        tool_report_add_row(table, cells, false);
    }
    tool_report_set_number(report, "generated_maps", (double)generated);
    if (generated)
        tool_report_note(report,
                         "%zu of the paper's %zu maps are not here: generated caves of the same size stand "
                         "in, so its figures are not comparable.",
                         generated, count);
}

/* Runs -------------------------------------------------------------------------------------------------- */

typedef struct paper_work {
    const tool_paper_options *options;
    const tool_paper_job *jobs;
    const wend_settings *settings; /* of each job */
    size_t count, all;             /* jobs, and problems in all of them */
    tool_progress progress;        /* the first share's */
    bool *failed;                  /* of each share */
} paper_work;

static bool run_problem(const tool_paper_job *job, tool_runner *runner, size_t index, tool_text *steps) {
    size_t all = wend_scenario_count(job->map->problems);
    /* The middle of each of `count` equal parts. */
    size_t chosen = (size_t)((2 * (uint64_t)index + 1) * all / (2 * (uint64_t)job->count));
    const wend_problem *problem = wend_scenario_at(job->map->problems, chosen);
    const wend_map *map = job->map->map;
    tool_run run;
    steps->size = 0;
    if (!tool_run_record(runner, wend_map_cell(map, problem->start.x, problem->start.y),
                         wend_map_cell(map, problem->goal.x, problem->goal.y), UINT64_MAX, steps, NULL, &run))
        return false;
    if (run.status != TOOL_RUN_ARRIVED) {
        (void)tool_wrong("%s on %s, problem %zu: %s", job->planner, job->map->name, chosen,
                         tool_run_status_name(run.status));
        return false;
    }
    if (job->intervals) job->intervals[index] = (double)run.steps;
    if (job->moves) job->moves[index] = (double)tool_run_moves(&run);
    if (job->expansions) job->expansions[index] = (double)run.expansions;
    return true;
}

static void run_share(void *context, int share, int shares) {
    paper_work *work = context;
    tool_text steps = {.data = NULL};
    bool good = true;
    size_t done = 0;
    for (size_t j = 0; j < work->count && good; j++) {
        const tool_paper_job *job = &work->jobs[j];
        tool_terrain terrain = tool_terrain_plain(job->map->map);
        tool_runner *runner = tool_runner_create(&terrain, &work->settings[j], &job->interval);
        good = runner != NULL;
        for (size_t i = 0; i < job->count && good; i++, done++) {
            /* Jobs of one problem each go round the shares too. */
            if ((i + j) % (size_t)shares != (size_t)share) continue;
            if (share == 0) tool_progress_update(&work->progress, done, work->all + 1);
            good = run_problem(job, runner, i, &steps);
        }
        tool_runner_destroy(runner);
    }
    free(steps.data);
    work->failed[share] = !good;
}

bool tool_paper_run_jobs(const tool_paper_options *options, const char *what, const tool_paper_job *jobs,
                         size_t count, int threads) {
    wend_settings *settings = calloc(count ? count : 1, sizeof *settings);
    bool *failed = calloc((size_t)threads, sizeof *failed), good = settings && failed;
    if (!good) (void)tool_wrong("out of memory for %zu runs", count);
    size_t all = 0;
    for (size_t i = 0; i < count && good; i++) {
        wend_error error;
        good = wend_settings_parse(jobs[i].planner, &settings[i], &error) == WEND_OK;
        if (!good) (void)tool_wrong("%s: %s", jobs[i].planner, error.message);
        all += jobs[i].count;
    }
    if (good) {
        paper_work work = {.options = options,
                           .jobs = jobs,
                           .settings = settings,
                           .count = count,
                           .all = all,
                           .progress = tool_progress_begin(what, options->quiet),
                           .failed = failed};
        tool_run_shares(threads, run_share, &work);
        tool_progress_update(&work.progress, 1, 1);
        for (int i = 0; i < threads; i++) good = good && !failed[i];
    }
    free(failed);
    free(settings);
    return good;
}
