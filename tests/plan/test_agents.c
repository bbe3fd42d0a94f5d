/* The contract of agents: every planner arrives where a path exists, moves legally, says how it ended, and
 * counts what it did. */
#include "support/agents/agents.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* Every planner on maps of every shape and rules. The steps are checked one by one in support/agents/agents.c. */
static void every_planner_arrives(void) {
    uint64_t arrived = 0, unreachable = 0;
    for (uint64_t number = 0; number < 360; number++) {
        test_random random = {number};
        test_stage stage;
        if (test_stage_any(&stage, number) && wend_map_open_cells(stage.map))
            for (size_t i = 0; i < test_all_planner_count(); i++) {
                wend_agent *agent = test_agent_make(&stage, test_planner(i), NULL);
                if (agent) {
                    wend_cell start = test_open_cell(stage.map, &random);
                    wend_cell goal = test_open_cell(stage.map, &random);
                    test_walk walk = test_walk_checked(&stage, agent, test_planner(i), start, goal);
                    if (walk.end == WEND_STEP_ARRIVED) arrived++;
                    if (walk.end == WEND_STEP_UNREACHABLE) unreachable++;
                    bool optimal = test_is_optimal(test_planner(i));
                    if (walk.end == WEND_STEP_ARRIVED)
                        CHECK_THAT(!optimal || walk.cost == stage.left[start],
                                   "%s on map %llu: not a shortest path", test_planner(i),
                                   (unsigned long long)stage.number);
                    if (walk.moves && test_is_whole_map(test_planner(i)))
                        CHECK_THAT(wend_agent_counters(agent).searches == 1, "%s on map %llu: %llu searches",
                                   test_planner(i), (unsigned long long)stage.number,
                                   (unsigned long long)wend_agent_counters(agent).searches);
                }
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
    CHECK_THAT(arrived > 5000 && unreachable > 500, "%llu arrived, %llu unreachable: too few to mean much",
               (unsigned long long)arrived, (unsigned long long)unreachable);
}

static wend_status create(const test_stage *stage, const char *planner, const wend_agent_options *options,
                          wend_agent **agent, wend_error *error) {
    const wend_settings *settings = NULL;
    if (!CHECK(test_settings_parse(planner, &settings, NULL) == WEND_OK)) return WEND_OK;
    return wend_agent_create(stage->world, settings, options, agent, error);
}

static void wrong_calls_are_refused(void) {
    test_random random = {5};
    test_stage stage;
    wend_agent_options options = wend_default_agent_options(), forgotten = {0};
    wend_world_options zeroed = {0};
    if (test_stage_open(&stage, test_map_make(TEST_SHAPE_ROOMS, 20, 20, wend_default_rules(), &random, NULL),
                        NULL)) {
        wend_world *world;
        wend_agent *agent = NULL;
        wend_error error;
        CHECK(wend_world_create(NULL, NULL, &world, NULL) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_world_create(stage.map, &zeroed, &world, NULL) == WEND_STATUS_BAD_ARGUMENT && !world);
        test_case();
        CHECK(create(&stage, "rtaa", &forgotten, &agent, NULL) == WEND_STATUS_BAD_ARGUMENT && !agent);
        CHECK(wend_agent_create(stage.world, NULL, &options, &agent, NULL) == WEND_STATUS_BAD_ARGUMENT);
        const wend_settings *nothing; /* of a database, so of no planner */
        CHECK(test_db_settings_parse("cpd", &nothing, NULL) == WEND_OK);
        CHECK(wend_agent_create(stage.world, nothing, &options, &agent, NULL) == WEND_STATUS_BAD_ARGUMENT);
        test_case();
        error = (wend_error){0};
        CHECK(create(&stage, "lrta:d=2,gmax=3", &options, &agent, &error) == WEND_STATUS_BAD_ARGUMENT &&
              !agent);
        CHECK(strstr(error.message, "gmax"));
        error = (wend_error){0};
        CHECK(create(&stage, "lrta:gmax=1.4", &options, &agent, &error) == WEND_STATUS_BAD_ARGUMENT &&
              !agent);
        CHECK(strstr(error.message, "gmax"));
        wend_agent_destroy(NULL);
        wend_world_destroy(NULL);
        test_case();
    }
    test_stage_close(&stage);
}

/* Whatever is asked of an agent without a task, it stays as it is and says that it is idle. */
static void check_idle(wend_agent *agent) {
    wend_interval interval = {.expansions = 10};
    uint64_t hash = wend_agent_hash(agent);
    CHECK(!wend_agent_plan(agent, 10));
    wend_step steps[] = {wend_agent_step(agent), wend_agent_move(agent),
                         wend_agent_interval(agent, &interval), wend_agent_interval(agent, &interval)};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        CHECK(steps[i].outcome == WEND_STEP_IDLE && steps[i].direction == WEND_NO_DIRECTION &&
              !steps[i].expansions && !steps[i].operations);
    CHECK(wend_agent_cell(agent) == WEND_NO_CELL && wend_agent_goal(agent) == WEND_NO_CELL);
    CHECK(wend_agent_hash(agent) == hash && wend_agent_counters(agent).waits == 0);
}

/* Before its first task an agent is nowhere; bad ends are refused with words, and the old task goes on as if
 * nothing had been asked. */
static void bad_ends_are_refused(void) {
    for (size_t i = 0; i < test_all_planner_count(); i++) {
        const char *planner = test_planner(i);
        test_random random = {i};
        test_stage stage;
        if (test_stage_open(
                &stage,
                test_map_make(TEST_SHAPE_COMB, 15, 11, test_rules((uint32_t)i % TEST_RULES), &random, NULL),
                NULL)) {
            wend_cell start = 0, goal = 14, wall = 1, outside[] = {165, 1u << 30, WEND_NO_CELL};
            CHECK(!wend_map_is_open_cell(stage.map, wall) && wend_map_is_open_cell(stage.map, goal));
            wend_agent *agent = test_agent_make(&stage, planner, NULL),
                       *other = test_agent_make(&stage, planner, NULL);
            if (agent && other) {
                wend_error error = {0};
                check_idle(agent);
                CHECK(wend_agent_set_goal(agent, goal, &error) == WEND_STATUS_BAD_ARGUMENT &&
                      error.message[0]);
                CHECK(wend_agent_place(agent, goal, NULL) == WEND_STATUS_BAD_ARGUMENT);
                CHECK(wend_agent_start(agent, wall, goal, NULL) == WEND_STATUS_BLOCKED);
                check_idle(agent);
                test_case();
                CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                for (int steps = 0; steps < 40; steps++) {
                    (void)wend_agent_step(agent);
                    uint64_t hash = wend_agent_hash(agent);
                    error = (wend_error){0};
                    CHECK(wend_agent_start(agent, wall, start, &error) == WEND_STATUS_BLOCKED);
                    CHECK(error.status == WEND_STATUS_BLOCKED && strstr(error.message, "start"));
                    CHECK(wend_agent_start(agent, goal, wall, &error) == WEND_STATUS_BLOCKED);
                    CHECK(strstr(error.message, "goal"));
                    CHECK(wend_agent_set_goal(agent, wall, NULL) == WEND_STATUS_BLOCKED);
                    CHECK(wend_agent_place(agent, wall, NULL) == WEND_STATUS_BLOCKED);
                    for (int j = 0; j < 3; j++) {
                        CHECK(wend_agent_start(agent, outside[j], goal, NULL) == WEND_STATUS_OUTSIDE);
                        CHECK(wend_agent_start(agent, start, outside[j], NULL) == WEND_STATUS_OUTSIDE);
                        CHECK(wend_agent_set_goal(agent, outside[j], &error) == WEND_STATUS_OUTSIDE);
                        CHECK(wend_agent_place(agent, outside[j], NULL) == WEND_STATUS_OUTSIDE);
                    }
                    CHECK(wend_agent_hash(agent) == hash && wend_agent_goal(agent) == goal);
                }
                wend_counters asked = wend_agent_counters(agent);
                (void)wend_agent_start(agent, start, start, NULL); /* gives the workspace back */
                CHECK(wend_agent_start(other, start, goal, NULL) == WEND_OK);
                for (int steps = 0; steps < 40; steps++) (void)wend_agent_step(other);
                wend_counters unasked = wend_agent_counters(other);
                CHECK(memcmp(&asked, &unasked, sizeof asked) == 0);
                test_case();
            }
            wend_agent_destroy(other);
            wend_agent_destroy(agent);
        }
        test_stage_close(&stage);
    }
}

/* Two agents of the same settings, in worlds of their own, agree in their whole state after every step; one
 * of them has served hundreds of tasks before. What differs shows. */
static void runs_repeat(void) {
    for (size_t i = 0; i < test_all_planner_count(); i++)
        for (uint64_t number = 0; number < 12; number++) {
            const char *planner = test_planner(i);
            test_random random = {number + 100 * i};
            test_shape shape = number % 2 ? TEST_SHAPE_ROOMS : TEST_SHAPE_MAZE;
            test_random a_random = {number}, b_random = {number};
            test_stage a, b;
            bool open = test_stage_open(
                &a, test_map_make(shape, 17, 21, test_rules((uint32_t)number), &a_random, NULL), NULL);
            open =
                test_stage_open(
                    &b, test_map_make(shape, 17, 21, test_rules((uint32_t)number), &b_random, NULL), NULL) &&
                open;
            wend_agent *fresh = open ? test_agent_make(&a, planner, NULL) : NULL;
            wend_agent *used = open ? test_agent_make(&b, planner, NULL) : NULL;
            if (fresh && used) {
                for (int task = 0; task < 200; task++) {
                    wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
                    CHECK(wend_agent_start(used, start, goal, NULL) == WEND_OK);
                    for (uint32_t steps = test_below(&random, 20); steps > 0; steps--)
                        (void)wend_agent_step(used);
                }
                wend_cell start = test_open_cell(b.map, &random), goal = test_open_cell(b.map, &random);
                CHECK(wend_agent_start(fresh, start, goal, NULL) == WEND_OK);
                CHECK(wend_agent_start(used, start, goal, NULL) == WEND_OK);
                for (int steps = 0; steps < 300; steps++) {
                    CHECK_THAT(wend_agent_hash(fresh) == wend_agent_hash(used),
                               "%s: a used agent and a fresh one differ after %d steps", planner, steps);
                    uint64_t before = wend_agent_hash(fresh);
                    wend_step step = wend_agent_step(fresh), same = wend_agent_step(used);
                    CHECK(step.outcome == same.outcome && step.direction == same.direction &&
                          step.expansions == same.expansions && step.operations == same.operations);
                    if (step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING) break;
                    CHECK_THAT(wend_agent_hash(fresh) != before, "%s: a step does not show in the hash",
                               planner);
                }
                wend_cell elsewhere = test_open_cell(b.map, &random);
                if (elsewhere != goal) {
                    CHECK(wend_agent_set_goal(used, elsewhere, NULL) == WEND_OK);
                    CHECK(wend_agent_hash(fresh) != wend_agent_hash(used));
                }
                test_case();
            }
            wend_agent_destroy(fresh);
            wend_agent_destroy(used);
            test_stage_close(&a);
            test_stage_close(&b);
        }
}

/* An agent is started again, sent elsewhere and put elsewhere at any time, and steps in between: every step is
 * right all the same, and in the end it arrives. */
static void tasks_change_at_any_time(void) {
    for (uint64_t number = 0; number < 24; number++) {
        test_stage stage;
        if (test_stage_any(&stage, 1000 + number) && wend_map_open_cells(stage.map))
            for (size_t i = 0; i < test_all_planner_count(); i++) {
                const char *planner = test_planner(i);
                test_random random = {number + 1000 * i};
                wend_agent *agent = test_agent_make(&stage, planner, NULL);
                wend_cell goal = test_open_cell(stage.map, &random);
                test_walk walk = {0};
                bool ended = true;
                if (!agent) continue;
                CHECK(wend_agent_start(agent, goal, goal, NULL) == WEND_OK);
                memset(stage.been, 0, stage.grid.cells);
                stage.been[goal] = 1;
                for (int turn = 0; turn < 400; turn++) {
                    wend_cell cell = test_open_cell(stage.map, &random);
                    wend_counters before = wend_agent_counters(agent), zero = {0};
                    switch (test_below(&random, 12)) {
                    case 0:
                        CHECK(wend_agent_start(agent, cell, goal, NULL) == WEND_OK);
                        CHECK(wend_agent_cell(agent) == cell && wend_agent_goal(agent) == goal);
                        before = wend_agent_counters(agent);
                        CHECK(memcmp(&before, &zero, sizeof zero) == 0);
                        memset(stage.been, 0, stage.grid.cells);
                        stage.been[cell] = 1;
                        break;
                    case 1:
                    case 2:
                        CHECK(wend_agent_set_goal(agent, cell, NULL) == WEND_OK);
                        CHECK(wend_agent_goal(agent) == cell);
                        CHECK(wend_agent_counters(agent).moves == before.moves);
                        if (cell != goal) { /* revisits are counted on the way to one goal */
                            memset(stage.been, 0, stage.grid.cells);
                            stage.been[wend_agent_cell(agent)] = 1;
                        }
                        goal = cell;
                        break;
                    case 3:
                        if ((ended || wend_agent_cell(agent) == goal) && test_is_whole_map(planner))
                            break; /* its workspace remembers nothing */
                        CHECK(wend_agent_place(agent, cell, NULL) == WEND_OK);
                        CHECK(wend_agent_cell(agent) == cell && wend_agent_goal(agent) == goal);
                        stage.been[cell] = 1;
                        break;
                    default:
                        break;
                    }
                    wend_cell at = wend_agent_cell(agent);
                    before = wend_agent_counters(agent);
                    wend_step step = wend_agent_step(agent);
                    test_check_step(&stage, agent, planner, at, &before, step, &walk);
                    ended = step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING;
                    if (at == goal) CHECK(step.outcome == WEND_STEP_ARRIVED);
                    if (step.outcome == WEND_STEP_ARRIVED) CHECK(at == goal);
                    if (turn % 10 == 0) {
                        test_dijkstra(&stage.grid, goal, stage.left);
                        CHECK_THAT((step.outcome == WEND_STEP_UNREACHABLE) ==
                                       (stage.left[at] == WEND_NO_COST),
                                   "%s on map %llu: outcome %d", planner, (unsigned long long)stage.number,
                                   (int)step.outcome);
                    }
                }
                (void)test_walk_checked(&stage, agent, planner, wend_agent_cell(agent),
                                        test_open_cell(stage.map, &random));
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
}

/* The goal moves to a neighbour after every second step of the agent, so that it can be caught; and is. */
static void a_moving_goal_is_caught(void) {
    for (uint64_t number = 0; number < 12; number++) {
        test_random random = {number};
        test_stage stage;
        if (test_stage_open(
                &stage, test_map_make(TEST_SHAPE_OPEN, 18, 18, test_rules((uint32_t)number), &random, NULL),
                NULL))
            for (size_t i = 0; i < test_all_planner_count(); i++) {
                const char *planner = test_planner(i);
                wend_agent *agent = test_agent_make(&stage, planner, NULL);
                if (!agent) continue;
                /* With a small budget a search of the whole map never ends before the goal moves. */
                if (test_is_whole_map(planner) && wend_agent_budget(agent) != UINT64_MAX) {
                    wend_agent_destroy(agent);
                    continue;
                }
                wend_cell goal = test_open_cell(stage.map, &random);
                CHECK(wend_agent_start(agent, test_open_cell(stage.map, &random), goal, NULL) == WEND_OK);
                int steps = 0;
                for (; steps < 2000 && wend_agent_cell(agent) != goal; steps++) {
                    CHECK(wend_agent_step(agent).outcome == WEND_STEP_MOVED);
                    if (steps % 2 == 0 || wend_agent_cell(agent) == goal) continue;
                    wend_cell next = test_next(&stage.grid, goal, (int)test_below(&random, 8));
                    if (next == WEND_NO_CELL) continue;
                    goal = next;
                    CHECK(wend_agent_set_goal(agent, goal, NULL) == WEND_OK);
                }
                CHECK_THAT(wend_agent_cell(agent) == goal, "%s: not caught", planner);
                CHECK(wend_agent_counters(agent).moves == (uint64_t)steps);
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
}

/* The hash of an agent after some steps, made from this text; 0 if it is not made. */
static uint64_t hash_after(const test_stage *stage, const char *text, const wend_db *db, wend_error *error) {
    wend_agent_options options = wend_default_agent_options();
    wend_agent *agent = NULL;
    options.db = db;
    wend_status status = create(stage, text, &options, &agent, error);
    CHECK(status == (db ? WEND_OK : WEND_STATUS_BAD_ARGUMENT) && (agent != NULL) == (db != NULL));
    if (!agent) return 0;
    CHECK(wend_agent_start(agent, 0, 24 * 24 - 1, NULL) == WEND_OK);
    for (int step = 0; step < 30; step++) (void)wend_agent_step(agent);
    uint64_t hash = wend_agent_hash(agent);
    wend_agent_destroy(agent);
    return hash;
}

/* The text of a planner need not name a database that the options give, for agents and squads. */
static void a_database_in_the_options_is_enough(void) {
    uint32_t needy = 0;
    test_stage stage;
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 24, 24, wend_default_rules(), NULL, NULL);
    CHECK(map && wend_map_edit(map, (wend_rect){8, 2, 1, 20}, false, NULL) == WEND_OK);
    if (!test_stage_open(&stage, map, NULL)) return;
    for (size_t i = 0; i < wend_planner_count(); i++) {
        const wend_method_info *planner = wend_planner_at(i);
        bool needs = false;
        for (size_t j = 0; j < planner->key_count; j++)
            needs = needs || (planner->keys[j].required && strcmp(planner->keys[j].name, "db") == 0);
        if (!needs) continue;
        needy++;
        char named[64];
        (void)snprintf(named, sizeof named, "%s:db=x", planner->name);
        wend_db *db = test_db_build(stage.map, planner->name, 1);
        const wend_settings *settings;
        wend_fleet *fleet = NULL;
        wend_squad_options options = wend_default_squad_options();
        wend_error error = {.message = ""};
        uint32_t squad;
        CHECK_THAT(hash_after(&stage, planner->name, db, NULL) == hash_after(&stage, named, db, NULL), "%s",
                   planner->name);
        (void)hash_after(&stage, planner->name, NULL, &error);
        CHECK_THAT(strstr(error.message, "needs a database"), "%s: %s", planner->name, error.message);
        CHECK(test_settings_parse(planner->name, &settings, NULL) == WEND_OK);
        if (CHECK(wend_fleet_create(stage.map, NULL, &fleet, NULL) == WEND_OK)) {
            CHECK(wend_fleet_add_squad(fleet, settings, &options, &squad, &error) ==
                  WEND_STATUS_BAD_ARGUMENT);
            options.agent.db = db;
            CHECK(wend_fleet_add_squad(fleet, settings, &options, &squad, NULL) == WEND_OK);
        }
        wend_fleet_destroy(fleet);
        wend_db_close(db);
        test_case();
    }
    CHECK(needy >= 7);
    test_stage_close(&stage);
}

static const test tests[] = {
    {"every planner arrives", every_planner_arrives},
    {"wrong calls are refused", wrong_calls_are_refused},
    {"a database in the options is enough", a_database_in_the_options_is_enough},
    {"bad ends are refused", bad_ends_are_refused},
    {"runs repeat", runs_repeat},
    {"tasks change at any time", tasks_change_at_any_time},
    {"a moving goal is caught", a_moving_goal_is_caught},
};

TEST_MAIN(tests)
