/* Path databases in the paper's forms, rectangles, squares and uncompressed: every move against Dijkstra's,
 * every list against a plain reading of the paper, the same bytes whoever builds them, agents, forged files,
 * and what is refused. */
#include "methods/cpd/lists/list.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/databases.h"
#include "support/files.h"
#include "support/first_moves.h"
#include "support/memory.h"
#include "support/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const char *const forms[] = {"cpd:encoding=rectangles",
                                    "cpd:encoding=rectangles,ties=label",
                                    "quadtree",
                                    "quadtree:ties=label",
                                    "upd",
                                    "upd:ties=set"};
enum { FORMS = sizeof forms / sizeof *forms };

/* Moves ------------------------------------------------------------------------------------------------- */

static void check_all_pairs(test_stage *stage, const wend_db *const *dbs, uint64_t *pairs) {
    for (wend_cell to = 0; to < stage->grid.cells; to++) {
        uint32_t wrong[FORMS] = {0};
        if (stage->grid.open[to]) test_dijkstra(&stage->grid, to, stage->left);
        for (wend_cell from = 0; from < stage->grid.cells; from++)
            for (int f = 0; f < FORMS; f++) {
                uint32_t move = wend_cpd_move(dbs[f], from, to);
                bool open = stage->grid.open[from] && stage->grid.open[to];
                wrong[f] += open ? !test_is_first_move(&stage->grid, stage->left, from, move)
                                 : move != WEND_CPD_NO_WAY;
                ++*pairs;
            }
        for (int f = 0; f < FORMS; f++)
            CHECK_THAT(!wrong[f], "map %llu, %s: %u moves to cell %u are wrong",
                       (unsigned long long)stage->number, forms[f], wrong[f], to);
    }
}

static void every_pair_of_small_maps_is_optimal(void) {
    uint64_t pairs = 0, components = 0;
    for (uint64_t number = 0; number < (test_full() ? 600 : test_some(48)); number++) {
        test_stage stage;
        wend_db *dbs[FORMS] = {NULL};
        bool good = test_stage_any(&stage, number);
        stage.number = number;
        for (int f = 0; f < FORMS && good; f++) {
            dbs[f] = test_db_build(stage.map, forms[f], number);
            good = dbs[f] != NULL;
        }
        if (good) {
            check_all_pairs(&stage, (const wend_db *const *)dbs, &pairs);
            components += wend_cpd_lists_of(dbs[0])->components > 1;
        }
        for (int f = 0; f < FORMS; f++) {
            wend_build_options options = wend_default_build_options();
            CHECK(!good || wend_db_verify(dbs[f], stage.map, 0, &options, NULL) == WEND_OK);
            CHECK(wend_cpd_move(dbs[f], stage.grid.cells, 0) == WEND_CPD_NO_WAY);
            CHECK(wend_cpd_move(dbs[f], 0, WEND_NO_CELL) == WEND_CPD_NO_WAY);
            wend_db_close(dbs[f]);
        }
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(pairs > test_some(4000000) && components > test_some(5),
               "%llu pairs, %llu maps of several components", (unsigned long long)pairs,
               (unsigned long long)components);
}

static uint32_t components_of(const wend_db *db) {
    return wend_cpd_lists_of(db)->components;
}

static void the_smallest_maps_work(void) {
    for (int f = 0; f < FORMS; f++) test_smallest_maps(forms[f], components_of);
}

static void game_maps_are_optimal(void) {
    static const char *const names[] = {"bgmaps/AR0408SR", "bgmaps/AR0402SR", "bgmaps/AR0702SR"};
    for (uint32_t i = 0; i < 3; i++) {
        wend_rules rules = i ? test_rules(i * 5) : wend_default_rules();
        test_random random = {i};
        wend_map *map = test_map_shared(names[i], &rules, NULL);
        if (!map) return;
        for (int f = 0; f < FORMS; f++) {
            wend_db *db = test_db_build(map, forms[f], 1);
            uint32_t sources = test_full() ? wend_map_cells(map) : test_some(200);
            CHECK_THAT(db && !test_wrong_first_moves(map, db, sources, &random), "%s, %s", names[i],
                       forms[f]);
            wend_db_close(db);
            test_case();
        }
        wend_map_destroy(map);
    }
}

/* Lists, as the paper has them -------------------------------------------------------------------------- */

/* A map, all distances on it, and the move table of one source: what is said on each cell, 255 where nothing
 * is. */
typedef struct plain_table {
    test_stage *stage;
    wend_cost *all; /* from each cell to each */
    int32_t width, height;
    uint8_t *table;
    uint8_t *there; /* a cell of the source's component, and not the source */
} plain_table;

static void fill_plain(plain_table *t, wend_cell source, bool label) {
    const test_grid *grid = &t->stage->grid;
    for (wend_cell to = 0; to < grid->cells; to++) {
        const wend_cost *left = t->all + (size_t)to * grid->cells;
        t->table[to] = 255, t->there[to] = 0;
        if (!grid->open[to] || to == source || left[source] == WEND_NO_COST) continue;
        uint32_t set = 0;
        for (int k = 0; k < 8; k++) {
            wend_cell next = test_next(grid, source, k);
            if (next != WEND_NO_CELL && left[next] + test_move_cost(grid, k) == left[source]) set |= 1u << k;
        }
        /* One label: the greedy move, the first diagonal one, or else the first of all. */
        int32_t dx = (int32_t)to % t->width - (int32_t)source % t->width,
                dy = (int32_t)to / t->width - (int32_t)source / t->width;
        if (grid->rules.connect == 4 && dy) dx = 0;
        int greedy = !dx      ? (dy < 0 ? 0 : 4)
                     : !dy    ? (dx > 0 ? 2 : 6)
                     : dx > 0 ? (dy < 0 ? 1 : 3)
                     : dy < 0 ? 7
                              : 5;
        if (label && set >> greedy & 1) set = 1u << greedy;
        for (int k = 1; label && k < 8; k += 2)
            if (set >> k & 1) set = 1u << k;
        for (int k = 0; label && k < 8; k++)
            if (set >> k & 1) set = 1u << k;
        t->table[to] = (uint8_t)set, t->there[to] = 1;
    }
}

typedef struct plain_block {
    int32_t x1, y1, x2, y2;
    uint32_t area, move;
} plain_block;

/* What all cells of a block have in common; counts those that are there. */
static uint32_t common(const plain_table *t, plain_block *b) {
    uint32_t set = 255;
    b->area = 0;
    for (int32_t y = b->y1; y <= b->y2; y++)
        for (int32_t x = b->x1; x <= b->x2; x++)
            set &= t->table[y * t->width + x], b->area += t->there[y * t->width + x];
    for (b->move = 1; b->move < 8 && !(set >> b->move & 1); b->move += 2) continue;
    if (b->move > 7)
        for (b->move = 0; b->move < 8 && !(set >> b->move & 1); b->move++) continue;
    return set;
}

static plain_block part(const plain_block *b, int edge, int32_t lines, bool rest) {
    plain_block p = *b;
    if (rest) { /* what is left is the piece at the other edge */
        lines = (edge < 2 ? b->x2 - b->x1 : b->y2 - b->y1) + 1 - lines;
        edge ^= 1;
    }
    if (edge == 0) p.x2 = b->x1 + lines - 1;
    if (edge == 1) p.x1 = b->x2 - lines + 1;
    if (edge == 2) p.y2 = b->y1 + lines - 1;
    if (edge == 3) p.y1 = b->y2 - lines + 1;
    return p;
}

typedef struct plain_list {
    plain_block blocks[2048];
    uint32_t count;
} plain_list;

static void split(const plain_table *t, plain_block b, plain_list *list) {
    if (b.x1 > b.x2 || b.y1 > b.y2) return;
    if (common(t, &b)) {
        if (b.area) list->blocks[list->count++] = b;
        return;
    }
    int best = -1;
    int32_t best_lines = 0;
    uint32_t best_area = 0;
    for (int edge = 0; edge < 4; edge++) {
        int32_t most = edge < 2 ? b.x2 - b.x1 + 1 : b.y2 - b.y1 + 1, lines = 0;
        uint32_t area = 0;
        for (int32_t i = 1; i <= most; i++) {
            plain_block p = part(&b, edge, i, false);
            if (!common(t, &p)) break;
            lines = i, area = p.area;
        }
        if (lines && (best < 0 || area > best_area)) best = edge, best_lines = lines, best_area = area;
    }
    if (best < 0) {
        best = b.x2 - b.x1 > b.y2 - b.y1 ? 0 : 2;
        best_lines = ((best ? b.y2 - b.y1 : b.x2 - b.x1) + 1) / 2;
    }
    split(t, part(&b, best, best_lines, false), list);
    split(t, part(&b, best, best_lines, true), list);
}

/* Over the whole map, as the paper has it, not over a component's box. */
static void plain_rectangles(const plain_table *t, wend_cell source, plain_list *list) {
    int32_t x = (int32_t)source % t->width, y = (int32_t)source / t->width, w = t->width - 1,
            h = t->height - 1;
    const plain_block around[8] = {{0, 0, x - 1, y - 1, 0, 0}, {x, 0, x, y - 1, 0, 0},
                                   {x + 1, 0, w, y - 1, 0, 0}, {x + 1, y, w, y, 0, 0},
                                   {x + 1, y + 1, w, h, 0, 0}, {x, y + 1, x, h, 0, 0},
                                   {0, y + 1, x - 1, h, 0, 0}, {0, y, x - 1, y, 0, 0}};
    list->count = 0;
    for (int i = 0; i < 8; i++) split(t, around[i], list);
    /* Larger ones first, the others as they were made. */
    for (uint32_t i = 1; i < list->count; i++)
        for (uint32_t j = i; j && list->blocks[j].area > list->blocks[j - 1].area; j--) {
            plain_block kept = list->blocks[j];
            list->blocks[j] = list->blocks[j - 1], list->blocks[j - 1] = kept;
        }
}

static void plain_squares(const plain_table *t, int32_t x, int32_t y, int32_t side, plain_list *list) {
    if (x >= t->width || y >= t->height) return;
    plain_block b = {x,
                     y,
                     x + side < t->width ? x + side - 1 : t->width - 1,
                     y + side < t->height ? y + side - 1 : t->height - 1,
                     0,
                     0};
    uint32_t set = common(t, &b);
    if (set) {
        if (b.area) list->blocks[list->count++] = b;
        return;
    }
    for (int i = 0; i < 4; i++) plain_squares(t, x + i % 2 * side / 2, y + i / 2 * side / 2, side / 2, list);
}

/* The same cells, by the same move. The library's rectangle may end elsewhere where no cell is: it looks at
 * the component's box only. */
static bool same_rectangle(const plain_table *t, const plain_block *b, uint64_t record,
                           const wend_cpd_lists *base) {
    int32_t at[4];
    for (int i = 0; i < 4; i++) {
        uint32_t bits = i % 2 ? base->y_bits : base->x_bits;
        at[i] = (int32_t)(record & ((UINT64_C(1) << bits) - 1)), record >>= bits;
    }
    if (record != b->move) return false;
    uint32_t in_both = 0;
    for (int32_t y = at[1]; y <= at[3]; y++)
        for (int32_t x = at[0]; x <= at[2]; x++) {
            if (!t->there[y * t->width + x]) continue;
            if (x < b->x1 || x > b->x2 || y < b->y1 || y > b->y2) return false;
            in_both++;
        }
    return in_both == b->area;
}

static bool same_square(const plain_table *t, const plain_block *b, uint64_t record,
                        const wend_cpd_lists *base) {
    uint64_t number = 0;
    (void)t, (void)base;
    for (int i = 0; i < 15; i++)
        number |= (uint64_t)(b->x1 >> i & 1) << 2 * i | (uint64_t)(b->y1 >> i & 1) << (2 * i + 1);
    return record == (number << 3 | b->move);
}

static void check_lists(plain_table *t, const wend_db *db, bool label, plain_list *list, double *checks) {
    const wend_cpd_lists *base = wend_cpd_lists_of(db);
    const bool squares = db->kind == &wend_db_quadtree;
    *checks = 0;
    for (wend_cell source = 0; source < t->stage->grid.cells; source++) {
        if (!t->stage->grid.open[source]) continue;
        fill_plain(t, source, label);
        list->count = 0;
        if (squares)
            plain_squares(t, 0, 0, 1 << base->levels, list);
        else
            plain_rectangles(t, source, list);
        uint32_t rank = base->ranks.rank[source], wrong = 0;
        const uint8_t *records = base->records + base->begins[rank] * base->record_bytes;
        CHECK_THAT(base->begins[rank + 1] - base->begins[rank] == list->count,
                   "map %llu, cell %u: %u records, not %u", (unsigned long long)t->stage->number, source,
                   (unsigned)(base->begins[rank + 1] - base->begins[rank]), list->count);
        uint32_t cells = 0, sum = 0;
        for (uint32_t i = 0; i < list->count && base->begins[rank] + i < base->begins[rank + 1]; i++) {
            wrong += !(squares ? same_square : same_rectangle)(t, &list->blocks[i],
                                                               wend_cpd_record(base, records, i), base);
            cells += list->blocks[i].area, sum += (i + 1) * list->blocks[i].area;
        }
        CHECK_THAT(!wrong, "map %llu, cell %u: %u records are not the paper's",
                   (unsigned long long)t->stage->number, source, wrong);
        if (cells) *checks += (double)sum / cells;
    }
}

static double fact_of(const wend_db *db, const char *name) {
    wend_fact facts[16];
    size_t count = wend_db_facts(db, facts, 16);
    for (size_t i = 0; i < count && i < 16; i++)
        if (strcmp(facts[i].name, name) == 0) return facts[i].value;
    return NAN;
}

static void lists_are_those_of_the_paper(void) {
    plain_list *list = malloc(sizeof *list);
    uint64_t maps = 0;
    for (uint64_t number = 0; number < (test_full() ? 700 : test_some(100)) && CHECK(list); number++) {
        test_stage stage;
        if (test_stage_any(&stage, number) && stage.grid.cells <= 700) {
            const size_t cells = stage.grid.cells;
            stage.number = number;
            plain_table t = {.stage = &stage, .width = stage.grid.width, .height = stage.grid.height};
            t.all = malloc(cells * cells * sizeof *t.all);
            t.table = malloc(cells), t.there = malloc(cells);
            if (!CHECK(t.all && t.table && t.there)) abort();
            for (wend_cell to = 0; to < cells; to++)
                if (stage.grid.open[to]) test_dijkstra(&stage.grid, to, t.all + to * cells);
            wend_cpd_measures measures = {0};
            wend_build_options options = wend_default_build_options();
            CHECK(wend_cpd_measure(stage.map, &options, &measures, NULL) == WEND_OK);
            double open = wend_map_open_cells(stage.map) ? wend_map_open_cells(stage.map) : 1;
            for (int f = 0; f < 4; f++) {
                wend_db *db = test_db_build(stage.map, forms[f], 1);
                const wend_cpd_counts *counts = f % 2 ? &measures.label : &measures.set;
                double checks = 0;
                if (db) check_lists(&t, db, f % 2, list, &checks);
                /* What is counted without a database is what it has. */
                if (f < 2 && db) {
                    CHECK((double)counts->rectangles == fact_of(db, "rectangles"));
                    CHECK(counts->longest == fact_of(db, "longest_list"));
                    CHECK_THAT(fabs(counts->checks - checks / open) < 1e-4, "%g checks, not %g",
                               counts->checks, checks / open);
                    CHECK(!wend_map_open_cells(stage.map) || counts->checks == fact_of(db, "checks_mean"));
                } else if (db) {
                    CHECK((double)counts->squares == fact_of(db, "squares"));
                }
                wend_db_close(db);
            }
            free(t.all);
            free(t.table);
            free(t.there);
            maps++;
            test_case();
        }
        test_stage_close(&stage);
    }
    CHECK_THAT(maps > test_some(40), "only %llu maps", (unsigned long long)maps);
    free(list);
}

/* The counts that the paper prints. */
static void the_papers_counts_come_out(void) {
    if (test_skip_thinned()) return;
    wend_map *map = test_map_shared("bgmaps/AR0404SR", NULL, NULL);
    if (!map) return;
    wend_cpd_measures measures = {0};
    wend_build_options building = wend_default_build_options();
    building.tasks = shared_tasks(2);
    CHECK(wend_cpd_measure(map, &building, &measures, NULL) == WEND_OK);
    const wend_cpd_counts *label = &measures.label, *set = &measures.set;
    CHECK(measures.cells == 9836 && measures.pairs == 9836u * 9835u);
    CHECK_THAT(fabs((double)label->rectangles / 184034 - 1) < 0.15, "%llu rectangles",
               (unsigned long long)label->rectangles);
    CHECK(set->rectangles < label->rectangles && set->squares < label->squares);
    CHECK(label->squares > 3 * label->rectangles && label->checks < 6.2 && set->checks < label->checks);
    wend_map_destroy(map);
}

/* The same bytes ---------------------------------------------------------------------------------------- */

static wend_map *medium_map(uint64_t seed) {
    wend_generate_options options = wend_default_generate_options();
    wend_map *map = NULL;
    options.seed = seed, options.map.rules = test_rules((uint32_t)seed * 5);
    CHECK(wend_map_generate(seed % 2 ? WEND_MAP_CAVES : WEND_MAP_ROOMS, 50, 41, &options, &map, NULL) ==
          WEND_OK);
    return map;
}

static void any_workers_and_interruptions_give_the_same_bytes(void) {
    if (test_skip_thinned()) return;
    for (int f = 0; f < FORMS; f++) {
        wend_map *map = medium_map((uint64_t)f);
        test_db_same_bytes(map, forms[f], 16, test_full() ? 1 : 5);
        wend_build_options options = wend_default_build_options();
        wend_cpd_measures measures[2] = {{0}};
        CHECK(wend_cpd_measure(map, &options, &measures[0], NULL) == WEND_OK);
        options.tasks = shared_tasks(5);
        CHECK(wend_cpd_measure(map, &options, &measures[1], NULL) == WEND_OK);
        CHECK(memcmp(&measures[0], &measures[1], sizeof *measures) == 0);
        wend_map_destroy(map);
        test_case();
    }
}

/* Agents ------------------------------------------------------------------------------------------------ */

static void walks_are_optimal_and_within_bounds(void) {
    static const char *const names[FORMS] = {"cpd:db=x",      "cpd:db=x", "quadtree:db=x",
                                             "quadtree:db=x", "upd:db=x", "upd:db=x"};
    for (uint64_t number = 0; number < test_some(120); number++) {
        test_random random = {number};
        test_memory memory = {0};
        wend_world_options options = wend_default_world_options();
        options.allocator = test_allocator(&memory);
        test_stage stage;
        if (test_stage_open(&stage, test_map_any(number), &options) && wend_map_open_cells(stage.map)) {
            const int f = (int)(number % FORMS);
            const char *planner = number % 4 ? names[f] : "cpd:db=x"; /* which takes them all */
            stage.number = number;
            wend_db *db = test_db_build(stage.map, forms[f], 1);
            wend_agent *agent = db ? test_db_agent(&stage, planner, db) : NULL;
            for (int i = 0; i < 4 && agent; i++) {
                wend_cell start = test_open_cell(stage.map, &random),
                          goal = test_open_cell(stage.map, &random);
                test_dijkstra(&stage.grid, goal, stage.left);
                uint64_t requests = memory.requests;
                test_walk walk = test_walk_to(&stage, agent, planner, start, goal, 10000);
                CHECK(memory.requests == requests && !walk.waits);
                bool reachable = stage.left[start] != WEND_NO_COST;
                CHECK(walk.end == (reachable ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE));
                CHECK(!reachable || walk.cost == stage.left[start]);
                test_case();
            }
            wend_agent_destroy(agent);
            wend_db_close(db);
        }
        test_stage_close(&stage);
    }
}

static void batches_move_as_single_agents_do(void) {
    uint64_t moved = 0, no_way = 0;
    for (uint64_t number = 0; number < test_some(60); number++) {
        test_random random = {number};
        wend_map *map = test_map_any(number);
        wend_db *db = map ? test_db_build(map, forms[number % FORMS], 1) : NULL;
        enum { COUNT = 50 };
        wend_cell at[COUNT], goals[COUNT], expected[COUNT];
        wend_direction moves[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) {
            at[i] = test_below(&random, 4) ? test_open_cell(map, &random)
                                           : test_below(&random, wend_map_cells(map) + 1);
            goals[i] = test_below(&random, 8) ? test_open_cell(map, &random) : at[i];
        }
        for (int step = 0; step < 10 && db; step++) {
            size_t arrived = 0, there = 0;
            memcpy(expected, at, sizeof at);
            CHECK(wend_cpd_step_many(db, COUNT, at, goals, moves, &arrived, NULL) == WEND_OK);
            for (uint32_t i = 0; i < COUNT; i++) {
                wend_direction move = wend_cpd_move(db, expected[i], goals[i]);
                wend_cell next = move < 8 ? wend_map_next(map, expected[i], move) : expected[i];
                CHECK(at[i] == next && moves[i] == move);
                there += move != WEND_CPD_NO_WAY && next == goals[i];
                moved += move < 8, no_way += move == WEND_CPD_NO_WAY;
            }
            CHECK(arrived == there);
        }
        wend_db_close(db);
        wend_map_destroy(map);
        test_case();
    }
    CHECK(moved > test_some(5000) && no_way > test_some(500));
}

static void planners_take_their_own_kind(void) {
    static const struct {
        const char *planner, *kind;
        bool good;
    } cases[] = {{"cpd:db=x", "cpd", true},       {"cpd:db=x", "upd", true},
                 {"cpd:db=x", "quadtree", true},  {"upd:db=x", "upd", true},
                 {"upd:db=x", "cpd", false},      {"upd:db=x", "quadtree", false},
                 {"quadtree:db=x", "upd", false}, {"quadtree:db=x", "cpd:encoding=rectangles", false},
                 {"cpd:db=x", "dlrta", false}};
    test_stage stage;
    if (!test_stage_any(&stage, 30)) return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wend_db *db = test_db_build(stage.map, cases[i].kind, 1);
        const wend_settings *settings = NULL;
        wend_agent_options options = wend_default_agent_options();
        wend_agent *agent = NULL;
        wend_error error = {0};
        options.db = db;
        CHECK(test_settings_parse(cases[i].planner, &settings, NULL) == WEND_OK);
        wend_status status = wend_agent_create(stage.world, settings, &options, &agent, &error);
        CHECK_THAT(status == (cases[i].good ? WEND_OK : WEND_STATUS_BAD_ARGUMENT), "%s with %s: %s",
                   cases[i].planner, cases[i].kind, error.message);
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_case();
    }
    test_stage_close(&stage);
}

/* Forged files ------------------------------------------------------------------------------------------ */

/* One number of a section becomes another, or its end is cut off. */
static void forge(test_forged *made, test_random *random) {
    uint32_t which = test_below(random, 2) ? (uint32_t)made->db.section_count - 1 /* the records */
                                           : test_below(random, (uint32_t)made->db.section_count);
    wend_section *section = &made->db.sections[which];
    uint64_t size = section->count * section->width;
    if (!size) return;
    uint8_t *byte = (uint8_t *)made->copies[which] + test_below(random, (uint32_t)size);
    switch (test_below(random, 6)) {
    case 0:
        section->count -= 1 + test_below(random, (uint32_t)section->count);
        break;
    case 1:
        *byte = 255;
        break;
    case 2:
        *byte = 0;
        break;
    case 3:
        ++*byte;
        break;
    default:
        *byte ^= (uint8_t)(1u << test_below(random, 8));
        break;
    }
}

static bool is_same(const wend_db *a, const wend_db *b) {
    for (size_t i = 0; i < a->section_count; i++)
        if (a->sections[i].count != b->sections[i].count ||
            (a->sections[i].count && memcmp(a->sections[i].data, b->sections[i].data,
                                            (size_t)a->sections[i].count * a->sections[i].width) != 0))
            return false;
    return true;
}

/* What `open` takes gives legal moves only, and `verify` finds what is not optimal. */
static void forged_files_are_refused_or_harmless(void) {
    uint64_t refused = 0, taken = 0, found = 0;
    wend_build_options options = wend_default_build_options();
    for (uint64_t number = 0; number < (test_full() ? 6000 : test_some(900)); number++) {
        test_random random = {number};
        test_stage stage;
        wend_db *db = NULL;
        if (test_stage_any(&stage, number % 50) && wend_map_open_cells(stage.map) && stage.grid.cells < 500 &&
            (db = test_db_build(stage.map, forms[number % FORMS], 1))) {
            test_forged made = test_forge(db);
            forge(&made, &random);
            bool same = is_same(db, &made.db);
            wend_error error = {0};
            wend_status status = made.db.form->open(&made.db, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_DAMAGED && error.message[0] && !same));
            uint32_t wrong = 0;
            for (wend_cell to = 0; to < stage.grid.cells && status == WEND_OK; to++) {
                if (stage.grid.open[to]) test_dijkstra(&stage.grid, to, stage.left);
                for (wend_cell from = 0; from < stage.grid.cells; from++) {
                    uint32_t move = wend_cpd_move(&made.db, from, to);
                    CHECK(move <= WEND_CPD_NO_WAY);
                    if (move < 8) CHECK(test_next(&stage.grid, from, (int)move) != WEND_NO_CELL);
                    if (stage.grid.open[from] && stage.grid.open[to])
                        wrong += !test_is_first_move(&stage.grid, stage.left, from, move);
                }
            }
            if (status == WEND_OK) {
                wend_fact facts[16];
                CHECK(wend_db_facts(&made.db, facts, 16) <= 16);
                status = wend_db_verify(&made.db, stage.map, 0, &options, &error);
                CHECK(status == (same ? WEND_OK : WEND_STATUS_WRONG_CONTENTS));
                CHECK(!wrong || status == WEND_STATUS_WRONG_CONTENTS);
                taken++, found += status != WEND_OK;
            } else {
                refused++;
            }
            test_forged_free(&made);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(refused > test_some(100) && found > test_some(50), "%llu refused, %llu taken, %llu found",
               (unsigned long long)refused, (unsigned long long)taken, (unsigned long long)found);
}

/* Caps and memory --------------------------------------------------------------------------------------- */

static void what_does_not_fit_is_refused_with_words(void) {
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("database"));
    for (int f = 0; f < FORMS; f++) {
        wend_map *map = medium_map(1);
        const wend_settings *settings = NULL;
        wend_build_options options = wend_default_build_options();
        CHECK(test_db_settings_parse(forms[f], &settings, NULL) == WEND_OK);
        CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_OK);
        test_bytes bytes = test_read(path);
        for (int i = 0; i < 4; i++) {
            wend_error error = {0};
            options.max_size = i == 0 ? 100 : i == 1 ? bytes.size / 2 : i == 2 ? bytes.size - 1 : bytes.size;
            wend_status status = wend_db_build(map, settings, &options, path, &error);
            CHECK_THAT(status == (i == 3 ? WEND_OK : WEND_STATUS_TOO_LARGE), "%s, %d: %s", forms[f], i,
                       error.message);
            CHECK(i == 3 || error.message[0]);
            test_case();
        }
        options.max_size = 0;
        for (size_t most = 1000; most < (size_t)1 << 27; most *= 8) {
            wend_error error = {0};
            options.max_memory = most;
            wend_status status = wend_db_build(map, settings, &options, path, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_NO_MEMORY && error.message[0]));
            CHECK(most > 10000 || status == WEND_STATUS_NO_MEMORY);
            CHECK(most < (size_t)1 << 25 || status == WEND_OK);
            wend_cpd_measures measures;
            status = wend_cpd_measure(map, &options, &measures, &error);
            CHECK(status == WEND_OK || (status == WEND_STATUS_NO_MEMORY && error.message[0]));
            test_case();
        }
        free(bytes.data);
        wend_map_destroy(map);
    }
    /* Far beyond any cap, and known before anything is searched. */
    wend_map_options large = wend_default_map_options();
    wend_map *map = NULL;
    const wend_settings *settings = NULL;
    wend_build_options options = wend_default_build_options();
    wend_error error = {0};
    if (!CHECK(wend_map_create(1000, 1000, &large, &map, NULL) == WEND_OK)) return;
    for (int32_t y = 0; y < 1000; y++) {
        char row[1001];
        memset(row, '.', 1000);
        CHECK(wend_map_set_row(map, y, row, NULL) == WEND_OK);
    }
    options.max_memory = (size_t)1 << 30, options.max_size = (uint64_t)1 << 30;
    CHECK(test_db_settings_parse("upd", &settings, NULL) == WEND_OK);
    CHECK(wend_db_build(map, settings, &options, path, &error) == WEND_STATUS_TOO_LARGE &&
          strstr(error.message, "500"));
    options.max_size = 0;
    CHECK(wend_db_build(map, settings, &options, path, &error) == WEND_STATUS_NO_MEMORY);
    wend_map_destroy(map);
    test_case();
    /* Labels are the rectangles'. */
    map = medium_map(2);
    options = wend_default_build_options();
    CHECK(test_db_settings_parse("cpd:ties=label", &settings, NULL) == WEND_OK);
    CHECK(wend_db_build(map, settings, &options, path, &error) == WEND_STATUS_BAD_ARGUMENT &&
          strstr(error.message, "rectangles"));
    CHECK(test_db_settings_parse("cpd:ties=first", &settings, NULL) == WEND_STATUS_BAD_ARGUMENT);
    CHECK(test_db_settings_parse("upd:encoding=runs", &settings, NULL) == WEND_STATUS_BAD_ARGUMENT);
    wend_map_destroy(map);
}

/* Refused at any request: reported, and nothing is lost. */
static void refused_memory_is_reported(void) {
    static const char *const rows[] = {"..........", ".@@@.@@@@.", "......@..."};
    wend_map *map = test_map_of_rows(rows, 3);
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("database"));
    for (int f = 0; f < FORMS; f++) {
        const wend_settings *settings = NULL;
        CHECK(test_db_settings_parse(forms[f], &settings, NULL) == WEND_OK);
        for (int way = 0; way < 3; way++) { /* build, open, measure */
            bool refused = true;
            for (uint64_t at = 1; refused && at < 300; at++) {
                test_memory memory = {.refuse_at = at};
                wend_build_options options = wend_default_build_options();
                wend_db_options opening = wend_default_db_options();
                options.allocator = opening.allocator = test_allocator(&memory);
                wend_db *db = NULL;
                wend_cpd_measures measures;
                wend_status status = way == 0   ? wend_db_build(map, settings, &options, path, NULL)
                                     : way == 1 ? wend_db_open(path, map, &opening, &db, NULL)
                                                : wend_cpd_measure(map, &options, &measures, NULL);
                refused = memory.requests >= at;
                CHECK(status == (refused ? WEND_STATUS_NO_MEMORY : WEND_OK));
                wend_db_close(db);
                CHECK(!memory.live_blocks && !memory.wrong_sizes);
                test_case();
            }
            CHECK(!refused);
        }
    }
    wend_map_destroy(map);
}

static const test tests[] = {
    {"every pair of small maps is optimal", every_pair_of_small_maps_is_optimal},
    {"the smallest maps work", the_smallest_maps_work},
    {"game maps are optimal", game_maps_are_optimal},
    {"lists are those of the paper", lists_are_those_of_the_paper},
    {"the paper's counts come out", the_papers_counts_come_out},
    {"any workers and interruptions give the same bytes", any_workers_and_interruptions_give_the_same_bytes},
    {"walks are optimal and within bounds", walks_are_optimal_and_within_bounds},
    {"batches move as single agents do", batches_move_as_single_agents_do},
    {"planners take their own kind", planners_take_their_own_kind},
    {"forged files are refused or harmless", forged_files_are_refused_or_harmless},
    {"what does not fit is refused with words", what_does_not_fit_is_refused_with_words},
    {"refused memory is reported", refused_memory_is_reported},
};

TEST_MAIN(tests)
