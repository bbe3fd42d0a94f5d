#include "base/settings.h"
#include "support/agents/own.h"
#include "support/check.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* One key of every kind, so that the parser is tried beyond what the real planners need. */
static const char *const flavours[] = {"plain", "salted", "sweet", NULL};
static const wend_key_info every_kind[] = {
    {.name = "k",
     .kind = WEND_KEY_INTEGER,
     .unlimited = true,
     .min = 1,
     .max = 1000,
     .standard = "unlimited",
     .help = "h"},
    {.name = "d", .kind = WEND_KEY_INTEGER, .min = 0, .max = 9, .standard = "1", .help = "h"},
    {.name = "share", .kind = WEND_KEY_DECIMAL, .min = 0, .max = 1, .standard = "0.9", .help = "h"},
    {.name = "within", .kind = WEND_KEY_PERCENT, .min = 0, .max = 100, .standard = "0%", .help = "h"},
    {.name = "da", .kind = WEND_KEY_YES_NO, .standard = "no", .help = "h"},
    {.name = "taste", .kind = WEND_KEY_WORD, .words = flavours, .standard = "salted", .help = "h"},
    {.name = "db", .kind = WEND_KEY_FILE, .help = "a database"},
};
static const wend_key_info needs_files[] = {
    {.name = "db", .kind = WEND_KEY_FILE, .required = true, .help = "a database"},
    {.name = "log", .kind = WEND_KEY_FILE, .required = true, .help = "another file"}};
static const wend_method_info table[] = {
    {"all", "h", every_kind, sizeof every_kind / sizeof *every_kind},
    {"needy", "h", needs_files, 1}, /* an agent's options may give the database */
    {"bare", "h", NULL, 0},
    {"needier", "h", needs_files, 2},
};

static const wend_method_info *const rows[] = {&table[0], &table[1], &table[2], &table[3]};

static wend_status parse(const char *text, wend_settings **settings, wend_error *error) {
    return wend_settings_parse_in("planner", rows, sizeof rows / sizeof *rows, text, NULL, settings, error);
}

static void defaults_are_those_of_the_table(void) {
    wend_settings *settings;
    if (!CHECK(parse("all", &settings, NULL) == WEND_OK)) return;
    CHECK(wend_settings_info(settings) == &table[0]);
    CHECK(wend_settings_integer(settings, "k") == WEND_UNLIMITED);
    CHECK(wend_settings_integer(settings, "d") == 1);
    CHECK(wend_settings_number(settings, "share") == 0.9);
    CHECK(wend_settings_number(settings, "within") == 0);
    CHECK(wend_settings_integer(settings, "da") == 0);
    CHECK(wend_settings_integer(settings, "taste") == 1);
    CHECK(strcmp(wend_settings_text(settings, "taste"), "salted") == 0);
    CHECK(wend_settings_text(settings, "db") == NULL);
    CHECK(wend_settings_text(settings, "nothing") == NULL && wend_settings_integer(settings, "nothing") == 0);
    for (size_t i = 0; i < table[0].key_count; i++) CHECK(!wend_settings_given(settings, every_kind[i].name));
    wend_settings_destroy(settings);
}

/* Every row of the real table, and of a set with one more, parses by its name, every default is a value of
 * its own key, and giving the default changes nothing. */
static void the_table_is_sound(void) {
    const wend_planners *set = test_planner_set();
    CHECK(wend_planner_count() > 0 && !wend_planner_at(wend_planner_count()));
    CHECK(wend_planners_count(set) > wend_planner_count() &&
          !wend_planners_at(set, wend_planners_count(set)));
    for (size_t i = 0; i < wend_planners_count(set); i++) {
        const wend_method_info *planner = wend_planners_at(set, i);
        if (i < wend_planner_count()) CHECK(planner == wend_planner_at(i));
        CHECK(planner->help && *planner->help && !strpbrk(planner->name, ":,= "));
        for (size_t j = 0; j < i; j++) CHECK(strcmp(planner->name, wend_planners_at(set, j)->name) != 0);
        wend_settings *bare, *given;
        char needed[256];
        int size = snprintf(needed, sizeof needed, "%s", planner->name);
        const char *between = ":";
        for (size_t j = 0; j < planner->key_count; j++)
            if (planner->keys[j].required && CHECK(planner->keys[j].kind == WEND_KEY_FILE)) {
                size += snprintf(needed + size, sizeof needed - (size_t)size, "%s%s=x", between,
                                 planner->keys[j].name);
                between = ",";
            }
        if (!CHECK_THAT(test_own_parse(needed, NULL, &bare, NULL) == WEND_OK, "%s", needed)) continue;
        CHECK(wend_settings_info(bare) == planner);
        for (size_t j = 0; j < planner->key_count; j++) {
            const wend_key_info *key = &planner->keys[j];
            CHECK(key->help && *key->help && !strpbrk(key->name, ",= "));
            if (!key->standard) continue;
            char text[512];
            (void)snprintf(text, sizeof text, "%s%s%s=%s", needed, between, key->name, key->standard);
            if (!CHECK_THAT(test_own_parse(text, NULL, &given, NULL) == WEND_OK, "%s", text)) continue;
            CHECK(wend_settings_integer(given, key->name) == wend_settings_integer(bare, key->name));
            CHECK(wend_settings_number(given, key->name) == wend_settings_number(bare, key->name));
            CHECK(strcmp(wend_settings_text(given, key->name), key->standard) == 0);
            CHECK(wend_settings_given(given, key->name) && !wend_settings_given(bare, key->name));
            wend_settings_destroy(given);
        }
        wend_settings_destroy(bare);
        test_case();
    }
}

static void values_come_back_as_written(void) {
    wend_settings *settings, *copy;
    if (!CHECK(parse("all:db=a\\,b\\c=d:e,taste=sweet,k=17,da=yes,within=12.5%,share=.125,d=0", &settings,
                     NULL) == WEND_OK) ||
        !CHECK(wend_settings_copy(settings, NULL, &copy, NULL) == WEND_OK))
        return;
    wend_settings_destroy(settings); /* a copy must not lean on the original */
    CHECK(strcmp(wend_settings_text(copy, "db"), "a,b\\c=d:e") == 0);
    CHECK(wend_settings_integer(copy, "taste") == 2);
    CHECK(wend_settings_integer(copy, "k") == 17);
    CHECK(wend_settings_integer(copy, "da") == 1);
    CHECK(wend_settings_number(copy, "within") == 12.5);
    CHECK(wend_settings_number(copy, "share") == 0.125);
    CHECK(wend_settings_integer(copy, "d") == 0 && wend_settings_given(copy, "d"));
    wend_settings_destroy(copy);
}

/* Whole numbers and decimals of every size are what the C library makes of them. */
static void numbers_are_read_exactly(void) {
    for (int i = 0; i <= 1005; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "all:k=%d", i);
        wend_settings *settings;
        wend_status status = parse(text, &settings, NULL);
        CHECK_THAT(status == (i >= 1 && i <= 1000 ? WEND_OK : WEND_STATUS_BAD_ARGUMENT), "%s", text);
        if (status == WEND_OK) CHECK(wend_settings_integer(settings, "k") == i);
        wend_settings_destroy(settings);
        test_case();
    }
    uint64_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        char text[64];
        int digits = 1 + (int)(seed >> 60) % 15;
        (void)snprintf(text, sizeof text, "all:share=0.%0*llu", digits,
                       (unsigned long long)(seed >> 20) % (unsigned long long)1e9);
        wend_settings *settings;
        size_t behind = strlen(strchr(text, '.') + 1);
        if (!CHECK_THAT(parse(text, &settings, NULL) == WEND_OK, "%s (%zu digits)", text, behind)) continue;
        CHECK_THAT(wend_settings_number(settings, "share") == strtod(strchr(text, '=') + 1, NULL), "%s",
                   text);
        wend_settings_destroy(settings);
        test_case();
    }
}

static void bad_texts_are_refused_with_what_would_fit(void) {
    static const struct {
        const char *text, *says;
        uint64_t offset;
    } bad[] = {
        {"", "no planner ''", 0},
        {"al", "there are: all, needy, bare", 0},
        {"all ", "no planner 'all '", 0},
        {"ALL", "no planner", 0},
        {":k=1", "no planner ''", 0},
        {"all:", "'=' is missing", 4},
        {"all:k", "'=' is missing", 4},
        {"all:k,d=1", "'=' is missing", 4},
        {"all:k=1,", "'=' is missing", 8},
        {"all:,k=1", "'=' is missing", 4},
        {"all:=1", "no key ''", 4},
        {"all:K=1", "its keys: k, d, share, within, da, taste, db", 4},
        {"all:d=1,foo=2", "no key 'foo'", 8},
        {"bare:k=1", "no keys", 5},
        {"all:k=1,k=1", "twice", 8},
        {"all:k=", "from 1 to 1000 or 'unlimited'", 6},
        {"all:k=0", "from 1 to 1000", 6},
        {"all:k=1001", "from 1 to 1000", 6},
        {"all:k=-1", "from 1 to 1000", 6},
        {"all:k=+1", "from 1 to 1000", 6},
        {"all:k= 1", "from 1 to 1000", 6},
        {"all:k=1 ", "from 1 to 1000", 6},
        {"all:k=1.0", "a whole number", 6},
        {"all:k=0x10", "a whole number", 6},
        {"all:k=1e2", "a whole number", 6},
        {"all:k=99999999999999999999999999", "a whole number", 6},
        {"all:k=Unlimited", "a whole number", 6},
        {"all:d=unlimited", "from 0 to 9", 6},
        {"all:share=1.01", "a number from 0 to 1", 10},
        {"all:share=-0.5", "a number from 0 to 1", 10},
        {"all:share=.", "a number from 0 to 1", 10},
        {"all:share=", "a number from 0 to 1", 10},
        {"all:share=0.5.5", "a number from 0 to 1", 10},
        {"all:share=1e-1", "a number from 0 to 1", 10},
        {"all:share=nan", "a number from 0 to 1", 10},
        {"all:share=inf", "a number from 0 to 1", 10},
        {"all:share=50%", "a number from 0 to 1", 10},
        {"all:share=0.12345678901234567", "a number from 0 to 1", 10},
        {"all:within=%", "from 0 to 100 per cent", 11},
        {"all:within=101%", "from 0 to 100 per cent", 11},
        {"all:within=5%%", "from 0 to 100 per cent", 11},
        {"all:da=true", "'yes' or 'no'", 7},
        {"all:da=", "'yes' or 'no'", 7},
        {"all:taste=sour", "one of: plain, salted, sweet", 10},
        {"all:taste=", "one of: plain", 10},
        {"all:taste=plain\\,salted", "one of: plain", 10},
        {"all:db=", "the name of a file", 7},
        {"needier", "needier needs log=FILE", 0},
        {"needier:db=x", "needier needs log=FILE", 0},
        {"all:k=1\n2", "k='1?2'", 6},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wend_settings *settings = (wend_settings *)&table;
        wend_error error = {WEND_OK, 0, 0, 0, "", ""};
        CHECK_THAT(parse(bad[i].text, &settings, &error) == WEND_STATUS_BAD_ARGUMENT, "%s", bad[i].text);
        CHECK_THAT(error.status == WEND_STATUS_BAD_ARGUMENT, "%s", bad[i].text);
        CHECK_THAT(strstr(error.message, bad[i].says), "%s: %s", bad[i].text, error.message);
        CHECK_THAT(error.offset == bad[i].offset, "%s: at %llu", bad[i].text,
                   (unsigned long long)error.offset);
        CHECK(!strchr(error.message, '\n'));
        CHECK(parse(bad[i].text, &settings, NULL) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(!settings);
        test_case();
    }
    wend_settings *settings;
    CHECK(wend_settings_parse(NULL, NULL, &settings, NULL) == WEND_STATUS_BAD_ARGUMENT && !settings);
    CHECK(wend_settings_parse("astar", NULL, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(!wend_settings_info(NULL) && !wend_settings_text(NULL, "k"));
    wend_settings_destroy(NULL);
}

/* Values of any length are kept whole, and settings take no more memory than they need: one block. */
static void settings_are_as_large_as_their_text(void) {
    for (size_t size = 1; size <= 100000; size = size * 3 + 1)
        for (int commas = 0; commas < 2; commas++) {
            test_memory memory = {0};
            wend_allocator allocator = test_allocator(&memory);
            char *text = malloc(20 + 2 * size);
            if (!text) abort();
            char *end = text + sprintf(text, "needy:db=");
            for (size_t i = 0; i < size; i++) {
                if (commas) *end++ = '\\';
                *end++ = commas ? ',' : 'x';
            }
            *end = 0;
            wend_settings *settings;
            wend_status status =
                wend_settings_parse_in("planner", rows, 3, text, &allocator, &settings, NULL);
            CHECK(status == WEND_OK && memory.requests == 1 && memory.live_bytes < strlen(text) + 200);
            free(text);
            const char *value = wend_settings_text(settings, "db");
            CHECK(value && strlen(value) == size && strspn(value, commas ? "," : "x") == size);
            wend_settings_destroy(settings);
            CHECK(memory.live_bytes == 0);
            memory.requests = 0, memory.refuse_at = 1;
            CHECK(wend_settings_parse_in("planner", rows, 3, "bare", &allocator, &settings, NULL) ==
                      WEND_STATUS_NO_MEMORY &&
                  !settings);
            test_case();
        }
}

/* Any bytes whatever: a status, words within their room, and no reading beyond the text. */
static void random_texts_do_no_harm(void) {
    static const char letters[] = "all:needy,=kd\\.%019shareyes\"\x80\x01";
    uint64_t seed = 99;
    for (int i = 0; i < 20000; i++) {
        size_t size = (size_t)i % 40;
        char *text = malloc(size + 5); /* exactly as long as it must be, for the sanitizer's sake */
        if (!text) abort();
        memcpy(text, i & 1 ? "all:" : "", i & 1 ? 4 : 0);
        size_t start = i & 1 ? 4 : 0;
        for (size_t j = 0; j < size; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[start + j] = letters[(seed >> 33) % (sizeof letters - 1)];
        }
        text[start + size] = 0;
        wend_settings *settings;
        wend_error error;
        wend_status status = parse(text, &settings, &error);
        CHECK(status == WEND_OK || status == WEND_STATUS_BAD_ARGUMENT);
        if (status != WEND_OK) CHECK(memchr(error.message, 0, sizeof error.message) && *error.message);
        wend_settings_destroy(settings);
        free(text);
    }
    test_case();
}

static const test tests[] = {
    {"defaults are those of the table", defaults_are_those_of_the_table},
    {"the table is sound", the_table_is_sound},
    {"values come back as written", values_come_back_as_written},
    {"numbers are read exactly", numbers_are_read_exactly},
    {"bad texts are refused with what would fit", bad_texts_are_refused_with_what_would_fit},
    {"settings are as large as their text", settings_are_as_large_as_their_text},
    {"random texts do no harm", random_texts_do_no_harm},
};
TEST_MAIN(tests)
