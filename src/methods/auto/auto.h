/* The door of auto: the kind that chooses another, and the planner that goes with any database. */
#ifndef WEND_AUTO_AUTO_H
#define WEND_AUTO_AUTO_H

#include "plan/agent.h"

extern const wend_planner wend_planner_auto;
extern const wend_db_kind wend_db_auto;

#endif
