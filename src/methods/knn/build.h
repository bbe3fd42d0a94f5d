/* Building a case base: the parts of its kind that knn.c puts into the table. */
#ifndef WEND_KNN_BUILD_H
#define WEND_KNN_BUILD_H

#include "methods/knn/cover.h"
#include "methods/knn/path.h"
#include "methods/knn/spread.h"

/* What the settings of a database say. */
typedef struct wend_knn_plan {
    uint32_t records;
    bool even, fragments;
    wend_compress compress;
} wend_knn_plan;

wend_knn_plan wend_knn_plan_of(const wend_settings *settings);

/* What records are made with: the draws, the tables, and for each worker a search. */
typedef struct wend_knn_works {
    wend_knn_plan plan;
    wend_allocator allocator;
    uint32_t workers;
    wend_draws draws;
    wend_knn_spread spread; /* even: the pairs; otherwise they are drawn when needed */
    wend_jumps *jumps;
    wend_knn_paths *paths; /* one a worker */
} wend_knn_works;

/* Even pairs are still to be spread. WEND_STATUS_NO_MEMORY, with words. */
wend_status wend_knn_works_create(const wend_map *map, const wend_settings *settings, uint64_t seed,
                                  const wend_tasks *tasks, uint32_t workers, const wend_allocator *allocator,
                                  wend_knn_works **works, wend_error *error);
void wend_knn_works_release(wend_knn_works *works);
/* The ends of record n; false: there is no such record. */
bool wend_knn_works_pair(const wend_knn_works *works, uint32_t n, wend_cell *start, wend_cell *goal);

wend_status wend_knn_prepare(wend_builder *builder, wend_error *error);
wend_status wend_knn_job(wend_builder *builder, uint32_t job, uint32_t worker, wend_buffer *result);
wend_status wend_knn_ahead(wend_builder *builder, uint32_t job, const wend_buffer *result);
wend_status wend_knn_finish(wend_builder *builder, const wend_buffer *results, wend_error *error);
void wend_knn_release(wend_builder *builder);

#endif
