/* The file: a line that says what it is, a head of lines on which the runs depend, `results`, and then an entry for
 * each planner: the length of its body and a hash of it, in eight bytes each, and the body. Only the same program
 * reads it again, so that a body is made of structs as they are in memory. What is cut at the end is dropped. */
#include "commands/bench/keep.h"

#include "formats/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "wend bench runs 1\n";

#define HASH_OF_NOTHING 14695981039346656037u

enum { HEAD_ROOM = 2048, NAME_ROOM = 1024, ENTRY = 16 };

/* What a body begins with; then the name, runs, times, times of steps, steps. */
typedef struct body {
    uint64_t name, count, calls, steps, db_bytes, first_pass_max;
    double build_seconds;
} body;

struct bench_keep {
    char path[WEND_PATH_ROOM];
    wend_growing file;
    wend_bytes there; /* of the file when it was opened */
    size_t begin;     /* of the first entry in it */
    size_t good;      /* how much of it is whole */
    size_t planners;  /* in the file */
    size_t count;     /* problems */
};

static uint64_t mix(uint64_t before, uint64_t next) {
    return (before ^ next) * 1099511628211u; /* FNV-1a */
}

static uint64_t hash(uint64_t before, const void *data, size_t size) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) before = mix(before, bytes[i]);
    return before;
}

/* The head ----------------------------------------------------------------------------------------------- */

static uint64_t hash_problems(const bench_task *bench) {
    uint64_t sum = HASH_OF_NOTHING;
    for (size_t i = 0; i < bench->count; i++) {
        const bench_problem *problem = &bench->problems[i];
        sum = mix(mix(mix(sum, problem->index), problem->start), problem->goal);
    }
    return sum;
}

static uint64_t hash_edits(const bench_task *bench) {
    uint64_t sum = HASH_OF_NOTHING;
    for (size_t i = 0; bench->edits && i < bench->edits->count; i++) {
        const tool_edit *edit = &bench->edits->list[i];
        const wend_rect *area = &edit->area;
        sum = mix(mix(mix(sum, edit->tick), (uint64_t)area->x), (uint64_t)area->y);
        sum = mix(mix(mix(sum, (uint64_t)area->width), (uint64_t)area->height), edit->open);
    }
    return sum;
}

static void write_head(const bench_task *bench, char *head) {
    const tool_knowledge *knowledge = &bench->terrain.knowledge;
    (void)snprintf(head, HEAD_ROOM,
                   "%swend %s %s %zu %zu %zu\n"
                   "map %016" PRIx64 "\n"
                   "truth %016" PRIx64 "\n"
                   "problems %zu %016" PRIx64 "\n"
                   "max-moves %" PRIu64 "\n"
                   "times %s\n"
                   "interval %.200s\n"
                   "knowledge %.200s\n"
                   "sensor %ld\n"
                   "edits %016" PRIx64 "\n"
                   "repair %" PRIu64 "\n"
                   "seed %" PRIu64 "\n"
                   "results\n",
                   first_line, wend_version(), tool_commit(), sizeof(tool_run), sizeof(bench_times),
                   sizeof(body), wend_map_fingerprint(bench->map), wend_map_fingerprint(bench->terrain.truth),
                   bench->count, hash_problems(bench), bench->max_moves, bench->timed ? "yes" : "no",
                   bench->interval_text ? bench->interval_text : "none", bench->knowledge_text,
                   (long)knowledge->radius, hash_edits(bench), bench->terrain.repair, bench->seed);
}

/* Whether the file begins with `head`; complains with the first line that differs. */
static bool match_head(const bench_keep *keep, const char *head) {
    const char *text = (const char *)keep->there.data;
    for (size_t at = 0, line; head[at]; at += line) {
        line = strcspn(head + at, "\n") + 1;
        if (keep->there.size - at >= line && memcmp(text + at, head + at, line) == 0) continue;
        size_t left = keep->there.size - at, there = 0;
        while (there < left && there < 100 && text[at + there] >= ' ') there++;
        (void)tool_wrong("%s: holds runs of other settings: '%.*s', not '%.*s': remove it, or choose other "
                         "files for the results",
                         keep->path, (int)there, text + at, (int)line - 1, head + at);
        return false;
    }
    return true;
}

/* Entries ------------------------------------------------------------------------------------------------ */

/* A planner and its database, in words. */
static size_t name_of(const char *planner, const wend_db *db, char *name) {
    int size = snprintf(name, NAME_ROOM + TOOL_SETTINGS_TEXT, "%s", planner);
    if (db && size > 0) {
        wend_db_info info = wend_db_about(db);
        size += snprintf(name + size, NAME_ROOM + TOOL_SETTINGS_TEXT - (size_t)size,
                         " %.600s %" PRIu64 " %" PRIu64 " %016" PRIx64 " %" PRIu32, info.settings, info.seed,
                         info.bytes, info.fingerprint, info.kind_version);
    }
    return size > 0 ? (size_t)size : 0;
}

static size_t body_size(const body *b) {
    return sizeof *b + b->name + b->count * (sizeof(tool_run) + sizeof(bench_times)) +
           b->calls * sizeof(uint32_t) + b->steps;
}

/* The length of the entry at `at`, or 0 if it is not whole. */
static size_t entry_at(const bench_keep *keep, size_t at, body *b) {
    uint64_t frame[2];
    size_t left = keep->there.size - at;
    if (left < ENTRY + sizeof *b) return 0;
    memcpy(frame, keep->there.data + at, ENTRY);
    memcpy(b, keep->there.data + at + ENTRY, sizeof *b);
    if (frame[0] > left - ENTRY || b->count != keep->count || b->name > left || b->calls > left ||
        b->steps > left || body_size(b) != frame[0] ||
        hash(HASH_OF_NOTHING, keep->there.data + at + ENTRY, (size_t)frame[0]) != frame[1])
        return 0;
    return ENTRY + (size_t)frame[0];
}

static void *copy(const uint8_t **from, size_t size) {
    void *made = calloc(size ? size : 1, 1);
    if (made && size) memcpy(made, *from, size);
    *from += size;
    return made;
}

/* Whether the runs lie within the texts of steps and times. */
static bool fit(const bench_runs *runs, size_t count) {
    size_t calls = 0;
    for (size_t i = 0; i < count; i++) {
        const tool_run *run = &runs->runs[i];
        if (run->first_step > runs->steps.size || run->steps > runs->steps.size - run->first_step ||
            run->calls > runs->calls - calls)
            return false;
        calls += run->calls;
    }
    return calls == runs->calls;
}

bool tool_bench_keep_get(const bench_keep *keep, const wend_db *db, bench_runs *runs) {
    char name[NAME_ROOM + TOOL_SETTINGS_TEXT] = "";
    size_t length = name_of(runs->settings, db, name), size;
    body b;
    for (size_t at = keep->begin; at < keep->good && (size = entry_at(keep, at, &b)) > 0; at += size) {
        const uint8_t *from = keep->there.data + at + ENTRY + sizeof b;
        if (b.name != length || memcmp(from, name, length) != 0) continue;
        from += length;
        *runs = (bench_runs){.planner = runs->planner,
                             .settings = runs->settings,
                             .calls = (size_t)b.calls,
                             .first_pass_max = b.first_pass_max,
                             .db_bytes = (size_t)b.db_bytes,
                             .build_seconds = b.build_seconds};
        runs->runs = copy(&from, keep->count * sizeof *runs->runs);
        runs->times = copy(&from, keep->count * sizeof *runs->times);
        runs->step_times = copy(&from, (size_t)b.calls * sizeof *runs->step_times);
        runs->steps.data = copy(&from, (size_t)b.steps);
        runs->steps.size = runs->steps.capacity = (size_t)b.steps;
        if (runs->runs && runs->times && runs->step_times && runs->steps.data && fit(runs, keep->count))
            return true;
        tool_bench_runs_destroy(runs);
        return false;
    }
    return false;
}

bool tool_bench_keep_add(bench_keep *keep, const wend_db *db, const bench_runs *runs) {
    char name[NAME_ROOM + TOOL_SETTINGS_TEXT] = "";
    const body b = {.name = name_of(runs->settings, db, name),
                    .count = keep->count,
                    .calls = runs->calls,
                    .steps = runs->steps.size,
                    .db_bytes = runs->db_bytes,
                    .first_pass_max = runs->first_pass_max,
                    .build_seconds = runs->build_seconds};
    const struct {
        const void *data;
        size_t size;
    } parts[] = {{&b, sizeof b},
                 {name, (size_t)b.name},
                 {runs->runs, keep->count * sizeof *runs->runs},
                 {runs->times, keep->count * sizeof *runs->times},
                 {runs->step_times, runs->calls * sizeof *runs->step_times},
                 {runs->steps.data, runs->steps.size}};
    enum { PARTS = sizeof parts / sizeof *parts };
    uint64_t frame[2] = {body_size(&b), HASH_OF_NOTHING};
    for (int i = 0; i < PARTS; i++) frame[1] = hash(frame[1], parts[i].data, parts[i].size);
    wend_error error;
    wend_status status = wend_growing_add(&keep->file, frame, sizeof frame, &error);
    for (int i = 0; i < PARTS && status == WEND_OK; i++)
        if (parts[i].size) status = wend_growing_add(&keep->file, parts[i].data, parts[i].size, &error);
    if (status != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    keep->planners++;
    return true;
}

/* Opening ------------------------------------------------------------------------------------------------ */

/* What is there, and how much of it is good. */
static bool take_over(bench_keep *keep, const char *head, bool resume) {
    wend_error error;
    const wend_file_limits limits = {.max_bytes = UINT64_MAX, .regular = true};
    wend_status status = wend_file_read_within(keep->path, NULL, &limits, &keep->there, &error);
    if (status == WEND_STATUS_EMPTY_FILE) return true;
    if (status != WEND_OK) {
        (void)tool_wrong_error(&error);
        return false;
    }
    size_t length = strlen(first_line);
    if (length > keep->there.size) length = keep->there.size;
    if (memcmp(keep->there.data, first_line, length) != 0) {
        (void)tool_wrong("%s: is in the way: what has been measured goes into a file of this name",
                         keep->path);
        return false;
    }
    if (!resume || length < strlen(first_line)) return true;
    if (!match_head(keep, head)) return false;
    body b;
    keep->begin = keep->good = strlen(head);
    for (size_t size; (size = entry_at(keep, keep->good, &b)) > 0; keep->good += size) keep->planners++;
    return true;
}

bench_keep *tool_bench_keep_open(const char *results, const bench_task *bench, bool resume) {
    char head[HEAD_ROOM];
    bench_keep *keep = calloc(1, sizeof *keep);
    if (!keep) {
        (void)tool_wrong("out of memory");
        return NULL;
    }
    keep->file.file = -1;
    keep->count = bench->count;
    write_head(bench, head);
    wend_error error = {.status = WEND_OK};
    bool good = wend_file_beside(results, ".runs", keep->path);
    if (!good) (void)tool_wrong("%s: the name is too long for a file beside it", results);
    if (good && wend_growing_open(keep->path, true, &keep->file, &error) != WEND_OK) {
        (void)tool_wrong_error(&error);
        good = false;
    }
    if (good && take_over(keep, head, resume)) {
        wend_status status = wend_growing_cut(&keep->file, keep->good, &error);
        if (status == WEND_OK && !keep->good)
            status = wend_growing_add(&keep->file, head, strlen(head), &error);
        if (status == WEND_OK) return keep;
        (void)tool_wrong_error(&error);
    }
    wend_growing_close(&keep->file, false);
    tool_bytes_release(&keep->there);
    free(keep);
    return NULL;
}

size_t tool_bench_keep_count(const bench_keep *keep) {
    return keep->planners;
}

void tool_bench_keep_close(bench_keep *keep, bool stays) {
    if (!keep) return;
    if (stays && keep->planners)
        wend_growing_close(&keep->file, true);
    else
        wend_growing_remove(&keep->file);
    tool_bytes_release(&keep->there);
    free(keep);
}
