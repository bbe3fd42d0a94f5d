/* The searches are those of a build (search/many.h). Eight sources are followed along their rows at once: a
 * run goes on as long as its source has a move that does for all of its targets, or its greedy move does. */
#include "db/cpd_repair_blocks.h"

#include "db/cpd_repair.h"

#include <string.h>

enum { CELL_OPERATIONS = 24 }; /* a cell of a block's search takes the time of so many others */

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
                                   const uint32_t *places, const wend_allocator *allocator,
                                   wend_cpd_blocks *blocks, wend_error *error) {
    *blocks = (wend_cpd_blocks){.order = order, .targets = targets, .places = places};
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

/* Targets as sources of a block see them: left of it, right of it, or in one of its columns; the same for
 * rows. */
enum { VIEWS = WEND_BLOCK_WIDTH + 2, ALL_VIEWS = VIEWS * (WEND_BLOCK_HEIGHT + 2) };

/* Rows side by side, as far as they have come. By the lanes' places. */
typedef struct row_weave {
    uint8_t sets[WEND_PATCH_LANES];   /* directions that do for all of the run under way */
    uint8_t greedy[WEND_PATCH_LANES]; /* BIT: the greedy move does */
    uint8_t idle[WEND_PATCH_LANES];   /* BIT: no source is here */
    uint32_t begins[WEND_PATCH_LANES];
    uint32_t lanes;                            /* a multiple of 8 */
    uint8_t bits[ALL_VIEWS][WEND_PATCH_LANES]; /* by view of a target: the lanes' greedy directions */
} row_weave;

enum { BIT = 0x80 };
static const uint64_t bits_of_all = UINT64_C(0x8080808080808080);

/* BIT in every byte that is not 0. */
static uint64_t filled(uint64_t bytes) {
    return (((bytes & ~bits_of_all) + ~bits_of_all) | bytes) & bits_of_all;
}

static bool close_run(wend_cpd_blocks *blocks, const row_weave *weave, uint32_t lane) {
    uint32_t symbol = weave->greedy[lane] ? WEND_CPD_GREEDY : wend_lowest_bit(weave->sets[lane]);
    uint32_t run = weave->begins[lane] << WEND_CPD_RUN_SHIFT | symbol;
    return wend_buffer_add(&blocks->runs[lane], &run, sizeof run);
}

/* One lane's run ends before this place, and the next begins. */
static bool turn_lane(wend_cpd_blocks *blocks, row_weave *weave, uint32_t lane, uint32_t moves,
                      uint32_t greedy, uint32_t place) {
    if (weave->idle[lane] || !moves) return true; /* towards itself anything will do */
    uint32_t both = weave->sets[lane] & moves;
    uint8_t goes = weave->greedy[lane] && (moves & greedy) ? BIT : 0;
    if (!both && !goes) {
        if (!close_run(blocks, weave, lane)) return false;
        weave->begins[lane] = place;
        both = moves, goes = moves & greedy ? BIT : 0;
    }
    weave->sets[lane] = (uint8_t)both, weave->greedy[lane] = goes;
    return true;
}

/* The moves towards the target of this place in the row, for all lanes. */
static bool weave_on(wend_cpd_blocks *blocks, row_weave *weave, const uint8_t *moves, const uint8_t *bits,
                     uint32_t place) {
    for (uint32_t i = 0; i < weave->lanes; i += 8) {
        uint64_t set, greedy, idle, now, bit;
        memcpy(&set, weave->sets + i, sizeof set), memcpy(&greedy, weave->greedy + i, sizeof greedy);
        memcpy(&idle, weave->idle + i, sizeof idle);
        memcpy(&now, moves + i, sizeof now), memcpy(&bit, bits + i, sizeof bit);
        set &= now, greedy &= filled(now & bit);
        if ((filled(set) | greedy | idle) == bits_of_all) {
            memcpy(weave->sets + i, &set, sizeof set);
            memcpy(weave->greedy + i, &greedy, sizeof greedy);
            continue;
        }
        for (uint32_t lane = i; lane < i + 8; lane++)
            if (!turn_lane(blocks, weave, lane, moves[lane], bits[lane], place)) return false;
    }
    return true;
}

/* How the sources of the block at (x, y) see a target. */
static uint32_t view_of(const wend_map *map, wend_cell target, int32_t x, int32_t y) {
    wend_xy to = wend_map_xy(map, target);
    int32_t column = to.x - x + 1, row = to.y - y + 1;
    column = column < 0 ? 0 : column < VIEWS ? column : VIEWS - 1;
    row = row < 0 ? 0 : row < WEND_BLOCK_HEIGHT + 2 ? row : WEND_BLOCK_HEIGHT + 1;
    return (uint32_t)(row * VIEWS + column);
}

/* A lane's greedy directions. */
static void see(row_weave *weave, uint32_t place, uint32_t lane, int32_t connect) {
    int32_t column = (int32_t)(lane % WEND_PATCH_WIDTH), row = (int32_t)(lane / WEND_PATCH_WIDTH);
    for (int32_t i = 0; i < ALL_VIEWS; i++) {
        int32_t dx = i % VIEWS - column, dy = i / VIEWS - row;
        weave->bits[i][place] = (uint8_t)(dx || dy ? 1u << wend_greedy_move(connect, dx, dy) : 0);
    }
}

/* What a search has found: the moves of all lanes towards a target, and where in them a lane stands. */
static const uint8_t *moves_towards(const wend_cpd_blocks *blocks, uint32_t target) {
    return wend_many_moves(blocks->many, wend_many_cells(blocks->many)[target].pattern);
}

static uint32_t place_of(const wend_cpd_blocks *blocks, uint32_t lane) {
    return wend_many_place(blocks->many, lane);
}

static uint32_t lanes_of(const wend_cpd_blocks *blocks) {
    return wend_many_stride(blocks->many);
}

/* The rows of the lanes that the last search was made from, in `done`. */
static wend_status take_rows(wend_cpd_blocks *blocks, uint32_t component, const uint8_t *done, int32_t x,
                             int32_t y, wend_cpd_take_row take, void *context) {
    const wend_ranks *ranks = &blocks->ranks;
    const uint32_t first = ranks->firsts[component], count = ranks->firsts[component + 1] - first;
    row_weave weave = {.lanes = lanes_of(blocks)};
    wend_cell sources[WEND_PATCH_LANES];
    memset(weave.idle, BIT, sizeof weave.idle);
    for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) {
        if (!done[i]) continue;
        uint32_t place = place_of(blocks, i);
        weave.idle[place] = 0, weave.sets[place] = UINT8_MAX, weave.greedy[place] = BIT;
        see(&weave, place, i, ranks->map->rules.connect);
        sources[place] = wend_map_cell(ranks->map, x - 1 + (int32_t)(i % WEND_PATCH_WIDTH),
                                       y - 1 + (int32_t)(i / WEND_PATCH_WIDTH));
        blocks->runs[place].size = 0;
    }
    for (uint32_t target = 0; target < count; target++) { /* in the order of their places */
        wend_cell cell = ranks->cells[first + target];
        const uint8_t *bits = weave.bits[view_of(ranks->map, cell, x, y)];
        if (!weave_on(blocks, &weave, moves_towards(blocks, target), bits, blocks->places[cell]))
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
