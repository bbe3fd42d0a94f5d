/* The report of knn2009: table 1, figure 8, the maps one by one, times, and what must come out. */
#include "knn2009/knn2009.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row's figures. */
typedef struct figures {
    tool_paper_summary all, timed;
    double seconds, size, bytes, records; /* of its databases: means of the maps; 0 without */
} figures;

static double mean_fact(const tool_paper_base *bases, const char *name) {
    double sum = 0;
    for (size_t i = 0; i < KNN09_MAPS; i++) sum += tool_paper_base_fact(&bases[i], name);
    return sum / KNN09_MAPS;
}

static bool take_figures(const tool_paper_rows *run, int row, figures *of) {
    *of = (figures){.seconds = 0};
    if (!tool_paper_summarise(tool_paper_row_jobs(run, row, false), KNN09_MAPS, &of->all) ||
        !tool_paper_summarise(tool_paper_row_jobs(run, row, true), run->timed_problems ? KNN09_MAPS : 0,
                              &of->timed))
        return false;
    const tool_paper_base *bases = tool_paper_row_bases(run, row);
    if (!bases) return true;
    for (size_t i = 0; i < KNN09_MAPS; i++) {
        of->seconds += bases[i].seconds / KNN09_MAPS; /* NAN where one is not known */
        of->bytes += (double)bases[i].bytes / KNN09_MAPS;
    }
    of->size = mean_fact(bases, "relative_size");
    of->records = mean_fact(bases, "records");
    return true;
}

/* Tables ------------------------------------------------------------------------------------------------ */

static tool_report_cell mean_cell(tool_report_mean mean, int decimals) {
    return (tool_report_cell){.number = mean.mean, .margin = mean.margin, .decimals = decimals};
}

static bool begins_group(int row) {
    return row == KNN09_KNN_1000 || row == KNN09_DLRTA_7 || row == KNN09_ROWS;
}

static double per_cent(size_t part, size_t all) {
    return all ? 100 * (double)part / (double)all : NAN;
}

/* The paper's table: its columns, and ours in bytes. */
static void add_table(tool_report *report, const figures *of) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},         {"seconds", "s", false, false},
        {"seconds_paper", "paper", false, true},       {"relative_size", "size", false, false},
        {"relative_size_paper", "paper", false, true}, {"kilobytes", "KB", false, false},
        {"suboptimality", "over %", false, false},     {"suboptimality_paper", "paper", false, true},
        {"expansions", "exp.", false, false},          {"expansions_paper", "paper", false, true},
    };
    tool_report_table *table = tool_report_add_table(
        report, "table1", "Table 1: databases, suboptimality, and expansions a move (means)", columns,
        sizeof columns / sizeof *columns);
    for (int row = 0; row < KNN09_ALL; row++) {
        const tool_paper_row *about = &knn09_rows[row];
        const tool_report_cell cells[] = {
            tool_report_text_cell(about->label),
            tool_report_number_cell(of[row].seconds, 2),
            tool_report_number_cell(about->paper[KNN09_MINUTES] * 60, 1),
            tool_report_number_cell(of[row].size, 2),
            tool_report_number_cell(about->paper[KNN09_SIZE], 2),
            tool_report_number_cell(of[row].bytes / 1024, 1),
            mean_cell(of[row].all.suboptimality, 2),
            tool_report_number_cell(about->paper[KNN09_OVER], 2),
            tool_report_number_cell(of[row].all.expansions.mean, 2),
            tool_report_number_cell(about->paper[KNN09_EXPANSIONS], 2),
        };
        tool_report_add_row(table, cells, begins_group(row));
    }
}

static void add_spread_table(tool_report *report, const figures *of) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"suboptimality", "mean", false, false},
        {"median", "median", false, false},
        {"p95", "95th percentile", false, false},
        {"worst", "worst", false, false},
        {"learnt_percent", "learnt %", false, false},
        {"revisited_percent", "went back %", false, false},
        {"revisits", "revisits", false, false},
    };
    tool_report_table *table =
        tool_report_add_table(report, "spread", "Over optimal, %: how it is spread over the problems",
                              columns, sizeof columns / sizeof *columns);
    for (int row = 0; row < KNN09_ALL; row++) {
        const tool_paper_summary *all = &of[row].all;
        const tool_report_cell cells[] = {
            tool_report_text_cell(knn09_rows[row].label),
            tool_report_number_cell(all->suboptimality.mean, 2),
            tool_report_number_cell(all->median, 2),
            tool_report_number_cell(all->p95, 1),
            tool_report_number_cell(all->worst, 1),
            tool_report_number_cell(per_cent(all->learnt, all->problems), 1),
            tool_report_number_cell(per_cent(all->revisited, all->problems), 1),
            tool_report_number_cell(all->revisits, 1),
        };
        tool_report_add_row(table, cells, begins_group(row));
    }
}

static bool add_maps_table(const tool_paper_rows *run, tool_report *report) {
    tool_report_column columns[1 + KNN09_ROWS] = {{"map", "map", true, false}};
    for (int row = 0; row < KNN09_ROWS; row++)
        columns[1 + row] = (tool_report_column){knn09_rows[row].key, knn09_rows[row].brief, false, false};
    tool_report_table *table = tool_report_add_table(
        report, "by-map", "Over optimal, %: the mean of each map", columns, 1 + KNN09_ROWS);
    for (size_t map = 0; map < KNN09_MAPS; map++) {
        tool_report_cell cells[1 + KNN09_ROWS] = {tool_report_text_cell(run->maps[map].name)};
        for (int row = 0; row < KNN09_ROWS; row++) {
            tool_paper_summary summary;
            if (!tool_paper_summarise(tool_paper_row_jobs(run, row, false) + map, 1, &summary)) return false;
            cells[1 + row] = tool_report_number_cell(summary.suboptimality.mean, 1);
        }
        tool_report_add_row(table, cells, false);
    }
    return true;
}

static void add_cost_table(const tool_paper_rows *run, tool_report *report, const figures *of) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"moves", "moves", false, false},
        {"operations", "operations", false, false},
        {"operations_max", "most", false, false},
        {"online_bytes", "bytes", false, false},
        {"online_bytes_max", "most", false, false},
        {"move_ns", "ns", false, false},
        {"step_ns_max", "longest step", false, false},
    };
    bool timed = run->timed_problems > 0;
    tool_report_table *table = tool_report_add_table(
        report, "costs",
        timed
            ? "Costs: moves a problem; operations a move, most in a step; bytes an agent used, mean and "
              "most; "
              "ns a move, and of the longest step"
            : "Costs: moves a problem; operations a move, most in a step; bytes an agent used, mean and most",
        columns, sizeof columns / sizeof *columns - (timed ? 0 : 2));
    for (int row = 0; row < KNN09_ALL; row++) {
        const tool_paper_summary *all = &of[row].all;
        const tool_report_cell cells[] = {
            tool_report_text_cell(knn09_rows[row].label),
            tool_report_number_cell(all->moves, 1),
            tool_report_number_cell(all->operations, 1),
            tool_report_number_cell((double)all->operations_max, 0),
            tool_report_number_cell(all->online_bytes, 0),
            tool_report_number_cell(all->online_max, 0),
            tool_report_number_cell(of[row].timed.move_ns, 0),
            tool_report_number_cell(of[row].timed.step_ns_max, 0),
        };
        tool_report_add_row(table, cells, begins_group(row));
    }
}

/* Figure 8 ---------------------------------------------------------------------------------------------- */

typedef struct point {
    double x, y;
    int line;
} point;

enum { OURS_KNN, OURS_DLRTA, PAPER_KNN, PAPER_DLRTA, LINES, POINTS = 2 * (KNN09_ROWS - 1) };

static int by_x(const void *a, const void *b) {
    double left = ((const point *)a)->x, right = ((const point *)b)->x;
    return (left > right) - (left < right);
}

/* Suboptimality over the size of the database, or over expansions a move: of all rows with a database. */
static void add_plot(tool_report *report, const figures *of, bool by_size) {
    static const char *const labels[LINES] = {"kNN LRTA* (1000, 5000, 10000)", "D LRTA* (7, 6, 5, 3)",
                                              "kNN LRTA*, paper", "D LRTA*, paper"};
    point points[POINTS];
    size_t used = 0;
    for (int row = KNN09_KNN_1000; row < KNN09_ROWS; row++) {
        const tool_paper_row *about = &knn09_rows[row];
        int line = row < KNN09_DLRTA_7 ? OURS_KNN : OURS_DLRTA;
        points[used++] = (point){by_size ? of[row].size : of[row].all.expansions.mean,
                                 of[row].all.suboptimality.mean, line};
        points[used++] = (point){by_size ? about->paper[KNN09_SIZE] : about->paper[KNN09_EXPANSIONS],
                                 about->paper[KNN09_OVER], line + PAPER_KNN};
    }
    qsort(points, POINTS, sizeof *points, by_x);
    double x[POINTS], least = INFINITY;
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = points[i].x;
        if (points[i].y < least) least = points[i].y;
    }
    tool_report_plot *plot = tool_report_add_plot(
        report,
        by_size ? "Figure 8, left: suboptimality and size of the database"
                : "Figure 8, right: suboptimality and expansions",
        by_size ? "size of the database, 1 = as many entries as the map has cells" : "expansions a move",
        "over optimal, %", x, POINTS);
    tool_report_scatter(plot, by_size, least > 0);
    for (int line = 0; line < LINES; line++) {
        double y[POINTS];
        for (size_t i = 0; i < POINTS; i++) y[i] = points[i].line == line ? points[i].y : NAN;
        tool_report_add_line(plot, labels[line], y, line % PAPER_KNN, line >= PAPER_KNN);
    }
}

/* What must come out ------------------------------------------------------------------------------------ */

/* By how much the first is more suboptimal than the second, problem by problem: they have the same ones. */
static bool difference(const tool_paper_rows *run, int more, int less, tool_report_mean *mean) {
    const tool_paper_job *left = tool_paper_row_jobs(run, more, false),
                         *right = tool_paper_row_jobs(run, less, false);
    double *values = malloc(run->problems * KNN09_MAPS * sizeof *values);
    if (!values) {
        (void)tool_wrong("out of memory for the figures");
        return false;
    }
    size_t used = 0;
    for (size_t map = 0; map < KNN09_MAPS; map++)
        for (size_t i = 0; i < run->problems; i++)
            values[used++] =
                tool_paper_suboptimality(&left[map], i) - tool_paper_suboptimality(&right[map], i);
    *mean = tool_report_mean_of(values, used);
    free(values);
    return true;
}

static tool_report_verdict verdict(bool good) {
    return good ? TOOL_REPORT_PASS : TOOL_REPORT_FAIL;
}

/* Some of what the paper says holds of maps of games, by its rules, and not of every map. */
static tool_report_verdict verdict_on_maps(const tool_paper_rows *run, bool good) {
    wend_rules rules = run->options->map.rules, paper = wend_default_rules();
    bool same =
        rules.connect == paper.connect && rules.corners == paper.corners && rules.diagonal == paper.diagonal;
    for (size_t i = 0; i < KNN09_MAPS; i++) {
        const tool_paper_map *map = &run->maps[i];
        int32_t by = map->reduce > 1 ? map->reduce : 1;
        same = same && !map->generated && wend_map_width(map->map) == (map->width + by - 1) / by &&
               wend_map_height(map->map) == (map->height + by - 1) / by;
    }
    return same ? verdict(good) : TOOL_REPORT_NOT_COMPARABLE;
}

static bool check_lrta(const tool_paper_rows *run, tool_report *report, const figures *of) {
    tool_report_mean least = {INFINITY, 0};
    int nearest = KNN09_KNN_1000;
    for (int row = KNN09_KNN_1000; row < KNN09_ROWS; row++) {
        tool_report_mean mean;
        if (!difference(run, KNN09_LRTA, row, &mean)) return false;
        if (!(mean.mean >= least.mean)) least = mean, nearest = row;
    }
    tool_report_add_check(report, verdict(least.mean > 0),
                          "LRTA* is the worst: %.1f%%, and %s, the next, %.1f%% (%.1f ±%.1f less)",
                          of[KNN09_LRTA].all.suboptimality.mean, knn09_rows[nearest].label,
                          of[nearest].all.suboptimality.mean, least.mean, least.margin);
    return true;
}

/* Each of these rows is better than the one before. */
static bool check_order(const tool_paper_rows *run, tool_report *report, const figures *of, int first,
                        int last) {
    char text[512] = "";
    bool good = true, grows = true;
    for (int row = first; row <= last; row++) {
        size_t used = strlen(text);
        tool_report_mean mean = {0, 0};
        if (row > first && !difference(run, row - 1, row, &mean)) return false;
        good = good && (row == first || mean.mean > 0);
        grows = grows && (row == first || of[row].size > of[row - 1].size);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.2f%%", row > first ? ", " : "",
                                 knn09_rows[row].label, of[row].all.suboptimality.mean);
        if (row > first)
            (void)snprintf(text + used, sizeof text - used, " (%.2f ±%.2f less)", mean.mean, mean.margin);
    }
    if (first == KNN09_KNN_1000)
        tool_report_add_check(report, verdict(good), "kNN LRTA* gets better with more records: %s", text);
    else
        tool_report_add_check(report, verdict(good && grows),
                              "D LRTA* gets better at lower levels, with more memory (%.2f, %.2f, %.2f and "
                              "%.2f times the map): %s",
                              of[KNN09_DLRTA_7].size, of[KNN09_DLRTA_6].size, of[KNN09_DLRTA_5].size,
                              of[KNN09_DLRTA_3].size, text);
    return true;
}

/* What the paper says in words. By its own count of sizes; ours in bytes is told beside it. */
static void check_sizes(tool_report *report, const figures *of) {
    static const struct {
        int small, large;
        double times; /* at least */
        const char *words;
    } pairs[] = {
        {KNN09_KNN_1000, KNN09_DLRTA_7, 9, "nine times less for paths as good"},
        {KNN09_KNN_1000, KNN09_DLRTA_3, 20, "tens of times less, smallest against largest"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const figures *small = &of[pairs[i].small], *large = &of[pairs[i].large];
        tool_report_add_check(
            report, verdict(large->size >= pairs[i].times * small->size),
            "%s needs less memory than %s by the paper's count, %s: %.1f times less (in the "
            "paper %.1f times; in bytes of our files %.1f times)",
            knn09_rows[pairs[i].small].label, knn09_rows[pairs[i].large].label, pairs[i].words,
            large->size / small->size,
            knn09_rows[pairs[i].large].paper[KNN09_SIZE] / knn09_rows[pairs[i].small].paper[KNN09_SIZE],
            large->bytes / small->bytes);
    }
}

static bool check_dominates(const tool_paper_rows *run, tool_report *report, const figures *of) {
    const figures *knn = &of[KNN09_KNN_10000], *dlrta = &of[KNN09_DLRTA_6];
    tool_report_mean mean;
    if (!difference(run, KNN09_DLRTA_6, KNN09_KNN_10000, &mean)) return false;
    tool_report_add_check(report, verdict_on_maps(run, mean.mean > 0 && knn->size < dlrta->size),
                          "kNN LRTA* (10000) is better than D LRTA* (6) and smaller: %.2f%% and %.2f%% (%.2f "
                          "±%.2f less), %.2f and %.2f times the map",
                          knn->all.suboptimality.mean, dlrta->all.suboptimality.mean, mean.mean, mean.margin,
                          knn->size, dlrta->size);
    return true;
}

static void check_expansions(const tool_paper_rows *run, tool_report *report, const figures *of) {
    double least = INFINITY, most = 0;
    for (int row = KNN09_KNN_1000; row < KNN09_ROWS; row++) {
        double expansions = of[row].all.expansions.mean;
        if (row < KNN09_DLRTA_7 && expansions < least) least = expansions;
        if (row >= KNN09_DLRTA_7 && expansions > most) most = expansions;
    }
    bool falls = of[KNN09_KNN_1000].all.expansions.mean > of[KNN09_KNN_5000].all.expansions.mean &&
                 of[KNN09_KNN_5000].all.expansions.mean > of[KNN09_KNN_10000].all.expansions.mean;
    tool_report_add_check(report, verdict_on_maps(run, falls && least > most),
                          "kNN LRTA* expands more a move than D LRTA*, for its climbs, and less with more "
                          "records: %.2f, %.2f and %.2f; D LRTA* at most %.2f",
                          of[KNN09_KNN_1000].all.expansions.mean, of[KNN09_KNN_5000].all.expansions.mean,
                          of[KNN09_KNN_10000].all.expansions.mean, most);
}

static bool judge(const tool_paper_rows *run, tool_report *report, const figures *of) {
    if (!check_lrta(run, report, of) || !check_order(run, report, of, KNN09_KNN_1000, KNN09_KNN_10000) ||
        !check_order(run, report, of, KNN09_DLRTA_7, KNN09_DLRTA_3))
        return false;
    check_sizes(report, of);
    check_expansions(run, report, of);
    return check_dominates(run, report, of);
}

/* The rest ---------------------------------------------------------------------------------------------- */

static void describe(const tool_paper_rows *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    tool_report_note(
        report,
        "Means over eight maps with %zu problems of cost 100 to 150 on each, with 95%% intervals (normal "
        "approximation), beside the paper's figures. The paper does not name its maps: five of Baldur's Gate "
        "and three of WarCraft III, of about the same sizes, stand for as many of each. So orders are to be "
        "compared, not figures one by one.",
        run->problems);
    tool_report_note(
        report,
        "Over: by how many per cent the way gone was longer than the shortest. Learnt: the share of "
        "problems in which the heuristic of some cell was raised; went back: in which the agent "
        "came to a cell where it had been. Those decide the mean. Expansions count every move of "
        "a climb that was tried, as in the paper; ours tries fewer, since records that are too far "
        "off to be climbed to are passed over unclimbed, with the same choice in the end. Size "
        "as the paper counts it: three entries a record of kNN LRTA*, one a cell and one a record "
        "of D LRTA*, over the cells of the map. KB: our files. Times to build are those of a map "
        "on %d threads; the paper's were estimated from runs of MATLAB.",
        options->threads);
    if (run->timed_problems)
        tool_report_note(report,
                         "Times are of %zu problems a map, on one thread: a move in the mean from passes "
                         "without clocks inside, the longest step from the least of five passes.",
                         run->timed_problems);
    static const char *const corners[] = {"any", "one", "strict"};
    const wend_rules rules = options->map.rules;
    tool_report_set_number(report, "seed", (double)options->seed);
    tool_report_set_number(report, "problems", (double)run->problems);
    tool_report_set_number(report, "timed_problems", (double)run->timed_problems);
    tool_report_set_number(report, "connect", rules.connect);
    tool_report_set_text(report, "corners", corners[rules.corners]);
    tool_report_set_text(report, "diagonal", rules.diagonal == WEND_DIAGONAL_SQRT2 ? "sqrt2" : "1.4");
    for (int row = 0; row < KNN09_ALL; row++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s%s%s", knn09_rows[row].planner,
                       knn09_rows[row].settings ? " with " : "",
                       knn09_rows[row].settings ? knn09_rows[row].settings : "");
        tool_report_set_text(report, knn09_rows[row].label, text);
    }
}

bool knn09_report(const tool_paper_rows *run, tool_report *report) {
    figures of[KNN09_ALL];
    for (int row = 0; row < KNN09_ALL; row++)
        if (!take_figures(run, row, &of[row])) return false;
    describe(run, report);
    add_table(report, of);
    add_spread_table(report, of);
    add_plot(report, of, true);
    add_plot(report, of, false);
    if (!judge(run, report, of) || !add_maps_table(run, report)) return false;
    add_cost_table(run, report, of);
    tool_paper_describe_maps(report, run->maps, KNN09_MAPS);
    return true;
}
