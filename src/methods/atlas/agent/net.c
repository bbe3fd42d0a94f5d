/* A* over the edges of an atlas (Hart, Nilsson and Raphael 1968), the distance without walls as its
 * heuristic. A record's cost is f; the heuristic of a node is the same whenever it is asked for, so that f
 * compares as g does. */
#include "methods/atlas/agent/net.h"

#include <string.h>

#define NONE UINT32_MAX

/* Nets and books ----------------------------------------------------------------------------------------- */

static void release_net(const wend_ground *ground, wend_attachment *attachment) {
    wend_atlas_net *net = (wend_atlas_net *)attachment;
    const wend_allocator *allocator = &ground->allocator;
    while (net->books) {
        wend_atlas_book *last = net->books;
        net->books = last->made;
        wend_release(allocator, last->cut, net->arcs, sizeof *last->cut);
        wend_release(allocator, last, 1, sizeof *last);
    }
    wend_release(allocator, net->first, (size_t)net->atlas->count + 1, sizeof *net->first);
    wend_release(allocator, net->down, net->edges, sizeof *net->down);
    wend_release(allocator, net, 1, sizeof *net);
}

static size_t each(const wend_atlas_net *net) {
    return sizeof *net->books + net->arcs * sizeof *net->books->cut;
}

static size_t net_bytes(const wend_ground *ground, const wend_attachment *attachment) {
    const wend_atlas_net *net = (const wend_atlas_net *)attachment;
    (void)ground;
    return sizeof *net + ((size_t)net->atlas->count + 1) * sizeof *net->first +
           net->edges * sizeof *net->down + net->count * each(net);
}

static const wend_attachment_kind nets = {release_net, net_bytes};

static bool add_book(wend_ground *ground, wend_atlas_net *net) {
    const wend_allocator *allocator = &ground->allocator;
    wend_atlas_book *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    if (made && net->arcs) made->cut = wend_allocate_zeroed(allocator, net->arcs, sizeof *made->cut);
    if (!made || (net->arcs && !made->cut)) {
        wend_release(allocator, made, 1, sizeof *made);
        return false;
    }
    made->made = net->books, net->books = made;
    made->next = net->free, net->free = made;
    net->count++;
    ground->allowance->used += each(net);
    return true;
}

/* One agent more. False: there is no memory. */
static bool join(wend_ground *ground, wend_atlas_net *net) {
    uint32_t wanted = net->users / WEND_AGENTS_PER_LOAN + 1;
    while (wend_ground_may_add(ground, net->count, wanted, each(net)))
        if (!add_book(ground, net) && (ground->workspace_count || !net->count)) return false;
    net->users++;
    return true;
}

static bool take_memory(wend_ground *ground, wend_atlas_net *net) {
    const wend_allocator *allocator = &ground->allocator;
    net->first = wend_allocate_zeroed(allocator, (size_t)net->atlas->count + 1, sizeof *net->first);
    net->down = net->edges ? wend_allocate(allocator, net->edges, sizeof *net->down) : NULL;
    return net->first && (!net->edges || net->down) && join(ground, net);
}

/* Each edge once more, at its upper end. */
static void turn_round(wend_atlas_net *net) {
    const wend_atlas *atlas = net->atlas;
    for (uint32_t arc = 0; arc < net->arcs; arc++) {
        wend_atlas_up up = wend_atlas_arc_at(atlas, arc);
        if (up.what >= atlas->count) net->first[up.to]++;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= atlas->count; i++) {
        uint32_t here = net->first[i];
        net->first[i] = sum, sum += here;
    }
    for (uint32_t rep = 0; rep < atlas->count; rep++)
        for (uint32_t arc = atlas->first[rep]; arc < atlas->first[rep + 1]; arc++) {
            wend_atlas_up up = wend_atlas_arc_at(atlas, arc);
            if (up.what >= atlas->count) net->down[net->first[up.to]++] = (wend_atlas_down){rep, arc};
        }
    for (uint32_t i = atlas->count; i > 0; i--) net->first[i] = net->first[i - 1];
    net->first[0] = 0;
}

wend_atlas_net *wend_atlas_net_join(wend_ground *ground, const wend_atlas *atlas) {
    wend_attachment *found = NULL;
    while ((found = wend_ground_attached(ground, &nets, found))) {
        wend_atlas_net *net = (wend_atlas_net *)found;
        if (net->atlas == atlas) return join(ground, net) ? net : NULL;
    }
    wend_atlas_net *made = wend_allocate_zeroed(&ground->allocator, 1, sizeof *made);
    if (!made) return NULL;
    made->attachment.kind = &nets;
    made->atlas = atlas;
    made->arcs = atlas->first[atlas->count];
    for (uint32_t arc = 0; arc < made->arcs; arc++)
        made->edges += wend_atlas_arc_at(atlas, arc).what >= atlas->count;
    if (!take_memory(ground, made)) {
        release_net(ground, &made->attachment);
        return NULL;
    }
    turn_round(made);
    wend_ground_attach(ground, &made->attachment);
    return made;
}

void wend_atlas_net_leave(wend_ground *ground, wend_atlas_net *net) {
    if (!net || --net->users) return;
    wend_ground_detach(ground, &net->attachment);
    ground->allowance->used -= net->count * each(net);
    release_net(ground, &net->attachment);
}

wend_atlas_book *wend_atlas_book_borrow(wend_atlas_net *net) {
    wend_atlas_book *book = net->free;
    if (!book) return NULL;
    net->free = book->next;
    if (++book->stamp == 0) { /* once in 2^32 tasks */
        memset(book->cut, 0, net->arcs * sizeof *book->cut);
        book->stamp = 1;
    }
    return book;
}

void wend_atlas_book_return(wend_atlas_net *net, wend_atlas_book *book) {
    book->next = net->free;
    net->free = book;
}

/* The search --------------------------------------------------------------------------------------------- */

static uint64_t guess(const wend_atlas_query *query, uint32_t node) {
    return wend_map_distance(query->map, query->atlas->cells[node], query->sides[1].cell);
}

void wend_atlas_net_begin(const wend_atlas_netting *netting) {
    wend_atlas_query *query = netting->query;
    wend_atlas_side *side = &query->sides[0];
    wend_atlas_query_renew(query);
    for (uint32_t i = 0; i < side->end_count; i++)
        wend_atlas_offer(query, side, side->ends[i].rep, side->ends[i].cost + guess(query, side->ends[i].rep),
                         NONE);
    query->expanding = query->climbing = false;
}

/* Takes the next node off the queue; false: none can make the way shorter. */
static bool choose_node(const wend_atlas_netting *netting) {
    wend_atlas_query *query = netting->query;
    wend_atlas_side *side = &query->sides[0];
    if (!side->count || wend_atlas_record_of(side, side->heap[0])->cost >= query->best) return false;
    query->node = wend_atlas_take_least(side);
    query->cost = wend_atlas_record_of(side, query->node)->cost - guess(query, query->node);
    for (uint32_t i = 0; i < query->sides[1].end_count; i++) {
        const wend_atlas_end *end = &query->sides[1].ends[i];
        if (end->rep != query->node || query->cost + end->cost >= query->best) continue;
        query->best = query->cost + end->cost;
        query->meet = query->node;
    }
    query->arc = 0;
    query->expanding = true;
    return true;
}

/* Edge number `i` of a node, those upwards first; shortcuts count but are none: then false. */
typedef struct edge {
    uint32_t to, arc;
    wend_atlas_up up; /* as it stands at its lower end */
} edge;

static bool edge_at(const wend_atlas_net *net, uint32_t node, uint32_t i, edge *found) {
    const wend_atlas *atlas = net->atlas;
    uint32_t ups = atlas->first[node + 1] - atlas->first[node];
    if (i < ups) {
        found->arc = atlas->first[node] + i;
        found->up = wend_atlas_arc_at(atlas, found->arc);
        found->to = found->up.to;
        return found->up.what >= atlas->count;
    }
    const wend_atlas_down *down = &net->down[net->first[node] + i - ups];
    *found = (edge){down->to, down->arc, wend_atlas_arc_at(atlas, down->arc)};
    return true;
}

/* Where leg number `i` of an edge ends, on the way from `node`; WEND_NO_CELL: there are no more. */
static wend_cell leg_end(const wend_atlas *atlas, uint32_t node, const edge *e, uint32_t i) {
    uint32_t bends = wend_atlas_bend_count(atlas, e->up.what);
    if (i > bends) return WEND_NO_CELL;
    return i == bends ? atlas->cells[e->to] : wend_atlas_bend(atlas, e->up.what, i, node == e->up.to);
}

typedef enum tried { TRIED_GOOD, TRIED_CUT, TRIED_MORE } tried;

/* Climbs along an edge, from where it was left. query->end is the leg. */
static tried try_edge(wend_atlas_query *query, const edge *e, uint64_t operations, uint64_t *used) {
    const wend_atlas *atlas = query->atlas;
    wend_climb_walk *walk = &query->search.walk;
    if (!query->climbing) {
        query->climbing = true, query->end = 0;
        wend_cell from = atlas->cells[query->node], to = leg_end(atlas, query->node, e, 0);
        *walk = (wend_climb_walk){from, to, 0, wend_map_distance(query->map, from, to)};
    }
    while (*used < operations) {
        wend_climb_end end = wend_climb_go(query->map, walk, operations - *used, used);
        if (end == WEND_CLIMB_MORE) return TRIED_MORE;
        wend_cell from = walk->to, to = leg_end(atlas, query->node, e, ++query->end);
        if (end == WEND_CLIMB_FAILED || to == WEND_NO_CELL) {
            query->climbing = false;
            return end == WEND_CLIMB_FAILED ? TRIED_CUT : TRIED_GOOD;
        }
        *walk = (wend_climb_walk){from, to, 0, wend_map_distance(query->map, from, to)};
    }
    return TRIED_MORE;
}

/* Whether an edge leads out of the region where the agent is known to be shut in, or nearly so. */
static bool leads_out(const wend_atlas_netting *netting, const edge *e) {
    const wend_cell *cells = netting->net->atlas->cells;
    return netting->region &&
           wend_search_touched(netting->region, cells[netting->query->node]) != UINT64_MAX &&
           wend_search_touched(netting->region, cells[e->to]) == UINT64_MAX;
}

/* One edge of the node; false: the operations are used up. */
static bool take_edge(const wend_atlas_netting *netting, uint64_t operations, uint64_t *used) {
    wend_atlas_query *query = netting->query;
    wend_atlas_book *book = netting->book;
    edge e;
    bool is_edge = edge_at(netting->net, query->node, query->arc, &e);
    ++*used;
    if (is_edge && book->cut[e.arc] != book->stamp) {
        tried end =
            query->climbing || leads_out(netting, &e) ? try_edge(query, &e, operations, used) : TRIED_GOOD;
        if (end == TRIED_MORE) return false;
        if (end == TRIED_CUT)
            book->cut[e.arc] = book->stamp;
        else
            wend_atlas_offer(query, &query->sides[0], e.to, query->cost + e.up.cost + guess(query, e.to),
                             query->node);
    }
    query->arc++;
    return true;
}

bool wend_atlas_net_run(const wend_atlas_netting *netting, uint64_t operations, uint64_t *counted) {
    const wend_atlas_net *net = netting->net;
    wend_atlas_query *query = netting->query;
    uint64_t used = 0;
    bool done = false;
    while (used < operations && !done) {
        if (!query->expanding) {
            used += 1 + query->sides[1].end_count;
            done = !choose_node(netting);
            continue;
        }
        uint32_t node = query->node, ups = net->atlas->first[node + 1] - net->atlas->first[node];
        if (query->arc == ups + net->first[node + 1] - net->first[node])
            query->expanding = false;
        else if (!take_edge(netting, operations, &used))
            break;
    }
    *counted += used;
    if (done && query->meet != NONE) {
        query->traced = query->meet;
        query->bottom = query->top = 0;
    }
    return done;
}

bool wend_atlas_net_trace(wend_atlas_query *query, uint64_t operations, uint64_t *counted) {
    for (; query->traced != NONE && operations; operations--, ++*counted) {
        query->stack[query->top++] = query->traced;
        query->traced = wend_atlas_record_of(&query->sides[0], query->traced)->parent;
    }
    return query->traced == NONE;
}
