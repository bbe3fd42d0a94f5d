#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An agent; or, for `jps`, a search that is done whole in the first step, since it can't be interrupted. Then
 * the planner stands for as many steps as the search would have taken: its expansions shared out by `k` or by
 * the interval's budget, or its time by the interval's length. */
struct tool_runner {
    tool_interval interval;
    wend_interval game; /* the same for the library */
    wend_world *world;
    wend_agent *agent;
    /* Without an agent: */
    wend_search *search;
    wend_jumps *jumps;
    uint64_t k; /* UINT64_MAX: unlimited */
    wend_cell start, goal;
    bool searched;
    wend_outcome end; /* what the search came to: WEND_STEP_MOVED if there is a path to walk */
    uint64_t waits;   /* steps still to stand */
    wend_direction *moves;
    size_t count, next, capacity;
};

enum { NANOSECONDS_AN_EXPANSION = 10 }; /* fewer than any machine of today needs */

bool tool_interval_parse(const char *text, tool_interval *interval) {
    *interval = (tool_interval){0, 0};
    size_t length = strlen(text);
    if (length < 2 || strcmp(text + length - 2, "ms") != 0) {
        int64_t expansions;
        if (!strchr(text, '.') && text[strspn(text, "0123456789")] == 0 && length) {
            if (!tool_integer("--interval", text, 1, (int64_t)1 << 53, &expansions)) return false;
            interval->expansions = (uint64_t)expansions;
            return true;
        }
        (void)tool_wrong("--interval: must be expansions, as in 50, or milliseconds, as in 0.3ms, not '%s'",
                         text);
        return false;
    }
    char number[32];
    double milliseconds;
    if (length - 2 >= sizeof number) {
        (void)tool_wrong("--interval: '%s' has too many digits", text);
        return false;
    }
    memcpy(number, text, length - 2);
    number[length - 2] = 0;
    /* Below a microsecond the looks at the clock would be all of it. */
    if (!tool_number("--interval in ms", number, 0.001, 1e6, &milliseconds)) return false;
    interval->nanoseconds = (uint64_t)(milliseconds * 1e6 + 0.5);
    return true;
}

static uint64_t read_clock(void *context) {
    (void)context;
    return tool_nanoseconds();
}

static wend_status create_agent(tool_runner *runner, const wend_map *map, const wend_settings *settings,
                                wend_error *error) {
    wend_world_options world_options = wend_default_world_options();
    wend_agent_options agent_options = wend_default_agent_options();
    const tool_interval *interval = &runner->interval;
    /* Room for all that an interval can hold. */
    uint64_t most =
        interval->expansions ? interval->expansions : interval->nanoseconds / NANOSECONDS_AN_EXPANSION;
    agent_options.max_lookahead = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
    runner->game = (wend_interval){
        .expansions = interval->expansions, .length = interval->nanoseconds, .clock = read_clock};
    wend_status status = wend_world_create(map, &world_options, &runner->world, error);
    if (status != WEND_OK) return status;
    return wend_agent_create(runner->world, settings, &agent_options, &runner->agent, error);
}

static wend_status create_search(tool_runner *runner, const wend_map *map, const wend_settings *settings,
                                 wend_error *error) {
    int64_t k = wend_settings_integer(settings, "k");
    runner->k = k == WEND_UNLIMITED ? UINT64_MAX : (uint64_t)k;
    if (runner->interval.expansions) runner->k = runner->interval.expansions;
    wend_search_options options = wend_default_search_options();
    wend_status status = wend_search_create(map, &options, &runner->search, error);
    if (status == WEND_OK) status = wend_jumps_create(map, NULL, &runner->jumps, error);
    return status;
}

tool_runner *tool_runner_create(const wend_map *map, const wend_settings *settings,
                                const tool_interval *interval) {
    tool_runner *runner = calloc(1, sizeof *runner);
    if (!runner) {
        (void)tool_wrong("out of memory");
        return NULL;
    }
    if (interval) runner->interval = *interval;
    wend_error error;
    bool whole = strcmp(settings->planner->name, "jps") == 0;
    wend_status status =
        whole ? create_search(runner, map, settings, &error) : create_agent(runner, map, settings, &error);
    if (status == WEND_OK) return runner;
    (void)tool_wrong_error(&error);
    tool_runner_destroy(runner);
    return NULL;
}

void tool_runner_destroy(tool_runner *runner) {
    if (!runner) return;
    wend_agent_destroy(runner->agent);
    wend_world_destroy(runner->world);
    wend_jumps_destroy(runner->jumps);
    wend_search_destroy(runner->search);
    free(runner->moves);
    free(runner);
}

void tool_runner_start(tool_runner *runner, wend_cell start, wend_cell goal) {
    if (runner->agent) {
        (void)wend_agent_start(runner->agent, start, goal, NULL); /* both are open, so it can't fail */
        return;
    }
    runner->start = start, runner->goal = goal;
    runner->searched = false;
    runner->waits = 0;
    runner->count = runner->next = 0;
}

static uint64_t shares(uint64_t whole, uint64_t part) {
    return whole / part + (whole % part != 0);
}

/* How long a search that took so much keeps the planner standing. */
static uint64_t waits_for(const tool_runner *runner, uint64_t expansions, uint64_t nanoseconds) {
    const tool_interval *interval = &runner->interval;
    uint64_t steps =
        interval->nanoseconds ? shares(nanoseconds, interval->nanoseconds) : shares(expansions, runner->k);
    if (!steps) steps = 1;
    /* Without intervals the last step of the search may move. */
    return tool_interval_given(interval) ? steps : steps - 1;
}

static void search(tool_runner *runner, wend_step *step) {
    wend_result result = {.found = WEND_OUT_OF_MEMORY};
    bool timed = runner->interval.nanoseconds > 0;
    uint64_t before = timed ? tool_nanoseconds() : 0;
    wend_status status =
        wend_search_jps(runner->search, runner->jumps, runner->start, runner->goal, &result, NULL);
    runner->searched = true;
    if (status != WEND_OK) { /* the cells are open and the tables fresh, so memory is all that can lack */
        runner->end = WEND_STEP_OUT_OF_MEMORY;
        return;
    }
    step->expansions = result.expansions, step->operations = result.operations;
    runner->waits = waits_for(runner, result.expansions, timed ? tool_nanoseconds() - before : 0);
    runner->end = result.found == WEND_FOUND         ? WEND_STEP_MOVED
                  : result.found == WEND_UNREACHABLE ? WEND_STEP_UNREACHABLE
                                                     : WEND_STEP_OUT_OF_MEMORY;
    if (result.found != WEND_FOUND) return;
    size_t count = (size_t)(result.straight + result.diagonal);
    if (count > runner->capacity) { /* grows in the first pass, so that timed passes do not allocate */
        size_t capacity = count + count / 2 + 64;
        wend_direction *larger = realloc(runner->moves, capacity * sizeof *larger);
        if (!larger) {
            runner->end = WEND_STEP_OUT_OF_MEMORY;
            return;
        }
        runner->moves = larger, runner->capacity = capacity;
    }
    runner->count = wend_search_moves(runner->search, runner->moves, count);
}

void tool_runner_step(tool_runner *runner, wend_step *step) {
    if (runner->agent) {
        *step = tool_interval_given(&runner->interval) ? wend_agent_interval(runner->agent, &runner->game)
                                                       : wend_agent_step(runner->agent);
        return;
    }
    *step = (wend_step){.outcome = WEND_STEP_WAITING, .direction = WEND_NO_DIRECTION};
    if (!runner->searched) search(runner, step);
    if (runner->waits) {
        runner->waits--;
    } else if (runner->end != WEND_STEP_MOVED) {
        step->outcome = runner->end;
    } else if (runner->next < runner->count) {
        step->direction = runner->moves[runner->next++];
        step->outcome = WEND_STEP_MOVED;
    } else {
        step->outcome = WEND_STEP_ARRIVED;
    }
}

size_t tool_runner_online_bytes(const tool_runner *runner) {
    if (runner->agent) return (size_t)wend_agent_counters(runner->agent).peak_bytes;
    return runner->searched ? wend_search_peak_bytes(runner->search) : 0;
}

size_t tool_runner_reserved_bytes(const tool_runner *runner) {
    if (runner->agent) return wend_agent_bytes(runner->agent) + wend_world_bytes(runner->world);
    return wend_search_bytes(runner->search) + wend_jumps_bytes(runner->jumps);
}

size_t tool_runner_db_bytes(const tool_runner *runner) {
    (void)runner; /* no planner has a database */
    return 0;
}
