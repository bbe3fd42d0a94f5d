#include "support/crew.h"

#include "support/check.h"

#include <pthread.h>
#include <stdlib.h>

static void *work(void *context) {
    test_crew *crew = context;
    uint32_t worker = atomic_fetch_add(&crew->taken, 1);
    for (uint32_t index; (index = atomic_fetch_add(&crew->next, 1)) < crew->count;)
        crew->task(crew->argument, index, worker);
    return NULL;
}

static void run_threads(void *context, uint32_t count,
                        void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    test_crew *crew = context;
    pthread_t threads[16];
    crew->count = count, crew->task = task, crew->argument = argument;
    atomic_store(&crew->next, 0);
    atomic_store(&crew->taken, 0);
    for (uint32_t i = 0; i < crew->workers; i++) CHECK(pthread_create(&threads[i], NULL, work, crew) == 0);
    for (uint32_t i = 0; i < crew->workers; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

wend_tasks test_crew_tasks(test_crew *crew, uint32_t workers) {
    crew->workers = workers < 16 ? workers : 16;
    return (wend_tasks){crew->workers, run_threads, crew};
}

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
