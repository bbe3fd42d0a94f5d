/* The inside of a scenario, shared by what keeps it and what reads and writes it. */
#ifndef WEND_GRID_SCENARIO_H
#define WEND_GRID_SCENARIO_H

#include <wend/scenario.h>

#define WEND_MAP_NAME_SIZE 256

/* A path visits a cell at most once, so no length on a map comes near this. */
#define WEND_MAX_LENGTH 1e10

struct wend_scenario {
    wend_allocator allocator;
    char map_name[WEND_MAP_NAME_SIZE]; /* "" while unknown: a file without problems names no map */
    int32_t width, height;             /* of the map; 0 where unknown: files of version 0 do not say */
    wend_problem *problems;
    size_t count, capacity;
};

/* An empty scenario about which nothing is known yet; NULL without memory. */
wend_scenario *wend_scenario_allocate(const wend_allocator *allocator);

/* Keeps a name without blanks around it, cut to what fits. False if nothing is left, or if it holds control
 * characters, which no file of this format could carry. */
bool wend_scenario_set_name(wend_scenario *scenario, const char *name, size_t length);

/* Whether it can be written in this version; WEND_STATUS_BAD_ARGUMENT with words. */
wend_status wend_scenario_check_writable(const wend_scenario *scenario, int version, wend_error *error);

/* Room for one more problem; false without memory. */
bool wend_scenario_reserve(wend_scenario *scenario);

#endif
