/* The door of dlrta: regions of the map, and a subgoal for each two of them. */
#ifndef WEND_DLRTA_DLRTA_H
#define WEND_DLRTA_DLRTA_H

#include "plan/agent.h"

extern const wend_planner wend_planner_dlrta;
extern const wend_db_kind wend_db_dlrta;

#endif
