/* What all planners that learn a heuristic have in common: what becomes of it when the task, the goal or the
 * view changes, and when it proves that there is no path.
 *
 * A consistent h stays so when cells are closed. A cell that is opened makes new moves, all of them among the
 * nine cells around it: h is dropped only if it is not consistent over one of those. (An h that is admissible
 * but no more is dropped with the first cell that is opened.)
 *
 * Between two moves, an agent hears of so many changes and no more; the rest waits in its view.
 * While it is behind it looks ahead and learns as always, but proves nothing. If it hears of an opening after
 * that, what it has learnt in the meantime may be wrong anywhere. Then everything is dropped once it has
 * caught up.
 *
 * An admissible h above the cost of any shortest path on the map (wend_learnt_limit: the open cells less one,
 * times a straight move, or a diagonal one where corners are free) proves that there is no path. h of the
 * cells that an agent can reach grows without end while it walks among them, so it comes to that. On an open map
 * of n x n cells with a box around the goal this takes steps in proportion to n to the fourth. So on terrain that is
 * not known agents that doubt have the components of what they believe looked at (world/agent.c). */
#ifndef WEND_LRTA_LEARNER_H
#define WEND_LRTA_LEARNER_H

#include "plan/agent.h"
#include "search/learnt.h"

/* At the start of a learner's state. */
typedef struct wend_learner {
    wend_search *search; /* for its table, and lookaheads; first: tests look at it */
    bool consistent;     /* h is, not just admissible */
    bool all;            /* lookaheads try all moves, not only canonical ones; set before it is made */
    bool behind;         /* it has planned on changes of the view that it had not heard of */
    bool dirty;          /* and heard of an opening after that */
} wend_learner;

/* Makes the search and its table: room for options->max_cells cells (or all that may be open) and for
 * lookaheads of at most `lookahead` expansions. */
wend_status wend_learner_create(wend_agent *agent, const wend_agent_options *options, uint64_t lookahead,
                                wend_error *error);
/* A search of the agent's whose moves are shared: canonical ones or all. */
wend_status wend_learner_search(const wend_agent *agent, bool all, wend_search **search, wend_error *error);
void wend_learner_release(wend_agent *agent);

/* A task begins or goes on: h is kept as far as it holds. */
void wend_learner_begin(wend_agent *agent);
/* Before a lookahead: true if h had to be dropped, at WEND_LEARNT_SWEEP operations. */
bool wend_learner_drop_late(wend_agent *agent);
WEND_INLINE bool wend_learner_catch_up(wend_agent *agent) {
    wend_learner *learner = agent->state;
    learner->behind = agent->taken != agent->view->map->revision;
    return !learner->behind && learner->dirty && wend_learner_drop_late(agent);
}
/* A cell has been opened or closed: true if h had to be dropped. At most WEND_LEARNER_CHANGE operations. */
bool wend_learner_changed(wend_agent *agent, wend_cell cell, bool opened);
enum { WEND_LEARNER_CHANGE = WEND_LEARNT_AROUND + WEND_LEARNT_SWEEP };
/* Nothing is known of what has changed. */
void wend_learner_lost(wend_agent *agent);
/* Ends the task where an h of the agent's cell proves that there is no path; true if it does. */
bool wend_learner_has_proved(wend_agent *agent);
WEND_INLINE bool wend_learner_proves(wend_agent *agent, uint64_t h) {
    const wend_learner *learner = agent->state;
    return h > wend_learnt_limit(learner->search) && wend_learner_has_proved(agent);
}
/* As a planner's functions `value` and `watch`. */
wend_cost wend_learner_value(const wend_agent *agent, wend_cell cell);
void wend_learner_watch(wend_agent *agent);
/* Of what it knows, for comparing runs. */
uint64_t wend_learner_hash(const wend_agent *agent);

#endif
