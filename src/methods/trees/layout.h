/* The subgoal trees of all goals as planners read them.
 *
 * Nodes, the cells that are a subgoal of any goal, are numbered in the order of their cells. There are two
 * relations between a key, a value (a node, or the goal itself) and goals:
 * - trees: a node and what comes after it on the way to the goal; one value at most.
 * - starts: a tile of 16 x 16 cells and the subgoals that its cells have on the way to the goal; any number.
 *
 * Goals near each other have nearly the same trees. So pairs are kept with the sets of goals that they hold
 * for: the map is a block of 4^levels cells per side, each block consists of 4 x 4 smaller ones, those of
 * level 1 of cells. A block's entry is a pair and a mask of 16 bits for those of its parts in all of whose
 * open cells the pair holds. A goal lies in one block of each level, and what holds for it is what these have
 * with its part's bit: so many searches by halving, and nothing is decoded. In the plain form (share=no) the
 * trees are lists, one a goal. */
#ifndef WEND_TREES_LAYOUT_H
#define WEND_TREES_LAYOUT_H

#include "db/kind.h"

enum {
    WEND_TREES_TILE = 16,  /* cells along each side */
    WEND_TREES_LEVELS = 8, /* at most: 4^8 is more than WEND_MAX_SIDE */
    WEND_TREES_PARTS = 16
};

typedef struct wend_trees_relation {
    const uint32_t *offsets; /* of the entries of each block, and one more */
    const void *keys;        /* ascending in a block; uint16_t or uint32_t, as `wide` says */
    const void *values;      /* a node, or `nodes` for the goal */
    const uint16_t *masks;
    uint64_t entries;
} wend_trees_relation;

typedef struct wend_trees {
    uint32_t width, height;
    uint32_t tile_columns, tiles;
    uint32_t levels;
    uint32_t first[WEND_TREES_LEVELS + 1], columns[WEND_TREES_LEVELS + 1]; /* blocks of each, from level 1 */
    uint32_t blocks;                                                       /* in all */
    uint32_t nodes;
    bool wide;
    const wend_cell *cells; /* of the nodes */
    wend_trees_relation trees, starts;
    /* The plain form: of goal g, entries plain_offsets[g] to plain_offsets[g + 1]. NULL if shared. */
    const uint64_t *plain_offsets;
    const uint32_t *plain_keys, *plain_values;
    uint64_t plain_entries;
    const uint64_t *counts; /* WEND_TREES_COUNTS of them */
} wend_trees;

/* What was counted while it was built. */
enum { WEND_TREES_GOALS, WEND_TREES_NODES, WEND_TREES_MOST, WEND_TREES_LEAST, WEND_TREES_COUNTS };

/* In place of a node. */
#define WEND_TREES_GOAL (UINT32_MAX - 1)
#define WEND_TREES_NONE UINT32_MAX

/* Sets sizes and levels for a map's size; false if it is none. */
bool wend_trees_lay_out(wend_trees *trees, int32_t width, int32_t height);

/* Of an open database of this kind. */
const wend_trees *wend_trees_of(const wend_db *db);

WEND_INLINE wend_cell wend_trees_cell(const wend_trees *trees, uint32_t node, wend_cell goal) {
    return node < trees->nodes ? trees->cells[node] : goal;
}

/* The node on a cell; WEND_TREES_NONE. */
uint32_t wend_trees_node_at(const wend_trees *trees, wend_cell cell);

/* What comes after a node on the way to a goal: a node, WEND_TREES_GOAL, or WEND_TREES_NONE where it is not
 * in the goal's tree. Adds its operations, WEND_TREES_LOOKUP at most. */
uint32_t wend_trees_next(const wend_trees *trees, uint32_t node, wend_cell goal, uint64_t *operations);
enum { WEND_TREES_LOOKUP = WEND_TREES_LEVELS * (32 + WEND_TREES_PARTS) };

/* The subgoals of the cells of the tile of `from`, on the way to a goal: nodes, or WEND_TREES_GOAL. At most
 * `room` of them; returns how many. Adds its operations, WEND_TREES_LEVELS * (32 + room) at most. */
uint32_t wend_trees_starts(const wend_trees *trees, wend_cell from, wend_cell goal, uint32_t *found,
                           uint32_t room, uint64_t *operations);

/* How many pairs of each relation hold for a goal. Looks at all entries of its blocks. */
uint32_t wend_trees_count(const wend_trees *trees, bool starts, wend_cell goal);

/* Building: see build.c. */
wend_status wend_trees_prepare(wend_builder *builder, wend_error *error);
wend_status wend_trees_job(wend_builder *builder, uint32_t job, uint32_t number, wend_buffer *result);
wend_status wend_trees_finish(wend_builder *builder, const wend_buffer *results, wend_error *error);
void wend_trees_release(wend_builder *builder);

#endif
