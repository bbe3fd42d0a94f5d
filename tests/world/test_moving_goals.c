/* Goals that move while they are followed: at every tick or now and then, by steps or by leaps. Steps are
 * checked one by one in support/agents/terrain.c. */
#include "support/agents/terrain.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

typedef enum motion { WALK, FLEE, LEAP, CIRCLE, MOTIONS } motion;

static const test_grid *ground(const test_terrain *terrain) {
    return terrain->knowledge ? &terrain->believed : &terrain->stage.grid;
}

/* Where the goal goes next: a cell that may be given as one. */
static wend_cell next_goal(const test_terrain *terrain, motion how, wend_cell goal, wend_cell at,
                           wend_cell home, test_random *random) {
    const test_grid *grid = ground(terrain);
    wend_cell best = goal, next;
    switch (how) {
    case WALK:
        next = test_next(grid, goal, (int)test_below(random, 8));
        return next == WEND_NO_CELL ? goal : next;
    case FLEE:
        for (int d = 0; d < 8; d++) {
            next = test_next(grid, goal, d);
            if (next != WEND_NO_CELL && test_distance(grid, next, at) > test_distance(grid, best, at))
                best = next;
        }
        return best;
    case CIRCLE: /* to and fro between its first place and where it is */
        return goal == home ? (test_next(grid, home, 2) == WEND_NO_CELL ? home : test_next(grid, home, 2))
                            : home;
    default:
        for (int tries = 0; tries < 50; tries++) {
            next = test_below(random, grid->cells);
            if (grid->open[next]) return next;
        }
        return goal;
    }
}

static bool give_goal(test_terrain *terrain, test_trek *trek, wend_cell goal) {
    wend_cell old = wend_agent_goal(trek->agent);
    wend_status status = wend_agent_set_goal(trek->agent, goal, NULL);
    bool open = ground(terrain)->open[goal];
    CHECK_THAT(status == (open ? WEND_OK : WEND_STATUS_BLOCKED), "%s: a goal that is believed %s: %s",
               trek->planner, open ? "open" : "blocked", wend_status_text(status));
    if (status == WEND_OK) test_trek_changed(terrain, trek, goal != old);
    return status == WEND_OK;
}

/* Follows the goal for a while, with the terrain edited or not. */
static void follow(test_terrain *terrain, test_trek *trek, motion how, uint32_t every, int ticks, bool edits,
                   test_random *random) {
    wend_cell home = wend_agent_goal(trek->agent);
    for (int tick = 0; tick < ticks; tick++) {
        if (edits && test_below(random, 4) == 0) test_terrain_edit_any(terrain, trek->agent, random);
        (void)test_trek_step(terrain, trek);
        if ((uint32_t)tick % every) continue;
        wend_cell goal =
            next_goal(terrain, how, wend_agent_goal(trek->agent), wend_agent_cell(trek->agent), home, random);
        if (ground(terrain)->open[goal]) (void)give_goal(terrain, trek, goal);
    }
}

/* Every planner on every ground, however the goal moves; when it stands still it is caught, where there is a
 * way that is believed in. */
static void a_goal_that_stops_is_caught(void) {
    uint64_t caught = 0;
    for (uint64_t number = 0; number < test_some(900); number++)
        for (size_t i = number % 15; i < test_planner_count(); i += 15) {
            const char *planner = test_planner(i);
            test_belief belief = (test_belief)((number / 15 + i) % TEST_BELIEFS);
            test_random random = {number};
            test_terrain terrain;
            test_trek trek;
            wend_cell start, goal;
            bool good = test_terrain_any(&terrain, 60000 + number, 20, belief) &&
                        test_terrain_problem(&terrain, &random, &start, &goal);
            wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, planner, start, goal)) {
                motion how = (motion)test_below(&random, MOTIONS);
                uint32_t every = test_below(&random, 2) ? 1 : 1 + test_below(&random, 9);
                follow(&terrain, &trek, how, every, 100, number % 5 == 4, &random);
                if (!terrain.knowledge)
                    while (!wend_world_settle(terrain.stage.world, 1000)) {
                    }
                wend_cell at = wend_agent_cell(agent);
                goal = wend_agent_goal(agent);
                bool path = at == goal || test_terrain_joined(&terrain, &terrain.stage.grid, at, goal);
                bool believed = belief == TEST_KNOWN ||
                                ((belief == TEST_UNKNOWN || belief == TEST_PARTIAL) && !terrain.edits);
                bool complete = test_is_complete(planner);
                uint64_t limit = (path && believed) || complete ? test_trek_limit(&terrain, &trek) : 300;
                wend_outcome end = test_trek_go(&terrain, &trek, limit);
                if (path && believed)
                    CHECK_THAT(end == WEND_STEP_ARRIVED,
                               "%s on map %llu, motion %d: outcome %d at %u, goal %u", planner,
                               (unsigned long long)terrain.stage.number, (int)how, (int)end,
                               wend_agent_cell(agent), goal);
                else if (complete)
                    CHECK_THAT(end != WEND_STEP_WAITING, "%s on map %llu: no end", planner,
                               (unsigned long long)terrain.stage.number);
                caught += end == WEND_STEP_ARRIVED;
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
    CHECK_THAT(caught > test_some(1000), "%llu caught", (unsigned long long)caught);
}

/* What was learnt on the way to other goals does not mislead: when the goal stands still and nothing more can
 * be learnt, those who walk along whole paths walk a shortest one. (On a known map, those who search in slices walk
 * on meanwhile.) */
static void then_the_way_is_a_shortest_one(void) {
    static const char *const planners[] = {"adaptive-astar",  "adaptive-astar:k=3", "dstar-lite",
                                           "dstar-lite:k=3",  "repeated-astar",     "repeated-astar:k=3",
                                           "astar",           "tbaa:k=unlimited",   "adaptive-astar:k=20",
                                           "rtba:k=unlimited"};
    for (uint64_t number = 0; number < test_some(400); number++)
        for (size_t i = number % 2; i < sizeof planners / sizeof *planners; i += 2) {
            test_random random = {number + 1000 * i};
            test_terrain terrain;
            test_trek trek;
            wend_cell start, goal;
            test_belief belief = (test_belief)(number / 2 % TEST_BELIEFS);
            bool good = test_terrain_any(&terrain, 70000 + number, 22, belief) &&
                        test_terrain_problem(&terrain, &random, &start, &goal);
            wend_agent *agent = good ? test_terrain_agent(&terrain, planners[i]) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, planners[i], start, goal)) {
                bool edits = number % 3 == 0;
                for (int phase = 0; phase < 5; phase++)
                    follow(&terrain, &trek, (motion)test_below(&random, MOTIONS), 1 + test_below(&random, 6),
                           25, edits, &random);
                test_terrain_freeze(&terrain);
                goal = next_goal(&terrain, LEAP, wend_agent_goal(agent), 0, 0, &random);
                if (ground(&terrain)->open[goal] && give_goal(&terrain, &trek, goal)) {
                    wend_cell at = wend_agent_cell(agent);
                    test_dijkstra(ground(&terrain), goal, terrain.stage.left);
                    wend_cost shortest = at == goal ? 0 : terrain.stage.left[at], walked = trek.walk.cost;
                    wend_outcome end = test_trek_go(&terrain, &trek, test_trek_limit(&terrain, &trek));
                    bool walks_on = belief == TEST_KNOWN && strstr(planners[i], "astar:k=");
                    CHECK_THAT(
                        end == (shortest == WEND_NO_COST ? WEND_STEP_UNREACHABLE : WEND_STEP_ARRIVED) &&
                            (shortest == WEND_NO_COST || walks_on || trek.walk.cost - walked == shortest),
                        "%s on map %llu from %u to %u: outcome %d, a path of %llu, and %llu is possible",
                        planners[i], (unsigned long long)terrain.stage.number, at, goal, (int)end,
                        (unsigned long long)(trek.walk.cost - walked), (unsigned long long)shortest);
                }
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
}

/* Setting the same goal again, or one and then back, loses nothing that matters: it arrives as before. */
static void the_same_goal_again(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (uint64_t number = 0; number < 10; number++) {
            const char *planner = test_planner(i);
            test_random random = {number};
            test_terrain terrain;
            test_trek trek;
            wend_cell start, goal;
            bool good =
                test_terrain_any(&terrain, 80000 + number, 16, number % 2 ? TEST_UNKNOWN : TEST_KNOWN) &&
                test_terrain_problem(&terrain, &random, &start, &goal) && start != goal;
            wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, planner, start, goal)) {
                wend_outcome end = WEND_STEP_WAITING;
                bool path = test_terrain_joined(&terrain, &terrain.stage.grid, start, goal);
                for (int steps = 0; steps < 60; steps++) {
                    end = test_trek_step(&terrain, &trek).outcome;
                    if (end != WEND_STEP_MOVED && end != WEND_STEP_WAITING) break;
                    wend_counters before = wend_agent_counters(agent);
                    if (ground(&terrain)->open[goal])
                        CHECK(wend_agent_set_goal(agent, goal, NULL) == WEND_OK);
                    test_trek_changed(&terrain, &trek, false);
                    CHECK(wend_agent_counters(agent).moves == before.moves);
                }
                end = test_trek_go(&terrain, &trek, path || test_is_complete(planner) ? 30000 : 100);
                if (path || test_is_complete(planner))
                    CHECK_THAT(end == (path ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE),
                               "%s on map %llu: outcome %d", planner,
                               (unsigned long long)terrain.stage.number, (int)end);
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
}

/* The same chase twice is the same, bit for bit. */
static void runs_repeat(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (uint64_t number = 0; number < 4; number++) {
            uint64_t hashes[2] = {0, 0};
            for (int side = 0; side < 2; side++) {
                test_random random = {number};
                test_terrain terrain;
                test_trek trek;
                wend_cell start, goal;
                bool good = test_terrain_any(&terrain, 90000 + number, 18, (test_belief)number) &&
                            test_terrain_problem(&terrain, &random, &start, &goal);
                wend_agent *agent = good ? test_terrain_agent(&terrain, test_planner(i)) : NULL;
                if (agent && test_trek_start(&terrain, &trek, agent, test_planner(i), start, goal)) {
                    for (int phase = 0; phase < 20; phase++) {
                        follow(&terrain, &trek, (motion)(phase % MOTIONS), 1 + (uint32_t)number, 5,
                               phase % 3 == 0, &random);
                        hashes[side] = hashes[side] * 31 + wend_agent_hash(agent);
                    }
                }
                wend_agent_destroy(agent);
                test_terrain_close(&terrain);
            }
            CHECK_THAT(hashes[0] == hashes[1], "%s on map %llu", test_planner(i), (unsigned long long)number);
            test_case();
        }
}

/* What Adaptive A* and TBAA* have learnt for one goal makes the search for the next, beside it, smaller; and
 * the search for the same one, from the start again, as algorithm 4 has it. On one map it may be otherwise,
 * so all are taken together. */
static void what_was_learnt_is_of_use(void) {
    static const char *const planners[] = {"adaptive-astar", "tbaa:k=unlimited"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        uint64_t first = 0, again = 0, moved = 0, fresh = 0;
        for (uint64_t number = 0; number < test_some(300); number++) {
            test_terrain terrain;
            test_random random = {number};
            wend_cell start, goal;
            bool good = test_terrain_any(&terrain, 90000 + number, 40, TEST_KNOWN) &&
                        test_terrain_problem(&terrain, &random, &start, &goal);
            wend_agent *agent = good ? test_terrain_agent(&terrain, planners[i]) : NULL;
            test_trek trek;
            if (agent && test_trek_start(&terrain, &trek, agent, planners[i], start, goal) &&
                test_trek_go(&terrain, &trek, 5000) == WEND_STEP_ARRIVED) {
                uint64_t before = wend_agent_counters(agent).expansions;
                first += before;
                CHECK(wend_agent_place(agent, start, NULL) == WEND_OK);
                test_trek_changed(&terrain, &trek, false);
                (void)test_trek_step(&terrain, &trek);
                again += wend_agent_counters(agent).expansions - before;
                /* On its way the goal moves by a step. */
                before = wend_agent_counters(agent).expansions;
                wend_cell at = wend_agent_cell(agent),
                          next = next_goal(&terrain, WALK, goal, at, goal, &random);
                wend_agent *other = test_terrain_agent(&terrain, planners[i]);
                if (next != goal && next != at && other && give_goal(&terrain, &trek, next)) {
                    (void)test_trek_step(&terrain, &trek);
                    moved += wend_agent_counters(agent).expansions - before;
                    if (CHECK(wend_agent_start(other, at, next, NULL) == WEND_OK)) {
                        wend_step step = wend_agent_step(other);
                        fresh += step.expansions;
                    }
                }
                wend_agent_destroy(other);
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
        CHECK_THAT(first > test_some(5000) && again * 20 < first * 19,
                   "%s: %llu expansions at first, %llu again", planners[i], (unsigned long long)first,
                   (unsigned long long)again);
        CHECK_THAT(fresh > test_some(3000) && moved * 10 < fresh * 9,
                   "%s: %llu expansions afresh, %llu otherwise", planners[i], (unsigned long long)fresh,
                   (unsigned long long)moved);
    }
}

static const test tests[] = {
    {"a goal that stops is caught", a_goal_that_stops_is_caught},
    {"then the way is a shortest one", then_the_way_is_a_shortest_one},
    {"the same goal again", the_same_goal_again},
    {"what was learnt is of use", what_was_learnt_is_of_use},
    {"runs repeat", runs_repeat},
};

TEST_MAIN(tests)
