/* auto: no kind of its own. It looks at the map and chooses what is to be built: the best moves that fit into
 * `size` and `seconds`.
 *
 * In order of quality: a path database (optimal, a look-up a move), an atlas. How large a path database gets
 * is told from a sample of its blocks, which are built and measured; how long anything takes, from counts of
 * cells by fixed constants, so that the choice does not depend on how busy a machine is. */
#include "db/auto.h"

#include "db/kinds.h"

#include <stdio.h>

static wend_status take(wend_db_choice *choice, const char *text, wend_error *error) {
    return wend_db_settings_parse(text, &choice->settings, error);
}

/* The limits as words: " within 1000000 bytes and 60 s". */
typedef struct limit_words {
    char text[64];
} limit_words;

static limit_words words_of(int64_t size, int64_t seconds) {
    limit_words words;
    if (size)
        (void)snprintf(words.text, sizeof words.text, "within %lld bytes and %lld s", (long long)size,
                       (long long)seconds);
    else
        (void)snprintf(words.text, sizeof words.text, "within %lld s", (long long)seconds);
    return words;
}

static wend_status auto_choose(const wend_map *map, const wend_settings *settings,
                               const wend_build_options *options, wend_db_choice *choice, wend_error *error) {
    int64_t size = wend_settings_integer(settings, "size"),
            seconds = wend_settings_integer(settings, "seconds");
    if (options->max_size && (!size || options->max_size < (uint64_t)size))
        size = options->max_size < INT64_MAX ? (int64_t)options->max_size : INT64_MAX;
    wend_cpd_estimate cpd;
    wend_status status = wend_auto_estimate_cpd(map, options, (double)seconds, (double)size, &cpd, error);
    if (status != WEND_OK) return status;
    limit_words limits = words_of(size, seconds);
    if (cpd.fits) {
        (void)snprintf(choice->why, sizeof choice->why,
                       "%u open cells: a path database of about %.2g MB and %.2g s of one core is %s; its "
                       "moves are optimal, and each is a look-up.",
                       map->open_cells, cpd.bytes / 1e6, cpd.seconds, limits.text);
        return take(choice, "cpd", error);
    }
    char why[160];
    if (cpd.bytes > 0)
        (void)snprintf(why, sizeof why, "a path database would take about %.3g MB and %.3g s of one core",
                       cpd.bytes / 1e6, cpd.seconds);
    else if (cpd.seconds > 0)
        (void)snprintf(why, sizeof why, "a path database would take about %.3g s of one core", cpd.seconds);
    else
        (void)snprintf(why, sizeof why, "a path database does not go so far");
    (void)snprintf(choice->why, sizeof choice->why,
                   "%u open cells: %s, not %s; an atlas is, with ways a fraction of a per cent over optimal.",
                   map->open_cells, why, limits.text);
    return take(choice, "atlas", error);
}

static wend_status auto_open(wend_db *db, wend_error *error) {
    (void)db;
    return wend_fail(error, WEND_DAMAGED, "no file is of the kind auto");
}

static wend_status auto_prepare(wend_builder *builder, wend_error *error) {
    (void)builder;
    return wend_fail(error, WEND_UNSUPPORTED, "nothing was chosen"); /* not reached: a choice is never auto */
}

static const wend_key_info keys[] = {
    {.name = "size",
     .kind = WEND_KEY_SIZE,
     .least = 1,
     .most = 9007199254740992.0,
     .help = "the largest file that is of use"},
    {.name = "seconds",
     .kind = WEND_KEY_INTEGER,
     .least = 1,
     .most = 1e9,
     .standard = "60",
     .help = "of one core, about: turned into counts of cells by a fixed constant"},
};

const wend_db_kind wend_db_auto = {
    .info = {"auto", "what suits the map and the limits best: a cpd or an atlas", keys,
             sizeof keys / sizeof *keys},
    .version = 1,
    .open = auto_open,
    .choose = auto_choose,
    .prepare = auto_prepare,
};
