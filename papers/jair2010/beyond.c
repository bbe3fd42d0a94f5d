/* Beyond the paper: its algorithms beside what has come since, on its maps, and on two that are harder for
 * one or the other: slanted walls, as drawn with vectors (`shapes`), and many small maps joined by corridors
 * (`joined`). */
#include "jair2010/jair2010.h"

#include <math.h>
#include <string.h>

/* Problems as long as on the paper's maps; an eighth of that where a side is an eighth as long. */
#define MAP(map, what, side)                                                                                 \
    .set = "generated", .name = (map), .kind = (what), .width = (side), .height = (side),                    \
    .min_length = (side) < 4096 ? 125 : 1000, .max_length = (side) < 4096 ? 375 : 3000
enum { OTHER_MAPS = 2 };
static const tool_paper_map other_maps[] = {{MAP("shapes", WEND_MAP_SHAPES, 4096)},
                                            {MAP("joined", WEND_MAP_JOINED, 4096)}},
                            quick_maps[] = {{MAP("shapes", WEND_MAP_SHAPES, 512)},
                                            {MAP("joined", WEND_MAP_JOINED, 512)}};

/* What is compared: the best of each that the run has, on the other maps the coarsest table of D LRTA*. */
static bool is_compared(const tool_paper_options *options, const tool_paper_row *row) {
    const jair_compared keys = jair_compared_keys(options);
    return row->part == JAIR_AFTER || jair_is(row, keys.knn) || jair_is(row, keys.tba) ||
           jair_is(row, keys.dlrta) ||
           jair_is(row, options->quick ? "knn-10000-even-tba" : "knn-60000-even-tba");
}

static bool is_on_others(const tool_paper_options *options, const tool_paper_row *row) {
    if (row->when == (options->quick ? JAIR_WHOLE : JAIR_QUICK)) return false;
    return row->family == JAIR_DLRTA ? jair_is(row, "dlrta-12") : is_compared(options, row);
}

int jair_beyond_measure(const tool_paper_rows *run, tool_paper_store *store) {
    jair_own *own = run->own;
    own->generated = *run->options;
    own->generated.maps = NULL; /* whatever files there may be of these names */
    own->plan = *run->plan;
    own->plan.maps = run->options->quick ? quick_maps : other_maps;
    own->plan.map_count = OTHER_MAPS;
    own->plan.wants = is_on_others;
    int result = tool_paper_open_rows(&own->plan, &own->generated, &own->others);
    return result == TOOL_DONE ? tool_paper_measure_rows(&own->others, store) : result;
}

/* What came out ----------------------------------------------------------------------------------------- */

#define OF(field) TOOL_PAPER_FIELD(tool_paper_figures, field)
#define PER(field, per) TOOL_PAPER_FIELD_OF(tool_paper_figures, field, per, NULL)
static const tool_paper_column after[] = {
    {"maps", "maps", 0, OF(map)},
    {"planner", "algorithm", 0, OF(label)},
    {"suboptimality", "suboptimality %", 2, OF(all.suboptimality)},
    {"median", "median", 2, OF(all.median)},
    {"p95", "95th percentile", 2, OF(all.p95)},
    {"worst", "worst", 2, OF(all.worst)},
    {"unfinished", "cut", 0, OF(all.unfinished)},
    {"mb", "MB of the file", 2, PER(bytes, 1048576)},
    {"seconds", "seconds to build", 1, OF(seconds)},
    {"ns", "ns/move", 0, OF(timed.move_ns)},
    {"us_worst", "worst step, µs", 1, PER(timed.step_ns_max, 1000)},
    {"agent_bytes", "bytes of an agent", 0, OF(all.online_bytes)},
};

static void add_table(const tool_paper_rows *run, tool_report *report) {
    const tool_paper_rows *others = &((const jair_own *)run->own)->others;
    const tool_paper_table table = tool_paper_begin_table(
        report, NULL, "after", "Beyond the paper: what has come after it", TOOL_PAPER_LIST(after));
    bool apart = true;
    for (size_t i = 0; i < JAIR_ROWS; i++) {
        tool_paper_figures of = run->figures[i];
        if (!of.wanted || !is_compared(run->options, of.row)) continue;
        of.map = "the paper's four";
        tool_paper_add_row(&table, &of, apart);
        apart = false;
    }
    for (size_t map = 0; map < OTHER_MAPS; map++) {
        apart = true;
        for (int i = 0; i < JAIR_ROWS; i++) {
            tool_paper_figures of;
            if (!others->figures[i].wanted) continue;
            if (!tool_paper_take_figures(others, i, map, 1, &of)) return;
            tool_paper_add_row(&table, &of, apart);
            apart = false;
        }
    }
}

static int line_of(const tool_paper_row *row) {
    if (row->part == JAIR_BEYOND) return strstr(row->key, "-even-tba") ? 3 : -1;
    if (row->family == JAIR_ATLAS) return 4;
    return row->part == JAIR_PAPER && row->family <= JAIR_TBA ? row->family : -1;
}

/* Figures 12 to 15 once more, in real bytes, with all that has come after. */
static void add_figures(const tool_paper_rows *run, tool_report *report) {
    static const struct {
        const char *title, *x_label;
        size_t field;
    } plots[] = {
        {"Figure 12 with atlases: suboptimality and time per move", "microseconds per move",
         offsetof(jair_figures, of.us)},
        {"Figure 13 with atlases: suboptimality and precomputation", "seconds per map",
         offsetof(jair_figures, of.seconds)},
        {"Figure 14 with atlases: suboptimality and size of the file", "MB per map",
         offsetof(jair_figures, file_mb)},
        {"Figure 15 with atlases: suboptimality and memory of one agent, with the file", "KB",
         offsetof(jair_figures, real_kb)},
    };
    static const tool_paper_line lines[] = {{"kNN LRTA*", 0, false},
                                            {"D LRTA*", 1, false},
                                            {"TBA*", 2, false},
                                            {"kNN, even, with TBA*", 4, false},
                                            {"atlas", 3, false}};
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++)
        jair_plot(run, report, plots[i].title, plots[i].x_label, plots[i].field, line_of,
                  TOOL_PAPER_LIST(lines));
}

void jair_beyond_report(const tool_paper_rows *run, tool_report *report) {
    const jair_own *own = run->own;
    const tool_paper_map *maps = own->others.maps;
    tool_report_note(
        report,
        "Beyond the paper: atlases (docs/notes/atlas.md) and optimal paths by jump-point search, beside the "
        "paper's algorithms; on its maps, and on generated maps of %d x %d cells: slanted walls (%u open "
        "cells) and many small maps joined by corridors (%u). Sizes are those of files, memory is in real "
        "bytes.",
        (int)maps[0].width, (int)maps[0].height, wend_map_open_cells(maps[0].map),
        wend_map_open_cells(maps[1].map));
    add_figures(run, report);
    add_table(run, report);
}
