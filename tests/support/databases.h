/* Databases under test: built into a file that is gone when the test is, and agents that use one. */
#ifndef WEND_TESTS_DATABASES_H
#define WEND_TESTS_DATABASES_H

#include "db/kind.h"
#include "support/agents/agents.h"

#include <wend/db.h>

/* Builds one of KIND[:KEY=VALUE...] and opens it; NULL (reported) if that is refused. */
wend_db *test_db_build(const wend_map *map, const char *kind, uint64_t seed);
/* An agent of a planner whose settings end in "db=" and some name, which is not looked at. */
wend_agent *test_db_agent(const test_stage *stage, const char *planner, const wend_db *db);

/* A copy of a database whose sections can be written to; not opened yet. Checksums play no part in it. */
typedef struct test_forged {
    wend_db db;
    void *copies[WEND_DB_SECTIONS];
} test_forged;

test_forged test_forge(const wend_db *db);
void test_forged_free(test_forged *made); /* opened or not */
/* A byte of any section becomes any below `bound`, or a section is cut short. */
void test_forged_spoil(test_forged *made, test_random *random, uint32_t bound);

/* Progress that says no at call number *(uint64_t *)context, which it counts down; 0: never. */
bool test_stop_at(void *context, const wend_progress *progress);
/* A database of KIND[:KEY=VALUE...] has the same bytes whether 1, 2, 4 or 8 workers build it; and if its
 * build is stopped twice, after any of the first `stops` looks at its progress, every `apart` of them. */
void test_db_same_bytes(const wend_map *map, const char *kind, uint64_t stops, uint64_t apart);

/* So many bits of any section changed, one at a time, as if the checksums were right, in a database of a kind
 * on a map of rooms: it is refused, or verifying finds it. */
void test_db_flips_are_found(const char *kind, uint64_t number, uint32_t flips);

/* A walk over a whole problem, without checks: its cost over the optimal one, less 1, in per cent. Negative
 * if it did not arrive within `limit` steps. */
double test_db_suboptimality(wend_agent *agent, const wend_map *map, wend_cell start, wend_cell goal,
                             double optimal, uint64_t limit);

/* Table 1 of the kNN paper of 2009 in small: for each of `count` kinds (NULL: no database, but lrta:d=3) the
 * mean of test_db_suboptimality over 32 problems of 100 to 150 on each of two shared maps (on the
 * first where test_some thins), and the bytes of both databases. False without the maps. */
bool test_db_compare(const char *const maps[2], const char *const *kinds, size_t count, const char *planner,
                     double *means, double *bytes);

/* Three walks on a map of test_map_any: every step is legal, counted and within its bound, and allocates
 * nothing; what can't be reached is reported; a second agent does the same. Returns how often it waited. */
uint64_t test_db_walks(uint64_t number, const char *kind, const char *planner);

/* Goals that change and agents that are put elsewhere, on a map of test_map_any: moves are legal and steps
 * within their bound all the time. The same calls give the same state. In the end it arrives, or says that no
 * path leads there. */
void test_db_tasks_change(uint64_t number, const char *kind, const char *planner);

/* A walk of 200 steps while cells are opened and closed, twice: the same calls give the same state, and no
 * step asks for memory. */
void test_db_edits_repeat(uint64_t number, const char *kind, const char *planner);

#endif
