/* Databases with right checksums whose contents were altered, of every kind, opened and used in every way: agents on
 * maps that stay and that are edited, repairs, fleets, calls of path databases. Judged by the rules of the game alone:
 * moves are legal, steps keep their bound, nothing joined is called unreachable, and every walk ends. */
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/mutant.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* A kind, and who goes by it. */
static const struct {
    const char *kind, *planner;
} forms[] = {
    {"cpd", "cpd:db=x"},
    {"cpd", "cpd:db=x,k=3"},
    {"cpd", "auto:db=x"},
    {"cpd:encoding=rectangles", "cpd:db=x"},
    {"cpd:encoding=rectangles,ties=label", "cpd:db=x"},
    {"upd", "upd:db=x"},
    {"upd:ties=label", "upd:db=x"},
    {"quadtree", "quadtree:db=x"},
    {"quadtree:ties=label", "quadtree:db=x"},
    {"atlas:sector=8", "atlas:db=x"},
    {"atlas:sector=5,eps=40", "auto:db=x"},
    {"atlas:sector=8,labels=yes", "atlas:db=x"},
    {"atlas:sector=8,exact=yes", "atlas:db=x"},
    {"atlas:sector=8,exact=yes,labels=yes", "atlas:db=x"},
    {"corners", "corners:db=x"},
    {"knn:records=30", "knn:db=x"},
    {"knn:records=30,spread=even", "knn:db=x,fallback=tba,candidates=3"},
    {"knn2009:records=60", "knn2009:db=x"},
    {"knn2009:records=40,pick=farthest", "knn2009:db=x,d=1"},
    {"dlrta:level=2", "dlrta:db=x"},
    {"dlrta:level=1", "dlrta:db=x,d=2"},
    {"subgoal-tree", "subgoal-tree:db=x"},
    {"subgoal-tree:share=no", "lss-lrta:db=x"},
};
enum { FORMS = sizeof forms / sizeof *forms, MAPS = 4, WALKS = 5, MEMBERS = 24, EDITED_STEPS = 60 };

static char where[160]; /* for messages */
static uint64_t accepted, noticed, in_fleets, repaired;

static wend_map *map_of(uint64_t number) {
    test_random random = {number};
    static const test_shape shapes[] = {TEST_SHAPE_ROOMS, TEST_SHAPE_SCATTERED, TEST_SHAPE_HALVES,
                                        TEST_SHAPE_DIAGONALS};
    return test_map_make(shapes[number % MAPS], 18, 15, test_rules((uint32_t)number * 5), &random, NULL);
}

static bool is_joined(const test_grid *grid, wend_cost *left, wend_cell from, wend_cell to) {
    if (!grid->open[from] || !grid->open[to]) return false;
    test_dijkstra(grid, to, left);
    return left[from] != WEND_NO_COST;
}

/* Where nobody in `taken` stands, a cell is opened or closed. */
static wend_rect an_edit(const test_grid *grid, const wend_cell *taken, size_t count, test_random *random) {
    wend_cell cell = test_below(random, grid->cells);
    for (size_t i = 0; i < count; i++)
        if (taken[i] == cell) return (wend_rect){0};
    return (wend_rect){(int32_t)(cell % (uint32_t)grid->width), (int32_t)(cell / (uint32_t)grid->width), 1,
                       1};
}

/* One walk to its end. `repair` may be NULL; where the map may change, it is edited during the first steps. */
static void walk(test_stage *stage, wend_agent *agent, wend_repair *repair, bool editable, wend_cell from,
                 wend_cell to, test_random *random) {
    if (!CHECK_THAT(wend_agent_start(agent, from, to, NULL) == WEND_OK, "%s: no start", where)) return;
    wend_outcome outcome = WEND_STEP_WAITING;
    /* A learner may walk as often as the sum of all distances; the others less. */
    const uint64_t most = (uint64_t)stage->grid.cells * stage->grid.cells + 4000;
    for (uint64_t step = 0; step < most; step++) {
        bool edits = editable && step < EDITED_STEPS;
        if (outcome == WEND_STEP_ARRIVED || (outcome > WEND_STEP_WAITING && !edits)) break;
        wend_cell before = wend_agent_cell(agent);
        wend_rect area = edits && step % 6 == 5 ? an_edit(&stage->grid, &before, 1, random) : (wend_rect){0};
        if (area.width) {
            bool open = test_below(random, 2);
            CHECK(wend_world_edit(stage->world, area, open, NULL) == WEND_OK);
            stage->grid.open[wend_map_cell(stage->map, area.x, area.y)] = open;
        }
        bool done;
        if (repair) CHECK_THAT(wend_repair_step(repair, 3000, &done, NULL) == WEND_OK, "%s: repair", where);
        wend_step made = wend_agent_step(agent);
        outcome = made.outcome;
        CHECK_THAT(outcome == WEND_STEP_MOVED
                       ? test_next(&stage->grid, before, made.direction) == wend_agent_cell(agent)
                       : wend_agent_cell(agent) == before,
                   "%s: a move that is not legal", where);
        CHECK_THAT(made.operations <= wend_agent_bound(agent, wend_agent_budget(agent)), "%s: over the bound",
                   where);
        CHECK_THAT(outcome != WEND_STEP_UNREACHABLE || !is_joined(&stage->grid, stage->left, before, to),
                   "%s: %u and %u are joined, 'unreachable'", where, before, to);
        CHECK_THAT(outcome != WEND_STEP_ARRIVED || before == to, "%s: not arrived", where);
    }
    bool bad = outcome == WEND_STEP_BAD_DATABASE && !editable;
    CHECK_THAT(bad || outcome == WEND_STEP_ARRIVED || outcome == WEND_STEP_UNREACHABLE,
               "%s: %u to %u ends as %d", where, from, to, (int)outcome);
    noticed += bad;
}

static void walks(const wend_map *map, const wend_db *db, const char *planner, bool editable,
                  test_random *random) {
    test_stage stage;
    wend_world_options options = wend_default_world_options();
    options.editable = editable;
    wend_map *copy = NULL;
    CHECK(wend_map_copy(map, &copy, NULL) == WEND_OK);
    wend_agent_options of = wend_default_agent_options();
    of.db = db;
    wend_repair *repair = NULL;
    if (test_stage_open(&stage, copy, &options)) {
        bool go_by_it = editable && wend_db_can_repair(db) && test_below(random, 2) &&
                        wend_repair_create(db, wend_world_map(stage.world), NULL, &repair, NULL) == WEND_OK;
        if (go_by_it) of.repair = repair;
        wend_agent *agent = test_agent_make(&stage, planner, &of);
        for (int i = 0; agent && i < WALKS; i++) {
            wend_cell from = test_open_cell(wend_world_map(stage.world), random),
                      to = test_open_cell(wend_world_map(stage.world), random);
            if (from != WEND_NO_CELL) walk(&stage, agent, repair, editable, from, to, random);
        }
        repaired += repair && wend_repair_about(repair).generation;
        wend_agent_destroy(agent);
        wend_repair_destroy(repair);
    }
    test_stage_close(&stage);
}

/* A fleet whose members all go by it. */
typedef struct crowd {
    wend_fleet *fleet;
    test_grid grid;
    wend_cost *left;
    wend_member members[MEMBERS];
    wend_cell at[MEMBERS], to[MEMBERS];
    uint32_t waited; /* requests that have not ended */
    bool editable;
} crowd;

static void read_events(crowd *it) {
    for (wend_event event; wend_fleet_event(it->fleet, &event);) {
        uint32_t i = 0;
        while (i < MEMBERS && it->members[i] != event.member) i++;
        bool bad = event.kind == WEND_EVENT_BAD_DATABASE;
        if (i == MEMBERS ||
            (event.kind != WEND_EVENT_ARRIVED && event.kind != WEND_EVENT_UNREACHABLE && !bad))
            continue;
        CHECK_THAT(event.kind != WEND_EVENT_ARRIVED || event.cell == it->to[i], "%s: not arrived", where);
        CHECK_THAT(event.kind != WEND_EVENT_UNREACHABLE ||
                       !is_joined(&it->grid, it->left, event.cell, it->to[i]),
                   "%s: %u and %u are joined, 'unreachable'", where, event.cell, it->to[i]);
        CHECK_THAT(!bad || !it->editable, "%s: a database is bad where all could be searched", where);
        in_fleets += bad;
        it->waited--;
    }
}

static void a_fleet(const wend_map *map, const wend_db *db, const char *planner, bool editable,
                    test_random *random) {
    crowd it = {.editable = editable, .grid = test_grid_of(map)};
    it.left = malloc(wend_map_cells(map) * sizeof *it.left);
    wend_fleet_options options = wend_default_fleet_options();
    options.editable = editable, options.workspaces = MEMBERS;
    wend_squad_options of = wend_default_squad_options();
    of.agent.db = db;
    if (editable && wend_db_can_repair(db)) of.repair_operations = 2000;
    uint32_t squad = 0;
    it.fleet = test_fleet_make(map, &options);
    if (CHECK_THAT(test_fleet_squad(it.fleet, planner, &of, &squad) == WEND_OK, "%s: no squad", where))
        for (uint32_t i = 0; i < MEMBERS; i++) {
            it.at[i] = test_open_cell(map, random), it.to[i] = test_open_cell(map, random);
            CHECK(wend_fleet_add(it.fleet, squad, it.at[i], &it.members[i], NULL) == WEND_OK);
            CHECK(wend_fleet_request(it.fleet, it.members[i], it.to[i], NULL, NULL) == WEND_OK);
            it.waited++;
        }
    for (uint32_t tick = 0; it.waited && tick < 40 * wend_map_cells(map) + 4000; tick++) {
        wend_rect area = editable && tick < EDITED_STEPS && tick % 6 == 5
                             ? an_edit(&it.grid, it.at, MEMBERS, random)
                             : (wend_rect){0};
        if (area.width) {
            bool open = test_below(random, 2);
            CHECK(wend_fleet_edit(it.fleet, area, open, NULL) == WEND_OK);
            it.grid.open[wend_map_cell(map, area.x, area.y)] = open;
        }
        wend_tick made = wend_fleet_tick(it.fleet);
        CHECK_THAT(made.operations <= options.budget, "%s: over the budget", where);
        for (uint32_t i = 0; i < MEMBERS; i++) {
            wend_member_info info = {0};
            CHECK(wend_fleet_member(it.fleet, it.members[i], &info));
            bool legal = info.cell == it.at[i];
            for (int direction = 0; direction < WEND_DIRECTIONS && !legal; direction++)
                legal = test_next(&it.grid, it.at[i], direction) == info.cell;
            CHECK_THAT(legal, "%s: from %u to %u is no legal move", where, it.at[i], info.cell);
            it.at[i] = info.cell;
        }
        read_events(&it);
    }
    CHECK_THAT(!it.waited, "%s: %u requests of a fleet never end", where, it.waited);
    wend_fleet_destroy(it.fleet);
    test_grid_free(&it.grid);
    free(it.left);
}

/* The calls that need no world. */
static void calls(const wend_map *map, const wend_db *db, test_random *random) {
    test_grid grid = test_grid_of(map);
    wend_cell at[MEMBERS], to[MEMBERS], before[MEMBERS];
    wend_direction moves[MEMBERS];
    uint8_t covered[MEMBERS];
    wend_fact facts[64];
    (void)wend_db_facts(db, facts, 64);
    for (uint32_t i = 0; i < MEMBERS; i++)
        at[i] = test_below(random, grid.cells), to[i] = test_below(random, grid.cells);
    wend_status status = wend_db_cover(db, at, MEMBERS, NULL, covered, NULL);
    CHECK_THAT(status == WEND_OK || status == WEND_STATUS_UNSUPPORTED, "%s: cover: %s", where,
               wend_status_text(status));
    for (int step = 0; step < 40; step++) {
        memcpy(before, at, sizeof at);
        if (wend_cpd_step_many(db, MEMBERS, at, to, moves, NULL, NULL) != WEND_OK) break;
        for (uint32_t i = 0; i < MEMBERS; i++)
            CHECK_THAT(moves[i] < WEND_DIRECTIONS ? test_next(&grid, before[i], moves[i]) == at[i]
                                                  : at[i] == before[i],
                       "%s: a step of many that is not legal", where);
        wend_direction move = wend_cpd_move(db, before[0], to[0]);
        CHECK_THAT(move == moves[0], "%s: one move is %d, of many %d", where, (int)move, (int)moves[0]);
    }
    test_grid_free(&grid);
}

/* Changes at random, of sections mostly, of the settings and of the head now and then. */
static test_bytes forged_of(test_bytes file, test_random *random) {
    test_mutant mutant = test_mutant_of(file);
    for (uint32_t i = test_below(random, 3) + 1; i > 0; i--) {
        size_t length = strlen(mutant.settings);
        switch (test_below(random, 16)) {
        case 0:
            if (length)
                mutant.settings[test_below(random, (uint32_t)length)] = (char)('0' + test_below(random, 10));
            break;
        case 1:
            mutant.head[test_below(random, sizeof mutant.head)] ^= (uint8_t)(1u << test_below(random, 8));
            break;
        default:
            (void)test_mutant_change(&mutant, random);
        }
    }
    test_bytes forged = test_mutant_bytes(&mutant);
    test_mutant_free(&mutant);
    return forged;
}

static void use(test_bytes forged, const wend_map *map, size_t form, test_random *random) {
    wend_db_options options = wend_default_db_options();
    wend_error error = {0};
    wend_db *db = NULL;
    wend_fact facts[64];
    wend_status alone = wend_db_open_memory(forged.data, forged.size, NULL, &options, &db, &error);
    CHECK_THAT((alone == WEND_OK) == (db != NULL) && (db || error.message[0]), "%s: without a map", where);
    if (db) {
        (void)wend_db_facts(db, facts, 64);
        CHECK(wend_db_about(db).kind && wend_cpd_move(db, 0, 1) == WEND_CPD_NO_WAY);
    }
    wend_db_close(db);
    wend_status status = wend_db_open_memory(forged.data, forged.size, map, &options, &db, &error);
    CHECK_THAT((status == WEND_OK) == (db != NULL) && (db || error.message[0]), "%s: no words", where);
    CHECK_THAT(status != WEND_OK || alone == WEND_OK, "%s: refused only without its map", where);
    if (!db) return;
    accepted++;
    calls(map, db, random);
    for (int editable = 0; editable < 2; editable++) {
        walks(map, db, forms[form].planner, editable, random);
        a_fleet(map, db, forms[form].planner, editable, random);
    }
    wend_db_close(db);
}

static void attack(size_t form, uint64_t number, uint32_t rounds) {
    const wend_build_options options = wend_default_build_options();
    wend_map *map = map_of(number);
    const char *path = test_path("mutants.wend");
    const wend_settings *settings = NULL;
    wend_error error = {0};
    CHECK(test_db_settings_parse(forms[form].kind, &settings, &error) == WEND_OK);
    if (CHECK_THAT(wend_db_build(map, settings, &options, path, &error) == WEND_OK, "%s: %s",
                   forms[form].kind, error.message)) {
        test_bytes file = test_read(path);
        test_random random = {101 * form + number};
        for (uint32_t round = 0; round < rounds; round++) {
            (void)snprintf(where, sizeof where, "%s, %s, map %d, round %u", forms[form].kind,
                           forms[form].planner, (int)number, round);
            test_bytes forged = forged_of(file, &random);
            if (!test_same_bytes(forged, file)) use(forged, map, form, &random);
            free(forged.data);
            test_case();
        }
        free(file.data);
    }
    wend_map_destroy(map);
}

static void mutants_lead_nobody_astray(void) {
    for (size_t form = 0; form < FORMS; form++)
        for (uint64_t number = 0; number < MAPS; number++)
            attack(form, number, test_some(test_full() ? 5000 : 600));
    CHECK_THAT(accepted >= test_some(1000) && noticed && in_fleets && repaired,
               "%llu accepted, noticed %llu times and %llu times in fleets, %llu repairs",
               (unsigned long long)accepted, (unsigned long long)noticed, (unsigned long long)in_fleets,
               (unsigned long long)repaired);
    printf("%llu mutants accepted; called bad %llu times by agents, %llu times by fleets\n",
           (unsigned long long)accepted, (unsigned long long)noticed, (unsigned long long)in_fleets);
}

/* The last of these led from a search to the database, and from there into the next search, in a circle. */
static void nobody_searches_in_a_circle(void) {
    enum { RECTANGLES_LABEL = 4 };
    CHECK(strcmp(forms[RECTANGLES_LABEL].kind, "cpd:encoding=rectangles,ties=label") == 0);
    attack(RECTANGLES_LABEL, 0, 647);
}

/* A kind that is new gets a form above. */
static void every_kind_is_attacked(void) {
    for (size_t i = 0; i < wend_db_kind_count(); i++) {
        const char *name = wend_db_kind_at(i)->name;
        bool found = strcmp(name, "auto") == 0; /* builds one of the others */
        for (size_t form = 0; form < FORMS && !found; form++)
            found = strncmp(forms[form].kind, name, strlen(name)) == 0 &&
                    strchr(":", forms[form].kind[strlen(name)]);
        CHECK_THAT(found, "no mutants of '%s'", name);
    }
}

static const test tests[] = {
    {"mutants lead nobody astray", mutants_lead_nobody_astray},
    {"nobody searches in a circle", nobody_searches_in_a_circle},
    {"every kind is attacked", every_kind_is_attacked},
};
TEST_MAIN(tests)
