/* Building databases: the same bytes whoever works and however often it is stopped; caps that are kept; and
 * verification of what was built. */
#include "support/check.h"
#include "support/crew.h"
#include "support/files.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/sample_kind.h"
#include "support/settings.h"
#include <wend/file.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 30 };
enum { AT_PART_SETTINGS_SIZE = 40, AT_PART_SETTINGS = 48 }; /* of docs/reference/file-format.md */
static const char usual[] = "sample:jobs=30,mean=50";

/* A build that stops when asked to. */
typedef struct trial {
    wend_db_context context;
    wend_map *map;
    const wend_settings *settings;
    wend_build_options options;
    char path[300], part[310];
    uint64_t stop_at; /* calls of progress until it says no; 0: never */
    uint64_t calls, done, total;
    const char *stage;
    bool backwards; /* progress went back, or its total changed within a stage */
    wend_error error;
} trial;

static bool progress(void *context, const wend_progress *progress) {
    trial *j = context;
    if (j->stage && strcmp(j->stage, progress->stage) == 0)
        j->backwards |= progress->done < j->done || progress->total != j->total;
    j->backwards |= progress->done > progress->total;
    j->stage = progress->stage, j->done = progress->done, j->total = progress->total;
    return ++j->calls != j->stop_at;
}

static void begin(trial *j, const char *text) {
    test_random random = {9};
    *j = (trial){.context = test_sample_context(), .settings = test_sample_settings(text)};
    j->map = test_map_make(TEST_SHAPE_SCATTERED, 25, 17, wend_default_rules(), &random, NULL);
    j->options = wend_default_build_options();
    j->options.progress = progress, j->options.progress_context = j;
    (void)snprintf(j->path, sizeof j->path, "%s", test_path("a.wend"));
    (void)snprintf(j->part, sizeof j->part, "%s.part", j->path);
    (void)unlink(j->path);
    (void)unlink(j->part);
    test_sample_state = (test_sample){0};
}

static wend_status build(trial *j, bool resume) {
    j->options.resume = resume;
    j->calls = 0, j->stage = NULL, j->backwards = false;
    memset(&j->error, 0, sizeof j->error);
    wend_status status = wend_db_build_in(&j->context, j->map, j->settings, &j->options, j->path, &j->error);
    CHECK(status == j->error.status && (status == WEND_OK) == !j->error.message[0]);
    CHECK(!j->backwards && test_sample_state.prepares == test_sample_state.releases);
    return status;
}

static test_bytes built(trial *j) {
    wend_status status = build(j, false);
    CHECK_THAT(status == WEND_OK, "%s", j->error.message);
    CHECK(!test_exists(j->part));
    return test_read(j->path);
}

static void check_same(trial *j, test_bytes expected, const char *how, uint64_t number) {
    test_bytes bytes = test_read(j->path);
    CHECK_THAT(test_same_bytes(bytes, expected), "other bytes %s %llu", how, (unsigned long long)number);
    CHECK(!test_exists(j->part));
    free(bytes.data);
}

/* Workers ------------------------------------------------------------------------------------------------ */

static void any_workers_give_the_same_bytes(void) {
    trial j;
    begin(&j, "sample:jobs=500,mean=60");
    test_bytes expected = built(&j);
    for (uint32_t workers = 1; workers <= 8; workers *= 2)
        for (int again = 0; again < 5; again++) {
            j.options.tasks = shared_tasks((int)workers);
            CHECK_THAT(build(&j, false) == WEND_OK, "%s", j.error.message);
            check_same(&j, expected, "with workers", workers);
            test_case();
        }
    for (uint64_t i = 0; i < 20; i++) {
        test_random random = {i};
        j.options.tasks = test_shuffled_tasks(&random);
        CHECK_THAT(build(&j, false) == WEND_OK, "%s", j.error.message);
        check_same(&j, expected, "in order", i);
        test_case();
    }
    free(expected.data);
    wend_map_destroy(j.map);
}

static void seed_settings_and_map_enter_the_bytes(void) {
    trial j;
    begin(&j, usual);
    test_bytes a = built(&j), b;
    j.options.seed = 2;
    b = built(&j);
    CHECK(!test_same_bytes(a, b));
    free(b.data);
    j.options.seed = 1;
    j.settings = test_sample_settings("sample:jobs=30,mean=50,share=0.75");
    b = built(&j);
    CHECK(!test_same_bytes(a, b));
    free(b.data);
    /* Said in other words it is the same. */
    j.settings = test_sample_settings("sample:mean=050,flavour=plain,jobs=30,share=.5");
    b = built(&j);
    CHECK(test_same_bytes(a, b));
    free(b.data);
    j.settings = test_sample_settings(usual);
    CHECK(wend_map_edit(j.map, (wend_rect){0, 0, 2, 2}, true, NULL) == WEND_OK);
    b = built(&j);
    CHECK(!test_same_bytes(a, b));
    free(b.data);
    free(a.data);
    wend_map_destroy(j.map);
}

/* While another build of the same file keeps its jobs, this one does without: it touches nothing of the other's. */
static void builds_of_one_file_keep_apart(void) {
    trial j;
    begin(&j, usual);
    test_bytes expected = built(&j);
    for (int resume = 0; resume < 2; resume++) {
        wend_growing other;
        CHECK(wend_growing_open(j.part, true, &other, NULL) == WEND_OK);
        CHECK(wend_growing_add(&other, "theirs", 6, NULL) == WEND_OK);
        CHECK_THAT(build(&j, resume) == WEND_OK, "%s", j.error.message);
        test_bytes ours = test_read(j.path);
        CHECK(test_same_bytes(ours, expected));
        free(ours.data);
        test_bytes theirs = test_read(j.part);
        CHECK(theirs.size == 6 && memcmp(theirs.data, "theirs", 6) == 0);
        free(theirs.data);
        wend_growing_remove(&other);
        test_case();
    }
    free(expected.data);
    wend_map_destroy(j.map);
}

/* Interruptions ------------------------------------------------------------------------------------------ */

static void a_build_goes_on_where_it_was_stopped(void) {
    trial j;
    begin(&j, usual);
    test_bytes expected = built(&j);
    uint64_t calls = j.calls;
    CHECK(calls == JOBS + 3); /* preparing, building from 0 to all, finishing */
    CHECK(strcmp(j.stage, "finishing") == 0);
    for (uint64_t stop = 1; stop <= calls; stop++) {
        CHECK(unlink(j.path) == 0);
        test_sample_state = (test_sample){0};
        j.stop_at = stop;
        CHECK_THAT(build(&j, false) == WEND_STATUS_INTERRUPTED, "stopped at %llu", (unsigned long long)stop);
        CHECK(!test_exists(j.path) && test_exists(j.part) == (stop > 1));
        uint32_t before = test_sample_state.jobs;
        CHECK(before == (stop < 3 ? 0 : stop - 2 < JOBS ? stop - 2 : JOBS));
        j.stop_at = 0;
        CHECK_THAT(build(&j, true) == WEND_OK, "%s", j.error.message);
        CHECK(test_sample_state.jobs == JOBS); /* nothing was done twice */
        check_same(&j, expected, "stopped at", stop);
        test_case();
    }
    /* As often as anyone likes, with other workers each time. */
    int stops = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        test_random random = {seed};
        CHECK(unlink(j.path) == 0);
        wend_status status = WEND_STATUS_INTERRUPTED;
        int times = 0;
        for (bool resume = false; status == WEND_STATUS_INTERRUPTED; resume = true, times++) {
            uint32_t workers = 1 + test_below(&random, 8);
            j.options.tasks =
                test_below(&random, 2) ? shared_tasks((int)workers) : test_shuffled_tasks(&random);
            j.stop_at = 2 + test_below(&random, 12);
            status = build(&j, resume);
        }
        CHECK(status == WEND_OK);
        stops += times - 1;
        check_same(&j, expected, "stopped often, seed", seed);
        test_case();
    }
    CHECK_THAT(stops > 30, "stopped %d times only", stops);
    /* Where there is nothing to resume, it begins. */
    j.options.tasks = (wend_tasks){0, NULL, NULL};
    j.stop_at = 0;
    CHECK(unlink(j.path) == 0);
    CHECK(build(&j, true) == WEND_OK);
    check_same(&j, expected, "resumed from nothing", 0);
    free(expected.data);
    wend_map_destroy(j.map);
}

/* A program that dies, or a disk that is full, leaves the last entry cut. */
static void a_part_may_be_cut_anywhere(void) {
    trial j;
    begin(&j, "sample:jobs=6,mean=20");
    test_bytes expected = built(&j);
    j.stop_at = 7; /* five jobs */
    CHECK(build(&j, false) == WEND_STATUS_INTERRUPTED);
    test_bytes part = test_read(j.part);
    j.stop_at = 0;
    uint32_t last = 0;
    for (size_t size = 0; size <= part.size; size++) {
        test_write(j.part, part.data, size);
        test_sample_state = (test_sample){0};
        if (size % 2) { /* stopped once more: what is added stands behind what was good */
            j.stop_at = 3;
            CHECK(build(&j, true) == WEND_STATUS_INTERRUPTED);
            j.stop_at = 0;
        }
        CHECK_THAT(build(&j, true) == WEND_OK, "%s", j.error.message);
        /* The longer it is, the less is left to do. */
        CHECK(test_sample_state.jobs == last || test_sample_state.jobs + 1 == last || size == 0);
        last = test_sample_state.jobs;
        CHECK(last == 6 || size > 100);
        check_same(&j, expected, "cut at", size);
        test_case();
    }
    CHECK(last == 1);
    /* A job that is there twice counts once, and what lies behind it is dropped. */
    size_t first = part.size;
    while (first && wend_load32(part.data + first - 24) != 4) first--; /* the last entry is that of job 4 */
    uint8_t *twice = malloc(2 * part.size);
    if (CHECK(twice && first >= 24 && wend_load64(part.data + first - 16) == part.size - first)) {
        size_t entry = part.size - first + 24;
        memcpy(twice, part.data, part.size);
        memcpy(twice + part.size, part.data + first - 24, entry);
        test_write(j.part, twice, part.size + entry);
        test_memory memory = {0};
        j.options.allocator = test_allocator(&memory);
        test_sample_state = (test_sample){0};
        CHECK(build(&j, true) == WEND_OK && test_sample_state.jobs == 1 && !memory.live_blocks);
        check_same(&j, expected, "with a job twice", 4);
    }
    free(twice);
    free(part.data);
    free(expected.data);
    wend_map_destroy(j.map);
}

static void a_part_with_a_wrong_byte_is_refused_or_harmless(void) {
    trial j;
    begin(&j, "sample:jobs=6,mean=20");
    test_bytes expected = built(&j);
    j.stop_at = 7;
    CHECK(build(&j, false) == WEND_STATUS_INTERRUPTED);
    test_bytes part = test_read(j.part);
    j.stop_at = 0;
    uint32_t refused = 0;
    for (size_t at = 0; at < part.size; at++) {
        part.data[at] ^= (uint8_t)(1 << at % 8);
        test_write(j.part, part.data, part.size);
        wend_status status = build(&j, true);
        if (status == WEND_OK) {
            check_same(&j, expected, "with a wrong byte at", at);
        } else {
            refused++;
            CHECK(status == WEND_STATUS_BAD_MAGIC || status == WEND_STATUS_NEWER_VERSION ||
                  status == WEND_STATUS_DAMAGED);
            CHECK(strcmp(j.error.file, j.part) == 0);
            test_bytes there = test_read(j.part);
            CHECK(test_same_bytes(there, part)); /* it may be something else: left alone */
            free(there.data);
        }
        part.data[at] ^= (uint8_t)(1 << at % 8);
        test_case();
    }
    CHECK(refused > 50 && refused < part.size / 2);
    free(part.data);
    free(expected.data);
    wend_map_destroy(j.map);
}

static void a_build_that_is_killed_can_be_resumed(void) {
    trial j;
    begin(&j, "sample:jobs=60,mean=200");
    test_bytes expected = built(&j);
    uint32_t whole = 0, some = 0;
    for (uint32_t i = 0; i < 20; i++) {
        (void)unlink(j.part);
        CHECK(unlink(j.path) == 0);
        for (uint32_t times = 0; times < 2; times++) {
            pid_t child = fork();
            if (child == 0) {
                j.options.tasks = shared_tasks(2);
                test_sample_state.job_microseconds = 1000;
                (void)build(&j, times > 0);
                _exit(0);
            }
            /* Somewhere in the middle, however fast the machine is. */
            struct stat info = {0};
            for (int waited = 0; waited < 20000; waited++) {
                if (stat(j.part, &info) == 0 && info.st_size > 400 * (1 + i + 8 * times)) break;
                (void)usleep(100);
            }
            CHECK(child > 0 && kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
        }
        test_sample_state = (test_sample){0};
        j.options.tasks = (wend_tasks){0, NULL, NULL};
        j.options.progress = NULL;
        CHECK_THAT(build(&j, true) == WEND_OK, "%s", j.error.message);
        whole += test_sample_state.jobs == 60;
        some += test_sample_state.jobs > 0 && test_sample_state.jobs < 60;
        check_same(&j, expected, "killed", i);
        test_case();
    }
    CHECK_THAT(some > 10 && !whole, "%u builds were killed half-way, %u at the beginning", some, whole);
    free(expected.data);
    wend_map_destroy(j.map);
}

static void the_part_of_another_build_is_refused(void) {
    trial j;
    begin(&j, usual);
    j.stop_at = 10;
    CHECK(build(&j, false) == WEND_STATUS_INTERRUPTED);
    test_bytes part = test_read(j.part);
    j.stop_at = 0;
    static const wend_db_kind *const later[] = {&test_sample_kind_2};
    for (int what = 0; what < 7; what++) {
        trial other = j;
        other.options.progress_context = &other;
        wend_status expected = WEND_STATUS_BAD_ARGUMENT;
        const char *words = "other settings: sample:jobs=30,mean=50,share=0.5,flavour=plain";
        if (what == 0) other.settings = test_sample_settings("sample:jobs=30,mean=51");
        if (what == 1) other.settings = test_sample_settings("sample:jobs=31,mean=50");
        if (what == 2) other.options.seed = 77, words = "another seed: 1, not 77";
        if (what == 3) {
            other.context.kinds = (wend_db_kinds){later, 1};
            wend_settings *settings = NULL;
            CHECK(wend_db_settings_parse_in(other.context.kinds, usual, NULL, &settings, NULL) == WEND_OK);
            other.settings = test_settings_keep(settings);
            expected = WEND_STATUS_UNSUPPORTED, words = "another version";
        }
        if (what == 4) {
            test_write(j.part, "notes of mine, not to be lost\n", 30);
            expected = WEND_STATUS_BAD_MAGIC, words = "not what an interrupted build leaves";
        }
        if (what == 5) {
            CHECK(wend_map_copy(j.map, &other.map, NULL) == WEND_OK);
            CHECK(wend_map_edit(other.map, (wend_rect){0, 0, 3, 3}, true, NULL) == WEND_OK);
            expected = WEND_STATUS_OTHER_MAP, words = "another map";
        }
        if (what == 6) {
            other.context.swap = !other.context.swap; /* it holds numbers in this machine's order */
            expected = WEND_STATUS_UNSUPPORTED, words = "another kind of machine";
        }
        wend_status status = build(&other, true);
        CHECK_THAT(status == expected && strstr(other.error.message, words), "%d: %s", what,
                   other.error.message);
        CHECK(strcmp(other.error.file, j.part) == 0 && !test_exists(j.path));
        test_bytes there = test_read(j.part);
        CHECK(what == 4 ? there.size == 30 : test_same_bytes(there, part)); /* left as it was */
        free(there.data);
        test_write(j.part, part.data, part.size);
        if (other.map != j.map) wend_map_destroy(other.map);
        test_case();
    }
    /* Unless it is not to be resumed. */
    j.options.seed = 77;
    test_sample_state = (test_sample){0};
    CHECK(build(&j, false) == WEND_OK && test_sample_state.jobs == JOBS && !test_exists(j.part));
    free(part.data);
    wend_map_destroy(j.map);
}

/* Two builds that write to one path at a time: the second empties the part of the first, which then goes on
 * adding jobs of its own behind the second's header. */
static void jobs_of_another_build_are_dropped(void) {
    trial j;
    begin(&j, usual);
    test_bytes expected = built(&j), parts[2];
    j.stop_at = 10;
    for (int i = 0; i < 2; i++) {
        j.options.seed = i ? 1 : 77;
        CHECK(build(&j, false) == WEND_STATUS_INTERRUPTED);
        parts[i] = test_read(j.part);
    }
    size_t header = (AT_PART_SETTINGS + wend_load32(parts[0].data + AT_PART_SETTINGS_SIZE) + 7) / 8 * 8 + 8;
    if (CHECK(header < parts[0].size && header < parts[1].size)) {
        memcpy(parts[0].data, parts[1].data, header);
        test_write(j.part, parts[0].data, parts[0].size);
    }
    j.stop_at = 0;
    test_sample_state = (test_sample){0};
    CHECK_THAT(build(&j, true) == WEND_OK, "%s", j.error.message);
    CHECK(test_sample_state.jobs == JOBS);
    check_same(&j, expected, "with jobs of", 77);
    for (int i = 0; i < 2; i++) free(parts[i].data);
    free(expected.data);
    wend_map_destroy(j.map);
    test_case();
}

/* Failures ----------------------------------------------------------------------------------------------- */

/* The file appears whole or not at all: what stood there before stays. */
static void a_build_that_fails_leaves_the_old_file(void) {
    trial j;
    begin(&j, usual);
    test_bytes expected = built(&j);
    test_write(j.path, "old", 3);
    for (int how = 0; how < 4; how++) {
        test_sample_state = (test_sample){0};
        wend_status wanted = WEND_STATUS_UNSUPPORTED;
        if (how == 0) test_sample_state.fail_job = 20;
        if (how == 1) test_sample_state.fail_finish = true, wanted = WEND_STATUS_STALE;
        if (how == 2) test_sample_state.bad_contents = true, wanted = WEND_STATUS_DAMAGED;
        if (how == 3) j.options.max_size = expected.size - 1, wanted = WEND_STATUS_TOO_LARGE;
        CHECK_THAT(build(&j, false) == wanted, "%s", j.error.message);
        test_bytes old = test_read(j.path);
        CHECK(old.size == 3 && test_exists(j.part));
        free(old.data);
        if (how == 0) CHECK(strstr(j.error.message, "job 20 of 30"));
        test_sample_state = (test_sample){0};
        j.options.max_size = expected.size;
        CHECK_THAT(build(&j, true) == WEND_OK, "%s", j.error.message); /* what was done is not lost */
        CHECK(test_sample_state.jobs == (how ? 0 : JOBS - 19));
        check_same(&j, expected, "after failure", (uint64_t)how);
        test_write(j.path, "old", 3);
        test_case();
    }
    free(expected.data);
    wend_map_destroy(j.map);
}

static void places_that_can_not_be_written_are_refused_before_any_work(void) {
    trial j;
    begin(&j, usual);
    const char *const paths[] = {"no folder/a.wend", ".", "a.wend/b"};
    test_write(j.path, "old", 3);
    for (size_t i = 0; i < 3; i++) {
        test_sample_state = (test_sample){0};
        wend_status status =
            wend_db_build_in(&j.context, j.map, j.settings, &j.options, test_path(paths[i]), &j.error);
        CHECK(status == WEND_STATUS_FILE_ERROR && j.error.message[0] && j.error.file[0]);
        CHECK(test_sample_state.jobs == 0);
        test_case();
    }
    /* No name at all, whose part would be a hidden file; and a part that is a pipe without a reader. */
    test_sample_state = (test_sample){0};
    CHECK(wend_db_build_in(&j.context, j.map, j.settings, &j.options, "", &j.error) ==
          WEND_STATUS_FILE_ERROR);
    CHECK(test_sample_state.jobs == 0 && !test_exists(".part"));
    CHECK(mkfifo(j.part, 0600) == 0);
    (void)alarm(60); /* rather than wait for ever */
    CHECK(build(&j, false) == WEND_STATUS_FILE_ERROR && build(&j, true) == WEND_STATUS_FILE_ERROR);
    (void)alarm(0);
    CHECK(test_sample_state.jobs == 0 && unlink(j.part) == 0);
    static char endless[5000];
    memset(endless, 'x', sizeof endless - 1);
    CHECK(wend_db_build_in(&j.context, j.map, j.settings, &j.options, endless, &j.error) ==
          WEND_STATUS_FILE_ERROR);
    wend_build_options forgotten;
    memset(&forgotten, 0, sizeof forgotten);
    const wend_settings *planner = NULL;
    CHECK(test_settings_parse("astar", &planner, NULL) == WEND_OK);
    CHECK(wend_db_build(j.map, j.settings, &forgotten, j.path, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_build(j.map, planner, &j.options, j.path, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_build(NULL, j.settings, &j.options, j.path, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_build(j.map, NULL, &j.options, j.path, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_build(j.map, j.settings, &j.options, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_map_destroy(j.map);
}

static void a_cap_on_memory_is_kept(void) {
    trial j;
    begin(&j, usual);
    test_bytes expected = built(&j);
    test_memory free_memory = {0};
    j.options.allocator = test_allocator(&free_memory);
    free(built(&j).data);
    uint32_t enough = 0, refused = 0;
    for (size_t cap = 1; cap < 2 * free_memory.peak_bytes; cap += 1 + cap / 50) {
        test_memory memory = {0};
        j.options.allocator = test_allocator(&memory);
        j.options.max_memory = cap;
        wend_status status = build(&j, false);
        CHECK(status == (cap >= free_memory.peak_bytes ? WEND_OK : WEND_STATUS_NO_MEMORY));
        /* The block that keeps count is there in any case. */
        CHECK(memory.peak_bytes <= cap || (memory.requests == 1 && status == WEND_STATUS_NO_MEMORY));
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        if (status == WEND_OK) {
            check_same(&j, expected, "with a cap of", cap);
            enough++;
        } else {
            char number[48];
            (void)snprintf(number, sizeof number, " %zu bytes allowed", cap);
            CHECK_THAT(strstr(j.error.message, number), "%s", j.error.message);
            refused++;
        }
        test_case();
    }
    CHECK(enough > 5 && refused > 5);
    /* So is one that is reached while preparing. */
    test_memory memory = {0};
    j.options.allocator = test_allocator(&memory);
    j.options.max_memory = 1 << 20;
    test_sample_state.prepare_bytes = 1 << 20;
    (void)unlink(j.part);
    CHECK(build(&j, false) == WEND_STATUS_NO_MEMORY && memory.peak_bytes < 1 << 20 && !test_exists(j.part));
    free(expected.data);
    wend_map_destroy(j.map);
}

static void a_lack_of_memory_is_no_harm(void) {
    trial j;
    begin(&j, "sample:jobs=4,mean=4");
    test_bytes expected = built(&j);
    wend_status status = WEND_STATUS_NO_MEMORY;
    uint64_t refuse = 1;
    for (; refuse < 1000 && status == WEND_STATUS_NO_MEMORY; refuse++) {
        test_memory memory = {.refuse_at = refuse};
        j.options.allocator = test_allocator(&memory);
        status = build(&j, refuse % 2); /* with what the last one left */
        CHECK(status == WEND_OK || status == WEND_STATUS_NO_MEMORY);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    CHECK(status == WEND_OK && refuse > 15);
    check_same(&j, expected, "without refusals", 0);
    free(expected.data);
    wend_map_destroy(j.map);
}

/* Verification ------------------------------------------------------------------------------------------- */

static wend_db *open_built(trial *j) {
    wend_db *db = NULL;
    wend_db_options options = wend_default_db_options();
    CHECK(wend_db_open_in(&j->context, j->path, j->map, &options, &db, NULL) == WEND_OK);
    return db;
}

static wend_status verify(trial *j, const wend_db *db, const wend_map *map, uint64_t sample) {
    j->calls = 0, j->stage = NULL;
    memset(&j->error, 0, sizeof j->error);
    return wend_db_verify(db, map, sample, &j->options, &j->error);
}

static void what_was_built_is_verified(void) {
    trial j;
    begin(&j, "sample:jobs=100,mean=20");
    free(built(&j).data);
    wend_db *db = open_built(&j);
    if (!db) return;
    CHECK(verify(&j, db, j.map, 0) == WEND_OK && test_sample_state.verified == 100);
    CHECK(j.calls == 100 && strcmp(j.stage, "verifying") == 0 && j.done == 100 && j.total == 100);
    for (uint64_t sample = 1; sample < 120; sample += 13) {
        test_sample_state = (test_sample){0};
        CHECK(verify(&j, db, j.map, sample) == WEND_OK);
        CHECK(test_sample_state.verified == (sample < 100 ? sample : 100));
        test_case();
    }
    j.stop_at = 7;
    CHECK(verify(&j, db, j.map, 0) == WEND_STATUS_INTERRUPTED);
    j.stop_at = 0;
    /* Every wrong job is found; of several, the first, whoever is at work. */
    for (uint32_t wrong = 1; wrong <= 100; wrong++) {
        test_sample_state = (test_sample){.wrong_from = wrong};
        j.options.tasks = shared_tasks((int)(1 + wrong % 8));
        char words[40];
        (void)snprintf(words, sizeof words, "job %u is wrong", wrong - 1);
        CHECK(verify(&j, db, j.map, 0) == WEND_STATUS_WRONG_CONTENTS);
        CHECK_THAT(strcmp(j.error.message, words) == 0, "%s", j.error.message);
        test_case();
    }
    test_sample_state = (test_sample){0};
    CHECK(wend_map_edit(j.map, (wend_rect){0, 0, 3, 3}, true, NULL) == WEND_OK);
    CHECK(verify(&j, db, j.map, 0) == WEND_STATUS_OTHER_MAP);
    CHECK(wend_db_verify(NULL, j.map, 0, &j.options, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_db_verify(db, NULL, 0, &j.options, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_db_close(db);
    wend_map_destroy(j.map);
}

/* All kinds of the library: whoever changes a byte of the contents and makes the checksums right is found
 * out, by `open` or by `verify`. */
static void no_kind_takes_wrong_contents_for_right(void) {
    for (size_t k = 0; k < wend_db_kind_count(); k++) {
        trial j;
        begin(&j, usual);
        j.context = wend_db_usual_context();
        const wend_method_info *kind = wend_db_kind_at(k);
        char text[64];
        const char *keys = "";
        for (size_t i = 0; i < kind->key_count; i++)
            if (strcmp(kind->keys[i].name, "records") == 0) keys = ":records=10";
        (void)snprintf(text, sizeof text, "%s%s", kind->name, keys);
        CHECK(test_db_settings_parse(text, &j.settings, NULL) == WEND_OK);
        test_bytes bytes = built(&j);
        if (!bytes.data) continue;
        size_t header = wend_load32(bytes.data + WEND_DB_HEADER_BYTES);
        uint32_t refused = 0, wrong = 0;
        for (size_t at = header; at < bytes.size; at++) {
            uint8_t before = bytes.data[at];
            bytes.data[at] ^= (uint8_t)(1 << at % 8);
            if (!test_repair(bytes.data, bytes.size, at)) { /* padding */
                bytes.data[at] = before;
                continue;
            }
            wend_db *db = NULL;
            wend_db_options options = wend_default_db_options();
            wend_error error = {.message = ""};
            wend_status status = wend_db_open_memory(bytes.data, bytes.size, j.map, &options, &db, &error);
            if (status == WEND_OK) {
                status = verify(&j, db, j.map, 0);
                CHECK_THAT(status == WEND_STATUS_WRONG_CONTENTS, "%s, byte %zu (%zu of the sections): %s",
                           text, at, at - header, wend_status_text(status));
                wrong++;
            } else {
                CHECK_THAT(status == WEND_STATUS_DAMAGED, "%s, byte %zu: %s", text, at, error.message);
                refused++;
            }
            wend_db_close(db);
            bytes.data[at] = before;
            test_case();
        }
        CHECK_THAT(refused + wrong > 0, "%s has no contents", text);
        free(bytes.data);
        wend_map_destroy(j.map);
    }
}

static const test tests[] = {
    {"any workers give the same bytes", any_workers_give_the_same_bytes},
    {"seed, settings and map enter the bytes", seed_settings_and_map_enter_the_bytes},
    {"builds of one file keep apart", builds_of_one_file_keep_apart},
    {"a build goes on where it was stopped", a_build_goes_on_where_it_was_stopped},
    {"a part may be cut anywhere", a_part_may_be_cut_anywhere},
    {"a part with a wrong byte is refused or harmless", a_part_with_a_wrong_byte_is_refused_or_harmless},
    {"a build that is killed can be resumed", a_build_that_is_killed_can_be_resumed},
    {"the part of another build is refused", the_part_of_another_build_is_refused},
    {"jobs of another build are dropped", jobs_of_another_build_are_dropped},
    {"a build that fails leaves the old file", a_build_that_fails_leaves_the_old_file},
    {"places that can not be written are refused before any work",
     places_that_can_not_be_written_are_refused_before_any_work},
    {"a cap on memory is kept", a_cap_on_memory_is_kept},
    {"a lack of memory is no harm", a_lack_of_memory_is_no_harm},
    {"what was built is verified", what_was_built_is_verified},
    {"no kind takes wrong contents for right", no_kind_takes_wrong_contents_for_right},
};
TEST_MAIN(tests)
