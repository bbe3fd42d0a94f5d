/* kNN LRTA* of 2009: its records and its choices against plain forms of the paper's figures 4 and 7, the
 * promises of a planner, forged files, and the order of the paper's results. */
#include "methods/knn2009/layout.h"
#include "methods/lrta/seek.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* Whether the climber gets there within so many moves. */
static bool climbs(const test_grid *grid, wend_cell from, wend_cell to, uint32_t most) {
    for (uint32_t i = 0; from != to && i < most; i++) {
        int d = test_climb_move(grid, from, to);
        if (d == WEND_NO_DIRECTION) return false;
        from = test_next(grid, from, d);
    }
    return from == to;
}

/* Figure 4 for a pair of cells: the subgoal. */
static wend_cell plain_subgoal(const test_grid *grid, wend_cell start, wend_cell goal, bool farthest) {
    test_astar_result found = test_astar(grid, start, goal);
    wend_cell at = start, subgoal = WEND_NO_CELL;
    for (size_t i = 0; i < found.moves; i++) {
        at = test_next(grid, at, found.path[i]);
        bool good = climbs(grid, start, at, 10000);
        if (good) subgoal = at;
        if (!good && !farthest) break;
    }
    free(found.path);
    return subgoal;
}

static void records_are_as_figure_4_has_them(void) {
    uint64_t compared = 0, apart = 0;
    for (uint64_t number = 0; number < test_some(120); number++) {
        wend_map *map = test_map_any(number);
        if (!CHECK(map)) continue;
        test_grid grid = test_grid_of(map);
        wend_db *db[2] = {test_db_build(map, "knn2009:records=60", number),
                          test_db_build(map, "knn2009:records=60,pick=farthest", number)};
        for (int farthest = 0; farthest < 2 && db[farthest]; farthest++) {
            wend_knn2009 base = wend_knn2009_of(db[farthest]);
            for (uint32_t i = 0; i < base.records; i++) {
                wend_cell start = base.starts[i], goal = base.goals[i];
                wend_cell subgoal = base.subgoals[base.subgoal_of[i]];
                bool near = start == goal;
                for (int d = 0; d < 8; d++) near |= test_next(&grid, start, d) == goal;
                CHECK_THAT(!near && subgoal == plain_subgoal(&grid, start, goal, farthest),
                           "map %llu: from %u to %u by way of %u", (unsigned long long)number, start, goal,
                           subgoal);
                CHECK(climbs(&grid, start, subgoal, 10000));
                compared++;
            }
            CHECK(wend_db_verify(db[farthest], map, 0,
                                 &(wend_build_options){.struct_size = sizeof(wend_build_options)},
                                 NULL) == WEND_OK);
        }
        if (db[0] && db[1]) {
            wend_knn2009 a = wend_knn2009_of(db[0]), b = wend_knn2009_of(db[1]);
            CHECK(a.records == b.records && (a.records == 0 || a.records == 60));
            for (uint32_t i = 0; i < a.records; i++)
                apart += a.subgoals[a.subgoal_of[i]] != b.subgoals[b.subgoal_of[i]];
        }
        wend_db_close(db[0]);
        wend_db_close(db[1]);
        test_grid_free(&grid);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(compared > test_some(8000) && apart > test_some(20),
               "%llu records, %llu with another farthest subgoal", (unsigned long long)compared,
               (unsigned long long)apart);
}

/* Lines 3 to 10 of figure 7, by looking at all records in turn. Keeps the taboo list, one byte per cell. */
static wend_cell plain_choice(const test_grid *grid, const wend_knn2009 *base, wend_cell at, wend_cell goal,
                              uint32_t climb, uint8_t *taboo) {
    while (at != goal && !climbs(grid, at, goal, climb)) {
        wend_cell subgoal = WEND_NO_CELL;
        wend_cost least = WEND_NO_COST;
        for (uint32_t i = 0; i < base->records; i++) {
            wend_cost apart =
                test_distance(grid, at, base->starts[i]) + test_distance(grid, goal, base->goals[i]);
            if (apart >= least || taboo[base->subgoals[base->subgoal_of[i]]]) continue;
            if (!climbs(grid, at, base->starts[i], climb) || !climbs(grid, goal, base->goals[i], climb))
                continue;
            least = apart, subgoal = base->subgoals[base->subgoal_of[i]];
        }
        if (subgoal == WEND_NO_CELL) break;
        taboo[subgoal] = 1;
        if (subgoal != at) return subgoal; /* where it stands, LRTA* has nothing to do */
    }
    return goal;
}

/* Every target along a whole walk; counts the choices, and those that were subgoals. */
static void follow_choices(test_stage *stage, wend_agent *agent, const wend_db *db, uint32_t climb,
                           wend_cell start, wend_cell goal, uint64_t *choices, uint64_t *subgoals) {
    wend_knn2009 base = wend_knn2009_of(db);
    uint8_t *taboo = calloc(stage->grid.cells, 1);
    wend_cell expected = WEND_NO_CELL;
    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
    for (int step = 0; step < 4000 && wend_agent_cell(agent) != goal; step++) {
        if (expected == WEND_NO_CELL || wend_agent_cell(agent) == expected) {
            expected = plain_choice(&stage->grid, &base, wend_agent_cell(agent), goal, climb, taboo);
            while (wend_agent_plan(agent, 1)) continue;
            ++*choices, *subgoals += expected != goal;
        }
        if (!CHECK_THAT(wend_seek_target_of(agent) == expected, "map %llu, step %d at %u: target %u, not %u",
                        (unsigned long long)stage->number, step, wend_agent_cell(agent),
                        wend_seek_target_of(agent), expected))
            break;
        CHECK(wend_agent_move(agent).outcome == WEND_STEP_MOVED);
    }
    free(taboo);
    test_case();
}

static void choices_are_as_figure_7_has_them(void) {
    static const struct {
        const char *planner;
        uint32_t climb;
    } forms[] = {{"knn2009:db=x", 25},
                 {"knn2009:climb=8,d=1,db=x", 8},
                 {"knn2009:climb=3,d=2,db=x", 3},
                 {"knn2009:climb=60,db=x", 60}};
    static const char *const kinds[] = {"knn2009:records=1", "knn2009:records=40", "knn2009:records=900"};
    uint64_t choices = 0, subgoals = 0;
    for (uint64_t number = 0; number < test_some(150); number++) {
        test_random random = {number};
        test_stage stage;
        if (test_stage_any(&stage, 100 + number) && wend_map_open_cells(stage.map)) {
            wend_db *db = test_db_build(stage.map, kinds[number % 3], number);
            for (int i = 0; i < 4 && db; i++) {
                wend_agent *agent = test_db_agent(&stage, forms[i].planner, db);
                for (int j = 0; j < 5 && agent; j++) {
                    wend_cell start = test_open_cell(stage.map, &random),
                              goal = test_open_cell(stage.map, &random);
                    test_dijkstra(&stage.grid, goal, stage.left);
                    if (start != goal && stage.left[start] != WEND_NO_COST)
                        follow_choices(&stage, agent, db, forms[i].climb, start, goal, &choices, &subgoals);
                }
                wend_agent_destroy(agent);
            }
            wend_db_close(db);
        }
        test_stage_close(&stage);
    }
    CHECK_THAT(choices > test_some(2000) && subgoals > test_some(400),
               "only %llu choices, %llu of them subgoals", (unsigned long long)choices,
               (unsigned long long)subgoals);
}

static const char *const planners[] = {"knn2009:db=x", "knn2009:d=1,db=x", "knn2009:climb=1,db=x",
                                       "knn2009:climb=10000,d=2,db=x"};
enum { PLANNERS = sizeof planners / sizeof *planners };

/* Whatever the records, it arrives; every step is legal, counted and within its bound, and allocates nothing;
 * a second run is the same. */
static void it_arrives_within_its_bounds(void) {
    static const char *const kinds[] = {"knn2009:records=0", "knn2009:records=1", "knn2009:records=30",
                                        "knn2009:records=700"};
    for (uint64_t number = 0; number < test_some(300); number++)
        (void)test_db_walks(number, kinds[number % 4], planners[number / 4 % PLANNERS]);
}

/* Many records around a start from which none of them can be used: the choice takes several passes and is
 * spread over steps, each within its bound however the budget is given. */
static void long_choices_are_spread_over_steps(void) {
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    if (!CHECK(wend_map_create(40, 40, &options, &map, NULL) == WEND_OK)) return;
    CHECK(wend_map_edit(map, (wend_rect){0, 0, 40, 40}, true, NULL) == WEND_OK);
    /* Two walls: nothing can be climbed to from behind them. */
    CHECK(wend_map_edit(map, (wend_rect){3, 3, 1, 34}, false, NULL) == WEND_OK);
    CHECK(wend_map_edit(map, (wend_rect){36, 3, 1, 34}, false, NULL) == WEND_OK);
    test_stage stage;
    if (test_stage_open(&stage, map, NULL)) {
        wend_db *db = test_db_build(map, "knn2009:records=30000", 5);
        wend_agent *agent = db ? test_db_agent(&stage, "knn2009:climb=60,db=x", db) : NULL;
        if (agent) {
            wend_cell start = wend_map_cell(map, 2, 20), goal = wend_map_cell(map, 37, 20);
            CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
            uint64_t waits = 0;
            for (int step = 0; step < 3000 && wend_agent_cell(agent) != goal; step++) {
                uint64_t budget = (uint64_t)step % 3;
                for (uint64_t i = 0; i < budget; i++) (void)wend_agent_plan(agent, 1);
                wend_step made = wend_agent_move(agent);
                CHECK(made.operations <= wend_agent_bound(agent, budget));
                waits += made.outcome == WEND_STEP_WAITING;
            }
            CHECK_THAT(waits > 5 && wend_agent_cell(agent) == goal, "%llu waits", (unsigned long long)waits);
            CHECK(wend_agent_bound(agent, 1) < 12000);
        }
        wend_agent_destroy(agent);
        wend_db_close(db);
    }
    test_stage_close(&stage);
}

/* Numbers of a file changed at random: what `open` takes, an agent can walk with; and what does not come
 * from this map, `verify` finds. */
static void forged_files_are_refused_or_harmless(void) {
    uint64_t refused = 0, taken = 0;
    for (uint64_t number = 0; number < test_some(700); number++) {
        test_random random = {number};
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number % 50) && wend_map_open_cells(stage.map) > 12 &&
            (db = test_db_build(stage.map, "knn2009:records=12", number)) && wend_knn2009_of(db).records) {
            wend_db altered = *db;
            altered.allocator = wend_allocator_or_default(NULL);
            wend_section *section = &altered.sections[test_below(&random, (uint32_t)altered.section_count)];
            uint32_t *data = malloc((size_t)section->count * sizeof *data);
            memcpy(data, section->data, (size_t)section->count * sizeof *data);
            uint32_t at = test_below(&random, (uint32_t)section->count), before = data[at];
            uint32_t values[] = {before + 1, before - 1, test_below(&random, stage.grid.cells), UINT32_MAX,
                                 12};
            data[at] = values[test_below(&random, 5)];
            section->data = data;
            wend_error error = {0};
            wend_status status = wend_db_knn2009.open(&altered, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_DAMAGED && error.message[0]));
            if (status == WEND_OK && data[at] != before) {
                wend_build_options options = wend_default_build_options();
                CHECK(wend_db_verify(&altered, stage.map, 0, &options, &error) == WEND_STATUS_WRONG_CONTENTS);
                wend_agent *agent = test_db_agent(&stage, "knn2009:db=x", &altered);
                wend_cell start = test_open_cell(stage.map, &random),
                          goal = test_open_cell(stage.map, &random);
                test_dijkstra(&stage.grid, goal, stage.left);
                if (agent && stage.left[start] != WEND_NO_COST)
                    CHECK(test_walk_to(&stage, agent, "knn2009:db=x", start, goal, 2000000).end ==
                          WEND_STEP_ARRIVED);
                wend_agent_destroy(agent);
                taken++;
            }
            refused += status != WEND_OK;
            section->count -= section->count ? 1 : 0;
            CHECK(wend_db_knn2009.open(&altered, NULL) == WEND_STATUS_DAMAGED ||
                  strcmp(section->name, "subgoals") == 0);
            free(data);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(refused > test_some(200) && taken > test_some(50), "%llu refused, %llu taken",
               (unsigned long long)refused, (unsigned long long)taken);
}

static void agents_want_the_right_database(void) {
    test_stage stage, other;
    if (test_stage_any(&stage, 12) && test_stage_any(&other, 13)) {
        wend_db *db = test_db_build(stage.map, "knn2009:records=5", 1);
        wend_db *regions = test_db_build(stage.map, "dlrta:level=2", 1);
        wend_map *copy = NULL;
        const wend_settings *settings = NULL;
        wend_error error = {0};
        wend_agent *agent = NULL;
        wend_agent_options options = wend_default_agent_options();
        wend_world *world = NULL;
        wend_world_options standard = wend_default_world_options();
        CHECK(test_settings_parse("knn2009", &settings, &error) == WEND_OK);
        CHECK(wend_agent_create(stage.world, settings, &options, &agent, &error) ==
                  WEND_STATUS_BAD_ARGUMENT &&
              !agent);
        options.db = regions;
        CHECK(wend_agent_create(stage.world, settings, &options, &agent, &error) ==
                  WEND_STATUS_BAD_ARGUMENT &&
              !agent);
        options.db = db;
        CHECK(wend_agent_create(other.world, settings, &options, &agent, &error) == WEND_STATUS_OTHER_MAP &&
              !agent);
        /* Another map with the same cells will do. */
        CHECK(wend_map_copy(stage.map, &copy, NULL) == WEND_OK);
        CHECK(wend_world_create(copy, &standard, &world, NULL) == WEND_OK);
        CHECK(wend_agent_create(world, settings, &options, &agent, &error) == WEND_OK);
        wend_agent_destroy(agent);
        wend_world_destroy(world);
        wend_map_destroy(copy);
        wend_db_close(db);
        wend_db_close(regions);
    }
    test_stage_close(&stage);
    test_stage_close(&other);
}

/* Table 1: LRTA* is worst, and more records are better. Two maps, a few problems each. */
static void more_records_are_better(void) {
    if (test_skip_thinned()) return;
    static const char *const maps[] = {"bgmaps/AR0411SR", "bgmaps/AR0205SR"};
    static const char *const kinds[] = {NULL, "knn2009:records=1000", "knn2009:records=5000", "knn2009"};
    double means[4], bytes[4];
    if (!test_db_compare(maps, kinds, 4, "knn2009:db=x", means, bytes)) return;
    CHECK_THAT(means[0] > means[1] && means[1] > means[2] && means[2] > means[3],
               "lrta %.1f%%, 1000 records %.1f%%, 5000 %.1f%%, 10000 %.1f%%", means[0], means[1], means[2],
               means[3]);
    CHECK_THAT(means[0] > 300 && means[3] < 20, "lrta %.1f%%, 10000 records %.1f%%", means[0], means[3]);
}

static void tasks_change(void) {
    static const char *const forms[] = {"knn2009:records=0", "knn2009:records=7", "knn2009:records=200"};
    for (uint64_t i = 0; i < 90; i++)
        test_db_tasks_change(i, forms[i % 3], i % 2 ? "knn2009:climb=4,db=-" : "knn2009:d=1,climb=9,db=-");
}

static const test tests[] = {
    {"tasks change", tasks_change},
    {"records are as figure 4 has them", records_are_as_figure_4_has_them},
    {"choices are as figure 7 has them", choices_are_as_figure_7_has_them},
    {"it arrives within its bounds", it_arrives_within_its_bounds},
    {"long choices are spread over steps", long_choices_are_spread_over_steps},
    {"forged files are refused or harmless", forged_files_are_refused_or_harmless},
    {"agents want the right database", agents_want_the_right_database},
    {"more records are better", more_records_are_better},
};

TEST_MAIN(tests)
