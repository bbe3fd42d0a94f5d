/* Bulitko and Bjornsson, "kNN LRTA*: simple subgoaling for real-time search" (AIIDE 2009): table 1 and
 * figure 8. Suboptimality and expansions per move of LRTA*, of kNN LRTA* with 1,000, 5,000 and 10,000 records
 * and of D LRTA* at levels 7, 6, 5 and 3 of its abstraction, with the time to build and the size of each
 * database; all with a lookahead of three moves, and climbs of at most 25.
 *
 * The paper has eight maps of 150x141 to 234x274 cells, five of Baldur's Gate and three of WarCraft III, and
 * shows them, but does not name them. AR0012SR and AR0411SR with a border of one cell have the smallest and
 * the largest size; three more of Baldur's Gate, of sizes between, were chosen such that LRTA*, which has no
 * database, goes about as far astray as in the paper. The maps of WarCraft III that are public were blown up
 * to 512x512; of the first three by name one cell of 3x3 is kept, which makes them 171x171. The problems are
 * drawn from the seed, with the paper's costs of 100 to 150: they are not the paper's problems.
 *
 * Below the paper's rows stand some of ours on the same problems: records with the farthest subgoal that can
 * be climbed to instead of the one before the first that can't (`pick=farthest`), kNN LRTA* of 2010, and
 * TBA*. */
#include "common/rows.h"

#include <math.h>
#include <string.h>

static const char name[] = "knn2009";
enum { LRTA, KNN_1000, KNN_5000, KNN_10000, DLRTA_7, DLRTA_6, DLRTA_5, DLRTA_3, PAPER_ROWS, ROWS = 15 };

#define KNN "knn2009:climb=25,d=3"
#define RECORDS(n) "knn2009:records=" #n
#define ROW(key, label, brief, base, planner, weight, building)                                              \
    key, label, brief, base, planner, weight, building, false, 0, 0, 0, 0, NULL

/* Table 1 from top to bottom, then those of ours. */
static const tool_paper_row rows[ROWS] = {
    {ROW("lrta", "LRTA*", "LRTA*", NULL, "lrta:d=3", 50, 0)},
    {ROW("knn-1000", "kNN LRTA* (1000)", "kNN 1000", RECORDS(1000), KNN, 8, 1)},
    {ROW("knn-5000", "kNN LRTA* (5000)", "kNN 5000", RECORDS(5000), KNN, 6, 5)},
    {ROW("knn-10000", "kNN LRTA* (10000)", "kNN 10000", RECORDS(10000), KNN, 5, 10)},
    {ROW("dlrta-7", "D LRTA* (7)", "D 7", "dlrta:level=7", "dlrta:d=3", 5, 1)},
    {ROW("dlrta-6", "D LRTA* (6)", "D 6", "dlrta:level=6", "dlrta:d=3", 4, 1)},
    {ROW("dlrta-5", "D LRTA* (5)", "D 5", "dlrta:level=5", "dlrta:d=3", 4, 2)},
    {ROW("dlrta-3", "D LRTA* (3)", "D 3", "dlrta:level=3", "dlrta:d=3", 4, 20)},
    {ROW("knn-far-1000", "kNN farthest (1000)", NULL, RECORDS(1000) ",pick=farthest", KNN, 8, 2)},
    {ROW("knn-far-5000", "kNN farthest (5000)", NULL, RECORDS(5000) ",pick=farthest", KNN, 6, 10)},
    {ROW("knn-far-10000", "kNN farthest (10000)", NULL, RECORDS(10000) ",pick=farthest", KNN, 5, 20)},
    {ROW("knn2010-1000", "kNN of 2010 (1000)", NULL, "knn:records=1000", "knn", 4, 1)},
    {ROW("knn2010-5000", "kNN of 2010 (5000)", NULL, "knn:records=5000", "knn", 3, 5)},
    {ROW("knn2010-10000", "kNN of 2010 (10000)", NULL, "knn:records=10000", "knn", 3, 10)},
    {ROW("tba", "TBA* (20)", NULL, NULL, "tba:k=20", 5, 0)},
};

#define MAP(folder, map, wide, high, kept)                                                                   \
    .set = (folder), .name = (map), .width = (wide), .height = (high), .kind = WEND_MAP_CAVES,               \
    .reduce = (kept), .min_length = 100, .max_length = 150
static const tool_paper_map maps[] = {
    {MAP("bgmaps", "AR0012SR", 148, 139, 0)},       {MAP("bgmaps", "AR0014SR", 148, 144, 0)},
    {MAP("bgmaps", "AR0205SR", 212, 214, 0)},       {MAP("bgmaps", "AR0411SR", 232, 272, 0)},
    {MAP("bgmaps", "AR0516SR", 244, 187, 0)},       {MAP("wc3maps512", "battleground", 512, 512, 3)},
    {MAP("wc3maps512", "darkforest", 512, 512, 3)}, {MAP("wc3maps512", "drywatergulch", 512, 512, 3)},
};
enum { MAPS = sizeof maps / sizeof *maps };

/* Tables ------------------------------------------------------------------------------------------------ */

#define OF(field) TOOL_PAPER_FIELD(tool_paper_figures, field)
#define PRINTED(column) TOOL_PAPER_PRINTED(column)

/* The paper's table: its columns, and ours in bytes. */
static const tool_paper_column table_1[] = {
    {"planner", "algorithm", 0, OF(label)},
    {"seconds", "s", 2, OF(seconds)},
    {"seconds_paper", "paper", 1, TOOL_PAPER_PRINTED_PER("minutes", 1. / 60)},
    {"relative_size", "size", 2, OF(size)},
    {"relative_size_paper", "paper", 2, PRINTED("size")},
    {"kilobytes", "KB", 1, TOOL_PAPER_FIELD_OF(tool_paper_figures, bytes, 1024, NULL)},
    {"suboptimality", "over %", 2, OF(all.suboptimality)},
    {"suboptimality_paper", "paper", 2, PRINTED("suboptimality")},
    {"expansions", "exp.", 2, OF(all.expansions.mean)},
    {"expansions_paper", "paper", 2, PRINTED("expansions")},
};

static const tool_paper_column spread[] = {
    {"planner", "algorithm", 0, OF(label)},
    {"suboptimality", "mean", 2, OF(all.suboptimality.mean)},
    {"median", "median", 2, OF(all.median)},
    {"p95", "95th percentile", 1, OF(all.p95)},
    {"worst", "worst", 1, OF(all.worst)},
    {"learnt_percent", "learnt %", 1, OF(all.learnt_percent)},
    {"revisited_percent", "went back %", 1, OF(all.revisited_percent)},
    {"revisits", "revisits", 1, OF(all.revisits)},
};

static const tool_paper_column costs[] = {
    {"planner", "algorithm", 0, OF(label)},
    {"moves", "moves", 1, OF(all.moves)},
    {"operations", "operations", 1, OF(all.operations)},
    {"operations_max", "most", 0, OF(all.operations_max)},
    {"online_bytes", "bytes", 0, OF(all.online_bytes)},
    {"online_bytes_max", "most", 0, OF(all.online_max)},
    {"move_ns", "ns", 0, OF(timed.move_ns)},
    {"step_ns_max", "longest step", 0, OF(timed.step_ns_max)},
};
enum { TIMED_COLUMNS = 2 };

static void add_table(tool_report *report, const tool_paper_figures *of, const char *key, const char *title,
                      const tool_paper_column *columns, size_t count) {
    const tool_paper_table table = tool_paper_begin_table(report, name, key, title, columns, count);
    for (int row = 0; row < ROWS; row++)
        tool_paper_add_row(&table, &of[row], row == KNN_1000 || row == DLRTA_7 || row == PAPER_ROWS);
}

static void add_costs(const tool_paper_rows *run, tool_report *report) {
    const bool timed = run->timed_problems > 0;
    char title[160];
    (void)snprintf(
        title, sizeof title,
        "Costs: moves per problem; operations per move, most in a step; bytes that an agent used, mean and "
        "most%s",
        timed ? "; ns per move, and of the longest step" : "");
    add_table(report, run->figures, "costs", title, costs,
              sizeof costs / sizeof *costs - (timed ? 0 : TIMED_COLUMNS));
}

/* Figure 8: suboptimality over the size of the database, or over expansions per move: of all rows with a
 * database. */
static void add_plot(tool_report *report, const tool_paper_figures *of, bool by_size) {
    static const tool_paper_line lines[] = {{"kNN LRTA* (1000, 5000, 10000)", 0, false},
                                            {"D LRTA* (7, 6, 5, 3)", 1, false},
                                            {"kNN LRTA*, paper", 0, true},
                                            {"D LRTA*, paper", 1, true}};
    tool_paper_points points = {.count = 0};
    for (int row = KNN_1000; row < PAPER_ROWS; row++) {
        const int line = row >= DLRTA_7;
        tool_paper_add_point(&points, by_size ? of[row].size : of[row].all.expansions.mean,
                             of[row].all.suboptimality.mean, line);
        tool_paper_add_point(&points, tool_paper_printed(name, of[row].key, by_size ? "size" : "expansions"),
                             tool_paper_printed(name, of[row].key, "suboptimality"), 2 + line);
    }
    tool_paper_plot(report,
                    by_size ? "Figure 8, left: suboptimality and size of the database"
                            : "Figure 8, right: suboptimality and expansions",
                    by_size ? "size of the database, 1 = as many entries as the map has cells"
                            : "expansions per move",
                    "over optimal, %", &points, TOOL_PAPER_LIST(lines));
}

/* What must come out ------------------------------------------------------------------------------------ */

/* By how much more of a figure the first has, problem by problem. */
static shared_estimate difference(const tool_paper_rows *run, int more, int less,
                                  tool_paper_measure *measure) {
    return tool_paper_estimate_rows(run, more, less, measure, SHARED_MEAN_OF);
}

/* Some of what the paper says holds of maps of games, by its rules, and not of every map. */
static bool is_comparable(const tool_paper_rows *run) {
    wend_rules rules = run->options->map.rules, paper = wend_default_rules();
    bool same =
        rules.connect == paper.connect && rules.corners == paper.corners && rules.diagonal == paper.diagonal;
    return same && tool_paper_maps_are_meant(run);
}

/* Whether the first of two rows has more of a figure. */
static tool_report_check check_more(const tool_paper_rows *run, int more, int less,
                                    tool_paper_measure *measure) {
    return tool_paper_judge(tool_paper_above(0), difference(run, more, less, measure));
}

static void check_lrta(const tool_paper_rows *run, tool_report *report, const tool_paper_figures *of) {
    tool_report_check parts[PAPER_ROWS - KNN_1000];
    for (int row = KNN_1000; row < PAPER_ROWS; row++)
        parts[row - KNN_1000] = check_more(run, LRTA, row, tool_paper_suboptimality);
    const size_t nearest = tool_paper_weakest(TOOL_PAPER_LIST(parts));
    tool_report_add_check(report, &parts[nearest], "LRTA* is the worst: %.1f%%, and %s, the next, %.1f%%",
                          of[LRTA].all.suboptimality.mean, rows[KNN_1000 + (int)nearest].label,
                          of[KNN_1000 + (int)nearest].all.suboptimality.mean);
}

/* Each of these rows is better than the one before. */
static void check_order(const tool_paper_rows *run, tool_report *report, const char *claim, int first,
                        int last) {
    char text[512] = "";
    tool_report_check parts[PAPER_ROWS];
    for (int row = first; row <= last; row++) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%s %.2f%%", used ? ", " : "", rows[row].label,
                       run->figures[row].all.suboptimality.mean);
        if (row > first) parts[row - first - 1] = check_more(run, row - 1, row, tool_paper_suboptimality);
    }
    const size_t count = (size_t)(last - first), weakest = tool_paper_weakest(parts, count);
    tool_report_add_check(report, &parts[weakest], "%s: %s; least between %s and %s", claim, text,
                          rows[first + (int)weakest].label, rows[first + (int)weakest + 1].label);
}

/* What the paper says in words. By its own count of sizes; ours in bytes stands beside it. */
static void check_sizes(tool_report *report, const tool_paper_figures *of) {
    static const struct {
        int small, large;
        double times; /* at least */
        const char *words;
    } pairs[] = {
        {KNN_1000, DLRTA_7, 9, "nine times less"},
        {KNN_1000, DLRTA_3, 20, "tens of times less, smallest against largest"},
        {KNN_10000, DLRTA_6, 1, "less for paths that are better"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const tool_paper_figures *small = &of[pairs[i].small], *large = &of[pairs[i].large];
        const tool_report_check check =
            tool_paper_judge(tool_paper_at_least(pairs[i].times, 0), shared_exact(large->size / small->size));
        tool_report_add_check(
            report, &check,
            "%s needs less memory than %s by the paper's count, %s: %.1f times less (in the "
            "paper %.1f times; in bytes of our files %.1f times)",
            small->label, large->label, pairs[i].words, large->size / small->size,
            tool_paper_printed(name, large->key, "size") / tool_paper_printed(name, small->key, "size"),
            large->bytes / small->bytes);
    }
    double grows = INFINITY;
    for (int row = DLRTA_6; row <= DLRTA_3; row++) grows = fmin(grows, of[row].size / of[row - 1].size);
    const tool_report_check check = tool_paper_judge(tool_paper_above(1), shared_exact(grows));
    tool_report_add_check(
        report, &check, "D LRTA* needs more memory at lower levels: %.2f, %.2f, %.2f and %.2f times the map",
        of[DLRTA_7].size, of[DLRTA_6].size, of[DLRTA_5].size, of[DLRTA_3].size);
}

/* The paper says "as good" where kNN LRTA* is 6 points better, so 6 points worse are as good. */
static void check_quality(const tool_paper_rows *run, tool_report *report, const tool_paper_figures *of) {
    enum { AS_GOOD = 6 };
    const tool_report_check as_good =
        tool_paper_compare(is_comparable(run), tool_paper_at_most(0, AS_GOOD),
                           difference(run, KNN_1000, DLRTA_7, tool_paper_suboptimality));
    tool_report_add_check(report, &as_good,
                          "kNN LRTA* (1000) has paths as good as those of D LRTA* (7): %.2f%% and %.2f%%",
                          of[KNN_1000].all.suboptimality.mean, of[DLRTA_7].all.suboptimality.mean);
    const tool_report_check better =
        tool_paper_compare(is_comparable(run), tool_paper_above(0),
                           difference(run, DLRTA_6, KNN_10000, tool_paper_suboptimality));
    tool_report_add_check(report, &better, "kNN LRTA* (10000) is better than D LRTA* (6): %.2f%% and %.2f%%",
                          of[KNN_10000].all.suboptimality.mean, of[DLRTA_6].all.suboptimality.mean);
}

static void check_expansions(const tool_paper_rows *run, tool_report *report, const tool_paper_figures *of) {
    int least = KNN_1000, most = DLRTA_7;
    for (int row = KNN_1000; row < PAPER_ROWS; row++) {
        double expansions = of[row].all.expansions.mean;
        if (row < DLRTA_7 && expansions < of[least].all.expansions.mean) least = row;
        if (row >= DLRTA_7 && expansions > of[most].all.expansions.mean) most = row;
    }
    const tool_report_check parts[] = {
        check_more(run, KNN_1000, KNN_5000, tool_paper_expansions),
        check_more(run, KNN_5000, KNN_10000, tool_paper_expansions),
        check_more(run, least, most, tool_paper_expansions),
    };
    tool_report_check check = parts[tool_paper_weakest(TOOL_PAPER_LIST(parts))];
    if (!is_comparable(run)) check.verdict = TOOL_REPORT_NOT_COMPARABLE;
    tool_report_add_check(report, &check,
                          "kNN LRTA* expands more per move than D LRTA*, for its climbs, and less with more "
                          "records: %.2f, %.2f and %.2f; D LRTA* at most %.2f",
                          of[KNN_1000].all.expansions.mean, of[KNN_5000].all.expansions.mean,
                          of[KNN_10000].all.expansions.mean, of[most].all.expansions.mean);
}

static void judge(const tool_paper_rows *run, tool_report *report) {
    const tool_paper_figures *of = run->figures;
    check_lrta(run, report, of);
    check_order(run, report, "kNN LRTA* gets better with more records", KNN_1000, KNN_10000);
    check_order(run, report, "D LRTA* gets better at lower levels", DLRTA_7, DLRTA_3);
    check_sizes(report, of);
    check_quality(run, report, of);
    check_expansions(run, report, of);
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
        "Over: by how many per cent the way gone was longer than the shortest. Learnt: the share of problems "
        "in which the heuristic of some cell was raised; went back: in which the agent came to a cell where "
        "it had been. Those decide the mean. Expansions count every move of a climb that was tried, as in "
        "the paper; ours tries fewer, since records that are too far off to be climbed to are passed over "
        "unclimbed, with the same choice in the end. Size as the paper counts it: three entries per record of "
        "kNN LRTA*, one per cell and one per record of D LRTA*, over the cells of the map. KB: our files. Times "
        "to build are those of a map on %d threads; the paper's were estimated from runs of MATLAB.",
        options->threads);
    if (run->timed_problems)
        tool_report_note(report,
                         "Times are of %zu problems per map, on one thread: a move in the mean from passes "
                         "without clocks inside, the longest step from the least of five passes.",
                         run->timed_problems);
    tool_paper_describe_rows(run, report);
    tool_paper_describe_rules(report, options);
    for (int row = 0; row < ROWS; row++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s%s%s", rows[row].planner, rows[row].base ? " with " : "",
                       rows[row].base ? rows[row].base : "");
        tool_report_set_text(report, rows[row].label, text);
    }
}

static bool tell(const tool_paper_rows *run, tool_report *report) {
    tool_paper_figures *of = run->figures;
    for (int row = 0; row < ROWS; row++)
        if (!rows[row].base) of[row].seconds = of[row].size = of[row].bytes = 0; /* as in the paper */
    describe(run, report);
    add_table(report, of, "table1", "Table 1: databases, suboptimality, and expansions per move (means)",
              TOOL_PAPER_LIST(table_1));
    add_table(report, of, "spread", "Over optimal, %: how it is spread over the problems",
              TOOL_PAPER_LIST(spread));
    add_plot(report, of, true);
    add_plot(report, of, false);
    judge(run, report);
    if (!tool_paper_add_maps_table(run, PAPER_ROWS, 1, report)) return false;
    add_costs(run, report);
    tool_paper_describe_maps(report, run->maps, MAPS);
    return true;
}

static const tool_paper_plan plan = {
    .name = name,
    .rows = rows,
    .row_count = ROWS,
    .maps = maps,
    .map_count = MAPS,
    .stand_ins = true,
    .problems = 128,
    .quick_problems = 64,
    .timed_part = 16,
    .tell = tell,
};

const tool_paper tool_paper_knn2009 = {
    .name = name,
    .title = "kNN LRTA*: simple subgoaling (AIIDE 2009), measured again",
    .tables = 1,
    .plan = &plan,
};
