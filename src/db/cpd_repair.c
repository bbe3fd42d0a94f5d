/* Repairing a path database after edits, as an overlay: what "Ultra-fast optimal pathfinding without runtime
 * search" (Botea, AIIDE 2011) names as future work.
 *
 * Let M be the map that the answers are right for, N the one with the edits, and `near` all cells within
 * some columns and rows, the margin, of a changed one. Every move that has become legal or illegal leads from
 * a near cell to a near cell. The near cells that have a neighbour which is not near are the rim: no path
 * comes in but by a rim cell. Anew, by searches on N, are made:
 *
 * - the row (answers from it) and the column (answers to it) of every near cell;
 * - the column of every cell whose distance to some rim cell is another on N than on M.
 *
 * All other answers stay, and are right on N. Proof: let s not be near, t have no new column. (1) A shortest
 * path from s to t on N that keeps out of `near` is there on M too; one that comes in by a rim cell a costs
 * what its part outside does, at least d_M(s, a), and d_N(a, t) = d_M(a, t). So d_N(s, t) >= d_M(s, t). (2)
 * The path of the answers from s to t on M either keeps out of `near`, and is there on N; or comes in first
 * by a rim cell a, and from there N has a way as short, since d_N(a, t) = d_M(a, t). Either way a path on N
 * begins with the old answer and costs d_M(s, t), which by (1) is the shortest there is.
 *
 * So a repair costs a search for each near cell, a second one for each of the rim, and one for each further
 * column. Those are few where a change hides little: about the cells straight behind it, seen from the rim. A
 * door that is shut or opened between two halves of a map changes all distances between them, and then a
 * build is cheaper than a repair.
 *
 * All of it is done in slices, on snapshots, while the answers of the last complete repair stay in use;
 * completing one is a matter of counting its generation. */
#include "db/cpd_repair.h"
#include "db/cpd_list.h"

#include <string.h>

/* A block's search takes about as much a source as a thirtieth of one from it alone. And so many rim cells
 * are looked at before it is given up to find less. */
enum { WHOLE_SHARE = 30, RIMS_SHARE = 96 };
enum { LEAST_MARGIN = 2, MOST_MARGIN = 8, SLICE = 2048, CLEARED_AT_ONCE = 16 };
enum { IS_NEAR = 1, IS_LISTED = 2 };
#define ANY ((1u << WEND_CPD_SYMBOLS) - 1)

/* Memory ------------------------------------------------------------------------------------------------ */

wend_cpd_repair_options wend_default_cpd_repair_options(void) {
    return (wend_cpd_repair_options){.cookie = WEND_OPTIONS_COOKIE};
}

static size_t patch_bytes(uint32_t runs) {
    return sizeof(wend_cpd_patch) + runs * sizeof(uint32_t);
}

static void drop_patch(wend_cpd_repair *repair, wend_cpd_patch *patch) {
    if (!patch) return;
    size_t bytes = patch_bytes(patch->count);
    repair->bytes -= bytes;
    repair->info.runs -= patch->count;
    wend_release(&repair->allocator, patch, bytes, 1);
}

static void release_patches(wend_cpd_repair *repair, wend_cpd_patch **patches) {
    for (uint32_t i = 0; patches && i < repair->cells; i++)
        while (patches[i]) {
            wend_cpd_patch *older = patches[i]->older;
            drop_patch(repair, patches[i]);
            patches[i] = older;
        }
    wend_release(&repair->allocator, patches, repair->cells, sizeof *patches);
}

void wend_cpd_repair_destroy(wend_cpd_repair *repair) {
    if (!repair) return;
    wend_allocator allocator = repair->allocator;
    const size_t cells = repair->cells;
    wend_cpd_blocks_release(&repair->blocks);
    release_patches(repair, repair->rows);
    release_patches(repair, repair->columns);
    wend_buffer_release(&repair->runs);
    wend_release(&allocator, repair->work, cells, sizeof *repair->work);
    wend_release(&allocator, repair->changed, cells, sizeof *repair->changed);
    wend_release(&allocator, repair->flags, cells, sizeof *repair->flags);
    wend_release(&allocator, repair->labels[1], cells, sizeof **repair->labels);
    wend_release(&allocator, repair->labels[0], cells, sizeof **repair->labels);
    wend_release(&allocator, repair->order, cells, sizeof *repair->order);
    wend_release(&allocator, repair->rank, cells, sizeof *repair->rank);
    wend_field_destroy(repair->after);
    wend_field_destroy(repair->before);
    wend_map_destroy(repair->new);
    wend_map_destroy(repair->old);
    wend_release(&allocator, repair, 1, sizeof *repair);
}

static bool take_maps(wend_cpd_repair *repair) {
    const wend_map *first = repair->db->map;
    if (wend_map_create_within(first, &repair->allocator, &repair->old) != WEND_OK ||
        wend_map_create_within(first, &repair->allocator, &repair->new) != WEND_OK)
        return false;
    wend_map_take_cells(repair->old, first);
    wend_map_take_cells(repair->new, first);
    wend_field_options options = wend_default_field_options();
    options.allocator = repair->allocator;
    options.towards = false;
    if (wend_field_create(repair->old, &options, &repair->before, NULL) != WEND_OK) return false;
    options.towards = options.from = true;
    return wend_field_create(repair->new, &options, &repair->after, NULL) == WEND_OK;
}

static bool take_tables(wend_cpd_repair *repair) {
    const wend_allocator *allocator = &repair->allocator;
    const size_t cells = repair->cells;
    repair->rank = wend_allocate(allocator, cells, sizeof *repair->rank);
    repair->order = wend_allocate(allocator, cells, sizeof *repair->order);
    repair->rows = wend_allocate_zeroed(allocator, cells, sizeof *repair->rows);
    repair->columns = wend_allocate_zeroed(allocator, cells, sizeof *repair->columns);
    for (int i = 0; i < 2; i++)
        repair->labels[i] = wend_allocate_zeroed(allocator, cells, sizeof **repair->labels);
    repair->flags = wend_allocate_zeroed(allocator, cells, sizeof *repair->flags);
    repair->changed = wend_allocate(allocator, cells, sizeof *repair->changed);
    repair->work = wend_allocate(allocator, cells, sizeof *repair->work);
    if (!repair->rank || !repair->order || !repair->rows || !repair->columns || !repair->labels[0] ||
        !repair->labels[1] || !repair->flags || !repair->changed || !repair->work)
        return false;
    repair->ranks = repair->db->map->open_cells;
    for (uint32_t i = 0; i < cells; i++) repair->rank[i] = WEND_NO_RANK;
    wend_cpd_read_order(repair->db, repair->order);
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
        labels[cell] = ++repair->label;
        repair->work[repair->work_count++] = cell;
    }
    wend_cell cell = repair->work[repair->next++];
    for (uint32_t moves = wend_map_moves(map, cell); moves; moves &= moves - 1) {
        wend_cell next = cell + (uint32_t)map->offset[wend_lowest_bit(moves)];
        if (labels[next]) continue;
        labels[next] = repair->label;
        repair->work[repair->work_count++] = next;
    }
    return 1 + WEND_DIRECTIONS;
}

static bool labelled(const wend_cpd_repair *repair) {
    return repair->at == repair->cells && repair->next == repair->work_count;
}

static void begin_labels(wend_cpd_repair *repair) {
    repair->at = repair->next = repair->work_count = 0;
    repair->label = 0;
}

static size_t fixed_bytes(const wend_cpd_repair *repair) {
    size_t cell = sizeof *repair->rank + sizeof *repair->order + sizeof *repair->rows +
                  sizeof *repair->columns + 2 * sizeof **repair->labels + sizeof *repair->flags +
                  sizeof *repair->changed + sizeof *repair->work;
    return sizeof *repair + repair->cells * cell + wend_map_bytes(repair->old) + wend_map_bytes(repair->new);
}

static size_t all_bytes(const wend_cpd_repair *repair) {
    return repair->bytes + wend_field_bytes(repair->before) + wend_field_bytes(repair->after) +
           repair->runs.capacity + (repair->blocks.many ? wend_cpd_blocks_bytes(repair->new) : 0);
}

static wend_status check_arguments(const wend_db *db, const wend_map *map,
                                   const wend_cpd_repair_options *options, wend_error *error) {
    if (!options || options->cookie != WEND_OPTIONS_COOKIE)
        return wend_fail(error, WEND_BAD_ARGUMENT,
                         "repair options must come from wend_default_cpd_repair_options()");
    if (db->kind != &wend_db_cpd)
        return wend_fail(error, WEND_BAD_ARGUMENT, "a repair is of a database of kind cpd, not %s",
                         db->kind->info.name);
    if (wend_cpd_lists_of(db))
        return wend_fail(error, WEND_UNSUPPORTED,
                         "a repair is of runs, and this database has lists of rectangles");
    if (!db->map)
        return wend_fail(error, WEND_BAD_ARGUMENT, "the database was opened without a map, to look at only");
    if (map->width != db->map->width || map->height != db->map->height ||
        map->rules.connect != db->map->rules.connect || map->rules.corners != db->map->rules.corners ||
        map->rules.diagonal != db->map->rules.diagonal)
        return wend_fail(error, WEND_OTHER_MAP,
                         "the map has another size or other rules than the database's");
    return WEND_OK;
}

wend_status wend_cpd_repair_create(const wend_db *db, const wend_map *map,
                                   const wend_cpd_repair_options *options, wend_cpd_repair **repair,
                                   wend_error *error) {
    if (!db || !map || !repair)
        return wend_fail(error, WEND_BAD_ARGUMENT, "no database, map or place for a repair");
    *repair = NULL;
    wend_status status = check_arguments(db, map, options, error);
    if (status != WEND_OK) return status;
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_cpd_repair *made = wend_allocate_zeroed(&allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_NO_MEMORY, "no memory for a repair");
    made->db = db, made->base = wend_cpd_of(db), made->map = map, made->cells = map->cells;
    made->allocator = allocator;
    made->coarse = options->coarse;
    made->max_bytes = options->max_bytes ? options->max_bytes : SIZE_MAX;
    made->runs.allocator = &made->allocator;
    if (!take_maps(made) || !take_tables(made)) {
        wend_cpd_repair_destroy(made);
        return wend_fail(error, WEND_NO_MEMORY, "no memory for a repair of %u cells", map->cells);
    }
    made->bytes = fixed_bytes(made);
    if (all_bytes(made) > made->max_bytes) {
        size_t bytes = all_bytes(made);
        wend_cpd_repair_destroy(made);
        return wend_fail(error, WEND_NO_MEMORY, "a repair of %u cells takes %zu bytes, more than is allowed",
                         map->cells, bytes);
    }
    begin_labels(made);
    while (!labelled(made)) (void)label_on(made);
    made->shown = !made->shown;
    made->revision = map->stamp;
    made->synced = memcmp(map->bits, made->new->bits, made->new->bits_bytes) == 0;
    *repair = made;
    return WEND_OK;
}

/* Rows and columns -------------------------------------------------------------------------------------- */

static wend_status no_room(wend_error *error) {
    return wend_fail(error, WEND_NO_MEMORY, "no memory, or no more allowed, for repaired rows");
}

static bool add_run(wend_cpd_repair *repair, uint32_t end) {
    uint32_t symbol = repair->set >> WEND_CPD_GREEDY & 1 ? WEND_CPD_GREEDY : wend_lowest_bit(repair->set);
    uint32_t run = repair->begin << WEND_CPD_RUN_SHIFT | symbol;
    repair->begin = end, repair->set = ANY;
    return wend_buffer_add(&repair->runs, &run, sizeof run);
}

static bool make_patch(wend_cpd_repair *repair, const uint32_t *runs, uint32_t count,
                       wend_cpd_patch **place) {
    size_t bytes = patch_bytes(count);
    if (all_bytes(repair) > repair->max_bytes || bytes > repair->max_bytes - all_bytes(repair)) return false;
    wend_cpd_patch *patch = wend_allocate(&repair->allocator, bytes, 1);
    if (!patch) return false;
    patch->older = *place, patch->generation = repair->generation + 1, patch->count = count;
    memcpy(patch->runs, runs, count * sizeof *runs);
    *place = patch;
    repair->bytes += bytes;
    repair->info.runs += count;
    return true;
}

static bool finish_patch(wend_cpd_repair *repair, wend_cpd_patch **place) {
    return make_patch(repair, (const uint32_t *)(const void *)repair->runs.data,
                      (uint32_t)(repair->runs.size / sizeof(uint32_t)), place);
}

static void begin_patch(wend_cpd_repair *repair, wend_cpd_stage stage) {
    repair->stage = stage;
    repair->at = repair->begin = 0, repair->set = ANY;
    repair->runs.size = 0;
}

/* All moves that do from one cell to the other: of a row from `own`, of a column to it. Any where there is
 * no question. */
static uint32_t moves_between(const wend_cpd_repair *repair, wend_cell own, wend_cell other, bool row) {
    uint32_t set = row ? wend_field_from(repair->after, other) : wend_field_towards(repair->after, other);
    if (!set) return ANY;
    uint32_t greedy = wend_cpd_greedy(repair->base, row ? own : other, row ? other : own);
    return set | (set >> greedy & 1) << WEND_CPD_GREEDY;
}

/* Longest runs first: with a given order of cells no other way has fewer. True when all is written. */
static wend_status encode_on(wend_cpd_repair *repair, bool row, uint64_t operations, uint64_t *spent,
                             bool *done, wend_error *error) {
    wend_cell own = repair->work[repair->next];
    uint64_t count = repair->ranks - repair->at < operations ? repair->ranks - repair->at : operations;
    *spent = count + 1;
    for (uint32_t end = repair->at + (uint32_t)count; repair->at < end; repair->at++) {
        uint32_t set = moves_between(repair, own, repair->order[repair->at], row);
        if (!(set & repair->set) && !add_run(repair, repair->at)) return no_room(error);
        repair->set &= set;
    }
    *done = repair->at == repair->ranks;
    if (!*done) return WEND_OK;
    bool good = add_run(repair, repair->ranks) &&
                finish_patch(repair, row ? &repair->rows[own] : &repair->columns[own]);
    return good ? WEND_OK : no_room(error);
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
    if (memcmp(repair->map->bits + (y + 1) * map->row_bytes, map->bits + (y + 1) * map->row_bytes,
               map->row_bytes) == 0)
        return spent;
    for (uint32_t x = 0; x < width; x++) {
        bool open = wend_bit(repair->map, x, y);
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
    repair->revision = repair->map->stamp;
    repair->synced = false;
    repair->at = repair->changed_count = repair->rims = 0;
    repair->info.searched = repair->info.all = 0;
}

static uint64_t compare_maps(wend_cpd_repair *repair) {
    uint64_t spent = compare_row(repair);
    repair->info.changed = repair->changed_count;
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

static void begin_near(wend_cpd_repair *repair, int32_t margin) {
    repair->stage = WEND_CPD_FLAGS;
    repair->margin = margin;
    repair->at = repair->next = repair->work_count = 0;
}

static uint64_t label_cells(wend_cpd_repair *repair, uint64_t operations) {
    uint64_t spent = 0;
    while (spent < operations && !labelled(repair)) spent += label_on(repair);
    if (labelled(repair)) begin_near(repair, LEAST_MARGIN);
    return spent + 1;
}

static uint64_t clear_flags(wend_cpd_repair *repair) {
    uint32_t left = repair->cells - repair->at, most = SLICE * CLEARED_AT_ONCE;
    uint32_t count = left < most ? left : most;
    memset(repair->flags + repair->at, 0, count);
    repair->at += count;
    if (repair->at == repair->cells) repair->stage = WEND_CPD_NEAR, repair->at = 0;
    return count / CLEARED_AT_ONCE + 1;
}

/* Lists the cells around a changed one. */
static uint64_t list_near(wend_cpd_repair *repair) {
    const int32_t margin = repair->margin;
    wend_xy middle = wend_map_xy(repair->new, repair->changed[repair->at++]);
    for (int32_t y = middle.y - margin; y <= middle.y + margin; y++)
        for (int32_t x = middle.x - margin; x <= middle.x + margin; x++) {
            wend_cell cell = wend_map_cell(repair->new, x, y);
            if (cell == WEND_NO_CELL || repair->flags[cell]) continue;
            repair->flags[cell] = IS_NEAR;
            if (wend_map_is_open_cell(repair->new, cell)) repair->work[repair->work_count++] = cell;
        }
    if (repair->at == repair->changed_count) {
        repair->stage = WEND_CPD_RIM;
        repair->near_count = repair->info.all = repair->work_count;
    }
    return (uint64_t)(2 * margin + 1) * (uint64_t)(2 * margin + 1);
}

/* Whether a near cell has a neighbour that is not. Rim cells have not changed: they are open on both maps. */
static bool on_rim(const wend_cpd_repair *repair, wend_cell cell) {
    wend_xy middle = wend_map_xy(repair->new, cell);
    for (int32_t i = 0; i < 9; i++) {
        wend_cell other = wend_map_cell(repair->new, middle.x - 1 + i % 3, middle.y - 1 + i / 3);
        if (other != WEND_NO_CELL && repair->flags[other] != IS_NEAR) return true;
    }
    return false;
}

/* With the rim done: whether a wider one may save more than it costs. Twice the margin has up to four times
 * the near cells. */
static bool worth_another(const wend_cpd_repair *repair) {
    uint32_t columns = repair->work_count - repair->near_count;
    return repair->margin < MOST_MARGIN && columns / 4 > repair->near_count;
}

/* The generation is counted: from now on its rows and columns are in use. */
static void publish(wend_cpd_repair *repair) {
    repair->generation++;
    repair->shown = !repair->shown;
    repair->synced = true;
    repair->stage = WEND_CPD_SETTLE;
    repair->at = repair->next = 0;
}

/* Whether rows of all cells cost less than what is listed, with little hope that a wider margin has less; and
 * there is room for that. */
static bool worth_all(const wend_cpd_repair *repair) {
    const uint32_t open = repair->new->open_cells;
    if (!repair->coarse || repair->work_count <= open / WHOLE_SHARE) return false;
    bool hope = repair->margin < MOST_MARGIN && repair->near_count <= open / WHOLE_SHARE &&
                repair->rims <= open / RIMS_SHARE;
    size_t bytes = all_bytes(repair), more = wend_cpd_blocks_bytes(repair->new);
    return !hope && bytes < repair->max_bytes && more < repair->max_bytes - bytes;
}

static wend_status begin_all(wend_cpd_repair *repair, wend_error *error) {
    repair->stage = WEND_CPD_BLOCKS;
    repair->whole = true;
    repair->work_count = 0;
    for (uint32_t i = 0; i < repair->ranks; i++)
        if (wend_map_is_open_cell(repair->new, repair->order[i]))
            repair->work[repair->work_count++] = repair->order[i];
    repair->near_count = repair->info.all = repair->work_count;
    return wend_cpd_blocks_create(repair->new, repair->order, repair->ranks, repair->rank, &repair->allocator,
                                  &repair->blocks, error);
}

static wend_status take_row(void *context, wend_cell source, const uint32_t *runs, uint32_t count) {
    wend_cpd_repair *repair = context;
    repair->info.searched++;
    return make_patch(repair, runs, count, &repair->rows[source]) ? WEND_OK : WEND_NO_MEMORY;
}

static wend_status next_block(wend_cpd_repair *repair, uint64_t *spent, wend_error *error) {
    wend_status status = wend_cpd_blocks_next(&repair->blocks, take_row, repair, spent);
    if (status != WEND_OK) return no_room(error);
    if (repair->blocks.next < repair->blocks.count) return WEND_OK;
    wend_cpd_blocks_release(&repair->blocks);
    publish(repair);
    return WEND_OK;
}

static wend_status next_of_rim(wend_cpd_repair *repair, wend_error *error) {
    if (worth_all(repair)) return begin_all(repair, error);
    if (repair->next == repair->near_count) {
        if (worth_another(repair))
            begin_near(repair, 2 * repair->margin);
        else
            repair->stage = WEND_CPD_CHOOSE, repair->next = 0;
        return WEND_OK;
    }
    wend_cell cell = repair->work[repair->next++];
    if (!on_rim(repair, cell)) return WEND_OK;
    repair->stage = WEND_CPD_BEFORE;
    repair->rims++;
    wend_status status = wend_field_begin(repair->before, cell, error);
    return status == WEND_OK ? wend_field_begin(repair->after, cell, error) : status;
}

/* Cells at another distance from a rim cell than before get a column. */
static uint64_t compare_distances(wend_cpd_repair *repair, uint64_t operations) {
    uint64_t left = repair->cells - repair->at, count = left < operations ? left : operations;
    for (uint32_t end = repair->at + (uint32_t)count; repair->at < end; repair->at++) {
        if (repair->flags[repair->at] ||
            wend_field_cost(repair->before, repair->at) == wend_field_cost(repair->after, repair->at))
            continue;
        repair->flags[repair->at] = IS_LISTED;
        repair->work[repair->work_count++] = repair->at;
        repair->info.all = repair->work_count;
    }
    if (repair->at == repair->cells) repair->stage = WEND_CPD_RIM;
    return count + 1;
}

static wend_status choose(wend_cpd_repair *repair, wend_error *error) {
    repair->info.searched = repair->next;
    if (repair->next == repair->work_count) {
        publish(repair);
        return WEND_OK;
    }
    repair->stage = WEND_CPD_SEARCH;
    return wend_field_begin(repair->after, repair->work[repair->next], error);
}

static void drop_older(wend_cpd_repair *repair, wend_cpd_patch *patch, uint32_t *count) {
    if (!patch) return;
    *count += !patch->older;
    drop_patch(repair, patch->older); /* which has none itself */
    patch->older = NULL;
}

/* `old` becomes what `new` is, and nobody asks for replaced patches any more. */
static uint64_t settle(wend_cpd_repair *repair) {
    if (repair->at < repair->changed_count) {
        wend_cell cell = repair->changed[repair->at++];
        set_cell(repair->old, cell, wend_map_is_open_cell(repair->new, cell));
    } else if (repair->next < repair->work_count) {
        wend_cell cell = repair->work[repair->next++];
        if (repair->next <= repair->near_count) drop_older(repair, repair->rows[cell], &repair->info.rows);
        if (repair->whole) {
            repair->info.columns -= repair->columns[cell] != NULL;
            drop_patch(repair, repair->columns[cell]);
            repair->columns[cell] = NULL;
        } else {
            drop_older(repair, repair->columns[cell], &repair->info.columns);
        }
    } else {
        repair->stage = WEND_CPD_IDLE;
        repair->whole = false;
    }
    return 1;
}

/* Back to the last repair that was completed. */
static void give_up(wend_cpd_repair *repair) {
    for (uint32_t i = 0; i < repair->work_count; i++) {
        wend_cpd_patch **places[2] = {&repair->rows[repair->work[i]], &repair->columns[repair->work[i]]};
        for (int j = 0; j < 2; j++)
            if (*places[j] && (*places[j])->generation > repair->generation) {
                wend_cpd_patch *older = (*places[j])->older;
                drop_patch(repair, *places[j]);
                *places[j] = older;
            }
    }
    for (uint32_t i = 0; i < repair->changed_count; i++)
        set_cell(repair->new, repair->changed[i], wend_map_is_open_cell(repair->old, repair->changed[i]));
    wend_cpd_blocks_release(&repair->blocks);
    repair->whole = false;
    wend_buffer_release(&repair->runs);
    repair->runs = (wend_buffer){.allocator = &repair->allocator};
    repair->stage = WEND_CPD_IDLE;
    repair->synced = false;
}

static wend_status go_on(wend_cpd_repair *repair, uint64_t operations, uint64_t *spent, wend_error *error) {
    bool done = false;
    wend_status status = WEND_OK;
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
    case WEND_CPD_FLAGS:
        *spent = clear_flags(repair);
        break;
    case WEND_CPD_NEAR:
        *spent = list_near(repair);
        break;
    case WEND_CPD_RIM:
        *spent = 10;
        status = next_of_rim(repair, error);
        break;
    case WEND_CPD_BEFORE:
        *spent = operations;
        status = wend_field_go(repair->before, operations, &done, error);
        if (done) repair->stage = WEND_CPD_AFTER;
        break;
    case WEND_CPD_AFTER:
        *spent = operations;
        status = wend_field_go(repair->after, operations, &done, error);
        if (done) repair->stage = WEND_CPD_DISTANCES, repair->at = 0;
        break;
    case WEND_CPD_DISTANCES:
        *spent = compare_distances(repair, operations);
        break;
    case WEND_CPD_CHOOSE:
        status = choose(repair, error);
        break;
    case WEND_CPD_SEARCH:
        *spent = operations;
        status = wend_field_go(repair->after, operations, &done, error);
        if (done) begin_patch(repair, repair->next < repair->near_count ? WEND_CPD_ROW : WEND_CPD_COLUMN);
        break;
    case WEND_CPD_ROW:
        status = encode_on(repair, true, operations, spent, &done, error);
        if (done) begin_patch(repair, WEND_CPD_COLUMN);
        break;
    case WEND_CPD_COLUMN:
        status = encode_on(repair, false, operations, spent, &done, error);
        if (done) repair->stage = WEND_CPD_CHOOSE, repair->next++;
        break;
    case WEND_CPD_BLOCKS:
        status = next_block(repair, spent, error);
        break;
    case WEND_CPD_SETTLE:
        *spent = settle(repair);
        break;
    }
    return status;
}

wend_status wend_cpd_repair_step(wend_cpd_repair *repair, uint64_t operations, bool *done,
                                 wend_error *error) {
    if (!repair || !done) return wend_fail(error, WEND_BAD_ARGUMENT, "no repair to go on with");
    uint64_t spent = repair->debt;
    wend_status status = WEND_OK;
    while (status == WEND_OK && spent < operations &&
           !(repair->stage == WEND_CPD_IDLE && wend_cpd_repair_current(repair))) {
        uint64_t slice = operations - spent < SLICE ? operations - spent : SLICE, used = 0;
        status = go_on(repair, slice < WEND_FIELD_LEAST ? WEND_FIELD_LEAST : slice, &used, error);
        spent += used, repair->info.operations += used;
    }
    repair->debt = spent > operations ? spent - operations : 0;
    *done = repair->stage == WEND_CPD_IDLE && wend_cpd_repair_current(repair);
    if (status != WEND_OK) give_up(repair);
    return status;
}

/* For the caller ---------------------------------------------------------------------------------------- */

wend_direction wend_cpd_repair_move(const wend_cpd_repair *repair, wend_cell from, wend_cell to) {
    return repair ? (wend_direction)wend_cpd_repair_look_up(repair, from, to) : WEND_CPD_NO_WAY;
}

wend_cpd_repair_info wend_cpd_repair_about(const wend_cpd_repair *repair) {
    wend_cpd_repair_info info = repair->info;
    info.generation = repair->generation;
    info.bytes = all_bytes(repair);
    return info;
}

wend_status wend_cpd_repair_write(const wend_cpd_repair *repair, const wend_build_options *options,
                                  const char *path, wend_error *error) {
    if (!repair || !path) return wend_fail(error, WEND_BAD_ARGUMENT, "no repair to write, or no path");
    if (repair->stage != WEND_CPD_IDLE || !wend_cpd_repair_current(repair))
        return wend_fail(error, WEND_STALE, "the map has been edited since the last complete repair");
    return wend_db_build(repair->new, &repair->db->settings, options, path, error);
}
