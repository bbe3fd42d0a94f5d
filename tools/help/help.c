#include "help/help.h"

#include <string.h>

const char *tool_help_named(const char *name, size_t length) {
    for (const tool_embedded *text = tool_texts; text->name; text++) {
        size_t i = 0;
        while (i < length && text->name[i] == (name[i] == ' ' ? '_' : name[i])) i++;
        if (i == length && !text->name[i]) return (const char *)text->bytes;
    }
    return "";
}

const char *tool_help_text(const tool_command *command) {
    return tool_help_named(command->name, strlen(command->name));
}

static void print(const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (*text == '@')
            print(tool_help_named(text + 1, length - 1));
        else
            printf("%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void tool_help_print(const tool_command *command) {
    print(tool_help_text(command));
}

void tool_help_usage(const tool_command *command, char *usage, size_t size) {
    static const char sign[] = "usage: ";
    const char *text = strstr(tool_help_text(command), sign), *end = text ? strstr(text, "\n\n") : NULL;
    size_t used = 0;
    for (const char *p = text ? text + strlen(sign) : ""; *p && p != end && used + 1 < size; p++) {
        bool fold = *p == '\n';
        while (fold && p[1] == ' ') p++;
        usage[used++] = (char)(fold ? ' ' : *p);
    }
    usage[used] = 0;
}

static bool find_value(const char *text, const char *option, char *value, size_t size) {
    size_t name = strlen(option);
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t length = strcspn(text, "\n");
        if (*text == '@' && find_value(tool_help_named(text + 1, length - 1), option, value, size))
            return true;
        if (length < name + 4 || strncmp(text, "  ", 2) != 0 || strncmp(text + 2, option, name) != 0)
            continue;
        const char *found = text + 2 + name;
        if (found[0] != ' ' || found[1] == ' ') continue;
        size_t used = strcspn(found + 1, " \n");
        if (used >= size) return false;
        memcpy(value, found + 1, used);
        value[used] = 0;
        return true;
    }
    return false;
}

bool tool_help_value(const tool_command *command, const char *option, char *value, size_t size) {
    return find_value(tool_help_text(command), option, value, size);
}
