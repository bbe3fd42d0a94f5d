/* Runs all problems of a bench with one planner: once on record, a few times for the mean time with no clock
 * inside, then a number of times with a clock at each step. Planners are deterministic, so that step i of a
 * problem is the same work in every pass, and the least of its times is the one with the least of the
 * machine's noise in it. Where steps end by the clock (intervals in milliseconds) that does not hold: then
 * the times are those of the one pass on record. On a machine that other programs use too, a long step is
 * interrupted in every pass. So times of whole problems are never more than this thread had the processor. */
#include "commands/bench/bench.h"

#include <math.h>
#include <stdlib.h>

enum { PLAIN_PASSES = 3, CLOCKED_PASSES = 5, PASSES = 1 + PLAIN_PASSES + CLOCKED_PASSES };

#define LONG_TIME ((uint64_t)1 << 31)

uint32_t tool_bench_pack_time(uint64_t nanoseconds) {
    if (nanoseconds < LONG_TIME) return (uint32_t)nanoseconds;
    uint64_t units = nanoseconds >> 10;
    return (uint32_t)(LONG_TIME | (units < LONG_TIME ? units : LONG_TIME - 1));
}

uint64_t tool_bench_nanoseconds(uint32_t packed) {
    return packed < LONG_TIME ? packed : (packed & (LONG_TIME - 1)) << 10;
}

double tool_bench_so_far(const bench_task *bench, const bench_problem *problem, const tool_run *run) {
    if (!problem->solvable || (run->status != TOOL_RUN_ARRIVED && run->status != TOOL_RUN_UNFINISHED &&
                               run->status != TOOL_RUN_OUT_OF_MEMORY))
        return NAN;
    if (tool_run_cost(run, bench->map) == problem->optimal || problem->optimal == 0) return 0;
    return (tool_run_length(run, bench->map) / problem->optimal_length - 1) * 100;
}

double tool_bench_suboptimality(const bench_task *bench, const bench_problem *problem, const tool_run *run) {
    return run->status == TOOL_RUN_OUT_OF_MEMORY ? NAN : tool_bench_so_far(bench, problem, run);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* What two readings of the clocks take with nothing between them: taken off every time. */
static tool_clocks clock_overhead(void) {
    tool_clocks least = {UINT64_MAX, UINT64_MAX};
    for (int i = 0; i < 1000; i++) {
        const tool_clocks before = tool_clocks_begin(), after = tool_clocks_end();
        least.steady = smaller(least.steady, after.steady - before.steady);
        least.processor = smaller(least.processor, after.processor - before.processor);
    }
    return least;
}

static uint64_t between(uint64_t before, uint64_t after, uint64_t overhead) {
    uint64_t time = after - before;
    return time > overhead ? time - overhead : 0;
}

/* `times` is NULL where times come from further passes. */
static bool record(const bench_task *bench, tool_runner *runner, tool_progress *progress, tool_times *times,
                   bench_runs *runs) {
    size_t passes = times ? 1 : PASSES;
    for (size_t i = 0; i < bench->count; i++) {
        const bench_problem *problem = &bench->problems[i];
        tool_run *run = &runs->runs[i];
        tool_progress_update(progress, i, bench->count * passes);
        *run = (tool_run){.status = TOOL_RUN_REFUSED, .start = problem->start, .goal = problem->goal};
        if (problem->skipped) continue;
        if (!tool_run_record(runner, problem->start, problem->goal, bench->max_moves, &runs->steps, times,
                             run) ||
            run->status == TOOL_RUN_STOPPED)
            return false;
        runs->calls += run->calls;
        if (bench->terrain.edit_count) continue; /* the optimal cost is that of the start */
        bool reached = run->status == TOOL_RUN_ARRIVED;
        if ((reached && (!problem->solvable || tool_run_cost(run, bench->map) < problem->optimal)) ||
            (run->status == TOOL_RUN_UNREACHABLE && problem->solvable)) {
            (void)tool_wrong("problem %zu: %s says '%s', which the optimal cost contradicts", problem->index,
                             runs->planner, tool_run_status_name(run->status));
            return false;
        }
    }
    return true;
}

/* Changes of the map are not the planner's work. Returns false after a complaint. */
static bool make_changes(tool_runner *runner, uint64_t overhead, uint64_t *spent) {
    uint64_t before = tool_nanoseconds();
    bool good = tool_runner_tick(runner);
    *spent += tool_nanoseconds() - before + overhead;
    return good;
}

/* Asked now and then only, between steps that are timed. */
static bool is_stopped(size_t call) {
    enum { CALLS = 256 };
    return call % CALLS == 0 && tool_interrupted();
}

static void add_time(tool_clocks *sum, tool_clocks before, tool_clocks after, tool_clocks overhead) {
    sum->steady += between(before.steady, after.steady, overhead.steady);
    sum->processor += between(before.processor, after.processor, overhead.processor);
}

/* The steady clock is the finer one. Other programs' turns on the processor count in it, so that the time is no
 * more than what this thread took of the processor. */
static bool time_totals(const bench_task *bench, tool_runner *runner, tool_progress *progress, int pass,
                        tool_clocks overhead, bench_runs *runs) {
    for (size_t i = 0; i < bench->count; i++) {
        const tool_run *run = &runs->runs[i];
        tool_progress_update(progress, bench->count * (size_t)(pass + 1) + i, bench->count * PASSES);
        if (!run->calls) continue;
        if (!tool_runner_reset(runner)) return false;
        wend_step step;
        tool_clocks sum = {0, 0}, before = tool_clocks_begin();
        (void)tool_runner_start(runner, run->start, run->goal); /* as it did in the pass on record */
        for (size_t call = 0; call < run->calls; call++) {
            if (is_stopped(call)) return false;
            if (tool_runner_due(runner)) { /* changes of the map are not the planner's work */
                add_time(&sum, before, tool_clocks_end(), overhead);
                if (!tool_runner_tick(runner)) return false;
                before = tool_clocks_begin();
            }
            tool_runner_step(runner, &step);
        }
        add_time(&sum, before, tool_clocks_end(), overhead);
        uint64_t time = smaller(sum.steady, sum.processor);
        if (pass == 0 || time < runs->times[i].plan) runs->times[i].plan = time;
    }
    return true;
}

/* The least time of each step so far goes to runs->step_times. */
static bool time_steps(const bench_task *bench, tool_runner *runner, tool_progress *progress, int pass,
                       uint64_t overhead, bench_runs *runs) {
    uint32_t *least = runs->step_times;
    for (size_t i = 0; i < bench->count; i++) {
        const tool_run *run = &runs->runs[i];
        tool_progress_update(progress, bench->count * (size_t)(pass + 1 + PLAIN_PASSES) + i,
                             bench->count * PASSES);
        if (!run->calls) continue;
        if (!tool_runner_reset(runner)) return false;
        wend_step step;
        uint64_t before = tool_nanoseconds();
        (void)tool_runner_start(runner, run->start, run->goal);
        for (size_t call = 0; call < run->calls; call++) {
            uint64_t spent = overhead;
            if (is_stopped(call)) return false;
            if (tool_runner_due(runner) && !make_changes(runner, overhead, &spent)) return false;
            tool_runner_step(runner, &step);
            uint64_t now = tool_nanoseconds();
            uint32_t time = tool_bench_pack_time(between(before, now, spent));
            if (pass == 0 || time < least[call]) least[call] = time;
            before = now;
        }
        least += run->calls;
    }
    return true;
}

/* The times of the pass on record. */
static void take_times(const bench_task *bench, const tool_times *times, uint64_t overhead,
                       bench_runs *runs) {
    size_t next = 0;
    for (size_t i = 0; i < bench->count; i++)
        for (size_t call = 0; call < runs->runs[i].calls; call++, next++) {
            uint64_t time = between(0, times->data[next], overhead);
            runs->step_times[next] = tool_bench_pack_time(time);
            runs->times[i].plan += time;
        }
}

static void gather(const bench_task *bench, bench_runs *runs) {
    uint32_t *step_times = runs->step_times;
    for (size_t i = 0; i < bench->count; i++) {
        const tool_run *run = &runs->runs[i];
        bench_times *times = &runs->times[i];
        bool moved = false;
        for (size_t call = 0; call < run->calls; call++) {
            uint64_t time = tool_bench_nanoseconds(step_times[call]);
            /* No step took longer than the whole, which was timed in other passes. */
            if (time > times->plan) {
                time = times->plan;
                step_times[call] = tool_bench_pack_time(time);
            }
            if (time > times->plan_max) times->plan_max = time;
            if (!moved) times->first_move += time;
            if (call < run->steps && runs->steps.data[run->first_step + call] != 'w') moved = true;
        }
        if (times->first_move > times->plan) times->first_move = times->plan;
        step_times += run->calls;
    }
}

bool tool_bench_measure(const bench_task *bench, const char *planner, tool_runner *runner, bench_runs *runs) {
    *runs = (bench_runs){.planner = planner};
    tool_progress progress = tool_progress_begin(planner, bench->quiet);
    runs->runs = calloc(bench->count ? bench->count : 1, sizeof *runs->runs);
    runs->times = calloc(bench->count ? bench->count : 1, sizeof *runs->times);
    bool good = runs->runs && runs->times;
    if (!good) (void)tool_wrong("out of memory for %zu runs", bench->count);
    bool by_clock = bench->interval.nanoseconds > 0;
    tool_times times = {.data = NULL};
    good = good && record(bench, runner, &progress, by_clock ? &times : NULL, runs);
    if (good) {
        runs->step_times = calloc(runs->calls ? runs->calls : 1, sizeof *runs->step_times);
        good = runs->step_times != NULL;
        if (!good) (void)tool_wrong("out of memory for the times of %zu steps", runs->calls);
    }
    if (good) {
        const tool_clocks overhead = clock_overhead();
        if (by_clock) take_times(bench, &times, overhead.steady, runs);
        for (int pass = 0; good && !by_clock && pass < PLAIN_PASSES; pass++)
            good = time_totals(bench, runner, &progress, pass, overhead, runs);
        for (int pass = 0; good && !by_clock && pass < CLOCKED_PASSES; pass++)
            good = time_steps(bench, runner, &progress, pass, overhead.steady, runs);
        gather(bench, runs);
        runs->db_bytes = tool_runner_db_bytes(runner);
        runs->build_seconds = tool_runner_build_seconds(runner);
    }
    tool_progress_update(&progress, 1, 1);
    free(times.data);
    if (!good) tool_bench_runs_destroy(runs);
    return good;
}

void tool_bench_runs_destroy(bench_runs *runs) {
    free(runs->steps.data);
    free(runs->runs);
    free(runs->times);
    free(runs->step_times);
    free(runs->detours);
    *runs = (bench_runs){.planner = NULL};
}
