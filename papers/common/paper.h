/* What the reproductions of papers share: their options, maps, problems, and jobs that are kept in a
 * file as they are done. A paper is one row in the table of main.c. */
#ifndef WEND_PAPERS_COMMON_PAPER_H
#define WEND_PAPERS_COMMON_PAPER_H

#include "report/report.h"
#include "runner/runner.h"

enum { TOOL_PAPER_MOST_TABLES = 8, TOOL_PAPER_MOST_WORDS = 16 };

typedef struct tool_paper_options {
    const char *maps;   /* the folder of maps; NULL: generated ones */
    const char *folder; /* where results go */
    bool quick, resume;
    bool tables[TOOL_PAPER_MOST_TABLES]; /* which are wanted; [0] is table 1 */
    /* Which planners and lengths of intervals of these, as words; none: all. For papers with `has_part`. */
    const char *planners[TOOL_PAPER_MOST_WORDS], *lengths[TOOL_PAPER_MOST_WORDS];
    int planner_count, length_count;
    size_t problems;    /* a map; 0: as many as the paper has, or a tenth with `quick` */
    size_t ms_problems; /* of those whose times are measured, or in tables by real milliseconds; SIZE_MAX: the
                           paper's choice */
    wend_map_options map;
    uint64_t seed;
    int threads;
    bool quiet;
} tool_paper_options;

typedef struct tool_paper {
    const char *name;  /* "tbaa2012" */
    const char *title; /* of the report */
    int tables;
    /* Whether the tables that are wanted have the planners and lengths that are asked for; complains. NULL:
     * it measures whole tables only. */
    bool (*has_part)(const tool_paper_options *options);
    const struct tool_paper_plan *plan; /* all that it measures (rows.h), or NULL, and then: */
    int (*run)(const tool_paper_options *options, tool_report *report); /* an exit status; complains */
} tool_paper;

extern const tool_paper tool_paper_cpd2011, tool_paper_jair2010, tool_paper_knn2009, tool_paper_subgoal2011,
    tool_paper_tbaa2012;

/* Writes FOLDER/NAME.KIND and says so. Complains and returns false. */
bool tool_paper_write_result(const tool_paper_options *options, const tool_report *report, const char *name,
                             const char *kind, void (*write)(FILE *, const tool_report *));
/* index.c: the index of what these papers have written into the folder. TOOL_DONE or TOOL_WRONG. */
int tool_paper_write_index(const tool_paper *const *papers, size_t count, const tool_paper_options *options);

/* Maps and problems: maps.c ----------------------------------------------------------------------- */

/* A map that a paper uses. */
typedef struct tool_paper_map {
    const char *set, *name;        /* the file is SET/NAME.map in the folder of maps, or NAME.map */
    double min_length, max_length; /* of the problems; 0: any */
    int32_t width, height;         /* of a generated one in its place */
    wend_map_kind kind;            /* of a generated one */
    int32_t scale;                 /* every cell becomes so many cells by so many; 0: as it is */
    int32_t reduce;                /* of so many cells by so many only the middle one is kept; 0: all */
    int32_t coarse;                /* a generated one is so many times smaller and scaled up; 0: it is not */
    bool generated;
    wend_map *map;
    wend_scenario *problems;
} tool_paper_map;

/* Loads the maps, or generates those whose files are missing, and draws `problems` problems on each.
 * Complains and returns false if a file is there and can't be read. */
bool tool_paper_open_maps(const tool_paper_options *options, size_t problems, tool_paper_map *maps,
                          size_t count);
void tool_paper_close_maps(tool_paper_map *maps, size_t count);
/* How many problems there are per map, and how many of them are timed: one in `part`, unless set. */
void tool_paper_count_problems(const tool_paper_options *options, size_t whole, size_t quick, size_t part,
                               size_t *problems, size_t *timed);
/* The rules by their names, and in the report as settings. */
static inline const char *tool_paper_corners(const wend_rules *rules) {
    static const char *const names[] = {"any", "one", "strict"};
    return names[rules->corners];
}
static inline const char *tool_paper_diagonal(const wend_rules *rules) {
    return rules->diagonal == WEND_DIAGONAL_SQRT2 ? "sqrt2" : "1.4";
}
void tool_paper_describe_rules(tool_report *report, const tool_paper_options *options);
/* A table of them, and a note if any was generated. */
void tool_paper_describe_maps(tool_report *report, const tool_paper_map *maps, size_t count);

/* A map with what is true and what is believed of it, and problems there. */
typedef struct tool_paper_ground {
    const char *name;
    tool_terrain terrain;
    const wend_scenario *problems;
    wend_scenario *own_problems; /* where they are not the map's own */
} tool_paper_ground;

/* A ground a map. Where cells are blocked that agents do not know of, as many problems are drawn again on
 * what is left, so that all have a solution. Complains and returns false; to be closed in any case. */
bool tool_paper_open_grounds(const tool_paper_options *options, const tool_paper_map *maps, size_t count,
                             const tool_knowledge *knowledge, tool_paper_ground *grounds);
void tool_paper_close_grounds(tool_paper_ground *grounds, size_t count);
wend_cell tool_paper_cell(const tool_paper_ground *ground, wend_xy at);
/* Number `index` of `whole` problems of a ground that are spread evenly over all of them. */
size_t tool_paper_problem(const tool_paper_ground *ground, size_t index, size_t whole);

/* Jobs: jobs.c -------------------------------------------------------------------------- */

/* What one problem came to. Every field is a whole number of 64 bits: the store keeps them all. */
typedef struct tool_paper_result {
    uint64_t intervals, moves, expansions;
    uint64_t diagonal; /* of the moves */
    uint64_t operations, operations_max;
    uint64_t revisits;
    uint64_t learnt, cells; /* as wend_counters has them */
    uint64_t online_bytes;
    uint64_t finished;             /* 1, or 0 where it was cut at the most moves allowed */
    uint64_t plan_ns, step_ns_max; /* of jobs that are timed; otherwise 0 */
} tool_paper_result;

/* One planner on `count` problems of a ground, spread evenly over all of them, easy to hard. */
typedef struct tool_paper_job {
    char name[96]; /* what it is kept under: no blanks, no other job has it */
    const tool_paper_ground *ground;
    const char *planner;
    tool_interval interval;
    uint64_t max_moves; /* a run is cut there; 0: every problem must end at its goal */
    bool timed;         /* alone on the machine, with passes that measure times as `wend bench` does */
    size_t count;
    double weight;              /* expected work, in any unit, as if one thread did it */
    tool_paper_result *results; /* `count` of them, to be filled */
    /* Set by tool_paper_run_jobs, which cuts large jobs into parts: those of `whole` problems from `first`
     * on. */
    size_t first, whole;
} tool_paper_job;

typedef struct tool_paper_store tool_paper_store;

/* Does the jobs that the store does not have, and adds them to it, in parts of 30 problems (5 of timed ones).
 * They run on options->threads threads. Then those that are timed, or whose intervals are real time, run one
 * by one. The results do not depend on who does what, times apart. Every problem must end at its goal, unless
 * it may be cut. TOOL_DONE, TOOL_WRONG after a complaint, or TOOL_STOPPED after Ctrl-C, with what is done
 * kept. */
int tool_paper_run_jobs(const tool_paper_options *options, const char *what, tool_paper_store *store,
                        const tool_paper_job *jobs, size_t count);

/* A planner at work on a ground, from its text. `settings` are to be destroyed after the runner, in any case.
 * `interval` may be NULL. Complains and returns NULL. */
tool_runner *tool_paper_runner(const tool_paper_ground *ground, const char *planner,
                               const tool_interval *interval, wend_settings **settings);

/* Figures over the problems of jobs that are done: figures.c ------------------------------------- */

/* A figure of a problem: the length of the way that was gone; how much longer in per cent it is than the
 * shortest, a run that was cut being no better than that; expansions per move. */
typedef double tool_paper_measure(const tool_paper_job *job, size_t index);
tool_paper_measure tool_paper_length, tool_paper_suboptimality, tool_paper_expansions;

/* Suboptimality is in per cent. Runs that were cut count with what they had gone. NAN where there is nothing
 * to take a figure from. */
typedef struct tool_paper_summary {
    double problems, unfinished;
    double learnt, learnt_percent;       /* problems in which the heuristic of some cell was raised */
    double revisited, revisited_percent; /* problems in which it came to a cell where it had been */
    tool_report_mean suboptimality;      /* the mean of the problems' */
    double median, p95, worst;           /* of suboptimality */
    tool_report_mean expansions;         /* a move: the mean of the problems' */
    double moves, revisits;              /* a problem */
    double operations, operations_max;   /* a move, over all moves; of a step */
    double online_bytes, online_max;     /* the mean of the problems' peaks, and the largest of them */
    double cells;                        /* the mean of the problems' peaks */
    double move_ns;                      /* a move, over all moves; NAN unless timed, and where `busy` */
    bool busy;          /* the steps took longer than all of them at the longest: others had the processor */
    double step_ns_max; /* the longest step; NAN unless timed */
} tool_paper_summary;

/* Over all problems of all these jobs. Complains and returns false. */
bool tool_paper_summarise(const tool_paper_job *jobs, size_t count, tool_paper_summary *summary);

/* What has been done: store.c --------------------------------------------------------------------- */

/* The file PAPER.runs in options->folder. `head` is a text of whole lines with what the results depend on.
 * With options->resume a file with that head is continued: a last line that was cut is dropped; one with
 * another head is refused. Without, a file whose work was finished is replaced, and any other is refused, so
 * that nobody loses hours by forgetting an option. Complains and returns NULL. */
tool_paper_store *tool_paper_store_open(const tool_paper_options *options, const char *paper,
                                        const char *head);
/* The usual head: version, seed, rules, problems per map, and the maps, which must be open. */
void tool_paper_write_head(const tool_paper_options *options, const char *paper, size_t problems,
                           const tool_paper_map *maps, size_t count, char *head, size_t size);
void tool_paper_store_close(tool_paper_store *store); /* NULL is fine */
const char *tool_paper_store_path(const tool_paper_store *store);
/* Fills job->results; false where the store does not have it. */
bool tool_paper_store_get(const tool_paper_store *store, const tool_paper_job *job);
/* From any thread. Both complain and return false. */
bool tool_paper_store_add(tool_paper_store *store, const tool_paper_job *job);
bool tool_paper_store_finish(tool_paper_store *store);

#endif
