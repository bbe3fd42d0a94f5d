/* Batches of paths: those of single searches, for any workers in any order; what is refused; memory. */
#include "support/agents/rig.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

enum { MOST = 70 };

typedef struct batch {
    wend_cell starts[MOST], goals[MOST];
    wend_result results[MOST];
    size_t count;
} batch;

static void draw_batch(const wend_map *map, test_random *random, batch *b) {
    b->count = test_below(random, MOST + 1);
    for (size_t i = 0; i < b->count; i++)
        b->starts[i] = test_open_cell(map, random), b->goals[i] = test_open_cell(map, random);
}

/* Each path by itself, with the rig's own search. */
static void check_batch(const test_rig *rig, wend_paths *paths, batch *b, bool jumps) {
    CHECK(wend_paths_find(paths, b->count, b->starts, b->goals, b->results, NULL) == WEND_OK);
    for (size_t i = 0; i < b->count; i++) {
        wend_result alone;
        size_t count = 77;
        const wend_direction *moves = wend_paths_moves(paths, i, &count);
        CHECK(test_rig_run(rig, jumps ? TEST_JPS : TEST_FIND, b->starts[i], b->goals[i], &alone, NULL) ==
              WEND_OK);
        CHECK(test_same_result(&alone, &b->results[i]) && alone.path_cells == b->results[i].path_cells);
        CHECK(wend_search_moves(rig->search, rig->moves, rig->grid.cells) == count && !moves == !count);
        if (moves) CHECK(memcmp(moves, rig->moves, count) == 0);
    }
    size_t count = 77;
    CHECK(!wend_paths_moves(paths, b->count, &count) && count == 0);
}

static void batches_are_single_searches(void) {
    for (uint64_t number = 0; number < 300; number++) {
        test_random random = {number}, shuffle = {number};
        test_rig rig;
        static batch b;
        const bool jumps = number % 2;
        if (test_rig_open(&rig, test_map_any(number)) && wend_map_open_cells(rig.map))
            for (int how = 0; how < 3; how++) {
                wend_paths *paths = NULL;
                wend_paths_options options = wend_default_paths_options();
                if (how == 1) options.tasks = test_shuffled_tasks(&shuffle);
                if (how == 2) options.tasks = shared_tasks(3);
                options.jumps = jumps ? rig.jumps : NULL;
                if (!CHECK(wend_paths_create(rig.map, &options, &paths, NULL) == WEND_OK)) continue;
                for (int i = 0; i < 3; i++) {
                    draw_batch(rig.map, &random, &b);
                    check_batch(&rig, paths, &b, jumps);
                    test_case();
                }
                if (!jumps && CHECK(test_map_change_any(rig.map, &random)) && wend_map_open_cells(rig.map)) {
                    draw_batch(rig.map, &random, &b); /* an edit is taken in */
                    check_batch(&rig, paths, &b, false);
                    CHECK(wend_jumps_update(rig.jumps, NULL) == WEND_OK);
                }
                wend_paths_destroy(paths);
                if (!wend_map_open_cells(rig.map)) break;
            }
        test_rig_close(&rig);
    }
}

static void what_is_wrong_is_said(void) {
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 9, 4, wend_default_rules(), NULL, NULL);
    wend_paths *paths = NULL;
    if (!CHECK(map) || !CHECK(wend_paths_create(map, NULL, &paths, NULL) == WEND_OK)) return;
    wend_jumps *jumps;
    wend_cell starts[3] = {0, 1, 2}, goals[3] = {3, 4, 5};
    wend_result results[3];
    wend_error error = {0};
    CHECK(wend_paths_create(NULL, NULL, &paths, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_paths_find(NULL, 1, starts, goals, results, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_paths_find(paths, 1, NULL, goals, results, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_paths_find(paths, 1, starts, goals, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_paths_find(paths, 0, NULL, NULL, NULL, NULL) == WEND_OK);
    goals[2] = 36;
    CHECK(wend_paths_find(paths, 3, starts, goals, results, &error) == WEND_STATUS_OUTSIDE);
    CHECK(strstr(error.message, "goal 2"));
    CHECK(wend_map_edit(map, (wend_rect){1, 0, 1, 1}, false, NULL) == WEND_OK);
    CHECK(wend_paths_find(paths, 3, starts, goals, results, &error) == WEND_STATUS_BLOCKED);
    CHECK(strstr(error.message, "start 1"));
    wend_paths_destroy(paths);
    wend_paths_options options = wend_default_paths_options();
    CHECK(wend_jumps_create(map, NULL, &jumps, NULL) == WEND_OK);
    options.jumps = jumps, options.tasks = shared_tasks(2);
    CHECK(wend_paths_create(map, &options, &paths, NULL) == WEND_OK);
    CHECK(wend_map_edit(map, (wend_rect){1, 0, 1, 1}, true, NULL) == WEND_OK);
    goals[2] = 5;
    CHECK(wend_paths_find(paths, 3, starts, goals, results, &error) == WEND_STATUS_STALE && error.message[0]);
    CHECK(!wend_paths_moves(paths, 0, NULL) && !wend_paths_moves(NULL, 0, NULL));
    CHECK(wend_jumps_update(jumps, NULL) == WEND_OK);
    CHECK(wend_paths_find(paths, 3, starts, goals, results, &error) == WEND_OK && results[1].straight == 3);
    wend_paths_destroy(paths);
    wend_paths_destroy(NULL);
    wend_jumps_destroy(jumps);
    wend_map_destroy(map);
    test_case();
}

/* Each request refused in turn: a status, and the next call is right again. */
static void every_allocation_may_fail(void) {
    test_random random = {3};
    test_rig rig;
    static batch b;
    bool clean = false;
    if (test_rig_open(&rig, test_map_make(TEST_SHAPE_ROOMS, 90, 80, wend_default_rules(), &random, NULL))) {
        do draw_batch(rig.map, &random, &b);
        while (b.count < MOST);
        for (uint64_t refuse = 1; refuse < 60 && !clean; refuse++) {
            test_memory memory = {.refuse_at = refuse};
            wend_paths_options options = wend_default_paths_options();
            options.allocator = test_allocator(&memory);
            wend_paths *paths = NULL;
            wend_status status = wend_paths_create(rig.map, &options, &paths, NULL);
            CHECK(status == WEND_OK ? paths != NULL : status == WEND_STATUS_NO_MEMORY && !paths);
            if (paths) {
                status = wend_paths_find(paths, b.count, b.starts, b.goals, b.results, NULL);
                CHECK(status == WEND_OK ||
                      (status == WEND_STATUS_NO_MEMORY && !wend_paths_moves(paths, 0, NULL)));
                check_batch(&rig, paths, &b, false);
                CHECK(wend_paths_bytes(paths) == memory.live_bytes);
            }
            clean = memory.requests < refuse;
            CHECK((status == WEND_OK) == clean);
            wend_paths_destroy(paths);
            CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
            test_case();
        }
        CHECK(clean);
    }
    test_rig_close(&rig);
}

static const test tests[] = {
    {"batches are single searches", batches_are_single_searches},
    {"what is wrong is said", what_is_wrong_is_said},
    {"every allocation may fail", every_allocation_may_fail},
};
TEST_MAIN(tests)
