/* A map, its cells as the reference sees them, and the searches under test: what most tests of searches stand
 * on. */
#ifndef WEND_TESTS_RIG_H
#define WEND_TESTS_RIG_H

#include "support/maps.h"
#include "support/reference.h"

#include <wend/search.h>

typedef struct test_rig {
    wend_map *map;
    test_grid grid;
    wend_search *search;
    wend_jumps *jumps;
    wend_cost *distance; /* room for the reference's, a cell each */
    wend_direction *moves;
    wend_cell *path; /* room for any path */
} test_rig;

/* Takes the map over, even when it fails (which it has reported); close in any case. */
bool test_rig_open(test_rig *rig, wend_map *map);
void test_rig_close(test_rig *rig);

/* wend_search_astar, wend_search_jps, wend_search_find. */
typedef enum test_method { TEST_ASTAR, TEST_JPS, TEST_FIND, TEST_METHODS } test_method;
extern const char *const test_method_names[TEST_METHODS];

wend_status test_rig_run(const test_rig *rig, test_method how, wend_cell start, wend_cell goal,
                         wend_result *result, wend_error *error);
bool test_same_result(const wend_result *a, const wend_result *b);

/* The path of the last search: legal by the reference's rules, of the stated cost, from start to goal, the
 * same as moves and as cells, and no more of it written than asked for. */
void test_check_path(const test_rig *rig, wend_cell start, wend_cell goal, const wend_result *result,
                     const char *who);
/* One pair by every method against rig->distance, which holds the reference's distances from `start`. */
void test_check_pair(const test_rig *rig, wend_cell start, wend_cell goal);

#endif
