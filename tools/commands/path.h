/* What the parts of `wend path` share. */
#ifndef WEND_TOOLS_COMMANDS_PATH_H
#define WEND_TOOLS_COMMANDS_PATH_H

#include "runner/runner.h"

typedef struct path_words {
    const char *map, *start, *goal, *planner, *knowledge, *sensor, *max_runs, *max_moves, *json, *draw,
        *trace;
    bool repeat;
} path_words;

/* The problem, once the words have been understood. */
typedef struct path_task {
    const path_words *words;
    const wend_settings *settings; /* NULL: no planner, but one search for the path */
    const tool_terrain *terrain;
    wend_cell start, goal;
    uint64_t max_runs, max_moves; /* the latter of each run */
    const char *knowledge;        /* in words */
    tool_trace *trace;            /* or NULL */
} path_task;

/* Standard output holds one thing at a time: whether a file takes it. */
bool tool_path_output_taken(const path_words *words);
/* The beginning of an object, without its closing brace: planner, map, knowledge, start, goal, status. */
void tool_path_begin_json(FILE *file, const path_task *task, tool_run_status status);
/* A picture of the runs, the last one on top, on the map; what the agent never saw is dim. */
bool tool_path_draw(const path_task *task, const tool_runner *runner, const tool_run *runs, size_t count,
                    const tool_text *steps);

/* Says on stderr that a run was cut. */
void tool_path_say_cut(const path_task *task);
/* A shortest path on `map` by wend_search_find, whose moves go to `moves` unless that is NULL. `bytes`, unless
 * NULL: what the search has touched, and what it holds. False after a complaint. */
bool tool_path_solve(const path_task *task, const wend_map *map, wend_result *result, wend_direction **moves,
                     size_t bytes[2]);

/* path_repeat.c: `--repeat`. Returns an exit status. */
int tool_path_repeat(const path_task *task);

#endif
