/* What the reproductions of papers share: their options, maps, problems and runs. A paper is one file and one
 * row in the table of paper.c. */
#ifndef WEND_TOOLS_PAPER_H
#define WEND_TOOLS_PAPER_H

#include "report.h"
#include "run.h"

typedef struct tool_paper_options {
    const char *maps; /* the folder of maps; NULL: generated ones */
    bool quick;
    size_t problems;    /* a map; 0: as many as the paper has, or a tenth of them with `quick` */
    size_t ms_problems; /* of those in tables by real milliseconds; SIZE_MAX: the paper's choice */
    wend_map_options map;
    uint64_t seed;
    int threads;
    bool quiet;
} tool_paper_options;

typedef struct tool_paper {
    const char *name;                                                    /* "tbaa2012" */
    const char *title;                                                   /* of the report */
    bool (*run)(const tool_paper_options *options, tool_report *report); /* complains and returns false */
} tool_paper;

extern const tool_paper tool_paper_tbaa2012;

/* A map that a paper uses. */
typedef struct tool_paper_map {
    const char *set, *name; /* the file is SET/NAME.map in the folder of maps, or NAME.map */
    int32_t width, height;  /* for a generated one in its place */
    wend_map *map;
    bool generated;
    wend_scenario *problems;
} tool_paper_map;

/* Loads the maps, or generates those whose files are missing, and draws `problems` problems on each.
 * Complains and returns false if a file is there and can't be read. */
bool tool_paper_open_maps(const tool_paper_options *options, size_t problems, tool_paper_map *maps,
                          size_t count);
void tool_paper_close_maps(tool_paper_map *maps, size_t count);
/* A table of them, and a note if any was generated. */
void tool_paper_describe_maps(tool_report *report, const tool_paper_map *maps, size_t count);

/* One planner on `count` problems of a map, spread evenly over all of them, easy to hard. The results go to
 * element 0 to count - 1 of what is not NULL. */
typedef struct tool_paper_job {
    const tool_paper_map *map;
    const char *planner;
    tool_interval interval;
    size_t count;
    double *intervals, *moves, *expansions;
} tool_paper_job;

/* Runs all jobs on `threads` threads; the results do not depend on their number. Every problem must end at
 * its goal: otherwise, and for a planner that can't be parsed, complains and returns false. */
bool tool_paper_run_jobs(const tool_paper_options *options, const char *what, const tool_paper_job *jobs,
                         size_t count, int threads);

#endif
