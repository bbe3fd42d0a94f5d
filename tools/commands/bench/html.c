/* `wend bench --html`: what the planners came to as one page of plots, tables and pictures. */
#include "commands/bench/html.h"
#include "shared/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Collecting -------------------------------------------------------------------------------------------- */

bench_page *tool_bench_page_create(const bench_task *bench, const bench_files *files) {
    bench_page *page = calloc(1, sizeof *page);
    if (!page) {
        (void)tool_wrong("out of memory for a page");
        return NULL;
    }
    page->bench = bench, page->files = files;
    return page;
}

static void free_entry(bench_entry *entry) {
    free(entry->planner);
    free(entry->label);
    free(entry->db);
    free(entry->steps.data);
    free(entry->way_steps.data);
}

void tool_bench_page_destroy(bench_page *page) {
    if (!page) return;
    for (size_t i = 0; i < page->count; i++) free_entry(&page->entries[i]);
    free(page->entries);
    free(page);
}

static size_t bin_of(uint64_t nanoseconds) {
    if (!nanoseconds) return 0;
    double bin = floor(8 * log10((double)nanoseconds) + 1e-9);
    return bin < BENCH_PAGE_BINS - 1 ? (size_t)bin : BENCH_PAGE_BINS - 1;
}

/* The middle of a bin, in ns. */
static double bin_time(size_t bin) {
    return pow(10, ((double)bin + 0.5) / 8);
}

/* Without a database, planners either search a whole path before they move, or only so far at each move. */
static bench_family family_of(const wend_settings *settings) {
    const char *db = wend_settings_text(settings, "db");
    if (db) return BENCH_DATABASE;
    return wend_settings_integer(settings, "k") == WEND_UNLIMITED ? BENCH_WHOLE : BENCH_BOUNDED;
}

static char *copied(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (copy) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

bool tool_bench_page_add(bench_page *page, const bench_runs *runs, const bench_summary *summary,
                         const wend_settings *settings) {
    bench_entry *entries = realloc(page->entries, (page->count + 1) * sizeof *entries);
    if (entries) page->entries = entries;
    const char *db = wend_settings_text(settings, "db");
    bench_entry made = {.planner = copied(runs->planner),
                        .label = tool_planner_label(runs->planner),
                        .db = db ? copied(db) : NULL,
                        .family = family_of(settings),
                        .summary = *summary,
                        .db_bytes = runs->db_bytes,
                        .build_seconds = runs->db_bytes ? runs->build_seconds : 0};
    if (!entries || !made.planner || !made.label || (db && !made.db)) {
        (void)tool_wrong("out of memory for a page");
        free_entry(&made);
        return false;
    }
    bench_entry *entry = &entries[page->count++];
    *entry = made;
    for (size_t i = 0; i < runs->calls; i++)
        entry->bins[bin_of(tool_bench_nanoseconds(runs->step_times[i]))]++;
    return tool_bench_find_worst(page->bench, runs, entry) && tool_bench_keep_ways(page->bench, runs, entry);
}

static bool is_taken(const bench_page *page, size_t index, const char *name) {
    for (size_t i = 0; i < page->count; i++)
        if (i != index && strcmp(name, page->entries[i].label) == 0) return true;
    return false;
}

/* Where others have the same label, it names the database too. Where that is still the same, it is the text
 * as written. */
static bool name_apart(bench_page *page) {
    bool good = true;
    for (int round = 0; round < 2; round++) {
        char **names = calloc(page->count ? page->count : 1, sizeof *names);
        good = good && names;
        for (size_t i = 0; good && i < page->count; i++) {
            const bench_entry *entry = &page->entries[i];
            if (!is_taken(page, i, entry->label) || (!round && !entry->db)) continue;
            const char *base = entry->db ? tool_base_name(entry->db) : "";
            size_t size = strlen(entry->planner) + strlen(base) + 8, stem = strcspn(base, ".");
            names[i] = malloc(size);
            if (!names[i])
                good = false;
            else if (round)
                memcpy(names[i], entry->planner, strlen(entry->planner) + 1);
            else
                (void)snprintf(names[i], size, "%s (%.*s)", entry->label, (int)stem, base);
        }
        for (size_t i = 0; names && i < page->count; i++)
            if (names[i]) free(page->entries[i].label), page->entries[i].label = names[i];
        free(names);
    }
    if (!good) (void)tool_wrong("out of memory for a page");
    return good;
}

const char *tool_bench_label(const bench_page *page, size_t index) {
    return page->entries[index].label;
}

/* The table --------------------------------------------------------------------------------------------- */

shared_quantity tool_bench_spaced(shared_quantity quantity) {
    char *text = quantity.text, *unit = text;
    while (*unit && !((*unit >= 'a' && *unit <= 'z') || (*unit >= 'A' && *unit <= 'Z'))) unit++;
    if (unit > text && *unit && unit[-1] != ' ' && strlen(text) + 2 <= sizeof quantity.text) {
        memmove(unit + 1, unit, strlen(unit) + 1);
        *unit = ' ';
    }
    return quantity;
}

static tool_report_cell time_cell(shared_quantity *text, double nanoseconds) {
    *text = tool_bench_spaced(shared_time(nanoseconds));
    return tool_report_valued_cell(text->text, nanoseconds);
}

/* Nothing where there is none. */
static tool_report_cell bytes_cell(shared_quantity *text, double bytes) {
    *text = tool_bench_spaced(shared_bytes(bytes));
    return bytes > 0 ? tool_report_valued_cell(text->text, bytes) : tool_report_number_cell(NAN, 0);
}

static void add_row(const bench_page *page, size_t i, tool_report_table *table) {
    const bench_entry *entry = &page->entries[i];
    const bench_summary *of = &entry->summary;
    char arrived[64];
    (void)snprintf(arrived, sizeof arrived, "%zu of %zu", of->statuses[TOOL_RUN_ARRIVED], page->bench->count);
    shared_quantity texts[5];
    bool has_db = entry->db_bytes > 0;
    const tool_report_cell cells[] = {
        tool_report_text_cell(tool_bench_label(page, i)),
        tool_report_number_cell(of->suboptimality_mean, 2),
        tool_report_number_cell(of->suboptimality_max, 1),
        of->busy ? tool_report_valued_cell("busy", NAN) : time_cell(&texts[0], of->move_ns_mean),
        time_cell(&texts[1], of->move_ns_max),
        bytes_cell(&texts[2], (double)of->online_bytes_max),
        bytes_cell(&texts[3], (double)entry->db_bytes),
        has_db ? time_cell(&texts[4], entry->build_seconds * 1e9) : tool_report_number_cell(NAN, 0),
        tool_report_valued_cell(arrived, (double)of->statuses[TOOL_RUN_ARRIVED]),
    };
    tool_report_add_row(table, cells, false);
}

/* Then the last columns of the tables say nothing. */
static bool all_arrived(const bench_page *page) {
    for (size_t i = 0; i < page->count; i++)
        if (page->entries[i].summary.statuses[TOOL_RUN_ARRIVED] != page->bench->count) return false;
    return true;
}

static void add_table(const bench_page *page, tool_report *report) {
    static const tool_report_column columns[] = {
        {"label", "planner", true, false},
        {"suboptimality_mean", "over, %", false, false},
        {"suboptimality_max", "most, %", false, false},
        {"move_ns_mean", "per move", false, false},
        {"move_ns_max", "longest", false, false},
        {"online_bytes_max", "memory", false, false},
        {"db_bytes", "database", false, false},
        {"build_seconds", "built in", false, false},
        {"arrived", "arrived", false, false},
    };
    tool_report_table *table = tool_report_add_table(report, "planners", "Planners", columns,
                                                     sizeof columns / sizeof *columns - all_arrived(page));
    tool_report_lead(table);
    tool_report_remark(
        report,
        "Over: by how many per cent the ways gone were longer than the shortest, in the mean and "
        "at most. The time per move is that of passes without clocks inside; the longest is "
        "that of one step%s.%s",
        page->bench->interval.nanoseconds ? ", in the one run with real milliseconds"
                                          : ", the least of five passes",
        page->count > 1 ? " A click on a column's head sorts by it." : "");
    for (size_t i = 0; i < page->count; i++) add_row(page, i, table);
}

static void add_more_row(const bench_page *page, size_t i, tool_report_table *table) {
    const bench_entry *entry = &page->entries[i];
    const bench_summary *of = &entry->summary;
    shared_quantity p999, first;
    bench_text ends = tool_bench_ends(of);
    const tool_report_cell cells[] = {
        tool_report_text_cell(tool_bench_label(page, i)),
        tool_report_number_cell(of->suboptimality_median, 2),
        tool_report_number_cell(of->suboptimality_p95, 2),
        tool_report_number_cell(of->suboptimality_bound_mean, 2),
        time_cell(&p999, of->move_ns_p999),
        time_cell(&first, of->first_move_ns_mean),
        tool_report_number_cell(of->moves_mean, 1),
        tool_report_number_cell(of->intervals_mean, 1),
        tool_report_number_cell(of->expansions_mean, 1),
        tool_report_number_cell(of->revisits_mean, 1),
        tool_report_text_cell(entry->planner),
        tool_report_text_cell(ends.text),
    };
    tool_report_add_row(table, cells, false);
}

static void add_more(const bench_page *page, tool_report *report) {
    static const tool_report_column columns[] = {
        {"label", "planner", true, false},
        {"suboptimality_median", "median, %", false, false},
        {"suboptimality_p95", "95th, %", false, false},
        {"suboptimality_bound_mean", "all, %", false, false},
        {"move_ns_p999", "99.9th step", false, false},
        {"first_move_ns_mean", "first move", false, false},
        {"moves_mean", "moves", false, false},
        {"intervals_mean", "intervals", false, false},
        {"expansions_mean", "expansions", false, false},
        {"revisits_mean", "revisits", false, false},
        {"planner", "as written", true, true},
        {"ends", "not arrived", true, false},
    };
    tool_report_table *table = tool_report_add_table(report, "more", "More figures", columns,
                                                     sizeof columns / sizeof *columns - all_arrived(page));
    tool_report_lead(table);
    tool_report_remark(report,
                       "Median, 95th: of the ways, over optimal. All: at least so far over optimal are the "
                       "ways to all goals, arrived or not. The 99.9th step is that of all times. The others "
                       "are means per problem.");
    for (size_t i = 0; i < page->count; i++) add_more_row(page, i, table);
}

/* Plots ------------------------------------------------------------------------------------------------- */

typedef struct point {
    double x, y;
    size_t entry;
} point;

static int by_place(const void *a, const void *b) {
    const point *left = a, *right = b;
    if (left->x != right->x) return left->x < right->x ? -1 : 1;
    if (left->y != right->y) return left->y < right->y ? -1 : 1;
    return (left->entry > right->entry) - (left->entry < right->entry);
}

/* Where 0 stands on an axis of logarithms: a power of ten below all that is above it; 0 if nothing is 0. */
static double place_of_zero(const point *points, size_t count, bool x) {
    double least = INFINITY;
    bool zero = false;
    for (size_t i = 0; i < count; i++) {
        double value = x ? points[i].x : points[i].y;
        if (value <= 0)
            zero = true;
        else if (value < least)
            least = value;
    }
    if (!zero) return 0;
    return isinf(least) ? 0.01 : pow(10, floor(log10(least)) - 1);
}

static const char *const families[BENCH_FAMILIES] = {"reads a database", "searches a whole path first",
                                                     "searches a little before each move"};

typedef struct plot_kind {
    const char *title, *x_label;
    tool_report_unit unit;
    double (*x)(const bench_entry *entry);
} plot_kind;

static double time_of(const bench_entry *entry) {
    return entry->summary.move_ns_mean;
}
static double size_of(const bench_entry *entry) {
    return (double)entry->db_bytes;
}
static double build_of(const bench_entry *entry) {
    return entry->build_seconds;
}

bool tool_bench_comparable(const bench_entry *entry) {
    const size_t *statuses = entry->summary.statuses;
    return !statuses[TOOL_RUN_UNFINISHED] && !statuses[TOOL_RUN_OUT_OF_MEMORY] &&
           !statuses[TOOL_RUN_BAD_DATABASE];
}

/* A point a planner, and the front of those that no other beats both ways. Planners without figures, or with
 * runs that were cut, have none. */
static bool add_plot(const bench_page *page, tool_report *report, const plot_kind *kind) {
    size_t room = page->count ? page->count : 1, count = 0;
    point *points = malloc(room * sizeof *points);
    double *x = malloc(2 * room * sizeof *x), *y = x + room;
    bool good = points && x;
    if (!good) (void)tool_wrong("out of memory for a page");
    for (size_t i = 0; good && i < page->count; i++) {
        point at = {kind->x(&page->entries[i]), page->entries[i].summary.suboptimality_mean, i};
        if (isfinite(at.x) && isfinite(at.y) && tool_bench_comparable(&page->entries[i]))
            points[count++] = at;
    }
    if (good && count) {
        qsort(points, count, sizeof *points, by_place);
        for (size_t i = 0; i < count; i++) x[i] = points[i].x;
        tool_report_plot *plot =
            tool_report_add_plot(report, kind->title, kind->x_label, "mean over optimal, %", x, count);
        const tool_report_look look = {.log_x = true,
                                       .log_y = true,
                                       .zero_x = place_of_zero(points, count, true),
                                       .zero_y = place_of_zero(points, count, false),
                                       .x_unit = kind->unit,
                                       .names = true};
        tool_report_set_look(plot, &look);
        double best = INFINITY;
        for (size_t i = 0; i < count; i++) {
            y[i] = points[i].y < best ? points[i].y : NAN;
            if (points[i].y < best) best = points[i].y;
        }
        if (count > 1) tool_report_add_front(plot, "nothing is better both ways", y);
        for (size_t i = 0; i < count; i++) {
            bench_family family = page->entries[points[i].entry].family;
            tool_report_add_point(plot, tool_bench_label(page, points[i].entry), i, points[i].y, (int)family,
                                  families[family]);
        }
    }
    free(points);
    free(x);
    return good;
}

/* How many steps took how long: a histogram a planner, all over the same times. */
static void add_histograms(const bench_page *page, tool_report *report) {
    size_t first = BENCH_PAGE_BINS, last = 0;
    for (size_t i = 0; i < page->count; i++)
        for (size_t bin = 0; bin < BENCH_PAGE_BINS; bin++) {
            if (!page->entries[i].bins[bin]) continue;
            if (bin < first) first = bin;
            if (bin > last) last = bin;
        }
    if (first > last) return;
    double x[BENCH_PAGE_BINS], y[BENCH_PAGE_BINS];
    size_t count = last - first + 1;
    for (size_t i = 0; i < count; i++) x[i] = bin_time(first + i);
    const tool_report_look look = {.log_x = true,
                                   .log_y = true,
                                   .x_unit = TOOL_REPORT_NANOSECONDS,
                                   .bars = true,
                                   .low_x = bin_time(first),
                                   .high_x = bin_time(last),
                                   .group = "How many steps took how long"};
    for (size_t i = 0; i < page->count; i++) {
        const uint64_t *bins = page->entries[i].bins;
        uint64_t steps = 0;
        for (size_t j = 0; j < count; j++) {
            y[j] = bins[first + j] ? (double)bins[first + j] : NAN;
            steps += bins[first + j];
        }
        if (!steps) continue;
        tool_report_plot *plot =
            tool_report_add_plot(report, tool_bench_label(page, i), "time of a step", "steps", x, count);
        tool_report_set_look(plot, &look);
        tool_report_add_line(plot, "steps", y, (int)page->entries[i].family, false);
    }
}

/* The page ---------------------------------------------------------------------------------------------- */

static void describe(const bench_page *page, tool_report *report) {
    static const char *const corners[] = {"any", "one", "strict"};
    const bench_task *bench = page->bench;
    const wend_rules rules = wend_map_rules(bench->map);
    if (!bench->count)
        tool_report_note(report, "The scenario has no problems: there is nothing to show.");
    else
        tool_report_note(report, "%zu problem%s on a map of %d x %d cells, each solved by %zu planner%s.",
                         bench->count, bench->count == 1 ? "" : "s", (int)wend_map_width(bench->map),
                         (int)wend_map_height(bench->map), page->count, page->count == 1 ? "" : "s");
    char cut[1024] = "";
    for (size_t i = 0; i < page->count; i++) {
        size_t used = strlen(cut);
        if (!tool_bench_comparable(&page->entries[i]))
            (void)snprintf(cut + used, sizeof cut - used, "%s%s", used ? ", " : "",
                           tool_bench_label(page, i));
    }
    if (*cut)
        tool_report_note(report,
                         "Not in the plots of suboptimality, since they did not come to the end of every "
                         "problem and their means leave those out: %s.",
                         cut);
    char size[64];
    (void)snprintf(size, sizeof size, "%d x %d, %u open", (int)wend_map_width(bench->map),
                   (int)wend_map_height(bench->map), (unsigned)wend_map_open_cells(bench->map));
    tool_report_set_text(report, "map", bench->map_name);
    tool_report_set_text(report, "cells", size);
    tool_report_set_number(report, "problems", (double)bench->count);
    tool_report_set_number(report, "connect", rules.connect);
    tool_report_set_text(report, "corners", corners[rules.corners]);
    tool_report_set_text(report, "diagonal", rules.diagonal == WEND_DIAGONAL_SQRT2 ? "sqrt2" : "1.4");
    tool_report_set_text(report, "knowledge", bench->knowledge_text);
    if (bench->edits_name) tool_report_set_text(report, "edits", bench->edits_name);
    if (bench->interval_text) tool_report_set_text(report, "interval", bench->interval_text);
    tool_report_set_number(report, "max_moves", (double)bench->max_moves);
}

static bool fill(bench_page *page, tool_report *report) {
    static const plot_kind plots[] = {
        {"Quality against time", "time per move", TOOL_REPORT_NANOSECONDS, time_of},
        {"Quality against the size of the database", "size of the database; 0: none", TOOL_REPORT_BYTES,
         size_of},
        {"Quality against the time to build it", "seconds to build the database; 0: none",
         TOOL_REPORT_SECONDS, build_of},
    };
    bool databases = false, good = name_apart(page);
    for (size_t i = 0; i < page->count; i++) databases = databases || page->entries[i].db_bytes;
    if (!good) return false;
    tool_bench_show_answer(page, report);
    describe(page, report);
    good = tool_bench_show_map(page, report) && add_plot(page, report, &plots[0]);
    if (!good) return false;
    tool_report_remark(report, "The nearer to the lower left corner, the better. Both axes are logarithmic.");
    tool_bench_show_pictures(page, report);
    add_table(page, report);
    for (size_t i = 1; good && databases && i < sizeof plots / sizeof *plots; i++)
        good = add_plot(page, report, &plots[i]);
    add_histograms(page, report);
    add_more(page, report);
    good = good && tool_bench_show_worst(page, report);
    tool_bench_show_files(page, report);
    return good;
}

bool tool_bench_page_write(bench_page *page, FILE *file) {
    char title[512];
    (void)snprintf(title, sizeof title, "Planners on %s", page->bench->map_name);
    tool_report *report = tool_report_create("bench", title);
    bool good = report != NULL;
    if (!good) (void)tool_wrong("out of memory for a page");
    good = good && fill(page, report);
    if (good && !tool_report_complete(report)) {
        (void)tool_wrong("out of memory for a page");
        good = false;
    }
    if (good) tool_report_write_html(file, report);
    tool_report_destroy(report);
    return good;
}
