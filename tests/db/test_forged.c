/* Files that were made to deceive: their checksums are right, and their contents do not follow from the map.
 * `open` refuses them, or `verify` finds them. tests/attack/test_mutants.c has agents go by them. */
#include "support/check.h"
#include "support/databases.h"
#include "support/first_moves.h"
#include "support/mutant.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    "knn2009:records=60",
    "knn:records=30",
    "knn:records=20,spread=even,fragments=yes",
    "cpd",
    "cpd:encoding=rectangles",
    "cpd:encoding=rectangles,ties=label",
    "quadtree",
    "upd",
    "dlrta:level=2",
    "subgoal-tree",
    "subgoal-tree:share=no",
    "atlas:sector=8",
    "atlas:sector=8,labels=yes",
    "atlas:sector=8,exact=yes",
    "atlas:sector=8,exact=yes,labels=yes",
    "corners",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static wend_map *map_of(uint64_t number) {
    test_random random = {number};
    static const test_shape shapes[] = {TEST_SHAPE_ROOMS, TEST_SHAPE_SCATTERED, TEST_SHAPE_HALVES};
    return test_map_make(shapes[number % 3], 18, 15, test_rules((uint32_t)number), &random, NULL);
}

/* The file that a build makes. */
static test_bytes built(const wend_map *map, const char *kind) {
    const char *path = test_path("forged.wend");
    const wend_settings *settings = NULL;
    wend_build_options options = wend_default_build_options();
    wend_error error = {0};
    CHECK(test_db_settings_parse(kind, &settings, &error) == WEND_OK);
    CHECK_THAT(wend_db_build(map, settings, &options, path, &error) == WEND_OK, "%s: %s", kind,
               error.message);
    return test_read(path);
}

/* NULL: it is refused, with words. */
static wend_db *opened(test_bytes file, const wend_map *map) {
    wend_db *db = NULL;
    wend_db_options options = wend_default_db_options();
    wend_error error = {0};
    wend_status status = wend_db_open_memory(file.data, file.size, map, &options, &db, &error);
    CHECK(status == WEND_OK || error.message[0]);
    return db;
}

/* Whether verifying finds it wrong, with words. */
static bool is_found(const wend_db *db, const wend_map *map, const char *kind) {
    wend_build_options options = wend_default_build_options();
    wend_error error = {0};
    wend_status status = wend_db_verify(db, map, 0, &options, &error);
    CHECK_THAT(status == WEND_OK || (status == WEND_STATUS_WRONG_CONTENTS && error.message[0]), "%s: %s",
               kind, error.message);
    return status != WEND_OK;
}

/* Taking everything away that is counted elsewhere too is no way out. */
static void an_atlas_without_edges_is_found(void) {
    wend_map *map = map_of(0);
    test_bytes file = built(map, "atlas:sector=8");
    test_mutant mutant = test_mutant_of(file);
    test_mutant_section *counts = test_mutant_find(&mutant, "counts"),
                        *first = test_mutant_find(&mutant, "first");
    for (uint64_t i = 0; i < 2; i++) test_mutant_set(counts, i, 0);
    for (uint64_t i = 0; i < first->count; i++) test_mutant_set(first, i, 0);
    test_mutant_resize(test_mutant_find(&mutant, "arcs"), 0);
    test_mutant_resize(test_mutant_find(&mutant, "lists"), 1);
    test_mutant_resize(test_mutant_find(&mutant, "bends"), 0);
    test_bytes forged = test_mutant_bytes(&mutant);
    wend_db *db = opened(forged, map);
    if (CHECK(db)) CHECK(is_found(db, map, "atlas without edges"));
    wend_db_close(db);
    test_mutant_free(&mutant);
    free(forged.data);
    free(file.data);
    wend_map_destroy(map);
    test_case();
}

/* Each label reaches its own node alone. */
static void an_atlas_with_cut_labels_is_found(void) {
    for (int exact = 0; exact < 2; exact++) {
        wend_map *map = map_of(0);
        test_bytes file =
            built(map, exact ? "atlas:sector=8,exact=yes,labels=yes" : "atlas:sector=8,labels=yes");
        test_mutant mutant = test_mutant_of(file);
        test_mutant_section *first = test_mutant_find(&mutant, "label_first"),
                            *labels = test_mutant_find(&mutant, "labels");
        uint64_t words = test_mutant_get(test_mutant_find(&mutant, "counts"), 4);
        for (uint64_t i = 0; i < first->count; i++) test_mutant_set(first, i, i);
        for (uint64_t i = 0; i + 1 < first->count; i++)
            for (uint64_t j = 0; j < words; j++) test_mutant_set(labels, i * words + j, j ? 0 : i);
        test_mutant_resize(labels, (first->count - 1) * words);
        test_bytes forged = test_mutant_bytes(&mutant);
        wend_db *db = opened(forged, map);
        if (CHECK(db)) CHECK(is_found(db, map, "atlas with cut labels"));
        wend_db_close(db);
        test_mutant_free(&mutant);
        free(forged.data);
        free(file.data);
        wend_map_destroy(map);
        test_case();
    }
}

/* A file is right with the settings that it says it was built with: with others only where they make the same
 * contents. */
static void altered_settings_are_found(void) {
    static const char *const altered[][2] = {
        {"atlas:sector=8", "atlas:sector=8,rounds=0"},
        {"atlas:sector=8", "atlas:sector=8,eps=50"},
        {"knn:records=30", "knn:records=30,spread=even"},
        {"knn:records=30", "knn:records=29"},
        {"knn:records=30", "knn:records=30,compress=linear"},
        {"knn2009:records=60", "knn2009:records=60,pick=farthest"},
        {"knn2009:records=60", "knn2009:records=61"},
        {"subgoal-tree", "subgoal-tree:test=pushed"},
        {"subgoal-tree", "subgoal-tree:share=no"},
        {"dlrta:level=2", "dlrta:level=1"},
        {"upd:ties=set", "upd:ties=label"},
        {"quadtree:ties=set", "quadtree:ties=label"},
        {"cpd:encoding=rectangles,ties=set", "cpd:encoding=rectangles,ties=label"},
    };
    for (size_t i = 0; i < sizeof altered / sizeof *altered; i++) {
        test_random random = {i};
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 60, 60, wend_default_rules(), &random, NULL);
        test_bytes right = built(map, altered[i][0]), other = built(map, altered[i][1]);
        test_mutant mutant = test_mutant_of(right), as = test_mutant_of(other);
        bool same = mutant.section_count == as.section_count;
        for (size_t j = 0; same && j < as.section_count; j++)
            same = mutant.sections[j].count == as.sections[j].count &&
                   memcmp(mutant.sections[j].data, as.sections[j].data,
                          (size_t)as.sections[j].count * as.sections[j].width) == 0;
        CHECK(strcmp(mutant.settings, as.settings) != 0);
        memcpy(mutant.settings, as.settings, sizeof as.settings);
        test_bytes forged = test_mutant_bytes(&mutant);
        wend_db *db = opened(forged, map);
        CHECK_THAT(same == (db && !is_found(db, map, altered[i][1])), "%s as %s", altered[i][0],
                   altered[i][1]);
        wend_db_close(db);
        test_mutant_free(&mutant);
        test_mutant_free(&as);
        free(forged.data);
        free(right.data);
        free(other.data);
        wend_map_destroy(map);
        test_case();
    }
}

/* One to three changes of any kind, again and again. Another move of a path database may be as good. */
static void mutants_are_refused_or_found(void) {
    uint64_t accepted = 0;
    for (size_t k = 0; k < KINDS; k++) {
        for (uint64_t number = 0; number < 3; number++) {
            wend_map *map = map_of(number);
            test_bytes file = built(map, kinds[k]);
            test_random random = {31 * k + number};
            for (uint64_t round = 0; round < test_some(test_full() ? 3000 : 150); round++) {
                test_mutant mutant = test_mutant_of(file);
                for (uint32_t i = test_below(&random, 3) + 1; i > 0; i--)
                    (void)test_mutant_change(&mutant, &random);
                test_bytes forged = test_mutant_bytes(&mutant);
                wend_db *db = test_same_bytes(forged, file) ? NULL : opened(forged, map);
                if (db && !is_found(db, map, kinds[k]))
                    CHECK_THAT(strcmp(kinds[k], "cpd") == 0 &&
                                   !test_wrong_first_moves(map, db, wend_map_cells(map), &random),
                               "%s, map %llu, round %llu", kinds[k], (unsigned long long)number,
                               (unsigned long long)round);
                accepted += db != NULL;
                wend_db_close(db);
                test_mutant_free(&mutant);
                free(forged.data);
                test_case();
            }
            free(file.data);
            wend_map_destroy(map);
        }
    }
    CHECK_THAT(accepted >= test_some(200), "%llu accepted", (unsigned long long)accepted);
}

static const test tests[] = {
    {"an atlas without edges is found", an_atlas_without_edges_is_found},
    {"an atlas with cut labels is found", an_atlas_with_cut_labels_is_found},
    {"altered settings are found", altered_settings_are_found},
    {"mutants are refused or found", mutants_are_refused_or_found},
};
TEST_MAIN(tests)
