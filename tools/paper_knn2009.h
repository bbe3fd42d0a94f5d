/* What the two halves of the reproduction of knn2009 share: the measuring and the report. */
#ifndef WEND_TOOLS_PAPER_KNN2009_H
#define WEND_TOOLS_PAPER_KNN2009_H

#include "paper_bases.h"

enum { KNN09_MAPS = 8, KNN09_ROWS = 8, KNN09_MORE = 7, KNN09_ALL = KNN09_ROWS + KNN09_MORE };

/* A row of table 1, or one of ours below it. */
typedef struct knn09_row {
    const char *label;    /* for people */
    const char *brief;    /* the same for the head of a column; NULL for rows of ours */
    const char *key;      /* in the names of files and units */
    const char *settings; /* of the database; NULL: none */
    const char *planner;  /* without the key `db` */
    double weight;        /* expected work of a problem, in any unit */
    double building;      /* that of the database, likewise */
    double minutes, size; /* the paper's: of building, and of the database in maps; NAN: not in the paper */
    double over, expansions; /* the paper's: suboptimality in per cent, and expansions a move */
} knn09_row;

/* Table 1 from top to bottom, then the others. */
extern const knn09_row knn09_rows[KNN09_ALL];
enum { KNN09_LRTA, KNN09_KNN_1000, KNN09_KNN_5000, KNN09_KNN_10000 };
enum { KNN09_DLRTA_7 = 4, KNN09_DLRTA_6, KNN09_DLRTA_5, KNN09_DLRTA_3 };

/* All that was measured: of each row, one after another, as many of each as there are maps. */
typedef struct knn09_run {
    const tool_paper_options *options;
    tool_paper_map maps[KNN09_MAPS];
    tool_paper_ground grounds[KNN09_MAPS];
    size_t problems, timed_problems; /* a map */
    tool_paper_base *bases;          /* of rows with a database */
    size_t base_count;
    tool_paper_unit units[KNN09_ALL * KNN09_MAPS], timed[KNN09_ALL * KNN09_MAPS];
    char (*planners)[WEND_SETTINGS_TEXT]; /* of the units */
    tool_paper_result *results;
} knn09_run;

/* The first of a row's databases, or NULL. */
static inline const tool_paper_base *knn09_bases(const knn09_run *run, int row) {
    size_t before = 0;
    for (int i = 0; i < row; i++) before += knn09_rows[i].settings ? KNN09_MAPS : 0;
    return knn09_rows[row].settings ? run->bases + before : NULL;
}
static inline const tool_paper_unit *knn09_units(const knn09_run *run, int row, bool timed) {
    return (timed ? run->timed : run->units) + row * KNN09_MAPS;
}

/* paper_knn2009_report.c: complains and returns false. */
bool knn09_report(const knn09_run *run, tool_report *report);

#endif
