/* kNN LRTA* of 2010: held against a plain form of figure 8 and its enhancements, and against its theorems. */
#include "methods/knn/agent.h"
#include "methods/lrta/values.h"
#include "support/agents/realtime.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>

/* What a planner's text says, for the plain form. */
typedef struct keys {
    uint32_t climb, candidates;
    double quota;
    bool e1, e2, e3, e4, e5, e6;
} keys;

static bool is_on(const char *planner, const char *key) {
    char off[16];
    (void)snprintf(off, sizeof off, "%s=no", key);
    return !strstr(planner, off);
}

static double number_of(const char *planner, const char *key, double standard) {
    const char *at = strstr(planner, key);
    return at ? strtod(at + strlen(key), NULL) : standard;
}

static keys keys_of(const char *planner) {
    return (keys){.climb = (uint32_t)number_of(planner, "climb=", 250),
                  .candidates = (uint32_t)number_of(planner, "candidates=", 10),
                  .quota = number_of(planner, "quota=", 3),
                  .e1 = is_on(planner, "e1"),
                  .e2 = is_on(planner, "e2"),
                  .e3 = is_on(planner, "e3"),
                  .e4 = is_on(planner, "e4"),
                  .e5 = is_on(planner, "e5"),
                  .e6 = is_on(planner, "e6")};
}

static const char *const planners[] = {
    "knn:db=-",
    "knn:db=-,climb=1",
    "knn:db=-,climb=3,candidates=1",
    "knn:db=-,climb=6",
    "knn:db=-,climb=6,e1=no",
    "knn:db=-,climb=12,e2=no",
    "knn:db=-,climb=12,e3=no",
    "knn:db=-,climb=8,e4=no",
    "knn:db=-,climb=8,e5=no",
    "knn:db=-,climb=4,e6=no",
    "knn:db=-,climb=4,quota=1",
    "knn:db=-,climb=2,quota=1.3,e1=no,candidates=3",
    "knn:db=-,climb=30,e1=no,e2=no,e3=no,e4=no,e5=no,e6=no",
    "knn:db=-,climb=30,e1=no,e3=no,e5=no",
    "knn:db=-,climb=8,candidates=1000,e2=no,e4=no",
};
enum { PLANNERS = sizeof planners / sizeof *planners };

static const char *const databases[] = {
    "knn:records=0",
    "knn:records=1",
    "knn:records=6",
    "knn:records=60",
    "knn:records=60,spread=even",
    "knn:records=300,compress=linear",
    "knn:records=12,fragments=yes",
};
enum { DATABASES = sizeof databases / sizeof *databases };

/* Figure 7 with its cap. */
static bool reachable(const test_grid *grid, wend_cell from, wend_cell to, uint32_t cap) {
    for (; from != to && cap > 0; cap--) {
        wend_direction d = test_climb_move(grid, from, to);
        if (d == WEND_NO_DIRECTION) return false;
        from = test_next(grid, from, d);
    }
    return from == to;
}

enum { DIRECT = -1, NOTHING = -2 };

/* Figure 8: the entry, DIRECT or NOTHING. Entries are gone through from the most similar on by looking for
 * the next one each time. */
static int64_t select_plainly(const test_grid *grid, const wend_map *map, const wend_knn *knn, const keys *k,
                              wend_cell at, wend_cell goal) {
    if (k->e1 && reachable(grid, at, goal, k->climb)) return DIRECT;
    wend_cost last = 0;
    int64_t last_entry = -1;
    for (uint32_t tried = 0; tried < knn->count && (!k->e4 || tried < k->candidates); tried++) {
        wend_cost best = WEND_NO_COST;
        int64_t entry = -1;
        for (uint32_t i = 0; i < knn->count; i++) {
            wend_cost start = test_distance(grid, at, wend_knn_start(map, knn, i));
            wend_cost end = test_distance(grid, wend_knn_end(map, knn, i), goal);
            wend_cost similarity = start > end ? start : end;
            if (last_entry >= 0 && (similarity < last || (similarity == last && (int64_t)i <= last_entry)))
                continue;
            if (similarity < best) best = similarity, entry = i;
        }
        last = best, last_entry = entry;
        if (reachable(grid, at, wend_knn_start(map, knn, (uint32_t)entry), k->climb) &&
            reachable(grid, wend_knn_end(map, knn, (uint32_t)entry), goal, k->climb))
            return entry;
    }
    return NOTHING;
}

/* The plain agent's walk: directions, as many as there is room for. */
typedef struct plain_walk {
    wend_direction *moves;
    uint64_t count, room;
    uint32_t interruptions, fallbacks, records;
    bool went_astray; /* a climb that was promised failed */
} plain_walk;

static void walk_move(plain_walk *walk, wend_direction d) {
    if (walk->count < walk->room) walk->moves[walk->count] = d;
    walk->count++;
}

/* Who comes by the goal has arrived. */
static wend_cell climb_on(plain_walk *walk, const test_grid *grid, wend_cell at, wend_cell to,
                          wend_cell goal) {
    while (at != to && at != goal) {
        wend_direction d = test_climb_move(grid, at, to);
        if (d == WEND_NO_DIRECTION) {
            walk->went_astray = true;
            return to;
        }
        walk_move(walk, d);
        at = test_next(grid, at, d);
    }
    return at;
}

static void follow_plainly(plain_walk *walk, const test_grid *grid, const wend_map *map, const wend_knn *knn,
                           const keys *k, wend_cell at, wend_cell goal, uint32_t entry) {
    wend_cell states[2000];
    size_t count = 0;
    states[count++] = wend_knn_start(map, knn, entry);
    for (uint32_t next = knn->begins[entry]; next < knn->stops[entry] && count < 1990;)
        states[count++] = wend_knn_subgoal(knn, &next);
    states[count++] = wend_knn_end(map, knn, entry);
    size_t i = k->e2 && reachable(grid, at, states[1], k->climb) ? 1 : 0;
    for (; i < count && at != goal; i++) {
        at = climb_on(walk, grid, at, states[i], goal);
        if (k->e3 && i + 2 == count && reachable(grid, at, goal, k->climb)) break;
    }
    (void)climb_on(walk, grid, at, goal, goal);
}

static void walk_plainly(plain_walk *walk, const test_grid *grid, const wend_map *map, const wend_knn *knn,
                         const keys *k, wend_cell start, wend_cell goal) {
    test_learner learner;
    test_learner_start(&learner, grid, start, goal);
    while (learner.at != goal) {
        int64_t entry = select_plainly(grid, map, knn, k, learner.at, goal);
        if (entry == DIRECT) (void)climb_on(walk, grid, learner.at, goal, goal);
        walk->records += entry >= 0;
        if (entry >= 0) follow_plainly(walk, grid, map, knn, k, learner.at, goal, (uint32_t)entry);
        if (entry != NOTHING) break;
        walk->fallbacks++;
        bool limited = k->e6 && walk->fallbacks == 1;
        wend_cost quota = (wend_cost)(k->quota * (double)test_distance(grid, learner.at, goal)),
                  travelled = 0;
        while (learner.at != goal && !(limited && travelled >= quota) && walk->count < walk->room) {
            int d = test_lrta_move(&learner);
            walk_move(walk, (wend_direction)d);
            travelled += test_move_cost(grid, d);
        }
        if (walk->count >= walk->room) break;
        walk->interruptions += learner.at != goal;
    }
    test_learner_free(&learner);
}

/* One step of an agent, held against what must be true of any. */
static wend_step checked_step(const test_stage *stage, wend_agent *agent, const char *planner) {
    wend_cell before = wend_agent_cell(agent);
    wend_step step = wend_agent_step(agent);
    wend_cell at = wend_agent_cell(agent);
    uint64_t bound = wend_agent_bound(agent, wend_agent_budget(agent));
    if (step.outcome == WEND_STEP_MOVED)
        CHECK_THAT(step.direction < 8 && test_next(&stage->grid, before, step.direction) == at,
                   "%s on map %llu: an illegal move", planner, (unsigned long long)stage->number);
    else
        CHECK(at == before);
    CHECK_THAT(step.operations <= bound, "%s on map %llu: %llu operations, bound %llu", planner,
               (unsigned long long)stage->number, (unsigned long long)step.operations,
               (unsigned long long)bound);
    CHECK(step.expansions <= wend_agent_budget(agent));
    return step;
}

/* A whole walk; moves go into `moves`. The most waits are those of choosing twice and checking. */
static wend_outcome checked_walk(const test_stage *stage, wend_agent *agent, const char *planner,
                                 wend_cell start, wend_cell goal, wend_direction *moves, uint64_t room,
                                 uint64_t *count) {
    *count = 0;
    if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) return WEND_STEP_WAITING;
    uint64_t waits = 0;
    while (*count <= room && waits < 100000) {
        wend_step step = checked_step(stage, agent, planner);
        if (step.outcome == WEND_STEP_MOVED) {
            if (*count < room) moves[*count] = step.direction;
            ++*count;
        } else if (step.outcome == WEND_STEP_WAITING) {
            waits++;
        } else {
            return step.outcome;
        }
    }
    return WEND_STEP_WAITING;
}

enum { ROOM = 400000 };

/* Move by move what the paper's pseudocode does. So it arrives wherever there is a path, with a database of
 * no, one or many records. An agent that heads for its goal without one is interrupted once at most. */
static void agents_do_what_the_paper_says(void) {
    wend_direction *moves = malloc(ROOM), *plain = malloc(ROOM);
    uint64_t led = 0, by_record = 0, fallbacks = 0, interruptions = 0, rescued = 0;
    for (uint64_t number = 0; number < test_some(420) && moves && plain; number++) {
        test_stage stage;
        test_random random = {number};
        bool open = test_stage_any(&stage, number);
        wend_db *db = open ? test_db_build(stage.map, databases[number % DATABASES], number) : NULL;
        for (uint64_t turn = 0; db && turn < 6; turn++) {
            const char *planner = planners[(number * 6 + turn) % PLANNERS];
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            wend_agent *agent = start == WEND_NO_CELL ? NULL : test_db_agent(&stage, planner, db);
            if (!agent) break;
            uint64_t count;
            wend_outcome end = checked_walk(&stage, agent, planner, start, goal, moves, ROOM, &count);
            test_dijkstra(&stage.grid, goal, stage.left);
            if (stage.left[start] == WEND_NO_COST) {
                CHECK(end == WEND_STEP_UNREACHABLE && count == 0);
            } else {
                keys k = keys_of(planner);
                plain_walk walk = {.moves = plain, .room = ROOM};
                walk_plainly(&walk, &stage.grid, stage.map, wend_knn_of(db), &k, start, goal);
                CHECK(!walk.went_astray && walk.count < ROOM);
                CHECK_THAT(end == WEND_STEP_ARRIVED && wend_agent_cell(agent) == goal,
                           "%s on map %llu from %u to %u: outcome %d", planner, (unsigned long long)number,
                           start, goal, (int)end);
                CHECK_THAT(count == walk.count && memcmp(moves, plain, count) == 0,
                           "%s, %s on map %llu from %u to %u: %llu moves, not those %llu of the plain form",
                           planner, databases[number % DATABASES], (unsigned long long)number, start, goal,
                           (unsigned long long)count, (unsigned long long)walk.count);
                const wend_knn_agent *state = agent->state;
                CHECK(state->interruptions == walk.interruptions && state->interruptions <= 1);
                CHECK((wend_agent_counters(agent).searches > 0) == (walk.fallbacks > 0 && start != goal));
                fallbacks += walk.fallbacks > 0, interruptions += walk.interruptions;
                rescued += walk.interruptions && walk.fallbacks == 1;
                led += !walk.fallbacks;
                by_record += walk.records > 0;
            }
            wend_agent_destroy(agent);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
    }
    CHECK_THAT(led > test_some(500) && by_record > test_some(400) && fallbacks > test_some(100) &&
                   interruptions > test_some(30) && rescued > test_some(5),
               "%llu led, %llu by a record, %llu without, %llu of them interrupted, %llu with success",
               (unsigned long long)led, (unsigned long long)by_record, (unsigned long long)fallbacks,
               (unsigned long long)interruptions, (unsigned long long)rescued);
    free(moves);
    free(plain);
}

/* Theorem 5: what the climber reaches, LRTA* with a lookahead of one move reaches by the same moves, and so
 * without standing on any cell twice. */
static void lrta_follows_the_climber(void) {
    uint64_t reached = 0;
    for (uint64_t number = 0; number < test_some(300); number++) {
        test_stage stage;
        test_random random = {number};
        wend_agent *agent = test_stage_any(&stage, number) ? test_agent_make(&stage, "lrta", NULL) : NULL;
        for (int i = 0; agent && i < 30; i++) {
            wend_cell at = test_open_cell(stage.map, &random), to = test_open_cell(stage.map, &random);
            if (at == WEND_NO_CELL || !reachable(&stage.grid, at, to, UINT32_MAX)) continue;
            reached++;
            CHECK(wend_agent_start(agent, at, to, NULL) == WEND_OK);
            while (at != to) {
                wend_direction d = test_climb_move(&stage.grid, at, to);
                wend_step step = wend_agent_step(agent);
                CHECK(step.outcome == WEND_STEP_MOVED && step.direction == d);
                at = test_next(&stage.grid, at, d);
            }
            CHECK(wend_agent_cell(agent) == to && wend_agent_counters(agent).revisits == 0);
        }
        wend_agent_destroy(agent);
        test_stage_close(&stage);
        test_case();
    }
    CHECK(reached > test_some(1000));
}

/* Theorem 6, with a fixture of our own in place of figure 10: the goal is in the upper right corner. The
 * climber hugs the wall above it all along, where a step back leads around it for less. */
static void what_can_be_climbed_to_may_be_expensive(void) {
    wend_map_options options = wend_default_map_options();
    options.rules.diagonal = WEND_DIAGONAL_1_4;
    wend_map *map = NULL;
    bool made = CHECK(wend_map_create(12, 10, &options, &map, NULL) == WEND_OK) &&
                CHECK(wend_map_edit(map, (wend_rect){0, 0, 12, 10}, true, NULL) == WEND_OK) &&
                CHECK(wend_map_edit(map, (wend_rect){1, 8, 8, 1}, false, NULL) == WEND_OK);
    test_stage stage;
    if (made && test_stage_open(&stage, map, NULL)) {
        wend_cell start = wend_map_cell(map, 1, 9), goal = wend_map_cell(map, 11, 0);
        wend_climb_result climb = wend_climb(map, start, goal, UINT32_MAX);
        test_dijkstra(&stage.grid, start, stage.left);
        CHECK(climb.reached && climb.straight == 15 && climb.diagonal == 2); /* 17.8 */
        CHECK(stage.left[goal] == 84);                                       /* 16.8 */
        wend_agent *agent = test_agent_make(&stage, "lrta", NULL);
        double over = test_db_suboptimality(agent, map, start, goal, 16.8, 100);
        CHECK_THAT(over > 5.9 && over < 6, "%g%%", over);
        wend_agent_destroy(agent);
        test_stage_close(&stage);
    }
    test_case();
}

/* With TBA* in place of learning: it arrives, within its bound, and never waits for long where there is a
 * workspace. */
static void tba_leads_to_the_goal_as_well(void) {
    wend_direction *moves = malloc(ROOM);
    uint64_t searched = 0;
    for (uint64_t number = 0; number < test_some(300) && moves; number++) {
        test_stage stage;
        test_random random = {number};
        bool open = test_stage_any(&stage, number);
        static const char *const forms[] = {"knn:db=-,fallback=tba", "knn:db=-,fallback=tba,climb=3",
                                            "knn:db=-,fallback=tba,climb=3,candidates=1",
                                            "knn:db=-,fallback=tba,climb=2,e6=no"};
        const char *planner = forms[number % 4];
        wend_db *db = open ? test_db_build(stage.map, databases[number % DATABASES], number) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, planner, db) : NULL;
        for (int i = 0; agent && i < 6; i++) {
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            if (start == WEND_NO_CELL) break;
            uint64_t count;
            wend_outcome end = checked_walk(&stage, agent, planner, start, goal, moves, ROOM, &count);
            test_dijkstra(&stage.grid, goal, stage.left);
            CHECK_THAT(end == (stage.left[start] == WEND_NO_COST ? WEND_STEP_UNREACHABLE : WEND_STEP_ARRIVED),
                       "%s on map %llu from %u to %u: outcome %d", planner, (unsigned long long)number, start,
                       goal, (int)end);
            CHECK(!strstr(planner, "e6=no") || !((const wend_knn_agent *)agent->state)->interruptions);
            CHECK(wend_agent_counters(agent).learnt == 0);
            searched += wend_agent_counters(agent).searches;
        }
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK(searched > test_some(50));
    free(moves);
}

/* A fallback's search that runs over open ground opens three cells per expansion, which take as long as many
 * expansions along its front: what it opens in a step is limited, too. */
static void a_fallback_opens_no_more_in_a_step_than_it_expands(void) {
    enum { SIDE = 300, BUDGET = 135, SLICE = 8 }; /* expansions of a step, and of which it looks at a time */
    for (uint32_t rules = 0; rules < TEST_RULES; rules++) {
        test_random random = {rules};
        test_stage stage;
        wend_map *map = test_map_make(TEST_SHAPE_OPEN, SIDE, SIDE, test_rules(rules), &random, NULL);
        /* A wall between the agent and its goal, with a long way around it. */
        if (map) CHECK(wend_map_edit(map, (wend_rect){SIDE - 20, 5, 1, SIDE - 10}, false, NULL) == WEND_OK);
        bool open = test_stage_open(&stage, map, NULL);
        wend_db *db = open ? test_db_build(stage.map, "knn:records=0", 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "knn:db=-,fallback=tba", db) : NULL;
        wend_cell start = SIDE * (SIDE / 3) + 10, goal = SIDE * (SIDE / 2) + SIDE - 5;
        uint64_t touched = 0, most = 0, opened = 0, expanded = 0;
        if (agent) CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
        for (wend_outcome end = WEND_STEP_MOVED; agent && end <= WEND_STEP_WAITING;) {
            wend_step step = wend_agent_step(agent);
            end = step.outcome;
            if (!agent->workspace) continue;
            uint64_t now = agent->workspace->search->touched;
            if (now - touched > most) most = now - touched;
            if (step.expansions > 1) opened += now - touched, expanded += step.expansions;
            touched = now;
        }
        CHECK_THAT(most > 0 && most <= BUDGET + SLICE * WEND_DIRECTIONS, "rules %u: %llu cells opened", rules,
                   (unsigned long long)most);
        CHECK_THAT(expanded > 1000 && opened > 1000, "%llu", (unsigned long long)expanded);
        CHECK(!agent || wend_agent_cell(agent) == goal);
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

/* Without a database that is worth anything, and without a second look, it is LRTA*. */
static void without_records_it_is_lrta(void) {
    wend_direction *moves = malloc(ROOM), *others = malloc(ROOM);
    for (uint64_t number = 0; number < test_some(200) && moves && others; number++) {
        test_stage stage;
        test_random random = {number};
        bool open = test_stage_any(&stage, number);
        wend_db *db = open ? test_db_build(stage.map, "knn:records=0", 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "knn:db=-,e1=no", db) : NULL;
        wend_agent *lrta = db ? test_agent_make(&stage, "lrta", NULL) : NULL;
        for (int i = 0; agent && lrta && i < 4; i++) {
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            if (start == WEND_NO_CELL) break;
            uint64_t count, other;
            wend_outcome end = checked_walk(&stage, agent, "knn", start, goal, moves, ROOM, &count);
            CHECK(end == checked_walk(&stage, lrta, "lrta", start, goal, others, ROOM, &other));
            CHECK(count == other && memcmp(moves, others, count) == 0);
            CHECK(wend_agent_counters(agent).learnt == wend_agent_counters(lrta).learnt);
            CHECK(wend_agent_counters(agent).revisits == wend_agent_counters(lrta).revisits);
        }
        wend_agent_destroy(agent);
        wend_agent_destroy(lrta);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    free(moves);
    free(others);
}

/* Goals that change and agents that are put elsewhere; the same calls give the same state, bit for bit. */
static void runs_repeat_and_tasks_change(void) {
    static const char *const forms[] = {"knn:db=-,climb=9", "knn:db=-,climb=9,fallback=tba",
                                        "knn:db=-,e4=no,e5=no,climb=5"};
    for (uint64_t number = 0; number < test_some(120); number++) {
        test_stage stage;
        bool open = test_stage_any(&stage, number);
        wend_db *db = open ? test_db_build(stage.map, databases[3], number) : NULL;
        uint64_t hashes[2][4];
        for (int run = 0; db && run < 2; run++) {
            test_random random = {number};
            const char *planner = forms[number % 3];
            wend_agent *agent = test_db_agent(&stage, planner, db);
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            if (!agent || start == WEND_NO_CELL) {
                memset(hashes, 0, sizeof hashes);
                wend_agent_destroy(agent);
                break;
            }
            CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
            for (int part = 0; part < 4; part++) {
                for (int i = 0; i < 40; i++) {
                    if (test_below(&random, 4) == 0) (void)wend_agent_plan(agent, 3);
                    (void)checked_step(&stage, agent, planner);
                }
                hashes[run][part] = wend_agent_hash(agent);
                wend_cell other = test_open_cell(stage.map, &random);
                CHECK((part % 2 ? wend_agent_place(agent, other, NULL)
                                : wend_agent_set_goal(agent, other, NULL)) == WEND_OK);
            }
            wend_outcome outcome = WEND_STEP_WAITING;
            for (int i = 0; i < ROOM && outcome <= WEND_STEP_WAITING; i++)
                outcome = checked_step(&stage, agent, planner).outcome;
            test_dijkstra(&stage.grid, wend_agent_goal(agent), stage.left);
            bool joined = stage.left[wend_agent_cell(agent)] != WEND_NO_COST;
            CHECK(outcome == (joined ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE));
            wend_agent_destroy(agent);
        }
        if (db) CHECK(memcmp(hashes[0], hashes[1], sizeof hashes[0]) == 0);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

/* The bound comes from the settings; what is planned in pieces keeps to it; nothing is allocated. */
static void steps_are_bounded_and_allocate_nothing(void) {
    static const char *const forms[] = {"knn:db=-,climb=100000,candidates=1000", "knn:db=-,e5=no",
                                        "knn:db=-,e4=no,e1=no", "knn:db=-,fallback=tba,climb=9"};
    uint64_t bounds[2][4] = {{0}};
    for (int size = 0; size < 2; size++) {
        test_memory memory = {0};
        test_random random = {0};
        wend_world_options options = wend_default_world_options();
        options.allocator = test_allocator(&memory);
        test_stage stage;
        int32_t side = size ? (int32_t)test_some(240) + 60 : 60;
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, side, side, wend_default_rules(), &random, NULL);
        wend_db *db =
            test_stage_open(&stage, map, &options) ? test_db_build(stage.map, "knn:records=3000", 1) : NULL;
        for (size_t form = 0; db && form < 4; form++) {
            wend_agent *agent = test_db_agent(&stage, forms[form], db);
            if (agent) bounds[size][form] = wend_agent_bound(agent, 20);
            uint64_t requests = memory.requests, largest = 0, waits = 0;
            for (int turn = 0; agent && turn < 6000; turn++) {
                if (turn % 300 == 0)
                    CHECK(wend_agent_start(agent, test_open_cell(stage.map, &random),
                                           test_open_cell(stage.map, &random), NULL) == WEND_OK);
                uint64_t sum = 0;
                for (uint32_t piece = test_below(&random, 4); piece > 0; piece--) {
                    sum += 7;
                    if (!wend_agent_plan(agent, 7)) break;
                }
                wend_step step = wend_agent_move(agent);
                CHECK(step.operations <= wend_agent_bound(agent, sum));
                if (step.operations > largest) largest = step.operations;
                waits += step.outcome == WEND_STEP_WAITING;
            }
            CHECK(memory.requests == requests);
            /* A choice that takes many operations is spread over steps. */
            if (form == 1) CHECK_THAT(waits > 0 && largest > 250, "%llu waits", (unsigned long long)waits);
            if (agent) CHECK_THAT(wend_agent_bytes(agent) < 16384, "%zu bytes", wend_agent_bytes(agent));
            if (agent && form == 3)
                CHECK_THAT(wend_agent_bytes(agent) < 1024, "%zu bytes", wend_agent_bytes(agent));
            wend_agent_destroy(agent);
            test_case();
        }
        wend_db_close(db);
        test_stage_close(&stage);
        CHECK(memory.live_blocks == 0 && memory.wrong_sizes == 0);
    }
    CHECK(memcmp(bounds[0], bounds[1], sizeof bounds[0]) == 0);
}

/* Many agents share a database and one workspace: those that need it wait for one another, and all arrive. */
static void agents_share_one_workspace(void) {
    static const char *const forms[] = {"knn:db=-,climb=4", "knn:db=-,climb=4,fallback=tba"};
    enum { AGENTS = 12 };
    for (int form = 0; form < 2; form++) {
        test_random random = {7};
        test_stage stage;
        wend_map *map = test_map_make(TEST_SHAPE_ROOMS, 50, 50, wend_default_rules(), &random, NULL);
        wend_world_options options = wend_default_world_options();
        options.workspaces = 1;
        wend_db *db =
            test_stage_open(&stage, map, &options) ? test_db_build(stage.map, "knn:records=20", 1) : NULL;
        wend_agent *agents[AGENTS] = {NULL};
        uint64_t left = 0, searches = 0, waits = 0;
        for (int i = 0; db && i < AGENTS; i++) {
            agents[i] = test_db_agent(&stage, forms[form], db);
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            if (agents[i]) CHECK(wend_agent_start(agents[i], start, goal, NULL) == WEND_OK);
        }
        for (int tick = 0; tick < 60000; tick++) {
            left = 0;
            for (int i = 0; i < AGENTS && agents[i]; i++)
                left += checked_step(&stage, agents[i], forms[form]).outcome <= WEND_STEP_WAITING;
            if (!left) break;
        }
        CHECK(!left);
        for (int i = 0; i < AGENTS; i++) {
            if (agents[i]) searches += wend_agent_counters(agents[i]).searches;
            if (agents[i]) waits += wend_agent_counters(agents[i]).waits;
            wend_agent_destroy(agents[i]);
        }
        CHECK(searches > 1 && waits > 0);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

static void caps_are_outcomes(void) {
    test_random random = {3};
    test_stage stage;
    wend_map *map = test_map_make(TEST_SHAPE_COMB, 40, 40, wend_default_rules(), &random, NULL);
    wend_db *db = test_stage_open(&stage, map, NULL) ? test_db_build(stage.map, "knn:records=0", 1) : NULL;
    wend_agent_options options = wend_default_agent_options();
    options.db = db;
    options.max_cells = 5;
    wend_agent *agent = db ? test_agent_make(&stage, "knn:db=-", &options) : NULL;
    wend_outcome outcome = WEND_STEP_ARRIVED;
    for (int i = 0; agent && i < 200 && outcome != WEND_STEP_OUT_OF_MEMORY; i++) {
        CHECK(wend_agent_start(agent, test_open_cell(stage.map, &random), test_open_cell(stage.map, &random),
                               NULL) == WEND_OK);
        do outcome = wend_agent_step(agent).outcome;
        while (outcome <= WEND_STEP_WAITING);
        CHECK(wend_agent_counters(agent).learnt <= 6);
    }
    CHECK(outcome == WEND_STEP_OUT_OF_MEMORY);
    wend_agent_destroy(agent);
    wend_db_close(db);
    test_stage_close(&stage);
    test_case();
}

static void wrong_use_is_refused(void) {
    test_random random = {3};
    test_stage stage, other, edited;
    wend_world_options editable = wend_default_world_options();
    editable.editable = true;
    bool open = test_stage_open(
        &stage, test_map_make(TEST_SHAPE_ROOMS, 20, 20, wend_default_rules(), &random, NULL), NULL);
    open &= test_stage_open(
        &other, test_map_make(TEST_SHAPE_MAZE, 20, 20, wend_default_rules(), &random, NULL), NULL);
    open &= test_stage_open(
        &edited, test_map_make(TEST_SHAPE_OPEN, 20, 20, wend_default_rules(), &random, NULL), &editable);
    wend_db *db = open ? test_db_build(stage.map, "knn:records=10", 1) : NULL;
    wend_db *third = open ? test_db_build(edited.map, "knn:records=10", 1) : NULL;
    wend_db *foreign = open ? test_db_build(stage.map, "knn2009:records=10", 1) : NULL;
    const wend_settings *settings = NULL;
    wend_agent *agent = NULL;
    wend_error error;
    wend_agent_options options = wend_default_agent_options();
    CHECK(test_settings_parse("knn", &settings, NULL) == WEND_OK);
    if (db && third && foreign) {
        CHECK(wend_agent_create(stage.world, settings, &options, &agent, &error) == WEND_STATUS_BAD_ARGUMENT);
        options.db = foreign;
        CHECK(wend_agent_create(stage.world, settings, &options, &agent, &error) == WEND_STATUS_BAD_ARGUMENT);
        options.db = db;
        CHECK(wend_agent_create(other.world, settings, &options, &agent, &error) == WEND_STATUS_OTHER_MAP);
        options.db = third;
        CHECK(wend_agent_create(edited.world, settings, &options, &agent, &error) == WEND_OK);
        wend_agent_destroy(agent);
    }
    wend_db_close(db);
    wend_db_close(third);
    wend_db_close(foreign);
    test_stage_close(&stage);
    test_stage_close(&other);
    test_stage_close(&edited);
    test_case();
}

static const test tests[] = {
    {"agents do what the paper says", agents_do_what_the_paper_says},
    {"lrta follows the climber", lrta_follows_the_climber},
    {"what can be climbed to may be expensive", what_can_be_climbed_to_may_be_expensive},
    {"tba leads to the goal as well", tba_leads_to_the_goal_as_well},
    {"a fallback opens no more in a step than it expands",
     a_fallback_opens_no_more_in_a_step_than_it_expands},
    {"without records it is lrta", without_records_it_is_lrta},
    {"runs repeat and tasks change", runs_repeat_and_tasks_change},
    {"steps are bounded and allocate nothing", steps_are_bounded_and_allocate_nothing},
    {"agents share one workspace", agents_share_one_workspace},
    {"caps are outcomes", caps_are_outcomes},
    {"wrong use is refused", wrong_use_is_refused},
};

TEST_MAIN(tests)
