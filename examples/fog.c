/* Fog of war: a team that knows nothing of the map at first. What one scout sees, all know before their next move,
 * so the last to set out walks straight to the goal, and is surprised by nothing. */
#include <stdio.h>
#include <wend/wend.h>

enum { SCOUTS = 3 };

int main(void) {
    wend_map *map;
    wend_world *world;
    wend_knowledge *team;
    wend_settings *planner;
    wend_agent *scouts[SCOUTS];
    wend_knowledge_options sight = wend_default_knowledge_options();
    sight.radius = 5;
    if (wend_map_generate(WEND_MAP_MAZE, 64, 64, NULL, &map, NULL) != WEND_OK ||
        wend_world_create(map, NULL, &world, NULL) != WEND_OK ||
        wend_knowledge_create(world, &sight, &team, NULL) != WEND_OK || /* every cell is open until seen */
        wend_settings_parse("dstar-lite", NULL, &planner, NULL) != WEND_OK)
        return 1;
    wend_cell start = 0, goal = wend_map_cells(map) - 1;
    while (!wend_map_is_open_cell(map, start)) start++;
    while (wend_world_reaches(world, start, goal) != WEND_ANSWER_YES) goal--;
    wend_agent_options with = wend_default_agent_options();
    with.knowledge = team;
    int steps[SCOUTS] = {0};
    uint64_t wrong = 0, surprises = 0;
    for (int i = 0; i < SCOUTS; i++) { /* one after another, to show what the last ones gain */
        if (wend_agent_create(world, planner, &with, &scouts[i], NULL) != WEND_OK ||
            wend_agent_start(scouts[i], start, goal, NULL) != WEND_OK)
            return 1;
        while (wend_agent_cell(scouts[i]) != goal && steps[i] < 10000) {
            (void)wend_agent_step(scouts[i]);
            steps[i]++;
        }
        surprises = wend_knowledge_changes(team) - wrong;
        wrong += surprises;
        printf("scout %d: %d steps, %llu cells were not as the team believed\n", i + 1, steps[i],
               (unsigned long long)surprises);
    }
    for (int i = 0; i < SCOUTS; i++) wend_agent_destroy(scouts[i]);
    wend_settings_destroy(planner);
    wend_knowledge_destroy(team);
    wend_world_destroy(world);
    wend_map_destroy(map);
    return steps[SCOUTS - 1] < steps[0] && !surprises ? 0 : 1;
}
