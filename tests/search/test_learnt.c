/* The table of a learnt heuristic, below the planners: both widths say the same, numbers may come round, and
 * h stays consistent whatever happens to the goal and the map. Looks inside. */
#include "search/learnt.h"
#include "support/check.h"
#include "support/maps.h"
#include "support/reference.h"

#include <stdlib.h>
#include <wend/wend.h>

typedef enum method { RTAA, DARTAA, LSS, METHODS } method;

typedef struct table {
    wend_search *search, *second; /* the second for its queue */
    wend_onward onward;
    wend_cell at;
} table;

static bool make_table(table *made, const wend_map *map, method how, bool wide, uint32_t lookahead) {
    wend_search_options options = wend_default_search_options();
    *made = (table){0};
    if (how == RTAA)
        wend_onward_fill(map, &made->onward);
    else
        wend_onward_all(map, &made->onward);
    if (!CHECK(wend_search_create_sharing(map, &options, &made->onward, &made->search, NULL) == WEND_OK &&
               wend_search_create(map, &options, &made->second, NULL) == WEND_OK))
        return false;
    made->search->learnt.wide = wide;
    return CHECK(wend_learnt_reserve(made->search, wend_map_cells(map), lookahead) == WEND_OK) &&
           CHECK(made->search->learnt.wide == wide) &&
           CHECK(wend_search_reserve_queue(made->second, made->search->kernel, 9 * lookahead + 16) ==
                 WEND_OK);
}

static void free_table(table *made) {
    wend_search_destroy(made->search), wend_search_destroy(made->second);
}

/* One lookahead and what is learnt from it; false where it shows that there is no path, or the agent has
 * arrived. */
static bool look(table *made, method how, uint64_t lookahead, wend_ahead *to) {
    wend_search *search = made->search;
    wend_ahead first;
    if (made->at == search->goal || !CHECK(wend_learnt_begin(search, made->at))) return false;
    (void)wend_search_run(search, lookahead, UINT64_MAX);
    if (!wend_learnt_first(search, &first)) return false;
    *to = how == DARTAA ? wend_learnt_least_raised(search) : first;
    if (how == LSS)
        wend_learnt_spread(search, &made->second->queue);
    else
        wend_learnt_update(search, first.f);
    if (to->move == WEND_NO_DIRECTION) return false;
    made->at += (uint32_t)search->map->offset[to->move];
    uint32_t slot;
    (void)wend_learnt_visit(search, made->at, &slot);
    return CHECK(slot != WEND_NO_SLOT);
}

static uint64_t h_of(const table *made, wend_cell cell) {
    wend_xy xy = wend_map_xy(made->search->map, cell);
    return wend_learnt_h(made->search, cell, (uint32_t)xy.x, (uint32_t)xy.y);
}

/* Another goal, a new task or h forgotten; the same for all tables. */
static void change(table *tables, int count, const wend_map *map, test_random *random) {
    wend_cell goal = test_open_cell(map, random), start = test_open_cell(map, random);
    uint32_t what = test_below(random, 12);
    for (int i = 0; i < count; i++) {
        uint32_t slot;
        if (what == 0)
            wend_learnt_forget(tables[i].search, goal), tables[i].at = start;
        else if (what == 1)
            wend_learnt_drop(tables[i].search);
        else
            wend_learnt_set_goal(tables[i].search, goal);
        (void)wend_learnt_visit(tables[i].search, tables[i].at, &slot);
    }
}

static uint64_t capped; /* values of h that were seen at their cap */

static bool same_tables(const table *a, const table *b, unsigned long long number) {
    bool good = CHECK_THAT(a->search->learnt.used == b->search->learnt.used &&
                               a->search->learnt.raised == b->search->learnt.raised,
                           "map %llu: other counts", number);
    for (wend_cell cell = 0; cell < wend_map_cells(a->search->map); cell++) {
        uint64_t one = h_of(a, cell), other = h_of(b, cell);
        good &= CHECK_THAT(one == other, "map %llu: h of %u is %llu and %llu", number, cell,
                           (unsigned long long)one, (unsigned long long)other);
        capped += one == a->search->learnt.cap;
    }
    return good;
}

/* Never more than a move's cost apart, and nothing at the goal: so it is admissible, too. */
static bool is_consistent(const table *made, const test_grid *grid, unsigned long long number) {
    bool good = CHECK_THAT(h_of(made, made->search->goal) == 0, "map %llu: h of the goal", number);
    for (wend_cell cell = 0; cell < grid->cells; cell++)
        for (int d = 0; d < 8; d++) {
            wend_cell next = test_next(grid, cell, d);
            if (next == WEND_NO_CELL) continue;
            good &= CHECK_THAT(h_of(made, cell) <= h_of(made, next) + test_move_cost(grid, d),
                               "map %llu: h of %u and %u is not consistent", number, cell, next);
        }
    return good;
}

/* Walks of two tables on one map, with changes in between: `steps` lookaheads. */
static void compare(table *tables, const test_grid *grid, method how, uint64_t number, int steps) {
    const wend_map *map = tables[0].search->map;
    test_random random = {number};
    wend_cell start = test_open_cell(map, &random), goal = test_open_cell(map, &random);
    for (int i = 0; i < 2; i++) wend_learnt_forget(tables[i].search, goal), tables[i].at = start;
    for (int step = 0; step < steps; step++) {
        wend_ahead to[2] = {{0}, {0}};
        uint64_t k = 1 + test_below(&random, 12);
        bool moved = look(&tables[0], how, k, &to[0]);
        if (!CHECK_THAT(look(&tables[1], how, k, &to[1]) == moved && to[0].cell == to[1].cell &&
                            to[0].move == to[1].move && to[0].f == to[1].f,
                        "map %llu: lookahead %d chose %u and %u", (unsigned long long)number, step,
                        to[0].cell, to[1].cell))
            return;
        if (!moved || !test_below(&random, 15)) change(tables, 2, map, &random);
        if (step % 16) continue;
        if (!same_tables(&tables[0], &tables[1], number) || !is_consistent(&tables[0], grid, number)) return;
    }
    (void)same_tables(&tables[0], &tables[1], number);
}

static void both_widths_say_the_same(void) {
    for (uint64_t number = 0; number < 180; number++) {
        wend_map *map = test_map_any(number);
        table tables[2];
        method how = (method)(number / TEST_RULES % METHODS);
        if (CHECK(map) && wend_map_open_cells(map) && make_table(&tables[0], map, how, false, 12) &&
            make_table(&tables[1], map, how, true, 12)) {
            if (number % 2) /* so that now and then a goal is too far away for what was learnt to be kept */
                for (int i = 0; i < 2; i++) tables[i].search->learnt.offset_room = 20 * 5741;
            test_grid grid = test_grid_of(map);
            if (number % 3 == 0) /* so that h meets its cap: no given one is above this */
                for (int i = 0; i < 2; i++)
                    tables[i].search->learnt.cap = (wend_cost)(grid.width + grid.height) * grid.straight;
            compare(tables, &grid, how, number, 400);
            test_grid_free(&grid);
            free_table(&tables[0]), free_table(&tables[1]);
            test_case();
        }
        wend_map_destroy(map);
    }
    CHECK_THAT(capped > 100, "h was at its cap %llu times", (unsigned long long)capped);
}

/* Narrow numbers are 22 bits of a tag. After so many tasks they come round again, over what was left in the
 * table, and it still says what a wide one does, which never runs out. */
static void numbers_come_round(void) {
    const uint64_t round = 1u << (32 - WEND_LEARNT_NUMBER);
    for (uint64_t number = 0; number < 9; number++) {
        test_random random = {number};
        wend_map *map = test_map_make(number % 2 ? TEST_SHAPE_ROOMS : TEST_SHAPE_SCATTERED, 9, 7,
                                      test_rules((uint32_t)number), &random, NULL);
        table tables[2];
        method how = (method)(number % METHODS);
        if (CHECK(map) && wend_map_open_cells(map) && make_table(&tables[0], map, how, false, 12) &&
            make_table(&tables[1], map, how, true, 12)) {
            const wend_learnt *narrow = &tables[0].search->learnt;
            test_grid grid = test_grid_of(map);
            compare(tables, &grid, how, number, 400);
            while (narrow->number < round - 100) wend_learnt_forget(tables[0].search, 0);
            compare(tables, &grid, how, number + 100, 1200);
            test_grid_free(&grid);
            CHECK_THAT(narrow->number > round + 1000, "%llu numbers", (unsigned long long)narrow->number);
            free_table(&tables[0]), free_table(&tables[1]);
            test_case();
        }
        wend_map_destroy(map);
    }
}

static const test tests[] = {
    {"both widths say the same", both_widths_say_the_same},
    {"numbers come round", numbers_come_round},
};

TEST_MAIN(tests)
