/* What the parts of the reproduction of cpd2011 share: its maps, the measuring and the report. */
#ifndef WEND_PAPERS_CPD2011_CPD2011_H
#define WEND_PAPERS_CPD2011_CPD2011_H

#include "common/rows.h"

#include <wend/cpd.h>

enum { CPD11_MAPS = 120 };
/* What runs: A*, rectangles as in the paper, and the default encoding. The last two have databases. */
enum { CPD11_ASTAR, CPD11_RECTANGLES, CPD11_RUNS, CPD11_ROWS };

extern const tool_paper_map cpd11_maps[CPD11_MAPS]; /* maps.c */

/* What is measured beside the rows. */
typedef struct cpd11_own {
    uint64_t most_cells;                    /* of maps on which all forms are counted */
    wend_cpd_measures measures[CPD11_MAPS]; /* zeroed where they were left out */
    double *walk_ns; /* whole paths read off databases: by row, map and timed problem */
} cpd11_own;

static inline double *cpd11_walk(const tool_paper_rows *run, int row, size_t map) {
    const cpd11_own *own = run->own;
    return own->walk_ns + tool_paper_place(run, row, map) * run->timed_problems;
}

/* report.c: complains and returns false. */
bool cpd11_report(const tool_paper_rows *run, tool_report *report);

#endif
