#define _POSIX_C_SOURCE 200809L

#include "formats/files.h"

#include "cli/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void tool_error_file(wend_error *error, const char *path) {
    if (error && !error->file[0]) wend_error_set_file(error, path);
}

bool tool_bytes_append(wend_bytes *bytes, const void *data, size_t size) {
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

void tool_bytes_release(wend_bytes *bytes) {
    free(bytes->data);
    *bytes = (wend_bytes){NULL, 0, 0};
}

/* Outputs ------------------------------------------------------------------------------------------------ */

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
    *output = (tool_output){.open = true, .standard = strcmp(path, "-") == 0};
    wend_status status = output->standard ? WEND_OK : wend_output_begin(&output->file, path, error);
    output->open = status == WEND_OK;
    return status;
}

static wend_status write_standard(const void *data, size_t size, wend_error *error) {
    errno = 0;
    if (fwrite(data, 1, size, stdout) == size && fflush(stdout) == 0) return WEND_OK;
    wend_fail(error, WEND_STATUS_FILE_ERROR, "can't write: %s", errno ? strerror(errno) : "output error");
    if (error) wend_error_set_file(error, "standard output");
    return WEND_STATUS_FILE_ERROR;
}

wend_status tool_output_add(tool_output *output, const void *data, size_t size, wend_error *error) {
    return output->standard ? write_standard(data, size, error)
                            : wend_output_write(&output->file, data, size, error);
}

wend_status tool_output_end(tool_output *output, wend_error *error) {
    output->open = false;
    return output->standard ? WEND_OK : wend_output_commit(&output->file, error);
}

void tool_output_drop(tool_output *output) {
    if (output->open && !output->standard) wend_output_discard(&output->file);
    output->open = false;
}

wend_status tool_write_file(const char *path, const void *data, size_t size, wend_error *error) {
    return strcmp(path, "-") == 0 ? write_standard(data, size, error)
                                  : wend_file_write(path, data, size, error);
}

wend_status tool_plain_letters(const wend_map_options *options, char *open, char *blocked,
                               wend_error *error) {
    *open = strchr(options->terrain, '.') ? '.' : options->terrain[0];
    const char *const known[] = {"@OTW.GS", options->blocked};
    for (int i = 0; i < 2; i++)
        for (const char *p = known[i]; *p; p++)
            if (*p != ' ' && !strchr(options->terrain, *p)) {
                *blocked = *p;
                return WEND_OK;
            }
    return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                     "the terrain '%.64s' leaves no letter for a blocked cell", options->terrain);
}
