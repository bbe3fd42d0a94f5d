/* Agents with an atlas on maps that are edited while they walk: every move is legal at its time, steps keep
 * to their bound and ask for no memory, and runs repeat. In the end they arrive wherever a path leads to the
 * goal, or say that none does. */
#include "methods/atlas/agent/edits.h"
#include "support/agents/terrain.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const char *const kinds[] = {"atlas:sector=4",
                                    "atlas:sector=8",
                                    "atlas:sector=16,rounds=1",
                                    "atlas:sector=6,rounds=0",
                                    "atlas:sector=5,labels=yes",
                                    "atlas:exact=yes"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The search around what is blocked is given up after so few expansions that the next ways are tried too. */
static void make_hasty(wend_agent *agent, uint32_t expansions) {
    wend_atlas_agent *state = agent->state;
    if (CHECK(state->detour)) state->detour->most = expansions;
}

/* A walk with edits that are meant to hurt; which courses the agent took. */
static uint64_t script(uint64_t number, uint32_t *courses, uint64_t *edits) {
    test_terrain terrain;
    test_random random = {number};
    wend_cell start, goal;
    uint64_t hash = number;
    bool good = test_terrain_any(&terrain, 7000 + number, 48, TEST_KNOWN) &&
                test_terrain_problem(&terrain, &random, &start, &goal);
    wend_db *db = good ? test_db_build(terrain.stage.map, kinds[number % KINDS], 1) : NULL;
    if (db && number % 3 == 0) test_terrain_edit(&terrain, (wend_rect){0, 0, 1, 1}, number % 2);
    wend_agent *agent = db ? test_db_agent(&terrain.stage, "atlas:db=x", db) : NULL;
    if (good && !terrain.stage.grid.open[start]) test_terrain_edit_cell(&terrain, start, true);
    if (good && !terrain.stage.grid.open[goal]) test_terrain_edit_cell(&terrain, goal, true);
    if (agent && CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) {
        uint32_t rarely = 1 + test_below(&random, 12);
        bool settles = test_below(&random, 2);
        if (number % 2) make_hasty(agent, 5 + test_below(&random, 60));
        for (int tick = 0; tick < 90; tick++) {
            if (test_below(&random, rarely) == 0) test_terrain_edit_any(&terrain, agent, &random);
            if (settles) (void)wend_world_settle(terrain.stage.world, test_below(&random, 300));
            if (test_below(&random, 9) == 0) { /* between its plan and its move */
                (void)wend_agent_plan(agent, wend_agent_budget(agent));
                test_terrain_edit_any(&terrain, agent, &random);
            }
            (void)test_terrain_step(&terrain, agent, &hash);
            *courses |= 1u << ((wend_atlas_agent *)agent->state)->detour->course;
        }
        test_terrain_end(&terrain, agent, &hash);
        test_terrain_edit(&terrain, (wend_rect){0, 0, terrain.stage.grid.width, terrain.stage.grid.height},
                          true);
        test_terrain_end(&terrain, agent, &hash); /* all is open */
        hash ^= wend_agent_hash(agent);
        *edits += terrain.edits;
    }
    wend_agent_destroy(agent);
    wend_db_close(db);
    test_terrain_close(&terrain);
    return hash;
}

static void any_script_of_edits(void) {
    uint32_t courses = 0;
    uint64_t edits = 0;
    for (uint64_t number = 0; number < (test_full() ? 6000 : test_some(600)); number++) {
        uint64_t hash = script(number, &courses, &edits);
        if (number % 5 == 0)
            CHECK_THAT(script(number, &courses, &edits) == hash, "map %llu: another run, another way",
                       (unsigned long long)number);
        test_case();
    }
    /* Within a step, as a rule. */
    uint32_t passing = 1u << WEND_ATLAS_FROM | 1u << WEND_ATLAS_TO | 1u << WEND_ATLAS_TRACE;
    CHECK_THAT((courses | passing) == (2u << WEND_ATLAS_TRACE) - 1, "not every course was taken: %x",
               courses);
    CHECK_THAT(edits > test_some(8000), "%llu edits", (unsigned long long)edits);
}

/* A walk over ground that is not what the agent believes, and not what its atlas was built for, with edits in
 * half of the runs: what it sees on its way is what it goes by. */
static uint64_t blind_script(uint64_t number, test_belief belief, uint32_t *courses) {
    test_terrain terrain;
    test_random random = {number};
    test_trek trek;
    wend_cell start, goal;
    uint64_t hash = number;
    const char *planner = "atlas:db=x";
    bool good = test_terrain_any(&terrain, 9000 + number, 40, belief) &&
                test_terrain_problem(&terrain, &random, &start, &goal);
    wend_agent_options options = wend_default_agent_options();
    wend_db *db = good ? test_db_build(terrain.first, kinds[number % KINDS], 1) : NULL;
    options.db = db, options.knowledge = terrain.knowledge;
    wend_agent *agent = db ? test_agent_make(&terrain.stage, planner, &options) : NULL;
    if (agent && test_trek_start(&terrain, &trek, agent, planner, start, goal)) {
        trek.crowded = true; /* it does not count revisits */
        if (number % 3) make_hasty(agent, 5 + test_below(&random, 60));
        for (int tick = 0; tick < 120; tick++) {
            if (number % 2 && test_below(&random, 9) == 0) test_terrain_edit_any(&terrain, agent, &random);
            wend_step step = test_trek_step(&terrain, &trek);
            hash = (hash ^ step.direction) * 0x9e3779b97f4a7c15u;
            *courses |= 1u << ((wend_atlas_agent *)agent->state)->detour->course;
        }
        test_trek_changed(&terrain, &trek, false);
        wend_cell at = wend_agent_cell(agent);
        uint64_t cells = terrain.stage.grid.cells;
        bool path = at == goal || test_terrain_joined(&terrain, &terrain.stage.grid, at, goal);
        wend_outcome end = test_trek_go(&terrain, &trek, (12 * cells + 100) * (cells + 2));
        /* What is opened out of its sight it does not know of. */
        bool may = end == WEND_STEP_UNREACHABLE && (!path || number % 2 || belief == TEST_WRONG);
        CHECK_THAT((end == WEND_STEP_ARRIVED && path) || may,
                   "map %llu from %u to %u: outcome %d, and there is %s path", (unsigned long long)number, at,
                   goal, (int)end, path ? "a" : "no");
        hash ^= wend_agent_hash(agent);
    }
    wend_agent_destroy(agent);
    wend_db_close(db);
    test_terrain_close(&terrain);
    return hash;
}

static void any_belief(void) {
    uint32_t courses = 0;
    for (uint64_t number = 0; number < (test_full() ? 4000 : test_some(400)); number++) {
        test_belief belief = number / 2 % 2 ? TEST_WRONG : TEST_PARTIAL;
        uint64_t hash = blind_script(number, belief, &courses);
        if (number % 5 == 0)
            CHECK_THAT(blind_script(number, belief, &courses) == hash, "map %llu: another run, another way",
                       (unsigned long long)number);
        test_case();
    }
    uint32_t some = 1u << WEND_ATLAS_ON_WAY | 1u << WEND_ATLAS_AROUND | 1u << WEND_ATLAS_WHOLE;
    CHECK_THAT((courses & some) == some, "not every course was taken: %x", courses);
}

static wend_map *generated(wend_map_kind kind, int32_t side, int32_t size, wend_rules rules, uint64_t seed) {
    wend_generate_options how = wend_default_generate_options();
    wend_map *map = NULL;
    how.map.rules = rules;
    how.seed = seed, how.size = size;
    CHECK(wend_map_generate(kind, side, side, &how, &map, NULL) == WEND_OK);
    return map;
}

/* Closes squares until `percent` of the open cells are closed. */
static void close_squares(test_terrain *terrain, int32_t side, uint32_t percent, test_random *random) {
    const test_grid *grid = &terrain->stage.grid;
    uint32_t open = wend_map_open_cells(wend_world_map(terrain->stage.world));
    while ((uint64_t)wend_map_open_cells(wend_world_map(terrain->stage.world)) * 100 >
           (uint64_t)open * (100 - percent))
        test_terrain_edit(terrain,
                          (wend_rect){(int32_t)test_below(random, (uint32_t)(grid->width - side)),
                                      (int32_t)test_below(random, (uint32_t)(grid->height - side)), side,
                                      side},
                          false);
}

/* The mean over optimal, in per cent, of problems on a map with squares closed after the atlas was built. */
static double mean_over(wend_map_kind kind, uint32_t percent, uint32_t number) {
    test_terrain terrain;
    test_random random = {number};
    bool good = test_terrain_open(&terrain, generated(kind, 300, 40, test_rules(number * 5), number),
                                  TEST_KNOWN, 1, number);
    wend_db *db = good ? test_db_build(terrain.stage.map, "atlas:sector=16", 1) : NULL;
    wend_agent *agent = db ? test_db_agent(&terrain.stage, "atlas:db=x", db) : NULL;
    double mean = 0;
    if (agent) {
        close_squares(&terrain, 6, percent, &random);
        mean = test_terrain_mean_over(&terrain, agent, 30, &random);
    }
    wend_agent_destroy(agent);
    wend_db_close(db);
    test_terrain_close(&terrain);
    test_case();
    return mean;
}

static void ways_stay_short(void) {
    if (test_skip_thinned()) return;
    static const wend_map_kind shapes[] = {WEND_MAP_CAVES, WEND_MAP_ROOMS, WEND_MAP_CITY, WEND_MAP_SHAPES,
                                           WEND_MAP_JOINED};
    double few = 0, many = 0;
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    for (uint32_t i = 0; i < SHAPES; i++) {
        few += mean_over(shapes[i], 2, i) / SHAPES;
        many += mean_over(shapes[i], 12, SHAPES + i) / SHAPES;
    }
    CHECK_THAT(few < 4 && many < 16, "%.2f%% over with 2%% closed, %.2f%% with 12%%", few, many);
}

/* More agents than workspaces, all with doors shut in their faces: nobody waits for ever, and no step asks
 * for memory. */
static void agents_share_what_there_is(void) {
    enum { AGENTS = 7 };
    for (uint32_t number = 0; number < 24; number++) {
        test_memory memory = {0};
        test_terrain terrain = {.belief = TEST_KNOWN};
        test_random random = {number};
        wend_world_options options = wend_default_world_options();
        options.editable = true, options.workspaces = 1 + number % 2;
        options.allocator = test_allocator(&memory);
        bool good = test_stage_open(&terrain.stage,
                                    generated(WEND_MAP_ROOMS, 90, 8, test_rules(number), number), &options);
        terrain.stage.number = number;
        terrain.joined = calloc(terrain.stage.grid.cells, 1);
        wend_db *db = good ? test_db_build(terrain.stage.map, kinds[number % KINDS], 1) : NULL;
        wend_agent *agents[AGENTS] = {0};
        uint64_t hash = 0;
        for (int i = 0; db && i < AGENTS; i++) {
            agents[i] = test_db_agent(&terrain.stage, "atlas:db=x", db);
            if (!agents[i]) break;
            make_hasty(agents[i], 20 + 60 * number);
            CHECK(wend_agent_start(agents[i], test_open_cell(terrain.stage.map, &random),
                                   test_open_cell(terrain.stage.map, &random), NULL) == WEND_OK);
        }
        for (int tick = 0; agents[AGENTS - 1] && tick < 400; tick++) {
            if (tick < 200 && test_below(&random, 6) == 0)
                test_terrain_edit_any(&terrain, agents[test_below(&random, AGENTS)], &random);
            /* Known to be cut off, an agent keeps nothing that others wait for. */
            if (number % 3 == 0) (void)wend_world_settle(terrain.stage.world, 4000);
            uint64_t requests = memory.requests;
            for (int i = 0; i < AGENTS; i++) (void)test_terrain_step(&terrain, agents[i], &hash);
            CHECK_THAT(memory.requests == requests, "map %u, tick %d: a step asks for memory", number, tick);
        }
        uint64_t limit = 20 * (uint64_t)terrain.stage.grid.cells;
        bool all = false;
        for (; agents[AGENTS - 1] && !all && limit; limit--) {
            all = true;
            for (int i = 0; i < AGENTS; i++)
                all = test_terrain_step(&terrain, agents[i], &hash).outcome > WEND_STEP_WAITING && all;
        }
        CHECK_THAT(all, "map %u: some agents do not end", number);
        for (int i = 0; i < AGENTS; i++) wend_agent_destroy(agents[i]);
        CHECK(!terrain.stage.world || wend_world_bytes(terrain.stage.world) <= memory.live_bytes);
        wend_db_close(db);
        test_terrain_close(&terrain);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
}

/* A wall with one door far away, shut when the agent is on its way there: it turns to the other door, and
 * does not come back to look whether the first is still shut. */
static void it_does_not_go_to_and_fro(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++)
        for (uint32_t hasty = 0; hasty < 2; hasty++) {
            test_terrain terrain;
            test_random random = {rules};
            wend_map *map = test_map_make(TEST_SHAPE_OPEN, 120, 120, test_rules(rules), &random, NULL);
            CHECK(wend_map_edit(map, (wend_rect){0, 60, 120, 1}, false, NULL) == WEND_OK);
            CHECK(wend_map_edit(map, (wend_rect){10, 60, 3, 1}, true, NULL) == WEND_OK);
            CHECK(wend_map_edit(map, (wend_rect){100, 60, 3, 1}, true, NULL) == WEND_OK);
            bool good = test_terrain_open(&terrain, map, TEST_KNOWN, 1, rules);
            wend_db *db = good ? test_db_build(terrain.stage.map, "atlas:sector=8", 1) : NULL;
            wend_agent *agent = db ? test_db_agent(&terrain.stage, "atlas:db=x", db) : NULL;
            wend_cell start = 120 * 10 + 20, goal = 120 * 110 + 20;
            if (agent && CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) {
                uint64_t hash = 0;
                if (hasty) make_hasty(agent, 300);
                while (wend_agent_counters(agent).moves < 40) (void)test_terrain_step(&terrain, agent, &hash);
                test_terrain_edit(&terrain, (wend_rect){10, 60, 3, 1}, false);
                test_dijkstra(&terrain.stage.grid, goal, terrain.stage.left);
                wend_cost best = terrain.stage.left[wend_agent_cell(agent)], cost = 0;
                for (int i = 0; i < 3000 && wend_agent_cell(agent) != goal; i++) {
                    wend_step step = test_terrain_step(&terrain, agent, &hash);
                    if (step.outcome == WEND_STEP_MOVED)
                        cost += test_move_cost(&terrain.stage.grid, step.direction);
                }
                CHECK_THAT(wend_agent_cell(agent) == goal && cost <= best + best / 4,
                           "rules %u: at %u after %llu, with a way of %llu", rules, wend_agent_cell(agent),
                           (unsigned long long)cost, (unsigned long long)best);
            }
            wend_agent_destroy(agent);
            wend_db_close(db);
            test_terrain_close(&terrain);
            test_case();
        }
}

static void what_it_can_not_do_is_refused(void) {
    test_terrain terrain;
    test_random random = {0};
    const wend_settings *settings = NULL;
    wend_error error = {0};
    wend_agent *agent = NULL;
    wend_agent_options options = wend_default_agent_options();
    CHECK(test_settings_parse("atlas:db=x", &settings, NULL) == WEND_OK);
    for (int belief = TEST_KNOWN; belief <= TEST_UNKNOWN; belief++) {
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 30, 30, test_rules(0), &random, NULL);
        bool good = test_terrain_open(&terrain, map, (test_belief)belief, 1, 1);
        wend_db *db = good ? test_db_build(terrain.stage.map, "atlas:sector=8", 1) : NULL;
        options.db = db, options.knowledge = terrain.knowledge;
        if (db && belief == TEST_UNKNOWN)
            CHECK(wend_agent_create(terrain.stage.world, settings, &options, &agent, &error) != WEND_OK &&
                  error.message[0]);
        if (db && belief == TEST_KNOWN) { /* created after edits, it is of the map as it was before */
            test_terrain_edit(&terrain, (wend_rect){3, 3, 4, 4}, false);
            CHECK(wend_agent_create(terrain.stage.world, settings, &options, &agent, &error) == WEND_OK);
            wend_agent_destroy(agent);
            wend_db *other = test_db_build(wend_world_map(terrain.stage.world), "atlas:sector=8", 1);
            options.db = other;
            CHECK(wend_agent_create(terrain.stage.world, settings, &options, &agent, &error) ==
                  WEND_STATUS_OTHER_MAP);
            wend_db_close(other);
        }
        wend_db_close(db);
        test_terrain_close(&terrain);
        test_case();
    }
}

/* A wall is built on an agent whose goal is in sight: it can't move, and says that there is no path, until
 * the wall is gone. */
static void walled_in_beside_its_goal(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_terrain terrain;
        test_random random = {rules};
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, 20, 20, test_rules(rules), &random, NULL);
        uint64_t hash = 0;
        bool good = test_terrain_open(&terrain, map, TEST_KNOWN, 1, rules);
        wend_db *db = good ? test_db_build(terrain.stage.map, kinds[rules % KINDS], 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&terrain.stage, "atlas:db=x", db) : NULL;
        if (agent && CHECK(wend_agent_start(agent, 42, 48, NULL) == WEND_OK)) {
            test_terrain_edit_cell(&terrain, 42, false);
            test_terrain_end(&terrain, agent, &hash);
            test_terrain_edit_cell(&terrain, 42, true);
            test_terrain_end(&terrain, agent, &hash);
        }
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_terrain_close(&terrain);
        test_case();
    }
}

static const test tests[] = {
    {"any script of edits", any_script_of_edits},
    {"any belief", any_belief},
    {"ways stay short", ways_stay_short},
    {"agents share what there is", agents_share_what_there_is},
    {"it does not go to and fro", it_does_not_go_to_and_fro},
    {"walled in beside its goal", walled_in_beside_its_goal},
    {"what it can not do is refused", what_it_can_not_do_is_refused},
};
TEST_MAIN(tests)
