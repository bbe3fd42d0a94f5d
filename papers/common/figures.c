/* Figures over the problems of a paper's jobs. */
#include "common/paper.h"
#include "shared/order.h"

#include <math.h>
#include <stdlib.h>

static const wend_problem *problem_of(const tool_paper_job *job, size_t index) {
    return wend_scenario_at(job->ground->problems, tool_paper_problem(job->ground, index, job->count));
}

double tool_paper_length(const tool_paper_job *job, size_t index) {
    const tool_paper_result *result = &job->results[index];
    return wend_map_length(job->ground->terrain.truth, result->moves - result->diagonal, result->diagonal);
}

double tool_paper_suboptimality(const tool_paper_job *job, size_t index) {
    double optimal = problem_of(job, index)->length;
    if (optimal <= 0) return 0;
    double over = tool_paper_length(job, index) / optimal - 1;
    if (!job->results[index].finished && over < 0) return 0; /* it has not been better yet */
    /* Ways of one cost may have other counts of moves, whose lengths differ by what a double rounds. */
    return fabs(over) < 1e-9 ? 0 : over * 100;
}

double tool_paper_expansions(const tool_paper_job *job, size_t index) {
    const tool_paper_result *result = &job->results[index];
    return result->moves ? (double)result->expansions / (double)result->moves : 0;
}

/* The median, and the smallest value that at least 95 per cent do not exceed, as `wend bench` has them. */
static void take_ranks(double *over, size_t count, tool_paper_summary *summary) {
    qsort(over, count, sizeof *over, shared_by_double);
    size_t rank = (size_t)ceil(0.95 * (double)count - 1e-9);
    summary->median = (over[(count - 1) / 2] + over[count / 2]) / 2;
    summary->p95 = over[rank ? rank - 1 : 0];
    summary->worst = over[count - 1];
}

/* `over` and `expanded` have room for all problems. */
static void gather(const tool_paper_job *jobs, size_t count, double *over, double *expanded,
                   tool_paper_summary *summary) {
    double moves = 0, revisits = 0, operations = 0, bytes = 0, cells = 0, plan = 0, intervals = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < jobs[i].count; j++, used++) {
            const tool_paper_result *result = &jobs[i].results[j];
            over[used] = tool_paper_suboptimality(&jobs[i], j);
            expanded[used] = tool_paper_expansions(&jobs[i], j);
            summary->unfinished += !result->finished;
            summary->learnt += result->learnt > 0;
            summary->revisited += result->revisits > 0;
            moves += (double)result->moves, revisits += (double)result->revisits;
            intervals += (double)result->intervals;
            operations += (double)result->operations, plan += (double)result->plan_ns;
            bytes += (double)result->online_bytes, cells += (double)result->cells;
            summary->operations_max = fmax(summary->operations_max, (double)result->operations_max);
            summary->online_max = fmax(summary->online_max, (double)result->online_bytes);
            if (jobs[i].timed) summary->step_ns_max = fmax(summary->step_ns_max, (double)result->step_ns_max);
        }
    double problems = (double)used;
    summary->problems = problems;
    summary->learnt_percent = 100 * summary->learnt / problems;
    summary->revisited_percent = 100 * summary->revisited / problems;
    summary->suboptimality = tool_report_mean_of(over, used);
    summary->expansions = tool_report_mean_of(expanded, used);
    if (!used) return;
    summary->moves = moves / problems, summary->revisits = revisits / problems;
    summary->online_bytes = bytes / problems, summary->cells = cells / problems;
    if (moves > 0) summary->operations = operations / moves;
    summary->busy = jobs[0].timed && plan > intervals * summary->step_ns_max;
    if (moves > 0 && jobs[0].timed && !summary->busy) summary->move_ns = plan / moves;
    take_ranks(over, used, summary);
}

bool tool_paper_summarise(const tool_paper_job *jobs, size_t count, tool_paper_summary *summary) {
    *summary = (tool_paper_summary){.median = NAN,
                                    .p95 = NAN,
                                    .worst = NAN,
                                    .moves = NAN,
                                    .revisits = NAN,
                                    .operations = NAN,
                                    .online_bytes = NAN,
                                    .online_max = NAN,
                                    .cells = NAN,
                                    .move_ns = NAN,
                                    .step_ns_max = NAN};
    size_t all = 0;
    for (size_t i = 0; i < count; i++) all += jobs[i].count;
    double *values = calloc(all ? 2 * all : 1, sizeof *values);
    if (!values) {
        (void)tool_wrong("out of memory for the figures of %zu problems", all);
        return false;
    }
    gather(jobs, count, values, values + all, summary);
    free(values);
    return true;
}
