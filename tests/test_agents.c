/* The contract of agents: every planner arrives where a path exists, moves legally, says how it ended, and
 * counts what it did. */
#include "support/agents.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* Every planner on maps of every shape and rules. The steps are checked one by one in support/agents.c. */
static void every_planner_arrives(void) {
    uint64_t arrived = 0, unreachable = 0;
    for (uint64_t number = 0; number < 360; number++) {
        test_random random = {number};
        test_stage stage;
        if (test_stage_any(&stage, number) && wend_map_open_cells(stage.map))
            for (size_t i = 0; i < test_planner_count; i++) {
                wend_agent *agent = test_agent_make(&stage, test_planners[i], NULL);
                if (agent) {
                    wend_cell start = test_open_cell(stage.map, &random);
                    wend_cell goal = test_open_cell(stage.map, &random);
                    test_walk walk = test_walk_checked(&stage, agent, test_planners[i], start, goal);
                    if (walk.end == WEND_STEP_ARRIVED) arrived++;
                    if (walk.end == WEND_STEP_UNREACHABLE) unreachable++;
                    bool optimal = test_is_planner(test_planners[i], "astar") ||
                                   strncmp(test_planners[i], "tba:k=unlimited", 15) == 0;
                    if (optimal && walk.end == WEND_STEP_ARRIVED) CHECK(walk.cost == stage.left[start]);
                }
                wend_agent_destroy(agent);
                test_case();
            }
        test_stage_close(&stage);
    }
    CHECK_THAT(arrived > 5000 && unreachable > 500, "%llu arrived, %llu unreachable: too few to mean much",
               (unsigned long long)arrived, (unsigned long long)unreachable);
}

static const test tests[] = {
    {"every planner arrives", every_planner_arrives},
};

TEST_MAIN(tests)
