/* The incremental search by itself: an indexed queue that keeps its places, g and rhs that say what they
 * should at every interruption, distances that are those of Dijkstra after every change. */
#include "search/incremental.h"
#include "support/check.h"
#include "support/maps.h"
#include "support/reference.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

typedef struct wend_record_heap {
    uint32_t place;
} wend_record_heap;
#define WEND_INDEXED
#define WEND_NARROW
#define COST uint32_t
#define N(x) x##_heap
#include "search/kernels/queue.inc"
#undef N
#undef COST
#undef WEND_NARROW
#undef WEND_INDEXED

/* The nodes that ought to be in the queue: by cell. */
enum { CELLS = 3000 };
typedef struct plain_queue {
    bool in[CELLS];
    uint64_t key[CELLS];
    uint32_t second[CELLS];
    uint32_t count;
} plain_queue;

static uint32_t plain_first(const plain_queue *plain) {
    uint32_t best = CELLS;
    for (uint32_t i = 0; i < CELLS; i++)
        if (plain->in[i] && (best == CELLS || plain->key[i] < plain->key[best] ||
                             (plain->key[i] == plain->key[best] && plain->second[i] < plain->second[best])))
            best = i;
    return best;
}

static bool places_hold(const wend_queue *queue, const plain_queue *plain) {
    const wend_node_heap *nodes = queue->nodes;
    const wend_record_heap *records = queue->records;
    bool good = queue->end - WEND_QUEUE_ROOT - queue->hole == plain->count;
    for (uint32_t i = 0; i < CELLS && good; i++) {
        uint32_t at = records[i].place;
        good = plain->in[i] == (at != 0);
        if (at) good = good && at < queue->end && node_cell_heap(&nodes[at]) == i;
    }
    return good;
}

/* Inserts, moves, removes and takes in random turn, with many equal keys, also while there is a hole. */
static void indexed_queue_keeps_its_places(void) {
    static _Alignas(64) wend_node_heap nodes[CELLS + 8];
    static wend_record_heap records[CELLS];
    static plain_queue plain;
    for (uint64_t round = 0; round < 60; round++) {
        test_random random = {round};
        wend_queue queue = {.nodes = nodes, .room = CELLS + 8, .records = records};
        memset(records, 0, sizeof records), memset(&plain, 0, sizeof plain);
        wend_queue_clear(&queue);
        uint32_t values = round % 2 ? 4 : 100000, cells = round % 3 ? CELLS : 40;
        for (uint32_t i = 0; i < 3000; i++) {
            uint32_t cell = test_below(&random, cells);
            uint64_t key = (uint64_t)test_below(&random, values) << 20;
            uint32_t second = test_below(&random, values), what = test_below(&random, 100);
            if (what < 45 && i < 2000) {
                wend_node_heap node = node_heap(key, second, cell);
                if (plain.in[cell])
                    settle_heap(&queue, records[cell].place, node);
                else
                    insert_heap(&queue, node), plain.count++;
                plain.in[cell] = true, plain.key[cell] = key, plain.second[cell] = second;
            } else if (what < 65 && plain.in[cell]) {
                remove_heap(&queue, records[cell].place);
                records[cell].place = 0;
                plain.in[cell] = false, plain.count--;
            } else {
                const wend_node_heap *first = first_heap(&queue);
                uint32_t expected = plain_first(&plain);
                if (!CHECK(!first == (expected == CELLS)) || !first) continue;
                CHECK(node_cell_heap(first) == expected && first->key == plain.key[expected] &&
                      node_second_heap(first) == plain.second[expected]);
                pop_heap(&queue);
                records[expected].place = 0;
                plain.in[expected] = false, plain.count--;
            }
            if (i % 16 == 0 && !CHECK(places_hold(&queue, &plain))) break;
        }
        test_case();
    }
}

/* A search on a map that the test changes. */
typedef struct test_bed {
    wend_map *map;
    test_grid grid;
    wend_search *search;
    wend_cost *left;
    wend_cell at, goal;
    unsigned long long number;
} test_bed;

static bool bed_open(test_bed *bed, wend_map *map, uint64_t number, bool wide) {
    *bed = (test_bed){.map = map, .number = number};
    wend_search_options options = wend_default_search_options();
    if (!CHECK(map) || !CHECK(wend_search_create(map, &options, &bed->search, NULL) == WEND_OK)) return false;
    bed->grid = test_grid_of(map);
    bed->left = calloc(bed->grid.cells, sizeof *bed->left);
    bed->search->wide = wide;
    wend_incremental_prepare(bed->search);
    return CHECK(bed->left) && CHECK(wend_search_reserve(bed->search, bed->grid.cells + 16) == WEND_OK);
}

static void bed_close(test_bed *bed) {
    free(bed->left);
    if (bed->grid.open) test_grid_free(&bed->grid);
    wend_search_destroy(bed->search);
    wend_map_destroy(bed->map);
}

static void bed_distances(test_bed *bed) {
    if (bed->grid.open[bed->goal]) {
        test_dijkstra(&bed->grid, bed->goal, bed->left);
        return;
    }
    for (wend_cell cell = 0; cell < bed->grid.cells; cell++) bed->left[cell] = WEND_NO_COST;
    bed->left[bed->goal] = 0;
}

static bool change_cell(test_bed *bed, wend_cell cell) {
    wend_xy xy = wend_map_xy(bed->map, cell);
    bool open = !bed->grid.open[cell];
    if (!CHECK(wend_map_edit(bed->map, (wend_rect){xy.x, xy.y, 1, 1}, open, NULL) == WEND_OK)) return false;
    bed->grid.open[cell] = open;
    return true;
}

/* rhs is what the neighbours say, of all cells; the queue holds the cells where g is another, once, with keys
 * that are not too large, in the order of a heap. */
static bool values_hold(const test_bed *bed) {
    const wend_search *search = bed->search;
    const test_grid *grid = &bed->grid;
    uint32_t different = 0, touched = 0;
    bool good = CHECK(!search->queue.hole);
    for (wend_cell cell = 0; cell < grid->cells && good; cell++) {
        wend_incremental_values values = wend_incremental_at(search, cell);
        touched += values.touched;
        wend_cost rhs = cell == bed->goal ? 0 : WEND_NO_COST;
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, cell, d);
            wend_cost g = next == WEND_NO_CELL ? WEND_NO_COST : wend_incremental_at(search, next).g;
            if (g != WEND_NO_COST && g + test_move_cost(grid, d) < rhs) rhs = g + test_move_cost(grid, d);
        }
        good &= CHECK_THAT(values.rhs == rhs, "map %llu: rhs of %u is %lld, not %lld", bed->number, cell,
                           (long long)values.rhs, (long long)rhs);
        good &= CHECK_THAT((values.g != values.rhs) == (values.place != 0),
                           "map %llu: g %lld, rhs %lld of %u, place %u", bed->number, (long long)values.g,
                           (long long)values.rhs, cell, values.place);
        if (!values.place || !good) continue;
        different++;
        uint64_t first, second, least = values.g < values.rhs ? values.g : values.rhs;
        wend_cell there;
        if (!CHECK(values.place < search->queue.end)) return false;
        wend_incremental_keys(search, values.place, &first, &second, &there);
        uint64_t h = test_distance(grid, search->start, cell);
        good &= CHECK(there == cell && second == least && first <= least + h + search->incremental.km);
        if (values.place == WEND_QUEUE_ROOT) continue;
        uint64_t above, above_second;
        wend_incremental_keys(search, values.place / 4 + 2, &above, &above_second, &there);
        good &= CHECK(above < first || (above == first &&
                                        (above_second < second || (above_second == second && there < cell))));
    }
    return CHECK(different == search->queue.end - WEND_QUEUE_ROOT && touched == search->touched) && good;
}

/* Goes on with random budgets to the end. Expansions and operations are held to their bounds. */
static wend_ended finish(test_bed *bed, test_random *random, bool check) {
    wend_search *search = bed->search;
    for (uint32_t i = 0; i < 20 * bed->grid.cells + 100; i++) {
        uint64_t budget = 1 + test_below(random, test_below(random, 3) ? 40 : 2);
        uint64_t expansions = search->expansions, operations = search->operations;
        wend_ended ended = wend_search_run(search, budget, 0);
        CHECK(search->expansions - expansions <= budget);
        CHECK((ended == WEND_ENDED_BUDGET) == (search->expansions - expansions == budget) ||
              ended != WEND_ENDED_BUDGET);
        CHECK(search->operations - operations <=
              (search->expansions - expansions) * WEND_INCREMENTAL_EXPANSION);
        if (ended != WEND_ENDED_BUDGET) return ended;
        if (check && i % 4 == 0 && !values_hold(bed)) return ended;
    }
    CHECK_THAT(false, "map %llu: does not end", bed->number);
    return WEND_ENDED_BUDGET;
}

/* Follows the path for at most so many moves; each is the first of a shortest path, the smallest direction of
 * those. */
static bool follow(test_bed *bed, uint32_t moves) {
    for (; moves && bed->at != bed->goal; moves--) {
        uint64_t operations = bed->search->operations;
        uint32_t direction = wend_incremental_next(bed->search, bed->at), expected = WEND_NO_DIRECTION;
        CHECK(bed->search->operations - operations <= WEND_INCREMENTAL_NEXT);
        for (int d = 7; d >= 0; d--) {
            wend_cell next = test_next(&bed->grid, bed->at, d);
            if (next != WEND_NO_CELL && bed->left[next] != WEND_NO_COST &&
                bed->left[next] + test_move_cost(&bed->grid, d) == bed->left[bed->at])
                expected = (uint32_t)d;
        }
        if (!CHECK_THAT(direction == expected && direction < 8, "map %llu: move %u from %u, not %u",
                        bed->number, direction, bed->at, expected))
            return false;
        bed->at = test_next(&bed->grid, bed->at, (int)direction);
    }
    return true;
}

/* A script of opened and closed cells, of moves along the path and of jumps elsewhere; the search is
 * interrupted by some of them. After each, the distance is the true one. */
static bool play(test_bed *bed, test_random *random, uint32_t rounds, uint64_t *paths, uint64_t *none) {
    const uint32_t cells = bed->grid.cells;
    bed->at = test_below(random, cells), bed->goal = test_below(random, cells);
    wend_search_begin(bed->search, bed->at, bed->goal);
    for (uint32_t round = 0; round < rounds; round++) {
        wend_ended ended = finish(bed, random, cells < 200);
        bed_distances(bed);
        wend_incremental_values values = wend_incremental_at(bed->search, bed->at);
        bool reached = bed->left[bed->at] != WEND_NO_COST;
        if (!CHECK_THAT(
                ended == (reached ? WEND_ENDED_GOAL : WEND_ENDED_EMPTY) && values.rhs == bed->left[bed->at],
                "map %llu, round %u: ended by %d, %lld from %u to %u, not %lld", bed->number, round,
                (int)ended, (long long)values.rhs, bed->at, bed->goal, (long long)bed->left[bed->at]) ||
            !values_hold(bed))
            return false;
        if (reached && !follow(bed, test_below(random, 6))) return false;
        *paths += reached, *none += !reached;
        if (test_below(random, 12) == 0) {
            bed->at = test_below(random, cells);
            CHECK(wend_incremental_move(bed->search, bed->at));
        }
        for (uint32_t changes = test_below(random, 5); changes; changes--) {
            /* Where the agent stands and what lies before it is changed more often than elsewhere. */
            uint32_t where = test_below(random, 8);
            wend_cell cell = where == 0 ? bed->at : where == 1 ? bed->goal : test_below(random, cells);
            if (where > 4) cell = (bed->at + where) % cells;
            if (!change_cell(bed, cell)) return false;
            uint64_t operations = bed->search->operations;
            bool changed = wend_incremental_changed(bed->search, cell, bed->at);
            CHECK(bed->search->operations - operations <= WEND_INCREMENTAL_CHANGE);
            CHECK(!changed || bed->search->start == bed->at);
            if (!changed) continue;
            if (test_below(random, 2)) (void)wend_search_run(bed->search, test_below(random, 12), 0);
        }
    }
    return true;
}

static void distances_are_true_after_every_change(void) {
    uint64_t paths = 0, none = 0;
    for (uint64_t number = 0; number < (test_full() ? 6000 : 900); number++) {
        test_bed bed;
        test_random random = {number + 5};
        if (bed_open(&bed, test_map_any(number), number, number % 3 == 0))
            for (int task = 0; task < 3; task++) /* the later ones on records that carry an old stamp */
                if (!play(&bed, &random, 12, &paths, &none)) break;
        bed_close(&bed);
        test_case();
    }
    CHECK_THAT(paths > 8000 && none > 3000, "only %llu paths and %llu proofs of none",
               (unsigned long long)paths, (unsigned long long)none);
}

/* Expansion by expansion: one cell's g changes at most. It is dropped, or lowered to the true distance, which
 * is why sums fit; and only where a path to the start might lead that is no longer than the shortest. */
static void lowered_values_are_distances(void) {
    uint64_t lowered = 0, dropped = 0, kept = 0;
    for (uint64_t number = 0; number < 250; number++) {
        test_bed bed;
        test_random random = {number};
        if (bed_open(&bed, test_map_any(number + 9000), number, number % 2)) {
            const uint32_t cells = bed.grid.cells;
            wend_cost *g = calloc(cells, sizeof *g);
            if (!CHECK(g)) return;
            bed.at = test_below(&random, cells), bed.goal = test_below(&random, cells);
            wend_search_begin(bed.search, bed.at, bed.goal);
            for (uint32_t round = 0; round < 120; round++) {
                bed_distances(&bed);
                for (wend_cell cell = 0; cell < cells; cell++)
                    g[cell] = wend_incremental_at(bed.search, cell).g;
                wend_ended ended = wend_search_run(bed.search, 1, 0);
                uint32_t changed = 0;
                for (wend_cell cell = 0; cell < cells; cell++) {
                    wend_cost now = wend_incremental_at(bed.search, cell).g;
                    if (now == g[cell]) continue;
                    changed++;
                    CHECK_THAT(now == WEND_NO_COST || now == bed.left[cell],
                               "map %llu, round %u: g of %u is %lld, not %lld", bed.number, round, cell,
                               (long long)now, (long long)bed.left[cell]);
                    if (now == WEND_NO_COST) {
                        dropped++;
                        continue;
                    }
                    lowered++;
                    CHECK(bed.left[bed.at] == WEND_NO_COST ||
                          now + test_distance(&bed.grid, cell, bed.search->start) <= bed.left[bed.at]);
                }
                CHECK(changed <= (ended == WEND_ENDED_BUDGET || bed.search->expansions));
                kept += !changed;
                if (ended == WEND_ENDED_BUDGET && test_below(&random, 25)) continue;
                if (ended == WEND_ENDED_GOAL) (void)follow(&bed, test_below(&random, 5));
                for (uint32_t i = test_below(&random, 3); i; i--) {
                    wend_cell cell = test_below(&random, cells);
                    if (cell == bed.goal || !change_cell(&bed, cell)) continue;
                    (void)wend_incremental_changed(bed.search, cell, bed.at);
                }
                if (bed.search->start != bed.at) (void)wend_incremental_move(bed.search, bed.at);
            }
            free(g);
        }
        bed_close(&bed);
        test_case();
    }
    CHECK_THAT(lowered > 5000 && dropped > 500 && kept > 1000, "%llu lowered, %llu dropped, %llu kept",
               (unsigned long long)lowered, (unsigned long long)dropped, (unsigned long long)kept);
}

/* Both widths do the same, expansion for expansion. */
static void widths_agree(void) {
    for (uint64_t number = 0; number < 120; number++) {
        uint64_t figures[2][3];
        for (int wide = 0; wide < 2; wide++) {
            test_bed bed;
            test_random random = {number + 77};
            uint64_t paths = 0, none = 0;
            if (bed_open(&bed, test_map_any(4000 + number), number, wide))
                (void)play(&bed, &random, 15, &paths, &none);
            figures[wide][0] = bed.search->expansions, figures[wide][1] = bed.search->operations;
            figures[wide][2] = bed.search->incremental.updates;
            bed_close(&bed);
        }
        CHECK(memcmp(figures[0], figures[1], sizeof figures[0]) == 0);
        test_case();
    }
}

/* Makes the cells around the agent what they are in truth; true if that has to be planned for. */
static bool look_around(test_bed *bed, const wend_map *truth, test_bed *other) {
    wend_xy at = wend_map_xy(truth, bed->at);
    bool changed = false;
    for (int32_t i = 0; i < 9; i++) {
        wend_cell cell = wend_map_cell(truth, at.x - 1 + i % 3, at.y - 1 + i / 3);
        if (cell == WEND_NO_CELL || wend_map_is_open_cell(truth, cell) == bed->grid.open[cell]) continue;
        if (!change_cell(bed, cell) || !change_cell(other, cell)) return false;
        if (wend_incremental_changed(bed->search, cell, bed->at)) changed = true;
    }
    return changed;
}

/* What repairing saves: an agent on unknown terrain, compared with a search from scratch each time. */
static void repairs_are_cheaper_than_searches(void) {
    uint64_t repaired = 0, anew = 0, rounds = 0;
    for (uint64_t number = 0; number < 12; number++) {
        test_random random = {number};
        wend_generate_options generate = wend_default_generate_options();
        generate.seed = number;
        wend_map *truth = NULL, *maps[2] = {0};
        wend_map_kind kind = number % 2 ? WEND_MAP_CAVES : WEND_MAP_ROOMS;
        CHECK(wend_map_generate(kind, 100, 100, &generate, &truth, NULL) == WEND_OK);
        for (int i = 0; i < 2; i++)
            CHECK(wend_map_generate(WEND_MAP_OPEN, 100, 100, &generate, &maps[i], NULL) == WEND_OK);
        test_bed bed, other;
        bool good = bed_open(&bed, maps[0], number, false);
        good = bed_open(&other, maps[1], number, false) && good;
        if (good) {
            bed.at = test_open_cell(truth, &random), bed.goal = test_open_cell(truth, &random);
            wend_search_begin(bed.search, bed.at, bed.goal);
            wend_ended ended = WEND_ENDED_GOAL;
            for (bool changed = true; bed.at != bed.goal; changed = look_around(&bed, truth, &other)) {
                if (changed) {
                    uint64_t before = bed.search->expansions;
                    ended = wend_search_run(bed.search, UINT64_MAX, 0);
                    wend_search_begin(other.search, bed.at, bed.goal);
                    CHECK(wend_search_run(other.search, UINT64_MAX, 0) == ended);
                    CHECK(wend_incremental_at(other.search, bed.at).rhs ==
                          wend_incremental_at(bed.search, bed.at).rhs);
                    repaired += bed.search->expansions - before, anew += other.search->expansions, rounds++;
                }
                if (ended != WEND_ENDED_GOAL) break;
                uint32_t direction = wend_incremental_next(bed.search, bed.at);
                if (!CHECK(direction < 8)) break;
                bed.at = test_next(&bed.grid, bed.at, (int)direction);
            }
        }
        bed_close(&bed), bed_close(&other);
        wend_map_destroy(truth);
        test_case();
    }
    CHECK_THAT(rounds > 200 && repaired * 4 < anew, "%llu expansions for %llu repairs, %llu from scratch",
               (unsigned long long)repaired, (unsigned long long)rounds, (unsigned long long)anew);
}

/* Keys that would not fit any more: the search begins again by itself, in the middle of a change as well. */
static void km_does_not_overflow(void) {
    uint64_t paths = 0, none = 0;
    for (uint64_t number = 0; number < 60; number++) {
        test_bed bed;
        test_random random = {number};
        if (bed_open(&bed, test_map_any(number), number, number % 2)) {
            bed.at = test_below(&random, bed.grid.cells), bed.goal = test_below(&random, bed.grid.cells);
            wend_search_begin(bed.search, bed.at, bed.goal);
            for (int round = 0; round < 6; round++) {
                (void)finish(&bed, &random, false);
                bed.search->incremental.km = UINT64_MAX / 2;
                bed.at = test_below(&random, bed.grid.cells);
                wend_cell cell = test_below(&random, bed.grid.cells);
                uint64_t operations = bed.search->operations;
                if (!change_cell(&bed, cell)) break;
                bool changed = wend_incremental_changed(bed.search, cell, bed.at);
                CHECK(bed.search->operations >= operations);
                if (!changed) (void)wend_incremental_move(bed.search, bed.at);
                wend_ended ended = finish(&bed, &random, false);
                bed_distances(&bed);
                bool reached = bed.left[bed.at] != WEND_NO_COST;
                CHECK(ended == (reached ? WEND_ENDED_GOAL : WEND_ENDED_EMPTY));
                CHECK(wend_incremental_at(bed.search, bed.at).rhs == bed.left[bed.at]);
                paths += reached, none += !reached;
            }
        }
        bed_close(&bed);
        test_case();
    }
    CHECK(paths > 50 && none > 50);
}

/* A queue too small says so when expanding and when it hears of a change, and works once it starts again. */
static void a_full_queue_is_reported(void) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    CHECK(wend_map_create(30, 30, &options, &map, NULL) == WEND_OK &&
          wend_map_edit(map, (wend_rect){0, 0, 30, 30}, true, NULL) == WEND_OK);
    wend_search_options search_options = wend_default_search_options();
    wend_search *search = NULL;
    if (!CHECK(wend_search_create(map, &search_options, &search, NULL) == WEND_OK)) return;
    wend_incremental_prepare(search);
    CHECK(wend_search_reserve(search, WEND_QUEUE_ROOT + 24) == WEND_OK);
    wend_search_begin(search, 0, 899);
    CHECK(wend_search_run(search, UINT64_MAX, 0) == WEND_ENDED_FULL);
    CHECK(wend_search_run(search, 1, 0) == WEND_ENDED_FULL);
    test_case();
    wend_search_begin(search, 868, 899); /* a neighbour */
    CHECK(wend_search_run(search, UINT64_MAX, 0) == WEND_ENDED_GOAL);
    wend_search_begin(search, 837, 899);
    CHECK(wend_search_run(search, UINT64_MAX, 0) == WEND_ENDED_GOAL);
    bool full = false;
    for (wend_cell cell = 0; cell < 898 && !full; cell++) {
        wend_xy xy = wend_map_xy(map, cell);
        CHECK(wend_map_edit(map, (wend_rect){xy.x, xy.y, 1, 1}, false, NULL) == WEND_OK);
        search->queue.room = search->queue.end; /* as if all of it were in use */
        (void)wend_incremental_changed(search, cell, 837);
        full = search->incremental.full;
    }
    CHECK(full && wend_search_run(search, UINT64_MAX, 0) == WEND_ENDED_FULL);
    search->queue.room = WEND_QUEUE_ROOT + 24;
    wend_search_begin(search, 0, 0);
    CHECK(wend_search_run(search, UINT64_MAX, 0) == WEND_ENDED_GOAL && !search->expansions);
    wend_search_destroy(search);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"indexed queue keeps its places", indexed_queue_keeps_its_places},
    {"distances are true after every change", distances_are_true_after_every_change},
    {"lowered values are distances", lowered_values_are_distances},
    {"widths agree", widths_agree},
    {"repairs are cheaper than searches", repairs_are_cheaper_than_searches},
    {"km does not overflow", km_does_not_overflow},
    {"a full queue is reported", a_full_queue_is_reported},
};

TEST_MAIN(tests)
