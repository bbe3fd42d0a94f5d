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

#define TOOL_EDITS_USAGE "[--edits FILE|PCT[:KEY=VALUE]...] [--repair OPS]"
#define TOOL_EDITS_HELP                                                                                      \
    "  --edits PCT[:KEY=VALUE]...  the same, drawn at random: squares of cells, until PCT per cent as "      \
    "many\n"                                                                                                 \
    "                            cells as MAP has open have been changed. `10:block=16:when=during`\n"       \
    "                            kind=close|open|both  what becomes of a square; both: in turn (close)\n"    \
    "                            block=N               its side in cells, 1 to 1024 (1)\n"                   \
    "                            when=start|during     all before step 0, or one after another (start)\n"    \
    "                            every=N               steps from one to the next, with during (1)\n"        \
    "                            seed=N                in place of --seed\n"                                 \
    "                            With edits a line tells the waits a problem and the detour: by how many\n"  \
    "                            per cent the moves cost more than they came nearer to the goal, each one\n" \
    "                            held against the shortest path on the map as it was then\n"                 \
    "  --repair OPS              path databases (cpd) and atlases are repaired while agents walk, by OPS\n"  \
    "                            operations before each step, until they are right for the edited map.\n"    \
    "                            Not in the planner's times. (default: not repaired)\n"

#endif
