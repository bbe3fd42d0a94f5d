#include "search/watched.h"

#include "search/adaptive.h"
#include "search/incremental.h"
#include "search/learnt.h"

/* A kernel of one kind of storage. */
typedef struct kernel {
    wend_ended (*run)(wend_search *search, uint64_t budget, uint64_t outdated);
    wend_cell (*best)(wend_search *search, uint64_t outdated);
    /* g and tag of a cell's record. */
    uint64_t (*record)(const wend_search *search, wend_cell cell, uint32_t *tag);
} kernel;

static uint64_t record_narrow(const wend_search *search, wend_cell cell, uint32_t *tag) {
    const wend_record_narrow *record = (const wend_record_narrow *)search->cells + cell;
    *tag = record->tag;
    return record->g;
}

static uint64_t record_wide(const wend_search *search, wend_cell cell, uint32_t *tag) {
    const wend_record_wide *record = (const wend_record_wide *)search->cells + cell;
    *tag = record->tag;
    return record->g;
}

static uint64_t record_adaptive(const wend_search *search, wend_cell cell, uint32_t *tag) {
    const wend_record_adaptive *record = (const wend_record_adaptive *)search->cells + cell;
    *tag = record->tag;
    return record->g;
}

static uint64_t record_adaptive_wide(const wend_search *search, wend_cell cell, uint32_t *tag) {
    const wend_record_adaptive_wide *record = (const wend_record_adaptive_wide *)search->cells + cell;
    *tag = record->tag;
    return record->g;
}

static uint64_t record_jump(const wend_search *search, wend_cell cell, uint32_t *tag) {
    const wend_record_jump *record = wend_jump_record(search, cell);
    *tag = record->tag;
    return record->g;
}

static uint64_t record_learnt(const wend_search *search, wend_cell cell, uint32_t *tag) {
    const wend_record_learnt *record = find_learnt(&search->learnt, cell);
    *tag = record->tag;
    return record->g;
}

static uint64_t record_learnt_wide(const wend_search *search, wend_cell cell, uint32_t *tag) {
    const wend_record_learnt_wide *record = find_learnt_wide(&search->learnt, cell);
    *tag = (uint32_t)record->tag;
    return record->g;
}

static const kernel narrow = {wend_astar_run_narrow, wend_astar_best_narrow, record_narrow};
static const kernel wide = {wend_astar_run_wide, wend_astar_best_wide, record_wide};
static const kernel adaptive = {wend_astar_run_adaptive, wend_astar_best_adaptive, record_adaptive};
static const kernel adaptive_wide = {wend_astar_run_adaptive_wide, wend_astar_best_adaptive_wide,
                                     record_adaptive_wide};
static const kernel jump = {wend_astar_run_jump, wend_astar_best_jump, record_jump};
static const kernel learnt = {wend_astar_run_learnt, wend_astar_best_learnt, record_learnt};
static const kernel learnt_wide = {wend_astar_run_learnt_wide, wend_astar_best_learnt_wide,
                                   record_learnt_wide};

static const kernel *kernel_of(const wend_search *search) {
    if (search->jumps) return &jump;
    if (search->adaptive.on) return search->wide ? &adaptive_wide : &adaptive;
    return search->wide ? &wide : &narrow;
}

static wend_cost h_of(const wend_search *search, const kernel *k, wend_cell cell) {
    wend_xy at = wend_map_xy(search->map, cell);
    if (k == &learnt || k == &learnt_wide) return wend_learnt_h(search, cell, (uint32_t)at.x, (uint32_t)at.y);
    if (k == &adaptive || k == &adaptive_wide) return wend_adaptive_h(search, cell);
    return wend_map_distance(search->map, cell, search->goal);
}

static void tell(const wend_search *search, const kernel *k, wend_cell cell) {
    uint32_t tag;
    wend_expansion expansion = {.cell = cell, .parent = WEND_NO_CELL, .h = h_of(search, k, cell)};
    expansion.g = k->record(search, cell, &tag);
    uint32_t reached = tag & WEND_TAG_REACHED;
    if (search->jumps && k == &jump)
        expansion.parent = reached == WEND_TAG_ROOT ? WEND_NO_CELL : wend_jump_record(search, cell)->parent;
    else if (reached != WEND_TAG_ROOT)
        expansion.parent = cell - (uint32_t)search->map->offset[reached];
    search->watch->expanded(search->watch->context, &expansion);
}

/* Outdated nodes are passed over by `best`, so that `run` begins with the cell that it expands; left to
 * itself it would do both in the same order. */
static wend_ended run(wend_search *search, const kernel *k, uint64_t budget, uint64_t outdated) {
    for (;; budget--) {
        uint64_t operations = search->operations, expansions = search->expansions;
        wend_cell cell = k->best(search, outdated);
        outdated -= search->operations - operations;
        if (cell == WEND_NO_CELL || !budget) return k->run(search, 0, outdated);
        wend_ended ended = k->run(search, 1, 0);
        if (search->expansions != expansions) tell(search, k, cell);
        if (ended != WEND_ENDED_BUDGET) return ended;
    }
}

/* D* Lite searches from the goal, so g is the way that is left, and h that from the agent. */
static wend_ended run_incremental(wend_search *search, uint64_t budget) {
    for (;; budget--) {
        uint64_t expansions = search->expansions;
        wend_cell cell = wend_incremental_front(search);
        wend_ended ended = wend_incremental_run(search, budget ? 1 : 0);
        if (search->expansions != expansions) {
            const wend_expansion expansion = {.cell = cell,
                                              .parent = WEND_NO_CELL,
                                              .g = wend_incremental_at(search, cell).g,
                                              .h = wend_map_distance(search->map, search->start, cell)};
            search->watch->expanded(search->watch->context, &expansion);
        }
        if (ended != WEND_ENDED_BUDGET || !budget) return ended;
    }
}

wend_ended wend_watched_run(wend_search *search, uint64_t budget, uint64_t outdated) {
    if (search->incremental.on && !search->jumps) return run_incremental(search, budget);
    return run(search, kernel_of(search), budget, outdated);
}

wend_ended wend_watched_lookahead(wend_search *search, uint64_t budget, uint64_t outdated) {
    return run(search, search->learnt.wide ? &learnt_wide : &learnt, budget, outdated);
}

void wend_search_watch(wend_search *search, const wend_watch *watch) {
    if (search) search->watch = watch && watch->expanded ? watch : NULL;
}
