/* Workers for builds and verifications under test, beside the threads of shared/crew.h. */
#ifndef WEND_TESTS_CREW_H
#define WEND_TESTS_CREW_H

#include "shared/crew.h"
#include "support/maps.h"

#include <wend/db.h>

/* One after another in any order, by any of five workers. */
wend_tasks test_shuffled_tasks(test_random *random);

#endif
