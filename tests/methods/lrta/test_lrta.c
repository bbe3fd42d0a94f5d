/* LRTA* against plain forms of it, and the departure that its file states. */
#include "support/agents/agents.h"
#include "support/agents/realtime.h"
#include "support/check.h"

#include <string.h>
#include <wend/wend.h>

/* With one move of lookahead it is algorithm 1 of "Fast subgoaling for pathfinding", move for move. */
static void one_move_ahead_is_the_printed_algorithm(void) {
    static const char *const planners[] = {"lrta", "lrta:d=1", "lrta:gmax=1.5"};
    uint64_t moves = 0;
    for (uint64_t number = 0; number < 480; number++) {
        const char *planner = planners[number % 3];
        test_random random = {number};
        test_stage stage;
        if (test_stage_any(&stage, 3000 + number) && wend_map_open_cells(stage.map)) {
            wend_agent *agent = test_agent_make(&stage, planner, NULL);
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            test_dijkstra(&stage.grid, goal, stage.left);
            if (agent && start != goal && stage.left[start] != WEND_NO_COST) {
                test_learner plain;
                test_learner_start(&plain, &stage.grid, start, goal);
                CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                for (int step = 0; plain.at != goal && step < 5000; step++) {
                    int expected = test_lrta_move(&plain);
                    wend_step made = wend_agent_step(agent);
                    if (!CHECK_THAT(made.outcome == WEND_STEP_MOVED && made.direction == expected,
                                    "%s on map %llu: move %d in direction %d, not %d", planner,
                                    (unsigned long long)stage.number, step, (int)made.direction, expected))
                        break;
                    moves++;
                }
                CHECK(wend_agent_cell(agent) == plain.at);
                test_learner_free(&plain);
                test_case();
            }
            wend_agent_destroy(agent);
        }
        test_stage_close(&stage);
    }
    CHECK_THAT(moves > 20000, "only %llu moves compared", (unsigned long long)moves);
}

/* Where nothing has been learnt yet, a longer lookahead chooses a cell of least g + h on the frontier, as
 * printed: the first h that it learns is the printed one. */
static void the_first_lookahead_is_as_printed(void) {
    static const char *const planners[] = {"lrta:d=2", "lrta:d=3", "lrta:d=5"};
    static const int depths[] = {2, 3, 5};
    for (uint64_t number = 0; number < 600; number++) {
        test_random random = {number};
        test_stage stage;
        if (test_stage_any(&stage, 4000 + number) && wend_map_open_cells(stage.map))
            for (int i = 0; i < 3; i++) {
                wend_agent *agent = test_agent_make(&stage, planners[i], NULL);
                wend_cell start = test_open_cell(stage.map, &random);
                wend_cell goal = test_open_cell(stage.map, &random);
                test_dijkstra(&stage.grid, goal, stage.left);
                if (agent && start != goal && stage.left[start] != WEND_NO_COST) {
                    test_learner plain;
                    test_learner_start(&plain, &stage.grid, start, goal);
                    int expected = test_lrta_printed_move(&plain, depths[i]);
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    wend_step made = wend_agent_step(agent);
                    CHECK(made.outcome == WEND_STEP_MOVED && expected != WEND_NO_DIRECTION);
                    CHECK_THAT(test_agent_h(&stage, agent, start) == plain.h[start],
                               "%s on map %llu: the first h", planners[i], (unsigned long long)stage.number);
                    test_learner_free(&plain);
                    test_case();
                }
                wend_agent_destroy(agent);
            }
        test_stage_close(&stage);
    }
}

/* Longer lookaheads, by moves and cost, against a plain form of what src/methods/lrta/lrta.c says, move for
 * move. */
static void far_lookaheads_are_as_stated(void) {
    static const struct {
        const char *planner;
        int depth;
        double limit; /* in straight moves; 0: none */
    } forms[] = {{"lrta:d=2", 2, 0}, {"lrta:d=3", 3, 0}, {"lrta:gmax=2", 2, 2}, {"lrta:gmax=3.5", 3, 3.5}};
    uint64_t moves = 0;
    for (uint64_t number = 0; number < 240; number++) {
        size_t i = number / TEST_RULES % (sizeof forms / sizeof *forms);
        test_random random = {number};
        test_stage stage;
        if (test_stage_any(&stage, 5000 + number) && wend_map_open_cells(stage.map)) {
            wend_agent *agent = test_agent_make(&stage, forms[i].planner, NULL);
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            test_dijkstra(&stage.grid, goal, stage.left);
            if (agent && start != goal && stage.left[start] != WEND_NO_COST) {
                test_learner plain;
                test_learner_start(&plain, &stage.grid, start, goal);
                CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                wend_cost limit = WEND_NO_COST;
                if (forms[i].limit > 0) limit = (wend_cost)(forms[i].limit * (double)stage.grid.straight);
                for (int step = 0; plain.at != goal && step < 150; step++, moves++) {
                    int expected = test_lrta_inner_move(&plain, forms[i].depth, limit);
                    wend_step made = wend_agent_step(agent);
                    if (!CHECK_THAT(made.outcome == WEND_STEP_MOVED && made.direction == expected,
                                    "%s on map %llu: move %d in direction %d, not %d", forms[i].planner,
                                    (unsigned long long)stage.number, step, (int)made.direction, expected))
                        break;
                }
                for (wend_cell cell = 0; cell < stage.grid.cells; cell++)
                    CHECK(test_agent_h(&stage, agent, cell) == plain.h[cell]);
                test_learner_free(&plain);
                test_case();
            }
            wend_agent_destroy(agent);
        }
        test_stage_close(&stage);
    }
    CHECK_THAT(moves > 3000, "only %llu moves compared", (unsigned long long)moves);
}

typedef struct fixture {
    int32_t width, height, connect;
    const char *rows; /* S is the start, G the goal */
} fixture;

/* Line 5 of figure 1 of "Case-based subgoaling" looks at h on the frontier of the lookahead only. On these
 * maps, with two moves of lookahead, the two cells between which the agent walks are never on each other's
 * frontier: it learns nothing any more and never arrives. wend takes what was learnt inside into account. */
static void as_printed_it_walks_to_and_fro_for_ever(void) {
    static const fixture fixtures[] = {
        {4, 5, 8,
         "@..."
         ".@@S"
         "G.@."
         "@.@."
         "@..."},
        {3, 4, 4,
         "..."
         "@.S"
         "G@."
         "..."},
        {7, 4, 4,
         "...S@.G"
         ".@..@.."
         ".@....."
         "......."},
    };
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        const fixture *made = &fixtures[i];
        wend_map_options options = wend_default_map_options();
        options.rules.connect = made->connect;
        wend_map *map;
        if (!CHECK(wend_map_create(made->width, made->height, &options, &map, NULL) == WEND_OK)) continue;
        for (int32_t cell = 0; cell < made->width * made->height; cell++)
            if (made->rows[cell] != '@')
                CHECK(wend_map_edit(map, (wend_rect){cell % made->width, cell / made->width, 1, 1}, true,
                                    NULL) == WEND_OK);
        wend_cell start = (wend_cell)(strchr(made->rows, 'S') - made->rows);
        wend_cell goal = (wend_cell)(strchr(made->rows, 'G') - made->rows);
        test_stage stage;
        if (test_stage_open(&stage, map, NULL)) {
            test_learner printed;
            test_learner_start(&printed, &stage.grid, start, goal);
            for (int step = 0; step < 100; step++) (void)test_lrta_printed_move(&printed, 2);
            /* From here on, nothing is learnt and it is back where it was: so it will be for ever. */
            wend_cell at = printed.at;
            wend_cost before[64], after[64];
            memcpy(before, printed.h, stage.grid.cells * sizeof *before);
            CHECK(test_lrta_printed_move(&printed, 2) != WEND_NO_DIRECTION && printed.at != at);
            CHECK(test_lrta_printed_move(&printed, 2) != WEND_NO_DIRECTION && printed.at == at);
            memcpy(after, printed.h, stage.grid.cells * sizeof *after);
            CHECK(memcmp(before, after, stage.grid.cells * sizeof *before) == 0 && at != goal);
            test_learner_free(&printed);
            wend_agent *agent = test_agent_make(&stage, "lrta:d=2", NULL);
            if (agent) {
                test_walk walk = test_walk_checked(&stage, agent, "lrta:d=2", start, goal);
                CHECK(walk.end == WEND_STEP_ARRIVED && walk.moves < 60);
            }
            wend_agent_destroy(agent);
            test_case();
        }
        test_stage_close(&stage);
    }
}

static const test tests[] = {
    {"one move ahead is the printed algorithm", one_move_ahead_is_the_printed_algorithm},
    {"the first lookahead is as printed", the_first_lookahead_is_as_printed},
    {"far lookaheads are as stated", far_lookaheads_are_as_stated},
    {"as printed it walks to and fro for ever", as_printed_it_walks_to_and_fro_for_ever},
};

TEST_MAIN(tests)
