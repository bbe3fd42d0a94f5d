/* Jump-point search over corners: all pairs of cells of many small maps against Dijkstra, and that these tests
 * would see a hole. */
#include "search/kernels/corner_graph.h"
#include "search/search.h"
#include "support/check.h"
#include "support/pairs.h"

#include <stdlib.h>
#include <wend/wend.h>

typedef struct searcher {
    wend_search *search;
    wend_jumps *jumps;
} searcher;

static void *open_jps(const wend_map *map) {
    searcher *made = calloc(1, sizeof *made);
    if (made && CHECK(wend_search_create(map, NULL, &made->search, NULL) == WEND_OK) &&
        CHECK(wend_jumps_create(map, NULL, &made->jumps, NULL) == WEND_OK))
        return made;
    return NULL;
}

static size_t jps_path(void *opened, wend_cell start, wend_cell goal, wend_cell *cells, size_t room) {
    const searcher *s = opened;
    wend_result result;
    if (!CHECK(wend_search_jps(s->search, s->jumps, start, goal, &result, NULL) == WEND_OK)) return 0;
    return wend_search_path(s->search, cells, room);
}

static void close_jps(void *opened) {
    searcher *s = opened;
    wend_search_destroy(s->search);
    wend_jumps_destroy(s->jumps);
    free(s);
}

static const test_pather jps = {"jps", open_jps, jps_path, close_jps};

static void report(test_pairs sum) {
    CHECK_THAT(!sum.wrong, "%llu of %llu pairs; the first: %s", (unsigned long long)sum.wrong,
               (unsigned long long)sum.pairs, sum.first);
    CHECK(sum.pairs > 1000 && sum.unreachable > 100);
    test_case();
}

/* In hours at full length: 2,000 maps at a time. */
static void all_pairs_of_ten_kinds_of_maps(void) {
    enum { MAPS = 700 };
    uint32_t rounds = test_full() ? 200 : 1;
    for (uint32_t i = 0; i < rounds; i++) report(test_pairs_of_kinds(&jps, (uint64_t)i * MAPS, MAPS));
}

static void all_pairs_of_maps_of_four_by_four(void) {
    report(test_pairs_of_fours(&jps, 5, test_full() ? 1 : 97));
}

/* A graph in which one edge in eight costs a move too much. */
static void *open_wrong(const wend_map *map) {
    searcher *made = open_jps(map);
    for (size_t i = 0; made && i < made->jumps->corners->edge_count; i += 8)
        made->jumps->corners->edges[i].cost += map->cost[0];
    return made;
}

/* And one whose last edge leads nowhere. */
static void *open_short(const wend_map *map) {
    searcher *made = open_jps(map);
    wend_corner_graph *corners = made ? made->jumps->corners : NULL;
    if (corners && corners->count && corners->edge_count)
        corners->edges[corners->edge_count - 1].to =
            wend_corner_to(corners->edges[corners->edge_count - 1].to >> WEND_CORNER_NUMBER, 0, 0);
    return made;
}

static void planted_holes_are_found(void) {
    const test_pather wrong = {"wrong", open_wrong, jps_path, close_jps};
    const test_pather less = {"short", open_short, jps_path, close_jps};
    CHECK(test_pairs_of_kinds(&wrong, 0, 100).wrong > 0);
    test_case();
    CHECK(test_pairs_of_kinds(&less, 0, 100).wrong > 0);
    test_case();
}

static const test tests[] = {
    {"all pairs of ten kinds of maps", all_pairs_of_ten_kinds_of_maps},
    {"all pairs of maps of four by four", all_pairs_of_maps_of_four_by_four},
    {"planted holes are found", planted_holes_are_found},
};

TEST_MAIN(tests)
