/* Changes of the map that `wend bench --edits` draws at random, and what planners make of changing ground. */
#ifndef WEND_TOOLS_COMMANDS_BENCH_EDITS_H
#define WEND_TOOLS_COMMANDS_BENCH_EDITS_H

#include "commands/bench/bench.h"

/* Whether the text of --edits describes edits to be drawn, and is not the name of a file: a number, with or
 * without a % behind it, alone or followed by a colon. A file of such a name is written ./NAME. */
bool tool_edits_described(const char *text);
/* Draws them: see the help of `wend bench`. The same text, map and seed give the same edits. Complains and
 * returns false. */
bool tool_edits_draw(const char *text, const wend_map *map, uint64_t seed, tool_edits *edits);

/* After the runs of a planner: walks every one of them once more on the map as it was at each step, and fills
 * in runs->detours. Complains and returns false where a planner was wrong: it gave up with a path before it.
 * Without edits it does nothing. */
bool tool_bench_judge(const bench_task *bench, bench_runs *runs);

#endif
