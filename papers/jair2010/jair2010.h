/* What the parts of the reproduction of jair2010 share: the rows that are measured, and what came out. */
#ifndef WEND_PAPERS_JAIR2010_JAIR2010_H
#define WEND_PAPERS_JAIR2010_JAIR2010_H

#include "common/rows.h"

/* The last of the tables is not the paper's: what has come after it. */
enum { JAIR_MAPS = 4, JAIR_ROWS = 50, JAIR_TABLES = 8, JAIR_AFTER_TABLE = 7 };

enum { JAIR_KNN, JAIR_DLRTA, JAIR_TBA, JAIR_ASTAR, JAIR_JPS, JAIR_ATLAS }; /* a row's family */

/* What a row is measured for: its part. */
enum {
    JAIR_PAPER,     /* the paper's tables and figures */
    JAIR_FOOTNOTE,  /* its footnote 4: more candidates */
    JAIR_FRAGMENTS, /* the end of its section 6.2: parts of records as records */
    JAIR_SWITCHES,  /* its section 6.2: the enhancements, one left out at a time */
    JAIR_BEYOND,    /* its future work: records spread evenly, a fallback that does not learn */
    JAIR_AFTER      /* what has come after it */
};

enum { JAIR_ALWAYS, JAIR_WHOLE, JAIR_QUICK }; /* when it is measured */

extern const tool_paper_row jair_rows[JAIR_ROWS]; /* settings.c; `size` is records, level or slice */

/* What came out for one row. */
typedef struct jair_figures {
    tool_paper_figures of;
    double without;             /* per cent of problems in which the workspace of a fallback was needed */
    double strict_kb;           /* the paper's count: 4 bytes for each state that is open, closed or learnt */
    double own_bytes;           /* real, of problems that needed no workspace; NAN where there are none */
    double base_kb, base_mb;    /* the paper's count: 4 bytes a state */
    double file_mb;             /* real, as the next but one */
    double kb, real_kb;         /* of an agent, the database included */
    double agents, agents_real; /* from so many on that take less memory than as many with TBA*; NAN: never */
    double times_faster;        /* than the paper's, to build */
    double covered_percent;     /* of problems: according to the database of the first map */
} jair_figures;

/* All that was measured beside the rows. */
typedef struct jair_own {
    jair_figures figures[JAIR_ROWS];
    tool_paper_options generated, few; /* for rows on generated maps, and of those with few problems */
    tool_paper_plan plan;              /* of the others */
    tool_paper_rows others, agents;    /* on two other maps, and on a small one */
} jair_own;

static inline const jair_figures *jair_figures_of(const tool_paper_rows *run) {
    return ((const jair_own *)run->own)->figures;
}

/* Of the row with this key; NULL if it was not measured. */
const jair_figures *jair_find(const tool_paper_rows *run, const char *key);
bool jair_all_tables(const tool_paper_options *options);
bool jair_is(const tool_paper_row *row, const char *key);
/* The keys of those that table 7 compares: the paper's kNN LRTA*(60000), D LRTA*(9) and TBA*(100), or what
 * stands for them in the quick form. */
typedef struct jair_compared {
    const char *knn, *dlrta, *tba;
} jair_compared;
jair_compared jair_compared_keys(const tool_paper_options *options);

/* tables.c, with the plots. */
void jair_add_tables(const tool_paper_rows *run, tool_report *report);
/* Suboptimality over a field of jair_figures, by its offset, of every row that `line_of` gives a line, not
 * -1. */
void jair_plot(const tool_paper_rows *run, tool_report *report, const char *title, const char *x_label,
               size_t offset, int (*line_of)(const tool_paper_row *row), const tool_paper_line *lines,
               size_t count);

/* beyond.c: table 8, what has come after the paper, on its maps and on others. `measure` adds to the store:
 * an exit status. */
int jair_beyond_measure(const tool_paper_rows *run, tool_paper_store *store);
void jair_beyond_report(const tool_paper_rows *run, tool_report *report);
/* agents.c: section 8.7 with every kind of database, on a small map. */
int jair_agents_measure(const tool_paper_rows *run, tool_paper_store *store);
void jair_agents_report(const tool_paper_rows *run, tool_report *report);
/* report.c: all of the report. */
void jair_report(const tool_paper_rows *run, tool_report *report);

#endif
