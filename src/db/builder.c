/* Building a database: jobs on all workers, each kept as soon as it is finished, then the file. Or building
 * what a database should hold, in memory, to compare it with what it does hold.
 *
 * Workers never wait for one another. A finished job is put on a stack, and whoever finds nobody at it
 * takes all that is there, writes it down and reports the progress. The others go on with the next job. */
#include "base/budget.h"
#include "base/options.h"
#include "base/settings.h"
#include "db/file.h"
#include "db/part.h"

#include <string.h>

typedef struct build {
    wend_builder builder;
    wend_budget budget;
    wend_part part;
    const wend_db *against; /* compared with what is built; NULL: a file is written */
    wend_buffer *results;   /* of each job */
    bool *finished;         /* before this build began */
    bool prepared;          /* `prepare` was called, so that `release` has to be */
    uint32_t *pending;      /* jobs still to be done */
    uint32_t pending_count;
    wend_status *statuses; /* of each job, once it is on the stack */
    uint32_t *below;       /* of each job on the stack: the one below it, as in `top` */
    atomic_uint top;       /* the job on top of the stack, plus 1; 0: none */
    atomic_flag busy;      /* somebody takes jobs from it. Guards what follows */
    uint32_t done;
    bool interrupted, unwritten;
    wend_status status;
    wend_error error;
    atomic_bool stop;
} build;

void wend_build_options_init(wend_build_options *options, size_t size) {
    const wend_build_options own = {.seed = 1};
    wend_options_init(options, size, &own, sizeof own);
}

void wend_tasks_run(const wend_tasks *tasks, uint32_t count,
                    void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    if (tasks->run)
        tasks->run(tasks->context, count, task, argument);
    else
        for (uint32_t i = 0; i < count; i++) task(argument, i, 0);
}

bool wend_build_goes_on(const wend_build_options *options, const char *stage, uint64_t done, uint64_t total) {
    wend_progress progress = {stage, done, total};
    return !options->progress || options->progress(options->progress_context, &progress);
}

bool wend_builder_goes_on(const wend_builder *builder, const char *stage, uint64_t done, uint64_t total) {
    return wend_build_goes_on(builder->options, stage, done, total);
}

/* Jobs ------------------------------------------------------------------------------------------------ */

static void take_job(build *b, uint32_t job) {
    if (b->statuses[job] != WEND_OK) {
        if (b->status == WEND_OK) {
            b->status = b->statuses[job];
            uint64_t most = b->builder.options->max_size;
            if (b->status == WEND_STATUS_TOO_LARGE && most)
                wend_fail(&b->error, b->status, "the database takes more than the %llu bytes allowed",
                          (unsigned long long)most);
            else
                wend_fail(&b->error, b->status, "job %lu of %lu: %s", (unsigned long)job + 1,
                          (unsigned long)b->builder.jobs, wend_status_text(b->status));
        }
        atomic_store(&b->stop, true);
        return;
    }
    /* What others finish after a failure is kept all the same, unless it is the file that fails. */
    if (b->unwritten) return;
    wend_error error;
    wend_status status = b->against ? WEND_OK : wend_part_add(&b->part, job, &b->results[job], &error);
    if (status == WEND_OK) {
        b->done++;
        return;
    }
    b->unwritten = true;
    if (b->status == WEND_OK) b->status = status, b->error = error;
    atomic_store(&b->stop, true);
}

/* Between two jobs; false: stop. */
static bool goes_on(const build *b) {
    return wend_builder_goes_on(&b->builder, b->against ? "verifying" : "building", b->done, b->builder.jobs);
}

static void take_finished(build *b) {
    while (atomic_load(&b->top)) {
        if (atomic_flag_test_and_set(&b->busy)) return; /* who has it looks again after giving it back */
        for (uint32_t top = atomic_exchange(&b->top, 0); top; top = b->below[top - 1]) take_job(b, top - 1);
        if (!atomic_load(&b->stop) && !goes_on(b)) {
            b->interrupted = true;
            atomic_store(&b->stop, true);
        }
        atomic_flag_clear(&b->busy);
    }
}

static void do_job(void *argument, uint32_t index, uint32_t worker) {
    build *b = argument;
    if (atomic_load(&b->stop)) return;
    uint32_t job = b->pending[index];
    wend_buffer *result = &b->results[job];
    *result = (wend_buffer){.allocator = &b->builder.allocator};
    b->statuses[job] = b->builder.form->job(&b->builder, job, worker, result);
    unsigned top = atomic_load(&b->top);
    do b->below[job] = top;
    while (!atomic_compare_exchange_weak(&b->top, &top, job + 1));
    take_finished(b);
}

/* The build --------------------------------------------------------------------------------------------- */

static wend_status allocate_jobs(build *b) {
    const wend_allocator *allocator = &b->builder.allocator;
    size_t count = b->builder.jobs;
    if (!count) return WEND_OK;
    b->results = wend_allocate_zeroed(allocator, count, sizeof *b->results);
    b->finished = wend_allocate_zeroed(allocator, count, sizeof *b->finished);
    b->pending = wend_allocate(allocator, count, sizeof *b->pending);
    b->statuses = wend_allocate_zeroed(allocator, count, sizeof *b->statuses);
    b->below = wend_allocate(allocator, count, sizeof *b->below);
    return b->results && b->finished && b->pending && b->statuses && b->below ? WEND_OK
                                                                              : WEND_STATUS_NO_MEMORY;
}

static void release_jobs(build *b) {
    const wend_allocator *allocator = &b->builder.allocator;
    size_t count = b->builder.jobs;
    for (size_t i = 0; b->results && i < count; i++) wend_buffer_release(&b->results[i]);
    wend_release(allocator, b->results, count, sizeof *b->results);
    wend_release(allocator, b->finished, count, sizeof *b->finished);
    wend_release(allocator, b->pending, count, sizeof *b->pending);
    wend_release(allocator, b->statuses, count, sizeof *b->statuses);
    wend_release(allocator, b->below, count, sizeof *b->below);
}

/* The jobs that all others need. */
static void do_ahead(build *b) {
    wend_builder *builder = &b->builder;
    for (uint32_t i = 0; i < builder->ahead && b->status == WEND_OK && !b->interrupted; i++) {
        bool fresh = !b->finished[i];
        if (fresh) {
            b->results[i] = (wend_buffer){.allocator = &builder->allocator};
            b->statuses[i] = builder->form->job(builder, i, 0, &b->results[i]);
            take_job(b, i);
        }
        if (b->status != WEND_OK) return;
        b->status = builder->form->ahead(builder, i, &b->results[i]);
        if (b->status != WEND_OK)
            wend_fail(&b->error, b->status, "job %lu of %lu: %s", (unsigned long)i + 1,
                      (unsigned long)builder->jobs, wend_status_text(b->status));
        else if (fresh && !goes_on(b))
            b->interrupted = true;
    }
}

static wend_status do_jobs(build *b, wend_error *error) {
    wend_builder *builder = &b->builder;
    for (uint32_t i = 0; i < builder->jobs; i++)
        if (b->finished[i])
            b->done++;
        else if (i >= builder->ahead)
            b->pending[b->pending_count++] = i;
    if (!goes_on(b)) b->interrupted = true;
    do_ahead(b);
    if (!b->interrupted && b->status == WEND_OK && b->pending_count) {
        wend_tasks_run(&builder->options->tasks, b->pending_count, do_job, b);
        take_finished(b);
    }
    if (b->status != WEND_OK) {
        if (error) *error = b->error;
        return b->status;
    }
    if (b->interrupted)
        return wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted with %lu of %lu jobs finished",
                         (unsigned long)b->done, (unsigned long)builder->jobs);
    if (b->done == builder->jobs) return WEND_OK;
    return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the caller's tasks have left out %lu of %lu jobs",
                     (unsigned long)(builder->jobs - b->done), (unsigned long)builder->jobs);
}

/* Everything up to the sections. */
static wend_status make_sections(build *b, wend_error *error) {
    wend_builder *builder = &b->builder;
    if (!wend_builder_goes_on(builder, "preparing", 0, 1))
        return wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted before anything was finished");
    b->prepared = true;
    wend_status status = builder->form->prepare(builder, error);
    if (status == WEND_OK && allocate_jobs(b) != WEND_OK)
        status =
            wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %lu jobs", (unsigned long)builder->jobs);
    if (status == WEND_OK && !b->against)
        status = wend_part_open(&b->part, builder, b->results, b->finished, error);
    if (status == WEND_OK) status = do_jobs(b, error);
    if (status == WEND_OK && !b->against && !wend_builder_goes_on(builder, "finishing", 0, 1))
        status = wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted with all jobs finished");
    return status == WEND_OK ? builder->form->finish(builder, b->results, error) : status;
}

static wend_status run(build *b, const wend_db_context *context, const char *path, wend_error *error) {
    wend_status status = make_sections(b, error);
    if (status == WEND_OK) status = wend_db_write(context, &b->builder, path, error);
    if (status == WEND_OK)
        wend_part_remove(&b->part);
    else
        wend_part_close(&b->part);
    return status;
}

/* A build that has taken `taken` bytes before it begins; NULL: no memory. */
static build *begin(const wend_db_kind *kind, const wend_map *map, const wend_settings *settings,
                    const wend_build_options *options, size_t taken) {
    wend_allocator below = wend_allocator_or_default(&options->allocator);
    build *b = wend_allocate_zeroed(&below, 1, sizeof *b);
    if (!b) return NULL;
    wend_budget_init(&b->budget, &below, options->max_memory, sizeof *b + taken);
    atomic_init(&b->top, 0);
    atomic_init(&b->stop, false);
    atomic_flag_clear(&b->busy);
    b->builder = (wend_builder){
        .kind = kind,
        .form = wend_db_form_of(kind, settings),
        .map = map,
        .settings = settings,
        .options = options,
        .allocator = wend_budget_allocator(&b->budget),
        .workers = options->tasks.run && options->tasks.workers ? options->tasks.workers : 1,
    };
    return b;
}

static void release(build *b) {
    wend_builder *builder = &b->builder;
    release_jobs(b);
    for (size_t i = 0; i < WEND_DB_SECTIONS; i++) wend_buffer_release(&builder->section_data[i]);
    if (b->prepared && builder->form->release) builder->form->release(builder);
    wend_allocator below = b->budget.below;
    wend_release(&below, b, 1, sizeof *b);
}

static wend_status check_arguments(const wend_db_context *context, const wend_map *map,
                                   const wend_settings *settings, const wend_build_options *options,
                                   wend_build_options *own, wend_error *error) {
    if (!map || !settings) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map or kind for a database");
    *own = wend_default_build_options();
    wend_status status = wend_options_take(own, sizeof *own, options, "build", error);
    if (status != WEND_OK) return status;
    if (!wend_db_kind_of(context->kinds, settings))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "settings must come from wend_db_settings_parse()");
    return WEND_OK;
}

static wend_status choose(const wend_db_context *context, const wend_map *map, const wend_settings *settings,
                          const wend_build_options *options, wend_db_choice *choice, wend_error *error) {
    const wend_db_kind *kind = wend_db_kind_of(context->kinds, settings);
    return kind->choose ? kind->choose(map, settings, options, choice, error) : WEND_OK;
}

wend_status wend_db_choose(const wend_map *map, const wend_settings *settings,
                           const wend_build_options *options, wend_db_choice *choice, wend_error *error) {
    wend_db_context context = wend_db_usual_context();
    if (!choice) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no place for a choice");
    *choice = (wend_db_choice){.settings = NULL};
    wend_build_options own;
    wend_status status = check_arguments(&context, map, settings, options, &own, error);
    options = &own;
    if (status == WEND_OK) status = choose(&context, map, settings, options, choice, error);
    if (status == WEND_OK && !choice->settings)
        status = wend_settings_copy(settings, &options->allocator, &choice->settings, error);
    return status;
}

wend_status wend_db_build_in(const wend_db_context *context, const wend_map *map,
                             const wend_settings *settings, const wend_build_options *options,
                             const char *path, wend_error *error) {
    wend_db_choice choice = {.settings = NULL};
    wend_build_options own;
    wend_status status = check_arguments(context, map, settings, options, &own, error);
    options = &own;
    if (status == WEND_OK && !path)
        status = wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no path for a database");
    if (status == WEND_OK) status = wend_output_possible(path, error);
    if (status == WEND_OK) status = choose(context, map, settings, options, &choice, error);
    if (status != WEND_OK) return status;
    /* A choice keeps to the size, or the file does not come to be. */
    uint64_t size = (uint64_t)wend_settings_integer(settings, "size");
    if (choice.settings && size && (!own.max_size || size < own.max_size)) own.max_size = size;
    if (choice.settings) settings = choice.settings;
    const wend_db_kind *kind = wend_db_kind_of(context->kinds, settings);
    if (kind->seedless) own.seed = wend_default_build_options().seed;
    build *b = begin(kind, map, settings, options, choice.settings ? choice.settings->bytes : 0);
    if (!b) {
        wend_settings_destroy(choice.settings);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a build");
    }
    b->builder.swap = context->swap;
    wend_output_tidy(path);
    status = wend_part_name(&b->part, path, error);
    if (status == WEND_OK) status = run(b, context, path, error);
    if (status == WEND_STATUS_NO_MEMORY && atomic_load(&b->budget.refused))
        wend_fail(error, WEND_STATUS_NO_MEMORY, "the build needs more memory than the %llu bytes allowed",
                  (unsigned long long)options->max_memory);
    release(b);
    wend_settings_destroy(choice.settings);
    return status;
}

wend_status wend_db_build(const wend_map *map, const wend_settings *settings,
                          const wend_build_options *options, const char *path, wend_error *error) {
    wend_db_context context = wend_db_usual_context();
    return wend_db_build_in(&context, map, settings, options, path, error);
}

/* Comparing ---------------------------------------------------------------------------------------------- */

/* A section as it should be, and as it is; NULL: it is not there. */
static wend_status compare_section(const wend_section *right, const wend_section *found, wend_error *error) {
    if (!found || strcmp(right->name, found->name) != 0 || right->width != found->width)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                         "section '%s' should be there with %u bytes an element", right->name,
                         (unsigned)right->width);
    if (right->count != found->count)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                         "section '%s' should have %llu elements, not %llu", right->name,
                         (unsigned long long)right->count, (unsigned long long)found->count);
    const uint8_t *a = right->data, *b = found->data;
    size_t size = (size_t)right->count * right->width, at = 0;
    if (!size || memcmp(a, b, size) == 0) return WEND_OK;
    while (a[at] == b[at]) at++;
    return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                     "element %llu of section '%s' is not what the map gives",
                     (unsigned long long)(at / right->width), right->name);
}

static wend_status compare(const wend_builder *builder, const wend_db *db, wend_error *error) {
    wend_status status = WEND_OK;
    for (size_t i = 0; status == WEND_OK && i < builder->section_count; i++)
        status =
            compare_section(&builder->sections[i], i < db->section_count ? &db->sections[i] : NULL, error);
    if (status == WEND_OK && builder->section_count < db->section_count)
        status = wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "section '%s' should not be there",
                           db->sections[builder->section_count].name);
    return status;
}

wend_status wend_db_rebuild(const wend_db *db, const wend_map *map, const wend_build_options *options,
                            wend_error *error) {
    wend_build_options own = *options;
    own.seed = db->info.seed;
    build *b = begin(db->kind, map, db->settings, &own, 0);
    if (!b) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for verifying");
    b->against = db;
    wend_status status = make_sections(b, error);
    if (status == WEND_OK) status = compare(&b->builder, db, error);
    if (status == WEND_STATUS_NO_MEMORY && atomic_load(&b->budget.refused))
        wend_fail(error, WEND_STATUS_NO_MEMORY, "verifying needs more memory than the %llu bytes allowed",
                  (unsigned long long)options->max_memory);
    release(b);
    return status;
}
