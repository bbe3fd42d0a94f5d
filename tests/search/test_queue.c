/* The queue alone, against an unsorted array; and the kernel with its queue swapped for that array. */
#include "search/search.h"
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

/* The same expansions in the same order leave the same record in every cell. */
static void any_queue_gives_the_same_search(void) {
    for (int round = 0; round < 400; round++) {
        wend_map *map = random_map();
        wend_search *search;
        wend_search_options options = wend_default_search_options();
        if (!CHECK(map) || !CHECK(wend_search_create(map, &options, &search, NULL) == WEND_OK)) return;
        uint32_t cells = wend_map_cells(map);
        wend_cell start = draw(cells), goal = draw(cells);
        wend_result result;
        if (wend_search_astar(search, start, goal, &result, NULL) == WEND_OK) {
            wend_record_narrow *before = malloc(cells * sizeof *before), *records = search->cells;
            if (!CHECK(before)) return;
            memcpy(before, records, cells * sizeof *before);
            memset(records, 0, cells * sizeof *records);
            search->expansions = search->operations = 0;
            plain_count_plain = 0;
            wend_kernel_plain.root(search);
            wend_ended ended = wend_kernel_plain.run(search, UINT64_MAX, UINT64_MAX);
            CHECK(ended == (result.found == WEND_FOUND_PATH ? WEND_ENDED_GOAL : WEND_ENDED_EMPTY));
            CHECK(search->expansions == result.expansions && search->operations == result.operations);
            CHECK(memcmp(before, records, cells * sizeof *before) == 0);
            free(before);
            test_case();
        }
        wend_search_destroy(search);
        wend_map_destroy(map);
    }
}

static const test tests[] = {
    {"heap and array agree", heap_and_array_agree},
    {"any queue gives the same search", any_queue_gives_the_same_search},
};
TEST_MAIN(tests)
