/* Options of callers whose header is older or newer than the library, for every struct of options. */
#include "support/check.h"
#include "support/databases.h"
#include "support/maps.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static wend_map *map;
static wend_world *world;
static wend_fleet *fleet;
static wend_db *db;
static const wend_settings *planner, *kind;

/* Each makes something with options of any size and destroys it again. */
static wend_status use_map(const void *options, wend_error *error) {
    wend_map *made;
    wend_status status = wend_map_create(4, 4, options, &made, error);
    wend_map_destroy(made);
    return status;
}

static wend_status use_generate(const void *options, wend_error *error) {
    wend_map *made;
    wend_status status = wend_map_generate(WEND_MAP_ROOMS, 20, 20, options, &made, error);
    wend_map_destroy(made);
    return status;
}

static wend_status use_problems(const void *options, wend_error *error) {
    wend_scenario *made;
    wend_status status = wend_problems_generate(map, "m", 3, options, &made, error);
    wend_scenario_destroy(made);
    return status;
}

static wend_status use_search(const void *options, wend_error *error) {
    wend_search *made;
    wend_status status = wend_search_create(map, options, &made, error);
    wend_search_destroy(made);
    return status;
}

static wend_status use_field(const void *options, wend_error *error) {
    wend_field *made;
    wend_status status = wend_field_create(map, options, &made, error);
    wend_field_destroy(made);
    return status;
}

static wend_status use_tree(const void *options, wend_error *error) {
    wend_tree *made;
    wend_status status = wend_tree_create(map, options, &made, error);
    wend_tree_destroy(made);
    return status;
}

static wend_status use_world(const void *options, wend_error *error) {
    wend_world *made;
    wend_status status = wend_world_create(map, options, &made, error);
    wend_world_destroy(made);
    return status;
}

static wend_status use_knowledge(const void *options, wend_error *error) {
    wend_knowledge *made;
    wend_status status = wend_knowledge_create(world, options, &made, error);
    wend_knowledge_destroy(made);
    return status;
}

static wend_status use_agent(const void *options, wend_error *error) {
    wend_agent *made;
    wend_status status = wend_agent_create(world, planner, options, &made, error);
    wend_agent_destroy(made);
    return status;
}

static wend_status use_fleet(const void *options, wend_error *error) {
    wend_fleet *made;
    wend_status status = wend_fleet_create(map, options, &made, error);
    wend_fleet_destroy(made);
    return status;
}

static wend_status use_squad(const void *options, wend_error *error) {
    uint32_t number;
    return wend_fleet_add_squad(fleet, planner, options, &number, error);
}

/* What is opened is no database: that is said once the options are taken. */
static wend_status use_db(const void *options, wend_error *error) {
    static const uint64_t bytes[16];
    wend_db *made;
    wend_status status = wend_db_open_memory(bytes, sizeof bytes, map, options, &made, error);
    return status == WEND_STATUS_BAD_MAGIC ? WEND_OK : status;
}

static wend_status use_build(const void *options, wend_error *error) {
    wend_db_choice choice;
    wend_status status = wend_db_choose(map, kind, options, &choice, error);
    wend_settings_destroy(choice.settings);
    return status;
}

static wend_status use_repair(const void *options, wend_error *error) {
    wend_repair *made;
    wend_status status = wend_repair_create(db, map, options, &made, error);
    wend_repair_destroy(made);
    return status;
}

#define INIT(name)                                                                                           \
    static void init_##name(void *options, size_t size) {                                                    \
        wend_##name##_options_init(options, size);                                                           \
    }
INIT(map)
INIT(generate)
INIT(problems)
INIT(search)
INIT(field)
INIT(tree)
INIT(world)
INIT(knowledge)
INIT(agent)
INIT(fleet)
INIT(squad)
INIT(db)
INIT(build)
INIT(repair)

#define ROW(name)                                                                                            \
    { #name, sizeof(wend_##name##_options), init_##name, use_##name }
static const struct {
    const char *name;
    size_t size;
    void (*init)(void *options, size_t size);
    wend_status (*use)(const void *options, wend_error *error);
} all[] = {ROW(map),   ROW(generate),  ROW(problems), ROW(search), ROW(field), ROW(tree),  ROW(world),
           ROW(agent), ROW(knowledge), ROW(fleet),    ROW(squad),  ROW(db),    ROW(build), ROW(repair)};

/* In a block of just that size, so that a sanitizer sees a byte too many. */
static wend_status try_size(size_t row, size_t size, unsigned char last, wend_error *error) {
    unsigned char *options = malloc(size);
    if (!options) abort();
    all[row].init(options, size);
    if (last) options[size - 1] = last;
    wend_status status = all[row].use(options, error);
    free(options);
    return status;
}

static void open_all(void) {
    wend_world_options world_options = wend_default_world_options();
    wend_fleet_options fleet_options = wend_default_fleet_options();
    test_random random = {1};
    map = test_map_make(TEST_SHAPE_OPEN, 12, 12, wend_default_rules(), &random, NULL);
    db = test_db_build(map, "cpd", 1);
    CHECK(wend_world_create(map, &world_options, &world, NULL) == WEND_OK);
    CHECK(wend_fleet_create(map, &fleet_options, &fleet, NULL) == WEND_OK);
    CHECK(test_settings_parse("lrta", &planner, NULL) == WEND_OK);
    CHECK(test_db_settings_parse("cpd", &kind, NULL) == WEND_OK);
}

static void close_all(void) {
    wend_fleet_destroy(fleet);
    wend_world_destroy(world);
    wend_db_close(db);
    wend_map_destroy(map);
}

/* As of an older header, of this one, and of a later one whose fields are at their defaults. */
static void options_of_any_size_are_taken(void) {
    open_all();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t size = 8; size <= all[i].size + 64; size += 8) {
            wend_error error = {.message = ""};
            wend_status status = try_size(i, size, 0, &error);
            CHECK_THAT(status == WEND_OK, "%s, %zu bytes: %s", all[i].name, size, error.message);
            test_case();
        }
    close_all();
}

static void what_the_library_does_not_know_is_refused(void) {
    open_all();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wend_error error = {.message = ""};
        CHECK_THAT(try_size(i, all[i].size + 8, 1, &error) == WEND_STATUS_UNSUPPORTED, "%s", all[i].name);
        CHECK_THAT(strstr(error.message, "later version"), "%s: %s", all[i].name, error.message);
        test_case();
    }
    close_all();
}

static void options_that_nobody_has_made_are_refused(void) {
    open_all();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char words[64];
        (void)snprintf(words, sizeof words, "wend_default_%s_options()", all[i].name);
        for (int j = 0; j < 3; j++) {
            uint32_t options[512] = {j == 1 ? 7 : UINT32_MAX};
            wend_error error = {.message = ""};
            if (j == 2) options[0] = 0;
            CHECK_THAT(all[i].use(options, &error) == WEND_STATUS_BAD_ARGUMENT, "%s", all[i].name);
            CHECK_THAT(strstr(error.message, words), "%s: %s", all[i].name, error.message);
        }
        test_case();
    }
    close_all();
}

static void no_options_are_the_defaults(void) {
    open_all();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wend_error error = {.message = ""};
        CHECK_THAT(all[i].use(NULL, &error) == WEND_OK, "%s: %s", all[i].name, error.message);
        test_case();
    }
    wend_estimate estimate;
    wend_cpd_measures measures;
    uint8_t covered;
    CHECK(wend_db_verify(db, map, 0, NULL, NULL) == WEND_OK);
    CHECK(wend_db_cover(db, NULL, 0, NULL, &covered, NULL) != WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_estimate(map, kind, NULL, &estimate, NULL) != WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_cpd_measure(map, NULL, &measures, NULL) == WEND_OK);
    test_case();
    close_all();
}

static const test tests[] = {
    {"options of any size are taken", options_of_any_size_are_taken},
    {"what the library does not know is refused", what_the_library_does_not_know_is_refused},
    {"no options are the defaults", no_options_are_the_defaults},
    {"options that nobody has made are refused", options_that_nobody_has_made_are_refused},
};

TEST_MAIN(tests)
