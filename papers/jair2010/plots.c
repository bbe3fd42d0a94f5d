/* The figures of jair2010: suboptimality over time, precomputation and memory. */
#include "jair2010/jair2010.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double ours_of(const jair_figures *figures);
typedef double paper_of(const jair_paper *paper);

/* One of the paper's figures: suboptimality over something else. */
typedef struct jair_figure {
    int number, table; /* the table that has its values */
    const char *title, *x_label;
    ours_of *ours;
    paper_of *paper;
} jair_figure;

static double our_time(const jair_figures *figures) {
    return figures->us;
}
static double paper_time(const jair_paper *paper) {
    return paper->us;
}
static double our_seconds(const jair_figures *figures) {
    return figures->seconds;
}
static double paper_seconds(const jair_paper *paper) {
    return 3600 * paper->hours;
}
static double our_size(const jair_figures *figures) {
    return figures->base_kb / 1024;
}
static double paper_size(const jair_paper *paper) {
    return paper->mb;
}
static double our_memory(const jair_figures *figures) {
    return figures->strict_kb + (figures->setting->base ? figures->base_kb : 0);
}
static double paper_memory(const jair_paper *paper) {
    return paper->cumulative_kb;
}

static const jair_figure figures_of_paper[] = {
    {12, 1, "suboptimality and time a move", "microseconds a move", our_time, paper_time},
    {13, 2, "suboptimality and precomputation", "seconds a map", our_seconds, paper_seconds},
    {14, 3, "suboptimality and size of the database", "MB a map (the paper's count)", our_size, paper_size},
    {15, 5, "suboptimality and cumulative memory", "KB (the paper's count)", our_memory, paper_memory},
};

static int by_x(const void *a, const void *b) {
    double left = ((const jair_point *)a)->x, right = ((const jair_point *)b)->x;
    return (left > right) - (left < right);
}

size_t jair_add_point(jair_point *points, size_t count, double x, double y, double most, int line) {
    if (count == JAIR_MOST_POINTS || !(x > 0) || !(y > 0) || !isfinite(x) || !(y <= most)) return count;
    points[count] = (jair_point){x, y, line};
    return count + 1;
}

void jair_plot_points(tool_report *report, const char *title, const char *x_label, const char *y_label,
                      jair_point *points, size_t count, const jair_line *lines, int line_count) {
    if (!count) return;
    qsort(points, count, sizeof *points, by_x);
    double x[JAIR_MOST_POINTS] = {0}, y[JAIR_MOST_POINTS];
    size_t used = 0, place[JAIR_MOST_POINTS];
    for (size_t i = 0; i < count; i++) {
        if (!used || x[used - 1] < points[i].x) x[used++] = points[i].x;
        place[i] = used - 1;
    }
    double least = points[0].y, most = least;
    for (size_t i = 0; i < count; i++) least = fmin(least, points[i].y), most = fmax(most, points[i].y);
    tool_report_plot *plot = tool_report_add_plot(report, title, x_label, y_label, x, used);
    /* An axis of logarithms over less than a power of ten would have no numbers. */
    tool_report_scatter(plot, x[used - 1] >= 10 * x[0], most >= 10 * least);
    for (int line = 0; line < line_count; line++) {
        bool any = false;
        for (size_t i = 0; i < used; i++) y[i] = NAN;
        for (size_t i = 0; i < count; i++)
            if (points[i].line == line) y[place[i]] = points[i].y, any = true;
        if (any) tool_report_add_line(plot, lines[line].label, y, lines[line].colour, lines[line].dashed);
    }
}

/* All of it, or the region of good solutions. */
static void add_figure(const jair_run *run, tool_report *report, const jair_figure *figure, bool good) {
    static const jair_line lines[] = {
        {"kNN LRTA*", 0, false},         {"D LRTA*", 1, false},       {"TBA*", 2, false},
        {"kNN LRTA*, paper", 0, true},   {"D LRTA*, paper", 1, true}, {"TBA*, paper", 2, true},
        {"kNN LRTA*, median", 5, false},
    };
    jair_point points[JAIR_MOST_POINTS];
    size_t count = 0;
    double most = good ? 1000 : INFINITY;
    for (size_t i = 0; i < jair_setting_count; i++) {
        const jair_figures *figures = &run->figures[i];
        const jair_setting *setting = figures->setting;
        if (!figures->wanted || setting->part != JAIR_PAPER || setting->family == JAIR_ASTAR) continue;
        int line = (int)setting->family;
        double x = figure->ours(figures);
        count = jair_add_point(points, count, x, figures->summary.suboptimality.mean, most, line);
        if (setting->family == JAIR_KNN)
            count = jair_add_point(points, count, x, figures->summary.median, most, 6);
        if (setting->in_paper)
            count = jair_add_point(points, count, figure->paper(&setting->paper),
                                   setting->paper.suboptimality, most, 3 + line);
    }
    char title[128];
    (void)snprintf(title, sizeof title, "Figure %d, %s: %s", figure->number, good ? "right" : "left",
                   figure->title);
    if (good) (void)snprintf(title + strlen(title), sizeof title - strlen(title), ", up to %.0f%%", most);
    jair_plot_points(report, title, figure->x_label, "suboptimality, per cent", points, count, lines,
                     sizeof lines / sizeof *lines);
}

/* What the number of records brings, mean and ranks: the paper has the mean only. */
static void add_records_plot(const jair_run *run, tool_report *report) {
    static const jair_line lines[] = {{"mean", 0, false},
                                      {"median", 5, false},
                                      {"95th percentile", 2, false},
                                      {"mean, paper", 0, true},
                                      {"mean, spread evenly", 3, false},
                                      {"median, spread evenly", 4, false}};
    jair_point points[JAIR_MOST_POINTS];
    size_t count = 0;
    for (size_t i = 0; i < jair_setting_count; i++) {
        const jair_figures *figures = &run->figures[i];
        const jair_setting *setting = figures->setting;
        if (!figures->wanted || setting->family != JAIR_KNN || strchr(setting->planner, ':')) continue;
        const tool_paper_summary *summary = &figures->summary;
        double x = setting->size;
        if (setting->part == JAIR_PAPER) {
            count = jair_add_point(points, count, x, summary->suboptimality.mean, INFINITY, 0);
            count = jair_add_point(points, count, x, summary->median, INFINITY, 1);
            count = jair_add_point(points, count, x, summary->p95, INFINITY, 2);
            count = jair_add_point(points, count, setting->in_paper ? x : NAN, setting->paper.suboptimality,
                                   INFINITY, 3);
        } else if (setting->part == JAIR_BEYOND) {
            count = jair_add_point(points, count, x, summary->suboptimality.mean, INFINITY, 4);
            count = jair_add_point(points, count, x, summary->median, INFINITY, 5);
        }
    }
    jair_plot_points(report, "kNN LRTA*: suboptimality and the number of records", "records",
                     "suboptimality, per cent", points, count, lines, sizeof lines / sizeof *lines);
}

void jair_add_plots(const jair_run *run, tool_report *report) {
    for (size_t i = 0; i < sizeof figures_of_paper / sizeof *figures_of_paper; i++) {
        const jair_figure *figure = &figures_of_paper[i];
        if (!run->options->tables[figure->table - 1]) continue;
        add_figure(run, report, figure, false);
        add_figure(run, report, figure, true);
    }
    if (run->options->tables[0]) add_records_plot(run, report);
}
