#include "methods/knn/path.h"

#include "search/climb.h"

enum { FIRST_CELLS = 1024, FIRST_STATES = 64 };

wend_status wend_knn_paths_create(wend_knn_paths *paths, const wend_map *map, const wend_jumps *jumps,
                                  const wend_allocator *allocator, wend_error *error) {
    *paths = (wend_knn_paths){.map = map, .jumps = jumps, .allocator = *allocator};
    wend_search_options options = wend_default_search_options();
    options.allocator = *allocator;
    return wend_search_create(map, &options, &paths->search, error);
}

void wend_knn_paths_release(wend_knn_paths *paths) {
    wend_search_destroy(paths->search);
    wend_release(&paths->allocator, paths->cells, paths->cell_capacity, sizeof *paths->cells);
    wend_release(&paths->allocator, paths->states, paths->state_capacity, sizeof *paths->states);
    *paths = (wend_knn_paths){0};
}

static bool make_room(const wend_allocator *allocator, wend_cell **cells, size_t *capacity, size_t needed,
                      size_t first) {
    if (needed <= *capacity) return true;
    size_t more = *capacity ? *capacity : first;
    while (more < needed) more *= 2;
    wend_cell *larger = wend_enlarge(allocator, *cells, *capacity, more, sizeof *larger);
    if (!larger) return false;
    *cells = larger, *capacity = more;
    return true;
}

static bool reaches(const wend_knn_paths *paths, size_t from, size_t to) {
    return wend_climb_reaches(paths->map, paths->jumps, paths->cells[from], paths->cells[to]);
}

/* Lines 3 to 14 of figure 6: how far along the path a climb from one of its cells gets. The next cell is
 * always within reach. */
static size_t by_halves(const wend_knn_paths *paths, size_t from) {
    size_t found = from + 1, low = from + 2, high = paths->cell_count - 1;
    while (low <= high) {
        size_t middle = low + (high - low) / 2;
        if (reaches(paths, from, middle))
            found = middle, low = middle + 1;
        else
            high = middle - 1;
    }
    return found;
}

static size_t by_scan(const wend_knn_paths *paths, size_t from) {
    size_t found = paths->cell_count - 1;
    while (found > from + 1 && !reaches(paths, from, found)) found--;
    return found;
}

static bool add_state(wend_knn_paths *paths, wend_cell cell) {
    if (!make_room(&paths->allocator, &paths->states, &paths->state_capacity, paths->state_count + 1,
                   FIRST_STATES))
        return false;
    paths->states[paths->state_count++] = cell;
    return true;
}

wend_status wend_knn_paths_record(wend_knn_paths *paths, wend_cell start, wend_cell goal,
                                  wend_compress compress) {
    wend_result result;
    wend_status status = wend_search_jps(paths->search, paths->jumps, start, goal, &result, NULL);
    if (status != WEND_OK) return status;
    if (result.found != WEND_FOUND_PATH) return WEND_STATUS_WRONG_CONTENTS;
    paths->cell_count = (size_t)(result.straight + result.diagonal) + 1;
    paths->state_count = 0;
    if (!make_room(&paths->allocator, &paths->cells, &paths->cell_capacity, paths->cell_count, FIRST_CELLS))
        return WEND_STATUS_NO_MEMORY;
    (void)wend_search_path(paths->search, paths->cells, paths->cell_capacity);
    if (!add_state(paths, start)) return WEND_STATUS_NO_MEMORY;
    for (size_t at = 0; at + 1 < paths->cell_count;) {
        at = compress == WEND_COMPRESS_BINARY ? by_halves(paths, at) : by_scan(paths, at);
        if (!add_state(paths, paths->cells[at])) return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}
