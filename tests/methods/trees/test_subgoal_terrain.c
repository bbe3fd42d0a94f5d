/* Planners with subgoals from a database (knn, knn2009, dlrta, subgoal-tree, lss-lrta with trees) on terrain
 * that is not the map that the database is of: edited while they walk, or known in part, or not at all. Every
 * step is held against the truth and the belief of the moment in support/agents/terrain.c. */
#include "support/agents/terrain.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/settings.h"

#include <string.h>
#include <wend/wend.h>

typedef struct subgoal_form {
    const char *planner, *kind;
} subgoal_form;

static const subgoal_form forms[] = {
    {"knn:db=x", "knn:records=60"},
    {"knn:fallback=tba,db=x", "knn:records=60"},
    {"knn:climb=6,candidates=3,e6=no,db=x", "knn:records=200"},
    {"knn:e1=no,e2=no,e3=no,e4=no,e5=no,db=x", "knn:records=20"},
    {"knn2009:db=x", "knn2009:records=80"},
    {"knn2009:climb=5,d=1,db=x", "knn2009:records=200"},
    {"dlrta:db=x", "dlrta:level=1"},
    {"dlrta:d=3,db=x", "dlrta:level=2"},
    {"subgoal-tree:db=x", "subgoal-tree"},
    {"lss-lrta:k=1,db=x", "subgoal-tree"},
    {"lss-lrta:k=12,db=x", "subgoal-tree:share=no"},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* The terrain, and a database of what is believed of it at first. */
typedef struct ground {
    const subgoal_form *form;
    test_terrain terrain;
    wend_map *open; /* what is believed where nothing is known; or NULL */
    wend_db *db;
} ground;

static bool open_ground(ground *it, const subgoal_form *form, wend_map *map, test_belief belief,
                        uint32_t radius, uint64_t number) {
    *it = (ground){.form = form};
    if (!test_terrain_open(&it->terrain, map, belief, radius, number)) return false;
    const wend_map *base = belief == TEST_KNOWN ? it->terrain.stage.map : it->terrain.first;
    if (belief == TEST_UNKNOWN) {
        test_random random = {1};
        base = it->open = test_map_make(TEST_SHAPE_OPEN, wend_map_width(map), wend_map_height(map),
                                        wend_map_rules(map), &random, NULL);
    }
    it->db = base ? test_db_build(base, form->kind, 1) : NULL;
    return it->db;
}

static bool any_ground(ground *it, const subgoal_form *form, uint64_t number, int32_t side,
                       test_belief belief) {
    test_random random = {number * 31 + 7};
    int32_t width = 1 + (int32_t)test_below(&random, (uint32_t)side),
            height = 1 + (int32_t)test_below(&random, (uint32_t)side);
    wend_map *map = test_map_make((test_shape)(number % TEST_SHAPES), width, height,
                                  test_rules((uint32_t)(number / TEST_SHAPES)), &random, NULL);
    return open_ground(it, form, map, belief, 1 + test_below(&random, 3), number);
}

static void close_ground(ground *it) {
    wend_db_close(it->db); /* before its map */
    wend_map_destroy(it->open);
    test_terrain_close(&it->terrain);
}

static wend_agent *agent_on(const ground *it) {
    wend_agent_options options = wend_default_agent_options();
    options.knowledge = it->terrain.knowledge;
    options.db = it->db;
    return test_agent_make(&it->terrain.stage, it->form->planner, &options);
}

static bool start(ground *it, test_trek *trek, wend_agent *agent, wend_cell from, wend_cell to) {
    bool good = test_trek_start(&it->terrain, trek, agent, it->form->planner, from, to);
    /* Others know where they were with a workspace only; or, lss-lrta, since they got a place or goal. */
    trek->crowded = !strstr(it->form->planner, "subgoal-tree") && !strstr(it->form->kind, "dlrta") &&
                    !strstr(it->form->kind, "2009");
    return good;
}

/* A subgoal is given up after a few moves per cell, and that 64 times. Then LRTA* and similar take at most
 * the square of the cells, again with every opening. Far more than is ever needed, and an end all the
 * same. */
static uint64_t most_steps(const ground *it) {
    uint64_t cells = it->terrain.stage.grid.cells, opened = it->terrain.opened + it->terrain.edits;
    return 64 * (6 * cells + 200) + 2 * cells * cells * (opened + 1);
}

/* Once nothing changes any more: as the truth is; those who do not know it, as they believe. */
static void check_end(ground *it, test_trek *trek, const char *when) {
    test_terrain *terrain = &it->terrain;
    wend_cell goal = wend_agent_goal(trek->agent), from = wend_agent_cell(trek->agent);
    bool path = from == goal || test_terrain_joined(terrain, &terrain->stage.grid, from, goal);
    wend_outcome end = test_trek_go(terrain, trek, most_steps(it));
    bool good = terrain->knowledge ? end == WEND_STEP_ARRIVED || end == WEND_STEP_UNREACHABLE
                                   : end == (path ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE);
    CHECK_THAT(good && (path || end != WEND_STEP_ARRIVED),
               "%s on map %llu from %u to %u, %s: outcome %d, and there is %s path", it->form->planner,
               (unsigned long long)terrain->stage.number, from, goal, when, (int)end, path ? "a" : "no");
}

/* One tick of a script: an edit or none, perhaps between a plan and its move. */
static void script_tick(ground *it, test_trek *trek, uint32_t rarely, test_random *random) {
    wend_agent *agent = trek->agent;
    if (test_below(random, rarely) == 0) test_terrain_edit_any(&it->terrain, agent, random);
    if (test_below(random, 3)) {
        (void)test_trek_step(&it->terrain, trek);
        return;
    }
    wend_cell before = wend_agent_cell(agent);
    (void)wend_agent_plan(agent, wend_agent_budget(agent));
    test_trek_looked(&it->terrain, trek);
    if (test_below(random, rarely) == 0) test_terrain_edit_any(&it->terrain, agent, random);
    test_trek_check(&it->terrain, trek, before, wend_agent_move(agent));
}

/* Edits anywhere and at any time, with goals that move in some runs. */
static void edit_script(uint64_t number, const subgoal_form *form, test_belief belief) {
    ground it;
    test_random random = {number};
    test_trek trek;
    wend_cell from, to, goal;
    bool good =
        any_ground(&it, form, number, 16, belief) && test_terrain_problem(&it.terrain, &random, &from, &to);
    wend_agent *agent = good ? agent_on(&it) : NULL;
    if (agent && start(&it, &trek, agent, from, to)) {
        uint32_t rarely = test_below(&random, 3) ? 1 + test_below(&random, 12) : 1;
        bool settles = test_below(&random, 2), moves_goals = test_below(&random, 4) == 0;
        for (int tick = 0; tick < 90; tick++) {
            if (settles) (void)wend_world_settle(it.terrain.stage.world, test_below(&random, 300));
            if (moves_goals && test_below(&random, 5) == 0 &&
                test_terrain_problem(&it.terrain, &random, &from, &goal)) {
                bool other = goal != wend_agent_goal(agent);
                if (wend_agent_set_goal(agent, goal, NULL) == WEND_OK)
                    test_trek_changed(&it.terrain, &trek, other);
            }
            script_tick(&it, &trek, rarely, &random);
        }
        if (test_below(&random, 2)) (void)wend_world_settle(it.terrain.stage.world, UINT64_MAX);
        test_trek_changed(&it.terrain, &trek, false);
        check_end(&it, &trek, "after the edits");
        if (!it.terrain.knowledge) { /* all is opened: whatever was shut is found */
            wend_rect all = {0, 0, it.terrain.stage.grid.width, it.terrain.stage.grid.height};
            test_terrain_edit(&it.terrain, all, true);
            check_end(&it, &trek, "with all open");
        }
    }
    wend_agent_destroy(agent);
    close_ground(&it);
    test_case();
}

static void any_script_of_edits(void) {
    const uint64_t scripts = test_full() ? 900 : test_some(110);
    for (uint64_t number = 0; number < scripts * FORMS; number++)
        edit_script(number / FORMS + 5 * number, &forms[number % FORMS],
                    (test_belief)(number / FORMS % TEST_BELIEFS));
}

/* No edits: what is not known is seen, on the way. Several problems one after another with what was seen;
 * those with other databases take part as well. */
static void any_belief(void) {
    static const subgoal_form others[] = {{"cpd:db=x", "cpd"},
                                          {"cpd:k=2,db=x", "cpd:encoding=rectangles"},
                                          {"upd:db=x", "upd"},
                                          {"quadtree:db=x", "quadtree"},
                                          {"atlas:db=x", "atlas"}};
    enum { ALL = FORMS + sizeof others / sizeof *others };
    const uint64_t rounds = test_full() ? 600 : test_some(90);
    for (uint64_t number = 0; number < rounds * ALL; number++) {
        uint64_t which = number % ALL, round = number / ALL;
        ground it;
        test_random random = {number};
        const subgoal_form *form = which < FORMS ? &forms[which] : &others[which - FORMS];
        bool good = any_ground(&it, form, 7 * round + number, 18, (test_belief)(1 + round % 3));
        wend_agent *agent = good ? agent_on(&it) : NULL;
        for (int i = 0; agent && i < 3; i++) {
            test_trek trek;
            wend_cell from, to;
            if (!test_terrain_problem(&it.terrain, &random, &from, &to) ||
                !start(&it, &trek, agent, from, to))
                break;
            check_end(&it, &trek, "with what is seen");
        }
        wend_agent_destroy(agent);
        close_ground(&it);
        test_case();
    }
}

/* The mean cost of walks over that of shortest true paths, of problems that have one. */
static double mean_over(ground *it, wend_agent *agent, const char *planner, uint32_t problems) {
    test_random random = {5};
    test_stage *stage = &it->terrain.stage;
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; agent && i < problems; i++) {
        wend_cell from = test_open_cell(wend_world_map(stage->world), &random),
                  to = test_open_cell(wend_world_map(stage->world), &random);
        test_dijkstra(&stage->grid, to, stage->left);
        if (stage->left[from] == WEND_NO_COST || from == to) continue;
        wend_cost best = stage->left[from], cost = 0;
        wend_knowledge_forget(it->terrain.knowledge);
        if (!CHECK(wend_agent_start(agent, from, to, NULL) == WEND_OK)) break;
        wend_step step = wend_agent_step(agent);
        for (uint32_t left = 1000000; step.outcome <= WEND_STEP_WAITING && left; left--) {
            if (step.outcome == WEND_STEP_MOVED) cost += test_move_cost(&stage->grid, step.direction);
            step = wend_agent_step(agent);
        }
        CHECK_THAT(step.outcome == WEND_STEP_ARRIVED, "%s: problem %u ends with %d", planner, i,
                   (int)step.outcome);
        sum += (double)cost / (double)best, count++;
    }
    CHECK(count > problems / 2);
    return count ? sum / count : 0;
}

/* Where a few cells are blocked that the database knows nothing of, it still leads through the map: walks are
 * half of LRTA*'s or less, or nearly (2.25 times a shortest path with trees, 4.36 without). */
static void subgoals_are_of_use(void) {
    static const subgoal_form whole[] = {{"knn:db=x", "knn:records=1500"},
                                         {"knn2009:db=x", "knn2009:records=4000"},
                                         {"dlrta:db=x", "dlrta:level=3"},
                                         {"subgoal-tree:db=x", "subgoal-tree"},
                                         {"lss-lrta:db=x", "subgoal-tree"}};
    enum { PROBLEMS = 40, SIDE = 48 };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        test_random random = {11};
        wend_map *small =
            test_map_make(TEST_SHAPE_ROOMS, SIDE / 3, SIDE / 3, wend_default_rules(), &random, NULL);
        wend_map *map = NULL, *first = NULL;
        CHECK(wend_map_scale(small, 3, &map, NULL) == WEND_OK); /* so that no single cell shuts a door */
        CHECK(wend_map_copy(map, &first, NULL) == WEND_OK);
        wend_map_destroy(small);
        for (int b = 0; b < SIDE; b++) { /* two cells in a hundred */
            wend_xy at = wend_map_xy(map, test_open_cell(map, &random));
            CHECK(wend_map_edit(map, (wend_rect){at.x, at.y, 1, 1}, false, NULL) == WEND_OK);
        }
        ground it = {.form = &whole[i]};
        wend_knowledge_options knowing = wend_default_knowledge_options();
        bool good = test_terrain_open(&it.terrain, map, TEST_UNKNOWN, 1, i);
        wend_knowledge_destroy(it.terrain.knowledge);
        it.terrain.knowledge = NULL, it.terrain.first = first;
        knowing.believed = first;
        good = good && CHECK(wend_knowledge_create(it.terrain.stage.world, &knowing, &it.terrain.knowledge,
                                                   NULL) == WEND_OK);
        it.db = good ? test_db_build(first, whole[i].kind, 1) : NULL;
        if (it.db) {
            wend_agent *agent = agent_on(&it), *plain = test_terrain_agent(&it.terrain, "lrta");
            double with = mean_over(&it, agent, whole[i].planner, PROBLEMS),
                   without = mean_over(&it, plain, "lrta", PROBLEMS);
            CHECK_THAT(with < 0.6 * without, "%s: %.2f times a shortest path, and lrta %.2f",
                       whole[i].planner, with, without);
            wend_agent_destroy(agent);
            wend_agent_destroy(plain);
        }
        close_ground(&it);
        test_case();
    }
}

/* A database of the true map is none of what is believed where nothing is known; a tree that was grown at run
 * time does not take edits in. */
static void who_is_refused(void) {
    test_random random = {3};
    test_stage stage;
    wend_world_options editable = wend_default_world_options();
    editable.editable = true;
    wend_knowledge *knowledge = NULL;
    wend_knowledge_options knowing = wend_default_knowledge_options();
    if (test_stage_open(&stage, test_map_make(TEST_SHAPE_ROOMS, 20, 20, test_rules(0), &random, NULL),
                        &editable) &&
        CHECK(wend_knowledge_create(stage.world, &knowing, &knowledge, NULL) == WEND_OK)) {
        const wend_settings *settings = NULL;
        wend_agent *agent = NULL;
        wend_error error = {0};
        for (size_t i = 0; i < FORMS; i++) {
            wend_agent_options options = wend_default_agent_options();
            options.db = test_db_build(stage.map, forms[i].kind, 1), options.knowledge = knowledge;
            CHECK(test_settings_parse(forms[i].planner, &settings, NULL) == WEND_OK);
            CHECK_THAT(wend_agent_create(stage.world, settings, &options, &agent, &error) ==
                               WEND_STATUS_OTHER_MAP &&
                           strstr(error.message, "believes"),
                       "%s: %s", forms[i].planner, error.message);
            wend_db_close((wend_db *)options.db);
            test_case();
        }
        wend_tree *tree = NULL;
        wend_tree_options growing = wend_default_tree_options();
        CHECK(wend_tree_create(stage.map, &growing, &tree, NULL) == WEND_OK);
        wend_agent_options options = wend_default_agent_options();
        options.tree = tree;
        CHECK(test_settings_parse("lss-lrta", &settings, NULL) == WEND_OK);
        CHECK(wend_agent_create(stage.world, settings, &options, &agent, &error) == WEND_STATUS_UNSUPPORTED &&
              strstr(error.message, "tree"));
        wend_tree_destroy(tree);
    }
    wend_knowledge_destroy(knowledge);
    test_stage_close(&stage);
    test_case();
}

static void runs_repeat_and_ask_for_nothing(void) {
    for (uint64_t number = 0; number < 8 * FORMS; number++)
        test_db_edits_repeat(number, forms[number % FORMS].kind, forms[number % FORMS].planner);
}

/* An old goal that was closed is none of the new one's business: also where so much has changed that it could
 * not hear of all before the goal was set. */
static void another_goal_among_many_edits(void) {
    static const subgoal_form plain[] = {{"lrta", NULL}, {"lrta:d=3", NULL}, {"lss-lrta:k=5", NULL}};
    enum { PLAIN = sizeof plain / sizeof *plain, SIDE = 20 };
    for (size_t i = 0; i < PLAIN + FORMS; i++) {
        test_random random = {1};
        ground it = {.form = i < PLAIN ? &plain[i] : &forms[i - PLAIN]};
        test_trek trek;
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, SIDE, SIDE, wend_default_rules(), &random, NULL);
        bool good = test_terrain_open(&it.terrain, map, TEST_KNOWN, 1, i);
        if (good && it.form->kind) it.db = test_db_build(it.terrain.stage.map, it.form->kind, 1);
        wend_agent *agent = good ? agent_on(&it) : NULL;
        if (agent && test_trek_start(&it.terrain, &trek, agent, it.form->planner, 0, SIDE * SIDE - 1)) {
            (void)wend_agent_step(agent);
            test_terrain_edit(&it.terrain, (wend_rect){SIDE - 5, 0, 5, SIDE}, false); /* 100 cells */
            CHECK(wend_agent_set_goal(agent, SIDE / 2, NULL) == WEND_OK);
            for (int task = 0; task < 2; task++) {
                wend_step step = wend_agent_step(agent);
                for (int left = 4000; step.outcome <= WEND_STEP_WAITING && left; left--)
                    step = wend_agent_step(agent);
                CHECK_THAT(step.outcome == WEND_STEP_ARRIVED, "%s: task %d ends with %d", it.form->planner,
                           task, (int)step.outcome);
                CHECK(wend_agent_start(agent, 0, SIDE / 2, NULL) == WEND_OK);
            }
        }
        wend_agent_destroy(agent);
        close_ground(&it);
        test_case();
    }
}

/* A subgoal that proves unreachable is given up once, however often the agent is made to move without a plan
 * (as fleets do): it has others left. */
static void a_subgoal_is_given_up_once(void) {
    enum { SIDE = 21 };
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, SIDE, SIDE, wend_default_rules(), &random, NULL);
    CHECK(wend_map_edit(map, (wend_rect){10, 4, 1, 17}, false, NULL) == WEND_OK);
    static const subgoal_form form = {"lss-lrta:k=1000,db=x", "subgoal-tree"};
    ground it;
    wend_agent *agent = open_ground(&it, &form, map, TEST_KNOWN, 1, 1) ? agent_on(&it) : NULL;
    if (agent && CHECK(wend_agent_start(agent, 16 * SIDE + 2, 16 * SIDE + 18, NULL) == WEND_OK)) {
        (void)wend_agent_step(agent);
        CHECK(wend_agent_subgoal(agent) != WEND_NO_CELL);
        wend_rect wall = {5, 0, 1, SIDE}; /* between the agent and all subgoals */
        test_terrain_edit(&it.terrain, wall, false);
        CHECK(wend_agent_step(agent).outcome == WEND_STEP_WAITING);
        for (int i = 0; i < 70; i++) CHECK(wend_agent_move(agent).outcome == WEND_STEP_WAITING);
        test_terrain_edit(&it.terrain, wall, true);
        (void)wend_agent_step(agent);
        CHECK(wend_agent_subgoal(agent) != WEND_NO_CELL);
    }
    wend_agent_destroy(agent);
    close_ground(&it);
    test_case();
}

/* A task that ends and goes on between two moves, again and again, has one bound for all its plans. */
static void plans_between_edits_keep_to_the_bound(void) {
    enum { SIDE = 70, TASKS = 40, EDITS = 31 };
    static const subgoal_form form = {"lss-lrta:k=1,db=x", "subgoal-tree"};
    test_random random = {1};
    ground it;
    wend_map *map = test_map_generated(WEND_MAP_ROOMS, SIDE, wend_default_rules(), 1);
    wend_agent *agent = open_ground(&it, &form, map, TEST_KNOWN, 1, 1) ? agent_on(&it) : NULL;
    for (int task = 0; agent && task < TASKS; task++) {
        wend_cell from = test_open_cell(map, &random), goal = test_open_cell(map, &random);
        CHECK(wend_agent_start(agent, from, goal, NULL) == WEND_OK);
        for (int i = 0; i < EDITS; i++)
            for (int open = 0; open < 2; open++) {
                (void)wend_agent_plan(agent, 1);
                test_terrain_edit_cell(&it.terrain, goal, open);
            }
        uint64_t operations = wend_agent_move(agent).operations, bound = wend_agent_bound(agent, 2 * EDITS);
        CHECK_THAT(operations <= bound, "%llu operations, bound %llu", (unsigned long long)operations,
                   (unsigned long long)bound);
    }
    wend_agent_destroy(agent);
    close_ground(&it);
    test_case();
}

static const test tests[] = {
    {"any script of edits", any_script_of_edits},
    {"any belief", any_belief},
    {"subgoals are of use", subgoals_are_of_use},
    {"another goal among many edits", another_goal_among_many_edits},
    {"a subgoal is given up once", a_subgoal_is_given_up_once},
    {"plans between edits keep to the bound", plans_between_edits_keep_to_the_bound},
    {"who is refused", who_is_refused},
    {"runs repeat, and ask for nothing", runs_repeat_and_ask_for_nothing},
};
TEST_MAIN(tests)
