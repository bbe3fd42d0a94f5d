/* auto: no kind of its own. It looks at the map and chooses what is to be built: the best moves that fit into
 * `size` and `seconds`.
 *
 * In order of quality: a path database (optimal, one look-up per move), flags of edges for the search over corners
 * (optimal, one search before the first move), an atlas. The size of a path database is estimated from a sample of its blocks,
 * which are built and measured; that of flags from the number of corners. Times are counts
 * multiplied by fixed constants, so that the choice does not depend on how busy a machine is. */
#include "methods/auto/estimate.h"

#include "methods/atlas/atlas.h"
#include "methods/auto/auto.h"

#include <stdio.h>

/* Of flags, for one corner: bytes of the file; and seconds of a core of about 3 GHz, for a corner and each other
 * one, since there is a search from each to all. Both are on the safe side of what was measured on game maps and
 * cities (docs/notes/speed.md). */
#define CORNER_BYTES 400
#define CORNER_SECONDS 3e-8
/* Of any atlas, for a cell. */
#define CELL_SECONDS 5e-7

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

/* Why there is no path database. */
typedef struct no_cpd_words {
    char text[120];
} no_cpd_words;

static no_cpd_words why_no_cpd(const wend_cpd_estimate *cpd) {
    no_cpd_words words;
    if (cpd->bytes > 0)
        (void)snprintf(words.text, sizeof words.text, "a path database would take about %.3g MB",
                       cpd->bytes / 1e6);
    else if (cpd->seconds > 0)
        (void)snprintf(words.text, sizeof words.text, "a path database would take about %.3g s of one core",
                       cpd->seconds);
    else
        (void)snprintf(words.text, sizeof words.text, "no path database is so large, or has the memory");
    return words;
}

/* An atlas with the finest sectors that the size allows. */
static wend_status choose_atlas(const wend_map *map, const wend_build_options *options, int64_t size,
                                wend_db_choice *choice, wend_error *error) {
    char text[64];
    wend_settings *settings;
    if (size)
        (void)snprintf(text, sizeof text, "atlas:size=%lld", (long long)size);
    else
        (void)snprintf(text, sizeof text, "atlas");
    wend_status status = wend_db_settings_parse(text, &options->allocator, &settings, error);
    if (status == WEND_OK) status = wend_db_choose(map, settings, options, choice, error);
    wend_settings_destroy(settings);
    return status;
}

static wend_status auto_choose(const wend_map *map, const wend_settings *settings,
                               const wend_build_options *options, wend_db_choice *choice, wend_error *error) {
    int64_t size = wend_settings_integer(settings, "size"),
            seconds = wend_settings_integer(settings, "seconds");
    const int64_t most = INT64_C(1) << 53; /* of a size */
    if (options->max_size && (!size || options->max_size < (uint64_t)size))
        size = options->max_size < (uint64_t)most ? (int64_t)options->max_size : most;
    wend_cpd_estimate cpd;
    wend_status status = wend_auto_estimate_cpd(map, options, (double)seconds, (double)size, &cpd, error);
    if (status != WEND_OK) return status;
    limit_words limits = words_of(size, seconds);
    if (cpd.fits) {
        (void)snprintf(choice->why, sizeof choice->why,
                       "%u open cells: a path database of about %.2g MB and %.2g s of one core is %s; its "
                       "moves are optimal, and each is a look-up.",
                       map->open_cells, cpd.bytes / 1e6, cpd.seconds, limits.text);
        return wend_db_settings_parse("cpd", &options->allocator, &choice->settings, error);
    }
    no_cpd_words why = why_no_cpd(&cpd);
    uint32_t corners = wend_atlas_count_corners(map);
    double bytes = (double)corners * CORNER_BYTES;
    double work = (double)corners * corners * CORNER_SECONDS + map->cells * CELL_SECONDS;
    if (work <= (double)seconds && (!size || bytes <= (double)size)) {
        (void)snprintf(choice->why, sizeof choice->why,
                       "%u open cells, %u corners: %s; flags for the search over corners, whose paths are "
                       "optimal, at most %.2g MB and %.2g s, are %s.",
                       map->open_cells, corners, why.text, bytes / 1e6, work, limits.text);
        return wend_db_settings_parse("corners", &options->allocator, &choice->settings, error);
    }
    status = choose_atlas(map, options, size, choice, error);
    (void)snprintf(
        choice->why, sizeof choice->why,
        "%u open cells, %u corners: %s, flags for the search over corners up to %.2g MB and %.2g s, "
        "which is not %s; so an atlas, with ways a fraction of a per cent over optimal.",
        map->open_cells, corners, why.text, bytes / 1e6, work, limits.text);
    return status;
}

static wend_status auto_open(wend_db *db, wend_error *error) {
    (void)db;
    return wend_fail(error, WEND_STATUS_DAMAGED, "no file is of the kind auto");
}

static wend_status auto_prepare(wend_builder *builder, wend_error *error) {
    (void)builder;
    return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                     "nothing was chosen"); /* not reached: a choice is never auto */
}

static const wend_key_info keys[] = {
    {.name = "size",
     .kind = WEND_KEY_SIZE,
     .min = 1,
     .max = 9007199254740992.0,
     .help = "the largest file that is of use"},
    {.name = "seconds",
     .kind = WEND_KEY_INTEGER,
     .min = 1,
     .max = 1e9,
     .standard = "60",
     .help = "of one core, about: turned into counts of cells by a fixed constant"},
};

const wend_db_kind wend_db_auto = {
    .info = {"auto", "what suits the map and the limits best: a cpd, corners or an atlas", keys,
             sizeof keys / sizeof *keys},
    .version = 1,
    .open = auto_open,
    .choose = auto_choose,
    .prepare = auto_prepare,
};
