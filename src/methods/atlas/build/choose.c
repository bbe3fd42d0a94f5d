/* Settings of an atlas for a size or a quality: atlases are built in memory, as trials, and looked at. Sizes
 * are those that the file will have; how far ways are over optimal is a sample's mean, which another sample
 * may miss a little.
 *
 * What matters is the side of the sectors: half of it makes four times the size. For a size, a coarse trial
 * shows roughly which side will fit, and the next trials come nearer. For a quality, trials go from coarse to
 * fine. */
#include "base/budget.h"
#include "base/settings.h"
#include "methods/atlas/build/build.h"
#include "methods/atlas/build/sample.h"
#include "search/onward.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TRIALS = 14 };

/* Sides of sectors where nothing else is asked for: of a map with more than one corner for so many open
 * cells. With fewer, what the settings have. */
static const struct { uint32_t open, side; } densities[] = {{40, 12}, {60, 28}};

typedef struct trial {
    uint32_t side, rounds;
    bool exact;
    uint64_t bytes; /* of the file */
    double over;    /* per cent; where that is asked for */
} trial;

typedef struct chooser {
    const wend_map *map;
    const wend_settings *given;
    const wend_build_options *options; /* the caller's */
    wend_build_options trials;         /* the same, with progress of our own */
    uint64_t tried;
    wend_budget budget;
    uint64_t size; /* 0: any */
    double over;   /* of which 0 is none */
    bool has_over;
} chooser;

/* The settings of a trial, in full: keys that were given stay as they are. */
static wend_status make_settings(const chooser *c, uint32_t side, uint32_t rounds, bool exact,
                                 const wend_allocator *allocator, wend_settings **made, wend_error *error) {
    char text[256];
    const wend_settings *given = c->given;
    int size =
        snprintf(text, sizeof text, "atlas:sector=%u,rounds=%u,eps=%s,labels=%s,exact=%s", side, rounds,
                 wend_settings_text(given, "eps"), wend_settings_text(given, "labels"), exact ? "yes" : "no");
    if (wend_settings_given(given, "size"))
        size += snprintf(text + size, sizeof text - (size_t)size, ",size=%lld",
                         (long long)wend_settings_integer(given, "size"));
    if (wend_settings_given(given, "over"))
        (void)snprintf(text + size, sizeof text - (size_t)size, ",over=%s",
                       wend_settings_text(given, "over"));
    return wend_db_settings_parse(text, allocator, made, error);
}

/* All stages of all trials are one to the caller. */
static bool tell(void *context, const wend_progress *progress) {
    const chooser *c = context;
    (void)progress;
    return wend_build_goes_on(c->options, "choosing", c->tried, MOST_TRIALS);
}

/* The cells at which a shortest path may have to turn: see corners.h. */
uint32_t wend_atlas_count_corners(const wend_map *map) {
    wend_onward onward;
    bool corner[512] = {false};
    uint32_t count = 0;
    wend_onward_fill(map, &onward);
    for (uint32_t around = 0; around < 512; around++)
        for (uint32_t d = 0; d < WEND_DIRECTIONS; d++)
            if (onward.moves[d][around] & ~onward.moves[d][511]) corner[around] = true;
    for (uint32_t y = 0; y < (uint32_t)map->height; y++)
        for (uint32_t x = 0; x < (uint32_t)map->width; x++)
            count += wend_bit(map, x, y) && corner[wend_map_around(map, x, y)];
    return count;
}

/* Building in memory ------------------------------------------------------------------------------------- */

typedef struct jobs {
    wend_builder *builder;
    wend_buffer *results;
    atomic_int status;
} jobs;

static void do_job(void *argument, uint32_t index, uint32_t worker) {
    jobs *p = argument;
    if (atomic_load(&p->status) != WEND_OK) return;
    wend_status status = wend_atlas_job(p->builder, index, worker, &p->results[index]);
    if (status != WEND_OK) atomic_store(&p->status, (int)status);
}

static wend_status do_jobs(wend_builder *builder, wend_error *error) {
    jobs p = {.builder = builder};
    atomic_init(&p.status, (int)WEND_OK);
    p.results = wend_allocate_zeroed(&builder->allocator, builder->jobs, sizeof *p.results);
    if (!p.results) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a trial");
    for (uint32_t i = 0; i < builder->jobs; i++) p.results[i].allocator = &builder->allocator;
    wend_tasks_run(&builder->options->tasks, builder->jobs, do_job, &p);
    wend_status status = (wend_status)atomic_load(&p.status);
    if (status != WEND_OK)
        (void)wend_fail(error, status, "no memory for a trial");
    else
        status = wend_atlas_finish(builder, p.results, error);
    for (uint32_t i = 0; i < builder->jobs; i++) wend_buffer_release(&p.results[i]);
    wend_release(&builder->allocator, p.results, builder->jobs, sizeof *p.results);
    return status;
}

/* Opens what a trial has made, as if it were a file, and samples it. */
static wend_status sample(const chooser *c, const wend_builder *builder, double *over, wend_error *error) {
    wend_db db = {.kind = &wend_db_atlas,
                  .form = &wend_db_atlas,
                  .map = c->map,
                  .settings = builder->settings,
                  .section_count = builder->section_count,
                  .allocator = builder->allocator};
    db.info.width = c->map->width, db.info.height = c->map->height;
    for (size_t i = 0; i < builder->section_count; i++) {
        db.sections[i] = builder->sections[i];
        db.sections[i].data = builder->section_data[i].data ? builder->section_data[i].data : (uint8_t *)&db;
    }
    wend_status status = wend_db_atlas.open(&db, error);
    if (status == WEND_OK)
        status = wend_atlas_sample(wend_atlas_of(&db), c->options->seed, &builder->allocator, over);
    if (status == WEND_STATUS_NO_MEMORY) (void)wend_fail(error, status, "no memory for a trial");
    wend_db_atlas.close(&db);
    return status;
}

static wend_status try_one(chooser *c, trial *one, wend_error *error) {
    wend_settings *settings;
    wend_allocator allocator = wend_budget_allocator(&c->budget);
    wend_status status = make_settings(c, one->side, one->rounds, one->exact, &allocator, &settings, error);
    if (status != WEND_OK) return status;
    const wend_tasks *tasks = &c->options->tasks;
    wend_builder builder = {.kind = &wend_db_atlas,
                            .map = c->map,
                            .settings = settings,
                            .options = &c->trials,
                            .allocator = allocator,
                            .workers = tasks->run && tasks->workers ? tasks->workers : 1};
    status = wend_atlas_prepare(&builder, error);
    c->tried += c->tried < MOST_TRIALS;
    if (status == WEND_OK) status = do_jobs(&builder, error);
    one->bytes = wend_builder_file_bytes(&builder);
    wend_atlas_release(&builder);
    if (status == WEND_OK && c->has_over && !one->exact) status = sample(c, &builder, &one->over, error);
    for (size_t i = 0; i < WEND_DB_SECTIONS; i++) wend_buffer_release(&builder.section_data[i]);
    wend_settings_destroy(settings);
    return status;
}

/* Choosing ----------------------------------------------------------------------------------------------- */

/* Sides from coarse to fine. Finer sectors make larger files as a rule, but where a map is intricate the
 * coarsest do not cover well, and many cells get representatives of their own. */
static const uint32_t sides[] = {96, 64, 48, 32, 24, 16, 12};
enum { SIDES = sizeof sides / sizeof *sides };

/* The next side to try: the one after this, or farther on while four times the sectors still leave room. */
static size_t next_side(size_t at, uint64_t bytes, uint64_t size) {
    size_t next = at + 1;
    while (next + 1 < SIDES &&
           (double)bytes * sides[at] * sides[at] * 1.3 < (double)size * sides[next + 1] * sides[next + 1])
        next++;
    return next;
}

/* The finest that fits. */
static wend_status choose_in_rounds(chooser *c, uint32_t rounds, trial *chosen, uint64_t *least,
                                    wend_error *error) {
    bool fixed = wend_settings_given(c->given, "sector");
    for (size_t i = 0; i < SIDES;) {
        trial one = {.side = fixed ? (uint32_t)wend_settings_integer(c->given, "sector") : sides[i],
                     .rounds = rounds};
        wend_status status = try_one(c, &one, error);
        if (status != WEND_OK) return status;
        if (one.bytes < *least) *least = one.bytes;
        if (one.bytes <= c->size)
            *chosen = one;
        else if (chosen->side && one.bytes > 2 * c->size)
            break;
        if (fixed) break;
        i = next_side(i, one.bytes, c->size);
    }
    return WEND_OK;
}

static wend_status choose_for_size(chooser *c, trial *chosen, wend_error *error) {
    uint64_t least = UINT64_MAX;
    uint32_t rounds = (uint32_t)wend_settings_integer(c->given, "rounds");
    wend_status status = choose_in_rounds(c, rounds, chosen, &least, error);
    if (status == WEND_OK && !chosen->side && rounds && !wend_settings_given(c->given, "rounds"))
        status = choose_in_rounds(c, 0, chosen, &least, error);
    if (status != WEND_OK || chosen->side) return status;
    return wend_fail(error, WEND_STATUS_TOO_LARGE,
                     "no atlas that was tried takes less than %llu bytes, and %llu are allowed",
                     (unsigned long long)least, (unsigned long long)c->size);
}

/* From coarse to fine; WEND_OK with no side: none will do. */
static wend_status choose_for_quality(chooser *c, trial *chosen, wend_error *error) {
    static const struct {
        uint32_t side, rounds;
    } steps[] = {{96, 2}, {64, 2}, {48, 2}, {32, 2}, {32, 3}, {24, 3}, {16, 3}};
    const wend_settings *given = c->given;
    bool fixed_side = wend_settings_given(given, "sector"),
         fixed_rounds = wend_settings_given(given, "rounds");
    trial last = {0};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        trial one = {.side = fixed_side ? (uint32_t)wend_settings_integer(given, "sector") : steps[i].side,
                     .rounds =
                         fixed_rounds ? (uint32_t)wend_settings_integer(given, "rounds") : steps[i].rounds};
        if (one.side == last.side && one.rounds == last.rounds) continue;
        wend_status status = try_one(c, &one, error);
        if (status != WEND_OK) return status;
        last = one;
        if (c->size && one.bytes > c->size) break;
        if (one.over > c->over) continue;
        *chosen = one;
        return WEND_OK;
    }
    if (!c->size || last.bytes <= c->size) return WEND_OK;
    return wend_fail(error, WEND_STATUS_TOO_LARGE, "ways within %g%% take more than %llu bytes on this map",
                     c->over, (unsigned long long)c->size);
}

/* Where corners are dense, a sector of the usual side falls into parts that one cell each does not cover;
 * with smaller ones there are as many representatives, in better places. */
static wend_status choose_side(chooser *c, wend_db_choice *choice, wend_error *error) {
    uint32_t corners = wend_atlas_count_corners(c->map);
    for (size_t i = 0; i < sizeof densities / sizeof *densities; i++) {
        if ((uint64_t)corners * densities[i].open <= c->map->open_cells) continue;
        uint32_t rounds = (uint32_t)wend_settings_integer(c->given, "rounds");
        (void)snprintf(choice->why, sizeof choice->why,
                       "sector=%u, since corners are dense: one for %u open cells.", densities[i].side,
                       c->map->open_cells / corners);
        return make_settings(c, densities[i].side, rounds, false, &c->options->allocator, &choice->settings,
                             error);
    }
    return WEND_OK;
}

wend_status wend_atlas_choose(const wend_map *map, const wend_settings *settings,
                              const wend_build_options *options, wend_db_choice *choice, wend_error *error) {
    chooser c = {.map = map, .given = settings, .options = options, .trials = *options};
    c.trials.progress = tell, c.trials.progress_context = &c;
    bool sized = wend_settings_given(settings, "size");
    c.has_over = wend_settings_given(settings, "over");
    if (!sized && !c.has_over)
        return wend_settings_given(settings, "sector") || wend_settings_integer(settings, "exact")
                   ? WEND_OK
                   : choose_side(&c, choice, error);
    if (wend_settings_given(settings, "sector") && wend_settings_given(settings, "rounds") &&
        wend_settings_given(settings, "eps") && wend_settings_given(settings, "labels") &&
        wend_settings_given(settings, "exact"))
        return WEND_OK; /* a choice that was made */
    if (wend_settings_integer(settings, "exact"))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "size and over leave a choice, and exact=yes makes it: give one or the other");
    wend_allocator below = wend_allocator_or_default(&options->allocator);
    wend_budget_init(&c.budget, &below, options->max_memory, 0);
    c.size = sized ? (uint64_t)wend_settings_integer(settings, "size") : 0;
    c.over = wend_settings_number(settings, "over");
    trial chosen = {0};
    wend_status status =
        c.has_over ? choose_for_quality(&c, &chosen, error) : choose_for_size(&c, &chosen, error);
    if (status != WEND_OK) return status;
    bool exact = !chosen.side;
    if (exact) {
        chosen = (trial){.side = 32, .rounds = 2, .exact = true};
        if (c.size) status = try_one(&c, &chosen, error);
        if (status != WEND_OK) return status;
        if (chosen.bytes > c.size)
            return wend_fail(error, WEND_STATUS_TOO_LARGE,
                             "ways within %g%% take %llu bytes on this map, and %llu are allowed", c.over,
                             (unsigned long long)chosen.bytes, (unsigned long long)c.size);
    }
    if (exact)
        (void)snprintf(choice->why, sizeof choice->why,
                       "No atlas that was tried keeps ways within %g%%: an exact one does.", c.over);
    else if (c.has_over)
        (void)snprintf(choice->why, sizeof choice->why,
                       "sector=%u, rounds=%u: %.2f%% over optimal in the mean of a sample, %llu bytes.",
                       chosen.side, chosen.rounds, chosen.over, (unsigned long long)chosen.bytes);
    else
        (void)snprintf(choice->why, sizeof choice->why, "sector=%u, rounds=%u: %llu bytes of %llu.",
                       chosen.side, chosen.rounds, (unsigned long long)chosen.bytes,
                       (unsigned long long)c.size);
    return make_settings(&c, chosen.side, chosen.rounds, exact, &options->allocator, &choice->settings,
                         error);
}
