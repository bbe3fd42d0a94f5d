/* `wend bench`: planners on a scenario, with figures. */
#include "commands/bench/bench.h"

#include "commands/bench/keep.h"
#include "formats/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLANNERS = 64 };

typedef struct bench_words {
    const char *map, *scenario, *limit, *max_moves, *interval, *knowledge, *sensor, *edits, *repair, *json,
        *moves, *html;
    bench_files files; /* of the page */
    const char *planners[MOST_PLANNERS];
    int planner_count;
    wend_settings **settings; /* of each planner */
    tool_runner *runners[MOST_PLANNERS];
    tool_output json_file, moves_file, html_file;
    bench_page *page; /* for html_file */
    bool resume;
    bench_keep *keep; /* or NULL */
} bench_words;

static void remark_on_map_name(const bench_task *bench, const wend_scenario *scenario, const char *path) {
    const char *named = tool_base_name(wend_scenario_map_name(scenario));
    if (bench->quiet || !*named || strcmp(named, bench->map_name) == 0) return;
    tool_remark("%s: says it is for %s, not %s; its cells fit", path, named, bench->map_name);
}

/* Scenarios run from easy to hard: `limit` of them are spread over the whole file. */
static bool choose_problems(bench_task *bench, const wend_scenario *scenario, uint64_t limit) {
    size_t all = wend_scenario_count(scenario);
    bench->count = limit < all ? (size_t)limit : all;
    bench->problems = calloc(bench->count ? bench->count : 1, sizeof *bench->problems);
    if (!bench->problems) {
        (void)tool_wrong("out of memory for %zu problems", bench->count);
        return false;
    }
    for (size_t i = 0; i < bench->count; i++) {
        size_t index = (size_t)((uint64_t)i * all / bench->count);
        const wend_problem *problem = wend_scenario_at(scenario, index);
        bench->problems[i] = (bench_problem){
            .index = index,
            .start = wend_map_cell(bench->map, problem->start.x, problem->start.y),
            .goal = wend_map_cell(bench->map, problem->goal.x, problem->goal.y),
        };
    }
    return true;
}

/* From an earlier run, or now. */
static bool get_runs(const bench_task *bench, const bench_words *words, int index, bench_runs *runs) {
    const wend_db *db = tool_runner_db(words->runners[index]);
    const char *planner = words->planners[index];
    if (words->keep && tool_bench_keep_get(words->keep, planner, db, runs)) return true;
    if (!tool_bench_measure(bench, planner, words->runners[index], runs)) return false;
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
    if (good && words->json) tool_bench_write_json(words->json_file.stream, bench, &runs, &summary);
    if (good && words->moves) tool_bench_write_moves(words->moves_file.stream, bench, &runs);
    if (good && words->page) good = tool_bench_page_add(words->page, &runs, &summary, words->settings[index]);
    if (good && table) tool_bench_print_row(bench, &runs, &summary);
    if (good && summary.statuses[TOOL_RUN_UNFINISHED] && !words->max_moves && !bench->quiet)
        tool_remark("%s: cut after %" PRIu64 " moves, or as many waits without one; --max-moves allows more",
                    words->planners[index], bench->max_moves);
    tool_bench_runs_destroy(&runs);
    if (good && words->resume) good = show_so_far(&words->json_file) && show_so_far(&words->moves_file);
    return good;
}

/* Beside the first of the results that is a file. */
static bool open_keep(const bench_task *bench, bench_words *words) {
    const char *const names[] = {words->json, words->moves, words->html};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && strcmp(names[i], "-") != 0 && !tool_is_special(names[i])) {
            words->keep = tool_bench_keep_open(names[i], bench, words->resume);
            return words->keep != NULL;
        }
    if (words->resume) (void)tool_wrong("bench: --resume needs a file of results: --json, --moves or --html");
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

static bool files_apart(const bench_words *words) {
    tool_files files = {.count = 0};
    tool_files_read(&files, "MAP", words->map);
    tool_files_read(&files, "SCEN", words->scenario);
    tool_files_read(&files, "--edits", words->edits);
    for (int i = 0; i < words->planner_count; i++)
        tool_files_read(&files, "db", wend_settings_text(words->settings[i], "db"));
    tool_files_written(&files, "--json", words->json);
    tool_files_written(&files, "--moves", words->moves);
    tool_files_written(&files, "--html", words->html);
    return tool_files_apart(&files, "bench");
}

/* Before the work, so that a name that can't be written does not cost it. */
static bool open_results(bench_words *words) {
    return (!words->json || tool_output_begin(&words->json_file, words->json)) &&
           (!words->moves || tool_output_begin(&words->moves_file, words->moves)) &&
           (!words->html || tool_output_begin(&words->html_file, words->html));
}

/* They appear together, or not at all where something has failed. */
static bool close_results(bench_words *words, bool good) {
    tool_output *const files[] = {&words->json_file, &words->moves_file, &words->html_file};
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

static int bench_all(bench_task *bench, bench_words *words) {
    tool_catch_interrupts();
    bool good = make_runners(bench, words) && open_results(words) && open_keep(bench, words) &&
                tool_bench_solve(bench);
    /* Standard output holds one thing at a time. */
    bool table = words->json_file.stream != stdout && words->moves_file.stream != stdout &&
                 words->html_file.stream != stdout;
    if (good && words->html) good = (words->page = tool_bench_page_create(bench, &words->files)) != NULL;
    if (good && table) tool_bench_print_head(bench);
    for (int i = 0; good && i < words->planner_count; i++) good = run_planner(bench, words, i, table);
    if (good && words->page) good = tool_bench_page_write(words->page, words->html_file.stream);
    tool_bench_page_destroy(words->page);
    for (int i = 0; i < words->planner_count; i++) tool_runner_destroy(words->runners[i]);
    return end_keep(bench, words, close_results(words, good));
}

/* With the words checked: loads what they name and runs. */
static int load_and_run(const tool_common *common, bench_words *words, uint64_t limit, uint64_t max_moves,
                        tool_interval interval, const tool_knowledge *knowledge, uint64_t repair) {
    wend_map *map = tool_load_map(words->map, &common->map);
    if (!map) return TOOL_WRONG;
    tool_edits edits = {.list = NULL};
    bench_task bench = {.map = map,
                        .map_name = tool_base_name(words->map),
                        .edits = &edits,
                        .knowledge_text = words->knowledge ? words->knowledge : "known",
                        .edits_name = words->edits ? tool_base_name(words->edits) : NULL,
                        .max_moves = max_moves ? max_moves : tool_usual_moves(map),
                        .seed = common->seed,
                        .interval = interval,
                        .interval_text = words->interval,
                        .threads = common->threads,
                        .quiet = common->quiet};
    wend_scenario *scenario = NULL;
    wend_error error;
    int result = TOOL_WRONG;
    bool good = tool_edits_read(words->edits, map, common->seed, &edits) &&
                tool_terrain_create(map, knowledge, &edits, common->seed, &bench.terrain);
    bench.terrain.repair = repair;
    if (good && wend_scenario_load(words->scenario, map, NULL, &scenario, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
    } else if (good) {
        remark_on_map_name(&bench, scenario, words->scenario);
        if (choose_problems(&bench, scenario, limit)) result = bench_all(&bench, words);
    }
    free(bench.problems);
    wend_scenario_destroy(scenario);
    tool_terrain_destroy(&bench.terrain);
    tool_edits_destroy(&edits);
    wend_map_destroy(map);
    return result;
}

static int run(const tool_command *command, int count, char **arguments) {
    bench_words words = {.map = NULL};
    const tool_option options[] = {
        {.name = "--planner", .values = words.planners, .most = MOST_PLANNERS, .count = &words.planner_count},
        {.name = "--limit", .value = &words.limit},
        {.name = "--max-moves", .value = &words.max_moves},
        {.name = "--interval", .value = &words.interval},
        {.name = "--knowledge", .value = &words.knowledge},
        {.name = "--sensor", .value = &words.sensor},
        {.name = "--edits", .value = &words.edits},
        {.name = "--repair", .value = &words.repair},
        {.name = "--json", .value = &words.json},
        {.name = "--moves", .value = &words.moves},
        {.name = "--html", .value = &words.html},
        {.name = "--show",
         .values = words.files.shown,
         .most = BENCH_SHOWN,
         .count = &words.files.shown_count},
        {.name = "--resume", .flag = &words.resume},
    };
    tool_common common;
    const char *plain[2];
    if (!tool_parse(command, count, arguments, options, sizeof options / sizeof *options, &common, plain, 2,
                    2))
        return TOOL_WRONG;
    if (common.help) return TOOL_DONE;
    words.map = plain[0], words.scenario = plain[1];
    words.files.page = words.html, words.files.map = words.map, words.files.scenario = words.scenario;
    words.files.json = words.json, words.files.moves = words.moves;
    if (!tool_bench_files_check(&words.files)) return TOOL_WRONG;
    int64_t limit = INT64_MAX, max_moves = 0;
    if (words.limit && !tool_integer("--limit", words.limit, 1, INT64_MAX, &limit)) return TOOL_WRONG;
    if (words.max_moves && !tool_integer("--max-moves", words.max_moves, 1, INT64_MAX, &max_moves))
        return TOOL_WRONG;
    int64_t repair = 0;
    if (words.repair && !tool_integer("--repair", words.repair, 1, INT64_MAX, &repair)) return TOOL_WRONG;
    if (words.repair && !words.edits)
        return tool_wrong("--repair: without --edits there is nothing to repair");
    tool_interval interval = {0, 0};
    if (words.interval && !tool_interval_parse(words.interval, &interval)) return TOOL_WRONG;
    tool_knowledge knowledge;
    if (!tool_knowledge_parse(words.knowledge, words.sensor, &knowledge)) return TOOL_WRONG;
    if (!words.planner_count) return tool_wrong("bench: --planner is missing (see wend planners)");
    words.settings = calloc((size_t)words.planner_count, sizeof *words.settings);
    if (!words.settings) return tool_wrong("out of memory");
    int result = TOOL_DONE;
    for (int i = 0; i < words.planner_count && result == TOOL_DONE; i++)
        if (!tool_planner_parse(words.planners[i], &words.settings[i])) result = TOOL_WRONG;
    if (result == TOOL_DONE && !files_apart(&words)) result = TOOL_WRONG;
    if (result == TOOL_DONE)
        result = load_and_run(&common, &words, (uint64_t)limit, (uint64_t)max_moves, interval, &knowledge,
                              (uint64_t)repair);
    for (int i = 0; i < words.planner_count; i++) wend_settings_destroy(words.settings[i]);
    free(words.settings);
    return result;
}

const tool_command tool_bench = {.name = "bench", .run = run};
