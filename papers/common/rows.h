/* A table of a paper whose rows are planners, some with databases, each on the same problems of every map
 * that the paper has. knn2009 and subgoal2011 are made of one. */
#ifndef WEND_PAPERS_COMMON_ROWS_H
#define WEND_PAPERS_COMMON_ROWS_H

#include "common/bases.h"

enum { TOOL_PAPER_ROW_FIGURES = 4 };

typedef struct tool_paper_row {
    const char *label;    /* for people */
    const char *brief;    /* the same for the head of a column; NULL where it has none */
    const char *key;      /* in the names of files and jobs */
    const char *settings; /* of its own databases; NULL: none */
    const char *planner;  /* without the key `db` */
    int shares;           /* the row whose databases it uses, other than the first; 0: its own */
    double weight;        /* expected work of a problem, in any job */
    double building;      /* that of a database, likewise */
    double paper[TOOL_PAPER_ROW_FIGURES]; /* the paper's figures; NAN: not in the paper */
} tool_paper_row;

/* The maps, and how many problems a map: all, and with --quick. */
typedef struct tool_paper_plan {
    const char *name; /* of the paper */
    const tool_paper_row *rows;
    size_t row_count;
    const tool_paper_map *maps;
    size_t map_count;
    size_t problems, quick_problems;
    uint64_t max_moves; /* a run is cut there; 0: every problem must end at its goal */
} tool_paper_plan;

/* All that was measured: of each row, one after another, as many of each as there are maps. */
typedef struct tool_paper_rows {
    const tool_paper_plan *plan;
    const tool_paper_options *options;
    tool_paper_map *maps;
    tool_paper_ground *grounds;
    size_t problems, timed_problems; /* a map */
    tool_paper_base *bases;          /* of rows with settings */
    size_t base_count;
    tool_paper_job *jobs, *timed;
    char (*planners)[TOOL_SETTINGS_TEXT]; /* of the jobs */
    tool_paper_result *results;
} tool_paper_rows;

/* Builds the databases, runs everything, and lets `tell` report what has come of it; that complains and
 * returns false. An exit status. */
int tool_paper_run_rows(const tool_paper_plan *plan, const tool_paper_options *options, tool_report *report,
                        bool (*tell)(const tool_paper_rows *rows, tool_report *report));

/* The first of a row's databases, its own or those it shares; NULL. */
const tool_paper_base *tool_paper_row_bases(const tool_paper_rows *rows, int row);
/* The first of a row's jobs. */
const tool_paper_job *tool_paper_row_jobs(const tool_paper_rows *rows, int row, bool timed);

#endif
