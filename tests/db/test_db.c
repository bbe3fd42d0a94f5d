/* The database file: whatever happens to its bytes, it opens as what was built, or not at all. */
#include "base/settings.h"
#include "support/check.h"
#include "support/files.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/sample_kind.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static wend_map *small_map(uint32_t rules) {
    test_random random = {7};
    return test_map_make(TEST_SHAPE_SCATTERED, 20, 11, test_rules(rules), &random, NULL);
}

static test_bytes build(const wend_db_context *context, const wend_map *map, const char *text) {
    const wend_settings *settings = test_sample_settings(text);
    wend_build_options options = wend_default_build_options();
    wend_error error = {.message = ""};
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("built.wend"));
    wend_status status = wend_db_build_in(context, map, settings, &options, path, &error);
    CHECK_THAT(status == WEND_OK, "building %s: %s", text, error.message);
    CHECK(!test_exists(test_path("built.wend.part")));
    return test_read(path);
}

static wend_status open_bytes(const wend_db_context *context, const void *data, size_t size,
                              const wend_map *map, wend_db **db, wend_error *error) {
    wend_db_options options = wend_default_db_options();
    return wend_db_open_memory_in(context, data, size, map, &options, db, error);
}

/* Opening ------------------------------------------------------------------------------------------------ */

static void a_database_is_what_was_built(void) {
    static const char *const texts[] = {"sample", "sample:jobs=0", "sample:jobs=1,mean=0",
                                        "sample:flavour=salted,jobs=200,share=0.25"};
    static const char *const full[] = {
        "sample:jobs=12,mean=40,share=0.5,flavour=plain", "sample:jobs=0,mean=40,share=0.5,flavour=plain",
        "sample:jobs=1,mean=0,share=0.5,flavour=plain", "sample:jobs=200,mean=40,share=0.25,flavour=salted"};
    static const double jobs[] = {12, 0, 1, 200};
    wend_db_context context = test_sample_context();
    for (uint32_t i = 0; i < 4 * TEST_RULES; i++) {
        wend_map *map = small_map(i);
        test_bytes bytes = build(&context, map, texts[i / TEST_RULES]);
        wend_db_options options = wend_default_db_options();
        for (int from_file = 0; from_file < 2; from_file++) {
            wend_db *db = NULL;
            wend_error error = {.message = ""};
            wend_status status =
                from_file ? wend_db_open_in(&context, test_path("built.wend"), map, &options, &db, &error)
                          : open_bytes(&context, bytes.data, bytes.size, map, &db, &error);
            if (!CHECK_THAT(status == WEND_OK && db, "%s", error.message)) continue;
            wend_db_info info = wend_db_about(db);
            wend_rules rules = wend_map_rules(map);
            CHECK(strcmp(info.kind, "sample") == 0 && strcmp(info.settings, full[i / TEST_RULES]) == 0);
            CHECK(info.version == 1 && info.kind_version == 3 && info.seed == 1 && info.bytes == bytes.size);
            CHECK(info.width == 20 && info.height == 11 && info.fingerprint == wend_map_fingerprint(map));
            CHECK(info.rules.connect == rules.connect && info.rules.corners == rules.corners &&
                  info.rules.diagonal == rules.diagonal);
            wend_fact facts[3];
            CHECK(wend_db_facts(db, facts, 3) == 2 && wend_db_facts(db, NULL, 0) == 2);
            CHECK(strcmp(facts[0].name, "jobs") == 0 && facts[0].value == jobs[i / TEST_RULES]);
            uint64_t count;
            const uint8_t *data = wend_db_section(db, "bytes", 1, &count);
            CHECK((double)count == facts[1].value);
            /* Nothing was copied. */
            if (!from_file && !context.swap)
                CHECK(data > bytes.data && data + count <= bytes.data + bytes.size);
            CHECK((uintptr_t)data % 8 == 0);
            CHECK(!wend_db_section(db, "bytes", 2, &count) && !wend_db_section(db, "byte", 1, NULL));
            CHECK(wend_db_section(db, "nothing", 4, &count) && count == 0);
            wend_db_close(db);
        }
        free(bytes.data);
        wend_map_destroy(map);
        test_case();
    }
}

static void every_flipped_bit_is_noticed(void) {
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    test_bytes bytes = build(&context, map, "sample:jobs=5,mean=10");
    for (size_t at = 0; at < bytes.size; at++) {
        for (int bit = 0; bit < 8; bit++) {
            wend_db *db = NULL;
            wend_error error = {.message = ""};
            bytes.data[at] ^= (uint8_t)(1 << bit);
            wend_status status =
                open_bytes(&context, bytes.data, bytes.size, bit % 2 ? map : NULL, &db, &error);
            bool known = status == WEND_STATUS_BAD_MAGIC || status == WEND_STATUS_NEWER_VERSION ||
                         status == WEND_STATUS_CUT_SHORT || status == WEND_STATUS_DAMAGED;
            CHECK_THAT(!db && known, "bit %d of byte %zu: %s", bit, at, wend_status_text(status));
            CHECK(error.status == status && error.message[0] && error.offset <= bytes.size);
            wend_db_close(db);
            bytes.data[at] ^= (uint8_t)(1 << bit);
        }
        test_case();
    }
    free(bytes.data);
    wend_map_destroy(map);
}

static void a_file_that_is_cut_or_goes_on_is_noticed(void) {
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    test_bytes bytes = build(&context, map, "sample:jobs=5,mean=10");
    for (size_t size = 0; size <= bytes.size + 16; size++) {
        uint8_t *cut = calloc(1, size ? size : 1); /* so that reading on is seen by the sanitizer */
        if (!cut) break;
        memcpy(cut, bytes.data, size < bytes.size ? size : bytes.size);
        wend_db *db = NULL;
        wend_error error = {.message = ""};
        wend_status status = open_bytes(&context, cut, size, map, &db, &error);
        wend_status expected = !size                ? WEND_STATUS_EMPTY_FILE
                               : size < bytes.size  ? WEND_STATUS_CUT_SHORT
                               : size == bytes.size ? WEND_OK
                                                    : WEND_STATUS_DAMAGED;
        CHECK_THAT(status == expected && (db != NULL) == (status == WEND_OK), "%zu of %zu bytes: %s", size,
                   bytes.size, wend_status_text(status));
        wend_db_close(db);
        free(cut);
        test_case();
    }
    free(bytes.data);
    wend_map_destroy(map);
}

/* Somebody means harm: all checksums are right. It opens, or is refused with words; it never reads where it
 * should not, which the sanitizers see. */
static void a_hostile_file_is_refused_or_harmless(void) {
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    test_bytes bytes = build(&context, map, "sample:jobs=5,mean=10");
    test_random random = {3};
    uint32_t opened = 0, kinds[WEND_STATUS_COUNT] = {0};
    for (int i = 0; i < 40000; i++) {
        uint8_t *changed = malloc(bytes.size);
        if (!changed) break;
        memcpy(changed, bytes.data, bytes.size);
        size_t header = wend_load32(changed + WEND_DB_HEADER_BYTES);
        for (uint32_t n = 1 + test_below(&random, 3); n; n--) {
            static const uint8_t values[] = {0, 1, 2, 4, 8, 16, 0x7f, 0x80, 0xff};
            /* Headers are looked at more closely than contents. */
            uint32_t bound = test_below(&random, 4) ? (uint32_t)header : (uint32_t)bytes.size;
            changed[test_below(&random, bound)] = values[test_below(&random, sizeof values)];
        }
        (void)test_repair(changed, bytes.size, 0);
        wend_db *db = NULL;
        wend_error error = {.message = ""};
        wend_status status = open_bytes(&context, changed, bytes.size, i % 2 ? map : NULL, &db, &error);
        CHECK((status == WEND_OK) == (db != NULL));
        if (db) {
            wend_fact facts[2];
            CHECK(wend_db_facts(db, facts, 2) == 2);
            opened++;
        } else {
            CHECK(error.status == status && error.message[0] && error.offset <= bytes.size);
            kinds[status]++;
        }
        wend_db_close(db);
        free(changed);
        test_case();
    }
    /* The test has seen all the ways out. */
    CHECK(opened > 100 && kinds[WEND_STATUS_DAMAGED] > 100 && kinds[WEND_STATUS_OTHER_MAP] &&
          kinds[WEND_STATUS_BAD_MAGIC] && kinds[WEND_STATUS_NEWER_VERSION] && kinds[WEND_STATUS_UNSUPPORTED]);
    free(bytes.data);
    wend_map_destroy(map);
}

/* Cut anywhere, with a header that says that this is all of it. */
static void a_shorter_file_with_right_checksums_is_refused(void) {
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    test_bytes bytes = build(&context, map, "sample:jobs=5,mean=10");
    size_t header = wend_load32(bytes.data + WEND_DB_HEADER_BYTES);
    for (size_t size = header; size < bytes.size; size++)
        for (uint32_t section = 0; section < 5; section++) {
            uint8_t *cut = malloc(size);
            if (!cut) break;
            memcpy(cut, bytes.data, size);
            wend_store64(cut + WEND_DB_FILE_BYTES, size);
            /* One section up to the end, those behind it empty and as far as padding leads. */
            uint8_t *row = cut + WEND_DB_TABLE + section * WEND_DB_ROW;
            uint64_t offset = wend_load64(row + WEND_DB_ROW_OFFSET);
            if (offset <= size) {
                wend_store64(row + WEND_DB_ROW_COUNT, (size - offset) / wend_load32(row + WEND_DB_ROW_WIDTH));
                for (uint32_t i = section + 1; i < 5; i++) {
                    row += WEND_DB_ROW;
                    wend_store64(row + WEND_DB_ROW_OFFSET, wend_db_padded(size));
                    wend_store64(row + WEND_DB_ROW_COUNT, i % 2 ? 1 : UINT64_MAX / 16);
                }
            }
            (void)test_repair(cut, size, 0);
            wend_db *db = NULL;
            wend_error error = {.message = ""};
            CHECK(open_bytes(&context, cut, size, NULL, &db, &error) == WEND_STATUS_DAMAGED || section == 4);
            CHECK(db || error.offset <= size);
            wend_db_close(db);
            free(cut);
            test_case();
        }
    free(bytes.data);
    wend_map_destroy(map);
}

static void fields_that_make_no_sense_are_refused(void) {
    static const struct {
        size_t at;
        uint32_t value;
        wend_status status;
    } cases[] = {
        {WEND_DB_ORDER, 0x04030201, WEND_STATUS_DAMAGED},
        {WEND_DB_VERSION, 2, WEND_STATUS_NEWER_VERSION},
        {WEND_DB_VERSION, 0x01000000, WEND_STATUS_NEWER_VERSION},
        {WEND_DB_VERSION, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_HEADER_BYTES, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_HEADER_BYTES, WEND_DB_TABLE, WEND_STATUS_DAMAGED},
        {WEND_DB_HEADER_BYTES, WEND_DB_TABLE + WEND_DB_SECTIONS * WEND_DB_ROW + WEND_DB_SETTINGS_ROOM,
         WEND_STATUS_CUT_SHORT},
        {WEND_DB_HEADER_BYTES, WEND_DB_TABLE + WEND_DB_SECTIONS * WEND_DB_ROW + WEND_DB_SETTINGS_ROOM + 1,
         WEND_STATUS_DAMAGED},
        {WEND_DB_HEADER_BYTES, UINT32_MAX, WEND_STATUS_DAMAGED},
        {WEND_DB_SECTION_COUNT, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_SECTION_COUNT, 25, WEND_STATUS_DAMAGED},
        {WEND_DB_SECTION_COUNT, UINT32_MAX, WEND_STATUS_DAMAGED},
        {WEND_DB_FILE_BYTES, 8, WEND_STATUS_DAMAGED},
        {WEND_DB_FILE_BYTES + 4, 1, WEND_STATUS_CUT_SHORT},
        {WEND_DB_WIDTH, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_HEIGHT, WEND_MAX_SIDE + 1, WEND_STATUS_DAMAGED},
        {WEND_DB_RULES, 5, WEND_STATUS_DAMAGED},
        {WEND_DB_RULES, 8 | 3 << 8, WEND_STATUS_DAMAGED},
        {WEND_DB_RULES, 8 | 2 << 8 | 2 << 16, WEND_STATUS_DAMAGED},
        {WEND_DB_RULES, 8 | 2 << 8 | 1 << 24, WEND_STATUS_DAMAGED},
        {WEND_DB_KIND_VERSION, 4, WEND_STATUS_NEWER_VERSION},
        {WEND_DB_KIND_VERSION, 2, WEND_STATUS_UNSUPPORTED},
        {WEND_DB_KIND, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_KIND, 'n' | 'e' << 8 | 'w' << 16 | (uint32_t)'s' << 24,
         WEND_STATUS_NEWER_VERSION}, /* newsle */
        {WEND_DB_KIND + 12, 'x', WEND_STATUS_DAMAGED},
        {WEND_DB_SETTINGS, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_SETTINGS, 47, WEND_STATUS_DAMAGED}, /* the text is of 48 bytes */
        {WEND_DB_SETTINGS, UINT32_MAX, WEND_STATUS_DAMAGED},
        {WEND_DB_SETTINGS + 4, 1, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + 12, 1, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + WEND_DB_ROW_WIDTH, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + WEND_DB_ROW_WIDTH, 3, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + WEND_DB_ROW_WIDTH + 4, 1, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + WEND_DB_ROW_OFFSET, 8, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + WEND_DB_ROW_OFFSET + 4, 0x80000000, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + WEND_DB_ROW_COUNT, 0, WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + WEND_DB_ROW_COUNT + 4, 0xffffffff, WEND_STATUS_DAMAGED},
        /* Its settings have no name, or a key that is not there. */
        {WEND_DB_TABLE + 5 * WEND_DB_ROW, 'x', WEND_STATUS_DAMAGED},
        {WEND_DB_TABLE + 5 * WEND_DB_ROW + 7, 'x', WEND_STATUS_DAMAGED},
    };
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_bytes bytes = build(&context, map, "sample");
        wend_store32(bytes.data + cases[i].at, cases[i].value);
        (void)test_repair(bytes.data, bytes.size, 0);
        wend_db *db = NULL;
        wend_error error = {.message = ""};
        wend_status status = open_bytes(&context, bytes.data, bytes.size, NULL, &db, &error);
        CHECK_THAT(status == cases[i].status && !db, "case %zu: %s: %s", i, wend_status_text(status),
                   error.message);
        wend_db_close(db);
        free(bytes.data);
        test_case();
    }
    wend_map_destroy(map);
}

static void two_sections_can_not_share_a_name(void) {
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    test_bytes bytes = build(&context, map, "sample");
    uint8_t *row = bytes.data + WEND_DB_TABLE;
    memcpy(row + WEND_DB_ROW, row, 16);
    (void)test_repair(bytes.data, bytes.size, 0);
    wend_db *db = NULL;
    wend_error error = {.message = ""};
    CHECK(open_bytes(&context, bytes.data, bytes.size, NULL, &db, &error) == WEND_STATUS_DAMAGED);
    CHECK_THAT(strstr(error.message, "same name"), "%s", error.message);
    free(bytes.data);
    wend_map_destroy(map);
}

static void padding_is_zero(void) {
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    test_bytes bytes = build(&context, map, "sample:jobs=2,mean=3");
    uint32_t padded = 0;
    for (size_t i = 0; i < 5; i++) {
        const uint8_t *row = bytes.data + WEND_DB_TABLE + i * WEND_DB_ROW;
        uint64_t end = wend_load64(row + WEND_DB_ROW_OFFSET) +
                       wend_load64(row + WEND_DB_ROW_COUNT) * wend_load32(row + WEND_DB_ROW_WIDTH);
        for (; end % 8; end++) {
            bytes.data[end] = 1; /* no checksum covers it */
            wend_db *db = NULL;
            CHECK(open_bytes(&context, bytes.data, bytes.size, NULL, &db, NULL) == WEND_STATUS_DAMAGED);
            bytes.data[end] = 0;
            padded++;
            test_case();
        }
    }
    CHECK(padded > 0);
    free(bytes.data);
    wend_map_destroy(map);
}

static void another_kind_of_settings_is_refused(void) {
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    test_bytes bytes = build(&context, map, "sample:jobs=1");
    uint8_t *text = bytes.data + WEND_DB_TABLE + 5 * WEND_DB_ROW;
    uint32_t size = wend_load32(bytes.data + WEND_DB_SETTINGS);
    CHECK(memcmp(text, "sample:jobs=1,", 14) == 0);
    memset(text, 0, size);
    memcpy(text, "other", 5);
    wend_store32(bytes.data + WEND_DB_SETTINGS, 5);
    /* The header would have to be shorter now. */
    (void)test_repair(bytes.data, bytes.size, 0);
    wend_db *db = NULL;
    CHECK(open_bytes(&context, bytes.data, bytes.size, NULL, &db, NULL) == WEND_STATUS_DAMAGED);
    free(bytes.data);
    bytes = build(&context, map, "other");
    CHECK(memcmp(bytes.data + WEND_DB_KIND, "other", 6) == 0);
    memcpy(bytes.data + WEND_DB_KIND, "sample", 6);
    wend_store32(bytes.data + WEND_DB_KIND_VERSION, 3);
    (void)test_repair(bytes.data, bytes.size, 0);
    wend_error error = {.message = ""};
    CHECK(open_bytes(&context, bytes.data, bytes.size, NULL, &db, &error) == WEND_STATUS_DAMAGED);
    CHECK_THAT(strstr(error.message, "another kind"), "%s", error.message);
    free(bytes.data);
    wend_map_destroy(map);
}

/* Maps --------------------------------------------------------------------------------------------------- */

static void another_map_is_refused_with_words_on_what_would_fit(void) {
    static const char *const corners[] = {"any", "one", "strict"};
    wend_db_context context = test_sample_context();
    for (uint32_t a = 0; a < TEST_RULES; a++) {
        wend_map *map = small_map(a);
        test_bytes bytes = build(&context, map, "sample");
        wend_rules rules = wend_map_rules(map);
        char fits[100];
        (void)snprintf(fits, sizeof fits, "connect %d, corners %s, diagonal %s", (int)rules.connect,
                       corners[rules.corners], rules.diagonal == WEND_DIAGONAL_1_4 ? "1.4" : "sqrt2");
        for (uint32_t b = 0; b < TEST_RULES; b++) {
            wend_map *other = small_map(b);
            wend_db *db = NULL;
            wend_error error = {.message = ""};
            wend_status status = open_bytes(&context, bytes.data, bytes.size, other, &db, &error);
            CHECK(status == (a == b ? WEND_OK : WEND_STATUS_OTHER_MAP));
            if (a != b) CHECK_THAT(strstr(error.message, fits), "%s", error.message);
            wend_db_close(db);
            wend_map_destroy(other);
            test_case();
        }
        /* One cell makes another map of it. */
        wend_rect cell = {3, 4, 1, 1};
        bool open = wend_map_is_open(map, 3, 4);
        wend_db *db = NULL;
        wend_error error = {.message = ""};
        CHECK(wend_map_edit(map, cell, !open, NULL) == WEND_OK);
        CHECK(open_bytes(&context, bytes.data, bytes.size, map, &db, &error) == WEND_STATUS_OTHER_MAP);
        CHECK_THAT(strstr(error.message, "other cells"), "%s", error.message);
        CHECK(wend_map_edit(map, cell, open, NULL) == WEND_OK);
        CHECK(open_bytes(&context, bytes.data, bytes.size, map, &db, NULL) == WEND_OK);
        wend_db_close(db);
        test_random random = {1};
        wend_map *larger = test_map_make(TEST_SHAPE_OPEN, 21, 11, rules, &random, NULL);
        CHECK(open_bytes(&context, bytes.data, bytes.size, larger, &db, &error) == WEND_STATUS_OTHER_MAP);
        CHECK_THAT(strstr(error.message, "20 x 11 cells, not 21 x 11"), "%s", error.message);
        wend_map_destroy(larger);
        wend_map_destroy(map);
        free(bytes.data);
        test_case();
    }
}

/* Kinds compare their cells with the size in the header before they look at the map. */
static void a_fingerprint_with_another_size_or_rules_is_refused(void) {
    static const struct {
        size_t at;
        uint8_t value;
    } cases[] = {{WEND_DB_WIDTH, 21},    {WEND_DB_WIDTH, 19},   {WEND_DB_HEIGHT + 1, 1},
                 {WEND_DB_HEIGHT, 1},    {WEND_DB_RULES, 4},    {WEND_DB_RULES + 1, 0},
                 {WEND_DB_RULES + 1, 1}, {WEND_DB_RULES + 2, 1}};
    wend_db_context context = test_sample_context();
    test_random random = {7};
    wend_map *map = test_map_make(TEST_SHAPE_SCATTERED, 20, 11, wend_default_rules(), &random, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_bytes bytes = build(&context, map, "sample");
        bytes.data[cases[i].at] = cases[i].value;
        (void)test_repair(bytes.data, bytes.size, 0);
        wend_db *db = NULL;
        CHECK(open_bytes(&context, bytes.data, bytes.size, map, &db, NULL) == WEND_STATUS_DAMAGED);
        free(bytes.data);
        test_case();
    }
    wend_map_destroy(map);
}

/* Byte order --------------------------------------------------------------------------------------------- */

/* As on a machine of the other byte order: what it builds has every number turned round, and it turns them
 * back when it opens it. */
static void numbers_are_swapped_for_other_machines(void) {
    static const struct {
        const char *name;
        uint32_t width;
    } sections[] = {{"bytes", 1}, {"shorts", 2}, {"ends", 4}, {"longs", 8}};
    wend_db_context here = test_sample_context(), there = here;
    there.swap = !here.swap;
    wend_map *map = small_map(0);
    test_bytes ours = build(&here, map, "sample"), theirs = build(&there, map, "sample");
    CHECK(ours.size == theirs.size && !test_same_bytes(ours, theirs));
    wend_db *a = NULL, *b = NULL, *wrong = NULL;
    CHECK(open_bytes(&here, ours.data, ours.size, map, &a, NULL) == WEND_OK);
    CHECK(open_bytes(&there, theirs.data, theirs.size, map, &b, NULL) == WEND_OK);
    /* Read in the wrong order, the ends are out of range. */
    CHECK(open_bytes(&there, ours.data, ours.size, map, &wrong, NULL) == WEND_STATUS_DAMAGED);
    for (size_t i = 0; a && b && i < 4; i++) {
        uint64_t count_a, count_b;
        const uint8_t *x = wend_db_section(a, sections[i].name, sections[i].width, &count_a);
        const uint8_t *y = wend_db_section(b, sections[i].name, sections[i].width, &count_b);
        size_t size = (size_t)count_a * sections[i].width;
        if (!CHECK(x && y && count_a == count_b && count_a)) continue;
        CHECK(memcmp(x, y, size) == 0 && (uintptr_t)y % 8 == 0);
        /* The one that needs no swapping lies in its file; the other file has it at the same place. */
        const uint8_t *file = here.swap ? ours.data + (y - theirs.data) : theirs.data + (x - ours.data);
        for (size_t at = 0; at < size; at++) {
            uint32_t width = sections[i].width;
            CHECK(file[at] == x[at / width * width + width - 1 - at % width]);
        }
        test_case();
    }
    wend_db_close(a);
    wend_db_close(b);
    free(ours.data);
    free(theirs.data);
    wend_map_destroy(map);
}

/* Arguments, files, memory ------------------------------------------------------------------------------- */

static void what_is_no_database_is_refused(void) {
    wend_db_context context = test_sample_context();
    wend_db_options options = wend_default_db_options(), forgotten;
    memset(&forgotten, 0, sizeof forgotten);
    wend_db *db = NULL;
    wend_error error = {.message = ""};
    static const uint64_t words[40] = {0};
    CHECK(wend_db_open_in(&context, NULL, NULL, &options, &db, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_open_in(&context, "x", NULL, &options, NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_open_in(&context, "x", NULL, &forgotten, &db, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_open_memory_in(&context, NULL, 8, NULL, &options, &db, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(open_bytes(&context, (const uint8_t *)words + 4, 8, NULL, &db, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(open_bytes(&context, words, sizeof words, NULL, &db, &error) == WEND_STATUS_BAD_MAGIC);
    CHECK(open_bytes(&context, words, 1, NULL, &db, &error) == WEND_STATUS_BAD_MAGIC);
    const char *path = test_path("no such file");
    CHECK(wend_db_open_in(&context, path, NULL, &options, &db, &error) == WEND_STATUS_FILE_ERROR);
    CHECK(strcmp(error.file, path) == 0);
    path = test_path("empty");
    test_write(path, "", 0);
    CHECK(wend_db_open_in(&context, path, NULL, &options, &db, &error) == WEND_STATUS_EMPTY_FILE);
    CHECK(strcmp(error.file, path) == 0);
    path = test_path("text");
    test_write(path, "type octile\nheight 1\n", 21);
    CHECK(wend_db_open_in(&context, path, NULL, &options, &db, &error) == WEND_STATUS_BAD_MAGIC);
    CHECK(strcmp(error.file, path) == 0);
    CHECK(wend_db_open_in(&context, test_path("."), NULL, &options, &db, &error) == WEND_STATUS_FILE_ERROR);
    path = test_path("pipe"); /* nobody writes to it: it must not be waited for */
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(wend_db_open_in(&context, path, NULL, &options, &db, &error) == WEND_STATUS_FILE_ERROR);
    CHECK(!db);
    wend_db_close(NULL);
}

static void a_lack_of_memory_is_no_harm(void) {
    wend_db_context context = test_sample_context();
    wend_map *map = small_map(0);
    for (int swap = 0; swap < 2; swap++) {
        context.swap = swap;
        test_bytes bytes = build(&context, map, "sample");
        wend_status status = WEND_STATUS_NO_MEMORY;
        for (uint64_t refuse = 1; refuse < 20 && status == WEND_STATUS_NO_MEMORY; refuse++) {
            test_memory memory = {.refuse_at = refuse};
            wend_db_options options = wend_default_db_options();
            options.allocator = test_allocator(&memory);
            wend_db *db = NULL;
            wend_error error = {.message = ""};
            test_sample_state = (test_sample){0};
            status = wend_db_open_memory_in(&context, bytes.data, bytes.size, map, &options, &db, &error);
            CHECK(status == WEND_STATUS_NO_MEMORY ? !db && error.message[0] : status == WEND_OK);
            wend_db_close(db);
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            CHECK(test_sample_state.opens == test_sample_state.closes);
            test_case();
        }
        CHECK(status == WEND_OK);
        free(bytes.data);
    }
    wend_map_destroy(map);
}

/* Settings in one form ----------------------------------------------------------------------------------- */

static void settings_are_written_in_one_form(void) {
    static const char *const texts[][2] = {
        {"sample", "sample:jobs=12,mean=40,share=0.5,flavour=plain"},
        {"sample:flavour=plain,share=.50", "sample:jobs=12,mean=40,share=0.5,flavour=plain"},
        {"sample:jobs=0007,share=00.250", "sample:jobs=7,mean=40,share=0.25,flavour=plain"},
        {"sample:share=0", "sample:jobs=12,mean=40,share=0,flavour=plain"},
        {"sample:share=0.0", "sample:jobs=12,mean=40,share=0,flavour=plain"},
        {"sample:share=1.", "sample:jobs=12,mean=40,share=1,flavour=plain"},
        {"sample:share=01.00", "sample:jobs=12,mean=40,share=1,flavour=plain"},
        {"other:colour=yes", "other:colour=yes"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[200], again[200];
        const wend_settings *settings = test_sample_settings(texts[i][0]);
        size_t size = strlen(texts[i][1]) + 1;
        CHECK(wend_settings_write(settings, text, sizeof text));
        CHECK_THAT(strcmp(text, texts[i][1]) == 0, "%s gives %s", texts[i][0], text);
        settings = test_sample_settings(text);
        CHECK(wend_settings_write(settings, again, size) && strcmp(text, again) == 0);
        CHECK(!wend_settings_write(settings, again, size - 1) && strlen(again) < size - 1);
        CHECK(!wend_settings_write(settings, again, 0));
        test_case();
    }
    /* Values that are longer than words. */
    static const wend_key_info keys[] = {
        {.name = "file", .kind = WEND_KEY_FILE, .help = "h"},
        {.name = "most", .kind = WEND_KEY_INTEGER, .unlimited = true, .max = 9, .help = "h"},
        {.name = "part", .kind = WEND_KEY_PERCENT, .max = 100, .standard = "5%", .help = "h"},
    };
    static const wend_method_info info = {"long", "h", keys, 3};
    static const wend_method_info *const infos[] = {&info};
    static const char *const long_texts[][2] = {
        {"long", "long:part=5"},
        {"long:file=a\\,b\\c,most=unlimited", "long:file=a\\,b\\c,most=unlimited,part=5"},
        {"long:part=12.50%,file=x=y", "long:file=x=y,part=12.5"},
    };
    for (size_t i = 0; i < sizeof long_texts / sizeof *long_texts; i++) {
        wend_settings *settings = NULL, *again = NULL;
        char text[200], second[200];
        CHECK(wend_settings_parse_in("thing", infos, 1, long_texts[i][0], NULL, &settings, NULL) == WEND_OK);
        CHECK(wend_settings_write(settings, text, sizeof text));
        CHECK_THAT(strcmp(text, long_texts[i][1]) == 0, "%s gives %s", long_texts[i][0], text);
        CHECK(wend_settings_parse_in("thing", infos, 1, text, NULL, &again, NULL) == WEND_OK);
        CHECK(wend_settings_write(again, second, sizeof second) && strcmp(text, second) == 0);
        wend_settings_destroy(settings);
        wend_settings_destroy(again);
        test_case();
    }
}

/* The library's own table, whatever it holds. */
static void every_kind_is_found_by_its_name(void) {
    for (size_t i = 0; i < wend_db_kind_count(); i++) {
        const wend_method_info *kind = wend_db_kind_at(i);
        const wend_settings *settings = NULL;
        CHECK(kind && strlen(kind->name) < 16 && kind->help);
        if (kind) CHECK(test_db_settings_parse(kind->name, &settings, NULL) == WEND_OK);
        if (kind) CHECK(wend_settings_info(settings) == kind);
        test_case();
    }
    const wend_settings *settings = NULL;
    wend_error error = {.message = ""};
    CHECK(!wend_db_kind_at(wend_db_kind_count()));
    CHECK(test_db_settings_parse("nothing", &settings, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK_THAT(strstr(error.message, "no kind of database 'nothing'"), "%s", error.message);
}

static const test tests[] = {
    {"a database is what was built", a_database_is_what_was_built},
    {"every flipped bit is noticed", every_flipped_bit_is_noticed},
    {"a file that is cut or goes on is noticed", a_file_that_is_cut_or_goes_on_is_noticed},
    {"a hostile file is refused or harmless", a_hostile_file_is_refused_or_harmless},
    {"a shorter file with right checksums is refused", a_shorter_file_with_right_checksums_is_refused},
    {"fields that make no sense are refused", fields_that_make_no_sense_are_refused},
    {"two sections can not share a name", two_sections_can_not_share_a_name},
    {"padding is zero", padding_is_zero},
    {"another kind of settings is refused", another_kind_of_settings_is_refused},
    {"another map is refused with words on what would fit",
     another_map_is_refused_with_words_on_what_would_fit},
    {"a fingerprint with another size or rules is refused",
     a_fingerprint_with_another_size_or_rules_is_refused},
    {"numbers are swapped for other machines", numbers_are_swapped_for_other_machines},
    {"what is no database is refused", what_is_no_database_is_refused},
    {"a lack of memory is no harm", a_lack_of_memory_is_no_harm},
    {"settings are written in one form", settings_are_written_in_one_form},
    {"every kind is found by its name", every_kind_is_found_by_its_name},
};
TEST_MAIN(tests)
