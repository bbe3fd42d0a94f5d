/* subgoal-tree: a tree of subgoals for every open cell, for LRTA* with subgoals (Hernandez and Baier, "Fast
 * subgoaling for pathfinding via real-time search", SoCS 2011; methods/trees/tree.c makes one tree). How they
 * are stored stands in layout.h, how they are built in build.c; this file reads, checks and verifies.
 *
 * The paper stores a tree for each goal and does not say what that takes: `share=no` is that, `share=yes` its
 * future work. The tiles (starts) are ours: the paper takes the tree's nearest node for its first goal. */
#include "methods/trees/trees.h"

#include "methods/trees/tree.h"

#include <stdatomic.h>

bool wend_trees_lay_out(wend_trees *trees, int32_t width, int32_t height) {
    if (width < 1 || height < 1 || width > WEND_MAX_SIDE || height > WEND_MAX_SIDE) return false;
    trees->width = (uint32_t)width, trees->height = (uint32_t)height;
    trees->tile_columns = (trees->width + WEND_TREES_TILE - 1) / WEND_TREES_TILE;
    trees->tiles = trees->tile_columns * ((trees->height + WEND_TREES_TILE - 1) / WEND_TREES_TILE);
    trees->blocks = 0;
    trees->levels = 0;
    for (uint32_t level = 1, side = 4;; level++, side *= 4) {
        trees->levels = level;
        trees->first[level] = trees->blocks;
        trees->columns[level] = (trees->width + side - 1) / side;
        trees->blocks += trees->columns[level] * ((trees->height + side - 1) / side);
        if (level >= 2 && side >= trees->width && side >= trees->height) return true;
    }
}

const wend_trees *wend_trees_of(const wend_db *db) {
    return db->state;
}

/* Reading ----------------------------------------------------------------------------------------------- */

static uint32_t id_at(const wend_trees *trees, const void *ids, uint64_t i) {
    return trees->wide ? ((const uint32_t *)ids)[i] : ((const uint16_t *)ids)[i];
}

/* The entries of a goal's block at a level, and which bit of their masks is the goal's part. */
typedef struct goal_block {
    uint32_t begin, end, bit;
} goal_block;

static goal_block block_of(const wend_trees *trees, const wend_trees_relation *relation, uint32_t x,
                           uint32_t y, uint32_t level) {
    uint32_t part = 2 * (level - 1);
    uint32_t block = trees->first[level] + (y >> part >> 2) * trees->columns[level] + (x >> part >> 2);
    return (goal_block){relation->offsets[block], relation->offsets[block + 1],
                        (y >> part & 3) * 4 + (x >> part & 3)};
}

/* The first entry of a block whose key is not smaller. */
static uint32_t first_entry(const wend_trees *trees, const wend_trees_relation *relation, goal_block block,
                            uint32_t key, uint64_t *operations) {
    uint32_t low = block.begin, high = block.end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        ++*operations;
        if (id_at(trees, relation->keys, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t value_at(const wend_trees *trees, const wend_trees_relation *relation, uint64_t i) {
    uint32_t value = id_at(trees, relation->values, i);
    return value == trees->nodes ? WEND_TREES_GOAL : value;
}

static uint32_t plain_next(const wend_trees *trees, uint32_t node, wend_cell goal, uint64_t *operations) {
    uint64_t low = trees->plain_offsets[goal], high = trees->plain_offsets[goal + 1], end = high;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        ++*operations;
        if (trees->plain_keys[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == end || trees->plain_keys[low] != node) return WEND_TREES_NONE;
    return trees->plain_values[low] == trees->nodes ? WEND_TREES_GOAL : trees->plain_values[low];
}

uint32_t wend_trees_next(const wend_trees *trees, uint32_t node, wend_cell goal, uint64_t *operations) {
    if (trees->plain_offsets) return plain_next(trees, node, goal, operations);
    uint32_t y = goal / trees->width, x = goal % trees->width;
    for (uint32_t level = 1; level <= trees->levels; level++) {
        goal_block block = block_of(trees, &trees->trees, x, y, level);
        for (uint32_t i = first_entry(trees, &trees->trees, block, node, operations);
             i < block.end && id_at(trees, trees->trees.keys, i) == node; i++) {
            ++*operations;
            if (trees->trees.masks[i] >> block.bit & 1) return value_at(trees, &trees->trees, i);
        }
    }
    return WEND_TREES_NONE;
}

uint32_t wend_trees_starts(const wend_trees *trees, wend_cell from, wend_cell goal, uint32_t *found,
                           uint32_t room, uint64_t *operations) {
    uint32_t count = 0, from_y = from / trees->width, from_x = from % trees->width;
    uint32_t tile = from_y / WEND_TREES_TILE * trees->tile_columns + from_x / WEND_TREES_TILE;
    uint32_t y = goal / trees->width, x = goal % trees->width;
    for (uint32_t level = 1; level <= trees->levels; level++) {
        goal_block block = block_of(trees, &trees->starts, x, y, level);
        uint32_t i = first_entry(trees, &trees->starts, block, tile, operations);
        for (uint32_t looked = 0; i < block.end && looked < room && count < room; i++, looked++) {
            ++*operations;
            if (id_at(trees, trees->starts.keys, i) != tile) break;
            if (trees->starts.masks[i] >> block.bit & 1) found[count++] = value_at(trees, &trees->starts, i);
        }
    }
    return count;
}

uint32_t wend_trees_node_at(const wend_trees *trees, wend_cell cell) {
    uint32_t low = 0, high = trees->nodes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (trees->cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < trees->nodes && trees->cells[low] == cell ? low : WEND_TREES_NONE;
}

uint32_t wend_trees_count(const wend_trees *trees, bool starts, wend_cell goal) {
    const wend_trees_relation *relation = starts ? &trees->starts : &trees->trees;
    uint32_t count = 0, y = goal / trees->width, x = goal % trees->width;
    if (!starts && trees->plain_offsets)
        return (uint32_t)(trees->plain_offsets[goal + 1] - trees->plain_offsets[goal]);
    for (uint32_t level = 1; level <= trees->levels; level++) {
        goal_block block = block_of(trees, relation, x, y, level);
        for (uint32_t i = block.begin; i < block.end; i++) count += relation->masks[i] >> block.bit & 1;
    }
    return count;
}

/* Opening ----------------------------------------------------------------------------------------------- */

static wend_status wrong_section(const char *name, wend_error *error) {
    return wend_fail(error, WEND_STATUS_DAMAGED, "section '%s' is missing or of a wrong length", name);
}

/* The four sections of a relation; `names` in the order of the struct. */
static wend_status read_relation(const wend_db *db, const wend_trees *trees, const char *const names[4],
                                 wend_trees_relation *relation, wend_error *error) {
    uint64_t offsets = 0, keys = 0, values = 0, masks = 0;
    uint32_t width = trees->wide ? 4 : 2;
    relation->offsets = wend_db_section(db, names[0], sizeof(uint32_t), &offsets);
    relation->keys = wend_db_section(db, names[1], width, &keys);
    relation->values = wend_db_section(db, names[2], width, &values);
    relation->masks = wend_db_section(db, names[3], sizeof(uint16_t), &masks);
    relation->entries = masks;
    if (!relation->offsets || offsets != (uint64_t)trees->blocks + 1) return wrong_section(names[0], error);
    if (!relation->keys || keys != masks) return wrong_section(names[1], error);
    if (!relation->values || values != masks) return wrong_section(names[2], error);
    if (!relation->masks || masks > UINT32_MAX) return wrong_section(names[3], error);
    return WEND_OK;
}

/* Every index; and that an entry of the trees leaves no choice, which bounds what a lookup takes. */
static wend_status check_relation(const wend_trees *trees, const wend_trees_relation *relation,
                                  uint32_t key_end, bool single, const char *what, wend_error *error) {
    uint64_t at = 0;
    for (uint32_t block = 0; block < trees->blocks; block++) {
        uint32_t begin = relation->offsets[block], end = relation->offsets[block + 1], taken = 0;
        if (begin != at || end < begin || end > relation->entries)
            return wend_fail(error, WEND_STATUS_DAMAGED, "the entries of block %u of the %s are out of place",
                             block, what);
        at = end;
        for (uint32_t i = begin; i < end; i++) {
            uint32_t key = id_at(trees, relation->keys, i), value = id_at(trees, relation->values, i);
            uint32_t before = i > begin ? id_at(trees, relation->keys, i - 1) : UINT32_MAX;
            if (i == begin || key != before) taken = 0;
            bool good = key < key_end && value <= trees->nodes && relation->masks[i] &&
                        (i == begin || key >= before) &&
                        !(single && (value == key || taken & relation->masks[i]));
            if (!good) return wend_fail(error, WEND_STATUS_DAMAGED, "entry %u of the %s is wrong", i, what);
            taken |= relation->masks[i];
        }
    }
    if (at == relation->entries) return WEND_OK;
    return wend_fail(error, WEND_STATUS_DAMAGED, "there are more %s than blocks say", what);
}

static wend_status read_plain(const wend_db *db, wend_trees *trees, wend_error *error) {
    uint64_t offsets = 0, keys = 0, values = 0, cells = (uint64_t)trees->width * trees->height;
    trees->plain_offsets = wend_db_section(db, "goals", sizeof(uint64_t), &offsets);
    trees->plain_keys = wend_db_section(db, "tree-nodes", sizeof(uint32_t), &keys);
    trees->plain_values = wend_db_section(db, "tree-nexts", sizeof(uint32_t), &values);
    trees->plain_entries = keys;
    if (!trees->plain_offsets || offsets != cells + 1) return wrong_section("goals", error);
    if (!trees->plain_keys) return wrong_section("tree-nodes", error);
    if (!trees->plain_values || values != keys) return wrong_section("tree-nexts", error);
    if (trees->plain_offsets[0])
        return wend_fail(error, WEND_STATUS_DAMAGED, "the first tree is out of place");
    for (uint64_t goal = 0; goal < cells; goal++) {
        uint64_t begin = trees->plain_offsets[goal], end = trees->plain_offsets[goal + 1];
        if (end < begin || end > keys || end - begin > trees->nodes)
            return wend_fail(error, WEND_STATUS_DAMAGED, "the tree of cell %llu is out of place",
                             (unsigned long long)goal);
        for (uint64_t i = begin; i < end; i++) {
            uint32_t key = trees->plain_keys[i], value = trees->plain_values[i];
            if (key >= trees->nodes || value > trees->nodes || value == key ||
                (i > begin && key <= trees->plain_keys[i - 1]))
                return wend_fail(error, WEND_STATUS_DAMAGED, "node %llu of the tree of cell %llu is wrong",
                                 (unsigned long long)(i - begin), (unsigned long long)goal);
        }
    }
    if (trees->plain_offsets[cells] == keys) return WEND_OK;
    return wend_fail(error, WEND_STATUS_DAMAGED, "there are more nodes than trees say");
}

static wend_status check_cells(const wend_db *db, const wend_trees *trees, wend_error *error) {
    uint64_t cells = (uint64_t)trees->width * trees->height;
    for (uint32_t i = 0; i < trees->nodes; i++)
        if (trees->cells[i] >= cells || (i && trees->cells[i] <= trees->cells[i - 1]) ||
            (db->map && !wend_map_is_open_cell(db->map, trees->cells[i])))
            return wend_fail(error, WEND_STATUS_DAMAGED, "the cell of subgoal %u is wrong", i);
    return WEND_OK;
}

static wend_status trees_open(wend_db *db, wend_error *error) {
    static const char *const tree_names[4] = {"tree-blocks", "tree-nodes", "tree-nexts", "tree-masks"};
    static const char *const start_names[4] = {"start-blocks", "start-tiles", "start-nodes", "start-masks"};
    wend_trees *trees = wend_allocate_zeroed(&db->allocator, 1, sizeof *trees);
    db->state = trees;
    if (!trees) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a database");
    uint64_t nodes = 0, counts = 0;
    if (!wend_trees_lay_out(trees, db->info.width, db->info.height))
        return wend_fail(error, WEND_STATUS_DAMAGED, "a size that no map has");
    trees->cells = wend_db_section(db, "cells", sizeof(wend_cell), &nodes);
    trees->counts = wend_db_section(db, "counts", sizeof(uint64_t), &counts);
    if (!trees->cells || nodes > (uint64_t)trees->width * trees->height) return wrong_section("cells", error);
    if (!trees->counts || counts != WEND_TREES_COUNTS) return wrong_section("counts", error);
    trees->nodes = (uint32_t)nodes;
    trees->wide = trees->nodes > UINT16_MAX || trees->tiles > UINT16_MAX;
    wend_status status = check_cells(db, trees, error);
    if (status == WEND_OK && !wend_settings_integer(db->settings, "share"))
        status = read_plain(db, trees, error);
    else if (status == WEND_OK) {
        status = read_relation(db, trees, tree_names, &trees->trees, error);
        if (status == WEND_OK)
            status = check_relation(trees, &trees->trees, trees->nodes, true, "trees", error);
    }
    if (status == WEND_OK) status = read_relation(db, trees, start_names, &trees->starts, error);
    return status == WEND_OK ? check_relation(trees, &trees->starts, trees->tiles, false, "starts", error)
                             : status;
}

static void trees_close(wend_db *db) {
    wend_release(&db->allocator, db->state, 1, sizeof(wend_trees));
    db->state = NULL;
}

static size_t trees_facts(const wend_db *db, wend_fact *facts, size_t capacity) {
    const wend_trees *trees = wend_trees_of(db);
    double goals = (double)trees->counts[WEND_TREES_GOALS], nodes = (double)trees->counts[WEND_TREES_NODES];
    double id = trees->wide ? 4 : 2, cells = (double)trees->width * trees->height;
    double entry = 2 * id + sizeof(uint16_t), offsets = (trees->blocks + 1.0) * sizeof(uint32_t);
    double plain = nodes * 2 * sizeof(uint32_t) + (cells + 1) * sizeof(uint64_t);
    double shared = trees->plain_offsets ? plain : offsets + (double)trees->trees.entries * entry;
    const wend_fact all[] = {
        {"trees", goals},
        {"nodes_mean", goals > 0 ? nodes / goals : 0},
        {"nodes_max", (double)trees->counts[WEND_TREES_MOST]},
        {"nodes_min", (double)trees->counts[WEND_TREES_LEAST]},
        {"subgoals", trees->nodes}, /* cells that are a node of any tree */
        {"tree_entries", (double)(trees->plain_offsets ? trees->plain_entries : trees->trees.entries)},
        {"start_entries", (double)trees->starts.entries},
        {"tree_bytes", shared},
        {"start_bytes", offsets + (double)trees->starts.entries * entry},
        {"plain_bytes", plain}, /* of the trees alone, as share=no stores them */
    };
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count && i < capacity; i++) facts[i] = all[i];
    return count;
}

/* Verifying: a job is a goal. -------------------------------------------------------------------------- */

typedef struct verification {
    wend_tree **trees; /* a worker each */
    wend_cell *goals;  /* the open cells */
    uint32_t workers, goal_count;
    atomic_uint_least64_t right, nodes; /* trees compared so far, and their nodes */
    atomic_bool has_most, has_least;    /* some tree of those has as many nodes as the counts say */
} verification;

static void verify_release(wend_verifier *verifier) {
    verification *v = verifier->state;
    if (!v) return;
    const wend_allocator *allocator = &verifier->allocator;
    for (uint32_t i = 0; v->trees && i < v->workers; i++) wend_tree_destroy(v->trees[i]);
    wend_release(allocator, v->trees, v->workers, sizeof *v->trees);
    wend_release(allocator, v->goals, (size_t)v->goal_count + 1, sizeof *v->goals);
    wend_release(allocator, v, 1, sizeof *v);
    verifier->state = NULL;
}

static wend_tree_options tree_options(const wend_settings *settings, const wend_allocator *allocator) {
    wend_tree_options options = wend_default_tree_options();
    options.test = wend_settings_integer(settings, "test") ? WEND_TREE_PUSHED : WEND_TREE_FINAL;
    options.allocator = *allocator;
    return options;
}

/* Which parts of a block have an open cell. `filled` says so of the blocks below. */
static uint32_t parts_of(const wend_trees *trees, const wend_map *map, const uint8_t *filled, uint32_t level,
                         uint32_t x, uint32_t y) {
    uint32_t parts = 0, columns = level > 1 ? trees->columns[level - 1] : trees->width;
    uint32_t rows = (trees->height + (1u << 2 * (level - 1)) - 1) >> 2 * (level - 1);
    for (uint32_t i = 0; i < WEND_TREES_PARTS; i++) {
        uint32_t part_x = 4 * x + i % 4, part_y = 4 * y + i / 4, part = part_y * columns + part_x;
        if (part_x >= columns || part_y >= rows) continue;
        bool open = level > 1 ? filled[trees->first[level - 1] + part] : wend_map_is_open_cell(map, part);
        parts |= (uint32_t)open << i;
    }
    return parts;
}

/* Goals that are blocked have no trees; nobody would ever ask for one. */
static wend_status check_masks(const wend_trees *trees, const wend_map *map, uint8_t *filled,
                               wend_error *error) {
    for (uint32_t level = 1, block = 0; level <= trees->levels; level++) {
        uint32_t end = level < trees->levels ? trees->first[level + 1] : trees->blocks;
        for (; block < end; block++) {
            uint32_t i = block - trees->first[level], columns = trees->columns[level];
            uint32_t parts = parts_of(trees, map, filled, level, i % columns, i / columns);
            filled[block] = parts != 0;
            for (int r = trees->plain_offsets ? 1 : 0; r < 2; r++) {
                const wend_trees_relation *relation = r ? &trees->starts : &trees->trees;
                for (uint32_t j = relation->offsets[block]; j < relation->offsets[block + 1]; j++)
                    if (relation->masks[j] & ~parts)
                        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                                         "entry %u of the %s is for blocked goals", j,
                                         r ? "starts" : "trees");
            }
        }
    }
    return WEND_OK;
}

static wend_status verify_prepare(wend_verifier *verifier, wend_error *error) {
    const wend_map *map = verifier->map;
    const wend_allocator *allocator = &verifier->allocator;
    verification *v = wend_allocate_zeroed(allocator, 1, sizeof *v);
    verifier->state = v;
    if (!v) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to verify trees");
    v->workers = verifier->workers, v->goal_count = map->open_cells;
    v->trees = wend_allocate_zeroed(allocator, v->workers, sizeof *v->trees);
    v->goals = wend_allocate(allocator, (size_t)v->goal_count + 1, sizeof *v->goals);
    if (!v->trees || !v->goals) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to verify trees");
    uint32_t count = 0;
    for (wend_cell cell = 0; cell < map->cells; cell++)
        if (wend_map_is_open_cell(map, cell)) v->goals[count++] = cell;
    verifier->jobs = count;
    const wend_trees *trees = wend_trees_of(verifier->db);
    const uint64_t *counts = trees->counts;
    if (counts[WEND_TREES_GOALS] != count)
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "not as many trees as the map has open cells");
    if (!count && (counts[WEND_TREES_NODES] || counts[WEND_TREES_MOST] || counts[WEND_TREES_LEAST]))
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "nodes are counted, and there is no tree");
    uint8_t *filled = wend_allocate(allocator, trees->blocks, 1);
    if (!filled) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to verify trees");
    wend_status status = check_masks(trees, map, filled, error);
    wend_release(allocator, filled, trees->blocks, 1);
    return status;
}

/* Whether the database's tree of a goal is this one, and nothing more. */
static wend_status compare_tree(const wend_trees *trees, const wend_tree *tree, wend_error *error) {
    uint64_t operations = 0;
    for (uint32_t i = 0; i < tree->nodes; i++) {
        wend_cell cell = wend_tree_node(tree, i), right = wend_tree_next(tree, cell);
        uint32_t node = wend_trees_node_at(trees, cell);
        uint32_t next =
            node == WEND_TREES_NONE ? node : wend_trees_next(trees, node, tree->goal, &operations);
        if (next == WEND_TREES_NONE)
            return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "the tree of cell %u lacks cell %u",
                             tree->goal, cell);
        if (wend_trees_cell(trees, next, tree->goal) != right ||
            (next == WEND_TREES_GOAL) != (right == tree->goal))
            return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                             "in the tree of cell %u, cell %u leads to %u, not %u", tree->goal, cell, right,
                             wend_trees_cell(trees, next, tree->goal));
    }
    if (wend_trees_count(trees, false, tree->goal) == tree->nodes) return WEND_OK;
    return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "the tree of cell %u has %u nodes, not %u",
                     tree->goal, tree->nodes, wend_trees_count(trees, false, tree->goal));
}

/* The subgoals of the cells of a tile, each once. */
static uint32_t subgoals_of_tile(const wend_trees *trees, const wend_tree *tree, uint32_t tile,
                                 uint32_t *list) {
    uint32_t first_y = tile / trees->tile_columns * WEND_TREES_TILE, count = 0;
    uint32_t first_x = tile % trees->tile_columns * WEND_TREES_TILE;
    for (uint32_t i = 0; i < WEND_TREES_TILE * WEND_TREES_TILE; i++) {
        uint32_t y = first_y + i / WEND_TREES_TILE, x = first_x + i % WEND_TREES_TILE, j = 0;
        if (y >= trees->height || x >= trees->width) continue;
        wend_cell sub = wend_tree_from(tree, y * trees->width + x);
        if (sub == WEND_NO_CELL || y * trees->width + x == tree->goal) continue;
        while (j < count && list[j] != sub) j++;
        if (j == count) list[count++] = sub;
    }
    return count;
}

static wend_status compare_starts(const wend_trees *trees, const wend_tree *tree, wend_error *error) {
    enum { MOST = WEND_TREES_TILE * WEND_TREES_TILE, ROOM = 4 * MOST };
    uint64_t operations = 0;
    uint32_t right[MOST], found[ROOM], total = 0;
    for (uint32_t tile = 0; tile < trees->tiles; tile++) {
        wend_cell corner = tile / trees->tile_columns * WEND_TREES_TILE * trees->width +
                           tile % trees->tile_columns * WEND_TREES_TILE;
        uint32_t count = subgoals_of_tile(trees, tree, tile, right), j;
        total += count;
        if (!count) continue;
        uint32_t have = wend_trees_starts(trees, corner, tree->goal, found, ROOM, &operations);
        for (uint32_t i = 0; i < count; i++) {
            for (j = 0; j < have; j++)
                if (wend_trees_cell(trees, found[j], tree->goal) == right[i] &&
                    (found[j] == WEND_TREES_GOAL) == (right[i] == tree->goal))
                    break;
            if (j == have)
                return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                                 "from tile %u to cell %u the subgoal %u is missing", tile, tree->goal,
                                 right[i]);
        }
    }
    if (wend_trees_count(trees, true, tree->goal) == total) return WEND_OK;
    return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "cell %u has %u pairs of tiles and subgoals, not %u",
                     tree->goal, total, wend_trees_count(trees, true, tree->goal));
}

/* The counts, once all trees have been compared; of a sample, that none is outside of them. */
static wend_status compare_counts(verification *v, const uint64_t *counts, uint32_t nodes,
                                  wend_error *error) {
    if (nodes > counts[WEND_TREES_MOST] || nodes < counts[WEND_TREES_LEAST])
        return wend_fail(error, WEND_STATUS_WRONG_CONTENTS,
                         "a tree of %u nodes, more or less than is counted", nodes);
    if (nodes == counts[WEND_TREES_MOST]) atomic_store(&v->has_most, true);
    if (nodes == counts[WEND_TREES_LEAST]) atomic_store(&v->has_least, true);
    (void)atomic_fetch_add(&v->nodes, nodes);
    /* Who comes last has all of them before it. */
    if (atomic_fetch_add(&v->right, 1) + 1 < v->goal_count) return WEND_OK;
    if (atomic_load(&v->nodes) == counts[WEND_TREES_NODES] && atomic_load(&v->has_most) &&
        atomic_load(&v->has_least))
        return WEND_OK;
    return wend_fail(error, WEND_STATUS_WRONG_CONTENTS, "the trees do not have as many nodes as is counted");
}

static wend_status verify(wend_verifier *verifier, uint64_t job, uint32_t worker, wend_error *error) {
    verification *v = verifier->state;
    wend_cell goal = v->goals[job];
    wend_status status = WEND_OK;
    if (!v->trees[worker]) {
        wend_tree_options options = tree_options(verifier->db->settings, &verifier->allocator);
        status = wend_tree_create(verifier->map, &options, &v->trees[worker], NULL);
    }
    if (status == WEND_OK) status = wend_tree_begin(v->trees[worker], goal, NULL);
    if (status != WEND_OK) return wend_fail(error, status, "no memory to verify the tree of cell %u", goal);
    (void)wend_tree_grow(v->trees[worker], UINT64_MAX);
    const wend_trees *trees = wend_trees_of(verifier->db);
    status = compare_tree(trees, v->trees[worker], error);
    if (status == WEND_OK) status = compare_starts(trees, v->trees[worker], error);
    return status == WEND_OK ? compare_counts(v, trees->counts, v->trees[worker]->nodes, error) : status;
}

static const char *const tests[] = {"final", "pushed", NULL};

static const wend_key_info keys[] = {
    {.name = "test",
     .kind = WEND_KEY_WORD,
     .words = tests,
     .standard = "final",
     .help = "when a cell is tested: once its way is a shortest one, or with each shorter way, as printed"},
    {.name = "share",
     .kind = WEND_KEY_YES_NO,
     .standard = "yes",
     .help = "keep what the trees of nearby goals have in common once"},
};

const wend_db_kind wend_db_subgoal_tree = {
    .info = {"subgoal-tree", "for each goal a tree of subgoals around the heuristic's depressions", keys,
             sizeof keys / sizeof *keys},
    .version = 1,
    .seedless = true,
    .open = trees_open,
    .close = trees_close,
    .facts = trees_facts,
    .prepare = wend_trees_prepare,
    .job = wend_trees_job,
    .finish = wend_trees_finish,
    .release = wend_trees_release,
    .verify_prepare = verify_prepare,
    .verify = verify,
    .verify_release = verify_release,
};
