/* What may stand where a word is being written: `wend help --complete WORD...`, for the shells' completion. Options
 * come from the table that parses them; what a value or a plain word is, from the help text; planners, kinds and
 * keys from the library's tables. One whole word per line. One that goes on ends in `:`, `=`, `,` or `/`. */
#define _POSIX_C_SOURCE 200809L

#include "cli/complete.h"

#include "help/help.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { META = 1024, PATH = 4096 };

void tool_offer(const char *before, const char *candidate, const char *after, const char *word) {
    char whole[TOOL_SETTINGS_TEXT];
    int length = snprintf(whole, sizeof whole, "%s%s%s", before, candidate, after);
    if (length > 0 && (size_t)length < sizeof whole && strncmp(whole, word, strlen(word)) == 0) puts(whole);
}

/* Files and folders that begin as `path`. Names with blanks are left to the shell, which knows how to quote. */
static void offer_files(const char *before, const char *path, const char *word) {
    char folder[PATH];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    if (length >= sizeof folder) return;
    memcpy(folder, path, length);
    folder[length] = 0;
    DIR *opened = opendir(length ? folder : ".");
    if (!opened) return;
    for (struct dirent *entry = readdir(opened); entry; entry = readdir(opened)) {
        char full[PATH];
        struct stat about;
        if (entry->d_name[0] == '.' && path[length] != '.') continue;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (strpbrk(entry->d_name, " \t\n\\\"'$`*?[,")) continue;
        int used = snprintf(full, sizeof full, "%s%s", folder, entry->d_name);
        if (used < 0 || (size_t)used >= sizeof full) continue;
        tool_offer(before, full, stat(full, &about) == 0 && S_ISDIR(about.st_mode) ? "/" : "", word);
    }
    (void)closedir(opened);
}

static const wend_key_info *find_key(const wend_method_info *method, const char *name, size_t length) {
    for (size_t i = 0; i < method->key_count; i++)
        if (strlen(method->keys[i].name) == length && memcmp(method->keys[i].name, name, length) == 0)
            return &method->keys[i];
    return NULL;
}

/* `text` is the last KEY=VALUE of `word`, which has `before` in front of it. */
static void offer_key(const wend_method_info *method, const char *before, const char *text,
                      const char *word) {
    const char *sign = strchr(text, '=');
    if (!sign) {
        for (size_t i = 0; i < method->key_count; i++) tool_offer(before, method->keys[i].name, "=", word);
        return;
    }
    const wend_key_info *key = find_key(method, text, (size_t)(sign - text));
    char all[PATH];
    int length = snprintf(all, sizeof all, "%s%.*s", before, (int)(sign + 1 - text), text);
    if (!key || length < 0 || (size_t)length >= sizeof all) return;
    if (key->kind == WEND_KEY_FILE) offer_files(all, sign + 1, word);
    if (key->kind == WEND_KEY_YES_NO) tool_offer(all, "yes", "", word), tool_offer(all, "no", "", word);
    for (size_t i = 0; key->kind == WEND_KEY_WORD && key->words[i]; i++)
        tool_offer(all, key->words[i], "", word);
    if (key->kind == WEND_KEY_INTEGER && key->unlimited) tool_offer(all, "unlimited", "", word);
}

/* NAME[:KEY=VALUE[,KEY=VALUE...]]; `before` is an option and its sign, or "". */
static void offer_planners(const char *before, const char *text, const char *word) {
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < wend_planner_count(); i++) {
        const wend_method_info *planner = wend_planner_at(i);
        if (!text[length]) {
            char needs[64] = ""; /* a planner that must have a key goes on with it */
            for (size_t j = planner->key_count; j-- > 0;)
                if (planner->keys[j].required)
                    (void)snprintf(needs, sizeof needs, ":%s=", planner->keys[j].name);
            tool_offer(before, planner->name, needs, word);
        } else if (strlen(planner->name) == length && memcmp(planner->name, text, length) == 0) {
            const char *comma = strrchr(text, ','), *last = comma ? comma + 1 : text + length + 1;
            char all[PATH];
            int used = snprintf(all, sizeof all, "%s%.*s", before, (int)(last - text), text);
            if (used > 0 && (size_t)used < sizeof all) offer_key(planner, all, last, word);
        }
    }
}

/* One of the alternatives of a help text, as `known`, `partial:PCT`, `FILE` or `P`. */
static void offer_alternative(const tool_command *command, const char *meta, size_t length,
                              const char *before, const char *text, const char *word) {
    static const char *const files[] = {"FILE", "MAP", "SCEN", "DB", "DIR", "PNG", "IN", "OUT"};
    char name[META];
    size_t capitals = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)length, meta);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(name, files[i]) == 0) offer_files(before, text, word);
    if (strcmp(name, "P") == 0) offer_planners(before, text, word);
    bool kind = strcmp(name, "KIND") == 0, of_map = strncmp(command->name, "map", 3) == 0;
    for (int i = 0; kind && of_map && i < WEND_MAP_KINDS; i++)
        tool_offer(before, wend_map_kind_name((wend_map_kind)i), "", word);
    for (size_t i = 0; kind && !of_map && i < wend_db_kind_count(); i++)
        tool_offer(before, wend_db_kind_at(i)->name, "", word);
    /* Words as they are; of `partial:PCT` what stands before the colon. */
    char *colon = strchr(name, ':');
    if (colon) colon[1] = 0;
    for (const char *p = name; *p; p++) capitals += *p >= 'A' && *p <= 'Z';
    if (capitals == 0 && !strpbrk(name, "[.")) tool_offer(before, name, "", word);
}

static void offer_value(const tool_command *command, const char *meta, const char *before, const char *text,
                        const char *word) {
    while (*meta) {
        size_t length = strcspn(meta, "|[");
        if (length) offer_alternative(command, meta, length, before, text, word);
        meta += length;
        if (*meta == '[') meta += strcspn(meta, "|"); /* PCT[:KEY=VALUE]... */
        meta += *meta == '|';
    }
}

/* The plain word number `at` as the usage names it. False: there are not so many. */
static bool plain_meta(const tool_command *command, int at, char *meta) {
    char usage[META * 2];
    tool_help_usage(command, usage, sizeof usage);
    int skip = strchr(command->name, ' ') ? 3 : 2; /* wend, and the command's name */
    bool value = false;                            /* the next word belongs to an option */
    int depth = 0;
    char *rest = usage;
    for (char *token = strtok_r(rest, " ", &rest); token; token = strtok_r(NULL, " ", &rest)) {
        if (skip-- > 0) continue;
        bool inside = depth > 0 || *token == '[';
        for (const char *p = token; *p; p++) depth += (*p == '[') - (*p == ']');
        if (strncmp(token, "[KEY=VALUE", 10) == 0) return snprintf(meta, META, "KEY") > 0;
        if (inside || value || *token == '-') {
            value = !inside && *token == '-';
            continue;
        }
        if (at-- == 0) return snprintf(meta, META, "%s", token) < META;
    }
    return false;
}

/* `kind` is the first plain word: what `wend build` builds. */
static void offer_plain(const tool_command *command, int at, const char *kind, const char *word) {
    char meta[META];
    if (!plain_meta(command, at, meta)) return;
    if (strcmp(meta, "KEY") != 0) {
        offer_value(command, meta, "", word, word);
        return;
    }
    for (size_t i = 0; i < wend_db_kind_count(); i++)
        if (strcmp(wend_db_kind_at(i)->name, kind) == 0) offer_key(wend_db_kind_at(i), "", word, word);
}

static const tool_option *find(const tool_options *lists, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < lists[i].count; j++)
            if (strcmp(lists[i].options[j].name, word) == 0) return &lists[i].options[j];
    return NULL;
}

void tool_complete(const tool_command *command, int count, char **words, const tool_options *lists,
                   size_t list_count) {
    const char *word = count ? words[count - 1] : "", *first = "", *owner = NULL;
    char meta[META];
    int plain = 0;
    bool options_end = false;
    for (int i = 0; i < count - 1; i++) {
        const tool_option *option = options_end ? NULL : find(lists, list_count, words[i]);
        owner = NULL;
        if (option) {
            if (!option->flag && i++ == count - 2) owner = option->name;
        } else if (!options_end && words[i][0] == '-' && words[i][1]) {
            options_end = strcmp(words[i], "--") == 0;
        } else if (plain++ == 0) {
            first = words[i];
        }
    }
    const char *sign = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    if (owner) {
        if (tool_help_value(command, owner, meta, sizeof meta)) offer_value(command, meta, "", word, word);
    } else if (sign && !options_end) {
        char name[META];
        (void)snprintf(name, sizeof name, "%.*s", (int)(sign - word), word);
        if (find(lists, list_count, name) && tool_help_value(command, name, meta, sizeof meta)) {
            (void)snprintf(name, sizeof name, "%.*s", (int)(sign + 1 - word), word);
            offer_value(command, meta, name, sign + 1, word);
        }
    } else if (word[0] == '-' && !options_end) {
        for (size_t i = 0; i < list_count; i++)
            for (size_t j = 0; j < lists[i].count; j++) tool_offer("", lists[i].options[j].name, "", word);
        tool_offer("", "--help", "", word);
    } else {
        offer_plain(command, plain, first, word);
    }
}
