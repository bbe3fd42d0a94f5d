/* Whole paths between all pairs of cells of many small maps, held against Dijkstra: for whatever finds the
 * shortest. Ten kinds of maps, all rules of movement, sizes up to 14 x 14; and all maps of 4 x 4 cells. */
#ifndef WEND_TESTS_PAIRS_H
#define WEND_TESTS_PAIRS_H

#include "support/maps.h"
#include "support/reference.h"

/* Who is tested. `open` makes what it needs for a map, NULL if it can't, which fails. `path` writes the cells of
 * a path from start to goal, both included, and returns how many; 0: there is none. */
typedef struct test_pather {
    const char *name;
    void *(*open)(const wend_map *map);
    size_t (*path)(void *opened, wend_cell start, wend_cell goal, wend_cell *cells, size_t room);
    void (*close)(void *opened);
} test_pather;

typedef struct test_pairs {
    uint64_t maps, pairs, unreachable;
    uint64_t wrong;
    char first[400]; /* the first that was wrong */
} test_pairs;

/* Maps number `first` to first + count - 1 of the ten kinds. */
test_pairs test_pairs_of_kinds(const test_pather *pather, uint64_t first, uint64_t count);
/* Each step-th map of 4 x 4 cells from `first` on, under all rules. */
test_pairs test_pairs_of_fours(const test_pather *pather, uint32_t first, uint32_t step);

#endif
