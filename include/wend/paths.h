/// @file
/// Many paths in one call, over threads.
#ifndef WEND_PATHS_H
#define WEND_PATHS_H

#include "db.h"
#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Options of wend_paths_create(). NULL in place of them means the defaults.
typedef struct wend_paths_options {
    /// Set by wend_default_paths_options().
    uint32_t struct_size;
    /// How the paths are spread over threads. Default: all on the caller's thread.
    wend_tasks tasks;
    /// Tables of the map, which must outlive the paths: the paths are those of wend_search_jps(). Default: NULL,
    /// none, and the paths are those of wend_search_find().
    const wend_jumps *jumps;
    /// Where memory comes from; from several threads at a time, if the tasks have them. Default: the C library.
    wend_allocator allocator;
} wend_paths_options;

/// Sets the defaults of the fields that lie within `size` bytes. For bindings.
WEND_API void wend_paths_options_init(wend_paths_options *options, size_t size);
/// The defaults.
static inline wend_paths_options wend_default_paths_options(void) {
    wend_paths_options options;
    wend_paths_options_init(&options, sizeof options);
    return options;
}

/// Room for the paths of a batch, and a search for each worker. Memory is taken when first needed and kept.
///
/// 1. wend_paths_create(map, ...)
/// 2. wend_paths_find(paths, count, starts, goals, results, ...), as often as needed.
/// 3. wend_paths_moves(paths, index, ...), for each path.
/// 4. wend_paths_destroy(paths)
typedef struct wend_paths wend_paths;

/// Makes room for paths.
/// @param map  Must outlive it. Edits between two batches are taken in.
/// @param options  NULL: the defaults.
WEND_API wend_status wend_paths_create(const wend_map *map, const wend_paths_options *options,
                                       wend_paths **paths, wend_error *error);
/// Frees it. NULL is fine.
WEND_API void wend_paths_destroy(wend_paths *paths);
/// Memory held, in bytes.
WEND_API size_t wend_paths_bytes(const wend_paths *paths);

/// Finds a path of least cost from each start to the goal of the same index. Results and moves are the same for
/// any number of workers. WEND_STATUS_OUTSIDE or WEND_STATUS_BLOCKED, before anything is searched, if one of the
/// cells is not open; the message says which.
/// @param results  Gets `count` of them.
WEND_API wend_status wend_paths_find(wend_paths *paths, size_t count, const wend_cell *starts,
                                     const wend_cell *goals, wend_result *results, wend_error *error);
/// The moves of a path of the last batch; they stay until the next. NULL if it has none.
/// @param count  Gets how many there are.
WEND_API const wend_direction *wend_paths_moves(const wend_paths *paths, size_t index, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
