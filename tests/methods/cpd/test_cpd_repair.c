/* Repair of path databases: after any edits every answer begins a shortest path on the map as it is, held
 * against Dijkstra's distances; until then, every answer is right for the map of the last complete repair. */
#include "methods/cpd/layout.h"
#include "methods/cpd/repair/repair.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/files.h"
#include "support/memory.h"
#include "support/reference.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* A map that is edited, its database, and a repair of that. */
typedef struct repair_case {
    uint64_t number;
    wend_map *base, *map;
    wend_db *db;
    wend_repair *repair;
    wend_cost *left;
} repair_case;

static wend_cpd_repair *inner(wend_repair *repair) {
    return (wend_cpd_repair *)repair;
}

static bool open_case(repair_case *it, uint64_t number, wend_map *base, const wend_allocator *allocator) {
    *it = (repair_case){.number = number, .base = base};
    if (!CHECK(base) || !CHECK(wend_map_copy(base, &it->map, NULL) == WEND_OK)) return false;
    it->db = test_db_build(base, "cpd", 1);
    wend_repair_options options = wend_default_repair_options();
    if (allocator) options.allocator = *allocator;
    it->left = malloc(((size_t)wend_map_width(base) * (size_t)wend_map_height(base) + 1) * sizeof *it->left);
    if (!it->db || !CHECK(it->left) ||
        !CHECK(wend_repair_create(it->db, it->map, &options, &it->repair, NULL) == WEND_OK))
        return false;
    /* On maps as small as these all rows are nearly always the cheapest: others are to have their turn. */
    static const uint32_t margins[] = {0, 1, 2, 3, 5, 8};
    inner(it->repair)->only = margins[number % (sizeof margins / sizeof *margins)];
    return true;
}

static void close_case(repair_case *it) {
    wend_repair_destroy(it->repair);
    wend_db_close(it->db);
    wend_map_destroy(it->map);
    wend_map_destroy(it->base);
    free(it->left);
}

/* Small maps: all pairs are looked at. */
static wend_map *small_map(uint64_t number, int32_t most) {
    test_random random = {number * 7919 + 1};
    int32_t width = 1 + (int32_t)test_below(&random, (uint32_t)most),
            height = 1 + (int32_t)test_below(&random, (uint32_t)most);
    return test_map_make((test_shape)(number % TEST_SHAPES), width, height,
                         test_rules((uint32_t)(number / TEST_SHAPES)), &random, NULL);
}

/* Every answer is a move of a shortest path on `map`. */
static bool all_right(const repair_case *it, const wend_map *map, const char *when) {
    test_grid grid = test_grid_of(map);
    bool good = true;
    for (wend_cell to = 0; to < grid.cells && good; to++) {
        if (grid.open[to])
            test_dijkstra(&grid, to, it->left);
        else
            for (wend_cell i = 0; i < grid.cells; i++) it->left[i] = WEND_NO_COST;
        for (wend_cell from = 0; from < grid.cells && good; from++) {
            uint32_t move = wend_cpd_repair_move(it->repair, from, to);
            if (!grid.open[from] || it->left[from] == WEND_NO_COST)
                good = move == WEND_CPD_NO_WAY;
            else if (from == to)
                good = move == WEND_NO_DIRECTION;
            else {
                wend_cell next = move < 8 ? test_next(&grid, from, (int)move) : WEND_NO_CELL;
                good = next != WEND_NO_CELL &&
                       it->left[next] + test_move_cost(&grid, (int)move) == it->left[from];
            }
            CHECK_THAT(good, "map %llu, %s: from %u to %u the answer is %u", (unsigned long long)it->number,
                       when, from, to, move);
        }
    }
    test_grid_free(&grid);
    return good;
}

/* Steps until done; each within its operations and a little more, or a block's search, on average. */
static bool finish(repair_case *it, uint64_t slice) {
    bool done = false;
    uint64_t before = wend_repair_about(it->repair).operations, given = 0;
    uint64_t over = 65536 + wend_map_cells(it->map) / 4;
    for (uint32_t calls = 0; calls < 10000000 && !done; calls++) {
        if (!CHECK(wend_repair_step(it->repair, slice, &done, NULL) == WEND_OK)) return false;
        given += slice;
        uint64_t spent = wend_repair_about(it->repair).operations - before;
        if (!CHECK_THAT(spent <= given + over, "%llu operations, not %llu", (unsigned long long)spent,
                        (unsigned long long)given))
            return false;
    }
    return CHECK(done);
}

/* Thousands of edits, one or several at a time, one repair after another. */
static void answers_are_optimal_after_repair(void) {
    const uint64_t maps = test_full() ? 1200 : (uint64_t)test_some(216);
    for (uint64_t number = 0; number < maps; number++) {
        repair_case it;
        test_random random = {number};
        if (open_case(&it, number, small_map(number, number % 3 ? 10 : 15), NULL)) {
            bool good = all_right(&it, it.map, "before any edit");
            for (uint32_t round = 0; round < 12 && good; round++) {
                uint32_t edits = test_below(&random, 3) ? 1 : 1 + test_below(&random, 6);
                for (uint32_t i = 0; i < edits; i++) CHECK(test_map_edit_any(it.map, &random));
                good = finish(&it, 1 + test_below(&random, 5000)) && all_right(&it, it.map, "after a repair");
                /* What is done stays done. */
                bool done = false;
                CHECK(wend_repair_step(it.repair, 1, &done, NULL) == WEND_OK && done);
            }
        }
        close_case(&it);
        test_case();
    }
}

/* Rooms around a ring of corridors, with doors of a cell: a change has a way around on one side or both. */
static wend_map *ring_map(int32_t width, int32_t height, wend_rules rules, test_random *random) {
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, width, height, rules, random, NULL);
    const wend_rect walls[] = {{5, 5, width - 10, height - 10},
                               {width / 2, 0, 1, height},
                               {0, height / 2, width, 1},
                               {width / 4, 0, 1, 5}};
    for (size_t i = 0; map && i < sizeof walls / sizeof *walls; i++)
        CHECK(wend_map_edit(map, walls[i], false, NULL) == WEND_OK);
    const wend_rect doors[] = {{width / 2, 2, 1, 1},
                               {width / 2, height - 2, 1, 2},
                               {1, height / 2, 3, 1},
                               {width - 3, height / 2, 1, 1},
                               {width / 4, 1, 1, 2}};
    for (size_t i = 0; map && i < sizeof doors / sizeof *doors; i++)
        CHECK(wend_map_edit(map, doors[i], true, NULL) == WEND_OK);
    return map;
}

static wend_map *map_of_kind(uint64_t number) {
    static const wend_map_kind kinds[] = {WEND_MAP_ROOMS, WEND_MAP_MAZE, WEND_MAP_CAVES, WEND_MAP_RANDOM,
                                          WEND_MAP_CITY};
    const int32_t width = 17 + (int32_t)(number % 9), height = 14 + (int32_t)(number % 7);
    test_random random = {number};
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = NULL;
    if (number % 6 == 5) return ring_map(width, height, test_rules((uint32_t)number / 6), &random);
    options.seed = number, options.map.rules = test_rules((uint32_t)number / 6);
    CHECK(wend_map_generate(kinds[number % 6], width, height, &options, &map, NULL) == WEND_OK);
    return map;
}

/* A cell in a narrow place, if one is found soon: few of those around it are open. */
static wend_cell narrow_cell(const wend_map *map, test_random *random) {
    wend_cell cell = 0;
    for (int tries = 0; tries < 60; tries++) {
        cell = test_below(random, wend_map_cells(map));
        wend_xy at = wend_map_xy(map, cell);
        int open = 0;
        for (int i = 0; i < 9; i++) open += wend_map_is_open(map, at.x - 1 + i % 3, at.y - 1 + i / 3);
        if (open >= 2 && open <= 5) break;
    }
    return cell;
}

/* Doors that are shut and opened, pillars, gaps in walls, one after another, on maps large enough for parts
 * beyond the area. Most of the answers come from the file or from columns that cells share. */
static void narrow_places_of_all_kinds_of_maps(void) {
    uint64_t rows = 0, columns = 0, cells = 0;
    for (uint64_t number = 0; number < (test_full() ? 1080 : (uint64_t)test_some(72)); number++) {
        repair_case it;
        test_random random = {number};
        if (open_case(&it, number / 6, map_of_kind(number), NULL)) {
            bool good = true;
            if (!inner(it.repair)->only) inner(it.repair)->only = number % 2 ? 4 : 16;
            for (uint32_t round = 0; round < 5 && good; round++) {
                for (uint32_t edits = round % 3 == 2 ? 3 : 1; edits > 0; edits--) {
                    wend_xy at = wend_map_xy(it.map, narrow_cell(it.map, &random));
                    CHECK(wend_map_edit(it.map, (wend_rect){at.x, at.y, 1, 1},
                                        !wend_map_is_open(it.map, at.x, at.y), NULL) == WEND_OK);
                }
                good = finish(&it, 1 + test_below(&random, 60000)) && all_right(&it, it.map, "narrow places");
                if (round) continue;
                rows += inner(it.repair)->told.rows;
                columns += inner(it.repair)->told.columns;
                cells += wend_map_open_cells(it.map);
            }
        }
        close_case(&it);
        test_case();
    }
    CHECK_THAT(rows && rows < cells * 2 / 3 && columns, "%llu rows and %llu columns of %llu",
               (unsigned long long)rows, (unsigned long long)columns, (unsigned long long)cells);
}

/* Two halls and a passage between them that becomes narrower: all distances from one to the other change, and
 * little is searched for all that. */
static void a_narrower_passage_costs_little(void) {
    if (test_skip_thinned()) return;
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_random random = {rules};
        repair_case it;
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, 56, 26, test_rules(rules), &random, NULL);
        CHECK(map && wend_map_edit(map, (wend_rect){26, 0, 6, 26}, false, NULL) == WEND_OK &&
              wend_map_edit(map, (wend_rect){26, 12, 6, 3}, true, NULL) == WEND_OK);
        if (open_case(&it, 0, map, NULL)) {
            const uint32_t open = wend_map_open_cells(it.map);
            inner(it.repair)->only = 4; /* on a map as small as this all rows would be cheaper */
            CHECK(wend_map_edit(it.map, (wend_rect){29, 13, 1, 1}, false, NULL) == WEND_OK);
            if (finish(&it, 50000)) {
                const uint32_t all = inner(it.repair)->told.all;
                CHECK_THAT(all < open / 4, "%u of %u cells", all, open);
                (void)all_right(&it, it.map, "a narrower passage");
            }
        }
        close_case(&it);
        test_case();
    }
}

/* While it goes on, and while edits come, the answers are those of one map: that of the last generation. */
static void answers_are_those_of_one_map(void) {
    for (uint64_t number = 0; number < (test_full() ? 300 : (uint64_t)test_some(60)); number++) {
        repair_case it;
        test_random random = {number + 1000};
        if (open_case(&it, number, small_map(number + 17, 11), NULL)) {
            wend_map *right = NULL; /* what the answers must be right for */
            uint64_t generation = 0;
            bool good = CHECK(wend_map_copy(it.map, &right, NULL) == WEND_OK);
            for (uint32_t tick = 0; tick < 60 && good; tick++) {
                if (test_below(&random, 3) == 0) CHECK(test_map_edit_any(it.map, &random));
                bool done;
                good =
                    CHECK(wend_repair_step(it.repair, 1 + test_below(&random, 6000), &done, NULL) == WEND_OK);
                uint64_t now = wend_repair_about(it.repair).generation;
                if (now != generation) { /* it may be that of some earlier tick: it knows which */
                    bool settling = inner(it.repair)->stage >= WEND_CPD_SETTLE_CELLS;
                    wend_map_destroy(right);
                    good = CHECK(wend_map_copy(settling ? inner(it.repair)->new : inner(it.repair)->old,
                                               &right, NULL) == WEND_OK);
                    generation = now;
                }
                if (done) CHECK(wend_map_fingerprint(right) == wend_map_fingerprint(it.map));
                good = good && all_right(&it, right, "under way");
            }
            good = good && finish(&it, 100000) && all_right(&it, it.map, "at the end");
            wend_map_destroy(right);
        }
        close_case(&it);
        test_case();
    }
}

/* A map that was edited before anybody thought of repairs; edits that are taken back; none at all. */
static void any_beginning_will_do(void) {
    for (uint64_t number = 0; number < 40; number++) {
        repair_case it;
        test_random random = {number + 5};
        if (open_case(&it, number, small_map(number + 3, 12), NULL)) {
            bool done = false;
            wend_repair_options options = wend_default_repair_options();
            CHECK(wend_repair_step(it.repair, 1000000, &done, NULL) == WEND_OK && done);
            CHECK(wend_repair_about(it.repair).generation == 0);
            for (int i = 0; i < 5; i++) CHECK(test_map_edit_any(it.map, &random));
            wend_repair_destroy(it.repair);
            CHECK(wend_repair_create(it.db, it.map, &options, &it.repair, NULL) == WEND_OK);
            if (it.repair && all_right(&it, it.base, "before the first step") && finish(&it, 3000))
                (void)all_right(&it, it.map, "edited beforehand");
            /* Back to what it was, one cell after another. */
            for (int32_t y = 0; y < wend_map_height(it.base); y++)
                for (int32_t x = 0; x < wend_map_width(it.base); x++)
                    CHECK(wend_map_edit(it.map, (wend_rect){x, y, 1, 1}, wend_map_is_open(it.base, x, y),
                                        NULL) == WEND_OK);
            if (it.repair && finish(&it, 100000)) (void)all_right(&it, it.base, "taken back");
        }
        close_case(&it);
        test_case();
    }
}

/* A few cells of a larger map cost a small part of searching from all of it. (All rows of an open map of this
 * size take 0.8 operations a pair.) */
static void little_is_done_for_little(void) {
    if (test_skip_thinned()) return;
    test_random random = {3};
    repair_case it;
    if (open_case(&it, 0, test_map_make(TEST_SHAPE_ROOMS, 64, 64, test_rules(0), &random, NULL), NULL)) {
        uint32_t open = wend_map_open_cells(it.map);
        wend_cell cell = test_open_cell(it.map, &random);
        wend_xy at = wend_map_xy(it.map, cell);
        CHECK(wend_map_edit(it.map, (wend_rect){at.x, at.y, 1, 1}, false, NULL) == WEND_OK);
        if (finish(&it, 50000)) {
            wend_repair_info info = wend_repair_about(it.repair);
            wend_cpd_told told = inner(it.repair)->told;
            CHECK(info.changed == 1 && info.generation == 1 && told.searched == told.all);
            CHECK(told.all < open / 2);
            CHECK_THAT(info.operations < (uint64_t)open * open / 2, "%llu operations",
                       (unsigned long long)info.operations);
            (void)all_right(&it, it.map, "one cell");
        }
    }
    close_case(&it);
    test_case();
}

/* The same edits and slices give the same answers from the same memory; other slices the same answers. */
static void runs_repeat(void) {
    for (uint64_t number = 0; number < 20; number++) {
        wend_repair_info infos[3] = {{0}};
        wend_cpd_told tolds[3] = {{0}};
        uint64_t hashes[3] = {0};
        for (int run = 0; run < 3; run++) {
            repair_case it;
            test_random random = {number};
            if (open_case(&it, number, small_map(number + 40, 14), NULL)) {
                for (int i = 0; i < 6; i++) {
                    CHECK(test_map_edit_any(it.map, &random));
                    (void)finish(&it, run == 2 ? 77 : 900);
                }
                uint32_t cells = (uint32_t)wend_map_width(it.map) * (uint32_t)wend_map_height(it.map);
                for (wend_cell from = 0; from < cells; from++)
                    for (wend_cell to = 0; to < cells; to++)
                        hashes[run] = hashes[run] * 31 + wend_cpd_repair_move(it.repair, from, to);
                infos[run] = wend_repair_about(it.repair), tolds[run] = inner(it.repair)->told;
            }
            close_case(&it);
        }
        CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
        CHECK(infos[0].operations == infos[1].operations && infos[0].bytes == infos[1].bytes);
        CHECK(tolds[0].runs == tolds[2].runs && tolds[0].columns == tolds[2].columns);
        test_case();
    }
}

/* What it writes is a database of the edited map, and verifies. */
static void what_is_written_verifies(void) {
    for (uint64_t number = 0; number < 24; number++) {
        repair_case it;
        test_random random = {number};
        if (open_case(&it, number, small_map(number + 9, 20), NULL)) {
            wend_build_options options = wend_default_build_options();
            wend_db_options opening = wend_default_db_options();
            wend_error error = {0};
            const char *path = test_path("repaired.db");
            for (int i = 0; i < 4; i++) CHECK(test_map_change_any(it.map, &random));
            CHECK(wend_repair_write(it.repair, &options, path, &error) == WEND_STATUS_STALE &&
                  error.message[0]);
            if (finish(&it, 10000)) {
                wend_db *db = NULL;
                CHECK(wend_repair_write(it.repair, &options, path, NULL) == WEND_OK);
                if (CHECK(wend_db_open(path, it.map, &opening, &db, NULL) == WEND_OK))
                    CHECK(wend_db_verify(db, it.map, 0, &options, NULL) == WEND_OK);
                /* Whatever the overlay says and the new file says costs the same: both are optimal. */
                wend_db_close(db);
                CHECK(wend_db_open(path, it.base, &opening, &db, NULL) ==
                      (wend_map_fingerprint(it.base) == wend_map_fingerprint(it.map)
                           ? WEND_OK
                           : WEND_STATUS_OTHER_MAP));
                wend_db_close(db);
            }
        }
        close_case(&it);
        test_case();
    }
}

/* Every request for memory refused in turn: it is told, and what was right stays right. */
static void refused_memory_is_told(void) {
    test_memory memory = {0};
    wend_allocator allocator = test_allocator(&memory);
    for (uint64_t n = 1; n < 400; n++) {
        repair_case it;
        test_random random = {4};
        bool good =
            open_case(&it, n, test_map_make(TEST_SHAPE_SCATTERED, 12, 9, test_rules(0), &random, NULL), NULL);
        wend_repair_destroy(it.repair);
        it.repair = NULL;
        wend_repair_options options = wend_default_repair_options();
        options.allocator = allocator;
        wend_error error = {0};
        memory.requests = 0, memory.refuse_at = n;
        bool refused = false;
        if (good && wend_repair_create(it.db, it.map, &options, &it.repair, &error) != WEND_OK) {
            CHECK(error.status == WEND_STATUS_NO_MEMORY && error.message[0] && !it.repair);
            refused = true;
        }
        if (it.repair) {
            bool done = false;
            CHECK(test_map_edit_any(it.map, &random));
            wend_status status = WEND_OK;
            for (int i = 0; i < 100000 && !done; i++) {
                status = wend_repair_step(it.repair, 500, &done, &error);
                if (status == WEND_OK) continue;
                refused = true;
                CHECK(status == WEND_STATUS_NO_MEMORY && !done);
                (void)all_right(&it, it.base, "without memory");
            }
            CHECK(done);
            (void)all_right(&it, it.map, "with memory again");
        }
        close_case(&it);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
        if (!refused && n % 2) break;
    }
}

/* What it takes at a time, with all that searches take, is never more than is allowed; with as much as it
 * took without a cap it is done. */
static void caps_hold(void) {
    test_memory memory = {0};
    wend_allocator allocator = test_allocator(&memory);
    for (uint64_t number = 0; number < 2; number++) { /* all rows, or what is reached */
        repair_case it;
        test_random random = {8};
        uint64_t needs = 0, refused = 0;
        if (open_case(&it, 0, test_map_make(TEST_SHAPE_ROOMS, 30, 30, test_rules(0), &random, NULL), NULL)) {
            CHECK(wend_map_edit(it.map, (wend_rect){3, 3, 5, 5}, false, NULL) == WEND_OK);
            for (uint64_t most = 0; !needs || most <= needs; most += needs ? needs / 40 : 1) {
                wend_repair_options options = wend_default_repair_options();
                wend_repair_destroy(it.repair);
                it.repair = NULL;
                if (most + needs / 40 > needs) most = needs;
                options.max_bytes = most, options.allocator = allocator;
                memory.peak_bytes = memory.live_bytes;
                wend_status status = wend_repair_create(it.db, it.map, &options, &it.repair, NULL);
                CHECK(status == WEND_OK || status == WEND_STATUS_NO_MEMORY);
                if (it.repair) inner(it.repair)->only = number ? 3 : 0;
                bool done = false;
                while (status == WEND_OK && !done) status = wend_repair_step(it.repair, 5000, &done, NULL);
                CHECK(done == (status == WEND_OK) && (done || status == WEND_STATUS_NO_MEMORY));
                if (it.repair) CHECK(wend_repair_about(it.repair).bytes == memory.live_bytes);
                if (needs) CHECK(memory.peak_bytes <= most && done == (most == needs));
                refused += !done;
                if (!needs) needs = memory.peak_bytes, most = 0;
                test_case();
            }
            CHECK(refused > 30);
        }
        close_case(&it);
    }
    CHECK(!memory.live_blocks && !memory.wrong_sizes);
}

static void wrong_use_is_refused(void) {
    repair_case it;
    test_random random = {8};
    wend_error error = {0};
    wend_repair *repair = NULL;
    wend_repair_options options = wend_default_repair_options(), none = {0};
    if (open_case(&it, 0, test_map_make(TEST_SHAPE_ROOMS, 9, 8, test_rules(0), &random, NULL), NULL)) {
        wend_map *wider = test_map_make(TEST_SHAPE_ROOMS, 10, 8, test_rules(0), &random, NULL);
        wend_map *ruled = test_map_make(TEST_SHAPE_ROOMS, 9, 8, test_rules(5), &random, NULL);
        CHECK(wend_repair_create(NULL, it.map, &options, &repair, &error) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_repair_create(it.db, NULL, &options, &repair, &error) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_repair_create(it.db, it.map, &options, NULL, &error) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_repair_create(it.db, it.map, NULL, &repair, &error) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_repair_create(it.db, it.map, &none, &repair, &error) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_repair_create(it.db, wider, &options, &repair, &error) == WEND_STATUS_OTHER_MAP);
        CHECK(wend_repair_create(it.db, ruled, &options, &repair, &error) == WEND_STATUS_OTHER_MAP &&
              !repair);
        /* The database's own map is not to be edited. */
        wend_db *own = test_db_build(wider, "cpd", 1);
        CHECK(wend_map_edit(wider, (wend_rect){0, 0, 10, 8}, true, NULL) == WEND_OK);
        CHECK(wend_repair_create(own, wider, &options, &repair, &error) == WEND_STATUS_OTHER_MAP && !repair);
        wend_db_close(own);
        CHECK(error.message[0]);
        bool done;
        CHECK(wend_repair_step(NULL, 1, &done, NULL) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_repair_step(it.repair, 1, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_repair_write(NULL, NULL, "x", NULL) == WEND_STATUS_BAD_ARGUMENT);
        CHECK(wend_cpd_repair_move(NULL, 0, 0) == WEND_CPD_NO_WAY);
        CHECK(wend_cpd_repair_move(it.repair, 0, 72) == WEND_CPD_NO_WAY);
        CHECK(wend_cpd_repair_move(it.repair, WEND_NO_CELL, 0) == WEND_CPD_NO_WAY);
        wend_db *other = test_db_build(it.base, "dlrta", 1);
        if (other)
            CHECK(wend_repair_create(other, it.map, &options, &repair, &error) == WEND_STATUS_UNSUPPORTED &&
                  !wend_db_can_repair(other) && wend_db_can_repair(it.db));
        wend_db_close(other);
        wend_repair_destroy(NULL);
        wend_map_destroy(ruled);
        wend_map_destroy(wider);
    }
    close_case(&it);
    test_case();
}

static const test tests[] = {
    {"answers are optimal after repair", answers_are_optimal_after_repair},
    {"narrow places of all kinds of maps", narrow_places_of_all_kinds_of_maps},
    {"a narrower passage costs little", a_narrower_passage_costs_little},
    {"answers are those of one map", answers_are_those_of_one_map},
    {"any beginning will do", any_beginning_will_do},
    {"little is done for little", little_is_done_for_little},
    {"runs repeat", runs_repeat},
    {"what is written verifies", what_is_written_verifies},
    {"refused memory is told", refused_memory_is_told},
    {"caps hold", caps_hold},
    {"wrong use is refused", wrong_use_is_refused},
};
TEST_MAIN(tests)
