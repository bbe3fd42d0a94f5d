/* First moves of path databases, against distances that others have worked out. */
#ifndef WEND_TESTS_FIRST_MOVES_H
#define WEND_TESTS_FIRST_MOVES_H

#include "support/maps.h"
#include "support/reference.h"

#include <wend/cpd.h>

/* What a look-up must give: one of the moves that begin an optimal path, by the reference's distances from
 * the target. */
bool test_is_first_move(const test_grid *grid, const wend_cost *left, wend_cell from, uint32_t move);

/* All targets from some sources (all of them if there are no more cells), against one field a source; how
 * many moves were wrong. */
uint64_t test_wrong_first_moves(const wend_map *map, const wend_db *db, uint32_t sources,
                                test_random *random);

/* A path database of some form on each of the maps that are next to nothing: its components, its moves, and
 * what else is asked of any. A case a map. */
void test_smallest_maps(const char *form, uint32_t (*components_of)(const wend_db *db));

/* A map of rows of letters. */
wend_map *test_map_of_rows(const char *const *rows, int32_t height);

#endif
