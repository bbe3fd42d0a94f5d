/* A table of a paper whose rows are planners, some with databases, each on the same problems of every map
 * that the paper has. All papers but tbaa2012 are made of one. */
#ifndef WEND_PAPERS_COMMON_ROWS_H
#define WEND_PAPERS_COMMON_ROWS_H

#include "common/bases.h"
#include "common/check.h"
#include "common/table.h"

typedef struct tool_paper_row {
    const char *key;     /* in the names of files and jobs, and of the paper's figures */
    const char *label;   /* for people */
    const char *brief;   /* the same for the head of a column; NULL where it has none */
    const char *base;    /* settings of its databases; NULL: none. Rows with the same ones share them */
    const char *planner; /* without the key `db` */
    double weight;       /* expected work of a problem, in any unit */
    double building;     /* that of a database, likewise */
    bool untimed;
    int family, part, when, size; /* by which a paper distinguishes its rows */
    const char *than;             /* the key of the row that it is compared with; NULL: none */
} tool_paper_row;

/* What came out for one row, over all maps or some of them. */
typedef struct tool_paper_figures {
    const char *key, *label, *map; /* map: the first */
    const tool_paper_row *row;
    bool wanted;                   /* otherwise nothing was measured, and nothing else here is set */
    tool_paper_summary all, timed; /* of all problems, and of some for times */
    double cost, total_ns;         /* a problem, in the mean; ns: NAN unless timed */
    double us;                     /* the mean of the problems' times a move, in microseconds; likewise */
    /* Of its databases: means of the maps; NAN without. Seconds also where one is not known. */
    double seconds, least_seconds, most_seconds, bytes, most_bytes;
    double size, states, records; /* the paper's counts: states over the cells of the map, all, and records */
} tool_paper_figures;

typedef struct tool_paper_rows tool_paper_rows;

/* The maps, and how many problems per map: all, and with --quick. */
typedef struct tool_paper_plan {
    const char *name; /* of the paper */
    const tool_paper_row *rows;
    size_t row_count;
    const tool_paper_map *maps;
    size_t map_count;
    size_t problems, quick_problems;
    size_t timed_part; /* one problem in so many is timed: that takes nine passes on one thread */
    uint64_t max_moves, quick_max_moves; /* a run is cut there; 0: every problem must end at its goal */
    uint64_t max_timed_moves;            /* a timed run; 0: at the same */
    bool stand_ins;                      /* the maps are not the paper's: others that stand for them */
    bool map_first;                      /* files of databases are NAME-MAP-KEY, not NAME-KEY-MAP */
    /* Whether a row is measured; NULL: all are. */
    bool (*wants)(const tool_paper_options *options, const tool_paper_row *row);
    /* What else is measured, with the databases open: an exit status. NULL: nothing. */
    int (*more)(tool_paper_rows *rows, tool_paper_store *store);
    bool (*tell)(const tool_paper_rows *rows, tool_report *report); /* complains and returns false */
} tool_paper_plan;

/* All that was measured: of each row, one after another, as many of each as there are maps. */
struct tool_paper_rows {
    const tool_paper_plan *plan;
    const tool_paper_options *options;
    void *own; /* the paper's */
    tool_paper_map *maps;
    tool_paper_ground *grounds;
    size_t problems, timed_problems; /* a map */
    uint64_t max_moves;
    tool_paper_base *bases;
    size_t base_count;
    tool_paper_base **base_of; /* NULL for rows without */
    tool_paper_job *jobs, *timed;
    char (*planners)[TOOL_PAPER_PLANNER]; /* of the jobs */
    tool_paper_result *results;
    tool_paper_figures *figures; /* of each row */
};

/* Builds the databases, runs everything, and has the plan's `tell` report what came out. An exit status. */
int tool_paper_run_rows(const tool_paper_plan *plan, const tool_paper_options *options, void *own,
                        tool_report *report);

/* The same in steps, for rows on maps of their own beside a paper's. Exit statuses; to be closed in any
 * case. Of the plan only what is measured counts. */
int tool_paper_open_rows(const tool_paper_plan *plan, const tool_paper_options *options,
                         tool_paper_rows *rows);
int tool_paper_measure_rows(tool_paper_rows *rows, tool_paper_store *store);
void tool_paper_close_rows(tool_paper_rows *rows);

/* On one of the maps. */
static inline size_t tool_paper_place(const tool_paper_rows *rows, int row, size_t map) {
    return (size_t)row * rows->plan->map_count + map;
}
static inline const tool_paper_base *tool_paper_base_of(const tool_paper_rows *rows, int row, size_t map) {
    return rows->base_of[tool_paper_place(rows, row, map)];
}
/* The first of a row's jobs. */
static inline const tool_paper_job *tool_paper_jobs_of(const tool_paper_rows *rows, int row) {
    return rows->jobs + tool_paper_place(rows, row, 0);
}

/* Of a row with wanted jobs that are done, on `count` maps from `first` on. Complains and returns false. */
bool tool_paper_take_figures(const tool_paper_rows *rows, int row, size_t first, size_t count,
                             tool_paper_figures *of);

/* A statistic of all problems of a row, or of how they compare with the same problems of the row `other`; -1:
 * none. NAN if there is no memory. */
shared_estimate tool_paper_estimate_rows(const tool_paper_rows *rows, int row, int other,
                                         tool_paper_measure *measure, shared_statistic statistic);

/* A table `by-map` of suboptimality: a column for each of the first `count` rows. Complains and returns
 * false. */
bool tool_paper_add_maps_table(const tool_paper_rows *rows, size_t count, int decimals, tool_report *report);

/* The settings seed, problems and timed_problems. */
void tool_paper_describe_rows(const tool_paper_rows *rows, tool_report *report);

/* Whether the maps are those that are meant, by their sizes, none generated. */
bool tool_paper_maps_are_meant(const tool_paper_rows *rows);

#endif
