/* The searches are those of a build (search/many.h). Rows are coded with directions alone, without the greedy
 * move, since eight sources can then be followed along their rows at once: a run goes on as long as its
 * source has a move that does for all of its targets. */
#include "db/cpd_repair_blocks.h"

#include "db/cpd_repair.h"

#include <string.h>

enum { CELL_OPERATIONS = 160 }; /* a cell of a block's search takes the time of so many others */

size_t wend_cpd_blocks_bytes(const wend_map *map) {
    return sizeof(wend_cpd_blocks) + wend_ranks_bytes(map) + wend_many_bytes(map->open_cells);
}

/* Components as they are, the cells of each in the order of the rows. */
static wend_status take_order(wend_cpd_blocks *blocks, const wend_allocator *allocator) {
    const wend_ranks *ranks = &blocks->ranks;
    size_t room = (size_t)ranks->count + 1;
    wend_cell *cells = wend_allocate(allocator, room, sizeof *cells);
    uint32_t *next = wend_allocate(allocator, (size_t)ranks->components + 1, sizeof *next);
    wend_status status = cells && next ? WEND_OK : WEND_NO_MEMORY;
    if (status == WEND_OK) {
        memcpy(next, ranks->firsts, ranks->components * sizeof *next);
        for (uint32_t i = 0; i < blocks->targets; i++) {
            uint32_t rank = ranks->rank[blocks->order[i]], low = 0, high = ranks->components;
            if (rank == WEND_NO_RANK) continue;
            while (high - low > 1) { /* firsts[low] <= rank < firsts[high] */
                uint32_t middle = low + (high - low) / 2;
                if (ranks->firsts[middle] <= rank)
                    low = middle;
                else
                    high = middle;
            }
            cells[next[low]++] = blocks->order[i];
        }
        wend_ranks_reorder(&blocks->ranks, cells);
    }
    wend_release(allocator, next, (size_t)ranks->components + 1, sizeof *next);
    wend_release(allocator, cells, room, sizeof *cells);
    return status;
}

wend_status wend_cpd_blocks_create(const wend_map *map, const wend_cell *order, uint32_t targets,
                                   const wend_allocator *allocator, wend_cpd_blocks *blocks,
                                   wend_error *error) {
    *blocks = (wend_cpd_blocks){.order = order, .targets = targets};
    blocks->across = ((uint32_t)map->width - 1) / WEND_BLOCK_WIDTH + 1;
    blocks->count = blocks->across * (((uint32_t)map->height - 1) / WEND_BLOCK_HEIGHT + 1);
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) blocks->runs[i].allocator = allocator;
    wend_status status = wend_ranks_create(map, allocator, &blocks->ranks, error);
    if (status != WEND_OK) {
        blocks->ranks = (wend_ranks){0};
        return status;
    }
    status = take_order(blocks, allocator);
    uint32_t largest = blocks->ranks.components ? blocks->ranks.firsts[1] : 1;
    if (status == WEND_OK)
        return wend_many_create(&blocks->ranks, largest, WEND_MANY_BEST, allocator, &blocks->many, error);
    return wend_fail(error, status, "no memory for the order of %u cells", blocks->ranks.count);
}

void wend_cpd_blocks_release(wend_cpd_blocks *blocks) {
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++)
        if (blocks->runs[i].allocator) wend_buffer_release(&blocks->runs[i]);
    if (blocks->many) wend_many_destroy(blocks->many);
    if (blocks->ranks.cells) wend_ranks_release(&blocks->ranks);
    *blocks = (wend_cpd_blocks){0};
}

/* Rows side by side, as far as they have come. */
typedef struct row_weave {
    uint8_t sets[WEND_PATCH_LANES];
    uint8_t idle[WEND_PATCH_LANES]; /* all bits where no source is */
    uint32_t begins[WEND_PATCH_LANES];
    uint32_t lanes; /* a multiple of 8 */
} row_weave;

static bool close_run(wend_cpd_blocks *blocks, const row_weave *weave, uint32_t lane) {
    uint32_t run = weave->begins[lane] << WEND_CPD_RUN_SHIFT | wend_lowest_bit(weave->sets[lane]);
    return wend_buffer_add(&blocks->runs[lane], &run, sizeof run);
}

/* The moves towards the target of this place in the row, for all lanes. */
static bool weave_on(wend_cpd_blocks *blocks, row_weave *weave, const uint8_t *moves, uint32_t place) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (uint32_t i = 0; i < weave->lanes; i += 8) {
        uint64_t set, idle, now;
        memcpy(&set, weave->sets + i, sizeof set), memcpy(&idle, weave->idle + i, sizeof idle);
        memcpy(&now, moves + i, sizeof now);
        set &= now | idle;
        if (!((set - ones) & ~set & (ones << 7))) { /* no byte is empty */
            memcpy(weave->sets + i, &set, sizeof set);
            continue;
        }
        for (uint32_t lane = i; lane < i + 8; lane++) {
            if (weave->idle[lane] || !moves[lane]) continue; /* towards itself anything will do */
            uint32_t both = weave->sets[lane] & moves[lane];
            if (!both) {
                if (!close_run(blocks, weave, lane)) return false;
                weave->begins[lane] = place;
            }
            weave->sets[lane] = (uint8_t)(both ? both : moves[lane]);
        }
    }
    return true;
}

/* What a search has found: the moves of all lanes towards a target, and where in them a lane stands. */
static const uint8_t *moves_towards(const wend_cpd_blocks *blocks, uint32_t target) {
    size_t stride;
    const uint8_t *all = wend_many_all_moves(blocks->many, &stride);
    return all + target * stride;
}

static uint32_t place_of(const wend_cpd_blocks *blocks, uint32_t lane) {
    size_t stride;
    return (uint32_t)(wend_many_moves(blocks->many, lane, &stride) - moves_towards(blocks, 0));
}

static uint32_t lanes_of(const wend_cpd_blocks *blocks) {
    size_t stride;
    (void)wend_many_all_moves(blocks->many, &stride);
    return (uint32_t)stride;
}

/* The rows of the lanes that the last search was made from, in `done`. */
static wend_status take_rows(wend_cpd_blocks *blocks, uint32_t component, const uint8_t *done, int32_t x,
                             int32_t y, wend_cpd_take_row take, void *context) {
    const wend_ranks *ranks = &blocks->ranks;
    const uint32_t first = ranks->firsts[component], count = ranks->firsts[component + 1] - first;
    row_weave weave = {.lanes = lanes_of(blocks)};
    wend_cell sources[WEND_PATCH_LANES];
    memset(weave.idle, 0xff, sizeof weave.idle);
    memset(weave.sets, 0xff, sizeof weave.sets);
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) {
        if (!done[i]) continue;
        uint32_t lane = place_of(blocks, i);
        weave.idle[lane] = 0;
        sources[lane] = wend_map_cell(ranks->map, x - 1 + (int32_t)(i % WEND_PATCH_WIDTH),
                                      y - 1 + (int32_t)(i / WEND_PATCH_WIDTH));
        blocks->runs[lane].size = 0;
    }
    for (uint32_t place = 0; place < blocks->targets; place++) {
        uint32_t target = ranks->rank[blocks->order[place]] - first;
        if (target < count && !weave_on(blocks, &weave, moves_towards(blocks, target), place))
            return WEND_NO_MEMORY;
    }
    wend_status status = WEND_OK;
    for (uint32_t lane = 0; lane < weave.lanes && status == WEND_OK; lane++) {
        if (weave.idle[lane]) continue;
        if (!close_run(blocks, &weave, lane)) return WEND_NO_MEMORY;
        const wend_buffer *runs = &blocks->runs[lane];
        status = take(context, sources[lane], (const uint32_t *)(const void *)runs->data,
                      (uint32_t)(runs->size / sizeof(uint32_t)));
    }
    return status;
}

wend_status wend_cpd_blocks_next(wend_cpd_blocks *blocks, wend_cpd_take_row take, void *context,
                                 uint64_t *operations) {
    const wend_ranks *ranks = &blocks->ranks;
    const int32_t x = (int32_t)(blocks->next % blocks->across * WEND_BLOCK_WIDTH),
                  y = (int32_t)(blocks->next / blocks->across * WEND_BLOCK_HEIGHT);
    uint32_t components[WEND_PATCH_LANES]; /* of sources; WEND_NO_RANK for none, or one that is done */
    blocks->next++;
    *operations = WEND_PATCH_LANES;
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) {
        int32_t column = (int32_t)(i % WEND_PATCH_WIDTH), row = (int32_t)(i / WEND_PATCH_WIDTH);
        bool inside = column >= 1 && column <= WEND_BLOCK_WIDTH && row >= 1 && row <= WEND_BLOCK_HEIGHT;
        wend_cell cell = inside ? wend_map_cell(ranks->map, x - 1 + column, y - 1 + row) : WEND_NO_CELL;
        components[i] = WEND_NO_RANK;
        if (cell == WEND_NO_CELL || ranks->rank[cell] == WEND_NO_RANK) continue;
        components[i] = 0;
        while (ranks->firsts[components[i] + 1] <= ranks->rank[cell]) components[i]++;
    }
    for (uint32_t i = 0; i < WEND_PATCH_LANES;) {
        const uint32_t component = components[i];
        if (component == WEND_NO_RANK) { /* it may take more than one search until it is */
            i++;
            continue;
        }
        uint8_t wanted[WEND_PATCH_LANES], done[WEND_PATCH_LANES];
        for (uint32_t j = 0; j < WEND_PATCH_LANES; j++) wanted[j] = done[j] = components[j] == component;
        wend_status status = wend_many_search(blocks->many, component, x, y, wanted);
        if (status != WEND_OK) return status;
        for (uint32_t j = 0; j < WEND_PATCH_LANES; j++) {
            if (wanted[j]) done[j] = 0;
            if (done[j]) components[j] = WEND_NO_RANK;
        }
        status = take_rows(blocks, component, done, x, y, take, context);
        if (status != WEND_OK) return status;
        *operations += (uint64_t)(ranks->firsts[component + 1] - ranks->firsts[component]) * CELL_OPERATIONS;
    }
    return WEND_OK;
}
