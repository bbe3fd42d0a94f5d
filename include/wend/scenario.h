/// @file
/// MovingAI scenarios: problems on a map, in order.
#ifndef WEND_SCENARIO_H
#define WEND_SCENARIO_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// From where to where.
typedef struct wend_problem {
    /// Length / 4, as the benchmarks have it.
    uint32_t bucket;
    /// Where it begins.
    wend_xy start;
    /// Where it ends.
    wend_xy goal;
    /// Of an optimal path, in cells, as the file states it; negative where it is not stated.
    double length;
} wend_problem;

/// Problems on one map.
typedef struct wend_scenario wend_scenario;

/// Makes an empty scenario.
/// @param map_name  Kept, cut at 255 bytes.
/// @param width, height  Of the map.
/// @param allocator  NULL: the C library's.
WEND_API wend_status wend_scenario_create(const char *map_name, int32_t width, int32_t height,
                                          const wend_allocator *allocator, wend_scenario **scenario,
                                          wend_error *error);
/// Frees it. NULL is fine.
WEND_API void wend_scenario_destroy(wend_scenario *scenario);
/// Adds a problem behind the others.
WEND_API wend_status wend_scenario_add(wend_scenario *scenario, const wend_problem *problem,
                                       wend_error *error);
/// How many problems there are.
WEND_API size_t wend_scenario_count(const wend_scenario *scenario);
/// A problem, from 0; NULL beyond the last. Valid until the next one is added.
WEND_API const wend_problem *wend_scenario_at(const wend_scenario *scenario, size_t index);
/// The map's name, as the file has it.
WEND_API const char *wend_scenario_map_name(const wend_scenario *scenario);

/// Reads a scenario of version 0 (no sizes) or 1 from memory. Starts and goals may be blocked: planners refuse
/// those.
/// @param map  NULL, or what sizes and cells are checked against: WEND_STATUS_OTHER_MAP for another size,
///     WEND_STATUS_OUTSIDE for a cell that is not on it.
/// @param allocator  NULL: the C library's.
WEND_API wend_status wend_scenario_parse(const void *data, size_t size, const wend_map *map,
                                         const wend_allocator *allocator, wend_scenario **scenario,
                                         wend_error *error);
/// The same from a file.
WEND_API wend_status wend_scenario_load(const char *path, const wend_map *map,
                                        const wend_allocator *allocator, wend_scenario **scenario,
                                        wend_error *error);
/// The bytes that wend_scenario_write will write.
/// @param version  0 or 1.
WEND_API size_t wend_scenario_written_size(const wend_scenario *scenario, int version);
/// Writes a scenario into memory.
/// @param version  0 or 1.
/// @param size  Of the buffer, at least wend_scenario_written_size.
WEND_API wend_status wend_scenario_write(const wend_scenario *scenario, int version, void *buffer,
                                         size_t size, wend_error *error);
/// The same to a file, which is replaced in one go.
WEND_API wend_status wend_scenario_save(const char *path, const wend_scenario *scenario, int version,
                                        wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
