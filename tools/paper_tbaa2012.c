/* Hernandez, Baier, Uras and Koenig, "Time-Bounded Adaptive A*" (AAMAS 2012): table 1, known terrain. Time
 * intervals and movements under the game time model for five lengths of the interval.
 *
 * A machine of today expands many more cells in a millisecond than one of 2012. So the table comes twice:
 * with intervals of counted expansions, k for 0.3 ms, 2 k for 0.6 and so on, where k is chosen such that A*
 * stands for as many intervals as in the paper (584 - 545 = 39); and with intervals of real milliseconds.
 * What must come out is judged in the first. The paper draws its problems at random and does not list them:
 * ours are other problems on the same maps. */
#include "paper.h"

#include <math.h>
#include <stdlib.h>

enum { MAPS = 6, PLANNERS = 4, LENGTHS = 5, PROBLEMS = 300, QUICK_PROBLEMS = 30 };
enum { MS_PART = 30 }; /* one problem in so many is run by the clock: that takes real time */
enum { RTAA, DARTAA, TBA, ASTAR };

static const char *const labels[PLANNERS] = {"RTAA*", "daRTAA*", "TBA*", "A*"};
/* TBA* in the paper's own form, whose tracing costs no expansions. */
static const char *const planners[PLANNERS] = {"rtaa", "dartaa", "tba:trace=free", "astar"};
static const double lengths[LENGTHS] = {0.3, 0.6, 0.9, 1.2, 1.5};
static const double paper_intervals[PLANNERS][LENGTHS] = {{2193, 1541, 1362, 1196, 1087},
                                                          {1729, 1303, 1151, 1057, 970},
                                                          {568, 556, 552, 550, 549},
                                                          {584, 565, 558, 555, 553}};
static const double paper_moves[PLANNERS][LENGTHS] = {{2192, 1540, 1361, 1195, 1086},
                                                      {1728, 1302, 1150, 1056, 969},
                                                      {567, 555, 551, 549, 548},
                                                      {545, 545, 545, 545, 545}};
static const double paper_delay = 39; /* of A* at 0.3 ms */

static const tool_paper_map paper_maps[MAPS] = {
    {.set = "sc1", .name = "Enigma", .width = 768, .height = 768},
    {.set = "sc1", .name = "Inferno", .width = 768, .height = 768},
    {.set = "sc1", .name = "WheelofWar", .width = 768, .height = 768},
    {.set = "dao", .name = "orz103d", .width = 463, .height = 456},
    {.set = "dao", .name = "orz702d", .width = 718, .height = 939},
    {.set = "dao", .name = "orz703d", .width = 652, .height = 502},
};

/* One of the two tables: for each planner and length a value for each problem, map after map. */
typedef struct known_table {
    size_t problems; /* a map */
    double *values;
    tool_report_mean intervals[PLANNERS][LENGTHS], moves[PLANNERS][LENGTHS], expansions[PLANNERS][LENGTHS];
} known_table;

enum { INTERVALS, MOVES, EXPANSIONS, KINDS };

static double *values_of(const known_table *table, int planner, int length, int kind) {
    size_t all = table->problems * MAPS;
    return table->values + ((size_t)(planner * LENGTHS + length) * KINDS + (size_t)kind) * all;
}

static bool measure(const tool_paper_options *options, const tool_paper_map *maps, const char *what,
                    const tool_interval *intervals, int threads, known_table *table) {
    size_t problems = table->problems;
    tool_paper_job jobs[PLANNERS * LENGTHS * MAPS];
    table->values = calloc(problems * MAPS * PLANNERS * LENGTHS * KINDS, sizeof *table->values);
    if (!table->values) {
        (void)tool_wrong("out of memory for the results");
        return false;
    }
    for (int planner = 0; planner < PLANNERS; planner++)
        for (int length = 0; length < LENGTHS; length++)
            for (size_t i = 0; i < MAPS; i++)
                jobs[(size_t)(planner * LENGTHS + length) * MAPS + i] = (tool_paper_job){
                    .map = &maps[i],
                    .planner = planners[planner],
                    .interval = intervals[length],
                    .count = problems,
                    .intervals = values_of(table, planner, length, INTERVALS) + i * problems,
                    .moves = values_of(table, planner, length, MOVES) + i * problems,
                    .expansions = values_of(table, planner, length, EXPANSIONS) + i * problems};
    if (!tool_paper_run_jobs(options, what, jobs, sizeof jobs / sizeof *jobs, threads)) return false;
    for (int planner = 0; planner < PLANNERS; planner++)
        for (int length = 0; length < LENGTHS; length++) {
            size_t all = problems * MAPS;
            table->intervals[planner][length] =
                tool_report_mean_of(values_of(table, planner, length, INTERVALS), all);
            table->moves[planner][length] =
                tool_report_mean_of(values_of(table, planner, length, MOVES), all);
            table->expansions[planner][length] =
                tool_report_mean_of(values_of(table, planner, length, EXPANSIONS), all);
        }
    return true;
}

/* The mean number of intervals of k expansions that searches of these sizes take. */
static double mean_delay(const double *expansions, size_t count, uint64_t k) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += fmax(1, ceil(expansions[i] / (double)k));
    return sum / (double)count;
}

/* The k whose delay comes nearest to the paper's. The delay falls as k grows. */
static bool choose_k(const tool_paper_options *options, const tool_paper_map *maps, size_t problems,
                     uint64_t *k) {
    double *expansions = calloc(problems * MAPS, sizeof *expansions);
    if (!expansions) {
        (void)tool_wrong("out of memory for the results");
        return false;
    }
    tool_paper_job jobs[MAPS];
    for (size_t i = 0; i < MAPS; i++)
        jobs[i] = (tool_paper_job){.map = &maps[i],
                                   .planner = planners[ASTAR],
                                   .count = problems,
                                   .expansions = expansions + i * problems};
    bool good = tool_paper_run_jobs(options, "A*, to choose k", jobs, MAPS, options->threads);
    if (good) {
        uint64_t low = 1, high = 1;
        while (mean_delay(expansions, problems * MAPS, high) > paper_delay) low = high, high *= 2;
        while (low + 1 < high) {
            uint64_t middle = low + (high - low) / 2;
            if (mean_delay(expansions, problems * MAPS, middle) > paper_delay)
                low = middle;
            else
                high = middle;
        }
        double over = mean_delay(expansions, problems * MAPS, low) - paper_delay,
               under = paper_delay - mean_delay(expansions, problems * MAPS, high);
        *k = over >= 0 && over < under ? low : high;
    }
    free(expansions);
    return good;
}

/* The report -------------------------------------------------------------------------------------------- */

static void add_table(tool_report *report, const known_table *table, const tool_interval *intervals,
                      bool by_clock) {
    const tool_report_column columns[] = {
        {"length_ms", "ms", false, false},          {"planner", "planner", true, false},
        {"intervals", "intervals", false, false},   {"intervals_paper", "paper", false, true},
        {"moves", "moves", false, false},           {"moves_paper", "paper", false, true},
        {"expansions", "expansions", false, false}, {"k", "k", false, false}, /* not by the clock */
    };
    tool_report_table *shown =
        tool_report_add_table(report, by_clock ? "milliseconds" : "expansions",
                              by_clock ? "Table 1, known terrain: intervals of real milliseconds"
                                       : "Table 1, known terrain: intervals of k expansions",
                              columns, sizeof columns / sizeof *columns - by_clock);
    for (int length = 0; length < LENGTHS; length++)
        for (int planner = 0; planner < PLANNERS; planner++) {
            tool_report_mean in_intervals = table->intervals[planner][length],
                             in_moves = table->moves[planner][length];
            const tool_report_cell cells[] = {
                tool_report_number_cell(lengths[length], 1),
                tool_report_text_cell(labels[planner]),
                {.number = in_intervals.mean, .margin = in_intervals.margin, .decimals = 1},
                tool_report_number_cell(paper_intervals[planner][length], 0),
                {.number = in_moves.mean, .margin = in_moves.margin, .decimals = 1},
                tool_report_number_cell(paper_moves[planner][length], 0),
                tool_report_number_cell(table->expansions[planner][length].mean, 0),
                tool_report_number_cell((double)intervals[length].expansions, 0),
            };
            tool_report_add_row(shown, cells, planner == 0);
        }
}

/* One plot of the planners from `first` on: TBA* and A* would be one line at the foot of the others' plot. */
static void add_plot(tool_report *report, const known_table *table, int first, const char *title) {
    tool_report_plot *plot =
        tool_report_add_plot(report, title, "length of an interval, ms", "intervals", lengths, LENGTHS);
    for (int planner = first; planner < PLANNERS; planner++) {
        double means[LENGTHS];
        char label[32];
        for (int length = 0; length < LENGTHS; length++)
            means[length] = table->intervals[planner][length].mean;
        tool_report_add_line(plot, labels[planner], means, planner, false);
        (void)snprintf(label, sizeof label, "%s, paper", labels[planner]);
        tool_report_add_line(plot, label, paper_intervals[planner], planner, true);
    }
}

static void check_astar(tool_report *report, const known_table *table, bool comparable) {
    tool_report_mean moves = table->moves[ASTAR][0];
    double paper = paper_moves[ASTAR][0], off = fabs(moves.mean - paper);
    bool good = off <= moves.margin || off <= 0.03 * paper;
    tool_report_add_check(report,
                          !comparable ? TOOL_REPORT_NOT_COMPARABLE
                          : good      ? TOOL_REPORT_PASS
                                      : TOOL_REPORT_FAIL,
                          "A*'s mean moves, %.1f ±%.1f, meet the paper's %.0f within the interval or 3%%",
                          moves.mean, moves.margin, paper);
}

/* The problems are the same for both, so the differences are taken problem by problem. */
static bool check_fewer(tool_report *report, const known_table *table, int few, int many) {
    size_t all = table->problems * MAPS;
    double *differences = malloc(all * sizeof *differences);
    if (!differences) {
        (void)tool_wrong("out of memory for the results");
        return false;
    }
    tool_report_mean least = {INFINITY, 0};
    int where = 0;
    for (int length = 0; length < LENGTHS; length++) {
        const double *fewer = values_of(table, few, length, INTERVALS),
                     *more = values_of(table, many, length, INTERVALS);
        for (size_t i = 0; i < all; i++) differences[i] = more[i] - fewer[i];
        tool_report_mean mean = tool_report_mean_of(differences, all);
        if (mean.mean < least.mean) least = mean, where = length;
    }
    free(differences);
    tool_report_add_check(report, least.mean > 0 ? TOOL_REPORT_PASS : TOOL_REPORT_FAIL,
                          "%s needs fewer intervals than %s for every length (least so at %.1f ms: %.1f and "
                          "%.1f, a difference of %.1f ±%.1f)",
                          labels[few], labels[many], lengths[where], table->intervals[few][where].mean,
                          table->intervals[many][where].mean, least.mean, least.margin);
    return true;
}

static void check_moves(tool_report *report, const known_table *table) {
    double most = 0;
    int where = 0;
    for (int length = 0; length < LENGTHS; length++) {
        double off = fabs(table->moves[TBA][length].mean / table->moves[ASTAR][length].mean - 1) * 100;
        if (!(off <= most)) most = off, where = length;
    }
    tool_report_add_check(report, most <= 5 ? TOOL_REPORT_PASS : TOOL_REPORT_FAIL,
                          "TBA*'s moves are within 5%% of A*'s (farthest at %.1f ms: %.1f%%)", lengths[where],
                          most);
}

static void describe(tool_report *report, const tool_paper_options *options, size_t problems,
                     size_t ms_problems, uint64_t k, const known_table *table) {
    double delay = table->intervals[ASTAR][0].mean - table->moves[ASTAR][0].mean;
    tool_report_note(
        report,
        "Mean numbers of time intervals and of moves until the agent arrives, with 95%% intervals "
        "(normal approximation), beside the paper's figures. Six maps, random problems on each: "
        "%zu. In each interval the agent makes one move and searches until it ends; in the first "
        "it only searches.",
        problems);
    tool_report_note(
        report,
        "k = %llu expansions stand for 0.3 ms: with them A* stands for %.1f intervals before its "
        "first move, in the paper for %.0f.",
        (unsigned long long)k, delay, paper_delay);
    if (ms_problems)
        tool_report_note(report,
                         "The table by real milliseconds is shown, not judged: this machine searches most of "
                         "these maps in a few intervals. Problems on each map: %zu.",
                         ms_problems);
    const wend_rules rules = options->map.rules;
    static const char *const corners[] = {"any", "one", "strict"};
    tool_report_set_number(report, "seed", (double)options->seed);
    tool_report_set_number(report, "problems", (double)problems);
    tool_report_set_number(report, "ms_problems", (double)ms_problems);
    tool_report_set_number(report, "k", (double)k);
    tool_report_set_number(report, "delay", delay);
    tool_report_set_number(report, "delay_paper", paper_delay);
    tool_report_set_number(report, "connect", rules.connect);
    tool_report_set_text(report, "corners", corners[rules.corners]);
    tool_report_set_text(report, "diagonal", rules.diagonal == WEND_DIAGONAL_SQRT2 ? "sqrt2" : "1.4");
    for (int planner = 0; planner < PLANNERS; planner++)
        tool_report_set_text(report, labels[planner], planners[planner]);
}

/* The paper's maps, by their sizes, under its rules. */
static bool is_comparable(const tool_paper_options *options, const tool_paper_map *maps) {
    wend_rules rules = options->map.rules, paper = wend_default_rules();
    bool same =
        rules.connect == paper.connect && rules.corners == paper.corners && rules.diagonal == paper.diagonal;
    for (size_t i = 0; i < MAPS; i++)
        same = same && !maps[i].generated && wend_map_width(maps[i].map) == maps[i].width &&
               wend_map_height(maps[i].map) == maps[i].height;
    return same;
}

static bool run(const tool_paper_options *options, tool_report *report) {
    tool_paper_map maps[MAPS];
    for (size_t i = 0; i < MAPS; i++) maps[i] = paper_maps[i];
    size_t problems = options->problems ? options->problems : options->quick ? QUICK_PROBLEMS : PROBLEMS;
    size_t ms_problems =
        options->ms_problems < SIZE_MAX ? options->ms_problems : (problems + MS_PART - 1) / MS_PART;
    if (ms_problems > problems) ms_problems = problems;
    known_table counted = {.problems = problems}, timed = {.problems = ms_problems};
    tool_interval by_count[LENGTHS], by_clock[LENGTHS];
    uint64_t k = 0;
    bool good = tool_paper_open_maps(options, problems, maps, MAPS) && choose_k(options, maps, problems, &k);
    for (int i = 0; i < LENGTHS; i++) {
        by_count[i] = (tool_interval){.expansions = k * (uint64_t)(i + 1)};
        by_clock[i] = (tool_interval){.nanoseconds = 300000 * (uint64_t)(i + 1)};
    }
    good = good && measure(options, maps, "intervals of expansions", by_count, options->threads, &counted);
    if (good && ms_problems) good = measure(options, maps, "intervals of milliseconds", by_clock, 1, &timed);
    if (good) {
        describe(report, options, problems, ms_problems, k, &counted);
        add_table(report, &counted, by_count, false);
        add_plot(report, &counted, RTAA, "Intervals of k expansions");
        add_plot(report, &counted, TBA, "Intervals of k expansions: TBA* and A* alone");
        if (ms_problems) {
            add_table(report, &timed, by_clock, true);
            add_plot(report, &timed, RTAA, "Intervals of real milliseconds");
        }
        tool_paper_describe_maps(report, maps, MAPS);
        check_astar(report, &counted, is_comparable(options, maps));
        good = check_fewer(report, &counted, TBA, ASTAR) && check_fewer(report, &counted, DARTAA, RTAA);
        check_moves(report, &counted);
    }
    free(counted.values);
    free(timed.values);
    tool_paper_close_maps(maps, MAPS);
    return good;
}

const tool_paper tool_paper_tbaa2012 = {
    .name = "tbaa2012",
    .title = "Time-Bounded Adaptive A* (AAMAS 2012), measured again",
    .run = run,
};
