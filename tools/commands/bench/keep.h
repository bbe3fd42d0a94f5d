/* FILE.runs, beside the first file of results: what `wend bench` has measured of each planner, added as soon as
 * the planner is done, so that --resume need not measure it again. */
#ifndef WEND_TOOLS_COMMANDS_BENCH_KEEP_H
#define WEND_TOOLS_COMMANDS_BENCH_KEEP_H

#include "commands/bench/bench.h"

typedef struct bench_keep bench_keep;

/* Opens the file beside `results`, for this process alone. With `resume`, what is in it must come from the same
 * map, problems, options, seed and version; without, it begins empty. Refused in both cases: a file that no bench
 * has written. Complains and returns NULL. */
bench_keep *tool_bench_keep_open(const char *results, const bench_task *bench, bool resume);
/* The runs of the planner whose settings `runs` names, if they are there, to be destroyed. `db` is its database or
 * NULL: another one of the same name is not taken for it. */
bool tool_bench_keep_get(const bench_keep *keep, const wend_db *db, bench_runs *runs);
/* Complains and returns false. */
bool tool_bench_keep_add(bench_keep *keep, const wend_db *db, const bench_runs *runs);
size_t tool_bench_keep_count(const bench_keep *keep); /* of planners in it */
/* NULL is fine. Removes the file unless `stays`, or if there is nothing in it. */
void tool_bench_keep_close(bench_keep *keep, bool stays);

#endif
