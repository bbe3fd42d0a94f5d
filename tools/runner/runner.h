/* A planner at work: prepared for a map, set on a problem, stepped until it ends; and its run on record. */
#ifndef WEND_TOOLS_RUNNER_RUNNER_H
#define WEND_TOOLS_RUNNER_RUNNER_H

#include "runner/database.h"
#include "runner/terrain.h"
#include "runner/trace.h"

/* What a step is. Without one, the planner's own: it plans with its `k` and may move at once. With one, an
 * interval of the game time model (wend_agent_interval): the first is search only. */
typedef struct tool_interval {
    uint64_t expansions;  /* the budget of each, in place of the planner's `k`; 0: none */
    uint64_t nanoseconds; /* by the clock, where there is no budget; 0: none */
} tool_interval;

static inline bool tool_interval_given(const tool_interval *interval) {
    return interval->expansions || interval->nanoseconds;
}
/* From "50" (expansions) or "0.3ms"; complains and returns false. */
bool tool_interval_parse(const char *text, tool_interval *interval);

typedef struct tool_runner tool_runner;

/* Opens the database that its key `db` names, or shares it with other runners on
 * the same map. `settings` and what `terrain` refers to must outlive the runner and stay as they are.
 * `interval` may be NULL. Complains and returns NULL. */
tool_runner *tool_runner_create(const tool_terrain *terrain, const wend_settings *settings,
                                const tool_interval *interval);
void tool_runner_destroy(tool_runner *runner);
const wend_db *tool_runner_db(const tool_runner *runner); /* the database that it has; NULL without one */
/* Gives back its world and workspaces until the next reset. It keeps its database open. */
void tool_runner_rest(tool_runner *runner);
/* Says on stderr, once, that its database contradicts the map. */
void tool_runner_blame_db(const tool_runner *runner);
/* From the next start on every run goes into this trace; NULL: none does. */
void tool_runner_set_trace(tool_runner *runner, tool_trace *trace);
/* Before each problem: the map as it was at first, and nothing seen of it. Complains and returns false. */
bool tool_runner_reset(tool_runner *runner);
/* Both cells must be open in truth. Nothing is left over from the problem before, if the runner was reset.
 * WEND_STATUS_BLOCKED if the agent believes that the goal is blocked. */
wend_status tool_runner_start(tool_runner *runner, wend_cell start, wend_cell goal);
/* The same task once more, from its start, with all that was seen and learnt. */
wend_status tool_runner_again(tool_runner *runner);
/* Not to be called once the goal is reached or a step has ended otherwise than by a move or a wait, except
 * that an unreachable goal may be opened by an edit that is still to come. */
void tool_runner_step(tool_runner *runner, wend_step *step);
/* Whether the map changes before the next step, or what joins its parts is still to be worked out after a
 * change, or a database to be repaired: then tool_runner_tick, which complains and returns false, must come
 * before the step. Two calls, so that the planner's time can be taken without it. */
bool tool_runner_due(const tool_runner *runner);
bool tool_runner_tick(tool_runner *runner);
bool tool_runner_changes(const tool_runner *runner);           /* whether there are edits still to come */
const wend_map *tool_runner_map(const tool_runner *runner);    /* the true map as it is now */
wend_counters tool_runner_counters(const tool_runner *runner); /* since the start */
uint64_t tool_runner_searches(const tool_runner *runner);      /* begun since the start */
const wend_knowledge *tool_runner_knowledge(const tool_runner *runner); /* NULL for one that knows the map */
size_t tool_runner_online_bytes(const tool_runner *runner);   /* used for the current problem, at most */
size_t tool_runner_reserved_bytes(const tool_runner *runner); /* set aside: tables, workspaces, knowledge */
size_t tool_runner_db_bytes(const tool_runner *runner);       /* of the database; 0 without one */
double tool_runner_build_seconds(const tool_runner *runner);  /* of it; NAN where that is not known */

typedef enum tool_run_status {
    TOOL_RUN_ARRIVED,
    TOOL_RUN_UNREACHABLE,
    TOOL_RUN_UNFINISHED, /* cut at the most moves allowed */
    TOOL_RUN_OUT_OF_MEMORY,
    TOOL_RUN_REFUSED,      /* start or goal is blocked, or believed to be: nothing was run */
    TOOL_RUN_STOPPED,      /* by Ctrl-C, where a command has asked for that (tool_catch_interrupts) */
    TOOL_RUN_BAD_DATABASE, /* the planner's database contradicts the map: said on stderr */
    TOOL_RUN_STATUSES
} tool_run_status;

const char *tool_run_status_name(tool_run_status status); /* as files of moves have it */

typedef struct tool_run {
    tool_run_status status;
    wend_cell start, goal;
    size_t first_step; /* where its steps stand in the text they were added to */
    size_t steps;      /* moves + waits: the intervals */
    size_t calls;      /* of tool_runner_step: the steps, and one more if the last neither moved nor waited */
    uint64_t straight, diagonal, waits;
    uint64_t expansions, operations, operations_max; /* the last: of the most expensive call */
    uint64_t revisits;                               /* moves to a cell where it had been before */
    uint64_t learnt, cells;                          /* as wend_counters has them */
    size_t online_bytes, reserved_bytes;
} tool_run;

/* A text that grows: a digit a move, `w` a wait. */
typedef struct tool_text {
    char *data;
    size_t size, capacity;
} tool_text;

bool tool_text_add(tool_text *text, char letter); /* false: out of memory, said on stderr */

/* Times of calls in nanoseconds, one after another where they are kept, and the longest. */
typedef struct tool_times {
    bool kept;
    uint64_t *data;
    size_t count, capacity;
    uint64_t longest;
} tool_times;

/* The most moves of a run on this map, unless an option says otherwise, and the most waits between two moves
 * of any run. Far beyond what planners take that arrive, and little enough to be kept in memory. */
uint64_t tool_usual_moves(const wend_map *map);

/* Runs one problem to its end or to `max_moves` moves, adds its steps to `steps` and, unless `times` is NULL,
 * the time of each call to `times`. While edits are still to come, an agent that says 'unreachable' waits for
 * them; on such a terrain `max_moves` counts waits too, so that every run with a cap ends. Every move is
 * checked against the map as it is then. False, after a complaint, if the tool itself fails or the planner
 * breaks the rules. */
bool tool_run_record(tool_runner *runner, wend_cell start, wend_cell goal, uint64_t max_moves,
                     tool_text *steps, tool_times *times, tool_run *run);
/* The same for tool_runner_again: one more run of the task of the last record. */
bool tool_run_record_again(tool_runner *runner, uint64_t max_moves, tool_text *steps, tool_run *run);

/* A run's own steps in the text they were added to, which is NULL while it is empty. */
static inline const char *tool_run_steps(const tool_run *run, const tool_text *steps) {
    return steps->data ? steps->data + run->first_step : "";
}

static inline uint64_t tool_run_moves(const tool_run *run) {
    return run->straight + run->diagonal;
}
wend_cost tool_run_cost(const tool_run *run, const wend_map *map);
double tool_run_length(const tool_run *run, const wend_map *map);

#endif
