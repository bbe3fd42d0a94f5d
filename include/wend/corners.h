/// @file
/// Whole shortest paths with a database of kind `corners`: jump-point search that leaves out what is of no use
/// for its goal.
#ifndef WEND_CORNERS_H
#define WEND_CORNERS_H

#include "db.h"
#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

/// As wend_search_jps, with the same costs, in a fraction of its time. wend_search_moves and wend_search_path
/// give the path. WEND_STATUS_OTHER_MAP or WEND_STATUS_STALE if the database or the tables are not of the
/// search's map as it is.
/// @param db  Of kind `corners`.
WEND_API wend_status wend_corners_find(const wend_db *db, wend_search *search, const wend_jumps *jumps,
                                       wend_cell start, wend_cell goal, wend_result *result,
                                       wend_error *error);

#ifdef __cplusplus
}
#endif
#endif
