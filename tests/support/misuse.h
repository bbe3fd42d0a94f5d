/* Calls that are given what they must not be: how their answers are judged. A call that returns a status refuses it,
 * with words; others answer as they do for what is not there. Each group runs in a process of its own, so that one
 * that crashes or hangs is a failed case with the name of the call. */
#ifndef WEND_TESTS_MISUSE_H
#define WEND_TESTS_MISUSE_H

#include "support/files.h"

#include <wend/wend.h>

/* What the groups have. */
typedef struct test_misuse {
    wend_map *map;                     /* 10 x 8, closed at 3,3 alone: cell 33 */
    wend_map *other;                   /* 5 x 5, open */
    wend_settings *astar, *cpd, *lrta; /* planners */
    test_bytes file;                   /* a cpd of `map`, also at test_path("misuse.wend") */
    wend_db *db, *homeless;            /* it, with and without its map */
} test_misuse;

typedef struct test_misuse_group {
    const char *name;
    void (*run)(const test_misuse *t);
} test_misuse_group;

/* Each call is a case. */
void test_misuse_run(const test_misuse_group *groups, size_t count);

enum { TEST_MISUSE_CELLS = 80, TEST_FAR = 4, TEST_AREAS = 10 };
extern const wend_cell test_far_cells[TEST_FAR];   /* outside `map` */
extern const wend_rect test_bad_areas[TEST_AREAS]; /* not inside it, or empty */

/* E: where a call puts its words, once &test_misuse_error and once NULL. */
extern wend_error test_misuse_error, *E;

void test_misuse_note(const char *call);
void test_misuse_count(bool good);
void test_misuse_refused(wend_status status);

/* The call is refused, with words where there is room for them. */
#define REFUSED(call)                                                                                        \
    (test_misuse_note(#call), E = &test_misuse_error, test_misuse_refused(call), E = NULL,                   \
     test_misuse_refused(call))
/* The call is right. */
#define RIGHT(call) (test_misuse_note(#call), E = &test_misuse_error, test_misuse_count((call) == WEND_OK))
/* The call gives this value. */
#define GIVES(call, value) (test_misuse_note(#call), test_misuse_count((call) == (value)))
/* The call comes back. */
#define RETURNS(call) (test_misuse_note(#call), (void)(call), test_misuse_count(true))

#endif
