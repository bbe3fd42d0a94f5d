/* What the parts of the page of `wend bench --html` share. */
#ifndef WEND_TOOLS_COMMANDS_BENCH_HTML_H
#define WEND_TOOLS_COMMANDS_BENCH_HTML_H

#include "commands/bench/bench.h"
#include "report/report.h"
#include "shared/text.h"

enum {
    BENCH_PAGE_BINS = 112, /* of times: eight a decade, from 1 ns to a day */
    BENCH_PAGE_WORST = 3,  /* problems of each planner that are listed */
    BENCH_PAGE_WAYS = 9    /* on the map at the top */
};

/* What a planner has to work with: planners of one family look alike in plots. */
typedef enum bench_family { BENCH_DATABASE, BENCH_WHOLE, BENCH_BOUNDED, BENCH_FAMILIES } bench_family;

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
    char *db;      /* its file; NULL: none */
    bench_family family;
    bench_summary summary;
    size_t db_bytes;
    double build_seconds;
    uint64_t bins[BENCH_PAGE_BINS]; /* steps by their times */
    bench_bad worst[BENCH_PAGE_WORST];
    size_t worst_count;
    tool_text steps; /* of worst[0] */
    tool_run ways[BENCH_PAGE_WAYS];
    size_t way_count;
    tool_text way_steps; /* of all of them */
} bench_entry;

struct bench_page {
    const bench_task *bench;
    const bench_files *files; /* NULL: it leads to none */
    bench_entry *entries;
    size_t count;
};

/* What a planner is called on the page: a name that no other has. */
const char *tool_bench_label(const bench_page *page, size_t index);
/* "25 ns" for "25ns". */
shared_quantity tool_bench_spaced(shared_quantity quantity);
/* Whether it came to the end of every problem. One whose runs were cut has gone only a part of its ways: its
 * mean can't be held against others'. */
bool tool_bench_comparable(const bench_entry *entry);

/* top.c: what the page begins with. All complain and return false. Keeps some of the ways of a planner. */
bool tool_bench_keep_ways(const bench_task *bench, const bench_runs *runs, bench_entry *entry);
/* Which planner to use, in a sentence. */
void tool_bench_show_answer(const bench_page *page, tool_report *report);
/* The map with ways on it, and the first moving picture of those to be shown. */
bool tool_bench_show_map(const bench_page *page, tool_report *report);
/* The other pictures. */
void tool_bench_show_pictures(const bench_page *page, tool_report *report);
/* Links to all files. */
void tool_bench_show_files(const bench_page *page, tool_report *report);

/* worst.c: notes the problems that the planner did worst on, and the moves of the first of them. Both
 * complain and return false. */
bool tool_bench_find_worst(const bench_task *bench, const bench_runs *runs, bench_entry *entry);
/* A table of them, and pictures of the worst of each planner. */
bool tool_bench_show_worst(const bench_page *page, tool_report *report);

#endif
