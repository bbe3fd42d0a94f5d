/* Jobs of papers: many threads take them, the largest first, and each is kept as soon as it is
 * done. */
#define _POSIX_C_SOURCE 200809L

#include "commands/bench/bench.h"
#include "common/paper.h"
#include "shared/crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct paper_work {
    const tool_paper_options *options;
    tool_paper_store *store;
    const tool_paper_job *const *jobs; /* those to be done, in the order in which they are taken */
    size_t count;
    pthread_mutex_t lock; /* of what follows */
    size_t next, finished, known, all;
    double done, total; /* weights */
    tool_progress progress;
    char detail[64];
    bool failed;
} paper_work;

/* The problems of a part: what is lost, at most, when the work is stopped. */
enum { PART = 30, TIMED_PART = 5 };

/* Whether it must have the machine for itself. */
static bool stands_alone(const tool_paper_job *job) {
    return job->timed || job->interval.nanoseconds > 0;
}

/* Work of one thread weighs as much as that of all of them in the same time. */
static double weight_of(const tool_paper_options *options, const tool_paper_job *job) {
    return stands_alone(job) ? job->weight * options->threads : job->weight;
}

/* With the lock: more of the work is done. Progress counts in thousandths of all the work. */
static void note_work(paper_work *work, double weight, bool finished) {
    work->done += weight;
    work->finished += finished;
    (void)snprintf(work->detail, sizeof work->detail, "%zu/%zu jobs", work->known + work->finished,
                   work->all);
    double share = work->total > 0 ? work->done / work->total : 1;
    tool_progress_update(&work->progress, (uint64_t)(share * 999999), 1000000);
}

tool_runner *tool_paper_runner(const tool_paper_ground *ground, const char *planner,
                               const tool_interval *interval, wend_settings **settings) {
    wend_error error;
    if (wend_settings_parse(planner, NULL, settings, &error) == WEND_OK)
        return tool_runner_create(&ground->terrain, *settings, interval);
    (void)tool_wrong("%s: %s", planner, error.message);
    return NULL;
}

static uint64_t most_moves(const tool_paper_job *job) {
    return job->max_moves ? job->max_moves : UINT64_MAX;
}

/* Complains and returns false if a run did not end as it may. */
static bool keep_result(const tool_paper_job *job, size_t index, const tool_run *run) {
    if (run->status != TOOL_RUN_ARRIVED && !(job->max_moves && run->status == TOOL_RUN_UNFINISHED)) {
        (void)tool_wrong("%s on %s, problem %zu: %s", job->planner, job->ground->name,
                         tool_paper_problem(job->ground, job->first + index, job->whole),
                         tool_run_status_name(run->status));
        return false;
    }
    job->results[index] = (tool_paper_result){
        .intervals = run->steps,
        .moves = tool_run_moves(run),
        .expansions = run->expansions,
        .diagonal = run->diagonal,
        .operations = run->operations,
        .operations_max = run->operations_max,
        .revisits = run->revisits,
        .learnt = run->learnt,
        .cells = run->cells,
        .online_bytes = run->online_bytes,
        .finished = run->status == TOOL_RUN_ARRIVED,
    };
    return true;
}

static const wend_problem *problem_of(const tool_paper_job *job, size_t index) {
    return wend_scenario_at(job->ground->problems,
                            tool_paper_problem(job->ground, job->first + index, job->whole));
}

static bool run_problem(const tool_paper_job *job, tool_runner *runner, size_t index, tool_text *steps) {
    const tool_paper_ground *ground = job->ground;
    const wend_problem *problem = problem_of(job, index);
    tool_run run;
    steps->size = 0;
    return tool_run_record(runner, tool_paper_cell(ground, problem->start),
                           tool_paper_cell(ground, problem->goal), most_moves(job), steps, NULL, &run) &&
           run.status != TOOL_RUN_STOPPED && keep_result(job, index, &run);
}

/* As a bench does it, with its passes: the optimal costs, which it would compare with, stay 0. */
static bool time_problems(const tool_paper_job *job) {
    bench_problem problems[TIMED_PART] = {{.index = 0}};
    for (size_t i = 0; i < job->count; i++) {
        const wend_problem *problem = problem_of(job, i);
        problems[i] = (bench_problem){.index = tool_paper_problem(job->ground, job->first + i, job->whole),
                                      .start = tool_paper_cell(job->ground, problem->start),
                                      .goal = tool_paper_cell(job->ground, problem->goal),
                                      .solvable = true};
    }
    bench_task bench = {.map = job->ground->terrain.truth,
                        .map_name = job->ground->name,
                        .terrain = job->ground->terrain,
                        .problems = problems,
                        .count = job->count,
                        .max_moves = most_moves(job),
                        .interval = job->interval,
                        .threads = 1,
                        .quiet = true};
    bench_runs runs = {.planner = job->planner, .settings = job->planner};
    wend_settings *settings = NULL;
    tool_runner *runner = tool_paper_runner(job->ground, job->planner, &job->interval, &settings);
    bool good = runner && tool_bench_measure(&bench, runner, &runs);
    tool_runner_destroy(runner);
    wend_settings_destroy(settings);
    if (!good) return false;
    for (size_t i = 0; i < job->count && good; i++) {
        good = keep_result(job, i, &runs.runs[i]);
        job->results[i].plan_ns = runs.times[i].plan;
        job->results[i].step_ns_max = runs.times[i].plan_max;
    }
    tool_bench_runs_destroy(&runs);
    return good;
}

/* True if all of it was done. */
static bool run_job(paper_work *work, size_t at, tool_text *steps, bool *failed) {
    const tool_paper_job *job = work->jobs[at];
    wend_settings *settings = NULL;
    tool_runner *runner = NULL;
    size_t done = 0;
    if (job->timed) {
        bool good = time_problems(job);
        *failed = !good && !tool_interrupted();
        done = good ? job->count : 0;
        (void)pthread_mutex_lock(&work->lock);
        note_work(work, weight_of(work->options, job), false);
        (void)pthread_mutex_unlock(&work->lock);
    } else {
        runner = tool_paper_runner(job->ground, job->planner, &job->interval, &settings);
        *failed = runner == NULL;
    }
    for (; runner && done < job->count && !*failed && !tool_interrupted(); done++) {
        bool good = run_problem(job, runner, done, steps);
        if (!good && tool_interrupted()) break; /* its result is dropped, and with it the job */
        *failed = !good;
        (void)pthread_mutex_lock(&work->lock);
        note_work(work, weight_of(work->options, job) / (double)job->count, false);
        *failed = *failed || work->failed;
        (void)pthread_mutex_unlock(&work->lock);
    }
    tool_runner_destroy(runner);
    wend_settings_destroy(settings);
    if (*failed || done < job->count) return false;
    *failed = !tool_paper_store_add(work->store, job);
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
        bool failed, whole = run_job(work, at, &steps, &failed);
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
    const tool_paper_job *left = *(const tool_paper_job *const *)a,
                         *right = *(const tool_paper_job *const *)b;
    if (stands_alone(left) != stands_alone(right)) return stands_alone(left) - stands_alone(right);
    if (left->weight != right->weight) return left->weight < right->weight ? 1 : -1;
    return (left > right) - (left < right);
}

static int do_jobs(paper_work *work) {
    size_t split = 0, all = work->count;
    while (split < all && !stands_alone(work->jobs[split])) split++;
    work->count = split;
    shared_run_shares(work->options->threads, run_share, work);
    work->count = all;
    work->next = split;
    if (!work->failed) shared_run_shares(1, run_share, work);
    tool_progress_update(&work->progress, 1, 1);
    if (work->failed) return TOOL_WRONG;
    if (work->finished == all) return TOOL_DONE;
    if (work->options->quiet) return TOOL_STOPPED;
    tool_remark("stopped: %zu of %zu jobs are kept in %s: go on with --resume", work->known + work->finished,
                work->all, tool_paper_store_path(work->store));
    return TOOL_STOPPED;
}

static size_t part_size(const tool_paper_job *job) {
    return job->timed ? TIMED_PART : PART;
}

static size_t parts_of(const tool_paper_job *job) {
    size_t size = part_size(job);
    return job->count > size ? (job->count + size - 1) / size : 1;
}

static tool_paper_job part_of(const tool_paper_job *job, size_t number) {
    tool_paper_job part = *job;
    size_t size = part_size(job);
    part.whole = job->count;
    part.first = number * size;
    part.results = job->results + part.first;
    part.count = job->count - part.first < size ? job->count - part.first : size;
    part.weight = job->count ? job->weight * (double)part.count / (double)job->count : job->weight;
    if (parts_of(job) > 1) {
        size_t end = strlen(part.name);
        (void)snprintf(part.name + end, sizeof part.name - end, "/%zu", part.first);
    }
    return part;
}

static int run_parts(paper_work *work, const tool_paper_job *parts, const tool_paper_job **order) {
    for (size_t i = 0; i < work->all; i++) {
        double weight = weight_of(work->options, &parts[i]);
        work->total += weight;
        if (tool_paper_store_get(work->store, &parts[i])) {
            work->done += weight;
            work->known++;
        } else {
            order[work->count++] = &parts[i];
        }
    }
    qsort(order, work->count, sizeof *order, by_order);
    work->progress.before = work->total > 0 ? (uint64_t)(work->done / work->total * 999999) : 0;
    work->progress.detail = work->detail;
    return do_jobs(work);
}

int tool_paper_run_jobs(const tool_paper_options *options, const char *what, tool_paper_store *store,
                        const tool_paper_job *jobs, size_t count) {
    size_t all = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        wend_settings *settings = NULL;
        wend_error error;
        if (wend_settings_parse(jobs[i].planner, NULL, &settings, &error) != WEND_OK)
            return tool_wrong("%s: %s", jobs[i].planner, error.message);
        wend_settings_destroy(settings);
        all += parts_of(&jobs[i]);
    }
    tool_paper_job *parts = calloc(all ? all : 1, sizeof *parts);
    const tool_paper_job **order = calloc(all ? all : 1, sizeof *order);
    paper_work work = {.options = options, .store = store, .jobs = order, .all = all};
    int result;
    if (!parts || !order || pthread_mutex_init(&work.lock, NULL) != 0) {
        result = tool_wrong("out of memory for %zu jobs", all);
    } else {
        for (size_t i = 0; i < count; i++)
            for (size_t part = 0; part < parts_of(&jobs[i]); part++) parts[used++] = part_of(&jobs[i], part);
        work.progress = tool_progress_begin(what, options->quiet);
        result = run_parts(&work, parts, order);
        (void)pthread_mutex_destroy(&work.lock);
    }
    free(parts);
    free(order);
    return result;
}
