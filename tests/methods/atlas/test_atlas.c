/* Agents with an atlas: they arrive from every cell at every cell, legally, within their bound and without
 * asking for memory. Their ways are short. Their memory does not depend on how far they have to go. */
#include "methods/atlas/agent/agent.h"
#include "support/check.h"
#include "support/databases.h"
#include "support/memory.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

static const char *const kinds[] = {"atlas:sector=4", "atlas:sector=8", "atlas", "atlas:sector=6,rounds=0",
                                    "atlas:sector=5,labels=yes"};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct walked {
    wend_outcome end;
    wend_cost cost;
    uint64_t steps, waits, moves;
} walked;

/* A whole task, every step checked. */
static walked walk(const test_stage *stage, wend_agent *agent, wend_cell start, wend_cell goal) {
    walked made = {.end = WEND_STEP_WAITING};
    uint64_t bound = wend_agent_bound(agent, wend_agent_budget(agent));
    if (!CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK)) return made;
    wend_cell at = start;
    for (uint64_t limit = 40 * (uint64_t)stage->grid.cells + 1000; made.steps < limit; made.steps++) {
        wend_step step = wend_agent_step(agent);
        CHECK_THAT(step.operations <= bound, "map %llu: %llu operations, bound %llu",
                   (unsigned long long)stage->number, (unsigned long long)step.operations,
                   (unsigned long long)bound);
        if (step.outcome == WEND_STEP_MOVED) {
            wend_cell next = test_next(&stage->grid, at, step.direction);
            if (!CHECK_THAT(next != WEND_NO_CELL && next == wend_agent_cell(agent),
                            "map %llu: an illegal move from %u", (unsigned long long)stage->number, at))
                return made;
            made.cost += test_move_cost(&stage->grid, step.direction);
            made.moves++;
            at = next;
        } else if (step.outcome == WEND_STEP_WAITING) {
            made.waits++;
        } else {
            made.end = step.outcome;
            break;
        }
    }
    CHECK(wend_agent_counters(agent).moves == made.moves && !wend_agent_counters(agent).learnt);
    return made;
}

/* All pairs of small maps, of every shape and rule. */
static void they_arrive_from_everywhere_everywhere(void) {
    uint64_t pairs = 0, bad = 0;
    for (uint64_t number = 0; number < (test_full() ? 900 : test_some(240)); number++) {
        test_stage stage;
        test_memory memory = {0};
        wend_world_options options = wend_default_world_options();
        options.allocator = test_allocator(&memory);
        wend_map *map = test_map_any(number);
        if (!map || wend_map_cells(map) > 240) {
            wend_map_destroy(map);
            continue;
        }
        bool open = test_stage_open(&stage, map, &options);
        stage.number = number;
        wend_db *db = open ? test_db_build(stage.map, kinds[number % KINDS], 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        uint64_t requests = memory.requests;
        for (wend_cell goal = 0; agent && goal < stage.grid.cells; goal++) {
            if (!stage.grid.open[goal]) continue;
            test_dijkstra(&stage.grid, goal, stage.left);
            for (wend_cell start = 0; start < stage.grid.cells; start++) {
                if (!stage.grid.open[start]) continue;
                walked made = walk(&stage, agent, start, goal);
                bool joined = stage.left[start] != WEND_NO_COST;
                CHECK_THAT(made.end == (joined ? WEND_STEP_ARRIVED : WEND_STEP_UNREACHABLE),
                           "map %llu: from %u to %u it ends with %d", (unsigned long long)number, start, goal,
                           (int)made.end);
                CHECK(!joined || made.cost >= stage.left[start]);
                pairs++, bad += joined && made.cost > 2 * stage.left[start];
            }
        }
        CHECK(memory.requests == requests);
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        CHECK(!memory.live_blocks && !memory.wrong_sizes);
        test_case();
    }
    CHECK_THAT(pairs > test_some(100000) && bad < pairs / 100, "%llu pairs, %llu twice as long as need be",
               (unsigned long long)pairs, (unsigned long long)bad);
}

/* Ways on maps of some size are a few per cent over at most, and of the same moves each time. The second
 * agent of a world that lends to one at a time waits, and arrives. */
static void ways_are_short_and_repeat(void) {
    static const wend_map_kind shapes[] = {WEND_MAP_CAVES, WEND_MAP_ROOMS, WEND_MAP_CITY, WEND_MAP_MAZE};
    for (uint32_t k = 0; k < 8; k++) {
        test_stage stage;
        test_random random = {k};
        wend_map *map = test_map_generated(shapes[k % 4], 200, test_rules(k * 5), k);
        bool open = test_stage_open(&stage, map, NULL);
        stage.number = k;
        wend_db *db =
            open ? test_db_build(stage.map, k % 2 ? "atlas:sector=16" : "atlas:sector=12", 1) : NULL;
        wend_agent *one = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        wend_agent *two = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        double sum = 0;
        int count = 0;
        for (int i = 0; one && two && i < 40; i++) {
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            test_dijkstra(&stage.grid, goal, stage.left);
            walked made = walk(&stage, one, start, goal), again = walk(&stage, two, start, goal);
            CHECK(made.end == again.end && made.cost == again.cost && made.steps == again.steps);
            CHECK(wend_agent_hash(one) == wend_agent_hash(two));
            if (made.end != WEND_STEP_ARRIVED || stage.left[start] == 0) continue;
            sum += (double)made.cost / (double)stage.left[start] - 1;
            count++;
        }
        CHECK_THAT(count > 5 && sum / count < 0.05, "map %u: %.2f%% over", k,
                   100 * sum / (count ? count : 1));
        /* Both at the same time. */
        wend_cell start = test_open_cell(stage.map, &random), goal = WEND_NO_CELL;
        test_dijkstra(&stage.grid, start, stage.left);
        for (wend_cell cell = 0; cell < stage.grid.cells; cell++)
            if (stage.left[cell] != WEND_NO_COST &&
                (goal == WEND_NO_CELL || stage.left[cell] > stage.left[goal]))
                goal = cell;
        if (one && two) {
            CHECK(wend_agent_start(one, start, goal, NULL) == WEND_OK);
            CHECK(wend_agent_start(two, start, goal, NULL) == WEND_OK);
            wend_outcome ends[2] = {WEND_STEP_MOVED, WEND_STEP_MOVED};
            for (int step = 0; step < 20000 && (ends[0] <= WEND_STEP_WAITING || ends[1] <= WEND_STEP_WAITING);
                 step++)
                ends[0] = wend_agent_step(one).outcome, ends[1] = wend_agent_step(two).outcome;
            CHECK(ends[0] == WEND_STEP_ARRIVED && ends[1] == WEND_STEP_ARRIVED);
            /* A step counts what was in use, also where the plan had decided before the move. */
            for (goal = 0; stage.left[goal] != wend_map_move_cost(stage.map, 0);) goal++;
            CHECK(wend_agent_start(one, start, goal, NULL) == WEND_OK);
            CHECK(wend_agent_step(one).outcome == WEND_STEP_MOVED);
            CHECK(wend_agent_counters(one).peak_bytes > 0);
        }
        wend_agent_destroy(one);
        wend_agent_destroy(two);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

/* A corridor that winds: so many representatives in a row that no agent has room for all of them. */
static wend_map *winding_map(int32_t width, int32_t height, wend_rules rules) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    options.rules = rules;
    if (!CHECK(wend_map_create(width, height, &options, &map, NULL) == WEND_OK)) return NULL;
    char *row = malloc((size_t)width);
    for (int32_t y = 0; row && y < height; y++) {
        for (int32_t x = 0; x < width; x++)
            row[x] = y % 2 == 0 || x == (y / 2 % 2 ? 0 : width - 1) ? '.' : '@';
        CHECK(wend_map_set_row(map, y, row, NULL) == WEND_OK);
    }
    free(row);
    return map;
}

static void long_ways_take_no_more_memory(void) {
    CHECK_THAT(sizeof(wend_atlas_agent) <= 128, "%zu bytes", sizeof(wend_atlas_agent));
    for (uint32_t number = 0; number < (test_full() ? 16 : test_some(3)) * TEST_RULES; number++) {
        test_stage stage;
        wend_rules rules = test_rules(number);
        bool winds = number % 2;
        bool open = test_stage_open(&stage,
                                    winds ? winding_map(150, 151, rules)
                                          : test_map_generated(WEND_MAP_MAZE, 150, rules, number),
                                    NULL);
        stage.number = number;
        wend_db *db =
            open ? test_db_build(stage.map, number % 3 ? "atlas:sector=4" : "atlas:sector=4,labels=yes", 1)
                 : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        if (agent) {
            test_random random = {number};
            wend_cell start = test_open_cell(stage.map, &random), goal = start;
            test_dijkstra(&stage.grid, start, stage.left);
            for (wend_cell cell = 0; cell < stage.grid.cells; cell++)
                if (stage.left[cell] != WEND_NO_COST && stage.left[cell] > stage.left[goal]) goal = cell;
            walked whole = walk(&stage, agent, start, goal);
            CHECK(whole.end == WEND_STEP_ARRIVED);
            CHECK_THAT(whole.cost <= stage.left[goal] + stage.left[goal] / 10, "map %u: %llu for %llu",
                       number, (unsigned long long)whole.cost, (unsigned long long)stage.left[goal]);
            /* With less room the same way is worked out in parts. */
            wend_atlas_agent *state = agent->state;
            state->room = (uint8_t)(10 + number % 7);
            walked parts = walk(&stage, agent, start, goal);
            CHECK(parts.end == WEND_STEP_ARRIVED);
            CHECK_THAT(parts.cost <= stage.left[goal] + stage.left[goal] / 10, "map %u: %llu for %llu",
                       number, (unsigned long long)parts.cost, (unsigned long long)stage.left[goal]);
            CHECK(wend_agent_counters(agent).searches > 1 || !winds);
        }
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

/* Another goal or another place at any time; a query that was lent comes back. */
static void tasks_can_change_at_any_time(void) {
    for (uint64_t number = 0; number < 24; number++) {
        test_random random = {number};
        test_stage stage;
        bool open = test_stage_open(
            &stage, test_map_generated(WEND_MAP_CAVES, 120, test_rules((uint32_t)number), number), NULL);
        wend_db *db = open ? test_db_build(stage.map, "atlas:sector=8", 1) : NULL;
        wend_agent *agents[2] = {db ? test_db_agent(&stage, "atlas:db=x", db) : NULL,
                                 db ? test_db_agent(&stage, "atlas:db=x", db) : NULL};
        for (int turn = 0; agents[0] && agents[1] && turn < 400; turn++) {
            wend_agent *agent = agents[turn % 2];
            wend_cell cell = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            switch (turn < 2 ? 0 : test_below(&random, 3)) {
            case 0:
                CHECK(wend_agent_start(agent, cell, goal, NULL) == WEND_OK);
                break;
            case 1:
                CHECK(wend_agent_set_goal(agent, goal, NULL) == WEND_OK);
                break;
            default:
                CHECK(wend_agent_place(agent, cell, NULL) == WEND_OK);
                break;
            }
            for (uint32_t steps = test_below(&random, 60); steps > 0; steps--) (void)wend_agent_step(agent);
        }
        for (int i = 0; agents[0] && agents[1] && i < 2; i++) {
            wend_agent_destroy(agents[1]), agents[1] = NULL; /* with what it may have borrowed */
            wend_outcome outcome = WEND_STEP_MOVED;
            for (int step = 0; step < 20000 && outcome <= WEND_STEP_WAITING; step++)
                outcome = wend_agent_step(agents[0]).outcome;
            CHECK(outcome == WEND_STEP_ARRIVED || outcome == WEND_STEP_UNREACHABLE);
            break;
        }
        wend_agent_destroy(agents[0]);
        wend_agent_destroy(agents[1]);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
}

/* Two atlases of different sizes in one world; a database of another kind is refused. */
static void a_world_may_have_several_atlases(void) {
    test_stage stage;
    test_memory memory = {0};
    wend_world_options options = wend_default_world_options();
    options.allocator = test_allocator(&memory);
    bool open =
        test_stage_open(&stage, test_map_generated(WEND_MAP_CAVES, 100, wend_default_rules(), 3), &options);
    wend_db *fine = open ? test_db_build(stage.map, "atlas:sector=4", 1) : NULL;
    wend_db *coarse = open ? test_db_build(stage.map, "atlas:sector=64", 1) : NULL;
    wend_db *other = open ? test_db_build(stage.map, "dlrta:level=3", 1) : NULL;
    size_t before = wend_world_bytes(stage.world);
    wend_agent *a = fine ? test_db_agent(&stage, "atlas:db=x", fine) : NULL;
    wend_agent *b = coarse ? test_db_agent(&stage, "atlas:db=x", coarse) : NULL;
    CHECK(wend_world_bytes(stage.world) > before);
    test_random random = {1};
    for (int i = 0; a && b && i < 30; i++) {
        wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
        CHECK(walk(&stage, a, start, goal).end == walk(&stage, b, start, goal).end);
    }
    const wend_settings *settings = NULL;
    wend_agent_options with = wend_default_agent_options();
    wend_agent *none = NULL;
    wend_error error = {0};
    with.db = other;
    CHECK(test_settings_parse("atlas:db=x", &settings, NULL) == WEND_OK);
    CHECK(wend_agent_create(stage.world, settings, &with, &none, &error) == WEND_STATUS_BAD_ARGUMENT &&
          !none);
    wend_agent_destroy(a);
    wend_agent_destroy(b);
    wend_db_close(fine);
    wend_db_close(coarse);
    wend_db_close(other);
    test_stage_close(&stage);
    CHECK(!memory.live_blocks && !memory.wrong_sizes);
}

/* A real map: within half a per cent in the mean. */
static void a_real_map_is_near_optimal(void) {
    wend_map *map = test_map_shared("sc1/WheelofWar", NULL, NULL);
    if (!map) return;
    wend_scenario *scenario = NULL;
    wend_error error = {0};
    wend_problems_options how = wend_default_problems_options();
    how.min_length = 200;
    CHECK(wend_problems_generate(map, "w", 60, &how, &scenario, &error) == WEND_OK);
    test_stage stage;
    bool open = test_stage_open(&stage, map, NULL);
    wend_db *db = open ? test_db_build(stage.map, "atlas:sector=16", 1) : NULL;
    wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
    double sum = 0, worst = 0;
    for (size_t i = 0; agent && i < wend_scenario_count(scenario); i++) {
        const wend_problem *problem = wend_scenario_at(scenario, i);
        double over = test_db_suboptimality(
            agent, map, wend_map_cell(map, problem->start.x, problem->start.y),
            wend_map_cell(map, problem->goal.x, problem->goal.y), problem->length, 100000);
        CHECK(over >= -1e-6);
        sum += over;
        if (over > worst) worst = over;
    }
    CHECK_THAT(sum / 60 < 1 && worst < 6, "%.3f%% over in the mean, %.3f%% at worst", sum / 60, worst);
    wend_agent_destroy(agent);
    wend_db_close(db);
    test_stage_close(&stage);
    wend_scenario_destroy(scenario);
}

typedef struct starving {
    uint64_t moved, starved, thinking, arrived, moved_while_starved;
} starving;

/* A fleet of `agents` with one query for all, until all have arrived; each tick, all are accounted for. */
static starving run_fleet(const wend_map *map, const wend_db *db, uint32_t agents, uint64_t number,
                          bool exact) {
    starving sum = {0};
    test_random random = {number};
    wend_fleet *fleet = NULL;
    const wend_settings *settings = NULL;
    uint32_t squad = 0;
    wend_fleet_options options = wend_default_fleet_options();
    options.max_members = agents, options.lanes = options.workspaces = 1, options.max_events = 64 * agents;
    options.budget = UINT64_C(1) << 40;
    wend_squad_options with = wend_default_squad_options();
    with.agent.db = db;
    CHECK(test_settings_parse("atlas:db=x", &settings, NULL) == WEND_OK);
    if (!CHECK(wend_fleet_create(map, &options, &fleet, NULL) == WEND_OK)) return sum;
    CHECK(wend_fleet_add_squad(fleet, settings, &with, &squad, NULL) == WEND_OK);
    for (uint32_t i = 0; i < agents; i++) {
        wend_member member;
        CHECK(wend_fleet_add(fleet, squad, test_open_cell(map, &random), &member, NULL) == WEND_OK);
        CHECK(wend_fleet_request(fleet, member, test_open_cell(map, &random), NULL, NULL) == WEND_OK);
    }
    uint64_t left = 1;
    for (int tick = 0; left && tick < 20000; tick++) {
        wend_tick made = wend_fleet_tick(fleet);
        CHECK(made.active == made.moves + made.thinking + made.starved);
        sum.moved += made.moves, sum.starved += made.starved, sum.thinking += made.thinking;
        sum.arrived += made.arrived + made.unreachable;
        left = made.active;
        /* One at a time has the query; with an exact atlas nobody else sets out without a way. */
        CHECK(!exact || made.thinking <= 1);
        if (made.starved && made.moves > 1) sum.moved_while_starved++;
        for (wend_event event; wend_fleet_event(fleet, &event);) {
        }
    }
    CHECK(!left);
    wend_fleet_destroy(fleet);
    return sum;
}

/* Where there is one query for many, those who wait for it hear that they starve, are not stepped in vain for
 * ever, and all arrive. Until then they head for a representative that they can climb to, unless the atlas is
 * exact. */
static void who_waits_for_a_query_hears_so(void) {
    uint64_t starved = 0, moved_while_starved = 0;
    for (uint64_t number = 0; number < 12; number++) {
        bool exact = number % 3 == 2;
        wend_map *map = test_map_generated(number % 2 ? WEND_MAP_ROOMS : WEND_MAP_CAVES, 150,
                                           test_rules((uint32_t)number), number);
        wend_db *db = map ? test_db_build(map, exact ? "atlas:exact=yes" : "atlas:sector=12", 1) : NULL;
        if (db) {
            starving first = run_fleet(map, db, 60, number, exact),
                     again = run_fleet(map, db, 60, number, exact);
            starved += first.starved; /* none on a map where all is worked out within a step */
            if (!exact) moved_while_starved += first.moved_while_starved;
            CHECK(first.moved == again.moved && first.starved == again.starved &&
                  first.thinking == again.thinking);
        }
        wend_db_close(db);
        wend_map_destroy(map);
        test_case();
    }
    CHECK_THAT(starved > 1000, "only %llu waits for a query", (unsigned long long)starved);
    CHECK(moved_while_starved > 10);
}

/* Before it has a query an agent heads for a representative and stands there; it does not with an exact
 * atlas. */
static void who_waits_heads_for_a_refuge(void) {
    uint64_t walked_on = 0;
    for (uint64_t number = 0; number < 12; number++) {
        bool exact = number % 3 == 2;
        test_stage stage;
        test_random random = {number};
        bool open = test_stage_open(
            &stage, test_map_generated(WEND_MAP_CAVES, 150, test_rules((uint32_t)number), number), NULL);
        wend_db *db =
            open ? test_db_build(stage.map, exact ? "atlas:exact=yes" : "atlas:sector=12", 1) : NULL;
        wend_agent *agent = db ? test_db_agent(&stage, "atlas:db=x", db) : NULL;
        wend_atlas_agent *state = agent ? agent->state : NULL;
        for (int i = 0; agent && i < 20; i++) {
            wend_cell start = test_open_cell(stage.map, &random), goal = test_open_cell(stage.map, &random);
            wend_climb_result direct = wend_climb(stage.map, start, goal, UINT32_MAX);
            test_dijkstra(&stage.grid, goal, stage.left);
            if (direct.reached || stage.left[start] == WEND_NO_COST) continue;
            wend_atlas_query *taken = wend_atlas_borrow(state->pool, state->atlas, stage.map);
            CHECK(taken && wend_agent_start(agent, start, goal, NULL) == WEND_OK);
            wend_outcome outcome = WEND_STEP_MOVED;
            uint64_t moves = 0;
            for (; outcome == WEND_STEP_MOVED && moves < stage.grid.cells; moves++)
                outcome = wend_agent_step(agent).outcome;
            walked_on += moves > 1;
            CHECK(outcome == WEND_STEP_WAITING && agent->denied && (!exact || moves == 1));
            if (state->refuge != UINT32_MAX) CHECK(agent->at == state->atlas->cells[state->refuge]);
            uint64_t operations = wend_agent_counters(agent).operations;
            CHECK(wend_agent_step(agent).outcome == WEND_STEP_WAITING);
            CHECK(wend_agent_counters(agent).operations == operations); /* it has looked already */
            if (taken) wend_atlas_return(state->pool, taken);
            for (uint64_t j = 0; outcome <= WEND_STEP_WAITING && j < 10 * stage.grid.cells; j++)
                outcome = wend_agent_step(agent).outcome;
            CHECK(outcome == WEND_STEP_ARRIVED);
        }
        wend_agent_destroy(agent);
        wend_db_close(db);
        test_stage_close(&stage);
        test_case();
    }
    CHECK(walked_on > 20);
}

static const test tests[] = {
    {"they arrive from everywhere everywhere", they_arrive_from_everywhere_everywhere},
    {"ways are short and repeat", ways_are_short_and_repeat},
    {"long ways take no more memory", long_ways_take_no_more_memory},
    {"tasks can change at any time", tasks_can_change_at_any_time},
    {"a world may have several atlases", a_world_may_have_several_atlases},
    {"who waits for a query hears so", who_waits_for_a_query_hears_so},
    {"who waits heads for a refuge", who_waits_heads_for_a_refuge},
    {"a real map is near optimal", a_real_map_is_near_optimal},
};

TEST_MAIN(tests)
