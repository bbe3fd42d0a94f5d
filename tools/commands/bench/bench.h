/* What the parts of `wend bench` share: the problems, and what one planner made of them. */
#ifndef WEND_TOOLS_COMMANDS_BENCH_BENCH_H
#define WEND_TOOLS_COMMANDS_BENCH_BENCH_H

#include "runner/runner.h"

typedef struct bench_problem {
    size_t index; /* in the scenario, from 0 */
    wend_cell start, goal;
    bool skipped; /* solvable on the map as loaded, but not on the one that a part was blocked of */
    bool solvable;
    wend_cost optimal;     /* of solvable ones */
    double optimal_length; /* the same for people */
    double stated;         /* by the scenario; not above 0: it does not say */
} bench_problem;

typedef struct bench_task {
    const wend_map *map; /* as loaded */
    const tool_common *common;
    const char *map_name;                 /* without its folder */
    const char *map_path, *scenario_path; /* as they were written */
    tool_terrain terrain;                 /* what is true of it */
    const tool_edits *edits;              /* NULL without a file of them */
    const char *knowledge_text;           /* as it was written, "known" unless given */
    const char *edits_text;               /* as it was written; NULL without */
    const char *edits_name;               /* without its folder */
    bench_problem *problems;
    size_t count;
    uint64_t limit, shard, shards; /* of the problems; UINT64_MAX, 1 and 1: all of them */
    uint64_t max_moves, seed;
    bool timed;   /* otherwise one pass, that counts */
    bool machine; /* results say which machine they are of, and when */
    tool_interval interval;
    const char *interval_text; /* as it was written; NULL without one */
    int threads;
    bool quiet;
} bench_task;

/* In nanoseconds. */
typedef struct bench_times {
    uint64_t plan;     /* the whole problem: the least of the passes without clocks inside, or the sum of its
                          steps where steps end by the clock */
    uint64_t plan_max; /* its longest step */
    uint64_t first_move;
} bench_times;

/* One planner's runs, in the order of the problems. */
typedef struct bench_runs {
    const char *planner;  /* its label, or as it was written */
    const char *settings; /* without the label */
    tool_text steps;
    tool_run *runs;
    bench_times *times;
    uint32_t *step_times; /* of all calls of all runs, one run after another: see tool_bench_nanoseconds */
    size_t calls;
    uint64_t
        first_pass_max; /* ns: the longest call of the pass on record, before which nothing was touched */
    size_t db_bytes;
    double build_seconds; /* of the database; NAN without one, or where it is not known */
    double *detours; /* per cent, with edits: see tool_bench_judge; NAN where there was nothing to judge */
} bench_runs;

/* Of a mean: the standard deviation of one value, and the 95% interval of the mean. Not finite where there are too
 * few values. */
typedef struct bench_spread {
    double deviation, low, high;
} bench_spread;

/* The figures over all problems. NAN where there is nothing to take them from. Suboptimality is that of the
 * problems that arrived; other means are over the arrived and the unfinished, maxima and the percentile of
 * times over all that ran. */
typedef struct bench_summary {
    size_t problems, skipped, statuses[TOOL_RUN_STATUSES];
    /* Over all that have a path, arrived or not, with the larger of the cost so far and the optimal: at least
     * so far over optimal are they all. */
    double suboptimality_bound_mean;
    bool busy; /* the steps took longer than all of them at the longest: there is no mean time then */
    double suboptimality_mean, suboptimality_median, suboptimality_p95, suboptimality_max;
    bench_spread suboptimality, expansions;
    double moves_mean, intervals_mean, expansions_mean, revisits_mean;
    double move_ns_mean, move_ns_p999, move_ns_max, first_move_ns_mean, first_pass_ns_max;
    double online_bytes_mean;
    double waits_mean, detour_mean, detour_max; /* the detours with edits alone */
    uint64_t operations_max;
    size_t online_bytes_max;
} bench_summary;

/* What summaries take of a run: of it, or of its line of results. */
typedef struct bench_record {
    tool_run_status status;
    double suboptimality, so_far, detour; /* as the functions below have them */
    uint64_t moves, intervals, waits, expansions, revisits, operations_max, online_bytes;
    uint64_t plan, plan_max, first_move; /* in ns */
} bench_record;

/* pairs.c: the maps and their problems, from MAP SCEN [MAP SCEN]... or FOLDER. Complains and returns false; to be
 * freed in any case. */
typedef struct bench_pair {
    char *map, *scenario;
} bench_pair;
typedef struct bench_pairs {
    bench_pair *list;
    size_t count, capacity;
} bench_pairs;
bool tool_bench_find_pairs(const char *const *words, size_t count, bench_pairs *pairs);
void tool_bench_free_pairs(bench_pairs *pairs);

/* Reads I/N, the part I of N. False unless I is from 1 to N. */
bool tool_bench_shard(const char *text, uint64_t *shard, uint64_t *shards);

/* optimal.c: fills in what the true map, as it is when a run starts, allows at best, and which problems
 * are skipped; on bench->threads threads. */
bool tool_bench_solve(bench_task *bench);

/* stated.c: says where the scenario's own optimal lengths are others, and which rules they are of. */
bool tool_bench_compare_stated(const bench_task *bench);

/* measure.c: records and times all runs. All complain and return false on failure. */
bool tool_bench_measure(const bench_task *bench, tool_runner *runner, bench_runs *runs);
/* Records them only, all threads at work: `settings` are the planner's. Times are 0. */
bool tool_bench_count(const bench_task *bench, tool_runner *runner, const wend_settings *settings,
                      bench_runs *runs);
void tool_bench_runs_destroy(bench_runs *runs);
/* judge.c, after the runs of a planner: walks every one of them once more on the map as it was at each step, and
 * fills in runs->detours. Complains and returns false where a planner was wrong: it gave up with a path before it.
 * Without edits it does nothing. */
bool tool_bench_judge(const bench_task *bench, bench_runs *runs);
/* Per cent; 0 exactly where the costs are equal; NAN where there is no path or nothing to compare: runs that
 * did not arrive, unless they were cut. */
double tool_bench_suboptimality(const bench_task *bench, const bench_problem *problem, const tool_run *run);
/* The same, also of runs that ran out of memory. */
double tool_bench_so_far(const bench_task *bench, const bench_problem *problem, const tool_run *run);
/* A step's time as it is kept in 32 bits: ns below 2^31, beyond that (the top bit set) units of 1,024 ns. The
 * order is that of the times. */
uint32_t tool_bench_pack_time(uint64_t nanoseconds);
uint64_t tool_bench_nanoseconds(uint32_t packed);

/* A few words. */
typedef struct bench_text {
    char text[192];
} bench_text;

/* summary.c: of records without those that were skipped. Intervals are drawn from `seed`. The percentile of times is
 * left NAN. Both complain and return false. */
bool tool_bench_sum_up(const bench_record *records, size_t count, size_t skipped, bool timed, uint64_t seed,
                       bench_summary *summary);
bool tool_bench_summarise(const bench_task *bench, const bench_runs *runs, bench_summary *summary);

/* What a line with a summary says besides. */
typedef struct bench_about {
    const char *planner, *settings, *map, *interval, *knowledge, *edits; /* NULL: there is none */
    uint64_t sensor, repair, db_bytes;                                   /* 0: there is none */
    double build_seconds;
} bench_about;

/* Where rows go; NULL: nowhere. */
typedef struct bench_sinks {
    FILE *json, *csv;
    bool named; /* the columns of csv */
} bench_sinks;

/* report.c */
bench_text tool_bench_ends(const bench_summary *summary); /* how many ended otherwise than by arriving */
/* Before the rows of a map's planners: where they come from. */
void tool_bench_write_run(const bench_sinks *sinks, const bench_task *bench);
void tool_bench_write_rows(bench_sinks *sinks, const bench_task *bench, const bench_runs *runs,
                           const bench_summary *summary);
void tool_bench_write_summary(FILE *file, const bench_about *about, const bench_summary *summary);
void tool_bench_write_moves(FILE *file, const bench_task *bench, const bench_runs *runs);
void tool_bench_print_head(const bench_task *bench);
void tool_bench_print_row(const bench_task *bench, const bench_runs *runs, const bench_summary *summary);

/* html.c: the page. Planners are added as they are done; the bench and what it refers to must stay. All
 * complain and return NULL or false. */
typedef struct bench_page bench_page;
enum { BENCH_SHOWN = 32 };
/* The files that it leads to, by their paths; NULL: none. All must stay. */
typedef struct bench_files {
    const char *page, *map, *scenario, *json, *moves;
    const char *shown[BENCH_SHOWN]; /* FILE or FILE=WORDS */
    int shown_count;
} bench_files;
/* Whether what is to be shown is there, and the page can lead to it; complains. */
bool tool_bench_files_check(const bench_files *files);
bench_page *tool_bench_page_create(const bench_task *bench, const bench_files *files);
void tool_bench_page_destroy(bench_page *page); /* NULL is fine */
bool tool_bench_page_add(bench_page *page, const bench_runs *runs, const bench_summary *summary,
                         const wend_settings *settings);
bool tool_bench_page_write(bench_page *page, FILE *file);

#endif
