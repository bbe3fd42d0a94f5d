#include "support/check.h"

#include <string.h>
#include <wend/wend.h>

/* Every cell of a map of every small size, edited at random, against a plain array of the same cells. */
static void edits_match_an_array(void) {
    uint64_t seed = 12345;
    for (int32_t width = 1; width <= 130; width += width < 5 ? 1 : 31) {
        for (int32_t height = 1; height <= 9; height += 4) {
            wend_map_options options = wend_default_map_options();
            options.keep_letters = true;
            wend_map *map;
            if (!CHECK(wend_map_create(width, height, &options, &map, NULL) == WEND_OK)) return;
            bool cells[9 * 130] = {false};
            uint64_t revision = 0;
            for (int edit = 0; edit < 50; edit++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                int32_t x = (int32_t)((seed >> 33) % (uint32_t)width),
                        y = (int32_t)((seed >> 40) % (uint32_t)height);
                int32_t w = 1 + (int32_t)((seed >> 21) % (uint32_t)(width - x)),
                        h = 1 + (int32_t)((seed >> 50) % (uint32_t)(height - y));
                bool open = seed >> 63;
                CHECK(wend_map_edit(map, (wend_rect){x, y, w, h}, open, NULL) == WEND_OK);
                for (int32_t j = y; j < y + h; j++)
                    for (int32_t i = x; i < x + w; i++) {
                        int32_t cell = j * width + i;
                        if (cells[cell] == open) continue;
                        cells[cell] = open;
                        wend_change change = wend_map_change_at(map, ++revision);
                        CHECK(change.cell == (wend_cell)cell && change.open == open);
                    }
                uint32_t count = 0;
                for (int32_t j = 0; j < height; j++)
                    for (int32_t i = 0; i < width; i++) {
                        bool expected = cells[j * width + i];
                        count += expected;
                        CHECK(wend_map_is_open(map, i, j) == expected);
                        CHECK(wend_map_letter(map, i, j) == (expected ? '.' : '@'));
                        wend_cell cell = wend_map_cell(map, i, j);
                        wend_xy back = wend_map_xy(map, cell);
                        CHECK(back.x == i && back.y == j);
                    }
                CHECK(wend_map_open_cells(map) == count);
                CHECK(wend_map_revision(map) == revision);
                test_case();
            }
            wend_map_destroy(map);
        }
    }
}

/* The moves of every cell of every 3x3 map under every rule, against the rules written out as a sentence. */
static void moves_follow_the_rules(void) {
    static const int dx[8] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    for (int connect = 4; connect <= 8; connect += 4)
        for (int corners = 0; corners <= 2; corners++)
            for (int shape = 0; shape < 512; shape++) {
                wend_map_options options = wend_default_map_options();
                options.rules.connect = connect, options.rules.corners = (wend_corners)corners;
                wend_map *map;
                if (!CHECK(wend_map_create(3, 3, &options, &map, NULL) == WEND_OK)) return;
                for (int i = 0; i < 9; i++)
                    if (shape >> i & 1) wend_map_edit(map, (wend_rect){i % 3, i / 3, 1, 1}, true, NULL);
                for (int y = 0; y < 3; y++)
                    for (int x = 0; x < 3; x++)
                        for (int d = 0; d < 8; d++) {
                            CHECK(wend_direction_dx((wend_direction)d) == dx[d]);
                            CHECK(wend_direction_dy((wend_direction)d) == dy[d]);
                            bool legal =
                                wend_map_is_open(map, x, y) && wend_map_is_open(map, x + dx[d], y + dy[d]);
                            if (d & 1) {
                                int beside =
                                    wend_map_is_open(map, x + dx[d], y) + wend_map_is_open(map, x, y + dy[d]);
                                legal = legal && connect == 8 && beside >= corners;
                            }
                            wend_cell cell = wend_map_cell(map, x, y);
                            CHECK((wend_map_moves(map, cell) >> d & 1) == legal);
                            CHECK(wend_map_next(map, cell, (wend_direction)d) ==
                                  (legal ? wend_map_cell(map, x + dx[d], y + dy[d]) : WEND_NO_CELL));
                        }
                wend_map_destroy(map);
                test_case();
            }
}

static void cells_and_coordinates_agree_on_any_width(void) {
    static const int32_t widths[] = {1, 2, 3, 63, 64, 65, 1000, 16383, 32767, 32768};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        wend_map_options options = wend_default_map_options();
        wend_map *map;
        if (!CHECK(wend_map_create(widths[i], WEND_MAX_SIDE, &options, &map, NULL) == WEND_OK)) return;
        for (int32_t y = 0; y < WEND_MAX_SIDE; y += y < 100 || y > WEND_MAX_SIDE - 100 ? 1 : 97)
            for (int side = 0; side < 2; side++) {
                int32_t x = side ? widths[i] - 1 : 0;
                wend_xy back = wend_map_xy(map, wend_map_cell(map, x, y));
                CHECK(back.x == x && back.y == y);
            }
        test_case();
        wend_map_destroy(map);
    }
}

static void bad_calls_are_refused(void) {
    wend_map_options options = wend_default_map_options();
    wend_map *map;
    wend_error error;
    CHECK(wend_map_create(0, 5, &options, &map, &error) == WEND_STATUS_HEADER_VALUE && !map);
    CHECK(wend_map_create(5, -1, &options, &map, &error) == WEND_STATUS_HEADER_VALUE);
    CHECK(wend_map_create(WEND_MAX_SIDE + 1, 1, &options, &map, &error) == WEND_STATUS_TOO_LARGE);
    CHECK(wend_map_create(INT64_MAX, INT64_MAX, &options, &map, &error) == WEND_STATUS_TOO_LARGE);
    wend_map_options raw;
    memset(&raw, 0, sizeof raw);
    CHECK(wend_map_create(5, 5, &raw, &map, &error) == WEND_STATUS_BAD_ARGUMENT);
    options.rules.connect = 6;
    CHECK(wend_map_create(5, 5, &options, &map, &error) == WEND_STATUS_BAD_ARGUMENT &&
          strstr(error.message, "connect"));
    options = wend_default_map_options();
    options.terrain = "";
    CHECK(wend_map_create(5, 5, &options, &map, &error) == WEND_STATUS_BAD_ARGUMENT);
    options = wend_default_map_options();
    options.blocked = NULL;
    CHECK(wend_map_create(5, 5, &options, &map, &error) == WEND_STATUS_BAD_ARGUMENT);
    options.blocked = "x\n";
    CHECK(wend_map_create(5, 5, &options, &map, &error) == WEND_STATUS_BAD_ARGUMENT);
    options = wend_default_map_options();
    if (!CHECK(wend_map_create(5, 4, &options, &map, &error) == WEND_OK)) return;
    static const wend_rect outside[] = {
        {-1, 0, 1, 1}, {0, -1, 1, 1}, {5, 0, 1, 1}, {0, 4, 1, 1},         {0, 0, 6, 1},        {0, 0, 1, 5},
        {0, 0, 0, 1},  {0, 0, 1, 0},  {2, 2, 4, 1}, {4, 3, INT32_MAX, 1}, {4, 3, 1, INT32_MAX}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        CHECK(wend_map_edit(map, outside[i], true, &error) == WEND_STATUS_OUTSIDE);
    CHECK(wend_map_revision(map) == 0 && wend_map_open_cells(map) == 0);
    CHECK(!wend_map_is_open(map, -1, 0) && !wend_map_is_open(map, 0, 4) && !wend_map_is_open_cell(map, 20));
    CHECK(wend_map_moves(map, WEND_NO_CELL) == 0 && wend_map_next(map, 0, 9) == WEND_NO_CELL);
    wend_map_destroy(map);
    wend_map_destroy(NULL);
}

/* Each thing that a database depends on changes the fingerprint; letters do not. */
static void fingerprints_tell_maps_apart(void) {
    uint64_t seen[16];
    size_t count = 0;
    for (int variant = 0; variant < 7; variant++) {
        wend_map_options options = wend_default_map_options();
        if (variant == 1) options.rules.connect = 4;
        if (variant == 2) options.rules.corners = WEND_CORNERS_ONE;
        if (variant == 3) options.rules.diagonal = WEND_DIAGONAL_1_4;
        wend_map *map;
        if (!CHECK(wend_map_create(variant == 4 ? 8 : 9, variant == 4 ? 9 : 8, &options, &map, NULL) ==
                   WEND_OK))
            return;
        if (variant == 5) wend_map_edit(map, (wend_rect){3, 3, 1, 1}, true, NULL);
        if (variant == 6) wend_map_edit(map, (wend_rect){4, 3, 1, 1}, true, NULL);
        seen[count++] = wend_map_fingerprint(map);
        for (size_t i = 0; i + 1 < count; i++) CHECK(seen[i] != seen[count - 1]);
        if (variant == 6) {
            wend_map_edit(map, (wend_rect){4, 3, 1, 1}, false, NULL);
            CHECK(wend_map_fingerprint(map) == seen[0]);
        }
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(seen[0] == 0xa29c3c65d33f390eu, "the fingerprint of the empty 9x8 map is %016llx",
               (unsigned long long)seen[0]);
}

static const test tests[] = {
    {"edits match an array", edits_match_an_array},
    {"moves follow the rules", moves_follow_the_rules},
    {"cells and coordinates agree on any width", cells_and_coordinates_agree_on_any_width},
    {"bad calls are refused", bad_calls_are_refused},
    {"fingerprints tell maps apart", fingerprints_tell_maps_apart},
};
TEST_MAIN(tests)
