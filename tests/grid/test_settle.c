/* Components that are brought up to date in slices, against a flood over the reference's moves. */
#include "grid/components.h"
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/reference.h"

#include <stdlib.h>
#include <string.h>

/* Operations that are enough for anything here. */
enum { PLENTY = 100000000 };

/* What a call may go over, by the header. */
static uint64_t overshoot(const wend_map *map) {
    return (uint64_t)wend_map_width(map) / 32 + 100;
}

/* Marks the part of a cell with a number and returns its size. */
static uint32_t flood(const test_grid *grid, wend_cell from, uint32_t number, uint32_t *part,
                      wend_cell *stack) {
    uint32_t top = 0, size = 0;
    part[from] = number, stack[top++] = from;
    while (top) {
        wend_cell cell = stack[--top];
        size++;
        for (int d = 0; d < WEND_DIRECTIONS; d++) {
            wend_cell next = test_next(grid, cell, d);
            if (next == WEND_NO_CELL || part[next] != WEND_NO_CELL) continue;
            part[next] = number, stack[top++] = next;
        }
    }
    return size;
}

/* Labels, count, sizes and the largest, all as a flood finds them. */
static bool agrees(const wend_map *map, const wend_components *components) {
    test_grid grid = test_grid_of(map);
    uint32_t *part = malloc(grid.cells * sizeof *part), *label = malloc(grid.cells * sizeof *label);
    wend_cell *stack = malloc(grid.cells * sizeof *stack);
    memset(part, 0xff, grid.cells * sizeof *part);
    uint32_t count = 0, largest = 0;
    bool good = true;
    for (wend_cell c = 0; c < grid.cells && good; c++) {
        uint32_t here = wend_components_label(components, c);
        if (!grid.open[c]) {
            good = CHECK_THAT(here == WEND_NO_CELL, "the blocked cell %u has label %u", c, here);
            continue;
        }
        if (part[c] == WEND_NO_CELL) {
            uint32_t size = flood(&grid, c, count, part, stack);
            label[count++] = here;
            if (size > largest) largest = size;
            good = CHECK_THAT(wend_components_size(components, here) == size, "label %u has %u cells, not %u",
                              here, wend_components_size(components, here), size);
        }
        good = CHECK_THAT(here == label[part[c]], "cell %u has label %u, not %u", c, here, label[part[c]]) &&
               good;
    }
    good = good && CHECK(wend_components_count(components) == count);
    if (good && count) {
        uint32_t of_largest = wend_components_largest(components);
        good = CHECK(wend_components_size(components, of_largest) == largest);
        for (uint32_t i = 0; i < count; i++) {
            bool tie = wend_components_size(components, label[i]) == largest;
            good = CHECK(!tie || of_largest <= label[i]) && good;
        }
        /* Ascending order shows equal ones. */
        for (uint32_t gap = count / 2; gap; gap /= 2)
            for (uint32_t i = gap; i < count; i++)
                for (uint32_t j = i; j >= gap && label[j - gap] > label[j]; j -= gap) {
                    uint32_t swap = label[j];
                    label[j] = label[j - gap], label[j - gap] = swap;
                }
        for (uint32_t i = 1; i < count; i++)
            good = CHECK_THAT(label[i - 1] < label[i], "two parts have label %u", label[i]) && good;
    } else if (good) {
        good = CHECK(wend_components_largest(components) == WEND_NO_CELL);
    }
    free(part);
    free(label);
    free(stack);
    test_grid_free(&grid);
    return good;
}

static wend_components *components_of(const wend_map *map, const wend_allocator *allocator) {
    wend_components *components = NULL;
    if (!CHECK(wend_components_create(map, allocator, &components, NULL) == WEND_OK)) exit(1);
    return components;
}

/* The same labels as components that never saw another map. */
static bool same_as_new(const wend_map *map, const wend_components *components) {
    wend_components *fresh = components_of(map, NULL);
    bool good = true;
    for (wend_cell c = 0; c < wend_map_cells(map) && good; c++)
        good = CHECK(wend_components_label(components, c) == wend_components_label(fresh, c));
    wend_components_destroy(fresh);
    return good;
}

/* While unsure, nothing is said. */
static void says_nothing(const wend_map *map, const wend_components *components, test_random *random) {
    wend_cell a = test_below(random, wend_map_cells(map)), b = test_below(random, wend_map_cells(map));
    CHECK(!wend_components_sure(components));
    CHECK(wend_components_label(components, a) == WEND_NO_CELL);
    CHECK(!wend_components_joined(components, a, b) && !wend_components_joined(components, a, a));
    CHECK(wend_components_count(components) == 0 && wend_components_size(components, 0) == 0);
    CHECK(wend_components_largest(components) == WEND_NO_CELL);
}

/* Changes a map without its record: a row of letters; returns what to note. */
static wend_rect change_row(wend_map *map, test_random *random) {
    int32_t width = wend_map_width(map);
    uint32_t blocked = test_below(random, 101);
    char *letters = malloc((size_t)width);
    for (int32_t x = 0; x < width; x++) letters[x] = test_below(random, 100) < blocked ? '@' : '.';
    wend_rect area = {0, (int32_t)test_below(random, (uint32_t)wend_map_height(map)), width, 1};
    CHECK(wend_map_set_row(map, area.y, letters, NULL) == WEND_OK);
    free(letters);
    return area;
}

static void change(wend_map *map, wend_components *components, test_random *random) {
    uint32_t kind = test_below(random, 8);
    if (kind == 0) {
        wend_components_note(components, change_row(map, random));
        return;
    }
    CHECK(test_map_edit_any(map, random));
    wend_change last = wend_map_change_at(map, wend_map_revision(map));
    if (kind >= 5 || last.cell == WEND_NO_CELL) return;
    wend_xy at = wend_map_xy(map, last.cell);
    if (kind == 1)
        wend_components_note(components, (wend_rect){-5, at.y - 40, 1, INT32_MAX}); /* more than changed */
    else
        wend_components_note(components, (wend_rect){at.x, at.y, 1, 1});
}

static uint64_t any_slice(test_random *random) {
    static const uint64_t most[] = {1, 1, 2, 10, 100, 1000, 10000};
    uint32_t i = test_below(random, sizeof most / sizeof *most + 1);
    return i < sizeof most / sizeof *most ? 1 + test_below(random, (uint32_t)most[i]) : UINT64_MAX;
}

/* A script of changes and slices on one map. */
static void follow(wend_map *map, uint32_t rounds, test_random *random) {
    test_memory memory = {0};
    wend_allocator allocator = test_allocator(&memory);
    wend_components *components = components_of(map, &allocator);
    uint64_t requests = memory.requests;
    CHECK(wend_components_sure(components));
    bool good = agrees(map, components);
    for (uint32_t i = 0; i < rounds && good; i++) {
        uint32_t changes = test_below(random, 3), slices = test_below(random, 4);
        for (uint32_t j = 0; j < changes; j++) change(map, components, random);
        for (uint32_t j = 0; j < slices && good; j++) {
            bool sure = wend_components_settle(components, map, any_slice(random));
            good = CHECK(sure == wend_components_sure(components)) &&
                   CHECK_THAT(components->debt <= overshoot(map), "%llu operations too many",
                              (unsigned long long)components->debt);
            if (sure)
                good = CHECK(wend_components_revision(components) == wend_map_revision(map)) &&
                       agrees(map, components) && good;
            else
                says_nothing(map, components, random);
        }
    }
    if (good && CHECK(wend_components_settle(components, map, PLENTY)) && agrees(map, components))
        same_as_new(map, components);
    change(map, components, random);
    CHECK(wend_components_update(components, map, NULL) == WEND_OK && wend_components_sure(components));
    agrees(map, components);
    CHECK(memory.requests == requests && memory.live_bytes == wend_components_bytes(components));
    wend_components_destroy(components);
    CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
    test_case();
}

static void slices_of_any_size_end_right(void) {
    uint64_t maps = test_full() ? 4000 : 600;
    for (uint64_t number = 0; number < maps; number++) {
        wend_map *map = test_map_any(number);
        if (!CHECK(map)) continue;
        test_random random = {number};
        follow(map, 40, &random);
        wend_map_destroy(map);
    }
}

/* Heights around multiples of a strip's, up to trees of nine levels, with a last strip of one row. */
static void many_strips_end_right(void) {
    static const int32_t heights[] = {1, 15, 16, 17, 31, 32, 33, 48, 49, 80, 97, 145, 200, 700, 2100};
    enum { HEIGHTS = sizeof heights / sizeof *heights };
    for (uint32_t shape = 0; shape < TEST_SHAPES; shape++)
        for (uint32_t i = 0; i < HEIGHTS; i++) {
            test_random random = {1000 * shape + i};
            static const int32_t widths[] = {1, 2, 3, 13, 62, 63, 64, 65, 130};
            uint32_t choice = heights[i] > 200 ? 4 : sizeof widths / sizeof *widths;
            int32_t width = widths[test_below(&random, choice)];
            if (i == 2) width = 1000;
            wend_map *map = test_map_make((test_shape)shape, width, heights[i],
                                          test_rules(test_below(&random, TEST_RULES)), &random, NULL);
            if (!CHECK(map)) continue;
            follow(map, 20, &random);
            wend_map_destroy(map);
        }
}

static wend_map *made(test_shape shape, int32_t width, int32_t height, uint32_t rules) {
    test_random random = {7};
    wend_map *map = test_map_make(shape, width, height, test_rules(rules), &random, NULL);
    if (!CHECK(map)) exit(1);
    return map;
}

static wend_rect any_cell(const wend_map *map, test_random *random) {
    return (wend_rect){(int32_t)test_below(random, (uint32_t)wend_map_width(map)),
                       (int32_t)test_below(random, (uint32_t)wend_map_height(map)), 1, 1};
}

static void toggle(wend_map *map, wend_rect cell) {
    CHECK(wend_map_edit(map, cell, !wend_map_is_open(map, cell.x, cell.y), NULL) == WEND_OK);
}

/* The most runs and the most components that rows and strips can have: the arrays are as large as they ever
 * need be. */
static void boards_of_the_greatest_width_fit(void) {
    for (uint32_t rules = 0; rules < 6; rules++) {
        wend_map *map = made(TEST_SHAPE_BLOCKED, WEND_MAX_SIDE, 36, rules);
        wend_components *components = components_of(map, NULL);
        char *letters = malloc(WEND_MAX_SIDE + 1);
        for (int32_t x = 0; x <= WEND_MAX_SIDE; x++) letters[x] = x % 2 ? '@' : '.';
        for (int32_t y = 0; y < 36; y++) CHECK(wend_map_set_row(map, y, letters + (y % 2), NULL) == WEND_OK);
        free(letters);
        wend_components_note(components, (wend_rect){0, 0, WEND_MAX_SIDE, 36});
        while (!wend_components_settle(components, map, 100000))
            if (!CHECK(components->debt <= overshoot(map))) break;
        agrees(map, components);
        toggle(map, (wend_rect){WEND_MAX_SIDE - 2, 17, 1, 1});
        CHECK(wend_components_settle(components, map, UINT64_MAX));
        agrees(map, components);
        wend_components_destroy(components);
        wend_map_destroy(map);
        test_case();
    }
}

/* How many operations it takes until they are sure, given `slice` at a time: the number of calls. */
static uint64_t calls_to_settle(wend_components *components, const wend_map *map, uint64_t slice) {
    uint64_t calls = 1;
    while (!wend_components_settle(components, map, slice) && calls < PLENTY) calls++;
    components->debt = 0;
    return calls;
}

/* The work is the same however it is cut, so no slice does anything twice or for nothing. */
static void slicing_costs_nothing(void) {
    for (uint32_t round = 0; round < 8 * TEST_SHAPES; round++) {
        test_random random = {round};
        wend_map *map = made((test_shape)(round % TEST_SHAPES), 70, 100, round);
        wend_components *components[3];
        static const uint64_t slice[] = {1, 7, 1000};
        uint64_t calls[3];
        for (int i = 0; i < 3; i++) components[i] = components_of(map, NULL);
        for (uint32_t i = 0; i < 5; i++) CHECK(test_map_edit_any(map, &random));
        for (int i = 0; i < 3; i++) {
            calls[i] = calls_to_settle(components[i], map, slice[i]);
            CHECK_THAT(calls[i] == (calls[0] + slice[i] - 1) / slice[i],
                       "%llu calls of %llu operations, %llu of 1", (unsigned long long)calls[i],
                       (unsigned long long)slice[i], (unsigned long long)calls[0]);
            wend_components_destroy(components[i]);
        }
        wend_map_destroy(map);
        test_case();
    }
}

/* The header's bound on what a changed cell costs. */
static uint64_t most_for_a_cell(const wend_map *map) {
    uint64_t width = (uint64_t)wend_map_width(map), most = 80 * width + 500;
    for (int32_t rows = WEND_STRIP_ROWS; rows < wend_map_height(map); rows *= 2) most += 10 * width + 50;
    return most;
}

static void a_change_costs_no_more_than_stated(void) {
    static const int32_t sizes[][2] = {{1, 1}, {300, 16}, {40, 200}, {300, 300}, {700, 65}, {1, 2000}};
    for (uint32_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
        for (uint32_t shape = 0; shape < TEST_SHAPES; shape++)
            for (uint32_t rules = 0; rules < 6; rules++) {
                wend_map *map = made((test_shape)shape, sizes[size][0], sizes[size][1], rules);
                wend_components *components = components_of(map, NULL);
                test_random random = {shape};
                for (uint32_t i = 0; i < 6; i++) {
                    toggle(map, any_cell(map, &random));
                    uint64_t cost = calls_to_settle(components, map, 1);
                    CHECK_THAT(cost <= most_for_a_cell(map), "%llu operations, not %llu",
                               (unsigned long long)cost, (unsigned long long)most_for_a_cell(map));
                }
                wend_components_destroy(components);
                wend_map_destroy(map);
                test_case();
            }
}

/* Cells that are as they were cost a look at each word of 64, and change no label. */
static void a_change_of_nothing_costs_a_look(void) {
    for (uint32_t shape = 0; shape < TEST_SHAPES; shape++) {
        wend_map *map = made((test_shape)shape, 200, 100, shape);
        wend_components *components = components_of(map, NULL);
        wend_components_note(components, (wend_rect){0, 0, 200, 100});
        CHECK(!wend_components_sure(components));
        /* 4 words per row, and 7 strips to choose. */
        CHECK(calls_to_settle(components, map, 1) <= 4 * 100 + 2 * 7 + 2);
        agrees(map, components);
        same_as_new(map, components);
        /* Outside there is nothing to look at. */
        wend_components_note(components, (wend_rect){0, -9, 200, 9});
        wend_components_note(components, (wend_rect){0, 100, 200, INT32_MAX});
        wend_components_note(components, (wend_rect){0, 50, 0, 1});
        wend_components_note(components, (wend_rect){0, 50, 1, -1});
        wend_components_note(components, (wend_rect){INT32_MIN, INT32_MIN, INT32_MAX, INT32_MIN});
        CHECK(wend_components_sure(components));
        CHECK(wend_components_settle(components, map, 0));
        wend_components_destroy(components);
        wend_map_destroy(map);
        test_case();
    }
}

/* A change a tick, each anywhere: what one costs at most is enough to be sure at the end of every tick. */
static void steady_changes_are_kept_up_with(void) {
    for (uint32_t shape = 0; shape < TEST_SHAPES; shape++) {
        wend_map *map = made((test_shape)shape, 60, 150, shape);
        wend_components *components = components_of(map, NULL);
        test_random random = {shape};
        for (uint32_t tick = 0; tick < 200; tick++) {
            toggle(map, any_cell(map, &random));
            if (!CHECK(wend_components_settle(components, map, most_for_a_cell(map)))) break;
            if (tick % 20 == 0) agrees(map, components);
        }
        wend_components_destroy(components);
        wend_map_destroy(map);
        test_case();
    }
}

/* Much to take in, and a change in the same place at every tick: with a little more than a change costs, the
 * work gets done all the same, in the time that the little more takes. */
static void steady_changes_do_not_starve_the_rest(void) {
    static const int32_t places[] = {0, 70, 149};
    for (uint32_t round = 0; round < 3 * TEST_SHAPES; round++) {
        wend_map *map = made((test_shape)(round % TEST_SHAPES), 60, 150, round);
        wend_components *components = components_of(map, NULL);
        test_random random = {round};
        for (int32_t y = 0; y < 150; y++) wend_components_note(components, change_row(map, &random));
        wend_components_note(components, (wend_rect){0, 0, 60, 150});
        enum { MORE = 200 };
        wend_map *other = made(TEST_SHAPE_BLOCKED, 60, 150, round);
        wend_components *whole = components_of(other, NULL);
        wend_components_note(whole, (wend_rect){0, 0, 60, 150});
        uint64_t work = calls_to_settle(whole, map, 1), ticks = 0, limit = work / MORE + 2;
        do toggle(map, (wend_rect){30, places[round / TEST_SHAPES], 1, 1});
        while (!wend_components_settle(components, map, most_for_a_cell(map) + MORE) && ++ticks <= limit);
        CHECK_THAT(ticks <= limit, "not sure after %llu ticks", (unsigned long long)ticks);
        agrees(map, components);
        wend_components_destroy(components);
        wend_components_destroy(whole);
        wend_map_destroy(map);
        wend_map_destroy(other);
        test_case();
    }
}

static void other_maps_are_refused(void) {
    wend_map *map = made(TEST_SHAPE_OPEN, 9, 20, 0), *size = made(TEST_SHAPE_OPEN, 9, 19, 0);
    wend_map *rules = made(TEST_SHAPE_OPEN, 9, 20, 4), *copy; /* corners any */
    wend_components *components = components_of(map, NULL);
    CHECK(wend_map_copy(map, &copy, NULL) == WEND_OK); /* numbered from 0 again */
    toggle(map, (wend_rect){0, 0, 1, 1});
    CHECK(wend_components_settle(components, map, PLENTY));
    CHECK(!wend_components_settle(components, size, PLENTY));
    CHECK(!wend_components_settle(components, rules, PLENTY));
    CHECK(!wend_components_settle(components, copy, PLENTY));
    CHECK(wend_components_sure(components) && agrees(map, components));
    CHECK(wend_components_settle(components, map, 0)); /* nothing to do */
    toggle(map, (wend_rect){0, 0, 1, 1});
    CHECK(wend_components_sure(components)); /* of the map before */
    CHECK(!wend_components_settle(components, map, 0) && !wend_components_sure(components));
    CHECK(wend_components_settle(components, map, PLENTY) && agrees(map, components));
    wend_components_destroy(components);
    wend_map_destroy(map);
    wend_map_destroy(size);
    wend_map_destroy(rules);
    wend_map_destroy(copy);
}

static const test tests[] = {
    {"slices of any size end right", slices_of_any_size_end_right},
    {"many strips end right", many_strips_end_right},
    {"boards of the greatest width fit", boards_of_the_greatest_width_fit},
    {"slicing costs nothing", slicing_costs_nothing},
    {"a change costs no more than stated", a_change_costs_no_more_than_stated},
    {"a change of nothing costs a look", a_change_of_nothing_costs_a_look},
    {"steady changes are kept up with", steady_changes_are_kept_up_with},
    {"steady changes do not starve the rest", steady_changes_do_not_starve_the_rest},
    {"other maps are refused", other_maps_are_refused},
};

TEST_MAIN(tests)
