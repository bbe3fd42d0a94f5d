/* The hill-climber in its three forms for planners: runs and sliced walks make the moves of single steps. */
#include "search/climb.h"
#include "support/agents/agents.h"
#include "support/check.h"
#include "support/maps.h"

/* A climb step by step: whether it comes to `to`, for what, and the operations that it takes. */
typedef struct climbed {
    bool reached;
    wend_cost cost;
    uint64_t operations;
} climbed;

static climbed climb_by_steps(const wend_map *map, wend_cell from, wend_cell to) {
    climbed made = {.reached = true};
    for (wend_cell at = from; at != to && made.reached;) {
        uint32_t d = wend_climb_step(map, at, to, &made.operations);
        made.reached = d != WEND_NO_DIRECTION;
        if (!made.reached) break;
        made.cost += map->cost[d];
        at += (uint32_t)map->offset[d];
    }
    return made;
}

static void runs_are_moves_of_the_climb(void) {
    uint64_t long_ones = 0;
    for (uint64_t number = 0; number < 400; number++) {
        wend_map *map = test_map_any(number);
        test_random random = {number};
        for (int i = 0; map && wend_map_open_cells(map) > 1 && i < 60; i++) {
            wend_cell at = test_open_cell(map, &random), to = test_open_cell(map, &random);
            uint32_t most = 1 + test_below(&random, 9);
            while (at != to) {
                uint64_t used = 0, none = 0;
                uint32_t count, d = wend_climb_run(map, at, to, most, &count, &used);
                CHECK(count <= most && (count > 0) == (d != WEND_NO_DIRECTION));
                CHECK(used >= 1 && used <= WEND_CLIMB_OPERATIONS + (uint64_t)most - 1);
                if (d == WEND_NO_DIRECTION) {
                    CHECK(wend_climb_step(map, at, to, &none) == WEND_NO_DIRECTION);
                    break;
                }
                long_ones += count > 1;
                for (; count; count--) {
                    if (!CHECK_THAT(at != to && wend_climb_step(map, at, to, &none) == d,
                                    "map %llu: from %u to %u", (unsigned long long)number, at, to))
                        break;
                    at += (uint32_t)map->offset[d];
                }
                if (count) break;
            }
        }
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(long_ones > 1000, "only %llu runs of several moves", (unsigned long long)long_ones);
}

static void walks_in_slices_are_climbs(void) {
    uint64_t reached = 0, failed = 0;
    for (uint64_t number = 0; number < 400; number++) {
        wend_map *map = test_map_any(number);
        test_random random = {number + 1000};
        for (int i = 0; map && wend_map_open_cells(map) && i < 60; i++) {
            wend_cell from = test_open_cell(map, &random), to = test_open_cell(map, &random);
            climbed steps = climb_by_steps(map, from, to);
            uint64_t slice = 1 + test_below(&random, 20), counted = 0;
            wend_climb_walk walk = {from, to, 0, UINT64_MAX};
            wend_climb_end end = WEND_CLIMB_MORE;
            for (uint64_t before = 0; end == WEND_CLIMB_MORE; before = counted) {
                end = wend_climb_go(map, &walk, slice, &counted);
                CHECK(counted - before <= slice + WEND_CLIMB_OPERATIONS - 1);
                CHECK(end != WEND_CLIMB_MORE || counted > before);
            }
            CHECK_THAT((end == WEND_CLIMB_REACHED) == steps.reached && counted == steps.operations,
                       "map %llu: from %u to %u, %llu operations, not %llu", (unsigned long long)number, from,
                       to, (unsigned long long)counted, (unsigned long long)steps.operations);
            if (steps.reached) CHECK(walk.cost == steps.cost && walk.at == to);
            /* For that much and no less. */
            if (steps.reached && steps.cost) {
                wend_climb_walk dear = {from, to, 0, steps.cost - 1}, just = {from, to, 0, steps.cost};
                CHECK(wend_climb_go(map, &just, UINT64_MAX, &counted) == WEND_CLIMB_REACHED);
                CHECK(wend_climb_go(map, &dear, UINT64_MAX, &counted) == WEND_CLIMB_FAILED);
            }
            reached += steps.reached, failed += !steps.reached;
        }
        wend_map_destroy(map);
        test_case();
    }
    CHECK(reached > 1000 && failed > 1000);
}

static const test tests[] = {
    {"runs are moves of the climb", runs_are_moves_of_the_climb},
    {"walks in slices are climbs", walks_in_slices_are_climbs},
};

TEST_MAIN(tests)
