/* `wend paper` is a program of its own, wend-paper, in whose place the command stands. */
#define _POSIX_C_SOURCE 200809L

#include "cli/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "wend-paper";

/* The program beside this one; false where the system does not say where that is. */
static bool find_beside(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size);
    while (length > 0 && path[length - 1] != '/') length--;
    if (length <= 0 || (size_t)length + sizeof program > size) return false;
    memcpy(path + length, program, sizeof program);
    return true;
}

/* Comes back only where it can't be run. */
static int run(const tool_command *command, int count, char **words) {
    (void)command;
    static char name[] = "wend-paper";
    char path[4096], **arguments = calloc((size_t)count + 2, sizeof *arguments);
    if (!arguments) return tool_wrong("out of memory");
    arguments[0] = name;
    memcpy(arguments + 1, words, (size_t)count * sizeof *words);
    if (find_beside(path, sizeof path)) (void)execv(path, arguments);
    (void)execvp(program, arguments);
    int error = errno;
    free(arguments);
    return tool_wrong("paper: can't run %s, neither beside wend nor from the PATH: %s", program,
                      strerror(error));
}

const tool_command tool_paper_command = {.name = "paper", .run = run};
