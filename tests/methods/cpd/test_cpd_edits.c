/* The planner cpd on a map that is edited: every step is held against the truth of the moment in
 * support/agents/terrain.c, with and without a repair that goes on in the background, and with moving
 * goals. */
#include "support/agents/terrain.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* The terrain, a database of it as it was, and a repair of that, or none. */
typedef struct ground {
    const char *kind; /* of the database; NULL: cpd */
    test_terrain terrain;
    wend_db *db;
    wend_repair *repair;
} ground;

static bool open_ground(ground *it, wend_map *map, test_belief belief, uint32_t radius, uint64_t number,
                        bool repaired) {
    it->db = NULL, it->repair = NULL;
    if (!test_terrain_open(&it->terrain, map, belief, radius, number)) return false;
    /* Of what is believed at first: the map itself, where it is known. */
    const wend_map *base = it->terrain.knowledge ? it->terrain.first : it->terrain.stage.map;
    it->db = test_db_build(base, it->kind ? it->kind : "cpd", 1);
    const wend_map *followed = it->terrain.knowledge ? wend_knowledge_map(it->terrain.knowledge)
                                                     : wend_world_map(it->terrain.stage.world);
    wend_repair_options options = wend_default_repair_options();
    return it->db &&
           (!repaired || CHECK(wend_repair_create(it->db, followed, &options, &it->repair, NULL) == WEND_OK));
}

static bool any_ground(ground *it, uint64_t number, int32_t side, test_belief belief, bool repaired) {
    test_random random = {number * 31 + 7};
    int32_t width = 1 + (int32_t)test_below(&random, (uint32_t)side),
            height = 1 + (int32_t)test_below(&random, (uint32_t)side);
    wend_map *map = test_map_make((test_shape)(number % TEST_SHAPES), width, height,
                                  test_rules((uint32_t)(number / TEST_SHAPES)), &random, NULL);
    return open_ground(it, map, belief, 1 + test_below(&random, 3), number, repaired);
}

static void close_ground(ground *it) {
    wend_repair_destroy(it->repair);
    wend_db_close(it->db); /* before its map */
    test_terrain_close(&it->terrain);
}

static wend_agent *agent_on(const ground *it, const char *planner) {
    wend_agent_options options = wend_default_agent_options();
    options.knowledge = it->terrain.knowledge;
    options.db = it->db, options.repair = it->repair;
    return test_agent_make(&it->terrain.stage, planner, &options);
}

static bool start(ground *it, test_trek *trek, wend_agent *agent, const char *planner, wend_cell from,
                  wend_cell to) {
    bool good = test_trek_start(&it->terrain, trek, agent, planner, from, to);
    trek->crowded = true; /* where it has been is known while it has a workspace only */
    return good;
}

static void repair_on(const ground *it, uint64_t operations) {
    bool done;
    if (it->repair) CHECK(wend_repair_step(it->repair, operations, &done, NULL) == WEND_OK);
}

/* A search between two moves of the database takes at most as long as TBA*'s, and there is at most one for
 * each cell: far more than it ever needs, and an end all the same. */
static uint64_t most_steps(const ground *it) {
    uint64_t cells = it->terrain.stage.grid.cells;
    return (12 * cells + 2) * (cells + 2);
}

/* Once nothing changes any more: as the truth is; those who do not know it, as they believe. */
static void check_end(ground *it, test_trek *trek, const char *when) {
    test_terrain *terrain = &it->terrain;
    wend_cell goal = wend_agent_goal(trek->agent), from = wend_agent_cell(trek->agent);
    bool path = from == goal || test_terrain_joined(terrain, &terrain->stage.grid, from, goal);
    wend_outcome end = test_trek_go(terrain, trek, most_steps(it));
    if (!terrain->knowledge)
        CHECK_THAT(end == (path ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE),
                   "map %llu from %u to %u, %s: outcome %d, and there is %s path",
                   (unsigned long long)terrain->stage.number, from, goal, when, (int)end, path ? "a" : "no");
    else
        CHECK_THAT(end == WEND_STEP_ARRIVED || end == WEND_STEP_UNREACHABLE, "map %llu, %s: outcome %d",
                   (unsigned long long)terrain->stage.number, when, (int)end);
    if (!path) CHECK(end != WEND_STEP_ARRIVED);
}

static void settle(const ground *it) {
    for (int i = 0; i < 100000 && !wend_world_settle(it->terrain.stage.world, 500); i++) {
    }
}

/* Edits anywhere and at any time, some between a plan and its move, with goals that move in some runs. */
static void edit_script(uint64_t number, test_belief belief, bool repaired, const char *kind,
                        const char *own) {
    static const char *const planners[] = {"cpd:db=x", "cpd:k=1,db=x", "cpd:k=5,db=x",
                                           "cpd:k=unlimited,db=x"};
    const char *planner = own ? own : planners[number % 4];
    ground it = {.kind = kind};
    test_random random = {number};
    test_trek trek;
    wend_cell from, to;
    bool good = any_ground(&it, number, 20, belief, repaired) &&
                test_terrain_problem(&it.terrain, &random, &from, &to);
    wend_agent *agent = good ? agent_on(&it, planner) : NULL;
    if (agent && start(&it, &trek, agent, planner, from, to)) {
        uint32_t rarely = test_below(&random, 3) ? 1 + test_below(&random, 12) : 1;
        bool settles = test_below(&random, 2), moves_goals = test_below(&random, 4) == 0;
        for (int tick = 0; tick < 90; tick++) {
            if (test_below(&random, rarely) == 0) test_terrain_edit_any(&it.terrain, agent, &random);
            if (settles) (void)wend_world_settle(it.terrain.stage.world, test_below(&random, 300));
            repair_on(&it, test_below(&random, 20000));
            if (moves_goals && test_below(&random, 5) == 0) {
                wend_cell goal;
                if (test_terrain_problem(&it.terrain, &random, &from, &goal) &&
                    wend_agent_set_goal(agent, goal, NULL) == WEND_OK)
                    test_trek_changed(&it.terrain, &trek, true);
            }
            if (test_below(&random, 3) == 0) { /* between its plan and its move */
                wend_cell before = wend_agent_cell(agent);
                (void)wend_agent_plan(agent, wend_agent_budget(agent));
                test_trek_looked(&it.terrain, &trek);
                test_terrain_edit_any(&it.terrain, agent, &random);
                test_trek_check(&it.terrain, &trek, before, wend_agent_move(agent));
            } else {
                (void)test_trek_step(&it.terrain, &trek);
            }
        }
        if (test_below(&random, 2)) settle(&it);
        test_trek_changed(&it.terrain, &trek, false);
        check_end(&it, &trek, "after the edits");
        if (!it.terrain.knowledge) { /* all is opened: whatever was shut is found */
            wend_rect all = {0, 0, it.terrain.stage.grid.width, it.terrain.stage.grid.height};
            test_terrain_edit(&it.terrain, all, true);
            check_end(&it, &trek, "with all open");
        }
    }
    wend_agent_destroy(agent);
    close_ground(&it);
    test_case();
}

static void any_script_of_edits(void) {
    const uint64_t scripts = test_full() ? 6000 : test_some(700);
    for (uint64_t number = 0; number < scripts; number++) {
        edit_script(number, number % 4 == 3 ? TEST_PARTIAL : TEST_KNOWN, number % 3 == 0, NULL, NULL);
    }
}

/* The paper's own forms have no repair: agents go on with what the map was, and arrive all the same. */
static void any_script_with_the_papers_forms(void) {
    static const struct {
        const char *kind, *planner;
    } forms[] = {{"cpd:encoding=rectangles", NULL},
                 {"cpd:encoding=rectangles,ties=label", NULL},
                 {"quadtree", "quadtree:k=3,db=x"},
                 {"quadtree", NULL}, /* which cpd takes as well */
                 {"upd", "upd:db=x"},
                 {"upd", "upd:k=unlimited,db=x"}};
    const uint64_t count = sizeof forms / sizeof *forms, scripts = test_full() ? 900 : test_some(150);
    for (uint64_t number = 0; number < scripts * count; number++)
        edit_script(number / count + 3 * number, number % 4 == 3 ? TEST_PARTIAL : TEST_KNOWN, false,
                    forms[number % count].kind, forms[number % count].planner);
}

/* With the repair done, walks are shortest paths of the edited map from the first move on; goals and starts
 * on cells that were walls included. */
static void walks_are_optimal_after_repair(void) {
    for (uint64_t number = 0; number < (test_full() ? 600 : test_some(150)); number++) {
        ground it = {0};
        test_random random = {number + 99};
        if (any_ground(&it, number + 5, 24, TEST_KNOWN, true)) {
            test_stage *stage = &it.terrain.stage;
            wend_agent *agent = agent_on(&it, "cpd:db=x");
            for (int i = 0; agent && i < 8; i++) {
                wend_cell from, to;
                bool done = false;
                test_terrain_edit_cell(&it.terrain, test_below(&random, stage->grid.cells),
                                       test_below(&random, 2));
                settle(&it);
                while (!done)
                    if (!CHECK(wend_repair_step(it.repair, 10000, &done, NULL) == WEND_OK)) break;
                if (!done || !test_terrain_problem(&it.terrain, &random, &from, &to)) continue;
                test_dijkstra(&stage->grid, to, stage->left);
                test_trek trek;
                if (!start(&it, &trek, agent, "cpd:db=x", from, to)) continue;
                wend_outcome end = test_trek_go(&it.terrain, &trek, stage->grid.cells);
                bool path = stage->left[from] != WEND_NO_COST;
                CHECK(end == (path ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE));
                CHECK_THAT(!path || (trek.walk.cost == stage->left[from] && !trek.walk.waits),
                           "map %llu from %u to %u: cost %llu, not %llu", (unsigned long long)number, from,
                           to, (unsigned long long)trek.walk.cost, (unsigned long long)stage->left[from]);
                CHECK(wend_agent_counters(agent).searches == 0);
            }
            wend_agent_destroy(agent);
        }
        close_ground(&it);
        test_case();
    }
}

/* Without edits, an editable world is walked by look-ups alone; an edit far from the path changes nothing but
 * the looking ahead. */
static void nothing_is_searched_without_need(void) {
    for (uint64_t number = 0; number < 100; number++) {
        ground it = {0};
        test_random random = {number};
        wend_cell from, to;
        test_trek trek;
        bool good = any_ground(&it, number, 30, TEST_KNOWN, false) &&
                    test_terrain_problem(&it.terrain, &random, &from, &to);
        wend_agent *agent = good ? agent_on(&it, "cpd:db=x") : NULL;
        test_stage *stage = &it.terrain.stage;
        for (int edited = 0; agent && edited < 2; edited++) {
            if (edited) { /* a cell that is a wall already */
                wend_cell wall = 0;
                while (wall < stage->grid.cells && stage->grid.open[wall]) wall++;
                if (wall == stage->grid.cells) break;
                test_terrain_edit_cell(&it.terrain, wall, true);
                test_terrain_edit_cell(&it.terrain, wall, false);
                settle(&it);
            }
            test_dijkstra(&stage->grid, to, stage->left);
            if (!start(&it, &trek, agent, "cpd:db=x", from, to)) break;
            (void)test_trek_go(&it.terrain, &trek, stage->grid.cells);
            if (stage->left[from] != WEND_NO_COST) CHECK(trek.walk.cost == stage->left[from]);
            CHECK(wend_agent_counters(agent).searches == 0 && !trek.walk.waits);
        }
        wend_agent_destroy(agent);
        close_ground(&it);
        test_case();
    }
}

/* A wall across the database's path with one door at its end: it goes around, arrives, and does so by
 * searching a part of the map only. */
static void around_a_wall(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++)
        for (int length = 3; length < 18; length += 7) {
            ground it = {0};
            test_trek trek;
            test_random random = {1};
            wend_map *map = test_map_make(TEST_SHAPE_OPEN, 60, 20, test_rules(rules), &random, NULL);
            bool good = open_ground(&it, map, TEST_KNOWN, 1, rules, false);
            wend_agent *agent = good ? agent_on(&it, "cpd:db=x") : NULL;
            if (agent && start(&it, &trek, agent, "cpd:db=x", 60 * 10 + 2, 60 * 10 + 57)) {
                (void)test_trek_step(&it.terrain, &trek);
                test_terrain_edit(&it.terrain, (wend_rect){30, 10 - length / 2, 1, length}, false);
                test_grid *grid = &it.terrain.stage.grid;
                test_dijkstra(grid, 60 * 10 + 57, it.terrain.stage.left);
                wend_cost best = it.terrain.stage.left[wend_agent_cell(agent)];
                CHECK(test_trek_go(&it.terrain, &trek, 400) == WEND_STEP_ARRIVED);
                CHECK_THAT(trek.walk.cost < 2 * best, "a detour of %llu for %llu",
                           (unsigned long long)trek.walk.cost, (unsigned long long)best);
                CHECK(wend_agent_counters(agent).searches >= 1);
                CHECK(wend_agent_counters(agent).expansions < grid->cells);
            }
            wend_agent_destroy(agent);
            close_ground(&it);
            test_case();
        }
}

/* More agents than workspaces: some of them wait, say so, and go on when others have done. */
static void a_workspace_may_be_waited_for(void) {
    enum { AGENTS = 7 }; /* the terrain has four workspaces */
    ground it = {0};
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 40, 20, test_rules(0), &random, NULL);
    if (open_ground(&it, map, TEST_KNOWN, 1, 0, false)) {
        wend_agent *agents[AGENTS];
        const wend_cell from = 40 * 10 + 10, to = 40 * 10 + 38;
        uint64_t waits = 0;
        bool good = true;
        test_terrain_edit(&it.terrain, (wend_rect){20, 2, 1, 16}, false);
        for (int i = 0; i < AGENTS; i++) {
            agents[i] = agent_on(&it, "cpd:k=2,db=x");
            good = agents[i] && CHECK(wend_agent_start(agents[i], from, to, NULL) == WEND_OK) && good;
        }
        for (int step = 0; step < 3000 && good; step++)
            for (int i = 0; i < AGENTS; i++) waits += wend_agent_step(agents[i]).outcome == WEND_STEP_WAITING;
        for (int i = 0; i < AGENTS; i++) {
            if (good) CHECK(wend_agent_cell(agents[i]) == to);
            wend_agent_destroy(agents[i]);
        }
        CHECK(waits > 0);
    }
    close_ground(&it);
    test_case();
}

static void runs_repeat_and_ask_for_nothing(void) {
    for (uint64_t number = 0; number < 60; number++) test_db_edits_repeat(number, "cpd", "cpd:db=x,k=4");
}

/* A goal that moves at every tick costs a look-up a step and nothing else, edited world or not. */
static void a_moving_goal_costs_nothing(void) {
    for (int edited = 0; edited < 2; edited++)
        for (uint64_t number = 0; number < 60; number++) {
            ground it = {0};
            test_random random = {number};
            wend_cell at, goal;
            bool good = any_ground(&it, number * 2 + 1, 30, TEST_KNOWN, edited) &&
                        test_terrain_problem(&it.terrain, &random, &at, &goal);
            wend_agent *agent = good ? agent_on(&it, "cpd:db=x") : NULL;
            const test_grid *grid = &it.terrain.stage.grid;
            if (agent && test_terrain_joined(&it.terrain, grid, at, goal)) {
                CHECK(wend_agent_start(agent, at, goal, NULL) == WEND_OK);
                for (int tick = 0; tick < 100; tick++) {
                    int way = (int)test_below(&random, 8);
                    wend_cell next = test_next(grid, goal, way);
                    if (next != WEND_NO_CELL) goal = next;
                    CHECK(wend_agent_set_goal(agent, goal, NULL) == WEND_OK);
                    wend_cell before = wend_agent_cell(agent);
                    wend_step step = wend_agent_step(agent);
                    CHECK(step.outcome == (before == goal ? WEND_STEP_ARRIVED : WEND_STEP_MOVED));
                    CHECK(step.expansions == 0 && step.operations <= 200);
                    if (step.outcome != WEND_STEP_MOVED) continue;
                    test_dijkstra(grid, goal, it.terrain.stage.left);
                    CHECK(it.terrain.stage.left[wend_agent_cell(agent)] +
                              test_move_cost(grid, step.direction) ==
                          it.terrain.stage.left[before]);
                }
                CHECK(wend_agent_counters(agent).searches == 0);
            }
            wend_agent_destroy(agent);
            close_ground(&it);
            test_case();
        }
}

/* Agents that come when the map has been edited already; databases and repairs that are somebody else's. */
static void whose_database_it_is(void) {
    ground it = {0};
    test_random random = {3};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 20, 20, test_rules(0), &random, NULL);
    if (open_ground(&it, map, TEST_KNOWN, 1, 0, true)) {
        const wend_settings *settings = NULL;
        wend_agent *agent = NULL;
        wend_error error = {0};
        wend_agent_options options = wend_default_agent_options();
        CHECK(test_settings_parse("cpd:db=x", &settings, NULL) == WEND_OK);
        test_terrain_edit(&it.terrain, (wend_rect){4, 4, 3, 3}, false);
        options.db = it.db;
        CHECK(wend_agent_create(it.terrain.stage.world, settings, &options, &agent, &error) == WEND_OK);
        wend_agent_destroy(agent);
        wend_map *other = test_map_make(TEST_SHAPE_SPIRAL, 20, 20, test_rules(0), &random, NULL);
        wend_db *alien = test_db_build(other, "cpd", 1);
        options.db = alien;
        CHECK(wend_agent_create(it.terrain.stage.world, settings, &options, &agent, &error) ==
                  WEND_STATUS_OTHER_MAP &&
              error.message[0]);
        wend_repair *repair = NULL;
        wend_repair_options repairing = wend_default_repair_options();
        CHECK(wend_repair_create(it.db, it.terrain.stage.map, &repairing, &repair, NULL) == WEND_OK);
        options.db = it.db, options.repair = repair; /* it follows the map that is not edited */
        CHECK(wend_agent_create(it.terrain.stage.world, settings, &options, &agent, &error) ==
              WEND_STATUS_OTHER_MAP);
        wend_repair_destroy(repair);
        wend_db_close(alien);
        wend_map_destroy(other);
        /* Who believes that all is open can't have a database of what is true. */
        wend_knowledge *knowledge = NULL;
        wend_knowledge_options believing = wend_default_knowledge_options();
        CHECK(wend_knowledge_create(it.terrain.stage.world, &believing, &knowledge, NULL) == WEND_OK);
        options.repair = NULL, options.knowledge = knowledge;
        CHECK(wend_agent_create(it.terrain.stage.world, settings, &options, &agent, &error) ==
              WEND_STATUS_OTHER_MAP);
        wend_knowledge_destroy(knowledge);
    }
    close_ground(&it);
    test_case();
}

static const test tests[] = {
    {"any script of edits", any_script_of_edits},
    {"any script with the paper's forms", any_script_with_the_papers_forms},
    {"walks are optimal after repair", walks_are_optimal_after_repair},
    {"nothing is searched without need", nothing_is_searched_without_need},
    {"around a wall", around_a_wall},
    {"a workspace may be waited for", a_workspace_may_be_waited_for},
    {"runs repeat and ask for nothing", runs_repeat_and_ask_for_nothing},
    {"a moving goal costs nothing", a_moving_goal_costs_nothing},
    {"whose database it is", whose_database_it_is},
};
TEST_MAIN(tests)
