#include "support/crew.h"

#include "support/check.h"

#include <stdlib.h>

static void run_shuffled(void *context, uint32_t count,
                         void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    test_random *random = context;
    uint32_t *order = malloc((count ? count : 1) * sizeof *order);
    CHECK(order != NULL);
    for (uint32_t i = 0; order && i < count; i++) {
        uint32_t j = test_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (uint32_t i = 0; order && i < count; i++) task(argument, order[i], test_below(random, 5));
    free(order);
}

wend_tasks test_shuffled_tasks(test_random *random) {
    return (wend_tasks){5, run_shuffled, random};
}
