#include "common/bases.h"

#include "shared/crew.h"

#include <math.h>
#include <string.h>

typedef struct bases_work {
    double done, total, weight; /* weights: built, of all, and of the one being built */
    size_t number, count;       /* of the one being built, from 1 */
    const char *name;
    tool_progress progress;
    char detail[160];
} bases_work;

static bool show(void *context, const wend_progress *progress) {
    bases_work *work = context;
    if (tool_interrupted())
        tool_progress_update(&work->progress, 1, 1); /* what is said next has its own line */
    /* Only the jobs of a build are counted: what else there is to do takes moments. */
    double share = strcmp(progress->stage, "building") == 0 && progress->total
                       ? (double)progress->done / (double)progress->total
                       : 0;
    (void)snprintf(work->detail, sizeof work->detail, "%zu/%zu %s", work->number, work->count, work->name);
    double done = work->total > 0 ? (work->done + share * work->weight) / work->total : 0;
    tool_progress_update(&work->progress, (uint64_t)(done * 999999), 1000000);
    return true;
}

/* Whether two texts mean the same settings; the database's has all keys, ours those that are not as usual. */
static bool same_settings(const wend_settings *wanted, const char *there) {
    wend_settings *other = NULL;
    const wend_method_info *kind = wend_settings_info(wanted);
    bool same =
        wend_db_settings_parse(there, NULL, &other, NULL) == WEND_OK && wend_settings_info(other) == kind;
    for (size_t i = 0; same && i < kind->key_count; i++) {
        const wend_key_info *key = &kind->keys[i];
        const char *a = wend_settings_text(wanted, key->name), *b = wend_settings_text(other, key->name);
        if (key->kind == WEND_KEY_FILE)
            same = a && b && strcmp(a, b) == 0;
        else
            same = wend_settings_integer(wanted, key->name) == wend_settings_integer(other, key->name) &&
                   wend_settings_number(wanted, key->name) == wend_settings_number(other, key->name);
    }
    wend_settings_destroy(other);
    return same;
}

/* Whether the file is there, sound, and what would be built. */
static bool is_built(const tool_paper_options *options, const tool_paper_base *base,
                     const wend_settings *settings) {
    wend_db_options opening = wend_default_db_options();
    wend_db *db = NULL;
    if (wend_db_open(base->path, base->ground->terrain.truth, &opening, &db, NULL) != WEND_OK) return false;
    wend_db_info info = wend_db_about(db);
    bool same = (!info.drawn || info.seed == options->seed) && same_settings(settings, info.settings);
    wend_db_close(db);
    return same;
}

static int build_of(const tool_paper_options *options, bases_work *work, tool_paper_base *base,
                    const wend_settings *settings) {
    if (options->resume && is_built(options, base, settings)) return TOOL_DONE;
    int threads = options->threads;
    wend_build_options building = wend_default_build_options();
    building.seed = options->seed;
    building.resume = options->resume;
    building.tasks = shared_tasks(threads);
    building.progress = show, building.progress_context = work;
    tool_build_log log;
    return tool_build_db(base->ground->terrain.truth, base->ground->name, settings, &building, base->path,
                         options->quiet, &log, &base->db);
}

static int build(const tool_paper_options *options, bases_work *work, tool_paper_base *base) {
    wend_settings *settings;
    wend_error error;
    if (wend_db_settings_parse(base->settings, NULL, &settings, &error) != WEND_OK)
        return tool_wrong("%s: %s", base->settings, error.message);
    int result = build_of(options, work, base, settings);
    wend_settings_destroy(settings);
    return result;
}

static int open_base(const tool_paper_options *options, bases_work *work, tool_paper_base *base) {
    int length = snprintf(base->path, sizeof base->path, "%s/%s.wend", options->folder, base->name);
    if (length < 0 || (size_t)length >= sizeof base->path)
        return tool_wrong("%s: the name is too long for a database in it", options->folder);
    int result = build(options, work, base);
    if (result != TOOL_DONE) return result;
    if (!base->db) base->db = tool_db_borrow(base->path, base->ground->terrain.truth, NULL);
    if (!base->db) return TOOL_WRONG;
    base->seconds = tool_db_build_seconds(base->db);
    base->bytes = wend_db_about(tool_db_opened(base->db)).bytes;
    return TOOL_DONE;
}

int tool_paper_open_bases(const tool_paper_options *options, tool_paper_base *bases, size_t count) {
    bases_work work = {.count = count, .progress = tool_progress_begin("databases", options->quiet)};
    work.progress.detail = work.detail;
    for (size_t i = 0; i < count; i++) {
        bases[i].db = NULL, bases[i].seconds = NAN, bases[i].bytes = 0;
        work.total += bases[i].weight;
    }
    int result = TOOL_DONE;
    for (size_t i = 0; i < count && result == TOOL_DONE; i++) {
        work.number = i + 1, work.name = bases[i].name, work.weight = bases[i].weight;
        result = tool_interrupted() ? TOOL_STOPPED : open_base(options, &work, &bases[i]);
        work.done += bases[i].weight;
    }
    tool_progress_update(&work.progress, 1, 1);
    return result;
}

void tool_paper_close_bases(tool_paper_base *bases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        tool_db_return(bases[i].db);
        bases[i].db = NULL;
    }
}

double tool_paper_base_fact(const tool_paper_base *base, const char *name) {
    enum { MOST = 32 };
    wend_fact facts[MOST];
    size_t count = wend_db_facts(tool_db_opened(base->db), facts, MOST);
    for (size_t i = 0; i < count && i < MOST; i++)
        if (strcmp(facts[i].name, name) == 0) return facts[i].value;
    return NAN;
}

bool tool_paper_base_planner(const tool_paper_base *base, const char *planner, char *text, size_t size) {
    int length = snprintf(text, size, "%s%sdb=", planner, strchr(planner, ':') ? "," : ":");
    size_t used = length > 0 ? (size_t)length : size;
    for (const char *p = base->path; *p && used + 2 < size; p++) {
        if (*p == ',') text[used++] = '\\';
        text[used++] = *p;
        if (!p[1]) {
            text[used] = 0;
            return true;
        }
    }
    (void)tool_wrong("%s: the name is too long for the settings of a planner", base->path);
    return false;
}
