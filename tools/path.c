/* `wend path`: one problem, one planner, the moves. */
#include "json_out.h"
#include "picture.h"
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct path_words {
    const char *map, *start, *goal, *planner, *json, *draw;
} path_words;

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

static void write_json(FILE *file, const wend_map *map, const path_words *words, const tool_run *run,
                       const tool_text *steps) {
    wend_xy start = wend_map_xy(map, run->start), goal = wend_map_xy(map, run->goal);
    (void)fputs("{\"planner\":", file);
    tool_json_string(file, words->planner);
    (void)fputs(",\"map\":", file);
    tool_json_string(file, tool_base_name(words->map));
    (void)fprintf(file, ",\"start\":[%d,%d],\"goal\":[%d,%d],\"status\":\"%s\",\"cost\":", (int)start.x,
                  (int)start.y, (int)goal.x, (int)goal.y, tool_run_status_name(run->status));
    if (run->status == TOOL_RUN_ARRIVED)
        tool_json_number(file, tool_run_length(run, map));
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

/* A picture of the path on the map; where there is none, start and goal alone. */
static bool draw(const wend_map *map, const char *file, const tool_run *run, const tool_text *steps) {
    wend_direction *moves = malloc(run->steps ? run->steps : 1);
    if (!moves) {
        (void)tool_wrong("out of memory for a picture");
        return false;
    }
    size_t count = 0;
    for (size_t i = 0; i < run->steps; i++)
        if (steps->data[i] != 'w') moves[count++] = (wend_direction)(steps->data[i] - '0');
    tool_picture_path path = {.start = run->start,
                              .goal = run->goal,
                              .moves = moves,
                              .move_count = count,
                              .arrived = run->status == TOOL_RUN_ARRIVED};
    tool_picture_options options = {.scale = 0};
    bool good = tool_picture_save(file, map, &path, 1, &options);
    free(moves);
    return good;
}

static int report(const wend_map *map, const path_words *words, const tool_run *run, const tool_text *steps) {
    /* Standard output holds one thing at a time. */
    bool taken =
        (words->json && strcmp(words->json, "-") == 0) || (words->draw && strcmp(words->draw, "-") == 0);
    if (words->json) {
        FILE *file = tool_open(words->json);
        if (!file) return TOOL_WRONG;
        write_json(file, map, words, run, steps);
        if (!tool_close(file, words->json)) return TOOL_WRONG;
    }
    if (words->draw && !draw(map, words->draw, run, steps)) return TOOL_WRONG;
    if (!taken) print_text(map, run, steps);
    return run->status == TOOL_RUN_ARRIVED ? TOOL_DONE : TOOL_NO;
}

static bool open_cell(const char *what, const char *text, const wend_map *map, wend_cell *cell) {
    if (!tool_cell(what, text, map, cell)) return false;
    if (wend_map_is_open_cell(map, *cell)) return true;
    (void)tool_wrong("%s: cell %s is blocked", what, text);
    return false;
}

static int find_path(const wend_map *map, const wend_settings *settings, const path_words *words) {
    wend_cell start, goal;
    if (!open_cell("start", words->start, map, &start) || !open_cell("goal", words->goal, map, &goal))
        return TOOL_WRONG;
    tool_runner *runner = tool_runner_create(map, settings, NULL);
    if (!runner) return TOOL_WRONG;
    tool_text steps = {.data = NULL};
    tool_run run;
    int result = tool_run_record(runner, map, start, goal, UINT64_MAX, &steps, NULL, &run)
                     ? report(map, words, &run, &steps)
                     : TOOL_WRONG;
    free(steps.data);
    tool_runner_destroy(runner);
    return result;
}

static int run_path(const tool_command *command, int count, char **arguments) {
    path_words words = {.planner = NULL};
    const tool_option options[] = {
        {.name = "--planner", .value = &words.planner},
        {.name = "--json", .value = &words.json},
        {.name = "--draw", .value = &words.draw},
    };
    tool_common common;
    const char *plain[3];
    if (!tool_parse(command, count, arguments, options, sizeof options / sizeof *options, &common, plain, 3,
                    3))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    words.map = plain[0], words.start = plain[1], words.goal = plain[2];
    if (!words.planner) words.planner = "astar";
    if (words.json && words.draw && strcmp(words.json, words.draw) == 0)
        return tool_wrong("path: --json and --draw name the same file, %s", words.json);
    wend_settings settings;
    wend_error error;
    if (wend_settings_parse(words.planner, &settings, &error) != WEND_OK)
        return tool_wrong("--planner %s: %s", words.planner, error.message);
    common.map.keep_letters = words.draw != NULL;
    wend_map *map = tool_load_map(words.map, &common.map);
    if (!map) return TOOL_WRONG;
    int result = find_path(map, &settings, &words);
    wend_map_destroy(map);
    return result;
}

const tool_command tool_path = {
    .name = "path",
    .summary = "find a path between two cells",
    .usage = "MAP X,Y X,Y [--planner P] [--draw PNG] [--json FILE]",
    .details =
        "Prints the length, the counts and the moves: 0 north, 1 north-east, 2 east ... 7 north-west,\n"
        "w a wait; y grows to the south. Where there is no path, prints 'unreachable' and exits with 1.\n"
        "  --planner P               NAME[:KEY=VALUE[,KEY=VALUE...]], see wend planners (default astar)\n"
        "  --draw PNG                a picture of the map and the path; - is standard output\n"
        "  --json FILE               the same as an object; - is standard output\n",
    .example = "wend path city.map 3,4 120,77 --planner jps --draw path.png",
    .run = run_path,
};
