/* Portable bit maps of Netpbm: plain (P1, one digit per cell) and raw (P4, eight cells per byte, rows padded
 * to bytes). 1 is black and means blocked. A file has one image. A comment runs from # to the end of its
 * line and may stand wherever the header or a plain image may have blanks. */
#include "base/status.h"
#include "grid/format.h"
#include "grid/map.h"
#include "grid/text.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROW_BYTES = WEND_MAX_SIDE / 8 };

/* Where the reader stands. Lines are counted for messages; `line` is 0 among raw bytes, which have none. */
typedef struct reader {
    const char *data;
    size_t size, at, line_begin;
    uint64_t line;
} reader;

static uint64_t column(const reader *in) {
    return in->line ? in->at - in->line_begin + 1 : 0;
}

static wend_status fail_here(const reader *in, wend_status status, const char *what, wend_error *error) {
    return wend_fail_at(error, status, in->line, column(in), in->at, "%s", what);
}

static void step(reader *in) {
    if (in->data[in->at++] == '\n') in->line++, in->line_begin = in->at;
}

static void skip_comment(reader *in) {
    while (in->at < in->size && in->data[in->at] != '\n' && in->data[in->at] != '\r') in->at++;
}

static void skip_blanks(reader *in) {
    while (in->at < in->size) {
        if (in->data[in->at] == '#')
            skip_comment(in);
        else if (wend_is_blank(in->data[in->at]))
            step(in);
        else
            break;
    }
}

static wend_status read_size(reader *in, const char *what, int64_t *size, wend_error *error) {
    skip_blanks(in);
    size_t end = in->at;
    while (end < in->size && !wend_is_blank(in->data[end]) && in->data[end] != '#') end++;
    if (end == in->at) return fail_here(in, WEND_STATUS_CUT_SHORT, "the data ends in the header", error);
    const char *text = in->data + in->at;
    uint64_t number;
    wend_status status = WEND_OK;
    if (!wend_text_number(text, end - in->at, &number) || number == 0)
        status = WEND_STATUS_HEADER_VALUE;
    else if (number > WEND_MAX_SIDE)
        status = WEND_STATUS_TOO_LARGE;
    if (status != WEND_OK) {
        char shown[WEND_SHOWN_SIZE];
        return wend_fail_at(error, status, in->line, column(in), in->at,
                            "the %s is `%s`, not a number from 1 to %d", what,
                            wend_text_show(text, end - in->at, shown), WEND_MAX_SIDE);
    }
    *size = (int64_t)number;
    in->at = end;
    return WEND_OK;
}

static wend_status read_magic(reader *in, bool *raw, wend_error *error) {
    const char *data = in->data;
    if (data[0] == 'P' && in->size < 3) {
        in->at = in->size;
        return fail_here(in, WEND_STATUS_CUT_SHORT, "the data ends in the header", error);
    }
    bool is_pnm =
        data[0] == 'P' && data[1] >= '1' && data[1] <= '7' && (wend_is_blank(data[2]) || data[2] == '#');
    if (!is_pnm)
        return fail_here(in, WEND_STATUS_BAD_MAGIC, "no bit map: it begins with neither P1 nor P4", error);
    if (data[1] != '1' && data[1] != '4')
        return fail_here(in, WEND_STATUS_UNSUPPORTED, "an image of greys or colours: only P1 and P4 are read",
                         error);
    *raw = data[1] == '4';
    in->at = 2;
    return WEND_OK;
}

static uint32_t reversed(uint32_t byte) {
    byte = (byte & 0x0f) << 4 | byte >> 4;
    byte = (byte & 0x33) << 2 | (byte >> 2 & 0x33);
    return (byte & 0x55) << 1 | (byte >> 1 & 0x55);
}

/* Which of the eight cells of byte i of a row are on the map, the first one lowest. */
static uint32_t cells_of_byte(uint32_t width, size_t i) {
    size_t left = width - 8 * i;
    return left >= 8 ? 0xff : (1u << left) - 1;
}

/* Opens the white cells of a row of a new map; `raw` is that row as P4 has it. */
static void set_row(wend_map *map, uint32_t y, const uint8_t *raw) {
    uint32_t width = (uint32_t)map->width, carry = 0;
    size_t bytes = (width + 7) / 8;
    uint8_t *row = map->bits + ((size_t)y + 1) * map->row_bytes;
    for (size_t i = 0; i < bytes; i++) {
        uint32_t open = reversed(raw[i] ^ 0xffu) & cells_of_byte(width, i);
        row[i] = (uint8_t)(open << 1 | carry); /* bit x + 1 is the cell x */
        carry = open >> 7;
        map->open_cells += wend_count_bits(open);
    }
    if (carry) row[bytes] = 1;
    if (!map->letters) return;
    const char letter[2] = {wend_map_usual_letter(map, false), wend_map_usual_letter(map, true)};
    for (uint32_t x = 0; x < width; x++) map->letters[(size_t)y * width + x] = letter[wend_bit(map, x, y)];
}

/* Reports an image that ends early: it has `units` (cells or bytes), and a row has `row` of them. */
static wend_status too_little(const reader *in, uint64_t units, uint64_t row, wend_error *error) {
    if (units % row == 0)
        return fail_here(in, WEND_STATUS_ROWS_TOO_FEW, "the data ends before the last row", error);
    return fail_here(in, WEND_STATUS_CUT_SHORT, "the data ends within a row", error);
}

static wend_status refuse_more(reader *in, bool raw, wend_error *error) {
    if (raw)
        while (in->at < in->size && wend_is_blank(in->data[in->at])) in->at++;
    else
        skip_blanks(in);
    if (in->at == in->size) return WEND_OK;
    if (in->data[in->at] == 'P')
        return fail_here(in, WEND_STATUS_UNSUPPORTED, "a second image follows: only one is read", error);
    return fail_here(in, WEND_STATUS_ROWS_TOO_MANY, "more data after the last row", error);
}

static void read_raw(reader *in, wend_map *map) {
    size_t row_bytes = ((size_t)map->width + 7) / 8;
    for (uint32_t y = 0; y < (uint32_t)map->height; y++) {
        set_row(map, y, (const uint8_t *)in->data + in->at);
        in->at += row_bytes;
    }
}

/* Without a map the digits are only checked, to find the fault in an image that is too short. */
static wend_status read_plain(reader *in, uint32_t width, uint32_t height, wend_map *map, wend_error *error) {
    uint8_t raw[MOST_ROW_BYTES] = {0};
    for (uint32_t y = 0; y < height; y++) {
        memset(raw, 0, (width + 7) / 8);
        for (uint32_t x = 0; x < width; x++) {
            skip_blanks(in);
            if (in->at == in->size) return too_little(in, x, width, error);
            char digit = in->data[in->at];
            if (digit != '0' && digit != '1') {
                char shown[WEND_SHOWN_SIZE];
                return wend_fail_at(error, WEND_STATUS_UNKNOWN_LETTER, in->line, column(in), in->at,
                                    "'%s' is neither 0 nor 1", wend_text_show(&digit, 1, shown));
            }
            in->at++;
            if (digit == '1') raw[x / 8] |= (uint8_t)(0x80u >> (x % 8));
        }
        if (map) set_row(map, y, raw);
    }
    return WEND_OK;
}

static wend_status read_header(reader *in, bool *raw, int64_t *width, int64_t *height, wend_error *error) {
    wend_status status = read_magic(in, raw, error);
    if (status == WEND_OK) status = read_size(in, "width", width, error);
    if (status == WEND_OK) status = read_size(in, "height", height, error);
    if (status != WEND_OK) return status;
    /* One blank ends the header. The image follows, even if its first byte looks like a blank. */
    if (in->at < in->size && in->data[in->at] == '#') skip_comment(in);
    if (in->at == in->size) return fail_here(in, WEND_STATUS_CUT_SHORT, "the data ends in the header", error);
    step(in);
    return WEND_OK;
}

wend_status wend_format_pbm_parse(const char *data, size_t size, const wend_map_options *options,
                                  wend_map **map, wend_error *error) {
    reader in = {data, size, 0, 0, 1};
    bool raw = false;
    int64_t width = 0, height = 0;
    wend_status status = read_header(&in, &raw, &width, &height, error);
    if (status != WEND_OK) return status;
    uint64_t row = (uint64_t)(raw ? (width + 7) / 8 : width), left = in.size - in.at;
    if (left < row * (uint64_t)height) {
        if (!raw) return read_plain(&in, (uint32_t)width, (uint32_t)height, NULL, error);
        in.line = 0, in.at = in.size;
        return too_little(&in, left, row, error);
    }
    wend_map *made;
    status = wend_map_create(width, height, options, &made, error);
    if (status != WEND_OK) return status;
    if (raw)
        in.line = 0, read_raw(&in, made);
    else
        status = read_plain(&in, (uint32_t)width, (uint32_t)height, made, error);
    if (status == WEND_OK) status = refuse_more(&in, raw, error);
    if (status == WEND_OK)
        *map = made;
    else
        wend_map_destroy(made);
    return status;
}

static size_t write_header(const wend_map *map, char buffer[32]) {
    return (size_t)snprintf(buffer, 32, "P4\n%d %d\n", (int)map->width, (int)map->height);
}

size_t wend_format_pbm_size(const wend_map *map) {
    char header[32];
    return write_header(map, header) + (size_t)map->height * (((size_t)map->width + 7) / 8);
}

void wend_format_pbm_write(const wend_map *map, char *buffer) {
    char header[32];
    size_t length = write_header(map, header), bytes = ((size_t)map->width + 7) / 8;
    memcpy(buffer, header, length);
    uint8_t *out = (uint8_t *)buffer + length;
    for (uint32_t y = 0; y < (uint32_t)map->height; y++) {
        const uint8_t *row = map->bits + ((size_t)y + 1) * map->row_bytes;
        for (size_t i = 0; i < bytes; i++) {
            uint32_t blocked = ~(wend_load16(row + i) >> 1) & cells_of_byte((uint32_t)map->width, i);
            *out++ = (uint8_t)reversed(blocked & 0xff);
        }
    }
}
