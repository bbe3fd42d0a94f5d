/* The same bytes and the same moves everywhere: databases of every kind, walks of every planner, a fleet and
 * repairs are hashed and held against numbers that were written down once. Needs no other program, no thread
 * and nothing that lies in a file, so that it runs where most tests can't: on machines of the other byte
 * order, with addresses of 32 bits, in a sandbox.
 *
 * Whoever changes on purpose what is built or how an agent moves puts in the numbers that this prints;
 * another form of a kind's files needs another version of the kind as well (docs/reference/file-format.md). */
#include "support/check.h"
#include "support/files.h"
#include "support/maps.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

enum { GROUNDS = 3, PROBLEMS = 6, MOST_STEPS = 300 };

static wend_map *ground(uint32_t number) {
    static const struct {
        wend_map_kind kind;
        wend_rules rules;
        int32_t width, height, size;
    } grounds[GROUNDS] = {
        {WEND_MAP_CAVES, {8, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2}, 70, 52, 20},
        {WEND_MAP_ROOMS, {8, WEND_CORNERS_ANY, WEND_DIAGONAL_1_4}, 49, 41, 8},
        {WEND_MAP_RANDOM, {4, WEND_CORNERS_STRICT, WEND_DIAGONAL_SQRT2}, 45, 45, 0},
    };
    wend_generate_options options = wend_default_generate_options();
    options.map.rules = grounds[number].rules;
    options.size = grounds[number].size;
    wend_map *map = NULL;
    CHECK(wend_map_generate(grounds[number].kind, grounds[number].width, grounds[number].height, &options,
                            &map, NULL) == WEND_OK);
    return map;
}

static void mix(uint64_t *hash, uint64_t number) {
    *hash = (*hash ^ number) * 0x9e3779b97f4a7c15u;
    *hash ^= *hash >> 29;
}

static void expect(const char *what, const char *part, uint64_t seen, uint64_t known) {
    CHECK_THAT(seen == known, "%s, %s: 0x%016llx", what, part, (unsigned long long)seen);
    test_case();
}

static void mix_file(uint64_t *hash, const char *path) {
    test_bytes bytes = test_read(path);
    mix(hash, bytes.size);
    for (size_t i = 0; bytes.data && i < bytes.size; i++) mix(hash, bytes.data[i]);
    free(bytes.data);
}

/* Builds a database, hashes its file, and opens it from there; NULL, reported, if it is refused. */
static wend_db *build(const wend_map *map, const char *kind, uint64_t *hash) {
    const wend_settings *settings = NULL;
    wend_error error = {.message = ""};
    wend_build_options building = wend_default_build_options();
    wend_db_options opening = wend_default_db_options();
    wend_db *db = NULL;
    const char *path = test_path("db");
    wend_status status = test_db_settings_parse(kind, &settings, &error);
    if (status == WEND_OK) status = wend_db_build(map, settings, &building, path, &error);
    if (status == WEND_OK) {
        mix_file(hash, path);
        status = wend_db_open(path, map, &opening, &db, &error);
    }
    CHECK_THAT(status == WEND_OK, "%s: %s", kind, error.message);
    return db;
}

static wend_agent *make(wend_world *world, const char *planner, const wend_agent_options *options) {
    const wend_settings *settings = NULL;
    wend_error error = {.message = ""};
    wend_agent *agent = NULL;
    wend_status status = test_settings_parse(planner, &settings, &error);
    if (status == WEND_OK) status = wend_agent_create(world, settings, options, &agent, &error);
    CHECK_THAT(status == WEND_OK, "%s: %s", planner, error.message);
    return agent;
}

/* Some problems of an agent, everything that its steps tell. In a world that can be edited cells open and
 * close as it walks. */
static void walk(wend_world *world, wend_agent *agent, bool editable, uint64_t *hash) {
    const wend_map *map = wend_world_map(world);
    test_random random = {7};
    for (uint32_t problem = 0; problem < PROBLEMS; problem++) {
        wend_cell start = test_open_cell(map, &random), goal = test_open_cell(map, &random);
        mix(hash, wend_agent_start(agent, start, goal, NULL));
        for (uint32_t steps = 0; steps < MOST_STEPS; steps++) {
            if (editable && steps % 16 == 15) {
                wend_xy at = wend_map_xy(map, test_open_cell(map, &random));
                mix(hash, wend_world_edit(world, (wend_rect){at.x, at.y, 1, 1}, steps % 3 == 0, NULL));
            }
            wend_step step = wend_agent_step(agent);
            mix(hash, (uint64_t)step.outcome << 8 | step.direction);
            mix(hash, step.expansions);
            mix(hash, step.operations);
            if (step.outcome != WEND_STEP_MOVED && step.outcome != WEND_STEP_WAITING) break;
        }
        wend_counters counted = wend_agent_counters(agent);
        mix(hash, counted.revisits);
        mix(hash, counted.learnt);
        mix(hash, counted.searches);
        mix(hash, counted.updates);
    }
}

static void databases_and_their_planners(void) {
    static const struct {
        const char *kind, *planner;
        uint64_t files, moves;
    } known[] = {
        {"knn2009:records=120", "knn2009:db=x", 0x72d4fe246acaf63e, 0x38e2fe9391685b30},
        {"knn2009:records=60,pick=farthest", "knn2009:db=x", 0x42871548e0e7ae9a, 0xa6602a8a46d70442},
        {"knn:records=150", "knn:db=x", 0xc3503ab6dee6ec79, 0xd69b57e56a27dc1f},
        {"knn:records=60,spread=even,fragments=yes,compress=linear", "knn:db=x,fallback=tba",
         0x8731f8b6fccb72f6, 0xd0e18768b4955b46},
        {"dlrta:level=3", "dlrta:db=x", 0xf5cc4332ef507291, 0xdb5dcbbc30cdf139},
        {"subgoal-tree", "subgoal-tree:db=x", 0xc662b27509ec04f7, 0xa0fa4e34524ffdd7},
        {"subgoal-tree:test=pushed,share=no", "lss-lrta:db=x", 0xf235f23d344bcc98, 0xc90c8ad6d9b4b8ba},
        {"cpd", "cpd:db=x", 0x46be2a908f89fee2, 0x2899f927e20843cd},
        {"cpd:encoding=rectangles", "cpd:db=x", 0x18e8db3c00cdf8e9, 0x32b8e42fa89b85d3},
        {"cpd:encoding=rectangles,ties=label", "cpd:db=x", 0x88d5b809a2d726f6, 0x5f90eff61e8707dd},
        {"upd", "upd:db=x", 0x2e641272fbbf8edc, 0x172967472c49b828},
        {"upd:ties=set", "upd:db=x", 0x0e6647246335cdfd, 0xbf47f4757ba51479},
        {"quadtree", "quadtree:db=x", 0x759e114c957565e8, 0x50a59952202df8f5},
        {"quadtree:ties=label", "quadtree:db=x", 0x48ff3c659d5c9d1e, 0xa766845bbba39d8b},
        {"atlas", "atlas:db=x", 0xbe7a60ed2e7e3cf5, 0x910e701e0c3404f1},
        {"atlas:sector=8,labels=yes", "atlas:db=x", 0x5ff6cb5918aa420f, 0x231960a832f78908},
        {"atlas:exact=yes", "atlas:db=x", 0xd3cf5350526db4bf, 0x7a62a7e83b440f78},
        {"atlas:over=1%", "atlas:db=x", 0xc337c3a65ab8e89e, 0x7a62a7e83b440f78},
        {"corners", "corners:db=x", 0x3ed6a88ff006366f, 0xc936d9f6b8810458},
        {"auto", "auto:db=x", 0x46be2a908f89fee2, 0x2899f927e20843cd},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t files = 0, moves = 0;
        for (uint32_t number = 0; number < GROUNDS; number++) {
            wend_map *map = ground(number);
            wend_world_options options = wend_default_world_options();
            wend_agent_options having = wend_default_agent_options();
            wend_world *world = NULL;
            wend_agent *agent = NULL;
            wend_db *db = build(map, known[i].kind, &files);
            having.db = db;
            if (db && CHECK(wend_world_create(map, &options, &world, NULL) == WEND_OK))
                agent = make(world, known[i].planner, &having);
            if (agent) walk(world, agent, false, &moves);
            wend_agent_destroy(agent);
            wend_world_destroy(world);
            wend_db_close(db);
            wend_map_destroy(map);
        }
        expect(known[i].kind, "files", files, known[i].files);
        expect(known[i].kind, known[i].planner, moves, known[i].moves);
    }
}

static void planners_without_a_database(void) {
    static const struct {
        const char *planner;
        uint64_t moves;
    } known[] = {
        {"astar", 0x0f4ca6b92a926ee8},
        {"lrta:d=3", 0x88af7ab1d749b3a1},
        {"lrta:gmax=3.3", 0xac11276588242b9d},
        {"lss-lrta", 0x553b6af2750209da},
        {"rtaa", 0x5a5425f3c0e89e86},
        {"dartaa:k=5", 0x5861ee6194d33e2c},
        {"tba:k=7", 0xe5b62d9c0348e2db},
        {"tba:k=10,share=0.7,ratio=3", 0x5504653fc0144da0},
        {"rtba", 0xf840c13cc8699c86},
        {"tbaa", 0x4c29c10dd06ec172},
        {"tbaa:k=4,da=yes", 0xedb1ff0c11e603b2},
        {"repeated-astar:k=13", 0x00ec7f1878511027},
        {"adaptive-astar:k=13", 0x05558b0abbd5b7c9},
        {"dstar-lite:k=13", 0x9d06da1b9677f444},
        {"auto", 0xf840c13cc8699c86},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t moves = 0;
        /* What is known at first: the map, nothing, or all but a seventh of the open cells, now blocked. */
        for (uint32_t turn = 0; turn < GROUNDS * 3; turn++) {
            wend_map *map = ground(turn % GROUNDS), *truth = NULL;
            CHECK(wend_map_block(map, turn / GROUNDS == 2 ? 15 : 0, 1, &truth, NULL) == WEND_OK);
            wend_world_options options = wend_default_world_options();
            options.editable = true;
            wend_agent_options having = wend_default_agent_options();
            wend_knowledge_options believing = wend_default_knowledge_options();
            if (turn / GROUNDS == 2) believing.believed = map;
            wend_world *world = NULL;
            wend_agent *agent = NULL;
            if (CHECK(truth && wend_world_create(truth, &options, &world, NULL) == WEND_OK) &&
                (turn < GROUNDS ||
                 CHECK(wend_knowledge_create(world, &believing, &having.knowledge, NULL) == WEND_OK)))
                agent = make(world, known[i].planner, &having);
            if (agent) walk(world, agent, true, &moves);
            wend_agent_destroy(agent);
            wend_knowledge_destroy(having.knowledge);
            wend_world_destroy(world);
            wend_map_destroy(truth);
            wend_map_destroy(map);
        }
        expect(known[i].planner, "moves", moves, known[i].moves);
    }
}

static void searches_over_the_whole_map(void) {
    uint64_t astar = 0, jps = 0;
    for (uint32_t number = 0; number < GROUNDS; number++) {
        wend_map *map = ground(number);
        wend_search_options options = wend_default_search_options();
        wend_search *search = NULL;
        wend_jumps *jumps = NULL;
        if (!CHECK(wend_search_create(map, &options, &search, NULL) == WEND_OK) ||
            !CHECK(wend_jumps_create(map, NULL, &jumps, NULL) == WEND_OK))
            abort();
        test_random random = {9};
        for (uint32_t i = 0; i < 50; i++) {
            wend_cell start = test_open_cell(map, &random), goal = test_open_cell(map, &random);
            for (int how = 0; how < 2; how++) {
                uint64_t *hash = how ? &jps : &astar;
                wend_result result;
                CHECK((how ? wend_search_jps(search, jumps, start, goal, &result, NULL)
                           : wend_search_astar(search, start, goal, &result, NULL)) == WEND_OK);
                mix(hash, result.cost);
                mix(hash, result.expansions);
                mix(hash, result.operations);
                wend_direction moves[400];
                size_t count = wend_search_moves(search, moves, sizeof moves);
                for (size_t move = 0; move < count && move < sizeof moves; move++) mix(hash, moves[move]);
            }
        }
        wend_jumps_destroy(jumps);
        wend_search_destroy(search);
        wend_map_destroy(map);
    }
    expect("astar", "searches", astar, 0x3250c34c1d3c57d3);
    expect("jps", "searches", jps, 0xecc3613c28d06f1d);
}

/* A fleet whose members go on to another goal whenever they have come to one. */
static void a_fleet(void) {
    static const char *const planners[] = {"cpd:db=x", "atlas:db=x", "tba", "lss-lrta", "tbaa"};
    enum { SQUADS = sizeof planners / sizeof *planners, MEMBERS = 60, TICKS = 150 };
    wend_map *map = ground(0);
    uint64_t files = 0, hash = 0;
    wend_db *databases[2] = {build(map, "cpd", &files), build(map, "atlas", &files)};
    wend_fleet_options options = wend_default_fleet_options();
    options.workspaces = 8, options.budget = 20000, options.editable = true;
    wend_fleet *fleet = NULL;
    wend_knowledge *knowledge = NULL;
    wend_knowledge_options believing = wend_default_knowledge_options();
    if (!CHECK(databases[0] && databases[1] && wend_fleet_create(map, &options, &fleet, NULL) == WEND_OK) ||
        !CHECK(wend_knowledge_create(wend_fleet_world(fleet, 1), &believing, &knowledge, NULL) == WEND_OK))
        abort();
    for (uint32_t i = 0; i < SQUADS; i++) {
        const wend_settings *settings = NULL;
        wend_squad_options squad = wend_default_squad_options();
        wend_error error = {.message = ""};
        uint32_t number;
        if (i < 2) squad.agent.db = databases[i];
        if (i == SQUADS - 1) squad.agent.knowledge = knowledge;
        CHECK_THAT(test_settings_parse(planners[i], &settings, &error) == WEND_OK &&
                       wend_fleet_add_squad(fleet, settings, &squad, &number, &error) == WEND_OK,
                   "%s: %s", planners[i], error.message);
    }
    test_random random = {3};
    for (uint32_t i = 0; i < MEMBERS; i++) {
        wend_member member = WEND_NO_MEMBER;
        wend_status added = wend_fleet_add(fleet, i % SQUADS, test_open_cell(map, &random), &member, NULL);
        /* A budget too small had the number of TOO_LARGE when the hash was taken; no other status changed. */
        mix(&hash, added == WEND_STATUS_TOO_SMALL ? WEND_STATUS_TOO_LARGE : added);
        mix(&hash, wend_fleet_request(fleet, member, test_open_cell(map, &random), NULL, NULL));
    }
    for (uint32_t i = 0; i < TICKS; i++) {
        if (i % 20 == 19) {
            wend_xy at = wend_map_xy(map, test_open_cell(map, &random));
            mix(&hash, wend_fleet_edit(fleet, (wend_rect){at.x, at.y, 1, 1}, i % 40 == 39, NULL));
        }
        wend_tick tick = wend_fleet_tick(fleet);
        mix(&hash, tick.moves);
        mix(&hash, tick.operations);
        mix(&hash, wend_fleet_hash(fleet));
        for (wend_event event; wend_fleet_event(fleet, &event);) {
            mix(&hash, (uint64_t)event.kind << 32 | event.cell);
            mix(&hash, event.member);
            if (event.kind == WEND_EVENT_ARRIVED)
                mix(&hash, wend_fleet_request(fleet, event.member, test_open_cell(map, &random), NULL, NULL));
        }
    }
    wend_fleet_destroy(fleet);
    wend_knowledge_destroy(knowledge);
    wend_db_close(databases[0]);
    wend_db_close(databases[1]);
    wend_map_destroy(map);
    expect("fleet", "events", hash, 0x9565a9f94f6ba881);
}

/* Databases repaired after edits, and written again. */
static void repairs(void) {
    uint64_t built = 0, cpd = 0, atlas = 0;
    wend_map *map = ground(1);
    wend_db *moves = build(map, "cpd", &built), *ways = build(map, "atlas", &built);
    wend_map *now = NULL;
    wend_repair *first = NULL;
    wend_repair *second = NULL;
    wend_repair_options repairing = wend_default_repair_options();
    wend_repair_options mending = wend_default_repair_options();
    wend_build_options building = wend_default_build_options();
    if (!CHECK(moves && ways && wend_map_copy(map, &now, NULL) == WEND_OK) ||
        !CHECK(wend_repair_create(moves, now, &repairing, &first, NULL) == WEND_OK) ||
        !CHECK(wend_repair_create(ways, now, &mending, &second, NULL) == WEND_OK))
        abort();
    test_random random = {5};
    for (uint32_t edits = 0; edits < 6; edits++) {
        CHECK(test_map_edit_any(now, &random));
        for (bool done = false; !done;)
            if (!CHECK(wend_repair_step(first, 5000, &done, NULL) == WEND_OK)) break;
        for (bool done = false; !done;)
            if (!CHECK(wend_repair_step(second, 5000, &done, NULL) == WEND_OK)) break;
        for (uint32_t i = 0; i < 300; i++) {
            wend_cell from = test_open_cell(now, &random), to = test_open_cell(now, &random);
            mix(&cpd, wend_cpd_repair_move(first, from, to));
        }
    }
    const char *path = test_path("repaired");
    CHECK(wend_repair_write(first, &building, path, NULL) == WEND_OK);
    mix_file(&cpd, path);
    CHECK(wend_repair_write(second, &building, path, NULL) == WEND_OK);
    mix_file(&atlas, path);
    wend_repair_destroy(first);
    wend_repair_destroy(second);
    wend_db_close(moves);
    wend_db_close(ways);
    wend_map_destroy(now);
    wend_map_destroy(map);
    expect("repair of cpd", "moves and file", cpd, 0x5a61f6c6d9015c7a);
    expect("repair of atlas", "file", atlas, 0xddfa5fdf17bc37a3);
}

static const test tests[] = {
    {"databases and their planners", databases_and_their_planners},
    {"planners without a database", planners_without_a_database},
    {"searches over the whole map", searches_over_the_whole_map},
    {"a fleet", a_fleet},
    {"repairs", repairs},
};

TEST_MAIN(tests)
