/* The case base of kNN LRTA*: draws, records, the kd-tree, the file's contents and what they claim. */
#include "methods/knn/build.h"
#include "search/climb.h"
#include "support/agents/rig.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/databases.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>

/* Whether the entries of a tree stand in order; false: `wrong` says which does not. */
static bool is_sorted(const wend_knn *knn, uint32_t *wrong) {
    wend_knn_range stack[64];
    uint32_t depth = 0;
    stack[depth++] = (wend_knn_range){.end = knn->count};
    while (depth) {
        wend_knn_range range = stack[--depth];
        if (range.end - range.first <= WEND_KNN_LEAF) continue;
        uint32_t middle = range.first + (range.end - range.first) / 2, axis = range.axis;
        for (*wrong = range.first; *wrong < range.end; ++*wrong) {
            uint32_t here = knn->ends[*wrong][axis], split = knn->ends[middle][axis];
            if (*wrong < middle ? here > split : here < split) return false;
        }
        uint8_t next = (uint8_t)((axis + 1) % WEND_KNN_AXES);
        stack[depth++] = (wend_knn_range){.first = range.first, .end = middle, .axis = next};
        stack[depth++] = (wend_knn_range){.first = middle + 1, .end = range.end, .axis = next};
    }
    return true;
}

static const char *const kinds[] = {
    "knn:records=0",
    "knn:records=1",
    "knn:records=40",
    "knn:records=40,compress=linear",
    "knn:records=40,spread=even",
    "knn:records=30,fragments=yes",
    "knn:records=30,spread=even,fragments=yes,compress=linear",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void climbs_by_tables_are_climbs(void) {
    for (uint64_t number = 0; number < test_some(300); number++) {
        test_rig rig;
        test_random random = {number};
        bool open = test_rig_open(&rig, test_map_any(number));
        for (int i = 0; open && i < 300; i++) {
            wend_cell a = test_open_cell(rig.map, &random), b = test_open_cell(rig.map, &random);
            if (a == WEND_NO_CELL) break;
            bool reached = test_climb_cost(&rig.grid, a, b) != WEND_NO_COST;
            CHECK_THAT(wend_climb_reaches(rig.map, rig.jumps, a, b) == reached,
                       "map %llu: from %u to %u it is %d", (unsigned long long)number, a, b, reached);
            CHECK(wend_climb(rig.map, a, b, UINT32_MAX).reached == reached);
        }
        test_rig_close(&rig);
        test_case();
    }
}

static const wend_allocator *usual(void) {
    static wend_allocator allocator;
    allocator = wend_allocator_or_default(NULL);
    return &allocator;
}

/* All open cells, each once, components together; on open ground a walk from neighbour to neighbour. */
static void the_curve_visits_every_open_cell(void) {
    for (uint64_t number = 0; number < test_some(150); number++) {
        test_stage stage;
        wend_draws draws = {.allocator = *usual()};
        if (test_stage_any(&stage, number) &&
            CHECK(wend_draws_create(&draws, stage.map, 1, 10, true, usual(), NULL) == WEND_OK)) {
            memset(stage.been, 0, stage.grid.cells);
            CHECK(draws.open == wend_map_open_cells(stage.map) &&
                  draws.begin[draws.components] == draws.open);
            for (uint32_t i = 0; i < draws.open; i++) {
                CHECK(wend_map_is_open_cell(stage.map, draws.cells[i]) && !stage.been[draws.cells[i]]);
                stage.been[draws.cells[i]] = 1;
            }
            uint8_t *reached = calloc(stage.grid.cells, 1);
            for (uint32_t i = 0; reached && i < draws.components; i++) {
                uint32_t size = draws.begin[i + 1] - draws.begin[i];
                CHECK(size && test_flood(&stage.grid, draws.cells[draws.begin[i]], reached) == size);
                for (uint32_t j = 0; j < size; j++) CHECK(reached[draws.cells[draws.begin[i] + j]]);
            }
            free(reached);
        }
        wend_draws_release(&draws);
        test_stage_close(&stage);
        test_case();
    }
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 64, 64, wend_default_rules(), &random, NULL);
    wend_draws draws = {.allocator = *usual()};
    if (CHECK(map) && CHECK(wend_draws_create(&draws, map, 1, 10, true, usual(), NULL) == WEND_OK))
        for (uint32_t i = 1; i < draws.open; i++)
            CHECK(wend_map_distance(map, draws.cells[i - 1], draws.cells[i]) == wend_map_move_cost(map, 0));
    wend_draws_release(&draws);
    wend_map_destroy(map);
    test_case();
}

/* That two open cells drawn at random fit, at least: of a component's cells, all but nine are far enough. */
static double chance(const wend_draws *draws) {
    double pairs = 0, all = (double)draws->open * draws->open;
    for (uint32_t i = 0; i < draws->components; i++) {
        double size = draws->begin[i + 1] - draws->begin[i];
        if (size > 9) pairs += size * (size - 9);
    }
    return all > 0 ? pairs / all : 0;
}

static void pairs_fit(void) {
    for (uint64_t number = 0; number < test_some(200); number++) {
        test_stage stage;
        uint32_t pairs = 1 + (uint32_t)(number % 37);
        bool even = number & 1;
        wend_draws draws = {.allocator = *usual()};
        if (test_stage_any(&stage, number) &&
            CHECK(wend_draws_create(&draws, stage.map, number, pairs, even, usual(), NULL) == WEND_OK))
            for (uint32_t n = 0; n < pairs; n++) {
                wend_cell start, goal, again[2];
                if (!wend_draw(&draws, n, &start, &goal)) {
                    CHECK(chance(&draws) < 0.03);
                    continue;
                }
                test_dijkstra(&stage.grid, start, stage.left);
                CHECK(stage.left[goal] != WEND_NO_COST && start != goal);
                for (int d = 0; d < 8; d++) CHECK(test_next(&stage.grid, start, d) != goal);
                CHECK(wend_draw(&draws, n, &again[0], &again[1]) && again[0] == start && again[1] == goal);
            }
        wend_draws_release(&draws);
        test_stage_close(&stage);
        test_case();
    }
}

/* Every one of n equal stretches of the curve has one start; and of k x k equal parts of the space of pairs,
 * none has many more or fewer than its share. */
static void even_pairs_are_even(void) {
    enum { PAIRS = 1024, PARTS = 16 };
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 200, 200, wend_default_rules(), &random, NULL);
    wend_draws draws = {.allocator = *usual()};
    if (CHECK(map) && CHECK(wend_draws_create(&draws, map, 1, PAIRS, true, usual(), NULL) == WEND_OK)) {
        uint32_t largest = 0, *place = calloc(wend_map_cells(map), sizeof *place);
        for (uint32_t i = 0; i < draws.components; i++)
            if (draws.begin[i + 1] - draws.begin[i] > draws.begin[largest + 1] - draws.begin[largest])
                largest = i;
        uint32_t begin = draws.begin[largest], size = draws.begin[largest + 1] - begin;
        CHECK(size > wend_map_open_cells(map) / 2 &&
              draws.first[largest + 1] - draws.first[largest] > PAIRS / 2);
        uint32_t share[PARTS][PARTS] = {{0}}, total = draws.first[largest + 1] - draws.first[largest];
        for (uint32_t i = 0; i < size && place; i++) place[draws.cells[begin + i]] = i;
        for (uint32_t n = draws.first[largest]; n < draws.first[largest + 1] && place; n++) {
            wend_cell start, goal;
            CHECK(wend_draw(&draws, n, &start, &goal));
            uint64_t m = n - draws.first[largest];
            CHECK(place[start] >= m * size / total && place[start] <= (m + 1) * size / total);
            share[(uint64_t)place[start] * PARTS / size][(uint64_t)place[goal] * PARTS / size]++;
        }
        for (int i = 0; i < PARTS; i++)
            for (int j = 0; j < PARTS; j++)
                CHECK_THAT(share[i][j] >= total / PARTS / PARTS / 2 &&
                               share[i][j] <= total / PARTS / PARTS * 2 + 1,
                           "part %d %d has %u pairs of %u", i, j, share[i][j], total);
        free(place);
    }
    wend_draws_release(&draws);
    wend_map_destroy(map);
    test_case();
}

/* Figure 6 once more, over the reference's climber; how far it gets from one cell of a path. */
static size_t next_state(const test_grid *grid, const wend_cell *path, size_t count, size_t from,
                         bool linear) {
    size_t found = from + 1;
    if (linear) {
        for (size_t i = from + 2; i < count; i++)
            if (test_climb_cost(grid, path[from], path[i]) != WEND_NO_COST) found = i;
        return found;
    }
    for (size_t l = from + 2, r = count - 1; l <= r;) {
        size_t m = (l + r) / 2;
        if (test_climb_cost(grid, path[from], path[m]) != WEND_NO_COST)
            found = m, l = m + 1;
        else
            r = m - 1;
    }
    return found;
}

/* Records are shortest paths, by Dijkstra; their states are those of figure 6; each can be climbed to from
 * the one before. */
static void records_are_compressed_optimal_paths(void) {
    for (uint64_t number = 0; number < test_some(240); number++) {
        test_rig rig;
        test_random random = {number};
        bool open = test_rig_open(&rig, test_map_any(number)), linear = number & 1;
        wend_knn_paths paths = {.allocator = *usual()};
        open = open && CHECK(wend_knn_paths_create(&paths, rig.map, rig.jumps, usual(), NULL) == WEND_OK);
        for (int i = 0; open && i < 12; i++) {
            wend_cell a = test_open_cell(rig.map, &random), b = test_open_cell(rig.map, &random);
            if (a == WEND_NO_CELL) break;
            wend_compress how = linear ? WEND_COMPRESS_LINEAR : WEND_COMPRESS_BINARY;
            wend_status status = wend_knn_paths_record(&paths, a, b, how);
            test_dijkstra(&rig.grid, a, rig.distance);
            if (rig.distance[b] == WEND_NO_COST) {
                CHECK(status == WEND_STATUS_WRONG_CONTENTS);
                continue;
            }
            CHECK(status == WEND_OK && paths.cells[0] == a && paths.cells[paths.cell_count - 1] == b);
            for (size_t j = 1; j < paths.cell_count; j++) {
                int d = 0;
                while (d < 8 && test_next(&rig.grid, paths.cells[j - 1], d) != paths.cells[j]) d++;
                CHECK(d < 8 && rig.distance[paths.cells[j]] ==
                                   rig.distance[paths.cells[j - 1]] + test_move_cost(&rig.grid, d));
            }
            size_t at = 0, states = 1;
            CHECK(paths.states[0] == a && paths.states[paths.state_count - 1] == b);
            for (; at + 1 < paths.cell_count && states < paths.state_count; states++) {
                at = next_state(&rig.grid, paths.cells, paths.cell_count, at, linear);
                CHECK(paths.states[states] == paths.cells[at]);
                CHECK(test_climb_cost(&rig.grid, paths.states[states - 1], paths.states[states]) !=
                      WEND_NO_COST);
            }
            CHECK(states == paths.state_count && at + 1 == paths.cell_count);
        }
        wend_knn_paths_release(&paths);
        test_rig_close(&rig);
        test_case();
    }
}

/* Entries for the tree alone: points anywhere on a map, many of them the same on some axis. */
typedef struct grove {
    wend_map *map;
    wend_knn knn;
    uint16_t (*ends)[WEND_KNN_AXES];
} grove;

static grove grove_make(uint32_t count, uint64_t seed) {
    grove made = {0};
    test_random random = {seed};
    int32_t side = seed % 3 ? 4 + (int32_t)test_below(&random, 500) : 3;
    made.map = test_map_make(TEST_SHAPE_OPEN, side, side, test_rules((uint32_t)seed), &random, NULL);
    wend_knn_entry *entries = calloc(count + 1, sizeof *entries);
    made.ends = calloc(count + 1, sizeof *made.ends);
    if (!CHECK(made.map && entries && made.ends)) abort();
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < WEND_KNN_AXES; axis++)
            entries[i].ends[axis] = (uint16_t)test_below(&random, (uint32_t)side);
        entries[i].number = i;
    }
    wend_knn_sort(entries, count);
    for (uint32_t i = 0; i < count; i++) memcpy(made.ends[i], entries[i].ends, sizeof made.ends[i]);
    free(entries);
    made.knn = (wend_knn){.count = count, .ends = (const uint16_t(*)[WEND_KNN_AXES])made.ends};
    uint32_t wrong;
    CHECK(is_sorted(&made.knn, &wrong));
    return made;
}

static void grove_free(grove *made) {
    wend_map_destroy(made->map);
    free(made->ends);
}

static int hit_order(const void *a, const void *b) {
    const wend_knn_hit *x = a, *y = b;
    return wend_knn_before(*x, *y) ? -1 : wend_knn_before(*y, *x);
}

/* A query, interrupted after every `piece` operations, against all entries sorted. */
static void check_query(const grove *made, test_random *random, uint32_t most, uint64_t piece, bool scan) {
    uint32_t count = made->knn.count;
    wend_knn_select select;
    CHECK(wend_knn_select_create(&select, made->map, &made->knn, most, scan, usual()) == WEND_OK);
    wend_knn_query *query = &select.query;
    wend_cell at = test_below(random, wend_map_cells(made->map)),
              goal = test_below(random, wend_map_cells(made->map));
    wend_knn_hit *all = calloc(count + 1, sizeof *all), hit;
    for (uint32_t i = 0; i < count && all; i++) {
        wend_cost start = wend_map_distance(made->map, at, wend_knn_start(made->map, &made->knn, i));
        wend_cost end = wend_map_distance(made->map, wend_knn_end(made->map, &made->knn, i), goal);
        all[i] = (wend_knn_hit){(uint32_t)(start > end ? start : end), i};
    }
    if (count) qsort(all, count, sizeof *all, hit_order);
    wend_knn_begin(query, at, goal);
    for (uint32_t found = 0, round = 0; round < 3; round++) {
        uint64_t counted = 0, before;
        bool done;
        do {
            before = counted;
            done = wend_knn_run(query, piece, &counted);
            CHECK(counted - before <= piece + WEND_KNN_LEAF + 1 + (done ? query->count : 0));
        } while (!done);
        for (uint32_t i = 0; i < query->most && found < count; i++, found++)
            CHECK_THAT(wend_knn_take(query, &hit) && hit.distance == all[found].distance &&
                           hit.number == all[found].number,
                       "hit %u of %u is %u at %u, not %u at %u", found, count, hit.number, hit.distance,
                       all[found].number, all[found].distance);
        CHECK(!wend_knn_take(query, &hit));
        if (!found) break;
        wend_knn_begin_behind(query, all[found - 1]);
    }
    free(all);
    wend_knn_select_release(&select, usual());
}

static void the_nearest_are_found(void) {
    static const uint32_t counts[] = {0, 1, 2, 8, 9, 17, 100, 1000, 5000};
    for (uint64_t seed = 0; seed < 12; seed++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            grove made = grove_make(counts[i], seed);
            test_random random = {seed};
            for (uint32_t query = 0; query < 12; query++)
                check_query(&made, &random, 1 + query * query, query % 3 ? 1 + query * 7 : UINT64_MAX / 2,
                            query % 4 == 3);
            grove_free(&made);
            test_case();
        }
}

/* The tree is worth having: a query looks at few of many entries. */
static void queries_look_at_few_entries(void) {
    grove made = grove_make(50000, 4);
    test_random random = {1};
    wend_knn_select select;
    uint64_t counted = 0;
    CHECK(wend_knn_select_create(&select, made.map, &made.knn, 10, false, usual()) == WEND_OK);
    for (int i = 0; i < 100; i++) {
        wend_knn_begin(&select.query, test_below(&random, wend_map_cells(made.map)),
                       test_below(&random, wend_map_cells(made.map)));
        CHECK(wend_knn_run(&select.query, UINT64_MAX / 2, &counted));
    }
    CHECK_THAT(counted < 100 * 50000 / 20, "%llu operations per query", (unsigned long long)counted / 100);
    wend_knn_select_release(&select, usual());
    grove_free(&made);
    test_case();
}

/* The contents of a built database against records worked out here, whole or in parts. */
static void databases_hold_the_records(void) {
    for (uint64_t number = 0; number < test_some(12) * KINDS; number++) {
        const char *kind = kinds[number % KINDS];
        test_stage stage;
        wend_db *db = test_stage_any(&stage, number) ? test_db_build(stage.map, kind, number) : NULL;
        if (db) {
            const wend_knn *knn = wend_knn_of(db);
            wend_fact facts[16];
            size_t known = wend_db_facts(db, facts, 16);
            CHECK(known <= 16 && strcmp(facts[0].name, "records") == 0);
            uint32_t wrong;
            CHECK(is_sorted(knn, &wrong));
            bool fragments = strstr(kind, "fragments=yes");
            CHECK(fragments || knn->count == (uint32_t)facts[0].value);
            for (uint32_t i = 0; i < knn->count; i++) {
                wend_cell at = wend_knn_start(stage.map, knn, i), end = wend_knn_end(stage.map, knn, i);
                test_dijkstra(&stage.grid, at, stage.left);
                wend_cost whole = stage.left[end], sum = 0;
                for (uint32_t next = knn->begins[i]; at != WEND_NO_CELL;) {
                    wend_cell to = next < knn->stops[i] ? wend_knn_subgoal(knn, &next) : end;
                    CHECK(test_climb_cost(&stage.grid, at, to) != WEND_NO_COST);
                    test_dijkstra(&stage.grid, at, stage.left);
                    sum += stage.left[to];
                    at = to == end ? WEND_NO_CELL : to;
                }
                CHECK_THAT(sum == whole, "%s on map %llu: the states of entry %u are not on a shortest path",
                           kind, (unsigned long long)number, i);
            }
            wend_error error = {0};
            wend_build_options options = wend_default_build_options();
            CHECK_THAT(wend_db_verify(db, stage.map, 0, &options, &error) == WEND_OK, "%s", error.message);
        }
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

static void wrong_records_are_found(void) {
    for (size_t k = 1; k < KINDS; k++) test_db_flips_are_found(kinds[k], k, test_some(60));
}

/* Without records there is nothing to work out again that entries could be missing from. */
static void entries_without_records_are_found(void) {
    test_random random = {1};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 40, 37, wend_default_rules(), &random, NULL);
    wend_db *db = CHECK(map) ? test_db_build(map, "knn:records=20,fragments=yes", 3) : NULL;
    if (db) {
        test_forged made = test_forge(db);
        CHECK(test_db_settings_parse("knn:records=0,fragments=yes", &made.db.settings, NULL) == WEND_OK);
        for (size_t i = 0; i < db->section_count; i++)
            if (strcmp(db->sections[i].name, "counts") == 0) memset(made.copies[i], 0, sizeof(uint32_t));
        wend_build_options options = wend_default_build_options();
        CHECK(wend_db_knn.open(&made.db, NULL) == WEND_OK);
        CHECK(wend_db_verify(&made.db, map, 0, &options, NULL) == WEND_STATUS_WRONG_CONTENTS);
        test_forged_free(&made);
    }
    wend_db_close(db);
    wend_map_destroy(map);
    test_case();
}

/* Sections of any contents and any length: refused, or harmless to an agent. */
static void nonsense_is_refused_or_harmless(void) {
    uint64_t refused = 0, used = 0;
    for (uint64_t number = 0; number < test_some(400); number++) {
        test_random random = {number};
        test_stage stage;
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 30, 20, test_rules((uint32_t)number), &random, NULL);
        bool open = test_stage_open(&stage, map, NULL);
        wend_db *db = open ? test_db_build(stage.map, kinds[1 + number % (KINDS - 1)], number) : NULL;
        if (db) {
            test_forged made = test_forge(db);
            for (uint32_t change = 1 + test_below(&random, 4); change > 0; change--)
                test_forged_spoil(&made, &random, number % 2 ? 256 : 30);
            wend_error error = {0};
            if (wend_db_knn.open(&made.db, &error) != WEND_OK) {
                refused++;
                CHECK(error.status == WEND_STATUS_DAMAGED && error.message[0]);
            } else {
                used++;
                wend_fact facts[16];
                CHECK(wend_db_facts(&made.db, facts, 16) <= 16);
                wend_agent *agent = test_db_agent(&stage, "knn:db=-", &made.db);
                for (int i = 0; agent && i < 4; i++) {
                    wend_cell start = test_open_cell(stage.map, &random),
                              goal = test_open_cell(stage.map, &random);
                    if (start == WEND_NO_CELL) break;
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    wend_outcome outcome = WEND_STEP_WAITING;
                    for (int step = 0; step < 100000 && outcome <= WEND_STEP_WAITING; step++)
                        outcome = wend_agent_step(agent).outcome;
                    CHECK(outcome == WEND_STEP_ARRIVED || outcome == WEND_STEP_UNREACHABLE);
                }
                wend_agent_destroy(agent);
            }
            test_forged_free(&made);
        }
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK(refused > test_some(20) && used > test_some(20));
}

/* What the file says is covered is what agents with standard settings find a record for. */
static void coverage_is_what_agents_find(void) {
    for (uint64_t number = 0; number < 4; number++) {
        test_random random = {number};
        test_stage stage;
        wend_map *map = test_map_make(number % 2 ? TEST_SHAPE_ROOMS : TEST_SHAPE_MAZE, 60, 60,
                                      wend_default_rules(), &random, NULL);
        bool open = test_stage_open(&stage, map, NULL);
        wend_db *db = open ? test_db_build(stage.map, "knn:records=100", number) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "knn:db=-,fallback=tba", db) : NULL;
        wend_draws draws = {.allocator = *usual()};
        if (agent &&
            CHECK(wend_draws_create(&draws, stage.map, number, 100, false, usual(), NULL) == WEND_OK)) {
            uint32_t problems = 0, covered = 0;
            for (uint32_t i = 0; i < WEND_KNN_SAMPLE; i++) {
                wend_cell start, goal;
                if (!wend_draw_random(&draws, 0x80000000u + i, &start, &goal)) continue;
                problems++;
                CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                while (wend_agent_step(agent).outcome == WEND_STEP_WAITING) continue;
                covered += wend_agent_counters(agent).searches == 0;
            }
            const uint32_t *counts = wend_db_section(db, "counts", 4, NULL);
            CHECK(counts[0] == 100 && counts[1] == problems && counts[2] == covered);
            CHECK(covered > 0 && covered < problems && counts[4] <= counts[3]);
        }
        wend_draws_release(&draws);
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

/* Whether the climber comes from one cell to another within so many moves. */
static bool climbs_within(const test_grid *grid, wend_cell at, wend_cell to, uint32_t most) {
    for (; at != to && most; most--) {
        int d = test_climb_move(grid, at, to);
        if (d == WEND_NO_DIRECTION) return false;
        at = test_next(grid, at, d);
    }
    return at == to;
}

/* The plain form: the ten nearest starts, by looking at all of them. */
static bool covered_plainly(const test_stage *stage, const wend_knn *knn, wend_cell cell) {
    bool *taken = calloc(knn->count + 1, sizeof *taken);
    bool covered = false;
    for (uint32_t i = 0; taken && i < WEND_KNN_CANDIDATES && i < knn->count; i++) {
        uint32_t best = UINT32_MAX;
        wend_cost least = WEND_NO_COST;
        for (uint32_t entry = 0; entry < knn->count; entry++) {
            wend_cost far = test_distance(&stage->grid, cell, wend_knn_start(stage->map, knn, entry));
            if (!taken[entry] && far < least) least = far, best = entry;
        }
        taken[best] = true;
        covered = covered ||
                  climbs_within(&stage->grid, cell, wend_knn_start(stage->map, knn, best), WEND_KNN_CLIMB);
    }
    free(taken);
    return covered;
}

static void cells_are_covered_by_near_starts(void) {
    uint32_t served = 0, missed = 0;
    for (uint64_t number = 0; number < test_some(60); number++) {
        test_stage stage;
        bool open = test_stage_any(&stage, number);
        wend_db *db =
            open ? test_db_build(stage.map, number % 3 ? "knn:records=12" : "knn:records=60", number) : NULL;
        uint32_t count = db ? wend_map_cells(stage.map) : 0;
        wend_cell *cells = calloc((size_t)count + 1, sizeof *cells);
        uint8_t *covered = calloc((size_t)count + 1, 1);
        wend_build_options options = wend_default_build_options();
        test_random random = {number};
        if (number % 2) options.tasks = test_shuffled_tasks(&random);
        for (wend_cell i = 0; cells && i < count; i++) cells[i] = i;
        if (db && cells && covered &&
            CHECK(wend_db_cover(db, cells, count, &options, covered, NULL) == WEND_OK))
            for (wend_cell i = 0; i < count; i++) {
                bool plain =
                    wend_map_is_open_cell(stage.map, i) && covered_plainly(&stage, wend_knn_of(db), i);
                CHECK_THAT(covered[i] == plain, "map %llu, cell %u", (unsigned long long)number, i);
                served += plain, missed += !plain && wend_map_is_open_cell(stage.map, i);
            }
        if (db && cells && covered) {
            cells[0] = count;
            CHECK(wend_db_cover(db, cells, 1, &options, covered, NULL) == WEND_STATUS_OUTSIDE);
            CHECK(wend_db_cover(db, NULL, 1, &options, covered, NULL) == WEND_STATUS_BAD_ARGUMENT);
            CHECK(wend_db_cover(db, NULL, 0, &options, NULL, NULL) == WEND_OK);
        }
        free(cells);
        free(covered);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK(served > test_some(500) && missed > test_some(500));
}

static const test tests[] = {
    {"climbs by tables are climbs", climbs_by_tables_are_climbs},
    {"the curve visits every open cell", the_curve_visits_every_open_cell},
    {"pairs fit", pairs_fit},
    {"even pairs are even", even_pairs_are_even},
    {"records are compressed optimal paths", records_are_compressed_optimal_paths},
    {"the nearest are found", the_nearest_are_found},
    {"queries look at few entries", queries_look_at_few_entries},
    {"databases hold the records", databases_hold_the_records},
    {"wrong records are found", wrong_records_are_found},
    {"entries without records are found", entries_without_records_are_found},
    {"nonsense is refused or harmless", nonsense_is_refused_or_harmless},
    {"coverage is what agents find", coverage_is_what_agents_find},
    {"cells are covered by near starts", cells_are_covered_by_near_starts},
};

TEST_MAIN(tests)
