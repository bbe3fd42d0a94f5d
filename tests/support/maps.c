#include "support/maps.h"

#include "shared/scenes.h"
#include "support/check.h"

#include <stdlib.h>

uint32_t test_below(test_random *random, uint32_t bound) {
    uint64_t x = random->state += 0x2545f4914f6cdd1du; /* an odd step, then a xorshift-multiply mix */
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 29) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)((x >> 32) % bound);
}

wend_rules test_rules(uint32_t number) {
    return (wend_rules){.connect = number % 2 ? 4 : 8,
                        .corners = (wend_corners)(2 - number / 2 % 3),
                        .diagonal = (wend_diagonal)(number / 6 % 2)};
}

static bool set(wend_map *map, int32_t x, int32_t y, int32_t width, int32_t height, bool open) {
    return wend_map_edit(map, (wend_rect){x, y, width, height}, open, NULL) == WEND_OK;
}

static bool scatter(wend_map *map, test_random *random) {
    static const uint32_t densities[] = {0, 1, 5, 10, 20, 30, 35, 40, 45, 50, 60};
    uint32_t blocked = densities[test_below(random, sizeof densities / sizeof *densities)];
    bool good = true;
    for (int32_t y = 0; y < wend_map_height(map); y++)
        for (int32_t x = 0; x < wend_map_width(map); x++)
            if (test_below(random, 100) >= blocked) good = good && set(map, x, y, 1, 1, true);
    return good;
}

/* Corridors of one cell between pillars at odd places, joined by a random walk that steps back where it is
 * shut in. */
static bool carve_maze(wend_map *map, test_random *random) {
    int32_t across = (wend_map_width(map) + 1) / 2, down = (wend_map_height(map) + 1) / 2;
    int32_t *stack = calloc((size_t)across * (size_t)down, sizeof *stack);
    if (!stack) return false;
    int32_t standing = 0;
    bool good = set(map, 0, 0, 1, 1, true);
    stack[standing++] = 0;
    while (good && standing) {
        int32_t at = stack[standing - 1], x = at % across, y = at / across, ways[4], count = 0;
        for (int32_t way = 0; way < 4; way++) {
            int32_t i = x + (way == 0) - (way == 1), j = y + (way == 2) - (way == 3);
            if (i >= 0 && j >= 0 && i < across && j < down && !wend_map_is_open(map, 2 * i, 2 * j))
                ways[count++] = way;
        }
        if (!count) {
            standing--;
            continue;
        }
        int32_t way = ways[test_below(random, (uint32_t)count)];
        int32_t i = x + (way == 0) - (way == 1), j = y + (way == 2) - (way == 3);
        good = set(map, x + i, y + j, 1, 1, true) && set(map, 2 * i, 2 * j, 1, 1, true);
        stack[standing++] = j * across + i;
    }
    free(stack);
    return good;
}

static bool carve_comb(wend_map *map, test_random *random) {
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    bool good = set(map, 0, 0, width, height, true), both = test_below(random, 2);
    for (int32_t x = 1; height > 1 && x < width - 1; x += 2)
        good = good && set(map, x, both && x % 4 == 3 ? 1 : 0, 1, height - 1, false);
    return good;
}

static bool carve_spiral(wend_map *map) {
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    bool good = true;
    for (int32_t ring = 0; good && 2 * ring * 2 < width && 2 * ring * 2 < height; ring++) {
        int32_t a = 2 * ring, right = width - 1 - a, bottom = height - 1 - a;
        if (right < a || bottom < a) break;
        good = set(map, a, a, right - a + 1, 1, true) && set(map, right, a, 1, bottom - a + 1, true) &&
               set(map, a, bottom, right - a + 1, 1, true);
        /* The west side stops short of the start and turns in: the corridor goes on one ring further. */
        if (good && bottom - a >= 2) good = set(map, a, a + 2, 1, bottom - a - 1, true);
        if (good && bottom - a >= 4 && right - a >= 2) good = set(map, a + 1, a + 2, 1, 1, true);
    }
    return good;
}

static bool carve_rooms(wend_map *map, test_random *random) {
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    int32_t size = 3 + (int32_t)test_below(random, 5);
    bool good = set(map, 0, 0, width, height, true);
    for (int32_t x = size; x < width; x += size + 1) good = good && set(map, x, 0, 1, height, false);
    for (int32_t y = size; y < height; y += size + 1) good = good && set(map, 0, y, width, 1, false);
    for (int32_t x = size; x < width; x += size + 1)
        for (int32_t y = 0; y < height; y += size + 1) {
            int32_t room = height - y < size ? height - y : size;
            if (test_below(random, 5))
                good = good && set(map, x, y + (int32_t)test_below(random, (uint32_t)room), 1, 1, true);
        }
    for (int32_t y = size; y < height; y += size + 1)
        for (int32_t x = 0; x < width; x += size + 1) {
            int32_t room = width - x < size ? width - x : size;
            if (test_below(random, 5))
                good = good && set(map, x + (int32_t)test_below(random, (uint32_t)room), y, 1, 1, true);
        }
    return good;
}

static bool carve_diagonals(wend_map *map, test_random *random) {
    uint32_t flaws = test_below(random, 20);
    bool good = true;
    for (int32_t y = 0; y < wend_map_height(map); y++)
        for (int32_t x = 0; x < wend_map_width(map); x++) {
            bool open = (x + y) % 2 == 0;
            if (test_below(random, 100) < flaws) open = !open;
            if (open) good = good && set(map, x, y, 1, 1, true);
        }
    return good;
}

static bool carve_halves(wend_map *map, test_random *random) {
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    bool good = set(map, 0, 0, width, height, true);
    if (test_below(random, 2)) return good && set(map, width / 2, 0, 1, height, false);
    for (int32_t y = 0; y < height; y++) /* a slanted wall that corner rules let through or not */
        if (y < width) good = good && set(map, y, y, 1, 1, false);
    return good;
}

wend_map *test_map_make(test_shape shape, int32_t width, int32_t height, wend_rules rules,
                        test_random *random, const wend_allocator *allocator) {
    wend_map_options options = wend_default_map_options();
    options.rules = rules;
    if (allocator) options.allocator = *allocator;
    wend_map *map;
    if (wend_map_create(width, height, &options, &map, NULL) != WEND_OK) return NULL;
    bool good = false;
    switch (shape) {
    case TEST_SHAPE_OPEN:
        good = set(map, 0, 0, width, height, true);
        break;
    case TEST_SHAPE_BLOCKED:
        good = true;
        break;
    case TEST_SHAPE_SCATTERED:
        good = scatter(map, random);
        break;
    case TEST_SHAPE_MAZE:
        good = carve_maze(map, random);
        break;
    case TEST_SHAPE_COMB:
        good = carve_comb(map, random);
        break;
    case TEST_SHAPE_SPIRAL:
        good = carve_spiral(map);
        break;
    case TEST_SHAPE_ROOMS:
        good = carve_rooms(map, random);
        break;
    case TEST_SHAPE_DIAGONALS:
        good = carve_diagonals(map, random);
        break;
    case TEST_SHAPE_HALVES:
        good = carve_halves(map, random);
        break;
    case TEST_SHAPES:
        break;
    }
    if (good) return map;
    wend_map_destroy(map);
    return NULL;
}

wend_map *test_map_generated(wend_map_kind kind, int32_t side, wend_rules rules, uint64_t seed) {
    wend_generate_options how = wend_default_generate_options();
    wend_map *map = NULL;
    how.map.rules = rules;
    how.seed = seed;
    CHECK(wend_map_generate(kind, side, side, &how, &map, NULL) == WEND_OK);
    return map;
}

wend_map *test_map_shared(const char *name, const wend_rules *rules, wend_scenario **scenario) {
    const char *folder = test_shared();
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    wend_error error = {0};
    if (rules) options.rules = *rules;
    if (folder)
        CHECK_THAT(shared_scene_load(folder, name, &options, &map, scenario, &error) == WEND_OK, "%s: %s",
                   name, error.message);
    return map;
}

wend_map *test_map_any(uint64_t number) {
    test_random random = {number * 0x9e3779b97f4a7c15u + 1};
    int32_t width = 1 + (int32_t)test_below(&random, 40), height = 1 + (int32_t)test_below(&random, 40);
    switch (test_below(&random, 12)) {
    case 0:
        width = 1;
        break;
    case 1:
        height = 1;
        break;
    case 2:
        width = 2;
        break;
    case 3:
        height = 2;
        break;
    case 4:
        width = height = 1 + (int32_t)test_below(&random, 3);
        break;
    default:
        break;
    }
    /* Scattered maps find the most; the all-blocked one is worth few runs. */
    uint32_t draw = test_below(&random, 16);
    test_shape shape = draw < TEST_SHAPES ? (test_shape)draw : TEST_SHAPE_SCATTERED;
    return test_map_make(shape, width, height, test_rules((uint32_t)(number % TEST_RULES)), &random, NULL);
}

bool test_map_edit_any(wend_map *map, test_random *random) {
    int32_t width = wend_map_width(map), height = wend_map_height(map);
    int32_t x = (int32_t)test_below(random, (uint32_t)width),
            y = (int32_t)test_below(random, (uint32_t)height);
    int32_t w = 1, h = 1;
    if (test_below(random, 4) == 0) {
        w += (int32_t)test_below(random, (uint32_t)(width - x));
        h += (int32_t)test_below(random, (uint32_t)(height - y));
        if (w * h > 30) h = 1;
    }
    return set(map, x, y, w, h, test_below(random, 2));
}

bool test_map_change_any(wend_map *map, test_random *random) {
    uint64_t revision = wend_map_revision(map);
    bool good = true;
    while (good && wend_map_revision(map) == revision) good = test_map_edit_any(map, random);
    return good;
}

wend_cell test_open_cell(const wend_map *map, test_random *random) {
    if (!wend_map_open_cells(map)) return WEND_NO_CELL;
    for (;;) {
        wend_cell cell = test_below(random, wend_map_cells(map));
        if (wend_map_is_open_cell(map, cell)) return cell;
    }
}
