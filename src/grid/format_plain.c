/* Plain levels: a line of letters for each row and no head. Two passes: the first finds the size, the second
 * sets the rows. */
#include "base/memory.h"
#include "base/status.h"
#include "grid/format.h"
#include "grid/map.h"
#include "grid/text.h"

#include <string.h>

/* How large padding may make a level: the larger of the two. */
enum { MOST_PADDED_CELLS = 1 << 20, MOST_CELLS_PER_BYTE = 16 };

bool wend_format_has_head(const char *data, size_t size) {
    return size > 4 && memcmp(data, "type", 4) == 0 && wend_is_blank(data[4]);
}

/* The next line, with the blanks at its end: those are cells. Only a carriage return goes. */
static bool next_row(wend_text *text, wend_line *line) {
    if (!wend_text_line(text, line)) return false;
    line->length = text->at - line->offset - line->ended;
    if (line->length && line->text[line->length - 1] == '\r') line->length--;
    return true;
}

static wend_status too_large(wend_error *error, const wend_line *line, size_t column) {
    return wend_fail_at(error, WEND_STATUS_TOO_LARGE, line->number, column,
                        line->offset + (column ? column - 1 : 0), "a map has at most %d cells a side",
                        WEND_MAX_SIDE);
}

/* The size of the level. `text` ends up at its first row: empty lines before that are none. */
static wend_status measure(wend_text *text, int64_t *width, int64_t *height, wend_error *error) {
    wend_text ahead = *text;
    wend_line line;
    int64_t rows = 0;
    *width = *height = 0;
    while (next_row(&ahead, &line)) {
        if (!rows && !line.length) {
            *text = ahead;
            continue;
        }
        rows++;
        if (!line.length) continue;
        if (line.length > WEND_MAX_SIDE) return too_large(error, &line, WEND_MAX_SIDE + 1);
        if (rows > WEND_MAX_SIDE) return too_large(error, &line, 0);
        if ((int64_t)line.length > *width) *width = (int64_t)line.length;
        *height = rows; /* empty lines at the end are no rows */
    }
    uint64_t cells = (uint64_t)*width * (uint64_t)*height;
    if (cells > MOST_PADDED_CELLS && cells / MOST_CELLS_PER_BYTE > text->size)
        return wend_fail(error, WEND_STATUS_TOO_LARGE,
                         "rows of too unequal length: %lld x %lld cells from %zu bytes", (long long)*width,
                         (long long)*height, text->size);
    return WEND_OK;
}

/* `space` stands for a space, `row` has room for the map's width. */
static wend_status set_rows(wend_text *text, wend_map *map, char space, char *row, wend_error *error) {
    const size_t width = (size_t)map->width;
    const char wall = wend_map_usual_letter(map, false);
    wend_line line;
    for (int32_t y = 0; y < map->height && next_row(text, &line); y++) {
        for (size_t x = 0; x < line.length; x++) row[x] = line.text[x] == ' ' ? space : line.text[x];
        memset(row + line.length, wall, width - line.length);
        wend_status status = wend_map_set_row(map, y, row, error);
        if (status == WEND_OK) continue;
        if (error) error->line = line.number, error->offset += line.offset;
        return status;
    }
    return WEND_OK;
}

/* A terrain in which every letter is open can't say that padding is blocked. */
static wend_status check_wall(const wend_map *map, wend_error *error) {
    if (!map->open_letter[(uint8_t)wend_map_usual_letter(map, false)]) return WEND_OK;
    return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "the terrain leaves no letter for a blocked cell");
}

wend_status wend_format_plain_parse(const char *data, size_t size, const wend_map_options *options,
                                    wend_map **map, wend_error *error) {
    wend_text text = {data, size, 0, 0};
    int64_t width, height;
    wend_status status = measure(&text, &width, &height, error);
    if (status != WEND_OK) return status;
    wend_map *made;
    status = wend_map_create(width, height, options, &made, error);
    if (status != WEND_OK) return status;
    char *row = wend_allocate(&made->allocator, (size_t)width, 1);
    status = row ? check_wall(made, error) : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a row");
    char space = wend_map_usual_letter(made, !strchr(options->blocked, ' '));
    if (status == WEND_OK) status = set_rows(&text, made, space, row, error);
    wend_release(&made->allocator, row, (size_t)width, 1);
    if (status == WEND_OK)
        *map = made;
    else
        wend_map_destroy(made);
    return status;
}
