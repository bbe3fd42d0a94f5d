/* What the parts of the page of `wend bench --html` share. */
#ifndef WEND_TOOLS_COMMANDS_BENCH_HTML_H
#define WEND_TOOLS_COMMANDS_BENCH_HTML_H

#include "commands/bench/bench.h"
#include "report/report.h"

enum {
    BENCH_PAGE_BINS = 112, /* of times: eight a decade, from 1 ns to a day */
    BENCH_PAGE_WORST = 3   /* problems of each planner that are listed */
};

/* A problem that a planner did badly on. */
typedef struct bench_bad {
    size_t index; /* among those of the bench */
    tool_run run;
    double over; /* suboptimality in per cent; NAN where there is nothing to compare */
    uint64_t plan;
} bench_bad;

/* What is kept of a planner. */
typedef struct bench_entry {
    char *planner; /* as it was written */
    char *label;   /* without the database's name */
    bench_summary summary;
    size_t db_bytes;
    double build_seconds;
    uint64_t bins[BENCH_PAGE_BINS]; /* steps by their times */
    bench_bad worst[BENCH_PAGE_WORST];
    size_t worst_count;
    tool_text steps; /* of worst[0] */
} bench_entry;

struct bench_page {
    const bench_task *bench;
    bench_entry *entries;
    size_t count;
};

/* What a planner is called on the page: its label, or as it was written where others have the same. */
const char *tool_bench_label(const bench_page *page, size_t index);

/* worst.c: notes the problems that the planner did worst on, and the moves of the first of them. Both
 * complain and return false. */
bool tool_bench_find_worst(const bench_task *bench, const bench_runs *runs, bench_entry *entry);
/* A table of them, and pictures of the worst of each planner. */
bool tool_bench_show_worst(const bench_page *page, tool_report *report);

#endif
