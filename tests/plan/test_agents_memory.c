/* Memory of worlds and agents: caps, refusals, workspaces that are shared, and nothing left behind. */
#include "plan/agent.h"
#include "support/agents/agents.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/settings.h"

#include <string.h>
#include <wend/wend.h>

/* With room for few cells a learner arrives or says that it is out of memory; it can be started again. */
static void a_cap_on_cells_is_an_outcome(void) {
    static const char *const planners[] = {"lrta",          "lrta:d=3",   "lss-lrta:k=3",
                                           "lss-lrta:k=50", "rtaa:k=1",   "rtaa:k=9",
                                           "rtaa",          "dartaa:k=2", "dartaa:k=50"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        uint32_t arrived = 0, full = 0;
        for (uint64_t number = 0; number < 24; number++) {
            test_random random = {number};
            test_stage stage;
            if (test_stage_open(&stage,
                                test_map_make(number % 2 ? TEST_SHAPE_COMB : TEST_SHAPE_ROOMS, 31, 27,
                                              test_rules((uint32_t)number / 2), &random, NULL),
                                NULL)) {
                stage.number = number;
                for (uint32_t cells = 1; cells < 1000; cells = cells * 3 + 1) {
                    wend_agent_options options = wend_default_agent_options();
                    options.max_cells = cells;
                    wend_agent *agent = test_agent_make(&stage, planners[i], &options);
                    if (!agent) continue;
                    size_t bytes = wend_agent_bytes(agent);
                    for (int task = 0; task < 3; task++) {
                        wend_cell start = test_open_cell(stage.map, &random);
                        wend_cell goal = test_open_cell(stage.map, &random);
                        test_dijkstra(&stage.grid, goal, stage.left);
                        uint64_t limit = test_step_limit(&stage, planners[i], start, goal, stage.left);
                        test_walk walk = test_walk_to(&stage, agent, planners[i], start, goal, limit);
                        CHECK_THAT(walk.end != WEND_STEP_WAITING && walk.end != WEND_STEP_MOVED,
                                   "%s with %u cells: cut off", planners[i], cells);
                        arrived += walk.end == WEND_STEP_ARRIVED && start != goal;
                        full += walk.end == WEND_STEP_OUT_OF_MEMORY;
                        /* The next cell is always near enough, whatever was learnt before. */
                        wend_cell next = WEND_NO_CELL;
                        for (int d = 0; d < 8 && next == WEND_NO_CELL; d++)
                            next = test_next(&stage.grid, start, d);
                        if (next == WEND_NO_CELL) continue;
                        walk = test_walk_to(&stage, agent, planners[i], start, next, 10);
                        CHECK_THAT(walk.end == WEND_STEP_ARRIVED && walk.moves == 1,
                                   "%s with %u cells: outcome %d on the way to the next cell", planners[i],
                                   cells, (int)walk.end);
                    }
                    CHECK(wend_agent_bytes(agent) == bytes);
                    wend_agent_destroy(agent);
                    test_case();
                }
            }
            test_stage_close(&stage);
        }
        CHECK_THAT(arrived && full, "%s: %u arrived, %u ran out: both were wanted", planners[i], arrived,
                   full);
        test_case();
    }
}

/* A learner that may know all cells never runs out; its block grows with the cap. */
static void a_larger_cap_takes_more_memory(void) {
    test_random random = {3};
    test_stage stage;
    if (test_stage_open(&stage, test_map_make(TEST_SHAPE_OPEN, 200, 200, wend_default_rules(), &random, NULL),
                        NULL)) {
        static const char *const planners[] = {"lrta", "lss-lrta", "rtaa", "dartaa"};
        for (size_t i = 0; i < 4; i++) {
            size_t before = 0;
            for (uint32_t cells = 100; cells <= 40000; cells *= 4) {
                wend_agent_options options = wend_default_agent_options();
                options.max_cells = cells;
                wend_agent *agent = test_agent_make(&stage, planners[i], &options);
                if (!agent) continue;
                CHECK(wend_agent_bytes(agent) > before);
                before = wend_agent_bytes(agent);
                wend_agent_destroy(agent);
            }
            test_case();
        }
    }
    test_stage_close(&stage);
}

/* The same of the open list of a search over the whole map. */
static void a_cap_on_the_queue_is_an_outcome(void) {
    static const char *const planners[] = {"astar",   "astar:k=4", "jps",
                                           "tba:k=2", "tba",       "tba:k=9,trace=free"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        uint32_t arrived = 0, full = 0;
        for (uint32_t nodes = 1; nodes < 2000; nodes = nodes * 2 + 1)
            for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
                test_random random = {nodes + rules};
                wend_world_options options = wend_default_world_options();
                options.max_queue_nodes = nodes;
                test_stage stage;
                if (test_stage_open(&stage,
                                    test_map_make(TEST_SHAPE_ROOMS, 60, 60, test_rules(rules), &random, NULL),
                                    &options)) {
                    wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
                    for (int task = 0; agent && task < 3; task++) {
                        wend_cell start = test_open_cell(stage.map, &random);
                        wend_cell goal = test_open_cell(stage.map, &random);
                        test_walk walk =
                            test_walk_to(&stage, agent, planners[i], start, goal, 12 * stage.grid.cells);
                        CHECK(walk.end != WEND_STEP_WAITING);
                        arrived += walk.end == WEND_STEP_ARRIVED && start != goal;
                        full += walk.end == WEND_STEP_OUT_OF_MEMORY;
                        walk = test_walk_to(&stage, agent, planners[i], start, start, 10);
                        CHECK(walk.end == WEND_STEP_ARRIVED);
                    }
                    wend_agent_destroy(agent);
                    test_case();
                }
                test_stage_close(&stage);
            }
        CHECK_THAT(arrived && full, "%s: %u arrived, %u ran out: both were wanted", planners[i], arrived,
                   full);
        test_case();
    }
}

enum { CROWD = 7 };

/* More agents than workspaces: those without one stand and say so, nobody waits for ever, and learners need
 * none. */
static void workspaces_are_shared(void) {
    static const char *const kinds[] = {"astar:k=5", "tba:k=3", "astar", "tba:k=10,trace=free", "tba"};
    uint64_t stood = 0; /* worlds where some waited for a workspace */
    for (uint64_t number = 0; number < 60; number++) {
        test_random random = {number};
        wend_world_options options = wend_default_world_options();
        options.workspaces = 1 + (uint32_t)number % 4;
        test_stage stage;
        if (test_stage_open(
                &stage, test_map_make(TEST_SHAPE_SPIRAL, 21, 21, test_rules((uint32_t)number), &random, NULL),
                &options)) {
            wend_agent *agents[CROWD] = {0};
            bool learner[CROWD], working[CROWD] = {0}, done[CROWD] = {0};
            uint64_t rounds = 0, standing = 0;
            uint32_t left = CROWD;
            bool good = true;
            for (int i = 0; i < CROWD; i++) {
                learner[i] = i == 2;
                agents[i] =
                    test_agent_make(&stage, learner[i] ? "rtaa" : kinds[(number + (uint64_t)i) % 5], NULL);
                if (!agents[i]) {
                    good = false;
                    continue;
                }
                wend_cell start = test_open_cell(stage.map, &random), goal = start;
                while (goal == start) goal = test_open_cell(stage.map, &random);
                CHECK(wend_agent_start(agents[i], start, goal, NULL) == WEND_OK);
            }
            for (; good && left && rounds < 30000; rounds++)
                for (int i = 0; i < CROWD; i++) {
                    if (done[i]) continue;
                    wend_step step = wend_agent_step(agents[i]);
                    bool worked = step.outcome == WEND_STEP_MOVED || step.expansions;
                    if (!worked && !working[i]) {
                        CHECK(!learner[i] && step.outcome == WEND_STEP_WAITING && !step.operations);
                        standing++;
                        continue;
                    }
                    working[i] = true;
                    uint32_t at_work = 0;
                    for (int j = 0; j < CROWD; j++) at_work += agents[j]->workspace != NULL;
                    CHECK(at_work <= options.workspaces);
                    /* Nobody steps an agent that has arrived: its workspace is free all the same. */
                    if (wend_agent_cell(agents[i]) == wend_agent_goal(agents[i]))
                        done[i] = true, working[i] = false, left--;
                }
            CHECK_THAT(!left, "world %llu: %u agents not there", (unsigned long long)number, left);
            stood += standing > 0;
            /* In any order; with a task under way or not. */
            if (good && number % 2) (void)wend_agent_start(agents[0], wend_agent_goal(agents[1]), 0, NULL);
            if (good && number % 2) (void)wend_agent_step(agents[0]);
            for (int i = 0; i < CROWD; i++) wend_agent_destroy(agents[number % 3 ? i : CROWD - 1 - i]);
            test_case();
        }
        test_stage_close(&stage);
    }
    CHECK(stood > 50);
}

/* A workspace that an agent had in an earlier task, and finds again in another with the same goal, is of no
 * use to it: the map has changed since. Two workspaces go round, the one given back last first. */
static void what_was_left_in_an_earlier_task(void) {
    static const char *const kinds[] = {"dstar-lite", "adaptive-astar", "tbaa:k=5", "dstar-lite:k=3"};
    enum { SIDE = 15 };
    const wend_cell west = 7 * SIDE, east = 7 * SIDE + SIDE - 1, inner = 3 * SIDE + 2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        test_random random = {i};
        wend_world_options options = wend_default_world_options();
        options.workspaces = 2, options.editable = true;
        test_stage stage;
        if (test_stage_open(&stage,
                            test_map_make(TEST_SHAPE_OPEN, SIDE, SIDE, wend_default_rules(), &random, NULL),
                            &options)) {
            wend_agent *agent = test_agent_make(&stage, kinds[i], NULL),
                       *other = test_agent_make(&stage, kinds[i], NULL);
            if (agent && other) {
                CHECK(wend_agent_start(other, west, inner, NULL) == WEND_OK);
                (void)wend_agent_step(other);          /* takes the one */
                for (int turn = 0; turn < 2; turn++) { /* the other one, twice */
                    CHECK(wend_agent_start(agent, west, east, NULL) == WEND_OK);
                    for (int step = 0; step < 1000 && wend_agent_cell(agent) != east; step++)
                        (void)wend_agent_step(agent);
                }
                CHECK(wend_agent_start(other, west, inner, NULL) == WEND_OK); /* gives it back */
                CHECK(wend_agent_start(agent, west, inner, NULL) == WEND_OK);
                (void)wend_agent_step(agent); /* takes that */
                CHECK(wend_world_edit(stage.world, (wend_rect){7, 1, 1, SIDE - 1}, false, NULL) == WEND_OK);
                for (int step = 0; step < 1000 && wend_agent_cell(agent) != inner; step++)
                    (void)wend_agent_step(agent);
                (void)wend_agent_step(other); /* and this one takes it again */
                CHECK(wend_agent_set_goal(agent, east, NULL) == WEND_OK);
                for (int step = 0; step < 1000 && wend_agent_cell(agent) != east; step++)
                    (void)wend_agent_step(agent);
                CHECK_THAT(wend_agent_cell(agent) == east, "%s stands at %u", kinds[i],
                           wend_agent_cell(agent));
            }
            wend_agent_destroy(agent);
            wend_agent_destroy(other);
            test_case();
        }
        test_stage_close(&stage);
    }
}

/* An agent that is destroyed or started again while it searches gives its workspace back. */
static void workspaces_come_back(void) {
    test_random random = {8};
    test_stage stage;
    wend_world_options options = wend_default_world_options();
    options.workspaces = 1;
    if (test_stage_open(&stage, test_map_make(TEST_SHAPE_COMB, 41, 41, wend_default_rules(), &random, NULL),
                        &options)) {
        wend_agent *second = test_agent_make(&stage, "tba", NULL);
        for (int turn = 0; second && turn < 200; turn++) {
            wend_agent *first = test_agent_make(&stage, turn % 2 ? "astar:k=2" : "tba:k=2", NULL);
            if (!first) break;
            wend_cell start = 0, goal = 40;
            CHECK(wend_agent_start(first, start, goal, NULL) == WEND_OK);
            CHECK(wend_agent_start(second, start, goal, NULL) == WEND_OK);
            for (int i = 0; i < 3; i++) (void)wend_agent_step(first);
            CHECK(wend_agent_step(second).outcome == WEND_STEP_WAITING && wend_agent_cell(second) == start);
            CHECK(wend_agent_starved(second) && !wend_agent_starved(first));
            CHECK(!wend_agent_plan(second, 100) && !wend_agent_counters(second).expansions);
            if (turn % 3 == 0) CHECK(wend_agent_start(first, start, start, NULL) == WEND_OK);
            if (turn % 3 == 1) CHECK(wend_agent_start(first, goal, start, NULL) == WEND_OK);
            if (turn % 3 == 2) {
                wend_agent_destroy(first);
                first = NULL;
            }
            CHECK(wend_agent_step(second).expansions > 0 && !wend_agent_starved(second));
            wend_agent_destroy(first);
            test_case();
        }
        wend_agent_destroy(second);
    }
    test_stage_close(&stage);
}

/* Creating a world and an agent with each request for memory refused in turn: WEND_STATUS_NO_MEMORY, nothing
 * left behind, and a second attempt in the same world works. */
static void refusals_leave_nothing_behind(void) {
    for (size_t i = 0; i < test_all_planner_count(); i++) {
        test_random random = {i};
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 30, 30, wend_default_rules(), &random, NULL);
        const wend_settings *settings = NULL;
        if (!CHECK(map && test_settings_parse(test_planner(i), &settings, NULL) == WEND_OK)) continue;
        bool all = false;
        for (uint64_t refused = 1; !all && refused < 100; refused++) {
            test_memory memory = {.refuse_at = refused};
            wend_world_options options = wend_default_world_options();
            wend_agent_options agent_options = wend_default_agent_options();
            options.allocator = test_allocator(&memory);
            options.workspaces = 2;
            wend_world *world = NULL;
            wend_agent *agent = NULL;
            wend_error error = {0};
            wend_status status = wend_world_create(map, &options, &world, &error);
            if (status == WEND_OK)
                status = wend_agent_create(world, settings, &agent_options, &agent, &error);
            all = memory.requests < refused;
            CHECK_THAT(status == (all ? WEND_OK : WEND_STATUS_NO_MEMORY), "%s, request %llu: %s",
                       test_planner(i), (unsigned long long)refused, wend_status_text(status));
            CHECK(!agent == !all && (all || error.message[0]));
            if (world && !all) {
                CHECK(wend_agent_create(world, settings, &agent_options, &agent, NULL) == WEND_OK);
                CHECK(wend_world_bytes(world) + (agent ? wend_agent_bytes(agent) : 0) <= memory.live_bytes);
            }
            if (agent) {
                wend_cell start = test_open_cell(map, &random);
                CHECK(wend_agent_start(agent, start, test_open_cell(map, &random), NULL) == WEND_OK);
                for (int step = 0; step < 20; step++) (void)wend_agent_step(agent);
            }
            wend_agent_destroy(agent);
            wend_world_destroy(world);
            CHECK_THAT(memory.live_blocks == 0 && memory.wrong_sizes == 0,
                       "%s, request %llu: %llu blocks left", test_planner(i), (unsigned long long)refused,
                       (unsigned long long)memory.live_blocks);
            test_case();
        }
        CHECK(all);
        wend_map_destroy(map);
    }
}

/* What is said to be set aside is what was taken. */
static void bytes_are_those_taken(void) {
    for (size_t i = 0; i < test_all_planner_count(); i++) {
        test_random random = {i};
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 50, 40, wend_default_rules(), &random, NULL);
        test_memory memory = {0};
        wend_world_options options = wend_default_world_options();
        options.allocator = test_allocator(&memory);
        options.workspaces = 3;
        test_stage stage;
        if (test_stage_open(&stage, map, &options)) {
            CHECK_THAT(wend_world_bytes(stage.world) == memory.live_bytes, "an empty world: %zu, taken %llu",
                       wend_world_bytes(stage.world), (unsigned long long)memory.live_bytes);
            wend_agent *agent = test_agent_make(&stage, test_planner(i), NULL);
            if (agent)
                CHECK_THAT(wend_world_bytes(stage.world) + wend_agent_bytes(agent) == memory.live_bytes,
                           "%s: %zu and %zu, taken %llu", test_planner(i), wend_world_bytes(stage.world),
                           wend_agent_bytes(agent), (unsigned long long)memory.live_bytes);
            wend_agent_destroy(agent);
            test_case();
        }
        test_stage_close(&stage);
        CHECK(memory.live_blocks == 0);
    }
}

/* What was in use counts, also if the search was given up before a move was made. */
static void the_peak_outlives_a_change(void) {
    test_random random = {4};
    test_stage stage;
    if (test_stage_open(&stage, test_map_make(TEST_SHAPE_COMB, 61, 61, wend_default_rules(), &random, NULL),
                        NULL)) {
        static const char *const planners[] = {"astar:k=1", "tba:k=1", "lss-lrta:k=3000", "rtaa:k=3000"};
        for (size_t i = 0; i < sizeof planners / sizeof *planners; i++)
            for (int placed = 0; placed < 2; placed++) {
                wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
                if (!agent) continue;
                CHECK(wend_agent_start(agent, 0, 60, NULL) == WEND_OK && wend_agent_plan(agent, 1));
                (void)wend_agent_move(agent);
                uint64_t small = wend_agent_counters(agent).peak_bytes;
                (void)wend_agent_plan(agent, 2000);
                uint64_t expanded = wend_agent_counters(agent).expansions;
                CHECK(placed ? wend_agent_place(agent, 0, NULL) == WEND_OK
                             : wend_agent_set_goal(agent, 58, NULL) == WEND_OK);
                CHECK_THAT(expanded > 1000 && wend_agent_counters(agent).peak_bytes > small + expanded,
                           "%s: %llu expansions, %llu bytes before and %llu after", planners[i],
                           (unsigned long long)expanded, (unsigned long long)small,
                           (unsigned long long)wend_agent_counters(agent).peak_bytes);
                wend_agent_destroy(agent);
                test_case();
            }
    }
    test_stage_close(&stage);
}

/* A new task costs the same on any map: a million of them on a large one would take hours if each cleared
 * anything the size of the map. */
static void starting_again_clears_nothing(void) {
    test_random random = {2};
    test_stage stage;
    if (test_stage_open(
            &stage, test_map_make(TEST_SHAPE_OPEN, 1000, 1000, wend_default_rules(), &random, NULL), NULL)) {
        static const char *const planners[] = {"astar:k=1", "jps:k=1", "tba:k=1", "lrta", "rtaa:k=1"};
        for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
            wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
            uint64_t moves = 0;
            for (uint32_t task = 0; agent && task < 200000; task++) {
                CHECK(wend_agent_start(agent, task, 999999 - task, NULL) == WEND_OK);
                for (int step = 0; step < 2; step++)
                    moves += wend_agent_step(agent).outcome == WEND_STEP_MOVED;
            }
            CHECK(test_is_planner(planners[i], "astar") ? moves == 0 : moves >= 200000);
            wend_agent_destroy(agent);
            test_case();
        }
    }
    test_stage_close(&stage);
}

static const test tests[] = {
    {"a cap on cells is an outcome", a_cap_on_cells_is_an_outcome},
    {"a larger cap takes more memory", a_larger_cap_takes_more_memory},
    {"a cap on the queue is an outcome", a_cap_on_the_queue_is_an_outcome},
    {"workspaces are shared", workspaces_are_shared},
    {"what was left in an earlier task", what_was_left_in_an_earlier_task},
    {"workspaces come back", workspaces_come_back},
    {"refusals leave nothing behind", refusals_leave_nothing_behind},
    {"bytes are those taken", bytes_are_those_taken},
    {"the peak outlives a change", the_peak_outlives_a_change},
    {"starting again clears nothing", starting_again_clears_nothing},
};

TEST_MAIN(tests)
