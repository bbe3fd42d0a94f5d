/* Memory of the searches: caps, refusals, sizes. */
#include "support/agents/rig.h"
#include "support/check.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* For every cap: memory stays under it, and the answer is the right one or 'out of memory'. */
static void a_cap_on_memory_is_an_outcome(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++)
        for (int how = 0; how < TEST_METHODS; how++) {
            test_random random = {rules + 77};
            test_rig b;
            if (test_rig_open(&b,
                              test_map_make(TEST_SHAPE_ROOMS, 150, 150, test_rules(rules), &random, NULL))) {
                wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
                wend_result whole;
                CHECK(test_rig_run(&b, (test_method)how, start, goal, &whole, NULL) == WEND_OK);
                size_t needed = wend_search_bytes(b.search);
                CHECK(wend_search_peak_bytes(b.search) <= needed && wend_search_peak_bytes(b.search) > 0);
                bool refused = false, answered = false;
                for (int share = 0; share <= 40; share++) {
                    test_memory memory = {0};
                    wend_search_options options = wend_default_search_options();
                    options.max_bytes = needed * (size_t)share / 20 + 1;
                    options.allocator = test_allocator(&memory);
                    test_rig capped = b;
                    wend_result result = {0};
                    wend_status status = wend_search_create(b.map, &options, &capped.search, NULL);
                    if (status == WEND_OK) {
                        status = test_rig_run(&capped, (test_method)how, start, goal, &result, NULL);
                        CHECK(status == WEND_OK);
                        CHECK_THAT(memory.peak_bytes <= options.max_bytes, "%llu bytes taken, cap %zu",
                                   (unsigned long long)memory.peak_bytes, options.max_bytes);
                        CHECK(wend_search_bytes(capped.search) == memory.live_bytes);
                        if (result.found == WEND_FOUND_OUT_OF_MEMORY) {
                            refused = true;
                            CHECK(result.cost == WEND_NO_COST &&
                                  wend_search_moves(capped.search, NULL, 0) == 0);
                        } else {
                            answered = true;
                            CHECK(test_same_result(&result, &whole));
                        }
                        wend_search_destroy(capped.search);
                    } else {
                        CHECK(status == WEND_STATUS_NO_MEMORY);
                        refused = true;
                    }
                    CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
                    test_case();
                }
                CHECK_THAT(refused && answered,
                           "caps from 1 byte to twice what is held at the end: both outcomes");
            }
            test_rig_close(&b);
        }
}

/* Each request refused in turn, until none is: a status or an outcome, nothing leaked, and the same workspace
 * still gives the right answer afterwards. */
static void every_allocation_may_fail(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_random random = {rules + 3};
        test_rig b;
        if (test_rig_open(&b,
                          test_map_make(TEST_SHAPE_SCATTERED, 140, 137, test_rules(rules), &random, NULL))) {
            wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
            wend_result whole[TEST_METHODS];
            for (int how = 0; how < TEST_METHODS; how++)
                test_rig_run(&b, (test_method)how, start, goal, &whole[how], NULL);
            bool clean = false;
            for (uint64_t refuse = 1; refuse < 200 && !clean; refuse++) {
                test_memory memory = {.refuse_at = refuse};
                wend_allocator allocator = test_allocator(&memory);
                wend_search_options search_options = wend_default_search_options();
                search_options.allocator = allocator;
                wend_field_options field_options = wend_default_field_options();
                field_options.from = true, field_options.allocator = allocator;
                wend_error error = {0};
                wend_field *field = NULL;
                test_rig poor = b;
                poor.search = NULL, poor.jumps = NULL;
                wend_status status = wend_search_create(b.map, &search_options, &poor.search, &error);
                bool failed = status != WEND_OK;
                CHECK(failed ? status == WEND_STATUS_NO_MEMORY && !poor.search : poor.search != NULL);
                status = wend_jumps_create(b.map, &allocator, &poor.jumps, &error);
                CHECK(status == WEND_OK ? poor.jumps != NULL
                                        : status == WEND_STATUS_NO_MEMORY && !poor.jumps);
                failed = failed || status != WEND_OK;
                for (int how = 0; how < TEST_METHODS && poor.search && poor.jumps; how++) {
                    wend_result result;
                    status = test_rig_run(&poor, (test_method)how, start, goal, &result, &error);
                    if (status != WEND_OK || result.found == WEND_FOUND_OUT_OF_MEMORY) {
                        CHECK(status == WEND_OK || status == WEND_STATUS_NO_MEMORY);
                        failed = true;
                        CHECK(test_rig_run(&poor, (test_method)how, start, goal, &result, &error) == WEND_OK);
                    }
                    CHECK(test_same_result(&result, &whole[how]));
                }
                status = wend_field_create(b.map, &field_options, &field, &error);
                CHECK(status == WEND_OK ? field != NULL : status == WEND_STATUS_NO_MEMORY && !field);
                failed = failed || status != WEND_OK;
                if (field) {
                    status = wend_field_compute(field, start, &error);
                    if (status != WEND_OK) {
                        CHECK(status == WEND_STATUS_NO_MEMORY);
                        failed = true;
                        CHECK(wend_field_compute(field, start, &error) == WEND_OK);
                    }
                    test_dijkstra(&b.grid, start, b.distance);
                    CHECK(wend_field_cost(field, goal) == b.distance[goal]);
                    wend_field_destroy(field);
                }
                CHECK_THAT(failed == (memory.requests >= refuse), "request %llu was refused without a word",
                           (unsigned long long)refuse);
                wend_search_destroy(poor.search);
                wend_jumps_destroy(poor.jumps);
                CHECK_THAT(memory.live_blocks == 0 && memory.wrong_sizes == 0,
                           "request %llu refused: %llu blocks leaked, %llu released with a wrong size",
                           (unsigned long long)refuse, (unsigned long long)memory.live_blocks,
                           (unsigned long long)memory.wrong_sizes);
                clean = !failed;
                test_case();
            }
            CHECK_THAT(clean, "200 requests for one search");
        }
        test_rig_close(&b);
    }
}

/* What an object says it holds is what it took. */
static void sizes_are_what_was_taken(void) {
    test_random random = {5};
    wend_map *map = test_map_make(TEST_SHAPE_SCATTERED, 40, 40, wend_default_rules(), &random, NULL);
    if (!CHECK(map != NULL)) return;
    test_memory of_search = {0}, of_jumps = {0}, of_field = {0};
    wend_search_options search_options = wend_default_search_options();
    search_options.allocator = test_allocator(&of_search);
    wend_field_options field_options = wend_default_field_options();
    field_options.allocator = test_allocator(&of_field);
    wend_allocator for_jumps = test_allocator(&of_jumps);
    wend_search *search = NULL;
    wend_jumps *jumps = NULL;
    wend_field *field = NULL;
    if (CHECK(wend_search_create(map, &search_options, &search, NULL) == WEND_OK &&
              wend_jumps_create(map, &for_jumps, &jumps, NULL) == WEND_OK &&
              wend_field_create(map, &field_options, &field, NULL) == WEND_OK)) {
        for (int i = 0; i < 200; i++) {
            wend_cell start = test_open_cell(map, &random), goal = test_open_cell(map, &random);
            wend_result result;
            CHECK(wend_search_astar(search, start, goal, &result, NULL) == WEND_OK);
            CHECK(wend_search_bytes(search) == of_search.live_bytes);
            CHECK(wend_search_jps(search, jumps, start, goal, &result, NULL) == WEND_OK);
            CHECK(wend_search_bytes(search) == of_search.live_bytes);
            CHECK(wend_search_find(search, wend_map_xy(map, start), wend_map_xy(map, goal), NULL, 0, &result,
                                   NULL) == WEND_OK);
            CHECK(wend_search_bytes(search) == of_search.live_bytes);
            CHECK(wend_field_compute(field, start, NULL) == WEND_OK);
            CHECK(wend_field_bytes(field) == of_field.live_bytes);
            CHECK(wend_jumps_bytes(jumps) == of_jumps.live_bytes);
            test_case();
        }
        uint64_t warm = of_search.requests + of_field.requests;
        for (int i = 0; i < 200; i++) { /* memory is taken when first needed, and kept */
            wend_result result;
            CHECK(wend_search_astar(search, test_open_cell(map, &random), test_open_cell(map, &random),
                                    &result, NULL) == WEND_OK);
            CHECK(wend_field_compute(field, test_open_cell(map, &random), NULL) == WEND_OK);
        }
        CHECK_THAT(of_search.requests + of_field.requests <= warm + 2,
                   "warm searches go on asking for memory");
    }
    wend_search_destroy(search);
    wend_jumps_destroy(jumps);
    wend_field_destroy(field);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"a cap on memory is an outcome", a_cap_on_memory_is_an_outcome},
    {"every allocation may fail", every_allocation_may_fail},
    {"sizes are what was taken", sizes_are_what_was_taken},
};

TEST_MAIN(tests)
