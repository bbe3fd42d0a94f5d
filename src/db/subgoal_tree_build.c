/* Building the database of subgoal trees: subgoal_tree.h says what it holds.
 *
 * A piece is a block of 16 x 16 cells, level 2: a tree for each of its open cells in turn, whose pairs are
 * gathered with the sets of goals they hold for. What holds in some of the block's cells or parts alone is
 * its own; what holds in all of it is handed up to the levels above, which `finish` makes in the same way, a
 * block from 16 smaller ones. Blocked cells count for any pair. So a result is about as large as its part of
 * the file, not as the trees. */
#include "db/subgoal_tree.h"

#include "base/random.h"
#include "search/tree.h"

#include <string.h>

enum { SIDE = 16 };                    /* cells of a piece */
enum { AT_BLOCK = 16, AT_ABOVE = 17 }; /* where an entry belongs, beside 0 to 15 for the piece's parts */
enum { TREES, STARTS, RELATIONS };

/* A pair and, for each part of a piece, the cells in which it holds. */
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

typedef struct worker {
    wend_tree *tree;
    pairs pairs[RELATIONS];
    uint32_t *last;    /* of each tile, the subgoal that was met last for this goal */
    wend_buffer items; /* for sorting */
} worker;

/* What an entry is when pieces hand it over, in 32-bit words. */
typedef struct entry {
    uint32_t where, key, value, mask; /* `where`: see above; in `finish`, the block */
} entry;

/* For sorting: a pair as one number, and something about it. */
typedef struct item {
    uint64_t pair;
    uint32_t note;
    uint32_t unused;
} item;

/* At the start of a piece's result. */
typedef struct summary {
    uint64_t nodes;
    uint32_t goals, most, least, unused;
} summary;

typedef struct maker {
    wend_trees shape; /* sizes and levels only */
    wend_allocator allocator;
    bool share;
    wend_tree_options tree_options;
    uint32_t *pieces; /* the blocks of level 2 that have an open cell, by number within the level */
    uint8_t *filled;  /* of all blocks: there is an open cell */
    worker *workers;
    uint32_t worker_count;
} maker;

/* Sorting ----------------------------------------------------------------------------------------------- */

static void sift_down(item *items, size_t at, size_t count, item moved) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && items[child].pair < items[child + 1].pair) child++;
        if (items[child].pair <= moved.pair) break;
        items[at] = items[child];
    }
    items[at] = moved;
}

static void sort_items(item *items, size_t count) {
    for (size_t i = count / 2; i > 0; i--) sift_down(items, i - 1, count, items[i - 1]);
    for (size_t end = count; end > 1; end--) {
        item largest = items[0];
        sift_down(items, 0, end - 1, items[end - 1]);
        items[end - 1] = largest;
    }
}

/* Pairs of a piece -------------------------------------------------------------------------------------- */

static uint32_t slot_of(const pairs *p, uint32_t key, uint32_t value) {
    return (uint32_t)wend_mix((uint64_t)key << 32 | value) & (p->slot_count - 1);
}

static bool grow(maker *made, pairs *p) {
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

/* Notes that a pair holds for a cell of the piece. */
static bool note_pair(maker *made, pairs *p, uint32_t key, uint32_t value, uint32_t part, uint32_t bit) {
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
static void find_filled(maker *made, const wend_map *map) {
    const wend_trees *shape = &made->shape;
    for (wend_cell cell = 0; cell < map->cells; cell++) {
        if (!wend_map_is_open_cell(map, cell)) continue;
        uint32_t y = cell / shape->width, x = cell % shape->width;
        for (uint32_t level = 1; level <= shape->levels; level++)
            made->filled[shape->first[level] + (y >> 2 * level) * shape->columns[level] + (x >> 2 * level)] =
                1;
    }
}

static uint32_t blocks_of_level(const wend_trees *shape, uint32_t level) {
    return (level < shape->levels ? shape->first[level + 1] : shape->blocks) - shape->first[level];
}

wend_status wend_trees_prepare(wend_builder *builder, wend_error *error) {
    const wend_allocator *allocator = &builder->allocator;
    maker *made = wend_allocate_zeroed(allocator, 1, sizeof *made);
    builder->state = made;
    if (!made) return wend_fail(error, WEND_NO_MEMORY, "no memory for subgoal trees");
    made->allocator = *allocator, made->worker_count = builder->workers;
    made->share = wend_settings_integer(builder->settings, "share");
    made->tree_options = wend_default_tree_options();
    made->tree_options.test =
        wend_settings_integer(builder->settings, "test") ? WEND_TREE_PUSHED : WEND_TREE_FINAL;
    made->tree_options.allocator = *allocator;
    (void)wend_trees_lay_out(&made->shape, builder->map->width, builder->map->height);
    made->filled = wend_allocate_zeroed(allocator, made->shape.blocks, 1);
    made->pieces = wend_allocate(allocator, blocks_of_level(&made->shape, 2), sizeof *made->pieces);
    made->workers = wend_allocate_zeroed(allocator, made->worker_count, sizeof *made->workers);
    if (!made->filled || !made->pieces || !made->workers)
        return wend_fail(error, WEND_NO_MEMORY, "no memory for subgoal trees");
    find_filled(made, builder->map);
    for (uint32_t i = 0; i < blocks_of_level(&made->shape, 2); i++)
        if (made->filled[made->shape.first[2] + i]) made->pieces[builder->pieces++] = i;
    return WEND_OK;
}

void wend_trees_release(wend_builder *builder) {
    maker *made = builder->state;
    if (!made) return;
    wend_allocator allocator = made->allocator;
    for (uint32_t i = 0; made->workers && i < made->worker_count; i++) {
        worker *w = &made->workers[i];
        wend_tree_destroy(w->tree);
        wend_release(&allocator, w->last, made->shape.tiles, sizeof *w->last);
        wend_buffer_release(&w->items);
        for (int r = 0; r < RELATIONS; r++) {
            wend_release(&allocator, w->pairs[r].list, w->pairs[r].room, sizeof(pair));
            wend_release(&allocator, w->pairs[r].slots, w->pairs[r].slot_count, sizeof(uint32_t));
        }
    }
    wend_release(&allocator, made->workers, made->worker_count, sizeof *made->workers);
    wend_release(&allocator, made->pieces, blocks_of_level(&made->shape, 2), sizeof *made->pieces);
    wend_release(&allocator, made->filled, made->shape.blocks, 1);
    wend_release(&allocator, made, 1, sizeof *made);
    builder->state = NULL;
}

/* A worker's memory, taken when it first has work. */
static wend_status ready_worker(maker *made, const wend_map *map, worker *w) {
    if (!w->last) w->last = wend_allocate(&made->allocator, made->shape.tiles, sizeof *w->last);
    if (!w->last) return WEND_NO_MEMORY;
    w->items.allocator = &made->allocator;
    return w->tree ? WEND_OK : wend_tree_create(map, &made->tree_options, &w->tree, NULL);
}

/* Pieces ------------------------------------------------------------------------------------------------ */

/* The goal itself is written as WEND_NO_CELL: then it is one value for all goals. */
static uint32_t value_of(const wend_tree *tree, wend_cell sub) {
    return sub == tree->goal ? WEND_NO_CELL : sub;
}

static bool note_starts(maker *made, worker *w, uint32_t part, uint32_t bit) {
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
        if (!note_pair(made, &w->pairs[STARTS], tile, value_of(tree, sub), part, bit)) return false;
    }
    return true;
}

/* A tree in the plain form: how many nodes, then each with what comes after it, by cell. */
static bool add_plain_tree(worker *w, wend_buffer *result) {
    const wend_tree *tree = w->tree;
    w->items.size = 0;
    if (!wend_buffer_add(result, &tree->nodes, sizeof tree->nodes)) return false;
    for (uint32_t i = 0; i < tree->nodes; i++) {
        wend_cell cell = wend_tree_node(tree, i);
        item added = {(uint64_t)cell << 32 | value_of(tree, wend_tree_sub(tree, cell)), 0, 0};
        if (!wend_buffer_add(&w->items, &added, sizeof added)) return false;
    }
    item *items = (item *)(void *)w->items.data;
    sort_items(items, tree->nodes);
    for (uint32_t i = 0; i < tree->nodes; i++) {
        uint32_t words[2] = {(uint32_t)(items[i].pair >> 32), (uint32_t)items[i].pair};
        if (!wend_buffer_add(result, words, sizeof words)) return false;
    }
    return true;
}

static bool note_tree(maker *made, worker *w, uint32_t part, uint32_t bit) {
    const wend_tree *tree = w->tree;
    for (uint32_t i = 0; i < tree->nodes; i++) {
        wend_cell cell = wend_tree_node(tree, i);
        if (!note_pair(made, &w->pairs[TREES], cell, value_of(tree, wend_tree_sub(tree, cell)), part, bit))
            return false;
    }
    return true;
}

/* Entries of a relation: how many, then each; those of one place together, by pair. */
static bool add_entries(maker *made, worker *w, pairs *p, const uint16_t *open, wend_buffer *result) {
    uint32_t filled = 0, counted = 0;
    size_t count_at = result->size;
    w->items.size = 0;
    if (!wend_buffer_add(result, &counted, sizeof counted)) return false;
    for (uint32_t part = 0; part < WEND_TREES_PARTS; part++) filled |= (uint32_t)(open[part] != 0) << part;
    for (uint32_t i = 0; i < p->count; i++) {
        item added = {(uint64_t)p->list[i].key << 32 | p->list[i].value, i, 0};
        if (!wend_buffer_add(&w->items, &added, sizeof added)) return false;
    }
    item *items = (item *)(void *)w->items.data;
    sort_items(items, p->count);
    for (uint32_t where = 0; where <= AT_ABOVE; where++)
        for (uint32_t i = 0; i < p->count; i++) {
            const pair *from = &p->list[items[i].note];
            uint32_t full = 0, mask;
            for (uint32_t part = 0; part < WEND_TREES_PARTS; part++)
                full |= (uint32_t)(open[part] && from->goals[part] == open[part]) << part;
            bool above = full == filled && made->shape.levels > 2;
            if (where < AT_BLOCK)
                mask = full >> where & 1 ? 0 : from->goals[where];
            else
                mask = above == (where == AT_ABOVE) ? full : 0;
            if (!mask) continue;
            entry added = {where, from->key, from->value, mask};
            if (!wend_buffer_add(result, &added, sizeof added)) return false;
            counted++;
        }
    memcpy(result->data + count_at, &counted, sizeof counted);
    return true;
}

wend_status wend_trees_piece(wend_builder *builder, uint32_t piece, uint32_t number, wend_buffer *result) {
    maker *made = builder->state;
    const wend_map *map = builder->map;
    worker *w = &made->workers[number];
    uint32_t block = made->pieces[piece], columns = made->shape.columns[2];
    uint32_t first_y = block / columns * SIDE, first_x = block % columns * SIDE;
    uint16_t open[WEND_TREES_PARTS] = {0};
    summary total = {.least = UINT32_MAX};
    wend_status status = ready_worker(made, map, w);
    if (status != WEND_OK) return status;
    for (int r = 0; r < RELATIONS; r++) forget_pairs(&w->pairs[r]);
    bool good = wend_buffer_add(result, &total, sizeof total);
    for (uint32_t i = 0; i < SIDE * SIDE && good; i++) {
        uint32_t y = first_y + i / SIDE, x = first_x + i % SIDE;
        uint32_t part = i / SIDE / 4 * 4 + i % SIDE / 4, bit = i / SIDE % 4 * 4 + i % SIDE % 4;
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
    for (int r = made->share ? TREES : STARTS; r < RELATIONS && good; r++)
        good = add_entries(made, w, &w->pairs[r], open, result);
    if (good) memcpy(result->data, &total, sizeof total);
    return good ? WEND_OK : WEND_NO_MEMORY;
}

/* Finishing --------------------------------------------------------------------------------------------- */

/* All results, once over. */
typedef struct finisher {
    wend_builder *builder;
    const maker *made;
    uint32_t *ids;    /* of each cell: its node, or UINT32_MAX */
    wend_cell *cells; /* of the nodes */
    uint32_t nodes;
    uint64_t counts[WEND_TREES_COUNTS];
    wend_buffer entries[RELATIONS]; /* entry, of all blocks */
    wend_buffer above[RELATIONS];   /* item, of the blocks of one level in order: pairs for the next */
    wend_buffer next, merged;
    uint32_t *ends[RELATIONS]; /* of each block of that level: where its items end */
    uint32_t *next_ends;
} finisher;

/* Reads a result from its front. NULL if it is too short. */
static const void *take(wend_buffer *rest, size_t size) {
    if (rest->size < size) return NULL;
    const void *taken = rest->data;
    rest->data += size, rest->size -= size;
    return taken;
}

static bool known_value(const finisher *f, uint32_t value) {
    return value == WEND_NO_CELL || value < f->builder->map->cells;
}

static bool take_plain_trees(finisher *f, const summary *total, wend_buffer *rest) {
    for (uint32_t i = 0; i < total->goals; i++) {
        uint32_t count;
        const void *taken = take(rest, sizeof count);
        if (!taken) return false;
        memcpy(&count, taken, sizeof count);
        const uint8_t *words = take(rest, (size_t)count * 2 * sizeof(uint32_t));
        if (!words) return false;
        for (uint32_t j = 0; j < count; j++) {
            uint32_t pair_words[2];
            memcpy(pair_words, words + j * sizeof pair_words, sizeof pair_words);
            if (pair_words[0] >= f->builder->map->cells || !known_value(f, pair_words[1])) return false;
            f->ids[pair_words[0]] = 0;
        }
    }
    return true;
}

/* Entries of one relation of a piece; false if they are not what they should be, or for want of memory. */
static wend_status take_entries(finisher *f, uint32_t block, int relation, wend_buffer *rest) {
    const wend_trees *shape = &f->made->shape;
    uint32_t count, key_end = relation == TREES ? f->builder->map->cells : shape->tiles;
    uint32_t y = block / shape->columns[2], x = block % shape->columns[2];
    const void *taken = take(rest, sizeof count);
    if (!taken) return WEND_DAMAGED;
    memcpy(&count, taken, sizeof count);
    const uint8_t *from = take(rest, count * sizeof(entry));
    if (!from) return WEND_DAMAGED;
    for (uint32_t i = 0; i < count; i++) {
        entry e;
        memcpy(&e, from + i * sizeof e, sizeof e);
        if (e.where > AT_ABOVE || e.key >= key_end || !known_value(f, e.value) || e.mask - 1 >= UINT16_MAX)
            return WEND_DAMAGED;
        if (relation == TREES) f->ids[e.key] = 0;
        if (e.where == AT_ABOVE) {
            item added = {(uint64_t)e.key << 32 | e.value, 0, 0};
            if (shape->levels == 2) return WEND_DAMAGED;
            if (!wend_buffer_add(&f->above[relation], &added, sizeof added)) return WEND_NO_MEMORY;
            continue;
        }
        uint32_t part_y = 4 * y + e.where / 4, part_x = 4 * x + e.where % 4;
        bool outside =
            part_x >= shape->columns[1] || shape->first[1] + part_y * shape->columns[1] >= shape->first[2];
        if (e.where < AT_BLOCK && outside) return WEND_DAMAGED;
        e.where = e.where == AT_BLOCK ? shape->first[2] + block
                                      : shape->first[1] + part_y * shape->columns[1] + part_x;
        if (!wend_buffer_add(&f->entries[relation], &e, sizeof e)) return WEND_NO_MEMORY;
    }
    return WEND_OK;
}

static wend_status take_piece(finisher *f, uint32_t piece, const wend_buffer *result) {
    const maker *made = f->made;
    wend_buffer rest = *result;
    summary total;
    const void *taken = take(&rest, sizeof total);
    if (!taken) return WEND_DAMAGED;
    memcpy(&total, taken, sizeof total);
    f->counts[WEND_TREES_GOALS] += total.goals, f->counts[WEND_TREES_NODES] += total.nodes;
    if (total.most > f->counts[WEND_TREES_MOST]) f->counts[WEND_TREES_MOST] = total.most;
    if (total.least < f->counts[WEND_TREES_LEAST]) f->counts[WEND_TREES_LEAST] = total.least;
    if (!made->share && (total.goals > SIDE * SIDE || !take_plain_trees(f, &total, &rest)))
        return WEND_DAMAGED;
    wend_status status = WEND_OK;
    for (int r = made->share ? TREES : STARTS; r < RELATIONS && status == WEND_OK; r++) {
        status = take_entries(f, made->pieces[piece], r, &rest);
        f->ends[r][made->pieces[piece]] = (uint32_t)(f->above[r].size / sizeof(item));
    }
    return status == WEND_OK && rest.size ? WEND_DAMAGED : status;
}

/* The pairs that the parts of a block have in all of their cells: its own entries, and what it hands up. */
static bool merge_block(finisher *f, int relation, uint32_t level, uint32_t x, uint32_t y) {
    const wend_trees *shape = &f->made->shape;
    uint32_t columns = shape->columns[level - 1], filled = 0,
             block = shape->first[level] + y * shape->columns[level] + x;
    const item *items = (const item *)(const void *)f->above[relation].data;
    f->merged.size = 0;
    for (uint32_t part = 0; part < WEND_TREES_PARTS; part++) {
        uint32_t part_y = 4 * y + part / 4, part_x = 4 * x + part % 4, from = part_y * columns + part_x;
        if (part_x >= columns || from >= blocks_of_level(shape, level - 1)) continue;
        filled |= (uint32_t)f->made->filled[shape->first[level - 1] + from] << part;
        for (uint32_t i = from ? f->ends[relation][from - 1] : 0; i < f->ends[relation][from]; i++) {
            item added = {items[i].pair, 1u << part, 0};
            if (!wend_buffer_add(&f->merged, &added, sizeof added)) return false;
        }
    }
    item *merged = (item *)(void *)f->merged.data;
    size_t count = f->merged.size / sizeof *merged;
    sort_items(merged, count);
    for (size_t i = 0, j; i < count; i = j) {
        uint32_t mask = 0;
        for (j = i; j < count && merged[j].pair == merged[i].pair; j++) mask |= merged[j].note;
        entry added = {block, (uint32_t)(merged[i].pair >> 32), (uint32_t)merged[i].pair, mask};
        bool above = mask == filled && level < shape->levels;
        if (!(above ? wend_buffer_add(&f->next, &merged[i], sizeof merged[i])
                    : wend_buffer_add(&f->entries[relation], &added, sizeof added)))
            return false;
    }
    f->next_ends[y * shape->columns[level] + x] = (uint32_t)(f->next.size / sizeof(item));
    return true;
}

static bool merge_levels(finisher *f, int relation) {
    const wend_trees *shape = &f->made->shape;
    for (uint32_t level = 3; level <= shape->levels; level++) {
        f->next.size = 0;
        for (uint32_t i = 0; i < blocks_of_level(shape, level); i++)
            if (!merge_block(f, relation, level, i % shape->columns[level], i / shape->columns[level]))
                return false;
        wend_buffer emptied = f->above[relation];
        f->above[relation] = f->next, f->next = emptied;
        uint32_t *ends = f->ends[relation];
        f->ends[relation] = f->next_ends, f->next_ends = ends;
    }
    return true;
}

/* An array of numbers, 16 bits each where that is enough. */
typedef struct numbers {
    void *data;
    bool wide;
} numbers;

static void set_number(numbers *n, uint64_t i, uint32_t value) {
    if (n->wide)
        ((uint32_t *)n->data)[i] = value;
    else
        ((uint16_t *)n->data)[i] = (uint16_t)value;
}

static uint32_t node_of(const finisher *f, uint32_t value) {
    return value == WEND_NO_CELL ? f->nodes : f->ids[value];
}

/* Entries by block, each a key, a value and a mask. */
static wend_status write_relation(finisher *f, int relation, const char *const names[4], wend_error *error) {
    wend_builder *builder = f->builder;
    const wend_allocator *allocator = &builder->allocator;
    const wend_trees *shape = &f->made->shape;
    const entry *entries = (const entry *)(const void *)f->entries[relation].data;
    uint64_t count = f->entries[relation].size / sizeof *entries;
    if (count >= UINT32_MAX) return wend_fail(error, WEND_TOO_LARGE, "more entries than a database can have");
    bool wide = f->nodes > UINT16_MAX || shape->tiles > UINT16_MAX;
    uint32_t width = wide ? 4 : 2;
    size_t room = (size_t)count + 1, blocks = (size_t)shape->blocks + 2;
    uint32_t *offsets = wend_allocate_zeroed(allocator, blocks, sizeof *offsets);
    numbers keys = {wend_allocate(allocator, room, width), wide};
    numbers values = {wend_allocate(allocator, room, width), wide};
    uint16_t *masks = wend_allocate(allocator, room, sizeof *masks);
    wend_status status = WEND_OK;
    if (!offsets || !keys.data || !values.data || !masks)
        status = wend_fail(error, WEND_NO_MEMORY, "no memory for %llu entries", (unsigned long long)count);
    for (uint64_t i = 0; status == WEND_OK && i < count; i++) offsets[entries[i].where + 2]++;
    for (uint32_t i = 0; status == WEND_OK && i < shape->blocks; i++) offsets[i + 2] += offsets[i + 1];
    for (uint64_t i = 0; status == WEND_OK && i < count; i++) {
        const entry *e = &entries[i];
        uint32_t at = offsets[e->where + 1]++, value = node_of(f, e->value);
        if (value == UINT32_MAX)
            status = wend_fail(error, WEND_DAMAGED, "a piece leads to a cell that is no subgoal");
        set_number(&keys, at, relation == TREES ? f->ids[e->key] : e->key);
        set_number(&values, at, value);
        masks[at] = (uint16_t)e->mask;
    }
    if (status == WEND_OK)
        status = wend_builder_section(builder, names[0], sizeof *offsets, offsets, blocks - 1, error);
    if (status == WEND_OK) status = wend_builder_section(builder, names[1], width, keys.data, count, error);
    if (status == WEND_OK) status = wend_builder_section(builder, names[2], width, values.data, count, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, names[3], sizeof *masks, masks, count, error);
    wend_release(allocator, offsets, blocks, sizeof *offsets);
    wend_release(allocator, keys.data, room, width);
    wend_release(allocator, values.data, room, width);
    wend_release(allocator, masks, room, sizeof *masks);
    return status;
}

/* The lists of the plain form. Pieces stand in another order than goals: first how long each list is. */
static wend_status write_plain(finisher *f, const wend_buffer *results, wend_error *error) {
    wend_builder *builder = f->builder;
    const wend_allocator *allocator = &builder->allocator;
    const wend_trees *shape = &f->made->shape;
    uint64_t nodes = f->counts[WEND_TREES_NODES];
    size_t cells = builder->map->cells, room = (size_t)nodes + 1;
    uint64_t *offsets = wend_allocate_zeroed(allocator, cells + 1, sizeof *offsets);
    uint32_t *keys = nodes < SIZE_MAX / 8 ? wend_allocate(allocator, room, sizeof *keys) : NULL;
    uint32_t *values = keys ? wend_allocate(allocator, room, sizeof *values) : NULL;
    wend_status status =
        offsets && keys && values
            ? WEND_OK
            : wend_fail(error, WEND_NO_MEMORY, "no memory for %llu nodes", (unsigned long long)nodes);
    for (int pass = 0; pass < 2 && status == WEND_OK; pass++) {
        for (uint32_t piece = 0; piece < builder->pieces && status == WEND_OK; piece++) {
            uint32_t block = f->made->pieces[piece];
            uint32_t first_y = block / shape->columns[2] * SIDE, first_x = block % shape->columns[2] * SIDE;
            wend_buffer rest = results[piece];
            (void)take(&rest, sizeof(summary));
            for (uint32_t i = 0; i < SIDE * SIDE && status == WEND_OK; i++) {
                uint32_t y = first_y + i / SIDE, x = first_x + i % SIDE, count = 0;
                if (!wend_map_is_open(builder->map, (int32_t)x, (int32_t)y)) continue;
                const void *taken = take(&rest, sizeof count);
                if (taken) memcpy(&count, taken, sizeof count);
                const uint8_t *words = taken ? take(&rest, (size_t)count * 8) : NULL;
                uint64_t *offset = &offsets[y * shape->width + x + (pass == 0)];
                if (!words || (pass && *offset + count > nodes)) {
                    status = wend_fail(error, WEND_DAMAGED, "piece %u of the build is not what it should be",
                                       piece);
                    break;
                }
                for (uint32_t j = 0; pass && j < count; j++) {
                    uint32_t pair_words[2];
                    memcpy(pair_words, words + j * sizeof pair_words, sizeof pair_words);
                    keys[*offset + j] = f->ids[pair_words[0]];
                    values[*offset + j] = node_of(f, pair_words[1]);
                }
                if (!pass) *offset = count;
            }
        }
        for (size_t i = 0; !pass && i < cells; i++) offsets[i + 1] += offsets[i];
        if (!pass && status == WEND_OK && offsets[cells] != nodes)
            status = wend_fail(error, WEND_DAMAGED, "the pieces of the build have not the nodes they say");
    }
    if (status == WEND_OK)
        status = wend_builder_section(builder, "goals", sizeof *offsets, offsets, cells + 1, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "tree-nodes", sizeof *keys, keys, nodes, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "tree-nexts", sizeof *values, values, nodes, error);
    wend_release(allocator, offsets, cells + 1, sizeof *offsets);
    wend_release(allocator, keys, room, sizeof *keys);
    wend_release(allocator, values, room, sizeof *values);
    return status;
}

static void number_nodes(finisher *f) {
    for (wend_cell cell = 0; cell < f->builder->map->cells; cell++)
        if (f->ids[cell] != UINT32_MAX) f->cells[f->nodes] = cell, f->ids[cell] = f->nodes++;
}

/* Blocks without an open cell have no items: they end where those before them do. */
static void fill_gaps(finisher *f) {
    for (int r = 0; r < RELATIONS; r++)
        for (uint32_t i = 1; i < blocks_of_level(&f->made->shape, 2); i++)
            if (f->ends[r][i] < f->ends[r][i - 1]) f->ends[r][i] = f->ends[r][i - 1];
}

static wend_status finish(finisher *f, const wend_buffer *results, wend_error *error) {
    static const char *const tree_names[4] = {"tree-blocks", "tree-nodes", "tree-nexts", "tree-masks"};
    static const char *const start_names[4] = {"start-blocks", "start-tiles", "start-nodes", "start-masks"};
    wend_builder *builder = f->builder;
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < builder->pieces && status == WEND_OK; i++) {
        status = take_piece(f, i, &results[i]);
        if (status == WEND_DAMAGED)
            return wend_fail(error, status, "piece %u of the build is not what it should be", i);
    }
    fill_gaps(f);
    for (int r = 0; r < RELATIONS && status == WEND_OK; r++)
        if (!merge_levels(f, r)) status = WEND_NO_MEMORY;
    if (status != WEND_OK) return wend_fail(error, status, "no memory to put the trees together");
    number_nodes(f);
    if (!f->counts[WEND_TREES_GOALS]) f->counts[WEND_TREES_LEAST] = 0;
    status = wend_builder_section(builder, "counts", sizeof(uint64_t), f->counts, WEND_TREES_COUNTS, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "cells", sizeof(wend_cell), f->cells, f->nodes, error);
    if (status == WEND_OK)
        status =
            f->made->share ? write_relation(f, TREES, tree_names, error) : write_plain(f, results, error);
    return status == WEND_OK ? write_relation(f, STARTS, start_names, error) : status;
}

wend_status wend_trees_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    const maker *made = builder->state;
    const wend_allocator *allocator = &builder->allocator;
    size_t cells = builder->map->cells, blocks = blocks_of_level(&made->shape, 2);
    finisher f = {.builder = builder,
                  .made = made,
                  .next = {.allocator = allocator},
                  .merged = {.allocator = allocator}};
    f.counts[WEND_TREES_LEAST] = UINT32_MAX;
    f.ids = wend_allocate(allocator, cells, sizeof *f.ids);
    f.cells = wend_allocate(allocator, cells, sizeof *f.cells);
    f.next_ends = wend_allocate_zeroed(allocator, blocks, sizeof *f.next_ends);
    bool good = f.ids && f.cells && f.next_ends;
    for (int r = 0; r < RELATIONS; r++) {
        f.entries[r].allocator = f.above[r].allocator = allocator;
        f.ends[r] = wend_allocate_zeroed(allocator, blocks, sizeof **f.ends);
        good &= f.ends[r] != NULL;
    }
    if (f.ids) memset(f.ids, 0xff, cells * sizeof *f.ids);
    wend_status status = good ? finish(&f, results, error)
                              : wend_fail(error, WEND_NO_MEMORY, "no memory to put the trees together");
    for (int r = 0; r < RELATIONS; r++) {
        wend_release(allocator, f.ends[r], blocks, sizeof **f.ends);
        wend_buffer_release(&f.entries[r]);
        wend_buffer_release(&f.above[r]);
    }
    wend_release(allocator, f.next_ends, blocks, sizeof *f.next_ends);
    wend_release(allocator, f.cells, cells, sizeof *f.cells);
    wend_release(allocator, f.ids, cells, sizeof *f.ids);
    wend_buffer_release(&f.next);
    wend_buffer_release(&f.merged);
    return status;
}
