/* Search traces in the format of Posthoc, version 1.4.0: what a planner did on a problem, event by event, to
 * be looked at step by step. The format: an object with `version`, `views` (how events are drawn), `pivot`
 * and `events`, each with a `type` and an `id` and, where it has one, the `pId` of its parent. It is written
 * as JSON, which is YAML too.
 *
 * Types here: `source` and `destination` begin a run; `expanding` is a cell that a search expanded (its id is
 * the cell's number), `learning` one whose heuristic was raised, `subgoal` a cell that the agent heads for
 * from now on; `moving` and `waiting` end a step (their ids are m1, m2 ... by step, each the child of the
 * move before); `end` says how the run ended, or that the trace is `cut`, having TOOL_TRACE_EVENTS events.
 * Costs are lengths: a straight move is 1. */
#ifndef WEND_TOOLS_RUNNER_TRACE_H
#define WEND_TOOLS_RUNNER_TRACE_H

#include "cli/tool.h"

/* About 150 MB. Nothing shows more of them. */
enum { TOOL_TRACE_EVENTS = 1000000 };

typedef struct tool_trace tool_trace;

/* Begins to write. The map is the true one; file and map outlive the trace. Complains and returns NULL. */
tool_trace *tool_trace_create(FILE *file, const wend_map *map);
/* Ends what is written. Complains and returns false if some of it was lost since memory ran out; the file may
 * have failed on its own account. */
bool tool_trace_finish(tool_trace *trace);
void tool_trace_destroy(tool_trace *trace); /* NULL is fine */

/* What the agent, or without one the search, is to be watched with. */
const wend_watch *tool_trace_watch(const tool_trace *trace);
/* A run begins: an agent that was just started, or NULL for a planner without one. */
void tool_trace_begin(tool_trace *trace, const wend_agent *agent, wend_cell start, wend_cell goal);
/* After each step. */
void tool_trace_step(tool_trace *trace, const wend_step *step);

#endif
