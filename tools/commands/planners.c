/* `wend planners`: the tables of planners and of kinds of databases, printed. */
#include "cli/tool.h"

static void print_values(const wend_key_info *key) {
    switch (key->kind) {
    case WEND_KEY_INTEGER:
        printf("%.0f to %.0f%s", key->min, key->max, key->unlimited ? ", or unlimited" : "");
        break;
    case WEND_KEY_DECIMAL:
        printf("%g to %g", key->min, key->max);
        break;
    case WEND_KEY_PERCENT:
        printf("%g%% to %g%%", key->min, key->max);
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
    case WEND_KEY_SIZE:
        printf("bytes, from %.0f; K, M or G may follow", key->min);
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

/* With "db" in front of kinds of databases: a kind often has its planner's name. */
static void print_row(const wend_method_info *row, const char *in_front, bool first) {
    printf("%s%s%-*s %s\n", first ? "" : "\n", in_front, *in_front ? 11 : 14, row->name, row->help);
    for (size_t i = 0; i < row->key_count; i++) print_key(&row->keys[i]);
}

static int run(const tool_command *command, int count, char **words) {
    tool_common common;
    if (!tool_parse(command, count, words, NULL, 0, &common, NULL, 0, 0)) return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    for (size_t i = 0; i < wend_planner_count(); i++) print_row(wend_planner_at(i), "", i == 0);
    for (size_t i = 0; i < wend_db_kind_count(); i++) print_row(wend_db_kind_at(i), "db ", false);
    if (common.quiet) return TOOL_DONE;
    printf("\nA planner is written NAME[:KEY=VALUE[,KEY=VALUE...]], as in astar:k=100.\n");
    if (wend_db_kind_count())
        printf("A database (db) is built with wend build NAME MAP -o DB [KEY=VALUE...].\n");
    return TOOL_DONE;
}

const tool_command tool_planners = {.name = "planners", .run = run};
