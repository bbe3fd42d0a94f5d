/* Watching changes nothing: agents and searches that are watched do the same and count the same, and what is
 * reported is what they did. */
#include "support/agents/agents.h"
#include "support/agents/rig.h"
#include "support/check.h"
#include "support/databases.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* What was reported, held against the reference as it comes. */
typedef struct witness {
    const test_grid *grid;
    const char *planner;
    uint64_t count, searches;
    bool incremental, jumps; /* g from the goal and no parents; parents further away than a move */
    wend_cost *g;            /* of the cells expanded by the search under way; WEND_NO_COST: not yet */
    const wend_cost *left;   /* the true distances to the goal, or NULL */
} witness;

static void forget(witness *w) {
    for (uint32_t i = 0; i < w->grid->cells; i++) w->g[i] = WEND_NO_COST;
}

static void see_parent(const witness *w, const wend_expansion *e) {
    if (w->g[e->parent] == WEND_NO_COST) {
        CHECK_THAT(false, "%s: cell %u has a parent that was not expanded", w->planner, (unsigned)e->cell);
        return;
    }
    if (w->jumps) { /* a parent that was passed through may have been met by a shorter way since */
        CHECK(e->g >= w->g[e->parent] + test_distance(w->grid, e->parent, e->cell));
        return;
    }
    bool beside = false;
    for (int d = 0; d < WEND_DIRECTIONS; d++)
        beside = beside || (test_next(w->grid, e->parent, d) == e->cell &&
                            e->g == w->g[e->parent] + test_move_cost(w->grid, d));
    CHECK_THAT(beside, "%s: no legal move of the right cost from %u to %u", w->planner, (unsigned)e->parent,
               (unsigned)e->cell);
}

static void see(void *context, const wend_expansion *e) {
    witness *w = context;
    w->count++;
    if (!CHECK_THAT(e->cell < w->grid->cells && w->grid->open[e->cell], "%s: expands no open cell",
                    w->planner))
        return;
    if (w->incremental) {
        CHECK(e->parent == WEND_NO_CELL);
        return;
    }
    if (e->parent == WEND_NO_CELL) { /* another search begins */
        CHECK(e->g == 0);
        forget(w);
        w->searches++;
    } else if (CHECK(e->parent < w->grid->cells)) {
        see_parent(w, e);
    }
    /* A corner that is passed through at once may be met again by a shorter way. */
    CHECK_THAT(w->g[e->cell] == WEND_NO_COST || (w->jumps && e->g < w->g[e->cell]),
               "%s: cell %u expanded twice", w->planner, (unsigned)e->cell);
    w->g[e->cell] = e->g;
    if (w->left)
        CHECK_THAT(e->h <= w->left[e->cell], "%s: h of cell %u is above the truth", w->planner,
                   (unsigned)e->cell);
}

static witness witness_of(const test_grid *grid, const char *planner) {
    witness w = {.grid = grid,
                 .planner = planner,
                 .incremental = test_is_planner(planner, "dstar-lite"),
                 .jumps = test_is_planner(planner, "jps")};
    w.g = malloc(grid->cells * sizeof *w.g);
    if (CHECK(w.g)) forget(&w);
    return w;
}

/* What it believes is between the distance without walls and the truth. */
static void check_values(const test_stage *stage, const wend_agent *agent, const char *planner,
                         const wend_cost *left) {
    wend_cell goal = wend_agent_goal(agent);
    for (uint32_t cell = 0; cell < stage->grid.cells; cell++) {
        if (!stage->grid.open[cell]) continue;
        wend_cost value = wend_agent_value(agent, cell);
        if (!CHECK_THAT(value >= test_distance(&stage->grid, cell, goal) && value <= left[cell],
                        "%s: believes %llu of cell %u", planner, (unsigned long long)value, (unsigned)cell))
            return;
    }
    CHECK(wend_agent_value(agent, stage->grid.cells) == WEND_NO_COST);
    CHECK(wend_agent_subgoal(agent) == WEND_NO_CELL);
}

/* Two agents side by side in worlds of their own, one of them watched. */
static void walk_both(const test_stage *stages, wend_agent *const *agents, const char *planner,
                      test_random *random) {
    wend_cell start = test_open_cell(stages[0].map, random), goal = test_open_cell(stages[0].map, random);
    wend_cost *left = malloc(stages[0].grid.cells * sizeof *left);
    witness w = witness_of(&stages[0].grid, planner);
    const wend_watch watch = {see, &w};
    if (left && w.g) {
        test_dijkstra(&stages[0].grid, goal, left);
        w.left = left;
        wend_agent_watch(agents[1], &watch);
        CHECK(wend_agent_value(agents[1], start) == WEND_NO_COST);
        for (int i = 0; i < 2; i++) CHECK(wend_agent_start(agents[i], start, goal, NULL) == WEND_OK);
        uint64_t told = 0;
        for (int step = 0; step < 400; step++) {
            if (step == 200) wend_agent_watch(agents[1], NULL);
            wend_step steps[2] = {wend_agent_step(agents[0]), wend_agent_step(agents[1])};
            if (!CHECK_THAT(memcmp(&steps[0].expansions, &steps[1].expansions, 2 * sizeof(uint64_t)) == 0 &&
                                steps[0].outcome == steps[1].outcome &&
                                steps[0].direction == steps[1].direction,
                            "%s: step %d differs when it is watched", planner, step))
                break;
            uint64_t expected = step < 200 ? steps[1].expansions : 0;
            CHECK_THAT(w.count - told == expected, "%s: %llu of %llu expansions reported", planner,
                       (unsigned long long)(w.count - told), (unsigned long long)expected);
            told = w.count;
            if (step % 37 == 0) check_values(&stages[1], agents[1], planner, left);
            if (steps[0].outcome != WEND_STEP_MOVED && steps[0].outcome != WEND_STEP_WAITING) break;
        }
        CHECK_THAT(wend_agent_hash(agents[0]) == wend_agent_hash(agents[1]), "%s: another state", planner);
    }
    free(left);
    free(w.g);
}

static void watched_agents_do_the_same(void) {
    for (uint64_t number = 0; number < 120; number++) {
        test_stage stages[2];
        bool good = test_stage_any(&stages[0], number);
        good = test_stage_any(&stages[1], number) && good;
        for (size_t i = 0; good && wend_map_open_cells(stages[0].map) && i < test_all_planner_count(); i++) {
            test_random random = {1000 * number + i};
            wend_agent *agents[2];
            for (int j = 0; j < 2; j++) agents[j] = test_agent_make(&stages[j], test_planner(i), NULL);
            if (agents[0] && agents[1]) walk_both(stages, agents, test_planner(i), &random);
            for (int j = 0; j < 2; j++) wend_agent_destroy(agents[j]);
            test_case();
        }
        for (int j = 0; j < 2; j++) test_stage_close(&stages[j]);
    }
}

/* Cells that are believed open may be blocked: what is reported is held against ground without walls. Returns
 * how many searches were begun. */
static uint64_t explore_both(const test_stage *stages, wend_agent *const *agents, const char *planner,
                             uint64_t number) {
    test_random random = {number};
    wend_cell start = test_open_cell(stages[0].map, &random), goal = test_open_cell(stages[0].map, &random);
    test_grid open = stages[0].grid;
    open.open = malloc(open.cells);
    witness w = witness_of(&open, planner);
    const wend_watch watch = {see, &w};
    if (CHECK(open.open) && w.g) {
        uint64_t told = 0;
        memset(open.open, 1, open.cells);
        wend_agent_watch(agents[1], &watch);
        for (int j = 0; j < 2; j++) CHECK(wend_agent_start(agents[j], start, goal, NULL) == WEND_OK);
        for (int step = 0; step < 600; step++) {
            wend_step a = wend_agent_step(agents[0]), b = wend_agent_step(agents[1]);
            CHECK(a.outcome == b.outcome && a.direction == b.direction && a.operations == b.operations &&
                  a.expansions == b.expansions);
            CHECK(w.count - told == b.expansions);
            told = w.count;
            if (a.outcome != WEND_STEP_MOVED && a.outcome != WEND_STEP_WAITING) break;
        }
        CHECK(wend_agent_hash(agents[0]) == wend_agent_hash(agents[1]));
    }
    free(w.g);
    free(open.open);
    return w.searches;
}

/* Unknown terrain: many searches, and what they have learnt. */
static void watched_explorers_do_the_same(void) {
    static const char *const planners[] = {"rtba",           "tbaa",       "repeated-astar",
                                           "adaptive-astar", "dstar-lite", "rtaa"};
    uint64_t searches = 0;
    for (uint64_t number = 0; number < 60; number++)
        for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
            test_stage stages[2];
            wend_agent *agents[2] = {NULL, NULL};
            wend_knowledge *knowledge[2] = {NULL, NULL};
            wend_knowledge_options believes = wend_default_knowledge_options();
            for (int j = 0; j < 2; j++) {
                wend_agent_options options = wend_default_agent_options();
                if (!test_stage_any(&stages[j], number) || !wend_map_open_cells(stages[j].map)) continue;
                CHECK(wend_knowledge_create(stages[j].world, &believes, &knowledge[j], NULL) == WEND_OK);
                options.knowledge = knowledge[j];
                agents[j] = test_agent_make(&stages[j], planners[i], &options);
            }
            if (agents[0] && agents[1]) searches += explore_both(stages, agents, planners[i], number);
            for (int j = 0; j < 2; j++) {
                wend_agent_destroy(agents[j]);
                wend_knowledge_destroy(knowledge[j]);
                test_stage_close(&stages[j]);
            }
            test_case();
        }
    CHECK_THAT(searches > 1000, "%llu searches are too few to mean much", (unsigned long long)searches);
}

static void watched_searches_find_the_same(void) {
    for (uint64_t number = 0; number < 200; number++) {
        test_rig rig;
        if (test_rig_open(&rig, test_map_any(number)) && wend_map_open_cells(rig.map))
            for (test_method how = 0; how < TEST_METHODS; how++) {
                test_random random = {number};
                wend_cell start = test_open_cell(rig.map, &random), goal = test_open_cell(rig.map, &random);
                wend_result alone, watched;
                witness w = witness_of(&rig.grid, test_method_names[how]);
                const wend_watch watch = {see, &w}, nothing = {NULL, NULL};
                w.jumps = how != TEST_ASTAR;
                if (!w.g) break;
                test_dijkstra(&rig.grid, goal, rig.distance);
                w.left = rig.distance;
                CHECK(test_rig_run(&rig, how, start, goal, &alone, NULL) == WEND_OK);
                wend_search_watch(rig.search, &watch);
                CHECK(test_rig_run(&rig, how, start, goal, &watched, NULL) == WEND_OK);
                CHECK(test_same_result(&alone, &watched) && w.count == watched.expansions);
                CHECK(w.searches == (watched.expansions > 0));
                wend_search_watch(rig.search, &nothing); /* a watch without a function watches nothing */
                CHECK(test_rig_run(&rig, how, start, goal, &watched, NULL) == WEND_OK);
                CHECK(test_same_result(&alone, &watched) && w.count == watched.expansions);
                wend_search_watch(rig.search, NULL);
                free(w.g);
                test_case();
            }
        test_rig_close(&rig);
    }
}

/* Planners with subgoals head for open cells, and believe no more than the distance to those. */
static void subgoals_are_reported(void) {
    static const struct {
        const char *kind, *planner;
    } cases[] = {{"knn:records=200", "knn:db=x"},   {"knn2009:records=200", "knn2009:db=x"},
                 {"dlrta:level=3", "dlrta:db=x"},   {"subgoal-tree", "subgoal-tree:db=x"},
                 {"subgoal-tree", "lss-lrta:db=x"}, {"atlas", "atlas:db=x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_random random = {i};
        test_stage stage;
        uint64_t subgoals = 0;
        wend_map *map = test_map_make(TEST_SHAPE_COMB, 40, 36, wend_default_rules(), &random, NULL);
        if (test_stage_open(&stage, map, NULL)) {
            wend_db *db = test_db_build(stage.map, cases[i].kind, 1);
            wend_agent *agent = db ? test_db_agent(&stage, cases[i].planner, db) : NULL;
            for (int walk = 0; agent && walk < 12; walk++) {
                wend_cell start = test_open_cell(stage.map, &random),
                          goal = test_open_cell(stage.map, &random);
                CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                test_dijkstra(&stage.grid, goal, stage.left);
                for (int step = 0; step < 3000; step++) {
                    wend_step made = wend_agent_step(agent);
                    wend_cell subgoal = wend_agent_subgoal(agent);
                    if (made.outcome != WEND_STEP_MOVED && made.outcome != WEND_STEP_WAITING) break;
                    if (subgoal == WEND_NO_CELL) continue;
                    subgoals++;
                    CHECK(wend_map_is_open_cell(stage.map, subgoal) && subgoal != goal);
                    CHECK(wend_agent_value(agent, subgoal) == 0);
                }
            }
            CHECK_THAT(subgoals > 50, "%s reported %llu subgoals only", cases[i].planner,
                       (unsigned long long)subgoals);
            wend_agent_destroy(agent);
            wend_db_close(db);
        }
        test_stage_close(&stage);
        test_case();
    }
}

static const test tests[] = {
    {"watched agents do the same", watched_agents_do_the_same},
    {"watched explorers do the same", watched_explorers_do_the_same},
    {"watched searches find the same", watched_searches_find_the_same},
    {"subgoals are reported", subgoals_are_reported},
};
TEST_MAIN(tests)
