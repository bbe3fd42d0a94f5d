/* Which shortcuts have to take the place of a node that is taken out of a graph: for two of its neighbours
 * none, if there is a witness, a way between them past the node that costs no more than the way over it.
 *
 * Witnesses of at most two arcs are found by looking at the arcs of both neighbours. The rest is left to a
 * search from each neighbour (Dijkstra's), which goes only where one of those that are wanted might be
 * reached in time even without walls, and is limited by the nodes that it settles, more so when a node is
 * weighed than when it is taken out: so some shortcuts are not needed. None is wrong. */
#ifndef WEND_DB_ATLAS_WITNESS_H
#define WEND_DB_ATLAS_WITNESS_H

#include "db/atlas_rest.h"

/* A neighbour that a witness is wanted for. */
typedef struct wend_atlas_wanted {
    uint64_t bound; /* what that may cost */
    uint32_t node;
    wend_xy place;
} wend_atlas_wanted;

/* What a search knows of a node. */
typedef struct wend_atlas_seen {
    uint64_t cost;   /* of the way there */
    uint64_t most;   /* with a dearer one, none of the wanted can be reached in time */
    uint32_t search; /* in which search that was so */
    uint32_t wanted; /* in which search it is one of the wanted */
} wend_atlas_seen;

typedef struct wend_atlas_queued {
    uint64_t cost;
    uint32_t node;
} wend_atlas_queued;

/* What a worker needs. */
typedef struct wend_atlas_seeker {
    const wend_atlas_rest *rest;
    wend_allocator allocator;
    wend_atlas_seen *seen; /* by node */
    uint32_t searches;
    wend_atlas_wanted *wanted;
    size_t wanted_capacity;
    uint32_t wanted_count;
    wend_atlas_queued *queue; /* a heap */
    size_t queue_count, queue_capacity;
} wend_atlas_seeker;

/* False: no memory. Release it in any case. */
bool wend_atlas_seeker_create(wend_atlas_seeker *seeker, const wend_atlas_rest *rest);
void wend_atlas_seeker_release(wend_atlas_seeker *seeker);

/* About how many shortcuts a node would need. False: no memory. */
bool wend_atlas_weigh(wend_atlas_seeker *seeker, uint32_t node, uint32_t *needed);
/* Adds the shortcuts that a chosen node needs, a wend_atlas_shortcut each. Ways over nodes that are taken out
 * before it are no witnesses. False: no memory. */
bool wend_atlas_replace(wend_atlas_seeker *seeker, uint32_t node, wend_buffer *shortcuts);

#endif
