/* Units of work for papers: many threads take them, the largest first, and each is kept as soon as it is
 * done. */
#define _POSIX_C_SOURCE 200809L

#include "paper.h"
#include "threads.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct paper_work {
    const tool_paper_options *options;
    tool_paper_store *store;
    const tool_paper_unit *const *units; /* those to be done, in the order in which they are taken */
    const wend_settings *settings;       /* of each */
    size_t count;
    pthread_mutex_t lock; /* of what follows */
    size_t next, finished, known, all;
    double done, total; /* weights */
    tool_progress progress;
    char detail[64];
    bool failed;
} paper_work;

static bool by_clock(const tool_paper_unit *unit) {
    return unit->interval.nanoseconds > 0;
}

/* Work of one thread weighs as much as that of all of them in the same time. */
static double weight_of(const tool_paper_options *options, const tool_paper_unit *unit) {
    return by_clock(unit) ? unit->weight * options->threads : unit->weight;
}

/* With the lock: more of the work is done. Progress counts in thousandths of all the work. */
static void note_work(paper_work *work, double weight, bool finished) {
    work->done += weight;
    work->finished += finished;
    (void)snprintf(work->detail, sizeof work->detail, "%zu/%zu units", work->known + work->finished,
                   work->all);
    double share = work->total > 0 ? work->done / work->total : 1;
    tool_progress_update(&work->progress, (uint64_t)(share * 999999), 1000000);
}

static bool run_problem(const tool_paper_unit *unit, tool_runner *runner, size_t index, tool_text *steps) {
    const tool_paper_ground *ground = unit->ground;
    size_t all = wend_scenario_count(ground->problems);
    /* The middle of each of `count` equal parts. */
    size_t chosen = (size_t)((2 * (uint64_t)index + 1) * all / (2 * (uint64_t)unit->count));
    const wend_problem *problem = wend_scenario_at(ground->problems, chosen);
    tool_run run;
    steps->size = 0;
    if (!tool_run_record(runner, tool_paper_cell(ground, problem->start),
                         tool_paper_cell(ground, problem->goal), UINT64_MAX, steps, NULL, &run))
        return false;
    if (run.status != TOOL_RUN_ARRIVED) {
        (void)tool_wrong("%s on %s, problem %zu: %s", unit->planner, ground->name, chosen,
                         tool_run_status_name(run.status));
        return false;
    }
    unit->results[index] = (tool_paper_result){
        .intervals = run.steps, .moves = tool_run_moves(&run), .expansions = run.expansions};
    return true;
}

/* True if all of it was done. */
static bool run_unit(paper_work *work, size_t at, tool_text *steps, bool *failed) {
    const tool_paper_unit *unit = work->units[at];
    tool_runner *runner = tool_runner_create(&unit->ground->terrain, &work->settings[at], &unit->interval);
    *failed = runner == NULL;
    size_t done = 0;
    for (; done < unit->count && !*failed && !tool_interrupted(); done++) {
        *failed = !run_problem(unit, runner, done, steps);
        (void)pthread_mutex_lock(&work->lock);
        note_work(work, weight_of(work->options, unit) / (double)unit->count, false);
        *failed = *failed || work->failed;
        (void)pthread_mutex_unlock(&work->lock);
    }
    tool_runner_destroy(runner);
    if (*failed || done < unit->count) return false;
    *failed = !tool_paper_store_add(work->store, unit);
    return !*failed;
}

static void run_share(void *context, int share, int shares) {
    (void)share, (void)shares;
    paper_work *work = context;
    tool_text steps = {.data = NULL};
    for (bool going = true; going && !tool_interrupted();) {
        (void)pthread_mutex_lock(&work->lock);
        going = work->next < work->count && !work->failed;
        size_t at = work->next;
        if (going) work->next++;
        (void)pthread_mutex_unlock(&work->lock);
        if (!going) break;
        bool failed, whole = run_unit(work, at, &steps, &failed);
        (void)pthread_mutex_lock(&work->lock);
        if (failed) work->failed = true;
        if (whole) note_work(work, 0, true);
        (void)pthread_mutex_unlock(&work->lock);
    }
    free(steps.data);
}

/* What is split comes first, the heaviest before the others, so that no thread is left with one at the end;
 * then what has the machine for itself. */
static int by_order(const void *a, const void *b) {
    const tool_paper_unit *left = *(const tool_paper_unit *const *)a,
                          *right = *(const tool_paper_unit *const *)b;
    if (by_clock(left) != by_clock(right)) return by_clock(left) - by_clock(right);
    if (left->weight != right->weight) return left->weight < right->weight ? 1 : -1;
    return (left > right) - (left < right);
}

static int do_units(paper_work *work) {
    size_t split = 0, all = work->count;
    while (split < all && !by_clock(work->units[split])) split++;
    work->count = split;
    tool_run_shares(work->options->threads, run_share, work);
    work->count = all;
    work->next = split;
    if (!work->failed) tool_run_shares(1, run_share, work);
    tool_progress_update(&work->progress, 1, 1);
    if (work->failed) return TOOL_WRONG;
    if (work->finished == all) return TOOL_DONE;
    if (work->options->quiet) return TOOL_STOPPED;
    tool_remark("stopped: %zu of %zu units are kept in %s: go on with --resume", work->known + work->finished,
                work->all, tool_paper_store_path(work->store));
    return TOOL_STOPPED;
}

int tool_paper_run_units(const tool_paper_options *options, const char *what, tool_paper_store *store,
                         const tool_paper_unit *units, size_t count) {
    const tool_paper_unit **order = calloc(count ? count : 1, sizeof *order);
    wend_settings *settings = calloc(count ? count : 1, sizeof *settings);
    paper_work work = {.options = options,
                       .store = store,
                       .units = order,
                       .settings = settings,
                       .all = count,
                       .progress = tool_progress_begin(what, options->quiet)};
    int result = TOOL_DONE;
    if (!order || !settings || pthread_mutex_init(&work.lock, NULL) != 0) {
        free(order);
        free(settings);
        return tool_wrong("out of memory for %zu units of work", count);
    }
    for (size_t i = 0; i < count; i++) {
        double weight = weight_of(options, &units[i]);
        work.total += weight;
        if (tool_paper_store_has(store, &units[i])) {
            tool_paper_store_get(store, &units[i]);
            work.done += weight;
            work.known++;
        } else {
            order[work.count++] = &units[i];
        }
    }
    qsort(order, work.count, sizeof *order, by_order);
    for (size_t i = 0; i < work.count && result == TOOL_DONE; i++) {
        wend_error error;
        if (wend_settings_parse(order[i]->planner, &settings[i], &error) != WEND_OK)
            result = tool_wrong("%s: %s", order[i]->planner, error.message);
    }
    work.progress.before = work.total > 0 ? (uint64_t)(work.done / work.total * 999999) : 0;
    work.progress.detail = work.detail;
    if (result == TOOL_DONE) result = do_units(&work);
    (void)pthread_mutex_destroy(&work.lock);
    free(order);
    free(settings);
    return result;
}
