/* Path databases: every stored move against Dijkstra's, the same bytes whoever builds them, the planner's
 * promises, batches, forged files, and what is refused. */
#include "methods/cpd/build/order.h"
#include "methods/cpd/layout.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/databases.h"
#include "support/files.h"
#include "support/first_moves.h"
#include "support/memory.h"
#include "support/settings.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* Every pair of many maps of all shapes and rules. */
static void every_pair_of_small_maps_is_optimal(void) {
    uint64_t pairs = 0, components = 0;
    for (uint64_t number = 0; number < (test_full() ? 1500 : test_some(140)); number++) {
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number) && (db = test_db_build(stage.map, "cpd", number))) {
            for (wend_cell to = 0; to < stage.grid.cells; to++) {
                uint32_t wrong = 0;
                if (stage.grid.open[to]) test_dijkstra(&stage.grid, to, stage.left);
                for (wend_cell from = 0; from < stage.grid.cells; from++) {
                    uint32_t move = wend_cpd_move(db, from, to);
                    bool open = stage.grid.open[from] && stage.grid.open[to];
                    wrong += open ? !test_is_first_move(&stage.grid, stage.left, from, move)
                                  : move != WEND_CPD_NO_WAY;
                    pairs++;
                }
                CHECK_THAT(!wrong, "map %llu: %u moves to cell %u are wrong", (unsigned long long)number,
                           wrong, to);
            }
            components += wend_cpd_of(db)->components > 1;
            wend_build_options options = wend_default_build_options();
            CHECK(wend_db_verify(db, stage.map, 0, &options, NULL) == WEND_OK);
            CHECK(wend_cpd_move(db, stage.grid.cells, 0) == WEND_CPD_NO_WAY);
            CHECK(wend_cpd_move(db, 0, WEND_NO_CELL) == WEND_CPD_NO_WAY);
        }
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(pairs > test_some(8000000) && components > test_some(30),
               "%llu pairs, %llu maps of several components", (unsigned long long)pairs,
               (unsigned long long)components);
}

static void check_game_map(const char *path, wend_rules rules, uint32_t most_cells, uint32_t sources) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    test_random random = {1};
    options.rules = rules;
    if (!CHECK_THAT(wend_map_load(path, &options, &map, NULL) == WEND_OK, "%s", path)) return;
    if (wend_map_open_cells(map) <= most_cells) {
        wend_db *db = test_db_build(map, "cpd", 1);
        uint64_t wrong =
            db ? test_wrong_first_moves(map, db, sources ? sources : wend_map_cells(map), &random) : 1;
        CHECK_THAT(!wrong, "%s: %llu moves are wrong", path, (unsigned long long)wrong);
        wend_db_close(db);
        test_case();
    }
    wend_map_destroy(map);
}

/* Game maps: all pairs of some small ones, under several rules; in the long form of all of bgmaps up to
 * 10,000 cells; and from a sample of the sources of large ones. */
static void game_maps_are_optimal(void) {
    static const char *const small[] = {"AR0408SR", "AR0402SR", "AR0606SR", "AR0702SR"};
    const char *shared = test_shared();
    char path[512];
    if (!shared) return;
    for (uint32_t i = 0; i < 4; i++) {
        (void)snprintf(path, sizeof path, "%s/maps/bgmaps/%s.map", shared, small[i]);
        check_game_map(path, i ? test_rules(i * 7) : wend_default_rules(), UINT32_MAX, 0);
    }
    if (!test_full()) return;
    glob_t found;
    (void)snprintf(path, sizeof path, "%s/maps/bgmaps/*.map", shared);
    if (CHECK(glob(path, 0, NULL, &found) == 0)) {
        CHECK(found.gl_pathc > 100);
        for (size_t i = 0; i < found.gl_pathc; i++)
            check_game_map(found.gl_pathv[i], wend_default_rules(), 10000, 0);
        globfree(&found);
    }
    (void)snprintf(path, sizeof path, "%s/maps/bgmaps/AR0700SR.map", shared);
    check_game_map(path, wend_default_rules(), UINT32_MAX, 100);
    (void)snprintf(path, sizeof path, "%s/maps/dao/orz103d.map", shared);
    check_game_map(path, wend_default_rules(), UINT32_MAX, 100);
}

static uint32_t components_of(const wend_db *db) {
    return wend_cpd_of(db)->components;
}

static void the_smallest_maps_work(void) {
    test_smallest_maps("cpd", components_of);
}

/* The same bytes ---------------------------------------------------------------------------------------- */

static wend_map *medium_map(uint64_t seed, uint32_t rules) {
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = NULL;
    options.seed = seed, options.map.rules = test_rules(rules);
    CHECK(wend_map_generate(seed % 2 ? WEND_MAP_CAVES : WEND_MAP_ROOMS, 70, 55, &options, &map, NULL) ==
          WEND_OK);
    return map;
}

static void any_workers_and_interruptions_give_the_same_bytes(void) {
    for (uint64_t seed = 0; seed < (test_full() ? 6 : test_each(2)); seed++) {
        wend_map *map = medium_map(seed, (uint32_t)seed * 5);
        test_db_same_bytes(map, "cpd", 25, test_full() ? 1 : 4);
        wend_map_destroy(map);
    }
}

/* AVX2, plain and wide searches tell the same weights and the same rows. */
static void all_forms_give_the_same_bytes(void) {
    wend_allocator allocator = wend_allocator_or_default(NULL);
    for (uint32_t number = 0; number < (test_full() ? 12 : test_some(3)); number++) {
        wend_map *map = medium_map(number, number * 7);
        wend_ranks ranks;
        wend_cpd_parcels parcels;
        uint32_t *weights[3];
        wend_buffer rows[3];
        if (!CHECK(wend_ranks_create(map, &allocator, &ranks, NULL) == WEND_OK)) return;
        CHECK(wend_cpd_parcels_create(&ranks, &allocator, &parcels, NULL) == WEND_OK);
        for (int form = 0; form < 3; form++) {
            wend_cpd_worker *worker = NULL;
            weights[form] = calloc((size_t)ranks.count * WEND_CPD_EDGES, sizeof **weights);
            rows[form] = (wend_buffer){.allocator = &allocator};
            CHECK(wend_cpd_worker_create(&ranks, &parcels, (wend_many_form)form, &allocator, &worker) ==
                  WEND_OK);
            for (uint32_t i = 0; worker && i < parcels.count; i++) {
                CHECK(wend_cpd_parcel_weigh(worker, &parcels.list[i], weights[form]) == WEND_OK);
                CHECK(wend_cpd_parcel_sets(worker, &parcels.list[i]) == WEND_OK);
                CHECK(wend_cpd_parcel_encode(worker, &parcels.list[i], &rows[form]) == WEND_OK);
            }
            wend_cpd_worker_destroy(worker);
        }
        uint64_t sum = 0;
        for (size_t i = 0; i < (size_t)ranks.count * WEND_CPD_EDGES; i++) sum += weights[0][i];
        CHECK(sum > ranks.count);
        for (int form = 1; form < 3; form++) {
            CHECK(memcmp(weights[0], weights[form],
                         (size_t)ranks.count * WEND_CPD_EDGES * sizeof **weights) == 0);
            CHECK(rows[0].size == rows[form].size &&
                  memcmp(rows[0].data, rows[form].data, rows[0].size) == 0);
        }
        for (int form = 0; form < 3; form++) {
            free(weights[form]);
            wend_buffer_release(&rows[form]);
        }
        wend_cpd_parcels_release(&parcels);
        wend_ranks_release(&ranks);
        wend_map_destroy(map);
        test_case();
    }
}

/* Rows of more than a page, from sets that no map has: each target gets a move of its set. */
static void rows_of_several_pages_are_read_as_written(void) {
    wend_allocator allocator = wend_allocator_or_default(NULL);
    test_random random = {9};
    wend_map *map = test_map_make(TEST_SHAPE_OPEN, 450, 453, wend_default_rules(), &random, NULL);
    wend_ranks ranks;
    wend_cpd_parcels parcels;
    wend_cpd_worker *worker = NULL;
    if (!CHECK(map) || !CHECK(wend_ranks_create(map, &allocator, &ranks, NULL) == WEND_OK)) return;
    CHECK(wend_cpd_parcels_create(&ranks, &allocator, &parcels, NULL) == WEND_OK);
    CHECK(wend_cpd_worker_create(&ranks, &parcels, WEND_MANY_BEST, &allocator, &worker) == WEND_OK);
    const uint32_t count = ranks.count, pages = wend_cpd_pages(count);
    CHECK(pages == 4);
    /* Every target a segment of its own. */
    worker->segments = count, worker->stride = count;
    for (uint32_t i = 0; i <= count; i++) worker->begins[i] = i;
    worker->sets = malloc(sizeof *worker->sets * 2 * count);
    uint16_t *kept = malloc(sizeof *kept * 2 * count);
    for (uint32_t density = 2; density < 40000; density *= 3) {
        wend_cpd_parcel parcel = parcels.list[0];
        parcel.sources = 2;
        for (uint32_t i = 0; i < 2; i++) {
            uint16_t set = 1;
            for (uint32_t j = 0; j < count; j++) {
                /* Long runs, and a few short ones; two rows that can't be shared. */
                if (test_below(&random, density + 20) == 0) set = (uint16_t)(1 + test_below(&random, 510));
                kept[i * count + j] = worker->sets[i * worker->stride + j] = (uint16_t)(j ? set : 1u << i);
            }
        }
        wend_buffer rows = {.allocator = &allocator};
        CHECK(wend_cpd_parcel_encode(worker, &parcel, &rows) == WEND_OK);
        CHECK(rows.size > 2 && rows.data[0] == 0 && rows.data[1] == 1);
        uint16_t *words = calloc(rows.size / 2 + WEND_CPD_WINDOW, sizeof *words), *row = words;
        memcpy(words, rows.data + 2, rows.size - 2);
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t wrong = 0;
            for (uint32_t j = 0; j < count; j++)
                wrong += !(kept[i * count + j] >> wend_cpd_symbol(row, pages, j) & 1);
            CHECK_THAT(!wrong, "%u of %u symbols are wrong", wrong, count);
            row += wend_cpd_row_words(row[pages - 1]);
        }
        CHECK((size_t)(row - words) == (rows.size - 2) / 2);
        free(words);
        wend_buffer_release(&rows);
        test_case();
    }
    free(kept);
    free(worker->sets);
    worker->sets = NULL;
    wend_cpd_worker_destroy(worker);
    wend_cpd_parcels_release(&parcels);
    wend_ranks_release(&ranks);
    wend_map_destroy(map);
}

/* A database of more than a page, made by hand: an open map in rows, and for each block one row of random
 * runs. */
typedef struct hand_made {
    wend_map *map;
    wend_db db;
    uint8_t *steps, *row_of;
    wend_cell *jumps;
    uint32_t sizes[2]; /* of the components */
    wend_buffer words;
    size_t *begins; /* of the rows, by block */
} hand_made;

/* Where a page's key of that number stands, as docs/reference/file-format.md has it: of n keys every 17th
 * comes first, then the others. */
static uint32_t place_of_key(uint32_t i, uint32_t n) {
    return (i + 1) % 17 == 0 ? i / 17 : n / 17 + i - i / 17;
}

/* A row for so many cells, with a key for every `density` / 2 of them. */
static void add_random_row(wend_buffer *words, test_random *random, uint32_t cells, uint32_t density) {
    uint16_t row[4096], pages = (uint16_t)wend_cpd_pages(cells), runs = 0, keys = pages;
    for (uint16_t page = 0; page < pages; page++) {
        uint32_t left = cells - ((uint32_t)page << WEND_CPD_PAGE_BITS), key = 0, n = 0;
        uint16_t ascending[3000] = {0};
        for (runs++;
             (key += 1 + test_below(random, density)) < (left < 65536 ? left : 65536) && keys + n < 3000;
             runs++)
            ascending[n++] = (uint16_t)key;
        for (uint32_t i = 0; i < n; i++) row[keys + place_of_key(i, n)] = ascending[i];
        row[page] = runs, keys = (uint16_t)(keys + n);
    }
    for (uint32_t run = 0; run < runs; run += 4) {
        uint32_t word = 0;
        for (uint32_t i = 0; i < 4 && run + i < runs; i++)
            word |= test_below(random, WEND_CPD_SYMBOLS) << 4 * i;
        row[keys++] = (uint16_t)word;
    }
    CHECK(wend_buffer_add(words, row, keys * sizeof *row) && keys == wend_cpd_row_words(runs));
}

/* Blocks of less than the full height at the lower edge are a component of their own. */
static void make_by_hand(hand_made *made, const wend_allocator *allocator, int32_t width, int32_t height,
                         uint32_t density) {
    test_random random = {density};
    const uint32_t across = ((uint32_t)width - 1) / WEND_BLOCK_WIDTH + 1,
                   down = ((uint32_t)height - 1) / WEND_BLOCK_HEIGHT + 1, rows = (uint32_t)height,
                   cells = (uint32_t)width * rows;
    static const uint16_t zeros[WEND_CPD_WINDOW];
    const uint32_t first = cells - rows % WEND_BLOCK_HEIGHT * (uint32_t)width;
    *made = (hand_made){.sizes = {first, cells - first}, .words.allocator = allocator};
    made->map = test_map_make(TEST_SHAPE_OPEN, width, height, wend_default_rules(), &random, NULL);
    made->steps = calloc((cells + 1) / 2, 1), made->row_of = calloc(cells, 1);
    made->jumps = malloc(rows * sizeof *made->jumps);
    made->begins = malloc((size_t)across * down * sizeof *made->begins);
    for (uint32_t i = 0; i < cells; i++)
        made->steps[i / 2] |= (uint8_t)((i % (uint32_t)width ? 2u : 8u) << i % 2 * 4);
    for (uint32_t y = 0; y < rows; y++) made->jumps[y] = y * (uint32_t)width;
    for (uint32_t i = 0; i < across * down; i++) {
        made->begins[i] = made->words.size / 2;
        bool upper = i / across < rows / WEND_BLOCK_HEIGHT;
        add_random_row(&made->words, &random, made->sizes[!upper], upper ? density : density / 30 + 1);
    }
    CHECK(wend_buffer_add(&made->words, zeros, sizeof zeros));
    made->db =
        (wend_db){.kind = &wend_db_cpd, .form = &wend_cpd_runs, .map = made->map, .allocator = *allocator};
    made->db.info.width = width, made->db.info.height = height, made->db.info.rules = wend_default_rules();
    const wend_section sections[] = {{"components", 4, cells > first ? 2 : 1, made->sizes},
                                     {"steps", 1, (cells + 1) / 2, made->steps},
                                     {"jumps", 4, rows, made->jumps},
                                     {"row_of", 1, cells, made->row_of},
                                     {"rows", 2, made->words.size / 2, made->words.data}};
    memcpy(made->db.sections, sections, sizeof sections);
    made->db.section_count = 5;
}

/* Keys that ascend up to the count, with anything behind them, in all forms of a window. */
static void windows_are_counted(void) {
    test_random random = {1};
    uint64_t all = 0;
    for (uint32_t round = 0; round < test_some(20000); round++) {
        uint16_t keys[WEND_WINDOW];
        uint32_t count = test_below(&random, WEND_WINDOW + 1), below = 0, first = 0;
        uint32_t step = 1 + test_below(&random, round % 2 ? 3 : 4000), last = test_below(&random, step);
        for (uint32_t i = 0; i < WEND_WINDOW; i++) {
            keys[i] = (uint16_t)(i < count ? last : test_below(&random, 65536));
            last += 1 + test_below(&random, step);
        }
        uint16_t key = (uint16_t)(round % 3 == 0   ? keys[test_below(&random, WEND_WINDOW)]
                                  : round % 3 == 1 ? test_below(&random, 16 * step)
                                                   : UINT16_MAX);
        while (first < WEND_WINDOW && keys[first] <= key) first++;
        while (below < count && keys[below] <= key) below++;
        all += first == WEND_WINDOW;
        CHECK(wend_window_below(keys, key) == first && wend_window_count(keys, count, key) == below);
        CHECK(!wend_has_avx2() || wend_window_below_avx2(keys, key) == first);
    }
    CHECK(all > test_some(5000));
    test_case();
}

/* Opened and looked up, against a plain reading of the layout; and refused when a page's count is wrong. */
static void files_of_one_page_and_of_several_are_read(void) {
    /* The most keys whose first level is a window are 288: the third has rows on both sides of that. */
    static const struct {
        int32_t width, height;
        uint32_t density;
    } cases[] = {{250, 255, 100}, {250, 255, 300},  {250, 255, 425},   {250, 255, 5000}, {450, 453, 300},
                 {450, 453, 440}, {450, 453, 1800}, {450, 453, 10800}, {450, 453, 64800}};
    wend_allocator allocator = wend_allocator_or_default(NULL);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const int32_t width = cases[c].width;
        const uint32_t density = cases[c].density, cells = (uint32_t)(width * cases[c].height);
        hand_made made;
        wend_error error = {0};
        test_random random = {density};
        make_by_hand(&made, &allocator, width, cases[c].height, density);
        CHECK_THAT(wend_cpd_runs.open(&made.db, &error) == WEND_OK, "%s", error.message);
        const uint16_t *words = (const uint16_t *)(const void *)made.words.data;
        const uint32_t first = made.sizes[0], pages = wend_cpd_pages(first),
                       across = ((uint32_t)width - 1) / WEND_BLOCK_WIDTH + 1;
        enum { PAIRS = 20000 };
        wend_cell *froms = malloc(2 * PAIRS * sizeof *froms), *tos = froms + PAIRS;
        wend_direction *all = malloc(2 * PAIRS * sizeof *all), *together = all + PAIRS;
        for (int i = 0; i < PAIRS; i++) {
            wend_cell from = test_below(&random, cells), to = test_below(&random, cells);
            /* Here and there, since groups of agents without any such are another case. */
            if (i % 256 < 64 && i % 4 == 0) from = first + from % (cells - first);
            if (i % 256 < 64 && i % 8 == 0) to = first + to % (cells - first);
            froms[i] = from, tos[i] = to;
            const bool upper = from < first, joined = upper == (to < first);
            wend_xy at = wend_map_xy(made.map, from), goal = wend_map_xy(made.map, to);
            const uint16_t *row =
                words +
                made.begins[(uint32_t)at.y / WEND_BLOCK_HEIGHT * across + (uint32_t)at.x / WEND_BLOCK_WIDTH];
            const uint32_t count = upper ? pages : 1, rank = !joined ? 0 : upper ? to : to - first;
            uint32_t page = rank >> 16, begin = page ? row[page - 1] : 0, n = row[page] - begin - 1u, key = 0;
            const uint16_t *keys = row + count + begin - page;
            while (key < n && keys[place_of_key(key, n)] <= (rank & 65535)) key++;
            uint32_t run = begin + key;
            uint32_t symbol = row[row[count - 1] + run / 4] >> run % 4 * 4 & 15;
            if (symbol == WEND_CPD_GREEDY) symbol = wend_greedy_move(8, goal.x - at.x, goal.y - at.y);
            bool legal = joined && wend_map_moves(made.map, from) >> symbol & 1;
            uint32_t expected = from == to ? WEND_NO_DIRECTION : legal ? symbol : WEND_CPD_NO_WAY;
            wend_direction move = 99;
            wend_cell batch = from;
            CHECK(wend_cpd_move(&made.db, from, to) == expected);
            CHECK(wend_cpd_step_many(&made.db, 1, &batch, &to, &move, NULL, NULL) == WEND_OK &&
                  move == expected);
            all[i] = (wend_direction)expected;
        }
        CHECK(wend_cpd_step_many(&made.db, PAIRS, froms, tos, together, NULL, NULL) == WEND_OK &&
              memcmp(all, together, PAIRS * sizeof *all) == 0);
        free(all);
        free(froms);
        wend_cpd_runs.close(&made.db);
        uint16_t *counts = (uint16_t *)(void *)made.words.data + made.begins[7];
        for (uint32_t page = 0; page < pages; page++) {
            uint16_t kept = counts[page];
            const uint16_t wrong[] = {0, (uint16_t)(kept + 1), (uint16_t)(kept - 1), UINT16_MAX};
            for (int i = 0; i < 4; i++) {
                counts[page] = wrong[i];
                /* A run more or less within a row may be as good a row, if its keys ascend. */
                wend_status status = wend_cpd_runs.open(&made.db, NULL);
                CHECK(status == WEND_STATUS_DAMAGED || (i == 1 || i == 2));
                wend_cpd_runs.close(&made.db);
            }
            counts[page] = kept;
        }
        free(made.steps);
        free(made.row_of);
        free(made.jumps);
        free(made.begins);
        wend_buffer_release(&made.words);
        wend_map_destroy(made.map);
        test_case();
    }
}

/* The planner ------------------------------------------------------------------------------------------- */

static void walks_are_optimal_and_within_bounds(void) {
    for (uint64_t number = 0; number < test_some(300); number++) {
        test_random random = {number};
        test_memory memory = {0};
        wend_world_options options = wend_default_world_options();
        options.allocator = test_allocator(&memory);
        test_stage stage;
        if (test_stage_open(&stage, test_map_any(number), &options) && wend_map_open_cells(stage.map)) {
            stage.number = number;
            wend_db *db = test_db_build(stage.map, "cpd", 1);
            wend_agent *agent = db ? test_db_agent(&stage, "cpd:db=x", db) : NULL;
            for (int i = 0; i < 4 && agent; i++) {
                wend_cell start = test_open_cell(stage.map, &random),
                          goal = test_open_cell(stage.map, &random);
                test_dijkstra(&stage.grid, goal, stage.left);
                uint64_t requests = memory.requests;
                test_walk walk = test_walk_to(&stage, agent, "cpd:db=x", start, goal, 10000);
                CHECK(memory.requests == requests && !walk.waits);
                bool reachable = stage.left[start] != WEND_NO_COST;
                CHECK(walk.end == (reachable ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE));
                CHECK(!reachable || walk.cost == stage.left[start]);
                CHECK(!wend_agent_counters(agent).expansions && wend_agent_counters(agent).peak_bytes <= 512);
                test_case();
            }
            /* A goal that moves at every step: the move is optimal for the goal as it is. */
            wend_cell start = test_open_cell(stage.map, &random);
            if (agent && CHECK(wend_agent_start(agent, start, start, NULL) == WEND_OK))
                for (int i = 0; i < 6; i++) {
                    wend_cell goal = test_open_cell(stage.map, &random), at = wend_agent_cell(agent);
                    test_dijkstra(&stage.grid, goal, stage.left);
                    if (stage.left[at] == WEND_NO_COST) continue;
                    CHECK(wend_agent_set_goal(agent, goal, NULL) == WEND_OK);
                    wend_step step = wend_agent_step(agent);
                    CHECK(step.outcome == (at == goal ? WEND_STEP_ARRIVED : WEND_STEP_MOVED));
                    CHECK(test_is_first_move(&stage.grid, stage.left, at, step.direction));
                }
            wend_agent_destroy(agent);
            wend_db_close(db);
        }
        test_stage_close(&stage);
    }
}

/* Arrays of agents: each moves as it would alone. */
static void batches_move_as_single_agents_do(void) {
    uint64_t moved = 0, arrived_before = 0, no_way = 0;
    for (uint64_t number = 0; number < test_some(200); number++) {
        test_random random = {number};
        wend_map *map = test_map_any(number);
        wend_db *db = map ? test_db_build(map, "cpd", 1) : NULL;
        size_t count = test_below(&random, 4) ? test_below(&random, 200) : test_below(&random, 4) * 32;
        wend_cell *at = malloc((count + 1) * sizeof *at), *goals = malloc((count + 1) * sizeof *goals),
                  *expected = malloc((count + 1) * sizeof *expected);
        wend_direction *moves = malloc(count + 1);
        for (size_t i = 0; i < count; i++) {
            uint32_t cells = wend_map_cells(map);
            wend_cell *ends[] = {&at[i], &goals[i]};
            for (int j = 0; j < 2; j++) {
                wend_cell cell = test_open_cell(map, &random);
                uint32_t odd = test_below(&random, 20);
                *ends[j] = odd == 0   ? test_below(&random, cells)
                           : odd == 1 ? cells + odd
                           : odd == 2 ? WEND_NO_CELL
                                      : cell;
            }
            if (test_below(&random, 10) == 0) goals[i] = at[i];
        }
        for (int step = 0; step < 12 && db; step++) {
            size_t arrived = 12345, there = 0;
            memcpy(expected, at, count * sizeof *at);
            bool tell = test_below(&random, 4) > 0;
            CHECK(wend_cpd_step_many(db, count, at, goals, tell ? moves : NULL, tell ? &arrived : NULL,
                                     NULL) == WEND_OK);
            for (size_t i = 0; i < count; i++) {
                wend_direction move = wend_cpd_move(db, expected[i], goals[i]);
                wend_cell next = move < 8 ? wend_map_next(map, expected[i], move) : expected[i];
                CHECK(at[i] == next && (!tell || moves[i] == move));
                bool known = next < wend_map_cells(map) && wend_map_is_open_cell(map, next);
                there += known && next == goals[i];
                moved += move < 8, arrived_before += move == WEND_NO_DIRECTION,
                    no_way += move == WEND_CPD_NO_WAY;
            }
            CHECK(!tell || arrived == there);
        }
        free(moves);
        free(expected);
        free(goals);
        free(at);
        wend_db_close(db);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(moved > test_some(20000) && arrived_before > test_some(1000) && no_way > test_some(1000),
               "%llu, %llu, %llu", (unsigned long long)moved, (unsigned long long)arrived_before,
               (unsigned long long)no_way);
}

static void only_a_path_database_of_the_map_moves_agents(void) {
    wend_map *map = medium_map(1, 0);
    wend_db *other = test_db_build(map, "dlrta", 1), *db = NULL;
    wend_cell at = 0, goal = 0;
    wend_error error = {0};
    CHECK(wend_cpd_move(NULL, 0, 0) == WEND_CPD_NO_WAY && wend_cpd_move(other, 0, 0) == WEND_CPD_NO_WAY);
    CHECK(wend_cpd_step_many(other, 1, &at, &goal, NULL, NULL, &error) == WEND_STATUS_BAD_ARGUMENT &&
          error.message[0]);
    CHECK(wend_cpd_step_many(NULL, 1, &at, &goal, NULL, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    db = test_db_build(map, "cpd", 1);
    CHECK(wend_cpd_step_many(db, 1, NULL, &goal, NULL, NULL, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(wend_cpd_step_many(db, 0, NULL, NULL, NULL, NULL, NULL) == WEND_OK);
    wend_db_close(db);
    wend_db_close(other);
    wend_map_destroy(map);
}

/* Forged files ------------------------------------------------------------------------------------------ */

static void change(void *data, uint32_t width, uint64_t i, test_random *random) {
    uint64_t value = width == 1   ? ((uint8_t *)data)[i]
                     : width == 2 ? ((uint16_t *)data)[i]
                                  : ((uint32_t *)data)[i];
    uint64_t values[] = {value + 1, value - 1, value ^ 1u << test_below(random, 8 * width), UINT64_MAX, 0};
    value = values[test_below(random, 5)];
    if (width == 1)
        ((uint8_t *)data)[i] = (uint8_t)value;
    else if (width == 2)
        ((uint16_t *)data)[i] = (uint16_t)value;
    else
        ((uint32_t *)data)[i] = (uint32_t)value;
}

/* Opened without its map, the same file says the same of itself, and is found right or wrong. */
static bool without_a_map(const wend_db *db, const wend_map *map, wend_status verified) {
    enum { FACTS = 9 };
    wend_build_options options = wend_default_build_options();
    wend_db blind = *db;
    wend_fact known[FACTS], told[FACTS];
    blind.map = NULL, blind.state = NULL;
    bool good = wend_cpd_runs.open(&blind, NULL) == WEND_OK && wend_db_facts(db, known, FACTS) == FACTS &&
                wend_db_facts(&blind, told, FACTS) == FACTS;
    for (size_t i = 0; good && i < FACTS; i++)
        good = strcmp(known[i].name, told[i].name) == 0 && known[i].value >= told[i].value &&
               known[i].value <= told[i].value;
    if (good) good = wend_db_verify(&blind, map, 0, &options, NULL) == verified;
    if (good) good = wend_cpd_move(&blind, 0, 0) == WEND_CPD_NO_WAY;
    wend_cpd_runs.close(&blind);
    return good;
}

/* Numbers of a file changed at random, or an end cut off: what `open` takes gives legal moves only, and
 * `verify` finds what is not optimal. */
static void forged_files_are_refused_or_harmless(void) {
    uint64_t refused = 0, taken = 0, found = 0;
    wend_build_options options = wend_default_build_options();
    const uint64_t maps = 70, rounds = test_full() ? 86 : 10;
    for (uint64_t map = 0; map < maps; map++) {
        test_stage stage;
        wend_db *db = NULL;
        bool good = test_stage_any(&stage, map) && wend_map_open_cells(stage.map) &&
                    (db = test_db_build(stage.map, "cpd", 1));
        for (uint64_t round = 0; good && round < rounds; round++) {
            test_random random = {round * maps + map};
            wend_db altered = *db;
            uint32_t which = test_below(&random, 3) ? (uint32_t)altered.section_count - 1 /* the rows */
                                                    : test_below(&random, (uint32_t)altered.section_count);
            wend_section *section = &altered.sections[which];
            size_t size = (size_t)section->count * section->width;
            uint8_t *data = malloc(size + 1); /* to the byte, so that sanitizers see what lies beyond */
            memcpy(data, section->data, size);
            for (uint32_t i = test_below(&random, 2) + 1; i > 0; i--)
                change(data, section->width, test_below(&random, (uint32_t)section->count), &random);
            bool same = memcmp(data, section->data, size) == 0;
            section->data = data;
            bool cut = !same && test_below(&random, 10) == 0;
            if (cut) section->count -= 1 + test_below(&random, (uint32_t)section->count);
            wend_error error = {0};
            altered.state = NULL;
            wend_status status = wend_cpd_runs.open(&altered, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_DAMAGED && error.message[0] && !same));
            CHECK(!cut || status == WEND_STATUS_DAMAGED);
            if (status == WEND_OK) {
                uint32_t wrong = 0;
                for (wend_cell to = 0; to < stage.grid.cells && stage.grid.cells < 500; to++) {
                    if (stage.grid.open[to]) test_dijkstra(&stage.grid, to, stage.left);
                    for (wend_cell from = 0; from < stage.grid.cells; from++) {
                        uint32_t move = wend_cpd_move(&altered, from, to);
                        CHECK(move <= WEND_CPD_NO_WAY);
                        if (move < 8) CHECK(test_next(&stage.grid, from, (int)move) != WEND_NO_CELL);
                        if (stage.grid.open[from] && stage.grid.open[to])
                            wrong += !test_is_first_move(&stage.grid, stage.left, from, move);
                    }
                }
                status = wend_db_verify(&altered, stage.map, 0, &options, &error);
                CHECK(status == WEND_OK || (status == WEND_STATUS_WRONG_CONTENTS && error.message[0]));
                CHECK(!wrong || status == WEND_STATUS_WRONG_CONTENTS);
                CHECK(!same || status == WEND_OK);
                CHECK(without_a_map(&altered, stage.map, status));
                taken++, found += status != WEND_OK;
            } else {
                refused++;
            }
            wend_cpd_runs.close(&altered);
            free(data);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(refused > 300 && found > 30, "%llu refused, %llu taken, %llu found",
               (unsigned long long)refused, (unsigned long long)taken, (unsigned long long)found);
}

/* A file that says it is of a map with more cells, or fewer, than it has ranks for, opened without one. */
static void other_maps_are_found(void) {
    wend_build_options options = wend_default_build_options();
    for (uint32_t fewer = 0; fewer < 2; fewer++) {
        test_random random = {0};
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, 41, 41, wend_default_rules(), &random, NULL),
                 *other = test_map_make(TEST_SHAPE_OPEN, 41, 41, wend_default_rules(), &random, NULL);
        CHECK(wend_map_edit(fewer ? map : other, (wend_rect){6, 0, 35, 41}, false, NULL) == WEND_OK);
        wend_db *db = test_db_build(map, "cpd", 1);
        if (CHECK(db)) {
            test_forged forged = test_forge(db);
            forged.db.map = NULL, forged.db.info.fingerprint = wend_map_fingerprint(other);
            if (CHECK(wend_cpd_runs.open(&forged.db, NULL) == WEND_OK))
                CHECK(wend_db_verify(&forged.db, other, 0, &options, NULL) == WEND_STATUS_WRONG_CONTENTS);
            wend_cpd_runs.close(&forged.db);
            test_forged_free(&forged);
        }
        wend_db_close(db);
        wend_map_destroy(map);
        wend_map_destroy(other);
        test_case();
    }
}

/* A file may claim any map: what is asked for goes with its length as long as no map is given. */
static void memory_goes_with_the_file(void) {
    static const char *const rows[] = {"..."};
    static const int32_t sides[] = {3, 14, 100, 5000, WEND_MAX_SIDE};
    wend_map *map = test_map_of_rows(rows, 1);
    wend_db *db = test_db_build(map, "cpd", 1);
    for (size_t i = 0; db && i < sizeof sides / sizeof *sides; i++)
        for (uint32_t twice = 0; twice < 2; twice++) {
            test_memory memory = {0};
            wend_error error = {0};
            test_forged forged = test_forge(db);
            forged.db.map = NULL, forged.db.allocator = test_allocator(&memory);
            forged.db.info.width = forged.db.info.height = sides[i];
            /* The cells are those of the first line, one after another; or there and back again. */
            uint64_t count = 0;
            const void *place = wend_db_section(&forged.db, "steps", 1, &count);
            uint8_t *steps = NULL;
            for (uint32_t j = 0; j < WEND_DB_SECTIONS; j++)
                if (forged.copies[j] == place) steps = forged.copies[j];
            if (!CHECK(count == 2 && steps)) break;
            if (twice) steps[1] = (uint8_t)((steps[0] >> 4) ^ 4);
            wend_status status = wend_cpd_runs.open(&forged.db, &error);
            CHECK_THAT(status == (twice ? WEND_STATUS_DAMAGED : WEND_OK), "side %d: %s", sides[i],
                       error.message);
            CHECK_THAT(memory.peak_bytes < 16 * forged.db.info.bytes, "side %d: %llu bytes of memory",
                       sides[i], (unsigned long long)memory.peak_bytes);
            wend_cpd_runs.close(&forged.db);
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            forged.db.allocator = db->allocator;
            test_forged_free(&forged);
            test_case();
        }
    wend_db_close(db);
    wend_map_destroy(map);
}

/* A planner with a file that leads it round or into a wall stands or walks, legally and within its bounds. */
static void a_lying_file_leads_nobody_through_walls(void) {
    for (uint64_t number = 0; number < test_some(120); number++) {
        test_random random = {number};
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number) && wend_map_open_cells(stage.map) &&
            (db = test_db_build(stage.map, "cpd", 1))) {
            wend_cpd *base = db->state;
            /* Every cell gets the row of another one of its component. */
            for (uint32_t i = 0; i < stage.grid.cells; i++) {
                wend_cell a = test_open_cell(stage.map, &random), b = test_open_cell(stage.map, &random);
                uint32_t rank_a = base->entries[a].rank_and_moves >> WEND_CPD_RANK_SHIFT,
                         rank_b = base->entries[b].rank_and_moves >> WEND_CPD_RANK_SHIFT;
                if (wend_cpd_component(base, rank_a) == wend_cpd_component(base, rank_b))
                    base->entries[a].row = base->entries[b].row;
            }
            wend_agent *agent = test_db_agent(&stage, "cpd:db=x", db);
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            if (agent && CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK))
                for (int i = 0; i < 100; i++) {
                    wend_cell before = wend_agent_cell(agent);
                    wend_step step = wend_agent_step(agent);
                    CHECK(step.operations <= wend_agent_bound(agent, 1));
                    if (step.outcome == WEND_STEP_MOVED)
                        CHECK(wend_agent_cell(agent) == test_next(&stage.grid, before, step.direction));
                    else
                        CHECK(wend_agent_cell(agent) == before);
                }
            wend_agent_destroy(agent);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
}

/* Caps and memory --------------------------------------------------------------------------------------- */

static void what_does_not_fit_is_refused_with_words(void) {
    wend_map *map = medium_map(3, 0);
    const wend_settings *settings = NULL;
    wend_build_options options = wend_default_build_options();
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("database"));
    CHECK(test_db_settings_parse("cpd", &settings, NULL) == WEND_OK);
    CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_OK);
    test_bytes bytes = test_read(path);
    static const uint64_t sizes[] = {100, 3000, 9000};
    for (int i = 0; i < 5; i++) {
        wend_error error = {0};
        options.max_size = i < 3 ? sizes[i] : i == 3 ? bytes.size - 1 : bytes.size;
        wend_status status = wend_db_build(map, settings, &options, path, &error);
        CHECK_THAT(status == (i == 4 ? WEND_OK : WEND_STATUS_TOO_LARGE), "%d: %s", i, error.message);
        CHECK(i == 4 || error.message[0]);
        test_case();
    }
    options.max_size = 0;
    for (size_t most = 1000; most < (size_t)1 << 28; most *= 4) {
        wend_error error = {0};
        options.max_memory = most;
        wend_status status = wend_db_build(map, settings, &options, path, &error);
        CHECK(status == WEND_OK || (status == WEND_STATUS_NO_MEMORY && error.message[0]));
        CHECK(most > 2000 || status == WEND_STATUS_NO_MEMORY);
        CHECK(most < (size_t)1 << 26 || status == WEND_OK);
        test_case();
    }
    CHECK(test_db_settings_parse("cpd:encoding=circles", &settings, NULL) == WEND_STATUS_BAD_ARGUMENT);
    free(bytes.data);
    wend_map_destroy(map);
}

enum { LEAST = 16384 }; /* what a build has for itself before it looks at a cap is less */

/* A cap on memory is kept, whatever a worker turns out to take; twice of what a build takes, and a megabyte,
 * is enough. */
static void a_cap_on_memory_is_kept(void) {
    const wend_settings *settings = NULL;
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("database"));
    CHECK(test_db_settings_parse("cpd", &settings, NULL) == WEND_OK);
    for (uint64_t number = 0; number < 12; number++) {
        test_stage stage;
        if (!test_stage_any(&stage, number)) continue;
        test_memory memory = {0};
        wend_build_options options = wend_default_build_options();
        options.allocator = test_allocator(&memory);
        CHECK(wend_db_build(stage.map, settings, &options, path, NULL) == WEND_OK);
        const uint64_t taken = memory.peak_bytes;
        for (uint64_t part = 1; part <= 8; part++) {
            wend_error error = {0};
            memory = (test_memory){0};
            options.max_memory = part == 8 ? 2 * taken + 1000000 : taken * part / 4 + LEAST;
            wend_status status = wend_db_build(stage.map, settings, &options, path, &error);
            CHECK_THAT(memory.peak_bytes <= options.max_memory, "map %llu: %llu bytes of %llu allowed",
                       (unsigned long long)number, (unsigned long long)memory.peak_bytes,
                       (unsigned long long)options.max_memory);
            CHECK(!memory.live_blocks && !memory.wrong_sizes);
            CHECK_THAT(status == WEND_OK || (status == WEND_STATUS_NO_MEMORY && error.message[0]),
                       "map %llu, %llu/4 of %llu bytes: %s", (unsigned long long)number,
                       (unsigned long long)part, (unsigned long long)taken, error.message);
            CHECK(part < 8 || status == WEND_OK);
            test_case();
        }
        test_stage_close(&stage);
    }
}

/* Refused at any request: reported, and nothing is lost. */
static void refused_memory_is_reported(void) {
    static const char *const rows[] = {"..........", ".@@@.@@@@.", "......@..."};
    wend_map *map = test_map_of_rows(rows, 3);
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("database"));
    const wend_settings *settings = NULL;
    CHECK(test_db_settings_parse("cpd", &settings, NULL) == WEND_OK);
    bool refused = true;
    for (uint64_t at = 1; refused && at < 300; at++) {
        test_memory memory = {.refuse_at = at};
        wend_build_options options = wend_default_build_options();
        options.allocator = test_allocator(&memory);
        wend_status status = wend_db_build(map, settings, &options, path, NULL);
        refused = memory.requests >= at;
        CHECK(status == (refused ? WEND_STATUS_NO_MEMORY : WEND_OK));
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    CHECK(!refused);
    refused = true;
    for (uint64_t at = 1; refused && at < 100; at++) {
        test_memory memory = {.refuse_at = at};
        wend_db_options options = wend_default_db_options();
        options.allocator = test_allocator(&memory);
        wend_db *db = NULL;
        wend_status status = wend_db_open(path, map, &options, &db, NULL);
        refused = memory.requests >= at;
        CHECK(status == (refused ? WEND_STATUS_NO_MEMORY : WEND_OK) && (status == WEND_OK) == (db != NULL));
        wend_db_close(db);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    CHECK(!refused);
    wend_map_destroy(map);
}

static const test tests[] = {
    {"every pair of small maps is optimal", every_pair_of_small_maps_is_optimal},
    {"game maps are optimal", game_maps_are_optimal},
    {"the smallest maps work", the_smallest_maps_work},
    {"any workers and interruptions give the same bytes", any_workers_and_interruptions_give_the_same_bytes},
    {"all forms give the same bytes", all_forms_give_the_same_bytes},
    {"rows of several pages are read as written", rows_of_several_pages_are_read_as_written},
    {"windows are counted", windows_are_counted},
    {"files of one page and of several are read", files_of_one_page_and_of_several_are_read},
    {"walks are optimal and within bounds", walks_are_optimal_and_within_bounds},
    {"batches move as single agents do", batches_move_as_single_agents_do},
    {"only a path database of the map moves agents", only_a_path_database_of_the_map_moves_agents},
    {"forged files are refused or harmless", forged_files_are_refused_or_harmless},
    {"memory goes with the file", memory_goes_with_the_file},
    {"other maps are found", other_maps_are_found},
    {"a lying file leads nobody through walls", a_lying_file_leads_nobody_through_walls},
    {"what does not fit is refused with words", what_does_not_fit_is_refused_with_words},
    {"a cap on memory is kept", a_cap_on_memory_is_kept},
    {"refused memory is reported", refused_memory_is_reported},
};

TEST_MAIN(tests)
