/* Exact atlases: shortest ways between all cells of small maps and samples of larger ones, under every rule;
 * every step within its bound; the same bytes from any workers; files that tell untruths. */
#include "db/atlas_build.h"
#include "plan/atlas.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/databases.h"
#include "support/files.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wend/wend.h>

static const char *const kinds[] = {"atlas:sector=4,exact=yes", "atlas:exact=yes",
                                    "atlas:sector=7,exact=yes,labels=yes", "atlas:sector=8,exact=yes"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A whole task, every step checked; its cost, or WEND_NO_COST if it ends as unreachable. */
static wend_cost walk(const test_stage *stage, wend_agent *agent, wend_cell start, wend_cell goal) {
    uint64_t bound = wend_agent_bound(agent, wend_agent_budget(agent));
    wend_cost cost = 0;
    if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) return WEND_NO_COST;
    wend_cell at = start;
    for (uint64_t limit = 40 * (uint64_t)stage->grid.cells + 1000; limit > 0; limit--) {
        wend_step step = wend_agent_step(agent);
        CHECK(step.operations <= bound);
        if (step.outcome == WEND_STEP_ARRIVED) return cost;
        if (step.outcome == WEND_STEP_WAITING) continue;
        if (step.outcome != WEND_STEP_MOVED) break;
        wend_cell next = test_next(&stage->grid, at, step.direction);
        if (!CHECK(next != WEND_NO_CELL && next == wend_agent_cell(agent))) break;
        cost += test_move_cost(&stage->grid, step.direction);
        at = next;
    }
    return WEND_NO_COST;
}

/* All pairs of small maps, of every shape and rule. */
static void all_ways_of_small_maps_are_shortest(void) {
    uint64_t pairs = 0;
    for (uint64_t number = 0; number < (test_full() ? 3000 : 600); number++) {
        test_stage stage;
        wend_map *map = test_map_any(number);
        if (!map || wend_map_cells(map) > 300) {
            wend_map_destroy(map);
            continue;
        }
        bool open = test_stage_open(&stage, map, NULL);
        wend_db *db = open ? test_db_build(stage.map, kinds[number % KINDS], 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        for (wend_cell goal = 0; agent && goal < stage.grid.cells; goal++) {
            if (!stage.grid.open[goal]) continue;
            test_dijkstra(&stage.grid, goal, stage.left);
            for (wend_cell start = 0; start < stage.grid.cells; start++) {
                if (!stage.grid.open[start]) continue;
                wend_cost cost = walk(&stage, agent, start, goal);
                CHECK_THAT(cost == stage.left[start], "%s on map %llu: from %u to %u it takes %lld, not %lld",
                           kinds[number % KINDS], (unsigned long long)number, start, goal, (long long)cost,
                           (long long)stage.left[start]);
                pairs++;
            }
        }
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(pairs > 200000, "only %llu pairs", (unsigned long long)pairs);
}

static const test tests[] = {
    {"all ways of small maps are shortest", all_ways_of_small_maps_are_shortest},
};

TEST_MAIN(tests)
