/* What the two halves of the reproduction of tbaa2012 share: the measuring and the report. */
#ifndef WEND_TOOLS_PAPER_TBAA2012_H
#define WEND_TOOLS_PAPER_TBAA2012_H

#include "paper.h"

enum { TBAA_MAPS = 6, TBAA_LENGTHS = 5, TBAA_PLANNERS = 7, TBAA_TABLES = 3 };

/* What a planner does in time, for guesses of how long it takes. */
typedef enum tbaa_pace {
    TBAA_FILLS,  /* searches in every interval until it ends */
    TBAA_PAUSES, /* searches while there is something to search for */
    TBAA_STANDS  /* searches while it stands, and only then */
} tbaa_pace;

typedef struct tbaa_planner {
    const char *label, *text; /* for people, and as it is parsed */
    tbaa_pace pace;
    double intervals[TBAA_LENGTHS], moves[TBAA_LENGTHS]; /* the paper's */
} tbaa_planner;

/* One of the paper's tables. */
typedef struct tbaa_table {
    int number;
    const char *key;                       /* "unknown" */
    const char *terrain;                   /* "initially unknown terrain" */
    const char *counted_name, *timed_name; /* in JSON */
    tool_knowledge knowledge;
    tbaa_planner planners[TBAA_PLANNERS];
    int count;
} tbaa_table;

extern const tbaa_table tbaa_tables[TBAA_TABLES];
extern const double tbaa_lengths[TBAA_LENGTHS];                              /* in ms */
enum { TBAA_RTAA, TBAA_DARTAA };                                             /* in all tables */
enum { TBAA_TBA = 2, TBAA_ASTAR };                                           /* in the first */
enum { TBAA_RTBA = 2, TBAA_TBAA, TBAA_REPEATED, TBAA_ADAPTIVE, TBAA_DSTAR }; /* in the others */

/* One table, measured in one kind of interval. */
typedef struct tbaa_measured {
    const tbaa_table *table;
    const tool_paper_ground *grounds; /* a map each */
    tool_interval intervals[TBAA_LENGTHS];
    size_t problems;            /* a map */
    tool_paper_result *results; /* see tbaa_results */
} tbaa_measured;

/* Of all maps, one after another: `problems` of each. */
static inline tool_paper_result *tbaa_results(const tbaa_measured *measured, int planner, int length) {
    return measured->results + (size_t)(planner * TBAA_LENGTHS + length) * measured->problems * TBAA_MAPS;
}

/* All that was measured. */
typedef struct tbaa_run {
    const tool_paper_options *options;
    tool_paper_map maps[TBAA_MAPS];
    tool_paper_ground grounds[TBAA_TABLES][TBAA_MAPS];
    size_t problems, ms_problems;                           /* a map */
    uint64_t k;                                             /* expansions for the shortest interval */
    double delay;                                           /* of A* with it, in intervals */
    tbaa_measured counted[TBAA_TABLES], timed[TBAA_TABLES]; /* of the tables that are wanted */
} tbaa_run;

/* paper_tbaa2012_report.c: complains and returns false. */
bool tbaa_report(const tbaa_run *run, tool_report *report);

#endif
