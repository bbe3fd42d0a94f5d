/* What the parts of the reproduction of jair2010 share: the settings that are measured, and what came out. */
#ifndef WEND_PAPERS_JAIR2010_JAIR2010_H
#define WEND_PAPERS_JAIR2010_JAIR2010_H

#include "common/bases.h"

/* The last of the tables is not the paper's: what has come after it. */
enum { JAIR_MAPS = 4, JAIR_PAPER_TABLES = 7, JAIR_TABLES = 8, JAIR_AFTER_TABLE = 7 };

typedef enum jair_family {
    JAIR_KNN,
    JAIR_DLRTA,
    JAIR_TBA,
    JAIR_ASTAR,
    JAIR_JPS,
    JAIR_ATLAS,
    JAIR_FAMILIES
} jair_family;

/* What a setting is measured for. */
typedef enum jair_part {
    JAIR_PAPER,     /* the paper's tables and figures */
    JAIR_FOOTNOTE,  /* its footnote 4: more candidates */
    JAIR_FRAGMENTS, /* the end of its section 6.2: parts of records as records */
    JAIR_SWITCHES,  /* its section 6.2: the enhancements, one left out at a time */
    JAIR_BEYOND,    /* its future work: records spread evenly, a fallback that does not learn */
    JAIR_AFTER      /* what has come after it */
} jair_part;

typedef enum jair_when { JAIR_ALWAYS, JAIR_WHOLE, JAIR_QUICK } jair_when;

/* The paper's figures; 0 where it has none. */
typedef struct jair_paper {
    double us;            /* a move, in microseconds */
    double suboptimality; /* per cent */
    double hours;         /* of precomputation, a map */
    double records;       /* a map */
    double relative;      /* states stored to cells of the grid, blocked ones too */
    double mb;            /* of the database, 32 bits a state */
    double strict_kb;     /* on-line memory without the database */
    double cumulative_kb; /* with it */
    double break_even;    /* agents from which on it takes less memory than TBA* */
} jair_paper;

/* A planner with its database. */
typedef struct jair_setting {
    const char *key, *label; /* in JSON and files, and for people */
    jair_family family;
    jair_part part;
    jair_when when;
    uint32_t size;       /* records, level or slice */
    const char *base;    /* the database's settings; NULL: none */
    const char *planner; /* as it is parsed, but for the key db, which is added where there is a base */
    const char *than;    /* the key of the setting that it is compared with; NULL: none */
    bool in_paper;       /* the paper gives figures */
    jair_paper paper;
} jair_setting;

extern const jair_setting jair_settings[];
extern const size_t jair_setting_count;

/* What came out for one setting, over all maps. Means are over the problems or, of databases, the maps. */
typedef struct jair_figures {
    const jair_setting *setting;
    bool wanted;
    const tool_paper_base *bases[JAIR_MAPS]; /* NULL where the setting has none */
    tool_paper_job jobs[JAIR_MAPS];          /* all problems */
    tool_paper_job timed[JAIR_MAPS];         /* some of them, for times */
    tool_paper_summary summary, times;
    double us;        /* the mean of the problems' times a move, in microseconds */
    double without;   /* per cent of problems in which the workspace of a fallback was needed */
    double strict_kb; /* the paper's count: 4 bytes for each state that is open, closed or learnt */
    double own_bytes; /* real, of problems that needed no workspace; NAN where there are none */
    /* NAN without a database: */
    double seconds, seconds_most; /* of builds; NAN also where one is not known */
    double records, relative;     /* the paper's count */
    double base_kb;               /* the paper's count: 4 bytes a state */
    double file_kb, file_most_kb; /* real */
} jair_figures;

/* Moves after which a timed run is cut: an agent that learns may go to and fro for long, and times a move can
 * be had from the beginning of that. */
#define JAIR_MOST_TIMED_MOVES ((uint64_t)100000)

struct jair_beyond;

typedef struct jair_run {
    const tool_paper_options *options;
    struct jair_beyond *beyond; /* other maps, or NULL */
    tool_paper_map maps[JAIR_MAPS];
    tool_paper_ground grounds[JAIR_MAPS];
    size_t problems, timed_problems; /* a map */
    uint64_t most_moves;             /* after which any other run is cut */
    tool_paper_base *bases;
    size_t base_count;
    jair_figures *figures; /* one for each setting, in their order */
    tool_paper_result *results;
    char *planners; /* their texts, for each setting and map */
} jair_run;

/* Of the setting with this key; NULL if it was not measured. */
const jair_figures *jair_find(const jair_run *run, const char *key);
bool jair_all_tables(const jair_run *run);
/* The keys of those that table 7 compares: the paper's kNN LRTA*(60000), D LRTA*(9) and TBA*(100), or what
 * stands for them in the quick form. */
typedef struct jair_compared {
    const char *knn, *dlrta, *tba;
} jair_compared;
jair_compared jair_compared_keys(const jair_run *run);
/* The least number of agents with this database that take less memory than as many with TBA*: by the paper's
 * count, or by real bytes. NAN if there is no such number. */
double jair_break_even(const jair_figures *figures, const jair_figures *tba, bool real);

/* tables.c */
void jair_add_tables(const jair_run *run, tool_report *report);
/* plots.c */
void jair_add_plots(const jair_run *run, tool_report *report);

enum { JAIR_MOST_POINTS = 128 };

/* A value of `x` and what lies there, of one line. */
typedef struct jair_point {
    double x, y;
    int line;
} jair_point;

typedef struct jair_line {
    const char *label;
    int colour;
    bool dashed;
} jair_line;

/* Points that can't stand on logarithmic axes, or are above `most`, are left out. Returns how many there are
 * now. */
size_t jair_add_point(jair_point *points, size_t count, double x, double y, double most, int line);
/* A plot of points, which are put in order. */
void jair_plot_points(tool_report *report, const char *title, const char *x_label, const char *y_label,
                      jair_point *points, size_t count, const jair_line *lines, int line_count);

/* beyond.c: beyond the paper, on the same maps and on others. `measure` adds to the store;
 * TOOL_DONE, TOOL_WRONG after a complaint, or TOOL_STOPPED. To be closed in any case. */
int jair_beyond_measure(jair_run *run, tool_paper_store *store);
void jair_beyond_report(const jair_run *run, tool_report *report);
void jair_beyond_close(jair_run *run);

/* growth.c: how an atlas grows with the map, on maps of one kind. */
enum { JAIR_MOST_SIZES = 5 };
typedef struct jair_growth {
    double cells, open;         /* of the map */
    double seconds, bytes;      /* of processor time to build it, and of the file */
    double peak_bytes;          /* while it is built, the map apart */
    double map_bytes;           /* a bit a cell */
    double move_ns, step_moves; /* a move, and how many there were */
} jair_growth;
int jair_growth_measure(const tool_paper_options *options, tool_paper_store *store, jair_growth *sizes,
                        size_t *count);
void jair_growth_report(const jair_growth *sizes, size_t count, tool_report *report);
/* agents.c: section 8.7 with every kind of database, on a small map. */
void jair_add_agents(const tool_paper_options *options, tool_report *report);
/* report.c: all of the report. */
void jair_report(const jair_run *run, tool_report *report);

#endif
