/* Checks of papers: a claim (what a number must be), an estimate (the number with its 95% interval), and the
 * verdict. All papers judge by these functions alone.
 *
 * A claim holds where the whole interval is inside what it asks for, fails where the whole interval is outside,
 * and is not decided in between. */
#ifndef WEND_PAPERS_COMMON_CHECK_H
#define WEND_PAPERS_COMMON_CHECK_H

#include "report/report.h"

#include <math.h>
#include <stdint.h>

/* A number and its interval: of no width where the number is counted, infinite where the problems are too few
 * to tell. */
typedef struct tool_paper_estimate {
    double value, low, high;
} tool_paper_estimate;

static inline tool_paper_estimate tool_paper_exact(double value) {
    return (tool_paper_estimate){value, value, value};
}

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
tool_report_check tool_paper_judge(tool_report_check claim, tool_paper_estimate estimate);
/* The same, but said to be not comparable unless maps and rules are. */
static inline tool_report_check tool_paper_compare(bool comparable, tool_report_check claim,
                                                   tool_paper_estimate estimate) {
    tool_report_check check = tool_paper_judge(claim, estimate);
    if (!comparable) check.verdict = TOOL_REPORT_NOT_COMPARABLE;
    return check;
}
/* The place of the one that decides for all of them: one that failed before one that is not decided, and of
 * equals the one nearest to its bound. `count` is not 0. */
size_t tool_paper_weakest(const tool_report_check *checks, size_t count);

typedef enum tool_paper_statistic {
    TOOL_PAPER_MEAN_OF,   /* of x; less that of y, if there is one */
    TOOL_PAPER_MEDIAN_OF, /* likewise */
    TOOL_PAPER_RATIO_OF   /* the mean of x over that of y */
} tool_paper_statistic;

/* Values of `each` problems on each of `maps` maps, map after map. */
typedef struct tool_paper_sample {
    const double *x, *y; /* y: of the same problems, or NULL. NAN: this problem has none */
    size_t maps, each;
    bool stand_ins; /* the maps stand for others of their kind; otherwise they are the paper's own */
    uint64_t seed;
} tool_paper_sample;

/* The statistic with the middle 95% of what it is in 2,000 samples drawn again, with replacement: where maps are
 * stand-ins, maps are drawn first; then problems of each map; x and y of a problem stay together. The same
 * numbers for the same seed. All NAN if there is no memory. */
tool_paper_estimate tool_paper_bootstrap(const tool_paper_sample *sample, tool_paper_statistic statistic);

#endif
