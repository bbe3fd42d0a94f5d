/* Searches spread over steps (astar, tba) against one that is not, and the game time model. Looks inside to
 * compare with the search itself. */
#include "plan/agent.h"
#include "support/agents/agents.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* A problem with an answer on a map of test_map_any; with the distances to its goal. */
static bool any_problem(test_stage *stage, uint64_t number, wend_cell *start, wend_cell *goal) {
    test_random random = {number};
    if (!test_stage_any(stage, number) || !wend_map_open_cells(stage->map)) return false;
    *start = test_open_cell(stage->map, &random), *goal = test_open_cell(stage->map, &random);
    test_dijkstra(&stage->grid, *goal, stage->left);
    return *start != *goal && stage->left[*start] != WEND_NO_COST;
}

/* The same moves for every budget, and those of the reference's A*; as many expansions in all; no move before
 * the search is over and no wait after. */
static void astar_walks_one_path_whatever_its_budget(void) {
    for (uint64_t number = 0; number < 300; number++) {
        test_stage stage;
        wend_cell start, goal;
        if (any_problem(&stage, 8000 + number, &start, &goal)) {
            test_astar_result plain = test_astar(&stage.grid, start, goal);
            CHECK(plain.found && plain.cost == stage.left[start]);
            for (int k = 0; k <= 60; k += 1 + k / 4) {
                char planner[40];
                snprintf(planner, sizeof planner, k ? "astar:k=%d" : "astar", k);
                wend_agent *agent = test_agent_make(&stage, planner, NULL);
                if (!agent) continue;
                CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                size_t moves = 0;
                for (uint64_t i = 0; i < 12 * stage.grid.cells && wend_agent_cell(agent) != goal; i++) {
                    wend_step step = wend_agent_step(agent);
                    if (step.outcome == WEND_STEP_MOVED) {
                        CHECK_THAT(moves < plain.moves && plain.path[moves] == step.direction,
                                   "%s on map %llu: move %zu differs", planner,
                                   (unsigned long long)stage.number, moves);
                        moves++;
                    } else {
                        CHECK_THAT(step.outcome == WEND_STEP_WAITING && !moves && k, "%s: outcome %d",
                                   planner, (int)step.outcome);
                    }
                }
                CHECK(moves == plain.moves && wend_agent_counters(agent).expansions == plain.expansions);
                CHECK(wend_agent_counters(agent).revisits == 0);
                wend_agent_destroy(agent);
                test_case();
            }
            free(plain.path);
        }
        test_stage_close(&stage);
    }
}

/* Algorithm 1 of "Time-Bounded Adaptive A*", over the kernel: a search of its own, continued by k expansions
 * per interval, and the path to its best cell looked through from its end. */
typedef struct plain_tba {
    const test_stage *stage;
    wend_search *search;
    wend_cell at, goal;
    bool found;
    wend_cell *path; /* from the best cell back to the root */
    size_t length;
} plain_tba;

static void plain_trace(plain_tba *plain, wend_cell best) {
    const test_grid *grid = &plain->stage->grid;
    plain->length = 0;
    plain->path[plain->length++] = best;
    for (uint32_t d; (d = wend_search_reached(plain->search, best)) != WEND_TAG_ROOT;) {
        best = test_next(grid, best, (int)(d + 4) % 8);
        plain->path[plain->length++] = best;
    }
}

static void plain_interval(plain_tba *plain, uint64_t k) {
    if (!plain->found) {
        wend_ended ended = wend_search_run(plain->search, k, UINT64_MAX);
        CHECK(ended == WEND_ENDED_GOAL || ended == WEND_ENDED_BUDGET);
        wend_cell best = wend_search_best(plain->search, UINT64_MAX);
        plain->found = best == plain->goal;
        plain_trace(plain, best);
    }
    for (size_t i = 1; i < plain->length; i++)
        if (plain->path[i] == plain->at) {
            plain->at = plain->path[i - 1];
            return;
        }
    CHECK(plain->path[0] != plain->at); /* the best cell was expanded before it was the best again */
    uint32_t d = wend_search_reached(plain->search, plain->at);
    if (CHECK(d != WEND_TAG_ROOT)) plain->at = test_next(&plain->stage->grid, plain->at, (int)(d + 4) % 8);
}

static void free_tba_is_the_printed_algorithm(void) {
    uint64_t moves = 0, back = 0;
    for (uint64_t number = 0; number < 400; number++) {
        test_stage stage;
        wend_cell start, goal;
        if (any_problem(&stage, 9000 + number, &start, &goal)) {
            static const uint64_t budgets[] = {1, 2, 3, 5, 10, 40, 1000};
            for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
                char planner[40];
                snprintf(planner, sizeof planner, "tba:trace=free,k=%llu", (unsigned long long)budgets[i]);
                wend_agent *agent = test_agent_make(&stage, planner, NULL);
                plain_tba plain = {.stage = &stage, .at = start, .goal = goal};
                plain.path = calloc(stage.grid.cells + 1, sizeof *plain.path);
                wend_search_options options = wend_default_search_options();
                bool good = CHECK(plain.path &&
                                  wend_search_create(stage.map, &options, &plain.search, NULL) == WEND_OK) &&
                            CHECK(wend_search_reserve(plain.search, 4 * stage.grid.cells + 64) == WEND_OK);
                if (agent && good) {
                    wend_search_begin(plain.search, start, goal);
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    while (plain.at != goal) {
                        wend_cell before = plain.at;
                        plain_interval(&plain, budgets[i]);
                        wend_step step = wend_agent_step(agent);
                        if (!CHECK_THAT(step.outcome == WEND_STEP_MOVED && wend_agent_cell(agent) == plain.at,
                                        "%s on map %llu from %u to %u: outcome %d from %u, to %u and not %u",
                                        planner, (unsigned long long)stage.number, start, goal,
                                        (int)step.outcome, before, wend_agent_cell(agent), plain.at))
                            break;
                        moves++;
                        back += wend_search_reached(plain.search, plain.at) != step.direction;
                    }
                    CHECK(wend_agent_counters(agent).expansions == plain.search->expansions);
                }
                wend_search_destroy(plain.search);
                free(plain.path);
                wend_agent_destroy(agent);
                test_case();
            }
        }
        test_stage_close(&stage);
    }
    CHECK_THAT(moves > 20000 && back > 1000, "%llu moves, %llu of them back", (unsigned long long)moves,
               (unsigned long long)back);
}

/* Every move goes along an edge of the search tree, onward or back; at the end of a path the agent waits for
 * the next one. */
static void bounded_tba_stays_in_its_tree(void) {
    uint64_t waited = 0;
    static const char *const planners[] = {"tba:k=1", "tba:k=2",         "tba:k=5",
                                           "tba",     "tba:k=3,share=0", "tba:k=5,share=1"};
    for (uint64_t number = 0; number < 300; number++) {
        test_stage stage;
        wend_cell start, goal;
        if (any_problem(&stage, 11000 + number, &start, &goal))
            for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
                wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
                if (!agent) continue;
                CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                for (uint64_t j = 0; j < 12 * stage.grid.cells && wend_agent_cell(agent) != goal; j++) {
                    wend_cell from = wend_agent_cell(agent);
                    (void)wend_agent_plan(agent, wend_agent_budget(agent));
                    wend_search *search = agent->workspace ? agent->workspace->search : NULL;
                    if (!CHECK(search && search->start == start)) break;
                    uint32_t reached_from = wend_search_reached(search, from);
                    CHECK(wend_search_touched(search, from) != UINT64_MAX);
                    wend_step step = wend_agent_move(agent);
                    wend_cell to = wend_agent_cell(agent);
                    waited += step.outcome == WEND_STEP_WAITING && from != start;
                    if (step.outcome != WEND_STEP_MOVED || to == goal) continue;
                    CHECK(wend_search_touched(search, to) != UINT64_MAX);
                    bool onward = wend_search_reached(search, to) == step.direction;
                    CHECK_THAT(onward || (reached_from + 4) % 8 == step.direction,
                               "%s on map %llu: from %u to %u is no edge of the tree", planners[i],
                               (unsigned long long)stage.number, from, to);
                }
                CHECK(wend_agent_cell(agent) == goal);
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
    CHECK_THAT(waited > 100, "%llu waits on the way", (unsigned long long)waited);
}

typedef struct game_run {
    uint64_t intervals, moves, before_first_move, expansions_most, operations_most;
} game_run;

/* Runs intervals until the agent stands on its goal; checks what holds for every planner. */
static game_run play(const test_stage *stage, wend_agent *agent, const wend_interval *interval,
                     wend_cell start, wend_cell goal, uint64_t limit) {
    game_run run = {0};
    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
    while (wend_agent_cell(agent) != goal && run.intervals < limit) {
        wend_cell from = wend_agent_cell(agent);
        wend_counters before = wend_agent_counters(agent);
        wend_step step = wend_agent_interval(agent, interval);
        wend_counters after = wend_agent_counters(agent);
        run.intervals++;
        bool moved = step.outcome == WEND_STEP_MOVED;
        if (run.intervals == 1) CHECK(step.outcome == WEND_STEP_WAITING);
        if (!CHECK(moved || step.outcome == WEND_STEP_WAITING)) break;
        CHECK(wend_agent_cell(agent) == (moved ? test_next(&stage->grid, from, step.direction) : from));
        CHECK(after.expansions - before.expansions == step.expansions &&
              after.operations - before.operations == step.operations);
        run.moves += moved;
        if (!run.moves) run.before_first_move = run.intervals;
        if (step.expansions > run.expansions_most) run.expansions_most = step.expansions;
        if (step.operations > run.operations_most) run.operations_most = step.operations;
    }
    wend_counters end = wend_agent_counters(agent);
    CHECK(end.moves == run.moves && run.intervals == end.moves + end.waits + 1);
    CHECK(wend_agent_interval(agent, interval).outcome == WEND_STEP_ARRIVED);
    return run;
}

static uint64_t ceiling(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

static void intervals_follow_the_game_time_model(void) {
    static const uint64_t lengths[] = {1, 3, 20, 100};
    static const char *const planners[] = {"astar",    "tba",           "tba:trace=free", "lrta",
                                           "lrta:d=3", "lss-lrta:k=%d", "rtaa:k=%d",      "dartaa:k=%d"};
    for (uint64_t number = 0; number < 200; number++) {
        test_stage stage;
        wend_cell start, goal;
        if (any_problem(&stage, 13000 + number, &start, &goal)) {
            test_astar_result plain = test_astar(&stage.grid, start, goal);
            for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
                uint64_t k = lengths[(number + i) % 4];
                const wend_interval interval = {.expansions = k};
                char planner[40];
                snprintf(planner, sizeof planner, planners[i], (int)k);
                wend_agent *agent = test_agent_make(&stage, planner, NULL);
                if (!agent) continue;
                uint64_t limit = test_step_limit(&stage, planner, start, goal, stage.left) + 1;
                game_run run = play(&stage, agent, &interval, start, goal, limit);
                CHECK_THAT(wend_agent_cell(agent) == goal, "%s on map %llu: not there after %llu intervals",
                           planner, (unsigned long long)stage.number, (unsigned long long)run.intervals);
                if (!test_is_planner(planner, "lrta")) CHECK(run.expansions_most <= k);
                uint64_t bound = wend_agent_bound(agent, k);
                CHECK(bound == UINT64_MAX || run.operations_most <= bound);
                if (test_is_planner(planner, "astar")) {
                    /* The search, nodes passed over, the path traced ten cells per expansion; then one move
                     * per interval. */
                    uint64_t search = ceiling(plain.expansions, k);
                    uint64_t extra = ceiling(plain.passed_over, k) + ceiling(plain.moves, 10 * k);
                    CHECK_THAT(run.before_first_move >= search && run.before_first_move <= search + extra,
                               "astar: %llu intervals before the first move, %llu of searching",
                               (unsigned long long)run.before_first_move, (unsigned long long)search);
                    CHECK(run.intervals == run.before_first_move + plain.moves);
                } else if (!test_is_planner(planner, "tba")) {
                    CHECK_THAT(run.intervals == run.moves + 1, "%s waits", planner);
                }
                wend_agent_destroy(agent);
                test_case();
            }
            free(plain.path);
        }
        test_stage_close(&stage);
    }
}

/* A clock that goes on by a fixed amount each time it is looked at. */
typedef struct ticker {
    uint64_t now, by;
} ticker;

static uint64_t tick(void *context) {
    ticker *clock = context;
    return clock->now += clock->by;
}

/* The clock is looked at when an interval begins and before each slice, so n + 1 bodies are n slices: the
 * same game as one by expansions, where slices add up. */
static void intervals_by_the_clock_are_as_long_as_they_say(void) {
    static const char *const planners[] = {"astar", "rtaa:k=1000", "dartaa:k=1000", "lss-lrta:k=1000",
                                           "lrta"};
    for (uint64_t number = 0; number < 120; number++) {
        test_stage stage;
        wend_cell start, goal;
        if (any_problem(&stage, 15000 + number, &start, &goal))
            for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
                uint64_t slices = 1 + number % 4, slice = number % 3 ? number % 3 * 4 : 0;
                ticker clock = {UINT64_MAX - 5, 1}; /* it runs over, too */
                wend_interval timed = {.length = slices + 1, .slice = slice, .clock = tick};
                timed.context = &clock;
                wend_interval counted = {.expansions = slices * (slice ? slice : 20)};
                uint64_t limit = test_step_limit(&stage, planners[i], start, goal, stage.left) + 1;
                wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
                if (!agent) continue;
                game_run by_clock = play(&stage, agent, &timed, start, goal, limit);
                wend_counters clocked = wend_agent_counters(agent);
                game_run by_count = play(&stage, agent, &counted, start, goal, limit);
                CHECK(wend_agent_cell(agent) == goal);
                bool same = by_clock.moves == by_count.moves &&
                            clocked.expansions == wend_agent_counters(agent).expansions;
                /* With slices, astar's search may stop for nodes passed over, and go on in the next. */
                if (!test_is_planner(planners[i], "astar"))
                    same = same && by_clock.intervals == by_count.intervals;
                CHECK_THAT(same, "%s on map %llu: %llu and %llu intervals", planners[i],
                           (unsigned long long)stage.number, (unsigned long long)by_clock.intervals,
                           (unsigned long long)by_count.intervals);
                if (!test_is_planner(planners[i], "lrta"))
                    CHECK(by_clock.expansions_most <= counted.expansions);
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
}

/* Intervals too short for a single slice: an agent that must plan stands, and does so for ever; nobody walks
 * towards a goal that can't be reached; one that has arrived has arrived. */
static void intervals_without_time(void) {
    test_random random = {1};
    test_stage stage;
    ticker clock = {0, 10};
    wend_interval none = {.length = 10, .clock = tick}, some = {.expansions = 5};
    none.context = &clock;
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 21, 9, wend_default_rules(), &random, NULL);
    if (map) CHECK(wend_map_edit(map, (wend_rect){10, 0, 1, 9}, false, NULL) == WEND_OK);
    if (test_stage_open(&stage, map, NULL))
        for (size_t i = 0; i < test_planner_count(); i++) {
            const char *planner = test_planner(i);
            wend_agent *agent = test_agent_make(&stage, planner, NULL);
            if (!agent) continue;
            wend_cell start = 0, beyond = 20, near = 9;
            CHECK(wend_agent_start(agent, start, beyond, NULL) == WEND_OK);
            CHECK(wend_agent_interval(agent, &none).outcome == WEND_STEP_WAITING);
            for (int j = 0; j < 3; j++)
                CHECK_THAT(wend_agent_interval(agent, &none).outcome == WEND_STEP_UNREACHABLE,
                           "%s does not say that there is no path", planner);
            /* With time: the first only searches. */
            CHECK(wend_agent_start(agent, start, beyond, NULL) == WEND_OK);
            CHECK(wend_agent_interval(agent, &some).outcome == WEND_STEP_WAITING);
            CHECK(wend_agent_interval(agent, &some).outcome == WEND_STEP_UNREACHABLE);
            CHECK(wend_agent_start(agent, start, near, NULL) == WEND_OK);
            wend_step step = {0};
            for (int j = 0; j < 10; j++) step = wend_agent_interval(agent, &none);
            if (test_is_planner(planner, "lrta"))
                CHECK(step.outcome == WEND_STEP_MOVED && wend_agent_cell(agent) == near);
            else
                CHECK(step.outcome == WEND_STEP_WAITING && wend_agent_cell(agent) == start);
            CHECK(wend_agent_start(agent, near, near, NULL) == WEND_OK);
            CHECK(wend_agent_interval(agent, &none).outcome == WEND_STEP_ARRIVED);
            wend_agent_destroy(agent);
            test_case();
        }
    test_stage_close(&stage);
}

/* Wrong use has an outcome, and the agent is as it was. */
static void an_interval_without_budget_and_clock_does_nothing(void) {
    test_random random = {5};
    test_stage stage;
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 9, 9, wend_default_rules(), &random, NULL);
    if (!test_stage_open(&stage, map, NULL)) return;
    for (size_t i = 0; i < test_planner_count(); i++) {
        wend_agent *agent = test_agent_make(&stage, test_planner(i), NULL);
        const wend_interval zeros = {.clock = NULL};
        if (!agent) continue;
        for (int started = 0; started < 2; started++) {
            if (started) CHECK(wend_agent_start(agent, 0, 80, NULL) == WEND_OK);
            uint64_t before = wend_agent_hash(agent);
            CHECK(wend_agent_interval(agent, &zeros).outcome == WEND_STEP_IDLE);
            CHECK(wend_agent_interval(agent, NULL).outcome == WEND_STEP_IDLE);
            CHECK(wend_agent_hash(agent) == before);
        }
        wend_agent_destroy(agent);
        test_case();
    }
    test_stage_close(&stage);
}

static const test tests[] = {
    {"an interval without budget and clock does nothing", an_interval_without_budget_and_clock_does_nothing},
    {"astar walks one path whatever its budget", astar_walks_one_path_whatever_its_budget},
    {"free tba is the printed algorithm", free_tba_is_the_printed_algorithm},
    {"bounded tba stays in its tree", bounded_tba_stays_in_its_tree},
    {"intervals follow the game time model", intervals_follow_the_game_time_model},
    {"intervals by the clock are as long as they say", intervals_by_the_clock_are_as_long_as_they_say},
    {"intervals without time", intervals_without_time},
};

TEST_MAIN(tests)
