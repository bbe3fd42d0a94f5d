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

static const test tests[] = {
    {"every status has words of its own", every_status_has_words_of_its_own},
    {"the version is the header's", the_version_is_the_headers},
};

TEST_MAIN(tests)
