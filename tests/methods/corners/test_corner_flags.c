/* corners: all pairs of cells of many small maps with a database of each, what agents do with it, and what
 * becomes of it on other maps. */
#include "methods/corners/layout.h"
#include "support/agents/rig.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/pairs.h"

#include <stdlib.h>
#include <wend/wend.h>

typedef struct finder {
    wend_search *search;
    wend_jumps *jumps;
    wend_db *db;
} finder;

static void *open_finder(const wend_map *map) {
    finder *made = calloc(1, sizeof *made);
    if (!CHECK(made)) return NULL;
    made->db = test_db_build(map, "corners", 1);
    bool good = CHECK(made->db) && CHECK(wend_search_create(map, NULL, &made->search, NULL) == WEND_OK) &&
                CHECK(wend_jumps_create(map, NULL, &made->jumps, NULL) == WEND_OK);
    return good ? made : NULL;
}

/* By the flags alone, so that nothing else makes up for a hole. */
static size_t find_path(void *opened, wend_cell start, wend_cell goal, wend_cell *cells, size_t room) {
    const finder *f = opened;
    wend_result result;
    wend_status status = wend_search_jps_flagged(f->search, f->jumps, wend_corners_flags(f->db, goal), start,
                                                 goal, &result, NULL);
    return CHECK(status == WEND_OK) ? wend_search_path(f->search, cells, room) : 0;
}

static void close_finder(void *opened) {
    finder *f = opened;
    wend_search_destroy(f->search);
    wend_jumps_destroy(f->jumps);
    wend_db_close(f->db);
    free(f);
}

static const test_pather flagged = {"corners", open_finder, find_path, close_finder};

static void report(test_pairs sum) {
    CHECK_THAT(!sum.wrong, "%llu of %llu pairs; the first: %s", (unsigned long long)sum.wrong,
               (unsigned long long)sum.pairs, sum.first);
    CHECK(sum.pairs > 1000 && sum.unreachable > 100);
    test_case();
}

static void all_pairs_of_ten_kinds_of_maps(void) {
    enum { MAPS = 700 };
    uint32_t rounds = test_full() ? 200 : 1;
    for (uint32_t i = 0; i < rounds; i++) report(test_pairs_of_kinds(&flagged, (uint64_t)i * MAPS, MAPS));
}

static void all_pairs_of_maps_of_four_by_four(void) {
    report(test_pairs_of_fours(&flagged, 5, test_full() ? 1 : 197));
}

/* The flags of a tile beside the goal's. */
static size_t find_beside(void *opened, wend_cell start, wend_cell goal, wend_cell *cells, size_t room) {
    const finder *f = opened;
    wend_result result;
    wend_status status = wend_search_jps_flagged(f->search, f->jumps, wend_corners_flags(f->db, 0), start,
                                                 goal, &result, NULL);
    return CHECK(status == WEND_OK) ? wend_search_path(f->search, cells, room) : 0;
}

static void a_planted_hole_is_found(void) {
    const test_pather beside = {"beside", open_finder, find_beside, close_finder};
    CHECK(test_pairs_of_kinds(&beside, 0, 200).wrong > 0);
    test_case();
}

/* On larger maps, with many tiles: the costs of A*, and what is said of wrong use. */
static void paths_are_shortest(void) {
    for (uint32_t number = 0; number < 12; number++) {
        static const wend_map_kind kinds[] = {WEND_MAP_CAVES, WEND_MAP_ROOMS, WEND_MAP_MAZE};
        wend_map *map = test_map_generated(kinds[number % 3], 150, test_rules(number), number + 1);
        finder *f = map ? open_finder(map) : NULL;
        test_random random = {number};
        for (uint32_t i = 0; f && i < test_some(200); i++) {
            wend_cell start = test_open_cell(map, &random), goal = test_open_cell(map, &random);
            wend_result fast, slow;
            CHECK(wend_corners_find(f->db, f->search, f->jumps, start, goal, &fast, NULL) == WEND_OK);
            size_t moves = wend_search_moves(f->search, NULL, 0);
            CHECK(moves == (fast.found == WEND_FOUND_PATH ? fast.straight + fast.diagonal : 0));
            CHECK(wend_search_astar(f->search, start, goal, &slow, NULL) == WEND_OK);
            CHECK_THAT(fast.found == slow.found && fast.cost == slow.cost, "map %u: %u to %u", number,
                       (unsigned)start, (unsigned)goal);
            test_case();
        }
        if (f) {
            wend_result result;
            wend_cell goal = test_open_cell(map, &random);
            CHECK(wend_corners_find(NULL, f->search, f->jumps, 0, goal, &result, NULL) ==
                  WEND_STATUS_BAD_ARGUMENT);
            CHECK(wend_corners_find(f->db, f->search, f->jumps, WEND_NO_CELL, goal, &result, NULL) ==
                  WEND_STATUS_OUTSIDE);
            CHECK(wend_corners_find(f->db, f->search, f->jumps, goal, WEND_NO_CELL, &result, NULL) ==
                  WEND_STATUS_OUTSIDE);
            CHECK(test_map_change_any(map, &random));
            CHECK(wend_corners_find(f->db, f->search, f->jumps, goal, goal, &result, NULL) ==
                  WEND_STATUS_STALE);
            CHECK(wend_jumps_update(f->jumps, NULL) == WEND_OK);
            CHECK(wend_corners_find(f->db, f->search, f->jumps, goal, goal, &result, NULL) != WEND_OK);
            test_case();
            close_finder(f);
        }
        wend_map_destroy(map);
    }
}

static void agents_walk_shortest_paths(void) {
    for (uint64_t number = 0; number < test_some(60); number++) {
        test_stage stage = {0};
        test_random random = {number};
        wend_db *db = NULL;
        if (test_stage_any(&stage, 5200 + number)) db = test_db_build(stage.map, "corners", 1);
        wend_cost *distance = malloc(stage.grid.cells * sizeof *distance);
        wend_agent *agent = db ? test_db_agent(&stage, "corners:db=x", db) : NULL;
        wend_agent *sliced = db ? test_db_agent(&stage, "corners:k=1,db=x", db) : NULL;
        for (uint32_t i = 0; agent && sliced && distance && i < 10; i++) {
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            if (start == WEND_NO_CELL) break;
            test_dijkstra(&stage.grid, goal, distance);
            for (int slow = 0; slow < 2; slow++) {
                wend_agent *walker = slow ? sliced : agent;
                CHECK(wend_agent_start(walker, start, goal, NULL) == WEND_OK);
                wend_cost cost = 0;
                wend_step step;
                do {
                    step = wend_agent_step(walker);
                    CHECK(step.operations <= wend_agent_bound(walker, wend_agent_budget(walker)));
                    if (step.outcome == WEND_STEP_MOVED) cost += test_move_cost(&stage.grid, step.direction);
                } while (step.outcome == WEND_STEP_MOVED || step.outcome == WEND_STEP_WAITING);
                bool joined = distance[start] != WEND_NO_COST;
                CHECK(step.outcome == (joined ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE));
                CHECK(!joined || cost == distance[start]);
            }
            test_case();
        }
        wend_agent_destroy(agent), wend_agent_destroy(sliced);
        free(distance);
        wend_db_close(db);
        test_stage_close(&stage);
    }
}

static void tasks_change_and_maps(void) {
    for (uint64_t number = 0; number < test_some(40); number++) {
        test_db_tasks_change(7100 + number, "corners", "corners:k=2,db=x");
        (void)test_db_walks(7300 + number, "corners", "corners:db=x");
        test_db_edits_repeat(7200 + number, "corners", "corners:db=x");
    }
}

static void any_number_of_workers(void) {
    wend_map *map = test_map_generated(WEND_MAP_CAVES, 90, wend_default_rules(), 4);
    if (map) test_db_same_bytes(map, "corners", 6, 2);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"all pairs of ten kinds of maps", all_pairs_of_ten_kinds_of_maps},
    {"all pairs of maps of four by four", all_pairs_of_maps_of_four_by_four},
    {"a planted hole is found", a_planted_hole_is_found},
    {"paths are shortest", paths_are_shortest},
    {"agents walk shortest paths", agents_walk_shortest_paths},
    {"tasks change, and maps", tasks_change_and_maps},
    {"any number of workers", any_number_of_workers},
};

TEST_MAIN(tests)
