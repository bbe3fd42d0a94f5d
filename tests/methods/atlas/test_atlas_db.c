/* The atlas of a map: every cell covered, links of least cost, hierarchies that give the graph's distances,
 * the same bytes from any workers and any number of interruptions, forged files, odd maps. */
#include "methods/atlas/agent/query.h"
#include "methods/atlas/build/build.h"
#include "support/check.h"
#include "support/crew.h"
#include "support/databases.h"
#include "support/files.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wend/wend.h>

static const char *const kinds[] = {
    "atlas",
    "atlas:sector=4",
    "atlas:sector=8",
    "atlas:sector=8,rounds=0",
    "atlas:sector=5",
    "atlas:sector=6,rounds=3",
    "atlas:sector=8,eps=0%",
    "atlas:sector=16,rounds=4,eps=10%",
    "atlas:sector=6,labels=yes",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Whether a representative in the 3 x 3 sectors around covers a cell, by the reference's climber. */
static bool is_covered(const test_grid *grid, const wend_atlas *atlas, wend_cell cell) {
    int32_t side = (int32_t)atlas->grid.side, width = grid->width;
    int32_t column = (int32_t)cell % width / side, row = (int32_t)cell / width / side;
    for (uint32_t i = 0; i < atlas->count; i++) {
        int32_t x = (int32_t)atlas->cells[i] % width / side, y = (int32_t)atlas->cells[i] / width / side;
        if (abs(x - column) > 1 || abs(y - row) > 1) continue;
        if (test_climb_cost(grid, cell, atlas->cells[i]) != WEND_NO_COST &&
            test_climb_cost(grid, atlas->cells[i], cell) != WEND_NO_COST)
            return true;
    }
    return false;
}

static void check_coverage(const test_stage *stage, const wend_atlas *atlas, const char *kind) {
    for (wend_cell cell = 0; cell < stage->grid.cells; cell++)
        if (stage->grid.open[cell])
            CHECK_THAT(is_covered(&stage->grid, atlas, cell), "%s on map %llu: nobody covers cell %u", kind,
                       (unsigned long long)stage->number, cell);
}

static void every_cell_is_covered(void) {
    uint64_t maps = test_full() ? 2000 : test_some(400);
    for (uint64_t number = 0; number < maps; number++) {
        test_stage stage;
        const char *kind = kinds[number % KINDS];
        wend_db *db = test_stage_any(&stage, number) ? test_db_build(stage.map, kind, 1) : NULL;
        if (db) {
            check_coverage(&stage, wend_atlas_of(db), kind);
            wend_error error = {0};
            wend_build_options options = wend_default_build_options();
            CHECK_THAT(wend_db_verify(db, stage.map, 0, &options, &error) == WEND_OK, "%s", error.message);
            wend_fact facts[16];
            CHECK(wend_db_facts(db, facts, 16) <= 16 && facts[0].value == wend_atlas_of(db)->count);
        }
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

/* Edges cost what Dijkstra says, and their legs are climbs of octile cost, both ways. Two representatives are
 * joined by edges iff they are by a path. */
static void edges_are_exact(void) {
    uint64_t edges = 0, bent = 0;
    for (uint64_t number = 0; number < test_some(240); number++) {
        test_stage stage;
        const char *kind = kinds[number % KINDS];
        wend_db *db = test_stage_any(&stage, 3000 + number) ? test_db_build(stage.map, kind, 1) : NULL;
        const wend_atlas *atlas = db ? wend_atlas_of(db) : NULL;
        for (uint32_t i = 0; atlas && i < atlas->count; i++) {
            test_dijkstra(&stage.grid, atlas->cells[i], stage.left);
            for (uint32_t j = atlas->first[i]; j < atlas->first[i + 1]; j++) {
                wend_atlas_up up = wend_atlas_arc_at(atlas, j);
                CHECK_THAT(up.cost >= stage.left[atlas->cells[up.to]], "an arc costs less than a path");
                if (up.what < atlas->count) continue;
                CHECK_THAT(up.cost == stage.left[atlas->cells[up.to]],
                           "%s on map %llu: the edge from %u to %u costs %llu, not %llu", kind,
                           (unsigned long long)stage.number, atlas->cells[i], atlas->cells[up.to],
                           (unsigned long long)up.cost, (unsigned long long)stage.left[atlas->cells[up.to]]);
                uint32_t bends = wend_atlas_bend_count(atlas, up.what);
                wend_cell at = atlas->cells[i];
                for (uint32_t k = 0; k <= bends; k++) {
                    wend_cell next =
                        k < bends ? wend_atlas_bend(atlas, up.what, k, false) : atlas->cells[up.to];
                    wend_cost octile = test_distance(&stage.grid, at, next);
                    CHECK(test_climb_cost(&stage.grid, at, next) == octile &&
                          test_climb_cost(&stage.grid, next, at) == octile);
                    at = next;
                }
                edges++, bent += bends > 0;
            }
        }
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(edges > test_some(4000) && bent > test_some(200), "%llu edges, %llu of them bent",
               (unsigned long long)edges, (unsigned long long)bent);
}

/* All distances over the edges of an atlas, by going round until nothing changes. */
static void graph_distances(const wend_atlas *atlas, uint32_t from, uint64_t *costs) {
    for (uint32_t i = 0; i < atlas->count; i++) costs[i] = UINT64_MAX;
    costs[from] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < atlas->count; i++)
            for (uint32_t j = atlas->first[i]; j < atlas->first[i + 1]; j++) {
                wend_atlas_up up = wend_atlas_arc_at(atlas, j);
                if (up.what < atlas->count) continue;
                if (costs[i] != UINT64_MAX && costs[i] + up.cost < costs[up.to])
                    costs[up.to] = costs[i] + up.cost, changed = true;
                if (costs[up.to] != UINT64_MAX && costs[up.to] + up.cost < costs[i])
                    costs[i] = costs[up.to] + up.cost, changed = true;
            }
    }
}

static uint64_t search_cost(wend_atlas_query *query, uint32_t from, uint32_t to, uint64_t slice) {
    uint64_t counted = 0;
    query->sides[0].ends[0] = (wend_atlas_end){0, from};
    query->sides[1].ends[0] = (wend_atlas_end){0, to};
    query->sides[0].end_count = query->sides[1].end_count = 1;
    query->sides[0].cell = query->atlas->cells[from], query->sides[1].cell = query->atlas->cells[to];
    wend_atlas_query_begin(query);
    for (uint64_t before = 0; !wend_atlas_query_run(query, slice, &counted); before = counted)
        CHECK(counted > before && counted - before <= slice + WEND_ATLAS_OVER);
    return query->best;
}

/* The way that a search has found: from arc to arc, for its cost. */
static void check_way(wend_atlas_query *query, uint32_t from, uint32_t to, uint64_t slice) {
    const wend_atlas *atlas = query->atlas;
    uint64_t counted = 0, cost = 0, looks = 0;
    uint32_t at = UINT32_MAX;
    wend_atlas_way_begin(query);
    for (bool more = true; more;) {
        uint32_t reps[3], count;
        bool done = wend_atlas_way_run(query, reps, 3, &count, slice, &counted);
        for (uint32_t i = 0; i < count; at = reps[i++]) {
            if (at == UINT32_MAX) {
                CHECK(reps[i] == from);
                continue;
            }
            uint32_t low = at < reps[i] ? at : reps[i], high = at < reps[i] ? reps[i] : at;
            uint32_t arc = wend_atlas_find(atlas, low, high, &looks);
            if (CHECK(arc != UINT32_MAX)) cost += wend_atlas_arc_at(atlas, arc).cost;
        }
        if (count) CHECK(query->left == query->best - cost);
        more = !done || query->top != query->bottom;
    }
    CHECK(at == to && cost == query->best && wend_atlas_way_end(query).rep == to);
}

static void hierarchies_give_the_distances_of_the_graph(void) {
    uint64_t pairs = 0;
    for (uint64_t number = 0; number < test_some(120); number++) {
        test_stage stage;
        const char *kind = kinds[number % KINDS];
        wend_db *db = test_stage_any(&stage, 5000 + number) ? test_db_build(stage.map, kind, 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        const wend_atlas *atlas = db ? wend_atlas_of(db) : NULL;
        wend_atlas_pool *pool = agent ? wend_atlas_pool_join(agent->ground, atlas) : NULL;
        wend_atlas_query *query = pool && atlas ? wend_atlas_borrow(pool, atlas, atlas->map) : NULL;
        uint64_t *costs = calloc(stage.grid.cells + 1, sizeof *costs);
        uint32_t most = test_full() ? UINT32_MAX : 12; /* sources of a map */
        if (query && costs)
            for (uint32_t i = 0; i < atlas->count && i < most; i++) {
                graph_distances(atlas, i, costs);
                for (uint32_t j = 0; j < atlas->count; j++) {
                    uint64_t cost = search_cost(query, i, j, 1 + number % 50);
                    CHECK_THAT(cost == costs[j], "%s on map %llu: from %u to %u it is %llu, not %llu", kind,
                               (unsigned long long)stage.number, i, j, (unsigned long long)cost,
                               (unsigned long long)costs[j]);
                    if (cost == costs[j] && cost != UINT64_MAX) check_way(query, i, j, 1 + number % 7);
                    pairs++;
                }
            }
        if (query) wend_atlas_return(pool, query);
        free(costs);
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(pairs > test_some(12000), "only %llu pairs", (unsigned long long)pairs);
}

/* Workers and interruptions ------------------------------------------------------------------------------ */

typedef struct stopper {
    uint64_t calls, stop_at;
    char stage[32];
    uint64_t done, total;
    bool backwards;
} stopper;

static bool progress(void *context, const wend_progress *told) {
    stopper *s = context;
    if (strcmp(s->stage, told->stage) == 0) s->backwards |= told->done < s->done || told->total != s->total;
    s->backwards |= told->done > told->total;
    (void)snprintf(s->stage, sizeof s->stage, "%s", told->stage);
    s->done = told->done, s->total = told->total;
    return ++s->calls != s->stop_at;
}

/* A map with all that makes edges long and bent. */
static wend_map *varied_map(int32_t side, wend_rules rules) {
    return test_map_generated(WEND_MAP_CAVES, side, rules, 1);
}

static void workers_and_interruptions_leave_the_bytes_alone(void) {
    wend_map *map = varied_map(300, wend_default_rules());
    const wend_settings *settings = NULL;
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("a.wend"));
    CHECK(test_db_settings_parse("atlas:sector=16", &settings, NULL) == WEND_OK);
    wend_build_options options = wend_default_build_options();
    stopper s = {.stage = ""};
    options.progress = progress, options.progress_context = &s;
    CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_OK);
    CHECK(!s.backwards && s.calls > 5);
    test_bytes expected = test_read(path);
    for (uint32_t workers = 1; workers <= 8; workers *= 2) {
        options.tasks = shared_tasks((int)workers);
        CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_OK);
        test_bytes bytes = test_read(path);
        CHECK_THAT(test_same_bytes(bytes, expected), "other bytes from %u workers", workers);
        free(bytes.data);
        test_case();
    }
    /* Stopped at every look in turn, then continued; twice, if it comes to that. */
    uint64_t stops = 0;
    for (uint64_t stop = 1; stop < 400; stop += 1 + stop / test_some(8)) {
        options.tasks = stop % 2 ? shared_tasks(2) : (wend_tasks){0};
        (void)unlink(path);
        wend_status status = WEND_STATUS_INTERRUPTED;
        for (int turn = 0; status == WEND_STATUS_INTERRUPTED; turn++) {
            s = (stopper){.stage = "", .stop_at = turn < 2 ? stop + (uint64_t)turn : 0};
            options.resume = turn > 0;
            wend_error error = {0};
            status = wend_db_build(map, settings, &options, path, &error);
            CHECK(!s.backwards && (status == WEND_OK || status == WEND_STATUS_INTERRUPTED));
            stops += status == WEND_STATUS_INTERRUPTED;
        }
        test_bytes bytes = test_read(path);
        CHECK_THAT(test_same_bytes(bytes, expected), "other bytes when stopped at %llu",
                   (unsigned long long)stop);
        free(bytes.data);
        test_case();
    }
    CHECK(stops > test_some(10));
    free(expected.data);
    wend_map_destroy(map);
}

/* A lack of memory at any request is reported, and leaves nothing behind. A cap is kept. */
static void a_lack_of_memory_is_no_harm(void) {
    wend_map *map = varied_map(60, test_rules(3));
    const wend_settings *settings = NULL;
    char path[300];
    (void)snprintf(path, sizeof path, "%s", test_path("b.wend"));
    CHECK(test_db_settings_parse("atlas:sector=8", &settings, NULL) == WEND_OK);
    bool done = false;
    for (uint64_t refuse = 1; !done && refuse < 100000; refuse += 1 + refuse / 20) {
        test_memory memory = {.refuse_at = refuse};
        wend_build_options options = wend_default_build_options();
        options.allocator = test_allocator(&memory);
        wend_error error = {0};
        wend_status status = wend_db_build(map, settings, &options, path, &error);
        done = status == WEND_OK;
        CHECK_THAT(done || (status == WEND_STATUS_NO_MEMORY && error.message[0]), "request %llu: %d %s",
                   (unsigned long long)refuse, (int)status, error.message);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    CHECK(done);
    wend_map_destroy(map);
    /* 16 bytes per cell for the tables of jump-point search, at no time together with the owners' 4; and what
     * is kept of representatives and edges, and for searches. */
    map = test_map_generated(WEND_MAP_OPEN, 1500, wend_default_rules(), 1);
    test_memory memory = {0};
    wend_build_options options = wend_default_build_options();
    options.allocator = test_allocator(&memory);
    CHECK(test_db_settings_parse("atlas", &settings, NULL) == WEND_OK);
    CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_OK);
    CHECK_THAT(memory.peak_bytes < 17 * (uint64_t)wend_map_cells(map) + (6u << 20), "%llu bytes",
               (unsigned long long)memory.peak_bytes);
    options.max_memory = 10 * (size_t)wend_map_cells(map);
    CHECK(wend_db_build(map, settings, &options, path, NULL) == WEND_STATUS_NO_MEMORY);
    wend_map_destroy(map);
    (void)unlink(test_path("b.wend.part"));
    test_case();
}

/* Forged files ------------------------------------------------------------------------------------------ */

static void wrong_contents_are_found(void) {
    for (size_t k = 1; k < KINDS; k++) test_db_flips_are_found(kinds[k], k, test_some(150));
}

/* Takes the arcs of some representatives out of a database, so that it is sound in itself but knows fewer
 * ways: all shortcuts over them go too. */
static void thin_out(test_forged *made, test_random *random) {
    const wend_atlas *atlas = wend_atlas_of(&made->db);
    uint32_t *first = NULL, *counts = NULL, kept = 0, edges = 0;
    uint8_t *arcs = NULL;
    wend_section *rows = NULL;
    for (size_t i = 0; i < made->db.section_count; i++) {
        if (strcmp(made->db.sections[i].name, "first") == 0) first = made->copies[i];
        if (strcmp(made->db.sections[i].name, "arcs") == 0)
            arcs = made->copies[i], rows = &made->db.sections[i];
        if (strcmp(made->db.sections[i].name, "counts") == 0) counts = made->copies[i];
    }
    if (!CHECK(first && arcs && counts && rows)) return;
    size_t bytes = (size_t)atlas->words * rows->width;
    uint32_t count = atlas->count, start = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t end = first[i + 1];
        bool gone = test_below(random, 6) == 0;
        for (uint32_t j = start; j < end; j++) {
            /* A shortcut over one that has lost its arcs would be refused: it goes as well, now and then. */
            if (gone) continue;
            wend_atlas_up up = wend_atlas_arc_at(atlas, j);
            if (up.what < count && first[up.what] == first[up.what + 1]) continue;
            edges += up.what >= count;
            memmove(arcs + kept++ * bytes, arcs + j * bytes, bytes);
        }
        start = end, first[i + 1] = kept;
    }
    rows->count = (uint64_t)kept * atlas->words;
    counts[0] = edges, counts[1] = kept - edges;
}

/* Sections of any contents and any length: refused, or harmless to an agent, which arrives or gives up. */
static void nonsense_is_refused_or_harmless(void) {
    uint64_t refused = 0, used = 0, stranded = 0;
    for (uint64_t number = 0; number < test_some(500); number++) {
        test_random random = {number};
        test_stage stage;
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 40, 30, test_rules((uint32_t)number), &random, NULL);
        bool open = test_stage_open(&stage, map, NULL);
        wend_db *db = open ? test_db_build(stage.map, kinds[1 + number % (KINDS - 1)], number) : NULL;
        if (db) {
            test_forged made = test_forge(db);
            if (number % 2) {
                made.db.state = db->state; /* to read by */
                thin_out(&made, &random);
                made.db.state = NULL;
            }
            for (uint32_t change = number % 2 ? 0 : 1 + test_below(&random, 3); change > 0; change--)
                test_forged_spoil(&made, &random, number % 4 ? 256 : 30);
            wend_error error = {0};
            if (wend_db_atlas.open(&made.db, &error) != WEND_OK) {
                refused++;
                CHECK(error.status == WEND_STATUS_DAMAGED && error.message[0]);
            } else {
                used++;
                wend_agent *agent = test_db_agent(&stage, "atlas:db=-", &made.db);
                for (int i = 0; agent && i < 12; i++) {
                    wend_cell start = test_open_cell(stage.map, &random),
                              goal = test_open_cell(stage.map, &random);
                    if (start == WEND_NO_CELL) break;
                    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
                    wend_outcome outcome = WEND_STEP_WAITING;
                    for (int step = 0; step < 100000 && outcome <= WEND_STEP_WAITING; step++) {
                        wend_step made_step = wend_agent_step(agent);
                        outcome = made_step.outcome;
                        CHECK(made_step.operations <= wend_agent_bound(agent, wend_agent_budget(agent)));
                    }
                    test_dijkstra(&stage.grid, goal, stage.left);
                    bool joined = stage.left[start] != WEND_NO_COST;
                    CHECK(outcome == WEND_STEP_ARRIVED ||
                          outcome == (joined ? WEND_STEP_BAD_DATABASE : WEND_STEP_UNREACHABLE));
                    stranded += outcome == WEND_STEP_BAD_DATABASE;
                }
                wend_agent_destroy(agent);
            }
            test_forged_free(&made);
        }
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK_THAT(refused > test_some(50) && used > test_some(50) && stranded > test_some(20),
               "%llu refused, %llu used, %llu stranded", (unsigned long long)refused,
               (unsigned long long)used, (unsigned long long)stranded);
}

/* Odd maps ----------------------------------------------------------------------------------------------- */

typedef bool (*pattern)(int32_t x, int32_t y);

static bool nothing(int32_t x, int32_t y) {
    (void)x, (void)y;
    return false;
}

static bool board(int32_t x, int32_t y) {
    return (x + y) % 2 == 0;
}

static bool dots(int32_t x, int32_t y) {
    return x % 2 == 0 && y % 2 == 0;
}

static bool snake(int32_t x, int32_t y) {
    return y % 2 == 0 || x == (y / 2 % 2 ? 0 : 199);
}

static bool stairs(int32_t x, int32_t y) {
    return x == y || x == y + 1;
}

static wend_map *patterned(int32_t width, int32_t height, wend_rules rules, pattern open) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    options.rules = rules;
    char *row = malloc((size_t)width);
    if (!CHECK(row && wend_map_create(width, height, &options, &map, NULL) == WEND_OK)) abort();
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) row[x] = open(x, y) ? '.' : '@';
        CHECK(wend_map_set_row(map, y, row, NULL) == WEND_OK);
    }
    free(row);
    return map;
}

static void odd_maps_are_covered(void) {
    static const struct {
        int32_t width, height;
        pattern open;
    } maps[] = {{1, 1, board},   {1, 1, nothing}, {64, 64, nothing}, {200, 1, snake}, {1, 90, board},
                {70, 70, board}, {70, 70, dots},  {200, 199, snake}, {90, 90, stairs}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        for (uint32_t rules = 0; rules < TEST_RULES; rules += TEST_RULES / test_each(TEST_RULES)) {
            test_stage stage;
            wend_map *map = patterned(maps[i].width, maps[i].height, test_rules(rules), maps[i].open);
            bool open = test_stage_open(&stage, map, NULL);
            stage.number = i;
            wend_db *db = open ? test_db_build(stage.map, kinds[(i + rules) % 3], 1) : NULL;
            if (db && stage.grid.cells <= 8100) check_coverage(&stage, wend_atlas_of(db), "odd");
            wend_build_options options = wend_default_build_options();
            if (db) CHECK(wend_db_verify(db, stage.map, 0, &options, NULL) == WEND_OK);
            wend_db_close(db);
            test_stage_close(&stage);
            test_case();
        }
}

/* A component for every cell of a board: words of 32 bits, and as many representatives as cells. */
static void many_tiny_components(void) {
    int32_t side = test_full() ? 2000 : 600;
    test_stage stage;
    bool open = test_stage_open(&stage, patterned(side, side, wend_default_rules(), dots), NULL);
    wend_db *db = open ? test_db_build(stage.map, "atlas", 1) : NULL;
    wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
    if (agent) {
        CHECK(wend_atlas_of(db)->count == (uint32_t)(side / 2 * (side / 2)) && wend_atlas_of(db)->wide);
        CHECK(wend_agent_start(agent, 0, 2, NULL) == WEND_OK);
        CHECK(wend_agent_step(agent).outcome == WEND_STEP_UNREACHABLE);
        CHECK(wend_agent_start(agent, 2, 2, NULL) == WEND_OK);
        CHECK(wend_agent_step(agent).outcome == WEND_STEP_ARRIVED);
    }
    wend_agent_destroy(agent);
    wend_db_close(db);
    test_stage_close(&stage);
}

static const test tests[] = {
    {"every cell is covered", every_cell_is_covered},
    {"edges are exact", edges_are_exact},
    {"hierarchies give the distances of the graph", hierarchies_give_the_distances_of_the_graph},
    {"workers and interruptions leave the bytes alone", workers_and_interruptions_leave_the_bytes_alone},
    {"a lack of memory is no harm", a_lack_of_memory_is_no_harm},
    {"wrong contents are found", wrong_contents_are_found},
    {"nonsense is refused or harmless", nonsense_is_refused_or_harmless},
    {"odd maps are covered", odd_maps_are_covered},
    {"many tiny components", many_tiny_components},
};

TEST_MAIN(tests)
