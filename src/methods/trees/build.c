/* Building the database of subgoal trees: layout.h says what it holds.
 *
 * A job is a block of 16 x 16 cells, level 2: a tree for each of its open cells in turn, whose pairs are
 * gathered with the sets of goals they hold for. What holds in some of the block's cells or parts alone is
 * its own. What holds in all of it is handed up to the levels above, which `finish` makes in the same way, a
 * block from 16 smaller ones. Blocked cells count for any pair. So a result is about as large as its part of
 * the file, not as the trees. */
#include "methods/trees/build.h"

#include "base/random.h"
#include "methods/trees/tree.h"

#include <string.h>

/* A pair and, for each part of a job, the cells in which it holds. */
typedef struct pair {
    uint32_t key, value;
    uint16_t goals[WEND_TREES_PARTS];
} pair;

typedef struct pairs {
    pair *list;
    uint32_t count, room;
    uint32_t *slots; /* numbers of pairs by hash, from 1; 0: none. A power of two, at most half in use */
    uint32_t slot_count;
} pairs;

typedef struct wend_trees_worker {
    wend_tree *tree;
    pairs pairs[WEND_TREES_RELATIONS];
    uint32_t *last;    /* of each tile, the subgoal that was met last for this goal */
    wend_buffer items; /* for sorting */
} wend_trees_worker;

/* Sorting ----------------------------------------------------------------------------------------------- */

static void sift_down(wend_trees_item *items, size_t at, size_t count, wend_trees_item moved) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && items[child].pair < items[child + 1].pair) child++;
        if (items[child].pair <= moved.pair) break;
        items[at] = items[child];
    }
    items[at] = moved;
}

void wend_trees_sort(wend_trees_item *items, size_t count) {
    for (size_t i = count / 2; i > 0; i--) sift_down(items, i - 1, count, items[i - 1]);
    for (size_t end = count; end > 1; end--) {
        wend_trees_item largest = items[0];
        sift_down(items, 0, end - 1, items[end - 1]);
        items[end - 1] = largest;
    }
}

/* Pairs of a job -------------------------------------------------------------------------------------- */

static uint32_t slot_of(const pairs *p, uint32_t key, uint32_t value) {
    return (uint32_t)wend_mix((uint64_t)key << 32 | value) & (p->slot_count - 1);
}

static bool grow(wend_trees_maker *made, pairs *p) {
    uint32_t room = p->room ? p->room * 2 : 512;
    pair *list = wend_enlarge(&made->allocator, p->list, p->room, room, sizeof *list);
    if (!list) return false;
    p->list = list, p->room = room;
    uint32_t *slots = wend_allocate_zeroed(&made->allocator, (size_t)room * 2, sizeof *slots);
    if (!slots) return false;
    wend_release(&made->allocator, p->slots, p->slot_count, sizeof *slots);
    p->slots = slots, p->slot_count = room * 2;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t slot = slot_of(p, list[i].key, list[i].value);
        while (slots[slot]) slot = (slot + 1) & (p->slot_count - 1);
        slots[slot] = i + 1;
    }
    return true;
}

/* Notes that a pair holds for a cell of the job. */
static bool note_pair(wend_trees_maker *made, pairs *p, uint32_t key, uint32_t value, uint32_t part,
                      uint32_t bit) {
    if (p->count == p->room && !grow(made, p)) return false;
    uint32_t slot = slot_of(p, key, value);
    for (; p->slots[slot]; slot = (slot + 1) & (p->slot_count - 1)) {
        pair *there = &p->list[p->slots[slot] - 1];
        if (there->key == key && there->value == value) {
            there->goals[part] |= (uint16_t)(1u << bit);
            return true;
        }
    }
    p->list[p->count] = (pair){.key = key, .value = value};
    p->list[p->count].goals[part] = (uint16_t)(1u << bit);
    p->slots[slot] = ++p->count;
    return true;
}

static void forget_pairs(pairs *p) {
    if (p->slots) memset(p->slots, 0, p->slot_count * sizeof *p->slots);
    p->count = 0;
}

/* The maker --------------------------------------------------------------------------------------------- */

/* Which blocks have an open cell, from level 1 up. */
static void find_filled(wend_trees_maker *made, const wend_map *map) {
    const wend_trees *shape = &made->shape;
    for (wend_cell cell = 0; cell < map->cells; cell++) {
        if (!wend_map_is_open_cell(map, cell)) continue;
        uint32_t y = cell / shape->width, x = cell % shape->width;
        for (uint32_t level = 1; level <= shape->levels; level++)
            made->filled[shape->first[level] + (y >> 2 * level) * shape->columns[level] + (x >> 2 * level)] =
                1;
    }
}

wend_status wend_trees_prepare(wend_builder *builder, wend_error *error) {
    const wend_allocator *allocator = &builder->allocator;
    wend_trees_maker *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    builder->state = made;
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for subgoal trees");
    made->allocator = *allocator, made->worker_count = builder->workers;
    made->share = wend_settings_integer(builder->settings, "share");
    made->tree_options = wend_default_tree_options();
    made->tree_options.test =
        wend_settings_integer(builder->settings, "test") ? WEND_TREE_PUSHED : WEND_TREE_FINAL;
    made->tree_options.allocator = *allocator;
    (void)wend_trees_lay_out(&made->shape, builder->map->width, builder->map->height);
    made->filled = wend_allocate_zeroed(allocator, made->shape.blocks, 1);
    made->jobs = wend_allocate(allocator, wend_trees_blocks_of(&made->shape, 2), sizeof *made->jobs);
    made->workers = wend_allocate_zeroed(allocator, made->worker_count, sizeof *made->workers);
    if (!made->filled || !made->jobs || !made->workers)
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for subgoal trees");
    find_filled(made, builder->map);
    for (uint32_t i = 0; i < wend_trees_blocks_of(&made->shape, 2); i++)
        if (made->filled[made->shape.first[2] + i]) made->jobs[builder->jobs++] = i;
    return WEND_OK;
}

void wend_trees_release(wend_builder *builder) {
    wend_trees_maker *made = builder->state;
    if (!made) return;
    wend_allocator allocator = made->allocator;
    for (uint32_t i = 0; made->workers && i < made->worker_count; i++) {
        wend_trees_worker *w = &made->workers[i];
        wend_tree_destroy(w->tree);
        wend_release(&allocator, w->last, made->shape.tiles, sizeof *w->last);
        wend_buffer_release(&w->items);
        for (int r = 0; r < WEND_TREES_RELATIONS; r++) {
            wend_release(&allocator, w->pairs[r].list, w->pairs[r].room, sizeof(pair));
            wend_release(&allocator, w->pairs[r].slots, w->pairs[r].slot_count, sizeof(uint32_t));
        }
    }
    wend_release(&allocator, made->workers, made->worker_count, sizeof *made->workers);
    wend_release(&allocator, made->jobs, wend_trees_blocks_of(&made->shape, 2), sizeof *made->jobs);
    wend_release(&allocator, made->filled, made->shape.blocks, 1);
    wend_release(&allocator, made, 1, sizeof *made);
    builder->state = NULL;
}

/* A worker's memory, taken when it first has work. */
static wend_status ready_worker(wend_trees_maker *made, const wend_map *map, wend_trees_worker *w) {
    if (!w->last) w->last = wend_allocate(&made->allocator, made->shape.tiles, sizeof *w->last);
    if (!w->last) return WEND_STATUS_NO_MEMORY;
    w->items.allocator = &made->allocator;
    return w->tree ? WEND_OK : wend_tree_create(map, &made->tree_options, &w->tree, NULL);
}

/* Jobs ------------------------------------------------------------------------------------------------ */

/* The goal itself is written as WEND_NO_CELL: then it is one value for all goals. */
static uint32_t value_of(const wend_tree *tree, wend_cell sub) {
    return sub == tree->goal ? WEND_NO_CELL : sub;
}

static bool note_starts(wend_trees_maker *made, wend_trees_worker *w, uint32_t part, uint32_t bit) {
    const wend_tree *tree = w->tree;
    const wend_map *map = tree->map;
    uint32_t columns = made->shape.tile_columns;
    memset(w->last, 0xff, made->shape.tiles * sizeof *w->last);
    for (uint32_t i = 1; i < tree->reached; i++) { /* all but the goal */
        wend_cell cell = tree->order[i], sub = wend_tree_sub(tree, cell);
        uint32_t y = wend_cell_y(map, cell), x = wend_cell_x(map, cell, y);
        uint32_t tile = y / WEND_TREES_TILE * columns + x / WEND_TREES_TILE;
        if (w->last[tile] == sub) continue;
        w->last[tile] = sub;
        if (!note_pair(made, &w->pairs[WEND_TREES_OF_STARTS], tile, value_of(tree, sub), part, bit))
            return false;
    }
    return true;
}

/* A tree in the plain form: how many nodes, then each with what comes after it, by cell. */
static bool add_plain_tree(wend_trees_worker *w, wend_buffer *result) {
    const wend_tree *tree = w->tree;
    w->items.size = 0;
    if (!wend_buffer_add(result, &tree->nodes, sizeof tree->nodes)) return false;
    for (uint32_t i = 0; i < tree->nodes; i++) {
        wend_cell cell = wend_tree_node(tree, i);
        wend_trees_item added = {(uint64_t)cell << 32 | value_of(tree, wend_tree_sub(tree, cell)), 0, 0};
        if (!wend_buffer_add(&w->items, &added, sizeof added)) return false;
    }
    wend_trees_item *items = (wend_trees_item *)(void *)w->items.data;
    wend_trees_sort(items, tree->nodes);
    for (uint32_t i = 0; i < tree->nodes; i++) {
        uint32_t words[2] = {(uint32_t)(items[i].pair >> 32), (uint32_t)items[i].pair};
        if (!wend_buffer_add(result, words, sizeof words)) return false;
    }
    return true;
}

static bool note_tree(wend_trees_maker *made, wend_trees_worker *w, uint32_t part, uint32_t bit) {
    const wend_tree *tree = w->tree;
    for (uint32_t i = 0; i < tree->nodes; i++) {
        wend_cell cell = wend_tree_node(tree, i);
        if (!note_pair(made, &w->pairs[WEND_TREES_OF_TREES], cell, value_of(tree, wend_tree_sub(tree, cell)),
                       part, bit))
            return false;
    }
    return true;
}

/* Entries of a relation: how many, then each; those of one place together, by pair. */
static bool add_entries(wend_trees_maker *made, wend_trees_worker *w, pairs *p, const uint16_t *open,
                        wend_buffer *result) {
    uint32_t filled = 0, counted = 0;
    size_t count_at = result->size;
    w->items.size = 0;
    if (!wend_buffer_add(result, &counted, sizeof counted)) return false;
    for (uint32_t part = 0; part < WEND_TREES_PARTS; part++) filled |= (uint32_t)(open[part] != 0) << part;
    for (uint32_t i = 0; i < p->count; i++) {
        wend_trees_item added = {(uint64_t)p->list[i].key << 32 | p->list[i].value, i, 0};
        if (!wend_buffer_add(&w->items, &added, sizeof added)) return false;
    }
    wend_trees_item *items = (wend_trees_item *)(void *)w->items.data;
    wend_trees_sort(items, p->count);
    for (uint32_t where = 0; where <= WEND_TREES_AT_ABOVE; where++)
        for (uint32_t i = 0; i < p->count; i++) {
            const pair *from = &p->list[items[i].note];
            uint32_t full = 0, mask;
            for (uint32_t part = 0; part < WEND_TREES_PARTS; part++)
                full |= (uint32_t)(open[part] && from->goals[part] == open[part]) << part;
            bool above = full == filled && made->shape.levels > 2;
            if (where < WEND_TREES_AT_BLOCK)
                mask = full >> where & 1 ? 0 : from->goals[where];
            else
                mask = above == (where == WEND_TREES_AT_ABOVE) ? full : 0;
            if (!mask) continue;
            wend_trees_entry added = {where, from->key, from->value, mask};
            if (!wend_buffer_add(result, &added, sizeof added)) return false;
            counted++;
        }
    memcpy(result->data + count_at, &counted, sizeof counted);
    return true;
}

wend_status wend_trees_job(wend_builder *builder, uint32_t job, uint32_t number, wend_buffer *result) {
    wend_trees_maker *made = builder->state;
    const wend_map *map = builder->map;
    wend_trees_worker *w = &made->workers[number];
    uint32_t block = made->jobs[job], columns = made->shape.columns[2];
    uint32_t first_y = block / columns * WEND_TREES_SIDE, first_x = block % columns * WEND_TREES_SIDE;
    uint16_t open[WEND_TREES_PARTS] = {0};
    wend_trees_summary total = {.least = UINT32_MAX};
    wend_status status = ready_worker(made, map, w);
    if (status != WEND_OK) return status;
    for (int r = 0; r < WEND_TREES_RELATIONS; r++) forget_pairs(&w->pairs[r]);
    bool good = wend_buffer_add(result, &total, sizeof total);
    for (uint32_t i = 0; i < WEND_TREES_SIDE * WEND_TREES_SIDE && good; i++) {
        uint32_t y = first_y + i / WEND_TREES_SIDE, x = first_x + i % WEND_TREES_SIDE;
        uint32_t part = i / WEND_TREES_SIDE / 4 * 4 + i % WEND_TREES_SIDE / 4,
                 bit = i / WEND_TREES_SIDE % 4 * 4 + i % WEND_TREES_SIDE % 4;
        if (!wend_map_is_open(map, (int32_t)x, (int32_t)y)) continue;
        open[part] |= (uint16_t)(1u << bit);
        status = wend_tree_begin(w->tree, y * made->shape.width + x, NULL);
        if (status != WEND_OK) return status;
        (void)wend_tree_grow(w->tree, UINT64_MAX);
        total.goals++, total.nodes += w->tree->nodes;
        if (w->tree->nodes > total.most) total.most = w->tree->nodes;
        if (w->tree->nodes < total.least) total.least = w->tree->nodes;
        good = made->share ? note_tree(made, w, part, bit) : add_plain_tree(w, result);
        good = good && note_starts(made, w, part, bit);
    }
    for (int r = made->share ? WEND_TREES_OF_TREES : WEND_TREES_OF_STARTS; r < WEND_TREES_RELATIONS && good;
         r++)
        good = add_entries(made, w, &w->pairs[r], open, result);
    if (good) memcpy(result->data, &total, sizeof total);
    return good ? WEND_OK : WEND_STATUS_NO_MEMORY;
}
