#include "methods/knn/cover.h"

#include "base/random.h"

/* Numbers of draws that no record has. */
#define FIRST_PROBLEM 0x80000000u
#define CELLS 0x6b6e6e63656c6c73u

/* Whether one of the entries with the nearest starts can be climbed to. */
static bool covers(wend_knn_select *select, wend_cell cell) {
    wend_knn_query *query = &select->query;
    uint64_t counted = 0;
    wend_knn_hit hit;
    wend_knn_begin(query, cell, cell);
    (void)wend_knn_run(query, UINT64_MAX / 2, &counted);
    while (wend_knn_take(query, &hit)) {
        wend_knn_climb climb = {cell, wend_knn_start(query->map, query->knn, hit.number), select->climb};
        if (wend_knn_climb_run(query->map, &climb, UINT64_MAX / 2, &counted) == WEND_KNN_REACHED) return true;
    }
    return false;
}

wend_status wend_knn_measure(const wend_draws *draws, const wend_knn *knn, wend_knn_cover *cover) {
    wend_knn_select select;
    *cover = (wend_knn_cover){0};
    wend_status status =
        wend_knn_select_create(&select, draws->map, knn, WEND_KNN_CANDIDATES, false, &draws->allocator);
    select.climb = WEND_KNN_CLIMB;
    select.goal_first = true;
    for (uint32_t i = 0; i < WEND_KNN_SAMPLE && status == WEND_OK; i++) {
        wend_cell start, goal;
        uint64_t counted = 0;
        if (!wend_draw_random(draws, FIRST_PROBLEM + i, &start, &goal)) continue;
        wend_knn_select_begin(&select, start, goal);
        wend_knn_found found = wend_knn_select_run(&select, UINT64_MAX / 2, &counted);
        cover->problems++;
        cover->problems_covered += found != WEND_KNN_NONE;
    }
    select.query.starts_only = true;
    for (uint32_t i = 0; i < WEND_KNN_SAMPLE && status == WEND_OK && draws->open; i++) {
        wend_cell cell = draws->cells[wend_random_at(draws->seed, CELLS, i) % draws->open];
        cover->cells++;
        cover->cells_covered += covers(&select, cell);
    }
    wend_knn_select_release(&select, &draws->allocator);
    return status;
}

typedef struct covering {
    const wend_map *map;
    const wend_cell *cells;
    size_t count;
    uint8_t *covered;
    wend_knn_select *selects; /* one a worker */
} covering;

enum { TASK = 1024 }; /* cells that a worker takes at a time */

static void cover_some(void *argument, uint32_t index, uint32_t worker) {
    const covering *c = argument;
    size_t first = (size_t)index * TASK, end = c->count - first < TASK ? c->count : first + TASK;
    for (size_t i = first; i < end; i++)
        c->covered[i] =
            wend_map_is_open_cell(c->map, c->cells[i]) && covers(&c->selects[worker], c->cells[i]);
}

wend_status wend_knn_cover_cells(const wend_db *db, const wend_cell *cells, size_t count,
                                 const wend_tasks *tasks, const wend_allocator *allocator, uint8_t *covered) {
    uint32_t workers = tasks->run && tasks->workers ? tasks->workers : 1;
    covering c = {db->map, cells, count, covered, NULL};
    c.selects = wend_allocate_zeroed(allocator, workers, sizeof *c.selects);
    wend_status status = c.selects ? WEND_OK : WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < workers && status == WEND_OK; i++) {
        status = wend_knn_select_create(&c.selects[i], db->map, wend_knn_of(db), WEND_KNN_CANDIDATES, false,
                                        allocator);
        c.selects[i].climb = WEND_KNN_CLIMB;
        c.selects[i].query.starts_only = true;
    }
    if (status == WEND_OK) wend_tasks_run(tasks, (uint32_t)((count + TASK - 1) / TASK), cover_some, &c);
    for (uint32_t i = 0; c.selects && i < workers; i++)
        if (c.selects[i].query.knn) wend_knn_select_release(&c.selects[i], allocator);
    wend_release(allocator, c.selects, workers, sizeof *c.selects);
    return status;
}
