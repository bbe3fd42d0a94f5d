/* The door of knn2009: a base of cases with a subgoal each. */
#ifndef WEND_KNN2009_KNN2009_H
#define WEND_KNN2009_KNN2009_H

#include "plan/agent.h"

extern const wend_planner wend_planner_knn2009;
extern const wend_db_kind wend_db_knn2009;

#endif
