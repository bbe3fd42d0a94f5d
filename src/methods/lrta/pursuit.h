/* Subgoals on a map that is no longer the one that their database is of.
 *
 * A database knows nothing of walls that were built or seen since. So on a view that changes a subgoal is
 * good for a while only. It is given up when it is closed or proves unreachable. So it is when the agent has
 * walked WEND_PURSUIT_QUOTA times the distance that it was away (and WEND_PURSUIT_MORE straight moves) while
 * it learnt. Then the planner looks into its database again, from where the agent has come to. After
 * WEND_PURSUIT_MOST subgoals that were given up there is no other target than the goal, for the rest of the
 * task: what leads there without subgoals is complete, so the planner is. On a view that stays as it is
 * nothing is ever given up. */
#ifndef WEND_LRTA_PURSUIT_H
#define WEND_LRTA_PURSUIT_H

#include "base/random.h"
#include "plan/agent.h"

enum { WEND_PURSUIT_QUOTA = 3, WEND_PURSUIT_MORE = 32, WEND_PURSUIT_MOST = 64 };

typedef struct wend_pursuit {
    uint64_t left;     /* what may still be walked to the target; UINT64_MAX: as far as it takes */
    uint32_t given_up; /* subgoals of this task */
} wend_pursuit;

/* A task begins or goes on. */
WEND_INLINE void wend_pursuit_begin(wend_pursuit *pursuit) {
    *pursuit = (wend_pursuit){.left = UINT64_MAX};
}

/* The agent sets out for a target. */
WEND_INLINE void wend_pursuit_of(wend_pursuit *pursuit, const wend_agent *agent, wend_cell target) {
    const wend_map *map = agent->view->map;
    pursuit->left = UINT64_MAX;
    if (agent->view->changes && target != agent->goal)
        pursuit->left = WEND_PURSUIT_QUOTA * wend_map_distance(map, agent->at, target) +
                        WEND_PURSUIT_MORE * (uint64_t)map->cost[0];
}

/* It makes a move: true if that is the last towards this target. */
WEND_INLINE bool wend_pursuit_ends(wend_pursuit *pursuit, uint64_t cost) {
    if (pursuit->left == UINT64_MAX) return false;
    pursuit->left = pursuit->left > cost ? pursuit->left - cost : 0;
    return !pursuit->left;
}

/* The target is given up: false if there are to be no others but the goal. */
WEND_INLINE bool wend_pursuit_give_up(wend_pursuit *pursuit, const wend_agent *agent) {
    pursuit->left = UINT64_MAX;
    return agent->view->changes && ++pursuit->given_up < WEND_PURSUIT_MOST;
}

/* Whether a cell may be a subgoal: open as far as is known, and not known to be out of reach. */
WEND_INLINE bool wend_pursuit_may_reach(const wend_agent *agent, wend_cell cell) {
    const wend_view *view = agent->view;
    const wend_components *components = wend_view_components(view);
    if (components) return wend_components_joined(components, agent->at, cell);
    return wend_map_is_open_cell(view->map, cell);
}

/* 0 while nothing was given up or is going to be. */
WEND_INLINE uint64_t wend_pursuit_hash(const wend_pursuit *pursuit) {
    bool idle = pursuit->left == UINT64_MAX && !pursuit->given_up;
    return idle ? 0 : wend_mix(pursuit->left ^ (uint64_t)pursuit->given_up << 56);
}

#endif
