/* The report of cpd2011: figures 2 to 6 as tables and plots, the two maps that the text names, all maps one
 * by one, and what must come out. */
#include "cpd2011/cpd2011.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BIN = 25, BINS = 80 }; /* path costs are put together in parts of 25; the last takes what is longer */

/* Problems of similar path cost. */
typedef struct bin {
    size_t problems, timed;
    double nodes[CPD11_ROWS]; /* A*: expanded; else cells of the path; sums */
    double touched;           /* cells of which A* knew something */
    double ns[CPD11_ROWS];    /* sums */
    double speedup[CPD11_ROWS];
} bin;

/* Whether its means say something: the paper's highest one is compared with such ones. */
static bool enough(const bin *b) {
    return b->timed >= 10;
}

static bin *bin_of(bin *bins, const tool_paper_job *job, size_t index) {
    size_t at = (size_t)(tool_paper_length(job, index) / BIN);
    return &bins[at < BINS ? at : BINS - 1];
}

static void gather(const cpd11_run *run, bin *bins) {
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t map = 0; map < CPD11_MAPS; map++) {
        for (size_t i = 0; i < run->problems; i++) {
            bin *b = bin_of(bins, &run->jobs[map], i);
            b->problems++;
            b->touched += (double)run->jobs[map].results[i].cells;
            for (int row = 0; row < CPD11_ROWS; row++) {
                const tool_paper_result *result = &run->jobs[(size_t)row * CPD11_MAPS + map].results[i];
                b->nodes[row] += row == CPD11_ASTAR ? (double)result->expansions : (double)result->moves + 1;
            }
        }
        for (size_t i = 0; i < run->timed_problems; i++) {
            const tool_paper_result *astar = &run->timed[map].results[i];
            if (!astar->moves) continue; /* it was there already */
            bin *b = bin_of(bins, &run->timed[map], i);
            b->timed++;
            for (int row = 0; row < CPD11_ROWS; row++) {
                double ns = row == CPD11_ASTAR ? (double)astar->plan_ns : cpd11_walk(run, row, map)[i];
                b->ns[row] += ns;
                b->speedup[row] += (double)astar->plan_ns / fmax(ns, 1);
            }
        }
    }
}

static void add_cost_tables(const cpd11_run *run, tool_report *report, const bin *bins) {
    static const tool_report_column speed[] = {
        {"cost", "path cost", false, false},       {"problems", "problems", false, false},
        {"astar_us", "A* us", false, false},       {"rectangles_us", "rectangles us", false, false},
        {"speedup", "times faster", false, false}, {"speedup_paper", "paper", false, true},
        {"runs_us", "runs us", false, false},      {"speedup_runs", "times faster", false, false},
    };
    static const tool_report_column nodes[] = {
        {"cost", "path cost", false, false},
        {"problems", "problems", false, false},
        {"expanded", "A* expanded", false, false},
        {"touched", "A* touched", false, false},
        {"cpd", "cpd", false, false},
        {"times", "times fewer", false, false},
    };
    size_t last = 0;
    for (size_t i = 0; i < BINS; i++)
        if (enough(&bins[i])) last = i;
    tool_report_table *table = NULL;
    if (run->timed_problems)
        table = tool_report_add_table(report, "figure2",
                                      "Figure 2: how many times faster than A* whole paths are, by path cost "
                                      "(from there on; means)",
                                      speed, sizeof speed / sizeof *speed);
    for (size_t i = 0; i < BINS && table; i++) {
        const bin *b = &bins[i];
        double n = (double)b->timed, paper = i == last ? 700 : i == 100 / BIN ? 100 : NAN;
        const tool_report_cell cells[] = {
            tool_report_number_cell((double)i * BIN, 0),
            tool_report_number_cell(n, 0),
            tool_report_number_cell(b->ns[CPD11_ASTAR] / n / 1e3, 1),
            tool_report_number_cell(b->ns[CPD11_RECTANGLES] / n / 1e3, 2),
            tool_report_number_cell(b->speedup[CPD11_RECTANGLES] / n, 1),
            tool_report_number_cell(paper, 0),
            tool_report_number_cell(b->ns[CPD11_RUNS] / n / 1e3, 2),
            tool_report_number_cell(b->speedup[CPD11_RUNS] / n, 1),
        };
        if (b->timed) tool_report_add_row(table, cells, false);
    }
    table = tool_report_add_table(report, "figure3", "Figure 3: nodes, by path cost (means)", nodes,
                                  sizeof nodes / sizeof *nodes);
    for (size_t i = 0; i < BINS; i++) {
        const bin *b = &bins[i];
        double n = (double)b->problems;
        const tool_report_cell cells[] = {
            tool_report_number_cell((double)i * BIN, 0),
            tool_report_number_cell(n, 0),
            tool_report_number_cell(b->nodes[CPD11_ASTAR] / n, 0),
            tool_report_number_cell(b->touched / n, 0),
            tool_report_number_cell(b->nodes[CPD11_RECTANGLES] / n, 1),
            tool_report_number_cell(b->nodes[CPD11_ASTAR] / b->nodes[CPD11_RECTANGLES], 1),
        };
        if (b->problems) tool_report_add_row(table, cells, false);
    }
}

static void add_cost_plots(const cpd11_run *run, tool_report *report, const bin *bins) {
    double x[BINS], y[4][BINS];
    size_t count = 0;
    for (size_t i = 0; i < BINS; i++) {
        if (!bins[i].timed) continue;
        x[count] = ((double)i + 0.5) * BIN;
        y[0][count] = bins[i].speedup[CPD11_RECTANGLES] / (double)bins[i].timed;
        y[1][count++] = bins[i].speedup[CPD11_RUNS] / (double)bins[i].timed;
    }
    if (run->timed_problems) {
        tool_report_plot *plot =
            tool_report_add_plot(report, "Figure 2: speed-up over A*", "path cost", "times faster", x, count);
        tool_report_scatter(plot, false, false);
        tool_report_add_line(plot, "rectangles, as in the paper", y[0], 0, false);
        tool_report_add_line(plot, "runs", y[1], 1, false);
    }
    count = 0;
    for (size_t i = 0; i < BINS; i++) {
        if (!bins[i].problems) continue;
        double n = (double)bins[i].problems;
        x[count] = ((double)i + 0.5) * BIN;
        y[0][count] = bins[i].nodes[CPD11_ASTAR] / n, y[1][count] = bins[i].touched / n;
        y[2][count++] = bins[i].nodes[CPD11_RECTANGLES] / n;
    }
    tool_report_plot *plot = tool_report_add_plot(report, "Figure 3: nodes", "path cost", "nodes", x, count);
    tool_report_scatter(plot, false, true);
    tool_report_add_line(plot, "A*, expanded", y[0], 0, false);
    tool_report_add_line(plot, "A*, touched", y[1], 0, true);
    tool_report_add_line(plot, "cpd", y[2], 1, false);
}

/* Maps -------------------------------------------------------------------------------------------------- */

/* What is known of a map's databases. NAN where it was left out. */
typedef struct map_figures {
    const char *name;
    double cells, pairs, rectangles, rectangles_set, squares, squares_set, checks, checks_set, longest;
    double bytes, seconds, runs_bytes, runs_seconds;
} map_figures;

static int by_cells(const void *a, const void *b) {
    const map_figures *left = a, *right = b;
    if (left->cells != right->cells) return left->cells < right->cells ? -1 : 1;
    return strcmp(left->name, right->name);
}

static void take_maps(const cpd11_run *run, map_figures *of) {
    for (size_t map = 0; map < CPD11_MAPS; map++) {
        const tool_paper_base *base = cpd11_base(run, CPD11_RECTANGLES, map),
                              *runs = cpd11_base(run, CPD11_RUNS, map);
        const wend_cpd_measures *counted = &run->measures[map];
        bool known = counted->cells > 0;
        of[map] = (map_figures){
            .name = run->maps[map].name,
            .cells = wend_map_open_cells(run->maps[map].map),
            .pairs = tool_paper_base_fact(base, "pairs"),
            .rectangles = tool_paper_base_fact(base, "rectangles"),
            .checks = tool_paper_base_fact(base, "checks_mean"),
            .longest = tool_paper_base_fact(base, "longest_list"),
            .rectangles_set = known ? (double)counted->set.rectangles : NAN,
            .squares = known ? (double)counted->label.squares : NAN,
            .squares_set = known ? (double)counted->set.squares : NAN,
            .checks_set = known ? counted->set.checks : NAN,
            .bytes = (double)base->bytes,
            .seconds = base->seconds,
            .runs_bytes = (double)runs->bytes,
            .runs_seconds = runs->seconds,
        };
    }
    qsort(of, CPD11_MAPS, sizeof *of, by_cells);
}

/* The paper's compression factor: what an uncompressed database takes over what this one takes, where a
 * rectangle takes c times as much as a pair of cells. */
static double factor(const map_figures *of, double c) {
    return of->cells * of->cells / of->rectangles / c;
}

enum { PAIR_BITS = 3, RECORD_BITS = 39 };

/* A move for each pair, once, against the bytes of a file. */
static double honest(double pairs, double bytes) {
    return pairs * PAIR_BITS / 8 / bytes;
}

static void add_sizes_table(tool_report *report, const map_figures *of) {
    static const tool_report_column columns[] = {
        {"map", "map", true, false},
        {"cells", "cells", false, false},
        {"c1", "c = 1", false, false},
        {"c2_5", "c = 2.5", false, false},
        {"c6_5", "c = 6.5", false, false},
        {"honest", "honest", false, false},
        {"honest_runs", "runs", false, false},
        {"kilobytes", "KB", false, false},
        {"kilobytes_runs", "runs KB", false, false},
        {"seconds", "build s", false, false},
        {"seconds_runs", "runs s", false, false},
    };
    tool_report_table *table = tool_report_add_table(
        report, "figure4-6", "Figures 4 and 6: compression factors and building, by open cells", columns,
        sizeof columns / sizeof *columns);
    for (size_t i = 0; i < CPD11_MAPS; i++) {
        const tool_report_cell cells[] = {
            tool_report_text_cell(of[i].name),
            tool_report_number_cell(of[i].cells, 0),
            tool_report_number_cell(factor(&of[i], 1), 1),
            tool_report_number_cell(factor(&of[i], 2.5), 1),
            tool_report_number_cell(factor(&of[i], 6.5), 1),
            tool_report_number_cell(honest(of[i].pairs, of[i].bytes), 1),
            tool_report_number_cell(honest(of[i].pairs, of[i].runs_bytes), 1),
            tool_report_number_cell(of[i].bytes / 1024, 1),
            tool_report_number_cell(of[i].runs_bytes / 1024, 1),
            tool_report_number_cell(of[i].seconds, 2),
            tool_report_number_cell(of[i].runs_seconds, 2),
        };
        tool_report_add_row(table, cells, false);
    }
}

static void add_counts_table(tool_report *report, const map_figures *of) {
    static const tool_report_column columns[] = {
        {"map", "map", true, false},
        {"cells", "cells", false, false},
        {"rectangles", "rectangles", false, false},
        {"squares", "squares", false, false},
        {"rectangles_set", "rectangles, set", false, false},
        {"squares_set", "squares, set", false, false},
        {"squares_times", "times more", false, false},
        {"per_cell", "a cell", false, false},
        {"longest", "longest", false, false},
        {"checks", "checks", false, false},
        {"checks_set", "checks, set", false, false},
    };
    tool_report_table *table =
        tool_report_add_table(report, "figure5", "Figure 5: rectangles and quad-tree squares, by open cells",
                              columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < CPD11_MAPS; i++) {
        const tool_report_cell cells[] = {
            tool_report_text_cell(of[i].name),
            tool_report_number_cell(of[i].cells, 0),
            tool_report_number_cell(of[i].rectangles, 0),
            tool_report_number_cell(of[i].squares, 0),
            tool_report_number_cell(of[i].rectangles_set, 0),
            tool_report_number_cell(of[i].squares_set, 0),
            tool_report_number_cell(of[i].squares / of[i].rectangles, 1),
            tool_report_number_cell(of[i].rectangles / of[i].cells, 1),
            tool_report_number_cell(of[i].longest, 0),
            tool_report_number_cell(of[i].checks, 2),
            tool_report_number_cell(of[i].checks_set, 2),
        };
        tool_report_add_row(table, cells, false);
    }
}

static void add_map_plots(tool_report *report, const map_figures *of) {
    double x[CPD11_MAPS], y[4][CPD11_MAPS];
    for (size_t i = 0; i < CPD11_MAPS; i++) {
        x[i] = of[i].cells;
        y[0][i] = factor(&of[i], 1), y[1][i] = factor(&of[i], 2.5), y[2][i] = factor(&of[i], 6.5);
        y[3][i] = honest(of[i].pairs, of[i].bytes);
    }
    tool_report_plot *plot = tool_report_add_plot(report, "Figure 4: compression factor", "open cells",
                                                  "times smaller", x, CPD11_MAPS);
    tool_report_scatter(plot, false, true);
    tool_report_add_line(plot, "c = 1", y[0], 0, false);
    tool_report_add_line(plot, "c = 2.5", y[1], 1, false);
    tool_report_add_line(plot, "c = 6.5", y[2], 2, false);
    tool_report_add_line(plot, "one 3-bit move a pair", y[3], 3, true);
    for (size_t i = 0; i < CPD11_MAPS; i++)
        y[0][i] = of[i].rectangles, y[1][i] = of[i].squares, y[2][i] = of[i].rectangles_set,
        y[3][i] = of[i].squares_set;
    plot = tool_report_add_plot(report, "Figure 5: rectangles and squares", "open cells", "records", x,
                                CPD11_MAPS);
    tool_report_scatter(plot, true, true);
    tool_report_add_line(plot, "rectangles", y[0], 0, false);
    tool_report_add_line(plot, "squares", y[1], 1, false);
    tool_report_add_line(plot, "rectangles, ties=set", y[2], 0, true);
    tool_report_add_line(plot, "squares, ties=set", y[3], 1, true);
    for (size_t i = 0; i < CPD11_MAPS; i++) y[0][i] = of[i].seconds, y[1][i] = of[i].runs_seconds;
    plot = tool_report_add_plot(report, "Figure 6: seconds to build", "open cells", "s", x, CPD11_MAPS);
    tool_report_scatter(plot, true, true);
    tool_report_add_line(plot, "rectangles", y[0], 0, false);
    tool_report_add_line(plot, "runs", y[1], 1, false);
}

/* What the text tells of two maps ----------------------------------------------------------------------- */

static const struct named_map {
    const char *name;
    double cells, rectangles, megabytes, packed; /* at five numbers of four bytes, and at 39 bits */
} named[] = {{"AR0404SR", 9836, 184034, 3.6, 1}, {"AR0700SR", CPD11_LARGEST_CELLS, 5e6, 100, 25}};
enum { NAMED = sizeof named / sizeof *named };

static const map_figures *find_map(const map_figures *of, const char *name) {
    for (size_t i = 0; i < CPD11_MAPS; i++)
        if (strcmp(of[i].name, name) == 0) return &of[i];
    return NULL; /* all names are in the table */
}

static void add_named_table(tool_report *report, const map_figures *of) {
    static const tool_report_column columns[] = {
        {"map", "map", true, false},
        {"cells", "cells", false, false},
        {"cells_paper", "paper", false, true},
        {"rectangles", "rectangles", false, false},
        {"rectangles_paper", "paper", false, true},
        {"megabytes", "MB, 20 bytes", false, false},
        {"megabytes_paper", "paper", false, true},
        {"packed", "MB, 39 bits", false, false},
        {"packed_paper", "paper", false, true},
        {"file", "MB, file", false, false},
        {"runs", "MB, runs", false, false},
        {"upd", "MB, upd", false, false},
    };
    tool_report_table *table =
        tool_report_add_table(report, "memory", "Memory of the two maps that the text names", columns,
                              sizeof columns / sizeof *columns);
    for (size_t i = 0; i < NAMED; i++) {
        const map_figures *map = find_map(of, named[i].name);
        const tool_report_cell cells[] = {
            tool_report_text_cell(named[i].name),
            tool_report_number_cell(map->cells, 0),
            tool_report_number_cell(named[i].cells, 0),
            tool_report_number_cell(map->rectangles, 0),
            tool_report_number_cell(named[i].rectangles, 0),
            tool_report_number_cell(map->rectangles * 20 / 1e6, 1),
            tool_report_number_cell(named[i].megabytes, 1),
            tool_report_number_cell(map->rectangles * RECORD_BITS / 8e6, 2),
            tool_report_number_cell(named[i].packed, 0),
            tool_report_number_cell(map->bytes / 1e6, 2),
            tool_report_number_cell(map->runs_bytes / 1e6, 3),
            tool_report_number_cell(map->pairs * PAIR_BITS / 8e6, 0),
        };
        tool_report_add_row(table, cells, false);
    }
}

/* What must come out ------------------------------------------------------------------------------------ */

/* Whether the maps are the paper's: none was generated, and the two that it tells of have as many cells. */
static bool all_real(const cpd11_run *run, const map_figures *of) {
    for (size_t i = 0; i < CPD11_MAPS; i++)
        if (run->maps[i].generated) return false;
    for (size_t i = 0; i < NAMED; i++)
        if (find_map(of, named[i].name)->cells != named[i].cells) return false;
    return true;
}

/* Of a figure that depends on the paper's own maps: elsewhere it can't be compared. */
static tool_report_verdict verdict(bool comparable, bool good) {
    if (!comparable) return TOOL_REPORT_NOT_COMPARABLE;
    return good ? TOOL_REPORT_PASS : TOOL_REPORT_FAIL;
}

static void judge_named(tool_report *report, const map_figures *of) {
    for (size_t i = 0; i < NAMED; i++) {
        const map_figures *map = find_map(of, named[i].name);
        double off = 100 * (map->rectangles / named[i].rectangles - 1);
        tool_report_add_check(report, verdict(map->cells == named[i].cells, fabs(off) <= 15),
                              "%s has %s%.0f rectangles, within 15%%: %.0f, %+.1f%%", named[i].name,
                              i ? "about " : "", named[i].rectangles, map->rectangles, off);
    }
    const map_figures *largest = &of[CPD11_MAPS - 1];
    tool_report_add_check(report, verdict(largest->cells == CPD11_LARGEST_CELLS, largest->checks <= 6.2),
                          "at most 6.2 rectangles are looked at in the mean on the largest map: %.2f",
                          largest->checks);
}

/* All ways are shortest, and as long as one another's. */
static size_t wrong_lengths(const cpd11_run *run) {
    size_t wrong = 0;
    for (size_t at = 0; at < (size_t)CPD11_ROWS * CPD11_MAPS; at++)
        for (size_t i = 0; i < run->problems; i++)
            wrong += fabs(tool_paper_suboptimality(&run->jobs[at], i)) > 1e-7;
    return wrong;
}

/* The paper's 100 and 700 are over another A*, so that only how they grow can be compared. */
static void judge_times(tool_report *report, const bin *bins, bool real) {
    const bin *first = &bins[100 / BIN];
    double at_100 = first->speedup[CPD11_RECTANGLES] / (double)first->timed, most = 0, beyond = 0, count = 0;
    for (size_t i = 0; i < BINS; i++) {
        if (!bins[i].timed) continue;
        if (enough(&bins[i])) most = fmax(most, bins[i].speedup[CPD11_RECTANGLES] / (double)bins[i].timed);
        if (i >= 300 / BIN) beyond += bins[i].speedup[CPD11_RECTANGLES], count += (double)bins[i].timed;
    }
    tool_report_add_check(
        report, verdict(real, beyond / count >= 1.5 * at_100),
        "the longer a path, the more times faster than A*: %.0f times at cost 100, %.0f from "
        "300 on, %.0f at most (paper 100, and up to 700)",
        at_100, beyond / count, most);
}

static void judge(const cpd11_run *run, tool_report *report, const map_figures *of, const bin *bins) {
    const bool real = all_real(run, of);
    judge_named(report, of);
    size_t wrong = wrong_lengths(run);
    tool_report_add_check(report, wrong ? TOOL_REPORT_FAIL : TOOL_REPORT_PASS,
                          "all ways are shortest: %zu of %zu are not", wrong,
                          (size_t)CPD11_ROWS * CPD11_MAPS * run->problems);
    double least = INFINITY, best = 0, slowest = 0, other = 0;
    size_t counted = 0, differ = 0;
    for (size_t i = 0; i < CPD11_MAPS; i++) {
        if (of[i].squares > 0) least = fmin(least, of[i].squares / of[i].rectangles);
        best = fmax(best, factor(&of[i], 6.5));
        if (i + 1 < CPD11_MAPS) other = fmax(other, of[i].seconds);
        slowest = fmax(slowest, of[i].seconds);
        const wend_cpd_measures *measures = &run->measures[i];
        if (!measures->cells) continue;
        counted++;
        differ += (double)measures->label.rectangles !=
                  tool_paper_base_fact(cpd11_base(run, CPD11_RECTANGLES, i), "rectangles");
    }
    tool_report_add_check(
        report, differ ? TOOL_REPORT_FAIL : TOOL_REPORT_PASS,
        "databases have as many rectangles as were counted without building them: %zu of %zu "
        "maps differ",
        differ, counted);
    tool_report_add_check(report, verdict(real, least > 1),
                          "quad-trees take more squares than there are rectangles on each of %zu maps: at "
                          "least %.1f times as many",
                          counted, least);
    tool_report_add_check(report, verdict(real, best >= 100),
                          "with c = 6.5 the compression factor exceeds two orders of magnitude: %.0f at most",
                          best);
    tool_report_add_check(report, verdict(real, slowest <= 40 * 60 && other <= 8 * 60),
                          "no map takes longer to build than the paper's 40 minutes, all but the largest at "
                          "most 8: %.1f s, and %.1f s",
                          slowest, other);
    if (run->timed_problems) judge_times(report, bins, real);
}

static double astar_ns(const cpd11_run *run) {
    double ns = 0, expansions = 0;
    for (size_t map = 0; map < CPD11_MAPS; map++)
        for (size_t i = 0; i < run->timed_problems; i++) {
            ns += (double)run->timed[map].results[i].plan_ns;
            expansions += (double)run->timed[map].results[i].expansions;
        }
    return ns / expansions;
}

static void describe(const cpd11_run *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    tool_report_note(report,
                     "%d maps and %zu problems on each, any two cells with a way between them, beside the "
                     "paper's figures. Rectangles are the paper's: cpd:encoding=rectangles,ties=label. With "
                     "'set' all optimal moves are kept until rectangles are made. Runs are the default "
                     "encoding, which the paper does not have.",
                     (int)CPD11_MAPS, run->problems);
    tool_report_note(report,
                     "Compression factors are the paper's, A * A / R / c. Its uncompressed records hold the "
                     "moves of both directions, so that each move is there twice; honest is one 3-bit move "
                     "for each two cells of a component, against the bytes of our file with all its tables. "
                     "Checks are those of proposition 1, the mean over all sources.");
    if (run->timed_problems)
        tool_report_note(
            report,
            "Times are of %zu problems a map, on one thread: of A* from passes without clocks "
            "inside, of whole paths read off a database the least of five. The paper measured "
            "the A* of the library HOG; ours takes %.0f ns an expansion, a fraction of what that "
            "takes, so that the same databases are fewer times faster. Builds: %d threads "
            "(paper: one).",
            run->timed_problems, astar_ns(run), options->threads);
    if (run->most_cells < UINT64_MAX)
        tool_report_note(report,
                         "With --quick squares, and rectangles with ties=set, are counted on maps of at most "
                         "%llu cells only.",
                         (unsigned long long)run->most_cells);
    tool_report_set_number(report, "seed", (double)options->seed);
    tool_report_set_number(report, "problems", (double)run->problems);
    tool_report_set_number(report, "timed_problems", (double)run->timed_problems);
    tool_report_set_flag(report, "quick", options->quick);
}

static void add_totals(tool_report *report, const map_figures *of) {
    double bytes = 0, runs_bytes = 0, seconds = 0, runs_seconds = 0;
    for (size_t i = 0; i < CPD11_MAPS; i++) {
        bytes += of[i].bytes, runs_bytes += of[i].runs_bytes;
        seconds += of[i].seconds, runs_seconds += of[i].runs_seconds; /* NAN where one is not known */
    }
    tool_report_note(report,
                     "All maps together: rectangles %.1f MB, built in %.0f s; runs %.2f MB, built in %.0f s.",
                     bytes / 1e6, seconds, runs_bytes / 1e6, runs_seconds);
}

bool cpd11_report(const cpd11_run *run, tool_report *report) {
    bin *bins = calloc(BINS, sizeof *bins);
    map_figures *of = calloc(CPD11_MAPS, sizeof *of);
    bool good = bins && of;
    if (good) {
        gather(run, bins);
        take_maps(run, of);
        describe(run, report);
        add_totals(report, of);
        add_cost_tables(run, report, bins);
        add_cost_plots(run, report, bins);
        add_named_table(report, of);
        add_sizes_table(report, of);
        add_counts_table(report, of);
        add_map_plots(report, of);
        judge(run, report, of, bins);
        tool_paper_describe_maps(report, run->maps, CPD11_MAPS);
    } else {
        (void)tool_wrong("out of memory for the figures");
    }
    free(bins);
    free(of);
    return good;
}
