/* Planners with subgoal trees: walks over whole small maps, the promises of a planner, trees grown at run
 * time, beelines. */
#include "methods/trees/beeline.h"
#include "methods/trees/layout.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const char *const kinds[] = {"subgoal-tree", "subgoal-tree:test=pushed", "subgoal-tree:share=no",
                                    "subgoal-tree:test=pushed,share=no"};

/* From every open cell of a map to some goals: the walk is a shortest path. */
static void every_cell_comes_to_the_goal_by_a_shortest_path(void) {
    uint64_t walks = 0;
    for (uint64_t number = 0; number < 150; number++) {
        test_random random = {number};
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number) && wend_map_open_cells(stage.map) && stage.grid.cells < 1000 &&
            (db = test_db_build(stage.map, kinds[number % 4], 1))) {
            wend_agent *agent = test_db_agent(&stage, "subgoal-tree:db=x", db);
            for (int i = 0; i < 2 && agent; i++) {
                wend_cell goal = test_open_cell(stage.map, &random);
                test_dijkstra(&stage.grid, goal, stage.left);
                for (wend_cell start = 0; start < stage.grid.cells; start++) {
                    if (!wend_map_is_open_cell(stage.map, start) || stage.left[start] == WEND_NO_COST)
                        continue;
                    test_walk walk = test_walk_to(&stage, agent, "subgoal-tree:db=x", start, goal, 100000);
                    CHECK_THAT(walk.end == WEND_STEP_ARRIVED && walk.cost == stage.left[start],
                               "map %llu from %u to %u: cost %llu, not %llu", (unsigned long long)number,
                               start, goal, (unsigned long long)walk.cost,
                               (unsigned long long)stage.left[start]);
                    CHECK(wend_agent_counters(agent).learnt == 0);
                    walks++;
                }
                test_case();
            }
            wend_agent_destroy(agent);
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(walks > 20000, "only %llu walks", (unsigned long long)walks);
}

/* Every step is legal, counted and within its bound, and allocates nothing; a second run is the same; what
 * can't be reached is said to be so. */
static void they_arrive_within_their_bounds(void) {
    static const char *const planners[] = {"subgoal-tree:db=x", "lss-lrta:db=x", "lss-lrta:k=1,db=x",
                                           "lss-lrta:k=300,db=x"};
    for (uint64_t number = 0; number < 320; number++) {
        (void)test_db_walks(1000 + number, kinds[number % 4], planners[number / 4 % 4]);
        test_db_tasks_change(1000 + number, kinds[number % 4], planners[number / 4 % 4]);
    }
}

/* Many agents with one goal and one tree: they wait while it grows, then walk shortest paths. Another goal
 * than the tree's is reached all the same. */
static void agents_share_a_tree(void) {
    enum { AGENTS = 5 };
    static const char *const planners[] = {"subgoal-tree:db=none", "lss-lrta:k=4"};
    for (uint64_t number = 0; number < 160; number++) {
        test_random random = {number};
        test_stage stage;
        wend_tree *tree = NULL;
        const char *planner = planners[number % 2];
        wend_tree_options options = wend_default_tree_options();
        options.test = (wend_tree_test)(number / 2 % 2);
        if (test_stage_any(&stage, 2000 + number) && wend_map_open_cells(stage.map) &&
            CHECK(wend_tree_create(wend_world_map(stage.world), &options, &tree, NULL) == WEND_OK)) {
            wend_agent *agents[AGENTS] = {0};
            wend_cell goal = test_open_cell(stage.map, &random), starts[AGENTS];
            wend_agent_options with = wend_default_agent_options();
            with.tree = tree;
            test_dijkstra(&stage.grid, goal, stage.left);
            CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK);
            for (int i = 0; i < AGENTS; i++) {
                starts[i] = test_open_cell(stage.map, &random);
                agents[i] = test_agent_make(&stage, planner, &with);
                if (!agents[i]) continue;
                CHECK(wend_agent_start(agents[i], starts[i], goal, NULL) == WEND_OK);
                bool idle = starts[i] == goal || stage.left[starts[i]] == WEND_NO_COST;
                wend_step step = wend_agent_step(agents[i]);
                CHECK(idle || step.outcome == WEND_STEP_WAITING);
            }
            while (!wend_tree_grow(tree, 1000)) continue;
            for (int i = 0; i < AGENTS && agents[i]; i++) {
                test_walk walk = test_walk_to(&stage, agents[i], planner, starts[i], goal, 100000);
                if (stage.left[starts[i]] == WEND_NO_COST) continue;
                CHECK(walk.end == WEND_STEP_ARRIVED);
                CHECK_THAT(number % 2 || walk.cost == stage.left[starts[i]], "map %llu",
                           (unsigned long long)number);
                wend_cell other = test_open_cell(stage.map, &random);
                if (wend_agent_start(agents[i], starts[i], other, NULL) != WEND_OK) continue;
                wend_outcome end = WEND_STEP_MOVED;
                for (int j = 0; j < 1000000 && end == WEND_STEP_MOVED; j++)
                    end = wend_agent_step(agents[i]).outcome;
                CHECK(end == WEND_STEP_ARRIVED || end == WEND_STEP_UNREACHABLE);
            }
            for (int i = 0; i < AGENTS; i++) wend_agent_destroy(agents[i]);
            test_case();
        }
        wend_tree_destroy(tree);
        test_stage_close(&stage);
    }
}

static void wrong_use_is_refused(void) {
    test_stage stage, other;
    if (!test_stage_any(&stage, 12) || !test_stage_any(&other, 13)) return;
    wend_db *db = test_db_build(stage.map, "subgoal-tree", 1), *dlrta = test_db_build(stage.map, "dlrta", 1);
    wend_tree_options tree_options = wend_default_tree_options();
    wend_tree *tree = NULL;
    CHECK(wend_tree_create(other.map, &tree_options, &tree, NULL) == WEND_OK);
    static const struct {
        const char *planner;
        bool trees, dlrta, tree;
        wend_status status;
    } cases[] = {
        {"subgoal-tree:db=x", false, false, false, WEND_STATUS_BAD_ARGUMENT},
        {"subgoal-tree:db=x", false, true, false, WEND_STATUS_BAD_ARGUMENT},
        {"subgoal-tree:db=x", true, false, false, WEND_OK},
        {"subgoal-tree:db=x", false, false, true, WEND_STATUS_OTHER_MAP},
        {"lss-lrta", false, false, false, WEND_OK},
        {"lss-lrta:db=x", false, false, false, WEND_STATUS_BAD_ARGUMENT},
        {"lss-lrta:db=x", false, true, false, WEND_STATUS_BAD_ARGUMENT},
        {"lss-lrta:db=x", true, false, false, WEND_OK},
        {"lss-lrta", false, false, true, WEND_STATUS_OTHER_MAP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const wend_settings *settings = NULL;
        wend_agent_options options = wend_default_agent_options();
        wend_agent *agent = NULL;
        wend_error error = {0};
        options.db = cases[i].trees ? db : cases[i].dlrta ? dlrta : NULL;
        options.tree = cases[i].tree ? tree : NULL;
        CHECK(test_settings_parse(cases[i].planner, &settings, NULL) == WEND_OK);
        wend_status status = wend_agent_create(stage.world, settings, &options, &agent, &error);
        CHECK_THAT(status == cases[i].status && (status == WEND_OK || error.message[0]), "case %zu: %d", i,
                   status);
        wend_agent_destroy(agent);
        test_case();
    }
    /* A world that may be edited takes databases; one tree, which can't follow, it has no use for. */
    wend_world_options editable = wend_default_world_options();
    editable.editable = true;
    wend_world *world = NULL;
    const wend_settings *settings = NULL;
    wend_agent_options options = wend_default_agent_options();
    wend_agent *agent = NULL;
    options.db = db;
    CHECK(wend_world_create(stage.map, &editable, &world, NULL) == WEND_OK);
    CHECK(test_settings_parse("lss-lrta:db=x", &settings, NULL) == WEND_OK);
    CHECK(wend_agent_create(world, settings, &options, &agent, NULL) == WEND_OK);
    wend_agent_destroy(agent);
    options.db = NULL, options.tree = tree;
    CHECK(wend_agent_create(world, settings, &options, &agent, NULL) == WEND_STATUS_UNSUPPORTED);
    wend_world_destroy(world);
    wend_tree_destroy(tree);
    wend_db_close(db);
    wend_db_close(dlrta);
    test_stage_close(&stage);
    test_stage_close(&other);
}

/* A beeline is found where the exact distance is the one without walls, and only there, in slices of any
 * size; its moves lead from one end to the other at that cost. */
static void beelines_are_found_where_there_are_any(void) {
    uint64_t found = 0, none = 0;
    wend_beeline *line = malloc(sizeof *line);
    for (uint64_t number = 0; number < 300; number++) {
        test_random random = {number};
        wend_map *map = test_map_any(4000 + number);
        wend_cell from = map ? test_open_cell(map, &random) : WEND_NO_CELL;
        if (from != WEND_NO_CELL) {
            test_grid grid = test_grid_of(map);
            wend_cost *distance = malloc(grid.cells * sizeof *distance);
            test_dijkstra(&grid, from, distance);
            for (wend_cell to = 0; to < grid.cells; to++) {
                if (!wend_map_is_open_cell(map, to)) continue;
                uint64_t operations = 0, slice = 1 + test_below(&random, 50);
                wend_beeline_state state;
                wend_beeline_begin(map, line, to, from);
                do {
                    uint64_t before = operations;
                    state = wend_beeline_run(map, line, slice, &operations);
                    CHECK(operations - before <= slice + 2);
                } while (state == WEND_BEELINE_MORE);
                bool exact = distance[to] == test_distance(&grid, from, to);
                if (state == WEND_BEELINE_LOST) continue;
                if (!CHECK_THAT(state == (exact ? WEND_BEELINE_FOUND : WEND_BEELINE_NONE),
                                "map %llu from %u to %u", (unsigned long long)number, to, from))
                    break;
                found += exact, none += !exact;
                wend_cost cost = 0;
                wend_cell at = to;
                while (exact && at != from) {
                    uint32_t d = wend_beeline_move(map, line, at, &operations);
                    if (!CHECK(d != WEND_NO_DIRECTION)) break;
                    cost += test_move_cost(&grid, (int)d);
                    at = test_next(&grid, at, (int)d);
                }
                CHECK(!exact || cost == distance[to]);
            }
            free(distance);
            test_grid_free(&grid);
            test_case();
        }
        wend_map_destroy(map);
    }
    free(line);
    CHECK_THAT(found > 10000 && none > 10000, "%llu and %llu", (unsigned long long)found,
               (unsigned long long)none);
}

/* A beeline whose only turn lies `back` cells before a wall, far from its beginning: found as long as there
 * is room for that many dead ends; otherwise it is lost, not sought for ever. */
static void beeline_with_a_turn(uint32_t back, wend_beeline_state expected) {
    enum { LENGTH = 5 * WEND_BEELINE_TRAIL, HEIGHT = 3, WALL = LENGTH - 3 };
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    options.rules.connect = 4;
    if (!CHECK(wend_map_create(LENGTH, HEIGHT, &options, &map, NULL) == WEND_OK)) return;
    char *row = malloc(LENGTH);
    wend_beeline *line = malloc(sizeof *line);
    /* The wall is in the first row; one cell of the second leads down to the last. */
    memset(row, '.', LENGTH);
    row[WALL] = '@';
    CHECK(wend_map_set_row(map, 0, row, NULL) == WEND_OK);
    memset(row, '@', LENGTH);
    row[WALL - 1 - back] = '.';
    CHECK(wend_map_set_row(map, 1, row, NULL) == WEND_OK);
    memset(row, '.', LENGTH);
    CHECK(wend_map_set_row(map, 2, row, NULL) == WEND_OK);
    uint64_t operations = 0;
    wend_beeline_begin(map, line, 0, 3 * LENGTH - 1);
    wend_beeline_state state;
    while ((state = wend_beeline_run(map, line, 1000, &operations)) == WEND_BEELINE_MORE) continue;
    CHECK_THAT(state == expected, "%u cells back: %d", back, (int)state);
    wend_cell at = 0;
    for (uint32_t i = 0; state == WEND_BEELINE_FOUND && i < LENGTH + HEIGHT - 2; i++) {
        uint32_t d = wend_beeline_move(map, line, at, &operations);
        if (!CHECK(d != WEND_NO_DIRECTION)) break;
        at = wend_map_next(map, at, (wend_direction)d);
    }
    CHECK(state != WEND_BEELINE_FOUND || at == 3 * LENGTH - 1);
    wend_map_destroy(map);
    free(row);
    free(line);
    test_case();
}

static void beelines_go_back_as_far_as_they_can_keep_dead_ends(void) {
    static const uint32_t far[] = {0, 1, 31, 32, 200, WEND_BEELINE_ENDS - 1, WEND_BEELINE_ENDS};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) beeline_with_a_turn(far[i], WEND_BEELINE_FOUND);
    beeline_with_a_turn(WEND_BEELINE_ENDS + 1, WEND_BEELINE_LOST);
    beeline_with_a_turn(4 * WEND_BEELINE_TRAIL, WEND_BEELINE_LOST);
}

static const test tests[] = {
    {"every cell comes to the goal by a shortest path", every_cell_comes_to_the_goal_by_a_shortest_path},
    {"they arrive within their bounds", they_arrive_within_their_bounds},
    {"agents share a tree", agents_share_a_tree},
    {"wrong use is refused", wrong_use_is_refused},
    {"beelines are found where there are any", beelines_are_found_where_there_are_any},
    {"beelines_go_back_as_far_as_they_can_keep_dead_ends",
     beelines_go_back_as_far_as_they_can_keep_dead_ends},
};
TEST_MAIN(tests)
