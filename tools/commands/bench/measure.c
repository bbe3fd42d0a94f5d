/* Runs all problems of a bench with one planner: once on record, a few times for the mean time with no clock
 * inside, then a number of times with a clock at each step. Planners are deterministic, so that step i of a
 * problem is the same work in every pass, and the least of its times is the one with the least of the
 * machine's noise in it. Where steps end by the clock (intervals in milliseconds) that does not hold: then
 * the times are those of the one pass on record. Of that pass the longest step is kept in any case: it shows what
 * steps take whose memory and code nobody has touched. On a machine that other programs use too, a long step is
 * interrupted in every pass. So times of whole problems are never more than this thread had the processor. */
#include "commands/bench/bench.h"

#include "shared/crew.h"

#include <math.h>
#include <stdatomic.h>
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

/* What the optimal cost contradicts. With edits that is the cost of the start alone. */
static bool check(const bench_task *bench, const char *planner, const bench_problem *problem,
                  const tool_run *run) {
    if (bench->terrain.edit_count) return true;
    bool reached = run->status == TOOL_RUN_ARRIVED;
    if (!(reached && (!problem->solvable || tool_run_cost(run, bench->map) < problem->optimal)) &&
        !(run->status == TOOL_RUN_UNREACHABLE && problem->solvable))
        return true;
    (void)tool_wrong("problem %zu: %s says '%s', which the optimal cost contradicts", problem->index, planner,
                     tool_run_status_name(run->status));
    return false;
}

/* `times` is NULL where there are to be none; they are kept where none come from further passes. */
static bool record(const bench_task *bench, tool_runner *runner, size_t i, const char *planner,
                   tool_text *steps, tool_times *times, tool_run *run) {
    const bench_problem *problem = &bench->problems[i];
    *run = (tool_run){.status = TOOL_RUN_REFUSED, .start = problem->start, .goal = problem->goal};
    if (problem->skipped) return true;
    return tool_run_record(runner, problem->start, problem->goal, bench->max_moves, steps, times, run) &&
           run->status != TOOL_RUN_STOPPED && check(bench, planner, problem, run);
}

static bool record_all(const bench_task *bench, tool_runner *runner, tool_progress *progress,
                       tool_times *times, bench_runs *runs) {
    size_t passes = times->kept ? 1 : PASSES;
    for (size_t i = 0; i < bench->count; i++) {
        tool_progress_update(progress, i, bench->count * passes);
        if (!record(bench, runner, i, runs->planner, &runs->steps, times, &runs->runs[i])) return false;
        runs->calls += runs->runs[i].calls;
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

static bool make_room(const bench_task *bench, bench_runs *runs) {
    runs->runs = calloc(bench->count ? bench->count : 1, sizeof *runs->runs);
    runs->times = calloc(bench->count ? bench->count : 1, sizeof *runs->times);
    if (!runs->runs || !runs->times) (void)tool_wrong("out of memory for %zu runs", bench->count);
    return runs->runs && runs->times;
}

static bool make_room_for_times(bench_runs *runs) {
    runs->step_times = calloc(runs->calls ? runs->calls : 1, sizeof *runs->step_times);
    if (!runs->step_times) (void)tool_wrong("out of memory for the times of %zu steps", runs->calls);
    return runs->step_times != NULL;
}

static bool finish(const tool_runner *runner, bool good, bench_runs *runs) {
    runs->db_bytes = tool_runner_db_bytes(runner);
    runs->build_seconds = tool_runner_build_seconds(runner);
    if (!good) tool_bench_runs_destroy(runs);
    return good;
}

bool tool_bench_measure(const bench_task *bench, tool_runner *runner, bench_runs *runs) {
    tool_progress progress = tool_progress_begin(runs->planner, bench->quiet);
    bool by_clock = bench->interval.nanoseconds > 0;
    tool_times times = {.kept = by_clock};
    bool good = make_room(bench, runs) && record_all(bench, runner, &progress, &times, runs) &&
                make_room_for_times(runs);
    if (good) {
        const tool_clocks overhead = clock_overhead();
        runs->first_pass_max = between(0, times.longest, overhead.steady);
        if (by_clock) take_times(bench, &times, overhead.steady, runs);
        for (int pass = 0; good && !by_clock && pass < PLAIN_PASSES; pass++)
            good = time_totals(bench, runner, &progress, pass, overhead, runs);
        for (int pass = 0; good && !by_clock && pass < CLOCKED_PASSES; pass++)
            good = time_steps(bench, runner, &progress, pass, overhead.steady, runs);
        gather(bench, runs);
    }
    tool_progress_update(&progress, 1, 1);
    free(times.data);
    return finish(runner, good, runs);
}

/* Counting ----------------------------------------------------------------------------------------------- */

/* Every share has a planner of its own; which share gets a problem changes nothing in what it counts. */
typedef struct counting_share {
    tool_runner *runner;
    tool_text steps;
} counting_share;

typedef struct counting {
    const bench_task *bench;
    bench_runs *runs;
    counting_share *shares;
    atomic_bool failed; /* somewhere: said on stderr, or interrupted */
    tool_progress progress;
} counting;

static void count_share(void *context, int number, int shares) {
    counting *all = context;
    counting_share *share = &all->shares[number];
    const bench_task *bench = all->bench;
    for (size_t i = (size_t)number; i < bench->count && !atomic_load(&all->failed); i += (size_t)shares) {
        if (number == 0) tool_progress_update(&all->progress, i, bench->count + 1);
        if (!record(bench, share->runner, i, all->runs->planner, &share->steps, NULL, &all->runs->runs[i]))
            atomic_store(&all->failed, true);
    }
}

/* The steps of all shares, in the order of the problems. */
static bool join_steps(const counting *all, size_t shares) {
    bench_runs *runs = all->runs;
    for (size_t i = 0; i < all->bench->count; i++) {
        tool_run *run = &runs->runs[i];
        const char *steps = tool_run_steps(run, &all->shares[i % shares].steps);
        run->first_step = runs->steps.size;
        runs->calls += run->calls;
        for (size_t step = 0; step < run->steps; step++)
            if (!tool_text_add(&runs->steps, steps[step])) return false;
    }
    return true;
}

bool tool_bench_count(const bench_task *bench, tool_runner *runner, const wend_settings *settings,
                      bench_runs *runs) {
    /* Repairs change a database, which the runners share. */
    size_t shares = bench->terrain.repair ? 1 : (size_t)bench->threads;
    if (shares > bench->count) shares = bench->count ? bench->count : 1;
    counting all = {.bench = bench,
                    .runs = runs,
                    .shares = calloc(shares, sizeof *all.shares),
                    .progress = tool_progress_begin(runs->planner, bench->quiet)};
    bool good = make_room(bench, runs) && all.shares;
    for (size_t i = 0; good && i < shares; i++) {
        all.shares[i].runner = i ? tool_runner_create(&bench->terrain, settings, &bench->interval) : runner;
        good = all.shares[i].runner != NULL;
    }
    if (good) shared_run_shares((int)shares, count_share, &all);
    tool_progress_update(&all.progress, 1, 1);
    good = good && !atomic_load(&all.failed) && join_steps(&all, shares) && make_room_for_times(runs);
    for (size_t i = 0; all.shares && i < shares; i++) {
        if (i) tool_runner_destroy(all.shares[i].runner);
        free(all.shares[i].steps.data);
    }
    free(all.shares);
    return finish(runner, good, runs);
}

void tool_bench_runs_destroy(bench_runs *runs) {
    free(runs->steps.data);
    free(runs->runs);
    free(runs->times);
    free(runs->step_times);
    free(runs->detours);
    *runs = (bench_runs){.planner = runs->planner, .settings = runs->settings};
}
