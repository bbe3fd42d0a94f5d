#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As the library's own limit for maps and scenarios: devices that never end must not fill the memory. */
static const uint64_t most_file_bytes = (uint64_t)1 << 31;

static void fill(wend_error *error, wend_status status, uint64_t line, uint64_t column, const char *format,
                 va_list arguments) {
    if (!error) return;
    memset(error, 0, sizeof *error);
    error->status = status;
    error->line = line, error->column = column;
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
}

wend_status tool_fail(wend_error *error, wend_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

wend_status tool_fail_at(wend_error *error, wend_status status, uint64_t line, uint64_t column,
                         const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, line, column, format, arguments);
    va_end(arguments);
    return status;
}

void tool_error_file(wend_error *error, const char *path) {
    if (!error || error->file[0]) return;
    size_t length = strlen(path), room = sizeof error->file - 1;
    (void)snprintf(error->file, sizeof error->file, "%s", length > room ? path + length - room : path);
}

static wend_status file_fail(wend_error *error, const char *path, const char *what, int reason) {
    wend_status status =
        tool_fail(error, WEND_FILE_ERROR, "%s: %s", what, reason ? strerror(reason) : "input/output error");
    tool_error_file(error, path);
    return status;
}

bool tool_bytes_append(tool_bytes *bytes, const void *data, size_t size) {
    if (size > bytes->capacity - bytes->size) {
        size_t capacity = bytes->capacity ? bytes->capacity : 4096;
        while (capacity - bytes->size < size) {
            if (capacity > SIZE_MAX / 2) return false;
            capacity *= 2;
        }
        uint8_t *larger = realloc(bytes->data, capacity);
        if (!larger) return false;
        bytes->data = larger, bytes->capacity = capacity;
    }
    if (size) memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

void tool_bytes_release(tool_bytes *bytes) {
    free(bytes->data);
    *bytes = (tool_bytes){NULL, 0, 0};
}

wend_status tool_read_file(const char *path, tool_bytes *bytes, wend_error *error) {
    *bytes = (tool_bytes){NULL, 0, 0};
    FILE *file = fopen(path, "rb");
    if (!file) return file_fail(error, path, "can't open", errno);
    wend_status status = WEND_OK;
    struct stat info;
    bool sized = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    uint64_t announced = sized && info.st_size > 0 ? (uint64_t)info.st_size : 0;
    uint8_t block[65536];
    for (;;) {
        if (announced > most_file_bytes || bytes->size > most_file_bytes) {
            status =
                tool_fail(error, WEND_TOO_LARGE, "more than %llu bytes", (unsigned long long)most_file_bytes);
            tool_error_file(error, path);
            break;
        }
        errno = 0;
        size_t n = fread(block, 1, sizeof block, file);
        if (n && !tool_bytes_append(bytes, block, n)) {
            status = tool_fail(error, WEND_NO_MEMORY, "no memory for the file");
            tool_error_file(error, path);
            break;
        }
        if (n == sizeof block) continue;
        if (ferror(file)) status = file_fail(error, path, "can't read", errno);
        break;
    }
    (void)fclose(file);
    if (status == WEND_OK && bytes->size == 0) {
        status = tool_fail(error, WEND_EMPTY_FILE, "the file is empty");
        tool_error_file(error, path);
    }
    if (status != WEND_OK) tool_bytes_release(bytes);
    return status;
}

static wend_status write_plainly(const char *path, FILE *file, const void *data, size_t size, bool sync,
                                 wend_error *error) {
    errno = 0;
    bool good = fwrite(data, 1, size, file) == size && fflush(file) == 0;
    if (good && sync) good = fsync(fileno(file)) == 0;
    int reason = errno;
    if (file != stdout && fclose(file) != 0) {
        if (good) reason = errno;
        good = false;
    }
    return good ? WEND_OK
                : file_fail(error, file == stdout ? "standard output" : path, "can't write", reason);
}

wend_status tool_write_file(const char *path, const void *data, size_t size, wend_error *error) {
    if (strcmp(path, "-") == 0) return write_plainly(path, stdout, data, size, false, error);
    struct stat info;
    bool special = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
    char temporary[4096];
    int length = snprintf(temporary, sizeof temporary, "%s.part%ld", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof temporary)
        return file_fail(error, path, "can't write", ENAMETOOLONG);
    FILE *file = fopen(special ? path : temporary, "wb");
    if (!file) return file_fail(error, path, "can't open for writing", errno);
    wend_status status = write_plainly(path, file, data, size, !special, error);
    if (special) return status;
    if (status == WEND_OK && rename(temporary, path) != 0)
        status = file_fail(error, path, "can't write", errno);
    if (status != WEND_OK) (void)unlink(temporary);
    return status;
}

wend_status tool_plain_letters(const wend_map_options *options, char *open, char *blocked,
                               wend_error *error) {
    *open = strchr(options->terrain, '.') ? '.' : options->terrain[0];
    for (const char *p = "@OTW.GS"; *p; p++)
        if (!strchr(options->terrain, *p)) {
            *blocked = *p;
            return WEND_OK;
        }
    return tool_fail(error, WEND_BAD_ARGUMENT, "the terrain '%.64s' leaves no letter for a blocked cell",
                     options->terrain);
}
