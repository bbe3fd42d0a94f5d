/* Putting the jobs of the database of subgoal trees together: the levels above the jobs' own, numbers for
 * the nodes, and the sections. The results may come from a file that was tampered with: what would lead out
 * of an array is refused here, and what is wrong otherwise when the database is opened. */
#include "methods/trees/build.h"

#include <string.h>

/* All results, once over. */
typedef struct finisher {
    wend_builder *builder;
    const wend_trees_maker *made;
    uint32_t *ids;    /* of each cell: its node, or UINT32_MAX */
    wend_cell *cells; /* of the nodes */
    uint32_t nodes;
    uint64_t counts[WEND_TREES_COUNTS];
    wend_buffer entries[WEND_TREES_RELATIONS]; /* entry, of all blocks */
    wend_buffer above[WEND_TREES_RELATIONS];   /* item, of one level's blocks in order: pairs for the next */
    wend_buffer next, merged;
    uint32_t *ends[WEND_TREES_RELATIONS]; /* of each block of that level: where its items end */
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

static bool take_plain_trees(finisher *f, const wend_trees_summary *total, wend_buffer *rest) {
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

/* Entries of one relation of a job; false if they are not what they should be, or out of memory. */
static wend_status take_entries(finisher *f, uint32_t block, int relation, wend_buffer *rest) {
    const wend_trees *shape = &f->made->shape;
    uint32_t count, key_end = relation == WEND_TREES_OF_TREES ? f->builder->map->cells : shape->tiles;
    uint32_t y = block / shape->columns[2], x = block % shape->columns[2];
    const void *taken = take(rest, sizeof count);
    if (!taken) return WEND_STATUS_DAMAGED;
    memcpy(&count, taken, sizeof count);
    const uint8_t *from = take(rest, count * sizeof(wend_trees_entry));
    if (!from) return WEND_STATUS_DAMAGED;
    for (uint32_t i = 0; i < count; i++) {
        wend_trees_entry e;
        memcpy(&e, from + i * sizeof e, sizeof e);
        if (e.where > WEND_TREES_AT_ABOVE || e.key >= key_end || !known_value(f, e.value) ||
            e.mask - 1 >= UINT16_MAX)
            return WEND_STATUS_DAMAGED;
        if (relation == WEND_TREES_OF_TREES) f->ids[e.key] = 0;
        if (e.where == WEND_TREES_AT_ABOVE) {
            wend_trees_item added = {(uint64_t)e.key << 32 | e.value, 0, 0};
            if (shape->levels == 2) return WEND_STATUS_DAMAGED;
            if (!wend_buffer_add(&f->above[relation], &added, sizeof added)) return WEND_STATUS_NO_MEMORY;
            continue;
        }
        uint32_t part_y = 4 * y + e.where / 4, part_x = 4 * x + e.where % 4;
        bool outside =
            part_x >= shape->columns[1] || shape->first[1] + part_y * shape->columns[1] >= shape->first[2];
        if (e.where < WEND_TREES_AT_BLOCK && outside) return WEND_STATUS_DAMAGED;
        e.where = e.where == WEND_TREES_AT_BLOCK ? shape->first[2] + block
                                                 : shape->first[1] + part_y * shape->columns[1] + part_x;
        if (!wend_buffer_add(&f->entries[relation], &e, sizeof e)) return WEND_STATUS_NO_MEMORY;
    }
    return WEND_OK;
}

static wend_status take_job(finisher *f, uint32_t job, const wend_buffer *result) {
    const wend_trees_maker *made = f->made;
    wend_buffer rest = *result;
    wend_trees_summary total;
    const void *taken = take(&rest, sizeof total);
    if (!taken) return WEND_STATUS_DAMAGED;
    memcpy(&total, taken, sizeof total);
    f->counts[WEND_TREES_GOALS] += total.goals, f->counts[WEND_TREES_NODES] += total.nodes;
    if (total.most > f->counts[WEND_TREES_MOST]) f->counts[WEND_TREES_MOST] = total.most;
    if (total.least < f->counts[WEND_TREES_LEAST]) f->counts[WEND_TREES_LEAST] = total.least;
    if (!made->share &&
        (total.goals > WEND_TREES_SIDE * WEND_TREES_SIDE || !take_plain_trees(f, &total, &rest)))
        return WEND_STATUS_DAMAGED;
    wend_status status = WEND_OK;
    for (int r = made->share ? WEND_TREES_OF_TREES : WEND_TREES_OF_STARTS;
         r < WEND_TREES_RELATIONS && status == WEND_OK; r++) {
        status = take_entries(f, made->jobs[job], r, &rest);
        f->ends[r][made->jobs[job]] = (uint32_t)(f->above[r].size / sizeof(wend_trees_item));
    }
    return status == WEND_OK && rest.size ? WEND_STATUS_DAMAGED : status;
}

/* The pairs that the parts of a block have in all of their cells: its own entries, and what it hands up. */
static bool merge_block(finisher *f, int relation, uint32_t level, uint32_t x, uint32_t y) {
    const wend_trees *shape = &f->made->shape;
    uint32_t columns = shape->columns[level - 1], filled = 0,
             block = shape->first[level] + y * shape->columns[level] + x;
    const wend_trees_item *items = (const wend_trees_item *)(const void *)f->above[relation].data;
    f->merged.size = 0;
    for (uint32_t part = 0; part < WEND_TREES_PARTS; part++) {
        uint32_t part_y = 4 * y + part / 4, part_x = 4 * x + part % 4, from = part_y * columns + part_x;
        if (part_x >= columns || from >= wend_trees_blocks_of(shape, level - 1)) continue;
        filled |= (uint32_t)f->made->filled[shape->first[level - 1] + from] << part;
        for (uint32_t i = from ? f->ends[relation][from - 1] : 0; i < f->ends[relation][from]; i++) {
            wend_trees_item added = {items[i].pair, 1u << part, 0};
            if (!wend_buffer_add(&f->merged, &added, sizeof added)) return false;
        }
    }
    wend_trees_item *merged = (wend_trees_item *)(void *)f->merged.data;
    size_t count = f->merged.size / sizeof *merged;
    wend_trees_sort(merged, count);
    for (size_t i = 0, j; i < count; i = j) {
        uint32_t mask = 0;
        for (j = i; j < count && merged[j].pair == merged[i].pair; j++) mask |= merged[j].note;
        wend_trees_entry added = {block, (uint32_t)(merged[i].pair >> 32), (uint32_t)merged[i].pair, mask};
        bool above = mask == filled && level < shape->levels;
        if (!(above ? wend_buffer_add(&f->next, &merged[i], sizeof merged[i])
                    : wend_buffer_add(&f->entries[relation], &added, sizeof added)))
            return false;
    }
    f->next_ends[y * shape->columns[level] + x] = (uint32_t)(f->next.size / sizeof(wend_trees_item));
    return true;
}

static bool merge_levels(finisher *f, int relation) {
    const wend_trees *shape = &f->made->shape;
    for (uint32_t level = 3; level <= shape->levels; level++) {
        f->next.size = 0;
        for (uint32_t i = 0; i < wend_trees_blocks_of(shape, level); i++)
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

/* The sections of a relation. */
typedef struct columns {
    uint32_t *offsets;
    numbers keys, values;
    uint16_t *masks;
} columns;

/* Entries by block, each a key, a value and a mask; false if one leads to a cell that is no subgoal. The
 * offsets of a block stand two places further on, and one when all are filled in. */
static bool fill_columns(const finisher *f, int relation, columns *to) {
    const wend_trees_entry *entries = (const wend_trees_entry *)(const void *)f->entries[relation].data;
    uint64_t count = f->entries[relation].size / sizeof *entries;
    for (uint64_t i = 0; i < count; i++) to->offsets[entries[i].where + 2]++;
    for (uint32_t i = 0; i < f->made->shape.blocks; i++) to->offsets[i + 2] += to->offsets[i + 1];
    for (uint64_t i = 0; i < count; i++) {
        const wend_trees_entry *e = &entries[i];
        uint32_t at = to->offsets[e->where + 1]++, value = node_of(f, e->value);
        if (value == UINT32_MAX) return false;
        set_number(&to->keys, at, relation == WEND_TREES_OF_TREES ? f->ids[e->key] : e->key);
        set_number(&to->values, at, value);
        to->masks[at] = (uint16_t)e->mask;
    }
    return true;
}

static wend_status write_relation(finisher *f, int relation, const char *const names[4], wend_error *error) {
    wend_builder *builder = f->builder;
    const wend_allocator *allocator = &builder->allocator;
    const wend_trees *shape = &f->made->shape;
    uint64_t count = f->entries[relation].size / sizeof(wend_trees_entry);
    if (count >= UINT32_MAX)
        return wend_fail(error, WEND_STATUS_TOO_LARGE, "more entries than a database can have");
    bool wide = f->nodes > UINT16_MAX || shape->tiles > UINT16_MAX;
    uint32_t width = wide ? 4 : 2;
    size_t room = (size_t)count + 1, blocks = (size_t)shape->blocks + 2;
    columns to = {.offsets = wend_allocate_zeroed(allocator, blocks, sizeof *to.offsets),
                  .keys = {wend_allocate(allocator, room, width), wide},
                  .values = {wend_allocate(allocator, room, width), wide},
                  .masks = wend_allocate(allocator, room, sizeof *to.masks)};
    wend_status status;
    if (!to.offsets || !to.keys.data || !to.values.data || !to.masks)
        status =
            wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %llu entries", (unsigned long long)count);
    else if (!fill_columns(f, relation, &to))
        status = wend_fail(error, WEND_STATUS_DAMAGED, "a job leads to a cell that is no subgoal");
    else
        status = wend_builder_section(builder, names[0], sizeof *to.offsets, to.offsets, blocks - 1, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, names[1], width, to.keys.data, count, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, names[2], width, to.values.data, count, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, names[3], sizeof *to.masks, to.masks, count, error);
    wend_release(allocator, to.offsets, blocks, sizeof *to.offsets);
    wend_release(allocator, to.keys.data, room, width);
    wend_release(allocator, to.values.data, room, width);
    wend_release(allocator, to.masks, room, sizeof *to.masks);
    return status;
}

/* The lists of the plain form. Jobs stand in another order than goals: first how long each list is (while
 * there are no keys), then the lists. */
typedef struct plain_form {
    uint64_t *offsets;
    uint32_t *keys, *values;
    uint64_t nodes;
} plain_form;

static bool take_plain_job(const finisher *f, uint32_t job, const wend_buffer *result, plain_form *to) {
    const wend_trees *shape = &f->made->shape;
    uint32_t block = f->made->jobs[job];
    uint32_t first_y = block / shape->columns[2] * WEND_TREES_SIDE;
    uint32_t first_x = block % shape->columns[2] * WEND_TREES_SIDE;
    wend_buffer rest = *result;
    (void)take(&rest, sizeof(wend_trees_summary));
    for (uint32_t i = 0; i < WEND_TREES_SIDE * WEND_TREES_SIDE; i++) {
        uint32_t y = first_y + i / WEND_TREES_SIDE, x = first_x + i % WEND_TREES_SIDE, count;
        if (!wend_map_is_open(f->builder->map, (int32_t)x, (int32_t)y)) continue;
        const void *taken = take(&rest, sizeof count);
        if (!taken) return false;
        memcpy(&count, taken, sizeof count);
        uint32_t words[2];
        const uint8_t *from = take(&rest, (size_t)count * sizeof words);
        uint64_t *offset = &to->offsets[y * shape->width + x];
        if (!from || (to->keys && count != offset[1] - offset[0])) return false;
        if (!to->keys) offset[1] = count;
        for (uint32_t j = 0; to->keys && j < count; j++) {
            memcpy(words, from + j * sizeof words, sizeof words);
            /* If the summary counts other goals than the map has, these words were not looked at before. */
            if (words[0] >= f->builder->map->cells || !known_value(f, words[1])) return false;
            to->keys[*offset + j] = f->ids[words[0]];
            to->values[*offset + j] = node_of(f, words[1]);
        }
    }
    return true;
}

static wend_status take_plain(const finisher *f, const wend_buffer *results, plain_form *to,
                              wend_error *error) {
    for (uint32_t job = 0; job < f->builder->jobs; job++)
        if (!take_plain_job(f, job, &results[job], to))
            return wend_fail(error, WEND_STATUS_DAMAGED, "job %u of the build is not what it should be", job);
    return WEND_OK;
}

static wend_status write_plain(finisher *f, const wend_buffer *results, wend_error *error) {
    wend_builder *builder = f->builder;
    const wend_allocator *allocator = &builder->allocator;
    size_t cells = builder->map->cells;
    plain_form to = {.offsets = wend_allocate_zeroed(allocator, cells + 1, sizeof *to.offsets)};
    if (!to.offsets) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %zu trees", cells);
    wend_status status = take_plain(f, results, &to, error);
    for (size_t i = 0; i < cells; i++) to.offsets[i + 1] += to.offsets[i];
    to.nodes = to.offsets[cells];
    size_t room = (size_t)to.nodes + 1;
    if (status == WEND_OK && to.nodes != f->counts[WEND_TREES_NODES])
        status = wend_fail(error, WEND_STATUS_DAMAGED, "the jobs of the build have not the nodes they say");
    if (status == WEND_OK) {
        to.keys = wend_allocate(allocator, room, sizeof *to.keys);
        to.values = wend_allocate(allocator, room, sizeof *to.values);
        status = to.keys && to.values ? take_plain(f, results, &to, error)
                                      : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for %llu nodes",
                                                  (unsigned long long)to.nodes);
    }
    if (status == WEND_OK)
        status = wend_builder_section(builder, "goals", sizeof *to.offsets, to.offsets, cells + 1, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "tree-nodes", sizeof *to.keys, to.keys, to.nodes, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "tree-nexts", sizeof *to.values, to.values, to.nodes, error);
    wend_release(allocator, to.offsets, cells + 1, sizeof *to.offsets);
    wend_release(allocator, to.keys, room, sizeof *to.keys);
    wend_release(allocator, to.values, room, sizeof *to.values);
    return status;
}

static void number_nodes(finisher *f) {
    for (wend_cell cell = 0; cell < f->builder->map->cells; cell++)
        if (f->ids[cell] != UINT32_MAX) f->cells[f->nodes] = cell, f->ids[cell] = f->nodes++;
}

/* Blocks without an open cell have no items: they end where those before them do. */
static void fill_gaps(finisher *f) {
    for (int r = 0; r < WEND_TREES_RELATIONS; r++)
        for (uint32_t i = 1; i < wend_trees_blocks_of(&f->made->shape, 2); i++)
            if (f->ends[r][i] < f->ends[r][i - 1]) f->ends[r][i] = f->ends[r][i - 1];
}

static wend_status finish(finisher *f, const wend_buffer *results, wend_error *error) {
    static const char *const tree_names[4] = {"tree-blocks", "tree-nodes", "tree-nexts", "tree-masks"};
    static const char *const start_names[4] = {"start-blocks", "start-tiles", "start-nodes", "start-masks"};
    wend_builder *builder = f->builder;
    wend_status status = WEND_OK;
    for (uint32_t i = 0; i < builder->jobs && status == WEND_OK; i++) {
        status = take_job(f, i, &results[i]);
        if (status == WEND_STATUS_DAMAGED)
            return wend_fail(error, status, "job %u of the build is not what it should be", i);
    }
    fill_gaps(f);
    for (int r = 0; r < WEND_TREES_RELATIONS && status == WEND_OK; r++)
        if (!merge_levels(f, r)) status = WEND_STATUS_NO_MEMORY;
    if (status != WEND_OK) return wend_fail(error, status, "no memory to put the trees together");
    number_nodes(f);
    if (!f->counts[WEND_TREES_GOALS]) f->counts[WEND_TREES_LEAST] = 0;
    status = wend_builder_section(builder, "counts", sizeof(uint64_t), f->counts, WEND_TREES_COUNTS, error);
    if (status == WEND_OK)
        status = wend_builder_section(builder, "cells", sizeof(wend_cell), f->cells, f->nodes, error);
    if (status == WEND_OK)
        status = f->made->share ? write_relation(f, WEND_TREES_OF_TREES, tree_names, error)
                                : write_plain(f, results, error);
    return status == WEND_OK ? write_relation(f, WEND_TREES_OF_STARTS, start_names, error) : status;
}

wend_status wend_trees_finish(wend_builder *builder, const wend_buffer *results, wend_error *error) {
    const wend_trees_maker *made = builder->state;
    const wend_allocator *allocator = &builder->allocator;
    size_t cells = builder->map->cells, blocks = wend_trees_blocks_of(&made->shape, 2);
    finisher f = {.builder = builder,
                  .made = made,
                  .next = {.allocator = allocator},
                  .merged = {.allocator = allocator}};
    f.counts[WEND_TREES_LEAST] = UINT32_MAX;
    f.ids = wend_allocate(allocator, cells, sizeof *f.ids);
    f.cells = wend_allocate(allocator, cells, sizeof *f.cells);
    f.next_ends = wend_allocate_zeroed(allocator, blocks, sizeof *f.next_ends);
    bool good = f.ids && f.cells && f.next_ends;
    for (int r = 0; r < WEND_TREES_RELATIONS; r++) {
        f.entries[r].allocator = f.above[r].allocator = allocator;
        f.ends[r] = wend_allocate_zeroed(allocator, blocks, sizeof **f.ends);
        good &= f.ends[r] != NULL;
    }
    if (f.ids) memset(f.ids, 0xff, cells * sizeof *f.ids);
    wend_status status = good
                             ? finish(&f, results, error)
                             : wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory to put the trees together");
    for (int r = 0; r < WEND_TREES_RELATIONS; r++) {
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
