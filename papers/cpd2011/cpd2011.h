/* What the parts of the reproduction of cpd2011 share: its maps, the measuring and the report. */
#ifndef WEND_PAPERS_CPD2011_CPD2011_H
#define WEND_PAPERS_CPD2011_CPD2011_H

#include "common/rows.h"

#include <wend/cpd.h>

enum { CPD11_MAPS = 120 };
/* What runs: A*, rectangles as in the paper, and the default encoding. The last two have databases. */
enum { CPD11_ASTAR, CPD11_RECTANGLES, CPD11_RUNS, CPD11_ROWS };

extern const tool_paper_map cpd11_maps[CPD11_MAPS]; /* maps.c */

/* What is counted of a map: all zero where it was left out. The store, which keeps results of problems, has
 * these in the fields of one, in this order. */
enum { CPD11_LABEL, CPD11_SET, CPD11_TIES };
typedef struct cpd11_counts {
    uint64_t cells, components, pairs;
    struct {
        uint64_t rectangles, squares, longest, checks; /* checks in millionths */
    } ties[CPD11_TIES];
} cpd11_counts;

/* What is measured beside the rows. */
typedef struct cpd11_own {
    uint64_t most_cells; /* of maps on which all forms are counted */
    cpd11_counts counts[CPD11_MAPS];
    double *walk_ns; /* whole paths read off databases: by row, map and timed problem */
} cpd11_own;

static inline double *cpd11_walk(const tool_paper_rows *run, int row, size_t map) {
    const cpd11_own *own = run->own;
    return own->walk_ns + tool_paper_place(run, row, map) * run->timed_problems;
}

/* report.c: complains and returns false. */
bool cpd11_report(const tool_paper_rows *run, tool_report *report);

#endif
