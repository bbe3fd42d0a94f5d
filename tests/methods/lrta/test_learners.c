/* The learning planners on terrain that changes or is not known: what they have learnt stays true of what
 * they believe, and they say that there is no path when, and only when, that is so. Looks inside. */
#include "methods/lrta/learner.h"
#include "support/agents/agents.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const char *const learners[] = {
    "lrta",     "lrta:d=2", "lrta:gmax=2.9", "lss-lrta:k=1", "lss-lrta:k=7", "lss-lrta",
    "rtaa:k=1", "rtaa:k=3", "rtaa",          "dartaa:k=1",   "dartaa:k=4",   "dartaa",
};
enum { LEARNERS = sizeof learners / sizeof *learners };

static const wend_learner *learner_of(const wend_agent *agent) {
    return agent->state;
}

/* A small world whose map can be edited; any shape and rules. */
static bool open_world(test_stage *stage, uint64_t number) {
    test_random random = {number};
    int32_t width = 2 + (int32_t)test_below(&random, 11), height = 2 + (int32_t)test_below(&random, 11);
    uint32_t shape = test_below(&random, TEST_SHAPES + 4);
    wend_map *map = test_map_make(shape < TEST_SHAPES ? (test_shape)shape : TEST_SHAPE_SCATTERED, width,
                                  height, test_rules((uint32_t)(number % TEST_RULES)), &random, NULL);
    wend_world_options options = wend_default_world_options();
    options.editable = true;
    bool good = test_stage_open(stage, map, &options);
    stage->number = number;
    return good && wend_map_open_cells(map);
}

/* The maps of the world and of the tests, edited alike. Neither the agent's cell nor its goal is closed. */
static void edit(test_stage *stage, const wend_agent *agent, test_random *random) {
    int32_t width = wend_map_width(stage->map), height = wend_map_height(stage->map);
    bool large = test_below(random, 12) == 0, open = test_below(random, 2);
    wend_rect area = {(int32_t)test_below(random, (uint32_t)width),
                      (int32_t)test_below(random, (uint32_t)height), 1, 1};
    if (large) area.width = 1 + (int32_t)test_below(random, (uint32_t)(width - area.x));
    if (large) area.height = 1 + (int32_t)test_below(random, (uint32_t)(height - area.y));
    const wend_cell kept[2] = {wend_agent_cell(agent), wend_agent_goal(agent)};
    for (int i = 0; i < 2; i++) {
        wend_xy xy = wend_map_xy(stage->map, kept[i]);
        bool inside =
            xy.x >= area.x && xy.x < area.x + area.width && xy.y >= area.y && xy.y < area.y + area.height;
        if (!open && inside) return;
    }
    CHECK(wend_world_edit(stage->world, area, open, NULL) == WEND_OK);
    CHECK(wend_map_edit(stage->map, area, open, NULL) == WEND_OK);
    test_grid_free(&stage->grid);
    stage->grid = test_grid_of(stage->map);
}

/* h against the map as it is now: admissible; and consistent, where the planner promises that. */
static bool check_h(const test_stage *stage, const wend_agent *agent, const char *planner, wend_cost *left) {
    const test_grid *grid = &stage->grid;
    bool good = true;
    test_dijkstra(grid, wend_agent_goal(agent), left);
    for (wend_cell cell = 0; cell < grid->cells; cell++) {
        if (!grid->open[cell]) continue;
        wend_cost h = test_agent_h(stage, agent, cell);
        good &= CHECK_THAT(h <= left[cell], "%s on map %llu: h of %u is above the true distance", planner,
                           (unsigned long long)stage->number, cell);
        for (int d = 0; learner_of(agent)->consistent && d < 8; d++) {
            wend_cell next = test_next(grid, cell, d);
            if (next == WEND_NO_CELL) continue;
            good &= CHECK_THAT(h <= test_agent_h(stage, agent, next) + test_move_cost(grid, d),
                               "%s on map %llu: h of %u and %u is not consistent", planner,
                               (unsigned long long)stage->number, cell, next);
        }
    }
    return good;
}

/* Whether it has heard of all changes and planned on nothing else, so that h holds. */
static bool is_up_to_date(const wend_agent *agent) {
    return agent->taken == agent->view->map->revision && !learner_of(agent)->behind &&
           !learner_of(agent)->dirty;
}

typedef struct tally {
    uint64_t moves, waits, proofs, checks;
} tally;

/* Plans in pieces and moves, with edits in between: what was planned may be of no use any more. */
static wend_step piecemeal(test_stage *stage, wend_agent *agent, test_random *random) {
    uint64_t budget = wend_agent_budget(agent);
    uint32_t first = 1 + test_below(random, 9);
    if (first < budget && wend_agent_plan(agent, first)) edit(stage, agent, random);
    (void)wend_agent_plan(agent, first < budget ? budget - first : budget);
    if (test_below(random, 2)) edit(stage, agent, random);
    return wend_agent_move(agent);
}

static void check_outcome(const test_stage *stage, const wend_agent *agent, const char *planner,
                          wend_step made, wend_cost *left, tally *sum) {
    sum->moves += made.outcome == WEND_STEP_MOVED, sum->waits += made.outcome == WEND_STEP_WAITING;
    CHECK(made.outcome != WEND_STEP_OUT_OF_MEMORY);
    if (made.outcome != WEND_STEP_UNREACHABLE) return;
    test_dijkstra(&stage->grid, wend_agent_goal(agent), left);
    sum->proofs++;
    CHECK_THAT(left[wend_agent_cell(agent)] == WEND_NO_COST,
               "%s on map %llu: says that there is no path, and there is", planner,
               (unsigned long long)stage->number);
}

/* A walk over a map that is edited at every few steps, with goals that change now and then. The agent hears
 * of at most `told` changes before a move. */
static void walk_over_edits(test_stage *stage, const char *planner, uint64_t seed, uint32_t told,
                            tally *sum) {
    test_random random = {seed};
    wend_agent *agent = test_agent_make(stage, planner, NULL);
    wend_cost *left = calloc(stage->grid.cells, sizeof *left);
    wend_cell start = test_open_cell(stage->map, &random), goal = test_open_cell(stage->map, &random);
    test_walk walk = {0};
    memset(stage->been, 0, stage->grid.cells);
    stage->been[start] = 1;
    if (agent) agent->most_changes = told;
    bool good = agent && CHECK(left) && CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
    for (int step = 0; good && step < 100; step++) {
        wend_counters counted = wend_agent_counters(agent);
        for (uint32_t i = test_below(&random, 3); i; i--) edit(stage, agent, &random);
        if (!test_below(&random, 12)) {
            wend_cell next = test_open_cell(stage->map, &random);
            if (next != wend_agent_goal(agent)) memset(stage->been, 0, stage->grid.cells);
            stage->been[wend_agent_cell(agent)] = 1;
            CHECK(wend_agent_set_goal(agent, next, NULL) == WEND_OK);
        }
        wend_cell before = wend_agent_cell(agent);
        bool ended = agent->ended;
        bool pieces = test_below(&random, 3) == 0 && !test_is_planner(planner, "lrta");
        wend_step made = pieces ? piecemeal(stage, agent, &random) : wend_agent_step(agent);
        test_check_step(stage, agent, planner, before, &counted, made, &walk);
        /* One that has ended goes on when it hears of an opening. */
        if (!ended || agent->taken == agent->view->map->revision)
            check_outcome(stage, agent, planner, made, left, sum);
        if (!is_up_to_date(agent)) continue;
        sum->checks++;
        good = check_h(stage, agent, planner, left);
    }
    free(left);
    wend_agent_destroy(agent);
}

static void h_holds_over_edits(void) {
    tally sum = {0};
    for (uint64_t number = 0; number < 96; number++) {
        for (int i = 0; i < LEARNERS; i++) {
            test_stage stage;
            if (open_world(&stage, number)) {
                walk_over_edits(&stage, learners[i], number, 64, &sum);
                test_case();
            }
            test_stage_close(&stage);
        }
    }
    CHECK_THAT(sum.moves > 20000 && sum.proofs > 500 && sum.checks > 50000 && sum.waits,
               "%llu moves, %llu waits, %llu proofs, %llu checks", (unsigned long long)sum.moves,
               (unsigned long long)sum.waits, (unsigned long long)sum.proofs, (unsigned long long)sum.checks);
}

/* The same with agents that hear of few changes at a time and are behind for many steps: they prove
 * nothing false, and once they have caught up, h holds. */
static void agents_may_be_behind(void) {
    tally sum = {0};
    for (uint64_t number = 0; number < 96; number++) {
        for (int i = 0; i < LEARNERS; i++) {
            test_stage stage;
            if (open_world(&stage, 300 + number)) {
                walk_over_edits(&stage, learners[i], number, 1 + (uint32_t)number % 3, &sum);
                test_case();
            }
            test_stage_close(&stage);
        }
    }
    CHECK_THAT(sum.moves > 20000 && sum.checks > 5000, "%llu moves, %llu checks",
               (unsigned long long)sum.moves, (unsigned long long)sum.checks);
}

/* These agents do not know which cells are joined. They walk until they arrive or have proved that there is
 * no path. The proof is a lookahead with nothing left in it, or an h above the cost of any shortest path.
 * `seen`: they see only what is beside them, and believe all else open. */
static void walk_to_the_end(test_stage *stage, const char *planner, uint64_t seed, bool seen, tally *sum) {
    test_random random = {seed};
    wend_agent_options options = wend_default_agent_options();
    wend_knowledge_options unknown = wend_default_knowledge_options();
    if (seen) CHECK(wend_knowledge_create(stage->world, &unknown, &options.knowledge, NULL) == WEND_OK);
    wend_agent *agent = test_agent_make(stage, planner, &options);
    wend_cell start = test_open_cell(stage->map, &random), goal = test_open_cell(stage->map, &random);
    if (seen) goal = test_below(&random, stage->grid.cells); /* it may be blocked, unknown to the agent */
    test_walk walk = {0};
    memset(stage->been, 0, stage->grid.cells);
    stage->been[start] = 1;
    memset(stage->left, 0xff, stage->grid.cells * sizeof *stage->left);
    if (stage->grid.open[goal]) test_dijkstra(&stage->grid, goal, stage->left);
    if (agent && CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) {
        wend_counters counted = {0}; /* the first look is part of the first step */
        wend_step made = {WEND_STEP_WAITING, WEND_NO_DIRECTION, 0, 0};
        uint64_t limit = 4 * (uint64_t)stage->grid.cells * stage->grid.cells + 4;
        while (limit-- && (made.outcome == WEND_STEP_MOVED || made.outcome == WEND_STEP_WAITING)) {
            agent->checked = !seen; /* as if it had been, so that components are not asked */
            wend_cell before = wend_agent_cell(agent);
            made = wend_agent_step(agent);
            test_check_step(stage, agent, planner, before, &counted, made, &walk);
            counted = wend_agent_counters(agent);
        }
        bool joined = stage->left[start] != WEND_NO_COST;
        CHECK_THAT(made.outcome == (joined ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE),
                   "%s on map %llu from %u to %u: outcome %d after %llu steps", planner,
                   (unsigned long long)stage->number, start, goal, (int)made.outcome,
                   (unsigned long long)walk.steps);
        sum->moves += walk.moves, sum->proofs += !joined;
        sum->checks += !joined && walk.moves > stage->grid.cells; /* a long proof, by h */
    }
    wend_agent_destroy(agent);
    wend_knowledge_destroy(options.knowledge);
}

static void no_path_is_proved(void) {
    for (int i = 0; i < LEARNERS; i++) {
        tally sum = {0};
        for (uint64_t number = 0; number < 120; number++) {
            test_stage stage;
            if (open_world(&stage, 700 + number)) {
                walk_to_the_end(&stage, learners[i], number, false, &sum);
                walk_to_the_end(&stage, learners[i], number, true, &sum);
                test_case();
            }
            test_stage_close(&stage);
        }
        CHECK_THAT(sum.proofs > 25, "%s: only %llu proofs", learners[i], (unsigned long long)sum.proofs);
        if (test_is_planner(learners[i], "lrta"))
            CHECK_THAT(sum.checks > 5, "%s: proofs are short", learners[i]);
    }
}

/* A closed box around the goal, in the middle of a map that nobody knows. By h alone the proof takes steps in
 * proportion to the fourth power of the side; by components, a slice for each move, in proportion to its cells and
 * to what is seen of walls. */
static void boxes_are_seen_through(void) {
    static const char *const planners[] = {"lrta", "lrta:d=3", "rtaa:k=4", "dartaa:k=4", "lss-lrta:k=4"};
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++)
        for (int32_t side = 10; side <= 160; side *= 2) {
            test_stage stage;
            test_random random = {1};
            wend_map *map = test_map_make(TEST_SHAPE_OPEN, side, side, wend_default_rules(), &random, NULL);
            const int32_t middle = side / 2;
            CHECK(wend_map_edit(map, (wend_rect){middle - 1, middle - 1, 3, 3}, false, NULL) == WEND_OK);
            CHECK(wend_map_edit(map, (wend_rect){middle, middle, 1, 1}, true, NULL) == WEND_OK);
            if (!CHECK(test_stage_open(&stage, map, NULL))) continue;
            wend_agent_options options = wend_default_agent_options();
            wend_knowledge_options unknown = wend_default_knowledge_options();
            CHECK(wend_knowledge_create(stage.world, &unknown, &options.knowledge, NULL) == WEND_OK);
            wend_agent *agent = test_agent_make(&stage, planners[i], &options);
            CHECK(wend_agent_start(agent, 0, wend_map_cell(map, middle, middle), NULL) == WEND_OK);
            const uint64_t bound = wend_agent_bound(agent, wend_agent_budget(agent));
            wend_step made = {.outcome = WEND_STEP_MOVED};
            uint64_t steps = 0, most = (uint64_t)side * (uint64_t)side / 10 + 2 * (uint64_t)side + 100;
            for (; made.outcome == WEND_STEP_MOVED && steps <= most; steps++) {
                made = wend_agent_step(agent);
                CHECK(made.operations <= bound);
            }
            CHECK_THAT(made.outcome == WEND_STEP_UNREACHABLE, "%s on %d x %d: outcome %d after %llu steps",
                       planners[i], (int)side, (int)side, (int)made.outcome, (unsigned long long)steps);
            wend_agent_destroy(agent);
            wend_knowledge_destroy(options.knowledge);
            test_stage_close(&stage);
            test_case();
        }
}

/* The most expensive shortest paths there are: corridors that wind through the whole map. The bound holds,
 * and is met. */
static void the_bound_is_that_of_the_longest_path(void) {
    uint64_t nearly = 0;
    for (uint64_t number = 0; number < 240; number++) {
        test_random random = {number};
        static const test_shape shapes[] = {TEST_SHAPE_SPIRAL, TEST_SHAPE_COMB, TEST_SHAPE_MAZE,
                                            TEST_SHAPE_DIAGONALS, TEST_SHAPE_SCATTERED};
        test_stage stage;
        wend_map *map =
            test_map_make(shapes[number / TEST_RULES % 5], 1 + (int32_t)test_below(&random, 14),
                          1 + (int32_t)test_below(&random, 14), test_rules((uint32_t)number), &random, NULL);
        if (test_stage_open(&stage, map, NULL) && wend_map_open_cells(map)) {
            wend_search_options options = wend_default_search_options();
            wend_search *search = NULL;
            CHECK(wend_search_create(map, &options, &search, NULL) == WEND_OK);
            CHECK(wend_learnt_reserve(search, 1, 1) == WEND_OK);
            uint64_t bound = wend_learnt_limit(search);
            for (int i = 0; i < 8; i++) {
                wend_cell from = test_open_cell(map, &random);
                test_dijkstra(&stage.grid, from, stage.left);
                for (wend_cell cell = 0; cell < stage.grid.cells; cell++) {
                    if (stage.left[cell] == WEND_NO_COST) continue;
                    CHECK_THAT(stage.left[cell] <= bound, "map %llu: %u to %u", (unsigned long long)number,
                               from, cell);
                    nearly += stage.left[cell] * 10 > bound * 9;
                }
            }
            wend_search_destroy(search);
            test_case();
        }
        test_stage_close(&stage);
    }
    CHECK_THAT(nearly > 50, "the bound is never met: %llu", (unsigned long long)nearly);
}

/* Whoever has not heard of everything proves nothing by h. */
static void who_is_behind_proves_nothing(void) {
    for (int i = 0; i < LEARNERS; i++) {
        test_stage stage;
        if (open_world(&stage, 12)) {
            test_random random = {(uint64_t)i};
            wend_agent *agent = test_agent_make(&stage, learners[i], NULL);
            wend_cell start = test_open_cell(stage.map, &random);
            if (agent && CHECK(wend_agent_start(agent, start, start, NULL) == WEND_OK)) {
                wend_learner *learner = agent->state;
                uint64_t limit = wend_learnt_limit(learner->search);
                agent->taken--;
                CHECK(!wend_learner_proves(agent, limit + 1) && !agent->ended);
                agent->taken++;
                learner->behind = true;
                CHECK(!wend_learner_proves(agent, limit + 1) && !agent->ended);
                learner->behind = false, learner->dirty = true;
                CHECK(!wend_learner_proves(agent, limit + 1) && !agent->ended);
                learner->dirty = false;
                CHECK(!wend_learner_proves(agent, limit) && !agent->ended);
                CHECK(wend_learner_proves(agent, limit + 1) && agent->end == WEND_STEP_UNREACHABLE);
            }
            wend_agent_destroy(agent);
            test_case();
        }
        test_stage_close(&stage);
    }
}

/* A crowd of learners: what they have in common is there once. */
static void creating_one_costs_little(void) {
    static const struct {
        const char *planner;
        size_t most; /* bytes */
    } costs[] = {{"lrta", 3500}, {"rtaa", 4000}, {"dartaa", 4000}, {"lss-lrta", 7000}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        enum { AGENTS = 50 };
        test_memory memory = {0};
        wend_world_options options = wend_default_world_options();
        options.allocator = test_allocator(&memory);
        test_random random = {1};
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 30, 30, wend_default_rules(), &random, NULL);
        wend_world *world;
        wend_agent *agents[AGENTS];
        const wend_settings *settings;
        wend_agent_options few = wend_default_agent_options();
        few.max_cells = 4;
        CHECK(test_settings_parse(costs[i].planner, &settings, NULL) == WEND_OK);
        CHECK(wend_world_create(map, &options, &world, NULL) == WEND_OK);
        uint64_t first = 0, bytes = 0;
        for (size_t j = 0; j < AGENTS; j++) {
            CHECK(wend_agent_create(world, settings, &few, &agents[j], NULL) == WEND_OK);
            if (j == 0) first = memory.live_bytes;
            bytes += wend_agent_bytes(agents[j]);
        }
        uint64_t each = (memory.live_bytes - first) / (AGENTS - 1);
        CHECK_THAT(each <= costs[i].most && each == bytes / AGENTS, "%s: %llu bytes, %llu declared",
                   costs[i].planner, (unsigned long long)each, (unsigned long long)(bytes / AGENTS));
        for (size_t j = 0; j < AGENTS; j++) wend_agent_destroy(agents[j]);
        wend_world_destroy(world);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        wend_map_destroy(map);
        test_case();
    }
}

static const test tests[] = {
    {"creating one costs little", creating_one_costs_little},
    {"h holds over edits", h_holds_over_edits},
    {"agents may be behind", agents_may_be_behind},
    {"no path is proved", no_path_is_proved},
    {"boxes are seen through", boxes_are_seen_through},
    {"the bound is that of the longest path", the_bound_is_that_of_the_longest_path},
    {"who is behind proves nothing", who_is_behind_proves_nothing},
};

TEST_MAIN(tests)
