/* Repair of atlases: after any edits every open cell is covered, every edge costs what Dijkstra's search
 * says, and the graph is connected as the map is. The same map gives the same overlay, whatever led to it.
 * Agents that walk meanwhile make legal moves within their bound, and arrive wherever a path leads. */
#include "methods/atlas/agent/edits.h"
#include "methods/atlas/repair/repair.h"
#include "support/agents/repairs.h"
#include "support/agents/terrain.h"
#include "support/check.h"

#include <stdlib.h>
#include <wend/wend.h>

static const char *const kinds[] = {"atlas:sector=4", "atlas:sector=8", "atlas:sector=6,rounds=0",
                                    "atlas:sector=5,labels=yes", "atlas:sector=16,rounds=1"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const wend_atlas_repair *inner(const wend_repair *repair) {
    return wend_atlas_repair_of(repair);
}

static uint64_t over(const wend_repair *repair) {
    const uint64_t side = inner(repair)->base->grid.side;
    return 4096 + 16 * side * side;
}

/* Everything that an atlas says, as one number. */
static uint64_t hash_of(const wend_atlas *atlas) {
    uint64_t hash = atlas->count;
    uint32_t sectors = atlas->grid.columns * atlas->grid.rows;
    for (uint32_t i = 0; i < atlas->count; i++) hash = hash * 31 + atlas->cells[i];
    for (uint32_t i = 0; i <= sectors; i++) hash = hash * 31 + wend_atlas_members(atlas, i);
    for (uint32_t i = 0; i < atlas->count; i++) hash = hash * 31 + wend_atlas_member(atlas, i);
    for (uint32_t i = 0; i < atlas->first[atlas->count]; i++) {
        wend_atlas_up up = wend_atlas_arc_at(atlas, i);
        hash = ((hash * 31 + up.to) * 31 + up.what) * 31 + up.cost;
    }
    for (uint32_t i = 0; i < atlas->list_count; i++)
        for (uint32_t j = atlas->lists[i]; j < atlas->lists[i + 1]; j++) hash = hash * 31 + atlas->bends[j];
    return hash;
}

/* Every open cell has a representative in the 3 x 3 sectors around it that covers it: by trying all. */
static bool all_covered(const wend_atlas *atlas, const wend_map *map) {
    for (wend_cell cell = 0; cell < wend_map_cells(map); cell++) {
        if (!wend_map_is_open_cell(map, cell)) continue;
        wend_atlas_block block = wend_atlas_around(&atlas->grid, wend_atlas_sector(&atlas->grid, map, cell));
        bool covered = false;
        for (uint32_t row = block.top; row <= block.bottom && !covered; row++) {
            uint32_t line = row * atlas->grid.columns;
            for (uint32_t i = wend_atlas_members(atlas, line + block.left);
                 i < wend_atlas_members(atlas, line + block.right + 1) && !covered; i++)
                covered =
                    wend_atlas_covers(map, &atlas->grid, atlas->cells[wend_atlas_member(atlas, i)], cell);
        }
        if (!CHECK_THAT(covered, "cell %u is not covered", cell)) return false;
    }
    return true;
}

/* The legs of an edge: each climbed for the octile distance, both ways, and together what it costs. */
static bool legs_are_right(const wend_atlas *atlas, const wend_map *map, uint32_t low, wend_atlas_up up) {
    uint64_t sum = 0;
    wend_cell at = atlas->cells[low];
    uint32_t bends = wend_atlas_bend_count(atlas, up.what);
    for (uint32_t i = 0; i <= bends; i++) {
        wend_cell next = i < bends ? wend_atlas_bend(atlas, up.what, i, false) : atlas->cells[up.to];
        if (!wend_atlas_direct(map, NULL, at, next) || !wend_atlas_direct(map, NULL, next, at)) return false;
        sum += wend_map_distance(map, at, next);
        at = next;
    }
    return sum == up.cost;
}

/* Edges are shortest paths; shortcuts are two arcs below them; what the map joins the edges do. */
static bool edges_are_right(const wend_atlas *atlas, const wend_map *map) {
    test_grid grid = test_grid_of(map);
    wend_cost *left = malloc((grid.cells + 1) * sizeof *left);
    uint32_t *team = malloc((atlas->count + 1) * sizeof *team);
    uint8_t *reached = malloc(grid.cells + 1);
    bool good = CHECK(left && team && reached);
    for (uint32_t i = 0; good && i < atlas->count; i++) team[i] = i;
    for (uint32_t i = 0; good && i < atlas->count; i++) {
        test_dijkstra(&grid, atlas->cells[i], left);
        for (uint32_t arc = atlas->first[i]; good && arc < atlas->first[i + 1]; arc++) {
            wend_atlas_up up = wend_atlas_arc_at(atlas, arc);
            uint64_t counted = 0;
            if (up.what >= atlas->count) {
                good =
                    CHECK_THAT(left[atlas->cells[up.to]] == up.cost, "an edge of %llu, not %llu",
                               (unsigned long long)up.cost, (unsigned long long)left[atlas->cells[up.to]]) &&
                    CHECK(legs_are_right(atlas, map, i, up));
                uint32_t from = team[i], to = team[up.to];
                for (uint32_t j = 0; from != to && j < atlas->count; j++)
                    if (team[j] == from) team[j] = to;
            } else {
                uint32_t a = wend_atlas_find(atlas, up.what, i, &counted),
                         b = wend_atlas_find(atlas, up.what, up.to, &counted);
                good = CHECK(a != UINT32_MAX && b != UINT32_MAX) &&
                       CHECK(wend_atlas_arc_at(atlas, a).cost + wend_atlas_arc_at(atlas, b).cost == up.cost);
            }
        }
    }
    /* One team for each component, and one component for each team. */
    for (uint32_t i = 0; good && i < atlas->count; i++) {
        bool first = true;
        for (uint32_t j = 0; j < i && first; j++) first = team[j] != team[i];
        if (!first) continue;
        (void)test_flood(&grid, atlas->cells[i], reached);
        for (uint32_t j = 0; good && j < atlas->count; j++)
            good = CHECK_THAT(reached[atlas->cells[j]] == (team[i] == team[j]),
                              "representatives on %u and %u: a path %s, a way %s", atlas->cells[i],
                              atlas->cells[j], reached[atlas->cells[j]] ? "yes" : "no",
                              team[i] == team[j] ? "yes" : "no");
    }
    free(reached);
    free(left);
    free(team);
    test_grid_free(&grid);
    return good;
}

static uint64_t hash_shown(const wend_repair *repair) {
    return hash_of(wend_atlas_repair_shown(inner(repair)));
}

/* The overlay of the database's own map is none at all. */
static bool all_right(const wend_repair *repair, const wend_map *map) {
    const wend_atlas *atlas = wend_atlas_repair_shown(inner(repair));
    const bool same = wend_map_fingerprint(map) == wend_map_fingerprint(repair->db->map);
    return CHECK(wend_atlas_repair_is_base(inner(repair)) == same) && all_covered(atlas, map) &&
           edges_are_right(atlas, map);
}

static const char *const unsupported[] = {"atlas:exact=yes", "dlrta", NULL};
static const test_repairs atlases = {.kinds = kinds,
                                     .kind_count = KINDS,
                                     .planner = "atlas:db=x",
                                     .other = "cpd",
                                     .unsupported = unsupported,
                                     .side = 40,
                                     .right = all_right,
                                     .over = over,
                                     .hash = hash_shown};

static wend_repair *repair_of(const wend_db *db, const wend_map *map) {
    return test_repair_make(&atlases, db, map, 0);
}

static bool finish_one(wend_repair *repair, uint64_t slice) {
    return test_repair_finish(&atlases, repair, slice);
}

static void overlays_are_right(void) {
    test_repairs_follow_edits(&atlases, test_full() ? 1600 : (uint64_t)test_some(180));
}

static void limits_hold(void) {
    test_repairs_keep_limits(&atlases);
}

/* One cell of a larger map: nothing is examined but the sectors around it, and a few links are worked out. */
static void little_is_done_for_little(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules += 2) {
        test_repaired it;
        if (test_repaired_open(&it, &atlases, 0,
                               test_map_generated(WEND_MAP_ROOMS, 200, test_rules(rules), rules))) {
            test_random random = {rules};
            wend_xy at = wend_map_xy(it.map, test_open_cell(it.map, &random));
            for (int round = 0; round < 4; round++) {
                CHECK(wend_map_edit(it.map, (wend_rect){at.x, at.y, 1, 1}, round % 2, NULL) == WEND_OK);
                if (!finish_one(it.repair, 50000)) break;
                wend_repair_info info = wend_repair_about(it.repair);
                uint32_t across = 2 * inner(it.repair)->radius + 1;
                CHECK(info.changed == 1 && info.generation == (uint64_t)round + 1);
                CHECK_THAT(inner(it.repair)->examined <= across * across, "%u sectors",
                           inner(it.repair)->examined);
                CHECK_THAT(inner(it.repair)->links * 4 < inner(it.repair)->base->edges, "%u links of %u",
                           inner(it.repair)->links, inner(it.repair)->base->edges);
                const wend_atlas *shown = wend_atlas_repair_shown(inner(it.repair));
                CHECK_THAT(shown->shortcuts < 2 * inner(it.repair)->base->shortcuts + 64, "%u shortcuts",
                           shown->shortcuts);
                (void)all_covered(shown, it.map);
            }
        }
        test_repaired_close(&it);
        test_case();
    }
}

/* Agents ------------------------------------------------------------------------------------------------- */

static wend_agent *agent_with(const test_terrain *terrain, const wend_db *db, const wend_repair *repair) {
    wend_agent_options options = wend_default_agent_options();
    options.db = db, options.repair = repair;
    return test_agent_make(&terrain->stage, "atlas:db=x", &options);
}

/* A walk with edits that are meant to hurt, and a repair that takes them in as it can. */
static uint64_t script(uint64_t number, uint64_t *edits, uint64_t *generations) {
    test_terrain terrain;
    test_random random = {number};
    wend_cell start, goal;
    uint64_t hash = number;
    bool good = test_terrain_any(&terrain, 9000 + number, 48, TEST_KNOWN) &&
                test_terrain_problem(&terrain, &random, &start, &goal);
    wend_db *db = good ? test_db_build(terrain.stage.map, kinds[number % KINDS], 1) : NULL;
    if (db && number % 3 == 0) test_terrain_edit(&terrain, (wend_rect){0, 0, 1, 1}, number % 2);
    wend_repair *repair = db ? repair_of(db, wend_world_map(terrain.stage.world)) : NULL;
    wend_agent *agent = repair ? agent_with(&terrain, db, repair) : NULL;
    if (good && !terrain.stage.grid.open[start]) test_terrain_edit_cell(&terrain, start, true);
    if (good && !terrain.stage.grid.open[goal]) test_terrain_edit_cell(&terrain, goal, true);
    if (agent && CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) {
        uint32_t rarely = 1 + test_below(&random, 12), slice = 100u << test_below(&random, 14);
        bool done = false;
        if (number % 2) ((wend_atlas_agent *)agent->state)->detour->most = 5 + test_below(&random, 60);
        for (int tick = 0; tick < 120; tick++) {
            if (test_below(&random, rarely) == 0) test_terrain_edit_any(&terrain, agent, &random);
            if (test_below(&random, 9) == 0) { /* between its plan and its move */
                (void)wend_agent_plan(agent, wend_agent_budget(agent));
                if (tick % 2) test_terrain_edit_any(&terrain, agent, &random);
            }
            CHECK(wend_repair_step(repair, slice, &done, NULL) == WEND_OK);
            hash ^= wend_agent_hash(agent);
            (void)test_terrain_step(&terrain, agent, &hash);
        }
        test_terrain_end(&terrain, agent, &hash); /* whatever the repair has come to */
        test_terrain_edit_any(&terrain, agent, &random);
        (void)finish_one(repair, 20000);
        test_terrain_end(&terrain, agent, &hash);
        test_terrain_edit(&terrain, (wend_rect){0, 0, terrain.stage.grid.width, terrain.stage.grid.height},
                          true);
        test_terrain_end(&terrain, agent, &hash); /* all is open */
        *edits += terrain.edits, *generations += wend_repair_about(repair).generation;
    }
    wend_agent_destroy(agent);
    wend_repair_destroy(repair);
    wend_db_close(db);
    test_terrain_close(&terrain);
    return hash;
}

static void agents_walk_meanwhile(void) {
    uint64_t edits = 0, generations = 0;
    for (uint64_t number = 0; number < (test_full() ? 5000 : (uint64_t)test_some(400)); number++) {
        uint64_t hash = script(number, &edits, &generations);
        if (number % 7 == 0)
            CHECK_THAT(script(number, &edits, &generations) == hash, "map %llu: another run, another way",
                       (unsigned long long)number);
        test_case();
    }
    CHECK_THAT(edits > (uint64_t)test_some(6000) && generations > (uint64_t)test_some(1200),
               "%llu edits, %llu repairs", (unsigned long long)edits, (unsigned long long)generations);
}

/* The mean over optimal, in per cent, of problems on a map of which `percent` were closed or opened in
 * squares after the atlas was built, once that is repaired. */
static double mean_over(wend_map_kind kind, uint32_t percent, bool open, uint32_t number) {
    test_terrain terrain;
    test_random random = {number};
    wend_map *map = test_map_generated(kind, 240, test_rules(number * 5), number);
    bool good = test_terrain_open(&terrain, map, TEST_KNOWN, 1, number);
    wend_db *db = good ? test_db_build(terrain.stage.map, "atlas:sector=16", 1) : NULL;
    wend_repair *repair = db ? repair_of(db, wend_world_map(terrain.stage.world)) : NULL;
    wend_agent *agent = repair ? agent_with(&terrain, db, repair) : NULL;
    double mean = 0;
    for (uint32_t i = 0; agent && i < 240 * 240 / 3600 * percent; i++)
        test_terrain_edit(
            &terrain, (wend_rect){(int32_t)test_below(&random, 234), (int32_t)test_below(&random, 234), 6, 6},
            open);
    if (agent && finish_one(repair, 1000000)) mean = test_terrain_mean_over(&terrain, agent, 25, &random);
    wend_agent_destroy(agent);
    wend_repair_destroy(repair);
    wend_db_close(db);
    test_terrain_close(&terrain);
    test_case();
    return mean;
}

static void ways_are_short_again(void) {
    if (test_skip_thinned()) return;
    const wend_map_kind tried[] = {WEND_MAP_ROOMS, WEND_MAP_CAVES, WEND_MAP_SHAPES};
    for (uint32_t i = 0; i < 3; i++) {
        double closed = mean_over(tried[i], 10, false, i), opened = mean_over(tried[i], 10, true, i);
        CHECK_THAT(closed < 4, "%s: %.2f%% over with cells closed", wend_map_kind_name(tried[i]), closed);
        CHECK_THAT(opened < 4, "%s: %.2f%% over with cells opened", wend_map_kind_name(tried[i]), opened);
    }
}

/* A wall across the map, and a door in it that comes and goes: two components, one, two. */
static void doors_come_and_go(void) {
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_terrain terrain;
        test_random random = {rules};
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, 60, 60, test_rules(rules), &random, NULL);
        CHECK(wend_map_edit(map, (wend_rect){0, 30, 60, 1}, false, NULL) == WEND_OK);
        bool good = test_terrain_open(&terrain, map, TEST_KNOWN, 1, rules);
        wend_db *db = good ? test_db_build(terrain.stage.map, "atlas:sector=8", 1) : NULL;
        wend_repair *repair = db ? repair_of(db, wend_world_map(terrain.stage.world)) : NULL;
        wend_agent *agent = repair ? agent_with(&terrain, db, repair) : NULL;
        wend_cell start = 60 * 5 + 12, goal = 60 * 52 + 12;
        uint64_t hash = 0;
        for (int32_t round = 0; agent && round < 8; round++) {
            bool open = round % 2;
            test_terrain_edit(&terrain, (wend_rect){5 + round / 2 * 14, 30, 3, 1}, open);
            if (round % 2 == 0 && round)
                test_terrain_edit(&terrain, (wend_rect){5 + (round - 1) / 2 * 14, 30, 3, 1}, false);
            if (!finish_one(repair, 5000)) break;
            const wend_atlas *atlas = wend_atlas_repair_shown(inner(repair));
            if (!all_covered(atlas, wend_world_map(terrain.stage.world)) ||
                !edges_are_right(atlas, wend_world_map(terrain.stage.world)))
                break;
            test_dijkstra(&terrain.stage.grid, goal, terrain.stage.left);
            wend_cost best = terrain.stage.left[start], cost = 0;
            CHECK((best != WEND_NO_COST) == open);
            if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) break;
            wend_step step = {.outcome = WEND_STEP_WAITING};
            for (int i = 0; i < 20000 && step.outcome <= WEND_STEP_WAITING; i++) {
                step = test_terrain_step(&terrain, agent, &hash);
                if (step.outcome == WEND_STEP_MOVED)
                    cost += test_move_cost(&terrain.stage.grid, step.direction);
                /* The graph knows of the door: no search over cells is needed. */
                if (open) CHECK(!wend_atlas_is_off_way(agent->state));
            }
            CHECK(step.outcome == (open ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE));
            CHECK_THAT(!open || cost <= best + best / 20, "rules %u, round %d: %llu, not %llu", rules, round,
                       (unsigned long long)cost, (unsigned long long)best);
        }
        wend_agent_destroy(agent);
        wend_repair_destroy(repair);
        wend_db_close(db);
        test_terrain_close(&terrain);
        test_case();
    }
}

/* An edit far off and a complete repair every few steps: agents arrive all the same. The goal is behind walls
 * that can't be climbed around, so that they have to know their way. */
static void repairs_without_end(void) {
    enum {
        SIDE = 240,
        GOAL = SIDE * (SIDE / 2) + SIDE - 10,
        LOW = SIDE / 10,
        HIGH = SIDE - LOW,
        WEST = SIDE / 4,
        EAST = SIDE - WEST
    };
    for (uint32_t period = 1; period <= 7; period += 1 + period / 2 * 2) {
        test_terrain terrain;
        test_random random = {period};
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, SIDE, SIDE, wend_default_rules(), &random, NULL);
        CHECK(wend_map_edit(map, (wend_rect){WEST, LOW, EAST - WEST + 1, 1}, false, NULL) == WEND_OK);
        CHECK(wend_map_edit(map, (wend_rect){WEST, HIGH, EAST - WEST + 1, 1}, false, NULL) == WEND_OK);
        CHECK(wend_map_edit(map, (wend_rect){EAST, LOW, 1, HIGH - LOW + 1}, false, NULL) == WEND_OK);
        bool good = test_terrain_open(&terrain, map, TEST_KNOWN, 1, period);
        wend_db *db = good ? test_db_build(terrain.stage.map, "atlas:sector=16", 1) : NULL;
        wend_repair *repair = db ? repair_of(db, wend_world_map(terrain.stage.world)) : NULL;
        wend_agent *agent = repair ? agent_with(&terrain, db, repair) : NULL;
        wend_step step = {.outcome = WEND_STEP_WAITING};
        uint64_t hash = 0;
        if (agent) CHECK(wend_agent_start(agent, SIDE * (SIDE / 2) + SIDE / 2, GOAL, NULL) == WEND_OK);
        for (uint32_t i = 0; agent && i < 4000 && step.outcome <= WEND_STEP_WAITING; i++) {
            if (i % period == 0) {
                test_terrain_edit(&terrain, (wend_rect){2, 2, 1, 1}, i / period % 2);
                if (!finish_one(repair, 100000)) break;
            }
            step = test_terrain_step(&terrain, agent, &hash);
        }
        CHECK_THAT(step.outcome == WEND_STEP_ARRIVED, "an edit every %u steps", period);
        wend_agent_destroy(agent);
        wend_repair_destroy(repair);
        wend_db_close(db);
        test_terrain_close(&terrain);
        test_case();
    }
}

/* Many walls close together: there are no more representatives than are allowed. */
static void representatives_are_capped(void) {
    test_repaired it;
    test_random random = {8};
    wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 60, 60, test_rules(0), &random, NULL);
    if (test_repaired_open(&it, &atlases, 1, map)) {
        CHECK(wend_map_edit(it.map, (wend_rect){3, 3, 25, 25}, true, NULL) == WEND_OK);
        for (int32_t i = 0; i < 12; i++)
            CHECK(wend_map_edit(it.map, (wend_rect){3 + 2 * i, 3, 1, 25}, false, NULL) == WEND_OK);
        (void)finish_one(it.repair, 100000);
        const uint32_t most = inner(it.repair)->current.count;
        CHECK(most > inner(it.repair)->base->count);
        for (uint32_t room = most - 1; room <= most; room++) {
            wend_repair_options options = wend_default_repair_options();
            options.max_representatives = room;
            wend_repair *repair = NULL;
            bool done = false;
            CHECK(wend_repair_create(it.db, it.map, &options, &repair, NULL) == WEND_OK);
            wend_status status = wend_repair_step(repair, UINT64_MAX, &done, NULL);
            CHECK(status == (room < most ? WEND_STATUS_TOO_LARGE : WEND_OK) && done == (room == most));
            CHECK(wend_atlas_repair_is_base(inner(repair)) == (room < most));
            wend_repair_destroy(repair);
        }
    }
    test_repaired_close(&it);
    test_case();
}

static const test tests[] = {
    {"overlays are right", overlays_are_right},
    {"little is done for little", little_is_done_for_little},
    {"agents walk meanwhile", agents_walk_meanwhile},
    {"ways are short again", ways_are_short_again},
    {"doors come and go", doors_come_and_go},
    {"repairs without end", repairs_without_end},
    {"representatives are capped", representatives_are_capped},
    {"limits hold", limits_hold},
};
TEST_MAIN(tests)
