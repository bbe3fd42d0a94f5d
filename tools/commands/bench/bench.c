/* `wend bench`: planners on a scenario, with figures. */
#include "commands/bench/bench.h"

#include "commands/bench/keep.h"
#include "formats/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLANNERS = 64, MOST_WORDS = 8192 };

typedef struct bench_words {
    const char *map, *scenario, *limit, *max_moves, *interval, *knowledge, *sensor, *edits, *repair, *json,
        *moves, *html, *csv, *shard, *times, *machine, *write_edits;
    bench_files files;                   /* of the page */
    const char *planners[MOST_PLANNERS]; /* as they were written, without labels */
    char *labels[MOST_PLANNERS];         /* NULL: none, the planner is called as it was written */
    int planner_count;
    wend_settings **settings; /* of each planner */
    tool_runner *runners[MOST_PLANNERS];
    tool_output json_file, csv_file, moves_file, html_file;
    bench_sinks sinks;
    bench_pairs pairs;
    bool begun;       /* the results */
    bench_page *page; /* for html_file */
    bool resume;
    bench_keep *keep; /* or NULL */
} bench_words;

static void remark_on_map_name(const bench_task *bench, const wend_scenario *scenario, const char *path) {
    const char *named = tool_base_name(wend_scenario_map_name(scenario));
    if (bench->quiet || !*named || strcmp(named, bench->map_name) == 0) return;
    tool_remark("%s: says it is for %s, not %s; its cells fit", path, named, bench->map_name);
}

/* Scenarios run from easy to hard: the limit is spread over the whole file, and shares of it are too. */
static bool choose_problems(bench_task *bench, const wend_scenario *scenario) {
    const size_t all = wend_scenario_count(scenario),
                 wanted = bench->limit < all ? (size_t)bench->limit : all;
    bench->problems = calloc(wanted ? wanted : 1, sizeof *bench->problems);
    if (!bench->problems) {
        (void)tool_wrong("out of memory for %zu problems", wanted);
        return false;
    }
    for (size_t i = (size_t)bench->shard - 1; i < wanted; i += (size_t)bench->shards) {
        size_t index = (size_t)((uint64_t)i * all / wanted);
        const wend_problem *problem = wend_scenario_at(scenario, index);
        bench->problems[bench->count++] = (bench_problem){
            .index = index,
            .start = wend_map_cell(bench->map, problem->start.x, problem->start.y),
            .goal = wend_map_cell(bench->map, problem->goal.x, problem->goal.y),
            .stated = problem->length,
        };
    }
    return true;
}

/* From an earlier run, or now. */
static bool get_runs(const bench_task *bench, const bench_words *words, int index, bench_runs *runs) {
    const wend_db *db = tool_runner_db(words->runners[index]);
    tool_runner *runner = words->runners[index];
    *runs = (bench_runs){.planner = words->labels[index] ? words->labels[index] : words->planners[index],
                         .settings = words->planners[index]};
    if (words->keep && tool_bench_keep_get(words->keep, db, runs)) return true;
    if (bench->timed ? !tool_bench_measure(bench, runner, runs)
                     : !tool_bench_count(bench, runner, words->settings[index], runs))
        return false;
    tool_runner_rest(words->runners[index]);
    if (!words->keep || tool_bench_keep_add(words->keep, db, runs)) return true;
    tool_bench_runs_destroy(runs);
    return false;
}

/* What is written so far takes the place of the file, whole lines of planners that are done. */
static bool show_so_far(tool_output *output) {
    wend_bytes bytes;
    wend_error error;
    if (!output->stream || !output->file.temporary[0]) return true;
    if (fflush(output->stream) != 0 || ferror(output->stream)) return tool_output_end(output); /* says why */
    if (wend_file_read(output->file.temporary, NULL, UINT64_MAX, &bytes, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    bool good = tool_write_file(output->path, bytes.data, bytes.size);
    tool_bytes_release(&bytes);
    return good;
}

static bool run_planner(const bench_task *bench, bench_words *words, int index, bool table) {
    bench_runs runs;
    bench_summary summary;
    if (!get_runs(bench, words, index, &runs)) return false;
    bool good = tool_bench_judge(bench, &runs) && tool_bench_summarise(bench, &runs, &summary);
    if (good) tool_bench_write_rows(&words->sinks, bench, &runs, &summary);
    if (good && words->moves) tool_bench_write_moves(words->moves_file.stream, bench, &runs);
    if (good && words->page) good = tool_bench_page_add(words->page, &runs, &summary, words->settings[index]);
    if (good && table) tool_bench_print_row(bench, &runs, &summary);
    if (good && summary.statuses[TOOL_RUN_UNFINISHED] && !words->max_moves && !bench->quiet)
        tool_remark("%s: cut after %" PRIu64 " moves, or as many waits without one; --max-moves allows more",
                    runs.planner, bench->max_moves);
    tool_bench_runs_destroy(&runs);
    if (good && words->resume)
        good = show_so_far(&words->json_file) && show_so_far(&words->csv_file) &&
               show_so_far(&words->moves_file);
    return good;
}

/* Beside the first of the results that is a file. */
static bool open_keep(const bench_task *bench, bench_words *words) {
    const char *const names[] = {words->json, words->csv, words->moves, words->html};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && strcmp(names[i], "-") != 0 && !tool_is_special(names[i])) {
            words->keep = tool_bench_keep_open(names[i], bench, words->resume);
            return words->keep != NULL;
        }
    if (words->resume)
        (void)tool_wrong("bench: --resume needs a file of results: --json, --csv, --moves or --html");
    return !words->resume;
}

/* The exit status, and what is left to go on with. */
static int end_keep(const bench_task *bench, bench_words *words, bool good) {
    if (good || !tool_interrupted()) {
        tool_bench_keep_close(words->keep, words->resume || !good);
        return good ? TOOL_DONE : TOOL_WRONG;
    }
    size_t count = words->keep ? tool_bench_keep_count(words->keep) : 0;
    if (!bench->quiet && count)
        tool_remark("stopped with %zu planner%s finished; the same command with --resume goes on", count,
                    count == 1 ? "" : "s");
    tool_bench_keep_close(words->keep, true);
    return TOOL_STOPPED;
}

static bool pair_apart(const bench_words *words, const bench_pair *pair) {
    tool_files files = {.count = 0};
    tool_files_read(&files, "MAP", pair->map);
    tool_files_read(&files, "SCEN", pair->scenario);
    tool_files_read(&files, "--edits", words->edits);
    for (int i = 0; i < words->planner_count; i++)
        tool_files_read(&files, "db", wend_settings_text(words->settings[i], "db"));
    tool_files_written(&files, "--write-edits", words->write_edits);
    tool_files_written(&files, "--json", words->json);
    tool_files_written(&files, "--csv", words->csv);
    tool_files_written(&files, "--moves", words->moves);
    tool_files_written(&files, "--html", words->html);
    return tool_files_apart(&files, "bench");
}

static bool files_apart(const bench_words *words) {
    for (size_t i = 0; i < words->pairs.count; i++)
        if (!pair_apart(words, &words->pairs.list[i])) return false;
    return true;
}

/* Before the work, so that a name that can't be written does not cost it. */
static bool open_results(bench_words *words) {
    const bool good = (!words->json || tool_output_begin(&words->json_file, words->json)) &&
                      (!words->csv || tool_output_begin(&words->csv_file, words->csv)) &&
                      (!words->moves || tool_output_begin(&words->moves_file, words->moves)) &&
                      (!words->html || tool_output_begin(&words->html_file, words->html));
    words->sinks = (bench_sinks){.json = words->json_file.stream, .csv = words->csv_file.stream};
    return good;
}

/* They appear together, or not at all where something has failed. */
static bool close_results(bench_words *words, bool good) {
    tool_output *const files[] = {&words->json_file, &words->csv_file, &words->moves_file, &words->html_file};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!good)
            tool_output_drop(files[i]);
        else if (files[i]->stream)
            good = tool_output_end(files[i]);
    return good;
}

/* A runner for each planner, before hours have gone into the first: one that can't do with this terrain is
 * refused now. All of them at once would hold the workspaces of all, so they rest until it is their turn. */
static bool make_runners(const bench_task *bench, bench_words *words) {
    for (int i = 0; i < words->planner_count; i++) {
        words->runners[i] = tool_runner_create(&bench->terrain, words->settings[i], &bench->interval);
        if (!words->runners[i]) return false;
        tool_runner_rest(words->runners[i]);
    }
    return true;
}

/* For all maps at once, as soon as the planners can do with the first. */
static bool begin_results(const bench_task *bench, bench_words *words) {
    if (words->begun) return true;
    words->begun = true;
    return open_results(words) && (words->pairs.count > 1 || open_keep(bench, words));
}

static bool bench_map(bench_task *bench, bench_words *words) {
    tool_catch_interrupts();
    const bool first = !words->begun;
    bool good = make_runners(bench, words) && begin_results(bench, words) && tool_bench_solve(bench) &&
                tool_bench_compare_stated(bench);
    /* Standard output holds one thing at a time. */
    bool table = words->json_file.stream != stdout && words->csv_file.stream != stdout &&
                 words->moves_file.stream != stdout && words->html_file.stream != stdout;
    if (good && words->html) good = (words->page = tool_bench_page_create(bench, &words->files)) != NULL;
    if (good) tool_bench_write_run(&words->sinks, bench);
    if (good && table && first) tool_bench_print_head(bench);
    if (good && table && words->pairs.count > 1) printf("%s:\n", bench->map_name);
    for (int i = 0; good && i < words->planner_count; i++) good = run_planner(bench, words, i, table);
    if (good && words->page) good = tool_bench_page_write(words->page, words->html_file.stream);
    tool_bench_page_destroy(words->page);
    words->page = NULL;
    for (int i = 0; i < words->planner_count; i++) {
        tool_runner_destroy(words->runners[i]);
        words->runners[i] = NULL;
    }
    return good;
}

/* So that anyone can run with the same ones again. */
static bool write_edits(const char *path, const tool_edits *edits) {
    tool_output output = {.stream = NULL};
    if (!path) return true;
    if (!tool_output_begin(&output, path)) return false;
    tool_edits_write(output.stream, edits);
    return tool_output_end(&output);
}

/* With the words checked: loads a map and what goes with it, and runs. `settings` is what they say of the runs. */
static bool load_and_run(const bench_task *settings, bench_words *words, const tool_knowledge *knowledge,
                         uint64_t repair) {
    const tool_common *common = settings->common;
    wend_map *map = tool_load_map(words->map, &common->map);
    if (!map) return false;
    tool_edits edits = {.list = NULL};
    bench_task bench = *settings;
    bench.map_path = words->map, bench.scenario_path = words->scenario;
    bench.map = map, bench.map_name = tool_base_name(words->map), bench.edits = &edits;
    if (!bench.max_moves) bench.max_moves = tool_usual_moves(map);
    wend_scenario *scenario = NULL;
    wend_error error;
    bool good = tool_edits_read(words->edits, map, common->seed, &edits) &&
                tool_terrain_create(map, knowledge, &edits, common->seed, &bench.terrain);
    bench.terrain.repair = repair;
    good = good && write_edits(words->write_edits, &edits);
    if (good && wend_scenario_load(words->scenario, map, NULL, &scenario, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        good = false;
    }
    if (good) {
        remark_on_map_name(&bench, scenario, words->scenario);
        good = choose_problems(&bench, scenario) && bench_map(&bench, words);
    }
    free(bench.problems);
    wend_scenario_destroy(scenario);
    tool_terrain_destroy(&bench.terrain);
    tool_edits_destroy(&edits);
    wend_map_destroy(map);
    return good;
}

static int bench_maps(const bench_task *settings, bench_words *words, const tool_knowledge *knowledge,
                      uint64_t repair) {
    bool good = true;
    for (size_t i = 0; good && i < words->pairs.count; i++) {
        words->map = words->pairs.list[i].map, words->scenario = words->pairs.list[i].scenario;
        good = load_and_run(settings, words, knowledge, repair);
    }
    return end_keep(settings, words, close_results(words, good));
}

/* Some files are of one map. */
static bool fit_maps(const bench_words *words) {
    const char *single = words->html          ? "--html"
                         : words->moves       ? "--moves"
                         : words->write_edits ? "--write-edits"
                         : words->resume      ? "--resume"
                                              : NULL;
    if (words->pairs.count < 2 || !single) return true;
    (void)tool_wrong("bench: %s is for one map at a time, and there are %zu", single, words->pairs.count);
    return false;
}

bool tool_bench_shard(const char *text, uint64_t *shard, uint64_t *shards) {
    char first[24];
    size_t length = strcspn(text, "/");
    if (!text[length] || length >= sizeof first) return false;
    memcpy(first, text, length);
    first[length] = 0;
    return tool_digits(first, shard) && tool_digits(text + length + 1, shards) && *shard >= 1 &&
           *shard <= *shards && *shards < SIZE_MAX / 2;
}

static bool take_shard(const char *text, bench_task *bench) {
    if (tool_bench_shard(text, &bench->shard, &bench->shards)) return true;
    (void)tool_wrong("--shard: must be I/N, as in 1/4, with I from 1 to N, not '%s'", text);
    return false;
}

static bool take_choice(const char *name, const char *text, bool *choice) {
    if (!text) return true;
    *choice = strcmp(text, "yes") == 0;
    if (*choice || strcmp(text, "no") == 0) return true;
    (void)tool_wrong("%s: must be yes or no, not '%s'", name, text);
    return false;
}

/* LABEL=PLANNER: planners have no = before their first colon. */
static bool take_label(bench_words *words, int index) {
    const char *text = words->planners[index], *equals = strchr(text, '='), *colon = strchr(text, ':');
    if (!equals || (colon && colon < equals)) return true;
    const size_t length = (size_t)(equals - text);
    if (!length) {
        (void)tool_wrong("--planner %s: there is no label before the =", text);
        return false;
    }
    char *label = malloc(length + 1);
    if (!label) {
        (void)tool_wrong("out of memory");
        return false;
    }
    memcpy(label, text, length);
    label[length] = 0;
    words->labels[index] = label, words->planners[index] = equals + 1;
    return true;
}

/* Results under one label can't be kept apart. */
static bool labels_differ(const bench_words *words) {
    for (int i = 0; i < words->planner_count; i++)
        for (int j = 0; words->labels[i] && j < words->planner_count; j++) {
            const char *other = words->labels[j] ? words->labels[j] : words->planners[j];
            if (i == j || strcmp(words->labels[i], other) != 0) continue;
            (void)tool_wrong("--planner: two planners are called %s", other);
            return false;
        }
    return true;
}

static bool parse_planners(bench_words *words) {
    for (int i = 0; i < words->planner_count; i++)
        if (!take_label(words, i) || !tool_planner_parse(words->planners[i], &words->settings[i]))
            return false;
    return labels_differ(words);
}

/* What is left of the words, once the options are read. */
static bool take_words(bench_words *words, bench_task *bench, tool_knowledge *knowledge, uint64_t *repair) {
    int64_t limit = INT64_MAX, max_moves = 0, operations = 0;
    if (words->limit && !tool_integer("--limit", words->limit, 1, INT64_MAX, &limit)) return false;
    if (words->max_moves && !tool_integer("--max-moves", words->max_moves, 1, INT64_MAX, &max_moves))
        return false;
    if (words->repair && !tool_integer("--repair", words->repair, 1, INT64_MAX, &operations)) return false;
    if (words->repair && !words->edits) {
        (void)tool_wrong("--repair: without --edits there is nothing to repair");
        return false;
    }
    if (words->write_edits && !words->edits) {
        (void)tool_wrong("--write-edits: without --edits there is nothing to write");
        return false;
    }
    if (words->limit) bench->limit = (uint64_t)limit;
    bench->max_moves = (uint64_t)max_moves, *repair = (uint64_t)operations;
    if ((words->interval && !tool_interval_parse(words->interval, &bench->interval)) ||
        (words->shard && !take_shard(words->shard, bench)) ||
        !take_choice("--times", words->times, &bench->timed) ||
        !take_choice("--machine", words->machine, &bench->machine) ||
        !tool_knowledge_parse(words->knowledge, words->sensor, knowledge))
        return false;
    if (!bench->timed && bench->interval.nanoseconds) {
        (void)tool_wrong("--times no: with an interval in milliseconds, times decide what is done");
        return false;
    }
    if (!bench->timed && words->html) {
        (void)tool_wrong("--times no: the page of --html is about times");
        return false;
    }
    if (words->planner_count) return true;
    (void)tool_wrong("bench: --planner is missing (see wend planners)");
    return false;
}

/* With the maps known: what the other words say. */
static int run_words(bench_words *words, const tool_common *common) {
    words->files.map = words->pairs.list[0].map, words->files.scenario = words->pairs.list[0].scenario;
    words->files.page = words->html;
    words->files.json = words->json, words->files.moves = words->moves;
    if (!tool_bench_files_check(&words->files)) return TOOL_WRONG;
    bench_task bench = {.common = common,
                        .edits_text = words->edits,
                        .edits_name = words->edits ? tool_base_name(words->edits) : NULL,
                        .knowledge_text = words->knowledge ? words->knowledge : "known",
                        .limit = UINT64_MAX,
                        .shard = 1,
                        .shards = 1,
                        .seed = common->seed,
                        .interval_text = words->interval,
                        .timed = true,
                        .machine = true,
                        .threads = common->threads,
                        .quiet = common->quiet};
    tool_knowledge knowledge;
    uint64_t repair;
    if (!take_words(words, &bench, &knowledge, &repair)) return TOOL_WRONG;
    words->settings = calloc((size_t)words->planner_count, sizeof *words->settings);
    if (!words->settings) return tool_wrong("out of memory");
    int result = parse_planners(words) && files_apart(words) ? bench_maps(&bench, words, &knowledge, repair)
                                                             : TOOL_WRONG;
    for (int i = 0; i < words->planner_count; i++) {
        wend_settings_destroy(words->settings[i]);
        free(words->labels[i]);
    }
    free(words->settings);
    return result;
}

static int run(const tool_command *command, int count, char **arguments) {
    bench_words words = {.map = NULL};
    const tool_option options[] = {
        {.name = "--planner", .values = words.planners, .most = MOST_PLANNERS, .count = &words.planner_count},
        {.name = "--limit", .value = &words.limit},
        {.name = "--shard", .value = &words.shard},
        {.name = "--max-moves", .value = &words.max_moves},
        {.name = "--interval", .value = &words.interval},
        {.name = "--knowledge", .value = &words.knowledge},
        {.name = "--sensor", .value = &words.sensor},
        {.name = "--edits", .value = &words.edits},
        {.name = "--write-edits", .value = &words.write_edits},
        {.name = "--repair", .value = &words.repair},
        {.name = "--times", .value = &words.times},
        {.name = "--machine", .value = &words.machine},
        {.name = "--json", .value = &words.json},
        {.name = "--csv", .value = &words.csv},
        {.name = "--moves", .value = &words.moves},
        {.name = "--html", .value = &words.html},
        {.name = "--show",
         .values = words.files.shown,
         .most = BENCH_SHOWN,
         .count = &words.files.shown_count},
        {.name = "--resume", .flag = &words.resume},
    };
    tool_common common;
    const char *plain[MOST_WORDS];
    if (!tool_parse(command, count, arguments, options, sizeof options / sizeof *options, &common, plain, 1,
                    MOST_WORDS))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    size_t plain_count = 0;
    while (plain_count < MOST_WORDS && plain[plain_count]) plain_count++;
    int result = TOOL_WRONG;
    if (tool_bench_find_pairs(plain, plain_count, &words.pairs) && fit_maps(&words))
        result = run_words(&words, &common);
    tool_bench_free_pairs(&words.pairs);
    return result;
}

const tool_command tool_bench = {.name = "bench", .run = run};
