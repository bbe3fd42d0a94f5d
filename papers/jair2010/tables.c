/* The tables of jair2010: the paper's seven, and those of what it says in words only; and its figures:
 * suboptimality over time, precomputation and memory. */
#include "jair2010/jair2010.h"

#include <math.h>
#include <string.h>

#define OF(field) TOOL_PAPER_FIELD(jair_figures, field)
#define PER(field, per) TOOL_PAPER_FIELD_OF(jair_figures, field, per, NULL)
#define PRINTED(column) TOOL_PAPER_PRINTED(column)
#define PLANNER "planner", "algorithm", 0, OF(of.label)
#define OVER_PAPER "suboptimality_paper", "suboptimality %, paper", 2, PRINTED("suboptimality")
#define OVER "suboptimality", "suboptimality %", 2, OF(of.all.suboptimality)
#define MEDIAN "median", "median", 2, OF(of.all.median)
#define P95 "p95", "95th percentile", 2, OF(of.all.p95)
#define WORST "worst", "worst", 2, OF(of.all.worst)
#define LEARNT "learnt_percent", "learnt, % of problems", 1, OF(of.all.learnt_percent)
#define CUT "unfinished", "cut", 0, OF(of.all.unfinished)
#define US "us", "µs/move", 3, OF(of.us)
#define WORST_STEP "us_worst", "worst step, µs", 1, PER(of.timed.step_ns_max, 1000)
#define FILE_KB "file_kb", "KB of the file", 0, PER(of.bytes, 1024)
#define SECONDS "seconds", "seconds to build", 1, OF(of.seconds)

static const tool_paper_column table_1[] = {
    {PLANNER},    {"us_paper", "µs/move, paper", 2, PRINTED("us")},
    {US},         {WORST_STEP},
    {OVER_PAPER}, {OVER},
    {MEDIAN},     {P95},
    {WORST},      {LEARNT},
    {CUT},
};
static const tool_paper_column table_2[] = {
    {PLANNER},
    {"hours_paper", "hours per map, paper", 2, PRINTED("hours")},
    {"hours", "hours per map", 4, PER(of.seconds, 3600)},
    {"seconds", "seconds per map", 1, OF(of.seconds)},
    {"times_faster", "times faster", 0, OF(times_faster)},
    {OVER_PAPER},
    {OVER},
    {MEDIAN},
};
static const tool_paper_column table_3[] = {
    {PLANNER},
    {"hours_paper", "hours, paper", 2, PRINTED("hours")},
    {"hours", "hours", 4, PER(of.seconds, 3600)},
    {"records_paper", "records, paper", 1, PRINTED("records")},
    {"records", "records", 1, OF(of.records)},
    {"relative_paper", "relative size, paper", 5, PRINTED("relative")},
    {"relative", "relative size", 5, OF(of.size)},
    {"mb_paper", "MB, paper", 2, PRINTED("mb")},
    {"mb", "MB, the paper's count", 2, OF(base_mb)},
    {"file_mb", "MB of the file", 2, OF(file_mb)},
};
static const tool_paper_column table_4[] = {
    {PLANNER},
    {"kb_paper", "KB, paper", 2, PRINTED("strict_kb")},
    {"kb", "KB, the paper's count", 2, OF(strict_kb)},
    {"real_kb", "KB in use", 2, PER(of.all.online_bytes, 1024)},
    {"real_kb_worst", "at most", 1, PER(of.all.online_max, 1024)},
    {OVER_PAPER},
    {OVER},
    {MEDIAN},
};
static const tool_paper_column table_5[] = {
    {PLANNER},
    {"kb_paper", "KB, paper", 2, PRINTED("cumulative_kb")},
    {"kb", "KB, the paper's count", 2, OF(kb)},
    {"real_kb", "KB in use and of the file", 2, OF(real_kb)},
    {OVER_PAPER},
    {OVER},
    {MEDIAN},
};
static const tool_paper_column table_6[] = {
    {PLANNER},
    {"agents_paper", "agents, paper", 0, PRINTED("break_even")},
    {"agents", "agents, the paper's count", 0, OF(agents)},
    {"agents_real", "agents, real bytes", 0, OF(agents_real)},
};

static const struct {
    bool bases; /* of rows with a database only */
    const char *title;
    const tool_paper_column *columns;
    size_t count;
} tables[] = {
    {false, "Table 1: suboptimality and time per move", TOOL_PAPER_LIST(table_1)},
    {true, "Table 2: suboptimality and precomputation", TOOL_PAPER_LIST(table_2)},
    {true, "Table 3: databases, means over the maps", TOOL_PAPER_LIST(table_3)},
    {false, "Table 4: strictly on-line memory, means of the problems", TOOL_PAPER_LIST(table_4)},
    {false, "Table 5: cumulative on-line memory, the database included", TOOL_PAPER_LIST(table_5)},
    {true, "Table 6: from how many agents on less memory is needed than for TBA*", TOOL_PAPER_LIST(table_6)},
};
enum { TABLES = sizeof tables / sizeof *tables };

/* The rows of the paper, of all families or of those with a database, in groups. */
static void add_table(const tool_paper_rows *run, tool_report *report, int number) {
    const jair_figures *figures = jair_figures_of(run);
    char name[24];
    (void)snprintf(name, sizeof name, "table-%d", number + 1);
    const tool_paper_table table = tool_paper_begin_table(report, "jair2010", name, tables[number].title,
                                                          tables[number].columns, tables[number].count);
    int last = -1;
    for (size_t i = 0; i < JAIR_ROWS; i++) {
        const tool_paper_row *row = &jair_rows[i];
        if (!figures[i].of.wanted || row->part != JAIR_PAPER || (tables[number].bases && !row->base))
            continue;
        tool_paper_add_row(&table, &figures[i], row->family != last);
        last = row->family;
    }
}

/* Table 7 ----------------------------------------------------------------------------------------------- */

typedef struct ratio {
    const char *dimension, *than;
    double paper, ours;
} ratio;

/* Costs against costs, not suboptimalities. Below 1 the other one is better. */
static void add_table_7(const tool_paper_rows *run, tool_report *report) {
    static const tool_paper_column columns[] = {
        {"dimension", "dimension", 0, TOOL_PAPER_FIELD(ratio, dimension)},
        {"than", "than", 0, TOOL_PAPER_FIELD(ratio, than)},
        {"times_paper", "times better, paper", 2, TOOL_PAPER_FIELD_OF(ratio, paper, 1, "")},
        {"times", "times better", 2, TOOL_PAPER_FIELD(ratio, ours)},
    };
    const jair_compared keys = jair_compared_keys(run->options);
    const jair_figures *knn = jair_find(run, keys.knn), *dlrta = jair_find(run, keys.dlrta),
                       *tba = jair_find(run, keys.tba);
    if (!knn || !dlrta || !tba) return;
    char title[128];
    (void)snprintf(title, sizeof title, "Table 7: %s against %s and %s%s", knn->of.label, dlrta->of.label,
                   tba->of.label,
                   run->options->quick ? "; the paper's figures are those of larger databases" : "");
    const tool_paper_table table =
        tool_paper_begin_table(report, "jair2010", "table-7", title, TOOL_PAPER_LIST(columns));
    for (int other = 0; other < 7; other++) {
        static const char *const dimensions[] = {"cost", "time per move", "cumulative memory",
                                                 "precomputation"};
        const jair_figures *than = other % 2 ? tba : dlrta;
        const double times[] = {
            (100 + than->of.all.suboptimality.mean) / (100 + knn->of.all.suboptimality.mean),
            than->of.us / knn->of.us, than->kb / knn->kb, than->of.seconds / knn->of.seconds};
        const char *dimension = dimensions[other / 2];
        const ratio row = {dimension, than->of.label,
                           tool_paper_printed("jair2010", dimension, other % 2 ? "tba" : "dlrta"),
                           times[other / 2]};
        tool_paper_add_row(&table, &row, false);
    }
}

/* What the paper says in words -------------------------------------------------------------------------- */

/* Variants of one part, each group led by what it is compared with. */
static void add_variants(const tool_paper_rows *run, tool_report *report, int part, const char *name,
                         const char *title) {
    static const tool_paper_column columns[] = {
        {PLANNER}, {OVER},
        {MEDIAN},  {P95},
        {WORST},   {"without_percent", "without a record, % of problems", 1, OF(without)},
        {CUT},     {"operations", "operations/move", 2, OF(of.all.operations)},
        {US},      {WORST_STEP},
        {FILE_KB}, {SECONDS},
    };
    const jair_figures *figures = jair_figures_of(run), *last = NULL;
    tool_paper_table table = {.shown = NULL};
    for (size_t i = 0; i < JAIR_ROWS; i++) {
        if (!figures[i].of.wanted || jair_rows[i].part != part) continue;
        if (!table.columns)
            table = tool_paper_begin_table(report, "jair2010", name, title, TOOL_PAPER_LIST(columns));
        const jair_figures *than = jair_find(run, jair_rows[i].than);
        if (than && than != last) tool_paper_add_row(&table, than, true);
        tool_paper_add_row(&table, &figures[i], false);
        last = than;
    }
}

static void add_maps(const tool_paper_rows *run, tool_report *report) {
    static const tool_paper_column columns[] = {
        {PLANNER},
        {"map", "map", 0, OF(of.map)},
        {OVER},
        {MEDIAN},
        {P95},
        {WORST},
        {LEARNT},
        {CUT},
        {"ns", "ns/move", 0, OF(of.timed.move_ns)},
        {WORST_STEP},
        {FILE_KB},
        {SECONDS},
        {"covered_percent", "problems covered, %", 1, OF(covered_percent)},
    };
    const tool_paper_table table = tool_paper_begin_table(report, "jair2010", "by-map",
                                                          "Map by map: kNN LRTA*", TOOL_PAPER_LIST(columns));
    for (int i = 0; i < JAIR_ROWS; i++) {
        const tool_paper_row *row = &jair_rows[i];
        if (!run->figures[i].wanted || row->family != JAIR_KNN ||
            (row->part != JAIR_PAPER && row->part != JAIR_BEYOND))
            continue;
        for (size_t map = 0; map < JAIR_MAPS; map++) {
            jair_figures one = {.covered_percent = tool_paper_base_fact(tool_paper_base_of(run, i, map),
                                                                        "problems_covered_percent")};
            if (!tool_paper_take_figures(run, i, map, 1, &one.of)) return;
            tool_paper_add_row(&table, &one, map == 0);
        }
    }
}

/* Figures ------------------------------------------------------------------------------------------------ */

static double field_of(const jair_figures *figures, size_t offset) {
    double value;
    memcpy(&value, (const char *)figures + offset, sizeof value);
    return value;
}

void jair_plot(const tool_paper_rows *run, tool_report *report, const char *title, const char *x_label,
               size_t offset, int (*line_of)(const tool_paper_row *row), const tool_paper_line *lines,
               size_t count) {
    const jair_figures *figures = jair_figures_of(run);
    tool_paper_points points = {.count = 0};
    for (size_t i = 0; i < JAIR_ROWS; i++) {
        int line = figures[i].of.wanted ? line_of(&jair_rows[i]) : -1;
        if (line >= 0)
            tool_paper_add_point(&points, field_of(&figures[i], offset), figures[i].of.all.suboptimality.mean,
                                 line);
    }
    tool_paper_plot(report, title, x_label, "suboptimality, per cent", &points, lines, count);
}

/* The paper's figures: suboptimality over something else. */
static const struct {
    int number, table; /* the table that has its values */
    const char *title, *x_label;
    size_t ours; /* a field */
    const char *paper;
    double times;
} plots[] = {
    {12, 1, "suboptimality and time per move", "microseconds per move", offsetof(jair_figures, of.us), "us",
     1},
    {13, 2, "suboptimality and precomputation", "seconds per map", offsetof(jair_figures, of.seconds),
     "hours", 3600},
    {14, 3, "suboptimality and size of the database", "MB per map (the paper's count)",
     offsetof(jair_figures, base_mb), "mb", 1},
    {15, 5, "suboptimality and cumulative memory", "KB (the paper's count)", offsetof(jair_figures, kb),
     "cumulative_kb", 1},
};

/* All of it, or the region of good solutions. */
static void add_plot(const tool_paper_rows *run, tool_report *report, size_t number, bool good) {
    static const tool_paper_line lines[] = {
        {"kNN LRTA*", 0, false},         {"D LRTA*", 1, false},       {"TBA*", 2, false},
        {"kNN LRTA*, paper", 0, true},   {"D LRTA*, paper", 1, true}, {"TBA*, paper", 2, true},
        {"kNN LRTA*, median", 5, false},
    };
    const jair_figures *figures = jair_figures_of(run);
    tool_paper_points points = {.most_y = good ? 1000 : 0};
    for (size_t i = 0; i < JAIR_ROWS; i++) {
        const tool_paper_row *row = &jair_rows[i];
        if (!figures[i].of.wanted || row->part != JAIR_PAPER || row->family == JAIR_ASTAR) continue;
        double x = field_of(&figures[i], plots[number].ours),
               paper = tool_paper_printed("jair2010", row->key, plots[number].paper);
        tool_paper_add_point(&points, x, figures[i].of.all.suboptimality.mean, row->family);
        tool_paper_add_point(&points, row->family == JAIR_KNN ? x : NAN, figures[i].of.all.median, 6);
        tool_paper_add_point(&points, paper * plots[number].times,
                             tool_paper_printed("jair2010", row->key, "suboptimality"), 3 + row->family);
    }
    char title[128];
    (void)snprintf(title, sizeof title, "Figure %d, %s: %s%s", plots[number].number, good ? "right" : "left",
                   plots[number].title, good ? ", up to 1000%" : "");
    tool_paper_plot(report, title, plots[number].x_label, "suboptimality, per cent", &points,
                    TOOL_PAPER_LIST(lines));
}

/* What the number of records brings, mean and ranks: the paper has the mean only. */
static void add_records_plot(const tool_paper_rows *run, tool_report *report) {
    static const tool_paper_line lines[] = {{"mean", 0, false},
                                            {"median", 5, false},
                                            {"95th percentile", 2, false},
                                            {"mean, paper", 0, true},
                                            {"mean, spread evenly", 3, false},
                                            {"median, spread evenly", 4, false}};
    tool_paper_points points = {.count = 0};
    for (size_t i = 0; i < JAIR_ROWS; i++) {
        const tool_paper_row *row = &jair_rows[i];
        const tool_paper_summary *all = &run->figures[i].all;
        const bool paper = row->part == JAIR_PAPER;
        if (!run->figures[i].wanted || row->family != JAIR_KNN || strchr(row->planner, ':') ||
            (!paper && row->part != JAIR_BEYOND))
            continue;
        tool_paper_add_point(&points, row->size, all->suboptimality.mean, paper ? 0 : 4);
        tool_paper_add_point(&points, row->size, all->median, paper ? 1 : 5);
        if (!paper) continue;
        tool_paper_add_point(&points, row->size, all->p95, 2);
        tool_paper_add_point(&points, row->size, tool_paper_printed("jair2010", row->key, "suboptimality"),
                             3);
    }
    tool_paper_plot(report, "kNN LRTA*: suboptimality and the number of records", "records",
                    "suboptimality, per cent", &points, TOOL_PAPER_LIST(lines));
}

void jair_add_tables(const tool_paper_rows *run, tool_report *report) {
    const bool *wanted = run->options->tables;
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++)
        for (int good = 0; good < 2 && wanted[plots[i].table - 1]; good++) add_plot(run, report, i, good);
    if (wanted[0]) add_records_plot(run, report);
    for (int i = 0; i < TABLES; i++)
        if (wanted[i]) add_table(run, report, i);
    if (wanted[TABLES]) add_table_7(run, report);
    add_variants(run, report, JAIR_FOOTNOTE, "footnote-4", "Footnote 4: more candidates");
    add_variants(run, report, JAIR_FRAGMENTS, "fragments", "Section 6.2: fragments of records as records");
    add_variants(run, report, JAIR_SWITCHES, "enhancements", "Section 6.2: an enhancement left out");
    add_variants(run, report, JAIR_BEYOND, "beyond",
                 "Beyond the paper: records spread evenly; TBA* in place of LRTA*'s learning");
    if (wanted[0]) add_maps(run, report);
}
