/* Ground that changes under the agents' feet: cells and rectangles opened and closed while they walk. Steps
 * are checked one by one in support/agents/terrain.c against the truth of that moment. */
#include "methods/tba/tba.h"
#include "support/agents/terrain.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static void settle(test_terrain *terrain) {
    uint64_t calls = 0, most = 1000 + (uint64_t)terrain->stage.grid.cells;
    while (!wend_world_settle(terrain->stage.world, 200) && calls < most) calls++;
    CHECK_THAT(calls < most, "map %llu: not settled after %llu calls",
               (unsigned long long)terrain->stage.number, (unsigned long long)calls);
}

static wend_map *drawn_open(int32_t width, int32_t height, uint32_t rules) {
    test_random random = {0};
    return test_map_make(TEST_SHAPE_OPEN, width, height, test_rules(rules), &random, NULL);
}

/* The world's copy is edited, the caller's map is not; refused are the edits that a map refuses. */
static void edits_are_those_of_a_map(void) {
    for (uint64_t number = 0; number < test_some(100); number++) {
        test_terrain terrain;
        test_random random = {number};
        wend_map *twin = NULL;
        if (test_terrain_any(&terrain, number, 30, TEST_KNOWN) &&
            CHECK(wend_map_copy(terrain.stage.map, &twin, NULL) == WEND_OK)) {
            uint64_t before = wend_map_fingerprint(terrain.stage.map);
            for (int i = 0; i < 60; i++) {
                wend_rect area = {(int32_t)test_below(&random, 34) - 2, (int32_t)test_below(&random, 34) - 2,
                                  (int32_t)test_below(&random, 12) - 1, (int32_t)test_below(&random, 12) - 1};
                if (i % 20 == 7) area.width = INT32_MAX;
                if (i % 20 == 9) area.y = INT32_MIN;
                bool open = test_below(&random, 2);
                wend_error error = {0};
                wend_status status = wend_world_edit(terrain.stage.world, area, open, &error);
                CHECK(status == wend_map_edit(twin, area, open, NULL));
                CHECK((status == WEND_OK) == !error.message[0]);
                CHECK(wend_map_fingerprint(wend_world_map(terrain.stage.world)) ==
                      wend_map_fingerprint(twin));
                CHECK(wend_map_open_cells(wend_world_map(terrain.stage.world)) == wend_map_open_cells(twin));
            }
            CHECK(wend_map_fingerprint(terrain.stage.map) == before);
        }
        wend_map_destroy(twin);
        test_terrain_close(&terrain);
        test_case();
    }
    test_stage stage;
    wend_error error = {0};
    CHECK(wend_world_edit(NULL, (wend_rect){0, 0, 1, 1}, true, NULL) == WEND_STATUS_BAD_ARGUMENT);
    if (test_stage_open(&stage, drawn_open(5, 5, 0), NULL)) {
        CHECK(wend_world_edit(stage.world, (wend_rect){0, 0, 1, 1}, false, &error) ==
                  WEND_STATUS_UNSUPPORTED &&
              error.message[0]);
        CHECK(wend_map_open_cells(wend_world_map(stage.world)) == 25);
        CHECK(wend_world_settle(stage.world, 1));
    }
    test_stage_close(&stage);
}

/* How it must end once nothing changes any more. Those who know the map: as the truth is, learners too, since
 * the world has settled. Those who do not end, too, learners after a while; test_trek_check has looked at
 * how. */
static void check_end(test_terrain *terrain, test_trek *trek) {
    wend_cell goal = wend_agent_goal(trek->agent), from = wend_agent_cell(trek->agent);
    bool path = from == goal || test_terrain_joined(terrain, &terrain->stage.grid, from, goal);
    bool must = !terrain->knowledge || test_is_complete(trek->planner) || terrain->stage.grid.cells <= 64;
    wend_outcome end = test_trek_go(terrain, trek, must ? test_trek_limit(terrain, trek) : 300);
    unsigned long long map = terrain->stage.number;
    if (!terrain->knowledge)
        CHECK_THAT(end == (path ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE),
                   "%s on map %llu from %u to %u: outcome %d after the edits, and there is %s path",
                   trek->planner, map, from, goal, (int)end, path ? "a" : "no");
    else if (must)
        CHECK_THAT(end != WEND_STEP_WAITING, "%s on map %llu from %u to %u: no end after the edits",
                   trek->planner, map, from, goal);
    if (!path) CHECK(end != WEND_STEP_ARRIVED);
}

static void edit_script(uint64_t number, const char *planner, test_belief belief) {
    test_terrain terrain;
    test_random random = {number};
    test_trek trek;
    wend_cell start, goal;
    bool good = test_terrain_any(&terrain, 20000 + number, 20, belief) &&
                test_terrain_problem(&terrain, &random, &start, &goal);
    wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
    if (agent && test_trek_start(&terrain, &trek, agent, planner, start, goal)) {
        uint32_t rarely = test_below(&random, 3) ? 1 + test_below(&random, 8) : 1; /* often every tick */
        bool settles = test_below(&random, 2);
        for (int tick = 0; tick < 80; tick++) {
            if (test_below(&random, rarely) == 0) test_terrain_edit_any(&terrain, agent, &random);
            if (settles) (void)wend_world_settle(terrain.stage.world, test_below(&random, 300));
            if (test_below(&random, 3) == 0) { /* between its plan and its move */
                wend_cell before = wend_agent_cell(agent);
                (void)wend_agent_plan(agent, wend_agent_budget(agent));
                test_trek_looked(&terrain, &trek);
                test_terrain_edit_any(&terrain, agent, &random);
                test_trek_check(&terrain, &trek, before, wend_agent_move(agent));
            } else {
                (void)test_trek_step(&terrain, &trek);
            }
        }
        settle(&terrain);
        test_trek_changed(&terrain, &trek, false);
        check_end(&terrain, &trek);
        if (!terrain.knowledge) { /* all is opened: whatever was shut is found */
            test_terrain_edit(&terrain,
                              (wend_rect){0, 0, terrain.stage.grid.width, terrain.stage.grid.height}, true);
            check_end(&terrain, &trek);
        }
    }
    wend_agent_destroy(agent);
    test_terrain_close(&terrain);
    test_case();
}

static void any_script_of_edits(void) {
    for (uint64_t number = 0; number < test_some(1000); number++)
        for (size_t i = number % 10; i < test_planner_count(); i += 10)
            edit_script(number, test_planner(i), (test_belief)((number / 10 + i) % TEST_BELIEFS));
}

/* Shut in by a ring, or with its own cell closed: it stands and says so; opened again, it goes on. */
static void walled_in(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (int belief = TEST_KNOWN; belief <= TEST_UNKNOWN; belief++)
            for (int feet = 0; feet < 2; feet++) {
                const char *planner = test_planner(i);
                test_terrain terrain;
                test_trek trek;
                uint32_t rules = (uint32_t)i % TEST_RULES;
                bool good = test_terrain_open(&terrain, drawn_open(13, 13, rules), (test_belief)belief, 1, i);
                wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
                if (agent && test_trek_start(&terrain, &trek, agent, planner, 13 * 6 + 2, 13 * 6 + 12)) {
                    for (int step = 0; step < 40 && wend_agent_counters(agent).moves < 3; step++)
                        (void)test_trek_step(&terrain, &trek);
                    wend_cell at = wend_agent_cell(agent);
                    wend_rect ring = {(int32_t)(at % 13) - 1, (int32_t)(at / 13) - 1, 3, 3};
                    if (feet) {
                        test_terrain_edit_cell(&terrain, at, false);
                    } else {
                        test_terrain_edit(&terrain, ring, false);
                        test_terrain_edit_cell(&terrain, at, true);
                    }
                    /* Learners have no move to make. */
                    uint64_t limit = test_is_complete(planner) ? test_trek_limit(&terrain, &trek) : 2;
                    wend_outcome end = test_trek_go(&terrain, &trek, limit);
                    CHECK_THAT(end == WEND_STEP_UNREACHABLE && wend_agent_cell(agent) == at,
                               "%s, %s, %s: outcome %d", planner, belief ? "unknown" : "known",
                               feet ? "on a closed cell" : "in a ring", (int)end);
                    for (int step = 0; step < 3; step++)
                        CHECK(test_trek_step(&terrain, &trek).outcome == WEND_STEP_UNREACHABLE);
                    if (belief == TEST_KNOWN) settle(&terrain);
                    CHECK(test_trek_step(&terrain, &trek).outcome == WEND_STEP_UNREACHABLE);
                    if (feet)
                        test_terrain_edit_cell(&terrain, at, true);
                    else
                        test_terrain_edit(&terrain, ring, true);
                    end = test_trek_go(&terrain, &trek, test_trek_limit(&terrain, &trek));
                    CHECK_THAT(end == WEND_STEP_ARRIVED, "%s, %s, let out again: outcome %d", planner,
                               belief ? "unknown" : "known", (int)end);
                }
                wend_agent_destroy(agent);
                test_terrain_close(&terrain);
                test_case();
            }
}

/* Moved out of a closed cell it walks on; and a closed cell is no place to put it. */
static void placed_elsewhere(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (int belief = TEST_KNOWN; belief <= TEST_UNKNOWN; belief++) {
            test_terrain terrain;
            test_trek trek;
            bool good = test_terrain_open(&terrain, drawn_open(9, 9, (uint32_t)i), (test_belief)belief, 1, i);
            wend_agent *agent = good ? test_terrain_agent(&terrain, test_planner(i)) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, test_planner(i), 0, 80)) {
                (void)test_trek_step(&terrain, &trek);
                wend_cell at = wend_agent_cell(agent);
                test_terrain_edit_cell(&terrain, at, false);
                CHECK(test_trek_step(&terrain, &trek).outcome != WEND_STEP_MOVED);
                CHECK(wend_agent_place(agent, at, NULL) == WEND_STATUS_BLOCKED);
                CHECK(wend_agent_place(agent, 8, NULL) == WEND_OK);
                test_trek_changed(&terrain, &trek, false);
                trek.gave_back = true;
                CHECK(test_trek_go(&terrain, &trek, 20000) == WEND_STEP_ARRIVED);
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
}

/* The goal is closed, in sight or not, and opened again; a wall is drawn across and a door made in it. */
static void what_is_opened_again_is_found_again(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (int wall = 0; wall < 2; wall++)
            for (int settles = 0; settles < 2; settles++) {
                const char *planner = test_planner(i);
                test_terrain terrain;
                test_trek trek;
                bool good = test_terrain_open(&terrain, drawn_open(15, 11, (uint32_t)i), TEST_KNOWN, 1, i);
                wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
                wend_cell start = 5 * 15, goal = 5 * 15 + 14;
                if (agent && test_trek_start(&terrain, &trek, agent, planner, start, goal))
                    for (int round = 0; round < 3; round++) {
                        for (int step = 0; step < 2; step++) (void)test_trek_step(&terrain, &trek);
                        if (wend_agent_cell(agent) == goal) break;
                        test_terrain_edit(&terrain,
                                          wall ? (wend_rect){13, 0, 1, 11} : (wend_rect){14, 5, 1, 1}, false);
                        if (settles) settle(&terrain);
                        if (settles || test_is_complete(planner)) {
                            wend_outcome end =
                                test_trek_go(&terrain, &trek, test_trek_limit(&terrain, &trek));
                            CHECK_THAT(end == WEND_STEP_UNREACHABLE, "%s: outcome %d behind a wall", planner,
                                       (int)end);
                            if (settles)
                                CHECK(trek.walk.steps <= 3u * (unsigned)(round + 1) + 10u * (unsigned)round);
                        }
                        test_terrain_edit(&terrain,
                                          wall ? (wend_rect){13, 10, 1, 1} : (wend_rect){14, 5, 1, 1}, true);
                        wend_step step = test_trek_step(&terrain, &trek);
                        CHECK_THAT(step.outcome == WEND_STEP_MOVED || step.outcome == WEND_STEP_WAITING,
                                   "%s: outcome %d with a way again", planner, (int)step.outcome);
                    }
                if (agent)
                    CHECK(test_trek_go(&terrain, &trek, test_trek_limit(&terrain, &trek)) ==
                          WEND_STEP_ARRIVED);
                wend_agent_destroy(agent);
                test_terrain_close(&terrain);
                test_case();
            }
}

/* A door that is opened after more cells have been closed than an agent hears of at a time, `early` steps
 * before it would prove that there is no path, or when it has: from then on nobody says so any more. Returns
 * the steps until it did. */
static uint64_t door_behind_other_changes(const char *planner, uint64_t early, bool settles) {
    test_terrain terrain;
    test_trek trek;
    uint64_t proof = 0;
    bool good = test_terrain_open(&terrain, drawn_open(30, 12, 0), TEST_KNOWN, 1, early);
    wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
    if (good) test_terrain_edit(&terrain, (wend_rect){8, 0, 1, 12}, false);
    if (settles) settle(&terrain);
    if (agent && test_trek_start(&terrain, &trek, agent, planner, 30 * 6 + 2, 30 * 6 + 28)) {
        uint64_t limit = early ? early : test_trek_limit(&terrain, &trek);
        for (wend_outcome end = WEND_STEP_WAITING; end != WEND_STEP_UNREACHABLE && proof < limit; proof++)
            end = test_trek_step(&terrain, &trek).outcome;
        test_terrain_edit(&terrain, (wend_rect){10, 0, 15, 11}, false); /* 165 cells */
        test_terrain_edit(&terrain, (wend_rect){8, 11, 1, 1}, true);
        wend_outcome end = test_trek_go(&terrain, &trek, test_trek_limit(&terrain, &trek));
        CHECK_THAT(end == WEND_STEP_ARRIVED, "%s: outcome %d with a door opened after %llu steps", planner,
                   (int)end, (unsigned long long)proof);
    }
    wend_agent_destroy(agent);
    test_terrain_close(&terrain);
    test_case();
    return proof;
}

static void no_proof_that_a_door_has_undone(void) {
    for (size_t i = 0; i < test_planner_count(); i++) {
        const char *planner = test_planner(i);
        (void)door_behind_other_changes(planner, 0, true);
        if (!test_is_complete(planner)) continue;
        uint64_t proof = door_behind_other_changes(planner, 0, false);
        for (uint64_t early = 1; early < 4 && early < proof; early++)
            (void)door_behind_other_changes(planner, proof - early, false);
    }
}

/* The cells that the agent leaves are closed behind it: where it follows a path that is whole, that is no
 * reason to search again. */
static void closed_behind_it(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
            const char *planner = test_planner(i);
            test_terrain terrain;
            test_trek trek;
            if (!test_is_optimal(planner)) continue;
            bool good = test_terrain_open(&terrain, drawn_open(30, 5, rules), TEST_KNOWN, 1, i);
            wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, planner, 30 * 2, 30 * 2 + 29)) {
                uint64_t limit = test_trek_limit(&terrain, &trek);
                for (uint64_t step = 0; step < limit && wend_agent_cell(agent) != 30 * 2 + 29; step++) {
                    wend_cell before = wend_agent_cell(agent);
                    if (test_trek_step(&terrain, &trek).outcome == WEND_STEP_MOVED)
                        test_terrain_edit_cell(&terrain, before, false);
                }
                CHECK_THAT(wend_agent_cell(agent) == 30 * 2 + 29 && wend_agent_counters(agent).searches == 1,
                           "%s at %u after %llu searches", planner, wend_agent_cell(agent),
                           (unsigned long long)wend_agent_counters(agent).searches);
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
}

static bool is_move_legal(const wend_agent *agent, wend_cell cell) {
    return wend_map_moves(agent->view->map, cell) >> (agent->workspace->trail[cell] & 7) & 1;
}

/* Whether some move of the trails from one mark to another is now illegal, of cells with at least that g. */
static bool is_any_cut(const wend_agent *agent, uint64_t mark, uint64_t last, uint64_t g) {
    for (wend_cell cell = 0; cell < agent->view->map->cells; cell++) {
        uint64_t its = agent->workspace->trail[cell] >> 3;
        if (its >= mark && its <= last && !is_move_legal(agent, cell) &&
            wend_search_touched(agent->workspace->search, cell) >> WEND_TAG_STAMP >= g)
            return true;
    }
    return false;
}

/* StartNewSearch? as algorithm 2 has it: is there an illegal move on the way from the agent to the end of its
 * path, or where it is not on it, anywhere on it; or on what has been traced of the next? */
static bool must_search_again(const wend_agent *agent) {
    const wend_tba *state = agent->state;
    const uint64_t *trail = agent->workspace->trail;
    uint64_t next = state->trace.under_way ? state->trace.mark : UINT64_MAX >> 3;
    bool walks = state->have_path && agent->at != state->path_end;
    if (walks && trail[agent->at] >> 3 < state->path) return is_any_cut(agent, state->path, UINT64_MAX, 0);
    for (wend_cell at = agent->at; walks && trail[at] >> 3 >= state->path;) {
        if (!is_move_legal(agent, at)) return true;
        at += (uint32_t)agent->view->map->offset[trail[at] & 7];
    }
    return trail[agent->at] >> 3 != next && is_any_cut(agent, next, UINT64_MAX, 0);
}

/* The path is cut ahead of the agent, but behind where it will leave it for the next, which is being traced:
 * it may search again, but need not. */
static bool may_search_again(const wend_agent *agent) {
    const wend_tba *state = agent->state;
    uint64_t own = agent->workspace->trail[agent->at] >> 3;
    uint64_t here = wend_search_touched(agent->workspace->search, agent->at) >> WEND_TAG_STAMP;
    return state->have_path && state->trace.under_way && agent->at != state->path_end && own == state->path &&
           is_any_cut(agent, own, own, here);
}

/* A cell of the agent's path, or of the next; any where there is none. */
static wend_cell cell_of_trails(const wend_agent *agent, test_random *random) {
    const wend_tba *state = agent->state;
    wend_cell chosen = WEND_NO_CELL;
    uint32_t seen = 0;
    for (wend_cell cell = 0; state->have_path && cell < agent->view->map->cells; cell++)
        if (agent->workspace->trail[cell] >> 3 >= state->path && test_below(random, ++seen) == 0)
            chosen = cell;
    return chosen == WEND_NO_CELL ? test_open_cell(agent->view->map, random) : chosen;
}

/* A cell is closed while a TBA* walks, steps back, waits at the end of its path or traces the next. */
static void tba_starts_again_when_its_way_is_cut_and_only_then(void) {
    static const char *const planners[] = {"tba:k=4", "tba:k=12,ratio=3", "rtba:k=30,share=0.5", "tbaa:k=8",
                                           "tbaa:k=20,da=yes"};
    uint64_t cut = 0, spared = 0, at_end = 0;
    for (uint64_t number = 0; number < (uint64_t)test_some(1500); number++) {
        test_terrain terrain;
        test_random random = {number};
        wend_cell start, goal;
        bool good = test_terrain_any(&terrain, 50000 + number, 30, TEST_KNOWN) &&
                    test_terrain_problem(&terrain, &random, &start, &goal);
        wend_agent *agent = good ? test_terrain_agent(&terrain, planners[number % 5]) : NULL;
        if (!agent || !CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) good = false;
        for (int tick = 0; good && tick < 200; tick++) {
            wend_outcome outcome = wend_agent_step(agent).outcome;
            if (outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING) break;
            const wend_tba *state = agent->state;
            if (!agent->workspace || state->cut || agent->taken != agent->view->map->revision) continue;
            if (test_below(&random, 6)) continue;
            wend_cell cell = cell_of_trails(agent, &random);
            if (cell == agent->at || cell == goal) continue;
            test_terrain_edit_cell(&terrain, cell, false);
            bool expected = must_search_again(agent), may = may_search_again(agent);
            agent->planner->changed(agent, cell, false);
            good = CHECK_THAT(state->cut == expected || (state->cut && may),
                              "%s, map %llu, tick %d: %s a new search", planners[number % 5],
                              (unsigned long long)number, tick, expected ? "wants" : "does not want");
            cut += expected, spared += !expected && state->have_path;
            at_end += !expected && state->have_path && agent->at == state->path_end;
        }
        wend_agent_destroy(agent);
        test_terrain_close(&terrain);
        test_case();
    }
    CHECK_THAT(cut > (uint64_t)test_some(300) && spared > (uint64_t)test_some(300) &&
                   at_end > (uint64_t)test_some(20),
               "%llu cut, %llu not, %llu at the end of a path", (unsigned long long)cut,
               (unsigned long long)spared, (unsigned long long)at_end);
}

/* Half of the map closed and opened again before every step: the bound of a step holds (test_check_step) and
 * does not depend on the edit. */
static void edits_of_any_size_keep_the_bound(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (int belief = TEST_KNOWN; belief <= TEST_UNKNOWN; belief++) {
            test_terrain terrain;
            test_trek trek;
            bool good =
                test_terrain_open(&terrain, drawn_open(90, 70, (uint32_t)i), (test_belief)belief, 3, i);
            wend_agent *agent = good ? test_terrain_agent(&terrain, test_planner(i)) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, test_planner(i), 90 * 3 + 3, 90 * 66 + 80)) {
                for (int tick = 0; tick < 60; tick++) {
                    test_terrain_edit(&terrain, (wend_rect){10, 10, 60, 55}, tick % 2);
                    if (tick % 7 == 3) test_terrain_edit(&terrain, (wend_rect){0, 0, 90, 70}, true);
                    (void)test_trek_step(&terrain, &trek);
                }
                test_terrain_edit(&terrain, (wend_rect){0, 0, 90, 70}, true);
                if (belief == TEST_KNOWN)
                    CHECK_THAT(test_trek_go(&terrain, &trek, 200000) == WEND_STEP_ARRIVED,
                               "%s does not arrive on open ground", test_planner(i));
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
}

/* More edits than are kept for those who have not heard of them; in the end all is open. */
static void edit_beyond_the_log(test_terrain *terrain, wend_cell cell) {
    for (int i = 0; i < 4200; i++) test_terrain_edit_cell(terrain, cell, i % 2);
    const wend_map *map = terrain->stage.map;
    test_terrain_edit(terrain, (wend_rect){0, 0, wend_map_width(map), wend_map_height(map)}, true);
}

/* Those who move along whole paths only, put down again after any edits (or, for dstar-lite, as it stands):
 * what is left to walk is a shortest path in truth. */
static void shortest_again_after_edits(void) {
    static const char *const planners[] = {"astar",
                                           "jps",
                                           "jps:k=7",
                                           "repeated-astar",
                                           "repeated-astar:k=7",
                                           "adaptive-astar",
                                           "adaptive-astar:k=7",
                                           "dstar-lite",
                                           "dstar-lite:k=7",
                                           "tbaa:k=unlimited",
                                           "rtba:k=unlimited"};
    for (uint64_t number = 0; number < test_some(300); number++)
        for (size_t i = number % 3; i < sizeof planners / sizeof *planners; i += 3) {
            test_terrain terrain;
            test_random random = {number};
            test_trek trek;
            wend_cell start, goal;
            bool good = test_terrain_any(&terrain, 30000 + number, 22, TEST_KNOWN) &&
                        test_terrain_problem(&terrain, &random, &start, &goal);
            wend_agent *agent = good ? test_terrain_agent(&terrain, planners[i]) : NULL;
            if (agent && test_trek_start(&terrain, &trek, agent, planners[i], start, goal))
                for (int round = 0; round < 4; round++) {
                    for (uint32_t step = test_below(&random, 12); step > 0; step--) {
                        (void)test_trek_step(&terrain, &trek);
                        wend_cell cell = test_below(&random, terrain.stage.grid.cells);
                        if (cell != goal && cell != wend_agent_cell(agent))
                            test_terrain_edit_cell(&terrain, cell, test_below(&random, 3) > 0);
                    }
                    wend_cell at = wend_agent_cell(agent), other = at ? 0 : terrain.stage.grid.cells - 1;
                    if (number % 6 == 0 && round == 1 && other != at && other != goal)
                        edit_beyond_the_log(&terrain, other);
                    bool stands = test_is_planner(planners[i], "dstar-lite") && round % 2;
                    if (!stands) CHECK(wend_agent_place(agent, at, NULL) == WEND_OK);
                    test_trek_changed(&terrain, &trek, false);
                    test_dijkstra(&terrain.stage.grid, goal, terrain.stage.left);
                    wend_cost walked = trek.walk.cost, shortest = terrain.stage.left[at];
                    wend_outcome end = test_trek_go(&terrain, &trek, test_trek_limit(&terrain, &trek));
                    CHECK_THAT(
                        end == (shortest == WEND_NO_COST ? WEND_STEP_UNREACHABLE : WEND_STEP_ARRIVED) &&
                            (shortest == WEND_NO_COST || trek.walk.cost - walked == shortest),
                        "%s on map %llu, round %d, from %u to %u: outcome %d, a path of %llu, and %llu is "
                        "possible",
                        planners[i], (unsigned long long)terrain.stage.number, round, at, goal, (int)end,
                        (unsigned long long)(trek.walk.cost - walked), (unsigned long long)shortest);
                    if (!CHECK(wend_agent_place(agent, start, NULL) ==
                               (terrain.stage.grid.open[start] ? WEND_OK : WEND_STATUS_BLOCKED)))
                        break;
                    test_trek_changed(&terrain, &trek, false);
                }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
}

/* Calls between steps may look around, but that is no work of the step that follows. */
static void putting_it_about_is_no_work_of_a_step(void) {
    for (size_t i = 0; i < test_planner_count(); i++) {
        test_terrain terrain;
        test_trek trek;
        bool good = test_terrain_open(&terrain, drawn_open(30, 30, (uint32_t)i), TEST_UNKNOWN, 5, i);
        wend_agent *agent = good ? test_terrain_agent(&terrain, test_planner(i)) : NULL;
        if (agent && test_trek_start(&terrain, &trek, agent, test_planner(i), 0, 899)) {
            for (int turn = 0; turn < 20; turn++) {
                wend_step step = {WEND_STEP_WAITING, WEND_NO_DIRECTION, 0, 0};
                for (uint32_t j = 0; j < 900; j++)
                    CHECK(wend_agent_place(agent, j * 17 % 899, NULL) == WEND_OK);
                step = wend_agent_step(agent);
                CHECK_THAT(step.operations <= wend_agent_bound(agent, wend_agent_budget(agent)),
                           "%s: %llu operations, bound %llu", test_planner(i),
                           (unsigned long long)step.operations,
                           (unsigned long long)wend_agent_bound(agent, wend_agent_budget(agent)));
            }
        }
        wend_agent_destroy(agent);
        test_terrain_close(&terrain);
        test_case();
    }
}

/* The same script twice, in worlds of their own: the same state after every step. */
static void runs_repeat(void) {
    for (size_t i = 0; i < test_planner_count(); i++)
        for (uint64_t number = 0; number < 8; number++) {
            test_terrain terrains[2] = {{.edits = 0}, {.edits = 0}};
            wend_agent *agents[2] = {NULL, NULL};
            uint64_t hashes[2][100] = {{0}};
            wend_cell start, goal;
            for (int side = 0; side < 2; side++) {
                test_random random = {number + 50 * i};
                test_terrain *terrain = &terrains[side];
                bool good =
                    test_terrain_any(terrain, 41000 + number, 16, (test_belief)(number % TEST_BELIEFS)) &&
                    test_terrain_problem(terrain, &random, &start, &goal);
                agents[side] = good ? test_terrain_agent(terrain, test_planner(i)) : NULL;
                if (!agents[side] || !CHECK(wend_agent_start(agents[side], start, goal, NULL) == WEND_OK))
                    continue;
                for (int step = 0; step < 100; step++) {
                    if (test_below(&random, 3) == 0) test_terrain_edit_any(terrain, agents[side], &random);
                    if (test_below(&random, 5) == 0) (void)wend_world_settle(terrain->stage.world, 50);
                    (void)wend_agent_step(agents[side]);
                    hashes[side][step] = wend_agent_hash(agents[side]);
                }
            }
            CHECK_THAT(memcmp(hashes[0], hashes[1], sizeof hashes[0]) == 0, "%s on map %llu", test_planner(i),
                       (unsigned long long)number);
            for (int side = 0; side < 2; side++) {
                wend_agent_destroy(agents[side]);
                test_terrain_close(&terrains[side]);
            }
            test_case();
        }
}

/* After an edit the world works out again which cells a path joins: as much per call as it is given. When it
 * has, all say at once what can't be reached. */
static void settling(void) {
    for (uint64_t number = 0; number < test_some(150); number++) {
        test_terrain terrain;
        test_random random = {number};
        if (test_terrain_any(&terrain, 50000 + number, 40, TEST_KNOWN)) {
            CHECK(wend_world_settle(terrain.stage.world, 1));
            const char *planner = test_planner(number % test_planner_count());
            wend_agent *agent = test_terrain_agent(&terrain, planner);
            for (int round = 0; agent && round < 12; round++) {
                for (uint32_t edits = 1 + test_below(&random, 8); edits > 0; edits--) {
                    wend_cell cell = test_below(&random, terrain.stage.grid.cells);
                    test_terrain_edit_cell(&terrain, cell, test_below(&random, 2));
                    if (test_below(&random, 2))
                        (void)wend_world_settle(terrain.stage.world, test_below(&random, 100));
                }
                settle(&terrain);
                CHECK(wend_world_settle(terrain.stage.world, 0));
                wend_cell start, goal;
                test_trek trek;
                if (!test_terrain_problem(&terrain, &random, &start, &goal)) continue;
                if (!test_trek_start(&terrain, &trek, agent, planner, start, goal)) continue;
                bool path = test_terrain_joined(&terrain, &terrain.stage.grid, start, goal);
                wend_outcome outcome = test_trek_step(&terrain, &trek).outcome;
                CHECK_THAT((outcome == WEND_STEP_UNREACHABLE) == !path,
                           "%s on map %llu, round %d: outcome %d at the first step from %u to %u", planner,
                           (unsigned long long)terrain.stage.number, round, (int)outcome, start, goal);
            }
            wend_agent_destroy(agent);
        }
        test_terrain_close(&terrain);
        test_case();
    }
}

/* The same for those under way who have stepped since the edit: they need not find out themselves. */
static void settling_under_way(void) {
    uint64_t cut_off = 0;
    for (uint64_t number = 0; number < test_some(200); number++) {
        test_terrain terrain;
        test_random random = {number};
        const char *planner = test_planner(number % test_planner_count());
        wend_cell start, goal;
        test_trek trek;
        bool good = test_terrain_any(&terrain, 60000 + number, 40, TEST_KNOWN) &&
                    test_terrain_problem(&terrain, &random, &start, &goal);
        wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
        if (agent && test_trek_start(&terrain, &trek, agent, planner, start, goal)) {
            for (int round = 0; round < 6; round++) {
                for (uint32_t i = test_below(&random, 4); i > 0; i--) (void)test_trek_step(&terrain, &trek);
                /* Around the goal, so that it is often cut off; at other times it is opened. */
                int32_t width = wend_map_width(terrain.stage.map), x = (int32_t)goal % width,
                        y = (int32_t)goal / width;
                bool open = test_below(&random, 3) == 0;
                for (int32_t dy = -2; dy <= 2; dy++)
                    for (int32_t dx = -2; dx <= 2; dx++) {
                        if (dx > -2 && dx < 2 && dy > -2 && dy < 2) continue;
                        if (x + dx < 0 || x + dx >= width || y + dy < 0 ||
                            y + dy >= wend_map_height(terrain.stage.map))
                            continue;
                        wend_cell cell = (wend_cell)((y + dy) * width + x + dx);
                        if (cell != wend_agent_cell(agent)) test_terrain_edit_cell(&terrain, cell, open);
                    }
                for (uint32_t i = 1 + test_below(&random, 3); i > 0; i--)
                    (void)test_trek_step(&terrain, &trek);
                settle(&terrain);
                wend_cell at = wend_agent_cell(agent);
                bool path = test_terrain_joined(&terrain, &terrain.stage.grid, at, goal);
                wend_outcome outcome = test_trek_step(&terrain, &trek).outcome;
                cut_off += !path;
                CHECK_THAT((outcome == WEND_STEP_UNREACHABLE) == !path,
                           "%s on map %llu, round %d: outcome %d on %u, goal %u", planner,
                           (unsigned long long)terrain.stage.number, round, (int)outcome, at, goal);
            }
        }
        wend_agent_destroy(agent);
        test_terrain_close(&terrain);
        test_case();
    }
    CHECK_THAT(cut_off > test_some(150), "%llu times", (unsigned long long)cut_off);
}

static const test tests[] = {
    {"edits are those of a map", edits_are_those_of_a_map},
    {"any script of edits", any_script_of_edits},
    {"walled in", walled_in},
    {"placed elsewhere", placed_elsewhere},
    {"what is opened again is found again", what_is_opened_again_is_found_again},
    {"no proof that a door has undone", no_proof_that_a_door_has_undone},
    {"closed behind it", closed_behind_it},
    {"tba starts again when its way is cut and only then",
     tba_starts_again_when_its_way_is_cut_and_only_then},
    {"edits of any size keep the bound", edits_of_any_size_keep_the_bound},
    {"shortest again after edits", shortest_again_after_edits},
    {"putting it about is no work of a step", putting_it_about_is_no_work_of_a_step},
    {"runs repeat", runs_repeat},
    {"settling", settling},
    {"settling under way", settling_under_way},
};

TEST_MAIN(tests)
