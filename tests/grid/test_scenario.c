#include "support/check.h"
#include "support/memory.h"

#include "grid/text.h"
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wend/wend.h>

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Parses a copy of exactly that length on the heap, so that a sanitizer sees a byte too far. */
static wend_status parse(const char *data, size_t size, const wend_map *map, const wend_allocator *allocator,
                         wend_scenario **scenario, wend_error *error) {
    char *copy = malloc(size ? size : 1);
    if (size) memcpy(copy, data, size);
    wend_status status = wend_scenario_parse(copy, size, map, allocator, scenario, error);
    free(copy);
    return status;
}

static char *written(const wend_scenario *scenario, int version, size_t *size) {
    *size = wend_scenario_written_size(scenario, version);
    char *data = malloc(*size + 1);
    CHECK(wend_scenario_write(scenario, version, data, *size - 1, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_scenario_write(scenario, version, data, *size, NULL) == WEND_OK);
    data[*size] = 0;
    return data;
}

/* Lengths as benchmarks have them: straight + diagonal * sqrt 2, and one that is not stated. */
static wend_scenario *random_scenario(const char *name, size_t count, uint64_t seed) {
    wend_scenario *scenario = NULL;
    if (!CHECK(wend_scenario_create(name, 300, 200, NULL, &scenario, NULL) == WEND_OK)) return NULL;
    for (size_t i = 0; i < count; i++) {
        wend_problem problem = {
            .start = {(int32_t)(next_random(&seed) % 300), (int32_t)(next_random(&seed) % 200)},
            .goal = {(int32_t)(next_random(&seed) % 300), (int32_t)(next_random(&seed) % 200)}};
        problem.length =
            (double)(next_random(&seed) % 30000) + (double)(next_random(&seed) % 30000) * sqrt(2);
        problem.bucket = (uint32_t)(problem.length / 4);
        if (i % 7 == 6) problem.length = -1;
        CHECK(wend_scenario_add(scenario, &problem, NULL) == WEND_OK);
    }
    return scenario;
}

static bool same_cell(wend_xy a, wend_xy b) {
    return a.x == b.x && a.y == b.y;
}

static bool same_problems(const wend_scenario *a, const wend_scenario *b) {
    if (wend_scenario_count(a) != wend_scenario_count(b)) return false;
    for (size_t i = 0; i < wend_scenario_count(a); i++) {
        const wend_problem *p = wend_scenario_at(a, i), *q = wend_scenario_at(b, i);
        if (p->bucket != q->bucket || !same_cell(p->start, q->start) || !same_cell(p->goal, q->goal) ||
            fabs(p->length - q->length) > 0.51e-8)
            return false;
    }
    return wend_scenario_count(a) == 0 || strcmp(wend_scenario_map_name(a), wend_scenario_map_name(b)) == 0;
}

static void scenarios_survive_writing_and_reading(void) {
    static const char *const names[] = {"arena.map", "maps/dao/arena.map", "a map with blanks.map",
                                        "Ha\xc3\xbcs.map"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t count = 0; count < 50; count += 1 + count / 3)
            for (int version = 0; version <= 1; version++) {
                wend_scenario *scenario = random_scenario(names[i], count, i * 100 + count), *back;
                if (!scenario) return;
                size_t size, again_size;
                char *data = written(scenario, version, &size);
                wend_error error;
                if (CHECK(parse(data, size, NULL, NULL, &back, &error) == WEND_OK)) {
                    CHECK(same_problems(scenario, back));
                    char *again = written(back, version, &again_size);
                    CHECK(again_size == size && memcmp(again, data, size) == 0);
                    free(again);
                    /* Version 0 does not say how large the map is, and version 1 must. */
                    size_t larger = wend_scenario_written_size(back, 1);
                    CHECK((larger == 0) == (version == 0 && count > 0));
                    char byte;
                    if (!larger)
                        CHECK(wend_scenario_write(back, 1, &byte, 1, NULL) == WEND_STATUS_BAD_ARGUMENT);
                    wend_scenario_destroy(back);
                }
                free(data);
                wend_scenario_destroy(scenario);
                test_case();
            }
}

static void written_lines_are_as_published(void) {
    wend_scenario *scenario;
    if (!CHECK(wend_scenario_create(" a b.map ", 1024, 512, NULL, &scenario, NULL) == WEND_OK)) return;
    CHECK(strcmp(wend_scenario_map_name(scenario), "a b.map") == 0);
    static const double lengths[] = {3.8284271247461903, 2, 0, 0.999999996, 1e9 + 0.25, -7};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        wend_problem problem = {(uint32_t)i, {539, 66}, {1023, 511}, lengths[i]};
        CHECK(wend_scenario_add(scenario, &problem, NULL) == WEND_OK);
    }
    CHECK(wend_scenario_at(scenario, 5)->length == -1); /* whatever was below 0: not stated */
    size_t size;
    char *data = written(scenario, 1, &size);
    CHECK(strcmp(data, "version 1\n"
                       "0\ta b.map\t1024\t512\t539\t66\t1023\t511\t3.82842712\n"
                       "1\ta b.map\t1024\t512\t539\t66\t1023\t511\t2.00000000\n"
                       "2\ta b.map\t1024\t512\t539\t66\t1023\t511\t0.00000000\n"
                       "3\ta b.map\t1024\t512\t539\t66\t1023\t511\t1.00000000\n"
                       "4\ta b.map\t1024\t512\t539\t66\t1023\t511\t1000000000.25000000\n"
                       "5\ta b.map\t1024\t512\t539\t66\t1023\t511\t-1.00000000\n") == 0);
    free(data);
    test_case();
    data = written(scenario, 0, &size);
    CHECK(strncmp(data, "version 0\n0\ta b.map\t539\t66\t1023\t511\t3.82842712\n", 46) == 0);
    free(data);
    test_case();
    wend_scenario_destroy(scenario);
}

typedef struct sample {
    const char *text;
    bool with_map; /* of 10 x 8 cells */
    wend_status status;
    uint64_t line, column;
    const char *word;
} sample;

#define GOOD "0\tm.map\t10\t8\t9\t7\t0\t0\t9.5\n"

/* The good ones hold one problem, that of GOOD. */
static const sample samples[] = {
    {"version 1\n" GOOD, true, WEND_OK, 0, 0, ""},
    {"version 1.0\r\n0\tm.map\t10\t8\t9\t7\t0\t0\t9.5\r\n\r\n", true, WEND_OK, 0, 0, ""},
    {"version 1.00 \n\n0 m.map 10  8 9 7 0 0 9.50\t \n", true, WEND_OK, 0, 0, ""},
    {"version 1\n0\t m.map \t10\t8\t9\t7\t0\t0\t9.5", false, WEND_OK, 0, 0, ""},
    {"version\t1\n  0\tm.map 10 8\t\t9 7 0 0 0.95e+1\n", false, WEND_OK, 0, 0, ""},
    {"version 0\n0 m.map 9 7 0 0 9.5\n", true, WEND_OK, 0, 0, ""},
    {"version 0.0\n0\tm.map\t9\t7\t0\t0\t9.5\n", false, WEND_OK, 0, 0, ""},
    {"\n0\tm.map\t09\t7\t0\t0\t95e-1\n", false, WEND_OK, 0, 0, ""},
    /* nothing there */
    {"", false, WEND_STATUS_EMPTY_FILE, 0, 0, ""},
    {"\r\n \t", false, WEND_STATUS_EMPTY_FILE, 0, 0, ""},
    /* the version */
    {"version 2\n" GOOD, false, WEND_STATUS_UNSUPPORTED, 1, 9, "2"},
    {"version 1.5\n" GOOD, false, WEND_STATUS_UNSUPPORTED, 1, 9, "1.5"},
    {"version  one\n" GOOD, false, WEND_STATUS_HEADER_VALUE, 1, 10, "one"},
    {"version\n" GOOD, false, WEND_STATUS_HEADER_VALUE, 1, 8, ""},
    {"version 1\nversion 1\n" GOOD, false, WEND_STATUS_HEADER_REPEATED, 2, 1, "version"},
    {"0 m.map 9 7 0 0 9.5\nversion 0\n", false, WEND_STATUS_HEADER_ORDER, 2, 1, "version"},
    {"version1\n" GOOD, false, WEND_STATUS_BAD_FIELD, 1, 9, "missing"},
    /* fields */
    {"version 1\n0\tm.map\t10\t8\t9\t7\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 23, "length"},
    {"version 1\n0 m.map 10 8 9 7 0 0 9.5 1\n", false, WEND_STATUS_BAD_FIELD, 2, 0, "10 fields"},
    {"version 0\n" GOOD, false, WEND_STATUS_BAD_FIELD, 2, 0, "9 fields"},
    {GOOD, false, WEND_STATUS_BAD_FIELD, 1, 0, "9 fields"},
    {"version 1\n0 m.map 9 7 0 0 9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 20, "goal y"},
    {"version 1\n0\tm.map\t10\t8\t9\t\t0\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 16, "start y"},
    {"version 1\nzero\tm.map\t10\t8\t9\t7\t0\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 1, "bucket"},
    {"version 1\n4294967296\tm.map\t10\t8\t9\t7\t0\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 1, "bucket"},
    {"version 1\n0\tm.map\tten\t8\t9\t7\t0\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 9, "ten"},
    {"version 1\n0\tm.map\t10\t0\t9\t7\t0\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 12, "height"},
    {"version 1\n0\tm.map\t32769\t8\t9\t7\t0\t0\t9.5\n", false, WEND_STATUS_TOO_LARGE, 2, 9, "width"},
    {"version 1\n0\tm.map\t10\t8\t9.0\t7\t0\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 14, "start x"},
    {"version 1\n0\tm.map\t10\t8\t9\t-\t0\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 16, "start y"},
    {"version 1\n0\tm.map\t10\t8\t9\t7\t0\t0\t9,5\n", false, WEND_STATUS_BAD_FIELD, 2, 22, "9,5"},
    {"version 1\n0\tm.map\t10\t8\t9\t7\t0\t0\tnan\n", false, WEND_STATUS_BAD_FIELD, 2, 22, "nan"},
    {"version 1\n0\tm.map\t10\t8\t9\t7\t0\t0\t1e11\n", false, WEND_STATUS_BAD_FIELD, 2, 22, "1e11"},
    {"version 1\n0\tm\x01.map\t10\t8\t9\t7\t0\t0\t9.5\n", false, WEND_STATUS_BAD_FIELD, 2, 3, "\\x01"},
    /* another map */
    {"version 1\n0\tm.map\t11\t8\t9\t7\t0\t0\t9.5\n", true, WEND_STATUS_OTHER_MAP, 2, 9, "11, not 10"},
    {"version 1\n0\tm.map\t10\t9\t9\t7\t0\t0\t9.5\n", true, WEND_STATUS_OTHER_MAP, 2, 12, "9, not 8"},
    {"version 1\n" GOOD "0\tm.map\t10\t9\t9\t7\t0\t0\t9.5\n", false, WEND_STATUS_OTHER_MAP, 3, 12, "height"},
    {"version 1\n" GOOD "0\tn.map\t10\t8\t9\t7\t0\t0\t9.5\n", false, WEND_STATUS_OTHER_MAP, 3, 3, "n.map"},
    {"0 m.map 9 7 0 0 9.5\n0 m.ma 9 7 0 0 9.5\n", false, WEND_STATUS_OTHER_MAP, 2, 3, "m.ma"},
    /* cells outside */
    {"version 1\n0\tm.map\t10\t8\t10\t7\t0\t0\t9.5\n", false, WEND_STATUS_OUTSIDE, 2, 14, "start x"},
    {"version 1\n0\tm.map\t10\t8\t9\t8\t0\t0\t9.5\n", true, WEND_STATUS_OUTSIDE, 2, 16, "start y"},
    {"version 1\n0\tm.map\t10\t8\t9\t7\t-1\t0\t9.5\n", true, WEND_STATUS_OUTSIDE, 2, 18, "goal x"},
    {"version 1\n0\tm.map\t10\t8\t9\t7\t0\t99999999999999999999\t9.5\n", true, WEND_STATUS_OUTSIDE, 2, 20,
     "goal y"},
    {"0 m.map 9 7 10 0 9.5\n", true, WEND_STATUS_OUTSIDE, 1, 13, "goal x"},
    {"0 m.map 9 7 32768 0 9.5\n", false, WEND_STATUS_OUTSIDE, 1, 13, "goal x"},
    /* cut */
    {"vers", false, WEND_STATUS_CUT_SHORT, 1, 5, ""},
    {"version", false, WEND_STATUS_CUT_SHORT, 1, 8, ""},
    {"version 1.", false, WEND_STATUS_CUT_SHORT, 1, 11, ""},
    {"version 1\n0\tm.map\t10\t8\t9\t7\t0\t0\t", false, WEND_STATUS_CUT_SHORT, 2, 21, ""},
    {"version 1\n" GOOD "0\tm.map\t10\t8\t9\t7\t0\t0\t9.", false, WEND_STATUS_CUT_SHORT, 3, 24, ""},
    {"version 1\n0\tm m.map\t10\t8\t9\t7\t0\t0\t9.5\n0\tm m.map\t10\t8\t9\t7\t0\t0\n", false,
     WEND_STATUS_BAD_FIELD, 3, 23, "length"},
};

static void faults_have_a_status_and_a_place(void) {
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    if (!CHECK(wend_map_create(10, 8, &options, &map, NULL) == WEND_OK)) return;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const sample *given = &samples[i];
        test_memory memory = {0};
        wend_allocator allocator = test_allocator(&memory);
        wend_scenario *scenario;
        wend_error error;
        memset(&error, 0, sizeof error);
        size_t size = strlen(given->text);
        const wend_map *against = given->with_map ? map : NULL;
        wend_status status = parse(given->text, size, against, &allocator, &scenario, &error);
        CHECK_THAT(status == given->status, "`%s`: status %d (%s), not %d", given->text, (int)status,
                   error.message, (int)given->status);
        if (status == WEND_OK) {
            const wend_problem *problem = wend_scenario_at(scenario, 0);
            CHECK(wend_scenario_count(scenario) == 1 && !wend_scenario_at(scenario, 1));
            CHECK(strcmp(wend_scenario_map_name(scenario), "m.map") == 0);
            CHECK(problem && problem->bucket == 0 && problem->length == 9.5 &&
                  same_cell(problem->start, (wend_xy){9, 7}) && same_cell(problem->goal, (wend_xy){0, 0}));
        } else {
            CHECK(!scenario && error.status == status && !error.file[0]);
            CHECK_THAT(error.line == given->line && error.column == given->column,
                       "`%s`: at %d:%d (%s), not %d:%d", given->text, (int)error.line, (int)error.column,
                       error.message, (int)given->line, (int)given->column);
            CHECK_THAT(strstr(error.message, given->word) != NULL, "`%s`: `%s` says nothing of `%s`",
                       given->text, error.message, given->word);
            CHECK(error.offset <= size);
            CHECK(parse(given->text, size, against, &allocator, &scenario, NULL) == status && !scenario);
        }
        wend_scenario_destroy(scenario);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
        test_case();
    }
    wend_map_destroy(map);
}

/* Cut within a line, a file is refused. Between lines it is a file with fewer problems: nothing in the format
 * says how many there should be. A known limit: the first problem's length may lose digits unnoticed, since
 * there is no line before it to compare decimals with. */
static void cut_data_is_refused(void) {
    for (int version = 0; version <= 1; version++)
        for (int crlf = 0; crlf < 2; crlf++) {
            wend_scenario *scenario = random_scenario(crlf ? "my own.map" : "a.map", 40, 3);
            if (!scenario) return;
            size_t size, length = 0;
            char *plain = written(scenario, version, &size), *data = malloc(2 * size);
            for (size_t i = 0; i < size; i++) {
                if (crlf && plain[i] == '\n') data[length++] = '\r';
                data[length++] = plain[i];
            }
            size_t lines = 0, tabs = 0;
            for (size_t cut = 0; cut <= length; cut++) {
                if (cut && data[cut - 1] == '\n') lines++, tabs = 0;
                if (cut && data[cut - 1] == '\t') tabs++;
                /* At the end of a line, before or behind its end. */
                bool at_end = cut == length || strchr("\r\n", data[cut]) || (cut && data[cut - 1] == '\n');
                bool unnoticed = lines == 1 && tabs == (version ? 8 : 6) && data[cut - 1] != '\t';
                size_t expected = lines + (cut && data[cut - 1] != '\n') - 1;
                test_memory memory = {0};
                wend_allocator allocator = test_allocator(&memory);
                wend_scenario *back;
                wend_error error;
                wend_status status = parse(data, cut, NULL, &allocator, &back, &error);
                CHECK_THAT((status == WEND_OK) == (cut && (at_end || unnoticed)),
                           "version %d, %zu bytes: status %d", version, cut, (int)status);
                CHECK(status == WEND_OK || status == (cut ? WEND_STATUS_CUT_SHORT : WEND_STATUS_EMPTY_FILE));
                if (status == WEND_OK) CHECK(wend_scenario_count(back) == expected);
                CHECK(memory.peak_bytes <= 2048 + 8 * cut);
                wend_scenario_destroy(back);
                CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
                test_case();
            }
            free(plain), free(data);
            wend_scenario_destroy(scenario);
        }
}

/* The shortest lines there can be make the most of every byte. */
static void memory_follows_the_data(void) {
    size_t lines = 20000, length = 14;
    char *data = malloc(lines * length + 1);
    for (size_t i = 0; i < lines; i++) memcpy(data + i * length, "0 a 0 0 0 0 0\n", length);
    test_memory memory = {0};
    wend_allocator allocator = test_allocator(&memory);
    wend_scenario *scenario;
    CHECK(parse(data, lines * length, NULL, &allocator, &scenario, NULL) == WEND_OK);
    CHECK(wend_scenario_count(scenario) == lines);
    CHECK(memory.peak_bytes <= 2048 + 8 * lines * length);
    wend_scenario_destroy(scenario);
    CHECK(memory.live_blocks == 0);
    free(data);
}

/* Against the C library's reading, in this program's "C" locale. */
static void decimals_are_read_exactly(void) {
    static const char *const words[] = {"0",
                                        "-0",
                                        "1",
                                        "1.",
                                        ".5",
                                        "0.1",
                                        "1e22",
                                        "1e-22",
                                        "1.5E3",
                                        "1.5e+03",
                                        "123456789012345678901234567890",
                                        "0.00000000000000000000000000012345",
                                        "9007199254740993",
                                        "1e308",
                                        "179.99999999999999999999",
                                        "4.9e-300",
                                        "0e999999999999999999999"};
    double value;
    size_t decimals;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        double expected = strtod(words[i], NULL);
        CHECK_THAT(wend_text_decimal(words[i], strlen(words[i]), &value, &decimals) &&
                       fabs(value - expected) <= 1e-15 * fabs(expected),
                   "%s is read as %.17g", words[i], value);
        test_case();
    }
    uint64_t seed = 9;
    for (int i = 0; i < 20000; i++) { /* lengths as files have them are read to the last bit */
        char text[64];
        unsigned whole = (unsigned)(next_random(&seed) % (i % 2 ? 3000000 : 2000000000)),
                 part = (unsigned)(next_random(&seed) % 100000000);
        int length = snprintf(text, sizeof text, "%u.%08u", whole, part);
        CHECK_THAT(wend_text_decimal(text, (size_t)length, &value, &decimals) && decimals == 8 &&
                       value == strtod(text, NULL),
                   "%s is read as %.17g", text, value);
        test_case();
    }
    CHECK(wend_text_decimal("1e400", 5, &value, &decimals) && isinf(value));
    static const char *const bad[] = {"",   "-",   ".",  "-.",  "e5", "1e", "1e+", "1.2.3",
                                      "1x", "0x1", "+1", "inf", " 1", "1 ", "--1", "1e5.0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_THAT(!wend_text_decimal(bad[i], strlen(bad[i]), &value, &decimals), "`%s` is no number",
                   bad[i]);
}

static void each_refused_allocation_is_reported(void) {
    wend_scenario *scenario = random_scenario("a.map", 100, 8);
    char path[64] = "/tmp/wend-test-XXXXXX";
    int file = mkstemp(path);
    if (!scenario || !CHECK(file >= 0 && close(file) == 0)) return;
    CHECK(wend_scenario_save(path, scenario, 1, NULL) == WEND_OK);
    wend_status status = WEND_STATUS_NO_MEMORY;
    for (uint64_t refuse = 1; status != WEND_OK && refuse < 100; refuse++) {
        test_memory memory = {.refuse_at = refuse};
        wend_allocator allocator = test_allocator(&memory);
        wend_scenario *back;
        wend_error error;
        status = wend_scenario_load(path, NULL, &allocator, &back, &error);
        if (status ==
            WEND_OK) { /* every one has been refused once: file, scenario, 16, 32, 64, 128 problems */
            CHECK(refuse == memory.requests + 1 && memory.requests == 6);
            CHECK(same_problems(scenario, back));
            memory.refuse_at = memory.requests + 1;
            CHECK(wend_scenario_save(path, back, 1, &error) == WEND_STATUS_NO_MEMORY &&
                  strcmp(error.file, path) == 0);
            CHECK(wend_scenario_save(path, back, 1, &error) == WEND_OK);
        } else {
            CHECK(status == WEND_STATUS_NO_MEMORY && error.status == status && strcmp(error.file, path) == 0);
            CHECK(!back);
        }
        wend_scenario_destroy(back);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
        test_case();
    }
    CHECK(status == WEND_OK && unlink(path) == 0);
    wend_scenario_destroy(scenario);
    /* Making one and adding to it. */
    status = WEND_STATUS_NO_MEMORY;
    for (uint64_t refuse = 1; status != WEND_OK && refuse < 100; refuse++) {
        test_memory memory = {.refuse_at = refuse};
        wend_allocator allocator = test_allocator(&memory);
        const wend_problem problem = {.start = {1, 2}, .goal = {3, 4}, .length = 3};
        status = wend_scenario_create("m", 9, 9, &allocator, &scenario, NULL);
        CHECK((status == WEND_OK) == (scenario != NULL));
        for (int i = 0; i < 40 && status == WEND_OK; i++) {
            status = wend_scenario_add(scenario, &problem, NULL);
            CHECK(wend_scenario_count(scenario) == (size_t)i + (status == WEND_OK));
        }
        CHECK(status == WEND_OK || status == WEND_STATUS_NO_MEMORY);
        wend_scenario_destroy(scenario);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
        test_case();
    }
    CHECK(status == WEND_OK);
}

static void wrong_calls_are_refused(void) {
    wend_scenario *scenario = NULL;
    wend_error error;
    CHECK(wend_scenario_create(NULL, 9, 9, NULL, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT && !scenario);
    CHECK(wend_scenario_create("", 9, 9, NULL, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT && !scenario);
    CHECK(wend_scenario_create(" ", 9, 9, NULL, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT && !scenario);
    CHECK(wend_scenario_create("a\tb", 9, 9, NULL, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT &&
          !scenario);
    CHECK(wend_scenario_create("a\nb", 9, 9, NULL, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT &&
          !scenario);
    CHECK(wend_scenario_create("m", 0, 9, NULL, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT && !scenario);
    CHECK(wend_scenario_create("m", 9, WEND_MAX_SIDE + 1, NULL, &scenario, &error) ==
          WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_scenario_create("m", 9, 9, NULL, NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_scenario_parse(NULL, 4, NULL, NULL, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT &&
          !scenario);
    CHECK(wend_scenario_parse("0", 1, NULL, NULL, NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_scenario_load(NULL, NULL, NULL, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_scenario_load("x", NULL, NULL, NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_scenario_load("no/such.scen", NULL, NULL, &scenario, &error) == WEND_STATUS_FILE_ERROR &&
          !scenario);
    CHECK(strcmp(error.file, "no/such.scen") == 0);
    CHECK(wend_scenario_written_size(NULL, 1) == 0);
    CHECK(wend_scenario_write(NULL, 1, &error, 1, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_scenario_save("x", NULL, 1, &error) == WEND_STATUS_BAD_ARGUMENT);
    char name[400];
    memset(name, 'n', sizeof name);
    name[399] = 0;
    if (!CHECK(wend_scenario_create(name, 9, 8, NULL, &scenario, &error) == WEND_OK)) return;
    CHECK(strlen(wend_scenario_map_name(scenario)) == 255);
    static const wend_problem wrong[] = {
        {0, {-1, 0}, {0, 0}, 1}, {0, {0, 8}, {0, 0}, 1}, {0, {0, 0}, {9, 0}, 1}, {0, {0, 0}, {0, -1}, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(wend_scenario_add(scenario, &wrong[i], &error) == WEND_STATUS_OUTSIDE);
    const double lengths[] = {(double)NAN, (double)INFINITY, 1e300};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const wend_problem problem = {0, {0, 0}, {0, 0}, lengths[i]};
        CHECK(wend_scenario_add(scenario, &problem, &error) == WEND_STATUS_BAD_ARGUMENT);
    }
    CHECK(wend_scenario_add(scenario, NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_scenario_count(scenario) == 0 && !wend_scenario_at(scenario, 0));
    CHECK(wend_scenario_written_size(scenario, 2) == 0);
    CHECK(wend_scenario_save("no/such/folder.scen", scenario, 1, &error) == WEND_STATUS_FILE_ERROR);
    CHECK(strcmp(error.file, "no/such/folder.scen") == 0);
    CHECK(wend_scenario_save("x.scen", scenario, 2, &error) == WEND_STATUS_BAD_ARGUMENT &&
          strcmp(error.file, "x.scen") == 0);
    CHECK(wend_scenario_write(scenario, 1, NULL, 100, &error) == WEND_STATUS_BAD_ARGUMENT);
    wend_scenario_destroy(scenario);
    wend_scenario_destroy(NULL);
}

/* Loads a scenario against its map; checks each start and goal to be open; writes it and reads it again. */
static size_t check_file(const char *path) {
    char map_path[512], words[600];
    snprintf(map_path, sizeof map_path, "%.*s", (int)(strlen(path) - strlen(".scen")), path);
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    wend_error error;
    memset(&error, 0, sizeof error);
    if (!CHECK_THAT(wend_map_load(map_path, &options, &map, &error) == WEND_OK, "%s",
                    wend_error_text(&error, words, sizeof words)))
        return 0;
    wend_scenario *scenario, *back;
    size_t count = 0, size;
    if (CHECK_THAT(wend_scenario_load(path, map, NULL, &scenario, &error) == WEND_OK, "%s",
                   wend_error_text(&error, words, sizeof words))) {
        count = wend_scenario_count(scenario);
        for (size_t i = 0; i < count; i++) {
            const wend_problem *problem = wend_scenario_at(scenario, i);
            CHECK(wend_map_is_open(map, problem->start.x, problem->start.y) &&
                  wend_map_is_open(map, problem->goal.x, problem->goal.y) && problem->length >= 0);
        }
        char *data = written(scenario, 1, &size);
        CHECK(parse(data, size, map, NULL, &back, NULL) == WEND_OK && same_problems(scenario, back));
        wend_scenario_destroy(back);
        free(data);
        wend_scenario_destroy(scenario);
    }
    wend_map_destroy(map);
    test_case();
    return count;
}

static void published_scenarios_load(void) {
    const char *shared = test_shared();
    if (!shared) return;
    char path[512];
    snprintf(path, sizeof path, "%s/maps", shared);
    DIR *outer = opendir(path);
    CHECK_THAT(outer != NULL, "no folder %s", path);
    if (!outer) return;
    size_t files = 0, problems = 0;
    for (struct dirent *set = readdir(outer); set; set = readdir(outer)) {
        snprintf(path, sizeof path, "%s/maps/%.200s", shared, set->d_name);
        DIR *inner = set->d_name[0] == '.' ? NULL : opendir(path);
        if (!inner) continue;
        for (struct dirent *entry = readdir(inner); entry; entry = readdir(inner)) {
            const char *dot = strrchr(entry->d_name, '.');
            if (!dot || strcmp(dot, ".scen") != 0) continue;
            snprintf(path, sizeof path, "%s/maps/%.99s/%.99s", shared, set->d_name, entry->d_name);
            problems += check_file(path);
            files++;
        }
        closedir(inner);
    }
    closedir(outer);
    CHECK_THAT(files == 100 && problems == 204344, "%zu scenarios with %zu problems, not 100 with 204344",
               files, problems);
}

static const test tests[] = {
    {"scenarios survive writing and reading", scenarios_survive_writing_and_reading},
    {"written lines are as published", written_lines_are_as_published},
    {"faults have a status and a place", faults_have_a_status_and_a_place},
    {"cut data is refused", cut_data_is_refused},
    {"memory follows the data", memory_follows_the_data},
    {"decimals are read exactly", decimals_are_read_exactly},
    {"each refused allocation is reported", each_refused_allocation_is_reported},
    {"wrong calls are refused", wrong_calls_are_refused},
    {"published scenarios load", published_scenarios_load},
};
TEST_MAIN(tests)
