/* The door of astar: searches over the whole map. */
#ifndef WEND_ASTAR_ASTAR_H
#define WEND_ASTAR_ASTAR_H

#include "methods/astar/first.h"

extern const wend_planner wend_planner_astar, wend_planner_repeated_astar, wend_planner_adaptive_astar,
    wend_planner_dstar_lite, wend_planner_jps;

#endif
