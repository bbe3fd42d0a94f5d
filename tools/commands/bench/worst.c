/* The problems that planners did worst on: which they are, and pictures of what happened there. */
#include "commands/bench/html.h"
#include "report/picture.h"
#include "shared/order.h"
#include "shared/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PICTURED = 8, PIXELS = 720 };

/* The larger, the worse: not arriving where there is a way is worse than any detour. Negative where there is
 * nothing to blame the planner for. */
static double badness(const bench_problem *problem, const tool_run *run, double over) {
    if (problem->skipped || !problem->solvable || run->status == TOOL_RUN_REFUSED) return -1;
    if (run->status == TOOL_RUN_ARRIVED) return over > 0 ? over : -1;
    return 1e300 * (1 + (isnan(over) ? 0 : over / 1e15)); /* among those, by how far it had gone */
}

bool tool_bench_find_worst(const bench_task *bench, const bench_runs *runs, bench_entry *entry) {
    double kept[BENCH_PAGE_WORST] = {0};
    size_t count = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const bench_problem *problem = &bench->problems[i];
        const tool_run *run = &runs->runs[i];
        double over = tool_bench_suboptimality(bench, problem, run), bad = badness(problem, run, over);
        if (bad <= 0) continue;
        size_t place = count;
        while (place && kept[place - 1] < bad) place--;
        if (place >= BENCH_PAGE_WORST) continue;
        if (count < BENCH_PAGE_WORST) count++;
        for (size_t j = count - 1; j > place; j--)
            kept[j] = kept[j - 1], entry->worst[j] = entry->worst[j - 1];
        kept[place] = bad;
        entry->worst[place] = (bench_bad){i, *run, over, runs->times[i].plan};
    }
    entry->worst_count = count;
    if (!count) return true;
    const tool_run *run = &entry->worst[0].run;
    for (size_t i = 0; i < run->steps; i++)
        if (!tool_text_add(&entry->steps, runs->steps.data[run->first_step + i])) return false;
    return true;
}

/* The table --------------------------------------------------------------------------------------------- */

static void add_table(const bench_page *page, tool_report *report) {
    static const tool_report_column columns[] = {
        {"planner", "planner", true, false}, {"problem", "problem", false, false},
        {"start", "start", true, false},     {"goal", "goal", true, false},
        {"status", "status", true, false},   {"over", "over optimal, %", false, false},
        {"moves", "moves", false, false},    {"revisits", "revisits", false, false},
        {"waits", "waits", false, false},    {"plan_ns", "time to plan", false, false},
    };
    const bench_task *bench = page->bench;
    tool_report_table *table = tool_report_add_table(report, "worst", "The worst problems of each planner",
                                                     columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < page->count; i++)
        for (size_t j = 0; j < page->entries[i].worst_count; j++) {
            const bench_bad *bad = &page->entries[i].worst[j];
            const bench_problem *problem = &bench->problems[bad->index];
            wend_xy start = wend_map_xy(bench->map, problem->start),
                    goal = wend_map_xy(bench->map, problem->goal);
            char from[32], to[32];
            (void)snprintf(from, sizeof from, "%d,%d", (int)start.x, (int)start.y);
            (void)snprintf(to, sizeof to, "%d,%d", (int)goal.x, (int)goal.y);
            shared_quantity plan = tool_bench_spaced(shared_time((double)bad->plan));
            const tool_report_cell cells[] = {
                tool_report_text_cell(tool_bench_label(page, i)),
                tool_report_number_cell((double)problem->index, 0),
                tool_report_text_cell(from),
                tool_report_text_cell(to),
                tool_report_text_cell(tool_run_status_name(bad->run.status)),
                tool_report_number_cell(bad->run.status == TOOL_RUN_ARRIVED ? bad->over : NAN, 2),
                tool_report_number_cell((double)tool_run_moves(&bad->run), 0),
                tool_report_number_cell((double)bad->run.revisits, 0),
                tool_report_number_cell((double)bad->run.waits, 0),
                tool_report_valued_cell(plan.text, (double)bad->plan),
            };
            tool_report_add_row(table, cells, j == 0);
        }
}

/* Pictures ---------------------------------------------------------------------------------------------- */

/* A trail as moves, and as cells with how often it came there. */
typedef struct trail {
    wend_direction *moves;
    size_t move_count;
    tool_picture_visit *visits;
    size_t visit_count;
    uint32_t most;
} trail;

static void free_trail(trail *t) {
    free(t->moves);
    free(t->visits);
}

static bool make_trail(const wend_map *map, const bench_entry *entry, trail *t) {
    size_t room = entry->steps.size + 1;
    *t = (trail){.moves = malloc(room * sizeof *t->moves), .visits = malloc(room * sizeof *t->visits)};
    wend_cell *cells = malloc(room * sizeof *cells);
    if (!t->moves || !t->visits || !cells) {
        (void)tool_wrong("out of memory for a picture");
        free(cells);
        return false;
    }
    t->move_count = shared_step_moves(entry->steps.data, entry->steps.size, t->moves);
    size_t count =
        shared_step_cells(map, entry->worst[0].run.start, entry->steps.data, entry->steps.size, cells);
    qsort(cells, count, sizeof *cells, shared_by_uint32);
    for (size_t i = 0; i < count; i++) {
        if (!i || cells[i] != cells[i - 1]) t->visits[t->visit_count++] = (tool_picture_visit){cells[i], 0};
        uint32_t times = ++t->visits[t->visit_count - 1].times;
        if (times > t->most) t->most = times;
    }
    free(cells);
    return true;
}

static bool add_picture(tool_report_gallery *gallery, const wend_map *map, const tool_picture_path *path,
                        size_t paths, const tool_picture_options *options, const char *caption) {
    wend_bytes png;
    wend_error error;
    if (tool_picture_make(map, path, paths, options, &png, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    tool_report_add_picture(gallery, "", caption, png.data, png.size);
    tool_bytes_release(&png);
    return true;
}

/* Two pictures: the way it went, and the heat map. */
static bool add_pictures(const bench_page *page, size_t index, tool_report_gallery *gallery) {
    const bench_task *bench = page->bench;
    const bench_entry *entry = &page->entries[index];
    const char *label = tool_bench_label(page, index);
    const bench_bad *bad = &entry->worst[0];
    const wend_map *map = bench->terrain.truth;
    trail t;
    bool good = make_trail(map, entry, &t);
    if (good) {
        char caption[512], how[64];
        if (bad->run.status == TOOL_RUN_ARRIVED)
            (void)snprintf(how, sizeof how, "%.1f%% over optimal", bad->over);
        else
            (void)snprintf(how, sizeof how, "%s", tool_run_status_name(bad->run.status));
        (void)snprintf(caption, sizeof caption, "%s, problem %zu: %s, %" PRIu64 " moves", label,
                       bench->problems[bad->index].index, how, tool_run_moves(&bad->run));
        const tool_picture_path path = {.start = bad->run.start,
                                        .goal = bad->run.goal,
                                        .moves = t.moves,
                                        .move_count = t.move_count,
                                        .arrived = bad->run.status == TOOL_RUN_ARRIVED};
        tool_picture_options options = {.pixels = PIXELS};
        good = add_picture(gallery, map, &path, 1, &options, caption);
        if (t.most > 1)
            (void)snprintf(caption, sizeof caption,
                           "%s, problem %zu: where it came once (blue), twice (yellow), up to %" PRIu32
                           " times (dark red)",
                           label, bench->problems[bad->index].index, t.most);
        else
            (void)snprintf(caption, sizeof caption, "%s, problem %zu: it came to no cell twice", label,
                           bench->problems[bad->index].index);
        options.visits = t.visits, options.visit_count = t.visit_count;
        good = good && add_picture(gallery, map, NULL, 0, &options, caption);
    }
    free_trail(&t);
    return good;
}

static double worst_of(const bench_page *page, size_t i) {
    const bench_entry *entry = &page->entries[i];
    if (!entry->worst_count) return -1;
    const bench_bad *bad = &entry->worst[0];
    return badness(&page->bench->problems[bad->index], &bad->run, bad->over);
}

bool tool_bench_show_worst(const bench_page *page, tool_report *report) {
    size_t with = 0;
    for (size_t i = 0; i < page->count; i++) with += page->entries[i].worst_count > 0;
    if (!with) return true;
    add_table(page, report);
    tool_report_gallery *gallery = tool_report_add_gallery(
        report, "The worst problem of a planner: the way it went, and where it came again and again");
    bool *shown = calloc(page->count, sizeof *shown);
    bool good = shown != NULL;
    if (!good) (void)tool_wrong("out of memory for a page");
    for (size_t n = 0; good && n < with && n < MOST_PICTURED; n++) {
        size_t worst = page->count;
        for (size_t i = 0; i < page->count; i++)
            if (!shown[i] && (worst == page->count || worst_of(page, i) > worst_of(page, worst))) worst = i;
        shown[worst] = true;
        good = add_pictures(page, worst, gallery);
    }
    free(shown);
    return good;
}
