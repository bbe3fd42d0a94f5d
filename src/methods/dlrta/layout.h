/* The regions and subgoals of D LRTA* as planners read them. */
#ifndef WEND_DLRTA_LAYOUT_H
#define WEND_DLRTA_LAYOUT_H

#include "methods/dlrta/dlrta.h"

/* Regions of one component of the map stand together: `counts[r]` of them from `firsts[r]` on. The subgoal on
 * the way from region r to another region g of its component is table[offsets[g] + r - firsts[g]]; its own
 * entry is WEND_NO_CELL. */
typedef struct wend_dlrta {
    uint32_t regions;
    uint64_t entries;
    const uint16_t *narrow; /* the region of each cell, all bits set where it is blocked; or: */
    const uint32_t *wide;
    const wend_cell *centres; /* the representative of each region */
    const uint32_t *firsts, *counts;
    const uint64_t *offsets;
    const wend_cell *table;
} wend_dlrta;

/* Of an open database of this kind. */
wend_dlrta wend_dlrta_of(const wend_db *db);

/* UINT32_MAX for a blocked cell. */
WEND_INLINE uint32_t wend_dlrta_region(const wend_dlrta *base, wend_cell cell) {
    if (base->wide) return base->wide[cell];
    return base->narrow[cell] == UINT16_MAX ? UINT32_MAX : base->narrow[cell];
}

/* WEND_NO_CELL in the goal's region, and where no path leads there. */
WEND_INLINE wend_cell wend_dlrta_subgoal(const wend_dlrta *base, uint32_t from, uint32_t to) {
    if (from - base->firsts[to] >= base->counts[to]) return WEND_NO_CELL;
    return base->table[base->offsets[to] + from - base->firsts[to]];
}

#endif
