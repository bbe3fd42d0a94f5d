#include "methods/knn/select.h"

#include "search/climb.h"

wend_knn_climbed wend_knn_climb_run(const wend_map *map, wend_knn_climb *climb, uint64_t operations,
                                    uint64_t *counted) {
    uint64_t enough = *counted + operations;
    for (bool first = true; climb->at != climb->to; first = false) {
        wend_xy a = wend_map_xy(map, climb->at), b = wend_map_xy(map, climb->to);
        uint32_t dx = wend_apart((uint32_t)a.x, (uint32_t)b.x), dy = wend_apart((uint32_t)a.y, (uint32_t)b.y);
        if ((dx > dy ? dx : dy) > climb->left) {
            *counted += first; /* a look at a target that is too far */
            return WEND_KNN_FAILED;
        }
        if (*counted >= enough) return WEND_KNN_CLIMBING;
        uint64_t moves = (enough - *counted) / WEND_CLIMB_OPERATIONS;
        if (!moves) moves = 1;
        if (moves > climb->left) moves = climb->left;
        wend_climb_result result = wend_climb(map, climb->at, climb->to, (uint32_t)moves);
        *counted += result.operations;
        climb->at = result.end;
        climb->left -= result.straight + result.diagonal;
        if (!result.reached && result.straight + result.diagonal < moves) return WEND_KNN_FAILED;
    }
    return WEND_KNN_REACHED;
}

wend_status wend_knn_select_create(wend_knn_select *select, const wend_map *map, const wend_knn *knn,
                                   uint32_t most, bool scan, const wend_allocator *allocator) {
    *select = (wend_knn_select){
        .query = {.map = map, .knn = knn, .most = most < knn->count ? most : knn->count, .scan = scan}};
    if (!select->query.most) select->query.most = 1;
    select->query.hits = wend_allocate(allocator, select->query.most, sizeof *select->query.hits);
    if (!scan)
        select->query.ranges =
            wend_allocate(allocator, wend_knn_ranges(knn->count), sizeof *select->query.ranges);
    return select->query.hits && (select->query.ranges || scan) ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

static size_t range_bytes(const wend_knn_query *query) {
    return query->ranges ? wend_knn_ranges(query->knn->count) * sizeof *query->ranges : 0;
}

size_t wend_knn_select_bytes(const wend_knn_select *select) {
    return select->query.most * sizeof *select->query.hits + range_bytes(&select->query);
}

void wend_knn_select_release(wend_knn_select *select, const wend_allocator *allocator) {
    wend_release(allocator, select->query.hits, select->query.most, sizeof *select->query.hits);
    wend_release(allocator, select->query.ranges, range_bytes(&select->query), 1);
    select->query.hits = NULL, select->query.ranges = NULL;
}

uint64_t wend_knn_select_over(const wend_knn_select *select) {
    return select->query.most + WEND_KNN_LEAF + 1 + WEND_CLIMB_OPERATIONS;
}

static void climb_from(wend_knn_select *select, wend_knn_phase phase, wend_cell from, wend_cell to) {
    select->phase = phase;
    select->climbing = (wend_knn_climb){from, to, select->climb};
}

void wend_knn_select_begin(wend_knn_select *select, wend_cell at, wend_cell goal) {
    select->at = at, select->goal = goal;
    select->found = WEND_KNN_MORE;
    select->first_reached = false;
    wend_knn_begin(&select->query, at, goal);
    if (select->goal_first)
        climb_from(select, WEND_KNN_AT_GOAL, at, goal);
    else
        select->phase = WEND_KNN_AT_QUERY;
}

static void end(wend_knn_select *select, wend_knn_found found) {
    select->phase = WEND_KNN_AT_RESULT;
    select->found = found;
}

/* The next candidate, if there is one. */
static void take_hit(wend_knn_select *select) {
    wend_knn_query *query = &select->query;
    if (wend_knn_take(query, &select->hit)) {
        climb_from(select, WEND_KNN_AT_START, select->at,
                   wend_knn_start(query->map, query->knn, select->hit.number));
        return;
    }
    if (select->all && query->knn->count) {
        /* All that were found have been tried; a query that finds nothing behind the last ends it. */
        select->phase = WEND_KNN_AT_QUERY;
        wend_knn_begin_behind(query, select->hit);
        return;
    }
    end(select, WEND_KNN_NONE);
}

static void query_on(wend_knn_select *select, uint64_t operations, uint64_t *counted) {
    if (!wend_knn_run(&select->query, operations, counted)) return;
    if (select->query.count)
        take_hit(select);
    else
        end(select, WEND_KNN_NONE);
}

/* What comes after a climb. */
static void climbed(wend_knn_select *select, bool reached) {
    const wend_knn *knn = select->query.knn;
    const wend_map *map = select->query.map;
    uint32_t entry = select->hit.number;
    switch (select->phase) {
    case WEND_KNN_AT_GOAL:
        if (reached)
            end(select, WEND_KNN_DIRECT);
        else
            select->phase = WEND_KNN_AT_QUERY;
        break;
    case WEND_KNN_AT_START:
        if (reached)
            climb_from(select, WEND_KNN_AT_END, wend_knn_end(map, knn, entry), select->goal);
        else
            take_hit(select);
        break;
    case WEND_KNN_AT_END:
        if (!reached) {
            take_hit(select);
        } else if (select->subgoal_first) {
            uint32_t at = knn->begins[entry];
            wend_cell first =
                at < knn->stops[entry] ? wend_knn_subgoal(knn, &at) : wend_knn_end(map, knn, entry);
            climb_from(select, WEND_KNN_AT_FIRST, select->at, first);
        } else {
            end(select, WEND_KNN_RECORD);
        }
        break;
    default:
        select->first_reached = reached;
        end(select, WEND_KNN_RECORD);
        break;
    }
}

wend_knn_found wend_knn_select_run(wend_knn_select *select, uint64_t operations, uint64_t *counted) {
    uint64_t enough = *counted + operations;
    while (select->phase != WEND_KNN_AT_RESULT && *counted < enough) {
        if (select->phase == WEND_KNN_AT_QUERY) {
            query_on(select, enough - *counted, counted);
            continue;
        }
        wend_knn_climbed how =
            wend_knn_climb_run(select->query.map, &select->climbing, enough - *counted, counted);
        if (how != WEND_KNN_CLIMBING) climbed(select, how == WEND_KNN_REACHED);
    }
    return select->found;
}
