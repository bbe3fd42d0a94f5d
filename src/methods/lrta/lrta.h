/* The door of lrta: planners that learn a heuristic, and the parts of theirs that planners with subgoals are
 * made of. */
#ifndef WEND_LRTA_LRTA_H
#define WEND_LRTA_LRTA_H

#include "methods/lrta/seek.h"
#include "methods/lrta/values.h"

extern const wend_planner wend_planner_lrta, wend_planner_lss_lrta, wend_planner_rtaa, wend_planner_dartaa;

#endif
