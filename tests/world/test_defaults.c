/* Agents and fleets with default options: everyone gets to its goal, and memory stays within what is stated. */
#include "support/agents/agents.h"
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/maps.h"
#include "support/settings.h"

#include <string.h>

#if defined(__linux__)
#include <sys/resource.h>
#endif

enum { MB = 1 << 20 };

/* Planners that need neither a database nor a goal's tree. */
static bool goes_alone(const wend_method_info *info) {
    for (size_t i = 0; i < info->key_count; i++)
        if (!strcmp(info->keys[i].name, "db")) return !strcmp(info->name, "lss-lrta");
    return true;
}

static wend_map *rooms(int32_t side) {
    return test_map_generated(WEND_MAP_ROOMS, side, wend_default_rules(), 5);
}

/* Two agents of each planner, one step in turn: neither waits for the other. */
static void two_agents_in_a_world(void) {
    for (size_t i = 0; i < wend_planner_count(); i++) {
        const wend_method_info *info = wend_planner_at(i);
        if (!goes_alone(info)) continue;
        test_random random = {i};
        test_stage stage;
        if (!test_stage_open(&stage, rooms(64), NULL)) continue;
        wend_agent *agents[2];
        bool there[2] = {false, false};
        for (int j = 0; j < 2; j++) {
            agents[j] = test_agent_make(&stage, info->name, NULL);
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            CHECK(wend_agent_start(agents[j], start, goal, NULL) == WEND_OK);
        }
        for (int step = 0; step < 20000 && (!there[0] || !there[1]); step++)
            for (int j = 0; j < 2; j++) {
                wend_outcome outcome = wend_agent_step(agents[j]).outcome;
                there[j] |= outcome == WEND_STEP_ARRIVED || outcome == WEND_STEP_UNREACHABLE;
                CHECK_THAT(!wend_agent_starved(agents[j]), "%s waits for the other one", info->name);
            }
        CHECK_THAT(there[0] && there[1], "%s: not everyone has arrived", info->name);
        for (int j = 0; j < 2; j++) wend_agent_destroy(agents[j]);
        test_stage_close(&stage);
        test_case();
    }
}

typedef struct course {
    uint32_t arrived, unreachable, starved, members;
    size_t bytes;
} course;

/* Members of one planner, from anywhere to anywhere, until nobody has anything to do. */
static course run(const wend_map *map, const char *planner, const wend_fleet_options *options,
                  uint32_t members, uint32_t ticks) {
    course made = {.members = members};
    test_random random = {members};
    wend_fleet *fleet = test_fleet_make(map, options);
    wend_squad_options squad = wend_default_squad_options();
    uint32_t number;
    CHECK(test_fleet_squad(fleet, planner, &squad, &number) == WEND_OK);
    for (uint32_t i = 0; i < members; i++) {
        wend_member member;
        CHECK(wend_fleet_add(fleet, number, test_open_cell(map, &random), &member, NULL) == WEND_OK);
        CHECK(wend_fleet_request(fleet, member, test_open_cell(map, &random), NULL, NULL) == WEND_OK);
    }
    made.bytes = wend_fleet_bytes(fleet);
    for (uint64_t active = 1; active && ticks; ticks--) {
        wend_tick tick = wend_fleet_tick(fleet);
        active = tick.active, made.starved += tick.starved > 0;
        for (wend_event event; wend_fleet_event(fleet, &event);) {
            made.arrived += event.kind == WEND_EVENT_ARRIVED;
            made.unreachable += event.kind == WEND_EVENT_UNREACHABLE;
        }
    }
    CHECK(wend_fleet_bytes(fleet) == made.bytes); /* nothing was made in a tick */
    wend_fleet_destroy(fleet);
    return made;
}

static void a_hundred_in_a_fleet(void) {
    wend_map *map = rooms(128);
    for (size_t i = 0; i < wend_planner_count(); i++) {
        const wend_method_info *info = wend_planner_at(i);
        if (!goes_alone(info)) continue;
        course made = run(map, info->name, NULL, 100, 30000);
        CHECK_THAT(made.arrived + made.unreachable == made.members && !made.starved,
                   "%s: %u arrived, starved in %u ticks", info->name, made.arrived, made.starved);
        test_case();
    }
    wend_map_destroy(map);
}

/* Workspaces stay within max_bytes, but for the first; and with fewer than members all arrive all the same. */
static void memory_is_bounded(void) {
    wend_map *map = rooms(256);
    size_t before = 0;
    for (uint32_t mb = 0; mb <= 32; mb = mb ? 2 * mb : 8) {
        wend_fleet_options options = wend_default_fleet_options();
        options.max_bytes = (size_t)mb * MB;
        course made = run(map, "tba", &options, 60, 60000);
        CHECK_THAT(made.arrived + made.unreachable == made.members && made.starved, "%u MB: %u arrived", mb,
                   made.arrived);
        CHECK_THAT(made.bytes <= options.max_bytes + 5 * MB, "%u MB: %zu bytes", mb, made.bytes);
        CHECK_THAT(made.bytes > before, "%u MB: %zu bytes, no more than with less", mb, made.bytes);
        before = made.bytes;
        test_case();
    }
    wend_map_destroy(map);
}

/* Agents that come and go leave their workspaces to others: memory does not grow with their number. */
static void workspaces_are_used_again(void) {
    test_stage stage;
    if (test_stage_open(&stage, rooms(64), NULL)) {
        size_t bytes = 0;
        for (int turn = 0; turn < 40; turn++) {
            wend_agent *agents[3];
            for (int j = 0; j < 3; j++) agents[j] = test_agent_make(&stage, j ? "tba" : "astar", NULL);
            if (turn == 0) bytes = wend_world_bytes(stage.world);
            CHECK(wend_world_bytes(stage.world) == bytes);
            for (int j = 0; j < 3; j++) wend_agent_destroy(agents[j]);
        }
    }
    test_stage_close(&stage);
}

#if defined(__linux__)
static long page_faults(void) {
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_minflt : 0;
}

/* Page faults within the steps of a first task. */
static long faults_of(const char *planner, size_t touch_bytes) {
    wend_world_options options = wend_default_world_options();
    options.touch_bytes = touch_bytes;
    test_stage stage;
    long faults = -1;
    if (test_stage_open(&stage, test_map_generated(WEND_MAP_CITY, 512, wend_default_rules(), 3), &options)) {
        wend_agent *agent = test_agent_make(&stage, planner, NULL);
        test_random random = {7};
        wend_cell from = test_open_cell(stage.map, &random), to = test_open_cell(stage.map, &random);
        CHECK(wend_agent_start(agent, from, to, NULL) == WEND_OK);
        (void)wend_agent_step(agent); /* code and stack are touched too */
        faults = page_faults();
        for (int step = 0; step < 3000; step++)
            if (wend_agent_step(agent).outcome == WEND_STEP_ARRIVED) break;
        faults = page_faults() - faults;
        wend_agent_destroy(agent);
    }
    test_stage_close(&stage);
    return faults;
}

static void steps_find_their_memory(void) {
    static const char *const planners[] = {"astar:k=50", "tba:k=50", "dstar-lite:k=50", "adaptive-astar:k=50",
                                           "rtaa:k=50"};
    if (test_skip_thinned()) return; /* sanitizers have memory of their own beside it */
    for (size_t i = 0; i < sizeof planners / sizeof *planners; i++) {
        long touched = faults_of(planners[i], wend_default_world_options().touch_bytes);
        long lazy = faults_of(planners[i], 0);
        CHECK_THAT(touched < 20 && lazy > 20, "%s: %ld faults, %ld without", planners[i], touched, lazy);
        test_case();
    }
}
#else
static void steps_find_their_memory(void) {
    test_skip("page faults are counted on Linux");
}
#endif

/* What is copied from a world outlives it. */
static void copies_outlive_the_world(void) {
    test_stage stage;
    wend_world_options options = wend_default_world_options();
    wend_map *copy = NULL;
    options.editable = true;
    if (test_stage_open(&stage, rooms(64), &options))
        CHECK(wend_map_copy(wend_world_map(stage.world), &copy, NULL) == WEND_OK);
    test_stage_close(&stage);
    if (copy) CHECK(wend_map_edit(copy, (wend_rect){0, 0, 5, 5}, true, NULL) == WEND_OK);
    wend_map_destroy(copy);
}

static const test tests[] = {
    {"two agents in a world", two_agents_in_a_world},
    {"a hundred in a fleet", a_hundred_in_a_fleet},
    {"memory is bounded", memory_is_bounded},
    {"workspaces are used again", workspaces_are_used_again},
    {"steps find their memory", steps_find_their_memory},
    {"copies outlive the world", copies_outlive_the_world},
};

TEST_MAIN(tests)
