/* The door of knn: a base of cases, each a path of subgoals. */
#ifndef WEND_KNN_KNN_H
#define WEND_KNN_KNN_H

#include "plan/agent.h"

extern const wend_planner wend_planner_knn;
extern const wend_db_kind wend_db_knn;

#endif
