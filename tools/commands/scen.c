/* `wend scen gen`: solvable problems on a map, written as a MovingAI scenario. */
#include "cli/tool.h"
#include "formats/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROBLEMS = 10000000 }; /* half a gigabyte of text */

static bool write_scenario(const char *path, const wend_scenario *scenario) {
    wend_error error;
    size_t size = wend_scenario_written_size(scenario, 1);
    char *text = malloc(size ? size : 1);
    if (!text) {
        (void)tool_wrong("out of memory for a scenario of %zu bytes", size);
        return false;
    }
    bool good = wend_scenario_write(scenario, 1, text, size, &error) == WEND_OK;
    if (good)
        good = tool_write_file(path, text, size);
    else
        (void)tool_wrong_error(&error);
    free(text);
    return good;
}

static void describe(const wend_scenario *scenario, const char *path) {
    size_t count = wend_scenario_count(scenario);
    double least = wend_scenario_at(scenario, 0)->length, most = least;
    for (size_t i = 1; i < count; i++) {
        double length = wend_scenario_at(scenario, i)->length;
        least = fmin(least, length), most = fmax(most, length);
    }
    printf("%s: %zu problems, lengths from %.2f to %.2f\n", path, count, least, most);
}

static int run(const tool_command *command, int count, char **words) {
    const char *number = NULL, *path = NULL, *min_cost = NULL, *max_cost = NULL, *map_path[1];
    const tool_option options[] = {
        {.name = "-n", .value = &number},
        {.name = "-o", .value = &path},
        {.name = "--min-cost", .value = &min_cost},
        {.name = "--max-cost", .value = &max_cost},
    };
    tool_common common;
    if (!tool_parse(command, count, words, options, sizeof options / sizeof *options, &common, map_path, 1,
                    1))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    if (!number || !path) return tool_wrong("scen gen: %s is missing", number ? "-o SCEN" : "-n N");
    int64_t problems;
    wend_problems_options wanted = wend_default_problems_options();
    wanted.seed = common.seed;
    if (!tool_integer("-n", number, 1, MOST_PROBLEMS, &problems)) return TOOL_WRONG;
    if (min_cost && !tool_number("--min-cost", min_cost, 0, INFINITY, &wanted.min_length)) return TOOL_WRONG;
    if (max_cost && !tool_number("--max-cost", max_cost, 0, INFINITY, &wanted.max_length)) return TOOL_WRONG;
    if (wanted.min_length > wanted.max_length)
        return tool_wrong("scen gen: --min-cost %s is more than --max-cost %s", min_cost, max_cost);

    tool_files files = {.count = 0};
    tool_files_read(&files, "MAP", map_path[0]);
    tool_files_written(&files, "-o", path);
    if (!tool_files_apart(&files, command->name)) return TOOL_WRONG;
    wend_map *map = tool_load_map(map_path[0], &common.map);
    if (!map) return TOOL_WRONG;
    wend_scenario *scenario = NULL;
    wend_error error;
    wend_status status = wend_problems_generate(map, tool_base_name(map_path[0]), (size_t)problems, &wanted,
                                                &scenario, &error);
    if (status != WEND_OK) tool_error_file(&error, map_path[0]);
    int result = TOOL_DONE;
    if (status != WEND_OK)
        result = tool_wrong_error(&error);
    else if (!write_scenario(path, scenario))
        result = TOOL_WRONG;
    else if (strcmp(path, "-") != 0 && !common.quiet)
        describe(scenario, path);
    wend_scenario_destroy(scenario);
    wend_map_destroy(map);
    return result;
}

const tool_command tool_scen_gen = {.name = "scen gen", .run = run};
