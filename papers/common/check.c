/* Claims and what becomes of them. */
#include "common/check.h"

static bool reaches_min(const tool_report_check *claim, double value) {
    const double min = claim->min - claim->tolerance;
    return claim->strict ? value > min : value >= min;
}

static bool keeps_max(const tool_report_check *claim, double value) {
    return value <= claim->max + claim->tolerance;
}

tool_report_check tool_paper_judge(tool_report_check claim, shared_estimate estimate) {
    tool_report_check check = claim;
    check.value = estimate.value, check.low = estimate.low, check.high = estimate.high;
    check.verdict = TOOL_REPORT_NOT_DECIDED;
    if (isnan(estimate.low) || isnan(estimate.high)) return check;
    if (reaches_min(&claim, estimate.low) && keeps_max(&claim, estimate.high))
        check.verdict = TOOL_REPORT_PASS;
    else if (!reaches_min(&claim, estimate.high) || !keeps_max(&claim, estimate.low))
        check.verdict = TOOL_REPORT_FAIL;
    return check;
}

/* By how much the interval is inside its bounds; less than 0 outside. */
static double slack_of(const tool_report_check *check) {
    double slack = fmin(check->low - check->min, check->max - check->high) + check->tolerance;
    return isnan(slack) ? -INFINITY : slack;
}

size_t tool_paper_weakest(const tool_report_check *checks, size_t count) {
    static const int ranks[TOOL_REPORT_VERDICTS] = {
        [TOOL_REPORT_FAIL] = 3, [TOOL_REPORT_NOT_DECIDED] = 2, [TOOL_REPORT_NOT_COMPARABLE] = 1};
    size_t weakest = 0;
    for (size_t i = 1; i < count; i++) {
        int rank = ranks[checks[i].verdict], so_far = ranks[checks[weakest].verdict];
        if (rank > so_far || (rank == so_far && slack_of(&checks[i]) < slack_of(&checks[weakest])))
            weakest = i;
    }
    return weakest;
}
