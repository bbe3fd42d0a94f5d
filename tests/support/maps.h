/* Small maps for properties: every shape that has ever broken a grid search, from a seed. Built by
 * wend_map_create and wend_map_edit alone, so that they don't lean on the generators or the loaders. */
#ifndef WEND_TESTS_MAPS_H
#define WEND_TESTS_MAPS_H

#include <wend/generate.h>
#include <wend/map.h>
#include <wend/scenario.h>

/* Numbers from a seed; independent of the library's. */
typedef struct test_random {
    uint64_t state;
} test_random;

uint32_t test_below(test_random *random, uint32_t bound); /* 0 .. bound-1; bound at least 1 */

/* Every combination of connect, corners and diagonal cost. */
enum { TEST_RULES = 12 };
wend_rules test_rules(uint32_t number); /* modulo TEST_RULES */

/* The shapes of test_map_make. */
typedef enum test_shape {
    TEST_SHAPE_OPEN,
    TEST_SHAPE_BLOCKED,
    TEST_SHAPE_SCATTERED, /* 0 to 60 per cent blocked */
    TEST_SHAPE_MAZE,
    TEST_SHAPE_COMB,   /* long teeth: the heuristic is wrong all the way */
    TEST_SHAPE_SPIRAL, /* one corridor */
    TEST_SHAPE_ROOMS,
    TEST_SHAPE_DIAGONALS, /* a board of touching corners: every corner rule differs here */
    TEST_SHAPE_HALVES,    /* a wall without a door */
    TEST_SHAPES
} test_shape;

/* NULL if the library refuses (which the caller checks). `allocator` may be NULL. */
wend_map *test_map_make(test_shape shape, int32_t width, int32_t height, wend_rules rules,
                        test_random *random, const wend_allocator *allocator);
/* A square one of a generator; NULL, reported, if that is refused. */
wend_map *test_map_generated(wend_map_kind kind, int32_t side, wend_rules rules, uint64_t seed);
/* One of the shared maps ("dao/orz103d"), and its scenario unless that is NULL. NULL, reported, if it can't be
 * read; skipped, if there are none. `rules` may be NULL. */
wend_map *test_map_shared(const char *name, const wend_rules *rules, wend_scenario **scenario);
/* A map of any shape, any size from 1x1 to 40x40 (thin ones often) and any rules: all from `number`. */
wend_map *test_map_any(uint64_t number);

/* Opens or closes a random rectangle, mostly a single cell. False if the library refuses. */
bool test_map_edit_any(wend_map *map, test_random *random);
/* The same until a cell is not what it was. */
bool test_map_change_any(wend_map *map, test_random *random);

/* A random open cell; WEND_NO_CELL where there is none. */
wend_cell test_open_cell(const wend_map *map, test_random *random);

#endif
