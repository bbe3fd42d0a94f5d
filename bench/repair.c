/* Repairing path databases: what it costs after 1, 10 and 100 changed cells, in processor time, as a part of
 * the build's. A repair that has cost more than twice the build is left there. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SLICE = 100000, MOST_TIMES = 2 };

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

static uint32_t draw(uint64_t *random, uint32_t bound) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*random >> 32) * bound >> 32);
}

static bool beside_open(const wend_map *map, wend_xy at) {
    return wend_map_is_open(map, at.x - 1, at.y) || wend_map_is_open(map, at.x + 1, at.y) ||
           wend_map_is_open(map, at.x, at.y - 1) || wend_map_is_open(map, at.x, at.y + 1);
}

static void edit(wend_map *map, change how, uint32_t cells, uint64_t seed) {
    uint64_t random = seed;
    wend_error error;
    for (uint32_t changed = 0; changed < cells;) {
        wend_xy at = wend_map_xy(map, draw(&random, wend_map_cells(map)));
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
    double seconds, operations, searches, columns, bytes, longest;
    bool cut;
} cost;

static cost repair(const wend_db *db, const wend_map *map, change how, uint32_t cells, uint64_t seed,
                   double build) {
    wend_map *edited;
    wend_error error;
    wend_cpd_repair *repair;
    wend_cpd_repair_options options = wend_default_cpd_repair_options();
    options.coarse = true;
    bench_check(wend_map_copy(map, &edited, &error), &error);
    edit(edited, how, cells, seed);
    bench_check(wend_cpd_repair_create(db, edited, &options, &repair, &error), &error);
    size_t empty = wend_cpd_repair_about(repair).bytes;
    cost sum = {0};
    double began = processor_seconds();
    for (bool done = false; !done && !sum.cut;) {
        double before = processor_seconds();
        bench_check(wend_cpd_repair_step(repair, SLICE, &done, &error), &error);
        double took = processor_seconds() - before;
        if (took > sum.longest) sum.longest = took;
        sum.seconds = processor_seconds() - began;
        sum.cut = !done && sum.seconds > MOST_TIMES * build;
    }
    wend_cpd_repair_info info = wend_cpd_repair_about(repair);
    sum.operations = (double)info.operations, sum.searches = info.all, sum.columns = info.columns;
    sum.bytes = (double)(info.bytes - empty);
    wend_cpd_repair_destroy(repair);
    wend_map_destroy(edited);
    return sum;
}

static void measure(const char *name, uint32_t most) {
    wend_map *map = bench_map(name, NULL);
    char label[64], text[160];
    double took, before = processor_seconds();
    wend_db *db = bench_database(map, "cpd", bench_two_threads(), &took);
    double build = processor_seconds() - before;
    (void)bench_map_name(name, label, sizeof label);
    (void)snprintf(text, sizeof text, "cpd, %s, built, processor time", label);
    bench_row(text, build, "s", BENCH_FYI, 0);
    for (int how = 0; how < CHANGES; how++)
        for (uint32_t cells = 1; cells <= most; cells *= 10) {
            uint32_t times = cells == 1 ? 8 : cells == 10 ? 3 : 1;
            cost sum = {0};
            for (uint32_t i = 0; i < times; i++) {
                cost one = repair(db, map, (change)how, cells, 77 + i, build);
                sum.seconds += one.seconds, sum.searches += one.searches, sum.bytes += one.bytes;
                sum.cut = sum.cut || one.cut;
                if (one.longest > sum.longest) sum.longest = one.longest;
            }
            (void)snprintf(text, sizeof text, "cpd, %s, %u %s", label, cells, change_names[how]);
            bench_row(text, sum.seconds / times / build * 100, sum.cut ? "% build (cut)" : "% of build",
                      BENCH_FYI, 0);
            printf("    %.3f s, %.0f searches, %.0f KB, longest call %.2f ms\n", sum.seconds / times,
                   sum.searches / times, sum.bytes / times / 1024, sum.longest * 1e3);
        }
    wend_db_close(db);
    wend_map_destroy(map);
}

void bench_repair(void) {
    measure("bgmaps/AR0404SR", 100);
    measure("bgmaps/AR0700SR", 100);
}
