/* Every public call with what it must not be given: NULL, out of range, out of order. Of maps, searches,
 * trees and files.
 * tests/support/misuse.h says how an answer is judged. */
#include "support/check.h"
#include "support/misuse.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static void texts(const test_misuse *t) {
    (void)t;

    char small[2];
    GIVES(wend_error_text(&test_misuse_error, small, sizeof small), small);
    GIVES(*wend_error_text(&test_misuse_error, small, 0), 0);
    GIVES(*wend_error_text(NULL, small, sizeof small) || *wend_error_text(&test_misuse_error, NULL, 5), 0);
    for (int i = -1; i <= 100; i += 101) {
        GIVES(wend_status_text((wend_status)i) != NULL, true);
        GIVES(wend_event_name((wend_event_kind)i) != NULL, true);
        GIVES(wend_map_kind_name((wend_map_kind)i) != NULL, true);
    }
    GIVES(wend_version() != NULL && wend_version_number() == WEND_VERSION_NUMBER, true);
    GIVES(wend_fail(NULL, WEND_STATUS_FULL, "%s", "words"), WEND_STATUS_FULL);
    RETURNS((wend_error_set_file(NULL, "x"), 0));
    RETURNS((wend_error_set_file(&test_misuse_error, NULL), 0));
    GIVES(wend_planner_at(SIZE_MAX) == NULL && wend_planner_at(wend_planner_count()) == NULL, true);
    GIVES(wend_db_kind_at(SIZE_MAX) == NULL && wend_db_kind_at(wend_db_kind_count()) == NULL, true);
}

static void maps(const test_misuse *t) {
    wend_map *const map = t->map;
    wend_map *const other = t->other;

    wend_map *made = NULL;
    wend_map_options zeroed = {0}, options = wend_default_map_options();
    static const int64_t sides[] = {0, -1, INT64_MIN, WEND_MAX_SIDE + 1, INT64_MAX};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        REFUSED(wend_map_create(sides[i], 5, NULL, &made, E));
        REFUSED(wend_map_create(5, sides[i], NULL, &made, E));
        REFUSED(wend_map_generate(WEND_MAP_OPEN, sides[i], 5, NULL, &made, E));
    }
    REFUSED(wend_map_create(5, 5, NULL, NULL, E));
    REFUSED(wend_map_create(5, 5, &zeroed, &made, E));
    options.rules.connect = 5;
    REFUSED(wend_map_create(5, 5, &options, &made, E));
    options = wend_default_map_options(), options.rules.corners = (wend_corners)9;
    REFUSED(wend_map_create(5, 5, &options, &made, E));
    options = wend_default_map_options(), options.rules.diagonal = (wend_diagonal)-1;
    REFUSED(wend_map_create(5, 5, &options, &made, E));
    options = wend_default_map_options(), options.terrain = "\n";
    REFUSED(wend_map_create(5, 5, &options, &made, E));
    options = wend_default_map_options(), options.struct_size = UINT32_MAX;
    REFUSED(wend_map_create(5, 5, &options, &made, E));
    REFUSED(wend_map_copy(NULL, &made, E));
    REFUSED(wend_map_copy(map, NULL, E));
    RETURNS((wend_map_destroy(NULL), 0));
    RETURNS((wend_map_options_init(NULL, 8), wend_map_options_init(&zeroed, 0), 0));
    for (size_t i = 0; i < TEST_FAR; i++) {
        wend_cell cell = test_far_cells[i];
        GIVES(wend_map_is_open_cell(map, cell), false);
        GIVES(wend_map_moves(map, cell), 0);
        GIVES(wend_map_next(map, cell, 2), WEND_NO_CELL);
        RETURNS(wend_map_distance(map, cell, 0));
    }
    for (int d = 8; d < 256; d += 61) {
        GIVES(wend_map_next(map, 0, (wend_direction)d), WEND_NO_CELL);
        GIVES(wend_map_move_cost(map, (wend_direction)d), WEND_NO_COST);
        GIVES(wend_direction_dx((wend_direction)d) == 0 && wend_direction_dy((wend_direction)d) == 0, true);
    }
    static const int32_t places[] = {-1, 10, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < 4; i++) {
        GIVES(wend_map_cell(map, places[i], 0), WEND_NO_CELL);
        GIVES(wend_map_cell(map, 0, places[i]), WEND_NO_CELL);
        GIVES(wend_map_is_open(map, places[i], places[i]), false);
        GIVES(wend_map_letter(map, 0, places[i]), '@');
        REFUSED(wend_map_set_row(other, places[i], ".....", E));
    }
    REFUSED(wend_map_set_row(NULL, 0, ".....", E));
    REFUSED(wend_map_set_row(other, 0, NULL, E));
    REFUSED(wend_map_set_row(other, 0, "..!..", E));
    for (size_t i = 0; i < TEST_AREAS; i++) REFUSED(wend_map_edit(map, test_bad_areas[i], true, E));
    REFUSED(wend_map_edit(NULL, (wend_rect){0, 0, 1, 1}, true, E));
    GIVES(wend_map_change_at(map, 0).cell, WEND_NO_CELL);
    GIVES(wend_map_change_at(map, wend_map_revision(map) + 1).cell, WEND_NO_CELL);
    GIVES(wend_map_change_at(map, UINT64_MAX).cell, WEND_NO_CELL);
    RETURNS(wend_map_length(map, UINT64_MAX, UINT64_MAX));
    GIVES(wend_map_width(map) * wend_map_height(map), (int)wend_map_cells(map));
    GIVES(wend_map_open_cells(map) == TEST_MISUSE_CELLS - 1 && wend_map_bytes(map) &&
              wend_map_fingerprint(map),
          true);
    GIVES(wend_map_rules(map).connect, wend_default_rules().connect);
    RETURNS(wend_map_xy(map, WEND_NO_CELL));
}

static void components(const test_misuse *t) {
    wend_map *const map = t->map;
    wend_map *const other = t->other;

    wend_components *of = NULL;
    REFUSED(wend_components_create(NULL, NULL, &of, E));
    REFUSED(wend_components_create(map, NULL, NULL, E));
    RIGHT(wend_components_create(map, NULL, &of, E));
    for (size_t i = 0; i < TEST_FAR; i++) {
        GIVES(wend_components_label(of, test_far_cells[i]), WEND_NO_CELL);
        GIVES(wend_components_joined(of, test_far_cells[i], test_far_cells[i]), false);
        GIVES(wend_components_size(of, test_far_cells[i]), 0);
    }
    REFUSED(wend_components_update(of, NULL, E));
    REFUSED(wend_components_update(NULL, map, E));
    REFUSED(wend_components_update(of, other, E));
    GIVES(wend_components_settle(of, other, 1000), false);
    for (size_t i = 0; i < TEST_AREAS; i++) RETURNS((wend_components_note(of, test_bad_areas[i]), 0));
    RIGHT(wend_components_update(of, map, E));
    GIVES(wend_components_sure(of) && wend_components_count(of) == 1 && wend_components_bytes(of), true);
    GIVES(wend_components_revision(of), wend_map_revision(map));
    GIVES(wend_components_size(of, wend_components_largest(of)), TEST_MISUSE_CELLS - 1);
    wend_components_destroy(of);
    RETURNS((wend_components_destroy(NULL), 0));
}

static void formats(const test_misuse *t) {
    wend_map *const map = t->map;

    wend_map *made = NULL;
    wend_scenario *scenario = NULL;
    char buffer[400];
    REFUSED(wend_map_parse(WEND_FORMAT_MAP, NULL, 5, NULL, &made, E));
    REFUSED(wend_map_parse(WEND_FORMAT_MAP, "...", 3, NULL, NULL, E));
    REFUSED(wend_map_parse((wend_format)9, "...", 3, NULL, &made, E));
    REFUSED(wend_map_parse(WEND_FORMAT_PBM, "...", 3, NULL, &made, E));
    REFUSED(wend_map_parse(WEND_FORMAT_MAP, "", 0, NULL, &made, E));
    GIVES(wend_map_written_size(WEND_FORMAT_MAP, NULL), 0);
    GIVES(wend_map_written_size((wend_format)9, map), 0);
    REFUSED(wend_map_write(WEND_FORMAT_MAP, NULL, buffer, sizeof buffer, E));
    REFUSED(wend_map_write(WEND_FORMAT_MAP, map, NULL, 400, E));
    REFUSED(wend_map_write(WEND_FORMAT_MAP, map, buffer, 10, E));
    REFUSED(wend_map_write((wend_format)-1, map, buffer, sizeof buffer, E));
    REFUSED(wend_map_load(NULL, NULL, &made, E));
    REFUSED(wend_map_load("/nowhere/at/all", NULL, &made, E));
    REFUSED(wend_map_load(test_path("misuse.wend"), NULL, NULL, E));
    REFUSED(wend_map_save(NULL, map, E));
    REFUSED(wend_map_save("/nowhere/at/all", map, E));
    REFUSED(wend_map_save(test_path("x.map"), NULL, E));
    REFUSED(wend_scenario_create(NULL, 5, 5, NULL, &scenario, E));
    REFUSED(wend_scenario_create("m", 5, 5, NULL, NULL, E));
    REFUSED(wend_scenario_create("m", -1, 5, NULL, &scenario, E));
    RIGHT(wend_scenario_create("m", 5, 5, NULL, &scenario, E));
    REFUSED(wend_scenario_add(NULL, &(wend_problem){0}, E));
    REFUSED(wend_scenario_add(scenario, NULL, E));
    GIVES(wend_scenario_at(scenario, 0) == NULL && wend_scenario_at(scenario, SIZE_MAX) == NULL, true);
    GIVES(wend_scenario_count(scenario) == 0 && strcmp(wend_scenario_map_name(scenario), "m") == 0, true);
    REFUSED(wend_scenario_write(scenario, 2, buffer, sizeof buffer, E));
    REFUSED(wend_scenario_write(scenario, 1, NULL, sizeof buffer, E));
    REFUSED(wend_scenario_write(scenario, 1, buffer, 1, E));
    REFUSED(wend_scenario_write(NULL, 1, buffer, sizeof buffer, E));
    RETURNS(wend_scenario_written_size(scenario, 77));
    REFUSED(wend_scenario_save(NULL, scenario, 1, E));
    REFUSED(wend_scenario_save(test_path("x.scen"), NULL, 1, E));
    REFUSED(wend_scenario_save(test_path("x.scen"), scenario, -1, E));
    wend_scenario_destroy(scenario);
    REFUSED(wend_scenario_parse(NULL, 4, NULL, NULL, &scenario, E));
    REFUSED(wend_scenario_parse("x", 1, NULL, NULL, &scenario, E));
    REFUSED(wend_scenario_parse("version 1\n", 10, NULL, NULL, NULL, E));
    REFUSED(wend_scenario_load(NULL, NULL, NULL, &scenario, E));
    REFUSED(wend_scenario_load("/nowhere/at/all", NULL, NULL, &scenario, E));
    REFUSED(wend_scenario_load("/nowhere/at/all", NULL, NULL, NULL, E));
    RETURNS((wend_scenario_destroy(NULL), 0));
}

static void generators(const test_misuse *t) {
    wend_map *const map = t->map;

    wend_map *made = NULL;
    wend_scenario *scenario = NULL;
    wend_generate_options zeroed = {0}, options = wend_default_generate_options();
    wend_problems_options of = wend_default_problems_options();
    REFUSED(wend_map_generate((wend_map_kind)-1, 9, 9, NULL, &made, E));
    REFUSED(wend_map_generate(WEND_MAP_KINDS, 9, 9, NULL, &made, E));
    REFUSED(wend_map_generate(WEND_MAP_OPEN, 9, 9, NULL, NULL, E));
    REFUSED(wend_map_generate(WEND_MAP_OPEN, 9, 9, &zeroed, &made, E));
    options.density = 101;
    REFUSED(wend_map_generate(WEND_MAP_RANDOM, 9, 9, &options, &made, E));
    options.density = 5, options.size = WEND_MAX_SIDE + 1;
    REFUSED(wend_map_generate(WEND_MAP_ROOMS, 9, 9, &options, &made, E));
    RETURNS((wend_generate_options_init(NULL, 4), wend_problems_options_init(NULL, 4), 0));
    for (int32_t factor = -1; factor < 1; factor++) REFUSED(wend_map_scale(map, factor, &made, E));
    REFUSED(wend_map_scale(map, INT32_MAX, &made, E));
    REFUSED(wend_map_scale(NULL, 2, &made, E));
    REFUSED(wend_map_scale(map, 2, NULL, E));
    static const double shares[] = {-1, 100.5, 1e300};
    for (size_t i = 0; i < 3; i++) REFUSED(wend_map_block(map, shares[i], 1, &made, E));
    REFUSED(wend_map_block(map, 0.0 / (double)(map == NULL), 1, &made, E));
    REFUSED(wend_map_block(NULL, 5, 1, &made, E));
    REFUSED(wend_map_block(map, 5, 1, NULL, E));
    REFUSED(wend_map_for_body(map, 0, &made, E));
    REFUSED(wend_map_for_body(map, WEND_MAX_BODY + 1, &made, E));
    REFUSED(wend_map_for_body(NULL, 1, &made, E));
    REFUSED(wend_map_for_body(map, 1, NULL, E));
    REFUSED(wend_problems_generate(NULL, "m", 3, NULL, &scenario, E));
    REFUSED(wend_problems_generate(map, NULL, 3, NULL, &scenario, E));
    REFUSED(wend_problems_generate(map, "m", 3, NULL, NULL, E));
    REFUSED(wend_problems_generate(map, "m", (size_t)WEND_MAX_PROBLEMS + 1, NULL, &scenario, E));
    of.min_length = 1e9;
    REFUSED(wend_problems_generate(map, "m", 3, &of, &scenario, E));
    of.min_length = 5, of.max_length = 4;
    REFUSED(wend_problems_generate(map, "m", 3, &of, &scenario, E));
}

static void searches(const test_misuse *t) {
    wend_map *const map = t->map;
    wend_map *const other = t->other;

    wend_search *search = NULL, *small = NULL;
    wend_jumps *jumps = NULL;
    wend_field *field = NULL;
    wend_paths *paths = NULL;
    wend_result result;
    wend_search_options zeroed = {0};
    wend_field_options empty = {0};
    wend_paths_options none = {0};
    wend_xy cells[TEST_MISUSE_CELLS];
    wend_cell from[2] = {0, TEST_MISUSE_CELLS}, to[2] = {5, 6};
    size_t length = 2;
    REFUSED(wend_search_create(NULL, NULL, &search, E));
    REFUSED(wend_search_create(map, NULL, NULL, E));
    REFUSED(wend_search_create(map, &zeroed, &search, E));
    RIGHT(wend_search_create(map, NULL, &search, E));
    RIGHT(wend_search_create(other, NULL, &small, E));
    REFUSED(wend_jumps_create(NULL, NULL, &jumps, E));
    REFUSED(wend_jumps_create(map, NULL, NULL, E));
    RIGHT(wend_jumps_create(map, NULL, &jumps, E));
    REFUSED(wend_jumps_update(NULL, E));
    GIVES(wend_search_moves(search, NULL, 0) == 0 && wend_search_path(search, NULL, 0) == 0, true);
    GIVES(wend_search_bytes(search) >= wend_search_peak_bytes(search) && wend_jumps_bytes(jumps), true);
    for (size_t i = 0; i < TEST_FAR; i++) {
        REFUSED(wend_search_astar(search, test_far_cells[i], 0, &result, E));
        REFUSED(wend_search_astar(search, 0, test_far_cells[i], &result, E));
        REFUSED(wend_search_jps(search, jumps, test_far_cells[i], 0, &result, E));
        GIVES(wend_climb_move(map, test_far_cells[i], 0), WEND_NO_DIRECTION);
        GIVES(wend_climb(map, test_far_cells[i], 0, 5).reached, false);
        GIVES(wend_climb(map, 0, test_far_cells[i], 5).reached, false);
    }
    REFUSED(wend_search_astar(search, 33, 0, &result, E));
    REFUSED(wend_search_astar(NULL, 1, 0, &result, E));
    REFUSED(wend_search_astar(search, 1, 0, NULL, E));
    REFUSED(wend_search_jps(search, NULL, 1, 0, &result, E));
    REFUSED(wend_search_jps(small, jumps, 1, 0, &result, E));
    REFUSED(wend_search_jps(NULL, jumps, 1, 0, &result, E));
    REFUSED(wend_search_jps(search, jumps, 1, 0, NULL, E));
    REFUSED(
        wend_search_find(search, (wend_xy){-1, 0}, (wend_xy){0, 0}, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find(search, (wend_xy){0, 0}, (wend_xy){INT32_MAX, 0}, cells, TEST_MISUSE_CELLS,
                             &result, E));
    REFUSED(wend_search_find(search, (wend_xy){3, 3}, (wend_xy){0, 0}, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find(NULL, (wend_xy){0, 0}, (wend_xy){0, 0}, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find(search, (wend_xy){0, 0}, (wend_xy){0, 0}, cells, TEST_MISUSE_CELLS, NULL, E));
    const wend_xy nowhere[] = {{-1, 0}, {3, 3}, {INT32_MAX, INT32_MIN}}, origin = {0, 0}, wall = {3, 3};
    REFUSED(wend_search_find_any(search, origin, nowhere, 3, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find_any(search, origin, nowhere, 0, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find_any(search, wall, &origin, 1, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find_any(search, origin, NULL, 1, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find_any(search, origin, &origin, 1, cells, TEST_MISUSE_CELLS, NULL, E));
    REFUSED(wend_search_find_any(NULL, origin, &origin, 1, cells, TEST_MISUSE_CELLS, &result, E));
    const wend_rect whole = {0, 0, 10, 8}, away = {10, 0, 5, 5};
    REFUSED(wend_search_find_area(search, origin, away, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find_area(search, wall, whole, cells, TEST_MISUSE_CELLS, &result, E));
    REFUSED(wend_search_find_area(search, origin, whole, cells, TEST_MISUSE_CELLS, NULL, E));
    REFUSED(wend_search_find_area(NULL, origin, whole, cells, TEST_MISUSE_CELLS, &result, E));
    for (size_t i = 0; i < TEST_AREAS; i++)
        RETURNS(wend_search_find_area(search, origin, test_bad_areas[i], NULL, 0, &result, E));
    RIGHT(wend_search_find(search, (wend_xy){0, 0}, (wend_xy){9, 7}, NULL, 0, &result, E));
    RETURNS((wend_search_watch(search, NULL), wend_search_options_init(NULL, 4), 0));
    RIGHT(wend_map_edit(map, (wend_rect){0, 7, 1, 1}, false, E));
    REFUSED(wend_search_jps(search, jumps, 1, 0, &result, E));
    RIGHT(wend_jumps_update(jumps, E));

    REFUSED(wend_field_create(NULL, NULL, &field, E));
    REFUSED(wend_field_create(map, NULL, NULL, E));
    REFUSED(wend_field_create(map, &empty, &field, E));
    RIGHT(wend_field_create(map, NULL, &field, E));
    GIVES(wend_field_reached(field) == 0 && wend_field_cost(field, 0) == WEND_NO_COST, true);
    REFUSED(wend_field_compute(NULL, 0, E));
    REFUSED(wend_field_compute(field, 33, E));
    for (size_t i = 0; i < TEST_FAR; i++) {
        REFUSED(wend_field_compute(field, test_far_cells[i], E));
        GIVES(wend_field_cost(field, test_far_cells[i]), WEND_NO_COST);
        GIVES(wend_field_towards(field, test_far_cells[i]) | wend_field_from(field, test_far_cells[i]), 0);
    }
    RETURNS((wend_field_bytes(field), wend_field_options_init(NULL, 4), 0));

    REFUSED(wend_paths_create(NULL, NULL, &paths, E));
    REFUSED(wend_paths_create(map, NULL, NULL, E));
    REFUSED(wend_paths_create(map, &none, &paths, E));
    RIGHT(wend_paths_create(map, NULL, &paths, E));
    GIVES(wend_paths_moves(paths, 0, &length) == NULL && length == 0, true);
    wend_result results[2];
    REFUSED(wend_paths_find(paths, 2, from, to, results, E));
    REFUSED(wend_paths_find(paths, 1, NULL, to, results, E));
    REFUSED(wend_paths_find(paths, 1, from, NULL, results, E));
    REFUSED(wend_paths_find(paths, 1, from, to, NULL, E));
    REFUSED(wend_paths_find(NULL, 1, from, to, results, E));
    RIGHT(wend_paths_find(paths, 0, NULL, NULL, NULL, E));
    GIVES(wend_paths_moves(paths, SIZE_MAX, &length), NULL);
    RETURNS((wend_paths_bytes(paths), wend_paths_options_init(NULL, 4), 0));

    cells[0] = (wend_xy){0, 0}, cells[1] = (wend_xy){5, 5}, length = 2;
    REFUSED(wend_smooth(map, NULL, cells, &length, E)); /* 3,3 is between */
    REFUSED(wend_smooth(NULL, NULL, cells, &length, E));
    REFUSED(wend_smooth(map, NULL, NULL, &length, E));
    REFUSED(wend_smooth(map, NULL, cells, NULL, E));
    length = SIZE_MAX;
    REFUSED(wend_smooth(map, NULL, cells, &length, E));
    GIVES(wend_map_sees(map, (wend_xy){0, 0}, (wend_xy){INT32_MAX, INT32_MIN}), false);
    GIVES(wend_map_sees(map, (wend_xy){INT32_MIN, 0}, (wend_xy){0, 0}), false);
    GIVES(wend_climb(map, 0, 33, UINT32_MAX).reached, false);
    wend_paths_destroy(paths);
    wend_field_destroy(field);
    wend_search_destroy(search);
    wend_search_destroy(small);
    wend_jumps_destroy(jumps);
    RETURNS((wend_paths_destroy(NULL), wend_field_destroy(NULL), wend_search_destroy(NULL),
             wend_jumps_destroy(NULL), 0));
}

static void trees(const test_misuse *t) {
    wend_map *const map = t->map;

    wend_tree *tree = NULL;
    wend_tree_options zeroed = {0}, options = wend_default_tree_options();
    REFUSED(wend_tree_create(NULL, NULL, &tree, E));
    REFUSED(wend_tree_create(map, NULL, NULL, E));
    REFUSED(wend_tree_create(map, &zeroed, &tree, E));
    options.test = (wend_tree_test)7;
    REFUSED(wend_tree_create(map, &options, &tree, E));
    RIGHT(wend_tree_create(map, NULL, &tree, E));
    for (int whole = 0; whole < 2; whole++) {
        for (size_t i = 0; i < TEST_FAR; i++) {
            REFUSED(wend_tree_begin(tree, test_far_cells[i], E));
            GIVES(wend_tree_next(tree, test_far_cells[i]), WEND_NO_CELL);
            GIVES(wend_tree_from(tree, test_far_cells[i]), WEND_NO_CELL);
            GIVES(wend_tree_cost(tree, test_far_cells[i]), WEND_NO_COST);
            GIVES(wend_tree_node(tree, test_far_cells[i]), WEND_NO_CELL);
        }
        REFUSED(wend_tree_begin(tree, 33, E));
        REFUSED(wend_tree_begin(NULL, 0, E));
        if (whole) break;
        GIVES(wend_tree_grow(tree, 1000), false);
        GIVES(wend_tree_goal(tree) == WEND_NO_CELL && !wend_tree_is_whole(tree) && !wend_tree_nodes(tree),
              true);
        RIGHT(wend_tree_begin(tree, 5, E));
        GIVES(wend_tree_grow(tree, UINT64_MAX), true);
    }
    RETURNS((wend_tree_operations(tree), wend_tree_bytes(tree), wend_tree_options_init(NULL, 4), 0));
    wend_tree_destroy(tree);
    RETURNS((wend_tree_destroy(NULL), 0));
}

static void files(const test_misuse *t) {
    (void)t;

    wend_bytes bytes;
    wend_file_limits limits = {0};
    wend_output output;
    wend_growing growing;
    char name[WEND_PATH_ROOM], long_path[WEND_PATH_ROOM + 10];
    memset(long_path, 'x', sizeof long_path - 1), long_path[sizeof long_path - 1] = 0;
    REFUSED(wend_file_read(NULL, NULL, 100, &bytes, E));
    REFUSED(wend_file_read("/nowhere/at/all", NULL, 100, &bytes, E));
    REFUSED(wend_file_read("/", NULL, 100, &bytes, E));
    REFUSED(wend_file_read(test_path("misuse.wend"), NULL, 10, &bytes, E));
    RIGHT(wend_file_read(test_path("misuse.wend"), NULL, UINT64_MAX, &bytes, E));
    wend_file_release(NULL, &bytes);
    REFUSED(wend_file_read(test_path("misuse.wend"), NULL, 1000000, NULL, E));
    REFUSED(wend_file_read_within(test_path("misuse.wend"), NULL, NULL, &bytes, E));
    REFUSED(wend_file_read_within(test_path("misuse.wend"), NULL, &limits, &bytes, E));
    limits.max_bytes = 100, limits.regular = true;
    REFUSED(wend_file_read_within("/dev/zero", NULL, &limits, &bytes, E));
    bytes = (wend_bytes){0};
    RETURNS((wend_file_release(NULL, &bytes), 0));
    GIVES(wend_file_beside(long_path, ".part", name) || name[0], false);
    REFUSED(wend_file_write(NULL, "x", 1, E));
    REFUSED(wend_file_write("/nowhere/at/all", "x", 1, E));
    REFUSED(wend_file_write("/", "x", 1, E));
    REFUSED(wend_file_write(long_path, "x", 1, E));
    REFUSED(wend_output_begin(&output, NULL, E));
    REFUSED(wend_output_begin(NULL, "x", E));
    REFUSED(wend_output_begin(&output, "/nowhere/at/all", E));
    RIGHT(wend_output_begin(&output, test_path("misused"), E));
    RETURNS((wend_output_discard(&output), wend_output_discard(&output), 0));
    REFUSED(wend_output_write(&output, "x", 1, E)); /* it has ended */
    REFUSED(wend_output_commit(&output, E));
    REFUSED(wend_output_write(NULL, "x", 1, E));
    REFUSED(wend_output_write(&output, NULL, 1, E));
    REFUSED(wend_output_commit(NULL, E));
    RETURNS((wend_output_tidy("/nowhere/at/all"), 0));
    REFUSED(wend_growing_open(NULL, true, &growing, E));
    REFUSED(wend_growing_open("/nowhere/at/all", true, &growing, E));
    REFUSED(wend_growing_open("/dev/null", true, &growing, E));
    growing = (wend_growing){.path = "x", .file = -1};
    REFUSED(wend_growing_cut(&growing, 0, E));
    REFUSED(wend_growing_add(&growing, "x", 1, E));
    REFUSED(wend_growing_open("x", true, NULL, E));
    REFUSED(wend_growing_cut(NULL, 0, E));
    REFUSED(wend_growing_add(NULL, "x", 1, E));
    REFUSED(wend_growing_add(&growing, NULL, 1, E));
    RETURNS((wend_growing_close(&growing, true), 0));
    growing = (wend_growing){.path = test_path("never"), .file = -1};
    RETURNS((wend_growing_remove(&growing), 0));
}

static void calls_refuse_what_they_must(void) {
    static const test_misuse_group groups[] = {
        {"texts", texts},           {"maps", maps},         {"components", components}, {"formats", formats},
        {"generators", generators}, {"searches", searches}, {"trees", trees},           {"files", files}};
    test_misuse_run(groups, sizeof groups / sizeof *groups);
}

/* Each name behind WEND_API in the headers stands in one of these files. */
static void every_call_is_misused(void) {
    test_bytes own[] = {test_read(WEND_SOURCE_DIR "/tests/attack/test_misuse.c"),
                        test_read(WEND_SOURCE_DIR "/tests/attack/test_misuse_agents.c")};
    unsigned found = 0;
    DIR *headers = opendir(WEND_SOURCE_DIR "/include/wend");
    for (const struct dirent *entry; headers && (entry = readdir(headers));) {
        char path[1000], name[200];
        if (entry->d_name[0] == '.') continue;
        (void)snprintf(path, sizeof path, "%s/include/wend/%s", WEND_SOURCE_DIR, entry->d_name);
        test_bytes header = test_read(path);
        const char *text = (const char *)header.data, *end = text + header.size;
        static const char mark[] = "\nWEND_API ";
        for (; text; found++) {
            text = memmem(text, (size_t)(end - text), mark, sizeof mark - 1);
            if (!text) break;
            text += sizeof mark - 1;
            const char *close = memchr(text, '(', (size_t)(end - text)), *open = close;
            if (!close) break;
            while (open > text && !strchr(" *", open[-1])) open--;
            (void)snprintf(name, sizeof name, "%.*s(", (int)(close - open), open);
            bool there = false;
            for (size_t j = 0; j < 2; j++)
                there = there || (own[j].data && memmem(own[j].data, own[j].size, name, strlen(name)));
            CHECK_THAT(there, "nobody misuses %s)", name);
            test_case();
        }
        free(header.data);
    }
    if (headers) (void)closedir(headers);
    CHECK_THAT(found > 200, "%u calls found in the headers", found);
    free(own[0].data);
    free(own[1].data);
}

static const test tests[] = {
    {"calls refuse what they must", calls_refuse_what_they_must},
    {"every call is misused", every_call_is_misused},
};
TEST_MAIN(tests)
