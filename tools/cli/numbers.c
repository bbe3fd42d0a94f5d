/* Numbers from text. */
#include "cli/tool.h"

#include "shared/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tool_digits(const char *text, uint64_t *value) {
    size_t length = strlen(text);
    return length && shared_digits(text, length, value) == length;
}

static bool read_integer(const char *text, int64_t *value) {
    bool negative = *text == '-';
    uint64_t digits;
    if (!tool_digits(text + negative, &digits) || digits > INT64_MAX) return false;
    *value = negative ? -(int64_t)digits : (int64_t)digits;
    return true;
}

bool tool_integer(const char *what, const char *text, int64_t least, int64_t most, int64_t *value) {
    int64_t read;
    if (!read_integer(text, &read) || read < least || read > most) {
        if (most == INT64_MAX)
            tool_wrong("%s: must be a whole number, at least %lld, not '%s'", what, (long long)least, text);
        else
            tool_wrong("%s: must be a whole number from %lld to %lld, not '%s'", what, (long long)least,
                       (long long)most, text);
        return false;
    }
    *value = read;
    return true;
}

bool tool_size(const char *what, const char *text, uint64_t *bytes) {
    static const char units[] = "KMG";
    size_t length = strlen(text);
    const char *unit = length ? strchr(units, text[length - 1]) : NULL;
    uint64_t read, factor = 1;
    for (const char *p = units; unit && p <= unit; p++) factor *= 1024;
    if (unit) length--;
    if (!length || shared_digits(text, length, &read) != length || !read || read > UINT64_MAX / factor) {
        tool_wrong("%s: must be bytes, as in 5000000 or 64M, not '%s'", what, text);
        return false;
    }
    *bytes = read * factor;
    return true;
}

bool tool_number(const char *what, const char *text, double least, double most, double *value) {
    char *end = NULL;
    double read = strspn(text, "+-.0123456789eE") == strlen(text) ? strtod(text, &end) : NAN;
    if (!end || end == text || *end || !isfinite(read) || read < least || read > most) {
        if (isinf(most))
            tool_wrong("%s: must be a number, at least %g, not '%s'", what, least, text);
        else
            tool_wrong("%s: must be a number from %g to %g, not '%s'", what, least, most, text);
        return false;
    }
    *value = read;
    return true;
}

bool tool_cell(const char *what, const char *text, const wend_map *map, wend_cell *cell) {
    char x_text[24];
    const char *comma = strchr(text, ',');
    int64_t x, y;
    if (comma && comma > text && (size_t)(comma - text) < sizeof x_text) {
        size_t length = (size_t)(comma - text);
        memcpy(x_text, text, length);
        x_text[length] = 0;
    } else {
        comma = NULL;
    }
    if (!comma || !read_integer(x_text, &x) || !read_integer(comma + 1, &y)) {
        tool_wrong("%s: must be a cell X,Y, not '%s'", what, text);
        return false;
    }
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    if (x < 0 || y < 0 || x >= width || y >= height) {
        tool_wrong("%s: cell %s is outside the map of %d x %d", what, text, (int)width, (int)height);
        return false;
    }
    *cell = wend_map_cell(map, (int32_t)x, (int32_t)y);
    return true;
}
