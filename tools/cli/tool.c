/* Options, numbers, messages, result files and progress: what every subcommand does the same way. */
#define _POSIX_C_SOURCE 200809L

#include "cli/tool.h"

#include "help/help.h"
#include "shared/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OPTIONS = 64, MOST_THREADS = 1024 };

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

/* Numbers ----------------------------------------------------------------------------------------------- */

/* Digits only, so that blanks, signs, hexadecimal and the like are no surprise. */
static bool read_digits(const char *text, uint64_t *value) {
    size_t length = strlen(text);
    return length && shared_digits(text, length, value) == length;
}

static bool read_integer(const char *text, int64_t *value) {
    bool negative = *text == '-';
    uint64_t digits;
    if (!read_digits(text + negative, &digits) || digits > INT64_MAX) return false;
    *value = negative ? -(int64_t)digits : (int64_t)digits;
    return true;
}

bool tool_integer(const char *what, const char *text, int64_t least, int64_t most, int64_t *value) {
    int64_t read;
    if (!read_integer(text, &read) || read < least || read > most) {
        if (most == INT64_MAX)
            tool_wrong("%s: must be a whole number, at least %lld, not '%s'", what, (long long)least, text);
        else
            tool_wrong("%s: must be a whole number from %lld to %lld, not '%s'", what, (long long)least,
                       (long long)most, text);
        return false;
    }
    *value = read;
    return true;
}

bool tool_size(const char *what, const char *text, uint64_t *bytes) {
    static const char units[] = "KMG";
    size_t length = strlen(text);
    const char *unit = length ? strchr(units, text[length - 1]) : NULL;
    uint64_t read, factor = 1;
    for (const char *p = units; unit && p <= unit; p++) factor *= 1024;
    if (unit) length--;
    if (!length || shared_digits(text, length, &read) != length || !read || read > UINT64_MAX / factor) {
        tool_wrong("%s: must be bytes, as in 5000000 or 64M, not '%s'", what, text);
        return false;
    }
    *bytes = read * factor;
    return true;
}

bool tool_number(const char *what, const char *text, double least, double most, double *value) {
    char *end = NULL;
    double read = strspn(text, "+-.0123456789eE") == strlen(text) ? strtod(text, &end) : NAN;
    if (!end || end == text || *end || !isfinite(read) || read < least || read > most) {
        if (isinf(most))
            tool_wrong("%s: must be a number, at least %g, not '%s'", what, least, text);
        else
            tool_wrong("%s: must be a number from %g to %g, not '%s'", what, least, most, text);
        return false;
    }
    *value = read;
    return true;
}

bool tool_cell(const char *what, const char *text, const wend_map *map, wend_cell *cell) {
    char x_text[24];
    const char *comma = strchr(text, ',');
    int64_t x, y;
    if (comma && comma > text && (size_t)(comma - text) < sizeof x_text) {
        size_t length = (size_t)(comma - text);
        memcpy(x_text, text, length);
        x_text[length] = 0;
    } else {
        comma = NULL;
    }
    if (!comma || !read_integer(x_text, &x) || !read_integer(comma + 1, &y)) {
        tool_wrong("%s: must be a cell X,Y, not '%s'", what, text);
        return false;
    }
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    if (x < 0 || y < 0 || x >= width || y >= height) {
        tool_wrong("%s: cell %s is outside the map of %d x %d", what, text, (int)width, (int)height);
        return false;
    }
    *cell = wend_map_cell(map, (int32_t)x, (int32_t)y);
    return true;
}

/* Options ----------------------------------------------------------------------------------------------- */

static int all_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : (int)cores;
}

static bool choose(const char *name, const char *text, const char *const *choices, const int *meanings,
                   size_t count, int *chosen) {
    char list[64] = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *chosen = meanings[i];
            return true;
        }
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i ? (i + 1 == count ? " or " : ", ") : "",
                       choices[i]);
    }
    tool_wrong("%s: must be %s, not '%s'", name, list, text);
    return false;
}

typedef struct common_texts {
    const char *corners, *connect, *diagonal, *terrain, *seed, *threads;
} common_texts;

static bool take_common(const common_texts *texts, tool_common *common) {
    static const char *const corners[] = {"strict", "one", "any"}, *const connect[] = {"4", "8"},
                             *const diagonal[] = {"sqrt2", "1.4"};
    static const int corners_meant[] = {WEND_CORNERS_STRICT, WEND_CORNERS_ONE, WEND_CORNERS_ANY},
                     connect_meant[] = {4, 8}, diagonal_meant[] = {WEND_DIAGONAL_SQRT2, WEND_DIAGONAL_1_4};
    int chosen;
    if (texts->corners) {
        if (!choose("--corners", texts->corners, corners, corners_meant, 3, &chosen)) return false;
        common->map.rules.corners = (wend_corners)chosen;
    }
    if (texts->connect) {
        if (!choose("--connect", texts->connect, connect, connect_meant, 2, &chosen)) return false;
        common->map.rules.connect = chosen;
    }
    if (texts->diagonal) {
        if (!choose("--diagonal", texts->diagonal, diagonal, diagonal_meant, 2, &chosen)) return false;
        common->map.rules.diagonal = (wend_diagonal)chosen;
    }
    if (texts->terrain) {
        for (const char *p = texts->terrain; *p; p++)
            if (*p <= ' ' || *p > '~') {
                tool_wrong("--terrain: may hold visible ASCII letters only");
                return false;
            }
        if (!*texts->terrain) {
            tool_wrong("--terrain: names no open letter");
            return false;
        }
        common->map.terrain = texts->terrain;
    }
    if (texts->seed && !read_digits(texts->seed, &common->seed)) {
        tool_wrong("--seed: must be a whole number from 0 to %llu, not '%s'", (unsigned long long)UINT64_MAX,
                   texts->seed);
        return false;
    }
    if (texts->threads) {
        int64_t threads;
        if (!tool_integer("--threads", texts->threads, 1, MOST_THREADS, &threads)) return false;
        common->threads = (int)threads;
    }
    return true;
}

/* "-" alone is a file and "-3" a number, not options. */
static bool is_option(const char *word) {
    return word[0] == '-' && word[1] && !(word[1] >= '0' && word[1] <= '9');
}

/* Gives one option its value. `at` is its place among `words` and is moved past the value. */
static bool take_option(const tool_command *command, const tool_option *option, const char *equals, int count,
                        char **words, int *at) {
    if (option->flag) {
        if (equals) {
            tool_wrong("%s: %s takes no value", command->name, option->name);
            return false;
        }
        *option->flag = true;
        return true;
    }
    const char *value = equals ? equals + 1 : NULL;
    if (!value) {
        if (*at + 1 >= count) {
            tool_wrong("%s: %s needs a value", command->name, option->name);
            return false;
        }
        value = words[++*at];
    }
    if (option->values) {
        if (*option->count >= option->most) {
            tool_wrong("%s: %s can be given %d times at most", command->name, option->name, option->most);
            return false;
        }
        option->values[(*option->count)++] = value;
    } else if (option->value) {
        *option->value = value;
    }
    return true;
}

static const tool_option *find_option(const char *word, const tool_option *options, size_t count,
                                      const char **equals) {
    const char *sign = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    size_t length = sign ? (size_t)(sign - word) : strlen(word);
    *equals = sign;
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && memcmp(options[i].name, word, length) == 0)
            return &options[i];
    return NULL;
}

static void too_few(const tool_command *command) {
    char usage[1024];
    tool_help_usage(command, usage, sizeof usage);
    tool_wrong("%s: too few words: usage: %s", command->name, usage);
}

bool tool_parse(const tool_command *command, int count, char **words, const tool_option *options,
                size_t option_count, tool_common *common, const char **plain, int least_plain,
                int most_plain) {
    common_texts texts = {NULL, NULL, NULL, NULL, NULL, NULL};
    *common = (tool_common){.map = wend_default_map_options(), .seed = 1, .threads = all_cores()};
    const tool_option common_options[] = {
        {.name = "--corners", .value = &texts.corners},   {.name = "--connect", .value = &texts.connect},
        {.name = "--diagonal", .value = &texts.diagonal}, {.name = "--terrain", .value = &texts.terrain},
        {.name = "--seed", .value = &texts.seed},         {.name = "--threads", .value = &texts.threads},
        {.name = "--quiet", .flag = &common->quiet},
    };
    const size_t common_count = sizeof common_options / sizeof *common_options;
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            tool_help_print(command);
            common->help = true;
            return true;
        }

    int plain_count = 0;
    bool options_end = false, seen[MOST_OPTIONS] = {false}, seen_common[MOST_OPTIONS] = {false};
    for (int i = 0; i < count; i++) {
        const char *word = words[i], *equals;
        if (!options_end && strcmp(word, "--") == 0) {
            options_end = true;
        } else if (options_end || !is_option(word)) {
            if (plain_count == most_plain) {
                tool_wrong("%s: '%s' is one word too many (see wend %s --help)", command->name, word,
                           command->name);
                return false;
            }
            plain[plain_count++] = word;
        } else {
            bool *before = seen;
            const tool_option *list = options, *option = find_option(word, options, option_count, &equals);
            if (!option) {
                before = seen_common, list = common_options;
                option = find_option(word, common_options, common_count, &equals);
            }
            if (!option) {
                tool_wrong("%s: unknown option %s (see wend %s --help)", command->name, word, command->name);
                return false;
            }
            size_t index = (size_t)(option - list);
            if (option->value && index < MOST_OPTIONS && before[index]) {
                tool_wrong("%s: %s is given twice", command->name, option->name);
                return false;
            }
            if (index < MOST_OPTIONS) before[index] = true;
            if (!take_option(command, option, equals, count, words, &i)) return false;
        }
    }
    if (plain_count < least_plain) {
        too_few(command);
        return false;
    }
    for (int i = plain_count; i < most_plain; i++) plain[i] = NULL;
    return take_common(&texts, common);
}

/* Result files ------------------------------------------------------------------------------------------ */

FILE *tool_open(const char *path) {
    if (strcmp(path, "-") == 0) return stdout;
    FILE *file = fopen(path, "wb");
    if (!file) tool_wrong("%s: can't open for writing: %s", path, strerror(errno));
    return file;
}

bool tool_close(FILE *file, const char *path) {
    errno = 0;
    bool good = fflush(file) == 0 && !ferror(file);
    int reason = errno;
    if (file != stdout && fclose(file) != 0) {
        if (good) reason = errno;
        good = false;
    }
    if (!good)
        tool_wrong("%s: can't write: %s", file == stdout ? "standard output" : path,
                   reason ? strerror(reason) : "output error");
    return good;
}

/* Time and progress ------------------------------------------------------------------------------------- */

uint64_t tool_nanoseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
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
