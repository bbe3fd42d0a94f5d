/* Beyond the paper: its algorithms beside what has come since, on its maps, and on two that are harder for
 * one or the other: slanted walls, as drawn with vectors (`shapes`), and many small maps joined by corridors
 * (`joined`). Then how an atlas grows with the map. */
#include "jair2010/jair2010.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OTHER_MAPS = 2, MOST_ROWS = 8, PLANNER_TEXT = TOOL_PAPER_PATH + 256 };
enum { SIDE = 4096, QUICK_SIDE = 512 }; /* of the other maps */

static const tool_paper_map other_maps[OTHER_MAPS] = {
    {.set = "generated", .name = "shapes", .kind = WEND_MAP_SHAPES},
    {.set = "generated", .name = "joined", .kind = WEND_MAP_JOINED},
};

/* A setting on one of the other maps. */
typedef struct other_row {
    const jair_setting *setting;
    tool_paper_base *base; /* or NULL */
    char planner[PLANNER_TEXT];
    tool_paper_job job, timed;
} other_row;

typedef struct jair_beyond {
    tool_paper_map maps[OTHER_MAPS];
    tool_paper_ground grounds[OTHER_MAPS];
    tool_paper_base bases[OTHER_MAPS * MOST_ROWS];
    size_t base_count;
    other_row rows[OTHER_MAPS][MOST_ROWS];
    size_t row_count;
    tool_paper_result *results;
    jair_growth growth[JAIR_MOST_SIZES];
    size_t sizes;
} jair_beyond;

/* What is compared: the best of each that the run has, on the other maps the coarsest table of D LRTA*. */
static bool is_compared(const jair_run *run, const jair_setting *setting) {
    const jair_compared keys = jair_compared_keys(run);
    const char *key = setting->key;
    return setting->part == JAIR_AFTER || strcmp(key, keys.knn) == 0 || strcmp(key, keys.tba) == 0 ||
           strcmp(key, keys.dlrta) == 0 ||
           strcmp(key, run->options->quick ? "knn-10000-even-tba" : "knn-60000-even-tba") == 0;
}

static bool is_on_others(const jair_run *run, const jair_setting *setting) {
    if (setting->family == JAIR_DLRTA) return strcmp(setting->key, "dlrta-12") == 0;
    return is_compared(run, setting);
}

static void list_bases(const jair_run *run, jair_beyond *beyond) {
    for (size_t i = 0; i < jair_setting_count && beyond->row_count < MOST_ROWS; i++) {
        const jair_setting *setting = &jair_settings[i];
        if (setting->when == (run->options->quick ? JAIR_WHOLE : JAIR_QUICK) || !is_on_others(run, setting))
            continue;
        for (size_t map = 0; map < OTHER_MAPS; map++) {
            other_row *row = &beyond->rows[map][beyond->row_count];
            row->setting = setting;
            if (!setting->base) continue;
            row->base = &beyond->bases[beyond->base_count++];
            *row->base =
                (tool_paper_base){.ground = &beyond->grounds[map], .settings = setting->base, .weight = 1};
            (void)snprintf(row->base->name, sizeof row->base->name, "jair2010-%s-%s", beyond->maps[map].name,
                           setting->key);
        }
        beyond->row_count++;
    }
}

static bool list_job(const jair_run *run, const tool_paper_ground *ground, other_row *row,
                     tool_paper_result *results) {
    if (!row->base)
        (void)snprintf(row->planner, sizeof row->planner, "%s", row->setting->planner);
    else if (!tool_paper_base_planner(row->base, row->setting->planner, row->planner, sizeof row->planner))
        return false;
    row->job = (tool_paper_job){.ground = ground,
                                .planner = row->planner,
                                .max_moves = run->most_moves,
                                .count = run->problems,
                                .weight = (double)run->problems,
                                .results = results};
    row->timed = row->job;
    row->timed.timed = true;
    row->timed.max_moves = JAIR_MOST_TIMED_MOVES;
    row->timed.count = run->timed_problems;
    row->timed.weight = 9 * (double)run->timed_problems;
    row->timed.results = results + run->problems;
    (void)snprintf(row->job.name, sizeof row->job.name, "%s/%s", row->setting->key, ground->name);
    (void)snprintf(row->timed.name, sizeof row->timed.name, "time/%s/%s", row->setting->key, ground->name);
    return true;
}

static int run_others(const jair_run *run, jair_beyond *beyond, tool_paper_store *store) {
    tool_paper_job jobs[2 * OTHER_MAPS * MOST_ROWS];
    size_t count = 0, each = run->problems + run->timed_problems;
    beyond->results = calloc(OTHER_MAPS * beyond->row_count * each, sizeof *beyond->results);
    if (!beyond->results) return tool_wrong("out of memory for the results");
    tool_paper_result *results = beyond->results;
    for (size_t map = 0; map < OTHER_MAPS; map++)
        for (size_t i = 0; i < beyond->row_count; i++, results += each) {
            other_row *row = &beyond->rows[map][i];
            if (!list_job(run, &beyond->grounds[map], row, results)) return TOOL_WRONG;
            jobs[count++] = row->job;
            if (run->timed_problems) jobs[count++] = row->timed;
        }
    return tool_paper_run_jobs(run->options, "problems on other maps", store, jobs, count);
}

int jair_beyond_measure(jair_run *run, tool_paper_store *store) {
    const tool_paper_options *options = run->options;
    const tool_knowledge known = {.kind = TOOL_KNOWN, .radius = 1};
    jair_beyond *beyond = run->beyond = calloc(1, sizeof *beyond);
    if (!beyond) return tool_wrong("out of memory for other maps");
    memcpy(beyond->maps, other_maps, sizeof beyond->maps);
    for (size_t i = 0; i < OTHER_MAPS; i++) {
        tool_paper_map *map = &beyond->maps[i];
        map->width = map->height = options->quick ? QUICK_SIDE : SIDE;
        /* As long as on the paper's maps; an eighth of that where a side is an eighth as long. */
        map->min_length = options->quick ? 125 : 1000, map->max_length = options->quick ? 375 : 3000;
    }
    tool_paper_options generated = *options;
    generated.maps = NULL; /* whatever files there may be of these names */
    if (!tool_paper_open_maps(&generated, run->problems, beyond->maps, OTHER_MAPS) ||
        !tool_paper_open_grounds(options, beyond->maps, OTHER_MAPS, &known, beyond->grounds))
        return TOOL_WRONG;
    list_bases(run, beyond);
    int result = tool_paper_open_bases(options, beyond->bases, beyond->base_count);
    if (result == TOOL_DONE) result = run_others(run, beyond, store);
    if (result == TOOL_DONE) result = jair_growth_measure(options, store, beyond->growth, &beyond->sizes);
    return result;
}

void jair_beyond_close(jair_run *run) {
    jair_beyond *beyond = run->beyond;
    if (!beyond) return;
    tool_paper_close_bases(beyond->bases, beyond->base_count);
    tool_paper_close_grounds(beyond->grounds, OTHER_MAPS);
    tool_paper_close_maps(beyond->maps, OTHER_MAPS);
    free(beyond->results);
    free(beyond);
    run->beyond = NULL;
}

/* What came out ----------------------------------------------------------------------------------------- */

typedef struct beyond_row {
    const char *maps, *label;
    double mb, seconds; /* of the database; NAN without one */
    tool_paper_summary summary, times;
} beyond_row;

static void add_row(tool_report_table *table, const beyond_row *row, bool apart) {
    const tool_report_cell cells[] = {
        tool_report_text_cell(row->maps),
        tool_report_text_cell(row->label),
        {.number = row->summary.suboptimality.mean,
         .margin = row->summary.suboptimality.margin,
         .decimals = 2},
        tool_report_number_cell(row->summary.median, 2),
        tool_report_number_cell(row->summary.p95, 2),
        tool_report_number_cell(row->summary.worst, 2),
        tool_report_number_cell((double)row->summary.unfinished, 0),
        tool_report_number_cell(row->mb, 2),
        tool_report_number_cell(row->seconds, 1),
        tool_report_number_cell(row->times.move_ns, 0),
        tool_report_number_cell(row->times.step_ns_max / 1000, 1),
        tool_report_number_cell(row->summary.online_bytes, 0),
    };
    tool_report_add_row(table, cells, apart);
}

static void add_table(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"maps", "maps", true, false},
        {"planner", "algorithm", true, false},
        {"suboptimality", "suboptimality %", false, false},
        {"median", "median", false, false},
        {"p95", "95th percentile", false, false},
        {"worst", "worst", false, false},
        {"unfinished", "cut", false, false},
        {"mb", "MB of the file", false, false},
        {"seconds", "seconds to build", false, false},
        {"ns", "ns/move", false, false},
        {"us_worst", "worst step, µs", false, false},
        {"agent_bytes", "bytes of an agent", false, false},
    };
    const jair_beyond *beyond = run->beyond;
    tool_report_table *table =
        tool_report_add_table(report, "after", "Beyond the paper: what has come after it", columns,
                              sizeof columns / sizeof *columns);
    bool apart = true;
    for (size_t i = 0; i < jair_setting_count; i++) {
        const jair_figures *figures = &run->figures[i];
        if (!figures->wanted || !is_compared(run, figures->setting)) continue;
        beyond_row row = {"the paper's four", figures->setting->label, figures->file_kb / 1024,
                          figures->seconds,   figures->summary,        figures->times};
        add_row(table, &row, apart);
        apart = false;
    }
    for (size_t map = 0; map < OTHER_MAPS; map++)
        for (size_t i = 0; i < beyond->row_count; i++) {
            const other_row *other = &beyond->rows[map][i];
            beyond_row row = {beyond->maps[map].name, other->setting->label, NAN, NAN, {0}, {0}};
            if (other->base)
                row.mb = (double)other->base->bytes / 1048576, row.seconds = other->base->seconds;
            if (!tool_paper_summarise(&other->job, 1, &row.summary) ||
                !tool_paper_summarise(&other->timed, 1, &row.times))
                return;
            add_row(table, &row, i == 0);
        }
}

/* Figures 12 to 15 once more, in real bytes, with all that has come after. */
typedef double value_of(const jair_figures *figures);

static double microseconds(const jair_figures *figures) {
    return figures->us;
}
static double seconds(const jair_figures *figures) {
    return figures->seconds;
}
static double megabytes(const jair_figures *figures) {
    return figures->file_kb / 1024;
}
static double cumulative(const jair_figures *figures) {
    return figures->summary.online_bytes / 1024 + (figures->setting->base ? figures->file_kb : 0);
}

static void add_figures(const jair_run *run, tool_report *report) {
    static const struct {
        const char *title, *x_label;
        value_of *value;
    } plots[] = {
        {"Figure 12 with atlases: suboptimality and time a move", "microseconds a move", microseconds},
        {"Figure 13 with atlases: suboptimality and precomputation", "seconds a map", seconds},
        {"Figure 14 with atlases: suboptimality and size of the file", "MB a map", megabytes},
        {"Figure 15 with atlases: suboptimality and memory of one agent, with the file", "KB", cumulative},
    };
    static const jair_line lines[] = {
        {"kNN LRTA*", 0, false}, {"D LRTA*", 1, false},
        {"TBA*", 2, false},      {"kNN, even, with TBA*", 4, false},
        {"atlas", 3, false},
    };
    for (size_t p = 0; p < sizeof plots / sizeof *plots; p++) {
        jair_point points[JAIR_MOST_POINTS];
        size_t count = 0;
        for (size_t i = 0; i < jair_setting_count; i++) {
            const jair_figures *figures = &run->figures[i];
            const jair_setting *setting = figures->setting;
            bool even = setting->part == JAIR_BEYOND && strstr(setting->key, "-even-tba");
            int line = setting->family == JAIR_ATLAS ? 4 : even ? 3 : (int)setting->family;
            if (!figures->wanted || setting->family == JAIR_ASTAR || setting->family == JAIR_JPS ||
                (setting->part != JAIR_PAPER && setting->part != JAIR_AFTER && !even))
                continue;
            count = jair_add_point(points, count, plots[p].value(figures),
                                   figures->summary.suboptimality.mean, INFINITY, line);
        }
        jair_plot_points(report, plots[p].title, plots[p].x_label, "suboptimality, per cent", points, count,
                         lines, sizeof lines / sizeof *lines);
    }
}

void jair_beyond_report(const jair_run *run, tool_report *report) {
    const jair_beyond *beyond = run->beyond;
    tool_report_note(
        report,
        "Beyond the paper: atlases (docs/atlas.md) and optimal paths by jump-point search, beside the "
        "paper's "
        "algorithms; on its maps, and on generated maps of %d x %d cells: slanted walls (%u open "
        "cells) and many small maps joined by corridors (%u). Sizes are those of files, memory is "
        "in real bytes.",
        (int)beyond->maps[0].width, (int)beyond->maps[0].height, wend_map_open_cells(beyond->maps[0].map),
        wend_map_open_cells(beyond->maps[1].map));
    add_figures(run, report);
    add_table(run, report);
    jair_growth_report(beyond->growth, beyond->sizes, report);
}
