#include "run.h"

#include <stdlib.h>
#include <string.h>

/* Planners that search first and then move. With `k` the agent stands for as many steps as k makes of the
 * search's expansions; the whole search is done, counted and timed in the first of them, since the library's
 * searches are not resumable yet. */
struct tool_runner {
    const wend_map *map;
    wend_search *search;
    wend_jumps *jumps; /* of `jps`; NULL for `astar` */
    int64_t k;
    wend_cell start, goal;
    bool searched;
    tool_outcome end; /* what the search came to: TOOL_MOVED if there is a path to walk */
    uint64_t waits;   /* steps still to stand */
    wend_direction *moves;
    size_t count, next, capacity;
};

tool_runner *tool_runner_create(const wend_map *map, const wend_settings *settings) {
    tool_runner *runner = calloc(1, sizeof *runner);
    if (!runner) {
        (void)tool_wrong("out of memory");
        return NULL;
    }
    runner->map = map;
    runner->k = wend_settings_integer(settings, "k");
    wend_error error;
    wend_search_options options = wend_default_search_options();
    wend_status status = wend_search_create(map, &options, &runner->search, &error);
    if (status == WEND_OK && strcmp(settings->planner->name, "jps") == 0)
        status = wend_jumps_create(map, NULL, &runner->jumps, &error);
    if (status == WEND_OK) return runner;
    (void)tool_wrong_error(&error);
    tool_runner_destroy(runner);
    return NULL;
}

void tool_runner_destroy(tool_runner *runner) {
    if (!runner) return;
    wend_jumps_destroy(runner->jumps);
    wend_search_destroy(runner->search);
    free(runner->moves);
    free(runner);
}

void tool_runner_start(tool_runner *runner, wend_cell start, wend_cell goal) {
    runner->start = start, runner->goal = goal;
    runner->searched = false;
    runner->waits = 0;
    runner->count = runner->next = 0;
}

static void search(tool_runner *runner, tool_step *step) {
    wend_result result;
    wend_status status =
        runner->jumps
            ? wend_search_jps(runner->search, runner->jumps, runner->start, runner->goal, &result, NULL)
            : wend_search_astar(runner->search, runner->start, runner->goal, &result, NULL);
    runner->searched = true;
    if (status != WEND_OK) { /* the cells are open and the tables fresh, so memory is all that can lack */
        runner->end = TOOL_OUT_OF_MEMORY;
        return;
    }
    step->expansions = result.expansions, step->operations = result.operations;
    if (runner->k != WEND_UNLIMITED && result.expansions)
        runner->waits = (result.expansions - 1) / (uint64_t)runner->k;
    runner->end = result.found == WEND_FOUND         ? TOOL_MOVED
                  : result.found == WEND_UNREACHABLE ? TOOL_UNREACHABLE
                                                     : TOOL_OUT_OF_MEMORY;
    if (result.found != WEND_FOUND) return;
    size_t count = (size_t)(result.straight + result.diagonal);
    if (count > runner->capacity) { /* grows in the first pass, so that timed passes do not allocate */
        size_t capacity = count + count / 2 + 64;
        wend_direction *larger = realloc(runner->moves, capacity * sizeof *larger);
        if (!larger) {
            runner->end = TOOL_OUT_OF_MEMORY;
            return;
        }
        runner->moves = larger, runner->capacity = capacity;
    }
    runner->count = wend_search_moves(runner->search, runner->moves, count);
}

void tool_runner_step(tool_runner *runner, tool_step *step) {
    step->expansions = step->operations = 0;
    if (!runner->searched) search(runner, step);
    if (runner->waits) {
        runner->waits--;
        step->outcome = TOOL_WAITING;
    } else if (runner->end != TOOL_MOVED) {
        step->outcome = runner->end;
    } else if (runner->next < runner->count) {
        step->direction = runner->moves[runner->next++];
        step->outcome = TOOL_MOVED;
    } else {
        step->outcome = TOOL_ARRIVED;
    }
}

size_t tool_runner_online_bytes(const tool_runner *runner) {
    return runner->searched ? wend_search_peak_bytes(runner->search) : 0;
}

size_t tool_runner_reserved_bytes(const tool_runner *runner) {
    return wend_search_bytes(runner->search) + (runner->jumps ? wend_jumps_bytes(runner->jumps) : 0);
}

size_t tool_runner_db_bytes(const tool_runner *runner) {
    (void)runner; /* neither planner has a database */
    return 0;
}
