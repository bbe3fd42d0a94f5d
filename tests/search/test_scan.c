/* Jump points from the map's bits: those of the tables, line by line; columns that follow edits. Looks inside. */
#include "search/jumps.h"
#include "search/kernels/scan.h"
#include "support/check.h"
#include "support/maps.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

typedef struct scan_bed {
    wend_map *map;
    wend_scan scan;
    size_t bytes;
} scan_bed;

static bool bed_open(scan_bed *bed, wend_map *map) {
    *bed = (scan_bed){.map = map};
    if (!CHECK(map != NULL)) return false;
    bed->bytes = wend_scan_columns_bytes(map);
    bed->scan.columns = calloc(bed->bytes, 1);
    return CHECK(bed->scan.columns != NULL);
}

static void bed_close(scan_bed *bed) {
    free(bed->scan.columns);
    wend_map_destroy(bed->map);
}

/* From every cell in every straight direction: the next jump point, and how far the way is free. */
static void check_scans(const scan_bed *bed, const wend_jumps *jumps) {
    const wend_map *map = bed->map;
    const wend_corners corners = wend_scan_corners(map);
    for (uint32_t y = 0; y < (uint32_t)map->height; y++)
        for (uint32_t x = 0; x < (uint32_t)map->width; x++) {
            if (!wend_bit(map, x, y)) continue;
            for (uint32_t d = 0; d < WEND_DIRECTIONS; d += 2) {
                int32_t steps = jumps->steps[y * (uint32_t)map->width + x][d];
                uint32_t free = 0;
                while (
                    wend_legal_moves(map, x + free * (uint32_t)wend_dx[d], y + free * (uint32_t)wend_dy[d]) >>
                        d &
                    1)
                    free++;
                CHECK(wend_scan_free(&bed->scan, map, x, y, d) == free);
                if (jumps->onward.primary >> d & 1) continue; /* gone cell by cell */
                uint32_t found = wend_dx[d] ? wend_scan_across(map, x, y, d == 2, corners)
                                            : wend_scan_down(&bed->scan, map, x, y, d == 4, corners);
                CHECK_THAT(found == (steps > 0 ? (uint32_t)steps : 0), "%u,%u direction %u: %u, not %d", x, y,
                           d, found, steps);
            }
        }
}

static void scans_find_what_the_tables_have(void) {
    for (uint64_t number = 0; number < 40 * TEST_RULES; number++) {
        test_random random = {number};
        int32_t width = 1 + (int32_t)test_below(&random, 200), height = 1 + (int32_t)test_below(&random, 200);
        if (number % 3 == 0) width = 1 + (int32_t)test_below(&random, 12);
        if (number % 3 == 1) height = 1 + (int32_t)test_below(&random, 12);
        scan_bed bed;
        wend_jumps *jumps = NULL;
        test_shape shape = (test_shape)(number / TEST_RULES % TEST_SHAPES);
        if (bed_open(&bed,
                     test_map_make(shape, width, height, test_rules((uint32_t)number), &random, NULL)) &&
            CHECK(wend_jumps_create(bed.map, NULL, &jumps, NULL) == WEND_OK)) {
            wend_scan_follow(&bed.scan, bed.map);
            check_scans(&bed, jumps);
            test_case();
        }
        wend_jumps_destroy(jumps);
        bed_close(&bed);
    }
}

/* Maps with and without a record of changes; few changes between two looks, and more than the record keeps. */
static void columns_follow_edits(void) {
    for (uint64_t number = 0; number < 60; number++) {
        test_random random = {number};
        scan_bed bed;
        bool record = number % 2;
        if (bed_open(&bed, test_map_make(TEST_SHAPE_SCATTERED, 70 + (int32_t)(number % 7), 150,
                                         wend_default_rules(), &random, NULL)) &&
            (!record || CHECK(wend_map_keep_changes(bed.map) == WEND_OK))) {
            uint8_t *followed = calloc(bed.bytes, 1);
            for (int i = 0; i < 20 && CHECK(followed != NULL); i++) {
                uint32_t changes = i % 5 ? test_below(&random, 20) : test_below(&random, 9000);
                for (uint32_t j = 0; j < changes; j++) {
                    wend_rect at = {(int32_t)test_below(&random, (uint32_t)bed.map->width),
                                    (int32_t)test_below(&random, 150), 1, 1};
                    CHECK(wend_map_edit(bed.map, at, test_below(&random, 2), NULL) == WEND_OK);
                }
                wend_scan_follow(&bed.scan, bed.map);
                memcpy(followed, bed.scan.columns, bed.bytes);
                bed.scan.known = false;
                wend_scan_follow(&bed.scan, bed.map);
                CHECK(memcmp(followed, bed.scan.columns, bed.bytes) == 0);
                test_case();
            }
            free(followed);
        }
        bed_close(&bed);
    }
}

static const test tests[] = {
    {"scans find what the tables have", scans_find_what_the_tables_have},
    {"columns follow edits", columns_follow_edits},
};
TEST_MAIN(tests)
