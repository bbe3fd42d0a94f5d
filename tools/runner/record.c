/* One run on record: what was done, and whether it was allowed. */
#include "runner/runner.h"
#include "shared/order.h"
#include "shared/text.h"

#include <stdlib.h>

const char *tool_run_status_name(tool_run_status status) {
    static const char *const names[TOOL_RUN_STATUSES] = {
        "arrived", "unreachable", "unfinished", "out-of-memory", "refused", "stopped", "bad-database"};
    return names[status];
}

bool tool_text_add(tool_text *text, char letter) {
    char *data = tool_grown(text->data, text->size, &text->capacity, 1, "the moves of the runs");
    if (data) (text->data = data)[text->size++] = letter;
    return data != NULL;
}

wend_cost tool_run_cost(const tool_run *run, const wend_map *map) {
    return run->straight * wend_map_move_cost(map, 0) + run->diagonal * wend_map_move_cost(map, 1);
}

double tool_run_length(const tool_run *run, const wend_map *map) {
    return wend_map_length(map, run->straight, run->diagonal);
}

static bool add_time(tool_times *times, uint64_t nanoseconds) {
    if (nanoseconds > times->longest) times->longest = nanoseconds;
    if (!times->kept) return true;
    uint64_t *data =
        tool_grown(times->data, times->count, &times->capacity, sizeof *data, "the times of the runs");
    if (data) (times->data = data)[times->count++] = nanoseconds;
    return data != NULL;
}

/* Moves to cells visited before, the start included. Sorts the cells of the run instead of marking cells of
 * the map, so that the memory is that of the run. */
static bool count_revisits(const wend_map *map, const tool_text *steps, tool_run *run) {
    size_t count = (size_t)tool_run_moves(run) + 1;
    if (count == 1) return true;
    wend_cell *cells = malloc(count * sizeof *cells);
    if (!cells) {
        (void)tool_wrong("out of memory for the cells of a run");
        return false;
    }
    count = shared_step_cells(map, run->start, tool_run_steps(run, steps), run->steps, cells);
    qsort(cells, count, sizeof *cells, shared_by_uint32);
    for (size_t i = 1; i < count; i++) run->revisits += cells[i] == cells[i - 1];
    free(cells);
    return true;
}

static bool breaks_rules(const wend_map *map, const tool_run *run, wend_cell at, const char *what) {
    wend_xy start = wend_map_xy(map, run->start), goal = wend_map_xy(map, run->goal),
            stood = wend_map_xy(map, at);
    (void)tool_wrong("the planner is wrong: %s at %d,%d, on the way from %d,%d to %d,%d", what, (int)stood.x,
                     (int)stood.y, (int)start.x, (int)start.y, (int)goal.x, (int)goal.y);
    return false;
}

enum { MOVES_PER_CELL = 1000, LEAST_MOVES = 10000000 };

uint64_t tool_usual_moves(const wend_map *map) {
    uint64_t moves = (uint64_t)MOVES_PER_CELL * wend_map_open_cells(map);
    return moves > LEAST_MOVES ? moves : LEAST_MOVES;
}

/* With the task set: steps until it ends. */
static bool walk(tool_runner *runner, uint64_t max_moves, tool_text *steps, tool_times *times,
                 tool_run *run) {
    bool edited = tool_runner_changes(runner);
    uint64_t most_waits = tool_usual_moves(tool_runner_map(runner)), still = 0;
    run->status = TOOL_RUN_ARRIVED;
    for (wend_cell at = run->start; at != run->goal;) {
        if ((edited ? run->steps : tool_run_moves(run)) >= max_moves || still >= most_waits) {
            run->status = TOOL_RUN_UNFINISHED;
            break;
        }
        if (tool_interrupted()) {
            run->status = TOOL_RUN_STOPPED;
            break;
        }
        if (tool_runner_due(runner) && !tool_runner_tick(runner)) return false;
        const wend_map *map = tool_runner_map(runner);
        wend_step step;
        uint64_t before = times ? tool_nanoseconds() : 0;
        tool_runner_step(runner, &step);
        if (times && !add_time(times, tool_nanoseconds() - before)) return false;
        run->calls++;
        run->expansions += step.expansions, run->operations += step.operations;
        if (step.operations > run->operations_max) run->operations_max = step.operations;
        if (step.outcome == WEND_STEP_MOVED) {
            wend_cell next = wend_map_next(map, at, step.direction);
            if (next == WEND_NO_CELL) return breaks_rules(map, run, at, "an illegal move");
            if (step.direction & 1)
                run->diagonal++;
            else
                run->straight++;
            at = next, still = 0;
        } else if (step.outcome == WEND_STEP_ARRIVED) {
            return breaks_rules(map, run, at, "'arrived'");
        } else if (step.outcome == WEND_STEP_OUT_OF_MEMORY) {
            run->status = TOOL_RUN_OUT_OF_MEMORY;
            break;
        } else if (step.outcome == WEND_STEP_BAD_DATABASE) {
            run->status = TOOL_RUN_BAD_DATABASE;
            tool_runner_blame_db(runner);
            break;
        } else if (step.outcome == WEND_STEP_UNREACHABLE && !tool_runner_changes(runner)) {
            run->status = TOOL_RUN_UNREACHABLE;
            break;
        } else {
            run->waits++, still++;
        }
        if (!tool_text_add(steps, shared_step_letter(step.outcome == WEND_STEP_MOVED ? step.direction
                                                                                     : WEND_NO_DIRECTION)))
            return false;
        run->steps++;
    }
    wend_counters counters = tool_runner_counters(runner);
    run->learnt = counters.learnt, run->cells = counters.cells;
    run->online_bytes = tool_runner_online_bytes(runner);
    run->reserved_bytes = tool_runner_reserved_bytes(runner);
    return count_revisits(tool_runner_map(runner), steps, run);
}

bool tool_run_record(tool_runner *runner, wend_cell start, wend_cell goal, uint64_t max_moves,
                     tool_text *steps, tool_times *times, tool_run *run) {
    *run = (tool_run){.status = TOOL_RUN_REFUSED, .start = start, .goal = goal, .first_step = steps->size};
    if (!tool_runner_reset(runner)) return false;
    run->reserved_bytes = tool_runner_reserved_bytes(runner);
    const wend_map *map = tool_runner_map(runner);
    if (!wend_map_is_open_cell(map, start) || !wend_map_is_open_cell(map, goal)) return true;
    if (tool_runner_start(runner, start, goal) != WEND_OK) return true; /* a goal believed to be a wall */
    return walk(runner, max_moves, steps, times, run);
}

bool tool_run_record_again(tool_runner *runner, uint64_t max_moves, tool_text *steps, tool_run *run) {
    *run = (tool_run){
        .status = TOOL_RUN_UNREACHABLE, .start = run->start, .goal = run->goal, .first_step = steps->size};
    if (tool_runner_again(runner) != WEND_OK)
        return breaks_rules(tool_runner_map(runner), run, run->start, "not to be placed");
    return walk(runner, max_moves, steps, NULL, run);
}
