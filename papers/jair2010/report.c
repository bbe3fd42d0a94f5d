/* The report of jair2010: what was done, the problems, the limits, and what must come out. */
#include "jair2010/jair2010.h"
#include "shared/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The problems ------------------------------------------------------------------------------------------ */

typedef struct jair_spread {
    double least, most, mean, median, deviation;
} jair_spread;

static jair_spread spread_of(double *values, size_t count) {
    double sum = 0, squares = 0;
    qsort(values, count, sizeof *values, shared_by_double);
    for (size_t i = 0; i < count; i++) sum += values[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) squares += (values[i] - mean) * (values[i] - mean);
    return (jair_spread){values[0], values[count - 1], mean,
                         (values[(count - 1) / 2] + values[count / 2]) / 2,
                         count > 1 ? sqrt(squares / (double)(count - 1)) : 0};
}

static void add_spread(tool_report_table *table, const char *what, const jair_spread *paper,
                       const jair_spread *ours, int decimals) {
    const tool_report_cell cells[] = {
        tool_report_text_cell(what),
        tool_report_number_cell(paper->least, decimals),
        tool_report_number_cell(ours->least, decimals),
        tool_report_number_cell(paper->most, decimals),
        tool_report_number_cell(ours->most, decimals),
        tool_report_number_cell(paper->mean, decimals),
        tool_report_number_cell(ours->mean, decimals),
        tool_report_number_cell(paper->median, decimals),
        tool_report_number_cell(ours->median, decimals),
        tool_report_number_cell(paper->deviation, decimals),
        tool_report_number_cell(ours->deviation, decimals),
    };
    tool_report_add_row(table, cells, false);
}

/* Section 8.1: how long the paths are, and how hard for A*. */
static void add_problems(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"what", "problems", true, false},        {"least_paper", "least, paper", false, true},
        {"least", "least", false, false},         {"most_paper", "most, paper", false, true},
        {"most", "most", false, false},           {"mean_paper", "mean, paper", false, true},
        {"mean", "mean", false, false},           {"median_paper", "median, paper", false, true},
        {"median", "median", false, false},       {"deviation_paper", "deviation, paper", false, true},
        {"deviation", "deviation", false, false},
    };
    const jair_figures *astar = jair_find(run, "astar");
    size_t all = run->problems * JAIR_MAPS, used = 0;
    double *values = astar ? calloc(2 * all, sizeof *values) : NULL;
    if (!values) return;
    for (size_t map = 0; map < JAIR_MAPS; map++)
        for (size_t i = 0; i < run->problems; i++, used++) {
            const tool_paper_result *result = &astar->jobs[map].results[i];
            values[used] = tool_paper_length(&astar->jobs[map], i);
            values[all + used] = (double)result->expansions / (double)(result->moves ? result->moves : 1);
        }
    const jair_spread costs = {1003.8, 2999.8, 1881.76, 1855.2, 549.74},
                      hard = {1, 199.8, 62.60, 36.47, 64.14};
    jair_spread our_costs = spread_of(values, all), our_hard = spread_of(values + all, all);
    tool_report_table *table = tool_report_add_table(report, "problems", "Section 8.1: the problems", columns,
                                                     sizeof columns / sizeof *columns);
    add_spread(table, "optimal cost", &costs, &our_costs, 1);
    add_spread(table, "difficulty: A*'s expansions a move", &hard, &our_hard, 2);
    free(values);
}

/* Limits ------------------------------------------------------------------------------------------------ */

static void add_limit(tool_report_table *table, const char *label, const char *what, double limit,
                      double measured, int decimals, bool judged, bool apart) {
    const tool_report_cell cells[] = {
        tool_report_text_cell(label),
        tool_report_text_cell(what),
        tool_report_number_cell(limit, 0),
        tool_report_number_cell(measured, decimals),
        tool_report_text_cell(judged ? "judged" : "shown"),
    };
    tool_report_add_row(table, cells, apart);
}

/* What 60,000 records may take. Times are this machine's. */
static void add_limits(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false}, {"what", "what", true, false},
        {"limit", "at most", false, true},     {"measured", "measured", false, false},
        {"judged", "", true, false},
    };
    static const char *const keys[] = {"knn-60000", "knn-60000-even", "knn-60000-even-tba"};
    tool_report_table *table = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const jair_figures *knn = jair_find(run, keys[i]);
        if (!knn) continue;
        if (!table)
            table = tool_report_add_table(report, "limits", "What 60,000 records may take", columns,
                                          sizeof columns / sizeof *columns);
        const char *label = knn->setting->label;
        add_limit(table, label, "seconds to build, on the map that takes longest", 45, knn->seconds_most, 1,
                  false, true);
        add_limit(table, label, "MB of the largest file", 2, knn->file_most_kb / 1024, 2, true, false);
        add_limit(table, label, "ns a move, over all moves", 250, knn->times.move_ns, 0, false, false);
        add_limit(table, label, "µs of the worst step", 20, knn->times.step_ns_max / 1000, 1, false, false);
        add_limit(table, label, "bytes of an agent, workspaces apart", 4096, knn->own_bytes, 0, true, false);
    }
}

/* What must come out ------------------------------------------------------------------------------------ */

/* The maps that are meant, by their sizes, under the usual rules. */
static bool is_comparable(const jair_run *run) {
    wend_rules rules = run->options->map.rules, usual = wend_default_rules();
    bool same = rules.connect == usual.connect && rules.corners == usual.corners;
    for (size_t i = 0; i < JAIR_MAPS; i++) {
        const tool_paper_map *map = &run->maps[i];
        same = same && !map->generated && wend_map_width(map->map) == map->width * map->scale &&
               wend_map_height(map->map) == map->height * map->scale;
    }
    return same;
}

static tool_report_verdict verdict(const jair_run *run, bool good) {
    if (!is_comparable(run)) return TOOL_REPORT_NOT_COMPARABLE;
    return good ? TOOL_REPORT_PASS : TOOL_REPORT_FAIL;
}

/* With more records there are fewer problems without one, and the others are solved better. */
static void check_fall(const jair_run *run, tool_report *report) {
    char text[512] = "";
    const jair_figures *last = NULL;
    bool falls = true;
    for (size_t i = 0; i < jair_setting_count; i++) {
        const jair_figures *figures = &run->figures[i];
        const jair_setting *setting = figures->setting;
        if (!figures->wanted || setting->family != JAIR_KNN || setting->part != JAIR_PAPER) continue;
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%u: %.2f%%, %zu", last ? "; " : "", setting->size,
                       figures->summary.median, figures->summary.learnt);
        if (last)
            falls = falls && figures->summary.median < last->summary.median &&
                    figures->summary.learnt <= last->summary.learnt;
        last = figures;
    }
    tool_report_add_check(
        report, verdict(run, falls),
        "with more records the median falls, and so does the number of problems that learnt "
        "(records: median, number: %s)",
        text);
}

static void check_means(const jair_run *run, tool_report *report) {
    const jair_figures *few = jair_find(run, "knn-10000"), *many = jair_find(run, "knn-60000");
    if (few && many) {
        double least = few->summary.suboptimality.mean, most = many->summary.suboptimality.mean;
        tool_report_add_check(report, verdict(run, least >= 1000),
                              "at 10,000 records the mean is in the thousands of per cent (%.2f%%, with %zu "
                              "runs cut; the paper's is %.2f%%)",
                              least, few->summary.unfinished, few->setting->paper.suboptimality);
        tool_report_add_check(
            report, verdict(run, 10 * most <= least),
            "at 60,000 records it is a tenth of that or less (%.2f%%, with %zu runs cut; the "
            "paper's is %.2f%%)",
            most, many->summary.unfinished, many->setting->paper.suboptimality);
    }
    if (many)
        tool_report_add_check(report, verdict(run, many->summary.median < 8),
                              "at 60,000 records the median is under 8%% (%.2f%%)", many->summary.median);
}

static void check_order(const jair_run *run, tool_report *report) {
    const jair_figures *knn = jair_find(run, "knn-60000"), *dlrta = jair_find(run, "dlrta-9"),
                       *coarse = jair_find(run, "dlrta-12"), *tba = jair_find(run, "tba-100");
    if (knn && dlrta && tba) {
        double mean = knn->summary.suboptimality.mean;
        tool_report_add_check(
            report,
            verdict(run, mean < tba->summary.suboptimality.mean && mean < dlrta->summary.suboptimality.mean),
            "kNN LRTA*(60000)'s mean, %.2f%%, is below that of TBA*(100), %.2f%%, and of D "
            "LRTA*(9), %.2f%%",
            mean, tba->summary.suboptimality.mean, dlrta->summary.suboptimality.mean);
    }
    if (dlrta && coarse) {
        double fine_mean = dlrta->summary.suboptimality.mean, mean = coarse->summary.suboptimality.mean;
        tool_report_add_check(report, verdict(run, fine_mean < mean && dlrta->file_kb > coarse->file_kb),
                              "D LRTA* improves with lower levels at rising memory (12: %.2f%%, %.2f MB; 9: "
                              "%.2f%%, %.2f MB)",
                              mean, coarse->file_kb / 1024, fine_mean, dlrta->file_kb / 1024);
    }
}

/* Against the smallest of D LRTA*'s, the coarsest. */
static void check_sizes(const jair_run *run, tool_report *report) {
    const jair_figures *knn = jair_find(run, jair_compared_keys(run).knn),
                       *dlrta = jair_find(run, "dlrta-12");
    if (!knn || !dlrta) return;
    double counted = dlrta->base_kb / knn->base_kb, real = dlrta->file_kb / knn->file_kb;
    tool_report_add_check(report, verdict(run, counted >= 10 && real >= 10),
                          "the database of %s is tens of times smaller than that of %s, the smallest of D "
                          "LRTA* (%.1f times by the paper's count, %.1f as files)",
                          knn->setting->label, dlrta->setting->label, counted, real);
}

static void check_break_even(const jair_run *run, tool_report *report) {
    const jair_figures *tba = jair_find(run, jair_compared_keys(run).tba);
    char text[512] = "";
    bool good = tba != NULL;
    for (size_t i = 0; i < jair_setting_count && tba; i++) {
        const jair_figures *figures = &run->figures[i];
        const jair_setting *setting = figures->setting;
        if (!figures->wanted || setting->family != JAIR_KNN || !setting->in_paper) continue;
        double counted = jair_break_even(figures, tba, false), real = jair_break_even(figures, tba, true);
        good = good && counted <= 2 && real <= 2;
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%u records: %.0f and %.0f", *text ? "; " : "",
                       setting->size, counted, real);
    }
    if (*text)
        tool_report_add_check(
            report, verdict(run, good),
            "kNN LRTA* takes less memory than TBA* from one or two agents on (by the paper's "
            "count and in real bytes, %s)",
            text);
}

static void check_limits(const jair_run *run, tool_report *report) {
    const jair_figures *knn = jair_find(run, "knn-60000");
    if (!knn) return;
    tool_report_add_check(report, verdict(run, knn->file_most_kb <= 2 * 1024),
                          "60,000 records take at most 2 MB on every map (%.2f MB at most)",
                          knn->file_most_kb / 1024);
    tool_report_add_check(
        report, verdict(run, knn->own_bytes <= 4096),
        "an agent takes at most 4 KB in the mean, workspaces of a fallback apart (%.0f bytes)",
        knn->own_bytes);
}

/* Footnote 4. A median is not moved by the few problems in which something was learnt. */
static void check_candidates(const jair_run *run, tool_report *report) {
    const jair_figures *many = jair_find(run, run->options->quick ? "knn-10000-m100" : "knn-60000-m100");
    const jair_figures *few = many ? jair_find(run, many->setting->than) : NULL;
    if (!few) return;
    double gain = few->summary.median - many->summary.median;
    tool_report_add_check(
        report, verdict(run, gain < 1),
        "100 candidates in place of 10 bring little (%s: median %.2f%% and %.2f%%, %.1f%% and "
        "%.1f%% of problems without a record; %.3f and %.3f µs a move)",
        few->setting->label, few->summary.median, many->summary.median, few->without, many->without, few->us,
        many->us);
}

/* What the paper found is said beside what we find, not judged: it does not say with how many records. */
static void compare_fragments(const jair_run *run, tool_report *report) {
    static const char *const keys[] = {"knn-10000-fragments", "knn-60000-fragments"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const jair_figures *parts = jair_find(run, keys[i]),
                           *whole = parts ? jair_find(run, parts->setting->than) : NULL;
        if (!whole) continue;
        tool_report_note(
            report,
            "Fragments of records, of which the paper says that they crowd the M candidates, so "
            "that the agent is left without a record more often: of %u records, %.1f%% of problems "
            "are left without one with fragments and %.1f%% without them, the medians are %.2f%% "
            "and %.2f%%, the files have %.0f and %.0f KB.",
            parts->setting->size, parts->without, whole->without, parts->summary.median,
            whole->summary.median, parts->file_kb, whole->file_kb);
    }
}

static void check_beyond(const jair_run *run, tool_report *report) {
    const jair_figures *both = jair_find(run, "knn-60000-even-tba");
    if (both)
        tool_report_add_check(
            report, verdict(run, both->summary.suboptimality.mean < 12 && both->summary.worst <= 300),
            "with records spread evenly and TBA* in place of learning the mean stays under "
            "12%% (%.2f%%) and no problem is above 300%% (%.2f%%)",
            both->summary.suboptimality.mean, both->summary.worst);
    const jair_figures *half = jair_find(run, run->options->quick ? "knn-5000-even" : "knn-30000-even");
    const jair_figures *random = half ? jair_find(run, half->setting->than) : NULL;
    if (random)
        tool_report_note(
            report,
            "%s against %s at random, half the records: mean %.2f%% and %.2f%%, median %.2f%% and "
            "%.2f%%, %.1f%% and %.1f%% of problems without a record.",
            half->setting->label, random->setting->label, half->summary.suboptimality.mean,
            random->summary.suboptimality.mean, half->summary.median, random->summary.median, half->without,
            random->without);
}

static void judge(const jair_run *run, tool_report *report) {
    if (run->options->tables[0]) {
        check_fall(run, report);
        check_means(run, report);
        check_order(run, report);
    }
    if (run->options->tables[2]) check_sizes(run, report);
    if (run->options->tables[5]) check_break_even(run, report);
    if (run->options->tables[2] || run->options->tables[3]) check_limits(run, report);
    check_candidates(run, report);
    compare_fragments(run, report);
    check_beyond(run, report);
}

/* The rest ---------------------------------------------------------------------------------------------- */

static size_t cut_runs(const jair_run *run) {
    size_t cut = 0;
    for (size_t i = 0; i < jair_setting_count; i++)
        if (run->figures[i].wanted) cut += run->figures[i].summary.unfinished;
    return cut;
}

static void describe(const jair_run *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    static const char *const corners[] = {"any", "one", "strict"};
    tool_report_note(
        report,
        "The paper's figures beside ours. Its four maps, with 9 to 13 million open cells, are not "
        "public: ours are public maps scaled up to 8 to 13 million, with other walls, so that "
        "orders can be compared, and figures roughly. Random problems of cost 1000 to 3000 on each "
        "map: %zu. A straight move costs 1, a diagonal one 1.4.",
        run->problems);
    tool_report_note(
        report,
        "Suboptimality is how much dearer a way is than the cheapest, in per cent; means have 95%% "
        "intervals (normal approximation). A few problems that find no record, and so have to "
        "learn, decide the mean: median, 95th percentile and worst stand beside it. A run is cut "
        "after %llu moves and counts with what it had cost: %zu were.",
        (unsigned long long)run->most_moves, cut_runs(run));
    tool_report_note(report, "Databases are built on %d threads, one after another.", options->threads);
    if (run->timed_problems)
        tool_report_note(
            report,
            "Times a move are measured on %zu problems a map, the first %llu moves of each, one "
            "after another on one core: the mean of the problems' means, and the longest step of "
            "all, each step by its least time in five passes.",
            run->timed_problems, (unsigned long long)JAIR_MOST_TIMED_MOVES);
    tool_report_note(
        report,
        "The paper counts memory in states of 4 bytes: those of a database, those open, closed or learnt "
        "on-line. Beside that stand the bytes really in use. Our kNN LRTA* makes the climber's moves between "
        "subgoals, which write no values, so that without a fallback it needs no more than the state it is "
        "in "
        "and its neighbours; D LRTA* keeps its labels in 2 bytes a cell, not 4.");
    if (options->quick)
        tool_report_note(
            report, "This is the quick form: a tenth of the problems; kNN LRTA* with up to 10,000 records in "
                    "place of 80,000, D LRTA* at level 12 only. What must come out at 60,000 records is not "
                    "looked at.");
    tool_report_set_number(report, "seed", (double)options->seed);
    tool_report_set_number(report, "problems", (double)run->problems);
    tool_report_set_number(report, "timed_problems", (double)run->timed_problems);
    tool_report_set_number(report, "most_moves", (double)run->most_moves);
    tool_report_set_number(report, "unfinished", (double)cut_runs(run));
    tool_report_set_number(report, "threads", options->threads);
    tool_report_set_flag(report, "quick", options->quick);
    tool_report_set_number(report, "connect", options->map.rules.connect);
    tool_report_set_text(report, "corners", corners[options->map.rules.corners]);
    tool_report_set_text(report, "diagonal", "1.4");
    for (size_t i = 0; i < jair_setting_count; i++) {
        const jair_setting *setting = &jair_settings[i];
        if (!run->figures[i].wanted) continue;
        char words[256];
        (void)snprintf(words, sizeof words, "%s%s%s", setting->planner, setting->base ? ", built as " : "",
                       setting->base ? setting->base : "");
        tool_report_set_text(report, setting->key, words);
    }
}

void jair_report(const jair_run *run, tool_report *report) {
    describe(run, report);
    jair_add_plots(run, report);
    jair_add_tables(run, report);
    if (run->options->tables[5]) jair_add_agents(run->options, report);
    add_limits(run, report);
    if (run->options->tables[JAIR_AFTER_TABLE]) jair_beyond_report(run, report);
    judge(run, report);
    add_problems(run, report);
    tool_paper_describe_maps(report, run->maps, JAIR_MAPS);
}
