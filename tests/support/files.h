/* Files of a test, in a folder of its own. */
#ifndef WEND_TESTS_FILES_H
#define WEND_TESTS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test_bytes {
    uint8_t *data; /* from malloc; exactly as large as the file, so that sanitizers see what lies beyond */
    size_t size;
} test_bytes;

/* A folder of its own for a test's files, made below TMPDIR; `path` has room for 200 bytes. */
bool test_folder_make(char *path);
/* Removes the folder and the plain files in it. */
void test_folder_remove(const char *path);

/* A path in a folder that is made at the first call and removed at the end; lasts until the second call after
 * it. */
const char *test_path(const char *name);

bool test_exists(const char *path);
test_bytes test_read(const char *path); /* NULL, after a failed check, if it can't be read */
void test_write(const char *path, const void *data, size_t size);
bool test_same_bytes(test_bytes a, test_bytes b);

#endif
