/* What would be reached if an area were closed. */
#ifndef WEND_WORLD_GOALS_REACH_H
#define WEND_WORLD_GOALS_REACH_H

#include "grid/components.h"
#include <wend/goals.h>

/* What would be if an area were closed: a copy of the map with components of its own. */
typedef struct wend_trial wend_trial;
void wend_trial_destroy(wend_trial *trial);
size_t wend_trial_bytes(const wend_trial *trial);

#endif
