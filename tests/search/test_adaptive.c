/* What adaptive searches learn (adaptive-astar, tbaa): consistent in the believed map, never above the true
 * distance there or below the given one; whatever is seen, edited, or becomes of the goal. Looks inside. */
#include "plan/agent.h"
#include "search/adaptive.h"
#include "support/agents/agents.h"
#include "support/check.h"

#include <stdlib.h>
#include <wend/wend.h>

static const char *const adaptive[] = {"adaptive-astar", "adaptive-astar:k=3",  "tbaa",
                                       "tbaa:k=1",       "tbaa:k=7,trace=free", "tbaa:k=2",
                                       "tbaa:da=yes",    "tbaa:k=3,da=yes",     "tbaa:k=unlimited,da=yes",
                                       "tbaa:k=40",      "tbaa:trace=free"};
enum { ADAPTIVE = sizeof adaptive / sizeof *adaptive };

/* How much was checked, and raised, in all walks, so that a test which sees nothing fails. */
static uint64_t checked, raised;

/* Of all cells, against the map that the agent believes. */
static bool check_h(const wend_agent *agent, const char *planner, uint64_t number) {
    if (!agent->workspace) return true;
    const wend_search *search = agent->workspace->search;
    /* Nothing of it will be used any more; or it need not hold until the planner has heard of all that has
     * changed. */
    if (search->adaptive.tainted || agent->taken != agent->view->map->revision) return true;
    checked++;
    test_grid grid = test_grid_of(agent->view->map);
    wend_cost *left = malloc(grid.cells * sizeof *left);
    bool good = CHECK(left != NULL);
    if (good && grid.open[agent->aim]) {
        test_dijkstra(&grid, agent->aim, left);
        good &= CHECK_THAT(wend_adaptive_h(search, agent->aim) == 0, "%s on map %llu: h of the goal", planner,
                           (unsigned long long)number);
        for (wend_cell cell = 0; cell < grid.cells && good; cell++) {
            if (!grid.open[cell]) continue;
            wend_cost h = wend_adaptive_h(search, cell);
            good &= CHECK_THAT(h >= test_distance(&grid, cell, agent->aim) && h <= left[cell],
                               "%s on map %llu: h of %u is %llu, the distance %llu", planner,
                               (unsigned long long)number, cell, (unsigned long long)h,
                               (unsigned long long)left[cell]);
            for (int d = 0; d < 8; d++) {
                wend_cell next = test_next(&grid, cell, d);
                if (next == WEND_NO_CELL) continue;
                good &= CHECK_THAT(h <= wend_adaptive_h(search, next) + test_move_cost(&grid, d),
                                   "%s on map %llu: h of %u and %u is not consistent", planner,
                                   (unsigned long long)number, cell, next);
            }
        }
    }
    free(left);
    test_grid_free(&grid);
    return good;
}

typedef struct walk_options {
    bool edits, moving_goal;
    bool bursts; /* edits come by the hundred, more than an agent hears of between two moves */
} walk_options;

static void walk(wend_world *world, wend_agent *agent, const char *planner, uint64_t number,
                 walk_options options, test_random *random) {
    const wend_map *truth = wend_world_map(world);
    wend_cell start = test_open_cell(truth, random), goal = test_open_cell(truth, random);
    if (wend_agent_start(agent, start, goal, NULL) != WEND_OK) return;
    for (int step = 0; step < 400; step++) {
        (void)wend_agent_plan(agent, wend_agent_budget(agent));
        if (!check_h(agent, planner, number)) return;
        wend_step made = wend_agent_move(agent);
        if (!check_h(agent, planner, number)) return;
        if (agent->workspace) raised += agent->counters.learnt;
        if (made.outcome != WEND_STEP_MOVED && made.outcome != WEND_STEP_WAITING && !options.edits) return;
        int edits = options.edits && test_below(random, 3) == 0;
        if (options.bursts) edits = step / 8 % 3 ? 0 : 20 + (int)test_below(random, 150);
        for (; edits; edits--) {
            wend_xy at = wend_map_xy(truth, test_below(random, wend_map_cells(truth)));
            CHECK(wend_world_edit(world, (wend_rect){at.x, at.y, 1, 1}, test_below(random, 2), NULL) ==
                  WEND_OK);
        }
        if (options.moving_goal && test_below(random, 4) == 0) {
            wend_cell other = test_open_cell(truth, random);
            if (other != WEND_NO_CELL) (void)wend_agent_set_goal(agent, other, NULL);
        }
        if (options.moving_goal && test_below(random, 9) == 0) {
            wend_cell other = test_open_cell(truth, random);
            if (other != WEND_NO_CELL) (void)wend_agent_place(agent, other, NULL);
        }
    }
}

static void walks(walk_options options, uint64_t count) {
    raised = checked = 0;
    for (uint64_t number = 0; number < count; number++)
        for (int i = 0; i < ADAPTIVE; i++) {
            test_random random = {number * 100 + (uint64_t)i};
            test_stage stage;
            wend_world_options world = wend_default_world_options();
            world.editable = options.edits;
            wend_knowledge_options belief = wend_default_knowledge_options();
            belief.radius = 1 + test_below(&random, 3);
            int32_t width = (options.bursts ? 12 : 2) + (int32_t)test_below(&random, 18),
                    height = 1 + (int32_t)test_below(&random, 18);
            test_shape shape = (test_shape)test_below(&random, TEST_SHAPES);
            wend_map *map = test_map_make(shape, width, height, test_rules((uint32_t)number), &random, NULL);
            wend_map *other = test_map_make(TEST_SHAPE_SCATTERED, width, height, test_rules((uint32_t)number),
                                            &random, NULL);
            bool good = test_stage_open(&stage, map, &world);
            stage.number = number;
            uint32_t kind = test_below(&random, 4);
            if (kind == 1) belief.believed = other;
            wend_knowledge *knowledge = NULL;
            if (good && kind)
                good = CHECK(wend_knowledge_create(stage.world, &belief, &knowledge, NULL) == WEND_OK);
            wend_agent_options agents = wend_default_agent_options();
            agents.knowledge = knowledge;
            wend_agent *agent = good ? test_agent_make(&stage, adaptive[i], &agents) : NULL;
            for (int task = 0; agent && task < 3 && wend_map_open_cells(wend_world_map(stage.world)); task++)
                walk(stage.world, agent, adaptive[i], number, options, &random);
            wend_agent_destroy(agent);
            wend_knowledge_destroy(knowledge);
            test_stage_close(&stage);
            wend_map_destroy(other);
            test_case();
        }
    CHECK_THAT(raised > test_some(1000) && checked > test_some(1000),
               "%llu raised, %llu checks in all these walks", (unsigned long long)raised,
               (unsigned long long)checked);
}

static void h_is_consistent_where_walls_are_found(void) {
    walks((walk_options){0}, test_full() ? 60 : 20);
}

static void h_is_consistent_where_the_goal_moves(void) {
    walks((walk_options){.moving_goal = true}, test_full() ? 60 : 20);
}

static void h_is_consistent_where_cells_are_edited(void) {
    walks((walk_options){.edits = true}, test_full() ? 60 : 20);
}

static void h_is_consistent_where_everything_changes(void) {
    walks((walk_options){.edits = true, .moving_goal = true}, test_full() ? 60 : test_some(20));
}

static void h_is_consistent_among_more_changes_than_it_hears_of(void) {
    walks((walk_options){.edits = true, .bursts = true}, 12);
    walks((walk_options){.edits = true, .bursts = true, .moving_goal = true}, 8);
}

static const test tests[] = {
    {"h is consistent where walls are found", h_is_consistent_where_walls_are_found},
    {"h is consistent where the goal moves", h_is_consistent_where_the_goal_moves},
    {"h is consistent where cells are edited", h_is_consistent_where_cells_are_edited},
    {"h is consistent where everything changes", h_is_consistent_where_everything_changes},
    {"h is consistent among more changes than it hears of",
     h_is_consistent_among_more_changes_than_it_hears_of},
};
TEST_MAIN(tests)
