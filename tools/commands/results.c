/* `wend results merge`: several files of `wend bench --json` as one. Lines of problems stay as they are, so that
 * nothing is lost by reading; summaries are worked out from them by what `wend bench` itself uses. */
#include "commands/bench/bench.h"
#include "formats/files.h"

#include <jansson.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 4096 };

typedef struct result_line {
    const char *text; /* in the file's bytes, which stay */
    size_t length;
    uint64_t problem;
    size_t order; /* in which they were read */
    bench_record record;
} result_line;

/* The lines of one planner in one file. */
typedef struct result_part {
    const char *file;
    json_t *summary;
    const char *text; /* the summary's */
    size_t length;
    uint64_t shard, shards;
} result_part;

typedef struct result_planner {
    const char *name; /* in a summary */
    result_line *lines;
    size_t count, capacity;
    result_part *parts;
    size_t part_count, part_capacity;
} result_planner;

/* All of one map with the same settings. */
typedef struct result_group {
    json_t *settings; /* what must be equal */
    json_t **runs;
    size_t run_count, run_capacity;
    result_planner *planners;
    size_t count, capacity;
} result_group;

typedef struct merging {
    result_group *groups;
    size_t count, capacity;
    wend_bytes *files;
    size_t file_count;
} merging;

/* Reading ------------------------------------------------------------------------------------------------ */

typedef struct reading {
    merging *all;
    const char *file;
    size_t number;       /* of the line, from 1 */
    result_group *group; /* of the last run */
    uint64_t shard, shards;
    result_line *lines; /* since the last summary */
    size_t count, capacity;
} reading;

static bool refuse(const reading *r, const char *why) {
    (void)tool_wrong("%s:%zu: %s", r->file, r->number, why);
    return false;
}

/* What may differ between parts of the same experiment. */
static const char *const free_keys[] = {"shard",    "command", "threads", "processor",
                                        "compiler", "load",    "date"};
enum { FREE_KEYS = sizeof free_keys / sizeof *free_keys };

static bool take_run(reading *r, json_t *run) {
    if (r->count) return refuse(r, "the planner before it has no summary: the file is not whole");
    json_t *settings = json_copy(run);
    for (int i = 0; i < FREE_KEYS; i++) (void)json_object_del(settings, free_keys[i]);
    const char *shard = json_string_value(json_object_get(run, "shard"));
    r->shard = r->shards = 1;
    if (shard && !tool_bench_shard(shard, &r->shard, &r->shards)) {
        json_decref(settings);
        return refuse(r, "the shard is not of the form I/N");
    }
    merging *all = r->all;
    r->group = NULL;
    for (size_t i = 0; settings && i < all->count && !r->group; i++)
        if (json_equal(all->groups[i].settings, settings)) r->group = &all->groups[i];
    if (!r->group) {
        result_group *groups =
            settings ? tool_grown(all->groups, all->count, &all->capacity, sizeof *groups, "results") : NULL;
        if (!groups) {
            json_decref(settings);
            return false;
        }
        all->groups = groups;
        r->group = &groups[all->count++];
        *r->group = (result_group){.settings = json_incref(settings)};
    }
    json_decref(settings);
    json_t **runs =
        tool_grown(r->group->runs, r->group->run_count, &r->group->run_capacity, sizeof *runs, "results");
    if (!runs) return false;
    (r->group->runs = runs)[r->group->run_count++] = json_incref(run);
    return true;
}

static uint64_t integer_of(const json_t *object, const char *key) {
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool take_status(const json_t *line, tool_run_status *status) {
    const char *name = json_string_value(json_object_get(line, "status"));
    for (int i = 0; name && i < TOOL_RUN_STATUSES; i++)
        if (strcmp(name, tool_run_status_name((tool_run_status)i)) == 0) {
            *status = (tool_run_status)i;
            return true;
        }
    return false;
}

/* Of a run that ran out of memory, too, which has no suboptimality. */
static double so_far_of(const json_t *line, const bench_record *record) {
    if (record->status != TOOL_RUN_OUT_OF_MEMORY) return record->suboptimality;
    const double cost = number_of(line, "cost"), optimal = number_of(line, "optimal");
    return cost == optimal || optimal == 0 ? 0 : (cost / optimal - 1) * 100;
}

static bool take_problem(reading *r, const json_t *line, const char *text, size_t length) {
    result_line *lines = tool_grown(r->lines, r->count, &r->capacity, sizeof *lines, "lines of results");
    if (!lines) return false;
    r->lines = lines;
    result_line *at = &lines[r->count];
    *at = (result_line){.text = text,
                        .length = length,
                        .problem = integer_of(line, "problem"),
                        .record = {.suboptimality = number_of(line, "suboptimality"),
                                   .detour = number_of(line, "detour"),
                                   .moves = integer_of(line, "moves"),
                                   .intervals = integer_of(line, "intervals"),
                                   .waits = integer_of(line, "waits"),
                                   .expansions = integer_of(line, "expansions"),
                                   .revisits = integer_of(line, "revisits"),
                                   .operations_max = integer_of(line, "operations_max"),
                                   .online_bytes = integer_of(line, "online_bytes"),
                                   .plan = integer_of(line, "plan_ns"),
                                   .plan_max = integer_of(line, "plan_ns_max"),
                                   .first_move = integer_of(line, "first_move_ns")}};
    if (!take_status(line, &at->record.status))
        return refuse(r, "not a line of wend bench: it has no status");
    at->record.so_far = so_far_of(line, &at->record);
    r->count++;
    return true;
}

static result_planner *find_planner(result_group *group, const char *name) {
    for (size_t i = 0; i < group->count; i++)
        if (strcmp(group->planners[i].name, name) == 0) return &group->planners[i];
    result_planner *planners =
        tool_grown(group->planners, group->count, &group->capacity, sizeof *planners, "results");
    if (!planners) return NULL;
    group->planners = planners;
    planners[group->count] = (result_planner){.name = name};
    return &planners[group->count++];
}

/* Whether it fits what is there of the planner. */
static bool fits(const reading *r, const result_planner *planner, const json_t *summary) {
    for (size_t i = 0; i < planner->part_count; i++) {
        const result_part *part = &planner->parts[i];
        if (part->shards != r->shards)
            (void)tool_wrong("%s:%zu: shard %" PRIu64 "/%" PRIu64 " of %s, where %s has %" PRIu64 "/%" PRIu64,
                             r->file, r->number, r->shard, r->shards, planner->name, part->file, part->shard,
                             part->shards);
        else if (part->shard == r->shard)
            (void)tool_wrong("%s:%zu: %s is in %s already", r->file, r->number, planner->name, part->file);
        else if (!json_equal(json_object_get(part->summary, "settings"),
                             json_object_get(summary, "settings")) ||
                 !json_equal(json_object_get(part->summary, "db_bytes"),
                             json_object_get(summary, "db_bytes")))
            (void)tool_wrong("%s:%zu: %s is another planner, or has another database, than in %s", r->file,
                             r->number, planner->name, part->file);
        else
            continue;
        return false;
    }
    return true;
}

static bool take_summary(reading *r, json_t *summary, const char *text, size_t length) {
    const char *name = json_string_value(json_object_get(summary, "planner"));
    if (!name) return refuse(r, "not a summary of wend bench: it has no planner");
    if (integer_of(summary, "problems") != r->count + integer_of(summary, "skipped"))
        return refuse(r, "the summary is of another number of lines: the file is not whole");
    result_planner *planner = find_planner(r->group, name);
    if (!planner || !fits(r, planner, summary)) return false;
    result_part *parts =
        tool_grown(planner->parts, planner->part_count, &planner->part_capacity, sizeof *parts, "results");
    if (!parts) return false;
    planner->parts = parts;
    parts[planner->part_count++] =
        (result_part){r->file, json_incref(summary), text, length, r->shard, r->shards};
    for (size_t i = 0; i < r->count; i++) {
        result_line *lines =
            tool_grown(planner->lines, planner->count, &planner->capacity, sizeof *lines, "lines of results");
        if (!lines) return false;
        planner->lines = lines;
        lines[planner->count] = r->lines[i];
        lines[planner->count].order = planner->count;
        planner->count++;
    }
    r->count = 0;
    return true;
}

static bool take_line(reading *r, const char *text, size_t length) {
    json_error_t about;
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, &about);
    bool good = json_is_object(line);
    if (!good)
        (void)refuse(r, "not a line of wend bench --json");
    else if (json_is_true(json_object_get(line, "run")))
        good = take_run(r, line);
    else if (!r->group)
        good = refuse(r, "nothing before it says where it comes from: not a file of wend bench --json");
    else if (json_is_true(json_object_get(line, "summary")))
        good = take_summary(r, line, text, length);
    else
        good = take_problem(r, line, text, length);
    json_decref(line);
    return good;
}

static bool read_results(merging *all, const char *path) {
    wend_error error;
    wend_bytes *bytes = &all->files[all->file_count];
    if (wend_file_read(path, NULL, UINT64_MAX, bytes, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    all->file_count++;
    reading r = {.all = all, .file = path};
    bool good = true;
    for (size_t at = 0, length; good && at < bytes->size; at += length + 1) {
        const char *text = (const char *)bytes->data + at;
        const char *end = memchr(text, '\n', bytes->size - at);
        length = end ? (size_t)(end - text) : bytes->size - at;
        r.number++;
        good = take_line(&r, text, length);
    }
    if (good && r.count)
        good = refuse(&r, "the file ends before a summary: wend bench --resume goes on with it");
    free(r.lines);
    return good;
}

/* Writing ------------------------------------------------------------------------------------------------ */

static int by_problem(const void *a, const void *b) {
    const result_line *left = a, *right = b;
    if (left->problem != right->problem) return left->problem < right->problem ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Of several values a list, each once. */
static json_t *all_values(const result_group *group, const char *key) {
    json_t *list = json_array();
    for (size_t i = 0; i < group->run_count; i++) {
        json_t *value = json_object_get(group->runs[i], key);
        bool seen = !value;
        for (size_t j = 0; !seen && j < json_array_size(list); j++)
            seen = json_equal(json_array_get(list, j), value) != 0;
        if (!seen) (void)json_array_append(list, value);
    }
    if (json_array_size(list) > 1) return list;
    json_t *one = json_incref(json_array_get(list, 0));
    json_decref(list);
    return one;
}

static bool write_run(FILE *file, const result_group *group) {
    json_t *run = json_copy(group->runs[0]);
    bool good = run && json_object_set_new(run, "shard", json_null()) == 0;
    for (int i = 1; good && i < FREE_KEYS; i++)
        if (json_object_get(run, free_keys[i]))
            good = json_object_set_new(run, free_keys[i], all_values(group, free_keys[i])) == 0;
    char *text = good ? json_dumps(run, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(run);
    if (text) (void)fprintf(file, "%s\n", text);
    if (!text) (void)tool_wrong("out of memory");
    free(text);
    return text != NULL;
}

static bool is_whole(const result_planner *planner) {
    const uint64_t shards = planner->parts[0].shards;
    for (uint64_t shard = 1; shard <= shards && planner->part_count < shards; shard++) {
        bool there = false;
        for (size_t i = 0; i < planner->part_count; i++) there = there || planner->parts[i].shard == shard;
        if (there) continue;
        (void)tool_wrong("results merge: shard %" PRIu64 "/%" PRIu64 " of %s is missing", shard, shards,
                         planner->name);
        return false;
    }
    return true;
}

static bool write_summary(FILE *file, const result_group *group, const result_planner *planner) {
    const result_part *first = &planner->parts[0];
    if (planner->part_count == 1) {
        (void)fprintf(file, "%.*s\n", (int)first->length, first->text);
        return true;
    }
    const json_t *of = first->summary;
    size_t skipped = 0;
    for (size_t i = 0; i < planner->part_count; i++)
        skipped += (size_t)integer_of(planner->parts[i].summary, "skipped");
    bench_record *records = malloc((planner->count ? planner->count : 1) * sizeof *records);
    if (!records) {
        (void)tool_wrong("out of memory for a summary");
        return false;
    }
    for (size_t i = 0; i < planner->count; i++) records[i] = planner->lines[i].record;
    const bool timed = json_is_true(json_object_get(group->settings, "times"));
    uint64_t seed = 0;
    const char *seed_text = json_string_value(json_object_get(group->settings, "seed"));
    if (seed_text) (void)tool_digits(seed_text, &seed);
    bench_summary summary;
    const bool good = tool_bench_sum_up(records, planner->count, skipped, timed, seed, &summary);
    free(records);
    const bench_about about = {.planner = planner->name,
                               .settings = json_string_value(json_object_get(of, "settings")),
                               .map = json_string_value(json_object_get(of, "map")),
                               .interval = json_string_value(json_object_get(of, "interval")),
                               .knowledge = json_string_value(json_object_get(of, "knowledge")),
                               .edits = json_string_value(json_object_get(of, "edits")),
                               .sensor = integer_of(of, "sensor"),
                               .repair = integer_of(of, "repair"),
                               .db_bytes = integer_of(of, "db_bytes"),
                               .build_seconds = number_of(of, "build_seconds")};
    if (good) tool_bench_write_summary(file, &about, &summary);
    return good;
}

static bool write_group(FILE *file, const result_group *group) {
    bool good = write_run(file, group);
    for (size_t i = 0; good && i < group->count; i++) {
        result_planner *planner = &group->planners[i];
        good = is_whole(planner);
        if (planner->count) qsort(planner->lines, planner->count, sizeof *planner->lines, by_problem);
        for (size_t j = 0; good && j < planner->count; j++)
            (void)fprintf(file, "%.*s\n", (int)planner->lines[j].length, planner->lines[j].text);
        good = good && write_summary(file, group, planner);
    }
    return good;
}

static bool write_all(const merging *all, const char *path) {
    tool_output output = {.stream = NULL};
    bool good = tool_output_begin(&output, path);
    for (size_t i = 0; good && i < all->count; i++) good = write_group(output.stream, &all->groups[i]);
    if (good) return tool_output_end(&output);
    tool_output_drop(&output);
    return false;
}

static void release(merging *all) {
    for (size_t i = 0; i < all->count; i++) {
        result_group *group = &all->groups[i];
        for (size_t j = 0; j < group->count; j++) {
            result_planner *planner = &group->planners[j];
            for (size_t k = 0; k < planner->part_count; k++) json_decref(planner->parts[k].summary);
            free(planner->parts);
            free(planner->lines);
        }
        for (size_t j = 0; j < group->run_count; j++) json_decref(group->runs[j]);
        json_decref(group->settings);
        free(group->runs);
        free(group->planners);
    }
    for (size_t i = 0; i < all->file_count; i++) tool_bytes_release(&all->files[i]);
    free(all->files);
    free(all->groups);
}

static int run_merge(const tool_command *command, int count, char **words) {
    const char *output = NULL;
    const tool_option options[] = {{.name = "-o", .value = &output}};
    tool_common common;
    const char **in = calloc(MOST_FILES, sizeof *in);
    if (!in) return tool_wrong("out of memory");
    bool good = tool_parse(command, count, words, options, 1, &common, in, 1, MOST_FILES);
    if (good && common.help) {
        free(in);
        return TOOL_DONE;
    }
    if (good && !output) {
        (void)tool_wrong("results merge: -o is missing");
        good = false;
    }
    size_t files = 0;
    while (good && files < MOST_FILES && in[files]) {
        tool_files two = {.count = 0};
        tool_files_read(&two, "IN", in[files++]);
        tool_files_written(&two, "-o", output);
        good = tool_files_apart(&two, command->name);
    }
    merging all = {.files = calloc(files ? files : 1, sizeof *all.files)};
    if (good && !all.files) {
        (void)tool_wrong("out of memory");
        good = false;
    }
    for (size_t i = 0; good && i < files; i++) good = read_results(&all, in[i]);
    good = good && write_all(&all, output);
    release(&all);
    free(in);
    return good ? TOOL_DONE : TOOL_WRONG;
}

const tool_command tool_results_merge = {.name = "results merge", .run = run_merge};
