#include "common/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Databases ---------------------------------------------------------------------------------------------- */

static tool_paper_base *find_base(const tool_paper_rows *rows, const char *settings,
                                  const tool_paper_ground *ground) {
    for (size_t i = 0; i < rows->base_count; i++)
        if (rows->bases[i].ground == ground && strcmp(rows->bases[i].settings, settings) == 0)
            return &rows->bases[i];
    return NULL;
}

/* A file is named for the first row that has it. */
static tool_paper_base *add_base(tool_paper_rows *rows, const tool_paper_row *row, size_t map) {
    const tool_paper_plan *plan = rows->plan;
    tool_paper_base *base = &rows->bases[rows->base_count++];
    const char *name = rows->maps[map].name;
    base->ground = &rows->grounds[map];
    base->settings = row->base;
    base->weight = row->building * pow(wend_map_open_cells(rows->maps[map].map), 2);
    (void)snprintf(base->name, sizeof base->name, "%s-%s-%s", plan->name, plan->map_first ? name : row->key,
                   plan->map_first ? row->key : name);
    return base;
}

static int build(tool_paper_rows *rows) {
    for (size_t i = 0; i < rows->plan->row_count; i++)
        for (size_t map = 0; map < rows->plan->map_count; map++) {
            const tool_paper_row *row = &rows->plan->rows[i];
            if (!rows->figures[i].wanted || !row->base) continue;
            tool_paper_base *base = find_base(rows, row->base, &rows->grounds[map]);
            rows->base_of[tool_paper_place(rows, (int)i, map)] = base ? base : add_base(rows, row, map);
        }
    return tool_paper_open_bases(rows->options, rows->bases, rows->base_count);
}

/* Jobs --------------------------------------------------------------------------------------------------- */

static bool name_planner(const tool_paper_rows *rows, size_t at, const tool_paper_row *row) {
    char *text = rows->planners[at];
    if (rows->base_of[at])
        return tool_paper_base_planner(rows->base_of[at], row->planner, text, TOOL_PAPER_PLANNER);
    (void)snprintf(text, TOOL_PAPER_PLANNER, "%s", row->planner);
    return true;
}

/* Both jobs of a row on a map. */
static void set_jobs(tool_paper_rows *rows, size_t at, const tool_paper_row *row) {
    const tool_paper_plan *plan = rows->plan;
    const size_t map = at % plan->map_count;
    const char *name = rows->maps[map].name;
    tool_paper_job job = {.ground = &rows->grounds[map],
                          .planner = rows->planners[at],
                          .max_moves = rows->max_moves,
                          .count = rows->problems,
                          .weight = row->weight * (double)rows->problems,
                          .results = rows->results + at * (rows->problems + rows->timed_problems)};
    (void)snprintf(job.name, sizeof job.name, "%s/%s", row->key, name);
    rows->jobs[at] = job;
    job.timed = true;
    if (plan->max_timed_moves) job.max_moves = plan->max_timed_moves;
    job.count = row->untimed ? 0 : rows->timed_problems;
    job.weight = 9 * row->weight * (double)job.count;
    job.results += rows->problems;
    (void)snprintf(job.name, sizeof job.name, "%s/%s/%s", plan->max_timed_moves ? "time" : "timed", row->key,
                   name);
    rows->timed[at] = job;
}

int tool_paper_measure_rows(tool_paper_rows *rows, tool_paper_store *store) {
    const size_t all = rows->plan->row_count * rows->plan->map_count;
    int result = build(rows);
    if (result != TOOL_DONE) return result;
    tool_paper_job *jobs = calloc(2 * all, sizeof *jobs);
    if (!jobs) return tool_wrong("out of memory for the jobs");
    size_t count = 0;
    for (size_t at = 0; at < all && result == TOOL_DONE; at++) {
        const size_t row = at / rows->plan->map_count;
        if (!rows->figures[row].wanted) continue;
        if (!name_planner(rows, at, &rows->plan->rows[row])) result = TOOL_WRONG;
        set_jobs(rows, at, &rows->plan->rows[row]);
        jobs[count++] = rows->jobs[at];
        if (rows->timed[at].count) jobs[count++] = rows->timed[at];
    }
    if (result == TOOL_DONE) result = tool_paper_run_jobs(rows->options, "problems", store, jobs, count);
    free(jobs);
    return result;
}

/* Figures ------------------------------------------------------------------------------------------------ */

static void take_bases(tool_paper_base *const *bases, size_t maps, tool_paper_figures *of) {
    of->least_seconds = INFINITY;
    for (size_t map = 0; map < maps; map++) {
        const tool_paper_base *base = bases[map];
        if (!base) {
            of->seconds = of->least_seconds = of->most_seconds = of->bytes = of->most_bytes = NAN;
            of->size = of->records = of->states = NAN;
            return;
        }
        const wend_map *grid = base->ground->terrain.truth;
        double share = (double)maps, size = tool_paper_base_fact(base, "relative_size");
        of->seconds += base->seconds / share, of->bytes += (double)base->bytes / share;
        of->least_seconds = fmin(of->least_seconds, base->seconds);
        if (!(base->seconds <= of->most_seconds)) of->most_seconds = base->seconds;
        of->most_bytes = fmax(of->most_bytes, (double)base->bytes);
        of->size += size / share;
        of->states += size * wend_map_width(grid) * wend_map_height(grid) / share;
        of->records += tool_paper_base_fact(base, "records") / share;
    }
}

static void take_means(const tool_paper_job *jobs, const tool_paper_job *timed, size_t maps,
                       tool_paper_figures *of) {
    if (!timed->count) of->total_ns = of->us = NAN;
    for (size_t map = 0; map < maps; map++) {
        for (size_t i = 0; i < jobs[map].count; i++)
            of->cost += tool_paper_length(&jobs[map], i) / (double)(maps * jobs[map].count);
        for (size_t i = 0; i < timed[map].count; i++) {
            const tool_paper_result *result = &timed[map].results[i];
            double ns = (double)result->plan_ns / (double)(maps * timed[map].count);
            of->total_ns += ns;
            of->us += ns / 1000 / (double)(result->moves ? result->moves : 1);
        }
    }
    if (of->timed.busy) of->total_ns = of->us = NAN;
}

bool tool_paper_take_figures(const tool_paper_rows *rows, int row, size_t first, size_t count,
                             tool_paper_figures *of) {
    const tool_paper_row *about = &rows->plan->rows[row];
    const size_t at = tool_paper_place(rows, row, first);
    *of = (tool_paper_figures){.key = about->key,
                               .label = about->label,
                               .map = rows->maps[first].name,
                               .row = about,
                               .wanted = true};
    if (!tool_paper_summarise(rows->jobs + at, count, &of->all) ||
        !tool_paper_summarise(rows->timed + at, count, &of->timed))
        return false;
    take_means(rows->jobs + at, rows->timed + at, count, of);
    take_bases(rows->base_of + at, count, of);
    return true;
}

static bool take_figures(tool_paper_rows *rows) {
    bool good = true;
    for (size_t i = 0; i < rows->plan->row_count && good; i++)
        good = !rows->figures[i].wanted ||
               tool_paper_take_figures(rows, (int)i, 0, rows->plan->map_count, &rows->figures[i]);
    return good;
}

static double *values_of(const tool_paper_rows *rows, int row, tool_paper_measure *measure) {
    const size_t maps = rows->plan->map_count, each = rows->problems;
    double *values = calloc(maps * each + 1, sizeof *values);
    for (size_t i = 0; values && i < maps * each; i++)
        values[i] = measure(tool_paper_jobs_of(rows, row) + i / each, i % each);
    return values;
}

shared_estimate tool_paper_estimate_rows(const tool_paper_rows *rows, int row, int other,
                                         tool_paper_measure *measure, shared_statistic statistic) {
    double *x = values_of(rows, row, measure), *y = other < 0 ? NULL : values_of(rows, other, measure);
    shared_estimate estimate = shared_exact(NAN);
    if (x && (y || other < 0))
        estimate = shared_bootstrap(&(shared_sample){.x = x,
                                                     .y = y,
                                                     .maps = rows->plan->map_count,
                                                     .each = rows->problems,
                                                     .stand_ins = rows->plan->stand_ins,
                                                     .seed = rows->options->seed},
                                    statistic);
    free(x);
    free(y);
    return estimate;
}

bool tool_paper_add_maps_table(const tool_paper_rows *rows, size_t count, int decimals, tool_report *report) {
    enum { MOST = 16 };
    tool_report_column columns[1 + MOST] = {{"map", "map", true, false}};
    for (size_t i = 0; i < count; i++) {
        const tool_paper_row *row = &rows->plan->rows[i];
        columns[1 + i] = (tool_report_column){row->key, row->brief ? row->brief : row->label, false, false};
    }
    tool_report_table *table =
        tool_report_add_table(report, "by-map", "Over optimal, %: the mean of each map", columns, 1 + count);
    for (size_t map = 0; map < rows->plan->map_count; map++) {
        tool_report_cell cells[1 + MOST] = {tool_report_text_cell(rows->maps[map].name)};
        for (size_t i = 0; i < count; i++) {
            tool_paper_figures of;
            if (!tool_paper_take_figures(rows, (int)i, map, 1, &of)) return false;
            cells[1 + i] = tool_report_number_cell(of.all.suboptimality.mean, decimals);
        }
        tool_report_add_row(table, cells, false);
    }
    return true;
}

void tool_paper_describe_rows(const tool_paper_rows *rows, tool_report *report) {
    tool_report_set_seed(report, rows->options->seed);
    tool_report_set_number(report, "problems", (double)rows->problems);
    tool_report_set_number(report, "timed_problems", (double)rows->timed_problems);
    char busy[1024] = "";
    for (size_t i = 0; i < rows->plan->row_count; i++) {
        const tool_paper_figures *of = &rows->figures[i];
        size_t used = strlen(busy);
        if (of->wanted && of->timed.busy)
            (void)snprintf(busy + used, sizeof busy - used, "%s%s", used ? ", " : "", of->label);
    }
    if (*busy)
        tool_report_note(report,
                         "The machine was busy: mean times are left out where they contradict the longest "
                         "step, of %s.",
                         busy);
}

bool tool_paper_maps_are_meant(const tool_paper_rows *rows) {
    bool same = true;
    for (size_t i = 0; i < rows->plan->map_count; i++) {
        const tool_paper_map *map = &rows->maps[i];
        const int32_t by = map->reduce > 1 ? map->reduce : 1, times = map->scale > 1 ? map->scale : 1;
        same = same && !map->generated && wend_map_width(map->map) == (map->width + by - 1) / by * times &&
               wend_map_height(map->map) == (map->height + by - 1) / by * times;
    }
    return same;
}

/* The whole ---------------------------------------------------------------------------------------------- */

static bool take_memory(tool_paper_rows *rows) {
    const size_t maps = rows->plan->map_count, all = rows->plan->row_count * maps;
    rows->maps = calloc(maps, sizeof *rows->maps);
    rows->grounds = calloc(maps, sizeof *rows->grounds);
    rows->bases = calloc(all, sizeof *rows->bases);
    rows->base_of = calloc(all, sizeof *rows->base_of);
    rows->jobs = calloc(all, sizeof *rows->jobs);
    rows->timed = calloc(all, sizeof *rows->timed);
    rows->planners = calloc(all, sizeof *rows->planners);
    rows->results = calloc(all * (rows->problems + rows->timed_problems), sizeof *rows->results);
    rows->figures = calloc(rows->plan->row_count, sizeof *rows->figures);
    return rows->maps && rows->grounds && rows->bases && rows->base_of && rows->jobs && rows->timed &&
           rows->planners && rows->results && rows->figures;
}

int tool_paper_open_rows(const tool_paper_plan *plan, const tool_paper_options *options,
                         tool_paper_rows *rows) {
    rows->plan = plan, rows->options = options;
    rows->max_moves = options->quick && plan->quick_max_moves ? plan->quick_max_moves : plan->max_moves;
    tool_paper_count_problems(options, plan->problems, plan->quick_problems, plan->timed_part,
                              &rows->problems, &rows->timed_problems);
    if (!take_memory(rows)) return tool_wrong("out of memory for the results");
    for (size_t i = 0; i < plan->row_count; i++)
        rows->figures[i].wanted = !plan->wants || plan->wants(options, &plan->rows[i]);
    memcpy(rows->maps, plan->maps, plan->map_count * sizeof *rows->maps);
    const tool_knowledge known = {.kind = TOOL_KNOWN, .radius = 1};
    bool good = tool_paper_open_maps(options, rows->problems, rows->maps, plan->map_count) &&
                tool_paper_open_grounds(options, rows->maps, plan->map_count, &known, rows->grounds);
    return good ? TOOL_DONE : TOOL_WRONG;
}

void tool_paper_close_rows(tool_paper_rows *rows) {
    if (rows->bases) tool_paper_close_bases(rows->bases, rows->base_count);
    if (rows->grounds) tool_paper_close_grounds(rows->grounds, rows->plan->map_count);
    if (rows->maps) tool_paper_close_maps(rows->maps, rows->plan->map_count);
    void *const blocks[] = {rows->maps,  rows->grounds,  rows->bases,   rows->base_of, rows->jobs,
                            rows->timed, rows->planners, rows->results, rows->figures};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

/* Opens the store first, so that what would be refused is refused before hours of building. */
static int run_with(tool_paper_rows *rows, tool_report *report) {
    const tool_paper_plan *plan = rows->plan;
    char head[16384];
    tool_paper_write_head(rows->options, plan->name, rows->problems, rows->maps, plan->map_count, head,
                          sizeof head);
    size_t used = strlen(head);
    if (plan->max_timed_moves)
        (void)snprintf(head + used, sizeof head - used, "timed_problems %zu\nmost_moves %llu %llu\n",
                       rows->timed_problems, (unsigned long long)rows->max_moves,
                       (unsigned long long)plan->max_timed_moves);
    tool_paper_store *store = tool_paper_store_open(rows->options, plan->name, head);
    if (!store) return TOOL_WRONG;
    int result = tool_paper_measure_rows(rows, store);
    if (result == TOOL_DONE && plan->more) result = plan->more(rows, store);
    if (result == TOOL_DONE &&
        !(tool_paper_store_finish(store) && take_figures(rows) && plan->tell(rows, report)))
        result = TOOL_WRONG;
    tool_paper_store_close(store);
    return result;
}

int tool_paper_run_rows(const tool_paper_plan *plan, const tool_paper_options *options, void *own,
                        tool_report *report) {
    tool_paper_rows rows = {.own = own};
    int result = tool_paper_open_rows(plan, options, &rows);
    if (result == TOOL_DONE) result = run_with(&rows, report);
    tool_paper_close_rows(&rows);
    return result;
}
