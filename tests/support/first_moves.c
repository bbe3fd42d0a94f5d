#include "support/first_moves.h"

#include "support/check.h"
#include "support/databases.h"

#include <string.h>
#include <wend/wend.h>

bool test_is_first_move(const test_grid *grid, const wend_cost *left, wend_cell from, uint32_t move) {
    if (left[from] == WEND_NO_COST) return move == WEND_CPD_NO_WAY;
    if (!left[from]) return move == WEND_NO_DIRECTION;
    if (move >= 8) return false;
    wend_cell next = test_next(grid, from, (int)move);
    return next != WEND_NO_CELL && left[next] + test_move_cost(grid, (int)move) == left[from];
}

uint64_t test_wrong_first_moves(const wend_map *map, const wend_db *db, uint32_t sources,
                                test_random *random) {
    wend_field_options options = wend_default_field_options();
    wend_field *field = NULL;
    uint64_t wrong = 0;
    options.towards = false, options.from = true;
    if (!CHECK(wend_field_create(map, &options, &field, NULL) == WEND_OK)) return 1;
    for (uint32_t i = 0; i < sources; i++) {
        wend_cell from = sources >= wend_map_cells(map) ? i : test_open_cell(map, random);
        if (!wend_map_is_open_cell(map, from)) continue;
        CHECK(wend_field_compute(field, from, NULL) == WEND_OK);
        for (wend_cell to = 0; to < wend_map_cells(map); to++) {
            uint32_t move = wend_cpd_move(db, from, to);
            if (to == from || wend_field_cost(field, to) == WEND_NO_COST)
                wrong += move != (to == from ? WEND_NO_DIRECTION : WEND_CPD_NO_WAY);
            else
                wrong += move >= 8 || !(wend_field_from(field, to) >> move & 1);
        }
    }
    wend_field_destroy(field);
    return wrong;
}

wend_map *test_map_of_rows(const char *const *rows, int32_t height) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    if (!CHECK(wend_map_create((int64_t)strlen(rows[0]), height, &options, &map, NULL) == WEND_OK))
        return NULL;
    for (int32_t y = 0; y < height; y++) CHECK(wend_map_set_row(map, y, rows[y], NULL) == WEND_OK);
    return map;
}

void test_smallest_maps(const char *form, uint32_t (*components_of)(const wend_db *db)) {
    static const struct {
        const char *rows[3];
        int32_t height;
        uint32_t components;
    } cases[] = {{{"."}, 1, 1},
                 {{"@"}, 1, 0},
                 {{"@@@", "@@@"}, 2, 0},
                 {{"@@@", "@.@", "@@@"}, 3, 1},
                 {{".@.@.@."}, 1, 4},
                 {{"..", ".."}, 2, 1},
                 {{".", ".", "."}, 3, 1},
                 {{".@", "@."}, 2, 2},
                 {{"...", "...", "..."}, 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wend_map *map = test_map_of_rows(cases[i].rows, cases[i].height);
        test_random random = {i};
        wend_db *db = map ? test_db_build(map, form, 1) : NULL;
        if (CHECK_THAT(db, "%s on map %zu", form, i)) {
            CHECK_THAT(components_of(db) == cases[i].components, "%s on map %zu", form, i);
            CHECK_THAT(!test_wrong_first_moves(map, db, wend_map_cells(map), &random), "%s on map %zu", form,
                       i);
            wend_build_options options = wend_default_build_options();
            CHECK(wend_db_verify(db, map, 0, &options, NULL) == WEND_OK);
            wend_cell at[2] = {0, 0}, goals[2] = {0, wend_map_cells(map) - 1};
            CHECK(wend_cpd_step_many(db, 2, at, goals, NULL, NULL, NULL) == WEND_OK && at[0] == 0);
            wend_fact facts[16];
            CHECK(wend_db_facts(db, facts, 16) <= 16);
        }
        wend_db_close(db);
        wend_map_destroy(map);
        test_case();
    }
}
