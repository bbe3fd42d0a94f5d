#include "support/databases.h"

#include "support/check.h"
#include "support/crew.h"
#include "support/files.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wend/wend.h>

wend_db *test_db_build(const wend_map *map, const char *kind, uint64_t seed) {
    const char *folder = getenv("TMPDIR");
    char path[512];
    (void)snprintf(path, sizeof path, "%s/wend-test-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (!CHECK_THAT(file >= 0, "no temporary file at %s", path)) return NULL;
    (void)close(file);
    const wend_settings *settings = NULL;
    wend_error error = {0};
    wend_db *db = NULL;
    wend_build_options options = wend_default_build_options();
    wend_db_options opening = wend_default_db_options();
    options.seed = seed;
    wend_status status = test_db_settings_parse(kind, &settings, &error);
    if (status == WEND_OK) status = wend_db_build(map, settings, &options, path, &error);
    if (status == WEND_OK) status = wend_db_open(path, map, &opening, &db, &error);
    (void)unlink(path);
    CHECK_THAT(status == WEND_OK, "%s: %s", kind, error.message);
    return db;
}

test_forged test_forge(const wend_db *db) {
    test_forged made = {.db = *db};
    made.db.state = NULL;
    for (size_t i = 0; i < db->section_count; i++) {
        size_t bytes = (size_t)db->sections[i].count * db->sections[i].width;
        made.copies[i] = calloc(bytes + 8, 1);
        if (!CHECK(made.copies[i])) abort();
        if (bytes) memcpy(made.copies[i], db->sections[i].data, bytes);
        made.db.sections[i].data = made.copies[i];
    }
    return made;
}

void test_forged_free(test_forged *made) {
    if (made->db.state) made->db.form->close(&made->db);
    for (size_t i = 0; i < WEND_DB_SECTIONS; i++) free(made->copies[i]);
}

void test_forged_spoil(test_forged *made, test_random *random, uint32_t bound) {
    size_t i = test_below(random, (uint32_t)made->db.section_count);
    uint32_t bytes = (uint32_t)(made->db.sections[i].count * made->db.sections[i].width);
    if (test_below(random, 6) == 0)
        made->db.sections[i].count = test_below(random, bytes + 1) / made->db.sections[i].width;
    else if (bytes)
        ((uint8_t *)made->copies[i])[test_below(random, bytes)] = (uint8_t)test_below(random, bound);
}

bool test_stop_at(void *context, const wend_progress *progress) {
    uint64_t *left = context;
    CHECK(progress->done <= progress->total);
    return !*left || --*left;
}

static void check_bytes(const char *path, test_bytes expected, const char *kind, const char *how,
                        uint64_t number) {
    test_bytes bytes = test_read(path);
    CHECK_THAT(test_same_bytes(bytes, expected), "%s: other bytes %s %llu", kind, how,
               (unsigned long long)number);
    free(bytes.data);
    test_case();
}

void test_db_same_bytes(const wend_map *map, const char *kind, uint64_t stops, uint64_t apart) {
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("database"));
    const wend_settings *settings = NULL;
    wend_error error = {0};
    wend_build_options options = wend_default_build_options();
    CHECK(test_db_settings_parse(kind, &settings, NULL) == WEND_OK);
    CHECK_THAT(wend_db_build(map, settings, &options, path, &error) == WEND_OK, "%s", error.message);
    test_bytes expected = test_read(path);
    for (uint32_t workers = 1; workers <= 8; workers *= 2) {
        options.tasks = shared_tasks((int)workers);
        CHECK_THAT(wend_db_build(map, settings, &options, path, &error) == WEND_OK, "%s", error.message);
        check_bytes(path, expected, kind, "by workers:", workers);
    }
    options.tasks = (wend_tasks){0};
    uint64_t stopped = 0, left;
    options.progress = test_stop_at, options.progress_context = &left;
    for (uint64_t stop = 1; stop <= stops; stop += apart) {
        (void)unlink(path);
        wend_status status = WEND_STATUS_INTERRUPTED;
        for (int turn = 0; status == WEND_STATUS_INTERRUPTED; turn++) {
            left = turn < 2 ? stop : 0;
            options.resume = turn > 0;
            status = wend_db_build(map, settings, &options, path, &error);
            CHECK_THAT(status == WEND_OK || status == WEND_STATUS_INTERRUPTED, "%s", error.message);
            stopped += status == WEND_STATUS_INTERRUPTED;
        }
        check_bytes(path, expected, kind, "when stopped at", stop);
    }
    CHECK_THAT(stopped > 2, "%s: stopped only %llu times", kind, (unsigned long long)stopped);
    (void)unlink(path);
    free(expected.data);
}

wend_agent *test_db_agent(const test_stage *stage, const char *planner, const wend_db *db) {
    wend_agent_options options = wend_default_agent_options();
    options.db = db;
    return test_agent_make(stage, planner, &options);
}

double test_db_suboptimality(wend_agent *agent, const wend_map *map, wend_cell start, wend_cell goal,
                             double optimal, uint64_t limit) {
    uint64_t moves[2] = {0, 0};
    if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) return -1;
    for (uint64_t i = 0; i < limit; i++) {
        wend_step step = wend_agent_step(agent);
        if (step.outcome == WEND_STEP_MOVED) moves[step.direction & 1]++;
        if (step.outcome == WEND_STEP_ARRIVED)
            return (wend_map_length(map, moves[0], moves[1]) / optimal - 1) * 100;
        if (step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING) break;
    }
    return -1;
}

bool test_db_compare(const char *const maps[2], const char *const *kinds, size_t count, const char *planner,
                     double *means, double *bytes) {
    enum { PROBLEMS = 32 };
    for (size_t j = 0; j < count; j++) means[j] = bytes[j] = 0;
    uint32_t taken = test_some(2);
    for (uint32_t i = 0; i < taken; i++) {
        wend_map *map = test_map_shared(maps[i], NULL, NULL);
        if (!map) return false;
        wend_scenario *problems = NULL;
        wend_problems_options wanted = wend_default_problems_options();
        wanted.min_length = 100, wanted.max_length = 150;
        CHECK(wend_problems_generate(map, maps[i], PROBLEMS, &wanted, &problems, NULL) == WEND_OK);
        test_stage stage;
        if (test_stage_open(&stage, map, NULL) && problems)
            for (size_t j = 0; j < count; j++) {
                wend_db *db = kinds[j] ? test_db_build(map, kinds[j], 1) : NULL;
                wend_agent *agent = test_db_agent(&stage, db ? planner : "lrta:d=3", db);
                if (db) bytes[j] += (double)wend_db_about(db).bytes;
                for (size_t k = 0; agent && k < PROBLEMS; k++) {
                    const wend_problem *p = wend_scenario_at(problems, k);
                    double over =
                        test_db_suboptimality(agent, map, wend_map_cell(map, p->start.x, p->start.y),
                                              wend_map_cell(map, p->goal.x, p->goal.y), p->length, 10000000);
                    CHECK(over > -1e-9);
                    means[j] += over / (taken * PROBLEMS);
                }
                wend_agent_destroy(agent);
                wend_db_close(db);
            }
        wend_scenario_destroy(problems);
        test_stage_close(&stage);
    }
    return true;
}

static wend_outcome checked_step(const test_stage *stage, wend_agent *agent, uint64_t planned) {
    wend_cell before = wend_agent_cell(agent);
    wend_step step = wend_agent_step(agent);
    if (step.outcome == WEND_STEP_MOVED)
        CHECK(step.direction < 8 &&
              test_next(&stage->grid, before, step.direction) == wend_agent_cell(agent));
    else
        CHECK(wend_agent_cell(agent) == before);
    CHECK(step.operations <= wend_agent_bound(agent, wend_agent_budget(agent) + planned));
    return step.outcome;
}

/* Some parts of tasks and a whole one; returns the agent's hashes after each, mixed. */
static uint64_t change_tasks(const test_stage *stage, wend_agent *agent, uint64_t number) {
    test_random random = {number};
    uint64_t hash = 0;
    CHECK(wend_agent_start(agent, test_open_cell(stage->map, &random), test_open_cell(stage->map, &random),
                           NULL) == WEND_OK);
    for (uint32_t part = 0; part < 6; part++) {
        for (uint32_t i = test_below(&random, 30); i > 0; i--) {
            bool plans = test_below(&random, 4) == 0;
            if (plans) (void)wend_agent_plan(agent, 3);
            (void)checked_step(stage, agent, plans ? 3 : 0);
        }
        hash = 31 * hash + wend_agent_hash(agent);
        /* Anywhere, or where it stands or heads for already. */
        wend_cell other = test_open_cell(stage->map, &random);
        if (test_below(&random, 5) == 0) other = part % 2 ? wend_agent_goal(agent) : wend_agent_cell(agent);
        CHECK((part % 2 ? wend_agent_place(agent, other, NULL) : wend_agent_set_goal(agent, other, NULL)) ==
              WEND_OK);
    }
    wend_outcome outcome = WEND_STEP_WAITING;
    for (uint32_t i = 0; i < 1000000 && outcome <= WEND_STEP_WAITING; i++)
        outcome = checked_step(stage, agent, 0);
    test_dijkstra(&stage->grid, wend_agent_goal(agent), stage->left);
    bool joined = stage->left[wend_agent_cell(agent)] != WEND_NO_COST;
    CHECK(outcome == (joined ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE));
    return 31 * hash + wend_agent_hash(agent);
}

uint64_t test_db_walks(uint64_t number, const char *kind, const char *planner) {
    test_random random = {number};
    test_memory memory = {0};
    wend_world_options options = wend_default_world_options();
    options.allocator = test_allocator(&memory);
    test_stage stage;
    uint64_t waits = 0;
    if (test_stage_open(&stage, test_map_any(number), &options) && wend_map_open_cells(stage.map)) {
        stage.number = number;
        wend_db *db = test_db_build(stage.map, kind, number);
        wend_agent *agents[2] = {db ? test_db_agent(&stage, planner, db) : NULL,
                                 db ? test_db_agent(&stage, planner, db) : NULL};
        for (int i = 0; i < 3 && agents[0] && agents[1]; i++) {
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            test_dijkstra(&stage.grid, goal, stage.left);
            uint64_t requests = memory.requests;
            test_walk walk = test_walk_to(&stage, agents[0], planner, start, goal, 2000000);
            test_walk again = test_walk_to(&stage, agents[1], planner, start, goal, 2000000);
            CHECK(memory.requests == requests);
            CHECK_THAT(walk.end ==
                           (stage.left[start] == WEND_NO_COST ? WEND_STEP_UNREACHABLE : WEND_STEP_ARRIVED),
                       "%s on map %llu: outcome %d", planner, (unsigned long long)number, (int)walk.end);
            CHECK(walk.ticks == again.ticks && wend_agent_hash(agents[0]) == wend_agent_hash(agents[1]));
            waits += walk.waits;
            test_case();
        }
        wend_agent_destroy(agents[0]);
        wend_agent_destroy(agents[1]);
        wend_db_close(db);
    }
    test_stage_close(&stage);
    return waits;
}

void test_db_tasks_change(uint64_t number, const char *kind, const char *planner) {
    test_stage stage;
    wend_db *db = test_stage_any(&stage, number) ? test_db_build(stage.map, kind, number) : NULL;
    uint64_t hashes[2] = {0};
    for (int run = 0; db && wend_map_open_cells(stage.map) && run < 2; run++) {
        wend_agent *agent = test_db_agent(&stage, planner, db);
        if (agent) hashes[run] = change_tasks(&stage, agent, number);
        wend_agent_destroy(agent);
    }
    CHECK(hashes[0] == hashes[1]);
    wend_db_close(db);
    test_stage_close(&stage);
    test_case();
}

void test_db_flips_are_found(const char *kind, uint64_t number, uint32_t flips) {
    test_random random = {number};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 40, 37, test_rules((uint32_t)number), &random, NULL);
    wend_db *db = CHECK(map) ? test_db_build(map, kind, 3) : NULL;
    for (uint32_t i = 0; db && i < flips; i++) {
        size_t section = test_below(&random, (uint32_t)db->section_count);
        size_t bytes = (size_t)db->sections[section].count * db->sections[section].width;
        if (!bytes) continue;
        test_forged made = test_forge(db);
        uint32_t byte = test_below(&random, (uint32_t)bytes), bit = test_below(&random, 8);
        ((uint8_t *)made.copies[section])[byte] ^= (uint8_t)(1u << bit);
        wend_error error = {.message = ""};
        wend_build_options options = wend_default_build_options();
        wend_status status = db->form->open(&made.db, &error);
        if (status == WEND_OK) status = wend_db_verify(&made.db, map, 0, &options, &error);
        CHECK_THAT(status == WEND_STATUS_DAMAGED || status == WEND_STATUS_WRONG_CONTENTS,
                   "%s: byte %u of section %s changed, and nobody knows (%d)", kind, byte,
                   db->sections[section].name, (int)status);
        CHECK(error.message[0]);
        test_forged_free(&made);
    }
    wend_db_close(db);
    wend_map_destroy(map);
    test_case();
}

static uint64_t walk_while_edited(uint64_t number, const char *kind, const char *planner) {
    enum { WIDTH = 18, HEIGHT = 14 };
    test_memory memory = {0};
    test_random random = {number};
    wend_map *map = test_map_make((test_shape)(number % TEST_SHAPES), WIDTH, HEIGHT,
                                  test_rules((uint32_t)number), &random, NULL);
    wend_world_options options = wend_default_world_options();
    wend_agent_options own = wend_default_agent_options();
    const wend_settings *settings = NULL;
    wend_world *world = NULL;
    wend_agent *agent = NULL;
    wend_db *db = test_db_build(map, kind, 1);
    uint64_t hash = 0;
    options.editable = true, options.allocator = test_allocator(&memory);
    own.db = db;
    CHECK(test_settings_parse(planner, &settings, NULL) == WEND_OK);
    wend_cell from = test_open_cell(map, &random), to = test_open_cell(map, &random);
    if (from != WEND_NO_CELL && CHECK(wend_world_create(map, &options, &world, NULL) == WEND_OK) &&
        CHECK(wend_agent_create(world, settings, &own, &agent, NULL) == WEND_OK)) {
        CHECK(wend_agent_start(agent, from, to, NULL) == WEND_OK);
        for (int step = 0; step < 200; step++) {
            if (test_below(&random, 4) == 0) {
                wend_rect cell = {(int32_t)test_below(&random, WIDTH), (int32_t)test_below(&random, HEIGHT),
                                  1, 1};
                CHECK(wend_world_edit(world, cell, test_below(&random, 3) == 0, NULL) == WEND_OK);
            }
            uint64_t requests = memory.requests;
            (void)wend_agent_step(agent);
            if (step % 3 == 0) (void)wend_agent_plan(agent, 2);
            CHECK(memory.requests == requests);
            hash = hash * 31 + wend_agent_hash(agent);
        }
    }
    wend_agent_destroy(agent);
    wend_world_destroy(world);
    wend_db_close(db);
    wend_map_destroy(map);
    CHECK(!memory.live_blocks && !memory.wrong_sizes);
    return hash;
}

void test_db_edits_repeat(uint64_t number, const char *kind, const char *planner) {
    uint64_t hash = walk_while_edited(number, kind, planner);
    CHECK_THAT(walk_while_edited(number, kind, planner) == hash, "%s, run %llu", planner,
               (unsigned long long)number);
    test_case();
}
