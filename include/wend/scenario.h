/* MovingAI scenarios: problems on a map, in order. */
#ifndef WEND_SCENARIO_H
#define WEND_SCENARIO_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_problem {
    uint32_t bucket; /* length / 4, as the benchmarks have it */
    wend_xy start, goal;
    double length; /* as the file states it; negative where it is not stated */
} wend_problem;

typedef struct wend_scenario wend_scenario;

/* An empty scenario for a map of this name (kept, cut at 255 bytes) and size. `allocator` may be NULL. */
WEND_API wend_status wend_scenario_create(const char *map_name, int32_t width, int32_t height,
                                          const wend_allocator *allocator, wend_scenario **scenario,
                                          wend_error *error);
WEND_API void wend_scenario_destroy(wend_scenario *scenario);
WEND_API wend_status wend_scenario_add(wend_scenario *scenario, const wend_problem *problem,
                                       wend_error *error);
WEND_API size_t wend_scenario_count(const wend_scenario *scenario);
WEND_API const wend_problem *wend_scenario_at(const wend_scenario *scenario, size_t index);
WEND_API const char *wend_scenario_map_name(const wend_scenario *scenario); /* as the file has it */

/* Version 0 (no sizes) and 1. `map`, if given, is what the sizes and cells are checked against:
 * WEND_STATUS_OTHER_MAP for another size, WEND_STATUS_OUTSIDE for a cell that is not on it. Blocked starts
 * and goals are the planner's to refuse. */
WEND_API wend_status wend_scenario_parse(const void *data, size_t size, const wend_map *map,
                                         const wend_allocator *allocator, wend_scenario **scenario,
                                         wend_error *error);
WEND_API wend_status wend_scenario_load(const char *path, const wend_map *map,
                                        const wend_allocator *allocator, wend_scenario **scenario,
                                        wend_error *error);
/* `version` 0 or 1. The size first, then the bytes. */
WEND_API size_t wend_scenario_written_size(const wend_scenario *scenario, int version);
WEND_API wend_status wend_scenario_write(const wend_scenario *scenario, int version, void *buffer,
                                         size_t size, wend_error *error);
WEND_API wend_status wend_scenario_save(const char *path, const wend_scenario *scenario, int version,
                                        wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
