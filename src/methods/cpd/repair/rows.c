/* Rows and columns from searches as a build makes them (methods/cpd/build/many.h).
 *
 * A row is written as in methods/cpd/build/row.c, from segments of targets that have one pattern and one
 * view, so that it takes no look at every target. A column needs the moves of all cells towards one of the
 * block's. These are the same for the whole block at a cell whose neighbours have its pattern, and worked out
 * once; what is left is a few cells in a hundred. */
#include "methods/cpd/repair/rows.h"

#include "methods/cpd/repair/repair.h"

#include <string.h>

enum { EACH = 1 + WEND_DIRECTIONS, CELLS_AT_ONCE = 4 };
enum { ANY_MOVE = (1 << WEND_CPD_SYMBOLS) - 1, KEEP = 1 << WEND_CPD_KEEP, ANY = ANY_MOVE | KEEP };

bool wend_cpd_rows_begin(wend_cpd_repair *repair) {
    wend_cpd_rows *making = &repair->making;
    const wend_allocator *allocator = &repair->common.allocator;
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    *making = (wend_cpd_rows){.runs.allocator = allocator};
    making->room = (size_t)ranks->count + 1;
    making->reached_room = (size_t)repair->reach.parts + 1;
    making->places = wend_allocate(allocator, making->room, sizeof *making->places);
    making->patterns = wend_allocate(allocator, making->room, sizeof *making->patterns);
    making->views = wend_allocate(allocator, making->room, 1);
    making->towards = wend_allocate(allocator, making->room, 1);
    making->reached = wend_allocate_zeroed(allocator, making->reached_room, 1);
    return making->places && making->patterns && making->views && making->towards && making->reached &&
           wend_many_create(ranks, ranks->count, WEND_MANY_BEST, allocator, &making->many, NULL) == WEND_OK;
}

void wend_cpd_rows_release(wend_cpd_repair *repair) {
    wend_cpd_rows *making = &repair->making;
    const wend_allocator *allocator = &repair->common.allocator;
    wend_many_destroy(making->many);
    if (making->runs.allocator) wend_buffer_release(&making->runs);
    wend_release(allocator, making->reached, making->reached_room, 1);
    wend_release(allocator, making->towards, making->room, 1);
    wend_release(allocator, making->views, making->room, 1);
    wend_release(allocator, making->patterns, making->room, sizeof *making->patterns);
    wend_release(allocator, making->places, making->room, sizeof *making->places);
    *making = (wend_cpd_rows){0};
}

/* Searches ---------------------------------------------------------------------------------------------- */

static wend_xy corner(const wend_cpd_repair *repair) {
    const uint32_t block = repair->making.block, across = repair->reach.across;
    return (wend_xy){(int32_t)(block % across * WEND_BLOCK_WIDTH),
                     (int32_t)(block / across * WEND_BLOCK_HEIGHT)};
}

/* The cell of a lane; WEND_NO_CELL where the block has none. */
static wend_cell cell_of(const wend_cpd_repair *repair, uint32_t lane) {
    const int32_t column = (int32_t)(lane % WEND_PATCH_WIDTH), row = (int32_t)(lane / WEND_PATCH_WIDTH);
    if (column < 1 || column > WEND_BLOCK_WIDTH || row < 1 || row > WEND_BLOCK_HEIGHT) return WEND_NO_CELL;
    const wend_xy at = corner(repair);
    return wend_map_cell(repair->new, at.x - 1 + column, at.y - 1 + row);
}

static uint64_t next_block(wend_cpd_repair *repair) {
    wend_cpd_rows *making = &repair->making;
    const wend_cpd_reach *reach = &repair->reach;
    uint64_t spent = 1;
    for (; making->block < reach->block_count && !reach->blocks[making->block]; making->block++) spent++;
    making->stage = making->block < reach->block_count ? WEND_ROWS_BEGIN : WEND_ROWS_DONE;
    for (uint32_t i = 0; making->stage == WEND_ROWS_BEGIN && i < WEND_PATCH_LANES; i++) {
        const wend_cell cell = cell_of(repair, i);
        const bool needed =
            cell != WEND_NO_CELL && wend_map_is_open_cell(repair->new, cell) && repair->flags[cell];
        making->components[i] = needed ? repair->labels[!repair->shown][cell] - 1 : WEND_NO_RANK;
    }
    return spent / CELLS_AT_ONCE + WEND_PATCH_LANES;
}

static void begin_search(wend_cpd_repair *repair) {
    wend_cpd_rows *making = &repair->making;
    uint32_t lane = 0;
    while (lane < WEND_PATCH_LANES && making->components[lane] == WEND_NO_RANK) lane++;
    if (lane == WEND_PATCH_LANES) {
        making->block++, making->stage = WEND_ROWS_BLOCK;
        return;
    }
    making->component = making->components[lane];
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++)
        making->done[i] = making->components[i] == making->component;
    const wend_xy at = corner(repair);
    wend_many_begin(making->many, making->component, at.x, at.y, making->done);
    making->stage = WEND_ROWS_SEARCH;
}

static wend_status search_on(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_cpd_rows *making = &repair->making;
    bool done;
    wend_status status = wend_many_go(making->many, operations, spent, &done);
    if (status != WEND_OK || !done) return status;
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) { /* it may take more than one search until all are */
        if (wend_many_left(making->many)[i]) making->done[i] = 0;
        if (making->done[i]) making->components[i] = WEND_NO_RANK;
    }
    making->stage = WEND_ROWS_SEGMENTS, making->at = making->segments = 0;
    return WEND_OK;
}

/* Rows -------------------------------------------------------------------------------------------------- */

/* How the cells of the block see a target: left of it, right of it, or in one of its columns; the same for
 * rows. Four bits each. */
static uint32_t view_of(const wend_map *map, wend_cell target, wend_xy block) {
    uint32_t v = wend_cell_y(map, target), u = wend_cell_x(map, target, v);
    int32_t column = (int32_t)u - block.x + 1, row = (int32_t)v - block.y + 1;
    column = column < 0 ? 0 : column <= WEND_BLOCK_WIDTH ? column : WEND_BLOCK_WIDTH + 1;
    row = row < 0 ? 0 : row <= WEND_BLOCK_HEIGHT ? row : WEND_BLOCK_HEIGHT + 1;
    return (uint32_t)(row * WEND_PATCH_WIDTH + column);
}

static uint64_t segments_on(wend_cpd_repair *repair, uint64_t operations) {
    wend_cpd_rows *making = &repair->making;
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    const uint32_t first = ranks->firsts[making->component],
                   count = ranks->firsts[making->component + 1] - first;
    const wend_many_cell *found = wend_many_cells(making->many);
    const wend_xy block = corner(repair);
    const uint32_t begin = making->at, left = count - begin;
    const uint64_t most = operations * CELLS_AT_ONCE;
    const uint32_t end = left < most ? count : begin + (uint32_t)most;
    uint32_t segments = making->segments;
    for (uint32_t i = begin; i < end; i++) {
        const wend_cell cell = ranks->cells[first + i];
        const uint32_t pattern = found[i].pattern, view = view_of(ranks->map, cell, block);
        if (segments && making->patterns[segments - 1] == pattern && making->views[segments - 1] == view)
            continue;
        making->places[segments] = repair->rank[cell];
        making->patterns[segments] = pattern, making->views[segments++] = (uint8_t)view;
    }
    making->segments = segments, making->at = end;
    if (end == count) making->stage = WEND_ROWS_LANE, making->lane = 0;
    return (end - begin) / CELLS_AT_ONCE + 1;
}

/* The next lane of this search that needs one of these. */
static bool find_lane(wend_cpd_repair *repair, uint8_t needs) {
    wend_cpd_rows *making = &repair->making;
    for (; making->lane < WEND_PATCH_LANES; making->lane++)
        if (making->done[making->lane] && repair->flags[cell_of(repair, making->lane)] & needs) return true;
    return false;
}

static void begin_runs(wend_cpd_rows *making, uint32_t any) {
    making->at = making->begin = making->run = 0;
    making->set = any, making->runs.size = 0;
}

static void next_row(wend_cpd_repair *repair) {
    wend_cpd_rows *making = &repair->making;
    if (!find_lane(repair, WEND_CPD_NEEDS_ROW)) {
        making->lane = 0;
        making->stage = find_lane(repair, WEND_CPD_NEEDS_COLUMN) ? WEND_ROWS_TOWARDS : WEND_ROWS_BEGIN;
        making->lane = making->at = 0;
        return;
    }
    const int32_t column = (int32_t)(making->lane % WEND_PATCH_WIDTH),
                  row = (int32_t)(making->lane / WEND_PATCH_WIDTH);
    for (int32_t i = 0; i < WEND_PATCH_LANES; i++) {
        const int32_t dx = i % WEND_PATCH_WIDTH - column, dy = i / WEND_PATCH_WIDTH - row;
        const int32_t connect = repair->new->rules.connect;
        making->greedy[i] = (uint8_t)(dx || dy ? 1u << wend_greedy_move(connect, dx, dy) : 0);
    }
    begin_runs(making, ANY_MOVE);
    making->stage = WEND_ROWS_ROW;
}

/* Longest runs first: with a given order of cells no other way has fewer. */
static bool add_run(wend_cpd_rows *making, uint32_t symbol, uint32_t next, uint32_t any) {
    uint32_t run = making->begin << WEND_CPD_RUN_SHIFT | symbol;
    making->begin = next, making->set = any;
    return wend_buffer_add(&making->runs, &run, sizeof run);
}

static uint32_t symbol_of_row(uint32_t set) {
    return set >> WEND_CPD_GREEDY & 1 ? WEND_CPD_GREEDY : wend_lowest_bit(set);
}

static wend_status row_on(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_cpd_rows *making = &repair->making;
    const uint8_t *moves = wend_many_moves(making->many, 0) + wend_many_place(making->many, making->lane);
    const uint32_t stride = wend_many_stride(making->many), begin = making->at,
                   left = making->segments - begin;
    const uint32_t end = left < operations ? making->segments : begin + (uint32_t)operations;
    *spent = end - begin + 1;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t set = moves[(size_t)making->patterns[i] * stride];
        if (!set) continue; /* towards itself any will do */
        set |= set & making->greedy[making->views[i]] ? 1u << WEND_CPD_GREEDY : 0;
        if (!(set & making->set) && !add_run(making, symbol_of_row(making->set), making->places[i], ANY_MOVE))
            return WEND_STATUS_NO_MEMORY;
        making->set &= set;
    }
    making->at = end;
    if (end < making->segments) return WEND_OK;
    const wend_cell cell = cell_of(repair, making->lane);
    wend_cpd_patch *patch = NULL;
    if (add_run(making, symbol_of_row(making->set), 0, ANY_MOVE))
        patch = wend_cpd_patch_make(repair, &making->runs, repair->rows[cell], 1);
    if (!patch) return WEND_STATUS_NO_MEMORY;
    repair->rows[cell] = patch;
    repair->tally.searched++;
    making->lane++, making->stage = WEND_ROWS_LANE;
    return WEND_OK;
}

/* Columns ----------------------------------------------------------------------------------------------- */

static uint64_t towards_on(wend_cpd_repair *repair, uint64_t operations) {
    wend_cpd_rows *making = &repair->making;
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    const uint32_t first = ranks->firsts[making->component],
                   count = ranks->firsts[making->component + 1] - first;
    const wend_many_cell *found = wend_many_cells(making->many);
    const uint32_t begin = making->at, left = count - begin;
    const uint64_t most = operations / EACH + 1;
    const uint32_t end = left < most ? count : begin + (uint32_t)most;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t set = 0;
        for (uint32_t moves = ranks->legal[first + i]; moves; moves &= moves - 1) {
            const uint32_t k = wend_lowest_bit(moves);
            const wend_many_cell next = found[ranks->near[(size_t)(first + i) * WEND_DIRECTIONS + k] - first];
            if (next.pattern != found[i].pattern) {
                set = 0;
                break;
            }
            set |= (uint32_t)(next.distance + wend_many_cost(making->many, k) == found[i].distance) << k;
        }
        making->towards[i] = (uint8_t)set;
    }
    making->at = end;
    if (end == count) making->stage = WEND_ROWS_NEXT, making->lane = 0;
    return (uint64_t)(end - begin) * EACH + 1;
}

/* The moves from a cell of the component towards the lane's. */
static uint32_t moves_towards(const wend_cpd_repair *repair, uint32_t from) {
    const wend_cpd_rows *making = &repair->making;
    if (making->towards[from]) return making->towards[from];
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    const uint32_t first = ranks->firsts[making->component];
    uint32_t straight, set = 0;
    const uint64_t own = wend_many_distance(making->many, making->lane, from, &straight);
    for (uint32_t moves = ranks->legal[first + from]; moves; moves &= moves - 1) {
        const uint32_t k = wend_lowest_bit(moves),
                       next = ranks->near[(size_t)(first + from) * WEND_DIRECTIONS + k] - first;
        set |= (uint32_t)(wend_many_distance(making->many, making->lane, next, &straight) +
                              wend_many_cost(making->many, k) ==
                          own)
               << k;
    }
    return set;
}

static wend_cpd_class *class_of(const wend_cpd_repair *repair, wend_cell cell) {
    return &repair->reach.classes.list[repair->reach.targets[repair->ranking[1].ranks.rank[cell]].class];
}

/* The parts from which the class is another than it was. */
static void mark_parts(wend_cpd_repair *repair, const wend_cpd_class *class, uint8_t mark) {
    for (; class->part; class = &repair->reach.classes.list[class->of])
        repair->making.reached[class->part] = mark;
}

static void next_column(wend_cpd_repair *repair) {
    wend_cpd_rows *making = &repair->making;
    if (!find_lane(repair, WEND_CPD_NEEDS_COLUMN)) {
        making->stage = WEND_ROWS_BEGIN;
        return;
    }
    mark_parts(repair, class_of(repair, cell_of(repair, making->lane)), 1);
    begin_runs(making, ANY);
    making->stage = WEND_ROWS_COLUMN;
}

/* What the old column has, unless a newer row has it. */
static uint32_t kept(wend_cpd_rows *making, const wend_cpd_patch *old, const wend_cpd_patch *row,
                     uint32_t rank) {
    if (!old || (row && row->generation >= old->generation)) return KEEP;
    while (making->run + 1 < old->count && old->runs[making->run + 1] >> WEND_CPD_RUN_SHIFT <= rank)
        making->run++;
    return 1u << (old->runs[making->run] & ((1u << WEND_CPD_RUN_SHIFT) - 1));
}

static uint32_t symbol_of_column(uint32_t set) {
    return set & KEEP ? WEND_CPD_KEEP : wend_lowest_bit(set);
}

static wend_status column_on(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_cpd_rows *making = &repair->making;
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    const wend_cell to = cell_of(repair, making->lane);
    wend_cpd_class *class = class_of(repair, to);
    wend_cpd_patch *old = repair->columns[to];
    const uint32_t begin = making->at, left = repair->ranks - begin;
    const uint32_t end = left < operations ? repair->ranks : begin + (uint32_t)operations;
    const uint32_t first = ranks->firsts[making->component],
                   count = ranks->firsts[making->component + 1] - first;
    *spent = end - begin + 1;
    for (uint32_t i = begin; i < end; i++) {
        const wend_cell from = repair->order[i];
        const uint32_t at = ranks->rank[from] - first;
        if (ranks->rank[from] == WEND_NO_RANK || at >= count || repair->flags[from] & WEND_CPD_NEEDS_ROW)
            continue; /* nobody asks */
        uint32_t set = making->reached[repair->reach.part[from]] ? moves_towards(repair, at)
                                                                 : kept(making, old, repair->rows[from], i);
        if (!(set & making->set) && !add_run(making, symbol_of_column(making->set), i, ANY))
            return WEND_STATUS_NO_MEMORY;
        making->set &= set;
    }
    making->at = end;
    if (end < repair->ranks) return WEND_OK;
    mark_parts(repair, class, 0);
    if (add_run(making, symbol_of_column(making->set), 0, ANY))
        class->patch = wend_cpd_patch_make(repair, &making->runs, old, class->count);
    if (!class->patch) return WEND_STATUS_NO_MEMORY;
    class->patch->number = ++repair->numbers;
    if (!(repair->flags[to] & WEND_CPD_NEEDS_ROW)) repair->tally.searched++;
    making->lane++, making->stage = WEND_ROWS_NEXT;
    return WEND_OK;
}

wend_status wend_cpd_rows_go(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_status status = WEND_OK;
    *spent = 1;
    switch (repair->making.stage) {
    case WEND_ROWS_BLOCK:
        *spent = next_block(repair);
        break;
    case WEND_ROWS_BEGIN:
        *spent = WEND_PATCH_LANES;
        begin_search(repair);
        break;
    case WEND_ROWS_SEARCH:
        status = search_on(repair, operations, spent);
        break;
    case WEND_ROWS_SEGMENTS:
        *spent = segments_on(repair, operations);
        break;
    case WEND_ROWS_LANE:
        *spent = WEND_PATCH_LANES;
        next_row(repair);
        break;
    case WEND_ROWS_ROW:
        status = row_on(repair, operations, spent);
        break;
    case WEND_ROWS_TOWARDS:
        *spent = towards_on(repair, operations);
        break;
    case WEND_ROWS_NEXT:
        *spent = WEND_PATCH_LANES;
        next_column(repair);
        break;
    case WEND_ROWS_COLUMN:
        status = column_on(repair, operations, spent);
        break;
    case WEND_ROWS_DONE:
        break;
    }
    return status;
}
