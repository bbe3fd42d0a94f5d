#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *wend_version(void) {
    return WEND_VERSION_STRING;
}

const char *wend_status_text(wend_status status) {
    switch (status) {
    case WEND_OK:
        return "no error";
    case WEND_STATUS_BAD_ARGUMENT:
        return "wrong argument";
    case WEND_STATUS_NO_MEMORY:
        return "out of memory";
    case WEND_STATUS_TOO_LARGE:
        return "too large";
    case WEND_STATUS_FILE_ERROR:
        return "file error";
    case WEND_STATUS_EMPTY_FILE:
        return "empty file";
    case WEND_STATUS_CUT_SHORT:
        return "cut short";
    case WEND_STATUS_BAD_MAGIC:
        return "not a file of this kind";
    case WEND_STATUS_HEADER_MISSING:
        return "header field missing";
    case WEND_STATUS_HEADER_REPEATED:
        return "header field repeated";
    case WEND_STATUS_HEADER_ORDER:
        return "header fields out of order";
    case WEND_STATUS_HEADER_VALUE:
        return "bad value in the header";
    case WEND_STATUS_ROW_TOO_SHORT:
        return "row too short";
    case WEND_STATUS_ROW_TOO_LONG:
        return "row too long";
    case WEND_STATUS_ROWS_TOO_FEW:
        return "too few rows";
    case WEND_STATUS_ROWS_TOO_MANY:
        return "too many rows";
    case WEND_STATUS_UNKNOWN_LETTER:
        return "unknown letter";
    case WEND_STATUS_BAD_FIELD:
        return "bad field";
    case WEND_STATUS_OTHER_MAP:
        return "for another map";
    case WEND_STATUS_OUTSIDE:
        return "outside the map";
    case WEND_STATUS_BLOCKED:
        return "blocked cell";
    case WEND_STATUS_STALE:
        return "older than the map's last edit";
    case WEND_STATUS_UNSUPPORTED:
        return "not supported";
    case WEND_STATUS_NEWER_VERSION:
        return "from a later version";
    case WEND_STATUS_DAMAGED:
        return "damaged";
    case WEND_STATUS_WRONG_CONTENTS:
        return "wrong contents";
    case WEND_STATUS_INTERRUPTED:
        return "interrupted";
    case WEND_STATUS_COUNT:
        break;
    }
    return "unknown status";
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
    size_t length = strlen(path), room = sizeof error->file - 1;
    memset(error->file, 0, sizeof error->file);
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
