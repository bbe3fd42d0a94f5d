/* `wend bench --html`: what the planners came to as one page of plots, tables and pictures. */
#include "commands/bench/html.h"
#include "shared/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Collecting -------------------------------------------------------------------------------------------- */

bench_page *tool_bench_page_create(const bench_task *bench) {
    bench_page *page = calloc(1, sizeof *page);
    if (!page) {
        (void)tool_wrong("out of memory for a page");
        return NULL;
    }
    page->bench = bench;
    return page;
}

static void free_entry(bench_entry *entry) {
    free(entry->planner);
    free(entry->label);
    free(entry->steps.data);
}

void tool_bench_page_destroy(bench_page *page) {
    if (!page) return;
    for (size_t i = 0; i < page->count; i++) free_entry(&page->entries[i]);
    free(page->entries);
    free(page);
}

static size_t bin_of(uint64_t nanoseconds) {
    if (!nanoseconds) return 0;
    double bin = floor(8 * log10((double)nanoseconds) + 1e-9);
    return bin < BENCH_PAGE_BINS - 1 ? (size_t)bin : BENCH_PAGE_BINS - 1;
}

/* The middle of a bin, in ns. */
static double bin_time(size_t bin) {
    return pow(10, ((double)bin + 0.5) / 8);
}

bool tool_bench_page_add(bench_page *page, const bench_runs *runs, const bench_summary *summary) {
    bench_entry *entries = realloc(page->entries, (page->count + 1) * sizeof *entries);
    if (entries) page->entries = entries;
    char *planner = malloc(strlen(runs->planner) + 1), *label = tool_planner_label(runs->planner);
    if (!entries || !planner || !label) {
        (void)tool_wrong("out of memory for a page");
        free(planner);
        free(label);
        return false;
    }
    memcpy(planner, runs->planner, strlen(runs->planner) + 1);
    bench_entry *entry = &entries[page->count++];
    *entry = (bench_entry){.planner = planner,
                           .label = label,
                           .summary = *summary,
                           .db_bytes = runs->db_bytes,
                           .build_seconds = runs->db_bytes ? runs->build_seconds : 0};
    for (size_t i = 0; i < runs->calls; i++)
        entry->bins[bin_of(tool_bench_nanoseconds(runs->step_times[i]))]++;
    return tool_bench_find_worst(page->bench, runs, entry);
}

const char *tool_bench_label(const bench_page *page, size_t index) {
    const bench_entry *entry = &page->entries[index];
    for (size_t i = 0; i < page->count; i++)
        if (i != index && strcmp(entry->label, page->entries[i].label) == 0) return entry->planner;
    return entry->label;
}

/* The table --------------------------------------------------------------------------------------------- */

static void add_row(const bench_page *page, size_t i, tool_report_table *table) {
    const bench_entry *entry = &page->entries[i];
    const bench_summary *of = &entry->summary;
    char arrived[64];
    (void)snprintf(arrived, sizeof arrived, "%zu of %zu", of->statuses[TOOL_RUN_ARRIVED], page->bench->count);
    shared_quantity mean = shared_time(of->move_ns_mean), p999 = shared_time(of->move_ns_p999),
                    longest = shared_time(of->move_ns_max), first = shared_time(of->first_move_ns_mean),
                    memory = shared_bytes((double)of->online_bytes_max),
                    database = shared_bytes((double)entry->db_bytes),
                    built = shared_time(entry->build_seconds * 1e9);
    bench_text ends = tool_bench_ends(of);
    bool has_db = entry->db_bytes > 0;
    const tool_report_cell cells[] = {
        tool_report_text_cell(tool_bench_label(page, i)),
        tool_report_valued_cell(arrived, (double)of->statuses[TOOL_RUN_ARRIVED]),
        tool_report_number_cell(of->suboptimality_mean, 2),
        tool_report_number_cell(of->suboptimality_median, 2),
        tool_report_number_cell(of->suboptimality_p95, 2),
        tool_report_number_cell(of->suboptimality_max, 1),
        tool_report_number_cell(of->suboptimality_bound_mean, 2),
        tool_report_valued_cell(of->busy ? "busy" : mean.text, of->move_ns_mean),
        tool_report_valued_cell(p999.text, of->move_ns_p999),
        tool_report_valued_cell(longest.text, of->move_ns_max),
        tool_report_valued_cell(first.text, of->first_move_ns_mean),
        tool_report_number_cell(of->moves_mean, 1),
        tool_report_number_cell(of->intervals_mean, 1),
        tool_report_number_cell(of->expansions_mean, 1),
        tool_report_number_cell(of->revisits_mean, 1),
        tool_report_valued_cell(memory.text, (double)of->online_bytes_max),
        tool_report_valued_cell(has_db ? database.text : "", has_db ? (double)entry->db_bytes : NAN),
        tool_report_valued_cell(has_db ? built.text : "", has_db ? entry->build_seconds : NAN),
        tool_report_text_cell(ends.text),
        tool_report_text_cell(entry->planner),
    };
    tool_report_add_row(table, cells, false);
}

static void add_table(const bench_page *page, tool_report *report) {
    static const tool_report_column columns[] = {
        {"label", "planner", true, false},
        {"arrived", "arrived", false, false},
        {"suboptimality_mean", "over optimal: mean, %", false, false},
        {"suboptimality_median", "median", false, false},
        {"suboptimality_p95", "95th", false, false},
        {"suboptimality_max", "most", false, false},
        {"suboptimality_bound_mean", "all: at least", false, false},
        {"move_ns_mean", "time per move", false, false},
        {"move_ns_p999", "99.9th", false, false},
        {"move_ns_max", "longest", false, false},
        {"first_move_ns_mean", "first move", false, false},
        {"moves_mean", "moves", false, false},
        {"intervals_mean", "intervals", false, false},
        {"expansions_mean", "expansions", false, false},
        {"revisits_mean", "revisits", false, false},
        {"online_bytes_max", "peak memory", false, false},
        {"db_bytes", "database", false, false},
        {"build_seconds", "built in", false, false},
        {"ends", "not arrived", true, false},
        {"planner", "as written", true, true},
    };
    tool_report_table *table =
        tool_report_add_table(report, "planners", "Planners", columns, sizeof columns / sizeof *columns);
    tool_report_lead(table);
    for (size_t i = 0; i < page->count; i++) add_row(page, i, table);
}

/* Plots ------------------------------------------------------------------------------------------------- */

typedef struct point {
    double x, y;
    size_t entry;
} point;

static int by_place(const void *a, const void *b) {
    const point *left = a, *right = b;
    if (left->x != right->x) return left->x < right->x ? -1 : 1;
    if (left->y != right->y) return left->y < right->y ? -1 : 1;
    return (left->entry > right->entry) - (left->entry < right->entry);
}

/* Where 0 stands on an axis of logarithms: a power of ten below all that is above it; 0 if nothing is 0. */
static double place_of_zero(const point *points, size_t count, bool x) {
    double least = INFINITY;
    bool zero = false;
    for (size_t i = 0; i < count; i++) {
        double value = x ? points[i].x : points[i].y;
        if (value <= 0)
            zero = true;
        else if (value < least)
            least = value;
    }
    if (!zero) return 0;
    return isinf(least) ? 0.01 : pow(10, floor(log10(least)) - 1);
}

typedef struct plot_kind {
    const char *title, *x_label;
    tool_report_unit unit;
    double (*x)(const bench_entry *entry);
} plot_kind;

static double time_of(const bench_entry *entry) {
    return entry->summary.move_ns_mean;
}
static double size_of(const bench_entry *entry) {
    return (double)entry->db_bytes;
}
static double build_of(const bench_entry *entry) {
    return entry->build_seconds;
}

/* A planner whose runs were cut has a mean of fewer problems than others: it can't be held against theirs. */
static bool comparable(const bench_entry *entry) {
    const size_t *statuses = entry->summary.statuses;
    return !statuses[TOOL_RUN_UNFINISHED] && !statuses[TOOL_RUN_OUT_OF_MEMORY] &&
           !statuses[TOOL_RUN_BAD_DATABASE];
}

/* A point a planner, and the front of those that no other beats both ways. Planners without figures, or with
 * runs that were cut, have none. */
static bool add_plot(const bench_page *page, tool_report *report, const plot_kind *kind) {
    size_t room = page->count ? page->count : 1, count = 0;
    point *points = malloc(room * sizeof *points);
    double *x = malloc(2 * room * sizeof *x), *y = x + room;
    bool good = points && x;
    if (!good) (void)tool_wrong("out of memory for a page");
    for (size_t i = 0; good && i < page->count; i++) {
        point at = {kind->x(&page->entries[i]), page->entries[i].summary.suboptimality_mean, i};
        if (isfinite(at.x) && isfinite(at.y) && comparable(&page->entries[i])) points[count++] = at;
    }
    if (good && count) {
        qsort(points, count, sizeof *points, by_place);
        for (size_t i = 0; i < count; i++) x[i] = points[i].x;
        tool_report_plot *plot =
            tool_report_add_plot(report, kind->title, kind->x_label, "mean over optimal, %", x, count);
        const tool_report_look look = {.log_x = true,
                                       .log_y = true,
                                       .zero_x = place_of_zero(points, count, true),
                                       .zero_y = place_of_zero(points, count, false),
                                       .x_unit = kind->unit,
                                       .names = true};
        tool_report_set_look(plot, &look);
        double best = INFINITY;
        for (size_t i = 0; i < count; i++) {
            y[i] = points[i].y < best ? points[i].y : NAN;
            if (points[i].y < best) best = points[i].y;
        }
        if (count > 1) tool_report_add_front(plot, "pareto front", y);
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < count; j++) y[j] = i == j ? points[i].y : NAN;
            tool_report_add_line(plot, tool_bench_label(page, points[i].entry), y, (int)points[i].entry,
                                 false);
        }
    }
    free(points);
    free(x);
    return good;
}

/* How many steps took how long: a histogram a planner, all over the same times. */
static void add_histograms(const bench_page *page, tool_report *report) {
    size_t first = BENCH_PAGE_BINS, last = 0;
    for (size_t i = 0; i < page->count; i++)
        for (size_t bin = 0; bin < BENCH_PAGE_BINS; bin++) {
            if (!page->entries[i].bins[bin]) continue;
            if (bin < first) first = bin;
            if (bin > last) last = bin;
        }
    if (first > last) return;
    double x[BENCH_PAGE_BINS], y[BENCH_PAGE_BINS];
    size_t count = last - first + 1;
    for (size_t i = 0; i < count; i++) x[i] = bin_time(first + i);
    const tool_report_look look = {.log_x = true,
                                   .log_y = true,
                                   .x_unit = TOOL_REPORT_NANOSECONDS,
                                   .bars = true,
                                   .low_x = bin_time(first),
                                   .high_x = bin_time(last),
                                   .group = "How many steps took how long"};
    for (size_t i = 0; i < page->count; i++) {
        const uint64_t *bins = page->entries[i].bins;
        uint64_t steps = 0;
        for (size_t j = 0; j < count; j++) {
            y[j] = bins[first + j] ? (double)bins[first + j] : NAN;
            steps += bins[first + j];
        }
        if (!steps) continue;
        tool_report_plot *plot =
            tool_report_add_plot(report, tool_bench_label(page, i), "time of a step", "steps", x, count);
        tool_report_set_look(plot, &look);
        tool_report_add_line(plot, "steps", y, (int)i, false);
    }
}

/* The page ---------------------------------------------------------------------------------------------- */

static void describe(const bench_page *page, tool_report *report) {
    static const char *const corners[] = {"any", "one", "strict"};
    const bench_task *bench = page->bench;
    const wend_rules rules = wend_map_rules(bench->map);
    if (!bench->count)
        tool_report_note(report, "The scenario has no problems: there is nothing to show.");
    else
        tool_report_note(report,
                         "%zu problems, each solved by %zu planner%s. Over optimal: by how many per cent the "
                         "way gone was longer than the shortest. The mean time is that of passes without "
                         "clocks inside; the other times are the least of five passes for each step%s. A "
                         "click on a column's head sorts by it.",
                         bench->count, page->count, page->count == 1 ? "" : "s",
                         bench->interval.nanoseconds ? ", but with real milliseconds those of the one run"
                                                     : "");
    char cut[1024] = "";
    for (size_t i = 0; i < page->count; i++) {
        size_t used = strlen(cut);
        if (!comparable(&page->entries[i]))
            (void)snprintf(cut + used, sizeof cut - used, "%s%s", used ? ", " : "",
                           tool_bench_label(page, i));
    }
    if (*cut)
        tool_report_note(report,
                         "Not in the plots of suboptimality, since they did not come to the end of every "
                         "problem and their means leave those out: %s.",
                         cut);
    char size[64];
    (void)snprintf(size, sizeof size, "%d x %d, %u open", (int)wend_map_width(bench->map),
                   (int)wend_map_height(bench->map), (unsigned)wend_map_open_cells(bench->map));
    tool_report_set_text(report, "map", bench->map_name);
    tool_report_set_text(report, "cells", size);
    tool_report_set_number(report, "problems", (double)bench->count);
    tool_report_set_number(report, "connect", rules.connect);
    tool_report_set_text(report, "corners", corners[rules.corners]);
    tool_report_set_text(report, "diagonal", rules.diagonal == WEND_DIAGONAL_SQRT2 ? "sqrt2" : "1.4");
    tool_report_set_text(report, "knowledge", bench->knowledge_text);
    if (bench->edits_name) tool_report_set_text(report, "edits", bench->edits_name);
    if (bench->interval_text) tool_report_set_text(report, "interval", bench->interval_text);
    tool_report_set_number(report, "max_moves", (double)bench->max_moves);
}

bool tool_bench_page_write(const bench_page *page, FILE *file) {
    static const plot_kind plots[] = {
        {"Suboptimality and time", "time per move", TOOL_REPORT_NANOSECONDS, time_of},
        {"Suboptimality and the size of the database", "size of the database; 0: none", TOOL_REPORT_BYTES,
         size_of},
        {"Suboptimality and the time to build", "seconds to build the database; 0: none", TOOL_REPORT_SECONDS,
         build_of},
    };
    char title[512];
    (void)snprintf(title, sizeof title, "Planners on %s", page->bench->map_name);
    tool_report *report = tool_report_create("bench", title);
    bool good = report != NULL, databases = false;
    if (!good) (void)tool_wrong("out of memory for a page");
    for (size_t i = 0; i < page->count; i++) databases = databases || page->entries[i].db_bytes;
    if (good) {
        describe(page, report);
        add_table(page, report);
    }
    for (size_t i = 0; good && i < (databases ? sizeof plots / sizeof *plots : 1); i++)
        good = add_plot(page, report, &plots[i]);
    if (good) add_histograms(page, report);
    good = good && tool_bench_show_worst(page, report);
    if (good && !tool_report_complete(report)) {
        (void)tool_wrong("out of memory for a page");
        good = false;
    }
    if (good) tool_report_write_html(file, report);
    tool_report_destroy(report);
    return good;
}
