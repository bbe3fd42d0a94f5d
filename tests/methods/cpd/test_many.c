/* The search from many sources at once, in all its forms, against one field a source. */
#include "methods/cpd/build/many.h"
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const wend_many_form forms[] = {WEND_MANY_BEST, WEND_MANY_PLAIN, WEND_MANY_WIDE};
enum { FORMS = sizeof forms / sizeof *forms };

/* A map, its ranks, and what a search is held against. */
typedef struct rig {
    wend_map *map;
    wend_ranks ranks;
    wend_field *field; /* with the moves at the root */
    wend_many *many;
    uint64_t number, searches, wide, moves, distances;
} rig;

static bool open_rig(rig *r, wend_map *map, uint64_t number) {
    *r = (rig){.map = map, .number = number};
    if (!CHECK(map)) return false;
    wend_allocator allocator = wend_allocator_or_default(NULL);
    wend_field_options options = wend_default_field_options();
    options.towards = false, options.from = true;
    return CHECK(wend_ranks_create(map, &allocator, &r->ranks, NULL) == WEND_OK) &&
           CHECK(wend_field_create(map, &options, &r->field, NULL) == WEND_OK);
}

static void close_rig(rig *r) {
    wend_many_destroy(r->many);
    wend_field_destroy(r->field);
    if (r->ranks.cells) wend_ranks_release(&r->ranks);
    wend_map_destroy(r->map);
}

/* Any order within components. */
static void shuffle(rig *r, test_random *random) {
    wend_cell *cells = malloc(((size_t)r->ranks.count + 1) * sizeof *cells);
    memcpy(cells, r->ranks.cells, r->ranks.count * sizeof *cells);
    for (uint32_t c = 0; c < r->ranks.components; c++)
        for (uint32_t i = r->ranks.firsts[c]; i < r->ranks.firsts[c + 1]; i++) {
            uint32_t j = r->ranks.firsts[c] + test_below(random, i - r->ranks.firsts[c] + 1);
            wend_cell cell = cells[i];
            cells[i] = cells[j], cells[j] = cell;
        }
    wend_ranks_reorder(&r->ranks, cells);
    free(cells);
}

static uint32_t mark_sources(const rig *r, uint32_t component, int32_t x, int32_t y, uint8_t *wanted) {
    uint32_t count = 0;
    memset(wanted, 0, WEND_PATCH_LANES);
    for (int32_t j = 0; j < WEND_BLOCK_HEIGHT; j++)
        for (int32_t i = 0; i < WEND_BLOCK_WIDTH; i++) {
            if (!wend_map_is_open(r->map, x + i, y + j)) continue;
            uint32_t rank = r->ranks.rank[wend_map_cell(r->map, x + i, y + j)];
            if (rank < r->ranks.firsts[component] || rank >= r->ranks.firsts[component + 1]) continue;
            wanted[(j + 1) * WEND_PATCH_WIDTH + i + 1] = 1;
            count++;
        }
    return count;
}

static void check_lane(rig *r, uint32_t component, int32_t x, int32_t y, uint32_t lane) {
    wend_cell source = wend_map_cell(r->map, x + (int32_t)(lane % WEND_PATCH_WIDTH) - 1,
                                     y + (int32_t)(lane / WEND_PATCH_WIDTH) - 1);
    const wend_many_cell *cells = wend_many_cells(r->many);
    const uint32_t place = wend_many_place(r->many, lane);
    const uint64_t one = wend_map_move_cost(r->map, 0);
    uint32_t wrong = 0, far = 0, straight, first = r->ranks.firsts[component],
             count = r->ranks.firsts[component + 1] - first;
    if (!CHECK(wend_field_compute(r->field, source, NULL) == WEND_OK)) return;
    CHECK(wend_field_reached(r->field) == count);
    for (uint32_t i = 0; i < count; i++) {
        wend_cell target = r->ranks.cells[first + i];
        wrong += wend_many_moves(r->many, cells[i].pattern)[place] != wend_field_from(r->field, target);
        r->moves++;
        uint64_t distance = wend_many_distance(r->many, lane, i, &straight);
        /* In narrow lanes sqrt 2 is another fraction: those distances can't be compared. */
        if (one % straight) continue;
        far += distance * (one / straight) != wend_field_cost(r->field, target);
        r->distances++;
    }
    CHECK_THAT(!far, "map %llu: from cell %u %u distances of %u are wrong", (unsigned long long)r->number,
               source, far, count);
    CHECK_THAT(!wrong, "map %llu: from cell %u %u sets of %u are wrong", (unsigned long long)r->number,
               source, wrong, count);
}

/* At once, or in slices of any length: both find the same. */
static bool search(rig *r, uint32_t component, int32_t x, int32_t y, uint8_t *wanted, test_random *random) {
    if (test_below(random, 2)) return CHECK(wend_many_search(r->many, component, x, y, wanted) == WEND_OK);
    bool done = false;
    uint64_t given = 0, all = 0, spent;
    wend_many_begin(r->many, component, x, y, wanted);
    for (uint32_t most = test_below(random, 3) ? 300 : 20000; !done;) {
        uint64_t slice = test_below(random, most);
        if (!CHECK(wend_many_go(r->many, slice, &spent, &done) == WEND_OK)) return false;
        given += slice, all += spent;
        if (!CHECK(all <= given + WEND_MANY_OVER * 2 + r->ranks.count / 4)) return false;
    }
    memcpy(wanted, wend_many_left(r->many), WEND_PATCH_LANES);
    return true;
}

/* All sources of a block, or some of them where there are more than `most`. */
static void check_block(rig *r, uint32_t component, int32_t x, int32_t y, uint32_t most,
                        test_random *random) {
    uint8_t wanted[WEND_PATCH_LANES], before[WEND_PATCH_LANES];
    uint32_t count = mark_sources(r, component, x, y, wanted);
    while (count) {
        memcpy(before, wanted, sizeof before);
        if (!search(r, component, x, y, wanted, random)) return;
        r->searches++, r->wide += wend_many_was_wide(r->many);
        uint32_t left = 0, done;
        for (uint32_t i = 0; i < WEND_PATCH_LANES; i++) left += wanted[i];
        done = count - left;
        if (!CHECK(left < count)) return;
        for (uint32_t i = 0; i < WEND_PATCH_LANES; i++)
            if (before[i] && !wanted[i] && test_below(random, done) < most) check_lane(r, component, x, y, i);
        count = left;
    }
}

static void check_all_blocks(rig *r, wend_many_form form, uint32_t most, uint32_t step, test_random *random) {
    wend_allocator allocator = wend_allocator_or_default(NULL);
    wend_many_destroy(r->many);
    r->many = NULL;
    if (!CHECK(wend_many_create(&r->ranks, r->ranks.firsts[1], form, &allocator, &r->many, NULL) == WEND_OK))
        return;
    for (uint32_t c = 0; c < r->ranks.components && c < 12; c++)
        for (int32_t y = 0; y < wend_map_height(r->map); y += WEND_BLOCK_HEIGHT)
            for (int32_t x = 0; x < wend_map_width(r->map); x += WEND_BLOCK_WIDTH)
                if (step == 1 || test_below(random, step) == 0) check_block(r, c, x, y, most, random);
}

static void small_maps_of_all_rules_are_exact(void) {
    uint64_t moves = 0, distances = 0;
    for (uint64_t number = 0; number < (test_full() ? 3000 : test_some(360)); number++) {
        rig r;
        test_random random = {number};
        if (open_rig(&r, test_map_any(number), number) && r.ranks.count) {
            if (number % 2) shuffle(&r, &random);
            for (size_t i = 0; i < FORMS; i++) {
                check_all_blocks(&r, forms[i], 6, 1, &random);
                CHECK(i < 2 || r.wide);
                test_case();
            }
        }
        moves += r.moves, distances += r.distances;
        close_rig(&r);
    }
    CHECK_THAT(moves > test_some(1000000) && distances > test_some(100000), "%llu sets and %llu distances",
               (unsigned long long)moves, (unsigned long long)distances);
}

/* Corridors that wind over the whole map: a path of thousands of moves. */
static wend_map *winding_map(int32_t width, int32_t height, wend_rules rules, test_random *random) {
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, width, height, rules, random, NULL);
    for (int32_t y = 1; map && y < height; y += 2)
        CHECK(wend_map_edit(map, (wend_rect){y / 2 % 2 ? 1 : 0, y, width - 1, 1}, false, NULL) == WEND_OK);
    return map;
}

/* Paths longer than the small fraction for sqrt 2 can tell apart are searched in wide lanes; only those. */
static void long_paths_are_searched_in_wide_lanes(void) {
    static const struct {
        int32_t width, height;
        bool wide, narrow; /* whether some searches have to be */
    } cases[] = {{45, 45, false, true}, {60, 65, true, true}, {90, 90, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
            test_random random = {rules};
            rig r;
            if (open_rig(&r, winding_map(cases[i].width, cases[i].height, test_rules(rules), &random),
                         rules)) {
                bool sqrt2 =
                    test_rules(rules).connect == 8 && test_rules(rules).diagonal == WEND_DIAGONAL_SQRT2;
                shuffle(&r, &random);
                check_all_blocks(&r, WEND_MANY_BEST, 2, 2, &random);
                CHECK_THAT((r.wide > 0) == (sqrt2 && cases[i].wide), "%llu of %llu searches wide",
                           (unsigned long long)r.wide, (unsigned long long)r.searches);
                CHECK((r.wide < r.searches) == (!sqrt2 || cases[i].narrow));
            }
            close_rig(&r);
            test_case();
        }
}

static void larger_maps_are_exact(void) {
    static const wend_map_kind kinds[] = {WEND_MAP_CAVES, WEND_MAP_ROOMS, WEND_MAP_RANDOM, WEND_MAP_CITY};
    for (uint32_t i = 0; i < 12; i++) {
        wend_generate_options options = wend_default_generate_options();
        test_random random = {i};
        wend_map *map = NULL;
        rig r;
        options.seed = i, options.map.rules = test_rules(i * 5);
        CHECK(wend_map_generate(kinds[i % 4], 150, 130, &options, &map, NULL) == WEND_OK);
        if (open_rig(&r, map, i))
            for (size_t j = 0; j < FORMS; j++) check_all_blocks(&r, forms[j], 2, 25, &random);
        CHECK(r.searches > 3);
        close_rig(&r);
        test_case();
    }
}

/* Every cell has a rank, components stand together, the larger first; neighbours are where moves lead. */
static void ranks_are_an_order_of_the_cells(void) {
    for (uint64_t number = 0; number < test_some(200); number++) {
        rig r;
        if (open_rig(&r, test_map_any(number), number)) {
            wend_components *components = NULL;
            CHECK(wend_components_create(r.map, NULL, &components, NULL) == WEND_OK);
            CHECK(r.ranks.count == wend_map_open_cells(r.map));
            CHECK(r.ranks.components == wend_components_count(components));
            CHECK(r.ranks.firsts[r.ranks.components] == r.ranks.count);
            for (uint32_t c = 0; c < r.ranks.components; c++) {
                uint32_t size = r.ranks.firsts[c + 1] - r.ranks.firsts[c];
                CHECK(!c || size <= r.ranks.firsts[c] - r.ranks.firsts[c - 1]);
                for (uint32_t i = r.ranks.firsts[c]; i < r.ranks.firsts[c + 1]; i++) {
                    wend_cell cell = r.ranks.cells[i];
                    CHECK(r.ranks.rank[cell] == i && r.ranks.legal[i] == wend_map_moves(r.map, cell));
                    CHECK(wend_components_size(components, wend_components_label(components, cell)) == size);
                    CHECK(wend_components_joined(components, cell, r.ranks.cells[r.ranks.firsts[c]]));
                    for (uint32_t k = 0; k < 8; k++)
                        if (r.ranks.legal[i] >> k & 1)
                            CHECK(r.ranks.cells[r.ranks.near[i * 8 + k]] ==
                                  wend_map_next(r.map, cell, (wend_direction)k));
                }
            }
            wend_components_destroy(components);
        }
        close_rig(&r);
        test_case();
    }
}

static void refused_memory_is_reported(void) {
    test_random random = {5};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 40, 40, wend_default_rules(), &random, NULL);
    for (uint64_t at = 1, refused = 1; refused && at < 60; at++) {
        test_memory memory = {.refuse_at = at};
        wend_allocator allocator = test_allocator(&memory);
        wend_ranks ranks;
        wend_many *many = NULL;
        uint8_t wanted[WEND_PATCH_LANES] = {0};
        wend_status status = wend_ranks_create(map, &allocator, &ranks, NULL);
        if (status == WEND_OK) {
            uint32_t lane = 0;
            wend_xy at_cell = wend_map_xy(map, ranks.cells[0]);
            int32_t x = at_cell.x / WEND_BLOCK_WIDTH * WEND_BLOCK_WIDTH,
                    y = at_cell.y / WEND_BLOCK_HEIGHT * WEND_BLOCK_HEIGHT;
            lane = (uint32_t)((at_cell.y - y + 1) * WEND_PATCH_WIDTH + at_cell.x - x + 1);
            status = wend_many_create(&ranks, ranks.firsts[1], WEND_MANY_BEST, &allocator, &many, NULL);
            wanted[lane] = 1;
            if (status == WEND_OK) status = wend_many_search(many, 0, x, y, wanted);
            CHECK(status != WEND_OK || !wanted[lane]);
            wend_many_destroy(many);
            wend_ranks_release(&ranks);
        }
        refused = memory.requests >= at;
        CHECK(status == (refused ? WEND_STATUS_NO_MEMORY : WEND_OK));
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    wend_map_destroy(map);
}

static const test tests[] = {
    {"small maps of all rules are exact", small_maps_of_all_rules_are_exact},
    {"long paths are searched in wide lanes", long_paths_are_searched_in_wide_lanes},
    {"larger maps are exact", larger_maps_are_exact},
    {"ranks are an order of the cells", ranks_are_an_order_of_the_cells},
    {"refused memory is reported", refused_memory_is_reported},
};

TEST_MAIN(tests)
