/* Subgoal trees: for one goal, the cells from which a heuristic depression is left, and where to go from
 * each. For all goals of a map at once there is the database `subgoal-tree`; this is for a single goal that
 * many agents share, found at run time in slices:
 * 1. wend_tree_create(map, ...), then wend_tree_begin(tree, goal, ...) for each goal.
 * 2. wend_tree_grow(tree, operations) in every tick, until it says true.
 * 3. Give it to agents (wend_agent_options.tree), or ask wend_tree_from; wend_tree_destroy after its agents. */
#ifndef WEND_TREE_H
#define WEND_TREE_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* When a cell is tested against the subgoal of the cell before it: see docs/notes/trees.md. */
typedef enum wend_tree_test {
    WEND_TREE_FINAL = 0, /* once, when its way to the goal is known to be a shortest one */
    WEND_TREE_PUSHED = 1 /* each time that a shorter way is found, as the paper prints it: more subgoals */
} wend_tree_test;

typedef struct wend_tree_options {
    uint32_t struct_size; /* set by wend_default_...() */
    wend_tree_test test;  /* final */
    wend_allocator allocator;
} wend_tree_options;

/* For wend_default_tree_options(), and bindings: sets the defaults of the fields that lie within `size` bytes. */
WEND_API void wend_tree_options_init(wend_tree_options *options, size_t size);
static inline wend_tree_options wend_default_tree_options(void) {
    wend_tree_options options;
    wend_tree_options_init(&options, sizeof options);
    return options;
}

/* A tree may be read by any number of agents and threads while nobody grows it. */
typedef struct wend_tree wend_tree;

/* The map must outlive it. Takes 25 bytes a cell (29 where costs need 64 bits), all that is ever needed: no
 * call below asks for memory. */
WEND_API wend_status wend_tree_create(const wend_map *map, const wend_tree_options *options, wend_tree **tree,
                                      wend_error *error);
WEND_API void wend_tree_destroy(wend_tree *tree); /* after its agents */
WEND_API size_t wend_tree_bytes(const wend_tree *tree);

/* The tree of another goal, which must be open: from now on it has to be grown anew. O(1). */
WEND_API wend_status wend_tree_begin(wend_tree *tree, wend_cell goal, wend_error *error);
/* Goes on for at most `operations` operations, over which it may go by 100. True once the tree is whole;
 * false without a goal. All in all it takes about eleven operations a cell that can be reached, some 25 with
 * WEND_TREE_PUSHED, and one more for each cell of the tree before. A map that was edited meanwhile makes it
 * start over. */
WEND_API bool wend_tree_grow(wend_tree *tree, uint64_t operations);
WEND_API bool wend_tree_is_whole(const wend_tree *tree); /* for the map as it is now */
/* All operations since it was created. */
WEND_API uint64_t wend_tree_operations(const wend_tree *tree);

/* The calls below answer for a tree that is whole; otherwise there is nothing in it. */
WEND_API wend_cell wend_tree_goal(const wend_tree *tree); /* WEND_NO_CELL before wend_tree_begin */
/* Its nodes: all subgoals, in no particular order, the goal not among them. */
WEND_API uint32_t wend_tree_nodes(const wend_tree *tree);
WEND_API wend_cell wend_tree_node(const wend_tree *tree, uint32_t index); /* WEND_NO_CELL beyond the last */
/* What comes after a node: another node, nearer to the goal, or the goal. WEND_NO_CELL for other cells. */
WEND_API wend_cell wend_tree_next(const wend_tree *tree, wend_cell cell);
/* Where to head for from any cell: a node or the goal, to which a path leads that costs no more than the
 * distance without walls, and which lies on a shortest path to the goal. The goal itself there; WEND_NO_CELL
 * where no path leads to the goal. */
WEND_API wend_cell wend_tree_from(const wend_tree *tree, wend_cell cell);
/* The exact cost of the way to the goal; WEND_NO_COST: there is none. */
WEND_API wend_cost wend_tree_cost(const wend_tree *tree, wend_cell cell);

#ifdef __cplusplus
}
#endif
#endif
