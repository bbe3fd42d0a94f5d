/* Workers for builds and verifications under test. */
#ifndef WEND_TESTS_CREW_H
#define WEND_TESTS_CREW_H

#include "support/maps.h"

#include <stdatomic.h>
#include <wend/db.h>

typedef struct test_crew {
    uint32_t workers, count; /* at most 16 */
    atomic_uint next, taken; /* the next index, and workers that have begun */
    void (*task)(void *argument, uint32_t index, uint32_t worker);
    void *argument;
} test_crew;

/* On so many threads, as they come. */
wend_tasks test_crew_tasks(test_crew *crew, uint32_t workers);
/* One after another in any order, by any of five workers. */
wend_tasks test_shuffled_tasks(test_random *random);

#endif
