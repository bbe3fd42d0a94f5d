/* The file that keeps a paper's jobs as they are done: text, so that it can be looked at, a line a
 * job, each closed by a checksum.
 *
 *     wend paper runs 2
 *     (the head: what the results depend on, a line each)
 *     results
 *     NAME COUNT INTERVALS MOVES EXPANSIONS ... INTERVALS MOVES EXPANSIONS ... CHECKSUM
 *     done
 *
 * A result is its fields in their order. Version 1 had the first three of them only.
 *
 * `done` stands at the end once all that was asked for is there. */
#define _POSIX_C_SOURCE 200809L

#include "common/paper.h"

#include "formats/files.h"
#include "shared/text.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "wend paper runs 2\n", last_of_head[] = "results\n", end_line[] = "done\n";

enum { FIELDS = sizeof(tool_paper_result) / sizeof(uint64_t) };

struct tool_paper_store {
    char path[4096];
    wend_growing file;    /* open to this process alone */
    pthread_mutex_t lock; /* of the file */
    wend_bytes text;      /* of the file when it was opened, closed by a 0 */
    const char **lines;   /* the jobs in it */
    size_t count, capacity;
};

static uint32_t checksum(const char *text, size_t size) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < size; i++) hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash;
}

/* Reading ----------------------------------------------------------------------------------------------- */

static bool read_number(const char **at, uint64_t *number) {
    size_t digits = shared_digits(*at, SIZE_MAX, number); /* the text ends with a 0 */
    *at += digits;
    return digits && *(*at)++ == ' ';
}

/* Whether the line [text, text + length), without its end, is closed by its checksum. */
static bool is_sound(const char *text, size_t length) {
    char sum[16];
    if (length < 10) return false;
    (void)snprintf(sum, sizeof sum, " %08" PRIx32, checksum(text, length - 9));
    return memcmp(text + length - 9, sum, 9) == 0;
}

static bool keep(tool_paper_store *store, const char *line) {
    const char **lines = tool_grown(store->lines, store->count, &store->capacity, sizeof *lines, store->path);
    if (lines) (store->lines = lines)[store->count++] = line;
    return lines != NULL;
}

/* How many bytes at the beginning of the file are what this run would have written there; 0 if it belongs to
 * something else, after a complaint with the first line that differs. */
static size_t match_head(const tool_paper_store *store, const char *text, const char *head) {
    const char *parts[] = {first_line, head, last_of_head};
    size_t used = 0, line = 1;
    for (int part = 0; part < 3; part++)
        for (const char *wanted = parts[part]; *wanted; line++) {
            size_t length = strcspn(wanted, "\n") + 1;
            if (strncmp(text + used, wanted, length) != 0) {
                int there = (int)strcspn(text + used, "\n");
                (void)tool_wrong("%s:%zu: belongs to other settings: '%.*s', not '%.*s': remove it, or "
                                 "choose another folder with -o",
                                 store->path, line, there < 200 ? there : 200, text + used, (int)length - 1,
                                 wanted);
                return 0;
            }
            wanted += length, used += length;
        }
    return used;
}

/* Takes in what is there. `size` becomes that of the part that is good. */
static bool load(tool_paper_store *store, const char *text, size_t *size, const char *head) {
    size_t used = match_head(store, text, head), line = 0;
    if (!used) return false;
    for (const char *p = text; p < text + used; p++) line += *p == '\n';
    while (used < *size) {
        const char *from = text + used, *end = memchr(from, '\n', *size - used);
        size_t length = end ? (size_t)(end - from) : *size - used;
        bool last = !end || used + length + 1 == *size;
        line++;
        if (last && end && length + 1 == strlen(end_line) && memcmp(from, end_line, length) == 0) break;
        if (end && is_sound(from, length)) {
            if (!keep(store, from)) return false;
            used += length + 1;
        } else if (last) {
            break; /* it was being written when the work was stopped */
        } else {
            (void)tool_wrong("%s:%zu: is damaged: remove it", store->path, line);
            return false;
        }
    }
    *size = used;
    return true;
}

/* Opening ----------------------------------------------------------------------------------------------- */

static bool said(wend_status status, const wend_error *error) {
    if (status != WEND_OK) (void)tool_wrong_error(error);
    return status == WEND_OK;
}

static bool begin_file(tool_paper_store *store, const char *head) {
    const char *const parts[] = {first_line, head, last_of_head};
    wend_error error;
    wend_status status = wend_growing_cut(&store->file, 0, &error);
    for (int i = 0; i < 3 && status == WEND_OK; i++)
        status = wend_growing_add(&store->file, parts[i], strlen(parts[i]), &error);
    return said(status, &error);
}

static bool continue_file(tool_paper_store *store, const char *head) {
    const uint8_t zero = 0;
    wend_bytes *bytes = &store->text;
    wend_error error;
    if (!tool_bytes_append(bytes, &zero, 1)) {
        (void)tool_wrong("out of memory for %s", store->path);
        return false;
    }
    size_t size = bytes->size - 1;
    if (!load(store, (const char *)bytes->data, &size, head)) return false;
    return said(wend_growing_cut(&store->file, size, &error), &error);
}

static bool ends_done(const wend_bytes *bytes) {
    size_t length = strlen(end_line);
    return bytes->size > length && memcmp(bytes->data + bytes->size - length, end_line, length) == 0 &&
           bytes->data[bytes->size - length - 1] == '\n';
}

static bool open_file(tool_paper_store *store, const char *head, bool resume) {
    wend_error error;
    if (!said(wend_growing_open(store->path, true, &store->file, &error), &error)) return false;
    wend_status status = wend_file_read(store->path, NULL, WEND_MAX_FILE_BYTES, &store->text, &error);
    if (status == WEND_STATUS_EMPTY_FILE) return begin_file(store, head);
    if (!said(status, &error)) return false;
    if (resume) return continue_file(store, head);
    if (ends_done(&store->text)) return begin_file(store, head);
    (void)tool_wrong(
        "%s: holds runs of a measurement that is not finished: go on with --resume, or remove it",
        store->path);
    return false;
}

tool_paper_store *tool_paper_store_open(const tool_paper_options *options, const char *paper,
                                        const char *head) {
    tool_paper_store *store = calloc(1, sizeof *store);
    if (!store || pthread_mutex_init(&store->lock, NULL) != 0) {
        (void)tool_wrong("out of memory");
        free(store);
        return NULL;
    }
    store->file.file = -1;
    int length = snprintf(store->path, sizeof store->path, "%s/%s.runs", options->folder, paper);
    if (length > 0 && (size_t)length < sizeof store->path && open_file(store, head, options->resume))
        return store;
    tool_paper_store_close(store);
    return NULL;
}

void tool_paper_write_head(const tool_paper_options *options, const char *paper, size_t problems,
                           const tool_paper_map *maps, size_t count, char *head, size_t size) {
    const wend_rules *rules = &options->map.rules;
    int used = snprintf(head, size,
                        "paper %s\nwend %s\nseed %" PRIu64 "\nproblems %zu\n"
                        "rules connect=%d,corners=%s,diagonal=%s\n",
                        paper, wend_version(), options->seed, problems, (int)rules->connect,
                        tool_paper_corners(rules), tool_paper_diagonal(rules));
    for (size_t i = 0; i < count && used > 0 && (size_t)used < size; i++)
        used += snprintf(head + used, size - (size_t)used, "map %s %016" PRIx64 "\n", maps[i].name,
                         wend_map_fingerprint(maps[i].map));
}

void tool_paper_store_close(tool_paper_store *store) {
    if (!store) return;
    wend_growing_close(&store->file, false);
    free(store->lines);
    tool_bytes_release(&store->text);
    (void)pthread_mutex_destroy(&store->lock);
    free(store);
}

const char *tool_paper_store_path(const tool_paper_store *store) {
    return store->path;
}

/* Jobs ------------------------------------------------------------------------------------------------- */

static bool read_results(const char *at, const tool_paper_job *job) {
    for (size_t i = 0; i < job->count; i++) {
        uint64_t fields[FIELDS] = {0};
        for (size_t field = 0; field < FIELDS; field++)
            if (!read_number(&at, &fields[field])) return false;
        memcpy(&job->results[i], fields, sizeof fields);
    }
    return true;
}

bool tool_paper_store_get(const tool_paper_store *store, const tool_paper_job *job) {
    char begin[128];
    size_t length = (size_t)snprintf(begin, sizeof begin, "%s %zu ", job->name, job->count);
    for (size_t i = 0; i < store->count; i++)
        if (strncmp(store->lines[i], begin, length) == 0) return read_results(store->lines[i] + length, job);
    return false;
}

/* One write, so that a line is cut at most once. */
static bool write_line(tool_paper_store *store, const char *text, size_t size) {
    wend_error error;
    (void)pthread_mutex_lock(&store->lock);
    wend_status status = wend_growing_add(&store->file, text, size, &error);
    (void)pthread_mutex_unlock(&store->lock);
    return said(status, &error);
}

bool tool_paper_store_add(tool_paper_store *store, const tool_paper_job *job) {
    wend_bytes line = {NULL, 0, 0};
    char text[128];
    int length = snprintf(text, sizeof text, "%s %zu ", job->name, job->count);
    bool good = tool_bytes_append(&line, text, (size_t)length);
    for (size_t i = 0; i < job->count && good; i++) {
        uint64_t fields[FIELDS] = {0};
        memcpy(fields, &job->results[i], sizeof fields);
        for (size_t field = 0; field < FIELDS && good; field++) {
            length = snprintf(text, sizeof text, "%" PRIu64 " ", fields[field]);
            good = tool_bytes_append(&line, text, (size_t)length);
        }
    }
    if (good) {
        length =
            snprintf(text, sizeof text, "%08" PRIx32 "\n", checksum((const char *)line.data, line.size - 1));
        good = tool_bytes_append(&line, text, (size_t)length);
    }
    if (!good) (void)tool_wrong("out of memory for the results");
    good = good && write_line(store, (const char *)line.data, line.size);
    tool_bytes_release(&line);
    return good;
}

bool tool_paper_store_finish(tool_paper_store *store) {
    return write_line(store, end_line, strlen(end_line));
}
