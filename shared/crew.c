#include "shared/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct thread_share {
    void (*function)(void *context, int share, int shares);
    void *context;
    int share, shares;
    pthread_t id;
    bool started;
} thread_share;

static void *run_share(void *context) {
    const thread_share *share = context;
    share->function(share->context, share->share, share->shares);
    return NULL;
}

void shared_run_shares(int shares, void (*function)(void *context, int share, int shares), void *context) {
    thread_share *list = shares > 1 ? calloc((size_t)shares, sizeof *list) : NULL;
    if (!list) {
        for (int i = 0; i < shares; i++) function(context, i, shares);
        return;
    }
    for (int i = 1; i < shares; i++) {
        list[i] = (thread_share){.function = function, .context = context, .share = i, .shares = shares};
        list[i].started = pthread_create(&list[i].id, NULL, run_share, &list[i]) == 0;
    }
    function(context, 0, shares);
    for (int i = 1; i < shares; i++)
        if (!list[i].started) function(context, i, shares);
    for (int i = 1; i < shares; i++)
        if (list[i].started) (void)pthread_join(list[i].id, NULL);
    free(list);
}

/* Tasks ------------------------------------------------------------------------------------------------- */

typedef struct task_list {
    uint32_t count;
    atomic_uint next;
    void (*task)(void *argument, uint32_t index, uint32_t worker);
    void *argument;
} task_list;

static void take_all(task_list *list, uint32_t worker) {
    for (uint32_t index; (index = atomic_fetch_add(&list->next, 1)) < list->count;)
        list->task(list->argument, index, worker);
}

static void take_tasks(void *context, int share, int shares) {
    (void)shares;
    take_all(context, (uint32_t)share);
}

static void run_tasks(void *context, uint32_t count,
                      void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    task_list list = {.count = count, .task = task, .argument = argument};
    atomic_init(&list.next, 0);
    shared_run_shares((int)(uintptr_t)context, take_tasks, &list);
}

wend_tasks shared_tasks(int threads) {
    /* The number itself is the context: nothing has to outlive the tasks. */
    void *number = (void *)(uintptr_t)threads; /* NOLINT(performance-no-int-to-ptr): never followed */
    return (wend_tasks){(uint32_t)threads, run_tasks, number};
}

/* A crew ------------------------------------------------------------------------------------------------- */

typedef struct crew_worker {
    struct shared_crew *crew;
    uint32_t number; /* from 1; the caller is worker 0 */
    pthread_t id;
} crew_worker;

struct shared_crew {
    pthread_mutex_t mutex;
    pthread_cond_t begun, done;
    /* Under the mutex. Who wakes up when the tasks are done already finds no list: nobody waits for it. */
    task_list *list;
    uint64_t round; /* lists so far */
    uint32_t busy;  /* threads that have taken up the list */
    bool over;
    uint32_t count; /* threads that run */
    crew_worker workers[];
};

static void *run_worker(void *context) {
    const crew_worker *worker = context;
    shared_crew *crew = worker->crew;
    uint64_t round = 0;
    (void)pthread_mutex_lock(&crew->mutex);
    for (;;) {
        while ((!crew->list || crew->round == round) && !crew->over)
            (void)pthread_cond_wait(&crew->begun, &crew->mutex);
        if (crew->over) break;
        round = crew->round;
        crew->busy++;
        task_list *list = crew->list;
        (void)pthread_mutex_unlock(&crew->mutex);
        take_all(list, worker->number);
        (void)pthread_mutex_lock(&crew->mutex);
        if (--crew->busy == 0) (void)pthread_cond_signal(&crew->done);
    }
    (void)pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

shared_crew *shared_crew_create(int threads) {
    uint32_t wanted = threads > 1 ? (uint32_t)threads - 1 : 0;
    shared_crew *crew = calloc(1, sizeof *crew + wanted * sizeof *crew->workers);
    if (!crew) return NULL;
    if (pthread_mutex_init(&crew->mutex, NULL) != 0) {
        free(crew);
        return NULL;
    }
    if (pthread_cond_init(&crew->begun, NULL) != 0) {
        (void)pthread_mutex_destroy(&crew->mutex);
        free(crew);
        return NULL;
    }
    if (pthread_cond_init(&crew->done, NULL) != 0) {
        (void)pthread_cond_destroy(&crew->begun);
        (void)pthread_mutex_destroy(&crew->mutex);
        free(crew);
        return NULL;
    }
    for (uint32_t i = 0; i < wanted; i++) {
        crew_worker *worker = &crew->workers[crew->count];
        *worker = (crew_worker){.crew = crew, .number = crew->count + 1};
        if (pthread_create(&worker->id, NULL, run_worker, worker) != 0) break;
        crew->count++;
    }
    return crew;
}

void shared_crew_destroy(shared_crew *crew) {
    if (!crew) return;
    (void)pthread_mutex_lock(&crew->mutex);
    crew->over = true;
    (void)pthread_cond_broadcast(&crew->begun);
    (void)pthread_mutex_unlock(&crew->mutex);
    for (uint32_t i = 0; i < crew->count; i++) (void)pthread_join(crew->workers[i].id, NULL);
    (void)pthread_cond_destroy(&crew->done);
    (void)pthread_cond_destroy(&crew->begun);
    (void)pthread_mutex_destroy(&crew->mutex);
    free(crew);
}

static void run_by_crew(void *context, uint32_t count,
                        void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    shared_crew *crew = context;
    task_list list = {.count = count, .task = task, .argument = argument};
    atomic_init(&list.next, 0);
    (void)pthread_mutex_lock(&crew->mutex);
    crew->list = &list;
    crew->round++;
    (void)pthread_cond_broadcast(&crew->begun);
    (void)pthread_mutex_unlock(&crew->mutex);
    take_all(&list, 0);
    (void)pthread_mutex_lock(&crew->mutex);
    crew->list = NULL;
    while (crew->busy) (void)pthread_cond_wait(&crew->done, &crew->mutex);
    (void)pthread_mutex_unlock(&crew->mutex);
}

wend_tasks shared_crew_tasks(shared_crew *crew) {
    return (wend_tasks){crew->count + 1, run_by_crew, crew};
}
