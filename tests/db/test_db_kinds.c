/* The library's own kinds of databases in the container's hands: the same bytes by any number of workers and
 * after any number of interruptions and kills; what is done is not done again; caps on memory; files that are
 * cut, flipped or belong elsewhere; and verification on all workers. test_db.c and test_db_build.c have the
 * same of the container, with a kind made for it. */
#include "base/hash.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/databases.h"
#include "support/files.h"
#include "support/first_moves.h"
#include "support/memory.h"
#include "support/sample_kind.h"
#include "support/settings.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every kind, and every way in which one can be built. */
static const char *const kinds[] = {
    "knn2009:records=700",
    "knn2009:records=400,pick=farthest",
    "knn:records=60",
    "knn:records=60,spread=even",
    "knn:records=25,fragments=yes",
    "knn:records=30,spread=even,fragments=yes",
    "knn:records=40,compress=linear",
    "cpd",
    "cpd:encoding=rectangles,ties=label",
    "quadtree",
    "upd",
    "dlrta:level=1",
    "dlrta:level=2",
    /* Of few jobs on the small maps here: tests of their own have larger ones. */
    "subgoal-tree",
    "subgoal-tree:share=no",
    "atlas",
    "atlas:exact=yes",
    "corners",
};
enum { KINDS = sizeof kinds / sizeof *kinds, OF_MANY_JOBS = KINDS - 5 };

typedef struct trial {
    wend_map *map;
    const wend_settings *settings;
    wend_build_options options;
    char path[300], part[310];
    uint64_t stop_at; /* calls of progress until it says no; 0: never */
    uint64_t calls, jobs;
    uint64_t first, last; /* jobs done at the first and the last call while building; UINT64_MAX: none */
    wend_error error;
} trial;

static bool progress(void *context, const wend_progress *progress) {
    trial *j = context;
    if (strcmp(progress->stage, "building") == 0) {
        if (j->first == UINT64_MAX) j->first = progress->done;
        j->last = progress->done, j->jobs = progress->total;
    }
    return ++j->calls != j->stop_at;
}

static void begin(trial *j, const char *text, int32_t side) {
    test_random random = {9};
    *j = (trial){.options = wend_default_build_options()};
    j->map = test_map_make(TEST_SHAPE_SCATTERED, side, side - 5, wend_default_rules(), &random, NULL);
    j->options.progress = progress, j->options.progress_context = j;
    CHECK(test_db_settings_parse(text, &j->settings, NULL) == WEND_OK);
    (void)snprintf(j->path, sizeof j->path, "%s", test_path("k.wend"));
    (void)snprintf(j->part, sizeof j->part, "%s.part", j->path);
    (void)unlink(j->path);
    (void)unlink(j->part);
}

static wend_status build(trial *j, bool resume) {
    j->options.resume = resume;
    j->calls = 0, j->first = j->last = UINT64_MAX;
    memset(&j->error, 0, sizeof j->error);
    wend_status status = wend_db_build(j->map, j->settings, &j->options, j->path, &j->error);
    CHECK(status == j->error.status && (status == WEND_OK) == !j->error.message[0]);
    return status;
}

static test_bytes built(trial *j) {
    CHECK_THAT(build(j, false) == WEND_OK, "%s", j->error.message);
    return test_read(j->path);
}

static void check_same(const trial *j, test_bytes expected, const char *kind, const char *how,
                       uint64_t number) {
    test_bytes bytes = test_read(j->path);
    CHECK_THAT(test_same_bytes(bytes, expected), "%s: other bytes %s %llu", kind, how,
               (unsigned long long)number);
    CHECK(!test_exists(j->part));
    free(bytes.data);
}

static void any_workers_give_the_same_bytes(void) {
    for (int k = 0; k < KINDS; k++) {
        trial j;
        begin(&j, kinds[k], 30);
        test_bytes expected = built(&j);
        static const uint32_t workers[] = {1, 2, 8};
        for (int i = 0; i < 3; i++) {
            j.options.tasks = shared_tasks((int)workers[i]);
            CHECK_THAT(build(&j, false) == WEND_OK, "%s", j.error.message);
            check_same(&j, expected, kinds[k], "with workers", workers[i]);
            test_case();
        }
        for (uint64_t i = 0; i < 4; i++) {
            test_random random = {i};
            j.options.tasks = test_shuffled_tasks(&random);
            CHECK_THAT(build(&j, false) == WEND_OK, "%s", j.error.message);
            check_same(&j, expected, kinds[k], "in order", i);
            test_case();
        }
        free(expected.data);
        wend_map_destroy(j.map);
    }
}

/* Stopped by its progress, as Ctrl-C does it, anywhere: going on begins with as many jobs as were done, and
 * jobs are small enough that one more or less is not a tenth. */
static void what_is_done_is_not_done_again(void) {
    for (int k = 0; k < OF_MANY_JOBS; k++) {
        trial j;
        begin(&j, kinds[k], 30);
        test_bytes expected = built(&j);
        uint64_t calls = j.calls, stops = test_full() ? calls : test_some(25);
        /* A job of a path database is a block of 14 x 14 cells. */
        bool blocks = strncmp(kinds[k], "cpd", 3) == 0 || strcmp(kinds[k], "upd") == 0 ||
                      strcmp(kinds[k], "quadtree") == 0;
        CHECK_THAT(j.jobs >= (blocks ? 4 : 10), "%s: only %llu jobs", kinds[k], (unsigned long long)j.jobs);
        for (uint64_t i = 0; i < stops; i++) {
            test_random random = {i};
            (void)unlink(j.path);
            (void)unlink(j.part);
            j.stop_at = 1 + i * calls / stops;
            j.options.tasks = i % 3 == 2 ? shared_tasks((int)(1 + test_below(&random, 8))) : (wend_tasks){0};
            wend_status status = build(&j, false);
            uint64_t done = j.last == UINT64_MAX ? 0 : j.last;
            CHECK(status == WEND_STATUS_INTERRUPTED || (status == WEND_OK && i % 3 == 2));
            CHECK(status == WEND_OK || !test_exists(j.path));
            j.stop_at = 0;
            if (status == WEND_STATUS_INTERRUPTED) {
                CHECK_THAT(build(&j, true) == WEND_OK, "%s: %s", kinds[k], j.error.message);
                CHECK_THAT(j.first >= done, "%s: %llu jobs were done, and it went on with %llu", kinds[k],
                           (unsigned long long)done, (unsigned long long)j.first);
            }
            check_same(&j, expected, kinds[k], "stopped at", i);
            test_case();
        }
        free(expected.data);
        wend_map_destroy(j.map);
    }
}

/* Killed at any moment, twice, and then continued. */
static void a_build_that_is_killed_can_be_resumed(void) {
    uint32_t some = 0, all = 0;
    for (int k = 0; k < KINDS; k++) {
        trial j;
        begin(&j, kinds[k], 34);
        test_bytes expected = built(&j);
        for (uint64_t i = 0; i < (test_full() ? 30 : test_some(6)); i++) {
            test_random random = {i};
            (void)unlink(j.path);
            (void)unlink(j.part);
            for (int times = 0; times < 2; times++) {
                pid_t child = fork();
                if (child == 0) {
                    j.options.tasks = shared_tasks(2);
                    (void)build(&j, times > 0);
                    _exit(0);
                }
                (void)usleep(test_below(&random, 12000));
                CHECK(child > 0 && kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
            }
            j.options.tasks = (wend_tasks){0};
            CHECK_THAT(build(&j, true) == WEND_OK, "%s: %s", kinds[k], j.error.message);
            some += j.first != UINT64_MAX && j.first > 0, all++;
            check_same(&j, expected, kinds[k], "killed", i);
            test_case();
        }
        free(expected.data);
        wend_map_destroy(j.map);
    }
    /* How far they come is the machine's affair; that none of them leaves anything would be strange. */
    if (!some) test_skip("no build was far enough when it was killed");
    CHECK(some <= all);
}

/* Cut anywhere, or with a wrong byte: results of the jobs that come first lead on to others. */
static void parts_may_be_cut_or_spoilt(void) {
    for (int k = 0; k < KINDS; k++) {
        trial j;
        begin(&j, kinds[k], 24);
        test_bytes expected = built(&j);
        j.stop_at = j.calls - 2; /* most jobs are done */
        CHECK(build(&j, false) == WEND_STATUS_INTERRUPTED);
        j.stop_at = 0;
        test_bytes part = test_read(j.part);
        test_random random = {(uint64_t)k};
        for (uint32_t i = 0; i < (test_full() ? 200 : test_some(24)); i++) {
            size_t at = test_below(&random, (uint32_t)part.size), size = i % 2 ? at : part.size;
            part.data[at] ^= (uint8_t)(1 << i % 8);
            test_write(j.part, part.data, size);
            part.data[at] ^= (uint8_t)(1 << i % 8);
            wend_status status = build(&j, true);
            if (status == WEND_OK)
                check_same(&j, expected, kinds[k], "cut or spoilt at", at);
            else
                CHECK_THAT(size == part.size && j.error.message[0], "%s: %s", kinds[k], j.error.message);
            (void)unlink(j.path);
            test_case();
        }
        free(part.data);
        free(expected.data);
        wend_map_destroy(j.map);
    }
}

static void caps_on_memory_are_kept(void) {
    for (int k = 0; k < KINDS; k++) {
        trial j;
        begin(&j, kinds[k], 24);
        test_bytes expected = built(&j);
        test_memory unlimited = {0};
        j.options.allocator = test_allocator(&unlimited);
        free(built(&j).data);
        uint32_t enough = 0, refused = 0;
        for (size_t i = 1; i <= 26; i++) {
            test_memory memory = {0};
            j.options.allocator = test_allocator(&memory);
            j.options.max_memory = unlimited.peak_bytes * i / 20;
            (void)unlink(j.part);
            wend_status status = build(&j, false);
            CHECK_THAT(status == WEND_OK || status == WEND_STATUS_NO_MEMORY, "%s: %s", kinds[k],
                       j.error.message);
            /* The block that keeps count and the settings that were chosen are there in any case. */
            CHECK_THAT(memory.peak_bytes <= j.options.max_memory || memory.requests <= 2,
                       "%s: %zu bytes of %zu allowed", kinds[k], memory.peak_bytes, j.options.max_memory);
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            if (status == WEND_OK) check_same(&j, expected, kinds[k], "with a cap of twentieths", i);
            enough += status == WEND_OK, refused += status == WEND_STATUS_NO_MEMORY;
            test_case();
        }
        /* dlrta says at once what it will not be able to finish, by a bound. */
        CHECK_THAT(enough >= 1 && refused >= 10, "%s: %u builds, %u refused", kinds[k], enough, refused);
        free(expected.data);
        wend_map_destroy(j.map);
    }
}

/* Every request refused in turn, while building and while verifying. */
static void a_lack_of_memory_is_no_harm(void) {
    for (int k = 0; k < KINDS; k++) {
        trial j;
        begin(&j, kinds[k], 16);
        test_bytes expected = built(&j);
        wend_db *db = NULL;
        wend_db_options options = wend_default_db_options();
        CHECK(wend_db_open(j.path, j.map, &options, &db, NULL) == WEND_OK);
        for (int verifies = 0; verifies < 2; verifies++) {
            wend_status status = WEND_STATUS_NO_MEMORY;
            for (uint64_t refuse = 1; refuse < 100000 && status == WEND_STATUS_NO_MEMORY;
                 refuse += 1 + (test_full() ? 0 : refuse / test_some(30))) {
                test_memory memory = {.refuse_at = refuse};
                j.options.allocator = test_allocator(&memory);
                (void)unlink(j.part);
                status = verifies ? wend_db_verify(db, j.map, 0, &j.options, &j.error) : build(&j, false);
                CHECK_THAT(status == WEND_OK || status == WEND_STATUS_NO_MEMORY, "%s: %s", kinds[k],
                           j.error.message);
                CHECK(!memory.live_blocks && !memory.wrong_sizes);
                test_case();
            }
            CHECK(status == WEND_OK);
        }
        wend_db_close(db);
        free(expected.data);
        wend_map_destroy(j.map);
    }
}

static wend_status open_bytes(const uint8_t *data, size_t size, const wend_map *map, wend_db **db,
                              wend_error *error) {
    wend_db_options options = wend_default_db_options();
    *db = NULL;
    return wend_db_open_memory(data, size, map, &options, db, error);
}

/* Every byte flipped, the file cut at every offset. */
static void flips_and_cuts_are_noticed(void) {
    for (int k = 0; k < KINDS; k++) {
        trial j;
        begin(&j, kinds[k], 10);
        test_bytes bytes = built(&j);
        wend_db *db;
        wend_error error;
        for (size_t at = 0; at < bytes.size; at++) {
            bytes.data[at] ^= (uint8_t)(1 << at % 8);
            wend_status status = open_bytes(bytes.data, bytes.size, j.map, &db, &error);
            CHECK_THAT(status != WEND_OK && error.message[0], "%s: byte %zu", kinds[k], at);
            wend_db_close(db);
            bytes.data[at] ^= (uint8_t)(1 << at % 8);
            uint8_t *cut = malloc(at ? at : 1); /* so that reading on is seen by the sanitizer */
            if (!CHECK(cut)) break;
            memcpy(cut, bytes.data, at);
            status = open_bytes(cut, at, j.map, &db, &error);
            CHECK_THAT(status == (at ? WEND_STATUS_CUT_SHORT : WEND_STATUS_EMPTY_FILE), "%s: cut at %zu",
                       kinds[k], at);
            wend_db_close(db);
            free(cut);
        }
        CHECK(open_bytes(bytes.data, bytes.size, j.map, &db, NULL) == WEND_OK);
        wend_db_close(db);
        free(bytes.data);
        wend_map_destroy(j.map);
        test_case();
    }
}

static void another_map_or_other_rules_are_refused(void) {
    for (int k = 0; k < KINDS; k++) {
        trial j;
        begin(&j, kinds[k], 14);
        test_bytes bytes = built(&j);
        wend_db *db;
        wend_error error;
        for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
            test_random random = {9};
            wend_map *other = test_map_make(TEST_SHAPE_SCATTERED, 14, 9, test_rules(rules), &random, NULL);
            bool same = wend_map_fingerprint(other) == wend_map_fingerprint(j.map);
            wend_status status = open_bytes(bytes.data, bytes.size, other, &db, &error);
            CHECK_THAT(status == (same ? WEND_OK : WEND_STATUS_OTHER_MAP), "%s, rules %u: %s", kinds[k],
                       rules, wend_status_text(status));
            wend_db_close(db);
            wend_map_destroy(other);
        }
        CHECK(wend_map_edit(j.map, (wend_rect){3, 3, 1, 1}, !wend_map_is_open(j.map, 3, 3), NULL) == WEND_OK);
        CHECK(open_bytes(bytes.data, bytes.size, j.map, &db, &error) == WEND_STATUS_OTHER_MAP && !db);
        free(bytes.data);
        wend_map_destroy(j.map);
        test_case();
    }
}

/* Contents that are wrong behind checksums that are right: `open` or `verify` says so, and of several workers
 * the same as of one. */
static void wrong_contents_are_found_by_any_workers(void) {
    for (int k = 0; k < OF_MANY_JOBS; k++) {
        trial j;
        begin(&j, kinds[k], 16);
        test_bytes bytes = built(&j);
        size_t header = wend_load32(bytes.data + WEND_DB_HEADER_BYTES);
        test_random random = {(uint64_t)k};
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < (test_full() ? 2000 : test_some(300)); i++) {
            size_t at = header + test_below(&random, (uint32_t)(bytes.size - header));
            uint8_t before = bytes.data[at];
            bytes.data[at] ^= (uint8_t)(1 << i % 8);
            wend_db *db;
            wend_error error;
            if (test_repair(bytes.data, bytes.size, at) && /* not padding */
                open_bytes(bytes.data, bytes.size, j.map, &db, &error) == WEND_OK) {
                static const uint32_t workers[] = {1, 2, 8};
                char words[3][sizeof error.message];
                for (int w = 0; w < 3; w++) {
                    j.options.tasks = shared_tasks((int)workers[w]);
                    wend_status status = wend_db_verify(db, j.map, 0, &j.options, &error);
                    /* Another move of a path database may be as good as the one that was there. */
                    bool as_good = status == WEND_OK && strcmp(kinds[k], "cpd") == 0 &&
                                   !test_wrong_first_moves(j.map, db, wend_map_cells(j.map), &random);
                    CHECK_THAT(status == WEND_STATUS_WRONG_CONTENTS || as_good, "%s, byte %zu: %s", kinds[k],
                               at - header, wend_status_text(status));
                    memcpy(words[w], error.message, sizeof words[w]);
                }
                CHECK_THAT(strcmp(words[0], words[1]) == 0 && strcmp(words[0], words[2]) == 0,
                           "%s: %s; %s; %s", kinds[k], words[0], words[1], words[2]);
                wrong++;
                wend_db_close(db);
            }
            bytes.data[at] = before;
            (void)test_repair(bytes.data, bytes.size, at);
        }
        CHECK_THAT(wrong >= test_some(6), "%s: %u wrong files only", kinds[k], wrong);
        free(bytes.data);
        wend_map_destroy(j.map);
        test_case();
    }
}

/* Numbers of finished jobs changed at random under right checksums: whoever goes on with such a part gets a
 * status with words or some file that is whole, never a crash. */
static void forged_parts_are_refused_or_harmless(void) {
    for (int k = 0; k < KINDS; k++) {
        trial j;
        begin(&j, kinds[k], 24);
        free(built(&j).data);
        j.stop_at = j.calls - 2; /* most jobs are done */
        CHECK(build(&j, false) == WEND_STATUS_INTERRUPTED);
        j.stop_at = 0;
        test_bytes part = test_read(j.part);
        size_t header =
            (48 + (size_t)wend_load32(part.data + 40) + 7) / 8 * 8 + 8; /* docs/reference/file-format.md */
        uint64_t seed = wend_load64(part.data + header - 8);
        test_random random = {(uint64_t)k};
        for (uint32_t i = 0; i < (test_full() ? 400 : test_some(40)); i++) {
            uint8_t *altered = malloc(part.size);
            memcpy(altered, part.data, part.size);
            for (size_t at = header; at + 24 <= part.size;) {
                size_t size = (size_t)wend_load64(altered + at + 8);
                if (size >= 4 && test_below(&random, 3) == 0) {
                    uint8_t *word = altered + at + 24 + 4 * test_below(&random, (uint32_t)(size / 4));
                    uint32_t value = wend_load32(word),
                             values[] = {value + 1, value - 1, 0, UINT32_MAX, test_below(&random, 600)};
                    wend_store32(word, values[test_below(&random, 5)]);
                    wend_store64(altered + at + 16,
                                 wend_hash(wend_hash(seed, altered + at, 16), altered + at + 24, size));
                }
                at += 24 + size;
            }
            test_write(j.part, altered, part.size);
            wend_status status = build(&j, true);
            if (status == WEND_OK) {
                wend_db *db = NULL;
                wend_db_options options = wend_default_db_options();
                (void)wend_db_open(j.path, j.map, &options, &db, NULL);
                wend_db_close(db);
            }
            (void)unlink(j.path);
            free(altered);
            test_case();
        }
        free(part.data);
        wend_map_destroy(j.map);
    }
}

/* The first that reports progress takes its time, so that the others are done before it. */
static bool slow_progress(void *context, const wend_progress *progress) {
    wend_progress *last = context;
    bool first = !last->total;
    *last = *progress;
    if (first) (void)usleep(20000);
    return true;
}

/* Progress ends with all that there was to do, whoever was telling it when the last job was done. */
static void progress_ends_with_the_whole(void) {
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 20, 20, wend_default_rules(), &random, NULL);
    wend_db *db = test_db_build(map, "knn:records=60", 1);
    for (uint32_t workers = 1; db && workers <= 4; workers++) {
        wend_progress last = {0};
        wend_build_options options = wend_default_build_options();
        options.tasks = shared_tasks((int)workers);
        options.progress = slow_progress, options.progress_context = &last;
        CHECK(wend_db_verify(db, map, 0, &options, NULL) == WEND_OK);
        CHECK_THAT(last.total && last.done == last.total, "%u workers: %llu of %llu", workers,
                   (unsigned long long)last.done, (unsigned long long)last.total);
        test_case();
    }
    wend_db_close(db);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"any workers give the same bytes", any_workers_give_the_same_bytes},
    {"what is done is not done again", what_is_done_is_not_done_again},
    {"a build that is killed can be resumed", a_build_that_is_killed_can_be_resumed},
    {"parts may be cut or spoilt", parts_may_be_cut_or_spoilt},
    {"forged parts are refused or harmless", forged_parts_are_refused_or_harmless},
    {"caps on memory are kept", caps_on_memory_are_kept},
    {"a lack of memory is no harm", a_lack_of_memory_is_no_harm},
    {"flips and cuts are noticed", flips_and_cuts_are_noticed},
    {"another map or other rules are refused", another_map_or_other_rules_are_refused},
    {"wrong contents are found by any workers", wrong_contents_are_found_by_any_workers},
    {"progress ends with the whole", progress_ends_with_the_whole},
};
TEST_MAIN(tests)
