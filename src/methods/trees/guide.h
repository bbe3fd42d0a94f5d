/* Subgoals on the way to an agent's goal, from the trees of a database or from one tree that was grown at run
 * time: lines 1 to 5 and 8 of algorithm 3 of Hernandez and Baier, "Fast subgoaling for pathfinding via
 * real-time search" (SoCS 2011), for whoever walks to them.
 *
 * Readings and departures:
 * - Line 1's sweep over all cells is not needed: trees are looked up, not copied.
 * - Line 5, the first goal, as printed the node that seems nearest: the database has the subgoals of the
 *   cells around the start (its tile), among them the start's own. Of several, the one on a shortest path to
 *   the goal: the tree's way from each is known exactly, and whether it can be reached without a detour is
 *   found out (methods/trees/beeline.h). The goal itself is a candidate too. All that is spread over steps of
 *   at most WEND_GUIDE_CHOICE operations. A tree knows the subgoal of every cell.
 * - Line 8 takes the next goal at any node that is passed, which may lead back. Here it is taken where the
 * last one is reached. So the true distance left of each is smaller than that of the one before, and there
 * are no more than nodes. A forged file may lead round all the same: after as many subgoals as there are
 * nodes, the goal is the only target.
 * - On a map that changes subgoals are given up as pursuit.h says, and the first one is chosen again, from
 *   where the agent is then. A tree that was grown at run time needs a map that stays as it is. */
#ifndef WEND_TREES_GUIDE_H
#define WEND_TREES_GUIDE_H

#include "methods/lrta/lrta.h"
#include "methods/trees/beeline.h"
#include "methods/trees/layout.h"

enum {
    WEND_GUIDE_CHOICE = 2048, /* operations between two moves: a few microseconds */
    WEND_GUIDE_CANDIDATES = WEND_TREES_TILE * WEND_TREES_TILE, /* a tile has no more */
    WEND_GUIDE_CHAIN = 64 /* nodes whose distance is kept while candidates are compared */
};

typedef struct wend_guide_candidate {
    uint32_t node;
    wend_cell cell;
    uint64_t far;  /* from the agent, without walls */
    uint64_t left; /* from there to the goal; UINT64_MAX if it does not lead there */
} wend_guide_candidate;

typedef enum wend_guide_stage {
    WEND_GUIDE_BEGIN,
    WEND_GUIDE_MEASURE, /* what is left from each candidate */
    WEND_GUIDE_TRY,     /* which can be reached without a detour */
    WEND_GUIDE_GO       /* there is a target */
} wend_guide_stage;

typedef struct wend_guide {
    const wend_trees *trees; /* one of the two, or neither */
    const wend_tree *tree;
    wend_guide_stage stage;
    wend_cell target; /* from WEND_GUIDE_GO on */
    uint32_t node;    /* of the target, in a database */
    uint32_t taken;   /* targets */
    uint64_t spent;   /* operations since the last move */
    wend_guide_candidate candidates[WEND_GUIDE_CANDIDATES];
    uint32_t count, which;
    /* What is left from the nodes of earlier candidates' chains, and behind those, how far the nodes of the
     * chain under way are from its candidate. */
    uint32_t chain[WEND_GUIDE_CHAIN];
    uint64_t left[WEND_GUIDE_CHAIN];
    uint32_t known, links;
    uint32_t walking, walked; /* the node that it has come to, and how many before */
    wend_cell last;           /* the one before */
    uint64_t so_far;          /* from the candidate to `last` */
    wend_beeline line;        /* to a candidate, or from where the target was taken to the target */
    wend_beeline_state lined;
    wend_pursuit pursuit;          /* of the target, as far as its owner reports moves */
    wend_cell refused, refused_at; /* the target that was given up last, and where */
    bool hopeless;                 /* there is to be no target but the goal */
} wend_guide;

/* Whether the options have trees for the agent, and these are its own: sets guide->trees or guide->tree. */
wend_status wend_guide_create(wend_guide *guide, const wend_agent *agent, const wend_agent_options *options,
                              wend_error *error);
/* A task begins or goes on: then with the operations that are left until the next move. O(1). */
void wend_guide_begin(wend_guide *guide, const wend_agent *agent);
/* Before a move: true if guide->target is where to go now, and not where the agent stands; false: wait.
 * Counts at most wend_guide_bound() operations until wend_guide_moved. */
bool wend_guide_aim(wend_guide *guide, wend_agent *agent);
WEND_INLINE void wend_guide_moved(wend_guide *guide) {
    guide->spent = 0;
}
/* Whether the agent is on its way to a target, and how was found out: wend_guide_aim and wend_guide_line
 * would tell nothing new. */
WEND_INLINE bool wend_guide_is_under_way(const wend_guide *guide, wend_cell at) {
    return guide->stage == WEND_GUIDE_GO && guide->target != at && guide->lined != WEND_BEELINE_MORE;
}
/* Where it leads to now; WEND_NO_CELL: not known yet. */
WEND_INLINE wend_cell wend_guide_target(const wend_guide *guide) {
    return guide->stage == WEND_GUIDE_GO ? guide->target : WEND_NO_CELL;
}
uint64_t wend_guide_bound(void);
/* The way to the target, once wend_guide_aim was true and within the same operations: MORE: wait. FOUND:
 * wend_beeline_move goes there. */
wend_beeline_state wend_guide_line(wend_guide *guide, wend_agent *agent);
/* The target can't be reached, or is to be given up: another choice, or the goal from now on. */
void wend_guide_give_up(wend_guide *guide, const wend_agent *agent);
/* The owner learns on its way to the target; and: it moves, perhaps for the last time towards this one. */
void wend_guide_learns(wend_guide *guide, const wend_agent *agent);
void wend_guide_walks(wend_guide *guide, const wend_agent *agent, uint32_t direction);
/* Cells of the view have been closed. True: the target is one of them, and was given up. */
bool wend_guide_changed(wend_guide *guide, const wend_agent *agent);
uint64_t wend_guide_hash(const wend_guide *guide);

#endif
