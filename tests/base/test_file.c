/* Files are written whole or not at all. */
#include "support/check.h"
#include "support/files.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wend/file.h>

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

static const test tests[] = {
    {"the old file stays until the end", the_old_file_stays_until_the_end},
    {"what cannot be written is said first", what_cannot_be_written_is_said_first},
    {"devices are written in place", devices_are_written_in_place},
    {"reading stops at the cap", reading_stops_at_the_cap},
};

TEST_MAIN(tests)
