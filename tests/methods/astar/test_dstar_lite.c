/* dstar-lite as a planner: on known maps, under edits and on unknown terrain, with any budget. The agent's
 * distance is that of Dijkstra on what it believes whenever its path stands, its moves are the first of
 * shortest paths, and what it says last is true. Looks inside: the search is in the agent's workspace. */
#include "plan/agent.h"
#include "search/incremental.h"
#include "support/check.h"
#include "support/maps.h"
#include "support/memory.h"
#include "support/reference.h"
#include "support/settings.h"

#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

/* A world that can be edited, an agent in it, and what it believes as the reference sees it. */
typedef struct terrain_bed {
    test_memory memory;
    wend_map *map;
    wend_world *world;
    wend_knowledge *knowledge;
    wend_agent *agent;
    test_grid belief;
    wend_cost *left; /* to the goal, by what is believed */
    unsigned long long number;
} terrain_bed;

typedef enum terrain_kind { KNOWN, EDITED, UNKNOWN, UNKNOWN_EDITED, TERRAIN_KINDS } terrain_kind;

static wend_agent *make_agent(terrain_bed *terrain, const char *planner) {
    const wend_settings *settings = NULL;
    wend_agent_options options = wend_default_agent_options();
    options.knowledge = terrain->knowledge;
    wend_agent *agent = NULL;
    wend_error error = {0};
    CHECK(test_settings_parse(planner, &settings, &error) == WEND_OK);
    CHECK_THAT(wend_agent_create(terrain->world, settings, &options, &agent, &error) == WEND_OK, "%s",
               error.message);
    return agent;
}

/* Takes the map over; close in any case. */
static bool terrain_open(terrain_bed *terrain, wend_map *map, terrain_kind kind, const char *planner,
                         uint32_t queue_nodes) {
    *terrain = (terrain_bed){.map = map};
    if (!CHECK(map)) return false;
    wend_world_options options = wend_default_world_options();
    options.workspaces = 1; /* which the agents of a test share */
    options.editable = kind == EDITED || kind == UNKNOWN_EDITED;
    options.max_queue_nodes = queue_nodes;
    options.allocator = test_allocator(&terrain->memory);
    if (!CHECK(wend_world_create(map, &options, &terrain->world, NULL) == WEND_OK)) return false;
    wend_knowledge_options knowledge = wend_default_knowledge_options();
    if (kind >= UNKNOWN &&
        !CHECK(wend_knowledge_create(terrain->world, &knowledge, &terrain->knowledge, NULL) == WEND_OK))
        return false;
    terrain->belief = test_grid_of(map);
    terrain->left = calloc(terrain->belief.cells, sizeof *terrain->left);
    terrain->agent = make_agent(terrain, planner);
    return CHECK(terrain->left) && terrain->agent;
}

static void terrain_close(terrain_bed *terrain) {
    wend_agent_destroy(terrain->agent);
    wend_knowledge_destroy(terrain->knowledge);
    wend_world_destroy(terrain->world);
    wend_map_destroy(terrain->map);
    if (terrain->belief.open) test_grid_free(&terrain->belief);
    free(terrain->left);
    CHECK(!terrain->memory.live_blocks && !terrain->memory.wrong_sizes);
}

/* Distances to the agent's goal on a map of the same size; WEND_NO_COST everywhere if the goal is closed. */
static void measure(terrain_bed *terrain, const wend_map *map) {
    test_grid *grid = &terrain->belief;
    wend_cell goal = wend_agent_goal(terrain->agent);
    for (wend_cell cell = 0; cell < grid->cells; cell++) {
        grid->open[cell] = wend_map_is_open_cell(map, cell);
        terrain->left[cell] = WEND_NO_COST;
    }
    if (grid->open[goal]) test_dijkstra(grid, goal, terrain->left);
}

static wend_status edit(terrain_bed *terrain, wend_cell cell, bool open) {
    wend_xy xy = wend_map_xy(terrain->map, cell);
    return wend_world_edit(terrain->world, (wend_rect){xy.x, xy.y, 1, 1}, open, NULL);
}

/* Opens and closes cells at random, and where the agent stands and wants to go. */
static void edit_somewhere(terrain_bed *terrain, test_random *random) {
    const wend_map *truth = wend_world_map(terrain->world);
    uint32_t cells = wend_map_cells(truth);
    for (uint32_t i = test_below(random, 4); i; i--) {
        uint32_t what = test_below(random, 20);
        wend_cell cell = what == 0   ? wend_agent_goal(terrain->agent)
                         : what == 1 ? wend_agent_cell(terrain->agent)
                                     : test_below(random, cells);
        CHECK(edit(terrain, cell, !wend_map_is_open_cell(truth, cell)) == WEND_OK);
    }
    if (test_below(random, 40) == 0) { /* more at once than a step takes in */
        wend_rect all = {0, 0, wend_map_width(truth), wend_map_height(truth)};
        CHECK(wend_world_edit(terrain->world, all, true, NULL) == WEND_OK);
    }
}

/* What the planner knows when it has planned: the path stands, or there is none. */
static void check_plan(terrain_bed *terrain) {
    const wend_agent *agent = terrain->agent;
    wend_cell at = wend_agent_cell(agent);
    measure(terrain, agent->view->map);
    if (agent->ended) {
        CHECK_THAT(agent->end == WEND_STEP_UNREACHABLE && terrain->left[at] == WEND_NO_COST,
                   "map %llu: ended by %d, and there is a path", terrain->number, (int)agent->end);
        return;
    }
    if (!CHECK(agent->workspace)) return;
    wend_incremental_values values = wend_incremental_at(agent->workspace->search, at);
    CHECK_THAT(values.rhs == terrain->left[at] && values.rhs != WEND_NO_COST,
               "map %llu: %lld to go from %u, not %lld", terrain->number, (long long)values.rhs, at,
               (long long)terrain->left[at]);
}

/* The smallest direction that begins a shortest path by what is believed. */
static uint32_t expected_move(const terrain_bed *terrain, wend_cell at) {
    for (int d = 0; d < 8; d++) {
        wend_cell next = test_next(&terrain->belief, at, d);
        if (next != WEND_NO_CELL && terrain->left[next] != WEND_NO_COST &&
            terrain->left[next] + test_move_cost(&terrain->belief, d) == terrain->left[at])
            return (uint32_t)d;
    }
    return WEND_NO_DIRECTION;
}

typedef struct walk_tally {
    uint64_t arrived, unreachable, revived, moves, waits, expansions, hash;
} walk_tally;

/* One step in its two halves, held to everything that is promised of it. */
static wend_step checked_step(terrain_bed *terrain, uint64_t k) {
    wend_agent *agent = terrain->agent;
    wend_cell at = wend_agent_cell(agent);
    uint64_t requests = terrain->memory.requests, planned = wend_agent_counters(agent).expansions;
    const wend_map *truth = wend_world_map(terrain->world);
    bool more = wend_agent_plan(agent, k);
    CHECK(wend_agent_counters(agent).expansions - planned <= k);
    bool done = !more && at != wend_agent_goal(agent);
    if (done) check_plan(terrain);
    wend_step step = wend_agent_move(agent);
    CHECK_THAT(step.operations <= wend_agent_bound(agent, k), "map %llu: %llu operations, bound %llu",
               terrain->number, (unsigned long long)step.operations,
               (unsigned long long)wend_agent_bound(agent, k));
    CHECK(terrain->memory.requests == requests);
    if (done && !agent->ended)
        CHECK_THAT(step.outcome == WEND_STEP_MOVED && step.direction == expected_move(terrain, at),
                   "map %llu: outcome %d, direction %d, not %u", terrain->number, (int)step.outcome,
                   (int)step.direction, expected_move(terrain, at));
    if (step.outcome == WEND_STEP_MOVED) {
        CHECK(wend_map_moves(truth, at) >> step.direction & 1);
        CHECK(wend_agent_cell(agent) == wend_map_next(truth, at, step.direction));
    } else {
        CHECK(wend_agent_cell(agent) == at);
    }
    size_t touched = agent->workspace ? agent->workspace->search->touched : 0;
    uint64_t own = sizeof(wend_agent) + sizeof(wend_search) + 256;
    uint64_t cells;
    if (agent->workspace && !agent->workspace->search->wide)
        CHECK(agent->planner->used(agent, &cells) <= 40 * touched + own);
    return step;
}

static void walk(terrain_bed *terrain, terrain_kind kind, uint64_t k, test_random *random,
                 walk_tally *tally) {
    wend_agent *agent = terrain->agent;
    const wend_map *truth = wend_world_map(terrain->world);
    const uint64_t cells = wend_map_cells(truth);
    const bool edits = kind == EDITED || kind == UNKNOWN_EDITED;
    wend_cell start = test_open_cell(truth, random), goal = test_open_cell(agent->view->map, random);
    if (start == WEND_NO_CELL || goal == WEND_NO_CELL ||
        !CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK))
        return;
    uint64_t limit = edits ? 120 : 40 * cells * cells + 100, ended = 0;
    for (uint64_t i = 0; i < limit; i++) {
        if (edits && test_below(random, 3) == 0) edit_somewhere(terrain, random);
        if (edits && test_below(random, 30) == 0) {
            wend_cell place = test_open_cell(truth, random);
            CHECK(place == WEND_NO_CELL || wend_agent_place(agent, place, NULL) == WEND_OK);
        }
        wend_step step = checked_step(terrain, k);
        tally->hash = (tally->hash ^ wend_agent_hash(agent)) * 0x100000001b3u + step.direction;
        tally->moves += step.outcome == WEND_STEP_MOVED, tally->waits += step.outcome == WEND_STEP_WAITING;
        tally->expansions += step.expansions;
        if (step.outcome == WEND_STEP_MOVED || step.outcome == WEND_STEP_WAITING) {
            tally->revived += ended;
            ended = 0;
            continue;
        }
        measure(terrain, agent->view->map);
        wend_cell at = wend_agent_cell(agent);
        if (step.outcome == WEND_STEP_ARRIVED) {
            CHECK(at == wend_agent_goal(agent));
            tally->arrived++;
        } else {
            CHECK_THAT(step.outcome == WEND_STEP_UNREACHABLE && terrain->left[at] == WEND_NO_COST,
                       "map %llu: outcome %d", terrain->number, (int)step.outcome);
            tally->unreachable++, ended = 1;
        }
        if (!edits) {
            measure(terrain, truth);
            CHECK((step.outcome == WEND_STEP_ARRIVED) == (terrain->left[at] != WEND_NO_COST));
            return;
        }
        wend_cell other = test_open_cell(agent->view->map, random);
        if (step.outcome == WEND_STEP_ARRIVED && other != WEND_NO_CELL)
            CHECK(wend_agent_set_goal(agent, other, NULL) == WEND_OK);
    }
    CHECK_THAT(edits, "map %llu: does not end", terrain->number);
}

static const char *const budgets[] = {"dstar-lite", "dstar-lite:k=1", "dstar-lite:k=4", "dstar-lite:k=37"};

static void distances_and_moves_are_true(void) {
    walk_tally sum[TERRAIN_KINDS] = {{0}};
    for (uint64_t number = 0; number < (test_full() ? 4000 : test_some(600)); number++) {
        terrain_kind kind = (terrain_kind)(number % TERRAIN_KINDS);
        uint64_t hashes[2] = {0};
        for (int run = 0; run < 2; run++) {
            terrain_bed terrain;
            test_random random = {number};
            walk_tally tally = {0};
            if (terrain_open(&terrain, test_map_any(number), kind, budgets[number / 4 % 4], 0)) {
                terrain.number = number;
                for (int task = 0; task < 2; task++) {
                    walk(&terrain, kind, wend_agent_budget(terrain.agent), &random, &tally);
                    if (terrain.knowledge && kind == UNKNOWN) wend_knowledge_forget(terrain.knowledge);
                }
            }
            terrain_close(&terrain);
            hashes[run] = tally.hash;
            sum[kind].arrived += tally.arrived, sum[kind].unreachable += tally.unreachable;
            sum[kind].revived += tally.revived, sum[kind].moves += tally.moves;
        }
        CHECK_THAT(hashes[0] == hashes[1], "map %llu: two runs differ", (unsigned long long)number);
        test_case();
    }
    for (int kind = 0; kind < TERRAIN_KINDS; kind++)
        CHECK_THAT(sum[kind].arrived > test_some(150) && sum[kind].unreachable > test_some(40) &&
                       sum[kind].moves > test_some(2000) &&
                       (sum[kind].revived > 20 || kind == KNOWN || kind == UNKNOWN),
                   "terrain %d: %llu arrived, %llu unreachable, %llu revived, %llu moves", kind,
                   (unsigned long long)sum[kind].arrived, (unsigned long long)sum[kind].unreachable,
                   (unsigned long long)sum[kind].revived, (unsigned long long)sum[kind].moves);
}

/* An open field of this size. */
static wend_map *field(int32_t width, int32_t height) {
    wend_map_options options = wend_default_map_options();
    wend_map *map = NULL;
    CHECK(wend_map_create(width, height, &options, &map, NULL) == WEND_OK &&
          wend_map_edit(map, (wend_rect){0, 0, width, height}, true, NULL) == WEND_OK);
    return map;
}

static wend_outcome step_to_the_end(wend_agent *agent, uint32_t limit) {
    wend_outcome outcome = WEND_STEP_WAITING;
    for (uint32_t i = 0; i < limit; i++) {
        outcome = wend_agent_step(agent).outcome;
        if (outcome != WEND_STEP_MOVED && outcome != WEND_STEP_WAITING) break;
    }
    return outcome;
}

/* Closed goals and closed cells under the agent, and opened again; by one search where it could be kept. */
static void walls_come_and_go(void) {
    terrain_bed terrain;
    if (!terrain_open(&terrain, field(20, 9), EDITED, "dstar-lite", 0)) return;
    wend_agent *agent = terrain.agent;
    wend_cell start = 81, goal = 98;
    CHECK(wend_agent_start(agent, start, goal, NULL) == WEND_OK);
    for (int i = 0; i < 4; i++) CHECK(wend_agent_step(agent).outcome == WEND_STEP_MOVED);
    wend_cell at = wend_agent_cell(agent);
    for (int32_t y = 0; y < 8; y++) CHECK(edit(&terrain, (uint32_t)y * 20 + 10, false) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK(wend_agent_counters(agent).searches == 1 && wend_agent_cell(agent) != at);
    test_case();
    CHECK(edit(&terrain, 8 * 20 + 10, false) == WEND_OK); /* the last gap */
    CHECK(step_to_the_end(agent, 3) == WEND_STEP_UNREACHABLE && !agent->workspace);
    CHECK(step_to_the_end(agent, 3) == WEND_STEP_UNREACHABLE);
    CHECK(edit(&terrain, 4 * 20 + 10, true) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    test_case();
    CHECK(edit(&terrain, goal, false) == WEND_OK);
    CHECK(step_to_the_end(agent, 3) == WEND_STEP_UNREACHABLE);
    CHECK(edit(&terrain, goal, true) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    test_case();
    at = wend_agent_cell(agent);
    CHECK(edit(&terrain, at, false) == WEND_OK); /* the agent stands in a wall */
    CHECK(step_to_the_end(agent, 3) == WEND_STEP_UNREACHABLE && wend_agent_cell(agent) == at);
    CHECK(edit(&terrain, at, true) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK(step_to_the_end(agent, 60) == WEND_STEP_ARRIVED && wend_agent_cell(agent) == goal);
    terrain_close(&terrain);
}

/* A wall that comes and goes while the plan is under way does not end the task by itself. What is proved
 * while the agent still has its workspace is taken back without a new search. */
static void openings_revive_the_same_search(void) {
    terrain_bed terrain;
    if (!terrain_open(&terrain, field(12, 5), EDITED, "dstar-lite", 0)) return;
    wend_agent *agent = terrain.agent;
    CHECK(wend_agent_start(agent, 24, 35, NULL) == WEND_OK);
    (void)wend_agent_plan(agent, UINT64_MAX);
    for (uint32_t y = 0; y < 5; y++) CHECK(edit(&terrain, y * 12 + 6, false) == WEND_OK);
    (void)wend_agent_plan(agent, UINT64_MAX);
    CHECK(agent->ended && agent->end == WEND_STEP_UNREACHABLE && agent->workspace);
    CHECK(edit(&terrain, 2 * 12 + 6, true) == WEND_OK);
    (void)wend_agent_plan(agent, UINT64_MAX);
    CHECK(!agent->ended);
    check_plan(&terrain);
    CHECK(wend_agent_counters(agent).searches == 1);
    CHECK(step_to_the_end(agent, 30) == WEND_STEP_ARRIVED);
    terrain_close(&terrain);
}

/* Another place goes on with the search, also after the task was over. Another goal begins one. So does the
 * same place when something has changed while the workspace was away, or when another agent has had it. */
static void places_keep_the_search(void) {
    terrain_bed terrain;
    if (!terrain_open(&terrain, field(30, 30), EDITED, "dstar-lite", 0)) return;
    wend_agent *agent = terrain.agent;
    CHECK(wend_agent_start(agent, 0, 899, NULL) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    uint64_t before = wend_agent_counters(agent).expansions;
    CHECK(wend_agent_place(agent, 450, NULL) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK(wend_agent_counters(agent).searches == 1);
    uint64_t kept = wend_agent_counters(agent).expansions - before;
    CHECK(step_to_the_end(agent, 60) == WEND_STEP_ARRIVED && !agent->workspace);
    CHECK(wend_agent_place(agent, 460, NULL) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK_THAT(wend_agent_counters(agent).searches == 1 && kept < 450, "%llu expansions after a place",
               (unsigned long long)kept);
    test_case();
    CHECK(wend_agent_set_goal(agent, 29, NULL) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK(wend_agent_counters(agent).searches == 2);
    CHECK(step_to_the_end(agent, 60) == WEND_STEP_ARRIVED);
    test_case();
    CHECK(edit(&terrain, 435, false) == WEND_OK);
    CHECK(wend_agent_place(agent, 460, NULL) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK(wend_agent_counters(agent).searches == 3);
    CHECK(step_to_the_end(agent, 60) == WEND_STEP_ARRIVED);
    test_case();
    wend_agent *other = make_agent(&terrain, "dstar-lite");
    CHECK(wend_agent_start(other, 0, 29, NULL) == WEND_OK && step_to_the_end(other, 60) == WEND_STEP_ARRIVED);
    CHECK(wend_agent_place(agent, 460, NULL) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK(wend_agent_counters(agent).searches == 4);
    /* There is one workspace: the other waits until the first has arrived. */
    CHECK(wend_agent_start(other, 0, 29, NULL) == WEND_OK && step_to_the_end(other, 5) == WEND_STEP_WAITING);
    CHECK(step_to_the_end(agent, 60) == WEND_STEP_ARRIVED && step_to_the_end(other, 60) == WEND_STEP_ARRIVED);
    wend_agent_destroy(other);
    terrain_close(&terrain);
}

/* More changes than a step can take in: it starts again and is right. */
static void floods_of_changes_are_taken_in(void) {
    for (int32_t rows = 1; rows <= 60; rows += 59) {
        terrain_bed terrain;
        if (!terrain_open(&terrain, field(100, 80), EDITED, "dstar-lite:k=1000", 0)) return;
        wend_agent *agent = terrain.agent;
        CHECK(wend_agent_start(agent, 79 * 100, 79 * 100 + 99, NULL) == WEND_OK);
        while (wend_agent_step(agent).outcome == WEND_STEP_WAITING) {
        }
        CHECK(wend_world_edit(terrain.world, (wend_rect){2, 79 - rows, 96, rows}, false, NULL) == WEND_OK);
        CHECK(wend_world_edit(terrain.world, (wend_rect){40, 79, 2, 1}, false, NULL) == WEND_OK);
        for (int i = 0; i < 40; i++) (void)checked_step(&terrain, 1000);
        CHECK(wend_agent_counters(agent).searches > 1);
        CHECK(step_to_the_end(agent, 400) == WEND_STEP_ARRIVED);
        terrain_close(&terrain);
        test_case();
    }
}

/* The same between a plan and another place: the search must not go on from what it was. */
static void floods_before_a_place_are_taken_in(void) {
    terrain_bed terrain;
    if (!terrain_open(&terrain, field(100, 80), EDITED, "dstar-lite", 0)) return;
    wend_agent *agent = terrain.agent;
    CHECK(wend_world_edit(terrain.world, (wend_rect){50, 0, 1, 79}, false, NULL) == WEND_OK);
    CHECK(wend_agent_start(agent, 0, 99, NULL) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK(wend_world_edit(terrain.world, (wend_rect){60, 70, 39, 3}, false, NULL) == WEND_OK);
    CHECK(edit(&terrain, 50, true) == WEND_OK); /* a door, after all that a step takes in */
    CHECK(wend_agent_place(agent, 10, NULL) == WEND_OK);
    CHECK(checked_step(&terrain, UINT64_MAX).outcome == WEND_STEP_MOVED);
    CHECK(step_to_the_end(agent, 400) == WEND_STEP_ARRIVED && wend_agent_counters(agent).moves == 90);
    terrain_close(&terrain);
}

/* A queue with a cap: the outcome says so, and the agent can be started again. */
static void caps_are_outcomes(void) {
    terrain_bed terrain;
    if (!terrain_open(&terrain, field(64, 64), KNOWN, "dstar-lite", 16)) return;
    wend_agent *agent = terrain.agent;
    CHECK(wend_agent_start(agent, 0, 4095, NULL) == WEND_OK);
    CHECK(step_to_the_end(agent, 5) == WEND_STEP_OUT_OF_MEMORY && !agent->workspace);
    CHECK(wend_agent_place(agent, 3965, NULL) == WEND_OK); /* two moves away */
    CHECK(step_to_the_end(agent, 5) == WEND_STEP_ARRIVED);
    test_case();
    /* What is left of a search that was too large must not stand in the way of one that is not. */
    CHECK(wend_agent_start(agent, 32 * 64 + 63, 32 * 64 + 32, NULL) == WEND_OK);
    CHECK(step_to_the_end(agent, 5) == WEND_STEP_OUT_OF_MEMORY);
    CHECK(wend_agent_place(agent, 32 * 64 + 24, NULL) == WEND_OK);
    CHECK(step_to_the_end(agent, 20) == WEND_STEP_ARRIVED);
    CHECK(wend_agent_start(agent, 0, 65, NULL) == WEND_OK && step_to_the_end(agent, 5) == WEND_STEP_ARRIVED);
    terrain_close(&terrain);
}

static void smallest_and_largest(void) {
    for (int kind = 0; kind < TERRAIN_KINDS; kind++) { /* 1 x 1 */
        terrain_bed terrain;
        if (!terrain_open(&terrain, field(1, 1), (terrain_kind)kind, "dstar-lite:k=1", 0)) return;
        CHECK(wend_agent_start(terrain.agent, 0, 0, NULL) == WEND_OK);
        CHECK(checked_step(&terrain, 1).outcome == WEND_STEP_ARRIVED);
        if (kind == EDITED) {
            CHECK(edit(&terrain, 0, false) == WEND_OK && edit(&terrain, 0, true) == WEND_OK);
            CHECK(checked_step(&terrain, 1).outcome == WEND_STEP_ARRIVED);
        }
        terrain_close(&terrain);
        test_case();
    }
    terrain_bed terrain; /* costs of 64 bits */
    if (!terrain_open(&terrain, field(1000, 800), UNKNOWN_EDITED, "dstar-lite:k=3000", 0)) return;
    wend_agent *agent = terrain.agent;
    CHECK(wend_world_edit(terrain.world, (wend_rect){500, 380, 1, 40}, false, NULL) == WEND_OK);
    CHECK(wend_agent_start(agent, 400 * 1000 + 480, 400 * 1000 + 530, NULL) == WEND_OK);
    CHECK(step_to_the_end(agent, 400) == WEND_STEP_ARRIVED && wend_agent_counters(agent).searches == 1);
    CHECK(wend_agent_counters(agent).updates > 100);
    terrain_close(&terrain);
}

/* On unknown terrain of some size it walks as repeated A* would, by fewer expansions. */
static void cheaper_than_repeated_searches(void) {
    static const char *const planners[2] = {"dstar-lite", "repeated-astar"};
    enum { PROBLEMS = 3 };
    uint64_t expansions[2] = {0}, moves[2] = {0};
    for (int i = 0; i < 2; i++) {
        terrain_bed terrain;
        wend_scenario *scenario = NULL;
        wend_map *map = test_map_shared("dao/orz103d", NULL, &scenario);
        if (!map) return;
        bool good = terrain_open(&terrain, map, UNKNOWN, planners[i], 0);
        for (size_t j = 0; good && j < PROBLEMS; j++) {
            const wend_problem *problem =
                wend_scenario_at(scenario, (j + 1) * wend_scenario_count(scenario) / (PROBLEMS + 1));
            wend_knowledge_forget(terrain.knowledge);
            CHECK(wend_agent_start(terrain.agent, wend_map_cell(map, problem->start.x, problem->start.y),
                                   wend_map_cell(map, problem->goal.x, problem->goal.y), NULL) == WEND_OK);
            CHECK(step_to_the_end(terrain.agent, 100000) == WEND_STEP_ARRIVED);
            expansions[i] += wend_agent_counters(terrain.agent).expansions;
            moves[i] += wend_agent_counters(terrain.agent).moves;
            test_case();
        }
        wend_scenario_destroy(scenario);
        terrain_close(&terrain);
    }
    CHECK_THAT(expansions[0] * 3 < expansions[1] && moves[0] * 2 < moves[1] * 3 &&
                   moves[1] * 2 < moves[0] * 3,
               "%llu expansions and %llu moves; repeated A* %llu and %llu", (unsigned long long)expansions[0],
               (unsigned long long)moves[0], (unsigned long long)expansions[1], (unsigned long long)moves[1]);
}

static const test tests[] = {
    {"distances and moves are true", distances_and_moves_are_true},
    {"walls come and go", walls_come_and_go},
    {"openings revive the same search", openings_revive_the_same_search},
    {"places keep the search", places_keep_the_search},
    {"floods of changes are taken in", floods_of_changes_are_taken_in},
    {"floods before a place are taken in", floods_before_a_place_are_taken_in},
    {"caps are outcomes", caps_are_outcomes},
    {"smallest and largest", smallest_and_largest},
    {"cheaper than repeated searches", cheaper_than_repeated_searches},
};

TEST_MAIN(tests)
