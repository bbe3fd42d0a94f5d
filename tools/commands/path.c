/* `wend path`: one problem, one planner, the moves. */
#include "commands/path.h"

#include "formats/files.h"
#include "formats/json_out.h"
#include "formats/map_files.h"
#include "report/picture.h"
#include "shared/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_text(const wend_map *map, const tool_run *run, const tool_text *steps) {
    if (run->status != TOOL_RUN_ARRIVED) {
        printf("%s\n", tool_run_status_name(run->status));
        return;
    }
    printf("arrived cost %.4f moves %" PRIu64 " straight %" PRIu64 " diagonal %" PRIu64,
           tool_run_length(run, map), tool_run_moves(run), run->straight, run->diagonal);
    if (run->waits) printf(" waits %" PRIu64, run->waits);
    printf(" expansions %" PRIu64 "\n", run->expansions);
    if (run->steps) {
        (void)fwrite(steps->data, 1, run->steps, stdout);
        putchar('\n');
    }
}

void tool_path_begin_json(FILE *file, const path_task *task, tool_run_status status) {
    const wend_map *map = task->terrain->truth;
    wend_xy start = wend_map_xy(map, task->start), goal = wend_map_xy(map, task->goal);
    (void)fputs("{\"planner\":", file);
    tool_json_string(file, task->words->planner);
    (void)fputs(",\"map\":", file);
    tool_json_string(file, tool_base_name(task->words->map));
    (void)fputs(",\"knowledge\":", file);
    tool_json_string(file, task->knowledge);
    (void)fprintf(file, ",\"start\":[%d,%d],\"goal\":[%d,%d],\"status\":\"%s\"", (int)start.x, (int)start.y,
                  (int)goal.x, (int)goal.y, tool_run_status_name(status));
}

static void write_json(FILE *file, const path_task *task, const tool_run *run, const tool_text *steps) {
    tool_path_begin_json(file, task, run->status);
    (void)fputs(",\"cost\":", file);
    if (run->status == TOOL_RUN_ARRIVED)
        tool_json_number(file, tool_run_length(run, task->terrain->truth));
    else
        (void)fputs("null", file);
    (void)fprintf(file,
                  ",\"moves\":%" PRIu64 ",\"straight\":%" PRIu64 ",\"diagonal\":%" PRIu64
                  ",\"intervals\":%zu,\"expansions\":%" PRIu64 ",\"operations\":%" PRIu64
                  ",\"online_bytes\":%zu,\"reserved_bytes\":%zu,\"directions\":\"",
                  tool_run_moves(run), run->straight, run->diagonal, run->steps, run->expansions,
                  run->operations, run->online_bytes, run->reserved_bytes);
    if (run->steps) (void)fwrite(steps->data, 1, run->steps, file);
    (void)fputs("\"}\n", file);
}

/* Where a run did not arrive, its start and goal are marked all the same. */
bool tool_path_draw(const path_task *task, const tool_runner *runner, const tool_run *runs, size_t count,
                    const tool_text *steps) {
    wend_direction *moves = malloc(steps->size ? steps->size : 1), *next = moves;
    tool_picture_path *paths = calloc(count ? count : 1, sizeof *paths);
    bool good = moves && paths;
    if (!good) (void)tool_wrong("out of memory for a picture");
    for (size_t i = 0; good && i < count; i++) {
        const tool_run *run = &runs[i];
        /* The last one has the first colour, however many there are. */
        paths[i] = (tool_picture_path){.start = run->start,
                                       .goal = run->goal,
                                       .moves = next,
                                       .arrived = run->status == TOOL_RUN_ARRIVED,
                                       .colour = count - 1 - i};
        paths[i].move_count = shared_step_moves(tool_run_steps(run, steps), run->steps, next);
        next += paths[i].move_count;
    }
    tool_picture_options options = {.seen = runner ? tool_runner_knowledge(runner) : NULL};
    good = good && tool_picture_save(task->words->draw, task->terrain->truth, paths, count, &options);
    free(paths);
    free(moves);
    return good;
}

bool tool_path_output_taken(const path_words *words) {
    return (words->json && strcmp(words->json, "-") == 0) || (words->draw && strcmp(words->draw, "-") == 0) ||
           (words->trace && strcmp(words->trace, "-") == 0);
}

void tool_path_say_cut(const path_task *task) {
    tool_remark("path: cut after %" PRIu64 " moves, or as many waits without one; --max-moves allows more",
                task->max_moves);
}

static int report(const path_task *task, const tool_runner *runner, const tool_run *run,
                  const tool_text *steps) {
    const path_words *words = task->words;
    if (words->json) {
        tool_output output;
        if (!tool_output_begin(&output, words->json)) return TOOL_WRONG;
        write_json(output.stream, task, run, steps);
        if (!tool_output_end(&output)) return TOOL_WRONG;
    }
    if (words->draw && !tool_path_draw(task, runner, run, 1, steps)) return TOOL_WRONG;
    if (run->status == TOOL_RUN_UNFINISHED) tool_path_say_cut(task);
    if (!tool_path_output_taken(words)) print_text(task->terrain->truth, run, steps);
    return run->status == TOOL_RUN_ARRIVED ? TOOL_DONE : TOOL_NO;
}

static int walk_once(const path_task *task) {
    tool_runner *runner = tool_runner_create(task->terrain, task->settings, NULL);
    if (!runner) return TOOL_WRONG;
    tool_runner_set_trace(runner, task->trace);
    tool_text steps = {.data = NULL};
    tool_run run;
    int result = tool_run_record(runner, task->start, task->goal, task->max_moves, &steps, NULL, &run)
                     ? report(task, runner, &run, &steps)
                     : TOOL_WRONG;
    free(steps.data);
    tool_runner_destroy(runner);
    return result;
}

bool tool_path_solve(const path_task *task, const wend_map *map, wend_result *result, wend_direction **moves,
                     size_t bytes[2]) {
    wend_search *search = NULL;
    wend_error error;
    bool good = wend_search_create(map, NULL, &search, &error) == WEND_OK &&
                wend_search_find(search, wend_map_xy(map, task->start), wend_map_xy(map, task->goal), NULL, 0,
                                 result, &error) == WEND_OK;
    if (!good) (void)tool_wrong_error(&error);
    if (good && bytes) bytes[0] = wend_search_peak_bytes(search), bytes[1] = wend_search_bytes(search);
    if (good && moves) {
        size_t count = (size_t)(result->straight + result->diagonal);
        *moves = malloc(count ? count : 1);
        good = *moves != NULL;
        if (good)
            (void)wend_search_moves(search, *moves, count);
        else
            (void)tool_wrong("out of memory for a path");
    }
    wend_search_destroy(search);
    return good;
}

/* Without a planner: one search, no agent. */
static int find_once(const path_task *task) {
    wend_result found;
    wend_direction *moves = NULL;
    size_t bytes[2];
    if (!tool_path_solve(task, task->terrain->truth, &found, &moves, bytes)) return TOOL_WRONG;
    tool_text steps = {.data = NULL};
    tool_run run = {.status = found.found == WEND_FOUND_PATH ? TOOL_RUN_ARRIVED : TOOL_RUN_UNREACHABLE,
                    .start = task->start,
                    .goal = task->goal,
                    .steps = (size_t)(found.straight + found.diagonal),
                    .straight = found.straight,
                    .diagonal = found.diagonal,
                    .expansions = found.expansions,
                    .operations = found.operations,
                    .online_bytes = bytes[0],
                    .reserved_bytes = bytes[1]};
    bool good = true;
    for (size_t i = 0; i < run.steps && good; i++) good = tool_text_add(&steps, shared_step_letter(moves[i]));
    int result = good ? report(task, NULL, &run, &steps) : TOOL_WRONG;
    free(steps.data);
    free(moves);
    return result;
}

static bool open_cell(const char *what, const char *text, const wend_map *map, const wend_map *truth,
                      wend_cell *cell) {
    if (!tool_cell(what, text, map, cell)) return false;
    if (wend_map_is_open_cell(truth, *cell)) return true;
    (void)tool_wrong("%s: cell %s is blocked%s", what, text,
                     wend_map_is_open_cell(map, *cell) ? " by --knowledge partial with this --seed" : "");
    return false;
}

static int find_path(const wend_map *map, const path_words *words, path_task *task) {
    const wend_map *truth = task->terrain->truth;
    if (!open_cell("start", words->start, map, truth, &task->start) ||
        !open_cell("goal", words->goal, map, truth, &task->goal))
        return TOOL_WRONG;
    if (!task->settings) return find_once(task);
    if (!words->trace) return words->repeat ? tool_path_repeat(task) : walk_once(task);
    tool_output output;
    if (!tool_output_begin(&output, words->trace)) return TOOL_WRONG;
    task->trace = tool_trace_create(output.stream, truth);
    int result = !task->trace ? TOOL_WRONG : words->repeat ? tool_path_repeat(task) : walk_once(task);
    if (task->trace && !tool_trace_finish(task->trace)) result = TOOL_WRONG;
    tool_trace_destroy(task->trace);
    if (result != TOOL_WRONG) return tool_output_end(&output) ? result : TOOL_WRONG;
    tool_output_drop(&output);
    return TOOL_WRONG;
}

static bool files_apart(const path_words *words, const wend_settings *settings) {
    tool_files files = {.count = 0};
    tool_files_read(&files, "MAP", words->map);
    tool_files_read(&files, "db", wend_settings_text(settings, "db"));
    tool_files_written(&files, "--json", words->json);
    tool_files_written(&files, "--draw", words->draw);
    tool_files_written(&files, "--trace", words->trace);
    return tool_files_apart(&files, "path");
}

static int load_and_find(tool_common *common, const tool_knowledge *knowledge, path_task task) {
    const path_words *words = task.words;
    common->map.keep_letters = words->draw != NULL;
    wend_map *map = tool_load_map(words->map, &common->map);
    if (!map) return TOOL_WRONG;
    tool_terrain terrain;
    task.terrain = &terrain;
    if (!task.max_moves) task.max_moves = tool_usual_moves(map);
    int result = tool_terrain_create(map, knowledge, NULL, common->seed, &terrain)
                     ? find_path(map, words, &task)
                     : TOOL_WRONG;
    tool_terrain_destroy(&terrain);
    wend_map_destroy(map);
    return result;
}

enum { MOST_RUNS = 1000000, USUAL_RUNS = 1000 };

static int run_path(const tool_command *command, int count, char **arguments) {
    path_words words = {.planner = NULL};
    const tool_option options[] = {
        {.name = "--planner", .value = &words.planner},
        {.name = "--knowledge", .value = &words.knowledge},
        {.name = "--sensor", .value = &words.sensor},
        {.name = "--repeat", .flag = &words.repeat},
        {.name = "--max-runs", .value = &words.max_runs},
        {.name = "--json", .value = &words.json},
        {.name = "--draw", .value = &words.draw},
        {.name = "--trace", .value = &words.trace},
        {.name = "--max-moves", .value = &words.max_moves},
    };
    tool_common common;
    const char *plain[3];
    if (!tool_parse(command, count, arguments, options, sizeof options / sizeof *options, &common, plain, 3,
                    3))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    words.map = plain[0], words.start = plain[1], words.goal = plain[2];
    if (!tool_named_as("path: --draw", words.draw, ".png")) return TOOL_WRONG;
    int64_t max_runs = USUAL_RUNS, max_moves = 0;
    if (words.max_moves && !tool_integer("--max-moves", words.max_moves, 1, INT64_MAX, &max_moves))
        return TOOL_WRONG;
    if (words.max_runs && !words.repeat) return tool_wrong("path: --max-runs is for --repeat");
    if (words.max_runs && !tool_integer("--max-runs", words.max_runs, 1, MOST_RUNS, &max_runs))
        return TOOL_WRONG;
    const char *knowledge_text = words.knowledge ? words.knowledge : words.repeat ? "unknown" : "known";
    tool_knowledge knowledge;
    if (!tool_knowledge_parse(knowledge_text, words.sensor, &knowledge)) return TOOL_WRONG;
    bool search = !words.planner && !words.repeat && !words.trace && strcmp(knowledge_text, "known") == 0;
    wend_settings *settings = NULL;
    if (!words.planner) words.planner = words.repeat ? "tbaa" : search ? "find" : "astar";
    if (!search && !tool_planner_parse(words.planner, &settings)) return TOOL_WRONG;
    path_task task = {.words = &words,
                      .settings = settings,
                      .max_runs = (uint64_t)max_runs,
                      .max_moves = (uint64_t)max_moves,
                      .knowledge = knowledge_text};
    int result = files_apart(&words, settings) ? load_and_find(&common, &knowledge, task) : TOOL_WRONG;
    wend_settings_destroy(settings);
    return result;
}

const tool_command tool_path = {.name = "path", .run = run_path};
