/* The manual page of `wend`, from the help texts and the library's tables: `wend help --man`, in the language of
 * man(7). `make install` puts it in place. */
#include "help/help.h"

#include <string.h>

/* Text that man(7) shows as it is. */
static void put(const char *text, size_t length) {
    if (length && (*text == '.' || *text == '\'')) printf("\\&");
    for (size_t i = 0; i < length; i++) switch (text[i]) {
        case '\\':
            printf("\\e");
            break;
        case '-':
            printf("\\-");
            break;
        case '\'':
            printf("\\(aq");
            break;
        case '`':
            printf("\\(ga");
            break;
        case '^':
            printf("\\(ha");
            break;
        case '~':
            printf("\\(ti");
            break;
        default:
            putchar(text[i]);
        }
}

static void put_line(const char *text, size_t length) {
    put(text, length);
    putchar('\n');
}

typedef struct man_page {
    bool literal; /* lines stay as they are: usage and examples */
    bool apart;   /* a blank line was last */
    bool listed;  /* under an option */
} man_page;

/* One line of a help text, without its end. */
static void put_help_line(man_page *page, const char *line, size_t length) {
    size_t indent = 0;
    while (indent < length && line[indent] == ' ') indent++;
    if (length == 0) {
        if (page->literal) printf(".EE\n");
        page->literal = false, page->apart = true;
        return;
    }
    const char *text = line + indent;
    size_t left = length - indent, term = 0;
    bool example = strncmp(text, "Example:", 8) == 0, usage = strncmp(text, "usage: ", 7) == 0;
    if (page->literal) {
        put_line(text, left);
    } else if (example || usage) {
        if (example) printf(".PP\nExample:\n");
        printf(".PP\n.EX\n");
        if (usage) put_line(text + 7, left - 7);
        page->literal = true, page->listed = false;
    } else if (indent == 2) {
        while (term < left && !(text[term] == ' ' && (term + 1 == left || text[term + 1] == ' '))) term++;
        printf(".TP\n\\fB");
        put(text, term);
        printf("\\fR\n");
        while (term < left && text[term] == ' ') term++;
        put_line(text + term, left - term);
        page->listed = true;
    } else {
        /* A row of a table inside a text begins with KEY=... and stands alone. */
        const char *sign = memchr(text, '=', left), *blank = memchr(text, ' ', left);
        if (indent == 0 && (page->apart || page->listed)) printf(".PP\n");
        if (indent > 0 && sign && blank && sign < blank && blank[1] == ' ') printf(".br\n");
        put_line(text, left);
        if (indent == 0) page->listed = false;
    }
    page->apart = false;
}

static void put_help(man_page *page, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (*text != '@')
            put_help_line(page, text, length);
        else if (strncmp(text, "@common\n", 8) != 0)
            put_help(page, tool_help_named(text + 1, length - 1));
        text += length + (text[length] == '\n');
    }
}

static void put_methods(size_t count, const wend_method_info *(*at)(size_t index)) {
    for (size_t i = 0; i < count; i++) {
        const wend_method_info *method = at(i);
        printf(".TP\n\\fB");
        put(method->name, strlen(method->name));
        printf("\\fR\n");
        put_line(method->help, strlen(method->help));
        for (size_t j = 0; j < method->key_count; j++) {
            const wend_key_info *key = &method->keys[j];
            printf(".br\n\\fI");
            put(key->name, strlen(key->name));
            printf("\\fR: ");
            put(key->help, strlen(key->help));
            if (key->standard) {
                printf(" (default ");
                put(key->standard, strlen(key->standard));
                putchar(')');
            }
            putchar('\n');
        }
    }
}

void tool_help_man(const tool_command *const *commands, size_t count) {
    man_page page = {false, false, false};
    printf(".\\\" Written by `wend help --man`.\n.TH WEND 1 \"\" \"wend %s\" \"User commands\"\n",
           wend_version());
    printf(
        ".SH NAME\nwend \\- real\\-time pathfinding on grid maps\n.SH SYNOPSIS\n.B wend\n.I COMMAND\n.RI [ WORD ...]\n");
    printf(
        ".SH DESCRIPTION\nMakes, reads and draws grid maps, finds paths on them, builds databases for planners, and\n"
        "compares planners. \\fBwend help\\fR lists the commands, and \\fBwend\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR\n"
        "says what one takes.\n.SH COMMANDS\n");
    for (size_t i = 0; i < count; i++) {
        const char *text = tool_help_text(commands[i]);
        printf(".SS wend %s\n", commands[i]->name);
        put_help(&page, text);
        if (page.literal) printf(".EE\n");
        page.literal = false, page.apart = false, page.listed = false;
    }
    printf(".SH OPTIONS\n");
    put_help(&page, tool_help_named("common", 6));
    printf(".SH PLANNERS\nA planner is written NAME[:KEY=VALUE[,KEY=VALUE...]], as in astar:k=100.\n");
    put_methods(wend_planner_count(), wend_planner_at);
    printf(".SH DATABASES\nKinds and their keys, for \\fBwend build\\fR.\n");
    put_methods(wend_db_kind_count(), wend_db_kind_at);
    printf(
        ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nThe answer is no: there is no path, a database is not right, a check failed.\n"
        ".TP\n2\nWrong use, or input that can\\(aqt be read. One line on standard error says what and where.\n"
        ".TP\n130\nStopped by Ctrl\\-C.\n");
}
