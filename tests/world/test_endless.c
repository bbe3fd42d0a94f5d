/* Edits without end: a map, a world and a fleet take no more memory for the last of many edits than for the
 * first. A reader that has not looked for longer than changes are kept is right all the same. */
#include "support/agents/agents.h"
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <wend/wend.h>

enum { SIDE = 64, AGENTS = 6, STOPS = 10, MOST_STEPS = 200000 };

static uint32_t edits(void) {
    return test_full() ? 4000000 : test_each(200000);
}

static wend_map *ground(const wend_allocator *allocator) {
    test_random random = {0};
    return test_map_make(TEST_SHAPE_OPEN, SIDE, SIDE, wend_default_rules(), &random, allocator);
}

/* Mostly a cell, sometimes all of a small area; in the long run a third of the map is closed. */
static wend_rect any_area(test_random *random, bool *open) {
    int32_t side = test_below(random, 50) ? 1 : 3;
    *open = test_below(random, 3);
    return (wend_rect){(int32_t)test_below(random, (uint32_t)(SIDE + 1 - side)),
                       (int32_t)test_below(random, (uint32_t)(SIDE + 1 - side)), side, side};
}

/* Edits between two looks: fewer than changes are kept, about as many, or more. */
static uint32_t any_pause(test_random *random) {
    static const uint32_t most[] = {5, 500, 2 * WEND_CHANGES_KEPT, 20000};
    return 1 + test_below(random, most[test_below(random, 4)]);
}

static void same_labels(const wend_map *map, const wend_components *components) {
    wend_components *fresh;
    wend_allocator usual = {0};
    if (!CHECK(wend_components_create(map, &usual, &fresh, NULL) == WEND_OK)) return;
    uint32_t wrong = 0;
    for (wend_cell cell = 0; cell < wend_map_cells(map); cell++)
        wrong += wend_components_label(components, cell) != wend_components_label(fresh, cell);
    CHECK_THAT(!wrong && wend_components_count(components) == wend_components_count(fresh),
               "%u labels are wrong at revision %llu", wrong, (unsigned long long)wend_map_revision(map));
    wend_components_destroy(fresh);
}

/* The last changes are there, older ones and those to come are not. */
static void check_record(const wend_map *map) {
    uint64_t last = wend_map_revision(map), kept = last < WEND_CHANGES_KEPT ? last : WEND_CHANGES_KEPT;
    uint8_t *known = calloc(wend_map_cells(map), 1);
    uint32_t wrong = 0;
    for (uint64_t number = last; number > last - kept; number--) {
        wend_change change = wend_map_change_at(map, number);
        if (change.cell >= wend_map_cells(map))
            wrong++;
        else if (!known[change.cell]++) /* the last of this cell is how it is */
            wrong += wend_map_is_open_cell(map, change.cell) != change.open;
    }
    CHECK_THAT(!wrong, "%u of the last changes are wrong", wrong);
    CHECK(wend_map_change_at(map, last - kept).cell == WEND_NO_CELL);
    CHECK(wend_map_change_at(map, last + 1).cell == WEND_NO_CELL);
    CHECK(wend_map_change_at(map, UINT64_MAX).cell == WEND_NO_CELL);
    free(known);
}

static void a_map_alone(void) {
    test_memory memory = {0};
    test_random random = {1};
    wend_allocator allocator = test_allocator(&memory);
    wend_map *map = ground(&allocator);
    wend_components *components;
    CHECK(wend_components_create(map, &allocator, &components, NULL) == WEND_OK);
    uint64_t bytes = memory.live_bytes, requests = memory.requests;
    for (uint32_t made = 0, total = edits(); made < total;) {
        for (uint32_t pause = any_pause(&random); pause && made < total; pause--, made++) {
            bool open;
            wend_rect area = any_area(&random, &open);
            CHECK(wend_map_edit(map, area, open, NULL) == WEND_OK);
        }
        while (!wend_components_settle(components, map, 1 + test_below(&random, 3000))) continue;
        if (test_below(&random, total / 20000 + 1) == 0) same_labels(map, components), check_record(map);
    }
    same_labels(map, components);
    check_record(map);
    CHECK_THAT(memory.live_bytes == bytes && memory.requests == requests, "%llu bytes grew to %llu",
               (unsigned long long)bytes, (unsigned long long)memory.live_bytes);
    CHECK(wend_map_bytes(map) + wend_components_bytes(components) == memory.live_bytes);
    wend_components_destroy(components);
    wend_map_destroy(map);
    CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
}

static bool is_joined(const wend_map *map, wend_cell from, wend_cell to) {
    test_grid grid = test_grid_of(map);
    uint8_t *reached = calloc(grid.cells, 1);
    bool joined = grid.open[from] && grid.open[to] && test_flood(&grid, from, reached) && reached[to];
    free(reached);
    test_grid_free(&grid);
    return joined;
}

static const char *const planners[AGENTS] = {
    "tba:k=20", "astar:k=50", "dstar-lite:k=50", "adaptive-astar:k=50", "lss-lrta:k=20", "tbaa:k=20"};

/* Walks to its end on ground that stays for a while. */
static void walk(const wend_world *world, wend_agent *agent, const char *planner, test_random *random) {
    const wend_map *map = wend_world_map(world);
    wend_cell goal = test_open_cell(map, random), from = test_open_cell(map, random);
    if (wend_map_is_open_cell(map, wend_agent_cell(agent))) from = wend_agent_cell(agent);
    CHECK(wend_agent_place(agent, from, NULL) == WEND_OK);
    CHECK(wend_agent_set_goal(agent, goal, NULL) == WEND_OK);
    wend_outcome expected = is_joined(map, from, goal) ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE;
    wend_step step = {.outcome = WEND_STEP_WAITING};
    for (uint32_t i = 0;
         i < MOST_STEPS && (step.outcome == WEND_STEP_WAITING || step.outcome == WEND_STEP_MOVED); i++)
        step = wend_agent_step(agent);
    CHECK_THAT(step.outcome == expected, "%s from %u to %u: outcome %d, not %d", planner, from, goal,
               (int)step.outcome, (int)expected);
}

static void a_world(void) {
    test_memory memory = {0};
    test_random random = {2};
    wend_map *map = ground(NULL);
    wend_world_options options = wend_default_world_options();
    options.editable = true, options.workspaces = AGENTS, options.allocator = test_allocator(&memory);
    wend_world *world;
    CHECK(wend_world_create(map, &options, &world, NULL) == WEND_OK);
    wend_agent *agents[AGENTS];
    for (int i = 0; i < AGENTS; i++) {
        const wend_settings *settings = NULL;
        wend_agent_options agent_options = wend_default_agent_options();
        CHECK(test_settings_parse(planners[i], &settings, NULL) == WEND_OK);
        CHECK(wend_agent_create(world, settings, &agent_options, &agents[i], NULL) == WEND_OK);
        CHECK(wend_agent_start(agents[i], 0, SIDE * SIDE - 1, NULL) == WEND_OK);
    }
    uint64_t bytes = memory.live_bytes, requests = memory.requests;
    size_t told = wend_world_bytes(world);
    uint32_t total = edits();
    for (uint32_t made = 0, stop = 0; stop < STOPS; stop++) {
        while (made < (uint64_t)total * (stop + 1) / STOPS) {
            for (uint32_t pause = any_pause(&random); pause; pause--, made++) {
                bool open;
                wend_rect area = any_area(&random, &open);
                CHECK(wend_world_edit(world, area, open, NULL) == WEND_OK);
            }
            (void)wend_world_settle(world, test_below(&random, 500));
            for (int i = 0; i < AGENTS; i++)
                if (test_below(&random, 2)) (void)wend_agent_step(agents[i]);
        }
        while (!wend_world_settle(world, 1000)) continue;
        for (int i = 0; i < AGENTS; i++) walk(world, agents[i], planners[i], &random);
        check_record(wend_world_map(world));
        test_case();
    }
    CHECK_THAT(wend_world_bytes(world) == told && memory.live_bytes == bytes && memory.requests == requests,
               "%zu bytes grew to %zu", told, wend_world_bytes(world));
    for (int i = 0; i < AGENTS; i++) wend_agent_destroy(agents[i]);
    wend_world_destroy(world);
    wend_map_destroy(map);
    CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
}

/* Asks all members to go somewhere, and hears of all of them how that ended. */
static void errands(wend_fleet *fleet, const wend_member *members, test_random *random) {
    wend_event_kind expected[AGENTS], heard[AGENTS];
    for (wend_event event; wend_fleet_event(fleet, &event);) continue;
    for (int i = 0; i < AGENTS; i++) {
        wend_member_info info;
        CHECK(wend_fleet_member(fleet, members[i], &info));
        const wend_map *map = wend_fleet_map(fleet, info.body);
        wend_cell goal = test_open_cell(map, random), from = info.cell;
        if (!wend_map_is_open_cell(map, from)) from = test_open_cell(map, random);
        CHECK(wend_fleet_place(fleet, members[i], from, NULL) == WEND_OK);
        CHECK(wend_fleet_request(fleet, members[i], goal, NULL, NULL) == WEND_OK);
        expected[i] = is_joined(map, from, goal) ? WEND_EVENT_ARRIVED : WEND_EVENT_UNREACHABLE;
        heard[i] = WEND_EVENT_KINDS;
    }
    for (uint32_t left = AGENTS, tick = 0; left && tick < MOST_STEPS; tick++) {
        (void)wend_fleet_tick(fleet);
        for (wend_event event; wend_fleet_event(fleet, &event);)
            for (int i = 0; i < AGENTS; i++)
                if (event.member == members[i] &&
                    (event.kind == WEND_EVENT_ARRIVED || event.kind == WEND_EVENT_UNREACHABLE))
                    heard[i] = event.kind, left--;
    }
    for (int i = 0; i < AGENTS; i++)
        CHECK_THAT(heard[i] == expected[i], "member %d: %s, not %s", i, wend_event_name(heard[i]),
                   wend_event_name(expected[i]));
}

static void a_fleet(void) {
    test_memory memory = {0};
    test_random random = {3};
    wend_map *map = ground(NULL);
    wend_fleet_options options = wend_default_fleet_options();
    options.editable = true, options.max_body = 2, options.allocator = test_allocator(&memory);
    wend_fleet *fleet = test_fleet_make(map, &options);
    wend_member members[AGENTS];
    for (int i = 0; i < AGENTS; i++) {
        wend_squad_options squad_options = wend_default_squad_options();
        squad_options.body = 1 + i % 2;
        uint32_t squad;
        CHECK(test_fleet_squad(fleet, planners[i], &squad_options, &squad) == WEND_OK);
        CHECK(wend_fleet_add(fleet, squad, 0, &members[i], NULL) == WEND_OK);
        CHECK(wend_fleet_request(fleet, members[i], (SIDE - 2) * SIDE, NULL, NULL) == WEND_OK);
    }
    for (int i = 0; i < 3; i++) (void)wend_fleet_tick(fleet); /* by now they have what they need */
    uint64_t bytes = memory.live_bytes, requests = memory.requests;
    uint32_t total = edits();
    for (uint32_t made = 0, stop = 0; stop < STOPS; stop++) {
        while (made < (uint64_t)total * (stop + 1) / STOPS) {
            for (uint32_t pause = any_pause(&random); pause; pause--, made++) {
                bool open;
                wend_rect area = any_area(&random, &open);
                CHECK(wend_fleet_edit(fleet, area, open, NULL) == WEND_OK);
            }
            (void)wend_fleet_tick(fleet);
        }
        while (!wend_fleet_tick(fleet).settled) continue;
        errands(fleet, members, &random);
        for (int32_t body = 1; body <= 2; body++) {
            const wend_map *mine = wend_fleet_map(fleet, body);
            test_grid grid = test_body_grid(wend_fleet_map(fleet, 1), body);
            for (wend_cell cell = 0; cell < grid.cells; cell++)
                if (!CHECK(wend_map_is_open_cell(mine, cell) == grid.open[cell])) break;
            test_grid_free(&grid);
            check_record(mine);
        }
        test_case();
    }
    CHECK_THAT(memory.live_bytes == bytes && memory.requests == requests, "%llu bytes grew to %llu",
               (unsigned long long)bytes, (unsigned long long)memory.live_bytes);
    wend_fleet_destroy(fleet);
    wend_map_destroy(map);
    CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
}

static const test tests[] = {
    {"a map alone", a_map_alone},
    {"a world", a_world},
    {"a fleet", a_fleet},
};

TEST_MAIN(tests)
