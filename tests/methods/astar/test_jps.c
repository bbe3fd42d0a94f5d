/* jps as a planner: the path of wend_search_jps, whatever the budget; tables that agents share; and plain A*
 * where the map may change. */
#include "support/agents/agents.h"
#include "support/agents/rig.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>

/* The walk of an agent against the moves of a search: no wait after the first move. */
static void follow(const test_stage *stage, const char *planner, wend_cell start, wend_cell goal,
                   const wend_direction *moves, size_t count, uint64_t expansions) {
    wend_agent *agent = test_agent_make(stage, planner, NULL);
    if (!agent) return;
    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
    const uint64_t k = wend_agent_budget(agent);
    size_t made = 0;
    for (uint64_t i = 0; i < 12 * stage->grid.cells && wend_agent_cell(agent) != goal; i++) {
        wend_step step = wend_agent_step(agent);
        CHECK(step.expansions <= k && step.operations <= wend_agent_bound(agent, k));
        if (step.outcome != WEND_STEP_MOVED) {
            CHECK_THAT(step.outcome == WEND_STEP_WAITING && !made, "%s: outcome %d after %zu moves", planner,
                       (int)step.outcome, made);
            continue;
        }
        CHECK_THAT(made < count && moves[made] == step.direction, "%s on map %llu: move %zu differs", planner,
                   (unsigned long long)stage->number, made);
        made++;
    }
    CHECK(made == count && wend_agent_counters(agent).expansions == expansions);
    wend_agent_destroy(agent);
    test_case();
}

static void the_path_of_the_search_whatever_the_budget(void) {
    for (uint64_t number = 0; number < 200; number++) {
        test_random random = {number};
        test_rig rig;
        test_stage stage = {0};
        if (test_rig_open(&rig, test_map_any(17000 + number)) && test_stage_any(&stage, 17000 + number)) {
            wend_cell start = test_open_cell(rig.map, &random), goal = test_open_cell(rig.map, &random);
            wend_result result = {.found = WEND_FOUND_UNREACHABLE};
            if (start != WEND_NO_CELL && goal != WEND_NO_CELL)
                CHECK(wend_search_jps(rig.search, rig.jumps, start, goal, &result, NULL) == WEND_OK);
            size_t count = (size_t)(result.straight + result.diagonal);
            wend_direction *moves = malloc(count + 1);
            if (CHECK(moves) && result.found == WEND_FOUND_PATH && start != goal) {
                (void)wend_search_moves(rig.search, moves, count);
                for (int k = 0; k <= 40; k += 1 + k / 3) {
                    char planner[40];
                    snprintf(planner, sizeof planner, k ? "jps:k=%d" : "jps", k);
                    follow(&stage, planner, start, goal, moves, count, result.expansions);
                }
            }
            free(moves);
        }
        test_stage_close(&stage);
        test_rig_close(&rig);
    }
}

/* 16 bytes per cell for the first agent, nothing for the next; and no tables where they would be stale. */
static void agents_share_tables(void) {
    for (int editable = 0; editable < 2; editable++) {
        test_random random = {3};
        wend_world_options options = wend_default_world_options();
        options.editable = editable, options.workspaces = 1;
        test_stage stage;
        if (test_stage_open(&stage,
                            test_map_make(TEST_SHAPE_ROOMS, 60, 50, wend_default_rules(), &random, NULL),
                            &options)) {
            wend_jumps *jumps = NULL;
            CHECK(wend_jumps_create(stage.map, NULL, &jumps, NULL) == WEND_OK);
            wend_agent *plain = test_agent_make(&stage, "astar", NULL);
            size_t before = wend_world_bytes(stage.world);
            wend_agent *first = test_agent_make(&stage, "jps", NULL);
            size_t with_tables = wend_world_bytes(stage.world);
            wend_agent *second = test_agent_make(&stage, "jps:k=3", NULL);
            CHECK(editable ? with_tables == before : with_tables > before + wend_jumps_bytes(jumps));
            CHECK(wend_world_bytes(stage.world) == with_tables);
            wend_agent_destroy(plain), wend_agent_destroy(first), wend_agent_destroy(second);
            wend_jumps_destroy(jumps);
            test_case();
        }
        test_stage_close(&stage);
    }
}

static const test tests[] = {
    {"the path of the search, whatever the budget", the_path_of_the_search_whatever_the_budget},
    {"agents share tables", agents_share_tables},
};
TEST_MAIN(tests)
