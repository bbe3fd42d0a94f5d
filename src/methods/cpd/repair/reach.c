/* What a change reaches. repair.c has the terms and the proofs.
 *
 * The area is grown from the changed cells by so many steps, the margin. A small one has few rows, but a
 * large one may have a rim that is narrower, as doors are, and behind which less is reached. So margins are
 * tried as long as one seems to cost less than it saves.
 *
 * Distances between the rim and all cells come from searches from blocks (methods/cpd/build/many.h) on both
 * maps, with the map's own costs, so that they can be compared. A target's pattern is worked out rim cell by
 * rim cell: each divides the classes of targets that there are by the difference of its distance to the first
 * one's. */
#include "methods/cpd/repair/reach.h"

#include "base/random.h"
#include "base/sort.h"
#include "methods/cpd/repair/repair.h"

#include <string.h>

static const uint32_t margins[] = {2, 8, 16, 32};
enum { MARGINS = sizeof margins / sizeof *margins, CLEARED_AT_ONCE = 16, EACH = 1 + WEND_DIRECTIONS };

/* Tenths of a search from a block: from the rim, on both maps, and for each cell of it; from a block for its
 * rows, or for columns alone; a column. And about how many cells a block has. */
enum { GROUP_COST = 26, RIM_COST = 2, ROWS_COST = 15, BLOCK_COST = 8, COLUMN_COST = 2, BLOCK_SHARE = 96 };

/* Classes ----------------------------------------------------------------------------------------------- */

/* The first ones: all targets by pattern, and all by column. */
enum { NO_CLASS, BY_PATTERN, BY_COLUMN, FIRST_CLASS };

static bool enlarge_classes(wend_cpd_classes *classes, const wend_allocator *allocator) {
    const size_t room = classes->room ? classes->room * 2 : 1024, index_room = room * 2;
    wend_cpd_class *list = wend_enlarge(allocator, classes->list, classes->room, room, sizeof *list);
    if (!list) return false;
    if (!classes->room) memset(list, 0, FIRST_CLASS * sizeof *list);
    classes->list = list, classes->room = room;
    uint32_t *index = wend_allocate_zeroed(allocator, index_room, sizeof *index);
    if (!index) return false;
    for (uint32_t i = FIRST_CLASS; i < classes->count; i++) {
        size_t at = wend_mix((uint64_t)list[i].of << 32 | list[i].by) & (index_room - 1);
        while (index[at]) at = (at + 1) & (index_room - 1);
        index[at] = i;
    }
    wend_release(allocator, classes->index, classes->index_room, sizeof *index);
    classes->index = index, classes->index_room = index_room;
    return true;
}

/* The part of a class that has this number; 0: no memory. Mostly it is the same as the last one. */
static uint32_t divide(wend_cpd_repair *repair, uint32_t of, uint32_t by) {
    wend_cpd_classes *classes = &repair->reach.classes;
    if (WEND_LIKELY(classes->last && classes->list[classes->last].of == of &&
                    classes->list[classes->last].by == by))
        return classes->last;
    if (classes->count * 2 >= classes->index_room && !enlarge_classes(classes, &repair->common.allocator))
        return 0;
    size_t at = wend_mix((uint64_t)of << 32 | by) & (classes->index_room - 1);
    for (; classes->index[at]; at = (at + 1) & (classes->index_room - 1)) {
        const wend_cpd_class *one = &classes->list[classes->index[at]];
        if (one->of == of && one->by == by) return classes->last = classes->index[at];
    }
    classes->list[classes->count] = (wend_cpd_class){.of = of, .by = by, .first = WEND_NO_CELL};
    return classes->last = classes->index[at] = classes->count++;
}

/* Memory ------------------------------------------------------------------------------------------------ */

uint32_t wend_cpd_block_of(const wend_cpd_repair *repair, wend_cell cell) {
    uint32_t y = wend_cell_y(repair->new, cell), x = wend_cell_x(repair->new, cell, y);
    return y / WEND_BLOCK_HEIGHT * repair->reach.across + x / WEND_BLOCK_WIDTH;
}

static uint32_t largest(const wend_ranks *ranks) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < ranks->components; i++)
        if (ranks->firsts[i + 1] - ranks->firsts[i] > most) most = ranks->firsts[i + 1] - ranks->firsts[i];
    return most;
}

bool wend_cpd_reach_begin(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    const wend_allocator *allocator = &repair->common.allocator;
    const wend_map *map = repair->new;
    *reach = (wend_cpd_reach){.best_cost = UINT64_MAX};
    reach->across = ((uint32_t)map->width - 1) / WEND_BLOCK_WIDTH + 1;
    reach->block_count = reach->across * (((uint32_t)map->height - 1) / WEND_BLOCK_HEIGHT + 1);
    reach->blocks = wend_allocate_zeroed(allocator, reach->block_count, 1);
    reach->steps = wend_allocate(allocator, map->cells, 1);
    reach->part = wend_allocate(allocator, map->cells, sizeof *reach->part);
    reach->queue = wend_allocate(allocator, map->cells, sizeof *reach->queue);
    reach->targets = wend_allocate(allocator, (size_t)map->open_cells + 1, sizeof *reach->targets);
    bool good = reach->blocks && reach->steps && reach->part && reach->queue && reach->targets;
    for (int i = 0; i < 2 && good; i++)
        good = wend_many_create(&repair->ranking[i].ranks, largest(&repair->ranking[i].ranks), WEND_MANY_WIDE,
                                allocator, &reach->many[i], NULL) == WEND_OK;
    return good;
}

void wend_cpd_reach_rest(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    for (int i = 0; i < 2; i++) wend_many_destroy(reach->many[i]);
    reach->many[0] = reach->many[1] = NULL;
    wend_release(&repair->common.allocator, reach->rims, reach->rim_room, sizeof *reach->rims);
    wend_release(&repair->common.allocator, reach->queue, repair->cells, sizeof *reach->queue);
    reach->rims = NULL, reach->queue = NULL;
}

void wend_cpd_reach_release(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    const wend_allocator *allocator = &repair->common.allocator;
    wend_cpd_reach_rest(repair);
    wend_release(allocator, reach->classes.index, reach->classes.index_room, sizeof(uint32_t));
    wend_release(allocator, reach->classes.list, reach->classes.room, sizeof *reach->classes.list);
    wend_release(allocator, reach->targets, (size_t)repair->new->open_cells + 1, sizeof *reach->targets);
    wend_release(allocator, reach->part, repair->cells, sizeof *reach->part);
    wend_release(allocator, reach->steps, repair->cells, 1);
    wend_release(allocator, reach->blocks, reach->block_count, 1);
    *reach = (wend_cpd_reach){0};
}

/* The area ---------------------------------------------------------------------------------------------- */

static void begin_margin(wend_cpd_reach *reach, uint32_t margin) {
    reach->margin = margin;
    reach->stage = WEND_REACH_CLEAR, reach->at = 0;
}

/* The end of a slice that begins at reach->at, of cells that are so many to an operation. */
static uint32_t slice_end(const wend_cpd_reach *reach, uint64_t most, uint32_t end) {
    return end - reach->at < most ? end : reach->at + (uint32_t)most;
}

static uint64_t clear_on(wend_cpd_repair *repair, uint64_t operations) {
    wend_cpd_reach *reach = &repair->reach;
    uint32_t begin = reach->at, end = slice_end(reach, operations * CLEARED_AT_ONCE, repair->cells);
    memset(reach->steps + begin, 0, end - begin);
    memset(reach->part + begin, 0, (end - begin) * sizeof *reach->part);
    reach->at = end;
    if (end == repair->cells) reach->stage = WEND_REACH_SEED, reach->at = 0, repair->work_count = 0;
    return (end - begin) / CLEARED_AT_ONCE + 1;
}

/* All cells around a changed one that are open on one of the maps. */
static uint64_t seed_on(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    wend_xy middle = wend_map_xy(repair->new, repair->changed[reach->at++]);
    for (int32_t i = 0; i < 9; i++) {
        wend_cell cell = wend_map_cell(repair->new, middle.x - 1 + i % 3, middle.y - 1 + i / 3);
        if (cell == WEND_NO_CELL || reach->steps[cell]) continue;
        if (!wend_map_is_open_cell(repair->old, cell) && !wend_map_is_open_cell(repair->new, cell)) continue;
        reach->steps[cell] = 1;
        repair->work[repair->work_count++] = cell;
    }
    if (reach->at == repair->changed_count) reach->stage = WEND_REACH_GROW, reach->at = 0;
    return EACH;
}

static uint32_t moves_of(const wend_map *map, wend_cell cell) {
    return wend_map_is_open_cell(map, cell) ? wend_map_moves(map, cell) : 0;
}

static uint64_t grow_on(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    wend_cell cell = repair->work[reach->at++];
    uint32_t moves = moves_of(repair->old, cell) | moves_of(repair->new, cell);
    for (; moves && reach->steps[cell] < reach->margin; moves &= moves - 1) {
        wend_cell next = cell + (uint32_t)repair->new->offset[wend_lowest_bit(moves)];
        if (reach->steps[next]) continue;
        reach->steps[next] = (uint8_t)(reach->steps[cell] + 1);
        repair->work[repair->work_count++] = next;
    }
    if (reach->at < repair->work_count) return 2 * EACH;
    reach->stage = WEND_REACH_PARTS;
    reach->at = reach->parts = reach->queue_begin = reach->queue_end = 0;
    return 2 * EACH;
}

/* Floods a part on, or looks for the next one beside a cell of the area. */
static uint64_t part_on(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    const wend_map *map = repair->new;
    const bool flooding = reach->queue_begin < reach->queue_end;
    wend_cell cell = flooding ? reach->queue[reach->queue_begin++] : repair->work[reach->at];
    for (uint32_t moves = moves_of(map, cell); moves; moves &= moves - 1) {
        wend_cell next = cell + (uint32_t)map->offset[wend_lowest_bit(moves)];
        if (reach->steps[next] || reach->part[next]) continue;
        if (!flooding && reach->queue_begin == reach->queue_end) {
            reach->parts++; /* the first beside this cell; others beside it, of other parts, in turn */
            reach->queue_begin = reach->queue_end = 0;
        } else if (!flooding) {
            break;
        }
        reach->part[next] = reach->parts;
        reach->queue[reach->queue_end++] = next;
    }
    if (!flooding && reach->queue_begin == reach->queue_end && ++reach->at == repair->work_count) {
        reach->stage = WEND_REACH_RIMS;
        reach->at = reach->rim_count = 0;
    }
    return EACH;
}

static int by_group(const void *a, const void *b) {
    const wend_cpd_rim *x = a, *y = b;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

static uint64_t whole_cost(const wend_cpd_repair *repair) {
    return (uint64_t)ROWS_COST * (repair->new->open_cells / BLOCK_SHARE + 1);
}

/* A cell of the area, once for every part that it has a move to. */
static wend_status rim_on(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    const wend_map *map = repair->new;
    wend_cell cell = repair->work[reach->at++];
    const uint32_t first = reach->rim_count;
    for (uint32_t moves = moves_of(map, cell); moves; moves &= moves - 1) {
        uint32_t part = reach->part[cell + (uint32_t)map->offset[wend_lowest_bit(moves)]], i = first;
        if (!part) continue;
        while (i < reach->rim_count && reach->rims[i].part != part) i++;
        if (i < reach->rim_count) continue;
        if (reach->rim_count == reach->rim_room) {
            size_t room = reach->rim_room ? reach->rim_room * 2 : 256;
            wend_cpd_rim *rims =
                wend_enlarge(&repair->common.allocator, reach->rims, reach->rim_room, room, sizeof *rims);
            if (!rims) return WEND_STATUS_NO_MEMORY;
            reach->rims = rims, reach->rim_room = room;
        }
        reach->rims[reach->rim_count++] = (wend_cpd_rim){part, wend_cpd_block_of(repair, cell), cell};
    }
    if (reach->at < repair->work_count) return WEND_OK;
    reach->groups = 0, reach->stage = WEND_REACH_WEIGH;
    /* So many that they will be found too heavy: these are not sorted, which is done at once. */
    if ((uint64_t)RIM_COST * reach->rim_count > whole_cost(repair) / 2 && !repair->only) return WEND_OK;
    if (reach->rim_count) wend_sort(reach->rims, reach->rim_count, sizeof *reach->rims, by_group);
    for (uint32_t i = 0; i < reach->rim_count; i++)
        reach->groups += !i || reach->rims[i].part != reach->rims[i - 1].part ||
                         reach->rims[i].block != reach->rims[i - 1].block;
    return WEND_OK;
}

/* Margins ----------------------------------------------------------------------------------------------- */

/* The best margin is settled: back to it, unless all rows cost less. */
static void settle_margin(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    if (reach->best_cost >= whole_cost(repair) && !repair->only) {
        reach->stage = WEND_REACH_ALL;
        return;
    }
    reach->last = true;
    if (reach->margin != reach->best)
        begin_margin(reach, reach->best);
    else
        reach->stage = WEND_REACH_DONE;
}

static uint64_t rim_cost(const wend_cpd_reach *reach) {
    return (uint64_t)GROUP_COST * reach->groups + (uint64_t)RIM_COST * reach->rim_count;
}

/* With the area grown: whether it is worth the searches from its rim. A third of what all rows cost is enough
 * to begin with, and half of it to spend on that. */
static void weigh(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    const uint64_t cost = rim_cost(reach), whole = whole_cost(repair);
    const uint64_t rows = (uint64_t)ROWS_COST * (repair->work_count / BLOCK_SHARE);
    reach->stage = WEND_REACH_TARGETS, reach->at = 0;
    if (reach->last && reach->known == reach->margin)
        reach->stage = WEND_REACH_DONE;
    else if (!reach->last && reach->best &&
             (cost + rows >= reach->best_cost || reach->spent + cost > whole / 2))
        settle_margin(repair);
    else if (!reach->last && !reach->best && cost + rows > whole / 3 && !repair->only)
        reach->stage = WEND_REACH_ALL;
    else
        reach->spent += cost;
}

/* With all worked out for this margin. */
static void choose(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    uint32_t next = 0;
    reach->known = reach->margin;
    if (reach->cost < reach->best_cost) reach->best = reach->margin, reach->best_cost = reach->cost;
    while (next < MARGINS && margins[next] <= reach->margin) next++;
    const uint64_t hope = rim_cost(reach) * 3 / 2 + 10 * (uint64_t)ROWS_COST;
    if (reach->last || next == MARGINS || reach->best_cost <= hope || repair->only)
        settle_margin(repair);
    else
        begin_margin(reach, margins[next]);
}

/* Targets ----------------------------------------------------------------------------------------------- */

static wend_status targets_on(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_cpd_reach *reach = &repair->reach;
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    uint32_t begin = reach->at, end = slice_end(reach, operations, ranks->count);
    if (!begin) { /* whatever an earlier margin has found is forgotten */
        memset(reach->blocks, 0, reach->block_count);
        reach->classes.count = 0;
        if (!reach->classes.index && !enlarge_classes(&reach->classes, &repair->common.allocator))
            return WEND_STATUS_NO_MEMORY;
        reach->classes.count = FIRST_CLASS, reach->classes.last = NO_CLASS;
        memset(reach->classes.index, 0, reach->classes.index_room * sizeof(uint32_t));
        reach->cost = 0;
    }
    for (uint32_t i = begin; i < end; i++) {
        const wend_cell cell = ranks->cells[i];
        const wend_cpd_patch *column = repair->columns[cell];
        uint32_t class = divide(repair, BY_COLUMN, column ? column->number : 0);
        if (!class) return WEND_STATUS_NO_MEMORY;
        reach->targets[i] = (wend_cpd_target){.class = class};
        repair->flags[cell] = 0;
    }
    reach->at = end, *spent = end - begin + 1;
    if (end == ranks->count) reach->stage = WEND_REACH_GROUP, reach->group = reach->group_end = 0;
    return WEND_OK;
}

static uint32_t lane_of(const wend_cpd_repair *repair, wend_cell cell) {
    uint32_t y = wend_cell_y(repair->new, cell), x = wend_cell_x(repair->new, cell, y);
    return (y % WEND_BLOCK_HEIGHT + 1) * WEND_PATCH_WIDTH + x % WEND_BLOCK_WIDTH + 1;
}

/* The next rim cells of one part and one block. */
static void next_group(wend_cpd_repair *repair) {
    wend_cpd_reach *reach = &repair->reach;
    reach->group = reach->group_end;
    if (reach->group == reach->rim_count) {
        reach->stage = WEND_REACH_AREA, reach->at = 0;
        return;
    }
    const wend_cpd_rim *first = &reach->rims[reach->group];
    reach->first = !reach->group || reach->rims[reach->group - 1].part != first->part;
    memset(reach->wanted, 0, sizeof reach->wanted);
    for (; reach->group_end < reach->rim_count; reach->group_end++) {
        const wend_cpd_rim *rim = &reach->rims[reach->group_end];
        if (rim->part != first->part || rim->block != first->block) break;
        reach->wanted[lane_of(repair, rim->cell)] = 1;
    }
    reach->stage = WEND_REACH_OLD, reach->at = 0;
}

/* Of the group's part: on the old map and on the new one. */
static uint32_t component_of(const wend_cpd_repair *repair, uint32_t side) {
    const uint32_t *labels = repair->labels[side ? !repair->shown : repair->shown];
    return labels[repair->reach.rims[repair->reach.group].cell] - 1;
}

static wend_status search_on(wend_cpd_repair *repair, uint32_t side, uint64_t operations, uint64_t *spent) {
    wend_cpd_reach *reach = &repair->reach;
    const uint32_t block = reach->rims[reach->group].block;
    bool done;
    if (!reach->at)
        wend_many_begin(reach->many[side], component_of(repair, side),
                        (int32_t)(block % reach->across * WEND_BLOCK_WIDTH),
                        (int32_t)(block / reach->across * WEND_BLOCK_HEIGHT), reach->wanted);
    reach->at = 1;
    wend_status status = wend_many_go(reach->many[side], operations, spent, &done);
    if (status != WEND_OK || !done) return status;
    reach->at = 0;
    reach->stage = side ? WEND_REACH_FOLD : WEND_REACH_NEW;
    if (!side) return WEND_OK;
    /* Both have at least the one in the middle. */
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) {
        reach->both[i] =
            reach->wanted[i] && !wend_many_left(reach->many[0])[i] && !wend_many_left(reach->many[1])[i];
        if (reach->both[i]) reach->wanted[i] = 0;
    }
    reach->lane = 0;
    return WEND_OK;
}

/* What the distance to one more rim cell shows of a target. */
static bool fold(wend_cpd_repair *repair, wend_cpd_target *target, uint32_t old, uint32_t new, bool apart,
                 uint32_t part, bool inside) {
    const uint32_t delta = apart ? 0 : new - old; /* modulo 2^32: they differ by far less among the rim */
    uint32_t by = part;
    if (repair->reach.first) {
        target->base = new, target->delta = delta, target->pattern = BY_PATTERN;
        target->marks = (uint8_t)((target->marks & WEND_TARGET_REACHED) | (apart ? WEND_TARGET_APART : 0));
    } else {
        by = new - target->base;
        if (delta != target->delta) target->marks |= WEND_TARGET_VARIES;
    }
    if (delta) target->marks |= WEND_TARGET_OTHER;
    if (inside) return true;
    target->pattern = divide(repair, target->pattern, by);
    return target->pattern != 0;
}

/* All targets, as the next lane sees them. */
static wend_status fold_on(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_cpd_reach *reach = &repair->reach;
    const wend_ranks *old = &repair->ranking[0].ranks, *new = &repair->ranking[1].ranks;
    const uint32_t part = reach->rims[reach->group].part;
    *spent = 1;
    if (!reach->at) {
        while (reach->lane < WEND_PATCH_LANES && !reach->both[reach->lane]) reach->lane++;
        if (reach->lane == WEND_PATCH_LANES) {
            bool last = reach->group_end == reach->rim_count || reach->rims[reach->group_end].part != part;
            if (memchr(reach->wanted, 1, sizeof reach->wanted))
                reach->stage = WEND_REACH_OLD;
            else
                reach->stage = last ? WEND_REACH_PART : WEND_REACH_GROUP, reach->inside = false;
            return WEND_OK;
        }
    }
    const uint32_t c = component_of(repair, 0), first_old = old->firsts[c],
                   count_old = old->firsts[c + 1] - first_old;
    const uint32_t d = component_of(repair, 1), first = new->firsts[d], count = new->firsts[d + 1] - first;
    const uint32_t begin = reach->at, end = slice_end(reach, operations / 2 + 1, count);
    uint32_t straight;
    for (uint32_t i = begin; i < end; i++) {
        const wend_cell cell = new->cells[first + i];
        const uint32_t was = old->rank[cell];
        const bool apart = was == WEND_NO_RANK || was - first_old >= count_old;
        uint32_t now = (uint32_t)wend_many_distance(reach->many[1], reach->lane, i, &straight), before = 0;
        if (!apart)
            before = (uint32_t)wend_many_distance(reach->many[0], reach->lane, was - first_old, &straight);
        if (!fold(repair, &reach->targets[first + i], before, now, apart, part, reach->part[cell] == part))
            return WEND_STATUS_NO_MEMORY;
    }
    reach->at = end, *spent = 2 * (uint64_t)(end - begin) + 1;
    if (end == count) reach->at = 0, reach->lane++, reach->first = false;
    return WEND_OK;
}

static void need_row(wend_cpd_repair *repair, wend_cell cell) {
    repair->flags[cell] |= WEND_CPD_NEEDS_ROW;
}

/* Cells of the part beside the area: once any of it is reached from within. */
static void need_rows_beside(wend_cpd_repair *repair, uint32_t part) {
    wend_cpd_reach *reach = &repair->reach;
    for (uint32_t i = reach->group_end; i-- > 0 && reach->rims[i].part == part;) {
        wend_cell cell = reach->rims[i].cell;
        for (uint32_t moves = moves_of(repair->new, cell); moves; moves &= moves - 1) {
            wend_cell next = cell + (uint32_t)repair->new->offset[wend_lowest_bit(moves)];
            if (reach->part[next] == part) need_row(repair, next);
        }
    }
}

/* The whole rim of a part has been looked at from. */
static wend_status part_done_on(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_cpd_reach *reach = &repair->reach;
    const wend_map *map = repair->new;
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    const uint32_t part = reach->rims[reach->group].part, component = component_of(repair, 1);
    const uint32_t first = ranks->firsts[component], count = ranks->firsts[component + 1] - first;
    const uint32_t begin = reach->at, end = slice_end(reach, operations / 2 + 1, count);
    *spent = 2 * (uint64_t)(end - begin) + 1;
    for (uint32_t i = begin; i < end; i++) {
        wend_cpd_target *target = &reach->targets[first + i];
        const wend_cell cell = ranks->cells[first + i];
        if (reach->part[cell] == part) {
            if (!(target->marks & WEND_TARGET_OTHER)) continue;
            reach->inside = true;
            need_row(repair, cell);
            for (uint32_t moves = wend_map_moves(map, cell); moves; moves &= moves - 1)
                need_row(repair, cell + (uint32_t)map->offset[wend_lowest_bit(moves)]);
            *spent += EACH;
        } else if (target->marks & (WEND_TARGET_VARIES | WEND_TARGET_APART)) {
            target->class = divide(repair, target->class, target->pattern);
            if (!target->class) return WEND_STATUS_NO_MEMORY;
            reach->classes.list[target->class].part = part;
            target->marks |= WEND_TARGET_REACHED;
        }
    }
    reach->at = end;
    if (end < count) return WEND_OK;
    if (reach->inside) need_rows_beside(repair, part);
    reach->stage = WEND_REACH_GROUP;
    return WEND_OK;
}

static uint64_t area_on(wend_cpd_repair *repair, uint64_t operations) {
    wend_cpd_reach *reach = &repair->reach;
    uint32_t begin = reach->at, end = slice_end(reach, operations, repair->work_count);
    for (uint32_t i = begin; i < end; i++)
        if (wend_map_is_open_cell(repair->new, repair->work[i])) need_row(repair, repair->work[i]);
    reach->at = end;
    if (end == repair->work_count) reach->stage = WEND_REACH_COUNT, reach->at = 0;
    return end - begin + 1;
}

/* What is needed of each block, and of each class the first cell. */
static uint64_t count_on(wend_cpd_repair *repair, uint64_t operations) {
    wend_cpd_reach *reach = &repair->reach;
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    uint32_t begin = reach->at, end = slice_end(reach, operations, ranks->count);
    if (!begin) repair->tally.all = 0;
    for (uint32_t i = begin; i < end; i++) {
        const wend_cell cell = ranks->cells[i];
        const wend_cpd_target *target = &reach->targets[i];
        if (target->marks & WEND_TARGET_REACHED) {
            wend_cpd_class *class = &reach->classes.list[target->class];
            if (!class->count++) {
                class->first = cell;
                repair->flags[cell] |= WEND_CPD_NEEDS_COLUMN;
                reach->cost += COLUMN_COST;
            }
        }
        const uint8_t flags = repair->flags[cell];
        if (!flags) continue;
        repair->tally.all++;
        uint8_t *block = &reach->blocks[wend_cpd_block_of(repair, cell)];
        const uint8_t before = *block;
        *block |= flags;
        if (!before) reach->cost += BLOCK_COST;
        if (~before & *block & WEND_CPD_NEEDS_ROW) reach->cost += ROWS_COST - BLOCK_COST;
    }
    reach->at = end;
    if (end == ranks->count) reach->stage = WEND_REACH_CHOOSE;
    return end - begin + 1;
}

wend_status wend_cpd_reach_go(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_cpd_reach *reach = &repair->reach;
    *spent = 1;
    switch (reach->stage) {
    case WEND_REACH_BEGIN:
        begin_margin(reach, repair->only ? repair->only : margins[0]);
        break;
    case WEND_REACH_CLEAR:
        *spent = clear_on(repair, operations);
        break;
    case WEND_REACH_SEED:
        *spent = seed_on(repair);
        break;
    case WEND_REACH_GROW:
        *spent = grow_on(repair);
        break;
    case WEND_REACH_PARTS:
        *spent = part_on(repair);
        break;
    case WEND_REACH_RIMS:
        *spent = EACH;
        return rim_on(repair);
    case WEND_REACH_WEIGH:
        weigh(repair);
        break;
    case WEND_REACH_TARGETS:
        return targets_on(repair, operations, spent);
    case WEND_REACH_GROUP:
        *spent = WEND_PATCH_LANES;
        next_group(repair);
        break;
    case WEND_REACH_OLD:
        return search_on(repair, 0, operations, spent);
    case WEND_REACH_NEW:
        return search_on(repair, 1, operations, spent);
    case WEND_REACH_FOLD:
        return fold_on(repair, operations, spent);
    case WEND_REACH_PART:
        return part_done_on(repair, operations, spent);
    case WEND_REACH_AREA:
        *spent = area_on(repair, operations);
        break;
    case WEND_REACH_COUNT:
        *spent = count_on(repair, operations);
        break;
    case WEND_REACH_CHOOSE:
        choose(repair);
        break;
    case WEND_REACH_DONE:
    case WEND_REACH_ALL:
        break;
    }
    return WEND_OK;
}
