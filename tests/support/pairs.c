#include "support/pairs.h"

#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 10, MOST_SIDE = 14, MOST_CELLS = MOST_SIDE * MOST_SIDE, RULE_SETS = 7 };

typedef struct board {
    int32_t width, height;
    uint8_t open[MOST_CELLS];
} board;

static void set(board *b, int32_t x, int32_t y, bool open) {
    if (x >= 0 && y >= 0 && x < b->width && y < b->height) b->open[y * b->width + x] = open;
}

static void disturb(board *b, test_random *random, uint32_t one_in) {
    for (int32_t i = 0; i < b->width * b->height; i++)
        if (!test_below(random, one_in)) b->open[i] = !b->open[i];
}

static void rooms(board *b, test_random *random) {
    int32_t side = 3 + (int32_t)test_below(random, 4);
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++)
            if (x % side == 0 || y % side == 0) set(b, x, y, false);
    for (int32_t y = 0; y < b->height; y += side)
        for (int32_t x = 0; x < b->width; x += side) {
            int32_t door = 1 + (int32_t)test_below(random, (uint32_t)side - 1);
            set(b, x, y + door, test_below(random, 4));
            set(b, x + door, y, test_below(random, 4));
        }
}

static void caves(board *b, test_random *random) {
    for (int32_t i = 0; i < b->width * b->height; i++) b->open[i] = test_below(random, 100) >= 42;
    for (uint32_t rounds = 1 + test_below(random, 3); rounds; rounds--) {
        board old = *b;
        for (int32_t y = 0; y < b->height; y++)
            for (int32_t x = 0; x < b->width; x++) {
                int count = 0;
                for (int32_t k = 0; k < 9; k++) {
                    int32_t i = x - 1 + k % 3, j = y - 1 + k / 3;
                    count += i >= 0 && j >= 0 && i < b->width && j < b->height && old.open[j * b->width + i];
                }
                set(b, x, y, count >= 5);
            }
    }
}

/* Lines of one cell in any direction, with gaps; walls, or corridors in rock. */
static void lines(board *b, test_random *random, bool open) {
    memset(b->open, !open, sizeof b->open);
    for (uint32_t count = 2 + test_below(random, 1 + (uint32_t)(b->width * b->height) / 20); count; count--) {
        int32_t x = (int32_t)test_below(random, (uint32_t)b->width);
        int32_t y = (int32_t)test_below(random, (uint32_t)b->height);
        int32_t dx = (int32_t)test_below(random, 3) - 1, dy = (int32_t)test_below(random, 3) - 1;
        for (uint32_t length = 2 + test_below(random, 14); length; length--) {
            set(b, x, y, open);
            x += dx, y += dy;
            if (open && !test_below(random, 4)) dx = (int32_t)test_below(random, 3) - 1;
            if (!open && !test_below(random, 10)) x += dx, y += dy;
        }
    }
}

static void blocks(board *b, test_random *random) {
    for (uint32_t count = 1 + test_below(random, 1 + (uint32_t)(b->width * b->height) / 16); count; count--) {
        int32_t x = (int32_t)test_below(random, (uint32_t)b->width);
        int32_t y = (int32_t)test_below(random, (uint32_t)b->height);
        int32_t width = 1 + (int32_t)test_below(random, 4), height = 1 + (int32_t)test_below(random, 4);
        for (int32_t i = 0; i < width * height; i++) set(b, x + i % width, y + i / width, false);
    }
}

static void posts(board *b, test_random *random) {
    int32_t across = 2 + (int32_t)test_below(random, 3), down = 1 + (int32_t)test_below(random, 3);
    bool shifted = test_below(random, 2);
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++)
            if ((x + (shifted ? y / down : 0)) % across == 0 && y % down == 0) set(b, x, y, false);
}

static void comb(board *b, test_random *random) {
    int32_t step = 2 + (int32_t)test_below(random, 3);
    bool upright = test_below(random, 2);
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++) {
            int32_t along = upright ? x : y, across = upright ? y : x;
            int32_t end = upright ? b->height : b->width;
            if (along % step == step - 1 && (along / step % 2 ? across > 0 : across < end - 1))
                set(b, x, y, false);
        }
}

static wend_map *map_of(const board *b, wend_rules rules) {
    wend_map_options options = wend_default_map_options();
    options.rules = rules;
    wend_map *map;
    if (wend_map_create(b->width, b->height, &options, &map, NULL) != WEND_OK) return NULL;
    for (int32_t i = 0; i < b->width * b->height; i++)
        if (b->open[i]) wend_map_edit(map, (wend_rect){i % b->width, i / b->width, 1, 1}, true, NULL);
    return map;
}

/* The rules that differ: with four directions corners and diagonals mean nothing. */
static wend_rules rules_of(uint32_t number) {
    uint32_t i = number % RULE_SETS;
    if (i == RULE_SETS - 1) return (wend_rules){.connect = 4};
    return (wend_rules){.connect = 8, .corners = (wend_corners)(i / 2), .diagonal = (wend_diagonal)(i % 2)};
}

static wend_map *make(uint64_t number) {
    test_random random = {number};
    board b = {.width = 2 + (int32_t)test_below(&random, MOST_SIDE - 1)};
    b.height = 2 + (int32_t)test_below(&random, MOST_SIDE - 1);
    memset(b.open, 1, sizeof b.open);
    switch (number % KINDS) {
    case 0:
        disturb(&b, &random, 2 + test_below(&random, 20));
        break;
    case 1:
        rooms(&b, &random);
        break;
    case 2:
        caves(&b, &random);
        break;
    case 3:
        lines(&b, &random, false);
        break;
    case 4:
        lines(&b, &random, true);
        break;
    case 5:
        blocks(&b, &random);
        break;
    case 6:
        posts(&b, &random);
        break;
    case 7:
        comb(&b, &random);
        break;
    default: {
        test_shape shape = number % KINDS == 8 ? TEST_SHAPE_MAZE : TEST_SHAPE_DIAGONALS;
        return test_map_make(shape, b.width, b.height, rules_of((uint32_t)(number / KINDS)), &random, NULL);
    }
    }
    if (test_below(&random, 2)) disturb(&b, &random, 6 + test_below(&random, 40));
    return map_of(&b, rules_of((uint32_t)(number / KINDS)));
}

/* What is wrong with a path; NULL: nothing. */
static const char *judge(const test_grid *grid, wend_cell start, wend_cell goal, const wend_cell *cells,
                         size_t count, wend_cost expected) {
    if (expected == WEND_NO_COST) return count ? "a path where there is none" : NULL;
    if (!count) return "no path";
    if (count > grid->cells || cells[0] != start || cells[count - 1] != goal) return "wrong ends";
    wend_cost cost = 0;
    for (size_t i = 1; i < count; i++) {
        int direction = 0;
        while (direction < 8 && test_next(grid, cells[i - 1], direction) != cells[i]) direction++;
        if (direction == 8) return "an illegal move";
        cost += test_move_cost(grid, direction);
    }
    return cost == expected ? NULL : "not the shortest";
}

static void all_pairs(const test_pather *pather, wend_map *map, uint64_t number, test_pairs *sum) {
    if (!CHECK(map)) return;
    test_grid grid = test_grid_of(map);
    void *opened = pather->open(map);
    wend_cost distance[MOST_CELLS];
    wend_cell cells[MOST_CELLS + 1];
    sum->maps++;
    for (wend_cell start = 0; CHECK(opened) && start < grid.cells; start++) {
        if (!grid.open[start]) continue;
        test_dijkstra(&grid, start, distance);
        for (wend_cell goal = 0; goal < grid.cells; goal++) {
            if (!grid.open[goal]) continue;
            size_t count = pather->path(opened, start, goal, cells, MOST_CELLS);
            const char *wrong = judge(&grid, start, goal, cells, count, distance[goal]);
            sum->pairs++, sum->unreachable += distance[goal] == WEND_NO_COST;
            if (wrong && !sum->wrong++)
                snprintf(sum->first, sizeof sum->first,
                         "%s: %s from %u to %u of map %llu, %dx%d connect %d corners %d diagonal %d",
                         pather->name, wrong, (unsigned)start, (unsigned)goal, (unsigned long long)number,
                         (int)grid.width, (int)grid.height, grid.rules.connect, (int)grid.rules.corners,
                         (int)grid.rules.diagonal);
        }
    }
    if (opened) pather->close(opened);
    test_grid_free(&grid);
    wend_map_destroy(map);
}

test_pairs test_pairs_of_kinds(const test_pather *pather, uint64_t first, uint64_t count) {
    test_pairs sum = {0};
    for (uint64_t number = first; number < first + count; number++)
        all_pairs(pather, make(number), number, &sum);
    return sum;
}

test_pairs test_pairs_of_fours(const test_pather *pather, uint32_t first, uint32_t step) {
    test_pairs sum = {0};
    for (uint32_t number = first; number < 65536; number += step)
        for (uint32_t rules = 0; rules < RULE_SETS; rules++) {
            board b = {.width = 4, .height = 4};
            for (uint32_t i = 0; i < 16; i++) b.open[i] = number >> i & 1;
            all_pairs(pather, map_of(&b, rules_of(rules)), number, &sum);
        }
    return sum;
}
