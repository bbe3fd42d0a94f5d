/* The inside of a subgoal tree, for the builder that makes one after another. tree.c explains it. */
#ifndef WEND_TREES_TREE_H
#define WEND_TREES_TREE_H

#include "grid/map.h"
#include <wend/tree.h>

typedef enum wend_tree_phase {
    WEND_TREE_IDLE,   /* there is no goal */
    WEND_TREE_CLEAR,  /* forgetting the distances of the search before */
    WEND_TREE_SPREAD, /* distances, and who is whose parent */
    WEND_TREE_LINK,   /* subgoals */
    WEND_TREE_WHOLE
} wend_tree_phase;

/* Beside a cell in `subs`: it is a subgoal itself. Cells are below 2^30. */
#define WEND_TREE_NODE ((uint32_t)1 << 31)

struct wend_tree {
    const wend_map *map;
    wend_allocator allocator;
    wend_tree_test test;
    bool wide;
    uint32_t cells;
    wend_cell goal;
    wend_tree_phase phase;
    uint64_t revision; /* of the map when this goal was begun */
    uint64_t operations;
    void *block;        /* where distances stand: */
    void *distances;    /* uint32_t or uint64_t; all bits set: not reached */
    uint32_t *subs;     /* Sub of each reached cell, with WEND_TREE_NODE */
    uint8_t *children;  /* of each reached cell: the directions to its children */
    wend_cell *order;   /* the cells reached, parents before children */
    wend_cell *lists;   /* a block of three: */
    wend_cell *wave[3]; /* cells by distance: this wave and the two after it. Once all are empty, wave[0] is
                           the list of nodes */
    uint32_t used[3];
    uint32_t reached, nodes;
    uint32_t next;               /* of the list of this phase */
    uint64_t end;                /* of this wave: no cell of it is so far from the goal */
    wend_directions passing[27]; /* see tree.c */
    uint8_t parent_of[256];      /* the direction to the parent, by the set of optimal moves to the goal */
};

/* Where to head for from a cell that was reached. */
WEND_INLINE wend_cell wend_tree_sub(const wend_tree *tree, wend_cell cell) {
    return tree->subs[cell] & ~WEND_TREE_NODE;
}

#endif
