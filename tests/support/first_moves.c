#include "support/first_moves.h"

#include "support/check.h"

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
