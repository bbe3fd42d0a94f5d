/* The tables of jair2010: the paper's seven, and those of what it tells in words only. */
#include "jair2010/jair2010.h"

#include <math.h>
#include <string.h>

#define COLUMNS(list) list, sizeof(list) / sizeof *(list)

static tool_report_cell number(double value, int decimals) {
    return tool_report_number_cell(value, decimals);
}

static tool_report_cell text(const char *words) {
    return tool_report_text_cell(words);
}

static tool_report_cell mean(tool_report_mean of, int decimals) {
    return (tool_report_cell){.number = of.mean, .margin = of.margin, .decimals = decimals};
}

/* The paper's figure; nothing where it has none. */
static tool_report_cell paper(double value, int decimals) {
    return number(value > 0 ? value : NAN, decimals);
}

static tool_report_cell paper_suboptimality(const jair_setting *setting) {
    return number(setting->in_paper ? setting->paper.suboptimality : NAN, 2);
}

static double learnt_share(const jair_figures *figures) {
    return 100 * (double)figures->summary.learnt / (double)figures->summary.problems;
}

/* The settings of the paper's tables, of all families or of those with a database, in groups. */
typedef void add_row(const jair_run *run, const jair_figures *figures, bool apart, tool_report_table *table);

static void add_rows(const jair_run *run, bool bases, add_row *add, tool_report_table *table) {
    jair_family last = JAIR_FAMILIES;
    for (size_t i = 0; i < jair_setting_count; i++) {
        const jair_figures *figures = &run->figures[i];
        const jair_setting *setting = figures->setting;
        if (!figures->wanted || setting->part != JAIR_PAPER || (bases && !setting->base)) continue;
        add(run, figures, setting->family != last, table);
        last = setting->family;
    }
}

/* Table 1 ----------------------------------------------------------------------------------------------- */

static void add_row_1(const jair_run *run, const jair_figures *figures, bool apart,
                      tool_report_table *table) {
    (void)run;
    const jair_setting *setting = figures->setting;
    const tool_paper_summary *summary = &figures->summary;
    const tool_report_cell cells[] = {
        text(setting->label),
        paper(setting->paper.us, 2),
        number(figures->us, 3),
        number(figures->times.step_ns_max / 1000, 1),
        paper_suboptimality(setting),
        mean(summary->suboptimality, 2),
        number(summary->median, 2),
        number(summary->p95, 2),
        number(summary->worst, 2),
        number(learnt_share(figures), 1),
        number((double)summary->unfinished, 0),
    };
    tool_report_add_row(table, cells, apart);
}

static void add_table_1(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"us_paper", "µs/move, paper", false, true},
        {"us", "µs/move", false, false},
        {"us_worst", "worst step, µs", false, false},
        {"suboptimality_paper", "suboptimality %, paper", false, true},
        {"suboptimality", "suboptimality %", false, false},
        {"median", "median", false, false},
        {"p95", "95th percentile", false, false},
        {"worst", "worst", false, false},
        {"learnt_percent", "learnt, % of problems", false, false},
        {"unfinished", "cut", false, false},
    };
    add_rows(
        run, false, add_row_1,
        tool_report_add_table(report, "table-1", "Table 1: suboptimality and time a move", COLUMNS(columns)));
}

/* Table 2 ----------------------------------------------------------------------------------------------- */

static void add_row_2(const jair_run *run, const jair_figures *figures, bool apart,
                      tool_report_table *table) {
    (void)run;
    const jair_setting *setting = figures->setting;
    const tool_report_cell cells[] = {
        text(setting->label),
        paper(setting->paper.hours, 2),
        number(figures->seconds / 3600, 4),
        number(figures->seconds, 1),
        paper(3600 * setting->paper.hours / figures->seconds, 0),
        paper_suboptimality(setting),
        mean(figures->summary.suboptimality, 2),
        number(figures->summary.median, 2),
    };
    tool_report_add_row(table, cells, apart);
}

static void add_table_2(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"hours_paper", "hours a map, paper", false, true},
        {"hours", "hours a map", false, false},
        {"seconds", "seconds a map", false, false},
        {"times_faster", "times faster", false, false},
        {"suboptimality_paper", "suboptimality %, paper", false, true},
        {"suboptimality", "suboptimality %", false, false},
        {"median", "median", false, false},
    };
    add_rows(run, true, add_row_2,
             tool_report_add_table(report, "table-2", "Table 2: suboptimality and precomputation",
                                   COLUMNS(columns)));
}

/* Table 3 ----------------------------------------------------------------------------------------------- */

static void add_row_3(const jair_run *run, const jair_figures *figures, bool apart,
                      tool_report_table *table) {
    (void)run;
    const jair_setting *setting = figures->setting;
    const tool_report_cell cells[] = {
        text(setting->label),
        paper(setting->paper.hours, 2),
        number(figures->seconds / 3600, 4),
        paper(setting->paper.records, 1),
        number(figures->records, 1),
        paper(setting->paper.relative, 5),
        number(figures->relative, 5),
        paper(setting->paper.mb, 2),
        number(figures->base_kb / 1024, 2),
        number(figures->file_kb / 1024, 2),
    };
    tool_report_add_row(table, cells, apart);
}

static void add_table_3(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"hours_paper", "hours, paper", false, true},
        {"hours", "hours", false, false},
        {"records_paper", "records, paper", false, true},
        {"records", "records", false, false},
        {"relative_paper", "relative size, paper", false, true},
        {"relative", "relative size", false, false},
        {"mb_paper", "MB, paper", false, true},
        {"mb", "MB, the paper's count", false, false},
        {"file_mb", "MB of the file", false, false},
    };
    add_rows(run, true, add_row_3,
             tool_report_add_table(report, "table-3", "Table 3: databases, means over the maps",
                                   COLUMNS(columns)));
}

/* Tables 4 and 5 ---------------------------------------------------------------------------------------- */

static double or_nothing(double value) {
    return isfinite(value) ? value : 0;
}

static void add_row_4(const jair_run *run, const jair_figures *figures, bool apart,
                      tool_report_table *table) {
    (void)run;
    const jair_setting *setting = figures->setting;
    const tool_report_cell cells[] = {
        text(setting->label),
        paper(setting->paper.strict_kb, 2),
        number(figures->strict_kb, 2),
        number(figures->summary.online_bytes / 1024, 2),
        number(figures->summary.online_max / 1024, 1),
        paper_suboptimality(setting),
        mean(figures->summary.suboptimality, 2),
        number(figures->summary.median, 2),
    };
    tool_report_add_row(table, cells, apart);
}

static void add_row_5(const jair_run *run, const jair_figures *figures, bool apart,
                      tool_report_table *table) {
    (void)run;
    const jair_setting *setting = figures->setting;
    const tool_report_cell cells[] = {
        text(setting->label),
        paper(setting->paper.cumulative_kb, 2),
        number(figures->strict_kb + or_nothing(figures->base_kb), 2),
        number(figures->summary.online_bytes / 1024 + or_nothing(figures->file_kb), 2),
        paper_suboptimality(setting),
        mean(figures->summary.suboptimality, 2),
        number(figures->summary.median, 2),
    };
    tool_report_add_row(table, cells, apart);
}

static void add_table_4(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"kb_paper", "KB, paper", false, true},
        {"kb", "KB, the paper's count", false, false},
        {"real_kb", "KB in use", false, false},
        {"real_kb_worst", "at most", false, false},
        {"suboptimality_paper", "suboptimality %, paper", false, true},
        {"suboptimality", "suboptimality %", false, false},
        {"median", "median", false, false},
    };
    add_rows(run, false, add_row_4,
             tool_report_add_table(report, "table-4",
                                   "Table 4: strictly on-line memory, means of the problems",
                                   COLUMNS(columns)));
}

static void add_table_5(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"kb_paper", "KB, paper", false, true},
        {"kb", "KB, the paper's count", false, false},
        {"real_kb", "KB in use and of the file", false, false},
        {"suboptimality_paper", "suboptimality %, paper", false, true},
        {"suboptimality", "suboptimality %", false, false},
        {"median", "median", false, false},
    };
    add_rows(run, false, add_row_5,
             tool_report_add_table(report, "table-5",
                                   "Table 5: cumulative on-line memory, the database included",
                                   COLUMNS(columns)));
}

/* Table 6 ----------------------------------------------------------------------------------------------- */

static void add_row_6(const jair_run *run, const jair_figures *figures, bool apart,
                      tool_report_table *table) {
    const jair_figures *tba = jair_find(run, jair_compared_keys(run).tba);
    if (!tba) return;
    const tool_report_cell cells[] = {
        text(figures->setting->label),
        paper(figures->setting->paper.break_even, 0),
        number(jair_break_even(figures, tba, false), 0),
        number(jair_break_even(figures, tba, true), 0),
    };
    tool_report_add_row(table, cells, apart);
}

static void add_table_6(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"agents_paper", "agents, paper", false, true},
        {"agents", "agents, the paper's count", false, false},
        {"agents_real", "agents, real bytes", false, false},
    };
    add_rows(run, true, add_row_6,
             tool_report_add_table(report, "table-6",
                                   "Table 6: from how many agents on less memory is needed than for TBA*",
                                   COLUMNS(columns)));
}

/* Table 7 ----------------------------------------------------------------------------------------------- */

static void add_ratio(tool_report_table *table, const char *dimension, const char *than, double in_paper,
                      double ours) {
    const tool_report_cell cells[] = {text(dimension), text(than), number(in_paper, 2), number(ours, 2)};
    tool_report_add_row(table, cells, false);
}

/* Costs against costs, not suboptimalities: 8.16 is (100 + 819.72) / (100 + 12.77). Below 1 the other one is
 * better; the paper gives those in per cent. */
static void add_table_7(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"dimension", "dimension", true, false},
        {"than", "than", true, false},
        {"times_paper", "times better, paper", false, true},
        {"times", "times better", false, false},
    };
    const jair_compared keys = jair_compared_keys(run);
    const jair_figures *knn = jair_find(run, keys.knn), *dlrta = jair_find(run, keys.dlrta),
                       *tba = jair_find(run, keys.tba);
    if (!knn || !dlrta || !tba) return;
    char title[128];
    (void)snprintf(title, sizeof title, "Table 7: %s against %s and %s%s", knn->setting->label,
                   dlrta->setting->label, tba->setting->label,
                   run->options->quick ? "; the paper's figures are those of larger databases" : "");
    tool_report_table *table = tool_report_add_table(report, "table-7", title, COLUMNS(columns));
    double own = 100 + knn->summary.suboptimality.mean;
    add_ratio(table, "cost", dlrta->setting->label, 8.16, (100 + dlrta->summary.suboptimality.mean) / own);
    add_ratio(table, "cost", tba->setting->label, 1.46, (100 + tba->summary.suboptimality.mean) / own);
    add_ratio(table, "time a move", dlrta->setting->label, 1 / 1.62, dlrta->us / knn->us);
    add_ratio(table, "time a move", tba->setting->label, 18.36, tba->us / knn->us);
    add_ratio(table, "cumulative memory", dlrta->setting->label, 57,
              (dlrta->base_kb + dlrta->strict_kb) / (knn->base_kb + knn->strict_kb));
    add_ratio(table, "cumulative memory", tba->setting->label, 1 / 1.13,
              tba->strict_kb / (knn->base_kb + knn->strict_kb));
    add_ratio(table, "precomputation", dlrta->setting->label, 1 / (1 - 0.14), dlrta->seconds / knn->seconds);
}

/* What the paper tells in words ------------------------------------------------------------------------- */

static void add_variant(tool_report_table *table, const jair_figures *figures, bool apart) {
    const tool_paper_summary *summary = &figures->summary;
    const tool_report_cell cells[] = {
        text(figures->setting->label),
        mean(summary->suboptimality, 2),
        number(summary->median, 2),
        number(summary->p95, 2),
        number(summary->worst, 2),
        number(figures->without, 1),
        number((double)summary->unfinished, 0),
        number(summary->operations, 2),
        number(figures->us, 3),
        number(figures->times.step_ns_max / 1000, 1),
        number(figures->file_kb, 0),
        number(figures->seconds, 1),
    };
    tool_report_add_row(table, cells, apart);
}

/* Variants of one part, each group led by what it is compared with. */
static void add_variants(const jair_run *run, tool_report *report, jair_part part, const char *name,
                         const char *title) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"suboptimality", "suboptimality %", false, false},
        {"median", "median", false, false},
        {"p95", "95th percentile", false, false},
        {"worst", "worst", false, false},
        {"without_percent", "without a record, % of problems", false, false},
        {"unfinished", "cut", false, false},
        {"operations", "operations/move", false, false},
        {"us", "µs/move", false, false},
        {"us_worst", "worst step, µs", false, false},
        {"file_kb", "KB of the file", false, false},
        {"seconds", "seconds to build", false, false},
    };
    tool_report_table *table = NULL;
    const jair_figures *last = NULL;
    for (size_t i = 0; i < jair_setting_count; i++) {
        const jair_figures *figures = &run->figures[i];
        if (!figures->wanted || figures->setting->part != part) continue;
        if (!table) table = tool_report_add_table(report, name, title, COLUMNS(columns));
        const jair_figures *than = jair_find(run, figures->setting->than);
        if (than && than != last) add_variant(table, than, true);
        add_variant(table, figures, false);
        last = than;
    }
}

/* The one setting that the figures to reach are about, map by map. */
static void add_maps(const jair_run *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},
        {"map", "map", true, false},
        {"suboptimality", "suboptimality %", false, false},
        {"median", "median", false, false},
        {"p95", "95th percentile", false, false},
        {"worst", "worst", false, false},
        {"learnt_percent", "learnt, % of problems", false, false},
        {"unfinished", "cut", false, false},
        {"ns", "ns/move", false, false},
        {"us_worst", "worst step, µs", false, false},
        {"file_kb", "KB of the file", false, false},
        {"seconds", "seconds to build", false, false},
        {"covered_percent", "problems covered, %", false, false},
    };
    tool_report_table *table =
        tool_report_add_table(report, "by-map", "Map by map: kNN LRTA*", COLUMNS(columns));
    for (size_t i = 0; i < jair_setting_count; i++) {
        const jair_figures *figures = &run->figures[i];
        if (!figures->wanted || figures->setting->family != JAIR_KNN ||
            (figures->setting->part != JAIR_PAPER && figures->setting->part != JAIR_BEYOND))
            continue;
        for (size_t map = 0; map < JAIR_MAPS; map++) {
            tool_paper_summary summary, times;
            if (!tool_paper_summarise(&figures->jobs[map], 1, &summary) ||
                !tool_paper_summarise(&figures->timed[map], 1, &times))
                return;
            const tool_paper_base *base = figures->bases[map];
            const tool_report_cell cells[] = {
                text(figures->setting->label),
                text(run->maps[map].name),
                mean(summary.suboptimality, 2),
                number(summary.median, 2),
                number(summary.p95, 2),
                number(summary.worst, 2),
                number(100 * (double)summary.learnt / (double)summary.problems, 1),
                number((double)summary.unfinished, 0),
                number(times.move_ns, 0),
                number(times.step_ns_max / 1000, 1),
                number((double)base->bytes / 1024, 0),
                number(base->seconds, 1),
                number(tool_paper_base_fact(base, "problems_covered_percent"), 1),
            };
            tool_report_add_row(table, cells, map == 0);
        }
    }
}

void jair_add_tables(const jair_run *run, tool_report *report) {
    static void (*const add[JAIR_PAPER_TABLES])(const jair_run *, tool_report *) = {
        add_table_1, add_table_2, add_table_3, add_table_4, add_table_5, add_table_6, add_table_7};
    for (int i = 0; i < JAIR_PAPER_TABLES; i++)
        if (run->options->tables[i]) add[i](run, report);
    add_variants(run, report, JAIR_FOOTNOTE, "footnote-4", "Footnote 4: more candidates");
    add_variants(run, report, JAIR_FRAGMENTS, "fragments", "Section 6.2: fragments of records as records");
    add_variants(run, report, JAIR_SWITCHES, "enhancements", "Section 6.2: an enhancement left out");
    add_variants(run, report, JAIR_BEYOND, "beyond",
                 "Beyond the paper: records spread evenly; TBA* in place of LRTA*'s learning");
    if (run->options->tables[0]) add_maps(run, report);
}
