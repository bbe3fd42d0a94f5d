/* `wend db info` and `wend db verify`. */
#include "formats/files.h"
#include "formats/json_out.h"
#include "runner/database.h"
#include "shared/crew.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a database says of itself, as lines or as members of an object. */
typedef struct info_output {
    FILE *file;
    bool json, first;
} info_output;

/* The name of a line ends at its first blank. */
static void put_name(info_output *out, const char *name) {
    if (!out->json) {
        for (const char *p = name; *p; p++) (void)fputc(*p == ' ' ? '_' : *p, out->file);
        (void)fputc(' ', out->file);
        return;
    }
    if (!out->first) (void)fputc(',', out->file);
    out->first = false;
    tool_json_string(out->file, name);
    (void)fputc(':', out->file);
}

static void put_end(info_output *out) {
    if (!out->json) (void)fputc('\n', out->file);
}

static void put_text(info_output *out, const char *name, const char *text) {
    put_name(out, name);
    if (out->json)
        tool_json_string(out->file, text);
    else
        (void)fputs(text, out->file);
    put_end(out);
}

static void put_integer(info_output *out, const char *name, uint64_t value) {
    put_name(out, name);
    (void)fprintf(out->file, "%" PRIu64, value);
    put_end(out);
}

/* Whole ones without a point: most facts are counts. */
static void put_number(info_output *out, const char *name, double value) {
    put_name(out, name);
    if (value == floor(value) && fabs(value) < 1e15)
        (void)fprintf(out->file, "%.0f", value);
    else
        tool_json_number(out->file, value);
    put_end(out);
}

static void put_facts(info_output *out, const wend_fact *facts, size_t count) {
    if (out->json) {
        put_name(out, "facts");
        (void)fputc('{', out->file);
        out->first = true;
    }
    for (size_t i = 0; i < count; i++) put_number(out, facts[i].name, facts[i].value);
    if (out->json) (void)fputs("}}\n", out->file);
}

static void put_info(info_output *out, const wend_db *db, double build_seconds, const wend_fact *facts,
                     size_t count) {
    static const char *const corners[] = {"any", "one", "strict"};
    wend_db_info info = wend_db_about(db);
    char fingerprint[24], seed[24];
    (void)snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, info.fingerprint);
    (void)snprintf(seed, sizeof seed, "%" PRIu64, info.seed);
    if (out->json) (void)fputc('{', out->file);
    put_text(out, "kind", info.kind);
    put_text(out, "settings", info.settings);
    put_text(out, "seed", seed); /* which may be more than numbers of JSON hold */
    put_integer(out, "version", info.version);
    put_integer(out, "kind_version", info.kind_version);
    put_integer(out, "bytes", info.bytes);
    put_integer(out, "width", (uint64_t)info.width);
    put_integer(out, "height", (uint64_t)info.height);
    put_integer(out, "connect", (uint64_t)info.rules.connect);
    put_text(out, "corners", corners[info.rules.corners]);
    put_text(out, "diagonal", info.rules.diagonal == WEND_DIAGONAL_1_4 ? "1.4" : "sqrt2");
    put_text(out, "fingerprint", fingerprint);
    if (out->json || isfinite(build_seconds)) {
        put_name(out, "build_seconds");
        tool_json_number(out->file, build_seconds);
        put_end(out);
    }
    put_facts(out, facts, count);
}

static int run_info(const tool_command *command, int count, char **words) {
    const char *json = NULL, *path[1];
    const tool_option options[] = {{.name = "--json", .value = &json}};
    tool_common common;
    if (!tool_parse(command, count, words, options, 1, &common, path, 1, 1)) return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    tool_files files = {.count = 0};
    tool_files_read(&files, "DB", path[0]);
    tool_files_written(&files, "--json", json);
    if (!tool_files_apart(&files, command->name)) return TOOL_WRONG;
    wend_db_options db_options = wend_default_db_options();
    wend_db *db = NULL;
    wend_error error;
    if (wend_db_open(path[0], NULL, &db_options, &db, &error) != WEND_OK) return tool_wrong_error(&error);
    size_t fact_count = wend_db_facts(db, NULL, 0);
    wend_fact *facts = calloc(fact_count ? fact_count : 1, sizeof *facts);
    int result = TOOL_WRONG;
    tool_output output = {.stream = NULL};
    if (!facts) {
        (void)tool_wrong("out of memory");
    } else if (tool_output_begin(&output, json ? json : "-")) {
        (void)wend_db_facts(db, facts, fact_count);
        info_output out = {output.stream, json != NULL, true};
        put_info(&out, db, tool_build_log_seconds(path[0], db), facts, fact_count);
        result = tool_output_end(&output) ? TOOL_DONE : TOOL_WRONG;
    }
    free(facts);
    wend_db_close(db);
    return result;
}

/* Verifying --------------------------------------------------------------------------------------------- */

typedef struct verify_state {
    const char *stage; /* NULL: none yet */
    tool_progress progress;
    bool quiet;
    uint64_t done;
} verify_state;

static bool tell(void *context, const wend_progress *progress) {
    verify_state *state = context;
    if (!state->stage || strcmp(state->stage, progress->stage) != 0) {
        if (state->stage) tool_progress_update(&state->progress, 1, 1);
        state->stage = progress->stage;
        state->progress = tool_progress_begin(state->stage, state->quiet);
    }
    if (strcmp(progress->stage, "verifying") == 0) state->done = progress->done;
    tool_progress_update(&state->progress, progress->done, progress->total);
    return !tool_interrupted();
}

/* A file that says of itself that it is spoilt is what this command is there to find; one that can't be read
 * or belongs elsewhere is wrong use. */
static int answer(const wend_error *error, bool quiet) {
    char text[1024];
    switch (error->status) {
    case WEND_STATUS_WRONG_CONTENTS:
    case WEND_STATUS_DAMAGED:
    case WEND_STATUS_CUT_SHORT:
        printf("wrong: %s\n", wend_error_text(error, text, sizeof text));
        return TOOL_NO;
    case WEND_STATUS_INTERRUPTED:
        if (!quiet) tool_remark("interrupted");
        return TOOL_STOPPED;
    default:
        return tool_wrong_error(error);
    }
}

static int verify(const char *path, const wend_map *map, uint64_t sample, tool_common *common) {
    wend_db *db = NULL;
    wend_error error;
    if (tool_db_open(path, map, &db, &error) != WEND_OK) return answer(&error, common->quiet);
    verify_state state = {.quiet = common->quiet};
    wend_build_options options = wend_default_build_options();
    options.seed = common->seed;
    options.tasks = shared_tasks(common->threads);
    options.progress = tell, options.progress_context = &state;
    tool_catch_interrupts();
    wend_status status = wend_db_verify(db, map, sample, &options, &error);
    if (state.stage) tool_progress_update(&state.progress, 1, 1);
    wend_db_close(db);
    if (status != WEND_OK) {
        tool_error_file(&error, path);
        return answer(&error, common->quiet);
    }
    if (!common->quiet) printf("right: %" PRIu64 " jobs worked out again\n", state.done);
    return TOOL_DONE;
}

static int run_verify(const tool_command *command, int count, char **words) {
    const char *sample_text = NULL, *body = NULL, *plain[2];
    const tool_option options[] = {{.name = "--sample", .value = &sample_text},
                                   {.name = "--body", .value = &body}};
    tool_common common;
    if (!tool_parse(command, count, words, options, 2, &common, plain, 2, 2)) return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    int64_t sample = 0;
    if (sample_text && !tool_integer("--sample", sample_text, 1, INT64_MAX, &sample)) return TOOL_WRONG;
    wend_map *map = tool_load_body_map(plain[1], body, &common.map);
    if (!map) return TOOL_WRONG;
    int result = verify(plain[0], map, (uint64_t)sample, &common);
    wend_map_destroy(map);
    return result;
}

const tool_command tool_db_info = {.name = "db info", .run = run_info};

const tool_command tool_db_verify = {.name = "db verify", .run = run_verify};
