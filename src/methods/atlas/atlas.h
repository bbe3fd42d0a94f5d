/* The door of atlas: representatives of all cells, and exact paths between them. */
#ifndef WEND_ATLAS_ATLAS_H
#define WEND_ATLAS_ATLAS_H

#include "plan/agent.h"

extern const wend_planner wend_planner_atlas;
extern const wend_db_kind wend_db_atlas;

/* Cells at which a shortest path may have to turn: those that build/corners.h calls so. */
uint32_t wend_atlas_count_corners(const wend_map *map);

#endif
