/* A door that is closed in front of a unit, and opened again. With WEND_GOAL_WAIT the unit waits for it; while there
 * is another way it takes that. Edits happen between steps. */
#include <stdio.h>
#include <string.h>
#include <wend/wend.h>

static const char house[] = "###########\n"
                            "#....#....#\n"
                            "#....#....#\n"
                            "#.........#\n" /* the door is in the middle of this line */
                            "#....#....#\n"
                            "###########\n";

int main(void) {
    wend_error error;
    wend_map *map;
    wend_world *world;
    wend_settings *planner;
    wend_agent *unit;
    wend_world_options options = wend_default_world_options();
    wend_agent_options with = wend_default_agent_options();
    options.editable = true;
    with.goals = WEND_GOAL_WAIT;
    if (wend_map_parse(WEND_FORMAT_MAP, house, strlen(house), NULL, &map, &error) != WEND_OK ||
        wend_world_create(map, &options, &world, &error) != WEND_OK ||
        wend_settings_parse("tba:k=50", NULL, &planner, &error) != WEND_OK ||
        wend_agent_create(world, planner, &with, &unit, &error) != WEND_OK ||
        wend_agent_start(unit, wend_map_cell(map, 1, 1), wend_map_cell(map, 9, 4), &error) != WEND_OK)
        return 1;
    const wend_rect door = {5, 3, 1, 1};
    int waited = 0, frame = 0;
    for (wend_step step = {.outcome = WEND_STEP_WAITING}; step.outcome != WEND_STEP_ARRIVED && frame < 100;
         frame++) {
        if (frame == 2 && wend_world_edit(world, door, false, &error) != WEND_OK) return 1;
        if (frame == 20 && wend_world_edit(world, door, true, &error) != WEND_OK) return 1;
        wend_world_settle(world,
                          1000); /* a little in each frame: then it is known what the door has cut off */
        step = wend_agent_step(unit);
        waited += wend_agent_stranded(unit);
    }
    printf("there after %d frames, %d of them before the closed door\n", frame, waited);
    bool good = wend_agent_cell(unit) == wend_agent_goal(unit) && waited > 10;
    wend_agent_destroy(unit);
    wend_settings_destroy(planner);
    wend_world_destroy(world);
    wend_map_destroy(map);
    return good ? 0 : 1;
}
