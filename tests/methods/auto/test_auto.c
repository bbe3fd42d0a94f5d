/* `auto`: what is chosen for a map and limits, that it depends on nothing else, and the planner that goes
 * with any database. */
#include "methods/auto/estimate.h"
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

static wend_db_choice choice_of(const wend_map *map, const char *text, const wend_build_options *options) {
    wend_db_choice choice = {.why = ""};
    const wend_settings *settings = NULL;
    wend_error error = {.message = ""};
    CHECK_THAT(test_db_settings_parse(text, &settings, &error) == WEND_OK, "%s: %s", text, error.message);
    CHECK_THAT(wend_db_choose(map, settings, options, &choice, &error) == WEND_OK, "%s: %s", text,
               error.message);
    (void)test_settings_keep(choice.settings);
    return choice;
}

static bool same_settings(const wend_settings *a, const wend_settings *b) {
    if (wend_settings_info(a) != wend_settings_info(b)) return false;
    for (size_t i = 0; i < wend_settings_info(a)->key_count; i++) {
        const char *key = wend_settings_info(a)->keys[i].name, *x = wend_settings_text(a, key),
                   *y = wend_settings_text(b, key);
        if (!x != !y || (x && strcmp(x, y) != 0)) return false;
    }
    return true;
}

/* A walk's hash, whoever makes it. */
static uint64_t walk_hash(wend_agent *agent, wend_cell start, wend_cell goal) {
    uint64_t hash = 0;
    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
    for (int i = 0; i < 20000; i++) {
        wend_step step = wend_agent_step(agent);
        hash = hash * 1000003 + (uint64_t)step.outcome * 16 + step.direction;
        if (step.outcome > WEND_STEP_WAITING) break;
    }
    return hash;
}

static void the_planner_goes_with_its_database(void) {
    static const struct {
        const char *kind, *planner;
    } pairs[] = {{"knn2009:records=50", "knn2009:db=x"},
                 {"knn:records=50", "knn:db=x"},
                 {"dlrta:level=3", "dlrta:db=x"},
                 {"subgoal-tree", "subgoal-tree:db=x"},
                 {"cpd", "cpd:db=x"},
                 {"atlas:sector=8", "atlas:db=x"},
                 {NULL, "tba"}};
    test_stage stage;
    bool open =
        test_stage_open(&stage, test_map_generated(WEND_MAP_ROOMS, 40, wend_default_rules(), 1), NULL);
    for (size_t i = 0; open && i < sizeof pairs / sizeof *pairs; i++) {
        test_random random = {i};
        wend_db *db = pairs[i].kind ? test_db_build(stage.map, pairs[i].kind, 1) : NULL;
        bool with = db != NULL;
        wend_agent *one =
            with ? test_db_agent(&stage, pairs[i].planner, db) : test_agent_make(&stage, "tba", NULL);
        wend_agent *two =
            with ? test_db_agent(&stage, "auto:db=x", db) : test_agent_make(&stage, "auto", NULL);
        for (int j = 0; CHECK(one && two) && j < 10; j++) {
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            CHECK(walk_hash(one, start, goal) == walk_hash(two, start, goal));
            CHECK(wend_agent_bound(one, wend_agent_budget(one)) ==
                  wend_agent_bound(two, wend_agent_budget(two)));
        }
        wend_agent_destroy(one);
        wend_agent_destroy(two);
        wend_db_close(db);
        test_case();
    }
    /* A file that was named and not given. */
    const wend_settings *settings = NULL;
    wend_agent_options options = wend_default_agent_options();
    wend_agent *none = NULL;
    wend_error error = {.message = ""};
    CHECK(test_settings_parse("auto:db=x", &settings, NULL) == WEND_OK);
    CHECK(open &&
          wend_agent_create(stage.world, settings, &options, &none, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(!none && error.message[0]);
    test_stage_close(&stage);
}

static void small_maps_get_path_databases(void) {
    wend_build_options options = wend_default_build_options();
    for (uint32_t rules = 0; rules < TEST_RULES; rules += TEST_RULES / test_each(TEST_RULES)) {
        wend_map *map = test_map_generated(WEND_MAP_ROOMS, 40, test_rules(rules), 1);
        wend_db_choice choice = choice_of(map, "auto", &options);
        CHECK_THAT(strcmp(wend_settings_info(choice.settings)->name, "cpd") == 0 &&
                       strstr(choice.why, "path database"),
                   "%s", choice.why);
        /* The estimate is near, and the file is what the chosen settings give. */
        wend_db *db = test_db_build(map, "auto", 1), *direct = test_db_build(map, "cpd", 1);
        if (CHECK(db && direct)) {
            wend_db_info about = wend_db_about(db);
            CHECK(strcmp(about.kind, "cpd") == 0 && about.bytes == wend_db_about(direct).bytes);
            wend_cpd_estimate estimate;
            CHECK(wend_auto_estimate_cpd(map, &options, 1e9, 0, &estimate, NULL) == WEND_OK && estimate.fits);
            CHECK_THAT(estimate.bytes > 0.4 * (double)about.bytes &&
                           estimate.bytes < 2.5 * (double)about.bytes,
                       "%.0f for %llu bytes", estimate.bytes, (unsigned long long)about.bytes);
        }
        wend_db_close(db);
        wend_db_close(direct);
        wend_map_destroy(map);
        test_case();
    }
}

static void limits_are_kept(void) {
    wend_build_options options = wend_default_build_options();
    wend_map *map = test_map_generated(WEND_MAP_CAVES, 300, wend_default_rules(), 1);
    wend_db_choice choice = choice_of(map, "auto:seconds=1", &options);
    CHECK_THAT(strcmp(wend_settings_info(choice.settings)->name, "atlas") == 0, "%s", choice.why);
    CHECK(!wend_settings_integer(choice.settings, "exact") && strstr(choice.why, "fraction"));
    choice = choice_of(map, "auto:size=80K,seconds=30", &options);
    CHECK_THAT(strcmp(wend_settings_info(choice.settings)->name, "atlas") == 0, "%s", choice.why);
    CHECK_THAT(wend_settings_integer(choice.settings, "size") == 80 << 10, "%s", choice.why);
    wend_map_destroy(map);
    /* Few corners, and too many cells for a path database. */
    map = test_map_generated(WEND_MAP_ROOMS, 300, wend_default_rules(), 1);
    choice = choice_of(map, "auto:seconds=10", &options);
    CHECK_THAT(strcmp(wend_settings_info(choice.settings)->name, "corners") == 0, "%s", choice.why);
    wend_map_destroy(map);
}

/* An atlas for a size: the file is no larger, and what was said is so; for a quality: a sample agrees. */
static void atlases_are_chosen_for_size_and_quality(void) {
    if (test_skip_thinned()) return;
    static const char *const texts[] = {"atlas:size=60K",      "atlas:size=25K",           "atlas:over=3",
                                        "atlas:over=1%",       "atlas:size=60K,sector=20", "atlas:over=0",
                                        "atlas:size=1M,over=2"};
    wend_map *map = test_map_generated(WEND_MAP_CAVES, 120, wend_default_rules(), 1);
    uint64_t sizes[sizeof texts / sizeof *texts] = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wend_build_options options = wend_default_build_options();
        wend_db_choice choice = choice_of(map, texts[i], &options);
        CHECK(choice.why[0]);
        wend_db *db = test_db_build(map, texts[i], 1);
        if (db) {
            char said[64];
            sizes[i] = wend_db_about(db).bytes;
            (void)snprintf(said, sizeof said, "%llu bytes", (unsigned long long)sizes[i]);
            bool exact = wend_settings_integer(choice.settings, "exact");
            CHECK_THAT(exact || strstr(choice.why, said), "%s: %s, not %s", texts[i], choice.why, said);
            int64_t size = wend_settings_integer(choice.settings, "size");
            CHECK(!size || sizes[i] <= (uint64_t)size);
            CHECK(exact ? i == 3 || i >= 5 : i != 5);
            wend_db_choice again = {.why = "x"};
            CHECK(wend_db_choose(map, choice.settings, &options, &again, NULL) == WEND_OK && !again.why[0] &&
                  same_settings(choice.settings, again.settings));
            wend_settings_destroy(again.settings);
        }
        wend_db_close(db);
        test_case();
    }
    CHECK(sizes[3] > sizes[2] && sizes[5] > sizes[2]);
    static const struct {
        const char *text;
        wend_status status;
    } bad[] = {{"atlas:size=100", WEND_STATUS_TOO_LARGE},
               {"atlas:size=60K,exact=yes", WEND_STATUS_BAD_ARGUMENT},
               {"atlas:over=1,exact=yes", WEND_STATUS_BAD_ARGUMENT},
               {"atlas:over=0.01,size=30K", WEND_STATUS_TOO_LARGE}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wend_build_options options = wend_default_build_options();
        const wend_settings *settings = NULL;
        wend_db_choice choice;
        wend_error error = {.message = ""};
        CHECK(test_db_settings_parse(bad[i].text, &settings, NULL) == WEND_OK);
        CHECK_THAT(wend_db_choose(map, settings, &options, &choice, &error) == bad[i].status &&
                       error.message[0] && !choice.settings,
                   "%s: %s", bad[i].text, error.message);
        test_case();
    }
    wend_map_destroy(map);
}

/* What is chosen depends on map, settings and caps alone. */
static void choices_repeat(void) {
    static const char *const texts[] = {"auto", "auto:seconds=1", "auto:size=30K", "atlas:over=2"};
    for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wend_map *map = test_map_generated(i % 2 ? WEND_MAP_CAVES : WEND_MAP_CITY, 70, test_rules(i * 5), 1);
        wend_build_options options = wend_default_build_options();
        wend_db_choice first = choice_of(map, texts[i], &options);
        for (uint32_t workers = 2; workers <= 8; workers *= 2) {
            options.tasks = shared_tasks((int)workers);
            wend_db_choice again = choice_of(map, texts[i], &options);
            CHECK(same_settings(first.settings, again.settings) && strcmp(first.why, again.why) == 0);
        }
        /* There is nothing left to choose. */
        wend_db_choice once_more = {.why = "x"};
        CHECK(wend_db_choose(map, first.settings, &options, &once_more, NULL) == WEND_OK);
        CHECK(same_settings(first.settings, once_more.settings) && !once_more.why[0]);
        wend_settings_destroy(once_more.settings);
        wend_map_destroy(map);
        test_case();
    }
}

/* Stopped at any look, refused any memory: a status with words, and nothing is left behind. */
static void choosing_can_fail(void) {
    static const char *const texts[] = {"auto", "atlas:over=1"};
    wend_map *map = test_map_generated(WEND_MAP_CAVES, 40, wend_default_rules(), 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const wend_settings *settings = NULL;
        wend_status status = WEND_STATUS_INTERRUPTED;
        uint64_t stops = 0, refusals = 0;
        CHECK(test_db_settings_parse(texts[i], &settings, NULL) == WEND_OK);
        for (uint64_t stop = 1; status == WEND_STATUS_INTERRUPTED; stop += 1 + stop / 8, stops++) {
            wend_build_options options = wend_default_build_options();
            uint64_t left = stop;
            wend_error error = {.message = ""};
            wend_db_choice choice;
            options.progress = test_stop_at, options.progress_context = &left;
            status = wend_db_choose(map, settings, &options, &choice, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_INTERRUPTED && error.message[0]));
            wend_settings_destroy(choice.settings);
            test_case();
        }
        CHECK(stops > 1); /* the last of them was not in time */
        for (uint64_t refuse = 1;; refuse += 1 + refuse / test_some(8)) {
            test_memory memory = {.refuse_at = refuse};
            wend_build_options options = wend_default_build_options();
            options.allocator = test_allocator(&memory);
            wend_error error = {.message = ""};
            wend_db_choice choice;
            status = wend_db_choose(map, settings, &options, &choice, &error);
            /* A path database that there is no memory for is none. */
            refusals += status == WEND_STATUS_NO_MEMORY ||
                        strcmp(wend_settings_info(choice.settings)->name, "cpd") != 0;
            wend_settings_destroy(choice.settings);
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            CHECK(status == WEND_OK || (status == WEND_STATUS_NO_MEMORY && error.message[0]));
            test_case();
            if (memory.requests < refuse) break;
        }
        CHECK(refusals > 5);
    }
    wend_map_destroy(map);
}

static void settings_are_checked(void) {
    static const char *const bad[] = {"auto:size=0",
                                      "auto:size=",
                                      "auto:size=5X",
                                      "auto:size=K",
                                      "auto:size=-1",
                                      "auto:size=1.5M",
                                      "auto:size=1MM",
                                      "auto:seconds=0",
                                      "auto:seconds=1s",
                                      "auto:size=1m",
                                      "auto:records=1",
                                      "auto:size=99999999999999999999",
                                      "auto:size=9999999999999999G"};
    const wend_settings *settings = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wend_error error = {.message = ""};
        CHECK_THAT(test_db_settings_parse(bad[i], &settings, &error) == WEND_STATUS_BAD_ARGUMENT, "%s",
                   bad[i]);
        CHECK(error.message[0]);
        test_case();
    }
    CHECK(test_db_settings_parse("auto:size=3K", &settings, NULL) == WEND_OK &&
          wend_settings_integer(settings, "size") == 3072);
    CHECK(test_db_settings_parse("auto:size=2G", &settings, NULL) == WEND_OK &&
          wend_settings_integer(settings, "size") == (int64_t)2 << 30);
    wend_db_choice choice;
    wend_build_options options = wend_default_build_options();
    wend_map *map = test_map_generated(WEND_MAP_OPEN, 5, wend_default_rules(), 1);
    CHECK(wend_db_choose(NULL, settings, &options, &choice, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_choose(map, NULL, &options, &choice, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_choose(map, settings, &options, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"the planner goes with its database", the_planner_goes_with_its_database},
    {"small maps get path databases", small_maps_get_path_databases},
    {"limits are kept", limits_are_kept},
    {"atlases are chosen for size and quality", atlases_are_chosen_for_size_and_quality},
    {"choices repeat", choices_repeat},
    {"choosing can fail", choosing_can_fail},
    {"settings are checked", settings_are_checked},
};

TEST_MAIN(tests)
