/* Problems drawn at random: solvable, within limits, sorted, the same for the same seed. Lengths are judged
 * by a search that the generator does not use. */
#include "support/check.h"
#include "support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const wend_rules all_rules[] = {
    {4, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2},
    {8, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2},
    {8, WEND_CORNERS_ONE, WEND_DIAGONAL_1_4},
    {8, WEND_CORNERS_ANY, WEND_DIAGONAL_SQRT2},
};
enum { RULES = sizeof all_rules / sizeof *all_rules };

static wend_map *made(wend_map_kind kind, int64_t width, int64_t height, wend_rules rules, int32_t density) {
    wend_generate_options options = wend_default_generate_options();
    options.map.rules = rules, options.density = density;
    wend_map *map;
    if (!CHECK(wend_map_generate(kind, width, height, &options, &map, NULL) == WEND_OK)) exit(1);
    return map;
}

static wend_scenario *drawn(const wend_map *map, size_t count, const wend_problems_options *options) {
    wend_scenario *scenario = NULL;
    wend_error error = {.message = ""};
    wend_status status = wend_problems_generate(map, "drawn.map", count, options, &scenario, &error);
    if (!CHECK_THAT(status == WEND_OK, "%s", error.message)) exit(1);
    return scenario;
}

static bool same(const wend_scenario *a, const wend_scenario *b) {
    if (wend_scenario_count(a) != wend_scenario_count(b)) return false;
    for (size_t i = 0; i < wend_scenario_count(a); i++) {
        wend_problem p = *wend_scenario_at(a, i), q = *wend_scenario_at(b, i);
        if (p.start.x != q.start.x || p.start.y != q.start.y || p.goal.x != q.goal.x ||
            p.goal.y != q.goal.y || p.bucket != q.bucket || p.length < q.length || p.length > q.length)
            return false;
    }
    return true;
}

static void problems_are_solvable_sorted_and_within_limits(void) {
    for (int kind = 0; kind < WEND_MAP_KINDS; kind++)
        for (size_t r = 0; r < RULES; r++) {
            wend_map *map = made((wend_map_kind)kind, 90, 70, all_rules[r], -1);
            wend_field_options field_options = wend_default_field_options();
            wend_field *field;
            if (!CHECK(wend_field_create(map, &field_options, &field, NULL) == WEND_OK)) exit(1);
            wend_problems_options options = wend_default_problems_options();
            options.seed = 5 + r, options.min_length = 20, options.max_length = 60;
            wend_scenario *scenario = drawn(map, 50, &options), *again = drawn(map, 50, &options);
            CHECK(same(scenario, again));
            CHECK(wend_scenario_count(scenario) == 50);
            CHECK(strcmp(wend_scenario_map_name(scenario), "drawn.map") == 0);
            double before = 0;
            for (size_t i = 0; i < 50; i++) {
                wend_problem p = *wend_scenario_at(scenario, i);
                wend_cell start = wend_map_cell(map, p.start.x, p.start.y);
                wend_cell goal = wend_map_cell(map, p.goal.x, p.goal.y);
                CHECK(wend_map_is_open_cell(map, start) && wend_map_is_open_cell(map, goal) && start != goal);
                CHECK(p.length >= 20 && p.length <= 60 && p.length >= before - 1e-9);
                CHECK(p.bucket == (uint32_t)(p.length / 4));
                before = p.length;
                CHECK(wend_field_compute(field, goal, NULL) == WEND_OK);
                double unit = (double)wend_map_move_cost(map, 0);
                double length = (double)wend_field_cost(field, start) / unit;
                CHECK_THAT(fabs(length - p.length) < 1e-6 * length, "%g where %g is optimal", p.length,
                           length);
            }
            options.seed += 100;
            wend_scenario *other = drawn(map, 50, &options);
            CHECK(!same(scenario, other));
            wend_scenario_destroy(scenario);
            wend_scenario_destroy(again);
            wend_scenario_destroy(other);
            wend_field_destroy(field);
            wend_map_destroy(map);
            test_case();
        }
}

/* Starts are uniform over open cells that have a goal, goals over the rest of their component. */
static void draws_are_even(void) {
    wend_map_options map_options = wend_default_map_options();
    wend_map *map;
    if (!CHECK(wend_map_create(7, 1, &map_options, &map, NULL) == WEND_OK)) return;
    wend_map_set_row(map, 0, "..@...@", NULL); /* components of 2 and 3 cells */
    wend_problems_options options = wend_default_problems_options();
    enum { COUNT = 20000 };
    wend_scenario *scenario = drawn(map, COUNT, &options);
    int starts[7] = {0}, pairs[7][7] = {{0}};
    for (size_t i = 0; i < COUNT; i++) {
        wend_problem p = *wend_scenario_at(scenario, i);
        starts[p.start.x]++, pairs[p.start.x][p.goal.x]++;
    }
    for (int x = 0; x < 7; x++) {
        bool open = wend_map_is_open(map, x, 0);
        CHECK(open ? abs(starts[x] - COUNT / 5) < 300 : starts[x] == 0);
        for (int to = 0; to < 7; to++) {
            bool joined = open && wend_map_is_open(map, to, 0) && to != x && (x < 2) == (to < 2);
            int expected = x < 2 ? COUNT / 5 : COUNT / 10;
            CHECK(joined ? abs(pairs[x][to] - expected) < 300 : pairs[x][to] == 0);
        }
    }
    wend_scenario_destroy(scenario);
    wend_map_destroy(map);
}

/* The first problems of a longer drawing are those of a shorter one: draws go by number. */
static void a_longer_drawing_contains_a_shorter_one(void) {
    wend_map *map = made(WEND_MAP_CAVES, 100, 100, all_rules[1], -1);
    wend_problems_options options = wend_default_problems_options();
    for (size_t count = 1; count < 9; count++) { /* on both sides of where tables come in */
        wend_scenario *few = drawn(map, count, &options), *many = drawn(map, 60, &options);
        size_t matched = 0;
        for (size_t i = 0; i < 60 && matched < count; i++) {
            wend_problem p = *wend_scenario_at(many, i), q = *wend_scenario_at(few, matched);
            matched += p.start.x == q.start.x && p.start.y == q.start.y && p.goal.x == q.goal.x &&
                       p.goal.y == q.goal.y;
        }
        CHECK(matched == count);
        wend_scenario_destroy(few);
        wend_scenario_destroy(many);
        test_case();
    }
    wend_map_destroy(map);
}

/* Among equal lengths the earlier draw comes first: one more problem goes behind its equals. */
static void ties_keep_the_order_of_draws(void) {
    wend_map *map = made(WEND_MAP_OPEN, 6, 5, all_rules[0], -1);
    wend_problems_options options = wend_default_problems_options();
    wend_scenario *few = drawn(map, 1, &options);
    for (size_t count = 2; count < 60; count++) {
        wend_scenario *more = drawn(map, count, &options);
        size_t i = 0;
        for (; i + 1 < count; i++) {
            wend_problem p = *wend_scenario_at(few, i), q = *wend_scenario_at(more, i);
            if (p.start.x != q.start.x || p.start.y != q.start.y || p.goal.x != q.goal.x ||
                p.goal.y != q.goal.y)
                break;
        }
        if (i + 1 < count)
            CHECK(wend_scenario_at(more, i + 1)->length > wend_scenario_at(more, i)->length + 0.5);
        wend_scenario_destroy(few);
        few = more;
        test_case();
    }
    wend_scenario_destroy(few);
    wend_map_destroy(map);
}

static void maps_without_such_pairs_are_refused_in_words(void) {
    wend_problems_options options = wend_default_problems_options();
    wend_scenario *scenario;
    wend_error error;
    wend_map *blocked = made(WEND_MAP_RANDOM, 30, 30, all_rules[1], 100);
    CHECK(wend_problems_generate(blocked, "m", 3, &options, &scenario, &error) == WEND_STATUS_UNSUPPORTED);
    CHECK(!scenario && strstr(error.message, "found 0 of 3"));
    CHECK(wend_problems_generate(blocked, "m", SIZE_MAX, &options, &scenario, &error) ==
          WEND_STATUS_TOO_LARGE);
    wend_map *single = made(WEND_MAP_OPEN, 1, 1, all_rules[1], -1);
    CHECK(wend_problems_generate(single, "m", 3, &options, &scenario, &error) == WEND_STATUS_UNSUPPORTED);
    wend_map *open = made(WEND_MAP_OPEN, 30, 30, all_rules[1], -1);
    options.min_length = 29 * 1.5; /* longer than the diagonal: only a search shows that */
    CHECK(wend_problems_generate(open, "m", 3, &options, &scenario, &error) == WEND_STATUS_UNSUPPORTED);
    options.min_length = 1e6;
    CHECK(wend_problems_generate(open, "m", 3, &options, &scenario, &error) == WEND_STATUS_UNSUPPORTED);
    options.min_length = 0, options.max_length = 0.5;
    CHECK(wend_problems_generate(open, "m", 3, &options, &scenario, &error) == WEND_STATUS_UNSUPPORTED);
    CHECK(!scenario && error.message[0]);
    CHECK(wend_problems_generate(open, "m", 0, &options, &scenario, NULL) == WEND_OK);
    CHECK(wend_scenario_count(scenario) == 0);
    wend_scenario_destroy(scenario);

    wend_problems_options good = wend_default_problems_options(), bad = good;
    bad.struct_size = 0;
    CHECK(wend_problems_generate(open, "m", 1, &bad, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT);
    bad = good, bad.min_length = -1;
    CHECK(wend_problems_generate(open, "m", 1, &bad, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT);
    bad = good, bad.min_length = 5, bad.max_length = 4;
    CHECK(wend_problems_generate(open, "m", 1, &bad, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT);
    bad = good, bad.max_length = NAN;
    CHECK(wend_problems_generate(open, "m", 1, &bad, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_problems_generate(NULL, "m", 1, &good, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_problems_generate(open, NULL, 1, &good, &scenario, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_problems_generate(open, "m", 1, &good, NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
    wend_map_destroy(blocked);
    wend_map_destroy(single);
    wend_map_destroy(open);
}

static void refused_memory_leaks_nothing(void) {
    wend_map *map = made(WEND_MAP_ROOMS, 60, 60, all_rules[1], -1);
    test_memory memory = {0};
    wend_problems_options options = wend_default_problems_options();
    options.allocator = test_allocator(&memory);
    uint64_t refusals = 0;
    for (wend_status status = WEND_STATUS_NO_MEMORY; status != WEND_OK && refusals < 1000; refusals++) {
        memory.refuse_at = memory.requests + refusals + 1;
        wend_error error;
        wend_scenario *scenario = NULL;
        status = wend_problems_generate(map, "m", 100, &options, &scenario, &error);
        if (status != WEND_OK)
            CHECK(status == WEND_STATUS_NO_MEMORY && error.status == status && error.message[0] && !scenario);
        wend_scenario_destroy(scenario);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
        test_case();
    }
    CHECK(refusals > 8 && refusals < 1000);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"problems are solvable, sorted and within limits", problems_are_solvable_sorted_and_within_limits},
    {"draws are even", draws_are_even},
    {"a longer drawing contains a shorter one", a_longer_drawing_contains_a_shorter_one},
    {"ties keep the order of draws", ties_keep_the_order_of_draws},
    {"maps without such pairs are refused in words", maps_without_such_pairs_are_refused_in_words},
    {"refused memory leaks nothing", refused_memory_leaks_nothing},
};

TEST_MAIN(tests)
