/* Runs a command and lets one of its system calls about files fail: attack_calls REPORT N once|on COMMAND...
 *
 * Calls are counted from 1, from where the command looks at its descriptors on: what loads it comes before. With
 * `on`, calls of the same number fail from there on, as on a full disk. N = 0: none fails. REPORT gets the number of
 * calls and the name of the one that failed. Not counted: what is written to standard error. Exits as the command
 * does, or with 100 and the number of the signal that ended it; 99 where the system does not allow this. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_POSSIBLE = 99, DIED = 100, MOST_THREADS = 64 };

#if defined __x86_64__ && defined __linux__
#include <sys/user.h>

static const struct {
    long number;
    const char *name;
    int error;
} calls[] = {
    {SYS_openat, "open", EMFILE},     {SYS_open, "open", EMFILE},          {SYS_read, "read", EIO},
    {SYS_pread64, "read", EIO},       {SYS_write, "write", ENOSPC},        {SYS_fsync, "fsync", EIO},
    {SYS_close, "close", EIO},        {SYS_rename, "rename", ENOSPC},      {SYS_unlink, "unlink", EACCES},
    {SYS_unlinkat, "unlink", EACCES}, {SYS_ftruncate, "truncate", ENOSPC}, {SYS_newfstatat, "stat", EIO},
    {SYS_fstat, "stat", EIO},         {SYS_readlink, "readlink", EIO},     {SYS_dup, "dup", EMFILE},
    {SYS_flock, "lock", ENOLCK},      {SYS_getdents64, "list", EIO},       {SYS_mmap, "map", ENOMEM},
    {SYS_fchmod, "chmod", EPERM},
};

/* Which of them a call is; -1 for others. */
static int kind_of(const struct user_regs_struct *regs) {
    long number = (long)regs->orig_rax;
    if (number == SYS_write && regs->rdi == STDERR_FILENO) return -1;
    if (number == SYS_mmap && (int)regs->r8 < 0) return -1; /* memory without a file */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number) return (int)i;
    return -1;
}

typedef struct tracing {
    unsigned long fail_at, count;
    bool on, begun;
    int failed; /* which of the calls; -1: none so far */
    struct {
        pid_t thread;
        bool inside; /* of a call: the next stop is at its end */
        int error;   /* what that is to give; 0: what it gives */
    } threads[MOST_THREADS];
    int thread_count;
} tracing;

static bool carry_on(pid_t thread, long signal) {
    return ptrace(PTRACE_SYSCALL, thread, NULL, (void *)signal) == 0; /* NOLINT(performance-no-int-to-ptr) */
}

static int find_thread(tracing *t, pid_t thread) {
    for (int i = 0; i < t->thread_count; i++)
        if (t->threads[i].thread == thread) return i;
    if (t->thread_count == MOST_THREADS) _exit(NOT_POSSIBLE);
    t->threads[t->thread_count].thread = thread;
    return t->thread_count++;
}

static void at_call(tracing *t, pid_t thread) {
    struct user_regs_struct regs;
    int i = find_thread(t, thread);
    if (ptrace(PTRACE_GETREGS, thread, NULL, &regs) != 0) return;
    if (t->threads[i].inside) {
        t->threads[i].inside = false;
        if (t->threads[i].error) {
            regs.rax = (unsigned long long)-(long long)t->threads[i].error;
            (void)ptrace(PTRACE_SETREGS, thread, NULL, &regs);
        }
        return;
    }
    t->threads[i].inside = true, t->threads[i].error = 0;
    if ((long)regs.orig_rax == SYS_fcntl && regs.rdi == 0 && regs.rsi == F_GETFD) t->begun = true;
    int kind = t->begun ? kind_of(&regs) : -1;
    if (kind < 0) return;
    t->count++;
    bool again = t->on && t->failed >= 0 && calls[kind].number == calls[t->failed].number;
    if (t->count != t->fail_at && !again) return;
    t->failed = kind;
    t->threads[i].error = calls[kind].error;
    if (calls[kind].number == SYS_close) return; /* it closes all the same, as with most systems */
    regs.orig_rax = (unsigned long long)-1;
    (void)ptrace(PTRACE_SETREGS, thread, NULL, &regs);
}

/* The exit status of the command. */
static int follow(tracing *t, pid_t child) {
    for (int status;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0 && errno == EINTR) continue;
        if (thread < 0) return NOT_POSSIBLE;
        int signal = 0;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == child) return WIFEXITED(status) ? WEXITSTATUS(status) : DIED + WTERMSIG(status);
            continue;
        }
        if (WSTOPSIG(status) == (SIGTRAP | 0x80))
            at_call(t, thread);
        else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP)
            signal = WSTOPSIG(status);
        (void)carry_on(thread, signal);
    }
}

static int run(tracing *t, char **command) {
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(NOT_POSSIBLE);
        (void)raise(SIGSTOP);
        (void)execvp(command[0], command);
        _exit(NOT_POSSIBLE);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return NOT_POSSIBLE;
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    void *chosen = (void *)options; /* NOLINT(performance-no-int-to-ptr) */
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, chosen) != 0 || !carry_on(child, 0)) return NOT_POSSIBLE;
    return follow(t, child);
}

static const char *failed_name(const tracing *t) {
    return t->failed < 0 ? "none" : calls[t->failed].name;
}
#else
typedef struct tracing {
    unsigned long fail_at, count;
    bool on, begun;
    int failed;
} tracing;

static int run(tracing *t, char **command) {
    (void)t, (void)command;
    return NOT_POSSIBLE;
}

static const char *failed_name(const tracing *t) {
    (void)t;
    return "none";
}
#endif

int main(int argc, char **argv) {
    if (argc < 5) return NOT_POSSIBLE;
    tracing t = {.fail_at = strtoul(argv[2], NULL, 10), .on = strcmp(argv[3], "on") == 0, .failed = -1};
    int status = run(&t, argv + 4);
    FILE *report = fopen(argv[1], "w");
    if (!report) return NOT_POSSIBLE;
    (void)fprintf(report, "%lu %s\n", t.count, failed_name(&t));
    return fclose(report) == 0 ? status : NOT_POSSIBLE;
}
