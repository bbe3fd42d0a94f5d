/* What the parts of the reproduction of jair2010 share: the settings that are measured, and what came out. */
#ifndef WEND_TOOLS_PAPER_JAIR2010_H
#define WEND_TOOLS_PAPER_JAIR2010_H

#include "paper_bases.h"

enum { JAIR_MAPS = 4, JAIR_TABLES = 7 };

typedef enum jair_family { JAIR_KNN, JAIR_DLRTA, JAIR_TBA, JAIR_ASTAR, JAIR_FAMILIES } jair_family;

/* What a setting is measured for. */
typedef enum jair_part {
    JAIR_PAPER,     /* the paper's tables and figures */
    JAIR_FOOTNOTE,  /* its footnote 4: more candidates */
    JAIR_FRAGMENTS, /* the end of its section 6.2: parts of records as records */
    JAIR_SWITCHES,  /* its section 6.2: the enhancements, one left out at a time */
    JAIR_BEYOND     /* its future work: records spread evenly, a fallback that does not learn */
} jair_part;

typedef enum jair_when { JAIR_ALWAYS, JAIR_WHOLE, JAIR_QUICK } jair_when;

/* The paper's figures; 0 where it has none. */
typedef struct jair_paper {
    double us;             /* a move, in microseconds */
    double suboptimality;  /* per cent */
    double hours;          /* of precomputation, a map */
    double records;        /* a map */
    double relative;       /* states stored to cells of the grid, blocked ones too */
    double mb;             /* of the database, 32 bits a state */
    double strict_kb;      /* on-line memory without the database */
    double cumulative_kb;  /* with it */
    double break_even;     /* agents from which on it takes less memory than TBA* */
} jair_paper;

/* A planner with its database. */
typedef struct jair_setting {
    const char *key, *label; /* in JSON and files, and for people */
    jair_family family;
    jair_part part;
    jair_when when;
    uint32_t size;         /* records, level or slice */
    const char *base;      /* the database's settings; NULL: none */
    const char *planner;   /* as it is parsed, but for the key db, which is added where there is a base */
    const char *than;      /* the key of the setting that it is compared with; NULL: none */
    bool in_paper;         /* the paper gives figures */
    jair_paper paper;
} jair_setting;

extern const jair_setting jair_settings[];
extern const size_t jair_setting_count;

/* What came out for one setting, over all maps. */
typedef struct jair_figures {
    const jair_setting *setting; /* NULL: not measured */
    tool_paper_unit units[JAIR_MAPS], timed[JAIR_MAPS];
    tool_paper_base bases[JAIR_MAPS]; /* where the setting has one */
    tool_paper_summary summary, times;
    /* The database: means over the maps. */
    double seconds;           /* of the build; NAN where one is not known */
    double records, relative; /* the paper's count */
    double base_bytes, base_most; /* real: the file; its mean, and the largest */
    double seconds_most;
    /* On-line memory: means over the problems. */
    double strict_kb;    /* the paper's count: 4 bytes for each state that is open, closed or learnt */
    double own_bytes;    /* of problems that needed no workspace; NAN where there are none */
    double us;           /* the mean of the problems' times a move, in microseconds */
} jair_figures;

typedef struct jair_run {
    const tool_paper_options *options;
    tool_paper_map maps[JAIR_MAPS];
    tool_paper_ground grounds[JAIR_MAPS];
    size_t problems, timed_problems;
    jair_figures *figures; /* one for each setting, in their order */
} jair_run;

/* Of the setting with this key; NULL if it was not measured. */
const jair_figures *jair_find(const jair_run *run, const char *key);
/* The paper's count of a database, and with an agent, in KB. */
double jair_base_kb(const jair_run *run, const jair_figures *figures);
double jair_cumulative_kb(const jair_run *run, const jair_figures *figures);

/* paper_jair2010_tables.c: the tables; paper_jair2010_report.c: notes, plots and checks. */
void jair_add_tables(const jair_run *run, tool_report *report);
void jair_report(const jair_run *run, tool_report *report);

#endif
