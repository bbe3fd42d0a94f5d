#include "methods/knn/spread.h"

#include "methods/knn/cover.h"

#include <string.h>

enum { TRIES = 16, TASK = 64 };   /* problems a pair; and those that a worker takes at a time */
#define FIRST_PROBLEM 0x40000000u /* draws that neither records nor samples have */

static void lay_out(wend_knn_spread *s, uint32_t pairs, uint32_t again) {
    wend_draws_lay_out(s->draws, pairs, again);
    for (uint32_t n = 0; n < pairs && s->count < s->most; n++) {
        wend_knn_pair *pair = &s->pairs[s->count];
        s->count += wend_draw(s->draws, n, &pair->start, &pair->goal);
    }
}

/* The tree of the pairs so far, unless it is there. */
static void plant(wend_knn_spread *s) {
    const wend_map *map = s->draws->map;
    if (s->knn.count == s->count) return;
    for (uint32_t i = 0; i < s->count; i++) {
        wend_xy from = wend_map_xy(map, s->pairs[i].start), to = wend_map_xy(map, s->pairs[i].goal);
        s->entries[i] = (wend_knn_entry){
            .ends = {(uint16_t)from.x, (uint16_t)from.y, (uint16_t)to.x, (uint16_t)to.y}, .number = i};
    }
    wend_knn_sort(s->entries, s->count);
    for (uint32_t i = 0; i < s->count; i++) memcpy(s->ends[i], s->entries[i].ends, sizeof s->ends[i]);
    s->knn.count = s->count;
}

static void try_problems(void *argument, uint32_t index, uint32_t worker) {
    wend_knn_spread *s = argument;
    wend_knn_select *select = &s->selects[worker];
    for (uint32_t i = index * TASK; i < (index + 1) * TASK && i < s->batch; i++) {
        wend_knn_pair problem;
        uint64_t counted = 0;
        uint32_t number = FIRST_PROBLEM + s->number * s->batch + i;
        s->problems[i].start = WEND_NO_CELL;
        if (!wend_draw_random(s->draws, number, &problem.start, &problem.goal)) continue;
        wend_knn_select_begin(select, problem.start, problem.goal);
        if (wend_knn_select_run(select, UINT64_MAX / 2, &counted) == WEND_KNN_NONE) s->problems[i] = problem;
    }
}

void wend_knn_spread_try(wend_knn_spread *s, uint32_t number) {
    s->number = number;
    if (s->count >= s->most || !s->draws->possible) { /* enough, or nothing to draw from */
        for (uint32_t i = 0; i < s->batch; i++) s->problems[i].start = WEND_NO_CELL;
        return;
    }
    plant(s);
    wend_tasks_run(s->tasks, (s->batch + TASK - 1) / TASK, try_problems, s);
}

bool wend_knn_spread_add(wend_knn_spread *s, wend_cell start, wend_cell goal) {
    if (!wend_draw_fits(s->draws, start, goal)) return false;
    if (s->count < s->most) s->pairs[s->count++] = (wend_knn_pair){start, goal};
    return true;
}

void wend_knn_spread_end(wend_knn_spread *s) {
    if (s->count < s->most) lay_out(s, s->most - s->count, 1);
}

bool wend_knn_spread_all(wend_knn_spread *s, const wend_build_options *options) {
    for (uint32_t number = 0; number < WEND_KNN_BATCHES; number++) {
        wend_progress progress = {"spreading", number, WEND_KNN_BATCHES};
        if (options->progress && !options->progress(options->progress_context, &progress)) return false;
        wend_knn_spread_try(s, number);
        for (uint32_t i = 0; i < s->batch && s->count < s->most; i++)
            if (s->problems[i].start != WEND_NO_CELL) s->pairs[s->count++] = s->problems[i];
    }
    wend_knn_spread_end(s);
    return true;
}

static wend_status reserve(wend_knn_spread *s) {
    const wend_allocator *allocator = &s->draws->allocator;
    size_t room = (size_t)s->most + 1;
    s->pairs = wend_allocate(allocator, room, sizeof *s->pairs);
    s->entries = wend_allocate(allocator, room, sizeof *s->entries);
    s->ends = wend_allocate(allocator, room, sizeof *s->ends);
    s->problems = wend_allocate(allocator, (size_t)s->batch + 1, sizeof *s->problems);
    s->selects = wend_allocate_zeroed(allocator, s->workers, sizeof *s->selects);
    if (!s->pairs || !s->entries || !s->ends || !s->problems || !s->selects) return WEND_STATUS_NO_MEMORY;
    s->knn = (wend_knn){.count = s->most, .ends = (const uint16_t(*)[WEND_KNN_AXES])s->ends};
    for (uint32_t i = 0; i < s->workers; i++) {
        /* Made for all pairs, so that the tree may grow. */
        wend_status status = wend_knn_select_create(&s->selects[i], s->draws->map, &s->knn,
                                                    WEND_KNN_CANDIDATES, false, allocator);
        s->selects[i].climb = WEND_KNN_CLIMB;
        s->selects[i].goal_first = true;
        if (status != WEND_OK) return status;
    }
    s->knn.count = 0;
    return WEND_OK;
}

wend_status wend_knn_spread_create(wend_knn_spread *s, wend_draws *draws, const wend_tasks *tasks,
                                   uint32_t workers) {
    *s = (wend_knn_spread){.draws = draws, .tasks = tasks, .workers = workers, .most = draws->pairs};
    s->batch = (uint32_t)(((uint64_t)TRIES * s->most + WEND_KNN_BATCHES - 1) / WEND_KNN_BATCHES);
    wend_status status = reserve(s);
    if (status == WEND_OK && s->most && draws->possible) lay_out(s, (s->most + 3) / 4, 0);
    return status;
}

void wend_knn_spread_release(wend_knn_spread *s) {
    if (!s->draws) return;
    const wend_allocator *allocator = &s->draws->allocator;
    size_t room = (size_t)s->most + 1;
    s->knn.count = s->most; /* as when they were made */
    for (uint32_t i = 0; s->selects && i < s->workers; i++)
        if (s->selects[i].query.knn) wend_knn_select_release(&s->selects[i], allocator);
    wend_release(allocator, s->selects, s->workers, sizeof *s->selects);
    wend_release(allocator, s->problems, (size_t)s->batch + 1, sizeof *s->problems);
    wend_release(allocator, s->ends, room, sizeof *s->ends);
    wend_release(allocator, s->entries, room, sizeof *s->entries);
    wend_release(allocator, s->pairs, room, sizeof *s->pairs);
    s->draws = NULL;
}
