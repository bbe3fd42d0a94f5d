/* A planner of one's own: `tabu` goes to the neighbour that is nearest to the goal, but to cells where it has
 * just been only if there is no other. It is small, fast and not complete: a dead end that is larger than its
 * memory keeps it for ever. docs/guide/own-planner.md explains it. */
#include <stdio.h>
#include <wend/wend.h>

enum { MOST = 64 };

typedef struct tabu {
    wend_cell been[MOST]; /* a ring of the last `memory` cells */
    uint32_t memory, next;
} tabu;

static wend_status tabu_create(wend_agent *agent, const wend_settings *settings,
                               const wend_agent_options *options, wend_error *error) {
    tabu *state = (tabu *)wend_agent_state(agent);
    state->memory = (uint32_t)wend_settings_integer(settings, "memory");
    (void)options, (void)error; /* a place for a database of its own, and for words on what is wrong */
    return WEND_OK;
}

static void tabu_begin(wend_agent *agent) {
    tabu *state = (tabu *)wend_agent_state(agent);
    for (uint32_t i = 0; i < MOST; i++) state->been[i] = WEND_NO_CELL;
    state->next = 0;
}

/* How many moves ago it was on a cell; `memory` if it does not remember. */
static uint32_t age(const tabu *state, wend_cell cell) {
    uint32_t moves = 0;
    while (moves < state->memory &&
           state->been[(state->next + state->memory - 1 - moves) % state->memory] != cell)
        moves++;
    return moves;
}

static uint32_t tabu_move(wend_agent *agent) {
    tabu *state = (tabu *)wend_agent_state(agent);
    const wend_map *map = wend_agent_map(agent);
    uint32_t best = WEND_NO_DIRECTION, best_age = 0;
    wend_cost best_cost = 0;
    state->been[state->next] = wend_agent_cell(agent);
    state->next = (state->next + 1) % state->memory;
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
        wend_cell cell = wend_map_next(map, wend_agent_cell(agent), (wend_direction)d);
        if (cell == WEND_NO_CELL) continue;
        uint32_t its_age = age(state, cell);
        wend_cost cost = wend_map_distance(map, cell, wend_agent_goal(agent));
        wend_agent_count(agent, 0, 1 + state->memory);
        bool better = its_age > best_age || (its_age == best_age && cost < best_cost);
        if (best != WEND_NO_DIRECTION && !better) continue;
        best = d, best_age = its_age, best_cost = cost;
    }
    return best;
}

static uint64_t tabu_bound(const wend_agent *agent, uint64_t expansions) {
    const tabu *state = (const tabu *)wend_agent_state(agent);
    (void)expansions; /* it plans as it moves */
    return WEND_DIRECTIONS * (1 + (uint64_t)state->memory);
}

static uint64_t tabu_hash(const wend_agent *agent) {
    const tabu *state = (const tabu *)wend_agent_state(agent);
    uint64_t hash = state->next;
    for (uint32_t i = 0; i < state->memory; i++) hash = (hash ^ state->been[i]) * 0x100000001b3u;
    return hash;
}

static const wend_key_info tabu_keys[] = {{.name = "memory",
                                           .kind = WEND_KEY_INTEGER,
                                           .min = 1,
                                           .max = MOST,
                                           .standard = "20",
                                           .help = "cells that it remembers"}};

static const wend_planner_functions tabu_functions = {
    .struct_size = sizeof(wend_planner_functions),
    .info = {"tabu", "to the nearest neighbour where it has not just been", tabu_keys, 1},
    .state_size = sizeof(tabu),
    .create = tabu_create,
    .begin = tabu_begin,
    .move = tabu_move,
    .bound = tabu_bound,
    .hash = tabu_hash,
};

int main(void) {
    wend_generate_options make = wend_default_generate_options();
    wend_world_options world_options = wend_default_world_options();
    wend_agent_options agent_options = wend_default_agent_options();
    wend_map *map;
    wend_world *world;
    wend_planners *planners;
    wend_settings *settings;
    wend_agent *agent;
    if (wend_map_generate(WEND_MAP_CITY, 64, 64, &make, &map, NULL) != WEND_OK ||
        wend_world_create(map, &world_options, &world, NULL) != WEND_OK ||
        wend_planners_create(NULL, &planners, NULL) != WEND_OK ||
        wend_planners_add(planners, &tabu_functions, NULL, NULL) != WEND_OK ||
        wend_planners_parse(planners, "tabu:memory=32", NULL, &settings, NULL) != WEND_OK ||
        wend_agent_create(world, settings, &agent_options, &agent, NULL) != WEND_OK)
        return 1;
    wend_cell start = 0, goal = wend_map_cells(map) - 1;
    while (!wend_map_is_open_cell(map, start)) start++;
    while (!wend_map_is_open_cell(map, goal)) goal--;
    if (wend_agent_start(agent, start, goal, NULL) != WEND_OK) return 1;
    wend_step step = {.outcome = WEND_STEP_MOVED};
    for (int i = 0; i < 10000 && step.outcome == WEND_STEP_MOVED; i++) step = wend_agent_step(agent);
    if (step.outcome != WEND_STEP_ARRIVED) return 1;
    printf("there after %llu moves\n", (unsigned long long)wend_agent_counters(agent).moves);
    wend_agent_destroy(agent);
    wend_settings_destroy(settings);
    wend_planners_destroy(planners);
    wend_world_destroy(world);
    wend_map_destroy(map);
    return 0;
}
