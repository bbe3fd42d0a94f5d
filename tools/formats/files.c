#define _POSIX_C_SOURCE 200809L

#include "formats/files.h"

#include "cli/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static bool to_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

bool tool_output_begin(tool_output *output, const char *path) {
    wend_error error;
    *output = (tool_output){.path = path};
    output->file.file = -1;
    if (to_standard(path)) {
        output->stream = stdout;
        return true;
    }
    wend_output_tidy(path);
    if (wend_output_begin(&output->file, path, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    if (output->file.temporary[0]) tool_half_written(output->file.temporary);
    int copy = dup(output->file.file);
    output->stream = copy < 0 ? NULL : fdopen(copy, "wb");
    if (output->stream) return true;
    (void)tool_wrong("%s: can't open for writing: %s", path, strerror(errno));
    if (copy >= 0) (void)close(copy);
    wend_output_discard(&output->file);
    tool_half_written_ends(output->file.temporary);
    return false;
}

/* What is in the stream goes to the file. */
static bool flush(tool_output *output) {
    bool standard = output->stream == stdout;
    errno = 0;
    bool good = fflush(output->stream) == 0 && !ferror(output->stream);
    int reason = errno;
    if (!standard && fclose(output->stream) != 0) {
        if (good) reason = errno;
        good = false;
    }
    output->stream = NULL;
    if (!good)
        (void)tool_wrong("%s: can't write: %s", standard ? "standard output" : output->path,
                         reason ? strerror(reason) : "output error");
    return good;
}

bool tool_output_end(tool_output *output) {
    bool good = flush(output);
    if (output->file.file < 0) return good;
    wend_error error;
    if (!good) {
        wend_output_discard(&output->file);
    } else if (wend_output_commit(&output->file, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        good = false;
    }
    tool_half_written_ends(output->file.temporary);
    return good;
}

void tool_output_drop(tool_output *output) {
    if (!output->stream) return;
    if (output->stream != stdout) {
        wend_output_discard(&output->file);
        (void)fclose(output->stream);
        tool_half_written_ends(output->file.temporary);
    }
    output->stream = NULL;
}

bool tool_write_file(const char *path, const void *data, size_t size) {
    tool_output output;
    if (!tool_output_begin(&output, path)) return false;
    (void)fwrite(data, 1, size, output.stream);
    return tool_output_end(&output);
}

/* Files of a command ------------------------------------------------------------------------------------- */

static void add(tool_files *files, const char *name, const char *path, bool written) {
    if (!path || files->count == sizeof files->list / sizeof *files->list) return;
    files->list[files->count].name = name;
    files->list[files->count].path = path;
    files->list[files->count++].written = written;
}

void tool_files_read(tool_files *files, const char *name, const char *path) {
    add(files, name, path, false);
}

void tool_files_written(tool_files *files, const char *name, const char *path) {
    add(files, name, path, true);
}

/* The folder that a file is in; to be freed. */
static char *folder_of(const char *path) {
    size_t length = (size_t)(tool_base_name(path) - path);
    return length ? strndup(path, length) : strdup(".");
}

/* Also of files that are not there yet. */
static bool same_file(const char *a, const char *b) {
    if (strcmp(a, b) == 0 || tool_same_place(a, b)) return true;
    if (to_standard(a) || to_standard(b) || strcmp(tool_base_name(a), tool_base_name(b)) != 0) return false;
    char *left = folder_of(a), *right = folder_of(b);
    bool same = left && right && tool_same_place(left, right);
    free(left);
    free(right);
    return same;
}

bool tool_files_apart(const tool_files *files, const char *command) {
    for (size_t i = 0; i < files->count; i++)
        for (size_t j = 0; j < i; j++) {
            const char *path = files->list[i].path;
            if (files->list[i].written && files->list[j].written) {
                if (!same_file(files->list[j].path, path)) continue;
            } else if ((!files->list[i].written && !files->list[j].written) || to_standard(path) ||
                       !same_file(files->list[j].path, path)) {
                continue;
            }
            (void)tool_wrong("%s: %s and %s name the same file, %s", command, files->list[j].name,
                             files->list[i].name,
                             to_standard(path) ? "standard output" : files->list[j].path);
            return false;
        }
    return true;
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
