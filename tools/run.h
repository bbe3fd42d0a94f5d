/* A planner at work: prepared for a map, set on a problem, stepped until it ends; and a run of it on record.
 */
#ifndef WEND_RUN_H
#define WEND_RUN_H

#include "tool.h"

/* How a step ended. */
typedef enum tool_outcome {
    TOOL_MOVED,
    TOOL_WAITING, /* still searching: it stands for this interval */
    TOOL_ARRIVED, /* it stands on the goal: there was nothing to do */
    TOOL_UNREACHABLE,
    TOOL_OUT_OF_MEMORY
} tool_outcome;

typedef struct tool_step {
    tool_outcome outcome;
    wend_direction direction; /* where it moved */
    uint64_t expansions, operations;
} tool_step;

typedef struct tool_runner tool_runner;

/* `map` must outlive the runner and stay as it is. Complains and returns NULL. */
tool_runner *tool_runner_create(const wend_map *map, const wend_settings *settings);
void tool_runner_destroy(tool_runner *runner);
/* Both cells must be open. Nothing is left over from the problem before. */
void tool_runner_start(tool_runner *runner, wend_cell start, wend_cell goal);
void tool_runner_step(tool_runner *runner, tool_step *step);
size_t tool_runner_online_bytes(const tool_runner *runner);   /* used for the current problem, at most */
size_t tool_runner_reserved_bytes(const tool_runner *runner); /* set aside, tables included */
size_t tool_runner_db_bytes(const tool_runner *runner);       /* of the database; 0 without one */

typedef enum tool_run_status {
    TOOL_RUN_ARRIVED,
    TOOL_RUN_UNREACHABLE,
    TOOL_RUN_UNFINISHED, /* cut at the most moves allowed */
    TOOL_RUN_OUT_OF_MEMORY,
    TOOL_RUN_REFUSED, /* start or goal is blocked: nothing was run */
    TOOL_RUN_STATUSES
} tool_run_status;

const char *tool_run_status_name(tool_run_status status); /* as files of moves have it */

typedef struct tool_run {
    tool_run_status status;
    wend_cell start, goal;
    size_t first_step; /* where its steps stand in the text they were added to */
    size_t steps;      /* moves + waits: the intervals */
    size_t
        calls; /* of tool_runner_step: the steps, and one more where the last call neither moved nor waited */
    uint64_t straight, diagonal, waits;
    uint64_t expansions, operations, operations_max; /* the last: of the dearest call */
    uint64_t revisits;                               /* moves to a cell where it had been before */
    size_t online_bytes, reserved_bytes;
} tool_run;

/* A text that grows: a digit a move, `w` a wait. */
typedef struct tool_text {
    char *data;
    size_t size, capacity;
} tool_text;

bool tool_text_add(tool_text *text, char letter); /* false: out of memory, said on stderr */

/* Runs one problem to its end or to `max_moves` moves and adds its steps to `steps`. Every move is checked
 * against the map. False, after a complaint, if the tool itself fails or the planner breaks the rules. */
bool tool_run_record(tool_runner *runner, const wend_map *map, wend_cell start, wend_cell goal,
                     uint64_t max_moves, tool_text *steps, tool_run *run);

static inline uint64_t tool_run_moves(const tool_run *run) {
    return run->straight + run->diagonal;
}
wend_cost tool_run_cost(const tool_run *run, const wend_map *map);
double tool_run_length(const tool_run *run, const wend_map *map);

#endif
