/* The database of subgoal trees: what it answers, in both forms, against trees grown one by one; how it is
 * built; forged files. */
#include "methods/trees/trees.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/memory.h"
#include "support/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wend/wend.h>

static const char *const kinds[] = {"subgoal-tree", "subgoal-tree:test=pushed", "subgoal-tree:share=no",
                                    "subgoal-tree:test=pushed,share=no"};

static double fact(const wend_db *db, const char *name) {
    wend_fact facts[32];
    size_t count = wend_db_facts(db, facts, 32);
    for (size_t i = 0; i < count && i < 32; i++)
        if (strcmp(facts[i].name, name) == 0) return facts[i].value;
    CHECK_THAT(false, "no fact %s", name);
    return -1;
}

/* What comes after a cell on the way to a goal. */
static wend_cell next_of(const wend_trees *trees, wend_cell cell, wend_cell goal) {
    uint64_t operations = 0;
    uint32_t node = wend_trees_node_at(trees, cell);
    uint32_t next = node == WEND_TREES_NONE ? node : wend_trees_next(trees, node, goal, &operations);
    CHECK(operations <= WEND_TREES_LOOKUP);
    return next == WEND_TREES_NONE ? WEND_NO_CELL : wend_trees_cell(trees, next, goal);
}

static bool among(const wend_trees *trees, const uint32_t *found, uint32_t count, wend_cell cell,
                  wend_cell goal) {
    for (uint32_t i = 0; i < count; i++)
        if (wend_trees_cell(trees, found[i], goal) == cell) return true;
    return false;
}

/* Both forms answer alike, and as a tree of the goal does, for every cell and every goal; the subgoals of a
 * tile are those of its cells, and no others. */
static void both_forms_answer_as_trees_do(void) {
    uint64_t nodes = 0;
    for (uint64_t number = 0; number < 110; number++) {
        wend_map *map = test_map_any(number);
        uint32_t cells = map ? wend_map_cells(map) : 0, found[1024];
        bool pushed = number & 1;
        if (!map || cells > 800 || !wend_map_open_cells(map)) {
            wend_map_destroy(map);
            continue;
        }
        wend_db *shared = test_db_build(map, kinds[pushed], 1),
                *plain = test_db_build(map, kinds[2 + pushed], 1);
        wend_tree_options options = wend_default_tree_options();
        wend_tree *tree = NULL;
        options.test = pushed ? WEND_TREE_PUSHED : WEND_TREE_FINAL;
        uint64_t total = 0, most = 0;
        if (shared && plain && CHECK(wend_tree_create(map, &options, &tree, NULL) == WEND_OK)) {
            const wend_trees *a = wend_trees_of(shared), *b = wend_trees_of(plain);
            bool good = true;
            for (wend_cell goal = 0; goal < cells && good; goal++) {
                if (!wend_map_is_open_cell(map, goal)) continue;
                CHECK(wend_tree_begin(tree, goal, NULL) == WEND_OK && wend_tree_grow(tree, UINT64_MAX));
                total += wend_tree_nodes(tree);
                if (wend_tree_nodes(tree) > most) most = wend_tree_nodes(tree);
                good &= CHECK(wend_trees_count(a, false, goal) == wend_tree_nodes(tree));
                good &= CHECK(wend_trees_count(b, false, goal) == wend_tree_nodes(tree));
                for (wend_cell cell = 0; cell < cells && good; cell++) {
                    wend_cell next = wend_tree_next(tree, cell), from = wend_tree_from(tree, cell);
                    good &= CHECK_THAT(next_of(a, cell, goal) == next && next_of(b, cell, goal) == next,
                                       "map %llu: after %u on the way to %u", (unsigned long long)number,
                                       cell, goal);
                    if (from == WEND_NO_CELL || cell == goal) continue;
                    uint64_t operations = 0;
                    uint32_t count = wend_trees_starts(a, cell, goal, found, 1024, &operations);
                    good &= CHECK(among(a, found, count, from, goal));
                    count = wend_trees_starts(b, cell, goal, found, 1024, &operations);
                    good &= CHECK(among(b, found, count, from, goal));
                    /* With less room, some of them. */
                    good &= CHECK(wend_trees_starts(a, cell, goal, found, 1, &operations) <= 1);
                }
            }
            nodes += total;
            CHECK(fact(shared, "trees") == wend_map_open_cells(map) &&
                  fact(plain, "nodes_max") == (double)most);
            CHECK(fabs(fact(shared, "nodes_mean") * wend_map_open_cells(map) - (double)total) < 1e-6);
            CHECK(fact(shared, "plain_bytes") == fact(plain, "tree_bytes"));
            wend_build_options build = wend_default_build_options();
            CHECK(wend_db_verify(shared, map, 0, &build, NULL) == WEND_OK);
            CHECK(wend_db_verify(plain, map, 0, &build, NULL) == WEND_OK);
            test_case();
        }
        wend_tree_destroy(tree);
        wend_db_close(shared);
        wend_db_close(plain);
        wend_map_destroy(map);
    }
    CHECK_THAT(nodes > 50000, "only %llu nodes", (unsigned long long)nodes);
}

/* Tasks one after another, but backwards, and every one by another worker. */
static void run_backwards(void *context, uint32_t count,
                          void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    uint32_t workers = *(const uint32_t *)context;
    for (uint32_t i = count; i > 0; i--) task(argument, i - 1, i % workers);
}

typedef struct stopper {
    uint64_t left; /* calls before it stops the build */
} stopper;

static bool go_on(void *context, const wend_progress *progress) {
    stopper *s = context;
    (void)progress;
    return s->left-- != 0;
}

/* The bytes of a file; freed by the caller. */
static uint8_t *read_all(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    *size = 0;
    if (!file) return NULL;
    (void)fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    data = malloc((size_t)length + 1);
    *size = fread(data, 1, (size_t)length, file);
    (void)fclose(file);
    return data;
}

static void bytes_depend_on_map_and_settings_alone(void) {
    for (uint64_t number = 0; number < (test_full() ? 24 : test_some(8)); number++) {
        test_random random = {number};
        wend_map *map = test_map_make(number % 3 ? TEST_SHAPE_SCATTERED : TEST_SHAPE_ROOMS, 52, 36,
                                      test_rules((uint32_t)number), &random, NULL);
        char whole[512], other[512];
        const wend_settings *settings = NULL;
        size_t size, other_size;
        const char *folder = getenv("TMPDIR");
        (void)snprintf(whole, sizeof whole, "%s/wend-trees-%ld-a", folder ? folder : "/tmp", (long)getpid());
        (void)snprintf(other, sizeof other, "%s/wend-trees-%ld-b", folder ? folder : "/tmp", (long)getpid());
        if (!CHECK(map) || !CHECK(test_db_settings_parse(kinds[number % 4], &settings, NULL) == WEND_OK))
            return;
        wend_build_options options = wend_default_build_options();
        CHECK(wend_db_build(map, settings, &options, whole, NULL) == WEND_OK);
        uint8_t *data = read_all(whole, &size), *again;
        uint32_t workers = 1 + (uint32_t)number % 5;
        options.tasks = (wend_tasks){.workers = workers, .run = run_backwards, .context = &workers};
        options.seed = 1;
        CHECK(wend_db_build(map, settings, &options, other, NULL) == WEND_OK);
        again = read_all(other, &other_size);
        CHECK(size && size == other_size && memcmp(data, again, size) == 0);
        free(again);
        /* Interrupted and continued, as often as it takes. */
        (void)unlink(other);
        stopper stop = {0};
        options.progress = go_on, options.progress_context = &stop;
        wend_status status = WEND_STATUS_INTERRUPTED;
        for (int i = 0; i < 100 && status == WEND_STATUS_INTERRUPTED; i++) {
            stop.left = 3 + (uint64_t)i;
            options.resume = i > 0;
            status = wend_db_build(map, settings, &options, other, NULL);
        }
        CHECK(status == WEND_OK);
        again = read_all(other, &other_size);
        CHECK(size == other_size && memcmp(data, again, size) == 0);
        free(again);
        free(data);
        (void)unlink(whole), (void)unlink(other);
        wend_map_destroy(map);
        test_case();
    }
}

/* Any request for memory may be refused, and any cap reached: a status, and nothing is left. */
static void caps_are_kept(void) {
    test_random random = {7};
    wend_map *map = test_map_make(TEST_SHAPE_SCATTERED, 40, 36, wend_default_rules(), &random, NULL);
    const wend_settings *settings = NULL;
    char path[512];
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/wend-trees-%ld-c", folder ? folder : "/tmp", (long)getpid());
    for (int kind = 0; kind < 4; kind += 2) {
        CHECK(test_db_settings_parse(kinds[kind], &settings, NULL) == WEND_OK);
        wend_status status = WEND_STATUS_NO_MEMORY;
        for (uint64_t at = 1; status == WEND_STATUS_NO_MEMORY && at < 5000; at += 1 + at / 40) {
            test_memory memory = {.refuse_at = at};
            wend_build_options options = wend_default_build_options();
            wend_error error = {0};
            options.allocator = test_allocator(&memory);
            status = wend_db_build(map, settings, &options, path, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_NO_MEMORY && error.message[0]));
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            test_case();
        }
        CHECK(status == WEND_OK);
        for (size_t cap = 16000; cap < 100000000; cap *= 2) {
            test_memory memory = {0};
            wend_build_options options = wend_default_build_options();
            options.allocator = test_allocator(&memory);
            options.max_memory = cap;
            status = wend_db_build(map, settings, &options, path, NULL);
            CHECK(status == WEND_OK || status == WEND_STATUS_NO_MEMORY);
            CHECK_THAT(memory.peak_bytes <= cap + 4096, "%llu bytes with a cap of %llu",
                       (unsigned long long)memory.peak_bytes, (unsigned long long)cap);
            test_case();
        }
        CHECK(status == WEND_OK);
        wend_build_options options = wend_default_build_options();
        options.max_size = 2000;
        CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_STATUS_TOO_LARGE);
    }
    (void)unlink(path);
    char part[520];
    (void)snprintf(part, sizeof part, "%s.part", path);
    (void)unlink(part);
    wend_map_destroy(map);
}

static void change(void *data, uint32_t width, uint64_t i, test_random *random, const wend_map *map) {
    uint64_t value = width == 2   ? ((uint16_t *)data)[i]
                     : width == 4 ? ((uint32_t *)data)[i]
                                  : ((uint64_t *)data)[i];
    uint64_t values[] = {value + 1, value - 1, test_open_cell(map, random), test_below(random, 20),
                         UINT64_MAX};
    value = values[test_below(random, 5)];
    if (width == 2)
        ((uint16_t *)data)[i] = (uint16_t)value;
    else if (width == 4)
        ((uint32_t *)data)[i] = (uint32_t)value;
    else
        ((uint64_t *)data)[i] = value;
}

/* Numbers of a file changed at random: what `open` takes, agents can walk with, and `verify` finds that it
 * does not come from this map. */
static void forged_files_are_refused_or_harmless(void) {
    static const char *const planners[] = {"subgoal-tree:db=x", "lss-lrta:k=5,db=x"};
    uint64_t refused = 0, taken = 0;
    for (uint64_t number = 0; number < test_some(300); number++) {
        test_random random = {number};
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number % 50) && wend_map_open_cells(stage.map) > 12 &&
            stage.grid.cells < 1000 && (db = test_db_build(stage.map, kinds[number % 4], 1))) {
            wend_db altered = *db;
            altered.state = NULL;
            wend_section *section = &altered.sections[test_below(&random, (uint32_t)altered.section_count)];
            size_t size = (size_t)section->count * section->width;
            void *data = malloc(size + 1);
            memcpy(data, section->data, size);
            for (uint32_t i = test_below(&random, 3); section->count && i < 3; i++)
                change(data, section->width, test_below(&random, (uint32_t)section->count), &random,
                       stage.map);
            bool same = memcmp(data, section->data, size) == 0;
            section->data = data;
            wend_error error = {0};
            wend_status status = wend_db_subgoal_tree.open(&altered, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_DAMAGED && error.message[0] && !same));
            if (status == WEND_OK && !same) {
                wend_build_options options = wend_default_build_options();
                if (strcmp(section->name, "counts") != 0)
                    CHECK_THAT(wend_db_verify(&altered, stage.map, 0, &options, &error) ==
                                   WEND_STATUS_WRONG_CONTENTS,
                               "map %llu, section %s", (unsigned long long)number, section->name);
                const char *planner = planners[number % 2];
                wend_agent *agent = test_db_agent(&stage, planner, &altered);
                for (int i = 0; i < 6 && agent; i++) {
                    wend_cell start = test_open_cell(stage.map, &random),
                              goal = test_open_cell(stage.map, &random);
                    test_dijkstra(&stage.grid, goal, stage.left);
                    if (stage.left[start] != WEND_NO_COST)
                        CHECK(test_walk_to(&stage, agent, planner, start, goal, 2000000).end ==
                              WEND_STEP_ARRIVED);
                }
                wend_agent_destroy(agent);
                taken++;
            }
            refused += status != WEND_OK;
            wend_db_subgoal_tree.close(&altered);
            if (section->count) {
                section->count--;
                CHECK(wend_db_subgoal_tree.open(&altered, NULL) == WEND_STATUS_DAMAGED);
                wend_db_subgoal_tree.close(&altered);
            }
            free(data);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(refused > test_some(60) && taken > test_some(20), "%llu refused, %llu taken",
               (unsigned long long)refused, (unsigned long long)taken);
}

/* The goal of sharing: a tenth of the plain form or less, the starts included, on a map of about 20,000
 * cells. In the short form a quarter, on a smaller one, where less is shared. */
static void sharing_saves_nine_tenths(void) {
    wend_map *map = test_map_shared(test_full() ? "dao/lak503d" : "bgmaps/AR0043SR", NULL, NULL);
    if (!map) return;
    wend_db *db = test_db_build(map, "subgoal-tree", 1);
    if (db) {
        double plain = fact(db, "plain_bytes"), bytes = (double)wend_db_about(db).bytes;
        CHECK_THAT(bytes * (test_full() ? 10 : 4) <= plain, "%.0f bytes, %.0f in the plain form", bytes,
                   plain);
        wend_build_options verify = wend_default_build_options();
        CHECK(wend_db_verify(db, map, 100, &verify, NULL) == WEND_OK);
    }
    wend_db_close(db);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"both forms answer as trees do", both_forms_answer_as_trees_do},
    {"bytes depend on map and settings alone", bytes_depend_on_map_and_settings_alone},
    {"caps are kept", caps_are_kept},
    {"forged files are refused or harmless", forged_files_are_refused_or_harmless},
    {"sharing saves nine tenths", sharing_saves_nine_tenths},
};
TEST_MAIN(tests)
