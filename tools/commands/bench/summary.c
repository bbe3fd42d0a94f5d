/* Figures over all problems, from records of the runs or of lines of results. */
#include "commands/bench/bench.h"
#include "shared/bootstrap.h"
#include "shared/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest value that at least `share` of the sorted ones do not exceed: the nearest rank. */
static size_t rank_of(size_t count, double share) {
    size_t rank = (size_t)ceil(share * (double)count - 1e-9);
    return rank ? rank - 1 : 0;
}

static double mean_of(double sum, size_t count) {
    return count ? sum / (double)count : NAN;
}

static void summarise_suboptimality(double *over, size_t count, bench_summary *summary) {
    double sum = 0;
    qsort(over, count, sizeof *over, shared_by_double);
    for (size_t i = 0; i < count; i++) sum += over[i];
    summary->suboptimality_mean = mean_of(sum, count);
    summary->suboptimality_median = count ? (over[(count - 1) / 2] + over[count / 2]) / 2 : NAN;
    summary->suboptimality_p95 = count ? over[rank_of(count, 0.95)] : NAN;
    summary->suboptimality_max = count ? over[count - 1] : NAN;
}

/* The interval is that of a bootstrap: nothing is assumed of how the values lie. */
static bool spread_of(const double *values, size_t count, uint64_t seed, bench_spread *spread) {
    const shared_sample sample = {.x = values, .maps = 1, .each = count, .seed = seed};
    *spread = (bench_spread){NAN, NAN, NAN};
    if (count < 2) return true;
    const shared_estimate mean = shared_bootstrap(&sample, SHARED_MEAN_OF);
    if (isnan(mean.value)) {
        (void)tool_wrong("out of memory for an interval");
        return false;
    }
    double squares = 0;
    for (size_t i = 0; i < count; i++) squares += (values[i] - mean.value) * (values[i] - mean.value);
    *spread = (bench_spread){sqrt(squares / (double)(count - 1)), mean.low, mean.high};
    return true;
}

/* Sums over the runs that have a suboptimality, the arrived and the unfinished; of bounds; of detours of all that
 * walked, arrived or not. */
typedef struct bench_sums {
    size_t count, moved, bounded, detoured; /* moved: those of at least one move */
    double moves, intervals, expansions, revisits, plan, first, online, waits, bound, detour;
} bench_sums;

/* Whether the planner was called at all. */
static bool was_called(const bench_record *record) {
    return record->intervals || record->status == TOOL_RUN_UNREACHABLE ||
           record->status == TOOL_RUN_OUT_OF_MEMORY || record->status == TOOL_RUN_BAD_DATABASE;
}

/* What every run says. */
static void add_any(const bench_record *record, bench_summary *summary, bench_sums *sums) {
    summary->statuses[record->status]++;
    if (record->operations_max > summary->operations_max) summary->operations_max = record->operations_max;
    if (record->online_bytes > summary->online_bytes_max)
        summary->online_bytes_max = (size_t)record->online_bytes;
    if (was_called(record)) summary->move_ns_max = fmax(summary->move_ns_max, (double)record->plan_max);
    if (!isnan(record->so_far)) sums->bound += fmax(record->so_far, 0), sums->bounded++;
    if (isnan(record->detour) || !record->moves) return;
    summary->detour_max = fmax(summary->detour_max, record->detour);
    sums->detour += record->detour, sums->detoured++;
}

static void add_finished(const bench_record *record, bench_sums *sums) {
    sums->count++, sums->moved += record->moves > 0;
    sums->moves += (double)record->moves, sums->intervals += (double)record->intervals;
    sums->expansions += (double)record->expansions, sums->revisits += (double)record->revisits;
    sums->plan += (double)record->plan, sums->online += (double)record->online_bytes;
    sums->waits += (double)record->waits;
    if (record->moves) sums->first += (double)record->first_move;
}

static void take_means(const bench_sums *sums, bool timed, bench_summary *summary) {
    summary->moves_mean = mean_of(sums->moves, sums->count);
    summary->intervals_mean = mean_of(sums->intervals, sums->count);
    summary->expansions_mean = mean_of(sums->expansions, sums->count);
    summary->revisits_mean = mean_of(sums->revisits, sums->count);
    summary->online_bytes_mean = mean_of(sums->online, sums->count);
    summary->waits_mean = mean_of(sums->waits, sums->count);
    summary->suboptimality_bound_mean = mean_of(sums->bound, sums->bounded);
    summary->detour_mean = mean_of(sums->detour, sums->detoured);
    summary->first_move_ns_mean = timed ? mean_of(sums->first, sums->moved) : NAN;
    if (!timed) summary->move_ns_max = NAN;
    summary->busy = timed && sums->plan > sums->intervals * summary->move_ns_max;
    summary->move_ns_mean = timed && sums->moved && !summary->busy ? sums->plan / sums->moves : NAN;
}

bool tool_bench_sum_up(const bench_record *records, size_t count, size_t skipped, bool timed, uint64_t seed,
                       bench_summary *summary) {
    *summary = (bench_summary){.problems = count + skipped,
                               .skipped = skipped,
                               .move_ns_p999 = NAN,
                               .first_pass_ns_max = NAN,
                               .move_ns_max = NAN,
                               .detour_max = NAN};
    double *over = malloc(2 * (count ? count : 1) * sizeof *over);
    if (!over) {
        (void)tool_wrong("out of memory for a summary");
        return false;
    }
    double *expansions = over + count;
    bench_sums sums = {.count = 0};
    size_t arrived = 0;
    for (size_t i = 0; i < count; i++) {
        const bench_record *record = &records[i];
        add_any(record, summary, &sums);
        if (isnan(record->suboptimality)) continue;
        if (record->status == TOOL_RUN_ARRIVED) over[arrived++] = record->suboptimality;
        expansions[sums.count] = (double)record->expansions;
        add_finished(record, &sums);
    }
    summarise_suboptimality(over, arrived, summary);
    take_means(&sums, timed, summary);
    const bool good = spread_of(over, arrived, seed, &summary->suboptimality) &&
                      spread_of(expansions, sums.count, seed, &summary->expansions);
    free(over);
    return good;
}

/* Of all steps: with `first_pass_ns_max`, the figures that lines of results do not give. */
static double p999_of(const bench_runs *runs, uint32_t *times) {
    size_t count = runs->calls;
    if (!count) return NAN;
    memcpy(times, runs->step_times, count * sizeof *times);
    qsort(times, count, sizeof *times, shared_by_uint32);
    return (double)tool_bench_nanoseconds(times[rank_of(count, 0.999)]);
}

static bench_record record_of(const bench_task *bench, const bench_runs *runs, size_t i) {
    const bench_problem *problem = &bench->problems[i];
    const tool_run *run = &runs->runs[i];
    const bench_times *times = &runs->times[i];
    return (bench_record){.status = run->status,
                          .suboptimality = tool_bench_suboptimality(bench, problem, run),
                          .so_far = tool_bench_so_far(bench, problem, run),
                          .detour = runs->detours ? runs->detours[i] : NAN,
                          .moves = tool_run_moves(run),
                          .intervals = run->steps,
                          .waits = run->waits,
                          .expansions = run->expansions,
                          .revisits = run->revisits,
                          .operations_max = run->operations_max,
                          .online_bytes = run->online_bytes,
                          .plan = times->plan,
                          .plan_max = times->plan_max,
                          .first_move = times->first_move};
}

bool tool_bench_summarise(const bench_task *bench, const bench_runs *runs, bench_summary *summary) {
    bench_record *records = malloc((bench->count ? bench->count : 1) * sizeof *records);
    uint32_t *times = malloc((runs->calls ? runs->calls : 1) * sizeof *times);
    size_t count = 0;
    bool good = records && times;
    if (!good) (void)tool_wrong("out of memory for a summary");
    for (size_t i = 0; good && i < bench->count; i++)
        if (!bench->problems[i].skipped) records[count++] = record_of(bench, runs, i);
    good =
        good && tool_bench_sum_up(records, count, bench->count - count, bench->timed, bench->seed, summary);
    if (good && bench->timed) summary->move_ns_p999 = p999_of(runs, times);
    if (good && bench->timed && runs->calls) summary->first_pass_ns_max = (double)runs->first_pass_max;
    free(times);
    free(records);
    return good;
}
