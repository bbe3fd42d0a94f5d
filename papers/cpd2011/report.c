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

static bin *bin_of(bin *bins, const tool_paper_job *job, size_t index) {
    size_t at = (size_t)(tool_paper_length(job, index) / BIN);
    return &bins[at < BINS ? at : BINS - 1];
}

static void gather(const tool_paper_rows *run, bin *bins) {
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t map = 0; map < CPD11_MAPS; map++) {
        for (size_t i = 0; i < run->problems; i++) {
            bin *b = bin_of(bins, &run->jobs[map], i);
            b->problems++;
            b->touched += (double)run->jobs[map].results[i].cells;
            for (int row = 0; row < CPD11_ROWS; row++) {
                const tool_paper_result *result = &run->jobs[tool_paper_place(run, row, map)].results[i];
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

/* The means of a bin: a row of figures 2 and 3. */
typedef struct bin_row {
    const char *key; /* of the paper's figures */
    double cost, middle, timed, us[CPD11_ROWS], speedup[CPD11_ROWS];
    double problems, nodes[CPD11_ROWS], touched, times;
} bin_row;

static bin_row row_of(const bin *bins, size_t at) {
    const bin *b = &bins[at];
    bin_row row = {at == 100 / BIN ? "100" : "", .cost = (double)at * BIN};
    row.middle = row.cost + 0.5 * BIN, row.timed = (double)b->timed, row.problems = (double)b->problems;
    for (int i = 0; i < CPD11_ROWS; i++) {
        row.us[i] = b->ns[i] / row.timed / 1e3, row.speedup[i] = b->speedup[i] / row.timed;
        row.nodes[i] = b->nodes[i] / row.problems;
    }
    row.touched = b->touched / row.problems;
    row.times = b->nodes[CPD11_ASTAR] / b->nodes[CPD11_RECTANGLES];
    return row;
}

#define OF(field) TOOL_PAPER_FIELD(bin_row, field)
static const tool_paper_column figure_2[] = {
    {"cost", "path cost", 0, OF(cost)},
    {"problems", "problems", 0, OF(timed)},
    {"astar_us", "A* us", 1, OF(us[CPD11_ASTAR])},
    {"rectangles_us", "rectangles us", 2, OF(us[CPD11_RECTANGLES])},
    {"speedup", "times faster", 1, OF(speedup[CPD11_RECTANGLES])},
    {"speedup_paper", "paper", 0, TOOL_PAPER_PRINTED("speedup")},
    {"runs_us", "runs us", 2, OF(us[CPD11_RUNS])},
    {"speedup_runs", "times faster", 1, OF(speedup[CPD11_RUNS])},
};
static const tool_paper_column figure_3[] = {
    {"cost", "path cost", 0, OF(cost)},
    {"problems", "problems", 0, OF(problems)},
    {"expanded", "A* expanded", 0, OF(nodes[CPD11_ASTAR])},
    {"touched", "A* touched", 0, OF(touched)},
    {"cpd", "cpd", 1, OF(nodes[CPD11_RECTANGLES])},
    {"times", "times fewer", 1, OF(times)},
};
#undef OF

static void add_costs(const tool_paper_rows *run, tool_report *report, const bin *bins) {
    static const tool_paper_line speed_lines[] = {{"rectangles, as in the paper", 0, false},
                                                  {"runs", 1, false}},
                                 node_lines[] = {
                                     {"A*, expanded", 0, false}, {"A*, touched", 0, true}, {"cpd", 1, false}};
    tool_paper_points speed = {.linear_x = true, .linear_y = true}, nodes = {.linear_x = true};
    tool_paper_table tables[2];
    if (run->timed_problems)
        tables[0] = tool_paper_begin_table(report, "cpd2011", "figure2",
                                           "Figure 2: how many times faster than A* whole paths are, by path "
                                           "cost (from there on; means)",
                                           TOOL_PAPER_LIST(figure_2));
    tables[1] = tool_paper_begin_table(report, "cpd2011", "figure3", "Figure 3: nodes, by path cost (means)",
                                       TOOL_PAPER_LIST(figure_3));
    for (size_t i = 0; i < BINS; i++) {
        const bin_row row = row_of(bins, i);
        if (bins[i].timed) tool_paper_add_row(&tables[0], &row, false);
        if (bins[i].problems) tool_paper_add_row(&tables[1], &row, false);
        tool_paper_add_point(&speed, row.middle, row.speedup[CPD11_RECTANGLES], 0);
        tool_paper_add_point(&speed, row.middle, row.speedup[CPD11_RUNS], 1);
        tool_paper_add_point(&nodes, row.middle, row.nodes[CPD11_ASTAR], 0);
        tool_paper_add_point(&nodes, row.middle, row.touched, 1);
        tool_paper_add_point(&nodes, row.middle, row.nodes[CPD11_RECTANGLES], 2);
    }
    tool_paper_plot(report, "Figure 2: speed-up over A*", "path cost", "times faster", &speed,
                    TOOL_PAPER_LIST(speed_lines));
    tool_paper_plot(report, "Figure 3: nodes", "path cost", "nodes", &nodes, TOOL_PAPER_LIST(node_lines));
}

/* Maps -------------------------------------------------------------------------------------------------- */

/* What is known of a map's databases. NAN where it was left out. */
typedef struct map_figures {
    const char *key; /* the map */
    double cells, pairs, rectangles, rectangles_set, squares, squares_set, checks, checks_set, longest;
    double bytes, seconds, runs_bytes, runs_seconds;
    /* The paper's compression factors, for c = 1, 2.5 and 6.5: what an uncompressed database takes over what
     * this one takes, where a rectangle takes c times as much as a pair of cells. */
    double factor[3];
    double honest, honest_runs; /* a move for each pair, once, against the bytes of a file */
    double times, per_cell;     /* squares to rectangles, rectangles to cells */
    double megabytes, packed;   /* of rectangles at five numbers of four bytes, and at 39 bits */
    double upd;                 /* megabytes of a move for each pair */
} map_figures;

static int by_cells(const void *a, const void *b) {
    const map_figures *left = a, *right = b;
    if (left->cells != right->cells) return left->cells < right->cells ? -1 : 1;
    return strcmp(left->key, right->key);
}

/* What follows from what was counted. */
static void derive(map_figures *map) {
    static const double c[] = {1, 2.5, 6.5};
    enum { PAIR_BITS = 3, RECORD_BITS = 39 };
    double moves = map->pairs * PAIR_BITS / 8;
    for (int i = 0; i < 3; i++) map->factor[i] = map->cells * map->cells / map->rectangles / c[i];
    map->honest = moves / map->bytes, map->honest_runs = moves / map->runs_bytes;
    map->times = map->squares / map->rectangles, map->per_cell = map->rectangles / map->cells;
    map->megabytes = map->rectangles * 20 / 1e6, map->packed = map->rectangles * RECORD_BITS / 8e6;
    map->upd = moves / 1e6;
}

static void take_maps(const tool_paper_rows *run, map_figures *of) {
    for (size_t map = 0; map < CPD11_MAPS; map++) {
        const tool_paper_base *base = tool_paper_base_of(run, CPD11_RECTANGLES, map),
                              *runs = tool_paper_base_of(run, CPD11_RUNS, map);
        const cpd11_counts *counted = &((const cpd11_own *)run->own)->counts[map];
        bool known = counted->cells > 0;
        of[map] = (map_figures){
            .key = run->maps[map].name,
            .cells = wend_map_open_cells(run->maps[map].map),
            .pairs = tool_paper_base_fact(base, "pairs"),
            .rectangles = tool_paper_base_fact(base, "rectangles"),
            .checks = tool_paper_base_fact(base, "checks_mean"),
            .longest = tool_paper_base_fact(base, "longest_list"),
            .rectangles_set = known ? (double)counted->ties[CPD11_SET].rectangles : NAN,
            .squares = known ? (double)counted->ties[CPD11_LABEL].squares : NAN,
            .squares_set = known ? (double)counted->ties[CPD11_SET].squares : NAN,
            .checks_set = known ? (double)counted->ties[CPD11_SET].checks / 1e6 : NAN,
            .bytes = (double)base->bytes,
            .seconds = base->seconds,
            .runs_bytes = (double)runs->bytes,
            .runs_seconds = runs->seconds,
        };
        derive(&of[map]);
    }
    qsort(of, CPD11_MAPS, sizeof *of, by_cells);
}

#define OF(field) TOOL_PAPER_FIELD(map_figures, field)
#define PER(field, per) TOOL_PAPER_FIELD_OF(map_figures, field, per, NULL)
#define PRINTED(column) TOOL_PAPER_PRINTED(column)
static const tool_paper_column sizes[] = {
    {"map", "map", 0, OF(key)},
    {"cells", "cells", 0, OF(cells)},
    {"c1", "c = 1", 1, OF(factor[0])},
    {"c2_5", "c = 2.5", 1, OF(factor[1])},
    {"c6_5", "c = 6.5", 1, OF(factor[2])},
    {"honest", "honest", 1, OF(honest)},
    {"honest_runs", "runs", 1, OF(honest_runs)},
    {"kilobytes", "KB", 1, PER(bytes, 1024)},
    {"kilobytes_runs", "runs KB", 1, PER(runs_bytes, 1024)},
    {"seconds", "build s", 2, OF(seconds)},
    {"seconds_runs", "runs s", 2, OF(runs_seconds)},
};
static const tool_paper_column counts[] = {
    {"map", "map", 0, OF(key)},
    {"cells", "cells", 0, OF(cells)},
    {"rectangles", "rectangles", 0, OF(rectangles)},
    {"squares", "squares", 0, OF(squares)},
    {"rectangles_set", "rectangles, set", 0, OF(rectangles_set)},
    {"squares_set", "squares, set", 0, OF(squares_set)},
    {"squares_times", "times more", 1, OF(times)},
    {"per_cell", "a cell", 1, OF(per_cell)},
    {"longest", "longest", 0, OF(longest)},
    {"checks", "checks", 2, OF(checks)},
    {"checks_set", "checks, set", 2, OF(checks_set)},
};
/* Of the maps that the text speaks of. */
static const tool_paper_column memory[] = {
    {"map", "map", 0, OF(key)},
    {"cells", "cells", 0, OF(cells)},
    {"cells_paper", "paper", 0, PRINTED("cells")},
    {"rectangles", "rectangles", 0, OF(rectangles)},
    {"rectangles_paper", "paper", 0, PRINTED("rectangles")},
    {"megabytes", "MB, 20 bytes", 1, OF(megabytes)},
    {"megabytes_paper", "paper", 1, PRINTED("megabytes")},
    {"packed", "MB, 39 bits", 2, OF(packed)},
    {"packed_paper", "paper", 0, PRINTED("packed")},
    {"file", "MB, file", 2, PER(bytes, 1e6)},
    {"runs", "MB, runs", 3, PER(runs_bytes, 1e6)},
    {"upd", "MB, upd", 0, OF(upd)},
};

static bool is_named(const map_figures *map) {
    return !isnan(tool_paper_printed("cpd2011", map->key, "cells"));
}

static bool has_same_cells(const map_figures *map) {
    return map->cells == tool_paper_printed("cpd2011", map->key, "cells");
}

static void add_maps_table(tool_report *report, const map_figures *of, bool named, const char *name,
                           const char *title, const tool_paper_column *columns, size_t count) {
    const tool_paper_table table = tool_paper_begin_table(report, "cpd2011", name, title, columns, count);
    for (size_t i = 0; i < CPD11_MAPS; i++)
        if (!named || is_named(&of[i])) tool_paper_add_row(&table, &of[i], false);
}

static void add_maps(tool_report *report, const map_figures *of) {
    add_maps_table(report, of, true, "memory", "Memory of the two maps that the text names",
                   TOOL_PAPER_LIST(memory));
    add_maps_table(report, of, false, "figure4-6",
                   "Figures 4 and 6: compression factors and building, by open cells",
                   TOOL_PAPER_LIST(sizes));
    add_maps_table(report, of, false, "figure5", "Figure 5: rectangles and quad-tree squares, by open cells",
                   TOOL_PAPER_LIST(counts));
}

/* Something of all maps over their open cells: a line for each of `fields`, by where it stands. */
typedef struct map_line {
    tool_paper_line line;
    size_t offset;
} map_line;
#define LINE(label, field, colour, dashed)                                                                   \
    { {label, colour, dashed}, offsetof(map_figures, field) }

static void add_map_plot(tool_report *report, const map_figures *of, const char *title, const char *y_label,
                         bool log_x, const map_line *lines, size_t count) {
    double x[CPD11_MAPS], y[CPD11_MAPS];
    for (size_t i = 0; i < CPD11_MAPS; i++) x[i] = of[i].cells;
    tool_report_plot *plot = tool_report_add_plot(report, title, "open cells", y_label, x, CPD11_MAPS);
    tool_report_scatter(plot, log_x, true);
    for (size_t line = 0; line < count; line++) {
        for (size_t i = 0; i < CPD11_MAPS; i++)
            memcpy(&y[i], (const char *)&of[i] + lines[line].offset, sizeof *y);
        tool_report_add_line(plot, lines[line].line.label, y, lines[line].line.colour,
                             lines[line].line.dashed);
    }
}

static void add_map_plots(tool_report *report, const map_figures *of) {
    static const map_line figure_4[] = {LINE("c = 1", factor[0], 0, false),
                                        LINE("c = 2.5", factor[1], 1, false),
                                        LINE("c = 6.5", factor[2], 2, false),
                                        LINE("one 3-bit move a pair", honest, 3, true)},
                          figure_5[] = {LINE("rectangles", rectangles, 0, false),
                                        LINE("squares", squares, 1, false),
                                        LINE("rectangles, ties=set", rectangles_set, 0, true),
                                        LINE("squares, ties=set", squares_set, 1, true)},
                          figure_6[] = {LINE("rectangles", seconds, 0, false),
                                        LINE("runs", runs_seconds, 1, false)};
    add_map_plot(report, of, "Figure 4: compression factor", "times smaller", false,
                 TOOL_PAPER_LIST(figure_4));
    add_map_plot(report, of, "Figure 5: rectangles and squares", "records", true, TOOL_PAPER_LIST(figure_5));
    add_map_plot(report, of, "Figure 6: seconds to build", "s", true, TOOL_PAPER_LIST(figure_6));
}

/* What must come out ------------------------------------------------------------------------------------ */

/* Whether the maps are the paper's: none was generated, and the two that it describes have as many cells. */
static bool all_real(const tool_paper_rows *run, const map_figures *of) {
    bool real = true;
    for (size_t i = 0; i < CPD11_MAPS; i++)
        real = real && !run->maps[i].generated && (!is_named(&of[i]) || has_same_cells(&of[i]));
    return real;
}

static void judge_named(tool_report *report, const map_figures *of) {
    for (size_t i = 0; i < CPD11_MAPS; i++) {
        if (!is_named(&of[i])) continue;
        double paper = tool_paper_printed("cpd2011", of[i].key, "rectangles");
        const tool_report_check check = tool_paper_compare(
            has_same_cells(&of[i]), tool_paper_near(paper, 0.15 * paper), shared_exact(of[i].rectangles));
        tool_report_add_check(report, &check, "%s has %s%.0f rectangles, within 15%%: %.0f, %+.1f%%",
                              of[i].key, paper >= 1e6 ? "about " : "", paper, of[i].rectangles,
                              100 * (of[i].rectangles / paper - 1));
    }
    const map_figures *largest = &of[CPD11_MAPS - 1];
    const tool_report_check check = tool_paper_compare(has_same_cells(largest), tool_paper_at_most(6.2, 0),
                                                       shared_exact(largest->checks));
    tool_report_add_check(report, &check,
                          "at most 6.2 rectangles are looked at in the mean on the largest map: %.2f",
                          largest->checks);
}

/* All ways are shortest, and as long as one another's. */
static size_t wrong_lengths(const tool_paper_rows *run) {
    size_t wrong = 0;
    for (size_t at = 0; at < (size_t)CPD11_ROWS * CPD11_MAPS; at++)
        for (size_t i = 0; i < run->problems; i++)
            wrong += fabs(tool_paper_suboptimality(&run->jobs[at], i)) > 1e-7;
    return wrong;
}

/* How many times faster than A* the paths from a cost of 300 on are, over those of cost 100. */
static shared_estimate growth_of(const tool_paper_rows *run) {
    const size_t each = run->timed_problems, count = CPD11_MAPS * each;
    double *far = malloc(2 * count * sizeof *far), *near = far ? far + count : NULL;
    if (!far) return shared_exact(NAN);
    for (size_t i = 0; i < count; i++) {
        const tool_paper_job *job = &run->timed[i / each];
        const tool_paper_result *astar = &job->results[i % each];
        const double cost = tool_paper_length(job, i % each),
                     times = (double)astar->plan_ns /
                             fmax(cpd11_walk(run, CPD11_RECTANGLES, i / each)[i % each], 1);
        far[i] = astar->moves && cost >= 300 ? times : NAN;
        near[i] = astar->moves && cost >= 100 && cost < 100 + BIN ? times : NAN;
    }
    shared_estimate growth = shared_bootstrap(
        &(shared_sample){.x = far, .y = near, .maps = CPD11_MAPS, .each = each, .seed = run->options->seed},
        SHARED_RATIO_OF);
    free(far);
    return growth;
}

/* The paper's 100 and 700 are over another A*, so that only how they grow can be compared. */
static void judge_times(const tool_paper_rows *run, tool_report *report, const bin *bins, bool real) {
    const bin *first = &bins[100 / BIN];
    double beyond = 0, count = 0;
    for (size_t i = 300 / BIN; i < BINS; i++)
        beyond += bins[i].speedup[CPD11_RECTANGLES], count += (double)bins[i].timed;
    const tool_report_check check = tool_paper_compare(real, tool_paper_at_least(1.5, 0), growth_of(run));
    tool_report_add_check(
        report, &check,
        "the longer a path, the more times faster than A*: %.0f times at cost 100, %.0f from "
        "300 on (paper %.0f, and up to %.0f for paths of a length that it does not say)",
        first->speedup[CPD11_RECTANGLES] / (double)first->timed, beyond / count,
        tool_paper_printed("cpd2011", "100", "speedup"), tool_paper_printed("cpd2011", "most", "speedup"));
}

/* The numbers that are counted or measured once, and what they must be. */
static void judge(const tool_paper_rows *run, tool_report *report, const map_figures *of, const bin *bins) {
    const bool real = all_real(run, of);
    judge_named(report, of);
    double least = INFINITY, best = 0, slowest = 0, other = 0;
    size_t counted = 0, differ = 0, wrong = wrong_lengths(run);
    for (size_t i = 0; i < CPD11_MAPS; i++) {
        if (of[i].squares > 0) least = fmin(least, of[i].times);
        best = fmax(best, of[i].factor[2]);
        if (i + 1 < CPD11_MAPS) other = fmax(other, of[i].seconds);
        slowest = fmax(slowest, of[i].seconds);
        const cpd11_counts *counts_here = &((const cpd11_own *)run->own)->counts[i];
        if (!counts_here->cells) continue;
        counted++;
        differ += (double)counts_here->ties[CPD11_LABEL].rectangles !=
                  tool_paper_base_fact(tool_paper_base_of(run, CPD11_RECTANGLES, i), "rectangles");
    }
    const tool_report_check none = tool_paper_at_most(0, 0),
                            shortest = tool_paper_judge(none, shared_exact((double)wrong)),
                            same = tool_paper_judge(none, shared_exact((double)differ)),
                            more = tool_paper_compare(real, tool_paper_above(1), shared_exact(least)),
                            factor =
                                tool_paper_compare(real, tool_paper_at_least(100, 0), shared_exact(best)),
                            largest = tool_paper_compare(real, tool_paper_at_most(40 * 60, 0),
                                                         shared_exact(slowest)),
                            others =
                                tool_paper_compare(real, tool_paper_at_most(8 * 60, 0), shared_exact(other));
    tool_report_add_check(report, &shortest, "all ways are shortest: %zu of %zu are not", wrong,
                          (size_t)CPD11_ROWS * CPD11_MAPS * run->problems);
    tool_report_add_check(
        report, &same,
        "databases have as many rectangles as were counted without building them: %zu of %zu maps differ",
        differ, counted);
    tool_report_add_check(report, &more,
                          "quad-trees take more squares than there are rectangles on each of %zu maps: at "
                          "least %.1f times as many",
                          counted, least);
    tool_report_add_check(report, &factor,
                          "with c = 6.5 the compression factor exceeds two orders of magnitude: %.0f at most",
                          best);
    tool_report_add_check(report, &largest,
                          "no map takes longer to build than the paper's 40 minutes: %.1f s", slowest);
    tool_report_add_check(report, &others,
                          "no map takes longer to build than 8 minutes but the largest: %.1f s", other);
    if (run->timed_problems) judge_times(run, report, bins, real);
}

static double astar_ns(const tool_paper_rows *run) {
    double ns = 0, expansions = 0;
    for (size_t map = 0; map < CPD11_MAPS; map++)
        for (size_t i = 0; i < run->timed_problems; i++) {
            ns += (double)run->timed[map].results[i].plan_ns;
            expansions += (double)run->timed[map].results[i].expansions;
        }
    return ns / expansions;
}

static void describe(const tool_paper_rows *run, tool_report *report) {
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
            "Times are of %zu problems per map, on one thread: of A* from passes without clocks inside, of "
            "whole paths read off a database the least of five. The paper measured the A* of the library "
            "HOG; ours takes %.0f ns per expansion, a fraction of what that takes, so that the same databases "
            "are fewer times faster. Builds: %d threads (paper: one).",
            run->timed_problems, astar_ns(run), options->threads);
    const cpd11_own *own = run->own;
    if (own->most_cells < UINT64_MAX)
        tool_report_note(report,
                         "With --quick squares, and rectangles with ties=set, are counted on maps of at most "
                         "%llu cells only.",
                         (unsigned long long)own->most_cells);
    tool_paper_describe_rows(run, report);
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

bool cpd11_report(const tool_paper_rows *run, tool_report *report) {
    bin *bins = calloc(BINS, sizeof *bins);
    map_figures *of = calloc(CPD11_MAPS, sizeof *of);
    bool good = bins && of;
    if (good) {
        gather(run, bins);
        take_maps(run, of);
        describe(run, report);
        add_totals(report, of);
        add_costs(run, report, bins);
        add_maps(report, of);
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
