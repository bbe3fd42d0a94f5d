/* What the planners that look ahead and learn (rtaa, dartaa, lss-lrta) have in common: an A* of at most k
 * expansions from where the agent stands, with the learnt heuristic, before each move.
 *
 * Their h is consistent at any time. So when the goal moves from t to t', max(H(x, t'), h(x) - h(t')) is kept
 * of it, as Adaptive A* does, whatever it was learnt for: see search/learnt.h. */
#ifndef WEND_PLAN_LOOKAHEAD_H
#define WEND_PLAN_LOOKAHEAD_H

#include "plan/agent.h"
#include "search/learnt.h"

typedef struct wend_lookahead {
    wend_search *search;
    bool under_way; /* a lookahead from agent->at has begun */
    bool
        over; /* and can't go on: the goal is about to be expanded, or nothing is left, or there is no room */
    wend_ended ended;
    uint64_t expanded; /* in it */
} wend_lookahead;

/* Operations of a lookahead beyond those of its expansions: numbers for it and, where everything is forgotten
 * first, for that; nodes that were not expanded. */
enum { WEND_LOOKAHEAD_ANEW = 2 * WEND_LEARNT_SWEEP + 2 };

wend_status wend_lookahead_create(wend_agent *agent, const wend_settings *settings,
                                  const wend_agent_options *options, wend_error *error);
void wend_lookahead_release(wend_agent *agent);
void wend_lookahead_begin(wend_agent *agent);
bool wend_lookahead_plan(wend_agent *agent, uint64_t expansions);
bool wend_lookahead_visit(wend_agent *agent);
size_t wend_lookahead_used(const wend_agent *agent);
uint64_t wend_lookahead_hash(const wend_agent *agent);

/* Ends the lookahead for a move: the cell about to be expanded; false where the task has ended for want of a
 * path or of memory, or nothing was planned. */
bool wend_lookahead_close(wend_agent *agent, wend_ahead *first);
/* Adds what the search has counted since `operations` to the agent's counters, and what was learnt. */
void wend_lookahead_count(wend_agent *agent, uint64_t operations);

/* The one key of these planners. */
extern const wend_key_info wend_lookahead_keys[1];

#endif
