/* What is said of a build before it begins: near what it takes then, the same for any caller, and refusals
 * that say what would fit. */
#include "support/check.h"
#include "support/command/command.h"
#include "support/crew.h"
#include "support/files.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const char *const forms[] = {"cpd",
                                    "cpd:encoding=rectangles",
                                    "cpd:encoding=rectangles,ties=label",
                                    "quadtree",
                                    "upd",
                                    "upd:ties=set",
                                    "corners"};
enum { FORMS = sizeof forms / sizeof *forms };

static wend_map *cave(int32_t width, int32_t height, uint64_t seed) {
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = NULL;
    options.seed = seed;
    CHECK(wend_map_generate(WEND_MAP_CAVES, width, height, &options, &map, NULL) == WEND_OK);
    return map;
}

/* Within a factor of two of what a build takes, on maps that are alike all over. */
static void estimates_are_near(void) {
    for (int f = 0; f < FORMS; f++)
        for (uint64_t seed = 0; seed < test_each(2); seed++) {
            wend_map *map = cave(seed ? 110 : 60, seed ? 90 : 75, seed);
            const wend_settings *settings = NULL;
            wend_estimate estimate = {0}, again = {0};
            test_memory memory = {0};
            wend_build_options options = wend_default_build_options();
            options.allocator = test_allocator(&memory);
            char path[300];
            (void)snprintf(path, sizeof path, "%s", test_path("database"));
            CHECK(test_db_settings_parse(forms[f], &settings, NULL) == WEND_OK);
            CHECK(wend_db_estimate(map, settings, &options, &estimate, NULL) == WEND_OK);
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            CHECK(wend_db_estimate(map, settings, &options, &again, NULL) == WEND_OK);
            CHECK(memcmp(&estimate, &again, sizeof estimate) == 0);
            CHECK_THAT(estimate.share > 0 && estimate.share <= 1, "%s: %g of the work", forms[f],
                       estimate.share);
            memory.peak_bytes = 0;
            CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_OK);
            test_bytes bytes = test_read(path);
            CHECK_THAT(estimate.bytes < 2 * bytes.size && bytes.size < 2 * estimate.bytes,
                       "%s: %llu bytes, not %zu", forms[f], (unsigned long long)estimate.bytes, bytes.size);
            CHECK_THAT(estimate.memory < 2 * memory.peak_bytes && memory.peak_bytes < 2 * estimate.memory,
                       "%s: %llu bytes of memory, not %llu", forms[f], (unsigned long long)estimate.memory,
                       (unsigned long long)memory.peak_bytes);
            /* More workers, more memory, and nothing else. */
            options.tasks = shared_tasks(4);
            CHECK(wend_db_estimate(map, settings, &options, &again, NULL) == WEND_OK);
            CHECK(again.bytes == estimate.bytes && again.memory > estimate.memory);
            free(bytes.data);
            wend_map_destroy(map);
            test_case();
        }
}

/* The size of a cpd is what include/wend/db.h says it is, on maps of every kind, by a part of the work on larger
 * ones. */
static void check_size(wend_map *map, const char *name, uint64_t seed) {
    const wend_settings *settings = NULL;
    wend_estimate estimate = {0};
    wend_build_options options = wend_default_build_options();
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("database"));
    options.tasks = shared_tasks(2);
    if (!CHECK(map)) return;
    CHECK(test_db_settings_parse("cpd", &settings, NULL) == WEND_OK);
    CHECK(wend_db_estimate(map, settings, &options, &estimate, NULL) == WEND_OK);
    CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_OK);
    test_bytes bytes = test_read(path);
    CHECK_THAT(3 * estimate.bytes >= 2 * bytes.size && 2 * estimate.bytes <= 3 * bytes.size,
               "%s, seed %llu: %llu bytes, not %zu", name, (unsigned long long)seed,
               (unsigned long long)estimate.bytes, bytes.size);
    CHECK_THAT(wend_map_open_cells(map) < 20000 || estimate.share < 0.4, "%s: %g of the work", name,
               estimate.share);
    free(bytes.data);
    wend_map_destroy(map);
    test_case();
}

static void sizes_are_within_a_half(void) {
    static const struct {
        wend_map_kind kind;
        int32_t side;
        const char *name;
    } kinds[] = {
        {WEND_MAP_CAVES, 130, "caves"},   {WEND_MAP_ROOMS, 95, "rooms"}, {WEND_MAP_MAZE, 125, "maze"},
        {WEND_MAP_RANDOM, 110, "random"}, {WEND_MAP_CITY, 110, "city"},  {WEND_MAP_SHAPES, 110, "shapes"},
        {WEND_MAP_JOINED, 110, "joined"}, {WEND_MAP_OPEN, 90, "open"},   {WEND_MAP_CAVES, 40, "small caves"}};
    static const char *const shared[] = {
        "bgmaps/AR0012SR", "dao/orz304d",     "dao/lak250d",     "bgmaps/AR0516SR", "bgmaps/AR0505SR",
        "dao/den001d",     "bgmaps/AR0202SR", "dao/den401d",     "dao/ost002d",     "bgmaps/AR0406SR",
        "dao/lak308d",     "bgmaps/AR0603SR", "bgmaps/AR0307SR", "bgmaps/AR0043SR", "bgmaps/AR0510SR",
        "dao/isound1",     "dao/lak201d",     "dao/brc100d",     "dao/den011d",     "bgmaps/AR0411SR",
        "bgmaps/AR0400SR", "dao/lak109d",     "dao/hrt002d"};
    enum { KINDS = sizeof kinds / sizeof *kinds, SHARED = sizeof shared / sizeof *shared };
    for (uint64_t i = 0; i < test_some(3 * KINDS); i++)
        check_size(test_map_generated(kinds[i % KINDS].kind, kinds[i % KINDS].side, wend_default_rules(), i),
                   kinds[i % KINDS].name, i);
    for (uint64_t i = 0; i < test_some(SHARED); i++) {
        wend_map *map = test_map_shared(shared[i], NULL, NULL);
        if (map) check_size(map, shared[i], 0);
    }
}

static void any_map_has_one(void) {
    for (uint64_t number = 0; number < test_some(120); number++) {
        wend_map *map = test_map_any(number);
        const wend_settings *settings = NULL;
        wend_estimate estimate = {0};
        wend_build_options options = wend_default_build_options();
        CHECK(test_db_settings_parse(forms[number % FORMS], &settings, NULL) == WEND_OK);
        CHECK(wend_db_estimate(map, settings, &options, &estimate, NULL) == WEND_OK);
        CHECK(estimate.share > 0 && estimate.share <= 1);
        wend_map_destroy(map);
        test_case();
    }
}

static void what_is_wrong_is_reported(void) {
    wend_map *map = cave(40, 30, 1);
    const wend_settings *settings = NULL;
    wend_estimate estimate;
    wend_error error = {0};
    wend_build_options options = wend_default_build_options(), none = {0};
    CHECK(test_db_settings_parse("knn", &settings, NULL) == WEND_OK);
    CHECK(wend_db_estimate(map, settings, &options, &estimate, &error) == WEND_STATUS_UNSUPPORTED &&
          error.message[0]);
    CHECK(test_db_settings_parse("cpd", &settings, NULL) == WEND_OK);
    CHECK(wend_db_estimate(NULL, settings, &options, &estimate, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_estimate(map, NULL, &options, &estimate, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_estimate(map, settings, &none, &estimate, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_estimate(map, settings, &options, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    options.max_memory = 5000;
    CHECK(wend_db_estimate(map, settings, &options, &estimate, &error) == WEND_STATUS_NO_MEMORY &&
          strstr(error.message, "5000"));
    test_case();
    for (int f = 0; f < FORMS; f += 2) {
        bool refused = true;
        CHECK(test_db_settings_parse(forms[f], &settings, NULL) == WEND_OK);
        for (uint64_t at = 1; refused && at < 300; at++) {
            test_memory memory = {.refuse_at = at};
            options = wend_default_build_options();
            options.allocator = test_allocator(&memory);
            wend_status status = wend_db_estimate(map, settings, &options, &estimate, NULL);
            refused = memory.requests >= at;
            CHECK(status == (refused ? WEND_STATUS_NO_MEMORY : WEND_OK));
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            test_case();
        }
        CHECK(!refused);
    }
    wend_map_destroy(map);
}

/* `wend build` says it, unless it is to be quiet or the map is small, and refuses what would not fit. */
static void the_command_says_it(void) {
    if (!test_command_begin()) return;
    CHECK(test_shell(
              "\"$WEND\" map gen caves 110x90 -o a.map --quiet && \"$WEND\" map gen caves 30x30 -o b.map "
              "--quiet") == 0);
    CHECK(test_shell("\"$WEND\" build cpd a.map -o a.wend encoding=rectangles 2>said >text && grep -Eq "
                     "'^wend: estimated: [0-9.]+ s, [0-9.]+ [KM]B of memory, a file of [0-9.]+ KB$' said") ==
          0);
    test_case();
    CHECK(
        test_shell("\"$WEND\" build cpd a.map -o a.wend encoding=rectangles --quiet 2>said && test ! -s said "
                   "&& \"$WEND\" build cpd b.map -o b.wend 2>said >text && test ! -s said") == 0);
    test_case();
    CHECK(test_shell(
              "rm a.wend; \"$WEND\" build cpd a.map -o a.wend encoding=rectangles --max-size 20K 2>said; "
              "test $? -eq 2 && test ! -e a.wend && grep -q 'would take about .* --max-size [0-9]*K would "
              "do' said && \"$WEND\" build cpd a.map -o a.wend encoding=rectangles --quiet --max-size "
              "$(sed 's/.*--max-size \\([0-9]*K\\).*/\\1/' said)") == 0);
    test_case();
    CHECK(test_shell(
              "rm a.wend; \"$WEND\" build upd a.map -o a.wend --threads 2 --max-memory 15M 2>said; test "
              "$? -eq 2 && test ! -e a.wend && grep -q 'about .* of memory, .* --max-memory [0-9]*M would "
              "do$' said && \"$WEND\" build upd a.map -o a.wend --quiet --threads 2 --max-memory $(sed "
              "'s/.*--max-memory \\([0-9]*M\\).*/\\1/' said)") == 0);
    test_case();
    CHECK(
        test_shell("rm a.wend; \"$WEND\" build cpd a.map -o a.wend encoding=rectangles --threads 8 "
                   "--max-memory 10M 2>said; test $? -eq 2 && grep -q 'and so would --threads 1$' said && "
                   "\"$WEND\" build cpd a.map -o a.wend encoding=rectangles --quiet --threads 1 --max-memory "
                   "10M") == 0);
    test_case();
    test_command_end();
}

static const test tests[] = {
    {"estimates are near", estimates_are_near},   {"sizes are within a half", sizes_are_within_a_half},
    {"any map has one", any_map_has_one},         {"what is wrong is reported", what_is_wrong_is_reported},
    {"the command says it", the_command_says_it},
};

TEST_MAIN(tests)
