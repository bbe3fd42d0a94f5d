/* Files of the operating system.
 *
 * A temporary file has a random name, is made by its writer alone and stays locked while it is written. So
 * writers of one file never meet, whatever their process numbers, and what a dead one has left is known by the
 * lock that nobody holds. */
#define _POSIX_C_SOURCE 200809L
#define _DARWIN_C_SOURCE
#define _FILE_OFFSET_BITS 64

#include "base/platform.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifndef __wasi__
#include <sys/file.h>
#endif

enum { LONGEST_NAME = 255, MOST_LINKS = 40, MOST_TRIES = 100, DIGITS = 16 };
static const char part_ending[] = ".part";

static wend_status file_error(wend_error *error, wend_status status, const char *path, const char *what) {
    wend_fail(error, status, "%s: %s", what, strerror(errno));
    wend_error_set_file(error, path);
    return status;
}

static wend_status misused(wend_error *error) {
    return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no file, no name, or nowhere to put or get bytes");
}

static wend_status refuse(wend_error *error, const char *path, const char *what) {
    wend_fail(error, WEND_STATUS_FILE_ERROR, "%s", what);
    wend_error_set_file(error, path);
    return WEND_STATUS_FILE_ERROR;
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

/* Reads until `bytes` holds `wanted` or the file ends, whatever fstat said: pipes have no size, and files may
 * grow or shrink meanwhile. */
static wend_status read_until(int file, const char *path, const wend_allocator *allocator, size_t wanted,
                              wend_bytes *bytes, wend_error *error) {
    while (bytes->size < wanted) {
        if (bytes->size == bytes->capacity) {
            size_t capacity = bytes->capacity <= wanted / 2 ? bytes->capacity * 2 : wanted;
            uint8_t *larger = wend_enlarge(allocator, bytes->data, bytes->capacity, capacity, 1);
            if (!larger) return no_memory(error, path);
            bytes->data = larger, bytes->capacity = capacity;
        }
        size_t room = (bytes->capacity < wanted ? bytes->capacity : wanted) - bytes->size;
        ssize_t n = read(file, bytes->data + bytes->size, room);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't read");
        if (n == 0) break;
        bytes->size += (size_t)n;
    }
    return WEND_OK;
}

/* Never asks for more than the limit and one byte; the last one shows that there is more. */
static wend_status read_all(int file, const char *path, const wend_allocator *allocator, size_t expected,
                            const wend_file_limits *limits, wend_bytes *bytes, wend_error *error) {
    size_t most = (size_t)limits->max_bytes, first = expected + 1;
    bool look = limits->look && most >= WEND_FILE_HEAD && first > WEND_FILE_HEAD;
    if (look) first = WEND_FILE_HEAD;
    bytes->size = 0, bytes->capacity = first;
    bytes->data = wend_allocate(allocator, bytes->capacity, 1);
    if (!bytes->data) return no_memory(error, path);
    wend_status status = WEND_OK;
    if (look) status = read_until(file, path, allocator, first, bytes, error);
    if (look && status == WEND_OK && bytes->size == first) {
        status = limits->look(limits->context, bytes->data, bytes->size, error);
        if (status != WEND_OK) wend_error_set_file(error, path);
        uint8_t *larger =
            status == WEND_OK ? wend_enlarge(allocator, bytes->data, first, expected + 1, 1) : NULL;
        if (status == WEND_OK && !larger) return no_memory(error, path);
        if (larger) bytes->data = larger, bytes->capacity = expected + 1;
    }
    if (status == WEND_OK) status = read_until(file, path, allocator, most + 1, bytes, error);
    if (status != WEND_OK) return status;
    if (bytes->size > most) return too_large(error, path, most);
    if (bytes->size) return WEND_OK;
    wend_fail(error, WEND_STATUS_EMPTY_FILE, "the file is empty");
    wend_error_set_file(error, path);
    return WEND_STATUS_EMPTY_FILE;
}

wend_status wend_file_read(const char *path, const wend_allocator *allocator, uint64_t max_bytes,
                           wend_bytes *bytes, wend_error *error) {
    const wend_file_limits limits = {.max_bytes = max_bytes};
    return wend_file_read_within(path, allocator, &limits, bytes, error);
}

wend_status wend_file_read_within(const char *path, const wend_allocator *allocator,
                                  const wend_file_limits *limits, wend_bytes *bytes, wend_error *error) {
    if (!path || !limits || !bytes) return misused(error);
    *bytes = (wend_bytes){NULL, 0, 0};
    const wend_allocator chosen = wend_allocator_or_default(allocator);
    wend_file_limits own = *limits;
    /* So that sizes can be added without a second look. */
    if (own.max_bytes > SIZE_MAX / 4) own.max_bytes = SIZE_MAX / 4;
    /* Opening a pipe that nobody writes to would block. */
    int file = open(path, O_RDONLY | O_CLOEXEC | (own.regular ? O_NONBLOCK : 0));
    if (file < 0) return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't open");
    struct stat info;
    wend_status status;
    if (fstat(file, &info) != 0) {
        status = file_error(error, WEND_STATUS_FILE_ERROR, path, "can't examine");
    } else if (own.regular && !S_ISREG(info.st_mode)) {
        status = refuse(error, path, "not a regular file");
    } else if (S_ISREG(info.st_mode) && (info.st_size < 0 || (uint64_t)info.st_size > own.max_bytes)) {
        status = too_large(error, path, own.max_bytes);
    } else {
        uint64_t expected = S_ISREG(info.st_mode)            ? (uint64_t)info.st_size
                            : own.max_bytes < WEND_FILE_HEAD ? own.max_bytes
                                                             : WEND_FILE_HEAD;
        status = read_all(file, path, &chosen, (size_t)expected, &own, bytes, error);
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
        status = refuse(error, path, "not a regular file");
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

/* Written ------------------------------------------------------------------------------------------------ */

static bool write_all(int file, const uint8_t *data, size_t size) {
    while (size) {
        ssize_t n = write(file, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n, size -= (size_t)n;
    }
    return true;
}

/* Names -------------------------------------------------------------------------------------------------- */

static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool wend_file_beside(const char *path, const char *ending, char *name) {
    size_t folder = folder_length(path), length = strlen(path + folder), tail = strlen(ending);
    char hash[DIGITS + 2] = "";
    name[0] = 0;
    if (length > LONGEST_NAME || folder + length >= WEND_PATH_ROOM) return false;
    if (length + tail > LONGEST_NAME && tail + sizeof hash < LONGEST_NAME) {
        (void)snprintf(hash, sizeof hash, "~%016llx",
                       (unsigned long long)wend_hash(0, path + folder, length));
        length = LONGEST_NAME - tail - (sizeof hash - 1);
        /* Not within a letter of UTF-8. */
        while (length && ((unsigned char)path[folder + length] & 0xc0) == 0x80) length--;
    }
    int used = snprintf(name, WEND_PATH_ROOM, "%.*s%s%s", (int)(folder + length), path, hash, ending);
    if (used > 0 && used < WEND_PATH_ROOM) return true;
    name[0] = 0;
    return false;
}

/* Where a path leads, through symbolic links; also if there is nothing there yet. */
static bool follow(const char *path, char *target) {
    int length = snprintf(target, WEND_PATH_ROOM, "%s", path);
    for (int links = 0; length > 0 && length < WEND_PATH_ROOM; links++) {
        struct stat info;
        char link[WEND_PATH_ROOM];
        if (lstat(target, &info) != 0 || !S_ISLNK(info.st_mode)) return true;
        if (links == MOST_LINKS) {
            errno = ELOOP;
            return false;
        }
        ssize_t size = readlink(target, link, sizeof link - 1);
        if (size < 0) return false;
        link[size] = 0;
        size_t folder = link[0] == '/' ? 0 : folder_length(target);
        length = snprintf(target + folder, WEND_PATH_ROOM - folder, "%s", link);
        if (length > 0) length += (int)folder;
    }
    errno = ENAMETOOLONG;
    return false;
}

/* Locks -------------------------------------------------------------------------------------------------- */

typedef enum lock_state { LOCKED, HELD_BY_OTHERS, NO_LOCKS } lock_state;

/* Of the open file, so that two writers in one program are apart as well. */
static lock_state lock(int file, bool wait) {
#ifdef __wasi__
    (void)file, (void)wait;
#else
    int result;
    do result = flock(file, wait ? LOCK_EX : LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    if (result == 0) return LOCKED;
    if (errno == EWOULDBLOCK) return HELD_BY_OTHERS;
#endif
    return NO_LOCKS; /* a file system without them */
}

/* Replaced whole ----------------------------------------------------------------------------------------- */

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

/* Names need not be hard to guess, as nothing that is there is ever opened; they only have to differ. */
static bool temporary_name(wend_output *output, int attempt) {
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t parts[] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)getpid(),
                              (uint64_t)(uintptr_t)output, (uint64_t)attempt};
    char ending[sizeof part_ending + DIGITS];
    (void)snprintf(ending, sizeof ending, "%s%016llx", part_ending,
                   (unsigned long long)wend_hash(0, parts, sizeof parts));
    errno = ENAMETOOLONG;
    return wend_file_beside(output->target, ending, output->temporary);
}

/* The new file is for those who might read or write the old one, and for nobody else. */
static void keep_mode(int file, const struct stat *old) {
#ifdef __wasi__
    (void)file, (void)old;
#else
    struct stat made;
    mode_t mode = old->st_mode & 0777;
    if (fstat(file, &made) != 0) return;
    if ((made.st_uid != old->st_uid || made.st_gid != old->st_gid) &&
        fchown(file, old->st_uid, old->st_gid) != 0 && made.st_gid != old->st_gid)
        mode &= ~(mode_t)070;
    (void)fchmod(file, mode);
#endif
}

/* Opens a new temporary file and locks it. Whoever tidies may take it away between the two: then another. */
static bool open_temporary(wend_output *output, const struct stat *old) {
    mode_t mode = old ? old->st_mode & 0777 : 0666;
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
        if (!temporary_name(output, attempt)) return false;
        output->file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0200);
        if (output->file < 0 && errno == EEXIST) continue;
        if (output->file < 0) return false;
        struct stat made;
        if (lock(output->file, true) != LOCKED || fstat(output->file, &made) != 0 || made.st_nlink) {
            if (old) keep_mode(output->file, old);
            return true;
        }
        (void)close(output->file);
        output->file = -1;
    }
    errno = EEXIST;
    return false;
}

wend_status wend_output_begin(wend_output *output, const char *path, wend_error *error) {
    if (!output || !path) return misused(error);
    *output = (wend_output){.path = path, .file = -1};
    struct stat info;
    if (!path[0]) return no_name(error);
    bool there = stat(path, &info) == 0;
    if (there && !S_ISREG(info.st_mode))
        output->file = open(path, O_WRONLY | O_CLOEXEC);
    else if (follow(path, output->target))
        (void)open_temporary(output, there ? &info : NULL);
    if (output->file >= 0) return WEND_OK;
    output->temporary[0] = 0;
    return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't open for writing");
}

wend_status wend_output_write(wend_output *output, const void *data, size_t size, wend_error *error) {
    if (!output || (!data && size)) return misused(error);
    if (write_all(output->file, data, size)) return WEND_OK;
    return file_error(error, WEND_STATUS_FILE_ERROR, output->path, "can't write");
}

wend_status wend_output_commit(wend_output *output, wend_error *error) {
    if (!output) return misused(error);
    bool in_place = !output->temporary[0];
    bool good = in_place || (fsync(output->file) == 0 && rename(output->temporary, output->target) == 0);
    int reason = errno;
    if (!good) (void)unlink(output->temporary);
    /* Closing gives the lock back, so it comes last. */
    if (close(output->file) != 0 && good && in_place) good = false, reason = errno;
    output->file = -1;
    if (good) return WEND_OK;
    errno = reason;
    return file_error(error, WEND_STATUS_FILE_ERROR, output->path, "can't write");
}

void wend_output_discard(wend_output *output) {
    if (output->file < 0) return;
    if (output->temporary[0]) (void)unlink(output->temporary);
    (void)close(output->file);
    output->file = -1;
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

/* Whether `name` is `begin` and then sixteen digits. */
static bool is_temporary(const char *name, const char *begin, size_t length) {
    return strncmp(name, begin, length) == 0 && strspn(name + length, "0123456789abcdef") == DIGITS &&
           !name[length + DIGITS];
}

static void remove_if_left(int folder, const char *name) {
    struct stat info;
    int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && lock(file, false) == LOCKED)
        (void)unlinkat(folder, name, 0);
    (void)close(file);
}

void wend_output_tidy(const char *path) {
    char target[WEND_PATH_ROOM], name[WEND_PATH_ROOM];
    char ending[sizeof part_ending + DIGITS];
    (void)snprintf(ending, sizeof ending, "%s%0*d", part_ending, (int)DIGITS, 0);
    if (!path[0] || !follow(path, target) || !wend_file_beside(target, ending, name)) return;
    size_t folder = folder_length(name), length = strlen(name + folder) - DIGITS;
    char begin[LONGEST_NAME + 1];
    if (length > LONGEST_NAME) return;
    memcpy(begin, name + folder, length);
    begin[length] = 0;
    (void)snprintf(name + folder, sizeof name - folder, ".");
    DIR *files = opendir(name);
    if (!files) return;
    for (struct dirent *entry; (entry = readdir(files));)
        if (is_temporary(entry->d_name, begin, length)) remove_if_left(dirfd(files), entry->d_name);
    (void)closedir(files);
}

/* Growing at the end ------------------------------------------------------------------------------------- */

wend_status wend_growing_open(const char *path, bool alone, wend_growing *growing, wend_error *error) {
    if (!path || !growing) return misused(error);
    /* Opening a pipe that nobody reads from would block. */
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
    *growing = (wend_growing){.path = path, .file = open(path, flags, 0666)};
    struct stat info;
    if (growing->file < 0 && errno == ELOOP)
        return refuse(error, path, "can't create: a symbolic link is in its place");
    if (growing->file < 0) return file_error(error, WEND_STATUS_FILE_ERROR, path, "can't create");
    wend_status status = WEND_OK;
    if (fstat(growing->file, &info) != 0)
        status = file_error(error, WEND_STATUS_FILE_ERROR, path, "can't examine");
    else if (!S_ISREG(info.st_mode))
        status = refuse(error, path, "can't create: something that is not a regular file is in its place");
    else
        growing->shared = lock(growing->file, false) == HELD_BY_OTHERS;
    if (status == WEND_OK && alone && growing->shared)
        status = refuse(error, path, "another process is writing to it: wait for its end, or stop it");
    if (status != WEND_OK) wend_growing_close(growing, false);
    return status;
}

wend_status wend_growing_cut(wend_growing *growing, uint64_t keep, wend_error *error) {
    if (!growing) return misused(error);
    if (ftruncate(growing->file, (off_t)keep) == 0) return WEND_OK;
    return file_error(error, WEND_STATUS_FILE_ERROR, growing->path, "can't write");
}

wend_status wend_growing_add(wend_growing *growing, const void *data, size_t size, wend_error *error) {
    if (!growing || (!data && size)) return misused(error);
    if (write_all(growing->file, data, size)) return WEND_OK;
    return file_error(error, WEND_STATUS_FILE_ERROR, growing->path, "can't write");
}

void wend_growing_close(wend_growing *growing, bool sync) {
    if (growing->file < 0) return;
    if (sync) (void)fsync(growing->file);
    (void)close(growing->file);
    growing->file = -1;
}

void wend_growing_remove(wend_growing *growing) {
    if (growing->file < 0) return;
    (void)unlink(growing->path);
    wend_growing_close(growing, false);
}
