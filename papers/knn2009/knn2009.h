/* What the two halves of the reproduction of knn2009 share: the measuring and the report. */
#ifndef WEND_PAPERS_KNN2009_KNN2009_H
#define WEND_PAPERS_KNN2009_KNN2009_H

#include "common/rows.h"

enum { KNN09_MAPS = 8, KNN09_ROWS = 8, KNN09_MORE = 7, KNN09_ALL = KNN09_ROWS + KNN09_MORE };

/* Table 1 from top to bottom, then those of ours. */
extern const tool_paper_row knn09_rows[KNN09_ALL];
enum { KNN09_LRTA, KNN09_KNN_1000, KNN09_KNN_5000, KNN09_KNN_10000 };
enum { KNN09_DLRTA_7 = 4, KNN09_DLRTA_6, KNN09_DLRTA_5, KNN09_DLRTA_3 };

/* The paper's figures: minutes of building, size of the database in maps, suboptimality in per cent, and
 * expansions a move. */
enum { KNN09_MINUTES, KNN09_SIZE, KNN09_OVER, KNN09_EXPANSIONS };

/* report.c: complains and returns false. */
bool knn09_report(const tool_paper_rows *run, tool_report *report);

#endif
