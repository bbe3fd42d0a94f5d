#include "support/check.h"
#include "support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static wend_map *made(wend_map_kind kind, int64_t width, int64_t height,
                      const wend_generate_options *options) {
    wend_map *map = NULL;
    wend_error error = {.message = ""};
    wend_status status = wend_map_generate(kind, width, height, options, &map, &error);
    if (!CHECK_THAT(status == WEND_OK, "%s %lld x %lld: %s", wend_map_kind_name(kind), (long long)width,
                    (long long)height, error.message))
        exit(1);
    return map;
}

static uint32_t count_components(const wend_map *map) {
    wend_components *components;
    if (!CHECK(wend_components_create(map, NULL, &components, NULL) == WEND_OK)) exit(1);
    uint32_t count = wend_components_count(components);
    wend_components_destroy(components);
    return count;
}

static bool same_cells(const wend_map *a, const wend_map *b) {
    if (wend_map_width(a) != wend_map_width(b) || wend_map_height(a) != wend_map_height(b)) return false;
    for (int32_t y = 0; y < wend_map_height(a); y++)
        for (int32_t x = 0; x < wend_map_width(a); x++)
            if (wend_map_is_open(a, x, y) != wend_map_is_open(b, x, y)) return false;
    return true;
}

/* Open cells as counted one by one, and letters that say the same. */
static void check_consistent(const wend_map *map) {
    uint32_t open = 0;
    for (int32_t y = 0; y < wend_map_height(map); y++)
        for (int32_t x = 0; x < wend_map_width(map); x++) {
            char letter = wend_map_letter(map, x, y);
            bool is_open = wend_map_is_open(map, x, y);
            open += is_open;
            if (!CHECK_THAT(is_open ? letter == '.' : letter == '@' || letter == 'T', "%d,%d is %s but %c", x,
                            y, is_open ? "open" : "blocked", letter))
                return;
        }
    CHECK(wend_map_open_cells(map) == open);
}

/* The number of loops around walls: components + squares of four open cells - edges + cells, by Euler. */
static int64_t count_loops(const wend_map *map) {
    int64_t euler = 0;
    for (int32_t y = 0; y < wend_map_height(map); y++)
        for (int32_t x = 0; x < wend_map_width(map); x++) {
            if (!wend_map_is_open(map, x, y)) continue;
            bool east = wend_map_is_open(map, x + 1, y), south = wend_map_is_open(map, x, y + 1);
            euler += 1 - east - south + (east && south && wend_map_is_open(map, x + 1, y + 1));
        }
    return (int64_t)count_components(map) - euler;
}

static void every_kind_works_at_every_size(void) {
    static const int64_t sides[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 17, 31, 62, 63, 64, 65, 100, 129, 190};
    enum { SIDES = sizeof sides / sizeof *sides };
    for (int kind = 0; kind < WEND_MAP_KINDS; kind++)
        for (int i = 0; i < SIDES; i++)
            for (int j = 0; j < SIDES; j++) {
                wend_generate_options options = wend_default_generate_options();
                options.seed = 1 + (uint64_t)i * SIDES + (uint64_t)j;
                options.map.keep_letters = (i + j) & 1;
                options.map.rules.connect = 4;
                wend_map *map = made((wend_map_kind)kind, sides[i], sides[j], &options);
                CHECK(wend_map_width(map) == sides[i] && wend_map_height(map) == sides[j]);
                CHECK(wend_map_revision(map) == 0);
                CHECK(wend_map_open_cells(map) > 0);
                check_consistent(map);
                if (kind != WEND_MAP_RANDOM)
                    CHECK_THAT(count_components(map) == 1, "%s %d x %d seed %d: %u components",
                               wend_map_kind_name((wend_map_kind)kind), (int)sides[i], (int)sides[j],
                               (int)options.seed, count_components(map));
                wend_map_destroy(map);
                test_case();
            }
}

static void every_setting_gives_one_component(void) {
    static const int32_t sizes[] = {1, 2, 3, 5, 8, 13, 40, 100, 32768};
    static const int32_t densities[] = {0, 1, 20, 45, 60, 80, 100};
    for (int kind = WEND_MAP_ROOMS; kind < WEND_MAP_KINDS; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (uint64_t seed = 0; seed < 8; seed++) {
                wend_generate_options options = wend_default_generate_options();
                options.seed = seed, options.size = sizes[i], options.map.rules.connect = 4;
                options.density = densities[(seed + i) % (sizeof densities / sizeof *densities)];
                wend_map *map =
                    made((wend_map_kind)kind, 93 + (int64_t)seed, 120 - 7 * (int64_t)seed, &options);
                CHECK_THAT(count_components(map) == 1, "%s size %d density %d seed %d",
                           wend_map_kind_name((wend_map_kind)kind), (int)sizes[i], (int)options.density,
                           (int)seed);
                wend_map_destroy(map);
                test_case();
            }
}

static void cells_depend_on_the_seed_and_not_on_the_rules(void) {
    for (int kind = 0; kind < WEND_MAP_KINDS; kind++) {
        wend_generate_options options = wend_default_generate_options();
        wend_map *first = made((wend_map_kind)kind, 130, 90, &options);
        wend_map *again = made((wend_map_kind)kind, 130, 90, &options);
        CHECK(wend_map_fingerprint(first) == wend_map_fingerprint(again));
        options.map.rules = (wend_rules){8, WEND_CORNERS_ANY, WEND_DIAGONAL_1_4};
        options.map.keep_letters = true;
        wend_map *other_rules = made((wend_map_kind)kind, 130, 90, &options);
        CHECK(same_cells(first, other_rules));
        CHECK(wend_map_fingerprint(first) != wend_map_fingerprint(other_rules));
        for (uint64_t seed = 2; seed < 30; seed++) {
            options.seed = seed;
            wend_map *other = made((wend_map_kind)kind, 130, 90, &options);
            CHECK(same_cells(first, other) == (kind == WEND_MAP_OPEN));
            wend_map_destroy(other);
        }
        wend_map_destroy(first);
        wend_map_destroy(again);
        wend_map_destroy(other_rules);
        test_case();
    }
}

/* Generated maps stand in scenarios and papers by seed: a change of a generator must not pass unnoticed. */
static void known_seeds_give_known_maps(void) {
    static const struct {
        wend_map_kind kind;
        uint64_t seed;
        int32_t size, density;
        uint64_t fingerprint;
    } known[] = {
        {WEND_MAP_OPEN, 1, 0, -1, 0x981129a2eeaac5d4},    {WEND_MAP_RANDOM, 1, 0, -1, 0x4fe88b5cd1a882c3},
        {WEND_MAP_RANDOM, 2, 0, 40, 0x797beba373b0018e},  {WEND_MAP_ROOMS, 1, 0, -1, 0xcc3c09a60efecbc6},
        {WEND_MAP_ROOMS, 2, 7, -1, 0x3ff266c17bacaa09},   {WEND_MAP_MAZE, 1, 0, -1, 0xb31dc6291c0a781b},
        {WEND_MAP_MAZE, 2, 1, -1, 0x5c40aefc24be52c7},    {WEND_MAP_CAVES, 1, 0, -1, 0xeaa86c525d66520f},
        {WEND_MAP_CAVES, 2, 40, 45, 0x7946fee612f6e092},  {WEND_MAP_CITY, 1, 0, -1, 0x9f3a399da0200532},
        {WEND_MAP_CITY, 2, 12, -1, 0xbf9dbfe4c06f7279},   {WEND_MAP_SHAPES, 1, 0, -1, 0x11bf7e1ccf7fc86b},
        {WEND_MAP_SHAPES, 2, 40, -1, 0xdff6f9f83f66d084}, {WEND_MAP_JOINED, 1, 0, -1, 0x89b0e255dbd94512},
        {WEND_MAP_JOINED, 2, 50, -1, 0x08834266435c645c},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        wend_generate_options options = wend_default_generate_options();
        options.seed = known[i].seed, options.size = known[i].size, options.density = known[i].density;
        wend_map *map = made(known[i].kind, 200, 150, &options);
        CHECK_THAT(wend_map_fingerprint(map) == known[i].fingerprint, "%s seed %d: 0x%016llx",
                   wend_map_kind_name(known[i].kind), (int)known[i].seed,
                   (unsigned long long)wend_map_fingerprint(map));
        wend_map_destroy(map);
        test_case();
    }
}

static void random_maps_have_their_density(void) {
    for (int32_t density = 0; density <= 100; density += 5) {
        wend_generate_options options = wend_default_generate_options();
        options.density = density, options.seed = (uint64_t)density;
        wend_map *map = made(WEND_MAP_RANDOM, 400, 300, &options);
        double cells = 400 * 300, share = (100 - density) / 100.0;
        double off = fabs(wend_map_open_cells(map) - cells * share);
        CHECK_THAT(off <= 5 * sqrt(cells * share * (1 - share)), "density %d: off by %g", density, off);
        wend_map_destroy(map);
        test_case();
    }
    wend_generate_options options = wend_default_generate_options();
    options.density = 99; /* a small map would mostly be all blocked */
    for (options.seed = 0; options.seed < 50; options.seed++) {
        wend_map *map = made(WEND_MAP_RANDOM, 2, 2, &options);
        CHECK(wend_map_open_cells(map) >= 1);
        wend_map_destroy(map);
    }
}

static void more_rock_leaves_less_cave(void) {
    uint32_t before = UINT32_MAX;
    for (int32_t density = 20; density <= 70; density += 10) {
        wend_generate_options options = wend_default_generate_options();
        options.density = density;
        wend_map *map = made(WEND_MAP_CAVES, 256, 256, &options);
        CHECK(wend_map_open_cells(map) < before);
        before = wend_map_open_cells(map);
        wend_map_destroy(map);
    }
}

static void mazes_are_perfect(void) {
    for (int32_t width = 1; width <= 9; width++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            wend_generate_options options = wend_default_generate_options();
            options.size = width, options.seed = seed;
            int64_t across = 40 + (int64_t)seed * 5, down = 77 - (int64_t)seed * 6;
            wend_map *map = made(WEND_MAP_MAZE, across, down, &options);
            CHECK(count_components(map) == 1);
            CHECK_THAT(count_loops(map) == 0, "corridors of %d, seed %d: %lld loops", width, (int)seed,
                       (long long)count_loops(map));
            /* Every corridor cell is as wide as asked: the open area is nodes * width^2 + links * width. */
            int64_t nodes = (across + 1) / (width + 1) * ((down + 1) / (width + 1));
            CHECK(wend_map_open_cells(map) == nodes * width * width + (nodes - 1) * width);
            wend_map_destroy(map);
            test_case();
        }
}

/* Rooms have loops (extra doors), and their interiors are open: walls lie on straight lines. */
static void rooms_have_straight_walls_and_extra_doors(void) {
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = made(WEND_MAP_ROOMS, 16 * 17 - 1, 10 * 17 - 1, &options);
    for (int32_t y = 0; y < wend_map_height(map); y++)
        for (int32_t x = 0; x < wend_map_width(map); x++)
            if (x % 17 != 16 && y % 17 != 16) CHECK(wend_map_is_open(map, x, y));
    int64_t walls = 15 * 10 + 16 * 9, doors = 16 * 10 - 1 + count_loops(map);
    CHECK_THAT(doors > walls * 2 / 3 && doors < walls, "%lld doors in %lld walls", (long long)doors,
               (long long)walls);
    wend_map_destroy(map);
}

/* Walls that are slanted: where the edge of the open cells of a row moves to the row below, it moves by every
 * number of cells up to five now and then. It does so not just to and fro, but by the same again. */
static void shapes_have_slanted_walls(void) {
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = made(WEND_MAP_SHAPES, 1000, 700, &options);
    uint32_t moved[6] = {0}, again = 0, edges = 0;
    for (int32_t y = 0; y + 2 < 700; y++)
        for (int32_t x = 6; x < 994; x++) {
            if (wend_map_is_open(map, x - 1, y) || !wend_map_is_open(map, x, y)) continue;
            for (int32_t by = -5; by <= 5; by++) {
                if (wend_map_is_open(map, x + by - 1, y + 1) || !wend_map_is_open(map, x + by, y + 1))
                    continue;
                moved[by < 0 ? -by : by]++, edges++;
                int32_t on = x + 2 * by;
                again += by && !wend_map_is_open(map, on - 1, y + 2) && wend_map_is_open(map, on, y + 2);
                break;
            }
        }
    for (int by = 0; by <= 5; by++)
        CHECK_THAT(moved[by] > 10, "walls that move by %d: %u of %u", by, moved[by], edges);
    CHECK_THAT(again > edges / 20, "%u of %u go on as they were", again, edges);
    wend_map_destroy(map);
}

/* The small maps are separate: between any two there are walls, pierced by corridors only. */
static void joined_maps_have_walls_between_them(void) {
    wend_generate_options options = wend_default_generate_options();
    enum { SIZE = 61, WALL = 3, COUNT = 6, SIDE = COUNT * (SIZE + WALL) - WALL };
    options.size = SIZE;
    for (options.seed = 1; options.seed < 9; options.seed++) {
        wend_map *map = made(WEND_MAP_JOINED, SIDE, SIDE, &options);
        uint32_t open = 0, doors = 0;
        for (int32_t i = 1; i < COUNT; i++)
            for (int32_t y = 0; y < SIDE; y++) {
                bool here = wend_map_is_open(map, i * (SIZE + WALL) - 1, y);
                open += here;
                doors += here && !wend_map_is_open(map, i * (SIZE + WALL) - 1, y - 1);
            }
        CHECK_THAT(doors >= COUNT - 1 && open < (COUNT - 1) * SIDE / 4, "seed %d: %u doors, %u open",
                   (int)options.seed, doors, open);
        wend_map_destroy(map);
        test_case();
    }
}

static void bad_settings_are_refused(void) {
    wend_map *map;
    wend_error error;
    wend_generate_options good = wend_default_generate_options(), bad = good;
    CHECK(wend_map_generate(WEND_MAP_KINDS, 9, 9, &good, &map, &error) == WEND_STATUS_BAD_ARGUMENT && !map);
    CHECK(error.message[0]);
    CHECK(wend_map_generate((wend_map_kind)-1, 9, 9, &good, &map, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_generate(WEND_MAP_OPEN, 9, 9, &good, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    bad.struct_size = 0;
    CHECK(wend_map_generate(WEND_MAP_OPEN, 9, 9, &bad, &map, NULL) == WEND_STATUS_BAD_ARGUMENT);
    bad = good, bad.map.struct_size = 0;
    CHECK(wend_map_generate(WEND_MAP_OPEN, 9, 9, &bad, &map, NULL) == WEND_STATUS_BAD_ARGUMENT);
    bad = good, bad.density = 101;
    CHECK(wend_map_generate(WEND_MAP_RANDOM, 9, 9, &bad, &map, &error) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(strstr(error.message, "101"));
    bad = good, bad.size = -1;
    CHECK(wend_map_generate(WEND_MAP_MAZE, 9, 9, &bad, &map, NULL) == WEND_STATUS_BAD_ARGUMENT);
    bad = good, bad.size = WEND_MAX_SIDE + 1;
    CHECK(wend_map_generate(WEND_MAP_MAZE, 9, 9, &bad, &map, NULL) == WEND_STATUS_BAD_ARGUMENT);
    for (int kind = 0; kind < WEND_MAP_KINDS; kind++) {
        CHECK(wend_map_generate((wend_map_kind)kind, 0, 9, &good, &map, NULL) != WEND_OK && !map);
        CHECK(wend_map_generate((wend_map_kind)kind, 9, -3, &good, &map, NULL) != WEND_OK && !map);
        CHECK(wend_map_generate((wend_map_kind)kind, WEND_MAX_SIDE + 1, 9, &good, &map, NULL) ==
              WEND_STATUS_TOO_LARGE);
        CHECK(strlen(wend_map_kind_name((wend_map_kind)kind)) >= 4);
    }
    CHECK(wend_map_kind_name(WEND_MAP_KINDS) != NULL);
}

/* Terrain in which '.' is blocked and 'T' open: letters must still say what the cells are. */
static void letters_follow_the_terrain(void) {
    for (int kind = 0; kind < WEND_MAP_KINDS; kind++) {
        wend_generate_options options = wend_default_generate_options();
        options.map.terrain = "GT", options.map.keep_letters = true;
        wend_map *map = made((wend_map_kind)kind, 80, 80, &options), *copy;
        options.map.keep_letters = true;
        CHECK(wend_map_create(80, 80, &options.map, &copy, NULL) == WEND_OK);
        for (int32_t y = 0; y < 80; y++) {
            char row[80];
            for (int32_t x = 0; x < 80; x++) row[x] = wend_map_letter(map, x, y);
            CHECK(wend_map_set_row(copy, y, row, NULL) == WEND_OK);
        }
        CHECK(same_cells(map, copy));
        wend_map_destroy(map);
        wend_map_destroy(copy);
        test_case();
    }
}

static void scaling_repeats_every_cell(void) {
    static const int32_t widths[] = {1, 2, 21, 31, 62, 63, 64, 65};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int32_t factor = 1; factor <= 7; factor++) {
            wend_generate_options options = wend_default_generate_options();
            options.density = 40, options.map.keep_letters = factor & 1;
            wend_map_kind kind = factor == 3 ? WEND_MAP_CITY : WEND_MAP_RANDOM;
            wend_map *map = made(kind, widths[i], 37, &options), *scaled;
            if (!CHECK(wend_map_scale(map, factor, &scaled, NULL) == WEND_OK)) return;
            CHECK(wend_map_width(scaled) == widths[i] * factor && wend_map_height(scaled) == 37 * factor);
            for (int32_t y = 0; y < 37 * factor; y++)
                for (int32_t x = 0; x < widths[i] * factor; x++) {
                    CHECK(wend_map_is_open(scaled, x, y) == wend_map_is_open(map, x / factor, y / factor));
                    CHECK(wend_map_letter(scaled, x, y) == wend_map_letter(map, x / factor, y / factor));
                }
            CHECK(wend_map_open_cells(scaled) == wend_map_open_cells(map) * (uint32_t)(factor * factor));
            if (factor == 1) CHECK(wend_map_fingerprint(scaled) == wend_map_fingerprint(map));
            wend_map_destroy(scaled);
            wend_map_destroy(map);
            test_case();
        }
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = made(WEND_MAP_OPEN, 100, 4, &options), *scaled;
    wend_error error;
    CHECK(wend_map_scale(map, 0, &scaled, &error) == WEND_STATUS_BAD_ARGUMENT && !scaled && error.message[0]);
    CHECK(wend_map_scale(map, -2, &scaled, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_scale(map, 328, &scaled, &error) == WEND_STATUS_TOO_LARGE && !scaled);
    CHECK(wend_map_scale(map, INT32_MAX, &scaled, NULL) == WEND_STATUS_TOO_LARGE);
    CHECK(wend_map_scale(NULL, 2, &scaled, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_scale(map, 2, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_map_destroy(map);
}

/* Exactly the share, only open cells, and with the same seed each share within the next larger one. */
static void blocking_is_exact_and_nested(void) {
    static const double percents[] = {0, 0.001, 0.01, 0.3, 1, 2.5, 10, 33.3, 50, 66.6, 90, 99.99, 100};
    for (uint64_t seed = 0; seed < 8; seed++) {
        wend_generate_options options = wend_default_generate_options();
        options.seed = seed + 1, options.map.keep_letters = seed & 1;
        wend_map *map = made(WEND_MAP_RANDOM, 150 + (int64_t)seed, 140, &options), *before = NULL;
        for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
            wend_map *blocked, *again;
            if (!CHECK(wend_map_block(map, percents[i], seed, &blocked, NULL) == WEND_OK)) return;
            CHECK(wend_map_block(map, percents[i], seed, &again, NULL) == WEND_OK);
            CHECK(wend_map_fingerprint(blocked) == wend_map_fingerprint(again));
            uint32_t open = 0;
            for (int32_t y = 0; y < wend_map_height(map); y++)
                for (int32_t x = 0; x < wend_map_width(map); x++) {
                    bool is_open = wend_map_is_open(blocked, x, y);
                    open += is_open;
                    CHECK(!is_open || wend_map_is_open(map, x, y));
                    if (before) CHECK(!is_open || wend_map_is_open(before, x, y));
                    CHECK(wend_map_letter(blocked, x, y) == (is_open ? '.' : '@'));
                }
            uint32_t all = wend_map_open_cells(map), wanted = (uint32_t)floor(all * percents[i] / 100);
            CHECK_THAT(open == all - wanted && wend_map_open_cells(blocked) == open, "%g%%: %u of %u",
                       percents[i], all - open, all);
            wend_map_destroy(before);
            wend_map_destroy(again);
            before = blocked;
            test_case();
        }
        wend_map_destroy(before);
        wend_map_destroy(map);
    }
}

/* Over many seeds every cell is blocked about equally often, and so is every pair of neighbours. */
static void blocking_is_even(void) {
    enum { SIDE = 12, SEEDS = 4000, PERCENT = 25 };
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = made(WEND_MAP_OPEN, SIDE, SIDE, &options);
    int single[SIDE * SIDE] = {0}, pair[SIDE * SIDE] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        wend_map *blocked;
        if (!CHECK(wend_map_block(map, PERCENT, seed, &blocked, NULL) == WEND_OK)) return;
        for (int i = 0; i < SIDE * SIDE; i++) {
            bool here = !wend_map_is_open(blocked, i % SIDE, i / SIDE);
            single[i] += here;
            pair[i] += here && i % SIDE && !wend_map_is_open(blocked, i % SIDE - 1, i / SIDE);
        }
        wend_map_destroy(blocked);
    }
    double share = PERCENT / 100.0, both = share * (SIDE * SIDE * share - 1) / (SIDE * SIDE - 1);
    for (int i = 0; i < SIDE * SIDE; i++) {
        CHECK(fabs(single[i] - SEEDS * share) < 5 * sqrt(SEEDS * share * (1 - share)));
        if (i % SIDE) CHECK(fabs(pair[i] - SEEDS * both) < 5 * sqrt(SEEDS * both * (1 - both)));
        test_case();
    }
    wend_map *blocked;
    wend_error error;
    CHECK(wend_map_block(map, -0.1, 1, &blocked, &error) == WEND_STATUS_BAD_ARGUMENT && !blocked &&
          error.message[0]);
    CHECK(wend_map_block(map, 100.1, 1, &blocked, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_block(map, NAN, 1, &blocked, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_block(NULL, 1, 1, &blocked, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_map_block(map, 1, 1, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_map_destroy(map);
}

static void refused_memory_leaks_nothing(void) {
    for (int kind = 0; kind < WEND_MAP_KINDS + 2; kind++) {
        test_memory memory = {0};
        wend_generate_options options = wend_default_generate_options();
        options.map.allocator = test_allocator(&memory);
        options.map.keep_letters = true;
        wend_map *from = NULL;
        if (kind >= WEND_MAP_KINDS) from = made(WEND_MAP_CAVES, 60, 50, &options);
        uint64_t live = memory.live_blocks, refusals = 0;
        for (wend_status status = WEND_STATUS_NO_MEMORY; status != WEND_OK; refusals++) {
            memory.refuse_at = memory.requests + refusals + 1;
            wend_error error;
            wend_map *map = NULL;
            if (kind < WEND_MAP_KINDS)
                status = wend_map_generate((wend_map_kind)kind, 90, 100, &options, &map, &error);
            else if (kind == WEND_MAP_KINDS)
                status = wend_map_scale(from, 3, &map, &error);
            else
                status = wend_map_block(from, 30, 1, &map, &error);
            if (status == WEND_OK) {
                CHECK(memory.live_bytes >= wend_map_bytes(map));
                wend_map_destroy(map);
            } else {
                CHECK(status == WEND_STATUS_NO_MEMORY && error.status == status && error.message[0] && !map);
            }
            CHECK(memory.live_blocks == live && memory.wrong_sizes == 0);
            if (!CHECK(refusals < 100)) break;
            test_case();
        }
        CHECK(refusals >= 3);
        wend_map_destroy(from);
        CHECK(memory.live_blocks == 0);
    }
}

static const test tests[] = {
    {"every kind works at every size", every_kind_works_at_every_size},
    {"every setting gives one component", every_setting_gives_one_component},
    {"cells depend on the seed and not on the rules", cells_depend_on_the_seed_and_not_on_the_rules},
    {"known seeds give known maps", known_seeds_give_known_maps},
    {"random maps have their density", random_maps_have_their_density},
    {"more rock leaves less cave", more_rock_leaves_less_cave},
    {"mazes are perfect", mazes_are_perfect},
    {"rooms have straight walls and extra doors", rooms_have_straight_walls_and_extra_doors},
    {"shapes have slanted walls", shapes_have_slanted_walls},
    {"joined maps have walls between them", joined_maps_have_walls_between_them},
    {"bad settings are refused", bad_settings_are_refused},
    {"letters follow the terrain", letters_follow_the_terrain},
    {"scaling repeats every cell", scaling_repeats_every_cell},
    {"blocking is exact and nested", blocking_is_exact_and_nested},
    {"blocking is even", blocking_is_even},
    {"refused memory leaks nothing", refused_memory_leaks_nothing},
};

TEST_MAIN(tests)
