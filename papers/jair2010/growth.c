/* How an atlas grows with the map: generated maps of one kind (`shapes`), each four times as large as the one
 * before. What is measured is kept in the store as a job with one result, so that --resume need not measure
 * it again. */
#include "jair2010/jair2010.h"

#include "shared/crew.h"
#include "shared/scenes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WALKS = 100 };
static const int32_t sides[JAIR_MOST_SIZES] = {1024, 2048, 4096, 8192, 16384},
                     quick_sides[] = {256, 512, 1024};

/* Memory of a build, from the C library, with its peak. Workers ask for it at the same time. */
typedef struct counted {
    atomic_size_t now, most;
} counted;

static void count_more(counted *memory, size_t size) {
    size_t now = atomic_fetch_add(&memory->now, size) + size, most = atomic_load(&memory->most);
    while (now > most && !atomic_compare_exchange_weak(&memory->most, &most, now)) continue;
}

static void *allocate(void *context, size_t size) {
    void *block = malloc(size);
    if (block) count_more(context, size);
    return block;
}

static void *allocate_zeroed(void *context, size_t size) {
    void *block = calloc(size, 1);
    if (block) count_more(context, size);
    return block;
}

static void release(void *context, void *pointer, size_t size) {
    free(pointer);
    counted *memory = context;
    atomic_fetch_sub(&memory->now, size);
}

/* Processor time of all threads, which is what a fit over sizes wants: builds take minutes, and a machine is
 * seldom idle for so long. */
static uint64_t processor_ns(void) {
    return (uint64_t)((double)clock() * (1e9 / (double)CLOCKS_PER_SEC));
}

/* An open cell, from a number. */
static wend_cell draw_cell(const wend_map *map, uint64_t *state) {
    for (;;) {
        wend_cell cell = shared_draw(state, wend_map_cells(map));
        if (wend_map_is_open_cell(map, cell)) return cell;
    }
}

/* All walks once; the moves, or 0 where one did not arrive. */
static uint64_t walk_all(wend_agent *agent, const wend_map *map) {
    uint64_t state = 1, moves = 0;
    for (int i = 0; i < WALKS; i++) {
        wend_cell start = draw_cell(map, &state), goal = draw_cell(map, &state);
        wend_outcome outcome = WEND_STEP_MOVED;
        if (wend_agent_start(agent, start, goal, NULL) != WEND_OK) return 0;
        while (outcome == WEND_STEP_MOVED || outcome == WEND_STEP_WAITING)
            outcome = wend_agent_step(agent).outcome;
        if (outcome != WEND_STEP_ARRIVED) return 0;
        moves += wend_agent_counters(agent).moves;
    }
    return moves;
}

/* Time a move, the first ones included: the best of three passes. */
static bool measure_moves(const wend_map *map, const wend_db *db, tool_paper_result *result) {
    wend_world *world = NULL;
    wend_agent *agent = NULL;
    wend_settings *settings = NULL;
    wend_error error;
    wend_world_options options = wend_default_world_options();
    wend_agent_options with = wend_default_agent_options();
    with.db = db;
    bool good = wend_settings_parse("atlas:db=-", NULL, &settings, &error) == WEND_OK &&
                wend_world_create(map, &options, &world, &error) == WEND_OK &&
                wend_agent_create(world, settings, &with, &agent, &error) == WEND_OK;
    if (!good) (void)tool_wrong_error(&error);
    for (int pass = 0; pass < 3 && good; pass++) {
        uint64_t began = processor_ns();
        result->moves = walk_all(agent, map);
        uint64_t took = processor_ns() - began;
        if (!pass || took < result->step_ns_max) result->step_ns_max = took;
        good = result->moves > 0;
        if (!good) (void)tool_wrong("an agent with an atlas of %u cells did not arrive", wend_map_cells(map));
    }
    wend_settings_destroy(settings);
    wend_agent_destroy(agent);
    wend_world_destroy(world);
    return good;
}

/* The fields of the result stand for: cells: the map's; learnt: those that are open; plan_ns: of the build;
 * online_bytes: of the file; operations: the peak while building; moves and step_ns_max: of all walks. */
static int measure_one(const tool_paper_options *options, int32_t side, tool_paper_result *result) {
    char path[TOOL_PAPER_PATH];
    int length = snprintf(path, sizeof path, "%s/jair2010-growth.wend", options->folder),
        threads = options->threads;
    if (length < 0 || (size_t)length >= sizeof path)
        return tool_wrong("%s: the name is too long for a database in it", options->folder);
    counted memory = {0};
    wend_generate_options generate = wend_default_generate_options();
    wend_build_options building = wend_default_build_options();
    wend_db_options opening = wend_default_db_options();
    wend_settings *settings = NULL;
    wend_error error;
    wend_map *map = NULL;
    wend_db *db = NULL;
    generate.seed = options->seed, generate.map = options->map;
    building.seed = options->seed, building.tasks = shared_tasks(threads);
    building.allocator = (wend_allocator){&memory, allocate, release, allocate_zeroed};
    bool good = wend_map_generate(WEND_MAP_SHAPES, side, side, &generate, &map, &error) == WEND_OK &&
                wend_db_settings_parse("atlas", NULL, &settings, &error) == WEND_OK;
    uint64_t began = processor_ns();
    good = good && wend_db_build(map, settings, &building, path, &error) == WEND_OK;
    *result = (tool_paper_result){.finished = 1, .plan_ns = processor_ns() - began};
    good = good && wend_db_open(path, map, &opening, &db, &error) == WEND_OK;
    if (!good) (void)tool_wrong_error(&error);
    if (good) {
        result->cells = wend_map_cells(map), result->learnt = wend_map_open_cells(map);
        result->online_bytes = wend_db_about(db).bytes;
        result->operations = atomic_load(&memory.most);
        good = measure_moves(map, db, result);
    }
    wend_db_close(db);
    (void)remove(path);
    wend_settings_destroy(settings);
    wend_map_destroy(map);
    return good ? TOOL_DONE : TOOL_WRONG;
}

int jair_growth_measure(const tool_paper_options *options, tool_paper_store *store, jair_own *own) {
    size_t all = options->quick ? sizeof quick_sides / sizeof *quick_sides : JAIR_MOST_SIZES;
    tool_progress progress = tool_progress_begin("growth", options->quiet);
    int result = TOOL_DONE;
    for (size_t i = 0; i < all && result == TOOL_DONE; i++) {
        int32_t side = options->quick ? quick_sides[i] : sides[i];
        tool_paper_result one = {.moves = 0};
        tool_paper_job job = {.count = 1, .whole = 1, .results = &one};
        (void)snprintf(job.name, sizeof job.name, "growth/%d", (int)side);
        tool_progress_update(&progress, i, all);
        if (!tool_paper_store_get(store, &job)) {
            result = tool_interrupted() ? TOOL_STOPPED : measure_one(options, side, &one);
            if (result == TOOL_DONE && !tool_paper_store_add(store, &job)) result = TOOL_WRONG;
        }
        if (result != TOOL_DONE) break;
        const double cells = (double)one.cells;
        own->growth[own->sizes++] =
            (jair_growth){cells,
                          (double)one.learnt,
                          (double)one.plan_ns * 1e-9,
                          (double)one.online_bytes,
                          (double)one.operations,
                          ((double)one.operations + cells / 8) / cells, /* a map has a bit a cell */
                          (double)one.step_ns_max / (double)(one.moves ? one.moves : 1),
                          (double)one.moves / WALKS};
    }
    tool_progress_update(&progress, 1, 1);
    return result;
}

/* What came out ----------------------------------------------------------------------------------------- */

#define OF(field) TOOL_PAPER_FIELD(jair_growth, field)
#define PER(field, per) TOOL_PAPER_FIELD_OF(jair_growth, field, per, NULL)
static const tool_paper_column columns[] = {
    {"cells", "million cells", 1, PER(cells, 1e6)},
    {"open", "million open", 1, PER(open, 1e6)},
    {"cpu_seconds", "CPU seconds to build", 2, OF(seconds)},
    {"mb", "MB of the file", 2, PER(bytes, 1e6)},
    {"peak_mb", "MB at the peak", 0, PER(peak_bytes, 1e6)},
    {"peak_bytes_cell", "bytes a cell", 1, OF(cell_bytes)},
    {"moves", "moves a walk", 0, OF(step_moves)},
    {"ns", "ns/move", 0, OF(move_ns)},
};

/* The exponent b of y = a * x^b, by least squares over the logarithms. */
static double exponent_of(const double *x, const double *y, size_t count) {
    double sum_x = 0, sum_y = 0, xx = 0, xy = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        double a = log(x[i]), b = log(y[i]);
        sum_x += a, sum_y += b, xx += a * a, xy += a * b;
    }
    return count > 1 ? (n * xy - sum_x * sum_y) / (n * xx - sum_x * sum_x) : NAN;
}

void jair_growth_report(const jair_own *own, tool_report *report) {
    static const tool_paper_line lines[] = {
        {"CPU seconds to build", 0, false}, {"MB of the file", 1, false}, {"ns a move", 2, false}};
    enum { LINES = sizeof lines / sizeof *lines };
    if (!own->sizes) return;
    const tool_paper_table table =
        tool_paper_begin_table(report, NULL, "growth", "Beyond the paper: how an atlas grows with the map",
                               TOOL_PAPER_LIST(columns));
    tool_paper_points points = {.count = 0};
    double x[JAIR_MOST_SIZES], y[LINES][JAIR_MOST_SIZES], most = 0; /* bytes a cell */
    for (size_t i = 0; i < own->sizes; i++) {
        const jair_growth *size = &own->growth[i];
        tool_paper_add_row(&table, size, false);
        most = fmax(most, size->cell_bytes);
        x[i] = size->cells / 1e6;
        y[0][i] = size->seconds, y[1][i] = size->bytes / 1e6, y[2][i] = size->move_ns;
        for (int line = 0; line < LINES; line++) tool_paper_add_point(&points, x[i], y[line][i], line);
    }
    tool_paper_plot(report, "How an atlas grows: CPU seconds, MB and ns over million cells", "million cells",
                    "seconds, MB, ns", &points, lines, LINES);
    tool_report_note(
        report,
        "Growth, on maps of one kind (`wend map gen shapes`): build time as cells^%.2f, the file as "
        "cells^%.2f, the time a move as cells^%.2f, over %zu sizes. Memory while building is at most "
        "%.1f bytes a cell, the map included.",
        exponent_of(x, y[0], own->sizes), exponent_of(x, y[1], own->sizes), exponent_of(x, y[2], own->sizes),
        own->sizes, most);
}
