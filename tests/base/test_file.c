/* Files are written whole or not at all. */
#include "support/check.h"
#include "support/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wend/file.h>
#include <wend/format.h>

static bool holds(const char *path, const char *text) {
    wend_bytes bytes;
    bool same = wend_file_read(path, NULL, WEND_MAX_FILE_BYTES, &bytes, NULL) == WEND_OK &&
                bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
    wend_file_release(NULL, &bytes);
    return same;
}

/* Whatever is written, the old file stays until the end; after that the new one is there and nothing else. */
static void the_old_file_stays_until_the_end(void) {
    for (int way = 0; way < 3; way++) {
        char path[300];
        (void)snprintf(path, sizeof path, "%s", test_path("old"));
        wend_output output;
        wend_error error = {0};
        CHECK(wend_file_write(path, "old", 3, &error) == WEND_OK && holds(path, "old"));
        CHECK(wend_output_begin(&output, path, &error) == WEND_OK && holds(path, "old"));
        CHECK(wend_output_write(&output, "ne", 2, &error) == WEND_OK);
        CHECK(way == 1 || wend_output_write(&output, "w", 1, &error) == WEND_OK);
        CHECK(holds(path, "old") && test_exists(output.temporary));
        if (way)
            wend_output_discard(&output);
        else
            CHECK(wend_output_commit(&output, &error) == WEND_OK);
        CHECK(holds(path, way ? "old" : "new") && !test_exists(output.temporary));
        wend_output_discard(&output); /* once more does no harm */
        CHECK(unlink(path) == 0);
        test_case();
    }
}

static void what_cannot_be_written_is_said_first(void) {
    wend_output output;
    wend_error error = {0};
    char folder[300], inside[330];
    (void)snprintf(folder, sizeof folder, "%s", test_path("folder"));
    (void)snprintf(inside, sizeof inside, "%s/none/x", folder);
    CHECK(mkdir(folder, 0700) == 0);
    const char *const paths[] = {"", folder, inside};
    for (size_t i = 0; i < 3; i++) {
        CHECK_THAT(wend_output_begin(&output, paths[i], &error) == WEND_STATUS_FILE_ERROR, "%s", paths[i]);
        CHECK(strcmp(error.file, paths[i]) == 0 && error.message[0]);
        wend_output_discard(&output);
        test_case();
    }
    CHECK(rmdir(folder) == 0);
}

/* Devices and pipes are no files to be replaced. */
static void devices_are_written_in_place(void) {
    wend_error error = {0};
    CHECK(wend_file_write("/dev/null", "x", 1, &error) == WEND_OK);
    struct stat info;
    CHECK(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
    if (test_exists("/dev/full")) CHECK(wend_file_write("/dev/full", "x", 1, NULL) == WEND_STATUS_FILE_ERROR);
}

static void reading_stops_at_the_cap(void) {
    const char *path = test_path("ten");
    wend_error error = {0};
    CHECK(wend_file_write(path, "0123456789", 10, &error) == WEND_OK);
    for (uint64_t most = 1; most < 20; most++) {
        wend_bytes bytes;
        wend_status status = wend_file_read(path, NULL, most, &bytes, &error);
        CHECK(status == (most < 10 ? WEND_STATUS_TOO_LARGE : WEND_OK) &&
              (bytes.data != NULL) == (most >= 10));
        wend_file_release(NULL, &bytes);
        test_case();
    }
}

/* Two writers of one process, or of two with the same number, never meet. */
static void writers_of_one_file_keep_apart(void) {
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("both"));
    wend_output one, other;
    wend_error error = {0};
    CHECK(wend_output_begin(&one, path, &error) == WEND_OK &&
          wend_output_begin(&other, path, &error) == WEND_OK);
    CHECK(strcmp(one.temporary, other.temporary) != 0);
    CHECK(wend_output_write(&one, "first", 5, &error) == WEND_OK);
    CHECK(wend_output_write(&other, "second", 6, &error) == WEND_OK);
    CHECK(wend_output_commit(&one, &error) == WEND_OK && holds(path, "first"));
    CHECK(wend_output_commit(&other, &error) == WEND_OK && holds(path, "second"));
}

/* Leaves a temporary file as a writer does that is killed; `name` gets its name. */
static void be_killed_while_writing(const char *path, char *name) {
    int channel[2];
    if (!CHECK(pipe(channel) == 0)) return;
    pid_t child = fork();
    if (child == 0) {
        wend_output output;
        bool good = wend_output_begin(&output, path, NULL) == WEND_OK &&
                    write(channel[1], output.temporary, WEND_PATH_ROOM) == WEND_PATH_ROOM;
        _exit(good ? 0 : 1);
    }
    int status = 1;
    CHECK(read(channel[0], name, WEND_PATH_ROOM) == WEND_PATH_ROOM);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    (void)close(channel[0]);
    (void)close(channel[1]);
}

static void what_dead_writers_left_is_removed(void) {
    static char dead[WEND_PATH_ROOM], others[WEND_PATH_ROOM], mine[WEND_PATH_ROOM + 20];
    char path[300], other[300];
    (void)snprintf(path, sizeof path, "%s", test_path("left"));
    (void)snprintf(other, sizeof other, "%s", test_path("left2"));
    wend_output alive;
    CHECK(wend_output_begin(&alive, path, NULL) == WEND_OK);
    be_killed_while_writing(path, dead);
    be_killed_while_writing(other, others);
    (void)snprintf(mine, sizeof mine, "%s.part0123456789abcdeg", path);
    test_write(mine, "x", 1);
    CHECK(test_exists(dead) && test_exists(others));
    wend_output_tidy(path);
    CHECK(!test_exists(dead) && test_exists(others) && test_exists(mine) && test_exists(alive.temporary));
    CHECK(wend_output_commit(&alive, NULL) == WEND_OK && test_exists(path));
}

static void symbolic_links_are_followed(void) {
    char path[300], target[300], dangling[300];
    (void)snprintf(path, sizeof path, "%s", test_path("link"));
    (void)snprintf(target, sizeof target, "%s", test_path("target"));
    test_write(target, "old", 3);
    CHECK(symlink("target", path) == 0);
    CHECK(wend_file_write(path, "new", 3, NULL) == WEND_OK);
    struct stat info;
    CHECK(lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && holds(target, "new"));
    (void)snprintf(dangling, sizeof dangling, "%s", test_path("dangling"));
    (void)snprintf(target, sizeof target, "%s", test_path("fresh"));
    CHECK(symlink(target, dangling) == 0);
    CHECK(wend_file_write(dangling, "new", 3, NULL) == WEND_OK);
    CHECK(lstat(dangling, &info) == 0 && S_ISLNK(info.st_mode) && holds(target, "new"));
    CHECK(symlink("round", test_path("round")) == 0);
    wend_error error = {0};
    CHECK(wend_file_write(test_path("round"), "new", 3, &error) == WEND_STATUS_FILE_ERROR &&
          error.message[0]);
}

static void a_replaced_file_keeps_its_mode(void) {
    static const mode_t modes[] = {0600, 0640, 0444, 0664, 0755};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const char *path = test_path("mode");
        struct stat info;
        test_write(path, "old", 3);
        CHECK(chmod(path, modes[i]) == 0 && wend_file_write(path, "new", 3, NULL) == WEND_OK);
        CHECK_THAT(stat(path, &info) == 0 && (info.st_mode & 0777) == modes[i], "%o became %o",
                   (unsigned)modes[i], (unsigned)info.st_mode & 0777);
        CHECK(unlink(path) == 0);
        test_case();
    }
}

/* A name may be as long as a folder allows; what is written beside it is cut short, and still its own. */
static void long_names_are_written(void) {
    char name[256], path[600], other[600];
    static char beside[WEND_PATH_ROOM], of_other[WEND_PATH_ROOM];
    for (size_t length = 236; length <= 255; length++) {
        memset(name, 'n', length);
        name[length] = 0;
        (void)snprintf(path, sizeof path, "%s/%s", test_path(""), name);
        CHECK_THAT(wend_file_write(path, "new", 3, NULL) == WEND_OK && holds(path, "new"), "%zu", length);
        memcpy(other, path, sizeof other);
        other[strlen(other) - 1] = 'm';
        CHECK(wend_file_beside(path, ".part.log.json", beside) &&
              wend_file_beside(other, ".part.log.json", of_other));
        CHECK(strcmp(beside, of_other) != 0 && strlen(strrchr(beside, '/') + 1) <= 255);
        CHECK_THAT(wend_file_write(beside, "log", 3, NULL) == WEND_OK, "%zu", length);
        CHECK(unlink(path) == 0 && unlink(beside) == 0);
        test_case();
    }
    /* Letters of two bytes are not cut in half. */
    for (size_t i = 0; i < 250; i += 2) memcpy(name + i, "\xc3\xa4", 2);
    name[250] = 0;
    CHECK(wend_file_beside(name, ".log.json", beside) && strlen(beside) <= 255);
    CHECK((unsigned char)*(strchr(beside, '~') - 1) == 0xa4);
    memset(name, 'n', 255), name[255] = 0;
    char longer[300];
    (void)snprintf(longer, sizeof longer, "%.255sn", name);
    CHECK(!wend_file_beside(longer, ".part", beside));
    static char endless[2 * WEND_PATH_ROOM];
    memset(endless, '/', sizeof endless - 1);
    CHECK(!wend_file_beside(endless, ".part", beside) && !beside[0]);
}

static void growing_files_have_one_writer(void) {
    char path[300], link[300];
    (void)snprintf(path, sizeof path, "%s", test_path("grows"));
    (void)snprintf(link, sizeof link, "%s", test_path("grows_not"));
    wend_growing one, other;
    wend_error error = {0};
    CHECK(wend_growing_open(path, true, &one, &error) == WEND_OK);
    CHECK(wend_growing_add(&one, "line", 4, &error) == WEND_OK);
    CHECK(wend_growing_open(path, true, &other, &error) == WEND_STATUS_FILE_ERROR);
    CHECK(strstr(error.message, "another process") && holds(path, "line"));
    wend_growing_close(&other, false);
    wend_growing_close(&one, true);
    CHECK(wend_growing_open(path, true, &one, &error) == WEND_OK &&
          wend_growing_cut(&one, 2, &error) == WEND_OK);
    CHECK(holds(path, "li"));
    CHECK(symlink(path, link) == 0);
    CHECK(wend_growing_open(link, false, &other, &error) == WEND_STATUS_FILE_ERROR && holds(path, "li"));
    CHECK(strstr(error.message, "symbolic link"));
    wend_growing_remove(&one);
    CHECK(!test_exists(path));
}

static void only_regular_files_where_that_is_asked(void) {
    const wend_file_limits limits = {.max_bytes = 100, .regular = true};
    wend_bytes bytes;
    wend_error error = {0};
    const char *pipe_path = test_path("pipe");
    CHECK(mkfifo(pipe_path, 0600) == 0);
    CHECK(wend_file_read_within(pipe_path, NULL, &limits, &bytes, &error) == WEND_STATUS_FILE_ERROR);
    CHECK(wend_file_read_within("/dev/zero", NULL, &limits, &bytes, &error) == WEND_STATUS_FILE_ERROR);
    CHECK(!bytes.data && strstr(error.message, "regular"));
}

/* Counts what is asked for, at the largest. */
static void *note_request(void *context, size_t size) {
    size_t *most = context;
    if (size > *most) *most = size;
    return malloc(size);
}

static void give_back(void *context, void *pointer, size_t size) {
    (void)context, (void)size;
    free(pointer);
}

/* A sparse gigabyte is refused after its first bytes, whatever it pretends to be. */
static void huge_files_are_refused_by_their_head(void) {
    static const struct {
        const char *name, *head;
        wend_status status;
    } files[] = {
        {"huge.map", "type octile\nheight 10\nwidth 10\nmup\n", WEND_STATUS_HEADER_MISSING},
        {"huge.map", "type octile\nheight 2\nwidth 2\nmap\n..\n..\nmore\n", WEND_STATUS_ROWS_TOO_MANY},
        {"huge.map", "", WEND_STATUS_TOO_LARGE},
        {"huge.pbm", "P9\n", WEND_STATUS_BAD_MAGIC},
        {"huge.pbm", "P1\n2 2\n0x", WEND_STATUS_UNKNOWN_LETTER},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = test_path(files[i].name);
        size_t most = 0;
        wend_map_options options = wend_default_map_options();
        options.allocator =
            (wend_allocator){.context = &most, .allocate = note_request, .release = give_back};
        wend_error error = {0};
        wend_map *map = NULL;
        test_write(path, files[i].head, strlen(files[i].head));
        CHECK(truncate(path, (off_t)1 << 30) == 0);
        wend_status status = wend_map_load(path, &options, &map, &error);
        CHECK_THAT(status == files[i].status && strcmp(error.file, path) == 0, "%zu: %s", i, error.message);
        CHECK_THAT(most < (size_t)1 << 21, "%zu bytes", most);
        CHECK(unlink(path) == 0);
        test_case();
    }
}

static const test tests[] = {
    {"writers of one file keep apart", writers_of_one_file_keep_apart},
    {"what dead writers left is removed", what_dead_writers_left_is_removed},
    {"symbolic links are followed", symbolic_links_are_followed},
    {"a replaced file keeps its mode", a_replaced_file_keeps_its_mode},
    {"long names are written", long_names_are_written},
    {"growing files have one writer", growing_files_have_one_writer},
    {"only regular files where that is asked", only_regular_files_where_that_is_asked},
    {"huge files are refused by their head", huge_files_are_refused_by_their_head},
    {"the old file stays until the end", the_old_file_stays_until_the_end},
    {"what cannot be written is said first", what_cannot_be_written_is_said_first},
    {"devices are written in place", devices_are_written_in_place},
    {"reading stops at the cap", reading_stops_at_the_cap},
};

TEST_MAIN(tests)
