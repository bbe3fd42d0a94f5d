/* Fleets that repair their databases while the map is edited: moves are legal, nothing is said to be
 * unreachable that is not, and every request ends once edits do (support/agents/fleets.c checks each tick).
 * Moves are the same with any number of workers. */
#include "shared/crew.h"
#include "support/agents/fleets.h"
#include "support/check.h"
#include "support/command/process.h"
#include "support/databases.h"
#include "support/files.h"

#include <stdio.h>
#include <wend/wend.h>

static const test_squad squads[] = {
    {"tba:k=9", NULL, 1, 0},       {"atlas:db=-", "atlas:sector=8", 1, 0},
    {"cpd:db=-", "cpd", 1, 0},     {"atlas:db=-", "atlas:sector=8", 1, 0},
    {"cpd:db=-,k=7", "cpd", 2, 0}, {"atlas:db=-", "atlas:sector=6", 2, 0},
};
enum { SQUADS = sizeof squads / sizeof *squads, SLICE = 50000 };
static const uint64_t sliced[SQUADS] = {0, 0, SLICE, SLICE, SLICE, SLICE},
                      at_once[SQUADS] = {0, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

static test_fleet_plan plan_of(uint64_t number, const uint64_t *repairs) {
    return (test_fleet_plan){.number = number,
                             .squads = squads,
                             .squad_count = SQUADS,
                             .repairs = repairs,
                             .width = 48,
                             .height = 40,
                             .shape = number % 3 == 0   ? TEST_SHAPE_ROOMS
                                      : number % 3 == 1 ? TEST_SHAPE_SCATTERED
                                                        : TEST_SHAPE_MAZE,
                             .editable = true,
                             .ticks = test_full() ? 2000 : 300,
                             .rest = 3000,
                             .workspaces = 1 + (uint32_t)(number % 4),
                             .lanes = 1 + (uint32_t)(number % 3)};
}

/* Edits at random for hundreds of ticks, in slices and each repair as a whole, on 1 to 3 workers. */
static void edits_at_random(void) {
    const uint64_t seeds = test_full() ? 24 : test_some(6);
    for (uint64_t number = 0; number < seeds; number++)
        for (int whole = 0; whole < 2; whole++) {
            test_fleet_plan plan = plan_of(number, whole ? at_once : sliced);
            test_fleet_end end = test_fleet_live(&plan);
            CHECK_THAT(end.edits > 10 && end.repairs > 10 && end.arrived > 10, "%llu edits, %llu repairs",
                       (unsigned long long)end.edits, (unsigned long long)end.repairs);
            for (uint32_t workers = 1; workers <= 3; workers++) {
                plan.tasks = shared_tasks((int)workers);
                CHECK_THAT(test_fleet_live(&plan).hash == end.hash, "map %llu: %u workers",
                           (unsigned long long)number, workers);
            }
            test_case();
        }
}

/* A fleet of one lane with one workspace, and a squad of a planner with a database of its kind. */
typedef struct rig {
    wend_map *map;
    wend_db *db;
    wend_fleet *fleet;
    uint32_t squad;
} rig;

static rig rig_of(const char *kind, const char *planner, uint64_t operations,
                  const wend_allocator *allocator) {
    test_random random = {1};
    rig it = {.map = test_map_make(TEST_SHAPE_OPEN, 64, 64, wend_default_rules(), &random, NULL)};
    /* Two halves, joined by doors far from one another. */
    CHECK(wend_map_edit(it.map, (wend_rect){32, 0, 1, 64}, false, NULL) == WEND_OK);
    CHECK(wend_map_edit(it.map, (wend_rect){32, 4, 1, 2}, true, NULL) == WEND_OK);
    CHECK(wend_map_edit(it.map, (wend_rect){32, 58, 1, 2}, true, NULL) == WEND_OK);
    wend_fleet_options options = wend_default_fleet_options();
    options.lanes = options.workspaces = 1, options.editable = true, options.budget = 1000000000;
    if (allocator) options.allocator = *allocator;
    it.fleet = test_fleet_make(it.map, &options);
    it.db = test_db_build(it.map, kind, 1);
    wend_squad_options squad = wend_default_squad_options();
    squad.agent.db = it.db, squad.repair_operations = operations;
    CHECK(test_fleet_squad(it.fleet, planner, &squad, &it.squad) == WEND_OK);
    return it;
}

static void release(rig *it) {
    wend_fleet_destroy(it->fleet);
    wend_db_close(it->db);
    wend_map_destroy(it->map);
}

static wend_member send(const rig *it, uint32_t squad, wend_cell from, wend_cell to) {
    wend_member member = WEND_NO_MEMBER;
    CHECK(wend_fleet_add(it->fleet, squad, from, &member, NULL) == WEND_OK);
    CHECK(wend_fleet_request(it->fleet, member, to, NULL, NULL) == WEND_OK);
    return member;
}

static wend_member_info look(const rig *it, wend_member member) {
    wend_member_info info = {0};
    CHECK(wend_fleet_member(it->fleet, member, &info));
    return info;
}

/* Somebody else has the only workspace for hundreds of ticks. A door is shut before a member that knew of no
 * other: it waits for that workspace, until the repair is complete and it knows the way without a search. */
static void who_waits_is_woken(void) {
    static const char *const kinds[][2] = {{"cpd", "cpd:db=-,k=1"}, {"atlas:sector=8", "atlas:db=-"}};
    for (size_t i = 0; i < 2; i++) {
        rig it = rig_of(kinds[i][0], kinds[i][1], i ? 3000 : 100000, NULL);
        wend_squad_options squad = wend_default_squad_options();
        uint32_t slow;
        CHECK(test_fleet_squad(it.fleet, "astar:k=1", &squad, &slow) == WEND_OK);
        const wend_member hog = send(&it, slow, 64 * 63 + 1, 64 * 31 + 62);
        const wend_member member = send(&it, it.squad, 64 * 5 + 20, 64 * 5 + 60);
        for (int tick = 0; tick < 6; tick++) (void)wend_fleet_tick(it.fleet);
        CHECK(wend_fleet_edit(it.fleet, (wend_rect){32, 4, 1, 2}, false, NULL) == WEND_OK);
        bool starved = false;
        uint32_t tick = 0;
        for (; tick < 1000 && look(&it, member).doing != WEND_DOING_NOTHING; tick++) {
            (void)wend_fleet_tick(it.fleet);
            starved |= look(&it, member).doing == WEND_DOING_STARVED;
        }
        CHECK_THAT(starved && look(&it, member).cell == 64 * 5 + 60 && look(&it, hog).cell == 64 * 63 + 1,
                   "%s: starved %d, at %u after %u ticks", kinds[i][0], starved, look(&it, member).cell,
                   tick);
        release(&it);
        test_case();
    }
}

/* One repair for squads with the same database and map; another for another map; none where none is
 * wanted. */
static void squads_share_a_repair(void) {
    rig it = rig_of("cpd", "cpd:db=-", 1000, NULL);
    wend_squad_options options = wend_default_squad_options();
    uint32_t same, without, twin;
    options.agent.db = it.db;
    CHECK(test_fleet_squad(it.fleet, "cpd:db=-", &options, &without) == WEND_OK);
    options.repair_operations = UINT64_MAX;
    CHECK(test_fleet_squad(it.fleet, "cpd:db=-,k=5", &options, &same) == WEND_OK);
    wend_db *other = test_db_build(it.map, "cpd", 1);
    options.agent.db = other;
    CHECK(test_fleet_squad(it.fleet, "cpd:db=-", &options, &twin) == WEND_OK);
    const wend_repair *repair = wend_fleet_repair(it.fleet, it.squad);
    CHECK(repair && wend_fleet_repair(it.fleet, same) == repair && !wend_fleet_repair(it.fleet, without));
    CHECK(wend_fleet_repair(it.fleet, twin) && wend_fleet_repair(it.fleet, twin) != repair);
    CHECK(!wend_fleet_repair(it.fleet, 99) && !wend_fleet_repair(NULL, 0));
    size_t bytes = wend_fleet_bytes(it.fleet);
    CHECK(bytes > 2 * wend_repair_about(repair).bytes);
    /* The most that anyone asks for: all of it in one tick. */
    CHECK(wend_fleet_edit(it.fleet, (wend_rect){32, 4, 1, 2}, false, NULL) == WEND_OK);
    wend_tick tick = wend_fleet_tick(it.fleet);
    CHECK(tick.repaired && wend_repair_about(repair).generation == 1);
    CHECK(tick.repair_operations == wend_repair_about(repair).operations +
                                        wend_repair_about(wend_fleet_repair(it.fleet, twin)).operations);
    tick = wend_fleet_tick(it.fleet);
    CHECK(tick.repaired && !tick.repair_operations && !tick.operations);
    release(&it);
    wend_db_close(other);
    test_case();
}

/* A team that learns of edits when it sees them has a repair of its own, of what it believes. */
static void a_team_repairs_what_it_believes(void) {
    rig it = rig_of("cpd", "cpd:db=-", UINT64_MAX, NULL);
    wend_squad_options options = wend_default_squad_options();
    wend_knowledge_options knowing = wend_default_knowledge_options();
    wend_knowledge *knowledge = NULL;
    uint32_t team;
    knowing.believed = it.map;
    CHECK(wend_knowledge_create(wend_fleet_world(it.fleet, 1), &knowing, &knowledge, NULL) == WEND_OK);
    options.agent.db = it.db, options.agent.knowledge = knowledge, options.repair_operations = UINT64_MAX;
    CHECK(test_fleet_squad(it.fleet, "cpd:db=-", &options, &team) == WEND_OK);
    const wend_repair *known = wend_fleet_repair(it.fleet, it.squad),
                      *believed = wend_fleet_repair(it.fleet, team);
    CHECK(known && believed && known != believed);
    const wend_member member = send(&it, team, 64 * 5 + 20, 64 * 5 + 60);
    CHECK(wend_fleet_edit(it.fleet, (wend_rect){32, 4, 1, 2}, false, NULL) == WEND_OK);
    (void)wend_fleet_tick(it.fleet);
    CHECK(wend_repair_about(known).generation == 1 && wend_repair_about(believed).generation == 0);
    for (uint32_t tick = 0; tick < 400; tick++) (void)wend_fleet_tick(it.fleet);
    CHECK(wend_repair_about(known).generation == 1 && wend_repair_about(believed).generation > 0);
    CHECK(look(&it, member).cell == 64 * 5 + 60);
    wend_fleet_destroy(it.fleet);
    it.fleet = NULL;
    wend_knowledge_destroy(knowledge);
    release(&it);
    test_case();
}

static void wrong_squads_are_refused(void) {
    rig it = rig_of("cpd", "cpd:db=-", 1000, NULL);
    wend_squad_options options = wend_default_squad_options();
    uint32_t squad;
    wend_db *knn = test_db_build(it.map, "knn:records=50", 1),
            *exact = test_db_build(it.map, "atlas:exact=yes", 1);
    options.repair_operations = 1;
    CHECK(test_fleet_squad(it.fleet, "tba", &options, &squad) == WEND_STATUS_BAD_ARGUMENT);
    options.agent.db = knn;
    CHECK(test_fleet_squad(it.fleet, "knn:db=-", &options, &squad) == WEND_STATUS_UNSUPPORTED);
    options.agent.db = exact;
    CHECK(test_fleet_squad(it.fleet, "atlas:db=-", &options, &squad) == WEND_STATUS_UNSUPPORTED);
    options.agent.db = it.db, options.agent.repair = wend_fleet_repair(it.fleet, it.squad);
    CHECK(test_fleet_squad(it.fleet, "cpd:db=-", &options, &squad) == WEND_STATUS_BAD_ARGUMENT);
    options.repair_operations = 0; /* but to be given one that another squad has is fine */
    CHECK(test_fleet_squad(it.fleet, "cpd:db=-", &options, &squad) == WEND_OK);
    /* Of the wrong kind for the planner: nothing of it stays. */
    options.agent.db = exact, options.agent.repair = NULL, options.repair_operations = 5;
    CHECK(test_fleet_squad(it.fleet, "cpd:db=-", &options, &squad) != WEND_OK);
    /* Nothing is edited there. */
    wend_fleet_options fixed = wend_default_fleet_options();
    wend_fleet *fleet = test_fleet_make(it.map, &fixed);
    options.agent.db = it.db;
    CHECK(test_fleet_squad(fleet, "cpd:db=-", &options, &squad) == WEND_OK);
    CHECK(!wend_fleet_repair(fleet, squad) && wend_fleet_tick(fleet).repaired);
    wend_fleet_destroy(fleet);
    release(&it);
    wend_db_close(exact);
    wend_db_close(knn);
    test_case();
}

/* Every request for memory in ticks refused in turn: that is reported, members go on, and the repair is
 * completed in the end. */
static void ticks_without_memory(void) {
    test_memory memory = {0};
    wend_allocator allocator = test_allocator(&memory);
    uint64_t failures = 0;
    bool refused = true;
    for (uint64_t n = 1; refused && n < 400; n += 3) {
        rig it = rig_of("atlas:sector=16", "atlas:db=-", 200000, &allocator);
        const wend_member member = send(&it, it.squad, 64 * 5 + 20, 64 * 5 + 60);
        CHECK(wend_fleet_edit(it.fleet, (wend_rect){32, 4, 1, 2}, false, NULL) == WEND_OK);
        memory.requests = 0, memory.refuse_at = n;
        wend_tick tick = {0};
        refused = false;
        for (int i = 0; i < 600; i++) {
            tick = wend_fleet_tick(it.fleet);
            refused |= tick.repairs_failed > 0;
        }
        failures += refused;
        CHECK(tick.repaired && look(&it, member).cell == 64 * 5 + 60);
        memory.refuse_at = 0;
        release(&it);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    CHECK(failures > 10 && !refused);
}

/* Walks that the referee judges, a program that shares no line with wend. */
enum { WALKERS = 48, LONGEST = 4000 };
typedef struct walk {
    wend_member member;
    wend_cell start, at, goal;
    wend_event_kind end; /* WEND_EVENT_REQUESTED: not yet */
    size_t count;
    char moves[LONGEST + 1]; /* a digit for each move, w for a tick without one */
} walk;

static bool stands_within(const walk *walks, const wend_map *map, wend_rect area) {
    for (uint32_t i = 0; i < WALKERS; i++) {
        wend_xy at = wend_map_xy(map, walks[i].at);
        if (at.x >= area.x && at.x < area.x + area.width && at.y >= area.y && at.y < area.y + area.height)
            return true;
    }
    return false;
}

/* Requests and edits at random; nobody is walled in. */
static void live_on(wend_fleet *fleet, walk *walks, test_random *random) {
    const wend_map *map = wend_fleet_map(fleet, 1);
    for (uint32_t tick = 0; tick < 150; tick++) {
        wend_rect area = {(int32_t)test_below(random, 58), (int32_t)test_below(random, 58), 2, 2};
        if (!stands_within(walks, map, area))
            CHECK(wend_fleet_edit(fleet, area, test_below(random, 3) == 0, NULL) == WEND_OK);
        walk *any = &walks[test_below(random, WALKERS)];
        CHECK(wend_fleet_request(fleet, any->member, test_open_cell(map, random), NULL, NULL) == WEND_OK);
        (void)wend_fleet_tick(fleet);
        for (uint32_t i = 0; i < WALKERS; i++) {
            wend_member_info info = {0};
            CHECK(wend_fleet_member(fleet, walks[i].member, &info));
            walks[i].at = info.cell;
        }
    }
}

/* What a walk did in a tick. */
static void record(const wend_fleet *fleet, const wend_map *map, walk *w) {
    wend_member_info info = {0};
    CHECK(wend_fleet_member(fleet, w->member, &info));
    if (w->end != WEND_EVENT_REQUESTED || w->count == LONGEST) return;
    wend_xy from = wend_map_xy(map, w->at), to = wend_map_xy(map, info.cell);
    const int32_t dx = to.x - from.x, dy = to.y - from.y;
    const bool near = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1;
    static const char by_place[9] = {'7', '0', '1', '6', 'w', '2', '5', '4', '3'};
    w->moves[w->count++] = near ? by_place[(dy + 1) * 3 + dx + 1] : '?';
    w->at = info.cell;
}

static void take_ends(wend_fleet *fleet, walk *walks) {
    for (wend_event event; wend_fleet_event(fleet, &event);)
        for (uint32_t i = 0; i < WALKERS; i++)
            if (walks[i].member == event.member && event.kind > WEND_EVENT_REQUESTED &&
                event.kind <= WEND_EVENT_OUT_OF_MEMORY)
                walks[i].end = event.kind;
}

/* Everyone gets a goal on the map as it is, while repairs are under way. */
static uint32_t walk_on(wend_fleet *fleet, walk *walks, test_random *random) {
    const wend_map *map = wend_fleet_map(fleet, 1);
    uint32_t ended = 0;
    for (uint32_t i = 0; i < WALKERS; i++) {
        walks[i].start = walks[i].at, walks[i].goal = test_open_cell(map, random);
        CHECK(wend_fleet_request(fleet, walks[i].member, walks[i].goal, NULL, NULL) == WEND_OK);
    }
    take_ends(fleet, walks);
    for (uint32_t i = 0; i < WALKERS; i++)
        if (walks[i].start != walks[i].goal) walks[i].end = WEND_EVENT_REQUESTED;
    for (uint32_t tick = 0; tick < LONGEST; tick++) {
        (void)wend_fleet_tick(fleet);
        for (uint32_t i = 0; i < WALKERS; i++) record(fleet, map, &walks[i]);
        take_ends(fleet, walks);
    }
    for (uint32_t i = 0; i < WALKERS; i++) ended += walks[i].end != WEND_EVENT_REQUESTED;
    return ended;
}

static int judge(const wend_map *map, const walk *walks, const char *source) {
    char folder[200], program[300], file[300], moves[300];
    if (!CHECK(test_folder_make(folder))) return -1;
    snprintf(program, sizeof program, "%s/referee", folder);
    snprintf(file, sizeof file, "%s/edited.map", folder);
    snprintf(moves, sizeof moves, "%s/moves", folder);
    char *build[] = {"cc", "-O1", "-o", program, (char *)source, "-lm", NULL};
    FILE *out = fopen(moves, "w");
    for (uint32_t i = 0; out && i < WALKERS; i++) {
        wend_xy from = wend_map_xy(map, walks[i].start), to = wend_map_xy(map, walks[i].goal);
        fprintf(out, "%d %d %d %d %s %s\n", from.x, from.y, to.x, to.y, wend_event_name(walks[i].end),
                walks[i].moves);
    }
    if (out) fclose(out);
    char *run[] = {program, file, "--no-optimal", NULL};
    int status =
        out && CHECK(wend_map_save(file, map, NULL) == WEND_OK) && CHECK(test_run(build, NULL, NULL) == 0)
            ? test_run(run, moves, NULL)
            : -1;
    test_folder_remove(folder);
    return status;
}

static void the_referee_agrees(void) {
    char source[300];
    const char *shared = test_shared();
    if (!shared) return;
    snprintf(source, sizeof source, "%s/referee/referee.c", shared);
    if (!test_exists(source)) {
        test_skip("no referee among the shared files");
        return;
    }
    for (uint64_t seed = 0; seed < (test_full() ? 20 : 3); seed++) {
        test_random random = {seed};
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 60, 60, wend_default_rules(), &random, NULL);
        wend_fleet_options options = wend_default_fleet_options();
        options.editable = true, options.workspaces = 4, options.lanes = 2, options.budget = 100000000;
        wend_fleet *fleet = test_fleet_make(map, &options);
        wend_db *dbs[4] = {NULL, test_db_build(map, "atlas", 1), test_db_build(map, "cpd", 1), NULL};
        static const char *const planners[] = {"tba:k=9", "atlas:db=-", "cpd:db=-", "atlas:db=-"};
        static walk walks[WALKERS];
        dbs[3] = dbs[1];
        for (uint32_t i = 0; i < 4; i++) {
            wend_squad_options squad = wend_default_squad_options();
            uint32_t number;
            squad.agent.db = dbs[i], squad.repair_operations = i < 2 ? 0 : SLICE;
            CHECK(test_fleet_squad(fleet, planners[i], &squad, &number) == WEND_OK && number == i);
        }
        for (uint32_t i = 0; i < WALKERS; i++) {
            walks[i] = (walk){.at = test_open_cell(map, &random), .end = WEND_EVENT_ARRIVED};
            CHECK(wend_fleet_add(fleet, i % 4, walks[i].at, &walks[i].member, NULL) == WEND_OK);
        }
        live_on(fleet, walks, &random);
        CHECK(walk_on(fleet, walks, &random) == WALKERS);
        CHECK(judge(wend_fleet_map(fleet, 1), walks, source) == 0);
        wend_fleet_destroy(fleet);
        wend_db_close(dbs[1]);
        wend_db_close(dbs[2]);
        wend_map_destroy(map);
        test_case();
    }
}

static const test tests[] = {
    {"edits at random", edits_at_random},
    {"the referee agrees", the_referee_agrees},
    {"who waits is woken", who_waits_is_woken},
    {"squads share a repair", squads_share_a_repair},
    {"a team repairs what it believes", a_team_repairs_what_it_believes},
    {"wrong squads are refused", wrong_squads_are_refused},
    {"ticks without memory", ticks_without_memory},
};
TEST_MAIN(tests)
