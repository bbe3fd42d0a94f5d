#include "support/files.h"

#include "support/check.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Not by mkdtemp, which WASI lacks. */
bool test_folder_make(char *path) {
    const char *below = getenv("TMPDIR");
    if (!below || !*below || strlen(below) > 150) below = "/tmp";
    for (unsigned number = 1; number; number++) {
        (void)snprintf(path, 200, "%s/wend-test-%u", below, number);
        if (mkdir(path, 0700) == 0) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

void test_folder_remove(const char *path) {
    DIR *files = opendir(path);
    if (!files) return;
    for (struct dirent *entry; (entry = readdir(files));)
        if (entry->d_name[0] != '.') (void)unlinkat(dirfd(files), entry->d_name, 0);
    (void)closedir(files);
    (void)rmdir(path);
}

static char folder[200];
static pid_t owner; /* not its children */

static void remove_folder(void) {
    if (getpid() == owner) test_folder_remove(folder);
}

const char *test_path(const char *name) {
    static char paths[2][300];
    static int next;
    if (!*folder) {
        owner = getpid();
        CHECK(test_folder_make(folder) && atexit(remove_folder) == 0);
    }
    next = 1 - next;
    (void)snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

bool test_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

test_bytes test_read(const char *path) {
    test_bytes bytes = {NULL, 0};
    struct stat info;
    FILE *file = fopen(path, "rb");
    CHECK_THAT(file != NULL, "no file %s", path);
    if (!file) return bytes;
    if (CHECK(fstat(fileno(file), &info) == 0)) bytes.size = (size_t)info.st_size;
    bytes.data = malloc(bytes.size ? bytes.size : 1);
    CHECK(bytes.data && fread(bytes.data, 1, bytes.size, file) == bytes.size);
    (void)fclose(file);
    return bytes;
}

void test_write(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(data, 1, size, file) == size;
    if (file && fclose(file) != 0) good = false;
    CHECK_THAT(good, "can't write %s", path);
}

bool test_same_bytes(test_bytes a, test_bytes b) {
    return a.data && b.data && a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}
