#include "support/agents/repairs.h"

#include "support/check.h"
#include "support/files.h"
#include "support/memory.h"
#include "support/settings.h"

#include <string.h>
#include <wend/wend.h>

static const char *kind_of(const test_repairs *of, uint64_t number) {
    return of->kinds[number % of->kind_count];
}

static wend_repair_options options_of(const wend_allocator *allocator) {
    wend_repair_options options = wend_default_repair_options();
    options.max_representatives = UINT32_MAX;
    if (allocator) options.allocator = *allocator;
    return options;
}

wend_repair *test_repair_make(const test_repairs *of, const wend_db *db, const wend_map *map,
                              uint64_t number) {
    wend_repair_options options = options_of(NULL);
    wend_repair *repair = NULL;
    if (!db || !CHECK(wend_repair_create(db, map, &options, &repair, NULL) == WEND_OK)) return NULL;
    if (of->tune) of->tune(repair, number);
    return repair;
}

bool test_repaired_open(test_repaired *it, const test_repairs *of, uint64_t number, wend_map *base) {
    *it = (test_repaired){.of = of, .number = number, .base = base};
    if (!CHECK(base) || !CHECK(wend_map_copy(base, &it->map, NULL) == WEND_OK)) return false;
    it->db = test_db_build(base, kind_of(of, number), 1);
    it->repair = test_repair_make(of, it->db, it->map, number);
    return it->repair;
}

void test_repaired_close(test_repaired *it) {
    wend_repair_destroy(it->repair);
    wend_db_close(it->db);
    wend_map_destroy(it->map);
    wend_map_destroy(it->base);
}

bool test_repaired_right(const test_repaired *it, const wend_map *map, const char *when) {
    return CHECK_THAT(it->of->right(it->repair, map), "map %llu, %s", it->number, when);
}

wend_map *test_repaired_map(uint64_t number, int32_t most) {
    test_random random = {number * 7919 + 1};
    int32_t width = 1 + (int32_t)test_below(&random, (uint32_t)most),
            height = 1 + (int32_t)test_below(&random, (uint32_t)most);
    return test_map_make((test_shape)(number % TEST_SHAPES), width, height,
                         test_rules((uint32_t)(number / TEST_SHAPES)), &random, NULL);
}

bool test_repair_finish(const test_repairs *of, wend_repair *repair, uint64_t slice) {
    bool done = false;
    uint64_t before = wend_repair_about(repair).operations, given = 0, over = of->over(repair);
    for (uint32_t calls = 0; calls < 10000000 && !done; calls++) {
        if (!CHECK(wend_repair_step(repair, slice, &done, NULL) == WEND_OK)) return false;
        given += slice;
        uint64_t spent = wend_repair_about(repair).operations - before;
        if (!CHECK_THAT(spent <= given + over, "%llu operations, not %llu", (unsigned long long)spent,
                        (unsigned long long)given))
            return false;
    }
    return CHECK(done);
}

static bool finish(test_repaired *it, uint64_t slice) {
    return test_repair_finish(it->of, it->repair, slice);
}

/* Edits, one or several at a time, and some while a repair is under way. */
static void edit_some(test_repaired *it, test_random *random) {
    uint32_t edits = test_below(random, 3) ? 1 : 1 + test_below(random, 8);
    for (uint32_t i = 0; i < edits; i++) CHECK(test_map_edit_any(it->map, random));
    if (test_below(random, 3)) return;
    bool done;
    for (uint32_t i = test_below(random, 20); i > 0; i--)
        CHECK(wend_repair_step(it->repair, 1000, &done, NULL) == WEND_OK);
    CHECK(test_map_edit_any(it->map, random));
}

static bool stays_done(const test_repaired *it) {
    bool done = false;
    uint64_t generation = wend_repair_about(it->repair).generation;
    return CHECK(wend_repair_step(it->repair, 1, &done, NULL) == WEND_OK && done) &&
           CHECK(wend_repair_about(it->repair).generation == generation);
}

/* What a repair makes that has seen none of the maps between, in slices of another size. */
static void check_history(const test_repaired *it, test_random *random) {
    wend_repair *other = test_repair_make(it->of, it->db, it->map, it->number);
    if (other && test_repair_finish(it->of, other, 40 + test_below(random, 400)))
        CHECK_THAT(it->of->hash(other) == it->of->hash(it->repair), "map %llu: another history, another end",
                   it->number);
    wend_repair_destroy(other);
}

static void follow_edits(const test_repairs *of, uint64_t maps) {
    for (uint64_t number = 0; number < maps; number++) {
        test_repaired it;
        test_random random = {number};
        wend_map *map = test_repaired_map(number, number % 4 ? of->side * 2 / 3 : of->side);
        bool good =
            test_repaired_open(&it, of, number, map) && test_repaired_right(&it, it.map, "before any edit");
        for (uint32_t round = 0; round < 8 && good; round++) {
            edit_some(&it, &random);
            good = finish(&it, 1 + test_below(&random, 5000)) &&
                   test_repaired_right(&it, it.map, "after a repair") && stays_done(&it);
        }
        if (good && of->hash) check_history(&it, &random);
        test_repaired_close(&it);
        test_case();
    }
}

/* Back to what it was, one cell after another. */
static void take_back(const test_repaired *it) {
    for (int32_t y = 0; y < wend_map_height(it->base); y++)
        for (int32_t x = 0; x < wend_map_width(it->base); x++)
            CHECK(wend_map_edit(it->map, (wend_rect){x, y, 1, 1}, wend_map_is_open(it->base, x, y), NULL) ==
                  WEND_OK);
}

static void begin_anywhere(const test_repairs *of, uint64_t maps) {
    for (uint64_t number = 0; number < maps; number++) {
        test_repaired it;
        test_random random = {number + 5};
        if (test_repaired_open(&it, of, number, test_repaired_map(number + 3, of->side))) {
            uint64_t hash = of->hash ? of->hash(it.repair) : 0;
            CHECK(finish(&it, 1000) && wend_repair_about(it.repair).generation == 0);
            for (int i = 0; i < 5; i++) CHECK(test_map_edit_any(it.map, &random));
            wend_repair_destroy(it.repair);
            it.repair = test_repair_make(of, it.db, it.map, number);
            if (it.repair && test_repaired_right(&it, it.base, "before the first step") && finish(&it, 3000))
                (void)test_repaired_right(&it, it.map, "edited beforehand");
            take_back(&it);
            if (it.repair && finish(&it, 100000)) (void)test_repaired_right(&it, it.base, "taken back");
            CHECK(!of->hash || of->hash(it.repair) == hash);
        }
        test_repaired_close(&it);
        test_case();
    }
}

static void write_some(const test_repairs *of, uint64_t maps) {
    const char *path = test_path("repaired.db");
    for (uint64_t number = 0; number < maps; number++) {
        test_repaired it;
        test_random random = {number};
        wend_build_options options = wend_default_build_options();
        wend_db_options opening = wend_default_db_options();
        wend_error error = {0};
        bool good = test_repaired_open(&it, of, number, test_repaired_map(number + 9, of->side));
        while (good && wend_map_fingerprint(it.map) == wend_map_fingerprint(it.base))
            CHECK(test_map_edit_any(it.map, &random));
        if (good)
            CHECK(wend_repair_write(it.repair, &options, path, &error) == WEND_STATUS_STALE &&
                  error.message[0]);
        if (good && finish(&it, 10000)) {
            wend_db *db = NULL;
            CHECK(wend_repair_write(it.repair, &options, path, NULL) == WEND_OK);
            if (CHECK(wend_db_open(path, it.map, &opening, &db, NULL) == WEND_OK))
                CHECK(wend_db_verify(db, it.map, 0, &options, NULL) == WEND_OK);
            wend_db_close(db);
            CHECK(wend_db_open(path, it.base, &opening, &db, NULL) == WEND_STATUS_OTHER_MAP);
        }
        test_repaired_close(&it);
        test_case();
    }
}

void test_repairs_follow_edits(const test_repairs *of, uint64_t maps) {
    follow_edits(of, maps);
    begin_anywhere(of, maps / 4);
    write_some(of, maps / 12);
}

/* Limits ------------------------------------------------------------------------------------------------- */

/* An edit, taken in although memory may be refused once. True: it was. */
static bool step_without_memory(test_repaired *it, wend_rect area, bool open) {
    bool done = false, refused = false;
    wend_error error = {0};
    wend_map *before = NULL;
    CHECK(wend_map_copy(it->map, &before, NULL) == WEND_OK);
    CHECK(wend_map_edit(it->map, area, open, NULL) == WEND_OK);
    for (int i = 0; i < 100000 && !done; i++) {
        wend_status status = wend_repair_step(it->repair, 1000, &done, &error);
        if (status == WEND_OK) continue;
        refused = true;
        CHECK(status == WEND_STATUS_NO_MEMORY && !done && error.message[0]);
        (void)test_repaired_right(it, before, "without memory");
    }
    CHECK(done);
    (void)test_repaired_right(it, it->map, "with memory again");
    wend_map_destroy(before);
    return refused;
}

/* The request of this number is refused. */
static bool refuse_request(const test_repairs *of, const wend_map *base, const wend_db *db, uint64_t number) {
    test_memory memory = {.refuse_at = number};
    wend_allocator allocator = test_allocator(&memory);
    wend_repair_options options = options_of(&allocator);
    wend_error error = {0};
    test_repaired it = {.of = of, .number = number};
    CHECK(wend_map_copy(base, &it.map, NULL) == WEND_OK);
    bool refused = wend_repair_create(db, it.map, &options, &it.repair, &error) != WEND_OK;
    if (refused) CHECK(error.status == WEND_STATUS_NO_MEMORY && error.message[0] && !it.repair);
    if (it.repair) {
        if (of->tune) of->tune(it.repair, number);
        refused |= step_without_memory(&it, (wend_rect){3, 4, 6, 5}, false);
        refused |= step_without_memory(&it, (wend_rect){8, 1, 5, 6}, true);
    }
    test_repaired_close(&it);
    CHECK(!memory.live_blocks && !memory.wrong_sizes);
    test_case();
    return refused;
}

/* All requests for memory, until none is refused any more. */
static void refuse_requests(const test_repairs *of) {
    enum { CALM = 6 }; /* how many go on undisturbed when all requests have been refused: they may be tuned */
    test_random random = {4};
    wend_map *base = test_map_make(TEST_SHAPE_ROOMS, 15, 10, test_rules(0), &random, NULL);
    wend_db *db = base ? test_db_build(base, of->kinds[0], 1) : NULL;
    uint32_t calm = 0;
    for (uint64_t n = 1; db && calm < CALM && n < 2000; n++)
        calm = refuse_request(of, base, db, n) ? 0 : calm + 1;
    CHECK(calm == CALM);
    wend_db_close(db);
    wend_map_destroy(base);
}

/* With a cap, or 0. True: it was done. */
static bool run_within(const test_repaired *it, uint64_t number, size_t most, test_memory *memory) {
    wend_allocator allocator = test_allocator(memory);
    wend_repair_options options = options_of(&allocator);
    wend_repair *repair = NULL;
    wend_error error = {0};
    bool done = false;
    options.max_bytes = most;
    wend_status status = wend_repair_create(it->db, it->map, &options, &repair, &error);
    if (repair && it->of->tune) it->of->tune(repair, number);
    while (status == WEND_OK && !done) status = wend_repair_step(repair, 5000, &done, &error);
    CHECK(done == (status == WEND_OK) && (done || (status == WEND_STATUS_NO_MEMORY && error.message[0])));
    if (repair) CHECK(wend_repair_about(repair).bytes == memory->live_bytes);
    wend_repair_destroy(repair);
    CHECK(!memory->live_blocks && !memory->wrong_sizes);
    test_case();
    return done;
}

/* With as much as it takes without a cap it is done, and with no less. */
static void keep_caps(const test_repairs *of) {
    enum { PARTS = 20 };
    for (uint64_t number = 0; number < 2; number++) {
        test_repaired it;
        test_random random = {8};
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 30, 30, test_rules(0), &random, NULL);
        if (test_repaired_open(&it, of, number, map)) {
            test_memory free_use = {0};
            CHECK(wend_map_edit(it.map, (wend_rect){3, 3, 5, 5}, false, NULL) == WEND_OK);
            CHECK(run_within(&it, number, 0, &free_use));
            const size_t needs = free_use.peak_bytes;
            for (size_t part = 1; part <= PARTS; part++) {
                test_memory memory = {0};
                bool done = run_within(&it, number, needs * part / PARTS, &memory);
                CHECK_THAT(memory.peak_bytes <= needs * part / PARTS && done == (part == PARTS),
                           "%llu bytes of %zu", (unsigned long long)memory.peak_bytes, needs * part / PARTS);
            }
        }
        test_repaired_close(&it);
    }
}

/* Repairs of another kind, and one that follows another map than the agent. */
static void refuse_agents(const test_repaired *it) {
    wend_world_options options = wend_default_world_options();
    options.editable = true;
    wend_world *world = NULL;
    const wend_settings *settings = NULL;
    wend_agent *agent = NULL;
    wend_agent_options agents = wend_default_agent_options();
    wend_error error = {0};
    agents.db = it->db, agents.repair = it->repair;
    CHECK(test_settings_parse(it->of->planner, &settings, NULL) == WEND_OK);
    CHECK(wend_world_create(it->base, &options, &world, NULL) == WEND_OK);
    CHECK(wend_agent_create(world, settings, &agents, &agent, &error) == WEND_STATUS_OTHER_MAP);
    CHECK(strstr(error.message, "map"));
    wend_db *other = test_db_build(it->base, it->of->other, 1);
    wend_repair *repair = test_repair_make(&(test_repairs){.tune = NULL}, other, wend_world_map(world), 0);
    agents.repair = repair;
    CHECK(wend_agent_create(world, settings, &agents, &agent, &error) == WEND_STATUS_OTHER_MAP);
    CHECK(strstr(error.message, it->of->other) && !agent);
    wend_repair_destroy(repair);
    wend_db_close(other);
    wend_world_destroy(world);
}

static void refuse_arguments(const test_repaired *it) {
    wend_repair_options options = wend_default_repair_options(), none = {0};
    wend_repair *repair = NULL;
    bool done;
    CHECK(wend_repair_create(NULL, it->map, &options, &repair, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_repair_create(it->db, NULL, &options, &repair, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_repair_create(it->db, it->map, &options, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_repair_create(it->db, it->map, &none, &repair, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_repair_step(NULL, 1, &done, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_repair_step(it->repair, 1, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_repair_write(NULL, NULL, "x", NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_repair_write(it->repair, NULL, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_can_repair(it->db) && !wend_db_can_repair(NULL) && !repair);
    wend_repair_destroy(NULL);
}

static void refuse_databases(const test_repaired *it) {
    wend_repair_options options = wend_default_repair_options();
    for (const char *const *kind = it->of->unsupported; *kind; kind++) {
        wend_db *db = test_db_build(it->base, *kind, 1);
        wend_repair *repair = NULL;
        wend_error error = {0};
        CHECK(db && !wend_db_can_repair(db));
        CHECK(wend_repair_create(db, it->map, &options, &repair, &error) == WEND_STATUS_UNSUPPORTED);
        CHECK(error.message[0] && !repair);
        wend_db_close(db);
    }
}

/* Of another size, with other rules; and the database's own, once that is edited. */
static void refuse_maps(test_repaired *it) {
    test_random random = {0};
    wend_repair_options options = wend_default_repair_options();
    wend_repair *repair = NULL;
    wend_error error = {0};
    wend_map *maps[] = {test_map_make(TEST_SHAPE_OPEN, 29, 30, test_rules(0), &random, NULL),
                        test_map_make(TEST_SHAPE_OPEN, 30, 30, test_rules(1), &random, NULL), it->base};
    CHECK(wend_map_edit(it->base, (wend_rect){3, 3, 20, 20}, false, NULL) == WEND_OK);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        CHECK(wend_repair_create(it->db, maps[i], &options, &repair, &error) == WEND_STATUS_OTHER_MAP);
        CHECK(error.message[0] && !repair);
        if (maps[i] != it->base) wend_map_destroy(maps[i]);
    }
}

static void refuse_wrong_use(const test_repairs *of) {
    test_repaired it;
    test_random random = {0};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 30, 30, test_rules(0), &random, NULL);
    if (test_repaired_open(&it, of, 0, map)) {
        refuse_arguments(&it);
        refuse_databases(&it);
        refuse_agents(&it);
        refuse_maps(&it);
    }
    test_repaired_close(&it);
    test_case();
}

void test_repairs_keep_limits(const test_repairs *of) {
    refuse_requests(of);
    keep_caps(of);
    refuse_wrong_use(of);
}
