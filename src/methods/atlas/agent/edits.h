/* What an agent with an atlas does where the map has changed since the atlas was built. docs/notes/atlas.md,
 * 'Edits', describes it as a whole.
 *
 * Three ways, each for where the one before does not do:
 * - a part of its way is blocked: a search over cells, of 8,192 expansions at most, leads to a subgoal
 *   behind;
 * - that fails: the edges in between count as cut, and the way is sought again over the edges that do not;
 * - there is none, or it failed once too often: a search over all cells leads to the goal, or proves that
 *   there is no path. While it searches the agent stands; what it finds it follows to its end. Nothing is
 *   learnt, so nothing is walked over and over. */
#ifndef WEND_ATLAS_AGENT_EDITS_H
#define WEND_ATLAS_AGENT_EDITS_H

#include "methods/atlas/agent/agent.h"
#include "methods/atlas/agent/net.h"
#include "methods/atlas/repair/repair.h"

typedef enum wend_atlas_course {
    WEND_ATLAS_ON_WAY, /* it climbs */
    WEND_ATLAS_AROUND, /* a search over cells leads to `target` */
    WEND_ATLAS_WHOLE,  /* or to the goal */
    WEND_ATLAS_CUT,    /* edges are to be marked as cut, */
    WEND_ATLAS_FROM,   /* the ends of a new way sought, */
    WEND_ATLAS_TO,     /* */
    WEND_ATLAS_NET,    /* the way, */
    WEND_ATLAS_TRACE   /* and what it is */
} wend_atlas_course;

/* A block of its own for each agent in a world that can be edited. */
typedef struct wend_atlas_detour {
    wend_atlas_net *net;             /* of the atlas as the file has it */
    const wend_atlas_repair *repair; /* that brings it up to date, or NULL */
    uint64_t generation;             /* of that, which the agent's numbers are of */
    wend_atlas_book *book;           /* borrowed with the agent's query, once edges have been cut; or NULL */
    wend_trace trace;
    uint32_t expanded, most; /* in the search to `target`: so far, and before it is given up */
    uint8_t course;
    bool found, traced, cut; /* the search over cells: it has, its path can be followed; that is blocked */
    bool doubt;              /* a cell was closed near the climb under way */
    uint8_t first;           /* of `reps`: the edges from there to the agent's `next` lead to `target` */
    uint8_t rounds;          /* ways sought again since a cell was opened */
    uint8_t hasty;           /* repairs that were complete in a row, each soon after the one before */
    uint64_t begun;          /* the steps of the task when the last one was */
} wend_atlas_detour;

/* Memory for an agent whose view changes: nothing for others. */
wend_status wend_atlas_detour_create(wend_agent *agent, wend_atlas_agent *state,
                                     const wend_agent_options *options, wend_error *error);
/* Queries for an atlas, or for all that a repair of it may come to have. NULL: no memory. */
wend_atlas_pool *wend_atlas_detour_pool(wend_agent *agent, const wend_atlas *atlas,
                                        const wend_agent_options *options);
void wend_atlas_detour_release(wend_agent *agent, wend_atlas_agent *state);
void wend_atlas_detour_begin(wend_agent *agent, wend_atlas_agent *state); /* a task begins or goes on */
void wend_atlas_detour_changed(wend_agent *agent, wend_cell cell, bool opened);
void wend_atlas_detour_lost(wend_agent *agent);

/* Whether a repair has been completed since the agent last began: nothing that it knows by number holds. */
WEND_INLINE bool wend_atlas_is_behind(const wend_atlas_agent *state) {
    return state->detour && state->detour->repair &&
           state->detour->generation != wend_repair_generation(&state->detour->repair->common);
}
/* From now on, by what the repair has completed. For an agent that begins. */
void wend_atlas_detour_follow(wend_atlas_agent *state);

/* Whether the agent is on another course than its way. */
WEND_INLINE bool wend_atlas_is_off_way(const wend_atlas_agent *state) {
    return state->detour && state->detour->course != WEND_ATLAS_ON_WAY;
}

/* The climb to state->target is blocked, which the edges from number `first` of the way on lead to. */
void wend_atlas_detour_around(wend_agent *agent, wend_atlas_agent *state, uint32_t first);
/* The atlas has no way: over all cells. */
void wend_atlas_detour_whole(wend_agent *agent, wend_atlas_agent *state);
/* Ends that can't be climbed to or from, where there are no others: they may be near all the same. */
void wend_atlas_detour_guess(wend_atlas_query *query, uint32_t side);

/* Goes on off the way, for at most `operations`; false: there is no more to do before the next move. */
bool wend_atlas_detour_run(wend_agent *agent, wend_atlas_agent *state, uint64_t operations);
uint32_t wend_atlas_detour_move(wend_agent *agent, wend_atlas_agent *state);
/* Whether the agent's way was sought again; then more of it, as much as there is room for. */
WEND_INLINE bool wend_atlas_is_renewed(const wend_atlas_agent *state) {
    return state->detour && state->detour->book;
}
void wend_atlas_detour_refill(wend_agent *agent, wend_atlas_agent *state);
uint64_t wend_atlas_detour_hash(const wend_agent *agent, const wend_atlas_agent *state, uint64_t seed);

/* Besides `operations`, a run may take so many: outdated nodes of a search that is given up, and the arcs
 * that are looked up when edges are cut, each in its own slice. */
enum { WEND_ATLAS_DETOUR_OVER = WEND_ATLAS_OVER + 2 * WEND_DIRECTIONS };

#endif
