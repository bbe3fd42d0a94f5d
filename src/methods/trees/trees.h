/* The door of trees: subgoals on the way to every goal, or to one, and a guide along them for whoever walks
 * there. */
#ifndef WEND_TREES_TREES_H
#define WEND_TREES_TREES_H

#include "methods/trees/guide.h"

extern const wend_planner wend_planner_subgoal_tree;
extern const wend_db_kind wend_db_subgoal_tree;

#endif
