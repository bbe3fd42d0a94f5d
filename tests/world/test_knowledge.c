/* What agents believe: at first, after they have looked, when they share it, and when it is forgotten. */
#include "support/agents/terrain.h"
#include "support/check.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static wend_map *open_map(int32_t width, int32_t height, uint32_t rules) {
    test_random random = {0};
    return test_map_make(TEST_SHAPE_OPEN, width, height, test_rules(rules), &random, NULL);
}

/* test_terrain_open compares belief and seen of every cell with what was asked for. */
static void what_is_believed_at_first(void) {
    for (uint64_t number = 0; number < 200; number++)
        for (int belief = TEST_UNKNOWN; belief < TEST_BELIEFS; belief++) {
            test_terrain terrain;
            if (test_terrain_any(&terrain, number, 40, (test_belief)belief)) {
                const wend_map *believed = wend_knowledge_map(terrain.knowledge), *truth = terrain.stage.map;
                wend_rules a = wend_map_rules(believed), b = wend_map_rules(truth);
                CHECK(wend_map_width(believed) == wend_map_width(truth) &&
                      wend_map_height(believed) == wend_map_height(truth));
                CHECK(a.connect == b.connect && a.corners == b.corners && a.diagonal == b.diagonal);
                if (terrain.first)
                    CHECK(wend_map_fingerprint(believed) == wend_map_fingerprint(terrain.first));
                else
                    CHECK(wend_map_open_cells(believed) == wend_map_cells(truth));
                CHECK(!wend_knowledge_seen(terrain.knowledge, WEND_NO_CELL) &&
                      !wend_knowledge_seen(terrain.knowledge, wend_map_cells(truth)));
            }
            test_terrain_close(&terrain);
            test_case();
        }
}

/* One step of one agent: all in reach of where it was or is has been seen, and nothing else. */
static void a_step_sees_what_is_in_reach(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++)
        for (uint32_t radius = 1; radius <= 6; radius++)
            for (uint64_t number = 0; number < 8; number++) {
                test_random random = {number + 100 * radius};
                wend_map *map = test_map_make(
                    number % 2 ? TEST_SHAPE_SCATTERED : TEST_SHAPE_MAZE, 5 + (int32_t)test_below(&random, 20),
                    5 + (int32_t)test_below(&random, 20), test_rules(rules), &random, NULL);
                test_terrain terrain;
                test_trek trek;
                wend_cell start, goal;
                uint32_t reach = radius == 6 ? WEND_MAX_RADIUS : radius;
                bool good = test_terrain_open(&terrain, map, TEST_UNKNOWN, reach, number);
                wend_agent *agent = good ? test_terrain_agent(&terrain, "lrta") : NULL;
                if (agent && test_terrain_problem(&terrain, &random, &start, &goal) && start != goal &&
                    test_trek_start(&terrain, &trek, agent, "lrta", start, goal)) {
                    wend_step step = test_trek_step(&terrain, &trek);
                    wend_cell at = wend_agent_cell(agent);
                    uint32_t seen = 0;
                    for (wend_cell cell = 0; cell < terrain.stage.grid.cells; cell++) {
                        bool in_reach =
                            test_in_reach(&terrain, start, cell) || test_in_reach(&terrain, at, cell);
                        seen += in_reach;
                        CHECK_THAT(wend_knowledge_seen(terrain.knowledge, cell) == in_reach,
                                   "connect %d, radius %u: standing on %u and then %u, %u is %s",
                                   terrain.stage.grid.rules.connect, reach, start, at, cell,
                                   in_reach ? "not seen" : "seen");
                        bool believed = wend_map_is_open_cell(wend_knowledge_map(terrain.knowledge), cell);
                        CHECK(believed == (!in_reach || terrain.stage.grid.open[cell]));
                    }
                    CHECK(seen > 1 && (step.outcome == WEND_STEP_MOVED || at == start));
                }
                wend_agent_destroy(agent);
                test_terrain_close(&terrain);
                test_case();
            }
}

/* On an open field, from the middle and from the corners: a square, or a diamond under four directions. */
static void the_shape_of_what_is_seen(void) {
    enum { SIDE = 21, MIDDLE = 10 };
    static const struct {
        int32_t x, y;
    } places[] = {{MIDDLE, MIDDLE}, {0, 0}, {SIDE - 1, 0}, {0, SIDE - 1}, {SIDE - 1, SIDE - 1}, {0, MIDDLE}};
    for (uint32_t connect = 0; connect < 2; connect++)
        for (uint32_t radius = 1; radius <= 5; radius++)
            for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
                test_terrain terrain;
                bool good =
                    test_terrain_open(&terrain, open_map(SIDE, SIDE, connect), TEST_UNKNOWN, radius, i);
                /* Given no time to search it stands where it is and looks. */
                wend_agent *agent = good ? test_terrain_agent(&terrain, "astar:k=1") : NULL;
                wend_cell start = agent ? wend_map_cell(terrain.stage.map, places[i].x, places[i].y) : 0;
                wend_cell goal = start < SIDE * SIDE / 2 ? SIDE * SIDE - 1 : 0;
                if (agent && CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) {
                    CHECK(wend_agent_move(agent).outcome == WEND_STEP_WAITING);
                    int32_t r = (int32_t)radius;
                    for (int32_t y = 0; y < SIDE; y++)
                        for (int32_t x = 0; x < SIDE; x++) {
                            int32_t across = abs(x - places[i].x), down = abs(y - places[i].y);
                            bool in_reach = connect ? across + down <= r : across <= r && down <= r;
                            CHECK_THAT(
                                wend_knowledge_seen(terrain.knowledge, (uint32_t)(y * SIDE + x)) == in_reach,
                                "radius %u, %d directions, from %d,%d: %d,%d is %s", radius, connect ? 4 : 8,
                                places[i].x, places[i].y, x, y, in_reach ? "not seen" : "seen");
                        }
                    CHECK(wend_knowledge_changes(terrain.knowledge) == 0);
                }
                wend_agent_destroy(agent);
                test_terrain_close(&terrain);
                test_case();
            }
}

static void wrong_calls_are_refused(void) {
    wend_map *map = open_map(12, 9, 0), *wider = open_map(13, 9, 0), *turned = open_map(9, 12, 0);
    wend_map *others[3] = {open_map(12, 9, 1), open_map(12, 9, 2), open_map(12, 9, 6)};
    test_stage stage, elsewhere;
    wend_knowledge *knowledge = NULL;
    wend_knowledge_options options = wend_default_knowledge_options(), forgotten = {0};
    wend_error error = {0};
    CHECK(options.radius == 1 && !options.believed);
    bool open = test_stage_open(&stage, map, NULL);
    if (test_stage_open(&elsewhere, open_map(12, 9, 0), NULL) && open) {
        CHECK(wend_knowledge_create(NULL, &options, &knowledge, NULL) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_knowledge_create(stage.world, &options, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_knowledge_create(stage.world, &forgotten, &knowledge, &error) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(!knowledge && error.message[0]);
        test_case();
        static const uint32_t radii[] = {0, WEND_MAX_RADIUS + 1, UINT32_MAX};
        for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
            options.radius = radii[i];
            error = (wend_error){0};
            CHECK(wend_knowledge_create(stage.world, &options, &knowledge, &error) ==
                  WEND_STATUS_BAD_ARGUMENT);
            CHECK(!knowledge && error.message[0]);
            test_case();
        }
        options.radius = 1;
        wend_map *strangers[] = {wider, turned, others[0], others[1], others[2]};
        for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
            options.believed = strangers[i];
            error = (wend_error){0};
            CHECK(wend_knowledge_create(stage.world, &options, &knowledge, &error) == WEND_STATUS_OTHER_MAP);
            CHECK(!knowledge && error.message[0]);
            test_case();
        }
        options.believed = NULL;
        /* What is believed in one world is of no use in another. */
        if (CHECK(wend_knowledge_create(stage.world, &options, &knowledge, NULL) == WEND_OK)) {
            wend_agent_options agent_options = wend_default_agent_options();
            const wend_settings *settings = NULL;
            wend_agent *agent = NULL;
            agent_options.knowledge = knowledge;
            CHECK(test_settings_parse("rtaa", &settings, NULL) == WEND_OK);
            error = (wend_error){0};
            CHECK(wend_agent_create(elsewhere.world, settings, &agent_options, &agent, &error) ==
                      WEND_STATUS_OTHER_MAP &&
                  !agent && error.message[0]);
        }
        wend_knowledge_destroy(knowledge);
        wend_knowledge_destroy(NULL);
        test_case();
    }
    test_stage_close(&stage);
    test_stage_close(&elsewhere);
    wend_map_destroy(wider);
    wend_map_destroy(turned);
    for (int i = 0; i < 3; i++) wend_map_destroy(others[i]);
}

/* A start must be open in truth, a goal must be believed open; and the old task goes on after a refusal. */
static void bad_ends_are_refused(void) {
    for (size_t i = 0; i < test_planner_count(); i++) {
        test_random random = {i};
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 15, 15, test_rules((uint32_t)i), &random, NULL);
        test_terrain terrain;
        bool good = test_terrain_open(&terrain, map, TEST_WRONG, 1, i);
        wend_agent *agent = good ? test_terrain_agent(&terrain, test_planner(i)) : NULL;
        test_trek trek = {0};
        for (wend_cell cell = 0; agent && cell < terrain.stage.grid.cells; cell++) {
            wend_cell other = (cell * 7 + 3) % terrain.stage.grid.cells;
            bool started = terrain.stage.grid.open[cell] && terrain.believed.open[other];
            wend_status status = wend_agent_start(agent, cell, other, NULL);
            CHECK_THAT(status == (started ? WEND_OK : WEND_STATUS_BLOCKED), "%s: a start that is %s: %s",
                       test_planner(i), started ? "right" : "wrong", wend_status_text(status));
            if (!started) continue;
            CHECK(wend_agent_set_goal(agent, WEND_NO_CELL, NULL) == WEND_STATUS_OUTSIDE);
            CHECK(wend_agent_place(agent, terrain.stage.grid.cells, NULL) == WEND_STATUS_OUTSIDE);
            trek = (test_trek){.agent = agent, .planner = test_planner(i)};
            test_trek_changed(&terrain, &trek, true);
            for (int step = 0; step < 3; step++) {
                (void)test_trek_step(&terrain, &trek);
                wend_cell wall = test_below(&random, terrain.stage.grid.cells);
                uint64_t hash = wend_agent_hash(agent);
                if (!terrain.believed.open[wall])
                    CHECK(wend_agent_set_goal(agent, wall, NULL) == WEND_STATUS_BLOCKED);
                if (!terrain.stage.grid.open[wall])
                    CHECK(wend_agent_place(agent, wall, NULL) == WEND_STATUS_BLOCKED);
                CHECK(wend_agent_hash(agent) == hash);
            }
        }
        wend_agent_destroy(agent);
        test_terrain_close(&terrain);
        test_case();
    }
}

/* After forgetting all is as it was at first: what is believed, and the same task's every step. */
static void forgetting_is_starting_over(void) {
    for (uint64_t number = 0; number < 60; number++)
        for (int belief = TEST_UNKNOWN; belief < TEST_BELIEFS; belief++) {
            const char *planner = test_planner((number * 3 + (uint64_t)belief) % test_planner_count());
            test_terrain terrain;
            test_random random = {number};
            wend_cell start, goal;
            bool good = test_terrain_any(&terrain, 300 + number, 18, (test_belief)belief);
            wend_agent *agent = good ? test_terrain_agent(&terrain, planner) : NULL;
            if (agent && test_terrain_problem(&terrain, &random, &start, &goal)) {
                uint64_t hashes[2][80] = {{0}};
                for (int run = 0; run < 2; run++) {
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    for (int step = 0; step < 80; step++) {
                        (void)wend_agent_step(agent);
                        hashes[run][step] = wend_agent_hash(agent);
                    }
                    wend_knowledge_forget(terrain.knowledge);
                    const wend_map *believed = wend_knowledge_map(terrain.knowledge);
                    for (wend_cell cell = 0; cell < terrain.believed.cells; cell++)
                        CHECK_THAT(wend_map_is_open_cell(believed, cell) == terrain.believed.open[cell] &&
                                       !wend_knowledge_seen(terrain.knowledge, cell),
                                   "map %llu: %u is not forgotten", (unsigned long long)number, cell);
                }
                CHECK_THAT(memcmp(hashes[0], hashes[1], sizeof hashes[0]) == 0,
                           "%s on map %llu: another run after forgetting", planner,
                           (unsigned long long)number);
            }
            wend_agent_destroy(agent);
            test_terrain_close(&terrain);
            test_case();
        }
}

/* Two bits per cell beyond what a map of any size takes; rows end at a multiple of eight bytes and the map
 * has a border. */
static void two_bits_per_cell(void) {
    static const int32_t sides[] = {1, 10, 62, 500, 2046, 3000};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (int given = 0; given < 2; given++) {
            test_memory memory = {0};
            wend_world_options options = wend_default_world_options();
            options.allocator = test_allocator(&memory);
            test_stage stage;
            wend_knowledge *knowledge = NULL;
            wend_knowledge_options knowledge_options = wend_default_knowledge_options();
            if (test_stage_open(&stage, open_map(sides[i], sides[i], 0), &options)) {
                knowledge_options.believed = given ? stage.map : NULL;
                uint64_t live = memory.live_bytes;
                CHECK(wend_knowledge_create(stage.world, &knowledge_options, &knowledge, NULL) == WEND_OK);
                uint64_t bytes = knowledge ? wend_knowledge_bytes(knowledge) : 0;
                uint64_t row = ((uint64_t)sides[i] + 2 + 63) / 64 * 8, rows = (uint64_t)sides[i] + 2;
                CHECK_THAT(bytes <= 2 * row * rows + 32768, "%d x %d cells: %llu bytes", sides[i], sides[i],
                           (unsigned long long)bytes);
                CHECK_THAT(bytes == memory.live_bytes - live, "%llu bytes, taken %llu",
                           (unsigned long long)bytes, (unsigned long long)(memory.live_bytes - live));
            }
            wend_knowledge_destroy(knowledge);
            test_stage_close(&stage);
            CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
            test_case();
        }
}

/* With each request for memory refused in turn: WEND_STATUS_NO_MEMORY, and nothing is left behind. */
static void refusals_leave_nothing_behind(void) {
    for (int given = 0; given < 2; given++) {
        bool all = false;
        for (uint64_t refused = 1; !all && refused < 20; refused++) {
            test_memory memory = {0};
            wend_world_options options = wend_default_world_options();
            options.allocator = test_allocator(&memory);
            options.editable = true;
            wend_knowledge_options knowledge_options = wend_default_knowledge_options();
            wend_knowledge *knowledge = NULL;
            wend_error error = {0};
            test_stage stage;
            if (test_stage_open(&stage, open_map(40, 30, 0), &options)) {
                knowledge_options.believed = given ? stage.map : NULL;
                uint64_t live = memory.live_blocks, before = memory.requests;
                memory.refuse_at = before + refused;
                wend_status status =
                    wend_knowledge_create(stage.world, &knowledge_options, &knowledge, &error);
                all = memory.requests < memory.refuse_at;
                CHECK(status == (all ? WEND_OK : WEND_STATUS_NO_MEMORY) && !knowledge == !all);
                if (!all) CHECK(error.message[0] && memory.live_blocks == live);
                CHECK(memory.requests > before);
            }
            wend_knowledge_destroy(knowledge);
            test_stage_close(&stage);
            CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
            test_case();
        }
        CHECK(all);
    }
}

/* Agents of one team walk in turns: what any of them has seen is what all believe, and nothing else. */
static void a_team_shares_what_it_sees(void) {
    enum { TEAM = 4 };
    for (uint64_t number = 0; number < 60; number++) {
        test_terrain terrain;
        test_random random = {number};
        test_trek treks[TEAM] = {0};
        wend_agent *agents[TEAM] = {0};
        bool good = test_terrain_any(&terrain, 700 + number, 24, (test_belief)(1 + number % 3));
        for (uint32_t i = 0; good && i < TEAM; i++) {
            static const char *const planners[] = {"rtaa:k=5", "lrta", "dartaa", "lss-lrta:k=3", "rtaa"};
            const char *planner = i ? planners[(i + number) % 5] : "tbaa:k=5"; /* one workspace */
            wend_cell start, goal;
            good = test_terrain_problem(&terrain, &random, &start, &goal);
            agents[i] = good ? test_terrain_agent(&terrain, planner) : NULL;
            good = agents[i] && test_trek_start(&terrain, &treks[i], agents[i], planner, start, goal);
        }
        for (int turn = 0; good && turn < 120; turn++)
            for (uint32_t i = 0; i < TEAM; i++) {
                treks[i].crowded = true;
                (void)test_trek_step(&terrain, &treks[i]);
            }
        if (good) test_terrain_check(&terrain, "a team");
        for (uint32_t i = 0; i < TEAM; i++) wend_agent_destroy(agents[i]);
        test_terrain_close(&terrain);
        test_case();
    }
}

static const test tests[] = {
    {"what is believed at first", what_is_believed_at_first},
    {"a step sees what is in reach", a_step_sees_what_is_in_reach},
    {"the shape of what is seen", the_shape_of_what_is_seen},
    {"wrong calls are refused", wrong_calls_are_refused},
    {"bad ends are refused", bad_ends_are_refused},
    {"forgetting is starting over", forgetting_is_starting_over},
    {"two bits per cell", two_bits_per_cell},
    {"refusals leave nothing behind", refusals_leave_nothing_behind},
    {"a team shares what it sees", a_team_shares_what_it_sees},
};

TEST_MAIN(tests)
