/* Fleet members with an atlas: those that wait for a query, those whose next moves are known, and teams. */
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/settings.h"
#include "world/fleet.h"

#include <wend/wend.h>

/* Members of `atlas` say that they wait for a query, as others do for a workspace, and still arrive. */
static void atlas_members_starve_aloud(void) {
    enum { MEMBERS = 20 };
    test_random random = {3};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 60, 45, wend_default_rules(), &random, NULL);
    for (int i = 0; i < 4; i++) {
        const bool scarce = i % 2, editable = i / 2;
        wend_fleet_options options = wend_default_fleet_options();
        options.lanes = 1, options.workspaces = scarce ? 1 : MEMBERS, options.editable = editable;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_db *db = test_db_build(wend_fleet_base(fleet, 1), "atlas", 1);
        wend_squad_options squad = wend_default_squad_options();
        squad.agent.db = db;
        uint32_t number, told = 0, ended = 0;
        uint64_t starved = 0;
        wend_member member;
        CHECK(test_fleet_squad(fleet, "atlas:db=-", &squad, &number) == WEND_OK);
        if (editable) CHECK(wend_fleet_edit(fleet, (wend_rect){20, 3, 2, 40}, false, NULL) == WEND_OK);
        for (uint32_t j = 0; j < MEMBERS; j++) {
            wend_cell from = test_open_cell(wend_fleet_map(fleet, 1), &random),
                      to = test_open_cell(wend_fleet_map(fleet, 1), &random);
            CHECK(wend_fleet_add(fleet, number, from, &member, NULL) == WEND_OK);
            CHECK(wend_fleet_request(fleet, member, to, NULL, NULL) == WEND_OK);
        }
        for (int tick = 0; tick < 3000; tick++) {
            wend_tick made = wend_fleet_tick(fleet);
            starved += made.starved;
            CHECK(made.active <= made.moves + made.thinking + made.starved + made.arrived + made.unreachable);
        }
        for (wend_event event; wend_fleet_event(fleet, &event);) {
            told += event.kind == WEND_EVENT_STARVED;
            ended += event.kind == WEND_EVENT_ARRIVED || event.kind == WEND_EVENT_UNREACHABLE;
        }
        CHECK_THAT(ended == MEMBERS && (scarce ? told && starved >= told : !told && !starved),
                   "case %d: %u ended, %u heard, %llu starved", i, ended, told, (unsigned long long)starved);
        wend_fleet_destroy(fleet);
        wend_db_close(db);
        test_case();
    }
    wend_map_destroy(map);
}

/* Members of `atlas` whose next moves are known are moved apart from their agents: they are where an agent of
 * their own would be, in every tick, whatever they are asked meanwhile. */
static void strides_lead_where_steps_do(void) {
    enum { MEMBERS = 24, TICKS = 600 };
    test_random random = {8};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 300, 200, wend_default_rules(), &random, NULL);
    wend_world_options world_options = wend_default_world_options();
    world_options.workspaces = MEMBERS;
    const char *const kinds[] = {"atlas", "atlas:exact=yes"};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        wend_fleet_options options = wend_default_fleet_options();
        options.lanes = 2, options.workspaces = 2 * MEMBERS;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_db *db = test_db_build(map, kinds[kind], 1);
        wend_squad_options squad = wend_default_squad_options();
        wend_world *world = NULL;
        wend_agent *agents[MEMBERS] = {0};
        wend_member members[MEMBERS];
        const wend_settings *settings = NULL;
        uint32_t number;
        uint64_t most = 0, strides = 0;
        squad.agent.db = db;
        CHECK(test_settings_parse("atlas:db=-", &settings, NULL) == WEND_OK);
        CHECK(wend_world_create(map, &world_options, &world, NULL) == WEND_OK);
        CHECK(test_fleet_squad(fleet, "atlas:db=-", &squad, &number) == WEND_OK);
        for (uint32_t i = 0; i < MEMBERS; i++) {
            wend_cell from = test_open_cell(map, &random);
            CHECK(wend_fleet_add(fleet, number, from, &members[i], NULL) == WEND_OK);
            CHECK(wend_agent_create(world, settings, &squad.agent, &agents[i], NULL) == WEND_OK);
            CHECK(wend_agent_start(agents[i], from, from, NULL) == WEND_OK);
        }
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            for (uint32_t i = 0; i < MEMBERS; i++) {
                wend_member_info info = {0};
                wend_cell cell = test_open_cell(map, &random);
                uint32_t what = tick ? test_below(&random, 60) : 0;
                CHECK(wend_fleet_member(fleet, members[i], &info));
                if (what == 0) {
                    CHECK(wend_fleet_request(fleet, members[i], cell, NULL, NULL) == WEND_OK);
                    CHECK(wend_agent_set_goal(agents[i], cell, NULL) == WEND_OK);
                } else if (what == 1 && info.doing != WEND_DOING_NOTHING) {
                    CHECK(wend_fleet_place(fleet, members[i], cell, NULL) == WEND_OK);
                    CHECK(wend_agent_place(agents[i], cell, NULL) == WEND_OK);
                } else if (what == 2) {
                    CHECK(wend_fleet_cancel(fleet, members[i], NULL) == WEND_OK);
                    CHECK(wend_agent_set_goal(agents[i], wend_agent_cell(agents[i]), NULL) == WEND_OK);
                }
            }
            wend_tick made = wend_fleet_tick(fleet);
            for (uint32_t i = 0; i < MEMBERS; i++) {
                wend_member_info info = {0};
                (void)wend_agent_step(agents[i]);
                CHECK_THAT(wend_fleet_member(fleet, members[i], &info) &&
                               info.cell == wend_agent_cell(agents[i]) &&
                               (info.doing == WEND_DOING_NOTHING || info.stepped == made.tick),
                           "%s, tick %u: member %u is at %u, the agent at %u", kinds[kind], tick, i,
                           info.cell, wend_agent_cell(agents[i]));
            }
            for (uint32_t lane = 0; lane < options.lanes; lane++) strides += fleet->lanes[lane].stride_count;
            most += made.active;
        }
        CHECK_THAT(strides > most / 3, "%s: %llu of %llu moves were known before", kinds[kind],
                   (unsigned long long)strides, (unsigned long long)most);
        for (uint32_t i = 0; i < MEMBERS; i++) {
            CHECK(wend_fleet_remove(fleet, members[i], NULL) == WEND_OK);
            wend_agent_destroy(agents[i]);
        }
        (void)wend_fleet_tick(fleet);
        CHECK(!fleet->lanes[0].stride_count && !fleet->lanes[0].count && !fleet->lanes[0].members);
        wend_world_destroy(world);
        wend_fleet_destroy(fleet);
        wend_db_close(db);
        test_case();
    }
    wend_map_destroy(map);
}

/* When the budget becomes too small for all strides beside a step, everyone is in the queue again, and all
 * arrive in the end. */
static void strides_keep_to_the_budget(void) {
    enum { MEMBERS = 400 };
    test_random random = {9};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 150, 150, wend_default_rules(), &random, NULL);
    wend_db *db = test_db_build(map, "atlas", 1);
    wend_fleet_options options = wend_default_fleet_options();
    options.lanes = 1, options.workspaces = 8, options.budget = UINT64_C(1) << 40;
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    uint32_t number, ended = 0, landed = 0;
    wend_member member;
    squad.agent.db = db;
    CHECK(test_fleet_squad(fleet, "atlas:db=-", &squad, &number) == WEND_OK);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        CHECK(wend_fleet_add(fleet, number, test_open_cell(map, &random), &member, NULL) == WEND_OK);
        CHECK(wend_fleet_request(fleet, member, test_open_cell(map, &random), NULL, NULL) == WEND_OK);
    }
    const uint64_t least = wend_fleet_min_budget(fleet);
    for (uint32_t tick = 0; tick < 60000 && ended < MEMBERS; tick++) {
        uint64_t budget = tick % 40 < 20 ? options.budget : least + tick % 3 * 60;
        uint32_t before = fleet->lanes[0].stride_count;
        uint64_t busy = 0;
        for (uint32_t i = 0; i < MEMBERS; i++) busy += fleet->seats[i].doing != WEND_DOING_NOTHING;
        CHECK(wend_fleet_set_budget(fleet, budget, NULL) == WEND_OK);
        wend_tick made = wend_fleet_tick(fleet);
        CHECK(made.operations <= budget);
        uint64_t told = made.moves + made.thinking + made.starved + made.postponed;
        CHECK(made.active == busy && told <= busy && busy <= told + made.arrived + made.unreachable);
        landed += before && !fleet->lanes[0].stride_count;
        for (wend_event event; wend_fleet_event(fleet, &event);)
            ended += event.kind == WEND_EVENT_ARRIVED || event.kind == WEND_EVENT_UNREACHABLE;
    }
    CHECK_THAT(ended == MEMBERS && landed, "%u of %u have ended, %u times all were in the queue", ended,
               MEMBERS, landed);
    wend_fleet_destroy(fleet);
    wend_db_close(db);
    wend_map_destroy(map);
    test_case();
}

/* A team that knows nothing at first, with an atlas of open ground: those who come later find that others
 * have seen walls, and are taken in all the same. */
static void teams_with_an_atlas(void) {
    enum { MEMBERS = 16 };
    test_random random = {12};
    wend_map *truth = test_map_make(TEST_SHAPE_ROOMS, 40, 40, wend_default_rules(), &random, NULL),
             *open = test_map_make(TEST_SHAPE_OPEN, 40, 40, wend_default_rules(), &random, NULL);
    wend_fleet_options options = wend_default_fleet_options();
    options.lanes = 1, options.workspaces = 4, options.budget = UINT64_C(1) << 40;
    wend_fleet *fleet = test_fleet_make(truth, &options);
    wend_db *db = test_db_build(open, "atlas:sector=8", 1);
    wend_knowledge_options knowing = wend_default_knowledge_options();
    wend_knowledge *knowledge = NULL;
    wend_squad_options squad = wend_default_squad_options();
    uint32_t number, ended = 0;
    wend_member members[MEMBERS];
    CHECK(wend_knowledge_create(wend_fleet_world(fleet, 1), &knowing, &knowledge, NULL) == WEND_OK);
    squad.agent.db = db, squad.agent.knowledge = knowledge;
    CHECK(test_fleet_squad(fleet, "atlas:db=-", &squad, &number) == WEND_OK);
    for (uint32_t i = 0, tick = 0; tick < 6000; tick++) {
        if (tick % 10 == 0 && i < MEMBERS) {
            CHECK(wend_fleet_add(fleet, number, test_open_cell(truth, &random), &members[i], NULL) ==
                  WEND_OK);
            (void)wend_fleet_request(fleet, members[i++], test_open_cell(truth, &random), NULL, NULL);
        }
        (void)wend_fleet_tick(fleet);
    }
    for (wend_event event; wend_fleet_event(fleet, &event);)
        ended += event.kind == WEND_EVENT_ARRIVED || event.kind == WEND_EVENT_UNREACHABLE;
    CHECK_THAT(ended == MEMBERS && wend_knowledge_changes(knowledge), "%u of %u have ended", ended, MEMBERS);
    wend_fleet_destroy(fleet);
    wend_knowledge_destroy(knowledge);
    wend_db_close(db);
    wend_map_destroy(open);
    wend_map_destroy(truth);
    test_case();
}

/* A member that is cancelled gives back what it has borrowed, also where a wall has been built on it. */
static void cancelled_ones_keep_nothing(void) {
    test_random random = {4};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 120, 120, wend_default_rules(), &random, NULL);
    wend_db *db = test_db_build(map, "atlas:sector=8", 1);
    for (uint32_t ticks = 1; CHECK(db) && ticks < 9; ticks++) {
        wend_fleet_options options = wend_default_fleet_options();
        options.lanes = options.workspaces = 1, options.editable = true;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_squad_options squad = wend_default_squad_options();
        squad.agent.db = db;
        uint32_t number;
        wend_member members[2];
        wend_member_info info = {0};
        CHECK(test_fleet_squad(fleet, "atlas:db=-", &squad, &number) == WEND_OK);
        for (uint32_t i = 0; i < 2; i++) {
            wend_cell from = test_open_cell(map, &random), to = test_open_cell(map, &random);
            CHECK(wend_fleet_add(fleet, number, from, &members[i], NULL) == WEND_OK);
            if (i && CHECK(wend_fleet_member(fleet, members[0], &info))) {
                wend_xy at = wend_map_xy(map, info.cell);
                CHECK(wend_fleet_edit(fleet, (wend_rect){at.x, at.y, 1, 1}, false, NULL) == WEND_OK);
                CHECK(wend_fleet_cancel(fleet, members[0], NULL) == WEND_OK);
            }
            if (wend_map_is_open_cell(wend_fleet_map(fleet, 1), to))
                CHECK(wend_fleet_request(fleet, members[i], to, NULL, NULL) == WEND_OK);
            for (uint32_t tick = 0; tick < (i ? 2000 : ticks); tick++) (void)wend_fleet_tick(fleet);
        }
        CHECK_THAT(wend_fleet_member(fleet, members[1], &info) && info.doing == WEND_DOING_NOTHING,
                   "cancelled after %u ticks: the other one waits", ticks);
        wend_fleet_destroy(fleet);
        test_case();
    }
    wend_db_close(db);
    wend_map_destroy(map);
}

/* Queries of one atlas are free while many wait for one of another: who needs the former does not wait with
 * them. Exact ones have a query for longer. */
static void queries_of_two_atlases(void) {
    enum { OTHERS = 10, SIDE = 160 };
    test_random random = {5};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, SIDE, SIDE, wend_default_rules(), &random, NULL);
    for (uint32_t i = 0; i < SIDE * SIDE / 6; i++) {
        int32_t x = (int32_t)test_below(&random, SIDE), y = (int32_t)test_below(&random, SIDE);
        CHECK(wend_map_edit(map, (wend_rect){x, y, 1, 1}, false, NULL) == WEND_OK);
    }
    uint64_t last[2] = {0, 0}; /* ticks */
    wend_db *exact = test_db_build(map, "atlas:exact=yes", 1),
            *plain = test_db_build(map, "atlas:sector=16", 1);
    for (uint32_t before = 0; before < 2 && CHECK(exact && plain); before++) {
        wend_fleet_options options = wend_default_fleet_options();
        options.lanes = 1, options.workspaces = 1;
        wend_fleet *fleet = test_fleet_make(map, &options);
        uint32_t squads[2], ended = 0, count = before * 60 + OTHERS;
        for (uint32_t i = 0; i < 2; i++) {
            wend_squad_options squad = wend_default_squad_options();
            squad.agent.db = i ? plain : exact;
            CHECK(test_fleet_squad(fleet, "atlas:db=-", &squad, &squads[i]) == WEND_OK);
        }
        test_random cells = {9};
        wend_member members[OTHERS] = {0};
        for (uint32_t i = count; i-- > 0;) {
            wend_member member;
            wend_cell from = test_open_cell(map, &cells), to = test_open_cell(map, &cells);
            bool other = i < OTHERS;
            CHECK(wend_fleet_add(fleet, squads[other], from, &member, NULL) == WEND_OK);
            CHECK(wend_fleet_request(fleet, member, to, NULL, NULL) == WEND_OK);
            if (other) members[i] = member;
        }
        for (uint64_t tick = 1; tick < 4000; tick++) {
            (void)wend_fleet_tick(fleet);
            for (wend_event event; wend_fleet_event(fleet, &event);) {
                if (event.kind != WEND_EVENT_ARRIVED && event.kind != WEND_EVENT_UNREACHABLE) continue;
                ended++;
                for (uint32_t i = 0; i < OTHERS; i++)
                    if (members[i] == event.member) last[before] = tick;
            }
        }
        CHECK_THAT(ended == count, "%u of %u", ended, count);
        wend_fleet_destroy(fleet);
        test_case();
    }
    CHECK_THAT(last[1] < last[0] + last[0] / 2, "tick %llu, and %llu after others",
               (unsigned long long)last[0], (unsigned long long)last[1]);
    test_case();
    wend_db_close(exact);
    wend_db_close(plain);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"atlas members starve aloud", atlas_members_starve_aloud},
    {"strides lead where steps do", strides_lead_where_steps_do},
    {"strides keep to the budget", strides_keep_to_the_budget},
    {"teams with an atlas", teams_with_an_atlas},
    {"cancelled ones keep nothing", cancelled_ones_keep_nothing},
    {"queries of two atlases", queries_of_two_atlases},
};
TEST_MAIN(tests)
