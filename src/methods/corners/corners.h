/* The door of corners: whole shortest paths over the graph of corners, with a flag for each edge and tile. */
#ifndef WEND_CORNERS_CORNERS_H
#define WEND_CORNERS_CORNERS_H

#include "plan/agent.h"

extern const wend_db_kind wend_db_corner_flags;
extern const wend_planner wend_planner_corners;

#endif
