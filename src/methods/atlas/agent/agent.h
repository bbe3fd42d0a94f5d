/* The state of an agent of the planner `atlas`; in a header for its tests. */
#ifndef WEND_ATLAS_AGENT_AGENT_H
#define WEND_ATLAS_AGENT_AGENT_H

#include "methods/atlas/agent/query.h"

enum {
    WEND_ATLAS_QUEUE = 12, /* representatives of the way that an agent keeps; twice as many in 16 bits */
    WEND_ATLAS_LOW = 8     /* it asks for more when fewer are left */
};

/* What an agent without its whole way is working out. */
typedef enum wend_atlas_stage {
    WEND_ATLAS_IDLE,
    WEND_ATLAS_DIRECT, /* whether the goal can be climbed to for the octile distance */
    WEND_ATLAS_STARTS, /* the representatives near the start, */
    WEND_ATLAS_GOALS,  /* and near the goal */
    WEND_ATLAS_SEARCH,
    WEND_ATLAS_WAY
} wend_atlas_stage;

/* What a move needs comes first. */
typedef struct wend_atlas_agent {
    const wend_atlas *atlas;
    wend_atlas_query *query;          /* borrowed, or NULL */
    struct wend_atlas_detour *detour; /* where the map can be edited: see edits.h; otherwise NULL */
    wend_cell target;                 /* that it climbs to; WEND_NO_CELL: none */
    uint32_t refuge;        /* a representative that it can climb to before it knows its way; or UINT32_MAX */
    uint8_t run, direction; /* so many moves of the climb are known, in this direction */
    uint16_t spent;         /* operations since the last move */
    uint8_t stage;
    bool scouted;                 /* a refuge has been sought while there was no query */
    bool again;                   /* the way is sought from the refuge, or from the last of `reps` */
    bool following;               /* `reps` is the way; otherwise it is not known yet */
    bool on_way;                  /* it stands on a bend or representative of the way, or on its way there */
    bool whole;                   /* `reps` leads to the goal's end */
    uint8_t room;                 /* in `reps`; WEND_ATLAS_QUEUE: they are wide */
    uint8_t count, next, bend;    /* of `reps`; the one it comes to next, and the next bend before that */
    uint32_t goal_rep, goal_cost; /* the goal's end, and the climb from there */
    uint64_t left;                /* from the last of `reps` to the goal */
    wend_atlas_pool *pool;
    /* The way: any two in a row are joined by an arc; those that come next, by an edge. */
    union {
        uint32_t wide[WEND_ATLAS_QUEUE];
        uint16_t narrow[2 * WEND_ATLAS_QUEUE];
    } reps;
} wend_atlas_agent;

WEND_INLINE uint32_t wend_atlas_rep_at(const wend_atlas_agent *state, uint32_t i) {
    return state->room == WEND_ATLAS_QUEUE ? state->reps.wide[i] : state->reps.narrow[i];
}

WEND_INLINE void wend_atlas_set_rep(wend_atlas_agent *state, uint32_t i, uint32_t rep) {
    if (state->room == WEND_ATLAS_QUEUE)
        state->reps.wide[i] = rep;
    else
        state->reps.narrow[i] = (uint16_t)rep;
}

#endif
