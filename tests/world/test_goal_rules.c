/* Goals that are blocked or out of reach: agents and members of all planners go to the nearest cell that they can
 * reach, as a look at every cell has it, or wait until a way opens. */
#include "support/agents/agents.h"
#include "support/agents/fleets.h"
#include "support/check.h"

#include <stdlib.h>
#include <wend/wend.h>

/* By a look at every cell. */
static wend_cell judged_nearest(const wend_map *map, wend_cell from, wend_cell goal) {
    test_grid grid = test_grid_of(map);
    uint8_t *reached = malloc(grid.cells);
    wend_cell best = WEND_NO_CELL;
    (void)test_flood(&grid, from, reached);
    for (wend_cell cell = 0; cell < grid.cells; cell++)
        if (reached[cell] &&
            (best == WEND_NO_CELL || test_distance(&grid, cell, goal) < test_distance(&grid, best, goal)))
            best = cell;
    free(reached);
    test_grid_free(&grid);
    return best;
}

static bool opened(test_stage *stage, uint64_t number, bool editable) {
    wend_world_options options = wend_default_world_options();
    options.editable = editable, options.touch_bytes = 0;
    wend_map *map = test_map_any(number);
    stage->number = number;
    if (!CHECK(map != NULL)) return false;
    if (wend_map_open_cells(map)) return test_stage_open(stage, map, &options);
    wend_map_destroy(map);
    return false;
}

static wend_agent *made(const test_stage *stage, const char *planner, wend_goal_rule rule) {
    wend_agent_options options = wend_default_agent_options();
    options.goals = rule;
    return test_agent_make(stage, planner, &options);
}

/* A step: legal, within its bound, and never the word that there is no way. */
static wend_step stepped(wend_agent *agent, const wend_map *map) {
    wend_cell before = wend_agent_cell(agent);
    wend_step made = wend_agent_step(agent);
    CHECK(made.outcome == WEND_STEP_MOVED || made.outcome == WEND_STEP_WAITING ||
          made.outcome == WEND_STEP_ARRIVED);
    if (made.outcome == WEND_STEP_MOVED)
        CHECK(wend_map_next(map, before, made.direction) == wend_agent_cell(agent));
    else
        CHECK(wend_agent_cell(agent) == before);
    CHECK(made.operations <= wend_agent_bound(agent, wend_agent_budget(agent)));
    return made;
}

/* Steps until it has arrived and stays so. */
static bool arrives(wend_agent *agent, const wend_map *map) {
    for (uint32_t i = 0; i < 400000; i++)
        if (stepped(agent, map).outcome == WEND_STEP_ARRIVED) return true;
    return false;
}

static void agents_go_as_near_as_they_can(void) {
    uint32_t elsewhere = 0;
    for (uint64_t number = 0; number < test_some(700); number++) {
        const char *planner = test_planner(number % test_planner_count());
        test_random random = {number};
        test_stage stage = {0};
        wend_agent *agent = NULL;
        if (opened(&stage, number, false) && test_is_sure(planner))
            agent = made(&stage, planner, WEND_GOAL_NEAREST);
        for (int i = 0; agent && i < 3; i++) {
            wend_cell goal = test_below(&random, wend_map_cells(stage.map));
            wend_cell from = i == 1 ? wend_agent_cell(agent) : test_open_cell(stage.map, &random);
            if (i == 1)
                CHECK(wend_agent_set_goal(agent, goal, NULL) == WEND_OK);
            else
                CHECK(wend_agent_start(agent, from, goal, NULL) == WEND_OK);
            wend_cell best = judged_nearest(stage.map, from, goal);
            CHECK_THAT(arrives(agent, stage.map) && wend_agent_cell(agent) == best,
                       "%s, map %u: on %u, not %u, for %u", planner, (unsigned)number, wend_agent_cell(agent),
                       best, goal);
            CHECK(wend_agent_goal(agent) == best && wend_agent_wanted(agent) == goal);
            CHECK(wend_agent_start(agent, from, wend_map_cells(stage.map), NULL) == WEND_STATUS_OUTSIDE);
            elsewhere += best != goal;
        }
        wend_agent_destroy(agent);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(elsewhere >= test_some(300), "%u went elsewhere", elsewhere);
    test_case();
}

/* Edits in most ticks, that are settled or not; then everything comes to rest, and it stands as near as it can. */
static void edits_change_what_is_near(void) {
    uint32_t elsewhere = 0;
    for (uint64_t number = 0; number < test_some(500); number++) {
        const char *planner = test_planner(number % test_planner_count());
        test_random random = {number};
        test_stage stage = {0};
        wend_agent *agent = NULL;
        if (opened(&stage, number, true) && test_is_sure(planner))
            agent = made(&stage, planner, WEND_GOAL_NEAREST);
        wend_cell goal = test_below(&random, agent ? wend_map_cells(stage.map) : 1);
        if (agent) CHECK(wend_agent_start(agent, test_open_cell(stage.map, &random), goal, NULL) == WEND_OK);
        const wend_map *map = agent ? wend_world_map(stage.world) : NULL;
        for (int i = 0; agent && i < 60; i++) {
            wend_xy at = {(int32_t)test_below(&random, (uint32_t)wend_map_width(map)),
                          (int32_t)test_below(&random, (uint32_t)wend_map_height(map))};
            wend_rect area = {at.x, at.y, 1 + (int32_t)test_below(&random, 3),
                              1 + (int32_t)test_below(&random, 3)};
            if (test_below(&random, 3))
                (void)wend_world_edit(stage.world, area, test_below(&random, 2), NULL);
            if (test_below(&random, 3)) (void)wend_world_settle(stage.world, test_below(&random, 500));
            if (test_below(&random, 20) == 0) goal = test_below(&random, wend_map_cells(map));
            if (test_below(&random, 4) == 0) CHECK(wend_agent_set_goal(agent, goal, NULL) == WEND_OK);
            goal = wend_agent_wanted(agent);
            (void)stepped(agent, map);
        }
        if (agent) CHECK(wend_world_settle(stage.world, UINT64_MAX));
        if (agent && wend_map_is_open_cell(map, wend_agent_cell(agent))) {
            wend_cell best = judged_nearest(map, wend_agent_cell(agent), goal);
            CHECK_THAT(arrives(agent, map) && wend_agent_cell(agent) == best,
                       "%s, map %u: on %u, not %u, for %u", planner, (unsigned)number, wend_agent_cell(agent),
                       best, goal);
            elsewhere += best != goal;
        }
        wend_agent_destroy(agent);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(elsewhere >= test_some(50), "%u went elsewhere", elsewhere);
    test_case();
}

/* It stands while there is no way, and walks once there is one. */
static void agents_wait_for_a_way(void) {
    uint32_t waited = 0;
    for (uint64_t number = 0; number < test_some(500); number++) {
        const char *planner = test_planner(number % test_planner_count());
        test_random random = {number};
        test_stage stage = {0};
        wend_agent *agent = NULL;
        if (opened(&stage, number, true) && test_is_sure(planner))
            agent = made(&stage, planner, WEND_GOAL_WAIT);
        const wend_map *map = agent ? wend_world_map(stage.world) : NULL;
        const bool settles = number % 2;
        wend_cell start = agent ? test_open_cell(map, &random) : 0;
        wend_cell goal = test_below(&random, agent ? wend_map_cells(map) : 1);
        if (agent) {
            CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
            bool reached = judged_nearest(map, start, goal) == goal;
            waited += !reached;
            for (int i = 0; !reached && i < 20; i++) {
                CHECK(stepped(agent, map).outcome == WEND_STEP_WAITING);
                CHECK(wend_agent_stranded(agent) && !wend_agent_starved(agent));
            }
            const wend_rect all = {0, 0, wend_map_width(map), wend_map_height(map)};
            CHECK(wend_world_edit(stage.world, all, true, NULL) == WEND_OK);
            if (settles) CHECK(wend_world_settle(stage.world, UINT64_MAX));
            CHECK_THAT(arrives(agent, map) && wend_agent_cell(agent) == goal, "%s, map %u", planner,
                       (unsigned)number);
        }
        wend_agent_destroy(agent);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(waited >= test_some(150), "%u waited", waited);
    test_case();
}

enum { MEMBERS = 24 };

/* Squads of several planners and of both rules, edits, then rest: every member stands as near as it can, or on its
 * goal, or waits for a way. */
static void members_follow_their_rule(void) {
    static const char *const planners[] = {"tba:k=20",        "astar", "rtaa",
                                           "dstar-lite:k=10", "lrta",  "adaptive-astar"};
    uint32_t elsewhere = 0, waiting = 0;
    for (uint64_t number = 0; number < test_some(120); number++) {
        test_random random = {number};
        wend_map *map = test_map_any(number);
        if (!CHECK(map != NULL) || wend_map_open_cells(map) == 0) {
            wend_map_destroy(map);
            continue;
        }
        wend_fleet_options options = wend_default_fleet_options();
        options.editable = number % 3, options.max_members = MEMBERS, options.touch_bytes = 0;
        options.workspaces = number % 2 ? 4 : 0, options.lanes = 2;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_member members[MEMBERS];
        wend_cell wanted[MEMBERS];
        wend_goal_rule rules[MEMBERS];
        for (uint32_t i = 0; i < MEMBERS; i++) {
            wend_squad_options with = wend_default_squad_options();
            uint32_t squad = 0;
            with.agent.goals = rules[i] = i % 2 ? WEND_GOAL_NEAREST : WEND_GOAL_WAIT;
            CHECK(test_fleet_squad(fleet, planners[i / 2 % 6], &with, &squad) == WEND_OK);
            wanted[i] = test_below(&random, wend_map_cells(map));
            CHECK(wend_fleet_add(fleet, squad, test_open_cell(map, &random), &members[i], NULL) == WEND_OK);
            CHECK(wend_fleet_request(fleet, members[i], wanted[i], NULL, NULL) == WEND_OK);
        }
        const wend_map *now = wend_fleet_map(fleet, 1);
        for (int i = 0; options.editable && i < 40; i++) {
            wend_rect area = {(int32_t)test_below(&random, (uint32_t)wend_map_width(map)),
                              (int32_t)test_below(&random, (uint32_t)wend_map_height(map)), 1, 1};
            CHECK(wend_fleet_edit(fleet, area, test_below(&random, 2), NULL) == WEND_OK);
            (void)wend_fleet_tick(fleet);
        }
        wend_tick tick = {.active = 1, .thinking = 0};
        for (int i = 0; i < 20000 && (tick.active != tick.thinking || !tick.settled); i++)
            tick = wend_fleet_tick(fleet);
        for (int i = 0; i < 400; i++) tick = wend_fleet_tick(fleet);
        CHECK_THAT(tick.active == tick.thinking, "map %u: somebody walks for ever", (unsigned)number);
        for (wend_event event; wend_fleet_event(fleet, &event);) CHECK(event.kind != WEND_EVENT_UNREACHABLE);
        for (uint32_t i = 0; i < MEMBERS; i++) {
            wend_member_info info;
            CHECK(wend_fleet_member(fleet, members[i], &info));
            if (info.doing == WEND_DOING_NOTHING) {
                /* It may have arrived before an edit. */
                if (!options.editable)
                    CHECK(
                        info.cell ==
                        (rules[i] == WEND_GOAL_WAIT ? wanted[i] : judged_nearest(map, info.cell, wanted[i])));
                elsewhere += info.cell != wanted[i];
                continue;
            }
            CHECK(info.doing == WEND_DOING_WAITING && info.wanted == wanted[i]);
            bool walled_in = !wend_map_is_open_cell(now, info.cell);
            CHECK(walled_in || rules[i] == WEND_GOAL_WAIT);
            CHECK(walled_in || judged_nearest(now, info.cell, wanted[i]) != wanted[i]);
            waiting++;
        }
        wend_fleet_destroy(fleet);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(elsewhere >= test_some(200) && waiting >= test_some(200), "%u elsewhere, %u waiting",
               elsewhere, waiting);
    test_case();
}

static void what_is_refused(void) {
    test_stage stage = {0};
    test_random random = {3};
    CHECK(test_stage_open(&stage, test_map_make(TEST_SHAPE_OPEN, 9, 9, wend_default_rules(), &random, NULL),
                          NULL));
    wend_settings *astar = NULL;
    wend_knowledge *knowledge = NULL;
    wend_agent *agent = NULL;
    wend_error error = {0};
    CHECK(wend_settings_parse("astar", NULL, &astar, NULL) == WEND_OK);
    CHECK(wend_knowledge_create(stage.world, NULL, &knowledge, NULL) == WEND_OK);
    wend_agent_options options = wend_default_agent_options();
    options.goals = (wend_goal_rule)3;
    CHECK(wend_agent_create(stage.world, astar, &options, &agent, &error) == WEND_STATUS_BAD_ARGUMENT &&
          !agent);
    options.goals = WEND_GOAL_NEAREST, options.knowledge = knowledge;
    CHECK(wend_agent_create(stage.world, astar, &options, &agent, &error) == WEND_STATUS_UNSUPPORTED &&
          !agent && error.message[0]);
    options.goals = WEND_GOAL_WAIT;
    CHECK(wend_agent_create(stage.world, astar, &options, &agent, &error) == WEND_OK);
    wend_agent_destroy(agent);
    wend_knowledge_destroy(knowledge);
    wend_settings_destroy(astar);
    test_stage_close(&stage);
    test_case();
}

static const test tests[] = {
    {"agents_go_as_near_as_they_can", agents_go_as_near_as_they_can},
    {"edits_change_what_is_near", edits_change_what_is_near},
    {"agents_wait_for_a_way", agents_wait_for_a_way},
    {"members_follow_their_rule", members_follow_their_rule},
    {"what_is_refused", what_is_refused},
};
TEST_MAIN(tests)
