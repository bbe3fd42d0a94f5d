#include "db/knn_cover.h"

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
