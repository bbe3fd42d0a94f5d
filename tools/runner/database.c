#define _POSIX_C_SOURCE 200809L

#include "runner/database.h"

#include "formats/files.h"
#include "formats/json_out.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Shared databases -------------------------------------------------------------------------------------- */

struct tool_db {
    char *path;
    const wend_map *map;
    wend_db *db;
    size_t users;
    bool blamed;
    tool_db *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list and of the counts in it */
static tool_db *all;

static void complain(const wend_error *error, const char *hint) {
    char text[1024];
    bool other = hint && error->status == WEND_STATUS_OTHER_MAP;
    (void)tool_wrong("%s%s%s", wend_error_text(error, text, sizeof text), other ? "; " : "",
                     other ? hint : "");
}

/* Adds the options with which the map would be the database's. */
static void add_options(const char *path, wend_error *error) {
    static const char *const corners[] = {"any", "one", "strict"};
    wend_db_options options = wend_default_db_options();
    wend_db *db;
    size_t length = strlen(error->message), room = sizeof error->message - length;
    if (strstr(error->message, "other cells"))
        (void)snprintf(error->message + length, room, "; see --terrain and --body");
    if (!strstr(error->message, "other rules") || wend_db_open(path, NULL, &options, &db, NULL) != WEND_OK)
        return;
    wend_rules rules = wend_db_about(db).rules;
    (void)snprintf(error->message + length, room, "; --corners %s --connect %d --diagonal %s would fit",
                   corners[rules.corners], (int)rules.connect,
                   rules.diagonal == WEND_DIAGONAL_1_4 ? "1.4" : "sqrt2");
    wend_db_close(db);
}

wend_status tool_db_open(const char *path, const wend_map *map, wend_db **db, wend_error *error) {
    wend_db_options options = wend_default_db_options();
    wend_status status = wend_db_open(path, map, &options, db, error);
    if (status == WEND_STATUS_OTHER_MAP) add_options(path, error);
    return status;
}

static tool_db *find_or_open(const char *path, const wend_map *map, const char *hint) {
    for (tool_db *db = all; db; db = db->next)
        if (db->map == map && strcmp(db->path, path) == 0) {
            db->users++;
            return db;
        }
    tool_db *made = calloc(1, sizeof *made);
    char *name = strdup(path);
    wend_error error;
    if (!made || !name)
        (void)tool_wrong("out of memory");
    else if (tool_db_open(path, map, &made->db, &error) != WEND_OK)
        complain(&error, hint);
    if (!made || !made->db) {
        free(made);
        free(name);
        return NULL;
    }
    made->path = name, made->map = map, made->users = 1, made->next = all;
    all = made;
    return made;
}

tool_db *tool_db_borrow(const char *path, const wend_map *map, const char *hint) {
    (void)pthread_mutex_lock(&lock);
    tool_db *db = find_or_open(path, map, hint);
    (void)pthread_mutex_unlock(&lock);
    return db;
}

void tool_db_return(tool_db *db) {
    if (!db) return;
    (void)pthread_mutex_lock(&lock);
    if (--db->users == 0) {
        tool_db **link = &all;
        while (*link != db) link = &(*link)->next;
        *link = db->next;
        wend_db_close(db->db);
        free(db->path);
        free(db);
    }
    (void)pthread_mutex_unlock(&lock);
}

const wend_db *tool_db_opened(const tool_db *db) {
    return db->db;
}

void tool_db_blame(tool_db *db) {
    (void)pthread_mutex_lock(&lock);
    if (!db->blamed)
        tool_remark(
            "%s: contradicts the map, as only a forged or damaged file can; wend db verify says where",
            db->path);
    db->blamed = true;
    (void)pthread_mutex_unlock(&lock);
}

double tool_db_build_seconds(const tool_db *db) {
    return tool_build_log_seconds(db->path, db->db);
}

/* Logs -------------------------------------------------------------------------------------------------- */

enum { TEXT_ROOM = 65536 };

/* An object in the file beside `path`; NULL if there is none that can be read. */
static json_t *read_log(const char *path, const char *ending) {
    char name[WEND_PATH_ROOM];
    wend_bytes bytes;
    const wend_file_limits limits = {.max_bytes = TEXT_ROOM, .regular = true};
    if (!wend_file_beside(path, ending, name) ||
        wend_file_read_within(name, NULL, &limits, &bytes, NULL) != WEND_OK)
        return NULL;
    json_t *log = json_loadb((const char *)bytes.data, bytes.size, 0, NULL);
    tool_bytes_release(&bytes);
    if (json_is_object(log)) return log;
    json_decref(log);
    return NULL;
}

/* Whole or not at all, as everything that others read. */
static bool write_log(const char *path, const char *ending, const char *text, size_t size) {
    char name[WEND_PATH_ROOM];
    if (wend_file_beside(path, ending, name)) return tool_write_file(name, text, size);
    (void)tool_wrong("%s: the name is too long for a log beside it", path);
    return false;
}

/* Numbers of 64 bits stand in the log as text: JSON's have 53. */
static void fingerprint_text(const wend_db_info *info, char *text, size_t size) {
    (void)snprintf(text, size, "%016" PRIx64, info->fingerprint);
}

static double number_of(const json_t *log, const char *key) {
    const json_t *value = json_object_get(log, key);
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    return number >= 0 ? number : NAN;
}

static bool text_is(const json_t *log, const char *key, const char *text) {
    const char *value = json_string_value(json_object_get(log, key));
    return value && strcmp(value, text) == 0;
}

double tool_build_log_seconds(const char *path, const wend_db *db) {
    json_t *log = read_log(path, ".log.json");
    if (!log) return NAN;
    wend_db_info info = wend_db_about(db);
    char fingerprint[24], seed[24];
    fingerprint_text(&info, fingerprint, sizeof fingerprint);
    (void)snprintf(seed, sizeof seed, "%" PRIu64, info.seed);
    /* Files are copied and replaced; a log that stayed behind is another's. */
    bool same = text_is(log, "fingerprint", fingerprint) && text_is(log, "settings", info.settings) &&
                text_is(log, "seed", seed) && number_of(log, "bytes") == (double)info.bytes;
    double seconds = same ? number_of(log, "build_seconds") : NAN;
    json_decref(log);
    return seconds;
}

static void print_log(FILE *file, const char *path, const wend_db_info *info, const tool_build_log *log) {
    char fingerprint[24], date[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    fingerprint_text(info, fingerprint, sizeof fingerprint);
    (void)fputs("{\"database\":", file);
    tool_json_string(file, tool_base_name(path));
    (void)fputs(",\"map\":", file);
    tool_json_string(file, tool_base_name(log->map));
    (void)fputs(",\"settings\":", file);
    tool_json_string(file, info->settings);
    (void)fprintf(file, ",\"seed\":\"%" PRIu64 "\",\"fingerprint\":\"%s\",\"bytes\":%" PRIu64, info->seed,
                  fingerprint, info->bytes);
    (void)fputs(",\"build_seconds\":", file);
    tool_json_number(file, log->seconds);
    (void)fprintf(file, ",\"runs\":%d,\"threads\":%d,\"date\":\"%s\",\"version\":\"%s\"}\n", log->runs,
                  log->threads, date, wend_version());
}

bool tool_build_log_write(const tool_db *db, const tool_build_log *log) {
    wend_db_info info = wend_db_about(db->db);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    bool good = file != NULL;
    if (good) {
        print_log(file, db->path, &info, log);
        good = fclose(file) == 0;
    }
    if (!good)
        (void)tool_wrong("out of memory");
    else
        good = write_log(db->path, ".log.json", text, size);
    free(text);
    return good;
}

/* Of builds that are not finished. */
static const char part_log[] = ".part.log.json";

void tool_part_log_write(const char *path, double seconds, int runs) {
    char text[96], name[WEND_PATH_ROOM];
    int size = isfinite(seconds)
                   ? snprintf(text, sizeof text, "{\"seconds\":%.6f,\"runs\":%d}\n", seconds, runs)
                   : snprintf(text, sizeof text, "{\"seconds\":null,\"runs\":%d}\n", runs);
    if (wend_file_beside(path, part_log, name) && !tool_is_special(name))
        (void)wend_file_write(name, text, (size_t)size, NULL);
}

bool tool_part_log_read(const char *path, double *seconds, int *runs) {
    json_t *log = read_log(path, part_log);
    *seconds = log ? number_of(log, "seconds") : NAN;
    double count = log ? number_of(log, "runs") : 1;
    *runs = count >= 1 && count <= 1e6 ? (int)count : 1;
    json_decref(log);
    return log != NULL;
}

void tool_part_log_remove(const char *path) {
    char name[WEND_PATH_ROOM];
    if (wend_file_beside(path, part_log, name)) (void)unlink(name);
}

bool tool_part_exists(const char *path) {
    char name[WEND_PATH_ROOM];
    return wend_file_beside(path, ".part", name) && access(name, F_OK) == 0;
}

char *tool_planner_label(const char *planner) {
    char *label = malloc(strlen(planner) + 1);
    if (!label) return NULL;
    size_t used = strcspn(planner, ":");
    memcpy(label, planner, used);
    char between = ':';
    for (const char *key = planner[used] ? planner + used + 1 : NULL; key;) {
        const char *end = key;
        while (*end && (*end != ',' || end[-1] == '\\')) end++;
        size_t size = (size_t)(end - key);
        if (strncmp(key, "db=", 3) != 0) {
            label[used++] = between;
            memcpy(label + used, key, size);
            used += size, between = ',';
        }
        key = *end ? end + 1 : NULL;
    }
    label[used] = 0;
    return label;
}
