/// @file
/// Subgoal trees: for one goal, the cells from which a heuristic depression is left, and where to go from each.
///
/// The database `subgoal-tree` has them for all goals of a map. This is for a single goal that many agents
/// share, computed at run time in slices:
/// 1. wend_tree_create makes a tree for a map; wend_tree_begin starts it for a goal.
/// 2. Per tick, wend_tree_grow, until it returns true.
/// 3. Give it to agents (wend_agent_options.tree), or ask wend_tree_from.
/// 4. wend_tree_destroy, after its agents.
#ifndef WEND_TREE_H
#define WEND_TREE_H

#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// When a cell is tested against the subgoal of the cell before it: see docs/notes/trees.md.
typedef enum wend_tree_test {
    WEND_TREE_FINAL = 0, ///< Once, when its way to the goal is known to be a shortest one.
    WEND_TREE_PUSHED = 1 ///< Each time a shorter way is found, as the paper prints it: more subgoals.
} wend_tree_test;

/// Options of wend_tree_create.
typedef struct wend_tree_options {
    /// Set by wend_default_tree_options.
    uint32_t struct_size;
    /// When cells are tested. Default WEND_TREE_FINAL.
    wend_tree_test test;
    /// Where memory comes from. Default: the C library's.
    wend_allocator allocator;
} wend_tree_options;

/// Sets the defaults of the fields that lie within `size` bytes. For wend_default_tree_options and bindings.
WEND_API void wend_tree_options_init(wend_tree_options *options, size_t size);
/// The default options.
static inline wend_tree_options wend_default_tree_options(void) {
    wend_tree_options options;
    wend_tree_options_init(&options, sizeof options);
    return options;
}

/// A subgoal tree. Any number of agents and threads may read it while nobody grows it.
typedef struct wend_tree wend_tree;

/// Makes a tree without a goal. The map must outlive it. Takes 25 bytes per cell (29 where costs need 64 bits).
/// That is all that is ever needed: no call below allocates.
WEND_API wend_status wend_tree_create(const wend_map *map, const wend_tree_options *options, wend_tree **tree,
                                      wend_error *error);
/// Destroys a tree, after its agents. NULL is fine.
WEND_API void wend_tree_destroy(wend_tree *tree);
/// Memory held, in bytes.
WEND_API size_t wend_tree_bytes(const wend_tree *tree);

/// Starts the tree of a goal, which must be open. It has to be grown from the start. O(1).
WEND_API wend_status wend_tree_begin(wend_tree *tree, wend_cell goal, wend_error *error);
/// Goes on for at most `operations` operations; a call may go over that by 100. Returns true once the tree is
/// whole, false without a goal.
///
/// In all it takes about 11 operations per cell that can be reached, about 25 with WEND_TREE_PUSHED, and one
/// more for each cell of the tree before. If the map is edited meanwhile, the tree starts over.
WEND_API bool wend_tree_grow(wend_tree *tree, uint64_t operations);
/// Whether the tree is whole for the map as it is now.
WEND_API bool wend_tree_is_whole(const wend_tree *tree);
/// All operations since the tree was created.
WEND_API uint64_t wend_tree_operations(const wend_tree *tree);

/// The goal. WEND_NO_CELL before wend_tree_begin.
WEND_API wend_cell wend_tree_goal(const wend_tree *tree);
/// The number of nodes: all subgoals, without the goal. This call and those below answer for a tree that is
/// whole. Otherwise there is nothing in it.
WEND_API uint32_t wend_tree_nodes(const wend_tree *tree);
/// A node, in no particular order. WEND_NO_CELL beyond the last.
WEND_API wend_cell wend_tree_node(const wend_tree *tree, uint32_t index);
/// What comes after a node: another node, nearer to the goal, or the goal. WEND_NO_CELL for other cells.
WEND_API wend_cell wend_tree_next(const wend_tree *tree, wend_cell cell);
/// Where to head for from any cell: a node or the goal. It lies on a shortest path to the goal, and a path to it
/// costs no more than the distance without walls. From the goal, the goal itself. WEND_NO_CELL where no path
/// leads to the goal.
WEND_API wend_cell wend_tree_from(const wend_tree *tree, wend_cell cell);
/// The exact cost of the way to the goal. WEND_NO_COST: there is none.
WEND_API wend_cost wend_tree_cost(const wend_tree *tree, wend_cell cell);

#ifdef __cplusplus
}
#endif
#endif
