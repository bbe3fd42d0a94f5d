/* The report of jair2010: what was done, the problems, the limits, and what must come out. */
#include "jair2010/jair2010.h"
#include "shared/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The problems ------------------------------------------------------------------------------------------ */

typedef struct jair_spread {
    const char *key, *what;
    double least, most, mean, median, deviation;
} jair_spread;

static jair_spread spread_of(const char *key, const char *what, double *values, size_t count) {
    double sum = 0, squares = 0;
    qsort(values, count, sizeof *values, shared_by_double);
    for (size_t i = 0; i < count; i++) sum += values[i];
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) squares += (values[i] - mean) * (values[i] - mean);
    return (jair_spread){key,
                         what,
                         values[0],
                         values[count - 1],
                         mean,
                         (values[(count - 1) / 2] + values[count / 2]) / 2,
                         count > 1 ? sqrt(squares / (double)(count - 1)) : 0};
}

/* Section 8.1: how long the paths are, and how hard for A*. */
static void add_problems(const tool_paper_rows *run, tool_report *report) {
#define BESIDE(field)                                                                                        \
    {#field "_paper", #field ", paper", 1, TOOL_PAPER_PRINTED(#field)}, {                                    \
#field, #field, 1, TOOL_PAPER_FIELD(jair_spread, field)                                              \
    }
    static const tool_paper_column columns[] = {
        {"what", "problems", 0, TOOL_PAPER_FIELD(jair_spread, what)},
        BESIDE(least),
        BESIDE(most),
        BESIDE(mean),
        BESIDE(median),
        BESIDE(deviation),
    };
    const jair_figures *astar = jair_find(run, "astar");
    size_t all = run->problems * JAIR_MAPS, used = 0;
    double *values = astar ? calloc(2 * all, sizeof *values) : NULL;
    if (!values) return;
    const tool_paper_job *jobs = tool_paper_jobs_of(run, (int)(astar - jair_figures_of(run)));
    for (size_t map = 0; map < JAIR_MAPS; map++)
        for (size_t i = 0; i < run->problems; i++, used++) {
            const tool_paper_result *result = &jobs[map].results[i];
            values[used] = tool_paper_length(&jobs[map], i);
            values[all + used] = (double)result->expansions / (double)(result->moves ? result->moves : 1);
        }
    const jair_spread costs = spread_of("cost", "optimal cost", values, all),
                      hard =
                          spread_of("difficulty", "difficulty: A*'s expansions per move", values + all, all);
    tool_paper_table table = tool_paper_begin_table(report, "jair2010", "problems",
                                                    "Section 8.1: the problems", TOOL_PAPER_LIST(columns));
    tool_paper_add_row(&table, &costs, false);
    table.more_decimals = 1;
    tool_paper_add_row(&table, &hard, false);
    free(values);
}

/* Limits ------------------------------------------------------------------------------------------------ */

typedef struct limit {
    const char *label, *what;
    double most;
    tool_report_cell measured;
    const char *judged;
} limit;

/* What 60,000 records may take. Times are this machine's. */
static void add_limits(const tool_paper_rows *run, tool_report *report) {
#define OF(field) TOOL_PAPER_FIELD(limit, field)
    static const tool_paper_column columns[] = {
        {"planner", "algorithm", 0, OF(label)},
        {"what", "what", 0, OF(what)},
        {"limit", "at most", 0, TOOL_PAPER_FIELD_OF(limit, most, 1, "")},
        {"measured", "measured", 0, OF(measured)},
        {"judged", "", 0, OF(judged)},
    };
    static const char *const keys[] = {"knn-60000", "knn-60000-even", "knn-60000-even-tba"};
    tool_paper_table table = {.shown = NULL};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const jair_figures *knn = jair_find(run, keys[i]);
        if (!knn) continue;
        if (!table.columns)
            table = tool_paper_begin_table(report, "jair2010", "limits", "What 60,000 records may take",
                                           TOOL_PAPER_LIST(columns));
        const char *label = knn->of.label;
        const limit limits[] = {
            {label, "seconds to build, on the map that takes longest", 45,
             tool_report_number_cell(knn->of.most_seconds, 1), "shown"},
            {label, "MB of the largest file", 2, tool_report_number_cell(knn->of.most_bytes / 1048576, 2),
             "judged"},
            {label, "ns per move, over all moves", 250, tool_report_number_cell(knn->of.timed.move_ns, 0),
             "shown"},
            {label, "µs of the worst step", 20, tool_report_number_cell(knn->of.timed.step_ns_max / 1000, 1),
             "shown"},
            {label, "bytes of an agent, workspaces apart", 4096, tool_report_number_cell(knn->own_bytes, 0),
             "judged"},
        };
        for (size_t j = 0; j < sizeof limits / sizeof *limits; j++)
            tool_paper_add_row(&table, &limits[j], j == 0);
    }
}

/* What must come out ------------------------------------------------------------------------------------ */

/* The maps are those that are meant, under the usual rules. */
static bool is_comparable(const tool_paper_rows *run) {
    wend_rules rules = run->options->map.rules, usual = wend_default_rules();
    return rules.connect == usual.connect && rules.corners == usual.corners && tool_paper_maps_are_meant(run);
}

static tool_report_check judged(const tool_paper_rows *run, tool_report_check claim,
                                shared_estimate estimate) {
    return tool_paper_compare(is_comparable(run), claim, estimate);
}

/* Of suboptimality. `other` may be NULL. */
static shared_estimate estimate(const tool_paper_rows *run, const jair_figures *of, const jair_figures *other,
                                shared_statistic statistic) {
    const jair_figures *first = jair_figures_of(run);
    return tool_paper_estimate_rows(run, (int)(of - first), other ? (int)(other - first) : -1,
                                    tool_paper_suboptimality, statistic);
}

static double printed(const jair_figures *figures, const char *column) {
    return tool_paper_printed("jair2010", figures->of.key, column);
}

/* 100 where the heuristic of some cell was raised, for means in per cent. */
static double learnt(const tool_paper_job *job, size_t index) {
    return job->results[index].learnt > 0 ? 100 : 0;
}

/* With more records there are fewer problems without one, and the others are solved better. */
static void check_fall(const tool_paper_rows *run, tool_report *report) {
    char text[512] = "";
    int last = -1;
    tool_report_check falls[JAIR_ROWS], fewer[JAIR_ROWS];
    size_t count = 0;
    for (int i = 0; i < JAIR_ROWS; i++) {
        const jair_figures *figures = &jair_figures_of(run)[i];
        const tool_paper_row *row = &jair_rows[i];
        if (!figures->of.wanted || row->family != JAIR_KNN || row->part != JAIR_PAPER) continue;
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%d: %.2f%%, %.0f", used ? "; " : "", row->size,
                       figures->of.all.median, figures->of.all.learnt);
        if (last >= 0) {
            falls[count] =
                judged(run, tool_paper_above(0),
                       tool_paper_estimate_rows(run, last, i, tool_paper_suboptimality, SHARED_MEDIAN_OF));
            fewer[count++] = judged(run, tool_paper_at_least(0, 0),
                                    tool_paper_estimate_rows(run, last, i, learnt, SHARED_MEAN_OF));
        }
        last = i;
    }
    if (!count) return;
    tool_report_add_check(report, &falls[tool_paper_weakest(falls, count)],
                          "with more records the median falls (records: median, problems that learnt: %s)",
                          text);
    tool_report_add_check(report, &fewer[tool_paper_weakest(fewer, count)],
                          "with more records no larger share of the problems learns");
}

static void check_means(const tool_paper_rows *run, tool_report *report) {
    const jair_figures *few = jair_find(run, "knn-10000"), *many = jair_find(run, "knn-60000");
    if (few && many) {
        const tool_report_check thousands = judged(run, tool_paper_at_least(1000, 0),
                                                   estimate(run, few, NULL, SHARED_MEAN_OF)),
                                tenth = judged(run, tool_paper_at_least(10, 0),
                                               estimate(run, few, many, SHARED_RATIO_OF));
        tool_report_add_check(report, &thousands,
                              "at 10,000 records the mean is in the thousands of per cent (%.2f%%, with %.0f "
                              "runs cut; the paper's is %.2f%%)",
                              few->of.all.suboptimality.mean, few->of.all.unfinished,
                              printed(few, "suboptimality"));
        tool_report_add_check(report, &tenth,
                              "at 60,000 records it is a tenth of that or less (%.2f%%, with %.0f runs cut; "
                              "the paper's is %.2f%%)",
                              many->of.all.suboptimality.mean, many->of.all.unfinished,
                              printed(many, "suboptimality"));
    }
    if (!many) return;
    const tool_report_check median =
        judged(run, tool_paper_at_most(8, 0), estimate(run, many, NULL, SHARED_MEDIAN_OF));
    tool_report_add_check(report, &median, "at 60,000 records the median is under 8%% (%.2f%%)",
                          many->of.all.median);
}

static void check_order(const tool_paper_rows *run, tool_report *report) {
    const jair_figures *knn = jair_find(run, "knn-60000"), *dlrta = jair_find(run, "dlrta-9"),
                       *coarse = jair_find(run, "dlrta-12"), *tba = jair_find(run, "tba-100");
    if (knn && dlrta && tba) {
        const tool_report_check parts[] = {
            judged(run, tool_paper_above(0), estimate(run, tba, knn, SHARED_MEAN_OF)),
            judged(run, tool_paper_above(0), estimate(run, dlrta, knn, SHARED_MEAN_OF)),
        };
        tool_report_add_check(
            report, &parts[tool_paper_weakest(TOOL_PAPER_LIST(parts))],
            "kNN LRTA*(60000)'s mean, %.2f%%, is below that of TBA*(100), %.2f%%, and of D LRTA*(9), %.2f%%",
            knn->of.all.suboptimality.mean, tba->of.all.suboptimality.mean, dlrta->of.all.suboptimality.mean);
    }
    if (dlrta && coarse) {
        const tool_report_check better = judged(run, tool_paper_above(0),
                                                estimate(run, coarse, dlrta, SHARED_MEAN_OF)),
                                memory = judged(run, tool_paper_above(1),
                                                shared_exact(dlrta->file_mb / coarse->file_mb));
        tool_report_add_check(report, &better, "D LRTA* improves with lower levels (12: %.2f%%; 9: %.2f%%)",
                              coarse->of.all.suboptimality.mean, dlrta->of.all.suboptimality.mean);
        tool_report_add_check(report, &memory,
                              "D LRTA* takes more memory with lower levels (12: %.2f MB; 9: %.2f MB)",
                              coarse->file_mb, dlrta->file_mb);
    }
}

/* Against the smallest of D LRTA*'s, the coarsest. */
static void check_sizes(const tool_paper_rows *run, tool_report *report) {
    const jair_figures *knn = jair_find(run, jair_compared_keys(run->options).knn),
                       *dlrta = jair_find(run, "dlrta-12");
    if (!knn || !dlrta) return;
    double counted = dlrta->base_kb / knn->base_kb, real = dlrta->file_mb / knn->file_mb;
    const tool_report_check check =
        judged(run, tool_paper_at_least(10, 0), shared_exact(fmin(counted, real)));
    tool_report_add_check(report, &check,
                          "the database of %s is tens of times smaller than that of %s, the smallest of D "
                          "LRTA* (%.1f times by the paper's count, %.1f as files)",
                          knn->of.label, dlrta->of.label, counted, real);
}

static void check_break_even(const tool_paper_rows *run, tool_report *report) {
    char text[512] = "";
    double most = 0;
    for (size_t i = 0; i < JAIR_ROWS; i++) {
        const jair_figures *figures = &jair_figures_of(run)[i];
        if (!figures->of.wanted || jair_rows[i].family != JAIR_KNN || isnan(printed(figures, "break_even")))
            continue;
        const double agents[] = {figures->agents, figures->agents_real};
        for (size_t j = 0; j < sizeof agents / sizeof *agents; j++)
            most = fmax(most, isnan(agents[j]) ? INFINITY : agents[j]);
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%d records: %.0f and %.0f", *text ? "; " : "",
                       jair_rows[i].size, figures->agents, figures->agents_real);
    }
    if (!*text) return;
    const tool_report_check check = judged(run, tool_paper_at_most(2, 0), shared_exact(most));
    tool_report_add_check(report, &check,
                          "kNN LRTA* takes less memory than TBA* from one or two agents on (by the paper's "
                          "count and in real bytes, %s)",
                          text);
}

static void check_limits(const tool_paper_rows *run, tool_report *report) {
    const jair_figures *knn = jair_find(run, "knn-60000");
    if (!knn) return;
    const tool_report_check file = judged(run, tool_paper_at_most(2, 0),
                                          shared_exact(knn->of.most_bytes / 1048576)),
                            agent = judged(run, tool_paper_at_most(4096, 0), shared_exact(knn->own_bytes));
    tool_report_add_check(report, &file, "60,000 records take at most 2 MB on every map (%.2f MB at most)",
                          knn->of.most_bytes / 1048576);
    tool_report_add_check(report, &agent,
                          "an agent takes at most 4 KB in the mean, workspaces of a fallback apart (%.0f "
                          "bytes)",
                          knn->own_bytes);
}

/* Footnote 4. A median is not moved by the few problems in which something was learnt. */
static void check_candidates(const tool_paper_rows *run, tool_report *report) {
    const jair_figures *many = jair_find(run, run->options->quick ? "knn-10000-m100" : "knn-60000-m100");
    const jair_figures *few = many ? jair_find(run, many->of.row->than) : NULL;
    if (!few) return;
    const tool_report_check gain =
        judged(run, tool_paper_at_most(0, 1), estimate(run, few, many, SHARED_MEDIAN_OF));
    tool_report_add_check(
        report, &gain,
        "100 candidates in place of 10 bring little (%s: median %.2f%% and %.2f%%, %.1f%% and "
        "%.1f%% of problems without a record; %.3f and %.3f µs per move)",
        few->of.label, few->of.all.median, many->of.all.median, few->without, many->without, few->of.us,
        many->of.us);
}

/* What the paper found is said beside what we find, not judged: it does not say with how many records. */
static void compare_fragments(const tool_paper_rows *run, tool_report *report) {
    static const char *const keys[] = {"knn-10000-fragments", "knn-60000-fragments"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const jair_figures *parts = jair_find(run, keys[i]),
                           *whole = parts ? jair_find(run, parts->of.row->than) : NULL;
        if (!whole) continue;
        tool_report_note(
            report,
            "Fragments of records, of which the paper says that they crowd the M candidates, so "
            "that the agent is left without a record more often: of %d records, %.1f%% of problems "
            "are left without one with fragments and %.1f%% without them, the medians are %.2f%% "
            "and %.2f%%, the files have %.0f and %.0f KB.",
            parts->of.row->size, parts->without, whole->without, parts->of.all.median, whole->of.all.median,
            parts->of.bytes / 1024, whole->of.bytes / 1024);
    }
}

static void check_beyond(const tool_paper_rows *run, tool_report *report) {
    const jair_figures *both = jair_find(run, "knn-60000-even-tba");
    if (both) {
        const tool_report_check mean = judged(run, tool_paper_at_most(12, 0),
                                              estimate(run, both, NULL, SHARED_MEAN_OF)),
                                worst =
                                    judged(run, tool_paper_at_most(300, 0), shared_exact(both->of.all.worst));
        tool_report_add_check(report, &mean,
                              "with records spread evenly and TBA* in place of learning the mean stays under "
                              "12%% (%.2f%%)",
                              both->of.all.suboptimality.mean);
        tool_report_add_check(report, &worst, "and no problem is above 300%% (%.2f%%)", both->of.all.worst);
    }
    const jair_figures *half = jair_find(run, run->options->quick ? "knn-5000-even" : "knn-30000-even");
    const jair_figures *random = half ? jair_find(run, half->of.row->than) : NULL;
    if (random)
        tool_report_note(
            report,
            "%s against %s at random, half the records: mean %.2f%% and %.2f%%, median %.2f%% and "
            "%.2f%%, %.1f%% and %.1f%% of problems without a record.",
            half->of.label, random->of.label, half->of.all.suboptimality.mean,
            random->of.all.suboptimality.mean, half->of.all.median, random->of.all.median, half->without,
            random->without);
}

static void judge(const tool_paper_rows *run, tool_report *report) {
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

static double cut_runs(const tool_paper_rows *run) {
    double cut = 0;
    for (size_t i = 0; i < JAIR_ROWS; i++)
        if (run->figures[i].wanted) cut += run->figures[i].all.unfinished;
    return cut;
}

static void describe(const tool_paper_rows *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    tool_report_note(
        report,
        "The paper's figures beside ours. Its four maps, with 9 to 13 million open cells, are not "
        "public: ours are public maps scaled up to 8 to 13 million, with other walls, so that "
        "orders can be compared, and figures roughly. Random problems of cost 1000 to 3000 on each "
        "map: %zu. A straight move costs 1, a diagonal one 1.4.",
        run->problems);
    tool_report_note(
        report,
        "Suboptimality is how much more a way costs than the cheapest, in per cent; means have 95%% "
        "intervals (normal approximation). A few problems that find no record, and so have to "
        "learn, decide the mean: median, 95th percentile and worst stand beside it. A run is cut "
        "after %llu moves and counts with what it had cost: %.0f were.",
        (unsigned long long)run->max_moves, cut_runs(run));
    tool_report_note(report, "Databases are built on %d threads, one after another.", options->threads);
    if (run->timed_problems)
        tool_report_note(
            report,
            "Times per move are measured on %zu problems per map, the first %llu moves of each, one "
            "after another on one core: the mean of the problems' means, and the longest step of "
            "all, each step by its least time in five passes.",
            run->timed_problems, (unsigned long long)run->plan->max_timed_moves);
    tool_report_note(
        report,
        "The paper counts memory in states of 4 bytes: those of a database, those open, closed or learnt "
        "on-line. Beside that stand the bytes really in use. Our kNN LRTA* makes the climber's moves between "
        "subgoals, which write no values, so that without a fallback it needs no more than the state it is "
        "in and its neighbours; D LRTA* keeps its labels in 2 bytes per cell, not 4.");
    if (options->quick)
        tool_report_note(
            report, "This is the quick form: a tenth of the problems; kNN LRTA* with up to 10,000 records in "
                    "place of 80,000, D LRTA* at level 12 only. What must come out at 60,000 records is not "
                    "looked at.");
    tool_paper_describe_rows(run, report);
    tool_report_set_number(report, "most_moves", (double)run->max_moves);
    tool_report_set_number(report, "unfinished", cut_runs(run));
    tool_report_set_number(report, "threads", options->threads);
    tool_report_set_flag(report, "quick", options->quick);
    tool_paper_describe_rules(report, options);
    for (size_t i = 0; i < JAIR_ROWS; i++) {
        const tool_paper_row *row = &jair_rows[i];
        if (!run->figures[i].wanted) continue;
        char words[256];
        (void)snprintf(words, sizeof words, "%s%s%s", row->planner, row->base ? ", built as " : "",
                       row->base ? row->base : "");
        tool_report_set_text(report, row->key, words);
    }
}

void jair_report(const tool_paper_rows *run, tool_report *report) {
    describe(run, report);
    jair_add_tables(run, report);
    if (run->options->tables[5]) jair_agents_report(run, report);
    add_limits(run, report);
    if (run->options->tables[JAIR_AFTER_TABLE]) jair_beyond_report(run, report);
    judge(run, report);
    add_problems(run, report);
    tool_paper_describe_maps(report, run->maps, JAIR_MAPS);
}
