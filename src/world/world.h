/* The inside of a world. */
#ifndef WEND_WORLD_WORLD_H
#define WEND_WORLD_WORLD_H

#include "plan/agent.h"
#include "world/goals/nearest.h"

struct wend_world {
    wend_ground ground;
    wend_allowance allowance;
    wend_toucher toucher;
    wend_map *edited; /* the copy that edits go to; NULL: not editable */
    wend_components *components;
    struct wend_trial *trial; /* see goals/reach.h; NULL until it is needed */
};

struct wend_knowledge {
    wend_view view;
    wend_map *map;               /* view.map, to be changed */
    const wend_map *believed;    /* at first; NULL: all open */
    uint8_t *seen;               /* one bit per cell, in rows as the map's */
    wend_components *components; /* of `map`, for agents that doubt; NULL: there is none */
    uint32_t radius;
    uint64_t changes;
    wend_allocator allocator;
    wend_ground *ground;
};

/* An agent that borrows from another ground than the world's own, whose view is the world's. */
wend_status wend_agent_create_on(wend_world *world, wend_ground *ground, const wend_settings *planner,
                                 const wend_agent_options *options, wend_agent **agent, wend_error *error);

/* Workspaces of this kind, and what their searches look up: the world's, so that all grounds share it. */
wend_status wend_world_prepare(wend_world *world, wend_ground *ground, wend_storage storage,
                               wend_error *error);

/* As wend_planner's `known` and `skip`: moves that an agent is going to make whatever comes, arrival not
 * among them, and the offset of each; and that so many were made, the last to cell `at`. */
uint32_t wend_agent_known(const wend_agent *agent, int32_t *offset);
void wend_agent_skip(wend_agent *agent, uint32_t moves, wend_cell at);

/* goals/want.c: what an agent with a goal rule was asked for. */
typedef struct wend_want {
    wend_goal_rule rule;
    wend_cell cell;    /* the goal that it was given; agent->goal is where it goes */
    bool standing;     /* it goes nowhere: agent->goal is where it stands */
    bool seeking;      /* `nearest` is under way */
    bool sought;       /* and has had its slice since the last move */
    uint64_t revision; /* of the map when that began */
    wend_nearest nearest;
} wend_want;

wend_status wend_want_create(wend_agent *agent, wend_goal_rule rule, wend_error *error);
void wend_want_release(wend_agent *agent);
/* Whether the agent may be given this goal. */
wend_status wend_want_check(const wend_agent *agent, wend_cell goal, wend_error *error);
/* Sets agent->goal, for a task that is about to begin or to go on, perhaps from elsewhere. */
void wend_want_aim(wend_agent *agent, wend_cell goal, bool elsewhere);
/* Before a plan or a move: chooses where to go. False: nowhere, the agent stands and waits. */
bool wend_want_go(wend_agent *agent);
/* A task goes on from agent->at to agent->goal. */
void wend_agent_begin(wend_agent *agent);

/* Brings what is believed of the cells within the sensor's reach up to date; the number of operations: one
 * for each 32 cells of a row and one for each cell of which something else was believed. */
uint64_t wend_knowledge_look(wend_knowledge *knowledge, wend_cell at);
/* The most that a look can take, and can change. */
uint64_t wend_knowledge_look_bound(const wend_knowledge *knowledge);
uint32_t wend_knowledge_reach(const wend_knowledge *knowledge); /* cells within the sensor's reach */

#endif
