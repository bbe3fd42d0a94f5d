/* What the two halves of the reproduction of subgoal2011 share: the measuring and the report. */
#ifndef WEND_TOOLS_PAPER_SUBGOAL2011_H
#define WEND_TOOLS_PAPER_SUBGOAL2011_H

#include "paper_bases.h"

enum { SUB11_MAPS = 8, SUB11_PAPER_ROWS = 3, SUB11_ROWS = 6 };
enum { SUB11_ASTAR, SUB11_LRTA, SUB11_TREE, SUB11_PUSHED, SUB11_LSS, SUB11_KNN };

/* A row of figure 2, or one of ours below it. */
typedef struct sub11_row {
    const char *label;               /* for people */
    const char *key;                 /* in the names of units */
    const char *planner;             /* without the key `db` */
    int base;                        /* the row whose databases it uses; -1: none */
    const char *settings;            /* of its own databases; NULL: none */
    double weight;                   /* expected work of a problem, in any unit */
    double building;                 /* that of the database, likewise */
    double cost, first_ms, total_ms; /* the paper's; NAN: not in the paper */
} sub11_row;

extern const sub11_row sub11_rows[SUB11_ROWS];

typedef struct sub11_run {
    const tool_paper_options *options;
    tool_paper_map maps[SUB11_MAPS];
    tool_paper_ground grounds[SUB11_MAPS];
    size_t problems, timed_problems;                /* a map */
    tool_paper_base bases[SUB11_ROWS * SUB11_MAPS]; /* of rows with settings, one after another */
    size_t base_count;
    tool_paper_unit units[SUB11_ROWS * SUB11_MAPS], timed[SUB11_ROWS * SUB11_MAPS];
    char (*planners)[WEND_SETTINGS_TEXT]; /* of the units */
    tool_paper_result *results;
    double first_ns[SUB11_ROWS]; /* the first step in the mean; NAN unless timed */
} sub11_run;

/* The first of a row's databases, its own or those it shares; NULL. */
const tool_paper_base *sub11_bases(const sub11_run *run, int row);

/* paper_subgoal2011_report.c: complains and returns false. */
bool sub11_report(const sub11_run *run, tool_report *report);

#endif
