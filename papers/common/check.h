/* Checks of papers: a claim (what a number must be), an estimate (the number with its 95% interval), and the
 * verdict. All papers judge by these functions alone.
 *
 * A claim holds where the whole interval is inside what it asks for, fails where the whole interval is outside,
 * and is not decided in between. */
#ifndef WEND_PAPERS_COMMON_CHECK_H
#define WEND_PAPERS_COMMON_CHECK_H

#include "report/report.h"
#include "shared/bootstrap.h"

#include <math.h>
#include <stdint.h>

/* Claims, to be judged. `tolerance` is by how much a number may miss its bounds. */
static inline tool_report_check tool_paper_above(double bound) {
    return (tool_report_check){.min = bound, .max = INFINITY, .strict = true};
}
static inline tool_report_check tool_paper_at_least(double bound, double tolerance) {
    return (tool_report_check){.min = bound, .max = INFINITY, .tolerance = tolerance};
}
static inline tool_report_check tool_paper_at_most(double bound, double tolerance) {
    return (tool_report_check){.min = -INFINITY, .max = bound, .tolerance = tolerance};
}
static inline tool_report_check tool_paper_near(double target, double tolerance) {
    return (tool_report_check){.min = target, .max = target, .tolerance = tolerance};
}

/* A claim with the number and the verdict filled in. */
tool_report_check tool_paper_judge(tool_report_check claim, shared_estimate estimate);
/* The same, but said to be not comparable unless maps and rules are. */
static inline tool_report_check tool_paper_compare(bool comparable, tool_report_check claim,
                                                   shared_estimate estimate) {
    tool_report_check check = tool_paper_judge(claim, estimate);
    if (!comparable) check.verdict = TOOL_REPORT_NOT_COMPARABLE;
    return check;
}
/* The place of the one that decides for all of them: one that failed before one that is not decided, and of
 * equals the one nearest to its bound. `count` is not 0. */
size_t tool_paper_weakest(const tool_report_check *checks, size_t count);

#endif
