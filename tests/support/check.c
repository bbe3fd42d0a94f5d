#include "support/check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static unsigned long passed, failed, skipped, complaints;
static bool case_failed;

void test_case(void) {
    if (case_failed)
        failed++;
    else
        passed++;
    case_failed = false;
}

bool test_check(bool good, const char *file, int line, const char *format, ...) {
    if (good) return true;
    case_failed = true;
    if (complaints++ < 50) { /* a broken property fails a thousand times: the first ones tell enough */
        printf("%s:%d: ", file, line);
        va_list arguments;
        va_start(arguments, format);
        vprintf(format, arguments);
        va_end(arguments);
        putchar('\n');
    }
    return false;
}

void test_skip(const char *why) {
    printf("skipped: %s\n", why);
    skipped++;
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

const char *test_shared(void) {
    const char *set = getenv("WEND_SHARED");
    if (set && *set) {
        if (CHECK_THAT(is_folder(set), "WEND_SHARED is set to %s, which is no folder", set)) return set;
        return NULL;
    }
    static const char beside[] = WEND_SOURCE_DIR "/../shared";
    if (is_folder(beside)) return beside;
    test_skip("no shared maps beside the source tree (set WEND_SHARED)");
    return NULL;
}

bool test_full(void) {
    const char *full = getenv("WEND_FULL");
    return full && strcmp(full, "1") == 0;
}

static bool is_thinned(void) {
    return !test_full() && getenv("WEND_SAMPLE");
}

uint32_t test_some(uint32_t count) {
    return is_thinned() ? test_each(count) : test_full() ? count : (count + 1) / 2;
}

uint32_t test_each(uint32_t count) {
    return is_thinned() ? (count + 4) / 5 : count;
}

bool test_skip_thinned(void) {
    bool left_out = is_thinned() && !getenv("WEND_EVERY");
    if (left_out) test_skip("much work of a kind that others do: under sanitizers in the long form alone");
    return left_out;
}

/* Processor seconds of this process and of those it has waited for: what a test costs, whatever else the
 * machine does. */
static double seconds_used(void) {
    double sum = 0;
    const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (size_t i = 0; i < sizeof whose / sizeof *whose; i++) {
        struct rusage used;
        if (getrusage(whose[i], &used) != 0) continue;
        sum += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    }
    return sum;
}

int test_main(int argc, char **argv, const test *tests, size_t count) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) {
        if (argc > 1 && !strstr(tests[i].name, argv[1])) continue;
        unsigned long before = passed + failed + skipped, bad = failed;
        complaints = 0;
        double began = seconds_used();
        tests[i].run();
        if (case_failed || passed + failed + skipped == before) test_case();
        printf("%-4s %s (%lu cases, %.1f s)\n", failed == bad ? "ok" : "FAIL", tests[i].name,
               passed + failed + skipped - before, seconds_used() - began);
    }
    const char *name = strrchr(argv[0], '/');
    printf("%s: %lu passed, %lu failed", name ? name + 1 : argv[0], passed, failed);
    if (skipped) printf(", %lu skipped", skipped);
    putchar('\n');
    return failed ? 1 : 0;
}
