/* What the parts of the reproduction of cpd2011 share: its maps, the measuring and the report. */
#ifndef WEND_PAPERS_CPD2011_CPD2011_H
#define WEND_PAPERS_CPD2011_CPD2011_H

#include "common/bases.h"

#include <wend/cpd.h>

enum { CPD11_MAPS = 120, CPD11_LARGEST_CELLS = 51586 };
/* What runs: A*, rectangles as in the paper, and the default encoding. The last two have databases. */
enum { CPD11_ASTAR, CPD11_RECTANGLES, CPD11_RUNS, CPD11_ROWS, CPD11_BASES = CPD11_ROWS - 1 };

extern const tool_paper_map cpd11_maps[CPD11_MAPS]; /* maps.c */

typedef struct cpd11_run {
    const tool_paper_options *options;
    tool_paper_map maps[CPD11_MAPS];
    tool_paper_ground grounds[CPD11_MAPS];
    size_t problems, timed_problems; /* a map */
    uint64_t most_cells;             /* of maps on which all forms are counted */
    tool_paper_base *bases;          /* rectangles of all maps, then runs */
    size_t base_count;
    wend_cpd_measures measures[CPD11_MAPS];                          /* zeroed where they were left out */
    tool_paper_job jobs[CPD11_ROWS * CPD11_MAPS], timed[CPD11_MAPS]; /* timed: A* */
    double *walk_ns;                      /* whole paths read off databases: by row, map and timed problem */
    char (*planners)[TOOL_SETTINGS_TEXT]; /* of the jobs */
    tool_paper_result *results;
} cpd11_run;

static inline const tool_paper_base *cpd11_base(const cpd11_run *run, int row, size_t map) {
    return &run->bases[(size_t)(row - CPD11_RECTANGLES) * CPD11_MAPS + map];
}

static inline double *cpd11_walk(const cpd11_run *run, int row, size_t map) {
    return run->walk_ns + ((size_t)(row - CPD11_RECTANGLES) * CPD11_MAPS + map) * run->timed_problems;
}

/* report.c: complains and returns false. */
bool cpd11_report(const cpd11_run *run, tool_report *report);

#endif
