/* The optimal costs that a bench compares with: always computed, never read from the scenario. */
#include "commands/bench/bench.h"

#include "shared/crew.h"

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
    const wend_map *map = bench->terrain.truth;
    share->failed = wend_search_create(map, &options, &search, &share->error) != WEND_OK;
    for (size_t i = (size_t)number; i < bench->count && !share->failed && !tool_interrupted();
         i += (size_t)shares) {
        bench_problem *problem = &bench->problems[i];
        if (number == 0) tool_progress_update(&solving->progress, i, bench->count + 1);
        if (!wend_map_is_open_cell(map, problem->start) || !wend_map_is_open_cell(map, problem->goal))
            continue;
        wend_result result;
        share->failed = wend_search_jps(search, solving->jumps, problem->start, problem->goal, &result,
                                        &share->error) != WEND_OK;
        if (share->failed) break;
        problem->solvable = result.found == WEND_FOUND_PATH;
        if (!problem->solvable) continue;
        problem->optimal = result.cost;
        problem->optimal_length = wend_map_length(map, result.straight, result.diagonal);
    }
    wend_search_destroy(search);
}

/* What can't be solved, but could before cells were blocked, says nothing about planners. Nor does what
 * begins or ends in one of them, even if edits cut it off as well. */
static bool choose_skipped(bench_task *bench) {
    if (bench->terrain.knowledge.kind != TOOL_PARTIAL) return true;
    const tool_edits none = {.list = NULL};
    wend_map *before = tool_edits_begin(bench->edits ? bench->edits : &none, bench->map);
    wend_components *components = NULL;
    wend_error error;
    bool good = before != NULL;
    if (good && wend_components_create(before, NULL, &components, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        good = false;
    }
    for (size_t i = 0; good && i < bench->count; i++) {
        bench_problem *problem = &bench->problems[i];
        bool could =
            wend_map_is_open_cell(before, problem->start) && wend_map_is_open_cell(before, problem->goal);
        bool blocked = !wend_map_is_open_cell(bench->terrain.truth, problem->start) ||
                       !wend_map_is_open_cell(bench->terrain.truth, problem->goal);
        problem->skipped = !problem->solvable && could &&
                           (blocked || wend_components_joined(components, problem->start, problem->goal));
    }
    wend_components_destroy(components);
    wend_map_destroy(before);
    return good;
}

bool tool_bench_solve(bench_task *bench) {
    wend_error error;
    wend_jumps *jumps = NULL;
    if (wend_jumps_create(bench->terrain.truth, NULL, &jumps, &error) != WEND_OK) {
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
        shared_run_shares((int)threads, solve_share, &solving);
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
    return good && !tool_interrupted() && choose_skipped(bench);
}
