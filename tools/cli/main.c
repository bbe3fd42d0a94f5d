/* The `wend` command: finds the subcommand, answers --help and --version. */
#include "cli/complete.h"
#include "cli/tool.h"
#include "help/help.h"

#include <stdlib.h>
#include <string.h>

static const tool_command *const commands[] = {
    &tool_map_info,    &tool_map_gen,       &tool_map_scale, &tool_map_block,
    &tool_map_convert, &tool_map_draw,      &tool_scen_gen,  &tool_build,
    &tool_db_info,     &tool_db_verify,     &tool_path,      &tool_bench,
    &tool_run_command, &tool_paper_command, &tool_planners,  &tool_results_merge,
};
enum { COMMANDS = sizeof commands / sizeof commands[0], LONGEST_NAME = 64 };

/* How many of `words` the command's name takes up: 1 or 2, or 0 if they name something else. */
static int names(const tool_command *command, int count, char **words) {
    const char *blank = strchr(command->name, ' ');
    if (!blank) return strcmp(command->name, words[0]) == 0 ? 1 : 0;
    size_t length = (size_t)(blank - command->name);
    return count > 1 && strlen(words[0]) == length && memcmp(command->name, words[0], length) == 0 &&
                   strcmp(blank + 1, words[1]) == 0
               ? 2
               : 0;
}

/* True if `group` is the first of two words of the command's name. */
static bool in_group(const tool_command *command, const char *group) {
    size_t length = strlen(group);
    return strncmp(command->name, group, length) == 0 && command->name[length] == ' ';
}

static bool is_group(const char *word) {
    for (int i = 0; i < COMMANDS; i++)
        if (in_group(commands[i], word)) return true;
    return false;
}

static bool asks_for_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Insertions, deletions and replacements that turn one name into the other. */
static size_t apart(const char *a, const char *b) {
    size_t row[LONGEST_NAME + 1], length = strlen(b);
    if (length > LONGEST_NAME || strlen(a) > LONGEST_NAME) return SIZE_MAX;
    for (size_t j = 0; j <= length; j++) row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t best = diagonal + (a[i] != b[j]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
            diagonal = row[j + 1];
            row[j + 1] = best;
        }
    }
    return row[length];
}

static int unknown(int count, char **words) {
    char both[LONGEST_NAME + 1];
    bool two = count > 1 && words[1][0] != '-';
    int length = snprintf(both, sizeof both, "%s%s%s", words[0], two ? " " : "", two ? words[1] : "");
    const char *nearest = NULL;
    size_t least = 3; /* further than that is no slip of the fingers */
    for (int i = 0; i < COMMANDS; i++) {
        size_t near_one = apart(words[0], commands[i]->name);
        size_t near_both = length < (int)sizeof both ? apart(both, commands[i]->name) : SIZE_MAX;
        size_t near = near_one < near_both ? near_one : near_both;
        if (near < least) least = near, nearest = commands[i]->name;
    }
    const char *name = is_group(words[0]) && length < (int)sizeof both ? both : words[0];
    if (nearest) return tool_wrong("unknown command '%s': did you mean '%s'?", name, nearest);
    return tool_wrong("unknown command '%s' (see wend help)", name);
}

/* All commands, or those of one group. */
static int list(const char *group) {
    if (!group)
        printf("wend %s: real-time pathfinding on grids\n\nusage: wend COMMAND ...\n\n", wend_version());
    for (int i = 0; i < COMMANDS; i++)
        if (!group || in_group(commands[i], group)) {
            const char *text = tool_help_text(commands[i]);
            printf("  %-14s %.*s\n", commands[i]->name, (int)strcspn(text, "\n"), text);
        }
    if (!group) printf("\n  %-14s %s\n", "help [NAME]", "this list, or what a command takes");
    printf("\n'wend COMMAND --help' says what a command takes, with an example.\n");
    return TOOL_DONE;
}

/* The names of commands, or the second words of a group's. */
static void offer_names(const char *group, const char *word) {
    for (int i = 0; i < COMMANDS; i++) {
        const char *name = commands[i]->name, *blank = strchr(name, ' ');
        if (group && in_group(commands[i], group)) {
            tool_offer("", blank + 1, "", word);
        } else if (!group) {
            char first[LONGEST_NAME + 1];
            (void)snprintf(first, sizeof first, "%.*s", (int)(blank ? blank - name : (int)strlen(name)),
                           name);
            if (i == 0 || !in_group(commands[i - 1], first)) tool_offer("", first, "", word);
        }
    }
}

/* For a shell: what the last of `words` may become. The word in front of them is --complete. */
static int complete(int count, char **words) {
    const char *word = count > 0 ? words[count - 1] : "";
    bool of_help = count > 1 && strcmp(words[0], "help") == 0;
    for (int i = 0; i < COMMANDS && !of_help && count > 1; i++) {
        int taken = names(commands[i], count - 1, words);
        if (!taken) continue;
        words[taken - 1] = words[-1];
        return commands[i]->run(commands[i], count - taken + 1, words + taken - 1);
    }
    if (of_help) count--, words++;
    if (count <= 1) offer_names(NULL, word);
    if (count <= 1 && !of_help)
        for (size_t i = 0; i < 3; i++)
            tool_offer("", (const char *const[]){"help", "--help", "--version"}[i], "", word);
    if (count == 2) offer_names(words[0], word);
    return TOOL_DONE;
}

static int help(int count, char **words) {
    static char flag[] = "--help";
    char *asked[] = {flag, NULL};
    if (count == 0) return list(NULL);
    for (int i = 0; i < COMMANDS; i++)
        if (names(commands[i], count, words)) return commands[i]->run(commands[i], 1, asked);
    if (count == 1 && is_group(words[0])) return list(words[0]);
    return unknown(count, words);
}

static int run(int count, char **words) {
    if (count == 0) return tool_wrong("no command given (see wend help)");
    if (strcmp(words[0], "--version") == 0) {
        printf("wend %s (commit %s)\n", wend_version(), tool_commit());
        return TOOL_DONE;
    }
    if (asks_for_help(words[0])) return help(0, NULL);
    if (strcmp(words[0], "help") == 0) {
        if (count > 1 && strcmp(words[1], "--complete") == 0) return complete(count - 2, words + 2);
        if (count == 2 && strcmp(words[1], "--man") == 0) {
            tool_help_man(commands, COMMANDS);
            return TOOL_DONE;
        }
        bool alone = count == 1 || asks_for_help(words[1]);
        return help(alone ? 0 : count - 1, words + 1);
    }
    for (int i = 0; i < COMMANDS; i++) {
        int taken = names(commands[i], count, words);
        if (taken) return commands[i]->run(commands[i], count - taken, words + taken);
    }
    if (is_group(words[0])) {
        if (count > 1 && asks_for_help(words[1])) return list(words[0]);
        if (count == 1) return tool_wrong("%s: which one? (see wend help %s)", words[0], words[0]);
    }
    return unknown(count, words);
}

int main(int argc, char **argv) {
    tool_system_begin();
    int status = run(argc > 0 ? argc - 1 : 0, argv + 1);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        /* Said already if the subcommand wrote it with tool_output. */
        if (status != TOOL_WRONG) status = tool_wrong("standard output: can't write");
    }
    return status;
}
