#include "grid/format.h"

#include "base/memory.h"
#include "base/platform.h"
#include "base/status.h"
#include "grid/map.h"
#include "grid/text.h"

#include <string.h>

static wend_status check_format(wend_format format, wend_error *error) {
    if (format == WEND_FORMAT_MAP || format == WEND_FORMAT_PBM) return WEND_OK;
    return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "unknown map format %d", (int)format);
}

wend_status wend_map_parse(wend_format format, const void *data, size_t size, const wend_map_options *options,
                           wend_map **map, wend_error *error) {
    if (!map) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "nowhere to put the map");
    *map = NULL;
    wend_status status = check_format(format, error);
    wend_map_options own;
    if (status == WEND_OK) status = wend_map_take_options(options, &own, error);
    options = &own;
    if (status != WEND_OK) return status;
    if (!data && size) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no data to read a map from");
    if (wend_is_all_blank(data, size))
        return wend_fail(error, WEND_STATUS_EMPTY_FILE, size ? "nothing but blanks" : "no data at all");
    return format == WEND_FORMAT_MAP ? wend_format_map_parse(data, size, options, map, error)
                                     : wend_format_pbm_parse(data, size, options, map, error);
}

size_t wend_map_written_size(wend_format format, const wend_map *map) {
    if (!map || check_format(format, NULL) != WEND_OK) return 0;
    return format == WEND_FORMAT_MAP ? wend_format_map_size(map) : wend_format_pbm_size(map);
}

wend_status wend_map_write(wend_format format, const wend_map *map, void *buffer, size_t size,
                           wend_error *error) {
    if (!map || !buffer) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map, or nowhere to write it");
    wend_status status = check_format(format, error);
    if (status != WEND_OK) return status;
    size_t needed = wend_map_written_size(format, map);
    if (size < needed)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the map needs %zu bytes, the buffer has %zu",
                         needed, size);
    if (format == WEND_FORMAT_MAP && map->open_cells < map->cells &&
        map->open_letter[(uint8_t)wend_map_usual_letter(map, false)])
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "the terrain leaves no letter for a blocked cell: it would be read as open");
    if (format == WEND_FORMAT_MAP)
        wend_format_map_write(map, buffer);
    else
        wend_format_pbm_write(map, buffer);
    return WEND_OK;
}

static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    if (length < tail) return false;
    for (size_t i = 0; i < tail; i++)
        if (lower(path[length - tail + i]) != ending[i]) return false;
    return true;
}

static wend_format format_of(const char *path) {
    return ends_with(path, ".pbm") ? WEND_FORMAT_PBM : WEND_FORMAT_MAP;
}

typedef struct looker {
    wend_format format;
    const wend_map_options *options;
} looker;

/* Whether a map can begin like this: a large file of another kind need not be read to its end. Rows that are
 * not there yet are no fault. */
static wend_status look(void *context, const uint8_t *head, size_t size, wend_error *error) {
    const looker *l = context;
    if (l->format == WEND_FORMAT_MAP) {
        while (size && head[size - 1] != '\n') size--;
        if (!size) size = WEND_FILE_HEAD; /* no row is as long */
    }
    wend_map *map;
    wend_error fault;
    wend_status status = wend_map_parse(l->format, head, size, l->options, &map, &fault);
    wend_map_destroy(map);
    if (status == WEND_OK || status == WEND_STATUS_ROWS_TOO_FEW || status == WEND_STATUS_CUT_SHORT ||
        status == WEND_STATUS_EMPTY_FILE || status == WEND_STATUS_NO_MEMORY)
        return WEND_OK;
    /* Without a place it is about the proportions of the whole. */
    if (status == WEND_STATUS_TOO_LARGE && !fault.line) return WEND_OK;
    if (error) *error = fault;
    return status;
}

wend_status wend_map_load(const char *path, const wend_map_options *options, wend_map **map,
                          wend_error *error) {
    if (!path || !map)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no file name, or nowhere to put the map");
    *map = NULL;
    wend_map_options own;
    wend_status status = wend_map_take_options(options, &own, error);
    options = &own;
    if (status != WEND_OK) return status;
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_bytes bytes;
    looker l = {format_of(path), options};
    const wend_file_limits limits = {.max_bytes = WEND_MAX_FILE_BYTES, .look = look, .context = &l};
    status = wend_file_read_within(path, &allocator, &limits, &bytes, error);
    if (status != WEND_OK) return status;
    status = wend_map_parse(l.format, bytes.data, bytes.size, options, map, error);
    if (status != WEND_OK) wend_error_set_file(error, path);
    wend_file_release(&allocator, &bytes);
    return status;
}

wend_status wend_map_save(const char *path, const wend_map *map, wend_error *error) {
    if (!path || !map) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no file name, or no map to save");
    wend_format format = format_of(path);
    size_t size = wend_map_written_size(format, map);
    char *buffer = wend_allocate(&map->allocator, size, 1);
    if (!buffer) {
        wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to write the map");
        wend_error_set_file(error, path);
        return WEND_STATUS_NO_MEMORY;
    }
    wend_status status = wend_map_write(format, map, buffer, size, error);
    if (status == WEND_OK)
        status = wend_file_write(path, buffer, size, error);
    else
        wend_error_set_file(error, path);
    wend_release(&map->allocator, buffer, size, 1);
    return status;
}
