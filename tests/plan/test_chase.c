/* A goal that moves in every step: planners that search first keep walking while they search, and catch it. */
#include "support/agents/agents.h"
#include "support/check.h"
#include "support/maps.h"

enum { CHASES = 20, MOST_STEPS = 4000 };

typedef struct chase {
    uint32_t caught;
    uint64_t steps, stood;
} chase;

/* The prey goes straight on as far as it can, then any way, and rests in one step of three. */
static wend_cell flee(const wend_map *map, wend_cell at, uint32_t *heading, test_random *random) {
    if (test_below(random, 3) == 0) return at;
    wend_cell next = wend_map_next(map, at, (wend_direction)*heading);
    for (int i = 0; i < 20 && next == WEND_NO_CELL; i++) {
        *heading = test_below(random, WEND_DIRECTIONS);
        next = wend_map_next(map, at, (wend_direction)*heading);
    }
    return next == WEND_NO_CELL ? at : next;
}

static chase run(test_stage *stage, const char *planner) {
    chase sum = {0};
    for (uint64_t number = 0; number < CHASES; number++) {
        test_random random = {number};
        uint32_t heading = test_below(&random, WEND_DIRECTIONS);
        wend_cell from = test_open_cell(stage->map, &random), prey = test_open_cell(stage->map, &random);
        wend_agent *agent = test_agent_make(stage, planner, NULL);
        if (!agent) break;
        CHECK(wend_agent_start(agent, from, prey, NULL) == WEND_OK);
        for (int step = 0; step < MOST_STEPS; step++) {
            wend_step made = wend_agent_step(agent);
            sum.steps++, sum.stood += made.outcome == WEND_STEP_WAITING;
            if (wend_agent_cell(agent) == prey || made.outcome == WEND_STEP_ARRIVED) {
                sum.caught++;
                break;
            }
            prey = flee(stage->map, prey, &heading, &random);
            CHECK(wend_agent_set_goal(agent, prey, NULL) == WEND_OK);
        }
        wend_agent_destroy(agent);
    }
    return sum;
}

static void prey_is_caught(wend_map *map, bool editable) {
    static const char *const planners[] = {
        "astar:k=100",          "astar:k=300",          "jps:k=100",
        "repeated-astar:k=100", "adaptive-astar:k=100", "adaptive-astar:k=300"};
    wend_world_options options = wend_default_world_options();
    options.editable = editable;
    test_stage stage;
    if (map && test_stage_open(&stage, map, &options)) {
        chase best = run(&stage, "astar");
        CHECK_THAT(best.caught == CHASES, "astar: %u caught", best.caught);
        for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
            chase made = run(&stage, planners[i]);
            printf("     %-22s %u caught in %llu steps (%llu), stood in %llu\n", planners[i], made.caught,
                   (unsigned long long)made.steps, (unsigned long long)best.steps,
                   (unsigned long long)made.stood);
            CHECK_THAT(made.caught == CHASES && made.steps <= 2 * best.steps,
                       "%s: %u caught, %llu steps for %llu of astar", planners[i], made.caught,
                       (unsigned long long)made.steps, (unsigned long long)best.steps);
            test_case();
        }
        test_stage_close(&stage);
    }
}

static void on_generated_maps(void) {
    prey_is_caught(test_map_generated(WEND_MAP_CITY, 256, wend_default_rules(), 1), false);
    prey_is_caught(test_map_generated(WEND_MAP_ROOMS, 256, wend_default_rules(), 2), true);
    prey_is_caught(test_map_generated(WEND_MAP_CAVES, 256, wend_default_rules(), 3), false);
}

static void on_a_game_map(void) {
    if (test_shared()) prey_is_caught(test_map_shared("bgmaps/AR0012SR", NULL, NULL), false);
}

static const test tests[] = {
    {"on generated maps", on_generated_maps},
    {"on a game map", on_a_game_map},
};

TEST_MAIN(tests)
