/* Verifying a database: jobs of its contents worked out again on all workers, and compared; or, where jobs
 * prove nothing by themselves, the whole (wend_db_rebuild). */
#include "base/budget.h"
#include "base/options.h"
#include "base/random.h"
#include "db/file.h"

enum { BATCH = 1 << 16 }; /* jobs at a time, so that any number of them can be counted */
enum { STREAM_SAMPLE = 0x7665 };

typedef struct found {
    uint32_t index; /* in the batch; UINT32_MAX: nothing */
    wend_status status;
    wend_error error;
} found;

typedef struct verification {
    wend_verifier verifier;
    wend_budget budget;
    const wend_build_options *options;
    uint64_t first, chosen; /* of the batch, and how many jobs are looked at in all */
    found *found;           /* of each worker: the first job of the batch that is wrong */
    atomic_uint first_wrong, done;
    atomic_flag busy;  /* somebody reports the progress. Guards: */
    uint64_t reported; /* jobs that were done at the last report */
    atomic_bool stop;
} verification;

/* Number `i` of those chosen: one from each of `chosen` equal parts. */
static uint64_t job_of(const verification *v, uint64_t i) {
    uint64_t part = v->verifier.jobs / v->chosen, larger = v->verifier.jobs % v->chosen;
    uint64_t first = i * part + (i < larger ? i : larger), size = part + (i < larger);
    return first + wend_random_at(v->options->seed, STREAM_SAMPLE, i) % size;
}

static void tell_progress(verification *v) {
    if (!v->options->progress || atomic_flag_test_and_set(&v->busy)) return;
    wend_progress progress = {"verifying", v->first + atomic_load(&v->done), v->chosen};
    v->reported = progress.done;
    if (!v->options->progress(v->options->progress_context, &progress)) atomic_store(&v->stop, true);
    atomic_flag_clear(&v->busy);
}

static void verify_job(void *argument, uint32_t index, uint32_t worker) {
    verification *v = argument;
    /* What lies behind a wrong job can't change the answer, which is about the first. */
    if (atomic_load(&v->stop) || index > atomic_load(&v->first_wrong)) return;
    wend_error error;
    wend_status status =
        v->verifier.db->form->verify(&v->verifier, job_of(v, v->first + index), worker, &error);
    if (status != WEND_OK) { /* no worker comes here with a later job than before */
        v->found[worker] = (found){index, status, error};
        unsigned least = atomic_load(&v->first_wrong);
        while (index < least && !atomic_compare_exchange_weak(&v->first_wrong, &least, index)) continue;
    }
    (void)atomic_fetch_add(&v->done, 1);
    tell_progress(v);
}

static wend_status run(verification *v, uint64_t sample, wend_error *error) {
    wend_verifier *verifier = &v->verifier;
    wend_status status = verifier->db->form->verify_prepare(verifier, error);
    if (status != WEND_OK) return status;
    v->chosen = sample && sample < verifier->jobs ? sample : verifier->jobs;
    for (v->first = 0; v->first < v->chosen; v->first += BATCH) {
        uint64_t left = v->chosen - v->first;
        atomic_store(&v->first_wrong, UINT32_MAX);
        atomic_store(&v->done, 0);
        for (uint32_t i = 0; i < verifier->workers; i++) v->found[i].index = UINT32_MAX;
        wend_tasks_run(&v->options->tasks, left < BATCH ? (uint32_t)left : BATCH, verify_job, v);
        /* Those who were done last may have found somebody telling what was done before. */
        if (v->reported < v->first + atomic_load(&v->done)) tell_progress(v);
        if (atomic_load(&v->stop)) return wend_fail(error, WEND_STATUS_INTERRUPTED, "interrupted");
        for (uint32_t i = 0; i < verifier->workers; i++)
            if (v->found[i].index != UINT32_MAX && v->found[i].index == atomic_load(&v->first_wrong)) {
                if (error) *error = v->found[i].error;
                return v->found[i].status;
            }
    }
    return WEND_OK;
}

wend_status wend_db_verify(const wend_db *db, const wend_map *map, uint64_t sample,
                           const wend_build_options *options, wend_error *error) {
    if (!db || !map) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no database or map to verify");
    wend_build_options own = wend_default_build_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "build", error);
    if (status != WEND_OK) return status;
    options = &own;
    status = wend_db_check_map(&db->info, map, error);
    if (status != WEND_OK) return status;
    if (!db->form->verify) return wend_db_rebuild(db, map, options, error);
    verification v = {.options = options};
    wend_budget_init(&v.budget, &options->allocator, options->max_memory, 0);
    atomic_init(&v.first_wrong, UINT32_MAX);
    atomic_init(&v.done, 0);
    atomic_init(&v.stop, false);
    atomic_flag_clear(&v.busy);
    v.verifier = (wend_verifier){
        .db = db,
        .map = map,
        .allocator = wend_budget_allocator(&v.budget),
        .options = options,
        .workers = options->tasks.run && options->tasks.workers ? options->tasks.workers : 1,
    };
    v.found = wend_allocate(&v.verifier.allocator, v.verifier.workers, sizeof *v.found);
    if (!v.found) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for verifying");
    status = run(&v, sample, error);
    if (status == WEND_STATUS_NO_MEMORY && atomic_load(&v.budget.refused))
        wend_fail(error, WEND_STATUS_NO_MEMORY, "verifying needs more memory than the %llu bytes allowed",
                  (unsigned long long)options->max_memory);
    if (db->form->verify_release) db->form->verify_release(&v.verifier);
    wend_release(&v.verifier.allocator, v.found, v.verifier.workers, sizeof *v.found);
    return status;
}
