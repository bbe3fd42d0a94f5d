#define _POSIX_C_SOURCE 200809L

#include "runner/provenance.h"

#include "formats/sha256.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined __clang__
#define COMPILER "clang " __clang_version__
#elif defined __GNUC__
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

void tool_row_rules(tool_row *row, const tool_common *common) {
    static const char *const corners[] = {
        [WEND_CORNERS_STRICT] = "strict", [WEND_CORNERS_ONE] = "one", [WEND_CORNERS_ANY] = "any"};
    const wend_rules *rules = &common->map.rules;
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, common->seed);
    tool_row_text(row, "version", wend_version());
    tool_row_text(row, "commit", tool_commit());
    tool_row_text(row, "seed", seed);
    tool_row_text(row, "corners", corners[rules->corners]);
    tool_row_integer(row, "connect", (uint64_t)rules->connect);
    tool_row_text(row, "diagonal", rules->diagonal == WEND_DIAGONAL_1_4 ? "1.4" : "sqrt2");
    tool_row_text(row, "terrain", common->map.terrain);
}

void tool_row_file(tool_row *row, const char *name, const char *path) {
    char hash[TOOL_SHA256_TEXT], hash_name[64];
    const bool known = path && tool_sha256_file(path, hash);
    (void)snprintf(hash_name, sizeof hash_name, "%s_hash", name);
    tool_row_text(row, name, path);
    tool_row_text(row, hash_name, known ? hash : NULL);
}

/* In such a form that a shell takes it as it was. */
static void write_word(FILE *file, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (*word && word[strspn(word, plain)] == 0) {
        (void)fputs(word, file);
        return;
    }
    (void)fputc('\'', file);
    for (; *word; word++) {
        if (*word == '\'')
            (void)fputs("'\\''", file);
        else
            (void)fputc((unsigned char)*word, file);
    }
    (void)fputc('\'', file);
}

/* To be freed; NULL: no memory. */
static char *command_line(const tool_common *common) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) return NULL;
    (void)fprintf(file, "wend %s", common->command);
    for (int i = 0; i < common->word_count; i++) {
        (void)fputc(' ', file);
        write_word(file, common->words[i]);
    }
    if (fclose(file) == 0) return text;
    free(text);
    return NULL;
}

void tool_row_machine(tool_row *row, const tool_common *common) {
    char processor[128], date[32] = "";
    char *command = command_line(common);
    tool_row_text(row, "command", command);
    free(command);
    tool_row_integer(row, "threads", (uint64_t)common->threads);
    tool_row_text(row, "processor", tool_processor(processor, sizeof processor));
    tool_row_text(row, "compiler", COMPILER);
    tool_row_number(row, "load", tool_load());
    const time_t now = time(NULL);
    struct tm parts;
    const bool known =
        gmtime_r(&now, &parts) && strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0;
    tool_row_text(row, "date", known ? date : NULL);
}
