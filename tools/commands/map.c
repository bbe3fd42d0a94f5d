/* wend map info | gen | scale | block | convert */
#include "cli/tool.h"
#include "formats/files.h"
#include "formats/map_files.h"

#include <inttypes.h>
#include <string.h>

/* The result of every subcommand that makes a map: to `path`, then both maps are gone. */
static int save_and_destroy(const char *path, wend_map *result, wend_map *source) {
    bool good = tool_save_map(path, result);
    wend_map_destroy(result);
    wend_map_destroy(source);
    return good ? TOOL_DONE : TOOL_WRONG;
}

/* Whether there is an output, and another file than the input (NULL: none). */
static bool has_output(const tool_command *command, const char *input, const char *output) {
    if (!output) {
        tool_wrong("%s: -o FILE is missing (see wend %s --help)", command->name, command->name);
        return false;
    }
    tool_files files = {.count = 0};
    tool_files_read(&files, "MAP", input);
    tool_files_written(&files, "-o", output);
    return tool_files_apart(&files, command->name);
}

static const char *corners_name(wend_corners corners) {
    return corners == WEND_CORNERS_STRICT ? "strict" : corners == WEND_CORNERS_ONE ? "one" : "any";
}

/* info -------------------------------------------------------------------------------------------------- */

static int run_info(const tool_command *command, int count, char **words) {
    const char *path, *json = NULL;
    tool_reading reading = {NULL, NULL, NULL, NULL};
    tool_common common;
    const tool_option options[] = {{.name = "--json", .value = &json}, TOOL_READING_OPTIONS(reading)};
    if (!tool_parse(command, count, words, options, sizeof options / sizeof *options, &common, &path, 1, 1))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    tool_files files = {.count = 0};
    tool_files_read(&files, "MAP", path);
    tool_files_written(&files, "--json", json);
    if (!tool_files_apart(&files, command->name)) return TOOL_WRONG;
    wend_map *map = tool_load_map_as(path, &reading, &common.map);
    if (!map) return TOOL_WRONG;
    wend_components *components;
    wend_error error;
    if (wend_components_create(map, NULL, &components, &error) != WEND_OK) {
        wend_map_destroy(map);
        tool_error_file(&error, path);
        return tool_wrong_error(&error);
    }
    wend_rules rules = wend_map_rules(map);
    char rules_text[80];
    (void)snprintf(rules_text, sizeof rules_text, "connect=%d,corners=%s,diagonal=%s", (int)rules.connect,
                   corners_name(rules.corners), rules.diagonal == WEND_DIAGONAL_1_4 ? "1.4" : "sqrt2");
    uint32_t label = wend_components_largest(components), parts = wend_components_count(components);
    uint32_t largest = label == WEND_NO_CELL ? 0 : wend_components_size(components, label);
    wend_components_destroy(components);
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    uint32_t open = wend_map_open_cells(map);
    uint64_t fingerprint = wend_map_fingerprint(map);
    wend_map_destroy(map);

    if (!json || (strcmp(json, "-") != 0 && !common.quiet))
        printf("width %" PRId32 "\nheight %" PRId32 "\nopen %" PRIu32 "\ncomponents %" PRIu32
               "\nlargest %" PRIu32 "\nfingerprint %016" PRIx64 "\nrules %s\n",
               width, height, open, parts, largest, fingerprint, rules_text);
    if (!json) return TOOL_DONE;
    tool_output output;
    if (!tool_output_begin(&output, json)) return TOOL_WRONG;
    (void)fprintf(output.stream,
                  "{\"width\":%" PRId32 ",\"height\":%" PRId32 ",\"open\":%" PRIu32 ",\"components\":%" PRIu32
                  ",\"largest\":%" PRIu32 ",\"fingerprint\":\"%016" PRIx64 "\",\"rules\":\"%s\"}\n",
                  width, height, open, parts, largest, fingerprint, rules_text);
    return tool_output_end(&output) ? TOOL_DONE : TOOL_WRONG;
}

const tool_command tool_map_info = {.name = "map info", .run = run_info};

/* gen --------------------------------------------------------------------------------------------------- */

/* Which of the two numbers shapes a kind of map; the others would be silently ignored. */
static bool uses_density(wend_map_kind kind) {
    return kind == WEND_MAP_RANDOM || kind == WEND_MAP_CAVES;
}

static bool uses_size(wend_map_kind kind) {
    return kind != WEND_MAP_OPEN && kind != WEND_MAP_RANDOM;
}

static bool find_kind(const char *text, wend_map_kind *kind) {
    char list[128] = "";
    for (int i = 0; i < WEND_MAP_KINDS; i++) {
        const char *name = wend_map_kind_name((wend_map_kind)i);
        if (strcmp(text, name) == 0) {
            *kind = (wend_map_kind)i;
            return true;
        }
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i ? " " : "", name);
    }
    tool_wrong("map gen: unknown kind '%s': must be one of %s", text, list);
    return false;
}

/* "WxH" */
static bool read_size(const char *text, int64_t *width, int64_t *height) {
    char first[16];
    const char *cross = strchr(text, 'x');
    size_t length = cross ? (size_t)(cross - text) : 0;
    if (!cross || length == 0 || length >= sizeof first) {
        tool_wrong("map gen: the size must be WIDTHxHEIGHT, not '%s'", text);
        return false;
    }
    memcpy(first, text, length);
    first[length] = 0;
    return tool_integer("map gen: width", first, 1, WEND_MAX_SIDE, width) &&
           tool_integer("map gen: height", cross + 1, 1, WEND_MAX_SIDE, height);
}

static int run_gen(const tool_command *command, int count, char **words) {
    const char *plain[2], *output = NULL, *density = NULL, *size = NULL;
    tool_common common;
    const tool_option options[] = {{.name = "-o", .value = &output},
                                   {.name = "--density", .value = &density},
                                   {.name = "--size", .value = &size}};
    if (!tool_parse(command, count, words, options, 3, &common, plain, 2, 2)) return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    wend_map_kind kind;
    int64_t width, height, number;
    if (!find_kind(plain[0], &kind) || !read_size(plain[1], &width, &height) ||
        !has_output(command, NULL, output))
        return TOOL_WRONG;
    wend_generate_options generate = wend_default_generate_options();
    generate.seed = common.seed;
    generate.map = common.map;
    if (density) {
        if (!uses_density(kind)) return tool_wrong("map gen: %s takes no --density", plain[0]);
        if (!tool_integer("--density", density, 0, 100, &number)) return TOOL_WRONG;
        generate.density = (int32_t)number;
    }
    if (size) {
        if (!uses_size(kind)) return tool_wrong("map gen: %s takes no --size", plain[0]);
        if (!tool_integer("--size", size, 1, WEND_MAX_SIDE, &number)) return TOOL_WRONG;
        generate.size = (int32_t)number;
    }
    wend_map *map;
    wend_error error;
    if (wend_map_generate(kind, width, height, &generate, &map, &error) != WEND_OK)
        return tool_wrong_error(&error);
    return save_and_destroy(output, map, NULL);
}

const tool_command tool_map_gen = {.name = "map gen", .run = run_gen};

/* scale, block, convert --------------------------------------------------------------------------------- */

/* What the three have in common: a map read with its letters, where they can be written. */
static wend_map *load_for(const char *input, const char *output, const tool_reading *reading,
                          tool_common *common) {
    common->map.keep_letters =
        tool_keeps_letters(input) && (strcmp(output, "-") == 0 || tool_keeps_letters(output));
    return tool_load_map_as(input, reading, &common->map);
}

static int run_scale(const tool_command *command, int count, char **words) {
    const char *plain[2], *output = NULL;
    tool_reading reading = {NULL, NULL, NULL, NULL};
    tool_common common;
    int64_t factor;
    const tool_option options[] = {{.name = "-o", .value = &output}, TOOL_READING_OPTIONS(reading)};
    if (!tool_parse(command, count, words, options, sizeof options / sizeof *options, &common, plain, 2, 2))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    if (!has_output(command, plain[0], output) ||
        !tool_integer("map scale: the factor", plain[1], 1, WEND_MAX_SIDE, &factor))
        return TOOL_WRONG;
    wend_map *map = load_for(plain[0], output, &reading, &common), *scaled;
    if (!map) return TOOL_WRONG;
    wend_error error;
    if (wend_map_scale(map, (int32_t)factor, &scaled, &error) != WEND_OK) {
        wend_map_destroy(map);
        tool_error_file(&error, plain[0]);
        return tool_wrong_error(&error);
    }
    return save_and_destroy(output, scaled, map);
}

const tool_command tool_map_scale = {.name = "map scale", .run = run_scale};

static int run_block(const tool_command *command, int count, char **words) {
    const char *plain[2], *output = NULL;
    tool_reading reading = {NULL, NULL, NULL, NULL};
    tool_common common;
    double percent;
    const tool_option options[] = {{.name = "-o", .value = &output}, TOOL_READING_OPTIONS(reading)};
    if (!tool_parse(command, count, words, options, sizeof options / sizeof *options, &common, plain, 2, 2))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    if (!has_output(command, plain[0], output) ||
        !tool_number("map block: the per cent", plain[1], 0, 100, &percent))
        return TOOL_WRONG;
    wend_map *map = load_for(plain[0], output, &reading, &common), *blocked;
    if (!map) return TOOL_WRONG;
    wend_error error;
    if (wend_map_block(map, percent, common.seed, &blocked, &error) != WEND_OK) {
        wend_map_destroy(map);
        tool_error_file(&error, plain[0]);
        return tool_wrong_error(&error);
    }
    return save_and_destroy(output, blocked, map);
}

const tool_command tool_map_block = {.name = "map block", .run = run_block};

static int run_convert(const tool_command *command, int count, char **words) {
    const char *input, *output = NULL;
    tool_reading reading = {NULL, NULL, NULL, NULL};
    tool_common common;
    const tool_option options[] = {{.name = "-o", .value = &output}, TOOL_READING_OPTIONS(reading)};
    if (!tool_parse(command, count, words, options, sizeof options / sizeof *options, &common, &input, 1, 1))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    if (!has_output(command, input, output)) return TOOL_WRONG;
    wend_map *map = load_for(input, output, &reading, &common);
    return map ? save_and_destroy(output, map, NULL) : TOOL_WRONG;
}

const tool_command tool_map_convert = {.name = "map convert", .run = run_convert};
