#include "cli/threads.h"

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

void tool_run_shares(int shares, void (*function)(void *context, int share, int shares), void *context) {
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
    const int *threads = context;
    task_list list = {.count = count, .task = task, .argument = argument};
    atomic_init(&list.next, 0);
    tool_run_shares(*threads, take_tasks, &list);
}

wend_tasks tool_tasks(int *threads) {
    return (wend_tasks){(uint32_t)*threads, run_tasks, threads};
}

/* A pool ------------------------------------------------------------------------------------------------- */

typedef struct pool_worker {
    struct tool_pool *pool;
    uint32_t number; /* from 1; the caller is worker 0 */
    pthread_t id;
} pool_worker;

struct tool_pool {
    pthread_mutex_t mutex;
    pthread_cond_t begun, done;
    /* Under the mutex. Who wakes up when the tasks are done already finds no list: nobody waits for it. */
    task_list *list;
    uint64_t round; /* lists so far */
    uint32_t busy;  /* threads that have taken up the list */
    bool over;
    uint32_t count; /* threads that run */
    pool_worker workers[];
};

static void *run_worker(void *context) {
    const pool_worker *worker = context;
    tool_pool *pool = worker->pool;
    uint64_t round = 0;
    (void)pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while ((!pool->list || pool->round == round) && !pool->over)
            (void)pthread_cond_wait(&pool->begun, &pool->mutex);
        if (pool->over) break;
        round = pool->round;
        pool->busy++;
        task_list *list = pool->list;
        (void)pthread_mutex_unlock(&pool->mutex);
        take_all(list, worker->number);
        (void)pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0) (void)pthread_cond_signal(&pool->done);
    }
    (void)pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

tool_pool *tool_pool_create(int threads) {
    uint32_t wanted = threads > 1 ? (uint32_t)threads - 1 : 0;
    tool_pool *pool = calloc(1, sizeof *pool + wanted * sizeof *pool->workers);
    if (!pool) return NULL;
    if (pthread_mutex_init(&pool->mutex, NULL) != 0) {
        free(pool);
        return NULL;
    }
    if (pthread_cond_init(&pool->begun, NULL) != 0) {
        (void)pthread_mutex_destroy(&pool->mutex);
        free(pool);
        return NULL;
    }
    if (pthread_cond_init(&pool->done, NULL) != 0) {
        (void)pthread_cond_destroy(&pool->begun);
        (void)pthread_mutex_destroy(&pool->mutex);
        free(pool);
        return NULL;
    }
    for (uint32_t i = 0; i < wanted; i++) {
        pool_worker *worker = &pool->workers[pool->count];
        *worker = (pool_worker){.pool = pool, .number = pool->count + 1};
        if (pthread_create(&worker->id, NULL, run_worker, worker) != 0) break;
        pool->count++;
    }
    return pool;
}

void tool_pool_destroy(tool_pool *pool) {
    if (!pool) return;
    (void)pthread_mutex_lock(&pool->mutex);
    pool->over = true;
    (void)pthread_cond_broadcast(&pool->begun);
    (void)pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->count; i++) (void)pthread_join(pool->workers[i].id, NULL);
    (void)pthread_cond_destroy(&pool->done);
    (void)pthread_cond_destroy(&pool->begun);
    (void)pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

static void run_in_pool(void *context, uint32_t count,
                        void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    tool_pool *pool = context;
    task_list list = {.count = count, .task = task, .argument = argument};
    atomic_init(&list.next, 0);
    (void)pthread_mutex_lock(&pool->mutex);
    pool->list = &list;
    pool->round++;
    (void)pthread_cond_broadcast(&pool->begun);
    (void)pthread_mutex_unlock(&pool->mutex);
    take_all(&list, 0);
    (void)pthread_mutex_lock(&pool->mutex);
    pool->list = NULL;
    while (pool->busy) (void)pthread_cond_wait(&pool->done, &pool->mutex);
    (void)pthread_mutex_unlock(&pool->mutex);
}

wend_tasks tool_pool_tasks(tool_pool *pool) {
    return (wend_tasks){pool->count + 1, run_in_pool, pool};
}
