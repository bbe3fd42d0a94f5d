/* Every public call with what it must not be given: NULL, out of range, out of order. Of settings,
 * databases, repairs, worlds, agents and fleets.
 * tests/support/misuse.h says how an answer is judged. */
#include "support/check.h"
#include "support/misuse.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static void settings(const test_misuse *t) {
    const wend_settings *const astar = t->astar;

    wend_settings *made = NULL;
    static const char *const wrong[] = {"",
                                        ":",
                                        "no-such",
                                        "astar:",
                                        "astar:k",
                                        "astar:k=",
                                        "astar:k=0",
                                        "astar:k=-1",
                                        "astar:k=1,k=2",
                                        "astar:k=99999999999999999999",
                                        "astar:k=nan",
                                        "cpd",
                                        "tba:share=2",
                                        "tba:trace=any",
                                        "lrta:d=1e1",
                                        "astar:k=0x5",
                                        "ASTAR",
                                        "astar:\xff\xfe=1",
                                        "lrta:d=65",
                                        "tba:share=0.12345678901234567890"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (strcmp(wrong[i], "cpd") != 0) REFUSED(wend_settings_parse(wrong[i], NULL, &made, E));
        if (strcmp(wrong[i], "cpd") != 0) REFUSED(wend_db_settings_parse(wrong[i], NULL, &made, E));
    }
    REFUSED(wend_settings_parse(NULL, NULL, &made, E));
    REFUSED(wend_settings_parse("astar", NULL, NULL, E));
    REFUSED(wend_db_settings_parse(NULL, NULL, &made, E));
    REFUSED(wend_db_settings_parse("cpd", NULL, NULL, E));
    RETURNS((wend_settings_destroy(NULL), 0));
    GIVES(wend_settings_info(NULL), NULL);
    GIVES(wend_settings_integer(astar, "no-such") == 0 && wend_settings_integer(astar, NULL) == 0, true);
    GIVES(wend_settings_number(astar, "no-such") == 0 && wend_settings_number(astar, NULL) == 0, true);
    GIVES(wend_settings_text(astar, "no-such") == NULL && wend_settings_text(astar, NULL) == NULL, true);
    GIVES(wend_settings_given(astar, "no-such") || wend_settings_given(astar, NULL), false);

    wend_planners *planners = NULL;
    wend_planner_functions functions = {0};
    REFUSED(wend_planners_create(NULL, NULL, E));
    RIGHT(wend_planners_create(NULL, &planners, E));
    REFUSED(wend_planners_add(planners, NULL, NULL, E));
    REFUSED(wend_planners_add(planners, &functions, NULL, E));
    functions.struct_size = sizeof functions;
    REFUSED(wend_planners_add(planners, &functions, NULL, E));
    functions.info.name = "astar";
    REFUSED(wend_planners_add(planners, &functions, NULL, E));
    functions.info.name = "No Name";
    REFUSED(wend_planners_add(planners, &functions, NULL, E));
    REFUSED(wend_planners_add(NULL, &functions, NULL, E));
    REFUSED(wend_planners_parse(planners, NULL, NULL, &made, E));
    REFUSED(wend_planners_parse(planners, "no-such", NULL, &made, E));
    REFUSED(wend_planners_parse(planners, "astar", NULL, NULL, E));
    REFUSED(wend_planners_parse(NULL, "astar", NULL, &made, E));
    GIVES(wend_planners_at(planners, wend_planners_count(planners)), NULL);
    wend_planners_destroy(planners);
    RETURNS((wend_planners_destroy(NULL), 0));
}

static void databases(const test_misuse *t) {
    wend_map *const map = t->map;
    wend_map *const other = t->other;
    const wend_settings *const astar = t->astar;
    const wend_db *const db = t->db;
    const wend_db *const homeless = t->homeless;
    const test_bytes file = t->file;

    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("made.wend"));
    const wend_cell cells[] = {0, TEST_MISUSE_CELLS, WEND_NO_CELL, 33};
    wend_db *opened = NULL;
    wend_db_options zeroed = {0};
    wend_build_options empty = {0}, options = wend_default_build_options();
    wend_db_choice choice;
    wend_estimate estimate;
    wend_cpd_measures measures;
    wend_settings *kind = NULL;
    uint8_t covered[4];
    REFUSED(wend_db_open(NULL, map, NULL, &opened, E));
    REFUSED(wend_db_open("/nowhere/at/all", map, NULL, &opened, E));
    REFUSED(wend_db_open("/dev/null", map, NULL, &opened, E));
    REFUSED(wend_db_open("/", map, NULL, &opened, E));
    REFUSED(wend_db_open(test_path("misuse.wend"), other, NULL, &opened, E));
    REFUSED(wend_db_open(test_path("misuse.wend"), map, NULL, NULL, E));
    REFUSED(wend_db_open_memory(NULL, 100, map, NULL, &opened, E));
    REFUSED(wend_db_open_memory(file.data, 0, map, NULL, &opened, E));
    REFUSED(wend_db_open_memory(file.data, file.size - 1, map, NULL, &opened, E));
    REFUSED(wend_db_open_memory(file.data, file.size, other, NULL, &opened, E));
    REFUSED(wend_db_open_memory(file.data, file.size, map, &zeroed, &opened, E));
    REFUSED(wend_db_open_memory(file.data, file.size, map, NULL, NULL, E));
    RETURNS((wend_db_close(NULL), wend_db_options_init(NULL, 4), wend_build_options_init(NULL, 4), 0));
    GIVES(strcmp(wend_db_about(homeless).kind, "cpd"), 0);
    RETURNS(wend_db_facts(homeless, NULL, 0));
    RIGHT(wend_db_settings_parse("cpd", NULL, &kind, E));
    REFUSED(wend_db_build(NULL, kind, &options, path, E));
    REFUSED(wend_db_build(map, NULL, &options, path, E));
    REFUSED(wend_db_build(map, astar, &options, path, E));
    REFUSED(wend_db_build(map, kind, &empty, path, E));
    REFUSED(wend_db_build(map, kind, &options, NULL, E));
    REFUSED(wend_db_build(map, kind, &options, "/nowhere/at/all", E));
    options.max_memory = 1;
    REFUSED(wend_db_build(map, kind, &options, path, E));
    options.max_memory = 0, options.max_size = 1;
    REFUSED(wend_db_build(map, kind, &options, path, E));
    GIVES(test_exists(path), false);
    REFUSED(wend_db_choose(NULL, kind, NULL, &choice, E));
    REFUSED(wend_db_choose(map, NULL, NULL, &choice, E));
    REFUSED(wend_db_choose(map, astar, NULL, &choice, E));
    REFUSED(wend_db_choose(map, kind, NULL, NULL, E));
    REFUSED(wend_db_estimate(NULL, kind, NULL, &estimate, E));
    REFUSED(wend_db_estimate(map, NULL, NULL, &estimate, E));
    REFUSED(wend_db_estimate(map, astar, NULL, &estimate, E));
    REFUSED(wend_db_estimate(map, kind, NULL, NULL, E));
    REFUSED(wend_db_verify(NULL, map, 0, NULL, E));
    REFUSED(wend_db_verify(db, NULL, 0, NULL, E));
    REFUSED(wend_db_verify(db, other, 0, NULL, E));
    REFUSED(wend_db_cover(NULL, cells, 1, NULL, covered, E));
    REFUSED(wend_db_cover(db, cells, 1, NULL, covered, E)); /* no case base */
    REFUSED(wend_db_cover(db, NULL, 1, NULL, covered, E));
    REFUSED(wend_db_cover(db, cells, 1, NULL, NULL, E));
    REFUSED(wend_cpd_measure(NULL, NULL, &measures, E));
    REFUSED(wend_cpd_measure(map, NULL, NULL, E));
    wend_cell at[4];
    memcpy(at, cells, sizeof at);
    REFUSED(wend_cpd_step_many(NULL, 4, at, cells, NULL, NULL, E));
    REFUSED(wend_cpd_step_many(homeless, 4, at, cells, NULL, NULL, E));
    REFUSED(wend_cpd_step_many(db, 4, NULL, cells, NULL, NULL, E));
    REFUSED(wend_cpd_step_many(db, 4, at, NULL, NULL, NULL, E));
    RIGHT(wend_cpd_step_many(db, 4, at, cells, NULL, NULL, E)); /* who is nowhere stays there */
    GIVES(memcmp(at, cells, sizeof at), 0);
    for (size_t i = 0; i < TEST_FAR; i++) {
        GIVES(wend_cpd_move(db, test_far_cells[i], 0), WEND_CPD_NO_WAY);
        GIVES(wend_cpd_move(db, 0, test_far_cells[i]), WEND_CPD_NO_WAY);
    }
    GIVES(wend_cpd_move(db, 33, 0) == WEND_CPD_NO_WAY && wend_cpd_move(homeless, 1, 0) == WEND_CPD_NO_WAY,
          true);
    wend_settings_destroy(kind);

    wend_search *search = NULL;
    wend_jumps *jumps = NULL;
    wend_db *corners = NULL;
    wend_result result;
    RIGHT(wend_db_settings_parse("corners", NULL, &kind, E));
    RIGHT(wend_db_build(map, kind, NULL, path, E));
    RIGHT(wend_db_open(path, map, NULL, &corners, E));
    RIGHT(wend_search_create(map, NULL, &search, E));
    RIGHT(wend_jumps_create(map, NULL, &jumps, E));
    REFUSED(wend_corners_find(NULL, search, jumps, 0, 1, &result, E));
    REFUSED(wend_corners_find(db, search, jumps, 0, 1, &result, E)); /* another kind */
    REFUSED(wend_corners_find(corners, NULL, jumps, 0, 1, &result, E));
    REFUSED(wend_corners_find(corners, search, NULL, 0, 1, &result, E));
    REFUSED(wend_corners_find(corners, search, jumps, 0, 1, NULL, E));
    REFUSED(wend_corners_find(corners, search, jumps, 33, 1, &result, E));
    for (size_t i = 0; i < TEST_FAR; i++) {
        REFUSED(wend_corners_find(corners, search, jumps, test_far_cells[i], 1, &result, E));
        REFUSED(wend_corners_find(corners, search, jumps, 0, test_far_cells[i], &result, E));
    }
    RIGHT(wend_corners_find(corners, search, jumps, 0, 79, &result, E));
    wend_jumps_destroy(jumps);
    wend_search_destroy(search);
    wend_db_close(corners);
    wend_settings_destroy(kind);
}

static void repairs(const test_misuse *t) {
    wend_map *const map = t->map;
    wend_map *const other = t->other;
    const wend_db *const db = t->db;
    const wend_db *const homeless = t->homeless;

    wend_repair *repair = NULL;
    wend_repair_options zeroed = {0};
    wend_map *changing = NULL;
    const char *path = test_path("repaired.wend");
    bool done = false;
    RIGHT(wend_map_copy(map, &changing, E));
    REFUSED(wend_repair_create(NULL, changing, NULL, &repair, E));
    REFUSED(wend_repair_create(db, NULL, NULL, &repair, E));
    REFUSED(wend_repair_create(db, changing, NULL, NULL, E));
    REFUSED(wend_repair_create(db, changing, &zeroed, &repair, E));
    REFUSED(wend_repair_create(db, other, NULL, &repair, E));
    REFUSED(wend_repair_create(homeless, changing, NULL, &repair, E));
    GIVES(wend_db_can_repair(db), true);
    RIGHT(wend_repair_create(db, changing, NULL, &repair, E));
    REFUSED(wend_repair_step(NULL, 5, &done, E));
    REFUSED(wend_repair_step(repair, 5, NULL, E));
    RIGHT(wend_map_edit(changing, (wend_rect){5, 5, 2, 1}, false, E));
    REFUSED(wend_repair_write(repair, NULL, path, E)); /* nothing was repaired since */
    RIGHT(wend_repair_step(repair, UINT64_MAX, &done, E));
    REFUSED(wend_repair_write(repair, NULL, NULL, E));
    REFUSED(wend_repair_write(NULL, NULL, path, E));
    for (size_t i = 0; i < TEST_FAR; i++)
        GIVES(wend_cpd_repair_move(repair, test_far_cells[i], 0), WEND_CPD_NO_WAY);
    RETURNS((wend_repair_about(repair), wend_repair_facts(repair, NULL, 0), wend_repair_options_init(NULL, 4),
             0));
    wend_repair_destroy(repair);
    RETURNS((wend_repair_destroy(NULL), 0));
    wend_map_destroy(changing);
}

static void worlds(const test_misuse *t) {
    wend_map *const map = t->map;
    wend_map *const other = t->other;

    wend_world *world = NULL, *editable = NULL;
    wend_knowledge *knowledge = NULL;
    wend_world_options zeroed = {0}, options = wend_default_world_options();
    wend_knowledge_options empty = {0}, of = wend_default_knowledge_options();
    REFUSED(wend_world_create(NULL, NULL, &world, E));
    REFUSED(wend_world_create(map, NULL, NULL, E));
    REFUSED(wend_world_create(map, &zeroed, &world, E));
    RIGHT(wend_world_create(map, NULL, &world, E));
    options.editable = true;
    RIGHT(wend_world_create(map, &options, &editable, E));
    REFUSED(wend_world_edit(world, (wend_rect){0, 0, 1, 1}, true, E));
    REFUSED(wend_world_edit(NULL, (wend_rect){0, 0, 1, 1}, true, E));
    for (size_t i = 0; i < TEST_AREAS; i++) REFUSED(wend_world_edit(editable, test_bad_areas[i], true, E));
    GIVES(wend_world_settle(world, 0) && wend_world_settle(editable, UINT64_MAX), true);
    GIVES(wend_world_map(world) == map && wend_world_bytes(world), true);
    for (size_t i = 0; i < TEST_FAR; i++) {
        wend_cell cell = 0, far = test_far_cells[i];
        GIVES(wend_world_reaches(world, far, 0), WEND_ANSWER_NO);
        GIVES(wend_world_reaches(world, 0, far), WEND_ANSWER_NO);
        GIVES(wend_world_nearest(world, far, 0, &cell), WEND_ANSWER_NO);
        GIVES(wend_world_nearest(world, 0, far, &cell) == WEND_ANSWER_NO && cell == WEND_NO_CELL, true);
        GIVES(wend_world_reaches_without(world, (wend_rect){1, 1, 1, 1}, far, far), WEND_ANSWER_NO);
    }
    GIVES(wend_world_reaches(world, 33, 33), WEND_ANSWER_NO);
    for (size_t i = 0; i < TEST_AREAS; i++)
        RETURNS(wend_world_reaches_without(world, test_bad_areas[i], 0, 79));
    REFUSED(wend_knowledge_create(NULL, NULL, &knowledge, E));
    REFUSED(wend_knowledge_create(world, NULL, NULL, E));
    REFUSED(wend_knowledge_create(world, &empty, &knowledge, E));
    of.radius = WEND_MAX_RADIUS + 1;
    REFUSED(wend_knowledge_create(world, &of, &knowledge, E));
    of = wend_default_knowledge_options(), of.believed = other;
    REFUSED(wend_knowledge_create(world, &of, &knowledge, E));
    RIGHT(wend_knowledge_create(world, NULL, &knowledge, E));
    for (size_t i = 0; i < TEST_FAR; i++) GIVES(wend_knowledge_seen(knowledge, test_far_cells[i]), false);
    RETURNS((wend_knowledge_forget(knowledge), wend_knowledge_bytes(knowledge),
             wend_knowledge_changes(knowledge), 0));
    GIVES(wend_map_cells(wend_knowledge_map(knowledge)), TEST_MISUSE_CELLS);
    RETURNS((wend_world_options_init(NULL, 4), wend_knowledge_options_init(NULL, 4), 0));
    wend_knowledge_destroy(knowledge);
    wend_world_destroy(world);
    wend_world_destroy(editable);
    RETURNS((wend_knowledge_destroy(NULL), wend_world_destroy(NULL), 0));
}

static void agents(const test_misuse *t) {
    wend_map *const map = t->map;
    const wend_settings *const astar = t->astar;
    const wend_settings *const cpd = t->cpd;
    const wend_settings *const lrta = t->lrta;
    const wend_db *const db = t->db;
    const wend_db *const homeless = t->homeless;

    wend_world *world = NULL;
    wend_agent *agent = NULL;
    wend_agent_options zeroed = {0}, options = wend_default_agent_options();
    RIGHT(wend_world_create(map, NULL, &world, E));
    REFUSED(wend_agent_create(NULL, astar, NULL, &agent, E));
    REFUSED(wend_agent_create(world, NULL, NULL, &agent, E));
    REFUSED(wend_agent_create(world, astar, NULL, NULL, E));
    REFUSED(wend_agent_create(world, astar, &zeroed, &agent, E));
    options.db = homeless;
    REFUSED(wend_agent_create(world, cpd, &options, &agent, E));
    options.db = NULL;
    REFUSED(wend_agent_create(world, cpd, &options, &agent, E));
    options.goals = (wend_goal_rule)9;
    REFUSED(wend_agent_create(world, astar, &options, &agent, E));
    options.goals = WEND_GOAL_REFUSE;
    RETURNS((wend_agent_destroy(NULL), wend_agent_options_init(NULL, 4), 0));
    options.db = db;
    for (int i = 0; i < 3; i++) {
        const wend_settings *by = i == 0 ? astar : i == 1 ? cpd : lrta;
        RIGHT(wend_agent_create(world, by, i == 1 ? &options : NULL, &agent, E));
        /* Before there is a task. */
        GIVES(wend_agent_step(agent).outcome, WEND_STEP_IDLE);
        GIVES(wend_agent_plan(agent, UINT64_MAX), false);
        GIVES(wend_agent_move(agent).outcome, WEND_STEP_IDLE);
        REFUSED(wend_agent_set_goal(agent, 5, E));
        REFUSED(wend_agent_place(agent, 5, E));
        GIVES(wend_agent_value(agent, 0), WEND_NO_COST);
        GIVES(wend_agent_wanted(agent) == WEND_NO_CELL && !wend_agent_stranded(agent), true);
        RETURNS((wend_agent_cell(agent), wend_agent_goal(agent), wend_agent_subgoal(agent),
                 wend_agent_hash(agent), 0));
        GIVES(wend_agent_interval(agent, &(wend_interval){.expansions = 5}).outcome, WEND_STEP_IDLE);
        for (size_t j = 0; j < TEST_FAR; j++) {
            REFUSED(wend_agent_start(agent, test_far_cells[j], 0, E));
            REFUSED(wend_agent_start(agent, 0, test_far_cells[j], E));
        }
        REFUSED(wend_agent_start(agent, 33, 0, E));
        REFUSED(wend_agent_start(NULL, 0, 1, E));
        RIGHT(wend_agent_start(agent, 0, 79, E));
        for (size_t j = 0; j < TEST_FAR; j++) {
            REFUSED(wend_agent_set_goal(agent, test_far_cells[j], E));
            REFUSED(wend_agent_place(agent, test_far_cells[j], E));
            GIVES(wend_agent_value(agent, test_far_cells[j]), WEND_NO_COST);
        }
        REFUSED(wend_agent_set_goal(agent, 33, E));
        REFUSED(wend_agent_set_goal(NULL, 3, E));
        REFUSED(wend_agent_place(agent, 33, E));
        REFUSED(wend_agent_place(NULL, 3, E));
        GIVES(wend_agent_cell(agent) == 0 && wend_agent_goal(agent) == 79, true);
        GIVES(wend_agent_interval(agent, NULL).outcome, WEND_STEP_IDLE);
        GIVES(wend_agent_interval(agent, &(wend_interval){0}).outcome, WEND_STEP_IDLE);
        RETURNS(
            (wend_agent_bound(agent, 0), wend_agent_bound(agent, UINT64_MAX), wend_agent_budget(agent), 0));
        RETURNS((wend_agent_watch(agent, NULL), wend_agent_starved(agent), wend_agent_bytes(agent), 0));
        GIVES(wend_agent_counters(agent).moves, 0);
        /* What is for a planner's own functions, from outside. */
        GIVES(wend_agent_allocate(agent, 1, 1), NULL);
        RETURNS(
            (wend_agent_free(agent, NULL, 1, 1), wend_agent_count(agent, 0, 0), wend_agent_state(agent), 0));
        GIVES(wend_agent_context(agent) == NULL && wend_agent_knows_truth(agent) && wend_agent_map(agent),
              true);
        GIVES(wend_agent_map_changes(agent), false);
        RETURNS((wend_agent_end(agent, WEND_STEP_OUT_OF_MEMORY), 0));
        RIGHT(wend_agent_start(agent, 0, 79, E));
        wend_outcome outcome = WEND_STEP_WAITING;
        for (int step = 0; step < 1000 && outcome <= WEND_STEP_WAITING; step++)
            outcome = wend_agent_step(agent).outcome;
        GIVES(outcome, WEND_STEP_ARRIVED);
        wend_agent_destroy(agent);
    }
    wend_world_destroy(world);
}

static void fleets(const test_misuse *t) {
    wend_map *const map = t->map;
    const wend_settings *const astar = t->astar;
    const wend_settings *const cpd = t->cpd;

    wend_fleet *fleet = NULL;
    wend_fleet_options zeroed = {0}, options = wend_default_fleet_options();
    wend_squad_options empty = {0}, of = wend_default_squad_options();
    wend_member member = 0, gone = 0;
    wend_member_info info;
    wend_event event;
    uint32_t squad = 0;
    REFUSED(wend_fleet_create(NULL, NULL, &fleet, E));
    REFUSED(wend_fleet_create(map, NULL, NULL, E));
    REFUSED(wend_fleet_create(map, &zeroed, &fleet, E));
#define BAD_OPTION(field, value)                                                                             \
    options = wend_default_fleet_options(), options.field = (value);                                         \
    REFUSED(wend_fleet_create(map, &options, &fleet, E))
    BAD_OPTION(max_members, 0);
    BAD_OPTION(max_members, WEND_MAX_MEMBERS + 1);
    BAD_OPTION(max_events, 0);
    BAD_OPTION(budget, 0);
    BAD_OPTION(lanes, 0);
    BAD_OPTION(lanes, WEND_MAX_LANES + 1);
    BAD_OPTION(max_body, 0);
    BAD_OPTION(max_body, WEND_MAX_BODY + 1);
    BAD_OPTION(settle, 0);
    options = wend_default_fleet_options(), options.max_members = 2;
    RIGHT(wend_fleet_create(map, &options, &fleet, E));
    for (int32_t body = -1; body < 4; body += 2) {
        if (body == 1) continue;
        GIVES(wend_fleet_map(fleet, body) == NULL && wend_fleet_base(fleet, body) == NULL, true);
        GIVES(wend_fleet_world(fleet, body), NULL);
        GIVES(wend_fleet_reaches(fleet, body, 0, 1), WEND_ANSWER_UNKNOWN);
        GIVES(wend_fleet_reaches_without(fleet, body, (wend_rect){1, 1, 1, 1}, 0, 1), WEND_ANSWER_UNKNOWN);
        of.body = body;
        REFUSED(wend_fleet_add_squad(fleet, astar, &of, &squad, E));
    }
    of = wend_default_squad_options();
    REFUSED(wend_fleet_add_squad(NULL, astar, &of, &squad, E));
    REFUSED(wend_fleet_add_squad(fleet, NULL, &of, &squad, E));
    REFUSED(wend_fleet_add_squad(fleet, astar, &of, NULL, E));
    REFUSED(wend_fleet_add_squad(fleet, astar, &empty, &squad, E));
    REFUSED(wend_fleet_add_squad(fleet, cpd, &of, &squad, E));
    REFUSED(wend_fleet_add(fleet, 0, 5, &member, E)); /* there is no squad yet */
    GIVES(wend_fleet_repair(fleet, 0) == NULL && wend_fleet_squad_bytes(fleet, 99) == 0, true);
    RETURNS(wend_fleet_tick(fleet));
    RIGHT(wend_fleet_add_squad(fleet, astar, NULL, &squad, E));
    REFUSED(wend_fleet_add(NULL, squad, 5, &member, E));
    REFUSED(wend_fleet_add(fleet, squad, 5, NULL, E));
    REFUSED(wend_fleet_add(fleet, 77, 5, &member, E));
    REFUSED(wend_fleet_add(fleet, squad, 33, &member, E));
    for (size_t i = 0; i < TEST_FAR; i++)
        REFUSED(wend_fleet_add(fleet, squad, test_far_cells[i], &member, E));
    RIGHT(wend_fleet_add(fleet, squad, 5, &gone, E));
    RIGHT(wend_fleet_remove(fleet, gone, E));
    RIGHT(wend_fleet_add(fleet, squad, 5, &member, E));
    const wend_member nobody[] = {WEND_NO_MEMBER, gone, member + 1, UINT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        REFUSED(wend_fleet_remove(fleet, nobody[i], E));
        REFUSED(wend_fleet_request(fleet, nobody[i], 6, NULL, E));
        REFUSED(wend_fleet_cancel(fleet, nobody[i], E));
        REFUSED(wend_fleet_set_user(fleet, nobody[i], 5, E));
        REFUSED(wend_fleet_place(fleet, nobody[i], 6, E));
        GIVES(wend_fleet_member(fleet, nobody[i], &info), false);
    }
    REFUSED(wend_fleet_remove(NULL, member, E));
    REFUSED(wend_fleet_request(NULL, member, 6, NULL, E));
    REFUSED(wend_fleet_request(fleet, member, 33, NULL, E));
    REFUSED(wend_fleet_cancel(NULL, member, E));
    REFUSED(wend_fleet_set_user(NULL, member, 5, E));
    REFUSED(wend_fleet_place(NULL, member, 6, E));
    REFUSED(wend_fleet_place(fleet, member, 33, E));
    for (size_t i = 0; i < TEST_FAR; i++) {
        REFUSED(wend_fleet_request(fleet, member, test_far_cells[i], NULL, E));
        REFUSED(wend_fleet_place(fleet, member, test_far_cells[i], E));
    }
    REFUSED(wend_fleet_edit(NULL, (wend_rect){0, 0, 1, 1}, true, E));
    REFUSED(wend_fleet_edit(fleet, (wend_rect){0, 0, 1, 1}, true, E)); /* not editable */
    REFUSED(wend_fleet_set_budget(NULL, 1000000, E));
    REFUSED(wend_fleet_set_budget(fleet, 0, E));
    REFUSED(wend_fleet_set_budget(fleet, wend_fleet_min_budget(fleet) - 1, E));
    RIGHT(wend_fleet_add(fleet, squad, 5, &gone, E));
    REFUSED(wend_fleet_add(fleet, squad, 5, &gone, E)); /* it has two */
    RETURNS(
        (wend_fleet_set_tasks(fleet, (wend_tasks){0}), wend_fleet_turns(fleet), wend_fleet_bytes(fleet), 0));
    GIVES(wend_fleet_at(fleet, UINT32_MAX) == WEND_NO_MEMBER && wend_fleet_count(fleet) == 2, true);
    RIGHT(wend_fleet_request(fleet, member, 79, NULL, E));
    uint64_t before = wend_fleet_hash(fleet);
    for (int tick = 0; tick < 50; tick++) (void)wend_fleet_tick(fleet);
    GIVES(wend_fleet_member(fleet, member, &info) && info.cell == 79 && before != wend_fleet_hash(fleet),
          true);
    uint32_t moved = 7;
    GIVES(wend_fleet_moved(fleet, &moved) == NULL && moved == 0, true); /* it was not made for that */
    while (wend_fleet_event(fleet, &event)) {
    }
    GIVES(wend_fleet_event(fleet, &event), false);
    RETURNS(
        (wend_fleet_options_init(NULL, 4), wend_squad_options_init(NULL, 4), wend_fleet_destroy(NULL), 0));
    wend_fleet_destroy(fleet);
}

static void calls_refuse_what_they_must(void) {
    static const test_misuse_group groups[] = {{"settings", settings}, {"databases", databases},
                                               {"repairs", repairs},   {"worlds", worlds},
                                               {"agents", agents},     {"fleets", fleets}};
    test_misuse_run(groups, sizeof groups / sizeof *groups);
}

static const test tests[] = {
    {"calls refuse what they must", calls_refuse_what_they_must},
};
TEST_MAIN(tests)
