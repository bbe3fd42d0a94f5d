/* Which shortcuts have to take the place of a node that is taken out of a graph: none for two of its
 * neighbours if there is a witness: a way between them past the node that costs no more than the way over it.
 *
 * Witnesses of at most two arcs are found by looking at the arcs of both neighbours. The rest is left to a
 * search from each neighbour (Dijkstra's). It goes only where one of those that are wanted might be reached
 * in time even without walls. The nodes that it settles are limited, more so when a node is weighed than when
 * it is taken out. So some shortcuts are not needed. None is wrong. */
#ifndef WEND_ATLAS_HIERARCHY_WITNESS_H
#define WEND_ATLAS_HIERARCHY_WITNESS_H

#include "methods/atlas/hierarchy/rest.h"

/* A neighbour that a witness is wanted for. */
typedef struct wend_atlas_wanted {
    uint64_t bound; /* what that may cost */
    uint32_t node;
    wend_xy place;
} wend_atlas_wanted;

/* What a search knows of a node. */
typedef struct wend_atlas_seen {
    uint64_t cost;   /* of the way there */
    uint64_t most;   /* with a higher cost, none of the wanted can be reached in time */
    uint32_t search; /* in which search that was so */
    uint32_t wanted; /* in which search it is one of the wanted */
} wend_atlas_seen;

typedef struct wend_atlas_queued {
    uint64_t cost;
    uint32_t node;
} wend_atlas_queued;

typedef enum wend_atlas_seeking {
    WEND_ATLAS_IDLE,
    WEND_ATLAS_FROM, /* the next neighbour, with all behind it: */
    WEND_ATLAS_NEAR, /* witnesses of one or two arcs, */
    WEND_ATLAS_FAR   /* and of more */
} wend_atlas_seeking;

/* What a worker needs. */
typedef struct wend_atlas_seeker {
    const wend_atlas_rest *rest;
    wend_allocator allocator;
    uint32_t needed;       /* shortcuts, of the node that was looked at last */
    wend_atlas_seen *seen; /* by node */
    uint32_t searches;
    wend_atlas_wanted *wanted;
    size_t wanted_capacity;
    uint32_t wanted_count;
    wend_atlas_queued *queue; /* a heap */
    size_t queue_count, queue_capacity;
    /* Where it has come to: the number of the neighbour that witnesses are sought from, and of the next one
     * that they are to lead to. */
    wend_atlas_seeking stage;
    uint32_t first, next;
    /* And in a search: the largest bound, nodes settled, and the one that is being settled, if there is one,
     * with the next of its arcs. */
    uint64_t most;
    int settled;
    bool settling;
    wend_atlas_queued at;
    uint32_t arc;
} wend_atlas_seeker;

/* False: no memory. Release it in any case. */
bool wend_atlas_seeker_create(wend_atlas_seeker *seeker, const wend_atlas_rest *rest);
void wend_atlas_seeker_release(wend_atlas_seeker *seeker);

/* Counts the shortcuts that a node needs, in seeker->needed: about, if `shortcuts` is NULL. Otherwise adds
 * them there, a wend_atlas_shortcut each. Ways over chosen nodes that are taken out before it are no
 * witnesses. WEND_STATUS_INTERRUPTED: *used came to `operations` first (and may have gone over them by what a
 * node has arcs). The next call, for the same node in the same graph, continues. WEND_STATUS_NO_MEMORY. */
wend_status wend_atlas_replace(wend_atlas_seeker *seeker, uint32_t node, wend_buffer *shortcuts,
                               uint64_t operations, uint64_t *used);

#endif
