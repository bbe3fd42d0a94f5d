/* Options: what a subcommand takes, and what all of them do. */
#define _GNU_SOURCE /* sched_getaffinity */

#include "cli/complete.h"
#include "help/help.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 64, MOST_THREADS = 1024 };

/* Those that this process may use, where the system says it: a job may have 4 cores of 128. */
static int all_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    cpu_set_t set; /* of at most 1,024; a larger machine refuses, and then all count */
    if (sched_getaffinity(0, sizeof set, &set) == 0) cores = CPU_COUNT(&set);
#endif
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
    const char *corners, *connect, *diagonal, *terrain, *blocked, *seed, *threads;
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
    if (texts->blocked) {
        for (const char *p = texts->blocked; *p; p++)
            if (*p < ' ' || *p > '~') {
                tool_wrong("--blocked: may hold visible ASCII letters and the space only");
                return false;
            }
        common->map.blocked = texts->blocked;
    }
    if (texts->seed && !tool_digits(texts->seed, &common->seed)) {
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
    common_texts texts = {.corners = NULL};
    *common = (tool_common){.map = wend_default_map_options(),
                            .seed = 1,
                            .threads = all_cores(),
                            .command = command->name,
                            .words = words,
                            .word_count = count};
    const tool_option common_options[] = {
        {.name = "--corners", .value = &texts.corners},   {.name = "--connect", .value = &texts.connect},
        {.name = "--diagonal", .value = &texts.diagonal}, {.name = "--terrain", .value = &texts.terrain},
        {.name = "--blocked", .value = &texts.blocked},   {.name = "--seed", .value = &texts.seed},
        {.name = "--threads", .value = &texts.threads},   {.name = "--quiet", .flag = &common->quiet},
    };
    const size_t common_count = sizeof common_options / sizeof *common_options;
    bool completes = count > 0 && strcmp(words[0], "--complete") == 0;
    for (int i = 0; i < count && !completes && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0) {
            tool_help_print(command);
            common->help = true;
            return true;
        }

    if (completes) {
        const tool_options lists[] = {{options, option_count}, {common_options, common_count}};
        tool_complete(command, count - 1, words + 1, lists, 2);
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
