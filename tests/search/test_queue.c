/* The queue alone, with buckets and without, against an unsorted array; and A* with its queue swapped. */
#include "search/search.h"
#include "support/agents/rig.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_heap
#include "search/kernels/queue.inc"
#undef WEND_NARROW
#undef N
#define N(x) x##_array
#include "support/plain_queue.inc"
#undef N
#define WEND_NARROW
#define WEND_BUCKETED
#define N(x) x##_buckets
#include "search/kernels/queue.inc"
#undef N
#undef WEND_BUCKETED
#undef WEND_NARROW

/* The A* kernel over the plain queue. */
typedef wend_record_narrow wend_record_plain;
extern const wend_kernel wend_kernel_plain;
#define N(x) x##_plain
#define WEND_QUEUE_FILE "support/plain_queue.inc"
#include "search/kernels/astar.inc"

static uint64_t state = 99;
static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 32) * below >> 32);
}

/* Pushes and pops in random turn, with many equal keys: both give the same node every time. */
static void heap_and_array_agree(void) {
    static _Alignas(64) wend_node_heap nodes[5000];
    for (int round = 0; round < 200; round++) {
        wend_queue queue = {.nodes = nodes, .room = 5000};
        wend_queue_clear(&queue);
        plain_count_array = 0;
        uint32_t values = 1 + draw(round % 2 ? 5 : 100000), pushes = draw(4000);
        while (pushes || plain_count_array) {
            if (pushes && draw(100) < 55) {
                uint32_t f = draw(values), g = draw(values), cell = draw(1000);
                push_heap(&queue, f, g, cell, 0);
                push_array(&queue, f, g, cell, 0);
                pushes--;
                continue;
            }
            const wend_node_heap *a = first_heap(&queue);
            const wend_node_array *b = first_array(&queue);
            if (!CHECK(!a == !b) || !a) continue;
            CHECK(node_f_heap(a) == b->f && node_g_heap(a) == b->g && a->cell == b->cell);
            pop_heap(&queue);
            pop_array(&queue);
        }
        CHECK(!first_heap(&queue));
        test_case();
    }
}

/* Room for `room` nodes in the heap and `chunks` chunks. */
typedef struct bucket_bed {
    wend_buckets buckets;
    wend_queue queue;
    _Alignas(64) wend_node_buckets nodes[2048], waiting[1024 * WEND_CHUNK];
} bucket_bed;

static void bed_begin(bucket_bed *bed, uint32_t room, uint32_t chunks, uint32_t f, uint32_t most_cost) {
    bed->buckets = (wend_buckets){.nodes = bed->waiting, .room = chunks};
    bed->queue = (wend_queue){.nodes = bed->nodes, .room = room, .buckets = &bed->buckets};
    wend_queue_clear(&bed->queue);
    buckets_begin_buckets(&bed->queue, f, most_cost);
    plain_count_array = 0;
}

/* f grows by at most two moves, as in a search; many equal keys; several buckets at a time, and large ones. */
static void buckets_and_array_agree(void) {
    static bucket_bed bed;
    for (int round = 0; round < 200; round++) {
        static const uint32_t costs[] = {1, 7, 8119, 2000000};
        uint32_t most_cost = costs[round % 4], from = draw(1u << 30), now = from, pushes = draw(1500);
        uint32_t step = round % 3 ? 2 * most_cost + 1 : 1 + most_cost / 100;
        bed_begin(&bed, 2048, 1024, from, most_cost);
        while (pushes || plain_count_array) {
            if (pushes && (!plain_count_array || draw(100) < 55)) {
                uint32_t f = now + draw(step), g = draw(50), cell = draw(1000);
                push_buckets(&bed.queue, f, g, cell, 0);
                push_array(&bed.queue, f, g, cell, 0);
                pushes--;
                continue;
            }
            const wend_node_buckets *a = first_buckets(&bed.queue);
            const wend_node_array *b = first_array(&bed.queue);
            if (!CHECK(a && b)) return;
            CHECK(node_f_buckets(a) == b->f && node_g_buckets(a) == b->g && a->cell == b->cell);
            now = b->f;
            pop_buckets(&bed.queue);
            pop_array(&bed.queue);
        }
        CHECK(!first_buckets(&bed.queue) && stopped_buckets(&bed.queue) == WEND_ENDED_EMPTY);
        CHECK(bed.buckets.vacant == bed.buckets.room - 1);
        test_case();
    }
}

/* Neither loses a node: with more room the same queue goes on. */
static void a_full_heap_and_costs_that_outgrow_are_said(void) {
    static bucket_bed bed;
    enum { NODES = 100 };
    bed_begin(&bed, 40, 64, 0, 8119);
    for (uint32_t i = 0; i < NODES; i++) push_buckets(&bed.queue, 64 + i % 64, i, i, 0);
    CHECK(!first_buckets(&bed.queue) && stopped_buckets(&bed.queue) == WEND_ENDED_FULL);
    bed.queue.room = 2048;
    uint32_t taken = 0, before = 0;
    for (const wend_node_buckets *node; (node = first_buckets(&bed.queue));
         pop_buckets(&bed.queue), taken++) {
        CHECK(node_f_buckets(node) >= before);
        before = node_f_buckets(node);
    }
    CHECK(taken == NODES && stopped_buckets(&bed.queue) == WEND_ENDED_EMPTY);
    uint32_t late = UINT32_MAX - 8119 * 2;
    bed_begin(&bed, 40, 64, late - 64, 8119);
    push_buckets(&bed.queue, late, 0, 1, 0);
    CHECK(!first_buckets(&bed.queue) && stopped_buckets(&bed.queue) == WEND_ENDED_OUTGROWN);
    test_case();
}

static wend_map *random_map(void) {
    wend_map_options options = wend_default_map_options();
    options.rules.connect = draw(4) ? 8 : 4;
    options.rules.corners = (wend_corners)draw(3);
    options.rules.diagonal = (wend_diagonal)draw(2);
    wend_map *map;
    int32_t width = 1 + (int32_t)draw(40), height = 1 + (int32_t)draw(40);
    if (wend_map_create(width, height, &options, &map, NULL) != WEND_OK) return NULL;
    uint32_t density = draw(50);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            if (draw(100) >= density) wend_map_edit(map, (wend_rect){x, y, 1, 1}, true, NULL);
    return map;
}

/* All expansions of a search, in their order. */
enum { MOST_EXPANSIONS = 1600 };
typedef struct expansion_log {
    wend_expansion of[MOST_EXPANSIONS];
    size_t count;
} expansion_log;

static void note_expansion(void *context, const wend_expansion *expansion) {
    expansion_log *log = context;
    if (CHECK(log->count < MOST_EXPANSIONS)) log->of[log->count++] = *expansion;
}

static bool same_log(const expansion_log *a, const expansion_log *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = a->of[i].cell == b->of[i].cell && a->of[i].parent == b->of[i].parent &&
               a->of[i].g == b->of[i].g && a->of[i].h == b->of[i].h;
    return same;
}

/* The same problem as the last with another kernel, on records that it has not touched: the same end, counts
 * and expansions. */
static void check_swapped(wend_search *search, const wend_kernel *kernel, const wend_result *result,
                          expansion_log *log, const expansion_log *expected) {
    CHECK(wend_search_reserve_queue(search, kernel, 1 << 14) == WEND_OK);
    memset(search->cells, 0, wend_map_cells(search->map) * search->record_bytes);
    search->expansions = search->operations = 0;
    log->count = plain_count_plain = 0;
    kernel->root(search);
    wend_ended ended = wend_search_run(search, UINT64_MAX, UINT64_MAX);
    CHECK(ended == (result->found == WEND_FOUND_PATH ? WEND_ENDED_GOAL : WEND_ENDED_EMPTY));
    CHECK(search->expansions == result->expansions && search->operations == result->operations);
    CHECK(same_log(log, expected));
    test_case();
}

/* A whole search has buckets; the others an array, and the heap alone. Then the same with wide costs. */
static void any_queue_gives_the_same_search(void) {
    static expansion_log logs[2];
    for (int round = 0; round < 400; round++) {
        wend_map *map = random_map();
        wend_search *search;
        if (!CHECK(map) || !CHECK(wend_search_create(map, NULL, &search, NULL) == WEND_OK)) return;
        uint32_t cells = wend_map_cells(map);
        wend_cell start = draw(cells), goal = draw(cells);
        const wend_watch watch[2] = {{note_expansion, &logs[0]}, {note_expansion, &logs[1]}};
        wend_result result, again;
        wend_search_watch(search, &watch[0]);
        logs[0].count = 0;
        if (wend_search_astar(search, start, goal, &result, NULL) == WEND_OK) {
            CHECK(logs[0].count == result.expansions);
            wend_search_watch(search, &watch[1]);
            check_swapped(search, &wend_kernel_plain, &result, &logs[1], &logs[0]);
            check_swapped(search, &wend_kernel_narrow, &result, &logs[1], &logs[0]);
            search->outgrown = true;
            logs[1].count = 0;
            CHECK(wend_search_astar(search, start, goal, &again, NULL) == WEND_OK);
            CHECK(test_same_result(&again, &result) && same_log(&logs[1], &logs[0]));
            check_swapped(search, &wend_kernel_wide, &result, &logs[1], &logs[0]);
        }
        wend_search_destroy(search);
        wend_map_destroy(map);
    }
}

static const test tests[] = {
    {"heap and array agree", heap_and_array_agree},
    {"buckets and array agree", buckets_and_array_agree},
    {"a full heap and costs that outgrow are said", a_full_heap_and_costs_that_outgrow_are_said},
    {"any queue gives the same search", any_queue_gives_the_same_search},
};
TEST_MAIN(tests)
