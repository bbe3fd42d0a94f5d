/* `wend build`: a database of a map. */
#define _POSIX_C_SOURCE 200809L

#include "formats/files.h"
#include "runner/database.h"
#include "shared/crew.h"
#include "shared/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_KEYS = 16 };

typedef struct build_words {
    const char *kind, *map, *path, *body, *max_memory, *max_size;
    bool resume;
} build_words;

/* A build on its way: what the progress line shows, and what the log will say. */
typedef struct build_state {
    const char *path;
    const char *stage;
    tool_progress progress;
    bool quiet, begun;               /* begun: jobs are being built, so that a PATH.part is ours */
    int runs;                        /* this one included */
    double before;                   /* seconds of the runs before */
    const wend_build_options *given; /* the caller's, who may have a progress line of his own */
} build_state;

typedef struct joined {
    char text[TOOL_SETTINGS_TEXT];
    size_t size;
    bool full;
} joined;

static void put(joined *to, char letter) {
    if (to->size + 1 < sizeof to->text)
        to->text[to->size++] = letter;
    else
        to->full = true;
}

/* KIND:KEY=VALUE,... of words. A comma inside a word is part of its value. False: too long. */
static bool join(const char *kind, const char *const *keys, joined *to) {
    to->size = 0, to->full = false;
    while (*kind) put(to, *kind++);
    for (size_t i = 0; i < MOST_KEYS && keys[i]; i++) {
        put(to, i ? ',' : ':');
        for (const char *p = keys[i]; *p; p++) {
            if (*p == ',') put(to, '\\');
            put(to, *p);
        }
    }
    to->text[to->size] = 0;
    return !to->full;
}

static bool tell(void *context, const wend_progress *progress) {
    build_state *state = context;
    if (!state->begun && strcmp(progress->stage, "building") == 0) {
        /* From here on the part is this run's too: should it be killed, its time is not known. */
        state->begun = true;
        tool_part_log_remove(state->path);
    }
    if (state->given->progress)
        return state->given->progress(state->given->progress_context, progress) && !tool_interrupted();
    if (!state->stage || strcmp(state->stage, progress->stage) != 0) {
        if (state->stage) tool_progress_update(&state->progress, 1, 1);
        state->stage = progress->stage;
        state->progress = tool_progress_begin(state->stage, state->quiet);
        state->progress.before = progress->done;
    }
    /* The last job ends the line, the stage after it begins another. */
    tool_progress_update(&state->progress, progress->done, progress->total);
    return !tool_interrupted();
}

static int complain(const wend_error *error, const build_state *state) {
    char text[1024];
    bool kept = state->begun && tool_part_exists(state->path);
    if (error->status != WEND_STATUS_INTERRUPTED)
        return tool_wrong("%s%s%s%s", wend_error_text(error, text, sizeof text),
                          kept ? "; what is done is in " : "", kept ? state->path : "",
                          !kept ? ""
                          : error->status == WEND_STATUS_TOO_LARGE
                              ? ".part, and --resume with more goes on with it"
                              : ".part, and --resume goes on with it");
    if (!state->quiet) {
        if (kept)
            tool_remark("%s; the same command with --resume goes on with %s.part", error->message,
                        state->path);
        else
            tool_remark("%s", error->message);
    }
    return TOOL_STOPPED;
}

enum { LITTLE = 10 }; /* per cent of problems */

/* Of a case base: how many problems have a record; NAN for other kinds. */
static double covered_percent(const wend_db *db) {
    wend_fact facts[64];
    const size_t count = wend_db_facts(db, facts, sizeof facts / sizeof *facts);
    for (size_t i = 0; i < count && i < sizeof facts / sizeof *facts; i++)
        if (strcmp(facts[i].name, "problems_covered_percent") == 0) return facts[i].value;
    return NAN;
}

static void describe(const char *path, const tool_db *db, const tool_build_log *log) {
    wend_db_info info = wend_db_about(tool_db_opened(db));
    printf("%s: %s, %llu bytes", path, info.settings, (unsigned long long)info.bytes);
    if (isfinite(log->seconds)) printf(", built in %.1f s", log->seconds);
    putchar('\n');
    double covered = covered_percent(tool_db_opened(db));
    if (isnan(covered)) return;
    printf("it covers %.*f%% of problems\n", covered < 1 ? 2 : 0, covered);
    if (covered < LITTLE)
        tool_remark(
            "in all others agents walk by the fallback alone: this map needs more records, or another kind");
}

/* After the build: opens what was built, for the log and for whoever wants it. */
static int finish(const wend_map *map, const char *path, const tool_build_log *log, tool_db **built) {
    tool_part_log_remove(path);
    tool_db *db = tool_db_borrow(path, map, NULL);
    bool good = db && tool_build_log_write(db, log);
    if (good && built)
        *built = db;
    else
        tool_db_return(db);
    return good ? TOOL_DONE : TOOL_WRONG;
}

int tool_build_db(const wend_map *map, const char *map_name, const wend_settings *settings,
                  const wend_build_options *options, const char *path, bool quiet, tool_build_log *log,
                  tool_db **built) {
    build_state state = {.path = path, .quiet = quiet, .runs = 1, .given = options};
    wend_build_options building = *options;
    if (building.resume && tool_part_exists(path)) {
        (void)tool_part_log_read(path, &state.before, &state.runs);
        state.runs++;
    }
    building.progress = tell, building.progress_context = &state;
    wend_error error = {.status = WEND_OK};
    double began = tool_seconds();
    wend_status status = wend_db_build(map, settings, &building, path, &error);
    int threads = building.tasks.workers ? (int)building.tasks.workers : 1;
    *log = (tool_build_log){map_name, state.before + tool_seconds() - began, state.runs, threads};
    if (state.stage) tool_progress_update(&state.progress, 1, 1);
    if (status == WEND_OK) return finish(map, path, log, built);
    int result = complain(&error, &state);
    if (state.begun && tool_part_exists(path)) tool_part_log_write(path, log->seconds, log->runs);
    return result;
}

/* What is to be built, where the words leave it open. */
static int choose(const wend_map *map, const wend_settings *settings, const wend_build_options *options,
                  bool quiet, wend_db_choice *choice) {
    wend_build_options choosing = *options;
    wend_error error;
    build_state state = {.path = NULL, .quiet = quiet, .runs = 1, .given = options};
    choosing.progress = tell, choosing.progress_context = &state;
    wend_status status = wend_db_choose(map, settings, &choosing, choice, &error);
    if (state.stage) tool_progress_update(&state.progress, 1, 1);
    if (status != WEND_OK) return complain(&error, &state);
    if (choice->why[0] && !quiet) printf("%s\n", choice->why);
    return TOOL_DONE;
}

/* Estimates ---------------------------------------------------------------------------------------------- */

enum { SMALL_MAP = 4000 }; /* open cells: a build takes no longer than an estimate would */

static double physical_memory(void) {
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && bytes > 0) return (double)pages * (double)bytes;
#endif
    return INFINITY;
}

/* Whether one thread would do with so much memory. */
static bool one_would_do(const wend_map *map, const wend_settings *settings,
                         const wend_build_options *options, double most) {
    wend_build_options alone = *options;
    wend_estimate estimate;
    alone.tasks = (wend_tasks){0};
    return options->tasks.workers > 1 &&
           wend_db_estimate(map, settings, &alone, &estimate, NULL) == WEND_OK &&
           (double)estimate.memory <= most;
}

/* Complains about what would not fit, with what would. Estimates may be off: what comes near a cap is left to
 * the build, which keeps to it. */
static bool fits(const wend_map *map, const wend_settings *settings, const wend_build_options *options,
                 const wend_estimate *estimate) {
    double memory = (double)estimate->memory, bytes = (double)estimate->bytes,
           there = options->max_memory ? (double)options->max_memory : physical_memory();
    if (options->max_size && bytes > 1.5 * (double)options->max_size) {
        (void)tool_wrong(
            "build: the database would take about %s, and %s are allowed: --max-size %.0fK would do",
            shared_decimal_bytes(bytes).text, shared_decimal_bytes((double)options->max_size).text,
            ceil(bytes * 1.5 / 1024));
        return false;
    }
    if (memory <= (options->max_memory ? 1.25 : 1) * there) return true;
    (void)tool_wrong(
        "build: this would take about %s of memory, and %s are %s: --max-memory %.0fM would do%s",
        shared_decimal_bytes(memory).text, shared_decimal_bytes(there).text,
        options->max_memory ? "allowed" : "there", memory * 1.25 / 1048576,
        one_would_do(map, settings, options, there) ? ", and so would --threads 1" : "");
    return false;
}

/* Says what a build will take. False after a complaint, if it would not fit. */
static bool look_ahead(const wend_map *map, const wend_settings *settings, const wend_build_options *options,
                       bool quiet) {
    wend_estimate estimate;
    wend_error error;
    if (wend_map_open_cells(map) < SMALL_MAP) return true;
    double began = tool_seconds();
    wend_status status = wend_db_estimate(map, settings, options, &estimate, &error);
    double took = tool_seconds() - began;
    if (status == WEND_STATUS_NO_MEMORY) {
        (void)tool_wrong("build: %s", error.message);
        return false;
    }
    if (status != WEND_OK) return true; /* the kind can't tell, or the build says what is wrong */
    if (!fits(map, settings, options, &estimate)) return false;
    double seconds = took / estimate.share / (options->tasks.workers ? options->tasks.workers : 1);
    if (!quiet)
        tool_remark("estimated: %.*f s, %s of memory, a file of %s", seconds < 10 ? 1 : 0, seconds,
                    shared_decimal_bytes((double)estimate.memory).text,
                    shared_decimal_bytes((double)estimate.bytes).text);
    return true;
}

static int build(const build_words *words, const wend_settings *settings, const tool_common *common,
                 const wend_build_options *given) {
    wend_map *map = tool_load_body_map(words->map, words->body, &common->map);
    if (!map) return TOOL_WRONG;
    tool_catch_interrupts();
    tool_build_log log;
    tool_db *db = NULL;
    wend_db_choice choice = {.settings = NULL};
    int result = choose(map, settings, given, common->quiet, &choice);
    /* What was chosen for a size keeps to it. */
    wend_build_options own = *given, *options = &own;
    uint64_t size = (uint64_t)wend_settings_integer(settings, "size");
    if (size && (!own.max_size || size < own.max_size)) own.max_size = size;
    bool goes_on = words->resume && tool_part_exists(words->path);
    if (result == TOOL_DONE && !goes_on && !look_ahead(map, choice.settings, options, common->quiet))
        result = TOOL_WRONG;
    if (result == TOOL_DONE)
        result =
            tool_build_db(map, words->map, choice.settings, options, words->path, common->quiet, &log, &db);
    if (result == TOOL_DONE && !common->quiet) describe(words->path, db, &log);
    tool_db_return(db);
    wend_settings_destroy(choice.settings);
    wend_map_destroy(map);
    return result;
}

static bool files_apart(const build_words *words) {
    tool_files files = {.count = 0};
    char log[WEND_PATH_ROOM];
    tool_files_read(&files, "MAP", words->map);
    tool_files_written(&files, "-o", words->path);
    if (wend_file_beside(words->path, ".log.json", log)) tool_files_written(&files, "DB.log.json", log);
    if (tool_is_special(log)) {
        (void)tool_wrong("%s: the log of the build goes here, and this is no plain file", log);
        return false;
    }
    return tool_files_apart(&files, "build");
}

static int run(const tool_command *command, int count, char **arguments) {
    build_words words = {.path = NULL};
    const tool_option list[] = {
        {.name = "-o", .value = &words.path},
        {.name = "--resume", .flag = &words.resume},
        {.name = "--body", .value = &words.body},
        {.name = "--max-memory", .value = &words.max_memory},
        {.name = "--max-size", .value = &words.max_size},
    };
    tool_common common;
    const char *plain[2 + MOST_KEYS];
    if (!tool_parse(command, count, arguments, list, sizeof list / sizeof *list, &common, plain, 2,
                    2 + MOST_KEYS))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    words.kind = plain[0], words.map = plain[1];
    if (!words.path) return tool_wrong("build: -o DB is missing");
    if (strcmp(words.path, "-") == 0) return tool_wrong("build: a database can't go to standard output");
    if (strchr(words.kind, ':'))
        return tool_wrong("build: '%s': keys are words of their own, KEY=VALUE, behind the map", words.kind);
    wend_build_options options = wend_default_build_options();
    uint64_t max_memory = 0;
    if (words.max_memory && !tool_size("--max-memory", words.max_memory, &max_memory)) return TOOL_WRONG;
    if (words.max_size && !tool_size("--max-size", words.max_size, &options.max_size)) return TOOL_WRONG;
    options.max_memory = max_memory < SIZE_MAX ? (size_t)max_memory : SIZE_MAX;
    options.seed = common.seed;
    options.resume = words.resume;
    options.tasks = shared_tasks(common.threads);
    joined text;
    if (!join(words.kind, plain + 2, &text)) return tool_wrong("build: the keys are too long");
    wend_settings *settings;
    wend_error error;
    if (wend_db_settings_parse(text.text, NULL, &settings, &error) != WEND_OK)
        return tool_wrong("build: %s", error.message);
    int result = files_apart(&words) ? build(&words, settings, &common, &options) : TOOL_WRONG;
    wend_settings_destroy(settings);
    return result;
}

const tool_command tool_build = {.name = "build", .run = run};
