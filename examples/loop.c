/* A game loop: many units, one budget of operations per frame, and a pool of threads that the fleet's tasks run on.
 * The moves are the same for any number of threads, so replays and lockstep work. Build it with -pthread. */
#include <pthread.h>
#include <stdio.h>
#include <wend/wend.h>

enum { THREADS = 3, UNITS = 200, FRAMES = 400 };

/* Threads that stay and wait for the next frame. Whoever is free takes the next task. */
typedef struct pool {
    pthread_mutex_t lock;
    pthread_cond_t begun, done;
    void (*task)(void *argument, uint32_t index, uint32_t worker);
    void *argument;
    uint32_t next, count, left, workers;
    bool over;
    pthread_t threads[THREADS];
} pool;

static void work(pool *own, uint32_t worker) { /* with the lock held */
    while (own->next < own->count) {
        uint32_t index = own->next++;
        pthread_mutex_unlock(&own->lock);
        own->task(own->argument, index, worker);
        pthread_mutex_lock(&own->lock);
        if (--own->left == 0) pthread_cond_signal(&own->done);
    }
}

static void *stay(void *argument) {
    pool *own = argument;
    pthread_mutex_lock(&own->lock);
    const uint32_t worker = ++own->workers; /* each has a number of its own; the caller is 0 */
    while (!own->over) {
        work(own, worker);
        if (!own->over) pthread_cond_wait(&own->begun, &own->lock);
    }
    pthread_mutex_unlock(&own->lock);
    return NULL;
}

/* What the library calls in each tick. */
static void run_tasks(void *context, uint32_t count,
                      void (*task)(void *argument, uint32_t index, uint32_t worker), void *argument) {
    pool *own = context;
    pthread_mutex_lock(&own->lock);
    own->task = task, own->argument = argument, own->next = 0, own->count = own->left = count;
    pthread_cond_broadcast(&own->begun);
    work(own, 0);
    while (own->left) pthread_cond_wait(&own->done, &own->lock);
    pthread_mutex_unlock(&own->lock);
}

static uint64_t play(const wend_map *map, bool with_threads) {
    static pool threads; /* its locks are set up below */
    wend_fleet *fleet;
    wend_settings *planner;
    wend_fleet_options options = wend_default_fleet_options();
    options.budget = 200000; /* operations per frame: a few nanoseconds each, so measure it on your machine */
    threads = (pool){.over = false};
    pthread_mutex_init(&threads.lock, NULL);
    pthread_cond_init(&threads.begun, NULL);
    pthread_cond_init(&threads.done, NULL);
    for (int i = 0; with_threads && i < THREADS; i++)
        pthread_create(&threads.threads[i], NULL, stay, &threads);
    if (with_threads)
        options.tasks = (wend_tasks){.run = run_tasks, .workers = THREADS + 1, .context = &threads};
    uint32_t squad;
    if (wend_fleet_create(map, &options, &fleet, NULL) != WEND_OK ||
        wend_settings_parse("rtaa:k=20", NULL, &planner, NULL) != WEND_OK ||
        wend_fleet_add_squad(fleet, planner, NULL, &squad, NULL) != WEND_OK)
        return 0;
    wend_cell cell = 0, goal = wend_map_cells(map) - 1;
    while (!wend_map_is_open_cell(map, goal)) goal--;
    for (int i = 0; i < UNITS; i++, cell++) {
        wend_member unit;
        while (!wend_map_is_open_cell(map, cell)) cell++;
        if (wend_fleet_add(fleet, squad, cell, &unit, NULL) != WEND_OK) return 0;
        (void)wend_fleet_request(fleet, unit, goal, NULL, NULL);
    }
    uint64_t arrived = 0;
    for (int frame = 0; frame < FRAMES; frame++) { /* input, wend_fleet_tick, drawing */
        wend_tick tick = wend_fleet_tick(fleet);
        arrived += tick.arrived;
        for (wend_event event; wend_fleet_event(fleet, &event);) {
        } /* new orders for those who have arrived */
    }
    uint64_t hash = wend_fleet_hash(fleet);
    printf("%d threads: %llu of %d arrived\n", with_threads ? THREADS + 1 : 1, (unsigned long long)arrived,
           UNITS);
    pthread_mutex_lock(&threads.lock);
    threads.over = true;
    pthread_cond_broadcast(&threads.begun);
    pthread_mutex_unlock(&threads.lock);
    for (int i = 0; with_threads && i < THREADS; i++) pthread_join(threads.threads[i], NULL);
    wend_settings_destroy(planner);
    wend_fleet_destroy(fleet);
    return hash;
}

int main(void) {
    wend_map *map;
    if (wend_map_generate(WEND_MAP_CITY, 64, 64, NULL, &map, NULL) != WEND_OK) return 1;
    uint64_t alone = play(map, false), together = play(map, true);
    wend_map_destroy(map);
    return alone && alone == together ? 0 : 1;
}
