/* What the learning planners learn: never less than before, never more than the truth, and exactly what
 * their papers define. Looks inside: the search of such an agent is the first member of its state. */
#include "plan/agent.h"
#include "search/learnt.h"
#include "support/agents/agents.h"
#include "support/agents/realtime.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static wend_search *search_of(const wend_agent *agent) {
    return *(wend_search **)agent->state;
}

/* A map of any shape and rules up to 14 x 14 with a problem on it that has an answer. */
static bool small_problem(test_stage *stage, uint64_t number, wend_cell *start, wend_cell *goal) {
    test_random random = {number};
    uint32_t shape = test_below(&random, TEST_SHAPES + 4);
    int32_t width = 2 + (int32_t)test_below(&random, 13), height = 1 + (int32_t)test_below(&random, 14);
    wend_map *map = test_map_make(shape < TEST_SHAPES ? (test_shape)shape : TEST_SHAPE_SCATTERED, width,
                                  height, test_rules((uint32_t)(number % TEST_RULES)), &random, NULL);
    bool good = test_stage_open(stage, map, NULL);
    stage->number = number;
    if (!good || !wend_map_open_cells(map)) return false;
    *start = test_open_cell(map, &random), *goal = test_open_cell(map, &random);
    test_dijkstra(&stage->grid, *goal, stage->left);
    return *start != *goal && stage->left[*start] != WEND_NO_COST;
}

static const char *const learners[] = {
    "lrta",         "lrta:d=2",   "lrta:d=3",   "lrta:gmax=2.9", "lss-lrta:k=1", "lss-lrta:k=3",
    "lss-lrta:k=8", "lss-lrta",   "rtaa:k=1",   "rtaa:k=2",      "rtaa:k=7",     "rtaa",
    "dartaa:k=1",   "dartaa:k=2", "dartaa:k=6", "dartaa",
};
enum { LEARNERS = sizeof learners / sizeof *learners };

/* Whether its h is consistent, not just admissible: lrta's with one move of lookahead, and that of the
 * others. */
static bool keeps_consistent(const char *planner) {
    return !test_is_planner(planner, "lrta") || strcmp(planner, "lrta") == 0;
}

/* What is believed of each cell when a goal is given, and which have been raised since. */
typedef struct belief {
    wend_cost *h;
    uint8_t *raised;
} belief;

static bool belief_make(belief *made, const test_stage *stage) {
    *made = (belief){calloc(stage->grid.cells, sizeof *made->h), calloc(stage->grid.cells, 1)};
    return CHECK(made->h && made->raised);
}

static void belief_free(belief *made) {
    free(made->h), free(made->raised);
}

/* Nothing is learnt yet of the way to `goal`. */
static void belief_given(belief *made, const test_stage *stage, wend_cell goal) {
    for (wend_cell cell = 0; cell < stage->grid.cells; cell++)
        made->h[cell] = test_distance(&stage->grid, cell, goal), made->raised[cell] = 0;
}

/* What Adaptive A* keeps of it for another goal; nothing where that is not allowed. */
static void belief_kept(belief *made, const test_stage *stage, wend_cell goal, bool consistent) {
    wend_cost there = made->h[goal];
    for (wend_cell cell = 0; cell < stage->grid.cells; cell++) {
        wend_cost given = test_distance(&stage->grid, cell, goal);
        bool more = consistent && made->h[cell] > given + there;
        made->h[cell] = more ? made->h[cell] - there : given, made->raised[cell] = 0;
    }
}

/* Compares h of all cells with what it was, with the true distances, and with that of the neighbours. */
static bool check_h(const test_stage *stage, const wend_agent *agent, const char *planner, belief *believed) {
    const test_grid *grid = &stage->grid;
    bool good = true;
    uint64_t raised = 0;
    wend_cost *h = believed->h;
    for (wend_cell cell = 0; cell < grid->cells; cell++) {
        if (!grid->open[cell]) continue;
        wend_cost now = test_agent_h(stage, agent, cell);
        good &= CHECK_THAT(now >= h[cell], "%s on map %llu: h of %u fell", planner,
                           (unsigned long long)stage->number, cell);
        good &= CHECK_THAT(now <= stage->left[cell], "%s on map %llu: h of %u is above the true distance",
                           planner, (unsigned long long)stage->number, cell);
        believed->raised[cell] |= now > h[cell];
        h[cell] = now;
        raised += believed->raised[cell];
    }
    for (wend_cell cell = 0; keeps_consistent(planner) && cell < grid->cells; cell++)
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, cell, d);
            if (next == WEND_NO_CELL) continue;
            good &= CHECK_THAT(h[cell] <= h[next] + test_move_cost(grid, d),
                               "%s on map %llu: h of %u and %u is not consistent", planner,
                               (unsigned long long)stage->number, cell, next);
        }
    good &= CHECK_THAT(wend_agent_counters(agent).learnt == raised,
                       "%s on map %llu: %llu cells learnt, %llu raised", planner,
                       (unsigned long long)stage->number,
                       (unsigned long long)wend_agent_counters(agent).learnt, (unsigned long long)raised);
    return good;
}

static void h_only_grows_and_stays_below_the_truth(void) {
    uint64_t learnt = 0;
    for (uint64_t number = 0; number < 240; number++) {
        test_stage stage;
        wend_cell start, goal;
        if (small_problem(&stage, number, &start, &goal))
            for (int i = 0; i < LEARNERS; i++) {
                wend_agent *agent = test_agent_make(&stage, learners[i], NULL);
                belief believed;
                if (belief_make(&believed, &stage) && agent) {
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    belief_given(&believed, &stage, goal);
                    for (int step = 0; step < 250 && wend_agent_cell(agent) != goal; step++) {
                        CHECK(wend_agent_step(agent).outcome == WEND_STEP_MOVED);
                        if (!check_h(&stage, agent, learners[i], &believed)) break;
                    }
                    learnt += wend_agent_counters(agent).learnt;
                    /* A new task: nothing of the old one is left, and the count says so at once. */
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    belief_given(&believed, &stage, goal);
                    (void)check_h(&stage, agent, learners[i], &believed);
                    (void)wend_agent_step(agent);
                    (void)check_h(&stage, agent, learners[i], &believed);
                }
                belief_free(&believed);
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
    CHECK_THAT(learnt > 5000, "only %llu values learnt", (unsigned long long)learnt);
}

/* Another goal that can be reached from where the agent stands, mostly one step from the last. */
static wend_cell another_goal(const test_stage *stage, const wend_agent *agent, test_random *random) {
    wend_cell goal = wend_agent_goal(agent), next = WEND_NO_CELL;
    if (test_below(random, 4)) next = test_next(&stage->grid, goal, (int)test_below(random, 8));
    if (next == WEND_NO_CELL) next = test_open_cell(stage->map, random);
    return stage->left[next] != WEND_NO_COST ? next : goal;
}

/* A goal that moves: h for the new one is what Adaptive A* keeps of the old, or nothing. It stays consistent
 * and below the truth. The agent's moves are legal, within their bounds and counted right. When the goal
 * stops it arrives. */
static void what_was_learnt_outlives_its_goal(void) {
    uint64_t kept = 0;
    for (uint64_t number = 0; number < 60; number++) {
        test_stage stage;
        wend_cell start, goal;
        if (small_problem(&stage, 500 + number, &start, &goal))
            for (int i = 0; i < LEARNERS; i++) {
                const char *planner = learners[i];
                test_random random = {number};
                wend_agent *agent = test_agent_make(&stage, planner, NULL);
                belief believed;
                test_walk walk = {0};
                memset(stage.been, 0, stage.grid.cells);
                if (belief_make(&believed, &stage) && agent) {
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    belief_given(&believed, &stage, goal);
                    test_dijkstra(&stage.grid, goal, stage.left);
                    for (int change = 0; change < 40; change++) {
                        stage.been[wend_agent_cell(agent)] = 1;
                        for (uint32_t step = test_below(&random, 6); step; step--) {
                            wend_cell before = wend_agent_cell(agent);
                            wend_counters counted = wend_agent_counters(agent);
                            wend_step made = wend_agent_step(agent);
                            CHECK(made.outcome == WEND_STEP_MOVED || made.outcome == WEND_STEP_ARRIVED);
                            test_check_step(&stage, agent, planner, before, &counted, made, &walk);
                            if (!check_h(&stage, agent, planner, &believed)) break;
                        }
                        wend_cell last = wend_agent_goal(agent), next = another_goal(&stage, agent, &random);
                        CHECK(wend_agent_set_goal(agent, next, NULL) == WEND_OK);
                        if (next != last) {
                            belief_kept(&believed, &stage, next, keeps_consistent(planner));
                            memset(stage.been, 0, stage.grid.cells);
                        }
                        test_dijkstra(&stage.grid, next, stage.left);
                        for (wend_cell cell = 0; cell < stage.grid.cells; cell++) {
                            if (!stage.grid.open[cell]) continue;
                            CHECK_THAT(test_agent_h(&stage, agent, cell) == believed.h[cell],
                                       "%s on map %llu: h of %u for another goal", planner,
                                       (unsigned long long)stage.number, cell);
                            kept += believed.h[cell] > test_distance(&stage.grid, cell, next);
                        }
                        if (!check_h(&stage, agent, planner, &believed)) break;
                    }
                    wend_cell at = wend_agent_cell(agent), end = wend_agent_goal(agent);
                    uint64_t limit = test_step_limit(&stage, planner, at, end, stage.left);
                    while (limit-- && wend_agent_step(agent).outcome == WEND_STEP_MOVED) {
                    }
                    CHECK_THAT(wend_agent_cell(agent) == end, "%s on map %llu: the last goal was not reached",
                               planner, (unsigned long long)stage.number);
                }
                belief_free(&believed);
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
    CHECK_THAT(kept > 5000, "only %llu values kept", (unsigned long long)kept);
}

/* Cells of earlier goals never stand in the way: where the table is full of them they are forgotten. Goals
 * that are one step away need few cells. */
static void earlier_goals_take_no_room(void) {
    for (int i = 0; i < LEARNERS; i++) {
        test_random random = {(uint64_t)i};
        test_stage stage;
        if (test_stage_open(
                &stage, test_map_make(TEST_SHAPE_ROOMS, 60, 60, wend_default_rules(), &random, NULL), NULL)) {
            wend_agent_options options = wend_default_agent_options();
            options.max_cells = 20;
            wend_agent *agent = test_agent_make(&stage, learners[i], &options);
            wend_cell start = test_open_cell(stage.map, &random);
            if (agent && CHECK(wend_agent_start(agent, start, start, NULL) == WEND_OK))
                for (int step = 0; step < 2000; step++) {
                    wend_cell at = wend_agent_cell(agent), next = WEND_NO_CELL;
                    while (next == WEND_NO_CELL)
                        next = test_next(&stage.grid, at, (int)test_below(&random, 8));
                    CHECK(wend_agent_set_goal(agent, next, NULL) == WEND_OK);
                    wend_step made = wend_agent_step(agent);
                    if (!CHECK_THAT(made.outcome == WEND_STEP_MOVED && wend_agent_cell(agent) == next &&
                                        made.operations <= wend_agent_bound(agent, wend_agent_budget(agent)),
                                    "%s: outcome %d at goal %d", learners[i], (int)made.outcome, step))
                        break;
                }
            wend_agent_destroy(agent);
            test_case();
        }
        test_stage_close(&stage);
    }
}

/* The cells that the current lookahead has expanded. */
static uint32_t expanded_cells(const wend_search *search, uint8_t *expanded, uint32_t cells) {
    const wend_learnt *learnt = &search->learnt;
    const wend_record_learnt *slots = learnt->slots;
    memset(expanded, 0, cells);
    CHECK(!learnt->wide);
    for (uint32_t i = 0; i < learnt->closed_count; i++) expanded[slots[learnt->closed[i]].cell] = 1;
    return learnt->closed_count;
}

/* The open cell that daRTAA* goes for. */
static wend_cell least_raised(const test_learner *learner, const test_lookahead *lookahead) {
    if (lookahead->best == learner->goal) return lookahead->best;
    wend_cell best = WEND_NO_CELL;
    wend_cost best_raised = 0, best_f = 0;
    for (wend_cell cell = 0; cell < learner->grid->cells; cell++) {
        if (lookahead->g[cell] == WEND_NO_COST || lookahead->closed[cell]) continue;
        wend_cost raised = learner->h[cell] - test_distance(learner->grid, cell, learner->goal);
        wend_cost f = lookahead->g[cell] + learner->h[cell];
        bool better = best == WEND_NO_CELL || raised < best_raised ||
                      (raised == best_raised &&
                       (f < best_f || (f == best_f && lookahead->g[cell] > lookahead->g[best])));
        if (better) best = cell, best_raised = raised, best_f = f;
    }
    return best;
}

/* One lookahead, one update, one move by the plain form, and the same by the agent. */
static bool compare_step(const test_stage *stage, wend_agent *agent, const char *planner, test_learner *plain,
                         uint8_t *expanded, wend_cost *values) {
    const test_grid *grid = &stage->grid;
    unsigned long long map = stage->number;
    uint64_t most = wend_agent_budget(agent);
    bool good = true;
    (void)wend_agent_plan(agent, most);
    uint32_t count = expanded_cells(search_of(agent), expanded, grid->cells);
    test_lookahead lookahead = test_look_ahead(plain, most);
    bool all_moves = !test_is_planner(planner, "rtaa"), da = test_is_planner(planner, "dartaa");
    if (all_moves) /* then the plain lookahead expands the same cells; rtaa's leaves out equal ways */
        good &=
            CHECK_THAT(count == lookahead.expanded && memcmp(expanded, lookahead.closed, grid->cells) == 0,
                       "%s on map %llu: %u cells expanded, not the %u expected", planner, map, count,
                       lookahead.expanded);
    test_exit_values(plain, expanded, values);
    wend_cost f = values[plain->at]; /* the least over all ways out: f of the cell about to be expanded */
    good &= CHECK_THAT(all_moves ? f == lookahead.best_f : true, "the plain forms differ");
    int expected = test_first_move(plain, &lookahead, da ? least_raised(plain, &lookahead) : lookahead.best);
    wend_cost *from = calloc(grid->cells, sizeof *from);
    if (!CHECK(from)) return false;
    test_dijkstra(grid, plain->at, from);

    wend_step step = wend_agent_move(agent);
    good &= CHECK(step.outcome == WEND_STEP_MOVED);
    wend_cell to = wend_agent_cell(agent);
    if (all_moves)
        good &= CHECK_THAT(step.direction == expected, "%s on map %llu: direction %d, not %d", planner, map,
                           (int)step.direction, expected);
    else
        good &= CHECK_THAT(step.direction < 8 && values[to] + test_move_cost(grid, step.direction) == f,
                           "%s on map %llu: the move does not lead to a cell of least f", planner, map);
    for (wend_cell cell = 0; cell < grid->cells; cell++) {
        if (!grid->open[cell]) continue;
        /* A* with a consistent h knows the true distance of what it has expanded. */
        wend_cost learnt = !test_is_planner(planner, "lss-lrta") ? f - from[cell] : values[cell];
        if (expanded[cell] && learnt > plain->h[cell]) plain->h[cell] = learnt;
        good &= CHECK_THAT(test_agent_h(stage, agent, cell) == plain->h[cell],
                           "%s on map %llu: h of %u is %llu, not %llu", planner, map, cell,
                           (unsigned long long)test_agent_h(stage, agent, cell),
                           (unsigned long long)plain->h[cell]);
    }
    plain->at = to;
    free(from);
    test_lookahead_free(&lookahead);
    return good;
}

static void learners_follow_their_definitions(void) {
    static const char *const planners[] = {"lss-lrta:k=1", "lss-lrta:k=4", "lss-lrta:k=11", "lss-lrta:k=500",
                                           "rtaa:k=1",     "rtaa:k=4",     "rtaa:k=11",     "rtaa:k=500",
                                           "dartaa:k=1",   "dartaa:k=4",   "dartaa:k=11",   "dartaa:k=500"};
    uint64_t steps = 0;
    for (uint64_t number = 0; number < 180; number++) {
        test_stage stage;
        wend_cell start, goal;
        if (small_problem(&stage, 7000 + number, &start, &goal))
            for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
                wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
                uint8_t *expanded = calloc(stage.grid.cells, 1);
                wend_cost *values = calloc(stage.grid.cells, sizeof *values);
                test_learner plain;
                test_learner_start(&plain, &stage.grid, start, goal);
                if (agent && CHECK(expanded && values)) {
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    for (int step = 0; step < 60 && plain.at != goal; step++, steps++)
                        if (!compare_step(&stage, agent, planners[i], &plain, expanded, values)) break;
                }
                test_learner_free(&plain);
                free(values), free(expanded);
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
    CHECK_THAT(steps > 8000, "only %llu steps compared", (unsigned long long)steps);
}

static const test tests[] = {
    {"h only grows and stays below the truth", h_only_grows_and_stays_below_the_truth},
    {"what was learnt outlives its goal", what_was_learnt_outlives_its_goal},
    {"earlier goals take no room", earlier_goals_take_no_room},
    {"learners follow their definitions", learners_follow_their_definitions},
};

TEST_MAIN(tests)
