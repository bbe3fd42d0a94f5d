/* Ctrl-C, for commands that can stop in between and go on later. */
#define _POSIX_C_SOURCE 200809L

#include "cli/tool.h"

#include <signal.h>
#include <stdatomic.h>

/* Lock-free on every system with threads, so a signal may set it and any thread may read it. */
static atomic_bool interrupted;

static void note_signal(int number) {
    (void)number;
    atomic_store(&interrupted, true);
}

void tool_catch_interrupts(void) {
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool tool_interrupted(void) {
    return atomic_load(&interrupted);
}
