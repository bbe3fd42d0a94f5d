/* astar, jps, repeated-astar, adaptive-astar: see first.c. They differ in what their searches keep. */
#include "methods/astar/astar.h"

const wend_key_info wend_search_first_keys[1] = {WEND_FIRST_KEY};

const wend_planner wend_planner_astar = {
    .info = {"astar", "A*: searches a shortest path first, then moves along it", wend_search_first_keys, 1},
    .create = wend_first_create,
    WEND_FIRST_FUNCTIONS,
    .storage = WEND_STORAGE_PLAIN,
};

const wend_planner wend_planner_jps = {
    .info = {"jps", "jump-point search with tables made beforehand: the same lengths, fewer expansions",
             wend_search_first_keys, 1},
    .create = wend_first_create,
    WEND_FIRST_FUNCTIONS,
    .storage = WEND_STORAGE_JUMPS,
};

const wend_planner wend_planner_repeated_astar = {
    .info = {"repeated-astar", "A*, again whenever its path turns out to be blocked", wend_search_first_keys,
             1},
    .create = wend_first_create,
    WEND_FIRST_FUNCTIONS,
    .storage = WEND_STORAGE_PLAIN,
};

const wend_planner wend_planner_adaptive_astar = {
    .info = {"adaptive-astar", "Adaptive A*: the same, with what earlier searches have taught it",
             wend_search_first_keys, 1},
    .create = wend_first_create,
    WEND_FIRST_FUNCTIONS,
    .storage = WEND_STORAGE_ADAPTIVE,
};
