/* What the planners that look ahead and learn (rtaa, dartaa, lss-lrta) have in common: an A* of at most k
 * expansions from where the agent stands, with the learnt heuristic, before each move.
 *
 * Their h is consistent at any time. So when the goal moves from t to t', max(H(x, t'), h(x) - h(t')) is kept
 * of it, as Adaptive A* does, whatever it was learnt for: see search/learnt.h. How changes of the view are
 * taken in, and how they prove that there is no path, stands in learner.h; besides, a lookahead proves it
 * that has nothing left to expand. A lookahead under way is given up when a cell changes beside one that it
 * has touched. */
#ifndef WEND_LRTA_LOOKAHEAD_H
#define WEND_LRTA_LOOKAHEAD_H

#include "methods/lrta/learner.h"

typedef struct wend_lookahead {
    wend_learner learner; /* first */
    uint64_t revision;    /* of the view when it began */
    bool under_way;       /* a lookahead from agent->at has begun */
    bool over;   /* and can't go on: the goal is next to be expanded, or nothing or no room is left */
    bool astray; /* no path leads to the target, which is a subgoal */
    wend_ended ended;
    uint64_t expanded; /* in it */
} wend_lookahead;

/* Operations of a lookahead beyond those of its expansions: numbers for it and, where something is forgotten
 * first, for that; nodes that were not expanded. */
enum { WEND_LOOKAHEAD_ANEW = 3 * WEND_LEARNT_SWEEP + 2 };
/* Of a change: what learner.h says, whether it concerns the lookahead, and if so another one. */
enum { WEND_LOOKAHEAD_CHANGE = WEND_LEARNER_CHANGE + 9 + WEND_LOOKAHEAD_ANEW + WEND_DIRECTIONS };

wend_status wend_lookahead_create(wend_agent *agent, const wend_settings *settings,
                                  const wend_agent_options *options, wend_error *error);
void wend_lookahead_begin(wend_agent *agent);
bool wend_lookahead_plan(wend_agent *agent, uint64_t expansions);
bool wend_lookahead_visit(wend_agent *agent);
void wend_lookahead_changed(wend_agent *agent, wend_cell cell, bool opened);
void wend_lookahead_lost(wend_agent *agent);
/* Gives up a lookahead that is under way. */
void wend_lookahead_stop(wend_agent *agent);
size_t wend_lookahead_used(const wend_agent *agent, uint64_t *cells);
uint64_t wend_lookahead_hash(const wend_agent *agent);

/* Ends the lookahead for a move: the cell about to be expanded. False where the task has ended, without a
 * path or memory, or nothing was planned. False, too, where its target is not the goal and no path leads
 * there: then `astray` is set until this is called again. */
bool wend_lookahead_close(wend_agent *agent, wend_ahead *first);
/* Adds what the search has counted since `operations` to the agent's counters, and what was learnt. */
void wend_lookahead_count(wend_agent *agent, uint64_t operations);

/* The one key that all of these planners have, and the only one of some. */
#define WEND_LOOKAHEAD_KEY                                                                                   \
    {                                                                                                        \
        .name = "k", .kind = WEND_KEY_INTEGER, .min = 1, .max = 1e9, .standard = "20",                       \
        .help = "expansions of the lookahead before each move"                                               \
    }
extern const wend_key_info wend_lookahead_keys[1];

#endif
