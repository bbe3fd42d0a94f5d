#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *wend_version(void) {
    return WEND_VERSION_STRING;
}

int wend_version_number(void) {
    return WEND_VERSION_NUMBER;
}

static const char *const texts[WEND_STATUS_COUNT] = {
    [WEND_OK] = "no error",
    [WEND_STATUS_BAD_ARGUMENT] = "wrong argument",
    [WEND_STATUS_NO_MEMORY] = "out of memory",
    [WEND_STATUS_TOO_LARGE] = "too large",
    [WEND_STATUS_FILE_ERROR] = "file error",
    [WEND_STATUS_EMPTY_FILE] = "empty file",
    [WEND_STATUS_CUT_SHORT] = "cut short",
    [WEND_STATUS_BAD_MAGIC] = "not a file of this kind",
    [WEND_STATUS_HEADER_MISSING] = "header field missing",
    [WEND_STATUS_HEADER_REPEATED] = "header field repeated",
    [WEND_STATUS_HEADER_ORDER] = "header fields out of order",
    [WEND_STATUS_HEADER_VALUE] = "bad value in the header",
    [WEND_STATUS_ROW_TOO_SHORT] = "row too short",
    [WEND_STATUS_ROW_TOO_LONG] = "row too long",
    [WEND_STATUS_ROWS_TOO_FEW] = "too few rows",
    [WEND_STATUS_ROWS_TOO_MANY] = "too many rows",
    [WEND_STATUS_UNKNOWN_LETTER] = "unknown letter",
    [WEND_STATUS_BAD_FIELD] = "bad field",
    [WEND_STATUS_OTHER_MAP] = "for another map",
    [WEND_STATUS_OUTSIDE] = "outside the map",
    [WEND_STATUS_BLOCKED] = "blocked cell",
    [WEND_STATUS_STALE] = "older than the map's last edit",
    [WEND_STATUS_UNSUPPORTED] = "not supported",
    [WEND_STATUS_NEWER_VERSION] = "from a later version",
    [WEND_STATUS_DAMAGED] = "damaged",
    [WEND_STATUS_WRONG_CONTENTS] = "wrong contents",
    [WEND_STATUS_INTERRUPTED] = "interrupted",
    [WEND_STATUS_FULL] = "full",
    [WEND_STATUS_TOO_SMALL] = "too small",
};

const char *wend_status_text(wend_status status) {
    return (unsigned)status < WEND_STATUS_COUNT ? texts[status] : "unknown status";
}

WEND_PRINTF(6, 0)
static void fill(wend_error *error, wend_status status, uint64_t line, uint64_t column, uint64_t offset,
                 const char *format, va_list arguments) {
    *error = (wend_error){.status = status, .line = line, .column = column, .offset = offset};
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
}

wend_status wend_fail(wend_error *error, wend_status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, 0, 0, 0, format, arguments);
        va_end(arguments);
    }
    return status;
}

wend_status wend_fail_at(wend_error *error, wend_status status, uint64_t line, uint64_t column,
                         uint64_t offset, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, status, line, column, offset, format, arguments);
        va_end(arguments);
    }
    return status;
}

void wend_error_set_file(wend_error *error, const char *path) {
    if (!error) return;
    memset(error->file, 0, sizeof error->file);
    if (!path) return;
    size_t length = strlen(path), room = sizeof error->file - 1;
    if (length > room) path += length - room, length = room;
    memcpy(error->file, path, length);
}

const char *wend_error_text(const wend_error *error, char *buffer, size_t size) {
    if (!buffer || !size) return "";
    buffer[0] = 0;
    if (!error) return buffer;
    char place[300] = "";
    if (error->line && error->column)
        (void)snprintf(place, sizeof place, "%s:%llu:%llu: ", error->file[0] ? error->file : "line",
                       (unsigned long long)error->line, (unsigned long long)error->column);
    else if (error->line)
        (void)snprintf(place, sizeof place, "%s:%llu: ", error->file[0] ? error->file : "line",
                       (unsigned long long)error->line);
    else if (error->file[0])
        (void)snprintf(place, sizeof place, "%s: ", error->file);
    (void)snprintf(buffer, size, "%s%s", place, error->message);
    return buffer;
}
