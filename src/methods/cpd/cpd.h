/* The door of cpd: compressed path databases, in three kinds, and what a build of one would take. */
#ifndef WEND_CPD_CPD_H
#define WEND_CPD_CPD_H

#include "methods/cpd/build/estimate.h"
#include "plan/agent.h"

extern const wend_planner wend_planner_cpd, wend_planner_upd, wend_planner_quadtree;
extern const wend_db_kind wend_db_cpd, wend_db_upd, wend_db_quadtree;

/* Maps with so many open cells or more have none. */
#define WEND_CPD_MOST_CELLS ((UINT32_C(1) << 24) - 1)

#endif
