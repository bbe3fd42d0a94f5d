#include "threads.h"

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

static void take_tasks(void *context, int share, int shares) {
    (void)shares;
    task_list *list = context;
    for (uint32_t index; (index = atomic_fetch_add(&list->next, 1)) < list->count;)
        list->task(list->argument, index, (uint32_t)share);
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
