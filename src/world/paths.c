/* Many paths in one call. Problems are divided into jobs of so many each before the first one begins. A worker
 * has a search and a store of moves of its own, so that workers share nothing that changes. Which worker found a
 * path decides where its moves stand, and nothing else. */
#include "base/memory.h"
#include "base/options.h"
#include "base/status.h"
#include "db/kind.h"
#include "grid/map.h"

#include <stdio.h>
#include <string.h>
#include <wend/paths.h>

enum { JOB = 16, FIRST_MOVES = 4096 };

typedef struct paths_worker {
    wend_search *search;
    wend_direction *moves;
    size_t used, room;
    wend_status status;
    wend_error error;
} paths_worker;

typedef struct stored_path {
    size_t first, count;
    uint32_t worker;
} stored_path;

struct wend_paths {
    const wend_map *map;
    wend_paths_options options;
    paths_worker *workers;
    stored_path *stored;
    size_t count, room;
    /* Of the batch under way. */
    const wend_cell *starts, *goals;
    wend_result *results;
};

void wend_paths_options_init(wend_paths_options *options, size_t size) {
    const wend_paths_options own = {.struct_size = 0};
    wend_options_init(options, size, &own, sizeof own);
}

static uint32_t worker_count(const wend_paths *paths) {
    return paths->options.tasks.run && paths->options.tasks.workers ? paths->options.tasks.workers : 1;
}

wend_status wend_paths_create(const wend_map *map, const wend_paths_options *options, wend_paths **paths,
                              wend_error *error) {
    if (!map || !paths) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map for paths");
    *paths = NULL;
    wend_paths_options own = wend_default_paths_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "paths", error);
    if (status != WEND_OK) return status;
    own.allocator = wend_allocator_or_default(&own.allocator);
    wend_paths *made = wend_allocate_zeroed(&own.allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for paths");
    made->map = map, made->options = own;
    made->workers = wend_allocate_zeroed(&own.allocator, worker_count(made), sizeof *made->workers);
    wend_search_options searching = wend_default_search_options();
    searching.allocator = own.allocator;
    status = made->workers ? WEND_OK : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for paths");
    for (uint32_t i = 0; i < worker_count(made) && status == WEND_OK; i++)
        status = wend_search_create(map, &searching, &made->workers[i].search, error);
    if (status == WEND_OK)
        *paths = made;
    else
        wend_paths_destroy(made);
    return status;
}

void wend_paths_destroy(wend_paths *paths) {
    if (!paths) return;
    wend_allocator allocator = paths->options.allocator;
    for (uint32_t i = 0; paths->workers && i < worker_count(paths); i++) {
        wend_search_destroy(paths->workers[i].search);
        wend_release(&allocator, paths->workers[i].moves, paths->workers[i].room, 1);
    }
    wend_release(&allocator, paths->workers, worker_count(paths), sizeof *paths->workers);
    wend_release(&allocator, paths->stored, paths->room, sizeof *paths->stored);
    wend_release(&allocator, paths, 1, sizeof *paths);
}

size_t wend_paths_bytes(const wend_paths *paths) {
    size_t bytes = sizeof *paths + paths->room * sizeof *paths->stored;
    for (uint32_t i = 0; i < worker_count(paths); i++)
        bytes +=
            sizeof *paths->workers + wend_search_bytes(paths->workers[i].search) + paths->workers[i].room;
    return bytes;
}

/* Room for so many more moves. */
static bool make_room(const wend_paths *paths, paths_worker *worker, size_t count) {
    if (worker->room - worker->used >= count) return true;
    size_t room = worker->room ? 2 * worker->room : FIRST_MOVES;
    if (room < worker->used + count) room = worker->used + count;
    wend_direction *moves = wend_allocate(&paths->options.allocator, room, 1);
    if (!moves) return false;
    if (worker->used) memcpy(moves, worker->moves, worker->used);
    wend_release(&paths->options.allocator, worker->moves, worker->room, 1);
    worker->moves = moves, worker->room = room;
    return true;
}

static wend_status find_one(wend_paths *paths, paths_worker *worker, uint32_t number, size_t index) {
    wend_result *result = &paths->results[index];
    wend_cell start = paths->starts[index], goal = paths->goals[index];
    wend_status status =
        paths->options.jumps
            ? wend_search_jps(worker->search, paths->options.jumps, start, goal, result, &worker->error)
            : wend_search_find(worker->search, wend_map_xy(paths->map, start), wend_map_xy(paths->map, goal),
                               NULL, 0, result, &worker->error);
    if (status != WEND_OK) return status;
    size_t count = wend_search_moves(worker->search, NULL, 0);
    if (!make_room(paths, worker, count))
        return wend_fail(&worker->error, WEND_STATUS_NO_MEMORY, "no memory for the moves of paths");
    if (count) (void)wend_search_moves(worker->search, worker->moves + worker->used, count);
    paths->stored[index] = (stored_path){.first = worker->used, .count = count, .worker = number};
    worker->used += count;
    return WEND_OK;
}

static void do_job(void *argument, uint32_t job, uint32_t number) {
    wend_paths *paths = argument;
    paths_worker *worker = &paths->workers[number];
    size_t first = (size_t)job * JOB, end = first + JOB < paths->count ? first + JOB : paths->count;
    for (size_t i = first; i < end && worker->status == WEND_OK; i++)
        worker->status = find_one(paths, worker, number, i);
}

/* Before anything is searched. */
static wend_status check(const wend_paths *paths, size_t count, const wend_cell *starts,
                         const wend_cell *goals, wend_error *error) {
    for (size_t i = 0; i < count; i++) {
        char what[64];
        if (wend_map_is_open_cell(paths->map, starts[i]) && wend_map_is_open_cell(paths->map, goals[i]))
            continue;
        bool start = !wend_map_is_open_cell(paths->map, starts[i]);
        (void)snprintf(what, sizeof what, "%s %zu", start ? "start" : "goal", i);
        return wend_map_check_open(paths->map, start ? starts[i] : goals[i], what, error);
    }
    return WEND_OK;
}

static wend_status reserve(wend_paths *paths, size_t count, wend_error *error) {
    if (count <= paths->room) return WEND_OK;
    const wend_allocator *allocator = &paths->options.allocator;
    stored_path *stored = wend_allocate(allocator, count, sizeof *stored);
    if (!stored) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %zu paths", count);
    wend_release(allocator, paths->stored, paths->room, sizeof *stored);
    paths->stored = stored, paths->room = count;
    return WEND_OK;
}

wend_status wend_paths_find(wend_paths *paths, size_t count, const wend_cell *starts, const wend_cell *goals,
                            wend_result *results, wend_error *error) {
    if (!paths || (count && (!starts || !goals || !results)))
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "no paths, starts, goals, or nowhere to put results");
    if (count > (size_t)UINT32_MAX)
        return wend_fail(error, WEND_STATUS_TOO_LARGE, "%zu paths are too many", count);
    paths->count = 0;
    wend_status status = check(paths, count, starts, goals, error);
    if (status == WEND_OK) status = reserve(paths, count, error);
    if (status != WEND_OK) return status;
    paths->starts = starts, paths->goals = goals, paths->results = results, paths->count = count;
    for (uint32_t i = 0; i < worker_count(paths); i++)
        paths->workers[i].used = 0, paths->workers[i].status = WEND_OK;
    wend_tasks_run(&paths->options.tasks, (uint32_t)((count + JOB - 1) / JOB), do_job, paths);
    for (uint32_t i = 0; i < worker_count(paths) && status == WEND_OK; i++) {
        status = paths->workers[i].status;
        if (status != WEND_OK && error) *error = paths->workers[i].error;
    }
    if (status != WEND_OK) paths->count = 0;
    return status;
}

const wend_direction *wend_paths_moves(const wend_paths *paths, size_t index, size_t *count) {
    const stored_path *path = paths && index < paths->count ? &paths->stored[index] : NULL;
    if (count) *count = path ? path->count : 0;
    return path && path->count ? paths->workers[path->worker].moves + path->first : NULL;
}
