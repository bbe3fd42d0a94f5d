/* A chase: the goal moves in every frame. wend_agent_set_goal keeps what the hunter has learnt as far as it holds for
 * the new goal, so it is called in each frame. rtaa walks at once, whatever the size of the map. */
#include <stdio.h>
#include <wend/wend.h>

/* Of the prey's moves, the one that leads farthest away. */
static wend_cell flee_from(const wend_map *map, wend_cell prey, wend_cell hunter) {
    wend_cell best = prey;
    for (wend_direction d = 0; d < WEND_DIRECTIONS; d++) {
        wend_cell next = wend_map_next(map, prey, d);
        if (next == WEND_NO_CELL) continue;
        if (wend_map_distance(map, next, hunter) > wend_map_distance(map, best, hunter)) best = next;
    }
    return best;
}

int main(void) {
    wend_map *map;
    wend_world *world;
    wend_settings *planner;
    wend_agent *hunter;
    if (wend_map_generate(WEND_MAP_CITY, 96, 96, NULL, &map, NULL) != WEND_OK ||
        wend_world_create(map, NULL, &world, NULL) != WEND_OK ||
        wend_settings_parse("rtaa:k=50", NULL, &planner, NULL) != WEND_OK ||
        wend_agent_create(world, planner, NULL, &hunter, NULL) != WEND_OK)
        return 1;
    wend_cell start = 0, prey = wend_map_cell(map, 48, 48);
    while (!wend_map_is_open_cell(map, start)) start++;
    while (!wend_map_is_open_cell(map, prey)) prey++;
    if (wend_agent_start(hunter, start, prey, NULL) != WEND_OK) return 1;
    int frame = 0;
    while (wend_agent_cell(hunter) != prey && frame < 5000) {
        /* The prey stumbles in every third frame; otherwise nobody would ever catch it in the open. */
        if (++frame % 3) prey = flee_from(map, prey, wend_agent_cell(hunter));
        if (wend_agent_set_goal(hunter, prey, NULL) != WEND_OK) return 1;
        (void)wend_agent_step(hunter);
    }
    bool caught = wend_agent_cell(hunter) == prey;
    printf("%s after %d frames\n", caught ? "caught" : "still running", frame);
    wend_agent_destroy(hunter);
    wend_settings_destroy(planner);
    wend_world_destroy(world);
    wend_map_destroy(map);
    return caught ? 0 : 1;
}
