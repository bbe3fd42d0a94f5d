/* Exact atlases: shortest ways between all cells of small maps and samples of larger ones, under every rule;
 * every step within its bound; the same bytes from any workers; forged files. */
#include "methods/atlas/agent/agent.h"
#include "methods/atlas/build/build.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/databases.h"
#include "support/files.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wend/wend.h>

static const char *const kinds[] = {"atlas:sector=4,exact=yes", "atlas:exact=yes",
                                    "atlas:sector=7,exact=yes,labels=yes", "atlas:sector=8,exact=yes"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A whole task, every step checked; its cost, or WEND_NO_COST if it ends as unreachable. */
static wend_cost walk(const test_stage *stage, wend_agent *agent, wend_cell start, wend_cell goal) {
    uint64_t bound = wend_agent_bound(agent, wend_agent_budget(agent));
    wend_cost cost = 0;
    if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) return WEND_NO_COST;
    wend_cell at = start;
    for (uint64_t limit = 40 * (uint64_t)stage->grid.cells + 1000; limit > 0; limit--) {
        wend_step step = wend_agent_step(agent);
        CHECK(step.operations <= bound);
        if (step.outcome == WEND_STEP_ARRIVED) return cost;
        if (step.outcome == WEND_STEP_WAITING) continue;
        if (step.outcome != WEND_STEP_MOVED) break;
        wend_cell next = test_next(&stage->grid, at, step.direction);
        if (!CHECK(next != WEND_NO_CELL && next == wend_agent_cell(agent))) break;
        cost += test_move_cost(&stage->grid, step.direction);
        at = next;
    }
    return WEND_NO_COST;
}

/* All pairs of small maps, of every shape and rule. */
static void all_ways_of_small_maps_are_shortest(void) {
    uint64_t pairs = 0;
    for (uint64_t number = 0; number < (test_full() ? 3000 : test_some(600)); number++) {
        test_stage stage;
        wend_map *map = test_map_any(number);
        if (!map || wend_map_cells(map) > 300) {
            wend_map_destroy(map);
            continue;
        }
        bool open = test_stage_open(&stage, map, NULL);
        wend_db *db = open ? test_db_build(stage.map, kinds[number % KINDS], 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        for (wend_cell goal = 0; agent && goal < stage.grid.cells; goal++) {
            if (!stage.grid.open[goal]) continue;
            test_dijkstra(&stage.grid, goal, stage.left);
            for (wend_cell start = 0; start < stage.grid.cells; start++) {
                if (!stage.grid.open[start]) continue;
                wend_cost cost = walk(&stage, agent, start, goal);
                CHECK_THAT(cost == stage.left[start], "%s on map %llu: from %u to %u it takes %lld, not %lld",
                           kinds[number % KINDS], (unsigned long long)number, start, goal, (long long)cost,
                           (long long)stage.left[start]);
                pairs++;
            }
        }
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(pairs > 200000, "only %llu pairs", (unsigned long long)pairs);
}

/* Samples of larger ones, and of a real one where it is there; way that are longer than an agent has room for
 * too. */
static void ways_of_larger_maps_are_shortest(void) {
    static const wend_map_kind shapes[] = {WEND_MAP_CAVES, WEND_MAP_ROOMS,  WEND_MAP_CITY,
                                           WEND_MAP_MAZE,  WEND_MAP_RANDOM, WEND_MAP_OPEN};
    const char *folder = test_shared();
    uint32_t made = test_full() ? 36 : test_some(12);
    for (uint32_t k = 0; k < made + (folder ? 1 : 0); k++) {
        test_stage stage;
        test_random random = {k};
        wend_map *map = NULL;
        if (k == made) {
            map = test_map_shared("sc1/Enigma", NULL, NULL);
        } else {
            map = test_map_generated(shapes[k % 6], 150, test_rules(k * 5), k);
        }
        bool open = test_stage_open(&stage, map, NULL);
        wend_db *db = open ? test_db_build(stage.map, kinds[k % KINDS], 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        for (int i = 0; agent && i < 25; i++) {
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            test_dijkstra(&stage.grid, goal, stage.left);
            wend_atlas_agent *state = agent->state;
            if (i % 2) state->room = (uint8_t)(10 + i % 7);
            CHECK(walk(&stage, agent, start, goal) == stage.left[start]);
        }
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

/* The contents are what the map gives, on maps of every shape and rule. */
static void what_is_built_is_verified(void) {
    for (uint64_t number = 0; number < test_some(200); number++) {
        test_stage stage;
        wend_db *db =
            test_stage_any(&stage, 7000 + number) ? test_db_build(stage.map, kinds[number % KINDS], 1) : NULL;
        wend_build_options options = wend_default_build_options();
        wend_error error = {.message = ""};
        CHECK_THAT(db && wend_db_verify(db, stage.map, 0, &options, &error) == WEND_OK, "map %llu: %s",
                   (unsigned long long)number, error.message);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

static void workers_and_interruptions_leave_the_bytes_alone(void) {
    wend_map *map = test_map_generated(WEND_MAP_CAVES, 150, wend_default_rules(), 1);
    test_db_same_bytes(map, "atlas:sector=8,exact=yes", 60, 60 / test_some(20));
    wend_map_destroy(map);
}

/* Refused any memory, building and verifying: a status with words, and nothing is left behind. */
static void a_lack_of_memory_is_no_harm(void) {
    wend_map *map = test_map_generated(WEND_MAP_CAVES, 40, test_rules(3), 1);
    wend_db *db = test_db_build(map, "atlas:sector=8,exact=yes", 1);
    const wend_settings *settings = NULL;
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("lack.wend"));
    CHECK(test_db_settings_parse("atlas:sector=8,exact=yes", &settings, NULL) == WEND_OK);
    for (int verify = 0; db && verify < 2; verify++) {
        bool done = false;
        for (uint64_t refuse = 1; !done && refuse < 100000; refuse += 1 + refuse / 30) {
            test_memory memory = {.refuse_at = refuse};
            wend_build_options options = wend_default_build_options();
            options.allocator = test_allocator(&memory);
            wend_error error = {.message = ""};
            wend_status status = verify ? wend_db_verify(db, map, 0, &options, &error)
                                        : wend_db_build(map, settings, &options, path, &error);
            done = status == WEND_OK;
            CHECK_THAT(done || (status == WEND_STATUS_NO_MEMORY && error.message[0]), "request %llu: %d %s",
                       (unsigned long long)refuse, (int)status, error.message);
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            test_case();
        }
        CHECK(done);
    }
    (void)unlink(test_path("lack.wend.part"));
    wend_db_close(db);
    wend_map_destroy(map);
}

static void wrong_contents_are_found(void) {
    for (size_t k = 0; k < KINDS; k++) test_db_flips_are_found(kinds[k], k, test_some(150));
}

/* Sections of any contents and any length: refused, or harmless to an agent, which arrives or gives up. */
static void nonsense_is_refused_or_harmless(void) {
    uint64_t refused = 0, used = 0;
    for (uint64_t number = 0; number < test_some(600); number++) {
        test_random random = {number};
        test_stage stage;
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 40, 30, test_rules((uint32_t)number), &random, NULL);
        bool open = test_stage_open(&stage, map, NULL);
        wend_db *db = open ? test_db_build(stage.map, kinds[number % KINDS], number) : NULL;
        test_forged made = test_forge(db);
        for (uint32_t change = 1 + test_below(&random, 3); change > 0; change--) {
            /* Mostly the lists of ends, where anything in order is taken. */
            size_t section = test_below(&random, (uint32_t)db->section_count);
            for (size_t i = 0; number % 4 && i < db->section_count; i++)
                if (strcmp(db->sections[i].name, "members") == 0) section = i;
            uint64_t bytes = made.db.sections[section].count * made.db.sections[section].width;
            if (number % 4 == 0 && test_below(&random, 6) == 0)
                made.db.sections[section].count =
                    test_below(&random, (uint32_t)bytes + 1) / made.db.sections[section].width;
            else if (bytes)
                ((uint8_t *)made.copies[section])[test_below(&random, (uint32_t)bytes)] ^=
                    (uint8_t)test_below(&random, 4);
        }
        wend_error error = {.message = ""};
        if (wend_db_atlas.open(&made.db, &error) != WEND_OK) {
            refused++;
            CHECK(error.status == WEND_STATUS_DAMAGED && error.message[0]);
        } else {
            used++;
            wend_agent *agent = test_db_agent(&stage, "atlas:db=-", &made.db);
            for (int i = 0; agent && i < 12; i++) {
                wend_cell start = test_open_cell(stage.map, &random),
                          goal = test_open_cell(stage.map, &random);
                if (start != WEND_NO_CELL) (void)walk(&stage, agent, start, goal);
            }
            wend_agent_destroy(agent);
        }
        test_forged_free(&made);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(refused > test_some(50) && used > test_some(50), "%llu refused, %llu used",
               (unsigned long long)refused, (unsigned long long)used);
}

static const test tests[] = {
    {"all ways of small maps are shortest", all_ways_of_small_maps_are_shortest},
    {"ways of larger maps are shortest", ways_of_larger_maps_are_shortest},
    {"what is built is verified", what_is_built_is_verified},
    {"workers and interruptions leave the bytes alone", workers_and_interruptions_leave_the_bytes_alone},
    {"a lack of memory is no harm", a_lack_of_memory_is_no_harm},
    {"wrong contents are found", wrong_contents_are_found},
    {"nonsense is refused or harmless", nonsense_is_refused_or_harmless},
};

TEST_MAIN(tests)
