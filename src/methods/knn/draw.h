/* Which problems the records of a case base solve: pairs of open cells that a path of at least three cells
 * joins. Pair n depends on map, seed, settings and n alone.
 *
 * At random, as figure 5 of "Case-based subgoaling" has it: both ends uniform over the open cells, drawn
 * again until they fit. Such pairs leave holes: of as many equal parts of the space of pairs as there are
 * records, one in e stays empty.
 *
 * Evenly, from the paper's future work: the open cells of a component are put in the order of a Hilbert
 * curve, so that a stretch of the order is a compact part of the map. Of n pairs, the m-th starts in the m-th
 * of n equal stretches and ends near m times the golden ratio, modulo the whole: so every part of the map has
 * its share of starts and of ends, and every two parts their share of pairs. Components get pairs by the
 * square of their size, which is what chance gives them. */
#ifndef WEND_KNN_DRAW_H
#define WEND_KNN_DRAW_H

#include "base/memory.h"
#include "grid/map.h"

typedef struct wend_draws {
    const wend_map *map;
    wend_allocator allocator;
    uint64_t seed;
    uint32_t pairs, again;
    bool even;
    bool possible; /* some component has three cells */
    uint32_t open, components;
    wend_cell *cells; /* the open ones, a component after another, each along the curve */
    uint32_t *begin;  /* of each component in `cells`; one more closes them */
    uint32_t *first;  /* even: the first pair of each component; one more closes them */
} wend_draws;

/* 4 bytes an open cell. Release it in any case. */
wend_status wend_draws_create(wend_draws *draws, const wend_map *map, uint64_t seed, uint32_t pairs,
                              bool even, const wend_allocator *allocator, wend_error *error);
void wend_draws_release(wend_draws *draws);
/* Even: lays out another number of pairs; other ones for each value of `again`. */
void wend_draws_lay_out(wend_draws *draws, uint32_t pairs, uint32_t again);

/* Pair number n, below `pairs`. False if 1,000 draws gave none that fits: then there are hardly any, and it
 * is left out. */
bool wend_draw(const wend_draws *draws, uint32_t n, wend_cell *start, wend_cell *goal);
/* The same at random, whatever the pairs are; n may be any number. */
bool wend_draw_random(const wend_draws *draws, uint32_t n, wend_cell *start, wend_cell *goal);
/* Whether two numbers can be a pair: open cells, of which no move joins one to the other. That a path does is
 * not looked at. */
bool wend_draw_fits(const wend_draws *draws, wend_cell start, wend_cell goal);

#endif
