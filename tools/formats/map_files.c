#include "formats/map_files.h"

#include "formats/files.h"
#include "formats/png_file.h"
#include "formats/tiled.h"

#include <stdlib.h>
#include <string.h>

typedef enum file_kind { KIND_MAP, KIND_PBM, KIND_PNG, KIND_TILED, KIND_TILED_XML, KIND_UNKNOWN } file_kind;

enum { MOST_TILESET_BYTES = 16 << 20 };

static bool same_letters(const char *a, const char *lower) {
    for (; *a && *lower; a++, lower++)
        if ((*a >= 'A' && *a <= 'Z' ? *a + ('a' - 'A') : *a) != *lower) return false;
    return *a == *lower;
}

bool tool_named_as(const char *option, const char *name, const char *ending) {
    const char *dot = name ? strrchr(tool_base_name(name), '.') : NULL;
    if (!dot || same_letters(dot, ending)) return true;
    (void)tool_wrong("%s %s: only %s can be written, not %s", option, name, ending, dot);
    return false;
}

static file_kind kind_of(const char *path) {
    static const struct {
        const char *ending;
        file_kind kind;
    } kinds[] = {{".map", KIND_MAP},   {".txt", KIND_MAP},    {".pbm", KIND_PBM},      {".png", KIND_PNG},
                 {".tmj", KIND_TILED}, {".json", KIND_TILED}, {".tmx", KIND_TILED_XML}};
    const char *dot = strrchr(tool_base_name(path), '.');
    if (!dot) return KIND_MAP;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (same_letters(dot, kinds[i].ending)) return kinds[i].kind;
    return KIND_UNKNOWN;
}

bool tool_keeps_letters(const char *path) {
    return kind_of(path) == KIND_MAP;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_colours(const char *text, tool_png_options *pixels) {
    for (const char *p = text;; p++) {
        uint32_t colour = 0;
        int digits = 0;
        if (*p == '#') p++;
        for (; digits < 6 && hex_digit(*p) >= 0; digits++, p++)
            colour = colour << 4 | (uint32_t)hex_digit(*p);
        if (digits != 6 || (*p && *p != ',')) {
            tool_wrong("--open: must be colours RRGGBB with commas between, not '%s'", text);
            return false;
        }
        if (pixels->open_count == TOOL_PNG_MOST_COLOURS) {
            tool_wrong("--open: at most %d colours", TOOL_PNG_MOST_COLOURS);
            return false;
        }
        pixels->open[pixels->open_count++] = colour;
        if (!*p) return true;
    }
}

static bool read_pixel_options(const tool_reading *reading, tool_png_options *pixels) {
    *pixels = tool_default_png_options();
    if (reading->threshold && reading->open) {
        tool_wrong("--threshold and --open exclude each other");
        return false;
    }
    if (reading->open) return read_colours(reading->open, pixels);
    if (!reading->threshold) return true;
    int64_t threshold;
    if (!tool_integer("--threshold", reading->threshold, 0, 255, &threshold)) return false;
    pixels->threshold = (int)threshold;
    return true;
}

/* A large file must begin like one of its kind. */
static wend_status look(void *context, const uint8_t *head, size_t size, wend_error *error) {
    const file_kind *kind = context;
    size_t at = 0;
    while (*kind == KIND_TILED && at < size && strchr(" \t\r\n", head[at]) && head[at]) at++;
    if (*kind == KIND_TILED ? at == size || head[at] == '{' : memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0)
        return WEND_OK;
    return wend_fail(error, WEND_STATUS_BAD_MAGIC, "not a %s: it begins otherwise",
                     *kind == KIND_TILED ? "Tiled map" : "PNG picture");
}

/* Whether a path stays in its folder or goes below it. */
static bool stays(const char *path) {
    if (*path == '/') return false;
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2])) return false;
    }
    return true;
}

/* A tileset's name is relative to the map's folder. A map may come from a stranger: it names no files elsewhere,
 * and nothing that is no plain file. */
static wend_status read_beside(void *context, const char *source, wend_bytes *bytes, wend_error *error) {
    const char *map_path = context;
    const wend_file_limits limits = {.max_bytes = MOST_TILESET_BYTES, .regular = true};
    size_t folder = (size_t)(tool_base_name(map_path) - map_path), length = strlen(source);
    if (!stays(source))
        return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                         "tileset '%.80s' is not in the map's folder: move it there, or embed it", source);
    char *path = malloc(folder + length + 1);
    if (!path) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a file name");
    memcpy(path, map_path, folder);
    memcpy(path + folder, source, length + 1);
    wend_status status = wend_file_read_within(path, NULL, &limits, bytes, error);
    free(path);
    return status;
}

static wend_status parse(const char *path, file_kind kind, const tool_png_options *pixels,
                         const tool_reading *reading, const wend_map_options *options, wend_map **map,
                         wend_error *error) {
    wend_bytes bytes;
    const wend_file_limits limits = {.max_bytes = WEND_MAX_FILE_BYTES, .look = look, .context = &kind};
    wend_status status = wend_file_read_within(path, NULL, &limits, &bytes, error);
    if (status != WEND_OK) return status;
    if (kind == KIND_PNG) {
        status = tool_png_parse(bytes.data, bytes.size, pixels, options, map, error);
    } else {
        char *context = malloc(strlen(path) + 1);
        if (context) memcpy(context, path, strlen(path) + 1);
        tool_tiled_options tiled = {.layer = reading->layer,
                                    .walkable = reading->walkable,
                                    .read = context ? read_beside : NULL,
                                    .context = context};
        status = tool_tiled_parse(bytes.data, bytes.size, &tiled, options, map, error);
        free(context);
    }
    tool_bytes_release(&bytes);
    return status;
}

wend_map *tool_load_map_as(const char *path, const tool_reading *reading, const wend_map_options *options) {
    file_kind kind = kind_of(path);
    tool_png_options pixels;
    wend_map *map = NULL;
    wend_error error = {.status = WEND_OK};
    if (kind != KIND_PNG && (reading->threshold || reading->open)) {
        tool_wrong("%s: --threshold and --open are for pictures (.png)", path);
        return NULL;
    }
    if (kind != KIND_TILED && (reading->layer || reading->walkable)) {
        tool_wrong("%s: --layer and --walkable are for Tiled maps (.tmj)", path);
        return NULL;
    }
    if (kind == KIND_TILED_XML) {
        tool_wrong("%s: Tiled's XML is not supported: export the map as .tmj", path);
        return NULL;
    }
    if (!read_pixel_options(reading, &pixels)) return NULL;
    wend_status status = kind == KIND_PNG || kind == KIND_TILED
                             ? parse(path, kind, &pixels, reading, options, &map, &error)
                             : wend_map_load(path, options, &map, &error);
    if (status == WEND_OK) return map;
    tool_error_file(&error, path);
    tool_wrong_error(&error);
    return NULL;
}

wend_map *tool_load_map(const char *path, const wend_map_options *options) {
    const tool_reading as_usual = {NULL, NULL, NULL, NULL};
    return tool_load_map_as(path, &as_usual, options);
}

wend_map *tool_load_body_map(const char *path, const char *body, const wend_map_options *options) {
    int64_t size = 1;
    if (body && !tool_integer("--body", body, 1, WEND_MAX_BODY, &size)) return NULL;
    wend_map *map = tool_load_map(path, options), *made = NULL;
    if (!map || size == 1) return map;
    wend_error error;
    if (wend_map_for_body(map, (int32_t)size, &made, &error) != WEND_OK) (void)tool_wrong_error(&error);
    wend_map_destroy(map);
    return made;
}

static wend_status to_text(const wend_map *map, wend_format format, wend_bytes *bytes, wend_error *error) {
    bytes->size = bytes->capacity = wend_map_written_size(format, map);
    bytes->data = malloc(bytes->size ? bytes->size : 1);
    if (!bytes->data) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to write the map");
    return wend_map_write(format, map, bytes->data, bytes->size, error);
}

bool tool_save_map(const char *path, const wend_map *map) {
    file_kind kind = strcmp(path, "-") == 0 ? KIND_MAP : kind_of(path);
    wend_bytes bytes = {NULL, 0, 0};
    wend_error error = {.status = WEND_OK};
    wend_status status;
    if (kind != KIND_MAP && kind != KIND_PBM && kind != KIND_PNG) {
        tool_wrong("%s: a map is written as .map, .pbm or .png: the name must end so", path);
        return false;
    }
    if (kind == KIND_PNG)
        status = tool_png_from_map(map, &bytes, &error);
    else
        status = to_text(map, kind == KIND_PBM ? WEND_FORMAT_PBM : WEND_FORMAT_MAP, &bytes, &error);
    bool good = status == WEND_OK && tool_write_file(path, bytes.data, bytes.size);
    tool_bytes_release(&bytes);
    if (status != WEND_OK) {
        tool_error_file(&error, path);
        tool_wrong_error(&error);
    }
    return good;
}
