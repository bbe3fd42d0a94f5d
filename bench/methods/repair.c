/* Path databases on maps and to goals that change. Repairs: what they cost after 1, 10 and 100 changed cells,
 * in processor time, as a part of the build's in the same run: the mean, the median and the most of many
 * drawings. And agents whose goal moves at every tick, beside those whose goal stays. */
#include "bench.h"
#include "shared/order.h"
#include "shared/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLICE = 100000, MOST_DRAWINGS = 32 };

typedef enum change {
    CLOSED,   /* cells here and there */
    OPENED,   /* of those beside open ones, since others change nothing */
    IN_PLACE, /* a wall in one piece */
    CHANGES
} change;

static const char *const change_names[CHANGES] = {"closed here and there", "opened here and there",
                                                  "closed in one wall"};

static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool beside_open(const wend_map *map, wend_xy at) {
    return wend_map_is_open(map, at.x - 1, at.y) || wend_map_is_open(map, at.x + 1, at.y) ||
           wend_map_is_open(map, at.x, at.y - 1) || wend_map_is_open(map, at.x, at.y + 1);
}

static void edit(wend_map *map, change how, uint32_t cells, uint64_t seed) {
    uint64_t random = seed;
    wend_error error;
    for (uint32_t changed = 0; changed < cells;) {
        wend_xy at = wend_map_xy(map, shared_draw(&random, wend_map_cells(map)));
        bool open = wend_map_is_open(map, at.x, at.y);
        if (how == OPENED ? open || !beside_open(map, at) : !open) continue;
        do {
            wend_rect area = {at.x, at.y, 1, 1};
            bench_check(wend_map_edit(map, area, how == OPENED, &error), &error);
            at.x++, changed++;
        } while (how == IN_PLACE && changed < cells && wend_map_is_open(map, at.x, at.y));
    }
}

typedef struct cost {
    double seconds, searches, bytes, longest; /* the longest call, in seconds */
} cost;

static cost repair(const wend_db *db, const wend_map *map, change how, uint32_t cells, uint64_t seed) {
    wend_map *edited;
    wend_error error;
    wend_repair *repair;
    wend_repair_options options = wend_default_repair_options();
    bench_check(wend_map_copy(map, &edited, &error), &error);
    edit(edited, how, cells, seed);
    bench_check(wend_repair_create(db, edited, &options, &repair, &error), &error);
    size_t empty = wend_repair_about(repair).bytes;
    cost sum = {0};
    double began = processor_seconds();
    for (bool done = false; !done;) {
        double before = processor_seconds();
        bench_check(wend_repair_step(repair, SLICE, &done, &error), &error);
        double took = processor_seconds() - before;
        if (took > sum.longest) sum.longest = took;
    }
    sum.seconds = processor_seconds() - began;
    wend_fact searched = {.value = 0}; /* the first of them */
    (void)wend_repair_facts(repair, &searched, 1);
    sum.searches = searched.value;
    sum.bytes = (double)(wend_repair_about(repair).bytes - empty);
    wend_repair_destroy(repair);
    wend_map_destroy(edited);
    return sum;
}

/* Many drawings of as many cells. */
static void measure_repairs(const char *label, const wend_db *db, const wend_map *map, change how,
                            uint32_t cells, double build) {
    const uint32_t drawings = cells == 1 ? MOST_DRAWINGS : cells == 10 ? 10 : 4;
    double parts[MOST_DRAWINGS] = {0}, sum = 0, searches = 0, bytes = 0, longest = 0;
    char text[160];
    for (uint32_t i = 0; i < drawings; i++) {
        const cost one = repair(db, map, how, cells, 77 + i);
        parts[i] = one.seconds / build * 100;
        sum += parts[i], searches += one.searches, bytes += one.bytes;
        if (one.longest > longest) longest = one.longest;
    }
    qsort(parts, drawings, sizeof *parts, shared_by_double);
    (void)snprintf(text, sizeof text, "cpd, %s, %u %s, mean of %u", label, cells, change_names[how],
                   drawings);
    bench_row(text, sum / drawings, "% of build", BENCH_FYI, 0);
    printf("    median %.1f%%, most %.1f%%; %.0f cells searched from, %.0f KB, longest call %.2f ms\n",
           parts[drawings / 2], parts[drawings - 1], searches / drawings, bytes / drawings / 1024,
           longest * 1e3);
}

/* Goals that move --------------------------------------------------------------------------------------- */

typedef struct chase {
    const wend_map *map;
    wend_agent *agent;
    bool moving;
    uint64_t ticks;
} chase;

static void run_chase(void *context) {
    chase *c = context;
    uint64_t random = 5;
    c->ticks = 0;
    for (int task = 0; task < 100; task++) {
        wend_cell from = shared_draw(&random, wend_map_cells(c->map)),
                  goal = shared_draw(&random, wend_map_cells(c->map));
        if (wend_agent_start(c->agent, from, goal, NULL) != WEND_OK) continue;
        for (int tick = 0; tick < 200; tick++, c->ticks++) {
            if (c->moving) {
                wend_cell next = wend_map_next(c->map, goal, (wend_direction)(shared_draw(&random, 8)));
                if (next != WEND_NO_CELL) goal = next;
                wend_error error;
                bench_check(wend_agent_set_goal(c->agent, goal, &error), &error);
            }
            if (wend_agent_step(c->agent).outcome > WEND_STEP_WAITING) break;
        }
    }
}

static void measure_chase(const char *label, const wend_db *db, const wend_map *map) {
    wend_error error;
    wend_world *world;
    wend_settings *settings = NULL;
    wend_world_options world_options = wend_default_world_options();
    wend_agent_options options = wend_default_agent_options();
    chase c = {.map = map};
    options.db = db;
    bench_check(wend_world_create(map, &world_options, &world, &error), &error);
    bench_check(wend_settings_parse("cpd:db=x", NULL, &settings, &error), &error);
    bench_check(wend_agent_create(world, settings, &options, &c.agent, &error), &error);
    wend_settings_destroy(settings);
    for (int moving = 0; moving < 2; moving++) {
        char text[160];
        c.moving = moving;
        double seconds = bench_best(run_chase, &c);
        (void)snprintf(text, sizeof text, "cpd, %s, a step to a goal that %s", label,
                       moving ? "moves" : "stays");
        bench_row(text, seconds / (double)c.ticks * 1e9, "ns", BENCH_FYI, 0);
    }
    wend_agent_destroy(c.agent);
    wend_world_destroy(world);
}

static void measure(const char *name) {
    wend_map *map = bench_map(name, NULL);
    char label[64], text[160];
    double took, before = processor_seconds();
    wend_db *db = bench_database(map, "cpd", 2, &took);
    double build = processor_seconds() - before;
    (void)bench_map_name(name, label, sizeof label);
    (void)snprintf(text, sizeof text, "cpd, %s, built, processor time", label);
    bench_row(text, build, "s", BENCH_FYI, 0);
    measure_chase(label, db, map);
    for (int how = 0; how < CHANGES; how++)
        for (uint32_t cells = how == IN_PLACE ? 10 : 1; cells <= 100; cells *= 10)
            measure_repairs(label, db, map, (change)how, cells, build);
    wend_db_close(db);
    wend_map_destroy(map);
}

void bench_repair(void) {
    measure("bgmaps/AR0404SR");
    measure("bgmaps/AR0700SR");
}
