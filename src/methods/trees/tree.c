/* The subgoal tree of one goal: algorithm 2 of Hernandez and Baier, "Fast subgoaling for pathfinding via
 * real-time search" (SoCS 2011).
 *
 * Dijkstra's algorithm from the goal G. Every cell s has a subgoal Sub(s), that of its parent p, while the
 * cost of the tree path from s to it is the distance without walls. Where that first fails, p itself becomes
 * a subgoal, a node of the tree, whose next is Sub(p). The cost of the tree path to Sub(s) is g(s) -
 * g(Sub(s)), so g_sub need not be kept.
 *
 * Readings of the printed algorithm: line 18 resets g_sub(s), line 21 removes s'; costs are exact, so that
 * they can be compared. Cells of one distance leave the queue in the order of their numbers, and line 13
 * replaces a parent only by one that gives a strictly smaller g. So the parent of a cell is, of its
 * neighbours on shortest paths, the one that left the queue first: that behind a diagonal move, then the one
 * of smallest number.
 * - `final`: a cell is tested once, with its settled parent.
 * - `pushed`, as printed: a cell is tested each time line 13 finds a shorter way, including ways that later
 *   turn out not to be shortest.
 * In both, a test that fails at p makes p a node, and the subgoal of all its children.
 *
 * Departure: the result is that of the printed order, but not the way there. First distances, by waves that
 * need no order inside (field.c says why), and for each cell its parent, read off its neighbours when it is
 * settled. Then, over the cells in the order of waves, the tests. What the order of the queue decides
 * (whether a way was found before a shorter one) follows from distances and numbers.
 *
 * A cell stands in a wave at most once, so that lists of a known length are enough. All loops can be left
 * after any cell, and continued. */
#include "methods/trees/tree.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Directions to parents, first choice first: those behind a diagonal move are nearer to the goal. */
static const uint8_t parents[WEND_DIRECTIONS] = {7, 1, 5, 3, 0, 6, 2, 4};

/* How a cell lies to its subgoal: the signs of both axes, and which is longer. */
enum { CLASSES = 27 };

WEND_INLINE uint32_t class_of(int32_t dx, int32_t dy) {
    int32_t far_x = dx < 0 ? -dx : dx, far_y = dy < 0 ? -dy : dy;
    int32_t longer = (far_x > far_y) - (far_x < far_y);
    return (uint32_t)(((dx > 0) - (dx < 0) + 1) * 9 + ((dy > 0) - (dy < 0) + 1) * 3 + longer + 1);
}

/* The moves away from a subgoal whose cost is just by how much the distance without walls grows. The cost of
 * the tree path from a cell to its subgoal is that distance, so a child passes the test if and only if the
 * move to it is one of these. */
static void find_passing(wend_tree *tree) {
    const wend_map *map = tree->map;
    for (int32_t dx = -2; dx <= 2; dx++)
        for (int32_t dy = -2; dy <= 2; dy++)
            for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
                uint32_t x = (uint32_t)abs(dx), y = (uint32_t)abs(dy);
                uint32_t there_x = (uint32_t)abs(dx + wend_dx[d]), there_y = (uint32_t)abs(dy + wend_dy[d]);
                if (wend_octile(map, there_x, there_y) == wend_octile(map, x, y) + map->cost[d])
                    tree->passing[class_of(dx, dy)] |= (wend_directions)(1u << d);
            }
}

#define COST uint32_t
#define N(x) x##_narrow
#include "methods/trees/tree.inc"
#undef COST
#undef N
#define COST uint64_t
#define N(x) x##_wide
#include "methods/trees/tree.inc"

void wend_tree_options_init(wend_tree_options *options, size_t size) {
    const wend_tree_options own = {.test = WEND_TREE_FINAL};
    wend_options_init(options, size, &own, sizeof own);
}

/* Distances have room for the neighbours of the cells of the first row and the last. */
static size_t margin(const wend_map *map) {
    return (size_t)map->width + 1;
}

static size_t distance_count(const wend_tree *tree) {
    return tree->cells + 2 * margin(tree->map);
}

static size_t distance_size(const wend_tree *tree) {
    return tree->wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

wend_status wend_tree_create(const wend_map *map, const wend_tree_options *options, wend_tree **tree,
                             wend_error *error) {
    if (!map || !tree) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no map for a subgoal tree");
    *tree = NULL;
    wend_tree_options own = wend_default_tree_options();
    wend_status status = wend_options_take(&own, sizeof own, options, "tree", error);
    if (status != WEND_OK) return status;
    options = &own;
    if (options->test != WEND_TREE_FINAL && options->test != WEND_TREE_PUSHED)
        return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "there is no such test of subgoal trees");
    wend_allocator allocator = wend_allocator_or_default(&options->allocator);
    wend_tree *made = wend_allocate_zeroed(&allocator, 1, sizeof *made);
    if (!made) return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a subgoal tree");
    made->map = map, made->allocator = allocator, made->test = options->test, made->cells = map->cells;
    made->wide = wend_map_cost_bound(map, map->cells) >= UINT32_MAX; /* it outlives edits */
    made->goal = WEND_NO_CELL;
    made->block = wend_allocate(&allocator, distance_count(made), distance_size(made));
    made->subs = wend_allocate(&allocator, map->cells, sizeof *made->subs);
    made->children = wend_allocate(&allocator, map->cells, sizeof *made->children);
    made->order = wend_allocate(&allocator, map->cells, sizeof *made->order);
    made->lists = wend_allocate(&allocator, map->cells, 3 * sizeof *made->lists);
    if (!made->block || !made->subs || !made->children || !made->order || !made->lists) {
        wend_tree_destroy(made);
        return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a subgoal tree");
    }
    memset(made->block, 0xff, distance_count(made) * distance_size(made));
    made->distances = (uint8_t *)made->block + margin(map) * distance_size(made);
    for (size_t i = 0; i < 3; i++) made->wave[i] = made->lists + i * map->cells;
    find_passing(made);
    for (uint32_t set = 1; set < 256; set++) {
        uint32_t i = 0;
        while (!(set >> parents[i] & 1)) i++;
        made->parent_of[set] = parents[i];
    }
    *tree = made;
    return WEND_OK;
}

void wend_tree_destroy(wend_tree *tree) {
    if (!tree) return;
    wend_allocator allocator = tree->allocator;
    wend_release(&allocator, tree->lists, tree->cells, 3 * sizeof *tree->lists);
    wend_release(&allocator, tree->order, tree->cells, sizeof *tree->order);
    wend_release(&allocator, tree->children, tree->cells, sizeof *tree->children);
    wend_release(&allocator, tree->subs, tree->cells, sizeof *tree->subs);
    wend_release(&allocator, tree->block, distance_count(tree), distance_size(tree));
    wend_release(&allocator, tree, 1, sizeof *tree);
}

size_t wend_tree_bytes(const wend_tree *tree) {
    return sizeof *tree + distance_count(tree) * distance_size(tree) +
           tree->cells *
               (sizeof *tree->subs + sizeof *tree->children + sizeof *tree->order + 3 * sizeof *tree->lists);
}

/* What the search has reached is forgotten first, slice by slice as all the rest. */
static void start_over(wend_tree *tree) {
    if (tree->phase != WEND_TREE_CLEAR) tree->next = 0;
    tree->phase = WEND_TREE_CLEAR;
    tree->nodes = 0;
    tree->revision = tree->map->revision;
}

wend_status wend_tree_begin(wend_tree *tree, wend_cell goal, wend_error *error) {
    if (!tree) return wend_fail(error, WEND_STATUS_BAD_ARGUMENT, "no subgoal tree");
    wend_status status = wend_map_check_open(tree->map, goal, "goal", error);
    if (status != WEND_OK) return status;
    tree->goal = goal;
    start_over(tree);
    return WEND_OK;
}

static void forget(wend_tree *tree, wend_cell cell) {
    if (tree->wide)
        ((uint64_t *)tree->distances)[cell] = UINT64_MAX;
    else
        ((uint32_t *)tree->distances)[cell] = UINT32_MAX;
}

/* The cells that were settled, and those that were waiting to be. */
static bool clear(wend_tree *tree, uint64_t stop) {
    while (tree->next < tree->reached && tree->operations < stop) {
        forget(tree, tree->order[tree->next++]);
        tree->operations++;
    }
    if (tree->next < tree->reached) return false;
    for (size_t i = 0; i < 3; i++)
        while (tree->used[i]) {
            if (tree->operations >= stop) return false;
            forget(tree, tree->wave[i][--tree->used[i]]);
            tree->operations++;
        }
    return true;
}

static void set_out(wend_tree *tree) {
    tree->phase = WEND_TREE_SPREAD;
    tree->next = tree->reached = 0;
    tree->end = tree->map->cost[0];
    tree->wave[0][0] = tree->goal;
    tree->used[0] = 1;
    tree->children[tree->goal] = 0;
    tree->subs[tree->goal] = tree->goal;
    if (tree->wide)
        ((uint64_t *)tree->distances)[tree->goal] = 0;
    else
        ((uint32_t *)tree->distances)[tree->goal] = 0;
}

bool wend_tree_grow(wend_tree *tree, uint64_t operations) {
    if (tree->phase == WEND_TREE_IDLE) return false;
    if (tree->revision != tree->map->revision) {
        if (!wend_map_is_open_cell(tree->map, tree->goal)) return false;
        start_over(tree);
    }
    uint64_t stop = operations > UINT64_MAX - tree->operations ? UINT64_MAX : tree->operations + operations;
    if (tree->phase == WEND_TREE_CLEAR && clear(tree, stop)) set_out(tree);
    if (tree->phase == WEND_TREE_SPREAD && (tree->wide ? spread_wide(tree, stop) : spread_narrow(tree, stop)))
        tree->phase = WEND_TREE_LINK, tree->next = 0;
    if (tree->phase == WEND_TREE_LINK && (tree->wide ? link_wide(tree, stop) : link_narrow(tree, stop)))
        tree->phase = WEND_TREE_WHOLE;
    return tree->phase == WEND_TREE_WHOLE;
}

bool wend_tree_is_whole(const wend_tree *tree) {
    return tree->phase == WEND_TREE_WHOLE && tree->revision == tree->map->revision;
}

uint64_t wend_tree_operations(const wend_tree *tree) {
    return tree->operations;
}

wend_cell wend_tree_goal(const wend_tree *tree) {
    return tree->goal;
}

uint32_t wend_tree_nodes(const wend_tree *tree) {
    return wend_tree_is_whole(tree) ? tree->nodes : 0;
}

wend_cell wend_tree_node(const wend_tree *tree, uint32_t index) {
    return index < wend_tree_nodes(tree) ? tree->wave[0][index] : WEND_NO_CELL;
}

wend_cost wend_tree_cost(const wend_tree *tree, wend_cell cell) {
    if (!wend_tree_is_whole(tree) || cell >= tree->cells) return WEND_NO_COST;
    if (tree->wide) return ((const uint64_t *)tree->distances)[cell];
    uint32_t distance = ((const uint32_t *)tree->distances)[cell];
    return distance == UINT32_MAX ? WEND_NO_COST : distance;
}

wend_cell wend_tree_next(const wend_tree *tree, wend_cell cell) {
    if (wend_tree_cost(tree, cell) == WEND_NO_COST || !(tree->subs[cell] & WEND_TREE_NODE))
        return WEND_NO_CELL;
    return wend_tree_sub(tree, cell);
}

wend_cell wend_tree_from(const wend_tree *tree, wend_cell cell) {
    return wend_tree_cost(tree, cell) == WEND_NO_COST ? WEND_NO_CELL : wend_tree_sub(tree, cell);
}
