/* The inside of a world. */
#ifndef WEND_WORLD_WORLD_H
#define WEND_WORLD_WORLD_H

#include "plan/agent.h"

struct wend_world {
    wend_ground ground;
    uint32_t agents;
};

#endif
