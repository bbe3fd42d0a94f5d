/* Repairing a path database after edits, as an overlay: what "Ultra-fast optimal pathfinding without runtime
 * search" (Botea, AIIDE 2011) names as future work.
 *
 * Let M be the map that the answers are right for, and N the one with the edits. The area is a set of cells
 * with all those around a changed one in it, so that every move that has become legal or illegal leads from a
 * cell of the area to a cell of the area. What is left of the map without the area falls into parts, which
 * are the same on M and N. The rim of a part P are the cells of the area that have a move to a cell of P: no
 * path leaves P but by its rim. Let d be distances, and D(x, t) = d_N(x, t) - d_M(x, t).
 *
 * (1) Let s be a cell of P and t not. d(s, t) is the least of e(s, r) + d(r, t) over the rim, where e is the
 * length of a way that keeps to P but for its end r, and the same on M and N. So if D(r, t) is the same k for
 * all r of the rim, D(x, t) = k for all x of P and its rim, and a move of s that was optimal towards t is so
 * still. Else: which moves of s are optimal towards t depends on the differences between the d_N(r, t) alone,
 * the pattern of t. Cells with one pattern have one column, as far as P is concerned.
 *
 * (2) Let s and t be of P, and D(s, r) = 0 for all r of its rim. A path from s to t keeps to P, or leaves the
 * area for the last time by a rim cell r: so d(s, t) is the least of e(s, t) and all d(s, r) + e(r, t), the
 * same on M and N. If that is so for every cell of P that s has a move to as well, and s has no move to the
 * rim, its answers towards cells of P stay right.
 *
 * So there are made again, by searches on N:
 * - the row (all answers from it) of every cell of the area;
 * - for each part, the rows of its cells with D(s, r) != 0 for a rim cell r, and of those beside them; and,
 *   if there are any of the first, of those beside the rim;
 * - for each pattern of targets with unequal D at a part's rim, a column of answers from that part, which all
 *   targets of that pattern share. (Of a target that could not be reached on M all D are unequal.)
 *
 * A door or a narrow passage is a rim of few cells, and all targets behind it have one of few patterns. So
 * although all distances between two halves of a map may have changed, few searches are needed, as soon as
 * the area reaches from wall to wall. reach.c chooses how far it reaches. Where nothing helps, all
 * rows are made again, which costs about half of a build.
 *
 * All of it is done in slices, on snapshots, while the answers of the last complete repair stay in use;
 * completing one is a matter of counting its generation. */
#include "methods/cpd/repair/repair.h"
#include "methods/cpd/lists/list.h"

#include <string.h>

/* Operations of a slice. */
enum { SLICE = 2048, LEAST = 16, CLEARED_AT_ONCE = 16 };

/* Memory ------------------------------------------------------------------------------------------------ */

static size_t patch_bytes(uint32_t runs) {
    return sizeof(wend_cpd_patch) + runs * sizeof(uint32_t);
}

wend_cpd_patch *wend_cpd_patch_make(wend_cpd_repair *repair, const wend_buffer *runs, wend_cpd_patch *older,
                                    uint32_t users) {
    const uint32_t count = (uint32_t)(runs->size / sizeof(uint32_t));
    wend_cpd_patch *patch = wend_allocate(&repair->common.allocator, patch_bytes(count), 1);
    if (!patch) return NULL;
    *patch = (wend_cpd_patch){
        .older = older, .generation = repair->common.info.generation + 1, .count = count, .users = users};
    memcpy(patch->runs, runs->data, count * sizeof *patch->runs);
    repair->tally.runs += count;
    return patch;
}

/* Fewer cells have it, perhaps none any more. */
static void drop_patch(wend_cpd_repair *repair, wend_cpd_patch *patch, uint32_t users) {
    if (!patch || (patch->users -= users)) return;
    repair->tally.runs -= patch->count;
    wend_release(&repair->common.allocator, patch, patch_bytes(patch->count), 1);
}

/* What is there while a repair is under way. */
static void release_work(wend_cpd_repair *repair) {
    wend_cpd_rows_release(repair);
    wend_cpd_reach_release(repair);
    for (int i = 0; i < 2; i++) wend_cpd_ranks_release(&repair->ranking[i]);
    wend_release(&repair->common.allocator, repair->flags, repair->cells, 1);
    repair->flags = NULL;
    repair->whole = false;
}

static void give_up(wend_repair *common);
static uint64_t settle(wend_cpd_repair *repair, uint64_t operations);

static void release(wend_repair *common) {
    wend_cpd_repair *repair = (wend_cpd_repair *)common;
    const wend_allocator *allocator = &common->allocator;
    const size_t cells = repair->cells;
    while (repair->stage >= WEND_CPD_SETTLE_CELLS) (void)settle(repair, SLICE);
    if (repair->stage != WEND_CPD_IDLE) give_up(common);
    for (size_t i = 0; i < cells; i++) {
        if (repair->rows) drop_patch(repair, repair->rows[i], 1);
        if (repair->columns) drop_patch(repair, repair->columns[i], 1);
    }
    wend_release(allocator, repair->columns, cells, sizeof *repair->columns);
    wend_release(allocator, repair->rows, cells, sizeof *repair->rows);
    wend_release(allocator, repair->work, cells, sizeof *repair->work);
    wend_release(allocator, repair->changed, cells, sizeof *repair->changed);
    wend_release(allocator, repair->labels[1], cells, sizeof **repair->labels);
    wend_release(allocator, repair->labels[0], cells, sizeof **repair->labels);
    wend_release(allocator, repair->order, cells, sizeof *repair->order);
    wend_release(allocator, repair->rank, cells, sizeof *repair->rank);
    wend_map_destroy(repair->new);
    wend_map_destroy(repair->old);
}

static bool take_maps(wend_cpd_repair *repair) {
    const wend_map *first = repair->common.db->map;
    if (wend_map_create_within(first, &repair->common.allocator, &repair->old) != WEND_OK ||
        wend_map_create_within(first, &repair->common.allocator, &repair->new) != WEND_OK)
        return false;
    wend_map_take_cells(repair->old, first);
    wend_map_take_cells(repair->new, first);
    return true;
}

static bool take_tables(wend_cpd_repair *repair) {
    const wend_allocator *allocator = &repair->common.allocator;
    const size_t cells = repair->cells;
    repair->rank = wend_allocate(allocator, cells, sizeof *repair->rank);
    repair->order = wend_allocate(allocator, cells, sizeof *repair->order);
    repair->rows = wend_allocate_zeroed(allocator, cells, sizeof *repair->rows);
    repair->columns = wend_allocate_zeroed(allocator, cells, sizeof *repair->columns);
    for (int i = 0; i < 2; i++)
        repair->labels[i] = wend_allocate_zeroed(allocator, cells, sizeof **repair->labels);
    repair->changed = wend_allocate(allocator, cells, sizeof *repair->changed);
    repair->work = wend_allocate(allocator, cells, sizeof *repair->work);
    if (!repair->rank || !repair->order || !repair->rows || !repair->columns || !repair->labels[0] ||
        !repair->labels[1] || !repair->changed || !repair->work)
        return false;
    repair->ranks = repair->common.db->map->open_cells;
    for (uint32_t i = 0; i < cells; i++) repair->rank[i] = WEND_NO_RANK;
    wend_cpd_read_order(repair->common.db, repair->order);
    for (uint32_t i = 0; i < repair->ranks; i++) repair->rank[repair->order[i]] = i;
    return true;
}

/* A step of labelling: the next cell of the flood, or the next cell that may begin one. */
static uint64_t label_on(wend_cpd_repair *repair) {
    uint32_t *labels = repair->labels[!repair->shown];
    const wend_map *map = repair->new;
    if (repair->next == repair->work_count) {
        wend_cell cell = repair->at++;
        if (labels[cell] || !wend_map_is_open_cell(map, cell)) return 1;
        repair->next = repair->work_count = 0;
        labels[cell] = ++repair->label_counts[!repair->shown];
        repair->work[repair->work_count++] = cell;
    }
    wend_cell cell = repair->work[repair->next++];
    for (uint32_t moves = wend_map_moves(map, cell); moves; moves &= moves - 1) {
        wend_cell next = cell + (uint32_t)map->offset[wend_lowest_bit(moves)];
        if (labels[next]) continue;
        labels[next] = repair->label_counts[!repair->shown];
        repair->work[repair->work_count++] = next;
    }
    return 1 + WEND_DIRECTIONS;
}

static bool labelled(const wend_cpd_repair *repair) {
    return repair->at == repair->cells && repair->next == repair->work_count;
}

static void begin_labels(wend_cpd_repair *repair) {
    repair->at = repair->next = repair->work_count = 0;
    repair->label_counts[!repair->shown] = 0;
}

static wend_status check(const wend_db *db, wend_error *error) {
    if (!wend_cpd_lists_of(db)) return WEND_OK;
    return wend_fail(error, WEND_STATUS_UNSUPPORTED,
                     "a repair is of runs, and this database has lists of rectangles");
}

static bool create(wend_repair *common, const wend_repair_options *options) {
    wend_cpd_repair *repair = (wend_cpd_repair *)common;
    (void)options;
    repair->base = wend_cpd_of(common->db), repair->cells = common->map->cells;
    if (!take_maps(repair) || !take_tables(repair)) return false;
    begin_labels(repair);
    while (!labelled(repair)) (void)label_on(repair);
    repair->shown = !repair->shown;
    repair->revision = common->map->revision;
    repair->synced = memcmp(common->map->bits, repair->new->bits, repair->new->bits_bytes) == 0;
    return true;
}

/* Stages ------------------------------------------------------------------------------------------------ */

static void set_cell(wend_map *map, wend_cell cell, bool open) {
    uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
    uint32_t count = wend_set_bits(map->bits + (y + 1) * map->row_bytes, x + 1, 1, open);
    map->open_cells += open ? count : 0u - count;
}

/* The next row of both maps. What differs goes to `new`. */
static uint64_t compare_row(wend_cpd_repair *repair) {
    wend_map *map = repair->new;
    const uint32_t y = repair->at++, width = (uint32_t)map->width;
    uint64_t spent = 1 + map->row_bytes / 8;
    if (memcmp(repair->common.map->bits + (y + 1) * map->row_bytes, map->bits + (y + 1) * map->row_bytes,
               map->row_bytes) == 0)
        return spent;
    for (uint32_t x = 0; x < width; x++) {
        bool open = wend_bit(repair->common.map, x, y);
        if (open == wend_bit(map, x, y)) continue;
        wend_cell cell = y * width + x;
        set_cell(map, cell, open);
        repair->changed[repair->changed_count++] = cell;
        if (open && repair->rank[cell] == WEND_NO_RANK) {
            repair->rank[cell] = repair->ranks;
            repair->order[repair->ranks++] = cell;
        }
    }
    return spent + width;
}

static void begin_comparing(wend_cpd_repair *repair) {
    repair->stage = WEND_CPD_COMPARE_MAPS;
    repair->revision = repair->common.map->revision;
    repair->synced = false;
    repair->at = repair->changed_count = 0;
    repair->tally.searched = repair->tally.all = 0;
}

static uint64_t compare_maps(wend_cpd_repair *repair) {
    uint64_t spent = compare_row(repair);
    repair->common.info.changed = repair->changed_count;
    if (repair->at < (uint32_t)repair->new->height) return spent;
    repair->at = 0;
    repair->stage = repair->changed_count ? WEND_CPD_CLEAR : WEND_CPD_IDLE;
    repair->synced = !repair->changed_count;
    return spent;
}

static uint64_t clear_labels(wend_cpd_repair *repair) {
    uint32_t left = repair->cells - repair->at, most = SLICE * CLEARED_AT_ONCE;
    uint32_t count = left < most ? left : most;
    memset(repair->labels[!repair->shown] + repair->at, 0, count * sizeof **repair->labels);
    repair->at += count;
    if (repair->at == repair->cells) {
        begin_labels(repair);
        repair->stage = WEND_CPD_LABEL;
    }
    return count / CLEARED_AT_ONCE + 1;
}

static uint64_t label_cells(wend_cpd_repair *repair, uint64_t operations) {
    uint64_t spent = 0;
    while (spent < operations && !labelled(repair)) spent += label_on(repair);
    if (labelled(repair)) repair->stage = WEND_CPD_RANKS, repair->next = 0;
    return spent + 1;
}

/* The cells of both maps by rank, which the searches need. */
static wend_status rank_cells(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    bool done = true;
    if (!repair->next) { /* at first */
        repair->next = 1;
        repair->flags = wend_allocate_zeroed(&repair->common.allocator, repair->cells, 1);
        if (!repair->flags) return WEND_STATUS_NO_MEMORY;
        for (int i = 0; i < 2; i++) {
            const uint32_t labels = i ? !repair->shown : repair->shown;
            if (!wend_cpd_ranks_begin(&repair->ranking[i], i ? repair->new : repair->old,
                                      repair->labels[labels], repair->label_counts[labels], repair->order,
                                      repair->ranks, &repair->common.allocator))
                return WEND_STATUS_NO_MEMORY;
        }
    }
    *spent = wend_cpd_ranks_go(&repair->ranking[0], operations, &done);
    if (done) *spent = wend_cpd_ranks_go(&repair->ranking[1], operations, &done) + 1;
    if (!done) return WEND_OK;
    repair->stage = WEND_CPD_REACH;
    return wend_cpd_reach_begin(repair) ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

static wend_status begin_rows(wend_cpd_repair *repair) {
    wend_cpd_reach_rest(repair);
    wend_cpd_ranks_release(&repair->ranking[0]);
    repair->stage = WEND_CPD_ROWS;
    return wend_cpd_rows_begin(repair) ? WEND_OK : WEND_STATUS_NO_MEMORY;
}

static wend_status find_reach(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_status status = wend_cpd_reach_go(repair, operations, spent);
    if (status != WEND_OK) return status;
    if (repair->reach.stage == WEND_REACH_DONE) return begin_rows(repair);
    if (repair->reach.stage == WEND_REACH_ALL) repair->stage = WEND_CPD_MARK_ALL, repair->at = 0;
    return WEND_OK;
}

/* All rows, and no columns. */
static wend_status mark_all(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    const uint32_t begin = repair->at, left = ranks->count - begin;
    const uint32_t end = left < operations ? ranks->count : begin + (uint32_t)operations;
    for (uint32_t i = begin; i < end; i++) {
        repair->reach.targets[i] = (wend_cpd_target){0};
        repair->flags[ranks->cells[i]] = WEND_CPD_NEEDS_ROW;
        repair->reach.blocks[wend_cpd_block_of(repair, ranks->cells[i])] = WEND_CPD_NEEDS_ROW;
    }
    repair->at = end, *spent = end - begin + 1;
    if (end < ranks->count) return WEND_OK;
    repair->whole = true, repair->reach.classes.count = 0;
    repair->tally.all = ranks->count;
    return begin_rows(repair);
}

static wend_status make_rows(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    wend_status status = wend_cpd_rows_go(repair, operations, spent);
    if (repair->making.stage != WEND_ROWS_DONE) return status;
    wend_cpd_rows_release(repair);
    repair->stage = WEND_CPD_ASSIGN, repair->at = 0;
    return status;
}

/* The generation is counted: from now on its rows and columns are in use. */
static void publish(wend_cpd_repair *repair) {
    repair->common.info.generation++;
    repair->shown = !repair->shown;
    repair->synced = true;
    repair->stage = WEND_CPD_SETTLE_CELLS, repair->at = 0;
}

static uint64_t assign(wend_cpd_repair *repair, uint64_t operations) {
    const wend_ranks *ranks = &repair->ranking[1].ranks;
    const uint32_t begin = repair->at, left = ranks->count - begin;
    const uint32_t end = left < operations ? ranks->count : begin + (uint32_t)operations;
    for (uint32_t i = begin; i < end; i++) {
        const wend_cpd_target *target = &repair->reach.targets[i];
        if (target->marks & WEND_TARGET_REACHED)
            repair->columns[ranks->cells[i]] = repair->reach.classes.list[target->class].patch;
    }
    repair->at = end;
    if (end == ranks->count) publish(repair);
    return end - begin + 1;
}

/* Nobody asks for a replaced row any more, and with all rows new for no column. */
static void settle_cell(wend_cpd_repair *repair, wend_cell cell) {
    wend_cpd_patch *row = repair->rows[cell];
    if (row && row->generation == repair->common.info.generation) {
        repair->tally.rows += !row->older;
        drop_patch(repair, row->older, 1); /* which has none itself */
        row->older = NULL;
    }
    if (!repair->whole || !repair->columns[cell]) return;
    repair->tally.columns--;
    drop_patch(repair, repair->columns[cell], 1);
    repair->columns[cell] = NULL;
}

static void settle_class(wend_cpd_repair *repair, wend_cpd_class *class) {
    if (!class->patch) return;
    if (class->patch->older)
        drop_patch(repair, class->patch->older, class->count);
    else
        repair->tally.columns += class->count;
    class->patch->older = NULL;
}

/* `old` becomes what `new` is, and what was replaced goes. */
static uint64_t settle(wend_cpd_repair *repair, uint64_t operations) {
    const uint32_t ends[] = {repair->changed_count, repair->cells, repair->reach.classes.count};
    const uint32_t end = ends[repair->stage - WEND_CPD_SETTLE_CELLS];
    uint64_t spent = 1;
    for (; repair->at < end && spent < operations; repair->at++, spent++) {
        if (repair->stage == WEND_CPD_SETTLE_ROWS) {
            settle_cell(repair, repair->at);
        } else if (repair->stage == WEND_CPD_SETTLE_COLUMNS) {
            settle_class(repair, &repair->reach.classes.list[repair->at]);
        } else {
            wend_cell cell = repair->changed[repair->at];
            set_cell(repair->old, cell, wend_map_is_open_cell(repair->new, cell));
        }
    }
    if (repair->at < end) return spent;
    repair->at = 0;
    if (repair->stage < WEND_CPD_SETTLE_COLUMNS) {
        repair->stage++;
    } else {
        release_work(repair);
        repair->stage = WEND_CPD_IDLE;
    }
    return spent;
}

/* Back to the last repair that was completed. */
static void give_up(wend_repair *common) {
    wend_cpd_repair *repair = (wend_cpd_repair *)common;
    for (wend_cell i = 0; i < repair->cells; i++) {
        wend_cpd_patch *row = repair->rows[i], *column = repair->columns[i];
        if (row && row->generation > repair->common.info.generation) {
            repair->rows[i] = row->older;
            drop_patch(repair, row, 1);
        }
        if (column && column->generation > repair->common.info.generation) repair->columns[i] = column->older;
    }
    for (uint32_t i = 0; i < repair->reach.classes.count; i++) {
        wend_cpd_class *class = &repair->reach.classes.list[i];
        if (class->count) drop_patch(repair, class->patch, class->count);
    }
    release_work(repair);
    for (uint32_t i = 0; i < repair->changed_count; i++)
        set_cell(repair->new, repair->changed[i], wend_map_is_open_cell(repair->old, repair->changed[i]));
    repair->stage = WEND_CPD_IDLE;
    repair->synced = false;
}

static wend_status go_on(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent) {
    *spent = 1;
    switch (repair->stage) {
    case WEND_CPD_IDLE:
        begin_comparing(repair);
        break;
    case WEND_CPD_COMPARE_MAPS:
        *spent = compare_maps(repair);
        break;
    case WEND_CPD_CLEAR:
        *spent = clear_labels(repair);
        break;
    case WEND_CPD_LABEL:
        *spent = label_cells(repair, operations);
        break;
    case WEND_CPD_RANKS:
        return rank_cells(repair, operations, spent);
    case WEND_CPD_REACH:
        return find_reach(repair, operations, spent);
    case WEND_CPD_MARK_ALL:
        return mark_all(repair, operations, spent);
    case WEND_CPD_ROWS:
        return make_rows(repair, operations, spent);
    case WEND_CPD_ASSIGN:
        *spent = assign(repair, operations);
        break;
    case WEND_CPD_SETTLE_CELLS:
    case WEND_CPD_SETTLE_ROWS:
    case WEND_CPD_SETTLE_COLUMNS:
        *spent = settle(repair, operations);
        break;
    }
    return WEND_OK;
}

/* With fewer operations at a time than LEAST some stages would count and not come on. */
static wend_status go(wend_repair *common, uint64_t operations, uint64_t *used, wend_error *error) {
    wend_cpd_repair *repair = (wend_cpd_repair *)common;
    wend_status status = go_on(repair, operations < LEAST ? LEAST : operations, used);
    if (status == WEND_OK || status == WEND_STATUS_NO_MEMORY) return status;
    return wend_fail(error, status, "repair: %s", wend_status_text(status));
}

static bool current(const wend_repair *common) {
    const wend_cpd_repair *repair = wend_cpd_repair_of(common);
    return repair->stage == WEND_CPD_IDLE && wend_cpd_repair_current(repair);
}

static const wend_map *seen(const wend_repair *common) {
    return wend_cpd_repair_of(common)->new;
}

static size_t facts(const wend_repair *common, wend_fact *list, size_t capacity) {
    const wend_cpd_tally *tally = &wend_cpd_repair_of(common)->tally;
    const wend_fact all[] = {{"searched", tally->searched},
                             {"all", tally->all},
                             {"rows", tally->rows},
                             {"columns", tally->columns},
                             {"runs", (double)tally->runs}};
    const size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < capacity; i++) list[i] = all[i];
    return count;
}

wend_direction wend_cpd_repair_move(const wend_repair *repair, wend_cell from, wend_cell to) {
    if (!repair || repair->db->kind != &wend_db_cpd) return WEND_CPD_NO_WAY;
    return (wend_direction)wend_cpd_repair_look_up(wend_cpd_repair_of(repair), from, to);
}

const wend_repair_kind wend_cpd_repair_kind = {
    .size = sizeof(wend_cpd_repair),
    .check = check,
    .create = create,
    .release = release,
    .go = go,
    .give_up = give_up,
    .current = current,
    .seen = seen,
    .facts = facts,
};
