/* `wend planners`: the table of planners, printed. */
#include "tool.h"

static void print_values(const wend_key_info *key) {
    switch (key->kind) {
    case WEND_KEY_INTEGER:
        printf("%.0f to %.0f%s", key->least, key->most, key->unlimited ? ", or unlimited" : "");
        break;
    case WEND_KEY_DECIMAL:
        printf("%g to %g", key->least, key->most);
        break;
    case WEND_KEY_PERCENT:
        printf("%g%% to %g%%", key->least, key->most);
        break;
    case WEND_KEY_YES_NO:
        printf("yes or no");
        break;
    case WEND_KEY_WORD:
        for (size_t i = 0; key->words[i]; i++) printf("%s%s", i ? ", " : "", key->words[i]);
        break;
    case WEND_KEY_FILE:
        printf("a file");
        break;
    }
}

static void print_key(const wend_key_info *key) {
    const char *standard = key->standard ? key->standard : key->required ? "(must be given)" : "(none)";
    printf("    %-10s %s\n", key->name, key->help);
    printf("    %-10s default %s; ", "", standard);
    print_values(key);
    putchar('\n');
}

static int run(const tool_command *command, int count, char **words) {
    tool_common common;
    if (!tool_parse(command, count, words, NULL, 0, &common, NULL, 0, 0)) return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    for (size_t i = 0; i < wend_planner_count(); i++) {
        const wend_planner_info *planner = wend_planner_at(i);
        printf("%s%-14s %s\n", i ? "\n" : "", planner->name, planner->help);
        for (size_t j = 0; j < planner->key_count; j++) print_key(&planner->keys[j]);
    }
    if (!common.quiet) printf("\nA planner is written NAME[:KEY=VALUE[,KEY=VALUE...]], as in astar:k=100.\n");
    return TOOL_DONE;
}

const tool_command tool_planners = {
    .name = "planners",
    .summary = "list the planners, their keys and defaults",
    .usage = "",
    .details =
        "A planner is written NAME[:KEY=VALUE[,KEY=VALUE...]]; a comma inside a value is written '\\,'.\n",
    .example = "wend planners",
    .run = run,
};
