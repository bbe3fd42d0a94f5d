/* Statuses and versions. */
#include "support/check.h"

#include <string.h>
#include <wend/base.h>

/* No two statuses have the same words, and what is no status has words too. */
static void every_status_has_words_of_its_own(void) {
    const char *unknown = wend_status_text(WEND_STATUS_COUNT);
    CHECK(unknown[0] && strcmp(wend_status_text((wend_status)-1), unknown) == 0);
    for (int i = 0; i < WEND_STATUS_COUNT; i++) {
        const char *text = wend_status_text((wend_status)i);
        CHECK_THAT(text && text[0] && strcmp(text, unknown) != 0, "status %d", i);
        for (int j = 0; j < i; j++)
            CHECK_THAT(strcmp(text, wend_status_text((wend_status)j)) != 0, "%s", text);
        test_case();
    }
}

static void the_version_is_the_headers(void) {
    CHECK(strcmp(wend_version(), WEND_VERSION_STRING) == 0);
    CHECK(wend_version_number() == WEND_VERSION_NUMBER);
    CHECK(WEND_VERSION_NUMBER == WEND_VERSION_MAJOR * 10000 + WEND_VERSION_MINOR * 100 + WEND_VERSION_PATCH);
    test_case();
}

/* What is known of the place stands before the message, and what is too long is cut. */
static void an_error_is_one_line_of_text(void) {
    static const struct {
        wend_error error;
        const char *text;
    } cases[] = {
        {{.message = "words"}, "words"},
        {{.file = "a.map", .message = "words"}, "a.map: words"},
        {{.line = 3, .message = "words"}, "line:3: words"},
        {{.line = 3, .column = 5, .message = "words"}, "line:3:5: words"},
        {{.column = 5, .message = "words"}, "words"},
        {{.file = "a.map", .line = 3, .message = "words"}, "a.map:3: words"},
        {{.file = "a.map", .line = 3, .column = 5, .message = "words"}, "a.map:3:5: words"},
    };
    char room[100], small[6];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_THAT(strcmp(wend_error_text(&cases[i].error, room, sizeof room), cases[i].text) == 0, "%s",
                   room);
        (void)wend_error_text(&cases[i].error, small, sizeof small);
        CHECK(strlen(small) <= 5 && strncmp(small, cases[i].text, strlen(small)) == 0);
        test_case();
    }
    wend_error error = {0};
    char path[600];
    memset(path, 'x', sizeof path - 1), memcpy(path + sizeof path - 7, "/a.map", 7);
    wend_error_set_file(&error, path);
    CHECK(strlen(error.file) == sizeof error.file - 1 &&
          strcmp(error.file + strlen(error.file) - 6, "/a.map") == 0);
    wend_error_set_file(&error, NULL);
    CHECK(!error.file[0]);
}

static const test tests[] = {
    {"every status has words of its own", every_status_has_words_of_its_own},
    {"the version is the header's", the_version_is_the_headers},
    {"an error is one line of text", an_error_is_one_line_of_text},
};

TEST_MAIN(tests)
