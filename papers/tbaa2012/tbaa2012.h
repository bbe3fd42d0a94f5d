/* What the two halves of the reproduction of tbaa2012 share: the measuring and the report. */
#ifndef WEND_PAPERS_TBAA2012_TBAA2012_H
#define WEND_PAPERS_TBAA2012_TBAA2012_H

#include "common/check.h"
#include "common/paper.h"
#include "common/table.h"

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
} tbaa_planner;

/* Each table comes in several forms. */
typedef enum tbaa_form {
    TBAA_COUNTED, /* intervals of expansions: what is judged */
    TBAA_TIMED,   /* intervals of real milliseconds */
    TBAA_CORNERS, /* of expansions, under the paper's own rule of corners: moves of those that stand while
                     they search, which are the same for every length, so that one is enough */
    TBAA_FORMS
} tbaa_form;

/* One of the paper's tables. */
typedef struct tbaa_table {
    int number;
    const char *key;               /* "unknown" */
    const char *terrain;           /* "initially unknown terrain" */
    const char *names[TBAA_FORMS]; /* in JSON */
    tool_knowledge knowledge;
    const tbaa_planner *planners;
    int count;
} tbaa_table;

extern const tbaa_table tbaa_tables[TBAA_TABLES];
extern const double tbaa_lengths[TBAA_LENGTHS];                              /* in ms */
enum { TBAA_RTAA, TBAA_DARTAA };                                             /* in all tables */
enum { TBAA_TBA = 2, TBAA_ASTAR };                                           /* in the first */
enum { TBAA_RTBA = 2, TBAA_TBAA, TBAA_REPEATED, TBAA_ADAPTIVE, TBAA_DSTAR }; /* in the others */

/* The paper's figure, "intervals" or "moves". */
double tbaa_printed(const tbaa_table *table, int planner, const char *figure, int length);

/* One table in one form. */
typedef struct tbaa_measured {
    const tbaa_table *table;
    tbaa_form form;
    const tool_paper_ground *grounds; /* a map each */
    tool_interval intervals[TBAA_LENGTHS];
    bool planners[TBAA_PLANNERS], lengths[TBAA_LENGTHS]; /* which are wanted: one of each at least */
    size_t problems;                                     /* a map; 0: this form is not wanted */
    tool_paper_result *results;                          /* see tbaa_results */
} tbaa_measured;

/* Of all maps, one after another: `problems` of each. */
static inline tool_paper_result *tbaa_results(const tbaa_measured *measured, int planner, int length) {
    return measured->results + (size_t)(planner * TBAA_LENGTHS + length) * measured->problems * TBAA_MAPS;
}

static inline int tbaa_first_length(const tbaa_measured *measured) {
    int length = 0;
    while (length < TBAA_LENGTHS - 1 && !measured->lengths[length]) length++;
    return length;
}
static inline int tbaa_last_length(const tbaa_measured *measured) {
    int length = TBAA_LENGTHS - 1;
    while (length > 0 && !measured->lengths[length]) length--;
    return length;
}

/* Whether a form has this planner with this length. */
static inline bool tbaa_has(const tbaa_measured *measured, int planner, int length) {
    return measured->planners[planner] && measured->lengths[length] &&
           (measured->form != TBAA_CORNERS ||
            (measured->table->planners[planner].pace == TBAA_STANDS && length == tbaa_last_length(measured)));
}

/* The maps under one rule of corners, and what is known of them in each table. */
typedef struct tbaa_rule {
    tool_paper_options options; /* the run's, with that rule */
    tool_paper_map maps[TBAA_MAPS];
    tool_paper_ground grounds[TBAA_TABLES][TBAA_MAPS];
} tbaa_rule;

/* All that was measured. */
typedef struct tbaa_run {
    const tool_paper_options *options; /* without tables that have none of the planners wanted */
    tbaa_rule chosen, paper;      /* the rule of the options, and the paper's own where that is another */
    size_t problems, ms_problems; /* a map */
    uint64_t k;                   /* expansions for the shortest interval */
    double delay;                 /* of A* with it, in intervals */
    tbaa_measured measured[TBAA_FORMS][TBAA_TABLES]; /* of the tables that are wanted */
} tbaa_run;

/* Whether a table before this one, of those that are wanted, has the same planner. */
bool tbaa_came_before(const tool_paper_options *options, int table, int planner);
/* Appends a word to a list of them: ", " stands between. */
void tbaa_add_word(char *list, size_t size, const char *word, size_t length);

/* report.c: complains and returns false. */
bool tbaa_report(const tbaa_run *run, tool_report *report);

#endif
