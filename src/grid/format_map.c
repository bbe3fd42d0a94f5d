/* The MovingAI map format (N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012): four header lines
 * `type`, `height`, `width` and `map` in this order, then a line of letters for each row. Carriage returns
 * and blanks before a line's end are ignored, since published files have both, as are blank lines behind the
 * last row. Data without the head is a plain level: see below. */
#include "base/memory.h"
#include "base/status.h"
#include "grid/format.h"
#include "grid/map.h"
#include "grid/text.h"

#include <stdio.h>
#include <string.h>

enum { TYPE, HEIGHT, WIDTH, MAP, FIELDS };
static const char *const field_names[FIELDS] = {"type", "height", "width", "map"};

/* The field that a line begins with, and where its value begins; FIELDS if it is no header line. */
static int field_of(const wend_line *line, size_t *value) {
    for (int field = 0; field < FIELDS; field++) {
        size_t length = strlen(field_names[field]);
        if (line->length < length || memcmp(line->text, field_names[field], length) != 0) continue;
        if (line->length > length && !wend_is_blank(line->text[length])) continue;
        while (length < line->length && wend_is_blank(line->text[length])) length++;
        *value = length;
        return field;
    }
    return FIELDS;
}

/* True if `text` is how `whole` begins. */
static bool begins(const char *whole, const char *text, size_t length) {
    return length <= strlen(whole) && memcmp(whole, text, length) == 0;
}

static wend_status cut_in_header(const wend_line *line, const char *field, wend_error *error) {
    return wend_fail_at(error, WEND_STATUS_CUT_SHORT, line->number, line->length + 1,
                        line->offset + line->length, "the data ends in the header, at `%s`", field);
}

/* A line that is not the expected header line: finds out what is wrong. */
static wend_status wrong_field(const wend_text *text, const wend_line *line, int expected, int found,
                               wend_error *error) {
    const char *name = field_names[expected];
    char shown[WEND_SHOWN_SIZE];
    wend_text_show(line->text, line->length, shown);
    if (found < expected)
        return wend_fail_at(error, WEND_STATUS_HEADER_REPEATED, line->number, 1, line->offset,
                            "`%s` is there a second time, where `%s` should be", field_names[found], name);
    if (found == FIELDS) {
        if (!line->ended && begins(name, line->text, line->length)) return cut_in_header(line, name, error);
        return wend_fail_at(error, WEND_STATUS_HEADER_MISSING, line->number, 1, line->offset,
                            "`%s` should be here, not `%s`", name, shown);
    }
    /* A later field: either the expected one follows among the lines where a header could still be, or it is
     * missing. */
    wend_text ahead = *text;
    wend_line later;
    for (int i = 0; i < FIELDS && wend_text_line(&ahead, &later); i++) {
        size_t value;
        if (field_of(&later, &value) == expected)
            return wend_fail_at(error, WEND_STATUS_HEADER_ORDER, line->number, 1, line->offset,
                                "`%s` comes before `%s`, which should be first", field_names[found], name);
    }
    return wend_fail_at(error, WEND_STATUS_HEADER_MISSING, line->number, 1, line->offset,
                        "`%s` is missing before `%s`", name, field_names[found]);
}

static wend_status read_value(const wend_line *line, int field, size_t at, int64_t *size, wend_error *error) {
    const char *text = line->text + at, *name = field_names[field];
    size_t length = line->length - at;
    char shown[WEND_SHOWN_SIZE];
    wend_text_show(text, length, shown);
    if (!length && field != MAP && !line->ended) return cut_in_header(line, name, error);
    uint64_t number;
    wend_status status = WEND_OK;
    switch (field) {
    case TYPE:
        if ((length == 6 && begins("octile", text, 6)) || (length == 4 && begins("tile", text, 4)))
            return WEND_OK;
        if (!line->ended && (begins("octile", text, length) || begins("tile", text, length)))
            return cut_in_header(line, name, error);
        return wend_fail_at(error, WEND_STATUS_HEADER_VALUE, line->number, at + 1, line->offset + at,
                            "the type is `%s`, neither `octile` nor `tile`", shown);
    case MAP:
        if (!length) return WEND_OK;
        return wend_fail_at(error, WEND_STATUS_HEADER_VALUE, line->number, at + 1, line->offset + at,
                            "`map` has a line of its own, without `%s`", shown);
    default:
        if (!wend_text_number(text, length, &number) || number == 0)
            status = WEND_STATUS_HEADER_VALUE;
        else if (number > WEND_MAX_SIDE)
            status = WEND_STATUS_TOO_LARGE;
        else
            *size = (int64_t)number;
    }
    if (status == WEND_OK) return WEND_OK;
    return wend_fail_at(error, status, line->number, at + 1, line->offset + at,
                        "the %s is `%s`, not a number from 1 to %d", name, shown, WEND_MAX_SIDE);
}

static wend_status read_header(wend_text *text, int64_t *width, int64_t *height, wend_error *error) {
    wend_line line = {text->data, 0, 0, 1, false};
    for (int field = 0; field < FIELDS; field++) {
        if (!wend_text_line(text, &line)) return cut_in_header(&line, field_names[field], error);
        size_t value = 0;
        int found = field_of(&line, &value);
        wend_status status = found == field
                                 ? read_value(&line, field, value, field == WIDTH ? width : height, error)
                                 : wrong_field(text, &line, field, found, error);
        if (status != WEND_OK) return status;
    }
    return WEND_OK;
}

static wend_status rows_too_few(uint64_t number, size_t offset, uint32_t y, int64_t height,
                                wend_error *error) {
    return wend_fail_at(error, WEND_STATUS_ROWS_TOO_FEW, number, 0, offset,
                        "the data ends after %lu of %lu rows", (unsigned long)y, (unsigned long)height);
}

/* Takes the line of row y, and checks its length. */
static wend_status take_row(wend_text *text, wend_line *line, uint32_t y, int64_t width, int64_t height,
                            wend_error *error) {
    size_t expected = (size_t)width, begin = text->at;
    if (!wend_text_line(text, line)) return rows_too_few(text->line + 1, begin, y, height, error);
    if (line->length == expected) return WEND_OK;
    if (line->length > expected)
        return wend_fail_at(error, WEND_STATUS_ROW_TOO_LONG, line->number, expected + 1,
                            line->offset + expected, "row %lu has %zu letters, not %zu", (unsigned long)y,
                            line->length, expected);
    if (!line->length && wend_is_all_blank(text->data + begin, text->size - begin))
        return rows_too_few(line->number, begin, y, height, error);
    if (!line->ended)
        return wend_fail_at(error, WEND_STATUS_CUT_SHORT, line->number, line->length + 1,
                            line->offset + line->length, "the data ends in row %lu, after %zu of %zu letters",
                            (unsigned long)y, line->length, expected);
    return wend_fail_at(error, WEND_STATUS_ROW_TOO_SHORT, line->number, line->length + 1,
                        line->offset + line->length, "row %lu has %zu letters, not %zu", (unsigned long)y,
                        line->length, expected);
}

/* Finds the fault in rows that have fewer bytes than the header promises. Allocates nothing. */
static wend_status find_missing(wend_text *text, int64_t width, int64_t height, wend_error *error) {
    wend_status status = WEND_OK;
    wend_line line;
    for (uint32_t y = 0; status == WEND_OK; y++) status = take_row(text, &line, y, width, height, error);
    return status;
}

static wend_status read_rows(wend_text *text, wend_map *map, wend_error *error) {
    size_t width = (size_t)map->width;
    for (int32_t y = 0; y < map->height; y++) {
        /* Nearly all rows are letters and a newline. A newline is no letter, so it is enough to look at the
         * place where the newline should be. The code below finds any fault again. */
        const char *row = text->data + text->at;
        if (text->size - text->at > width && row[width] == '\n' &&
            wend_map_set_row(map, y, row, NULL) == WEND_OK) {
            text->at += width + 1;
            text->line++;
            continue;
        }
        wend_line line;
        wend_status status = take_row(text, &line, (uint32_t)y, map->width, map->height, error);
        if (status != WEND_OK) return status;
        status = wend_map_set_row(map, y, line.text, error);
        if (status != WEND_OK) {
            if (error) error->line = line.number, error->offset += line.offset;
            return status;
        }
    }
    return WEND_OK;
}

static wend_status refuse_more(wend_text *text, wend_error *error) {
    wend_line line;
    while (wend_text_line(text, &line)) {
        if (!line.length) continue;
        size_t blanks = 0;
        while (wend_is_blank(line.text[blanks])) blanks++;
        return wend_fail_at(error, WEND_STATUS_ROWS_TOO_MANY, line.number, blanks + 1, line.offset + blanks,
                            "more data after the last row");
    }
    return WEND_OK;
}

static wend_status parse_headed(const char *data, size_t size, const wend_map_options *options,
                                wend_map **map, wend_error *error) {
    wend_text text = {data, size, 0, 0};
    int64_t width = 0, height = 0;
    wend_status status = read_header(&text, &width, &height, error);
    if (status != WEND_OK) return status;
    if ((uint64_t)(size - text.at) < (uint64_t)width * (uint64_t)height + (uint64_t)height - 1)
        return find_missing(&text, width, height, error);
    wend_map *made;
    status = wend_map_create(width, height, options, &made, error);
    if (status != WEND_OK) return status;
    status = read_rows(&text, made, error);
    if (status == WEND_OK) status = refuse_more(&text, error);
    if (status == WEND_OK)
        *map = made;
    else
        wend_map_destroy(made);
    return status;
}

/* Plain levels: a line of letters for each row and no head. Two passes: the first finds the size, the second
 * sets the rows. */

/* How large padding may make a level: the larger of the two. */
enum { MOST_PADDED_CELLS = 1 << 20, MOST_CELLS_PER_BYTE = 16 };

static bool has_head(const char *data, size_t size) {
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
                        line->offset + (column ? column - 1 : 0), "a map has at most %d cells per side",
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

static wend_status parse_plain(const char *data, size_t size, const wend_map_options *options, wend_map **map,
                               wend_error *error) {
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

wend_status wend_format_map_parse(const char *data, size_t size, const wend_map_options *options,
                                  wend_map **map, wend_error *error) {
    return has_head(data, size) ? parse_headed(data, size, options, map, error)
                                : parse_plain(data, size, options, map, error);
}

/* The header for a map, and its length. */
static size_t write_header(const wend_map *map, char buffer[80]) {
    return (size_t)snprintf(buffer, 80, "type octile\nheight %d\nwidth %d\nmap\n", (int)map->height,
                            (int)map->width);
}

size_t wend_format_map_size(const wend_map *map) {
    char header[80];
    return write_header(map, header) + (size_t)map->height * ((size_t)map->width + 1);
}

void wend_format_map_write(const wend_map *map, char *buffer) {
    char header[80];
    size_t length = write_header(map, header), width = (size_t)map->width;
    memcpy(buffer, header, length);
    buffer += length;
    const char letter[2] = {wend_map_usual_letter(map, false), wend_map_usual_letter(map, true)};
    for (uint32_t y = 0; y < (uint32_t)map->height; y++) {
        if (map->letters)
            memcpy(buffer, map->letters + y * width, width);
        else
            for (uint32_t x = 0; x < width; x++) buffer[x] = letter[wend_bit(map, x, y)];
        buffer[width] = '\n';
        buffer += width + 1;
    }
}
