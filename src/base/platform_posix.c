#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "base/platform.h"

#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static wend_status file_error(wend_error *error, wend_status status, const char *path, const char *what) {
    wend_fail(error, status, "%s: %s", what, strerror(errno));
    wend_error_set_file(error, path);
    return status;
}

static wend_status no_memory(wend_error *error, const char *path) {
    wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for the file's contents");
    wend_error_set_file(error, path);
    return WEND_STATUS_NO_MEMORY;
}

static wend_status too_large(wend_error *error, const char *path, uint64_t most) {
    wend_fail(error, WEND_STATUS_TOO_LARGE, "more than %llu bytes", (unsigned long long)most);
    wend_error_set_file(error, path);
    return WEND_STATUS_TOO_LARGE;
}

/* Reads until the end, whatever fstat said: pipes have no size, and files may grow or shrink meanwhile.
 * Never asks for more than `most` + 1 bytes; the last one shows that there is more. */
static wend_status read_all(int file, const char *path, const wend_allocator *allocator, size_t expected,
                            uint64_t most, wend_bytes *bytes, wend_error *error) {
    bytes->size = 0, bytes->capacity = expected + 1;
    bytes->data = wend_allocate(allocator, bytes->capacity, 1);
    if (!bytes->data) return no_memory(error, path);
    for (;;) {
        if (bytes->size == bytes->capacity) {
            if (bytes->size > most) return too_large(error, path, most);
            size_t capacity = bytes->capacity <= most / 2 ? bytes->capacity * 2 : (size_t)most + 1;
            uint8_t *larger = wend_enlarge(allocator, bytes->data, bytes->capacity, capacity, 1);
            if (!larger) return no_memory(error, path);
            bytes->data = larger, bytes->capacity = capacity;
        }
        ssize_t n = read(file, bytes->data + bytes->size, bytes->capacity - bytes->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't read");
        if (n == 0) break;
        bytes->size += (size_t)n;
    }
    if (bytes->size > most) return too_large(error, path, most);
    if (bytes->size) return WEND_OK;
    wend_fail(error, WEND_STATUS_EMPTY_FILE, "the file is empty");
    wend_error_set_file(error, path);
    return WEND_STATUS_EMPTY_FILE;
}

wend_status wend_file_read(const char *path, const wend_allocator *allocator, uint64_t max_bytes,
                           wend_bytes *bytes, wend_error *error) {
    *bytes = (wend_bytes){NULL, 0, 0};
    const wend_allocator chosen = wend_allocator_or_default(allocator);
    /* So that sizes can be added without a second look. */
    if (max_bytes > SIZE_MAX / 4) max_bytes = SIZE_MAX / 4;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't open");
    struct stat info;
    wend_status status;
    if (fstat(file, &info) != 0) {
        status = file_error(error, WEND_STATUS_FILE_ERROR, path, "can't examine");
    } else if (S_ISREG(info.st_mode) && (info.st_size < 0 || (uint64_t)info.st_size > max_bytes)) {
        status = too_large(error, path, max_bytes);
    } else {
        uint64_t expected = S_ISREG(info.st_mode) ? (uint64_t)info.st_size
                            : max_bytes < 65536   ? max_bytes
                                                  : 65536;
        status = read_all(file, path, &chosen, (size_t)expected, max_bytes, bytes, error);
    }
    (void)close(file);
    if (status != WEND_OK) wend_file_release(&chosen, bytes);
    return status;
}

void wend_file_release(const wend_allocator *allocator, wend_bytes *bytes) {
    const wend_allocator chosen = wend_allocator_or_default(allocator);
    wend_release(&chosen, bytes->data, bytes->capacity, 1);
    *bytes = (wend_bytes){NULL, 0, 0};
}

static bool write_all(int file, const uint8_t *data, size_t size) {
    while (size) {
        ssize_t n = write(file, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n, size -= (size_t)n;
    }
    return true;
}

wend_status wend_file_write(const char *path, const void *data, size_t size, wend_error *error) {
    wend_output output;
    wend_status status = wend_output_begin(&output, path, error);
    if (status != WEND_OK) return status;
    status = wend_output_write(&output, data, size, error);
    if (status == WEND_OK) return wend_output_commit(&output, error);
    wend_output_discard(&output);
    return status;
}

/* Mapped ------------------------------------------------------------------------------------------------ */

wend_status wend_file_map(const char *path, wend_mapping *mapping, wend_error *error) {
    *mapping = (wend_mapping){NULL, 0};
    /* Opening a pipe that nobody writes to would block. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't open");
    struct stat info;
    wend_status status = WEND_OK;
    if (fstat(file, &info) != 0)
        status = file_error(error, WEND_STATUS_FILE_ERROR, path, "can't examine");
    else if (!S_ISREG(info.st_mode))
        status = wend_fail(error, WEND_STATUS_FILE_ERROR, "not a regular file");
    else if (info.st_size == 0)
        status = wend_fail(error, WEND_STATUS_EMPTY_FILE, "the file is empty");
    else if (info.st_size < 0 || (uint64_t)info.st_size > SIZE_MAX / 2)
        status = wend_fail(error, WEND_STATUS_TOO_LARGE, "more than this machine can address");
    if (status == WEND_OK) {
        void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data == MAP_FAILED)
            status = file_error(error, WEND_STATUS_FILE_ERROR, path, "can't map into memory");
        else
            *mapping = (wend_mapping){data, (size_t)info.st_size};
    }
    if (status != WEND_OK) wend_error_set_file(error, path);
    (void)close(file);
    return status;
}

void wend_file_unmap(wend_mapping *mapping) {
    if (mapping->data) (void)munmap(mapping->data, mapping->size);
    *mapping = (wend_mapping){NULL, 0};
}

/* Replaced whole ---------------------------------------------------------------------------------------- */

static wend_status no_name(wend_error *error) {
    return wend_fail(error, WEND_STATUS_FILE_ERROR, "the file to write has no name");
}

wend_status wend_output_possible(const char *path, wend_error *error) {
    struct stat info;
    if (!path[0]) return no_name(error);
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode)) return WEND_OK;
    errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
    return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't replace");
}

wend_status wend_output_begin(wend_output *output, const char *path, wend_error *error) {
    *output = (wend_output){.path = path, .file = -1};
    struct stat info;
    if (!path[0]) return no_name(error);
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        output->file = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        size_t room = sizeof output->temporary;
        int length = snprintf(output->temporary, room, "%s.part%ld", path, (long)getpid());
        errno = ENAMETOOLONG;
        if (length > 0 && (size_t)length < room)
            output->file = open(output->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if (output->file >= 0) return WEND_OK;
    return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't open for writing");
}

wend_status wend_output_write(wend_output *output, const void *data, size_t size, wend_error *error) {
    if (write_all(output->file, data, size)) return WEND_OK;
    return file_error(error, WEND_STATUS_FILE_ERROR, output->path, "can't write");
}

wend_status wend_output_commit(wend_output *output, wend_error *error) {
    bool in_place = !output->temporary[0], good = in_place || fsync(output->file) == 0;
    int reason = errno;
    if (close(output->file) != 0 && good) good = false, reason = errno;
    output->file = -1;
    if (good && (in_place || rename(output->temporary, output->path) == 0)) return WEND_OK;
    if (good) reason = errno;
    if (!in_place) (void)unlink(output->temporary);
    errno = reason;
    return file_error(error, WEND_STATUS_FILE_ERROR, output->path, "can't write");
}

void wend_output_discard(wend_output *output) {
    if (output->file < 0) return;
    (void)close(output->file);
    if (output->temporary[0]) (void)unlink(output->temporary);
    output->file = -1;
}

/* Growing at the end ------------------------------------------------------------------------------------ */

wend_status wend_growing_open(const char *path, uint64_t keep, wend_growing *growing, wend_error *error) {
    /* Opening a pipe that nobody reads from would block. */
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK;
    *growing = (wend_growing){path, open(path, flags, 0666)};
    if (growing->file < 0) return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't create");
    if (ftruncate(growing->file, (off_t)keep) == 0) return WEND_OK;
    wend_status status = file_error(error, WEND_STATUS_FILE_ERROR, path, "can't write");
    (void)close(growing->file);
    growing->file = -1;
    return status;
}

wend_status wend_growing_add(wend_growing *growing, const void *data, size_t size, wend_error *error) {
    if (write_all(growing->file, data, size)) return WEND_OK;
    return file_error(error, WEND_STATUS_FILE_ERROR, growing->path, "can't write");
}

void wend_growing_close(wend_growing *growing, bool sync) {
    if (growing->file < 0) return;
    if (sync) (void)fsync(growing->file);
    (void)close(growing->file);
    growing->file = -1;
}

bool wend_file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 || errno != ENOENT;
}

void wend_file_remove(const char *path) {
    (void)unlink(path);
}
