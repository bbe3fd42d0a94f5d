/* What the two halves of the reproduction of subgoal2011 share: the measuring and the report. */
#ifndef WEND_PAPERS_SUBGOAL2011_SUBGOAL2011_H
#define WEND_PAPERS_SUBGOAL2011_SUBGOAL2011_H

#include "common/rows.h"

enum { SUB11_MAPS = 8, SUB11_PAPER_ROWS = 3, SUB11_ROWS = 6 };
enum { SUB11_ASTAR, SUB11_LRTA, SUB11_TREE, SUB11_PUSHED, SUB11_LSS, SUB11_KNN };

/* Figure 2 from top to bottom, then those of ours. */
extern const tool_paper_row sub11_rows[SUB11_ROWS];
/* The paper's figures. */
enum { SUB11_COST, SUB11_FIRST_MS, SUB11_TOTAL_MS };

/* report.c: complains and returns false. `first_ns`: the first step of each row in the
 * mean; NAN unless timed. */
bool sub11_report(const tool_paper_rows *run, const double *first_ns, tool_report *report);

#endif
