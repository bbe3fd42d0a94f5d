/* Messages and progress: what every subcommand does the same way. */
#define _POSIX_C_SOURCE 200809L

#include "cli/tool.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Messages ---------------------------------------------------------------------------------------------- */

static void say(const char *format, va_list arguments) {
    char text[2048];
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = 0;
    /* One line whatever a file's name or contents put into it. */
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127) *p = '?';
    (void)fflush(stdout);
    (void)fprintf(stderr, "wend: %s\n", text);
}

int tool_wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return TOOL_WRONG;
}

void tool_remark(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

int tool_wrong_error(const wend_error *error) {
    char text[1024];
    return tool_wrong("%s", wend_error_text(error, text, sizeof text));
}

void *tool_grown(void *list, size_t count, size_t *capacity, size_t size, const char *what) {
    if (count < *capacity) return list;
    size_t more = *capacity ? 2 * *capacity : 64;
    void *larger = more <= SIZE_MAX / size ? realloc(list, more * size) : NULL;
    if (larger)
        *capacity = more;
    else
        (void)tool_wrong("out of memory for %s", what);
    return larger;
}

/* Time and progress ------------------------------------------------------------------------------------- */

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t tool_nanoseconds(void) {
    return read_clock(CLOCK_MONOTONIC);
}

tool_clocks tool_clocks_begin(void) {
    const uint64_t processor = read_clock(CLOCK_THREAD_CPUTIME_ID);
    return (tool_clocks){tool_nanoseconds(), processor};
}

tool_clocks tool_clocks_end(void) {
    const uint64_t steady = tool_nanoseconds();
    return (tool_clocks){steady, read_clock(CLOCK_THREAD_CPUTIME_ID)};
}

double tool_seconds(void) {
    return (double)tool_nanoseconds() * 1e-9;
}

tool_progress tool_progress_begin(const char *what, bool quiet) {
    double now = tool_seconds();
    return (tool_progress){.what = what, .shown = !quiet && isatty(STDERR_FILENO), .began = now, .last = now};
}

void tool_progress_update(tool_progress *progress, uint64_t done, uint64_t all) {
    if (!progress->shown) return;
    if (done >= all) { /* the result says the rest */
        (void)fputs("\r\033[K", stderr);
        progress->shown = false;
        return;
    }
    double now = tool_seconds();
    if (now - progress->last < 0.1) return;
    progress->last = now;
    double share = all ? (double)done / (double)all : 0, spent = now - progress->began;
    double rate = spent > 0 && done > progress->before ? (double)(done - progress->before) / spent : 0;
    (void)fprintf(stderr, "\r\033[K%s %3.0f%%  ", progress->what, 100 * share);
    if (progress->detail)
        (void)fputs(progress->detail, stderr);
    else
        (void)fprintf(stderr, "%.3g/s", rate);
    if (rate > 0) {
        unsigned long left = (unsigned long)((double)(all - done) / rate + 0.5);
        (void)fprintf(stderr, "  %lu:%02lu:%02lu left", left / 3600, left / 60 % 60, left % 60);
    }
    (void)fflush(stderr);
}

const char *tool_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool tool_planner_parse(const char *text, wend_settings **settings) {
    wend_error error;
    if (wend_settings_parse(text, NULL, settings, &error) != WEND_OK) {
        tool_wrong("--planner %s: %s", text, error.message);
        return false;
    }
    const wend_method_info *info = wend_settings_info(*settings);
    for (size_t i = 0; i < info->key_count; i++) {
        const wend_key_info *key = &info->keys[i];
        if (!key->required || wend_settings_given(*settings, key->name)) continue;
        tool_wrong("--planner %s: %s needs %s=FILE (%s)", text, info->name, key->name, key->help);
        wend_settings_destroy(*settings);
        *settings = NULL;
        return false;
    }
    return true;
}
