/* A planner of one's own: `tabu` goes to the neighbour nearest to the goal, and to cells where it has just been
 * only if there is no other. It is not complete: a dead end that is larger than its memory keeps it for ever.
 * docs/guide/own-planner.md explains it. */
#include <stdio.h>
#include <wend/wend.h>

enum { MEMORY = 32 };

static uint32_t tabu_move(wend_agent *agent) {
    wend_cell *been = (wend_cell *)wend_agent_state(agent); /* a ring of the last cells, plus 1; 0: none */
    const wend_map *map = wend_agent_map(agent);
    uint64_t least = UINT64_MAX;
    uint32_t best = WEND_NO_DIRECTION;
    been[wend_agent_counters(agent).moves % MEMORY] = wend_agent_cell(agent) + 1;
    for (uint32_t d = 0; d < WEND_DIRECTIONS; d++) {
        wend_cell cell = wend_map_next(map, wend_agent_cell(agent), (wend_direction)d);
        if (cell == WEND_NO_CELL) continue;
        uint64_t cost = wend_map_distance(map, cell, wend_agent_goal(agent));
        for (int i = 0; i < MEMORY; i++) /* each visit costs more than any distance */
            if (been[i] == cell + 1) cost += UINT64_C(1) << 32;
        if (cost < least) least = cost, best = d;
    }
    return best;
}

static const wend_planner_functions tabu_functions = {
    .struct_size = sizeof(wend_planner_functions),
    .info = {"tabu", "to the nearest neighbour where it has not just been", NULL, 0},
    .state_size = MEMORY * sizeof(wend_cell),
    .move = tabu_move,
    .move_operations = WEND_DIRECTIONS * (1 + MEMORY),
};

int main(void) {
    wend_map *map;
    wend_world *world;
    wend_planners *planners;
    wend_settings *settings;
    wend_agent *agent;
    if (wend_map_generate(WEND_MAP_CITY, 64, 64, NULL, &map, NULL) != WEND_OK ||
        wend_world_create(map, NULL, &world, NULL) != WEND_OK ||
        wend_planners_create(NULL, &planners, NULL) != WEND_OK ||
        wend_planners_add(planners, &tabu_functions, NULL, NULL) != WEND_OK ||
        wend_planners_parse(planners, "tabu", NULL, &settings, NULL) != WEND_OK ||
        wend_agent_create(world, settings, NULL, &agent, NULL) != WEND_OK ||
        wend_agent_start(agent, wend_map_cell(map, 1, 1), wend_map_cell(map, 62, 62), NULL) != WEND_OK)
        return 1;
    for (int i = 0; i < 10000 && wend_agent_step(agent).outcome == WEND_STEP_MOVED; i++) continue;
    if (wend_agent_cell(agent) != wend_agent_goal(agent)) return 1;
    printf("there after %llu moves\n", (unsigned long long)wend_agent_counters(agent).moves);
    wend_agent_destroy(agent);
    wend_settings_destroy(settings);
    wend_planners_destroy(planners);
    wend_world_destroy(world);
    wend_map_destroy(map);
    return 0;
}
