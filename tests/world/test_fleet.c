/* Fleets: mixed planners, sizes and goals for thousands of ticks (support/agents/fleets.c checks each of them), the
 * same for any number of workers, with what must be refused, and what memory they take. */
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/databases.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const test_squad known[] = {
    {"cpd:db=-", "cpd", 1, 0},
    {"cpd:db=-", "cpd", 2, 0},
    {"quadtree:db=-", "quadtree", 1, 0},
    {"quadtree:db=-", "quadtree", 2, 0},
    {"upd:db=-", "upd", 3, 0},
    {"knn:db=-", "knn:records=200", 1, 0},
    {"knn:db=-,fallback=tba", "knn:records=50", 3, 0},
    {"atlas:db=-", "atlas", 1, 0},
    {"atlas:db=-", "atlas", 2, 0},
    {"dlrta:db=-", "dlrta:level=2", 1, 0},
    {"subgoal-tree:db=-", "subgoal-tree", 1, 0},
    {"lrta", NULL, 4, 0},
    {"rtaa:k=7", NULL, 2, 0},
    {"tba:k=9", NULL, 1, 0},
    {"astar", NULL, 3, 0},
    {"astar:k=5", NULL, 1, 0},
    {"jps", NULL, 2, 0},
    {"jps:k=3", NULL, 1, 0},
    {"corners:db=-", "corners", 1, 0},
    {"corners:db=-,k=3", "corners", 2, 0},
    {"knn2009:db=-", "knn2009:records=100", 1, 0},
};

static const test_squad changing[] = {
    {"lrta:d=2", NULL, 1, 0},
    {"lss-lrta:k=6", NULL, 2, 0},
    {"dartaa:k=5", NULL, 3, 0},
    {"tba:k=12", NULL, 1, 0},
    {"tbaa:k=8", NULL, 2, 0},
    {"rtba:k=4", NULL, 4, 0},
    {"dstar-lite", NULL, 1, 0},
    {"dstar-lite:k=3", NULL, 2, 0},
    {"repeated-astar:k=20", NULL, 3, 0},
    {"adaptive-astar:k=30", NULL, 1, 0},
    {"jps:k=20", NULL, 1, 0},
    {"corners:db=-,k=20", "corners", 2, 0},
    {"cpd:db=-", "cpd", 1, 0},
    {"cpd:db=-", "cpd", 2, 0},
    {"atlas:db=-", "atlas", 1, 0},
    {"atlas:db=-", "atlas", 2, 0},
    {"knn:db=-", "knn:records=200", 1, 0},
    {"knn:db=-,fallback=tba", "knn:records=50", 2, 0},
    {"knn2009:db=-", "knn2009:records=100", 1, 0},
    {"dlrta:db=-", "dlrta:level=2", 1, 0},
    {"subgoal-tree:db=-", "subgoal-tree", 2, 0},
    {"lss-lrta:db=-", "subgoal-tree", 1, 0},
};

static const test_squad teams[] = {
    {"tbaa:k=8", NULL, 1, 1},  {"lss-lrta:k=6", NULL, 1, 1}, {"dstar-lite:k=9", NULL, 1, 2},
    {"tbaa:k=20", NULL, 2, 3}, {"lrta", NULL, 2, 3},         {"tba:k=5", NULL, 1, 0},
};

static const test_squad searchers[] = {
    {"astar:k=100", NULL, 1, 0}, {"tba:k=100", NULL, 2, 0}, {"lrta", NULL, 1, 0}};

#define PLAN(list, ...)                                                                                      \
    (test_fleet_plan) {                                                                                      \
        .squads = (list), .squad_count = sizeof(list) / sizeof *(list), __VA_ARGS__                          \
    }

static test_shape shape_of(uint64_t number) {
    static const test_shape shapes[] = {TEST_SHAPE_ROOMS, TEST_SHAPE_SCATTERED, TEST_SHAPE_OPEN,
                                        TEST_SHAPE_HALVES, TEST_SHAPE_COMB};
    return shapes[number % (sizeof shapes / sizeof *shapes)];
}

static void known_maps(void) {
    for (uint64_t number = 1; number <= (test_full() ? 30 : test_some(10)); number++) {
        test_fleet_end end = test_fleet_live(&PLAN(known, .number = number, .width = 40, .height = 33,
                                                   .shape = shape_of(number), .ticks = 1000,
                                                   .workspaces = 1 + (uint32_t)number % 5, .lanes = 4));
        CHECK(end.moves && end.arrived && !end.postponed);
        CHECK(end.turns == 1 && end.longest == 0);
        test_case();
    }
}

static void maps_that_change(void) {
    uint64_t unreachable = 0;
    for (uint64_t number = 1; number <= (test_full() ? 40 : 8); number++) {
        test_fleet_end end = test_fleet_live(&PLAN(changing, .number = number, .width = 31, .height = 36,
                                                   .shape = shape_of(number), .editable = true, .ticks = 1000,
                                                   .workspaces = 5, .lanes = 3));
        CHECK(end.moves && end.arrived && end.edits);
        unreachable += end.unreachable;
        test_case();
    }
    CHECK(unreachable > 0);
    test_case();
}

static void unknown_maps(void) {
    for (uint64_t number = 1; number <= (test_full() ? 30 : test_some(10)); number++) {
        test_fleet_end end = test_fleet_live(&PLAN(teams, .number = number, .width = 40, .height = 25,
                                                   .shape = shape_of(number), .editable = number % 2,
                                                   .ticks = 1000, .workspaces = 6, .lanes = 5));
        CHECK(end.moves && end.arrived);
        test_case();
    }
}

/* Little budget: everyone is reported, nobody is dropped, and the wait is bounded (check_member). */
static void scarce_budgets(void) {
    uint64_t coasted = 0, postponed = 0, longest = 0;
    for (uint64_t number = 1; number <= (test_full() ? 30 : test_some(10)); number++) {
        test_fleet_end end = test_fleet_live(&PLAN(known, .number = number, .width = 40, .height = 33,
                                                   .shape = shape_of(number), .ticks = 1000, .workspaces = 6,
                                                   .lanes = 1, .budget = 14000));
        CHECK(end.moves && end.arrived && end.turns > 1);
        coasted += end.coasted, postponed += end.postponed, longest += end.longest;
        end = test_fleet_live(&PLAN(changing, .number = number, .width = 31, .height = 36,
                                    .shape = shape_of(number), .editable = true, .ticks = 1000,
                                    .workspaces = 12, .lanes = 1, .budget = 100000));
        CHECK(end.moves && end.arrived);
        end = test_fleet_live(&PLAN(searchers, .number = number, .width = 40, .height = 40,
                                    .shape = shape_of(number), .ticks = 1000, .workspaces = 24, .lanes = 1,
                                    .budget = 1300));
        coasted += end.coasted;
        test_case();
    }
    CHECK(coasted && postponed && longest);
    test_case();
}

/* One workspace for all that search: they hear so, and come to theirs one after another. */
static void scarce_workspaces(void) {
    uint32_t starved[3] = {0};
    for (uint64_t number = 1; number <= test_some(10); number++) {
        test_fleet_end end =
            test_fleet_live(&PLAN(searchers, .number = number, .width = 30, .height = 30,
                                  .shape = shape_of(number), .ticks = 1500, .workspaces = 1, .lanes = 4));
        CHECK(end.arrived);
        starved[0] += end.starved > 0;
        end = test_fleet_live(&PLAN(searchers, .number = number, .width = 30, .height = 30,
                                    .shape = shape_of(number), .ticks = 1500, .workspaces = 1, .lanes = 4,
                                    .patience = (uint32_t)number, .budget = number % 2 ? 0 : 4000));
        CHECK(end.arrived);
        starved[1] += end.starved > 0;
        end = test_fleet_live(&PLAN(changing, .number = number, .width = 31, .height = 36,
                                    .shape = shape_of(number), .editable = true, .ticks = 500,
                                    .workspaces = 2, .lanes = 2, .patience = 4));
        CHECK(end.arrived);
        starved[2] += end.starved > 0;
        test_case();
    }
    CHECK(starved[0] && starved[1] && starved[2]); /* on most maps */
}

static void same_for_any_workers(void) {
    for (uint64_t number = 1; number <= (test_full() ? 8 : test_some(3)); number++) {
        test_random random = {number};
        test_fleet_plan plans[] = {
            PLAN(known, .number = number, .width = 40, .height = 33, .shape = shape_of(number), .ticks = 200,
                 .workspaces = 4, .lanes = 8, .budget = number % 2 ? 90000 : 0),
            PLAN(changing, .number = number, .width = 31, .height = 36, .shape = shape_of(number),
                 .editable = true, .ticks = 200, .workspaces = 7, .lanes = 8),
            PLAN(teams, .number = number, .width = 31, .height = 36, .shape = shape_of(number),
                 .editable = true, .ticks = 200, .workspaces = 6, .lanes = 6),
            PLAN(changing, .number = number, .width = 31, .height = 36, .shape = shape_of(number),
                 .editable = true, .ticks = 200, .workspaces = 4, .lanes = 4, .patience = 3),
        };
        for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
            uint64_t hash = test_fleet_live(&plans[i]).hash;
            CHECK(test_fleet_live(&plans[i]).hash == hash);
            plans[i].tasks = test_shuffled_tasks(&random);
            CHECK(test_fleet_live(&plans[i]).hash == hash);
            for (uint32_t workers = 1; workers <= 8; workers += test_full() ? 1 : 3) {
                plans[i].tasks = shared_tasks((int)workers);
                CHECK_THAT(test_fleet_live(&plans[i]).hash == hash, "%u workers, plan %zu", workers, i);
            }
            plans[i].tasks = (wend_tasks){0};
            plans[i].number++;
            CHECK(test_fleet_live(&plans[i]).hash != hash);
            test_case();
        }
    }
}

/* Single things ------------------------------------------------------------------------------------------ */

static wend_map *open_map(int32_t side) {
    test_random random = {1};
    return test_map_make(TEST_SHAPE_OPEN, side, side, wend_default_rules(), &random, NULL);
}

static void bad_options_are_refused(void) {
    wend_map *map = open_map(10);
    wend_fleet *fleet;
    for (int i = 0; i < 11; i++) {
        wend_fleet_options options = wend_default_fleet_options();
        if (i == 1) options.struct_size = 0;
        if (i == 2) options.max_members = 0;
        if (i == 3) options.max_members = WEND_MAX_MEMBERS + 1;
        if (i == 4) options.lanes = 0;
        if (i == 5) options.lanes = WEND_MAX_LANES + 1;
        if (i == 6) options.max_events = 0;
        if (i == 7) options.budget = 0;
        if (i == 8) options.max_body = 0;
        if (i == 9) options.max_body = WEND_MAX_BODY + 1;
        if (i == 10) options.settle = 0;
        wend_error error = {0};
        wend_status status = wend_fleet_create(map, &options, &fleet, &error);
        CHECK_THAT(status == (i ? WEND_STATUS_BAD_ARGUMENT : WEND_OK), "%d", i);
        CHECK(!fleet == !!i && !error.message[0] == !i);
        wend_fleet_destroy(fleet);
    }
    CHECK(wend_fleet_create(NULL, NULL, &fleet, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_fleet_options options = wend_default_fleet_options();
    fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    uint32_t number;
    CHECK(test_fleet_squad(fleet, "tba:trace=free", &squad, &number) == WEND_STATUS_UNSUPPORTED);
    CHECK(test_fleet_squad(fleet, "cpd:db=-", &squad, &number) == WEND_STATUS_BAD_ARGUMENT);
    squad.body = 2;
    CHECK(test_fleet_squad(fleet, "lrta", &squad, &number) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(!wend_fleet_map(fleet, 2) && !wend_fleet_map(fleet, 0) && wend_fleet_map(fleet, 1) == map);
    CHECK(wend_fleet_edit(fleet, (wend_rect){0, 0, 1, 1}, true, NULL) == WEND_STATUS_UNSUPPORTED);
    squad = (wend_squad_options){0};
    CHECK(test_fleet_squad(fleet, "lrta", &squad, &number) == WEND_STATUS_BAD_ARGUMENT);
    squad = wend_default_squad_options();
    CHECK(test_fleet_squad(fleet, "lrta", &squad, &number) == WEND_OK);
    wend_member member;
    CHECK(wend_fleet_add(fleet, number + 1, 0, &member, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_fleet_add(fleet, number, 100, &member, NULL) == WEND_STATUS_OUTSIDE &&
          member == WEND_NO_MEMBER);
    wend_fleet_destroy(fleet);
    wend_map_destroy(map);
    test_case();
}

static void squads_beyond_the_last_are_refused(void) {
    wend_map *map = open_map(4);
    wend_fleet_options options = wend_default_fleet_options();
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    uint32_t number;
    for (uint32_t i = 0; i < WEND_MAX_SQUADS; i++)
        CHECK(test_fleet_squad(fleet, "lrta", &squad, &number) == WEND_OK && number == i);
    CHECK(test_fleet_squad(fleet, "lrta", &squad, &number) == WEND_STATUS_FULL);
    wend_fleet_destroy(fleet);
    wend_map_destroy(map);
    test_case();
}

static void full_and_poor_fleets_refuse_members(void) {
    wend_map *map = open_map(10);
    wend_fleet_options options = wend_default_fleet_options();
    options.max_members = 3, options.lanes = 2, options.budget = 2000;
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    uint32_t cheap, dear;
    wend_member members[4];
    wend_error error = {0};
    CHECK(test_fleet_squad(fleet, "lrta", &squad, &cheap) == WEND_OK);
    CHECK(test_fleet_squad(fleet, "rtaa:k=1000", &squad, &dear) == WEND_OK);
    CHECK(wend_fleet_add(fleet, dear, 5, &members[0], &error) == WEND_STATUS_TOO_SMALL);
    CHECK(strstr(error.message, "budget"));
    for (uint32_t i = 0; i < 3; i++) CHECK(wend_fleet_add(fleet, cheap, i, &members[i], NULL) == WEND_OK);
    CHECK(wend_fleet_add(fleet, cheap, 3, &members[3], &error) == WEND_STATUS_FULL);
    CHECK(strstr(error.message, "full"));
    for (uint32_t i = 0; i < 3; i++) CHECK(wend_fleet_request(fleet, members[i], 99, NULL, NULL) == WEND_OK);
    CHECK(wend_fleet_remove(fleet, members[1], NULL) == WEND_OK); /* still in a queue */
    CHECK(wend_fleet_add(fleet, cheap, 3, &members[3], NULL) == WEND_OK);
    CHECK(members[3] != members[1] && wend_fleet_count(fleet) == 3);
    uint64_t least = wend_fleet_min_budget(fleet);
    CHECK(wend_fleet_set_budget(fleet, least - 1, NULL) == WEND_STATUS_TOO_SMALL);
    CHECK(wend_fleet_set_budget(fleet, least, NULL) == WEND_OK);
    for (int i = 0; i < 100; i++) CHECK(wend_fleet_tick(fleet).operations <= least);
    wend_member_info info;
    CHECK(wend_fleet_member(fleet, members[0], &info) && info.cell == 99 && info.doing == WEND_DOING_NOTHING);
    wend_fleet_destroy(fleet);
    wend_map_destroy(map);
    test_case();
}

/* A ring that is too small loses events, and says how many and where. */
static void lost_events_are_counted(void) {
    wend_map *map = open_map(10);
    wend_fleet_options options = wend_default_fleet_options();
    options.max_events = 3;
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    uint32_t number;
    wend_member members[5];
    wend_event event;
    CHECK(test_fleet_squad(fleet, "lrta", &squad, &number) == WEND_OK);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(wend_fleet_add(fleet, number, i, &members[i], NULL) == WEND_OK);
        CHECK(wend_fleet_request(fleet, members[i], 55, NULL, NULL) == WEND_OK);
    }
    for (uint32_t i = 0; i < 3; i++)
        CHECK(wend_fleet_event(fleet, &event) && event.kind == WEND_EVENT_REQUESTED &&
              event.member == members[i]);
    CHECK(wend_fleet_cancel(fleet, members[0], NULL) == WEND_OK);
    CHECK(wend_fleet_event(fleet, &event) && event.kind == WEND_EVENT_LOST && event.count == 2);
    CHECK(wend_fleet_event(fleet, &event) && event.kind == WEND_EVENT_CANCELLED && event.request == 1);
    CHECK(!wend_fleet_event(fleet, &event));
    for (uint32_t i = 0; i < 5; i++) CHECK(wend_fleet_request(fleet, members[i], 56, NULL, NULL) == WEND_OK);
    uint64_t told = 0, lost = 0;
    while (wend_fleet_event(fleet, &event)) {
        told += event.kind != WEND_EVENT_LOST;
        lost += event.count;
    }
    CHECK(told == 3 && told + lost == 9); /* five requests, four of them in place of another */
    wend_fleet_destroy(fleet);
    wend_map_destroy(map);
    test_case();
}

static void cpd_members_are_small(void) {
    wend_map *map = open_map(30);
    wend_fleet_options options = wend_default_fleet_options();
    options.max_members = 5000;
    options.budget = UINT64_C(1) << 40;
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    wend_db *db = test_db_build(map, "cpd", 1);
    squad.agent.db = db;
    uint32_t number;
    wend_member member;
    CHECK(test_fleet_squad(fleet, "cpd:db=-", &squad, &number) == WEND_OK);
    for (uint32_t i = 0; i < 5000; i++) {
        CHECK(wend_fleet_add(fleet, number, i % 900, &member, NULL) == WEND_OK);
        if (i > 1000) CHECK(wend_fleet_squad_bytes(fleet, number) <= (size_t)64 * (i + 1));
        CHECK(wend_fleet_request(fleet, member, (i * 7 + 450) % 900, NULL, NULL) == WEND_OK);
    }
    uint64_t moves = 0;
    for (int i = 0; i < 40; i++) moves += wend_fleet_tick(fleet).moves;
    CHECK(moves > 5000 && wend_fleet_tick(fleet).active == 0);
    wend_fleet_destroy(fleet);
    wend_db_close(db);
    wend_map_destroy(map);
    test_case();
}

/* Many members, in several batches: each makes its own look-ups, whoever comes and goes. */
static void crowds_of_cpd(void) {
    enum { CROWD = 3000 };
    test_random random = {5};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 60, 45, wend_default_rules(), &random, NULL);
    wend_db *db = test_db_build(map, "cpd", 1);
    wend_fleet_options options = wend_default_fleet_options();
    options.max_members = CROWD, options.max_events = 8 * CROWD, options.budget = UINT64_C(1) << 40;
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    squad.agent.db = db;
    uint32_t number;
    static wend_member members[CROWD];
    static wend_cell cells[CROWD], goals[CROWD];
    CHECK(test_fleet_squad(fleet, "cpd:db=-", &squad, &number) == WEND_OK);
    uint64_t wrong = 0, arrived = 0, lost = 0;
    for (int tick = 0; tick < (test_full() ? 2000 : 400); tick++) {
        /* A tick in between with a budget for some alone. */
        bool partial = tick % 150 > 140;
        CHECK(wend_fleet_set_budget(fleet, partial ? 33 * CROWD / 2 : UINT64_C(1) << 40, NULL) == WEND_OK);
        for (int i = 0; i < (tick ? 20 : CROWD); i++) {
            uint32_t who = tick ? test_below(&random, CROWD) : (uint32_t)i;
            if (tick) CHECK(wend_fleet_remove(fleet, members[who], NULL) == WEND_OK);
            cells[who] = goals[who] = test_open_cell(map, &random);
            CHECK(wend_fleet_add(fleet, number, cells[who], &members[who], NULL) == WEND_OK);
        }
        for (uint32_t i = 0; i < CROWD; i++) {
            if (cells[i] != goals[i] || test_below(&random, 8) == 0) continue;
            goals[i] = test_open_cell(map, &random);
            CHECK(wend_fleet_request(fleet, members[i], goals[i], NULL, NULL) == WEND_OK);
            if (wend_cpd_move(db, cells[i], goals[i]) == WEND_CPD_NO_WAY) goals[i] = cells[i];
        }
        wend_tick made = wend_fleet_tick(fleet);
        uint64_t stood = 0, there = 0;
        for (uint32_t i = 0; i < CROWD; i++) {
            wend_member_info info;
            if (!CHECK(wend_fleet_member(fleet, members[i], &info))) continue;
            wend_direction move = wend_cpd_move(db, cells[i], goals[i]);
            wend_cell next = move < WEND_DIRECTIONS ? wend_map_next(map, cells[i], move) : cells[i];
            bool stands = partial && info.cell == cells[i];
            wrong += !stands && info.cell != next;
            stood += stands && info.cell != next;
            there += info.cell != cells[i] && info.cell == goals[i];
            CHECK((info.doing == WEND_DOING_NOTHING) == (info.cell == goals[i]));
            cells[i] = info.cell;
        }
        CHECK(made.postponed == stood && (partial || !stood));
        CHECK_THAT(made.arrived == there, "tick %d: %llu arrivals reported, %llu seen", tick,
                   (unsigned long long)made.arrived, (unsigned long long)there);
        arrived += made.arrived;
        for (wend_event event; wend_fleet_event(fleet, &event);) lost += event.kind == WEND_EVENT_LOST;
    }
    CHECK_THAT(!wrong && !lost && arrived > CROWD, "%llu wrong, %llu lost, %llu arrived",
               (unsigned long long)wrong, (unsigned long long)lost, (unsigned long long)arrived);
    wend_fleet_destroy(fleet);
    wend_db_close(db);
    wend_map_destroy(map);
    test_case();
}

/* All at once: everyone of several batches arrives in the same tick, and that is reported in order. */
static void crowds_that_arrive(void) {
    enum { CROWD = 4500 };
    wend_map *map = open_map(30);
    wend_db *db = test_db_build(map, "cpd", 1);
    wend_fleet_options options = wend_default_fleet_options();
    options.max_members = CROWD, options.max_events = 4 * CROWD, options.budget = UINT64_C(1) << 40;
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_squad_options squad = wend_default_squad_options();
    squad.agent.db = db;
    uint32_t number, arrived = 0;
    static wend_member members[CROWD];
    CHECK(test_fleet_squad(fleet, "cpd:db=-", &squad, &number) == WEND_OK);
    for (uint32_t i = 0; i < CROWD; i++)
        CHECK(wend_fleet_add(fleet, number, i % 899, &members[i], NULL) == WEND_OK);
    for (uint32_t i = 0; i < CROWD; i++)
        if (i % 30 < 29) CHECK(wend_fleet_request(fleet, members[i], i % 899 + 1, NULL, NULL) == WEND_OK);
    for (wend_event event; wend_fleet_event(fleet, &event);) continue;
    wend_tick made = wend_fleet_tick(fleet);
    /* Some goals are in the next row, at the other end of it. */
    uint32_t next = 0;
    for (wend_event event; wend_fleet_event(fleet, &event);) {
        while (next < CROWD && members[next] != event.member) next++;
        CHECK(event.kind == WEND_EVENT_ARRIVED && next < CROWD && event.cell == next % 899 + 1);
        arrived++;
    }
    CHECK(made.arrived == arrived && made.moves == CROWD - CROWD / 30 && arrived > CROWD - CROWD / 12);
    wend_fleet_destroy(fleet);
    wend_db_close(db);
    wend_map_destroy(map);
    test_case();
}

/* Whatever request for memory is refused, all calls say so and nothing is lost or leaks. */
static void without_memory(void) {
    wend_map *map = open_map(12);
    wend_db *db = test_db_build(map, "cpd", 1);
    for (uint64_t refuse = 1, done = 0; !done && refuse < 1000; refuse++) {
        test_memory memory = {.refuse_at = refuse};
        wend_fleet_options options = wend_default_fleet_options();
        options.allocator = test_allocator(&memory);
        options.max_body = 2, options.lanes = 2;
        wend_fleet *fleet = NULL;
        uint32_t squads[3];
        wend_member member;
        wend_status status = wend_fleet_create(map, &options, &fleet, NULL);
        wend_squad_options squad = wend_default_squad_options();
        const char *const planners[] = {"lrta", "tba", "cpd:db=-"};
        for (int i = 0; i < 3 && status == WEND_OK; i++) {
            squad.body = i ? 1 : 2;
            squad.agent.db = i == 2 ? db : NULL;
            status = test_fleet_squad(fleet, planners[i], &squad, &squads[i]);
            if (status == WEND_OK) status = wend_fleet_add(fleet, squads[i], 3, &member, NULL);
            if (status == WEND_OK) CHECK(wend_fleet_request(fleet, member, 40, NULL, NULL) == WEND_OK);
        }
        if (fleet)
            for (int i = 0; i < 30; i++) (void)wend_fleet_tick(fleet);
        CHECK(status == (memory.requests < refuse ? WEND_OK : WEND_STATUS_NO_MEMORY));
        done = memory.requests < refuse;
        wend_fleet_destroy(fleet);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
    }
    wend_db_close(db);
    wend_map_destroy(map);
    test_case();
}

/* The derived maps are those that cell by cell looking gives. */
static void maps_for_bodies(void) {
    for (uint64_t number = 0; number < 300; number++) {
        wend_map *map = test_map_any(number), *made = NULL;
        if (number % 10 == 0) { /* wide ones: rows of several words */
            test_random random = {number};
            wend_map_destroy(map);
            map = test_map_make(TEST_SHAPE_SCATTERED, 120 + (int32_t)number / 4, 7, wend_default_rules(),
                                &random, NULL);
        }
        for (int32_t body = 1; body <= WEND_MAX_BODY; body++) {
            test_grid grid = test_body_grid(map, body);
            if (!CHECK(wend_map_for_body(map, body, &made, NULL) == WEND_OK)) continue;
            uint32_t open = 0;
            for (wend_cell cell = 0; cell < grid.cells; cell++) {
                CHECK(wend_map_is_open_cell(made, cell) == grid.open[cell]);
                open += grid.open[cell];
            }
            CHECK(wend_map_open_cells(made) == open);
            if (body == 1) CHECK(wend_map_fingerprint(made) == wend_map_fingerprint(map));
            wend_map_destroy(made);
            test_grid_free(&grid);
        }
        CHECK(wend_map_for_body(map, 0, &made, NULL) == WEND_STATUS_BAD_ARGUMENT && !made);
        CHECK(wend_map_for_body(map, WEND_MAX_BODY + 1, &made, NULL) == WEND_STATUS_BAD_ARGUMENT);
        wend_map_destroy(map);
    }
    test_case();
}

/* Workspaces are had in the order in which they were asked for: with one, and a new goal for everyone who
 * arrives, no member has come twice more than another. */
static void nobody_overtakes(void) {
    wend_map *map = open_map(20);
    for (uint32_t lanes = 1; lanes <= 3; lanes++) {
        wend_fleet_options options = wend_default_fleet_options();
        options.lanes = lanes, options.workspaces = 1;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_squad_options squad = wend_default_squad_options();
        uint32_t number, arrivals[6] = {0}, least = UINT32_MAX, most = 0;
        wend_member members[6];
        test_random random = {lanes};
        CHECK(test_fleet_squad(fleet, "tba:k=50", &squad, &number) == WEND_OK);
        for (uint32_t i = 0; i < 6; i++) {
            CHECK(wend_fleet_add(fleet, number, i, &members[i], NULL) == WEND_OK);
            CHECK(wend_fleet_request(fleet, members[i], 399 - i, NULL, NULL) == WEND_OK);
        }
        for (int tick = 0; tick < 2000; tick++) {
            (void)wend_fleet_tick(fleet);
            for (wend_event event; wend_fleet_event(fleet, &event);) {
                if (event.kind != WEND_EVENT_ARRIVED) continue;
                uint32_t i = 0;
                while (members[i] != event.member) i++;
                arrivals[i]++;
                wend_cell goal = (event.cell + 1 + test_below(&random, 399)) % 400;
                CHECK(wend_fleet_request(fleet, members[i], goal, NULL, NULL) == WEND_OK);
            }
        }
        for (uint32_t i = 0; i < 6; i++) {
            if (arrivals[i] < least) least = arrivals[i];
            if (arrivals[i] > most) most = arrivals[i];
        }
        CHECK_THAT(least > 10 && most - least <= 1, "%u to %u arrivals", least, most);
        wend_fleet_destroy(fleet);
    }
    wend_map_destroy(map);
    test_case();
}

/* With as many workspaces of each kind as members that need one nobody waits, whoever else is there. */
static void a_workspace_each_is_enough(void) {
    enum { LANES = 8, EACH = 20, KINDS = 3 };
    static const char *const planners[KINDS] = {"tba:k=5", "dstar-lite:k=9", "tbaa:k=30"};
    wend_map *map = open_map(30);
    for (uint32_t round = 0; round < 20; round++) {
        test_random random = {round};
        wend_fleet_options options = wend_default_fleet_options();
        options.lanes = LANES, options.workspaces = EACH, options.budget = UINT64_C(1) << 40;
        options.editable = round % 2;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_squad_options squad = wend_default_squad_options();
        uint32_t numbers[KINDS + 1], left[KINDS] = {EACH, EACH, EACH};
        for (int i = 0; i < KINDS; i++)
            CHECK(test_fleet_squad(fleet, planners[i], &squad, &numbers[i]) == WEND_OK);
        CHECK(test_fleet_squad(fleet, "rtaa:k=100", &squad, &numbers[KINDS]) == WEND_OK);
        /* In any order, with expensive members between them that need no workspace and stand. */
        for (uint32_t all = KINDS * EACH; all;) {
            uint32_t kind = test_below(&random, KINDS + 1);
            wend_member member;
            if (kind < KINDS && !left[kind]) continue;
            CHECK(wend_fleet_add(fleet, numbers[kind], test_open_cell(map, &random), &member, NULL) ==
                  WEND_OK);
            if (kind == KINDS) continue;
            CHECK(wend_fleet_request(fleet, member, test_open_cell(map, &random), NULL, NULL) == WEND_OK);
            left[kind]--, all--;
        }
        uint64_t starved = 0, active = 1;
        for (int tick = 0; tick < 500 && active; tick++) {
            wend_tick made = wend_fleet_tick(fleet);
            starved += made.starved, active = made.active;
        }
        CHECK_THAT(!starved && !active, "round %u: %llu waits for workspaces, %llu still walk", round,
                   (unsigned long long)starved, (unsigned long long)active);
        wend_fleet_destroy(fleet);
        test_case();
    }
    wend_map_destroy(map);
}

/* Where one workspace goes round, everyone has had it before long, and all arrive; where it is kept, the last
 * ones wait until the others are there. */
static void patience_ends(void) {
    enum { MEMBERS = 6, SIDE = 60, PATIENCE = 10, SOON = MEMBERS * (PATIENCE + 2) };
    wend_map *map = open_map(SIDE);
    for (uint32_t patience = 0; patience <= PATIENCE; patience += PATIENCE) {
        wend_fleet_options options = wend_default_fleet_options();
        options.patience = patience, options.lanes = options.workspaces = 1;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_squad_options squad = wend_default_squad_options();
        uint32_t number, moved = 0, recalled = 0, arrived = 0;
        wend_member members[MEMBERS];
        wend_member_info info;
        CHECK(test_fleet_squad(fleet, "tba:k=50", &squad, &number) == WEND_OK);
        for (uint32_t i = 0; i < MEMBERS; i++) {
            CHECK(wend_fleet_add(fleet, number, i, &members[i], NULL) == WEND_OK);
            CHECK(wend_fleet_request(fleet, members[i], SIDE * SIDE - 1 - i, NULL, NULL) == WEND_OK);
        }
        for (int tick = 0; tick < SOON; tick++) (void)wend_fleet_tick(fleet);
        for (uint32_t i = 0; i < MEMBERS; i++)
            moved += wend_fleet_member(fleet, members[i], &info) && info.cell != i;
        CHECK_THAT(patience ? moved == MEMBERS : moved < MEMBERS, "patience %u: %u have moved", patience,
                   moved);
        for (int tick = 0; tick < 2000; tick++) {
            wend_tick made = wend_fleet_tick(fleet);
            /* Where one has come to its goal, the next may begin in the same tick. */
            CHECK(made.moves + made.thinking <= 1 + made.arrived);
            CHECK(made.active == made.moves + made.thinking + made.starved);
        }
        for (wend_event event; wend_fleet_event(fleet, &event);) {
            arrived += event.kind == WEND_EVENT_ARRIVED;
            recalled += event.kind == WEND_EVENT_STARVED;
        }
        /* Slices of 10, 20 and 40 ticks make up the way of 59 moves. */
        CHECK(arrived == MEMBERS && recalled >= MEMBERS - 1 && recalled <= 4 * MEMBERS);
        CHECK((recalled > MEMBERS) == (patience > 0));
        wend_fleet_destroy(fleet);
        test_case();
    }
    wend_map_destroy(map);
}

/* Who waits for a workspace while another keeps the only one for a long walk hears of a goal that was closed
 * at once, and not when the workspace is given back. */
static void who_waits_hears_of_closed_goals(void) {
    static const char *const planners[] = {"tba:k=1", "astar:k=1", "tba:k=9"};
    test_random random = {4};
    wend_map *map = test_map_make(TEST_SHAPE_COMB, 60, 60, wend_default_rules(), &random, NULL);
    wend_cell ends[2] = {test_open_cell(map, &random), 0};
    uint64_t far = 0;
    for (int i = 0; i < 50; i++) { /* the walk that takes the workspace */
        wend_cell other = test_open_cell(map, &random);
        if (wend_map_distance(map, ends[0], other) > far)
            far = wend_map_distance(map, ends[0], other), ends[1] = other;
    }
    for (uint32_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        wend_fleet_options options = wend_default_fleet_options();
        options.lanes = options.workspaces = 1, options.editable = true;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_squad_options squad = wend_default_squad_options();
        uint32_t numbers[2];
        CHECK(test_fleet_squad(fleet, "tba:k=1", &squad, &numbers[0]) == WEND_OK);
        CHECK(test_fleet_squad(fleet, planners[i], &squad, &numbers[1]) == WEND_OK);
        wend_member walker, waiter;
        wend_member_info info = {0};
        CHECK(wend_fleet_add(fleet, numbers[0], ends[0], &walker, NULL) == WEND_OK);
        CHECK(wend_fleet_add(fleet, numbers[1], ends[0], &waiter, NULL) == WEND_OK);
        CHECK(wend_fleet_request(fleet, walker, ends[1], NULL, NULL) == WEND_OK);
        for (int tick = 0; tick < 3; tick++) (void)wend_fleet_tick(fleet);
        wend_cell goal = test_open_cell(map, &random);
        while (goal == ends[0] || goal == ends[1]) goal = test_open_cell(map, &random);
        wend_xy at = wend_map_xy(map, goal);
        CHECK(wend_fleet_request(fleet, waiter, goal, NULL, NULL) == WEND_OK);
        for (int tick = 0; tick < 3; tick++) (void)wend_fleet_tick(fleet);
        CHECK(wend_fleet_edit(fleet, (wend_rect){at.x, at.y, 1, 1}, false, NULL) == WEND_OK);
        for (int tick = 0; tick < 10; tick++) (void)wend_fleet_tick(fleet);
        CHECK_THAT(wend_fleet_member(fleet, waiter, &info) && info.doing == WEND_DOING_NOTHING, "%s waits on",
                   planners[i]);
        CHECK(wend_fleet_member(fleet, walker, &info) && info.doing != WEND_DOING_NOTHING);
        wend_fleet_destroy(fleet);
        test_case();
    }
    wend_map_destroy(map);
}

/* What is derived from a map of bodies hears of edits as for single cells. */
static void edits_are_noticed_for_every_size(void) {
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 22, 22, wend_default_rules(), &random, NULL);
    wend_fleet_options options = wend_default_fleet_options();
    options.editable = true, options.max_body = 3;
    for (int32_t body = 1; body <= 3; body++) {
        wend_fleet *fleet = NULL;
        wend_tree *tree = NULL;
        wend_jumps *jumps = NULL;
        wend_search *search = NULL;
        CHECK(wend_fleet_create(map, &options, &fleet, NULL) == WEND_OK);
        const wend_map *mine = fleet ? wend_fleet_map(fleet, body) : NULL;
        wend_tree_options tree_options = wend_default_tree_options();
        wend_search_options search_options = wend_default_search_options();
        if (CHECK(mine) && CHECK(wend_tree_create(mine, &tree_options, &tree, NULL) == WEND_OK) &&
            CHECK(wend_jumps_create(mine, NULL, &jumps, NULL) == WEND_OK) &&
            CHECK(wend_search_create(mine, &search_options, &search, NULL) == WEND_OK)) {
            wend_cell start = wend_map_cell(mine, 3, 10), goal = wend_map_cell(mine, 15, 10);
            wend_result result;
            CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK);
            while (!wend_tree_grow(tree, 1000)) continue;
            CHECK(wend_tree_is_whole(tree) &&
                  wend_search_jps(search, jumps, start, goal, &result, NULL) == WEND_OK);
            CHECK(wend_fleet_edit(fleet, (wend_rect){10, 0, 1, 22}, false, NULL) == WEND_OK);
            CHECK_THAT(!wend_tree_is_whole(tree), "bodies of %d", (int)body);
            CHECK_THAT(wend_search_jps(search, jumps, start, goal, &result, NULL) == WEND_STATUS_STALE,
                       "bodies of %d", (int)body);
        }
        wend_tree_destroy(tree);
        wend_search_destroy(search);
        wend_jumps_destroy(jumps);
        wend_fleet_destroy(fleet);
        test_case();
    }
    wend_map_destroy(map);
}

/* wend_fleet_bytes is what the fleet's allocator has given, to the byte. */
static void all_bytes_are_reported(void) {
    static const char *const planners[] = {NULL, "lrta", "astar:k=9", "tbaa:k=9", "dstar-lite:k=9"};
    enum { PLANNERS = sizeof planners / sizeof *planners };
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 22, 22, wend_default_rules(), &random, NULL);
    for (int i = 0; i < PLANNERS * 4; i++) {
        test_memory memory = {0};
        wend_fleet_options options = wend_default_fleet_options();
        options.allocator = test_allocator(&memory);
        options.editable = i / PLANNERS % 2, options.max_body = 2;
        int32_t body = 1 + i / PLANNERS / 2;
        wend_fleet *fleet = NULL;
        CHECK(wend_fleet_create(map, &options, &fleet, NULL) == WEND_OK);
        if (!fleet) continue;
        CHECK(wend_fleet_map(fleet, body));
        if (planners[i % PLANNERS]) {
            const wend_settings *planner = NULL;
            wend_squad_options squad_options = wend_default_squad_options();
            uint32_t squad;
            wend_member member;
            squad_options.body = body;
            CHECK(test_settings_parse(planners[i % PLANNERS], &planner, NULL) == WEND_OK);
            CHECK(wend_fleet_add_squad(fleet, planner, &squad_options, &squad, NULL) == WEND_OK);
            for (wend_cell cell = 0; cell < 3; cell++)
                CHECK(wend_fleet_add(fleet, squad, cell, &member, NULL) == WEND_OK);
        }
        CHECK_THAT(wend_fleet_bytes(fleet) == memory.live_bytes, "case %d: %zu said, %llu taken", i,
                   wend_fleet_bytes(fleet), (unsigned long long)memory.live_bytes);
        wend_fleet_destroy(fleet);
        test_case();
    }
    wend_map_destroy(map);
}

static const test tests[] = {
    {"maps for bodies", maps_for_bodies},
    {"bad options are refused", bad_options_are_refused},
    {"squads beyond the last are refused", squads_beyond_the_last_are_refused},
    {"full and poor fleets refuse members", full_and_poor_fleets_refuse_members},
    {"lost events are counted", lost_events_are_counted},
    {"cpd members are small", cpd_members_are_small},
    {"crowds of cpd", crowds_of_cpd},
    {"crowds that arrive", crowds_that_arrive},
    {"without memory", without_memory},
    {"nobody overtakes", nobody_overtakes},
    {"a workspace each is enough", a_workspace_each_is_enough},
    {"patience ends", patience_ends},
    {"who waits hears of closed goals", who_waits_hears_of_closed_goals},
    {"known maps", known_maps},
    {"maps that change", maps_that_change},
    {"unknown maps", unknown_maps},
    {"scarce budgets", scarce_budgets},
    {"scarce workspaces", scarce_workspaces},
    {"same for any workers", same_for_any_workers},
    {"edits are noticed for every size", edits_are_noticed_for_every_size},
    {"all bytes are reported", all_bytes_are_reported},
};
TEST_MAIN(tests)
