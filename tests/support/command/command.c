#include "support/command/command.h"

#include "support/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], command[4096];

static bool find_program(void) {
    if (*command) return true;
    const char *set = getenv("WEND_COMMAND"), *slash = strrchr(program_invocation_name, '/');
    char path[3000];
    if (set && *set)
        (void)snprintf(path, sizeof path, "%s", set);
    else
        (void)snprintf(path, sizeof path, "%.*swend", slash ? (int)(slash + 1 - program_invocation_name) : 0,
                       program_invocation_name);
    char *whole = realpath(path, NULL);
    if (!whole) {
        test_skip("no wend program beside the test (set WEND_COMMAND)");
        return false;
    }
    (void)snprintf(command, sizeof command, "%s", whole);
    free(whole);
    return true;
}

bool test_command_begin(void) {
    if (!find_program()) return false;
    (void)snprintf(folder, sizeof folder, "/tmp/wend-test-XXXXXX");
    return CHECK(mkdtemp(folder) != NULL);
}

void test_command_end(void) {
    char line[128];
    (void)snprintf(line, sizeof line, "rm -rf '%s'", folder);
    CHECK(system(line) == 0);
}

bool test_command_once(bool (*make)(void)) {
    static bool tried, made;
    if (!tried) {
        tried = true;
        made = test_command_begin() && CHECK(atexit(test_command_end) == 0) && make();
    }
    return made;
}

int test_shell(const char *line) {
    setenv("WEND", command, 1);
    char whole[6000];
    (void)snprintf(whole, sizeof whole, "cd '%s' && %s", folder, line);
    int status = system(whole);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

size_t test_shell_numbers(const char *line, double *numbers, size_t most) {
    char whole[5000];
    size_t count = 0;
    (void)snprintf(whole, sizeof whole, "{ %s; } >numbers", line);
    if (!CHECK_THAT(test_shell(whole) == 0, "%s", line)) return 0;
    FILE *file = test_command_open("numbers", "r");
    while (file && count < most && fscanf(file, "%lf", &numbers[count]) == 1) count++;
    if (file) CHECK(fclose(file) == 0);
    return count;
}

FILE *test_command_open(const char *name, const char *mode) {
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

char *test_command_read(const char *name) {
    FILE *file = test_command_open(name, "rb");
    if (!CHECK_THAT(file, "no file %s", name)) return NULL;
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text) {
        size += fread(text + size, 1, room - size - 1, file);
        if (size + 1 < room) break;
        char *larger = realloc(text, room *= 2);
        if (!larger) free(text);
        text = larger;
    }
    CHECK(fclose(file) == 0);
    if (CHECK(text != NULL)) text[size] = 0;
    return text;
}
