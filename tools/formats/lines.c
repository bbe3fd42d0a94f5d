#include "formats/lines.h"

#include "shared/text.h"

#include <stdarg.h>
#include <string.h>

bool tool_lines_open(tool_lines *lines, const char *file, const char *form) {
    wend_error error;
    *lines = (tool_lines){.file = file, .form = form};
    if (wend_file_read(file, NULL, WEND_MAX_FILE_BYTES, &lines->bytes, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    lines->next = lines->bytes.data;
    return true;
}

static void skip_blanks(tool_lines *lines) {
    while (lines->at < lines->end && (*lines->at == ' ' || *lines->at == '\t')) lines->at++;
}

bool tool_lines_next(tool_lines *lines) {
    uint8_t *all_end = lines->bytes.data + lines->bytes.size;
    while (lines->next < all_end) {
        uint8_t *newline = memchr(lines->next, '\n', (size_t)(all_end - lines->next));
        lines->begin = lines->at = lines->next, lines->number++;
        lines->end = newline ? newline : all_end;
        lines->next = newline ? newline + 1 : all_end;
        if (lines->end > lines->begin && lines->end[-1] == '\r') lines->end--;
        skip_blanks(lines);
        if (lines->at < lines->end) return true;
    }
    return false;
}

uint8_t *tool_lines_word(tool_lines *lines, size_t *length) {
    uint8_t *word = lines->at;
    while (lines->at < lines->end && *lines->at != ' ' && *lines->at != '\t') lines->at++;
    *length = (size_t)(lines->at - word);
    skip_blanks(lines);
    return word;
}

bool tool_lines_number(tool_lines *lines, const char *what, uint64_t most, uint64_t *value) {
    size_t length;
    const uint8_t *word = tool_lines_word(lines, &length);
    if (!length) return tool_lines_refuse(lines, word, "the line is too short: %s", lines->form);
    if (shared_digits((const char *)word, length, value) != length && *value != UINT64_MAX)
        return tool_lines_refuse(lines, word, "%s must be a whole number", what);
    return *value <= most ||
           tool_lines_refuse(lines, word, "%s must be at most %llu", what, (unsigned long long)most);
}

bool tool_lines_refuse(const tool_lines *lines, const uint8_t *where, const char *format, ...) {
    char reason[192];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    (void)tool_wrong("%s:%llu:%llu: %s", lines->file, (unsigned long long)lines->number,
                     (unsigned long long)(where - lines->begin) + 1, reason);
    return false;
}
