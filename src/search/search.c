/* One-to-one optimal searches: the workspace, its growth, and paths out of it. */
#include "search/search.h"
#include "base/options.h"
#include "search/watched.h"

#include "base/memory.h"
#include "base/status.h"
#include "search/adaptive.h"
#include "search/jumps.h"
#include "search/kernels/scan.h"
#include "search/learnt.h"

#include <string.h>

/* Searches that run to their end: A*, and jump points from tables or from the map's bits. */
typedef enum way_of_search { BY_CELLS, BY_TABLES, BY_SCANS, BY_ROOTS } way_of_search;

/* Several cells to search from: a list, or the border of an area. */
typedef struct root_set {
    const wend_xy *list; /* NULL: an area, which lies on the map */
    wend_rect area;
    size_t count;
} root_set;

enum { FIRST_NODES = 1024, FIRST_CHUNKS = 64, FIRST_SLOTS = 1024 };

void wend_search_options_init(wend_search_options *options, size_t size) {
    const wend_search_options own = {.struct_size = 0};
    wend_options_init(options, size, &own, sizeof own);
}

static const wend_kernel *plain_kernel(const wend_search *search) {
    return search->wide ? &wend_kernel_wide : &wend_kernel_narrow;
}

/* Of searches that run to their end: narrow until a search has outgrown that. Nobody should watch one that
 * begins again. */
static bool wide_sums(const wend_search *search) {
    return search->outgrown || (search->watch && search->wide);
}

static const wend_kernel *corner_kernel(bool wide) {
    return wide ? &wend_kernel_corner_wide : &wend_kernel_corner;
}

static const wend_kernel *whole_kernel(const wend_search *search, way_of_search how) {
    bool wide = wide_sums(search);
    if (how == BY_TABLES) return corner_kernel(wide);
    if (how == BY_ROOTS) return plain_kernel(search);
    if (how == BY_SCANS) return wide ? &wend_kernel_scan_wide : &wend_kernel_scan;
    return wide ? &wend_kernel_whole_wide : &wend_kernel_whole;
}

void wend_search_fit(wend_search *search, uint32_t open) {
    search->most_open = open;
    search->wide = wend_map_cost_bound(search->map, open) > UINT32_MAX;
    search->kernel = plain_kernel(search);
}

static size_t block_bytes(bool shares) {
    return sizeof(wend_search) + (shares ? 0 : sizeof(wend_onward));
}

wend_status wend_search_create_sharing(const wend_map *map, const wend_search_options *options,
                                       const wend_onward *onward, wend_search **search, wend_error *error) {
    if (!map || !search) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map to search");
    *search = NULL;
    wend_search_options own = wend_default_search_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "search", error);
    if (status != WEND_OK) return status;
    options = &own;
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    const size_t bytes = block_bytes(onward);
    if (options->max_bytes && options->max_bytes < bytes)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "a search takes at least %zu bytes", bytes);
    wend_search *made = wend_allocate_zeroed(&allocator, bytes, 1);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a search");
    made->map = map;
    made->allocator = allocator;
    made->max_bytes = options->max_bytes ? options->max_bytes : SIZE_MAX;
    made->bytes = bytes;
    wend_search_fit(made, map->cells);
    made->queue.buckets = &made->buckets;
    made->shares = onward;
    made->onward = onward;
    if (!onward) {
        wend_onward *behind = (wend_onward *)(made + 1);
        wend_onward_fill(map, behind);
        made->onward = behind;
    }
    *search = made;
    return WEND_OK;
}

wend_status wend_search_create(const wend_map *map, const wend_search_options *options, wend_search **search,
                               wend_error *error) {
    return wend_search_create_sharing(map, options, NULL, search, error);
}

static size_t queue_bytes(const wend_search *search, size_t room) {
    return room ? room * search->node_bytes + WEND_QUEUE_ALIGNMENT : 0;
}

static size_t chunk_bytes(const wend_search *search, size_t chunks) {
    return chunks * WEND_CHUNK * search->node_bytes;
}

static void drop_nodes(wend_search *search) {
    size_t bytes = queue_bytes(search, search->queue.room);
    search->bytes -= bytes;
    wend_release(&search->allocator, search->queue_block, bytes, 1);
    search->queue_block = search->queue.nodes = NULL, search->queue.room = 0;
    wend_buckets *buckets = &search->buckets;
    search->bytes -= chunk_bytes(search, buckets->room);
    wend_release(&search->allocator, buckets->nodes, chunk_bytes(search, buckets->room), 1);
    buckets->nodes = NULL, buckets->room = 0;
}

static size_t corner_bytes(const wend_search *search) {
    return search->corner.wide ? sizeof(wend_record_corner_wide) : sizeof(wend_record_corner);
}

static void drop_corners(wend_search *search) {
    wend_corner_state *s = &search->corner;
    wend_release(&search->allocator, s->records, s->count, corner_bytes(search));
    search->bytes -= s->count * corner_bytes(search);
    s->records = NULL, s->count = 0;
}

void wend_search_destroy(wend_search *search) {
    if (!search) return;
    wend_allocator allocator = search->allocator;
    drop_nodes(search);
    wend_learnt_release(search);
    wend_adaptive_release(search);
    drop_corners(search);
    wend_release(&allocator, search->cells, search->cell_count, search->record_bytes);
    wend_release(&allocator, search->scan.slots, search->scan.slot_count, search->scan.slot_bytes);
    if (search->scan.columns)
        wend_release(&allocator, search->scan.columns, wend_scan_columns_bytes(search->map), 1);
    wend_release(&allocator, search, block_bytes(search->shares), 1);
}

size_t wend_search_bytes(const wend_search *search) {
    return search->bytes;
}

static bool is_scanning(const wend_search *search) {
    return search->kernel == &wend_kernel_scan || search->kernel == &wend_kernel_scan_wide;
}

size_t wend_search_peak_bytes(const wend_search *search) {
    size_t cells = search->adaptive.on ? search->adaptive.known : search->touched;
    size_t floors =
        (search->adaptive.floors + 1) * (search->adaptive.on ? sizeof *search->adaptive.floor : 0);
    return block_bytes(search->shares) + cells * search->kernel->record_bytes + floors +
           search->queue.peak * search->node_bytes + chunk_bytes(search, search->buckets.used) +
           (is_scanning(search) ? wend_scan_columns_bytes(search->map) : 0);
}

/* Growing. WEND_STATUS_NO_MEMORY: the allocator refused. WEND_STATUS_TOO_LARGE: the caller's cap does not
 * allow it; while something grows, the old and the new block both count. In all cases the old contents are
 * intact. */
static wend_status charge(const wend_search *search, size_t more) {
    return search->bytes <= search->max_bytes && more <= search->max_bytes - search->bytes
               ? WEND_OK
               : WEND_STATUS_TOO_LARGE;
}

static wend_status resize_queue(wend_search *search, size_t room) {
    wend_queue *queue = &search->queue;
    if (room > UINT32_MAX / 8) return WEND_STATUS_TOO_LARGE;
    size_t before = queue_bytes(search, queue->room), bytes = queue_bytes(search, room);
    wend_status status = charge(search, bytes);
    if (status != WEND_OK) return status;
    uint8_t *block = wend_allocate(&search->allocator, bytes, 1);
    if (!block) return WEND_STATUS_NO_MEMORY;
    size_t past = (uintptr_t)block % WEND_QUEUE_ALIGNMENT;
    uint8_t *nodes = block + (past ? WEND_QUEUE_ALIGNMENT - past : 0);
    if (queue->room) memcpy(nodes, queue->nodes, queue->end * search->node_bytes);
    wend_release(&search->allocator, search->queue_block, before, 1);
    search->queue_block = block, queue->nodes = nodes, queue->room = (uint32_t)room;
    search->bytes += bytes - before;
    return WEND_OK;
}

static wend_status grow_nodes(wend_search *search) {
    return resize_queue(search, search->queue.room ? (size_t)search->queue.room * 2 : FIRST_NODES);
}

/* Twice as many chunks. The buckets are in use: what is in them stays. */
static wend_status grow_chunks(wend_search *search) {
    wend_buckets *buckets = &search->buckets;
    size_t room = buckets->room ? (size_t)buckets->room * 2 : FIRST_CHUNKS;
    if (room > UINT32_MAX / WEND_CHUNK / 8) return WEND_STATUS_TOO_LARGE;
    size_t before = chunk_bytes(search, buckets->room), bytes = chunk_bytes(search, room);
    wend_status status = charge(search, bytes);
    if (status != WEND_OK) return status;
    void *nodes = wend_allocate(&search->allocator, bytes, 1);
    if (!nodes) return WEND_STATUS_NO_MEMORY;
    if (buckets->room) memcpy(nodes, buckets->nodes, before);
    wend_release(&search->allocator, buckets->nodes, before, 1);
    buckets->vacant += (uint32_t)room - buckets->room;
    buckets->nodes = nodes, buckets->room = (uint32_t)room;
    search->bytes += bytes - before;
    return WEND_OK;
}

/* The kernel of the search to come, and a queue for its nodes. */
static void use_kernel(wend_search *search, const wend_kernel *kernel) {
    if (search->node_bytes != kernel->node_bytes) drop_nodes(search);
    search->kernel = kernel, search->node_bytes = kernel->node_bytes;
}

wend_status wend_search_reserve_queue(wend_search *search, const wend_kernel *kernel, uint32_t room) {
    use_kernel(search, kernel);
    wend_queue_clear(&search->queue);
    return search->queue.room >= room ? WEND_OK : resize_queue(search, room);
}

/* Records for so many corners, in the width of the search's kernel. */
static wend_status take_corners(wend_search *search, uint32_t count) {
    wend_corner_state *s = &search->corner;
    if (s->wide != search->kernel->wide) drop_corners(search);
    s->wide = search->kernel->wide;
    if (s->count >= count) return WEND_OK;
    size_t size = corner_bytes(search);
    wend_status status = charge(search, count * size);
    if (status != WEND_OK) return status;
    uint8_t *larger = wend_allocate_zeroed(&search->allocator, count, size);
    if (!larger) return WEND_STATUS_NO_MEMORY;
    if (s->count) memcpy(larger, s->records, s->count * size);
    wend_release(&search->allocator, s->records, s->count, size);
    search->bytes += (count - s->count) * size;
    s->records = larger, s->count = count;
    return WEND_OK;
}

static wend_status resize_scan_slots(wend_search *search, size_t capacity) {
    wend_scan *scan = &search->scan;
    size_t size = search->kernel->record_bytes, before = (size_t)scan->slot_count * scan->slot_bytes;
    if (capacity > UINT32_MAX / 2) return WEND_STATUS_TOO_LARGE;
    wend_status status = charge(search, capacity * size);
    if (status != WEND_OK) return status;
    uint8_t *slots = wend_allocate_zeroed(&search->allocator, capacity, size), *old = scan->slots;
    if (!slots) return WEND_STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < scan->slot_count && scan->slot_bytes == size; i++) {
        const wend_record_scan *record = (const void *)(old + i * size);
        if (record->tag >> WEND_TAG_STAMP != search->stamp) continue;
        uint32_t mask = (uint32_t)capacity - 1, slot = wend_slot_of(record->cell, mask);
        while (((const wend_record_scan *)(const void *)(slots + slot * size))->tag) slot = (slot + 1) & mask;
        memcpy(slots + slot * size, record, size);
    }
    wend_release(&search->allocator, old, before, 1);
    scan->slots = slots, scan->slot_count = (uint32_t)capacity, scan->slot_bytes = (uint32_t)size;
    search->bytes += capacity * size - before;
    return WEND_OK;
}

static wend_status prepare_scan(wend_search *search) {
    wend_scan *scan = &search->scan;
    if (!scan->columns) {
        size_t bytes = wend_scan_columns_bytes(search->map);
        wend_status status = charge(search, bytes);
        if (status != WEND_OK) return status;
        scan->columns = wend_allocate_zeroed(&search->allocator, bytes, 1);
        if (!scan->columns) return WEND_STATUS_NO_MEMORY;
        search->bytes += bytes;
    }
    wend_scan_follow(scan, search->map);
    bool good = scan->slots && scan->slot_bytes == search->kernel->record_bytes;
    return good ? WEND_OK : resize_scan_slots(search, FIRST_SLOTS);
}

/* Makes room for the search to go on after WEND_ENDED_FULL: of one kind, and if that was not all, it will stop
 * again. */
static wend_status grow(wend_search *search) {
    if (wend_search_over_corners(search)) return grow_nodes(search);
    if (is_scanning(search)) {
        if (search->scan.slot_count / 2 - search->touched < 2)
            return resize_scan_slots(search, (size_t)search->scan.slot_count * 2);
    } else if (search->buckets.vacant < WEND_DIRECTIONS) {
        return grow_chunks(search);
    }
    return grow_nodes(search);
}

/* Records of the kernel's size. Edits between searches, and costs that outgrew theirs, may ask for others. */
static wend_status take_cells(wend_search *search) {
    size_t size = search->kernel->record_bytes, bytes = search->map->cells * size;
    if (search->cells && search->record_bytes == size) return WEND_OK;
    wend_release(&search->allocator, search->cells, search->cell_count, search->record_bytes);
    search->bytes -= (size_t)search->cell_count * search->record_bytes;
    search->cells = NULL, search->cell_count = 0;
    wend_status status = charge(search, bytes);
    if (status != WEND_OK) return status;
    search->cells = wend_allocate_zeroed(&search->allocator, search->map->cells, size);
    if (!search->cells) return WEND_STATUS_NO_MEMORY;
    search->cell_count = search->map->cells;
    search->record_bytes = search->kernel->record_bytes, search->tag_at = search->kernel->tag_at;
    search->bytes += bytes;
    return WEND_OK;
}

/* Memory for a search of this kind. */
static wend_status prepare(wend_search *search, const wend_kernel *kernel) {
    use_kernel(search, kernel);
    wend_status status = search->queue.nodes ? WEND_OK : grow_nodes(search);
    if (status != WEND_OK) return status;
    if (wend_search_over_corners(search)) return take_corners(search, search->jumps->corners->count);
    if (is_scanning(search)) return prepare_scan(search);
    status = search->buckets.nodes ? WEND_OK : grow_chunks(search);
    return status == WEND_OK ? take_cells(search) : status;
}

bool wend_search_tired(const wend_search *search) {
    return search->stamp == WEND_LAST_STAMP;
}

void wend_search_refresh(wend_search *search) {
    if (search->cells) memset(search->cells, 0, (size_t)search->cell_count * search->record_bytes);
    if (search->corner.count) memset(search->corner.records, 0, search->corner.count * corner_bytes(search));
    if (search->scan.slots)
        memset(search->scan.slots, 0, (size_t)search->scan.slot_count * search->scan.slot_bytes);
    search->stamp = 0;
    if (search->adaptive.on) wend_adaptive_forget(search);
}

/* Puts the start into the emptied queue. All kernels start alike. */
static void set_root(wend_search *search) {
    wend_xy goal = wend_map_xy(search->map, search->goal);
    search->goal_x = (uint32_t)goal.x, search->goal_y = (uint32_t)goal.y;
    if (wend_search_tired(search)) wend_search_refresh(search);
    search->stamp++; /* no record carries it */
    WEND_ASSERT(search->stamp <= WEND_LAST_STAMP);
    wend_queue_clear(&search->queue);
    search->touched = 0, search->expansions = 0, search->operations = 0, search->buckets.used = 0;
    search->kernel->root(search);
}

wend_status wend_search_reserve(wend_search *search, uint32_t room) {
    wend_status status = wend_search_reserve_queue(search, search->kernel, room);
    return status == WEND_OK ? take_cells(search) : status;
}

wend_status wend_search_reserve_corners(wend_search *search, const wend_jumps *jumps, uint32_t room) {
    use_kernel(search, corner_kernel(search->wide));
    search->corner.limit = WEND_NO_COST;
    wend_status status = search->queue.room >= room ? WEND_OK : resize_queue(search, room);
    return status == WEND_OK ? take_corners(search, jumps->corners->count) : status;
}

void wend_search_begin(wend_search *search, wend_cell start, wend_cell goal) {
    search->found = false;
    if (search->adaptive.on) {
        wend_adaptive_close(search);
        if (goal != search->goal) wend_adaptive_move_goal(search, goal);
        bool full = search->stamp + 1 >= search->adaptive.first + search->adaptive.floor_room;
        if (search->adaptive.tainted || full || wend_search_tired(search)) wend_adaptive_forget(search);
    }
    WEND_ASSERT(search->queue.nodes && start < search->map->cells && goal < search->map->cells);
    search->start = start, search->goal = goal;
    set_root(search);
}

/* Moves in one direction, on the way back along a path. Jump-point searches have pieces between their nodes: from
 * `corner` by primary moves, then by secondary ones. */
typedef struct path_leg {
    wend_cell from, to;
    uint32_t direction, steps;
    wend_cell corner;
} path_leg;

/* Before the last leg. */
static path_leg path_end(const wend_search *search) {
    return (path_leg){.from = search->goal, .corner = search->goal};
}

static bool has_pieces(const wend_search *search) {
    return wend_search_over_corners(search) || is_scanning(search);
}

/* The node from which the path goes to its goal. */
static wend_cell last_node(const wend_search *search) {
    if (is_scanning(search)) return search->scan.seen_from;
    uint32_t last = search->corner.last;
    return last == WEND_NO_CORNER ? search->start : search->jumps->corners->list[last].cell;
}

/* The node before a node; WEND_NO_CELL before the start. */
static wend_cell node_before(const wend_search *search, wend_cell node) {
    if (is_scanning(search)) return search->kernel->look(search, node).parent;
    if (node == search->start) return WEND_NO_CELL;
    const wend_corner_graph *corners = search->jumps->corners;
    uint32_t parent = wend_corner_parent(search, wend_corner_of(corners, node));
    return parent == WEND_NO_CORNER ? search->start : corners->list[parent].cell;
}

/* The last leg of a piece from `corner` to another cell. */
static void last_of_piece(const wend_map *map, path_leg *leg) {
    wend_xy from = wend_map_xy(map, leg->corner), to = wend_map_xy(map, leg->to);
    wend_piece piece = wend_piece_of(map, (uint32_t)from.x, (uint32_t)from.y, (uint32_t)to.x, (uint32_t)to.y);
    leg->direction = piece.rest ? piece.turn : piece.direction;
    leg->steps = piece.rest ? piece.rest : piece.first;
    leg->from = leg->to - leg->steps * (uint32_t)map->offset[leg->direction];
}

/* The leg before this one; false if it was the first. */
static bool last_leg(const wend_search *search, path_leg *leg) {
    leg->to = leg->from;
    if (has_pieces(search)) {
        if (leg->corner == leg->to && leg->to == search->goal && last_node(search) != search->goal)
            leg->corner = last_node(search);
        else if (leg->corner == leg->to)
            leg->corner = node_before(search, leg->to);
        if (leg->corner == WEND_NO_CELL) return false;
        last_of_piece(search->map, leg);
        return true;
    }
    leg->direction = wend_search_reached(search, leg->to), leg->steps = 1;
    if (leg->direction == WEND_TAG_ROOT) return false;
    leg->from = leg->to - (uint32_t)search->map->offset[leg->direction];
    return true;
}

static void count_moves(wend_search *search) {
    search->straight = search->diagonal = 0;
    for (path_leg leg = path_end(search); last_leg(search, &leg);) {
        if (wend_is_diagonal(leg.direction))
            search->diagonal += leg.steps;
        else
            search->straight += leg.steps;
    }
}

wend_ended wend_search_run(wend_search *search, uint64_t budget, uint64_t outdated) {
    if (WEND_UNLIKELY(search->watch && search->kernel->best))
        return wend_watched_run(search, budget, outdated);
    return search->kernel->run(search, budget, outdated);
}

/* Blocked cells, and those outside, are no roots: WEND_NO_CELL. */
static wend_cell root_at(const wend_map *map, const root_set *roots, size_t i) {
    wend_xy at;
    if (roots->list) {
        at = roots->list[i];
    } else {
        const wend_rect area = roots->area;
        const int32_t n = (int32_t)i, wide = area.width, sides = n - 2 * wide;
        if (n < 2 * wide)
            at = (wend_xy){area.x + n % wide, n < wide ? area.y : area.y + area.height - 1};
        else
            at = (wend_xy){sides % 2 ? area.x + wide - 1 : area.x, area.y + 1 + sides / 2};
    }
    wend_cell cell = wend_map_cell(map, at.x, at.y);
    return cell != WEND_NO_CELL && wend_map_is_open_cell(map, cell) ? cell : WEND_NO_CELL;
}

/* Puts the other roots into the queue, which has room for them. A queue without buckets takes them in any order. */
static void add_roots(wend_search *search, const root_set *roots) {
    const wend_cell first = search->start;
    for (size_t i = 0; i < roots->count; i++) {
        search->start = root_at(search->map, roots, i);
        if (search->start != WEND_NO_CELL && search->start != first) search->kernel->root(search);
    }
    search->start = first;
}

/* Searches from search->start, or all roots, to search->goal. */
static wend_status run_to_end(wend_search *search, way_of_search how, const root_set *roots,
                              wend_result *result, wend_error *error) {
    wend_status status;
    wend_ended ended = WEND_ENDED_FULL;
    do {
        status = prepare(search, whole_kernel(search, how));
        while (roots && status == WEND_OK && search->queue.room < roots->count + 2 * WEND_DIRECTIONS)
            status = grow_nodes(search);
        if (status != WEND_OK) break;
        set_root(search);
        if (roots) add_roots(search, roots);
        while ((ended = wend_search_run(search, UINT64_MAX, UINT64_MAX)) == WEND_ENDED_FULL)
            if ((status = grow(search)) != WEND_OK) break;
        search->outgrown = search->outgrown || ended == WEND_ENDED_OUTGROWN;
    } while (ended == WEND_ENDED_OUTGROWN);
    if (status == WEND_STATUS_NO_MEMORY) return wend_fail(error, status, "no memory to go on searching");
    *result = (wend_result){.found = status != WEND_OK          ? WEND_FOUND_OUT_OF_MEMORY
                                     : ended == WEND_ENDED_GOAL ? WEND_FOUND_PATH
                                                                : WEND_FOUND_UNREACHABLE,
                            .cost = WEND_NO_COST,
                            .expansions = search->expansions,
                            .operations = search->operations};
    if (result->found != WEND_FOUND_PATH) return WEND_OK;
    search->found = true;
    count_moves(search);
    result->straight = search->straight, result->diagonal = search->diagonal;
    result->path_cells = search->straight + search->diagonal + 1;
    result->cost = search->straight * search->map->cost[0] + search->diagonal * search->map->cost[1];
    return WEND_OK;
}

static wend_status solve(wend_search *search, way_of_search how, wend_cell start, wend_cell goal,
                         wend_cost limit, wend_result *result, wend_error *error) {
    search->found = false;
    wend_status status = wend_map_check_open(search->map, start, "start", error);
    if (status == WEND_OK) status = wend_map_check_open(search->map, goal, "goal", error);
    if (status != WEND_OK) return status;
    search->corner.limit = limit, search->start = start, search->goal = goal;
    return run_to_end(search, how, NULL, result, error);
}

wend_status wend_search_astar(wend_search *search, wend_cell start, wend_cell goal, wend_result *result,
                              wend_error *error) {
    if (!search || !result)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no search, or nowhere to put its result");
    return solve(search, BY_CELLS, start, goal, WEND_NO_COST, result, error);
}

wend_status wend_search_find(wend_search *search, wend_xy start, wend_xy goal, wend_xy *path, size_t capacity,
                             wend_result *result, wend_error *error) {
    if (!search || !result)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no search, or nowhere to put its result");
    const wend_map *map = search->map;
    wend_status status = solve(search, BY_SCANS, wend_map_cell(map, start.x, start.y),
                               wend_map_cell(map, goal.x, goal.y), WEND_NO_COST, result, error);
    if (status != WEND_OK || result->found != WEND_FOUND_PATH || !path) return status;
    uint64_t at = result->path_cells - 1;
    for (path_leg leg = path_end(search); last_leg(search, &leg);) {
        wend_xy cell = wend_map_xy(map, leg.to);
        for (uint32_t i = 0; i < leg.steps; i++, at--) {
            if (at < capacity) path[at] = cell;
            cell.x -= wend_dx[leg.direction], cell.y -= wend_dy[leg.direction];
        }
    }
    if (capacity) path[0] = start;
    return WEND_OK;
}

/* From all goals to the start at a time: the first to get there is the nearest. Moves are the same both ways. */
static wend_status find_nearest(wend_search *search, wend_xy start, const root_set *roots, wend_xy *path,
                                size_t capacity, wend_result *result, wend_error *error) {
    const wend_map *map = search->map;
    const wend_cell from = wend_map_cell(map, start.x, start.y);
    search->found = false;
    wend_status status = wend_map_check_open(map, from, "start", error);
    if (status != WEND_OK) return status;
    search->start = WEND_NO_CELL, search->goal = from;
    for (size_t i = 0; i < roots->count && search->start == WEND_NO_CELL; i++)
        search->start = root_at(map, roots, i);
    if (search->start == WEND_NO_CELL)
        return wend_fail(error, WEND_STATUS_BLOCKED, "none of the goals is an open cell");
    status = run_to_end(search, BY_ROOTS, roots, result, error);
    if (status != WEND_OK || result->found != WEND_FOUND_PATH) return status;
    search->found = false; /* its path runs the other way: there is nothing for wend_search_moves */
    if (!path || !capacity) return WEND_OK;
    size_t at = 0;
    path_leg leg = path_end(search);
    path[at++] = start;
    while (at < capacity && last_leg(search, &leg)) path[at++] = wend_map_xy(map, leg.from);
    return WEND_OK;
}

wend_status wend_search_find_any(wend_search *search, wend_xy start, const wend_xy *goals, size_t count,
                                 wend_xy *path, size_t capacity, wend_result *result, wend_error *error) {
    if (!search || !result || !goals)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "no search, no goals, or nowhere to put its result");
    const root_set roots = {.list = goals, .count = count};
    return find_nearest(search, start, &roots, path, capacity, result, error);
}

wend_status wend_search_find_area(wend_search *search, wend_xy start, wend_rect area, wend_xy *path,
                                  size_t capacity, wend_result *result, wend_error *error) {
    if (!search || !result)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no search, or nowhere to put its result");
    const wend_map *map = search->map;
    const int64_t east = (int64_t)area.x + area.width, south = (int64_t)area.y + area.height;
    if (area.x < 0) area.x = 0;
    if (area.y < 0) area.y = 0;
    const int64_t width = (east < map->width ? east : map->width) - area.x;
    const int64_t height = (south < map->height ? south : map->height) - area.y;
    if (width < 1 || height < 1)
        return wend_fail(error, WEND_STATUS_OUTSIDE, "no part of the area lies on the map");
    area.width = (int32_t)width, area.height = (int32_t)height;
    const bool inside =
        start.x >= area.x && start.x < area.x + width && start.y >= area.y && start.y < area.y + height;
    if (inside)
        return find_nearest(search, start, &(root_set){.list = &start, .count = 1}, path, capacity, result,
                            error);
    const size_t count = 2 * (size_t)area.width + (area.height > 2 ? 2 * ((size_t)area.height - 2) : 0);
    return find_nearest(search, start, &(root_set){.area = area, .count = count}, path, capacity, result,
                        error);
}

wend_status wend_search_jps(wend_search *search, const wend_jumps *jumps, wend_cell start, wend_cell goal,
                            wend_result *result, wend_error *error) {
    return wend_search_jps_within(search, jumps, start, goal, WEND_NO_COST, result, error);
}

static wend_status by_tables(wend_search *search, const wend_jumps *jumps, const uint64_t *flags,
                             wend_cell start, wend_cell goal, wend_cost limit, wend_result *result,
                             wend_error *error) {
    if (!search || !jumps || !result)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT,
                         "no search, no jump tables, or nowhere to put the result");
    search->found = false;
    if (jumps->map != search->map)
        return wend_fail(error, WEND_STATUS_OTHER_MAP, "the jump tables are for another map");
    if (jumps->revision != search->map->revision)
        return wend_fail(error, WEND_STATUS_STALE, "the map was edited after the jump tables were made");
    search->jumps = jumps, search->corner.flags = flags;
    return solve(search, BY_TABLES, start, goal, limit, result, error);
}

wend_status wend_search_jps_within(wend_search *search, const wend_jumps *jumps, wend_cell start,
                                   wend_cell goal, wend_cost limit, wend_result *result, wend_error *error) {
    return by_tables(search, jumps, NULL, start, goal, limit, result, error);
}

wend_status wend_search_jps_flagged(wend_search *search, const wend_jumps *jumps, const uint64_t *flags,
                                    wend_cell start, wend_cell goal, wend_result *result, wend_error *error) {
    return by_tables(search, jumps, flags, start, goal, WEND_NO_COST, result, error);
}

size_t wend_search_moves(const wend_search *search, wend_direction *moves, size_t capacity) {
    if (!search->found) return 0;
    size_t length = (size_t)(search->straight + search->diagonal), end = length;
    if (!moves) return length;
    for (path_leg leg = path_end(search); last_leg(search, &leg);) {
        size_t first = end - leg.steps, last = end < capacity ? end : capacity;
        if (first < last) memset(moves + first, (int)leg.direction, last - first);
        end = first;
    }
    return length;
}

size_t wend_search_path(const wend_search *search, wend_cell *cells, size_t capacity) {
    if (!search->found) return 0;
    size_t length = (size_t)(search->straight + search->diagonal) + 1, at = length - 1;
    if (!cells) return length;
    for (path_leg leg = path_end(search); last_leg(search, &leg);)
        for (uint32_t i = 0; i < leg.steps; i++, at--)
            if (at < capacity) cells[at] = leg.to - i * (uint32_t)search->map->offset[leg.direction];
    if (capacity) cells[0] = search->start;
    return length;
}
