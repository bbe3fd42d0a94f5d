/* The report of subgoal2011: the table of figure 2, the trees, the maps one by one, a picture of a tree, and
 * what must come out. */
#include "report/picture.h"
#include "subgoal2011/subgoal2011.h"

#include <math.h>
#include <stdlib.h>

/* A row's figures. */
typedef struct figures {
    tool_paper_summary all, timed;
    double cost, total_ns;                              /* a problem, in the mean */
    double seconds, least_seconds, most_seconds, bytes; /* of its databases; NAN without */
} figures;

static bool take_figures(const tool_paper_rows *run, int row, figures *of) {
    const tool_paper_job *jobs = tool_paper_row_jobs(run, row, false),
                         *timed = tool_paper_row_jobs(run, row, true);
    *of = (figures){.seconds = NAN, .least_seconds = NAN, .most_seconds = NAN, .bytes = NAN, .total_ns = NAN};
    if (!tool_paper_summarise(jobs, SUB11_MAPS, &of->all) ||
        !tool_paper_summarise(timed, run->timed_problems ? SUB11_MAPS : 0, &of->timed))
        return false;
    for (size_t map = 0; map < SUB11_MAPS; map++)
        for (size_t i = 0; i < jobs[map].count; i++)
            of->cost += tool_paper_length(&jobs[map], i) / (double)(SUB11_MAPS * jobs[map].count);
    if (run->timed_problems) {
        of->total_ns = 0;
        for (size_t map = 0; map < SUB11_MAPS; map++)
            for (size_t i = 0; i < timed[map].count; i++)
                of->total_ns +=
                    (double)timed[map].results[i].plan_ns / (double)(SUB11_MAPS * timed[map].count);
    }
    const tool_paper_base *bases = tool_paper_row_bases(run, row);
    if (!bases) return true;
    of->seconds = of->bytes = of->most_seconds = 0, of->least_seconds = INFINITY;
    for (size_t i = 0; i < SUB11_MAPS; i++) {
        of->seconds += bases[i].seconds / SUB11_MAPS; /* NAN where one is not known */
        of->bytes += (double)bases[i].bytes / SUB11_MAPS;
        of->least_seconds = fmin(of->least_seconds, bases[i].seconds);
        of->most_seconds = fmax(of->most_seconds, bases[i].seconds);
    }
    return true;
}

static void add_table(const double *first_ns, tool_report *report, const figures *of) {
    static const tool_report_column columns[] = {
        {"planner", "algorithm", true, false},    {"cost", "cost", false, false},
        {"cost_paper", "paper", false, true},     {"suboptimality", "over %", false, false},
        {"worst", "worst", false, false},         {"first_ms", "first ms", false, false},
        {"first_ms_paper", "paper", false, true}, {"total_ms", "total ms", false, false},
        {"total_ms_paper", "paper", false, true}, {"move_ns", "ns a move", false, false},
        {"kilobytes", "KB", false, false},        {"seconds", "build s", false, false},
    };
    tool_report_table *table =
        tool_report_add_table(report, "figure2", "Figure 2: cost and time of a problem (means)", columns,
                              sizeof columns / sizeof *columns);
    for (int row = 0; row < SUB11_ROWS; row++) {
        const tool_paper_row *about = &sub11_rows[row];
        const tool_report_cell cells[] = {
            tool_report_text_cell(about->label),
            tool_report_number_cell(of[row].cost, 1),
            tool_report_number_cell(about->paper[SUB11_COST], 0),
            tool_report_number_cell(of[row].all.suboptimality.mean, 2),
            tool_report_number_cell(of[row].all.worst, 1),
            tool_report_number_cell(first_ns[row] / 1e6, 4),
            tool_report_number_cell(about->paper[SUB11_FIRST_MS], 3),
            tool_report_number_cell(of[row].total_ns / 1e6, 4),
            tool_report_number_cell(about->paper[SUB11_TOTAL_MS], 3),
            tool_report_number_cell(of[row].timed.move_ns, 0),
            tool_report_number_cell(of[row].bytes / 1024, 0),
            tool_report_number_cell(of[row].seconds, 2),
        };
        tool_report_add_row(table, cells, row == SUB11_PAPER_ROWS);
    }
}

/* The trees ---------------------------------------------------------------------------------------------- */

static double fact_of(const tool_paper_base *bases, size_t map, const char *name) {
    return tool_paper_base_fact(&bases[map], name);
}

static void add_trees_table(const tool_paper_rows *run, tool_report *report) {
    static const tool_report_column columns[] = {
        {"map", "map", true, false},           {"cells", "cells", false, false},
        {"nodes_mean", "nodes", false, false}, {"nodes_max", "most", false, false},
        {"nodes_min", "least", false, false},  {"pushed_mean", "pushed: nodes", false, false},
        {"pushed_max", "most", false, false},  {"plain_kilobytes", "plain KB", false, false},
        {"kilobytes", "KB", false, false},     {"times", "times less", false, false},
        {"seconds", "build s", false, false},
    };
    tool_report_table *table = tool_report_add_table(
        report, "trees", "The trees (paper: 198 nodes in the mean, 255 at most, 0 at least)", columns,
        sizeof columns / sizeof *columns);
    const tool_paper_base *final = tool_paper_row_bases(run, SUB11_TREE),
                          *pushed = tool_paper_row_bases(run, SUB11_PUSHED);
    for (size_t map = 0; map < SUB11_MAPS; map++) {
        double plain = fact_of(final, map, "plain_bytes"), bytes = (double) final[map].bytes;
        const tool_report_cell cells[] = {
            tool_report_text_cell(run->maps[map].name),
            tool_report_number_cell(wend_map_open_cells(run->maps[map].map), 0),
            tool_report_number_cell(fact_of(final, map, "nodes_mean"), 1),
            tool_report_number_cell(fact_of(final, map, "nodes_max"), 0),
            tool_report_number_cell(fact_of(final, map, "nodes_min"), 0),
            tool_report_number_cell(fact_of(pushed, map, "nodes_mean"), 1),
            tool_report_number_cell(fact_of(pushed, map, "nodes_max"), 0),
            tool_report_number_cell(plain / 1024, 0),
            tool_report_number_cell(bytes / 1024, 0),
            tool_report_number_cell(plain / bytes, 1),
            tool_report_number_cell(final[map].seconds, 2),
        };
        tool_report_add_row(table, cells, false);
    }
}

/* Sizes over cells, both forms. */
static void add_plot(const tool_paper_rows *run, tool_report *report) {
    const tool_paper_base *final = tool_paper_row_bases(run, SUB11_TREE);
    double x[SUB11_MAPS], plain[SUB11_MAPS], shared[SUB11_MAPS];
    size_t order[SUB11_MAPS];
    for (size_t i = 0; i < SUB11_MAPS; i++) {
        size_t at = i;
        for (;
             at && wend_map_open_cells(run->maps[order[at - 1]].map) > wend_map_open_cells(run->maps[i].map);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t i = 0; i < SUB11_MAPS; i++) {
        x[i] = wend_map_open_cells(run->maps[order[i]].map);
        plain[i] = fact_of(final, order[i], "plain_bytes") / 1024;
        shared[i] = (double) final[order[i]].bytes / 1024;
    }
    tool_report_plot *plot = tool_report_add_plot(report, "What the trees of a map take, plain and shared",
                                                  "open cells", "KB", x, SUB11_MAPS);
    tool_report_scatter(plot, false, true);
    tool_report_add_line(plot, "plain", plain, 0, true);
    tool_report_add_line(plot, "shared, with starts", shared, 1, false);
}

static bool add_maps_table(const tool_paper_rows *run, tool_report *report) {
    tool_report_column columns[1 + SUB11_ROWS] = {{"map", "map", true, false}};
    for (int row = 0; row < SUB11_ROWS; row++)
        columns[1 + row] = (tool_report_column){sub11_rows[row].key, sub11_rows[row].label, false, false};
    tool_report_table *table = tool_report_add_table(
        report, "by-map", "Over optimal, %: the mean of each map", columns, 1 + SUB11_ROWS);
    for (size_t map = 0; map < SUB11_MAPS; map++) {
        tool_report_cell cells[1 + SUB11_ROWS] = {tool_report_text_cell(run->maps[map].name)};
        for (int row = 0; row < SUB11_ROWS; row++) {
            tool_paper_summary summary;
            if (!tool_paper_summarise(tool_paper_row_jobs(run, row, false) + map, 1, &summary)) return false;
            cells[1 + row] = tool_report_number_cell(summary.suboptimality.mean, 2);
        }
        tool_report_add_row(table, cells, false);
    }
    return true;
}

/* A picture ---------------------------------------------------------------------------------------------- */

/* The edges of a tree as paths over the map: from each node to the next. */
typedef struct tree_picture {
    wend_tree *tree;
    wend_search *search;
    tool_picture_path *paths;
    wend_direction *moves;
    size_t moves_used, moves_room;
} tree_picture;

static bool add_edge(tree_picture *p, wend_cell node, tool_picture_path *path) {
    wend_result result;
    wend_cell next = wend_tree_next(p->tree, node);
    if (wend_search_astar(p->search, node, next, &result, NULL) != WEND_OK) return false;
    size_t count = wend_search_moves(p->search, NULL, 0);
    if (p->moves_used + count > p->moves_room) return false;
    (void)wend_search_moves(p->search, p->moves + p->moves_used, count);
    *path = (tool_picture_path){node,  next, p->moves + p->moves_used,
                                count, true, next == wend_tree_goal(p->tree)};
    p->moves_used += count;
    return true;
}

static bool draw_tree(const wend_map *map, wend_cell goal, tree_picture *p, wend_bytes *png) {
    wend_tree_options tree_options = wend_default_tree_options();
    wend_search_options search_options = wend_default_search_options();
    tool_picture_options options = {.pixels = 1000};
    wend_error error;
    if (wend_tree_create(map, &tree_options, &p->tree, NULL) != WEND_OK ||
        wend_search_create(map, &search_options, &p->search, NULL) != WEND_OK ||
        wend_tree_begin(p->tree, goal, NULL) != WEND_OK || !wend_tree_grow(p->tree, UINT64_MAX))
        return false;
    uint32_t nodes = wend_tree_nodes(p->tree);
    p->moves_room = (size_t)wend_map_open_cells(map) * 4;
    p->moves = malloc(p->moves_room);
    p->paths = calloc((size_t)nodes + 1, sizeof *p->paths);
    if (!p->moves || !p->paths) return false;
    for (uint32_t i = 0; i < nodes; i++)
        if (!add_edge(p, wend_tree_node(p->tree, i), &p->paths[i])) return false;
    return tool_picture_make(map, p->paths, nodes, &options, png, &error) == WEND_OK;
}

/* The tree of the first problem's goal on the first map, as figure 1 shows one. */
static bool add_picture(const tool_paper_rows *run, tool_report *report) {
    const tool_paper_ground *ground = &run->grounds[0];
    const wend_problem *problem = wend_scenario_at(ground->problems, 0);
    tree_picture p = {0};
    wend_bytes png = {0};
    bool good = draw_tree(run->maps[0].map, tool_paper_cell(ground, problem->goal), &p, &png);
    if (good) {
        char caption[256];
        (void)snprintf(caption, sizeof caption,
                       "%s: the tree of goal %d,%d, %u subgoals, each joined to the next", run->maps[0].name,
                       (int)problem->goal.x, (int)problem->goal.y, (unsigned)wend_tree_nodes(p.tree));
        tool_report_gallery *gallery = tool_report_add_gallery(report, "A tree of subgoals");
        tool_report_add_picture(gallery, "subgoal2011-tree.png", caption, png.data, png.size);
    } else {
        (void)tool_wrong("can't draw a tree: out of memory");
    }
    tool_bytes_release(&png);
    wend_tree_destroy(p.tree);
    wend_search_destroy(p.search);
    free(p.moves);
    free(p.paths);
    return good;
}

/* What must come out ------------------------------------------------------------------------------------- */

enum { PAPER_CELLS = 17789 }; /* the mean of the paper's maps */

static double mean_cells(const tool_paper_rows *run) {
    double cells = 0;
    for (size_t i = 0; i < SUB11_MAPS; i++)
        cells += wend_map_open_cells(run->maps[i].map) / (double)SUB11_MAPS;
    return cells;
}

/* Maps of the paper's games, about as large as the paper's: what LRTA* suffers from grows with the map. */
static bool is_comparable(const tool_paper_rows *run) {
    bool same = 2 * mean_cells(run) >= PAPER_CELLS;
    for (size_t i = 0; i < SUB11_MAPS; i++) same = same && !run->maps[i].generated;
    return same;
}

static tool_report_verdict verdict(const tool_paper_rows *run, bool good) {
    if (!good && !is_comparable(run)) return TOOL_REPORT_NOT_COMPARABLE;
    return good ? TOOL_REPORT_PASS : TOOL_REPORT_FAIL;
}

static void judge(const tool_paper_rows *run, tool_report *report, const figures *of) {
    const figures *tree = &of[SUB11_TREE], *lrta = &of[SUB11_LRTA], *astar = &of[SUB11_ASTAR];
    double over = 100 * (tree->cost / astar->cost - 1);
    tool_report_add_check(
        report, tree->all.unfinished ? TOOL_REPORT_FAIL : verdict(run, over <= 12),
        "LRTA* with subgoals costs at most 12%% more than A* in the mean: %.1f and %.1f, %.2f%% "
        "more (paper 220 and 198, 11%%)",
        tree->cost, astar->cost, over);
    double times = lrta->cost / tree->cost;
    tool_report_add_check(
        report, verdict(run, times >= 100),
        "LRTA* alone is two orders of magnitude worse: %.0f, %.0f times as much (paper 39,232, "
        "178 times)%s",
        lrta->cost, times, lrta->all.unfinished ? "; some of its runs were cut" : "");
    const tool_paper_base *final = tool_paper_row_bases(run, SUB11_TREE),
                          *pushed = tool_paper_row_bases(run, SUB11_PUSHED);
    double least = INFINITY, nodes = 0, nodes_pushed = 0;
    for (size_t map = 0; map < SUB11_MAPS; map++) {
        least = fmin(least, fact_of(final, map, "plain_bytes") / (double) final[map].bytes);
        nodes += fact_of(final, map, "nodes_mean") / SUB11_MAPS;
        nodes_pushed += fact_of(pushed, map, "nodes_mean") / SUB11_MAPS;
    }
    tool_report_add_check(
        report, verdict(run, least >= 10),
        "shared trees take a tenth of the plain ones or less on every map: %.1f times less at "
        "least",
        least);
    tool_report_add_check(
        report, verdict(run, nodes <= nodes_pushed),
        "the printed test makes no fewer subgoals: %.2f nodes a tree in the mean, %.2f when tested "
        "with the final parent (paper 198)",
        nodes_pushed, nodes);
}

static void describe(const tool_paper_rows *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    tool_report_note(
        report,
        "Means over eight maps with %.0f open cells in the mean (paper %d) and %zu problems on "
        "each, beside the paper's figures. The paper does not name its maps; ours are of the same "
        "games. Over: by how many per cent the way gone was longer than the shortest, the mean of the "
        "problems.",
        mean_cells(run), PAPER_CELLS, run->problems);
    tool_report_note(
        report,
        "Ours differs from the paper's LRTA* with subgoals where that loses: the first subgoal is one on "
        "a shortest path, not the one that seems nearest, and the way to each subgoal that costs no "
        "more than without walls, which its test promises, is looked for, not guessed. So nothing is "
        "learnt and the ways are shortest; docs/trees.md tells how. Times to build are those of a map on "
        "%d threads (paper 31.74 to 159.78 s, 73.5 in the mean).",
        options->threads);
    if (run->timed_problems)
        tool_report_note(
            report,
            "Times are of %zu problems a map, on one thread: totals from passes without clocks inside, "
            "the first step from the least of five passes. A* makes its whole search in its first step.",
            run->timed_problems);
    tool_report_set_number(report, "seed", (double)options->seed);
    tool_report_set_number(report, "problems", (double)run->problems);
    tool_report_set_number(report, "timed_problems", (double)run->timed_problems);
    for (int row = 0; row < SUB11_ROWS; row++)
        tool_report_set_text(report, sub11_rows[row].label, sub11_rows[row].planner);
}

bool sub11_report(const tool_paper_rows *run, const double *first_ns, tool_report *report) {
    figures of[SUB11_ROWS];
    for (int row = 0; row < SUB11_ROWS; row++)
        if (!take_figures(run, row, &of[row])) return false;
    describe(run, report);
    add_table(first_ns, report, of);
    add_trees_table(run, report);
    add_plot(run, report);
    if (!add_picture(run, report) || !add_maps_table(run, report)) return false;
    judge(run, report, of);
    tool_paper_describe_maps(report, run->maps, SUB11_MAPS);
    return true;
}
