/* The optimal costs that a bench compares with: always computed, never read from the scenario. */
#include "bench.h"

#include "threads.h"

#include <stdlib.h>

enum { LEAST_A_THREAD = 32 }; /* problems that make up for a thread's own workspace */

typedef struct bench_share {
    bool failed;
    wend_error error;
} bench_share;

typedef struct bench_solving {
    bench_task *bench;
    const wend_jumps *jumps;
    tool_progress progress; /* the first share's */
    bench_share *shares;
} bench_solving;

static void solve_share(void *context, int number, int shares) {
    bench_solving *solving = context;
    bench_share *share = &solving->shares[number];
    bench_task *bench = solving->bench;
    wend_search_options options = wend_default_search_options();
    wend_search *search = NULL;
    share->failed = wend_search_create(bench->map, &options, &search, &share->error) != WEND_OK;
    for (size_t i = (size_t)number; i < bench->count && !share->failed; i += (size_t)shares) {
        bench_problem *problem = &bench->problems[i];
        if (number == 0) tool_progress_update(&solving->progress, i, bench->count + 1);
        if (!wend_map_is_open_cell(bench->map, problem->start) ||
            !wend_map_is_open_cell(bench->map, problem->goal))
            continue;
        wend_result result;
        share->failed = wend_search_jps(search, solving->jumps, problem->start, problem->goal, &result,
                                        &share->error) != WEND_OK;
        if (share->failed) break;
        problem->solvable = result.found == WEND_FOUND;
        if (!problem->solvable) continue;
        problem->optimal = result.cost;
        problem->optimal_length = wend_map_length(bench->map, result.straight, result.diagonal);
    }
    wend_search_destroy(search);
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
    bench_solving solving = {.bench = bench,
                             .jumps = jumps,
                             .progress = tool_progress_begin("optimal costs", bench->quiet),
                             .shares = calloc(threads, sizeof *solving.shares)};
    bool good = solving.shares != NULL;
    if (good)
        tool_run_shares((int)threads, solve_share, &solving);
    else
        (void)tool_wrong("out of memory");
    tool_progress_update(&solving.progress, 1, 1);
    for (size_t i = 0; good && i < threads; i++)
        if (solving.shares[i].failed) {
            (void)tool_wrong_error(&solving.shares[i].error);
            good = false;
        }
    free(solving.shares);
    wend_jumps_destroy(jumps);
    return good;
}
