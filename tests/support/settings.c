#include "support/settings.h"

#include "support/agents/own.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef wend_status (*parser)(const char *text, const wend_allocator *allocator, wend_settings **settings,
                              wend_error *error);

typedef struct kept {
    struct kept *next;
    wend_settings *settings;
    parser by; /* NULL: nobody will look for it */
    char text[];
} kept;

static kept *all;
static atomic_flag busy = ATOMIC_FLAG_INIT; /* some tests parse in several threads */

static void release_all(void) {
    while (all) {
        kept *first = all;
        all = first->next;
        wend_settings_destroy(first->settings);
        free(first);
    }
}

static void keep(parser by, const char *text, wend_settings *settings) {
    kept *made = malloc(sizeof *made + strlen(text) + 1);
    if (!made) abort();
    if (!all) (void)atexit(release_all);
    *made = (kept){all, settings, by};
    memcpy(made->text, text, strlen(text) + 1);
    all = made;
}

static const wend_settings *find(parser by, const char *text) {
    for (const kept *one = all; one; one = one->next)
        if (one->by == by && strcmp(one->text, text) == 0) return one->settings;
    return NULL;
}

static wend_status parse(parser by, const char *text, const wend_settings **settings, wend_error *error) {
    wend_settings *made;
    wend_status status = WEND_OK;
    while (atomic_flag_test_and_set(&busy)) continue;
    *settings = find(by, text);
    if (!*settings) {
        status = by(text, NULL, &made, error);
        if (status == WEND_OK) keep(by, text, made);
        *settings = made;
    }
    atomic_flag_clear(&busy);
    return status;
}

wend_status test_settings_parse(const char *text, const wend_settings **settings, wend_error *error) {
    return parse(test_own_parse, text, settings, error);
}

wend_status test_db_settings_parse(const char *text, const wend_settings **settings, wend_error *error) {
    return parse(wend_db_settings_parse, text, settings, error);
}

const wend_settings *test_settings_keep(wend_settings *settings) {
    while (atomic_flag_test_and_set(&busy)) continue;
    if (settings) keep(NULL, "", settings);
    atomic_flag_clear(&busy);
    return settings;
}
