/* The optimal costs that a bench compares with: always computed, never read from the scenario. */
#include "bench.h"

#include <pthread.h>
#include <stdlib.h>

enum { LEAST_A_THREAD = 32 }; /* problems that make up for a thread's own workspace */

typedef struct bench_share {
    bench_task *bench;
    const wend_jumps *jumps;
    size_t first, step; /* takes problems first, first + step, ... */
    bool failed;
    wend_error error;
    tool_progress *progress; /* of the first share only */
} bench_share;

static void *solve_share(void *context) {
    bench_share *share = context;
    bench_task *bench = share->bench;
    wend_search_options options = wend_default_search_options();
    wend_search *search = NULL;
    share->failed = wend_search_create(bench->map, &options, &search, &share->error) != WEND_OK;
    for (size_t i = share->first; i < bench->count && !share->failed; i += share->step) {
        bench_problem *problem = &bench->problems[i];
        if (share->progress) tool_progress_update(share->progress, i, bench->count + 1);
        if (!wend_map_is_open_cell(bench->map, problem->start) ||
            !wend_map_is_open_cell(bench->map, problem->goal))
            continue;
        wend_result result;
        share->failed = wend_search_jps(search, share->jumps, problem->start, problem->goal, &result,
                                        &share->error) != WEND_OK;
        if (share->failed) break;
        problem->solvable = result.found == WEND_FOUND;
        if (!problem->solvable) continue;
        problem->optimal = result.cost;
        problem->optimal_length = wend_map_length(bench->map, result.straight, result.diagonal);
    }
    wend_search_destroy(search);
    return NULL;
}

bool tool_bench_solve(bench_task *bench) {
    wend_error error;
    wend_jumps *jumps = NULL;
    if (wend_jumps_create(bench->map, NULL, &jumps, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    size_t useful = bench->count / LEAST_A_THREAD + 1, threads = (size_t)bench->threads;
    if (threads > useful) threads = useful;
    bench_share *shares = calloc(threads, sizeof *shares);
    pthread_t *ids = calloc(threads, sizeof *ids);
    bool *started = calloc(threads, sizeof *started), good = shares && ids && started;
    if (!good) (void)tool_wrong("out of memory");
    tool_progress progress = tool_progress_begin("optimal costs", bench->quiet);
    for (size_t i = 0; good && i < threads; i++) {
        shares[i] = (bench_share){.bench = bench, .jumps = jumps, .first = i, .step = threads};
        if (i == 0)
            shares[i].progress = &progress;
        else
            started[i] = pthread_create(&ids[i], NULL, solve_share, &shares[i]) == 0;
    }
    for (size_t i = 0; good && i < threads; i++) { /* the first, and those for which there was no thread */
        if (started[i])
            (void)pthread_join(ids[i], NULL);
        else
            (void)solve_share(&shares[i]);
    }
    tool_progress_update(&progress, 1, 1);
    for (size_t i = 0; good && i < threads; i++)
        if (shares[i].failed) {
            (void)tool_wrong_error(&shares[i].error);
            good = false;
        }
    free(started);
    free(ids);
    free(shares);
    wend_jumps_destroy(jumps);
    return good;
}
