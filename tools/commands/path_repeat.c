/* `wend path --repeat`: algorithm 4 of "Time-Bounded Adaptive A*" (AAMAS 2012). The agent walks from start to
 * goal, is set back and walks again, until a run begins no search but the one from the start. What that
 * search found is then a shortest path in what the agent believes, all of it seen, so none in truth is
 * shorter. A planner that moves while it still searches may have strayed from it in that very run: so the
 * path is taken from the belief, and its cost held against the true map.
 *
 * Planners that repair their search (dstar-lite) or learn cell by cell (such as lrta) do not begin again.
 * For them it is looked at: the path must have been seen, or, since those that learn do not search for it,
 * walked. */
#include "commands/path.h"
#include "formats/files.h"
#include "formats/json_out.h"
#include "shared/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct path_repeats {
    tool_run *runs;
    uint64_t *searches; /* of each run */
    size_t count, capacity;
    tool_text steps;
    wend_cost optimal; /* on the true map; WEND_NO_COST if there is no way */
    double optimal_length;
    wend_direction *path; /* a shortest one in what the agent believes after the last run, seen if it can be;
                             at the end, unless that was settled, the shortest walk */
    size_t path_moves;
    wend_cost path_cost;
    double path_length;
} path_repeats;

static bool make_room(path_repeats *repeats) {
    if (repeats->count < repeats->capacity) return true;
    size_t capacity = repeats->capacity ? 2 * repeats->capacity : 16;
    tool_run *runs = realloc(repeats->runs, capacity * sizeof *runs);
    if (runs) repeats->runs = runs;
    uint64_t *searches = runs ? realloc(repeats->searches, capacity * sizeof *searches) : NULL;
    if (!searches) {
        (void)tool_wrong("out of memory for the runs");
        return false;
    }
    repeats->searches = searches, repeats->capacity = capacity;
    return true;
}

static double over(const path_task *task, const path_repeats *repeats, const tool_run *run) {
    if (run->status != TOOL_RUN_ARRIVED || repeats->optimal == WEND_NO_COST) return NAN;
    if (!repeats->optimal || tool_run_cost(run, task->terrain->truth) == repeats->optimal) return 0;
    return (tool_run_length(run, task->terrain->truth) / repeats->optimal_length - 1) * 100;
}

static void print_run(const path_task *task, const path_repeats *repeats, size_t i) {
    const tool_run *run = &repeats->runs[i];
    printf("run %zu moves %" PRIu64 " cost %.4f searches %" PRIu64, i + 1, tool_run_moves(run),
           tool_run_length(run, task->terrain->truth), repeats->searches[i]);
    if (run->status == TOOL_RUN_ARRIVED)
        printf(" over %.2f%%\n", over(task, repeats, run));
    else
        printf(" %s\n", tool_run_status_name(run->status));
}

/* What the agent has seen to be open; all else is blocked. NULL after a complaint. */
static wend_map *make_seen_map(const path_task *task, const wend_knowledge *knowledge) {
    const wend_map *truth = task->terrain->truth;
    int32_t width = wend_map_width(truth), height = wend_map_height(truth);
    wend_map_options options = wend_default_map_options();
    options.rules = wend_map_rules(truth);
    wend_map *map = NULL;
    wend_error error;
    char *row = malloc((size_t)width);
    if (!row) {
        (void)tool_wrong("out of memory for what was seen");
        return NULL;
    }
    bool good = wend_map_create(width, height, &options, &map, &error) == WEND_OK;
    for (int32_t y = 0; y < height && good; y++) {
        for (int32_t x = 0; x < width; x++) {
            wend_cell cell = wend_map_cell(truth, x, y);
            bool open = wend_map_is_open_cell(truth, cell) && wend_knowledge_seen(knowledge, cell);
            row[x] = open ? '.' : '@';
        }
        good = wend_map_set_row(map, y, row, &error) == WEND_OK;
    }
    free(row);
    if (good) return map;
    (void)tool_wrong_error(&error);
    wend_map_destroy(map);
    return NULL;
}

static void keep_result(const path_task *task, const wend_result *result, path_repeats *repeats) {
    repeats->path_moves = (size_t)(result->straight + result->diagonal);
    repeats->path_cost = result->cost;
    repeats->path_length = wend_map_length(task->terrain->truth, result->straight, result->diagonal);
}

/* What the agent takes for a shortest path after the last run. */
static bool take_belief(const path_task *task, const tool_runner *runner, path_repeats *repeats) {
    const wend_knowledge *knowledge = tool_runner_knowledge(runner);
    wend_result result;
    free(repeats->path);
    repeats->path = NULL;
    if (!tool_path_solve(task, knowledge ? wend_knowledge_map(knowledge) : task->terrain->truth, &result,
                         &repeats->path, NULL))
        return false;
    keep_result(task, &result, repeats);
    return true;
}

/* Whether a path as short as the believed one has been seen from end to end: then that becomes the path. */
static bool take_seen(const path_task *task, const tool_runner *runner, path_repeats *repeats, bool *seen) {
    const wend_knowledge *knowledge = tool_runner_knowledge(runner);
    *seen = !knowledge;
    if (*seen) return true;
    wend_map *map = make_seen_map(task, knowledge);
    wend_direction *moves = NULL;
    wend_result result;
    bool good = map && tool_path_solve(task, map, &result, &moves, NULL);
    *seen = good && result.found == WEND_FOUND_PATH && result.cost == repeats->path_cost;
    if (*seen) {
        free(repeats->path);
        repeats->path = moves;
        keep_result(task, &result, repeats);
    } else {
        free(moves);
    }
    wend_map_destroy(map);
    return good;
}

/* The moves of a run. */
static bool take_walk(const path_task *task, const tool_run *run, path_repeats *repeats) {
    wend_direction *moves = realloc(repeats->path, run->steps ? run->steps : 1);
    if (!moves) {
        (void)tool_wrong("out of memory for a path");
        return false;
    }
    repeats->path = moves;
    repeats->path_cost = tool_run_cost(run, task->terrain->truth);
    repeats->path_length = tool_run_length(run, task->terrain->truth);
    repeats->path_moves = shared_step_moves(tool_run_steps(run, &repeats->steps), run->steps, moves);
    return true;
}

/* After a run that arrived and began `searches` of them: whether the agent has found what it wanted. */
static bool look_at_run(const path_task *task, const tool_runner *runner, path_repeats *repeats,
                        uint64_t searches, bool *settled) {
    const tool_run *run = &repeats->runs[repeats->count - 1];
    if (!take_belief(task, runner, repeats)) return false;
    *settled = searches <= 1 && tool_run_cost(run, task->terrain->truth) == repeats->path_cost;
    if (*settled) return take_walk(task, run, repeats);
    if (searches > 1 || !tool_runner_searches(runner)) return true;
    return take_seen(task, runner, repeats, settled);
}

/* Having given up: what is believed may lead through walls that were not seen, so the shortest way that was
 * walked is the path. */
static bool take_shortest_walk(const path_task *task, path_repeats *repeats) {
    const wend_map *truth = task->terrain->truth;
    const tool_run *shortest = &repeats->runs[0];
    for (size_t i = 1; i < repeats->count; i++)
        if (tool_run_cost(&repeats->runs[i], truth) < tool_run_cost(shortest, truth))
            shortest = &repeats->runs[i];
    return take_walk(task, shortest, repeats);
}

/* Whether the path leads from start to goal on the true map, and no other is cheaper. */
static bool is_minimal(const path_task *task, const path_repeats *repeats) {
    wend_cell at = task->start;
    for (size_t i = 0; i < repeats->path_moves && at != WEND_NO_CELL; i++)
        at = wend_map_next(task->terrain->truth, at, repeats->path[i]);
    return at == task->goal && repeats->path_cost == repeats->optimal;
}

/* Runs until one of them shows that the path is found, fails, or is the last that is allowed. `settled` says
 * whether the first was the case. */
static bool run_all(const path_task *task, tool_runner *runner, path_repeats *repeats, bool *settled) {
    bool print = !tool_path_output_taken(task->words), good = true, arrived = false;
    uint64_t before = 0;
    *settled = false;
    while (good && !*settled && repeats->count < task->max_runs) {
        if (!make_room(repeats)) return false;
        tool_run *run = &repeats->runs[repeats->count];
        if (repeats->count) {
            *run = repeats->runs[repeats->count - 1];
            good = tool_run_record_again(runner, task->max_moves, &repeats->steps, run);
        } else {
            good =
                tool_run_record(runner, task->start, task->goal, task->max_moves, &repeats->steps, NULL, run);
        }
        if (!good) break;
        uint64_t searches = tool_runner_searches(runner);
        repeats->searches[repeats->count++] = searches - before;
        if (print) print_run(task, repeats, repeats->count - 1);
        arrived = run->status == TOOL_RUN_ARRIVED;
        if (!arrived) break;
        good = look_at_run(task, runner, repeats, searches - before, settled);
        before = searches;
    }
    if (good && !*settled && arrived) good = take_shortest_walk(task, repeats);
    return good;
}

static void print_end(const path_task *task, const path_repeats *repeats, bool settled) {
    const tool_run *last = &repeats->runs[repeats->count - 1];
    if (last->status != TOOL_RUN_ARRIVED) {
        printf("%s\n", tool_run_status_name(last->status));
        return;
    }
    printf("path cost %.4f moves %zu cost-minimal %s runs %zu", repeats->path_length, repeats->path_moves,
           is_minimal(task, repeats) ? "yes" : "no", repeats->count);
    if (!settled) printf(" (given up: see --max-runs)");
    putchar('\n');
    for (size_t i = 0; i < repeats->path_moves; i++) putchar('0' + repeats->path[i]);
    if (repeats->path_moves) putchar('\n');
}

static void write_json(FILE *file, const path_task *task, const path_repeats *repeats) {
    const tool_run *last = &repeats->runs[repeats->count - 1];
    bool arrived = last->status == TOOL_RUN_ARRIVED;
    tool_path_begin_json(file, task, last->status);
    (void)fputs(",\"cost\":", file);
    tool_json_number(file, arrived ? repeats->path_length : NAN);
    (void)fputs(",\"optimal\":", file);
    tool_json_number(file, repeats->optimal == WEND_NO_COST ? NAN : repeats->optimal_length);
    (void)fprintf(file, ",\"cost_minimal\":%s,\"moves\":%zu,\"directions\":\"",
                  arrived && is_minimal(task, repeats) ? "true" : "false", repeats->path_moves);
    for (size_t i = 0; i < repeats->path_moves; i++) (void)fputc('0' + repeats->path[i], file);
    (void)fputs("\",\"runs\":[", file);
    for (size_t i = 0; i < repeats->count; i++) {
        const tool_run *run = &repeats->runs[i];
        (void)fprintf(file, "%s{\"run\":%zu,\"status\":\"%s\",\"cost\":", i ? "," : "", i + 1,
                      tool_run_status_name(run->status));
        tool_json_number(file, tool_run_length(run, task->terrain->truth));
        (void)fputs(",\"suboptimality\":", file);
        tool_json_number(file, over(task, repeats, run));
        (void)fprintf(file,
                      ",\"moves\":%" PRIu64 ",\"intervals\":%zu,\"expansions\":%" PRIu64
                      ",\"operations\":%" PRIu64 ",\"searches\":%" PRIu64 ",\"directions\":\"",
                      tool_run_moves(run), run->steps, run->expansions, run->operations,
                      repeats->searches[i]);
        (void)fwrite(tool_run_steps(run, &repeats->steps), 1, run->steps, file);
        (void)fputs("\"}", file);
    }
    (void)fputs("]}\n", file);
}

static int report(const path_task *task, const tool_runner *runner, const path_repeats *repeats,
                  bool settled) {
    const path_words *words = task->words;
    if (words->json) {
        tool_output output;
        if (!tool_output_begin(&output, words->json)) return TOOL_WRONG;
        write_json(output.stream, task, repeats);
        if (!tool_output_end(&output)) return TOOL_WRONG;
    }
    if (words->draw && !tool_path_draw(task, runner, repeats->runs, repeats->count, &repeats->steps))
        return TOOL_WRONG;
    if (repeats->runs[repeats->count - 1].status == TOOL_RUN_UNFINISHED) tool_path_say_cut(task);
    if (!tool_path_output_taken(words)) print_end(task, repeats, settled);
    return repeats->runs[repeats->count - 1].status == TOOL_RUN_ARRIVED && settled ? TOOL_DONE : TOOL_NO;
}

int tool_path_repeat(const path_task *task) {
    path_repeats repeats = {.optimal = WEND_NO_COST};
    wend_result optimal;
    tool_runner *runner = tool_runner_create(task->terrain, task->settings, NULL);
    bool settled = false, good = runner && tool_path_solve(task, task->terrain->truth, &optimal, NULL, NULL);
    if (good) tool_runner_set_trace(runner, task->trace);
    if (good && optimal.found == WEND_FOUND_PATH) {
        repeats.optimal = optimal.cost;
        repeats.optimal_length = wend_map_length(task->terrain->truth, optimal.straight, optimal.diagonal);
    }
    good = good && run_all(task, runner, &repeats, &settled);
    int result = good && repeats.count ? report(task, runner, &repeats, settled) : TOOL_WRONG;
    free(repeats.path);
    free(repeats.steps.data);
    free(repeats.searches);
    free(repeats.runs);
    tool_runner_destroy(runner);
    return result;
}
