#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "formats/files.h"

#include "cli/tool.h"

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
    wend_status status = tool_fail(error, WEND_STATUS_FILE_ERROR, "%s: %s", what,
                                   reason ? strerror(reason) : "input/output error");
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
            status = tool_fail(error, WEND_STATUS_TOO_LARGE, "more than %llu bytes",
                               (unsigned long long)most_file_bytes);
            tool_error_file(error, path);
            break;
        }
        errno = 0;
        size_t n = fread(block, 1, sizeof block, file);
        if (n && !tool_bytes_append(bytes, block, n)) {
            status = tool_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the file");
            tool_error_file(error, path);
            break;
        }
        if (n == sizeof block) continue;
        if (ferror(file)) status = file_fail(error, path, "can't read", errno);
        break;
    }
    (void)fclose(file);
    if (status == WEND_OK && bytes->size == 0) {
        status = tool_fail(error, WEND_STATUS_EMPTY_FILE, "the file is empty");
        tool_error_file(error, path);
    }
    if (status != WEND_OK) tool_bytes_release(bytes);
    return status;
}

/* Pieces ------------------------------------------------------------------------------------------------- */

static wend_status output_fail(const tool_output *output, const char *what, int reason, wend_error *error) {
    return file_fail(error, output->file == stdout ? "standard output" : output->path, what, reason);
}

static bool same_place(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino && !S_ISCHR(one.st_mode);
}

/* The folder that a file is in; to be freed. */
static char *folder_of(const char *path) {
    size_t length = (size_t)(tool_base_name(path) - path);
    return length ? strndup(path, length) : strdup(".");
}

bool tool_same_file(const char *a, const char *b) {
    if (strcmp(a, b) == 0 || same_place(a, b)) return true;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0 || strcmp(tool_base_name(a), tool_base_name(b)) != 0)
        return false;
    char *left = folder_of(a), *right = folder_of(b);
    bool same = left && right && same_place(left, right);
    free(left);
    free(right);
    return same;
}

wend_status tool_output_begin(tool_output *output, const char *path, wend_error *error) {
    *output = (tool_output){.path = path};
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return WEND_OK;
    }
    if (!*path) return tool_fail(error, WEND_STATUS_BAD_ARGUMENT, "a file to write needs a name");
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        output->file = fopen(path, "wb");
        return output->file ? WEND_OK : file_fail(error, path, "can't open for writing", errno);
    }
    size_t room = strlen(path) + 32;
    output->temporary = malloc(room);
    if (!output->temporary) return file_fail(error, path, "can't write", ENOMEM);
    (void)snprintf(output->temporary, room, "%s.part%ld", path, (long)getpid());
    output->file = fopen(output->temporary, "wb");
    if (output->file) return WEND_OK;
    wend_status status = file_fail(error, path, "can't open for writing", errno);
    free(output->temporary);
    *output = (tool_output){.path = path};
    return status;
}

wend_status tool_output_add(tool_output *output, const void *data, size_t size, wend_error *error) {
    errno = 0;
    if (fwrite(data, 1, size, output->file) == size) return WEND_OK;
    return output_fail(output, "can't write", errno, error);
}

wend_status tool_output_end(tool_output *output, wend_error *error) {
    errno = 0;
    bool good = fflush(output->file) == 0 && !ferror(output->file);
    if (good && output->temporary) good = fsync(fileno(output->file)) == 0;
    int reason = errno;
    if (output->file != stdout && fclose(output->file) != 0) {
        if (good) reason = errno;
        good = false;
    }
    if (good && output->temporary && rename(output->temporary, output->path) != 0)
        good = false, reason = errno;
    wend_status status = good ? WEND_OK : output_fail(output, "can't write", reason, error);
    if (!good && output->temporary) (void)unlink(output->temporary);
    free(output->temporary);
    *output = (tool_output){NULL, NULL, NULL};
    return status;
}

void tool_output_drop(tool_output *output) {
    if (!output->file) return;
    if (output->file != stdout) (void)fclose(output->file);
    if (output->temporary) (void)unlink(output->temporary);
    free(output->temporary);
    *output = (tool_output){NULL, NULL, NULL};
}

wend_status tool_write_file(const char *path, const void *data, size_t size, wend_error *error) {
    tool_output output;
    wend_status status = tool_output_begin(&output, path, error);
    if (status == WEND_OK) status = tool_output_add(&output, data, size, error);
    if (status == WEND_OK) return tool_output_end(&output, error);
    tool_output_drop(&output);
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
    return tool_fail(error, WEND_STATUS_BAD_ARGUMENT,
                     "the terrain '%.64s' leaves no letter for a blocked cell", options->terrain);
}
