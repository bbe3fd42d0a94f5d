#include "db/knn_spread.h"

#include "db/knn_cover.h"

#include <string.h>

enum { TRIES = 16, LEAST_BATCH = 1024, TASK = 64 }; /* TASK: problems that a worker takes at a time */
#define FIRST_PROBLEM 0x40000000u                   /* draws that neither records nor samples have */

typedef struct spreading {
    wend_draws *draws;
    const wend_knn_crew *crew;
    uint32_t most; /* pairs */
    wend_knn_pair *pairs;
    uint32_t count;
    wend_knn_entry *entries; /* of the pairs, room for all */
    uint16_t (*ends)[WEND_KNN_AXES];
    wend_knn knn;
    wend_knn_select *selects; /* one a worker */
    uint64_t tried;
    uint32_t batch;          /* problems of the batch under way */
    wend_knn_pair *problems; /* of the batch; start is WEND_NO_CELL where nothing is to be added */
    uint32_t problem_room;
} spreading;

static void lay_out(spreading *s, uint32_t pairs, uint32_t again) {
    wend_draws_lay_out(s->draws, pairs, again);
    for (uint32_t n = 0; n < pairs && s->count < s->most; n++) {
        wend_knn_pair *pair = &s->pairs[s->count];
        s->count += wend_draw(s->draws, n, &pair->start, &pair->goal);
    }
}

/* The tree of the pairs so far. */
static void plant(spreading *s) {
    const wend_map *map = s->draws->map;
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
    spreading *s = argument;
    wend_knn_select *select = &s->selects[worker];
    for (uint32_t i = index * TASK; i < (index + 1) * TASK && i < s->batch; i++) {
        wend_knn_pair problem;
        uint64_t counted = 0;
        s->problems[i].start = WEND_NO_CELL;
        if (!wend_draw_random(s->draws, FIRST_PROBLEM + (uint32_t)s->tried + i, &problem.start,
                              &problem.goal))
            continue;
        wend_knn_select_begin(select, problem.start, problem.goal);
        if (wend_knn_select_run(select, UINT64_MAX / 2, &counted) == WEND_KNN_NONE) s->problems[i] = problem;
    }
}

/* One batch: an eighth of the pairs, so that few of them would serve one another. */
static void try_batch(spreading *s) {
    s->batch = s->count / 8 < LEAST_BATCH ? LEAST_BATCH : s->count / 8;
    uint32_t tasks = (s->batch + TASK - 1) / TASK;
    plant(s);
    if (s->crew->tasks)
        wend_tasks_run(s->crew->tasks, tasks, try_problems, s);
    else
        for (uint32_t i = 0; i < tasks; i++) try_problems(s, i, 0);
    for (uint32_t i = 0; i < s->batch && s->count < s->most; i++)
        if (s->problems[i].start != WEND_NO_CELL) s->pairs[s->count++] = s->problems[i];
    s->tried += s->batch;
}

static wend_status reserve(spreading *s) {
    const wend_allocator *allocator = &s->draws->allocator;
    s->problem_room = s->most / 8 < LEAST_BATCH ? LEAST_BATCH : s->most / 8;
    s->entries = wend_allocate(allocator, (size_t)s->most + 1, sizeof *s->entries);
    s->ends = wend_allocate(allocator, (size_t)s->most + 1, sizeof *s->ends);
    s->problems = wend_allocate(allocator, s->problem_room, sizeof *s->problems);
    s->selects = wend_allocate_zeroed(allocator, s->crew->workers, sizeof *s->selects);
    if (!s->entries || !s->ends || !s->problems || !s->selects) return WEND_NO_MEMORY;
    s->knn = (wend_knn){.count = s->most, .ends = (const uint16_t(*)[WEND_KNN_AXES])s->ends};
    for (uint32_t i = 0; i < s->crew->workers; i++) {
        /* Made for all pairs, so that the tree may grow. */
        wend_status status = wend_knn_select_create(&s->selects[i], s->draws->map, &s->knn,
                                                    WEND_KNN_CANDIDATES, false, allocator);
        s->selects[i].climb = WEND_KNN_CLIMB;
        s->selects[i].goal_first = true;
        if (status != WEND_OK) return status;
    }
    return WEND_OK;
}

static void release(spreading *s) {
    const wend_allocator *allocator = &s->draws->allocator;
    s->knn.count = s->most;
    for (uint32_t i = 0; s->selects && i < s->crew->workers; i++)
        if (s->selects[i].query.knn) wend_knn_select_release(&s->selects[i], allocator);
    wend_release(allocator, s->selects, s->crew->workers, sizeof *s->selects);
    wend_release(allocator, s->problems, s->problem_room, sizeof *s->problems);
    wend_release(allocator, s->ends, (size_t)s->most + 1, sizeof *s->ends);
    wend_release(allocator, s->entries, (size_t)s->most + 1, sizeof *s->entries);
}

wend_status wend_knn_spread(wend_draws *draws, const wend_knn_crew *crew, wend_knn_pair *pairs,
                            uint32_t *count) {
    spreading s = {.draws = draws, .crew = crew, .most = draws->pairs, .pairs = pairs};
    uint64_t tries = (uint64_t)TRIES * s.most;
    wend_status status = s.most && draws->possible ? reserve(&s) : WEND_OK;
    if (status == WEND_OK && s.selects) {
        lay_out(&s, (s.most + 3) / 4, 0);
        while (s.count < s.most && s.tried < tries && status == WEND_OK) {
            try_batch(&s);
            if (crew->builder && !wend_builder_goes_on(crew->builder, "spreading", s.tried, tries))
                status = WEND_INTERRUPTED;
        }
        if (status == WEND_OK && s.count < s.most) lay_out(&s, s.most - s.count, 1);
    }
    if (s.most && draws->possible) release(&s);
    *count = s.count;
    return status;
}
