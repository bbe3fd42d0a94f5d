#include "formats/map_files.h"

#include "formats/files.h"
#include "formats/png_file.h"
#include "formats/tiled.h"

#include <stdlib.h>
#include <string.h>

typedef enum file_kind { KIND_MAP, KIND_PBM, KIND_PNG, KIND_TILED, KIND_TILED_XML, KIND_UNKNOWN } file_kind;

static bool same_letters(const char *a, const char *lower) {
    for (; *a && *lower; a++, lower++)
        if ((*a >= 'A' && *a <= 'Z' ? *a + ('a' - 'A') : *a) != *lower) return false;
    return *a == *lower;
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

/* A tileset's name is relative to the map's folder. */
static wend_status read_beside(void *context, const char *source, wend_bytes *bytes, wend_error *error) {
    const char *map_path = context;
    size_t folder = *source == '/' ? 0 : (size_t)(tool_base_name(map_path) - map_path);
    size_t length = strlen(source);
    char *path = malloc(folder + length + 1);
    if (!path) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a file name");
    memcpy(path, map_path, folder);
    memcpy(path + folder, source, length + 1);
    wend_status status = wend_file_read(path, NULL, WEND_MAX_FILE_BYTES, bytes, error);
    free(path);
    return status;
}

static wend_status parse(const char *path, file_kind kind, const tool_png_options *pixels,
                         const tool_reading *reading, const wend_map_options *options, wend_map **map,
                         wend_error *error) {
    wend_bytes bytes;
    wend_status status = wend_file_read(path, NULL, WEND_MAX_FILE_BYTES, &bytes, error);
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

static wend_status save_to_output(const wend_map *map, wend_error *error) {
    size_t size = wend_map_written_size(WEND_FORMAT_MAP, map);
    char *text = malloc(size ? size : 1);
    if (!text) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to write the map");
    wend_status status = wend_map_write(WEND_FORMAT_MAP, map, text, size, error);
    if (status == WEND_OK) status = tool_write_file("-", text, size, error);
    free(text);
    return status;
}

static wend_status save_picture(const char *path, const wend_map *map, wend_error *error) {
    wend_bytes png;
    wend_status status = tool_png_from_map(map, &png, error);
    if (status == WEND_OK) status = tool_write_file(path, png.data, png.size, error);
    tool_bytes_release(&png);
    return status;
}

bool tool_save_map(const char *path, const wend_map *map) {
    wend_error error = {.status = WEND_OK};
    wend_status status = WEND_OK;
    if (strcmp(path, "-") == 0) {
        status = save_to_output(map, &error);
    } else {
        switch (kind_of(path)) {
        case KIND_MAP:
        case KIND_PBM:
            status = wend_map_save(path, map, &error);
            break;
        case KIND_PNG:
            status = save_picture(path, map, &error);
            break;
        default:
            tool_wrong("%s: a map is written as .map, .pbm or .png: the name must end so", path);
            return false;
        }
    }
    if (status == WEND_OK) return true;
    tool_error_file(&error, path);
    tool_wrong_error(&error);
    return false;
}
