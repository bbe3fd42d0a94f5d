#include "methods/knn/tree.h"

#include "base/random.h"

/* The order along an axis; the other axes and the number make it total. */
static bool comes_before(const wend_knn_entry *a, const wend_knn_entry *b, uint32_t axis) {
    for (uint32_t i = 0; i < WEND_KNN_AXES; i++, axis = (axis + 1) % WEND_KNN_AXES)
        if (a->ends[axis] != b->ends[axis]) return a->ends[axis] < b->ends[axis];
    return a->number < b->number;
}

static void swap(wend_knn_entry *a, wend_knn_entry *b) {
    wend_knn_entry other = *a;
    *a = *b, *b = other;
}

/* Puts the entry of rank `middle` of a range in its place, what comes before it before, the rest behind.
 * Pivots are drawn by counter, so that no order of entries is a bad one, and every run is the same. */
static void place_middle(wend_knn_entry *entries, uint32_t first, uint32_t end, uint32_t middle,
                         uint32_t axis, uint64_t *drawn) {
    while (end - first > 1) {
        uint32_t last = end - 1, pivot = first + wend_random_below(wend_mix(++*drawn), end - first);
        swap(&entries[pivot], &entries[last]);
        uint32_t kept = first;
        for (uint32_t i = first; i < last; i++)
            if (comes_before(&entries[i], &entries[last], axis)) swap(&entries[i], &entries[kept++]);
        swap(&entries[kept], &entries[last]);
        if (kept == middle) return;
        if (kept < middle)
            first = kept + 1;
        else
            end = kept;
    }
}

uint32_t wend_knn_ranges(uint32_t count) {
    uint32_t levels = 1;
    for (; count > WEND_KNN_LEAF; count /= 2) levels++;
    return levels + 1;
}

enum { MOST_RANGES = 32 }; /* one more per halving of at most 2^32 */

void wend_knn_sort(wend_knn_entry *entries, uint32_t count) {
    wend_knn_range stack[MOST_RANGES];
    uint32_t depth = 0;
    uint64_t drawn = 0;
    stack[depth++] = (wend_knn_range){.end = count};
    while (depth) {
        wend_knn_range range = stack[--depth];
        if (range.end - range.first <= WEND_KNN_LEAF) continue;
        WEND_ASSERT(depth + 2 <= MOST_RANGES);
        uint32_t middle = range.first + (range.end - range.first) / 2;
        uint8_t axis = (uint8_t)((range.axis + 1) % WEND_KNN_AXES);
        place_middle(entries, range.first, range.end, middle, range.axis, &drawn);
        stack[depth++] = (wend_knn_range){.first = range.first, .end = middle, .axis = axis};
        stack[depth++] = (wend_knn_range){.first = middle + 1, .end = range.end, .axis = axis};
    }
}

/* wend_octile for many: a diagonal move is one along the longer axis and, for the rest of its cost, one along
 * the shorter. Fits 32 bits: 65,536 straight moves at most, of 5,741 each. */
WEND_INLINE uint32_t octile(const wend_knn_query *query, uint32_t dx, uint32_t dy) {
    uint32_t more = dx > dy ? dx : dy, less = dx > dy ? dy : dx;
    return query->more * more + query->less * less;
}

WEND_INLINE uint32_t farther(const wend_knn_query *query, const uint32_t *apart) {
    uint32_t start = octile(query, apart[0], apart[1]);
    uint32_t end = query->starts_only ? 0 : octile(query, apart[2], apart[3]);
    return start > end ? start : end;
}

uint32_t wend_knn_distance(const wend_knn_query *query, uint32_t number) {
    uint32_t apart[WEND_KNN_AXES];
    for (uint32_t i = 0; i < WEND_KNN_AXES; i++)
        apart[i] = wend_apart(query->knn->ends[number][i], query->target[i]);
    return farther(query, apart);
}

static void begin(wend_knn_query *query) {
    query->count = query->range_count = query->scanned = 0;
    if (query->scan || !query->knn->count) return;
    query->ranges[query->range_count++] = (wend_knn_range){.end = query->knn->count};
}

void wend_knn_begin(wend_knn_query *query, wend_cell at, wend_cell goal) {
    wend_xy from = wend_map_xy(query->map, at), to = wend_map_xy(query->map, goal);
    query->target[0] = (uint16_t)from.x, query->target[1] = (uint16_t)from.y;
    query->target[2] = (uint16_t)to.x, query->target[3] = (uint16_t)to.y;
    const wend_map *map = query->map;
    query->more = map->cost[0];
    query->less = map->rules.connect == 4 ? map->cost[0] : map->cost[1] - map->cost[0];
    query->behind = false;
    begin(query);
}

void wend_knn_begin_behind(wend_knn_query *query, wend_knn_hit last) {
    query->behind = true;
    query->last = last;
    begin(query);
}

/* Heaps of hits: `nearest` says which end is on top. */
static bool is_above(wend_knn_hit a, wend_knn_hit b, bool nearest) {
    return nearest ? wend_knn_before(a, b) : wend_knn_before(b, a);
}

static void sift_down(wend_knn_hit *hits, uint32_t count, uint32_t at, bool nearest) {
    wend_knn_hit moved = hits[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_above(hits[child + 1], hits[child], nearest)) child++;
        if (!is_above(hits[child], moved, nearest)) break;
        hits[at] = hits[child];
    }
    hits[at] = moved;
}

static void add_hit(wend_knn_query *query, wend_knn_hit hit) {
    wend_knn_hit *hits = query->hits;
    uint32_t at = query->count++;
    for (uint32_t above; at && is_above(hit, hits[above = (at - 1) / 2], false); at = above)
        hits[at] = hits[above];
    hits[at] = hit;
}

static void examine(wend_knn_query *query, uint32_t number) {
    wend_knn_hit hit = {wend_knn_distance(query, number), number};
    if (query->behind && !wend_knn_before(query->last, hit)) return;
    if (query->count < query->most) {
        add_hit(query, hit);
    } else if (wend_knn_before(hit, query->hits[0])) {
        query->hits[0] = hit;
        sift_down(query->hits, query->count, 0, false);
    }
}

/* Whether nothing in a range can come before the M-th hit. */
static bool is_beyond(const wend_knn_query *query, const wend_knn_range *range) {
    if (query->count < query->most) return false;
    uint32_t apart[WEND_KNN_AXES];
    for (uint32_t i = 0; i < WEND_KNN_AXES; i++) apart[i] = range->apart[i];
    return !wend_knn_before((wend_knn_hit){farther(query, apart), range->first}, query->hits[0]);
}

static void look_into(wend_knn_query *query, const wend_knn_range *range, uint64_t *counted) {
    if (range->end - range->first <= WEND_KNN_LEAF) {
        for (uint32_t i = range->first; i < range->end; i++) examine(query, i);
        *counted += range->end - range->first;
        return;
    }
    uint32_t middle = range->first + (range->end - range->first) / 2, axis = range->axis;
    uint32_t split = query->knn->ends[middle][axis], target = query->target[axis];
    examine(query, middle);
    ++*counted;
    wend_knn_range lower = *range, upper = *range;
    lower.axis = upper.axis = (uint8_t)((axis + 1) % WEND_KNN_AXES);
    lower.end = middle, upper.first = middle + 1;
    /* The nearer one goes on top. The other lies wholly beyond the split. */
    if (target <= split) {
        upper.apart[axis] = (uint16_t)(split - target);
        query->ranges[query->range_count++] = upper;
        query->ranges[query->range_count++] = lower;
    } else {
        lower.apart[axis] = (uint16_t)(target - split);
        query->ranges[query->range_count++] = lower;
        query->ranges[query->range_count++] = upper;
    }
}

bool wend_knn_run(wend_knn_query *query, uint64_t operations, uint64_t *counted) {
    uint64_t enough = *counted + operations;
    while (query->range_count) {
        if (*counted >= enough) return false;
        wend_knn_range range = query->ranges[--query->range_count];
        ++*counted;
        if (!is_beyond(query, &range)) look_into(query, &range, counted);
    }
    while (query->scan && query->scanned < query->knn->count) {
        if (*counted >= enough) return false;
        examine(query, query->scanned++);
        ++*counted;
    }
    for (uint32_t i = query->count / 2; i-- > 0;) sift_down(query->hits, query->count, i, true);
    *counted += query->count;
    return true;
}

bool wend_knn_take(wend_knn_query *query, wend_knn_hit *hit) {
    if (!query->count) return false;
    *hit = query->hits[0];
    query->hits[0] = query->hits[--query->count];
    if (query->count) sift_down(query->hits, query->count, 0, true);
    return true;
}
