/* Signals have one way of being handled, for all commands: see the table in docs/reference/command-line.md. */
#define _DEFAULT_SOURCE /* getloadavg */
#define _XOPEN_SOURCE 700

#include "cli/system.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MOST_FILES = 16, GRACE_SECONDS = 1, GRACE_MICROSECONDS = 400000 };

/* Lock-free on every system with threads, so that a handler may use them, and any thread. */
static atomic_bool caught, interrupted;
static _Atomic(const char *) half_written[MOST_FILES];
static _Atomic(void (*)(void)) restore_first;
static atomic_int first_signal;

static void end_now(int number) {
    static const char late[] = "wend: stopped before the work under way came to its end\n";
    void (*restore)(void) = atomic_load(&restore_first);
    if (restore) restore();
    for (int i = 0; i < MOST_FILES; i++) {
        const char *path = atomic_load(&half_written[i]);
        if (path) (void)unlink(path);
    }
    if (number == SIGALRM && atomic_load(&first_signal)) { /* the time to end in good order is over */
        number = atomic_load(&first_signal);
        ssize_t written = write(STDERR_FILENO, late, sizeof late - 1);
        (void)written;
    }
    /* Whoever waits for this program sees the signal, so that a shell's loop ends too. */
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t just;
    (void)sigemptyset(&usual.sa_mask);
    (void)sigaction(number, &usual, NULL);
    (void)sigemptyset(&just);
    (void)sigaddset(&just, number);
    (void)raise(number);
    (void)sigprocmask(SIG_UNBLOCK, &just, NULL);
    _exit(128 + number);
}

static void on_signal(int number) {
    bool patient = atomic_load(&caught) && number != SIGALRM && number != SIGPIPE;
    if (!patient || atomic_exchange(&interrupted, true)) end_now(number);
    atomic_store(&first_signal, number);
    struct itimerval grace = {.it_value = {GRACE_SECONDS, GRACE_MICROSECONDS}};
    (void)setitimer(ITIMER_REAL, &grace, NULL);
}

static void handle(int number, bool even_if_ignored) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    (void)sigfillset(&action.sa_mask);
    if (!even_if_ignored && (sigaction(number, NULL, &before) != 0 || before.sa_handler == SIG_IGN)) return;
    (void)sigaction(number, &action, NULL);
}

void tool_system_begin(void) {
    /* The wrong way round, so that using them is an error. */
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0 && errno == EBADF) (void)open("/dev/null", modes[i]);
    handle(SIGINT, true); /* shells ignore it for what runs in the background */
    handle(SIGTERM, true);
    handle(SIGHUP, false); /* nohup ignores it */
    handle(SIGPIPE, false);
    handle(SIGALRM, true);
    struct sigaction ignored = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&ignored.sa_mask);
    (void)sigaction(SIGXFSZ, &ignored, NULL);
}

void tool_catch_interrupts(void) {
    atomic_store(&caught, true);
}

bool tool_interrupted(void) {
    return atomic_load(&interrupted);
}

void tool_before_signal_ends(void (*restore)(void)) {
    atomic_store(&restore_first, restore);
}

void tool_half_written(const char *path) {
    for (int i = 0; i < MOST_FILES; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&half_written[i], &none, path)) return;
    }
}

void tool_half_written_ends(const char *path) {
    for (int i = 0; i < MOST_FILES; i++) {
        const char *there = path;
        if (atomic_compare_exchange_strong(&half_written[i], &there, NULL)) return;
    }
}

bool tool_is_special(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

bool tool_same_place(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino && !S_ISCHR(one.st_mode);
}

const char *tool_processor(char *text, size_t size) {
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "r");
    bool known = false;
    while (file && !known && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || colon[1] != ' ' || strncmp(line, "model name", 10) != 0) continue;
        (void)snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        known = true;
    }
    if (file) (void)fclose(file);
    struct utsname machine;
    if (!known && uname(&machine) == 0) {
        (void)snprintf(text, size, "%s", machine.machine);
        known = true;
    }
    return known ? text : NULL;
}

double tool_load(void) {
    double load;
    return getloadavg(&load, 1) == 1 ? load : (double)NAN;
}
