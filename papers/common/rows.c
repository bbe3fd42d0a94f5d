#include "common/rows.h"

#include <stdlib.h>
#include <string.h>

enum { TIMED_PART = 16 }; /* one problem in so many is timed: that takes nine passes on one thread */

const tool_paper_base *tool_paper_row_bases(const tool_paper_rows *rows, int row) {
    const tool_paper_row *all = rows->plan->rows;
    size_t before = 0;
    int whose = all[row].shares ? all[row].shares : row;
    if (!all[whose].settings) return NULL;
    for (int i = 0; i < whose; i++) before += all[i].settings ? rows->plan->map_count : 0;
    return rows->bases + before;
}

const tool_paper_job *tool_paper_row_jobs(const tool_paper_rows *rows, int row, bool timed) {
    return (timed ? rows->timed : rows->jobs) + (size_t)row * rows->plan->map_count;
}

static int build(tool_paper_rows *rows) {
    const tool_paper_plan *plan = rows->plan;
    for (size_t row = 0; row < plan->row_count; row++)
        for (size_t map = 0; map < plan->map_count && plan->rows[row].settings; map++) {
            tool_paper_base *base = &rows->bases[rows->base_count++];
            base->ground = &rows->grounds[map];
            base->settings = plan->rows[row].settings;
            base->weight = plan->rows[row].building;
            (void)snprintf(base->name, sizeof base->name, "%s-%s-%s", plan->name, plan->rows[row].key,
                           rows->maps[map].name);
        }
    return tool_paper_open_bases(rows->options, rows->bases, rows->base_count);
}

static bool name_planner(const tool_paper_rows *rows, size_t row, size_t map, char *text) {
    const tool_paper_base *bases = tool_paper_row_bases(rows, (int)row);
    const char *planner = rows->plan->rows[row].planner;
    if (bases) return tool_paper_base_planner(&bases[map], planner, text, TOOL_SETTINGS_TEXT);
    (void)snprintf(text, TOOL_SETTINGS_TEXT, "%s", planner);
    return true;
}

static int measure(tool_paper_rows *rows, tool_paper_store *store) {
    const tool_paper_plan *plan = rows->plan;
    const size_t both = rows->problems + rows->timed_problems, jobs = plan->row_count * plan->map_count;
    for (size_t at = 0; at < jobs; at++) {
        const size_t map = at % plan->map_count;
        const tool_paper_row *row = &plan->rows[at / plan->map_count];
        if (!name_planner(rows, at / plan->map_count, map, rows->planners[at])) return TOOL_WRONG;
        tool_paper_job job = {.ground = &rows->grounds[map],
                              .planner = rows->planners[at],
                              .max_moves = plan->max_moves,
                              .count = rows->problems,
                              .weight = row->weight * (double)rows->problems,
                              .results = rows->results + at * both};
        (void)snprintf(job.name, sizeof job.name, "%s/%s", row->key, rows->maps[map].name);
        rows->jobs[at] = job;
        job.timed = true;
        job.count = rows->timed_problems;
        job.weight = 9 * row->weight * (double)rows->timed_problems;
        job.results += rows->problems;
        (void)snprintf(job.name, sizeof job.name, "timed/%s/%s", row->key, rows->maps[map].name);
        rows->timed[at] = job;
    }
    int result = tool_paper_run_jobs(rows->options, "runs", store, rows->jobs, jobs);
    if (result == TOOL_DONE && rows->timed_problems)
        result = tool_paper_run_jobs(rows->options, "times", store, rows->timed, jobs);
    return result;
}

static int run_with(tool_paper_rows *rows, tool_report *report,
                    bool (*tell)(const tool_paper_rows *rows, tool_report *report)) {
    const tool_paper_plan *plan = rows->plan;
    const tool_knowledge known = {.kind = TOOL_KNOWN, .radius = 1};
    if (!tool_paper_open_maps(rows->options, rows->problems, rows->maps, plan->map_count) ||
        !tool_paper_open_grounds(rows->options, rows->maps, plan->map_count, &known, rows->grounds))
        return TOOL_WRONG;
    char head[2048];
    tool_paper_write_head(rows->options, plan->name, rows->problems, rows->maps, plan->map_count, head,
                          sizeof head);
    tool_paper_store *store = tool_paper_store_open(rows->options, plan->name, head);
    if (!store) return TOOL_WRONG;
    int result = build(rows);
    if (result == TOOL_DONE) result = measure(rows, store);
    if (result == TOOL_DONE && !(tool_paper_store_finish(store) && tell(rows, report))) result = TOOL_WRONG;
    tool_paper_store_close(store);
    return result;
}

static bool take_memory(tool_paper_rows *rows) {
    const size_t maps = rows->plan->map_count, jobs = rows->plan->row_count * maps;
    rows->maps = calloc(maps, sizeof *rows->maps);
    rows->grounds = calloc(maps, sizeof *rows->grounds);
    rows->bases = calloc(jobs, sizeof *rows->bases);
    rows->jobs = calloc(jobs, sizeof *rows->jobs);
    rows->timed = calloc(jobs, sizeof *rows->timed);
    rows->planners = calloc(jobs, sizeof *rows->planners);
    rows->results = calloc(jobs * (rows->problems + rows->timed_problems), sizeof *rows->results);
    return rows->maps && rows->grounds && rows->bases && rows->jobs && rows->timed && rows->planners &&
           rows->results;
}

int tool_paper_run_rows(const tool_paper_plan *plan, const tool_paper_options *options, tool_report *report,
                        bool (*tell)(const tool_paper_rows *rows, tool_report *report)) {
    tool_paper_rows rows = {.plan = plan, .options = options};
    rows.problems = options->problems ? options->problems
                    : options->quick  ? plan->quick_problems
                                      : plan->problems;
    rows.timed_problems = options->ms_problems < SIZE_MAX ? options->ms_problems
                                                          : (rows.problems + TIMED_PART - 1) / TIMED_PART;
    if (rows.timed_problems > rows.problems) rows.timed_problems = rows.problems;
    int result;
    if (!take_memory(&rows)) {
        result = tool_wrong("out of memory for the results");
    } else {
        memcpy(rows.maps, plan->maps, plan->map_count * sizeof *rows.maps);
        result = run_with(&rows, report, tell);
        tool_paper_close_bases(rows.bases, rows.base_count);
        tool_paper_close_grounds(rows.grounds, plan->map_count);
        tool_paper_close_maps(rows.maps, plan->map_count);
    }
    free(rows.maps);
    free(rows.grounds);
    free(rows.bases);
    free(rows.jobs);
    free(rows.timed);
    free(rows.planners);
    free(rows.results);
    return result;
}
