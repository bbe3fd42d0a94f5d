/* The report of tbaa2012: tables, plots, what must come out, and trails of one problem a terrain. */
#include "tbaa2012/tbaa2012.h"

#include "report/picture.h"
#include "shared/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double paper_delay = 39; /* of A* at 0.3 ms */

/* Figures ----------------------------------------------------------------------------------------------- */

enum {
    INTERVALS = offsetof(tool_paper_result, intervals),
    MOVES = offsetof(tool_paper_result, moves),
    EXPANSIONS = offsetof(tool_paper_result, expansions)
};

static double value_of(const tool_paper_result *result, size_t field) {
    uint64_t value;
    memcpy(&value, (const char *)result + field, sizeof value);
    return (double)value;
}

/* The mean of one figure, a field of the results, over all problems; `minus` may be another planner, for the
 * mean difference to it problem by problem, or -1. NAN if there is no memory. */
static tool_report_mean mean_of(const tbaa_measured *measured, size_t field, int planner, int minus,
                                int length) {
    size_t count = measured->problems * TBAA_MAPS;
    double *values = malloc((count ? count : 1) * sizeof *values);
    if (!values) return (tool_report_mean){NAN, NAN};
    const tool_paper_result *results = tbaa_results(measured, planner, length),
                            *others = minus < 0 ? NULL : tbaa_results(measured, minus, length);
    for (size_t i = 0; i < count; i++)
        values[i] = value_of(&results[i], field) - (others ? value_of(&others[i], field) : 0);
    tool_report_mean mean = tool_report_mean_of(values, count);
    free(values);
    return mean;
}

/* The moves of those that stand while they search: they are the same for every length. */
static tool_report_mean standing_moves(const tbaa_measured *measured, int planner) {
    return mean_of(measured, MOVES, planner, -1, tbaa_last_length(measured));
}

/* A row of a table, and of the one with the paper's rule of corners. */
typedef struct line {
    const char *label;
    double length, intervals_paper, moves_paper, expansions, k;
    tool_report_mean intervals, moves, moves_chosen;
} line;

#define OF(field) TOOL_PAPER_FIELD(line, field)
#define PAPER(field) TOOL_PAPER_FIELD_OF(line, field, 1, "")
static const tool_paper_column table_columns[] = {
    {"length_ms", "ms", 1, OF(length)},
    {"planner", "planner", 0, OF(label)},
    {"intervals", "intervals", 1, OF(intervals)},
    {"intervals_paper", "paper", 0, PAPER(intervals_paper)},
    {"moves", "moves", 1, OF(moves)},
    {"moves_paper", "paper", 0, PAPER(moves_paper)},
    {"expansions", "expansions", 0, OF(expansions)},
    {"k", "k", 0, OF(k)}, /* not by the clock */
};
static const tool_paper_column corner_columns[] = {
    {"planner", "planner", 0, OF(label)},
    {"moves", "moves under `any`", 1, OF(moves)},
    {"moves_paper", "paper", 0, PAPER(moves_paper)},
    {"moves_chosen", "moves in the table above", 1, OF(moves_chosen)},
};

static void add_table(tool_report *report, const tbaa_measured *measured) {
    const tbaa_table *table = measured->table;
    bool by_clock = measured->form == TBAA_TIMED;
    char title[128];
    (void)snprintf(title, sizeof title, "Table %d, %s: intervals of %s", table->number, table->terrain,
                   by_clock ? "real milliseconds" : "k expansions");
    const tool_paper_table shown =
        tool_paper_begin_table(report, NULL, table->names[measured->form], title, table_columns,
                               sizeof table_columns / sizeof *table_columns - by_clock);
    for (int length = 0; length < TBAA_LENGTHS; length++)
        for (int planner = 0, shown_here = 0; planner < table->count; planner++) {
            if (!tbaa_has(measured, planner, length)) continue;
            const line row = {.label = table->planners[planner].label,
                              .length = tbaa_lengths[length],
                              .intervals = mean_of(measured, INTERVALS, planner, -1, length),
                              .intervals_paper = tbaa_printed(table, planner, "intervals", length),
                              .moves = mean_of(measured, MOVES, planner, -1, length),
                              .moves_paper = tbaa_printed(table, planner, "moves", length),
                              .expansions = mean_of(measured, EXPANSIONS, planner, -1, length).mean,
                              .k = (double)measured->intervals[length].expansions};
            tool_paper_add_row(&shown, &row, shown_here++ == 0);
        }
}

/* Moves under the rule of the options and under the paper's own. */
static void add_corners(tool_report *report, const tbaa_measured *chosen, const tbaa_measured *own) {
    char title[160];
    (void)snprintf(title, sizeof title,
                   "Table %d, %s: moves under the paper's own rule, a step to any open neighbour",
                   own->table->number, own->table->terrain);
    const tool_paper_table shown = tool_paper_begin_table(report, NULL, own->table->names[own->form], title,
                                                          TOOL_PAPER_LIST(corner_columns));
    for (int planner = 0; planner < own->table->count; planner++) {
        if (!tbaa_has(own, planner, tbaa_last_length(own))) continue;
        const line row = {.label = own->table->planners[planner].label,
                          .moves = standing_moves(own, planner),
                          .moves_paper = tbaa_printed(own->table, planner, "moves", 0),
                          .moves_chosen = standing_moves(chosen, planner)};
        tool_paper_add_row(&shown, &row, false);
    }
}

/* One plot of the planners from `first` on. A single length would be a line of one point: none then. */
static void add_plot(tool_report *report, const tbaa_measured *measured, int first, const char *title) {
    const tbaa_table *table = measured->table;
    double lengths[TBAA_LENGTHS];
    size_t count = 0;
    for (int length = 0; length < TBAA_LENGTHS; length++)
        if (measured->lengths[length]) lengths[count++] = tbaa_lengths[length];
    if (count < 2) return;
    tool_report_plot *plot =
        tool_report_add_plot(report, title, "length of an interval, ms", "intervals", lengths, count);
    for (int planner = first; planner < table->count; planner++) {
        if (!measured->planners[planner]) continue;
        const tbaa_planner *about = &table->planners[planner];
        double means[TBAA_LENGTHS], paper[TBAA_LENGTHS];
        char label[32];
        size_t used = 0;
        for (int length = 0; length < TBAA_LENGTHS; length++) {
            if (!measured->lengths[length]) continue;
            means[used] = mean_of(measured, INTERVALS, planner, -1, length).mean;
            paper[used++] = tbaa_printed(table, planner, "intervals", length);
        }
        tool_report_add_line(plot, about->label, means, planner, false);
        (void)snprintf(label, sizeof label, "%s, paper", about->label);
        tool_report_add_line(plot, label, paper, planner, true);
    }
}

/* Those that would be one line at the foot of the others' plot. */
static void add_plot_of_fastest(tool_report *report, const tbaa_measured *measured) {
    const bool *wanted = measured->planners;
    if ((wanted[TBAA_RTAA] || wanted[TBAA_DARTAA]) && wanted[TBAA_TBA] && wanted[TBAA_ASTAR])
        add_plot(report, measured, TBAA_TBA, "Known terrain: TBA* and A* alone");
}

static void add_figures(const tbaa_run *run, int table, tool_report *report) {
    const tbaa_measured *counted = &run->measured[TBAA_COUNTED][table],
                        *timed = &run->measured[TBAA_TIMED][table],
                        *corners = &run->measured[TBAA_CORNERS][table];
    char title[160];
    add_table(report, counted);
    if (corners->problems) add_corners(report, counted, corners);
    (void)snprintf(title, sizeof title, "%s%s: intervals of k expansions", table ? "In " : "Known terrain",
                   table ? counted->table->terrain : "");
    add_plot(report, counted, 0, title);
    if (table == 0) add_plot_of_fastest(report, counted);
    if (!timed->problems) return;
    add_table(report, timed);
    (void)snprintf(title, sizeof title, "%s%s: intervals of real milliseconds",
                   table ? "In " : "Known terrain", table ? counted->table->terrain : "");
    add_plot(report, timed, 0, title);
}

/* What must come out ------------------------------------------------------------------------------------ */

/* The paper's maps, by their sizes, under its rules or, as for corners, those of the benchmark. */
static bool is_comparable(const tbaa_run *run) {
    wend_rules rules = run->options->map.rules, paper = wend_default_rules();
    bool same = rules.connect == paper.connect && rules.diagonal == paper.diagonal &&
                (rules.corners == paper.corners || rules.corners == WEND_CORNERS_ANY);
    for (size_t i = 0; i < TBAA_MAPS; i++) {
        const tool_paper_map *map = &run->chosen.maps[i];
        same = same && !map->generated && wend_map_width(map->map) == map->width &&
               wend_map_height(map->map) == map->height;
    }
    return same;
}

/* Whether a planner was measured with every length. */
static bool is_whole(const tbaa_measured *measured, int planner) {
    bool whole = true;
    for (int length = 0; length < TBAA_LENGTHS; length++)
        whole = whole && tbaa_has(measured, planner, length);
    return whole;
}

/* For checks. The maps are the paper's own. `other`: a planner to compare with, or -1. */
static shared_estimate estimate(const tbaa_run *run, const tbaa_measured *measured, size_t field, int planner,
                                int other, int length, shared_statistic statistic) {
    const size_t count = measured->problems * TBAA_MAPS;
    double *values = malloc((count ? 2 * count : 1) * sizeof *values);
    if (!values) return shared_exact(NAN);
    const tool_paper_result *results = tbaa_results(measured, planner, length),
                            *others = other < 0 ? results : tbaa_results(measured, other, length);
    for (size_t i = 0; i < count; i++) {
        values[i] = value_of(&results[i], field);
        values[count + i] = value_of(&others[i], field);
    }
    shared_estimate found = shared_bootstrap(&(shared_sample){.x = values,
                                                              .y = other < 0 ? NULL : values + count,
                                                              .maps = TBAA_MAPS,
                                                              .each = measured->problems,
                                                              .seed = run->options->seed},
                                             statistic);
    free(values);
    return found;
}

/* One length is enough. */
static void check_paper_moves(const tbaa_run *run, tool_report *report, const tbaa_measured *measured,
                              int planner, double per_cent) {
    const int length = tbaa_last_length(measured);
    if (!tbaa_has(measured, planner, length)) return;
    double paper = tbaa_printed(measured->table, planner, "moves", 0);
    const tool_report_check check =
        tool_paper_compare(is_comparable(run), tool_paper_near(paper, per_cent / 100 * paper),
                           estimate(run, measured, MOVES, planner, -1, length, SHARED_MEAN_OF));
    tool_report_add_check(report, &check,
                          "%s's mean moves in %s%s, %.1f, are within %.0f%% of the paper's %.0f",
                          measured->table->planners[planner].label, measured->table->terrain,
                          measured->form == TBAA_CORNERS ? " under the paper's rule of corners" : "",
                          check.value, per_cent, paper);
}

/* The problems are the same for both, so the differences are taken problem by problem. */
static void check_fewer(const tbaa_run *run, tool_report *report, const tbaa_measured *measured, int few,
                        int many) {
    if (!is_whole(measured, few) || !is_whole(measured, many)) return;
    const tbaa_planner *planners = measured->table->planners;
    tool_report_check parts[TBAA_LENGTHS];
    for (int length = 0; length < TBAA_LENGTHS; length++)
        parts[length] = tool_paper_judge(
            tool_paper_above(0), estimate(run, measured, INTERVALS, many, few, length, SHARED_MEAN_OF));
    const int where = (int)tool_paper_weakest(TOOL_PAPER_LIST(parts));
    tool_report_add_check(
        report, &parts[where],
        "%s needs fewer intervals than %s for every length in %s (least so at %.1f ms: %.1f and %.1f)",
        planners[few].label, planners[many].label, measured->table->terrain, tbaa_lengths[where],
        mean_of(measured, INTERVALS, few, -1, where).mean,
        mean_of(measured, INTERVALS, many, -1, where).mean);
}

static void check_tba_moves(const tbaa_run *run, tool_report *report, const tbaa_measured *measured) {
    if (!is_whole(measured, TBAA_TBA) || !is_whole(measured, TBAA_ASTAR)) return;
    tool_report_check parts[TBAA_LENGTHS];
    for (int length = 0; length < TBAA_LENGTHS; length++)
        parts[length] =
            tool_paper_judge(tool_paper_near(1, 0.05),
                             estimate(run, measured, MOVES, TBAA_TBA, TBAA_ASTAR, length, SHARED_RATIO_OF));
    const size_t where = tool_paper_weakest(TOOL_PAPER_LIST(parts));
    tool_report_add_check(report, &parts[where],
                          "TBA*'s moves are within 5%% of A*'s (farthest at %.1f ms: %.1f%%)",
                          tbaa_lengths[where], 100 * fabs(parts[where].value - 1));
}

/* How the two best compare is said, not judged. */
static void compare_with_dstar(tool_report *report, const tbaa_measured *measured) {
    if (!measured->planners[TBAA_DSTAR] || !measured->planners[TBAA_TBAA]) return;
    char text[512] = "";
    for (int length = 0; length < TBAA_LENGTHS; length++) {
        if (!measured->lengths[length]) continue;
        tool_report_mean more = mean_of(measured, INTERVALS, TBAA_DSTAR, TBAA_TBAA, length);
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%+.1f ±%.1f at %.1f ms", used ? ", " : "",
                       more.mean, more.margin, tbaa_lengths[length]);
    }
    tool_report_note(report,
                     "D* Lite against TBAA* in %s, in intervals more (or fewer, with a minus) for the same "
                     "problems: %s.",
                     measured->table->terrain, text);
}

static void judge(const tbaa_run *run, int table, tool_report *report) {
    const tbaa_measured *measured = &run->measured[TBAA_COUNTED][table],
                        *corners = &run->measured[TBAA_CORNERS][table];
    if (table == 0) {
        check_paper_moves(run, report, measured, TBAA_ASTAR, 3);
        check_fewer(run, report, measured, TBAA_TBA, TBAA_ASTAR);
        check_fewer(run, report, measured, TBAA_DARTAA, TBAA_RTAA);
        check_tba_moves(run, report, measured);
        return;
    }
    static const int complete[] = {TBAA_REPEATED, TBAA_ADAPTIVE, TBAA_DSTAR},
                     slower[] = {TBAA_RTBA, TBAA_RTAA, TBAA_DARTAA, TBAA_REPEATED, TBAA_ADAPTIVE};
    for (size_t i = 0; i < sizeof complete / sizeof *complete; i++)
        check_paper_moves(run, report, measured, complete[i], 5);
    for (size_t i = 0; corners->problems && i < sizeof complete / sizeof *complete; i++)
        check_paper_moves(run, report, corners, complete[i], 5);
    for (size_t i = 0; i < sizeof slower / sizeof *slower; i++)
        check_fewer(run, report, measured, TBAA_TBAA, slower[i]);
}

/* Trails ------------------------------------------------------------------------------------------------ */

/* The problem whose shortest path is nearest in length to the mean of all. */
static void choose_problem(const tool_paper_ground *grounds, size_t *map, size_t *problem, double *mean) {
    double sum = 0, nearest = INFINITY;
    size_t all = 0;
    for (size_t i = 0; i < TBAA_MAPS; i++)
        for (size_t j = 0; j < wend_scenario_count(grounds[i].problems); j++, all++)
            sum += wend_scenario_at(grounds[i].problems, j)->length;
    *mean = sum / (double)all;
    *map = *problem = 0;
    for (size_t i = 0; i < TBAA_MAPS; i++)
        for (size_t j = 0; j < wend_scenario_count(grounds[i].problems); j++) {
            double off = fabs(wend_scenario_at(grounds[i].problems, j)->length - *mean);
            if (off < nearest) nearest = off, *map = i, *problem = j;
        }
}

/* The planner's moves on the problem, as a picture in `png`. */
static bool draw_trail(const tbaa_measured *measured, const tool_paper_ground *ground,
                       const wend_problem *problem, const tbaa_planner *planner, tool_run *run,
                       wend_bytes *png) {
    wend_settings *settings = NULL;
    wend_error error;
    tool_text steps = {.data = NULL};
    *png = (wend_bytes){NULL, 0, 0};
    tool_runner *runner = tool_paper_runner(ground, planner->text,
                                            &measured->intervals[tbaa_first_length(measured)], &settings);
    bool good =
        runner && tool_run_record(runner, tool_paper_cell(ground, problem->start),
                                  tool_paper_cell(ground, problem->goal), UINT64_MAX, &steps, NULL, run);
    good = good && run->status != TOOL_RUN_STOPPED;
    if (good) {
        wend_direction *moves = (wend_direction *)steps.data; /* in place: they are fewer than the steps */
        size_t count = shared_step_moves(steps.data, run->steps, moves);
        tool_picture_path path = {.start = run->start,
                                  .goal = run->goal,
                                  .moves = moves,
                                  .move_count = count,
                                  .arrived = run->status == TOOL_RUN_ARRIVED};
        tool_picture_options options = {.pixels = 800, .seen = tool_runner_knowledge(runner)};
        good = tool_picture_make(ground->terrain.truth, &path, 1, &options, png, &error) == WEND_OK;
        if (!good) (void)tool_wrong_error(&error);
    }
    tool_runner_destroy(runner);
    wend_settings_destroy(settings);
    free(steps.data);
    return good;
}

static bool add_trails(const tbaa_run *run, int table, tool_report *report) {
    const tbaa_measured *measured = &run->measured[TBAA_COUNTED][table];
    size_t map, index;
    double mean;
    choose_problem(measured->grounds, &map, &index, &mean);
    const tool_paper_ground *ground = &measured->grounds[map];
    const wend_problem *problem = wend_scenario_at(ground->problems, index);
    char title[384], parts[16] = "";
    if (tbaa_first_length(measured) > 0)
        (void)snprintf(parts, sizeof parts, "%d ", tbaa_first_length(measured) + 1);
    (void)snprintf(title, sizeof title,
                   "Trails in %s: %s, from %d,%d to %d,%d, whose shortest path (%.1f) is nearest to the mean "
                   "of all problems (%.1f); intervals of %sk expansions. Circle: start, star: goal; what "
                   "was never seen is dim",
                   measured->table->terrain, ground->name, (int)problem->start.x, (int)problem->start.y,
                   (int)problem->goal.x, (int)problem->goal.y, problem->length, mean, parts);
    tool_report_gallery *gallery = tool_report_add_gallery(report, title);
    for (int planner = 0; planner < measured->table->count; planner++) {
        if (!measured->planners[planner]) continue;
        const tbaa_planner *about = &measured->table->planners[planner];
        tool_run walked;
        wend_bytes png;
        if (!draw_trail(measured, ground, problem, about, &walked, &png)) return false;
        char file[96], caption[128];
        (void)snprintf(file, sizeof file, "tbaa2012-%s-%.*s.png", measured->table->key,
                       (int)strcspn(about->text, ":"), about->text);
        (void)snprintf(caption, sizeof caption, "%s: %llu moves in %zu intervals, length %.1f", about->label,
                       (unsigned long long)tool_run_moves(&walked), walked.steps,
                       tool_run_length(&walked, ground->terrain.truth));
        tool_report_add_picture(gallery, file, caption, png.data, png.size);
        tool_bytes_release(&png);
    }
    return true;
}

/* The rest ---------------------------------------------------------------------------------------------- */

/* A* with the shortest interval, as it was measured; otherwise from the sizes of the searches. */
static double delay_of(const tbaa_run *run) {
    const tbaa_measured *known = &run->measured[TBAA_COUNTED][0];
    if (!run->options->tables[0] || !tbaa_has(known, TBAA_ASTAR, 0)) return run->delay;
    return mean_of(known, INTERVALS, TBAA_ASTAR, -1, 0).mean - mean_of(known, MOVES, TBAA_ASTAR, -1, 0).mean;
}

/* Where something of the tables is left out: which planners and lengths there are. The index says it, too. */
static void describe_part(const tbaa_run *run, tool_report *report) {
    char planners[256] = "", lengths[64] = "", text[384];
    const bool *wanted = NULL; /* the same lengths in every table */
    bool whole = true;
    for (int table = 0; table < TBAA_TABLES; table++) {
        const tbaa_measured *measured = &run->measured[TBAA_COUNTED][table];
        for (int i = 0; run->options->tables[table] && i < measured->table->count; i++) {
            const char *name = measured->table->planners[i].text;
            if (measured->planners[i] && !tbaa_came_before(run->options, table, i))
                tbaa_add_word(planners, sizeof planners, name, strcspn(name, ":"));
            whole = whole && is_whole(measured, i);
            wanted = measured->lengths;
        }
    }
    if (whole) return;
    for (int i = 0; wanted && i < TBAA_LENGTHS; i++) {
        int length = snprintf(text, sizeof text, "%.1f", tbaa_lengths[i]);
        if (wanted[i]) tbaa_add_word(lengths, sizeof lengths, text, (size_t)length);
    }
    (void)snprintf(text, sizeof text, "%s; lengths of %s ms", planners, lengths);
    tool_report_set_text(report, "part", text);
    tool_report_note(report,
                     "Measured in part: %s. What is judged with planners or lengths that are left out is not "
                     "judged here.",
                     text);
}

static void describe(const tbaa_run *run, tool_report *report) {
    const tool_paper_options *options = run->options;
    double delay = delay_of(run);
    tool_report_note(
        report,
        "Mean numbers of time intervals and of moves until the agent arrives, with 95%% intervals (normal "
        "approximation), beside the paper's figures. Six maps, random problems on each: %zu. In each "
        "interval the agent makes one move and searches until it ends; in the first it only searches.",
        run->problems);
    tool_report_note(
        report,
        "k = %llu expansions stand for 0.3 ms: with them A* stands for %.1f intervals before its "
        "first move, in the paper for %.0f.",
        (unsigned long long)run->k, delay, paper_delay);
    if (options->tables[1] || options->tables[2])
        tool_report_note(report,
                         "Where terrain is not known, the agent sees the eight cells around it, and "
                         "what it has not seen it takes for open.%s",
                         options->tables[2] ? " In partly unknown terrain it knows the map, but not that 15% "
                                              "of its open cells, drawn from the seed, are blocked; problems "
                                              "are drawn on what is left."
                                            : "");
    if (run->ms_problems)
        tool_report_note(report,
                         "Tables by real milliseconds are shown, not judged: this machine searches most of "
                         "these maps in a few intervals. Problems on each map: %zu.",
                         run->ms_problems);
    tool_report_set_seed(report, options->seed);
    tool_report_set_number(report, "problems", (double)run->problems);
    tool_report_set_number(report, "ms_problems", (double)run->ms_problems);
    tool_report_set_number(report, "k", (double)run->k);
    tool_report_set_number(report, "delay", delay);
    tool_report_set_number(report, "delay_paper", paper_delay);
    tool_paper_describe_rules(report, options);
    describe_part(run, report);
}

/* How each planner is written, once. */
static void name_planners(const tbaa_run *run, tool_report *report) {
    for (int table = 0; table < TBAA_TABLES; table++) {
        if (!run->options->tables[table]) continue;
        for (int planner = 0; planner < tbaa_tables[table].count; planner++) {
            const tbaa_planner *about = &tbaa_tables[table].planners[planner];
            bool wanted = run->measured[TBAA_COUNTED][table].planners[planner];
            if (wanted && !tbaa_came_before(run->options, table, planner))
                tool_report_set_text(report, about->label, about->text);
        }
    }
}

bool tbaa_report(const tbaa_run *run, tool_report *report) {
    bool good = true;
    describe(run, report);
    name_planners(run, report);
    for (int table = 0; table < TBAA_TABLES && good; table++) {
        if (!run->options->tables[table]) continue;
        add_figures(run, table, report);
        judge(run, table, report);
        if (table) compare_with_dstar(report, &run->measured[TBAA_COUNTED][table]);
        good = add_trails(run, table, report);
    }
    tool_paper_describe_maps(report, run->chosen.maps, TBAA_MAPS);
    return good;
}
